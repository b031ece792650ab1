//! Points, bonuses and the verdict. [C-24, C-49, C-50]

use super::FleetGame;
use super::state::{Sea, State};
use flagplot_kernel::{Outcome, Side, Standing};
use serde_json::json;

impl FleetGame {
    /// How the battle ended.
    pub(super) fn verdict(&self, _sea: &Sea) -> Outcome {
        Outcome { winner: None, level: "draw".into(), points: [0, 0], summary: "A draw.".into(), details: json!({}) }
    }

    /// How good the position is for a side. [section 15]
    pub(super) fn standing(&self, _state: &State, _side: Side) -> Standing {
        0
    }
}
