//! Mines laid and struck. [6.2, C-31]

use crate::game::FleetGame;
use crate::game::state::{Sea, State};
use crate::game::turn::Stop;
use flagplot_kernel::{Ask, Asked};
use serde::{Deserialize, Serialize};

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MineStage {
    Begin,
}

impl FleetGame {
    pub(in crate::game) fn begin_mines(&self, _sea: &mut Sea) -> Option<MineStage> {
        None
    }

    pub(in crate::game) fn step_mines(&self, state: &mut State, _ask: &mut impl Ask) -> Asked<()> {
        self.after(Stop::Mines, state);
        Ok(())
    }
}

impl FleetGame {
    /// Whether a field lies wholly inside the rectangle it is granted in. [C-52]
    pub(in crate::game) fn field_fits(&self, at: crate::geometry::Position, granted: &crate::data::GrantedFields) -> bool {
        let _ = (at, granted);
        true
    }
}
