//! Everything that changes while a battle is fought.
//!
//! Facts that a viewer does not know are `None` or absent in the state of a view: what a marker holds, the aim of
//! torpedoes, where a submerged submarine is, fields that no ship has met.

use super::id::Id;
use super::{actions, air, deeps, end, moving, setup};
use crate::geometry::{Place, Position};
use crate::ship::{Condition, whole};
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{BySide, Side};
use serde::{Deserialize, Serialize};

/// A vessel: a ship, a stand of small craft or a submarine, by its place in the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VesselId(pub u8);

/// A stand of aircraft, by its place in the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StandId(pub u8);

/// A squadron, by its place in the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SquadronId(pub u8);

/// A contact marker, by its place in the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MarkerId(pub u8);

/// What moves and acts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    Squadron(SquadronId),
    Marker(MarkerId),
}

/// How deep a submarine is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    #[default]
    Surfaced,
    Periscope,
    Deep,
}

/// How a crew bears up. [C-22]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mood {
    #[default]
    Steady,
    Shaken,
    Broken,
}

/// What a vessel has used up this turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ledger {
    /// Main mounts that have fired, a bit each.
    pub main_fired: u64,
    /// Other mounts that have fired, a bit each.
    pub other_fired: u64,
    /// Directed shoots so far.
    pub directed: i32,
    /// LRF, MRF and CRF factors used, at aircraft or vessels.
    pub lrf_used: i32,
    pub mrf_used: i32,
    pub crf_used: i32,
    /// The one target named for the night identification test, and whether it was passed.
    pub identified: Option<(VesselId, bool)>,
    /// Batteries whose radar test was made, a bit each, and those that passed.
    pub radar_tested: u16,
    pub radar_passed: u16,
    /// She has tried to spot a contact.
    pub spotted: bool,
    /// She has searched with sonar.
    pub searched: bool,
    /// Her depth charges are used.
    pub depth_charged: bool,
    /// The Crew Test of a ship without power: passed or failed. [7.2]
    pub power: Option<bool>,
    /// She was shot at or torpedoed.
    pub shot_at: bool,
    /// She has spotted a contact.
    pub saw: bool,
    /// Aircraft launched or landed so far. [C-44]
    pub handled: i32,
    /// Aircraft launched by catapult so far.
    pub catapulted: i32,
    /// Whom she lights with her searchlight.
    pub lights: Option<VesselId>,
    /// She has fired star shell with this battery.
    pub star_shell: bool,
    /// She has launched torpedoes.
    pub launched: bool,
    /// She or her stands have already tested morale this End Phase.
    pub tested: bool,
    /// Criticals that have struck her.
    #[serde(default, skip_serializing_if = "none")]
    pub criticals: i32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

fn none(count: &i32) -> bool {
    *count == 0
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Vessel {
    pub at: Position,
    /// Knots this turn.
    pub speed: i32,
    /// Knots last turn, from which she speeds up or slows down.
    pub last_speed: i32,
    #[serde(with = "whole")]
    pub now: Condition,
    /// Small craft left in a stand; 1 for a ship.
    pub vessels: i32,
    pub level: Level,
    pub mood: Mood,
    pub left: bool,
    pub aground: bool,
    /// Whether she is on the table: a deployed squadron's ship, or a submarine that has been put down.
    pub placed: bool,
    /// A submarine that everybody sees until she has moved: surfaced, detected, or betrayed by her torpedoes.
    pub seen: bool,
    /// A submarine that sonar has found, until she has moved: she can be attacked. [9.2]
    #[serde(default, skip_serializing_if = "is_false")]
    pub detected: bool,
    /// Loaded torpedo mounts, a bit each.
    pub loaded: u32,
    /// Mounts that will be loaded again, with the turn. [5.5]
    pub reloads: Vec<(u8, i32)>,
    /// Mounts that have been reloaded once, a bit each.
    pub reloaded: u32,
    /// Torpedoes left to each of the small craft.
    pub torpedoes: i32,
    /// Smoke floats left.
    pub floats: i32,
    /// Mine fields left to lay.
    pub mines: i32,
    pub ledger: Ledger,
    /// Flotation and structure at the start of the turn.
    pub began: (i32, i32),
    /// The turn in which she was lost.
    pub lost_on: Option<i32>,
    /// Corners of her path this turn and last turn, for the wake and for ships that follow.
    pub wake: Vec<Point>,
    pub last_wake: Vec<Point>,
    /// Vessels with which she overlaps after a collision, a bit each: they ignore each other until clear. [C-41]
    pub entangled: u64,
    /// Under star shell until the End Phase. [C-7]
    pub star_lit: bool,
    /// The place at which everybody last saw a submarine, and the turn on which she left it.
    pub sighted: Option<(Place, i32)>,
}

/// What a stand of aircraft is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aloft {
    Awaited,
    Airborne,
    /// Aboard its ship, ready or being armed, with the aircraft that are ready.
    Aboard {
        ready: i32,
    },
    /// Being launched; `off` aircraft have left the deck.
    Launching {
        off: i32,
    },
    /// Landing; `down` aircraft are aboard.
    Landing {
        down: i32,
    },
    /// In the air, leaves in the next aircraft phase. [C-14]
    Leaving,
    /// Gone, or all shot down.
    Gone,
}

/// What a stand declared in the aircraft phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mission {
    #[default]
    None,
    /// Bombs, torpedoes or rockets at a vessel.
    Attack(VesselId),
    /// Guns at a vessel.
    Strafe(VesselId),
    Intercept(StandId),
    Escort(StandId),
    Patrol,
}

/// A stand of aircraft as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stand {
    pub aloft: Aloft,
    pub at: Place,
    pub aircraft: i32,
    /// Aircraft at the start of the turn, for morale.
    pub began: i32,
    pub loaded: bool,
    pub flak: i32,
    pub mission: Mission,
    /// Has used its action of the turn.
    pub acted: bool,
    pub crew_quality: i32,
    /// The ship it is aboard, or returns to.
    pub home: Option<VesselId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Squadron {
    /// Command value now.
    pub command: i32,
    /// Whether its ships are on the table.
    pub deployed: bool,
    pub surprised: bool,
    /// Ships, small craft and stands that counted at the start of the turn. [12.5]
    pub began: i32,
    pub moved: bool,
    pub flown: bool,
    pub acted: bool,
    /// The turn in which torpedoes were last resolved against it.
    pub torpedoed_on: Option<i32>,
    /// The launchers of those torpedoes, which a shy squadron does not approach.
    pub torpedoed_by: Vec<VesselId>,
    /// Shrinks from torpedoes this turn.
    pub shy: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    Squadron(SquadronId),
    Dummy,
}

/// A contact marker as it is now. [C-40]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Marker {
    pub side: Side,
    pub at: Position,
    pub speed: i32,
    /// What it holds; nothing in the view of those who do not know.
    pub holds: Option<Holds>,
    /// It has spotted, so everybody knows that it is real.
    pub real: bool,
    /// Deployed or removed.
    pub gone: bool,
    pub moved: bool,
    pub acted: bool,
}

/// A smoke screen: three circles astern of the ship that made it, until her next move. [C-25]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Screen {
    pub by: VesselId,
    pub at: [Point; 3],
}

/// The secret part of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Aim {
    pub at: AimPoint,
    /// The speed setting, by its place on the torpedo's list.
    pub setting: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AimPoint {
    Vessel(VesselId),
    Point(Place),
}

/// Torpedoes that run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Running {
    pub by: VesselId,
    /// Where they were launched, and the heading of the launcher.
    pub from: Position,
    pub mode: Mode,
    /// The mounts, a bit each; 0 for small craft.
    pub mounts: u32,
    pub torpedoes: i32,
    /// The aim; nothing in the view of those who do not know.
    pub aim: Option<Aim>,
    /// Ships that could have been named, for those who imagine. [C-38]
    pub could: Vec<VesselId>,
    /// Crew quality and splash markers of the launcher when she was lost, if she was. [2, phase 6]
    pub frozen: Option<(i32, i32)>,
    /// Launched under water, so nobody else knows of them until they are resolved. [C-52]
    pub hidden: bool,
}

/// A mine field: a rectangle along a heading. [9.1]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    pub side: Side,
    /// Its centre and the heading of its long side.
    pub at: Position,
    /// None once it is swept or spent.
    pub density: Option<Density>,
    /// A ship has met it, so everybody knows it.
    pub known: bool,
}

/// Something that the last step started and that comes before anything else.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pending {
    /// Magazines, fuel or ammunition blow up; the sum of `dice` d6 is the CV. [C-18]
    Explosion { by: VesselId, at: Place, dice: i32 },
    /// The explosion reaches these, one after the other.
    Blast { cv: i32, at: Place, left: Vec<VesselId> },
    /// Loss of control: a forced move. [section 4]
    Sheer { vessel: VesselId, to: Sheer },
    /// Hits still to be resolved, one a step.
    Hits(super::harm::Hits),
}

/// Torpedoes that have arrived this turn, for the board. [18.2]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Arrived {
    pub by: VesselId,
    pub from: Place,
    /// Where they met what they were meant for, or where they found nothing.
    pub to: Place,
    pub torpedoes: i32,
    pub hits: i32,
}

/// Everything on the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sea {
    pub turn: i32,
    pub holder: Option<Side>,
    /// Who moves first this turn.
    pub first: Side,
    pub squadrons: Vec<Squadron>,
    pub vessels: Vec<Vessel>,
    pub stands: Vec<Stand>,
    pub markers: Vec<Marker>,
    pub screens: Vec<Screen>,
    /// Centres of the squalls, in the order of the scenario.
    pub squalls: Vec<Place>,
    pub running: Vec<Running>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrived: Vec<Arrived>,
    pub fields: Vec<Field>,
    /// The set-up of each side is done.
    pub ready: BySide<bool>,
    pub pending: Vec<Pending>,
}

/// The phase of the turn, with how far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    SetUp(setup::Stage),
    Initiative,
    Mines(deeps::MineStage),
    Submarines(deeps::DiveStage),
    Ships(moving::Stage),
    Aircraft(air::FlightStage),
    Actions(actions::Stage),
    End(end::Stage),
    Over,
}

/// Everything that changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    pub sea: Sea,
    pub phase: Phase,
}

impl Sea {
    #[must_use]
    pub fn vessel(&self, id: VesselId) -> &Vessel {
        &self.vessels[id.0 as usize]
    }

    pub fn vessel_mut(&mut self, id: VesselId) -> &mut Vessel {
        &mut self.vessels[id.0 as usize]
    }

    #[must_use]
    pub fn stand(&self, id: StandId) -> &Stand {
        &self.stands[id.0 as usize]
    }

    pub fn stand_mut(&mut self, id: StandId) -> &mut Stand {
        &mut self.stands[id.0 as usize]
    }

    #[must_use]
    pub fn squadron(&self, id: SquadronId) -> &Squadron {
        &self.squadrons[id.0 as usize]
    }

    pub fn squadron_mut(&mut self, id: SquadronId) -> &mut Squadron {
        &mut self.squadrons[id.0 as usize]
    }

    #[must_use]
    pub fn marker(&self, id: MarkerId) -> &Marker {
        &self.markers[id.0 as usize]
    }

    pub fn marker_mut(&mut self, id: MarkerId) -> &mut Marker {
        &mut self.markers[id.0 as usize]
    }

    pub fn all(&self) -> impl Iterator<Item = (VesselId, &Vessel)> {
        self.vessels.iter().enumerate().map(|(at, vessel)| (VesselId(at as u8), vessel))
    }

    pub fn all_stands(&self) -> impl Iterator<Item = (StandId, &Stand)> {
        self.stands.iter().enumerate().map(|(at, stand)| (StandId(at as u8), stand))
    }
}

impl Vessel {
    /// Still fights: afloat, on the table, not gone.
    #[must_use]
    pub fn in_play(&self) -> bool {
        self.placed && !self.left && self.now.afloat()
    }

    /// Takes room on the table: in play on the surface, or a wreck that has not gone down. [C-42, C-52]
    #[must_use]
    pub fn in_the_way(&self) -> bool {
        self.placed
            && !self.left
            && self.level == Level::Surfaced
            && matches!(self.now.status, Status::Afloat | Status::Wreck)
    }
}

impl Stand {
    /// In the air, where it can be shot at.
    #[must_use]
    pub fn flies(&self) -> bool {
        self.aircraft > 0 && matches!(self.aloft, Aloft::Airborne | Aloft::Leaving)
    }
}

/// An entry of a list of answers that names a vessel.
pub type VesselName = Id;
