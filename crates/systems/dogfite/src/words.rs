//! The words of the game.

use flagplot_kernel::Side;
use flagplot_referee::{Shape, Shaped, map, words};
use serde::Serialize;

/// The two alliances. The Allies are the first side and at home in the west.
#[words]
pub enum Alliance {
    Allied,
    Central,
}

impl Alliance {
    pub fn other(self) -> Alliance {
        match self {
            Alliance::Allied => Alliance::Central,
            Alliance::Central => Alliance::Allied,
        }
    }

    pub fn side(self) -> Side {
        match self {
            Alliance::Allied => Side::First,
            Alliance::Central => Side::Second,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Alliance::Allied => "Allied",
            Alliance::Central => "Central",
        }
    }
}

impl From<Side> for Alliance {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Alliance::Allied,
            Side::Second => Alliance::Central,
        }
    }
}

/// Whether an aircraft is leaving its level.
#[words]
pub enum Pitch {
    Level,
    Climbing,
    Diving,
}

/// How an aircraft flies. A stalled one flies straight ahead next; a spinning one drops a level each turn.
#[words]
pub enum Flight {
    Flying,
    Stalled,
    Spinning,
}

/// Whether an aircraft is on the map, lost, or by which side it has left.
#[words]
pub enum Status {
    InPlay,
    Destroyed,
    LeftHome,
    LeftNeutral,
    LeftEnemy,
}

impl Status {
    /// Where an aircraft that leaves goes.
    pub(crate) fn destination(self) -> &'static str {
        match self {
            Status::LeftHome => "for home",
            Status::LeftEnemy => "over the enemy's side",
            Status::LeftNeutral | Status::InPlay | Status::Destroyed => "over a neutral side",
        }
    }
}

/// What a movement point is spent on, as far as the bet is concerned.
#[words]
pub enum Maneuver {
    Straight,
    ExitMiddle,
    #[word("facing-1")]
    Facing1,
    #[word("facing-2")]
    Facing2,
    #[word("facing-3")]
    Facing3,
    StayInHex,
    /// No step at all, only a bet.
    BetOnly,
}

impl Maneuver {
    /// What is bet on, for a sentence.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Maneuver::Straight => "flying straight on",
            Maneuver::ExitMiddle => "leaving the middle",
            Maneuver::Facing1 => "a turn of 1 hexside",
            Maneuver::Facing2 => "a turn of 2 hexsides",
            Maneuver::Facing3 => "a turn of 3 hexsides",
            Maneuver::StayInHex => "staying in the hex",
            Maneuver::BetOnly => "aerobatics without a step",
        }
    }

    /// A facing change of 1 to 3 hexsides.
    pub fn facing(hexsides: u8) -> Option<Maneuver> {
        [Maneuver::Facing1, Maneuver::Facing2, Maneuver::Facing3].get(usize::from(hexsides).wrapping_sub(1)).copied()
    }

    /// The hexsides of a facing change.
    pub fn hexsides(self) -> Option<u8> {
        match self {
            Maneuver::Facing1 => Some(1),
            Maneuver::Facing2 => Some(2),
            Maneuver::Facing3 => Some(3),
            _ => None,
        }
    }

    /// Whether it needs no bet, so that a bet is the pilot's own wish.
    pub fn is_plain(self) -> bool {
        matches!(self, Maneuver::Straight | Maneuver::ExitMiddle | Maneuver::BetOnly)
    }
}

#[words]
pub enum Vertical {
    Climb,
    Dive,
}

impl Vertical {
    /// The pitch of an aircraft that is leaving its level this way.
    pub fn pitch(self) -> Pitch {
        match self {
            Vertical::Climb => Pitch::Climbing,
            Vertical::Dive => Pitch::Diving,
        }
    }

    /// What so many points of it do to speed.
    pub fn speed_change(self, points: i32) -> i32 {
        match self {
            Vertical::Climb => -points,
            Vertical::Dive => points,
        }
    }
}

/// How far a climb or dive goes: a level at once, half a level (only the pitch changes), or the second half of a move
/// begun last turn.
#[words]
pub enum Extent {
    Full,
    Half,
    Finish,
}

/// A pip moved on one of the gun's dice: one off the higher die, or one onto the lower die.
#[words]
pub enum Pip {
    None,
    Subtract,
    Add,
}

/// What the engine does at the end of a move.
#[words]
pub enum Engine {
    Power,
    Drag,
    None,
}

/// What a failed bet can cut: aerobatic points, hexsides of a turn, the stay in the hex, levelling off.
#[words]
pub enum Task {
    Aerobatics,
    Facing,
    StayInHex,
    Leveling,
}

/// A number with its sign, as rulebooks print it.
pub fn signed(n: i32) -> String {
    if n < 0 { format!("−{}", n.unsigned_abs()) } else { format!("+{n}") }
}

/// "1 hit", "2 hits".
pub(crate) fn counted(n: impl Into<i64>, noun: &str) -> String {
    let n = n.into();
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The quotient rounded up; `by` is positive.
pub fn divided_up(n: i32, by: i32) -> i32 {
    n.div_euclid(by) + i32::from(n.rem_euclid(by) != 0)
}

/// A value for each aircraft, written as a JSON object in the order listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ById<T>(pub Vec<(String, T)>);

impl<T> FromIterator<(String, T)> for ById<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for ById<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, value)| (id, value)))
    }
}

impl<T: Shaped> Shaped for ById<T> {
    fn shape() -> Shape {
        map(T::shape(), 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_up_on_both_sides_of_zero() {
        assert_eq!(divided_up(5, 2), 3);
        assert_eq!(divided_up(-3, 2), -1);
        assert_eq!(divided_up(-4, 2), -2);
        assert_eq!(divided_up(1, 4), 1);
        assert_eq!(divided_up(0, 4), 0);
    }
}
