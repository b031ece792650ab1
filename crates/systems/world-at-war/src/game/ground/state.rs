//! What changes in a ground battle. Nothing of it is hidden. [4.1]

use super::map::{HexAt, UnitAt};
use super::set::Set;
use crate::ground::Measure;
use crate::scenarios::TurnOption;
use flagplot_kernel::{BySide, Side};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Unit {
    /// Where it stands; nowhere once it is eliminated.
    pub hex: Option<HexAt>,
    /// Supply phases it has been isolated for: 0 or 1.
    pub isolation: u8,
    /// Movement points spent in this phase.
    pub spent: u8,
    /// Whether it has moved in this phase.
    pub moved: bool,
    /// Whether it has attacked in this player turn.
    pub attacked: bool,
    /// Whether it went through a breakthrough in this player turn.
    pub exploiting: bool,
}

impl Unit {
    pub fn isolated(&self) -> bool {
        self.isolation > 0
    }
}

/// The air factors of a side that are not over a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AirPool {
    pub ready: u8,
    /// Flew, aborted or withdrew in this player turn.
    pub spent: u8,
    pub eliminated: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attack {
    pub target: HexAt,
    pub units: Set,
    /// Air factors in ground support.
    pub support: u8,
    /// Air factors in defensive air support.
    pub das: u8,
    /// Air factors that intercept it.
    pub interceptors: u8,
}

/// The two combat phases of a player turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Combat {
    Main,
    Exploitation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Option,
    Movement,
    /// Hexes that are still overstacked. [C-8]
    Overstack,
    Declare,
    Das,
    Intercept,
    AirCombat(AirCombat),
    Resolve,
    Fight(Fight),
    Exploit,
    Attrition(Struggle),
    Supply,
    Over,
}

/// Air combat over one of the attacked hexes. [C-21]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AirCombat {
    pub target: HexAt,
    pub rounds: u8,
    pub next: AirStage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AirStage {
    Round,
    /// The interceptors go on or leave.
    Interceptors,
    /// The defensive air support goes on or leaves.
    Das,
}

/// One attack being fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fight {
    pub attack: Attack,
    pub rounds: u8,
    /// Whether all attackers of the latest round attacked across a river: its losses count by that, whoever is left.
    pub river: bool,
    pub next: FightStage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FightStage {
    Round,
    /// What both must still give up, the defender first.
    Losses(BySide<Owed>),
    GoOn,
    Advance,
}

/// What a side must give up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owed {
    pub factors: u16,
    /// Ground factors count by their multipliers.
    pub modified: bool,
}

impl Owed {
    pub fn measure(self) -> Measure {
        if self.modified { Measure::Modified } else { Measure::Printed }
    }
}

/// Attrition being carried out. [C-19]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Struggle {
    /// Involved attackers that have not advanced.
    pub attackers: Set,
    pub defenders: Set,
    /// Hexes that may still be taken.
    pub hexes: u8,
    pub next: StruggleStage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StruggleStage {
    Roll,
    /// So many counters are lost.
    Counters(u8),
    Hex,
    Retreat(HexAt),
    Advance(HexAt),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GroundState {
    pub turn: u8,
    pub active: Side,
    pub phase: Phase,
    /// What the player turn is.
    pub option: TurnOption,
    pub combat: Combat,
    pub units: Vec<Unit>,
    /// Hexes under Axis control; all others are under Allied control.
    pub axis: Set,
    pub air: BySide<AirPool>,
    /// Declared and not yet resolved, in the order of hex ids.
    pub attacks: Vec<Attack>,
    /// Hexes attacked in this combat phase.
    pub attacked: Set,
    /// Attacks taken back in this combat phase.
    pub taken_back: u8,
    /// Hexes that armor advanced into. [C-9]
    pub breakthroughs: Set,
}

impl GroundState {
    pub fn controls(&self, side: Side, hex: HexAt) -> bool {
        self.axis.contains(hex) == (side == Side::First)
    }

    pub(super) fn take(&mut self, side: Side, hex: HexAt) {
        match side {
            Side::First => self.axis.insert(hex),
            Side::Second => self.axis.remove(hex),
        }
    }

    #[inline]
    pub fn unit(&self, at: UnitAt) -> &Unit {
        &self.units[usize::from(at)]
    }

    #[inline]
    pub(super) fn unit_mut(&mut self, at: UnitAt) -> &mut Unit {
        &mut self.units[usize::from(at)]
    }

    pub fn attack_on(&self, hex: HexAt) -> Option<&Attack> {
        self.attacks.iter().find(|attack| attack.target == hex)
    }
}
