//! Aircraft: flight, combat, attacks, decks. [6.5, 9.9 to 9.15]

use crate::game::FleetGame;
use crate::game::state::{Sea, State};
use crate::game::turn::Stop;
use flagplot_kernel::{Ask, Asked};
use serde::{Deserialize, Serialize};

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlightStage {
    Begin,
}

impl FleetGame {
    pub(in crate::game) fn begin_aircraft(&self, _sea: &mut Sea) -> Option<FlightStage> {
        None
    }

    pub(in crate::game) fn step_aircraft(&self, state: &mut State, _ask: &mut impl Ask) -> Asked<()> {
        self.after(Stop::Aircraft, state);
        Ok(())
    }
}

/// What stands and decks do in the Action Phase.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {}

/// How far an attack has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attack {}
