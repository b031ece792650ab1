//! Stand-ins until the branch with them is merged.
use crate::game::FleetGame;
use crate::game::state::{Sea, VesselId};
use crate::geometry::Position;
use flagplot_kernel::{Ask, Asked};

impl FleetGame {
    pub(in crate::game) fn fire_value(&self, _: &Sea, _: VesselId, _: Position, _: VesselId, _: Position) -> i64 {
        0
    }

    pub(in crate::game) fn lose_flotation(
        &self,
        sea: &mut Sea,
        on: VesselId,
        points: i32,
        _: &mut impl Ask,
    ) -> Asked<()> {
        sea.vessel_mut(on).now.f -= points;
        Ok(())
    }
}
