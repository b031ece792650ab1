use crate::knowledge::Knowledge;
use crate::policy::Habit;
use flagplot_kernel::{
    Ask, Asked, Chance, Choice, Die, Form, Game, Note, Policy, Pool, Roll, Seat, Side, Sum, Tape, Unanswered,
};
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Display;

/// How many worlds are tried before a question is given up. An imagined world may refuse an answer that another seat
/// gave earlier in the step, where that seat's secrets would have to be different for it.
pub(crate) const TRIES: u32 = 64;

/// What is wanted of the question a seat is asked. One type for every wish: see [`Habit`].
enum Look<'a> {
    Answer(Habit<'a>, Option<Value>),
    /// Whether the rules would accept an answer.
    Check(&'a Value, bool),
    /// All that a searcher wants to know.
    Survey(Box<Survey>),
}

impl Look<'_> {
    /// Looks at the seat's own question; `others` are the questions sealed together with it.
    fn look<C: Choice>(&mut self, own: &C, others: &[&C], chance: &mut Chance) {
        match self {
            Look::Answer(habit, found) => *found = serde_json::to_value(habit.decide(own, chance)).ok(),
            Look::Check(value, legal) => {
                *legal = C::Value::deserialize(*value).is_ok_and(|value| own.check(&value).is_ok());
            }
            Look::Survey(survey) => survey.look(own, others, chance),
        }
    }
}

/// What the seat answers to its question by habit. None if it is not asked.
pub(crate) fn answered<G: Game>(knowledge: &Knowledge<'_, G>, habit: Habit<'_>, chance: &mut Chance) -> Option<Value> {
    let mut look = Look::Answer(habit, None);
    reach(knowledge, &mut look, chance);
    if let Look::Answer(_, found) = look { found } else { None }
}

/// Whether the rules would accept an answer to the seat's question, as far as one world tells.
pub(crate) fn legal<G: Game>(knowledge: &Knowledge<'_, G>, value: &Value, chance: &mut Chance) -> bool {
    let mut look = Look::Check(value, false);
    reach(knowledge, &mut look, chance) && matches!(look, Look::Check(_, true))
}

/// The seat's question as a searcher sees it; `exact` asks for the mix of the exact payoffs too. None if it is not
/// asked.
pub(crate) fn surveyed<G: Game>(
    knowledge: &Knowledge<'_, G>,
    sides: &[Side],
    exact: bool,
    chance: &mut Chance,
) -> Option<Survey> {
    let mut look = Look::Survey(Box::new(Survey { sides: sides.to_vec(), exact, ..Survey::default() }));
    let reached = reach(knowledge, &mut look, chance);
    if let Look::Survey(survey) = look { reached.then_some(*survey) } else { None }
}

/// Imagines worlds until the seat's question is reached in one, and lets `look` see it there. False if the seat is not
/// asked.
fn reach<G: Game>(knowledge: &Knowledge<'_, G>, look: &mut Look<'_>, chance: &mut Chance) -> bool {
    for _ in 0..TRIES {
        let mut world = knowledge.imagine(chance);
        let mut probe = Probe {
            tape: Tape::new(knowledge.answers().to_vec()).deaf(),
            seat: knowledge.seat(),
            look,
            chance,
            reached: false,
        };
        let _unanswered = world.step(knowledge.game(), &mut probe);
        if probe.reached {
            return true;
        }
        if probe.tape.refused().is_none() {
            return false;
        }
    }
    false
}

/// Replays the answers of a step and shows the question that comes next, if it is put to `seat`.
struct Probe<'a, 'l> {
    tape: Tape,
    seat: Seat,
    look: &'a mut Look<'l>,
    chance: &'a mut Chance,
    reached: bool,
}

impl Probe<'_, '_> {
    fn at_the_end(&self) -> bool {
        self.tape.used() == self.tape.answers().len()
    }

    fn show<C: Choice>(&mut self, choices: &[C]) {
        if let Some(at) = choices.iter().position(|choice| choice.seat() == self.seat).filter(|_| !self.reached) {
            let others: Vec<&C> =
                choices.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, choice)| choice).collect();
            self.look.look(&choices[at], &others, self.chance);
            self.reached = true;
        }
    }
}

impl Ask for Probe<'_, '_> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        self.tape.roll(die, what)
    }

    fn roll_as<R: Eq>(&mut self, die: Die, what: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        self.tape.roll_as(die, what, read)
    }

    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        what: impl Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        self.tape.pool(n, die, what, class)
    }

    fn sum(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Sum> {
        self.tape.sum(n, die, what)
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        if self.at_the_end() {
            self.show(std::slice::from_ref(choice));
            return Err(Unanswered);
        }
        self.tape.decide(choice)
    }

    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        if self.at_the_end() {
            self.show(choices);
            return Err(Unanswered);
        }
        self.tape.in_secret(choices)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}

/// Answers worth trying, with their words; the instinctive one comes first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub values: Vec<(Value, String)>,
    /// Whether these are all there are.
    pub closed: bool,
    /// How a screen would ask, which is also how an answer can be changed a little.
    pub form: Option<Form>,
    /// How often each answer is to be played, where the rules give the exact payoffs: values and weights.
    pub mix: Option<Vec<(Value, u64)>>,
}

impl Options {
    fn of<C: Choice>(choice: &C, chance: &mut Chance) -> Self {
        let candidates = choice
            .candidates()
            .into_iter()
            .filter_map(|candidate| Some((serde_json::to_value(candidate.value).ok()?, candidate.label)));
        let mut values: Vec<(Value, String)> = Vec::new();
        for (value, label) in candidates {
            if !values.iter().any(|(known, _)| *known == value) {
                values.push((value, label));
            }
        }
        if let Ok(instinct) = serde_json::to_value(choice.instinct(chance)) {
            match values.iter().position(|(value, _)| *value == instinct) {
                Some(at) => values[..=at].rotate_right(1),
                None => values.insert(0, (instinct, "The standard play".into())),
            }
        }
        let form = choice.form();
        Self { values, closed: form == Form::Pick || choice.listed(), form: Some(form), mix: None }
    }
}

/// Looks at a question as a searcher does.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub own: Options,
    /// The opponent who chooses at the same moment, with its answers.
    pub rival: Option<(Seat, Options)>,
    sides: Vec<Side>,
    /// Whether the mix of the exact payoffs is wanted.
    exact: bool,
}

impl Survey {
    fn look<C: Choice>(&mut self, own: &C, others: &[&C], chance: &mut Chance) {
        self.own = Options::of(own, chance);
        self.own.mix = Some(own).filter(|_| self.exact).and_then(|own| own.mix()).and_then(|mix| {
            mix.into_iter().map(|(value, weight)| Some((serde_json::to_value(value).ok()?, weight))).collect()
        });
        let side = |seat: Seat| self.sides.get(usize::from(seat.0)).copied().unwrap_or(seat.side());
        let rival = others.iter().find(|other| side(other.seat()) != side(own.seat()));
        self.rival = rival.map(|rival| (rival.seat(), Options::of(*rival, chance)));
    }
}
