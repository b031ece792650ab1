//! Every rule that is declared is applied by code, met by a test, and explained on the rules page.

use crate::common::{CASES, VECTORS, ask, bad_requests, system};
use flagplot_kernel::{
    Ask, Asked, AtRandom, ByInstinct, Chance, Choice, Die, Game, Note, Policy, Refusal, Rule, Sampler,
};
use flagplot_referee::run_vectors;
use flagplot_world_at_war::rule;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::path::Path;

/// Everything called a rule in an answer.
fn cited(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("rule", Value::String(id)) => {
                        into.insert(id.clone());
                    }
                    ("rules", Value::Array(ids)) => {
                        into.extend(ids.iter().filter_map(|id| id.as_str().map(str::to_owned)))
                    }
                    _ => cited(value, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| cited(item, into)),
        _ => {}
    }
}

#[test]
fn our_own_cases_agree() {
    let wrong = run_vectors(&system(), CASES, |_| {});
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Answers by a policy and keeps every rule that notes, prompts and refusals cite.
struct Listening<'a, 'b, P> {
    sampler: Sampler<'a, P>,
    met: &'b mut BTreeSet<String>,
}

/// What a player might send by mistake.
fn mistakes() -> Vec<Value> {
    vec![json!({}), json!([]), json!("withdraw"), json!(0), json!(null), json!({"x:y": 1}), json!(["x"])]
}

impl<P: Policy> Listening<'_, '_, P> {
    fn asked<C: Choice>(&mut self, choice: &C) {
        let prompt = choice.prompt();
        self.met.extend(prompt.rule.map(|rule: Rule| rule.id.to_owned()));
        // Why an option is missing names its rule in brackets.
        for why in &prompt.missing {
            let ids = why.split('[').skip(1).filter_map(|part| part.split(']').next());
            self.met.extend(ids.filter(|id| rule::ALL.iter().any(|rule| rule.id == *id)).map(str::to_owned));
        }
        for value in mistakes() {
            if let Ok(value) = serde_json::from_value::<C::Value>(value)
                && let Err(refusal) = choice.check(&value)
            {
                let all: Vec<&Refusal> = std::iter::once(&refusal).chain(&refusal.also).collect();
                self.met.extend(all.iter().filter_map(|refusal| refusal.rule).map(|rule| rule.id.to_owned()));
            }
        }
    }
}

impl<P: Policy> Ask for Listening<'_, '_, P> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        self.sampler.roll(die, what)
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        self.asked(choice);
        self.sampler.decide(choice)
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        self.met.extend(note.rules.iter().map(|rule| rule.id.to_owned()));
        self.met.extend(note.modifiers.iter().filter_map(|modifier| modifier.rule).map(|rule| rule.id.to_owned()));
    }
}

/// Plays a whole game and keeps the rules it meets.
fn play<P: Policy>(game: &impl Game, seed: u64, policy: P, met: &mut BTreeSet<String>) {
    let mut chance = Chance::seeded(seed);
    let mut ask = Listening { sampler: Sampler::new(&mut chance, policy), met };
    let mut state = game.setup();
    for _ in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return;
        }
        game.step(&mut state, &mut ask).expect("a sampler answers everything");
    }
    panic!("the game goes on after {} steps", game.step_limit());
}

/// The rules met in whole games of a battle, random and greedy.
fn met_in_play(battle: &str, met: &mut BTreeSet<String>) {
    let game = system().game(battle, &Value::Null).expect("a battle");
    for seed in 0..3 {
        play(&game, seed, AtRandom, met);
    }
    play(&game, 3, ByInstinct, met);
}

#[test]
fn the_rules_of_air_battles_are_met_in_play() {
    let mut met = BTreeSet::new();
    for battle in crate::air_games::BATTLES {
        met_in_play(battle, &mut met);
    }
    for id in ["5.2", "C-2", "C-17", "C-22", "C-29", "19.2", "19.31A", "23.42", "R-3", "R-16", "R-27", "R-30", "R-31"] {
        assert!(met.contains(id), "air battles never meet {id}: {met:?}");
    }
}

#[test]
fn every_rule_is_met_by_a_test() {
    let system = system();
    let mut met = BTreeSet::new();
    for vectors in [VECTORS, CASES] {
        run_vectors(&system, vectors, |answer| cited(answer, &mut met));
    }
    for (procedure, input, dice, ..) in bad_requests() {
        cited(&ask(&system, procedure, input, json!({"dice": dice})), &mut met);
    }
    met.extend(crate::ground_play::cited());
    met.append(&mut crate::naval_play::met());
    for battle in system.scenarios() {
        met_in_play(&battle.id, &mut met);
    }
    let unmet: Vec<&str> = rule::ALL.iter().map(|rule| rule.id).filter(|id| !met.contains(*id)).collect();
    assert!(unmet.is_empty(), "no test meets {unmet:?}");
    let undeclared: Vec<&String> = met.iter().filter(|id| rule::ALL.iter().all(|rule| rule.id != **id)).collect();
    assert!(undeclared.is_empty(), "cited but not declared: {undeclared:?}");
}

fn sources(folder: &Path, into: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ext| ext == "rs")
            && path.file_name().is_some_and(|name| name != "rule.rs")
        {
            into.push(fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// The name of the constant of a rule, out of its declaration.
fn constant(id: &str) -> String {
    let declarations = include_str!("../../src/rule.rs");
    let line = declarations.lines().find(|line| line.contains(&format!("= \"{id}\","))).expect("a declaration");
    line.split('=').next().unwrap_or_default().trim().to_owned()
}

#[test]
fn every_rule_is_cited_by_the_rules_themselves() {
    let mut texts = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
    // The lists of rules in the procedures' own descriptions apply nothing.
    let is_list = |line: &str| {
        let line = line.trim();
        line.contains("const RULES")
            || (line.starts_with("&[rule::") && line.ends_with("];"))
            || (line.starts_with("rule::") && line.ends_with(',') && !line.contains('('))
    };
    let applied: String =
        texts.iter().flat_map(|text| text.lines()).filter(|line| !is_list(line)).collect::<Vec<_>>().join("\n");
    let uncited: Vec<String> = rule::ALL
        .iter()
        .map(|rule| format!("rule::{}", constant(rule.id)))
        .filter(|name| {
            !applied
                .match_indices(name.as_str())
                .any(|(at, _)| !applied[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
        .collect();
    assert!(uncited.is_empty(), "declared and never applied: {uncited:?}");
}

#[test]
fn every_rule_has_a_place_on_the_rules_page() {
    let page = system().rules_page();
    let missing: Vec<&str> =
        rule::ALL.iter().map(|rule| rule.id).filter(|id| !page.contains(&format!("<a id=\"{id}\"></a>"))).collect();
    assert!(missing.is_empty(), "not on the rules page: {missing:?}");
}
