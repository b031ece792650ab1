//! How the computer thinks: what fire and paths are worth, and its instinct for each question. [section 17]

pub(in crate::game) mod fire;
mod path;
