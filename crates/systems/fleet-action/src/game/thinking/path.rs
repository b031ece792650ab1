//! Paths and what they are worth, posture, torpedoes, contacts. [section 17.1 to 17.3, 17.5, 17.7, 17.10]
//!
//! Values are thousandths of a victory point.

use crate::game::FleetGame;
use crate::game::battle::{Hull, side};
use crate::game::moving::Orders;
use crate::game::moving::contact::{ContactMove, Formation, MoveContact};
use crate::game::moving::orders::{Entry, Plan};
use crate::game::moving::signals::{IN_SUCCESSION, Signal, TURNS, bearing, turn_to};
use crate::game::moving::torpedoes::{Declaration, Shot, TorpedoSheet};
use crate::game::state::{AimPoint, Group, Holds, Level, Mood, Sea, VesselId};
use crate::geometry::{Position, arc};
use crate::gunnery::Range;
use crate::torpedo::{Launch, Launcher, SMALLEST_TARGET, TorpedoTarget};
use crate::volley::CHANCE_PARTS;
use crate::volley::Motion;
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Chance, Side};

/// What a side is about. [17.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum Posture {
    /// Line of battle: gives and takes.
    Battle,
    /// Behind, or short of time: closes at any cost.
    Press,
    /// Alone against many, or after merchants.
    Raid,
    /// Has something to lose and nothing to gain by staying near.
    Flee,
}

/// The reach of the fear of torpedoes. [17.3]
const TORPEDO_FEAR_MM: i64 = 380;
/// What each enemy with loaded tubes within that reach costs, in thousandths of the ship's points.
const TORPEDO_FEAR: i64 = 60;
/// Expected hits in thousandths from which torpedoes are launched. [17.5]
const WORTH_LAUNCHING: i64 = 450;
/// The same near the end of the battle or of the ship.
const WORTH_LAUNCHING_LATE: i64 = 250;
/// A ship leaves the formation of a signal only for at least so much.
const LEAVES_FORMATION: i64 = 150;

impl Posture {
    /// How much the enemy's fire counts against one's own, in thousandths.
    fn weight(self) -> i64 {
        match self {
            Posture::Battle => 800,
            Posture::Press => 400,
            Posture::Raid => 500,
            Posture::Flee => 1500,
        }
    }
}

impl FleetGame {
    /// What a ship is about in this position. [17.1]
    pub(in crate::game) fn posture(&self, sea: &Sea, id: VesselId) -> Posture {
        let member = self.battle.member(id);
        let (vessel, sheet) = (sea.vessel(id), &member.model.sheet);
        let civil = matches!(sheet.kind, Kind::Merchant | Kind::Carrier);
        let harmless = member.model.batteries.is_empty() && member.model.hull == Hull::Ship;
        let gutted = sheet.s_max > 0 && vessel.now.s * 6 <= sheet.s_max;
        if civil || harmless || gutted || vessel.mood != Mood::Steady {
            return Posture::Flee;
        }
        if self.raids(sea, member.side) {
            return Posture::Raid;
        }
        let margin = i64::from(self.battle.scenario.margin);
        let late = (self.battle.scenario.turns - sea.turn) * 3 < self.battle.scenario.turns;
        match self.lead(sea, member.side) {
            lead if lead <= -margin || late && lead < margin => Posture::Press,
            _ => Posture::Battle,
        }
    }

    /// Whether a side is weaker and may get away, or hunts merchants: it fights, but has its ships to lose.
    fn raids(&self, sea: &Sea, of: Side) -> bool {
        let gets_away =
            self.battle.scenario.leave.iter().any(|leave| side(leave.side) == of && leave.clear_mm.is_some());
        let hunts = self.enemies(sea, of).any(|enemy| self.battle.model(enemy).merchant());
        gets_away || hunts
    }

    /// The points of a side beyond the enemy's and par. [C-49]
    fn lead(&self, sea: &Sea, of: Side) -> i64 {
        let points = |side: Side| i64::from(self.points(sea, side).total());
        let first = points(Side::First) - points(Side::Second) - i64::from(self.battle.scenario.par);
        if of == Side::First { first } else { -first }
    }

    /// What it is worth for a ship to end her move at a place. [17.3]
    pub(in crate::game) fn place_value(
        &self,
        sea: &Sea,
        id: VesselId,
        posture: Posture,
        end: Position,
        speed: i32,
    ) -> i64 {
        let member = self.battle.member(id);
        let worth = i64::from(member.model.vp.max(3)) * 1000;
        let (mut best, mut suffered, mut fear, mut nearest) = (0, 0, 0, i64::MAX);
        for enemy in self.enemies(sea, member.side) {
            let there = sea.vessel(enemy);
            let distance = end.at.point().ceil_dist(there.at.at.point());
            nearest = nearest.min(distance);
            best = best.max(self.fire_value(sea, id, end, enemy, there.at));
            suffered += self.fire_value(sea, enemy, there.at, id, end);
            if distance <= TORPEDO_FEAR_MM && self.tubes_bearing(sea, enemy, end.at.point()) != 0 {
                fear += worth * TORPEDO_FEAR / 1000;
            }
        }
        for marker in self.contacts(sea, member.side.other()) {
            nearest = nearest.min(end.at.point().ceil_dist(sea.marker(marker).at.at.point()));
        }
        let mut value = best - suffered * posture.weight() / 1000 - fear;
        if posture == Posture::Flee {
            value = best / 4 - suffered - fear;
        }
        value += self.distance_value(sea, id, posture, nearest, worth, best);
        value += self.errand_value(sea, id, end, worth);
        // A ship under way is harder to hit and sooner where she is wanted.
        value + i64::from(speed) * worth / 20_000
    }

    /// What the distance to the nearest enemy is worth by the posture.
    fn distance_value(&self, sea: &Sea, id: VesselId, posture: Posture, nearest: i64, worth: i64, best: i64) -> i64 {
        if nearest == i64::MAX {
            return 0;
        }
        let band = i64::from(self.battle.rules.scale.mm_per_range_band);
        let sight = i64::from(self.battle.tvr(sea.turn).min(sea.vessel(id).now.sd).min(5)) * band;
        match posture {
            Posture::Flee => nearest.min(8 * band) * worth / (20 * band),
            // Out of reach, the way to the enemy counts; in reach, fire decides, and pressing ships still close.
            _ if best == 0 => -(nearest - sight).max(0) * worth / (20 * band) - nearest * worth / (80 * band),
            Posture::Press => -nearest * worth / (60 * band),
            Posture::Battle | Posture::Raid => -(nearest - 3 * band).max(0) * worth / (80 * band),
        }
    }

    /// What the scenario wants of a ship: to get away, to reach a line.
    fn errand_value(&self, sea: &Sea, id: VesselId, end: Position, worth: i64) -> i64 {
        let member = self.battle.member(id);
        let lines = self.battle.scenario.leave.iter().filter(|leave| side(leave.side) == member.side);
        let from = sea.vessel(id).at.at;
        // A ship that may leave across a line makes for it, above all if she has no guns.
        let keen = if member.model.batteries.is_empty() { 200 } else { 40 };
        lines
            .filter_map(|leave| leave.x_above)
            .map(|line| (end.at.x.min(line.into()) - from.x.min(line.into())) * worth * keen / 100_000)
            .sum()
    }

    /// Whether a ship had better hide: she flees or is hurt, and no gun of hers is worth more than what she is spared.
    /// [17.7]
    fn hides(&self, sea: &Sea, plan: &Plan) -> bool {
        let id = plan.vessel;
        let end = self.end(sea, plan);
        let member = self.battle.member(id);
        let hurt = sea.vessel(id).now.s * 2 <= member.model.sheet.s_max && member.model.sheet.s_max > 0;
        if !hurt && self.posture(sea, id) != Posture::Flee {
            return false;
        }
        let (mut own, mut spared) = (0, 0);
        for enemy in self.enemies(sea, member.side) {
            let there = sea.vessel(enemy).at;
            own = own.max(self.fire_value(sea, id, end, enemy, there));
            spared += self.fire_value(sea, enemy, there, id, end);
        }
        spared > own
    }

    /// The orders of a sensible player: the best signal, then better ways for single ships. [17.2]
    pub(in crate::game) fn orders_instinct(&self, orders: &Orders<'_>, chance: &mut Chance) -> Vec<Entry> {
        let (sea, ships) = (orders.sea, orders.ships());
        let speeds = orders.speeds(&ships);
        let postures: Vec<(VesselId, Posture)> = ships.iter().map(|ship| (*ship, self.posture(sea, *ship))).collect();
        let value = |plan: &Plan| {
            let posture = postures.iter().find(|(ship, _)| *ship == plan.vessel);
            let posture = posture.map_or(Posture::Battle, |(_, posture)| *posture);
            self.place_value(sea, plan.vessel, posture, self.end(sea, plan), plan.speed)
        };
        // What every ship could do by herself.
        let own: Vec<Vec<(i64, Plan)>> = ships
            .iter()
            .map(|ship| {
                let ways =
                    speeds.iter().flat_map(|speed| TURNS.iter().map(|turn| orders.turn_plan(*ship, *speed, *turn)));
                let mut ways: Vec<(i64, Plan)> = ways.map(|plan| (value(&plan), plan)).collect();
                ways.sort_by_key(|(value, _)| -value);
                ways
            })
            .collect();
        let together = speeds.iter().flat_map(|&speed| TURNS.iter().map(move |&turn| (turn, speed)));
        let best = together
            .map(|(turn, speed)| {
                let known = ships.iter().zip(&own).map(|(ship, ways)| {
                    let plan = orders.turn_plan(*ship, speed, turn);
                    ways.iter().find(|(_, way)| *way == plan).map_or(0, |(value, _)| *value)
                });
                ((known.sum::<i64>(), -turn.abs(), chance.below(2)), Signal::Together { turn, speed })
            })
            .max_by_key(|(worth, _)| *worth);
        let mut common = best.map(|(_, signal)| orders.work_out(&ships, signal)).unwrap_or_default();
        // A line that holds together follows its leader, if that is worth as much.
        if let (Some(((worth, ..), _)), Some(&speed)) = (best, speeds.iter().max())
            && ships.len() > 1
        {
            let mut most = worth;
            let in_line = IN_SUCCESSION.map(|turn| Signal::Succession { turn, speed });
            for signal in in_line.into_iter().chain([Signal::Follow { speed }]) {
                let plans = orders.work_out(&ships, signal);
                let sum: i64 = plans.iter().map(&value).sum();
                if plans.len() == ships.len() && sum > most {
                    (most, common) = (sum, plans);
                }
            }
        }
        let mut paper: Vec<(VesselId, Point)> = Vec::with_capacity(ships.len());
        let mut entries = Vec::with_capacity(ships.len());
        for (ship, ways) in ships.iter().zip(&own) {
            let shared = common.iter().find(|plan| plan.vessel == *ship);
            let shared = shared.filter(|plan| self.lawful(sea, &paper, plan).is_ok());
            let held = shared.map(|plan| value(plan) + LEAVES_FORMATION);
            let better = ways.iter().take_while(|(value, _)| held.is_none_or(|held| *value > held));
            let found = better.map(|(_, plan)| plan).find(|plan| self.lawful(sea, &paper, plan).is_ok());
            let Some(mut plan) = found.or(shared).cloned() else { continue };
            if self.hides(sea, &plan) && orders.game.smoke_allowed(sea, *ship, plan.speed) {
                plan.smoke = true;
            }
            paper.push((*ship, self.end(sea, &plan).at.point()));
            entries.push(orders.entry(&plan));
        }
        entries
    }

    /// Which group a sensible player moves first: the one that can wait least is moved last, so markers and those far
    /// from the enemy go first.
    pub(in crate::game) fn mover_instinct(&self, sea: &Sea, side: Side) -> Option<Group> {
        let groups = self.movable(sea, side);
        let nearest = |at: Point| {
            let ships = self.enemies(sea, side).map(|enemy| self.point(sea, enemy));
            let markers = self.contacts(sea, side.other()).map(|marker| sea.marker(marker).at.at.point());
            ships.chain(markers).map(|enemy| at.dist2(enemy)).min().unwrap_or(i64::MAX)
        };
        let distance = |group: &Group| match group {
            Group::Marker(id) => nearest(sea.marker(*id).at.at.point()),
            Group::Squadron(id) => {
                let ships = self.battle.squad(*id).vessels.iter().filter(|ship| sea.vessel(**ship).in_play());
                ships.map(|ship| nearest(self.point(sea, *ship))).min().unwrap_or(i64::MAX)
            }
        };
        groups.into_iter().max_by_key(distance)
    }

    /// What a contact does: it deploys when an enemy may be shot at or may spot it, else it goes toward the enemy.
    /// [17.10]
    pub(in crate::game) fn contact_instinct(&self, contact: &MoveContact<'_>, chance: &mut Chance) -> ContactMove {
        let sea = contact.sea;
        let marker = sea.marker(contact.marker);
        let at = marker.at.at.point();
        let ships = self.enemies(sea, marker.side).map(|enemy| self.point(sea, enemy));
        let markers = self.contacts(sea, marker.side.other()).map(|other| sea.marker(other).at.at.point());
        let enemy = ships.chain(markers).min_by_key(|enemy| at.dist2(*enemy));
        let Some(enemy) = enemy else { return contact.run(marker.speed.min(contact.fastest()), 0) };
        let sight = self.battle.tvr(sea.turn);
        let deployed =
            self.enemies(sea, marker.side).any(|enemy| self.band(self.reach(at, self.point(sea, enemy))) <= sight);
        let close = self.band(self.reach(at, enemy)) <= sight;
        let real = matches!(marker.holds, Some(Holds::Squadron(_)));
        if real && (deployed || close && chance.below(2) == 0) {
            return ContactMove::deploy(Formation::Ahead);
        }
        let wanted = bearing(enemy - at).map_or(0, |course| turn_to(marker.at.heading, course));
        let runs = contact.runs().filter(|(speed, _)| *speed > 0);
        let best = runs.min_by_key(|(speed, turn)| ((wanted - turn).abs(), -speed));
        best.map_or_else(|| contact.run(0, 0), |(speed, turn)| contact.run(speed, turn))
    }

    /// The expected hits of a launch in thousandths, if the target stays on her course.
    pub(in crate::game) fn expected_torpedo_hits(&self, sea: &Sea, shot: &Shot) -> i64 {
        let AimPoint::Vessel(target) = shot.aim.at else { return 0 };
        let Some(spread) = self.spread_on(sea, shot, target) else { return 0 };
        if spread.out_of_range() {
            return 0;
        }
        let salvo = spread.salvo(&self.battle.rules);
        let test = if shot.leave == Leave::CrewTest { self.crew_test_tenths(sea, shot.by) } else { 10 };
        i64::from(salvo.dice) * salvo.aim.chance() * 100 * test / CHANCE_PARTS
    }

    /// The ships that a wide spread into an area would meet if all keep their courses, the nearest first, with the dice
    /// that each would be dealt. [C-9]
    pub(in crate::game) fn spread_meets(&self, sea: &Sea, shot: &Shot) -> Vec<(VesselId, i32)> {
        let AimPoint::Point(point) = shot.aim.at else { return Vec::new() };
        let radius = i64::from(self.battle.rules.spreads.wide_spread_radius_mm);
        let there = |id: VesselId| self.expected_position(sea, id).at.point();
        let from = self.point(sea, shot.by);
        let mut ships: Vec<VesselId> = sea
            .all()
            .filter(|(id, vessel)| {
                let model = self.battle.model(*id);
                let target = vessel.in_play() && vessel.level == Level::Surfaced;
                target && model.size() >= SMALLEST_TARGET && !model.sheet.is_air_base()
            })
            .map(|(id, _)| id)
            .filter(|id| there(*id).ceil_dist(point.point()) <= radius)
            .collect();
        ships.sort_by_key(|id| (there(*id).dist2(from), *id));
        let dice = self.battle.rules.band(self.torpedoes_in(sea, shot.by, shot.mounts));
        let count = (ships.len() as i32).max(1);
        let dealt = |place: usize| dice / count + i32::from((place as i32) < dice % count);
        ships.into_iter().enumerate().map(|(place, id)| (id, dealt(place))).filter(|(_, dice)| *dice > 0).collect()
    }

    /// What a wide spread is worth: expected hits in thousandths, and those times the points of the ships they would
    /// strike, with one's own against it.
    fn spread_worth(&self, sea: &Sea, shot: &Shot) -> (i64, i64) {
        let side = self.battle.member(shot.by).side;
        let test = if shot.leave == Leave::CrewTest { self.crew_test_tenths(sea, shot.by) } else { 10 };
        let (mut hits, mut worth) = (0, 0);
        for (target, dice) in self.spread_meets(sea, shot) {
            let Some(spread) = self.spread_on(sea, shot, target).filter(|spread| !spread.out_of_range()) else {
                continue;
            };
            let each = i64::from(dice) * spread.salvo(&self.battle.rules).aim.chance() * 100 * test / CHANCE_PARTS;
            let sign = if self.battle.member(target).side == side { -2 } else { 1 };
            hits += each * sign.max(0);
            worth += each * sign * i64::from(self.battle.model(target).vp);
        }
        (hits, worth)
    }

    /// The middles of the areas into which a wide spread may go: where each enemy is expected, and between two that
    /// keep close together, as in a column. [17.5]
    fn spread_points(&self, sea: &Sea, side: Side) -> Vec<Point> {
        let radius = i64::from(self.battle.rules.spreads.wide_spread_radius_mm);
        let there: Vec<Point> =
            self.enemies(sea, side).map(|enemy| self.expected_position(sea, enemy).at.point()).collect();
        let mut points = there.clone();
        for (at, one) in there.iter().enumerate() {
            for other in &there[at + 1..] {
                if one.ceil_dist(*other) <= 2 * radius {
                    points.push(Point::new((one.x + other.x) / 2, (one.y + other.y) / 2));
                }
            }
        }
        points
    }

    /// A launch as the rules of torpedoes see it when it arrives where the target is expected.
    pub(in crate::game) fn spread_on(
        &self,
        sea: &Sea,
        shot: &Shot,
        target: VesselId,
    ) -> Option<crate::torpedo::Spread> {
        let from = self.point(sea, shot.by);
        let there = self.expected_position(sea, target);
        let setting = self.settings(shot.by).get(usize::from(shot.aim.setting))?;
        let (vessel, model) = (sea.vessel(target), self.battle.model(target));
        let aspect = match arc(there, from) {
            Arc::Bow => Aspect::Bow,
            Arc::Stern => Aspect::Stern,
            Arc::Port | Arc::Starboard => Aspect::Beam,
        };
        let launch = Launch {
            torpedoes: self.torpedoes_in(sea, shot.by, shot.mounts).clamp(1, 40),
            range: Range { range_mm: Some(self.reach(from, there.at.point())), range_band: None },
            max_band: setting.max_band,
            mode: shot.mode,
            setting_modifier: setting.modifier,
            shooter: Launcher { crew_quality: self.crew_quality(sea, shot.by), splash: sea.vessel(shot.by).now.splash },
            target: TorpedoTarget {
                size: model.size(),
                arc: aspect,
                motion: Motion { speed: vessel.speed, land: false },
                sv: vessel.now.sv,
            },
        };
        launch.read(&self.battle.rules).ok()
    }

    /// Where a ship will be when torpedoes arrive: where she is if she has moved, else on along her course.
    pub(in crate::game) fn expected_position(&self, sea: &Sea, id: VesselId) -> Position {
        let vessel = sea.vessel(id);
        if sea.squadron(self.battle.member(id).squadron).moved {
            return vessel.at;
        }
        vessel.at.ahead(i64::from(vessel.speed) * i64::from(self.battle.rules.scale.mm_per_knot))
    }

    /// The launches of a sensible player. [17.5]
    pub(in crate::game) fn torpedo_instinct(&self, sheet: &TorpedoSheet<'_>) -> Vec<Declaration> {
        let sea = sheet.sea;
        let mut declared = Vec::new();
        for ship in sheet.ships() {
            let model = self.battle.model(ship);
            let vessel = sea.vessel(ship);
            let doomed = model.sheet.s_max > 0 && vessel.now.s * 3 <= model.sheet.s_max;
            let late = self.battle.scenario.turns - sea.turn < 3;
            let least = if late || doomed { WORTH_LAUNCHING_LATE } else { WORTH_LAUNCHING };
            let enemies: Vec<VesselId> = self.enemies(sea, self.battle.member(ship).side).collect();
            let all = enemies
                .iter()
                .flat_map(|target| (0..self.settings(ship).len()).map(|setting| sheet.aimed(ship, *target, setting)));
            // By day an aimed launch is always better; in the dark a spread needs no target to be made out.
            let dark = self.battle.light(sea.turn) == Light::Night;
            let points = if dark { self.spread_points(sea, self.battle.member(ship).side) } else { Vec::new() };
            let spreads = points
                .iter()
                .flat_map(|point| (0..self.settings(ship).len()).map(|setting| sheet.spread(ship, *point, setting)));
            let worth = |declaration: Declaration| {
                let shot = sheet.read(&declaration).ok()?;
                let (hits, worth) = match shot.aim.at {
                    AimPoint::Vessel(target) => {
                        let hits = self.expected_torpedo_hits(sea, &shot);
                        (hits, hits * i64::from(self.battle.model(target).vp))
                    }
                    AimPoint::Point(_) => self.spread_worth(sea, &shot),
                };
                (hits >= least).then_some((worth, declaration))
            };
            let best = all.chain(spreads).filter_map(worth).max_by_key(|(worth, _)| *worth);
            if let Some((_, best)) = best.filter(|(worth, _)| *worth > 0) {
                declared.push(best);
            }
        }
        declared
    }

    /// Whether a ship can make smoke at a speed.
    pub(in crate::game) fn smoke_allowed(&self, sea: &Sea, id: VesselId, speed: i32) -> bool {
        self.may_smoke(sea, id, speed).is_ok()
    }
}
