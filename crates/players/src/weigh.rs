//! What a position is worth to a seat, and one answer against another, by games played out from what the seat knows.

use crate::knowledge::Knowledge;
use crate::policy::BY_INSTINCT;
use crate::search::game::{Plan, Until, play};
use flagplot_kernel::{Chance, Game, Side};
use serde::Serialize;
use serde_json::Value;

/// One answer against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// By how much the first answer wins more often than the second.
    pub difference: f64,
    /// The standard error of the difference. Both are tried in the same worlds with the same dice, as far as the games
    /// allow.
    pub error: f64,
    /// How many pairs of games were imagined.
    pub games: u32,
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

fn sides<G: Game>(knowledge: &Knowledge<'_, G>) -> Vec<Side> {
    knowledge.game().seats().iter().map(|seat| seat.side).collect()
}

/// A score for the knowing side; a game that would not end counts as a draw.
fn score<G: Game>(knowledge: &Knowledge<'_, G>, sides: &[Side], plan: Plan<'_>, chance: &mut Chance) -> Option<f64> {
    let played = play(knowledge, sides, plan, None, BY_INSTINCT, Until::End(u32::MAX), chance)?;
    let first = played.ending.score().unwrap_or(0.5);
    Some(if knowledge.side() == Side::First { first } else { 1.0 - first })
}

/// What a step is worth to the seat at several of its moments, each named by how many of the step's answers stood: the
/// score of each game, by moment.
///
/// Worlds are imagined from what the seat knows and played out by instinct on both sides, a draw counting a half. A
/// game begins in the same world at every moment and meets the same dice, as far as the games allow, so that moments
/// can be compared game by game. None where the world does not allow the answers.
pub fn weigh<G: Game>(
    knowledge: &Knowledge<'_, G>,
    moments: &[usize],
    games: std::ops::Range<u32>,
    seed: u64,
) -> Vec<Vec<Option<f64>>> {
    let sides = sides(knowledge);
    let along = moments.iter().map(|&answers| knowledge.after(answers));
    along
        .map(|then| {
            games
                .clone()
                .map(|n| score(&then, &sides, Plan::Nothing, &mut Chance::stream(seed, u64::from(n))))
                .collect()
        })
        .collect()
}

/// What each of several answers to the question the seat is asked is worth to it: the score of each game, by answer.
///
/// A game begins in the same world for every answer and meets the same dice, as far as the games allow, so that answers
/// can be compared game by game. None where the world does not allow the answer.
pub fn worth<G: Game>(
    knowledge: &Knowledge<'_, G>,
    values: &[&Value],
    games: std::ops::Range<u32>,
    seed: u64,
) -> Vec<Vec<Option<f64>>> {
    let sides = sides(knowledge);
    let run = |own: &Value, n: u32| {
        score(knowledge, &sides, Plan::Answers { own, rival: None }, &mut Chance::stream(seed, u64::from(n)))
    };
    values.iter().map(|own| games.clone().map(|n| run(own, n)).collect()).collect()
}

/// How much better `one` is than `two` as the answer to the question the seat is asked.
pub fn compare<G: Game>(
    knowledge: &Knowledge<'_, G>,
    one: &Value,
    two: &Value,
    games: u32,
    chance: &mut Chance,
) -> Comparison {
    let scores = worth(knowledge, &[one, two], 0..games, chance.bits());
    let differences: Vec<f64> =
        scores[0].iter().zip(&scores[1]).filter_map(|(one, two)| Some((*one)? - (*two)?)).collect();
    let (difference, error) = moments(&differences);
    Comparison { difference, error, games: differences.len() as u32 }
}
