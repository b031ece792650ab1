//! Whatever comes in: a code and a sentence go out, and nothing panics.

use flagplot_catalog::Catalog;
use flagplot_kernel::Chance;
use flagplot_odds::Budget;
use flagplot_referee::{LARGEST, parse};
use serde_json::{Value, json};

/// The vectors of every system that brings some, as requests.
fn requests() -> Vec<String> {
    let mut all = Vec::new();
    for id in Catalog::built_in().ids() {
        let path = format!("{}/../systems/{id}/tests/vectors.json", env!("CARGO_MANIFEST_DIR"));
        let vectors: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))).unwrap();
        for vector in vectors.iter().filter(|vector| vector.get("odds").is_none()) {
            all.push(
                json!({"system": id, "procedure": vector["procedure"], "input": vector["input"], "dice": vector.get("dice").cloned().unwrap_or(json!([]))}).to_string(),
            );
        }
    }
    all
}

fn code(catalog: &Catalog, request: &[u8]) -> Option<&'static str> {
    let small = Budget { branches: 20_000, states: 20_000, give_up: None };
    match parse(request).and_then(|request| catalog.adjudicate(request, || 7, small)) {
        Ok(_) => None,
        Err(refusal) => {
            assert!(refusal.message.len() > 4 && refusal.message.len() < 2000, "{refusal:?}");
            Some(refusal.code)
        }
    }
}

#[test]
fn what_is_no_request_gets_its_code() {
    let catalog = Catalog::built_in();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = format!(r#"{{"system":"schiffskrieg","procedure":"attack","input":{}{}}}"#, r#"{"a":"#.repeat(5000), "}".repeat(5000));
    for (request, expected) in [
        (b"".to_vec(), "bad-json"),
        (b"not json".to_vec(), "bad-json"),
        (vec![b'{', 0xff, b'}'], "bad-json"),
        (deep.into_bytes(), "bad-json"),
        (nested.into_bytes(), "bad-json"),
        (vec![b' '; LARGEST + 1], "too-long"),
        (b"[]".to_vec(), "bad-type"),
        (b"{}".to_vec(), "missing-field"),
        (br#"{"system":5}"#.to_vec(), "bad-type"),
        (br#"{"system":"chess"}"#.to_vec(), "unknown-system"),
        (br#"{"system":"schiffskrieg","procedure":"nothing"}"#.to_vec(), "unknown-procedure"),
        (br#"{"system":"schiffskrieg","procedure":"factors","input":{"kind":"lba","aircraft":1e400}}"#.to_vec(), "bad-json"),
        (br#"{"system":"schiffskrieg","procedure":"factors","input":{"kind":"lba","aircraft":99999999999999999999}}"#.to_vec(), "bad-value"),
        (br#"{"system":"schiffskrieg","procedure":"factors","input":{"kind":"lba","aircraft":6},"seed":-1}"#.to_vec(), "bad-value"),
        (br#"{"system":"schiffskrieg","procedure":"factors","input":{"kind":"lba","aircraft":6},"seed":1.5}"#.to_vec(), "bad-type"),
        (br#"{"system":"schiffskrieg","procedure":"factors","input":{"kind":"lba","aircraft":6},"field":"vp"}"#.to_vec(), "unknown-field"),
        (br#"{"system":"schiffskrieg","procedure":"factors","input":{"kind":"lba","aircraft":6},"odds":true,"field":"nothing"}"#.to_vec(), "unknown-field"),
    ] {
        let shown = String::from_utf8_lossy(&request[..request.len().min(80)]).into_owned();
        assert_eq!(code(&catalog, &request), Some(expected), "{shown}");
    }
}

#[test]
fn bytes_changed_at_random_never_panic() {
    let catalog = Catalog::built_in();
    let requests = requests();
    let mut chance = Chance::seeded(2026);
    let mut refused = 0;
    for _ in 0..3000 {
        let mut bytes = chance.pick(&requests).unwrap().clone().into_bytes();
        for _ in 0..=chance.below(4) {
            let at = chance.below(bytes.len() as u32) as usize;
            match chance.below(4) {
                0 => bytes[at] = chance.bits() as u8,
                1 => bytes[at] = *chance.pick(b"0123456789-.,:{}[]\"eE").unwrap(),
                2 => bytes.truncate(at + 1),
                _ => bytes.insert(at, *chance.pick(b"019-{}[]\",").unwrap()),
            }
        }
        refused += u32::from(code(&catalog, &bytes).is_some());
    }
    assert!(refused > 1000, "{refused} of 3000 were refused");
}

/// Every number of every request at its limits and beyond; the request is refused or answered, and never panics.
#[test]
fn numbers_at_the_edge_never_panic() {
    let catalog = Catalog::built_in();
    let mut chance = Chance::seeded(5);
    for request in requests() {
        let request: Value = serde_json::from_str(&request).unwrap();
        for _ in 0..6 {
            let mut changed = request.clone();
            let mut numbers = Vec::new();
            collect(&changed["input"], String::from("/input"), &mut numbers);
            if let Some(path) = chance.pick(&numbers) {
                let edge = *chance.pick(&[0i64, -1, 1, 40, 41, 99, 100, 255, 256, 65_536, i64::MAX, i64::MIN]).unwrap();
                *changed.pointer_mut(path).unwrap() = edge.into();
            }
            changed.as_object_mut().unwrap().remove("dice");
            changed["seed"] = 3.into();
            let _answered = code(&catalog, changed.to_string().as_bytes());
        }
    }
}

fn collect(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(path),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| collect(item, format!("{path}/{at}"), found)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| collect(value, format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), found)),
        _ => {}
    }
}
