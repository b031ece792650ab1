//! Every rule that is declared is applied by code, met by a test, and explained on the rules page.

use crate::common::{CASES, VECTORS, ask, bad_requests, system};
use flagplot_referee::run_vectors;
use flagplot_world_at_war::rule;
use serde_json::{Value, json};
use std::collections::BTreeSet;
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
