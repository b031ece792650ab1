//! A server without a network, and one with.
#![allow(dead_code)]

pub mod postgres;
pub mod process;
pub mod stream;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use flagplot_desk::Secret;
use flagplot_server::{App, Limits, Options};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tower::ServiceExt;

/// A new, empty database: a file, or a schema of the PostgreSQL server named by FLAGPLOT_TEST_POSTGRES.
pub struct Database {
    pub address: String,
    file: Option<std::path::PathBuf>,
}

static COUNT: AtomicU64 = AtomicU64::new(0);

fn unique() -> String {
    format!("flagplot_test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

impl Database {
    pub fn sqlite() -> Self {
        let folder = std::env::temp_dir().join(unique());
        Self { address: folder.join("games.sqlite").display().to_string(), file: Some(folder) }
    }

    /// None if there is no PostgreSQL to test with.
    pub async fn postgres() -> Option<Self> {
        let server = std::env::var("FLAGPLOT_TEST_POSTGRES").ok()?;
        let (client, connection) = tokio_postgres::connect(&server, tokio_postgres::NoTls)
            .await
            .expect("FLAGPLOT_TEST_POSTGRES names a server");
        tokio::spawn(connection);
        let name = unique();
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).await.unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        let base = server.split('?').next().unwrap();
        let at = base.rfind('/').filter(|at| *at > "postgresql://".len()).unwrap_or(base.len());
        Some(Self { address: format!("{}/{name}", &base[..at]), file: None })
    }

    pub async fn app(&self) -> Arc<App> {
        flagplot_server::state(self.options()).await.unwrap()
    }

    pub fn options(&self) -> Options {
        Options { limits: Limits::none(), listen: ([127, 0, 0, 1], 0).into(), ..Options::new(self.address.clone()) }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(folder) = &self.file {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Runs a test on SQLite, and on PostgreSQL if there is one.
#[macro_export]
macro_rules! on_both_databases {
    ($($name:ident)*) => {
        mod sqlite { $( #[tokio::test(flavor = "multi_thread", worker_threads = 2)] async fn $name() {
            super::$name(&$crate::common::Database::sqlite()).await
        } )* }
        mod postgres { $( #[tokio::test(flavor = "multi_thread", worker_threads = 2)] async fn $name() {
            match $crate::common::Database::postgres().await {
                Some(database) => super::$name(&database).await,
                None => eprintln!("not run: FLAGPLOT_TEST_POSTGRES names no server"),
            }
        } )* }
    };
}

/// Asks a server without a network.
#[derive(Clone)]
pub struct Site(pub Router, pub Arc<App>);

pub struct Got {
    pub status: StatusCode,
    pub headers: axum::http::HeaderMap,
    pub text: String,
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
    #[track_caller]
    pub fn ok(self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, self.text);
        self.json()
    }
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status.as_u16(), self.code().as_str()), (status, code), "{}", self.text);
        self.json()
    }
}

impl Site {
    pub async fn open(database: &Database) -> Self {
        let app = database.app().await;
        Self(flagplot_server::app(app.clone()), app)
    }

    pub async fn send(&self, request: Request<Body>) -> Got {
        let response = self.0.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        Got { status, headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    pub async fn ask(&self, method: &str, path: &str, token: &str, body: Value) -> Got {
        let mut request = Request::builder().method(method).uri(path);
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        self.send(request.body(body).unwrap()).await
    }

    pub async fn get(&self, path: &str, token: &str) -> Got {
        self.ask("GET", path, token, Value::Null).await
    }

    pub async fn post(&self, path: &str, token: &str, body: Value) -> Got {
        self.ask("POST", path, token, body).await
    }

    /// Posts like a client that has a stream.
    pub async fn minimal(&self, path: &str, token: &str, body: Value) -> Got {
        let request = Request::post(path).header("authorization", format!("Bearer {token}"));
        let request = request.header("prefer", "return=minimal").body(Body::from(body.to_string()));
        self.send(request.unwrap()).await
    }

    pub fn post_owned(&self, path: String, token: String, body: Value) -> impl Future<Output = Got> + use<> {
        let site = self.clone();
        async move { site.post(&path, &token, body).await }
    }

    pub fn send_owned(&self, request: Request<Body>) -> impl Future<Output = Got> + use<> {
        let site = self.clone();
        async move { site.send(request).await }
    }

    /// A game between two people with seeded dice.
    pub async fn duel(&self) -> Game {
        self.game(json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human", "name": "Ann" },
            { "kind": "human", "name": "Bob" }], "dice": "seeded", "seed": "7" }))
            .await
    }

    /// A game all of whose people's seats are taken and have a part in the dice.
    pub async fn game(&self, wish: Value) -> Game {
        let game = self.fresh(wish).await;
        game.join_dice().await;
        game
    }

    /// A game all of whose people's seats are taken, and no more.
    pub async fn fresh(&self, mut wish: Value) -> Game {
        // The seats are played by advice.
        if wish["hints"].is_null() {
            wish["hints"] = json!(true);
        }
        let created = self.post("/api/games", "", wish).await.ok();
        self.seated(&created).await
    }

    /// Takes every seat of a game that was just made: the maker's own, the others by their invitations.
    pub async fn seated(&self, created: &Value) -> Game {
        let id = created["game"].as_str().unwrap().to_owned();
        let mut tokens = Vec::new();
        for seat in created["seats"].as_array().unwrap() {
            let taken = match seat["invitation"].as_str() {
                Some(invitation) => self
                    .post(&format!("/api/games/{id}/take"), "", json!({ "invitation": invitation, "hints": true }))
                    .await
                    .ok(),
                None => seat.clone(),
            };
            assert_eq!(taken["seat"], seat["seat"]);
            tokens.push(taken["token"].as_str().unwrap().to_owned());
        }
        Game { site: self.clone(), id, tokens }
    }
}

pub const SYSTEM: &str = "schiffskrieg";
pub const SCENARIO: &str = "denmark-strait-1941";

/// A longer game, with sealed answers every turn.
pub fn long_game() -> Value {
    json!({ "system": "dogfite", "scenario": "guynemer-udet-1917", "seats": [{ "kind": "human", "name": "Ann" },
        { "kind": "human", "name": "Bob" }], "dice": "seeded", "seed": "7" })
}

/// Takes every notification: each request as it came.
pub fn listener() -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let hears = heard.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut request, mut buffer) = (String::new(), [0; 4096]);
            while !request.ends_with('}') {
                match stream.read(&mut buffer) {
                    Ok(read) if read > 0 => request.push_str(&String::from_utf8_lossy(&buffer[..read])),
                    _ => break,
                }
            }
            let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
            hears.lock().unwrap().push(request);
        }
    });
    (address, heard)
}

#[derive(Clone)]
pub struct Game {
    pub site: Site,
    pub id: String,
    /// By seat, people only.
    pub tokens: Vec<String>,
}

impl Game {
    pub fn path(&self, rest: &str) -> String {
        format!("/api/games/{}{rest}", self.id)
    }

    pub async fn state(&self, token: &str) -> Value {
        self.site.get(&self.path(""), token).await.ok()
    }

    /// Every person's seat commits to random bits and then reveals them, if the dice are fair.
    pub async fn join_dice(&self) {
        let mut joined = Vec::new();
        for token in &self.tokens {
            let state = self.state(token).await;
            let seat = state["you"]["seat"].as_u64().unwrap() as usize;
            if state["meta"]["seats"][seat]["entropy"] == "awaited" {
                let bits = Secret::new();
                self.site.post(&self.path("/entropy"), token, json!({ "commit": bits.commitment().0 })).await.ok();
                joined.push((token, bits));
            }
        }
        for (token, bits) in joined {
            self.site.post(&self.path("/entropy"), token, json!({ "reveal": bits.reveal() })).await.ok();
        }
    }

    /// What a seat's adviser would answer: the body of an answer, if the seat is asked something.
    pub async fn advised(&self, token: &str, id: &str) -> Option<Value> {
        let state = self.state(token).await;
        if state["situation"]["question"].is_null() {
            return None;
        }
        let value = if state["meta"]["hints"] == "on" {
            self.site.post(&self.path("/hint"), token, json!({ "player": "greedy" })).await.ok()["value"].clone()
        } else {
            state["situation"]["question"]["options"][0]["value"].clone()
        };
        Some(json!({ "id": id, "at": state["situation"]["at"], "value": value }))
    }

    /// Plays on with advice in every person's seat until the game is over or so many answers are given; the number
    /// given.
    pub async fn play(&self, most: usize) -> usize {
        let mut given = 0;
        while given < most {
            let before = given;
            for (seat, token) in self.tokens.iter().enumerate() {
                if let Some(body) =
                    self.advised(token, &format!("{seat}-{}", COUNT.fetch_add(1, Ordering::Relaxed))).await
                {
                    self.site.post(&self.path("/answer"), token, body).await.ok();
                    given += 1;
                }
            }
            if before == given {
                if !self.state(&self.tokens[0]).await["situation"]["outcome"].is_null() {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        }
        given
    }
}
