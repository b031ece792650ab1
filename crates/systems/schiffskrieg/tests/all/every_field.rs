//! The odds of every field of a result against all dice that can be rolled; and odds that would be too much work.

use crate::common::{attack, system};
use flagplot_odds::{Budget, Fraction};
use flagplot_referee::{Index, adjudicate, answer, parse};
use flagplot_schiffskrieg::System;
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Odds = BTreeMap<String, BTreeMap<String, Fraction>>;

fn unit(id: &str, kind: &str, factors: [u8; 5]) -> Value {
    let [gunnery, torpedo, airstrike, defense, damage] = factors;
    let back = json!({"gunnery": gunnery / 2, "torpedo": torpedo / 2, "airstrike": airstrike, "defense": damage});
    json!({"id": id, "kind": kind, "gunnery": gunnery, "torpedo": torpedo, "airstrike": airstrike, "defense": defense,
        "damage": damage, "damaged_side": back})
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Scalar fields by their path, and the lists among `lists`.
fn fields(value: &Value, path: &str, lists: &[&str], out: &mut Vec<(String, String)>) {
    if lists.contains(&path) {
        out.push((path.to_owned(), text(value)));
    }
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(all) => all.iter().for_each(|(name, value)| fields(value, &below(name), lists, out)),
        Value::Array(all) => all
            .iter()
            .enumerate()
            .filter(|_| !lists.is_empty())
            .for_each(|(at, value)| fields(value, &below(&at.to_string()), lists, out)),
        scalar if !lists.contains(&path) && !path.split('.').any(|part| part.parse::<u8>().is_ok()) => {
            out.push((path.to_owned(), text(scalar)))
        }
        _ => {}
    }
}

/// All dice that the rules can call for, one ruling for each row of them.
fn by_all_dice(system: &System, request: &Value, lists: &[&str]) -> Odds {
    let mut odds = Odds::new();
    let mut open: Vec<Vec<u8>> = vec![Vec::new()];
    while let Some(dice) = open.pop() {
        let mut request = request.clone();
        request["dice"] = json!(dice);
        let ruling = answer(system, &request.to_string());
        if ruling["error"]["code"] == "not-enough-dice" {
            open.extend((1..=6).map(|face| dice.iter().copied().chain([face]).collect()));
            continue;
        }
        let mut found = Vec::new();
        fields(&ruling["result"], "", lists, &mut found);
        assert!(!found.is_empty(), "{ruling}");
        let chance = Fraction::parse(&format!("1/{}", 6u64.pow(dice.len() as u32))).unwrap();
        for (field, value) in found {
            let sum = odds.entry(field).or_default().entry(value).or_insert_with(Fraction::zero);
            *sum = sum.plus(&chance);
        }
    }
    odds
}

fn told(system: &System, request: &Value, field: Option<&str>) -> Odds {
    let mut request = request.clone();
    request["odds"] = true.into();
    if let Some(field) = field {
        request["field"] = field.into();
    }
    let answer = answer(system, &request.to_string());
    let all = answer["odds"].as_object().unwrap_or_else(|| panic!("no odds: {answer}"));
    let values = |values: &Value| {
        values
            .as_object()
            .unwrap()
            .iter()
            .map(|(value, chance)| (value.clone(), Fraction::parse(chance.as_str().unwrap()).unwrap()))
            .collect()
    };
    all.iter().map(|(field, all)| (field.clone(), values(all))).collect()
}

/// All fields at once and each by its name are what all dice give.
fn check(procedure: &str, input: Value, lists: &[&str]) {
    let system = system();
    let request = json!({"system": "schiffskrieg", "procedure": procedure, "input": input});
    let expected = by_all_dice(&system, &request, lists);
    let scalars: Odds = expected
        .iter()
        .filter(|(field, _)| !lists.contains(&field.as_str()))
        .map(|(field, values)| (field.clone(), values.clone()))
        .collect();
    assert_eq!(told(&system, &request, None), scalars);
    for (field, values) in expected {
        assert_eq!(told(&system, &request, Some(&field)), [(field.clone(), values)].into(), "{field}");
    }
    for field in ["zz", "units.nobody.fate", "rounds.9.zz"] {
        let request =
            json!({"system": "schiffskrieg", "procedure": procedure, "input": input, "odds": true, "field": field});
        assert_eq!(answer(&system, &request.to_string())["error"]["code"], "unknown-field", "{field}");
    }
}

#[test]
fn of_a_base_attack() {
    let input = json!({"phasing": {"units": [unit("cv", "carrier", [0, 0, 1, 3, 2])]},
        "non_phasing": {"units": [unit("wing", "lba", [0, 0, 1, 4, 2]), unit("co", "convoy", [0, 0, 0, 3, 2])]},
        "rounds": [{"phasing": [attack("cv", "airstrike", "co")], "non_phasing": [attack("wing", "airstrike", "cv")]},
            {"phasing": [attack("cv", "airstrike", "co")], "non_phasing": []}]});
    check("base-attack", input, &["rounds.0.skipped", "rounds.1.skipped"]);
}

#[test]
fn of_an_attack() {
    let input = json!({"action": "day", "attacker": unit("cv", "carrier", [0, 0, 2, 3, 2]), "factor": "airstrike",
        "target": unit("dd", "destroyers", [1, 1, 0, 4, 2])});
    check("attack", input, &["attack_dice", "damage_dice"]);
}

#[test]
fn of_a_combat_round() {
    let input = json!({"action": "night", "phasing": {"units": [unit("ca", "cruiser", [1, 0, 0, 4, 2]),
        unit("ss", "submarine", [0, 1, 0, 3, 2])]},
        "non_phasing": {"units": [unit("dd", "destroyers", [1, 1, 0, 2, 1])]},
        "attacks": {"phasing": [attack("ca", "gunnery", "dd")], "non_phasing": [attack("dd", "torpedo", "ss")]}});
    check(
        "combat-round",
        input,
        &["attacks", "attacks.1.hits", "attacks.0.damage_dice", "line_of_battle.phasing", "line_of_battle.non_phasing"],
    );
}

#[test]
fn of_a_battle() {
    let doctrine = |wish: [&str; 2]| json!({"wish": wish, "targeting": "focus", "retreat": "if-fewer"});
    let input = json!({"all_sea": true, "phasing": {"units": [unit("cv", "carrier", [0, 0, 1, 4, 2])],
        "nearest_air_base": 3, "doctrine": doctrine(["day", "night"])},
        "non_phasing": {"units": [unit("ca", "cruiser", [0, 0, 0, 4, 2])], "nearest_air_base": null,
            "doctrine": doctrine(["night", "night"])}});
    check("battle", input, &["rounds.0.action", "rounds.1.rolled", "rounds.0.attacks"]);
}

/// The code of a request for odds under a budget.
fn refused(procedure: &str, input: Value, branches: u64) -> String {
    let system = system();
    let request = json!({"system": "schiffskrieg", "procedure": procedure, "input": input, "odds": true});
    let budget = Budget { branches, ..Budget::default() };
    let refusal =
        adjudicate(&system, &Index::of(&system), parse(request.to_string().as_bytes()).unwrap(), || 0, budget)
            .expect_err("too much");
    refusal.code.to_owned()
}

#[test]
fn too_many_states_are_refused_before_they_are_made() {
    let many = |kind: &str, side: &str, n: usize, factors: [u8; 5]| -> Vec<Value> {
        (0..n).map(|at| unit(&format!("{side}{at}"), kind, factors)).collect()
    };
    let doctrine = json!({"wish": ["night", "night"], "targeting": "spread", "retreat": "never"});
    let force = |side: &str| {
        json!({"units": many("battleship", side, 60, [40, 0, 0, 40, 20]),
            "nearest_air_base": null, "doctrine": doctrine})
    };
    assert_eq!(
        refused(
            "battle",
            json!({"all_sea": true, "phasing": force("p"), "non_phasing": force("n")}),
            Budget::default().branches
        ),
        "budget-exceeded"
    );
    let plan = |from: &str, to: &str| -> Vec<Value> {
        (0..6).map(|at| attack(&format!("{from}{at}"), "airstrike", &format!("{to}{at}"))).collect()
    };
    let round = json!({"phasing": plan("p", "n"), "non_phasing": plan("n", "p")});
    let raid = json!({"phasing": {"units": many("carrier", "p", 6, [0, 0, 6, 7, 4])},
        "non_phasing": {"units": many("lba", "n", 6, [0, 0, 5, 5, 3])}, "rounds": [round, round, round]});
    assert_eq!(refused("base-attack", raid, Budget::default().branches), "budget-exceeded");
}
