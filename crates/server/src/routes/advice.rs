//! Help with an answer: odds, a preview, a hint.

use crate::access::{Body, Caller, Entered};
use crate::app::App;
use crate::computers::{thinking, thought};
use crate::failure::{Failure, Reply};
use crate::limit::Action;
use crate::open_game::Acted;
use crate::pool::Lane;
use crate::secret;
use crate::table::KeptHint;
use crate::wire::{ExplainBody, Ghost, Hint, HintBody, Hints, Insights, Preview, Written};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use flagplot_catalog::{AnyGame, AnyState, PlayerKind, Position, Thought};
use flagplot_desk::{Desk, HintUse, in_words, os_random, thought_in_words};
use flagplot_kernel::scene::{Arrow, Piece};
use flagplot_kernel::{Answer, Chance, Faces, Progress, Question, Refusal, Seat, SeatQuestion, Tape, Viewer};
use serde_json::Value;
use serde_json::value::RawValue;
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
pub(super) struct Consultation {
    game: Arc<dyn AnyGame>,
    position: Position,
    answers: Vec<Answer>,
    question: SeatQuestion,
    secret: bool,
}

impl Consultation {
    async fn of(app: &Arc<App>, entered: &Entered, seat: Seat) -> Reply<Option<Self>> {
        Ok(Self::at(&app.hold(&entered.live).await?.desk, seat))
    }

    /// The open question of a seat at a desk.
    pub(super) fn at(desk: &Desk, seat: Seat) -> Option<Self> {
        Some(Self {
            game: desk.game().clone(),
            position: desk.checkpoint().clone_box(),
            answers: desk.answers().to_vec(),
            question: desk.question_to(seat)?.clone(),
            secret: matches!(desk.question(), Some(Question::Secret { .. })),
        })
    }

    /// A hash of what a hint of this player is made from: the game, and what the seat knows and is asked.
    fn key(&self, game: &str, kind: PlayerKind) -> String {
        let view = self.game.view(self.position.as_ref(), Viewer::Seat(self.question.seat));
        let known = serde_json::json!([game, kind, view, self.answers, self.question]);
        secret::hash(&known.to_string())
    }

    /// Whether an answer is legal, its odds, and where pieces would stand.
    pub(super) fn preview(&self, value: &Value) -> Preview {
        match self.refuses(value) {
            Some(refusal) => Preview { refusal: Some(refusal), insights: Vec::new(), ghosts: Vec::new() },
            None => Preview { refusal: None, insights: self.explain(Some(value)), ghosts: ghosts(self, value) },
        }
    }

    pub(super) fn explain(&self, value: Option<&Value>) -> Insights {
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
    let mut found: Vec<(usize, Vec<Piece>, Vec<Arrow>)> = Vec::new();
    for _ in 0..WORLDS {
        let world = asked.game.imagine(asked.position.as_ref(), viewer, &mut chance);
        let Some((after, rolls)) = asked.carried_out(world.as_ref(), value, &mut chance) else { continue };
        let moved = |piece: &Piece| {
            before.iter().any(|old| old.id == piece.id && (old.place != piece.place || old.facing != piece.facing))
        };
        let scene = asked.game.scene(after.as_ref(), viewer);
        let pieces: Vec<Piece> = scene.pieces.into_iter().filter(moved).take(MOST_GHOSTS).collect();
        let same = |other: &Vec<Piece>| {
            other.len() == pieces.len()
                && other.iter().zip(&pieces).all(|(a, b)| a.id == b.id && a.place == b.place && a.facing == b.facing)
        };
        match found.iter_mut().find(|(_, other, _)| same(other)) {
            Some((count, ..)) => *count += 1,
            None => {
                let of_these = |arrow: &Arrow| pieces.iter().any(|piece| [&arrow.from, &arrow.to].contains(&&piece.id));
                let arrows = scene.arrows.into_iter().filter(of_these).take(MOST_GHOSTS).collect();
                found.push((1, pieces, arrows));
            }
        }
        // Where nothing is hidden and nothing is rolled, every world comes out the same.
        if rolls == 0 && asked.game.open() {
            break;
        }
    }
    found.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    let total: usize = found.iter().map(|(count, ..)| count).sum();
    found.retain(|(_, pieces, _)| !pieces.is_empty());
    found.truncate(MOST_ENDS);
    let ghost = |(count, pieces, arrows)| Ghost { share: count as f64 / total as f64, pieces, arrows };
    found.into_iter().map(ghost).collect()
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

pub(super) fn nothing_asked() -> Refusal {
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
    super::games::no_table(&app.hold(&entered.live).await?.desk)?;
    // The page may look at an answer that has just been given.
    let Some(asked) = Consultation::of(&app, &entered, entered.seat()?).await? else {
        return Ok(Json(Preview { refusal: Some(nothing_asked()), insights: Vec::new(), ghosts: Vec::new() }));
    };
    let value = body.value.unwrap_or_default();
    let share = caller.share(Lane::Quick, LONGEST_LOOK, Some(&entered.live));
    app.pool.run(share, move || Ok(Json(asked.preview(&value)))).await
}

/// The seat that signs for a spectator: one that no table has, and so one that may do nothing.
const NO_SEAT: u8 = u8::MAX;

/// What is to be said of a deed at a referee's table before it is done. Anyone who looks may measure on the map.
pub async fn consider(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<ExplainBody>,
) -> Reply<Json<Value>> {
    caller.may(&app, Action::Heavy)?;
    let (game, position, system) = {
        let table = app.hold(&entered.live).await?;
        (table.desk.game().clone(), table.desk.checkpoint().clone_box(), table.desk.header().system.clone())
    };
    let mut value = body.value.unwrap_or_default();
    let measures = app.catalog.system(&system)?.measures();
    let seat = match entered.seat() {
        Err(_) if measures.is_some_and(|act| value["do"] == "act" && value["act"] == act) => NO_SEAT,
        seat => seat?.0,
    };
    if let Some(fields) = value.as_object_mut() {
        fields.insert("by".to_owned(), seat.into());
    }
    let share = caller.share(Lane::Quick, LONGEST_LOOK, Some(&entered.live));
    app.pool
        .run(share, move || {
            let said = game.consider(position.as_ref(), &value);
            Ok(Json(said.ok_or_else(|| Refusal::new("no-table", "This is not a referee's table."))?))
        })
        .await
}

/// What a computer player would answer, from what the seat knows, with the alternatives.
pub async fn hint(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<HintBody>,
) -> Reply<Json<Written>> {
    let seat = entered.seat()?;
    let kind = body.player.map_or(Ok(PlayerKind::Admiral), |name| super::games::player(&name))?;
    super::games::no_table(&app.hold(&entered.live).await?.desk)?;
    let asked = Consultation::of(&app, &entered, seat).await?.ok_or_else(nothing_asked)?;
    let key = asked.key(entered.live.id(), kind);
    {
        let table = app.hold(&entered.live).await?;
        if table.hints() != Hints::On {
            return Err(Failure::new(
                StatusCode::FORBIDDEN,
                "hints-off",
                "Hints are off in this game: its players have not all agreed to them.",
            ));
        }
        if let Some(kept) = table.kept_hint(seat, &key) {
            return Ok(Json(RawValue::from_string(kept.to_string()).map(Written::from).map_err(Failure::internal)?));
        }
    }
    caller.may(&app, Action::Heavy)?;
    let callers = caller.share(Lane::Long, LONGEST_LOOK, Some(&entered.live)).callers;
    let seed = key.clone();
    let hint = app.pool.run(thinking(kind, callers), move || Ok(advise(&asked, kind, &seed)?)).await?;
    let given = hint.alternatives.iter().find(|one| one.value == hint.value);
    let (value, error) = (hint.value.clone(), given.map(|one| one.error));
    let told = serde_json::to_value(&hint).map_err(Failure::internal)?;
    let written = RawValue::from_string(told.to_string()).map(Written::from).map_err(Failure::internal)?;
    // The hint is in the record before the player sees it.
    app.act(&entered.live, entered.viewer, move |table, _| {
        if table.kept_hint(seat, &key).is_some() {
            return Ok(Acted::Nothing);
        }
        let at = table.desk.entries().len();
        let used = HintUse { at, seat, player: kind.to_string(), value: value.clone(), error };
        table.keep_hint(KeptHint { seat, key: key.clone(), hint: told.clone() }, used);
        Ok(Acted::Header)
    })
    .await?;
    Ok(Json(written))
}

/// Thinks about a question. The same knowledge in the same game begins with the same seed.
fn advise(asked: &Consultation, kind: PlayerKind, key: &str) -> Result<Hint, Refusal> {
    let seed = key.bytes().take(8).fold(0, |seed, byte| seed << 8 | u64::from(byte));
    let (seat, chance) = (asked.question.seat, &mut Chance::seeded(seed));
    let thought = thought(asked.game.as_ref(), asked.position.as_ref(), &asked.answers, seat, kind, chance)
        .ok_or_else(nothing_asked)?;
    let Thought { value, alternatives, method } = thought_in_words(&asked.question, thought);
    let weighed = alternatives.iter().find(|one| one.value == value).map(|one| one.label.clone());
    let label = weighed.unwrap_or_else(|| in_words(&asked.question, &value));
    Ok(Hint { value, label, alternatives, method })
}
