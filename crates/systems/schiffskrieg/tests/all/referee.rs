//! The public vectors and the corpus of bad requests.

use crate::common::system;
use flagplot_referee::{answer, dice_without_proof, run_vectors};
use serde::Deserialize;

#[test]
fn every_vector_agrees() {
    let mut unproved = Vec::new();
    let wrong =
        run_vectors(&system(), include_str!("../vectors.json"), |answer| unproved.extend(dice_without_proof(answer)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unproved.is_empty(), "dice that no proof shows: {}", unproved.join("\n"));
}

#[test]
fn a_proof_says_who_wins_a_tie_and_names_a_rule_once() {
    let side = |wish: &str| format!(r#"{{"wish":"{wish}","nearest_air_base":1}}"#);
    let input = format!(r#"{{"all_sea":true,"phasing":{},"non_phasing":{}}}"#, side("day"), side("night"));
    let answer = answer(
        &system(),
        &format!(r#"{{"system":"schiffskrieg","procedure":"day-night","input":{input},"dice":[2,3]}}"#),
    );
    let note = &answer["trace"][0];
    assert_eq!(
        note["text"],
        "The phasing faction wants Day with 4, the other Night with 4, which wins the tie: a Night Action."
    );
    assert_eq!(note["rules"], serde_json::json!(["day-night", "R-5", "R-7", "C-4"]));
}

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    code: String,
    request: String,
}

#[test]
fn every_bad_request_gets_its_code_and_a_sentence() {
    let corpus: Corpus = toml::from_str(include_str!("../bad_input.toml")).unwrap();
    let system = system();
    assert!(corpus.case.len() >= 55);
    for case in corpus.case {
        if case.code == "unknown-system" {
            continue; // The system is looked up before this one is asked.
        }
        let answer = answer(&system, &case.request);
        assert_eq!(answer["error"]["code"], case.code.as_str(), "{}: {answer}", case.id);
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.len() > 10), "{}", case.id);
    }
}

#[test]
fn requests_that_are_wrong_in_more_than_one_way() {
    let system = system();
    let code = |request: &str| answer(&system, request)["error"]["code"].as_str().unwrap_or("none").to_owned();
    let ask = |procedure: &str, input: &str| {
        code(&format!(r#"{{"system":"schiffskrieg","procedure":"{procedure}","input":{input},"dice":[]}}"#))
    };
    // The form of the request comes first: what is needed is there.
    assert_eq!(code(r#"{"system":"nobody's"}"#), "missing-field");
    assert_eq!(code(r#"{"system":"schiffskrieg","procedure":"nothing"}"#), "missing-field");
    assert_eq!(code(r#"{"system":"schiffskrieg","procedure":"attack","dice":[7]}"#), "missing-field");
    assert_eq!(code(r#"{"system":"schiffskrieg","procedure":3,"input":{}}"#), "bad-type");
    // Facts without a default are needed.
    let unit = |more: &str| {
        let ship = r#""id":"x","kind":"cruiser","gunnery":2,"torpedo":0,"airstrike":0,"defense":2,"damage":2"#;
        format!(r#"{{"context":"combat-round","units":[{{{ship}{more}}}]}}"#)
    };
    assert_eq!(ask("allocate-boxes", &unit(r#","damage_points":0"#)), "missing-field");
    assert_eq!(ask("allocate-boxes", &unit(r#","disabled_results":0"#)), "missing-field");
    assert_eq!(ask("allocate-boxes", &unit(r#","disabled_results":0,"damage_points":0"#)), "none");
    assert_eq!(ask("delay", r#"{"turn":1,"faction_drm":0,"counters":[{"id":"x","kind":"lba"}]}"#), "missing-field");
    // A raid of nobody has no aircraft; a base may be empty.
    let raid = |raiders: &str| {
        format!(
            r#"{{"phasing":{{"units":[{raiders}]}},"non_phasing":{{"units":[]}},"rounds":[{round}]}}"#,
            round = r#"{"phasing":[],"non_phasing":[]}"#
        )
    };
    assert_eq!(ask("base-attack", &raid("")), "cannot-attack");
    assert_eq!(
        ask(
            "base-attack",
            &raid(r#"{"id":"x","kind":"carrier","gunnery":0,"torpedo":0,"airstrike":1,"defense":2,"damage":2}"#)
        ),
        "none"
    );
}

#[test]
fn a_seed_is_any_whole_number() {
    let system = system();
    let ask = |seed: &str| {
        let input = r#"{"turn":1,"faction_drm":0,"counters":[{"id":"x","kind":"cruiser","damaged":false}]}"#;
        answer(&system, &format!(r#"{{"system":"schiffskrieg","procedure":"delay","input":{input},"seed":{seed}}}"#))
    };
    for seed in ["0", "-1", "-9223372036854775808", "18446744073709551615"] {
        assert_eq!(ask(seed), ask(seed), "{seed}");
        assert!(ask(seed)["result"].is_object(), "{seed}");
    }
    for (seed, code) in
        [("18446744073709551616", "bad-value"), ("1.5", "bad-type"), ("\"1\"", "bad-type"), ("null", "bad-type")]
    {
        assert_eq!(ask(seed)["error"]["code"], code, "{seed}");
    }
}
