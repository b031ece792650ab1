//! The orders of a squadron: one sheet for all its ships. [C-36, C-51]

use super::run::{Paper, corners, end_of, order};
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::id::Id;
use crate::game::state::{Mood, Sea, SquadronId, VesselId};
use crate::geometry::Position;
use crate::movement::Mover;
use crate::rule;
use crate::rules::Rules;
use crate::words::*;
use flagplot_kernel::course::Leg;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Decision, Refusal, Seat};
use serde::{Deserialize, Serialize};

/// Positions stay within this of the middle. [C-43]
pub(in crate::game) const EDGE: i64 = 100_000;
/// Legs that orders may have.
pub(in crate::game) const MOST_LEGS: usize = 120;
/// The least speed at which smoke is made.
pub(super) const SMOKE_KNOTS: i32 = 5;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub ship: Id,
    pub speed: i32,
    pub orders: Vec<Leg>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub smoke: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// What a vessel is to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Plan {
    pub vessel: VesselId,
    pub speed: i32,
    pub legs: Vec<Leg>,
    pub smoke: bool,
}

/// How far a speed carries a ship in a turn.
pub(in crate::game) fn knots(rules: &Rules, speed: i32) -> i64 {
    i64::from(speed) * i64::from(rules.scale.mm_per_knot)
}

/// Whether a move ends on the table. [C-43]
pub(super) fn on_the_table(name: &str, end: Option<Point>) -> Result<(), Refusal> {
    let beyond = |end: Point| end.x.abs() > EDGE || end.y.abs() > EDGE;
    if !end.is_some_and(beyond) {
        return Ok(());
    }
    let text = format!("{name} would leave the chart, which ends {EDGE} mm from its middle.");
    Err(Refusal::new("out-of-range", text).by(rule::C_43))
}

/// The legs of a turn by some degrees in all, at most 45 at a time and each as early as the straight run allows. [C-37]
pub(in crate::game) fn turning(run: i64, whole: i64, mut degrees: i32) -> Vec<Leg> {
    let (mut legs, mut left) = (Vec::with_capacity(8), whole);
    while degrees != 0 && left >= run {
        let step = degrees.clamp(-45, 45);
        legs.extend([Leg::Ahead(run), Leg::Turn(step)]);
        degrees -= step;
        left -= run;
    }
    if left > 0 {
        legs.push(Leg::Ahead(left));
    }
    legs
}

impl Plan {
    pub(super) fn straight(rules: &Rules, vessel: VesselId, speed: i32) -> Plan {
        let whole = knots(rules, speed);
        let legs = if whole > 0 { vec![Leg::Ahead(whole)] } else { Vec::new() };
        Plan { vessel, speed, legs, smoke: false }
    }

    pub(super) fn turns(&self) -> bool {
        self.legs.iter().any(|leg| matches!(leg, Leg::Turn(_)))
    }
}

impl FleetGame {
    /// The ships of a squadron that can move at all now: in play, on the water, not under it.
    pub(in crate::game) fn afloat(&self, sea: &Sea, squadron: SquadronId) -> impl Iterator<Item = VesselId> {
        let vessels = self.battle.squad(squadron).vessels.iter().copied();
        vessels.filter(|id| {
            let model = self.battle.model(*id);
            sea.vessel(*id).in_play() && model.hull != Hull::Submarine && !model.sheet.is_air_base()
        })
    }

    /// The guide whose orders the ships of a squadron follow this turn. [C-50]
    pub(super) fn guide(&self, sea: &Sea, squadron: SquadronId) -> Option<VesselId> {
        let guide = self.battle.scenario.guide.as_ref()?;
        let [first, last] = guide.turns;
        let ship = self.battle.find(&guide.ship)?;
        let follows = self.battle.squad(squadron).id == *guide.squadron.as_str();
        (follows && (first..=last).contains(&sea.turn) && sea.vessel(ship).in_play()).then_some(ship)
    }

    /// Whether the scenario has a ship hold her course this turn and do nothing.
    pub(in crate::game) fn holds(&self, sea: &Sea, id: VesselId) -> bool {
        let placed = self.battle.member(id).placed.as_ref();
        placed.is_some_and(|placed| placed.holds.contains(&sea.turn))
    }

    /// Whether a ship moves by herself: surprised, holding, under a guide, aground or without way. [C-36]
    pub(super) fn moves_by_herself(&self, sea: &Sea, squadron: SquadronId, id: VesselId) -> bool {
        sea.squadron(squadron).surprised
            || self.holds(sea, id)
            || self.guide(sea, squadron).is_some_and(|guide| guide != id)
            || self.mover(sea, id).speeds().1 == 0
    }

    /// The ships that are on the sheet of a squadron.
    pub(in crate::game) fn on_sheet(&self, sea: &Sea, squadron: SquadronId) -> Vec<VesselId> {
        self.afloat(sea, squadron).filter(|id| !self.moves_by_herself(sea, squadron, *id)).collect()
    }

    /// Whether a ship can make smoke at a speed, and if not, why. [C-25, C-50]
    pub(in crate::game) fn may_smoke(&self, sea: &Sea, id: VesselId, speed: i32) -> Result<(), Refusal> {
        let vessel = sea.vessel(id);
        let name = &self.battle.member(id).name;
        let refuse = |text: String| Err(Refusal::new("cannot-make-smoke", text).by(rule::C_25));
        let floats = self.battle.scenario.smoke_floats.as_ref();
        let floats = floats.filter(|floats| floats.squadron == self.squad_of(id).id.as_str());
        match floats {
            _ if vessel.now.gear.smoke => {}
            Some(floats) if sea.turn < floats.from_turn => {
                return refuse(format!("{name} may use her smoke floats from turn {} on.", floats.from_turn));
            }
            Some(_) if vessel.floats > 0 => {}
            Some(_) => return refuse(format!("{name} has no smoke floats left.")),
            None => return refuse(format!("{name} can no longer make smoke.")),
        }
        if speed < SMOKE_KNOTS {
            return refuse(format!("{name} makes {speed} knots; smoke needs at least {SMOKE_KNOTS}."));
        }
        Ok(())
    }

    pub(in crate::game) fn squad_of(&self, id: VesselId) -> &crate::game::battle::Squad {
        self.battle.squad(self.battle.member(id).squadron)
    }

    /// Whether a plan is straight ahead at the lowest speed, which is always legal.
    pub(super) fn least(&self, mover: &Mover, plan: &Plan) -> bool {
        plan.speed == mover.speeds().0 && !plan.turns()
    }

    /// Whether a ship may do this, with those that have moved on paper before her. Every reason is given.
    pub(in crate::game) fn lawful(&self, sea: &Sea, paper: &Paper, plan: &Plan) -> Result<(), Refusal> {
        let id = plan.vessel;
        let member = self.battle.member(id);
        let named = |refusal: Refusal| {
            let also = refusal.also.into_iter().map(|other| name_ship(&member.name, other)).collect();
            name_ship(&member.name, Refusal { also, ..refusal })
        };
        let legs = |text: String| Err(Refusal::new("out-of-range", format!("{}: {text}", member.name)).by(rule::C_3));
        if plan.legs.len() > MOST_LEGS {
            return legs(format!("the orders have {} parts; at most {MOST_LEGS}.", plan.legs.len()));
        }
        let sharpest = self.battle.rules.movement.turn_limit_deg;
        for leg in &plan.legs {
            match *leg {
                Leg::Ahead(mm) if !(0..=10_000).contains(&mm) => {
                    return legs(format!("a leg is 0 to 10,000 mm, not {mm}."));
                }
                Leg::Turn(by) if by == 0 || by % 15 != 0 || by.abs() > sharpest => {
                    return legs(format!("a turn is 15 to {sharpest} degrees in steps of 15, not {by}."));
                }
                _ => {}
            }
        }
        let mover = self.mover(sea, id);
        let orders: Vec<crate::movement::Order> = plan.legs.iter().copied().map(order).collect();
        mover.check(&self.battle.rules, plan.speed, &orders).map_err(named)?;
        if plan.smoke {
            self.may_smoke(sea, id, plan.speed)?;
        }
        if self.least(&mover, plan) {
            return Ok(());
        }
        self.clear_way(sea, paper, plan)?;
        self.fit_for(sea, &mover, plan)
    }

    /// Whether land and other bases leave room. [section 4]
    fn clear_way(&self, sea: &Sea, paper: &Paper, plan: &Plan) -> Result<(), Refusal> {
        let name = &self.battle.member(plan.vessel).name;
        let from = sea.vessel(plan.vessel).at;
        let end = end_of(from, &plan.legs).at.point();
        on_the_table(name, Some(end))?;
        let blocked = |text: String| {
            Err(Refusal::new("blocked", text)
                .by(rule::C_3)
                .remedy("Choose another course or speed; straight ahead at the lowest speed is always allowed."))
        };
        if !self.battle.scenario.land.is_empty() {
            let path = corners(from, &plan.legs);
            if path.windows(2).any(|leg| self.runs_ashore(leg[0], leg[1])) {
                return blocked(format!("{name} would run onto land."));
            }
        }
        match self.blocker(sea, paper, plan.vessel, end) {
            Some(other) => blocked(format!("{name} would end on {}.", self.battle.member(other).name)),
            None => Ok(()),
        }
    }

    /// Whether the crew is willing: shaken, broken and torpedo-shy ships keep away. [C-22, C-50, C-51]
    fn fit_for(&self, sea: &Sea, mover: &Mover, plan: &Plan) -> Result<(), Refusal> {
        let member = self.battle.member(plan.vessel);
        let name = &member.name;
        let mood = sea.vessel(plan.vessel).mood;
        let (from, end) = (mover.position.at.point(), end_of(mover.position, &plan.legs).at.point());
        let lowest = mover.speeds().0;
        let remedy = format!("Keep away, or run straight ahead at {lowest} knots.");
        if mood == Mood::Broken && plan.speed != mover.speeds().1 {
            let fastest = mover.speeds().1;
            let text = format!("{name} is broken and runs at the highest speed she can make, {fastest} knots.");
            return Err(Refusal::new("morale-forbids", text).by(rule::C_51).remedy(remedy));
        }
        if mood != Mood::Steady
            && let Some(enemy) = self.feared(sea, plan.vessel).find(|enemy| nearer(from, end, self.point(sea, *enemy)))
        {
            let (how, enemy) =
                (if mood == Mood::Broken { "broken" } else { "shaken" }, &self.battle.member(enemy).name);
            let text = format!("{name} is {how} and may not end nearer to {enemy}.");
            return Err(Refusal::new("morale-forbids", text).by(rule::C_51).remedy(remedy));
        }
        let squadron = sea.squadron(member.squadron);
        if squadron.shy {
            let launchers = squadron.torpedoed_by.iter().copied().filter(|by| sea.vessel(*by).in_play());
            if let Some(by) = launchers.into_iter().find(|by| nearer(from, end, self.point(sea, *by))) {
                let text =
                    format!("{name} shrinks from torpedoes and may not end nearer to {}.", self.battle.member(by).name);
                return Err(Refusal::new("torpedo-shy", text).by(rule::C_51).remedy(remedy));
            }
        }
        Ok(())
    }

    /// The enemy warships in clear sight that a ship shrinks from when her morale is gone. [C-22]
    fn feared<'a>(&'a self, sea: &'a Sea, id: VesselId) -> impl Iterator<Item = VesselId> + 'a {
        let (from, tvr) = (self.point(sea, id), self.battle.tvr(sea.turn));
        let enemies = self.enemies(sea, self.battle.member(id).side);
        enemies.filter(move |enemy| {
            let at = self.point(sea, *enemy);
            self.battle.model(*enemy).sheet.kind == Kind::Warship
                && self.band(self.reach(from, at)) <= tvr
                && !self.obscured(sea, from, at)
        })
    }

    /// What a ship does that has no orders: her course at her last speed, or as near to it as she can; where that is
    /// not allowed, straight ahead at the lowest speed. [C-36]
    pub(in crate::game) fn keep(&self, sea: &Sea, paper: &Paper, id: VesselId) -> Plan {
        let mover = self.mover(sea, id);
        let (slowest, fastest) = mover.speeds();
        let last = sea.vessel(id).last_speed;
        let plan = Plan::straight(&self.battle.rules, id, last.clamp(slowest, fastest.max(slowest)));
        if self.lawful(sea, paper, &plan).is_ok() { plan } else { Plan::straight(&self.battle.rules, id, slowest) }
    }

    /// Where a plan ends.
    pub(in crate::game) fn end(&self, sea: &Sea, plan: &Plan) -> Position {
        end_of(sea.vessel(plan.vessel).at, &plan.legs)
    }
}

fn nearer(from: Point, end: Point, enemy: Point) -> bool {
    end.dist2(enemy) < from.dist2(enemy)
}

/// The same refusal with the ship's name in it.
fn name_ship(name: &str, refusal: Refusal) -> Refusal {
    let message = match refusal.message.strip_prefix("The ship is ") {
        Some(rest) => format!("{name} is {rest}"),
        None => format!("{name}: {}", refusal.message),
    };
    Refusal { message, ..refusal }
}

/// The orders of a squadron, or of one ship of it whose orders have become illegal.
pub(in crate::game) struct Orders<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub squadron: SquadronId,
    /// The ship that is asked again.
    pub only: Option<VesselId>,
}

impl Orders<'_> {
    pub(in crate::game) fn ships(&self) -> Vec<VesselId> {
        match self.only {
            Some(ship) => vec![ship],
            None => self.game.on_sheet(self.sea, self.squadron),
        }
    }

    pub(in crate::game) fn entry(&self, plan: &Plan) -> Entry {
        Entry {
            ship: self.game.battle.member(plan.vessel).id.clone(),
            speed: plan.speed,
            orders: plan.legs.clone(),
            smoke: plan.smoke,
        }
    }

    /// The plan of an entry, if its ship is on the sheet.
    pub(in crate::game) fn plan(&self, ships: &[VesselId], entry: &Entry) -> Option<Plan> {
        let vessel = ships.iter().copied().find(|ship| self.game.battle.member(*ship).id == entry.ship)?;
        Some(Plan { vessel, speed: entry.speed, legs: entry.orders.clone(), smoke: entry.smoke })
    }
}

impl Decision for Orders<'_> {
    type Value = Vec<Entry>;

    fn seat(&self) -> Seat {
        self.game.battle.squad(self.squadron).side.into()
    }

    fn check(&self, value: &Vec<Entry>) -> Result<(), Refusal> {
        let ships = self.ships();
        let mut paper: Vec<(VesselId, Point)> = Vec::with_capacity(value.len());
        let mut reasons = Vec::new();
        for entry in value {
            let Some(plan) = self.plan(&ships, entry) else {
                let shown: String = entry.ship.as_str().chars().take(60).collect();
                let names: Vec<&str> = ships.iter().map(|ship| self.game.battle.member(*ship).id.as_str()).collect();
                reasons.push(
                    Refusal::new("not-on-sheet", format!("'{shown}' gets no orders here."))
                        .by(rule::C_36)
                        .remedy(format!("Orders are for: {}.", names.join(", "))),
                );
                continue;
            };
            let name = &self.game.battle.member(plan.vessel).name;
            if paper.iter().any(|(moved, _)| *moved == plan.vessel) {
                reasons.push(Refusal::new("ordered-twice", format!("{name} has two orders.")).by(rule::C_36));
                continue;
            }
            match self.game.lawful(self.sea, &paper, &plan) {
                Ok(()) => paper.push((plan.vessel, self.game.end(self.sea, &plan).at.point())),
                Err(refusal) => {
                    reasons.push(refusal);
                    paper.push((plan.vessel, self.game.point(self.sea, plan.vessel)));
                }
            }
        }
        Refusal::all(reasons)
    }
}
