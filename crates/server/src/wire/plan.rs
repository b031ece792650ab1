//! What is agreed when a game is made.

use flagplot_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who shall sit on a chair.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatPlan {
    /// A person or a program.
    pub kind: SeatKind,
    /// Which program, for a computer's seat; without it the server chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// What the player is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A person or a program.
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
    /// From a secret the server has committed to.
    #[default]
    Fair,
    /// Real dice, typed in.
    Typed,
    /// From a number.
    Seeded,
}

/// How much time the players have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClockPlan {
    /// So long for each answer.
    PerMove {
        /// Seconds for an answer.
        seconds: u32,
        /// What happens when they are over.
        on_timeout: OnTimeout,
    },
    /// An account of time to which every day adds something.
    Banked {
        /// Seconds added at the start of each day of the game, the first included.
        seconds_per_day: u32,
        /// Seconds to begin with.
        bank_seconds: u32,
        /// What happens when the account is empty.
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
    /// The game is lost.
    Lose,
    /// The computer answers in the player's place, this once.
    Computer,
}

/// A web address that is told when a person has to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// Where to.
    pub url: String,
    /// In which form.
    #[serde(default)]
    pub form: WebhookForm,
}

/// The form of a notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WebhookForm {
    /// An object with the facts.
    #[default]
    Json,
    /// A line of text in the field `content`, as Discord wants it.
    Discord,
}

/// A wish for a new game.
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
    /// Who sits where, one for each chair of the scenario.
    pub seats: Vec<SeatPlan>,
    /// Where the dice come from.
    #[serde(default)]
    pub dice: DiceMode,
    /// The number that seeded dice follow from, as text because it may have 64 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// Whether everybody who has the address may watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectators: Option<bool>,
    /// How much time the players have; without it, as much as they like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockPlan>,
    /// Who is told when a person has to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<Webhook>,
    /// The maker's own seats; without it, the first seat of a person. All other people's seats are taken by invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<Vec<Seat>>,
}

/// A person's seat: with a token for whoever plays it, or with an invitation for whoever is to take it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CreatedSeat {
    /// Which.
    pub seat: Seat,
    /// Its token. Whoever has it plays the seat. It is shown once; only its hash is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// An invitation, which is exchanged for a token once. It is shown once; only its hash is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// The client's page with that token or invitation.
    pub link: String,
}

/// An invitation that is to be exchanged for a seat's token.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeBody {
    /// The invitation.
    pub invitation: String,
    /// The token that the seat is to have: 43 to 100 letters, digits, `-` and `_`, made at random. Sent twice with the same token, an
    /// invitation counts once, so that a reply that is lost loses nothing. Without it the server makes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// A seat that is to have a new invitation; the old one is void.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InviteBody {
    /// Which.
    pub seat: Seat,
}

/// A new game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// Its id.
    pub game: String,
    /// The seats of people.
    pub seats: Vec<CreatedSeat>,
    /// The client's page for watching, if that is allowed.
    pub spectate: Option<String>,
}
