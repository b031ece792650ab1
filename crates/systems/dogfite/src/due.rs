//! What a turn owes at a referee's table.

use flagplot_referee::table::{Object, Owed, State};
use serde_json::Value;
use std::collections::BTreeMap;

/// The most edge that an aircraft keeps when movement is over. (5.4)
const MOST_EDGE: i64 = 10;
/// The mark of an aircraft's edge.
pub(crate) const EDGE: &str = "edge";

fn flying(state: &State) -> impl Iterator<Item = &Object> {
    state.objects.iter().filter(|object| object.kind == "aircraft" && object.in_play())
}

fn one(act: &str, why: String, aircraft: &Object) -> Owed {
    Owed::new(act, why).cast("aircraft", &aircraft.id)
}

pub(crate) fn begin(phase: &str, state: &mut State) -> Vec<Owed> {
    if !state.owes() {
        return Vec::new();
    }
    match phase {
        "order" => {
            let all = |act: &str, why: &str| {
                flying(state).fold(Owed::new(act, why), |owed, aircraft| owed.cast("aircraft", &aircraft.id))
            };
            if (0..2).all(|side| flying(state).any(|aircraft| aircraft.side == side)) {
                vec![
                    all("edge-adjustment", "The edges are adjusted"),
                    all("initiative-order", "The order of moves is rolled for"),
                ]
            } else {
                Vec::new()
            }
        }
        "movement" => {
            flying(state).map(|craft| one("end-of-move", format!("{} ends its move", craft.name), craft)).collect()
        }
        "fire" => {
            for edge in state.objects.iter_mut().filter_map(|object| object.marks.get_mut(EDGE)) {
                if edge.as_i64().is_some_and(|edge| edge > MOST_EDGE) {
                    *edge = MOST_EDGE.into();
                }
            }
            Vec::new()
        }
        "end" => flying(state)
            .filter_map(|craft| {
                if craft.value["burning"] == true {
                    Some(one("fire-damage", format!("{} burns", craft.name), craft))
                } else if craft.value["smoking"] == true {
                    Some(one("engine-smoke", format!("{} smokes and may catch fire", craft.name), craft))
                } else {
                    None
                }
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Hits wait until all have fired, for all fire is simultaneous.
pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, result: &Value, state: &mut State) {
    if !state.owes() || !["attack", "fire"].contains(&act) {
        return;
    }
    let target = cast.get("target").and_then(|ids| ids.first()).and_then(|id| state.object(id)).cloned();
    let Some(target) = target else { return };
    let n = |field: &str| result[field].as_i64().unwrap_or(0);
    if n("hits") > 0 {
        let hits = if n("hits") == 1 { "1 hit".to_owned() } else { format!("{} hits", n("hits")) };
        state.owe(one("damage", format!("{hits} on {} to be marked", target.name), &target).fact("hits", n("hits")));
    }
    for _ in 0..n("criticals") {
        state.owe(one("critical-hit", format!("{} takes a critical hit", target.name), &target));
    }
}
