//! A list of a few small items, kept in place: states are copied often, and paths, groups and combats are short.
//!
//! `arrayvec` is slower here: it is not `Copy` and clones item by item. A struct of a state's shape, with six such
//! lists, took 410 ns to copy with it and 100 ns with these.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// At most `N` items. What lies behind the last one counts for nothing.
#[derive(Clone, Copy)]
pub struct Few<T, const N: usize> {
    count: u8,
    items: [T; N],
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    /// Puts an item at the end. There is room by the rules; without it the item is dropped.
    #[inline]
    pub fn push(&mut self, item: T) {
        if let Some(place) = self.items.get_mut(usize::from(self.count)) {
            *place = item;
            self.count += 1;
        }
    }

    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Takes an item out; those behind it move up. None if there is no such place.
    pub fn remove(&mut self, at: usize) -> Option<T> {
        let count = usize::from(self.count);
        if at >= count {
            return None;
        }
        let item = self.items[at];
        self.items.copy_within(at + 1..count, at);
        self.count -= 1;
        Some(item)
    }

    pub fn retain(&mut self, f: impl Fn(&T) -> bool) {
        *self = self.iter().copied().filter(|item| f(item)).collect();
    }
}

impl<T: Copy + Default, const N: usize> Default for Few<T, N> {
    #[inline]
    fn default() -> Self {
        Self { count: 0, items: [T::default(); N] }
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.count)]
    }
}

impl<T, const N: usize> DerefMut for Few<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.count)]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Few<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for Few<T, N> {}

impl<T: Hash, const N: usize> Hash for Few<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: std::fmt::Debug, const N: usize> std::fmt::Debug for Few<T, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for Few<T, N> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut few = Self::default();
        for item in items {
            few.push(item);
        }
        few
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a Few<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Serialize, const N: usize> Serialize for Few<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for Few<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Vec::<T>::deserialize(deserializer)?;
        if items.len() > N {
            return Err(D::Error::custom(format!(
                "there are {} items in the list; at most {N} make sense",
                items.len()
            )));
        }
        Ok(items.into_iter().collect())
    }
}
