//! What the search remembers: for each information set the answers tried there and how they did.

use super::dice::Lag;
use flagplot_kernel::{Chance, Choice, Side};
use rustc_hash::{FxHashMap, FxHasher};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::hash_map::Entry;
use std::hash::Hasher;
use std::io;

/// A tree does not grow beyond this many nodes; play beyond it goes by instinct.
const MOST_NODES: usize = 200_000;
/// How much an answer's want of trials counts beside its results.
const CURIOSITY: f64 = 0.5;

/// An answer that has been or will be tried.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub value: Value,
    pub games: u32,
    pub sum: f64,
    pub squares: f64,
}

impl Arm {
    pub fn new(value: Value) -> Self {
        Self { value, games: 0, sum: 0.0, squares: 0.0 }
    }

    pub fn add(&mut self, worth: f64) {
        self.games += 1;
        self.sum += worth;
        self.squares += worth * worth;
    }

    pub fn merge(&mut self, other: &Arm) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    pub fn mean(&self) -> f64 {
        if self.games == 0 { 0.5 } else { self.sum / f64::from(self.games) }
    }

    /// The standard error of the mean; a variance of 1/12 is assumed for a start, so that few games are never taken for
    /// certainty.
    pub fn error(&self) -> f64 {
        let n = f64::from(self.games);
        let spread = (self.squares - n * self.mean() * self.mean()).max(0.0);
        ((spread + 1.0 / 12.0) / (n + 1.0) / n.max(1.0)).sqrt()
    }
}

/// The answers tried at one information set.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    side: Side,
    games: u32,
    pub arms: Vec<Arm>,
    /// Candidates not tried yet, the next one last; none while nobody has asked for them.
    waiting: Option<Vec<Value>>,
}

impl Node {
    pub fn new(side: Side, first: Value) -> Self {
        Self { side, games: 0, arms: vec![Arm::new(first)], waiting: None }
    }

    /// A node whose answers are all given.
    pub fn with(side: Side, values: impl IntoIterator<Item = Value>) -> Self {
        Self { side, games: 0, arms: values.into_iter().map(Arm::new).collect(), waiting: Some(Vec::new()) }
    }

    /// How many answers may be tried after so many games.
    pub fn width(games: u32) -> usize {
        (2.0 + 0.6 * f64::from(games).powf(0.4)) as usize
    }

    /// The answer with the best prospect among those tried; the first one not tried yet, if there is one.
    pub fn best(&self) -> usize {
        if let Some(fresh) = self.arms.iter().position(|arm| arm.games == 0) {
            return fresh;
        }
        let log = f64::from(self.games.max(1)).ln();
        let prospect = |arm: &Arm| arm.mean() + CURIOSITY * (log / f64::from(arm.games)).sqrt();
        let mut best = 0;
        for at in 1..self.arms.len() {
            if prospect(&self.arms[at]) > prospect(&self.arms[best]) {
                best = at;
            }
        }
        best
    }

    /// The answer to try next, which is the first one in at least one game of `duty`.
    pub fn next(&self, duty: u32) -> usize {
        if self.arms[0].games * duty < self.games { 0 } else { self.best() }
    }

    pub fn games(&self) -> u32 {
        self.games
    }

    pub fn has(&self, value: &Value) -> bool {
        self.arms.iter().any(|arm| arm.value == *value)
    }

    /// The answer that has been shown to be best.
    pub fn leader(&self) -> Option<&Arm> {
        self.arms
            .iter()
            .filter(|arm| arm.games > 0)
            .max_by(|a, b| (a.mean() - a.error()).total_cmp(&(b.mean() - b.error())))
    }

    /// Which answer to try now, widening the node with a candidate or a random legal answer where it is due.
    fn choose<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> usize {
        if self.arms.len() < Self::width(self.games) && self.arms.iter().all(|arm| arm.games > 0) {
            let waiting = self.waiting.get_or_insert_with(|| {
                choice
                    .candidates()
                    .into_iter()
                    .rev()
                    .filter_map(|candidate| serde_json::to_value(candidate.value).ok())
                    .collect()
            });
            let mut fresh = None;
            while let Some(value) = waiting.pop() {
                if !self.arms.iter().any(|arm| arm.value == value) {
                    fresh = Some(value);
                    break;
                }
            }
            if fresh.is_none() {
                fresh = serde_json::to_value(choice.sample(chance))
                    .ok()
                    .filter(|value| !self.arms.iter().any(|arm| arm.value == *value));
            }
            if let Some(value) = fresh {
                self.arms.push(Arm::new(value));
                return self.arms.len() - 1;
            }
        }
        self.best()
    }
}

/// A step down the tree: which node, which answer.
pub(crate) type Visit = (u64, usize);

/// All information sets met so far below the root, and the rolls between them.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: FxHashMap<u64, Node>,
    rolls: FxHashMap<u64, Lag>,
}

/// What the tree says at a choice.
pub(crate) enum Advice<V> {
    /// Try this, and stay in the tree.
    Follow(V, Visit),
    /// A new node was made of the instinctive answer: the rest is played out.
    Leaf(V, Visit),
    /// The tree has nothing to say here.
    None,
}

impl Tree {
    pub fn advise<C: Choice>(&mut self, key: u64, side: Side, choice: &C, chance: &mut Chance) -> Advice<C::Value> {
        if let Some(node) = self.nodes.get_mut(&key) {
            let at = node.choose(choice, chance);
            // Equal information sets allow equal answers; where a hash or a view deceives, the check notices.
            return match C::Value::deserialize(&node.arms[at].value).ok().filter(|value| choice.check(value).is_ok()) {
                Some(value) => Advice::Follow(value, (key, at)),
                None => Advice::None,
            };
        }
        if self.nodes.len() >= MOST_NODES {
            return Advice::None;
        }
        let value = choice.instinct(chance);
        let Ok(json) = serde_json::to_value(&value) else { return Advice::None };
        self.nodes.insert(key, Node::new(side, json));
        Advice::Leaf(value, (key, 0))
    }

    /// What is known of a roll at this point; none if there are too many to remember another.
    pub(super) fn lag(&mut self, key: u64) -> Option<&mut Lag> {
        let full = self.rolls.len() >= MOST_NODES;
        match self.rolls.entry(key) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(new) => (!full).then(|| new.insert(Lag::default())),
        }
    }

    /// Tells every node of a game how it ended; `worth` is for the first side.
    pub fn learn(&mut self, path: &[Visit], worth: f64) {
        for &(key, at) in path {
            if let Some(node) = self.nodes.get_mut(&key) {
                node.learn(at, worth);
            }
        }
    }
}

impl Node {
    /// Notes how a game with this answer ended: `worth` is for the first side, what comes back for the node's own.
    pub fn learn(&mut self, at: usize, worth: f64) -> f64 {
        self.games += 1;
        let worth = match self.side {
            Side::First => worth,
            Side::Second => 1.0 - worth,
        };
        self.arms[at].add(worth);
        worth
    }
}

/// The hash of something's JSON form.
pub(crate) fn hash_of(value: &impl Serialize) -> u64 {
    struct Into_(FxHasher);
    impl io::Write for Into_ {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut into = Into_(FxHasher::default());
    // What has no JSON form gets the hash of what was written of it.
    let _ = serde_json::to_writer(&mut into, value);
    into.0.finish()
}

/// Two hashes made one, the order of which counts.
pub(crate) fn join(one: u64, two: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(one);
    hasher.write_u64(two);
    hasher.finish()
}
