//! All tests of the crate from outside, in one binary.

mod common;
mod coverage;
mod live;
mod moves;
mod play;
mod referee;
mod setup;
