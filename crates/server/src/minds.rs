//! The computer's seats, and other long computations.

use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::live::{Acted, Live, lock};
use crate::table::Table;
use flagplot_catalog::PlayerKind;
use flagplot_desk::os_random;
use flagplot_kernel::{Chance, Seat, SeatQuestion, Viewer};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::Semaphore;

/// So long a computer thinks before anyone is told that it does.
const THINKING: Duration = Duration::from_millis(300);

impl App {
    /// Lets computers think whose turn it is.
    pub fn wake(self: &Arc<Self>, live: &Arc<Live>, table: &Table) {
        for seat in table.waiting() {
            if table.is_computer(seat) && !lock(&live.thinking).contains_key(&seat) {
                lock(&live.thinking).insert(seat, false);
                let (app, live) = (self.clone(), live.clone());
                let kind = table.player(seat).unwrap_or_else(default_player);
                tokio::spawn(async move { app.think(&live, seat, kind).await });
            }
        }
    }

    /// Answers for a seat, and tells those who wait if that takes long.
    pub(crate) async fn think(self: &Arc<Self>, live: &Arc<Live>, seat: Seat, kind: PlayerKind) {
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
                            eprintln!(
                                "flagplot: {kind} of {} gave an answer that was refused: {}",
                                table.desk.header().system,
                                refusal.code
                            );
                            table.desk.answer(seat, first)?;
                        }
                        (result, _) => result?,
                    }
                    Ok(Acted::Changed(None))
                })
                .await
                .map(drop)
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
    pub async fn advice(
        self: &Arc<Self>,
        live: &Live,
        seat: Seat,
        kind: PlayerKind,
    ) -> Reply<Option<(SeatQuestion, Value)>> {
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
}

/// Runs a computation on a thread of its own, once there is room for it.
pub(crate) async fn apart<T: Send + 'static>(
    room: &Arc<Semaphore>,
    work: impl FnOnce() -> Reply<T> + Send + 'static,
) -> Reply<T> {
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
