//! Movement, leg by leg. [4.2, C-25]

use super::GroundGame;
use super::map::{HexAt, UnitAt};
use super::set::{CAPACITY, Set};
use super::state::GroundState;
use crate::messages::counted;
use crate::rule;
use flagplot_kernel::{Refusal, Side};

/// What a side's enemy does to its movement.
pub(crate) struct Terrain {
    /// Hexes that cannot be entered.
    pub closed: Set,
    /// Hexes in an enemy zone of control.
    pub zones: Set,
}

/// Where a unit can get to.
pub(crate) struct Reach {
    pub from: HexAt,
    /// The movement points of the cheapest way, or `FAR` where no way leads.
    cost: [u8; CAPACITY],
    /// The enemy-controlled hexes of that way, as many as can be.
    taken: [u8; CAPACITY],
    /// Every hex that can be reached, the start left out.
    pub hexes: Set,
}

const FAR: u8 = u8::MAX;

/// The most movement points a unit can have.
const MOST: usize = 20;

impl Reach {
    pub fn cost(&self, hex: HexAt) -> Option<u8> {
        Some(self.cost[usize::from(hex)]).filter(|cost| *cost != FAR)
    }
}

impl GroundGame {
    pub(crate) fn terrain(&self, state: &GroundState, side: Side) -> Terrain {
        Terrain { closed: self.occupied(state, side.other()), zones: self.zones(state, side.other()) }
    }

    /// The movement points a unit has left. [4.2]
    pub(crate) fn points_left(&self, state: &GroundState, unit: UnitAt) -> u8 {
        self.info(unit).movement.saturating_sub(state.unit(unit).spent)
    }

    pub(crate) fn step_cost(&self, terrain: &Terrain, from: HexAt, to: HexAt) -> u8 {
        let extra = &self.rules.terrain;
        let river = if self.map.across_river(from, to) { extra.movement_cost.river_hexside } else { 0 };
        let zone = if terrain.zones.contains(to) { extra.zone_of_control.extra_cost_to_enter } else { 0 };
        self.map.cost[usize::from(to)].saturating_add((river + zone).min(99) as u8)
    }

    /// Where a unit can get to from a hex with some points. A unit that has not moved may always go one hex, and an
    /// isolated one never more. [C-9, C-25]
    pub(crate) fn reach(&self, state: &GroundState, terrain: &Terrain, unit: UnitAt, from: HexAt, points: u8) -> Reach {
        let mut reach = Reach { from, cost: [FAR; CAPACITY], taken: [0; CAPACITY], hexes: Set::default() };
        let (moved, isolated) = (state.unit(unit).moved, state.unit(unit).isolated());
        let enemy = self.info(unit).side.other();
        let points = usize::from(points).min(MOST);
        let mut levels = [Set::default(); MOST + 1];
        reach.cost[usize::from(from)] = 0;
        levels[0].insert(from);
        for spent in 0..=points {
            for hex in levels[spent].iter() {
                if usize::from(reach.cost[usize::from(hex)]) != spent || (isolated && hex != from) {
                    continue;
                }
                for next in self.map.links(hex).without(&terrain.closed).iter() {
                    let cost = spent + usize::from(self.step_cost(terrain, hex, next));
                    let at = usize::from(next);
                    if cost > points || next == from || cost > usize::from(reach.cost[at]) {
                        continue;
                    }
                    let taken = reach.taken[usize::from(hex)] + u8::from(state.controls(enemy, next));
                    if cost < usize::from(reach.cost[at]) || taken > reach.taken[at] {
                        reach.taken[at] = taken;
                    }
                    reach.cost[at] = cost as u8;
                    levels[cost].insert(next);
                    reach.hexes.insert(next);
                }
            }
        }
        if self.rules.terrain.movement_cost.always_one_hex && !moved && points > 0 {
            for next in self.map.links(from).without(&terrain.closed).without(&reach.hexes).iter() {
                let at = usize::from(next);
                reach.cost[at] = points as u8;
                reach.taken[at] = u8::from(state.controls(enemy, next));
                reach.hexes.insert(next);
            }
        }
        reach
    }

    /// The way to a hex within reach: the cheapest; of equal ones that through most enemy-controlled hexes, then that
    /// of the lowest hex ids. The start is left out. [C-25]
    pub(crate) fn way(
        &self,
        state: &GroundState,
        terrain: &Terrain,
        unit: UnitAt,
        reach: &Reach,
        to: HexAt,
    ) -> Vec<HexAt> {
        let enemy = self.info(unit).side.other();
        if self.map.links(reach.from).contains(to) {
            return vec![to];
        }
        let follows = |one: HexAt, next: HexAt| {
            let (a, b) = (usize::from(one), usize::from(next));
            reach.cost[a] != FAR
                && reach.cost[b] == reach.cost[a].saturating_add(self.step_cost(terrain, one, next))
                && reach.taken[b] == reach.taken[a] + u8::from(state.controls(enemy, next))
        };
        let (mut marked, mut edge) = (Set::default(), Set::default());
        marked.insert(to);
        edge.insert(to);
        while let Some(hex) = edge.nth(0) {
            edge.remove(hex);
            for before in self.map.links(hex).iter().filter(|before| follows(*before, hex)) {
                if !marked.contains(before) {
                    marked.insert(before);
                    edge.insert(before);
                }
            }
        }
        let (mut way, mut at) = (Vec::new(), reach.from);
        while at != to {
            let Some(next) = self.map.links(at).and(&marked).iter().find(|next| follows(at, *next)) else { break };
            way.push(next);
            at = next;
        }
        way
    }

    /// A leg of a unit to a hex: what it costs, or why it cannot be. [4.3]
    pub(crate) fn check_leg(
        &self,
        state: &GroundState,
        unit: UnitAt,
        from: HexAt,
        to: HexAt,
        points: u8,
    ) -> Result<(Reach, u8), Refusal> {
        let name = &self.info(unit).name;
        if points == 0 {
            return Err(Refusal::new("already-moved", format!("{name} has no movement points left."))
                .by(rule::GROUND_TURN)
                .remedy("Move another unit, or end your movement."));
        }
        if from == to {
            return Err(no_such_hex());
        }
        let terrain = self.terrain(state, self.info(unit).side);
        let closed = || {
            let why = if terrain.closed.contains(to) { "enemy units stand there" } else { "there is no route into it" };
            Refusal::new("hex-closed", format!("{name} cannot enter {}: {why}.", self.map.name(to)))
                .by(rule::GROUND_TURN)
                .remedy("Choose a lit hex.")
        };
        if terrain.closed.contains(to) || self.map.links(to).is_empty() || self.walled(from, to) {
            return Err(closed());
        }
        let reach = self.reach(state, &terrain, unit, from, points);
        let Some(cost) = reach.cost(to) else {
            let all = self.price(&terrain, from, to);
            return Err(match all {
                None => closed(),
                Some(price) => {
                    let left = counted(u32::from(points), "movement point");
                    let why = if state.unit(unit).isolated() { "; an isolated unit moves one hex" } else { "" };
                    let message = format!("That costs {price} movement points; {name} has {left}{why}.");
                    Refusal::new("not-enough-movement", message).by(rule::C_25).remedy("Choose a lit hex.")
                }
            });
        };
        if !self.has_room(state, to, unit) {
            return Err(self.full(to));
        }
        Ok((reach, cost))
    }

    /// Whether two neighbours are parted by an impassable hexside.
    fn walled(&self, from: HexAt, to: HexAt) -> bool {
        self.map.id(from).neighbours().contains(&self.map.id(to)) && !self.map.links(from).contains(to)
    }

    pub(crate) fn full(&self, hex: HexAt) -> Refusal {
        let (limit, hex) = (self.stacking(), self.map.name(hex));
        Refusal::new("overstacked", format!("There are already {limit} ground units in {hex}."))
            .by(rule::C_8)
            .remedy("End the move in a hex with room.")
    }

    /// The cost of the cheapest way to a hex, however dear.
    fn price(&self, terrain: &Terrain, from: HexAt, to: HexAt) -> Option<u32> {
        let mut best = vec![u32::MAX; self.map.ids.len()];
        best[usize::from(from)] = 0;
        let mut edge: Set = [from].into_iter().collect();
        while let Some(hex) = edge.nth(0) {
            edge.remove(hex);
            for next in self.map.links(hex).without(&terrain.closed).iter() {
                let cost = best[usize::from(hex)] + u32::from(self.step_cost(terrain, hex, next));
                if cost < best[usize::from(next)] {
                    best[usize::from(next)] = cost;
                    edge.insert(next);
                }
            }
        }
        Some(best[usize::from(to)]).filter(|cost| *cost != u32::MAX)
    }

    /// Moves a unit along the way of a leg.
    pub(crate) fn go(&self, state: &mut GroundState, unit: UnitAt, from: HexAt, to: HexAt) -> Vec<HexAt> {
        let side = self.info(unit).side;
        let points = self.points_left(state, unit);
        let terrain = self.terrain(state, side);
        let direct = self.map.links(from).contains(to);
        let (way, cost) = if direct {
            (vec![to], self.step_cost(&terrain, from, to).min(points))
        } else {
            let reach = self.reach(state, &terrain, unit, from, points);
            let way = self.way(state, &terrain, unit, &reach, to);
            (way, reach.cost(to).unwrap_or(points))
        };
        for hex in &way {
            state.take(side, *hex);
        }
        let isolated = state.unit(unit).isolated();
        let movement = self.info(unit).movement;
        let moving = state.unit_mut(unit);
        moving.hex = Some(to);
        moving.spent = if isolated { movement } else { moving.spent.saturating_add(cost) };
        moving.moved = true;
        way
    }
}

pub(crate) fn no_such_hex() -> Refusal {
    Refusal::new("unknown-hex", "There is no such hex to move to.").by(rule::GROUND_TURN).remedy("Choose a lit hex.")
}
