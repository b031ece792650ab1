//! What a player is told at a ground battle's questions, and that the referee says the same.

use crate::common::{ask, system};
use crate::ground_map::{Field, field, two_lines};
use flagplot_kernel::{Answer, Faces, Game, Insight, Progress, Seat, Tape, Viewer, advance};
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

#[test]
fn each_loss_is_shown_with_the_fight_it_leaves() {
    let field = losses();
    assert_eq!(field.code(), "losses");
    let all = told(&field, None);
    assert_eq!(all[0].title, "What each loss leaves");
    let options = field.options();
    assert_eq!(all[0].lines.len(), options.len(), "{:?}", all[0].lines);
    for (value, line) in options.iter().zip(&all[0].lines) {
        assert_eq!(
            told(&field, Some(value))[0].lines,
            std::slice::from_ref(line),
            "one loss is told as it is in the list"
        );
        // The fight that follows is the one that was told.
        let mut then = losses();
        then.answer(value.clone());
        let after = told(&then, None);
        let (told, title) = (line.split(": ").nth(1).unwrap(), &after[0].title);
        let odds = told.split(';').next().unwrap();
        assert!(title.contains(odds), "{line} / {title}");
        let falls = after[1].lines[0].trim_start_matches("Never: ");
        assert!(line.ends_with(falls), "{line} / {falls}");
    }
}

/// An attack that must give up counters.
fn losses() -> Field {
    let mut field = field(
        "
        .  a2 .
        a1 b1+b3 .
        .  a3 b2
        ",
        &[
            ("a1", "infantry"),
            ("a2", "infantry"),
            ("a3", "armor"),
            ("b1", "infantry"),
            ("b3", "shock-infantry"),
            ("b2", "infantry"),
        ],
    );
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    field.answer(json!({"attack": {"target": "0202", "units": ["a1", "a2", "a3"]}}));
    field.answer(json!("done"));
    // 10 against 10 is 1:1; a 2 costs the attacker half of 10.
    field.dice(&[2]);
    field
}

#[test]
fn attrition_counters_and_hexes_are_weighed() {
    let mut field = two_lines("b3", ".");
    field.answer(json!("attrition"));
    // 24 factors and a 4: 2C/1H.
    field.dice(&[4]);
    let lost = json!(["b1", "b3"]);
    let counters = told(&field, Some(&lost));
    assert_eq!(counters[0].lines.len(), 2, "{:?}", counters[0].lines);
    assert!(counters[0].lines[0].contains("0102 and 0302 are left empty"), "{:?}", counters[0].lines);
    assert_eq!(counters[0].lines[1], "The enemy may then take 1 hex.");
    field.answer(lost);
    assert_eq!(field.code(), "take-hex");
    let hexes = told(&field, None);
    assert_eq!(hexes.len(), field.options().len() - 1, "every hex that can be taken");
    let taken = told(&field, Some(&json!({"hex": "0202"})));
    assert_eq!(taken.len(), 1);
    assert!(taken[0].lines[0].contains("retreats to"), "{:?}", taken[0].lines);
    field.answer(json!({"hex": "0202"}));
    assert_eq!(field.code(), "retreat");
    let ways = told(&field, None);
    assert_eq!(ways[0].lines.len(), 6, "every neighbour: {:?}", ways[0].lines);
    let open = ways[0].lines.iter().filter(|line| line.contains("supply")).count();
    assert_eq!(open, field.options().len(), "{:?}", ways[0].lines);
}

#[test]
fn the_attacks_to_come_are_weighed() {
    let mut field = field(
        "
        _ a1+a2 b1 .
        _ _     .  .
        _ a3+a4 b2 .
        ",
        &[("a1", "armor"), ("a2", "armor"), ("a3", "armor"), ("a4", "armor"), ("b1", "infantry"), ("b2", "infantry")],
    );
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    field.answer(json!({"attack": {"target": "0301", "units": ["a1", "a2"]}}));
    field.answer(json!({"attack": {"target": "0303", "units": ["a3"]}}));
    field.answer(json!("done"));
    assert_eq!(field.code(), "resolve");
    let insights = told(&field, None);
    assert!(insights[0].lines[0].starts_with("0301, 2:1: the hex falls in"), "{:?}", insights[0].lines);
    assert!(insights[0].lines[1].starts_with("0303, 1:1: the hex falls in"), "{:?}", insights[0].lines);
}

/// The luck of the side that rolls, for each face of the die that is due.
fn luck(field: &Field) -> Vec<(i64, i64)> {
    let faces = (1..=6).map(|face| {
        let die = Answer::Dice(Faces(vec![face]));
        let next = match advance(&field.game, &field.state, &mut Tape::new(vec![die])) {
            Ok(Progress::Stepped(next)) => next,
            other => panic!("{other:?}"),
        };
        let [own, enemy] = field.game.luck(&field.state, &next);
        assert_eq!(enemy, Default::default(), "one die is the luck of the side that rolls it");
        (own.expected, own.real)
    });
    faces.collect()
}

/// Each face's luck is what the referee makes of it in thousandths of a counter, and the expected value their mean.
fn luck_is_as_ruled(field: &Field, procedure: &str, input: &Value, worth: impl Fn(&Value) -> i64) {
    let ruled: Vec<i64> = (1..=6)
        .map(|face| worth(&ask(&system(), procedure, input.clone(), json!({"dice": [face]}))["result"]))
        .collect();
    let mean = ruled.iter().sum::<i64>() / 6;
    let wanted: Vec<(i64, i64)> = ruled.iter().map(|real| (mean, *real)).collect();
    assert_eq!(luck(field), wanted);
    assert!(ruled.iter().any(|real| *real != mean), "{ruled:?}");
}

#[test]
fn the_luck_of_an_assault_is_measured_against_exact_odds() {
    for (units, kind, factors) in [(&["a1", "a2"][..], "infantry", 2), (&["a1"], "shock-infantry", 3)] {
        let mut field = field(
            "
            _ a1+a2 b1 .
            _ _     .  b2
            ",
            &[("a1", "infantry"), ("a2", "infantry"), ("b1", kind), ("b2", "infantry")],
        );
        field.answer(json!("offensive"));
        field.answer(json!("done"));
        field.answer(json!({"attack": {"target": "0301", "units": units}}));
        field.answer(json!("done"));
        assert_eq!(field.code(), "dice");
        let attackers: Vec<Value> = units.iter().map(|id| json!({"id": id, "factors": 3})).collect();
        let input = json!({"attackers": attackers, "defenders": [{"id": "b1", "factors": factors, "dm": 2}]});
        let counters = |list: &Value| 1000 * list.as_array().expect("a list").len() as i64;
        luck_is_as_ruled(&field, "ground-combat", &input, |result| {
            counters(&result["defender_removed"]) - counters(&result["attacker_removed"])
        });
    }
}

#[test]
fn the_luck_of_attrition_is_measured_against_exact_odds() {
    let mut field = two_lines("b3", "b4");
    field.answer(json!("attrition"));
    let input = json!({"attackers": [{"factors": 24, "ctl": 1}], "defenders": [{"factors": 6, "ctl": 1}]});
    // A hex is reckoned as a quarter of a counter.
    luck_is_as_ruled(&field, "attrition", &input, |result| {
        1000 * result["counters"].as_i64().expect("a number") + 250 * result["hexes"].as_i64().expect("a number")
    });
}
