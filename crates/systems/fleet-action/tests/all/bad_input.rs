//! Input that must be refused, each with its code. Most of it is data in the form of the vectors.

use super::{ask, system};
use flagplot_referee::{answer, run_vectors};
use serde_json::{from_str, json};

#[test]
fn every_bad_input_is_refused_with_its_code() {
    let wrong = run_vectors(&system(), include_str!("../bad_input.json"), |answer| {
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.ends_with('.') && message.len() > 10, "a refusal is a sentence: {answer}");
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn requests_that_are_none_are_refused() {
    let check = |request: &str, code: &str| assert_eq!(answer(&system(), request)["error"]["code"], code, "{request}");
    check("{", "bad-json");
    check("[1]", "bad-type");
    check(r#"{"procedure":"crew-test","input":{"crew_quality":0}}"#, "missing-field");
    check(r#"{"system":"fleet-action","input":{"crew_quality":0}}"#, "missing-field");
    check(r#"{"system":"fleet-action","procedure":"crew-test"}"#, "missing-field");
    check(r#"{"system":"fleet-action","procedure":"crew-test","input":7}"#, "wrong-type");
    check(
        r#"{"system":"fleet-action","procedure":"crew-test","input":{"crew_quality":0},"dice":[5],"odds":true}"#,
        "dice-and-odds",
    );
    check(
        r#"{"system":"fleet-action","procedure":"crew-test","input":{"crew_quality":0},"seed":5,"odds":true}"#,
        "dice-and-odds",
    );
    check(
        r#"{"system":"fleet-action","procedure":"crew-test","input":{"crew_quality":0},"odds":true,"field":"nerve"}"#,
        "unknown-field",
    );
    check(
        r#"{"system":"fleet-action","procedure":"crew-test","input":{"crew_quality":0},"dice":[5],"colour":"red"}"#,
        "unknown-field",
    );
    check(r#"{"system":"fleet-action","procedure":"crew-test","input":{"crew_quality":0},"dice":"5"}"#, "wrong-type");
}

#[test]
fn a_bad_face_names_its_die_and_what_it_is_for() {
    for (face, shown) in [(0, "'0'"), (11, "'11'"), (255, "'255'")] {
        let input = json!({"crew_quality": 0});
        let message = ask(&system(), "crew-test", &input, json!({"dice": [face]}))["error"]["message"].to_string();
        assert!(message.contains("Die 1 (Crew Test): a d10") && message.contains(shown), "{message}");
    }
}

#[test]
fn refusals_name_the_limit_and_the_field() {
    let says = |procedure: &str, input: &str, text: &str| {
        let input = from_str(input).expect("JSON");
        let message = ask(&system(), procedure, &input, json!({"dice": []}))["error"]["message"].to_string();
        assert!(message.contains(text), "'{text}' is not in {message}");
    };
    says(
        "crf-mrf-fire",
        r#"{"weapon":"mrf","factors":1,"range_mm":201,"target":{"class":"type-x","vessels":2}}"#,
        "200 mm",
    );
    says(
        "gunnery-to-hit",
        r#"{"range_band":4,"max_band":3,"control":"local","guns":1,"shooter":{},"target":{}}"#,
        "range band 3",
    );
    says(
        "gunnery-to-hit",
        r#"{"range_band":4,"control":"local","guns":1,"shooter":{"splash":-1},"target":{}}"#,
        "input.shooter.splash",
    );
    says(
        "gunnery-to-hit",
        r#"{"range_band":4,"range_mm":4,"control":"local","guns":1,"shooter":{},"target":{}}"#,
        "range_mm or range_band, not both",
    );
    says("fire-burn", r#"{"ship":{"f":2,"s":3,"status":"wreck"}}"#, "wreck");
    says(
        "movement",
        r#"{"ship":{"x":0,"y":0,"heading":0,"size":0,"max_speed":32,"last_speed":20},"speed":29,
            "orders":[{"ahead":290}]}"#,
        "28 knots at most",
    );
}
