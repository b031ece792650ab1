//! The wishes for day or night against each other: who gets his, and what either round is worth.

use crate::battle::{Battle, Ground};
use crate::day_night::{Action, select};
use crate::explain::{expected_points, holders};
use crate::faction::{ByRole, Role};
use crate::resolution::BattleOutcome;
use crate::thinking::allocate;
use dashu_int::IBig;
use dashu_ratio::RBig;
use flagplot_odds::{Budget, Dist, Fraction, OddsError, enumerate, equilibrium, weights};

/// What is fought after these wishes.
pub(crate) fn fought(ground: &Ground<'_>, wishes: ByRole<Action>) -> Result<Dist<Action>, OddsError> {
    enumerate(Budget::default(), |ask| Ok(select(ground.rules, &ground.waters, wishes, ask)?.action))
}

fn rational(fraction: &Fraction) -> RBig {
    RBig::from_parts(IBig::from(fraction.numerator().clone()), fraction.denominator().clone())
}

/// What a round of this kind is worth to the phasing faction, in points, with all dice counted: what it sinks and damages less what it loses,
/// both sides attacking sensibly, and the hex for whoever would hold it then.
pub(crate) fn round_worth(ground: &Ground<'_>, battle: &Battle, action: Action) -> Result<RBig, OddsError> {
    let points = |role: Role| -> Result<RBig, OddsError> {
        let declare = battle.declare(ground, role, action);
        Ok(rational(&expected_points(&declare, &allocate(&declare).orders)?))
    };
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
pub(crate) fn table(ground: &Ground<'_>, battle: &Battle) -> Result<Vec<Vec<RBig>>, OddsError> {
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

/// How often a faction wishes for each action in the equilibrium of that table. What suits one side hurts the other, and a wish always helps to get
/// it, so that there is nothing to hide: each wishes for what suits it.
pub(crate) fn mix(ground: &Ground<'_>, battle: &Battle, role: Role) -> Option<Vec<(Action, u64)>> {
    let play = equilibrium(&table(ground, battle).ok()?);
    let shares = if role == Role::Phasing { play.rows } else { play.columns };
    Some(Action::BOTH.into_iter().zip(weights(&shares)?).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::{Place, UnitState};
    use crate::day_night::Waters;
    use crate::rules::Rules;
    use crate::unit::{Factors, Kind, Sheet, Short};
    use flagplot_kernel::{BySide, Side};

    type Table = Vec<Vec<RBig>>;
    type Mix = Vec<(Action, u64)>;

    /// Bombers with two dice by day against a small ship with a gun that cannot reach them.
    fn by_hand(hold_vp: i64) -> (Table, [Mix; 2]) {
        let rules = Rules::read(&crate::files()).unwrap();
        let sheet = |id: &str, kind, front: Factors| Sheet {
            id: Short::new(id).unwrap(),
            name: Short::new(id).unwrap(),
            kind,
            damage: front.defense,
            front,
            back: None,
            vp: 4,
        };
        let sheets = BySide {
            first: vec![sheet("bombers", Kind::Lba, Factors { airstrike: 2, defense: 3, ..Factors::default() })],
            second: vec![sheet("corvette", Kind::Cruiser, Factors { gunnery: 1, defense: 2, ..Factors::default() })],
        };
        let names = BySide { first: "Bombers".to_owned(), second: "Corvette".to_owned() };
        let waters = Waters { all_sea: false, nearest_air_base: ByRole::default() };
        let started_damaged = BySide::new_with(|_| vec![false]);
        let ground = Ground {
            rules: &rules,
            sheets: &sheets,
            names: &names,
            started_damaged: &started_damaged,
            waters,
            fixed_actions: [None; 2],
            hold_vp,
            hold_scores: hold_vp,
        };
        let units = BySide::new_with(|_| vec![UnitState { damaged: false, place: Place::Ready }]);
        let battle = Battle::new(Side::First, &units, &BySide::new_with(|_| vec![0]));
        (table(&ground, &battle).unwrap(), Role::BOTH.map(|role| mix(&ground, &battle, role).unwrap()))
    }

    fn written(table: &[Vec<RBig>]) -> Vec<String> {
        table.iter().flatten().map(ToString::to_string).collect()
    }

    #[test]
    fn the_table_of_wishes_is_the_one_worked_by_hand() {
        // A die gives no point 30 times in 36, one point once, more five times: two dice sink a ship of two with 1 - (30·30 + 2·30)/36² = 7/27,
        // which is worth 4 points. Against the wish for night that for day gets its way 21 times in 36, as the phasing side's;
        // the other side's wish for day fails 10 times in 36.
        let (table, mixes) = by_hand(0);
        assert_eq!(written(&table), ["28/27", "49/81", "182/243", "0"]);
        assert_eq!(mixes, [vec![(Action::Day, 1), (Action::Night, 0)], vec![(Action::Day, 0), (Action::Night, 1)]]);
        // The ship is still in line 13 times in 27, and three against two hold nothing; else the bombers hold a hex worth 3.
        let (table, mixes) = by_hand(3);
        assert_eq!(written(&table), ["70/27", "245/162", "455/243", "0"]);
        assert_eq!(mixes[0][0], (Action::Day, 1));
    }
}
