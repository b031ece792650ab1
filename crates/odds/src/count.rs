//! Counting handfuls of dice without walking their faces.

use crate::Weight;
use flagplot_kernel::{Tally, work};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// What can come of one ask: rows of small numbers with their weights.
#[derive(Debug)]
pub(crate) struct Branches<W> {
    pub(crate) width: usize,
    pub(crate) outcomes: Vec<u32>,
    pub(crate) weights: Vec<W>,
    pub(crate) total: W,
}

impl<W: Weight> Branches<W> {
    fn new(width: usize, total: W) -> Self {
        Self { width, outcomes: Vec::new(), weights: Vec::new(), total }
    }

    /// The same branches in short or in long numbers.
    fn counted_in<V: Weight>(self, weight: impl Fn(&W) -> V) -> Branches<V> {
        Branches {
            width: self.width,
            outcomes: self.outcomes,
            weights: self.weights.iter().map(&weight).collect(),
            total: weight(&self.total),
        }
    }

    fn push(&mut self, outcome: impl IntoIterator<Item = u32>, weight: W) {
        if !weight.is_zero() {
            work::tick();
            self.outcomes.extend(outcome);
            self.weights.push(weight);
        }
    }

    pub(crate) fn outcome(&self, at: usize) -> &[u32] {
        &self.outcomes[at * self.width..(at + 1) * self.width]
    }
}

/// Small numbers, kept without heap where they are few.
pub(crate) type Few = SmallVec<[u16; 6]>;

fn wide(numbers: &Few) -> Vec<u32> {
    numbers.iter().map(|&number| u32::from(number)).collect()
}

/// What tells two asks apart for counting.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// Sides: every face by itself.
    Die(u8),
    /// Representative faces, each times 256 and with how many faces read the same added.
    Roll(Few),
    /// Number of dice, faces in each class.
    Pool(u32, Few),
    /// Number of dice, sides.
    Sum(u32, u8),
    /// Number of dice, faces in each class, what is asked of each, the scored class, sides of the die for points.
    Volley(u32, Few, Few, u8, u8),
}

impl Key {
    /// The size of all branches, in bytes, by estimate: known before the first of them is made.
    fn bytes(&self) -> u64 {
        let rows = |n: u32, classes: usize| {
            // The ways to spread n dice over so many classes.
            (1..classes as u64).fold(1u64, |ways, class| ways.saturating_mul(u64::from(n) + class) / class)
        };
        let (n, rows, width) = match self {
            Key::Die(sides) => (1, u64::from(*sides), 1),
            Key::Roll(readings) => (1, readings.len() as u64, 1),
            Key::Pool(n, classes) => (*n, rows(*n, classes.iter().filter(|faces| **faces > 0).count()), classes.len()),
            Key::Sum(n, sides) => (*n, u64::from(*n) * u64::from(*sides), 1),
            Key::Volley(n, classes, tally, _, points) => {
                let counted = tally.iter().filter(|tally| **tally == Tally::Count as u16).count();
                let any = tally.iter().filter(|tally| **tally == Tally::Any as u16).count();
                let points = u64::from(*n) * u64::from(*points) + 1;
                (*n, rows(*n, counted + 1).saturating_mul(points) << any.min(16), classes.len() + 1)
            }
        };
        // A weight has at most eight bits a die; few dice fit into a weight itself.
        rows.saturating_mul(16 + 4 * width as u64 + if n > 24 { u64::from(n) } else { 0 })
    }

    /// The weight of all branches together; none if it is too long.
    fn total<W: Weight>(&self) -> Option<W> {
        let sides = |classes: &Few| classes.iter().map(|&faces| u64::from(faces)).sum::<u64>();
        match self {
            Key::Die(sides) => Some(W::whole(u64::from(*sides))),
            Key::Roll(readings) => Some(W::whole(readings.iter().map(|&reading| u64::from(reading & 255)).sum())),
            Key::Pool(n, classes) => W::whole_power(sides(classes), *n),
            Key::Sum(n, sides) => W::whole_power(u64::from(*sides), *n),
            Key::Volley(n, classes, _, _, points) => W::whole_power(sides(classes) * u64::from(*points), *n),
        }
    }
}

/// Why there are no branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uncounted {
    /// They would take more bytes than allowed.
    TooMany,
    /// Their weights do not fit into numbers of this kind.
    TooLong,
}

/// Branches already counted.
#[derive(Debug)]
pub(crate) struct Counts<W> {
    all: FxHashMap<Key, Rc<Branches<W>>>,
    /// The one asked for last: a rule asks the same thing of many states.
    last: Option<(Key, Rc<Branches<W>>)>,
}

impl<W> Default for Counts<W> {
    fn default() -> Self {
        Self { all: FxHashMap::default(), last: None }
    }
}

impl<W: Weight> Counts<W> {
    /// The branches of an ask, if they take no more bytes than that.
    pub(crate) fn of(&mut self, key: Key, bytes: usize) -> Result<Rc<Branches<W>>, Uncounted> {
        if let Some((last, branches)) = &self.last
            && *last == key
        {
            return Ok(Rc::clone(branches));
        }
        if key.bytes() > bytes as u64 {
            return Err(Uncounted::TooMany);
        }
        let branches = match self.all.get(&key) {
            Some(branches) => Rc::clone(branches),
            None => {
                let branches = Rc::new(count(&key).ok_or(Uncounted::TooLong)?);
                self.all.insert(key.clone(), Rc::clone(&branches));
                branches
            }
        };
        self.last = Some((key, Rc::clone(&branches)));
        Ok(branches)
    }
}

/// The branches of an ask, counted in short numbers if their total is one; none if it does not even fit into these.
fn count<W: Weight>(key: &Key) -> Option<Branches<W>> {
    match key.total() {
        Some(total) => Some(count_up_to::<W::Short>(key, total).counted_in(W::of_short)),
        None => Some(count_up_to(key, key.total()?)),
    }
}

fn count_up_to<W: Weight>(key: &Key, total: W) -> Branches<W> {
    match key {
        Key::Die(sides) => roll((1..=u32::from(*sides)).map(|face| (face, 1)), total),
        Key::Roll(readings) => {
            roll(readings.iter().map(|&reading| (u32::from(reading >> 8), u64::from(reading & 255))), total)
        }
        Key::Pool(n, classes) => pool(*n, &wide(classes), total),
        Key::Sum(n, sides) => sum(*n, *sides, total),
        Key::Volley(n, classes, tally, scored, points) => {
            let tally: Vec<Tally> =
                tally.iter().map(|&tally| [Tally::Ignore, Tally::Any, Tally::Count][usize::from(tally)]).collect();
            volley(*n, &wide(classes), &tally, usize::from(*scored), *points, total)
        }
    }
}

fn roll<W: Weight>(faces: impl Iterator<Item = (u32, u64)>, total: W) -> Branches<W> {
    let mut branches = Branches::new(1, total);
    for (face, count) in faces {
        branches.push([face], W::whole(count));
    }
    branches
}

/// Every way to spread `n` dice over the classes that have faces, each with its multinomial weight.
fn spread<W: Weight>(n: u32, classes: &[u32], mut found: impl FnMut(&[u32], &W)) {
    let powers: Vec<Vec<W>> = classes.iter().map(|&faces| powers_of(u64::from(faces), n)).collect();
    let mut ways = Ways { classes, powers, binomials: vec![None; n as usize + 1] };
    let mut counts = vec![0; classes.len()];
    ways.place(0, n, W::whole(1), &mut counts, &mut found);
}

/// All powers of a number up to the `n`th.
fn powers_of<W: Weight>(base: u64, n: u32) -> Vec<W> {
    let base = W::whole(base);
    std::iter::successors(Some(W::whole(1)), |power| Some(power.times(&base))).take(n as usize + 1).collect()
}

struct Ways<'a, W> {
    classes: &'a [u32],
    /// Of each class: its number of faces to every power.
    powers: Vec<Vec<W>>,
    /// Rows of Pascal's triangle, as far as they were needed: of a great many dice in two classes it is only the last.
    binomials: Vec<Option<Rc<[W]>>>,
}

impl<W: Weight> Ways<'_, W> {
    fn place(&mut self, class: usize, left: u32, weight: W, counts: &mut [u32], found: &mut impl FnMut(&[u32], &W)) {
        if class + 1 == self.classes.len() {
            counts[class] = left;
            let weight = weight.times(&self.powers[class][left as usize]);
            if !weight.is_zero() {
                found(counts, &weight);
            }
            return;
        }
        let row = Rc::clone(self.binomials[left as usize].get_or_insert_with(|| W::power(&[1, 1], left).into()));
        for count in 0..=left {
            if count > 0 && self.classes[class] == 0 {
                break;
            }
            counts[class] = count;
            let weight = weight.times(&row[count as usize]).times(&self.powers[class][count as usize]);
            self.place(class + 1, left - count, weight, counts, found);
        }
    }
}

fn pool<W: Weight>(n: u32, classes: &[u32], total: W) -> Branches<W> {
    let mut branches = Branches::new(classes.len(), total);
    spread::<W>(n, classes, |counts, weight| branches.push(counts.iter().copied(), weight.clone()));
    branches
}

fn sum<W: Weight>(n: u32, sides: u8, total: W) -> Branches<W> {
    let mut branches = Branches::new(1, total);
    for (more, ways) in W::power(&vec![1; usize::from(sides)], n).into_iter().enumerate() {
        branches.push([n + more as u32], ways);
    }
    branches
}

/// Rows of the class counts as tallied, then the points.
///
/// Each die weighs `faces × points sides`, a scored one `faces` for each number of points, so that all branches share a
/// denominator.
fn volley<W: Weight>(n: u32, classes: &[u32], tally: &[Tally], scored: usize, points: u8, total: W) -> Branches<W> {
    let p = u64::from(points);
    let width = classes.len() + 1;
    let mut branches = Branches::new(width, total);
    // The scored class is counted by its points alone unless its number is asked for; "any" of it means points above 0.
    let counted: Vec<usize> = (0..classes.len()).filter(|&class| tally[class] == Tally::Count).collect();
    let any: Vec<usize> = (0..classes.len()).filter(|&class| class != scored && tally[class] == Tally::Any).collect();
    let ignored: u32 = (0..classes.len())
        .filter(|&class| class != scored && tally[class] == Tally::Ignore)
        .map(|class| classes[class])
        .sum();
    let scored_counted = tally[scored] == Tally::Count;

    // The dice of all classes that are not counted are one lump; of its power the points are read off. Which of the
    // "any" classes are present follows by inclusion and exclusion from the powers without some of them.
    let mut powers: FxHashMap<(u32, u32), Vec<W>> = FxHashMap::default();
    let mut lump = |present: u32, left: u32| -> Vec<W> {
        let mut subsets: Vec<u32> = (0..=present).filter(|subset| subset & !present == 0).collect();
        for &subset in &subsets {
            powers.entry((subset, left)).or_insert_with(|| {
                let held = any.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
                let constant = p * u64::from(ignored + held.map(|(_, &class)| classes[class]).sum::<u32>());
                let mut polynomial = vec![constant];
                if !scored_counted {
                    polynomial.extend(std::iter::repeat_n(u64::from(classes[scored]), usize::from(points)));
                }
                power_of(&polynomial, left)
            });
        }
        let taken = |subset: &u32| !(present.count_ones() - subset.count_ones()).is_multiple_of(2);
        // What is taken away comes last, so that nothing falls below 0 on the way.
        subsets.sort_by_key(taken);
        let mut shares: Vec<W> = Vec::new();
        for subset in &subsets {
            let power = &powers[&(*subset, left)];
            for (share, more) in shares.iter_mut().zip(power) {
                if taken(subset) { share.take(more) } else { share.add(more) }
            }
            let known = shares.len().min(power.len());
            shares.extend_from_slice(&power[known..]);
        }
        shares
    };

    if counted.is_empty() {
        for present in 0..1u32 << any.len() {
            let mut row = vec![0; width];
            for (bit, &class) in any.iter().enumerate() {
                row[class] = present >> bit & 1;
            }
            for (points, share) in lump(present, n).into_iter().enumerate() {
                row[width - 1] = points as u32;
                row[scored] = u32::from(tally[scored] == Tally::Any && points > 0);
                branches.push(row.iter().copied(), share);
            }
        }
        return branches;
    }

    // Spread the dice over the counted classes and one class for the lump.
    let mut groups: Vec<u32> = counted.iter().map(|&class| classes[class]).collect();
    groups.push(1);
    let mut lumps: FxHashMap<(u32, u32), Vec<W>> = FxHashMap::default();
    let mut sums: FxHashMap<u32, Vec<W>> = FxHashMap::default();
    let point: Vec<W> = powers_of(p, n);
    spread::<W>(n, &groups, |counts, weight| {
        let left = counts[counted.len()];
        let mut row = vec![0; width];
        let mut weight = weight.clone();
        let mut hits = 0;
        for (&class, &count) in counted.iter().zip(counts) {
            row[class] = count;
            if class == scored {
                hits = count;
            } else {
                weight = weight.times(&point[count as usize]);
            }
        }
        for present in 0..1u32 << any.len() {
            let shares = lumps.entry((present, left)).or_insert_with(|| lump(present, left));
            for (bit, &class) in any.iter().enumerate() {
                row[class] = present >> bit & 1;
            }
            if scored_counted {
                let Some(share) = shares.first() else { continue };
                let ways = sums.entry(hits).or_insert_with(|| W::power(&vec![1; usize::from(points)], hits));
                for (more, ways) in ways.iter().enumerate() {
                    row[width - 1] = hits + more as u32;
                    branches.push(row.iter().copied(), weight.times(share).times(ways));
                }
            } else {
                for (total, share) in shares.iter().enumerate() {
                    row[width - 1] = total as u32;
                    if tally[scored] == Tally::Any {
                        row[scored] = u32::from(total > 0);
                    }
                    branches.push(row.iter().copied(), weight.times(share));
                }
            }
        }
    });
    branches
}

/// A power of a polynomial whose first coefficients may be 0.
fn power_of<W: Weight>(polynomial: &[u64], n: u32) -> Vec<W> {
    let zeros = polynomial.iter().take_while(|&&c| c == 0).count();
    if zeros == polynomial.len() {
        return if n == 0 { vec![W::whole(1)] } else { Vec::new() };
    }
    let mut out = vec![W::whole(0); zeros * n as usize];
    out.extend(W::power(&polynomial[zeros..], n));
    out
}
