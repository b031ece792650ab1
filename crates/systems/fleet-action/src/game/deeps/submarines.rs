//! Submarines: depth, torpedoes, sonar, depth charges. [6.3, C-30]

use crate::game::FleetGame;
use crate::game::state::{Sea, State};
use crate::game::turn::Stop;
use flagplot_kernel::{Ask, Asked};
use serde::{Deserialize, Serialize};

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiveStage {
    Begin,
}

impl FleetGame {
    pub(in crate::game) fn begin_submarines(&self, _sea: &mut Sea) -> Option<DiveStage> {
        None
    }

    pub(in crate::game) fn step_submarines(&self, state: &mut State, _ask: &mut impl Ask) -> Asked<()> {
        self.after(Stop::Submarines, state);
        Ok(())
    }
}
