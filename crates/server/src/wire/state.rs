//! The state of a game as a viewer is sent it.

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
        /// The seat.
        seat: Seat,
    },
    /// A spectator.
    Watcher(Watcher),
}

/// The word for a spectator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Watcher {
    /// A spectator.
    Spectator,
}

/// A seat and its player.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeatMeta {
    /// Its number, from 0.
    pub seat: Seat,
    /// The faction's id.
    pub id: String,
    /// The faction's name.
    pub faction: String,
    /// The player's name.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// How it wins, in a sentence.
    pub aim: String,
    /// A person or a computer.
    pub kind: SeatKind,
    /// The computer player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Its part in fair dice.
    pub entropy: Entropy,
    /// Whether it is taken; a computer's seat always is.
    pub taken: bool,
    /// After how many entries its player asked for hints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<usize>,
}

/// Whether players may ask for hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hints {
    /// They may.
    On,
    /// They may once every invited player has agreed.
    Offered,
    /// They may not.
    Off,
}

/// A seat's part in fair dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Entropy {
    /// None: a computer's seat, or dice that seats take no part in.
    None,
    /// It has yet to commit.
    Awaited,
    /// It has committed and has yet to reveal its part.
    Committed,
    /// It has added its part.
    Added,
    /// It chose to take no part.
    Waived,
}

/// A game's description.
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
    /// The seats, in order.
    pub seats: Vec<SeatMeta>,
    /// Where the dice come from.
    pub dice: DiceMode,
    /// The hash of the secret that the dice come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// How many entries the game had when it was imported, if it was. Other dice rolled until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<usize>,
    /// When it was created, in milliseconds since 1970.
    pub created: i64,
    /// Whether anyone with the address may watch.
    pub spectators: bool,
    /// Whether players may ask for hints.
    pub hints: Hints,
}

/// A line of the chat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChatLine {
    /// The time, in milliseconds since 1970.
    pub at: i64,
    /// The seat that wrote it; null for the server.
    pub from: Option<Seat>,
    /// The text.
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
    /// The settings.
    pub plan: ClockPlan,
    /// The seats of people.
    pub seats: Vec<SeatClock>,
}

/// The state of a game for one viewer.
// It borrows from the game's table and is written from there straight to where it goes.
#[derive(Serialize, JsonSchema)]
pub struct GameState<'a> {
    /// The game's id.
    pub game: &'a str,
    /// The number of this state in the stream of events; larger is later.
    pub version: u64,
    /// The game's description.
    #[schemars(with = "Meta")]
    pub meta: &'a RawValue,
    /// The viewer.
    pub you: You,
    /// The position and the open question.
    #[schemars(with = "Situation")]
    pub situation: Shown<'a>,
    /// The lines of `log` replace all lines with a larger number than this; 0 if the log is whole.
    pub log_after: usize,
    /// The log.
    #[schemars(with = "Vec<LogEntry>")]
    pub log: Lines<'a>,
    /// How many lines of chat come before those in `chat`, which the viewer has been sent already.
    pub chat_after: usize,
    /// The chat, from there on. A state that a stream begins with, and the one at the game's address, has all of it.
    pub chat: &'a [ChatLine],
    /// The seat's own notes.
    pub notes: &'a str,
    /// The clocks, if there are any.
    pub clock: Option<ClockState>,
    /// The seat that offers a draw.
    pub draw_offer: Option<Seat>,
    /// The computer players that have been thinking for a while.
    pub thinking: Vec<Seat>,
    /// The rematch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rematch: Option<&'a str>,
}

impl GameState<'_> {
    pub fn written(&self) -> Result<Box<RawValue>, serde_json::Error> {
        serde_json::value::to_raw_value(self)
    }
}

/// What changed since the state or change that a stream sent before.
#[derive(Serialize, JsonSchema)]
pub struct StateChange<'a> {
    /// The version of the state that it applies to. If you have another one, ask for the whole state.
    pub after: u64,
    /// The version of the state that it makes.
    pub version: u64,
    /// What changed in the object of `meta`, `situation`, `notes`, `draw_offer` and `rematch`: a change in the sense of
    /// the book's page on the server's interface.
    #[schemars(with = "serde_json::Value")]
    pub change: Box<RawValue>,
    /// The lines of `log` replace all lines with a larger number than this.
    pub log_after: usize,
    /// The new lines of the log.
    #[schemars(with = "Vec<LogEntry>")]
    pub log: Vec<Box<RawValue>>,
    /// How many lines of chat come before those in `chat`.
    pub chat_after: usize,
    /// The new lines of the chat.
    pub chat: &'a [ChatLine],
    /// The clocks, if there are any.
    pub clock: Option<ClockState>,
    /// The computer players that have been thinking for a while.
    pub thinking: Vec<Seat>,
    /// The digest of the object after the change.
    pub digest: u32,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Done {
    /// How many entries it has.
    pub at: usize,
    /// How many changes it has seen.
    pub version: i64,
}

/// The reply to an answer: the whole state, or only how far the game has come.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it describes what two places write")]
pub enum StateOrDone<'a> {
    State(Box<GameState<'a>>),
    Done(Done),
}
