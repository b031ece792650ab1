use crate::{Ask, Asked, Choice, Die, Note, Unanswered};
use std::fmt::Display;

/// Answers nothing and takes no notes, for rules that only look something up.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Ask for Silent {
    fn roll(&mut self, _: Die, _: impl Display) -> Asked<u8> {
        Err(Unanswered)
    }

    fn decide<C: Choice>(&mut self, _: &C) -> Asked<C::Value> {
        Err(Unanswered)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}
