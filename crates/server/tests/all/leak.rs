//! The leak test on the bytes of the wire: what goes to the other seat and to spectators (states, event streams,
//! replays, exports, refusals, explanations, notifications) says nothing that they may not know.
//!
//! Two games that are the same but for one answer of the first seat are compared wherever the desk says that somebody
//! else cannot tell them apart: then no byte that reaches this somebody may differ.

use crate::common::stream::Stream;
use crate::common::{Database, Game, Site, listener};
use axum::http::StatusCode;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Seat, Viewer};
use flagplot_server::Options;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;

const SYSTEMS: [&str; 5] = ["schiffskrieg", "dogfite", "carrier-strike", "world-at-war", "fleet-action"];
const SEED: u64 = 7;
/// So many answers are compared in each system.
const PROBES: usize = 4;
/// So far a game is played to find them.
const LONGEST: usize = 40;

type Given = Vec<(Seat, Value)>;

async fn open(database: &Database) -> Site {
    let options = Options {
        private_webhooks: true,
        notify_after: Some(Duration::ZERO),
        public_address: Some("http://flagplot.example".into()),
        ..database.options()
    };
    let state = flagplot_server::state(options).await.unwrap();
    Site(flagplot_server::app(state.clone()), state)
}

fn scenarios(catalog: &Catalog, system: &str) -> Vec<String> {
    catalog
        .system(system)
        .unwrap()
        .scenarios()
        .into_iter()
        .filter(|scenario| scenario.seats.len() == 2 && scenario.group != "free play")
        .map(|scenario| scenario.id)
        .collect()
}

fn wish(system: &str, scenario: &str, dice: &str, hook: SocketAddr) -> Value {
    let seats = json!([{ "kind": "human", "name": "Ann" }, { "kind": "human", "name": "Bob" }]);
    let mut wish = json!({ "system": system, "scenario": scenario, "seats": seats, "dice": dice, "webhook": { "url": format!("http://{hook}/hook") } });
    if dice == "seeded" {
        wish["seed"] = json!(SEED.to_string());
    }
    wish
}

/// The same game at a desk: what it says of a viewer is what the viewer may know.
fn desk(catalog: &Catalog, system: &str, scenario: &str, given: &Given) -> Option<Desk> {
    let mut desk =
        Desk::open(catalog, system, scenario, Value::Null, vec!["Ann".into(), "Bob".into()], DiceSource::Seeded(SEED))
            .unwrap();
    for (seat, value) in given {
        desk.answer(*seat, value.clone()).ok()?;
    }
    Some(desk)
}

fn known(desk: &Desk, viewer: Viewer) -> String {
    serde_json::to_string(&(desk.situation(viewer), desk.log(viewer, 0))).unwrap()
}

async fn replay(site: &Site, wish: &Value, given: &Given) -> Game {
    let game = site.game(wish.clone()).await;
    for (n, (seat, value)) in given.iter().enumerate() {
        give(&game, n, *seat, value).await;
    }
    game
}

async fn give(game: &Game, n: usize, seat: Seat, value: &Value) {
    let token = &game.tokens[usize::from(seat.0)];
    let at = &game.state(token).await["situation"]["at"];
    game.site.post(&game.path("/answer"), token, json!({ "id": format!("n{n}"), "at": at, "value": value })).await.ok();
}

fn token(game: &Game, viewer: Viewer) -> &str {
    match viewer {
        Viewer::Seat(seat) => &game.tokens[usize::from(seat.0)],
        _ => "",
    }
}

/// Every byte that a viewer can get by asking.
async fn asked(game: &Game, viewer: Viewer) -> String {
    let token = token(game, viewer);
    let mut all = String::new();
    for path in [
        "",
        "/replay",
        "/replay?at=1",
        "/replay?at=99999",
        "/replay?at=1&as=0",
        "/replay?at=1&as=1",
        "/replay?as=all",
        "/replay?as=spectator",
        "/export",
    ] {
        all.push_str(&game.site.get(&game.path(path), token).await.text);
    }
    for (path, body) in [
        ("/explain", json!({})),
        ("/preview", json!({ "value": 1 })),
        ("/analysis", json!({})),
        ("/undo", Value::Null),
        ("/dice", json!({ "id": "spy", "faces": [1] })),
        ("/answer", json!({ "id": "spy", "at": 99999, "value": 1 })),
        ("/answer", json!({ "id": "spy", "at": 0, "value": 1 })),
        ("/answer", json!({ "id": "spy", "at": game.state("").await["situation"]["at"], "value": { "no": "such" } })),
        ("/answer", json!({ "id": "n0", "value": 1 })),
        ("/rematch", Value::Null),
        ("/entropy", json!({ "waive": true })),
    ] {
        let got = game.site.post(&game.path(path), token, body).await;
        assert_ne!(got.status, StatusCode::INTERNAL_SERVER_ERROR, "{path}: {}", got.text);
        all.push_str(&got.text);
    }
    all
}

/// Takes out what differs by itself: the game's id, when it began, and the digests, which follow from what the viewer
/// has been sent, the beginning included.
fn blind(text: &str, game: &Game) -> String {
    let mut text = text.replace(&game.id, "GAME");
    for name in ["\"created\":", "\"digest\":"] {
        text = text.split(name).map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect();
    }
    text
}

/// The streams that a viewer can open: of whole states, and of changes.
async fn streams(game: &Game, viewer: Viewer) -> [Stream; 2] {
    let token = token(game, viewer);
    let query = if token.is_empty() { String::new() } else { format!("&token={token}") };
    let open = async |changes: bool| {
        let mut stream =
            Stream::open(&game.site, &format!("{}?changes={changes}{query}", game.path("/events")), None).await;
        stream.next().await;
        stream
    };
    [open(false).await, open(true).await]
}

/// Reads on until the streams have brought all there is; every byte they have brought.
async fn read_up(streams: &mut [Stream; 2], game: &Game) -> String {
    let version = game.state("").await["version"].as_u64();
    for stream in streams.iter_mut() {
        while stream.next().await.id < version {}
    }
    streams.iter().map(|stream| stream.seen.as_str()).collect()
}

/// Two values for a seat's question, if there are two.
fn two_values(desk: &Desk, seat: Seat, chance: &mut Chance) -> Option<[Value; 2]> {
    let mut found: Vec<Value> = desk.question_to(seat)?.options.iter().map(|option| option.value.clone()).collect();
    for _ in 0..12 {
        found.extend(desk.think(seat, PlayerKind::Random, chance));
    }
    let first = found.first()?.clone();
    let second = found.into_iter().rev().find(|value| *value != first)?;
    Some([first, second])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_not_know_an_answer_cannot_tell_it_by_any_byte() {
    let database = Database::sqlite();
    let site = open(&database).await;
    let (hook, heard) = listener();
    let catalog = Catalog::built_in();
    for system in SYSTEMS {
        let mut probes = 0;
        for scenario in scenarios(&catalog, system) {
            let wish = wish(system, &scenario, "seeded", hook);
            let mut chance = Chance::seeded(11);
            let mut given = Given::new();
            while probes < PROBES && given.len() < LONGEST {
                let now = desk(&catalog, system, &scenario, &given).unwrap();
                let Some(seat) =
                    now.question().and_then(|question| question.open().first().map(|question| question.seat))
                else {
                    break;
                };
                if let Some(values) = two_values(&now, seat, &mut chance) {
                    let worlds: Vec<Given> =
                        values.iter().map(|value| [given.clone(), vec![(seat, value.clone())]].concat()).collect();
                    if let (Some(one), Some(two)) =
                        (desk(&catalog, system, &scenario, &worlds[0]), desk(&catalog, system, &scenario, &worlds[1]))
                    {
                        let others: Vec<Viewer> = [Viewer::Seat(Seat(1 - seat.0)), Viewer::Spectator]
                            .into_iter()
                            .filter(|viewer| known(&one, *viewer) == known(&two, *viewer))
                            .collect();
                        if !others.is_empty() {
                            compare(&site, &wish, &given, seat, &values, &others).await;
                            probes += 1;
                        }
                    }
                }
                let value = now.think(seat, PlayerKind::Random, &mut chance).unwrap();
                given.push((seat, value));
            }
        }
        assert!(probes > 0, "{system}: nothing secret was met");
    }
    let heard = heard.lock().unwrap().clone();
    assert!(!heard.is_empty(), "nobody was notified");
    for request in heard {
        let body: Value = serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
        let fields: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
        // Facts about who is to play where, and nothing of the position.
        assert_eq!(fields, ["event", "game", "title", "seat", "name", "link"], "{body}");
        assert_eq!(body["link"], format!("http://flagplot.example/#/game/{}", body["game"].as_str().unwrap()));
        assert_eq!(body["name"], ["Ann", "Bob"][body["seat"].as_u64().unwrap() as usize]);
    }
}

/// Plays both worlds, and compares every byte that reaches those who may not tell them apart.
async fn compare(site: &Site, wish: &Value, given: &Given, seat: Seat, values: &[Value; 2], others: &[Viewer]) {
    let mut seen = Vec::new();
    for value in values {
        let game = replay(site, wish, given).await;
        let mut open = Vec::new();
        for viewer in others {
            open.push(streams(&game, *viewer).await);
        }
        give(&game, given.len(), seat, value).await;
        let mut bytes = Vec::new();
        for (viewer, streams) in others.iter().zip(&mut open) {
            let seen = read_up(streams, &game).await + &asked(&game, *viewer).await;
            bytes.push(blind(&seen, &game).replace(token(&game, *viewer), ""));
        }
        seen.push(bytes);
    }
    for ((one, two), viewer) in seen[0].iter().zip(&seen[1]).zip(others) {
        let read = ["\"situation\"", "event: state", "event: change"];
        assert!(read.iter().all(|part| one.contains(part)), "the test has read nothing");
        let differ = one.chars().zip(two.chars()).position(|(a, b)| a != b).unwrap_or(one.len().min(two.len()));
        let show = |text: &str| text.chars().skip(differ.saturating_sub(100)).take(200).collect::<String>();
        assert_eq!(one, two, "{viewer:?} can tell {} from {}: {} … {}", values[0], values[1], show(one), show(two));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_token_no_note_and_no_secret_of_the_dice_reaches_anybody_else() {
    let database = Database::sqlite();
    let site = open(&database).await;
    let (hook, heard) = listener();
    let catalog = Catalog::built_in();
    let mut checked = 0;
    for system in SYSTEMS {
        let game = site.game(wish(system, &scenarios(&catalog, system)[0], "fair", hook)).await;
        let secret = stored_secret(&database, &game.id);
        for (seat, token) in game.tokens.iter().enumerate() {
            let body = json!({ "text": format!("private plan of {seat}") });
            assert_eq!(site.ask("PUT", &game.path("/notes"), token, body).await.status, 204);
        }
        let viewers = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];
        let mut open = Vec::new();
        for viewer in viewers {
            open.push(streams(&game, viewer).await);
        }
        for _ in 0..8 {
            game.play(1).await;
            if !game.state("").await["situation"]["outcome"].is_null() {
                break; // A finished game reveals its secrets, and tests nothing here.
            }
            for (viewer, streams) in viewers.into_iter().zip(&mut open) {
                let all = read_up(streams, &game).await + &asked(&game, viewer).await;
                assert!(!all.contains(&secret), "{system}: the secret of the dice got out");
                for (seat, token) in
                    game.tokens.iter().enumerate().filter(|(seat, _)| viewer != Viewer::Seat(Seat(*seat as u8)))
                {
                    assert!(!all.contains(token.as_str()), "{system}: a token got out");
                    assert!(!all.contains(&format!("private plan of {seat}")), "{system}: private notes got out");
                    checked += 1;
                }
            }
        }
        let heard = heard.lock().unwrap().join("\n");
        assert!(
            !heard.contains(&secret)
                && !heard.contains("private plan")
                && game.tokens.iter().all(|token| !heard.contains(token.as_str())),
            "{heard}"
        );
    }
    assert!(checked > 30, "the games were too short to say anything");
}

fn stored_secret(database: &Database, game: &str) -> String {
    let connection = rusqlite::Connection::open(&database.address).unwrap();
    connection.query_row("SELECT secret FROM games WHERE id = ?1", [game], |row| row.get(0)).unwrap()
}
