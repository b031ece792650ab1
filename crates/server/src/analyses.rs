//! Luck analyses this process has in hand.

use flagplot_kernel::Refusal;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

/// The usual time for an analysis; how carefully it looks follows from it.
const USUAL: Duration = Duration::from_secs(60);
/// How many failures are remembered.
const MOST_FAILED: usize = 100;

/// Luck analyses this process has in hand.
pub struct Analyses {
    pub time: Duration,
    /// How many are running or waiting.
    pub waiting: AtomicUsize,
    /// Games whose analysis failed, and why.
    failed: Mutex<VecDeque<(String, Refusal)>>,
}

impl Analyses {
    /// None yet.
    pub fn new(time: Option<Duration>) -> Self {
        Self { time: time.unwrap_or(USUAL), waiting: AtomicUsize::new(0), failed: Mutex::default() }
    }

    /// Why the analysis of a game failed, if it did.
    pub fn failure(&self, game: &str) -> Option<Refusal> {
        crate::open_game::lock(&self.failed).iter().find(|(failed, _)| failed == game).map(|(_, why)| why.clone())
    }

    /// Remembers that the analysis of a game failed.
    pub fn failed(&self, game: String, why: Refusal) {
        let mut failed = crate::open_game::lock(&self.failed);
        failed.truncate(MOST_FAILED - 1);
        failed.push_front((game, why));
    }
}
