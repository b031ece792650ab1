//! What each answer to a puzzle is worth, and whether one of them is clearly the best.

use crate::Desk;
use crate::mean::Mean;
use flagplot_kernel::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// By how much the best answer of a new puzzle wins more often than any other, at the least.
const LEAST_GAP: f64 = 0.03;
/// How many standard errors the gap of a new puzzle lies above that, and above nothing.
const NEW: [f64; 2] = [4.0, 6.0];
/// How many standard errors the gap lies above nothing when a puzzle is proved again.
const AGAIN: f64 = 3.0;
/// How many standard errors a figure may have moved when a puzzle is proved again.
const MOVED: f64 = 5.0;
/// The share of imagined games that may fail because their world does not allow what has been answered.
const FAILED: f64 = 0.1;

/// What an answer is worth: how often the seat wins with it, a draw counting a half, and how much more often with the
/// best answer, each with its standard error. Written as `[answer, worth, error, gap, error]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worth(pub Value, pub f64, pub f64, pub f64, pub f64);

impl Worth {
    /// The answer.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// How often the seat wins with it.
    #[must_use]
    pub fn worth(&self) -> f64 {
        self.1
    }

    /// The standard error of that.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.2
    }

    /// By how much the best answer is better; 0 for the best.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.3
    }

    /// The standard error of the gap, in the same worlds with the same dice.
    #[must_use]
    pub fn gap_error(&self) -> f64 {
        self.4
    }

    fn clear(&self, errors: f64) -> bool {
        self.gap() >= errors * self.gap_error()
    }
}

/// The scores of each answer, game by game.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores {
    by_answer: Vec<Vec<f64>>,
    /// Games tried.
    pub tried: u32,
}

impl Scores {
    /// Plays games of each answer, in worlds imagined from what the seat sees.
    pub fn play(desk: &Desk, seat: Seat, values: &[&Value], games: std::ops::Range<u32>, seed: u64) -> Self {
        let tried = games.len() as u32;
        let scores = desk.game().worth(desk.checkpoint(), desk.answers(), seat, values, games, seed);
        // A game counts where every answer could be played in its world.
        let whole: Vec<usize> = (0..tried as usize).filter(|&n| scores.iter().all(|one| one[n].is_some())).collect();
        let by_answer = scores.iter().map(|one| whole.iter().filter_map(|&n| one[n]).collect()).collect();
        Self { by_answer, tried }
    }

    /// Of some of the answers.
    pub fn only(mut self, answers: &[usize]) -> Self {
        self.by_answer = answers.iter().map(|&at| std::mem::take(&mut self.by_answer[at])).collect();
        self
    }

    /// The same with further games.
    pub fn and(mut self, more: Self) -> Self {
        for (own, more) in self.by_answer.iter_mut().zip(more.by_answer) {
            own.extend(more);
        }
        self.tried += more.tried;
        self
    }

    /// Games that counted.
    fn games(&self) -> usize {
        self.by_answer.first().map_or(0, Vec::len)
    }

    /// Whether almost all games could be played.
    pub fn sound(&self) -> bool {
        self.games() as f64 >= (1.0 - FAILED) * f64::from(self.tried) && self.games() > 0
    }

    /// The answer that won most.
    pub fn best(&self) -> usize {
        let won = |at: &usize| self.by_answer[*at].iter().sum::<f64>();
        (0..self.by_answer.len()).rev().max_by(|a, b| won(a).total_cmp(&won(b))).unwrap_or(0)
    }

    /// By how much one answer is better than another.
    pub fn gap(&self, one: usize, other: usize) -> Mean {
        let differences: Vec<f64> =
            self.by_answer[one].iter().zip(&self.by_answer[other]).map(|(one, other)| one - other).collect();
        Mean::of_differences(&differences)
    }

    /// What each answer is worth.
    pub fn worth(&self, values: &[&Value]) -> Vec<Worth> {
        let best = self.best();
        let round = |x: f64| (x * 10_000.0).round() / 10_000.0;
        let one = |(at, value): (usize, &&Value)| {
            let own = Mean::of(&self.by_answer[at]);
            let gap = if at == best { Mean { value: 0.0, error: 0.0 } } else { self.gap(best, at) };
            // An error is never rounded to nothing.
            let up = |x: f64| (x * 10_000.0).ceil() / 10_000.0;
            Worth((*value).clone(), round(own.value), up(own.error), round(gap.value), up(gap.error))
        };
        values.iter().enumerate().map(one).collect()
    }
}

/// The answers other than the best one.
fn others(worth: &[Worth], best: usize) -> impl Iterator<Item = &Worth> {
    worth.iter().enumerate().filter(move |(at, _)| *at != best).map(|(_, one)| one)
}

/// Whether one answer is so clearly the best that the position makes a puzzle.
pub(super) fn is_new(worth: &[Worth], best: usize) -> bool {
    let clear = |one: &Worth| one.clear(NEW[1]) && one.gap() - NEW[0] * one.gap_error() >= LEAST_GAP;
    others(worth, best).all(clear)
}

/// What is wrong with the stored figures of a puzzle by fresh ones, in words.
pub(super) fn faults(stored: &[Worth], best: usize, fresh: &Scores, name: impl Fn(&Value) -> String) -> Option<String> {
    if !fresh.sound() {
        return Some(format!("only {} of {} imagined games could be played", fresh.games(), fresh.tried));
    }
    let values: Vec<&Value> = stored.iter().map(Worth::value).collect();
    let found = fresh.worth(&values);
    for (at, (old, new)) in stored.iter().zip(&found).enumerate() {
        let gap = fresh.gap(best, at);
        if at != best && gap.value < AGAIN * gap.error {
            let [own, other] = [&stored[best], old].map(|one| name(one.value()));
            let percent = 100.0 * gap.value;
            return Some(format!("'{own}' is no longer clearly better than '{other}': by {percent:.1}% of a win"));
        }
        if (old.worth() - new.worth()).abs() > MOVED * old.error().hypot(new.error()) {
            let [was, is] = [old.worth(), new.worth()].map(|worth| 100.0 * worth);
            return Some(format!("'{}' won {was:.1}% and now wins {is:.1}%", name(old.value())));
        }
    }
    None
}
