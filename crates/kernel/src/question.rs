use crate::{Die, Faces, Rule, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is asked of a player, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Prompt {
    /// A stable kebab-case word: `wish`, `declare-attacks`.
    pub code: &'static str,
    /// The question, as a sentence.
    pub text: String,
    /// The rule that asks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub rule: Option<Rule>,
    /// Whether the answer cannot be taken back once given, so that a screen should ask to confirm it.
    pub confirm: bool,
    /// Options one might expect that are not there, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<String>>", optional))]
    pub missing: Vec<String>,
}

impl Prompt {
    /// A question.
    pub fn new(code: &'static str, text: impl Into<String>, rule: Rule) -> Self {
        Self { code, text: text.into(), rule: Some(rule), confirm: false, missing: Vec::new() }
    }

    /// Marks the answer as final.
    #[must_use]
    pub fn confirm(mut self) -> Self {
        self.confirm = true;
        self
    }

    /// Says why an option one might expect is not there.
    #[must_use]
    pub fn missing(mut self, why: impl Into<String>) -> Self {
        self.missing.push(why.into());
        self
    }
}

/// How a screen may ask an open question. Whatever the form, the answer is a JSON value that the rules check.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Form {
    /// One of the options.
    Pick,
    /// At most one option for each item; the answer is the list of the values chosen.
    Assign {
        /// The items, each with its options.
        items: Vec<FormItem>,
        /// What leaving an item without an option means, in words.
        none: String,
    },
    /// Any number of the items; the answer is the list of the values chosen.
    Subset {
        /// The items, each with one option.
        items: Vec<FormItem>,
        /// At least so many.
        min: u32,
        /// At most so many.
        max: u32,
    },
    /// A whole number for each item; the answer is a map from item to number.
    Numbers {
        /// The items; their options are empty.
        items: Vec<FormItem>,
        /// The least and the most for each item.
        limits: Vec<(i64, i64)>,
        /// What the numbers must add up to, if they must.
        total: Option<i64>,
    },
    /// A point of the plane or a path of several; the answer is made from the template by putting the points in place of `"$points"` or the last one in place of `"$point"`.
    Points {
        /// The piece that moves, if one does.
        piece: Option<String>,
        /// At most so many points.
        max: u32,
        /// How far it may go, in the scene's units.
        reach: Option<i64>,
        /// The answer with a placeholder.
        template: Value,
    },
    /// Several ways to answer, each with its own form; the answer is that of the one taken.
    Choices {
        /// The ways, by name.
        ways: Vec<(String, Form)>,
    },
    /// A JSON value, with an example.
    Json {
        /// What an answer looks like.
        example: Value,
    },
}

/// One item of a form.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FormItem {
    /// The piece's id, or another name for the item.
    pub id: String,
    /// What it is, in words.
    pub label: String,
    /// What can be chosen for it.
    pub options: Vec<OptionView>,
}

/// An option as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OptionView {
    /// The answer it stands for.
    pub value: Value,
    /// The same in words.
    pub label: String,
    /// The pieces and places a click on which means this option.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<String>>", optional))]
    pub pieces: Vec<String>,
}

/// What one seat is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatQuestion {
    /// Who is asked.
    pub seat: Seat,
    /// What is asked.
    pub prompt: Prompt,
    /// Answers worth showing.
    pub options: Vec<OptionView>,
    /// How a screen may ask for it.
    pub form: Form,
}

/// What the rules wait for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(clippy::large_enum_variant, reason = "one lives at a time")]
pub enum Question {
    /// Some dice.
    Dice {
        /// How many; at least 1.
        count: u32,
        /// Which.
        die: Die,
        /// What they are for.
        what: String,
    },
    /// A player's choice.
    Choice(SeatQuestion),
    /// Choices of several seats, sealed until all are in. Only those still missing are listed.
    Secret {
        /// The questions still open.
        open: Vec<SeatQuestion>,
        /// The seats whose answers are in.
        sealed: Vec<Seat>,
    },
}

impl Question {
    /// The question put to `seat`, if it is asked something.
    #[must_use]
    pub fn to(&self, seat: Seat) -> Option<&SeatQuestion> {
        self.open().iter().find(|question| question.seat == seat)
    }

    /// All questions put to players.
    #[must_use]
    pub fn open(&self) -> &[SeatQuestion] {
        match self {
            Question::Dice { .. } => &[],
            Question::Choice(question) => std::slice::from_ref(question),
            Question::Secret { open, .. } => open,
        }
    }
}

/// An answer on the tape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The faces of some dice.
    Dice(Faces),
    /// A player's choice.
    Choice(Value),
    /// Sealed choices by seat. While some are missing the question stays open.
    Sealed(BTreeMap<Seat, Value>),
}
