//! The words of the game as types.

use flagplot_kernel::Side;
use flagplot_referee::{Shaped, words};
use serde::{Deserialize, Serialize};

#[words]
pub enum Stance {
    GungHo,
    Instinctive,
    Patient,
}

#[words]
#[derive(Default)]
pub enum Skill {
    #[default]
    None,
    Experienced,
    Elite,
}

impl Skill {
    /// How many markers its pilots play in each combat.
    pub fn markers(self) -> u8 {
        self as u8
    }
}

/// The markers a side plays with its stance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[serde(deny_unknown_fields)]
pub struct Markers {
    /// Markers that add to the hits the side inflicts.
    #[serde(default)]
    #[shape(0..=2, or = 0)]
    pub red: u8,
    /// Markers that take from the hits it suffers.
    #[serde(default)]
    #[shape(0..=2, or = 0)]
    pub blue: u8,
}

impl Markers {
    pub fn total(self) -> u8 {
        self.red.saturating_add(self.blue)
    }
}

#[words]
pub enum Role {
    Fighter,
    /// Bombers, also those without ordnance.
    Strike,
    Recce,
}

#[words]
pub enum Status {
    Operational,
    Crippled,
    Destroyed,
}

/// A side by its colour, as files and requests name it.
#[words]
pub enum Color {
    Blue,
    Red,
}

impl Color {
    pub fn side(self) -> Side {
        if self == Color::Blue { Side::First } else { Side::Second }
    }
}

pub fn color(side: Side) -> &'static str {
    Color::WORDS[side.index()]
}

pub fn name(side: Side) -> &'static str {
    ["Blue", "Red"][side.index()]
}
