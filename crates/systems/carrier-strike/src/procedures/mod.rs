//! What the referee settles, one item for each procedure.

mod combat;
mod dogfight;
mod measure;
mod sea;
mod strike;
mod tables;
mod value;

use crate::data::Book;
use crate::words::{Markers, Skill};
use flagplot_kernel::Refusal;
use flagplot_referee::{AnyProcedure, Shape, int, list, opt, or, record, req, text, word};
use serde_json::json;
use std::sync::Arc;

pub use combat::SquadronFacts;
pub use dogfight::{DogfightInput, Skills, dogfight_odds, instinctive_dogfight};
pub use value::{
    Played, ValueMatrix, flak_duel, playable, search_duel, stance_duel, stance_matrix, strike_duel, strike_matrix,
    strike_matrix_by, written,
};

/// All procedures in the order of the rules page.
pub fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    let book = || book.clone();
    vec![
        Box::new(tables::HitsInflicted(book())),
        Box::new(tables::Detection(book())),
        Box::new(combat::AirCombat(book())),
        Box::new(strike::Strike(book())),
        Box::new(strike::StrikeGroup(book())),
        Box::new(strike::AaFire(book())),
        Box::new(dogfight::Dogfight(book())),
        Box::new(sea::Ditching(book())),
        Box::new(sea::SurfaceAction(book())),
        Box::new(sea::Victory(book())),
        Box::new(measure::Measure(book())),
        Box::new(measure::Groups(book())),
        Box::new(measure::Path(book())),
        Box::new(value::StanceValue(book())),
        Box::new(value::StrikeValue(book())),
    ]
}

/// Text of an id.
const ID: usize = 40;

fn stance() -> Shape {
    word(&["gung-ho", "instinctive", "patient"])
}

fn skill() -> Shape {
    word(&["none", "experienced", "elite"])
}

fn markers() -> Shape {
    record(vec![
        or("red", int(0, 2), 0, "markers that add hits"),
        or("blue", int(0, 2), 0, "markers that take enemy hits away"),
    ])
}

fn cv() -> Shape {
    record(vec![
        req("hits", int(0, 8), "hits taken so far, 0 to 7"),
        opt("aa_table", list(int(0, 24), 9, 9), "anti-aircraft points for 0 to 8 hits"),
    ])
}

fn point() -> Shape {
    flagplot_referee::tuple(vec![int(-1_000_000, 1_000_000), int(-1_000_000, 1_000_000)])
}

fn squadron_at(most: usize, least: usize) -> Shape {
    list(record(vec![req("id", text(ID), "name"), req("at", point(), "centre")]), least, most)
}

fn no_markers() -> serde_json::Value {
    json!({"red": 0, "blue": 0})
}

/// Whether the markers are as many as the skill demands. [Pilot skill]
fn check_markers(skill: Skill, markers: Markers, whose: &str) -> Result<(), Refusal> {
    let due = skill.markers();
    if markers.total() == due {
        return Ok(());
    }
    let message = match skill {
        Skill::None => format!("{whose}: pilots without special skill play no markers."),
        _ => format!("{whose}: {} pilots play exactly {due} marker{}.", skill.word(), if due == 1 { "" } else { "s" }),
    };
    Err(Refusal::new("bad-markers", message).by(crate::rule::PILOT_SKILL))
}

/// Whether every id is there once.
fn check_ids<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), Refusal> {
    let mut seen: Vec<&str> = Vec::new();
    for id in ids {
        if seen.contains(&id) {
            return Err(Refusal::new("duplicate-id", format!("'{id}' is listed twice.")));
        }
        seen.push(id);
    }
    Ok(())
}
