//! The odds of a field that the odds of all fields leave out: a list, or something inside of one.

use crate::odds::at;
use crate::procedure::Procedure;
use crate::{FieldOdds, Shaped};
use flagplot_kernel::{Ask, Asked, Choice, Die, Note, Refusal, Unanswered};
use flagplot_odds::{Budget, Enumerator, Exact, enumerate};
use std::fmt::Display;

/// The odds of one field of a ruling by walking all branches; none if no result can have such a field.
///
/// With `faces` every die is a branch of its own for each of its faces, for fields that show faces.
pub fn one_field<P: Procedure>(
    procedure: &P,
    facts: &P::Facts,
    field: &str,
    faces: bool,
    budget: Budget<'_>,
) -> Result<FieldOdds, Refusal> {
    let mut odds = FieldOdds::default();
    if !P::Output::shape().reaches(field) {
        return Ok(odds);
    }
    let dist = enumerate::<_, Exact>(budget, |ask| {
        let ruling = if faces { procedure.run(facts, &mut FaceByFace(ask)) } else { procedure.run(facts, ask) }?;
        let ruling = serde_json::to_value(&ruling).expect("a ruling has a JSON form");
        Ok(at(&ruling, field).cloned())
    })?;
    odds.put_where_there(field, &dist);
    Ok(odds)
}

/// Rolls every die by itself, so that its face is known.
struct FaceByFace<'a>(&'a mut Enumerator<Exact>);

impl Ask for FaceByFace<'_> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        self.0.roll(die, what)
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        self.0.decide(choice)
    }

    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        self.0.in_secret(choices)
    }

    fn refuse(&mut self, refusal: Refusal) -> Unanswered {
        self.0.refuse(refusal)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}
