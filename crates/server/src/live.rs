//! A game that somebody is looking at.

use crate::access::Address;
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::table::Table;
use axum::http::StatusCode;
use flagplot_kernel::{Refusal, Seat, Viewer};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{Mutex as Waiting, MutexGuard as Held, watch};

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What these guard is never left half done, so a panic elsewhere does not spoil it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game somebody is looking at.
pub struct Live {
    pub(crate) id: String,
    pub(crate) table: Waiting<Option<Table>>,
    /// Counts everything a viewer may have to be told.
    pub(crate) revision: watch::Sender<u64>,
    /// Another process has changed the game.
    pub(crate) stale: AtomicBool,
    pub(crate) touched: AtomicI64,
    /// When it was last made slim.
    pub(crate) slimmed: AtomicI64,
    /// The computer's seats being thought for, and whether that has been told.
    pub(crate) thinking: Mutex<HashMap<Seat, bool>>,
    /// How many streams each seat has open.
    pub(crate) listening: Mutex<HashMap<Viewer, usize>>,
}

impl Live {
    pub(crate) fn new(id: String, table: Option<Table>) -> Arc<Self> {
        Arc::new(Self {
            id,
            table: Waiting::new(table),
            revision: watch::channel(0).0,
            stale: AtomicBool::new(false),
            touched: AtomicI64::new(now()),
            slimmed: AtomicI64::new(0),
            thinking: Mutex::default(),
            listening: Mutex::default(),
        })
    }

    /// The game's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The seats that have been thinking for a while.
    pub fn thinking(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> =
            lock(&self.thinking).iter().filter(|(_, told)| **told).map(|(seat, _)| *seat).collect();
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
    address: Address,
}

impl Listening {
    /// One more; refused if this address has too many.
    pub fn new(app: &Arc<App>, live: &Arc<Live>, viewer: Viewer, address: Address) -> Reply<Self> {
        if !app.limiter.open_stream(address.0) {
            app.metrics.limited.fetch_add(1, Relaxed);
            return Err(Failure {
                retry: Some(60),
                ..Failure::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "too-many-streams",
                    "Too many streams of events are open from this address.",
                )
            });
        }
        *lock(&live.listening).entry(viewer).or_default() += 1;
        app.metrics.streams.fetch_add(1, Relaxed);
        Ok(Self { app: app.clone(), live: live.clone(), viewer, address })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(count) = lock(&self.live.listening).get_mut(&self.viewer) {
            *count = count.saturating_sub(1);
        }
        self.app.limiter.close_stream(self.address.0);
        self.app.metrics.streams.fetch_sub(1, Relaxed);
    }
}

/// A table that is held. It is there.
pub struct Seated<'a>(pub(crate) Held<'a, Option<Table>>);

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
