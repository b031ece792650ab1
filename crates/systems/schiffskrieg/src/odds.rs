//! Distributions that several procedures and screens need.

use crate::attack::{self, DISABLED, FOR_THE_BOX};
use crate::figures::{Face, Figures};
use crate::results::{Fate, Taken, fate};
use crate::unit::Counter;
use flagplot_kernel::{Ask, Tally};
use flagplot_odds::{Budget, Dist, OddsError, enumerate};

/// What so many dice do to a unit in a round: any five, and the Damage Points.
///
/// All attack dice are alike, so that the dice of several attackers are one pool.
pub fn taken(figures: &Figures, dice: u32, tally: [Tally; 3], budget: Budget<'_>) -> Result<Dist<Taken>, OddsError> {
    enumerate(budget, |ask| {
        let got = attack::roll(figures, dice, tally, "attack", ask)?;
        Ok(Taken { damage_points: got.points, disabled: got.counts[DISABLED] > 0 })
    })
}

/// How many of so many dice show a face that does this.
pub fn count(figures: &Figures, dice: u32, what: Face, budget: Budget<'_>) -> Result<Dist<u32>, OddsError> {
    enumerate(budget, |ask| {
        Ok(ask.pool::<2>(dice, figures.die, "attack", |face| usize::from(figures.faces[face as usize] == what))?.counts
            [1])
    })
}

/// What becomes of a unit at which so many dice are rolled.
pub fn fates(figures: &Figures, unit: Counter<'_>, dice: u32, budget: Budget<'_>) -> Result<Dist<Fate>, OddsError> {
    Ok(taken(figures, dice, FOR_THE_BOX, budget)?.map(|taken| fate(unit, *taken)))
}

/// How many of some independent things happen, each with its own chance.
pub fn how_many<T: Eq + std::hash::Hash>(each: &[Dist<T>], happens: impl Fn(&T) -> bool) -> Dist<u32> {
    each.iter()
        .fold(Dist::certain(0), |sum, one| sum.with(&one.map(|outcome| u32::from(happens(outcome))), |a, b| a + b))
}
