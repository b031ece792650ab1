//! From how an imagined game ended to a number between 0 and 1.

use flagplot_kernel::{Side, Standing};

/// How an imagined game ended, or where it was cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    /// Who won: `Some(None)` is a draw, `None` a game that was cut before its end.
    pub result: Option<Option<Side>>,
    /// Thousandths of points of the first side before the second, at the end or at the cut.
    pub standing: Standing,
}

impl Ending {
    /// 1 if the first side won, 0 if it lost, a half for a draw.
    pub fn score(self) -> Option<f64> {
        self.result.map(|winner| match winner {
            Some(Side::First) => 1.0,
            None => 0.5,
            Some(Side::Second) => 0.0,
        })
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What endings are worth to the first side, measured by games played out from the position itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The usual standing, and how far standings lie apart.
    middle: f64,
    spread: f64,
    /// The chance to win from a standing at the cut is logistic(offset + slope · standing / spread).
    offset: f64,
    slope: f64,
    /// The part of the margin in the worth; the rest is winning.
    margin: f64,
}

impl Scale {
    /// Measures endings of whole games, each with the standing where it would have been cut.
    pub fn fit(samples: &[(Standing, Ending)], margin: f64) -> Self {
        let n = samples.len().max(1) as f64;
        let ends = || samples.iter().map(|(_, ending)| ending.standing as f64);
        let middle = ends().sum::<f64>() / n;
        let spread = (ends().map(|end| (end - middle).powi(2)).sum::<f64>() / n).sqrt().max(500.0);
        // Logistic regression with a prior of an even game and a sensible slope, by Newton's method.
        let prior = [(0.0, 2.0), (1.5, 0.5)];
        let (mut offset, mut slope) = (0.0, 1.5);
        for _ in 0..12 {
            let mut gradient = [(prior[0].0 - offset) / prior[0].1, (prior[1].0 - slope) / prior[1].1];
            let mut curve = [[1.0 / prior[0].1, 0.0], [0.0, 1.0 / prior[1].1]];
            for (cut, ending) in samples {
                let Some(score) = ending.score() else { continue };
                let x = (*cut as f64 / spread).clamp(-8.0, 8.0);
                let p = logistic(offset + slope * x);
                let weight = (p * (1.0 - p)).max(1e-6);
                gradient[0] += score - p;
                gradient[1] += (score - p) * x;
                curve[0][0] += weight;
                curve[0][1] += weight * x;
                curve[1][1] += weight * x * x;
            }
            curve[1][0] = curve[0][1];
            let det = curve[0][0] * curve[1][1] - curve[0][1] * curve[1][0];
            offset = (offset + (gradient[0] * curve[1][1] - gradient[1] * curve[0][1]) / det).clamp(-6.0, 6.0);
            slope = (slope + (gradient[1] * curve[0][0] - gradient[0] * curve[1][0]) / det).clamp(0.1, 6.0);
        }
        Self { middle, spread, offset, slope, margin }
    }

    /// What an ending is worth to the first side, from 0 to 1.
    pub fn worth(&self, ending: Ending) -> f64 {
        let standing = ending.standing as f64;
        let winning = ending
            .score()
            .unwrap_or_else(|| logistic(self.offset + self.slope * (standing / self.spread).clamp(-8.0, 8.0)));
        (1.0 - self.margin) * winning + self.margin * logistic(1.5 * (standing - self.middle) / self.spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(standing: Standing, winner: Option<Side>) -> (Standing, Ending) {
        (standing, Ending { result: Some(winner), standing })
    }

    #[test]
    fn a_win_is_worth_more_than_a_draw_and_a_greater_win_more_than_a_small_one() {
        let samples: Vec<_> =
            (-8..8).map(|n| ended(n * 1000, Some(if n > 2 { Side::First } else { Side::Second }))).collect();
        let scale = Scale::fit(&samples, 0.15);
        let worth = |standing, winner| scale.worth(ended(standing, winner).1);
        assert!(worth(9000, Some(Side::First)) > worth(4000, Some(Side::First)));
        assert!(worth(4000, Some(Side::First)) > worth(9000, None));
        assert!(worth(0, None) > worth(0, Some(Side::Second)));
    }

    #[test]
    fn a_cut_game_counts_by_the_winners_seen_from_such_standings() {
        // Games are won from 10,000 on, as under a par of 10.
        let samples: Vec<_> =
            (0..40).map(|n| ended(n * 500, Some(if n >= 20 { Side::First } else { Side::Second }))).collect();
        let scale = Scale::fit(&samples, 0.0);
        let cut = |standing| scale.worth(Ending { result: None, standing });
        assert!(cut(0) < 0.25 && cut(19_000) > 0.75, "{} {}", cut(0), cut(19_000));
        assert!((cut(10_000) - 0.5).abs() < 0.15, "{}", cut(10_000));
    }
}
