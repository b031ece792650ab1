//! What every roll was worth to a seat.
//!
//! The moments of a step are weighed together: each game is played from the same world with the same dice at every one
//! of them, so that what a roll was worth is the mean of differences between games that are alike but for the roll.
//! Most of the games are spent where those differences scatter most.

use super::study::{Study, on_cores};
use crate::mean::{Mean, scatter};
use crate::record::Entry;
use flagplot_kernel::{Answer, Chance, Seat, Side};

/// The moments of one step that are weighed.
struct Step {
    /// Its first moment.
    first: usize,
    answers: Vec<Answer>,
    /// The moments, each named by how many answers stood.
    moments: Vec<usize>,
    /// Rolls within it: the entry, and the answers that stood before; there is one more after.
    rolls: Vec<(usize, usize)>,
    /// Those of the moments that a roll begins or ends with.
    around: Vec<usize>,
}

/// What a seat's games came to.
#[derive(Clone)]
pub(super) struct Weighed {
    /// The chance to win at each moment.
    pub curve: Vec<Mean>,
    /// What each roll was worth: the entry and the difference.
    pub rolls: Vec<(usize, Mean)>,
    /// All rolls together.
    pub sum: Mean,
}

impl Weighed {
    /// The same for the other side, where nothing is hidden.
    pub fn turned(&self) -> Self {
        let not = |mean: &Mean| Mean { value: 1.0 - mean.value, ..*mean };
        let minus = |mean: &Mean| Mean { value: -mean.value, ..*mean };
        Self {
            curve: self.curve.iter().map(not).collect(),
            rolls: self.rolls.iter().map(|(entry, mean)| (*entry, minus(mean))).collect(),
            sum: minus(&self.sum),
        }
    }
}

/// The steps of a study, with the moments that have to be weighed.
fn steps(study: &Study) -> Vec<Step> {
    let open = study.desk.game().open();
    let last = study.moments.len() - 1;
    let mut steps: Vec<Step> = Vec::new();
    let mut first = 0;
    while first <= last && study.moments[first].over.is_none() {
        let end = (first..=last)
            .take_while(|&at| study.moments[at].step == study.moments[first].step && study.moments[at].over.is_none())
            .last()
            .unwrap_or(first);
        let mut answers = study.moments[end].answers.clone();
        let within: Vec<usize> = (first..=end).map(|at| study.moments[at].answers.len()).collect();
        let mut rolls: Vec<(usize, usize)> = Vec::new();
        let mut around: Vec<usize> = Vec::new();
        for (entry, &before) in (first..=end).zip(&within) {
            let Some((_, Entry::Dice(faces))) = study.entries.get(entry) else { continue };
            around.push(before);
            // The roll that ends a step is tried in the same worlds if its effect is the same in all of them.
            if entry < end || open {
                rolls.push((entry, before));
                around.push(before + 1);
            }
            if entry == end && open {
                answers.push(Answer::Dice(faces.clone()));
            }
        }
        let after_roll = first > 0 && matches!(study.entries[first - 1].1, Entry::Dice(_));
        if after_roll && !open {
            around.push(0);
        }
        around.sort_unstable();
        around.dedup();
        let mut moments: Vec<usize> = within.iter().chain(&around).copied().collect();
        // After a roll that ended the step before, that step knows what this one begins with.
        if after_roll && open && !around.contains(&0) {
            moments.retain(|&answers| answers > 0);
        }
        moments.sort_unstable();
        moments.dedup();
        steps.push(Step { first, answers, moments, rolls, around });
        first = end + 1;
    }
    steps
}

/// The scores of games, for each step and each of its moments.
type Scores = Vec<Vec<Vec<Option<f64>>>>;

/// Plays games from each moment on, and finds what the rolls were worth to a seat.
pub(super) fn weigh(
    study: &Study,
    seat: Seat,
    side: Side,
    games: u32,
    seed: u64,
    cores: usize,
    one_done: impl Fn() + Sync,
) -> Weighed {
    let steps = steps(study);
    let game = study.desk.game().as_ref();
    let seed = Chance::stream(seed, u64::from(seat.0)).bits();
    let play = |at: usize, moments: &[usize], games: std::ops::Range<u32>| {
        let step = &steps[at];
        if moments.is_empty() || games.is_empty() {
            return vec![Vec::new(); moments.len()];
        }
        game.weigh(
            study.moments[step.first].position.as_ref(),
            &step.answers,
            seat,
            moments,
            games,
            Chance::stream(seed, at as u64).bits(),
        )
    };
    let first = (games / 4).max(games.min(8));
    let mut scores: Scores = on_cores(cores, &steps, |at, step| play(at, &step.moments, 0..first), &one_done);
    let more = share_out(study, &steps, &scores, games - first);
    let further: Scores =
        on_cores(cores, &more, |at, more| play(at, &steps[at].around, first..first + more), &one_done);
    for ((step, all), new) in steps.iter().zip(&mut scores).zip(further) {
        for (answers, new) in step.around.iter().zip(new) {
            if let Ok(at) = step.moments.binary_search(answers) {
                all[at].extend(new);
            }
        }
    }
    reckon(study, side, &steps, &scores)
}

/// How many jobs [`weigh`] has.
pub(super) fn jobs(study: &Study) -> usize {
    2 * steps(study).len()
}

fn at<'a>(step: &Step, scores: &'a [Vec<Option<f64>>], answers: usize) -> &'a [Option<f64>] {
    step.moments.binary_search(&answers).map_or(&[], |at| &scores[at])
}

/// The differences game by game; none if some games were not possible at one of the moments, which must not be left out
/// at the other.
fn pairs(before: &[Option<f64>], after: &[Option<f64>]) -> Option<Vec<f64>> {
    before.iter().zip(after).map(|(before, after)| Some((*after)? - (*before)?)).collect()
}

fn mean(scores: &[Option<f64>]) -> Mean {
    Mean::of(&scores.iter().flatten().copied().collect::<Vec<_>>())
}

/// Further games for each step, as many in all as `games` from each moment around a roll would cost: more where rolls
/// scatter, fewer where games are long.
fn share_out(study: &Study, steps: &[Step], scores: &Scores, games: u32) -> Vec<u32> {
    let all = study.entries.len().max(1) as f64;
    let wants: Vec<(f64, f64)> = steps
        .iter()
        .zip(scores)
        .map(|(step, scores)| {
            let length = 0.1 + (all - step.first as f64) / all;
            let cost = length * step.around.len() as f64;
            let roll = |before: usize, after: &[Option<f64>]| {
                let differences = pairs(at(step, scores, before), after).unwrap_or_default();
                let n = differences.len() as f64;
                (scatter(&differences, differences.iter().sum::<f64>() / n.max(1.0)) + 0.25) / (n + 1.0)
            };
            // Moments whose other side lies in another step scatter as they are.
            let apart = step.around.len().saturating_sub(2 * step.rolls.len()) as f64 * 0.25;
            (
                step.rolls.iter().map(|&(_, before)| roll(before, at(step, scores, before + 1))).sum::<f64>() + apart,
                cost,
            )
        })
        .collect();
    let total = f64::from(games) * wants.iter().map(|(_, cost)| cost).sum::<f64>();
    let norm = wants.iter().map(|(scatter, cost)| (scatter * cost).sqrt()).sum::<f64>();
    let share = |&(scatter, cost): &(f64, f64)| {
        if cost > 0.0 && norm > 0.0 { (total * (scatter / cost).sqrt() / norm) as u32 } else { 0 }
    };
    wants.iter().map(share).collect()
}

fn reckon(study: &Study, side: Side, steps: &[Step], scores: &Scores) -> Weighed {
    let mut curve: Vec<Mean> = Vec::with_capacity(study.moments.len());
    for (n, moment) in study.moments.iter().enumerate() {
        let step = steps.partition_point(|step| step.first <= n).saturating_sub(1);
        let known =
            |step: usize, answers: usize| steps.get(step).map_or(&[][..], |which| at(which, &scores[step], answers));
        curve.push(match moment.over {
            Some(winner) => {
                Mean { value: winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 }), error: 0.0 }
            }
            None => {
                let here = known(step, moment.answers.len());
                let before =
                    if here.is_empty() && step > 0 { known(step - 1, steps[step - 1].answers.len()) } else { here };
                mean(before)
            }
        });
    }
    let mut rolls: Vec<(usize, Mean)> = Vec::new();
    let (mut sum, mut square) = (0.0, 0.0);
    for (which, step) in steps.iter().enumerate() {
        // All rolls of a step together, game by game.
        let mut together: Option<Vec<f64>> = None;
        for &(entry, before) in &step.rolls {
            match pairs(at(step, &scores[which], before), at(step, &scores[which], before + 1)) {
                Some(differences) => {
                    rolls.push((entry, Mean::of(&differences)));
                    together = Some(match together {
                        Some(sums) => sums.iter().zip(&differences).map(|(sum, difference)| sum + difference).collect(),
                        None => differences,
                    });
                }
                None => {
                    let difference =
                        mean(at(step, &scores[which], before + 1)).less(mean(at(step, &scores[which], before)));
                    rolls.push((entry, difference));
                    (sum, square) = (sum + difference.value, square + difference.error.powi(2));
                }
            }
        }
        if let Some(differences) = together {
            let all = Mean::of(&differences);
            (sum, square) = (sum + all.value, square + all.error.powi(2));
        }
    }
    for (entry, (_, what)) in study.entries.iter().enumerate() {
        if matches!(what, Entry::Dice(_)) && !rolls.iter().any(|(known, _)| *known == entry) {
            let difference = curve[entry + 1].less(curve[entry]);
            rolls.push((entry, difference));
            (sum, square) = (sum + difference.value, square + difference.error.powi(2));
        }
    }
    rolls.sort_by_key(|(entry, _)| *entry);
    Weighed { curve, rolls, sum: Mean { value: sum, error: square.sqrt() } }
}
