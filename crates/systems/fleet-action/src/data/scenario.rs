//! Scenarios as data.

use crate::words::*;
use flagplot_referee::words;
use serde::{Deserialize, Serialize};

/// A value that holds on one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnTurn {
    pub turn: i32,
    pub value: i32,
}

/// Values with which a ship starts instead of those of her sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub f: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s: Option<i32>,
    /// Highest speed left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sv: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fc: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub h: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fires: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// Her entry in the data.
    pub ship: String,
    /// Her id in this scenario; that of her entry if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Her name in this scenario; that of her entry if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub x: i32,
    pub y: i32,
    pub heading: i32,
    pub speed: i32,
    pub crew_quality: i32,
    /// Whether she leads the squadron.
    pub flagship: bool,
    /// Stands being armed aboard.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rearming: i32,
    /// Turns on which she keeps course and speed and takes no action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<i32>,
    /// What is added to her shots on a turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_hit_on: Vec<OnTurn>,
    /// Her crew quality on a turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crew_quality_on: Vec<OnTurn>,
    /// Her main battery fails in part on this face of a d10 or less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faulty_main: Option<i32>,
    /// She is under tow: her speed is not repaired, nothing flies.
    #[serde(default, skip_serializing_if = "is_false")]
    pub towed: bool,
    /// Mine fields that she can lay.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mines: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
}

fn is_zero(value: &i32) -> bool {
    *value == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A stand of aircraft in a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedStand {
    pub aircraft: String,
    pub count: i32,
    pub role: StandRole,
    /// How it attacks; `none` for fighters.
    pub attack: String,
    /// What it carries; by default the load of that attack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordnance: Option<String>,
    pub crew_quality: i32,
    /// The turn of its arrival.
    pub arrives: i32,
    /// East, where it starts at a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<i32>,
    /// North, where it starts at a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<i32>,
    /// The ship or air base that it flies from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Whether it is ready aboard; else it is being armed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
    /// The first turn on which it acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acts_from: Option<i32>,
    /// Whether it leaves for good after its attack.
    #[serde(default, skip_serializing_if = "is_false")]
    pub once: bool,
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

/// A stand of small craft in a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedBoats {
    pub type_x: String,
    pub vessels: i32,
    pub x: i32,
    pub y: i32,
    pub heading: i32,
    pub speed: i32,
}

/// A submarine in a scenario; her owner puts her down in secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedSubmarine {
    pub submarine: String,
    pub id: String,
    pub name: String,
    pub crew_quality: i32,
    /// The ship round which she lies.
    pub around: String,
    pub least_mm: i32,
    pub most_mm: i32,
}

/// What stands on land. [C-33]
#[words]
pub enum BaseKind {
    AirBase,
    ShoreBattery,
}

/// The guns of a shore battery: a battery of a ship of the data, set up on land.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseGuns {
    pub ship: String,
    /// Its name in answers: `main`, `other-1`.
    pub battery: String,
}

/// An air base or a shore battery in a scenario. [C-33]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedBase {
    pub kind: BaseKind,
    pub id: String,
    pub name: String,
    pub x: i32,
    pub y: i32,
    pub crew_quality: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guns: Option<BaseGuns>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Squadron {
    pub side: SideName,
    pub id: String,
    pub command: i32,
    /// Whether it starts as a contact.
    pub contact: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub surprised: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ships: Vec<Placed>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boats: Vec<PlacedBoats>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub submarines: Vec<PlacedSubmarine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<PlacedBase>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stands: Vec<PlacedStand>,
}

/// A round piece of land or of weather.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub x: i32,
    pub y: i32,
    pub radius: i32,
}

/// Where a contact marker starts. [C-40]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedMarker {
    pub side: SideName,
    pub x: i32,
    pub y: i32,
    pub heading: i32,
    pub speed: i32,
}

/// Who may leave the sea, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leaving {
    pub side: SideName,
    /// Further than this from every enemy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clear_mm: Option<i32>,
    /// East of this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x_above: Option<i32>,
}

/// How surprised squadrons are alerted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alert {
    /// By being shot at or torpedoed.
    pub shot_at: bool,
    /// By spotting something.
    pub spotted: bool,
    /// From this turn on an alert spreads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spreads_from_turn: Option<i32>,
    /// It spreads on this face of a d10 or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spreads_d10: Option<i32>,
}

/// Flares dropped by a side: they light enemy ships near its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flares {
    pub side: SideName,
    pub reach_mm: i32,
    /// The first and the last turn.
    pub turns: [i32; 2],
}

/// How squalls move in every End Phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    pub heading: i32,
    pub mm: i32,
}

/// A side whose squadrons shrink from torpedoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorpedoShy {
    pub side: SideName,
    /// d10 plus command value, at least this: they press on.
    pub needed: i32,
}

/// A ship whose speed and turns her squadron follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guide {
    pub squadron: String,
    pub ship: String,
    /// The first and the last turn.
    pub turns: [i32; 2],
}

/// Smoke floats of a squadron.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmokeFloats {
    pub squadron: String,
    pub from_turn: i32,
    /// How many turns each ship can make smoke.
    pub each: i32,
}

/// A side that has the initiative on a turn without a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenInitiative {
    pub turn: i32,
    pub side: SideName,
}

/// Optional rules.
#[words]
pub enum Module {
    Mines,
    Submarines,
}

/// Mine fields laid in secret before the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantedFields {
    pub side: SideName,
    pub count: i32,
    pub density: Density,
    /// The lower left corner of where they may lie.
    pub min: [i32; 2],
    /// The upper right corner.
    pub max: [i32; 2],
}

/// Conditions of a bonus that must hold together. A share is a pair: [1, 3] is one third.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_below: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_at_least: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure_at_most: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure_above: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flotation_at_most: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handling_at_most: Option<i32>,
    /// Further than this from every enemy ship.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clear_mm: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<bool>,
    /// Is wrecked, sunk or exploded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cargo_kept: Option<bool>,
}

/// Some ships of a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Those {
    pub side: SideName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_at_least: Option<i32>,
    /// How many of them must fulfil the conditions, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<i32>,
}

/// Points beyond those for ships. [C-50]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bonus {
    pub side: SideName,
    pub points: i32,
    /// When, in words.
    pub when: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ship: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count_of: Option<Those>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each_of: Option<Those>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each_aircraft_lost_of: Option<SideName>,
    /// A type of small craft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each_vessel_left_of: Option<String>,
    /// A type of small craft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each_vessel_lost_of: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub afloat: Option<bool>,
    /// One of these must hold, if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<Terms>,
}

/// A scenario of the data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub night_from_turn: Option<i32>,
    /// The side that wins the first tie for the initiative.
    pub first: SideName,
    pub side_a: String,
    pub side_b: String,
    pub summary: String,
    /// Why it is a demonstration, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub demonstration: Option<String>,
    /// The points of a minus those of b that count as even. [C-49]
    #[serde(default)]
    pub par: i32,
    /// How far from par a victory begins.
    #[serde(default = "usual_margin")]
    pub margin: i32,
    /// How far from par a decisive victory begins.
    #[serde(default = "usual_decisive")]
    pub decisive: i32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub land: Vec<Round>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squalls: Vec<Round>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marker: Vec<PlacedMarker>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leave: Vec<Leaving>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alert: Option<Alert>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flares: Option<Flares>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torpedo_shy: Option<TorpedoShy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guide: Option<Guide>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smoke_floats: Option<SmokeFloats>,
    /// The sides whose ships score only when they are lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_lost_scores: Vec<SideName>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initiative: Vec<GivenInitiative>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<Module>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<GrantedFields>,
    pub squadron: Vec<Squadron>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bonus: Vec<Bonus>,
}

/// What makes a victory where a scenario does not say. [C-24]
fn usual_margin() -> i32 {
    10
}

/// What makes a decisive victory where a scenario does not say. [C-24]
fn usual_decisive() -> i32 {
    25
}
