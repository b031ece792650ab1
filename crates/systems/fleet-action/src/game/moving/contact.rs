//! Contact markers: how they move and how their squadrons are deployed. [C-2, C-40]

use super::orders::knots;
use crate::game::FleetGame;
use crate::game::id::Id;
use crate::game::state::{Holds, MarkerId, Sea, SquadronId, VesselId};
use crate::geometry::Position;
use crate::rule;
use flagplot_kernel::course::{Course, Leg};
use flagplot_kernel::{Ask, Candidate, Chance, Choice, Decision, Form, Note, Prompt, Refusal, Screen, Seat, Side};
use serde::{Deserialize, Serialize};

/// Between the ships of a squadron that is deployed.
const SPACING: i64 = 60;
/// Places that are tried for a ship before she is put down where she touches others.
const PLACES: i64 = 200;

/// What a contact does in its move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ContactMove {
    Deploy(Deploy),
    Run(ContactRun),
}

/// The squadron is put on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deploy {
    /// Always true.
    pub deploy: bool,
    #[serde(default, skip_serializing_if = "Formation::is_ahead")]
    pub line: Formation,
}

/// How the ships of a squadron stand when it is deployed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formation {
    /// One behind the other.
    #[default]
    Ahead,
    /// Side by side, to starboard of the flagship.
    Abreast,
}

impl Formation {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
    fn is_ahead(&self) -> bool {
        *self == Formation::Ahead
    }
}

impl ContactMove {
    pub(in crate::game) const fn deploy(line: Formation) -> Self {
        ContactMove::Deploy(Deploy { deploy: true, line })
    }
}

/// The marker moves on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactRun {
    pub speed: i32,
    pub orders: Vec<Leg>,
}

impl FleetGame {
    /// The name of a marker in answers and scenes.
    pub(in crate::game) fn marker_id(&self, id: MarkerId) -> Id {
        format!("contact-{}", id.0 + 1).into()
    }

    /// A marker as people call it.
    pub(in crate::game) fn marker_name(&self, id: MarkerId) -> String {
        format!("Contact {}", id.0 + 1)
    }

    pub(in crate::game) fn find_marker(&self, sea: &Sea, id: &str) -> Option<MarkerId> {
        (0..sea.markers.len()).map(|at| MarkerId(at as u8)).find(|marker| self.marker_id(*marker) == *id)
    }

    /// How fast the markers of a side can move: as fast as the slowest ship of all its contact squadrons. [C-40]
    pub(in crate::game) fn contact_speed(&self, side: Side) -> i32 {
        let squads = self.battle.squadrons.iter().filter(|squad| squad.side == side && squad.contact);
        let ships = squads.flat_map(|squad| &squad.vessels);
        ships.map(|ship| self.battle.member(*ship).fresh.speed).min().unwrap_or(0)
    }

    /// Whether the markers of a side keep course and speed: a squadron that may be on one of them is surprised. [C-40]
    pub(in crate::game) fn contacts_surprised(&self, sea: &Sea, side: Side) -> bool {
        let mut squads = self.battle.squadrons.iter().zip(&sea.squadrons);
        squads.any(|(squad, now)| squad.side == side && squad.contact && !now.deployed && now.surprised)
    }

    /// Whether a squadron is still on one of its side's markers, where only its own side knows it.
    pub(in crate::game) fn on_a_marker(&self, sea: &Sea, id: SquadronId) -> bool {
        self.battle.squad(id).contact && !sea.squadron(id).deployed
    }

    /// Puts the squadron of a marker on the table: the flagship on the marker, the others astern or abeam of her in the
    /// order of the list. A dummy is taken away. [C-2]
    pub(in crate::game) fn deploy(&self, sea: &mut Sea, id: MarkerId, line: Formation) {
        let marker = sea.marker(id).clone();
        sea.marker_mut(id).gone = true;
        let Some(Holds::Squadron(of)) = marker.holds else { return };
        let squadron = sea.squadron_mut(of);
        squadron.deployed = true;
        (squadron.moved, squadron.acted) = (squadron.moved || marker.moved, squadron.acted || marker.acted);
        let squad = self.battle.squad(of);
        let flagship = squad.flagship.or(squad.vessels.first().copied());
        let others = squad.vessels.iter().copied().filter(|ship| Some(*ship) != flagship);
        let along = match line {
            Formation::Ahead => marker.at.heading.turned(180),
            Formation::Abreast => marker.at.heading.turned(90),
        };
        let place_at = |steps: i64| {
            let moved = Position { heading: along, ..marker.at }.ahead(SPACING * steps);
            Position { heading: marker.at.heading, ..moved }
        };
        let mut next = 0;
        for ship in flagship.into_iter().chain(others) {
            let free = (next..next + PLACES).find(|&steps| self.free(sea, ship, place_at(steps)));
            let place = free.unwrap_or(next);
            next = place + 1;
            let vessel = sea.vessel_mut(ship);
            vessel.placed = true;
            vessel.at = place_at(place);
            vessel.speed = marker.speed.min(vessel.now.speed);
            vessel.last_speed = vessel.speed;
        }
    }

    /// Whether a ship can be put down at a place.
    fn free(&self, sea: &Sea, ship: VesselId, at: Position) -> bool {
        let point = at.at.point();
        !self.runs_ashore(point, point) && self.blocker(sea, &[], ship, point).is_none()
    }

    /// Deploys a contact, with the words for the log.
    pub(in crate::game) fn deploy_and_tell(&self, sea: &mut Sea, id: MarkerId, line: Formation, ask: &mut impl Ask) {
        let held = sea.marker(id).holds;
        self.deploy(sea, id, line);
        ask.note(|| {
            let name = self.marker_name(id);
            let abreast = if line == Formation::Abreast { " in line abreast" } else { "" };
            let text = match held {
                Some(Holds::Squadron(of)) => format!("{name} is {}: it deploys{abreast}", self.battle.squad(of).name),
                _ => format!("{name} is a dummy and is taken away"),
            };
            Note::new("deploy", text).by(&[rule::C_2, rule::C_40]).pieces([self.marker_id(id)])
        });
    }

    /// A marker goes on as it went, as far as there is water.
    pub(super) fn keep_contact(&self, sea: &mut Sea, id: MarkerId) {
        let marker = sea.marker(id);
        let run = self.clear_water(marker.at, knots(&self.battle.rules, marker.speed));
        let at = marker.at.ahead(run);
        sea.marker_mut(id).at = at;
    }

    pub(super) fn run_contact(&self, sea: &mut Sea, id: MarkerId, run: &ContactRun, ask: &mut impl Ask) {
        let marker = sea.marker_mut(id);
        marker.at = super::run::end_of(marker.at, &run.orders);
        marker.speed = run.speed;
        let heading = marker.at.heading.degrees();
        ask.note(|| {
            let text = format!("{} makes {} knots on course {heading:03}", self.marker_name(id), run.speed);
            Note::new("contact-moves", text).by(&[rule::C_2]).pieces([self.marker_id(id)])
        });
    }
}

/// What a contact does: run on, or deploy.
pub(in crate::game) struct MoveContact<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub marker: MarkerId,
}

impl MoveContact<'_> {
    pub(in crate::game) fn fastest(&self) -> i32 {
        self.game.contact_speed(self.sea.marker(self.marker).side)
    }

    pub(in crate::game) fn is_dummy(&self) -> bool {
        self.sea.marker(self.marker).holds == Some(Holds::Dummy)
    }

    /// A run at a speed with one turn at a distance.
    pub(in crate::game) fn run(&self, speed: i32, turn: i32) -> ContactMove {
        let whole = knots(&self.game.battle.rules, speed);
        let mut orders = Vec::with_capacity(2);
        if turn != 0 {
            orders.push(Leg::Turn(turn));
        }
        if whole > 0 {
            orders.push(Leg::Ahead(whole));
        }
        ContactMove::Run(ContactRun { speed, orders })
    }

    /// Runs that are legal, by speed and turn.
    pub(in crate::game) fn runs(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        let fastest = self.fastest();
        let now = self.sea.marker(self.marker).speed.min(fastest);
        let turns = [0, -15, 15, -30, 30, -45, 45];
        let speeds = if now == fastest { vec![now] } else { vec![now, fastest] };
        let runs = speeds.into_iter().flat_map(move |speed| turns.map(|turn| (speed, turn)));
        runs.filter(|(speed, turn)| self.check(&self.run(*speed, *turn)).is_ok()).chain([(0, 0)])
    }
}

impl Decision for MoveContact<'_> {
    type Value = ContactMove;

    fn seat(&self) -> Seat {
        self.sea.marker(self.marker).side.into()
    }

    fn check(&self, value: &ContactMove) -> Result<(), Refusal> {
        let game = self.game;
        let name = game.marker_name(self.marker);
        let run = match value {
            ContactMove::Deploy(Deploy { deploy: true, .. }) if self.is_dummy() => {
                let text = format!("{name} is a dummy; there is nothing to deploy.");
                return Err(Refusal::new("dummy-contact", text).by(rule::C_2).remedy("Give it a course."));
            }
            ContactMove::Deploy(Deploy { deploy: true, .. }) => return Ok(()),
            ContactMove::Deploy(_) => {
                let text = "A contact is deployed with deploy: true; otherwise give it a course.";
                return Err(Refusal::new("bad-enum", text).by(rule::C_2));
            }
            ContactMove::Run(run) => run,
        };
        let fastest = self.fastest();
        let mut reasons = Vec::new();
        let mut refuse = |code, text: String| reasons.push(Refusal::new(code, text).by(rule::C_2));
        if run.speed > fastest {
            refuse("too-fast", format!("{name} can make {fastest} knots at most, not {}.", run.speed));
        }
        if run.speed < 0 {
            refuse("too-slow", format!("{name} cannot make {} knots; the minimum is 0.", run.speed));
        }
        let turns: Vec<i32> =
            run.orders.iter().filter_map(|leg| if let Leg::Turn(by) = leg { Some(*by) } else { None }).collect();
        if turns.len() > 1 {
            refuse("illegal-turn", format!("{name} turns {} times; a contact turns once at most.", turns.len()));
        }
        let sharpest = game.battle.rules.movement.turn_limit_deg;
        if let Some(by) = turns.iter().find(|by| **by == 0 || **by % 15 != 0 || by.abs() > sharpest) {
            let text = format!("{name} turns {by} degrees; a turn is 15 to {sharpest} degrees, in steps of 15.");
            refuse("out-of-range", text);
        }
        let lengths = || run.orders.iter().filter_map(|leg| if let Leg::Ahead(mm) = leg { Some(*mm) } else { None });
        if lengths().any(|mm| !(0..=10_000).contains(&mm)) || run.orders.len() > 10 {
            refuse("out-of-range", format!("{name}: a leg is 0 to 10,000 mm, and there are 10 at most."));
        } else {
            let (total, whole) = (lengths().sum::<i64>(), knots(&game.battle.rules, run.speed));
            if total != whole {
                let text = format!("{name} runs {total} mm; {} knots are {whole} mm.", run.speed);
                refuse("distance-mismatch", text);
            }
        }
        Refusal::all(reasons)?;
        let path = super::run::corners(self.sea.marker(self.marker).at, &run.orders);
        if path.windows(2).any(|leg| game.runs_ashore(leg[0], leg[1])) {
            return Err(Refusal::new("blocked", format!("{name} would run onto land.")).by(rule::C_2));
        }
        super::orders::on_the_table(&name, path.last().copied())
    }
}

impl Screen for MoveContact<'_> {
    fn prompt(&self) -> Prompt {
        let name = self.game.marker_name(self.marker);
        let prompt = Prompt::new("contact", format!("Where does {name} go?"), rule::C_40);
        match self.sea.marker(self.marker).holds {
            Some(Holds::Squadron(of)) => Prompt {
                text: format!("Where does {name} ({}) go, or does it deploy?", self.game.battle.squad(of).name),
                ..prompt
            },
            _ => prompt.missing(format!("Deploy: {name} is a dummy.")),
        }
    }

    fn candidates(&self) -> Vec<Candidate<ContactMove>> {
        let id = self.game.marker_id(self.marker);
        let heading = self.sea.marker(self.marker).at.heading;
        let label = |speed: i32, turn: i32| {
            let course = heading.turned(turn).degrees();
            match (speed, turn) {
                (0, _) => "Stop".to_owned(),
                (_, 0) => format!("Keep course {course:03} at {speed} knots"),
                _ => format!("Turn at {speed} knots: to {course:03}"),
            }
        };
        let mut candidates: Vec<Candidate<ContactMove>> = self
            .runs()
            .map(|(speed, turn)| Candidate::new(self.run(speed, turn), label(speed, turn)).at([&id]))
            .collect();
        if !self.is_dummy() {
            for (line, label) in [
                (Formation::Ahead, "Deploy the squadron in line ahead"),
                (Formation::Abreast, "Deploy the squadron in line abreast"),
            ] {
                candidates.push(Candidate::new(ContactMove::deploy(line), label).at([&id]));
            }
        }
        candidates
    }

    fn form(&self) -> Form {
        let marker = self.sea.marker(self.marker);
        let course = Course {
            piece: self.game.marker_id(self.marker).to_string(),
            from: marker.at.at.point().into(),
            heading: marker.at.heading.degrees(),
            speeds: [0, self.fastest().into()],
            scale: self.game.battle.rules.scale.mm_per_knot.into(),
            run: 0,
            turn: self.game.battle.rules.movement.turn_limit_deg,
            items: Vec::new(),
        };
        Form::Choices { ways: vec![("Course".into(), Form::Course(course)), ("Ready-made".into(), Form::Pick)] }
    }
}

impl Choice for MoveContact<'_> {
    fn sample(&self, chance: &mut Chance) -> ContactMove {
        if !self.is_dummy() && chance.below(4) == 0 {
            let line = if chance.below(4) == 0 { Formation::Abreast } else { Formation::Ahead };
            return ContactMove::deploy(line);
        }
        let fastest = self.fastest();
        for _ in 0..4 {
            let turn = 15 * (chance.below(7) as i32 - 3);
            let run = self.run(fastest - chance.below(1 + fastest.max(0) as u32 / 3) as i32, turn);
            if self.check(&run).is_ok() {
                return run;
            }
        }
        self.run(0, 0)
    }

    fn instinct(&self, chance: &mut Chance) -> ContactMove {
        self.game.contact_instinct(self, chance)
    }
}
