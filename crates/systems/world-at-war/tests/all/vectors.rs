//! The public vectors, and what must hold for every ruling.

use crate::common::{CASES, VECTORS, ask, system};
use flagplot_kernel::Files;
use flagplot_referee::{Codes, System as _, run_vectors};
use flagplot_world_at_war::System;
use serde_json::{Value, json};

#[test]
fn every_vector_agrees() {
    let wrong = run_vectors(&system(), VECTORS, |_| {});
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The answer to every vector that expects a ruling, with its procedure.
fn rulings(system: &System) -> Vec<(String, Value)> {
    let read = |vectors| serde_json::from_str::<Vec<Value>>(vectors).expect("vectors are JSON");
    let vectors = [VECTORS, CASES].into_iter().flat_map(read).filter(|vector| vector.get("expect").is_some());
    let ruling = |vector: Value| {
        let procedure = vector["procedure"].as_str().unwrap_or_default();
        let dice = vector.get("dice").cloned().unwrap_or_else(|| json!([]));
        (procedure.to_owned(), ask(system, procedure, vector["input"].clone(), json!({"dice": dice})))
    };
    vectors.map(ruling).collect()
}

#[test]
fn every_result_has_the_shape_it_declares() {
    let system = system();
    for (name, answer) in rulings(&system) {
        let procedure =
            system.procedures().iter().find(|procedure| procedure.about().name == name).expect("a known procedure");
        let result = answer["result"].clone();
        let checked = procedure.about().result.check(result.clone(), "result", &Codes::default());
        assert_eq!(checked.map_err(|refusal| format!("{name}: {refusal}")), Ok(result));
    }
}

#[test]
fn every_ruling_proves_itself() {
    let system = system();
    for (name, answer) in rulings(&system) {
        let trace = answer["trace"].as_array().expect("a trace");
        assert!(
            trace.iter().any(|note| note["rules"].as_array().is_some_and(|rules| !rules.is_empty())),
            "{name} cites no rule"
        );
        for note in trace {
            assert!(
                note["rules"].as_array().is_some_and(|rules| !rules.is_empty()),
                "{name}: a note without a rule: {note}"
            );
        }
    }
}

#[test]
fn thirteen_procedures_have_words_dice_and_rules() {
    let system = system();
    assert_eq!(system.procedures().len(), 13);
    for procedure in system.procedures() {
        let about = procedure.about();
        assert!(!about.help.is_empty() && !about.dice.is_empty() && !about.rules.is_empty(), "{}", about.name);
        let schema = about.input.json_schema();
        assert!(schema.get("type").or(schema.get("oneOf")).is_some(), "{}", about.name);
    }
}

#[test]
fn data_that_is_missing_is_named() {
    let error = System::new(&Files::default()).err().expect("no data, no system");
    assert_eq!(error.file, "tables.toml");
}
