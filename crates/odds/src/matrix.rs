//! Equilibria of two-person zero-sum matrix games, for choices made in secret at the same time.

use dashu_int::UBig;
use dashu_int::ops::Gcd;
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// A number that the simplex method can work in: exact fractions, or doubles.
pub trait Number: Clone + PartialOrd {
    /// A small whole number.
    fn whole(n: i64) -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// The quotient; `other` is not 0.
    fn over(&self, other: &Self) -> Self;
    /// Whether it is above 0 by more than rounding.
    fn is_positive(&self) -> bool;
}

impl Number for RBig {
    fn whole(n: i64) -> Self {
        RBig::from(n)
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn over(&self, other: &Self) -> Self {
        self / other
    }
    fn is_positive(&self) -> bool {
        *self > RBig::ZERO
    }
}

impl Number for f64 {
    fn whole(n: i64) -> Self {
        n as f64
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn over(&self, other: &Self) -> Self {
        self / other
    }
    fn is_positive(&self) -> bool {
        *self > 1e-12
    }
}

/// How both sides play a matrix game best, and what it is worth to the row side.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium<N> {
    /// What the row side can make sure of, and the column side can hold it to.
    pub value: N,
    /// The shares of the rows in an optimal mix.
    pub rows: Vec<N>,
    /// The shares of the columns in an optimal mix.
    pub columns: Vec<N>,
}

/// An equilibrium of the game in which the row side gets `payoff[row][column]`. The value is unique, the mixes need not
/// be.
///
/// The matrix must have a row and a column, and rows of one length.
pub fn equilibrium<N: Number>(payoff: &[Vec<N>]) -> Equilibrium<N> {
    let (rows, columns) = (payoff.len(), payoff.first().map_or(0, Vec::len));
    assert!(
        rows > 0 && columns > 0 && payoff.iter().all(|row| row.len() == columns),
        "a matrix game has rows and columns"
    );
    // Shift the payoffs above 0, so that the value is; then maximise the sum of y with A y <= 1.
    let least = payoff
        .iter()
        .flatten()
        .fold(payoff[0][0].clone(), |a, b| if b.partial_cmp(&a) == Some(Ordering::Less) { b.clone() } else { a });
    let shift = N::whole(1).minus(&least);
    let width = columns + rows + 1;
    let mut table: Vec<Vec<N>> = payoff
        .iter()
        .enumerate()
        .map(|(r, row)| {
            let mut line: Vec<N> = row.iter().map(|cell| cell.plus(&shift)).collect();
            line.extend((0..rows).map(|slack| N::whole(i64::from(slack == r))));
            line.push(N::whole(1));
            line
        })
        .collect();
    let mut goal: Vec<N> = (0..width).map(|at| N::whole(if at < columns { -1 } else { 0 })).collect();
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    // Bland's rule: the first column that gains, the first row that binds; it cannot go round in circles.
    while let Some(enter) = (0..width - 1).find(|&at| N::whole(0).minus(&goal[at]).is_positive()) {
        let mut leave: Option<(usize, N)> = None;
        for (r, line) in table.iter().enumerate() {
            if !line[enter].is_positive() {
                continue;
            }
            let ratio = line[width - 1].over(&line[enter]);
            let better = leave.as_ref().is_none_or(|(held, least)| match ratio.partial_cmp(least) {
                Some(Ordering::Less) => true,
                Some(Ordering::Equal) => basis[r] < basis[*held],
                _ => false,
            });
            if better {
                leave = Some((r, ratio));
            }
        }
        // It always is: all payoffs are positive, so the program is bounded.
        let Some((row, _)) = leave else { break };
        let pivot = table[row][enter].clone();
        for cell in &mut table[row] {
            *cell = cell.over(&pivot);
        }
        let line = table[row].clone();
        let clear = |target: &mut Vec<N>| {
            let factor = target[enter].clone();
            for (cell, pivot) in target.iter_mut().zip(&line) {
                *cell = cell.minus(&factor.times(pivot));
            }
        };
        for (r, target) in table.iter_mut().enumerate() {
            if r != row {
                clear(target);
            }
        }
        clear(&mut goal);
        basis[row] = enter;
    }
    let sum = goal[width - 1].clone();
    let mut mix = vec![N::whole(0); columns];
    for (line, &column) in table.iter().zip(&basis) {
        if column < columns {
            mix[column] = line[width - 1].over(&sum);
        }
    }
    Equilibrium {
        value: N::whole(1).over(&sum).minus(&shift),
        rows: (0..rows).map(|r| goal[columns + r].over(&sum)).collect(),
        columns: mix,
    }
}

/// Exact shares as whole weights with one sum. None if those would not fit.
#[must_use]
pub fn weights(shares: &[RBig]) -> Option<Vec<u64>> {
    let common = shares.iter().fold(UBig::ONE, |common, share| {
        let divisor = (&common).gcd(share.denominator());
        common * share.denominator() / divisor
    });
    // The weights add up to the common denominator, which a drawer of weights must be able to hold.
    u64::try_from(&common).ok()?;
    shares.iter().map(|share| u64::try_from((share * RBig::from(common.clone())).trunc()).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(payoff: &[&[i64]]) -> Equilibrium<RBig> {
        equilibrium(&payoff.iter().map(|row| row.iter().map(|&cell| RBig::from(cell)).collect()).collect::<Vec<_>>())
    }

    fn text(mix: &[RBig]) -> Vec<String> {
        mix.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn rock_scissors_paper_is_even() {
        let game = exact(&[&[0, 1, -1], &[-1, 0, 1], &[1, -1, 0]]);
        assert_eq!(game.value, RBig::ZERO);
        assert_eq!(text(&game.rows), ["1/3"; 3]);
        assert_eq!(text(&game.columns), ["1/3"; 3]);
    }

    #[test]
    fn weights_that_add_up_to_too_much_are_none() {
        let share = |part: u64| RBig::from(part) / RBig::from(u64::MAX);
        assert_eq!(weights(&[share(u64::MAX - 2), share(2)]), Some(vec![u64::MAX - 2, 2]));
        let half = RBig::from(1) / RBig::from(2);
        assert_eq!(weights(&[share(u64::MAX - 2) * half.clone(), share(2) * half.clone(), half]), None);
    }

    #[test]
    fn a_saddle_is_played_pure() {
        let game = exact(&[&[3, 5], &[2, 1]]);
        assert_eq!(game.value, RBig::from(3));
        assert_eq!(text(&game.rows), ["1", "0"]);
        assert_eq!(text(&game.columns), ["1", "0"]);
    }

    #[test]
    fn whole_weights_keep_the_shares() {
        let shares = ["1/6", "1/3", "1/2", "0"].map(|share| share.parse::<RBig>().unwrap());
        assert_eq!(weights(&shares), Some(vec![1, 2, 3, 0]));
        let fine = RBig::from_parts(1.into(), UBig::from(u64::MAX) * UBig::from(3u8));
        assert_eq!(weights(&[fine.clone(), RBig::ONE - fine]), None, "too fine for whole numbers of this size");
    }

    #[test]
    fn neither_side_can_do_better_against_the_other_s_mix() {
        let matrix: Vec<Vec<f64>> =
            (0..5).map(|r| (0..4).map(|c| f64::from((r * 7 + c * 11 + r * c * 5) % 13) - 6.0).collect()).collect();
        let game = equilibrium(&matrix);
        for row in &matrix {
            let gain: f64 = row.iter().zip(&game.columns).map(|(cell, share)| cell * share).sum();
            assert!(gain <= game.value + 1e-9);
        }
        for c in 0..4 {
            let gain: f64 = matrix.iter().zip(&game.rows).map(|(row, share)| row[c] * share).sum();
            assert!(gain >= game.value - 1e-9);
        }
    }
}
