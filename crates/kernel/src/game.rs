use crate::{
    Answer, Ask, Asked, BySide, Chance, Insight, Question, Refusal, Scene, Seat, SeatQuestion, Side, Tape, Viewer,
};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::hash::Hash;

/// Whether a process has a next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// There is more to do.
    Continue,
    /// It is finished; `step` must not be called again.
    Done,
}

/// Something that happens step by step. Equal states between two steps are the same state,
/// which is where the odds merge branches.
pub trait Process {
    /// What there is between two steps.
    type State: Clone + Eq + Hash;

    /// One step.
    fn step(&self, state: &mut Self::State, ask: &mut impl Ask) -> Asked<Flow>;
}

/// A chair at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeatInfo {
    /// A stable name: the faction's id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Which side it plays on.
    pub side: Side,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Outcome {
    /// The side that has won, if one has.
    pub winner: Option<Side>,
    /// How well: `draw`, `victory`, `decisive`, as the system says.
    pub level: String,
    /// The final points of the first and the second side.
    pub points: [i64; 2],
    /// All of it in a sentence.
    pub summary: String,
    /// Everything else the system wants to say, for programs.
    pub details: Value,
}

/// The value of a position for one side: a whole number of thousandths of the system's own points, larger is better.
pub type Standing = i64;

/// What the dice of some steps gave a side, beside what they give on average: thousandths of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Luck {
    /// What the dice give on average.
    pub expected: i64,
    /// What they gave.
    pub real: i64,
}

impl std::ops::AddAssign for Luck {
    fn add_assign(&mut self, more: Luck) {
        self.expected += more.expected;
        self.real += more.real;
    }
}

/// A game of one system: the rules, tables and scenario that stay the same while it is played.
///
/// The state is what changes. It holds no generator and no seed. [`view`](Game::view) is the only way
/// from the state to a player, and [`imagine`](Game::imagine) the only way back.
pub trait Game: Send + Sync + 'static {
    /// Everything that changes.
    type State: Clone + Eq + Hash + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// Everything one viewer knows, including what it remembers and can infer.
    type View: Clone + Eq + Serialize + Send + Sync + 'static;

    /// The chairs, in order.
    fn seats(&self) -> Vec<SeatInfo>;

    /// How each side wins, in a sentence that begins with "You win if". It stands on every screen of the game.
    fn aims(&self) -> BySide<String>;

    /// The state before the first step.
    fn setup(&self) -> Self::State;

    /// One step. Never called when [`outcome`](Game::outcome) is there.
    ///
    /// Within a step every answer already given is known to every seat; a secret that must outlive
    /// its question is put into the state and ends the step.
    fn step(&self, state: &mut Self::State, ask: &mut impl Ask) -> Asked<()>;

    /// How the game ended, once it has.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// The same without the summary and the details, which nobody reads of a game that is only played out: making them
    /// would take longer than several rounds of it.
    fn result(&self, state: &Self::State) -> Option<Outcome> {
        self.outcome(state)
    }

    /// What a viewer knows.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;

    /// What a viewer sees.
    fn scene(&self, view: &Self::View) -> Scene;

    /// Whether nothing in a state is hidden from anyone, so that every viewer has the same view and scene and they need
    /// be made only once.
    fn open(&self) -> bool {
        false
    }

    /// Whether this is a referee's table, at which people push pieces of their own: every seat may answer the question
    /// put to the referee, the answer then names the seat in its field `by`, and the referee may take back anything,
    /// dice included.
    fn table(&self) -> bool {
        false
    }

    /// What is to be said of a deed at a referee's table before it is done: facts still to be told, odds.
    fn consider(&self, state: &Self::State, value: &Value) -> Option<Value> {
        let _ = (state, value);
        None
    }

    /// Whether a step taken by `by` showed a viewer something of pieces that are not the viewer's own, beyond the plain
    /// act that everybody watches. `before` and `after` are what this viewer knew at the two checkpoints of the step.
    /// Such a step cannot be taken back. A system that does not say more precisely what counts gives the safe answer:
    /// every change does. Open games are not asked.
    fn learned(&self, before: &Self::View, after: &Self::View, by: Seat) -> bool {
        let _ = by;
        before != after
    }

    /// A random world that the viewer cannot tell from the true one: same view, questions, options, log and refusals.
    fn imagine(&self, view: &Self::View, chance: &mut Chance) -> Self::State;

    /// How good the position is for a side, as far as the view tells.
    fn evaluate(&self, view: &Self::View, side: Side) -> Standing;

    /// What a player may want to know before giving `value` as the answer (or before any answer, if none is given).
    /// `answers` are those of the present step so far. Everything is computed from the view.
    fn explain(
        &self,
        view: &Self::View,
        answers: &[Answer],
        question: &SeatQuestion,
        value: Option<&Value>,
    ) -> Vec<Insight>;

    /// What the dice of one step gave each side, beside what they give on average. `before` and `after` are the
    /// checkpoints of the step; the sum over all steps of a finished game is its luck meter. A system that does not
    /// measure luck says nothing.
    fn luck(&self, before: &Self::State, after: &Self::State) -> [Luck; 2] {
        let _ = (before, after);
        [Luck::default(); 2]
    }

    /// The forces of a game that were put together at the table, as a data file from which they can be played again
    /// under this id. It holds only what every seat knows.
    fn scenario_file(&self, state: &Self::State, id: &str, title: &str) -> Result<String, Refusal> {
        let _ = (state, id, title);
        Err(Refusal::new(
            "not-custom",
            "This game was set up from a scenario; only one whose forces were picked at the table can be saved as a \
             scenario.",
        ))
    }

    /// Whether this is a moment at which [`evaluate`](Game::evaluate) judges well: between two turns rather than in the
    /// middle of an exchange. Players who do not play an imagined game to its end stop it at such a moment.
    fn settled(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }

    /// After so many steps an imagined game may be stopped at the next settled moment: few where the evaluation is
    /// trustworthy and the dice of later turns would only hide what an answer did.
    fn horizon(&self) -> u32 {
        60
    }

    /// The shortest and the longest number of choices a game can take is not known in general; this is a bound on the
    /// number of steps after which a game is certainly over. Tests and drivers stop there.
    fn step_limit(&self) -> u32;
}

/// What a side must do to win that needs this margin over the other: `lead by 3 points`, `trail by no more than 2
/// points`.
#[must_use]
pub fn lead(margin: i64) -> String {
    let points = |n: i64| if n == 1 { "1 point".to_owned() } else { format!("{n} points") };
    match margin {
        1.. => format!("lead by {} or more", points(margin)),
        0 => "do not trail".to_owned(),
        _ => format!("trail by no more than {}", points(-margin)),
    }
}

/// How far a step got.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one lives for a moment at a time")]
pub enum Progress<S> {
    /// The step is complete: the new checkpoint.
    Stepped(S),
    /// The rules wait for an answer.
    Asks(Question),
}

/// Runs one step from a checkpoint with the answers on the tape. An answer that is refused changes nothing.
pub fn advance<G: Game>(game: &G, checkpoint: &G::State, tape: &mut Tape) -> Result<Progress<G::State>, Refusal> {
    crate::work::tick();
    let mut state = checkpoint.clone();
    match game.step(&mut state, tape) {
        Ok(()) if tape.used() < tape.answers().len() => {
            Err(Refusal::new("not-asked", "There is an answer to a question that was not asked."))
        }
        Ok(()) => Ok(Progress::Stepped(state)),
        Err(_) => match (tape.take_refused(), tape.take_question()) {
            (Some(refusal), _) => Err(refusal),
            (None, Some(question)) => Ok(Progress::Asks(question)),
            (None, None) => Err(Refusal::new("internal", "A rule stopped without a question.")),
        },
    }
}

/// A scenario as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScenarioInfo {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What it is about, in a sentence or two.
    pub brief: String,
    /// What it belongs to: `battle`, `campaign`, `free play`.
    pub group: String,
    /// The chairs, in order.
    pub seats: Vec<SeatInfo>,
    /// Those with almost nothing to decide: the computer suits them.
    pub passive: Vec<Seat>,
    /// Why it is a demonstration: what happens is worth seeing, but there is little to decide.
    pub demonstration: Option<String>,
}
