//! Tables laid out by hand, and playing on them.

use flagplot_carrier_strike::game::{Action, Carrier, Deck, Form, Phase, Squadron, SquadronId, State, Where};
use flagplot_carrier_strike::{CarrierGame, System, files};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Answer, Faces, Game, Note, Progress, Question, Seat, Side, Tape, Viewer, advance};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub fn game(scenario: &str) -> CarrierGame {
    System::new(&files()).unwrap().game(scenario, &Value::Null).unwrap()
}

/// A table after set-up, Blue to act: cards at x 4000 and 8000 on both edges, the western one real.
pub fn table(game: &CarrierGame) -> State {
    let mut state = game.setup();
    for (side, y) in [(Side::First, 0), (Side::Second, 16_000)] {
        let hidden = Carrier {
            form: Form::Hidden,
            cards: [Some(Point::new(4000, y)), Some(Point::new(8000, y))],
            real: Some(0),
            ..state.carriers[side]
        };
        state.carriers[side] = hidden;
    }
    for squadron in &mut state.squadrons {
        squadron.deck = Deck::Strike;
    }
    state.phase = Phase::Choose;
    state.phasing = Side::First;
    state
}

pub fn id(name: &str) -> SquadronId {
    SquadronId::named(name).unwrap()
}

/// Puts a squadron into the air. The role is a word of the game, or "dummy".
pub fn fly<'a>(state: &'a mut State, name: &str, role: &str, at: (i64, i64)) -> &'a mut Squadron {
    let dummy = role == "dummy";
    let squadron = &mut state[id(name)];
    squadron.place = Where::Deployed;
    squadron.pos = Point::new(at.0, at.1);
    squadron.rl = 5;
    squadron.tied_to = 3;
    squadron.dummy = Some(dummy);
    squadron.role = if dummy { None } else { serde_json::from_value(json!(role)).unwrap() };
    squadron.ordnance = Some(role == "strike");
    squadron
}

/// The real card of a side lies open.
pub fn reveal(state: &mut State, side: Side, at: (i64, i64), detected: bool) {
    let carrier = &mut state.carriers[side];
    carrier.form = Form::Revealed;
    carrier.cards = [Some(Point::new(at.0, at.1)), None];
    carrier.real = Some(0);
    carrier.may_be_real = 1;
    carrier.detected = detected;
}

/// Every rule seen so far in notes, questions and refusals.
#[derive(Default)]
pub struct Met(pub BTreeSet<String>);

impl Met {
    pub fn notes(&mut self, notes: &[Note]) {
        for note in notes {
            self.0.extend(note.rules.iter().map(|rule| rule.id.to_owned()));
            self.0.extend(note.modifiers.iter().filter_map(|modifier| modifier.rule).map(|rule| rule.id.to_owned()));
        }
    }

    pub fn question(&mut self, question: &Question) {
        self.0.extend(question.open().iter().filter_map(|asked| asked.prompt.rule).map(|rule| rule.id.to_owned()));
    }
}

/// Gives answers one after the other, dice too, and returns the question that is open then.
pub fn play(game: &CarrierGame, state: &mut State, answers: Vec<Answer>, met: &mut Met) -> Option<Question> {
    let mut queue = answers.into_iter();
    let mut given: Vec<Answer> = Vec::new();
    loop {
        if game.outcome(state).is_some() {
            return None;
        }
        let mut tape = Tape::new(given.clone());
        let progress = advance(game, state, &mut tape).unwrap_or_else(|refusal| panic!("refused: {refusal:?}"));
        met.notes(tape.notes());
        match progress {
            Progress::Stepped(next) => {
                *state = next;
                given.clear();
            }
            Progress::Asks(question) => {
                met.question(&question);
                match queue.next() {
                    Some(answer) => given.push(answer),
                    None => return Some(question),
                }
            }
        }
    }
}

/// The insights into an open question, all of whose chances must be fractions.
pub fn explained(game: &CarrierGame, state: &State, question: &Option<Question>, value: Option<Value>) -> String {
    let asked = &question.as_ref().expect("something is asked").open()[0];
    let view = game.view(state, Viewer::Seat(asked.seat));
    let insights = game.explain(&view, &[], asked, value.as_ref());
    for chance in insights.iter().flat_map(|insight| &insight.chances) {
        assert!(chance.chance.contains('/'), "{chance:?}");
    }
    json!(insights).to_string()
}

pub fn choice(value: Value) -> Answer {
    Answer::Choice(value)
}

pub fn sealed(blue: Value, red: Value) -> Answer {
    Answer::Sealed([(Seat(0), blue), (Seat(1), red)].into())
}

pub fn dice(faces: &[u8]) -> Vec<Answer> {
    faces.iter().map(|face| Answer::Dice(Faces(vec![*face]))).collect()
}

pub fn stances(blue: &str, red: &str) -> Answer {
    sealed(json!({"stance": blue}), json!({"stance": red}))
}

pub fn code_of(question: &Option<Question>) -> &'static str {
    question.as_ref().and_then(|question| question.open().first()).map_or("", |asked| asked.prompt.code)
}

/// The code with which Blue's action is refused, or `ok`.
pub fn refusal(game: &CarrierGame, state: &State, action: Value, met: &mut Met) -> &'static str {
    let action: Action = serde_json::from_value(action).expect("an action");
    match game.legal(state, Side::First, &action).map_err(flagplot_kernel::Refusal::from) {
        Ok(()) => "ok",
        Err(refusal) => {
            met.0.extend(refusal.rule.map(|rule| rule.id.to_owned()));
            refusal.code
        }
    }
}

/// The code of the refusal of an answer to the open question.
pub fn answer_refused(game: &CarrierGame, state: &State, answers: Vec<Answer>) -> &'static str {
    match advance(game, state, &mut Tape::new(answers)) {
        Ok(_) => "ok",
        Err(refusal) => refusal.code,
    }
}

/// Why something is not there, all of it.
pub fn missing(question: &Option<Question>) -> String {
    question.as_ref().map_or_else(String::new, |question| {
        question.open().iter().flat_map(|asked| asked.prompt.missing.clone()).collect::<Vec<_>>().join("\n")
    })
}
