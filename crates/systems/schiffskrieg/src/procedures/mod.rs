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

use crate::figures::Figures;
use flagplot_referee::AnyProcedure;
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
