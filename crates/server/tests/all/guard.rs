//! What keeps secrets secret and the server standing.
use crate::common::{Database, SCENARIO, SYSTEM, Site};
use axum::body::Body;
use axum::http::Request;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagplot_server::{Limit, Limits, Options};
use serde_json::{Value, json};

#[tokio::test]
async fn no_token_and_no_password_is_kept_as_it_is() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let game = site.duel().await;
    let invited = site.post("/api/games", "", crate::common::long_game()).await.ok();
    let invitation = invited["seats"][1]["invitation"].as_str().unwrap();
    let made = site.post("/api/account", "", json!({ "name": "Ann", "password": "correct horse battery" })).await;
    let cookie =
        made.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap().1.to_owned();
    let folder = std::path::Path::new(&database.address).parent().unwrap();
    let mut bytes = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        bytes.extend(std::fs::read(file.unwrap().path()).unwrap());
    }
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has(&game.id), "the test looks at the wrong file");
    for secret in [invitation, game.tokens[0].as_str(), game.tokens[1].as_str(), "correct horse battery", &cookie] {
        assert!(!has(secret));
    }
}

#[tokio::test]
async fn a_wrong_name_costs_as_much_as_a_wrong_password_and_is_answered_alike() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    site.post("/api/account", "", json!({ "name": "Ann", "password": "correct horse battery" })).await.ok();
    let mut replies = Vec::new();
    for name in ["Ann", "Nobody"] {
        let before = site.1.metrics.passwords.get();
        let reply = site.post("/api/session", "", json!({ "name": name, "password": "a guess, and wrong" })).await;
        assert_eq!(site.1.metrics.passwords.get() - before, 1, "{name}: no password was hashed");
        replies.push((reply.status, reply.text));
    }
    assert_eq!(replies[0], replies[1]);
}

#[tokio::test]
async fn the_address_of_a_game_cannot_be_guessed() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let mut bits = [0; 96];
    for _ in 0..40 {
        let game = site.post("/api/games", "", crate::common::long_game()).await.ok();
        let id = URL_SAFE_NO_PAD.decode(game["game"].as_str().unwrap()).unwrap();
        assert_eq!(id.len() * 8, bits.len());
        for (at, ones) in bits.iter_mut().enumerate() {
            *ones += id[at / 8] >> (at % 8) & 1;
        }
    }
    // A fair bit is the same forty times in a row once in half a million million tries.
    assert!(bits.iter().all(|ones| (1..40).contains(ones)), "a bit does not change: {bits:?}");
}

#[tokio::test]
async fn the_operator_reads_the_secret_of_the_dice_and_a_hash_of_the_address() {
    let database = Database::sqlite();
    let state = flagplot_server::state(Options { behind_proxy: true, ..database.options() }).await.unwrap();
    let site = Site(flagplot_server::app(state.clone()), state);
    let request = Request::post("/api/games").header("x-forwarded-for", "192.0.2.77");
    // Seeded dice have no secret.
    let mut wish = crate::common::long_game();
    wish["dice"] = json!("fair");
    wish.as_object_mut().unwrap().remove("seed");
    let made = site.send(request.body(Body::from(wish.to_string())).unwrap()).await.ok();
    let id = made["game"].as_str().unwrap();
    let (path, token) = (format!("/api/games/{id}"), made["seats"][0]["token"].as_str().unwrap());
    site.ask("PUT", &format!("{path}/notes"), token, json!({ "text": "They bluff." })).await;
    site.post(&format!("{path}/chat"), token, json!({ "text": "Good luck!" })).await.ok();
    let file = rusqlite::Connection::open(&database.address).unwrap();
    let (secret, address): (String, String) = file
        .query_row("SELECT secret, maker_address FROM games WHERE id = ?1", [id], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    assert!(!secret.is_empty());
    assert!(!address.is_empty() && !address.contains("192.0.2"));
    let text = |query: &str| file.query_row(query, [id], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("SELECT notes FROM seats WHERE game = ?1 AND seat = 0"), "They bluff.");
    assert_eq!(text("SELECT text FROM chat WHERE game = ?1"), "Good luck!");
}

#[tokio::test]
async fn every_response_has_the_headers_and_no_path_leads_outside() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    for path in [
        "/",
        "/api/systems",
        "/api/none",
        "/healthz",
        "/metrics",
        "/../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
    ] {
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
    assert_eq!(site.get("/readyz", "").await.text, "ok\n");
    assert!(site.get("/metrics", "").await.text.contains("flagplot_requests_total{status=\"2xx\"}"));
}

#[tokio::test]
async fn limits_hold() {
    let database = Database::sqlite();
    let limits = Limits {
        login: Limit { burst: 2, per_minute: 1 },
        create: Limit { burst: 1, per_minute: 1 },
        ..Limits::default()
    };
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
async fn limits_hold_for_accounts_and_streams() {
    let database = Database::sqlite();
    let limits = Limits { heavy: Limit { burst: 2, per_minute: 1 }, streams: 1, ..Limits::default() };
    let state = flagplot_server::state(Options { limits, behind_proxy: true, ..database.options() }).await.unwrap();
    let site = Site(flagplot_server::app(state.clone()), state);
    let made = site.post("/api/account", "", json!({ "name": "Ann", "password": "correct horse battery" })).await;
    let cookie = made.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    // Another address each time does not help.
    let mut codes = Vec::new();
    for n in 1..=3 {
        let request = Request::post("/api/verify")
            .header("cookie", &cookie)
            .header("x-flagplot", "1")
            .header("x-forwarded-for", format!("192.0.2.{n}"));
        codes.push(site.send(request.body(Body::empty()).unwrap()).await.code());
    }
    assert_eq!(codes, ["bad-record", "bad-record", "too-many-requests"]);
    let game = site.duel().await;
    let stream = crate::common::stream::Stream::open(&site, &game.path("/events"), None).await;
    site.get(&game.path("/events"), "").await.refused(429, "too-many-streams");
    drop(stream);
    drop(crate::common::stream::Stream::open(&site, &game.path("/events"), None).await);
}

#[tokio::test]
async fn what_a_page_of_another_site_sends_is_refused() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let login = || Body::from(json!({ "name": "mallory", "password": "correct horse battery" }).to_string());
    // A form can be sent without a script's headers, and brings somebody into an account that is not theirs.
    let form = Request::post("/api/account")
        .header("origin", "https://elsewhere.example")
        .header("content-type", "text/plain");
    site.send(form.body(login()).unwrap()).await.refused(403, "forged");
    let page = Request::post("/api/account").header("origin", "http://flagplot.example").header("x-flagplot", "1");
    assert_eq!(site.send(page.body(login()).unwrap()).await.status, 201);
}

#[tokio::test]
async fn what_an_operator_gets_wrong_is_said() {
    let database = Database::sqlite();
    let refused = async |options: Options| match flagplot_server::state(options).await {
        Ok(_) => panic!("it was opened"),
        Err(error) => error.to_string(),
    };
    for address in ["flagplot.example", "ftp://flagplot.example", "https://", "https://a b"] {
        let text = refused(Options { public_address: Some(address.into()), ..database.options() }).await;
        assert!(text.contains("https://"), "{text}");
    }
    for (address, why) in [
        ("mysql://ann:hunter2@db.example/x", "mysql://"),
        ("", "empty"),
        ("postgres://ann:hunter2@127.0.0.1:1/x", "refused"),
    ] {
        let text = refused(Options::new(address)).await;
        assert!(text.contains(why) && !text.contains("hunter2"), "{text}");
    }
    let folder = std::path::Path::new(&database.address).parent().unwrap();
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(&database.address, "no database, but long enough to look like something").unwrap();
    assert!(refused(database.options()).await.contains(&database.address));
    // One file, one server.
    let first = flagplot_server::store::alone(&database.address).unwrap();
    assert!(flagplot_server::store::alone(&database.address).unwrap_err().to_string().contains("another server"));
    drop(first);
    assert!(flagplot_server::store::alone(&database.address).is_ok());
}

#[tokio::test]
async fn bad_wishes_are_refused_by_name() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let two = json!([{ "kind": "human" }, { "kind": "human" }]);
    for (wish, status, code) in [
        (json!({ "system": "none", "scenario": SCENARIO, "seats": two }), 404, "unknown-system"),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" }] }), 422, "wrong-seats"),
        (
            json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human" },
                { "kind": "computer", "player": "none" }] }),
            422,
            "unknown-player",
        ),
        (
            json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human", "player": "greedy" },
                { "kind": "human" }] }),
            422,
            "player-not-wanted",
        ),
        (
            json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": [{ "kind": "human", "name": "a\nb" },
                { "kind": "human" }] }),
            422,
            "bad-name",
        ),
        (
            json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "dice": "seeded", "seed": "x" }),
            422,
            "bad-seed",
        ),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "seed": "1" }), 422, "seed-not-wanted"),
        (
            json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two,
                "clock": { "kind": "per-move", "seconds": 0, "on_timeout": "lose" } }),
            422,
            "bad-clock",
        ),
        (
            json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "webhook": { "url": "file:///etc/passwd" } }),
            422,
            "bad-webhook",
        ),
        (json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": two, "colour": "red" }), 400, "bad-body"),
        (json!([1]), 400, "bad-body"),
    ] {
        site.post("/api/games", "", wish).await.refused(status, code);
    }
    site.send(Request::post("/api/games").body(Body::from("{")).unwrap()).await.refused(400, "bad-json");
    for (path, text, code) in [
        ("/api/verify", "", "bad-record"),
        ("/api/games/import", "{}\n", "bad-record"),
        ("/api/adjudicate", "[]", "bad-type"),
        ("/api/adjudicate", r#"{"system": "none", "procedure": "attack", "input": {}}"#, "unknown-system"),
        ("/api/odds", "x", "bad-json"),
    ] {
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
    let vectors: Vec<Value> =
        serde_json::from_str(include_str!("../../../systems/schiffskrieg/tests/vectors.json")).unwrap();
    let mut compared = 0;
    for vector in vectors.iter().filter(|vector| vector["dice"].is_array() && vector["expect"].is_object()).take(20) {
        let request = json!({ "system": SYSTEM, "procedure": vector["procedure"], "input": vector["input"],
            "dice": vector["dice"] });
        let ruling = site.post("/api/adjudicate", "", request).await.ok();
        for (field, expected) in vector["expect"].as_object().unwrap().iter().filter(|(field, _)| !field.contains('.'))
        {
            assert_eq!(&ruling["result"][field], expected, "{}: {field}", vector["id"]);
            compared += 1;
        }
    }
    assert!(compared > 0);
    let request = json!({ "system": SYSTEM, "procedure": vectors[0]["procedure"], "input": vectors[0]["input"] });
    let odds = site.post("/api/odds", "", request).await.ok();
    assert!(odds["odds"].as_object().is_some_and(|fields| !fields.is_empty()), "{odds}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_is_told_of_a_turn_that_waits_and_never_a_secret() {
    for (private, form) in [(true, "discord"), (true, "json"), (false, "json")] {
        let database = Database::sqlite();
        let (address, heard) = crate::common::listener();
        let options = Options {
            private_webhooks: private,
            notify_after: Some(std::time::Duration::from_millis(50)),
            public_address: Some("http://flagplot.example".into()),
            ..database.options()
        };
        let state = flagplot_server::state(options).await.unwrap();
        let site = Site(flagplot_server::app(state.clone()), state);
        let mut wish = crate::common::long_game();
        wish["webhook"] = json!({ "url": format!("http://{address}/hook"), "form": form });
        let game = site.game(wish).await;
        game.play(1).await;
        for _ in 0..if private { 400 } else { 40 } {
            if !heard.lock().unwrap().is_empty() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let heard = std::mem::take(&mut *heard.lock().unwrap());
        // An address of this machine is refused unless the operator allows it.
        assert_eq!(!heard.is_empty(), private, "{heard:?}");
        for request in heard {
            assert!(request.contains(&format!("http://flagplot.example/#/game/{}", game.id)), "{request}");
            assert!(game.tokens.iter().all(|token| !request.contains(token)), "{request}");
            assert_eq!(request.contains("\"content\""), form == "discord");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_servers_one_tells_and_an_answer_that_is_sealed_tells_nobody_again() {
    let database = Database::sqlite();
    let (address, heard) = crate::common::listener();
    let mut sites = Vec::new();
    for _ in 0..2 {
        let options =
            Options { private_webhooks: true, notify_after: Some(std::time::Duration::ZERO), ..database.options() };
        let state = flagplot_server::state(options).await.unwrap();
        sites.push(Site(flagplot_server::app(state.clone()), state));
    }
    let mut wish = crate::common::long_game();
    wish["webhook"] = json!({ "url": format!("http://{address}/hook") });
    let game = sites[0].game(wish).await;
    // Waits until nothing more is told; how often anybody was.
    let quiet = async || {
        let mut before = usize::MAX;
        loop {
            let now = heard.lock().unwrap().len();
            if now == before {
                return now;
            }
            before = now;
            tokio::time::sleep(std::time::Duration::from_millis(2500)).await;
        }
    };
    for round in 0..40 {
        let states = [game.state(&game.tokens[0]).await, game.state(&game.tokens[1]).await];
        let asked: Vec<usize> = (0..2).filter(|seat| !states[*seat]["situation"]["question"].is_null()).collect();
        if round == 0 {
            assert_eq!(quiet().await, asked.len(), "each seat that is asked is told once");
        }
        if let [first, second] = asked[..] {
            let before = quiet().await;
            let body = game.advised(&game.tokens[first], &format!("s{round}")).await.unwrap();
            sites[1].post(&game.path("/answer"), &game.tokens[first], body).await.ok();
            assert!(!game.state(&game.tokens[second]).await["situation"]["question"].is_null());
            assert_eq!(quiet().await, before, "who was told is not told again");
            return;
        }
        game.play(1).await;
    }
    panic!("no answers were asked for in secret");
}
