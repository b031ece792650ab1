//! The games that somebody is looking at, the only way to change one, and the computer's seats.

use crate::failure::{Failure, Reply};
use crate::limit::Limiter;
use crate::metrics::Metrics;
use crate::notify::Notifier;
use crate::store::{Changed, News, Store};
use crate::table::Table;
use crate::wire::{GameState, OnTimeout};
use axum::http::StatusCode;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::os_random;
use flagplot_kernel::{Chance, Refusal, Seat, Viewer};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{Mutex as Waiting, MutexGuard as Held, Semaphore, watch};

/// A game nobody has looked at for so long is dropped from memory, in milliseconds.
const IDLE: i64 = 30_000;
/// So long a computer thinks before anyone is told that it does.
const THINKING: Duration = Duration::from_millis(300);
/// With fair dice, so long a computer waits with the first answer for people to add something to the dice, in milliseconds.
const ENTROPY_GRACE: i64 = 2_000;
/// So often a change is tried again when another process was faster.
const TRIES: usize = 8;

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What these guard is never left half done, so a panic elsewhere does not spoil it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game somebody is looking at.
pub struct Live {
    id: String,
    table: Waiting<Option<Table>>,
    /// Counts everything a viewer may have to be told.
    revision: watch::Sender<u64>,
    /// Another process has changed the game.
    stale: AtomicBool,
    touched: AtomicI64,
    /// When every person had taken a seat; 0 before.
    gathered: AtomicI64,
    present: Mutex<BTreeSet<Seat>>,
    /// The computer's seats being thought for, and whether that has been told.
    thinking: Mutex<HashMap<Seat, bool>>,
    /// The position for which each seat was notified last.
    notified: Mutex<HashMap<Seat, usize>>,
    /// How many streams each seat has open.
    listening: Mutex<HashMap<Viewer, usize>>,
}

impl Live {
    fn new(id: String, table: Option<Table>) -> Arc<Self> {
        Arc::new(Self {
            id,
            table: Waiting::new(table),
            revision: watch::channel(0).0,
            stale: AtomicBool::new(false),
            touched: AtomicI64::new(now()),
            gathered: AtomicI64::new(0),
            present: Mutex::default(),
            thinking: Mutex::default(),
            notified: Mutex::default(),
            listening: Mutex::default(),
        })
    }

    /// The game's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The seats that have been thinking for a while.
    pub fn thinking(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = lock(&self.thinking).iter().filter(|(_, told)| **told).map(|(seat, _)| *seat).collect();
        seats.sort();
        seats
    }

    /// Tells all who listen that there is something new.
    pub fn tell(&self) {
        self.revision.send_modify(|revision| *revision += 1);
    }

    /// For those who want to be told.
    pub fn listen(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

    /// Notes that a seat is notified of a position; false if it was before.
    pub fn notify_once(&self, seat: Seat, at: usize) -> bool {
        lock(&self.notified).insert(seat, at) != Some(at)
    }

    /// Whether a seat has a stream open.
    pub fn hears(&self, seat: Seat) -> bool {
        lock(&self.listening).get(&Viewer::Seat(seat)).is_some_and(|count| *count > 0)
    }
}

/// Counts an open stream as long as it lives.
pub struct Listening {
    app: Arc<App>,
    live: Arc<Live>,
    viewer: Viewer,
}

impl Listening {
    /// One more.
    pub fn new(app: &Arc<App>, live: &Arc<Live>, viewer: Viewer) -> Self {
        *lock(&live.listening).entry(viewer).or_default() += 1;
        app.metrics.streams.fetch_add(1, Relaxed);
        Self { app: app.clone(), live: live.clone(), viewer }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(count) = lock(&self.live.listening).get_mut(&self.viewer) {
            *count = count.saturating_sub(1);
        }
        self.app.metrics.streams.fetch_sub(1, Relaxed);
    }
}

/// A table that is held. It is there.
pub struct Seated<'a>(Held<'a, Option<Table>>);

impl std::ops::Deref for Seated<'_> {
    type Target = Table;
    fn deref(&self) -> &Table {
        self.0.as_ref().expect("a table is put there before it is held")
    }
}

impl std::ops::DerefMut for Seated<'_> {
    fn deref_mut(&mut self) -> &mut Table {
        self.0.as_mut().expect("a table is put there before it is held")
    }
}

/// What a change came to.
pub enum Acted {
    /// The table was changed; the id of the answer that did it, if an answer did.
    Changed(Option<(Seat, String)>),
    /// The first line of the record was changed.
    Header,
    /// There was nothing to do.
    Nothing,
}

/// Why a change was not made.
pub enum Unacted {
    /// It is not allowed.
    Refused(Refusal),
    /// It was meant for another position.
    MovedOn,
}

impl From<Refusal> for Unacted {
    fn from(refusal: Refusal) -> Self {
        Unacted::Refused(refusal)
    }
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
    pub analyses: crate::routes::analysis::Analyses,
    /// Whether cookies are sent only over TLS.
    pub secure: bool,
    /// Requests come from a proxy that says whom for.
    pub behind_proxy: bool,
    /// True when the server is to end.
    pub closing: watch::Sender<bool>,
    live: Mutex<HashMap<String, Arc<Live>>>,
    /// Long computations at once, for those who ask.
    heavy: Arc<Semaphore>,
    /// Computers thinking at once. They do not keep those who ask waiting.
    minds: Arc<Semaphore>,
}

impl App {
    /// Everything that requests share.
    pub fn new(catalog: Arc<Catalog>, store: Arc<dyn Store>, limiter: Limiter, notifier: Notifier, secure: bool, behind_proxy: bool) -> Arc<Self> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Arc::new(Self {
            catalog,
            store,
            limiter,
            metrics: Metrics::default(),
            notifier,
            analyses: Default::default(),
            secure,
            behind_proxy,
            closing: watch::channel(false).0,
            live: Mutex::default(),
            heavy: Arc::new(Semaphore::new(cores)),
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
        let row = self.store.load(id, 0, 0).await?.ok_or_else(unknown)?;
        let table = self.restore(row).await?;
        let live = lock(&self.live).entry(id.to_owned()).or_insert_with(|| Live::new(id.to_owned(), Some(table))).clone();
        Ok(live)
    }

    async fn restore(self: &Arc<Self>, row: crate::store::GameRow) -> Reply<Table> {
        let app = self.clone();
        self.metrics.loads.fetch_add(1, Relaxed);
        // A long game takes some milliseconds to play again.
        tokio::task::spawn_blocking(move || Table::restore(&app.catalog, row)).await.map_err(Failure::internal)?
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
            let row = self.store.load(&live.id, 0, 0).await?.ok_or_else(|| Failure::missing("unknown-game", "There is no game with this id."))?;
            *held = Some(self.restore(row).await?);
        }
        Ok(Seated(held))
    }

    /// What a viewer is told now.
    pub async fn state(self: &Arc<Self>, live: &Live, viewer: Viewer, log_after: usize) -> Reply<GameState> {
        self.hold(live).await?.state(viewer, log_after, live.thinking(), now())
    }

    /// Changes a game: `act` changes the table, the change is kept, and only then is anyone told.
    /// Goes on to its end even if the caller is gone; `act` is called again if another process was faster.
    pub async fn act(self: &Arc<Self>, live: &Arc<Live>, viewer: Viewer, act: impl FnMut(&mut Table, i64) -> Result<Acted, Unacted> + Send + 'static) -> Reply<()> {
        let (app, live) = (self.clone(), live.clone());
        tokio::spawn(async move { app.act_here(&live, viewer, act).await }).await.map_err(Failure::internal)?
    }

    async fn act_here(self: &Arc<Self>, live: &Arc<Live>, viewer: Viewer, mut act: impl FnMut(&mut Table, i64) -> Result<Acted, Unacted> + Send) -> Reply<()> {
        for _ in 0..TRIES {
            let mut held = self.hold(live).await?;
            // The table is taken out while it is changed: whatever goes wrong from here on, the store has the truth.
            let mut table = held.0.take().ok_or_else(|| Failure::internal("a held table was not there"))?;
            let time = now();
            let (answer, header) = match act(&mut table, time) {
                Ok(Acted::Changed(answer)) => (answer.map(|(seat, id)| (seat.0, id)), false),
                Ok(Acted::Header) => (None, true),
                Ok(Acted::Nothing) => {
                    *held.0 = Some(table);
                    return Ok(());
                }
                Err(unacted) => {
                    // What is refused has changed nothing.
                    let failure = match unacted {
                        Unacted::Refused(refusal) => Failure::from(refusal),
                        Unacted::MovedOn => Failure::new(StatusCode::CONFLICT, "moved-on", "The game has moved on since; this is the position now.")
                            .with_state(table.state(viewer, 0, live.thinking(), time)?),
                    };
                    *held.0 = Some(table);
                    return Err(failure);
                }
            };
            table.run_clocks(time);
            match self.store.change(table.change(time, answer.clone(), header)?).await? {
                Changed::Stale => continue,
                Changed::Done => {
                    table.kept(answer);
                    self.wake(live, &table);
                    self.notifier.turn(self, live, &table);
                    *held.0 = Some(table);
                    drop(held);
                    live.tell();
                    return Ok(());
                }
            }
        }
        Err(Failure { retry: Some(1), ..Failure::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "Others are changing this game all the time. Try again.") })
    }

    /// Somebody with a seat's token is there.
    pub async fn arrive(self: &Arc<Self>, live: &Arc<Live>, seat: Seat) -> Reply<()> {
        if live.gathered.load(Relaxed) != 0 || !lock(&live.present).insert(seat) {
            return Ok(());
        }
        let held = self.hold(live).await?;
        let all = held.people().all(|seat| lock(&live.present).contains(&seat));
        if all && live.gathered.swap(now(), Relaxed) == 0 {
            self.wake(live, &held);
        }
        Ok(())
    }

    /// Lets computers think whose turn it is.
    pub fn wake(self: &Arc<Self>, live: &Arc<Live>, table: &Table) {
        for seat in table.waiting() {
            if table.is_computer(seat) && !lock(&live.thinking).contains_key(&seat) {
                // With fair dice people may add to them while nothing has happened, so the computer is not the first to act.
                let gathering = table.desk.entries().is_empty() && table.secret.is_some() && table.people().next().is_some() && !table.all_added();
                let gathered = live.gathered.load(Relaxed);
                if gathering && gathered == 0 {
                    continue;
                }
                let grace = if gathering { (gathered + ENTROPY_GRACE - now()).max(0).unsigned_abs() } else { 0 };
                lock(&live.thinking).insert(seat, false);
                let (app, live) = (self.clone(), live.clone());
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(grace)).await;
                    let kind = app.hold(&live).await.ok().and_then(|table| table.player(seat));
                    app.think(&live, seat, kind.unwrap_or_else(default_player)).await;
                });
            }
        }
    }

    /// Answers for a seat, and tells those who wait if that takes long.
    async fn think(self: &Arc<Self>, live: &Arc<Live>, seat: Seat, kind: PlayerKind) {
        let thought = {
            let work = self.advice(live, seat, kind);
            tokio::pin!(work);
            tokio::select! {
                thought = &mut work => thought,
                () = tokio::time::sleep(THINKING) => {
                    if let Some(told) = lock(&live.thinking).get_mut(&seat) {
                        *told = true;
                    }
                    live.tell();
                    work.await
                }
            }
        };
        // The seat may be asked again by the change that follows.
        let told = lock(&live.thinking).remove(&seat) == Some(true);
        let done = match thought {
            Ok(Some((question, value))) => {
                self.act(live, Viewer::Seat(seat), move |table, time| {
                    if table.desk.question_to(seat) != Some(&question) {
                        return Ok(Acted::Nothing);
                    }
                    table.status.clock.stop(seat, time);
                    // A player that answers what the rules refuse is a defect of the player; the game goes on with the first option.
                    let first = question.options.first().map(|option| option.value.clone());
                    match (table.desk.answer(seat, value.clone()), first) {
                        (Err(refusal), Some(first)) => {
                            eprintln!("flagplot: {kind} of {} gave an answer that was refused: {}", table.desk.header().system, refusal.code);
                            table.desk.answer(seat, first)?;
                        }
                        (result, _) => result?,
                    }
                    Ok(Acted::Changed(None))
                })
                .await
            }
            Ok(None) => Ok(()),
            Err(failure) => Err(failure),
        };
        self.metrics.thoughts.fetch_add(1, Relaxed);
        if let Err(failure) = done {
            eprintln!("flagplot: a computer's answer failed: {}", failure.refusal.code);
        }
        if told {
            live.tell();
        }
    }

    /// What a player made of code would answer for a seat, with the question it answers. Nobody is kept waiting meanwhile.
    pub async fn advice(self: &Arc<Self>, live: &Live, seat: Seat, kind: PlayerKind) -> Reply<Option<(flagplot_kernel::SeatQuestion, Value)>> {
        let (game, position, answers, question) = {
            let held = self.hold(live).await?;
            let Some(question) = held.desk.question_to(seat).cloned() else { return Ok(None) };
            (held.desk.game().clone(), held.desk.checkpoint().clone_box(), held.desk.answers().to_vec(), question)
        };
        apart(&self.minds, move || {
            let mut chance = Chance::seeded(u64::from_le_bytes(os_random()));
            let thought = game.think(position.as_ref(), &answers, seat, kind, &mut chance);
            Ok(thought.map(|thought| (question, thought.value)))
        })
        .await
    }

    /// Runs a long computation apart from the requests; not more of them at once than there are cores.
    pub async fn heavy<T: Send + 'static>(&self, work: impl FnOnce() -> Reply<T> + Send + 'static) -> Reply<T> {
        apart(&self.heavy, work).await
    }

    /// Looks after what no request asks for: news of other processes, clocks, games left to the computer, games to be forgotten.
    pub fn look_after(self: &Arc<Self>) {
        let app = self.clone();
        let mut news = self.store.news();
        tokio::spawn(async move {
            loop {
                match news.recv().await {
                    Ok(News::Game(id)) => {
                        if let Some(live) = { lock(&app.live).get(&id).cloned() } {
                            live.stale.store(true, Relaxed);
                            live.tell();
                        }
                    }
                    Ok(News::Any) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {
                        let all: Vec<_> = lock(&app.live).values().cloned().collect();
                        for live in all {
                            live.stale.store(true, Relaxed);
                            live.tell();
                        }
                    }
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
                }
            }
        });
        let app = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                {
                    let Some(app) = app.upgrade() else { return };
                    if *app.closing.borrow() {
                        return;
                    }
                    app.look().await;
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
    }

    /// One round: games that are due, games to be forgotten.
    async fn look(self: &Arc<Self>) {
        let due = self.store.due(now(), 100).await.unwrap_or_default();
        for id in due {
            if let Ok(live) = self.game(&id).await {
                self.look_at(&live).await;
            }
        }
        let time = now();
        let idle: Vec<_> = lock(&self.live).values().filter(|live| time - live.touched.load(Relaxed) > IDLE).cloned().collect();
        for live in idle {
            if lock(&live.thinking).is_empty()
                && let Ok(mut held) = live.table.try_lock()
            {
                *held = None;
                drop(held);
                let mut all = lock(&self.live);
                // Nobody listens and nobody else holds it: this list, and `live` here.
                if live.revision.receiver_count() == 0 && Arc::strong_count(&live) <= 2 {
                    all.remove(&live.id);
                }
            }
        }
    }

    /// A game is due: a clock has run out, or a computer has to be woken.
    async fn look_at(self: &Arc<Self>, live: &Arc<Live>) {
        let out = match self.hold(live).await {
            Ok(table) => {
                self.wake(live, &table);
                table.timed_out(now()).zip(table.plan.clock.as_ref().map(crate::wire::ClockPlan::on_timeout))
            }
            Err(_) => None,
        };
        let Some((seat, then)) = out else { return };
        match then {
            OnTimeout::Lose => {
                let done = self.act(live, Viewer::Spectator, move |table, time| {
                    if table.timed_out(time) != Some(seat) {
                        return Ok(Acted::Nothing);
                    }
                    table.say(time, None, "Time has run out.");
                    table.desk.resign(seat)?;
                    Ok(Acted::Changed(None))
                });
                if let Err(failure) = done.await {
                    eprintln!("flagplot: a clock that ran out could not be settled: {}", failure.refusal.code);
                }
            }
            OnTimeout::Computer => {
                let free = lock(&live.thinking).insert(seat, false).is_none();
                if free {
                    self.think(live, seat, default_player()).await;
                }
            }
        }
    }
}

/// Runs a computation on a thread of its own, once there is room for it.
async fn apart<T: Send + 'static>(room: &Arc<Semaphore>, work: impl FnOnce() -> Reply<T> + Send + 'static) -> Reply<T> {
    let permit = room.clone().acquire_owned().await.map_err(Failure::internal)?;
    let result = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    })
    .await;
    result.map_err(Failure::internal)?
}

/// The player that fills in where none was named: one that answers at once.
#[must_use]
pub fn default_player() -> PlayerKind {
    "greedy".parse().unwrap_or(PlayerKind::ALL[0])
}
