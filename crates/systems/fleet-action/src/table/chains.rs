//! The changes a ruling makes to the ships on the table, and the ruling that the rules call for next.

use super::{count, number, strikes};
use crate::System;
use crate::ship::{Ship, ShipObject};
use flagplot_referee::table::{Owed, State};
use flagplot_referee::{Codes, FollowUp, LibraryItem, Pick, Shaped, same_places};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn picked<'a>(picks: &'a [Pick], path: &str) -> Option<&'a LibraryItem> {
    picks.iter().find(|pick| pick.path == path).map(|pick| &pick.item)
}

/// A ship on the table as the rules see her.
fn ship_of(system: &System, item: &LibraryItem) -> Option<Ship> {
    let value = ShipObject::shape().check(item.value.clone(), "ship", &Codes::default()).ok()?;
    serde_json::from_value::<ShipObject>(value).ok()?.read(&system.rules, "ship").ok()
}

/// The ships of a ruling as they are afterwards.
pub(crate) fn aftermath(procedure: &str, picks: &[Pick], result: &Value) -> Vec<LibraryItem> {
    let changed = |item: &LibraryItem, fields: &[(&str, Value)]| {
        let mut after = item.clone();
        fields.iter().for_each(|(field, value)| after.value[*field] = value.clone());
        after
    };
    let ship = |path: &str| picked(picks, path).filter(|item| item.kind == "ship");
    match procedure {
        "collateral-damage" => {
            let after = |pick: &Pick| {
                let at = pick.path.strip_prefix("ships.")?;
                let value = result["ships"].get(at.parse::<usize>().ok()?)?.get("ship")?.clone();
                Some(LibraryItem { value, ..pick.item.clone() })
            };
            picks.iter().filter_map(after).collect()
        }
        "damage-control" => ship("").map_or_else(Vec::new, |item| {
            let mut fields = vec![("fires", result["fires"].clone())];
            for repaired in result["repaired"].as_array().into_iter().flatten() {
                match repaired.as_str() {
                    Some("fc") => fields.push(("fc", json!(number(&item.value["fc"]) + 1))),
                    Some("sv") => fields.push(("sv", json!(number(&item.value["sv"]) + 1))),
                    Some("h") => {
                        fields.push(("h", json!((number(&item.value["h"]) + 1).min(number(&item.value["h_max"])))))
                    }
                    Some("power") => fields.push(("power_failed", json!(false))),
                    _ => {}
                }
            }
            fields.push(("speed", json!(number(&item.value["speed"]) + number(&result["speed_restored"]))));
            vec![changed(item, &fields)]
        }),
        "crf-mrf-fire" | "air-gun-attack" => ship("target").map_or_else(Vec::new, |item| {
            let left = (number(&item.value["s"]) - number(&result["structure_lost"])).max(0);
            vec![changed(item, &[("s", json!(left)), ("splash", result["splash"].clone())])]
        }),
        "wreck-test" => {
            ship("").map_or_else(Vec::new, |item| vec![changed(item, &[("status", result["fate"].clone())])])
        }
        "fuel-explosion-test" => ship("").map_or_else(Vec::new, |item| {
            vec![changed(item, &[("fires", json!(number(&item.value["fires"]) + number(&result["extra_fires"])))])]
        }),
        "collision" => {
            let hurt = |(path, loss): (&str, &str)| {
                let item = ship(path)?;
                Some(changed(item, &[("f", json!((number(&item.value["f"]) - number(&result[loss])).max(0)))]))
            };
            [("moving", "moving_f_loss"), ("other", "other_f_loss")].into_iter().filter_map(hurt).collect()
        }
        _ => same_places(picks, result),
    }
}

/// What a ruling calls for next.
pub(crate) fn follow_ups(
    system: &System,
    procedure: &str,
    input: &Value,
    picks: &[Pick],
    result: &Value,
) -> Vec<FollowUp> {
    let ship = picked(picks, "ship").or_else(|| picked(picks, "target"));
    let several = |n: u32, one: &str, more: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {more}") };
    let exploded = |dice: &Value| {
        let why = format!("The explosion reaches out with {}", several(count(dice), "die", "dice"));
        (count(dice) > 0).then(|| FollowUp::new(why, "collateral-damage").known("explosion_dice", dice.clone()))
    };
    let blown_up = || {
        let dice = picked(picks, "").and_then(|item| ship_of(system, item)).map(|ship| ship.sheet.explosion_dice());
        let follow = FollowUp::new("She blows up, and the ships beside her may suffer", "collateral-damage");
        vec![match dice {
            Some(dice) => follow.known("explosion_dice", dice),
            None => follow,
        }]
    };
    let on =
        |item: Option<&LibraryItem>, follow: FollowUp| follow.with("ship", item.filter(|item| item.kind == "ship"));
    match procedure {
        "gunnery-to-hit" if result["hit"] == true => {
            vec![on(ship, FollowUp::new("The guns hit", "resolve-hit").known("direction", "vertical"))]
        }
        "torpedo-attack" if count(&result["hits"]) > 0 => {
            let hits = count(&result["hits"]);
            let launcher = picked(picks, "shooter")
                .and_then(|item| system.fleet.ships.iter().find(|entry| entry.id == item.origin()));
            let torpedo = launcher
                .and_then(|entry| entry.torpedo.clone())
                .or_else(|| picked(picks, "").filter(|item| item.kind == "torpedo").map(|item| item.id.clone()));
            let mut follow = on(
                ship,
                FollowUp::new(several(hits, "torpedo hits", "torpedoes hit"), "underwater-location").times(hits),
            );
            follow.objects.extend(torpedo.map(|id| ("weapon".to_owned(), id)));
            vec![follow.known("from", input["target"]["arc"].clone())]
        }
        "underwater-location" => {
            let follow = FollowUp::new(
                format!("It strikes the hull: {}", result["column"].as_str().unwrap_or_default()),
                "resolve-hit",
            );
            vec![
                on(ship, follow.known("direction", "underwater").known("column", result["column"].clone()))
                    .with("weapon", picked(picks, "weapon")),
            ]
        }
        "mine-transit" if result["strike"] == true => {
            let mine = &system.rules.mine;
            let follow = FollowUp::new("She strikes a mine", "resolve-hit")
                .known("direction", "underwater")
                .known("column", result["column"].clone());
            vec![on(picked(picks, ""), follow.known("weapon", json!({"ip": mine.ip, "cv": mine.cv})))]
        }
        "air-attack-on-ship" if count(&result["hits"]) > 0 => {
            let hits = count(&result["hits"]);
            let (why, underwater) = (several(hits, "hit", "hits"), input["attack"] == "torpedo-bomber");
            let follow = FollowUp::new(why, if underwater { "underwater-location" } else { "resolve-hit" }).times(hits);
            let direction =
                picked(picks, "weapon").and_then(|weapon| strikes(system, &weapon.id)).filter(|_| !underwater);
            vec![
                on(
                    ship,
                    match direction {
                        Some(direction) => follow.known("direction", direction),
                        None => follow,
                    },
                )
                .with("weapon", picked(picks, "weapon")),
            ]
        }
        "gunnery-salvo"
        | "resolve-hit"
        | "structural-critical"
        | "carrier-critical"
        | "underwater-critical"
        | "fire-burn" => exploded(&result["explosion_dice"]).into_iter().collect(),
        "collateral-damage" => result["ships"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|ship| exploded(&ship["explosion_dice"]))
            .collect(),
        "weapon-loss" if result["magazine_test"] == true => {
            vec![FollowUp::new("A turret is lost, and its magazine is tested", "magazine-test")]
        }
        "magazine-test" if result["outcome"] == "flashover" => {
            vec![on(
                picked(picks, ""),
                FollowUp::new("Flames reach the hull", "underwater-critical").known("flashover", true),
            )]
        }
        "magazine-test" | "fuel-explosion-test" if result["outcome"] == "explosion" => blown_up(),
        "submarine-detection" if result["detected"] == true => {
            let follow = FollowUp::new("The submarine is found", "asw-attack")
                .known("depth", input["depth"].clone())
                .known("crew_quality", input["crew_quality"].clone());
            vec![follow]
        }
        _ => Vec::new(),
    }
}

/// The Wreck Tests of ships that a collision has left without flotation. [10.2, C-5]
pub(crate) fn calls(act: &str, cast: &BTreeMap<String, Vec<String>>, result: &Value, state: &State) -> Vec<Owed> {
    if act != "collide" {
        return Vec::new();
    }
    let holed = |(role, loss): (&str, &str)| {
        let ship = state.object(cast.get(role)?.first()?)?;
        let due = number(&result[loss]) > 0 && ship.kind == "ship" && ship.number("f") == 0 && ship.in_play();
        due.then(|| Owed::new("wreck", format!("{} has no flotation left", ship.name)).cast("ship", &ship.id))
    };
    [("moving", "moving_f_loss"), ("other", "other_f_loss")].into_iter().filter_map(holed).collect()
}
