//! Accounts.

use flagplot_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A new account.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    /// Its name.
    pub name: String,
    /// Its password.
    pub password: String,
    /// Where notifications go, once the address is confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

/// A log-in.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The account's name.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// A new e-mail address for notifications.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmailBody {
    /// The address.
    pub email: String,
}

/// The e-mail address of an account.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Email {
    /// The address.
    pub address: String,
    /// Whether its owner has confirmed it. Until then the server sends nothing else to it.
    pub confirmed: bool,
}

/// A game in an account's list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MyGame {
    /// Its id.
    pub game: String,
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// The account's seat.
    pub seat: Seat,
    /// Whether the account's player has to answer.
    pub your_turn: bool,
    /// Whether it is over.
    pub over: bool,
}

/// An account with its games.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Me {
    /// Its name.
    pub name: String,
    /// Its e-mail address, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// Its games, the latest first.
    pub games: Vec<MyGame>,
}
