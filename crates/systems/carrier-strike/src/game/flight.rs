//! Moving squadrons: the path, the contacts on it, going on after them.

use super::CarrierGame;
use super::dogfight::Dogfight;
use super::flight_choices::{ContactAnswer, ContactChoice, PathChoice, PathUse};
use super::piece::{Order, SquadronId, Squads};
use super::process::Process;
use super::search::Planned;
use super::state::Table;
use super::walking::{Known, Lines, Pause, Walk, WalkKind};
use crate::few::Few;
use crate::geometry::{LENGTH, clip};
use crate::rule;
use crate::walk::{Course, Hazards, Waypoints, stride};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Flow, Note};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    Move,
    /// A squadron on its last fuel flies to this point.
    Home(Point),
    /// To the enemy carrier group.
    Strike,
    /// Away from it.
    AfterStrike,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlightStage {
    /// It is on its path.
    Path,
    /// Guns fire at a squadron.
    Flak(SquadronId),
    /// This group is met, and intercepts or gives way.
    Contact(Squads),
    GivingWay(Box<Lines>),
    Fight(Box<Dogfight>),
    /// It goes on after its contacts or stops.
    Resume,
    Over,
}

/// Squadrons fly together, meet enemies and fly on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flight {
    pub purpose: Purpose,
    /// The squadrons still taking part; those that were lost may be among them.
    pub group: Squads,
    pub allowance: i64,
    pub flown: i64,
    /// The path being flown; none once a contact has broken it off.
    pub walk: Option<Walk>,
    /// Groups in contact, still to be dealt with.
    pub(super) contacts: Few<Squads, 6>,
    /// Enemy squadrons already dealt with.
    pub met: Squads,
    /// Enemy groups that gave way.
    pub gave_way: Few<Squads, 6>,
    pub stage: FlightStage,
}

impl Flight {
    /// A flight of the squadrons of the action. Their path is still to be chosen.
    pub(super) fn new(table: &Table, purpose: Purpose, allowance: i64) -> Self {
        Self {
            purpose,
            group: table.action.squadrons.iter().copied().collect(),
            allowance,
            flown: 0,
            walk: None,
            contacts: Few::default(),
            met: Squads::NONE,
            gave_way: Few::default(),
            stage: FlightStage::Path,
        }
    }

    /// The squadrons set out along a path, which was checked when it was chosen.
    pub(super) fn set_out(&mut self, table: &mut Table, path: &Waypoints, ask: &mut impl Ask) {
        let movers = self.group;
        let squadrons = &table.action.squadrons;
        let lead = squadrons.iter().copied().find(|id| movers.has(*id)).or_else(|| movers.first());
        self.stage = FlightStage::Path;
        let Some(lead) = lead else {
            self.stage = FlightStage::Over;
            return;
        };
        let kind = match self.purpose {
            Purpose::Move | Purpose::Home(_) => WalkKind::Path,
            Purpose::Strike | Purpose::AfterStrike => WalkKind::Strike,
        };
        let start = table[lead].pos;
        self.walk = Some(Walk { kind, movers, course: Course::new(start, *path) });
        table.trail.lead = squadrons.first().copied();
        table.trail.pass(start);
        ask.note(|| {
            Note::new("sets-out", format!("{}.", movers.doing("sets out", "set out")))
                .by(&[rule::MOVE, rule::GROUPS])
                .pieces(movers.ids())
        });
    }

    /// Whether a group that was met has not been dealt with yet.
    pub fn in_contact(&self) -> bool {
        matches!(self.stage, FlightStage::Contact(_) | FlightStage::GivingWay(_) | FlightStage::Fight(_))
    }

    /// Takes up the next group in contact: both sides detect each other, dummies come off. [Intercept], R-71
    fn meet(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Option<Squads> {
        loop {
            self.group = table.in_the_air(self.group);
            let movers = self.group;
            if movers.is_empty() {
                return None;
            }
            let group = table.in_the_air(self.contacts.remove(0)?);
            if !table.within(&game.rules.geometry, movers, group, game.rules.ranges.contact) {
                continue;
            }
            self.met = self.met.and(group);
            let real = |set: Squads| set.iter().any(|id| table[id].real());
            let (we, they) = (real(movers), real(group));
            ask.note(|| {
                Note::new("contact", format!("{} {}.", movers.doing("meets", "meet"), group))
                    .by(&[rule::INTERCEPT, rule::R_27, rule::R_71])
                    .pieces(movers.and(group).ids())
            });
            if !we && !they {
                ask.note(|| Note::new("dummies-meet", "Two dummies meet.").detail().by(&[rule::R_72]));
            }
            if we || !they {
                game.detect_group(table, group, ask);
            }
            if they || !we {
                game.detect_group(table, movers, ask);
            }
            let left = table.in_the_air(group);
            self.group = table.in_the_air(movers);
            if !self.group.is_empty() && !left.is_empty() {
                return Some(left);
            }
        }
    }

    /// The group that is met intercepts or gives way.
    fn contact(&mut self, game: &CarrierGame, table: &Table, enemy: Squads, ask: &mut impl Ask) -> Asked<()> {
        let answer = ask.decide(&ContactChoice { game, table, movers: self.group, met: enemy })?;
        self.walk = None;
        self.stage = match answer {
            ContactAnswer::Intercept { squadrons } => {
                let fighters: Squads = squadrons.iter().copied().collect();
                ask.note(|| {
                    Note::new("intercepts", format!("{}.", fighters.doing("intercepts", "intercept")))
                        .by(&[rule::INTERCEPT, rule::R_24, rule::R_26, rule::R_76])
                        .pieces(fighters.ids())
                });
                let stakes = matches!(self.purpose, Purpose::Strike);
                FlightStage::Fight(Box::new(Dogfight::new(table, fighters, self.group, stakes)))
            }
            ContactAnswer::GiveWay { line } => {
                ask.note(|| {
                    Note::new("gives-way", format!("{}.", enemy.doing("gives way", "give way")))
                        .by(&[rule::INTERCEPT, rule::R_42, rule::R_69, rule::R_70])
                        .pieces(enemy.ids())
                });
                self.gave_way.push(enemy);
                FlightStage::GivingWay(Box::new(Lines::one(enemy, line)))
            }
        };
        Ok(())
    }

    /// All contacts are settled, and nobody is left under the guns: the flight goes on or stops.
    fn after_contacts(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) {
        let Purpose::Home(home) = self.purpose else {
            let (able, allowance) = self.may_resume(game, table);
            if able.is_empty() || allowance <= 0 {
                self.stop(table, ask);
            } else {
                self.stage = FlightStage::Resume;
            }
            return;
        };
        // A squadron flying home has no choice.
        let from = self.group.first().map_or(home, |id| table[id].pos);
        let left = self.allowance - self.flown;
        let distance = from.ceil_dist(home);
        if left <= 0 || distance == 0 {
            self.stage = FlightStage::Over;
        } else {
            self.set_out(table, &Waypoints::to(clip(from, home, left)), ask);
        }
    }

    /// The squadrons that may fly on, and how far.
    pub(super) fn may_resume(&self, game: &CarrierGame, table: &Table) -> (Order, i64) {
        if self.purpose != Purpose::Strike {
            return (table.in_order(self.group), self.allowance - self.flown);
        }
        let reach = game.rules.ranges.strike * LENGTH;
        let near = |id: &SquadronId| {
            let target = game.strike_target(table, id.side());
            target.is_some_and(|card| game.rules.geometry.to_card(table[*id].pos, card) <= reach)
        };
        (table.in_order(self.group.iter().filter(near).collect()), game.rules.speeds.strike_approach)
    }

    fn resume(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        let (able, allowance) = self.may_resume(game, table);
        let purpose = PathUse::Resume;
        let chosen = ask.decide(&PathChoice { game, table, flight: self, squadrons: &able, allowance, purpose })?;
        let Some(path) = chosen.path else {
            self.stop(table, ask);
            return Ok(());
        };
        let squadrons = chosen.squadrons.unwrap_or(able);
        self.group = squadrons.iter().copied().collect();
        // The lead is the first one named.
        let rest: Order = table.action.squadrons.iter().copied().filter(|id| !self.group.has(*id)).collect();
        table.action.squadrons = squadrons.iter().chain(&rest).copied().collect();
        if self.purpose == Purpose::Strike {
            (self.allowance, self.flown) = (allowance, 0);
        }
        self.set_out(table, &path, ask);
        Ok(())
    }

    /// The flight ends at a contact. Guns still look at a move that stands over them.
    fn stop(&mut self, table: &Table, ask: &mut impl Ask) {
        ask.note(|| Note::new("stops", "The move stops here.").by(&[rule::R_27]));
        self.stage = FlightStage::Over;
        if self.purpose == Purpose::Move {
            let lead = self.group.first().map_or(Point::default(), |id| table[id].pos);
            let mut course = Course::new(lead, Waypoints::default());
            course.flown = self.flown;
            self.walk = Some(Walk { kind: WalkKind::Stop, movers: self.group, course });
            self.stage = FlightStage::Path;
        }
    }

    /// Whether a path would come into contact with a group that gave way.
    pub(super) fn meets_forbidden(
        &self,
        game: &CarrierGame,
        table: &Table,
        squadrons: &[SquadronId],
        path: &Waypoints,
    ) -> bool {
        let gone = self.gave_way.iter().enumerate().flat_map(|(n, group)| group.iter().map(move |id| (id, n as u8)));
        let gone: Few<(Point, u8), 12> =
            gone.filter(|(id, _)| table[*id].up()).map(|(id, n)| (table[id].pos, n)).collect();
        let Some(lead) = squadrons.first().filter(|_| !gone.is_empty()) else { return false };
        let hazards = Hazards { squadrons: &gone, hidden: &[], seers: 0, guns: &[], targets: 0 };
        let mut at: Few<Point, 12> = squadrons.iter().map(|id| table[*id].pos).collect();
        let mut course = Course::new(table[*lead].pos, *path);
        stride(&game.rules.geometry, &mut course, &mut at, &hazards).contact != 0
    }
}

impl Process for Flight {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        match &mut self.stage {
            FlightStage::Path | FlightStage::Over => Ok(()),
            FlightStage::Flak(id) => {
                game.flak(table, *id, ask)?;
                self.stage = FlightStage::Path;
                Ok(())
            }
            FlightStage::Contact(enemy) => {
                let enemy = *enemy;
                self.contact(game, table, enemy, ask)
            }
            FlightStage::GivingWay(lines) => lines.question(game, table, ask),
            FlightStage::Fight(fight) => fight.question(game, table, ask),
            FlightStage::Resume => self.resume(game, table, ask),
        }
    }

    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        loop {
            match &mut self.stage {
                FlightStage::GivingWay(lines) => {
                    if lines.run(game, table, ask) == Flow::Continue {
                        return Flow::Continue;
                    }
                }
                FlightStage::Fight(fight) => {
                    if fight.run(game, table, ask) == Flow::Continue {
                        return Flow::Continue;
                    }
                    self.group = self.group.without(fight.broken); // Out of the action, too.
                }
                FlightStage::Path => {}
                FlightStage::Over => return Flow::Done,
                FlightStage::Flak(_) | FlightStage::Contact(_) | FlightStage::Resume => return Flow::Continue,
            }
            self.stage = FlightStage::Path;
            if let Some(walk) = &mut self.walk {
                let before = walk.course.flown;
                let pause = walk.go_on(game, table, Known { met: self.met, gave_way: &self.gave_way }, ask);
                self.flown += walk.course.flown - before;
                match pause {
                    Pause::Flak(id) => {
                        self.stage = FlightStage::Flak(id);
                        continue;
                    }
                    Pause::Contact(groups) => self.contacts = groups,
                    Pause::End => self.stage = FlightStage::Over,
                }
            }
            if self.stage == FlightStage::Over {
                self.walk = None;
            } else if let Some(enemy) = self.meet(game, table, ask) {
                self.stage = FlightStage::Contact(enemy);
            } else if self.group.is_empty() {
                self.stage = FlightStage::Over;
            } else if self.walk.is_some() {
                // The groups met were nothing but dummies.
            } else if let Some(id) = game.next_under_guns(table, self.group, ask) {
                self.stage = FlightStage::Flak(id);
            } else {
                self.group = table.in_the_air(self.group);
                if self.group.is_empty() {
                    self.stage = FlightStage::Over;
                } else {
                    self.after_contacts(game, table, ask);
                }
            }
        }
    }
}

/// Where the move of a group of squadrons stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveStage {
    SearchFirst,
    /// The path is chosen when the result of the search is known.
    ChoosePath,
    Fly,
    /// The target of the search is named when the move is over.
    NameTarget,
    SearchAfter,
    Over,
}

/// A group of squadrons moves, and may search before or after it. [Move a squadron]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Move {
    pub flight: Flight,
    pub search: Option<Planned>,
    pub stage: MoveStage,
}

impl Move {
    pub(super) fn new(
        game: &CarrierGame,
        table: &mut Table,
        path: Option<&Waypoints>,
        search: Option<Planned>,
        ask: &mut impl Ask,
    ) -> Self {
        let mut flight = Flight::new(table, Purpose::Move, game.rules.speeds.squadron_move);
        let stage = match (search.and_then(Planned::search), path) {
            (Some(search), None) => {
                search.announce(game, table, ask);
                MoveStage::SearchFirst
            }
            (_, path) => {
                flight.set_out(table, &path.copied().unwrap_or_default(), ask);
                MoveStage::Fly
            }
        };
        Self { flight, search, stage }
    }
}

impl Process for Move {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        match self.stage {
            MoveStage::SearchFirst => {
                self.search
                    .take()
                    .and_then(Planned::search)
                    .map_or(Ok(None), |search| search.numbers(game, table, ask))?;
                self.stage = MoveStage::ChoosePath;
            }
            MoveStage::ChoosePath => {
                let flight = &self.flight;
                let chosen = ask.decide(&PathChoice {
                    game,
                    table,
                    flight,
                    squadrons: &table.action.squadrons,
                    allowance: flight.allowance,
                    purpose: PathUse::AfterSearch,
                })?;
                match chosen.path {
                    Some(path) => {
                        self.flight.set_out(table, &path, ask);
                        self.stage = MoveStage::Fly;
                    }
                    None => {
                        table.action.squadrons.clear(); // Staying marks nobody.
                        self.stage = MoveStage::Over;
                    }
                }
            }
            MoveStage::Fly => self.flight.question(game, table, ask)?,
            MoveStage::NameTarget => {
                self.search.as_mut().map_or(Ok(()), |plan| plan.name(game, table, ask))?;
                self.stage = MoveStage::SearchAfter;
            }
            MoveStage::SearchAfter => {
                self.search
                    .take()
                    .and_then(Planned::search)
                    .map_or(Ok(None), |search| search.numbers(game, table, ask))?;
                self.stage = MoveStage::Over;
            }
            MoveStage::Over => {}
        }
        Ok(())
    }

    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        match self.stage {
            MoveStage::Fly if self.flight.run(game, table, ask) == Flow::Done => {}
            MoveStage::Over => return Flow::Done,
            _ => return Flow::Continue,
        }
        table.mark_acted();
        self.search = self.search.and_then(|plan| plan.begin(game, table, ask));
        self.stage = match self.search {
            Some(Planned { target: Some(_), .. }) => MoveStage::SearchAfter,
            Some(_) => MoveStage::NameTarget,
            None => return Flow::Done,
        };
        Flow::Continue
    }
}
