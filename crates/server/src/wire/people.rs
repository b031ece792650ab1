//! Accounts.

use flagplot_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A new account.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    /// What one is called.
    pub name: String,
    /// The password.
    pub password: String,
    /// Where notifications go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

/// Somebody who wants to come in.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The account's name.
    pub name: String,
    /// The password.
    pub password: String,
}

/// A game in somebody's list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MyGame {
    /// Its id.
    pub game: String,
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// One's seat.
    pub seat: Seat,
    /// Whether one has to answer.
    pub your_turn: bool,
    /// Whether it is over.
    pub over: bool,
}

/// An account with its games.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Me {
    /// What one is called.
    pub name: String,
    /// One's games, the latest first.
    pub games: Vec<MyGame>,
}
