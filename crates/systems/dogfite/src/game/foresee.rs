//! Looking ahead from the middle of a step: answers already given are used first, then the value looked at, then
//! instinct; the dice are left to the enumerator.

use flagplot_kernel::{Answer, Ask, Asked, Chance, Choice, Die, Faces, Note, Sum, Unanswered};
use serde_json::Value;
use std::fmt::Display;

/// An answerer that takes its dice from another one. The rules of this game roll dice one by one or add them up.
pub(super) struct Foreseen<'a, A> {
    dice: &'a mut A,
    given: &'a [Answer],
    value: Option<&'a Value>,
}

impl<'a, A: Ask> Foreseen<'a, A> {
    pub fn new(dice: &'a mut A, given: &'a [Answer], value: Option<&'a Value>) -> Self {
        Self { dice, given, value }
    }

    fn faces(&mut self) -> Option<Vec<u8>> {
        let (Answer::Dice(Faces(faces)), rest) = self.given.split_first()? else { return None };
        self.given = rest;
        Some(faces.clone())
    }
}

impl<A: Ask> Ask for Foreseen<'_, A> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        match self.faces() {
            Some(faces) => faces.first().copied().ok_or(Unanswered),
            None => self.dice.roll(die, what),
        }
    }

    fn sum(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Sum> {
        match self.faces() {
            Some(faces) => Ok(Sum { total: faces.iter().map(|&face| u32::from(face)).sum(), faces: Faces(faces) }),
            None => self.dice.sum(n, die, what),
        }
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        let given = match self.given.split_first() {
            Some((Answer::Choice(value), rest)) => {
                self.given = rest;
                Some(value)
            }
            _ => self.value.take(),
        };
        let Some(value) = given else { return Ok(choice.instinct(&mut Chance::seeded(0))) };
        let value: C::Value = serde_json::from_value(value.clone()).map_err(|_| Unanswered)?;
        choice.check(&value).map_err(|_| Unanswered)?;
        Ok(value)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}
