//! What a viewer is told about a game.

use super::{ClockPlan, DiceMode, SeatKind};
use flagplot_desk::{Lines, Shown};
use flagplot_desk::{LogEntry, Situation};
use flagplot_kernel::{Seat, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Who a view is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum You {
    /// A player.
    Player {
        /// Which.
        seat: Seat,
    },
    /// Somebody who watches.
    Watcher(Watcher),
}

/// The word for somebody who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Watcher {
    /// The word.
    Spectator,
}

/// Who sits on a chair.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeatMeta {
    /// Its number, from 0.
    pub seat: Seat,
    /// The faction's id.
    pub id: String,
    /// The faction's name.
    pub faction: String,
    /// What the player is called.
    pub name: String,
    /// Which side it plays on.
    pub side: Side,
    /// A person or a program.
    pub kind: SeatKind,
    /// Which program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Its part in fair dice.
    pub entropy: Entropy,
    /// Whether somebody has taken it; a computer's seat is.
    pub taken: bool,
}

/// A seat's part in fair dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entropy {
    /// None: a computer's seat, or dice to which nobody adds.
    None,
    /// It has still to commit itself.
    Awaited,
    /// It has committed itself and has still to reveal what it adds.
    Committed,
    /// It has added something of its own.
    Added,
    /// It chose to add nothing.
    Waived,
}

/// What does not change while a game is played.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Meta {
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// The scenario's title.
    pub title: String,
    /// The edition of the rules and data.
    pub edition: String,
    /// The chairs.
    pub seats: Vec<SeatMeta>,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// What the server has committed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// How many entries the game had when it was imported, if it was. Other dice rolled until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<usize>,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// Whether everybody may watch.
    pub spectators: bool,
}

/// A line of the chat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChatLine {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The seat that says it; none: the server.
    pub from: Option<Seat>,
    /// What it says.
    pub text: String,
}

/// A seat's clock.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SeatClock {
    /// Whose.
    pub seat: Seat,
    /// Milliseconds left when this was sent.
    pub left: i64,
    /// Whether it is running down.
    pub running: bool,
}

/// The clocks.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ClockState {
    /// What was agreed.
    pub plan: ClockPlan,
    /// The seats of people.
    pub seats: Vec<SeatClock>,
}

/// Everything one viewer is told about a game.
// It borrows from the game's table and is written from there straight to where it goes.
#[derive(Serialize, JsonSchema)]
pub struct GameState<'a> {
    /// The game's id.
    pub game: &'a str,
    /// The number of this state in the stream of events; larger is later.
    pub version: u64,
    /// What does not change.
    #[schemars(with = "Meta")]
    pub meta: &'a RawValue,
    /// Who this is for.
    pub you: You,
    /// Where the game stands.
    #[schemars(with = "Situation")]
    pub situation: Shown<'a>,
    /// The lines below replace all with a larger number than this; 0: the log is whole.
    pub log_after: usize,
    /// The log.
    #[schemars(with = "Vec<LogEntry>")]
    pub log: Lines<'a>,
    /// The chat.
    pub chat: &'a [ChatLine],
    /// The seat's own notes.
    pub notes: &'a str,
    /// The clocks, if there are any.
    pub clock: Option<ClockState>,
    /// The seat that offers a draw.
    pub draw_offer: Option<Seat>,
    /// The computer's seats that have been thinking for a while.
    pub thinking: Vec<Seat>,
    /// The game that follows this one, with sides changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rematch: Option<&'a str>,
}

impl GameState<'_> {
    /// The same as JSON, to be sent later.
    pub fn written(&self) -> Result<Box<RawValue>, serde_json::Error> {
        serde_json::value::to_raw_value(self)
    }
}

/// Where a game stands after a change.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Done {
    /// How many entries it has.
    pub at: usize,
    /// How often it has changed.
    pub version: i64,
}

/// The reply to an answer: the whole state, or only how far the game has come.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it describes what is written in two places")]
pub enum StateOrDone<'a> {
    State(Box<GameState<'a>>),
    Done(Done),
}
