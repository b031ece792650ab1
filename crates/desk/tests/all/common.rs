//! What the tests over the whole catalog share.

use flagplot_catalog::{AnyGame, Catalog};
use flagplot_desk::{Desk, DiceSource};
use flagplot_kernel::Seat;
use serde_json::{Value, json};
use std::sync::Arc;

/// Runs `test` on every scenario of every system.
pub fn every_scenario(mut test: impl FnMut(&Catalog, &str, &str, &Arc<dyn AnyGame>)) {
    let catalog = Catalog::built_in();
    let ids: Vec<&str> = catalog.ids().collect();
    for id in ids {
        for scenario in catalog.system(id).unwrap().scenarios() {
            let game = catalog
                .system(id)
                .unwrap()
                .game(&scenario.id, &Value::Null)
                .unwrap_or_else(|refusal| panic!("{id} {}: {refusal}", scenario.id));
            test(&catalog, id, &scenario.id, &game);
        }
    }
}

/// A desk at which a scenario is played.
pub fn open(catalog: &Catalog, system: &str, scenario: &str, game: &Arc<dyn AnyGame>, dice: DiceSource) -> Desk {
    let seats = game.seats().iter().map(|seat| seat.name.clone()).collect();
    Desk::open(catalog, system, scenario, Value::Null, seats, dice).unwrap()
}

/// The seat that is asked first.
pub fn asked(desk: &Desk) -> Option<Seat> {
    desk.question().and_then(|question| question.open().first().map(|asked| asked.seat))
}

/// Answers that no question takes.
pub fn nonsense() -> Vec<Value> {
    vec![
        json!(null),
        json!("nonsense"),
        json!(-999),
        json!({"no": "such"}),
        json!([[["deep"]]]),
        json!([{"attacker": "x", "factor": "gunnery", "target": "y"}]),
    ]
}

/// Where two texts part.
pub fn difference(one: &str, other: &str) -> String {
    let at = one.bytes().zip(other.bytes()).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()));
    let cut = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(120)..(at + 120).min(text.len())]).into_owned()
    };
    format!("truth: …{}…\ndream: …{}…", cut(one), cut(other))
}
