//! The actions as players write them, and what makes one legal.
//!
//! Every check reads only what the acting side can see: its own pieces and public facts.

use super::CarrierGame;
use super::piece::{CardId, CardLabel, Order, PieceId, SquadronId, Squads};
use super::refusals::{Barred, Legal};
use super::state::{Table, Where};
use crate::walk::Waypoints;
use crate::words::Role;
use flagplot_kernel::Side;
use flagplot_kernel::plane::Point;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a side does in its go.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "kebab-case", deny_unknown_fields)]
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

impl Action {
    /// The squadrons in the air that act and are marked for it, the lead first.
    pub(super) fn squadrons(&self) -> Order {
        match self {
            Action::Move { squadrons, .. } | Action::Dogfight { squadrons, .. } | Action::Strike { squadrons, .. } => {
                *squadrons
            }
            _ => Order::default(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    Before,
    After,
}

/// A search of a squadron with its move. The target of a search after the move is named when the move is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectPlan {
    pub when: When,
    pub by: SquadronId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<PieceId>,
}

/// A search of the carrier group with its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CvDetect {
    pub when: When,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<PieceId>,
}

/// A search before a dogfight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DogfightDetect {
    pub by: SquadronId,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evasion {
    pub real: Point,
    pub decoy: Point,
    /// With which card each die on the old card goes.
    #[serde(default)]
    pub riders: BTreeMap<SquadronId, Rides>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rides {
    Real,
    Decoy,
}

impl CarrierGame {
    pub fn legal(&self, table: &Table, side: Side, action: &Action) -> Legal {
        if table.verdict.is_some() {
            return Err(Barred::GameOver);
        }
        if table.phasing != side {
            return Err(Barred::NotYourGo);
        }
        if table.passed[side] {
            return Err(Barred::HasPassed);
        }
        match action {
            Action::Pass => self.may_pass(table, side),
            Action::Move { squadrons, path, detect } => {
                self.may_move(table, side, squadrons, path.as_ref(), detect.as_ref())
            }
            Action::FlyHome { squadron, card } => self.may_fly_home(table, side, *squadron, *card),
            Action::MoveCv { to, detect, evade } => {
                self.may_move_cv(table, side, to.as_ref(), detect.as_ref(), evade.as_ref())
            }
            Action::Launch { squadron, at, dummy } => self.may_launch(table, side, *squadron, *at, *dummy),
            Action::Land { squadron } => self.may_land(table, side, *squadron),
            Action::Refuel { squadron } => self.may_refuel(table, side, *squadron),
            Action::ReArm { squadron, role } => self.may_re_arm(table, side, *squadron, *role),
            Action::Dogfight { squadrons, target, detect } => {
                self.may_dogfight(table, side, squadrons, *target, detect.as_ref())
            }
            Action::Strike { squadrons, path } => self.may_strike(table, side, squadrons, path),
            Action::Detect { by, target } => self.may_detect(table, side, *by, *target),
            Action::Disengage { aboard } => self.may_disengage(table, side, aboard),
        }
    }

    /// Whether nothing is left to a side in this turn but to pass.
    pub(super) fn can_only_pass(&self, table: &Table, side: Side) -> bool {
        let carrier = &table.carriers[side];
        let done = |id: SquadronId| match table[id].place {
            Where::Deployed => table[id].acted,
            Where::Aboard => table[id].acted || !carrier.in_play() || id.is_recce() && !table[id].deck.ready(),
            _ => true,
        };
        let card = PieceId::Card(CardId { side, label: CardLabel::Cv });
        let mut searchers = table.up(side).iter().map(PieceId::Squadron).chain([card]);
        SquadronId::of(side).all(done)
            && (carrier.acted || !carrier.in_play())
            && self.may_disengage(table, side, &[]).is_err()
            && searchers.all(|by| self.searchable(table, side, by).is_empty())
    }

    /// Nobody passes while a squadron on its last fuel can act.
    pub(super) fn may_pass(&self, table: &Table, side: Side) -> Legal {
        match table.up(side).iter().find(|id| table[*id].rl <= 1 && !table[*id].acted) {
            Some(id) => Err(Barred::MustBringHome { id }),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Group(Squads),
    Card(Side, usize),
}
