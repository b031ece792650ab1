//! The log as each viewer reads it: numbered without gaps, so that no number tells of a line somebody else reads.

use crate::common::{asked, every_scenario, open};
use flagplot_catalog::{Catalog, PlayerKind};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::{Chance, Seat, Viewer};
use serde_json::{Value, json};

const VIEWERS: [Viewer; 3] = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];

fn written(desk: &Desk, viewer: Viewer, after: usize) -> Vec<Value> {
    serde_json::from_str(&serde_json::to_string(&desk.lines(viewer, after)).unwrap()).unwrap()
}

/// Every way to read the log gives the same lines under the numbers 1 to n.
fn check(desk: &Desk, viewer: Viewer) {
    let lines = written(desk, viewer, 0);
    let numbers: Vec<&Value> = lines.iter().map(|line| &line["number"]).collect();
    assert_eq!(json!(numbers), json!((1..=lines.len()).collect::<Vec<_>>()), "{viewer:?}");
    for after in [1, lines.len() / 2, desk.settled_log(viewer), lines.len()] {
        assert_eq!(written(desk, viewer, after), lines[after.min(lines.len())..], "{viewer:?} after {after}");
    }
}

#[test]
fn each_viewer_has_its_own_numbers() {
    let mut hidden = 0;
    every_scenario(|catalog, system, scenario, game| {
        let mut desk = open(catalog, system, scenario, game, DiceSource::Seeded(2));
        let mut chance = Chance::seeded(6);
        for n in 0..60 {
            let Some(seat) = asked(&desk) else { break };
            let value = desk.think(seat, PlayerKind::Greedy, &mut chance).unwrap();
            desk.answer(seat, value).unwrap();
            if n % 9 == 0 {
                VIEWERS.into_iter().for_each(|viewer| check(&desk, viewer));
                assert_eq!(json!(desk.log(Viewer::Spectator, 3)), json!(written(&desk, Viewer::Spectator, 3)));
            }
        }
        let all = written(&desk, Viewer::Everything, 0).len();
        hidden += all - written(&desk, Viewer::Spectator, 0).len();
        desk.write_down().unwrap();
        let record = desk.record(true);
        if let Some(snapshot) = desk.snapshot().unwrap() {
            let again = Desk::resume_from(catalog, &record, &snapshot).unwrap();
            for viewer in VIEWERS {
                check(&desk, viewer);
                assert_eq!(written(&again, viewer, 0), written(&desk, viewer, 0));
            }
        }
        // A finished game is open: everybody reads everything under the same numbers.
        let _ = desk.resign(Seat(0));
        for viewer in VIEWERS {
            check(&desk, viewer);
            assert_eq!(written(&desk, viewer, 0), written(&desk, Viewer::Everything, 0));
        }
    });
    assert!(hidden > 20, "only {hidden} lines were private");
}

/// Plays a battle by instinct; every line of its log.
fn battle(catalog: &Catalog, system: &str, scenario: &str, seed: u64) -> Vec<Value> {
    let game = catalog.system(system).unwrap().game(scenario, &Value::Null).unwrap();
    let mut desk = open(catalog, system, scenario, &game, DiceSource::Seeded(seed));
    let mut chance = Chance::seeded(seed);
    while let Some(seat) = asked(&desk) {
        let value = desk.think(seat, PlayerKind::Greedy, &mut chance).unwrap();
        desk.answer(seat, value).unwrap();
    }
    written(&desk, Viewer::Everything, 0)
}

/// The units that a log calls lost, in the order of its lines.
fn lost(lines: &[Value]) -> Vec<(String, u64)> {
    let of = |line: &Value| -> Vec<(String, u64)> {
        let pieces = line["pieces"].as_array().into_iter().flatten().filter_map(Value::as_str);
        pieces.map(|piece| (piece.to_owned(), line["at"].as_u64().unwrap())).collect()
    };
    lines.iter().filter(|line| line["effect"] == "lost").flat_map(of).collect()
}

#[test]
fn each_loss_is_named_once_and_when_it_happens() {
    let catalog = Catalog::built_in();
    let mut sunk = 0;
    for (system, scenario) in [
        ("schiffskrieg", "denmark-strait-1941"),
        ("schiffskrieg", "midway-1942"),
        ("schiffskrieg", "taranto-1940"),
        ("fleet-action", "river-plate"),
        ("fleet-action", "kormoran"),
    ] {
        for seed in 0..4 {
            let lines = battle(&catalog, system, scenario, seed);
            let lost = lost(&lines);
            let mut named: Vec<&str> = lost.iter().map(|(piece, _)| piece.as_str()).collect();
            named.sort_unstable();
            let all = named.len();
            named.dedup();
            assert_eq!(named.len(), all, "{system} {scenario}, seed {seed}: a loss is named twice: {lost:?}");
            assert!(lost.is_sorted_by_key(|(_, at)| *at), "{system} {scenario}, seed {seed}: {lost:?}");
            sunk += all;
        }
    }
    assert!(sunk > 20, "only {sunk} losses");
}
