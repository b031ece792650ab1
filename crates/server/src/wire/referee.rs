//! Requests to the referee, and its replies.

use flagplot_referee::Ruling;
use schemars::JsonSchema;
use serde_json::Value;
use std::collections::BTreeMap;

/// A request to the referee. At most one of `dice`, `seed` and `odds` is given; without any the program rolls.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "it describes what the referee reads by itself")]
pub struct RefereeRequest {
    /// A system's id.
    system: String,
    /// One of its procedures.
    procedure: String,
    /// All facts and decisions, as the procedure's shape says.
    input: Value,
    /// The faces of real dice, in the order in which the rules call for them.
    dice: Option<Vec<u8>>,
    /// A seed for the dice.
    seed: Option<i64>,
    /// True for exact odds instead of a ruling.
    odds: Option<bool>,
    /// Limits the odds to this field of the result.
    field: Option<String>,
}

/// Exact odds.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "it describes what the referee writes by itself")]
pub struct Odds {
    /// For each field of the result its values, each with its chance as a fraction.
    odds: BTreeMap<String, BTreeMap<String, String>>,
}

/// A ruling, or odds.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it describes what the referee writes by itself")]
pub enum RulingOrOdds {
    Ruling(Ruling),
    Odds(Odds),
}
