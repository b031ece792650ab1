//! One binary for all tests of the system, so that it is linked once.

mod habits;
mod leak;
mod play;
mod referee;
mod rules;
