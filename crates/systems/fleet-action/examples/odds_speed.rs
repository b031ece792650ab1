//! Measures the exact odds of one salvo and of criticals.

use flagplot_fleet_action::{System, files};
use flagplot_referee::answer;
use serde_json::{Value, json};
use std::time::Instant;

fn cruiser() -> Value {
    let turret = |arc: &str| json!({"type": "turret", "ac": 8, "guns": 3, "arc": arc});
    json!({"size": 1, "f": 25, "s": 67, "speed": 32, "sv": 3, "fc": 2, "sd": 4, "gm": 1, "dc": 3, "flag_officer": true,
        "armour": {"belt": 5, "deck": 2, "ct": 3}, "main_mounts": [turret("fwd"), turret("fwd"), turret("aft")],
        "other_mounts": vec![json!({"type": "open", "aa": true}); 8], "torpedo_mounts": [{}, {}], "mrf": 4, "crf": 3,
        "searchlights": true, "ship_planes": true, "gunnery_radar": true, "search_radar": true, "smoke": true})
}

fn battleship() -> Value {
    let mut ship = cruiser();
    for (field, value) in [("size", 3), ("f", 52), ("s", 137), ("speed", 28), ("sv", 4), ("fc", 3), ("sd", 5)] {
        ship[field] = value.into();
    }
    ship
}

fn main() {
    let system = System::new(&files()).expect("the data is sound");
    let measure = |name: &str, procedure: &str, input: Value, field: Option<&str>| {
        let mut request = json!({"system": "fleet-action", "procedure": procedure, "odds": true, "input": input});
        if let Some(field) = field {
            request["field"] = field.into();
        }
        let start = Instant::now();
        let answer = answer(&system, &request.to_string());
        let error = answer.get("error").map_or(String::new(), ToString::to_string);
        println!("{name}: {:?} {error}", start.elapsed());
    };
    let salvo = json!({"range_band": 3, "control": "directed", "guns": 9, "shooter": {}, "target": {"speed": 0},
        "gun": {"calibre_mm": 203}, "ship": cruiser()});
    measure("gunnery-salvo", "gunnery-salvo", salvo, None);
    for cv in [5, 9, 13] {
        let above = json!({"cv": cv, "pen": 20, "ship": cruiser()});
        measure(&format!("structural-critical, CV {cv}"), "structural-critical", above.clone(), None);
        measure(&format!("the same, one field, CV {cv}"), "structural-critical", above, Some("ship.status"));
        let below = json!({"cv": cv, "ship": cruiser()});
        measure(&format!("underwater-critical, CV {cv}"), "underwater-critical", below, None);
    }
    for cv in [13, 20, 40] {
        let inputs = [
            ("structural-critical", json!({"cv": cv, "pen": 20, "ship": battleship()})),
            ("underwater-critical", json!({"cv": cv, "ship": battleship()})),
        ];
        for (procedure, input) in inputs {
            let name = format!("{procedure} on a battleship, one field, CV {cv}");
            measure(&name, procedure, input, Some("ship.status"));
        }
    }
}
