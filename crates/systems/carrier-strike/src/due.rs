//! What a turn owes at a referee's table: squadrons without fuel, surface action, the end check.

use flagplot_referee::table::{Object, Owed, State};
use serde_json::Value;
use std::collections::BTreeMap;

/// The mark of a squadron that is in the air.
const UP: &str = "up";
/// The mark of a table: the turn in which a carrier group has found the enemy.
const CONTACT: &str = "contact";
/// The range on which a squadron must fly home.
const LAST_RANGE: i64 = 1;
/// The hits that sink a carrier group.
const SUNK_AT: i64 = 8;

fn up(state: &State) -> impl Iterator<Item = &Object> {
    state.objects.iter().filter(|object| object.in_play() && object.marks.get(UP) == Some(&Value::Bool(true)))
}

fn carriers(state: &State, side: u8) -> Option<&Object> {
    let fights = |object: &&Object| object.kind == "carrier group" && object.number("hits") < SUNK_AT;
    state.objects.iter().filter(fights).find(|object| object.side == side && object.in_play())
}

pub(crate) fn begin(phase: &str, state: &mut State) -> Vec<Owed> {
    match phase {
        _ if !state.owes() => Vec::new(),
        "home" => up(state)
            .filter(|squadron| squadron.number("rl") <= LAST_RANGE)
            .map(|squadron| {
                Owed::new("ditching", format!("{} has no more range and flies home", squadron.name))
                    .cast("squadron", &squadron.id)
            })
            .collect(),
        "end" => end(state),
        _ => Vec::new(),
    }
}

fn end(state: &mut State) -> Vec<Owed> {
    let mut due = Vec::new();
    if state.marks.get(CONTACT).and_then(Value::as_u64) == Some(state.turn.into())
        && let (Some(blue), Some(red)) = (carriers(state, 0), carriers(state, 1))
    {
        let why = "A carrier group has found the enemy: carriers that found carriers fight";
        due.push(Owed::new("surface-action", why).cast("blue", &blue.id).cast("red", &red.id));
    }
    // Who acted was launched in an earlier turn, and so loses range now. [Turn Sequence 3]
    for squadron in state.objects.iter_mut().filter(|object| object.marks.get(UP) == Some(&Value::Bool(true))) {
        let left = (squadron.number("rl") - 1).max(LAST_RANGE);
        squadron.value["rl"] = left.into();
    }
    if state.scenario().is_some() {
        due.push(Owed::new("victory", "The turn ends: has a side won?").fact("turn_finished", true));
    }
    due
}

pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, input: &Value, result: &Value, state: &mut State) {
    if !state.owes() {
        return;
    }
    if act == "detection" && input["searcher"] == "cv" && result["detected"] == true {
        state.marks.insert(CONTACT.to_owned(), state.turn.into());
    }
    let flew = match act {
        "strike" | "strike-group" | "aa-fire" | "air-combat" | "dogfight" | "path" => true,
        "ditching" => false,
        _ => return,
    };
    let taking_part = |id: &str| cast.values().flatten().any(|one| one == id);
    for squadron in state.objects.iter_mut().filter(|one| one.kind == "squadron" && taking_part(&one.id)) {
        squadron.marks.remove(UP);
        if flew {
            squadron.marks.insert(UP.to_owned(), true.into());
        }
        // Every squadron of a dogfight loses range. [Dogfight]
        for end in ["attackers", "defenders"].map(|side| &result[side][&squadron.name]["rl"]) {
            if act == "dogfight" && end.is_number() {
                squadron.value["rl"] = end.clone();
            }
        }
    }
}

/// Who is in the air.
pub(crate) fn remarks(state: &State) -> Vec<String> {
    up(state).map(|squadron| format!("{} is in the air, range {}", squadron.name, squadron.number("rl"))).collect()
}
