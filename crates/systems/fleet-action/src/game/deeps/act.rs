//! Sonar and depth charges. [9.2, C-30, C-52]

use crate::game::FleetGame;
use crate::game::actions::Shown;
use crate::game::battle::Hull;
use crate::game::id::Id;
use crate::game::state::{Level, Sea, SquadronId, VesselId};
use crate::mines_and_submarines::{DEPTH_CHARGE_LOSS, DepthCharging, Search, Submarine};
use crate::rule;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D10, Effect, Modifier, Note, Refusal, Viewer};
use serde::{Deserialize, Serialize};

/// The reach of depth charges.
pub(in crate::game) const CHARGES_MM: i32 = 50;
/// The best sonar there is.
const BEST_SONAR: i32 = 2;

/// What a ship does against submarines.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    Search(Id),
    /// Depth charges on a submarine that has been detected.
    DepthCharge(Charges),
}

/// A pattern of depth charges.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charges {
    pub ship: Id,
    pub target: Id,
}

impl Act {
    fn ship(&self) -> &Id {
        match self {
            Act::Search(ship) => ship,
            Act::DepthCharge(charges) => &charges.ship,
        }
    }

    /// The pieces that it is about, the one that acts first.
    pub(in crate::game) fn pieces(&self) -> Vec<String> {
        match self {
            Act::Search(ship) => vec![ship.to_string()],
            Act::DepthCharge(charges) => vec![charges.ship.to_string(), charges.target.to_string()],
        }
    }
}

/// How deep a submarine under water is.
pub(in crate::game) fn depth(level: Level) -> Option<Depth> {
    match level {
        Level::Surfaced => None,
        Level::Periscope => Some(Depth::Periscope),
        Level::Deep => Some(Depth::Deep),
    }
}

impl FleetGame {
    /// Whether an enemy submarine may still be about, which everybody knows.
    fn submarines_about(&self, sea: &Sea, squadron: SquadronId) -> bool {
        let side = self.battle.squad(squadron).side;
        self.battle.vessels.iter().zip(&sea.vessels).any(|(member, vessel)| {
            member.model.hull == Hull::Submarine && member.side != side && vessel.now.afloat() && !vessel.left
        })
    }

    /// Searches and depth charges that ships of a squadron can make now.
    pub(in crate::game) fn deep_actions(&self, sea: &Sea, squadron: SquadronId) -> Vec<Act> {
        if !self.submarines_about(sea, squadron) {
            return Vec::new();
        }
        let squad = self.battle.squad(squadron);
        let found: Vec<VesselId> = self.detected(sea, squadron).collect();
        let mut acts = Vec::new();
        for ship in &squad.vessels {
            let id = &self.battle.member(*ship).id;
            let charges = found.iter().map(|target| {
                Act::DepthCharge(Charges { ship: id.clone(), target: self.battle.member(*target).id.clone() })
            });
            let all = charges.chain([Act::Search(id.clone())]);
            acts.extend(all.filter(|act| self.check_deep(sea, squadron, act).is_ok()));
        }
        acts
    }

    /// The enemy submarines under water that sonar has found; one that her torpedoes have shown must still be found.
    fn detected<'a>(&'a self, sea: &'a Sea, squadron: SquadronId) -> impl Iterator<Item = VesselId> + 'a {
        let side = self.battle.squad(squadron).side;
        sea.all()
            .filter(move |(id, vessel)| {
                let below = vessel.in_play() && vessel.level != Level::Surfaced;
                self.battle.member(*id).side != side && below && vessel.detected
            })
            .map(|(id, _)| id)
    }

    /// Whether a search or an attack is legal now.
    pub(in crate::game) fn check_deep(&self, sea: &Sea, squadron: SquadronId, act: &Act) -> Result<(), Refusal> {
        let ship = self.own_vessel(squadron, act.ship())?;
        self.fit(sea, ship)?;
        let (name, vessel) = (&self.battle.member(ship).name, sea.vessel(ship));
        let refuse = |code: &'static str, text: String| Err(Refusal::new(code, text).by(rule::C_30));
        if vessel.now.asw < 1 {
            return refuse("no-asw", format!("{name} has no sonar and no depth charges."));
        }
        if sea.squadron(squadron).surprised {
            return Err(Refusal::new("surprised", format!("{name} is surprised and can only spot.")).by(rule::C_2));
        }
        match act {
            Act::Search(_) if !self.submarines_about(sea, squadron) => {
                refuse("no-submarines", "There is no enemy submarine to search for.".to_owned())
            }
            Act::Search(_) if vessel.ledger.searched => {
                Err(Refusal::new("already-searched", format!("{name} searches once a turn.")).by(rule::C_52))
            }
            Act::Search(_) => Ok(()),
            Act::DepthCharge(_) if vessel.ledger.depth_charged => {
                refuse("already-fired", format!("{name} has dropped her depth charges this turn."))
            }
            Act::DepthCharge(charges) => {
                let known = self.detected(sea, squadron).find(|id| self.battle.member(*id).id == charges.target);
                let Some(target) = known else {
                    let shown: String = charges.target.as_str().chars().take(60).collect();
                    return refuse("not-detected", format!("'{shown}' is not a submarine that has been detected."));
                };
                if self.range(sea, ship, target) > CHARGES_MM {
                    let text = format!("{name} must be within {CHARGES_MM} mm of {}.", self.battle.member(target).name);
                    return refuse("out-of-range", text);
                }
                Ok(())
            }
        }
    }

    /// Uses up on paper what an action needs.
    pub(in crate::game) fn plan_deep(&self, sea: &mut Sea, squadron: SquadronId, act: &Act) {
        let Ok(ship) = self.own_vessel(squadron, act.ship()) else { return };
        let ledger = &mut sea.vessel_mut(ship).ledger;
        match act {
            Act::Search(_) => ledger.searched = true,
            Act::DepthCharge(_) => ledger.depth_charged = true,
        }
    }

    /// An action as a fire plan shows it.
    pub(in crate::game) fn show_deep(&self, sea: &Sea, squadron: SquadronId, act: &Act) -> Shown {
        let ship = self.own_vessel(squadron, act.ship()).ok();
        let name = ship.map_or_else(|| act.ship().to_string(), |ship| self.battle.member(ship).name.clone());
        let (kind, label) = match act {
            Act::Search(_) => ("sonar", "Search with sonar".to_owned()),
            Act::DepthCharge(charges) => {
                let target = self.battle.find(charges.target.as_str());
                let target = target.map_or("", |id| self.battle.member(id).name.as_str());
                ("charges", format!("Depth charges on {target}"))
            }
        };
        let worth = ship.map_or(0, |ship| self.deep_worth(sea, ship, act));
        Shown { item: format!("{}.{kind}", act.ship()), name, label, worth }
    }

    pub(in crate::game) fn do_deep(
        &self,
        sea: &mut Sea,
        squadron: SquadronId,
        act: &Act,
        ask: &mut impl Ask,
    ) -> Asked<()> {
        if self.check_deep(sea, squadron, act).is_err() {
            return Ok(());
        }
        let Ok(ship) = self.own_vessel(squadron, act.ship()) else { return Ok(()) };
        match act {
            Act::Search(_) => self.search(sea, ship, ask),
            Act::DepthCharge(charges) => match self.battle.find(charges.target.as_str()) {
                Some(target) => self.depth_charge(sea, ship, target, ask),
                None => Ok(()),
            },
        }
    }

    /// How fast a hunter goes, for her sonar.
    fn hunter_speed(&self, speed: i32) -> HunterSpeed {
        match speed {
            _ if speed <= self.battle.rules.movement.slow_limit_kn => HunterSpeed::Slow,
            ..=20 => HunterSpeed::Normal,
            _ => HunterSpeed::Fast,
        }
    }

    /// A search as the rules see it, for a submarine at a range.
    pub(in crate::game) fn sonar(&self, sea: &Sea, ship: VesselId, range_mm: i32, depth: Depth, fired: bool) -> Search {
        let vessel = sea.vessel(ship);
        Search {
            range_mm,
            crew_quality: self.crew_quality(sea, ship),
            sonar: vessel.now.asw.min(BEST_SONAR),
            hunter_speed: self.hunter_speed(vessel.speed),
            depth,
            fired_this_turn: fired,
        }
    }

    /// A search: the die is always rolled and tells by itself nothing of what is below. [C-52]
    fn search(&self, sea: &mut Sea, ship: VesselId, ask: &mut impl Ask) -> Asked<()> {
        let (side, reach) = (self.battle.member(ship).side, self.battle.rules.reach.sonar);
        let below = sea.all().filter(|(id, vessel)| {
            self.battle.member(*id).side != side && vessel.in_play() && vessel.level != Level::Surfaced
        });
        let near = below.map(|(id, _)| (self.range(sea, ship, id), id)).filter(|(range, _)| *range <= reach).min();
        let needed = self.battle.rules.needs.test_pass_d10;
        let own = self.sonar(sea, ship, reach, Depth::Periscope, false).modifiers();
        let met = near.and_then(|(range, id)| {
            let vessel = sea.vessel(id);
            let search = self.sonar(sea, ship, range, depth(vessel.level)?, vessel.ledger.launched);
            Some((search.modifiers(), range, id))
        });
        let total = met.as_ref().map(|(modifiers, ..)| modifiers.total());
        let name = &self.battle.member(ship).name;
        let what = format_args!("{name}: sonar search");
        let roll = ask.roll_as(D10, what, |face| total.is_some_and(|total| i32::from(face) + total >= needed))?;
        sea.vessel_mut(ship).ledger.searched = true;
        if let (true, Some((_, found))) = (roll.read, near) {
            let found = sea.vessel_mut(found);
            (found.seen, found.detected) = (true, true);
        }
        ask.note(|| {
            let face = roll.face.unwrap_or(0);
            let word = if roll.read { "contact" } else { "nothing" };
            let note = Note::new("sonar", format!("{name} searches with sonar: d10 {face}: {word}"))
                .by(&[rule::C_30, rule::C_52])
                .dice(&[face])
                .outcome(word)
                .pieces([&self.battle.member(ship).id]);
            own.named().into_iter().fold(note, |note, modifier| {
                note.modifier(Modifier::new(modifier.name, modifier.value.into(), rule::C_30))
            })
        });
        // The rest of the proof would tell where the boat is, so it is read when the battle is over.
        ask.note(|| {
            let face = roll.face.unwrap_or(0);
            let proof = |text: String| {
                let pieces = [&self.battle.member(ship).id];
                let note = Note::new("sonar-proof", text).by(&[rule::C_52, rule::C_30]).dice(&[face]).pieces(pieces);
                note.detail().only(Viewer::Everything)
            };
            let Some((modifiers, range, id)) = &met else {
                return proof(format!("No submarine was within {reach} mm of {name}"));
            };
            let boat = &self.battle.member(*id).name;
            let sum = i32::from(face) + modifiers.total();
            let text =
                format!("{boat} was {range} mm from {name}: d10 {face} with modifiers {sum}, {needed} finds her");
            modifiers.named().into_iter().fold(proof(text), |note, modifier| {
                note.modifier(Modifier::new(modifier.name, modifier.value.into(), rule::C_30))
            })
        });
        Ok(())
    }

    /// A pattern of depth charges as the rules see it.
    pub(in crate::game) fn charging(&self, sea: &Sea, ship: VesselId, target: VesselId) -> Option<DepthCharging> {
        let (vessel, submarine) = (sea.vessel(ship), sea.vessel(target));
        Some(DepthCharging {
            asw: vessel.now.asw,
            depth: depth(submarine.level)?,
            crew_quality: self.crew_quality(sea, ship),
            splash: vessel.now.splash,
            submarine: Submarine {
                f: submarine.now.f,
                f_max: Some(self.battle.model(target).sheet.f_max),
                crew_quality: self.crew_quality(sea, target),
            },
        })
    }

    fn depth_charge(&self, sea: &mut Sea, ship: VesselId, target: VesselId, ask: &mut impl Ask) -> Asked<()> {
        let Some(charging) = self.charging(sea, ship, target) else { return Ok(()) };
        let (hunter, prey) = (self.battle.member(ship), self.battle.member(target));
        ask.note(|| {
            Note::new("depth-charges", format!("{} drops depth charges on {}", hunter.name, prey.name))
                .by(&[rule::C_30])
                .pieces([&hunter.id])
                .on([&prey.id])
        });
        let dropped = charging.salvo(&self.battle.rules).fire(ask)?;
        sea.vessel_mut(ship).ledger.depth_charged = true;
        let submarine = sea.vessel_mut(target);
        submarine.now.f = (submarine.now.f - DEPTH_CHARGE_LOSS * dropped.failed).max(0);
        submarine.now.s = submarine.now.s.min(submarine.now.f);
        let left = submarine.now.f;
        if left == 0 {
            self.remove(sea, target, Status::Sunk);
            ask.note(|| {
                Note::new("lost", format!("{} is sunk", prey.name))
                    .by(&[rule::C_30])
                    .pieces([&prey.id])
                    .outcome("sunk")
                    .effect(Effect::Lost)
            });
        } else if dropped.failed > 0 && self.crippled_below(sea, target) {
            let submarine = sea.vessel_mut(target);
            (submarine.level, submarine.seen) = (Level::Surfaced, true);
            ask.note(|| {
                Note::new("forced-up", format!("{} is forced to the surface", prey.name))
                    .by(&[rule::C_30])
                    .pieces([&prey.id])
                    .effect(Effect::Hit)
            });
            self.untangle(sea, target);
        }
        Ok(())
    }

    /// Whether a submarine has lost so much that she cannot stay under water.
    pub(in crate::game) fn crippled_below(&self, sea: &Sea, id: VesselId) -> bool {
        3 * sea.vessel(id).now.f <= self.battle.model(id).sheet.f_max
    }

    /// A submarine that comes up under other bases ignores them until they are clear, as after a collision. [C-41]
    pub(in crate::game) fn untangle(&self, sea: &mut Sea, id: VesselId) {
        let room = |a: VesselId, b: VesselId| {
            let radius = |id: VesselId| i64::from(crate::geometry::base_radius(self.battle.model(id).size()));
            radius(a) + radius(b)
        };
        let at = self.point(sea, id);
        let others: Vec<VesselId> = sea
            .all()
            .filter(|(other, vessel)| {
                *other != id && vessel.in_the_way() && vessel.at.at.point().dist2(at) < room(id, *other).pow(2)
            })
            .map(|(other, _)| other)
            .collect();
        for other in others {
            sea.vessel_mut(id).entangled |= 1 << other.0;
            sea.vessel_mut(other).entangled |= 1 << id.0;
        }
    }
}
