//! The data as it is, and what is said when it is wrong.

use crate::common::{ask, system};
use flagplot_kernel::{BySide, Game, Side, Viewer};
use flagplot_referee::System as _;
use flagplot_world_at_war::game::victory::Limits;
use flagplot_world_at_war::naval_data::ShipKind;
use flagplot_world_at_war::scenarios::{HexId, Seat};
use flagplot_world_at_war::{System, files};
use serde_json::json;

/// Changes a file and says what the checks say.
fn broken(file: &str, from: &str, to: &str) -> String {
    let mut files = files();
    let text = files.text(file).expect("a file").to_owned();
    assert!(text.contains(from), "{file} does not contain {from}");
    files.lay(file, text.replacen(from, to, 1));
    System::new(&files).err().unwrap_or_else(|| panic!("{file}: {from} -> {to} was accepted")).to_string()
}

#[test]
fn there_are_141_ships_of_ten_navies() {
    let system = system();
    let ships = &system.data().ships;
    assert_eq!(ships.len(), 141);
    let mut navies: Vec<_> = ships.iter().map(|ship| ship.nation).collect();
    navies.sort();
    navies.dedup();
    assert_eq!(navies.len(), 10);
    assert!(ships.iter().filter(|ship| ship.size == 5).all(|ship| ship.kind == ShipKind::CapitalShip));
    assert_eq!(system.data().ship("bismarck").map(|ship| ship.size), Some(5));
}

#[test]
fn every_ship_and_unit_of_the_library_can_be_put_into_an_input() {
    let system = system();
    let library = system.library();
    assert_eq!(library.iter().filter(|item| item.kind != "unit").count(), 2 * 141);
    assert_eq!(library.iter().filter(|item| item.kind == "unit").count(), system.data().units.ground.len());
    for item in library {
        let answer = match item.kind.as_str() {
            "target" => {
                ask(&system, "allocate-naval-losses", json!({"hits": 9, "target": item.value}), json!({"dice": []}))
            }
            "unit" => {
                let defender = json!({"id": "enemy", "factors": 1, "dm": 1});
                ask(
                    &system,
                    "ground-combat",
                    json!({"attackers": [item.value], "defenders": [defender]}),
                    json!({"dice": [6]}),
                )
            }
            _ => ask(
                &system,
                "fleet-combat-round",
                json!({"sides": [{"ships": [item.value]}, {"light": {"nation": "italy", "destroyers": 1}}],
                    "orders": [[], []]}),
                json!({"dice": []}),
            ),
        };
        assert!(answer.get("result").is_some(), "{}: {answer}", item.id);
    }
}

#[test]
fn sixteen_battles_and_a_free_one_are_offered() {
    let system = system();
    let ids: Vec<&str> = system.data().scenarios.ids().collect();
    assert_eq!(ids.len(), 16);
    let offered = system.scenarios();
    assert_eq!(offered.len(), 17);
    assert!(ids.iter().all(|id| offered.iter().any(|info| info.id == *id && !info.brief.is_empty())));
    let sedan = system.data().scenarios.ground.iter().find(|scenario| scenario.id == "sedan-1940").expect("sedan");
    assert_eq!((sedan.attacker, sedan.turns, sedan.forces.len()), (Seat::Axis, 3, 2));
}

/// Data of one's own: a changed battle is the one that is played, and what is wrong is named with file and battle.
#[test]
fn a_changed_battle_is_loaded_and_a_wrong_hex_is_named() {
    let mut files = files();
    let text = files.text("scenarios-air.toml").expect("a file").to_owned();
    let mine = text.replacen("id = \"malta-1942\"", "id = \"malta-1943\"", 1);
    files.lay(
        "scenarios-air.toml",
        mine.replacen("days = 6", "days = 4", 1)
            .replace("_replacements = [0, 0, 4, 0, 4, 0]", "_replacements = [0, 0, 4, 0]")
            .replace("_replacements = [0, 0, 0, 0, 0, 0]", "_replacements = [0, 0, 0, 0]"),
    );
    let system = System::new(&files).unwrap_or_else(|error| panic!("{error}"));
    assert!(system.game("malta-1942", &json!(null)).is_err());
    let game = system.game("malta-1943", &json!(null)).expect("the changed battle");
    let title = game.scene(&game.view(&game.setup(), Viewer::Spectator)).title;
    assert!(title.ends_with("day 1 of 4"), "{title}");
    let error = broken("scenarios-ground.toml", "\"0503\"", "\"9903\"");
    assert!(error.starts_with("scenarios-ground.toml") && error.contains("9903 is off the map"), "{error}");
    assert!(error.contains("-19"), "the battle is named: {error}");
}

#[test]
fn no_side_wins_by_sitting_still() {
    for (file, from, to, battle) in [
        (
            "scenarios-air.toml",
            "attacker_wins_at_least = 24\ndefender_wins_at_most = 16",
            "attacker_wins_at_least = 0\ndefender_wins_at_most = -9",
            "adlertag-1940",
        ),
        (
            "scenarios-ground.toml",
            "attacker_wins_at_least = 18\ndefender_wins_at_most = 8",
            "attacker_wins_at_least = 0\ndefender_wins_at_most = -2",
            "gazala-1942",
        ),
        (
            "scenarios-naval.toml",
            "attacker_wins_at_least = 57\ndefender_wins_at_most = 51",
            "attacker_wins_at_least = 0\ndefender_wins_at_most = -5",
            "pearl-harbor-1941",
        ),
    ] {
        let error = broken(file, from, to);
        assert!(error.contains(file) && error.contains(battle) && error.contains("C-34"), "{error}");
    }
}

#[test]
fn neighbours_are_mutual() {
    for column in 2..6 {
        for row in 2..6 {
            let hex = HexId { column, row };
            for other in hex.neighbours() {
                assert!(other.neighbours().contains(&hex), "{hex} {other}");
            }
        }
    }
    assert!(HexId { column: 4, row: 1 }.neighbours().contains(&HexId { column: 5, row: 2 }));
    assert!(!HexId { column: 4, row: 1 }.neighbours().contains(&HexId { column: 5, row: 3 }));
}

#[test]
fn what_is_wrong_is_explained() {
    let cases = [
        (
            "tables.toml",
            "\"2C\", \"1C/1H\", \"3C/1H\"",
            "\"2C\", \"1C-1H\", \"3C/1H\"",
            "'1C-1H' is not an attrition result",
        ),
        ("tables.toml", "\"51-60\",\"61+\"", "\"52-60\",\"61+\"", "gap or an overlap between '41-50' and '52-60'"),
        (
            "tables.toml",
            "[\"A\", \"A\", \"A\", \"A\", \"a\", \"Ex\", \"Ex-1\", \"Ex-2\"]",
            "[\"A\", \"A\", \"A\", \"A\", \"a\", \"Ex\", \"Ex-1\"]",
            "row '1' has 7 cells for 8 columns",
        ),
        (
            "tables.toml",
            "[\"A\", \"A\", \"A\", \"A\", \"a\", \"Ex\", \"Ex-1\", \"Ex-2\"]",
            "[\"A\", \"A\", \"A\", \"A\", \"a\", \"D\", \"Ex-1\", \"Ex-2\"]",
            "Ex-1 in column 4:1 is less than D before it",
        ),
        ("tables.toml", "\"5/7\", \"6/6\"", "\"5/7\", \"6:6\"", "'6:6' is not an air result"),
        ("tables.toml", "fleet_factors = [5, 6]", "fleet_factors = [5, 7]", "gap or an overlap"),
        ("tables.toml", "air_squadrons = 2\n", "air_squadrons = 3\n", "2 squadrons belong to the row that ends with 6"),
        (
            "tables.toml",
            "hits = [0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3]",
            "hits = [0, 0, 1, 1, 0, 1, 2, 2, 2, 3, 3]",
            "0 in column 6 is less than 1 before it",
        ),
        ("nationality.toml", "id = \"portugal\"", "id = \"spain\"", "every nation has exactly one"),
        ("nationality.toml", "id = \"portugal\"", "id = \"atlantis\"", "atlantis"),
        ("nationality.toml", "air = 2", "air = 20", "would leave every table"),
        ("naval.toml", "cruiser = 2", "cruiser = 3", "belong to the chart"),
        ("naval.toml", "one_group_up_to = 7", "one_group_up_to = 4", "rising totals"),
        ("naval.toml", "surprise_divisor = 2", "surprise_divisor = 0", "divided by at least 1"),
        ("ships.toml", "id = \"tirpitz\"", "id = \"bismarck\"", "bismarck: two ships have this id"),
        ("ships.toml", "size = 5", "size = 6", "two to five naval factors"),
        ("ships.toml", "capacity = 0", "capacity = 2", "have a capacity"),
        ("ships.toml", "kind = \"cv\"\nsize = 3", "kind = \"cv\"\nsize = 4", "has 3 naval factors, not 4"),
        ("terrain.toml", "maximum = 5", "maximum = 1", "must rise"),
        ("terrain.toml", "code = \"f\"", "code = \"m\"", "stands for two kinds of terrain"),
        ("terrain.toml", "id = \"swamp\"", "id = \"jungle\"", "every terrain has exactly one"),
        ("units.toml", "kind = \"armor\"", "kind = \"infantry\"", "two entries"),
        ("units.toml", "factors = 3", "factors = 0", "between 1 and 20"),
        ("units.toml", "squadrons_per_factor = 3", "squadrons_per_factor = 4", "three squadrons"),
        ("scenarios-ground.toml", "\"infantry\", \"0302\"", "\"infantry\", \"0301\"", "belongs to the enemy"),
        ("scenarios-ground.toml", "\"infantry\", \"0302\"", "\"infantry\", \"9902\"", "off the map"),
        ("scenarios-ground.toml", "\"infantry\", \"0302\"", "\"infantry\", \"302\"", "is not a hex"),
        (
            "scenarios-ground.toml",
            "\"infantry\", \"0302\"",
            "\"crack-infantry\", \"0302\"",
            "units.toml has no crack-infantry of Germany",
        ),
        (
            "scenarios-ground.toml",
            "\"germany\", \"infantry\", \"0303\"",
            "\"germany\", \"infantry\", \"0302\"",
            "0302 holds more than 2 units",
        ),
        ("scenarios-ground.toml", "[\"0301\", \"0302\"]", "[\"0301\", \"0303\"]", "does not lie between neighbours"),
        ("scenarios-ground.toml", "\"ff.f.ff\"", "\"ff.x.ff\"", "'x' is not a terrain"),
        ("scenarios-ground.toml", "[[\"0402\", 1]]", "[[\"0402\", 3]]", "1 is a fortification"),
        (
            "scenarios-ground.toml",
            "attacker_wins_at_least = 9",
            "attacker_wins_at_least = 3",
            "the defender cannot win at 5",
        ),
        ("scenarios-ground.toml", "attacker_wins_at_least = 9", "attacker_wins_at_least = 0", "sitting still"),
        ("scenarios-ground.toml", "ger-1 = \"VI Corps\"", "nobody = \"VI Corps\"", "unit_names has 'nobody'"),
        ("scenarios-ground.toml", "\"XXIII Corps\"", "\"VI Corps\"", "'VI Corps' appears twice"),
        ("terrain.toml", "clear = 1", "clear = 0", "at least one movement point"),
        (
            "scenarios-air.toml",
            "attacker_replacements = [0, 1, 1, 1, 1]",
            "attacker_replacements = [0, 1, 1, 1]",
            "replacements for 4 days of 5",
        ),
        ("scenarios-air.toml", "radar_results = 0", "radar_results = 1", "strategic bombing only"),
        ("scenarios-air.toml", "flak = 1", "flack = 1", "flack"),
        ("scenarios-air.toml", "days = 5", "days = 99", "at most 30 days"),
        ("scenarios-air.toml", "count = 14", "count = 999", "the attacker has 1013 air factors in all"),
        ("scenarios-air.toml", "id = \"radar\"", "id = \"reserve\"", "target reserve: the name has another meaning"),
        ("scenarios-air.toml", "id = \"group-12\"", "id = \"group:12\"", "an id has no colon"),
        ("scenarios-naval.toml", "\"akagi\", \"kaga\"", "\"akagi\", \"akaga\"", "there is no ship 'akaga'"),
        ("scenarios-naval.toml", "\"akagi\", \"kaga\"", "\"akagi\", \"akagi\"", "twice"),
        ("scenarios-naval.toml", "\"akagi\", \"kaga\"", "\"akagi\", \"hood\"", "hood belongs to Britain"),
        ("scenarios-naval.toml", "air = 28", "air = 40", "40 squadrons on carriers for"),
        (
            "scenarios-naval.toml",
            "{ round = 2, seat = \"axis\", level = 1 }",
            "{ round = 3, seat = \"axis\", level = 1 }",
            "a surprise level for every round",
        ),
        (
            "scenarios-naval.toml",
            "invasion_group = \"invasion-force\"",
            "invasion_group = \"covering-force\"",
            "has no transports",
        ),
        ("scenarios-naval.toml", "from_round = 3", "from_round = 9", "rounds of the battle"),
    ];
    for (file, from, to, why) in cases {
        let error = broken(file, from, to);
        assert!(error.starts_with(file) && error.contains(why), "{file}, {from} -> {to}: {error}");
    }
}

#[test]
fn naval_air_has_no_place_in_a_battle_counted_in_factors() {
    let from = "nation = \"britain\", type = \"army-air\", count = 4";
    let said = broken("scenarios-air.toml", from, &from.replace("army-air", "naval-air"));
    assert!(said.contains("malta-1942") && said.contains("group malta-wing: naval air fights in squadrons"), "{said}");
}

#[test]
fn limits_are_reached_and_a_draw_lies_between_them() {
    let limits = Limits { attacker: Side::Second, attacker_wins_at_least: 5, defender_wins_at_most: 2 };
    for (score, winner) in [(5, Some(Side::Second)), (4, None), (3, None), (2, Some(Side::First))] {
        assert_eq!(limits.winner(score), winner, "{score}");
    }
    let outcome = limits.outcome(BySide { first: 3, second: 8 }, serde_json::Value::Null);
    assert_eq!((outcome.winner, outcome.level.as_str()), (Some(Side::Second), "victory"));
    assert_eq!(outcome.points, [3, 8]);
}
