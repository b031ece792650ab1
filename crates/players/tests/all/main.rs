//! All tests of the players in one program.

mod barrier;
mod common;
mod mixes;
mod search;
