//! Server time: the clock that games go by.
//!
//! It runs only while a server is up, and never jumps with the wall clock. Its value is in the database; a new database
//! begins with the wall clock's time, so that it continues the times that earlier programs stored. Processes that share a
//! database agree on the greatest value.

use crate::open_game::now;
use crate::store::{Store, Stored};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::Instant;

/// A clock that runs while the server is up.
pub struct Uptime {
    begun: Instant,
    /// Its value when it was started, in milliseconds, and what other processes were ahead since.
    base: AtomicI64,
}

impl Uptime {
    /// Goes on where the database says it stopped.
    pub async fn start(store: &dyn Store) -> Stored<Self> {
        let stopped = store.beat(0).await?;
        let base = if stopped > 0 { stopped } else { store.beat(now()).await? };
        Ok(Self { begun: Instant::now(), base: AtomicI64::new(base) })
    }

    /// The time in milliseconds.
    pub fn millis(&self) -> i64 {
        self.base.load(Relaxed) + i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX / 2)
    }

    /// Stores the time, and catches up with processes that are ahead.
    pub async fn beat(&self, store: &dyn Store) -> Stored<()> {
        let mine = self.millis();
        let ahead = store.beat(mine).await? - mine;
        self.base.fetch_add(ahead.max(0), Relaxed);
        Ok(())
    }
}
