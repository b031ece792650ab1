//! The referee: vectors, bad input, agreement of dice and odds.

use crate::common::{ruled, system};
use flagplot_odds::Fraction;
use flagplot_referee::run_vectors;
use serde_json::{Value, json};

#[test]
fn vectors() {
    let system = system();
    let wrong = run_vectors(&system, include_str!("../vectors.json"), |_| {});
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Cases of our own: what the vectors leave open, as we read it.
#[test]
fn own_vectors() {
    let system = system();
    let wrong = run_vectors(&system, include_str!("../own_vectors.json"), |_| {});
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_ten_of_the_initiative_die_shows_0() {
    let system = system();
    let alone = json!({"aircraft": [{"id": "a", "side": "allied", "speed": 4, "level": 3}]});
    let ruling = ruled(&system, "initiative-order", &alone, json!({"dice": [0]}));
    assert_eq!(ruling["result"]["initiative"]["a"], 0);
    assert_eq!(ruling["rolls"][0]["face"], 0);
}

#[test]
fn bad_input_is_refused_by_its_code() {
    let system = system();
    let cases: Vec<(String, Value, String)> = serde_json::from_str(include_str!("../bad_input.json")).unwrap();
    for (procedure, input, code) in cases {
        // Dice are counted last: plenty of them must not hide what is wrong.
        for dice in [json!([]), json!([3, 4, 3, 4])] {
            let got = ruled(&system, &procedure, &input, json!({"dice": dice}));
            assert_eq!(got["error"]["code"], code.as_str(), "{procedure} {input}: {got}");
        }
        let got = ruled(&system, &procedure, &input, json!({"odds": true}));
        assert_eq!(got["error"]["code"], code.as_str(), "odds of {procedure} {input}");
    }
}

#[test]
fn dice_that_do_not_fit_are_refused() {
    let system = system();
    let input = json!({"edge": 5, "shooting_skill": 1, "pip": "subtract"});
    let code = |how: Value| ruled(&system, "fire", &input, how)["error"]["code"].clone();
    for (dice, refused) in [
        (json!([3, 5]), "no-pip"),
        (json!([3]), "not-enough-dice"),
        (json!([3, 4, 4]), "too-many-dice"),
        (json!([3, 0]), "bad-die"),
        (json!([3, 7]), "bad-die"),
        (json!([3, 10]), "bad-die"),
    ] {
        assert_eq!(code(json!({"dice": dice})), refused);
    }
    assert_eq!(code(json!({"dice": [3, 4], "odds": true})), "dice-and-odds");
    assert_eq!(ruled(&system, "fire", &input, json!({"dice": [3, 4]}))["result"]["pip"], "subtract");
}

/// The end of a move with one high bet.
fn end_of_move(speed: i32, direction: &str, points: i32, engine: &str, boxes: Value) -> Value {
    json!({
        "speed": speed,
        "vertical": {"direction": direction, "points": points},
        "bets": [{"level": 3, "aerobatics": true}],
        "engine": engine,
        "ratings": {"min_speed": 3, "max_speed": 7, "max_dive": 9, "power": 0, "drag": 0, "climb": 0, "spin": 0},
        "boxes": boxes,
    })
}

/// What lies below a null is null, so that every field's chances add up to 1.
#[test]
fn the_chances_of_every_field_add_up() {
    let system = system();
    let requests = [
        ("bet", json!({"maneuver": "facing-2", "level": 2, "aerobatic_points": 2})),
        ("critical-hit", json!({"boxes": ["///...", "......"]})),
        ("spin", json!({"action": "enter", "flying_skill": -1})),
        ("end-of-move", end_of_move(5, "dive", 1, "power", json!(["//////", "......"]))),
    ];
    for (procedure, input) in requests {
        let got = ruled(&system, procedure, &input, json!({"odds": true}));
        let odds = got["odds"].as_object().unwrap_or_else(|| panic!("{got}"));
        assert!(odds.len() > 5);
        for (field, values) in odds {
            let sum =
                values.as_object().unwrap().values().fold(Fraction::zero(), |sum, chance| {
                    sum.plus(&Fraction::parse(chance.as_str().unwrap()).unwrap())
                });
            // A field that holds an object in other branches has only its null here.
            let holds_more = odds.keys().any(|other| other.starts_with(&format!("{field}.")));
            assert!(holds_more || sum == Fraction::one(), "{field}: {values}");
        }
    }
}

/// The fields of the odds stand in the order of the result, and those of aircraft in the order of the list: no hash
/// decides, on any machine.
#[test]
fn odds_list_their_fields_in_one_order() {
    let system = system();
    let fields = |procedure: &str, input: Value| -> Vec<String> {
        let got = ruled(&system, procedure, &input, json!({"odds": true}));
        got["odds"].as_object().unwrap_or_else(|| panic!("{got}")).keys().cloned().collect()
    };
    let craft = |id: &str, target: &str| {
        let side = if id.starts_with('a') { "allied" } else { "central" };
        json!({"id": id, "side": side, "speed": 5, "level": 5, "target": target, "edge": 3, "tail": true})
    };
    let aircraft = [craft("a2", "c1"), craft("c1", "a1"), craft("a1", "c1")];
    let by_id = ["initiative", "follows", "why"].map(|field| ["a2", "c1", "a1"].map(|id| format!("{field}.{id}")));
    assert_eq!(fields("initiative-order", json!({"aircraft": aircraft})), by_id.concat());
    // Won bets have no failure, lost ones have: the fields of the failure stand where the result has them.
    let bet = fields("bet", json!({"maneuver": "facing-2", "level": 2, "aerobatic_points": 2}));
    let place = |field: &str| bet.iter().position(|known| known == field).unwrap_or_else(|| panic!("no {field}"));
    let places = ["mp_die_modifier", "failure.roll", "failure.stress", "tasks", "success"].map(place);
    assert!(places.is_sorted(), "{bet:?}");
}

/// Seven unknown dice are more than is walked; it is said at once, and giving some of the rolls helps.
#[test]
fn orders_of_many_aircraft_exceed_the_budget_and_say_so() {
    let system = system();
    let odds = |count: usize, unknown: usize| {
        let craft = |n: usize| {
            let mut craft = json!({"id": format!("a{n}"), "side": "allied", "speed": 5, "level": n + 1});
            if n >= unknown {
                craft["roll"] = (n % 10).into();
            }
            craft
        };
        let aircraft: Vec<Value> = (0..count).map(craft).collect();
        let how = json!({"odds": true, "field": "initiative.a0"});
        ruled(&system, "initiative-order", &json!({"aircraft": aircraft}), how)
    };
    assert_eq!(odds(64, 64)["error"]["code"], "budget-exceeded");
    assert_eq!(odds(7, 7)["error"]["code"], "budget-exceeded");
    assert_eq!(odds(12, 2)["odds"]["initiative.a0"]["1"], "1/10");
}

/// Every comparison and every die that decided something stands in the proof.
#[test]
fn the_proof_leaves_nothing_out() {
    let system = system();
    let trace = |procedure: &str, input: Value, dice: &[u8]| {
        let got = ruled(&system, procedure, &input, json!({"dice": dice}));
        got["trace"].as_array().unwrap_or_else(|| panic!("{got}")).clone()
    };
    let find = |trace: &[Value], what: &str| {
        trace.iter().find(|note| note["what"] == what).unwrap_or_else(|| panic!("no {what} in {trace:?}")).clone()
    };
    let duel = |edge: i32| {
        json!({"aircraft": [
            {"id": "a", "side": "allied", "speed": 6, "level": 5, "target": "b", "edge": edge, "tail": true},
            {"id": "b", "side": "central", "speed": 6, "level": 5, "target": "a"},
        ]})
    };
    let circle = trace("initiative-order", duel(4), &[3, 5, 4, 2]);
    assert_eq!(find(&circle, "circle-roll")["dice"], json!([4, 2]));
    assert_eq!(find(&circle, "may-tail")["outcome"], true);
    assert_eq!(find(&trace("initiative-order", duel(1), &[3, 5]), "may-tail")["outcome"], false);
    assert_eq!(find(&trace("initiative-order", duel(0), &[3, 3, 4, 2]), "roll-off")["dice"], json!([4, 2]));
    let at = |r: i32, level: i32| json!({"hex": [0, r], "facing": 0, "level": level});
    let position = find(&trace("position-bonus", json!({"attacker": at(1, 7), "target": at(0, 5)}), &[]), "position");
    assert_eq!((&position["modifiers"][0]["value"], &position["modifiers"][1]["value"]), (&2.into(), &(-1).into()));
    let range = find(&trace("fire-range", json!({"firer": at(0, 6), "target": at(0, 5)}), &[]), "range");
    assert_eq!((&range["table"]["column"], &range["modifiers"][1]["value"]), (&"1".into(), &1.into()));
    let aircraft = json!([{"id": "m", "target": "x", "edge": 8}, {"id": "x"}]);
    let recorded = json!({"mover": "m", "bonus": 6, "end_of_phase": true, "aircraft": aircraft});
    assert_eq!(find(&trace("edge-recording", recorded, &[]), "edge-cap")["outcome"], 10);
    let level = trace("bet-level", json!({"speed": 5, "maneuver": "straight", "chosen_level": 2}), &[]);
    assert_eq!(find(&level, "bet-level")["outcome"], 2);
    let dive = trace("climb-dive", json!({"speed": 3, "direction": "dive", "extent": "full"}), &[]);
    assert_eq!(find(&dive, "vertical")["outcome"], 6);
    assert_eq!(find(&trace("stall-spin", json!({"speed": 4, "min_speed": 3}), &[]), "fast-enough")["outcome"], "none");
    assert_eq!(find(&trace("engine-smoke", json!({"smoking": true}), &[3]), "no-fire")["dice"], json!([3]));
    assert_eq!(find(&trace("critical-hit", json!({"boxes": ["......"]}), &[1, 1, 5]), "no-smoke")["dice"], json!([5]));
    let end = trace("end-of-move", end_of_move(8, "climb", 2, "none", json!(["......"])), &[4, 4, 3]);
    assert_eq!(find(&end, "stress-due")["outcome"], json!(["bet-level"]));
    assert_eq!(find(&end, "speed")["modifiers"][1]["value"], -3);
    let lost = json!({"side": "allied", "grade": "ace", "status": "destroyed", "boxes": ["......"]});
    let score = json!({"aircraft": [lost], "special": [{"side": "allied", "points": 4}]});
    let points: Vec<_> = trace("victory-points", score, &[])
        .iter()
        .filter(|note| note["what"] == "points")
        .map(|note| note["outcome"].clone())
        .collect();
    assert_eq!(points, [12, 4]);
}

/// What pilots know by heart: the edge to be expected of one bet in straight flight with every point that may be
/// staked, by flying skill; and hits of two guns.
#[test]
fn expectations_are_those_of_old_hands() {
    let system = system();
    let hundredths = |procedure: &str, input: &Value, field: &str| {
        let got = ruled(&system, procedure, input, json!({"odds": true, "field": field}));
        let odds = got["odds"][field].as_object().unwrap_or_else(|| panic!("{got}")).clone();
        let of = |(value, chance): (String, Value)| {
            value.parse::<f64>().unwrap() * Fraction::parse(chance.as_str().unwrap()).unwrap().to_f64() * 100.0
        };
        odds.into_iter().map(of).sum::<f64>()
    };
    for (flying, net) in [(0, [90, 161, 245, 140]), (1, [97, 372, 472, 353]), (2, [100, 588, 709, 596])] {
        for ((level, points), net) in [(1, 0), (1, 1 + flying), (2, 2 + flying), (3, 3 + flying)].into_iter().zip(net) {
            let bet =
                json!({"maneuver": "straight", "level": level, "aerobatic_points": points, "flying_skill": flying});
            let expected = hundredths("bet", &bet, "edge_gain") - hundredths("bet", &bet, "edge_loss");
            assert_eq!(expected.round() as i32, net, "{bet}");
        }
    }
    for (edge, hits) in [(1, 56), (4, 311), (6, 622), (8, 1000), (10, 1400)] {
        assert_eq!(hundredths("attack", &json!({"edge": edge, "guns": 2}), "hits").round() as i32, hits, "edge {edge}");
    }
}
