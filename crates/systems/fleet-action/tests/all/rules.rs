//! Every rule reference is cited by the code, met by a test, and on the rules page.

use super::{broken, system};
use flagplot_fleet_action::rule;
use flagplot_referee::run_vectors;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// All rule references in the proofs and refusals of an answer.
fn gather(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), value) {
                    ("rule", Value::String(id)) => {
                        into.insert(id.clone());
                    }
                    ("rules", Value::Array(ids)) => {
                        into.extend(ids.iter().filter_map(Value::as_str).map(str::to_owned))
                    }
                    _ => gather(value, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, into)),
        _ => {}
    }
}

#[test]
fn own_vectors_agree() {
    let wrong = run_vectors(&system(), include_str!("../own_vectors.json"), |_| ());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_is_met_by_a_test() {
    let system = system();
    let mut met = BTreeSet::new();
    for vectors in
        [include_str!("../vectors.json"), include_str!("../own_vectors.json"), include_str!("../bad_input.json")]
    {
        run_vectors(&system, vectors, |answer| gather(answer, &mut met));
    }
    met.extend(super::fire::met_in_play());
    met.extend(super::air::met_here());
    met.extend(super::sea::met_here());
    let messages = [
        broken("small-craft.toml", "save_modifier = 0", "save_modifier = 3"),
        broken("ships.toml", r#"kind = "general", points = 3"#, r#"kind = "general", points = 11"#),
        broken("scenarios.toml", r#"ship = "admiral-graf-spee""#, r#"ship = "graf-zeppelin""#),
    ];
    for (id, message) in [("C-29", &messages[0]), ("C-32", &messages[1]), ("C-35", &messages[2])] {
        if message.contains(&format!("[{id}]")) {
            met.insert(id.to_owned());
        }
    }
    let unmet: Vec<_> = rule::ALL.iter().filter(|rule| !met.contains(rule.id)).map(|rule| rule.id).collect();
    assert!(unmet.is_empty(), "rules no test meets: {unmet:?}");
}

fn sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.file_name().is_some_and(|name| name != "rule.rs") {
            into.push_str(&fs::read_to_string(&path).expect("a source file"));
        }
    }
}

#[test]
fn every_rule_is_cited_by_code() {
    let mut code = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut code);
    let declared = include_str!("../../src/rule.rs")
        .lines()
        .filter_map(|line| line.trim().split_once(" = \"").map(|(name, _)| name.to_owned()));
    let names: Vec<String> = declared.collect();
    assert_eq!(names.len(), rule::ALL.len());
    let words: BTreeSet<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let uncited: Vec<_> = names.iter().filter(|name| !words.contains(name.as_str())).collect();
    assert!(uncited.is_empty(), "rules no code cites: {uncited:?}");
}

#[test]
fn every_rule_is_on_the_page() {
    let page = system().rules_page();
    let absent: Vec<_> = rule::ALL
        .iter()
        .filter(|rule| !page.contains(&format!("<a id=\"{}\"></a>", rule.id)))
        .map(|rule| rule.id)
        .collect();
    assert!(absent.is_empty(), "rules without an anchor: {absent:?}");
    let ids: BTreeSet<_> = rule::ALL.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), rule::ALL.len(), "an id is there twice");
}
