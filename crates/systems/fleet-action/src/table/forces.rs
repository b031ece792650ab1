//! What can be put on a table: ships with their batteries, stands of aircraft, small craft, submarines.

use super::{fresh, item, number, same, tubes};
use crate::System;
use crate::data::{BaseKind, Scenario, ShipEntry, StandRole};
use crate::derive::{BatteryFacts, ShipFacts};
use crate::ship::{Ship, ShipObject};
use crate::words::*;
use flagplot_kernel::Refusal;
use flagplot_referee::table::{Object, Place};
use flagplot_referee::{Codes, LibraryItem, Shaped};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The aircraft of a stand unless it is told otherwise.
const USUAL_STAND: i32 = 9;
/// The boats of a stand unless it is told otherwise.
const USUAL_BOATS: i32 = 4;

/// Where a derived ship's sheet carries what the table remembers of her, until she joins it.
const MARKS: &str = "marks";
/// Since this version a derived ship is a merchant, an armed merchant or a small ship for the table, too.
const DERIVED_MARKS_FROM: u32 = 4;

/// A battery as the table remembers it beside the sheet.
fn battery(at: usize, facts: &BatteryFacts) -> Value {
    json!({"battery": at, "group": facts.group, "gun": facts.gun, "calibre_mm": facts.gun.calibre_mm})
}

/// What has to be remembered of a ship of the data beside her sheet.
fn ship_marks(system: &System, entry: &ShipEntry) -> Map<String, Value> {
    let mut marks = Map::new();
    let batteries: Vec<Value> =
        entry.facts.batteries.iter().enumerate().map(|(at, facts)| battery(at, facts)).collect();
    marks.insert("batteries".into(), batteries.into());
    marks.insert("amc".into(), (entry.facts.code == ShipType::Amc).into());
    marks.insert("merchant".into(), (entry.facts.code.kind() == Kind::Merchant).into());
    let class = match entry.ratings.light_class {
        LightClass::A => "a",
        LightClass::C => "c",
        _ => "other",
    };
    marks.insert("class".into(), class.into());
    marks.insert("aa_plus".into(), entry.ratings.aa_plus.into());
    if let Some(torpedo) = system.fleet.torpedoes.iter().find(|torpedo| Some(&torpedo.id) == entry.torpedo.as_ref()) {
        marks.insert("torpedo".into(), torpedo.id.clone().into());
    }
    marks
}

pub(super) fn stand(system: &System, id: &str, aircraft: i32) -> Option<LibraryItem> {
    let entry = system.fleet.aircraft.iter().find(|entry| entry.id == id)?;
    let mut value =
        same(&json!(entry.ratings), &["hit_points", "intercept", "dogfight_1", "dogfight_2", "acf_s", "acf_as"]);
    let fighter = value["intercept"].as_i64().unwrap_or(0) > 0;
    value["aircraft"] = aircraft.into();
    value["crew_quality"] = 0.into();
    value["flak"] = 0.into();
    value["role"] = if fighter { "fighter" } else { "other" }.into();
    Some(item(&entry.id, &entry.name, "stand", value))
}

fn boats(system: &System, id: &str, vessels: i32) -> Option<LibraryItem> {
    let boat = system.fleet.type_x.iter().find(|boat| boat.id == id)?;
    let value = json!({"class": "type-x", "speed": boat.speed, "save_modifier": boat.save_modifier, "vessels": vessels,
        "splash": 0});
    Some(item(&boat.id, &boat.name, "small craft", value))
}

pub(crate) fn recruits(system: &System) -> Vec<LibraryItem> {
    let fleet = &system.fleet;
    let ships = fleet.ships.iter().map(|ship| item(&ship.id, &ship.name, "ship", fresh(system, ship)));
    let stands = fleet.aircraft.iter().filter_map(|entry| stand(system, &entry.id, USUAL_STAND));
    let boats = fleet.type_x.iter().filter_map(|boat| boats(system, &boat.id, USUAL_BOATS));
    let submarines = fleet
        .submarines
        .iter()
        .map(|boat| item(&boat.id, &boat.name, "submarine", json!({"f": boat.f, "f_max": boat.f, "crew_quality": 0})));
    ships.chain(stands).chain(boats).chain(submarines).collect()
}

/// Remembers of new objects what is not on their sheets.
pub(crate) fn joined(system: &System, objects: &mut [Object], version: u32) {
    for object in objects {
        if let Some(entry) =
            system.fleet.ships.iter().find(|entry| entry.id == object.item().origin() && object.kind == "ship")
        {
            for (name, value) in ship_marks(system, entry) {
                object.marks.entry(name).or_insert(value);
            }
        }
        if version >= tubes::COUNTED_FROM {
            tubes::joined(system, object);
        }
        // What is remembered of a ship that was derived came with her sheet, and so did her guns.
        let marks = object.value.as_object_mut().and_then(|fields| fields.remove(MARKS));
        if let Some(first) = object.first.as_object_mut() {
            first.remove(MARKS);
        }
        if let Some(Value::Object(marks)) = marks.filter(|_| version >= DERIVED_MARKS_FROM) {
            object.marks.extend(marks);
        }
        if let Some(batteries) = object.value.as_object_mut().and_then(|fields| fields.remove("batteries")) {
            object.marks.insert("batteries".into(), batteries);
            if let Some(first) = object.first.as_object_mut() {
                first.remove("batteries");
            }
        }
        remember(object);
        object.marks.insert("counted".into(), true.into());
    }
}

/// What a turn begins with.
pub(super) fn remember(object: &mut Object) {
    for (mark, field) in [("f_before", "f"), ("s_before", "s"), ("before", "aircraft")] {
        if let Some(value) = object.value.get(field).cloned() {
            object.marks.insert(mark.to_owned(), value);
        }
    }
    object.marks.remove("tested");
}

/// A sheet of which one figure was corrected. The counts that follow from the mounts are made anew.
pub(crate) fn corrected(system: &System, mut item: LibraryItem, field: &str) -> Result<LibraryItem, Refusal> {
    if let Some(fields) = item.value.as_object_mut().filter(|_| item.kind == "ship") {
        for count in ["lrf", "main_lost", "other_lost", "torpedo_mounts_lost"] {
            if count != field {
                fields.remove(count);
            }
        }
    }
    accept(system, item)
}

/// A sheet of one's own, checked; it may bring its batteries along.
pub(crate) fn accept(system: &System, mut item: LibraryItem) -> Result<LibraryItem, Refusal> {
    if item.kind != "ship" {
        if item.value.is_object() && ["stand", "small craft", "submarine"].contains(&item.kind.as_str()) {
            return Ok(item);
        }
        return Err(Refusal::new(
            "bad-sheet",
            format!("{} is not a ship, a stand, small craft or a submarine.", item.name),
        ));
    }
    let batteries = item.value.as_object_mut().and_then(|fields| fields.remove("batteries"));
    let wrong = |refusal: Refusal| {
        let told = refusal
            .message
            .replace("ship.", "")
            .replace("ship needs the field", "it needs the figure")
            .replace('_', " ");
        Refusal::new("bad-sheet", format!("The sheet of {}: {told}", item.name))
            .remedy("A ship needs at least her flotation (f) and her structure (s).")
    };
    let status = item.value["status"].clone();
    let mut value = item.value.clone();
    // A lost ship is no ship of a request, but she has a sheet all the same.
    if let Some(fields) = value.as_object_mut() {
        fields.remove("status");
    }
    let value = ShipObject::shape().check(value, "ship", &Codes::default()).map_err(wrong)?;
    let object: ShipObject = serde_json::from_value(value)
        .map_err(|error| Refusal::new("bad-sheet", format!("The sheet of {} cannot be read: {error}.", item.name)))?;
    let ship = object.read(&system.rules, "ship").map_err(wrong)?;
    item.value = serde_json::to_value(ship).unwrap_or_default();
    if status.is_string() {
        item.value["status"] = status;
    }
    if let Some(batteries) = batteries {
        item.value["batteries"] = batteries;
    }
    Ok(item)
}

/// A ship from the figures of an encyclopaedia. [C-26]
pub(crate) fn derived(system: &System, name: &str, facts: Value) -> Result<LibraryItem, Refusal> {
    let wrong = |refusal: Refusal| Refusal {
        message: refusal
            .message
            .replace("facts.", "")
            .replace("facts needs the field", "The facts lack")
            .replace('_', " "),
        ..refusal
    };
    let facts = ShipFacts::shape().check(facts, "facts", &Codes::default()).map_err(wrong)?;
    let facts: ShipFacts = serde_json::from_value(facts)
        .map_err(|error| Refusal::new("bad-facts", format!("The facts of {name} cannot be read: {error}.")))?;
    facts.check().map_err(wrong)?;
    let ratings = facts.derive(&system.rules);
    let batteries: Vec<Value> = facts.batteries.iter().enumerate().map(|(at, facts)| battery(at, facts)).collect();
    let entry = ShipEntry {
        id: String::new(),
        name: name.to_owned(),
        class: name.to_owned(),
        navy: String::new(),
        flags: Vec::new(),
        radar: Vec::new(),
        searchlights: false,
        ship_planes: false,
        smoke: true,
        catapults: 0,
        torpedo: None,
        cargo: None,
        facts,
        ratings,
    };
    let (sheet, now) = entry.launch(0);
    let mut value = serde_json::to_value(Ship::new(&system.rules, &Arc::new(sheet), now)).unwrap_or_default();
    value["batteries"] = batteries.into();
    value[MARKS] = ship_marks(system, &entry).into();
    let id: String = name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    Ok(item(&format!("own-{}", id.trim_matches('-')), name, "ship", value))
}

fn side_of(side: SideName) -> u8 {
    match side {
        SideName::A => 0,
        SideName::B => 1,
    }
}

/// A squadron's id in words.
fn squadron_name(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// The forces of a scenario with their places, and its sides.
pub(crate) fn muster(system: &System, scenario: &Scenario) -> (Vec<Object>, [String; 2]) {
    let mut objects = Vec::new();
    for squadron in &scenario.squadron {
        let side = side_of(squadron.side);
        let group = squadron_name(&squadron.id);
        let mut add = |item: LibraryItem, place: Option<Place>, marks: &[(&str, Value)]| {
            let mut object = Object { group: group.clone(), place, ..Object::new(item, side) };
            object.marks.insert("command".into(), squadron.command.into());
            object.marks.extend(marks.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
            objects.push(object);
        };
        let at = |x: i32, y: i32, heading: i32| Some(Place { x: x.into(), y: y.into(), heading });
        for placed in &squadron.ships {
            let Some(entry) = system.fleet.ships.iter().find(|entry| entry.id == placed.ship) else { continue };
            let mut value = fresh(system, entry);
            value["crew_quality"] = placed.crew_quality.into();
            value["flag_officer"] = placed.flagship.into();
            value["rearming"] = placed.rearming.into();
            if placed.flagship {
                value["command"] = squadron.command.into();
            }
            if let Some(Value::Object(start)) = placed.start.map(|start| json!(start)) {
                start.into_iter().for_each(|(field, now)| value[field] = now);
            }
            let name = placed.name.as_ref().unwrap_or(&entry.name);
            let place = at(placed.x, placed.y, placed.heading);
            add(item(&entry.id, name, "ship", value), place, &[("speed", placed.speed.into())]);
        }
        for placed in &squadron.boats {
            if let Some(item) = boats(system, &placed.type_x, placed.vessels) {
                add(item, at(placed.x, placed.y, placed.heading), &[("speed", placed.speed.into())]);
            }
        }
        for placed in &squadron.submarines {
            if let Some(boat) = system.fleet.submarines.iter().find(|boat| boat.id == placed.submarine) {
                let value = json!({"f": boat.f, "f_max": boat.f, "crew_quality": placed.crew_quality});
                add(item(&boat.id, &placed.name, "submarine", value), None, &[]);
            }
        }
        for placed in squadron.bases.iter().filter(|base| base.kind == BaseKind::AirBase) {
            let value = json!({"kind": "air-base", "s": 60, "s_max": 60, "crew_quality": placed.crew_quality});
            if let Ok(item) = accept(system, item(&placed.id, &placed.name, "ship", value)) {
                add(item, at(placed.x, placed.y, 0), &[]);
            }
        }
        for placed in &squadron.stands {
            let Some(mut item) = stand(system, &placed.aircraft, placed.count) else { continue };
            item.value["crew_quality"] = placed.crew_quality.into();
            item.value["role"] = match placed.role {
                StandRole::Fighter => "fighter",
                StandRole::Loaded if number(&item.value["intercept"]) > 0 => "loaded-fighter-bomber",
                StandRole::Empty if number(&item.value["intercept"]) > 0 => "empty-fighter-bomber",
                _ => "other",
            }
            .into();
            let place = placed.x.zip(placed.y).and_then(|(x, y)| at(x, y, 0));
            add(item, place, &[]);
        }
    }
    (objects, [scenario.side_a.clone(), scenario.side_b.clone()])
}
