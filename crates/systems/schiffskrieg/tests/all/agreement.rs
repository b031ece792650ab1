//! Two ways that must agree: exact odds, and the frequencies of rolled dice.

use crate::common::{attack, system, unit};
use flagplot_referee::answer;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const ROLLS: u64 = 2000;

fn fraction(text: &str) -> f64 {
    let (a, b) = text.split_once('/').expect("a fraction");
    a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap()
}

fn at<'a>(value: &'a Value, field: &str) -> &'a Value {
    field.split('.').fold(value, |value, name| &value[name])
}

/// Pearson's statistic of the frequencies against the odds must be no larger than chance makes it once in ten thousand
/// times.
fn check(procedure: &str, input: &Value, fields: &[&str]) {
    let system = system();
    let mut counts: Vec<BTreeMap<String, u64>> = vec![BTreeMap::new(); fields.len()];
    for seed in 0..ROLLS {
        let rolled = answer(
            &system,
            &json!({"system": "schiffskrieg", "procedure": procedure, "input": input, "seed": seed}).to_string(),
        );
        for (field, counts) in fields.iter().zip(&mut counts) {
            let value = match at(&rolled["result"], field) {
                Value::String(word) => word.clone(),
                other => other.to_string(),
            };
            *counts.entry(value).or_default() += 1;
        }
    }
    for (field, counts) in fields.iter().zip(counts) {
        let odds = answer(
            &system,
            &json!({"system": "schiffskrieg", "procedure": procedure, "input": input, "odds": true, "field": field})
                .to_string(),
        );
        let odds = odds["odds"][*field]
            .as_object()
            .unwrap_or_else(|| panic!("{procedure}: no odds of {field}: {odds}"))
            .clone();
        assert!(odds.len() > 1, "{procedure}: {field} is certain and proves nothing");
        assert!(
            counts.keys().all(|value| odds.contains_key(value)),
            "{procedure}: {field}: {counts:?} against {odds:?}"
        );
        // What is expected less than five times is one class.
        let (mut statistic, mut classes, mut rare) = (0.0, 0u32, (0.0, 0u64));
        let pearson = |expected: f64, seen: u64| (seen as f64 - expected).powi(2) / expected;
        for (value, chance) in &odds {
            let expected = fraction(chance.as_str().unwrap()) * ROLLS as f64;
            let seen = counts.get(value).copied().unwrap_or(0);
            if expected < 5.0 {
                rare = (rare.0 + expected, rare.1 + seen);
            } else {
                statistic += pearson(expected, seen);
                classes += 1;
            }
        }
        if rare.0 > 0.5 {
            statistic += pearson(rare.0, rare.1);
            classes += 1;
        }
        // The Wilson-Hilferty bound of the chi-squared distribution at one in ten thousand.
        let freedom = f64::from(classes.saturating_sub(1).max(1));
        let part = 2.0 / (9.0 * freedom);
        let bound = freedom * (1.0 - part + 3.719 * part.sqrt()).powi(3);
        assert!(statistic < bound, "{procedure}: {field}: {statistic:.1} against {bound:.1}: {counts:?} {odds:?}");
    }
}

#[test]
fn a_combat_round() {
    let input = json!({"action": "night",
        "phasing": {"units": [unit("bismarck", "battleship", [5, 0, 0, 9, 5]),
            unit("eugen", "cruiser", [2, 1, 0, 4, 2])]},
        "non_phasing": {"units": [unit("hood", "battleship", [5, 0, 0, 9, 5]),
            unit("norfolk", "cruiser", [2, 1, 0, 3, 2])]},
        "attacks": {"phasing": [attack("bismarck", "gunnery", "hood"), attack("eugen", "gunnery", "hood")],
            "non_phasing": [attack("hood", "gunnery", "eugen"), attack("norfolk", "torpedo", "bismarck")]}});
    check(
        "combat-round",
        &input,
        &[
            "units.hood.box",
            "units.eugen.box",
            "units.hood.damage_points",
            "units.eugen.hits",
            "summary.non_phasing.in_line",
            "empty_line",
        ],
    );
}

#[test]
fn a_base_attack() {
    let input = json!({"phasing": {"units": [unit("akagi", "carrier", [2, 0, 6, 7, 4]),
        unit("kaga", "carrier", [2, 0, 6, 7, 4])]},
        "non_phasing": {"units": [unit("arizona", "battleship", [5, 0, 0, 8, 4]),
            unit("wing", "lba", [0, 0, 4, 5, 3])]},
        "surprise_rounds": 1,
        "rounds": [{"phasing": [attack("akagi", "airstrike", "arizona"), attack("kaga", "airstrike", "wing")],
            "non_phasing": []},
            {"phasing": [attack("akagi", "airstrike", "wing"), attack("kaga", "airstrike", "arizona")],
                "non_phasing": [attack("wing", "airstrike", "akagi")]}]});
    check(
        "base-attack",
        &input,
        &["units.arizona.fate", "units.wing.fate", "units.akagi.fate", "summary.non_phasing.sunk_destroyed"],
    );
}

#[test]
fn a_whole_battle() {
    let doctrine = |wish: [&str; 2], targeting: &str, retreat: &str| {
        json!({"wish": wish, "targeting": targeting,
            "retreat": retreat})
    };
    let input = json!({"all_sea": true,
        "phasing": {"units": [unit("shokaku", "carrier", [0, 0, 6, 5, 3]), unit("haguro", "cruiser", [2, 2, 0, 4, 2])],
            "nearest_air_base": 3,
            "doctrine": doctrine(["day", "night"], "spread", "if-fewer")},
        "non_phasing": {"units": [unit("lexington", "carrier", [0, 0, 6, 7, 4]),
            unit("crace", "cruiser", [2, 1, 0, 5, 3])], "nearest_air_base": null,
            "doctrine": doctrine(["night", "day"], "focus", "never")}});
    check(
        "battle",
        &input,
        &[
            "outcome",
            "rounds_fought",
            "retreated",
            "units.shokaku.fate",
            "units.crace.fate",
            "vp.phasing",
            "vp.non_phasing",
        ],
    );
}
