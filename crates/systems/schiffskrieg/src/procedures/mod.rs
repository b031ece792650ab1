//! The referee's procedures, each declared once.

mod allocate_boxes;
mod attack;
mod base_attack;
mod base_attack_odds;
mod battle;
mod battle_odds;
mod combat_round;
mod day_night;
mod delay;
mod factors;
mod made;
mod retreat;
mod units;

use crate::rules::Rules;
use flagplot_kernel::Refusal;
use flagplot_odds::Budget;
use flagplot_referee::{AnyProcedure, FieldOdds, Procedure, one_field};
use std::sync::Arc;

pub fn all(rules: &Arc<Rules>) -> Vec<Box<dyn AnyProcedure>> {
    let rules = || Arc::clone(rules);
    vec![
        day_night::DayNight(rules()).boxed(),
        attack::Attack(rules()).boxed(),
        combat_round::CombatRound(rules()).boxed(),
        base_attack::BaseAttack(rules()).boxed(),
        retreat::Retreat(rules()).boxed(),
        allocate_boxes::AllocateBoxes.boxed(),
        delay::Delay(rules()).boxed(),
        factors::FactorsOf.boxed(),
        battle::Battle(rules()).boxed(),
    ]
}

/// These odds; where they lack the wanted field (a list, or something in one), its odds by walking all branches.
fn or_by_name<P: Procedure>(
    odds: FieldOdds,
    procedure: &P,
    facts: &P::Facts,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Refusal> {
    match wanted {
        Some(field) if !odds.has(field) => {
            let last = field.rsplit('.').find(|part| part.parse::<usize>().is_err());
            let faces = last.is_some_and(|last| ["attack_dice", "damage_dice", "attacks", "rounds"].contains(&last));
            one_field(procedure, facts, field, faces, budget)
        }
        _ => Ok(odds),
    }
}
