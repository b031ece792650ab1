//! Flak: the factors that ships have against a stand, and their volleys. [9.9, C-10, C-46]

use crate::anti_air::FlakVolley;
use crate::game::FleetGame;
use crate::game::battle::Hull;
use crate::game::state::{Level, Mood, Sea, StandId, VesselId};
use crate::rule;
use crate::ship::{GunMount, is_lost};
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Note};
use serde::{Deserialize, Serialize};

/// One kind of fire that a ship has against a stand, with the factors left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) struct Battery {
    pub ship: VesselId,
    pub flak: Flak,
    pub factors: i32,
}

/// A volley still to be fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Volley {
    pub ship: VesselId,
    pub flak: Flak,
    pub factors: i32,
}

impl FleetGame {
    /// Long range factors left: the band of the heavy guns that have not fired at the surface. [1.3]
    fn lrf_left(&self, sea: &Sea, id: VesselId) -> i32 {
        let (vessel, sheet) = (sea.vessel(id), &self.battle.model(id).sheet);
        let guns = |mounts: &[GunMount], lost: u64, fired: u64| -> i32 {
            let left = mounts.iter().enumerate().filter(|(at, mount)| mount.aa && !is_lost(lost | fired, *at));
            left.map(|(_, mount)| mount.guns).sum()
        };
        let (now, ledger) = (&vessel.now, &vessel.ledger);
        let whole = guns(&sheet.main, now.main_lost, ledger.main_fired)
            + guns(&sheet.other, now.other_lost, ledger.other_fired);
        (self.battle.rules.band(whole) - ledger.lrf_used).max(0)
    }

    /// Factors of one kind that a ship has left this turn.
    fn flak_left(&self, sea: &Sea, id: VesselId, flak: Flak) -> i32 {
        let (vessel, model) = (sea.vessel(id), self.battle.model(id));
        let boats = if model.hull == Hull::Boats { self.battle.rules.band(vessel.vessels) } else { 1 };
        match flak {
            Flak::Lrf => self.lrf_left(sea, id),
            Flak::Mrf => (vessel.now.mrf * boats - vessel.ledger.mrf_used).max(0),
            Flak::Crf => (vessel.now.crf * boats - vessel.ledger.crf_used).max(0),
        }
    }

    /// Whether a ship can fire at aircraft at all.
    fn can_fire_flak(&self, sea: &Sea, id: VesselId) -> bool {
        let (vessel, member) = (sea.vessel(id), self.battle.member(id));
        let powered = !vessel.now.gear.power_failed || vessel.ledger.power == Some(true);
        vessel.in_play()
            && vessel.level == Level::Surfaced
            && !sea.squadron(member.squadron).surprised
            && !self.holds(sea, id)
            && powered
    }

    /// All fire that the ships of the target's side have against aircraft at a point that attack it: the target first with
    /// everything, then the others nearest first with LRF and MRF. [6.5]
    pub(in crate::game) fn flak_at(&self, sea: &Sea, at: Point, target: VesselId) -> Vec<Battery> {
        let reach = &self.battle.rules.reach;
        let side = self.battle.member(target).side;
        let mut ships: Vec<(bool, i32, VesselId)> = sea
            .all()
            .filter(|(ship, _)| self.battle.member(*ship).side == side && self.can_fire_flak(sea, *ship))
            .map(|(ship, vessel)| (ship != target, self.reach(vessel.at.at.point(), at), ship))
            .filter(|(_, range, _)| *range <= reach.lrf_air)
            .collect();
        ships.sort_unstable();
        let mut batteries = Vec::with_capacity(2 * ships.len());
        for (other, range, ship) in ships {
            let broken = sea.vessel(ship).mood == Mood::Broken;
            for flak in [Flak::Lrf, Flak::Mrf, Flak::Crf] {
                let bears = match flak {
                    Flak::Lrf => !broken || self.band(range) <= 1,
                    Flak::Mrf => range <= reach.mrf_air,
                    Flak::Crf => !other && range <= reach.crf_air,
                };
                let factors = self.flak_left(sea, ship, flak);
                if bears && factors > 0 {
                    batteries.push(Battery { ship, flak, factors });
                }
            }
        }
        batteries
    }

    /// A volley as the rules see it.
    pub(in crate::game) fn volley(&self, sea: &Sea, id: StandId, volley: Volley) -> FlakVolley {
        let (vessel, model) = (sea.vessel(volley.ship), self.battle.model(volley.ship));
        let (from, at) = (vessel.at.at.point(), self.stand_point(sea, id));
        let long = volley.flak == Flak::Lrf;
        FlakVolley {
            weapon: volley.flak,
            factors: volley.factors,
            range_mm: self.reach(from, at),
            crew_quality: self.crew_quality(sea, volley.ship),
            dpaa_radar: long && vessel.now.gear.gunnery_radar && !self.obscured(sea, from, at),
            aa_plus: long && model.aa_plus,
            splash: vessel.now.splash,
            shore: model.sheet.is_air_base(),
            target: self.under_fire(sea, id),
        }
    }

    /// Fires one volley.
    pub(super) fn fire_volley(&self, sea: &mut Sea, id: StandId, volley: Volley, ask: &mut impl Ask) -> Asked<()> {
        let factors = volley.factors.min(self.flak_left(sea, volley.ship, volley.flak));
        if factors < 1 || !sea.vessel(volley.ship).in_play() {
            return Ok(());
        }
        let (member, flight) = (self.battle.member(volley.ship), self.battle.flight(id));
        ask.note(|| {
            let text = format!("{} fires {} at {}", member.name, volley.flak.word().to_uppercase(), flight.name);
            Note::new("flak", text).by(&[rule::S9_9, rule::C_46]).pieces([&member.id]).on([&flight.id])
        });
        let shot = self.volley(sea, id, Volley { factors, ..volley }).salvo(&self.battle.rules).fire(ask)?;
        let ledger = &mut sea.vessel_mut(volley.ship).ledger;
        match volley.flak {
            Flak::Lrf => ledger.lrf_used += factors,
            Flak::Mrf => ledger.mrf_used += factors,
            Flak::Crf => ledger.crf_used += factors,
        }
        if shot.hits > 0 {
            sea.stand_mut(id).flak += 1;
        }
        self.shoot_down(sea, id, shot.failed, ask);
        Ok(())
    }
}
