//! The log as each viewer reads it: numbered without gaps, so that no number tells of a line somebody else reads.

use crate::common::{asked, every_scenario, open};
use flagplot_catalog::PlayerKind;
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
