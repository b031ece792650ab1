//! What sheets and map tell of an act's input, what comes before an act, and the words for it.

use super::acts::YARDS_PER_MM;
use super::{number, part, same, tubes};
use crate::System;
use crate::geometry::{Position, arc, bears, intervenes};
use crate::words::{Arc as SeaArc, Station};
use flagplot_kernel::Refusal;
use flagplot_referee::table::{Before, Cast, Kept, Known, Object, Part};
use serde_json::{Value, json};

/// The most torpedoes of one launch.
const MOST_TORPEDOES: i64 = 40;

/// A number of metres with a space between the thousands.
pub(super) fn metres(mm: i64) -> String {
    // 1 mm is 20 yards, and a yard 0.9144 metres; a hundred metres are exact enough to say.
    let metres = (mm * YARDS_PER_MM * 9144 + 5_000) / 10_000;
    let rounded = if metres >= 1000 { (metres + 50) / 100 * 100 } else { metres };
    let text = rounded.to_string();
    let (head, tail) = text.split_at(text.len().saturating_sub(3));
    if head.is_empty() { format!("{tail} m") } else { format!("{head},{tail} m") }
}

fn position(object: &Object) -> Option<Position> {
    let place = object.place?;
    serde_json::from_value(json!({"x": place.x, "y": place.y, "heading": place.heading / 15 * 15})).ok()
}

/// The batteries of a ship, each with the guns that are left.
pub(crate) fn parts(system: &System, act: &str, object: &Object) -> Vec<Part> {
    match act {
        "torpedoes" => {
            settings(system, object).iter().map(|(id, name, ..)| Part { id: id.clone(), name: name.clone() }).collect()
        }
        "air-attack" => loads(system, object)
            .into_iter()
            .map(|(id, attack, ordnance)| Part {
                id,
                name: format!("{}: {}", attack.replace('-', " "), ordnance.replace('-', " ")),
            })
            .collect(),
        _ => batteries(object)
            .into_iter()
            .filter(|battery| battery.guns > 0)
            .map(|battery| Part { id: battery.id, name: battery.name })
            .collect(),
    }
}

struct Guns {
    id: String,
    name: String,
    gun: Value,
    calibre: i64,
    guns: i64,
    /// The stations of the mounts that are left, each with its guns.
    mounts: Vec<(Station, i64)>,
}

fn batteries(object: &Object) -> Vec<Guns> {
    let known = object.marks.get("batteries").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let guns = |one: &Value| {
        let main = one["group"] == "main";
        let list = &object.value[if main { "main_mounts" } else { "other_mounts" }];
        let mounts: Vec<(Station, i64)> = list
            .as_array()
            .into_iter()
            .flatten()
            .filter(|mount| mount["battery"] == one["battery"] && mount["lost"] != true)
            .filter_map(|mount| Some((serde_json::from_value(mount["arc"].clone()).ok()?, number(&mount["guns"]))))
            .collect();
        let (left, calibre) = (mounts.iter().map(|(_, guns)| guns).sum(), number(&one["calibre_mm"]));
        let group = if main { "main battery" } else { "secondary guns" };
        Guns {
            id: number(&one["battery"]).to_string(),
            name: format!("{} × {calibre} mm {group}", left),
            gun: one["gun"].clone(),
            calibre,
            guns: left,
            mounts,
        }
    };
    known.iter().map(guns).collect()
}

fn chosen(object: &Object, part: Option<&str>) -> Option<Guns> {
    let mut all: Vec<Guns> = batteries(object).into_iter().filter(|battery| battery.guns > 0).collect();
    let at = match part {
        Some(part) => all.iter().position(|battery| battery.id == part)?,
        None if all.len() == 1 => 0,
        None => return None,
    };
    Some(all.swap_remove(at))
}

/// The speed settings of the torpedoes aboard: id, name, last band, modifier.
fn settings(system: &System, object: &Object) -> Vec<(String, String, i32, i32)> {
    let id = object.marks.get("torpedo").and_then(Value::as_str).unwrap_or_default();
    let torpedo = system.fleet.torpedoes.iter().find(|torpedo| torpedo.id == id);
    torpedo.map_or_else(Vec::new, |torpedo| {
        let all = torpedo.ratings.settings.iter().enumerate();
        all.map(|(at, setting)| {
            let name = format!("{} at {} knots", torpedo.name, setting.speed_kn);
            (at.to_string(), name, setting.max_band, setting.modifier)
        })
        .collect()
    })
}

/// The loads of a stand: id, attack, ordnance.
fn loads(system: &System, object: &Object) -> Vec<(String, String, String)> {
    let origin = object.item().origin().to_owned();
    let entry = system.fleet.aircraft.iter().find(|entry| entry.id == origin);
    let load =
        |(at, load): (usize, &crate::data::Load)| (at.to_string(), load.attack.to_string(), load.ordnance.clone());
    entry.map_or_else(Vec::new, |entry| entry.loads.iter().enumerate().map(load).collect())
}

/// What aircraft attack with.
pub(crate) fn carries(system: &System, act: &str, cast: &Cast<'_>) -> Vec<(String, String)> {
    let Some(stand) = cast.one("stand").filter(|_| act == "air-attack") else { return Vec::new() };
    let all = loads(system, stand);
    let at = cast.part.map_or(0, |part| all.iter().position(|(id, ..)| id == part).unwrap_or(0));
    all.into_iter().nth(at).map(|(_, _, ordnance)| ("weapon".to_owned(), ordnance)).into_iter().collect()
}

/// The arc of one object in which another stands, if both stand on the map.
pub(super) fn bearing(from: &Object, to: &Object) -> Option<SeaArc> {
    Some(arc(position(from)?, position(to)?.at.point()))
}

/// What a line on the map tells.
struct Measured {
    range_mm: i64,
    /// Where the shooter has the target.
    bearing: SeaArc,
    /// Where the target has the shooter.
    aspect: SeaArc,
    between: usize,
}

fn measured(cast: &Cast<'_>, from: &Object, to: &Object) -> Option<Measured> {
    let (a, b) = (position(from)?, position(to)?);
    let (here, there) = (a.at.point(), b.at.point());
    let others =
        cast.state.objects.iter().filter(|other| other.kind == "ship" && other.id != from.id && other.id != to.id);
    let blocks = |other: &&Object| {
        let size = i32::try_from(other.number("size")).unwrap_or(0);
        (other.in_play() || other.gone == "wreck")
            && position(other).is_some_and(|at| intervenes(here, there, at.at.point(), size))
    };
    Some(Measured {
        range_mm: here.ceil_dist(there),
        bearing: arc(a, there),
        aspect: arc(b, here),
        between: others.filter(blocks).count(),
    })
}

/// An object where it was told to stand, for a ship that is being moved.
fn told_place(cast: &Cast<'_>, role: &str) -> Option<Object> {
    let mut object = cast.one(role)?.clone();
    if let Some(place) = cast.told.get(role).and_then(|told| serde_json::from_value(told.clone()).ok()) {
        object.place = Some(place);
    }
    Some(object)
}

/// A line on the map in words: the range, where the target bears, the guns that bear on it, what stands in between.
fn measurement(cast: &Cast<'_>) -> Option<String> {
    let (from, to) = (told_place(cast, "shooter")?, told_place(cast, "target")?);
    let line = measured(cast, &from, &to)?;
    let guns = batteries(&from).into_iter().filter(|battery| battery.guns > 0).map(|battery| {
        let bear = battery.mounts.iter().filter(|(station, _)| bears(*station, line.bearing));
        format!("{} of {} × {} mm bear", bear.map(|(_, guns)| guns).sum::<i64>(), battery.guns, battery.calibre)
    });
    let mut said = vec![
        format!("{} to {}: {} ({} mm)", from.name, to.name, metres(line.range_mm), line.range_mm),
        format!("in the {} arc", spoken(&json!(line.bearing))),
        format!("target's {}", spoken(&json!(line.aspect))),
    ];
    said.extend(guns);
    if line.between > 0 {
        said.push(format!("{} in between", counted(line.between as i64, "ship", "ships")));
    }
    Some(said.join(", "))
}

fn line(known: &mut Vec<Known>, cast: &Cast<'_>, from: Option<&Object>, to: Option<&Object>) -> Option<Measured> {
    let measured = measured(cast, from?, to?)?;
    known.push(Known::map("range_mm", measured.range_mm));
    Some(measured)
}

fn sheet(path: &str, value: Value) -> Known {
    Known::sheet(path, value)
}

/// The fields of a shooter's sheet that gunnery asks for.
fn shooter(object: &Object) -> Value {
    let mut shooter = part(
        &object.value,
        &[("crew_quality", "crew_quality"), ("gunnery_modifier", "gm"), ("splash", "splash"), ("fc", "fc")],
    );
    shooter["amc"] = object.marks.get("amc").cloned().unwrap_or(Value::Bool(false));
    shooter
}

fn small_target(object: &Object) -> Value {
    if object.kind == "small craft" {
        return same(&object.value, &["class", "speed", "save_modifier", "vessels", "splash"]);
    }
    let mut target = same(&object.value, &["size", "splash", "sv"]);
    target["class"] = object.marks.get("class").cloned().unwrap_or_else(|| "other".into());
    target
}

/// What the sheets and the map tell of an act's input.
pub(crate) fn fit(system: &System, act: &str, cast: &Cast<'_>) -> Vec<Known> {
    let mut known = Vec::new();
    let ship = cast.one("ship");
    match act {
        "initiative" => {
            let total = |side: u8| -> i64 {
                let mut squadrons: Vec<(&str, i64)> = Vec::new();
                for object in cast.state.objects.iter().filter(|object| object.side == side && object.in_play()) {
                    let command = object.marks.get("command").map_or(0, number);
                    if !squadrons.iter().any(|(name, _)| *name == object.group) {
                        squadrons.push((&object.group, command));
                    }
                }
                squadrons.iter().map(|(_, command)| command).sum()
            };
            known.extend([sheet("a_total", total(0).into()), sheet("b_total", total(1).into())]);
            let holder = cast.state.marks.get("initiative").cloned().unwrap_or_else(|| "none".into());
            known.push(sheet("holder", holder));
        }
        "salvo" | "to-hit" => {
            let (from, to) = (cast.one("shooter"), cast.one("target"));
            let line = line(&mut known, cast, from, to);
            if let Some(from) = from {
                for (field, value) in shooter(from).as_object().cloned().unwrap_or_default() {
                    known.push(sheet(&format!("shooter.{field}"), value));
                }
                let directed = from.number("fc") > 0 && from.marks.get("amc") != Some(&Value::Bool(true));
                known.push(sheet("control", if directed { "directed" } else { "local" }.into()));
                if let Some(battery) = chosen(from, cast.part) {
                    known.push(sheet("gun", battery.gun));
                    let bearing: Option<i64> = line.as_ref().map(|line| {
                        battery
                            .mounts
                            .iter()
                            .filter(|(station, _)| bears(*station, line.bearing))
                            .map(|(_, guns)| guns)
                            .sum()
                    });
                    match bearing {
                        Some(guns) => known.push(Known::map("guns", guns.max(0))),
                        None => known.push(sheet("guns", battery.guns.into())),
                    }
                }
            }
            if let Some(to) = to {
                if act == "salvo" {
                    known.push(sheet("ship", to.value.clone()));
                } else {
                    known.push(sheet("target", same(&to.value, &["size", "splash", "sv"])));
                }
            }
            if let Some(line) = line {
                if act == "salvo" {
                    known.push(Known::map("raking", matches!(line.aspect, SeaArc::Bow | SeaArc::Stern)));
                }
                known.push(Known::map("intervening_bases", line.between));
            }
        }
        "light-guns" => {
            let (from, to) = (cast.one("shooter"), cast.one("target"));
            line(&mut known, cast, from, to);
            if let Some(from) = from.filter(|from| from.kind == "ship") {
                known.push(sheet("", same(&from.value, &["crew_quality", "splash"])));
                if let Some(weapon) = cast.told.get("weapon").and_then(Value::as_str) {
                    known.push(sheet("factors", from.number(weapon).into()));
                }
            }
            known.extend(to.map(|to| sheet("target", small_target(to))));
        }
        "boats" => {
            let (from, to) = (cast.one("shooter"), cast.one("target"));
            let line = line(&mut known, cast, from, to);
            if let Some(from) = from {
                known.push(sheet("shooter", shooter(from)));
                if let Some(battery) = chosen(from, cast.part) {
                    known.extend([sheet("calibre_mm", battery.calibre.into()), sheet("guns", battery.guns.into())]);
                }
            }
            known.extend(line.map(|line| Known::map("intervening_bases", line.between)));
            known.extend(
                to.map(|to| sheet("target", same(&to.value, &["vessels", "speed", "save_modifier", "splash"]))),
            );
        }
        "torpedoes" => {
            let (from, to) = (cast.one("shooter"), cast.one("target"));
            let line = line(&mut known, cast, from, to);
            if let Some(from) = from {
                known.push(sheet("shooter", same(&from.value, &["crew_quality", "splash"])));
                let all = settings(system, from);
                let part = cast.part.map_or(0, |part| all.iter().position(|(id, ..)| id == part).unwrap_or(0));
                if let Some((_, _, band, modifier)) = all.get(part) {
                    known.extend([sheet("max_band", (*band).into()), sheet("setting_modifier", (*modifier).into())]);
                }
                if tubes::counts(cast.state) {
                    let turned = line.as_ref().map(|line| line.bearing);
                    known.extend(tubes::ready(from, turned).map(|tubes| match turned {
                        Some(_) => Known::map("torpedoes", tubes.min(MOST_TORPEDOES)),
                        None => sheet("torpedoes", tubes.min(MOST_TORPEDOES).into()),
                    }));
                } else {
                    let tubes = from.value["torpedo_mounts"].as_array().into_iter().flatten();
                    let tubes: i64 =
                        tubes.filter(|mount| mount["lost"] != true).map(|mount| number(&mount["tubes"])).sum();
                    if tubes > 0 {
                        known.push(sheet("torpedoes", tubes.min(MOST_TORPEDOES).into()));
                    }
                }
            }
            if let Some(to) = to {
                for (field, value) in same(&to.value, &["size", "sv"]).as_object().cloned().unwrap_or_default() {
                    known.push(sheet(&format!("target.{field}"), value));
                }
            }
            if let Some(line) = line {
                let aspect = match line.aspect {
                    SeaArc::Bow => "bow",
                    SeaArc::Stern => "stern",
                    SeaArc::Port | SeaArc::Starboard => "beam",
                };
                known.push(Known::map("target.arc", aspect));
            }
        }
        "flak" => {
            let (from, to) = (cast.one("shooter"), cast.one("target"));
            line(&mut known, cast, from, to);
            if let Some(from) = from {
                known.push(sheet("", same(&from.value, &["crew_quality", "splash"])));
                let weapon = cast.told.get("weapon").and_then(Value::as_str).unwrap_or_default();
                if from.number(weapon) > 0 {
                    known.push(sheet("factors", from.number(weapon).into()));
                }
                if weapon == "lrf" {
                    known.extend(from.marks.get("aa_plus").map(|plus| sheet("aa_plus", plus.clone())));
                }
            }
            known.extend(to.map(|to| sheet("target", same(&to.value, &["aircraft", "hit_points", "flak"]))));
        }
        "dogfight" => {
            let stand = |object: &Object| {
                same(
                    &object.value,
                    &[
                        "role",
                        "aircraft",
                        "hit_points",
                        "flak",
                        "crew_quality",
                        "intercept",
                        "dogfight_1",
                        "dogfight_2",
                    ],
                )
            };
            known.extend(cast.one("attacker").map(|object| sheet("attacker", stand(object))));
            known.extend(cast.one("defender").map(|object| sheet("defender", stand(object))));
        }
        "air-attack" | "strafe" => {
            if let Some(stand) = cast.one("stand") {
                known.push(sheet("", same(&stand.value, &["aircraft", "crew_quality", "flak"])));
                let all = loads(system, stand);
                let part = cast.part.map_or(0, |part| all.iter().position(|(id, ..)| id == part).unwrap_or(0));
                if let Some((_, attack, _)) = all.get(part).filter(|_| act == "air-attack") {
                    known.push(sheet("attack", attack.clone().into()));
                }
                if let Some(guns) = cast.told.get("guns").and_then(Value::as_str) {
                    let acf = if guns == "strafing" { "acf_s" } else { "acf_as" };
                    known.push(sheet("acf", stand.number(acf).into()));
                }
            }
            if let Some(to) = cast.one("target") {
                let target =
                    if act == "strafe" { small_target(to) } else { same(&to.value, &["size", "splash", "sv"]) };
                for (field, value) in target.as_object().cloned().unwrap_or_default() {
                    known.push(sheet(&format!("target.{field}"), value));
                }
            }
        }
        "hit" | "structural" | "carrier" | "underwater" | "burn" => {
            known.extend(ship.map(|ship| sheet("ship", ship.value.clone())));
        }
        "collateral" => {
            let ships: Vec<Value> = cast.many("ships").iter().map(|ship| ship.value.clone()).collect();
            known.push(sheet("ships", ships.into()));
            let centre = cast.state.marks.get("explosion").and_then(Value::as_str).and_then(|id| cast.state.object(id));
            for (at, ship) in cast.many("ships").into_iter().enumerate() {
                if let Some(line) = centre.and_then(|centre| measured(cast, centre, ship)) {
                    known.push(Known::map(format!("ships.{at}.distance_mm"), line.range_mm));
                }
            }
        }
        "weapons" => {
            if let Some(ship) = ship {
                let list = match cast.told.get("group").and_then(Value::as_str) {
                    Some("main") => "main_mounts",
                    Some("other") => "other_mounts",
                    Some("torpedoes") => "torpedo_mounts",
                    _ => return known,
                };
                let mounts = ship.value[list].as_array().cloned().unwrap_or_default();
                let plain = mounts.into_iter().map(|mut mount| {
                    if let (Some(fields), "torpedo_mounts") = (mount.as_object_mut(), list) {
                        fields.retain(|name, _| ["arc", "tubes", "lost"].contains(&name.as_str()));
                    }
                    mount
                });
                known.push(sheet("mounts", plain.collect::<Vec<_>>().into()));
                known.push(sheet("", same(&ship.value, &["kind", "asw", "mrf", "crf"])));
            }
        }
        "armour" => known.extend(ship.map(|ship| sheet("armour", ship.value["armour"].clone()))),
        "wreck" => known.extend(ship.map(|ship| {
            sheet(
                "",
                same(
                    &ship.value,
                    &["crew_quality", "dc", "fires", "poor_carrier_safety", "poor_underwater", "bad_weather"],
                ),
            )
        })),
        "magazine" => known.extend(ship.map(|ship| sheet("", same(&ship.value, &["unsafe_magazines"])))),
        "fuel" => known.extend(ship.map(|ship| sheet("", same(&ship.value, &["rearming", "poor_carrier_safety"])))),
        "crew" | "rally" => known.extend(ship.map(|ship| sheet("", same(&ship.value, &["crew_quality"])))),
        "damage-control" => {
            known.extend(ship.map(|ship| sheet("", same(&ship.value, &["dc", "crew_quality", "fires"]))));
        }
        "ship-morale" => {
            if let Some(ship) = ship {
                known.push(sheet(
                    "",
                    part(
                        &ship.value,
                        &[
                            ("s_max", "s_max"),
                            ("s_now", "s"),
                            ("f_max", "f_max"),
                            ("f_now", "f"),
                            ("crew_quality", "crew_quality"),
                            ("fires", "fires"),
                        ],
                    ),
                ));
                for mark in ["s_before", "f_before"] {
                    known.extend(ship.marks.get(mark).map(|before| sheet(mark, before.clone())));
                }
                if ship.value["flag_officer"] == true {
                    known.push(sheet("co_on_board", true.into()));
                    known.extend(ship.marks.get("command").map(|command| sheet("command", command.clone())));
                }
            }
        }
        "squadron-morale" => {
            if let Some(first) = cast.one("ships") {
                let (original, before, now) = super::turn::strength(cast.state, first);
                known.push(sheet("", json!({"original": original, "before": before.max(now), "now": now})));
                known.extend(first.marks.get("command").map(|command| sheet("command", command.clone())));
            }
        }
        "stand-morale" => {
            if let Some(stand) = cast.one("stand") {
                let now = stand.number("aircraft");
                let before = stand.marks.get("before").map_or(now, number).max(now);
                let original = stand.first["aircraft"].as_i64().unwrap_or(before).max(before);
                known.push(sheet("", json!({"original": original, "before": before, "now": now})));
                known.push(sheet("", same(&stand.value, &["crew_quality"])));
            }
        }
        "move" => {
            if let Some(ship) = ship {
                let mut mover = part(
                    &ship.value,
                    &[("size", "size"), ("max_speed", "speed"), ("sv", "sv"), ("crew_quality", "crew_quality")],
                );
                mover["merchant"] =
                    ship.marks.get("merchant").cloned().unwrap_or(Value::Bool(ship.value["kind"] == "merchant"));
                for (field, value) in mover.as_object().cloned().unwrap_or_default() {
                    known.push(sheet(&format!("ship.{field}"), value));
                }
                if let Some(place) = ship.place {
                    let heading = place.heading / 15 * 15;
                    known.extend([
                        Known::map("ship.x", place.x),
                        Known::map("ship.y", place.y),
                        Known::map("ship.heading", heading),
                    ]);
                }
                known.extend(ship.marks.get("speed").map(|speed| sheet("ship.last_speed", speed.clone())));
            }
        }
        "geometry" => {
            for role in ["shooter", "target"] {
                if let Some(place) = cast.one(role).and_then(|object| object.place) {
                    known.push(Known::map(
                        role,
                        json!({"x": place.x, "y": place.y, "heading": place.heading / 15 * 15}),
                    ));
                }
            }
            if let Some(from) = cast.one("shooter") {
                let both = ["main_mounts", "other_mounts"]
                    .map(|list| from.value[list].as_array().cloned().unwrap_or_default());
                known.push(sheet("shooter.mounts", both[0].clone().into()));
            }
            let away = |other: &&Object| {
                other.kind == "ship"
                    && ["shooter", "target"].iter().all(|role| cast.one(role).is_none_or(|one| one.id != other.id))
            };
            let others: Vec<Value> = cast
                .state
                .objects
                .iter()
                .filter(away)
                .filter_map(|other| {
                    Some(json!({"x": other.place?.x, "y": other.place?.y, "size": other.value["size"]}))
                })
                .collect();
            known.push(Known::map("others", others));
        }
        "collide" => {
            for role in ["moving", "other"] {
                known.extend(cast.one(role).map(|ship| sheet(role, same(&ship.value, &["size", "crew_quality"]))));
            }
        }
        "sight" | "spot" => {
            if let Some(ship) = ship {
                known.push(sheet("", same(&ship.value, &["sd"])));
                if act == "spot" {
                    known.push(sheet("", same(&ship.value, &["search_radar", "crew_quality"])));
                } else {
                    known.push(sheet("", part(&ship.value, &[("battery_radar", "gunnery_radar")])));
                    let kept = Kept(cast.state);
                    known.extend(kept.of_table("night").map(|_| sheet("light", "night".into())));
                    known.extend(kept.of_table("tvr").map(|bands| sheet("tvr", bands.clone())));
                }
            }
        }
        "mines" => known.extend(ship.map(|ship| sheet("", same(&ship.value, &["size"])))),
        "sonar" | "depth-charges" => {
            let (hunter, boat) = (cast.one("hunter"), cast.one("submarine"));
            known.extend(hunter.map(|hunter| sheet("", same(&hunter.value, &["crew_quality"]))));
            if act == "sonar" {
                line(&mut known, cast, hunter, boat);
            } else {
                if let Some(hunter) = hunter {
                    known.push(sheet("", same(&hunter.value, &["splash"])));
                    if hunter.number("asw") > 0 {
                        known.push(sheet("asw", hunter.value["asw"].clone()));
                    }
                }
                known.extend(boat.map(|boat| sheet("submarine", same(&boat.value, &["f", "f_max"]))));
            }
        }
        _ => {}
    }
    known
}

/// Whether a target may be shot at: what 9.1 permits, with the Crew Test it asks for.
pub(crate) fn before(system: &System, act: &str, cast: &Cast<'_>, ruled: &[(&'static str, Value)]) -> Before {
    if !matches!(act, "salvo" | "to-hit" | "boats" | "light-guns" | "torpedoes") {
        return Before::Go(Vec::new());
    }
    let told = |name: &str| cast.told.get(name).cloned();
    if let Some(from) = cast.one("shooter").filter(|_| act == "torpedoes" && tubes::counts(cast.state)) {
        let turned = cast.one("target").and_then(|to| bearing(from, to));
        let wanted = told("torpedoes").map_or(0, |wanted| number(&wanted));
        if let Some(refusal) = tubes::refused(from, wanted, turned) {
            return Before::Refuse(refusal);
        }
    }
    if let Some(from) = cast.one("shooter").filter(|_| matches!(act, "salvo" | "to-hit")) {
        let told = told("guns").is_some();
        let bearing = fit(system, act, cast).into_iter().find(|known| known.path == "guns");
        if !told && bearing.is_some_and(|guns| number(&guns.value) == 0) {
            let target = cast.one("target").map_or("the target", |target| &target.name);
            let text = format!("No gun of this battery of {} bears on {target}.", from.name);
            return Before::Refuse(
                Refusal::new("no-guns-bear", text).remedy("Choose another battery, or turn the ship."),
            );
        }
    }
    // A switch that is off is no circumstance; older tables looked up whatever was told.
    let set = |name: &&str| match cast.told.get(*name) {
        None => false,
        Some(Value::Bool(on)) => *on || !cast.state.remembers(),
        Some(_) => true,
    };
    let circumstances = ["night", "obscured", "tvr"].iter().any(set);
    let Some(shooter) = cast.one("shooter").filter(|_| circumstances) else { return Before::Go(Vec::new()) };
    let target = cast.one("target").map_or("the target", |target| &target.name);
    let range = told("range_mm")
        .or_else(|| Some(fit(system, act, cast).into_iter().find(|known| known.path == "range_mm")?.value));
    let Some(range) = range else { return Before::Go(Vec::new()) };
    match ruled {
        [] => {
            let mut input = json!({
                "light": if told("night") == Some(Value::Bool(true)) { "night" } else { "day" },
                "range_mm": range,
                "sd": shooter.number("sd").clamp(0, 9),
                "tvr": told("tvr").unwrap_or_else(|| 5.into()),
                "battery_radar": shooter.value["gunnery_radar"] == true,
            });
            for name in ["obscured", "illuminated"] {
                input[name] = told(name).unwrap_or(Value::Bool(false));
            }
            Before::Rule { procedure: "visibility", input }
        }
        [(_, sight), rest @ ..] => {
            let wide = told("mode").is_some_and(|mode| mode == "wide-spread");
            let leave = match act {
                "torpedoes" if wide => &sight["torpedo_wide_spread"],
                "torpedoes" => &sight["torpedo_aimed"],
                _ => &sight["guns"],
            };
            let radar = || match act {
                "torpedoes" | "boats" | "light-guns" => Vec::new(),
                _ => vec![("radar_bonus".to_owned(), Value::Bool(number(&sight["guns_bonus"]) > 0))],
            };
            match (leave.as_str(), rest) {
                (Some("allowed"), _) => Before::Go(radar()),
                (Some("crew-test"), []) => Before::Rule {
                    procedure: "crew-test",
                    input: json!({"crew_quality": shooter.number("crew_quality")}),
                },
                (Some("crew-test"), [(_, test), ..]) if test["passed"] == true => Before::Go(radar()),
                (Some("crew-test"), _) => {
                    Before::Stop(format!("The crew of {} fails its test and does not fire at {target}", shooter.name))
                }
                _ => Before::Refuse(
                    Refusal::new("out-of-sight", format!("{} does not see {target}.", shooter.name))
                        .by(crate::rule::S9_1)
                        .remedy("Come closer, light the target, or use gunnery radar."),
                ),
            }
        }
    }
}

/// A word as people read it.
pub(super) fn spoken(value: &Value) -> String {
    match value {
        Value::String(word) => word.replace(['-', '_'], " "),
        other => other.to_string(),
    }
}

/// An act in a sentence before it is ruled on.
pub(crate) fn announce(act: &str, cast: &Cast<'_>, range: Option<i64>) -> Option<String> {
    let name = |role: &str| cast.one(role).map(|object| object.name.as_str());
    let at = range.map_or_else(String::new, |mm| format!(" at {}", metres(mm)));
    Some(match act {
        "salvo" | "to-hit" | "boats" | "light-guns" => {
            let with = cast
                .one("shooter")
                .and_then(|from| chosen(from, cast.part))
                .map(|battery| format!(" with {}", battery.name));
            format!("{} fires{} at {}{at}", name("shooter")?, with.unwrap_or_default(), name("target")?)
        }
        "torpedoes" => format!("{} launches torpedoes at {}{at}", name("shooter")?, name("target")?),
        "flak" => format!("{} fires at {}{at}", name("shooter")?, name("target")?),
        "air-attack" | "strafe" => format!("{} attack {}", name("stand")?, name("target")?),
        "dogfight" => format!("{} attack {}", name("attacker")?, name("defender")?),
        "burn" => format!("{} burns", name("ship")?),
        "damage-control" => format!("Damage control aboard {}", name("ship")?),
        "ship-morale" => format!("The crew of {} is tested", name("ship")?),
        "rally" => format!("The officers rally the crew of {}", name("ship")?),
        "hit" => format!("A hit on {}", name("ship")?),
        "geometry" => measurement(cast)?,
        _ => return None,
    })
}

/// The range of an act, told or measured.
pub(crate) fn range(system: &System, act: &str, cast: &Cast<'_>) -> Option<i64> {
    let told = cast.told.get("range_mm").and_then(Value::as_i64);
    told.or_else(|| fit(system, act, cast).iter().find(|known| known.path == "range_mm")?.value.as_i64())
}

/// The count in words: `1 fire`, `2 fires`.
pub(super) fn counted(n: i64, one: &str, more: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {more}") }
}
