//! Was it me or the dice? What every roll was worth, and what every choice gave away, on what the seat knew then.

use crate::desk::Desk;
use crate::record::{Entry, Record};
use crate::words::in_words;
use flagplot_catalog::{AnyGame, Budget, Catalog, Position, Settings, Worth};
use flagplot_kernel::{Answer, Chance, Question, Refusal, Seat, SeatQuestion, Side};
use serde::Serialize;
use serde_json::Value;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How carefully a game is looked at.
#[derive(Clone, Debug)]
pub struct LuckSettings {
    /// Games played out from each position.
    pub games: u32,
    /// How long each choice is thought about again.
    pub budget: Budget,
    /// The seed of all of it.
    pub seed: u64,
    /// How many cores are used; the figures do not depend on it where the budget is a number of games.
    pub cores: usize,
}

impl Default for LuckSettings {
    fn default() -> Self {
        Self { games: 400, budget: Budget::Iterations(1000), seed: 1, cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get) }
    }
}

/// A point of the curve: the seat's chance to win when the record had so many entries.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(rename = "LuckPoint"))]
pub struct Point {
    /// How many entries there were.
    pub at: usize,
    /// The chance to win, a draw counting a half.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// What a roll was worth to a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
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
    /// The chance to win with the best answer less that with the one chosen. By the error of the estimate it can come out below 0.
    pub loss: f64,
    /// The standard error of it.
    pub error: f64,
}

/// A seat's game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatAnalysis {
    /// Whose.
    pub seat: Seat,
    /// Its name.
    pub name: String,
    /// Every roll of the game, by anybody, as this seat saw it.
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

/// A game taken apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Analysis {
    /// Each seat by itself: they know different things.
    pub seats: Vec<SeatAnalysis>,
    /// How the figures were found, and how far they can be trusted.
    pub method: String,
}

/// The game between two entries.
struct Moment {
    position: Position,
    answers: Vec<Answer>,
    /// The side that has won, `Some(None)` for a draw, once it is over.
    over: Option<Option<Side>>,
    /// Whether nothing has changed that anybody knows of: an answer was sealed.
    same: bool,
}

impl Moment {
    fn of(desk: &Desk) -> Self {
        let same = matches!(desk.question(), Some(Question::Secret { sealed, .. }) if !sealed.is_empty());
        Self { position: desk.checkpoint().clone_box(), answers: desk.answers().to_vec(), over: desk.outcome().map(|outcome| outcome.winner), same }
    }
}

/// What was asked, and what was answered, in words.
#[derive(Clone, Default)]
struct Asked {
    code: String,
    text: String,
    chosen: String,
    question: Option<SeatQuestion>,
}

/// What has to be reckoned, one piece at a time.
enum Job {
    Value { seat: usize, moment: usize },
    Choice { at: usize },
}

enum Done {
    Value(Worth),
    Choice(Option<Box<ChoiceLoss>>),
}

/// Entries that stand: those taken back are left out, and so is the taking back.
fn standing(entries: &[Entry]) -> Vec<(usize, Entry)> {
    let mut out: Vec<(usize, Entry)> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if matches!(entry, Entry::Undo { .. }) {
            out.pop();
        } else {
            out.push((at + 1, entry.clone()));
        }
    }
    out
}

/// Takes a record apart. `progress` hears how much of the work is done.
pub fn analyse(catalog: &Catalog, record: &Record, settings: &LuckSettings, progress: impl Fn(usize, usize) + Sync) -> Result<Analysis, Refusal> {
    let entries = standing(&record.entries);
    let mut desk = Record { entries: Vec::new(), ..record.clone() }.replay(catalog, None)?;
    let mut moments = vec![Moment::of(&desk)];
    let mut asked: Vec<Asked> = Vec::new();
    for (at, entry) in &entries {
        asked.push(match entry {
            Entry::Dice(_) => Asked { code: desk.dice_due().map_or(String::new(), |(count, die, what)| format!("{count}{die}: {what}")), ..Asked::default() },
            Entry::Answer { seat, value } => desk.question_to(*seat).map_or_else(Asked::default, |question| Asked {
                code: question.prompt.code.to_owned(),
                text: question.prompt.text.clone(),
                chosen: in_words(question, value),
                question: Some(question.clone()),
            }),
            _ => Asked::default(),
        });
        desk.apply(entry.clone()).map_err(|refusal| Refusal::new("illegal-record", format!("Entry {at} of the record is not legal: {refusal}")))?;
        moments.push(Moment::of(&desk));
    }
    let game = desk.game().as_ref();
    let chairs = desk.seats();
    let mut jobs: Vec<Job> = (0..chairs.len()).flat_map(|seat| (0..moments.len()).map(move |moment| Job::Value { seat, moment })).collect();
    let values = jobs.len();
    jobs.extend(entries.iter().enumerate().filter(|(_, (_, entry))| matches!(entry, Entry::Answer { .. })).map(|(at, _)| Job::Choice { at }));
    let sides: Vec<Side> = chairs.iter().map(|chair| chair.side).collect();
    let work = |number: usize, job: &Job| {
        let mut chance = Chance::stream(settings.seed, number as u64);
        match *job {
            Job::Value { seat, moment } => Done::Value(value(game, &moments[moment], seat, sides[seat], settings.games, &mut chance)),
            Job::Choice { at } => {
                let (number, entry) = &entries[at];
                let Entry::Answer { seat, value } = entry else { return Done::Choice(None) };
                Done::Choice(loss(game, &moments[at], *seat, value, settings, &mut chance).map(|found| {
                    let Asked { code, text, chosen, question } = asked[at].clone();
                    let better =
                        question.filter(|_| !found.best_label.is_empty()).map(|question| in_words(&question, &found.best)).filter(|words| !words.starts_with(['{', '[']));
                    let best_label = better.unwrap_or_else(|| found.best_label.clone());
                    Box::new(ChoiceLoss { at: *number, question: code, text, chosen_label: chosen, best_label, ..found })
                }))
            }
        }
    };
    let done = on_cores(settings.cores, &jobs, work, progress);
    let worth = |seat: usize, moment: usize| match &done[seat * moments.len() + moment] {
        Some(Done::Value(worth)) => *worth,
        _ => Worth { value: 0.5, error: 0.5, games: 0 },
    };
    let losses: Vec<ChoiceLoss> = done[values..].iter().filter_map(|done| if let Some(Done::Choice(found)) = done { found.as_deref().cloned() } else { None }).collect();
    let seats = chairs
        .iter()
        .enumerate()
        .map(|(seat, chair)| {
            let mut known: Vec<Worth> = Vec::with_capacity(moments.len());
            for (moment, at) in moments.iter().zip(0..) {
                known.push(if moment.same && at > 0 { known[at - 1] } else { worth(seat, at) });
            }
            let mut weights = vec![0i32; moments.len()];
            let mut rolls = Vec::new();
            for (at, (number, entry)) in entries.iter().enumerate() {
                let Entry::Dice(faces) = entry else { continue };
                weights[at] -= 1;
                weights[at + 1] += 1;
                let (before, after) = (known[at], known[at + 1]);
                rolls.push(RollLuck {
                    at: *number,
                    what: asked[at].code.clone(),
                    faces: faces.0.clone(),
                    luck: after.value - before.value,
                    error: before.error.hypot(after.error),
                });
            }
            // The value between two rolls is added and taken away again, so that its error does not count.
            let error = weights.iter().zip(&known).map(|(&weight, worth)| (f64::from(weight) * worth.error).powi(2)).sum::<f64>().sqrt();
            let by_seat = |at: &usize| entries.iter().any(|(number, entry)| number == at && matches!(entry, Entry::Answer { seat: by, .. } if usize::from(by.0) == seat));
            let choices: Vec<ChoiceLoss> = losses.iter().filter(|loss| by_seat(&loss.at)).cloned().collect();
            SeatAnalysis {
                seat: Seat(seat as u8),
                name: chair.name.clone(),
                luck: [rolls.iter().map(|roll| roll.luck).sum(), error],
                loss: [choices.iter().map(|choice| choice.loss).sum(), choices.iter().map(|choice| choice.error.powi(2)).sum::<f64>().sqrt()],
                rolls,
                choices,
                curve: known
                    .iter()
                    .enumerate()
                    .map(|(at, worth)| Point { at: if at == 0 { 0 } else { entries[at - 1].0 }, value: worth.value, error: worth.error })
                    .collect(),
            }
        })
        .collect();
    let method = format!(
        "The chance to win at each moment is the mean of {} games in worlds imagined from the seat's view, both sides playing by instinct (a draw counts a half). \
         The luck of a roll is that chance after the roll less that before it. Each choice was searched again ({}); the best answer found and the one given were then \
         played out in {} further pairs of games, so that the loss is not the luck of the search; for choices made in secret it is reckoned against the opponent's mix in equilibrium. \
         Errors are standard errors: twice as much is a 95% interval. What instinct misjudges on both sides, these figures misjudge too.",
        settings.games, settings.budget, settings.games
    );
    Ok(Analysis { seats, method })
}

fn value(game: &dyn AnyGame, moment: &Moment, seat: usize, side: Side, games: u32, chance: &mut Chance) -> Worth {
    match moment.over {
        Some(winner) => Worth { value: winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 }), error: 0.0, games: 0 },
        None => game.weigh(moment.position.as_ref(), &moment.answers, Seat(seat as u8), games, chance),
    }
}

fn loss(game: &dyn AnyGame, before: &Moment, seat: Seat, chosen: &Value, settings: &LuckSettings, chance: &mut Chance) -> Option<ChoiceLoss> {
    let mut how = Settings::new(settings.budget).on_one_core();
    how.also = vec![chosen.clone()];
    how.margin = 0.0;
    let position = before.position.as_ref();
    let thought = game.search(position, &before.answers, seat, &how, chance)?;
    let found = |best: &Value, label: &str, loss: f64, error: f64| {
        Some(ChoiceLoss {
            at: 0,
            question: String::new(),
            text: String::new(),
            chosen: chosen.clone(),
            chosen_label: String::new(),
            best: best.clone(),
            best_label: label.to_owned(),
            loss,
            error,
        })
    };
    let given = thought.alternatives.iter().find(|alternative| alternative.value == *chosen);
    if let (Some(given), true) = (given, thought.alternatives.iter().any(|alternative| alternative.share.is_some())) {
        let best = thought.alternatives.iter().max_by(|a, b| a.estimate.total_cmp(&b.estimate))?;
        let error = if best.value == given.value { 0.0 } else { best.error.hypot(given.error) };
        return found(&best.value, &best.label, best.estimate - given.estimate, error);
    }
    if thought.value == *chosen {
        return found(chosen, "", 0.0, 0.0);
    }
    let label = thought.alternatives.iter().find(|alternative| alternative.value == thought.value).map_or("", |alternative| alternative.label.as_str());
    let compared = game.compare(position, &before.answers, seat, &thought.value, chosen, settings.games, chance);
    found(&thought.value, label, compared.difference, compared.error)
}

/// Does all jobs on so many threads; the results come in the order of the jobs.
fn on_cores(cores: usize, jobs: &[Job], work: impl Fn(usize, &Job) -> Done + Sync, progress: impl Fn(usize, usize) + Sync) -> Vec<Option<Done>> {
    let results: Mutex<Vec<Option<Done>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..cores.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let done = work(at, job);
                    if let Ok(mut results) = results.lock() {
                        results[at] = Some(done);
                    }
                    progress(finished.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}
