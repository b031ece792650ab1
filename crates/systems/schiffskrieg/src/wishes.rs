//! The wishes for day or night against each other: which is granted, and what either round is worth.

use crate::battle::{Battle, Ground};
use crate::day_night::{Action, select};
use crate::explain::{holders, suggested};
use crate::faction::{ByRole, Role};
use crate::resolution::BattleOutcome;
use dashu_int::IBig;
use dashu_ratio::RBig;
use flagplot_odds::{Budget, Dist, Fraction, OddsError, enumerate, equilibrium, weights};

pub fn fought(ground: &Ground<'_>, wishes: ByRole<Action>) -> Result<Dist<Action>, OddsError> {
    enumerate(Budget::default(), |ask| Ok(select(ground.rules, &ground.waters, wishes, ask)?.action))
}

fn rational(fraction: &Fraction) -> RBig {
    RBig::from_parts(IBig::from(fraction.numerator().clone()), fraction.denominator().clone())
}

/// What a round of this kind is worth to the phasing faction, in points and exactly: what it sinks and damages less
/// what it loses, with the suggested attacks on both sides, and the hex for the faction that would hold it then.
pub fn round_worth(ground: &Ground<'_>, battle: &Battle, action: Action) -> Result<RBig, OddsError> {
    let points =
        |role: Role| -> Result<RBig, OddsError> { Ok(rational(&suggested(&battle.declare(ground, role, action))?)) };
    let mut worth = points(Role::Phasing)? - points(Role::NonPhasing)?;
    if ground.hold_vp > 0 {
        let holders = holders(ground, battle, action, battle.round)?;
        let held =
            rational(&holders.chance(&BattleOutcome::Success)) - rational(&holders.chance(&BattleOutcome::Repulsion));
        worth += held * RBig::from(ground.hold_vp);
    }
    Ok(worth)
}

/// What every pair of wishes is worth to the phasing faction: its wishes are the rows, day first.
pub fn table(ground: &Ground<'_>, battle: &Battle) -> Result<Vec<Vec<RBig>>, OddsError> {
    let [day, night] = Action::BOTH.map(|action| round_worth(ground, battle, action));
    let (day, night) = (day?, night?);
    let cell = |phasing: Action, non_phasing: Action| {
        let by_day = rational(&fought(ground, ByRole { phasing, non_phasing })?.chance(&Action::Day));
        Ok(&night + &by_day * (&day - &night))
    };
    Action::BOTH
        .into_iter()
        .map(|phasing| Action::BOTH.into_iter().map(|non_phasing| cell(phasing, non_phasing)).collect())
        .collect()
}

/// How often a faction wishes for each action in the equilibrium of that table. What suits one side hurts the other,
/// and a wish always helps to get it, so there is nothing to hide: each wishes for what suits it.
pub fn mix(ground: &Ground<'_>, battle: &Battle, role: Role) -> Option<Vec<(Action, u64)>> {
    let play = equilibrium(&table(ground, battle).ok()?);
    let shares = if role == Role::Phasing { play.rows } else { play.columns };
    Some(Action::BOTH.into_iter().zip(weights(&shares)?).collect())
}
