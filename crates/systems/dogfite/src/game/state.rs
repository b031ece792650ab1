//! What changes while a game is played. All of it is public.

use super::Dogfight;
use crate::bet::Tasks;
use crate::critical::Harm;
use crate::edge::Aim;
use crate::ending::Tally;
use crate::initiative::Order;
use crate::position::Position;
use crate::words::{Alliance, Extent, Flight, Pitch, Status, Vertical};
use flagplot_kernel::hex::Direction;
use flagplot_referee::words;
use serde::{Deserialize, Serialize};

/// An aircraft's place in the list.
pub type CraftId = u8;

#[words]
pub enum Phase {
    Smoke,
    Targets,
    Initiative,
    Movement,
    Combat,
    Hits,
    End,
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Craft {
    pub position: Position,
    pub speed: i32,
    pub flight: Flight,
    pub status: Status,
    pub target: Option<CraftId>,
    /// Its edge over an enemy target.
    pub edge: Option<i32>,
    /// The number posted this turn.
    pub posted: i32,
    /// Its rank this turn, from 0 for the lowest.
    pub rank: u8,
    pub harm: Harm,
    /// The turn in which it left the map.
    pub left_in_turn: i32,
}

impl Craft {
    pub fn in_play(&self) -> bool {
        self.status == Status::InPlay
    }
}

/// A climb or dive, or none.
#[words]
pub enum VerticalOption {
    #[word("stay-level")]
    Stay,
    HalfClimb,
    HalfDive,
    FullClimb,
    FullDive,
    Finish,
    LevelOff,
}

impl VerticalOption {
    /// Up or down, and how far, for an aircraft of this pitch; none if it stays level or levels off.
    pub(super) fn way(self, pitch: Pitch) -> Option<(Vertical, Extent)> {
        Some(match self {
            VerticalOption::Stay | VerticalOption::LevelOff => return None,
            VerticalOption::HalfClimb => (Vertical::Climb, Extent::Half),
            VerticalOption::HalfDive => (Vertical::Dive, Extent::Half),
            VerticalOption::FullClimb => (Vertical::Climb, Extent::Full),
            VerticalOption::FullDive => (Vertical::Dive, Extent::Full),
            VerticalOption::Finish if pitch == Pitch::Climbing => (Vertical::Climb, Extent::Finish),
            VerticalOption::Finish => (Vertical::Dive, Extent::Finish),
        })
    }

    /// What the aircraft does, for the log.
    pub(super) fn told(self) -> &'static str {
        match self {
            VerticalOption::Stay => "stays level",
            VerticalOption::HalfClimb => "begins to climb",
            VerticalOption::HalfDive => "begins to dive",
            VerticalOption::FullClimb => "climbs a level",
            VerticalOption::FullDive => "dives a level",
            VerticalOption::Finish => "finishes its climb or dive",
            VerticalOption::LevelOff => "levels off",
        }
    }
}

/// What a move consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Straight ahead; with a level it is bet on.
    Straight {
        level: Option<i32>,
        #[serde(default)]
        points: i32,
    },
    /// A facing change in the hex ahead.
    Facing {
        /// Hexsides to the right; negative to the left.
        turn: i32,
        #[serde(default)]
        points: i32,
    },
    /// Into the middle of the hex ahead, or staying in the middle.
    Stay {
        /// The level, if it is raised.
        level: Option<i32>,
        #[serde(default)]
        points: i32,
    },
    /// Out of the middle.
    Exit {
        edge: Direction,
        level: Option<i32>,
        #[serde(default)]
        points: i32,
    },
    /// A bet without a step.
    BetOnly {
        level: Option<i32>,
        #[serde(default)]
        points: i32,
    },
    /// A try at going into a spin.
    Spin,
    /// No more steps.
    Stop,
}

impl Act {
    pub fn points(&self) -> i32 {
        match *self {
            Act::Straight { points, .. }
            | Act::Facing { points, .. }
            | Act::Stay { points, .. }
            | Act::Exit { points, .. }
            | Act::BetOnly { points, .. } => points,
            Act::Spin | Act::Stop => 0,
        }
    }

    pub fn level(&self) -> Option<i32> {
        match *self {
            Act::Straight { level, .. }
            | Act::Stay { level, .. }
            | Act::Exit { level, .. }
            | Act::BetOnly { level, .. } => level,
            Act::Facing { .. } | Act::Spin | Act::Stop => None,
        }
    }

    /// The same act with another bet, as far as it makes one.
    pub fn with_bet(self, level: Option<i32>, points: i32) -> Self {
        match self {
            Act::Straight { .. } => Act::Straight { level, points },
            Act::Facing { turn, .. } => Act::Facing { turn, points },
            Act::Stay { .. } => Act::Stay { level, points },
            Act::Exit { edge, .. } => Act::Exit { edge, level, points },
            Act::BetOnly { .. } => Act::BetOnly { level, points },
            Act::Spin | Act::Stop => self,
        }
    }
}

/// A step that a leader has made, for its followers to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Leg {
    /// The step as it was carried out.
    pub step: Step,
    /// The level of the leader's bet; 0 without one.
    pub level: i32,
    /// Aerobatic points of the leader's bet.
    pub points: i32,
}

/// A step as it was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Through the hex ahead.
    Straight,
    /// With so many hexsides to the right in the hex ahead.
    Turn(i32),
    /// Into the middle, or staying there.
    Stay,
    /// Out of the middle.
    Exit(Direction),
    Nowhere,
}

/// What a formation leader has done in its move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trail {
    pub leader: CraftId,
    pub die: u8,
    pub speed: i32,
    /// Its climb or dive, as it came out.
    pub vertical: Option<VerticalOption>,
    pub legs: Vec<Leg>,
    /// Whether it spun, crashed or left, which is not copied.
    pub broken_off: bool,
}

/// How far a formation follower has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formation {
    /// It follows nobody.
    No,
    /// It repeats its leader's steps, this one next.
    Copying(u8),
    /// It has fallen out and flies by its own choices.
    Out,
}

#[words]
pub enum Stage {
    Die,
    Vertical,
    Steps,
    Engine,
    Spinning,
    Recovered,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mover {
    pub who: CraftId,
    pub stage: Stage,
    pub die: u8,
    /// What the move has cost so far.
    pub tally: Tally,
    pub vertical: Option<VerticalOption>,
    /// Speed points of the climb or dive as far as they lower the movement die.
    pub steepness: i32,
    /// The points of the half move that is still to be broken off by a bet.
    pub leveling: Option<i32>,
    pub aerobatics: bool,
    pub used: i32,
    /// Whether the last step was a stay in hex.
    pub just_stayed: bool,
    /// Whether its bet without a step has been made.
    pub bet_only_made: bool,
    pub spin_tried: bool,
    pub formation: Formation,
    pub legs: Vec<Leg>,
}

impl Mover {
    pub fn new(who: CraftId, craft: &Craft, formation: Formation) -> Mover {
        Mover {
            who,
            stage: if craft.flight == Flight::Spinning { Stage::Spinning } else { Stage::Die },
            die: 0,
            tally: Tally::new(craft.speed),
            vertical: None,
            steepness: 0,
            leveling: None,
            aerobatics: false,
            used: 0,
            just_stayed: false,
            bet_only_made: false,
            spin_tried: false,
            formation,
            legs: Vec::new(),
        }
    }

    /// Whether it flies as part of a formation or did so when its move began.
    pub fn is_follower(&self) -> bool {
        self.formation != Formation::No
    }
}

/// What one aircraft has shot, to be applied when all have fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shots {
    pub by: CraftId,
    pub at: CraftId,
    pub hits: i32,
    pub criticals: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    pub turn: i32,
    pub phase: Phase,
    /// The aircraft, in the order of their ids.
    pub craft: Vec<Craft>,
    pub order: Order,
    pub mover: Option<Mover>,
    /// What formation leaders have done this turn.
    pub trails: Vec<Trail>,
    /// How many of those who have moved have had their chance to fire.
    pub fired: u8,
    pub shots: Vec<Shots>,
}

impl State {
    pub fn get(&self, id: CraftId) -> &Craft {
        &self.craft[usize::from(id)]
    }

    pub fn get_mut(&mut self, id: CraftId) -> &mut Craft {
        &mut self.craft[usize::from(id)]
    }

    pub fn in_play(&self) -> impl Iterator<Item = CraftId> + '_ {
        (0..self.craft.len() as u8).filter(|&id| self.get(id).in_play())
    }

    pub fn aim(&self, game: &Dogfight, id: CraftId) -> Aim<usize> {
        match self.get(id).target {
            None => Aim::Nobody,
            Some(target) if game.side(target) == game.side(id) => Aim::Friend,
            Some(target) => Aim::Enemy(usize::from(target)),
        }
    }

    pub fn prey(&self, game: &Dogfight, id: CraftId) -> Option<CraftId> {
        match self.aim(game, id) {
            Aim::Enemy(target) => Some(target as CraftId),
            _ => None,
        }
    }

    /// The enemies that target an aircraft.
    pub fn hunters(&self, game: &Dogfight, id: CraftId) -> Vec<CraftId> {
        self.in_play().filter(|&other| self.prey(game, other) == Some(id)).collect()
    }

    pub fn has_any(&self, game: &Dogfight, side: Alliance) -> bool {
        self.in_play().any(|id| game.side(id) == side)
    }

    /// An aircraft loses its target and with it its edge.
    pub fn lose_target(&mut self, id: CraftId) {
        let craft = self.get_mut(id);
        (craft.target, craft.edge) = (None, None);
    }

    /// An aircraft is gone, and with it the target of those who hunted it.
    pub fn remove(&mut self, id: CraftId, status: Status) {
        let turn = self.turn;
        let craft = self.get_mut(id);
        craft.status = status;
        craft.left_in_turn = turn;
        self.lose_target(id);
        for other in 0..self.craft.len() as u8 {
            if self.get(other).target == Some(id) {
                self.lose_target(other);
            }
        }
    }
}

/// Which tasks are given up, as a player says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GivenUp {
    #[serde(default)]
    pub aerobatics: i32,
    #[serde(default)]
    pub facing: i32,
    #[serde(default)]
    pub stay_in_hex: i32,
    #[serde(default)]
    pub leveling: i32,
}

impl From<Tasks> for GivenUp {
    fn from(tasks: Tasks) -> Self {
        GivenUp {
            aerobatics: tasks.aerobatics,
            facing: tasks.facing,
            stay_in_hex: tasks.stay_in_hex,
            leveling: tasks.leveling,
        }
    }
}

impl From<GivenUp> for Tasks {
    fn from(given: GivenUp) -> Self {
        Tasks {
            aerobatics: given.aerobatics,
            facing: given.facing,
            stay_in_hex: given.stay_in_hex,
            leveling: given.leveling,
        }
    }
}
