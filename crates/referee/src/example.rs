use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Facts to begin with: something that can be ruled on at once, and changed from there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The procedure.
    pub procedure: String,
    /// What happens in it, in a few words.
    pub title: String,
    /// The facts.
    pub input: Value,
}

/// Reads the examples built into a system. The first of them is the one to show a stranger.
///
/// # Panics
/// If they are no examples; they are part of the program.
#[must_use]
pub fn examples(text: &str) -> Vec<Example> {
    serde_json::from_str(text).expect("the examples of a system are a list of examples")
}
