//! What no request asks for: news of other processes, clocks, games left to the computer, games to be forgotten.

use crate::app::App;
use crate::live::{Acted, Live, lock, now};
use crate::minds::default_player;
use crate::store::News;
use crate::table::Table;
use crate::wire::OnTimeout;
use flagplot_desk::Joining;
use flagplot_kernel::Viewer;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// What was written for viewers is let go after so long, in milliseconds.
const SLIM_AFTER: i64 = 2_000;
/// So many games may wait in memory for somebody to look at them again; of more, those that were left first are dropped at once.
const MOST_IDLE: usize = 500;
/// A game that is due and cannot be opened is looked at again after so long, in milliseconds.
const UNOPENED: i64 = 3_600_000;
/// Fewer new entries than this are not worth a snapshot when a game is dropped from memory.
const SNAPSHOT_WORTH: usize = 16;

impl App {
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
            match self.game(&id).await {
                Ok(live) => self.look_at(&live).await,
                // One that cannot be opened, such as one of another edition, must not keep the others waiting.
                Err(failure) if failure.refusal.code != "storage" => {
                    eprintln!("flagplot: game {id} is due and cannot be opened: {}", failure.refusal.code);
                    if let Err(error) = self.store.put_due(&id, -1, Some(now() + UNOPENED)).await {
                        eprintln!("flagplot: database: {error}");
                    }
                }
                Err(_) => {}
            }
        }
        let time = now();
        let mut all: Vec<_> =
            lock(&self.live).values().cloned().map(|live| (time - live.touched.load(Relaxed), live)).collect();
        all.sort_by_key(|(idle, _)| *idle);
        for (place, (idle, live)) in all.into_iter().enumerate() {
            if idle > self.forget_after || (place >= MOST_IDLE && idle > SLIM_AFTER) {
                self.forget(live).await;
            } else if idle > SLIM_AFTER && live.slimmed.load(Relaxed) <= live.touched.load(Relaxed) {
                // Whoever looks has been told; what was written for them is written again when there is something new.
                if let Ok(mut held) = live.table.try_lock() {
                    held.iter_mut().for_each(Table::slim);
                    live.slimmed.store(time, Relaxed);
                }
            }
        }
    }

    /// Drops a game from memory, unless a computer thinks about it or somebody holds it.
    async fn forget(&self, live: Arc<Live>) {
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
        // Nobody listens and nobody else holds it: this list, and `live` here.
        if live.revision.receiver_count() == 0 && Arc::strong_count(&live) <= 2 {
            all.remove(&live.id);
        }
    }

    /// A game is due: a clock has run out, a computer has to be woken, or somebody has to be told.
    async fn look_at(self: &Arc<Self>, live: &Arc<Live>) {
        let (out, joining, told) = match self.hold(live).await {
            Ok(table) => {
                self.wake(live, &table);
                let untold = table.untold().any(|turn| turn.due <= now());
                let out = table.timed_out(now()).zip(table.plan.clock.as_ref().map(crate::wire::ClockPlan::on_timeout));
                (out, !table.desk.joining().is_empty(), untold)
            }
            Err(_) => (None, false, false),
        };
        if told && let Err(error) = self.notifier.remind(self, live).await {
            eprintln!("flagplot: somebody could not be told of a turn: {error}");
        }
        let Some((seat, then)) = out else { return };
        match then {
            OnTimeout::Lose => {
                let done = self.act(live, Viewer::Spectator, move |table, time| {
                    if table.timed_out(time) != Some(seat) {
                        return Ok(Acted::Nothing);
                    }
                    table.desk.lose_on_time(seat)?;
                    Ok(Acted::Changed(None))
                });
                if let Err(failure) = done.await {
                    eprintln!("flagplot: a clock that ran out could not be settled: {}", failure.refusal.code);
                }
            }
            // A seat that keeps the dice waiting goes without a part in them, and the record says so.
            OnTimeout::Computer if joining => {
                let done = self.act(live, Viewer::Spectator, move |table, time| {
                    if table.timed_out(time) != Some(seat) || !table.join_dice(seat, Joining::Waive)? {
                        return Ok(Acted::Nothing);
                    }
                    Ok(Acted::Header)
                });
                if let Err(failure) = done.await {
                    eprintln!("flagplot: dice could not go on without a seat: {}", failure.refusal.code);
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
