//! Upkeep: news of other processes, clocks, computers' turns, notices, idle games, expired sessions.

use crate::app::App;
use crate::computers::default_player;
use crate::open_game::{Acted, OpenGame, Unacted, lock};
use crate::store::News;
use crate::table::Table;
use crate::wire::{ClockPlan, OnTimeout};
use flagplot_desk::Joining;
use flagplot_kernel::{Seat, Viewer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tracing::{error, info, warn};

/// The caches for viewers are dropped after this time, in milliseconds.
const SLIM_AFTER: i64 = 2_000;
/// How many idle games stay in memory; of more, those idle for longest leave at once.
const MOST_IDLE: usize = 500;
/// A game that is due and cannot be opened is looked at again after this time, in milliseconds.
const UNOPENED: i64 = 3_600_000;
/// Fewer new entries than this are not worth a snapshot when a game leaves memory.
const SNAPSHOT_WORTH: usize = 16;
/// Rounds of upkeep between two deletions of what has expired.
const ROUNDS: u32 = 600;
const DAY: i64 = 86_400_000;

impl App {
    /// Starts the upkeep; it ends with the server.
    pub fn look_after(self: &Arc<Self>) {
        let app = Arc::downgrade(self);
        let mut news = self.store.news();
        tokio::spawn(async move {
            loop {
                let heard = news.recv().await;
                let Some(app) = app.upgrade() else { return };
                let changed: Vec<_> = match heard {
                    Ok(News::Version(id, version)) => {
                        if let Some(live) = lock(&app.live).get(&id).cloned() {
                            live.heard.fetch_max(version, Relaxed);
                            live.tell();
                        }
                        continue;
                    }
                    Ok(News::Game(id)) => lock(&app.live).get(&id).cloned().into_iter().collect(),
                    Ok(News::Any) | Err(RecvError::Lagged(_)) => lock(&app.live).values().cloned().collect(),
                    Err(RecvError::Closed) => return,
                };
                for live in changed {
                    live.stale.store(true, Relaxed);
                    live.tell();
                }
            }
        });
        let app = Arc::downgrade(self);
        tokio::spawn(async move {
            for round in 0u32.. {
                {
                    let Some(app) = app.upgrade() else { return };
                    if *app.closing.borrow() {
                        return;
                    }
                    app.look().await;
                    if round.is_multiple_of(ROUNDS) {
                        app.delete_expired().await;
                    }
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
    }

    /// One round of upkeep.
    async fn look(self: &Arc<Self>) {
        if let Err(error) = self.uptime.beat(self.store.as_ref()).await {
            error!(%error, "the server's time was not stored");
        }
        let due = self.store.due(self.uptime.millis(), 100).await.unwrap_or_default();
        for id in due {
            match self.game(&id).await {
                Ok(live) => self.look_at(&live).await,
                // A game that cannot be opened, such as one of another edition, must not hold up the others.
                Err(failure) if failure.refusal.code != "storage" => {
                    warn!(game = id, code = failure.refusal.code, "could not open a game that is due");
                    let later = self.uptime.millis() + UNOPENED;
                    if let Err(error) = self.store.put_due(&id, -1, Some(later)).await {
                        error!(%error, "the database failed");
                    }
                }
                Err(_) => {}
            }
        }
        if let Err(error) = self.notifier.send_due(self).await {
            error!(%error, "notices could not be sent");
        }
        let time = self.uptime.millis();
        let mut all: Vec<_> =
            lock(&self.live).values().cloned().map(|live| (time - live.touched.load(Relaxed), live)).collect();
        all.sort_by_key(|(idle, _)| *idle);
        for (place, (idle, live)) in all.into_iter().enumerate() {
            if idle > self.forget_after || (place >= MOST_IDLE && idle > SLIM_AFTER) {
                self.forget(live).await;
            } else if idle > SLIM_AFTER && live.slimmed.load(Relaxed) <= live.touched.load(Relaxed) {
                // The viewers have been told; their pictures are made again when something changes.
                if let Ok(mut held) = live.table.try_lock() {
                    held.iter_mut().for_each(Table::slim);
                    live.slimmed.store(time, Relaxed);
                }
            }
        }
    }

    /// Deletes expired sessions, and games that have not changed for as long as the operator keeps them.
    pub async fn delete_expired(self: &Arc<Self>) {
        if let Err(error) = self.store.drop_expired(self.wall.millis()).await {
            error!(%error, "expired sessions were not deleted");
        }
        let Some(days) = self.keep_days else { return };
        let before = self.wall.millis() - i64::from(days) * DAY;
        for game in self.store.idle_games(before, 1_000).await.unwrap_or_default() {
            match self.delete(&game).await {
                Ok(()) => info!(game, days, "a game without changes was deleted"),
                Err(failure) => error!(game, code = failure.refusal.code, "a game was not deleted"),
            }
        }
    }

    /// Drops a game from memory, unless a computer player is thinking or the game is in use.
    async fn forget(&self, live: Arc<OpenGame>) {
        if !lock(&live.thinking).is_empty() {
            return;
        }
        let Ok(mut held) = live.table.try_lock() else { return };
        if let Some(table) = held.as_mut()
            && let Ok(Some((entries, body))) = table.snapshot(SNAPSHOT_WORTH)
        {
            self.put_snapshot(&live.id, entries, body).await;
        }
        *held = None;
        drop(held);
        let mut all = lock(&self.live);
        // No stream listens, and only this list and `live` refer to it.
        if live.changes.receiver_count() == 0 && Arc::strong_count(&live) <= 2 {
            all.remove(&live.id);
        }
    }

    /// Looks at a game that is due: a clock has run out, a computer has to move, or a player has to be notified.
    async fn look_at(self: &Arc<Self>, live: &Arc<OpenGame>) {
        let Ok(table) = self.hold(live).await else { return };
        self.wake(live, &table);
        let time = self.uptime.millis();
        let untold = table.untold().any(|turn| turn.due <= time);
        let out = table.timed_out(time);
        let then = table.plan.clock.as_ref().map(ClockPlan::on_timeout);
        let joining = !table.desk.joining().is_empty();
        let (version, due) = (table.version, table.marks(time).due);
        drop(table);
        if untold && let Err(error) = self.notifier.remind(self, live).await {
            error!(game = live.id(), %error, "a player could not be notified");
        }
        let (Some(&first), Some(then)) = (out.first(), then) else {
            // A clock that was stopped while the server was down is due later than it seemed.
            if !untold && let Err(error) = self.store.put_due(live.id(), version, due).await {
                error!(%error, "the database failed");
            }
            return;
        };
        let done = match then {
            OnTimeout::Lose => self.lose_on_time(live, out).await,
            // A seat that keeps the dice waiting goes without a part in them, and the record says so.
            OnTimeout::Computer if joining => {
                let waive = move |table: &mut Table, time: i64| -> Result<Acted, Unacted> {
                    if !table.timed_out(time).contains(&first) || !table.join_dice(first, Joining::Waive)? {
                        return Ok(Acted::Nothing);
                    }
                    Ok(Acted::Header)
                };
                self.act(live, Viewer::Spectator, waive).await.map(drop)
            }
            OnTimeout::Computer => {
                for seat in out {
                    if lock(&live.thinking).insert(seat, false).is_none() {
                        self.think(live, seat, default_player()).await;
                    }
                }
                Ok(())
            }
        };
        if let Err(failure) = done {
            error!(game = live.id(), code = failure.refusal.code, "a clock that ran out could not be settled");
        }
    }

    /// Ends a game on time: the seat whose time ran out first loses. If that are seats of both sides, it is a draw.
    async fn lose_on_time(self: &Arc<Self>, live: &Arc<OpenGame>, out: Vec<Seat>) -> crate::failure::Reply<()> {
        let end = move |table: &mut Table, time: i64| -> Result<Acted, Unacted> {
            if table.timed_out(time) != out {
                return Ok(Acted::Nothing);
            }
            let sides = table.desk.seats();
            let side = |seat: &Seat| sides.get(usize::from(seat.0)).map(|info| info.side);
            match out.as_slice() {
                [first, rest @ ..] if rest.iter().all(|seat| side(seat) == side(first)) => {
                    table.desk.lose_on_time(*first)?;
                }
                _ => table.desk.both_out_of_time()?,
            }
            Ok(Acted::Changed(None))
        };
        self.act(live, Viewer::Spectator, end).await.map(drop)
    }
}
