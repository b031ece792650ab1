//! Rulings in one sentence.

use super::fitting::{counted, metres, range, spoken};
use super::number;
use crate::System;
use flagplot_kernel::plane::Point;
use flagplot_referee::table::{Cast, Place, whereabouts};
use serde_json::Value;

/// What happened to a ship, compared with her sheet before.
fn harm(before: Option<&Value>, result: &Value) -> String {
    let now = &result["ship"];
    let lost = |field: &str| before.map_or(0, |before| number(&before[field]) - number(&now[field]));
    let more = |field: &str| -lost(field);
    let mut said = Vec::new();
    let mut say = |n: i64, words: String| {
        if n > 0 {
            said.push(words);
        }
    };
    let (structure, flotation, fires) = (lost("s"), lost("f"), more("fires"));
    say(structure, format!("{structure} structure"));
    say(flotation, format!("{flotation} flotation"));
    let stopped = number(&result["stopped_by_armour"]);
    let criticals = number(&result["criticals"]);
    say(criticals, counted(criticals, "critical", "criticals"));
    say(stopped, format!("{stopped} stopped by armour"));
    say(fires, counted(fires, "fire", "fires"));
    let guns = more("main_lost");
    say(guns, counted(guns, "main mount lost", "main mounts lost"));
    let speed = lost("speed");
    say(speed, format!("{speed} knots lost"));
    let flashes = number(&result["flashovers"]);
    say(flashes, counted(flashes, "flashover", "flashovers"));
    let status = now["status"].as_str().unwrap_or("afloat");
    match status {
        "afloat" => {}
        "exploded" => said.push("magazine explosion".to_owned()),
        "wreck" => said.push("she is a wreck".to_owned()),
        other => said.push(format!("she is {}", other.replace('-', " "))),
    }
    if said.is_empty() { "no effect".to_owned() } else { said.join(", ") }
}

fn passed(result: &Value, yes: &str, no: &str) -> String {
    if result["passed"] == true || number(&result["failures"]) == 0 && result.get("passed").is_none() {
        yes.to_owned()
    } else {
        no.to_owned()
    }
}

/// A ruling in one sentence without a full stop.
pub(crate) fn verdict(system: &System, act: &str, cast: &Cast<'_>, input: &Value, result: &Value) -> String {
    let name = |role: &str| cast.one(role).map_or_else(|| "the ship".to_owned(), |object| object.name.clone());
    let at = range(system, act, cast).map_or_else(String::new, |mm| format!(" at {}", metres(mm)));
    let n = |field: &str| number(&result[field]);
    match act {
        "initiative" => {
            let side = usize::from(result["winner"] == "b");
            format!("{} has the initiative ({} to {})", cast.state.sides[side], n("a_score"), n("b_score"))
        }
        "salvo" if result["hit"] == true => {
            let before = cast.one("target").map(|ship| &ship.value);
            format!("{} hits {}{at}: {}", name("shooter"), name("target"), harm(before, result))
        }
        "salvo" | "to-hit" | "boats" if result["hit"] != true => {
            format!("{} misses {}{at}", name("shooter"), name("target"))
        }
        "to-hit" => format!("{} hits {}{at}", name("shooter"), name("target")),
        "boats" => {
            let saved = if result["saved"] == true { "the boats dodge the hit" } else { "a boat is lost" };
            format!("{} hits {}{at}: {saved}", name("shooter"), name("target"))
        }
        "light-guns" | "strafe" => {
            let by = if act == "strafe" { name("stand") } else { name("shooter") };
            format!(
                "{by} scores {} on {}{at}: {} structure lost",
                counted(n("hits"), "hit", "hits"),
                name("target"),
                n("structure_lost")
            )
        }
        "torpedoes" if result["out_of_range"] == true => {
            format!("The torpedoes of {} run out before {}", name("shooter"), name("target"))
        }
        "torpedoes" => format!(
            "{} of {} on {}",
            counted(n("hits"), "torpedo hit", "torpedo hits"),
            name("shooter"),
            name("target")
        ),
        "location" => format!("It strikes {} at the {}", name("ship"), spoken(&result["column"])),
        "hit" => {
            format!("{} is hit: {}", name("ship"), harm(cast.one("ship").map(|ship| &ship.value), result))
        }
        "structural" | "carrier" | "underwater" => {
            format!("A critical on {}: {}", name("ship"), harm(cast.one("ship").map(|ship| &ship.value), result))
        }
        "burn" => format!("Fires aboard {}: {}", name("ship"), harm(cast.one("ship").map(|ship| &ship.value), result)),
        "flak" => format!("{} shoots down {} of {}", name("shooter"), n("aircraft_lost"), name("target")),
        "dogfight" => format!(
            "{} shoot down {}, {} shoot down {}",
            name("attacker"),
            number(&result["attacker"]["kills"]),
            name("defender"),
            number(&result["defender"]["kills"])
        ),
        "air-attack" => format!("{} score {} on {}", name("stand"), counted(n("hits"), "hit", "hits"), name("target")),
        "collateral" => {
            let ships = cast.many("ships");
            let hit: Vec<&str> = result["ships"]
                .as_array()
                .into_iter()
                .flatten()
                .zip(&ships)
                .filter(|(ship, _)| ship["hit"] == true)
                .map(|(_, ship)| ship.name.as_str())
                .collect();
            let reach =
                if hit.is_empty() { "reaches no ship".to_owned() } else { format!("strikes {}", hit.join(", ")) };
            format!("The explosion has CV {} and {reach}", n("explosion_cv"))
        }
        "damage-control" => {
            let fires = number(&input["fires"]);
            let mut said = Vec::new();
            if fires > 0 {
                said.push(if n("fires") < fires {
                    format!("{} out, {} left", fires - n("fires"), n("fires"))
                } else {
                    format!("{} still burn", counted(n("fires"), "fire", "fires"))
                });
            }
            let items: Vec<String> = result["repaired"].as_array().into_iter().flatten().map(repaired).collect();
            if !items.is_empty() {
                said.push(format!("repaired: {}", items.join(", ")));
            } else if !input["repairs"].as_array().is_none_or(Vec::is_empty) {
                said.push("nothing repaired".to_owned());
            }
            format!(
                "Damage control aboard {}: {}",
                name("ship"),
                if said.is_empty() { "nothing to do".to_owned() } else { said.join("; ") }
            )
        }
        "wreck" => format!(
            "{}: {}",
            name("ship"),
            if result["survives"] == true { "she stays afloat".to_owned() } else { spoken(&result["fate"]) }
        ),
        "magazine" | "fuel" => format!("{}: {}", name("ship"), spoken(&result["outcome"])),
        "crew" => format!("The crew of {} {}", name("ship"), passed(result, "passes its test", "fails its test")),
        "rally" => format!("The crew of {} {}", name("ship"), passed(result, "rallies", "stays shaken")),
        "ship-morale" => format!("The crew of {} {}", name("ship"), passed(result, "holds", "fails its test")),
        "squadron-morale" => {
            let group = cast.one("ships").map_or("The squadron".to_owned(), |ship| ship.group.clone());
            format!("{group} {}", passed(result, "holds together", "loses heart: each ship drops one morale step"))
        }
        "stand-morale" => {
            format!("{} {}", name("stand"), passed(result, "go on", "jettison their load and turn for home"))
        }
        "fire" => {
            if result["fire"] == true || result["burns"] == true {
                "It starts a fire".to_owned()
            } else {
                "The fire test is made".to_owned()
            }
        }
        "move" if cast.state.remembers() => moved(&name("ship"), cast.one("ship").and_then(|ship| ship.place), result),
        "move" => format!("{} now stands at {}, {} mm, heading {}°", name("ship"), n("x"), n("y"), n("heading")),
        "geometry" => format!(
            "{} to {}: {} ({} mm), {} of {}, {}{}",
            name("shooter"),
            name("target"),
            metres(n("range_mm")),
            n("range_mm"),
            spoken(&result["shooter_arc"]),
            name("shooter"),
            counted(n("guns_bearing"), "gun bears", "guns bear"),
            if n("intervening_bases") > 0 {
                format!(", {} in between", counted(n("intervening_bases"), "ship", "ships"))
            } else {
                String::new()
            }
        ),
        "collide" => format!(
            "{} loses {} flotation, {} loses {}",
            name("moving"),
            n("moving_f_loss"),
            name("other"),
            n("other_f_loss")
        ),
        "sight" => format!(
            "{}: guns {}, aimed torpedoes {}, wide spread {}",
            name("ship"),
            spoken(&result["guns"]),
            spoken(&result["torpedo_aimed"]),
            spoken(&result["torpedo_wide_spread"])
        ),
        "spot" => {
            format!("{} {}", name("ship"), if result["spotted"] == true { "spots the contact" } else { "sees nothing" })
        }
        "mines" => {
            if result["strike"] == true {
                format!("{} strikes a mine at the {}", name("ship"), spoken(&result["column"]))
            } else {
                format!("{} comes through the mines", name("ship"))
            }
        }
        "sonar" => {
            if result["detected"] == true {
                format!("{} finds {}", name("hunter"), name("submarine"))
            } else {
                format!("{} finds nothing", name("hunter"))
            }
        }
        "depth-charges" => {
            let end = if result["sunk"] == true {
                "she is sunk".to_owned()
            } else if result["forced_up"] == true {
                "she must surface".to_owned()
            } else {
                format!("{} flotation left", n("f"))
            };
            format!("{} on {}: {end}", counted(n("hits"), "hit", "hits"), name("submarine"))
        }
        "weapons" => format!("{}: {}", name("ship"), spoken(&result["outcome"])),
        "armour" => format!(
            "Armour class {}: {}",
            n("ac"),
            if result["penetrates"] == true { "it is penetrated" } else { "it holds" }
        ),
        "command" => format!("A command total of {} adds {:+}", n("total"), n("modifier")),
        _ => String::new(),
    }
}

/// A heading in degrees and by the nearest point of the compass.
fn heading(degrees: i64) -> String {
    const POINTS: [&str; 8] =
        ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    let point = (degrees.rem_euclid(360) * 2 + 45) / 90 % 8;
    format!("{degrees}° ({})", usize::try_from(point).ok().and_then(|at| POINTS.get(at)).copied().unwrap_or("north"))
}

/// A move in words: how far, where the ship then stands and how she heads.
fn moved(name: &str, from: Option<Place>, result: &Value) -> String {
    let n = |field: &str| number(&result[field]);
    let to = Place { x: n("x"), y: n("y"), heading: 0 };
    let way = from.map(|from| Point::new(from.x, from.y).ceil_dist(Point::new(to.x, to.y)));
    let way = match way {
        Some(0) => format!("{name} keeps her place"),
        Some(way) => format!("{name} moves {way} mm ({})", metres(way)),
        None => format!("{name} moves"),
    };
    format!("{way} and stands {}, heading {}", whereabouts(to), heading(n("heading")))
}

/// A repaired item in words.
fn repaired(item: &Value) -> String {
    match item.as_str() {
        Some("fc") => "fire control".to_owned(),
        Some("sv") => "steering".to_owned(),
        Some("h") => "aircraft handling".to_owned(),
        Some(other) => other.to_owned(),
        None => String::new(),
    }
}
