//! Players made of code. They see a view and the worlds imagined from it, never a state of the real game.

mod policy;
mod probe;

pub use policy::{Mixed, PlayerKind, Playout, Thought, playout, think};
