//! Why an option that a player may expect is missing, with its rule: on land, in the air and at sea.

use crate::air_games::BATTLES;
use crate::common::system;
use crate::ground_map::{Field, field};
use crate::ground_play::SCENARIOS;
use crate::naval_play::{NAVAL, game, walk};
use serde_json::json;
use std::collections::BTreeMap;

/// The lines of a question that say why something is missing.
fn missing(field: &Field) -> &[String] {
    &field.asked().expect("a question").prompt.missing
}

/// One line says all of this.
fn says(field: &Field, words: &str, rule: &str) {
    let lines = missing(field);
    assert!(lines.iter().any(|line| line.contains(words) && line.ends_with(&format!("[{rule}]"))), "{lines:?}");
}

#[test]
fn an_isolated_unit_moves_one_hex_and_does_not_attack() {
    let mut field = field(
        "
        . a1 b1
        _ a2 b2
        ",
        &[("a1", "infantry"), ("a2", "infantry"), ("b1", "infantry"), ("b2", "infantry")],
    );
    field.isolate("a1");
    field.answer(json!("offensive"));
    says(&field, "is isolated and moves one hex at most.", "C-9");
    field.answer(json!("done"));
    assert_eq!(field.code(), "declare");
    says(&field, "is isolated and cannot attack.", "4.2");
}

#[test]
fn a_hex_that_can_only_be_attacked_below_one_to_four_says_so() {
    let mut field = field(
        "
        _ a1 b1+b2
        _ _  .
        _ a2 b3
        ",
        &[("a1", "weak"), ("a2", "armor"), ("b1", "armor"), ("b2", "armor"), ("b3", "infantry")],
    );
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    assert_eq!(field.code(), "declare");
    says(&field, "0301: all that can attack it is 1:12, and attacks below 1:4 are not allowed.", "R-10");
    assert!(!missing(&field).iter().any(|line| line.contains("0303")), "{:?}", missing(&field));
    let offered = field.options();
    assert!(offered.iter().all(|order| order["attack"]["target"] != "0301"), "{offered:?}");
}

/// In whole battles every such line names a rule of the system, and these questions have one.
#[test]
fn every_missing_option_names_its_rule() {
    let system = system();
    let rules: Vec<String> = system.rules().iter().map(|rule| format!("[{}]", rule.id)).collect();
    let questions = |scenarios: &[&str], seeds: u64| {
        let mut said: BTreeMap<&'static str, u32> = BTreeMap::new();
        for id in scenarios {
            let game = game(id);
            for seed in 0..seeds {
                walk(&game, seed, |_, _, question| {
                    for asked in question.open() {
                        for line in &asked.prompt.missing {
                            *said.entry(asked.prompt.code).or_default() += 1;
                            assert!(rules.iter().any(|rule| line.ends_with(rule)), "{}: {line}", asked.prompt.code);
                        }
                    }
                });
            }
        }
        said
    };
    let ground = questions(&SCENARIOS, 2);
    for code in ["movement", "declare", "das", "losses", "counters", "retreat"] {
        assert!(ground.contains_key(code), "{code}: {ground:?}");
    }
    let air = questions(&BATTLES, 4);
    for code in ["attack-plan", "defense-plan", "reserve", "stay", "losses"] {
        assert!(air.contains_key(code), "{code}: {air:?}");
    }
    let naval = questions(&NAVAL, 4);
    for code in ["tasking", "launch", "engage", "fire"] {
        assert!(naval.contains_key(code), "{code}: {naval:?}");
    }
}
