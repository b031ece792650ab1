//! All tests over the catalog in one program.

mod examples;
mod hostile;
mod ideas;
mod odds_agree;
mod tables;
mod vectors;
