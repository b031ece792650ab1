//! Test vectors as data: requests with what must come out.

use crate::{Index, System, adjudicate, parse};
use flagplot_odds::{Budget, Fraction};
use serde_json::{Map, Value, json};

/// Runs vectors through a system and says what disagrees, one line each.
///
/// A vector is `{"id","procedure","input","dice","expect"}` (every field of `expect` must be in the result),
/// the same with `expect_error` (the code), or with `odds: {"field","distribution"}`.
///
/// `seen` is shown every response, so that a test can gather the rules that were cited.
pub fn run_vectors(system: &dyn System, vectors: &str, mut seen: impl FnMut(&Value)) -> Vec<String> {
    let vectors: Vec<Value> = serde_json::from_str(vectors).expect("vectors are a JSON list");
    assert!(!vectors.is_empty(), "there are no vectors");
    let mut wrong = Vec::new();
    let index = Index::of(system);
    for vector in &vectors {
        let answer = respond(system, &index, &request(system.id(), vector).to_string());
        seen(&answer);
        if let Some(why) = judge(vector, &answer) {
            wrong.push(format!("{} ({}): {why}", vector["id"], vector["procedure"]));
        }
    }
    wrong
}

/// The response to a request as JSON, an error as `{"error": …}`.
pub fn answer(system: &dyn System, request: &str) -> Value {
    respond(system, &Index::of(system), request)
}

/// The dice of a ruling that its proof does not show, if there are any: every face that was rolled must be in a note.
pub fn dice_without_proof(answer: &Value) -> Option<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut noted: Vec<Value> = list(&answer["trace"]).iter().flat_map(|note| list(&note["dice"])).collect();
    let mut lacking = Vec::new();
    for roll in list(&answer["rolls"]) {
        match noted.iter().position(|face| *face == roll["face"]) {
            Some(at) => drop(noted.swap_remove(at)),
            None => lacking.push(roll.to_string()),
        }
    }
    (!lacking.is_empty()).then(|| lacking.join(", "))
}

fn respond(system: &dyn System, index: &Index, request: &str) -> Value {
    let response =
        parse(request.as_bytes()).and_then(|request| adjudicate(system, index, request, || 0, Budget::default()));
    match response {
        Ok(response) => serde_json::to_value(response).expect("a response has a JSON form"),
        Err(refusal) => json!({ "error": refusal }),
    }
}

fn request(system: &str, vector: &Value) -> Value {
    let mut request = json!({"system": system, "procedure": vector["procedure"], "input": vector["input"]});
    let field = &vector["odds"]["field"];
    if field.is_null() {
        request["dice"] = vector.get("dice").cloned().unwrap_or_else(|| json!([]));
    } else {
        request["odds"] = true.into();
        request["field"] = field.clone();
    }
    request
}

fn judge(vector: &Value, answer: &Value) -> Option<String> {
    if let Some(code) = vector.get("expect_error") {
        let got = &answer["error"]["code"];
        return (got != code).then(|| format!("the error is {got}, expected {code}"));
    }
    if let Some(error) = answer.get("error") {
        return Some(format!("error {error}"));
    }
    if let Some(odds) = vector.get("odds") {
        let field = odds["field"].as_str().unwrap_or_default();
        let fractions = |map: &Map<String, Value>| -> Vec<(String, Fraction)> {
            let mut list: Vec<_> = map
                .iter()
                .map(|(value, text)| (value.clone(), Fraction::parse(text.as_str().unwrap_or("")).expect("a fraction")))
                .filter(|(_, f)| *f != Fraction::zero())
                .collect();
            list.sort();
            list
        };
        let (Some(want), Some(got)) =
            (odds["distribution"].as_object(), answer["odds"].get(field).and_then(Value::as_object))
        else {
            return Some(format!("no odds for {field}"));
        };
        let (want, got) = (fractions(want), fractions(got));
        return (want != got).then(|| format!("odds of {field} are {got:?}, expected {want:?}"));
    }
    differs(&vector["expect"], &answer["result"], "result")
}

/// The first place where `expect` is not contained in `got`.
fn differs(expect: &Value, got: &Value, path: &str) -> Option<String> {
    match (expect, got) {
        (Value::Object(expect), Value::Object(got)) => expect.iter().find_map(|(key, value)| match got.get(key) {
            None => Some(format!("{path}.{key} is missing")),
            Some(found) => differs(value, found, &format!("{path}.{key}")),
        }),
        (Value::Array(expect), Value::Array(got)) if expect.len() == got.len() => expect
            .iter()
            .zip(got)
            .enumerate()
            .find_map(|(at, (one, other))| differs(one, other, &format!("{path}[{at}]"))),
        _ if expect == got => None,
        _ => Some(format!("{path} is {got}, expected {expect}")),
    }
}
