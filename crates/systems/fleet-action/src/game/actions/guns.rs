//! What a battery can do: its mounts, its line of fire, the shot as the rules of gunnery see it. [9.5, 9.6, C-47]

use crate::game::FleetGame;
use crate::game::battle::{Battery, Hull};
use crate::game::state::{Sea, Vessel, VesselId};
use crate::geometry::{Position, arc, bears};
use crate::gunnery::{BoatShoot, Boats, GunCrew, LineOfFire, Range, Shoot};
use crate::hit::Weapon;
use crate::rules::{RANGE_BANDS, Rules};
use crate::ship::{GunMount, is_lost};
use crate::sight::{Line, Permission};
use crate::volley::{Aim, Motion, Target};
use crate::words::*;
use flagplot_kernel::Silent;

/// The calibres that fire star shell and at small craft. [C-7, 9.6]
pub(in crate::game) const MEDIUM_MM: std::ops::RangeInclusive<i32> = 99..=155;

/// Where a shooter and a target are, and what can be seen along the line.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct Bearing {
    pub shooter: VesselId,
    pub target: VesselId,
    pub band: i32,
    /// What 9.1 permits.
    pub permission: Permission,
    /// Bases in the line of fire.
    pub between: i32,
    /// The arc in which the shooter has the target.
    pub arc: Arc,
    /// Where the shots come from: along the target's length they rake her.
    pub direction: Direction,
}

/// Whether a range band is beyond the reach of a gun.
pub(in crate::game) fn out_of_reach(gun_band: i32, band: i32) -> bool {
    band > gun_band.min(RANGE_BANDS as i32)
}

impl FleetGame {
    /// The bearing of a target as both are now.
    pub(in crate::game) fn bearing(&self, sea: &Sea, shooter: VesselId, target: VesselId) -> Bearing {
        let (from, at) = (sea.vessel(shooter).at, sea.vessel(target).at);
        let between = self.between(sea, shooter, target);
        self.bearing_from(sea, (shooter, from), (target, at), between)
    }

    /// The bearing of a target with both where they are thought to be.
    pub(in crate::game) fn bearing_from(
        &self,
        sea: &Sea,
        (shooter, from): (VesselId, Position),
        (target, at): (VesselId, Position),
        between: i32,
    ) -> Bearing {
        let (a, b) = (from.at.point(), at.at.point());
        let band = self.band(self.reach(a, b));
        let light = self.battle.light(sea.turn);
        let now = &sea.vessel(shooter).now;
        let sight = crate::sight::Sight {
            sd: now.sd,
            tvr: self.battle.tvr(sea.turn),
            // Where no gun reaches, nothing depends on what can be seen.
            obscured: band <= RANGE_BANDS as i32 && self.obscured(sea, a, b),
            illuminated: light == Light::Night && self.lit(sea, target),
        };
        let permission = Line { light, band, sight }.permission(now.gear.gunnery_radar, &mut Silent);
        let direction = match arc(at, a) {
            Arc::Bow | Arc::Stern => Direction::Horizontal,
            Arc::Port | Arc::Starboard => Direction::Vertical,
        };
        Bearing { shooter, target, band, permission, between, arc: arc(from, b), direction }
    }

    /// The mounts of the group a battery belongs to.
    pub(in crate::game) fn mounts<'a>(&'a self, of: VesselId, battery: &Battery) -> &'a [GunMount] {
        let sheet = &self.battle.model(of).sheet;
        match battery.group {
            GunGroup::Main => &sheet.main,
            GunGroup::Other => &sheet.other,
        }
    }

    /// The mounts of a battery that are not lost, a bit each, by their places in the group.
    pub(in crate::game) fn sound_mounts(&self, vessel: &Vessel, battery: &Battery) -> u64 {
        let lost = match battery.group {
            GunGroup::Main => vessel.now.main_lost,
            GunGroup::Other => vessel.now.other_lost,
        };
        battery.mounts.iter().filter(|at| !is_lost(lost, **at)).fold(0, |bits, at| bits | 1 << at)
    }

    /// The mounts of a battery that can still fire at the surface this turn: neither lost nor fired, nor at aircraft.
    pub(in crate::game) fn ready_mounts(&self, of: VesselId, vessel: &Vessel, battery: &Battery) -> u64 {
        let fired = match battery.group {
            GunGroup::Main => vessel.ledger.main_fired,
            GunGroup::Other => vessel.ledger.other_fired,
        };
        let at_aircraft = if vessel.ledger.lrf_used > 0 { self.aa_mounts(of, battery) } else { 0 };
        self.sound_mounts(vessel, battery) & !fired & !at_aircraft
    }

    pub(in crate::game) fn aa_mounts(&self, of: VesselId, battery: &Battery) -> u64 {
        let mounts = self.mounts(of, battery).iter().enumerate();
        mounts.filter(|(_, mount)| mount.aa).fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// Those of some mounts that bear on an arc.
    pub(in crate::game) fn bearing_mounts(&self, of: VesselId, battery: &Battery, mounts: u64, at: Arc) -> u64 {
        let list = self.mounts(of, battery).iter().enumerate();
        list.filter(|(place, mount)| is_lost(mounts, *place) && bears(mount.arc, at))
            .fold(0, |bits, (place, _)| bits | 1 << place)
    }

    pub(in crate::game) fn guns_in(&self, of: VesselId, battery: &Battery, mounts: u64) -> i32 {
        let list = self.mounts(of, battery).iter().enumerate();
        list.filter(|(place, _)| is_lost(mounts, *place)).map(|(_, mount)| mount.guns).sum()
    }

    /// How many more Directed shoots she has this turn. [C-8, C-23]
    pub(in crate::game) fn directors_left(&self, of: VesselId, vessel: &Vessel) -> i32 {
        if self.battle.model(of).amc || vessel.now.s == 0 {
            return 0;
        }
        (vessel.now.fc - vessel.ledger.directed).max(0)
    }

    /// The people at her guns. A scenario may add to her shots on a turn.
    pub(in crate::game) fn gun_crew(&self, sea: &Sea, of: VesselId) -> GunCrew {
        let member = self.battle.member(of);
        let given = member.placed.iter().flat_map(|placed| &placed.to_hit_on);
        let given: i32 = given.filter(|given| given.turn == sea.turn).map(|given| given.value).sum();
        let now = &sea.vessel(of).now;
        GunCrew {
            crew_quality: self.crew_quality(sea, of),
            gunnery_modifier: now.gm + given,
            splash: now.splash,
            shore_battery: member.model.sheet.is_air_base(),
        }
    }

    /// How a vessel moves, for those who fire at her.
    pub(in crate::game) fn motion(&self, sea: &Sea, of: VesselId) -> Motion {
        Motion { speed: sea.vessel(of).speed, land: self.battle.model(of).sheet.is_air_base() }
    }

    /// What a number of guns of a battery need to hit along a bearing.
    pub(in crate::game) fn gun_aim(
        &self,
        sea: &Sea,
        bearing: &Bearing,
        battery: &Battery,
        guns: i32,
        control: Control,
    ) -> Aim {
        let rules: &Rules = &self.battle.rules;
        if self.battle.model(bearing.target).hull == Hull::Boats {
            return self.boat_shoot(sea, bearing, battery, guns).aim(rules, bearing.band);
        }
        self.gun_shoot(sea, bearing, guns, control).aim(rules)
    }

    /// The chance of the same, in parts of [`CHANCE_PARTS`](crate::volley::CHANCE_PARTS).
    pub(in crate::game) fn gun_chance(
        &self,
        sea: &Sea,
        bearing: &Bearing,
        battery: &Battery,
        guns: i32,
        control: Control,
    ) -> i64 {
        let shoot = match self.battle.model(bearing.target).hull {
            Hull::Boats => self.boat_shoot(sea, bearing, battery, guns).shoot(bearing.band),
            _ => self.gun_shoot(sea, bearing, guns, control),
        };
        shoot.chance(&self.battle.rules)
    }

    /// A shoot at a ship. [9.5]
    fn gun_shoot(&self, sea: &Sea, bearing: &Bearing, guns: i32, control: Control) -> Shoot {
        let target = sea.vessel(bearing.target);
        let crew = self.gun_crew(sea, bearing.shooter);
        let line = LineOfFire { intervening_bases: bearing.between, radar_bonus: bearing.permission.guns_bonus > 0 };
        let motion = self.motion(sea, bearing.target);
        let size = self.battle.model(bearing.target).size();
        let target = Target { size, splash: target.now.splash, motion, sv: target.now.sv };
        Shoot { band: bearing.band, control, guns, crew, target, line }
    }

    /// A shoot at small craft. [9.6]
    pub(in crate::game) fn boat_shoot(&self, sea: &Sea, bearing: &Bearing, battery: &Battery, guns: i32) -> BoatShoot {
        let stand = sea.vessel(bearing.target);
        let model = self.battle.model(bearing.target);
        BoatShoot {
            calibre_mm: battery.calibre_mm,
            range: Range { range_mm: None, range_band: Some(bearing.band) },
            guns,
            shooter: self.gun_crew(sea, bearing.shooter),
            target: Boats {
                vessels: stand.vessels,
                save_modifier: model.save_modifier,
                size: model.size(),
                splash: stand.now.splash,
                motion: self.motion(sea, bearing.target),
            },
            line: LineOfFire { intervening_bases: bearing.between, radar_bonus: bearing.permission.guns_bonus > 0 },
        }
    }

    /// What one hit of a number of guns is. [5.2]
    pub(in crate::game) fn shell(&self, bearing: &Bearing, battery: &Battery, guns: i32) -> Weapon {
        let gun = &battery.gun;
        let at = (bearing.band.clamp(1, RANGE_BANDS as i32) - 1) as usize;
        Weapon {
            ip: gun.ip,
            cv: gun.cv,
            pen: gun.pen[at],
            multiple: self.battle.rules.band(guns),
            direction: bearing.direction,
            column: Column::Midships,
        }
    }
}
