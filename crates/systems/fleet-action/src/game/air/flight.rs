//! The flight sheet of an air squadron: where its stands go and what they will do. [6.5, C-14, C-53]

use crate::game::FleetGame;
use crate::game::id::Id;
use crate::game::moving::orders::EDGE;
use crate::game::state::{Aloft, Level, Mission, Sea, SquadronId, StandId, VesselId};
use crate::geometry::{Heading, Place, Position};
use crate::rule;
use crate::torpedo;
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Decision, Note, Refusal, Rule, Seat, Side};
use serde::{Deserialize, Serialize};

/// How far from every enemy ship aircraft enter. [C-53]
pub(in crate::game) const ARRIVAL_MM: i64 = 1500;
/// By how much they are moved out until that is so.
const ARRIVAL_STEP_MM: i64 = 10;

/// What a stand is to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// Bombs, torpedoes or rockets at a ship.
    Attack(Id),
    /// Guns at a ship.
    Strafe(Id),
    Intercept(Id),
    Escort(Id),
    Patrol,
    /// Goes home for good.
    Leave,
}

/// Where a stand enters: from a ship, on a bearing. [C-53]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrival {
    pub ship: Id,
    pub bearing: i32,
}

/// The orders of one stand.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlightEntry {
    pub stand: Id,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrival: Option<Arrival>,
    /// Where it flies; it stays where it is if this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Point>,
    #[serde(default, rename = "do", skip_serializing_if = "Option::is_none")]
    pub doing: Option<Doing>,
    /// Drops its load first, so that fighter-bombers fight as fighters. [9.15]
    #[serde(default, skip_serializing_if = "is_false")]
    pub jettison: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// An entry that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct FlightPlan {
    pub stand: StandId,
    pub to: Point,
    pub mission: Mission,
    pub leaves: bool,
    pub jettison: bool,
}

/// Where do the stands of a squadron fly, and what will they do?
pub(in crate::game) struct FlightSheet<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub squadron: SquadronId,
}

impl FleetGame {
    /// Where a stand enters that comes from a bearing of a ship. [C-53]
    pub(in crate::game) fn arrival(&self, sea: &Sea, side: Side, named: VesselId, heading: Heading) -> Point {
        let from = Position { at: sea.vessel(named).at.at, heading };
        let mut mm = ARRIVAL_MM;
        loop {
            let at = from.ahead(mm).at.point();
            let clear = self.enemies(sea, side).all(|enemy| {
                let ship = sea.vessel(enemy).at.at.point();
                // The named ship is far enough away by the way the place was found, rounding aside.
                enemy == named || ship.dist2(at) >= ARRIVAL_MM * ARRIVAL_MM
            });
            if clear || mm > 2 * EDGE {
                return at;
            }
            mm += ARRIVAL_STEP_MM;
        }
    }

    /// Carries out one entry.
    pub(super) fn fly(&self, sea: &mut Sea, plan: &FlightPlan, ask: &mut impl Ask) {
        let flight = self.battle.flight(plan.stand);
        let arrives = sea.stand(plan.stand).aloft == Aloft::Awaited;
        let stand = sea.stand_mut(plan.stand);
        stand.at = Place { x: plan.to.x, y: plan.to.y };
        stand.mission = plan.mission;
        stand.aloft = if plan.leaves { Aloft::Leaving } else { Aloft::Airborne };
        if plan.jettison || plan.leaves {
            stand.loaded = false;
        }
        ask.note(|| {
            let member = |id: VesselId| &self.battle.member(id).name;
            let other = |id: StandId| &self.battle.flight(id).name;
            let what = match plan.mission {
                _ if plan.leaves => "goes home".to_owned(),
                Mission::None if arrives => "arrives".to_owned(),
                Mission::None => "flies on".to_owned(),
                Mission::Attack(id) => format!("attacks {}", member(id)),
                Mission::Strafe(id) => format!("strafes {}", member(id)),
                Mission::Intercept(id) => format!("intercepts {}", other(id)),
                Mission::Escort(id) => format!("escorts {}", other(id)),
                Mission::Patrol => "flies a patrol".to_owned(),
            };
            let dropped = if plan.jettison { " and drops its load" } else { "" };
            let rules: &[Rule] = if arrives { &[rule::S6_5, rule::C_53] } else { &[rule::S6_5, rule::C_14] };
            Note::new("flight", format!("{} {what}{dropped}", flight.name)).by(rules).pieces([&flight.id])
        });
    }
}

fn shown(id: &Id) -> String {
    id.as_str().chars().take(60).collect()
}

impl<'a> FlightSheet<'a> {
    /// The stands on the sheet, in the order of the list.
    pub(in crate::game) fn stands(&self) -> impl Iterator<Item = StandId> + use<'a> {
        let (game, sea) = (self.game, self.sea);
        game.battle.squad(self.squadron).stands.iter().copied().filter(|id| game.can_fly(sea, *id))
    }

    fn refuse<T>(&self, code: &'static str, text: String, rule: Rule) -> Result<T, Refusal> {
        Err(Refusal::new(code, text).by(rule))
    }

    fn stand(&self, entry: &FlightEntry) -> Result<StandId, Refusal> {
        let known = self.stands().find(|id| self.game.battle.flight(*id).id == entry.stand);
        known.ok_or_else(|| {
            let names: Vec<&str> = self.stands().map(|id| self.game.battle.flight(id).id.as_str()).collect();
            Refusal::new("not-on-sheet", format!("'{}' does not fly now.", shown(&entry.stand)))
                .by(rule::S6_5)
                .remedy(format!("The stands that fly are: {}.", names.join(", ")))
        })
    }

    /// Where a stand begins: where it is, or where it enters.
    fn begins(&self, id: StandId, entry: &FlightEntry) -> Result<Point, Refusal> {
        let (game, sea) = (self.game, self.sea);
        let name = &game.battle.flight(id).name;
        match (&entry.arrival, game.arrives(sea, id)) {
            (None, false) => Ok(game.stand_point(sea, id)),
            (Some(_), false) => {
                self.refuse("not-arriving", format!("{name} is already in the air; it does not arrive."), rule::C_53)
            }
            (None, true) => {
                let text = format!("{name} arrives: name an enemy ship and a bearing.");
                self.refuse("missing-arrival", text, rule::C_53)
            }
            (Some(arrival), true) => {
                let side = game.battle.flight(id).side;
                let Some(ship) = game.enemies(sea, side).find(|ship| game.battle.member(*ship).id == arrival.ship)
                else {
                    let text = format!("{name}: '{}' is not an enemy ship in sight.", shown(&arrival.ship));
                    return self.refuse("not-visible", text, rule::C_53);
                };
                let Some(heading) = Heading::new(&game.battle.rules, arrival.bearing) else {
                    let text =
                        format!("{name}: {} is not a bearing; use a multiple of 15 from 0 to 345.", arrival.bearing);
                    return self.refuse("out-of-range", text, rule::C_53);
                };
                Ok(game.arrival(sea, side, ship, heading))
            }
        }
    }

    /// How far a stand flies in a turn.
    pub(in crate::game) fn reach(&self, id: StandId) -> i64 {
        i64::from(self.game.battle.flight(id).aircraft.ratings.move_cm) * 10
    }

    /// Where an entry ends, if it can.
    fn ends(&self, id: StandId, entry: &FlightEntry) -> Result<Point, Refusal> {
        let begins = self.begins(id, entry)?;
        let Some(to) = entry.to else { return Ok(begins) };
        let name = &self.game.battle.flight(id).name;
        if to.x.abs() > EDGE || to.y.abs() > EDGE {
            return self.refuse("out-of-range", format!("{name} would leave the chart."), rule::C_43);
        }
        let (far, reach) = (begins.ceil_dist(to), self.reach(id));
        if far > reach {
            let text = format!("{name} would fly {far} mm; it flies {reach} mm in a turn.");
            return self.refuse("too-far", text, rule::C_14);
        }
        Ok(to)
    }

    /// The enemy vessel that an attack names, if the stand is in contact with it.
    fn target(&self, id: StandId, named: &Id, to: Point) -> Result<VesselId, Refusal> {
        let (game, sea) = (self.game, self.sea);
        let flight = game.battle.flight(id);
        let mut enemies = game.enemies(sea, flight.side).filter(|ship| sea.vessel(*ship).level == Level::Surfaced);
        let Some(target) = enemies.find(|ship| game.battle.member(*ship).id == *named) else {
            let text = format!("{}: '{}' is not an enemy ship in sight.", flight.name, shown(named));
            return self.refuse("not-visible", text, rule::S6_5);
        };
        if !game.contact(to, game.point(sea, target)) {
            let (name, reach) = (&game.battle.member(target).name, game.battle.rules.reach.aircraft_contact);
            let text = format!("{} must end within {reach} mm of {name} to attack her.", flight.name);
            return self.refuse("not-in-contact", text, rule::C_14);
        }
        Ok(target)
    }

    /// Whether a stand has what an attack needs.
    fn attack(&self, id: StandId, target: VesselId) -> Result<Mission, Refusal> {
        let (game, sea) = (self.game, self.sea);
        let flight = game.battle.flight(id);
        let Some(attack) = flight.attack.filter(|_| sea.stand(id).loaded && flight.ordnance.is_some()) else {
            let text = format!("{} has no load to attack with.", flight.name);
            return self.refuse("wrong-load", text, rule::S9_11);
        };
        if attack == AttackType::TorpedoBomber {
            let model = game.battle.model(target);
            torpedo::check_size(model.size())?;
            if model.sheet.is_air_base() {
                let text = "Torpedoes cannot be dropped at a land target.".to_owned();
                return self.refuse("not-a-torpedo-target", text, rule::S9_11);
            }
        }
        Ok(Mission::Attack(target))
    }

    /// Another stand within contact of where this one ends.
    fn near(&self, id: StandId, named: &Id, to: Point, ends: &[(StandId, Point)]) -> Result<StandId, Refusal> {
        let (game, sea) = (self.game, self.sea);
        let name = &game.battle.flight(id).name;
        let Some(other) = game.battle.find_stand(named.as_str()).filter(|other| *other != id) else {
            return self.refuse("unknown-stand", format!("{name}: there is no stand '{}'.", shown(named)), rule::S6_5);
        };
        let planned = ends.iter().find(|(stand, _)| *stand == other).map(|(_, at)| *at);
        let flies = planned.is_some() || sea.stand(other).flies();
        let at = planned.unwrap_or_else(|| game.stand_point(sea, other));
        if !flies || !game.contact(to, at) {
            let reach = game.battle.rules.reach.aircraft_contact;
            let text = format!("{name} must end within {reach} mm of {}.", game.battle.flight(other).name);
            return self.refuse("not-in-contact", text, rule::C_14);
        }
        Ok(other)
    }

    fn mission(
        &self,
        id: StandId,
        entry: &FlightEntry,
        to: Point,
        ends: &[(StandId, Point)],
    ) -> Result<Mission, Refusal> {
        let (game, sea) = (self.game, self.sea);
        let flight = game.battle.flight(id);
        let mut fighters = game.fighters(sea, id);
        if entry.jettison && fighters.role == Role::LoadedFighterBomber {
            fighters.role = Role::EmptyFighterBomber;
        }
        let able = |encounter: Encounter| {
            if fighters.factor(encounter) > 0 {
                return Ok(());
            }
            let text = format!("{} has no factor for this {encounter} as a {}.", flight.name, fighters.role);
            let drop = fighters.role == Role::LoadedFighterBomber;
            let refusal = Refusal::new("no-air-combat-factor", text).by(rule::S9_15);
            Err(if drop { refusal.remedy("Let it drop its load first.") } else { refusal })
        };
        match &entry.doing {
            None | Some(Doing::Leave) => Ok(Mission::None),
            Some(Doing::Attack(ship)) if entry.jettison => {
                let text = format!("{} cannot attack '{}' without its load.", flight.name, shown(ship));
                self.refuse("wrong-load", text, rule::S9_11)
            }
            Some(Doing::Attack(ship)) => self.attack(id, self.target(id, ship, to)?),
            Some(Doing::Strafe(ship)) => {
                let target = self.target(id, ship, to)?;
                match game.gun_attack(sea, id, target) {
                    Some(_) => Ok(Mission::Strafe(target)),
                    None => {
                        let text =
                            format!("The guns of {} cannot hurt {}.", flight.name, game.battle.member(target).name);
                        self.refuse("not-a-target", text, rule::R_13)
                    }
                }
            }
            Some(Doing::Intercept(other)) => {
                able(Encounter::Intercept)?;
                let other = self.near(id, other, to, &[])?;
                if game.battle.flight(other).side == flight.side {
                    let text = format!("{} is not an enemy.", game.battle.flight(other).name);
                    return self.refuse("not-a-target", text, rule::S6_5);
                }
                Ok(Mission::Intercept(other))
            }
            Some(Doing::Escort(other)) => {
                able(Encounter::Dogfight)?;
                let other = self.near(id, other, to, ends)?;
                if game.battle.flight(other).side != flight.side {
                    let text = format!("{} is an enemy.", game.battle.flight(other).name);
                    return self.refuse("not-a-target", text, rule::S6_5);
                }
                Ok(Mission::Escort(other))
            }
            Some(Doing::Patrol) => {
                able(Encounter::Intercept)?;
                Ok(Mission::Patrol)
            }
        }
    }

    /// Reads a sheet: all plans, or all that is wrong with it.
    pub(in crate::game) fn read(&self, entries: &[FlightEntry]) -> Result<Vec<FlightPlan>, Refusal> {
        let mut reasons = Vec::new();
        let mut ends: Vec<(StandId, Point)> = Vec::with_capacity(entries.len());
        for entry in entries {
            match self.stand(entry).and_then(|id| Ok((id, self.ends(id, entry)?))) {
                Ok((id, _)) if ends.iter().any(|(other, _)| *other == id) => {
                    let text = format!("{} is on the sheet twice.", self.game.battle.flight(id).name);
                    reasons.push(Refusal::new("named-twice", text).by(rule::S6_5));
                }
                Ok(end) => ends.push(end),
                Err(refusal) => reasons.push(refusal),
            }
        }
        if !reasons.is_empty() {
            return Err(Refusal::all(reasons)
                .err()
                .unwrap_or_else(|| Refusal::new("bad-sheet", "The sheet is wrong.")));
        }
        for id in self.stands().filter(|id| self.game.arrives(self.sea, *id)) {
            if !ends.iter().any(|(other, _)| *other == id) {
                let name = &self.game.battle.flight(id).name;
                let text = format!("{name} arrives this turn and must be on the sheet.");
                reasons.push(Refusal::new("missing-arrival", text).by(rule::C_53));
            }
        }
        let mut plans = Vec::with_capacity(entries.len());
        for (entry, (id, to)) in entries.iter().zip(&ends) {
            let jettison = entry.jettison && self.sea.stand(*id).loaded;
            let leaves = entry.doing == Some(Doing::Leave);
            match self.mission(*id, entry, *to, &ends) {
                Ok(mission) => plans.push(FlightPlan { stand: *id, to: *to, mission, leaves, jettison }),
                Err(refusal) => reasons.push(refusal),
            }
        }
        Refusal::all(reasons).map(|()| plans)
    }

    /// Whether an entry is legal by itself.
    pub(in crate::game) fn legal(&self, entry: &FlightEntry) -> Result<(), Refusal> {
        let id = self.stand(entry)?;
        let to = self.ends(id, entry)?;
        self.mission(id, entry, to, &[]).map(drop)
    }

    /// The plans of a sheet that has been checked.
    pub(in crate::game) fn plans(&self, entries: &[FlightEntry]) -> Vec<FlightPlan> {
        self.read(entries).unwrap_or_default()
    }
}

impl Decision for FlightSheet<'_> {
    type Value = Vec<FlightEntry>;

    fn seat(&self) -> Seat {
        self.game.battle.squad(self.squadron).side.into()
    }

    fn check(&self, value: &Vec<FlightEntry>) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}
