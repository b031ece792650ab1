//! Games made, brought in, taken out, proved, played again.

use crate::access::{self, Body, Caller, Entered, Raw};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Doing;
use crate::live::{Acted, now};
use crate::minds::default_player;
use crate::secret;
use crate::store::SeatRow;
use crate::table::{Plan, Table};
use crate::wire::{ClockPlan, CreateGame, Created, CreatedSeat, DiceMode, SeatKind, SeatPlan, Webhook};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceLine, DiceSource, Record, Verdict, os_random};
use flagplot_kernel::{Refusal, Seat, Viewer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

const LONGEST_NAME: usize = 60;
const LONGEST_ADDRESS: usize = 500;
/// A computer's seat in a record's list of seats.
const COMPUTER: &str = "computer: ";

/// Who sits there, in a record's words.
fn words(plan: &SeatPlan, seat: usize) -> String {
    match (&plan.kind, &plan.player, &plan.name) {
        (SeatKind::Computer, Some(player), _) => format!("{COMPUTER}{player}"),
        (_, _, Some(name)) => name.clone(),
        _ => format!("Seat {}", seat + 1),
    }
}

/// Who sits there, from a record's words.
fn plan(words: &str) -> SeatPlan {
    match words.strip_prefix(COMPUTER).filter(|name| player(name).is_ok()) {
        Some(player) => SeatPlan { kind: SeatKind::Computer, player: Some(player.to_owned()), name: None },
        None => SeatPlan {
            kind: SeatKind::Human,
            player: None,
            name: Some(words.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()),
        },
    }
}

/// A computer player by name. Only those that are listed: a search with a budget of somebody's own could keep the server busy for long.
pub fn player(name: &str) -> Result<PlayerKind, Refusal> {
    let kind: PlayerKind = name.parse()?;
    if PlayerKind::ALL.contains(&kind) {
        Ok(kind)
    } else {
        Err(Refusal::new("player-not-offered", "This server offers only the players it lists."))
    }
}

fn check(wish: &mut CreateGame) -> Result<(), Refusal> {
    if wish.seats.len() > 8 {
        return Err(Refusal::new("wrong-seats", "No game has more than 8 seats."));
    }
    for seat in &mut wish.seats {
        if let Some(name) = &seat.name {
            access::name("A player's name", name, LONGEST_NAME)?;
        }
        match (seat.kind, &seat.player) {
            (SeatKind::Computer, Some(name)) => drop(player(name)?),
            (SeatKind::Computer, None) => seat.player = Some(default_player().to_string()),
            (SeatKind::Human, Some(_)) => {
                return Err(Refusal::new("player-not-wanted", "A person's seat names no computer player."));
            }
            (SeatKind::Human, None) => {}
        }
    }
    if let Some(ClockPlan::PerMove { seconds: 0, .. } | ClockPlan::Banked { bank_seconds: 0, seconds_per_day: 0, .. }) =
        &wish.clock
    {
        return Err(Refusal::new("bad-clock", "A clock needs some time to run down."));
    }
    if let Some(Webhook { url, .. }) = &wish.webhook {
        access::name("A web address", url, LONGEST_ADDRESS)?;
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err(Refusal::new("bad-webhook", "A webhook's address begins with https:// or http://."));
        }
    }
    if wish.seed.is_some() && wish.dice != DiceMode::Seeded {
        return Err(Refusal::new("seed-not-wanted", "Only seeded dice take a seed."));
    }
    Ok(())
}

fn dice(wish: &CreateGame) -> Result<DiceSource, Refusal> {
    Ok(match wish.dice {
        DiceMode::Fair => DiceSource::committed(vec![String::new(); wish.seats.len()]),
        DiceMode::Typed => DiceSource::Typed,
        DiceMode::Seeded => DiceSource::Seeded(match &wish.seed {
            Some(seed) => seed
                .parse()
                .map_err(|_| Refusal::new("bad-seed", format!("A seed is a whole number from 0 to {}.", u64::MAX)))?,
            None => u64::from_le_bytes(os_random()),
        }),
    })
}

/// Tokens for the people of a plan, and what is kept of them. With `only`, the others claim theirs later.
fn tokens(game: &str, plan: &Plan, only: Option<Seat>) -> (Vec<SeatRow>, Vec<CreatedSeat>) {
    let mut seats = Vec::new();
    let rows = plan
        .seats
        .iter()
        .enumerate()
        .map(|(at, plan)| {
            let seat = Seat(at as u8);
            if plan.kind == SeatKind::Computer || only.is_some_and(|only| only != seat) {
                return SeatRow::default();
            }
            let (row, created) = claim(game, seat);
            seats.push(created);
            row
        })
        .collect();
    (rows, seats)
}

fn claim(game: &str, seat: Seat) -> (SeatRow, CreatedSeat) {
    let token = secret::token();
    let row = SeatRow { token: Some(secret::hash(&token)), ..SeatRow::default() };
    (row, CreatedSeat { seat, link: format!("/#/game/{game}?token={token}"), token })
}

/// Keeps a new game and hands out its tokens.
async fn begin(app: &Arc<App>, desk: Desk, plan: Plan, only: Option<Seat>) -> Reply<Created> {
    let game = secret::game_id();
    let (rows, seats) = tokens(&game, &plan, only);
    let spectate = plan.spectators.then(|| format!("/#/game/{game}"));
    let secret = desk.record(true).secret;
    let table = Table::new(&app.catalog, app.notifier.telling(), game.clone(), now(), desk, plan, rows, secret);
    app.store.create(table.row(now())?).await?;
    app.metrics.games.fetch_add(1, Relaxed);
    let live = app.keep(table);
    let table = app.hold(&live).await?;
    app.wake(&live, &table);
    Ok(Created { game, seats, spectate })
}

fn open(catalog: &Catalog, wish: CreateGame) -> Reply<(Desk, Plan)> {
    let dice = dice(&wish)?;
    let seats = wish.seats.iter().enumerate().map(|(at, seat)| words(seat, at)).collect();
    let desk = Desk::open(catalog, &wish.system, &wish.scenario, wish.options, seats, dice)?;
    let plan = Plan {
        seats: wish.seats,
        dice: wish.dice,
        spectators: wish.spectators.unwrap_or(true),
        clock: wish.clock,
        webhook: wish.webhook,
    };
    Ok((desk, plan))
}

/// Makes a game.
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(mut wish): Body<CreateGame>,
) -> Reply<(StatusCode, Json<Created>)> {
    caller.may(&app, Doing::Create)?;
    check(&mut wish)?;
    let catalog = app.catalog.clone();
    let (desk, plan) = tokio::task::spawn_blocking(move || open(&catalog, wish)).await.map_err(Failure::internal)??;
    Ok((StatusCode::CREATED, Json(begin(&app, desk, plan, None).await?)))
}

/// Makes a game from a record.
pub async fn import(State(app): State<Arc<App>>, caller: Caller, Raw(body): Raw) -> Reply<(StatusCode, Json<Created>)> {
    caller.may(&app, Doing::Create)?;
    caller.may(&app, Doing::Heavy)?;
    let catalog = app.catalog.clone();
    let (desk, plan) = app
        .heavy(move || {
            let record = Record::parse(&body)?;
            record.verify(&catalog)?;
            let dice = match record.header.dice {
                DiceLine::Committed { .. } => DiceMode::Fair,
                DiceLine::Seeded { .. } => DiceMode::Seeded,
                DiceLine::Typed => DiceMode::Typed,
            };
            let seats = record.header.seats.iter().map(|words| plan(words)).collect();
            let desk = Desk::resume(&catalog, &record)?;
            Ok((desk, Plan { seats, dice, spectators: true, clock: None, webhook: None }))
        })
        .await?;
    Ok((StatusCode::CREATED, Json(begin(&app, desk, plan, None).await?)))
}

/// Proves a record.
pub async fn verify(State(app): State<Arc<App>>, caller: Caller, Raw(body): Raw) -> Reply<Json<Verdict>> {
    caller.may(&app, Doing::Heavy)?;
    let catalog = app.catalog.clone();
    app.heavy(move || Ok(Json(Record::parse(&body)?.verify(&catalog)?))).await
}

/// The game for whoever asks.
pub async fn show(State(app): State<Arc<App>>, entered: Entered) -> Reply<Json<Box<RawValue>>> {
    Ok(Json(app.state(&entered.live, entered.viewer, 0).await?))
}

/// A finished game's record. While it is played it holds the secrets of both sides and is given to nobody.
pub async fn export(State(app): State<Arc<App>>, entered: Entered) -> Reply<Response> {
    let record = {
        let table = app.hold(&entered.live).await?;
        if table.desk.outcome().is_none() {
            return Err(Failure::new(
                StatusCode::CONFLICT,
                "not-over",
                "The record holds the secrets of both sides; it can be had when the game is over.",
            ));
        }
        table.desk.record(false)
    };
    let name = format!(
        "attachment; filename=\"{}-{}.flagplot\"",
        record.header.scenario.replace(|c: char| !c.is_ascii_alphanumeric(), "-"),
        entered.live.id()
    );
    Ok((
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)],
        record.to_text(),
    )
        .into_response())
}

/// What a saved scenario is to be called.
#[derive(Deserialize, JsonSchema)]
pub struct Naming {
    /// Its id.
    id: String,
    /// Its title; the id without one.
    title: Option<String>,
}

/// The forces of a custom battle as a scenario file; everybody at the table has seen them.
pub async fn scenario(
    State(app): State<Arc<App>>,
    entered: Entered,
    query: Result<Query<Naming>, axum::extract::rejection::QueryRejection>,
) -> Reply<Response> {
    let Naming { id, title } =
        query.map_err(|_| Failure::bad("bad-query", "id is what the scenario is to be called."))?.0;
    let text = app.hold(&entered.live).await?.desk.scenario_file(&id, title.as_deref().unwrap_or(&id))?;
    let name = format!("attachment; filename=\"scenarios-{id}.toml\"");
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)], text)
        .into_response())
}

/// Which position, and as whom one wants to see it.
#[derive(Deserialize, JsonSchema)]
pub struct At {
    /// After how many entries; without it, now.
    at: Option<usize>,
    /// The number of a seat, `spectator` or `all`.
    r#as: Option<String>,
}

/// Through whose eyes a game is looked at: anybody's once it is over, one's own before.
fn eyes(wish: Option<&str>, own: Viewer, over: bool, seats: usize) -> Reply<Viewer> {
    let wanted = match wish {
        None if over => Viewer::Everything,
        None => own,
        Some("all") => Viewer::Everything,
        Some("spectator") => Viewer::Spectator,
        Some(number) => match number.parse::<u8>() {
            Ok(seat) if usize::from(seat) < seats => Viewer::Seat(Seat(seat)),
            _ => return Err(Failure::bad("bad-query", "as is the number of a seat, spectator or all.")),
        },
    };
    if over || wanted == own || wanted == Viewer::Spectator {
        return Ok(wanted);
    }
    Err(Failure::new(StatusCode::FORBIDDEN, "not-over", "What others knew is shown when the game is over."))
}

/// The game as it was, through the eyes of whoever asks; through anybody's when it is over.
pub async fn replay(
    State(app): State<Arc<App>>,
    entered: Entered,
    query: Result<Query<At>, axum::extract::rejection::QueryRejection>,
) -> Reply<Json<Box<RawValue>>> {
    let Query(At { at, r#as }) = query.map_err(|_| Failure::bad("bad-query", "at is the number of an entry."))?;
    let (record, viewer) = {
        let table = app.hold(&entered.live).await?;
        let viewer = eyes(r#as.as_deref(), entered.viewer, table.desk.outcome().is_some(), table.seats.len())?;
        (table.desk.record(false), viewer)
    };
    if at.is_some_and(|at| at > record.entries.len()) {
        return Err(Failure::missing("unknown-entry", format!("The game has {} entries.", record.entries.len())));
    }
    let catalog = app.catalog.clone();
    let desk = tokio::task::spawn_blocking(move || record.replay(&catalog, at)).await.map_err(Failure::internal)??;
    let table = app.hold(&entered.live).await?;
    Ok(Json(table.state_at(&desk, viewer, entered.viewer, now())?))
}

/// The same game again with sides exchanged. The first seat to ask makes it; each seat that asks gets its own token, and no other's.
pub async fn rematch(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
) -> Reply<(StatusCode, Json<Created>)> {
    caller.may(&app, Doing::Create)?;
    let own = entered.seat()?;
    let (header, mut plan, rematch) = {
        let table = app.hold(&entered.live).await?;
        if table.desk.outcome().is_none() {
            return Err(Failure::new(StatusCode::CONFLICT, "not-over", "The game is not over yet."));
        }
        (table.desk.header().clone(), table.plan.clone(), table.status.rematch.clone())
    };
    let seat = Seat((plan.seats.len() as u8).saturating_sub(1).saturating_sub(own.0));
    if let Some(game) = rematch {
        return Ok((StatusCode::CREATED, Json(claim_in(&app, game, seat).await?)));
    }
    plan.seats.reverse();
    let wish = CreateGame {
        system: header.system,
        scenario: header.scenario,
        options: header.options,
        seats: plan.seats,
        dice: plan.dice,
        seed: None,
        spectators: Some(plan.spectators),
        clock: plan.clock,
        webhook: plan.webhook,
    };
    let (desk, plan) = open(&app.catalog, wish)?;
    let created = begin(&app, desk, plan, Some(seat)).await?;
    let game = created.game.clone();
    app.act(&entered.live, entered.viewer, move |table, _| {
        if table.status.rematch.is_some() {
            return Ok(Acted::Nothing);
        }
        table.status.rematch = Some(game.clone());
        Ok(Acted::Changed(None))
    })
    .await?;
    let stands = app.hold(&entered.live).await?.status.rematch.clone();
    match stands {
        // Two seats asked at once: the other's game stands, and this one is never played.
        Some(game) if game != created.game => Ok((StatusCode::CREATED, Json(claim_in(&app, game, seat).await?))),
        _ => Ok((StatusCode::CREATED, Json(created))),
    }
}

/// Gives a seat of a rematch a token.
async fn claim_in(app: &Arc<App>, game: String, seat: Seat) -> Reply<Created> {
    let live = app.game(&game).await?;
    let (mut row, created) = claim(&game, seat);
    let mut table = app.hold(&live).await?;
    let spectate = table.plan.spectators.then(|| format!("/#/game/{game}"));
    let old = table.seats.get_mut(usize::from(seat.0)).ok_or_else(|| Failure::internal("a rematch has fewer seats"))?;
    row.account.clone_from(&old.account);
    row.notes.clone_from(&old.notes);
    app.store.put_seat(&game, seat.0, row.clone()).await?;
    *old = row;
    Ok(Created { game, seats: vec![created], spectate })
}
