//! All tests of the system in one program.

mod bad_input;
mod charts;
mod common;
mod data;
mod naval_fixtures;
mod naval_play;
mod naval_refusals;
mod naval_secrets;
mod naval_strength;
mod odds;
mod rules;
mod table;
mod trace;
mod vectors;
