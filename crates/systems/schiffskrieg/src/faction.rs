//! The two parts in a battle.

use flagplot_kernel::{BySide, Side};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Index, IndexMut};

/// The part a faction plays in a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The one on turn, which wants into the hex.
    Phasing,
    /// The other.
    NonPhasing,
}

impl Role {
    /// Both, the phasing faction first.
    pub const BOTH: [Role; 2] = [Role::Phasing, Role::NonPhasing];

    /// The enemy.
    #[must_use]
    pub fn other(self) -> Role {
        match self {
            Role::Phasing => Role::NonPhasing,
            Role::NonPhasing => Role::Phasing,
        }
    }

    /// The side that plays this part when `phasing` is the phasing side.
    #[must_use]
    pub fn side(self, phasing: Side) -> Side {
        match self {
            Role::Phasing => phasing,
            Role::NonPhasing => phasing.other(),
        }
    }

    /// The part of a side when `phasing` is the phasing side.
    #[must_use]
    pub fn of(side: Side, phasing: Side) -> Role {
        if side == phasing { Role::Phasing } else { Role::NonPhasing }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Phasing => "phasing",
            Role::NonPhasing => "non-phasing",
        })
    }
}

/// One value for each part, as the referee's form writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ByRole<T> {
    /// What the phasing faction has.
    pub phasing: T,
    /// What the other has.
    pub non_phasing: T,
}

impl<T> ByRole<T> {
    /// A pair made by asking `of` for each part.
    pub fn new_with(mut of: impl FnMut(Role) -> T) -> Self {
        Self { phasing: of(Role::Phasing), non_phasing: of(Role::NonPhasing) }
    }

    /// References to both.
    pub fn as_ref(&self) -> ByRole<&T> {
        ByRole { phasing: &self.phasing, non_phasing: &self.non_phasing }
    }

    /// The same with every value changed.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> ByRole<U> {
        ByRole { phasing: f(self.phasing), non_phasing: f(self.non_phasing) }
    }

    /// The pair sorted by side.
    pub fn by_side(self, phasing: Side) -> BySide<T> {
        match phasing {
            Side::First => BySide { first: self.phasing, second: self.non_phasing },
            Side::Second => BySide { first: self.non_phasing, second: self.phasing },
        }
    }
}

impl<T> Index<Role> for ByRole<T> {
    type Output = T;
    fn index(&self, role: Role) -> &T {
        match role {
            Role::Phasing => &self.phasing,
            Role::NonPhasing => &self.non_phasing,
        }
    }
}

impl<T> IndexMut<Role> for ByRole<T> {
    fn index_mut(&mut self, role: Role) -> &mut T {
        match role {
            Role::Phasing => &mut self.phasing,
            Role::NonPhasing => &mut self.non_phasing,
        }
    }
}
