//! State shared by all requests: the games in memory, and the only way to change one.

use crate::analyses::Analyses;
use crate::bodies::Bodies;
use crate::failure::{Failure, Reply};
use crate::limit::{Limiter, Limits};
use crate::machine::{Machine, Random, Wall};
use crate::metrics::Metrics;
use crate::notify::Notifier;
use crate::open_game::{Acted, OpenGame, Seated, Unacted, lock};
use crate::pool::{Lane, Pool, Share};
use crate::store::{Changed, Store};
use crate::table::Table;
use crate::uptime::Uptime;
use crate::wire::Done;
use axum::http::StatusCode;
use flagplot_catalog::Catalog;
use flagplot_kernel::Viewer;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tracing::warn;

/// An idle game stays in memory this long, in milliseconds.
const FORGET_AFTER: i64 = 30_000;
/// How often a change is tried when another process comes first.
const TRIES: usize = 8;
/// A game in play is snapshotted after this many entries, and when it leaves memory.
const SNAPSHOT_EVERY: usize = 512;
/// The processor time for a ruling or for odds.
const RULE_FOR: Duration = Duration::from_secs(2);
/// When a game is looked at again after a change that failed, each time after the one before.
const DOUBT: [Duration; 4] = [Duration::ZERO, Duration::from_secs(5), Duration::from_secs(15), Duration::from_secs(40)];
/// The processor time that loading a game may take.
const LONGEST_LOAD: Duration = Duration::from_secs(20);

/// The settings of an [`App`].
pub struct Settings {
    pub catalog: Catalog,
    pub limits: Limits,
    /// How much each maker may store.
    pub quota: Quota,
    /// How long the body of a request may take to arrive.
    pub slow: Duration,
    /// Whether cookies are sent only over TLS.
    pub secure: bool,
    /// Whether a proxy names the origin of requests.
    pub behind_proxy: bool,
    /// How long an idle game stays in memory.
    pub forget_after: Option<Duration>,
    /// The processor time for a ruling or for odds.
    pub rule_for: Option<Duration>,
    /// The time for a luck analysis.
    pub analyse_for: Option<Duration>,
    /// After how many days without a change a game is deleted.
    pub keep_days: Option<u32>,
}

/// How much one account, or one address, may store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    pub games: i64,
    /// Bytes of all its games.
    pub bytes: i64,
}

impl Default for Quota {
    fn default() -> Self {
        Self { games: 2_000, bytes: 200 << 20 }
    }
}

/// State shared by all requests.
pub struct App {
    pub catalog: Arc<Catalog>,
    pub store: Arc<dyn Store>,
    pub limiter: Limiter,
    pub bodies: Bodies,
    /// How much each maker may store.
    pub quota: Quota,
    /// How long the body of a request may take to arrive.
    pub slow: Duration,
    /// Counters for Prometheus.
    pub metrics: Metrics,
    pub notifier: Notifier,
    pub analyses: Analyses,
    /// All rule work.
    pub pool: Pool,
    /// The clock that games go by.
    pub uptime: Uptime,
    /// The time of day.
    pub wall: Wall,
    pub random: Random,
    /// Whether cookies are sent only over TLS.
    pub secure: bool,
    /// Whether a proxy names the origin of requests.
    pub behind_proxy: bool,
    /// After how many days without a change a game is deleted.
    pub keep_days: Option<u32>,
    /// True once the server is to stop.
    pub closing: watch::Sender<bool>,
    /// In order, so that the same games are looked after in the same order.
    pub(crate) live: Mutex<BTreeMap<String, Arc<OpenGame>>>,
    /// An idle game stays in memory this long, in milliseconds.
    pub(crate) forget_after: i64,
    /// The processor time for a ruling or for odds.
    pub(crate) rule_for: Duration,
    /// How many passwords are hashed at once. They do not wait for rule work.
    pub(crate) passwords: Arc<Semaphore>,
}

fn unknown_game() -> Failure {
    Failure::missing("unknown-game", "There is no game with this id.")
}

impl App {
    /// The shared state of a server.
    pub async fn new(
        store: Arc<dyn Store>,
        machine: Machine,
        notifier: Notifier,
        settings: Settings,
    ) -> Reply<Arc<Self>> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let forget_after = settings.forget_after.map(|time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        let uptime = Uptime::start(store.as_ref(), || machine.wall.millis()).await?;
        Ok(Arc::new(Self {
            catalog: Arc::new(settings.catalog),
            store,
            limiter: Limiter::new(settings.limits),
            bodies: Bodies::new(settings.limits.bodies),
            quota: settings.quota,
            slow: settings.slow,
            metrics: Metrics::new().map_err(Failure::internal)?,
            notifier,
            analyses: Analyses::new(settings.analyse_for),
            pool: machine.pool,
            uptime,
            wall: machine.wall,
            random: machine.random,
            secure: settings.secure,
            behind_proxy: settings.behind_proxy,
            keep_days: settings.keep_days,
            closing: watch::channel(false).0,
            live: Mutex::default(),
            forget_after: forget_after.unwrap_or(FORGET_AFTER),
            rule_for: settings.rule_for.unwrap_or(RULE_FOR),
            // Half of the cores: hashing must not hold up those who play.
            passwords: Arc::new(Semaphore::new((cores / 2).max(1))),
        }))
    }

    pub async fn game(self: &Arc<Self>, id: &str) -> Reply<Arc<OpenGame>> {
        if id.len() > 40 {
            return Err(unknown_game());
        }
        if let Some(live) = lock(&self.live).get(id) {
            live.touched.store(self.uptime.millis(), Relaxed);
            return Ok(live.clone());
        }
        // In the list before it is loaded: news of a change that comes meanwhile must find it.
        let new = || OpenGame::new(id.to_owned(), None, self.uptime.millis());
        let live = lock(&self.live).entry(id.to_owned()).or_insert_with(new).clone();
        match self.hold(&live).await.map(drop) {
            Ok(()) => Ok(live),
            Err(failure) => {
                let mut all = lock(&self.live);
                // Only the list and this request refer to it.
                if Arc::strong_count(&live) <= 2 {
                    all.remove(id);
                }
                Err(failure)
            }
        }
    }

    async fn restore(self: &Arc<Self>, row: crate::store::GameRow) -> Reply<Table> {
        self.metrics.loads.inc();
        let (catalog, wall, telling) = (self.catalog.clone(), self.wall.clone(), self.notifier.telling());
        let share = Share { lane: Lane::Quick, time: LONGEST_LOAD, callers: vec![format!("game {}", row.id)] };
        self.pool.run(share, move || Table::restore(&catalog, wall, telling, row)).await
    }

    /// Puts a new game into memory.
    pub fn keep(self: &Arc<Self>, table: Table) -> Arc<OpenGame> {
        let live = OpenGame::new(table.id.clone(), Some(table), self.uptime.millis());
        lock(&self.live).insert(live.id.clone(), live.clone());
        live
    }

    /// Deletes a game from the database and from memory.
    pub async fn delete(self: &Arc<Self>, id: &str) -> Reply<()> {
        self.store.delete_game(id).await?;
        if let Some(live) = lock(&self.live).remove(id) {
            live.stale.store(true, Relaxed);
            live.tell();
        }
        Ok(())
    }

    /// How many games are in memory.
    pub fn lives(&self) -> usize {
        lock(&self.live).len()
    }

    /// Locks a game's table, loaded from the database if need be.
    pub async fn hold<'a>(self: &Arc<Self>, live: &'a OpenGame) -> Reply<Seated<'a>> {
        live.touched.store(self.uptime.millis(), Relaxed);
        let mut held = live.table.lock().await;
        let stale = live.stale.swap(false, Relaxed);
        let heard = live.heard.load(Relaxed);
        if held.as_ref().is_none_or(|table| stale || table.version < heard) {
            *held = None;
            let row = self.store.load(&live.id).await?.ok_or_else(unknown_game)?;
            *held = Some(self.restore(row).await?);
            // What was loaded may be news to viewers, such as a change that was thought to have failed.
            live.tell();
        }
        Ok(Seated(held))
    }

    /// The state of a game for a viewer, with the whole chat or none of it.
    pub async fn state(
        self: &Arc<Self>,
        live: &OpenGame,
        viewer: Viewer,
        log_after: usize,
        chat_after: usize,
    ) -> Reply<Box<RawValue>> {
        let mut table = self.hold(live).await?;
        let state = table.state(viewer, log_after, chat_after, live.thinking(), self.uptime.millis())?;
        state.written().map_err(Failure::internal)
    }

    /// Changes a game: `act` changes the table, the change is stored, and only then are viewers told.
    /// It is carried out even if the client disconnects; `act` is called again if another process comes first.
    pub async fn act(
        self: &Arc<Self>,
        live: &Arc<OpenGame>,
        viewer: Viewer,
        act: impl FnMut(&mut Table, i64) -> Result<Acted, Unacted> + Send + 'static,
    ) -> Reply<Done> {
        self.act_within(None, live, viewer, act).await
    }

    /// The same for a change that may take long: it waits for its turn in the pool and keeps to the limits of its
    /// share.
    pub async fn act_within(
        self: &Arc<Self>,
        share: Option<Share>,
        live: &Arc<OpenGame>,
        viewer: Viewer,
        act: impl FnMut(&mut Table, i64) -> Result<Acted, Unacted> + Send + 'static,
    ) -> Reply<Done> {
        let (app, live) = (self.clone(), live.clone());
        tokio::spawn(async move { app.act_here(share, &live, viewer, act).await }).await.map_err(Failure::internal)?
    }

    async fn act_here(
        self: &Arc<Self>,
        share: Option<Share>,
        live: &Arc<OpenGame>,
        viewer: Viewer,
        mut act: impl FnMut(&mut Table, i64) -> Result<Acted, Unacted> + Send + 'static,
    ) -> Reply<Done> {
        for _ in 0..TRIES {
            let mut held = self.hold(live).await?;
            // The table is taken out while it is changed: if anything goes wrong, the database has the truth.
            let mut table = held.0.take().ok_or_else(|| Failure::internal("a held table was missing"))?;
            let time = self.uptime.millis();
            let acted = match share.clone() {
                None => act(&mut table, time),
                Some(share) => {
                    let work = move || {
                        let acted = act(&mut table, time);
                        Ok((acted, table, act))
                    };
                    let acted;
                    (acted, table, act) = self.pool.run(share, work).await?;
                    acted
                }
            };
            let (answer, header) = match acted {
                Ok(Acted::Changed(answer)) => (answer.map(|(seat, id)| (seat.0, id)), false),
                Ok(Acted::Header) => (None, true),
                Ok(Acted::Nothing) => {
                    let done = Done { at: table.desk.entries().len(), version: table.version };
                    *held.0 = Some(table);
                    return Ok(done);
                }
                Err(unacted) => {
                    // A refusal changes nothing.
                    let failure = match unacted {
                        Unacted::Refused(refusal) => Failure::from(refusal),
                        Unacted::MovedOn => Failure::new(
                            StatusCode::CONFLICT,
                            "moved-on",
                            "The game has moved on. This is the present position.",
                        )
                        .with_state(
                            table
                                .state(viewer, 0, usize::MAX, live.thinking(), time)?
                                .written()
                                .map_err(Failure::internal)?,
                        ),
                    };
                    *held.0 = Some(table);
                    return Err(failure);
                }
            };
            table.run_clocks(time);
            table.desk.write_down().map_err(Failure::internal)?;
            let change = table.change(time, answer.clone(), header)?;
            match self.store.change(change).await.inspect_err(|_| self.doubt(live))? {
                Changed::Stale => continue,
                Changed::Done => {
                    self.metrics.answers.inc_by(u64::from(answer.is_some()));
                    table.kept(answer);
                    self.wake(live, &table);
                    let snapshot = table.snapshot(SNAPSHOT_EVERY)?;
                    let done = Done { at: table.desk.entries().len(), version: table.version };
                    *held.0 = Some(table);
                    drop(held);
                    live.tell();
                    if let Some((entries, body)) = snapshot {
                        self.put_snapshot(&live.id, entries, body).await;
                    }
                    return Ok(done);
                }
            }
        }
        Err(Failure {
            retry: Some(1),
            ..Failure::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "This game is changing too fast. Try again.")
        })
    }

    /// Looks at a game again after a change that failed: the database may have made it all the same, or make it later,
    /// and then viewers have to be told.
    pub(crate) fn doubt(self: &Arc<Self>, live: &Arc<OpenGame>) {
        let (app, live) = (Arc::downgrade(self), Arc::downgrade(live));
        tokio::spawn(async move {
            for wait in DOUBT {
                tokio::time::sleep(wait).await;
                let (Some(_), Some(live)) = (app.upgrade(), live.upgrade()) else { return };
                live.stale.store(true, Relaxed);
                live.tell();
            }
        });
    }

    /// Stores a snapshot. Without it the game only takes longer to open.
    pub(crate) async fn put_snapshot(&self, game: &str, entries: i64, body: String) {
        match self.store.put_snapshot(game, entries, body).await {
            Ok(()) => self.metrics.snapshots.inc(),
            Err(error) => warn!(game, %error, "a snapshot was not stored"),
        }
    }
}
