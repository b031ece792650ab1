//! Counters and what is printed on them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A short text without heap, of at most `N` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Short<const N: usize> {
    bytes: [u8; N],
}

/// The id of a unit, a faction or a zone.
pub type Id = Short<40>;

/// The full name of a unit.
pub type Name = Short<96>;

impl<const N: usize> Short<N> {
    /// The longest text, in bytes.
    pub const LONGEST: usize = N;

    /// This text; none if it is too long.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; N];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        (!text.contains('\0')).then_some(Self { bytes })
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let end = self.bytes.iter().position(|&byte| byte == 0).unwrap_or(N);
        std::str::from_utf8(&self.bytes[..end]).unwrap_or_default()
    }
}

impl<const N: usize> Default for Short<N> {
    fn default() -> Self {
        Self { bytes: [0; N] }
    }
}

impl<const N: usize> fmt::Debug for Short<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl<const N: usize> fmt::Display for Short<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<const N: usize> Serialize for Short<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, const N: usize> Deserialize<'de> for Short<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| serde::de::Error::custom(format!("a name has at most {N} bytes")))
    }
}

/// What a unit is: on this depends whom it can attack, and who can attack it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A battleship or battlecruiser.
    Battleship,
    /// An aircraft carrier.
    Carrier,
    /// A cruiser, or a division of them.
    Cruiser,
    /// A flotilla of destroyers.
    Destroyers,
    /// A group of submarines.
    Submarine,
    /// A convoy of merchantmen.
    Convoy,
    /// A land-based air unit.
    Lba,
}

impl Kind {
    /// The words of all kinds.
    pub const WORDS: [&'static str; 7] =
        ["battleship", "carrier", "cruiser", "destroyers", "submarine", "convoy", "lba"];

    /// Everything but an LBA is a ship.
    #[must_use]
    pub fn is_ship(self) -> bool {
        self != Kind::Lba
    }

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

/// One of the three attack factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Factor {
    /// Guns.
    Gunnery,
    /// Torpedoes.
    Torpedo,
    /// Aircraft.
    Airstrike,
}

impl Factor {
    /// All three.
    pub const ALL: [Factor; 3] = [Factor::Gunnery, Factor::Torpedo, Factor::Airstrike];

    /// The words of all factors.
    pub const WORDS: [&'static str; 3] = ["gunnery", "torpedo", "airstrike"];

    /// As it is printed.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Factor::Gunnery => "Gunnery",
            Factor::Torpedo => "Torpedo",
            Factor::Airstrike => "Airstrike",
        }
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::WORDS[*self as usize])
    }
}

/// The factors of one side of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Factors {
    /// Dice of the guns.
    pub gunnery: u8,
    /// Dice of the torpedoes.
    pub torpedo: u8,
    /// Dice of the aircraft.
    pub airstrike: u8,
    /// Damage Points that sink or destroy.
    pub defense: u8,
}

impl Factors {
    /// One of the attack factors.
    #[must_use]
    #[inline]
    pub fn of(&self, factor: Factor) -> u8 {
        match factor {
            Factor::Gunnery => self.gunnery,
            Factor::Torpedo => self.torpedo,
            Factor::Airstrike => self.airstrike,
        }
    }
}

/// What is printed on a counter: both sides of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sheet {
    /// Its id.
    pub id: Id,
    /// Its name; the id where it has no other.
    pub name: Name,
    /// What it is.
    pub kind: Kind,
    /// The front.
    pub front: Factors,
    /// Damage Points that damage or reduce; equal to the front's Defense Factor if there is no damaged side.
    pub damage: u8,
    /// The damaged side.
    pub back: Option<Factors>,
    /// Points for sinking it.
    pub vp: u8,
}

/// A counter with the side that is up.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    /// What is printed on it.
    pub sheet: &'a Sheet,
    /// Whether the damaged side is up.
    pub damaged: bool,
}

impl Counter<'_> {
    /// The factors of the side that is up.
    #[must_use]
    #[inline]
    pub fn up(&self) -> &Factors {
        match &self.sheet.back {
            Some(back) if self.damaged => back,
            _ => &self.sheet.front,
        }
    }

    /// Damage Points that damage it; none if it is damaged already or has no damaged side.
    #[must_use]
    #[inline]
    pub fn damage_factor(&self) -> Option<u8> {
        (!self.damaged && self.sheet.back.is_some()).then_some(self.sheet.damage)
    }
}
