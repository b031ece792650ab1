//! Where units that do not attack stand best. [15.3]

use super::GroundGame;
use super::map::{HexAt, UnitAt};
use super::movement::Reach;
use super::plan;
use super::set::Set;
use super::state::GroundState;
use crate::scenarios::TurnOption;
use flagplot_kernel::Side;

/// The most movement points that a flood looks at.
const MOST: usize = 8;

impl GroundGame {
    /// The hexes that some unit of a side could enter with its whole allowance: one flood from all of them.
    pub(crate) fn flood(&self, state: &GroundState, side: Side) -> Set {
        let terrain = self.terrain(state, side);
        let mut levels = [Set::default(); MOST + 1];
        for (unit, now, hex) in self.army(state, side) {
            let points = if now.isolated() { 1 } else { usize::from(self.info(unit).movement).min(MOST) };
            levels[MOST - points].insert(hex);
        }
        let mut reached = Set::default();
        for spent in 0..=MOST {
            for hex in levels[spent].without(&reached).iter() {
                reached.insert(hex);
                for next in self.map.links(hex).without(&terrain.closed).without(&reached).iter() {
                    let cost = spent + usize::from(self.step_cost(&terrain, hex, next));
                    if cost <= MOST {
                        levels[cost].insert(next);
                    }
                }
            }
        }
        reached
    }

    /// What a side could lose to such a flood of its enemy: objectives and supply hexes, in thousandths of a point.
    pub(crate) fn threat(&self, state: &GroundState, side: Side) -> i64 {
        let flood = self.flood(state, side.other());
        let objectives =
            self.map.objectives.iter().filter(|(hex, _)| state.controls(side, *hex) && flood.contains(*hex));
        let lost: i64 = objectives.map(|(_, value)| 300 * value).sum();
        lost + 40 * i64::from(flood.and(&self.map.supply[side]).len())
    }
}

/// What is the same for every unit while postures are weighed.
pub(super) struct Field<'a> {
    game: &'a GroundGame,
    state: &'a GroundState,
    side: Side,
    supplied: Set,
    enemies: Set,
    /// Hexes that will be attacked.
    targets: Set,
    threatened: i64,
}

impl<'a> Field<'a> {
    pub fn new(game: &'a GroundGame, state: &'a GroundState, targets: Set) -> Self {
        let side = state.active;
        let supplied = game.supplied(state, side);
        let next = supplied.iter().fold(supplied, |all, hex| all.or(game.map.links(hex)));
        let enemies = game.occupied(state, side.other());
        Self { game, state, side, supplied: next, enemies, targets, threatened: game.threat(state, side) }
    }

    fn distance(&self, one: HexAt, other: HexAt) -> i64 {
        i64::from(self.game.map.id(one).hex().distance(self.game.map.id(other).hex()))
    }

    /// The distance to the nearest enemy unit.
    fn to_enemy(&self, hex: HexAt) -> i64 {
        self.enemies.iter().map(|enemy| self.distance(hex, enemy)).min().unwrap_or(9)
    }

    /// How well a unit stands in a hex, the enemy's ways apart.
    fn stand(&self, unit: UnitAt, hex: HexAt) -> i64 {
        let (game, state, side) = (self.game, self.state, self.side);
        let info = game.info(unit);
        let mut score = if self.supplied.contains(hex) { 0 } else { -700 };
        let worth = game.map.worth(hex);
        let others: Vec<UnitAt> = game.stack(state, hex).filter(|other| *other != unit).collect();
        let enemy_near = self.to_enemy(hex);
        if state.controls(side.other(), hex) {
            score += 900 * worth + 15;
            score += if game.map.supply[side.other()].contains(hex) { 120 } else { 0 };
        } else if worth > 0 && others.len() < 2 {
            let danger = if enemy_near <= 4 { 130 } else { 20 };
            score += worth * danger / if others.is_empty() { 1 } else { 2 };
        }
        let near: Vec<UnitAt> =
            game.map.links(hex).and(&self.enemies).iter().flat_map(|at| game.stack(state, at)).collect();
        let against = game.factors(near.iter().copied());
        if enemy_near <= 2 {
            score += if game.map.rough.contains(hex) { 60 } else { 0 };
            score += 60 * i64::from(game.map.fortification[usize::from(hex)]);
            score += if others.is_empty() { 0 } else { 40 };
            let rivers = game.map.rivers[usize::from(hex)].len();
            score += 15 * i64::from(rivers.min(3));
        }
        if !near.is_empty() {
            let mut own = others;
            own.push(unit);
            let multiplier = game.multiplier(state, unit, hex, false);
            let strength = game.factors(own) * multiplier;
            score -= if against >= 2 * strength { 300 } else { 0 };
            if state.option == TurnOption::Attrition && !state.unit(unit).isolated() {
                score += 80 * i64::from(info.factors);
            }
        }
        let aims = plan::aims(game, state, side);
        let attacking = side == game.limits.attacker;
        let to_aim = aims.map(|aim| self.distance(hex, aim)).min().unwrap_or(0);
        let own = game.map.objectives.iter().map(|(at, _)| *at).filter(|at| state.controls(side, *at));
        let to_own = own.map(|at| self.distance(hex, at)).min().unwrap_or(0);
        score -= if attacking { 25 * to_aim } else { 20 * to_own + 6 * enemy_near };
        if info.armor && state.option == TurnOption::Offensive {
            let exploits = game.map.links(hex).meets(&self.targets);
            score += if exploits && !state.unit(unit).isolated() { 250 } else { 0 };
        }
        score
    }

    /// The best place within reach, if it is better than where the unit stands.
    pub fn better(&self, unit: UnitAt, reach: &Reach) -> Option<HexAt> {
        let here = self.stand(unit, reach.from);
        let room = |hex: &HexAt| self.game.has_room(self.state, *hex, unit);
        let mut places: Vec<(i64, HexAt)> =
            reach.hexes.iter().filter(room).map(|hex| (self.stand(unit, hex), hex)).collect();
        places.sort_by_key(|(score, hex)| (std::cmp::Reverse(*score), *hex));
        let mut best: Option<(i64, HexAt)> = None;
        for (score, hex) in places.into_iter().take(CLOSER) {
            let mut there = self.state.clone();
            there.unit_mut(unit).hex = Some(hex);
            there.take(self.side, hex);
            let score = score + self.threatened - self.game.threat(&there, self.side);
            if score > here + BETTER && best.is_none_or(|(known, _)| score > known) {
                best = Some((score, hex));
            }
        }
        best.map(|(_, hex)| hex)
    }
}

/// By how much a place must be better to go there.
const BETTER: i64 = 60;

/// How many places are looked at closer.
const CLOSER: usize = 4;
