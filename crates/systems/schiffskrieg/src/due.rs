//! What a combat round owes at a referee's table: its action, results that take effect together, retreat and delay.

use crate::data::{Scenario, Stage, StageKind};
use flagplot_kernel::Side;
use flagplot_referee::table::{Object, Owed, State};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The rounds that a battle has at most.
const ROUNDS: u32 = 2;
/// The mark of a table: the action of the round.
pub(crate) const ACTION: &str = "action";
/// The mark of a table whose battle is over.
const OVER: &str = "over";
/// The marks of a counter: what it took in this round, and that it waits in a Delay Box.
pub(crate) const POINTS: &str = "damage_points";
pub(crate) const DISABLED: &str = "disabled_results";
const WAITS: &str = "waits";
/// What is said of a ship in the Delay Box.
const DELAYED: &str = "in the Delay Box";

fn in_line(state: &State, side: u8) -> impl Iterator<Item = &Object> {
    state.objects.iter().filter(move |object| object.side == side && object.in_play())
}

/// The only battle of the scenario on the table.
fn battle<'a>(scenarios: &'a [Scenario], state: &State) -> Option<&'a Stage> {
    let scenario = scenarios.iter().find(|known| Some(known.id.as_str()) == state.scenario())?;
    match scenario.stages.as_slice() {
        [only] if matches!(only.kind, StageKind::Battle { .. }) => Some(only),
        _ => None,
    }
}

fn cast(owed: Owed, role: &str, counters: impl Iterator<Item = String>) -> Owed {
    counters.fold(owed, |owed, id| owed.cast(role, &id))
}

fn light(scenarios: &[Scenario], state: &mut State) -> Vec<Owed> {
    state.marks.remove(ACTION);
    if state.marks.contains_key(OVER) || (0..2).any(|side| in_line(state, side).next().is_none()) {
        return Vec::new();
    }
    let owed = Owed::new("day-night", "The factions choose day or night");
    let Some(stage) = battle(scenarios, state) else { return vec![owed] };
    let StageKind::Battle { all_sea, nearest_air_base, fixed_actions, .. } = &stage.kind else { return vec![owed] };
    let round = (state.turn.max(1) - 1) as usize;
    if let Some(action) = fixed_actions.get(round).copied().flatten() {
        state.marks.insert(ACTION.to_owned(), json!(action));
        return Vec::new();
    }
    let base = |side: Side| json!(nearest_air_base[side]);
    vec![
        owed.fact("all_sea", *all_sea)
            .fact("phasing.nearest_air_base", base(stage.phasing))
            .fact("non_phasing.nearest_air_base", base(stage.phasing.other())),
    ]
}

fn retreat(scenarios: &[Scenario], state: &State) -> Vec<Owed> {
    if state.marks.contains_key(OVER) || state.turn > ROUNDS || state.objects.is_empty() {
        return Vec::new();
    }
    let phasing = battle(scenarios, state).map_or(0, |stage| stage.phasing.index() as u8);
    let both = (0..2).all(|side| in_line(state, side).next().is_some());
    let why = if state.turn < ROUNDS && both { "A faction may retreat" } else { "Who holds the hex is settled" };
    let ids = |side: u8| in_line(state, side).map(|object| object.id.clone()).collect::<Vec<_>>().into_iter();
    let owed = cast(Owed::new("retreat", why), "phasing", ids(phasing));
    vec![cast(owed, "non-phasing", ids(1 - phasing)).fact("rounds_fought", state.turn)]
}

fn delay(state: &State) -> Vec<Owed> {
    let waiting = |side: u8| {
        let here = |object: &&Object| object.side == side && object.marks.get(WAITS) == Some(&Value::Bool(true));
        let ids: Vec<String> = state.objects.iter().filter(here).map(|object| object.id.clone()).collect();
        let why = format!("{} rolls for its Delay Boxes", state.sides[usize::from(side)]);
        (!ids.is_empty()).then(|| cast(Owed::new("delay", why), "counters", ids.into_iter()))
    };
    (0..2).filter_map(waiting).collect()
}

pub(crate) fn begin(scenarios: &[Scenario], phase: &str, state: &mut State) -> Vec<Owed> {
    match phase {
        _ if !state.owes() => Vec::new(),
        "light" => light(scenarios, state),
        "retreat" => retreat(scenarios, state),
        "delay" => delay(state),
        _ => Vec::new(),
    }
}

/// Notes what a counter takes; the boxes are filled when all have attacked. [Sequence 4, R-11, R-12]
fn takes(state: &mut State, target: &str, result: &Value) {
    let Some(object) = state.objects.iter_mut().find(|object| object.id == target) else { return };
    let mut any = false;
    for field in [POINTS, DISABLED] {
        // Nothing disables an air unit. [Results]
        let spared = field == DISABLED && object.value["kind"] == "lba";
        let more = if spared { 0 } else { result[field].as_u64().unwrap_or(0) };
        let before = object.marks.get(field).and_then(Value::as_u64).unwrap_or(0);
        any |= more > 0;
        object.marks.insert(field.to_owned(), (before + more).into());
    }
    if !any {
        return;
    }
    state.owed.retain(|owed| owed.act != "boxes");
    let hurt = |object: &&Object| {
        let some = |field: &str| object.marks.get(field).and_then(Value::as_u64).is_some_and(|n| n > 0);
        object.in_play() && (some(POINTS) || some(DISABLED))
    };
    let ids: Vec<String> = state.objects.iter().filter(hurt).map(|object| object.id.clone()).collect();
    state.owe(cast(Owed::new("boxes", "The results of the round take effect"), "units", ids.into_iter()));
}

/// Puts a counter where its fate says.
pub(crate) fn settle(object: &mut Object, fate: &Value) {
    for field in [POINTS, DISABLED] {
        object.marks.remove(field);
    }
    let gone = match fate["destination"].as_str() {
        Some("naval-warfare-delay-box") => DELAYED,
        Some("delay-box") => {
            object.value["damaged"] = false.into();
            "destroyed"
        }
        _ => return,
    };
    gone.clone_into(&mut object.gone);
    object.marks.insert(WAITS.to_owned(), true.into());
}

pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, result: &Value, state: &mut State) {
    let ids = |role: &str| cast.get(role).map(Vec::as_slice).unwrap_or_default();
    match act {
        "attack" => ids("target").iter().for_each(|id| takes(state, id, result)),
        "day-night" => drop(state.marks.insert(ACTION.to_owned(), result["action"].clone())),
        "retreat" if result["battle_over"] == true => drop(state.marks.insert(OVER.to_owned(), true.into())),
        "delay" => {
            for object in state.objects.iter_mut().filter(|object| ids("counters").contains(&object.id)) {
                object.marks.remove(WAITS);
            }
        }
        _ => {}
    }
}

/// What a counter has taken in this round so far, as a figure of its card.
pub(crate) fn taken(object: &Object) -> Option<String> {
    let n = |field: &str| object.marks.get(field).and_then(Value::as_u64).unwrap_or(0);
    let points = match n(POINTS) {
        0 => None,
        1 => Some("1 damage point".to_owned()),
        n => Some(format!("{n} damage points")),
    };
    match (points, n(DISABLED) > 0) {
        (points, false) => points,
        (None, true) => Some("disabled".to_owned()),
        (Some(points), true) => Some(format!("{points}, disabled")),
    }
}

/// What the table remembers of the round.
pub(crate) fn remarks(state: &State) -> Vec<String> {
    let mut said = Vec::new();
    match state.marks.get(ACTION).and_then(Value::as_str) {
        Some("day") => said.push("Day Action: aircraft and torpedoes attack".to_owned()),
        Some("night") => said.push("Night Action: guns and torpedoes attack".to_owned()),
        _ => {}
    }
    let hurt = state.objects.iter().filter(|object| object.in_play());
    said.extend(hurt.filter_map(|object| Some(format!("{}: {} in this round", object.name, taken(object)?))));
    said
}
