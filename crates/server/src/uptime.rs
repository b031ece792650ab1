//! Server time: the clock that games go by.
//!
//! It runs only while a server is up, and never jumps with the wall clock. Its value is in the database; a new database
//! begins with the wall clock's time, so that it continues the times that earlier programs stored. Processes that share
//! a database agree on the greatest value.

use crate::store::{Store, Stored};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use tokio::time::Instant;

/// A clock that runs while the server is up.
pub struct Uptime {
    begun: Instant,
    /// Its value when it was started, in milliseconds, and what other processes were ahead since.
    base: AtomicI64,
}

impl Uptime {
    /// Goes on where the database says it stopped. Only a new database looks at the wall clock.
    pub async fn start(store: &dyn Store, wall: impl FnOnce() -> i64) -> Stored<Self> {
        let stopped = store.beat(0).await?;
        let base = if stopped > 0 { stopped } else { store.beat(wall()).await? };
        Ok(Self { begun: Instant::now(), base: AtomicI64::new(base) })
    }

    /// The time in milliseconds.
    pub fn millis(&self) -> i64 {
        self.base.load(Relaxed) + i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX / 2)
    }

    /// Stores the time, and catches up with processes that are ahead.
    pub async fn beat(&self, store: &dyn Store) -> Stored<()> {
        let stored = store.beat(self.millis()).await?;
        // Compared with the time now: a database that answers late does not make this process late.
        let ahead = stored - self.millis();
        self.base.fetch_add(ahead.max(0), Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Sqlite;
    use std::path::PathBuf;

    const HOUR: i64 = 3_600_000;

    /// A database of its own for a test, deleted with the folder it lies in.
    struct Scratch(PathBuf, Sqlite);

    impl Scratch {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("flagplot-{name}-{}", std::process::id()));
            let store = Sqlite::open(&folder.join("games.sqlite").display().to_string()).unwrap();
            Self(folder, store)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[tokio::test]
    async fn a_wall_clock_that_jumps_moves_no_game_clock() {
        let scratch = Scratch::new("jumps");
        let store = &scratch.1;
        let begun = 1_000 * HOUR;
        let first = Uptime::start(store, || begun).await.unwrap();
        first.beat(store).await.unwrap();
        for wall in [begun - 500 * HOUR, begun + 500 * HOUR, 0] {
            let again = Uptime::start(store, || wall).await.unwrap();
            again.beat(store).await.unwrap();
            assert!((begun..begun + HOUR).contains(&again.millis()), "{}", again.millis());
        }
    }

    #[tokio::test]
    async fn a_process_that_is_behind_catches_up_and_never_goes_back() {
        let scratch = Scratch::new("behind");
        let store = &scratch.1;
        let clock = Uptime::start(store, || HOUR).await.unwrap();
        store.beat(3 * HOUR).await.unwrap();
        clock.beat(store).await.unwrap();
        assert!(clock.millis() >= 3 * HOUR);
        store.beat(HOUR).await.unwrap();
        clock.beat(store).await.unwrap();
        assert!(clock.millis() >= 3 * HOUR);
    }
}
