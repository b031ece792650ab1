//! Who makes a request: address, session, seat.

use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::{Action, household};
use crate::open_game::{Acted, OpenGame};
use crate::pool::{Lane, Share};
use crate::secret;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum_extra::extract::cookie::CookieJar;
use flagplot_kernel::{Refusal, Seat, Viewer};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// The name of the session's cookie.
pub const COOKIE: &str = "flagplot_session";
/// The header that no other site's page can send.
pub const CSRF_HEADER: &str = "x-flagplot";

/// The address a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub IpAddr);

impl Address {
    /// From the connection, or from the header of a trusted proxy.
    pub fn of(app: &App, headers: &HeaderMap, connection: Option<&ConnectInfo<SocketAddr>>) -> Self {
        let forwarded = || {
            headers
                .get_all("x-forwarded-for")
                .iter()
                .next_back()?
                .to_str()
                .ok()?
                .rsplit(',')
                .next()?
                .trim()
                .parse()
                .ok()
        };
        let direct = connection.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip());
        Self(app.behind_proxy.then(forwarded).flatten().unwrap_or(direct))
    }

    /// Refuses an action beyond this address's limit.
    pub fn may(self, app: &App, action: Action) -> Reply<()> {
        app.limiter.address(action, self.0).map_err(|seconds| too_many(app, seconds))
    }

    /// The hash of the household's address, as it is stored with games.
    pub fn stored(self) -> String {
        secret::hash(&format!("address {}", household(self.0)))
    }
}

/// The refusal of an action beyond a limit.
pub fn too_many(app: &App, seconds: u64) -> Failure {
    app.metrics.limited.inc();
    Failure {
        retry: Some(seconds),
        ..Failure::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            match seconds {
                1 => "Too many requests. Try again in 1 second.".to_owned(),
                _ => format!("Too many requests. Try again in {seconds} seconds."),
            },
        )
    }
}

/// Who makes a request, as limits count it: an address, and an account if the client is logged in.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Where the request comes from.
    pub address: Address,
    /// The account's key.
    pub account: Option<String>,
}

impl Caller {
    /// Refuses an action beyond the limit of this address or account.
    pub fn may(&self, app: &App, action: Action) -> Reply<()> {
        self.address.may(app, action)?;
        match &self.account {
            Some(account) => account_may(app, action, account),
            None => Ok(()),
        }
    }

    /// A share of the pool for this caller, and for a game if the work is about one.
    pub fn share(&self, lane: Lane, time: Duration, game: Option<&OpenGame>) -> Share {
        let address = format!("address {}", self.address.stored());
        let account = self.account.iter().map(|account| format!("account {account}"));
        let game = game.map(|game| format!("game {}", game.id()));
        Share { lane, time, callers: account.chain([address]).chain(game).collect() }
    }
}

fn account_may(app: &App, action: Action, account: &str) -> Reply<()> {
    app.limiter.account(action, account).map_err(|seconds| too_many(app, seconds))
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        let account = session(app, parts).await?.map(|session| session.account);
        Ok(Self { address: Address::of(app, &parts.headers, parts.extensions.get()), account })
    }
}

#[derive(Clone, Debug)]
pub struct Session {
    /// The hash of its secret.
    pub hash: String,
    /// The account's key.
    pub account: String,
}

/// The secret in the session's cookie.
pub fn cookie(headers: &HeaderMap) -> Option<String> {
    let jar = CookieJar::from_headers(headers);
    jar.get(COOKIE).map(|cookie| cookie.value().to_owned()).filter(|value| !value.is_empty())
}

/// A request's session once it has been looked up.
#[derive(Clone)]
struct Found(Option<Session>);

async fn session(app: &App, parts: &mut Parts) -> Reply<Option<Session>> {
    if let Some(Found(session)) = parts.extensions.get() {
        return Ok(session.clone());
    }
    let session = look_up(app, &parts.headers).await?;
    parts.extensions.insert(Found(session.clone()));
    Ok(session)
}

async fn look_up(app: &App, headers: &HeaderMap) -> Reply<Option<Session>> {
    let Some(secret) = cookie(headers) else { return Ok(None) };
    let hash = secret::hash(&secret);
    let account = app.store.session(&hash, app.wall.millis()).await?;
    if let Some(account) = &account {
        account_may(app, Action::Request, account)?;
    }
    Ok(account.map(|account| Session { hash, account }))
}

impl FromRequestParts<Arc<App>> for Session {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        session(app, parts).await?.ok_or_else(no_session)
    }
}

/// The refusal of a request that needs a log-in.
pub fn no_session() -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, "no-session", "You are not logged in.")
}

#[derive(Default, Deserialize)]
struct SeatQuery {
    token: Option<String>,
    seat: Option<u8>,
}

/// The game in a request's path, for a client that may have no seat in it.
pub struct Addressed(pub Arc<OpenGame>);

impl FromRequestParts<Arc<App>> for Addressed {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        let Id(id) = Id::from_request_parts(parts, app).await?;
        Ok(Self(app.game(&id).await?))
    }
}

/// The id in a request's path.
pub struct Id(pub String);

impl FromRequestParts<Arc<App>> for Id {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        let bad = |_| Failure::bad("bad-path", "The address is not valid UTF-8.");
        let params = RawPathParams::from_request_parts(parts, app).await.map_err(bad)?;
        Ok(Self(params.iter().find(|(name, _)| *name == "id").map(|(_, id)| id.to_owned()).unwrap_or_default()))
    }
}

/// A game, and who looks at it.
pub struct Entered {
    pub live: Arc<OpenGame>,
    /// The seat or spectator that the request is for.
    pub viewer: Viewer,
    /// The account that has shown the token of a seat that is on no account's list yet.
    unlisted: Option<String>,
}

impl Entered {
    /// Puts the seat on the list of the account that has shown its token, if it is on no list yet.
    pub async fn list_seat(&self, app: &Arc<App>) -> Reply<()> {
        let (Viewer::Seat(seat), Some(account)) = (self.viewer, &self.unlisted) else { return Ok(()) };
        app.store.bind_seat(self.live.id(), seat.0, account).await?;
        let account = account.clone();
        // The open question is one that this account now wants to be notified of.
        app.act(&self.live, self.viewer, move |table, _| {
            let Some(row) = table.seats.get_mut(usize::from(seat.0)).filter(|row| row.account.is_none()) else {
                return Ok(Acted::Nothing);
            };
            row.account = Some(account.clone());
            table.seat_taken(seat);
            Ok(Acted::Changed(None))
        })
        .await
        .map(drop)
    }

    /// The seat; refused for spectators.
    pub fn seat(&self) -> Reply<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Ok(seat),
            _ => Err(Failure::new(
                StatusCode::FORBIDDEN,
                "not-a-player",
                "Only players may do this. Send the token of a seat.",
            )),
        }
    }
}

impl FromRequestParts<Arc<App>> for Entered {
    type Rejection = Failure;

    /// Reads the game from the path, and the seat from its token or from the account's list. It changes nothing.
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        let Addressed(live) = Addressed::from_request_parts(parts, app).await?;
        let asked: SeatQuery = axum::extract::Query::try_from_uri(&parts.uri).map(|query| query.0).unwrap_or_default();
        let bearer = parts
            .headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        let token = bearer.map(str::to_owned).or(asked.token);
        let session = session(app, parts).await?;
        let (viewer, unlisted) = {
            let table = app.hold(&live).await?;
            if let Some(token) = token {
                let seat = table.seat_of(&token).ok_or_else(|| {
                    Failure::new(
                        StatusCode::UNAUTHORIZED,
                        "bad-token",
                        "This token does not belong to a seat of this game.",
                    )
                })?;
                let free = table.seats.get(usize::from(seat.0)).is_some_and(|row| row.account.is_none());
                (Viewer::Seat(seat), session.filter(|_| free).map(|session| session.account))
            } else {
                let own: Vec<Seat> =
                    session.iter().flat_map(|session| table.seats_of(&session.account).collect::<Vec<_>>()).collect();
                let own = own.iter().find(|seat| Some(seat.0) == asked.seat).or(own.first());
                match own {
                    Some(seat) => (Viewer::Seat(*seat), None),
                    None if table.plan.spectators => (Viewer::Spectator, None),
                    None => {
                        return Err(Failure::new(
                            StatusCode::FORBIDDEN,
                            "not-open",
                            "This game is not open to spectators. Send the token of a seat.",
                        ));
                    }
                }
            }
        };
        Ok(Self { live, viewer, unlisted })
    }
}

/// A JSON body. An empty body is an empty object.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = Failure;
    async fn from_request(request: Request, app: &Arc<App>) -> Reply<Self> {
        let bytes = Raw::from_request(request, app).await?.0;
        let bytes: &[u8] = if bytes.iter().all(u8::is_ascii_whitespace) { b"{}" } else { &bytes };
        serde_json::from_slice(bytes).map(Self).map_err(|error| {
            let code = if error.is_data() { "bad-body" } else { "bad-json" };
            Failure::bad(code, format!("The body is not valid: {error}."))
        })
    }
}

pub struct Raw(pub Bytes);

impl FromRequest<Arc<App>> for Raw {
    type Rejection = Failure;
    async fn from_request(request: Request, app: &Arc<App>) -> Reply<Self> {
        let slow = |_| Failure::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "The body took too long to arrive.");
        let arrived = tokio::time::timeout(app.slow, Bytes::from_request(request, app)).await.map_err(slow)?;
        arrived.map(Self).map_err(|rejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too-long", "The body is too long.")
            } else {
                Failure::bad("bad-body", "The body was cut off.")
            }
        })
    }
}

/// Checks text: at most `most` characters, and no control characters except line ends and tabs.
pub fn text(what: &str, text: &str, most: usize) -> Result<(), Refusal> {
    if text.chars().count() > most {
        return Err(Refusal::new("too-long", format!("{what} has at most {most} characters.")));
    }
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(Refusal::new("bad-text", format!("{what} must not hold control characters.")));
    }
    Ok(())
}

/// Checks a name: text in one line.
pub fn name(what: &str, name: &str, most: usize) -> Result<(), Refusal> {
    text(what, name, most)?;
    if name.trim().is_empty() || name.contains(['\n', '\t']) {
        return Err(Refusal::new("bad-name", format!("{what} must be one line and not empty.")));
    }
    Ok(())
}
