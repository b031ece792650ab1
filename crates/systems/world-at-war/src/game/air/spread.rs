//! How the points of a raid are spread over its dice, and what a spread of points is worth to a side that wants to win.

use super::AirGame;
use super::forecast::{ALL_WAYS, Force, Forecast, strength};
use super::state::ByRole;
use crate::game::victory::Limits;
use crate::scenarios::Mission;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The chances of so many points, from `low` on, out of [`WHOLE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spread {
    pub low: i64,
    pub ways: Vec<u64>,
}

pub(super) const WHOLE: u64 = 1 << 32;

impl Spread {
    /// These points for certain.
    pub fn certain(points: i64) -> Self {
        Self { low: points, ways: vec![WHOLE] }
    }

    /// The spread of the sum of two raids.
    pub fn and(&self, other: &Spread) -> Self {
        let mut sums = vec![0u128; self.ways.len() + other.ways.len() - 1];
        for (at, &one) in self.ways.iter().enumerate().filter(|(_, ways)| **ways > 0) {
            for (sum, &two) in sums[at..].iter_mut().zip(&other.ways) {
                *sum += u128::from(one) * u128::from(two);
            }
        }
        Self { low: self.low + other.low, ways: sums.into_iter().map(|sum| (sum >> 32) as u64).collect() }
    }
}

/// Adds up spreads that happen so many ways each.
struct Blend {
    low: i64,
    sums: Vec<u64>,
}

impl Blend {
    fn new(low: i64, high: i64) -> Self {
        Self { low, sums: vec![0; (high - low + 1).max(1) as usize] }
    }

    fn add(&mut self, spread: &Spread, shift: i64, ways: i64) {
        let start = (spread.low + shift - self.low).max(0) as usize;
        for (sum, more) in self.sums[start..].iter_mut().zip(&spread.ways) {
            *sum += more * ways as u64;
        }
    }

    fn over(self, ways: i64) -> Spread {
        let first = self.sums.iter().position(|&sum| sum > 0).unwrap_or(0);
        let last = self.sums.iter().rposition(|&sum| sum > 0).unwrap_or(0);
        let ways = ways as u64;
        let part = self.sums[first..=last].iter().map(|sum| (sum + ways / 2) / ways).collect();
        Spread { low: self.low + first as i64, ways: part }
    }
}

/// The spreads of raids, worked out once each. Both sides withdraw as `forecast` says.
pub(super) struct Spreads<'a> {
    game: &'a AirGame,
    known: FxHashMap<(u8, u32, Force, Force), Arc<Spread>>,
}

impl<'a> Spreads<'a> {
    pub fn new(game: &'a AirGame) -> Self {
        Self { game, known: FxHashMap::default() }
    }

    pub fn raid(&mut self, forecast: &mut Forecast<'_>, target: u8, forces: ByRole<Force>) -> Arc<Spread> {
        if strength(forces.attacker) == 0 {
            Arc::new(Spread::certain(0))
        } else if strength(forces.defender) == 0 {
            self.guns(target, forces.attacker)
        } else {
            self.fight(forecast, target, self.game.scenario.rounds, forces)
        }
    }

    fn fight(&mut self, forecast: &mut Forecast<'_>, target: u8, rounds: u32, forces: ByRole<Force>) -> Arc<Spread> {
        let key = (target, rounds, forces.attacker, forces.defender);
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let victory = self.game.scenario.victory;
        let left = self.game.kinds.round(&self.game.rules, forces);
        let place = self.game.target(target);
        let mut blend = Blend::new(
            -victory.defender_per_enemy_factor_eliminated * i64::from(strength(forces.attacker)),
            victory.attacker_per_enemy_factor_eliminated * i64::from(strength(forces.defender))
                + place.bombs(strength(forces.attacker)),
        );
        for &(attacker, lost, ways) in &left.attacker {
            for &(defender, gone, others) in &left.defender {
                let after = self.after(forecast, target, rounds - 1, ByRole { attacker, defender });
                let shift = victory.attacker_per_enemy_factor_eliminated * i64::from(gone)
                    - victory.defender_per_enemy_factor_eliminated * i64::from(lost);
                blend.add(&after, shift, ways * others);
            }
        }
        let spread = Arc::new(blend.over(ALL_WAYS * ALL_WAYS));
        self.known.insert(key, Arc::clone(&spread));
        spread
    }

    fn after(&mut self, forecast: &mut Forecast<'_>, target: u8, rounds: u32, forces: ByRole<Force>) -> Arc<Spread> {
        if strength(forces.attacker) == 0 {
            return Arc::new(Spread::certain(0));
        }
        let strategic = self.game.scenario.mission == Mission::StrategicBombing;
        if strength(forces.defender) == 0 || rounds == 0 || strategic {
            return self.guns(target, forces.attacker);
        }
        let (fought, through) = (forecast.fight(target, rounds, forces), forecast.guns(target, forces.attacker));
        if fought.min(through) < 0 {
            Arc::new(Spread::certain(0))
        } else if through < fought {
            self.guns(target, forces.attacker)
        } else {
            self.fight(forecast, target, rounds, forces)
        }
    }

    fn guns(&mut self, target: u8, attackers: Force) -> Arc<Spread> {
        let key = (target, 0, attackers, Force::default());
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let price = self.game.scenario.victory.defender_per_enemy_factor_eliminated;
        let place = self.game.target(target);
        let number = strength(attackers);
        let mut blend = Blend::new(-price * i64::from(number), place.bombs(number));
        for (left, lost, ways) in self.game.kinds.barrage(target, attackers) {
            let points = place.bombs(strength(left)) - price * i64::from(lost);
            blend.add(&Spread::certain(points), 0, ways);
        }
        let spread = Arc::new(blend.over(ALL_WAYS));
        self.known.insert(key, Arc::clone(&spread));
        spread
    }
}

/// The normal distribution at quarters of a standard deviation above the middle, in millionths.
const NORMAL: [i64; 13] = [
    500_000, 598_706, 691_462, 773_373, 841_345, 894_350, 933_193, 959_941, 977_250, 987_776, 993_790, 997_020, 998_650,
];

/// The chance that something with this spread, both in quarters of a point, ends above 0.
fn above(middle: i64, deviation: i64) -> i64 {
    if deviation == 0 {
        return if middle >= 0 { 1_000_000 } else { 0 };
    }
    let quarters = middle.abs() * 4 * 16 / deviation;
    let (at, part) = ((quarters / 16) as usize, quarters % 16);
    let up = match (NORMAL.get(at), NORMAL.get(at + 1)) {
        (Some(low), Some(high)) => low + (high - low) * part / 16,
        _ => 1_000_000,
    };
    if middle >= 0 { up } else { 1_000_000 - up }
}

/// What a score is worth to the attacker with some days left: near the chance to win, a draw counting half.
pub(super) struct Ambition {
    pub limits: Limits,
    /// What the days left bring on average, in quarters of a point.
    pub ahead: i64,
    /// How far they may miss it, likewise.
    pub deviation: i64,
}

impl Ambition {
    /// In millionths. An attacker who has reached his limit need not fly again, so that he has won.
    pub fn worth(&self, score: i64) -> i64 {
        let Limits { attacker_wins_at_least: high, defender_wins_at_most: low, .. } = self.limits;
        if score >= high {
            return 1_000_000;
        }
        let reaches = |limit: i64| above((score - limit) * 4 + self.ahead, self.deviation);
        (reaches(high) + reaches(low + 1)) / 2
    }
}
