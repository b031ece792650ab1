//! Procedures that are not declared in the new form yet.

use crate::odds::{FieldOdds, Projection};
use crate::{About, AnyProcedure, Codes, Dice, Ruling, Shape};
use flagplot_kernel::{Ask, Chance, DiceFrom, Question, Refusal, Tape, Unanswered};
use flagplot_odds::{Budget, Exact, OddsError, enumerate};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::hash::Hash;

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// No answer yet.
    Unanswered,
    /// The facts given cannot be ruled on.
    Refused(Box<Refusal>),
}

impl From<Unanswered> for Halt {
    fn from(_: Unanswered) -> Self {
        Halt::Unanswered
    }
}

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Self {
        Halt::Refused(Box::new(refusal))
    }
}

/// A procedure that is not declared in the new form yet.
pub trait OldProcedure: Send + Sync + 'static {
    /// All facts and decisions; read from JSON that has passed the shape, with defaults filled in.
    type Input: DeserializeOwned;
    /// The ruling. Outcomes that are equal are one branch for the odds.
    type Output: Serialize + Eq + Hash;

    /// What it is.
    fn about(&self) -> About;

    /// Whether the facts hold together, beyond their shape.
    fn check(&self, input: &Self::Input) -> Result<(), Refusal>;

    /// The ruling.
    fn run(&self, input: &Self::Input, ask: &mut impl Ask) -> Result<Self::Output, Halt>;

    /// The distribution of every scalar field of the ruling, or of the one that is wanted. The default counts whole
    /// rulings; a procedure whose dice fall into independent parts counts the parts.
    fn odds(&self, input: &Self::Input, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        old_enumeration(|ask| self.run(input, ask), wanted, budget)
    }
}

/// The odds of every field by walking all branches of a run.
pub(crate) fn old_enumeration<O: Serialize + Eq + Hash>(
    mut run: impl FnMut(&mut flagplot_odds::Enumerator<Exact>) -> Result<O, Halt>,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    let mut refused = None;
    let dist = enumerate::<_, Exact>(budget, |ask| {
        run(ask).map_err(|halt| {
            if let Halt::Refused(refusal) = halt {
                refused = Some(refusal);
            }
            Unanswered
        })
    });
    if let Some(refusal) = refused {
        return Err(Halt::Refused(refusal));
    }
    let mut projection = Projection::new(wanted);
    let dist = dist?;
    for (outcome, weight) in dist.iter() {
        let value = serde_json::to_value(outcome).expect("a ruling has a JSON form");
        projection.add(&value, weight);
    }
    Ok(projection.finish(dist.total()))
}

impl From<OddsError> for Halt {
    fn from(error: OddsError) -> Self {
        Refusal::from(error).into()
    }
}

fn read<P: OldProcedure>(procedure: &P, shape: &Shape, input: Value, codes: &Codes) -> Result<P::Input, Refusal> {
    let input = shape.check(input, "input", codes)?;
    let input =
        serde_json::from_value(input).map_err(|error| Refusal::new(codes.out_of_range, format!("input: {error}.")))?;
    procedure.check(&input)?;
    Ok(input)
}

impl<P: OldProcedure> AnyProcedure for P {
    fn about(&self) -> About {
        OldProcedure::about(self)
    }

    fn rule(&self, shape: &Shape, input: Value, dice: Dice, codes: &Codes) -> Result<Ruling, Refusal> {
        let input = read(self, shape, input, codes)?;
        let given = match &dice {
            Dice::Faces(faces) => Some(faces.len()),
            Dice::Seed(_) => None,
        };
        let dice = match dice {
            Dice::Faces(faces) => DiceFrom::Script(faces),
            Dice::Seed(seed) => DiceFrom::Chance(Box::new(Chance::seeded(seed))),
        };
        let mut tape = Tape::with_dice(Vec::new(), dice);
        match self.run(&input, &mut tape) {
            Err(Halt::Refused(refusal)) => Err(*refusal),
            Err(Halt::Unanswered) => {
                if let Some(refusal) = tape.refused() {
                    return Err(refusal.clone());
                }
                Err(match tape.question() {
                    Some(Question::Dice { count, die, what }) => Refusal::new(
                        codes.dice_missing,
                        format!(
                            "{} dice were given and {} used; the rules call for {count} more ({die}) for: {what}.",
                            given.unwrap_or(0),
                            tape.rolled().len()
                        ),
                    ),
                    _ => {
                        Refusal::new("internal", "The procedure asked for a choice; all decisions belong to the input.")
                    }
                })
            }
            Ok(output) => {
                if tape.script_left() > 0 {
                    return Err(Refusal::new(
                        codes.dice_unused,
                        format!(
                            "{} dice were given; the rules call for {} and {} were not used.",
                            given.unwrap_or(0),
                            tape.rolled().len(),
                            tape.script_left()
                        ),
                    ));
                }
                let result = serde_json::to_value(&output).expect("a ruling has a JSON form");
                let (rolls, trace, _) = tape.into_parts();
                Ok(Ruling { result, rolls, trace })
            }
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
        let input = read(self, shape, input, codes)?;
        let odds = OldProcedure::odds(self, &input, wanted, budget).map_err(|halt| match halt {
            Halt::Refused(refusal) => *refusal,
            Halt::Unanswered => Refusal::new("internal", "The odds stopped without a reason."),
        })?;
        if let Some(field) = wanted
            && !odds.has(field)
        {
            return Err(Refusal::new("unknown-field", format!("The result has no field '{field}' with odds.")));
        }
        Ok(odds)
    }
}
