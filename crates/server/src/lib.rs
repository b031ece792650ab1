//! The server: games over HTTP with live updates, stored in SQLite or PostgreSQL.
//!
//! A game is the entries of its record. An entry is on disk before any viewer hears of it; memory is a cache. What a
//! seat is sent is made from the desk's view for that seat. Neither this crate nor its wire names a system.

mod access;
mod analyses;
mod app;
mod bodies;
mod clock;
mod computers;
pub mod delta;
mod failure;
mod frame;
pub mod gzip;
mod limit;
mod machine;
mod metrics;
mod notify;
mod open_game;
mod openapi;
mod pool;
mod routes;
mod secret;
mod serve;
pub mod store;
mod table;
mod uptime;
mod watch;
pub mod wire;

pub use app::{App, Quota};
pub use limit::{Limit, Limits};
pub use machine::{Machine, Random, Wall};
pub use notify::{Courier, Mail, Undelivered};
pub use pool::Pool;
pub use serve::{Network, serve, serve_on};

use crate::access::{Address, CSRF_HEADER, cookie};
use crate::failure::Failure;
use crate::limit::Action;
use crate::notify::Notifier;
use crate::openapi::{Api, account, anyone, player, viewer};
use crate::routes::{advice, analysis, games, learn, people, play, puzzles, referee, site};
use crate::wire::{
    AnalysisBody, AnalysisState, AnswerBody, CreateGame, Created, CreatedSeat, DiceBody, DrawBody, EmailBody,
    EntropyBody, ExplainBody, GameState, Hint, HintBody, InviteBody, LessonBody, LessonBrief, LessonState, Login,
    Lookup, Me, NewAccount, Odds, PlayerInfo, Preview, PuzzleAnswer, PuzzleBrief, PuzzleOverview, PuzzleResult,
    PuzzleState, RefereeRequest, RematchBody, RuleExample, RulesPage, RulingOrOdds, StateChange, StateOrDone,
    SystemBrief, SystemDetail, TakeBody, TextBody, Thinking, UndoBody,
};
use axum::body::HttpBody;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use flagplot_catalog::Catalog;
use flagplot_desk::{Term, Verdict};
use flagplot_kernel::Insight;
use flagplot_referee::Chart;
use flagplot_referee::table::{Considered, TableInfo};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

/// The largest body of most requests.
const LARGEST_BODY: usize = 64 << 10;
/// The largest request to the referee.
const LARGEST_REQUEST: usize = 1 << 20;
/// The largest record that is imported or verified.
const LARGEST_RECORD: usize = 8 << 20;

pub struct Options {
    /// The address and port to listen on.
    pub listen: SocketAddr,
    /// `postgres://…`, or the path of an SQLite file.
    pub database: String,
    pub catalog: Catalog,
    pub limits: Limits,
    /// How much one account, or one address, may store.
    pub quota: Quota,
    /// The limits on connections.
    pub network: Network,
    /// The address people type, such as `https://flagplot.example`, for links in notifications. With `https`, cookies
    /// are sent only over TLS.
    pub public_address: Option<String>,
    /// Whether a proxy names the origin of requests in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// How e-mails are sent, if at all.
    pub mail: Option<Mail>,
    /// Whether webhooks may reach private networks.
    pub private_webhooks: bool,
    /// How long a question stays open before an absent player is notified; by default 3 s.
    pub notify_after: Option<Duration>,
    /// How long an idle game stays in memory; by default 30 s.
    pub forget_after: Option<Duration>,
    /// The processor time for a ruling or for odds; by default 2 s.
    pub rule_for: Option<Duration>,
    /// The time for a luck analysis; by default 60 s.
    pub analyse_for: Option<Duration>,
    /// After how many days without a change a game is deleted; by default never.
    pub keep_days: Option<u32>,
}

impl Options {
    /// Reachable from this machine only, with the built-in systems and the usual limits.
    #[must_use]
    pub fn new(database: impl Into<String>) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7070)),
            database: database.into(),
            catalog: Catalog::built_in(),
            limits: Limits::default(),
            quota: Quota::default(),
            network: Network::default(),
            public_address: None,
            behind_proxy: false,
            mail: None,
            private_webhooks: false,
            notify_after: None,
            forget_after: None,
            rule_for: None,
            analyse_for: None,
            keep_days: None,
        }
    }
}

/// Why a server did not start, or stopped.
#[derive(Debug)]
pub struct ServerError(String);

impl std::fmt::Display for ServerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ServerError {}

/// Opens the database and starts the upkeep. Must be called within a tokio runtime.
pub async fn state(options: Options) -> Result<Arc<App>, ServerError> {
    if let Some(address) = &options.public_address {
        check_public(address)?;
    }
    let store = store::open(&options.database)
        .await
        .map_err(|error| ServerError(format!("The database cannot be opened: {error}.")))?;
    let machine = Machine::real().map_err(|error| ServerError(format!("The server cannot start threads: {error}.")))?;
    state_on(store, machine, options).await
}

/// The same on a database that is open, whatever the options say, and on any machine.
pub async fn state_on(
    store: Arc<dyn store::Store>,
    mut machine: Machine,
    options: Options,
) -> Result<Arc<App>, ServerError> {
    let secure = options.public_address.as_deref().is_some_and(|address| address.starts_with("https://"));
    let notifier = Notifier::new(options.public_address, options.mail, options.private_webhooks, options.notify_after)
        .map_err(|why| ServerError(format!("Notifications cannot be sent: {why}.")))?
        .carried_by(machine.courier.take());
    let settings = app::Settings {
        catalog: options.catalog,
        limits: options.limits,
        quota: options.quota,
        slow: options.network.slow,
        secure,
        behind_proxy: options.behind_proxy,
        forget_after: options.forget_after,
        rule_for: options.rule_for,
        analyse_for: options.analyse_for,
        keep_days: options.keep_days,
    };
    let failed = |failure: Failure| ServerError(format!("The server cannot start: {}", failure.refusal));
    let app = App::new(store, machine, notifier, settings).await.map_err(failed)?;
    app.look_after();
    Ok(app)
}

/// Checks that a public address is a web address.
fn check_public(address: &str) -> Result<(), ServerError> {
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let fine = host.is_some_and(|host| !host.trim_end_matches('/').is_empty())
        && !address.contains(|c: char| c.is_whitespace() || c.is_control() || c == '#' || c == '?');
    if fine {
        Ok(())
    } else {
        Err(ServerError(format!(
            "'{address}' is not a valid public address. Give https:// or http:// and the host's name."
        )))
    }
}

/// Every route of the interface for programs, and the OpenAPI document.
fn api() -> (Router<Arc<App>>, Value) {
    const STREAM: &str = "Events: `state` with a GameState, `chat` with a ChatLine, `thinking` with a Thinking. The \
         first event, also after reconnecting, is a whole state. With `changes=true`, a `change` with a StateChange \
         takes the place of every later `state`.";
    /// A request of a player after which the stream brings what has changed.
    fn change(summary: &'static str) -> openapi::Operation {
        player(summary)
            .header("Prefer", "return=minimal", "Reply with `at` and `version` only.")
            .reply::<StateOrDone<'_>>()
    }
    Api::new()
        .get("/api/systems", referee::systems, anyone("Lists all systems.").reply::<Vec<SystemBrief>>())
        .get(
            "/api/systems/{id}",
            referee::system,
            anyone("Describes a system: its procedures with their shapes, its rules.").reply::<SystemDetail>(),
        )
        .get(
            "/api/systems/{id}/tables",
            referee::tables,
            anyone("Returns a system's tables, with all their cells.").reply::<Vec<Chart>>(),
        )
        .get(
            "/api/systems/{id}/table",
            referee::table,
            anyone("Returns what a referee's table of a system offers: phases, acts, forces.").reply::<TableInfo>(),
        )
        .get("/api/systems/{id}/rules", referee::rules, anyone("Returns a system's rules page.").reply::<RulesPage>())
        .get("/api/players", referee::players, anyone("Lists the computer players.").reply::<Vec<PlayerInfo>>())
        .post(
            "/api/adjudicate",
            referee::adjudicate,
            anyone("Rules on a situation with given, seeded or rolled dice, or gives exact odds.")
                .body::<RefereeRequest>()
                .largest_body(LARGEST_REQUEST)
                .reply::<RulingOrOdds>(),
        )
        .post(
            "/api/odds",
            referee::odds,
            anyone("Returns exact odds for the same request.")
                .body::<RefereeRequest>()
                .largest_body(LARGEST_REQUEST)
                .reply::<Odds>(),
        )
        .post(
            "/api/verify",
            games::verify,
            anyone("Replays a record and verifies its dice.")
                .text_body("A record: JSON lines.")
                .largest_body(LARGEST_RECORD)
                .reply::<Verdict>(),
        )
        .post(
            "/api/games",
            games::create,
            anyone("Creates a game. Tokens (for own seats) and invitations (for other people's seats) are shown once.")
                .body::<CreateGame>()
                .created::<Created>(),
        )
        .post(
            "/api/games/import",
            games::import,
            anyone("Creates a game from a record. A game that goes on draws new dice, and its record says where.")
                .text_body("A record: JSON lines.")
                .largest_body(LARGEST_RECORD)
                .query::<games::Owning>()
                .created::<Created>(),
        )
        .post(
            "/api/games/{id}/take",
            games::take,
            anyone("Takes a seat: exchanges its invitation for a token.").body::<TakeBody>().created::<CreatedSeat>(),
        )
        .post(
            "/api/games/{id}/invite",
            games::invite,
            player("Makes a new invitation to a free seat, for the maker of the game. The old one becomes void.")
                .body::<InviteBody>()
                .created::<CreatedSeat>(),
        )
        .get("/api/games/{id}", games::show, viewer("Returns the state of a game.").reply::<GameState>())
        .delete(
            "/api/games/{id}",
            games::delete,
            player("Deletes a game, for its maker: once it is over, or while no other person has taken a seat."),
        )
        .get(
            "/api/games/{id}/events",
            play::events,
            viewer("Follows a game.").query::<play::Following>().events(STREAM),
        )
        .post(
            "/api/games/{id}/answer",
            play::answer,
            change("Answers the open question; 409 with the new state if the game has moved on. An id counts once.")
                .body::<AnswerBody>(),
        )
        .post("/api/games/{id}/dice", play::dice, change("Types in the real dice that are due.").body::<DiceBody>())
        .post(
            "/api/games/{id}/undo",
            play::undo,
            change("Takes the last answer back, if nothing has happened since.").optional_body::<UndoBody>(),
        )
        .post("/api/games/{id}/resign", play::resign, change("Resigns."))
        .post("/api/games/{id}/draw", play::draw, change("Offers, accepts or declines a draw.").body::<DrawBody>())
        .post("/api/games/{id}/chat", play::chat, change("Adds a line to the chat.").body::<TextBody>())
        .put("/api/games/{id}/notes", play::notes, player("Stores the seat's private notes.").body::<TextBody>())
        .post(
            "/api/games/{id}/entropy",
            play::entropy,
            change(
                "Takes part in fair dice before the first roll: commits to 256 random bits, then reveals them, or \
                waives.",
            )
            .body::<EntropyBody>(),
        )
        .post(
            "/api/games/{id}/explain",
            advice::explain,
            player("Explains the open question, or an answer to it: odds and costs.")
                .optional_body::<ExplainBody>()
                .reply::<Vec<Insight>>(),
        )
        .post(
            "/api/games/{id}/preview",
            advice::preview,
            player("Tries an answer without giving it: legality, odds, and where pieces would stand.")
                .optional_body::<ExplainBody>()
                .reply::<Preview>(),
        )
        .post(
            "/api/games/{id}/hint",
            advice::hint,
            player("Returns a computer player's answer, with the alternatives.")
                .optional_body::<HintBody>()
                .reply::<Hint>(),
        )
        .post(
            "/api/games/{id}/consider",
            advice::consider,
            viewer(
                "Previews an act at a referee's table: missing facts, odds, the effect of each switch. A spectator may \
                 measure.",
            )
            .body::<ExplainBody>()
            .reply::<Considered>(),
        )
        .get(
            "/api/games/{id}/sheets",
            games::sheets,
            viewer("Returns the sheets of a referee's table.").reply::<games::Sheets>(),
        )
        .get(
            "/api/games/{id}/replay",
            games::replay,
            viewer("Returns an earlier position, as the caller knew it; of a finished game, as any viewer did.")
                .query::<games::At>()
                .reply::<GameState>(),
        )
        .post(
            "/api/games/{id}/analysis",
            analysis::analysis,
            viewer("Analyses luck and choices of a finished game. Repeat until the reply has `analysis`.")
                .optional_body::<AnalysisBody>()
                .reply::<AnalysisState>(),
        )
        .get(
            "/api/games/{id}/export",
            games::export,
            viewer("Returns the record of a finished game, or of a referee's table.")
                .text_reply("A record: JSON lines."),
        )
        .get(
            "/api/games/{id}/scenario",
            games::scenario,
            viewer("Returns the forces of a custom battle as a scenario file.")
                .query::<games::Naming>()
                .text_reply("A scenario as TOML."),
        )
        .post(
            "/api/games/{id}/rematch",
            games::rematch,
            player("Creates another game for the same players; each seat that asks gets its own token.")
                .optional_body::<RematchBody>()
                .created::<Created>(),
        )
        .get(
            "/api/systems/{id}/glossary",
            learn::words,
            anyone("Returns the words of a system: what badges, markers and headings mean.").reply::<Vec<Term>>(),
        )
        .get(
            "/api/systems/{id}/examples",
            learn::examples,
            anyone("Returns the examples of a rules page: boards with the proof from the log.")
                .reply::<Vec<RuleExample>>(),
        )
        .get(
            "/api/puzzles",
            puzzles::overview,
            anyone("Returns the puzzle of the day, and how many puzzles each system has.").reply::<PuzzleOverview>(),
        )
        .get(
            "/api/systems/{id}/puzzles",
            puzzles::list,
            anyone("Lists the puzzles of a system, with how many players have solved each.")
                .reply::<Vec<PuzzleBrief>>(),
        )
        .get(
            "/api/puzzles/{id}",
            puzzles::puzzle,
            anyone("Sets a puzzle: the board and the question, as the asked seat sees them.").reply::<PuzzleState>(),
        )
        .post(
            "/api/puzzles/{id}/answer",
            puzzles::answer,
            anyone("Answers a puzzle and says what each answer is worth. A browser's first answer counts.")
                .body::<PuzzleAnswer>()
                .reply::<PuzzleResult>(),
        )
        .get("/api/lessons", learn::lessons, anyone("Lists the guided battles.").reply::<Vec<LessonBrief>>())
        .post(
            "/api/lessons/{id}",
            learn::lesson,
            anyone("Plays the lesson of a system with the answers so far. The server keeps nothing of it.")
                .body::<LessonBody>()
                .reply::<LessonState>(),
        )
        .post(
            "/api/lessons/{id}/explain",
            learn::explain,
            anyone("Explains the open question of a lesson, or an answer to it.")
                .body::<Lookup>()
                .reply::<Vec<Insight>>(),
        )
        .post(
            "/api/lessons/{id}/preview",
            learn::preview,
            anyone("Tries an answer of a lesson without giving it.").body::<Lookup>().reply::<Preview>(),
        )
        .post(
            "/api/account",
            people::create,
            anyone("Creates an account and logs in.").body::<NewAccount>().created::<Me>(),
        )
        .put(
            "/api/account/email",
            people::email,
            account("Changes the e-mail address. The server sends it a link to confirm it.")
                .body::<EmailBody>()
                .reply::<Me>(),
        )
        .post("/api/session", people::login, anyone("Logs in.").body::<Login>().reply::<Me>())
        .delete("/api/session", people::logout, account("Logs out."))
        .get("/api/me", people::show, account("Returns the account's name and games.").reply::<Me>())
        .get("/api/openapi.json", document, anyone("Returns this document.").reply::<Value>())
        .get("/healthz", site::healthz, anyone("Tells whether the process is alive.").text_reply("`ok`."))
        .get(
            "/readyz",
            site::readyz,
            anyone("Tells whether the server can do its work: it writes to the database.").text_reply("`ok`."),
        )
        .get(
            "/metrics",
            site::metrics,
            anyone("Returns counters for Prometheus.").text_reply("The text format of Prometheus."),
        )
        .also::<Thinking>()
        .also::<StateChange<'_>>()
        .finish()
}

/// The OpenAPI document of the interface for programs.
#[must_use]
pub fn openapi() -> Value {
    api().1
}

async fn document() -> Json<Value> {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(openapi);
    Json(DOCUMENT.clone())
}

pub fn app(state: Arc<App>) -> Router {
    api()
        .0
        .route("/confirm", get(people::confirm_page).post(people::confirm))
        .method_not_allowed_fallback(wrong_method)
        .fallback(site::client)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| Failure::internal("a panic").into_response()))
        .layer(middleware::from_fn_with_state(state.clone(), guard))
        .with_state(state)
}

async fn wrong_method() -> Failure {
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "This address does not accept that method.")
}

const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
             connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
             frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Runs before every request: limits, forged requests, headers, counters.
async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let address = Address::of(&app, request.headers(), request.extensions().get());
    let api = request.uri().path().starts_with("/api/");
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    // Another site's page can make the browser send the cookie, and the browser then names the page; it cannot send
    // this header. The code in a letter is a secret by itself.
    let by_page = cookie(request.headers()).is_some() || request.headers().contains_key(header::ORIGIN);
    let forged = !reads
        && by_page
        && request.uri().path() != "/confirm"
        && request.headers().get(CSRF_HEADER).is_none_or(|value| value.as_bytes() != b"1");
    let room = bodies::room_for(request.uri().path(), request.body().size_hint().upper());
    let mut response = match address.may(&app, Action::Request) {
        Err(failure) => failure.into_response(),
        Ok(()) if forged => Failure::new(
            StatusCode::FORBIDDEN,
            "forged",
            "A request with a session's cookie, or from a page, needs the header X-Flagplot: 1.",
        )
        .into_response(),
        Ok(()) => match app.bodies.room(address.0, room, app.slow).await {
            Err(failure) => failure.into_response(),
            Ok(_room) => next.run(request).await,
        },
    };
    app.metrics.responded(response.status().as_u16());
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    if api && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if app.secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    response
}
