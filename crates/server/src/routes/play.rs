//! Requests of players.

use crate::access::{self, Body, Caller, Entered};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::gzip;
use crate::open_game::{Acted, Listening, Unacted};
use crate::pool::Lane;
use crate::routes::stream::{Manner, events as events_of};
use crate::wire::{AnswerBody, DiceBody, Done, DrawBody, EntropyBody, TextBody, UndoBody};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagplot_desk::{Commitment, Joining};
use flagplot_kernel::{Refusal, Seat, Viewer};
use schemars::JsonSchema;
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

const LONGEST_ID: usize = 100;
const LONGEST_LINE: usize = 1_000;
const LONGEST_NOTES: usize = 20_000;
const LONGEST_CHAT: usize = 1_000;
const MOST_DICE: usize = 1_000;
const LONGEST_UNDO: Duration = Duration::from_secs(5);

fn id(id: &str) -> Result<(), Refusal> {
    access::name("An answer's id", id, LONGEST_ID)
}

/// Which reply the client wants. With `Prefer: return=minimal` it says only how far the game has come: the client has a
/// stream, which brings the rest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    State,
    Minimal,
}

impl<S: Sync> FromRequestParts<S> for Wanted {
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let minimal = parts.headers.get("prefer").is_some_and(|prefer| prefer.as_bytes() == b"return=minimal");
        Ok(if minimal { Wanted::Minimal } else { Wanted::State })
    }
}

impl Wanted {
    /// The reply after a change. A state goes without the chat: the stream brings that.
    async fn reply(self, app: &Arc<App>, entered: &Entered, done: Done, log_after: usize) -> Reply<Response> {
        if self == Wanted::Minimal {
            return Ok(Json(done).into_response());
        }
        let state = app.state(&entered.live, entered.viewer, log_after, usize::MAX).await?;
        Ok(Json(state).into_response())
    }
}

pub async fn answer(
    State(app): State<Arc<App>>,
    wanted: Wanted,
    entered: Entered,
    Body(body): Body<AnswerBody>,
) -> Reply<Response> {
    let seat = entered.seat()?;
    id(&body.id)?;
    let AnswerBody { id, at, value, log_after } = body;
    let done = app
        .act(&entered.live, entered.viewer, move |table, time| {
            if table.counted(seat, &id) {
                return Ok(Acted::Nothing);
            }
            if !table.meant_for_now(at) {
                return Err(Unacted::MovedOn);
            }
            if table.lost_on_time(seat, time) {
                return Err(Refusal::new("time-over", "Your time has run out.").into());
            }
            table.room()?;
            table.desk.answer(seat, value.clone())?;
            table.status.clock.stop(seat, time);
            // Playing on declines a draw.
            if table.status.draw_offer.is_some_and(|by| by != seat) {
                table.status.draw_offer = None;
            }
            Ok(Acted::Changed(Some((seat, id.clone()))))
        })
        .await?;
    wanted.reply(&app, &entered, done, log_after.unwrap_or(0)).await
}

pub async fn dice(
    State(app): State<Arc<App>>,
    wanted: Wanted,
    entered: Entered,
    Body(body): Body<DiceBody>,
) -> Reply<Response> {
    let seat = entered.seat()?;
    id(&body.id)?;
    if body.faces.len() > MOST_DICE {
        return Err(Refusal::new("too-long", format!("Type at most {MOST_DICE} dice at once.")).into());
    }
    let done = app
        .act(&entered.live, entered.viewer, move |table, _| {
            if table.counted(seat, &body.id) {
                return Ok(Acted::Nothing);
            }
            if body.at.is_some_and(|at| at != table.desk.entries().len()) {
                return Err(Unacted::MovedOn);
            }
            table.room()?;
            table.desk.type_dice(body.faces.clone())?;
            Ok(Acted::Changed(Some((seat, body.id.clone()))))
        })
        .await?;
    wanted.reply(&app, &entered, done, 0).await
}

/// Takes the last answer back.
pub async fn undo(
    State(app): State<Arc<App>>,
    wanted: Wanted,
    caller: Caller,
    entered: Entered,
    Body(body): Body<UndoBody>,
) -> Reply<Response> {
    let seat = entered.seat()?;
    // What lies further back than the checkpoints is replayed.
    let share = caller.share(Lane::Quick, LONGEST_UNDO, Some(&entered.live));
    let done = app
        .act_within(Some(share), &entered.live, entered.viewer, move |table, _| {
            if body.at.is_some_and(|at| at != table.desk.entries().len()) {
                return Err(Unacted::MovedOn);
            }
            table.room()?;
            table.desk.undo(seat)?;
            Ok(Acted::Changed(None))
        })
        .await?;
    wanted.reply(&app, &entered, done, 0).await
}

pub async fn resign(State(app): State<Arc<App>>, wanted: Wanted, entered: Entered) -> Reply<Response> {
    let seat = entered.seat()?;
    let done = app
        .act(&entered.live, entered.viewer, move |table, _| {
            table.desk.resign(seat)?;
            Ok(Acted::Changed(None))
        })
        .await?;
    wanted.reply(&app, &entered, done, 0).await
}

/// Offers, accepts or declines a draw.
pub async fn draw(
    State(app): State<Arc<App>>,
    wanted: Wanted,
    entered: Entered,
    Body(body): Body<DrawBody>,
) -> Reply<Response> {
    let seat = entered.seat()?;
    let done = app
        .act(&entered.live, entered.viewer, move |table, _| {
            if table.desk.outcome().is_some() {
                return Err(Refusal::new("game-over", "The game is over.").into());
            }
            super::games::no_table(&table.desk)?;
            let sides = table.desk.seats();
            let side = |seat: Seat| sides.get(usize::from(seat.0)).map(|info| info.side);
            match (body.offer, table.status.draw_offer) {
                (true, Some(by)) if side(by) != side(seat) => {
                    table.desk.agree_draw()?;
                    table.status.draw_offer = None;
                }
                (true, Some(_)) => return Ok(Acted::Nothing),
                (true, None) if !table.people().any(|other| side(other) != side(seat)) => {
                    table.say(None, "The computer plays on.");
                }
                (true, None) => table.status.draw_offer = Some(seat),
                (false, None) => return Ok(Acted::Nothing),
                (false, Some(_)) => table.status.draw_offer = None,
            }
            Ok(Acted::Changed(None))
        })
        .await?;
    wanted.reply(&app, &entered, done, 0).await
}

/// Adds a line to the chat.
pub async fn chat(
    State(app): State<Arc<App>>,
    wanted: Wanted,
    entered: Entered,
    Body(body): Body<TextBody>,
) -> Reply<Response> {
    let seat = entered.seat()?;
    access::text("A message", &body.text, LONGEST_LINE)?;
    if body.text.trim().is_empty() {
        return Err(Refusal::new("empty-line", "The message is empty.").into());
    }
    let done = app
        .act(&entered.live, entered.viewer, move |table, _| {
            if table.chat.len() >= LONGEST_CHAT {
                let full = format!("The chat of a game has room for {LONGEST_CHAT} messages.");
                return Err(Refusal::new("too-much-chat", full).into());
            }
            table.say(Some(seat), body.text.clone());
            Ok(Acted::Changed(None))
        })
        .await?;
    wanted.reply(&app, &entered, done, 0).await
}

/// Stores private notes.
pub async fn notes(State(app): State<Arc<App>>, entered: Entered, Body(body): Body<TextBody>) -> Reply<StatusCode> {
    let seat = entered.seat()?;
    access::text("The page of notes", &body.text, LONGEST_NOTES)?;
    let mut table = app.hold(&entered.live).await?;
    let Some(row) = table.seats.get_mut(usize::from(seat.0)) else {
        return Err(Failure::internal("a player without a seat"));
    };
    app.store.put_notes(entered.live.id(), seat.0, &body.text).await?;
    row.notes = body.text;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes part in fair dice: commits to 256 random bits, reveals them when every seat has committed, or waives.
pub async fn entropy(
    State(app): State<Arc<App>>,
    wanted: Wanted,
    entered: Entered,
    Body(body): Body<EntropyBody>,
) -> Reply<Response> {
    let seat = entered.seat()?;
    let joining = match body {
        EntropyBody::Commit(hash) => Joining::Commit(Commitment(hash)),
        EntropyBody::Reveal(bits) => Joining::Reveal(bits),
        EntropyBody::Waive(true) => Joining::Waive,
        EntropyBody::Waive(false) => {
            return Err(Refusal::new("bad-body", "To add nothing to the dice, send {\"waive\": true}.").into());
        }
    };
    let done = app
        .act(&entered.live, entered.viewer, move |table, _| {
            let changed = table.join_dice(seat, joining.clone())?;
            Ok(if changed { Acted::Header } else { Acted::Nothing })
        })
        .await?;
    wanted.reply(&app, &entered, done, 0).await
}

/// What a stream brings.
#[derive(Default, Deserialize, JsonSchema)]
pub struct Following {
    /// Whether `change` events follow the first state, in place of `state` events.
    #[serde(default)]
    changes: bool,
}

/// Streams the events of a game to a viewer.
pub async fn events(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    query: Result<Query<Following>, QueryRejection>,
    entered: Entered,
) -> Reply<Response> {
    let Query(Following { changes }) =
        query.map_err(|_| Failure::bad("bad-query", "changes must be true or false."))?;
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let gzip = accepted.is_some_and(gzip::accepted);
    entered.list_seat(&app).await?;
    let Entered { live, viewer, .. } = entered;
    debug_assert!(viewer != Viewer::Everything, "no viewer sees everything while a game is played");
    let listening = Listening::new(&app, &live, viewer, caller.address)?;
    Ok(events_of(app, live, viewer, listening, Manner { changes, gzip }))
}
