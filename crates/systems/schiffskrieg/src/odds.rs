//! Distributions that several procedures and screens need.

use crate::attack::{self, FOR_THE_BOX};
use crate::results::{Fate, Taken, fate};
use crate::rules::{Face, Rules};
use crate::unit::Counter;
use flagplot_kernel::{Ask, D6, Tally};
use flagplot_odds::{Budget, Dist, OddsError, enumerate};
use std::hash::Hash;

/// What so many dice do to a unit in a round: any five, and the Damage Points.
///
/// All attack dice are alike: the dice of several attackers are one pool.
pub fn taken(rules: &Rules, dice: u32, tally: [Tally; 3], budget: Budget<'_>) -> Result<Dist<Taken>, OddsError> {
    enumerate(budget, |ask| Ok(attack::taken(&attack::roll(rules, dice, tally, "attack", ask)?)))
}

pub fn count(rules: &Rules, dice: u32, what: Face, budget: Budget<'_>) -> Result<Dist<u32>, OddsError> {
    enumerate(budget, |ask| {
        let pool = ask.pool::<2>(dice, D6, "attack", |face| usize::from(rules.faces[face as usize] == what))?;
        Ok(pool.counts[1])
    })
}

pub fn fates(rules: &Rules, unit: Counter<'_>, dice: u32, budget: Budget<'_>) -> Result<Dist<Fate>, OddsError> {
    Ok(taken(rules, dice, FOR_THE_BOX, budget)?.map(|taken| fate(unit, *taken)))
}

/// How many of some independent things happen, each with its own chance.
pub fn how_many<'a, T: Eq + Hash + 'a>(
    each: impl IntoIterator<Item = &'a Dist<T>>,
    happens: impl Fn(&T) -> bool,
) -> Dist<u32> {
    let each = each.into_iter().map(|one| one.map(|outcome| u32::from(happens(outcome))));
    each.fold(Dist::certain(0), |sum, one| sum.with(&one, |a, b| a + b))
}
