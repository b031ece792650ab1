//! All tests of the system in one program.

mod agreement;
mod air_choices;
mod air_games;
mod bad_input;
mod charts;
mod common;
mod data;
mod ground_ends;
mod ground_fights;
mod ground_map;
mod ground_odds;
mod ground_play;
mod ground_refusals;
mod ground_rules;
mod missing;
mod naval_air;
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
