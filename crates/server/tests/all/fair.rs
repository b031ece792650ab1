//! Fair shares: no client takes the server from the others, whatever it asks for.

use crate::common::process::{Server, ask};
use crate::common::stream::Stream;
use crate::common::{Database, Game, SCENARIO, SYSTEM, Site, long_game};
use axum::body::Body;
use axum::http::Request;
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Seat};
use flagplot_server::{Limits, Network, Options, Quota};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

async fn open(options: Options) -> Site {
    let state = flagplot_server::state(options).await.unwrap();
    Site(flagplot_server::app(state.clone()), state)
}

/// A long game in which answers are taken back again and again once it has gone on for a while, as a record.
fn long_record(entries: usize) -> String {
    let catalog = Catalog::built_in();
    let mut chance = Chance::seeded(7);
    let seats = vec!["Ann".to_owned(), "Bob".to_owned()];
    let mut desk =
        Desk::open(&catalog, "dogfite", "guynemer-udet-1917", Value::Null, seats, DiceSource::Seeded(7)).unwrap();
    while !desk.is_over() && desk.entries().len() < entries {
        let seat: Seat = desk.question().unwrap().open()[0].seat;
        let value = desk.think(seat, PlayerKind::Random, &mut chance).unwrap();
        desk.answer(seat, value.clone()).unwrap();
        while (40..entries).contains(&desk.entries().len()) && desk.undo(seat).is_ok() {
            desk.answer(seat, value.clone()).unwrap();
        }
    }
    desk.record(true).to_text()
}

const MALLORY: &str = "192.0.2.66";

/// A request from the address of an attacker.
fn hostile(method: &str, path: &str, body: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("x-forwarded-for", MALLORY);
    request.body(Body::from(body.to_owned())).unwrap()
}

/// Sends the same request 590 times at once; a stranger is served before the flood is over.
async fn outlive(site: &Site, method: &str, path: &str, body: &str) {
    let (done, refused) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut flood = tokio::task::JoinSet::new();
    for _ in 0..590 {
        let (got, done, refused) = (site.send_owned(hostile(method, path, body)), done.clone(), refused.clone());
        flood.spawn(async move {
            match got.await.code().as_str() {
                "busy" => refused.fetch_add(1, Relaxed),
                _ => done.fetch_add(1, Relaxed),
            };
        });
    }
    while refused.load(Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
    // A stranger's computer opponent and a stranger's hint do not queue behind the flood.
    let game = site.game(long_game()).await;
    let own = game.advised(&game.tokens[0], "x").await;
    assert!(own.is_some() || game.advised(&game.tokens[1], "x").await.is_some());
    assert!(done.load(Relaxed) < 590 - refused.load(Relaxed), "{path}: the flood was over before others were served");
    flood.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_replays_holds_nobody_else_up() {
    let database = Database::sqlite();
    let site = open(Options { behind_proxy: true, ..database.options() }).await;
    let made = site.send(hostile("POST", "/api/games/import", &long_record(600))).await.ok();
    let id = made["game"].as_str().unwrap().to_owned();
    outlive(&site, "GET", &format!("/api/games/{id}/replay"), "").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn floods_of_records_and_odds_hold_nobody_else_up() {
    let record = long_record(600);
    let odds = json!({ "system": "world-at-war", "procedure": "air-battle", "input": {
        "attackers": [{ "nation": "germany", "count": 1_000 }], "defenders": [{ "nation": "france", "count": 1_000 }],
    } })
    .to_string();
    for (path, body) in [("/api/verify", &record), ("/api/games/import", &record), ("/api/odds", &odds)] {
        let database = Database::sqlite();
        let site = open(Options { behind_proxy: true, ..database.options() }).await;
        outlive(&site, "POST", path, body).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_admirals_do_not_keep_a_greedy_opponent_waiting() {
    let database = Database::sqlite();
    let site = open(Options { behind_proxy: true, ..database.options() }).await;
    let admiral = json!({ "kind": "computer", "player": "admiral" });
    let wish = json!({ "system": SYSTEM, "scenario": "midway-1942", "seats": [admiral, admiral] }).to_string();
    let mut games = Vec::new();
    // Two of each game's players think at once, and no more than a hundred thoughts may wait for one address.
    for _ in 0..40 {
        let made = site.send(hostile("POST", "/api/games", &wish)).await.ok();
        games.push(format!("/api/games/{}", made["game"].as_str().unwrap()));
    }
    let greedy = json!({ "kind": "computer", "player": "greedy" });
    let seats = json!([{ "kind": "human" }, greedy]);
    let wish = json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": seats, "dice": "seeded", "seed": "7" });
    let game = site.game(wish).await;
    let ended = game.play(200).await;
    assert!(ended > 0 && !game.state("").await["situation"]["outcome"].is_null(), "the game was played to its end");
    let mut running = 0;
    for path in &games {
        running += usize::from(site.get(path, "").await.ok()["situation"]["outcome"].is_null());
    }
    assert!(running > 20, "only {running} games of admirals still went on");
}

/// Room for one large record at an address.
fn one_record() -> Limits {
    Limits { bodies: 8 << 20, ..Limits::none() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_bodies_of_one_address_have_their_part_of_the_memory_and_no_more() {
    let database = Database::sqlite();
    let site = open(Options { behind_proxy: true, limits: one_record(), ..database.options() }).await;
    let large = "x".repeat(8 << 20);
    // A body that is still on its way has its room.
    let (first, arriving) = futures_util::future::join(site.send(hostile("POST", "/api/verify", &large)), async {
        let never = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
        let request = Request::post("/api/verify").header("x-forwarded-for", "192.0.2.67").body(never).unwrap();
        let held = tokio::spawn(site.send_owned(request));
        tokio::time::sleep(Duration::from_millis(200)).await;
        let again = Request::post("/api/verify").header("x-forwarded-for", "192.0.2.67");
        let again = site.send(again.body(Body::from(large.clone())).unwrap()).await;
        held.abort();
        again
    })
    .await;
    first.refused(422, "bad-record");
    arriving.refused(503, "busy");
    // It is free again with the reply, and small requests take none.
    site.send(hostile("POST", "/api/verify", &large)).await.refused(422, "bad-record");
    site.game(long_game()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_full_of_answers_taken_back_is_verified() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    let record = long_record(3_000);
    let verdict = site.send(Request::post("/api/verify").body(Body::from(record)).unwrap()).await.ok();
    assert!(verdict["entries"].as_u64().unwrap() >= 3_000, "{verdict}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odds_answer_or_say_what_would_make_them_less_work() {
    let database = Database::sqlite();
    // So little time that a battle of a thousand factors is too much for any machine.
    let site = open(Options { rule_for: Some(Duration::from_millis(200)), ..database.options() }).await;
    let aircraft: Vec<Value> = (0..6)
        .map(|n| {
            json!({ "id": format!("a{n}"), "side": if n % 2 == 0 { "allied" } else { "central" }, "speed": 6,
                "level": 5 })
        })
        .collect();
    let squadrons = |side: &str, kind: Option<&str>| -> Vec<Value> {
        let one = |n| match kind {
            Some(kind) => json!({ "id": format!("{side}{n}"), "kind": kind, "strength": 12, "rl": 4 }),
            None => json!({ "id": format!("{side}{n}"), "strength": 12, "rl": 4 }),
        };
        (0..4).map(one).collect()
    };
    let stance = json!({ "attacker": "instinctive", "defender": "instinctive" });
    let battle = |count: u32| {
        json!({ "system": "world-at-war", "procedure": "air-battle", "input": {
            "attackers": [{ "nation": "germany", "count": count }],
                "defenders": [{ "nation": "france", "count": count }],
        } })
    };
    let requests = [
        battle(1_000),
        json!({ "system": "dogfite", "procedure": "initiative-order", "input": { "aircraft": aircraft } }),
        json!({ "system": "fleet-action", "procedure": "underwater-critical", "input": { "cv": 40, "column": "stern",
            "ship": { "size": 1, "f": 90, "s": 90, "speed": 32, "sv": 3, "fc": 2, "sd": 4, "gm": 1, "dc": 3 } } }),
        json!({ "system": "carrier-strike", "procedure": "dogfight", "input": {
            "attackers": squadrons("b", None), "defenders": squadrons("r", Some("fighter")),
            "stances": { "step_1": stance, "step_2": stance, "step_5": stance } } }),
    ];
    for (at, request) in requests.into_iter().enumerate() {
        let got = site.post("/api/odds", "", request.clone()).await;
        if got.status != 200 {
            assert!(["too-much-work", "out-of-range"].contains(&got.code().as_str()), "{request}: {}", got.text);
        }
        if at == 0 {
            let remedy = got.refused(422, "too-much-work")["error"]["remedy"].as_str().unwrap().to_owned();
            assert!(remedy.contains("count (1000)"), "{remedy}");
        }
    }
    site.post("/api/odds", "", battle(5)).await.ok();
}

/// Every number as large as its schema allows, every list as long.
fn largest(schema: &Value, whole: &Value, deep: usize) -> Value {
    let schema = match schema["$ref"].as_str().and_then(|path| path.strip_prefix('#')) {
        Some(path) => whole.pointer(path).unwrap_or(&Value::Null),
        None => schema,
    };
    if let Some(options) = schema["enum"].as_array() {
        return options.last().cloned().unwrap_or_default();
    }
    if !schema["const"].is_null() {
        return schema["const"].clone();
    }
    if let Some(ways) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return ways.last().map_or(Value::Null, |way| largest(way, whole, deep));
    }
    match schema["type"].as_str() {
        Some("object") if deep > 0 => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            fields
                .map(|(name, field)| (name.clone(), largest(field, whole, deep - 1)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        Some("array") if deep > 0 => {
            let length = schema["maxItems"].as_u64().unwrap_or(8).min(60);
            (0..length).map(|_| largest(&schema["items"], whole, deep - 1)).collect()
        }
        Some("integer" | "number") => schema["maximum"].as_i64().map_or(json!(99), Value::from),
        Some("boolean") => json!(true),
        Some("string") => json!("x"),
        _ => Value::Null,
    }
}

/// An example with every number and list replaced by the largest the schema allows, one field at a time.
fn exploded(example: &Value, schema: &Value) -> Vec<Value> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields
        .map(|(name, field)| {
            let mut input = example.clone();
            input[name] = match (&example[name], largest(field, schema, 6)) {
                // Items of a list stay legal if they are copies of those of the example.
                (Value::Array(items), Value::Array(most)) if !items.is_empty() => {
                    (0..most.len()).map(|at| numbered(&items[at % items.len()], at)).collect()
                }
                (_, largest) => largest,
            };
            input
        })
        .collect()
}

/// A copy of an item with an id of its own.
fn numbered(item: &Value, at: usize) -> Value {
    let mut item = item.clone();
    if item["id"].is_string() {
        item["id"] = json!(format!("n{at}"));
    }
    item
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_largest_request_of_every_procedure_is_answered_or_refused() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    let mut asked = 0;
    let mut longest = Vec::new();
    for brief in site.get("/api/systems", "").await.ok().as_array().unwrap() {
        let id = brief["id"].as_str().unwrap();
        let system = site.get(&format!("/api/systems/{id}"), "").await.ok();
        let catalog = Catalog::built_in();
        for about in catalog.system(id).unwrap().procedures().iter().map(|procedure| procedure.about()) {
            let examples = system["examples"].as_array().unwrap().iter();
            let examples: Vec<_> = examples.filter(|example| example["procedure"] == about.name).collect();
            assert!(!examples.is_empty(), "{id} {}: there is no example to start from", about.name);
            let schema = about.input.json_schema();
            let whole = [largest(&schema, &schema, 6)];
            let changed = examples.iter().flat_map(|example| exploded(&example["input"], &schema)).chain(whole);
            for input in changed {
                let request = json!({ "system": id, "procedure": about.name, "input": input });
                let since = std::time::Instant::now();
                let got = site.post("/api/odds", "", request).await;
                longest.push((since.elapsed(), format!("{id} {}: {}", about.name, got.status)));
                assert!(got.status == 200 || got.status == 422, "{id} {}: {}", about.name, got.text);
                if got.status != 200 && got.code() == "too-much-work" {
                    assert!(got.json()["error"]["remedy"].is_string(), "{id} {}: {}", about.name, got.text);
                }
                asked += 1;
            }
        }
    }
    assert!(asked > 100, "{asked}");
    longest.sort();
    println!("{asked} requests; the longest: {:?}", longest.iter().rev().take(5).collect::<Vec<_>>());
}

async fn say(game: &Game, text: &str) -> Value {
    game.site.post(&game.path("/chat"), &game.tokens[0], json!({ "text": text })).await.ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chat_goes_out_once() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    let game = site.duel().await;
    say(&game, "first").await;
    let mut stream = Stream::open(&site, &game.path(&format!("/events?token={}", game.tokens[0])), None).await;
    let first = stream.next().await;
    assert_eq!((&first.data["chat_after"], first.data["chat"].as_array().unwrap().len()), (&json!(0), 1));
    assert_eq!(say(&game, "second").await["chat"], json!([]), "a reply brings no chat");
    assert_eq!(stream.next().await.data["text"], "second");
    game.play(1).await;
    let state = loop {
        let event = stream.next().await;
        if event.name == "state" {
            break event.data;
        }
    };
    assert_eq!((&state["chat_after"], &state["chat"]), (&json!(2), &json!([])), "a state brings only what is new");
    assert_eq!(game.state(&game.tokens[0]).await["chat"].as_array().unwrap().len(), 2, "the game's address has all");
}

#[tokio::test]
async fn an_import_with_a_text_or_list_beyond_all_measure_is_refused() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    let record = long_record(10).replacen("Ann", &"A".repeat(5_000), 1);
    let request = Request::post("/api/games/import").body(Body::from(record)).unwrap();
    // The chain of hashes is checked first; it is not what a stranger could not forge.
    assert_eq!(site.send(request).await.status, 422);
    let catalog = Catalog::built_in();
    let seats = vec!["A".repeat(5_000), "Bob".to_owned()];
    let desk = Desk::open(&catalog, SYSTEM, SCENARIO, Value::Null, seats, DiceSource::Seeded(1)).unwrap();
    let request = Request::post("/api/games/import").body(Body::from(desk.record(true).to_text())).unwrap();
    site.send(request).await.refused(422, "too-long");
}

#[tokio::test]
async fn quotas_hold_by_address_and_by_account_and_deleting_makes_room() {
    let database = Database::sqlite();
    let site =
        open(Options { quota: Quota { games: 2, bytes: i64::MAX }, behind_proxy: true, ..database.options() }).await;
    let wish = json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }, { "kind": "human" }] });
    let made = site.post("/api/account", "", json!({ "name": "Ann", "password": "correct horse battery" })).await;
    let cookie = made.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let create = |from: &str, cookie: Option<&str>| {
        let mut request = Request::post("/api/games").header("x-forwarded-for", from).header("x-flagplot", "1");
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie);
        }
        site.send_owned(request.body(Body::from(wish.to_string())).unwrap())
    };
    let first = create("192.0.2.1", None).await.ok();
    create("192.0.2.1", None).await.ok();
    create("192.0.2.1", None).await.refused(422, "quota");
    create("192.0.2.2", Some(&cookie)).await.ok();
    create("192.0.2.3", Some(&cookie)).await.ok();
    create("192.0.2.4", Some(&cookie)).await.refused(422, "quota");
    let (path, token) =
        (format!("/api/games/{}", first["game"].as_str().unwrap()), first["seats"][0]["token"].as_str().unwrap());
    assert_eq!(site.ask("DELETE", &path, token, Value::Null).await.status, 204);
    site.get(&path, token).await.refused(404, "unknown-game");
    create("192.0.2.1", None).await.ok();
}

#[tokio::test]
async fn the_bytes_of_games_count() {
    let database = Database::sqlite();
    let site = open(Options { quota: Quota { games: 100, bytes: 1_000 }, ..database.options() }).await;
    let game = site.duel().await;
    say(&game, &"x".repeat(999)).await;
    let wish = json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }, { "kind": "human" }] });
    site.post("/api/games", "", wish).await.refused(422, "quota");
}

#[tokio::test]
async fn only_the_maker_deletes_a_game_and_not_under_another_players_hands() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    let game = site.duel().await;
    let delete = async |token: &str| site.ask("DELETE", &game.path(""), token, Value::Null).await;
    delete("").await.refused(403, "not-a-player");
    delete(&game.tokens[1]).await.refused(403, "not-the-maker");
    delete(&game.tokens[0]).await.refused(409, "not-over");
    site.post(&game.path("/resign"), &game.tokens[0], Value::Null).await.ok();
    assert_eq!(delete(&game.tokens[0]).await.status, 204);
    site.get(&game.path(""), &game.tokens[1]).await.refused(404, "unknown-game");
}

#[tokio::test]
async fn games_without_changes_are_forgotten_by_policy() {
    let database = Database::sqlite();
    let keeping = open(database.options()).await;
    let game = keeping.duel().await;
    keeping.1.delete_expired().await;
    keeping.get(&game.path(""), "").await.ok();
    // One that keeps nothing would delete a game while it is being made.
    let forgetful = open(Options { keep_days: Some(0), ..database.options() }).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    forgetful.1.delete_expired().await;
    forgetful.get(&game.path(""), "").await.refused(404, "unknown-game");
}

/// A server on a real socket, for as long as the test runs.
async fn listening(options: Options) -> std::net::SocketAddr {
    let network = options.network;
    let state = flagplot_server::state(options).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(flagplot_server::serve_on(listener, state, network, std::future::pending()));
    address
}

async fn reply(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_requests_end_and_one_address_has_only_so_many_connections() {
    let database = Database::sqlite();
    let network = Network { connections: 100, per_address: 5, slow: Duration::from_millis(300) };
    let address = listening(Options { network, ..database.options() }).await;
    let mut halves = Vec::new();
    for half in
        ["GET / HTTP/1.1\r\nHost: half", "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"]
    {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        halves.push(stream);
    }
    for _ in 0..3 {
        halves.push(TcpStream::connect(address).await.unwrap());
    }
    let mut beyond = TcpStream::connect(address).await.unwrap();
    assert_eq!(reply(&mut beyond).await, "", "the sixth is closed at once");
    assert_eq!(reply(&mut halves[0]).await.lines().next().unwrap_or_default(), "");
    assert!(reply(&mut halves[1]).await.starts_with("HTTP/1.1 408"), "a body that does not come");
    for stream in &mut halves[2..] {
        reply(stream).await;
    }
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
    assert!(reply(&mut stream).await.starts_with("HTTP/1.1 200"), "there is room again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_refuses_all_who_wait_and_is_not_ready() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    let game = site.duel().await;
    let other = rusqlite::Connection::open(&database.address).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let ready = site.get("/readyz", "").await;
    assert_eq!((ready.status.as_u16(), site.get("/healthz", "").await.status.as_u16()), (503, 200));
    // Twenty who wait are refused together, and not one after the other.
    let mut waiting = tokio::task::JoinSet::new();
    for n in 0..20 {
        let token = game.tokens[n % 2].clone();
        let put = site.clone();
        let path = game.path("/notes");
        waiting.spawn(async move { put.ask("PUT", &path, &token, json!({ "text": "n" })).await.code() });
    }
    let refused = tokio::time::timeout(Duration::from_secs(60), waiting.join_all()).await.expect("nobody hangs");
    assert_eq!(refused, vec!["storage"; 20]);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(site.get("/readyz", "").await.text, "ok\n");
}

#[tokio::test]
async fn an_address_that_is_no_text_is_a_bad_request() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    for path in ["/api/games/%ff", "/api/games/%ff/events", "/api/systems/%ff"] {
        site.get(path, "").await.refused(400, "bad-path");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_operator_reads_the_database() {
    use std::os::unix::fs::PermissionsExt;
    let database = Database::sqlite();
    let site = open(database.options()).await;
    site.duel().await;
    let _alone = flagplot_server::store::alone(&database.address).unwrap();
    let folder = std::path::Path::new(&database.address).parent().unwrap();
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.path());
    }
}

#[test]
fn a_server_that_was_killed_goes_on_with_its_time() {
    if crate::common::process::is_server() {
        return;
    }
    let database = Database::sqlite();
    let mut server = Server::start(&database.address);
    let wish = json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }, { "kind": "human" }],
        "own": [0, 1], "dice": "seeded", "clock": { "kind": "per-move", "seconds": 4, "on_timeout": "lose" } });
    let (_, made) = ask(server.address, "POST", "/api/games", "", &wish).unwrap();
    let path = format!("/api/games/{}", made["game"].as_str().unwrap());
    server.kill();
    std::thread::sleep(Duration::from_secs(6));
    let server = Server::start(&database.address);
    let (_, state) = ask(server.address, "GET", &path, "", &Value::Null).unwrap();
    assert!(state["situation"]["outcome"].is_null(), "the clock ran while no server did");
    // It goes on from there.
    for _ in 0..200 {
        let (_, state) = ask(server.address, "GET", &path, "", &Value::Null).unwrap();
        if !state["situation"]["outcome"].is_null() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the clock stands still");
}
