//! A deterministic simulation of whole servers.
//!
//! One seed decides everything: several processes with the real router and the real upkeep, over one simulated
//! database, with simulated players, notices and clocks, on one thread in paused time. A process is killed by cutting
//! it off from database, clients and notices in one moment: what it does after that cannot be told from nothing. For a
//! while things go wrong; then all is mended, and every game has to come to its end.
//!
//! What must hold:
//! - an acknowledged answer is in the record exactly once, and nothing is told before it is stored;
//! - all seats end with the same record, at every process;
//! - a seat is sent what its desk shows it at that position, and nothing of another seat's; the lines of its log are
//!   numbered without gaps;
//! - nobody waits for ever: every request is answered, every game ends;
//! - clocks are fair: no seat loses on time before it had its time while a server was up.
#![allow(dead_code)]

mod check;
mod database;
mod players;
mod world;

pub use database::Planted;

use std::time::Duration;
use world::World;

/// What a seed came to.
#[derive(Debug)]
pub struct Outcome {
    /// The invariants that did not hold, in words.
    pub broken: Vec<String>,
    /// What happened, a line each, in order.
    pub trace: Vec<String>,
    /// How many answers were acknowledged.
    pub answers: usize,
    /// How often a process was killed.
    pub kills: usize,
    /// How many notices were delivered.
    pub notices: usize,
}

impl Outcome {
    /// A number that differs if anything happened otherwise.
    pub fn fingerprint(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.trace.hash(&mut hasher);
        hasher.finish()
    }
}

/// Runs one seed, with a fault planted on purpose or without one.
pub fn run(seed: u64, planted: Option<Planted>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let outcome = runtime.block_on(World::run(seed, planted));
    // What killed processes left behind waits for ever.
    runtime.shutdown_timeout(Duration::ZERO);
    outcome
}

/// Runs seeds on all cores until one breaks an invariant: the least such seed of those that were run.
pub fn search(
    seeds: std::ops::Range<u64>,
    planted: Option<Planted>,
    done: impl Fn(u64) + Sync,
) -> Option<(u64, Outcome)> {
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
    let next = AtomicU64::new(seeds.start);
    let found = std::sync::Mutex::new(None::<(u64, Outcome)>);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while found.lock().unwrap().is_none() {
                    let seed = next.fetch_add(1, SeqCst);
                    if seed >= seeds.end {
                        return;
                    }
                    let outcome = run(seed, planted);
                    done(seed);
                    if !outcome.broken.is_empty() {
                        let mut found = found.lock().unwrap();
                        if found.as_ref().is_none_or(|(other, _)| seed < *other) {
                            *found = Some((seed, outcome));
                        }
                    }
                }
            });
        }
    });
    found.into_inner().unwrap()
}
