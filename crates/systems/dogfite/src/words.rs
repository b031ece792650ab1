//! The words of the game.

use flagplot_kernel::Side;
use serde::Serialize;

/// Gives a unit-only enum its kebab-case words, for JSON, for people and for shapes.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$doc])* #[serde(rename = $word)] $variant),* }
        #[allow(dead_code, reason = "every word list has the same three ways in")]
        impl $name {
            /// Every word, in order.
            pub const WORDS: &'static [&'static str] = &[$($word),*];
            /// Every value, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// The word for it.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.word()) }
        }
    };
}
pub(crate) use words;

words! {
    /// The two alliances. The Allies are the first side.
    Alliance {
        /// At home in the west.
        Allied = "allied",
        /// At home in the east.
        Central = "central",
    }
}

impl Alliance {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Alliance {
        match self {
            Alliance::Allied => Alliance::Central,
            Alliance::Central => Alliance::Allied,
        }
    }

    /// The same as a side of the kernel.
    #[must_use]
    pub fn side(self) -> Side {
        match self {
            Alliance::Allied => Side::First,
            Alliance::Central => Side::Second,
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

words! {
    /// Whether an aircraft is leaving its level.
    Pitch {
        /// It stays in its level.
        Level = "level",
        /// It leaves its level upward.
        Climbing = "climbing",
        /// It leaves its level downward.
        Diving = "diving",
    }
}

words! {
    /// How an aircraft flies.
    Flight {
        /// Under control.
        Flying = "flying",
        /// Stalled: its next move is straight ahead.
        Stalled = "stalled",
        /// Spinning: it drops a level each turn.
        Spinning = "spinning",
    }
}

words! {
    /// Whether an aircraft is still there.
    Status {
        /// On the map.
        InPlay = "in-play",
        /// Shot down, broken up, crashed or without a pilot.
        Destroyed = "destroyed",
        /// Left by its own home side.
        LeftHome = "left-home",
        /// Left by a side that is nobody's home.
        LeftNeutral = "left-neutral",
        /// Left by the enemy's home side.
        LeftEnemy = "left-enemy",
    }
}

impl Status {
    /// Where an aircraft that has left is gone.
    pub(crate) fn whither(self) -> &'static str {
        match self {
            Status::LeftHome => "for home",
            Status::LeftEnemy => "on the enemy's side",
            Status::LeftNeutral | Status::InPlay | Status::Destroyed => "on nobody's side",
        }
    }
}

words! {
    /// What is done with a movement point, as far as the bet is concerned.
    Maneuver {
        /// Straight ahead.
        Straight = "straight",
        /// Out of the middle to an edge.
        ExitMiddle = "exit-middle",
        /// A facing change of one hexside.
        Facing1 = "facing-1",
        /// A facing change of two hexsides.
        Facing2 = "facing-2",
        /// A facing change of three hexsides.
        Facing3 = "facing-3",
        /// Into the middle, or staying there.
        StayInHex = "stay-in-hex",
        /// No step at all, only a bet.
        BetOnly = "bet-only",
    }
}

impl Maneuver {
    /// What is bet on, for the log.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Maneuver::Straight => "flying straight on",
            Maneuver::ExitMiddle => "leaving the middle",
            Maneuver::Facing1 => "a turn of one hexside",
            Maneuver::Facing2 => "a turn of two hexsides",
            Maneuver::Facing3 => "a turn of three hexsides",
            Maneuver::StayInHex => "staying in the hex",
            Maneuver::BetOnly => "nothing but the bet",
        }
    }

    /// The facing change of so many hexsides.
    #[must_use]
    pub fn facing(hexsides: u8) -> Option<Maneuver> {
        [Maneuver::Facing1, Maneuver::Facing2, Maneuver::Facing3].get(usize::from(hexsides).wrapping_sub(1)).copied()
    }

    /// How many hexsides it turns; none if it is no facing change.
    #[must_use]
    pub fn hexsides(self) -> Option<u8> {
        match self {
            Maneuver::Facing1 => Some(1),
            Maneuver::Facing2 => Some(2),
            Maneuver::Facing3 => Some(3),
            _ => None,
        }
    }

    /// Whether nothing in it has to be bet for, so that a bet is the pilot's own wish.
    #[must_use]
    pub fn is_plain(self) -> bool {
        matches!(self, Maneuver::Straight | Maneuver::ExitMiddle | Maneuver::BetOnly)
    }
}

words! {
    /// Up or down.
    Vertical {
        /// Up.
        Climb = "climb",
        /// Down.
        Dive = "dive",
    }
}

impl Vertical {
    /// The pitch of an aircraft that is leaving its level this way.
    #[must_use]
    pub fn pitch(self) -> Pitch {
        match self {
            Vertical::Climb => Pitch::Climbing,
            Vertical::Dive => Pitch::Diving,
        }
    }

    /// What it does to speed, for so many points.
    #[must_use]
    pub fn speed_change(self, points: i32) -> i32 {
        match self {
            Vertical::Climb => -points,
            Vertical::Dive => points,
        }
    }
}

words! {
    /// How far a climb or dive goes.
    Extent {
        /// A whole level at once.
        Full = "full",
        /// Half a level: only the pitch changes.
        Half = "half",
        /// The second half of a move begun last turn.
        Finish = "finish",
    }
}

words! {
    /// A pip moved on one of the gun's dice.
    Pip {
        /// None.
        None = "none",
        /// One off the higher die.
        Subtract = "subtract",
        /// One onto the lower die.
        Add = "add",
    }
}

words! {
    /// What the engine is asked for at the end of a move.
    Engine {
        /// Faster.
        Power = "power",
        /// Slower.
        Drag = "drag",
        /// As it is.
        None = "none",
    }
}

words! {
    /// What a failed bet can take away.
    Task {
        /// An aerobatic point.
        Aerobatics = "aerobatics",
        /// A hexside of a facing change.
        Facing = "facing",
        /// Staying in the hex.
        StayInHex = "stay-in-hex",
        /// Levelling off.
        Leveling = "leveling",
        /// Going into a spin.
        Spin = "spin",
    }
}

/// A number with its sign, as rulebooks print it.
#[must_use]
pub fn signed(n: i32) -> String {
    if n < 0 { format!("−{}", n.unsigned_abs()) } else { format!("+{n}") }
}

/// The quotient rounded up; `by` is positive.
#[must_use]
pub fn divided_up(n: i32, by: i32) -> i32 {
    n.div_euclid(by) + i32::from(n.rem_euclid(by) != 0)
}

/// A value for each of some ids, written as a JSON object in the order listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ById<T>(pub Vec<(String, T)>);

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Serialize> Serialize for ById<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, value)| (id, value)))
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
