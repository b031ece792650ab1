//! What an air battle refuses, says and explains at its questions.

use crate::air_games::{BATTLES, Played, game};
use flagplot_kernel::{
    Answer, AtRandom, Chance, Form, Game, Progress, Question, Refusal, Sampler, Seat, Tape, Viewer, advance,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn refused(day: &Played, answer: Answer) -> Refusal {
    let before = day.state.clone();
    let refusal = advance(&day.game, &day.state, &mut Tape::new(vec![answer])).expect_err("a refusal");
    assert_eq!(before, day.state, "an illegal answer changes nothing");
    refusal
}

fn sealed(axis: Value, allies: Value) -> Answer {
    Answer::Sealed(BTreeMap::from([(Seat(0), axis), (Seat(1), allies)]))
}

#[test]
fn each_illegal_plan_is_told_what_is_wrong() {
    let mut day = Played::new("adlertag-1940");
    day.step(Vec::new());
    for (axis, allies, code, words) in [
        (
            json!({"luftflotte-3:radar": 6, "luftflotte-3:convoys": 5}),
            json!({}),
            "not-enough-air",
            "Luftflotte 3 has 10 factors ready",
        ),
        (
            json!({"luftflotte-2:radar": 5, "luftflotte-3:radar": 4}),
            json!({}),
            "too-many-attackers",
            "At most 8 factors can attack Radar stations",
        ),
        (
            json!({}),
            json!({"group-11:reserve": 3, "group-12:reserve": 2}),
            "reserve-too-large",
            "The reserve holds at most 4 factors",
        ),
        (json!({"luftflotte-2:london": 1}), json!({}), "unknown-target", "There is no target 'london'"),
        (json!({"luftflotte-5:radar": 1}), json!({}), "unknown-group", "You have no group 'luftflotte-5'"),
        (json!({"luftflotte-2:radar": -1}), json!({}), "bad-number", "-1 is not a number of factors"),
        (json!("withdraw"), json!({}), "not-now", "It is your turn to plan the day"),
        (json!([1]), json!({}), "bad-answer", "a whole number for each name"),
        (json!({"luftflotte-2:radar": 1.5}), json!({}), "bad-answer", "a whole number for each name"),
    ] {
        let refusal = refused(&day, sealed(axis, allies));
        assert_eq!(refusal.code, code, "{refusal}");
        assert!(refusal.to_string().contains(words), "{refusal}");
    }
    let both = refused(&day, sealed(json!({"luftflotte-3:radar": 11}), json!({})));
    assert_eq!((both.code, both.also[0].code), ("not-enough-air", "too-many-attackers"), "all reasons at once");
}

#[test]
fn nobody_withdraws_from_strategic_bombing() {
    let mut day = Played::new("schweinfurt-1943");
    day.step(Vec::new());
    let refusal = refused(&day, sealed(json!({}), json!("withdraw")));
    assert_eq!(refusal.code, "not-now");
    assert!(refusal.message.contains("strategic bombing"), "{refusal}");
    day.plans(json!({"jagdkorps-1:reserve": 3}), json!({"eighth-air-force:regensburg": 4}));
    for (answer, code) in [("withdraw", "not-now"), ("berlin", "unknown-target"), ("schweinfurt", "not-attacked")] {
        assert_eq!(refused(&day, Answer::Choice(json!(answer))).code, code, "{answer}");
    }
}

#[test]
fn losses_must_be_exactly_what_is_due() {
    let mut day = Played::new("malta-1942");
    day.step(Vec::new());
    day.plans(
        json!({"fliegerkorps-2:grand-harbour": 5, "aeronautica:grand-harbour": 3}),
        json!({"malta-wing:grand-harbour": 4}),
    );
    day.dice(&[[3, 4], [3, 4]]);
    for (answer, code) in [
        (json!({}), "wrong-losses"),
        (json!({"aeronautica": 2}), "wrong-losses"),
        (json!({"aeronautica": 4, "fliegerkorps-2": 0}), "not-enough-air"),
        (json!({"malta-wing": 1}), "unknown-group"),
        (json!("continue"), "not-now"),
    ] {
        assert_eq!(refused(&day, Answer::Choice(answer.clone())).code, code, "{answer}");
    }
    let Question::Choice(asked) = day.question() else { panic!("losses are asked for") };
    assert!(matches!(asked.form, Form::Numbers { total: Some(1), .. }));
}

/// Every question of many battles: its candidates are legal, its form can say them, and it is explained.
#[test]
fn every_candidate_is_legal_and_every_question_is_explained() {
    for battle in BATTLES {
        let game = game(battle);
        let mut codes: BTreeMap<&str, u32> = BTreeMap::new();
        for seed in 0..8 {
            let (mut state, mut chance) = (game.setup(), Chance::seeded(seed));
            while game.outcome(&state).is_none() {
                if let Ok(Progress::Asks(question)) = advance(&game, &state, &mut Tape::new(Vec::new())) {
                    for asked in question.open() {
                        *codes.entry(asked.prompt.code).or_default() += 1;
                        let view = game.view(&state, Viewer::Seat(asked.seat));
                        assert!(!game.explain(&view, &[], asked, None).is_empty(), "{battle}: {}", asked.prompt.code);
                        for option in &asked.options {
                            assert!(!option.label.is_empty());
                            let insights = game.explain(&view, &[], asked, Some(&option.value));
                            assert!(!insights.is_empty(), "{battle}: {}", asked.prompt.code);
                            let answer = match question {
                                Question::Secret { .. } => Answer::Sealed([(asked.seat, option.value.clone())].into()),
                                _ => Answer::Choice(option.value.clone()),
                            };
                            let tried = advance(&game, &state, &mut Tape::new(vec![answer]));
                            assert!(tried.is_ok(), "{battle}: {} refuses {}", asked.prompt.code, option.value);
                            if let (Form::Numbers { items, limits, .. }, Value::Object(map)) =
                                (&asked.form, &option.value)
                            {
                                for (key, number) in map {
                                    let at = items.iter().position(|item| item.id == *key).expect("an item");
                                    let number = number.as_i64().expect("a number");
                                    assert!(
                                        (limits[at].0..=limits[at].1).contains(&number),
                                        "{battle}: {key} {number}"
                                    );
                                }
                            }
                        }
                    }
                }
                game.step(&mut state, &mut Sampler::new(&mut chance, AtRandom)).expect("a sampler answers everything");
            }
        }
        for code in ["attack-plan", "defense-plan", "reserve"] {
            assert!(codes.contains_key(code), "{battle} never asks {code}");
        }
        assert_eq!(
            codes.contains_key("losses"),
            battle != "adlertag-1940",
            "{battle}: groups of one kind are not asked"
        );
    }
}

#[test]
fn staying_and_leaving_are_explained() {
    let mut day = Played::new("adlertag-1940");
    day.step(Vec::new());
    day.plans(json!({"luftflotte-2:radar": 8}), json!({"group-11:radar": 8}));
    day.dice(&[[1, 1], [1, 1]]);
    let question = day.question();
    let asked = question.to(Seat(0)).expect("the attacker stays or leaves");
    let view = day.game.view(&day.state, Viewer::Seat(Seat(0)));
    let titles = |value: Option<Value>| -> Vec<String> {
        let insights = day.game.explain(&view, &[], asked, value.as_ref());
        insights.into_iter().map(|insight| insight.title).collect()
    };
    let fight = "Radar stations: 4 attack, 4 defend, neither side withdraws";
    assert_eq!(titles(None), ["If you fight on", fight, "If you withdraw"]);
    assert_eq!(titles(Some(json!("withdraw"))), ["If you withdraw"]);
}

#[test]
fn a_plan_is_explained_round_by_round_in_exact_figures() {
    let mut day = Played::new("adlertag-1940");
    day.step(Vec::new());
    let question = day.question();
    let asked = question.to(Seat(0)).expect("the attacker plans");
    let plan = json!({"luftflotte-2:convoys": 4});
    let insights = day.game.explain(&day.game.view(&day.state, Viewer::Seat(Seat(0))), &[], asked, Some(&plan));
    let alone = insights.iter().find(|insight| insight.title.contains("none defend")).expect("no defenders");
    assert_eq!(alone.basis, "exact");
    // Guns of level 1 turn one back with 7, 8, eliminate one with 9, 10 and do both with 11, 12: 15 of 36 do nothing.
    let chance =
        |label: &str| alone.chances.iter().find(|chance| chance.label == label).map(|chance| chance.chance.as_str());
    assert_eq!(chance("bombs for 4 points"), Some("5/12"));
    assert_eq!(chance("bombs for 3 points"), Some("1/2"));
    assert_eq!(chance("bombs for 2 points"), Some("1/12"));
    let fought = insights.iter().find(|insight| insight.title.contains("neither side withdraws")).expect("a fight");
    assert!(fought.lines[0].starts_with("Round 1, on average: the Axis lose "), "{:?}", fought.lines);
}
