//! How the computer thinks: what fire and paths are worth, and its instinct for each question. [section 17]

mod air;
mod deeps;
pub(in crate::game) mod fire;
mod path;
