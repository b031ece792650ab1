//! What the referee is asked and what it answers.

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
    /// What real dice show, in the order in which the rules call for them.
    dice: Option<Vec<u8>>,
    /// Dice from a number.
    seed: Option<i64>,
    /// Exact odds rather than a ruling.
    odds: Option<bool>,
    /// The odds of this field of the result only.
    field: Option<String>,
}

/// Exact odds.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "it describes what the referee writes by itself")]
pub struct Odds {
    /// For each field of the result its values, each with its chance as a fraction.
    odds: BTreeMap<String, BTreeMap<String, String>>,
}

/// What the referee answers.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it describes what the referee writes by itself")]
pub enum RulingOrOdds {
    Ruling(Ruling),
    Odds(Odds),
}
