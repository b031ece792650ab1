//! What players send, and what they get for a question.

use super::Written;
use flagplot_catalog::Alternative;
use flagplot_desk::Analysis;
use flagplot_kernel::scene::Piece;
use flagplot_kernel::{Insight, Refusal, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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
    pub log_after: Option<usize>,
}

/// Real dice.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiceBody {
    /// Made by the client, different for each roll; sent twice, a roll counts once.
    pub id: String,
    /// The `at` of the situation it was made for, if the client wants that checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// What the dice show.
    pub faces: Vec<u8>,
}

/// An answer taken back.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoBody {
    /// The `at` of the situation it was asked for: sent twice, it then takes back one answer and not two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

/// A draw offered or refused.
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
    /// The answer that is being thought about, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// What is explained.
pub type Insights = Vec<Insight>;

/// Whose advice is wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HintBody {
    /// A kind of computer player; without it the admiral.
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
    /// What was weighed, the best first; empty for a player who does not think ahead.
    pub alternatives: Vec<Alternative>,
    /// How the figures were found; empty if there are none.
    pub method: String,
}

/// An answer tried out without giving it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Preview {
    /// Why the rules would not take it, if they would not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// What it would meet and cost, as far as the seat can know.
    pub insights: Vec<Insight>,
    /// Where pieces would stand, the likeliest first.
    pub ghosts: Vec<Ghost>,
}

/// What may come of an answer on the board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Ghost {
    /// In what share of worlds imagined from what the seat knows.
    pub share: f64,
    /// The pieces that would have moved, as they would stand.
    pub pieces: Vec<Piece>,
}

/// How carefully a finished game is to be taken apart.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisBody {
    /// Five minutes rather than one, for figures with smaller errors.
    #[serde(default)]
    pub longer: bool,
}

/// How far the analysis of a finished game has come.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AnalysisState {
    /// Pieces of work done.
    pub done: usize,
    /// Pieces of work in all; 0 while it waits for others.
    pub total: usize,
    /// Whether the result is that of the longer look.
    pub longer: bool,
    /// The result, once it is there; while a longer look is taken, that of the shorter one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Analysis>")]
    pub analysis: Option<Written>,
}

/// The computer's seats that have been thinking for a while.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Thinking {
    /// The seats.
    pub seats: Vec<Seat>,
}
