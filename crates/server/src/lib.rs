//! The server: games over HTTP with live updates, kept in SQLite or PostgreSQL.
//!
//! A game lives as the entries of its record. An entry is on the disk before anyone is told of it; what is in memory is a cache.
//! What goes out to a seat is made from the desk's view for that seat. Neither this crate nor its wire names a system.

mod access;
mod app;
mod clock;
mod failure;
mod limit;
mod live;
mod metrics;
mod minds;
mod notify;
mod openapi;
mod routes;
mod secret;
pub mod store;
mod table;
mod watch;
pub mod wire;

pub use app::App;
pub use limit::{Limit, Limits};
pub use notify::Mail;

use crate::access::{Address, CSRF_HEADER, cookie};
use crate::failure::Failure;
use crate::limit::Doing;
use crate::notify::Notifier;
use crate::openapi::{Api, account, anyone, player, viewer};
use crate::routes::{advice, analysis, games, people, play, referee, site};
use crate::wire::{
    AnalysisBody, AnalysisState, AnswerBody, CreateGame, Created, CreatedSeat, DiceBody, DrawBody, EntropyBody,
    ExplainBody, GameState, Hint, HintBody, InviteBody, Login, Me, NewAccount, Odds, PlayerInfo, Preview,
    RefereeRequest, RulesPage, RulingOrOdds, StateOrDone, SystemBrief, SystemDetail, TakeBody, TextBody, Thinking,
    UndoBody,
};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use flagplot_catalog::Catalog;
use flagplot_desk::Verdict;
use flagplot_kernel::Insight;
use flagplot_referee::Chart;
use serde_json::Value;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

/// The largest body of most requests.
const LARGEST_BODY: usize = 64 << 10;
/// The largest request to the referee.
const LARGEST_REQUEST: usize = 1 << 20;
/// The largest record that is brought in or proved.
const LARGEST_RECORD: usize = 8 << 20;
/// When the server ends, requests that are going on have so long to finish.
const LAST_REQUESTS: Duration = Duration::from_secs(10);

/// How a server is to run.
pub struct Options {
    /// Where it listens.
    pub listen: SocketAddr,
    /// `postgres://…`, or the path of an SQLite file.
    pub database: String,
    /// The systems.
    pub catalog: Catalog,
    /// How often one address or account may ask.
    pub limits: Limits,
    /// What people type to reach it, such as `https://flagplot.example`: for links in notifications. With `https` cookies are sent only over TLS.
    pub public_address: Option<String>,
    /// Requests come from a proxy that names their origin in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// How e-mails are sent, if they are.
    pub mail: Option<Mail>,
    /// Webhooks may lead to addresses of private networks: for a club's own server.
    pub private_webhooks: bool,
    /// How long a question stays open before somebody who does not look is told of it; the usual time if none.
    pub notify_after: Option<Duration>,
    /// How long a game that nobody looks at stays in memory; the usual time if none.
    pub forget_after: Option<Duration>,
    /// How long a finished game is looked at when it is taken apart; a longer look takes five times as long. The usual time if none.
    pub analyse_for: Option<Duration>,
}

impl Options {
    /// On this machine only, with the built-in systems and the usual limits.
    #[must_use]
    pub fn new(database: impl Into<String>) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7070)),
            database: database.into(),
            catalog: Catalog::built_in(),
            limits: Limits::default(),
            public_address: None,
            behind_proxy: false,
            mail: None,
            private_webhooks: false,
            notify_after: None,
            forget_after: None,
            analyse_for: None,
        }
    }
}

/// Why a server did not start or did not go on.
#[derive(Debug)]
pub struct ServerError(String);

impl std::fmt::Display for ServerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ServerError {}

/// Opens the database and begins to look after clocks and computers. Must be called within a tokio runtime.
pub async fn state(options: Options) -> Result<Arc<App>, ServerError> {
    if let Some(address) = &options.public_address {
        check_public(address)?;
    }
    let store = store::open(&options.database)
        .await
        .map_err(|error| ServerError(format!("The database cannot be opened: {error}.")))?;
    let secure = options.public_address.as_deref().is_some_and(|address| address.starts_with("https://"));
    let notifier = Notifier::new(options.public_address, options.mail, options.private_webhooks, options.notify_after)
        .map_err(|why| ServerError(format!("Notifications cannot be sent: {why}.")))?;
    let settings = app::Settings {
        catalog: options.catalog,
        limits: options.limits,
        secure,
        behind_proxy: options.behind_proxy,
        forget_after: options.forget_after,
        analyse_for: options.analyse_for,
    };
    let app = App::new(store, notifier, settings);
    app.look_after();
    Ok(app)
}

/// What people type is an address of the web.
fn check_public(address: &str) -> Result<(), ServerError> {
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let fine = host.is_some_and(|host| !host.trim_end_matches('/').is_empty())
        && !address.contains(|c: char| c.is_whitespace() || c.is_control() || c == '#' || c == '?');
    if fine {
        Ok(())
    } else {
        Err(ServerError(format!(
            "The public address '{address}' is none: it begins with https:// or http:// and a host's name follows."
        )))
    }
}

/// Every route of the interface for programs, and the document that describes them.
fn api() -> (Router<Arc<App>>, Value) {
    const STREAM: &str = "Events: `state` with a GameState, `chat` with a ChatLine, `thinking` with a Thinking. The first is a whole \
         state, also after reconnecting.";
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
            anyone("Gives the tables that proofs name, with all their cells.").reply::<Vec<Chart>>(),
        )
        .get("/api/systems/{id}/rules", referee::rules, anyone("Gives a system's rules page.").reply::<RulesPage>())
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
            anyone("Gives exact odds for the same request.")
                .body::<RefereeRequest>()
                .largest_body(LARGEST_REQUEST)
                .reply::<Odds>(),
        )
        .post(
            "/api/verify",
            games::verify,
            anyone("Replays a record and proves its dice.")
                .text_body("A record: JSON lines.")
                .largest_body(LARGEST_RECORD)
                .reply::<Verdict>(),
        )
        .post(
            "/api/games",
            games::create,
            anyone("Makes a game. Its tokens (own seats) and invitations (other people's seats) are shown once.")
                .body::<CreateGame>()
                .created::<Created>(),
        )
        .post(
            "/api/games/import",
            games::import,
            anyone("Makes a game from a record. If it goes on, it draws new dice, and its record says from where on.")
                .text_body("A record: JSON lines.")
                .largest_body(LARGEST_RECORD)
                .query::<games::Owning>()
                .created::<Created>(),
        )
        .post(
            "/api/games/{id}/take",
            games::take,
            anyone("Takes a seat: exchanges its invitation for a token, once.")
                .body::<TakeBody>()
                .created::<CreatedSeat>(),
        )
        .post(
            "/api/games/{id}/invite",
            games::invite,
            player("Makes a new invitation to a seat that is still free, for the maker of the game. The old one is void.")
                .body::<InviteBody>()
                .created::<CreatedSeat>(),
        )
        .get("/api/games/{id}", games::show, viewer("Tells all that the caller may know of a game.").reply::<GameState>())
        .get("/api/games/{id}/events", play::events, viewer("Follows a game.").events(STREAM))
        .post(
            "/api/games/{id}/answer",
            play::answer,
            player("Answers the open question. If the game has moved on: 409 with the new state. An id counts once.")
                .body::<AnswerBody>()
                .header("Prefer", "return=minimal", "Reply with `at` and `version` only.")
                .reply::<StateOrDone>(),
        )
        .post(
            "/api/games/{id}/dice",
            play::dice,
            player("Types in the real dice that are due.").body::<DiceBody>().reply::<GameState>(),
        )
        .post(
            "/api/games/{id}/undo",
            play::undo,
            player("Takes the last answer back, if nothing has happened since.")
                .optional_body::<UndoBody>()
                .reply::<GameState>(),
        )
        .post("/api/games/{id}/resign", play::resign, player("Gives up.").reply::<GameState>())
        .post(
            "/api/games/{id}/draw",
            play::draw,
            player("Offers, accepts or declines a draw.").body::<DrawBody>().reply::<GameState>(),
        )
        .post(
            "/api/games/{id}/chat",
            play::chat,
            player("Says something to everyone in the game.").body::<TextBody>().reply::<GameState>(),
        )
        .put("/api/games/{id}/notes", play::notes, player("Keeps the seat's private notes.").body::<TextBody>())
        .post(
            "/api/games/{id}/entropy",
            play::entropy,
            player("Joins fair dice before the first roll: commits to 256 random bits and then reveals them, or waives.")
                .body::<EntropyBody>()
                .reply::<GameState>(),
        )
        .post(
            "/api/games/{id}/explain",
            advice::explain,
            player("Gives the odds worth knowing before an answer.")
                .optional_body::<ExplainBody>()
                .reply::<Vec<Insight>>(),
        )
        .post(
            "/api/games/{id}/preview",
            advice::preview,
            player("Tries an answer without giving it: is it legal, what are its odds, where would pieces stand?")
                .optional_body::<ExplainBody>()
                .reply::<Preview>(),
        )
        .post(
            "/api/games/{id}/hint",
            advice::hint,
            player("Says what a computer player would answer, and what else it considered.")
                .optional_body::<HintBody>()
                .reply::<Hint>(),
        )
        .get(
            "/api/games/{id}/replay",
            games::replay,
            viewer("Shows an earlier position: of a running game as the caller knew it, of a finished game as any seat did.")
                .query::<games::At>()
                .reply::<GameState>(),
        )
        .post(
            "/api/games/{id}/analysis",
            analysis::analysis,
            viewer("Analyses luck and choices of a finished game. Ask again until `analysis` is there.")
                .optional_body::<AnalysisBody>()
                .reply::<AnalysisState>(),
        )
        .get(
            "/api/games/{id}/export",
            games::export,
            viewer("Gives the record of a finished game.").text_reply("A record: JSON lines."),
        )
        .get(
            "/api/games/{id}/scenario",
            games::scenario,
            viewer("Gives the forces of a custom battle as a scenario file.")
                .query::<games::Naming>()
                .text_reply("A scenario as TOML."),
        )
        .post(
            "/api/games/{id}/rematch",
            games::rematch,
            player("Makes the same game with sides exchanged; each seat that asks gets its own token.")
                .created::<Created>(),
        )
        .post(
            "/api/account",
            people::create,
            anyone("Makes an account and logs in.").body::<NewAccount>().created::<Me>(),
        )
        .post("/api/session", people::login, anyone("Logs in.").body::<Login>().reply::<Me>())
        .delete("/api/session", people::logout, account("Logs out."))
        .get("/api/me", people::show, account("Tells the account's name and games.").reply::<Me>())
        .get("/api/openapi.json", document, anyone("Gives this document.").reply::<Value>())
        .get("/healthz", site::healthz, anyone("Tells whether the server can do its work.").text_reply("`ok`."))
        .get("/metrics", site::metrics, anyone("Gives counters for Prometheus.").text_reply("Prometheus' text form."))
        .also::<Thinking>()
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

/// All requests.
pub fn app(state: Arc<App>) -> Router {
    api()
        .0
        .method_not_allowed_fallback(wrong_method)
        .fallback(site::client)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            Failure::internal("a request failed with a panic").into_response()
        }))
        .layer(middleware::from_fn_with_state(state.clone(), guard))
        .with_state(state)
}

async fn wrong_method() -> Failure {
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "This address is not asked in this way.")
}

/// What goes out with every response.
const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
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

/// Stands before every request: limits, forgeries, headers, counting.
async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let address = Address::of(&app, request.headers(), request.extensions().get());
    let api = request.uri().path().starts_with("/api/");
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    // A cookie travels with requests that another site's page makes, and so does the browser's word where the page is from; this header does not.
    let by_page = cookie(request.headers()).is_some() || request.headers().contains_key(header::ORIGIN);
    let forged = !reads && by_page && request.headers().get(CSRF_HEADER).is_none_or(|value| value.as_bytes() != b"1");
    let mut response = match address.may(&app, Doing::Request) {
        Err(failure) => failure.into_response(),
        Ok(()) if forged => Failure::new(
            StatusCode::FORBIDDEN,
            "forged",
            "A request with a session's cookie, or one that a page makes, needs the header X-Flagplot: 1.",
        )
        .into_response(),
        Ok(()) => next.run(request).await,
    };
    app.metrics.requests[usize::from(response.status().as_u16() / 100).min(5)].fetch_add(1, Relaxed);
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

/// Listens where the options say, and calls `listening` with the address once it does. Ends when asked to (Ctrl-C, SIGTERM),
/// after requests that are going on are answered.
pub async fn serve(options: Options, listening: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    let listener = TcpListener::bind(options.listen).await.map_err(|error| {
        let remedy = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                " Another program listens there, perhaps another Flagplot; --listen chooses another port."
            }
            std::io::ErrorKind::AddrNotAvailable => " This machine has no such address.",
            std::io::ErrorKind::PermissionDenied => " Ports below 1024 need a privilege.",
            _ => "",
        };
        ServerError(format!("Cannot listen on {}: {error}.{remedy}", options.listen))
    })?;
    let _alone = store::alone(&options.database)
        .map_err(|error| ServerError(format!("The database cannot be opened: {error}.")))?;
    let address = listener.local_addr().map_err(|error| ServerError(error.to_string()))?;
    let state = state(options).await?;
    listening(address);
    serve_on(listener, state, asked_to_end()).await
}

/// Answers requests on a listener until `end` comes.
pub async fn serve_on(
    listener: TcpListener,
    state: Arc<App>,
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServerError> {
    let closing = state.closing.clone();
    let mut closed = closing.subscribe();
    let ending = async move {
        end.await;
        closing.send_replace(true);
    };
    let server = axum::serve(listener, app(state).into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(ending);
    let last = async move {
        // The sender lives as long as the state, which the server holds.
        let _ = closed.wait_for(|closing| *closing).await;
        tokio::time::sleep(LAST_REQUESTS).await;
    };
    tokio::select! {
        result = async { server.await } => result.map_err(|error| ServerError(error.to_string())),
        () = last => Ok(()),
    }
}

/// Somebody presses Ctrl-C, or the system ends its services.
async fn asked_to_end() {
    let interrupt = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! { () = interrupt => (), () = terminate => () }
}
