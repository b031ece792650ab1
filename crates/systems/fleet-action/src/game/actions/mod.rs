//! The Action Phase. [6.6]

pub(in crate::game) mod guns;

use crate::game::FleetGame;
use crate::game::state::{Sea, State};
use crate::game::turn::Stop;
use flagplot_kernel::{Ask, Asked};
use serde::{Deserialize, Serialize};

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Begin,
}

impl FleetGame {
    pub(in crate::game) fn begin_actions(&self, _sea: &mut Sea) -> Stage {
        Stage::Begin
    }

    pub(in crate::game) fn step_actions(&self, state: &mut State, _ask: &mut impl Ask) -> Asked<()> {
        self.after(Stop::Actions, state);
        Ok(())
    }
}
