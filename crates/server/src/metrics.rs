//! Counters and gauges for Prometheus.

use crate::pool::resident_bytes;
use prometheus::{IntCounter, IntCounterVec, IntGauge, Opts, Registry, TextEncoder};

/// The server's counters and gauges.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    /// Answers accepted and stored.
    pub answers: IntCounter,
    pub games: IntCounter,
    pub computer_answers: IntCounter,
    /// Event streams open now.
    pub streams: IntGauge,
    /// Games loaded from the database.
    pub loads: IntCounter,
    pub snapshots: IntCounter,
    pub events: IntCounter,
    /// "Your turn" notifications queued.
    pub notifications: IntCounter,
    /// Requests refused by a rate limit.
    pub limited: IntCounter,
    /// Passwords hashed, to store or to compare them.
    pub passwords: IntCounter,
    live_games: IntGauge,
    resident_bytes: IntGauge,
}

impl Metrics {
    /// All at zero.
    pub fn new() -> Result<Self, prometheus::Error> {
        let registry = Registry::new_custom(Some("flagplot".into()), None)?;
        let counter = |name: &str, help: &str| {
            let counter = IntCounter::new(name, help)?;
            registry.register(Box::new(counter.clone()))?;
            Ok::<_, prometheus::Error>(counter)
        };
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(name, help)?;
            registry.register(Box::new(gauge.clone()))?;
            Ok::<_, prometheus::Error>(gauge)
        };
        let requests = IntCounterVec::new(Opts::new("requests_total", "Requests answered."), &["status"])?;
        registry.register(Box::new(requests.clone()))?;
        Ok(Self {
            answers: counter("answers_total", "Answers accepted and stored.")?,
            games: counter("games_total", "Games created.")?,
            computer_answers: counter("computer_answers_total", "Answers given by computer players.")?,
            streams: gauge("streams", "Event streams open.")?,
            loads: counter("game_loads_total", "Games loaded from the database.")?,
            snapshots: counter("snapshots_total", "Snapshots written.")?,
            events: counter("events_total", "Events sent to streams.")?,
            notifications: counter("notifications_total", "Your-turn notifications queued.")?,
            limited: counter("limited_total", "Requests refused by a rate limit.")?,
            passwords: counter("passwords_total", "Passwords hashed, to store or to compare them.")?,
            live_games: gauge("live_games", "Games in memory.")?,
            resident_bytes: gauge("resident_bytes", "Memory the process holds; 0 where the system does not tell.")?,
            requests,
            registry,
        })
    }

    /// Counts a response by the first digit of its status.
    pub fn responded(&self, status: u16) {
        self.requests.with_label_values(&[&format!("{}xx", status / 100)]).inc();
    }

    /// The text of `/metrics`.
    pub fn text(&self, live_games: usize) -> Result<String, prometheus::Error> {
        self.live_games.set(i64::try_from(live_games).unwrap_or(i64::MAX));
        self.resident_bytes.set(i64::try_from(resident_bytes()).unwrap_or(i64::MAX));
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}
