//! Guided first battles: scripted games in which one seat's answers come from a person who learns.

use crate::LogEntry;
use crate::script::{Misfit, Move, Opening, Stage};
use flagplot_catalog::Catalog;
use flagplot_kernel::{Refusal, Scene, Seat, SeatQuestion, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::LazyLock;

/// A guided battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// What it is called.
    pub title: String,
    /// What it is about, in a sentence.
    pub brief: String,
    /// How the learner wins, in a sentence.
    pub aim: String,
    /// The seat of the learner.
    pub seat: Seat,
    /// What the game begins with.
    pub opening: Opening,
    /// What the others do before the learner is first asked.
    #[serde(default)]
    pub before: Vec<Move>,
    /// What the learner does.
    pub steps: Vec<Step>,
    /// What has been learned, a sentence a line; the last results explained.
    pub end: Vec<String>,
    /// Moments of it that the rules page shows.
    #[serde(default)]
    pub examples: Vec<Example>,
}

/// A moment of a lesson that the rules page shows with a picture.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The rule it explains.
    pub rule: String,
    /// What it shows.
    pub title: String,
    /// The story, in a few sentences.
    pub text: String,
    /// How many steps of the lesson have been taken.
    pub after: usize,
    /// Words of the lines of the log that prove it, in order.
    #[serde(default)]
    pub proof: Vec<String>,
}

/// An example on the real rules: what the board shows, and what the log proves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Shot {
    /// The board, as the learner sees it.
    pub scene: Scene,
    /// The lines that prove it, each with its details.
    pub proof: Vec<LogEntry>,
}

/// One thing that the learner does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The code of the question.
    pub ask: String,
    /// What to do and why, in a sentence.
    pub say: String,
    /// What the results before this step meant, in a sentence or two.
    #[serde(default)]
    pub told: String,
    /// The piece to look at, by its id in the scene.
    #[serde(default)]
    pub piece: Option<String>,
    pub answer: Value,
    /// Other answers that are as good; the lesson goes on from them.
    #[serde(default)]
    pub accept: Vec<Value>,
    /// How far points of the answer may lie from those wanted, in the scene's unit; the wanted ones are played.
    #[serde(default)]
    pub near: i64,
    /// What to say to another answer.
    pub wrong: String,
    /// The first rolls after the answer.
    #[serde(default)]
    pub rolls: Vec<Vec<u8>>,
    /// What the log must say by the time of the next step, so that the lesson tells the truth about it.
    #[serde(default)]
    pub expect: Vec<String>,
    /// What the others do before the learner is asked again.
    #[serde(default)]
    pub then: Vec<Move>,
}

/// Two answers that differ at most by `near` in the numbers of their points. A field that is null and one that is
/// missing are the same: TOML has no null.
fn alike(wanted: &Value, given: &Value, near: i64) -> bool {
    match (wanted, given) {
        (Value::Number(a), Value::Number(b)) if near > 0 => {
            matches!((a.as_i64(), b.as_i64()), (Some(a), Some(b)) if a.abs_diff(b) <= near.unsigned_abs())
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b, near)),
        (Value::Object(a), Value::Object(b)) => {
            let same =
                |key: &String| alike(a.get(key).unwrap_or(&Value::Null), b.get(key).unwrap_or(&Value::Null), near);
            a.keys().chain(b.keys()).all(same)
        }
        (a, b) => a == b,
    }
}

impl Step {
    /// The answer that is played for a given one; nothing if it is not what the lesson wants.
    #[must_use]
    pub fn played<'a>(&'a self, given: &'a Value) -> Option<&'a Value> {
        let same = std::iter::once(&self.answer).chain(&self.accept).any(|one| alike(one, given, 0));
        let close = || alike(&self.answer, given, self.near).then_some(&self.answer);
        if same { Some(given) } else { close() }
    }

    /// The answer as the question itself writes it, if it is one of its options.
    #[must_use]
    pub fn offered(&self, question: &SeatQuestion) -> Value {
        let option = question.options.iter().find(|option| alike(&self.answer, &option.value, 0));
        option.map_or_else(|| self.answer.clone(), |option| option.value.clone())
    }

    fn as_move(&self, seat: Seat, answer: &Value) -> Move {
        let (ask, answer) = (self.ask.clone(), answer.clone());
        Move { seat, ask, answer, rolls: self.rolls.clone(), expect: Vec::new() }
    }
}

/// The lessons, one for each system that has one.
static LESSONS: LazyLock<Vec<Result<Lesson, Refusal>>> = LazyLock::new(|| {
    [
        include_str!("../lessons/carrier-strike.toml"),
        include_str!("../lessons/dogfite.toml"),
        include_str!("../lessons/fleet-action.toml"),
        include_str!("../lessons/world-at-war.toml"),
        include_str!("../lessons/schiffskrieg.toml"),
    ]
    .map(Lesson::parse)
    .into()
});

impl Lesson {
    /// Reads a lesson from TOML.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        toml::from_str(text).map_err(|error| Refusal::new("bad-lesson", format!("The lesson cannot be read: {error}")))
    }

    pub fn all() -> impl Iterator<Item = Result<&'static Lesson, Refusal>> {
        LESSONS.iter().map(|lesson| lesson.as_ref().map_err(Clone::clone))
    }

    pub fn of(system: &str) -> Result<&'static Lesson, Refusal> {
        let shown: String = system.chars().take(60).collect();
        let systems = || {
            let ids: Vec<&str> =
                LESSONS.iter().filter_map(|one| one.as_ref().ok()).map(|one| one.opening.system.as_str()).collect();
            ids.join(", ")
        };
        for lesson in Self::all() {
            let lesson = lesson?;
            if lesson.opening.system == system {
                return Ok(lesson);
            }
        }
        Err(Refusal::new("no-lesson", format!("There is no lesson for '{shown}'."))
            .remedy(format!("There are lessons for {}.", systems())))
    }

    /// The lesson with these answers of the learner; an answer that it does not want is refused in the lesson's words.
    pub fn play(&self, catalog: &Catalog, answers: &[Value]) -> Result<Stage, Refusal> {
        if answers.len() > self.steps.len() {
            return Err(Refusal::new("lesson-over", format!("The lesson has {} steps.", self.steps.len())));
        }
        let mut stage = self.begin(catalog).map_err(|misfit| self.broken(0, &misfit))?;
        for (at, (step, given)) in self.steps.iter().zip(answers).enumerate() {
            let played = step.played(given).ok_or_else(|| Refusal::new("not-this-step", step.wrong.clone()))?;
            self.take(&mut stage, step, played).map_err(|misfit| self.broken(at + 1, &misfit))?;
        }
        Ok(stage)
    }

    fn begin(&self, catalog: &Catalog) -> Result<Stage, Misfit> {
        let mut stage = Stage::open(catalog, &self.opening)?;
        self.before.iter().try_for_each(|one| stage.take(one))?;
        Ok(stage)
    }

    fn take(&self, stage: &mut Stage, step: &Step, answer: &Value) -> Result<(), Misfit> {
        let before = stage.lines();
        stage.take(&step.as_move(self.seat, answer))?;
        step.then.iter().try_for_each(|one| stage.take(one))?;
        // Sealed answers and dice speak when the others have answered too.
        stage.says(before, &step.ask, &step.expect)
    }

    fn broken(&self, step: usize, misfit: &Misfit) -> Refusal {
        let (system, steps) = (&self.opening.system, self.steps.len());
        let at = if step == 0 { "before step 1".to_owned() } else { format!("at step {step} of {steps}") };
        Refusal::new("lesson-broken", format!("The lesson of {system} no longer fits the rules {at}: {}", misfit.why))
    }

    /// An example: the board and the proof at its moment.
    pub fn show(&self, catalog: &Catalog, example: &Example) -> Result<Shot, Refusal> {
        let answers: Vec<Value> = self.steps.iter().take(example.after).map(|step| step.answer.clone()).collect();
        let stage = self.play(catalog, &answers)?;
        let viewer = Viewer::Seat(self.seat);
        let log = stage.desk().log(viewer, 0);
        let mut proof = Vec::new();
        for words in &example.proof {
            // The latest line counts: the picture shows the moment after it.
            let at = log.iter().rposition(|entry| !entry.note.detail && entry.note.text.contains(words.as_str()));
            let Some(at) = at else {
                let (system, title) = (&self.opening.system, &example.title);
                let why = format!("The example '{title}' of {system} no longer fits: the log does not say '{words}'.");
                return Err(Refusal::new("example-broken", why));
            };
            let details = log[at + 1..].iter().take_while(|entry| entry.note.detail);
            proof.extend(std::iter::once(&log[at]).chain(details).cloned());
        }
        Ok(Shot { scene: stage.desk().situation(viewer).scene, proof })
    }

    /// Plays the lesson on the rules, with every answer that it accepts; says at which step it no longer fits, and why.
    pub fn check(&self, catalog: &Catalog) -> Result<(), Refusal> {
        let wanted: Vec<Value> = self.steps.iter().map(|step| step.answer.clone()).collect();
        self.play(catalog, &wanted)?;
        for (at, step) in self.steps.iter().enumerate() {
            for other in &step.accept {
                let mut answers = wanted.clone();
                answers[at] = other.clone();
                self.play(catalog, &answers)?;
            }
            let scene = self.play(catalog, &wanted[..at])?.desk().situation(Viewer::Seat(self.seat)).scene;
            if let Some(piece) = step.piece.as_ref().filter(|id| !scene.pieces.iter().any(|piece| piece.id == **id)) {
                let why = format!("there is no piece '{piece}' to light");
                return Err(self.broken(at + 1, &Misfit { fitted: at, why }));
            }
        }
        self.examples.iter().try_for_each(|example| self.show(catalog, example).map(drop))
    }
}
