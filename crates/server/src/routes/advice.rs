//! Help with an answer: odds, a preview, a hint.

use crate::access::{Body, Caller, Entered};
use crate::app::App;
use crate::computers::{thinking, thought};
use crate::failure::Reply;
use crate::limit::Action;
use crate::pool::Lane;
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
use std::time::Duration;

/// The processor time for an explanation or a preview.
const LONGEST_LOOK: Duration = Duration::from_secs(2);
/// How many imagined worlds an answer is tried in.
const WORLDS: usize = 48;
/// How many rolls are made for one answer.
const MOST_ROLLS: usize = 40;
/// How many steps that ask nobody are carried out after an answer.
const MOST_STEPS: usize = 40;
/// How many different positions are shown.
const MOST_ENDS: usize = 4;
/// How many pieces are shown for each.
const MOST_GHOSTS: usize = 40;

/// A seat's open question, with everything needed to think about it.
struct Consultation {
    game: Arc<dyn AnyGame>,
    position: Position,
    answers: Vec<Answer>,
    question: SeatQuestion,
    secret: bool,
}

impl Consultation {
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

    /// Why the rules would refuse an answer. The check uses only what the seat knows.
    fn refuses(&self, value: &Value) -> Option<Refusal> {
        self.game.advance(self.position.as_ref(), &mut Tape::new(self.with(value))).err()
    }

    /// A world after an answer and how many rolls it took, if no other seat has to answer before the step is complete.
    fn carried_out(&self, world: &dyn AnyState, value: &Value, chance: &mut Chance) -> Option<(Position, usize)> {
        let mut answers = self.with(value);
        for rolls in 0..MOST_ROLLS {
            match self.game.advance(world, &mut Tape::new(answers.clone())).ok()? {
                Progress::Stepped(after) => return Some((self.run_on(after), rolls)),
                Progress::Asks(Question::Dice { count, die, .. }) => answers.push(Answer::Dice(Faces(
                    (0..count).map(|_| 1 + chance.below(u32::from(die.sides)) as u8).collect(),
                ))),
                Progress::Asks(_) => return None,
            }
        }
        None
    }

    /// A world after the steps that ask nobody, up to the first that wants an answer or dice, or would show a secret:
    /// what a sheet orders is carried out piece by piece, each in a step of its own.
    fn run_on(&self, mut at: Position) -> Position {
        for _ in 0..MOST_STEPS {
            if self.game.outcome(at.as_ref()).is_some() {
                break;
            }
            match self.game.advance(at.as_ref(), &mut Tape::new(Vec::new())) {
                Ok(Progress::Stepped(next)) if !self.game.tells(at.as_ref(), next.as_ref(), self.question.seat) => {
                    at = next;
                }
                _ => break,
            }
        }
        at
    }
}

/// Where pieces would stand after an answer, in worlds imagined from what the seat knows, with dice of their own.
fn ghosts(asked: &Consultation, value: &Value) -> Vec<Ghost> {
    let viewer = Viewer::Seat(asked.question.seat);
    let before = asked.game.scene(asked.position.as_ref(), viewer).pieces;
    let mut chance = Chance::seeded(u64::from_le_bytes(os_random()));
    let mut found: Vec<(usize, Vec<Piece>)> = Vec::new();
    for _ in 0..WORLDS {
        let world = asked.game.imagine(asked.position.as_ref(), viewer, &mut chance);
        let Some((after, rolls)) = asked.carried_out(world.as_ref(), value, &mut chance) else { continue };
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
        // Where nothing is hidden and nothing is rolled, every world comes out the same.
        if rolls == 0 && asked.game.open() {
            break;
        }
    }
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let total: usize = found.iter().map(|(count, _)| count).sum();
    found.retain(|(_, pieces)| !pieces.is_empty());
    found.truncate(MOST_ENDS);
    found.into_iter().map(|(count, pieces)| Ghost { share: count as f64 / total as f64, pieces }).collect()
}

/// Explains the open question.
pub async fn explain(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<ExplainBody>,
) -> Reply<Json<Insights>> {
    caller.may(&app, Action::Heavy)?;
    let asked = Consultation::of(&app, &entered, entered.seat()?).await?;
    let Some(asked) = asked else { return Ok(Json(Vec::new())) };
    let share = caller.share(Lane::Quick, LONGEST_LOOK, Some(&entered.live));
    app.pool.run(share, move || Ok(Json(asked.explain(body.value.as_ref())))).await
}

fn nothing_asked() -> Refusal {
    Refusal::new("nothing-asked", "It is not your turn to answer.")
}

/// Tries an answer without giving it: whether it is legal, its odds, and where pieces would stand.
pub async fn preview(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<ExplainBody>,
) -> Reply<Json<Preview>> {
    caller.may(&app, Action::Heavy)?;
    let refused =
        |refusal: Refusal| Ok(Json(Preview { refusal: Some(refusal), insights: Vec::new(), ghosts: Vec::new() }));
    // The page may look at an answer that has just been given.
    let Some(asked) = Consultation::of(&app, &entered, entered.seat()?).await? else {
        return refused(nothing_asked());
    };
    let value = body.value.unwrap_or_default();
    let share = caller.share(Lane::Quick, LONGEST_LOOK, Some(&entered.live));
    app.pool
        .run(share, move || match asked.refuses(&value) {
            Some(refusal) => refused(refusal),
            None => {
                let insights = asked.explain(Some(&value));
                Ok(Json(Preview { refusal: None, insights, ghosts: ghosts(&asked, &value) }))
            }
        })
        .await
}

/// What a computer player would answer, from what the seat knows, with the alternatives.
pub async fn hint(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<HintBody>,
) -> Reply<Json<Hint>> {
    caller.may(&app, Action::Heavy)?;
    let seat = entered.seat()?;
    let kind = body.player.map_or(Ok(PlayerKind::Admiral), |name| super::games::player(&name))?;
    let asked = Consultation::of(&app, &entered, seat).await?.ok_or_else(nothing_asked)?;
    let callers = caller.share(Lane::Long, LONGEST_LOOK, Some(&entered.live)).callers;
    app.pool
        .run(thinking(kind, callers), move || {
            let thought = thought(asked.game.as_ref(), asked.position.as_ref(), &asked.answers, seat, kind)
                .ok_or_else(nothing_asked)?;
            let Thought { value, alternatives, method } = thought_in_words(&asked.question, thought);
            let weighed = alternatives.iter().find(|one| one.value == value).map(|one| one.label.clone());
            let label = weighed.unwrap_or_else(|| in_words(&asked.question, &value));
            Ok(Json(Hint { value, label, alternatives, method }))
        })
        .await
}
