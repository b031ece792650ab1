//! What no request asks for: news of other processes, clocks, games left to the computer, games to be forgotten.

use crate::app::App;
use crate::live::{Acted, Live, lock, now};
use crate::minds::default_player;
use crate::store::News;
use crate::wire::OnTimeout;
use flagplot_kernel::Viewer;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

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
            if let Ok(live) = self.game(&id).await {
                self.look_at(&live).await;
            }
        }
        let time = now();
        let idle: Vec<_> = lock(&self.live).values().filter(|live| time - live.touched.load(Relaxed) > self.forget_after).cloned().collect();
        for live in idle {
            if lock(&live.thinking).is_empty()
                && let Ok(mut held) = live.table.try_lock()
            {
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
                    table.desk.lose_on_time(seat)?;
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
