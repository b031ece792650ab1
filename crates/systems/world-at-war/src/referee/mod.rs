//! The thirteen procedures: JSON at the edge, the rules' own types inside.

mod air;
mod fleet;
mod ground;
mod inputs;
mod land;
mod sea;
mod shapes;
mod strike;

use crate::Rulebook;
use flagplot_kernel::{Refusal, Unanswered};
use flagplot_odds::{Budget, Dist, Enumerator, Exact, enumerate};
use flagplot_referee::{AnyProcedure, FieldOdds, Halt, Projection};
use serde::Serialize;
use serde_json::{Value, json};
use std::hash::Hash;
use std::sync::Arc;

/// All procedures over one rulebook.
pub(crate) fn procedures(book: &Arc<Rulebook>) -> Vec<Box<dyn AnyProcedure>> {
    let book = || Arc::clone(book);
    vec![
        Box::new(land::OddsRatio),
        Box::new(land::AttritionTable(book())),
        Box::new(ground::GroundCombat(book())),
        Box::new(ground::GroundAssault(book())),
        Box::new(land::RetreatHexes),
        Box::new(air::AirCombat(book())),
        Box::new(air::AirBattles(book())),
        Box::new(air::AirDefenses(book())),
        Box::new(sea::NavalAttack(book())),
        Box::new(sea::AllocateLosses(book())),
        Box::new(strike::AirStrike(book())),
        Box::new(fleet::FleetCombatRound(book())),
        Box::new(sea::NavalSearch(book())),
    ]
}

/// The distribution of what a run gives, or its refusal.
fn rolled<T: Eq + Hash>(
    budget: Budget<'_>,
    mut run: impl FnMut(&mut Enumerator<Exact>) -> Result<T, Halt>,
) -> Result<Dist<T>, Halt> {
    let mut refused = None;
    let dist = enumerate::<_, Exact>(budget, |ask| {
        run(ask).map_err(|halt| {
            if let Halt::Refused(refusal) = halt {
                refused = Some(refusal);
            }
            Unanswered
        })
    });
    match refused {
        Some(refusal) => Err(Halt::Refused(refusal)),
        None => Ok(dist?),
    }
}

/// The odds of every field of a JSON value that follows from an outcome.
fn projected<T: Eq + Hash>(dist: &Dist<T>, wanted: Option<&str>, value: impl Fn(&T) -> Value) -> FieldOdds {
    let mut projection = Projection::new(wanted);
    for (outcome, weight) in dist.iter() {
        projection.add(&value(outcome), weight);
    }
    projection.finish(dist.total())
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// A list of two as an object, so that its fields have odds without being asked for by name.
fn pair(value: &Value) -> Value {
    json!({"0": value[0], "1": value[1]})
}

/// A refusal for a side that has nothing.
fn nobody(side: &str, path: &str, rule: flagplot_kernel::Rule) -> Refusal {
    let (code, who) = if side == "attackers" { ("no-attackers", "attack") } else { ("no-defenders", "defend") };
    Refusal::new(code, format!("{path}: there is nothing to {who} with.")).by(rule)
}
