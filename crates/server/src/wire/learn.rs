//! Lessons, the glossary and the examples of the rules pages.

use super::GameState;
use flagplot_desk::{Lesson, Shot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// A guided battle in the list of them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LessonBrief {
    /// The system.
    pub system: &'static str,
    /// The scenario it plays.
    pub scenario: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What it is about, in a sentence.
    pub brief: &'static str,
    /// How the learner wins.
    pub aim: &'static str,
    /// How many steps it has.
    pub steps: usize,
}

impl From<&'static Lesson> for LessonBrief {
    fn from(lesson: &'static Lesson) -> Self {
        Self {
            system: &lesson.opening.system,
            scenario: &lesson.opening.scenario,
            title: &lesson.title,
            brief: &lesson.brief,
            aim: &lesson.aim,
            steps: lesson.steps.len(),
        }
    }
}

/// The learner's answers so far. The server keeps nothing of a lesson.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonBody {
    /// One answer for each step taken.
    pub answers: Vec<Value>,
}

/// An answer to look at before it is given.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lookup {
    /// One answer for each step taken.
    pub answers: Vec<Value>,
    /// The answer under consideration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// What to do next in a lesson.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LessonStep {
    /// What to do and why.
    pub say: &'static str,
    /// The answer that the lesson wants, for lighting the way to it.
    pub answer: Value,
    /// The piece to look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<&'static str>,
}

/// An example of a rules page, on the real rules.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RuleExample {
    /// The rule it explains.
    pub rule: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The story, in a few sentences.
    pub text: &'static str,
    /// The board and the lines of the log that prove it.
    #[serde(flatten)]
    pub shot: Shot,
}

/// How far a lesson has come.
#[derive(Serialize, JsonSchema)]
pub struct LessonState {
    /// The lesson.
    pub lesson: LessonBrief,
    /// How many steps have been taken.
    pub taken: usize,
    /// What the latest results meant; empty if there is nothing to say.
    pub told: &'static str,
    /// What to do next; nothing when the lesson is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<LessonStep>,
    /// What has been learned, once the lesson is over.
    pub end: &'static [String],
    /// The game, as the learner sees it.
    #[schemars(with = "GameState")]
    pub state: Box<RawValue>,
}
