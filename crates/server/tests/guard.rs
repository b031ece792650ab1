//! What keeps secrets secret and the server standing.

mod common;

use axum::body::Body;
use axum::http::Request;
use common::{Database, Game, SCENARIO, SYSTEM, Site};
use flagplot_server::{Limit, Limits, Options};
use serde_json::{Value, json};

/// Every byte that goes to somebody other than `seat`: states, replays, exports, refusals, hints, explanations.
async fn bytes_for_others(game: &Game, seat: usize) -> String {
    let other = &game.tokens[1 - seat];
    let mut all = String::new();
    for token in [other.as_str(), ""] {
        for path in ["", "/replay", "/replay?at=1", "/replay?at=1&as=0", "/replay?at=1&as=1", "/replay?as=all", "/replay?as=spectator", "/export"] {
            all.push_str(&game.site.get(&game.path(path), token).await.text);
        }
        for (path, body) in [
            ("/explain", json!({})),
            ("/hint", json!({})),
            ("/preview", json!({ "value": 1 })),
            ("/analysis", json!({})),
            ("/undo", Value::Null),
            ("/answer", json!({ "id": "spy", "at": 999, "value": 1 })),
            ("/answer", json!({ "id": "spy", "at": 0, "value": 1 })),
        ] {
            all.push_str(&game.site.post(&game.path(path), token, body).await.text);
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sealed_answer_a_token_or_the_secret_of_the_dice_reaches_nobody() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    // The same game twice, up to a sealed answer that differs: nobody else can tell the two apart.
    let wish = common::long_game();
    let games = [site.game(wish.clone()).await, site.game(wish).await];
    let mut compared = 0;
    for round in 0..60 {
        let states = [games[0].state(&games[0].tokens[0]).await, games[1].state(&games[1].tokens[0]).await];
        if !states[0]["situation"]["outcome"].is_null() {
            break;
        }
        let open = |token: usize| {
            let game = &games[0];
            let token = game.tokens[token].clone();
            async move { game.state(&token).await["situation"]["question"].clone() }
        };
        let (first, second) = (open(0).await, open(1).await);
        let secret = states[0]["situation"]["waiting"]["secret"] == json!(true);
        let options = first["options"].as_array().cloned().unwrap_or_default();
        if secret && options.len() > 1 && !second.is_null() {
            for (game, option) in games.iter().zip([&options[0], &options[1]]) {
                let body = json!({ "id": format!("s{round}"), "at": states[0]["situation"]["at"], "value": option["value"] });
                site.post(&game.path("/answer"), &game.tokens[0], body).await.ok();
            }
            let blind = |text: String, game: &Game| {
                let text = text.replace(&game.id, "GAME");
                // Times of creation and advice drawn by chance differ by themselves.
                let mut lines = String::new();
                for part in text.split("\"created\":") {
                    lines.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
                }
                lines
            };
            let one = blind(bytes_without_hints(&games[0]).await, &games[0]);
            let two = blind(bytes_without_hints(&games[1]).await, &games[1]);
            assert_eq!(one, two, "somebody can tell the sealed answers apart");
            compared += 1;
            // Take the answers back, so that both games stay the same.
            for game in &games {
                site.post(&game.path("/undo"), &game.tokens[0], Value::Null).await.ok();
            }
        }
        for token in 0..2 {
            if let Some(mut body) = games[0].advised(&games[0].tokens[token], &format!("r{round}-{token}")).await {
                for game in &games {
                    body["at"] = game.state(&game.tokens[token]).await["situation"]["at"].clone();
                    site.post(&game.path("/answer"), &game.tokens[token], body.clone()).await.ok();
                }
                // One at a time: the next question may be a secret one.
                break;
            }
        }
    }
    assert!(compared > 0, "no sealed answer was met");

    let mut wish = common::long_game();
    wish["dice"] = json!("fair");
    wish["seed"] = Value::Null;
    let fair = site.game(wish).await;
    let secret = stored_secret(&database, &fair.id);
    for _ in 0..10 {
        fair.play(1).await;
        assert!(fair.state("").await["situation"]["outcome"].is_null(), "a finished game reveals its secrets, and tests nothing here");
        for seat in 0..2 {
            let all = bytes_for_others(&fair, seat).await;
            assert!(!all.contains(&fair.tokens[seat]), "a token got out");
            assert!(!all.contains(&secret), "the secret of the dice got out");
        }
    }
}

async fn bytes_without_hints(game: &Game) -> String {
    let mut all = String::new();
    for token in [game.tokens[1].as_str(), ""] {
        for path in ["", "/replay", "/replay?as=0", "/replay?as=all", "/replay?as=spectator", "/export"] {
            all.push_str(&game.site.get(&game.path(path), token).await.text);
        }
        for (path, body) in [
            ("/explain", json!({})),
            ("/preview", json!({ "value": 1 })),
            ("/analysis", json!({})),
            ("/undo", Value::Null),
            ("/answer", json!({ "id": "spy", "at": 999, "value": 1 })),
            ("/answer", json!({ "id": "spy", "at": 0, "value": 1 })),
        ] {
            all.push_str(&game.site.post(&game.path(path), token, body).await.text);
        }
    }
    all
}

fn stored_secret(database: &Database, game: &str) -> String {
    let connection = rusqlite::Connection::open(&database.address).unwrap();
    connection.query_row("SELECT secret FROM games WHERE id = ?1", [game], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn no_token_and_no_password_is_kept_as_it_is() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let game = site.duel().await;
    let made = site.post("/api/account", "", json!({ "name": "Ann", "password": "correct horse battery" })).await;
    let cookie = made.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap().1.to_owned();
    let folder = std::path::Path::new(&database.address).parent().unwrap();
    let mut bytes = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        bytes.extend(std::fs::read(file.unwrap().path()).unwrap());
    }
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has(&game.id), "the test looks at the wrong file");
    for secret in [game.tokens[0].as_str(), game.tokens[1].as_str(), "correct horse battery", &cookie] {
        assert!(!has(secret));
    }
}

#[tokio::test]
async fn every_response_has_the_headers_and_no_path_leads_outside() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    for path in ["/", "/api/systems", "/api/none", "/healthz", "/metrics", "/../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd"] {
        let got = site.get(path, "").await;
        let policy = got.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(got.headers["x-content-type-options"], "nosniff");
        assert_eq!(got.headers["x-frame-options"], "DENY");
        assert_eq!(got.headers["referrer-policy"], "no-referrer");
        assert!(!got.text.contains("root:"));
    }
    assert_eq!(site.get("/api/systems", "").await.headers["cache-control"], "no-store");
    assert_eq!(site.get("/healthz", "").await.text, "ok\n");
    assert!(site.get("/metrics", "").await.text.contains("flagplot_requests_total{status=\"2xx\"}"));
}

#[tokio::test]
async fn limits_hold() {
    let database = Database::sqlite();
    let limits = Limits { login: Limit { burst: 2, per_minute: 1 }, create: Limit { burst: 1, per_minute: 1 }, ..Limits::default() };
    let state = flagplot_server::state(Options { limits, ..database.options() }).await.unwrap();
    let site = Site(flagplot_server::app(state.clone()), state);
    let login = json!({ "name": "ann", "password": "wrong horse" });
    for _ in 0..2 {
        site.post("/api/session", "", login.clone()).await.refused(401, "wrong-password");
    }
    let late = site.post("/api/session", "", login).await;
    assert!(late.headers.contains_key("retry-after"));
    late.refused(429, "too-many-requests");
    site.duel().await;
    let wish = json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }, { "kind": "human" }] });
    site.post("/api/games", "", wish).await.refused(429, "too-many-requests");
    let long = Request::post("/api/games").body(Body::from(vec![b' '; 70_000])).unwrap();
    site.send(long).await.refused(413, "too-long");
}

#[tokio::test]
async fn bad_wishes_are_refused_by_name() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let two = json!([{ "kind": "human" }, { "kind": "human" }]);
    for (wish, status, code) in [
        (json!({ "system": "none", "scenario": SCENARIO, "seats": two }), 404, "unknown-system"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }] }), 422, "wrong-seats"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }, { "kind": "computer", "player": "none" }] }), 422, "unknown-player"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human", "player": "greedy" }, { "kind": "human" }] }), 422, "player-not-wanted"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human", "name": "a\nb" }, { "kind": "human" }] }), 422, "bad-name"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "dice": "seeded", "seed": "x" }), 422, "bad-seed"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "seed": "1" }), 422, "seed-not-wanted"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "clock": { "kind": "per-move", "seconds": 0, "on_timeout": "lose" } }), 422, "bad-clock"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "webhook": { "url": "file:///etc/passwd" } }), 422, "bad-webhook"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "colour": "red" }), 400, "bad-body"),
        (json!([1]), 400, "bad-body"),
    ] {
        site.post("/api/games", "", wish).await.refused(status, code);
    }
    site.send(Request::post("/api/games").body(Body::from("{")).unwrap()).await.refused(400, "bad-json");
    for (path, text, code) in
        [("/api/verify", "", "bad-record"), ("/api/games/import", "{}\n", "bad-record"), ("/api/adjudicate", "[]", "bad-type"), ("/api/odds", "x", "bad-json")]
    {
        site.send(Request::post(path).body(Body::from(text)).unwrap()).await.refused(422, code);
    }
}

#[tokio::test]
async fn the_referee_rules_and_gives_odds() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let systems = site.get("/api/systems", "").await.ok();
    for brief in systems.as_array().unwrap() {
        let id = brief["id"].as_str().unwrap();
        let system = site.get(&format!("/api/systems/{id}"), "").await.ok();
        assert!(!system["rules"].as_array().unwrap().is_empty());
        assert!(system["procedures"].as_array().unwrap().iter().all(|procedure| !procedure["input"].is_null()));
        assert!(site.get(&format!("/api/systems/{id}/rules"), "").await.ok()["markdown"].is_string());
    }
    let players = site.get("/api/players", "").await.ok();
    assert!(players.as_array().unwrap().iter().any(|player| player["id"] == "greedy"));
    // Some vectors of a system, asked over the wire.
    let vectors: Vec<Value> = serde_json::from_str(include_str!("../../systems/schiffskrieg/tests/vectors.json")).unwrap();
    let mut compared = 0;
    for vector in vectors.iter().filter(|vector| vector["dice"].is_array() && vector["expect"].is_object()).take(20) {
        let request = json!({ "system": SYSTEM, "procedure": vector["procedure"], "input": vector["input"], "dice": vector["dice"] });
        let ruling = site.post("/api/adjudicate", "", request).await.ok();
        for (field, expected) in vector["expect"].as_object().unwrap().iter().filter(|(field, _)| !field.contains('.')) {
            assert_eq!(&ruling["result"][field], expected, "{}: {field}", vector["id"]);
            compared += 1;
        }
    }
    assert!(compared > 0);
    let request = json!({ "system": SYSTEM, "procedure": vectors[0]["procedure"], "input": vectors[0]["input"] });
    let odds = site.post("/api/odds", "", request).await.ok();
    assert!(odds["odds"].as_object().is_some_and(|fields| !fields.is_empty()), "{odds}");
}

#[tokio::test]
async fn every_request_is_in_the_openapi_document() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let document = site.get("/api/openapi.json", "").await.ok();
    let paths = document["paths"].as_object().unwrap();
    for (path, methods) in paths {
        for method in methods.as_object().unwrap().keys() {
            let got = site.ask(&method.to_uppercase(), &path.replace("{id}", "none"), "", Value::Null).await;
            assert_ne!(got.status, 405, "{method} {path}");
            assert!(!got.text.contains("unknown-path"), "{method} {path}");
        }
    }
    // And the other way round: what the router's source lists is described.
    let source = include_str!("../src/lib.rs");
    for line in source.lines().filter_map(|line| line.trim().strip_prefix(".route(\"")) {
        let path = line.split('"').next().unwrap();
        assert!(paths.contains_key(path) || paths.contains_key(&format!("/api{path}")), "{path} is not described");
    }
    let text = document.to_string();
    for name in text.split("#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(!document["components"]["schemas"][name].is_null(), "{name} is not described");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_is_told_once_of_a_turn_that_waits_and_never_a_secret() {
    use std::io::{Read, Write};
    let database = Database::sqlite();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (told, hear) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = String::new();
            let mut buffer = [0; 4096];
            while !request.ends_with('}') {
                let read = stream.read(&mut buffer).unwrap();
                request.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
            }
            stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").unwrap();
            told.send(request).unwrap();
        }
    });
    let options = |private| Options {
        private_webhooks: private,
        notify_after: Some(std::time::Duration::from_millis(50)),
        public_address: Some("http://flagplot.example".into()),
        ..database.options()
    };
    for (private, form) in [(true, "discord"), (true, "json"), (false, "json")] {
        let state = flagplot_server::state(options(private)).await.unwrap();
        let site = Site(flagplot_server::app(state.clone()), state);
        let mut wish = common::long_game();
        wish["webhook"] = json!({ "url": format!("http://{address}/hook"), "form": form });
        let game = site.game(wish).await;
        game.play(1).await;
        let heard = hear.recv_timeout(std::time::Duration::from_secs(if private { 20 } else { 1 }));
        // An address of this machine is refused unless the operator allows it.
        assert_eq!(heard.is_ok(), private, "{heard:?}");
        while let Ok(request) = hear.recv_timeout(std::time::Duration::from_millis(500)) {
            assert!(private, "{request}");
        }
        if let Ok(request) = heard {
            assert!(request.contains(&format!("http://flagplot.example/#/game/{}", game.id)), "{request}");
            assert!(game.tokens.iter().all(|token| !request.contains(token)), "{request}");
            assert_eq!(request.contains("\"content\""), form == "discord");
        }
    }
}
