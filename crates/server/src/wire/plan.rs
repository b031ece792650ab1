//! The settings of a new game.

use flagplot_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The player of a seat.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatPlan {
    /// A person or a computer.
    pub kind: SeatKind,
    /// The computer player, for a computer's seat; by default the server chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The player's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A person or a computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SeatKind {
    /// A person, or a bot that answers over the wire.
    Human,
    /// One of the server's own players.
    Computer,
}

/// Where the dice come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DiceMode {
    /// From a secret that the server has committed to, and from what the seats add.
    #[default]
    Fair,
    /// Real dice, typed in by hand.
    Typed,
    /// From a seed.
    Seeded,
}

/// The clocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClockPlan {
    /// A time for each answer.
    PerMove {
        /// Seconds for an answer.
        seconds: u32,
        /// What happens when they run out.
        on_timeout: OnTimeout,
    },
    /// A bank of time that grows every day.
    Banked {
        /// Seconds added at the start of each day of the game, the first included.
        seconds_per_day: u32,
        /// Seconds at the start.
        bank_seconds: u32,
        /// What happens when the bank is empty.
        on_timeout: OnTimeout,
    },
}

impl ClockPlan {
    /// What happens when time runs out.
    #[must_use]
    pub fn on_timeout(&self) -> OnTimeout {
        match self {
            ClockPlan::PerMove { on_timeout, .. } | ClockPlan::Banked { on_timeout, .. } => *on_timeout,
        }
    }
}

/// What happens when time runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnTimeout {
    /// The player loses.
    Lose,
    /// The computer gives this one answer for the player.
    Computer,
}

/// A web address that is notified of turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// The address.
    pub url: String,
    /// The form of the notification.
    #[serde(default)]
    pub form: WebhookForm,
}

/// The form of a notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WebhookForm {
    /// A JSON object with the facts.
    #[default]
    Json,
    /// A line of text in the field `content`, for Discord.
    Discord,
}

/// A new game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateGame {
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// The scenario's options.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub options: Value,
    /// The players, one for each seat of the scenario.
    pub seats: Vec<SeatPlan>,
    /// Where the dice come from.
    #[serde(default)]
    pub dice: DiceMode,
    /// The seed of seeded dice, as text because it may have 64 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// Whether anyone with the address may watch; true by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectators: Option<bool>,
    /// The clocks; by default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockPlan>,
    /// A web address that is notified of turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<Webhook>,
    /// Whether people who play each other may ask for hints. Each player who is invited must agree; by default no. A
    /// player who plays against computers alone always may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<bool>,
    /// The maker's own seats; by default the first person's seat. Other people take theirs by invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<Vec<Seat>>,
}

/// A person's seat, with its token, or with an invitation for the player who is to take it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CreatedSeat {
    /// The seat.
    pub seat: Seat,
    /// Its token, which lets its holder play the seat. It is shown once; the server keeps only its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// An invitation, which can be exchanged for a token once. It is shown once; the server keeps only its hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// The page of the game with that token or invitation.
    pub link: String,
}

/// Exchanges an invitation for a seat's token.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeBody {
    /// The invitation.
    pub invitation: String,
    /// A token chosen by the client: 43 to 100 random letters, digits, `-` and `_`. A request sent twice with the same
    /// token counts once, so that a lost reply loses nothing. By default the server chooses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Whether the player agrees to hints, where the maker of the game wants them; by default no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<bool>,
}

/// Another game after a finished one.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RematchBody {
    /// Whether the players keep their sides; by default they change.
    #[serde(default)]
    pub same_sides: bool,
    /// Another scenario of the same system with as many seats; by default the same one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
}

/// Asks for a new invitation to a seat; the old one becomes void.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InviteBody {
    /// The seat.
    pub seat: Seat,
}

/// A game just created.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// Its id.
    pub game: String,
    /// The seats of people.
    pub seats: Vec<CreatedSeat>,
    /// The page for spectators, if there may be any.
    pub spectate: Option<String>,
}
