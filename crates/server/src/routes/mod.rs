//! The requests, by subject.

pub mod advice;
pub mod analysis;
pub mod games;
mod import;
pub mod learn;
pub mod people;
pub mod play;
pub mod puzzles;
pub mod referee;
pub mod site;
pub mod stream;
