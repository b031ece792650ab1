//! The floods, each from a handful of addresses at once.

use super::http::Client;
use super::{ATTACKERS, refused, source};
use clap::ValueEnum;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Refusal};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::task::JoinHandle;

/// How many addresses a flood comes from, and how many requests each has going.
const ADDRESSES: u8 = 6;
const EACH: usize = 20;
/// How many connections are left with half a request.
const HALVES: usize = 1_100;

/// A flood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Flood {
    /// Earlier positions of a long game
    Replay,
    /// A record in which answers are taken back again and again
    Verify,
    /// The same record as a new game
    Import,
    /// Odds that take more work than is allowed
    Odds,
    /// Games of the strongest computer players
    Admirals,
    /// Answers taken back again and again
    Undo,
    /// Wrong passwords
    Passwords,
    /// Connections with half a request
    Halves,
    /// Streams of events
    Streams,
    /// Bodies as large as the server takes, and larger
    Bodies,
    /// Bodies that come byte by byte
    Slow,
    /// New games, far beyond what one address may make
    Games,
}

/// What a flood needs, made before it begins.
pub struct Ammunition {
    record: String,
    /// Large bodies with their paths; empty except for the flood of them.
    bodies: Vec<(&'static str, String)>,
    /// A game with its record, and the tokens of its seats.
    game: String,
    tokens: Vec<String>,
}

impl Flood {
    pub const ALL: [Flood; 12] = [
        Flood::Replay,
        Flood::Verify,
        Flood::Import,
        Flood::Odds,
        Flood::Admirals,
        Flood::Undo,
        Flood::Passwords,
        Flood::Halves,
        Flood::Streams,
        Flood::Bodies,
        Flood::Slow,
        Flood::Games,
    ];

    /// The group of addresses it comes from: one flood's allowances are not used up by the flood before.
    fn group(self) -> u8 {
        ATTACKERS + self as u8
    }

    pub fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }

    /// Makes the record of a long game, and the game from it.
    pub async fn prepare(self, server: SocketAddr, catalog: &Catalog) -> Result<Ammunition, Refusal> {
        let record = long_record(catalog)?;
        let client = Client::new(server, source(self.group(), 200));
        let made = client.post_text("/api/games/import?own=0,1", &record).await;
        let made: Value = made
            .filter(|(status, _)| *status == 201)
            .and_then(|(_, text)| serde_json::from_str(&text).ok())
            .ok_or_else(|| refused("The server refused the game this flood needs."))?;
        let tokens = made["seats"].as_array().into_iter().flatten().filter_map(super::token).collect();
        let bodies = match self {
            Flood::Bodies => vec![
                ("/api/verify", "x".repeat(8 << 20)),
                ("/api/odds", format!("[{}1]", "1,".repeat((1 << 19) - 2))),
                ("/api/verify", "x".repeat(9 << 20)),
            ],
            _ => Vec::new(),
        };
        Ok(Ammunition { record, bodies, game: made["game"].as_str().unwrap_or_default().to_owned(), tokens })
    }

    /// Begins the flood; it goes on until it is stopped.
    pub fn start(self, server: SocketAddr, ammunition: Arc<Ammunition>, stop: Arc<AtomicBool>) -> Vec<JoinHandle<()>> {
        let each = if matches!(self, Flood::Halves | Flood::Slow) { HALVES / usize::from(ADDRESSES) } else { EACH };
        let workers = (0..ADDRESSES).flat_map(|address| (0..each).map(move |number| (address, number)));
        workers
            .map(|(address, number)| {
                let client = Client::new(server, source(self.group(), address + 1));
                let (ammunition, stop) = (ammunition.clone(), stop.clone());
                tokio::spawn(async move {
                    for round in 0.. {
                        if stop.load(Relaxed) {
                            return;
                        }
                        self.once(&client, &ammunition, number, round).await;
                        // Refusals come at once; the attack itself must leave this machine some room.
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                })
            })
            .collect()
    }

    async fn once(self, client: &Client, ammunition: &Ammunition, number: usize, round: usize) {
        let path = format!("/api/games/{}", ammunition.game);
        match self {
            Flood::Replay => drop(client.get(&format!("{path}/replay")).await),
            Flood::Verify => drop(client.post_text("/api/verify", &ammunition.record).await),
            Flood::Import => drop(client.post_text("/api/games/import", &ammunition.record).await),
            Flood::Odds => drop(client.post("/api/odds", "", &explosion()).await),
            Flood::Admirals => {
                let wish = json!({
                    "system": "schiffskrieg", "scenario": "midway-1942",
                    "seats": [{ "kind": "computer", "player": "admiral" }, { "kind": "computer", "player": "admiral" }],
                });
                drop(client.post("/api/games", "", &wish).await);
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            Flood::Undo => {
                let token = &ammunition.tokens[number % ammunition.tokens.len().max(1)];
                drop(client.post(&format!("{path}/undo"), token, &Value::Null).await);
                let Some((200, state)) = client.get_as(&path, token).await else { return };
                let situation = &state["situation"];
                if let Some(option) = situation["question"]["options"].get(0) {
                    let id = format!("{number}-{round}");
                    let answer = json!({ "id": id, "at": situation["at"], "value": option["value"] });
                    drop(client.answer(&format!("{path}/answer"), token, &answer).await);
                }
            }
            Flood::Passwords => {
                let login = json!({ "name": format!("player{number}"), "password": format!("guess number {round}") });
                drop(client.post("/api/session", "", &login).await);
            }
            Flood::Halves => {
                let Some(mut stream) = client.connect().await else { return };
                let _ = stream.write_all(b"POST /api/verify HTTP/1.1\r\nHost: flag").await;
                tokio::time::sleep(Duration::from_secs(30)).await;
            }
            Flood::Streams => {
                let Some(mut stream) = client.connect().await else { return };
                let request = format!("GET {path}/events HTTP/1.1\r\nHost: flagplot\r\n\r\n");
                let _ = stream.write_all(request.as_bytes()).await;
                tokio::time::sleep(Duration::from_secs(2)).await;
            }
            Flood::Bodies => {
                let (path, body) = &ammunition.bodies[number % ammunition.bodies.len()];
                drop(client.post_text(path, body).await);
                // The attacker shares the machine with the server: what it sends must leave room for others.
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            Flood::Slow => {
                let Some(mut stream) = client.connect().await else { return };
                let head = "POST /api/verify HTTP/1.1\r\nHost: flagplot\r\nContent-Length: 8000000\r\n\r\n";
                let _ = stream.write_all(head.as_bytes()).await;
                for _ in 0..60 {
                    if stream.write_all(b"x").await.is_err() {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
            }
            Flood::Games => {
                let wish = json!({
                    "system": "schiffskrieg", "scenario": "midway-1942",
                    "seats": [{ "kind": "human" }, { "kind": "human" }],
                });
                drop(client.post("/api/games", "", &wish).await);
            }
        }
    }
}

/// Odds that nobody can have within the limits.
fn explosion() -> Value {
    json!({
        "system": "world-at-war", "procedure": "air-battle",
        "input": {
            "attackers": [{ "nation": "germany", "count": 1000 }],
            "defenders": [{ "nation": "france", "count": 1000 }],
        },
    })
}

/// A game between random players, with answers taken back again and again.
fn long_record(catalog: &Catalog) -> Result<String, Refusal> {
    let mut chance = Chance::seeded(7);
    let seats = vec!["Ann".to_owned(), "Bob".to_owned()];
    let mut desk = Desk::open(catalog, "dogfite", "guynemer-udet-1917", Value::Null, seats, DiceSource::Seeded(7))?;
    while !desk.is_over() && desk.entries().len() < 1_000 {
        let Some(seat) = desk.question().and_then(|question| question.open().first().map(|open| open.seat)) else {
            break;
        };
        let Some(value) = desk.think(seat, PlayerKind::Random, &mut chance) else { break };
        desk.answer(seat, value.clone())?;
        while (40..1_000).contains(&desk.entries().len()) && desk.undo(seat).is_ok() {
            desk.answer(seat, value.clone())?;
        }
    }
    Ok(desk.record(true).to_text())
}
