//! What all requests share: the games in memory, and the only way to change one.

use crate::failure::{Failure, Reply};
use crate::limit::{Limiter, Limits};
use crate::live::{Acted, Live, Seated, Unacted, lock, now};
use crate::metrics::Metrics;
use crate::notify::Notifier;
use crate::routes::analysis::Analyses;
use crate::store::{Changed, Store};
use crate::table::Table;
use crate::wire::Done;
use axum::http::StatusCode;
use flagplot_catalog::Catalog;
use flagplot_kernel::Viewer;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// A game nobody has looked at for so long is dropped from memory, in milliseconds.
const FORGET_AFTER: i64 = 30_000;
/// So often a change is tried again when another process was faster.
const TRIES: usize = 8;
/// While a game is played, a snapshot is written after so many entries; another when it is dropped from memory.
const SNAPSHOT_EVERY: usize = 512;

/// What an [`App`] is made with, apart from what it talks to.
pub struct Settings {
    /// The systems.
    pub catalog: Catalog,
    /// What may be asked how often.
    pub limits: Limits,
    /// Whether cookies are sent only over TLS.
    pub secure: bool,
    /// Requests come from a proxy that says whom for.
    pub behind_proxy: bool,
    /// How long a game that nobody looks at stays in memory.
    pub forget_after: Option<Duration>,
    /// How long a finished game is looked at when it is taken apart.
    pub analyse_for: Option<Duration>,
}

/// What all requests share.
pub struct App {
    /// The systems.
    pub catalog: Arc<Catalog>,
    /// Where games are kept.
    pub store: Arc<dyn Store>,
    /// What may be asked how often.
    pub limiter: Limiter,
    /// What is counted.
    pub metrics: Metrics,
    /// Who is told when a person has to answer.
    pub notifier: Notifier,
    /// Finished games taken apart.
    pub analyses: Analyses,
    /// Whether cookies are sent only over TLS.
    pub secure: bool,
    /// Requests come from a proxy that says whom for.
    pub behind_proxy: bool,
    /// True when the server is to end.
    pub closing: watch::Sender<bool>,
    pub(crate) live: Mutex<HashMap<String, Arc<Live>>>,
    /// A game nobody has looked at for so long is dropped from memory, in milliseconds.
    pub(crate) forget_after: i64,
    /// Long computations at once, for those who ask.
    pub(crate) heavy: Arc<Semaphore>,
    /// Passwords looked at at once. Who computes keeps nobody from coming in.
    pub(crate) doors: Arc<Semaphore>,
    /// Computers thinking at once. They do not keep those who ask waiting.
    pub(crate) minds: Arc<Semaphore>,
}

impl App {
    /// Everything that requests share.
    pub fn new(store: Arc<dyn Store>, notifier: Notifier, options: Settings) -> Arc<Self> {
        let Settings { catalog, limits, secure, behind_proxy, forget_after, analyse_for } = options;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Arc::new(Self {
            catalog: Arc::new(catalog),
            store,
            limiter: Limiter::new(limits),
            metrics: Metrics::default(),
            notifier,
            analyses: Analyses::new(analyse_for),
            secure,
            behind_proxy,
            closing: watch::channel(false).0,
            live: Mutex::default(),
            forget_after: forget_after.map_or(FORGET_AFTER, |time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX)),
            heavy: Arc::new(Semaphore::new(cores)),
            doors: Arc::new(Semaphore::new(cores)),
            minds: Arc::new(Semaphore::new(cores)),
        })
    }

    /// A game; refused if there is none with this id.
    pub async fn game(self: &Arc<Self>, id: &str) -> Reply<Arc<Live>> {
        let unknown = || Failure::missing("unknown-game", "There is no game with this id.");
        if id.len() > 40 {
            return Err(unknown());
        }
        if let Some(live) = lock(&self.live).get(id) {
            live.touched.store(now(), Relaxed);
            return Ok(live.clone());
        }
        let row = self.store.load(id).await?.ok_or_else(unknown)?;
        let table = self.restore(row).await?;
        let live =
            lock(&self.live).entry(id.to_owned()).or_insert_with(|| Live::new(id.to_owned(), Some(table))).clone();
        Ok(live)
    }

    async fn restore(self: &Arc<Self>, row: crate::store::GameRow) -> Reply<Table> {
        let app = self.clone();
        self.metrics.loads.fetch_add(1, Relaxed);
        // A long game takes some milliseconds to play again.
        tokio::task::spawn_blocking(move || Table::restore(&app.catalog, app.notifier.telling(), row))
            .await
            .map_err(Failure::internal)?
    }

    /// Puts a new game into memory.
    pub fn keep(self: &Arc<Self>, table: Table) -> Arc<Live> {
        let live = Live::new(table.id.clone(), Some(table));
        lock(&self.live).insert(live.id.clone(), live.clone());
        live
    }

    /// How many games are in memory.
    pub fn lives(&self) -> usize {
        lock(&self.live).len()
    }

    /// Holds a game's table, as the store has it.
    pub async fn hold<'a>(self: &Arc<Self>, live: &'a Live) -> Reply<Seated<'a>> {
        live.touched.store(now(), Relaxed);
        let mut held = live.table.lock().await;
        let stale = live.stale.swap(false, Relaxed);
        if held.is_none() || stale {
            *held = None;
            let row = self
                .store
                .load(&live.id)
                .await?
                .ok_or_else(|| Failure::missing("unknown-game", "There is no game with this id."))?;
            *held = Some(self.restore(row).await?);
        }
        Ok(Seated(held))
    }

    /// What a viewer is told now.
    pub async fn state(self: &Arc<Self>, live: &Live, viewer: Viewer, log_after: usize) -> Reply<Box<RawValue>> {
        self.hold(live).await?.state(viewer, log_after, live.thinking(), now())?.written().map_err(Failure::internal)
    }

    /// Changes a game: `act` changes the table, the change is kept, and only then is anyone told.
    /// Goes on to its end even if the caller is gone; `act` is called again if another process was faster.
    pub async fn act(
        self: &Arc<Self>,
        live: &Arc<Live>,
        viewer: Viewer,
        act: impl FnMut(&mut Table, i64) -> Result<Acted, Unacted> + Send + 'static,
    ) -> Reply<Done> {
        let (app, live) = (self.clone(), live.clone());
        tokio::spawn(async move { app.act_here(&live, viewer, act).await }).await.map_err(Failure::internal)?
    }

    async fn act_here(
        self: &Arc<Self>,
        live: &Arc<Live>,
        viewer: Viewer,
        mut act: impl FnMut(&mut Table, i64) -> Result<Acted, Unacted> + Send,
    ) -> Reply<Done> {
        for _ in 0..TRIES {
            let mut held = self.hold(live).await?;
            // The table is taken out while it is changed: whatever goes wrong from here on, the store has the truth.
            let mut table = held.0.take().ok_or_else(|| Failure::internal("a held table was not there"))?;
            let time = now();
            let (answer, header) = match act(&mut table, time) {
                Ok(Acted::Changed(answer)) => (answer.map(|(seat, id)| (seat.0, id)), false),
                Ok(Acted::Header) => (None, true),
                Ok(Acted::Nothing) => {
                    let done = Done { at: table.desk.entries().len(), version: table.version };
                    *held.0 = Some(table);
                    return Ok(done);
                }
                Err(unacted) => {
                    // What is refused has changed nothing.
                    let failure = match unacted {
                        Unacted::Refused(refusal) => Failure::from(refusal),
                        Unacted::MovedOn => Failure::new(
                            StatusCode::CONFLICT,
                            "moved-on",
                            "The game has moved on since; this is the position now.",
                        )
                        .with_state(
                            table.state(viewer, 0, live.thinking(), time)?.written().map_err(Failure::internal)?,
                        ),
                    };
                    *held.0 = Some(table);
                    return Err(failure);
                }
            };
            table.run_clocks(time);
            table.desk.write_down().map_err(Failure::internal)?;
            match self.store.change(table.change(time, answer.clone(), header)?).await? {
                Changed::Stale => continue,
                Changed::Done => {
                    self.metrics.answers.fetch_add(u64::from(answer.is_some()), Relaxed);
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
            ..Failure::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "Others are changing this game all the time. Try again.",
            )
        })
    }

    /// Keeps a snapshot. Without it the game is only slower to open.
    pub(crate) async fn put_snapshot(&self, game: &str, entries: i64, body: String) {
        match self.store.put_snapshot(game, entries, body).await {
            Ok(()) => drop(self.metrics.snapshots.fetch_add(1, Relaxed)),
            Err(error) => eprintln!("flagplot: a snapshot was not kept: {error}"),
        }
    }
}
