//! Mines and submarines. [9.1, 9.2, C-52]

mod act;
mod dive;
mod dive_screen;
mod laying;
pub mod mines;
pub mod submarines;

pub use act::Act;
pub use dive::DiveEntry;
pub(in crate::game) use dive::{DivePlan, DiveSheet};
pub(in crate::game) use laying::Laying;
pub use mines::MineStage;
pub use submarines::DiveStage;

use serde::{Deserialize, Serialize};

/// What escorts do against submarines in the Action Phase.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {}
