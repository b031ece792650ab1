//! Computer players: they answer for their seats, apart from the requests.

use crate::app::App;
use crate::failure::Reply;
use crate::open_game::{Acted, OpenGame, lock};
use crate::pool::{Lane, Share};
use crate::table::Table;
use flagplot_catalog::{AnyGame, AnyState, PlayerKind, Settings, Thought};
use flagplot_kernel::{Answer, Chance, Seat, SeatQuestion, Viewer};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tracing::warn;

/// A computer player thinks this long before viewers are told that it is thinking.
const THINKING: Duration = Duration::from_millis(300);
/// The processor time a player may take for one answer.
const LONGEST_THOUGHT: Duration = Duration::from_secs(10);

impl App {
    /// Starts the computer players whose turn it is.
    pub fn wake(self: &Arc<Self>, live: &Arc<OpenGame>, table: &Table) {
        for seat in table.waiting() {
            if table.is_computer(seat) && !lock(&live.thinking).contains_key(&seat) {
                lock(&live.thinking).insert(seat, false);
                let (app, live) = (self.clone(), live.clone());
                let kind = table.player(seat).unwrap_or_else(default_player);
                tokio::spawn(async move { app.think(&live, seat, kind).await });
            }
        }
    }

    /// Answers for a seat, and tells viewers if that takes long.
    pub(crate) async fn think(self: &Arc<Self>, live: &Arc<OpenGame>, seat: Seat, kind: PlayerKind) {
        let thought = {
            let work = self.advice(live, seat, kind);
            tokio::pin!(work);
            tokio::select! {
                biased;
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
                    // An illegal answer is a defect of the player; the game goes on with the first option.
                    let first = question.options.first().map(|option| option.value.clone());
                    match (table.desk.answer(seat, value.clone()), first) {
                        (Err(refusal), Some(first)) => {
                            let system = &table.desk.header().system;
                            warn!(player = %kind, system, code = refusal.code, "a computer's answer was refused");
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
        self.metrics.computer_answers.inc();
        if let Err(failure) = done {
            warn!(game = live.id(), code = failure.refusal.code, "a computer player could not answer");
        }
        if told {
            live.tell();
        }
    }

    /// What a computer player would answer for a seat, with the question it answers. The game is not held meanwhile.
    async fn advice(
        self: &Arc<Self>,
        live: &OpenGame,
        seat: Seat,
        kind: PlayerKind,
    ) -> Reply<Option<(SeatQuestion, Value)>> {
        let (game, position, answers, question, share) = {
            let held = self.hold(live).await?;
            let Some(question) = held.desk.question_to(seat).cloned() else { return Ok(None) };
            let share = thinking(kind, held.callers());
            let desk = &held.desk;
            (desk.game().clone(), desk.checkpoint().clone_box(), desk.answers().to_vec(), question, share)
        };
        let seed = self.random.number();
        let work = move || {
            let mut chance = Chance::seeded(seed);
            let thought = thought(game.as_ref(), position.as_ref(), &answers, seat, kind, &mut chance);
            Ok(thought.map(|thought| (question, thought.value)))
        };
        self.pool.run(share, work).await
    }
}

/// The share of the pool that a player's thought takes.
pub fn thinking(kind: PlayerKind, callers: Vec<String>) -> Share {
    let lane = if kind.budget().is_some() { Lane::Long } else { Lane::Quick };
    Share { lane, time: LONGEST_THOUGHT, callers }
}

/// What a player of this kind answers, on this thread alone.
pub fn thought(
    game: &dyn AnyGame,
    position: &dyn AnyState,
    answers: &[Answer],
    seat: Seat,
    kind: PlayerKind,
    chance: &mut Chance,
) -> Option<Thought> {
    match kind.budget() {
        Some(budget) => game.search(position, answers, seat, &Settings::new(budget).on_one_core(), chance),
        None => game.think(position, answers, seat, kind, chance),
    }
}

/// The player that fills in where none was named: one that answers at once.
#[must_use]
pub fn default_player() -> PlayerKind {
    "greedy".parse().unwrap_or(PlayerKind::ALL[0])
}
