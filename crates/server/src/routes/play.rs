//! What players do.

use crate::access::{self, Body, Caller, Entered};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::live::{Acted, Listening, Unacted};
use crate::wire::{AnswerBody, DiceBody, DrawBody, EntropyBody, TextBody, UndoBody};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use flagplot_desk::{Commitment, Joining};
use flagplot_kernel::{Refusal, Seat, Viewer};
use serde_json::value::RawValue;
use std::sync::Arc;

const LONGEST_ID: usize = 100;
const LONGEST_LINE: usize = 1_000;
const LONGEST_NOTES: usize = 20_000;
const LONGEST_CHAT: usize = 1_000;
const MOST_DICE: usize = 1_000;

fn id(id: &str) -> Result<(), Refusal> {
    access::name("The id of an answer", id, LONGEST_ID)
}

/// An answer. With `Prefer: return=minimal` the reply says only how far the game has come; the stream brings the rest.
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
            table.desk.answer(seat, value.clone())?;
            table.status.clock.stop(seat, time);
            // Whoever plays on has not taken the draw.
            if table.status.draw_offer.is_some_and(|by| by != seat) {
                table.status.draw_offer = None;
            }
            Ok(Acted::Changed(Some((seat, id.clone()))))
        })
        .await?;
    if headers.get("prefer").is_some_and(|prefer| prefer.as_bytes() == b"return=minimal") {
        return Ok(Json(done).into_response());
    }
    Ok(Json(app.state(&entered.live, entered.viewer, log_after.unwrap_or(0)).await?).into_response())
}

async fn shown(app: &Arc<App>, entered: &Entered) -> Reply<Json<Box<RawValue>>> {
    Ok(Json(app.state(&entered.live, entered.viewer, 0).await?))
}

/// Real dice.
pub async fn dice(
    State(app): State<Arc<App>>,
    entered: Entered,
    Body(body): Body<DiceBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    id(&body.id)?;
    if body.faces.len() > MOST_DICE {
        return Err(Refusal::new("too-long", format!("At most {MOST_DICE} dice are typed at once.")).into());
    }
    app.act(&entered.live, entered.viewer, move |table, _| {
        if table.counted(seat, &body.id) {
            return Ok(Acted::Nothing);
        }
        if body.at.is_some_and(|at| at != table.desk.entries().len()) {
            return Err(Unacted::MovedOn);
        }
        table.desk.type_dice(body.faces.clone())?;
        Ok(Acted::Changed(Some((seat, body.id.clone()))))
    })
    .await?;
    shown(&app, &entered).await
}

/// Takes the last answer back.
pub async fn undo(
    State(app): State<Arc<App>>,
    entered: Entered,
    Body(body): Body<UndoBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    app.act(&entered.live, entered.viewer, move |table, _| {
        if body.at.is_some_and(|at| at != table.desk.entries().len()) {
            return Err(Unacted::MovedOn);
        }
        table.desk.undo(seat)?;
        Ok(Acted::Changed(None))
    })
    .await?;
    shown(&app, &entered).await
}

/// Gives up.
pub async fn resign(State(app): State<Arc<App>>, entered: Entered) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    app.act(&entered.live, entered.viewer, move |table, _| {
        table.desk.resign(seat)?;
        Ok(Acted::Changed(None))
    })
    .await?;
    shown(&app, &entered).await
}

/// Offers a draw, agrees to one, refuses one.
pub async fn draw(
    State(app): State<Arc<App>>,
    entered: Entered,
    Body(body): Body<DrawBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    app.act(&entered.live, entered.viewer, move |table, time| {
        if table.desk.outcome().is_some() {
            return Err(Refusal::new("game-over", "The game is over.").into());
        }
        let sides = table.desk.seats();
        let side = |seat: Seat| sides.get(usize::from(seat.0)).map(|info| info.side);
        match (body.offer, table.status.draw_offer) {
            (true, Some(by)) if side(by) != side(seat) => {
                table.desk.agree_draw()?;
                table.status.draw_offer = None;
            }
            (true, Some(_)) => return Ok(Acted::Nothing),
            (true, None) if !table.people().any(|other| side(other) != side(seat)) => {
                table.say(time, None, "The computer plays on.");
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

/// Says something to everybody in the game.
pub async fn chat(
    State(app): State<Arc<App>>,
    entered: Entered,
    Body(body): Body<TextBody>,
) -> Reply<Json<Box<RawValue>>> {
    let seat = entered.seat()?;
    access::text("A line", &body.text, LONGEST_LINE)?;
    if body.text.trim().is_empty() {
        return Err(Refusal::new("empty-line", "There is nothing to say.").into());
    }
    app.act(&entered.live, entered.viewer, move |table, time| {
        if table.chat.len() >= LONGEST_CHAT {
            return Err(Refusal::new("too-much-chat", format!("A game has room for {LONGEST_CHAT} lines.")).into());
        }
        table.say(time, Some(seat), body.text.clone());
        Ok(Acted::Changed(None))
    })
    .await?;
    shown(&app, &entered).await
}

/// Keeps private notes.
pub async fn notes(State(app): State<Arc<App>>, entered: Entered, Body(body): Body<TextBody>) -> Reply<StatusCode> {
    let seat = entered.seat()?;
    access::text("A page of notes", &body.text, LONGEST_NOTES)?;
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

/// The events of a game are for this viewer.
pub async fn events(State(app): State<Arc<App>>, caller: Caller, entered: Entered) -> Reply<Response> {
    let Entered { live, viewer } = entered;
    debug_assert!(viewer != Viewer::Everything, "nobody sees everything while a game is played");
    let listening = Listening::new(&app, &live, viewer, caller.address)?;
    Ok(super::stream::events(app, live, viewer, listening))
}
