use crate::Weight;
use crate::count::{Branches, Counts, Few, Key};
use crate::dist::{Dist, Mixture};
use flagplot_kernel::{
    Ask, Asked, Choice, Die, Faces, Flow, Note, Pool, Process, Refusal, Roll, Sum, Unanswered, Volley, Volleyed,
};
use std::fmt::{self, Display};
use std::hash::Hash;
use std::rc::Rc;

/// How much work the odds may cost.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The greatest number of branches.
    pub branches: u64,
    /// The greatest number of different states at once.
    pub states: usize,
    /// The greatest size of all states at once, in bytes, by estimate.
    pub bytes: usize,
    /// Called now and then: whether to give up, because time has run out or the request was cancelled.
    pub give_up: Option<&'a dyn Fn() -> bool>,
}

impl Budget<'_> {
    /// Some seconds of work on a small machine, within 200 MB.
    pub const USUAL: Budget<'static> =
        Budget { branches: 40_000_000, states: 4_000_000, bytes: 120_000_000, give_up: None };
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Self::USUAL
    }
}

/// Why there are no exact odds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OddsError {
    /// It would take more than the budget.
    BudgetExceeded,
    /// A player's choice is part of it, and no policy makes it.
    NeedsChoice,
    /// With some dice the facts turn out to be impossible.
    Refused(Box<Refusal>),
}

impl From<OddsError> for Refusal {
    fn from(error: OddsError) -> Self {
        match error {
            OddsError::BudgetExceeded => {
                Refusal::new("budget-exceeded", "The exact odds would take more work than is allowed.")
            }
            OddsError::NeedsChoice => Refusal::new(
                "odds-need-a-policy",
                "A choice is part of this, so that it has odds only once the choice is made.",
            ),
            OddsError::Refused(refusal) => *refusal,
        }
    }
}

impl Display for OddsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Refusal::from(self.clone()).fmt(f)
    }
}

impl std::error::Error for OddsError {}

/// Answers every question in every way, one branch after the other.
#[derive(Debug)]
pub struct Enumerator<W: Weight> {
    counts: Counts<W>,
    path: Vec<Node<W>>,
    depth: usize,
    met_choice: bool,
    refused: Option<Refusal>,
    /// The greatest size of one ask's branches, in bytes.
    bytes: usize,
}

#[derive(Debug)]
struct Node<W> {
    branches: Rc<Branches<W>>,
    at: usize,
    /// The product of the weights and of the totals from the root to here, this node included.
    weight: W,
    total: W,
}

impl<W: Weight> Default for Enumerator<W> {
    fn default() -> Self {
        Self {
            counts: Counts::default(),
            path: Vec::new(),
            depth: 0,
            met_choice: false,
            refused: None,
            bytes: Budget::USUAL.bytes,
        }
    }
}

impl<W: Weight> Enumerator<W> {
    /// The present branch of an ask. It stays unanswered if its branches alone would exceed the budget.
    fn branch(&mut self, key: impl FnOnce() -> Key) -> Asked<&[u32]> {
        if self.depth == self.path.len() {
            let branches = self.counts.of(key(), self.bytes).ok_or(Unanswered)?;
            let (weight, total) = match self.path.last() {
                None => (branches.weights[0].clone(), branches.total.clone()),
                Some(node) => (node.weight.times(&branches.weights[0]), node.total.times(&branches.total)),
            };
            self.path.push(Node { branches, at: 0, weight, total });
        }
        let node = &self.path[self.depth];
        self.depth += 1;
        Ok(node.branches.outcome(node.at))
    }

    /// Moves on to the next branch; false when all have been walked.
    fn next(&mut self) -> bool {
        self.depth = 0;
        while let Some(node) = self.path.pop() {
            let at = node.at + 1;
            if at < node.branches.weights.len() {
                let weight = match self.path.last() {
                    None => node.branches.weights[at].clone(),
                    Some(before) => before.weight.times(&node.branches.weights[at]),
                };
                self.path.push(Node { at, weight, ..node });
                return true;
            }
        }
        false
    }

    /// Walks every branch of `f`. What it returns is gathered by `each` with its weight and denominator.
    fn walk<T>(
        &mut self,
        mut f: impl FnMut(&mut Self) -> Asked<T>,
        mut each: impl FnMut(T, &W, &W) -> Result<(), OddsError>,
    ) -> Result<(), OddsError> {
        self.path.clear();
        self.depth = 0;
        let one = W::whole(1);
        loop {
            let outcome = f(self).map_err(|Unanswered| match self.refused.take() {
                Some(refusal) => OddsError::Refused(Box::new(refusal)),
                None if self.met_choice => OddsError::NeedsChoice,
                None => OddsError::BudgetExceeded,
            })?;
            assert_eq!(self.depth, self.path.len(), "a rule asked differently the second time");
            match self.path.last() {
                None => each(outcome, &one, &one)?,
                Some(leaf) => each(outcome, &leaf.weight, &leaf.total)?,
            }
            if !self.next() {
                return Ok(());
            }
        }
    }
}

fn classes<const K: usize>(die: Die, class: &impl Fn(u8) -> usize) -> Few {
    let mut counts = [0; K];
    for face in die.faces() {
        counts[class(face)] += 1;
    }
    Few::from_slice(&counts)
}

impl<W: Weight> Ask for Enumerator<W> {
    fn roll(&mut self, die: Die, _: impl Display) -> Asked<u8> {
        Ok(self.branch(|| Key::Die(die.sides))?[0] as u8)
    }

    fn roll_as<R: Eq>(&mut self, die: Die, _: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        let face = self.branch(|| {
            let mut readings: Vec<(R, u8, u8)> = Vec::new();
            for face in die.faces() {
                let reading = read(face);
                match readings.iter_mut().find(|(other, ..)| *other == reading) {
                    Some((_, _, count)) => *count += 1,
                    None => readings.push((reading, face, 1)),
                }
            }
            Key::Roll(readings.into_iter().map(|(_, face, count)| u16::from(face) << 8 | u16::from(count)).collect())
        })?[0];
        Ok(Roll { read: read(face as u8), face: None })
    }

    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        _: impl Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        let row = self.branch(|| Key::Pool(n, classes::<K>(die, &class)))?;
        let mut counts = [0; K];
        counts.copy_from_slice(row);
        Ok(Pool { counts, faces: Faces::default() })
    }

    fn sum(&mut self, n: u32, die: Die, _: impl Display) -> Asked<Sum> {
        Ok(Sum { total: self.branch(|| Key::Sum(n, die.sides))?[0], faces: Faces::default() })
    }

    fn volley<const K: usize, F: Fn(u8) -> usize>(
        &mut self,
        volley: Volley<K, F>,
        _: impl Display,
    ) -> Asked<Volleyed<K>> {
        let row = self.branch(|| {
            Key::Volley(
                volley.dice,
                classes::<K>(volley.die, &volley.class),
                volley.tally.into_iter().map(|tally| tally as u16).collect(),
                volley.scored as u8,
                volley.points.sides,
            )
        })?;
        let mut counts = [0; K];
        counts.copy_from_slice(&row[..K]);
        Ok(Volleyed { counts, points: row[K], faces: Faces::default(), point_faces: Faces::default() })
    }

    fn decide<C: Choice>(&mut self, _: &C) -> Asked<C::Value> {
        self.met_choice = true;
        Err(Unanswered)
    }

    fn in_secret<C: Choice>(&mut self, _: &[C]) -> Asked<Vec<C::Value>> {
        self.met_choice = true;
        Err(Unanswered)
    }

    fn refuse(&mut self, refusal: Refusal) -> Unanswered {
        self.refused = Some(refusal);
        Unanswered
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}

/// Counts branches against the budget.
struct Meter<'a> {
    budget: Budget<'a>,
    walked: u64,
}

impl Meter<'_> {
    fn tick(&mut self, states: usize, bytes: usize) -> Result<(), OddsError> {
        self.walked += 1;
        let tired = self.walked.is_multiple_of(256) && self.budget.give_up.is_some_and(|give_up| give_up());
        let large = states > self.budget.states || bytes > self.budget.bytes;
        if tired || large || self.walked > self.budget.branches {
            return Err(OddsError::BudgetExceeded);
        }
        Ok(())
    }
}

/// The distribution of what a function that asks returns.
///
/// ```
/// use flagplot_kernel::{Ask, D6};
/// use flagplot_odds::{Budget, Exact, enumerate};
/// let odds = enumerate::<_, Exact>(Budget::default(), |ask| Ok(ask.roll(D6, "a")? + ask.roll(D6, "b")?)).unwrap();
/// assert_eq!(odds.chance(&7).to_string(), "1/6");
/// ```
pub fn enumerate<T: Eq + Hash, W: Weight>(
    budget: Budget<'_>,
    f: impl FnMut(&mut Enumerator<W>) -> Asked<T>,
) -> Result<Dist<T, W>, OddsError> {
    let mut meter = Meter { budget, walked: 0 };
    let mut mix = Mixture::default();
    let mut enumerator = Enumerator { bytes: budget.bytes, ..Enumerator::default() };
    enumerator.walk(f, |outcome, weight, total| {
        mix.add(outcome, weight.clone(), total);
        meter.tick(mix.outcomes(), mix.bytes())
    })?;
    Ok(mix.finish())
}

/// The distribution of the final states of a process, merging equal states after every step.
pub fn distribution<P: Process, W: Weight>(
    process: &P,
    start: Dist<P::State, W>,
    budget: Budget<'_>,
) -> Result<Dist<P::State, W>, OddsError> {
    let mut meter = Meter { budget, walked: 0 };
    let mut enumerator = Enumerator { bytes: budget.bytes, ..Enumerator::default() };
    let mut finished: Mixture<P::State, W> = Mixture::default();
    let mut frontier = start;
    let mut frontier_bytes = 0;
    while !frontier.is_empty() {
        let mut next: Mixture<P::State, W> = Mixture::default();
        for (state, weight) in frontier.iter() {
            let mut before: Option<(W, W)> = None;
            enumerator.walk(
                |ask| {
                    let mut state = state.clone();
                    let flow = process.step(&mut state, ask)?;
                    Ok((state, flow))
                },
                |(state, flow), share, total| {
                    // Branches of one step mostly share a denominator: its product is kept.
                    let denominator = match &before {
                        Some((of, product)) if of == total => product.clone(),
                        _ => {
                            let product = frontier.total().times(total);
                            before = Some((total.clone(), product.clone()));
                            product
                        }
                    };
                    let onto = if flow == Flow::Done { &mut finished } else { &mut next };
                    onto.add(state, weight.times(share), &denominator);
                    let states = onto.outcomes();
                    meter.tick(states, frontier_bytes + next.bytes() + finished.bytes())
                },
            )?;
        }
        frontier_bytes = next.bytes();
        frontier = next.finish();
    }
    Ok(finished.finish())
}
