//! How a sensible player mixes secret choices, from exact equilibria of the tables in use.

use crate::combat::{Guns, Line, Striker};
use crate::data::Rules;
use crate::detection::Column;
use crate::duels::{ValueMatrix, search_duel, stance_matrix, strike_matrix};
use crate::words::{Markers, Role, Stance};
use dashu_ratio::RBig;
use flagplot_odds::weights;

/// Mixes worked out once for a game, as weights.
pub(crate) struct Mixes {
    /// Fighters of about the same strength.
    pub even: [u64; 3],
    pub strong: [u64; 3],
    pub weak: [u64; 3],
    /// Fighters against bombers.
    pub hunters: [u64; 3],
    /// Bombers against fighters.
    pub hunted: [u64; 3],
    /// Strikers, by whether the carrier is crippled.
    pub strikers: [[u64; 3]; 2],
    /// Guns, likewise.
    pub guns: [[u64; 3]; 2],
    /// Detection numbers of the searcher and of the hider, by the searcher's column.
    numbers: [[[u64; 4]; 2]; 2],
}

/// Shares as whole weights; all alike where they are too fine for that.
fn weighed<const N: usize>(shares: &[RBig]) -> [u64; N] {
    weights(shares).and_then(|weights| weights.try_into().ok()).unwrap_or([1; N])
}

impl Mixes {
    pub(super) fn new(rules: &Rules) -> Self {
        fn line(role: Role, squadrons: &[(u8, u8)]) -> Line<'_> {
            Line { role, squadrons, stance: Stance::Instinctive, markers: Markers::default() }
        }
        let fight = |first: (Role, u8), second: (Role, u8)| {
            stance_matrix(rules, &line(first.0, &[(first.1, 4)]), &line(second.0, &[(second.1, 4)]), &RBig::ONE)
        };
        let strike = |hits| {
            let guns = Guns { hits, aa: rules.carrier.aa_by_hits };
            strike_matrix(rules, &Striker::plain(12, false), &guns, &RBig::from(3))
        };
        let rows = |matrix: &ValueMatrix| weighed(&matrix.play.rows);
        let columns = |matrix: &ValueMatrix| weighed(&matrix.play.columns);
        let even = fight((Role::Fighter, 12), (Role::Fighter, 12));
        let uneven = fight((Role::Fighter, 12), (Role::Fighter, 8));
        let hunt = fight((Role::Fighter, 12), (Role::Strike, 12));
        let strikes = [strike(0), strike(rules.carrier.crippled_at)];
        Self {
            even: rows(&even),
            strong: rows(&uneven),
            weak: columns(&uneven),
            hunters: rows(&hunt),
            hunted: columns(&hunt),
            strikers: [rows(&strikes[0]), rows(&strikes[1])],
            guns: [columns(&strikes[0]), columns(&strikes[1])],
            numbers: [Column::CombatOrCv, Column::Recce].map(|column| {
                let play = search_duel(rules, column);
                [weighed(&play.rows), weighed(&play.columns)]
            }),
        }
    }

    /// The detection numbers 1 to 4 of the searcher or of the hider.
    pub(super) fn numbers(&self, column: Column, searching: bool) -> &[u64; 4] {
        &self.numbers[column as usize][usize::from(!searching)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::FILE;

    /// Another detection table is searched with other numbers.
    #[test]
    fn detection_numbers_follow_the_table() {
        let printed = "recce        = [true, false, true, true, true, false, true]";
        let mut files = crate::files();
        let text = files.text(FILE).unwrap();
        assert!(text.contains(printed));
        // Scouts find their target by nothing but a total of 2 or 4.
        let changed = text.replace(printed, "recce = [true, false, true, false, false, false, false]");
        files.lay(FILE, changed);
        let mixes = |files| Mixes::new(&Rules::read(&files).unwrap());
        let (printed, changed) = (mixes(crate::files()), mixes(files));
        assert_eq!(printed.numbers(Column::Recce, true), &[1; 4]);
        assert_eq!(changed.numbers(Column::Recce, false), &[0, 0, 0, 1], "a hider is safe with a 4");
        for searching in [true, false] {
            let same = printed.numbers(Column::CombatOrCv, searching);
            assert_eq!(changed.numbers(Column::CombatOrCv, searching), same);
            assert_eq!((same[0] + same[3], same[1]), (same[2], same[2]), "a third each on 1 or 4, on 2 and on 3");
        }
    }
}
