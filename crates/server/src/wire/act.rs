//! Requests of players, and the replies to their questions.

use super::Written;
use flagplot_catalog::Alternative;
use flagplot_desk::Analysis;
use flagplot_kernel::scene::{Arrow, Piece};
use flagplot_kernel::{Insight, Refusal, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    /// Chosen by the client, different for each answer. An answer sent twice counts once.
    pub id: String,
    /// The `at` of the situation it was made for.
    pub at: usize,
    /// The answer.
    pub value: Value,
    /// The reply's log begins after this line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_after: Option<usize>,
}

/// Real dice.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiceBody {
    /// Chosen by the client, different for each roll. A roll sent twice counts once.
    pub id: String,
    /// The `at` of the situation it was made for; without it, the server does not check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// The faces.
    pub faces: Vec<u8>,
}

/// An answer taken back.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoBody {
    /// The `at` of the situation it was made for, so that a request sent twice takes back one answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

/// An offer of a draw, or its refusal.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawBody {
    /// True: offers a draw or agrees to the one offered. False: refuses it or takes it back.
    pub offer: bool,
}

/// A seat's part in fair dice: 256 random bits, first their hash, then the bits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum EntropyBody {
    /// The SHA-256 of the 32 bytes, as 64 hexadecimal digits.
    Commit(String),
    /// The 32 bytes, as 64 hexadecimal digits, once every seat has committed.
    Reveal(String),
    /// True: the seat adds nothing. The record says so.
    Waive(bool),
}

/// A line of chat or a page of notes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextBody {
    /// The text.
    pub text: String,
}

/// What to explain.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainBody {
    /// The answer under consideration; without it, the question as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

pub type Insights = Vec<Insight>;

/// Whose advice is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HintBody {
    /// The computer player to ask; the admiral by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
}

/// A piece of advice.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Hint {
    /// The answer.
    pub value: Value,
    /// The same in words.
    pub label: String,
    /// The alternatives, best first; empty for a player that does not think ahead.
    pub alternatives: Vec<Alternative>,
    /// How the estimates were found; empty if there are none.
    pub method: String,
}

/// An answer tried out without giving it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Preview {
    /// Why the rules would refuse it, if they would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// Its odds and costs, as far as the seat can know.
    pub insights: Vec<Insight>,
    /// Where pieces would stand, the likeliest first.
    pub ghosts: Vec<Ghost>,
}

/// A possible position after an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Ghost {
    /// Its share among the worlds imagined from what the seat knows.
    pub share: f64,
    /// The pieces that would have moved, at their new places.
    pub pieces: Vec<Piece>,
    /// The arrows from and to these pieces, as they would be then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<Arrow>,
}

/// How careful an analysis is to be.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisBody {
    /// Five times as long, for smaller errors.
    #[serde(default)]
    pub longer: bool,
}

/// How far the analysis of a finished game has come.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AnalysisState {
    /// Pieces of work done.
    pub done: usize,
    /// Pieces of work in all; 0 while it waits for other analyses.
    pub total: usize,
    /// Whether the result is that of the longer analysis.
    pub longer: bool,
    /// The result, once there is one; during a longer analysis, that of the shorter one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Analysis>")]
    pub analysis: Option<Written>,
}

/// The computer players that have been thinking for a while.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Thinking {
    /// The seats.
    pub seats: Vec<Seat>,
}
