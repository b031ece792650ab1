//! What the referee settles, one item for each procedure.

mod combat;
mod dogfight;
mod measure;
mod sea;
mod strike;
mod tables;
mod value;

use crate::data::Rules;
use crate::rule;
use crate::words::{Markers, Skill};
use flagplot_kernel::Refusal;
use flagplot_referee::{AnyProcedure, Procedure};
use std::sync::Arc;

pub use dogfight::{Facts as DogfightFacts, Fighter, dogfight_odds};

/// All procedures in the order of the rules page.
pub fn all(rules: &Arc<Rules>) -> Vec<Box<dyn AnyProcedure>> {
    let r = || Arc::clone(rules);
    vec![
        tables::HitsInflicted(r()).boxed(),
        tables::Detection(r()).boxed(),
        combat::AirCombat(r()).boxed(),
        strike::Strike(r()).boxed(),
        strike::StrikeGroup(r()).boxed(),
        strike::AaFire(r()).boxed(),
        dogfight::Dogfight(r()).boxed(),
        sea::Ditching(r()).boxed(),
        sea::SurfaceAction(r()).boxed(),
        sea::Victory(r()).boxed(),
        measure::Measure(r()).boxed(),
        measure::Groups(r()).boxed(),
        measure::Path(r()).boxed(),
        value::StanceValue(r()).boxed(),
        value::StrikeValue(r()).boxed(),
    ]
}

const NAME: usize = 40;

/// Whether the markers are as many as the skill demands. [Pilot skill]
fn check_markers(skill: Skill, markers: Markers, whose: &str) -> Result<(), Refusal> {
    let due = skill.markers();
    if markers.total() == due {
        return Ok(());
    }
    let message = match skill {
        Skill::None => format!("{whose}: pilots without special skill play no markers."),
        _ => format!("{whose}: {skill} pilots play exactly {due} marker{}.", if due == 1 { "" } else { "s" }),
    };
    Err(Refusal::new("bad-markers", message).by(rule::PILOT_SKILL))
}

/// The ids that are there more than once.
fn repeated<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<Refusal> {
    let mut seen: Vec<&str> = Vec::new();
    let mut twice = Vec::new();
    for id in ids {
        if seen.contains(&id) {
            twice.push(Refusal::new("duplicate-id", format!("'{id}' is listed twice.")));
        }
        seen.push(id);
    }
    twice
}
