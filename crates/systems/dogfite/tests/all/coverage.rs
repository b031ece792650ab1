//! Every rule is cited by the code and met by a test; the list of those that are not is printed and must be empty.

use crate::common::{Listener, battles, ruled, system};
use flagplot_kernel::{Chance, Game, Rule};
use flagplot_referee::run_vectors;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SOURCES: &[&str] = &[
    include_str!("../../src/bet.rs"),
    include_str!("../../src/critical.rs"),
    include_str!("../../src/damage.rs"),
    include_str!("../../src/edge.rs"),
    include_str!("../../src/ending.rs"),
    include_str!("../../src/fire.rs"),
    include_str!("../../src/flight.rs"),
    include_str!("../../src/hangar.rs"),
    include_str!("../../src/initiative.rs"),
    include_str!("../../src/movement.rs"),
    include_str!("../../src/victory.rs"),
    include_str!("../../src/refusals.rs"),
    include_str!("../../src/game/choices.rs"),
    include_str!("../../src/game/choose_targets.rs"),
    include_str!("../../src/game/combat.rs"),
    include_str!("../../src/game/finish.rs"),
    include_str!("../../src/game/mod.rs"),
    include_str!("../../src/game/moves.rs"),
    include_str!("../../src/game/screen.rs"),
    include_str!("../../src/game/setup.rs"),
    include_str!("../../src/game/turn.rs"),
];

/// The rules cited in a response: in the notes of its trace, their modifiers, and its refusal.
fn cited_in(answer: &Value, met: &mut BTreeSet<String>) {
    let mut cite = |value: &Value| met.extend(value.as_str().map(str::to_owned));
    cite(&answer["error"]["rule"]);
    for note in answer["trace"].as_array().into_iter().flatten() {
        note["rules"].as_array().into_iter().flatten().for_each(&mut cite);
        note["modifiers"].as_array().into_iter().flatten().for_each(|modifier| cite(&modifier["rule"]));
    }
}

fn missing(met: &BTreeSet<String>, all: &[Rule]) -> Vec<&'static str> {
    all.iter().map(|rule| rule.id).filter(|id| !met.contains(*id)).collect()
}

#[test]
fn every_rule_is_met() {
    let system = system();
    let mut met: BTreeSet<String> = BTreeSet::new();
    run_vectors(&system, include_str!("../vectors.json"), |answer| cited_in(answer, &mut met));
    run_vectors(&system, include_str!("../own_vectors.json"), |answer| cited_in(answer, &mut met));
    let bad: Vec<(String, Value, String)> = serde_json::from_str(include_str!("../bad_input.json")).unwrap();
    for (procedure, input, _) in bad {
        cited_in(&ruled(&system, &procedure, &input, json!({"dice": []})), &mut met);
    }
    let mut cited = BTreeSet::new();
    let mut games: Vec<_> = battles(&system).iter().map(|id| system.game(id, &Value::Null).unwrap()).collect();
    games.push(system.game("free-play", &Value::Null).unwrap());
    for (n, game) in games.iter().cycle().take(100).enumerate() {
        let mut chance = Chance::stream(5, n as u64);
        let mut state = game.setup();
        let mut steps = 0;
        while game.outcome(&state).is_none() {
            game.step(
                &mut state,
                &mut Listener { chance: &mut chance, instinct: [0, 70, 97][n % 3], cited: &mut cited },
            )
            .unwrap();
            steps += 1;
            assert!(steps <= game.step_limit(), "a game did not end");
        }
    }
    met.extend(cited.into_iter().map(str::to_owned));
    let missing = missing(&met, system.rules());
    println!("rules not met: {missing:?}");
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_rule_is_cited_by_the_code_and_stands_in_the_rules_page() {
    let system = system();
    let code = SOURCES.join("\n");
    let page = system.rules_page();
    let name = |rule: &Rule| format!("rule::{}", rule.id.to_uppercase().replace('-', "_"));
    let whole = |text: &str, word: &str| {
        text.match_indices(word)
            .any(|(at, _)| !text[at + word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    let uncited: Vec<_> = system.rules().iter().filter(|rule| !whole(&code, &name(rule))).map(|rule| rule.id).collect();
    let unwritten: Vec<_> = system
        .rules()
        .iter()
        .filter(|rule| !page.contains(&format!("<a id=\"{}\"></a>", rule.id)))
        .map(|rule| rule.id)
        .collect();
    println!("not cited: {uncited:?}; not in the rules page: {unwritten:?}");
    assert!(uncited.is_empty() && unwritten.is_empty(), "{uncited:?} {unwritten:?}");
}
