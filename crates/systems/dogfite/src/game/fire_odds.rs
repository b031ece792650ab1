//! What guns may do to a target: for those who look ahead.

use super::explain::budget;
use crate::critical::{self, Harm};
use crate::damage::Boxes;
use crate::fire::{self, Gun};
use crate::tables::Tables;
use crate::who::Who;
use flagplot_kernel::{Ask, Asked, Flow, Process};
use flagplot_odds::{Dist, Exact, OddsError, distribution, enumerate};

/// Hits and criticals of all guns of an aircraft, with the best use of pips.
pub(super) fn attack(tables: &Tables, gun: &Gun, guns: u8) -> Result<Dist<(i32, i32)>, OddsError> {
    let one = enumerate::<_, Exact>(budget(), |dice| {
        let dice = fire::gun_dice(Who::NOBODY, dice)?;
        let burst = gun.score(tables, dice, gun.best_pip(tables, dice));
        Ok((burst.hits, burst.criticals))
    })?;
    Ok((1..guns).fold(one.clone(), |sum, _| sum.with(&one, |a, b| (a.0 + b.0, a.1 + b.1))))
}

/// A target's boxes, the critical hits still to come, and whether it is lost.
pub(super) type Target = (Boxes, i32, bool);

/// The chance that a target is lost.
pub(super) fn lost(target: &Dist<Target>) -> String {
    target.chance_of(|(_, _, lost)| *lost).to_string()
}

/// Critical hits one after the other, as far as they destroy.
struct Strikes<'a> {
    tables: &'a Tables,
}

impl Process for Strikes<'_> {
    type State = Target;

    fn step(&self, state: &mut Self::State, ask: &mut impl Ask) -> Asked<Flow> {
        let (boxes, left, lost) = state;
        if *lost || *left == 0 {
            *left = 0;
            return Ok(Flow::Done);
        }
        // An aircraft that burns makes no engine rolls, which destroy nothing here.
        let mut harm = Harm { burning: true, ..Harm::none(*boxes) };
        *lost = critical::strike(self.tables, &mut harm, Who::NOBODY, ask)?.destroyed;
        *boxes = harm.boxes;
        *left -= 1;
        Ok(Flow::Continue)
    }
}

/// What hits and criticals make of a target.
pub(super) fn struck(
    tables: &Tables,
    target: &Dist<Target>,
    fire: &Dist<(i32, i32)>,
) -> Result<Dist<Target>, OddsError> {
    let start = target.with(fire, |&(mut boxes, _, lost), &(hits, criticals)| {
        let lost = lost || boxes.take_hits(hits) > 0 || boxes.used_up();
        (boxes, criticals, lost)
    });
    distribution(&Strikes { tables }, start, budget())
}
