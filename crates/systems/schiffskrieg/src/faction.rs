//! The two parts in a battle.

use flagplot_kernel::Side;
use flagplot_referee::{Shape, Shaped, record, req, words};
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

#[words]
pub enum Role {
    /// The one on turn, which wants into the hex.
    Phasing,
    NonPhasing,
}

impl Role {
    pub const BOTH: [Role; 2] = [Role::Phasing, Role::NonPhasing];

    /// Its name among the fields of the form.
    pub fn field(self) -> &'static str {
        ["phasing", "non_phasing"][self as usize]
    }

    pub fn other(self) -> Role {
        match self {
            Role::Phasing => Role::NonPhasing,
            Role::NonPhasing => Role::Phasing,
        }
    }

    pub fn side(self, phasing: Side) -> Side {
        match self {
            Role::Phasing => phasing,
            Role::NonPhasing => phasing.other(),
        }
    }

    pub fn of(side: Side, phasing: Side) -> Role {
        if side == phasing { Role::Phasing } else { Role::NonPhasing }
    }
}

/// One value for each part, as the referee's form writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ByRole<T> {
    pub phasing: T,
    pub non_phasing: T,
}

impl<T> ByRole<T> {
    pub fn new_with(mut of: impl FnMut(Role) -> T) -> Self {
        Self { phasing: of(Role::Phasing), non_phasing: of(Role::NonPhasing) }
    }

    pub fn as_ref(&self) -> ByRole<&T> {
        ByRole { phasing: &self.phasing, non_phasing: &self.non_phasing }
    }

    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> ByRole<U> {
        ByRole { phasing: f(self.phasing), non_phasing: f(self.non_phasing) }
    }
}

pub fn by_role(of: Shape) -> Shape {
    record(vec![req("phasing", of.clone(), "the phasing faction"), req("non_phasing", of, "the non-phasing faction")])
}

impl<T: Shaped> Shaped for ByRole<T> {
    fn shape() -> Shape {
        by_role(T::shape())
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
