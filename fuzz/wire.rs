//! Any bytes as the body of an answer on the wire: read or refused, and a refusal changes nothing.

use flagplot_catalog::Catalog;
use flagplot_desk::{Desk, DiceSource};
use flagplot_server::wire::AnswerBody;
use serde_json::Value;

/// Positions of different kinds: hidden forces, sealed choices, a plan in a table, a whole order sheet.
pub const POSITIONS: [(&str, &str); 5] = [
    ("carrier-strike", "first-strike"),
    ("dogfite", "verdun-1916"),
    ("schiffskrieg", "midway-1942"),
    ("world-at-war", "adlertag-1940"),
    ("fleet-action", "denmark-strait"),
];

/// Gives the answer in each of some positions; in how many it was taken.
///
/// # Panics
/// If an answer that was refused has changed the game.
pub fn answer(catalog: &Catalog, bytes: &[u8]) -> usize {
    let Ok(body) = serde_json::from_slice::<AnswerBody>(bytes) else { return 0 };
    let mut taken = 0;
    for (system, scenario) in POSITIONS {
        let names = vec!["fuzz".to_owned(); 2];
        let opened = Desk::open(catalog, system, scenario, Value::Null, names, DiceSource::Seeded(1));
        let mut desk = opened.expect("a scenario that is built in");
        let Some(asked) = desk.question().and_then(|question| question.open().first().cloned()) else { continue };
        let before = (desk.checkpoint().bytes(), desk.entries().len());
        match desk.answer(asked.seat, body.value.clone()) {
            Ok(()) => taken += 1,
            Err(_) => {
                assert!(before == (desk.checkpoint().bytes(), desk.entries().len()), "a refusal changed the game")
            }
        }
    }
    taken
}
