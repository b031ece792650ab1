use crate::{Ask, Asked, Chance, Choice, Die, Faces, Note, Pool, Roll, Sum, Volley, Volleyed};
use std::fmt::Display;

/// How a playout makes its choices.
pub trait Policy {
    /// A legal value for the choice.
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value;
}

/// Any legal value.
#[derive(Clone, Copy, Debug)]
pub struct AtRandom;

impl Policy for AtRandom {
    #[inline]
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        choice.sample(chance)
    }
}

/// What a sensible player answers without thinking ahead.
#[derive(Clone, Copy, Debug)]
pub struct ByInstinct;

impl Policy for ByInstinct {
    #[inline]
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        choice.instinct(chance)
    }
}

/// Answers everything at once from a generator and a policy; never suspends, never listens.
#[derive(Debug)]
pub struct Sampler<'a, P> {
    /// The dice.
    pub chance: &'a mut Chance,
    /// The players.
    pub policy: P,
    /// How many dice have been rolled and choices made.
    pub answered: u64,
}

impl<'a, P: Policy> Sampler<'a, P> {
    /// A sampler with these dice and players.
    pub fn new(chance: &'a mut Chance, policy: P) -> Self {
        Self { chance, policy, answered: 0 }
    }
}

impl<P: Policy> Ask for Sampler<'_, P> {
    #[inline]
    fn roll(&mut self, die: Die, _: impl Display) -> Asked<u8> {
        self.answered += 1;
        Ok(self.chance.face(die))
    }

    #[inline]
    fn roll_as<R: Eq>(&mut self, die: Die, _: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        self.answered += 1;
        Ok(Roll { read: read(self.chance.face(die)), face: None })
    }

    #[inline]
    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        _: impl Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        self.answered += u64::from(n);
        let mut counts = [0; K];
        self.chance.each_face(n, die, |face| counts[class(face)] += 1);
        Ok(Pool { counts, faces: Faces::default() })
    }

    #[inline]
    fn sum(&mut self, n: u32, die: Die, _: impl Display) -> Asked<Sum> {
        self.answered += u64::from(n);
        let mut total = 0;
        self.chance.each_face(n, die, |face| total += u32::from(face));
        Ok(Sum { total, faces: Faces::default() })
    }

    #[inline]
    fn volley<const K: usize, F: Fn(u8) -> usize>(
        &mut self,
        volley: Volley<K, F>,
        _: impl Display,
    ) -> Asked<Volleyed<K>> {
        let mut counts = [0; K];
        self.chance.each_face(volley.dice, volley.die, |face| counts[(volley.class)(face)] += 1);
        let scored = counts[volley.scored];
        let mut points = 0;
        self.chance.each_face(scored, volley.points, |face| points += u32::from(face));
        self.answered += u64::from(volley.dice + scored);
        for (count, tally) in counts.iter_mut().zip(volley.tally) {
            *count = tally.of(*count);
        }
        Ok(Volleyed { counts, points, faces: Faces::default(), point_faces: Faces::default() })
    }

    #[inline]
    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        self.answered += 1;
        Ok(self.policy.decide(choice, self.chance))
    }

    #[inline]
    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}
