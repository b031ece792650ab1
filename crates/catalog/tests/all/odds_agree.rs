//! For every procedure of every system: the odds of each field sum to 1, and the sampler agrees with them.
//!
//! The inputs are those of the systems' test vectors. Seeds are fixed, so that a run says the same thing every time.

use flagplot_catalog::Catalog;
use flagplot_odds::{Budget, Fraction};
use flagplot_referee::{Response, parse};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Rulings sampled for an input with chance in it, and for one without.
const SAMPLES: (u64, u64) = (250, 5);
/// Work allowed for the odds of one input; what needs more is left to the systems' own tests.
const BUDGET: Budget<'static> = Budget { branches: 100_000, states: 50_000, ..Budget::USUAL };

/// What is known of one system after all its inputs.
#[derive(Default)]
struct Tried {
    inputs: usize,
    fields: usize,
    random: BTreeSet<String>,
    wrong: Vec<String>,
}

#[test]
fn odds_sum_to_one_and_agree_with_the_sampler() {
    let catalog = Catalog::built_in();
    assert_eq!(
        catalog.ids().collect::<BTreeSet<_>>(),
        crate::vectors::ALL.iter().map(|(id, _)| *id).collect(),
        "every system has its vectors here"
    );
    std::thread::scope(|scope| {
        let runs: Vec<_> = crate::vectors::ALL
            .iter()
            .map(|&(system, vectors)| (system, scope.spawn(|| try_system(&Catalog::built_in(), system, vectors))))
            .collect();
        for (system, run) in runs {
            let tried = run.join().expect("the run of a system");
            println!(
                "{system}: {} inputs, {} fields, chance in {} procedures",
                tried.inputs,
                tried.fields,
                tried.random.len()
            );
            assert!(tried.wrong.is_empty(), "{system}:\n{}", tried.wrong.join("\n"));
            assert!(
                tried.inputs >= 20 && tried.random.len() >= 4,
                "{system}: too little was tried: {:?}",
                tried.random
            );
        }
    });
}

fn try_system(catalog: &Catalog, system: &str, vectors: &str) -> Tried {
    let mut tried = Tried::default();
    let mut seen = BTreeSet::new();
    let vectors: Vec<Value> = serde_json::from_str(vectors).expect("vectors are a JSON list");
    for vector in vectors {
        let question = json!({"system": system, "procedure": vector["procedure"], "input": vector["input"]});
        if vector.get("expect_error").is_some() || !seen.insert(question.to_string()) {
            continue;
        }
        let mut for_odds = question.clone();
        for_odds["odds"] = true.into();
        let odds = match answer(catalog, &for_odds) {
            Ok(Response::Odds { odds }) => odds,
            Ok(Response::Ruling(_)) => unreachable!("odds were asked for"),
            Err(code) if ["budget-exceeded", "odds-need-a-policy"].contains(&code.as_str()) => continue,
            Err(code) => {
                tried.wrong.push(format!("{}: no odds: {code}", vector["id"]));
                continue;
            }
        };
        tried.inputs += 1;
        tried.fields += odds.fields().len();
        let chance = odds.fields().iter().any(|(_, values)| values.len() > 1);
        if chance {
            tried.random.insert(vector["procedure"].to_string());
        }
        let samples = (0..if chance { SAMPLES.0 } else { SAMPLES.1 })
            .map(|seed| sample(catalog, &question, seed))
            .collect::<Result<Vec<_>, _>>();
        let samples = match samples {
            Ok(samples) => samples,
            // Mixes of a secret choice have odds, but nothing to rule on.
            Err(code) if code == "wrong-type" && vector.get("odds").is_some() => Vec::new(),
            Err(code) => {
                tried.wrong.push(format!("{}: no ruling: {code}", vector["id"]));
                continue;
            }
        };
        // Under odds these two stop before the criticals, so that the ship of the odds is not the ship of the ruling.
        let before_criticals = system == "fleet-action"
            && ["gunnery-salvo", "resolve-hit"].map(Value::from).contains(&vector["procedure"]);
        for (field, values) in
            odds.fields().iter().filter(|(field, _)| !(before_criticals && field.starts_with("ship.")))
        {
            if let Some(why) = disagrees(field, values, &samples) {
                tried.wrong.push(format!("{} ({}), {field}: {why}", vector["id"], vector["procedure"]));
            }
        }
    }
    tried
}

fn answer(catalog: &Catalog, request: &Value) -> Result<Response, String> {
    parse(request.to_string().as_bytes())
        .and_then(|request| catalog.adjudicate(request, || 0, BUDGET))
        .map_err(|refusal| refusal.code.to_string())
}

fn sample(catalog: &Catalog, question: &Value, seed: u64) -> Result<Value, String> {
    let mut request = question.clone();
    request["seed"] = seed.into();
    match answer(catalog, &request)? {
        Response::Ruling(ruling) => Ok(ruling.result),
        Response::Odds { .. } => unreachable!("a ruling was asked for"),
    }
}

/// Why the odds of a field cannot be right: they do not sum to 1, something happened that they call impossible, or the
/// samples lie further from them than chance goes.
fn disagrees(field: &str, values: &[(String, Fraction)], samples: &[Value]) -> Option<String> {
    let mut counts: BTreeMap<Option<String>, u64> = BTreeMap::new();
    // Where the odds know a null, what is absent from a ruling is that null: an aircraft that follows nobody.
    let null = values.iter().any(|(value, _)| value == "null").then(|| "null".to_owned());
    for sample in samples {
        *counts.entry(at(sample, field).or_else(|| null.clone())).or_default() += 1;
    }
    let sum = values.iter().fold(Fraction::zero(), |sum, (_, chance)| sum.plus(chance));
    if sum != Fraction::one() && !counts.contains_key(&None) {
        return Some(format!("the odds sum to {sum}"));
    }
    if samples.is_empty() {
        return None;
    }
    if let Some((value, _)) = counts
        .iter()
        .find(|(value, _)| value.as_ref().is_some_and(|value| !values.iter().any(|(known, _)| known == value)))
    {
        return Some(format!("'{}' came out, which has no odds", value.as_deref().unwrap_or_default()));
    }
    let total = samples.len() as f64;
    let absent = (None, (1.0 - sum.to_f64()).max(0.0));
    let mut bins: Vec<(f64, f64)> = Vec::new();
    let mut rare = (0.0, 0.0);
    for (value, chance) in values.iter().map(|(value, chance)| (Some(value.clone()), chance.to_f64())).chain([absent]) {
        let (expected, got) = (chance * total, counts.get(&value).copied().unwrap_or(0) as f64);
        if expected >= 5.0 { bins.push((expected, got)) } else { rare = (rare.0 + expected, rare.1 + got) }
    }
    if rare.0 < 5.0 && rare.1 > rare.0 + 6.0 * rare.0.sqrt() + 6.0 {
        return Some(format!("rare things, expected {:.2} times, came {} times", rare.0, rare.1));
    }
    if rare.0 >= 5.0 {
        bins.push(rare);
    }
    let distance: f64 = bins.iter().map(|(expected, got)| (got - expected).powi(2) / expected).sum();
    let freedom = bins.len().saturating_sub(1) as f64;
    // Wilson and Hilferty: the cube root of chi-squared over its freedom is nearly normal. Five standard errors over
    // some thousand fields.
    let spread = 2.0 / (9.0 * freedom.max(1.0));
    let limit = freedom * (1.0 - spread + 5.0 * spread.sqrt()).powi(3);
    (freedom > 0.0 && distance > limit)
        .then(|| format!("chi-squared is {distance:.1} with {freedom} degrees of freedom (limit {limit:.1}): {bins:?}"))
}

/// A field of a ruling as the odds write it.
fn at(result: &Value, path: &str) -> Option<String> {
    let value = path.split('.').try_fold(result, |value, part| match value {
        Value::Object(fields) => fields.get(part),
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        Value::Null => Some(value),
        _ => None,
    })?;
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}
