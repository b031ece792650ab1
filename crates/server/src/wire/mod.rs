//! The types of the wire, apart from those of the desk, the referee and the kernel.
//!
//! The OpenAPI document describes them, and the browser client's types are generated from it.

mod act;
mod catalog;
mod learn;
mod people;
mod plan;
mod puzzle;
mod referee;
mod state;

pub use act::{
    AnalysisBody, AnalysisState, AnswerBody, DiceBody, DrawBody, EntropyBody, ExplainBody, Ghost, Hint, HintBody,
    Insights, Preview, TextBody, Thinking, UndoBody,
};
pub use catalog::{PlayerInfo, ProcedureBrief, RuleTitle, RulesPage, ScenarioOptions, SystemBrief, SystemDetail};
pub use learn::{LessonBody, LessonBrief, LessonState, LessonStep, Lookup, RuleExample};
pub use people::{Email, EmailBody, Login, Me, MyGame, NewAccount};
pub use plan::{
    ClockPlan, CreateGame, Created, CreatedSeat, DiceMode, InviteBody, OnTimeout, RematchBody, SeatKind, SeatPlan,
    TakeBody, Webhook, WebhookForm,
};
pub use puzzle::{PuzzleAnswer, PuzzleBrief, PuzzleOverview, PuzzleResult, PuzzleShelf, PuzzleState, PuzzleWorth};
pub use referee::{Odds, RefereeRequest, RulingOrOdds};
pub use state::{
    ChatLine, ClockState, Done, Entropy, GameState, Hints, Meta, SeatClock, SeatMeta, StateChange, StateOrDone,
    Watcher, You,
};

use flagplot_kernel::Refusal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;

/// JSON that is written once and sent many times.
pub type Written = Arc<RawValue>;

/// A refusal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// The reason.
    pub error: Refusal,
    /// The present position, if the answer was meant for another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<GameState>")]
    pub state: Option<Box<RawValue>>,
}
