//! What a player is told at a ground battle's questions, and that the referee says the same.

use crate::common::{ask, system};
use crate::ground_map::{Field, field};
use flagplot_kernel::{Game, Insight, Seat, Viewer};
use serde_json::{Value, json};

fn told(field: &Field, value: Option<&Value>) -> Vec<Insight> {
    let view = field.game.view(&field.state, Viewer::Seat(Seat(0)));
    field.game.explain(&view, &[], field.asked().expect("a question"), value)
}

fn declare(air: u8) -> Field {
    let mut field = field(
        "
        _ a1+a2 b1 .
        _ _     .  b2
        ",
        &[("a1", "infantry"), ("a2", "infantry"), ("b1", "shock-infantry"), ("b2", "infantry")],
    );
    field.air(air, 0);
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    field
}

#[test]
fn the_odds_of_an_attack_are_those_of_the_referee() {
    let field = declare(0);
    let attack = json!({"attack": {"target": "0301", "units": ["a1", "a2"], "support": 0}});
    let insights = told(&field, Some(&attack));
    assert!(insights[0].title.contains("6 against 6, 1:1"), "{}", insights[0].title);
    let units = json!([{"id": "a1", "factors": 3}, {"id": "a2", "factors": 3}]);
    let input = json!({"attackers": units, "defenders": [{"id": "b1", "factors": 3, "dm": 2}]});
    let ruled = ask(&system(), "ground-assault", input, json!({"odds": true, "field": "outcome"}));
    let text = ruled.to_string();
    for (label, outcome) in [
        ("The hex falls", "defender-eliminated"),
        ("Your units are gone", "attacker-eliminated"),
        ("Both sides are gone", "both-eliminated"),
    ] {
        let chance = insights[0].chances.iter().find(|chance| chance.label == label).map(|chance| &chance.chance);
        let chance = chance.unwrap_or_else(|| panic!("no chance for {label}"));
        assert!(text.contains(&format!("\"{outcome}\":\"{chance}\"")), "{outcome} {chance}: {text}");
    }
    assert_eq!(insights[1].lines.len(), 5, "every plan to go on or to break off: {:?}", insights[1].lines);
}

#[test]
fn one_more_air_factor_is_weighed() {
    let attack = json!({"attack": {"target": "0301", "units": ["a1", "a2"], "support": 5}});
    let insights = told(&declare(6), Some(&attack));
    let more = insights.iter().find(|insight| insight.title == "One more air factor").expect("an insight");
    assert!(more.lines[0].starts_with("Now 1:1") && more.lines[1].starts_with("With it 2:1"), "{:?}", more.lines);
}

#[test]
fn without_an_attack_every_column_within_reach_is_shown() {
    let insights = told(&declare(6), None);
    assert_eq!(insights.len(), 1, "one hex can be attacked");
    let ratios: Vec<&str> = insights[0].lines.iter().filter_map(|line| line.split(' ').next()).collect();
    assert!(ratios.contains(&"1:1") && ratios.contains(&"2:1"), "{:?}", insights[0].lines);
}

#[test]
fn the_whole_attrition_column_is_shown() {
    let field = field("_ a1+a2 b1 .", &[("a1", "armor"), ("a2", "armor"), ("b1", "infantry")]);
    let insights = told(&field, None);
    assert!(insights[0].title.contains("8 factors against 1 unit"), "{}", insights[0].title);
    assert_eq!(insights[0].lines.len(), 8, "{:?}", insights[0].lines);
    assert!(insights[0].lines[5].contains("6 on the die (1C): 1 counter and 0 hexes"), "{:?}", insights[0].lines);
}
