//! Every cell of every chart, read through the procedures and compared with the file.

use crate::common::{ask, system};
use serde_json::json;

fn tables() -> toml::Table {
    include_str!("../../data/tables.toml").parse().expect("TOML")
}

fn cell(table: &toml::Value, row: usize, column: usize) -> &str {
    table["rows"][row][column].as_str().expect("a cell")
}

/// Two dice that add up to a total.
fn dice(total: usize) -> [usize; 2] {
    let first = total.saturating_sub(6).max(1);
    [first, total - first]
}

#[test]
fn attrition() {
    let (system, tables) = (system(), tables());
    for (column, factors) in [10, 11, 30, 31, 50, 51, 61].into_iter().enumerate() {
        for row in 0..12_i64 {
            let input =
                json!({"attackers": [{"factors": factors, "ctl": row - 3}], "defenders": [{"factors": 1, "ctl": 0}]});
            let answer = ask(&system, "attrition", input, json!({"dice": [3]}));
            assert_eq!(
                answer["result"]["cell"],
                cell(&tables["attrition"], row as usize, column),
                "row {row}, {factors} factors"
            );
            assert_eq!(answer["result"]["column"], tables["attrition"]["columns"][column].as_str().expect("a heading"));
        }
    }
}

#[test]
fn ground_combat() {
    let (system, tables) = (system(), tables());
    let strengths = [(3, 12), (4, 12), (6, 12), (12, 12), (24, 12), (36, 12), (48, 12), (60, 12)];
    for (column, (attack, defense)) in strengths.into_iter().enumerate() {
        for face in 1..=6 {
            let input = json!({"attackers": [{"id": "a", "factors": attack}],
                "defenders": [{"id": "d", "factors": defense, "dm": 1}]});
            let answer = ask(&system, "ground-combat", input, json!({"dice": [face]}));
            assert_eq!(
                answer["result"]["result"],
                cell(&tables["crt"], face - 1, column),
                "{attack} against {defense}, {face}"
            );
        }
    }
}

#[test]
fn air_combat_and_air_defense() {
    let (system, tables) = (system(), tables());
    for total in 2..=12 {
        let [one, two] = dice(total);
        for engaged in 1..=20 {
            let input = json!({"attackers": [{"nation": "poland", "count": engaged}],
                "defenders": [{"nation": "china", "count": 1}]});
            let answer = ask(&system, "air-combat", input, json!({"dice": [one, two, 1, 1]}));
            let side = &answer["result"]["attacker"];
            assert_eq!(
                format!("{}/{}", side["table_eliminated"], side["table_aborted"]),
                cell(&tables["air_combat"], engaged - 1, total - 2)
            );
        }
        for level in 1..=10 {
            let answer = ask(
                &system,
                "air-defense",
                json!({"attackers": 9, "defenses": {"flak": level}}),
                json!({"dice": [one, two]}),
            );
            let result = &answer["result"];
            assert_eq!(
                format!("{}/{}", result["table_eliminated"], result["table_aborted"]),
                cell(&tables["air_defense"], level - 1, total - 2)
            );
        }
    }
}

#[test]
fn naval_attack_by_ships_and_by_aircraft() {
    let (system, tables) = (system(), tables());
    let target = json!({"kind": "capital-ship", "nation": "greece", "size": 9});
    let rows = tables["naval_attack"]["rows"].as_array().expect("rows");
    for total in 2..=12 {
        for row in rows {
            let hits = row["hits"][total - 2].as_integer().expect("hits");
            for end in 0..2 {
                let input = json!({"mode": "fleet", "attackers": [{"nation": "turkey",
                    "factors": row["fleet_factors"][end].as_integer()}], "target": target});
                assert_eq!(ask(&system, "naval-attack", input, json!({"dice": dice(total)}))["result"]["hits"], hits);
            }
            let squadrons = row["air_squadrons"].as_integer().expect("squadrons");
            if squadrons > 0 {
                let input =
                    json!({"mode": "air", "attackers": [{"nation": "turkey", "count": squadrons}], "target": target});
                assert_eq!(ask(&system, "naval-attack", input, json!({"dice": dice(total)}))["result"]["hits"], hits);
            }
        }
    }
}

#[test]
fn the_air_combat_table_runs_in_diagonals() {
    let tables = tables();
    let table = &tables["air_combat"];
    for row in 4..19 {
        for column in 1..11 {
            // Rows 5 to 7 still bend at their left end.
            if row >= 6 || column >= 6 {
                assert_eq!(
                    cell(table, row, column),
                    cell(table, row + 1, column - 1),
                    "row {}, column {}",
                    row + 1,
                    column + 2
                );
            }
        }
    }
}

#[test]
fn rolls_beyond_the_edges_use_the_edges() {
    let system = system();
    let fight = |jets: u32| {
        let input = json!({"attackers": [{"nation": "germany", "count": jets, "type": "jet"}],
            "defenders": [{"nation": "germany", "count": 3}]});
        ask(&system, "air-combat", input, json!({"dice": [6, 6, 1, 1]}))["result"].clone()
    };
    let result = fight(5);
    assert_eq!(result["attacker"]["column"], "12+");
    assert_eq!(result["attacker"]["modified_roll"], 17);
    assert_eq!(result["defender"]["column"], "2");
    assert_eq!(result["defender"]["modified_roll"], -3);
}

#[test]
fn rows_overflow_by_the_top_row() {
    let system = system();
    for number in [20, 21, 40, 59, 1000] {
        let hits = |count: u64| -> u64 {
            let input = json!({"mode": "air", "attackers": [{"nation": "turkey", "count": count}],
                "target": {"kind": "capital-ship", "nation": "greece", "size": 9}});
            ask(&system, "naval-attack", input, json!({"dice": [3, 4]}))["result"]["hits"].as_u64().expect("hits")
        };
        let rest = if number % 20 == 0 { 0 } else { hits(number % 20) };
        assert_eq!(hits(number), number / 20 * hits(20) + rest, "{number} squadrons");
    }
}
