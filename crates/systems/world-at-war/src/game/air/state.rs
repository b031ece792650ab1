//! What changes in an air battle. Everything is in air factors; nothing is hidden between two steps. [5.1]

use crate::charts::Toll;
use serde::{Deserialize, Serialize};
use std::ops::{AddAssign, Index, IndexMut};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Attacker,
    Defender,
}

impl Role {
    pub const BOTH: [Role; 2] = [Role::Attacker, Role::Defender];

    #[must_use]
    pub fn other(self) -> Role {
        match self {
            Role::Attacker => Role::Defender,
            Role::Defender => Role::Attacker,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ByRole<T> {
    pub attacker: T,
    pub defender: T,
}

impl<T> ByRole<T> {
    pub fn new_with(mut of: impl FnMut(Role) -> T) -> Self {
        Self { attacker: of(Role::Attacker), defender: of(Role::Defender) }
    }
}

impl<T> Index<Role> for ByRole<T> {
    type Output = T;
    fn index(&self, role: Role) -> &T {
        match role {
            Role::Attacker => &self.attacker,
            Role::Defender => &self.defender,
        }
    }
}

impl<T> IndexMut<Role> for ByRole<T> {
    fn index_mut(&mut self, role: Role) -> &mut T {
        match role {
            Role::Attacker => &mut self.attacker,
            Role::Defender => &mut self.defender,
        }
    }
}

/// Factors lost: gone for good, or driven off until tomorrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Loss {
    pub eliminated: u16,
    pub aborted: u16,
}

impl Loss {
    #[must_use]
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

impl From<Toll> for Loss {
    fn from(toll: Toll) -> Self {
        Self { eliminated: toll.eliminated as u16, aborted: toll.aborted as u16 }
    }
}

impl AddAssign for Loss {
    fn add_assign(&mut self, more: Loss) {
        self.eliminated += more.eliminated;
        self.aborted += more.aborted;
    }
}

/// Where a day stands. Targets and groups are counted from 0 in the scenario's order, days and rounds from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Replacements join.
    Dawn,
    /// Both plan in secret.
    Plans,
    /// The plans are open; the defender commits the reserve.
    Reserve,
    /// A round of air combat over a target.
    Fight {
        target: u8,
        round: u8,
    },
    /// An owner says which groups take the losses of a round, or of the guns.
    Losses {
        target: u8,
        round: u8,
        guns: bool,
    },
    /// A side goes on or withdraws before this round.
    Stay {
        target: u8,
        round: u8,
        role: Role,
    },
    /// The guns of a target fire, then the bombs fall.
    Guns {
        target: u8,
    },
    Over,
}

/// The air force of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wing {
    /// Factors alive, by group.
    pub ready: Vec<u16>,
    /// Factors gone for good, by group.
    pub eliminated: Vec<u16>,
    /// Today's plan once it is open: by group, then by slot (targets, and for the defender the reserve).
    pub plan: Vec<u16>,
    /// Factors over the targets now: by group, then by target.
    pub over: Vec<u16>,
}

impl Wing {
    #[must_use]
    pub fn strength(&self) -> u32 {
        self.ready.iter().map(|&factors| u32::from(factors)).sum()
    }

    #[must_use]
    pub fn lost(&self) -> i64 {
        self.eliminated.iter().map(|&factors| i64::from(factors)).sum()
    }
}

/// What has happened at a target today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Raid {
    /// Rounds of air combat.
    pub rounds: u8,
    pub lost: ByRole<Loss>,
    pub withdrew: Option<Role>,
    /// Factors that bombed, as far as they count, once they have.
    pub bombed: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AirState {
    pub day: u8,
    pub phase: Phase,
    pub wings: ByRole<Wing>,
    /// Where the reserve has gone today.
    pub reserve_to: Option<u8>,
    pub raids: Vec<Raid>,
    /// Losses rolled and not yet taken.
    pub due: ByRole<Loss>,
    pub bombing: i64,
}
