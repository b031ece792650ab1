//! What the referee wants to do, checked.

use super::deed::{Deed, Recruit, read, signed};
use super::facts::put;
use super::game::Table;
use super::ruling::Ready;
use super::{Object, Place, SheetFigure, State};
use crate::{Codes, LibraryItem, System};
use flagplot_kernel::{Refusal, Seat};
use serde_json::Value;

/// The most objects on a table.
const MOST_OBJECTS: usize = 200;
/// The longest name.
const LONGEST_NAME: usize = 60;

/// A deed that has been checked.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "one lives for a moment")]
pub(super) enum Planned {
    Act(Ready),
    /// Objects, and the scenario they are from with its sides.
    Add(Vec<Object>, Option<(String, [String; 2])>),
    Next,
    Waive(u32),
    Place(String, Option<Place>),
    Give(String, Option<u8>),
    Remove(String),
    Correct(String, String, Value, Value),
    Sides([String; 2]),
    Close,
}

pub(super) fn refuse(code: &'static str, message: impl Into<String>) -> Refusal {
    Refusal::new(code, message)
}

impl<S: System + Send + Sync + ?Sized + 'static> Table<S> {
    /// A deed, if it can be done now.
    pub(super) fn planned(&self, state: &State, value: &Value) -> Result<Planned, Refusal> {
        let (by, value) = signed(value);
        let deed = read(value)?;
        if by != Seat(0) && !matches!(deed, Deed::Act { .. }) {
            return Err(refuse("referee-only", "Only the referee does this.").remedy("Ask the referee."));
        }
        let there = |id: &str| {
            state.object(id).map(|object| object.id.clone()).ok_or_else(|| {
                refuse("unknown-object", "That object is not on the table.").remedy("Choose one that is.")
            })
        };
        Ok(match deed {
            Deed::Forces { forces } => Planned::Add(self.recruits(state, forces)?, None),
            Deed::Scenario { scenario } => {
                let (objects, sides) = self.system.muster(&scenario)?;
                self.room(state, objects.len())?;
                Planned::Add(objects, Some((scenario, sides)))
            }
            Deed::Line { line, side } => {
                if side > 1 {
                    return Err(refuse("bad-side", "A table has two sides."));
                }
                let items = self.system.read_line(&line)?;
                self.room(state, items.len())?;
                Planned::Add(items.into_iter().map(|item| Object::new(item, side)).collect(), None)
            }
            Deed::Act { act, cast, part, facts, owed } => {
                let ready = self.merged(state, &act, cast, part, facts, owed, by)?;
                self.check_ready(state, &ready)?;
                Planned::Act(ready)
            }
            Deed::Next {} => {
                self.nothing_owed(state)?;
                Planned::Next
            }
            Deed::Waive { owed } => {
                if !state.chain.iter().chain(&state.owed).any(|known| known.number == owed) {
                    return Err(refuse("not-owed", "This is no longer due."));
                }
                Planned::Waive(owed)
            }
            Deed::Place { object, place } => {
                if place.is_some_and(|at| at.x.abs() > 1_000_000 || at.y.abs() > 1_000_000) {
                    return Err(refuse("bad-place", "That place is off the map.")
                        .remedy("Stay within a kilometre of its middle."));
                }
                let place = place.map(|at| Place { heading: at.heading.rem_euclid(360), ..at });
                Planned::Place(there(&object)?, place)
            }
            Deed::Give { object, player } => {
                if player.is_some_and(|player| player == 0 || player > super::PLAYERS) {
                    return Err(refuse(
                        "unknown-player",
                        format!("The table has seats for {} players.", super::PLAYERS),
                    ));
                }
                Planned::Give(there(&object)?, player)
            }
            Deed::Remove { object } => Planned::Remove(there(&object)?),
            Deed::Correct { object, field, value } => {
                let id = there(&object)?;
                let object = state.object(&id);
                let item = object.map(Object::item).unwrap_or_default();
                let mut sheet = item.value.clone();
                let figures = object.filter(|_| state.limits_figures()).map(|object| self.system.figures(object));
                let figure = figures.as_ref().map(|list| list.iter().find(|figure| figure.field == field));
                let known = sheet.pointer(&format!("/{}", field.replace('.', "/"))).is_some();
                if !known && !matches!(figure, Some(Some(_))) {
                    return Err(refuse("unknown-figure", format!("The sheet of {} has no such figure.", item.name)));
                }
                if state.proposes() {
                    same_kind(&item, &field, &value)?;
                }
                if let Some(figure) = figure {
                    within_limits(&item, figure, &value, &self.system.codes())?;
                }
                put(&mut sheet, &field, value.clone());
                let item = LibraryItem { value: sheet, ..item };
                let item = match figure {
                    Some(_) => self.system.corrected(item, &field)?,
                    None => self.system.accept(item)?,
                };
                Planned::Correct(id, field, value, item.value)
            }
            Deed::Sides { names } => {
                if names.iter().any(|name| name.trim().is_empty() || name.chars().count() > LONGEST_NAME) {
                    return Err(refuse("bad-name", format!("A side has a name of 1 to {LONGEST_NAME} letters.")));
                }
                Planned::Sides(names)
            }
            Deed::Close {} => Planned::Close,
        })
    }

    fn room(&self, state: &State, more: usize) -> Result<(), Refusal> {
        if state.objects.len() + more <= MOST_OBJECTS {
            return Ok(());
        }
        Err(refuse("table-full", format!("A table has room for {MOST_OBJECTS} objects."))
            .remedy("Take objects off the table that are no longer needed."))
    }

    fn recruits(&self, state: &State, forces: Vec<Recruit>) -> Result<Vec<Object>, Refusal> {
        if forces.is_empty() {
            return Err(refuse("no-forces", "No forces were chosen."));
        }
        self.room(state, forces.len())?;
        forces.into_iter().map(|recruit| self.recruit(recruit)).collect()
    }

    fn recruit(&self, recruit: Recruit) -> Result<Object, Refusal> {
        if recruit.side > 1 {
            return Err(refuse("bad-side", "A table has two sides."));
        }
        let name = recruit
            .name
            .map(|name| name.trim().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect::<String>());
        let named = || name.clone().filter(|name| !name.is_empty());
        let mut item = match (&recruit.of, recruit.derive, recruit.value) {
            (Some(of), None, None) => self.forces.iter().find(|item| item.id == *of).cloned().ok_or_else(|| {
                refuse(
                    "unknown-force",
                    format!("The data has nothing called “{}”.", of.chars().take(60).collect::<String>()),
                )
                .remedy("Search the list of forces.")
            })?,
            (None, Some(facts), None) => {
                let name = named().ok_or_else(|| refuse("no-name", "A ship of your own needs a name."))?;
                self.system.derived(&name, facts).map_err(spoken)?
            }
            (None, None, Some(value)) => {
                let name = named().ok_or_else(|| refuse("no-name", "An object of your own needs a name."))?;
                let kind = recruit.kind.unwrap_or_else(|| "ship".to_owned());
                self.system.accept(LibraryItem { id: id_of(&name), name, kind, value }).map_err(spoken)?
            }
            _ => {
                return Err(refuse(
                    "bad-force",
                    "A force is an object of the data, a sheet of your own, or facts to derive one from.",
                ));
            }
        };
        if let Some(name) = named() {
            item.name = name;
        }
        for (field, value) in recruit.changes {
            if item.value.get(&field).is_none() {
                return Err(refuse("unknown-figure", format!("The sheet of {} has no such figure.", item.name)));
            }
            item.value[field] = value;
            item = self.system.accept(item).map_err(spoken)?;
        }
        let group = recruit.group.unwrap_or_default().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        Ok(Object { group, ..Object::new(item, recruit.side) })
    }

    fn nothing_owed(&self, state: &State) -> Result<(), Refusal> {
        let owed: Vec<&str> = state.chain.iter().chain(&state.owed).map(|owed| owed.why.as_str()).collect();
        match owed.as_slice() {
            [] => Ok(()),
            [one] => Err(refuse("still-owed", format!("Still due: {one}.")).remedy("Rule on it, or waive it.")),
            several => Err(refuse(
                "still-owed",
                format!("{} things are still due, the first of them: {}.", several.len(), several[0]),
            )
            .remedy("Rule on them, or waive them.")),
        }
    }
}

/// A refusal of a sheet as a person reads it.
fn spoken(refusal: Refusal) -> Refusal {
    let words = |text: &str| super::words::in_words(&[], &State::default(), text);
    Refusal {
        message: words(&refusal.message),
        remedy: refusal.remedy.map(|text| words(&text)),
        also: refusal.also.into_iter().map(spoken).collect(),
        ..refusal
    }
}

/// A figure stays what it is: a number, yes or no, or text.
fn same_kind(item: &LibraryItem, field: &str, value: &Value) -> Result<(), Refusal> {
    let kind = |value: &Value| match value {
        Value::Number(_) => "a whole number",
        Value::Bool(_) => "yes or no",
        Value::String(_) => "text",
        _ => "a whole part of the sheet",
    };
    let now = super::facts::at(&item.value, field);
    if kind(now) == kind(value) && !value.is_f64() || now.is_null() {
        return Ok(());
    }
    Err(refuse("bad-figure", format!("This figure of {} is {}.", item.name, kind(now))).remedy("Type another value."))
}

/// A figure that may be corrected, to a value that its sheet can have.
fn within_limits(
    item: &LibraryItem,
    figure: Option<&SheetFigure>,
    value: &Value,
    codes: &Codes,
) -> Result<(), Refusal> {
    let figure = figure.ok_or_else(|| {
        refuse("unknown-figure", format!("This figure of {} cannot be corrected by itself.", item.name))
            .remedy("It follows from others on the sheet: correct those.")
    })?;
    let label = format!("“{}” of {}", figure.label, item.name);
    let checked = figure.shape.check(value.clone(), &label, codes).map(drop);
    checked.map_err(|refusal| refuse("bad-figure", refusal.message).remedy("Type another value."))
}

/// An id made from a name.
fn id_of(name: &str) -> String {
    let id: String = name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    format!("own-{}", id.trim_matches('-'))
}
