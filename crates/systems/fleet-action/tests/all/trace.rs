//! The proof of a ruling: every die is in it, and armour is called by the plate that was struck.

use super::{ask, system};
use flagplot_referee::{dice_without_proof, run_vectors};
use serde_json::{Value, json};

#[test]
fn every_die_is_in_the_proof() {
    let mut lacking = Vec::new();
    for vectors in [include_str!("../vectors.json"), include_str!("../own_vectors.json")] {
        run_vectors(&system(), vectors, |answer| lacking.extend(dice_without_proof(answer)));
    }
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

fn proof(procedure: &str, input: Value, dice: Value) -> String {
    let answer = ask(&system(), procedure, &input, json!({"dice": dice}));
    let notes = answer["trace"].as_array().unwrap_or_else(|| panic!("no proof in {answer}"));
    notes.iter().filter_map(|note| note["text"].as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn dice_that_only_pick_or_count_are_told_too() {
    let repaired =
        proof("damage-control", json!({"dc": 3, "repairs": [{"item": "speed", "teams": 3}]}), json!([10, 3]));
    assert!(repaired.contains("d6 3 knots"), "{repaired}");
    let hangar = proof("fuel-explosion-test", json!({"cv": 8}), json!([3, 5]));
    assert!(hangar.contains("d6 5 more fires"), "{hangar}");
    let mounts =
        json!([{"type": "turret", "ac": 1}, {"type": "turret", "ac": 1}, {"type": "turret", "ac": 1, "lost": true}]);
    let picked = proof("weapon-loss", json!({"group": "main", "cv": 9, "mounts": mounts}), json!([2]));
    assert!(picked.contains("d2 2: mount 2"), "{picked}");
}

#[test]
fn armour_is_called_by_the_plate_that_was_struck() {
    let ship = json!({"f": 20, "s": 40, "armour": {"belt": 9, "deck": 3, "ct": 5, "flight_deck": 1}});
    let hit = |direction: &str, face: u8| {
        proof("structural-critical", json!({"cv": 1, "pen": 1, "direction": direction, "ship": ship}), json!([face]))
    };
    assert!(hit("vertical", 1).contains("(belt): AC 9"), "{}", hit("vertical", 1));
    assert!(hit("horizontal", 1).contains("(deck): AC 3"), "{}", hit("horizontal", 1));
    assert!(hit("horizontal", 5).contains("(conning tower from above, half): AC 3"), "{}", hit("horizontal", 5));
    let casemate = |direction: &str| {
        proof(
            "weapon-loss",
            json!({"group": "other", "cv": 3, "pen": 1, "direction": direction, "deck": 2,
                "mounts": [{"type": "casemate", "ac": 4}]}),
            json!([]),
        )
    };
    assert!(casemate("vertical").contains("(casemate): AC 4"), "{}", casemate("vertical"));
    assert!(casemate("horizontal").contains("(deck above the casemate): AC 2"), "{}", casemate("horizontal"));
}
