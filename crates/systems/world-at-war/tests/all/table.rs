//! What the table offers must be what the procedures take, and what happens to it must be kept.

use crate::common::system;
use flagplot_referee::{Index, LibraryItem, Pick, System as _};
use flagplot_world_at_war::System;
use serde_json::json;

fn hood(system: &System, kind: &str) -> LibraryItem {
    system.library().into_iter().find(|item| item.name == "Hood" && item.kind == kind).expect("Hood")
}

#[test]
fn a_ship_is_damaged_and_lost_by_the_ruling_it_was_picked_for() {
    let system = system();
    let pick = |path: &str, kind: &str| [Pick { path: path.to_owned(), item: hood(&system, kind) }];
    let damaged =
        system.aftermath("naval-attack", &pick("target", "target"), &json!({"effect": {"state": "damaged"}})).remove(0);
    assert_eq!((damaged.kind.as_str(), &damaged.value["damaged"]), ("target", &json!(true)));
    // In a fleet she is damaged too.
    assert_eq!(system.aspects(&damaged)[0].value["damaged"], json!(true));
    let struck = system
        .aftermath(
            "air-strike",
            &pick("targets.1.ship", "target"),
            &json!({"attacks": [{}, {"effect": {"state": "sunk"}}]}),
        )
        .remove(0);
    assert_eq!(struck.kind, "lost");
    let fleet = pick("sides.1.ships.0", "ship");
    let sunk = system
        .aftermath("fleet-combat-round", &fleet, &json!({"sides": [{}, {"ships": {fleet[0].item.id.clone(): "sunk"}}]}))
        .remove(0);
    assert_eq!(system.card(&sunk, None).stamp.as_deref(), Some("sunk"));
}

#[test]
fn a_further_round_of_air_combat_starts_with_what_is_left() {
    let system = system();
    let index = Index::of(&system);
    let input = json!({"attackers": [{"nation": "germany", "count": 9}],
        "defenders": [{"nation": "britain", "count": 8}], "unit": "factors"});
    let result = json!({"attacker_losses": {"remaining": 5}, "defender_losses": {"remaining": 4}});
    let follow = system.follow_ups("air-combat", &input, &[], &result).remove(0);
    assert_eq!(follow.known["attackers"][0]["count"], json!(5));
    let about = index.abouts().iter().find(|about| about.name == follow.procedure).expect("a procedure");
    assert!(about.input.check(follow.known, "input", &system.codes()).is_ok());
    assert!(
        system
            .follow_ups(
                "air-combat",
                &input,
                &[],
                &json!({"attacker_losses": {"remaining": 5}, "defender_losses": {"remaining": 0}})
            )
            .is_empty()
    );
}

#[test]
fn every_row_of_a_chart_is_as_long_as_its_head() {
    let charts = system().charts();
    assert_eq!(charts.len(), 5);
    for chart in charts {
        assert!(
            !chart.rows.is_empty() && chart.rows.iter().all(|(_, cells)| cells.len() == chart.columns.len()),
            "{}",
            chart.id
        );
    }
}
