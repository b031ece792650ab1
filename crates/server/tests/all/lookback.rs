//! Looking back and looking ahead: replays through others' eyes, previews, hints, analyses.

use crate::common::{Database, SCENARIO, SYSTEM, Site, long_game};
use axum::body::Body;
use axum::http::Request;
use flagplot_server::Options;
use serde_json::{Value, json};
use std::time::Duration;

/// A place to test at.
async fn site(database: &Database) -> Site {
    Site::open(database).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_game_is_looked_back_at_with_ones_own_eyes_only() {
    let database = Database::sqlite();
    let site = site(&database).await;
    let game = site.game(long_game()).await;
    game.play(6).await;
    let own = &game.tokens[0];
    let at = game.state(own).await["situation"]["at"].as_u64().unwrap();
    let plain = site.get(&game.path(&format!("/replay?at={at}")), own).await.ok();
    let named = site.get(&game.path(&format!("/replay?at={at}&as=0")), own).await.ok();
    assert_eq!(plain["situation"], named["situation"]);
    assert_eq!(plain["situation"], game.state(own).await["situation"]);
    for wish in ["1", "all"] {
        site.get(&game.path(&format!("/replay?at=2&as={wish}")), own).await.refused(403, "not-over");
        site.get(&game.path(&format!("/replay?at=2&as={wish}")), "").await.refused(403, "not-over");
    }
    site.get(&game.path("/replay?at=2&as=0"), "").await.refused(403, "not-over");
    site.get(&game.path("/replay?at=2&as=9"), own).await.refused(400, "bad-query");
    let watched = site.get(&game.path("/replay?at=2&as=spectator"), own).await.ok();
    assert_eq!(watched["situation"], site.get(&game.path("/replay?at=2"), "").await.ok()["situation"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_game_is_looked_back_at_with_anybodys_eyes() {
    let database = Database::sqlite();
    let site = site(&database).await;
    let game = site.game(long_game()).await;
    // What each seat was told while it was played is what its eyes see afterwards.
    let mut told: Vec<(u64, [Value; 2])> = Vec::new();
    for _ in 0..4 {
        game.play(1).await;
        let states = [game.state(&game.tokens[0]).await, game.state(&game.tokens[1]).await];
        told.push((states[0]["situation"]["at"].as_u64().unwrap(), states.map(|state| state["situation"].clone())));
    }
    site.post(&game.path("/resign"), &game.tokens[0], json!({})).await.ok();
    for (at, situations) in told {
        for (seat, mut situation) in situations.into_iter().enumerate() {
            let mut seen =
                site.get(&game.path(&format!("/replay?at={at}&as={seat}")), "").await.ok()["situation"].clone();
            // Whether an answer can be taken back is no part of what was known.
            (seen["can_undo"], situation["can_undo"]) = (Value::Null, Value::Null);
            assert_eq!(seen, situation, "step {at}, seat {seat}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_tried_out_without_giving_it() {
    let database = Database::sqlite();
    let site = site(&database).await;
    let game = site.game(long_game()).await;
    let mut moved = 0;
    for _ in 0..80 {
        for token in &game.tokens {
            let state = game.state(token).await;
            let question = &state["situation"]["question"];
            if question.is_null() {
                continue;
            }
            let refused = site.post(&game.path("/preview"), token, json!({ "value": "no such thing" })).await.ok();
            assert!(refused["refusal"]["code"].is_string(), "{refused}");
            let option = &question["options"][0]["value"];
            let tried = site.post(&game.path("/preview"), token, json!({ "value": option })).await.ok();
            assert!(tried["refusal"].is_null(), "{tried}");
            let shares: f64 =
                tried["ghosts"].as_array().unwrap().iter().map(|ghost| ghost["share"].as_f64().unwrap()).sum();
            assert!(shares <= 1.0 + 1e-9, "{tried}");
            moved += tried["ghosts"].as_array().unwrap().len();
            assert_eq!(game.state(token).await["situation"], state["situation"], "trying changes nothing");
        }
        if moved > 0 {
            break;
        }
        game.play(1).await;
    }
    assert!(moved > 0, "a move shows where the aircraft would be");
    site.post(&game.path("/preview"), "", json!({ "value": 1 })).await.refused(403, "not-a-player");
}

/// The orders of a squadron are carried out ship by ship, each in a step of its own that asks nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plotted_squadron_is_shown_where_all_its_ships_would_end() {
    let database = Database::sqlite();
    let site = site(&database).await;
    let game = site
        .game(
            json!({ "system": "fleet-action", "scenario": "river-plate", "seats": [{ "kind": "human", "name": "Ann" },
            { "kind": "human", "name": "Bob" }], "dice": "seeded", "seed": "3" }),
        )
        .await;
    let ahead = |ship: &str| json!({ "ship": ship, "speed": 14, "orders": [{ "ahead": 140 }] });
    for _ in 0..20 {
        let state = game.state(&game.tokens[1]).await;
        let question = &state["situation"]["question"];
        let orders = question["prompt"]["code"] == "orders";
        if orders && question["options"].to_string().contains("achilles") {
            // 140 mm on course 060; Achilles is given a turn as well.
            let turns = json!({ "ship": "achilles", "speed": 14,
                "orders": [{ "ahead": 40 }, { "turn": 30 }, { "ahead": 100 }] });
            let value = json!([ahead("ajax"), turns]);
            let tried = site.post(&game.path("/preview"), &game.tokens[1], json!({ "value": value })).await.ok();
            assert!(tried["refusal"].is_null(), "{tried}");
            let ghosts = tried["ghosts"].as_array().unwrap();
            assert_eq!(ghosts.len(), 1, "nothing is rolled and nothing hidden: {tried}");
            let ends: Vec<(Value, Value, Value)> = ghosts[0]["pieces"]
                .as_array()
                .unwrap()
                .iter()
                .map(|piece| (piece["id"].clone(), piece["place"].clone(), piece["facing"].clone()))
                .collect();
            let end = |id: &str, at: [i64; 2], facing: i32| (json!(id), json!({ "point": at }), json!(facing));
            assert_eq!(ends, [end("ajax", [121, 70], 60), end("achilles", [83, -10], 90)]);
            return;
        }
        game.play(1).await;
    }
    panic!("the first division was never asked for its orders");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hint_of_one_who_thinks_says_what_else_was_weighed() {
    let database = Database::sqlite();
    let site = site(&database).await;
    let game = site.duel().await;
    let token = if game.state(&game.tokens[0]).await["situation"]["question"].is_null() {
        &game.tokens[1]
    } else {
        &game.tokens[0]
    };
    // Without a name it is the admiral's, who thinks ahead.
    let hint = site.post(&game.path("/hint"), token, Value::Null).await.ok();
    assert!(!hint["alternatives"].as_array().unwrap().is_empty(), "{hint}");
    assert!(hint["method"].as_str().unwrap().len() > 10);
    assert!(hint["alternatives"].as_array().unwrap().iter().all(|one| !one["label"].as_str().unwrap().is_empty()));
}

on_both_databases! {
    a_finished_game_is_taken_apart_once_for_all
    a_hint_asked_twice_is_the_same_and_the_record_says_who_asked
}

async fn a_hint_asked_twice_is_the_same_and_the_record_says_who_asked(database: &Database) {
    let site = site(database).await;
    let game = site.duel().await;
    let asked = async |site: &Site| {
        let seat = usize::from(game.state(&game.tokens[0]).await["situation"]["question"].is_null());
        (seat, site.post(&game.path("/hint"), &game.tokens[seat], Value::Null).await.ok())
    };
    let (seat, first) = asked(&site).await;
    let estimates: Vec<f64> =
        first["alternatives"].as_array().unwrap().iter().map(|one| one["estimate"].as_f64().unwrap()).collect();
    let best = first["alternatives"].as_array().unwrap().iter().find(|one| one["value"] == first["value"]).unwrap();
    assert!(estimates.iter().all(|other| *other <= best["estimate"].as_f64().unwrap()), "{first}");
    assert_eq!(asked(&site).await, (seat, first.clone()), "the same question has the same hint");
    // Another process, which has nothing in memory, says the same.
    let other = Site::open(database).await;
    assert_eq!(asked(&other).await, (seat, first));
    let used = game.state("").await["meta"]["seats"][seat]["hints"].clone();
    assert_eq!(used, json!([game.state("").await["situation"]["at"]]), "asked three times, given once");
    site.post(&game.path("/resign"), &game.tokens[0], json!({})).await.ok();
    let record = site.get(&game.path("/export"), &game.tokens[0]).await.text;
    let verdict = site.send(Request::post("/api/verify").body(Body::from(record)).unwrap()).await.ok();
    assert_eq!(verdict["hints"], json!([[seat, used[0]]]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_have_hints_only_if_all_agreed() {
    let database = Database::sqlite();
    let site = site(&database).await;
    let people = json!([{ "kind": "human" }, { "kind": "human" }]);
    let wish = |hints: bool| {
        json!({ "system": SYSTEM, "scenario": SCENARIO, "seats": people.clone(), "dice": "seeded", "seed": "7",
            "hints": hints })
    };
    let allowed = async |created: &Value, token: &str| {
        let id = created["game"].as_str().unwrap();
        let state = site.get(&format!("/api/games/{id}"), token).await.ok();
        state["meta"]["hints"].as_str().unwrap().to_owned()
    };
    for (wanted, agrees, expected) in
        [(true, Some(true), "on"), (true, Some(false), "off"), (true, None, "off"), (false, Some(true), "off")]
    {
        let created = site.post("/api/games", "", wish(wanted)).await.ok();
        let (id, own) = (created["game"].as_str().unwrap(), created["seats"][0]["token"].as_str().unwrap());
        assert_eq!(allowed(&created, own).await, if wanted { "offered" } else { "off" });
        let mut body = json!({ "invitation": created["seats"][1]["invitation"] });
        if let Some(agrees) = agrees {
            body["hints"] = json!(agrees);
        }
        let other = site.post(&format!("/api/games/{id}/take"), "", body).await.ok();
        assert_eq!(allowed(&created, own).await, expected);
        for token in [own, other["token"].as_str().unwrap()] {
            let state = site.get(&format!("/api/games/{id}"), token).await.ok();
            if !state["situation"]["question"].is_null() {
                let reply = site.post(&format!("/api/games/{id}/hint"), token, json!({ "player": "greedy" })).await;
                drop(if expected == "on" { reply.ok() } else { reply.refused(403, "hints-off") });
            }
        }
    }
    let computer = json!({ "system": SYSTEM, "scenario": SCENARIO, "dice": "seeded",
        "seats": [{ "kind": "human" }, { "kind": "computer", "player": "greedy" }] });
    let created = site.post("/api/games", "", computer).await.ok();
    assert_eq!(allowed(&created, created["seats"][0]["token"].as_str().unwrap()).await, "on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_game_the_same_sides_the_other_or_another_scenario_are_played() {
    let database = Database::sqlite();
    let site = site(&database).await;
    let computer = json!({ "system": SYSTEM, "scenario": SCENARIO, "dice": "seeded",
        "seats": [{ "kind": "human" }, { "kind": "computer", "player": "greedy" }] });
    let game = site.fresh(computer).await;
    site.post(&game.path("/resign"), &game.tokens[0], json!({})).await.ok();
    let again = async |wish: Value| {
        let created = site.post(&game.path("/rematch"), &game.tokens[0], wish).await.ok();
        let token = created["seats"][0]["token"].as_str().unwrap().to_owned();
        let state = site.get(&format!("/api/games/{}", created["game"].as_str().unwrap()), &token).await.ok();
        (state["you"]["seat"].clone(), state["meta"]["scenario"].clone(), created["game"].clone())
    };
    let other = again(json!({})).await;
    assert_eq!((other.0, other.1), (json!(1), json!(SCENARIO)));
    let same = again(json!({ "same_sides": true })).await;
    assert_eq!((same.0, same.1), (json!(0), json!(SCENARIO)));
    assert_ne!(same.2, other.2, "alone, every wish makes a game of its own");
    let next = again(json!({ "same_sides": true, "scenario": "midway-1942" })).await;
    assert_eq!((next.0, next.1), (json!(0), json!("midway-1942")));
    // Between two people the first wish counts, and the other joins that game on its own side.
    let duel = site.duel().await;
    site.post(&duel.path("/resign"), &duel.tokens[0], json!({})).await.ok();
    let ask = async |token: &str, wish: Value| site.post(&duel.path("/rematch"), token, wish).await.ok();
    let first = ask(&duel.tokens[0], json!({ "same_sides": true })).await;
    let second = ask(&duel.tokens[1], json!({})).await;
    assert_eq!(first["game"], second["game"]);
    assert_eq!((&first["seats"][0]["seat"], &second["seats"][0]["seat"]), (&json!(0), &json!(1)));
    let state = site
        .get(&format!("/api/games/{}", first["game"].as_str().unwrap()), first["seats"][0]["token"].as_str().unwrap())
        .await
        .ok();
    assert_eq!(state["meta"]["hints"], "on", "they agreed to hints in the game before");
    site.post(&duel.path("/rematch"), &duel.tokens[0], json!({ "nonsense": 1 })).await.refused(400, "bad-body");
}

async fn quick(database: &Database) -> Site {
    let state = flagplot_server::state(Options { analyse_for: Some(Duration::from_millis(200)), ..database.options() })
        .await
        .unwrap();
    Site(flagplot_server::app(state.clone()), state)
}

async fn a_finished_game_is_taken_apart_once_for_all(database: &Database) {
    let site = quick(database).await;
    let game = site.duel().await;
    site.post(&game.path("/analysis"), &game.tokens[0], json!({})).await.refused(409, "not-over");
    game.play(2).await;
    if game.state("").await["situation"]["outcome"].is_null() {
        site.post(&game.path("/resign"), &game.tokens[0], json!({})).await.ok();
    }
    // Two processes are asked at once; one does the work.
    let other = quick(database).await;
    let wait = async |longer: bool| loop {
        for site in [&site, &other] {
            let state = site.post(&game.path("/analysis"), "", json!({ "longer": longer })).await.ok();
            if !state["analysis"].is_null() && state["longer"] == longer {
                return state["analysis"].clone();
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let found = wait(false).await;
    let seats = found["seats"].as_array().unwrap();
    assert_eq!(seats.len(), 2);
    let choices: Vec<&Value> = seats.iter().flat_map(|seat| seat["choices"].as_array().unwrap()).collect();
    assert!(!choices.is_empty());
    assert!(
        choices.iter().all(|choice| !choice["text"].as_str().unwrap().is_empty()
            && !choice["chosen_label"].as_str().unwrap().is_empty())
    );
    assert!(found["method"].as_str().unwrap().contains("standard errors"));
    // Asked again, and by a server that has never heard of it, the same is there at once.
    for site in [&site, &other, &quick(database).await] {
        let state = site.post(&game.path("/analysis"), &game.tokens[1], Value::Null).await.ok();
        assert_eq!((&state["analysis"], &state["longer"], &state["done"]), (&found, &json!(false), &state["total"]));
    }
    let longer = wait(true).await;
    assert_ne!(longer, found);
    // Who asks for the shorter look now gets the better one.
    assert_eq!(site.post(&game.path("/analysis"), "", json!({})).await.ok()["analysis"], longer);
}
