//! Whatever is asked of the referee, it answers or refuses with a code: nothing panics, nothing runs away.
//!
//! The requests are those of the systems' vectors, each spoiled in one or two places.

use flagplot_catalog::Catalog;
use flagplot_kernel::Chance;
use flagplot_odds::Budget;
use flagplot_referee::parse;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Spoiled requests made of each vector.
const EACH: usize = 12;
const BUDGET: Budget<'static> = Budget { branches: 3_000, states: 3_000, ..Budget::USUAL };

fn nonsense() -> Vec<Value> {
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1),
        json!(7),
        json!(255),
        json!(256),
        json!(1_000_000),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e300),
        json!(2.5),
        json!(""),
        json!("none"),
        json!("ünîcödé \u{0}"),
        json!("x".repeat(5000)),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"id": {}}),
        json!(vec![1; 2000]),
        deep,
    ]
}

/// Every place in a value, as a JSON pointer.
fn places(value: &Value, path: String, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            places(value, format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), into)
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| places(value, format!("{path}/{at}"), into))
        }
        _ => {}
    }
    into.push(path);
}

fn pick<'a, T>(list: &'a [T], chance: &mut Chance) -> &'a T {
    &list[chance.below(list.len() as u32) as usize]
}

/// Puts nonsense in one place, or takes away or adds a field or an item there.
fn spoil(request: &mut Value, nonsense: &[Value], chance: &mut Chance) {
    let mut all = Vec::new();
    places(request, String::new(), &mut all);
    let Some(place) = request.pointer_mut(pick(&all, chance).as_str()) else { return };
    match (chance.below(4), place) {
        (0, Value::Object(fields)) => {
            let names: Vec<String> = fields.keys().cloned().collect();
            if !names.is_empty() {
                fields.remove(pick(&names, chance));
            }
        }
        (0, Value::Array(items)) => drop(items.pop()),
        (1, Value::Object(fields)) => drop(fields.insert("surprise".to_owned(), pick(nonsense, chance).clone())),
        (1, Value::Array(items)) => items.extend(items.first().cloned().or(Some(json!(3)))),
        (_, place) => *place = pick(nonsense, chance).clone(),
    }
}

#[test]
fn spoiled_requests_are_answered_or_refused() {
    let catalog = Catalog::built_in();
    let nonsense = nonsense();
    for (system, vectors) in crate::vectors::ALL {
        let mut codes = BTreeSet::new();
        let mut answered = 0;
        for (n, vector) in
            serde_json::from_str::<Vec<Value>>(vectors).expect("vectors are a JSON list").iter().enumerate()
        {
            for again in 0..EACH {
                let mut chance = Chance::stream(n as u64, again as u64);
                let mut request = json!({"system": system, "procedure": vector["procedure"], "input": vector["input"]});
                match again % 3 {
                    0 => request["odds"] = true.into(),
                    1 => request["seed"] = again.into(),
                    _ => request["dice"] = vector.get("dice").cloned().unwrap_or_else(|| json!([])),
                }
                for _ in 0..=again % 2 {
                    spoil(&mut request, &nonsense, &mut chance);
                }
                match parse(request.to_string().as_bytes())
                    .and_then(|request| catalog.adjudicate(request, || 1, BUDGET))
                {
                    Ok(_) => answered += 1,
                    Err(refusal) => {
                        assert_ne!(refusal.code, "internal", "{request}: {refusal}");
                        assert!(refusal.message.ends_with('.'), "{request}: {refusal}");
                        codes.insert(refusal.code);
                    }
                }
            }
        }
        println!("{system}: {answered} answered; {codes:?}");
        assert!(answered > 0 && codes.len() > 4, "{system}: {codes:?}");
    }
}

#[test]
fn spoiled_bytes_are_answered_or_refused() {
    let catalog = Catalog::built_in();
    for (system, vectors) in crate::vectors::ALL {
        for (n, vector) in
            serde_json::from_str::<Vec<Value>>(vectors).expect("vectors are a JSON list").iter().enumerate()
        {
            let mut chance = Chance::stream(n as u64, 99);
            let mut bytes =
                json!({"system": system, "procedure": vector["procedure"], "input": vector["input"], "seed": 1})
                    .to_string()
                    .into_bytes();
            for _ in 0..=chance.below(3) {
                let at = chance.below(bytes.len() as u32) as usize;
                match chance.below(3) {
                    0 => bytes[at] = chance.below(256) as u8,
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, *pick(b"{}[]\",:-0e9\\", &mut chance)),
                }
            }
            if let Err(refusal) = parse(&bytes).and_then(|request| catalog.adjudicate(request, || 1, BUDGET)) {
                assert_ne!(refusal.code, "internal", "{}: {refusal}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}
