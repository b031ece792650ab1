//! The live stream: what is new comes, in order, once; what was cut off is made good.

use crate::common::stream::Stream;
use crate::common::{Database, Game, SCENARIO, SYSTEM, Site};
use serde_json::json;
use std::time::Duration;

on_both_databases! {
    the_first_event_is_whole_and_the_next_bring_what_is_new
    every_reader_has_numbers_without_gaps
    a_stream_that_was_cut_goes_on_without_loss
    chat_comes_by_itself
    an_answer_at_one_process_is_told_by_another
    a_spectator_sees_the_end
}

fn events(game: &Game, seat: usize) -> String {
    format!("{}?token={}", game.path("/events"), game.tokens[seat])
}

async fn at(game: &Game) -> u64 {
    game.state(&game.tokens[0]).await["situation"]["at"].as_u64().unwrap()
}

async fn the_first_event_is_whole_and_the_next_bring_what_is_new(database: &Database) {
    let site = Site::open(database).await;
    let game = site.game(crate::common::long_game()).await;
    let mut streams =
        [Stream::open(&site, &events(&game, 0), None).await, Stream::open(&site, &events(&game, 1), None).await];
    let mut logs = [Vec::new(), Vec::new()];
    let mut incremental = 0;
    for _ in 0..12 {
        game.play(1).await;
        let now = at(&game).await;
        for ((stream, log), token) in streams.iter_mut().zip(&mut logs).zip(&game.tokens) {
            let told = stream.follow(log, now).await;
            let asked = game.state(token).await;
            assert_eq!(told["situation"], asked["situation"]);
            assert_eq!(&json!(log), &asked["log"]);
            incremental += usize::from(told["log_after"].as_u64().unwrap() > 0);
        }
    }
    assert!(incremental > 0, "the log was always sent whole");
}

async fn every_reader_has_numbers_without_gaps(database: &Database) {
    let site = Site::open(database).await;
    let wish = json!({ "system": "carrier-strike", "scenario": "coral-sea",
        "seats": [{ "kind": "human" }, { "kind": "human" }], "dice": "seeded", "seed": "3" });
    let game = site.game(wish).await;
    let mut streams =
        [Stream::open(&site, &events(&game, 0), None).await, Stream::open(&site, &game.path("/events"), None).await];
    let mut logs = [Vec::new(), Vec::new()];
    for round in 0..8 {
        game.play(2).await;
        if round == 7 {
            site.post(&game.path("/resign"), &game.tokens[0], serde_json::Value::Null).await.ok();
        }
        let now = at(&game).await;
        for ((stream, log), token) in streams.iter_mut().zip(&mut logs).zip([game.tokens[0].as_str(), ""]) {
            stream.follow(log, now).await;
            assert_eq!(&json!(log), &game.state(token).await["log"]);
            let numbers: Vec<usize> = log.iter().map(|line| line["number"].as_u64().unwrap() as usize).collect();
            assert_eq!(numbers, (1..=log.len()).collect::<Vec<_>>());
        }
        assert_eq!(
            logs[0].len() > logs[1].len(),
            round < 7,
            "a player reads lines that a spectator does not, until the end"
        );
    }
}

async fn a_stream_that_was_cut_goes_on_without_loss(database: &Database) {
    let site = Site::open(database).await;
    let game = site.game(crate::common::long_game()).await;
    let mut log = Vec::new();
    let mut last = None;
    let mut stream = Stream::open(&site, &events(&game, 0), None).await;
    for round in 0..10 {
        game.play(1).await;
        if round % 3 == 2 {
            // Cut, with something happening meanwhile.
            drop(stream);
            game.play(1).await;
            stream = Stream::open(&site, &events(&game, 0), last).await;
        }
        let state = stream.follow(&mut log, at(&game).await).await;
        let version = state["version"].as_u64();
        assert!(version > last, "{version:?} after {last:?}");
        last = version;
        assert_eq!(json!(log), game.state(&game.tokens[0]).await["log"]);
    }
}

async fn chat_comes_by_itself(database: &Database) {
    let site = Site::open(database).await;
    let game = site.game(crate::common::long_game()).await;
    let mut stream = Stream::open(&site, &events(&game, 0), None).await;
    let first = stream.next().await;
    assert_eq!((first.name.as_str(), first.id), ("state", first.data["version"].as_u64()));
    site.post(&game.path("/chat"), &game.tokens[1], json!({ "text": "Hello" })).await.ok();
    let chat = stream.next().await;
    assert_eq!((chat.name.as_str(), &chat.data["text"]), ("chat", &json!("Hello")));
    assert!(chat.id > first.id);
}

async fn an_answer_at_one_process_is_told_by_another(database: &Database) {
    if !database.address.starts_with("postgres") {
        return;
    }
    let (here, there) = (Site::open(database).await, Site::open(database).await);
    let game = here.game(crate::common::long_game()).await;
    let mut stream = Stream::open(&there, &events(&game, 1), None).await;
    let mut log = Vec::new();
    stream.follow(&mut log, 0).await;
    // One seat on each process, to the end.
    let mut count = 0;
    loop {
        let mut moved = false;
        for (seat, site) in [&here, &there].into_iter().enumerate() {
            let side = Game { site: site.clone(), ..game.clone() };
            let token = &game.tokens[seat];
            if let Some(body) = side.advised(token, &format!("x{count}")).await {
                let got = site.post(&game.path("/answer"), token, body).await;
                assert!(got.status == 200 || got.status == 409, "{}", got.text);
                count += 1;
                moved = true;
            }
        }
        let now = at(&game).await;
        let state = stream.follow_if_behind(&mut log, now).await;
        if state.is_some_and(|state| !state["situation"]["outcome"].is_null()) || count > 300 {
            break;
        }
        if !moved {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    assert!(!game.state("").await["situation"]["outcome"].is_null(), "the game was played to its end");
    assert_eq!(json!(log), game.state("").await["log"]);
}

async fn a_spectator_sees_the_end(database: &Database) {
    let site = Site::open(database).await;
    let game = site
        .game(json!({ "system": SYSTEM, "scenario": SCENARIO,
            "seats": [{ "kind": "human" }, { "kind": "computer" }], "dice": "seeded" }))
        .await;
    let mut stream = Stream::open(&site, &game.path("/events"), None).await;
    let mut log = Vec::new();
    game.play(500).await;
    let state = stream.follow(&mut log, at(&game).await).await;
    assert_eq!(state["you"], "spectator");
    assert!(!state["situation"]["outcome"].is_null());
    assert_eq!(json!(log), game.state("").await["log"]);
    let closed = site
        .game(json!({ "system": SYSTEM, "scenario": SCENARIO,
            "seats": [{ "kind": "human" }, { "kind": "computer" }], "spectators": false }))
        .await;
    site.get(&closed.path("/events"), "").await.refused(403, "not-open");
    site.get(&closed.path(""), "").await.refused(403, "not-open");
}
