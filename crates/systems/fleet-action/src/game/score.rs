//! Points, bonuses, the verdict, and what a position is worth. [C-24, C-49, C-50, section 15]

use super::FleetGame;
use super::battle::{Hull, Member, side};
use super::state::{Level, Mood, Phase, Sea, State, Vessel, VesselId};
use crate::data::{Bonus, Terms, Those};
use crate::ship::is_lost;
use flagplot_kernel::{Outcome, Side, Standing};
use serde_json::json;

/// Points for each point of cargo destroyed. [C-24]
const CARGO: i32 = 3;
/// Aircraft lost for a point. [C-24]
const AIRCRAFT: i32 = 4;
/// A point, as the worth of positions counts.
const POINT: i64 = 1000;

/// Where the points of a side come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Points {
    pub ships: i32,
    pub cargo: i32,
    pub aircraft: i32,
    pub bonuses: i32,
    /// The bonuses that were earned, in words.
    pub earned: Vec<String>,
}

impl Points {
    pub fn total(&self) -> i32 {
        self.ships + self.cargo + self.aircraft + self.bonuses
    }
}

impl FleetGame {
    /// The points of a side as things stand. [C-24]
    pub(super) fn points(&self, sea: &Sea, of: Side) -> Points {
        let mut points = Points::default();
        let only_lost = self.battle.scenario.only_lost_scores.iter().any(|name| side(*name) != of);
        for (id, vessel) in sea.all() {
            let member = self.battle.member(id);
            if member.side != of {
                points.ships += self.ship_points(member, vessel, only_lost);
                points.cargo += cargo_points(member, vessel);
            }
        }
        let lost: i32 = self.aircraft_lost(sea, of.other());
        points.aircraft = lost / AIRCRAFT;
        for bonus in self.battle.scenario.bonus.iter().filter(|bonus| side(bonus.side) == of) {
            let earned = self.bonus(sea, bonus);
            if earned != 0 {
                points.bonuses += earned;
                points.earned.push(bonus.when.clone());
            }
        }
        points
    }

    /// A ship lost counts in full, one that is gutted half. [C-24]
    fn ship_points(&self, member: &Member, vessel: &Vessel, only_lost: bool) -> i32 {
        let vp = member.model.vp;
        if !vessel.now.afloat() {
            return vp;
        }
        if only_lost || vessel.left || !gutted(member, vessel) { 0 } else { (vp + 1) / 2 }
    }

    pub(super) fn aircraft_lost(&self, sea: &Sea, of: Side) -> i32 {
        let stands = sea.all_stands().filter(|(id, _)| self.battle.flight(*id).side == of);
        stands.map(|(id, stand)| self.battle.flight(id).placed.count - stand.aircraft).sum()
    }

    /// What a bonus gives as things stand. [C-50]
    pub(super) fn bonus(&self, sea: &Sea, bonus: &Bonus) -> i32 {
        let fulfils = |id: VesselId| self.fulfils(sea, bonus, id);
        let count = |those: &Those| self.those(those).into_iter().filter(|id| fulfils(*id)).count() as i32;
        let boats = |model: &str, left: bool| -> i32 {
            let stands = self
                .battle
                .vessels
                .iter()
                .enumerate()
                .filter(|(_, member)| member.model.hull == Hull::Boats && member.model.id == model)
                // A side scores its own that got through and the enemy's that did not.
                .filter(|(_, member)| (member.side == side(bonus.side)) == left);
            stands
                .map(|(at, member)| {
                    let now = sea.vessel(VesselId(at as u8));
                    if !left {
                        member.vessels - now.vessels
                    } else if now.left {
                        now.vessels
                    } else {
                        0
                    }
                })
                .sum()
        };
        let times = if let Some(ship) = &bonus.ship {
            i32::from(self.battle.find(ship).is_some_and(fulfils))
        } else if let Some(those) = &bonus.count_of {
            i32::from(count(those) >= those.at_least.unwrap_or(1))
        } else if let Some(those) = &bonus.each_of {
            count(those)
        } else if let Some(name) = bonus.each_aircraft_lost_of {
            self.aircraft_lost(sea, side(name))
        } else if let Some(model) = &bonus.each_vessel_left_of {
            boats(model, true)
        } else if let Some(model) = &bonus.each_vessel_lost_of {
            boats(model, false)
        } else {
            0
        };
        times * bonus.points
    }

    fn those(&self, those: &Those) -> Vec<VesselId> {
        let fits = |member: &Member| {
            member.side == side(those.side)
                && member.model.hull == Hull::Ship
                && those.kind.is_none_or(|kind| member.model.sheet.kind == kind)
                && those.size_at_least.is_none_or(|size| member.model.size() >= size)
        };
        let ships = self.battle.vessels.iter().enumerate().filter(|(_, member)| fits(member));
        ships.map(|(at, _)| VesselId(at as u8)).collect()
    }

    /// Whether a ship fulfils the conditions of a bonus.
    fn fulfils(&self, sea: &Sea, bonus: &Bonus, id: VesselId) -> bool {
        let afloat = sea.vessel(id).now.afloat();
        bonus.afloat.is_none_or(|wanted| wanted == afloat)
            && (bonus.any.is_empty() || bonus.any.iter().any(|terms| self.meets(sea, terms, id)))
    }

    fn meets(&self, sea: &Sea, terms: &Terms, id: VesselId) -> bool {
        let (vessel, sheet) = (sea.vessel(id), &self.battle.model(id).sheet);
        let now = &vessel.now;
        let at_most = |value: i32, most: i32, [part, whole]: [i32; 2]| {
            i64::from(value) * i64::from(whole) <= i64::from(most) * i64::from(part)
        };
        terms.speed_below.is_none_or(|knots| now.speed < knots)
            && terms.speed_at_least.is_none_or(|knots| now.speed >= knots)
            && terms.structure_at_most.is_none_or(|share| at_most(now.s, sheet.s_max, share))
            && terms.structure_above.is_none_or(|share| !at_most(now.s, sheet.s_max, share))
            && terms.flotation_at_most.is_none_or(|share| at_most(now.f, sheet.f_max, share))
            && terms.handling_at_most.is_none_or(|h| now.h <= h)
            && terms.clear_mm.is_none_or(|mm| now.afloat() && self.clear_of_enemies(sea, id, mm))
            && terms.left.is_none_or(|left| vessel.left == left)
            && terms.lost.is_none_or(|lost| now.afloat() != lost)
            && terms.cargo_kept.is_none_or(|kept| (sheet.cargo.is_some() && !now.cargo_destroyed) == kept)
    }

    /// How the battle ended. [C-49]
    pub(super) fn verdict(&self, sea: &Sea) -> Outcome {
        let [a, b] = Side::BOTH.map(|of| self.points(sea, of));
        let scenario = &self.battle.scenario;
        let margin = a.total() - b.total() - scenario.par;
        let winner = match margin {
            _ if margin.abs() < scenario.margin => None,
            1.. => Some(Side::First),
            _ => Some(Side::Second),
        };
        let decisive = margin.abs() >= scenario.decisive;
        let (level, words) = match (winner, decisive) {
            (None, _) => ("draw", "A draw".to_owned()),
            (Some(side), true) => ("decisive", format!("Decisive victory for {}", self.battle.side_name(side))),
            (Some(side), false) => ("victory", format!("Victory for {}", self.battle.side_name(side))),
        };
        let par = match scenario.par {
            0 => String::new(),
            par => format!(" (par {par:+})"),
        };
        let summary =
            format!("{words}: {} {} points, {} {}{par}.", scenario.side_a, a.total(), scenario.side_b, b.total());
        let details = |points: &Points| {
            json!({
                "ships": points.ships, "cargo": points.cargo, "aircraft": points.aircraft,
                "bonuses": points.bonuses, "earned": points.earned,
            })
        };
        Outcome {
            winner,
            level: level.into(),
            points: [a.total().into(), b.total().into()],
            summary,
            details: json!({"margin": margin, "par": scenario.par, "a": details(&a), "b": details(&b)}),
        }
    }

    /// How good the position is for a side: the points to be expected relative to par, in thousandths. [section 15]
    pub(super) fn standing(&self, state: &State, of: Side) -> Standing {
        let sea = &state.sea;
        let par = i64::from(self.battle.scenario.par) * POINT;
        let par = if of == Side::First { par } else { -par };
        if state.phase == Phase::Over {
            let points = |side: Side| i64::from(self.points(sea, side).total()) * POINT;
            return points(of) - points(of.other()) - par;
        }
        self.expected(sea, of) - self.expected(sea, of.other()) - par
    }

    /// The points a side can expect: what the enemy's ships have lost of their worth, and bonuses, which count for more
    /// the nearer the end is.
    fn expected(&self, sea: &Sea, of: Side) -> i64 {
        let mut total = i64::from(self.aircraft_lost(sea, of.other())) * POINT / i64::from(AIRCRAFT);
        for (id, vessel) in sea.all() {
            let member = self.battle.member(id);
            if member.side != of {
                total += self.worth_lost(sea, id, member, vessel) + i64::from(cargo_points(member, vessel)) * POINT;
            }
        }
        let turns = i64::from(self.battle.scenario.turns.max(1));
        let gone = i64::from(sea.turn.min(self.battle.scenario.turns));
        for bonus in self.battle.scenario.bonus.iter().filter(|bonus| side(bonus.side) == of) {
            let permanent = bonus.each_aircraft_lost_of.is_some()
                || bonus.each_vessel_left_of.is_some()
                || bonus.each_vessel_lost_of.is_some();
            let share = if permanent { 2 * turns } else { turns + gone };
            total += i64::from(self.bonus(sea, bonus)) * POINT * share / (2 * turns);
        }
        total
    }

    /// What a vessel has lost of her worth, in thousandths of a point.
    fn worth_lost(&self, sea: &Sea, id: VesselId, member: &Member, vessel: &Vessel) -> i64 {
        let sheet = &member.model.sheet;
        let worth = i64::from(member.model.vp) * POINT;
        let now = &vessel.now;
        if !now.afloat() {
            return worth;
        }
        let share = |weight: i64, value: i32, most: i32| {
            if most > 0 { weight * i64::from(value) / i64::from(most) } else { weight }
        };
        let main: i32 = sheet.main.iter().map(|mount| mount.guns).sum();
        let left = sheet.main.iter().enumerate().filter(|(at, _)| !is_lost(now.main_lost, *at));
        let left: i32 = left.map(|(_, mount)| mount.guns).sum();
        let mut kept = share(500, now.f, sheet.f_max) + share(250, now.s, sheet.s_max) + share(250, left, main);
        let fires = now.fires - self.battle.rules.band(now.dc);
        kept -= 50 * i64::from(fires.max(0));
        if !vessel.left && vessel.placed {
            kept -= self.torpedo_danger(sea, id, vessel);
        }
        if vessel.mood == Mood::Broken {
            kept -= 50;
        }
        // A ship that is hurt but gets away scores half at most; the rest is what she may still lose.
        worth * (1000 - kept.clamp(0, 1000)) / 1000
    }

    /// The danger of a ship within reach of loaded tubes, in thousandths of her worth. [17.3]
    fn torpedo_danger(&self, sea: &Sea, id: VesselId, vessel: &Vessel) -> i64 {
        const REACH_MM: i64 = 380;
        const EACH: i64 = 20;
        let side = self.battle.member(id).side;
        let at = vessel.at.at.point();
        let armed = sea.all().filter(|(other, enemy)| {
            self.battle.member(*other).side != side
                && enemy.in_play()
                && enemy.level == Level::Surfaced
                && (enemy.loaded != 0 || enemy.torpedoes > 0)
                && enemy.at.at.point().dist2(at) <= REACH_MM * REACH_MM
        });
        EACH * armed.count() as i64
    }

    /// Whether a vessel that may leave the sea should: a bonus asks for it, she flees, or she is hurt. [17.1]
    pub(super) fn should_leave(&self, sea: &Sea, id: VesselId) -> bool {
        let member = self.battle.member(id);
        let wanted = self.battle.scenario.bonus.iter().filter(|bonus| side(bonus.side) == member.side);
        let named = |bonus: &Bonus| {
            let leaves = bonus.any.iter().any(|terms| terms.left == Some(true));
            let of = bonus.ship.as_ref().is_some_and(|ship| member.id == *ship.as_str())
                || bonus.count_of.as_ref().is_some_and(|those| self.those(those).contains(&id));
            let boats = bonus.each_vessel_left_of.as_ref().is_some_and(|model| member.model.id == *model);
            (leaves && of) || boats
        };
        let bonus = wanted.clone().any(named);
        bonus || gutted(member, sea.vessel(id)) || sea.vessel(id).mood == Mood::Broken
    }
}

/// Without structure, or with flotation at one third or less. [C-24]
fn gutted(member: &Member, vessel: &Vessel) -> bool {
    let sheet = &member.model.sheet;
    let structure = sheet.s_max > 0 && vessel.now.s == 0;
    let flotation = sheet.f_max > 0 && 3 * vessel.now.f <= sheet.f_max;
    member.model.hull != Hull::Boats && (structure || flotation)
}

/// Cargo destroyed, or lost with its ship. [C-24]
fn cargo_points(member: &Member, vessel: &Vessel) -> i32 {
    let gone = vessel.now.cargo_destroyed || !vessel.now.afloat();
    member.model.sheet.cargo.filter(|_| gone).map_or(0, |cargo| CARGO * cargo.points)
}
