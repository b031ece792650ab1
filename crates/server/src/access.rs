//! Who asks: addresses, sessions, seats.

use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Doing;
use crate::live::{Live, now};
use crate::secret;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use flagplot_kernel::{Refusal, Seat, Viewer};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The name of the session's cookie.
pub const COOKIE: &str = "flagplot_session";
/// The header that no other site's page can send.
pub const CSRF_HEADER: &str = "x-flagplot";

/// The address a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub IpAddr);

impl Address {
    /// From the connection, or from the proxy's word for it if there is a proxy.
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

    /// Whether this address may do something now.
    pub fn may(self, app: &App, doing: Doing) -> Reply<()> {
        app.limiter.address(doing, self.0).map_err(|seconds| too_many(app, seconds))
    }
}

/// The refusal of somebody who asks too often.
fn too_many(app: &App, seconds: u64) -> Failure {
    app.metrics.limited.fetch_add(1, Relaxed);
    Failure {
        retry: Some(seconds),
        ..Failure::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            format!("Too many requests; try again in {seconds} seconds."),
        )
    }
}

/// Whom limits count: an address, and an account if somebody has come in.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Where the request comes from.
    pub address: Address,
    /// The account's key.
    pub account: Option<String>,
}

impl Caller {
    /// Whether this address and this account may do something now.
    pub fn may(&self, app: &App, doing: Doing) -> Reply<()> {
        self.address.may(app, doing)?;
        match &self.account {
            Some(account) => account_may(app, doing, account),
            None => Ok(()),
        }
    }
}

/// Whether an account may do something now.
pub fn account_may(app: &App, doing: Doing, account: &str) -> Reply<()> {
    app.limiter.account(doing, account).map_err(|seconds| too_many(app, seconds))
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        let account = session(app, parts).await?.map(|session| session.account);
        Ok(Self { address: Address::of(app, &parts.headers, parts.extensions.get()), account })
    }
}

/// The session a request belongs to, if it belongs to one.
#[derive(Clone, Debug)]
pub struct Session {
    /// The hash of its secret.
    pub hash: String,
    /// The account's key.
    pub account: String,
}

/// The secret in the session's cookie.
pub fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, value)| *name == COOKIE && !value.is_empty())
        .map(|(_, value)| value)
}

/// What a request's session was found to be, for those who ask again.
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
    let hash = secret::hash(secret);
    let account = app.store.session(&hash, now()).await?;
    if let Some(account) = &account {
        account_may(app, Doing::Request, account)?;
    }
    Ok(account.map(|account| Session { hash, account }))
}

impl FromRequestParts<Arc<App>> for Session {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        session(app, parts)
            .await?
            .ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "no-session", "Nobody is logged in here."))
    }
}

#[derive(Default, Deserialize)]
struct Asked {
    token: Option<String>,
    seat: Option<u8>,
}

/// The game in a request's path, for somebody who need not have a seat in it.
pub struct Addressed(pub Arc<Live>);

impl FromRequestParts<Arc<App>> for Addressed {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        let params = RawPathParams::from_request_parts(parts, app).await.map_err(Failure::internal)?;
        let id = params.iter().find(|(name, _)| *name == "id").map(|(_, id)| id.to_owned()).unwrap_or_default();
        Ok(Self(app.game(&id).await?))
    }
}

/// A game, and through whose eyes it is seen.
pub struct Entered {
    /// The game.
    pub live: Arc<Live>,
    /// Whose eyes.
    pub viewer: Viewer,
}

impl Entered {
    /// The seat; refused for somebody who only watches.
    pub fn seat(&self) -> Reply<Seat> {
        match self.viewer {
            Viewer::Seat(seat) => Ok(seat),
            _ => Err(Failure::new(
                StatusCode::FORBIDDEN,
                "not-a-player",
                "Only players may do this; a seat's token is needed.",
            )),
        }
    }
}

impl FromRequestParts<Arc<App>> for Entered {
    type Rejection = Failure;

    /// Reads the game from the path, and the seat from its token, or from the account that has taken it.
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Reply<Self> {
        let Addressed(live) = Addressed::from_request_parts(parts, app).await?;
        let asked: Asked = axum::extract::Query::try_from_uri(&parts.uri).map(|query| query.0).unwrap_or_default();
        let bearer = parts
            .headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        let token = bearer.map(str::to_owned).or(asked.token);
        let session = session(app, parts).await?;
        let (viewer, take) = {
            let table = app.hold(&live).await?;
            if let Some(token) = token {
                let seat = table.seat_of(&token).ok_or_else(|| {
                    Failure::new(StatusCode::UNAUTHORIZED, "bad-token", "This token belongs to no seat of this game.")
                })?;
                let free = table.seats.get(usize::from(seat.0)).is_some_and(|row| row.account.is_none());
                (Viewer::Seat(seat), session.filter(|_| free))
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
                            "This game is not open to spectators; a seat's token is needed.",
                        ));
                    }
                }
            }
        };
        if let (Viewer::Seat(seat), Some(session)) = (viewer, take) {
            // Somebody who has come in and has a seat's token keeps the seat in the account's list.
            app.store.bind_seat(live.id(), seat.0, &session.account).await?;
            if let Some(row) = app.hold(&live).await?.seats.get_mut(usize::from(seat.0)) {
                row.account.get_or_insert(session.account);
            }
        }
        Ok(Self { live, viewer })
    }
}

/// A JSON body; what is wrong with it is said in the common form. An empty body is an empty object.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = Failure;
    async fn from_request(request: Request, app: &Arc<App>) -> Reply<Self> {
        let bytes = Raw::from_request(request, app).await?.0;
        let bytes: &[u8] = if bytes.iter().all(u8::is_ascii_whitespace) { b"{}" } else { &bytes };
        serde_json::from_slice(bytes).map(Self).map_err(|error| {
            let code = if error.is_data() { "bad-body" } else { "bad-json" };
            Failure::bad(code, format!("The body cannot be read: {error}."))
        })
    }
}

/// A body as it is.
pub struct Raw(pub Bytes);

impl FromRequest<Arc<App>> for Raw {
    type Rejection = Failure;
    async fn from_request(request: Request, app: &Arc<App>) -> Reply<Self> {
        Bytes::from_request(request, app).await.map(Self).map_err(|rejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too-long", "The body is too long.")
            } else {
                Failure::bad("bad-body", "The body was cut off.")
            }
        })
    }
}

/// Text of at most so many characters, without control characters other than line ends.
pub fn text(what: &str, text: &str, most: usize) -> Result<(), Refusal> {
    if text.chars().count() > most {
        return Err(Refusal::new("too-long", format!("{what} may have {most} characters.")));
    }
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(Refusal::new("bad-text", format!("{what} holds control characters.")));
    }
    Ok(())
}

/// A name in one line.
pub fn name(what: &str, name: &str, most: usize) -> Result<(), Refusal> {
    text(what, name, most)?;
    if name.trim().is_empty() || name.contains(['\n', '\t']) {
        return Err(Refusal::new("bad-name", format!("{what} must be a name in one line.")));
    }
    Ok(())
}
