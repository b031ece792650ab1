//! Was it me or the dice? What every roll was worth, and what every choice gave away, on what the seat knew then.

mod choices;
mod rolls;
mod study;

use crate::record::{Entry, Record};
use flagplot_catalog::{Budget, Catalog};
use flagplot_kernel::{Refusal, Seat};
use rolls::Weighed;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
pub(crate) use study::standing;
use study::{Study, on_cores};

/// How thoroughly a game is analysed.
#[derive(Clone, Debug)]
pub struct LuckSettings {
    /// Games played out from each position around a roll, on average.
    pub games: u32,
    /// How long each choice is thought about again.
    pub budget: Budget,
    /// Pairs of games that compare the best answer found with the one given.
    pub pairs: u32,
    pub seed: u64,
    /// How many cores are used; the figures do not depend on it where the budget is a number of games.
    pub cores: usize,
}

impl Default for LuckSettings {
    fn default() -> Self {
        Self {
            games: 400,
            budget: Budget::Iterations(1000),
            pairs: 400,
            seed: 1,
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        }
    }
}

impl LuckSettings {
    /// Settings with which the analysis of this record takes about `time`: half for the rolls, half for the choices. A
    /// quick trial finds them.
    pub fn within(
        time: Duration,
        catalog: &Catalog,
        record: &Record,
        seed: u64,
        cores: usize,
    ) -> Result<Self, Refusal> {
        let quick = Self { games: 4, budget: Budget::Iterations(8), pairs: 8, seed, cores };
        let study = Study::new(catalog, record)?;
        let times = |begun: Instant| time.as_secs_f64() / 2.0 / begun.elapsed().as_secs_f64().max(1e-6);
        let begun = Instant::now();
        weighed(&study, &quick, || ());
        let rolls = times(begun);
        let begun = Instant::now();
        on_cores(cores, &choices::entries(&study), |_, &at| choices::loss(&study, at, &quick), || ());
        let choices = times(begun);
        let scaled =
            |quick: u32, times: f64, least: u32, most: u32| ((f64::from(quick) * times) as u32).clamp(least, most);
        Ok(Self {
            games: scaled(4, rolls, 12, 20_000),
            budget: Budget::Iterations(scaled(8, choices, 40, 4_000)),
            pairs: scaled(8, choices, 40, 4_000),
            ..quick
        })
    }
}

/// A point of the curve: the seat's chance to win when the record had so many entries.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "LuckPoint")]
pub struct Point {
    /// How many entries there were.
    pub at: usize,
    /// The chance to win, a draw counting a half.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// What a roll was worth to a seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RollLuck {
    /// Which entry of the record it is, from 1.
    pub at: usize,
    /// What was rolled, and for what.
    pub what: String,
    /// What it showed.
    pub faces: Vec<u8>,
    /// The chance to win after the roll less that before it.
    pub luck: f64,
    /// The standard error of it.
    pub error: f64,
}

/// What a choice gave away.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChoiceLoss {
    /// Which entry of the record it is, from 1.
    pub at: usize,
    /// The question's code.
    pub question: String,
    /// The question, as a sentence.
    pub text: String,
    /// What was answered.
    pub chosen: Value,
    /// What was answered, in words.
    pub chosen_label: String,
    /// The best answer that was found; the same if none was better.
    pub best: Value,
    /// The best answer in words.
    pub best_label: String,
    /// The chance to win with the best answer less that with the one chosen. By the error of the estimate it can come
    /// out below 0.
    pub loss: f64,
    /// The standard error of it.
    pub error: f64,
    /// Whether it followed a hint. Then the loss is at most the error: the player was told that this is as good as any.
    pub hinted: bool,
}

/// A seat's game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SeatAnalysis {
    /// Whose.
    pub seat: Seat,
    /// Its name.
    pub name: String,
    /// Every roll of the game, by either side, as this seat saw it.
    pub rolls: Vec<RollLuck>,
    /// Every choice of this seat.
    pub choices: Vec<ChoiceLoss>,
    /// The luck of all rolls together, with its standard error.
    pub luck: [f64; 2],
    /// What all choices gave away together, with its standard error.
    pub loss: [f64; 2],
    /// The chance to win through the game.
    pub curve: Vec<Point>,
}

/// The analysis of a game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Analysis {
    /// Each seat by itself: they know different things.
    pub seats: Vec<SeatAnalysis>,
    /// How the figures were found, and how far they can be trusted.
    pub method: String,
}

/// What the rolls were worth, for each seat. Where nothing is hidden, what one side gains the other loses, and the
/// games of one seat are enough.
fn weighed(study: &Study, settings: &LuckSettings, one_done: impl Fn() + Sync) -> Vec<Weighed> {
    let seats = study.desk.seats();
    let weigh = |at: usize| {
        rolls::weigh(study, Seat(at as u8), seats[at].side, settings.games, settings.seed, settings.cores, &one_done)
    };
    if !study.desk.game().open() {
        return (0..seats.len()).map(weigh).collect();
    }
    let first = weigh(0);
    let other = first.turned();
    seats.iter().map(|seat| if seat.side == seats[0].side { first.clone() } else { other.clone() }).collect()
}

/// Takes a record apart. `progress` hears how much of the work is done.
pub fn analyse(
    catalog: &Catalog,
    record: &Record,
    settings: &LuckSettings,
    progress: impl Fn(usize, usize) + Sync,
) -> Result<Analysis, Refusal> {
    let study = Study::new(catalog, record)?;
    let seats = study.desk.seats();
    let open = study.desk.game().open();
    let chosen = choices::entries(&study);
    let total = rolls::jobs(&study) * if open { 1 } else { seats.len() } + chosen.len();
    let finished = AtomicUsize::new(0);
    let one_done = || progress(finished.fetch_add(1, Ordering::Relaxed) + 1, total);
    let weighed = weighed(&study, settings, one_done);
    let losses: Vec<(Seat, ChoiceLoss)> =
        on_cores(settings.cores, &chosen, |_, &at| choices::loss(&study, at, settings), one_done)
            .into_iter()
            .flatten()
            .collect();
    let number = |moment: usize| if moment == 0 { 0 } else { study.entries[moment - 1].0 };
    let seats = seats.into_iter().zip(weighed).enumerate().map(|(at, (chair, weighed))| {
        let seat = Seat(at as u8);
        let rolls = weighed.rolls.iter().filter_map(|(entry, luck)| {
            let (at, Entry::Dice(faces)) = &study.entries[*entry] else { return None };
            Some(RollLuck {
                at: *at,
                what: study.answered[*entry].code.clone(),
                faces: faces.0.clone(),
                luck: luck.value,
                error: luck.error,
            })
        });
        let choices: Vec<ChoiceLoss> =
            losses.iter().filter(|(by, _)| *by == seat).map(|(_, loss)| loss.clone()).collect();
        SeatAnalysis {
            seat,
            name: chair.name,
            rolls: rolls.collect(),
            luck: [weighed.sum.value, weighed.sum.error],
            loss: [
                choices.iter().map(|choice| choice.loss).sum(),
                choices.iter().map(|choice| choice.error.powi(2)).sum::<f64>().sqrt(),
            ],
            choices,
            curve: weighed
                .curve
                .iter()
                .enumerate()
                .map(|(moment, worth)| Point { at: number(moment), value: worth.value, error: worth.error })
                .collect(),
        }
    });
    Ok(Analysis { seats: seats.collect(), method: method(settings) })
}

fn method(settings: &LuckSettings) -> String {
    format!(
        "The chance to win at each moment is the mean of games in worlds imagined from the seat's view, both sides \
         playing by instinct (a draw counts a half): {} games on average around each roll, more where they scatter and \
         fewer where they agree, a quarter as many elsewhere. The luck of a roll is the mean of what it changed in \
         games that have the same world and the same dice before and after it. Each choice was searched again ({}); \
         the best answer found and the one given were then played out in {} further pairs of games, so that the loss \
         is not the luck of the search; for choices made in secret it is reckoned against the opponent's mix in \
         equilibrium. A choice that followed a hint counts as no more than the error: the player was told that nothing \
         is clearly better. Errors are standard errors: twice as much is a 95% interval; where all games agree, we \
         assume one more game that disagrees. A position that the rules of thumb misjudge is misjudged here too.",
        settings.games, settings.budget, settings.pairs
    )
}
