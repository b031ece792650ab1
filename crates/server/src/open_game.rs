//! A game in memory, shared by its viewers.

use crate::access::Address;
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::table::Table;
use axum::http::StatusCode;
use flagplot_kernel::{Refusal, Seat, Viewer};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Mutex as Waiting, MutexGuard as Held, broadcast};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every critical section leaves its data consistent, so a panic elsewhere does no harm.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game in memory, shared by its viewers.
pub struct OpenGame {
    pub(crate) id: String,
    pub(crate) table: Waiting<Option<Table>>,
    /// Tells of every change that a viewer may have to be told of. A listener who is late hears of the latest only.
    pub(crate) changes: broadcast::Sender<()>,
    /// The game has to be loaded again, whatever its version is.
    pub(crate) stale: AtomicBool,
    /// The newest version that another process has told of.
    pub(crate) heard: AtomicI64,
    /// When it was last used, in server time.
    pub(crate) touched: AtomicI64,
    /// When its caches were last dropped.
    pub(crate) slimmed: AtomicI64,
    /// The computer players that are thinking, and whether viewers have been told.
    pub(crate) thinking: Mutex<HashMap<Seat, bool>>,
    /// How many streams each seat has open.
    pub(crate) listening: Mutex<HashMap<Viewer, usize>>,
}

impl OpenGame {
    pub(crate) fn new(id: String, table: Option<Table>, now: i64) -> Arc<Self> {
        Arc::new(Self {
            id,
            table: Waiting::new(table),
            changes: broadcast::channel(1).0,
            stale: AtomicBool::new(false),
            heard: AtomicI64::new(0),
            touched: AtomicI64::new(now),
            slimmed: AtomicI64::new(0),
            thinking: Mutex::default(),
            listening: Mutex::default(),
        })
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// The computer players that have been thinking for a while.
    pub fn thinking(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> =
            lock(&self.thinking).iter().filter(|(_, told)| **told).map(|(seat, _)| *seat).collect();
        seats.sort();
        seats
    }

    /// Tells all streams that something has changed.
    pub fn tell(&self) {
        // Without streams nobody has to be told.
        let _ = self.changes.send(());
    }

    /// Hears of changes.
    pub fn listen(&self) -> broadcast::Receiver<()> {
        self.changes.subscribe()
    }

    /// Whether a seat has a stream open.
    pub fn hears(&self, seat: Seat) -> bool {
        lock(&self.listening).get(&Viewer::Seat(seat)).is_some_and(|count| *count > 0)
    }
}

/// An open stream, counted while it lives.
pub struct Listening {
    app: Arc<App>,
    live: Arc<OpenGame>,
    viewer: Viewer,
    address: Address,
}

impl Listening {
    /// Opens a stream; refused if the address has too many.
    pub fn new(app: &Arc<App>, live: &Arc<OpenGame>, viewer: Viewer, address: Address) -> Reply<Self> {
        if !app.limiter.open_stream(address.0) {
            app.metrics.limited.inc();
            return Err(Failure {
                retry: Some(60),
                ..Failure::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "too-many-streams",
                    "This address has too many event streams open. Close a page of the game and try again.",
                )
            });
        }
        *lock(&live.listening).entry(viewer).or_default() += 1;
        app.metrics.streams.inc();
        Ok(Self { app: app.clone(), live: live.clone(), viewer, address })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(count) = lock(&self.live.listening).get_mut(&self.viewer) {
            *count = count.saturating_sub(1);
        }
        self.app.limiter.close_stream(self.address.0);
        self.app.metrics.streams.dec();
    }
}

/// A table under its lock. The table is always present.
pub struct Seated<'a>(pub(crate) Held<'a, Option<Table>>);

impl std::ops::Deref for Seated<'_> {
    type Target = Table;
    fn deref(&self) -> &Table {
        self.0.as_ref().expect("a table is present before it is held")
    }
}

impl std::ops::DerefMut for Seated<'_> {
    fn deref_mut(&mut self) -> &mut Table {
        self.0.as_mut().expect("a table is present before it is held")
    }
}

/// What a change did.
pub enum Acted {
    /// It changed the table; with the seat and id of the answer, if it was one.
    Changed(Option<(Seat, String)>),
    /// It changed the first line of the record.
    Header,
    /// It had nothing to do.
    Nothing,
}

/// Why a change was not made.
pub enum Unacted {
    /// The rules or the server refuse it.
    Refused(Refusal),
    /// It was meant for an earlier position.
    MovedOn,
}

impl From<Refusal> for Unacted {
    fn from(refusal: Refusal) -> Self {
        Unacted::Refused(refusal)
    }
}
