use crate::{Exact, Fraction, Weight};
use flagplot_kernel::work;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// A distribution: outcomes with their weights over a common total.
#[derive(Clone, Debug)]
pub struct Dist<T, W = Exact> {
    total: W,
    weights: FxHashMap<T, W>,
}

impl<T: Eq + Hash, W: Weight> Dist<T, W> {
    /// One outcome for certain.
    pub fn certain(outcome: T) -> Self {
        let mut weights = FxHashMap::default();
        weights.insert(outcome, W::whole(1));
        Self { total: W::whole(1), weights }
    }

    /// Outcomes with whole weights.
    pub fn weighted(outcomes: impl IntoIterator<Item = (T, u64)>) -> Self {
        let mut total = W::whole(0);
        let mut weights = FxHashMap::default();
        for (outcome, weight) in outcomes {
            let weight = W::whole(weight);
            total.add(&weight);
            put(&mut weights, outcome, Cow::Owned(weight));
        }
        Self { total, weights }
    }

    /// The sum of all weights.
    pub fn total(&self) -> &W {
        &self.total
    }

    /// All outcomes with their weights, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&T, &W)> {
        self.weights.iter()
    }

    /// How many outcomes there are.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is no outcome, which happens only if nothing was put in.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The distribution of something that follows from the outcome.
    pub fn map<U: Eq + Hash>(&self, mut f: impl FnMut(&T) -> U) -> Dist<U, W> {
        let mut weights = FxHashMap::default();
        for (outcome, weight) in &self.weights {
            put(&mut weights, f(outcome), Cow::Borrowed(weight));
        }
        Dist { total: self.total.clone(), weights }
    }

    /// The joint distribution of two independent things, as far as `f` keeps it.
    pub fn with<U: Eq + Hash, V: Eq + Hash>(&self, other: &Dist<U, W>, mut f: impl FnMut(&T, &U) -> V) -> Dist<V, W> {
        let mut weights = FxHashMap::default();
        for (one, a) in &self.weights {
            for (two, b) in &other.weights {
                put(&mut weights, f(one, two), Cow::Owned(a.times(b)));
            }
        }
        Dist { total: self.total.times(&other.total), weights }
    }

    /// What follows from each outcome by chance, all together.
    pub fn then<U: Eq + Hash, E>(&self, mut f: impl FnMut(&T) -> Result<Dist<U, W>, E>) -> Result<Dist<U, W>, E> {
        let mut mix = Mixture::default();
        for (outcome, weight) in &self.weights {
            let next = f(outcome)?;
            let denominator = self.total.times(&next.total);
            for (result, share) in next.weights {
                mix.add(result, weight.times(&share), &denominator);
            }
        }
        Ok(mix.finish())
    }

    /// The same in short numbers, if they fit.
    pub(crate) fn shortened(&self) -> Option<Dist<T, W::Short>>
    where
        T: Clone,
    {
        let weights = self.weights.iter().map(|(outcome, weight)| Some((outcome.clone(), weight.shortened()?)));
        Some(Dist { total: self.total.shortened()?, weights: weights.collect::<Option<_>>()? })
    }

    pub(crate) fn of_short(short: Dist<T, W::Short>) -> Self {
        Self { total: W::of_short(&short.total), weights: of_short(short.weights) }
    }

    /// The chance of what `f` picks, as a floating-point number.
    pub fn share(&self, mut f: impl FnMut(&T) -> bool) -> f64 {
        self.weights.iter().filter(|(outcome, _)| f(outcome)).map(|(_, weight)| weight.share(&self.total)).sum()
    }
}

impl<T: Eq + Hash> Dist<T, Exact> {
    /// The chance of an outcome.
    pub fn chance(&self, outcome: &T) -> Fraction {
        self.weights
            .get(outcome)
            .map_or_else(Fraction::zero, |weight| Fraction::new(weight.clone(), self.total.clone()))
    }

    /// The chance of what `f` picks.
    pub fn chance_of(&self, mut f: impl FnMut(&T) -> bool) -> Fraction {
        let mut sum = Exact::whole(0);
        for (outcome, weight) in &self.weights {
            if f(outcome) {
                sum += weight;
            }
        }
        Fraction::new(sum, self.total.clone())
    }

    /// The expectation of a number that follows from the outcome and is not negative.
    pub fn expect(&self, mut f: impl FnMut(&T) -> u64) -> Fraction {
        let mut sum = Exact::whole(0);
        for (outcome, weight) in &self.weights {
            sum += weight * Exact::from(f(outcome));
        }
        Fraction::new(sum, self.total.clone())
    }
}

fn of_short<T: Eq + Hash, W: Weight>(weights: FxHashMap<T, W::Short>) -> FxHashMap<T, W> {
    weights.into_iter().map(|(outcome, weight)| (outcome, W::of_short(&weight))).collect()
}

/// Adds a weight to an outcome. By how much the map has grown, in bytes, by estimate.
fn put<T: Eq + Hash, W: Weight>(weights: &mut FxHashMap<T, W>, outcome: T, weight: Cow<'_, W>) -> usize {
    work::tick();
    if weight.is_zero() {
        return 0;
    }
    match weights.entry(outcome) {
        std::collections::hash_map::Entry::Occupied(mut held) => {
            held.get_mut().add(&weight);
            0
        }
        std::collections::hash_map::Entry::Vacant(place) => {
            let mut hashed = Hashed(0);
            // What needs not be dropped holds nothing outside itself.
            if std::mem::needs_drop::<T>() {
                place.key().hash(&mut hashed);
            }
            // A map that grows has up to half of its places free.
            let bytes = (size_of::<T>() + size_of::<W>()) * 3 / 2 + hashed.0 + weight.heap_bytes();
            place.insert(weight.into_owned());
            bytes
        }
    }
}

/// Counts the bytes that a value feeds to its hash: about as many as it holds outside itself.
struct Hashed(usize);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }
}

/// Outcomes gathered from branches with different denominators, brought to one at the end.
#[derive(Clone, Debug)]
pub struct Mixture<T, W = Exact> {
    parts: Vec<(W, FxHashMap<T, W>)>,
    last: usize,
    bytes: usize,
}

impl<T, W> Default for Mixture<T, W> {
    fn default() -> Self {
        Self { parts: Vec::new(), last: 0, bytes: 0 }
    }
}

impl<T: Eq + Hash, W: Weight> Mixture<T, W> {
    /// Adds an outcome with the chance `weight / denominator`.
    pub fn add(&mut self, outcome: T, weight: W, denominator: &W) {
        self.bytes += put(self.part(denominator), outcome, Cow::Owned(weight));
    }

    /// The same with a weight that is kept elsewhere.
    pub(crate) fn add_copy(&mut self, outcome: T, weight: &W, denominator: &W) {
        self.bytes += put(self.part(denominator), outcome, Cow::Borrowed(weight));
    }

    fn part(&mut self, denominator: &W) -> &mut FxHashMap<T, W> {
        if self.parts.get(self.last).is_none_or(|part| part.0 != *denominator) {
            self.last = self.parts.iter().position(|part| part.0 == *denominator).unwrap_or_else(|| {
                self.parts.push((denominator.clone(), FxHashMap::default()));
                self.parts.len() - 1
            });
        }
        &mut self.parts[self.last].1
    }

    /// Makes room for so many outcomes of one denominator.
    pub(crate) fn reserve(&mut self, outcomes: usize, denominator: &W) {
        self.part(denominator).reserve(outcomes);
    }

    /// Takes over all that another has gathered.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (denominator, weights) in other.parts {
            let part = self.part(&denominator);
            if part.is_empty() {
                *part = weights;
            } else {
                for (outcome, weight) in weights {
                    put(part, outcome, Cow::Owned(weight));
                }
            }
        }
        self.bytes += other.bytes;
    }

    pub(crate) fn of_short(short: Mixture<T, W::Short>) -> Self {
        let parts = short.parts.into_iter().map(|(denominator, part)| (W::of_short(&denominator), of_short(part)));
        Self { parts: parts.collect(), last: short.last, bytes: short.bytes }
    }

    /// Adds a whole distribution with the chance `weight / denominator`.
    pub fn add_all(&mut self, dist: &Dist<T, W>, weight: &W, denominator: &W)
    where
        T: Clone,
    {
        let denominator = dist.total.times(denominator);
        for (outcome, share) in &dist.weights {
            self.add(outcome.clone(), weight.times(share), &denominator);
        }
    }

    /// How many outcomes have been gathered.
    pub fn outcomes(&self) -> usize {
        self.parts.iter().map(|part| part.1.len()).sum()
    }

    /// The size of what has been gathered, in bytes, by estimate.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The distribution of all that was added; the chances must have summed to 1.
    pub fn finish(self) -> Dist<T, W> {
        self.try_finish().unwrap_or_else(|_| unreachable!("long numbers have a common denominator"))
    }

    /// The same, or itself if the common denominator is too long.
    pub(crate) fn try_finish(mut self) -> Result<Dist<T, W>, Self> {
        if self.parts.len() == 1
            && let Some((total, weights)) = self.parts.pop()
        {
            return Ok(Dist { total, weights });
        }
        let denominators: Vec<W> = self.parts.iter().map(|part| part.0.clone()).collect();
        let Some((total, factors)) = W::common(&denominators) else { return Err(self) };
        let one = W::whole(1);
        let mut parts: Vec<(W, FxHashMap<T, W>)> =
            factors.into_iter().zip(self.parts.into_iter().map(|part| part.1)).collect();
        // The others are put into the largest.
        parts.sort_by_key(|(_, part)| part.len());
        let mut weights = FxHashMap::default();
        while let Some((factor, mut part)) = parts.pop() {
            if weights.is_empty() {
                if factor != one {
                    part.values_mut().for_each(|weight| *weight = weight.times(&factor));
                }
                weights = part;
            } else {
                for (outcome, weight) in part {
                    put(&mut weights, outcome, Cow::Owned(weight.times(&factor)));
                }
            }
        }
        Ok(Dist { total, weights })
    }
}

impl<T, W> IntoIterator for Dist<T, W> {
    type Item = (T, W);
    type IntoIter = std::collections::hash_map::IntoIter<T, W>;

    fn into_iter(self) -> Self::IntoIter {
        self.weights.into_iter()
    }
}
