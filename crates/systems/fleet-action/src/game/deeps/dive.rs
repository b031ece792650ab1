//! The secret sheet of a side's submarines: course, depth, torpedoes. [9.2, C-52]

use crate::game::FleetGame;
use crate::game::id::Id;
use crate::game::moving::orders::{EDGE, MOST_LEGS};
use crate::game::moving::torpedoes::{Declaration, Shot};
use crate::game::moving::{corners, end_of, length};
use crate::game::state::{Aim, AimPoint, Level, Sea, VesselId};
use crate::geometry::{Place, Position, base_radius};
use crate::rule;
use crate::torpedo::check_size;
use crate::words::*;
use flagplot_kernel::course::Leg;
use flagplot_kernel::plane::{Point, enters_circle};
use flagplot_kernel::{Decision, Refusal, Rule, Seat, Side};
use serde::{Deserialize, Serialize};

/// How far a submarine runs straight before a turn.
pub(in crate::game) const STRAIGHT_MM: i64 = 20;

/// The orders of one submarine.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiveEntry {
    pub ship: Id,
    /// The depth at the end of the turn; as before if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Level>,
    /// Knots; what the orders run if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<i32>,
    #[serde(default)]
    pub orders: Vec<Leg>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub torpedoes: Vec<Declaration>,
}

/// An entry that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct DivePlan {
    pub submarine: VesselId,
    pub level: Level,
    pub legs: Vec<Leg>,
    pub shots: Vec<Shot>,
}

impl DivePlan {
    pub fn length(&self) -> i64 {
        length(&self.legs)
    }

    /// The corners of the path and where it ends.
    pub fn run(&self, from: Position) -> (Vec<Point>, Position) {
        (corners(from, &self.legs), end_of(from, &self.legs))
    }
}

/// What do the submarines of a side do? Asked in secret every turn.
pub(in crate::game) struct DiveSheet<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub side: Side,
}

fn refuse<T>(code: &'static str, text: String, rule: Rule) -> Result<T, Refusal> {
    Err(Refusal::new(code, text).by(rule))
}

impl DiveSheet<'_> {
    pub(in crate::game) fn submarines(&self) -> Vec<VesselId> {
        self.game.submarines(self.sea, self.side).collect()
    }

    /// The depths that a submarine can have at the end of the turn: one step, and the surface if she is crippled.
    pub(in crate::game) fn depths(&self, id: VesselId) -> Vec<Level> {
        let now = self.sea.vessel(id).level;
        if self.game.crippled_below(self.sea, id) {
            return vec![Level::Surfaced];
        }
        match now {
            Level::Surfaced => vec![Level::Surfaced, Level::Periscope],
            Level::Periscope => vec![Level::Periscope, Level::Deep, Level::Surfaced],
            Level::Deep => vec![Level::Deep, Level::Periscope],
        }
    }

    /// How far she can run: at her speed on the surface only if she stays on it.
    pub(in crate::game) fn reach(&self, id: VesselId, level: Level) -> i64 {
        let (vessel, model) = (self.sea.vessel(id), self.game.battle.model(id));
        let surfaced = vessel.level == Level::Surfaced && level == Level::Surfaced;
        let knots = if surfaced { vessel.now.speed } else { vessel.now.speed.min(model.submerged_speed) };
        i64::from(knots.max(0)) * i64::from(self.game.battle.rules.scale.mm_per_knot)
    }

    pub(in crate::game) fn legs(&self, id: VesselId, level: Level, legs: &[Leg]) -> Result<(), Refusal> {
        let name = &self.game.battle.member(id).name;
        if legs.len() > MOST_LEGS {
            return refuse("out-of-range", format!("{name}: at most {MOST_LEGS} legs."), rule::C_52);
        }
        let (mut straight, mut total) = (0_i64, 0_i64);
        for leg in legs {
            match *leg {
                Leg::Ahead(mm) if !(0..=EDGE).contains(&mm) => {
                    return refuse("distance-mismatch", format!("{name} cannot run {mm} mm."), rule::C_30);
                }
                Leg::Ahead(mm) => {
                    straight += mm;
                    total += mm;
                }
                Leg::Turn(degrees) if degrees == 0 || degrees % 15 != 0 || degrees.abs() > 180 => {
                    let text = format!("{name}: turns go in steps of 15° up to 180°, not {degrees}°.");
                    return refuse("illegal-turn", text, rule::C_30);
                }
                Leg::Turn(_) if straight < STRAIGHT_MM => {
                    let text =
                        format!("{name} runs {STRAIGHT_MM} mm straight before each turn; here it is {straight}.");
                    return refuse("illegal-turn", text, rule::C_30);
                }
                Leg::Turn(_) => straight = 0,
            }
        }
        let reach = self.reach(id, level);
        if total > reach {
            let text = format!("{name} would run {total} mm; at that depth she makes {reach} mm.");
            return refuse("too-fast", text, rule::C_30);
        }
        Ok(())
    }

    /// Whether a path is free: of land everywhere, of other bases where she ends on the surface.
    fn free(&self, plan: &DivePlan) -> Result<(), Refusal> {
        let (game, sea) = (self.game, self.sea);
        let name = &game.battle.member(plan.submarine).name;
        let (corners, end) = plan.run(sea.vessel(plan.submarine).at);
        let off = |at: &Point| at.x.abs() > EDGE || at.y.abs() > EDGE;
        if corners.iter().any(off) {
            return refuse("out-of-range", format!("{name} would leave the chart."), rule::C_43);
        }
        for ends in corners.windows(2) {
            let [a, b] = ends else { continue };
            for land in &game.battle.scenario.land {
                if enters_circle(*a, *b, Point::new(land.x.into(), land.y.into()), land.radius.into()) {
                    return refuse("blocked", format!("{name} would run aground on {}.", land.name), rule::C_3);
                }
            }
        }
        if plan.level == Level::Surfaced {
            let radius = |id: VesselId| i64::from(base_radius(game.battle.model(id).size()));
            let (mine, at) = (plan.submarine, end.at.point());
            let moved = plan.length() > 0;
            let hit = sea.all().find(|(id, vessel)| {
                *id != mine
                    && vessel.in_the_way()
                    && vessel.at.at.point().dist2(at) < (radius(mine) + radius(*id)).pow(2)
            });
            if let Some((other, _)) = hit.filter(|_| moved) {
                let text = format!("{name} would end where {} lies.", game.battle.member(other).name);
                return refuse("blocked", text, rule::C_41);
            }
        }
        Ok(())
    }

    /// What a declaration means for a submarine that has moved, if it is legal.
    fn shot(&self, moved: &Sea, id: VesselId, declared: &Declaration) -> Result<Shot, Refusal> {
        let game = self.game;
        let name = &game.battle.member(id).name;
        if declared.ship != game.battle.member(id).id {
            return refuse("not-on-sheet", format!("{name}: a declaration names another ship."), rule::C_52);
        }
        let loaded = game.tubes(moved, id);
        let mut mounts = 0_u32;
        for number in &declared.mounts {
            let bit = number.checked_sub(1).and_then(|at| 1_u32.checked_shl(at.into())).unwrap_or(0);
            if loaded & bit == 0 || mounts & bit != 0 {
                let text = format!("{name}: torpedo mount {number} is missing, empty or named twice.");
                return refuse("no-tubes-bear", text, rule::C_52);
            }
            mounts |= bit;
        }
        let settings = game.settings(id);
        let setting = declared.setting.checked_sub(1).filter(|at| usize::from(*at) < settings.len());
        let Some(setting) = setting.filter(|_| mounts != 0) else {
            let text = format!("{name}: name the mounts, and a setting from 1 to {}.", settings.len());
            return refuse("out-of-range", text, rule::S9_7);
        };
        let at = match (declared.mode, &declared.target, declared.point) {
            (Mode::Aimed, Some(target), None) => {
                let known = game.enemies(moved, self.side).find(|enemy| game.battle.member(*enemy).id == *target);
                let Some(target) = known else {
                    let shown: String = target.as_str().chars().take(60).collect();
                    let text = format!("{name}: '{shown}' is not an enemy ship in sight.");
                    return refuse("not-a-torpedo-target", text, rule::C_38);
                };
                check_size(game.battle.model(target).size())?;
                AimPoint::Vessel(target)
            }
            (Mode::WideSpread, None, Some(point)) if point.x.abs() <= EDGE && point.y.abs() <= EDGE => {
                AimPoint::Point(Place { x: point.x, y: point.y })
            }
            _ => {
                let text = format!("{name}: aimed torpedoes need a target, a wide spread a point on the chart.");
                return refuse("missing-field", text, rule::C_38);
            }
        };
        let point = match at {
            AimPoint::Vessel(target) => game.point(moved, target),
            AimPoint::Point(place) => place.point(),
        };
        let band = game.band(game.reach(game.point(moved, id), point));
        let reach = settings.get(usize::from(setting)).map_or(0, |setting| setting.max_band);
        if band > reach {
            let text = format!("{name}: the range is band {band}; at this setting her torpedoes run {reach}.");
            return refuse("out-of-torpedo-range", text, rule::S9_7);
        }
        let leave = match at {
            AimPoint::Vessel(target) => game.permitted(moved, id, target, false).aimed,
            AimPoint::Point(_) => game.spread_leave(moved, id, point),
        };
        // A Crew Test would be rolled in the open and give her away.
        if leave != Leave::Allowed {
            return refuse("not-visible", format!("{name} does not see her target well enough."), rule::S9_1);
        }
        if game.tubes_bearing(moved, id, point) & mounts != mounts {
            return refuse("no-tubes-bear", format!("{name}: not all of these mounts bear."), rule::C_9);
        }
        Ok(Shot { by: id, mounts, mode: declared.mode, aim: Aim { at, setting }, leave })
    }

    /// The sea with a submarine where a plan brings her.
    pub(in crate::game) fn moved(&self, plan: &DivePlan) -> Sea {
        let mut sea = self.sea.clone();
        let vessel = sea.vessel_mut(plan.submarine);
        vessel.at = plan.run(vessel.at).1;
        vessel.level = plan.level;
        sea
    }

    pub(in crate::game) fn read_one(&self, entry: &DiveEntry) -> Result<DivePlan, Refusal> {
        let known = self.submarines().into_iter().find(|id| self.game.battle.member(*id).id == entry.ship);
        let Some(id) = known else {
            let shown: String = entry.ship.as_str().chars().take(60).collect();
            return refuse("not-on-sheet", format!("'{shown}' is not one of your submarines."), rule::C_52);
        };
        let name = &self.game.battle.member(id).name;
        let crippled = self.game.crippled_below(self.sea, id);
        let level = entry.depth.unwrap_or(if crippled { Level::Surfaced } else { self.sea.vessel(id).level });
        if !self.depths(id).contains(&level) {
            let text = if crippled {
                format!("{name} is too badly damaged to dive.")
            } else {
                format!("{name} changes her depth by one step a turn.")
            };
            return refuse("wrong-depth", text, rule::C_30);
        }
        self.legs(id, level, &entry.orders)?;
        let mut plan = DivePlan { submarine: id, level, legs: entry.orders.clone(), shots: Vec::new() };
        let run = |speed: i32| i64::from(speed) * i64::from(self.game.battle.rules.scale.mm_per_knot);
        if let Some(speed) = entry.speed.filter(|speed| run(*speed) != plan.length()) {
            let (whole, total) = (run(speed), plan.length());
            let text = format!("{name}: the orders run {total} mm; {speed} knots are {whole} mm.");
            return refuse("distance-mismatch", text, rule::C_30);
        }
        self.free(&plan)?;
        if entry.torpedoes.is_empty() {
            return Ok(plan);
        }
        if level == Level::Deep {
            return refuse("too-deep", format!("{name} is too deep to launch torpedoes."), rule::C_30);
        }
        let moved = self.moved(&plan);
        for declared in &entry.torpedoes {
            let shot = self.shot(&moved, id, declared)?;
            if plan.shots.iter().any(|other| other.mounts & shot.mounts != 0) {
                return refuse("no-tubes-bear", format!("{name}: a mount is named twice."), rule::C_38);
            }
            plan.shots.push(shot);
        }
        Ok(plan)
    }

    /// Reads a sheet: a plan for each submarine on it, or all that is wrong.
    pub(in crate::game) fn read(&self, entries: &[DiveEntry]) -> Result<Vec<DivePlan>, Refusal> {
        let (mut plans, mut reasons): (Vec<DivePlan>, Vec<Refusal>) = (Vec::new(), Vec::new());
        for entry in entries {
            match self.read_one(entry) {
                Ok(plan) if plans.iter().any(|other| other.submarine == plan.submarine) => {
                    let text = format!("{} is on the sheet twice.", self.game.battle.member(plan.submarine).name);
                    reasons.push(Refusal::new("named-twice", text).by(rule::C_52));
                }
                Ok(plan) => plans.push(plan),
                Err(refusal) => reasons.push(refusal),
            }
        }
        Refusal::all(reasons).map(|()| plans)
    }

    /// The plans of a sheet that has been checked; a submarine that was left out stays where she is.
    pub(in crate::game) fn plans(&self, entries: &[DiveEntry]) -> Vec<DivePlan> {
        let mut plans = self.read(entries).unwrap_or_default();
        for id in self.submarines() {
            if !plans.iter().any(|plan| plan.submarine == id) {
                let level = self.depths(id).first().copied().unwrap_or_default();
                plans.push(DivePlan { submarine: id, level, legs: Vec::new(), shots: Vec::new() });
            }
        }
        plans
    }
}

impl Decision for DiveSheet<'_> {
    type Value = Vec<DiveEntry>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<DiveEntry>) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}
