//! Names of the pieces.

use crate::few::Few;
use crate::words::{color, name};
use flagplot_kernel::Side;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;

/// Squadrons there can be, both sides together.
pub const SQUADRONS: usize = 12;

const IDS: [&str; SQUADRONS] = ["b1", "b2", "b3", "b4", "br1", "br2", "r1", "r2", "r3", "r4", "rr1", "rr2"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SquadronId(pub u8);

/// Squadrons in an order, the lead first. Longer than legal, so that a name given twice can be told.
pub type Order = Few<SquadronId, SQUADRONS>;

impl SquadronId {
    pub fn all() -> impl DoubleEndedIterator<Item = SquadronId> {
        (0..SQUADRONS as u8).map(SquadronId)
    }

    pub fn of(side: Side) -> impl DoubleEndedIterator<Item = SquadronId> {
        let first = 6 * side.index() as u8;
        (first..first + 6).map(SquadronId)
    }

    pub fn side(self) -> Side {
        if self.0 < 6 { Side::First } else { Side::Second }
    }

    pub fn is_recce(self) -> bool {
        self.0 % 6 >= 4
    }

    /// Its number in the scenario's list of combat squadrons or scouts, from 0.
    pub fn number(self) -> usize {
        usize::from(if self.is_recce() { self.0 % 6 - 4 } else { self.0 % 6 })
    }

    /// What programs call it: `b1`, `rr2`.
    pub fn id(self) -> &'static str {
        IDS[usize::from(self.0)]
    }

    pub fn named(id: &str) -> Option<SquadronId> {
        IDS.iter().position(|known| *known == id).map(|at| SquadronId(at as u8))
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What players call it: `Blue Squadron 1`, `Red Scout 2`. It tells nothing of the squadron's role.
impl fmt::Display for SquadronId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", name(self.side()), kind(self.is_recce()), self.number() + 1)
    }
}

fn kind(recce: bool) -> &'static str {
    if recce { "Scout" } else { "Squadron" }
}

impl Serialize for SquadronId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for SquadronId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        SquadronId::named(&name).ok_or_else(|| D::Error::custom("there is no squadron of that name"))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Squads(pub u16);

impl Squads {
    pub const NONE: Squads = Squads(0);

    pub const ALL: Squads = Squads((1 << SQUADRONS) - 1);

    pub fn one(id: SquadronId) -> Self {
        Squads(1 << id.0)
    }

    pub fn has(self, id: SquadronId) -> bool {
        self.0 & (1 << id.0) != 0
    }

    pub fn put(&mut self, id: SquadronId) {
        self.0 |= 1 << id.0;
    }

    pub fn take(&mut self, id: SquadronId) {
        self.0 &= !(1 << id.0);
    }

    pub fn iter(self) -> Members {
        Members(self.0)
    }

    /// Those that `f` picks.
    #[inline]
    pub fn kept(self, f: impl Fn(SquadronId) -> bool) -> Squads {
        let mut kept = Squads::NONE;
        for id in self.iter() {
            kept.0 |= u16::from(f(id)) << id.0;
        }
        kept
    }

    /// Whose they are. A set holds squadrons of one side, at least one.
    pub fn side(self) -> Side {
        self.first().map_or(Side::First, SquadronId::side)
    }

    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn first(self) -> Option<SquadronId> {
        self.iter().next()
    }

    /// Both together.
    pub fn and(self, other: Squads) -> Squads {
        Squads(self.0 | other.0)
    }

    pub fn shared(self, other: Squads) -> Squads {
        Squads(self.0 & other.0)
    }

    pub fn without(self, other: Squads) -> Squads {
        Squads(self.0 & !other.0)
    }

    /// The ids in order, for programs.
    pub fn ids(self) -> impl Iterator<Item = &'static str> {
        self.iter().map(SquadronId::id)
    }

    /// The ids in a row, for the dice.
    pub(super) fn listing(self) -> Listing {
        Listing(self)
    }

    /// The names with what they do: `Blue Squadron 1 gives way`, `Blue Squadrons 1 and 2 give way`.
    pub(super) fn doing(self, one: &str, several: &str) -> String {
        format!("{self} {}", if self.count() == 1 { one } else { several })
    }
}

/// The names, for sentences: `Blue Squadrons 1, 2 and 3 with Scout 1`.
impl fmt::Display for Squads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |recce: bool| {
            let numbers: Vec<usize> =
                self.iter().filter(|id| id.is_recce() == recce).map(|id| id.number() + 1).collect();
            let plural = if numbers.len() == 1 { "" } else { "s" };
            (!numbers.is_empty()).then(|| format!("{}{plural} {}", kind(recce), listed(numbers)))
        };
        let kinds: Vec<String> = [of(false), of(true)].into_iter().flatten().collect();
        if kinds.is_empty() {
            f.write_str("nobody")
        } else {
            write!(f, "{} {}", name(self.side()), kinds.join(" with "))
        }
    }
}

pub(super) struct Listing(Squads);

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.ids().collect::<Vec<_>>().join(", "))
    }
}

/// Words in a sentence: `1, 2 and 3`.
pub(super) fn listed<T: fmt::Display>(words: impl IntoIterator<Item = T>) -> String {
    let mut words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
}

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
    pub side: Side,
    pub label: CardLabel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CardLabel {
    /// The western one of a hidden pair.
    A,
    B,
    /// The real card, open.
    Cv,
}

impl CardId {
    /// What programs call it: `blue-a`.
    pub fn id(self) -> &'static str {
        match (self.side, self.label) {
            (Side::First, CardLabel::A) => "blue-a",
            (Side::First, CardLabel::B) => "blue-b",
            (Side::First, CardLabel::Cv) => "blue-cv",
            (Side::Second, CardLabel::A) => "red-a",
            (Side::Second, CardLabel::B) => "red-b",
            (Side::Second, CardLabel::Cv) => "red-cv",
        }
    }

    pub fn named(id: &str) -> Option<CardId> {
        let (side, label) = id.split_once('-')?;
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

/// What players call it: `Blue Card A` while it lies face down, `Blue Carriers` when the real one lies open.
impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.label {
            CardLabel::A => "Card A",
            CardLabel::B => "Card B",
            CardLabel::Cv => "Carriers",
        };
        write!(f, "{} {what}", name(self.side))
    }
}

impl Serialize for CardId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for CardId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        CardId::named(&name).ok_or_else(|| D::Error::custom("there is no card of that name"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceId {
    /// A squadron, standing for its group.
    Squadron(SquadronId),
    Card(CardId),
}

impl PieceId {
    pub fn id(self) -> &'static str {
        match self {
            PieceId::Squadron(id) => id.id(),
            PieceId::Card(card) => card.id(),
        }
    }

    pub fn squadron(self) -> Option<SquadronId> {
        if let PieceId::Squadron(id) = self { Some(id) } else { None }
    }

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
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for PieceId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        SquadronId::named(&id)
            .map(PieceId::Squadron)
            .or_else(|| CardId::named(&id).map(PieceId::Card))
            .ok_or_else(|| D::Error::custom("there is no piece of that name"))
    }
}
