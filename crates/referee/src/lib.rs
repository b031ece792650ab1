//! The referee: procedures declared once, and one form for asking them.
//!
//! A [`Procedure`] says its name, its input and result as [`Shape`]s, its rules and how it runs. Command-line help,
//! JSON Schema, documentation and browser forms come out of that declaration; the same function serves the game.

#![warn(missing_docs)]
mod card;
mod example;
mod odds;
mod one_field;
mod procedure;
mod request;
mod shape;
mod shaped;
pub mod table;
mod vectors;

pub use card::{Chart, FollowUp, Pick, plain_card, same_places};
pub use example::{Example, examples};
pub use flagplot_derive::{Shaped, words};
pub use flagplot_kernel::card::{Card, Figure, Fitting, Section};
pub use odds::{FieldOdds, Projection};
pub use one_field::one_field;
pub use procedure::{About, AnyProcedure, Attempt, Procedure, Ruling, by_enumeration, projected};
pub use request::{Codes, Dice, Index, LARGEST, LibraryItem, Request, Response, System, adjudicate, parse};
pub use serde_json::json;
pub use shape::{
    Field, Kind, Need, Shape, bool, either, int, list, map, nullable, opt, or, record, req, tagged, text, tuple, word,
    word_of,
};
pub use shaped::{Shaped, UnknownWord};
pub use vectors::{answer, dice_without_proof, run_vectors};
