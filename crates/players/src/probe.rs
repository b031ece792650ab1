use flagplot_kernel::{Answer, Ask, Asked, Chance, Choice, Die, Note, Policy, Pool, Roll, Seat, Sum, Tape, Unanswered};
use serde_json::Value;
use std::fmt::Display;

/// Replays the answers of a step and lets a policy answer the question that comes next, if it is put to `seat`.
pub(crate) struct Probe<'a, P> {
    tape: Tape,
    seat: Seat,
    policy: P,
    chance: &'a mut Chance,
    /// The policy's answer, once it has been asked.
    pub found: Option<Value>,
}

impl<'a, P: Policy> Probe<'a, P> {
    pub fn new(answers: Vec<Answer>, seat: Seat, policy: P, chance: &'a mut Chance) -> Self {
        Self { tape: Tape::new(answers).deaf(), seat, policy, chance, found: None }
    }

    fn at_the_end(&self) -> bool {
        self.tape.used() == self.tape.answers().len()
    }

    fn answer<C: Choice>(&mut self, choice: &C) {
        if self.found.is_none() && choice.seat() == self.seat {
            let value = self.policy.decide(choice, self.chance);
            self.found = serde_json::to_value(value).ok();
        }
    }
}

impl<P: Policy> Ask for Probe<'_, P> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        self.tape.roll(die, what)
    }

    fn roll_as<R: Eq>(&mut self, die: Die, what: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        self.tape.roll_as(die, what, read)
    }

    fn pool<const K: usize>(&mut self, n: u32, die: Die, what: impl Display, class: impl Fn(u8) -> usize) -> Asked<Pool<K>> {
        self.tape.pool(n, die, what, class)
    }

    fn sum(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Sum> {
        self.tape.sum(n, die, what)
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        if self.at_the_end() {
            self.answer(choice);
            return Err(Unanswered);
        }
        self.tape.decide(choice)
    }

    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        if self.at_the_end() {
            choices.iter().for_each(|choice| self.answer(choice));
            return Err(Unanswered);
        }
        self.tape.in_secret(choices)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}
