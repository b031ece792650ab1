//! Creating, importing, exporting, deleting, verifying and replaying games.

use super::import;
use crate::access::{self, Addressed, Body, Caller, Entered, Raw};
use crate::app::App;
use crate::computers::default_player;
use crate::failure::{Failure, Reply};
use crate::limit::Action;
use crate::machine::Random;
use crate::open_game::Acted;
use crate::pool::Lane;
use crate::secret;
use crate::store::{Maker, SeatRow};
use crate::table::{Plan, Table};
use crate::wire::{
    ClockPlan, CreateGame, Created, CreatedSeat, DiceMode, Hints, InviteBody, RematchBody, SeatKind, SeatPlan,
    TakeBody, Webhook,
};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagplot_catalog::{Catalog, PlayerKind, TABLE, table_options};
use flagplot_desk::{Desk, DiceLine, DiceSource, Pledge, Record, Shares, Verdict, os_random};
use flagplot_kernel::{Refusal, Seat, Viewer};
use flagplot_referee::table::{PLAYERS, State as TableState, TableView};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

const LONGEST_NAME: usize = 60;
const LONGEST_ADDRESS: usize = 500;
/// The processor time for creating or replaying a game, and for verifying or importing a record.
const LONGEST_REPLAY: Duration = Duration::from_secs(5);
const LONGEST_VERIFY: Duration = Duration::from_secs(10);
/// A computer's seat in a record's list of seats.
const COMPUTER: &str = "computer: ";

/// A player in a record's words.
fn words(plan: &SeatPlan, seat: usize) -> String {
    match (&plan.kind, &plan.player, &plan.name) {
        (SeatKind::Computer, Some(player), _) => format!("{COMPUTER}{player}"),
        (_, _, Some(name)) => name.clone(),
        _ => format!("Seat {}", seat + 1),
    }
}

/// A player from a record's words.
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

/// A computer player by name. Only listed ones: a search with a budget of its own could keep the server busy.
pub fn player(name: &str) -> Result<PlayerKind, Refusal> {
    let kind: PlayerKind = name.parse()?;
    if PlayerKind::ALL.contains(&kind) {
        Ok(kind)
    } else {
        Err(Refusal::new("player-not-offered", "This server offers only the computer players that it lists."))
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
                return Err(Refusal::new("player-not-wanted", "A person's seat cannot have a computer player."));
            }
            (SeatKind::Human, None) => {}
        }
    }
    if let Some(ClockPlan::PerMove { seconds: 0, .. } | ClockPlan::Banked { bank_seconds: 0, seconds_per_day: 0, .. }) =
        &wish.clock
    {
        return Err(Refusal::new("bad-clock", "A clock needs more than 0 seconds."));
    }
    if let Some(Webhook { url, .. }) = &wish.webhook {
        access::name("A web address", url, LONGEST_ADDRESS)?;
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err(Refusal::new("bad-webhook", "A webhook's address must begin with https:// or http://."));
        }
    }
    if wish.seed.is_some() && wish.dice != DiceMode::Seeded {
        return Err(Refusal::new("seed-not-wanted", "Only seeded dice take a seed."));
    }
    Ok(())
}

/// New fair dice, to which every person's seat adds.
fn fair(seats: &[SeatPlan]) -> DiceSource {
    let pledge = |seat: &SeatPlan| match seat.kind {
        SeatKind::Computer => Pledge::Computer,
        SeatKind::Human => Pledge::Awaited,
    };
    DiceSource::shared(Shares::pledged(seats.iter().map(pledge).collect()))
}

/// New dice for a referee's table: the server commits to them, and no seat adds to them, because players come and go.
fn table_dice(seats: &[SeatPlan]) -> DiceSource {
    DiceSource::shared(Shares::pledged(vec![Pledge::Waived; seats.len()]))
}

/// A referee's table has one chair for the referee and some for players, and no clock.
fn check_table(wish: &mut CreateGame) -> Result<(), Refusal> {
    if wish.seats.iter().any(|seat| seat.kind == SeatKind::Computer) || wish.clock.is_some() {
        return Err(Refusal::new("table", "A referee's table has neither computer players nor clocks."));
    }
    let chair = |name: String| SeatPlan { kind: SeatKind::Human, player: None, name: Some(name) };
    let referee = wish.seats.first().and_then(|seat| seat.name.clone()).unwrap_or_else(|| "Referee".to_owned());
    wish.seats = [chair(referee)].into_iter().chain((1..=PLAYERS).map(|n| chair(format!("Player {n}")))).collect();
    wish.own = Some(vec![Seat(0)]);
    if wish.options.is_null() {
        wish.options = table_options();
    }
    Ok(())
}

fn dice(wish: &CreateGame) -> Result<DiceSource, Refusal> {
    Ok(match wish.dice {
        DiceMode::Fair if wish.scenario == TABLE => table_dice(&wish.seats),
        DiceMode::Fair => fair(&wish.seats),
        DiceMode::Typed => DiceSource::Typed,
        DiceMode::Seeded => DiceSource::Seeded(match &wish.seed {
            Some(seed) => seed
                .parse()
                .map_err(|_| Refusal::new("bad-seed", format!("A seed is a whole number from 0 to {}.", u64::MAX)))?,
            None => u64::from_le_bytes(os_random()),
        }),
    })
}

/// Who gets a token when a game is created.
enum Handing {
    /// The maker gets tokens for its own seats and invitations for the others.
    Made,
    /// One seat gets its token; the others ask for theirs.
    Claimed(Seat),
}

/// The maker's own seats: those it names, or the first person's seat.
fn own(wish: Option<Vec<Seat>>, seats: &[SeatPlan]) -> Result<Vec<Seat>, Refusal> {
    let people = || (0u8..).zip(seats).filter(|(_, plan)| plan.kind == SeatKind::Human).map(|(seat, _)| Seat(seat));
    match wish {
        None => Ok(people().take(1).collect()),
        Some(own) if own.iter().all(|seat| people().any(|person| person == *seat)) => Ok(own),
        Some(_) => Err(Refusal::new("bad-seat", "Your own seats must be played by people, not by the computer.")),
    }
}

fn claim(game: &str, seat: Seat, token: String) -> (SeatRow, CreatedSeat) {
    let row = SeatRow { token: Some(secret::hash(&token)), ..SeatRow::default() };
    let link = format!("/#/game/{game}?token={token}");
    (row, CreatedSeat { seat, token: Some(token), invitation: None, link })
}

fn invitation(game: &str, seat: Seat, random: &Random) -> (SeatRow, CreatedSeat) {
    let invitation = random.token();
    let row = SeatRow { invitation: Some(secret::hash(&invitation)), ..SeatRow::default() };
    let link = format!("/#/game/{game}?invitation={invitation}");
    (row, CreatedSeat { seat, token: None, invitation: Some(invitation), link })
}

/// The tokens and invitations of a new game, and the rows that are stored of them.
fn hand_out(game: &str, plan: &Plan, handing: &Handing, random: &Random) -> (Vec<SeatRow>, Vec<CreatedSeat>) {
    let mut seats = Vec::new();
    let rows = (0u8..).map(Seat).zip(&plan.seats).map(|(seat, chair)| {
        let (row, created) = match handing {
            _ if chair.kind == SeatKind::Computer => return SeatRow::default(),
            Handing::Made if plan.own.contains(&seat) => claim(game, seat, random.token()),
            Handing::Made => invitation(game, seat, random),
            Handing::Claimed(only) if *only == seat => claim(game, seat, random.token()),
            Handing::Claimed(_) => return SeatRow::default(),
        };
        seats.push(created);
        row
    });
    (rows.collect(), seats)
}

/// Refuses a game beyond the quota of an account or an address.
async fn check_quota(app: &App, caller: &Caller) -> Reply<Maker> {
    let maker = Maker { account: caller.account.clone(), address: Some(caller.address.stored()) };
    let used = app.store.usage(&maker).await?;
    if used.iter().any(|used| used.games >= app.quota.games || used.bytes >= app.quota.bytes) {
        let limit = format!("{} games and {} MB", app.quota.games, app.quota.bytes >> 20);
        return Err(Refusal::new("quota", format!("One account, or one address, may store {limit} here."))
            .remedy("Delete games that you no longer need.")
            .into());
    }
    Ok(maker)
}

/// Stores a new game and hands out its tokens and invitations.
async fn begin(app: &Arc<App>, desk: Desk, mut plan: Plan, maker: Maker, handing: Handing) -> Reply<Created> {
    (plan.account, plan.address) = (maker.account, maker.address);
    let game = app.random.game_id();
    let (rows, seats) = hand_out(&game, &plan, &handing, &app.random);
    let spectate = plan.spectators.then(|| format!("/#/game/{game}"));
    let secret = desk.record(true).secret;
    let (time, wall, telling) = (app.uptime.millis(), app.wall.clone(), app.notifier.telling());
    let times = (wall.millis(), time);
    let mut table = Table::new(&app.catalog, wall, telling, game.clone(), times, desk, plan, rows, secret);
    app.store.create(table.row(time)?).await?;
    // A long import would otherwise be replayed each time it is opened.
    if let Some((entries, body)) = table.snapshot(1)? {
        app.put_snapshot(&game, entries, body).await;
    }
    app.metrics.games.inc();
    let live = app.keep(table);
    let table = app.hold(&live).await?;
    app.wake(&live, &table);
    Ok(Created { game, seats, spectate })
}

fn open(catalog: &Catalog, mut wish: CreateGame) -> Reply<(Desk, Plan)> {
    if wish.scenario == TABLE {
        check_table(&mut wish)?;
    }
    let dice = dice(&wish)?;
    let seats = wish.seats.iter().enumerate().map(|(at, seat)| words(seat, at)).collect();
    let desk = Desk::open(catalog, &wish.system, &wish.scenario, wish.options, seats, dice)?;
    let plan = Plan {
        own: own(wish.own, &wish.seats)?,
        imported: None,
        account: None,
        address: None,
        seats: wish.seats,
        dice: wish.dice,
        spectators: wish.spectators.unwrap_or(true),
        clock: wish.clock,
        webhook: wish.webhook,
        hints: wish.hints.unwrap_or(false),
    };
    Ok((desk, plan))
}

pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(mut wish): Body<CreateGame>,
) -> Reply<(StatusCode, Json<Created>)> {
    caller.may(&app, Action::Create)?;
    check(&mut wish)?;
    let maker = check_quota(&app, &caller).await?;
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Quick, LONGEST_REPLAY, None);
    let (desk, plan) = app.pool.run(share, move || open(&catalog, wish)).await?;
    Ok((StatusCode::CREATED, Json(begin(&app, desk, plan, maker, Handing::Made).await?)))
}

/// The importer's own seats, as `own=0,1`.
#[derive(Default, Deserialize, JsonSchema)]
pub struct Owning {
    /// The importer's own seats, such as `0,1`; by default the first person's seat.
    own: Option<String>,
}

impl Owning {
    fn seats(&self) -> Reply<Option<Vec<Seat>>> {
        let bad = |_| Failure::bad("bad-query", "own must be a list of seats, such as 0,1.");
        let numbers = |text: &String| text.split(',').filter(|part| !part.is_empty()).map(str::parse).collect();
        let numbers: Option<Result<Vec<u8>, _>> = self.own.as_ref().map(numbers);
        Ok(numbers.transpose().map_err(bad)?.map(|seats| seats.into_iter().map(Seat).collect()))
    }
}

/// A game from a record. One that goes on draws new dice, which the importer does not know.
fn take_over(catalog: &Catalog, body: &[u8], wish: Option<Vec<Seat>>) -> Reply<(Desk, Plan)> {
    let mut record = Record::parse(body)?;
    import::check(&record)?;
    let over = record.verify(catalog)?.outcome.is_some();
    let seats: Vec<SeatPlan> = record.header.seats.iter().map(|words| plan(words)).collect();
    let imported = Some(record.entries.len());
    if !over {
        let dice = match record.header.dice {
            DiceLine::Typed => DiceSource::Typed,
            _ if record.header.scenario == TABLE => table_dice(&seats),
            DiceLine::Committed { .. } | DiceLine::Seeded { .. } => fair(&seats),
        };
        record = record.with_new_dice(&dice);
    }
    let dice = match record.header.dice {
        DiceLine::Committed { .. } => DiceMode::Fair,
        DiceLine::Seeded { .. } => DiceMode::Seeded,
        DiceLine::Typed => DiceMode::Typed,
    };
    let desk = Desk::resume(catalog, &record)?;
    let own = own(wish, &seats)?;
    let plan = Plan {
        seats,
        dice,
        spectators: true,
        clock: None,
        webhook: None,
        hints: false,
        own,
        imported,
        account: None,
        address: None,
    };
    Ok((desk, plan))
}

/// Creates a game from a record.
pub async fn import(
    State(app): State<Arc<App>>,
    caller: Caller,
    query: Result<Query<Owning>, axum::extract::rejection::QueryRejection>,
    Raw(body): Raw,
) -> Reply<(StatusCode, Json<Created>)> {
    caller.may(&app, Action::Create)?;
    caller.may(&app, Action::Heavy)?;
    let maker = check_quota(&app, &caller).await?;
    let own = query.map_or_else(|_| Owning::default(), |query| query.0).seats()?;
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Long, LONGEST_VERIFY, None);
    let (desk, plan) = app.pool.run(share, move || take_over(&catalog, &body, own)).await?;
    Ok((StatusCode::CREATED, Json(begin(&app, desk, plan, maker, Handing::Made).await?)))
}

/// Exchanges an invitation for a token of its seat, once.
pub async fn take(
    State(app): State<Arc<App>>,
    caller: Caller,
    Addressed(live): Addressed,
    Body(TakeBody { invitation, token, hints }): Body<TakeBody>,
) -> Reply<(StatusCode, Json<CreatedSeat>)> {
    if token.as_ref().is_some_and(|token| !secret::is_token(token)) {
        return Err(Refusal::new(
            "bad-token",
            "A token has 43 to 100 random letters, digits, hyphens and underscores.",
        )
        .into());
    }
    let hash = secret::hash(&invitation);
    let token = token.unwrap_or_else(|| app.random.token());
    let (created, again) = {
        let mut table = app.hold(&live).await?;
        let seat = table.invited(&hash).ok_or_else(|| {
            Refusal::new("bad-invitation", "This invitation is not valid for any seat of this game.")
                .remedy("Ask the player who invited you for a new link.")
        })?;
        if table.seat_of(&token).is_some_and(|other| other != seat) {
            return Err(Refusal::new("bad-token", "Another seat has this token.").into());
        }
        let row = table.seats.get_mut(usize::from(seat.0)).ok_or_else(|| Failure::internal("no invited seat"))?;
        let (new, created) = claim(live.id(), seat, token);
        let again = row.token.is_some() && row.token == new.token;
        let kept = new.token.as_deref().unwrap_or_default();
        let account = caller.account.as_deref();
        let free = row.token.is_none();
        let taken = again || (free && app.store.take_seat(live.id(), seat.0, &hash, kept, account).await?);
        if !taken {
            // It may be this client's all the same: the reply to an earlier request was lost.
            drop(table);
            live.stale.store(true, Relaxed);
            let own = created.token.as_deref().unwrap_or_default();
            if app.hold(&live).await?.seat_of(own) != Some(seat) {
                return Err(Refusal::new("invitation-used", "This invitation has been used, and the seat is taken.")
                    .remedy(
                        "If that was you, open the game in the browser you took it with, or log in to your account.",
                    )
                    .into());
            }
        } else if !again {
            (row.token, row.account) = (new.token, caller.account);
        }
        (created, again)
    };
    if !again {
        // The seat is taken even if the other viewers cannot be told now.
        let seat = created.seat;
        let told = app.act(&live, Viewer::Seat(seat), move |table, _| {
            table.seat_taken(seat);
            if hints == Some(true) && !table.status.agreed.contains(&seat) {
                table.status.agreed.push(seat);
            }
            table.slim();
            Ok(Acted::Changed(None))
        });
        drop(told.await);
    }
    Ok((StatusCode::CREATED, Json(created)))
}

/// A new invitation to a free seat, for the maker of the game.
pub async fn invite(
    State(app): State<Arc<App>>,
    entered: Entered,
    Body(InviteBody { seat }): Body<InviteBody>,
) -> Reply<(StatusCode, Json<CreatedSeat>)> {
    let own = entered.seat()?;
    let mut table = app.hold(&entered.live).await?;
    if !table.plan.own.contains(&own) {
        return Err(Failure::new(
            StatusCode::FORBIDDEN,
            "not-the-maker",
            "Only the maker of a game may invite players.",
        ));
    }
    if !table.people().any(|person| person == seat) {
        return Err(Refusal::new("bad-seat", "This is not a person's seat in this game.").into());
    }
    let (new, created) = invitation(entered.live.id(), seat, &app.random);
    let row = table.seats.get_mut(usize::from(seat.0)).ok_or_else(|| Failure::internal("a person without a seat"))?;
    let hash = new.invitation.as_deref().unwrap_or_default();
    if row.token.is_some() || !app.store.invite(entered.live.id(), seat.0, hash).await? {
        return Err(Refusal::new("seat-taken", "This seat is taken.").into());
    }
    row.invitation = new.invitation;
    Ok((StatusCode::CREATED, Json(created)))
}

/// Deletes a game, for its maker: once it is over, or as long as no other person has taken a seat.
pub async fn delete(State(app): State<Arc<App>>, entered: Entered) -> Reply<StatusCode> {
    let own = entered.seat()?;
    {
        let table = app.hold(&entered.live).await?;
        if !table.plan.own.contains(&own) {
            return Err(Failure::new(
                StatusCode::FORBIDDEN,
                "not-the-maker",
                "Only the maker of a game may delete it.",
            ));
        }
        let others = table.people().filter(|seat| !table.plan.own.contains(seat));
        let taken = |seat: Seat| table.seats.get(usize::from(seat.0)).is_some_and(|row| row.token.is_some());
        if !table.desk.is_over() && others.into_iter().any(taken) {
            return Err(Failure::new(
                StatusCode::CONFLICT,
                "not-over",
                "Another player is in this game. Resign, or agree on a draw, before you delete it.",
            ));
        }
    }
    app.delete(entered.live.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn verify(State(app): State<Arc<App>>, caller: Caller, Raw(body): Raw) -> Reply<Json<Verdict>> {
    caller.may(&app, Action::Heavy)?;
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Long, LONGEST_VERIFY, None);
    app.pool.run(share, move || Ok(Json(Record::parse(&body)?.verify(&catalog)?))).await
}

/// The state of a game for the caller.
pub async fn show(State(app): State<Arc<App>>, entered: Entered) -> Reply<Json<Box<RawValue>>> {
    entered.list_seat(&app).await?;
    Ok(Json(app.state(&entered.live, entered.viewer, 0, 0).await?))
}

/// The sheets of a referee's table.
pub async fn sheets(State(app): State<Arc<App>>, entered: Entered) -> Reply<Response> {
    let table = app.hold(&entered.live).await?;
    if !table.desk.game().table() {
        return Err(Refusal::new("no-table", "This is not a referee's table.").into());
    }
    let view = table.desk.picture(entered.viewer, None).view;
    let state = String::from_utf8_lossy(&table.desk.checkpoint().bytes()).into_owned();
    let body = format!("{{\"view\":{},\"state\":{state}}}", view.get());
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// What the sheets of a referee's table look like. It hides nothing.
#[derive(JsonSchema)]
pub struct Sheets {
    /// The table as everybody sees it.
    #[allow(dead_code, reason = "the reply is put together from JSON that is there already")]
    view: TableView,
    /// The table as its rules see it.
    #[allow(dead_code, reason = "the reply is put together from JSON that is there already")]
    state: TableState,
}

/// The record of a finished game, or of a referee's table, which has no secrets. While a game is played, its record
/// holds the secrets of both sides.
pub async fn export(State(app): State<Arc<App>>, entered: Entered) -> Reply<Response> {
    let record = {
        let table = app.hold(&entered.live).await?;
        if table.desk.outcome().is_none() && !table.desk.game().table() {
            return Err(Failure::new(
                StatusCode::CONFLICT,
                "not-over",
                "The record holds the secrets of both sides. It is available when the game is over.",
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

/// The id and title of a saved scenario.
#[derive(Deserialize, JsonSchema)]
pub struct Naming {
    /// Its id.
    id: String,
    /// Its title; by default the id.
    title: Option<String>,
}

/// The forces of a custom battle as a scenario file; all players have seen them.
pub async fn scenario(
    State(app): State<Arc<App>>,
    entered: Entered,
    query: Result<Query<Naming>, axum::extract::rejection::QueryRejection>,
) -> Reply<Response> {
    let Naming { id, title } =
        query.map_err(|_| Failure::bad("bad-query", "Give the scenario an id: ?id=my-battle."))?.0;
    let text = app.hold(&entered.live).await?.desk.scenario_file(&id, title.as_deref().unwrap_or(&id))?;
    let name = format!("attachment; filename=\"scenarios-{id}.toml\"");
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)], text)
        .into_response())
}

/// A position, and the viewer to show it to.
#[derive(Deserialize, JsonSchema)]
pub struct At {
    /// After how many entries; by default all.
    at: Option<usize>,
    /// The number of a seat, `spectator` or `all`.
    r#as: Option<String>,
}

/// The viewer to show a position to: any once the game is over, the caller before.
fn eyes(wish: Option<&str>, own: Viewer, over: bool, seats: usize) -> Reply<Viewer> {
    let wanted = match wish {
        None if over => Viewer::Everything,
        None => own,
        Some("all") => Viewer::Everything,
        Some("spectator") => Viewer::Spectator,
        Some(number) => match number.parse::<u8>() {
            Ok(seat) if usize::from(seat) < seats => Viewer::Seat(Seat(seat)),
            _ => return Err(Failure::bad("bad-query", "as must be the number of a seat, spectator or all.")),
        },
    };
    if over || wanted == own || wanted == Viewer::Spectator {
        return Ok(wanted);
    }
    Err(Failure::new(
        StatusCode::FORBIDDEN,
        "not-over",
        "The views of other seats are available when the game is over.",
    ))
}

/// An earlier position, as the caller knew it; once the game is over, as any viewer did.
pub async fn replay(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    query: Result<Query<At>, axum::extract::rejection::QueryRejection>,
) -> Reply<Json<Box<RawValue>>> {
    caller.may(&app, Action::Heavy)?;
    let Query(At { at, r#as }) = query.map_err(|_| Failure::bad("bad-query", "at must be the number of an entry."))?;
    let (record, viewer) = {
        let table = app.hold(&entered.live).await?;
        let viewer = eyes(r#as.as_deref(), entered.viewer, table.desk.outcome().is_some(), table.seats.len())?;
        (table.desk.record(false), viewer)
    };
    if at.is_some_and(|at| at > record.entries.len()) {
        return Err(Failure::missing("unknown-entry", format!("The game has {} entries.", record.entries.len())));
    }
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Quick, LONGEST_REPLAY, Some(&entered.live));
    let desk = app.pool.run(share, move || Ok(record.replay(&catalog, at)?)).await?;
    let table = app.hold(&entered.live).await?;
    Ok(Json(table.state_at(&desk, viewer, entered.viewer, app.uptime.millis())?))
}

/// Another game for the same players. The first seat to ask creates it; each seat that asks gets its own token.
pub async fn rematch(
    State(app): State<Arc<App>>,
    caller: Caller,
    entered: Entered,
    Body(wish): Body<RematchBody>,
) -> Reply<(StatusCode, Json<Created>)> {
    caller.may(&app, Action::Create)?;
    let own = entered.seat()?;
    let (header, mut plan, rematch, hints) = {
        let table = app.hold(&entered.live).await?;
        if table.desk.outcome().is_none() {
            return Err(Failure::new(StatusCode::CONFLICT, "not-over", "The game is not over yet."));
        }
        no_table(&table.desk)?;
        // Between people one game follows, as the first of them wants it. Alone, every wish makes a game of its own.
        let several = table.people().count() > 1;
        let rematch = table.status.rematch.clone().filter(|_| several);
        let agreed = several && table.hints() == Hints::On;
        (
            table.desk.header().clone(),
            table.plan.clone(),
            rematch.map(|game| (game, table.status.rematch_same_sides)),
            agreed,
        )
    };
    let last = (plan.seats.len() as u8).saturating_sub(1);
    let seat = move |same_sides: bool| if same_sides { own } else { Seat(last.saturating_sub(own.0)) };
    if let Some((game, same_sides)) = rematch {
        return Ok((StatusCode::CREATED, Json(claim_in(&app, game, seat(same_sides)).await?)));
    }
    let same_sides = wish.same_sides;
    if !same_sides {
        plan.seats.reverse();
    }
    let (scenario, options) = match wish.scenario {
        Some(other) if other != header.scenario => (other, serde_json::Value::Null),
        _ => (header.scenario, header.options),
    };
    let wish = CreateGame {
        system: header.system,
        scenario,
        options,
        seats: plan.seats,
        dice: plan.dice,
        seed: None,
        spectators: Some(plan.spectators),
        clock: plan.clock,
        webhook: plan.webhook,
        hints: Some(hints),
        own: Some(Vec::new()),
    };
    let maker = check_quota(&app, &caller).await?;
    let catalog = app.catalog.clone();
    let share = caller.share(Lane::Quick, LONGEST_REPLAY, Some(&entered.live));
    let (desk, plan) = app.pool.run(share, move || open(&catalog, wish)).await?;
    let created = begin(&app, desk, plan, maker, Handing::Claimed(seat(same_sides))).await?;
    let game = created.game.clone();
    if hints {
        // All of them agreed in the game before.
        let live = app.game(&game).await?;
        app.act(&live, entered.viewer, |table, _| {
            table.status.agreed = table.people().collect();
            table.slim();
            Ok(Acted::Changed(None))
        })
        .await?;
    }
    app.act(&entered.live, entered.viewer, move |table, _| {
        if table.status.rematch.is_some() && table.people().count() > 1 {
            return Ok(Acted::Nothing);
        }
        table.status.rematch = Some(game.clone());
        table.status.rematch_same_sides = same_sides;
        Ok(Acted::Changed(None))
    })
    .await?;
    let (stands, sides) = {
        let table = app.hold(&entered.live).await?;
        (table.status.rematch.clone().filter(|_| table.people().count() > 1), table.status.rematch_same_sides)
    };
    match stands {
        // Two seats asked at once: the other's game stands, and this one is never played.
        Some(game) if game != created.game => Ok((StatusCode::CREATED, Json(claim_in(&app, game, seat(sides)).await?))),
        _ => Ok((StatusCode::CREATED, Json(created))),
    }
}

/// Refuses what makes no sense at a referee's table.
pub fn no_table(desk: &Desk) -> Result<(), Refusal> {
    if desk.game().table() {
        return Err(Refusal::new("table", "A referee's table has no advice, no analysis, no draw and no rematch."));
    }
    Ok(())
}

/// Gives a seat of a rematch a token.
async fn claim_in(app: &Arc<App>, game: String, seat: Seat) -> Reply<Created> {
    let live = app.game(&game).await?;
    let (new, created) = claim(&game, seat, app.random.token());
    let mut table = app.hold(&live).await?;
    let spectate = table.plan.spectators.then(|| format!("/#/game/{game}"));
    let row = table.seats.get_mut(usize::from(seat.0)).ok_or_else(|| Failure::internal("a rematch has fewer seats"))?;
    app.store.put_token(&game, seat.0, new.token.as_deref().unwrap_or_default()).await?;
    row.token = new.token;
    table.seat_taken(seat);
    table.slim();
    drop(table);
    // The question that is open now has a player to notify.
    app.act(&live, Viewer::Seat(seat), |_, _| Ok(Acted::Changed(None))).await?;
    Ok(Created { game, seats: vec![created], spectate })
}
