//! Setting up: data that explain themselves, scenarios, pick-up games, aircraft of a player's own.

use crate::common::system;
use flagplot_dogfite::{System, files};
use flagplot_kernel::{ByInstinct, Chance, Game, Sampler};
use serde_json::{Value, json};

fn refused(scenario: &str, options: Value) -> String {
    match system().game(scenario, &options) {
        Ok(_) => "accepted".into(),
        Err(refusal) => {
            assert!(refusal.rule.is_some(), "{refusal} names no rule");
            refusal.code.into()
        }
    }
}

/// Lays a changed file over a built-in one and tells what the check says.
fn with_file(name: &str, from: &str, to: &str) -> String {
    let mut files = files();
    let text = files.text(name).unwrap().to_owned();
    assert!(text.contains(from), "{name} has no '{from}'");
    files.lay(name, text.replacen(from, to, 1));
    match System::new(&files) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn data_that_do_not_hold_together_say_why() {
    assert!(
        with_file("tables.toml", "rows.modifier = [-2,", "rows.modifier = [").contains("has 5 cells for 6 columns")
    );
    assert!(with_file("tables.toml", "\"auto\"", "\"ought to\"").contains("cannot stand there"));
    assert!(with_file("tables.toml", "[engine]", "[motor]").contains("'engine' is missing"));
    assert!(with_file("tables.toml", "\"4-9\"", "\"5-9\"").contains("gap or an overlap"));
    assert!(with_file("aircraft.toml", "max_speed = 5", "max_speed = 2").contains("speeds must rise"));
    assert!(with_file("aircraft.toml", "id = \"airco-dh2\"", "id = \"fokker-e3\"").contains("twice"));
    assert!(with_file("pilots.toml", "id = \"green\"", "id = \"novice\"").contains("must be in the file once"));
    assert!(with_file("position.toml", "bearing = 3", "bearing = 7").contains("bearing above 5"));
    assert!(with_file("scenarios.toml", "hex = [3, -1]", "hex = [30, -1]").contains("off the map"));
    assert!(with_file("scenarios.toml", "type = \"fokker-e3\"", "type = \"zeppelin\"").contains("unknown type"));
    assert!(with_file("scenarios.toml", "kind = \"survive\"", "kind = \"sing\"").contains("leave-home"));
    assert!(with_file("aircraft.toml", "power_hp = 100", "power_hp = 1").contains("power_hp"));
    assert_eq!(with_file("aircraft.toml", "firing = 0", "firing = 1"), "");
}

#[test]
fn a_pick_up_game_starts_as_agreed() {
    let allied =
        json!([{"type": "se5a", "grade": "regular"}, {"type": "se5a"}, {"type": "sopwith-pup", "grade": "green"}]);
    let ernst = json!({"type": "fokker-d7", "grade": "green", "pilot": "Ernst"});
    let central = json!([{"type": "fokker-d7f", "grade": "regular"}, {"type": "fokker-d7f"}, ernst]);
    let game = system().game("free-play", &json!({"allied": allied, "central": central})).unwrap();
    let state = game.setup();
    let place = |id: &str| {
        let craft = state.get(game.find(id).unwrap());
        (
            craft.position.hex.q,
            craft.position.hex.r,
            craft.position.facing.map(|facing| facing.index()),
            craft.position.level,
            craft.speed,
        )
    };
    assert_eq!(place("A1"), (-3, 1, Some(2), 6, 7));
    assert_eq!(place("A2"), (-3, 2, Some(1), 6, 7));
    assert_eq!(place("A3"), (-3, 0, Some(2), 6, 6));
    assert_eq!(place("C1"), (3, -1, Some(5), 6, 7));
    assert_eq!(place("C2"), (3, -2, Some(4), 6, 7));
    assert_eq!(game.info(game.find("C3").unwrap()).start.pilot, "Ernst");
}

#[test]
fn wishes_that_cannot_be_met_are_refused() {
    assert_eq!(refused("somme-1916", Value::Null), "unknown-scenario");
    assert_eq!(refused("verdun-1916", json!({"fog": true})), "bad-options");
    assert_eq!(refused("verdun-1916", json!({"seats": {"allied": 3}})), "bad-options");
    assert_eq!(refused("verdun-1916", json!({"seats": {"central": 0}})), "bad-options");
    assert_eq!(refused("free-play", json!({"allied": []})), "bad-options");
    assert_eq!(refused("free-play", json!({"allied": [{"type": "spitfire"}]})), "bad-options");
    assert_eq!(refused("free-play", json!({"allied": [{"type": "se5a", "grade": "hero"}]})), "bad-options");
    assert_eq!(refused("free-play", json!({"turns": 0})), "bad-options");
    assert_eq!(refused("free-play", json!({"radius": 1})), "bad-options");
    assert_eq!(refused("free-play", json!({"allied": [{"type": "se5a", "grade": "ace"}]})), "uneven");
    assert_eq!(refused("free-play", json!({"allied": [{"type": "se5a", "grade": "ace"}], "uneven": true})), "accepted");
    let nine: Vec<Value> = (0..9).map(|_| json!({"type": "se5a"})).collect();
    assert_eq!(refused("free-play", json!({"allied": nine, "uneven": true})), "bad-options");
}

/// Every radius that the form of a pick-up game offers has room for eight aircraft a side.
#[test]
fn every_radius_offered_can_be_played() {
    let system = system();
    let (shape, _) = system.options("free-play").unwrap();
    let schema = shape.json_schema();
    let [least, most] = ["minimum", "maximum"].map(|end| schema["properties"]["radius"][end].as_i64().unwrap());
    let eight = |kind: &str| vec![json!({"type": kind}); 8];
    for radius in least..=most {
        let options = json!({"allied": eight("sopwith-camel"), "central": eight("fokker-d7"), "radius": radius});
        assert!(system.game("free-play", &options).is_ok(), "radius {radius} is offered and refused");
    }
    assert_eq!(refused("free-play", json!({"radius": least - 1})), "bad-options");
}

#[test]
fn an_aircraft_of_ones_own_is_made_from_its_figures() {
    let figures = json!({
        "power_hp": 160,
        "weight_lb": 1900,
        "wing_area_sqft": 230,
        "top_speed_mph": 114,
        "minutes_to_10000_ft": 14.5,
        "wing_section": "thin",
        "controls": "light",
        "stall_manners": "docile",
        "structure": "strong",
        "gun_mount": "steady",
    });
    let options = |figures: &Value, id: &str| {
        let own = json!({"id": id, "name": "Our own", "guns": 2, "source": figures});
        json!({"aircraft": [own], "allied": [{"type": id}], "uneven": true})
    };
    let game = system().game("free-play", &options(&figures, "own")).unwrap();
    let info = game.info(game.find("A1").unwrap());
    let r = &info.ratings;
    assert_eq!(
        (r.min_speed, r.max_speed, r.max_dive, r.power, r.drag, r.climb, r.spin, r.aerobatic, r.firing, r.guns),
        (3, 7, 11, 0, 0, 0, 1, 1, 1, 2)
    );
    assert_eq!(info.type_name, "Our own");
    let mut chance = Chance::seeded(4);
    let mut state = game.setup();
    while game.outcome(&state).is_none() {
        game.step(&mut state, &mut Sampler::new(&mut chance, ByInstinct)).unwrap();
    }
    assert_eq!(refused("free-play", options(&figures, "se5a")), "bad-options");
    let mut heavy = figures.clone();
    heavy["weight_lb"] = json!(50_000);
    assert_eq!(refused("free-play", options(&heavy, "own")), "out-of-range");
    heavy["weight_lb"] = json!(1900);
    heavy["engine"] = json!("jet");
    assert_eq!(refused("free-play", options(&heavy, "own")), "bad-options");
}

#[test]
fn several_players_share_a_side() {
    let game = system().game("voss-1917", &json!({"seats": {"allied": 4}})).unwrap();
    let seats = game.seats();
    assert_eq!(seats.len(), 5);
    let owners: Vec<u8> = ["A1", "A2", "A3", "A4", "C1"].iter().map(|id| game.seat(game.find(id).unwrap()).0).collect();
    assert_eq!(owners, [0, 1, 2, 3, 4]);
}
