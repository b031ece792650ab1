use crate::{Budget, Dist, Fast, OddsError, distribution};
use flagplot_kernel::{Ask, Asked, AtRandom, Chance, Flow, Note, Pool, Process, Roll, Sampler, Sum, Unanswered};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::hash::Hash;

/// How sure a set of odds is. It is part of every answer that is not exact.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "basis", rename_all = "kebab-case")]
pub enum Basis {
    /// Every branch was counted; the numbers are rounded as doubles are.
    Counted,
    /// Sampled: so many games from this seed. Intervals are 95% (Wilson).
    Sampled {
        /// How many were played.
        samples: u64,
        /// With which seed.
        seed: u64,
    },
}

/// Odds that need not be exact, with how they were found.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate<T: Eq + Hash> {
    /// How sure they are.
    #[serde(flatten)]
    pub basis: Basis,
    /// The chance of each outcome with the ends of its 95% interval.
    pub chances: FxHashMap<T, [f64; 3]>,
}

/// The final outcomes of a process by counting within the budget, or else by sampling.
pub fn estimate<P: Process, T: Eq + Hash>(
    process: &P,
    start: &P::State,
    read: impl Fn(&P::State) -> T,
    budget: Budget<'_>,
    samples: u64,
    seed: u64,
) -> Result<Estimate<T>, OddsError> {
    match distribution::<P, Fast>(process, Dist::certain(start.clone()), budget) {
        Ok(dist) => {
            let dist = dist.map(read);
            let total = *dist.total();
            let chances = dist.iter().map(|(_, &weight)| weight / total).collect::<Vec<_>>();
            let outcomes: Vec<T> = into_outcomes(dist);
            Ok(Estimate {
                basis: Basis::Counted,
                chances: outcomes.into_iter().zip(chances).map(|(outcome, chance)| (outcome, [chance; 3])).collect(),
            })
        }
        Err(OddsError::BudgetExceeded) => sample(process, start, read, samples, seed),
        Err(other) => Err(other),
    }
}

fn into_outcomes<T: Eq + Hash>(dist: Dist<T, Fast>) -> Vec<T> {
    dist.into_iter().map(|(outcome, _)| outcome).collect()
}

impl<T, W> IntoIterator for Dist<T, W> {
    type Item = (T, W);
    type IntoIter = std::collections::hash_map::IntoIter<T, W>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_weights().into_iter()
    }
}

/// The final outcomes of a process by playing it out many times.
pub fn sample<P: Process, T: Eq + Hash>(
    process: &P,
    start: &P::State,
    read: impl Fn(&P::State) -> T,
    samples: u64,
    seed: u64,
) -> Result<Estimate<T>, OddsError> {
    let mut chance = Chance::seeded(seed);
    let mut counts: FxHashMap<T, u64> = FxHashMap::default();
    for _ in 0..samples {
        let mut state = start.clone();
        let mut dice = DiceOnly(Sampler::new(&mut chance, AtRandom));
        while process.step(&mut state, &mut dice).map_err(|Unanswered| OddsError::NeedsChoice)? == Flow::Continue {}
        *counts.entry(read(&state)).or_default() += 1;
    }
    let chances = counts.into_iter().map(|(outcome, count)| (outcome, wilson(count, samples))).collect();
    Ok(Estimate { basis: Basis::Sampled { samples, seed }, chances })
}

/// A share with its 95% interval after Wilson.
fn wilson(count: u64, of: u64) -> [f64; 3] {
    let (n, z) = (of as f64, 1.959_963_984_540_054);
    let share = count as f64 / n;
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    [share, (middle - half).max(0.0), (middle + half).min(1.0)]
}

/// A sampler that rolls dice and leaves choices alone: a process with a choice in it has no odds.
struct DiceOnly<'a>(Sampler<'a, AtRandom>);

impl Ask for DiceOnly<'_> {
    fn roll(&mut self, die: flagplot_kernel::Die, what: impl std::fmt::Display) -> Asked<u8> {
        self.0.roll(die, what)
    }
    fn roll_as<R: Eq>(
        &mut self,
        die: flagplot_kernel::Die,
        what: impl std::fmt::Display,
        read: impl Fn(u8) -> R,
    ) -> Asked<Roll<R>> {
        self.0.roll_as(die, what, read)
    }
    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: flagplot_kernel::Die,
        what: impl std::fmt::Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        self.0.pool(n, die, what, class)
    }
    fn sum(&mut self, n: u32, die: flagplot_kernel::Die, what: impl std::fmt::Display) -> Asked<Sum> {
        self.0.sum(n, die, what)
    }
    fn decide<C: flagplot_kernel::Choice>(&mut self, _: &C) -> Asked<C::Value> {
        Err(Unanswered)
    }
    fn in_secret<C: flagplot_kernel::Choice>(&mut self, _: &[C]) -> Asked<Vec<C::Value>> {
        Err(Unanswered)
    }
    fn listening(&self) -> bool {
        false
    }
    fn record(&mut self, _: Note) {}
}
