//! The actions as players write them, and what makes one legal.
//!
//! Every check reads only what the acting side can see: its own pieces and public facts.

use super::CarrierGame;
use super::piece::{CardId, Order, PieceId, SquadronId, Squads};
use super::state::State;
use crate::geometry::LENGTH;
use crate::rule;
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Refusal, Rule, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a side does in its go.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Action {
    Pass,
    Move {
        squadrons: Order,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<Waypoints>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detect: Option<DetectPlan>,
    },
    FlyHome {
        squadron: SquadronId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<CardId>,
    },
    MoveCv {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<BTreeMap<CardId, Point>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detect: Option<CvDetect>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evade: Option<Evasion>,
    },
    Launch {
        squadron: SquadronId,
        at: Point,
        #[serde(default)]
        dummy: bool,
    },
    Land {
        squadron: SquadronId,
    },
    Refuel {
        squadron: SquadronId,
    },
    ReArm {
        squadron: SquadronId,
        role: Role,
    },
    Dogfight {
        squadrons: Order,
        target: SquadronId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detect: Option<DogfightDetect>,
    },
    Strike {
        squadrons: Order,
        path: Waypoints,
    },
    Detect {
        by: PieceId,
        target: PieceId,
    },
    Disengage {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        aboard: Vec<SquadronId>,
    },
}

/// When a search is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Before the move.
    Before,
    /// After it.
    After,
}

/// A search of a squadron with its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectPlan {
    /// When.
    pub when: When,
    /// By whom.
    pub by: SquadronId,
    /// For what.
    pub target: PieceId,
}

/// A search of the carrier group with its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CvDetect {
    /// When.
    pub when: When,
    /// For what.
    pub target: PieceId,
}

/// A search before a dogfight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DogfightDetect {
    /// By whom.
    pub by: SquadronId,
}

/// Slipping away.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evasion {
    /// Where the carrier group goes.
    pub real: Point,
    /// Where the decoy goes.
    pub decoy: Point,
    /// With which card each die on the old card goes.
    #[serde(default)]
    pub riders: BTreeMap<SquadronId, Rides>,
}

/// With which card a die goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rides {
    /// With the carrier group.
    Real,
    /// With the decoy.
    Decoy,
}

pub(super) type Legal = Result<(), Refusal>;

pub(super) fn no(code: &'static str, message: impl Into<String>, rule: Rule) -> Refusal {
    Refusal::new(code, message).by(rule)
}

/// Thousandths as lengths, for sentences.
pub(super) fn lengths(thousandths: i64) -> String {
    format!("{}.{:03}", thousandths / LENGTH, thousandths % LENGTH)
}

impl CarrierGame {
    /// Whether a side may do this now.
    pub fn legal(&self, state: &State, side: Side, action: &Action) -> Legal {
        if state.verdict.is_some() {
            return Err(no("game-over", "The game is over.", rule::VICTORY));
        }
        if state.phasing != side {
            return Err(no("not-your-turn", "It is not your action.", rule::TURN_SEQUENCE));
        }
        if state.passed[side] {
            return Err(no("already-passed", "You have passed this turn.", rule::R_7));
        }
        match action {
            Action::Pass => self.may_pass(state, side),
            Action::Move { squadrons, path, detect } => {
                self.may_move(state, side, squadrons, path.as_ref(), detect.as_ref())
            }
            Action::FlyHome { squadron, card } => self.may_fly_home(state, side, *squadron, *card),
            Action::MoveCv { to, detect, evade } => {
                self.may_move_cv(state, side, to.as_ref(), detect.as_ref(), evade.as_ref())
            }
            Action::Launch { squadron, at, dummy } => self.may_launch(state, side, *squadron, *at, *dummy),
            Action::Land { squadron } => self.may_land(state, side, *squadron),
            Action::Refuel { squadron } => self.may_refuel(state, side, *squadron),
            Action::ReArm { squadron, role } => self.may_re_arm(state, side, *squadron, *role),
            Action::Dogfight { squadrons, target, detect } => {
                self.may_dogfight(state, side, squadrons, *target, detect.as_ref())
            }
            Action::Strike { squadrons, path } => self.may_strike(state, side, squadrons, path),
            Action::Detect { by, target } => self.may_detect(state, side, *by, *target),
            Action::Disengage { aboard } => self.may_disengage(state, side, aboard),
        }
    }

    /// Nobody passes while a squadron on its last fuel can act.
    pub(super) fn may_pass(&self, state: &State, side: Side) -> Legal {
        match state.up(side).iter().find(|id| state[*id].rl <= 1 && !state[*id].acted) {
            Some(id) => Err(no(
                "must-bring-home",
                format!("You cannot pass: squadron {id} is on its last fuel and must land or fly home."),
                rule::R_44,
            )),
            None => Ok(()),
        }
    }
}

/// A target of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A group of squadrons.
    Group(Squads),
    /// A card of a side.
    Card(Side, usize),
}
