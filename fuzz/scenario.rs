//! Any bytes as a data file of a player's own: read or refused, never a panic, and what is read can be played.
//!
//! The first line names system and file, the rest is the file.

use flagplot_catalog::Catalog;
use flagplot_desk::{Desk, DiceSource};
use serde_json::Value;

/// So many scenarios of a file are opened at most.
const MOST: usize = 3;

/// Lays a file over the built-in data; whether the system took it.
pub fn lay(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Some((first, file)) = text.split_once('\n') else { return false };
    let Some((system, name)) = first.trim().split_once(' ') else { return false };
    let mut catalog = Catalog::built_in();
    if catalog.lay(system, name, file).is_err() {
        return false;
    }
    let Ok(read) = catalog.system(system) else { return false };
    let own = read.scenarios().into_iter().filter(|scenario| file.contains(&scenario.id));
    for scenario in own.take(MOST) {
        let Ok(game) = read.game(&scenario.id, &Value::Null) else { continue };
        let names = vec!["fuzz".to_owned(); game.seats().len()];
        let opened = Desk::open(&catalog, system, &scenario.id, Value::Null, names, DiceSource::Seeded(1));
        let Ok(mut desk) = opened else { continue };
        let first = desk.question().and_then(|question| question.open().first().cloned());
        if let Some(asked) = first
            && let Some(option) = asked.options.first()
        {
            let _taken = desk.answer(asked.seat, option.value.clone());
        }
    }
    true
}
