//! What somebody may want to know before an answer: odds, a look ahead, advice.

use crate::access::{Body, Caller, Entered};
use crate::app::App;
use crate::failure::Reply;
use crate::limit::Doing;
use crate::wire::{ExplainBody, Ghost, Hint, HintBody, Insights, Preview};
use axum::Json;
use axum::extract::State;
use flagplot_catalog::{AnyGame, AnyState, PlayerKind, Position, Thought};
use flagplot_desk::{in_words, os_random, thought_in_words};
use flagplot_kernel::scene::Piece;
use flagplot_kernel::{Answer, Chance, Faces, Progress, Question, Refusal, Seat, SeatQuestion, Tape, Viewer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// In so many imagined worlds an answer is tried.
const WORLDS: usize = 48;
/// So many rolls are tried for one answer.
const MOST_ROLLS: usize = 40;
/// So many different ends of it are shown.
const MOST_ENDS: usize = 4;
/// So many pieces are shown for each.
const MOST_GHOSTS: usize = 40;

/// What a seat is asked, with all that is needed to think about it.
struct Asked {
    game: Arc<dyn AnyGame>,
    position: Position,
    answers: Vec<Answer>,
    question: SeatQuestion,
    secret: bool,
}

impl Asked {
    async fn of(app: &Arc<App>, entered: &Entered, seat: Seat) -> Reply<Option<Self>> {
        let table = app.hold(&entered.live).await?;
        let Some(question) = table.desk.question_to(seat).cloned() else { return Ok(None) };
        let secret = matches!(table.desk.question(), Some(Question::Secret { .. }));
        Ok(Some(Self {
            game: table.desk.game().clone(),
            position: table.desk.checkpoint().clone_box(),
            answers: table.desk.answers().to_vec(),
            question,
            secret,
        }))
    }

    fn explain(&self, value: Option<&Value>) -> Insights {
        self.game.explain(self.position.as_ref(), &self.answers, &self.question, value)
    }

    /// The answers of the step with one more.
    fn with(&self, value: &Value) -> Vec<Answer> {
        let mut answers = self.answers.clone();
        answers.push(if self.secret {
            Answer::Sealed(BTreeMap::from([(self.question.seat, value.clone())]))
        } else {
            Answer::Choice(value.clone())
        });
        answers
    }

    /// Why the rules would not take an answer. What is checked is known to the asked seat.
    fn refuses(&self, value: &Value) -> Option<Refusal> {
        self.game.advance(self.position.as_ref(), &mut Tape::new(self.with(value))).err()
    }

    /// A world after an answer, if nobody else has to be asked before the step is complete.
    fn carried_out(&self, world: &dyn AnyState, value: &Value, chance: &mut Chance) -> Option<Position> {
        let mut answers = self.with(value);
        for _ in 0..MOST_ROLLS {
            match self.game.advance(world, &mut Tape::new(answers.clone())).ok()? {
                Progress::Stepped(after) => return Some(after),
                Progress::Asks(Question::Dice { count, die, .. }) => answers.push(Answer::Dice(Faces(
                    (0..count).map(|_| 1 + chance.below(u32::from(die.sides)) as u8).collect(),
                ))),
                Progress::Asks(_) => return None,
            }
        }
        None
    }
}

/// Where pieces would stand after an answer: tried in worlds imagined from what the seat knows, with dice that are not the game's.
fn ghosts(asked: &Asked, value: &Value) -> Vec<Ghost> {
    let viewer = Viewer::Seat(asked.question.seat);
    let before = asked.game.scene(asked.position.as_ref(), viewer).pieces;
    let mut chance = Chance::seeded(u64::from_le_bytes(os_random()));
    let mut found: Vec<(usize, Vec<Piece>)> = Vec::new();
    for _ in 0..WORLDS {
        let world = asked.game.imagine(asked.position.as_ref(), viewer, &mut chance);
        let Some(after) = asked.carried_out(world.as_ref(), value, &mut chance) else { continue };
        let moved = |piece: &Piece| {
            before.iter().any(|old| old.id == piece.id && (old.place != piece.place || old.facing != piece.facing))
        };
        let pieces: Vec<Piece> =
            asked.game.scene(after.as_ref(), viewer).pieces.into_iter().filter(moved).take(MOST_GHOSTS).collect();
        let same = |other: &Vec<Piece>| {
            other.len() == pieces.len()
                && other.iter().zip(&pieces).all(|(a, b)| a.id == b.id && a.place == b.place && a.facing == b.facing)
        };
        match found.iter_mut().find(|(_, other)| same(other)) {
            Some((count, _)) => *count += 1,
            None => found.push((1, pieces)),
        }
    }
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let total: usize = found.iter().map(|(count, _)| count).sum();
    found.retain(|(_, pieces)| !pieces.is_empty());
    found.truncate(MOST_ENDS);
    found.into_iter().map(|(count, pieces)| Ghost { share: count as f64 / total as f64, pieces }).collect()
}

/// What one may want to know before answering.
pub async fn explain(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<ExplainBody>,
) -> Reply<Json<Insights>> {
    caller.may(&app, Doing::Heavy)?;
    let Some(asked) = Asked::of(&app, &entered, entered.seat()?).await? else { return Ok(Json(Vec::new())) };
    app.heavy(move || Ok(Json(asked.explain(body.value.as_ref())))).await
}

fn nothing_asked() -> Refusal {
    Refusal::new("nothing-asked", "You are not asked anything now.")
}

/// An answer tried out: whether the rules would take it, what it would meet and cost, where the pieces would stand. Nothing is changed.
pub async fn preview(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<ExplainBody>,
) -> Reply<Json<Preview>> {
    caller.may(&app, Doing::Heavy)?;
    let refused =
        |refusal: Refusal| Ok(Json(Preview { refusal: Some(refusal), insights: Vec::new(), ghosts: Vec::new() }));
    // The page may look at an answer that has just been given.
    let Some(asked) = Asked::of(&app, &entered, entered.seat()?).await? else { return refused(nothing_asked()) };
    let value = body.value.unwrap_or_default();
    app.heavy(move || match asked.refuses(&value) {
        Some(refusal) => refused(refusal),
        None => {
            let insights = asked.explain(Some(&value));
            Ok(Json(Preview { refusal: None, insights, ghosts: ghosts(&asked, &value) }))
        }
    })
    .await
}

/// What a computer player would answer, from what the seat knows, with what else it has weighed.
pub async fn hint(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<HintBody>,
) -> Reply<Json<Hint>> {
    caller.may(&app, Doing::Heavy)?;
    let seat = entered.seat()?;
    let kind = body.player.map_or(Ok(PlayerKind::Admiral), |name| super::games::player(&name))?;
    let asked = Asked::of(&app, &entered, seat).await?.ok_or_else(nothing_asked)?;
    app.heavy(move || {
        let mut chance = Chance::seeded(u64::from_le_bytes(os_random()));
        let thought = asked
            .game
            .think(asked.position.as_ref(), &asked.answers, seat, kind, &mut chance)
            .ok_or_else(nothing_asked)?;
        let Thought { value, alternatives, method } = thought_in_words(&asked.question, thought);
        let weighed = alternatives.iter().find(|one| one.value == value).map(|one| one.label.clone());
        let label = weighed.unwrap_or_else(|| in_words(&asked.question, &value));
        Ok(Json(Hint { value, label, alternatives, method }))
    })
    .await
}
