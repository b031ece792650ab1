//! The instinct for submarines, sonar and mines. [17.10]

use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::deeps::{Act, DiveEntry, DivePlan, DiveSheet};
use crate::game::moving::torpedoes::{Declaration, Shot};
use crate::game::state::{Aim, AimPoint, Level, Sea, VesselId};
use crate::geometry::arc;
use crate::ship::TorpedoMount;
use crate::torpedo::check_size;
use crate::words::*;
use flagplot_kernel::plane::Point;

/// Inside this of an escort a submarine goes deep. [17.10]
const WARY_MM: i32 = 300;
/// Expected hits in thousandths at which torpedoes are launched, and in the last turns.
const GOOD_SHOT: i64 = 450;
const LATE_SHOT: i64 = 250;
/// The last turns.
const LATE: i32 = 3;
/// How far ahead of her target a submarine wants to be, and from how far she fires.
const AHEAD_MM: i64 = 160;
/// What a search is worth: it costs nothing.
const SEARCH: i64 = 50;
/// What a point of a submarine's flotation is worth.
const FLOTATION: i64 = 1000;
/// An enemy so near astern makes a field worth laying.
const FOLLOWED_MM: i32 = 1000;

impl FleetGame {
    /// The aimed launches that a submarine could make from where she is in `sea`: for each enemy in reach all tubes
    /// that bear, at the setting with the best chance; the best first.
    pub(in crate::game) fn submarine_shots(&self, sheet: &DiveSheet<'_>, sea: &Sea, id: VesselId) -> Vec<Shot> {
        let from = self.point(sea, id);
        let mut shots: Vec<(i64, Shot)> = Vec::new();
        for target in self.enemies(sea, sheet.side) {
            if check_size(self.battle.model(target).size()).is_err()
                || self.permitted(sea, id, target, false).aimed != Leave::Allowed
            {
                continue;
            }
            let at = self.point(sea, target);
            let (band, mounts) = (self.band(self.reach(from, at)), self.tubes_bearing(sea, id, at));
            if mounts == 0 {
                continue;
            }
            let settings = self.settings(id).iter().enumerate().filter(|(_, setting)| setting.max_band >= band);
            let best = settings.max_by_key(|(_, setting)| setting.modifier);
            if let Some((setting, _)) = best {
                let aim = Aim { at: AimPoint::Vessel(target), setting: setting as u8 };
                let shot = Shot { by: id, mounts, mode: Mode::Aimed, aim, leave: Leave::Allowed };
                let worth = self.expected_torpedo_hits(sea, &shot) * i64::from(self.battle.model(target).vp);
                shots.push((worth, shot));
            }
        }
        shots.sort_by_key(|(worth, _)| -worth);
        shots.into_iter().map(|(_, shot)| shot).collect()
    }

    /// A launch as an answer declares it.
    pub(in crate::game) fn declared(&self, shot: &Shot) -> Declaration {
        let (target, point) = match shot.aim.at {
            AimPoint::Vessel(target) => (Some(self.battle.member(target).id.clone()), None),
            AimPoint::Point(place) => (None, Some(place.point())),
        };
        Declaration {
            ship: self.battle.member(shot.by).id.clone(),
            mounts: (0..32_u8).filter(|at| shot.mounts >> at & 1 == 1).map(|at| at + 1).collect(),
            mode: shot.mode,
            target,
            point,
            setting: shot.aim.setting + 1,
        }
    }

    /// A launch in words.
    pub(in crate::game) fn shot_label(&self, sea: &Sea, shot: &Shot) -> String {
        let arc = |(at, mount): (usize, &TorpedoMount)| (shot.mounts >> at & 1 == 1).then_some(mount.arc);
        let tubes = match self.battle.model(shot.by).sheet.torpedoes.iter().enumerate().find_map(arc) {
            _ if shot.mounts == self.tubes(sea, shot.by) => "all tubes",
            Some(Station::Aft) => "stern tubes",
            _ => "bow tubes",
        };
        let knots = self.settings(shot.by).get(usize::from(shot.aim.setting)).map_or(0, |setting| setting.speed_kn);
        match shot.aim.at {
            AimPoint::Vessel(target) => format!("{tubes} at {}, {knots} knots", self.battle.member(target).name),
            AimPoint::Point(_) => format!("a wide spread, {knots} knots"),
        }
    }

    /// The ship a submarine is after.
    fn prey(&self, sea: &Sea, sheet: &DiveSheet<'_>) -> Option<VesselId> {
        let enemies = self.enemies(sea, sheet.side).filter(|id| check_size(self.battle.model(*id).size()).is_ok());
        enemies.max_by_key(|id| self.battle.model(*id).vp)
    }

    /// What a sensible player lets submarines do. [17.10]
    pub(in crate::game) fn dive_instinct(&self, sheet: &DiveSheet<'_>) -> Vec<DiveEntry> {
        sheet.submarines().into_iter().filter_map(|id| self.dive_one(sheet, id)).collect()
    }

    fn dive_one(&self, sheet: &DiveSheet<'_>, id: VesselId) -> Option<DiveEntry> {
        let sea = sheet.sea;
        let goal = self.prey(sea, sheet).map(|prey| {
            let ship = sea.vessel(prey);
            let run = AHEAD_MM + i64::from(ship.speed) * i64::from(self.battle.rules.scale.mm_per_knot);
            ship.at.ahead(run).at.point()
        });
        let late = sea.turn + LATE > self.battle.scenario.turns;
        let mut best: Option<(i64, DiveEntry)> = None;
        for level in sheet.depths(id) {
            let reach = sheet.reach(id, level);
            for step in -12..=12 {
                for mm in [reach, reach / 2, 0] {
                    if mm == 0 && step != 0 {
                        continue;
                    }
                    let plan = sheet.course_plan(id, level, 15 * step, mm);
                    let entry = sheet.entry(&plan);
                    if sheet.read_one(&entry).is_err() {
                        continue;
                    }
                    let (worth, entry) = self.dive_worth(sheet, &plan, entry, goal, late);
                    if best.as_ref().is_none_or(|(known, _)| worth > *known) {
                        best = Some((worth, entry));
                    }
                }
            }
        }
        best.map(|(_, entry)| entry)
    }

    /// What a course and depth are worth, with the launch that goes with them.
    fn dive_worth(
        &self,
        sheet: &DiveSheet<'_>,
        plan: &DivePlan,
        mut entry: DiveEntry,
        goal: Option<Point>,
        late: bool,
    ) -> (i64, DiveEntry) {
        let (sea, id) = (sheet.sea, plan.submarine);
        let end = plan.run(sea.vessel(id).at).1.at.point();
        let mut worth = -goal.map_or(0, |goal| end.ceil_dist(goal));
        let escorts = self.enemies(sea, sheet.side).filter(|ship| sea.vessel(*ship).now.asw > 0);
        let nearest = escorts.map(|ship| self.reach(end, self.point(sea, ship))).min().unwrap_or(i32::MAX);
        let wary = nearest <= WARY_MM;
        worth += match plan.level {
            Level::Surfaced => -2000,
            Level::Periscope if wary => -60,
            Level::Deep if !wary => -40,
            _ => 0,
        };
        if plan.level == Level::Periscope && sea.vessel(id).loaded != 0 {
            let moved = sheet.moved(plan);
            let shots = self.submarine_shots(sheet, &moved, id);
            if let Some(shot) = shots.first() {
                let hits = self.expected_torpedo_hits(&moved, shot);
                if hits >= if late { LATE_SHOT } else { GOOD_SHOT } {
                    worth += hits * 4;
                    entry.torpedoes.push(self.declared(shot));
                }
            }
        }
        (worth, entry)
    }

    /// What a search or depth charges are worth.
    pub(in crate::game) fn deep_worth(&self, sea: &Sea, ship: VesselId, act: &Act) -> i64 {
        match act {
            Act::Search(_) => SEARCH,
            Act::DepthCharge(charges) => {
                let target = self.battle.find(charges.target.as_str());
                let charging = target.and_then(|target| self.charging(sea, ship, target));
                charging.map_or(SEARCH, |charging| {
                    let salvo = charging.salvo(&self.battle.rules);
                    let faces = i64::from((21 - salvo.aim.needed()).clamp(0, 20));
                    SEARCH + i64::from(salvo.dice) * faces * FLOTATION / 20
                })
            }
        }
    }

    /// Whether a field across the wake would lie in an enemy's way: one follows, and no friend does.
    pub(in crate::game) fn worth_mining(&self, sea: &Sea, ship: VesselId) -> bool {
        let at = sea.vessel(ship).at;
        let side = self.battle.member(ship).side;
        let astern = |other: VesselId| {
            self.range(sea, ship, other) <= FOLLOWED_MM && arc(at, self.point(sea, other)) == Arc::Stern
        };
        let friends = sea.all().any(|(other, vessel)| {
            other != ship
                && vessel.in_play()
                && self.battle.member(other).side == side
                && self.battle.model(other).hull != Hull::Submarine
                && astern(other)
        });
        !friends && self.enemies(sea, side).any(astern)
    }
}
