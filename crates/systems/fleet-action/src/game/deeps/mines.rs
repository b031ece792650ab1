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
