//! Circumstances that stay as they were told: night for the whole table, smoke between the same two ships.

use super::{Act, Extra, Keep, Object, State};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The mark under which a table keeps them: for the table by name, for the same objects by name and then by their ids.
const KEPT: &str = "kept";
/// Between the ids of objects; no id has it.
const AND: char = '\n';

type Roles = BTreeMap<String, Vec<String>>;

/// The objects of an act, in whatever roles: smoke between two ships hides each from the other.
fn these(cast: &Roles) -> String {
    let mut ids: Vec<&str> = cast.values().flatten().map(String::as_str).collect();
    ids.sort_unstable();
    ids.join(&AND.to_string())
}

fn kept(state: &State) -> Option<&Map<String, Value>> {
    state.marks.get(KEPT)?.as_object()
}

fn known<'a>(extra: &Extra, state: &'a State, cast: &Roles) -> Option<&'a Value> {
    let value = kept(state)?.get(extra.id)?;
    match extra.keep {
        Keep::Never => None,
        Keep::Table => Some(value),
        Keep::Cast => value.get(these(cast)),
    }
}

/// Tells an act what is remembered and was not told anew.
pub(super) fn recall(act: &Act, state: &State, cast: &Roles, told: &mut Map<String, Value>) {
    for extra in &act.extras {
        if let Some(value) = known(extra, state, cast).filter(|_| !told.contains_key(extra.id)) {
            told.insert(extra.id.to_owned(), value.clone());
        }
    }
}

/// Remembers what an act was told. A switch that is off is not remembered.
pub(super) fn keep(act: &Act, state: &mut State, cast: &Roles, told: &Map<String, Value>) {
    let mut all = kept(state).cloned().unwrap_or_default();
    for extra in &act.extras {
        let Some(value) = told.get(extra.id) else { continue };
        let (slots, name) = match extra.keep {
            Keep::Never => continue,
            Keep::Table => (&mut all, extra.id.to_owned()),
            Keep::Cast => {
                let slot = all.entry(extra.id).or_insert_with(|| Value::Object(Map::new()));
                let Value::Object(slots) = slot else { continue };
                (slots, these(cast))
            }
        };
        if *value == Value::Bool(false) {
            slots.remove(&name);
        } else {
            slots.insert(name, value.clone());
        }
    }
    store(state, all);
}

/// Forgets what was told of an object that leaves the table.
pub(super) fn forget(state: &mut State, id: &str) {
    let Some(mut all) = kept(state).cloned() else { return };
    for slots in all.values_mut().filter_map(Value::as_object_mut) {
        slots.retain(|ids, _| ids.split(AND).all(|other| other != id));
    }
    store(state, all);
}

fn store(state: &mut State, mut all: Map<String, Value>) {
    all.retain(|_, value| value.as_object().is_none_or(|slots| !slots.is_empty()));
    if all.is_empty() {
        state.marks.remove(KEPT);
    } else {
        state.marks.insert(KEPT.to_owned(), all.into());
    }
}

/// What a table remembers of its circumstances.
pub struct Kept<'a>(pub &'a State);

impl<'a> Kept<'a> {
    /// What was told for the whole table.
    #[must_use]
    pub fn of_table(&self, name: &str) -> Option<&'a Value> {
        kept(self.0)?.get(name).filter(|value| !value.is_object())
    }

    /// The objects of each act of which something was told that stays so; those that are still in play.
    #[must_use]
    pub fn of_casts(&self, name: &str) -> Vec<Vec<&'a Object>> {
        let slots = kept(self.0).and_then(|all| all.get(name)?.as_object());
        let objects = |ids: &String| ids.split(AND).map(|id| self.0.object(id).filter(|one| one.in_play())).collect();
        slots.into_iter().flatten().filter_map(|(ids, _)| objects(ids)).collect()
    }
}
