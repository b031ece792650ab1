//! The plans worth thinking about on a day, and how often to fly each: an equilibrium of their exact table. [5.2]

use super::AirGame;
use super::forecast::{Force, Forecast, KINDS, ONE, plus, strength};
use super::spread::{Ambition, Spread, Spreads, WHOLE};
use super::state::{AirState, ByRole, Role};
use dashu_ratio::RBig;
use flagplot_odds::{equilibrium, weights};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A plan of one side by slot: the targets, and for the defender the reserve.
pub(super) type Slots = Vec<Force>;

/// The plans worth thinking about on a day, and how often to fly each.
pub(super) struct Plans {
    pub plans: ByRole<Vec<Slots>>,
    pub shares: ByRole<Vec<u64>>,
    /// What the day is worth to the attacker, in millionths.
    pub value: i64,
}

/// What both sides have ready, the days left, and the score if the limits count.
type Situation = (Force, Force, u32, Option<i64>);

/// Plans already worked out, by what both sides have ready and the days left. A pure function of those, so that
/// remembering it changes nothing but the time it takes.
#[derive(Default)]
pub(super) struct Memory {
    plans: Mutex<FxHashMap<Situation, Arc<Plans>>>,
    tomorrow: OnceLock<ByRole<i64>>,
}

/// More situations than a battle has in thousands of playouts.
const REMEMBERED: usize = 4096;

/// Targets up to which half of the attackers is a plan of its own; with more there would be too many plans.
const HALVES: usize = 4;

impl AirGame {
    /// What both sides have ready, by kind.
    pub(super) fn ready(&self, state: &AirState) -> ByRole<Force> {
        ByRole::new_with(|role| self.kinds.force(role, state.wings[role].ready.iter().copied()))
    }

    /// The price of an eliminated factor: its points, and what it would bring on the days that are left.
    fn price(&self, days_left: u32) -> ByRole<i64> {
        let victory = &self.scenario.victory;
        let points = ByRole {
            attacker: victory.defender_per_enemy_factor_eliminated,
            defender: victory.attacker_per_enemy_factor_eliminated,
        };
        let tomorrow = if days_left == 0 { ByRole::default() } else { self.tomorrow() };
        ByRole::new_with(|role| points[role] * ONE + tomorrow[role] * i64::from(days_left))
    }

    /// What a factor of each side brings in a day: what a quarter of the force at the start is worth on one day,
    /// shared out.
    fn tomorrow(&self) -> ByRole<i64> {
        *self.memory.tomorrow.get_or_init(|| {
            let start = ByRole::new_with(|role| {
                let groups = match role {
                    Role::Attacker => &self.scenario.attacker_groups,
                    Role::Defender => &self.scenario.defender_groups,
                };
                self.kinds.force(role, groups.iter().map(|group| group.count as u16))
            });
            let whole = self.worked_out(start, 0, None).value;
            ByRole::new_with(|role| {
                let mut fewer = start;
                for factors in &mut fewer[role] {
                    *factors -= *factors / 4;
                }
                let gone = i64::from(strength(start[role]) - strength(fewer[role]));
                let change = whole - self.worked_out(fewer, 0, None).value;
                let loss = if role == Role::Attacker { change } else { -change };
                if gone == 0 { 0 } else { loss.max(0) / gone }
            })
        })
    }

    /// The plans of a day, worked out once for each situation: for the limits of the battle from this score on, or for
    /// the points of the day alone.
    pub(super) fn worked_out(&self, ready: ByRole<Force>, days_left: u32, score: Option<i64>) -> Arc<Plans> {
        let situation = (ready.attacker, ready.defender, days_left, score);
        let lock = || self.memory.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&situation) {
            return Arc::clone(known);
        }
        let plans = Arc::new(self.work_out(ready, days_left, score));
        let mut known = lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(situation, Arc::clone(&plans));
        plans
    }

    pub(super) fn forecast(&self, days_left: u32) -> Forecast<'_> {
        Forecast::new(self, self.price(days_left))
    }

    fn work_out(&self, ready: ByRole<Force>, days_left: u32, score: Option<i64>) -> Plans {
        let plans = ByRole { attacker: self.attacks(ready.attacker), defender: self.defenses(ready.defender) };
        let payoff = match score {
            None => {
                let mut forecast = self.forecast(days_left);
                // Thousandths keep the fractions short; no plan turns on less.
                table(&plans, |attack, defense| day_value(&mut forecast, attack, defense).0 / 1000)
            }
            Some(score) => {
                let ahead = self.worked_out(ready, 0, None).value.max(0) * i64::from(days_left);
                let mut aims = Aims::new(self, days_left, score, ahead);
                table(&plans, |attack, defense| aims.worth(attack, defense))
            }
        };
        let play = equilibrium(&payoff);
        let value = i64::try_from((play.value * RBig::from(1000)).trunc()).unwrap_or(0);
        let shares = ByRole { attacker: whole(&play.rows), defender: whole(&play.columns) };
        Plans { plans, shares, value }
    }

    /// None, half or all of the attackers a target admits, for each target, as far as the ready factors go. [C-22]
    fn attacks(&self, ready: Force) -> Vec<Slots> {
        let targets = self.targets();
        let parts: &[u32] = if targets.len() <= HALVES { &[0, 1, 2] } else { &[0, 2] };
        let mut all: Vec<Slots> = Vec::new();
        for number in 0..parts.len().pow(targets.len() as u32) {
            let (mut left, mut number) = (strength(ready), number);
            let totals: Vec<u32> = targets
                .iter()
                .map(|target| {
                    let part = parts[number % parts.len()];
                    number /= parts.len();
                    let sent = (target.most_attackers * part).div_ceil(2).min(left);
                    left -= sent;
                    sent
                })
                .collect();
            let plan = compose(&totals, ready);
            if !all.contains(&plan) {
                all.push(plan);
            }
        }
        all
    }

    /// All defenders at one target, or spread, or at home; none, a sixth or a third of them in reserve. [C-22]
    fn defenses(&self, ready: Force) -> Vec<Slots> {
        let (factors, count) = (strength(ready), self.targets().len());
        let mut all: Vec<Slots> = vec![vec![Force::default(); count + 1]];
        for reserve in [0, factors / 6, factors / 3] {
            for focus in 0..=count {
                let ahead = factors - reserve;
                let share = |at: usize| {
                    if focus == count {
                        ahead / count as u32 + u32::from((at as u32) < ahead % count as u32)
                    } else if at == focus {
                        ahead
                    } else {
                        0
                    }
                };
                let totals: Vec<u32> = (0..count).map(share).chain([reserve]).collect();
                let plan = compose(&totals, ready);
                if !all.contains(&plan) {
                    all.push(plan);
                }
            }
        }
        all
    }
}

fn table(plans: &ByRole<Vec<Slots>>, mut cell: impl FnMut(&Slots, &Slots) -> i64) -> Vec<Vec<RBig>> {
    let mut row = |attack| plans.defender.iter().map(|defense| RBig::from(cell(attack, defense))).collect();
    plans.attacker.iter().map(&mut row).collect()
}

/// Judges a day by what its exact spread of points makes of the battle.
struct Aims<'a> {
    ambition: Ambition,
    score: i64,
    /// What an average point is worth now, in millionths.
    point: i64,
    forecast: Forecast<'a>,
    plain: Forecast<'a>,
    spreads: Spreads<'a>,
    /// The sums of all raids but the last.
    sums: FxHashMap<Vec<(Force, Force)>, Arc<Spread>>,
}

impl<'a> Aims<'a> {
    fn new(game: &'a AirGame, days_left: u32, score: i64, ahead: i64) -> Self {
        let victory = &game.scenario.victory;
        // A day misses its average by some points: four for each point of a factor.
        let day = 4 * 2 * (victory.attacker_per_enemy_factor_eliminated + victory.defender_per_enemy_factor_eliminated);
        let deviation = day * (16 * i64::from(days_left)).isqrt() / 4;
        let ambition = Ambition { limits: game.limits, ahead: ahead * 4 / ONE, deviation };
        let (high, low) = (score + 4, score - 4);
        let point = (ambition.worth(high) - ambition.worth(low)) / 8;
        let (forecast, plain) = (game.forecast(days_left), game.forecast(0));
        Self { ambition, score, point, forecast, plain, spreads: Spreads::new(game), sums: FxHashMap::default() }
    }

    /// In ten-thousandths of a battle won, with a trace of the points themselves where the limits say nothing.
    fn worth(&mut self, attack: &Slots, defense: &Slots) -> i64 {
        let (full, reserve_to) = day_value(&mut self.forecast, attack, defense);
        let (reserve, ahead) = split(defense);
        let met: Vec<(Force, Force)> = (0..attack.len())
            .map(|at| (attack[at], if reserve_to == Some(at as u8) { plus(ahead[at], reserve) } else { ahead[at] }))
            .collect();
        let points: i64 = met.iter().enumerate().map(|(at, raid)| self.plain.raid(at as u8, raid.0, raid.1)).sum();
        let day = self.sum(&met);
        let chance: i128 = (day.low..)
            .zip(&day.ways)
            .filter(|(_, ways)| **ways > 0)
            .map(|(points, &ways)| i128::from(self.ambition.worth(self.score + points)) * i128::from(ways))
            .sum();
        // What lost factors would have brought later is counted as points are now.
        let later = i128::from(full - points) * i128::from(self.point) / i128::from(ONE);
        let worth = i64::try_from(chance / i128::from(WHOLE) + later).unwrap_or(0);
        worth / 100 + full / ONE
    }

    /// The spread of the points of some raids, target by target.
    fn sum(&mut self, raids: &[(Force, Force)]) -> Arc<Spread> {
        let Some((&(attacker, defender), before)) = raids.split_last() else { return Arc::new(Spread::certain(0)) };
        if let Some(known) = self.sums.get(raids) {
            return Arc::clone(known);
        }
        let target = before.len() as u8;
        let last = self.spreads.raid(&mut self.forecast, target, ByRole { attacker, defender });
        let sum = if before.is_empty() { last } else { Arc::new(self.sum(before).and(&last)) };
        self.sums.insert(raids.to_vec(), Arc::clone(&sum));
        sum
    }
}

/// The reserve of a defense, and what is sent to the targets.
fn split(defense: &Slots) -> (Force, &[Force]) {
    defense.split_last().map_or((Force::default(), &[][..]), |(last, rest)| (*last, rest))
}

/// The value of a day for two plans, and where the reserve does best against this attack.
pub(super) fn day_value(forecast: &mut Forecast<'_>, attack: &Slots, defense: &Slots) -> (i64, Option<u8>) {
    let (reserve, ahead) = split(defense);
    let raids: Vec<i64> =
        (0..attack.len()).map(|target| forecast.raid(target as u8, attack[target], ahead[target])).collect();
    let day: i64 = raids.iter().sum();
    let mut best = (day, None);
    if strength(reserve) > 0 {
        for target in (0..attack.len()).filter(|&target| strength(attack[target]) > 0) {
            let met = forecast.raid(target as u8, attack[target], plus(ahead[target], reserve));
            let value = day - raids[target] + met;
            if value < best.0 {
                best = (value, Some(target as u8));
            }
        }
    }
    best
}

/// Exact shares as whole weights; where those would be too large, in millionths.
fn whole(shares: &[RBig]) -> Vec<u64> {
    weights(shares).unwrap_or_else(|| {
        let part = |share: &RBig| u64::try_from((share * RBig::from(1_000_000)).round()).unwrap_or(0);
        shares.iter().map(part).collect()
    })
}

/// Shares out kinds so that as many slots as possible have most of the best kind, whose modifier then counts for all.
///
fn compose(totals: &[u32], mut ready: Force) -> Slots {
    let mut plan: Slots = vec![Force::default(); totals.len()];
    for (slot, &total) in plan.iter_mut().zip(totals).filter(|(_, total)| **total > 0) {
        let best = (total / 2 + 1).min(total).min(ready[0].into()) as u8;
        slot[0] = best;
        ready[0] -= best;
    }
    for (slot, &total) in plan.iter_mut().zip(totals) {
        let mut open = total - strength(*slot);
        for kind in (0..KINDS).rev() {
            let more = open.min(ready[kind].into());
            slot[kind] += more as u8;
            ready[kind] -= more as u8;
            open -= more;
        }
    }
    plan
}
