//! What the phases of a turn owe, and what rulings change beside the sheets.

use super::fitting::{bearing, counted, spoken};
use super::forces::remember;
use super::{number, tubes};
use crate::System;
use crate::words::Status;
use flagplot_kernel::plane::Point;
use flagplot_referee::table::{Kept, Object, Owed, State, gone_by_counts};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The fires from which armed aircraft are in danger. [C-19]
const FIRES_AMONG_AIRCRAFT: i64 = 3;
/// How far an explosion reaches. [C-18]
const EXPLOSION_REACH_MM: i64 = 50;

fn ships(state: &State) -> impl Iterator<Item = &Object> {
    state.objects.iter().filter(|object| object.kind == "ship" && object.in_play())
}

fn mood(object: &Object) -> &str {
    object.marks.get("mood").and_then(Value::as_str).unwrap_or("steady")
}

/// The members that a squadron had at first, had when the turn began, and has.
pub(super) fn strength(state: &State, member: &Object) -> (i64, i64, i64) {
    let same = |other: &&Object| {
        other.side == member.side && other.group == member.group && ["ship", "stand"].contains(&other.kind.as_str())
    };
    let counts = |other: &&Object| other.in_play() && mood(other) != "broken";
    let all: Vec<&Object> = state.objects.iter().filter(same).collect();
    let now = all.iter().filter(|other| counts(other)).count() as i64;
    let before = all.iter().filter(|other| other.marks.get("counted") == Some(&Value::Bool(true))).count() as i64;
    (all.len() as i64, before, now)
}

/// The items of a ship that teams can repair, worst first. [C-20]
fn repairs(ship: &Object) -> Vec<&'static str> {
    let worse = |field: &str| ship.number(field) < ship.first[field].as_i64().unwrap_or(0);
    let mut list = Vec::new();
    if ship.value["power_failed"] == true {
        list.push("power");
    }
    for (item, field) in [("sv", "sv"), ("fc", "fc"), ("speed", "speed"), ("h", "h")] {
        if worse(field) {
            list.push(item);
        }
    }
    list
}

fn damage_control(ship: &Object) -> Option<Owed> {
    let (teams, fires, damage) = (ship.number("dc"), ship.number("fires"), repairs(ship));
    if teams == 0 || fires == 0 && damage.is_empty() || ship.value["kind"] == "air-base" {
        return None;
    }
    let owed =
        Owed::new("damage-control", format!("The teams of {} have work to do", ship.name)).cast("ship", &ship.id);
    Some(match damage.first() {
        _ if fires > 0 => owed.fact("teams_on_fires", teams),
        Some(item) => owed.fact("repairs", json!([{"item": item, "teams": teams}])),
        None => owed,
    })
}

/// Whether a figure fell to a third, or to nothing, this turn. [12.3]
fn fell(ship: &Object, now: &str, most: &str, before: &str) -> bool {
    let (now, most) = (ship.number(now), ship.number(most));
    let before = ship.marks.get(before).map_or(now, number);
    3 * before > most && 3 * now <= most || before > 0 && now == 0
}

fn morale(state: &State) -> Vec<Owed> {
    let mut due = Vec::new();
    for ship in ships(state).filter(|ship| fell(ship, "s", "s_max", "s_before") || fell(ship, "f", "f_max", "f_before"))
    {
        due.push(Owed::new("ship-morale", format!("{} was badly hurt this turn", ship.name)).cast("ship", &ship.id));
    }
    let mut squadrons: Vec<(u8, &str)> = Vec::new();
    for ship in ships(state).filter(|ship| !ship.group.is_empty()) {
        if squadrons.contains(&(ship.side, &ship.group)) {
            continue;
        }
        squadrons.push((ship.side, &ship.group));
        let (original, before, now) = strength(state, ship);
        if now < before && now > 0 && 2 * now <= original {
            let mut owed = Owed::new("squadron-morale", format!("{} has lost members this turn", ship.group));
            for member in ships(state).filter(|other| other.side == ship.side && other.group == ship.group) {
                owed = owed.cast("ships", &member.id);
            }
            due.push(owed);
        }
    }
    for stand in state.objects.iter().filter(|object| object.kind == "stand" && object.in_play()) {
        let now = stand.number("aircraft");
        let before = stand.marks.get("before").map_or(now, number);
        if now < before && now > 0 && 3 * now <= stand.first["aircraft"].as_i64().unwrap_or(0) {
            due.push(
                Owed::new("stand-morale", format!("{} lost aircraft this turn", stand.name)).cast("stand", &stand.id),
            );
        }
    }
    // A ship that is tested this turn does not rally. [C-48]
    let tested = |ship: &&Object| !due.iter().any(|owed| owed.cast.values().flatten().any(|id| *id == ship.id));
    let rally: Vec<Owed> = ships(state)
        .filter(|ship| mood(ship) == "shaken")
        .filter(tested)
        .map(|ship| Owed::new("rally", format!("{} is shaken and may rally", ship.name)).cast("ship", &ship.id))
        .collect();
    due.extend(rally);
    due
}

pub(crate) fn begin(phase: &str, state: &mut State) -> Vec<Owed> {
    match phase {
        "initiative" => {
            let counts: Vec<bool> =
                state.objects.iter().map(|object| object.in_play() && mood(object) != "broken").collect();
            for (object, counts) in state.objects.iter_mut().zip(counts) {
                remember(object);
                object.marks.insert("counted".into(), counts.into());
            }
            vec![Owed::new("initiative", "Both sides roll for the initiative")]
        }
        "damage-control" => ships(state).filter_map(damage_control).collect(),
        "fires" => {
            let burns = ships(state)
                .filter(|ship| ship.number("fires") > 0)
                .map(|ship| Owed::new("burn", format!("Fires burn aboard {}", ship.name)).cast("ship", &ship.id));
            let fuel = ships(state)
                .filter(|ship| {
                    ship.value["kind"] == "carrier"
                        && ship.number("fires") >= FIRES_AMONG_AIRCRAFT
                        && ship.number("rearming") > 0
                })
                .map(|ship| {
                    Owed::new("fuel", format!("Fires reach the aircraft being armed aboard {}", ship.name))
                        .cast("ship", &ship.id)
                        .fact("cv", ship.number("fires"))
                });
            burns.chain(fuel).collect()
        }
        "morale" => morale(state),
        "end" => {
            for object in &mut state.objects {
                for marker in ["splash", "flak"] {
                    if object.value.get(marker).is_some() {
                        object.value[marker] = 0.into();
                    }
                }
                tubes::reload(object, state.turn);
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn lower(object: &mut Object, steps: i64) {
    for _ in 0..steps {
        let next = if mood(object) == "steady" { "shaken" } else { "broken" };
        object.marks.insert("mood".into(), next.into());
    }
}

/// What a ruling changes beside the sheets of its objects: moods, places, the initiative.
pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, input: &Value, result: &Value, state: &mut State) {
    let ids = |role: &str| cast.get(role).cloned().unwrap_or_default();
    let first = |role: &str| ids(role).into_iter().next().unwrap_or_default();
    if number(&result["explosion_dice"]) > 0 {
        let centre = [first("ship"), first("target")].into_iter().find(|id| !id.is_empty()).unwrap_or_default();
        let centre =
            if ["salvo", "hit"].contains(&act) && !first("target").is_empty() { first("target") } else { centre };
        state.marks.insert("explosion".into(), centre.into());
    }
    let bearing = (act == "torpedoes" && tubes::counts(state))
        .then(|| bearing(state.object(&first("shooter"))?, state.object(&first("target"))?));
    let (turn, owes) = (state.turn, state.owes());
    let mut change = |id: &str, change: &mut dyn FnMut(&mut Object)| {
        if let Some(object) = state.objects.iter_mut().find(|object| object.id == id) {
            change(object);
        }
    };
    match act {
        "initiative" => {
            state.marks.insert("initiative".into(), result["winner"].clone());
        }
        "ship-morale" => change(&first("ship"), &mut |ship| {
            lower(ship, number(&result["failures"]));
            ship.marks.insert("tested".into(), true.into());
        }),
        "squadron-morale" if number(&result["failures"]) > 0 => {
            ids("ships").iter().for_each(|id| change(id, &mut |ship| lower(ship, 1)));
        }
        "stand-morale" if number(&result["failures"]) > 0 => {
            change(&first("stand"), &mut |stand| "turned for home".clone_into(&mut stand.gone));
        }
        "rally" if result["passed"] == true => {
            change(&first("ship"), &mut |ship| drop(ship.marks.insert("mood".into(), "steady".into())));
        }
        "move" => change(&first("ship"), &mut |ship| {
            if let (Some(x), Some(y)) = (result["x"].as_i64(), result["y"].as_i64()) {
                let heading = i32::try_from(number(&result["heading"])).unwrap_or(0);
                ship.place = Some(flagplot_referee::table::Place { x, y, heading });
            }
            ship.marks.insert("speed".into(), input["speed"].clone());
        }),
        "collide" if owes && result["avoided"] == false => {
            for role in ["moving", "other"] {
                change(&first(role), &mut |ship| drop(ship.marks.insert("speed".into(), 0.into())));
            }
        }
        "torpedoes" => {
            if let Some(bearing) = bearing {
                let torpedoes = number(&input["torpedoes"]);
                change(&first("shooter"), &mut |ship| tubes::launch(ship, torpedoes, bearing, turn));
            }
        }
        "flak" => change(&first("target"), &mut |stand| {
            stand.value["aircraft"] = result["aircraft"].clone();
            stand.value["flak"] = result["flak"].clone();
            shot_down(stand);
        }),
        "dogfight" => {
            for (role, left) in [("attacker", "attacker_left"), ("defender", "defender_left")] {
                change(&first(role), &mut |stand| {
                    stand.value["aircraft"] = result[left].clone();
                    shot_down(stand);
                });
            }
        }
        "depth-charges" => change(&first("submarine"), &mut |boat| {
            boat.value["f"] = result["f"].clone();
            if result["sunk"] == true {
                "sunk".clone_into(&mut boat.gone);
            }
        }),
        "boats" | "light-guns" | "strafe" => change(&first("target"), &mut |target| {
            if target.kind == "small craft" {
                for field in ["vessels", "splash"] {
                    if let Some(value) = result.get(field).filter(|value| value.is_number()) {
                        target.value[field] = value.clone();
                    }
                }
                if number(&target.value["vessels"]) == 0 {
                    "sunk".clone_into(&mut target.gone);
                }
            }
        }),
        "to-hit" if result["hit"] == true => {
            change(&first("target"), &mut |ship| ship.value["splash"] = (ship.number("splash") + 1).into());
        }
        _ => {}
    }
}

fn shot_down(stand: &mut Object) {
    if number(&stand.value["aircraft"]) == 0 {
        "shot down".clone_into(&mut stand.gone);
    }
}

/// Why an object is no longer in play.
pub(crate) fn gone(object: &Object) -> String {
    match object.value["status"].as_str() {
        Some("afloat") | None => object.gone.clone(),
        Some(status) => status.to_owned(),
    }
}

/// What became of an object whose sheet was corrected.
pub(crate) fn still_gone(object: &Object) -> String {
    let by_status = Status::ALL.iter().any(|status| object.gone == status.word());
    match object.kind.as_str() {
        "ship" if object.value["status"] == "afloat" && by_status => String::new(),
        "ship" => gone(object),
        "stand" => gone_by_counts(object, &["aircraft"], "shot down"),
        "small craft" => gone_by_counts(object, &["vessels"], "sunk"),
        _ => gone_by_counts(object, &["f"], "sunk"),
    }
}

/// Ships near an explosion are found on the map; without one the referee tells them. False: nothing is near.
pub(crate) fn complete(owed: &mut Owed, state: &State) -> bool {
    if owed.act != "collateral" {
        return true;
    }
    let centre = state.marks.get("explosion").and_then(Value::as_str).and_then(|id| state.object(id));
    let Some((centre, at)) = centre.and_then(|centre| Some((centre, centre.place?))) else { return true };
    let near = |ship: &&Object| {
        ship.id != centre.id
            && ship.place.is_some_and(|place| {
                Point::new(at.x, at.y).ceil_dist(Point::new(place.x, place.y)) <= EXPLOSION_REACH_MM
            })
    };
    let ids: Vec<String> = ships(state).filter(near).map(|ship| ship.id.clone()).collect();
    let there = !ids.is_empty();
    owed.cast.insert("ships".into(), ids);
    there
}

/// What the table remembers, in words.
pub(crate) fn remarks(_: &System, state: &State) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(side) = state.marks.get("initiative").and_then(Value::as_str) {
        let at = usize::from(side == "b");
        said.push(format!("{} has the initiative", state.sides[at]));
    }
    let kept = Kept(state);
    if kept.of_table("night").is_some() {
        said.push("It is night".to_owned());
    }
    if let Some(bands) = kept.of_table("tvr").and_then(Value::as_i64) {
        said.push(format!("Visibility is {}", counted(bands, "range band", "range bands")));
    }
    for ships in kept.of_casts("obscured") {
        let names: Vec<&str> = ships.iter().map(|ship| ship.name.as_str()).collect();
        said.push(format!("Smoke, weather or land between {}", names.join(" and ")));
    }
    for object in state.objects.iter().filter(|object| object.in_play() && mood(object) != "steady") {
        said.push(format!("{} is {}", object.name, spoken(&json!(mood(object)))));
    }
    said.extend(state.objects.iter().filter(|object| object.in_play()).filter_map(tubes::remark));
    said
}
