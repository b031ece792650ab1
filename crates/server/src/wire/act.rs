//! What players send, and what they get for a question.

use flagplot_kernel::{Insight, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    /// Made by the client, different for each answer; sent twice, an answer counts once.
    pub id: String,
    /// The `at` of the situation it was made for.
    pub at: usize,
    /// The answer.
    pub value: Value,
    /// The reply's log may begin after this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub log_after: Option<usize>,
}

/// Real dice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DiceBody {
    /// Made by the client, different for each roll; sent twice, a roll counts once.
    pub id: String,
    /// The `at` of the situation it was made for, if the client wants that checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub at: Option<usize>,
    /// What the dice show.
    pub faces: Vec<u8>,
}

/// A draw offered or refused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct DrawBody {
    /// True: offers a draw or agrees to the one offered. False: refuses it or takes it back.
    pub offer: bool,
}

/// A line of chat, a page of notes, something for the dice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TextBody {
    /// The text.
    pub text: String,
}

/// What to explain.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ExplainBody {
    /// The answer that is being thought about, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub value: Option<Value>,
}

/// What is explained.
pub type Insights = Vec<Insight>;

/// Whose advice is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HintBody {
    /// A kind of computer player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub player: Option<String>,
}

/// A piece of advice.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hint {
    /// The answer.
    pub value: Value,
    /// The same in words.
    pub label: String,
}

/// The computer's seats that have been thinking for a while.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Thinking {
    /// The seats.
    pub seats: Vec<Seat>,
}
