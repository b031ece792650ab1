use crate::Weight;
use crate::count::{Branches, Counts, Few, Key, Uncounted};
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
    uncounted: Option<Uncounted>,
    /// The greatest size of one ask's branches, in bytes.
    bytes: usize,
}

#[derive(Debug)]
struct Node<W> {
    branches: Rc<Branches<W>>,
    at: usize,
    /// The product of the weights and of the totals from the root to here; the root has none, because its own branches
    /// say them.
    product: Option<(W, W)>,
}

impl<W: Weight> Node<W> {
    fn weight(&self) -> &W {
        self.product.as_ref().map_or(&self.branches.weights[self.at], |(weight, _)| weight)
    }

    fn total(&self) -> &W {
        self.product.as_ref().map_or(&self.branches.total, |(_, total)| total)
    }
}

/// Why a walk through all branches has ended.
#[derive(Debug)]
enum Halt {
    Error(OddsError),
    /// The weights no longer fit into numbers of this kind.
    TooLong,
}

impl From<OddsError> for Halt {
    fn from(error: OddsError) -> Self {
        Halt::Error(error)
    }
}

impl<W: Weight> Default for Enumerator<W> {
    fn default() -> Self {
        Self {
            counts: Counts::default(),
            path: Vec::new(),
            depth: 0,
            met_choice: false,
            refused: None,
            uncounted: None,
            bytes: Budget::USUAL.bytes,
        }
    }
}

impl<W: Weight> Enumerator<W> {
    /// The present branch of an ask. It stays unanswered if its branches alone would exceed the budget, or if their
    /// weights are too long.
    fn branch(&mut self, key: impl FnOnce() -> Key) -> Asked<&[u32]> {
        if self.depth == self.path.len() {
            self.enter(key())?;
        }
        let node = &self.path[self.depth];
        self.depth += 1;
        Ok(node.branches.outcome(node.at))
    }

    fn enter(&mut self, key: Key) -> Asked<()> {
        let stop = |uncounted: &mut Option<Uncounted>, why| {
            *uncounted = Some(why);
            Unanswered
        };
        let branches = self.counts.of(key, self.bytes).map_err(|why| stop(&mut self.uncounted, why))?;
        let product = match self.path.last() {
            None => None,
            Some(node) => {
                let total = node.total().times_if_it_fits(&branches.total);
                let total = total.ok_or_else(|| stop(&mut self.uncounted, Uncounted::TooLong))?;
                Some((node.weight().times(&branches.weights[0]), total))
            }
        };
        self.path.push(Node { branches, at: 0, product });
        Ok(())
    }

    /// Moves on to the next branch; false when all have been walked.
    fn next(&mut self) -> bool {
        self.depth = 0;
        while let Some((last, before)) = self.path.split_last_mut() {
            last.at += 1;
            if let Some(weight) = last.branches.weights.get(last.at) {
                if let (Some((product, _)), Some(before)) = (&mut last.product, before.last()) {
                    *product = before.weight().times(weight);
                }
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// How many branches the first ask has.
    fn width(&self) -> usize {
        self.path.first().map_or(1, |node| node.branches.weights.len())
    }

    /// Walks every branch of `f`. What it returns is gathered by `each` with its weight and denominator.
    fn walk<T>(
        &mut self,
        mut f: impl FnMut(&mut Self) -> Asked<T>,
        mut each: impl FnMut(T, &W, &W, usize) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        self.path.clear();
        self.depth = 0;
        let one = W::whole(1);
        loop {
            let outcome = f(self).map_err(|Unanswered| match (self.refused.take(), self.uncounted.take()) {
                (Some(refusal), _) => Halt::Error(OddsError::Refused(Box::new(refusal))),
                (None, _) if self.met_choice => Halt::Error(OddsError::NeedsChoice),
                (None, Some(Uncounted::TooLong)) => Halt::TooLong,
                (None, _) => Halt::Error(OddsError::BudgetExceeded),
            })?;
            assert_eq!(self.depth, self.path.len(), "a rule asked differently the second time");
            match self.path.last() {
                None => each(outcome, &one, &one, 1)?,
                Some(leaf) => each(outcome, leaf.weight(), leaf.total(), self.width())?,
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
    fn tick(&mut self) -> Result<(), OddsError> {
        self.walked += 1;
        let tired = self.walked.is_multiple_of(256) && self.budget.give_up.is_some_and(|give_up| give_up());
        if tired || self.walked > self.budget.branches {
            return Err(OddsError::BudgetExceeded);
        }
        Ok(())
    }

    fn weigh(&self, states: usize, bytes: usize) -> Result<(), OddsError> {
        if states > self.budget.states || bytes > self.budget.bytes {
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
    let walked = enumerator.walk(f, |outcome, weight, total, width| {
        if meter.walked == 0 {
            mix.reserve(width.min(MOST_ROOM), total);
        }
        mix.add_copy(outcome, weight, total);
        meter.tick()?;
        Ok(meter.weigh(mix.outcomes(), mix.bytes())?)
    });
    match walked {
        Ok(()) => Ok(mix.finish()),
        Err(Halt::Error(error)) => Err(error),
        Err(Halt::TooLong) => Err(OddsError::BudgetExceeded),
    }
}

/// The greatest number of outcomes for which room is made before they are there.
const MOST_ROOM: usize = 256;

/// The distribution of the final states of a process, merging equal states after every step. Weights are counted in
/// short numbers until they no longer fit.
pub fn distribution<P: Process, W: Weight>(
    process: &P,
    start: Dist<P::State, W>,
    budget: Budget<'_>,
) -> Result<Dist<P::State, W>, OddsError> {
    let mut meter = Meter { budget, walked: 0 };
    let mut run = Run::from(start);
    if let Some(short) = run.frontier.shortened() {
        let mut short = Run::from(short);
        match short.finish(process, &mut meter) {
            Ok(()) => {
                return Ok(match short.finished.try_finish() {
                    Ok(finished) => Dist::of_short(finished),
                    Err(finished) => Mixture::of_short(finished).finish(),
                });
            }
            Err(Halt::Error(error)) => return Err(error),
            Err(Halt::TooLong) => {
                let Run { frontier, finished, bytes } = short;
                run = Run { frontier: Dist::of_short(frontier), finished: Mixture::of_short(finished), bytes };
            }
        }
    }
    match run.finish(process, &mut meter) {
        Ok(()) => Ok(run.finished.finish()),
        Err(Halt::Error(error)) => Err(error),
        Err(Halt::TooLong) => Err(OddsError::BudgetExceeded),
    }
}

/// A process with everything that can have become of it after some steps.
struct Run<S, W> {
    frontier: Dist<S, W>,
    finished: Mixture<S, W>,
    /// The size of the frontier, by estimate.
    bytes: usize,
}

impl<S: Clone + Eq + Hash, W: Weight> Run<S, W> {
    fn from(start: Dist<S, W>) -> Self {
        Self { frontier: start, finished: Mixture::default(), bytes: 0 }
    }

    /// Goes on until all has ended. A step whose weights become too long has not been taken.
    fn finish<P: Process<State = S>>(&mut self, process: &P, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let mut enumerator: Enumerator<W> = Enumerator { bytes: meter.budget.bytes, ..Enumerator::default() };
        while !self.frontier.is_empty() {
            let walked = meter.walked;
            let stepped = self.step(process, &mut enumerator, meter);
            if let Err(Halt::TooLong) = stepped {
                meter.walked = walked;
            }
            let Run { frontier, finished, bytes } = stepped?;
            (self.frontier, self.bytes) = (frontier, bytes);
            self.finished.absorb(finished);
        }
        Ok(())
    }

    /// One step: the next frontier, and what has ended in this step.
    fn step<P: Process<State = S>>(
        &self,
        process: &P,
        enumerator: &mut Enumerator<W>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Halt> {
        let mut onto = Onto { next: Mixture::default(), ended: Mixture::default(), gathered: Vec::new() };
        let before = self.bytes + self.finished.bytes();
        for (state, weight) in self.frontier.iter() {
            // Branches of one step mostly share a denominator.
            let mut shared: Option<(W, W)> = None;
            enumerator.walk(
                |ask| {
                    let mut state = state.clone();
                    let flow = process.step(&mut state, ask)?;
                    Ok((state, flow))
                },
                |outcome, share, total, _| {
                    if shared.as_ref().is_none_or(|(of, _)| of != total) {
                        if let Some((_, denominator)) = &shared {
                            onto.put(weight, denominator);
                        }
                        let denominator = self.frontier.total().times_if_it_fits(total).ok_or(Halt::TooLong)?;
                        shared = Some((total.clone(), denominator));
                    }
                    meter.tick()?;
                    if let (true, Some((_, denominator))) = (onto.gather(outcome, share), &shared) {
                        onto.put(weight, denominator);
                        meter.weigh(onto.outcomes(&self.finished), before + onto.bytes())?;
                    }
                    Ok(())
                },
            )?;
            if let Some((_, denominator)) = &shared {
                onto.put(weight, denominator);
                meter.weigh(onto.outcomes(&self.finished), before + onto.bytes())?;
            }
        }
        let bytes = onto.next.bytes();
        let frontier = onto.next.try_finish().map_err(|_| Halt::TooLong)?;
        Ok(Self { frontier, finished: onto.ended, bytes })
    }
}

/// Where the branches of a step lead.
struct Onto<S, W> {
    next: Mixture<S, W>,
    ended: Mixture<S, W>,
    /// Outcomes of one state with their shares of it. Equal ones mostly follow each other closely; together they cost
    /// one long product and one search.
    gathered: Vec<((S, Flow), W)>,
}

impl<S: Clone + Eq + Hash, W: Weight> Onto<S, W> {
    /// Adds the share of an outcome; whether so many have been gathered that they should be put away.
    fn gather(&mut self, outcome: (S, Flow), share: &W) -> bool {
        const NEAR: usize = 12;
        const MOST: usize = 64;
        match self.gathered.iter_mut().rev().take(NEAR).find(|(other, _)| *other == outcome) {
            Some((_, held)) => held.add(share),
            None => self.gathered.push((outcome, share.clone())),
        }
        self.gathered.len() >= MOST
    }

    /// Puts away what was gathered from a state of this weight.
    fn put(&mut self, weight: &W, denominator: &W) {
        for ((state, flow), share) in self.gathered.drain(..) {
            let onto = if flow == Flow::Done { &mut self.ended } else { &mut self.next };
            onto.add(state, weight.times(&share), denominator);
        }
    }

    fn outcomes(&self, finished: &Mixture<S, W>) -> usize {
        self.next.outcomes().max(finished.outcomes() + self.ended.outcomes())
    }

    fn bytes(&self) -> usize {
        self.next.bytes() + self.ended.bytes()
    }
}
