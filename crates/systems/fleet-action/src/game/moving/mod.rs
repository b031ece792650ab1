//! Ship movement. [6.4]

use crate::game::FleetGame;
use crate::game::state::{MarkerId, Sea, State, VesselId};
use crate::game::turn::Stop;
use flagplot_kernel::course::Leg;
use flagplot_kernel::{Ask, Asked};
use serde::{Deserialize, Serialize};

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Begin,
}

impl FleetGame {
    pub(in crate::game) fn begin_ships(&self, _sea: &mut Sea) -> Option<Stage> {
        Some(Stage::Begin)
    }

    pub(in crate::game) fn step_ships(&self, state: &mut State, _ask: &mut impl Ask) -> Asked<()> {
        self.after(Stop::Ships, state);
        Ok(())
    }

    pub(in crate::game) fn forced_run(
        &self,
        sea: &mut Sea,
        id: VesselId,
        legs: &[Leg],
        _ask: &mut impl Ask,
    ) -> Asked<()> {
        for leg in legs {
            let at = &mut sea.vessel_mut(id).at;
            match *leg {
                Leg::Ahead(mm) => *at = at.ahead(mm),
                Leg::Turn(degrees) => at.heading = at.heading.turned(degrees),
            }
        }
        Ok(())
    }

    pub(in crate::game) fn deploy(&self, sea: &mut Sea, marker: MarkerId) {
        sea.marker_mut(marker).gone = true;
    }
}
