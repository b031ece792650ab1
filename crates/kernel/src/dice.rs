use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A fair die with faces 1 to `sides`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Die {
    /// How many faces it has, at least 1.
    pub sides: u8,
}

/// The common die.
pub const D6: Die = Die { sides: 6 };
/// A ten-sided die, read 1 to 10.
pub const D10: Die = Die { sides: 10 };
/// A twenty-sided die.
pub const D20: Die = Die { sides: 20 };

impl Die {
    /// All faces in order.
    pub fn faces(self) -> impl Iterator<Item = u8> {
        1..=self.sides
    }

    /// Whether `face` is one of its faces.
    #[must_use]
    pub fn has(self, face: u8) -> bool {
        (1..=self.sides).contains(&face)
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "d{}", self.sides)
    }
}

/// The faces of some dice, in the order they fell. Empty where single faces are not kept
/// (playouts, exact odds), so that states which differ in nothing a rule reads stay equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Faces(pub Vec<u8>);
