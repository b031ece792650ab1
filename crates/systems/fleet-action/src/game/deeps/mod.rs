//! Mines and submarines. [9.1, 9.2, C-52]

pub mod mines;
pub mod submarines;

pub use mines::MineStage;
pub use submarines::DiveStage;
