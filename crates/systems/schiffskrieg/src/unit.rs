//! Counters and what is printed on them.

use crate::day_night::Action;
use flagplot_referee::{Shape, Shaped, words};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A short text without heap, of at most `N` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Short<const N: usize> {
    bytes: [u8; N],
}

pub type Id = Short<40>;

pub type Name = Short<96>;

impl<const N: usize> Short<N> {
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; N];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        (!text.contains('\0')).then_some(Self { bytes })
    }

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

impl<const N: usize> Shaped for Short<N> {
    fn shape() -> Shape {
        String::shape().chars(N)
    }
}

/// What a unit is: this decides what it can attack and what can attack it.
#[words]
pub enum Kind {
    Battleship,
    Carrier,
    Cruiser,
    Destroyers,
    Submarine,
    Convoy,
    /// A land-based air unit.
    Lba,
}

impl Kind {
    pub fn is_ship(self) -> bool {
        self != Kind::Lba
    }

    /// Whether it can stop a raid in the approach, and make up a force by itself.
    pub fn is_warship(self) -> bool {
        !matches!(self, Kind::Submarine | Kind::Convoy | Kind::Lba)
    }
}

#[words]
pub enum Factor {
    Gunnery,
    Torpedo,
    Airstrike,
}

impl Factor {
    pub fn title(self) -> &'static str {
        ["Gunnery", "Torpedo", "Airstrike"][self as usize]
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Factors {
    /// Gunnery Factor
    #[shape(0..=40)]
    pub gunnery: u8,
    /// Torpedo Factor
    #[shape(0..=40)]
    pub torpedo: u8,
    /// Airstrike Factor
    #[shape(0..=40)]
    pub airstrike: u8,
    /// Defense Factor: Damage Points that sink
    #[shape(1..=40)]
    pub defense: u8,
}

impl Factors {
    #[inline]
    pub fn of(&self, factor: Factor) -> u8 {
        match factor {
            Factor::Gunnery => self.gunnery,
            Factor::Torpedo => self.torpedo,
            Factor::Airstrike => self.airstrike,
        }
    }

    /// The dice of its best attack in an action: guns by night, aircraft by day, torpedoes in both.
    pub fn best(&self, action: Action) -> u8 {
        match action {
            Action::Day => self.airstrike.max(self.torpedo),
            Action::Night => self.gunnery.max(self.torpedo),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sheet {
    pub id: Id,
    /// The id where it has no other.
    pub name: Name,
    pub kind: Kind,
    pub front: Factors,
    /// Damage Points that damage or reduce; the front's Defense Factor if there is no damaged side.
    pub damage: u8,
    pub back: Option<Factors>,
    pub vp: u8,
}

impl Sheet {
    /// Whether a counter can be printed like this, and if not, why.
    pub fn check(&self) -> Result<(), &'static str> {
        if self.id.as_str().is_empty() {
            return Err("an id is not empty");
        }
        if self.damage > self.front.defense {
            return Err("the Damage Factor may not exceed the Defense Factor");
        }
        match (self.damage == self.front.defense, self.back.is_some()) {
            (false, false) => return Err("a Damage Factor below the Defense Factor needs a damaged side"),
            (true, true) => return Err("with equal Damage and Defense Factors the damaged side is never reached"),
            _ => {}
        }
        for side in [Some(self.front), self.back].into_iter().flatten() {
            match self.kind {
                Kind::Lba if side.gunnery > 0 || side.torpedo > 0 => return Err("an LBA has only an Airstrike Factor"),
                Kind::Submarine if side.gunnery > 0 => return Err("a submarine has no Gunnery Factor"),
                Kind::Convoy if side.gunnery > 0 || side.torpedo > 0 || side.airstrike > 0 => {
                    return Err("a convoy has no factor to attack with");
                }
                Kind::Carrier | Kind::Lba => {}
                _ if side.airstrike > 0 => return Err("only carriers and LBAs have an Airstrike Factor"),
                _ => {}
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    pub sheet: &'a Sheet,
    pub damaged: bool,
}

impl<'a> Counter<'a> {
    #[inline]
    pub fn up(&self) -> &'a Factors {
        match &self.sheet.back {
            Some(back) if self.damaged => back,
            _ => &self.sheet.front,
        }
    }

    /// Damage Points that damage it; none if it is damaged already or has no damaged side.
    #[inline]
    pub fn damage_factor(&self) -> Option<u8> {
        (!self.damaged && self.sheet.back.is_some()).then_some(self.sheet.damage)
    }
}
