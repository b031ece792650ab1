use crate::odds::{FieldOdds, Projection};
use crate::{Codes, Dice, Shape, Shaped};
use flagplot_kernel::{Ask, Asked, Chance, DiceFrom, Die, Note, Question, Refusal, Rolled, Rule, Tape, Unanswered};
use flagplot_odds::{Budget, Dist, Enumerator, Exact, enumerate};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::hash::Hash;

/// What a procedure says of itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct About {
    /// Its name: `combat-round`.
    pub name: &'static str,
    /// What it settles, in a sentence.
    pub help: &'static str,
    /// Which dice it calls for, in which order.
    pub dice: &'static str,
    /// What it wants to know.
    pub input: Shape,
    /// What it answers.
    pub result: Shape,
    /// The rules it applies.
    pub rules: &'static [Rule],
}

/// A procedure of the referee, declared once: from this come the command line, JSON Schema, the terminal's questions
/// and the browser's form.
pub trait Procedure: Send + Sync + Sized + 'static {
    /// Its name: `combat-round`.
    const NAME: &'static str;
    /// What it settles, in a sentence.
    const HELP: &'static str;
    /// Which dice it calls for, in which order.
    const DICE: &'static str;
    /// The rules it applies.
    const RULES: &'static [Rule];

    /// All facts and decisions as a request gives them; read from JSON that has passed the shape, defaults filled in.
    type Input: Shaped + DeserializeOwned;
    /// The same as the rules want them.
    type Facts;
    /// The ruling. Outcomes that are equal are one branch for the odds.
    type Output: Shaped + Serialize + Eq + Hash;

    /// The shape of the input, where the data add to what its type says.
    fn input(&self) -> Shape {
        Self::Input::shape()
    }

    /// The facts of a request, if they hold together. This happens once for a request.
    fn read(&self, input: Self::Input) -> Result<Self::Facts, Refusal>;

    /// The ruling. What only the dice show to be impossible is said with [`Ask::refuse`].
    fn run(&self, facts: &Self::Facts, ask: &mut impl Ask) -> Asked<Self::Output>;

    /// The distribution of every scalar field of the ruling, or of the one that is wanted. The default counts whole
    /// rulings; a procedure whose dice fall into independent parts counts the parts.
    fn odds(&self, facts: &Self::Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        by_enumeration(|ask| self.run(facts, ask), wanted, budget)
    }

    /// The procedure as one of many.
    fn boxed(self) -> Box<dyn AnyProcedure> {
        Box::new(Declared(self))
    }
}

/// The odds of every field by walking all branches of a run.
pub fn by_enumeration<O: Serialize + Eq + Hash>(
    run: impl FnMut(&mut Enumerator<Exact>) -> Asked<O>,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Refusal> {
    Ok(project(&enumerate::<_, Exact>(budget, run)?, serde_json::to_value, wanted))
}

/// The odds of every field of what `output` makes of the outcomes.
pub fn projected<T: Eq + Hash, O: Serialize>(
    dist: &Dist<T, Exact>,
    output: impl Fn(&T) -> O,
    wanted: Option<&str>,
) -> FieldOdds {
    project(dist, |outcome| serde_json::to_value(output(outcome)), wanted)
}

fn project<'a, T: Eq + Hash>(
    dist: &'a Dist<T, Exact>,
    output: impl Fn(&'a T) -> serde_json::Result<Value>,
    wanted: Option<&str>,
) -> FieldOdds {
    let mut projection = Projection::new(wanted);
    for (outcome, weight) in dist.iter() {
        projection.add(&output(outcome).expect("a ruling has a JSON form"), weight);
    }
    projection.finish(dist.total())
}

/// A ruling with its proof.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ruling {
    /// The result.
    pub result: Value,
    /// Every die.
    pub rolls: Vec<Rolled>,
    /// The proof.
    pub trace: Vec<Note>,
}

/// How far a ruling gets with the dice that are there.
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt {
    /// It is made.
    Done(Ruling),
    /// Dice are called for.
    Needs {
        /// How many.
        count: u32,
        /// Which.
        die: Die,
        /// What they are for.
        what: String,
        /// The proof so far.
        trace: Vec<Note>,
    },
}

/// A procedure whose types are forgotten.
pub trait AnyProcedure: Send + Sync {
    /// What it is.
    fn about(&self) -> About;
    /// A ruling with dice. `shape` is the shape of its input.
    fn rule(&self, shape: &Shape, input: Value, dice: Dice, codes: &Codes) -> Result<Ruling, Refusal>;
    /// A ruling as far as these dice bring it.
    fn attempt(&self, shape: &Shape, input: Value, dice: &[u8], codes: &Codes) -> Result<Attempt, Refusal>;
    /// Exact odds. `shape` is the shape of its input.
    fn odds(
        &self,
        shape: &Shape,
        input: Value,
        wanted: Option<&str>,
        codes: &Codes,
        budget: Budget<'_>,
    ) -> Result<FieldOdds, Refusal>;
}

/// A procedure with its types.
struct Declared<P>(P);

fn read<P: Procedure>(procedure: &P, shape: &Shape, input: Value, codes: &Codes) -> Result<P::Facts, Refusal> {
    let input = shape.check(input, "input", codes)?;
    let input =
        serde_json::from_value(input).map_err(|error| Refusal::new(codes.out_of_range, format!("input: {error}.")))?;
    procedure.read(input)
}

impl<P: Procedure> AnyProcedure for Declared<P> {
    fn about(&self) -> About {
        About {
            name: P::NAME,
            help: P::HELP,
            dice: P::DICE,
            input: self.0.input(),
            result: P::Output::shape(),
            rules: P::RULES,
        }
    }

    fn rule(&self, shape: &Shape, input: Value, dice: Dice, codes: &Codes) -> Result<Ruling, Refusal> {
        let facts = read(&self.0, shape, input, codes)?;
        ruling(|tape| self.0.run(&facts, tape), dice, codes)
    }

    fn attempt(&self, shape: &Shape, input: Value, dice: &[u8], codes: &Codes) -> Result<Attempt, Refusal> {
        let facts = read(&self.0, shape, input, codes)?;
        let mut tape = Tape::with_dice(Vec::new(), DiceFrom::Script(dice.to_vec()));
        let made = self.0.run(&facts, &mut tape);
        if let Some(refusal) = tape.refused() {
            return Err(refusal.clone());
        }
        let question = tape.question().cloned();
        match (made, question) {
            (Ok(output), _) => {
                let result = serde_json::to_value(&output).expect("a ruling has a JSON form");
                let (rolls, trace, _) = tape.into_parts();
                Ok(Attempt::Done(Ruling { result, rolls, trace }))
            }
            (Err(Unanswered), Some(Question::Dice { count, die, what })) => {
                let (_, trace, _) = tape.into_parts();
                Ok(Attempt::Needs { count, die, what, trace })
            }
            _ => Err(Refusal::new("internal", "The procedure asked for a choice; all decisions belong to the input.")),
        }
    }

    fn odds(
        &self,
        shape: &Shape,
        input: Value,
        wanted: Option<&str>,
        codes: &Codes,
        budget: Budget<'_>,
    ) -> Result<FieldOdds, Refusal> {
        let facts = read(&self.0, shape, input, codes)?;
        has_field(self.0.odds(&facts, wanted, budget)?, wanted)
    }
}

/// What the rules make of the dice, with the proof.
fn ruling<O: Serialize>(run: impl FnOnce(&mut Tape) -> Asked<O>, dice: Dice, codes: &Codes) -> Result<Ruling, Refusal> {
    let (given, dice) = match dice {
        Dice::Faces(faces) => (faces.len(), DiceFrom::Script(faces)),
        Dice::Seed(seed) => (0, DiceFrom::Chance(Box::new(Chance::seeded(seed)))),
    };
    let mut tape = Tape::with_dice(Vec::new(), dice);
    match run(&mut tape) {
        Err(Unanswered) => Err(match (tape.refused(), tape.question()) {
            (Some(refusal), _) => refusal.clone(),
            (None, Some(Question::Dice { count, die, what })) => {
                let message = format!("{given} dice are not enough: {what} needs {count} more ({die}).");
                Refusal::new(codes.dice_missing, message)
            }
            _ => Refusal::new("internal", "The procedure asked for a choice; all decisions belong to the input."),
        }),
        Ok(_) if tape.script_left() > 0 => {
            let (used, left) = (tape.rolled().len(), tape.script_left());
            let message = format!("{given} dice were given; the rules call for {used} and {left} were not used.");
            Err(Refusal::new(codes.dice_unused, message))
        }
        Ok(output) => {
            let result = serde_json::to_value(&output).expect("a ruling has a JSON form");
            let (rolls, trace, _) = tape.into_parts();
            Ok(Ruling { result, rolls, trace })
        }
    }
}

fn has_field(odds: FieldOdds, wanted: Option<&str>) -> Result<FieldOdds, Refusal> {
    match wanted.filter(|field| !odds.has(field)) {
        Some(field) => Err(Refusal::new("unknown-field", format!("The result has no field '{field}' with odds."))),
        None => Ok(odds),
    }
}
