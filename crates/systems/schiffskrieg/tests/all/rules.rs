//! Every rule reference is cited by code, has its place on the rules page, and is met by a test.

use crate::common::{Watch, aloud, by_offers, playable, system};
use flagplot_kernel::{Answer, AtRandom, ByInstinct, Chance, Note, Question};
use flagplot_referee::answer;
use flagplot_schiffskrieg::game::State;
use flagplot_schiffskrieg::rule;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn sources(folder: &Path, out: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.file_name().is_some_and(|name| name != "rule.rs") {
            out.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_rule_is_cited_by_code() {
    let mut code = String::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    sources(&folder, &mut code);
    let declared = std::fs::read_to_string(folder.join("rule.rs")).unwrap();
    let names: Vec<&str> =
        declared.lines().filter_map(|line| line.trim().split_once(" = \"").map(|(name, _)| name)).collect();
    assert_eq!(names.len(), rule::ALL.len());
    let cited = |name: &str| {
        code.match_indices(&format!("rule::{name}"))
            .any(|(at, found)| !code[at + found.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    let missing: Vec<&&str> = names.iter().filter(|name| !cited(name)).collect();
    assert!(missing.is_empty(), "never cited: {missing:?}");
}

#[test]
fn every_rule_has_its_place_on_the_page() {
    let page = system().rules_page();
    let missing: Vec<&str> =
        rule::ALL.iter().map(|rule| rule.id).filter(|id| !page.contains(&format!("<a id=\"{id}\"></a>"))).collect();
    assert!(missing.is_empty(), "no anchor: {missing:?}");
    // And the other way round: whatever looks like a ruling is one of the specification's, once.
    for kind in ["R", "C"] {
        let last = if kind == "R" { 27 } else { 21 };
        for n in 1..=last {
            let anchor = format!("<a id=\"{kind}-{n}\"></a>");
            assert_eq!(page.matches(&anchor).count(), 1, "{anchor}");
        }
    }
}

#[derive(Default)]
struct Met(BTreeSet<String>);

impl Met {
    fn json(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.json(item)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    match (name.as_str(), value) {
                        ("rule", Value::String(id)) => drop(self.0.insert(id.clone())),
                        ("rules", Value::Array(ids)) => {
                            self.0.extend(ids.iter().filter_map(|id| id.as_str().map(str::to_owned)))
                        }
                        _ => self.json(value),
                    }
                }
            }
            _ => {}
        }
    }
}

impl Watch for Met {
    fn question(&mut self, _: &State, _: &[Answer], question: &Question) {
        self.0.extend(question.open().iter().filter_map(|asked| asked.prompt.rule).map(|rule| rule.id.to_owned()));
    }

    fn notes(&mut self, notes: &[Note]) {
        for note in notes {
            self.0.extend(note.rules.iter().map(|rule| rule.id.to_owned()));
            self.0.extend(note.modifiers.iter().filter_map(|modifier| modifier.rule).map(|rule| rule.id.to_owned()));
        }
    }
}

#[test]
fn every_rule_is_met() {
    let system = system();
    let mut met = Met::default();
    let vectors: Value = serde_json::from_str(include_str!("../vectors.json")).unwrap();
    for vector in vectors.as_array().expect("vectors") {
        let mut request =
            serde_json::json!({"system": "schiffskrieg", "procedure": vector["procedure"], "input": vector["input"]});
        request["seed"] = 1.into();
        met.json(&answer(&system, &request.to_string()));
    }
    let corpus: toml::Value = toml::from_str(include_str!("../bad_input.toml")).unwrap();
    for case in corpus["case"].as_array().unwrap() {
        met.json(&answer(&system, case["request"].as_str().unwrap()));
    }
    for (id, options) in playable() {
        let game = system.game(&id, &options).unwrap();
        for seed in 0..4 {
            let states = by_offers(&game, seed, &mut met);
            let outcome = flagplot_kernel::Game::outcome(&game, states.last().unwrap()).unwrap();
            met.json(&outcome.details);
            for (_, notes, asked) in [
                aloud(&game, AtRandom, &mut Chance::stream(8, seed)),
                aloud(&game, ByInstinct, &mut Chance::stream(8, seed)),
            ] {
                met.notes(&notes);
                met.0.extend(asked.into_iter().map(str::to_owned));
            }
        }
    }
    // A side that has nobody left is too rare to wait for.
    let (game, state) = crate::common::nobody_left();
    let mut tape = flagplot_kernel::Tape::new(Vec::new());
    flagplot_kernel::advance(&game, &state, &mut tape).unwrap();
    met.notes(tape.notes());
    let missing: Vec<&str> = rule::ALL.iter().map(|rule| rule.id).filter(|id| !met.0.contains(*id)).collect();
    assert!(missing.is_empty(), "met by nothing: {missing:?}");
}
