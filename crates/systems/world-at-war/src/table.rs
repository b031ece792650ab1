//! What the referee's table needs besides the rules: ships and units by name, what a ruling does to them and what comes
//! next, data cards and chart cards.

use crate::air::AirType;
use crate::charts::OddsColumn;
use crate::land_data::UnitValues;
use crate::messages::counted;
use crate::nation::Nation;
use crate::naval_data::NamedShip;
use crate::{Rules, rule};
use flagplot_referee::{Card, Chart, Figure, Fitting, FollowUp, LibraryItem, Pick, Section, plain_card};
use serde_json::{Value, json};

fn item(id: &str, name: impl Into<String>, kind: &str, value: Value) -> LibraryItem {
    LibraryItem { id: id.to_owned(), name: name.into(), kind: kind.to_owned(), value }
}

fn target(ship: &NamedShip) -> LibraryItem {
    item(&ship.id, &ship.name, "target", json!({"kind": ship.kind, "nation": ship.nation, "size": ship.size}))
}

pub(crate) fn in_fleet(ship: &NamedShip) -> LibraryItem {
    let value = json!({"id": ship.id, "kind": ship.kind, "nation": ship.nation, "size": ship.size});
    item(&ship.id, &ship.name, "ship", value)
}

fn unit(unit: &UnitValues) -> LibraryItem {
    let &UnitValues { nation, kind, .. } = unit;
    let id = format!("{nation}-{kind}");
    item(&id, format!("{} {kind}", nation.name()), "unit", json!({"id": id, "factors": unit.factors}))
}

/// Every named ship twice, as a target of an attack and as a ship of a fleet; and the ground units.
pub(crate) fn library(rules: &Rules) -> Vec<LibraryItem> {
    let ships = rules.ships.iter();
    ships.clone().map(target).chain(ships.map(in_fleet)).chain(rules.units.ground.iter().map(unit)).collect()
}

/// A ship in the other of her two forms.
pub(crate) fn aspects(object: &LibraryItem) -> Vec<LibraryItem> {
    let mut value = object.value.clone();
    let Value::Object(fields) = &mut value else { return Vec::new() };
    let kind = match object.kind.as_str() {
        "ship" => "target",
        "target" => "ship",
        _ => return Vec::new(),
    };
    fields.retain(|name, _| ["kind", "nation", "size", "damaged"].contains(&name.as_str()));
    if kind == "ship" {
        fields.insert("id".to_owned(), object.id.clone().into());
    }
    vec![LibraryItem { kind: kind.to_owned(), value, ..object.clone() }]
}

/// The ships of a ruling as it leaves them: damaged, or lost.
pub(crate) fn aftermath(procedure: &str, picks: &[Pick], result: &Value) -> Vec<LibraryItem> {
    let state = |pick: &Pick| -> Option<Value> {
        let parts: Vec<&str> = pick.path.split('.').collect();
        let at = |part: &str| part.parse::<usize>().ok();
        match (procedure, parts.as_slice()) {
            ("naval-attack", ["target"]) => Some(result["effect"]["state"].clone()),
            ("allocate-naval-losses", ["target"]) => Some(result["state"].clone()),
            ("air-strike", ["targets", n, "ship"]) => Some(result["attacks"].get(at(n)?)?["effect"]["state"].clone()),
            ("fleet-combat-round", ["sides", side, "ships", _]) => {
                Some(result["sides"].get(at(side)?)?["ships"][pick.item.id.as_str()].clone())
            }
            _ => None,
        }
    };
    let after = |pick: &Pick| {
        let state = state(pick)?;
        let mut after = pick.item.clone();
        match state.as_str()? {
            "damaged" => after.value["damaged"] = true.into(),
            "sunk" => after.kind = "lost".to_owned(),
            _ => {}
        }
        Some(after)
    };
    picks.iter().filter_map(after).collect()
}

/// What a ruling calls for next.
pub(crate) fn follow_ups(procedure: &str, input: &Value, result: &Value) -> Vec<FollowUp> {
    match procedure {
        "naval-search" => {
            let sides = result["sides"].as_array().into_iter().flatten().enumerate();
            let found = sides.filter(|(_, side)| side["groups_found"].as_u64().is_some_and(|groups| groups > 0));
            let follow = |(at, side): (usize, &Value)| {
                let (side_number, groups) = (at + 1, &side["groups_found"]);
                let why =
                    format!("Side {side_number} has found {groups} of the enemy's groups and may strike from the air");
                FollowUp::new(why, "air-strike").known("surprise_level", side["surprise_level"].clone())
            };
            found.map(follow).collect()
        }
        // A further round is fought with what is left, which is known where each side has one group.
        "air-combat" => {
            let left = |side: &str| {
                result[format!("{side}_losses")]["remaining"]
                    .as_u64()
                    .and_then(|left| u32::try_from(left).ok())
                    .unwrap_or(0)
            };
            let (attackers, defenders) = (left("attacker"), left("defender"));
            if attackers == 0 || defenders == 0 {
                return Vec::new();
            }
            let why = format!(
                "{} and {} are left for a further round",
                counted(attackers, "attacker"),
                counted(defenders, "defender")
            );
            let mut follow = FollowUp::new(why, "air-combat");
            for (field, left) in [("attackers", attackers), ("defenders", defenders)] {
                if let Some([only]) = input[field].as_array().map(Vec::as_slice) {
                    let mut group = only.clone();
                    group["count"] = left.into();
                    follow = follow.known(field, json!([group]));
                }
            }
            for field in ["unit", "role", "radar_results"] {
                if let Some(value) = input.get(field) {
                    follow = follow.known(field, value.clone());
                }
            }
            vec![follow]
        }
        _ => Vec::new(),
    }
}

fn count(value: &Value) -> u32 {
    value.as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or(0)
}

/// A group of air units, light ships or a ground unit, each with a box for every one of its factors.
fn other_card(item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
    let was = |field: &str| fresh.map_or_else(|| count(&item.value[field]), |fresh| count(&fresh.value[field]));
    let track = |label: &str, field: &str| {
        let now = count(&item.value[field]);
        Section::Track { label: label.to_owned(), now, most: was(field).max(now) }
    };
    let nation: Option<Nation> = serde_json::from_value(item.value["nation"].clone()).ok();
    let of = nation.map_or_else(String::new, |nation| format!(", {}", nation.name()));
    let kind = |field: &str| item.value[field].as_str().unwrap_or_default().replace('-', " ");
    let (subtitle, sections) = if item.value.get("count").is_some() {
        let air: Option<AirType> = serde_json::from_value(item.value["type"].clone()).ok();
        let elite = if item.value["elite"] == true { "elite " } else { "" };
        let what = kind("type");
        let label = air.map_or("factors", crate::tabletop::counted_as);
        (format!("{elite}{what}{of}"), vec![track(&capital(label), "count")])
    } else if item.value.get("destroyers").is_some() {
        let there = crate::tabletop::LIGHT.iter().filter(|(_, field)| was(field) > 0 || count(&item.value[*field]) > 0);
        (format!("light ships{of}"), there.map(|(label, field)| track(label, field)).collect())
    } else if item.value.get("factors").is_some() {
        let what = if item.value["kind"].is_string() { kind("kind") } else { "ground unit".to_owned() };
        let mut sections = vec![track("Factors", "factors")];
        if let Some(hex) = item.value["hex"].as_str() {
            sections.push(Section::Figures { label: "Place".to_owned(), figures: vec![Figure::new("Hex", hex, hex)] });
        }
        (format!("{what}{of}"), sections)
    } else {
        return plain_card(item, fresh);
    };
    Card { title: item.name.clone(), subtitle, stamp: None, sections }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// A ship with a box for each naval factor; anything else as a plain card.
pub(crate) fn card(rules: &Rules, item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
    let Some(ship) = rules.ship(item.origin()) else { return other_card(item, fresh) };
    let (damaged, lost) = (item.value["damaged"] == true, item.kind == "lost");
    let condition = match (lost, damaged) {
        (true, _) => "sunk",
        (false, true) => "damaged",
        (false, false) => "sound",
    };
    let speed = ship.speed.word();
    let mut figures = vec![
        Figure::new("Naval factors", ship.size, ship.size),
        Figure::new("Speed", speed, speed),
        Figure::new("Condition", condition, "sound"),
    ];
    if ship.capacity > 0 {
        figures.insert(2, Figure::new("Squadrons", ship.capacity, ship.capacity));
    }
    let left = if lost { 0 } else { ship.size };
    let boxes = Section::Track { label: "Naval factors".to_owned(), now: left, most: ship.size };
    let sides = [("sound side", damaged || lost), ("damaged side", lost)].map(|(name, lost)| Fitting {
        name: name.to_owned(),
        detail: String::new(),
        lost,
    });
    Card {
        title: ship.name.clone(),
        subtitle: format!("{}, {}, {}", ship.class, ship.kind.word().replace('-', " "), ship.nation.name()),
        stamp: lost.then(|| "sunk".to_owned()),
        sections: vec![
            boxes,
            Section::Figures { label: "Ship".to_owned(), figures },
            Section::Pieces { label: "Counter".to_owned(), pieces: sides.to_vec() },
        ],
    }
}

/// The five combat charts.
pub(crate) fn charts(rules: &Rules) -> Vec<Chart> {
    let charts = &rules.charts;
    let beyond = "Beyond the last row, read the last row as often as it fits, then the row of the remainder.";
    vec![
        Chart::of(&charts.attrition, "Attrition", rule::ATTRITION_TABLE)
            .note("The defender loses C counters and H hexes."),
        Chart::of(&charts.ground, "Ground combat", rule::COMBAT_TABLE).columns(OddsColumn::WORDS.iter().copied()).note(
            "A, a: the attacker loses all or half of the defense strength. Ex: an exchange. \
                 d, D: the defender loses half or all.",
        ),
        Chart::of(&charts.air_combat, "Air combat", rule::AIR_TABLE).note("Enemies eliminated / aborted.").note(beyond),
        Chart::of(&charts.air_defense, "Air defense", rule::AIR_DEFENSE_TABLE)
            .note("Attackers eliminated / aborted.")
            .note(beyond),
        Chart::of(&charts.naval_attack, "Naval attack", rule::NAVAL_TABLE).note("Hits.").note(beyond),
    ]
}
