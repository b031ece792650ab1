//! Accounts and sessions.

use crate::access::{self, Body, COOKIE, Caller, Session, no_session, too_many};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Action;
use crate::secret;
use crate::store::AccountRow;
use crate::wire::{Email, EmailBody, Login, Me, MyGame, NewAccount};
use argon2::password_hash::SaltString;
use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use flagplot_desk::{Header, os_random};
use flagplot_kernel::{Refusal, Seat};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

const LONGEST_NAME: usize = 40;
const SHORTEST_PASSWORD: usize = 8;
const LONGEST_PASSWORD: usize = 200;
const LONGEST_EMAIL: usize = 200;
const MOST_GAMES: i64 = 200;
/// How long a session lasts.
const SESSION: Duration = Duration::from_secs(30 * 86_400);

fn key(name: &str) -> String {
    name.trim().to_lowercase()
}

/// Hashes passwords on a thread of their own: that is slow by design.
async fn apart<T: Send + 'static>(app: &App, work: impl FnOnce() -> Reply<T> + Send + 'static) -> Reply<T> {
    let permit = app.passwords.clone().acquire_owned().await.map_err(Failure::internal)?;
    app.metrics.passwords.inc();
    let result = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    result.await.map_err(Failure::internal)?
}

/// The hash that is stored of a password.
async fn hashed(app: &App, password: String) -> Reply<String> {
    apart(app, move || {
        let salt = SaltString::encode_b64(&os_random::<16>()).map_err(Failure::internal)?;
        Ok(Argon2::default().hash_password(password.as_bytes(), &salt).map_err(Failure::internal)?.to_string())
    })
    .await
}

async fn matches(app: &App, password: String, hash: String) -> Reply<bool> {
    apart(app, move || {
        let hash = PasswordHash::new(&hash).map_err(Failure::internal)?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    })
    .await
}

/// Starts a session and sends its cookie.
async fn enter(app: &App, account: &AccountRow) -> Reply<Response> {
    let token = app.random.token();
    let lasts = i64::try_from(SESSION.as_millis()).map_err(Failure::internal)?;
    app.store.put_session(&secret::hash(&token), &account.key, app.wall.millis() + lasts).await?;
    Ok((session_cookie(app, token, SESSION)?, Json(me(app, account).await?)).into_response())
}

/// A duration in the cookie library's own type.
fn lasting<T: TryFrom<Duration, Error: std::fmt::Display>>(age: Duration) -> Reply<T> {
    T::try_from(age).map_err(Failure::internal)
}

fn session_cookie(app: &App, value: String, age: Duration) -> Reply<CookieJar> {
    let age = lasting(age)?;
    let cookie = Cookie::build((COOKIE, value)).path("/").http_only(true).same_site(SameSite::Strict).max_age(age);
    Ok(CookieJar::new().add(cookie.secure(app.secure)))
}

async fn me(app: &App, account: &AccountRow) -> Reply<Me> {
    let rows = app.store.games_of(&account.key, MOST_GAMES).await?;
    let games = rows
        .into_iter()
        .filter_map(|row| {
            let header: Header = serde_json::from_str(&row.header).ok()?;
            let your_turn = !row.marks.over && row.marks.turn.checked_shr(u32::from(row.seat)).unwrap_or(0) & 1 == 1;
            Some(MyGame {
                game: row.game,
                system: header.system,
                scenario: header.scenario,
                seat: Seat(row.seat),
                your_turn,
                over: row.marks.over,
            })
        })
        .collect();
    let email = account.email.clone().map(|address| Email { address, confirmed: account.confirmed });
    Ok(Me { name: account.name.clone(), email, games })
}

/// Creates an account and logs in.
pub async fn create(State(app): State<Arc<App>>, caller: Caller, Body(new): Body<NewAccount>) -> Reply<Response> {
    caller.may(&app, Action::Login)?;
    let name = new.name.trim().to_owned();
    access::name("A name", &name, LONGEST_NAME)?;
    let length = new.password.chars().count();
    if !(SHORTEST_PASSWORD..=LONGEST_PASSWORD).contains(&length) {
        return Err(Refusal::new(
            "bad-password",
            format!("A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters."),
        )
        .into());
    }
    new.email.as_deref().map_or(Ok(()), check_email)?;
    let password = hashed(&app, new.password).await?;
    let account = AccountRow { key: key(&name), name, password, email: new.email, confirmed: false };
    if !app.store.create_account(account.clone()).await? {
        return Err(Failure::new(StatusCode::CONFLICT, "name-taken", "This name is taken."));
    }
    if let Some(email) = &account.email {
        ask_to_confirm(&app, &account, email).await?;
    }
    let mut response = enter(&app, &account).await?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

fn check_email(email: &str) -> Result<(), Refusal> {
    access::name("An e-mail address", email, LONGEST_EMAIL)?;
    match email.parse::<lettre::Address>() {
        Ok(_) => Ok(()),
        Err(_) => Err(Refusal::new("bad-email", "This is not a valid e-mail address.")),
    }
}

/// Stores an unconfirmed e-mail address and asks its owner to confirm it.
async fn ask_to_confirm(app: &App, account: &AccountRow, email: &str) -> Reply<()> {
    let letter = app.notifier.may_ask(app, email).await?;
    // The code of the last letter stays good if there is no new one.
    if !letter && account.email.as_deref() == Some(email) {
        return Ok(());
    }
    let code = app.random.token();
    app.store.set_email(&account.key, email, &secret::hash(&code)).await?;
    if letter {
        app.notifier.ask_to_confirm(app, &account.name, email, &code).await?;
    }
    Ok(())
}

/// Changes the account's e-mail address. Its owner has to confirm it before anything else is sent to it.
pub async fn email(
    State(app): State<Arc<App>>,
    session: Session,
    Body(EmailBody { email }): Body<EmailBody>,
) -> Reply<Json<Me>> {
    check_email(&email)?;
    let account = app.store.account(&session.account).await?.ok_or_else(no_session)?;
    ask_to_confirm(&app, &account, &email).await?;
    let account = app.store.account(&session.account).await?.ok_or_else(no_session)?;
    Ok(Json(me(&app, &account).await?))
}

/// The code in a letter that asks to confirm an e-mail address.
#[derive(Default, Deserialize)]
pub struct Confirmation {
    #[serde(default)]
    code: String,
}

fn page(text: &str) -> Html<String> {
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Flagplot</title><h1>Flagplot</h1>{text}</html>"
    ))
}

/// Asks whether to confirm an e-mail address: programs that follow links in letters must not confirm anything.
pub async fn confirm_page(Query(Confirmation { code }): Query<Confirmation>) -> Reply<Html<String>> {
    if !secret::is_token(&code) {
        return Err(Failure::bad("bad-code", "This link is not complete. Copy all of it from the e-mail."));
    }
    Ok(page(&format!(
        "<p>Send notifications from this server to your e-mail address?</p><form method=\"post\" \
         action=\"/confirm?code={code}\"><button>Confirm</button></form>"
    )))
}

/// Confirms an e-mail address.
pub async fn confirm(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(Confirmation { code }): Query<Confirmation>,
) -> Reply<Html<String>> {
    caller.may(&app, Action::Login)?;
    if !app.store.confirm_email(&secret::hash(&code)).await? {
        return Err(Failure::missing("bad-code", "This link has been used, or a newer e-mail has replaced it."));
    }
    Ok(page("<p>Your e-mail address is confirmed.</p>"))
}

pub async fn login(State(app): State<Arc<App>>, caller: Caller, Body(login): Body<Login>) -> Reply<Response> {
    caller.may(&app, Action::Login)?;
    let wrong =
        || Failure::new(StatusCode::UNAUTHORIZED, "wrong-password", "There is no account with this name and password.");
    let key = key(&login.name);
    if key.chars().count() > LONGEST_NAME || login.password.chars().count() > LONGEST_PASSWORD {
        return Err(wrong());
    }
    // Per account and address: attempts from elsewhere must not lock the owner out.
    let attempt = app.limiter.account_from(Action::Login, &key, caller.address.0);
    attempt.map_err(|seconds| too_many(&app, seconds))?;
    match app.store.account(&key).await? {
        Some(account) => {
            if matches(&app, login.password, account.password.clone()).await? {
                enter(&app, &account).await
            } else {
                Err(wrong())
            }
        }
        None => {
            // As slow as a wrong password, so that the time does not tell which accounts exist.
            hashed(&app, login.password).await?;
            Err(wrong())
        }
    }
}

/// Logs out.
pub async fn logout(State(app): State<Arc<App>>, session: Session) -> Reply<Response> {
    app.store.drop_session(&session.hash).await?;
    Ok((StatusCode::NO_CONTENT, session_cookie(&app, String::new(), Duration::ZERO)?).into_response())
}

/// The account and its games.
pub async fn show(State(app): State<Arc<App>>, session: Session) -> Reply<Json<Me>> {
    let account = app.store.account(&session.account).await?.ok_or_else(no_session)?;
    Ok(Json(me(&app, &account).await?))
}
