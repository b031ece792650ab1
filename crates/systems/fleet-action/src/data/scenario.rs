//! Scenarios as data.

use crate::words::*;
use flagplot_referee::words;
use serde::Deserialize;

/// A ship in a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    pub ship: String,
    pub x: i32,
    pub y: i32,
    pub heading: i32,
    pub speed: i32,
    pub crew_quality: i32,
    /// Whether she leads the squadron.
    pub flagship: bool,
    /// Stands being armed aboard.
    #[serde(default)]
    pub rearming: i32,
}

/// A stand of aircraft in a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedStand {
    pub aircraft: String,
    pub count: i32,
    pub role: StandRole,
    /// How it attacks; `none` for fighters.
    pub attack: String,
    /// What it carries; by default the load of that attack.
    #[serde(default)]
    pub ordnance: Option<String>,
    pub crew_quality: i32,
    /// The turn of its arrival.
    pub arrives: i32,
    /// East, where it starts at a place.
    #[serde(default)]
    pub x: Option<i32>,
    /// North, where it starts at a place.
    #[serde(default)]
    pub y: Option<i32>,
}

/// What a stand starts as.
#[words]
pub enum StandRole {
    Fighter,
    /// With its load.
    Loaded,
    /// Without its load.
    Empty,
}

/// A squadron in a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Squadron {
    pub side: SideName,
    pub id: String,
    pub command: i32,
    /// Whether it starts as a contact.
    pub contact: bool,
    #[serde(default)]
    pub surprised: bool,
    #[serde(default)]
    pub ships: Vec<Placed>,
    #[serde(default)]
    pub stands: Vec<PlacedStand>,
}

/// A round piece of land or of weather.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    #[serde(default)]
    pub name: String,
    pub x: i32,
    pub y: i32,
    pub radius: i32,
}

/// Points beyond those for ships.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bonus {
    pub side: SideName,
    pub points: i32,
    /// When, in words.
    pub when: String,
}

/// A scenario of the data file. None is played yet; the data is read and checked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub id: String,
    pub title: String,
    pub date: String,
    pub light: Light,
    /// Visibility turn by turn; the last value lasts.
    pub tvr: Vec<i32>,
    pub weather: String,
    pub turns: i32,
    /// Night falls at the start of this turn.
    #[serde(default)]
    pub night_from_turn: Option<i32>,
    /// The side that wins the first tie for the initiative.
    pub first: SideName,
    pub side_a: String,
    pub side_b: String,
    pub summary: String,
    pub special: Vec<String>,
    #[serde(default)]
    pub land: Vec<Round>,
    #[serde(default)]
    pub squalls: Vec<Round>,
    pub squadron: Vec<Squadron>,
    #[serde(default)]
    pub bonus: Vec<Bonus>,
}
