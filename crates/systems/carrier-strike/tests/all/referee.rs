//! The referee: vectors as data, and what it must refuse.

use flagplot_carrier_strike::{System, files};
use flagplot_referee::{answer, run_vectors};
use serde_json::{Value, json};

fn system() -> System {
    System::new(&files()).expect("the built-in data is sound")
}

/// The chart cards hold what a table needs, with the figures of the data.
#[test]
fn chart_cards_carry_the_data() {
    let system = system();
    let charts = flagplot_referee::System::charts(&system);
    let chart = |id: &str| charts.iter().find(|chart| chart.id == id).unwrap_or_else(|| panic!("no chart {id}"));
    assert!(
        charts.iter().all(|chart| chart.rows.iter().all(|(_, cells)| cells.len() == chart.columns.len())),
        "every row is as long as its chart"
    );
    assert_eq!(chart("combat-card").rows[0].1, ["3", "+2", "+1", "-1"]);
    assert_eq!(chart("anti-aircraft").rows[0].1, ["8", "7", "6", "5", "4", "3", "2", "1", "0"]);
    assert_eq!(chart("break-off").rows[2].1, ["6 or more", "5 or more", "4 or more"]);
    let actions: Vec<&str> = chart("actions").rows.iter().map(|(action, _)| action.as_str()).collect();
    for action in
        ["move", "launch", "land", "refuel", "re-arm", "dogfight", "strike", "detect", "intercept", "disengage", "pass"]
    {
        assert!(actions.contains(&action), "{action} is missing");
    }
    // Another data file makes other cards.
    let mut own = files();
    let text = own
        .text("carrier-strike.toml")
        .unwrap()
        .replace("aa_break_off_bonus = \"hits\"", "aa_break_off_bonus = \"flat-2\"");
    own.lay("carrier-strike.toml", text);
    let charts = flagplot_referee::System::charts(&System::new(&own).unwrap());
    assert!(charts.iter().any(|chart| chart.id == "break-off" && chart.notes[0].contains("and 2")));
}

#[test]
fn vectors_agree() {
    let wrong = run_vectors(&system(), include_str!("../vectors.json"), |_| {});
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Asks for a ruling and gives the code of the refusal, or `ok`.
fn code(procedure: &str, input: Value, dice: Value) -> String {
    let request = json!({"system": "carrier-strike", "procedure": procedure, "input": input, "dice": dice});
    let answer = answer(&system(), &request.to_string());
    answer["error"]["code"].as_str().unwrap_or("ok").to_owned()
}

fn fighters(id: &str, stance: Option<&str>) -> Value {
    let mut side = json!({"kind": "fighter", "squadrons": [{"id": id, "strength": 12, "rl": 4}]});
    if let Some(stance) = stance {
        side["stance"] = stance.into();
    }
    side
}

fn even_fight() -> Value {
    json!({"first": fighters("b1", Some("instinctive")), "second": fighters("r1", Some("instinctive"))})
}

fn bomber() -> Value {
    json!({"squadron": {"id": "b1", "strength": 12, "stance": "instinctive", "aa_stance": "instinctive"},
        "cv": {"hits": 0}})
}

/// Replaces the value at a JSON pointer.
fn with(mut input: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    input.pointer_mut(parent).unwrap()[key] = value;
    input
}

#[test]
fn bad_input_is_refused_with_its_code() {
    let fight = |pointer: &str, value: Value| code("air-combat", with(even_fight(), pointer, value), json!([3, 3]));
    assert_eq!(code("air-combat", even_fight(), json!([3, 3])), "ok");
    assert_eq!(
        code("air-combat", json!({"first": fighters("b1", None), "second": fighters("r1", None)}), json!([3, 3])),
        "missing-field"
    );
    assert_eq!(fight("/first/mood", json!("grim")), "unknown-field");
    assert_eq!(fight("/first/squadrons/0/strength", json!("twelve")), "wrong-type");
    assert_eq!(fight("/first/squadrons/0/strength", json!(11.5)), "wrong-type");
    assert_eq!(fight("/first/squadrons/0/strength", json!(true)), "wrong-type");
    assert_eq!(fight("/first/squadrons/0/strength", json!(13)), "out-of-range");
    assert_eq!(fight("/first/squadrons", json!([])), "out-of-range");
    assert_eq!(fight("/first/stance", json!("brave")), "bad-enum");
    assert_eq!(fight("/first/kind", json!("strike")), "illegal-attacker");
    assert_eq!(fight("/second/squadrons/0/id", json!("b1")), "duplicate-id");
    assert_eq!(fight("/first/skill", json!("elite")), "bad-markers");
    assert_eq!(fight("/first/allocation", json!({"b9": 1})), "unknown-id");
    assert_eq!(fight("/first/allocation", json!({"b1": 9})), "bad-allocation");
    assert_eq!(fight("/first/allocation", json!("by-lot")), "bad-enum");
    assert_eq!(code("air-combat", even_fight(), json!([3])), "dice-missing");
    assert_eq!(code("air-combat", even_fight(), json!([3, 3, 3])), "dice-unused");
    assert_eq!(code("air-combat", even_fight(), json!([3, 7])), "bad-die");
    assert_eq!(code("air-combat", even_fight(), json!([3, 2.5])), "bad-die");
    assert_eq!(code("dogs", json!({}), json!([])), "unknown-procedure");

    assert_eq!(code("hits-inflicted", json!({"strength": 49, "shift": 0}), json!([])), "out-of-range");
    assert_eq!(code("hits-inflicted", json!({"strength": 4}), json!([])), "missing-field");
    let search = |input: Value| code("detection", input, json!([]));
    assert_eq!(
        search(json!({"searcher": "recce", "distance": 2000, "searcher_number": 5, "hider_number": 1})),
        "out-of-range"
    );
    assert_eq!(search(json!({"searcher": "recce", "distance": 2000, "searcher_number": 1})), "missing-field");
    assert_eq!(
        search(json!({"searcher": "recce", "distance": 2000, "searcher_number": [1, 1, 1, 1], "hider_number": 1})),
        "wrong-type"
    );
    assert_eq!(
        search(json!({"searcher": "recce", "distance": 2000, "searcher_number": [0, 0, 0, 0], "hider_number": 1})),
        "out-of-range"
    );
    assert_eq!(search(json!({"searcher": "recce", "distance": 900})), "ok");
    let weights = json!({"searcher": "recce", "distance": 2000, "searcher_number": [999_999_999_999u64, 1, 0, 0],
        "hider_number": 1});
    let odds = answer(
        &system(),
        &json!({"system": "carrier-strike", "procedure": "detection", "input": weights,
            "odds": true, "field": "detected"})
        .to_string(),
    );
    assert_eq!(odds["odds"]["detected"]["false"], "1/1000000000000");

    let strike = |pointer: &str, value: Value| code("strike", with(bomber(), pointer, value), json!([3, 3]));
    assert_eq!(strike("/cv/hits", json!(8)), "cv-destroyed");
    assert_eq!(strike("/cv/hits", json!(9)), "out-of-range");
    assert_eq!(strike("/cv/aa_table", json!([8, 7])), "out-of-range");
    let flak = |kind: &str, more: &str, value: Value| {
        let input = json!({"squadron": {"id": "x", "kind": kind, "strength": 1, "stance": "patient",
            "aa_stance": "patient"}, "cv": {"hits": 0}});
        code("aa-fire", with(input, &format!("/squadron/{more}"), value), json!([3]))
    };
    assert_eq!(flak("fighter", "kamikaze", json!(true)), "inconsistent");
    assert_eq!(flak("recce", "skill", json!("elite")), "inconsistent");

    let fuel = |pointer: &str, value: Value| {
        code("ditching", with(json!({"strength": 12, "rl": 1, "distance": 500}), pointer, value), json!([]))
    };
    assert_eq!(fuel("/rl", json!(2)), "inconsistent");
    let won = |pointer: &str, value: Value| {
        code(
            "victory",
            with(
                json!({"scenario": "santa-cruz", "turn": 10, "blue": {"cv_hits": 0}, "red": {"cv_hits": 0}}),
                pointer,
                value,
            ),
            json!([]),
        )
    };
    assert_eq!(won("/turn", json!(11)), "out-of-range");
    assert_eq!(won("/scenario", json!("jutland")), "bad-enum");
    assert_eq!(won("/blue", json!({"cv_hits": 8, "disengaged": true})), "inconsistent");
    assert_eq!(won("/kamikaze_aircraft", json!(4)), "inconsistent");
    assert_eq!(won("/scenario", json!("kamikaze")), "missing-field");

    let walk = json!({"movers": [{"id": "b1", "at": [0, 0]}], "path": [[0, 100]], "allowance": 6000});
    assert_eq!(code("path", with(walk.clone(), "/allowance", json!(99)), json!([])), "path-too-long");
    assert_eq!(code("path", with(walk.clone(), "/path", json!([[0, "1"]])), json!([])), "wrong-type");
    // A list of another length is outside its limits, also where it stands for a point or a fraction.
    assert_eq!(code("path", with(walk, "/path", json!([[0]])), json!([])), "out-of-range");
    assert_eq!(code("measure", json!({"from": [0, 0, 0], "to": [1, 1], "target": "point"}), json!([])), "out-of-range");
    for weight in [json!([3]), json!([3, 0]), json!([-1, 2])] {
        assert_eq!(
            code("strike-value", json!({"strength": 12, "cv": {"hits": 0}, "hit_weight": weight}), json!([])),
            "out-of-range"
        );
    }
    let value = json!({"first": fighters("b1", Some("patient")), "second": fighters("r1", None)});
    assert_eq!(code("stance-value", value, json!([])), "inconsistent");
    let dogfight = json!({"attackers": [{"id": "b1", "strength": 12, "rl": 4}],
        "defenders": [{"id": "r1", "kind": "fighter", "strength": 12, "rl": 3}], "stances": {}});
    assert_eq!(code("dogfight", dogfight.clone(), json!([3, 3, 3, 3])), "missing-field");
    assert_eq!(code("dogfight", with(dogfight.clone(), "/evade", json!(["r9"])), json!([])), "unknown-id");
    assert_eq!(code("dogfight", with(dogfight, "/attackers/0/rl", json!(1)), json!([])), "illegal-attacker");
}

#[test]
fn the_request_itself_is_checked() {
    let ask = |request: &str| answer(&system(), request)["error"]["code"].as_str().unwrap_or("ok").to_owned();
    assert_eq!(ask("{"), "bad-json");
    let mut request = json!({"system": "carrier-strike", "procedure": "air-combat", "input": even_fight(),
        "dice": [1, 1], "odds": true});
    assert_eq!(ask(&request.to_string()), "dice-and-odds");
    request = json!({"system": "carrier-strike", "procedure": "air-combat",
        "input": with(even_fight(), "/first/allocation", json!({"b1": 2})), "odds": true});
    assert_eq!(ask(&request.to_string()), "odds-need-a-policy");
    request = json!({"system": "carrier-strike", "procedure": "air-combat", "input": even_fight(), "odds": true,
        "field": "third.lost"});
    assert_eq!(ask(&request.to_string()), "unknown-field");
}

/// A walk: cards are looked at before contact and guns after it, so that a contact hides the guns; cards come in the
/// order they are seen.
#[test]
fn a_walk_stops_at_contact_before_the_guns() {
    let walk = |input: Value| {
        answer(
            &system(),
            &json!({"system": "carrier-strike", "procedure": "path", "input": input, "dice": []}).to_string(),
        )["result"]
            .clone()
    };
    let cards = json!([{"id": "red-a", "at": [0, 4000], "real": true}]);
    let mut input = json!({"movers": [{"id": "b1", "at": [0, 0]}], "path": [[0, 4000]], "allowance": 6000,
        "enemies": [{"id": "r1", "at": [0, 4590]}], "cards": cards});
    let met = walk(input.clone());
    assert_eq!(
        (&met["flown"], &met["paused"]),
        (&json!(3500), &json!(true)),
        "over the edge of the card and in contact at the same step"
    );
    assert_eq!((&met["aa_targets"], &met["cards_detected"]), (&json!([]), &json!(["red-a"])));
    input["enemies"] = json!([]);
    assert_eq!(walk(input.clone())["aa_targets"], json!(["b1"]));
    input["cards"] =
        json!([{"id": "red-a", "at": [0, 5000], "real": true}, {"id": "red-b", "at": [0, 2000], "real": false}]);
    assert_eq!(walk(input)["cards_detected"], json!(["red-b", "red-a"]));
}

/// Every table read is in the trace with its row, its column and the die, so that the chart can be lit.
#[test]
fn the_trace_names_every_table_read() {
    let traced = |procedure: &str, input: Value, dice: Value| {
        let request = json!({"system": "carrier-strike", "procedure": procedure, "input": input, "dice": dice});
        answer(&system(), &request.to_string())["trace"].as_array().unwrap().clone()
    };
    let charts = flagplot_referee::System::charts(&system());
    let read = |trace: &[Value]| {
        let mut names = Vec::new();
        for table in trace.iter().map(|note| &note["table"]).filter(|table| !table.is_null()) {
            let text = |key: &str| table[key].as_str().unwrap().to_owned();
            let chart =
                charts.iter().find(|chart| chart.id == text("table")).unwrap_or_else(|| panic!("no chart for {table}"));
            assert!(
                chart.rows.iter().any(|(row, _)| *row == text("row")) && chart.columns.contains(&text("column")),
                "{table} is not on its chart"
            );
            names.push(text("table"));
        }
        names
    };
    let strike = traced("strike", bomber(), json!([3, 5]));
    assert_eq!(read(&strike), ["anti-aircraft", "combat-card", "hits-inflicted", "combat-card", "hits-inflicted"]);
    let hits: Vec<&Value> = strike.iter().filter(|note| note["what"] == "hits").map(|note| &note["dice"]).collect();
    assert_eq!(hits, [&json!([5]), &json!([3])]);
    let fight = traced("air-combat", even_fight(), json!([3, 4]));
    assert_eq!(
        read(&fight),
        ["combat-card", "hits-inflicted", "combat-card", "hits-inflicted", "break-off", "break-off"]
    );
    let both = json!({"attacker": "instinctive", "defender": "patient"});
    let dogfight = json!({"attackers": [{"id": "b1", "strength": 12, "rl": 4}],
        "defenders": [{"id": "r1", "kind": "strike", "strength": 12, "rl": 4},
            {"id": "r2", "kind": "strike", "strength": 11, "rl": 4}], "stances": {"step_5": both}});
    let told: Vec<String> = traced("dogfight", dogfight, json!([5, 1]))
        .iter()
        .map(|note| note["text"].as_str().unwrap().to_owned())
        .collect();
    assert!(told[0].contains("b1 (instinctive) against r1, r2 (patient)"), "{told:?}");
    assert!(told.contains(&"r1 loses 3, r2 loses 1.".to_owned()), "{told:?}");
    let given = traced("hits-inflicted", json!({"strength": 12, "shift": 2}), json!([]));
    assert_eq!(
        given[0]["modifiers"],
        json!([{"name": "shift", "value": 2, "rule": "hits-inflicted"}]),
        "a shift that is given is not a stance"
    );
    let search = json!({"searcher": "recce", "distance": 2000, "searcher_number": 1, "hider_number": 3});
    assert_eq!(read(&traced("detection", search, json!([]))), ["detection"]);
}

/// The figures the rules page gives for good play.
#[test]
fn known_equilibria_and_averages() {
    let ask = |procedure: &str, input: Value| {
        answer(
            &system(),
            &json!({"system": "carrier-strike", "procedure": procedure, "input": input, "dice": []}).to_string(),
        )["result"]
            .clone()
    };
    let sides = |kind: &str, first: u8, second: u8| {
        json!({"first": {"kind": "fighter",
            "squadrons": [{"id": "a", "strength": first, "rl": 4}]}, "second": {"kind": kind,
                "squadrons": [{"id": "b", "strength": second, "rl": 4}]}})
    };
    let uneven = ask("stance-value", sides("fighter", 12, 8));
    assert_eq!(uneven["value"], "23/21");
    assert_eq!(uneven["first_mix"], json!({"gung-ho": "3/7", "instinctive": "4/7", "patient": "0/1"}));
    assert_eq!(uneven["second_mix"], json!({"gung-ho": "0/1", "instinctive": "4/7", "patient": "3/7"}));
    let hunt = ask("stance-value", sides("strike", 12, 12));
    assert_eq!(hunt["value"], "31/12");
    assert_eq!(hunt["second_mix"], json!({"gung-ho": "0/1", "instinctive": "1/2", "patient": "1/2"}));
    assert_eq!(hunt["cells"]["instinctive"]["instinctive"]["second_lost"], "3/1");
    let strike = ask("strike-value", json!({"strength": 12, "cv": {"hits": 0}}));
    assert_eq!(
        (&strike["value"], &strike["striker_mix"]["gung-ho"], &strike["aa_mix"]["patient"]),
        (&json!("31/23"), &json!("12/23"), &json!("4/23"))
    );
    assert_eq!(ask("strike-value", json!({"strength": 12, "cv": {"hits": 4}}))["value"], "158/39");
}

/// Odds by merging equal states agree with walking every die, and with what the rules page says of strike orders.
#[test]
fn odds_agree_with_rolling_every_die() {
    let squadron = |id: &str, strength: u8| {
        json!({"id": id, "strength": strength, "stance": "instinctive",
            "aa_stance": "instinctive"})
    };
    let input = json!({"squadrons": [squadron("a", 12), squadron("b", 6)], "cv": {"hits": 3}});
    let odds = answer(
        &system(),
        &json!({"system": "carrier-strike", "procedure": "strike-group", "input": input, "odds": true}).to_string(),
    );
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    for roll in 0..6u32.pow(4) {
        let dice: Vec<u32> = (0..4).map(|at| roll / 6u32.pow(at) % 6 + 1).collect();
        let result = answer(
            &system(),
            &json!({"system": "carrier-strike", "procedure": "strike-group", "input": input, "dice": dice}).to_string(),
        );
        *counts.entry(result["result"]["cv_hits"].to_string()).or_default() += 1;
    }
    for (hits, count) in counts {
        let chance = odds["odds"]["cv_hits"][&hits].as_str().unwrap();
        let (a, b) = chance.split_once('/').unwrap();
        assert_eq!(a.parse::<u64>().unwrap() * 1296, count * b.parse::<u64>().unwrap(), "{hits} hits");
    }
}

/// Strike orders and waves, to two decimals as the specification of the game gives them.
#[test]
fn full_squadrons_strike_first() {
    let chances = |strengths: &[u8], stance: &str| -> Vec<(u64, f64)> {
        let squadrons: Vec<Value> = strengths
            .iter()
            .enumerate()
            .map(|(at, strength)| {
                json!({"id": format!("b{at}"), "strength": strength, "stance": stance,
                    "aa_stance": "instinctive"})
            })
            .collect();
        let request = json!({"system": "carrier-strike", "procedure": "strike-group",
            "input": {"squadrons": squadrons, "cv": {"hits": 0}}, "odds": true, "field": "cv_hits"});
        let answer = answer(&system(), &request.to_string());
        let fraction = |text: &str| {
            text.split_once('/').map(|(a, b)| a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap()).unwrap()
        };
        answer["odds"]["cv_hits"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(hits, chance)| (hits.parse().unwrap(), fraction(chance.as_str().unwrap())))
            .collect()
    };
    let average = |strengths: &[u8]| {
        chances(strengths, "instinctive").iter().map(|(hits, chance)| *hits as f64 * chance).sum::<f64>()
    };
    let crippled = |waves: usize, stance: &str| {
        chances(&vec![12; waves], stance).iter().filter(|(hits, _)| *hits >= 4).map(|(_, chance)| chance).sum::<f64>()
    };
    let close = |got: f64, want: f64| assert!((got - want).abs() < 0.005, "{got} is not {want}");
    close(average(&[12, 12, 6]), 2.01);
    close(average(&[6, 12, 12]), 1.94);
    close(average(&[12]), 7.0 / 9.0);
    close(crippled(3, "instinctive"), 0.31);
    close(crippled(4, "instinctive"), 0.60);
    close(crippled(3, "gung-ho"), 0.60);
    close(crippled(4, "gung-ho"), 0.87);
}

/// A dogfight of eight squadrons is counted exactly, and the chances of every field sum to one.
#[test]
fn a_large_dogfight_has_exact_odds() {
    let both = json!({"attacker": "instinctive", "defender": "instinctive"});
    let input = json!({
        "attackers": [{"id": "b1", "strength": 12, "rl": 4}, {"id": "b2", "strength": 12, "rl": 4}],
        "defenders": [{"id": "r1", "kind": "fighter", "strength": 12, "rl": 4},
            {"id": "r2", "kind": "strike", "strength": 12, "rl": 4}, {"id": "r3", "kind": "strike", "strength": 12,
                "rl": 4}, {"id": "rr1", "kind": "recce", "strength": 1, "rl": 4}],
        "stances": {"step_1": both, "step_2": both, "step_5": both},
    });
    let odds = answer(
        &system(),
        &json!({"system": "carrier-strike", "procedure": "dogfight", "input": input, "odds": true}).to_string(),
    );
    let fields = odds["odds"].as_object().unwrap_or_else(|| panic!("{odds}"));
    assert!(fields.contains_key("attackers.b1.strength") && fields.contains_key("defender_losses"));
    for (field, values) in fields {
        let sum: f64 = values
            .as_object()
            .unwrap()
            .values()
            .map(|chance| {
                chance
                    .as_str()
                    .unwrap()
                    .split_once('/')
                    .map(|(a, b)| a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap())
                    .unwrap()
            })
            .sum();
        assert!((sum - 1.0).abs() < 1e-9, "{field} sums to {sum}");
    }
}

/// Odds that lump faces together agree with rolling each face.
#[test]
fn dogfight_odds_agree_with_rolling_every_die() {
    let input = json!({
        "attackers": [{"id": "b1", "strength": 11, "rl": 4}],
        "defenders": [{"id": "r1", "kind": "strike", "strength": 12, "rl": 2}],
        "stances": {"step_5": {"attacker": "gung-ho", "defender": "patient"}},
    });
    let odds = answer(
        &system(),
        &json!({"system": "carrier-strike", "procedure": "dogfight", "input": input, "odds": true}).to_string(),
    );
    for field in ["attacker_losses", "defender_losses", "strike_aircraft_in_hand"] {
        let mut counts = std::collections::BTreeMap::<String, u64>::new();
        for first in 1..=6 {
            for second in 1..=6 {
                let result = answer(
                    &system(),
                    &json!({"system": "carrier-strike", "procedure": "dogfight",
                        "input": input, "dice": [first, second]})
                    .to_string(),
                );
                *counts.entry(result["result"][field].to_string()).or_default() += 1;
            }
        }
        assert_eq!(counts.len(), odds["odds"][field].as_object().unwrap().len(), "{field}");
        for (value, count) in counts {
            let (a, b) = odds["odds"][field][&value].as_str().unwrap().split_once('/').unwrap();
            assert_eq!(a.parse::<u64>().unwrap() * 36, count * b.parse::<u64>().unwrap(), "{field} {value}");
        }
    }
}

/// Nearly every roll of a wave makes another list of strikes: those of two squadrons can be told, those of four are too
/// many.
#[test]
fn lists_of_strikes_are_told_as_long_as_somebody_could_read_them() {
    let ask = |count: usize| {
        let squadrons: Vec<Value> = (1..=count)
            .map(
                |n| json!({"id": format!("b{n}"), "strength": 12, "stance": "instinctive", "aa_stance": "instinctive"}),
            )
            .collect();
        let request = json!({"system": "carrier-strike", "procedure": "strike-group",
            "input": {"squadrons": squadrons, "cv": {"hits": 0}}, "odds": true, "field": "strikes"});
        answer(&system(), &request.to_string())
    };
    assert!(ask(2)["odds"]["strikes"].as_object().is_some_and(|lists| lists.len() > 36));
    assert_eq!(ask(4)["error"]["code"], "budget-exceeded");
}
