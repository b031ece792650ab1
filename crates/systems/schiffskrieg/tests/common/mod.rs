//! What the tests of games share.
#![allow(dead_code, reason = "each test uses a part of it")]

use flagplot_kernel::{Answer, Chance, DiceFrom, Game, Note, Policy, Progress, Question, Refusal, Sampler, SeatQuestion, Tape, advance};
use flagplot_schiffskrieg::game::{Schiffskrieg, State};
use flagplot_schiffskrieg::{System, files};
use serde_json::{Value, json};

pub fn system() -> System {
    System::new(&files()).expect("the built-in data is right")
}

pub fn game(id: &str) -> Schiffskrieg {
    system().game(id, &Value::Null).expect("it is built in")
}

/// Everything that can be played, with some custom battles.
pub fn playable() -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = system().scenarios().into_iter().map(|info| (info.id, Value::Null)).collect();
    assert_eq!(all.len(), 16 + 2 + 1);
    let small = json!({"first": {"nations": ["france", "soviet-union"], "nearest_air_base": 3}, "second": {"nations": ["germany"]}, "phasing": "second",
        "all_sea": false, "budget": 20, "fixed_actions": ["night", "choice"]});
    all.push(("custom".into(), small));
    all.push(("custom".into(), json!({"budget": 150})));
    all
}

/// The last position of a game played by a policy; every game ends within its limit.
pub fn play(game: &Schiffskrieg, policy: impl Policy, chance: &mut Chance, mut each: impl FnMut(&State, &State)) -> State {
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
                Question::Secret { open, .. } => Answer::Sealed(open.iter().map(|asked| (asked.seat, pick(asked, &mut chance))).collect()),
                Question::Choice(asked) => Answer::Choice(pick(asked, &mut chance)),
                Question::Dice { .. } => unreachable!("the tape has dice"),
            });
        }
    }
    states
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
