//! What goes over the wire, apart from what the desk, the referee and the kernel already have a form for.
//!
//! The OpenAPI document describes these types, and the browser client's types are made from it, so that the two cannot
//! drift apart.

mod act;
mod catalog;
mod people;
mod plan;
mod referee;
mod state;

pub use act::{
    AnalysisBody, AnalysisState, AnswerBody, DiceBody, DrawBody, EntropyBody, ExplainBody, Ghost, Hint, HintBody,
    Insights, Preview, TextBody, Thinking, UndoBody,
};
pub use catalog::{PlayerInfo, ProcedureBrief, RuleTitle, RulesPage, ScenarioOptions, SystemBrief, SystemDetail};
pub use people::{Login, Me, MyGame, NewAccount};
pub use plan::{
    ClockPlan, CreateGame, Created, CreatedSeat, DiceMode, InviteBody, OnTimeout, SeatKind, SeatPlan, TakeBody,
    Webhook, WebhookForm,
};
pub use referee::{Odds, RefereeRequest, RulingOrOdds};
pub use state::{ChatLine, ClockState, Done, Entropy, GameState, Meta, SeatClock, SeatMeta, StateOrDone, Watcher, You};

use flagplot_kernel::Refusal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;

/// JSON that has been written once and is sent many times.
pub type Written = Arc<RawValue>;

/// What is sent when something is refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// Why.
    pub error: Refusal,
    /// The position as it is now, when the answer was made for another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<GameState>")]
    pub state: Option<Box<RawValue>>,
}
