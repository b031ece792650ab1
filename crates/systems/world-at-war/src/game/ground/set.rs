//! A set of small numbers: hexes of a map, units of a battle.

use serde::{Deserialize, Serialize};

/// How many members there can be: their numbers are below this.
pub(crate) const CAPACITY: usize = 255;

/// A set of numbers below [`CAPACITY`], walked in rising order. As JSON it is the list of its members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub struct Set([u64; 4]);

impl Set {
    #[inline]
    pub fn contains(&self, member: u8) -> bool {
        self.0[usize::from(member >> 6)] >> (member & 63) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, member: u8) {
        self.0[usize::from(member >> 6)] |= 1 << (member & 63);
    }

    #[inline]
    pub fn remove(&mut self, member: u8) {
        self.0[usize::from(member >> 6)] &= !(1 << (member & 63));
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }

    #[inline]
    #[must_use]
    pub fn or(mut self, other: &Set) -> Set {
        self.0.iter_mut().zip(other.0).for_each(|(one, other)| *one |= other);
        self
    }

    #[inline]
    #[must_use]
    pub fn and(mut self, other: &Set) -> Set {
        self.0.iter_mut().zip(other.0).for_each(|(one, other)| *one &= other);
        self
    }

    #[inline]
    #[must_use]
    pub fn without(mut self, other: &Set) -> Set {
        self.0.iter_mut().zip(other.0).for_each(|(one, other)| *one &= !other);
        self
    }

    pub fn iter(&self) -> Members {
        Members { words: self.0, at: 0 }
    }

    /// The `n`-th member in rising order.
    pub fn nth(&self, n: u32) -> Option<u8> {
        self.iter().nth(n as usize)
    }
}

/// Walks a set.
#[derive(Clone, Debug)]
pub struct Members {
    words: [u64; 4],
    at: usize,
}

impl Iterator for Members {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        while self.words[self.at] == 0 {
            if self.at == 3 {
                return None;
            }
            self.at += 1;
        }
        let word = &mut self.words[self.at];
        let bit = word.trailing_zeros() as u8;
        *word &= *word - 1;
        Some((self.at as u8) << 6 | bit)
    }
}

impl FromIterator<u8> for Set {
    fn from_iter<I: IntoIterator<Item = u8>>(members: I) -> Self {
        let mut set = Set::default();
        members.into_iter().for_each(|member| set.insert(member));
        set
    }
}

impl From<Vec<u8>> for Set {
    fn from(members: Vec<u8>) -> Self {
        members.into_iter().collect()
    }
}

impl From<Set> for Vec<u8> {
    fn from(set: Set) -> Self {
        set.iter().collect()
    }
}
