//! Hexes with flat tops in axial coordinates: q grows to the right, r grows downward.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};

/// A hex. As JSON it is `[q, r]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "[i32; 2]", into = "[i32; 2]")]
pub struct Hex {
    /// The column.
    pub q: i32,
    /// The oblique row.
    pub r: i32,
}

/// One of the six directions, clockwise from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Direction(u8);

impl Direction {
    /// The six directions, clockwise from the top.
    pub const ALL: [Direction; 6] =
        [Direction(0), Direction(1), Direction(2), Direction(3), Direction(4), Direction(5)];

    /// The direction `n` sixths of a turn clockwise from the top, for any whole `n`.
    #[must_use]
    pub fn new(n: i32) -> Self {
        Self(n.rem_euclid(6) as u8)
    }

    /// 0 to 5.
    #[must_use]
    pub fn index(self) -> u8 {
        self.0
    }

    /// Turned clockwise by `n` sixths; counter-clockwise if negative.
    #[must_use]
    pub fn turn(self, n: i32) -> Self {
        Self::new(i32::from(self.0) + n)
    }

    /// The sixths of a turn between two directions, 0 to 3.
    #[must_use]
    pub fn between(self, other: Direction) -> u8 {
        let turn = (i32::from(self.0) - i32::from(other.0)).rem_euclid(6) as u8;
        turn.min(6 - turn)
    }
}

impl TryFrom<u8> for Direction {
    type Error = String;
    fn try_from(n: u8) -> Result<Self, String> {
        if n < 6 { Ok(Self(n)) } else { Err(format!("a direction is 0 to 5, not {n}")) }
    }
}

impl From<Direction> for u8 {
    fn from(direction: Direction) -> u8 {
        direction.0
    }
}

impl Hex {
    /// A hex.
    #[must_use]
    pub const fn new(q: i32, r: i32) -> Self {
        Self { q, r }
    }

    /// The neighbour in a direction.
    #[must_use]
    pub fn step(self, direction: Direction) -> Hex {
        const STEPS: [(i32, i32); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
        let (q, r) = STEPS[direction.0 as usize];
        Hex::new(self.q + q, self.r + r)
    }

    /// How many steps away another hex is.
    #[must_use]
    pub fn distance(self, other: Hex) -> u32 {
        let d = self - other;
        ((d.q.unsigned_abs()) + d.r.unsigned_abs() + (d.q + d.r).unsigned_abs()) / 2
    }

    /// All hexes within `radius` steps, in rising order.
    #[must_use]
    pub fn within(self, radius: u32) -> Vec<Hex> {
        self.columns_within(radius).flat_map(|[q, first, last]| (first..=last).map(move |r| Hex::new(q, r))).collect()
    }

    /// The same in columns: q, the first r and the last.
    pub fn columns_within(self, radius: u32) -> impl Iterator<Item = [i32; 3]> {
        let radius = radius as i32;
        (-radius..=radius)
            .map(move |q| [self.q + q, self.r + (-radius).max(-q - radius), self.r + radius.min(-q + radius)])
    }
}

impl From<[i32; 2]> for Hex {
    fn from([q, r]: [i32; 2]) -> Self {
        Self { q, r }
    }
}

impl From<Hex> for [i32; 2] {
    fn from(hex: Hex) -> Self {
        [hex.q, hex.r]
    }
}

impl Add for Hex {
    type Output = Hex;
    fn add(self, other: Hex) -> Hex {
        Hex::new(self.q + other.q, self.r + other.r)
    }
}

impl Sub for Hex {
    type Output = Hex;
    fn sub(self, other: Hex) -> Hex {
        Hex::new(self.q - other.q, self.r - other.r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_steps_round_come_back_and_opposite_steps_cancel() {
        let start = Hex::new(3, -2);
        assert_eq!(Direction::ALL.iter().fold(start, |hex, &d| hex.step(d)), start);
        for d in Direction::ALL {
            assert_eq!(start.step(d).step(d.turn(3)), start);
            assert_eq!(start.distance(start.step(d)), 1);
            assert_eq!(d.between(d.turn(4)), 2);
        }
    }

    #[test]
    fn a_disc_holds_what_is_near_and_nothing_else() {
        let disc = Hex::new(1, 1).within(3);
        assert_eq!(disc.len(), 37);
        assert!(disc.iter().all(|hex| hex.distance(Hex::new(1, 1)) <= 3));
    }
}
