//! Requests of players.

use crate::access::{self, Body, Caller, Entered};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::open_game::{Acted, Listening, Unacted};
use crate::pool::Lane;
use crate::wire::{AnswerBody, DiceBody, DrawBody, EntropyBody, TextBody, UndoBody};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use flagplot_desk::{Commitment, Joining};
use flagplot_kernel::{Refusal, Seat, Viewer};
use serde_json::value::RawValue;
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

/// An answer. With `Prefer: return=minimal` the reply says only how far the game has come.
pub async fn answer(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
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
    if headers.get("prefer").is_some_and(|prefer| prefer.as_bytes() == b"return=minimal") {
        return Ok(Json(done).into_response());
    }
    let state = app.state(&entered.live, entered.viewer, log_after.unwrap_or(0), usize::MAX).await?;
    Ok(Json(state).into_response())
}

/// The state after a change, without the chat: the stream brings that.
async fn shown(app: &Arc<App>, entered: &Entered) -> Reply<Json<Box<RawValue>>> {
    Ok(Json(app.state(&entered.live, entered.viewer, 0, usize::MAX).await?))
}

/// Typed dice.
pub async fn dice(
    State(app): State<Arc<App>>,
    entered: Entered,
    Body(body): Body<DiceBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    id(&body.id)?;
    if body.faces.len() > MOST_DICE {
        return Err(Refusal::new("too-long", format!("Type at most {MOST_DICE} dice at once.")).into());
    }
    app.act(&entered.live, entered.viewer, move |table, _| {
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
    shown(&app, &entered).await
}

/// Takes the last answer back.
pub async fn undo(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(body): Body<UndoBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    // What lies further back than the checkpoints is replayed.
    let share = caller.share(Lane::Quick, LONGEST_UNDO, Some(&entered.live));
    app.act_within(Some(share), &entered.live, entered.viewer, move |table, _| {
        if body.at.is_some_and(|at| at != table.desk.entries().len()) {
            return Err(Unacted::MovedOn);
        }
        table.room()?;
        table.desk.undo(seat)?;
        Ok(Acted::Changed(None))
    })
    .await?;
    shown(&app, &entered).await
}

/// Resigns.
pub async fn resign(State(app): State<Arc<App>>, entered: Entered) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    app.act(&entered.live, entered.viewer, move |table, _| {
        table.desk.resign(seat)?;
        Ok(Acted::Changed(None))
    })
    .await?;
    shown(&app, &entered).await
}

/// Offers, accepts or declines a draw.
pub async fn draw(
    State(app): State<Arc<App>>,
    entered: Entered,
    Body(body): Body<DrawBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    app.act(&entered.live, entered.viewer, move |table, _| {
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
    shown(&app, &entered).await
}

/// Adds a line to the chat.
pub async fn chat(
    State(app): State<Arc<App>>,
    entered: Entered,
    Body(body): Body<TextBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    access::text("A message", &body.text, LONGEST_LINE)?;
    if body.text.trim().is_empty() {
        return Err(Refusal::new("empty-line", "The message is empty.").into());
    }
    app.act(&entered.live, entered.viewer, move |table, _| {
        if table.chat.len() >= LONGEST_CHAT {
            let full = format!("The chat of a game has room for {LONGEST_CHAT} messages.");
            return Err(Refusal::new("too-much-chat", full).into());
        }
        table.say(Some(seat), body.text.clone());
        Ok(Acted::Changed(None))
    })
    .await?;
    shown(&app, &entered).await
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
    entered: Entered,
    Body(body): Body<EntropyBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    let joining = match body {
        EntropyBody::Commit(hash) => Joining::Commit(Commitment(hash)),
        EntropyBody::Reveal(bits) => Joining::Reveal(bits),
        EntropyBody::Waive(true) => Joining::Waive,
        EntropyBody::Waive(false) => {
            return Err(Refusal::new("bad-body", "To add nothing to the dice, send {\"waive\": true}.").into());
        }
    };
    app.act(&entered.live, entered.viewer, move |table, _| {
        let changed = table.join_dice(seat, joining.clone())?;
        Ok(if changed { Acted::Header } else { Acted::Nothing })
    })
    .await?;
    shown(&app, &entered).await
}

/// Streams the events of a game to a viewer.
pub async fn events(State(app): State<Arc<App>>, caller: Caller, entered: Entered) -> Reply<Response> {
    entered.list_seat(&app).await?;
    let Entered { live, viewer, .. } = entered;
    debug_assert!(viewer != Viewer::Everything, "no viewer sees everything while a game is played");
    let listening = Listening::new(&app, &live, viewer, caller.address)?;
    Ok(super::stream::events(app, live, viewer, listening))
}
