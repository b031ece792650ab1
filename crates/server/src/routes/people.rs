//! Accounts and sessions.

use crate::access::{self, Body, COOKIE, Caller, Session};
use crate::app::App;
use crate::failure::{Failure, Reply};
use crate::limit::Doing;
use crate::live::now;
use crate::minds::apart;
use crate::secret;
use crate::store::AccountRow;
use crate::wire::{Login, Me, MyGame, NewAccount};
use argon2::password_hash::SaltString;
use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagplot_desk::{Header, os_random};
use flagplot_kernel::{Refusal, Seat};
use std::sync::Arc;

const LONGEST_NAME: usize = 40;
const SHORTEST_PASSWORD: usize = 8;
const LONGEST_PASSWORD: usize = 200;
const LONGEST_EMAIL: usize = 200;
const MOST_GAMES: i64 = 200;
/// A session lasts so long, in seconds.
const SESSION: i64 = 30 * 86_400;

fn key(name: &str) -> String {
    name.trim().to_lowercase()
}

/// The hash that is kept of a password. Slow by design: it runs apart from the requests.
async fn hashed(app: &App, password: String) -> Reply<String> {
    apart(&app.doors, move || {
        let salt = SaltString::encode_b64(&os_random::<16>()).map_err(Failure::internal)?;
        Ok(Argon2::default().hash_password(password.as_bytes(), &salt).map_err(Failure::internal)?.to_string())
    })
    .await
}

async fn matches(app: &App, password: String, hash: String) -> Reply<bool> {
    apart(&app.doors, move || {
        let hash = PasswordHash::new(&hash).map_err(Failure::internal)?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    })
    .await
}

/// Starts a session and sends its cookie.
async fn enter(app: &App, account: &AccountRow) -> Reply<Response> {
    let token = secret::token();
    app.store.put_session(&secret::hash(&token), &account.key, now() + SESSION * 1000).await?;
    let mut response = Json(me(app, account).await?).into_response();
    set_cookie(app, &mut response, &token, SESSION)?;
    Ok(response)
}

fn set_cookie(app: &App, response: &mut Response, value: &str, age: i64) -> Reply<()> {
    let secure = if app.secure { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    response.headers_mut().insert(header::SET_COOKIE, HeaderValue::from_str(&cookie).map_err(Failure::internal)?);
    Ok(())
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
    Ok(Me { name: account.name.clone(), games })
}

/// Makes an account and comes in.
pub async fn create(State(app): State<Arc<App>>, caller: Caller, Body(new): Body<NewAccount>) -> Reply<Response> {
    caller.may(&app, Doing::Login)?;
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
    if let Some(email) = &new.email {
        access::name("An e-mail address", email, LONGEST_EMAIL)?;
        if !email.contains('@') {
            return Err(Refusal::new("bad-email", "This is no e-mail address.").into());
        }
    }
    let account = AccountRow { key: key(&name), name, password: hashed(&app, new.password).await?, email: new.email };
    if !app.store.create_account(account.clone()).await? {
        return Err(Failure::new(StatusCode::CONFLICT, "name-taken", "This name is taken."));
    }
    let mut response = enter(&app, &account).await?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

/// Comes in.
pub async fn login(State(app): State<Arc<App>>, caller: Caller, Body(login): Body<Login>) -> Reply<Response> {
    caller.may(&app, Doing::Login)?;
    let wrong =
        || Failure::new(StatusCode::UNAUTHORIZED, "wrong-password", "There is no account with this name and password.");
    let key = key(&login.name);
    if key.chars().count() > LONGEST_NAME || login.password.chars().count() > LONGEST_PASSWORD {
        return Err(wrong());
    }
    access::account_may(&app, Doing::Login, &key)?;
    match app.store.account(&key).await? {
        Some(account) => {
            if matches(&app, login.password, account.password.clone()).await? {
                enter(&app, &account).await
            } else {
                Err(wrong())
            }
        }
        None => {
            // As slow as a wrong password, so that nobody learns which names there are.
            hashed(&app, login.password).await?;
            Err(wrong())
        }
    }
}

/// Goes out.
pub async fn logout(State(app): State<Arc<App>>, session: Session) -> Reply<Response> {
    app.store.drop_session(&session.hash, now()).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_cookie(&app, &mut response, "", 0)?;
    Ok(response)
}

/// Who one is, and one's games.
pub async fn show(State(app): State<Arc<App>>, session: Session) -> Reply<Json<Me>> {
    let account = app
        .store
        .account(&session.account)
        .await?
        .ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "no-session", "Nobody is logged in here."))?;
    Ok(Json(me(&app, &account).await?))
}
