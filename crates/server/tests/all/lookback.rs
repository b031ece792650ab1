//! Looking back and looking ahead: replays through others' eyes, previews, hints, analyses.

use crate::common::{Database, Site, long_game};
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
