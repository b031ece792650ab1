//! Mines and submarines. [9.1, 9.2, C-52]

mod act;
mod dive;
mod dive_screen;
mod insight;
mod laying;
pub mod mines;
pub mod submarines;

pub use act::Act;
pub use dive::DiveEntry;
pub(in crate::game) use dive::{DivePlan, DiveSheet};
pub use mines::MineStage;
pub use submarines::DiveStage;
