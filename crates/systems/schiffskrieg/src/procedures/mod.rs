//! The referee's procedures of Schiffskrieg, each declared once.

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
mod retreat;
mod units;

use crate::faction::Role;
use crate::figures::Figures;
use flagplot_odds::Budget;
use flagplot_referee::{AnyProcedure, FieldOdds, Halt, OldProcedure, old_one_field};
use std::sync::Arc;

/// All procedures with these figures.
pub(crate) fn all(figures: &Arc<Figures>) -> Vec<Box<dyn AnyProcedure>> {
    let figures = || Arc::clone(figures);
    vec![
        Box::new(day_night::DayNight(figures())),
        Box::new(attack::Attack(figures())),
        Box::new(combat_round::CombatRound(figures())),
        Box::new(base_attack::BaseAttack(figures())),
        Box::new(retreat::Retreat(figures())),
        Box::new(allocate_boxes::AllocateBoxes),
        Box::new(delay::Delay(figures())),
        Box::new(factors::FactorsOf),
        Box::new(battle::Battle(figures())),
    ]
}

/// These odds; where they lack the field that is wanted by name (a list, or something in one), its odds by walking all branches.
fn or_by_name<P: OldProcedure>(
    odds: FieldOdds,
    procedure: &P,
    input: &P::Input,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    match wanted {
        Some(field) if !odds.has(field) => {
            let last = field.rsplit('.').find(|part| part.parse::<usize>().is_err());
            let faces = last.is_some_and(|last| ["attack_dice", "damage_dice", "attacks", "rounds"].contains(&last));
            old_one_field(procedure, input, field, faces, budget)
        }
        _ => Ok(odds),
    }
}

/// The name of a part in the fields of the form.
fn role_field(role: Role) -> &'static str {
    match role {
        Role::Phasing => "phasing",
        Role::NonPhasing => "non_phasing",
    }
}
