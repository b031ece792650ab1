//! What the referee's table needs besides the rules: objects by name, the forms they have in inputs, what rulings
//! change of them and call for next, data cards and chart cards.

mod acts;
mod cards;
mod chains;
mod charts;
mod fitting;
mod forces;
pub mod tubes;
mod turn;
mod verdicts;

pub(crate) use acts::{acts, phases};
pub(crate) use cards::{card, correctable};
pub(crate) use chains::{aftermath, calls, follow_ups};
pub(crate) use charts::charts;
pub(crate) use fitting::{announce, before, carries, fit, parts, range};
pub(crate) use forces::{accept, corrected, derived, joined, muster, recruits};
pub(crate) use tubes::marked;
pub(crate) use turn::{after, begin, complete, gone, remarks, still_gone};
pub(crate) use verdicts::verdict;

use crate::System;
use crate::data::{ShipEntry, SpecialDirection};
use crate::derive::BatteryFacts;
use crate::ship::Ship;
use crate::words::{LightClass, ShipType};
use flagplot_referee::LibraryItem;
use serde_json::{Map, Value, json};
use std::sync::Arc;

fn item(id: &str, name: impl Into<String>, kind: &str, value: Value) -> LibraryItem {
    LibraryItem { id: id.to_owned(), name: name.into(), kind: kind.to_owned(), value }
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or(0)
}

fn count(value: &Value) -> u32 {
    u32::try_from(number(value)).unwrap_or(0)
}

/// A ship of the data with an ordinary crew.
pub(crate) fn fresh(system: &System, entry: &ShipEntry) -> Value {
    let (sheet, now) = entry.launch(0);
    serde_json::to_value(Ship::new(&system.rules, &Arc::new(sheet), now)).unwrap_or_default()
}

fn gun(ship: &ShipEntry, at: usize, battery: &BatteryFacts) -> LibraryItem {
    let name = format!("{}, {} battery, {} mm", ship.name, battery.group, battery.gun.calibre_mm);
    item(&format!("{}-battery-{at}", ship.id), name, "gun", json!(battery.gun))
}

/// Everything the data has to offer for inputs.
pub(crate) fn library(system: &System) -> Vec<LibraryItem> {
    let fleet = &system.fleet;
    let mut list: Vec<LibraryItem> =
        fleet.ships.iter().map(|ship| item(&ship.id, &ship.name, "ship", fresh(system, ship))).collect();
    list.extend(
        fleet
            .ships
            .iter()
            .flat_map(|ship| ship.facts.batteries.iter().enumerate().map(|(at, battery)| gun(ship, at, battery))),
    );
    list.extend(
        fleet
            .torpedoes
            .iter()
            .map(|torpedo| item(&torpedo.id, &torpedo.name, "torpedo", same(&json!(torpedo.ratings), &["ip", "cv"]))),
    );
    list.extend(fleet.bombs.iter().map(|bomb| item(&bomb.id, bomb.id.replace('-', " "), "bomb", json!(bomb.ratings))));
    list.extend(fleet.specials.iter().map(|special| {
        let value = json!({"ip": special.ip, "cv": special.cv, "pen": special.pen});
        item(&special.id, special.id.replace('-', " "), "bomb", value)
    }));
    list.extend(fleet.aircraft.iter().map(|aircraft| {
        let value = same(&json!(aircraft.ratings), &["hit_points", "intercept", "dogfight_1", "dogfight_2"]);
        item(&aircraft.id, &aircraft.name, "aircraft", value)
    }));
    list.extend(fleet.type_x.iter().map(|boat| {
        let value = json!({"class": "type-x", "speed": boat.speed, "save_modifier": boat.save_modifier});
        item(&boat.id, &boat.name, "small craft", value)
    }));
    list.extend(
        fleet
            .submarines
            .iter()
            .map(|boat| item(&boat.id, &boat.name, "submarine", json!({"f": boat.f, "f_max": boat.f}))),
    );
    list
}

/// Some fields of an object, under the names an input has for them.
fn part(value: &Value, fields: &[(&str, &str)]) -> Value {
    let pairs = fields.iter().filter_map(|(name, from)| Some(((*name).to_owned(), value.get(from)?.clone())));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// The same fields under their own names.
fn same(value: &Value, fields: &[&str]) -> Value {
    part(value, &fields.iter().map(|field| (*field, *field)).collect::<Vec<_>>())
}

/// The forms of an object in inputs. Those named after a procedure are inputs of it as far as the object knows them.
pub(crate) fn aspects(system: &System, object: &LibraryItem) -> Vec<LibraryItem> {
    let form = |kind: &str, value: Value| item(&object.id, &object.name, kind, value);
    match object.kind.as_str() {
        "ship" => {
            let ship = &object.value;
            let entry = system.fleet.ships.iter().find(|entry| entry.id == object.origin());
            let mut shooter = part(
                ship,
                &[("crew_quality", "crew_quality"), ("gunnery_modifier", "gm"), ("splash", "splash"), ("fc", "fc")],
            );
            shooter["amc"] = Value::Bool(entry.is_some_and(|entry| entry.facts.code == ShipType::Amc));
            let mut small = same(ship, &["size", "splash", "speed", "sv"]);
            small["class"] = match entry.map(|entry| entry.ratings.light_class) {
                Some(LightClass::A) => "a",
                Some(LightClass::C) => "c",
                _ => "other",
            }
            .into();
            let mut mover =
                part(ship, &[("size", "size"), ("max_speed", "speed"), ("sv", "sv"), ("crew_quality", "crew_quality")]);
            mover["merchant"] = Value::Bool(ship["kind"] == "merchant");
            vec![
                form("shooter", shooter),
                form("shooter", same(ship, &["crew_quality", "splash"])),
                form("target", small),
                form("target", same(ship, &["size", "splash", "speed", "sv"])),
                form("target", same(ship, &["size", "speed", "sv"])),
                form("target", same(ship, &["speed"])),
                form("mover", mover),
                form("collider", same(ship, &["size", "crew_quality"])),
                form("armour", ship["armour"].clone()),
                form(
                    "wreck-test",
                    same(
                        ship,
                        &["crew_quality", "dc", "fires", "poor_carrier_safety", "poor_underwater", "bad_weather"],
                    ),
                ),
                form("magazine-test", same(ship, &["unsafe_magazines"])),
                form("fuel-explosion-test", same(ship, &["rearming", "poor_carrier_safety"])),
                form("crew-test", same(ship, &["crew_quality"])),
                form(
                    "ship-morale",
                    part(
                        ship,
                        &[
                            ("s_max", "s_max"),
                            ("s_now", "s"),
                            ("f_max", "f_max"),
                            ("f_now", "f"),
                            ("crew_quality", "crew_quality"),
                            ("fires", "fires"),
                        ],
                    ),
                ),
                form("damage-control", same(ship, &["dc", "crew_quality", "fires"])),
                form("mine-transit", same(ship, &["size"])),
                form("aa-fire", same(ship, &["crew_quality", "splash"])),
                form("submarine-detection", same(ship, &["crew_quality"])),
                form(
                    "asw-attack",
                    same(
                        ship,
                        if ship["asw"].as_i64() > Some(0) {
                            &["asw", "crew_quality", "splash"]
                        } else {
                            &["crew_quality", "splash"]
                        },
                    ),
                ),
            ]
        }
        "torpedo" => {
            let entry = system.fleet.torpedoes.iter().find(|torpedo| torpedo.id == object.origin());
            let settings = entry.map_or(&[][..], |torpedo| torpedo.ratings.settings.as_slice());
            let setting = |speed: i32, value| {
                item(&object.id, format!("{} at {speed} knots", object.name), "torpedo-attack", value)
            };
            settings
                .iter()
                .map(|at| setting(at.speed_kn, json!({"max_band": at.max_band, "setting_modifier": at.modifier})))
                .collect()
        }
        "aircraft" => vec![form("target", same(&object.value, &["hit_points"]))],
        _ => Vec::new(),
    }
}

/// How a weapon rated by hand or a bomb strikes, where that is settled.
fn strikes(system: &System, id: &str) -> Option<&'static str> {
    let bomb = system.fleet.bombs.iter().find(|bomb| bomb.id == id).map(|bomb| bomb.direction.word());
    bomb.or_else(|| {
        system.fleet.specials.iter().find(|special| special.id == id).and_then(|special| match special.direction {
            SpecialDirection::Vertical => Some("vertical"),
            SpecialDirection::Horizontal => Some("horizontal"),
            SpecialDirection::Either => None,
        })
    })
}
