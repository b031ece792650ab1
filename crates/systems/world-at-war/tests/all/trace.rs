//! The proof of a ruling: every die is in it, and so is whatever made a table's result smaller.

use crate::common::{CASES, VECTORS, ask, system};
use flagplot_referee::{dice_without_proof, run_vectors};
use serde_json::{Value, json};

#[test]
fn every_die_is_in_the_proof() {
    let mut lacking = Vec::new();
    for vectors in [VECTORS, CASES] {
        run_vectors(&system(), vectors, |answer| lacking.extend(dice_without_proof(answer)));
    }
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

fn proof(procedure: &str, input: Value, dice: Value) -> String {
    let answer = ask(&system(), procedure, input, json!({"dice": dice}));
    let notes = answer["trace"].as_array().unwrap_or_else(|| panic!("no proof in {answer}"));
    notes.iter().filter_map(|note| note["text"].as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_a_table_gives_and_the_rules_take_back_is_told() {
    let pacific = proof(
        "attrition",
        json!({"attackers": [{"factors": 33, "ctl": 0}], "defenders": [{"factors": 9, "ctl": 0}], "board": "pacific"}),
        json!([4]),
    );
    assert!(pacific.contains("1 hex (hexes are halved on the Pacific board)"), "{pacific}");
    let combat = |role: &str| {
        let side = |count: u32| json!([{"nation": "japan", "count": count}]);
        proof("air-combat", json!({"attackers": side(9), "defenders": side(9), "role": role}), json!([3, 4, 3, 4]))
    };
    assert!(combat("cap").contains("The defender cannot be driven off and ignores 4 aborts."), "{}", combat("cap"));
    assert!(!combat("interception").contains("ignores"), "{}", combat("interception"));
}

#[test]
fn a_strike_names_each_target() {
    let ship = json!({"kind": "cv", "nation": "japan", "size": 3});
    let targets = json!([{"id": "akagi", "squadrons": 1, "ship": ship}, {"id": "kaga", "squadrons": 1, "ship": ship}]);
    let strike = proof(
        "air-strike",
        json!({"attackers": [{"nation": "united-states", "count": 2}], "defenses": {}, "targets": targets}),
        json!([3, 4, 3, 4]),
    );
    let place = |text: &str| strike.find(text).unwrap_or_else(|| panic!("no '{text}' in {strike}"));
    assert!(place("Target 1: akagi") < place("Target 2: kaga"));
}
