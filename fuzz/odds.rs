//! Any bytes as a request for odds: odds or a refusal, never a panic, and the chances of each field sum to 1.

use flagplot_catalog::Catalog;
use flagplot_odds::{Budget, Fraction};
use flagplot_referee::{Response, parse};
use serde_json::Value;

/// Asks for odds, whatever the request asks for; whether there were any.
///
/// # Panics
/// If the chances of a field do not sum to 1.
pub fn count(catalog: &Catalog, bytes: &[u8]) -> bool {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(bytes) else { return false };
    fields.retain(|name, _| !["dice", "seed"].contains(&name.as_str()));
    fields.insert("odds".into(), Value::Bool(true));
    let budget = Budget { branches: 20_000, states: 20_000, ..Budget::USUAL };
    let request = Value::Object(fields).to_string();
    let answer = parse(request.as_bytes()).and_then(|request| catalog.adjudicate(request, || 1, budget));
    let Ok(Response::Odds { odds }) = answer else { return false };
    for (name, chances) in odds.fields() {
        let sum = chances.iter().fold(Fraction::zero(), |sum, (_, chance)| sum.plus(chance));
        assert!(chances.is_empty() || sum == Fraction::one(), "the chances of {name} sum to {sum}");
    }
    true
}
