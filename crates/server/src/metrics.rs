//! What is counted, in Prometheus' form.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is counted.
#[derive(Default)]
pub struct Metrics {
    /// Requests answered, by the first digit of their status.
    pub requests: [AtomicU64; 6],
    /// Answers accepted and kept.
    pub answers: AtomicU64,
    /// Games made.
    pub games: AtomicU64,
    /// Answers given by computers.
    pub thoughts: AtomicU64,
    /// Streams of events open now.
    pub streams: AtomicU64,
    /// Games played again from the store.
    pub loads: AtomicU64,
    /// Snapshots kept.
    pub snapshots: AtomicU64,
    /// Events sent.
    pub events: AtomicU64,
    /// People told that it is their turn.
    pub notifications: AtomicU64,
    /// Requests turned away because there were too many.
    pub limited: AtomicU64,
}

impl Metrics {
    /// The text for `/metrics`.
    #[must_use]
    pub fn text(&self, live_games: usize) -> String {
        let mut text = String::new();
        text.push_str("# HELP flagplot_requests_total Requests answered.\n# TYPE flagplot_requests_total counter\n");
        for (class, count) in self.requests.iter().enumerate().skip(1) {
            let _ = writeln!(text, "flagplot_requests_total{{status=\"{class}xx\"}} {}", count.load(Relaxed));
        }
        let mut line = |name: &str, kind: &str, help: &str, value: u64| {
            let _ =
                writeln!(text, "# HELP flagplot_{name} {help}\n# TYPE flagplot_{name} {kind}\nflagplot_{name} {value}");
        };
        line("answers_total", "counter", "Answers accepted and kept.", self.answers.load(Relaxed));
        line("games_total", "counter", "Games made.", self.games.load(Relaxed));
        line("computer_answers_total", "counter", "Turns of computers taken.", self.thoughts.load(Relaxed));
        line("game_loads_total", "counter", "Games played again from the store.", self.loads.load(Relaxed));
        line("snapshots_total", "counter", "Snapshots kept.", self.snapshots.load(Relaxed));
        line("events_total", "counter", "Events sent to streams.", self.events.load(Relaxed));
        line("notifications_total", "counter", "People told that it is their turn.", self.notifications.load(Relaxed));
        line("limited_total", "counter", "Requests turned away by a rate limit.", self.limited.load(Relaxed));
        line("streams", "gauge", "Streams of events open.", self.streams.load(Relaxed));
        line("live_games", "gauge", "Games in memory.", live_games as u64);
        text
    }
}
