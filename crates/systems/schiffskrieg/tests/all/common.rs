//! What the tests of games share.

use flagplot_kernel::{
    Answer, Ask, Asked, Chance, Choice, DiceFrom, Die, Game, Note, Policy, Pool, Progress, Question, Refusal, Roll,
    Sampler, SeatQuestion, Sum, Tape, advance,
};
use flagplot_schiffskrieg::game::{Schiffskrieg, State};
use flagplot_schiffskrieg::{System, files};
use serde_json::{Value, json};
use std::fmt::Display;

pub fn system() -> System {
    System::new(&files()).expect("the built-in data is right")
}

/// A unit of a request whose damaged side has half its factors.
pub fn unit(id: &str, kind: &str, factors: [u8; 5]) -> Value {
    let [gunnery, torpedo, airstrike, defense, damage] = factors;
    json!({"id": id, "kind": kind, "gunnery": gunnery, "torpedo": torpedo, "airstrike": airstrike, "defense": defense,
        "damage": damage, "damaged_side":
        {"gunnery": gunnery / 2, "torpedo": torpedo / 2, "airstrike": airstrike / 2, "defense": damage}})
}

pub fn attack(attacker: &str, factor: &str, target: &str) -> Value {
    json!({"attacker": attacker, "factor": factor, "target": target})
}

pub fn game(id: &str) -> Schiffskrieg {
    system().game(id, &Value::Null).expect("it is built in")
}

/// Everything that can be played, with some custom battles.
pub fn playable() -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = system().scenarios().into_iter().map(|info| (info.id, Value::Null)).collect();
    assert_eq!(all.len(), 16 + 2 + 1);
    let small = json!({"first": {"nations": ["france", "soviet-union"], "nearest_air_base": 3},
        "second": {"nations": ["germany"]}, "phasing": "second",
        "all_sea": false, "budget": 20, "fixed_actions": ["night", "choice"]});
    all.push(("custom".into(), small));
    all.push(("custom".into(), json!({"budget": 150})));
    all
}

/// The last position of a game played by a policy; every game ends within its limit.
pub fn play(
    game: &Schiffskrieg,
    policy: impl Policy,
    chance: &mut Chance,
    mut each: impl FnMut(&State, &State),
) -> State {
    let mut state = game.setup();
    let mut sampler = Sampler::new(chance, policy);
    for _ in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return state;
        }
        let before = state.clone();
        game.step(&mut state, &mut sampler).expect("a sampler always answers");
        each(&before, &state);
    }
    panic!("the game did not end within {} steps: {state:?}", game.step_limit());
}

/// An answer to one seat's question, of the kind the question wants.
pub fn answer_to(question: &Question, asked: &SeatQuestion, value: Value) -> Answer {
    match question {
        Question::Secret { .. } => Answer::Sealed([(asked.seat, value)].into()),
        _ => Answer::Choice(value),
    }
}

/// What a game shows while it is played.
pub trait Watch {
    fn question(&mut self, _: &State, _: &[Answer], _: &Question) {}
    fn notes(&mut self, _: &[Note]) {}
}

impl<F: FnMut(&State, &[Answer], &Question)> Watch for F {
    fn question(&mut self, state: &State, answers: &[Answer], question: &Question) {
        self(state, answers, question);
    }
}

/// Plays a game answer by answer as a desk does, picking among what is offered. All positions in order.
pub fn by_offers(game: &Schiffskrieg, seed: u64, watch: &mut impl Watch) -> Vec<State> {
    let mut chance = Chance::seeded(seed);
    let mut states = vec![game.setup()];
    while game.outcome(states.last().unwrap()).is_none() {
        let state = states.last().unwrap().clone();
        let mut answers: Vec<Answer> = Vec::new();
        loop {
            let mut tape = Tape::with_dice(answers.clone(), DiceFrom::Chance(Box::new(chance.fork())));
            let question = match advance(game, &state, &mut tape).unwrap_or_else(|refusal| panic!("{refusal}")) {
                Progress::Stepped(next) => {
                    watch.notes(tape.notes());
                    states.push(next);
                    break;
                }
                Progress::Asks(question) => question,
            };
            answers = tape.answers().to_vec();
            watch.question(&state, &answers, &question);
            let pick = |asked: &SeatQuestion, chance: &mut Chance| chance.pick(&asked.options).unwrap().value.clone();
            answers.push(match &question {
                Question::Secret { open, .. } => {
                    Answer::Sealed(open.iter().map(|asked| (asked.seat, pick(asked, &mut chance))).collect())
                }
                Question::Choice(asked) => Answer::Choice(pick(asked, &mut chance)),
                Question::Dice { .. } => unreachable!("the tape has dice"),
            });
        }
    }
    states
}

/// A sampler that also listens: every note and every rule that asks goes to a watcher.
pub struct Loud<'a, P> {
    pub sampler: Sampler<'a, P>,
    pub notes: Vec<Note>,
    pub asked: Vec<&'static str>,
}

impl<P: Policy> Ask for Loud<'_, P> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        self.sampler.roll(die, what)
    }
    fn roll_as<R: Eq>(&mut self, die: Die, what: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        self.sampler.roll_as(die, what, read)
    }
    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        what: impl Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        self.sampler.pool(n, die, what, class)
    }
    fn sum(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Sum> {
        self.sampler.sum(n, die, what)
    }
    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        self.asked.extend(choice.prompt().rule.map(|rule| rule.id));
        let value = self.sampler.decide(choice)?;
        // What players made of code answer is legal, and so is its JSON form.
        choice.check(&value).unwrap_or_else(|refusal| panic!("{}: {refusal}", choice.prompt().code));
        let again: C::Value = serde_json::from_value(serde_json::to_value(&value).unwrap()).unwrap();
        choice.check(&again).unwrap_or_else(|refusal| panic!("{}: {refusal}", choice.prompt().code));
        Ok(value)
    }
    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        choices.iter().map(|choice| self.decide(choice)).collect()
    }
    fn listening(&self) -> bool {
        true
    }
    fn record(&mut self, note: Note) {
        self.notes.push(note);
    }
}

/// Plays a game by a policy, listening; every answer is checked.
pub fn aloud(game: &Schiffskrieg, policy: impl Policy, chance: &mut Chance) -> (State, Vec<Note>, Vec<&'static str>) {
    let mut state = game.setup();
    let mut loud = Loud { sampler: Sampler::new(chance, policy), notes: Vec::new(), asked: Vec::new() };
    while game.outcome(&state).is_none() {
        game.step(&mut state, &mut loud).expect("it always answers");
    }
    (state, loud.notes, loud.asked)
}

/// One step with these answers and faces.
pub fn step(game: &Schiffskrieg, state: &State, answers: Vec<Answer>, faces: &[u8]) -> Result<State, Refusal> {
    let mut tape = Tape::with_dice(answers, DiceFrom::Script(faces.to_vec()));
    match advance(game, state, &mut tape)? {
        Progress::Stepped(next) => {
            assert_eq!(tape.script_left(), 0, "faces are left over");
            Ok(next)
        }
        Progress::Asks(question) => panic!("an answer is missing: {question:?}"),
    }
}

/// The question at a position, if it has one before any die.
pub fn asks(game: &Schiffskrieg, state: &State) -> Option<Question> {
    match advance(game, state, &mut Tape::new(Vec::new())) {
        Ok(Progress::Asks(question)) => Some(question),
        _ => None,
    }
}

/// Taranto before the sortie, with everything Italian sunk in the raid.
pub fn nobody_left() -> (Schiffskrieg, State) {
    let game = game("taranto-1940");
    let State::Scenario(mut state) = game.setup() else { panic!("a scenario") };
    for unit in &mut state.units.second {
        unit.place = flagplot_schiffskrieg::battle::Place::Removed;
    }
    state.stage = 1;
    (game, State::Scenario(state))
}
