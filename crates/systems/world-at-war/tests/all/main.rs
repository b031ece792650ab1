//! All tests of the system in one program.

mod bad_input;
mod charts;
mod common;
mod data;
mod ground_map;
mod ground_odds;
mod ground_play;
mod ground_refusals;
mod ground_rules;
mod odds;
mod rules;
mod table;
mod trace;
mod vectors;
