//! The thirteen procedures of the referee.

mod air;
mod fleet;
pub(crate) mod ground;
mod land;
mod sea;
mod strike;

use crate::Rules;
use flagplot_referee::{AnyProcedure, Procedure, Shaped};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

pub(crate) fn all(rules: &Arc<Rules>) -> Vec<Box<dyn AnyProcedure>> {
    let rules = || Arc::clone(rules);
    vec![
        land::OddsRatio.boxed(),
        land::AttritionTable(rules()).boxed(),
        ground::GroundCombat(rules()).boxed(),
        ground::GroundAssault(rules()).boxed(),
        land::RetreatHexes.boxed(),
        air::AirCombatRound(rules()).boxed(),
        air::AirBattles(rules()).boxed(),
        air::AirDefenses(rules()).boxed(),
        sea::NavalAttack(rules()).boxed(),
        sea::AllocateLosses(rules()).boxed(),
        strike::AirStrike(rules()).boxed(),
        fleet::FleetCombatRound(rules()).boxed(),
        sea::NavalSearch(rules()).boxed(),
    ]
}

/// Something with a name that requests and results tell it by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
struct Named<T: Shaped> {
    /// a name
    #[shape(chars = 80)]
    id: String,
    #[serde(flatten)]
    of: T,
}

fn ids<T: Shaped>(things: &[Named<T>]) -> impl Iterator<Item = &str> {
    things.iter().map(|thing| thing.id.as_str())
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
