//! Flak: the factors that ships have against a stand, and their volleys. [9.9, C-10, C-46]

use crate::anti_air::FlakVolley;
use crate::game::FleetGame;
use crate::game::actions::{AntiAir, shown};
use crate::game::battle::{Hull, Model};
use crate::game::state::{Level, Mood, Sea, SquadronId, StandId, Vessel, VesselId};
use crate::rule;
use crate::ship::{GunMount, is_lost};
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Note, Refusal};
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
        let dice = self.dice_of_factor(vessel, model);
        match flak {
            Flak::Lrf => self.lrf_left(sea, id),
            Flak::Mrf => (vessel.now.mrf - vessel.ledger.mrf_used).max(0) * dice,
            Flak::Crf => (vessel.now.crf - vessel.ledger.crf_used).max(0) * dice,
        }
    }

    /// The dice of one factor: the band of its vessels for a stand of small craft. [1.5]
    fn dice_of_factor(&self, vessel: &Vessel, model: &Model) -> i32 {
        if model.hull == Hull::Boats { self.battle.rules.band(vessel.vessels).max(1) } else { 1 }
    }

    /// Factors that have fired are used up; one of small craft is gone with its first die.
    pub(in crate::game) fn use_flak(&self, sea: &mut Sea, volley: Volley) {
        let dice = self.dice_of_factor(sea.vessel(volley.ship), self.battle.model(volley.ship));
        let factors = (volley.factors + dice - 1) / dice;
        let ledger = &mut sea.vessel_mut(volley.ship).ledger;
        match volley.flak {
            Flak::Lrf => ledger.lrf_used += volley.factors,
            Flak::Mrf => ledger.mrf_used += factors,
            Flak::Crf => ledger.crf_used += factors,
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

    /// All fire that the ships of the target's side have against aircraft at a point that attack it: the target first
    /// with everything, then the others nearest first with LRF and MRF. [6.5]
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

    /// The fire of a ship in her own activation at a stand that attacks nothing, or nothing more, this turn. [section
    /// 3]
    pub(in crate::game) fn read_anti_air(
        &self,
        sea: &Sea,
        squadron: SquadronId,
        fire: &AntiAir,
    ) -> Result<(StandId, Volley), Refusal> {
        let ship = self.own_vessel(squadron, &fire.ship)?;
        self.fit(sea, ship)?;
        let side = self.battle.squad(squadron).side;
        let known = self.battle.find_stand(fire.target.as_str());
        let Some(stand) = known.filter(|id| self.battle.flight(*id).side != side && sea.stand(*id).flies()) else {
            let text = format!("'{}' is not an enemy stand in the air.", shown(&fire.target));
            return Err(Refusal::new("unknown-target", text).by(rule::S9_9));
        };
        self.anti_air(sea, ship, fire.weapon, stand, fire.factors).map(|volley| (stand, volley))
    }

    /// The same for a ship that is fit to act and a stand in the air.
    pub(in crate::game) fn anti_air(
        &self,
        sea: &Sea,
        ship: VesselId,
        flak: Flak,
        stand: StandId,
        factors: Option<i32>,
    ) -> Result<Volley, Refusal> {
        let (name, aimed) = (&self.battle.member(ship).name, &self.battle.flight(stand).name);
        let kind = flak.word().to_uppercase();
        let refuse = |code, text: String, rule| Err(Refusal::new(code, text).by(rule));
        if sea.squadron(self.battle.member(ship).squadron).surprised {
            return refuse("surprised", format!("{name} is surprised and can only spot."), rule::C_2);
        }
        if flak == Flak::Crf {
            let text = format!("{name} fires CRF only at a stand that attacks her, when it does.");
            return refuse("out-of-aa-range", text, rule::S9_9);
        }
        if self.raided(sea, stand).is_some() && !sea.stand(stand).acted {
            let text = format!("{aimed} is about to attack; you choose the fire at it when it does.");
            return refuse("not-a-target", text, rule::C_46);
        }
        let left = self.flak_left(sea, ship, flak);
        let factors = factors.unwrap_or(left);
        if factors < 1 || factors > left {
            let text = format!("{name} has {left} factors of {kind} left this turn.");
            return refuse("already-fired", text, rule::S9_9);
        }
        let volley = Volley { ship, flak, factors };
        self.volley(sea, stand, volley).check(&self.battle.rules)?;
        let band = self.band(self.reach(self.point(sea, ship), self.stand_point(sea, stand)));
        if sea.vessel(ship).mood == Mood::Broken && band > 1 {
            let text = format!("{name} is broken and fires only within range band 1; {aimed} is in band {band}.");
            return refuse("morale-forbids", text, rule::C_22);
        }
        Ok(volley)
    }

    /// A volley as the rules see it.
    pub(in crate::game) fn volley(&self, sea: &Sea, id: StandId, volley: Volley) -> FlakVolley {
        let (vessel, model) = (sea.vessel(volley.ship), self.battle.model(volley.ship));
        let (from, at) = (vessel.at.at.point(), self.stand_point(sea, id));
        let long = volley.flak == Flak::Lrf;
        let in_sight = self.band(self.reach(from, at)) <= vessel.now.sd.min(self.battle.tvr(sea.turn))
            && !self.obscured(sea, from, at);
        FlakVolley {
            weapon: volley.flak,
            factors: volley.factors,
            range_mm: self.reach(from, at),
            crew_quality: self.crew_quality(sea, volley.ship),
            dpaa_radar: long && vessel.now.gear.gunnery_radar && in_sight,
            aa_plus: long && model.aa_plus,
            splash: vessel.now.splash,
            shore: model.sheet.is_air_base(),
            target: self.under_fire(sea, id),
        }
    }

    pub(in crate::game) fn fire_volley(
        &self,
        sea: &mut Sea,
        id: StandId,
        volley: Volley,
        ask: &mut impl Ask,
    ) -> Asked<()> {
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
        self.use_flak(sea, Volley { factors, ..volley });
        if shot.hits > 0 {
            sea.stand_mut(id).flak += 1;
        }
        self.shoot_down(sea, id, shot.failed, ask);
        Ok(())
    }
}
