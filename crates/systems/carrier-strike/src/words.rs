//! The words of the game as types.

use flagplot_kernel::Side;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    GungHo,
    Instinctive,
    Patient,
}

impl Stance {
    /// All stances in the order of the card.
    pub const ALL: [Stance; 3] = [Stance::GungHo, Stance::Instinctive, Stance::Patient];

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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skill {
    #[default]
    None,
    /// One marker in each combat.
    Experienced,
    /// Two markers.
    Elite,
}

impl Skill {
    pub fn markers(self) -> u8 {
        self as u8
    }

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
    pub fn total(self) -> u8 {
        self.red.saturating_add(self.blue)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Fighter,
    /// Bombers, also those without ordnance.
    Strike,
    Recce,
}

impl Role {
    pub fn word(self) -> &'static str {
        match self {
            Role::Fighter => "fighter",
            Role::Strike => "strike",
            Role::Recce => "recce",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Operational,
    Crippled,
    Destroyed,
}

impl Status {
    pub fn word(self) -> &'static str {
        match self {
            Status::Operational => "operational",
            Status::Crippled => "crippled",
            Status::Destroyed => "destroyed",
        }
    }
}

pub fn color(side: Side) -> &'static str {
    match side {
        Side::First => "blue",
        Side::Second => "red",
    }
}

pub fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Blue",
        Side::Second => "Red",
    }
}
