//! What a round of ground combat at a referee's table demands of both sides.

use crate::ground::{Loss, Measure, Payer};
use crate::procedures::ground::{Demanded, demanded};
use crate::rule;
use crate::tabletop::counted;
use flagplot_referee::table::{Demand, Stake};
use serde_json::{Value, json};

/// What a round of ground combat demands of both sides, with the losses that cost their owners least. [15.61, C-31]
pub(crate) fn demands(input: &Value, result: &Value) -> Vec<Demand> {
    let Some(Demanded { attackers, defenders, losses: (attacker, defender) }) = demanded(input, result) else {
        return Vec::new();
    };
    let ratio = result["ratio"].as_str().unwrap_or_default();
    let of = |role: &'static str, who: &str, loss: Loss, stakes: Vec<Stake>, removed: &str| {
        let (owed, by_multiplier) = match loss {
            Loss::AtLeast(owed, measure) => (owed, measure == Measure::Modified),
            Loss::Everything(_) => (u32::MAX, false),
        };
        let counted_as = if by_multiplier { ", ground units by their multipliers" } else { "" };
        let must = counted(owed.into(), "factor", "factors");
        let ids = result[removed].as_array().into_iter().flatten().filter_map(|unit| unit["id"].as_str());
        Demand {
            role,
            why: format!("At {ratio} the {who} must lose at least {must}{counted_as}"),
            owed,
            unit: ("factor", "factors"),
            stakes,
            proposed: ids.map(str::to_owned).collect(),
            rules: (rule::COMBAT_RESULTS, rule::C_31),
        }
    };
    let (attackers, defenders) = (stakes(attackers, attacker), stakes(defenders, defender));
    vec![
        of("attackers", "attackers", attacker, attackers, "attacker_removed"),
        of("defenders", "defenders", defender, defenders, "defender_removed"),
    ]
}

fn stakes<U: Payer>(units: Vec<(String, U)>, loss: Loss) -> Vec<Stake> {
    let measure = if let Loss::AtLeast(_, measure) = loss { measure } else { Measure::Printed };
    let stake = |(id, unit): (String, U)| {
        let worth = unit.factors().saturating_mul(unit.worth(measure)?);
        Some(Stake { id, worth, whole: !unit.by_factors() })
    };
    units.into_iter().filter_map(stake).collect()
}

/// Tells a ground combat which units of a side go, in their order.
pub(crate) fn give_up(input: &mut Value, role: &str, lost: &[String]) {
    let order = if role == "attackers" { "attacker_loss_order" } else { "defender_loss_order" };
    input[order] = json!(lost);
    input["losses"] = "listed".into();
}
