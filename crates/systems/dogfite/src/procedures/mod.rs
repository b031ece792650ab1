//! The procedures of the referee, in the order of a turn.

mod bets;
mod combat;
mod edges;
mod ending;
mod moving;
mod order;

use crate::Rules;
use crate::damage::Boxes;
use flagplot_kernel::Refusal;
use flagplot_referee::{AnyProcedure, Procedure, Shaped};
use serde::Deserialize;
use std::sync::Arc;

pub(crate) fn all(rules: &Arc<Rules>) -> Vec<Box<dyn AnyProcedure>> {
    let r = || Arc::clone(rules);
    vec![
        edges::PositionBonus(r()).boxed(),
        edges::Carryover.boxed(),
        edges::EdgeAdjustment(r()).boxed(),
        edges::EdgeRecording.boxed(),
        order::InitiativeOrder(r()).boxed(),
        moving::MovementPoints(r()).boxed(),
        moving::ClimbDive(r()).boxed(),
        moving::BetLevel(r()).boxed(),
        bets::Bet(r()).boxed(),
        bets::BetFailure(r()).boxed(),
        bets::Spin(r()).boxed(),
        ending::Power(r()).boxed(),
        ending::Drag(r()).boxed(),
        ending::Stress(r()).boxed(),
        ending::StallSpin(r()).boxed(),
        ending::EndOfMove(r()).boxed(),
        combat::FireRange(r()).boxed(),
        combat::Fire(r()).boxed(),
        combat::Attack(r()).boxed(),
        combat::Damage.boxed(),
        combat::CriticalHit(r()).boxed(),
        combat::EngineSmoke(r()).boxed(),
        combat::FireDamage.boxed(),
        combat::VictoryPoints(r()).boxed(),
    ]
}

/// Damage boxes as a request gives them: one text of `.`, `/`, `X` and `#` for each set.
#[derive(Deserialize, Shaped)]
#[shape(items = 0..=64, chars = 64)]
struct Sheet(Vec<String>);

impl Sheet {
    /// The boxes, or what is wrong with them.
    fn read(&self) -> Result<Boxes, Refusal> {
        Boxes::parse(&self.0)
    }
}
