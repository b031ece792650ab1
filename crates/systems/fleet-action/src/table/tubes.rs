//! Torpedo tubes at a table: empty after a launch, and loaded again where the rules reload them. [5.5, C-38]

use super::number;
use crate::System;
use crate::game::moving::torpedoes::{RELOAD_TURNS, RELOADED};
use crate::geometry::bears;
use crate::words::{Arc as SeaArc, Station};
use flagplot_kernel::Refusal;
use flagplot_kernel::card::{Card, Fitting, Section};
use flagplot_referee::table::{Object, State};
use serde_json::{Value, json};

/// The version of a table from which it counts torpedoes.
pub(super) const COUNTED_FROM: u32 = 2;
/// The section of a ship's card that shows her tubes.
pub(super) const LABEL: &str = "Torpedo mounts";

/// A mount that can launch.
struct Mount {
    at: u64,
    tubes: i64,
    station: Option<Station>,
}

pub(super) fn counts(state: &State) -> bool {
    state.version() >= COUNTED_FROM
}

fn numbers(object: &Object, mark: &str) -> Vec<u64> {
    object.marks.get(mark).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64).collect()
}

fn mounts(object: &Object) -> &[Value] {
    object.value["torpedo_mounts"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The mounts that are neither lost nor empty and, where that is known, bear on the target.
fn loaded(object: &Object, bearing: Option<SeaArc>) -> Vec<Mount> {
    let empty = numbers(object, "empty");
    let mount = |(at, mount): (u64, &Value)| {
        let station = serde_json::from_value(mount["arc"].clone()).ok();
        let there = mount["lost"] != true && !empty.contains(&at);
        let turned = bearing.is_none_or(|arc| station.is_none_or(|station| bears(station, arc)));
        (there && turned).then(|| Mount { at, tubes: number(&mount["tubes"]), station })
    };
    (0..).zip(mounts(object)).filter_map(mount).collect()
}

/// The torpedoes that can be launched now; none if the sheet does not tell.
pub fn ready(object: &Object, bearing: Option<SeaArc>) -> Option<i64> {
    if object.kind == "small craft" {
        let each = object.marks.get("torpedoes")?;
        return Some(number(each) * number(&object.value["vessels"]));
    }
    (!mounts(object).is_empty()).then(|| loaded(object, bearing).iter().map(|mount| mount.tubes).sum())
}

/// Why so many torpedoes cannot be launched.
pub fn refused(object: &Object, wanted: i64, bearing: Option<SeaArc>) -> Option<Refusal> {
    let left = ready(object, bearing).filter(|left| wanted > *left || *left == 0)?;
    let name = &object.name;
    let text = match (left, ready(object, None)) {
        (0, Some(all)) if all > 0 => format!("No loaded tube of {name} bears on the target."),
        (0, _) => format!("The torpedo tubes of {name} are empty."),
        (1, _) => format!("{name} can launch 1 torpedo now."),
        _ => format!("{name} can launch {left} torpedoes now."),
    };
    Some(Refusal::new("no-tubes-bear", text).by(crate::rule::C_38).remedy("Launch fewer, or turn the ship."))
}

/// Empties the mounts that launched: those that bear first, in the order of the sheet.
pub fn launch(object: &mut Object, torpedoes: i64, bearing: Option<SeaArc>, turn: u32) {
    if object.kind == "small craft" {
        object.marks.insert("torpedoes".into(), 0.into());
        return;
    }
    let mut order = loaded(object, None);
    let turned = |mount: &Mount| bearing.is_some_and(|arc| mount.station.is_some_and(|station| bears(station, arc)));
    order.sort_by_key(|mount| !turned(mount));
    let (mut left, mut empty, done) = (torpedoes, numbers(object, "empty"), numbers(object, "reloaded"));
    let mut reloads = object.marks.get("reloads").and_then(Value::as_array).cloned().unwrap_or_default();
    let torpedo = object.marks.get("torpedo").and_then(Value::as_str).unwrap_or_default();
    let again = RELOADED.contains(&torpedo);
    for mount in order {
        if left <= 0 {
            break;
        }
        left -= mount.tubes;
        empty.push(mount.at);
        if again && !done.contains(&mount.at) {
            reloads.push(json!([mount.at, i64::from(turn) + i64::from(RELOAD_TURNS)]));
        }
    }
    object.marks.insert("empty".into(), json!(empty));
    if !reloads.is_empty() {
        object.marks.insert("reloads".into(), reloads.into());
    }
}

/// Tubes whose crews have had their turns are loaded at the end of one.
pub fn reload(object: &mut Object, turn: u32) {
    let Some(reloads) = object.marks.get("reloads").and_then(Value::as_array).cloned() else { return };
    let (due, later): (Vec<Value>, Vec<Value>) =
        reloads.into_iter().partition(|one| number(&one[1]) <= i64::from(turn));
    let due: Vec<u64> = due.iter().filter_map(|one| one[0].as_u64()).collect();
    let (mut empty, mut done) = (numbers(object, "empty"), numbers(object, "reloaded"));
    empty.retain(|at| !due.contains(at));
    done.extend(due);
    object.marks.insert("empty".into(), json!(empty));
    object.marks.insert("reloaded".into(), json!(done));
    object.marks.insert("reloads".into(), later.into());
}

/// When a ship's crew has loaded tubes again, in words.
pub fn remark(object: &Object) -> Option<String> {
    let reloads = object.marks.get("reloads").and_then(Value::as_array)?;
    let last = reloads.iter().map(|one| number(&one[1])).max()?;
    Some(format!("{} reloads her tubes until the end of turn {last}", object.name))
}

/// Small craft remember the torpedoes of each boat and what kind they are.
pub(super) fn joined(system: &System, object: &mut Object) {
    let origin = object.item().origin().to_owned();
    let boat = system.fleet.type_x.iter().find(|boat| boat.id == origin && object.kind == "small craft");
    if let Some((boat, torpedo)) = boat.and_then(|boat| Some((boat, boat.torpedo.as_ref()?))) {
        object.marks.insert("torpedo".into(), torpedo.clone().into());
        object.marks.insert("torpedoes".into(), boat.torpedoes_per_vessel.into());
    }
}

/// Shows on a card which tubes are empty.
pub(crate) fn marked(card: &mut Card, object: &Object) {
    let (empty, reloads) = (numbers(object, "empty"), object.marks.get("reloads").and_then(Value::as_array));
    let until = |at: u64| {
        let one = reloads.into_iter().flatten().find(|one| one[0] == at);
        one.map_or_else(|| "empty".to_owned(), |one| format!("empty, loaded after turn {}", one[1]))
    };
    for section in &mut card.sections {
        if let Section::Pieces { label, pieces } = section
            && label == LABEL
        {
            for at in empty.iter().copied() {
                if let Some(piece) = usize::try_from(at).ok().and_then(|at| pieces.get_mut(at)) {
                    piece.detail = format!("{}, {}", piece.detail, until(at));
                }
            }
        }
    }
    if let Some(each) = object.marks.get("torpedoes") {
        let pieces = vec![Fitting {
            name: "torpedoes of each boat".to_owned(),
            detail: number(each).to_string(),
            lost: number(each) == 0,
        }];
        card.sections.push(Section::Pieces { label: "Torpedoes".to_owned(), pieces });
    }
}
