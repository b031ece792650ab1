//! Every refusal by its code, with a message that names what is wrong, and no input that breaks anything.

use crate::common::{VECTORS, ask, bad_requests, system};
use flagplot_referee::answer;
use serde_json::{Value, json};

#[test]
fn each_fault_has_its_code_and_names_its_place() {
    let system = system();
    for (procedure, input, dice, code, named) in bad_requests() {
        let answer = ask(&system, procedure, input.clone(), json!({"dice": dice}));
        assert_eq!(answer["error"]["code"], code, "{procedure} {input}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(named), "{procedure} {input}: '{message}' does not name {named}");
    }
}

#[test]
fn everything_the_rules_object_to_is_said_at_once() {
    let elite = json!({"nation": "britain", "count": 0, "elite": true});
    let input = json!({"attackers": [elite], "defenders": [elite], "role": "cap", "radar_results": 1});
    let answer = ask(&system(), "air-combat", input, json!({"dice": []}));
    let error = &answer["error"];
    let codes: Vec<_> =
        [error].into_iter().chain(error["also"].as_array().expect("reasons")).map(|e| &e["code"]).collect();
    assert_eq!(codes, ["not-elite", "no-attackers", "not-elite", "no-defenders", "radar-not-applicable"]);
}

#[test]
fn requests_that_are_no_requests() {
    let system = system();
    let code = |request: &str| answer(&system, request)["error"]["code"].as_str().unwrap_or("none").to_owned();
    let combat = r#"{"attackers":[{"nation":"japan","count":1}],"defenders":[{"nation":"japan","count":1}]}"#;
    assert_eq!(code("{"), "bad-json");
    assert_eq!(code("[]"), "bad-type");
    assert_eq!(code(r#"{"system":"world-at-war","procedure":"diplomacy","input":{}}"#), "unknown-procedure");
    assert_eq!(code(r#"{"system":"world-at-war","procedure":"odds-ratio"}"#), "missing-field");
    assert_eq!(code(r#"{"system":"world-at-war","procedure":"odds-ratio","input":{},"weather":1}"#), "unknown-field");
    assert_eq!(
        code(&format!(
            r#"{{"system":"world-at-war","procedure":"air-combat","input":{combat},"dice":[1,1,1,1],"odds":true}}"#
        )),
        "dice-and-odds"
    );
    assert_eq!(
        code(&format!(
            r#"{{"system":"world-at-war","procedure":"air-combat","input":{combat},"odds":true,"field":"morale"}}"#
        )),
        "unknown-field"
    );
    for field in ["rounds_fought", "rounds", "rounds.0.attacker.roll"] {
        assert_eq!(
            code(&format!(
                r#"{{"system":"world-at-war","procedure":"air-battle","input":{combat},"odds":true,"field":"{field}"}}"#
            )),
            "bad-field"
        );
    }
    assert_eq!(
        code(&format!(
            r#"{{"system":"world-at-war","procedure":"air-battle","input":{combat},"odds":true,"field":"morale"}}"#
        )),
        "unknown-field"
    );
}

/// Numbers from a small generator, the same ones every time.
struct Lots(u64);

impl Lots {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// Every place inside a value.
fn places(value: &Value, path: String, into: &mut Vec<String>) {
    into.push(path.clone());
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| places(value, format!("{path}/{key}"), into)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| places(value, format!("{path}/{at}"), into))
        }
        _ => {}
    }
}

#[test]
fn whatever_is_broken_is_answered() {
    let system = system();
    let vectors: Vec<Value> = serde_json::from_str(VECTORS).expect("vectors are JSON");
    let strange = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(1000),
        json!(1_000_000),
        json!(1e300),
        json!(u64::MAX),
        json!("x"),
        json!("light"),
        json!([]),
        json!({}),
    ];
    let mut lots = Lots(7);
    let (mut rulings, mut refusals) = (0, 0);
    for _ in 0..30 {
        for vector in &vectors {
            let mut input = vector["input"].clone();
            for _ in 0..=lots.below(3) {
                let mut all = Vec::new();
                places(&input, String::new(), &mut all);
                let place = all.swap_remove(lots.below(all.len()));
                if let Some(value) = input.pointer_mut(&place) {
                    *value = strange[lots.below(strange.len())].clone();
                }
            }
            let answer =
                ask(&system, vector["procedure"].as_str().expect("a name"), input, json!({"seed": lots.below(1000)}));
            match answer.get("error") {
                None => rulings += 1,
                Some(error) => {
                    assert_ne!(error["code"], "internal", "{answer}");
                    refusals += 1;
                }
            }
        }
    }
    assert!(rulings > 100 && refusals > 100, "{rulings} rulings, {refusals} refusals: one kind is hardly tested");
}
