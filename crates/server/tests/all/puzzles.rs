//! Puzzles: what a solver sees, what an answer counts, and what is refused.
use crate::common::{Database, Site};
use serde_json::{Value, json};

on_both_databases! { a_browsers_first_answer_counts_and_no_other bad_answers_are_refused_and_count_nothing }

const BROWSER: &str = "0123456789abcdef";

async fn first(site: &Site) -> Value {
    site.get("/api/systems/schiffskrieg/puzzles", "").await.ok()[0].clone()
}

fn answer(option: u64, browser: &str) -> Value {
    json!({ "option": option, "browser": browser })
}

async fn a_browsers_first_answer_counts_and_no_other(database: &Database) {
    let site = Site::open(database).await;
    let puzzle = first(&site).await;
    assert_eq!((&puzzle["tried"], &puzzle["solved"], &puzzle["number"]), (&json!(0), &json!(0), &json!(1)));
    let id = puzzle["id"].as_str().unwrap();
    let path = format!("/api/puzzles/{id}/answer");
    let shown = site.get(&format!("/api/puzzles/{id}"), "").await;
    assert!(!shown.text.contains("\"worth\"") && !shown.text.contains("\"best\""), "the answer is told beforehand");
    let shown = shown.ok();
    let options = shown["options"].as_array().unwrap().len() as u64;
    assert!(options >= 2 && shown["scene"]["pieces"].is_array() && shown["question"].is_string());

    let wrong = site.post(&path, "", answer(0, "a-browser-that-looks-first")).await.ok();
    let best = wrong["best"].as_u64().unwrap();
    assert_eq!(wrong["options"].as_array().unwrap().len() as u64, options);
    let miss = (best + 1) % options;
    let missed = site.post(&path, "", answer(miss, BROWSER)).await.ok();
    assert_eq!((&missed["right"], &missed["counted"], &missed["tried"]), (&json!(false), &json!(true), &json!(2)));
    let again = site.post(&path, "", answer(best, BROWSER)).await.ok();
    assert_eq!((&again["right"], &again["counted"], &again["tried"]), (&json!(true), &json!(false), &json!(2)));
    assert_eq!(again["solved"], missed["solved"]);
    let right = site.post(&path, "", answer(best, "another-browser-of-this-house")).await.ok();
    assert_eq!((&right["counted"], &right["tried"]), (&json!(true), &json!(3)));
    assert_eq!(right["solved"].as_i64().unwrap(), missed["solved"].as_i64().unwrap() + 1);

    // An address has a limit, however many names its browsers take.
    for n in 0..25 {
        site.post(&path, "", answer(best, &format!("made-up-browser-{n}"))).await.ok();
    }
    let puzzle = first(&site).await;
    assert_eq!(puzzle["tried"], 20);
    // The counts outlive the server.
    let site = Site::open(database).await;
    assert_eq!(first(&site).await, puzzle);
    let other = site.get("/api/systems/schiffskrieg/puzzles", "").await.ok()[1].clone();
    assert_eq!(other["tried"], 0);
}

async fn bad_answers_are_refused_and_count_nothing(database: &Database) {
    let site = Site::open(database).await;
    let id = first(&site).await["id"].as_str().unwrap().to_owned();
    let path = format!("/api/puzzles/{id}/answer");
    site.get("/api/puzzles/dogfite-nothing", "").await.refused(404, "no-puzzle");
    site.post("/api/puzzles/dogfite-nothing/answer", "", answer(0, BROWSER)).await.refused(404, "no-puzzle");
    site.get("/api/systems/chess/puzzles", "").await.refused(404, "no-puzzles");
    site.post(&path, "", answer(99, BROWSER)).await.refused(400, "no-option");
    for browser in ["", "short", "with spaces and more", &"x".repeat(65), "name-with-an-ü-in-it"] {
        site.post(&path, "", answer(0, browser)).await.refused(400, "bad-browser");
    }
    assert!(site.post(&path, "", json!({ "option": -1, "browser": BROWSER })).await.status.is_client_error());
    assert!(site.post(&path, "", json!({ "browser": BROWSER })).await.status.is_client_error());
    assert_eq!(first(&site).await["tried"], 0);
}

#[tokio::test]
async fn the_puzzle_of_the_day_is_the_same_for_everybody() {
    let database = Database::sqlite();
    let site = Site::open(&database).await;
    let one = site.get("/api/puzzles", "").await.ok();
    assert_eq!(one["systems"].as_array().unwrap().len(), 5);
    let id = one["today"]["id"].as_str().unwrap();
    let shown = site.get(&format!("/api/puzzles/{id}"), "").await.ok();
    assert_eq!(shown["puzzle"], one["today"]);
    assert_eq!(site.get("/api/puzzles", "").await.ok(), one);
}
