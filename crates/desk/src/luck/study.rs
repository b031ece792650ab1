//! A record played again, with every moment kept.

use crate::desk::Desk;
use crate::record::{Entry, HintUse, Record};
use crate::words::in_words;
use flagplot_catalog::{Catalog, Position};
use flagplot_kernel::{Answer, Refusal, Seat, SeatQuestion, Side};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The game between two entries.
pub(super) struct Moment {
    pub position: Position,
    /// The answers of the step so far, those that are still sealed left out.
    pub answers: Vec<Answer>,
    /// Counts steps: moments with the same number have the same position.
    pub step: u64,
    /// The side that has won, `Some(None)` for a draw, once it is over.
    pub over: Option<Option<Side>>,
}

impl Moment {
    fn of(desk: &Desk) -> Self {
        Self {
            position: desk.checkpoint().clone_box(),
            answers: desk.answers().to_vec(),
            step: desk.derived.step,
            over: desk.outcome().map(|outcome| outcome.winner),
        }
    }
}

/// What was answered, and what was answered, in words.
#[derive(Clone, Default)]
pub(super) struct Answered {
    pub code: String,
    pub text: String,
    pub chosen: String,
    pub question: Option<SeatQuestion>,
}

/// A record played again: entry `n` leads from moment `n` to the one after it.
pub(super) struct Study {
    pub desk: Desk,
    /// The entries that stand, each with its number in the record, from 1.
    pub entries: Vec<(usize, Entry)>,
    pub answered: Vec<Answered>,
    pub moments: Vec<Moment>,
    /// All entries, those taken back included.
    all: Vec<Entry>,
}

/// Entries that stand: those taken back are left out, and so is the taking back.
pub(crate) fn standing(entries: &[Entry]) -> Vec<(usize, Entry)> {
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

impl Study {
    pub fn new(catalog: &Catalog, record: &Record) -> Result<Self, Refusal> {
        let entries = standing(&record.entries);
        let mut desk = Record { entries: Vec::new(), ..record.clone() }.replay(catalog, None)?;
        let mut moments = vec![Moment::of(&desk)];
        let mut answered: Vec<Answered> = Vec::new();
        for (at, entry) in &entries {
            answered.push(match entry {
                Entry::Dice(_) => Answered {
                    code: desk.dice_due().map_or(String::new(), |(count, die, what)| format!("{count}{die}: {what}")),
                    ..Answered::default()
                },
                Entry::Answer { seat, value } => {
                    desk.question_to(*seat).map_or_else(Answered::default, |question| Answered {
                        code: question.prompt.code.to_owned(),
                        text: question.prompt.text.clone(),
                        chosen: in_words(question, value),
                        question: Some(question.clone()),
                    })
                }
                _ => Answered::default(),
            });
            desk.apply(entry.clone()).map_err(|refusal| {
                Refusal::new("illegal-record", format!("Entry {at} of the record is not legal: {refusal}"))
            })?;
            moments.push(Moment::of(&desk));
        }
        Ok(Self { desk, entries, answered, moments, all: record.entries.clone() })
    }

    /// The last hint that a seat was given for the question that entry `number` of the record answers. What the seat
    /// answered since then, it has taken back.
    pub fn hint(&self, number: usize, seat: Seat) -> Option<&HintUse> {
        let open = |hint: &&HintUse| {
            let since = self.all.get(hint.at..number - 1).unwrap_or_default();
            let count =
                |wanted: fn(&Entry) -> Option<Seat>| since.iter().filter(|entry| wanted(entry) == Some(seat)).count();
            let answers = count(|entry| if let Entry::Answer { seat, .. } = entry { Some(*seat) } else { None });
            let undone = count(|entry| if let Entry::Undo { seat } = entry { Some(*seat) } else { None });
            hint.seat == seat && hint.at < number && answers == undone
        };
        self.desk.header().hints.iter().rev().find(open)
    }
}

/// Does all jobs on `cores` threads; the results come in the order of the jobs.
pub(super) fn on_cores<J: Sync, D: Send>(
    cores: usize,
    jobs: &[J],
    work: impl Fn(usize, &J) -> D + Sync,
    one_done: impl Fn() + Sync,
) -> Vec<D> {
    if cores <= 1 {
        // On this thread, so that a limit on its work holds.
        let one = |(at, job)| {
            let done = work(at, job);
            one_done();
            done
        };
        return jobs.iter().enumerate().map(one).collect();
    }
    let results: Mutex<Vec<(usize, D)>> = Mutex::new(Vec::with_capacity(jobs.len()));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..cores.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let done = work(at, job);
                    if let Ok(mut results) = results.lock() {
                        results.push((at, done));
                    }
                    one_done();
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, done)| done).collect()
}
