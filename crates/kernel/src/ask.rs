use crate::{Chance, Die, Faces, Form, Note, Prompt, Refusal, Seat};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Display;

/// What a rule gets when it asks: the answer, or [`Unanswered`], on which it returns with `?`.
pub type Asked<T> = Result<T, Unanswered>;

/// Nobody has answered yet (or the answer was refused). The question is with the answerer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unanswered;

/// A die with what the rule reads from it. Faces with the same reading are one branch for the odds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Roll<R> {
    /// What the rule makes of the face.
    pub read: R,
    /// The face, if the answerer keeps faces.
    pub face: Option<u8>,
}

/// A handful of dice sorted into `K` classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool<const K: usize> {
    /// How many dice fell into each class.
    pub counts: [u32; K],
    /// The faces, if the answerer keeps them.
    pub faces: Faces,
}

/// The total of some dice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    /// All faces added up.
    pub total: u32,
    /// The faces, if the answerer keeps them.
    pub faces: Faces,
}

/// What a rule wants to know about a class of a [`Volley`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tally {
    /// Nothing: the count is reported as 0.
    Ignore,
    /// Whether there is any: the count is reported as 0 or 1.
    Any,
    /// How many.
    Count,
}

impl Tally {
    /// The count as the rule may see it.
    #[must_use]
    pub fn of(self, count: u32) -> u32 {
        match self {
            Tally::Ignore => 0,
            Tally::Any => count.min(1),
            Tally::Count => count,
        }
    }
}

/// A pool of dice in which every die of one class is rolled again for points.
#[derive(Clone, Copy, Debug)]
pub struct Volley<const K: usize, F> {
    /// How many dice.
    pub dice: u32,
    /// Which dice.
    pub die: Die,
    /// The class of a face, below `K`.
    pub class: F,
    /// What the rule wants to know of each class.
    pub tally: [Tally; K],
    /// The class whose dice score.
    pub scored: usize,
    /// The die rolled for the points of each.
    pub points: Die,
}

/// The result of a [`Volley`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Volleyed<const K: usize> {
    /// The classes, as far as the rule asked for them.
    pub counts: [u32; K],
    /// The sum of all dice rolled for points.
    pub points: u32,
    /// The faces of the pool, if the answerer keeps them.
    pub faces: Faces,
    /// The faces of the dice rolled for points, if the answerer keeps them.
    pub point_faces: Faces,
}

/// Answers the rules: a tape, a sampler, an enumerator.
///
/// `what` says what a die is for; it is formatted only if the answerer listens. Dice that are asked for together are
/// rolled one by one, and choices made in secret made one after the other, unless the answerer has something better to
/// do with them.
pub trait Ask {
    /// One die.
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8>;

    /// One die of which the rule cares only for a reading: `ask.roll_as(D20, "to hit", |face| face + drm >= 12)`
    /// is two branches, not twenty.
    fn roll_as<R: Eq>(&mut self, die: Die, what: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        let face = self.roll(die, what)?;
        Ok(Roll { read: read(face), face: Some(face) })
    }

    /// `n` dice sorted into classes. `class` must answer below `K` for every face.
    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        what: impl Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        let faces = (0..n).map(|_| self.roll(die, &what)).collect::<Asked<Vec<u8>>>()?;
        let mut counts = [0; K];
        for &face in &faces {
            counts[class(face)] += 1;
        }
        Ok(Pool { counts, faces: Faces(faces) })
    }

    /// The total of `n` dice.
    fn sum(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Sum> {
        let faces = (0..n).map(|_| self.roll(die, &what)).collect::<Asked<Vec<u8>>>()?;
        Ok(Sum { total: faces.iter().map(|&face| u32::from(face)).sum(), faces: Faces(faces) })
    }

    /// A pool whose dice of one class are rolled again for points: the pool first, then the points.
    fn volley<const K: usize, F: Fn(u8) -> usize>(
        &mut self,
        volley: Volley<K, F>,
        what: impl Display,
    ) -> Asked<Volleyed<K>> {
        let pool = self.pool::<K>(volley.dice, volley.die, &what, &volley.class)?;
        let sum = self.sum(pool.counts[volley.scored], volley.points, format_args!("{what}: points"))?;
        let mut counts = pool.counts;
        for (count, tally) in counts.iter_mut().zip(volley.tally) {
            *count = tally.of(*count);
        }
        Ok(Volleyed { counts, points: sum.total, faces: pool.faces, point_faces: sum.faces })
    }

    /// A player's choice. What comes back has passed [`Choice::check`].
    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value>;

    /// Several seats choose at once, sealed until all are in. One value for each choice, in order.
    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        choices.iter().map(|choice| self.decide(choice)).collect()
    }

    /// What has been answered so far makes the facts impossible: the rule says why and returns with what this gives.
    /// An answerer that can never be given such facts need not listen.
    fn refuse(&mut self, _: Refusal) -> Unanswered {
        Unanswered
    }

    /// Whether notes and faces are kept.
    fn listening(&self) -> bool;

    /// Takes a note. Call [`Ask::note`] instead, which costs nothing if notes are not kept.
    fn record(&mut self, note: Note);

    /// Notes something for the trace.
    #[inline]
    fn note(&mut self, note: impl FnOnce() -> Note) {
        if self.listening() {
            let note = note();
            self.record(note);
        }
    }
}

/// A value offered for a choice, with words for people.
#[derive(Clone, Debug)]
pub struct Candidate<T> {
    /// What is chosen.
    pub value: T,
    /// What it is, in words.
    pub label: String,
    /// The pieces and places a click on which means this option, by their ids in the scene.
    pub pieces: Vec<String>,
    /// What stands beside the lit place: what it costs to go there.
    pub tag: String,
}

impl<T> Candidate<T> {
    /// A candidate with its words.
    pub fn new(value: T, label: impl Into<String>) -> Self {
        Self { value, label: label.into(), pieces: Vec::new(), tag: String::new() }
    }

    /// Names the pieces and places that stand for it.
    #[must_use]
    pub fn at<S: ToString>(mut self, pieces: impl IntoIterator<Item = S>) -> Self {
        self.pieces.extend(pieces.into_iter().map(|piece| piece.to_string()));
        self
    }

    /// Says what stands beside the lit place.
    #[must_use]
    pub fn tagged(mut self, tag: impl Into<String>) -> Self {
        self.tag = tag.into();
        self
    }
}

/// The rule of an open question: who decides, and which values are legal. Any value that passes
/// [`check`](Decision::check) is an answer.
///
/// A decision borrows the state of the world it is asked in. In a live game that is the truth, so neither
/// [`check`](Decision::check) nor anything of [`Screen`] may depend on what the asked seat cannot see; what a
/// [`Choice`] adds is only ever called in imagined worlds and playouts.
pub trait Decision {
    /// What is chosen; on the tape and on the wire it is its JSON form.
    type Value: Clone + Serialize + DeserializeOwned;

    /// Who is asked.
    fn seat(&self) -> Seat;

    /// Whether a value is legal, and if not, why.
    fn check(&self, value: &Self::Value) -> Result<(), Refusal>;
}

/// How a decision is put to a person.
pub trait Screen: Decision {
    /// What is asked, in words. Built only for a screen.
    fn prompt(&self) -> Prompt;

    /// Legal values worth showing: all of them for a closed list, good and typical ones for an open choice. Never
    /// empty.
    fn candidates(&self) -> Vec<Candidate<Self::Value>>;

    /// How a screen may ask for it.
    fn form(&self) -> Form {
        Form::Pick
    }
}

/// A decision with all that is needed to ask it: the rule, the screen, and how a computer thinks about it.
pub trait Choice: Screen {
    /// Whether a computer need look no further than the candidates although the form lets a person say more.
    fn listed(&self) -> bool {
        false
    }

    /// A random legal value, for playouts.
    fn sample(&self, chance: &mut Chance) -> Self::Value {
        let candidates = self.candidates();
        let index = chance.below(candidates.len() as u32) as usize;
        candidates.into_iter().nth(index).expect("a choice always has a candidate").value
    }

    /// For a choice made in secret at the same moment as another: how often each answer is to be played so that the
    /// opponent cannot gain by guessing, as whole weights, where the rules give the exact payoff of every pair of
    /// answers. It may not depend on what the asked seat cannot see.
    fn mix(&self) -> Option<Vec<(Self::Value, u64)>> {
        None
    }

    /// What a sensible player answers without thinking ahead. Must be legal.
    fn instinct(&self, chance: &mut Chance) -> Self::Value {
        self.sample(chance)
    }
}
