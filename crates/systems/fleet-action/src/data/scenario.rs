//! Scenarios as data.

use crate::words::*;
use serde::Deserialize;

/// A ship in a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// Her id.
    pub ship: String,
    /// East.
    pub x: i32,
    /// North.
    pub y: i32,
    /// Heading.
    pub heading: i32,
    /// Speed.
    pub speed: i32,
    /// Crew quality.
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
    /// Its type.
    pub aircraft: String,
    /// How many.
    pub count: i32,
    /// `fighter`, `loaded` or `empty`.
    pub role: StandRole,
    /// How it attacks; `none` for fighters.
    pub attack: String,
    /// What it carries; by default the load of that attack.
    #[serde(default)]
    pub ordnance: Option<String>,
    /// Crew quality.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandRole {
    /// Fighters.
    Fighter,
    /// With its load.
    Loaded,
    /// Without.
    Empty,
}

/// A squadron in a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Squadron {
    /// Its side.
    pub side: SideName,
    /// Its id.
    pub id: String,
    /// Its command value.
    pub command: i32,
    /// Whether it starts as a contact.
    pub contact: bool,
    /// Whether it is surprised.
    #[serde(default)]
    pub surprised: bool,
    /// Its ships.
    #[serde(default)]
    pub ships: Vec<Placed>,
    /// Its stands.
    #[serde(default)]
    pub stands: Vec<PlacedStand>,
}

/// A round piece of land or of weather.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// What it is called.
    #[serde(default)]
    pub name: String,
    /// East.
    pub x: i32,
    /// North.
    pub y: i32,
    /// Its radius.
    pub radius: i32,
}

/// Points beyond those for ships.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bonus {
    /// Who gets them.
    pub side: SideName,
    /// How many.
    pub points: i32,
    /// When, in words.
    pub when: String,
}

/// A scenario of the data file. None is played yet; the data is read and checked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// When it happened.
    pub date: String,
    /// The light at the start.
    pub light: Light,
    /// Visibility turn by turn; the last value lasts.
    pub tvr: Vec<i32>,
    /// The weather.
    pub weather: String,
    /// How many turns.
    pub turns: i32,
    /// Night falls at the start of this turn.
    #[serde(default)]
    pub night_from_turn: Option<i32>,
    /// Who wins the first tie for the initiative.
    pub first: SideName,
    /// Who side a is.
    pub side_a: String,
    /// Who side b is.
    pub side_b: String,
    /// What it is about.
    pub summary: String,
    /// Its special rules.
    pub special: Vec<String>,
    /// Land.
    #[serde(default)]
    pub land: Vec<Round>,
    /// Squalls.
    #[serde(default)]
    pub squalls: Vec<Round>,
    /// The squadrons.
    pub squadron: Vec<Squadron>,
    /// Further points.
    #[serde(default)]
    pub bonus: Vec<Bonus>,
}
