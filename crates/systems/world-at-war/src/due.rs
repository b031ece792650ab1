//! What a phase owes at a referee's table, and how a strike on ships goes on: past patrols and guns to its targets.

use crate::tabletop::{HULLS, group, naval_factors};
use flagplot_referee::table::{Object, Owed, State};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The role of the ships that aircraft go on to strike.
pub(crate) const SHIPS: &str = "ships";

pub(crate) fn begin(phase: &str, state: &mut State) -> Vec<Owed> {
    let hull = |side: u8| {
        move |object: &&Object| object.side == side && object.in_play() && HULLS.contains(&object.kind.as_str())
    };
    let fleets = (0..2).all(|side| state.objects.iter().any(|object| hull(side)(&object)));
    if state.owes() && phase == "search" && fleets {
        return vec![Owed::new("search", "Both sides search for the enemy")];
    }
    Vec::new()
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

/// The groups without those that were turned back, who leave in the order of the groups.
fn going_on(groups: &[&Object], left: u64) -> Vec<Value> {
    let mut back = groups.iter().map(|one| one.number("count").unsigned_abs()).sum::<u64>().saturating_sub(left);
    let mut going = Vec::new();
    for one in groups {
        let there = one.number("count").unsigned_abs();
        let turned = back.min(there);
        back -= turned;
        if there > turned {
            let mut value = group(one);
            value["count"] = (there - turned).into();
            going.push(value);
        }
    }
    going
}

/// Those who got past the patrols meet the guns, and those who got past the guns attack the ships. [19.12, 23.44]
pub(crate) fn calls(act: &str, cast: &BTreeMap<String, Vec<String>>, result: &Value, state: &State) -> Vec<Owed> {
    let there = |role: &str| -> Vec<&Object> {
        let ids = cast.get(role).into_iter().flatten();
        ids.filter_map(|id| state.object(id)).filter(|object| object.in_play()).collect()
    };
    let (attackers, ships) = (there("attackers"), there(SHIPS));
    let left = count(match act {
        "air-combat" => &result["attacker_losses"]["remaining"],
        "air-battle" => &result["attacker"]["remaining"],
        "air-defense" => &result["remaining"],
        _ => return Vec::new(),
    });
    let (Some(first), false) = (ships.first(), attackers.is_empty() || left == 0) else { return Vec::new() };
    let flying = |owed: Owed, role: &str| {
        let owed = attackers.iter().fold(owed, |owed, one| owed.cast("attackers", &one.id));
        ships.iter().fold(owed, |owed, ship| owed.cast(role, &ship.id))
    };
    let owed = if act == "air-defense" {
        // The guns have fired: they do not fire again.
        let owed = flying(Owed::new("strike", format!("{left} get past the guns and attack")), "targets")
            .fact("attackers", going_on(&attackers, left))
            .fact("defenses.naval_factors", 0);
        if ships.len() == 1 { owed.fact("targets.0.squadrons", left) } else { owed }
    } else {
        flying(Owed::new("air-defense", format!("{left} get past the patrols and meet the guns")), SHIPS)
            .fact("attackers", json!(left))
            .fact("defenses.naval_factors", naval_factors(state, first.side))
    };
    vec![owed]
}
