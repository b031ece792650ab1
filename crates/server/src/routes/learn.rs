//! Lessons: scripted games that live in the request alone. The server plays the answers so far and forgets them.

use super::advice::{Consultation, nothing_asked};
use crate::access::{Body, Caller, Id};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Action;
use crate::pool::Lane;
use crate::wire::{
    DiceMode, Entropy, GameState, Hints, Insights, LessonBody, LessonBrief, LessonState, LessonStep, Lookup, Meta,
    Preview, RuleExample, SeatKind, SeatMeta, You,
};
use axum::Json;
use axum::extract::State;
use flagplot_catalog::Catalog;
use flagplot_desk::{Desk, Lesson, Term, glossary};
use flagplot_kernel::{Refusal, Seat, Viewer};
use serde_json::value::{RawValue, to_raw_value};
use std::sync::Arc;
use std::time::Duration;

/// The processor time for playing a lesson up to a step.
const LONGEST_LESSON: Duration = Duration::from_secs(2);

pub async fn lessons() -> Reply<Json<Vec<LessonBrief>>> {
    let all: Result<Vec<_>, Refusal> = Lesson::all().map(|lesson| lesson.map(LessonBrief::from)).collect();
    Ok(Json(all?))
}

fn meta(catalog: &Catalog, lesson: &Lesson, desk: &Desk) -> Reply<Meta> {
    let header = desk.header();
    let scenarios = catalog.system(&header.system)?.scenarios();
    let scenario = scenarios.into_iter().find(|one| one.id == header.scenario);
    let aims = desk.game().aims();
    let seat = |(at, info): (u8, flagplot_kernel::SeatInfo)| {
        let own = Seat(at) == lesson.seat;
        SeatMeta {
            seat: Seat(at),
            id: info.id,
            name: if own { "You" } else { "the lesson" }.to_owned(),
            faction: info.name,
            side: info.side,
            aim: if own { lesson.aim.clone() } else { aims[info.side].clone() },
            kind: if own { SeatKind::Human } else { SeatKind::Computer },
            player: None,
            entropy: Entropy::None,
            taken: true,
            hints: Vec::new(),
        }
    };
    Ok(Meta {
        system: header.system.clone(),
        scenario: header.scenario.clone(),
        title: scenario.map_or_else(|| header.scenario.clone(), |scenario| scenario.title),
        edition: header.edition.clone(),
        seats: (0..).zip(desk.seats()).map(seat).collect(),
        dice: DiceMode::Typed,
        commitment: None,
        imported: None,
        created: 0,
        spectators: false,
        hints: Hints::On,
    })
}

fn state(catalog: &Catalog, lesson: &Lesson, desk: &Desk, taken: usize) -> Reply<Box<RawValue>> {
    let viewer = Viewer::Seat(lesson.seat);
    let meta = to_raw_value(&meta(catalog, lesson, desk)?).map_err(Failure::internal)?;
    let picture = desk.picture(viewer, None);
    let game = format!("lesson-{}", lesson.opening.system);
    let state = GameState {
        game: &game,
        version: taken as u64,
        meta: &meta,
        you: You::Player { seat: lesson.seat },
        situation: desk.shown(viewer, &picture),
        log_after: 0,
        log: desk.lines(viewer, 0),
        chat_after: 0,
        chat: &[],
        notes: "",
        clock: None,
        draw_offer: None,
        thinking: Vec::new(),
        rematch: None,
    };
    state.written().map_err(Failure::internal)
}

/// Takes the answers of a lesson so far and says what comes next.
pub async fn lesson(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id,
    Body(LessonBody { answers }): Body<LessonBody>,
) -> Reply<Json<LessonState>> {
    caller.may(&app, Action::Heavy)?;
    let lesson = Lesson::of(&id)?;
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Quick, LONGEST_LESSON, None);
    let work = move || {
        let stage = lesson.play(&catalog, &answers)?;
        let taken = answers.len();
        let step = lesson.steps.get(taken).map(|step| LessonStep {
            say: &step.say,
            answer: stage
                .desk()
                .question_to(lesson.seat)
                .map_or_else(|| step.answer.clone(), |question| step.offered(question)),
            piece: step.piece.as_deref(),
        });
        let told = match (taken.checked_sub(1), lesson.steps.get(taken)) {
            (Some(_), Some(step)) => step.told.as_str(),
            _ => "",
        };
        let end = if step.is_none() { lesson.end.as_slice() } else { &[] };
        let state = state(&catalog, lesson, stage.desk(), taken)?;
        Ok(Json(LessonState { lesson: lesson.into(), taken, told, step, end, state }))
    };
    app.pool.run(share, work).await
}

/// The open question of a lesson.
async fn consulted<T: Send + 'static>(
    app: &Arc<App>,
    caller: &Caller,
    id: &str,
    lookup: Lookup,
    work: impl FnOnce(&Consultation, Option<&serde_json::Value>) -> T + Send + 'static,
) -> Reply<T> {
    caller.may(app, Action::Heavy)?;
    let lesson = Lesson::of(id)?;
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Quick, LONGEST_LESSON, None);
    let look = move || {
        let stage = lesson.play(&catalog, &lookup.answers)?;
        let asked = Consultation::at(stage.desk(), lesson.seat).ok_or_else(nothing_asked)?;
        Ok(work(&asked, lookup.value.as_ref()))
    };
    app.pool.run(share, look).await
}

/// Tries an answer of a lesson without giving it.
pub async fn preview(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id,
    Body(lookup): Body<Lookup>,
) -> Reply<Json<Preview>> {
    let look = |asked: &Consultation, value: Option<&serde_json::Value>| {
        asked.preview(value.unwrap_or(&serde_json::Value::Null))
    };
    Ok(Json(consulted(&app, &caller, &id, lookup, look).await?))
}

/// Explains the open question of a lesson, or an answer to it.
pub async fn explain(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id,
    Body(lookup): Body<Lookup>,
) -> Reply<Json<Insights>> {
    let look = |asked: &Consultation, value: Option<&serde_json::Value>| asked.explain(value);
    Ok(Json(consulted(&app, &caller, &id, lookup, look).await?))
}

/// The words of a system.
pub async fn words(Id(id): Id) -> Reply<Json<&'static [Term]>> {
    Ok(Json(glossary(&id)?))
}

/// The examples of a system's rules page.
pub async fn examples(State(app): State<Arc<App>>, caller: Caller, Id(id): Id) -> Reply<Json<Vec<RuleExample>>> {
    caller.may(&app, Action::Heavy)?;
    let lesson = Lesson::of(&id)?;
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Quick, LONGEST_LESSON, None);
    let work = move || {
        let shown = lesson.examples.iter().map(|example| {
            let shot = lesson.show(&catalog, example)?;
            let (rule, title, text) = (&example.rule, &example.title, &example.text);
            Ok(RuleExample { rule, title, text, shot })
        });
        Ok(Json(shown.collect::<Result<Vec<_>, Refusal>>()?))
    };
    app.pool.run(share, work).await
}
