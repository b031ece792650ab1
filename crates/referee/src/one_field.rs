//! The odds of a field that the odds of all fields leave out: a list, or something inside of one.

use crate::odds::at;
use crate::procedure::{Procedure, odds_refusal};
use crate::{FieldOdds, Halt};
use flagplot_kernel::{Ask, Asked, Choice, Die, Faces, Note, Pool, Roll, Sum, Unanswered};
use flagplot_odds::{Budget, Enumerator, Exact, enumerate};
use std::fmt::Display;

/// The odds of one field of a ruling by walking all branches; none if no result can have such a field.
///
/// With `faces` every die is a branch of its own for each of its faces, for fields that show faces.
pub fn one_field<P: Procedure>(
    procedure: &P,
    input: &P::Input,
    field: &str,
    faces: bool,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    let mut odds = FieldOdds::default();
    if !procedure.about().result.reaches(field) {
        return Ok(odds);
    }
    let mut refused = None;
    let dist = enumerate::<_, Exact>(budget, |ask| {
        let ruling = if faces { procedure.run(input, &mut FaceByFace(ask)) } else { procedure.run(input, ask) };
        let ruling = ruling.map_err(|halt| {
            if let Halt::Refused(refusal) = halt {
                refused = Some(refusal);
            }
            Unanswered
        })?;
        let ruling = serde_json::to_value(&ruling).expect("a ruling has a JSON form");
        Ok(at(&ruling, field).cloned())
    });
    if let Some(refusal) = refused {
        return Err(Halt::Refused(refusal));
    }
    odds.put_where_there(field, &dist.map_err(odds_refusal)?);
    Ok(odds)
}

/// Rolls every die by itself, so that its face is known.
struct FaceByFace<'a>(&'a mut Enumerator<Exact>);

impl FaceByFace<'_> {
    fn handful(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Faces> {
        (0..n).map(|_| self.0.roll(die, &what)).collect::<Asked<Vec<u8>>>().map(Faces)
    }
}

impl Ask for FaceByFace<'_> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        self.0.roll(die, what)
    }

    fn roll_as<R: Eq>(&mut self, die: Die, what: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        let face = self.0.roll(die, what)?;
        Ok(Roll { read: read(face), face: Some(face) })
    }

    fn pool<const K: usize>(
        &mut self,
        n: u32,
        die: Die,
        what: impl Display,
        class: impl Fn(u8) -> usize,
    ) -> Asked<Pool<K>> {
        let faces = self.handful(n, die, what)?;
        let mut counts = [0; K];
        for &face in &faces.0 {
            counts[class(face)] += 1;
        }
        Ok(Pool { counts, faces })
    }

    fn sum(&mut self, n: u32, die: Die, what: impl Display) -> Asked<Sum> {
        let faces = self.handful(n, die, what)?;
        Ok(Sum { total: faces.0.iter().map(|&face| u32::from(face)).sum(), faces })
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        self.0.decide(choice)
    }

    fn in_secret<C: Choice>(&mut self, choices: &[C]) -> Asked<Vec<C::Value>> {
        self.0.in_secret(choices)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}
