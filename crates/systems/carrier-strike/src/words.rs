//! The words of the game as types.

use flagplot_kernel::Side;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a side fights one combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// All out.
    GungHo,
    /// By reflex.
    Instinctive,
    /// Waiting for the chance.
    Patient,
}

impl Stance {
    /// All stances in the order of the card.
    pub const ALL: [Stance; 3] = [Stance::GungHo, Stance::Instinctive, Stance::Patient];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Stance::GungHo => "gung-ho",
            Stance::Instinctive => "instinctive",
            Stance::Patient => "patient",
        }
    }
}

impl fmt::Display for Stance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How good pilots are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skill {
    /// Nothing special.
    #[default]
    None,
    /// One marker in each combat.
    Experienced,
    /// Two markers.
    Elite,
}

impl Skill {
    /// How many markers must be played.
    #[must_use]
    pub fn markers(self) -> u8 {
        self as u8
    }

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Skill::None => "unskilled",
            Skill::Experienced => "experienced",
            Skill::Elite => "elite",
        }
    }
}

/// The markers a side plays with its stance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Markers {
    /// Each adds to the hits one inflicts.
    #[serde(default)]
    pub red: u8,
    /// Each takes from the hits one suffers.
    #[serde(default)]
    pub blue: u8,
}

impl Markers {
    /// How many there are.
    #[must_use]
    pub fn total(self) -> u8 {
        self.red.saturating_add(self.blue)
    }
}

/// What aircraft do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Fighters.
    Fighter,
    /// Bombers, also those without ordnance.
    Strike,
    /// Scouts.
    Recce,
}

impl Role {
    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Role::Fighter => "fighter",
            Role::Strike => "strike",
            Role::Recce => "recce",
        }
    }
}

/// How a carrier group fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Both carriers in action.
    Operational,
    /// One carrier lost.
    Crippled,
    /// Both lost.
    Destroyed,
}

impl Status {
    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Status::Operational => "operational",
            Status::Crippled => "crippled",
            Status::Destroyed => "destroyed",
        }
    }
}

/// The colour of a side, as a word.
#[must_use]
pub fn color(side: Side) -> &'static str {
    match side {
        Side::First => "blue",
        Side::Second => "red",
    }
}

/// The colour of a side, as a name.
#[must_use]
pub fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Blue",
        Side::Second => "Red",
    }
}
