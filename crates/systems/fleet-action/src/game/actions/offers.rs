//! Everything a squadron can do now, item by item. [C-39, C-47]

use super::act::{Action, AntiAir, Light, Searchlight, Shoot, Spot, StarShell};
use super::guns::{Bearing, MEDIUM_MM};
use crate::game::FleetGame;
use crate::game::state::{Level, MarkerId, Sea, SquadronId, StandId, VesselId};
use crate::game::{air, deeps};
use crate::words::{Control, Flak, Leave, LightGuns, SightRow};
use flagplot_kernel::Refusal;

/// One thing that can be done now.
#[derive(Clone, Debug)]
pub(in crate::game) struct Offer {
    /// What does it; each item acts once in a list.
    pub item: u16,
    pub what: What,
}

#[derive(Clone, Debug)]
pub(in crate::game) enum What {
    Guns { bearing: Bearing, battery: usize, guns: i32, control: Control },
    Light { ship: VesselId, weapon: LightGuns, target: VesselId },
    Spot { ship: VesselId, contact: MarkerId },
    AirSpot { stand: StandId, contact: MarkerId },
    Searchlight { ship: VesselId, target: VesselId },
    StarShell { ship: VesselId, battery: usize, target: VesselId },
    AntiAir { ship: VesselId, flak: Flak, stand: StandId },
    Air(air::Act),
    Deep(deeps::Act),
}

/// What a list of actions has used up so far.
#[derive(Debug, Default)]
pub(in crate::game) struct Used {
    batteries: Vec<(VesselId, usize)>,
    directed: Vec<VesselId>,
    /// The target that each ship has named for the night.
    named: Vec<(VesselId, VesselId)>,
    lit: Vec<VesselId>,
    /// Light guns, and long guns at aircraft: each kind of fire of a ship once.
    light: Vec<(VesselId, Flak)>,
    /// Aircraft and submarine hunters depend on each other, so that one of them stands on a list.
    special: bool,
}

impl Used {
    /// Whether a battery has guns that fire at aircraft on this list.
    fn at_aircraft(&self, game: &FleetGame, ship: VesselId, battery: usize) -> bool {
        self.light.contains(&(ship, Flak::Lrf)) && game.fires_at_aircraft(ship, battery)
    }

    /// Puts an action on the list if it can stand beside the others.
    pub fn take(&mut self, game: &FleetGame, sea: &Sea, offer: &Offer) -> bool {
        match offer.what {
            What::Guns { bearing, battery, control, .. } => {
                let (ship, target) = (bearing.shooter, bearing.target);
                let directed = self.directed.iter().filter(|other| **other == ship).count() as i32;
                let unlit = bearing.permission.guns == Leave::CrewTest
                    && bearing.permission.row != SightRow::BeyondOrObscured
                    && sea.vessel(ship).ledger.identified.is_none();
                if self.batteries.contains(&(ship, battery))
                    || self.at_aircraft(game, ship, battery)
                    || (control == Control::Directed && directed >= game.directors_left(ship, sea.vessel(ship)))
                    || (unlit && self.named.iter().any(|&(by, named)| by == ship && named != target))
                {
                    return false;
                }
                self.batteries.push((ship, battery));
                if control == Control::Directed {
                    self.directed.push(ship);
                }
                if unlit {
                    self.named.push((ship, target));
                }
                true
            }
            What::StarShell { ship, battery, target } => {
                if self.batteries.contains(&(ship, battery))
                    || self.lit.contains(&target)
                    || self.at_aircraft(game, ship, battery)
                {
                    return false;
                }
                self.batteries.push((ship, battery));
                self.lit.push(target);
                true
            }
            What::Air(_) | What::Deep(_) => !std::mem::replace(&mut self.special, true),
            What::Light { ship, weapon, .. } => self.take_light(ship, weapon.into()),
            What::AntiAir { ship, flak, .. } => {
                let heavy = |&(by, battery): &(VesselId, usize)| by == ship && game.fires_at_aircraft(ship, battery);
                if flak == Flak::Lrf && self.batteries.iter().any(heavy) {
                    return false;
                }
                self.take_light(ship, flak)
            }
            What::Spot { .. } | What::AirSpot { .. } | What::Searchlight { .. } => true,
        }
    }

    fn take_light(&mut self, ship: VesselId, flak: Flak) -> bool {
        let free = !self.light.contains(&(ship, flak));
        if free {
            self.light.push((ship, flak));
        }
        free
    }
}

impl FleetGame {
    /// Everything the vessels and stands of a squadron can do now. A battery is offered whole, Directed where a
    /// director is left and Local.
    pub(in crate::game) fn offers(&self, sea: &Sea, squadron: SquadronId) -> Vec<Offer> {
        let mut offers = Vec::new();
        let mut item = 0;
        let side = self.battle.squad(squadron).side;
        let enemies: Vec<VesselId> = self.enemies(sea, side).collect();
        let contacts: Vec<MarkerId> = self.contacts(sea, side.other()).collect();
        let flying = sea.all_stands().filter(|(id, stand)| self.battle.flight(*id).side != side && stand.flies());
        let stands: Vec<StandId> = flying.map(|(id, _)| id).collect();
        for &ship in &self.battle.squad(squadron).vessels {
            let vessel = sea.vessel(ship);
            if !vessel.in_play() || vessel.level != Level::Surfaced || self.fit(sea, ship).is_err() {
                continue;
            }
            for &contact in &contacts {
                if !vessel.ledger.spotted && self.ship_look(sea, ship, contact).is_ok() {
                    offers.push(Offer { item, what: What::Spot { ship, contact } });
                }
            }
            item += 1;
            if !sea.squadron(squadron).surprised {
                self.gun_offers(sea, ship, &enemies, &mut item, &mut offers);
                self.light_offers(sea, ship, &enemies, &mut item, &mut offers);
                self.lamp_offers(sea, ship, &enemies, &mut item, &mut offers);
                self.anti_air_offers(sea, ship, &stands, &mut item, &mut offers);
            }
        }
        for &stand in &self.battle.squad(squadron).stands {
            for &contact in &contacts {
                if self.stand_look(sea, stand, contact).is_ok() {
                    offers.push(Offer { item, what: What::AirSpot { stand, contact } });
                }
            }
            item += 1;
        }
        for act in self.air_actions(sea, squadron) {
            offers.push(Offer { item, what: What::Air(act) });
            item += 1;
        }
        for act in self.deep_actions(sea, squadron) {
            offers.push(Offer { item, what: What::Deep(act) });
            item += 1;
        }
        // What one item can do stands together.
        offers.sort_by_key(|offer| offer.item);
        offers
    }

    fn gun_offers(&self, sea: &Sea, ship: VesselId, enemies: &[VesselId], item: &mut u16, offers: &mut Vec<Offer>) {
        let batteries = &self.battle.model(ship).batteries;
        let vessel = sea.vessel(ship);
        let first = *item;
        *item += batteries.len() as u16;
        let ready = |battery: &crate::game::battle::Battery| self.ready_mounts(ship, vessel, battery) != 0;
        if !batteries.iter().any(ready) {
            return;
        }
        for &target in enemies {
            if self.far(vessel.at, sea.vessel(target).at) {
                continue;
            }
            let bearing = self.bearing(sea, ship, target);
            for battery in 0..batteries.len() {
                for control in [Control::Directed, Control::Local] {
                    if let Ok(shot) = self.shot(sea, &bearing, battery, None, control) {
                        let what = What::Guns { bearing, battery, guns: shot.guns, control };
                        offers.push(Offer { item: first + battery as u16, what });
                    }
                }
            }
        }
    }

    fn light_offers(&self, sea: &Sea, ship: VesselId, enemies: &[VesselId], item: &mut u16, offers: &mut Vec<Offer>) {
        let reach = &self.battle.rules.reach;
        for (weapon, reach) in [(LightGuns::Mrf, reach.mrf_surface), (LightGuns::Crf, reach.crf_surface)] {
            if self.factors_left(sea.vessel(ship), weapon) > 0 {
                for &target in enemies {
                    if self.range(sea, ship, target) <= reach
                        && self.light_fire(sea, ship, target, weapon, None).is_ok()
                    {
                        offers.push(Offer { item: *item, what: What::Light { ship, weapon, target } });
                    }
                }
            }
            *item += 1;
        }
    }

    fn lamp_offers(&self, sea: &Sea, ship: VesselId, enemies: &[VesselId], item: &mut u16, offers: &mut Vec<Offer>) {
        if self.battle.light(sea.turn) == crate::words::Light::Day {
            return;
        }
        let reach = &self.battle.rules.reach;
        for &target in enemies {
            let range = self.range(sea, ship, target);
            if range <= reach.searchlight && self.read_searchlight(sea, ship, target).is_ok() {
                offers.push(Offer { item: *item, what: What::Searchlight { ship, target } });
            }
            if range > reach.star_shell {
                continue;
            }
            for (battery, guns) in self.battle.model(ship).batteries.iter().enumerate() {
                let fires = MEDIUM_MM.contains(&guns.calibre_mm);
                if fires && self.read_star_shell(sea, ship, battery, target).is_ok() {
                    let what = What::StarShell { ship, battery, target };
                    offers.push(Offer { item: *item + 1 + battery as u16, what });
                }
            }
        }
        *item += 1 + self.battle.model(ship).batteries.len() as u16;
    }

    fn anti_air_offers(&self, sea: &Sea, ship: VesselId, stands: &[StandId], item: &mut u16, offers: &mut Vec<Offer>) {
        let reach = i64::from(self.battle.rules.reach.lrf_air);
        let from = self.point(sea, ship);
        for flak in [Flak::Lrf, Flak::Mrf] {
            for &stand in stands {
                let near = self.stand_point(sea, stand).dist2(from) <= reach * reach;
                if near && self.anti_air(sea, ship, flak, stand, None).is_ok() {
                    offers.push(Offer { item: *item, what: What::AntiAir { ship, flak, stand } });
                }
            }
            *item += 1;
        }
    }

    /// Whether a battery has mounts that fire at aircraft too.
    fn fires_at_aircraft(&self, ship: VesselId, battery: usize) -> bool {
        let battery = self.battle.model(ship).batteries.get(battery);
        battery.is_some_and(|battery| self.aa_mounts(ship, battery) != 0)
    }

    /// The action as an answer names it.
    pub(in crate::game) fn action(&self, what: &What) -> Action {
        let id = |vessel: VesselId| self.battle.member(vessel).id.clone();
        let battery = |ship: VesselId, at: usize| {
            self.battle.model(ship).batteries.get(at).map_or_else(|| "".into(), |battery| battery.id.clone())
        };
        match *what {
            What::Guns { bearing, battery: at, control, .. } => Action::Shoot(Shoot {
                ship: id(bearing.shooter),
                battery: battery(bearing.shooter, at),
                mounts: None,
                control,
                target: id(bearing.target),
            }),
            What::Light { ship, weapon, target } => {
                Action::Light(Light { ship: id(ship), weapon, factors: None, target: id(target) })
            }
            What::Spot { ship, contact } => Action::Spot(Spot { by: id(ship), contact: self.marker_id(contact) }),
            What::AirSpot { stand, contact } => {
                Action::Spot(Spot { by: self.battle.flight(stand).id.clone(), contact: self.marker_id(contact) })
            }
            What::Searchlight { ship, target } => {
                Action::Searchlight(Searchlight { ship: id(ship), target: id(target) })
            }
            What::StarShell { ship, battery: at, target } => {
                Action::StarShell(StarShell { ship: id(ship), battery: battery(ship, at), target: id(target) })
            }
            What::AntiAir { ship, flak, stand } => Action::AntiAir(AntiAir {
                ship: id(ship),
                weapon: flak,
                factors: None,
                target: self.battle.flight(stand).id.clone(),
            }),
            What::Air(ref act) => Action::Air(act.clone()),
            What::Deep(ref act) => Action::Deep(act.clone()),
        }
    }

    /// Whether an action may be done now. It depends only on what its side sees.
    pub(in crate::game) fn check_action(
        &self,
        sea: &Sea,
        squadron: SquadronId,
        action: &Action,
    ) -> Result<(), Refusal> {
        let side = self.battle.squad(squadron).side;
        match action {
            Action::Shoot(shoot) => self.read_shot(sea, squadron, shoot).map(|_| ()),
            Action::Light(light) => self.read_light(sea, squadron, light).map(|_| ()),
            Action::Spot(spot) => self.read_spot(sea, squadron, spot).map(|_| ()),
            Action::Searchlight(lamp) => {
                let ship = self.own_vessel(squadron, &lamp.ship)?;
                self.fit(sea, ship)?;
                self.read_searchlight(sea, ship, self.enemy_vessel(sea, side, &lamp.target)?)
            }
            Action::StarShell(star) => {
                let ship = self.own_vessel(squadron, &star.ship)?;
                self.fit(sea, ship)?;
                let target = self.enemy_vessel(sea, side, &star.target)?;
                self.read_star_shell(sea, ship, self.battery_number(ship, &star.battery), target).map(|_| ())
            }
            Action::AntiAir(fire) => self.read_anti_air(sea, squadron, fire).map(|_| ()),
            Action::Air(act) => self.check_air(sea, squadron, act),
            Action::Deep(act) => self.check_deep(sea, squadron, act),
        }
    }

    /// The place of a battery on a ship's list; beyond its end if she has none of that name.
    pub(in crate::game) fn battery_number(&self, ship: VesselId, id: &crate::game::id::Id) -> usize {
        let batteries = &self.battle.model(ship).batteries;
        batteries.iter().position(|battery| battery.id == *id).unwrap_or(batteries.len())
    }

    /// Uses up on paper what an action needs, its tests passed, so that a list can be checked as a whole.
    pub(in crate::game) fn plan_action(&self, sea: &mut Sea, squadron: SquadronId, action: &Action) {
        match action {
            Action::Shoot(shoot) => {
                let Ok(shot) = self.read_shot(sea, squadron, shoot) else { return };
                self.mark_test(sea, &shot, true);
                self.mark_fired(sea, &shot);
            }
            Action::Light(light) => {
                let Ok((ship, _, fire)) = self.read_light(sea, squadron, light) else { return };
                self.mark_light(sea, ship, &fire);
            }
            Action::Spot(spot) => match self.read_spot(sea, squadron, spot) {
                Ok((super::carry::Eyes::Ship(ship), _)) => sea.vessel_mut(ship).ledger.spotted = true,
                Ok((super::carry::Eyes::Stand(stand), _)) => sea.stand_mut(stand).acted = true,
                Err(_) => {}
            },
            Action::Searchlight(lamp) => {
                let target = self.battle.find(lamp.target.as_str());
                if let Ok(ship) = self.own_vessel(squadron, &lamp.ship) {
                    sea.vessel_mut(ship).ledger.lights = target;
                }
            }
            Action::StarShell(star) => {
                if let Ok(ship) = self.own_vessel(squadron, &star.ship) {
                    self.mark_star_shell(sea, ship, self.battery_number(ship, &star.battery));
                }
                if let Some(target) = self.battle.find(star.target.as_str()) {
                    sea.vessel_mut(target).star_lit = true;
                }
            }
            Action::AntiAir(fire) => {
                let Ok((_, volley)) = self.read_anti_air(sea, squadron, fire) else { return };
                self.use_flak(sea, volley);
            }
            Action::Air(act) => self.plan_air(sea, squadron, act),
            Action::Deep(act) => self.plan_deep(sea, squadron, act),
        }
    }
}
