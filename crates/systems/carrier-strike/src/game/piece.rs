//! Names of the pieces.

use crate::few::Few;
use crate::words::color;
use flagplot_kernel::Side;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;

/// Squadrons there can be, both sides together.
pub const SQUADRONS: usize = 12;

const NAMES: [&str; SQUADRONS] = ["b1", "b2", "b3", "b4", "br1", "br2", "r1", "r2", "r3", "r4", "rr1", "rr2"];

/// A squadron.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SquadronId(pub u8);

/// Squadrons in an order, the lead first. Longer than legal, so that a name given twice can be told.
pub type Order = Few<SquadronId, SQUADRONS>;

impl SquadronId {
    /// Every squadron in order.
    pub fn all() -> impl DoubleEndedIterator<Item = SquadronId> {
        (0..SQUADRONS as u8).map(SquadronId)
    }

    /// The squadrons a side can have.
    pub fn of(side: Side) -> impl DoubleEndedIterator<Item = SquadronId> {
        let first = 6 * side.index() as u8;
        (first..first + 6).map(SquadronId)
    }

    /// Whose it is.
    #[must_use]
    pub fn side(self) -> Side {
        if self.0 < 6 { Side::First } else { Side::Second }
    }

    /// Whether it is a scout.
    #[must_use]
    pub fn is_recce(self) -> bool {
        self.0 % 6 >= 4
    }

    /// Its number in the scenario's list of combat squadrons or scouts, from 0.
    #[must_use]
    pub fn number(self) -> usize {
        usize::from(if self.is_recce() { self.0 % 6 - 4 } else { self.0 % 6 })
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// The squadron of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<SquadronId> {
        NAMES.iter().position(|known| *known == name).map(|at| SquadronId(at as u8))
    }

    /// Its place in arrays.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for SquadronId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for SquadronId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for SquadronId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        SquadronId::named(&name).ok_or_else(|| D::Error::custom("there is no squadron of that name"))
    }
}

/// A set of squadrons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Squads(pub u16);

impl Squads {
    /// Nobody.
    pub const NONE: Squads = Squads(0);

    /// Everybody.
    pub const ALL: Squads = Squads((1 << SQUADRONS) - 1);

    /// One squadron.
    #[must_use]
    pub fn one(id: SquadronId) -> Self {
        Squads(1 << id.0)
    }

    /// Whether a squadron is in it.
    #[must_use]
    pub fn has(self, id: SquadronId) -> bool {
        self.0 & (1 << id.0) != 0
    }

    /// Puts a squadron in.
    pub fn put(&mut self, id: SquadronId) {
        self.0 |= 1 << id.0;
    }

    /// Takes a squadron out.
    pub fn take(&mut self, id: SquadronId) {
        self.0 &= !(1 << id.0);
    }

    /// The squadrons in order.
    pub fn iter(self) -> Members {
        Members(self.0)
    }

    /// How many there are.
    #[must_use]
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first in order.
    #[must_use]
    pub fn first(self) -> Option<SquadronId> {
        self.iter().next()
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Squads) -> Squads {
        Squads(self.0 | other.0)
    }

    /// What both have.
    #[must_use]
    pub fn shared(self, other: Squads) -> Squads {
        Squads(self.0 & other.0)
    }

    /// Those that the other has not.
    #[must_use]
    pub fn without(self, other: Squads) -> Squads {
        Squads(self.0 & !other.0)
    }

    /// The names with what they do: `b1 gives way`, `b1, b2 give way`.
    pub(super) fn doing(self, one: &str, several: &str) -> String {
        format!("{} {}", self.names(), if self.iter().count() == 1 { one } else { several })
    }

    /// The names, for sentences.
    #[must_use]
    pub fn names(self) -> String {
        self.iter().map(SquadronId::name).collect::<Vec<_>>().join(", ")
    }
}

/// The squadrons of a set, in order.
#[derive(Clone, Debug)]
pub struct Members(u16);

impl Iterator for Members {
    type Item = SquadronId;

    #[inline]
    fn next(&mut self) -> Option<SquadronId> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(SquadronId(at))
    }
}

impl FromIterator<SquadronId> for Squads {
    fn from_iter<I: IntoIterator<Item = SquadronId>>(ids: I) -> Self {
        let mut set = Squads::NONE;
        for id in ids {
            set.put(id);
        }
        set
    }
}

impl Serialize for Squads {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Squads {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<SquadronId>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// A carrier card by its label: a or b while hidden, cv when the real one lies open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardId {
    /// Whose it is.
    pub side: Side,
    /// Which.
    pub label: CardLabel,
}

/// The label of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CardLabel {
    /// The western one of a hidden pair.
    A,
    /// The other.
    B,
    /// The real card, open.
    Cv,
}

impl CardId {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.side, self.label) {
            (Side::First, CardLabel::A) => "blue-a",
            (Side::First, CardLabel::B) => "blue-b",
            (Side::First, CardLabel::Cv) => "blue-cv",
            (Side::Second, CardLabel::A) => "red-a",
            (Side::Second, CardLabel::B) => "red-b",
            (Side::Second, CardLabel::Cv) => "red-cv",
        }
    }

    /// The card of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<CardId> {
        let (side, label) = name.split_once('-')?;
        let side = Side::BOTH.into_iter().find(|known| color(*known) == side)?;
        let label = match label {
            "a" => CardLabel::A,
            "b" => CardLabel::B,
            "cv" => CardLabel::Cv,
            _ => return None,
        };
        Some(CardId { side, label })
    }
}

impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for CardId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for CardId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        CardId::named(&name).ok_or_else(|| D::Error::custom("there is no card of that name"))
    }
}

/// A squadron or a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceId {
    /// A squadron, standing for its group.
    Squadron(SquadronId),
    /// A card.
    Card(CardId),
}

impl PieceId {
    /// Whose it is.
    #[must_use]
    pub fn side(self) -> Side {
        match self {
            PieceId::Squadron(id) => id.side(),
            PieceId::Card(id) => id.side,
        }
    }
}

impl fmt::Display for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PieceId::Squadron(id) => id.fmt(f),
            PieceId::Card(id) => id.fmt(f),
        }
    }
}

impl Serialize for PieceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PieceId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        SquadronId::named(&name)
            .map(PieceId::Squadron)
            .or_else(|| CardId::named(&name).map(PieceId::Card))
            .ok_or_else(|| D::Error::custom("there is no piece of that name"))
    }
}
