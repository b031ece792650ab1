//! What fire is worth, in thousandths of a victory point. [17.4, 17.6]

use crate::armour::protection;
use crate::game::FleetGame;
use crate::game::actions::guns::{Bearing, MEDIUM_MM, out_of_reach};
use crate::game::battle::{Battery, Hull};
use crate::game::state::{Mood, Sea, VesselId};
use crate::geometry::Position;
use crate::hit::Weapon;
use crate::volley::Aim;
use crate::words::*;

/// Chances are counted in so many parts: a d20 with its re-roll.
const PARTS: i64 = 400;
/// What a small craft counts for.
const BOAT: i64 = 1000;

/// The chance of an aimed d20, in parts of 400.
pub(in crate::game) fn chance_parts(aim: &Aim) -> i64 {
    let faces = i64::from((21 - aim.needed()).clamp(0, 20));
    if aim.rerolls() { PARTS - (20 - faces) * (20 - faces) } else { faces * 20 }
}

impl FleetGame {
    /// What all batteries of a vessel at one place can be expected to do to another at another place, each laid as well
    /// as directors allow: thousandths of a victory point.
    pub(in crate::game) fn fire_value(
        &self,
        sea: &Sea,
        shooter: VesselId,
        from: Position,
        target: VesselId,
        at: Position,
    ) -> i64 {
        let model = self.battle.model(shooter);
        if model.batteries.is_empty() || self.far(from, at) {
            return 0;
        }
        let bearing = self.bearing_from(sea, (shooter, from), (target, at), 0);
        let ship = sea.vessel(shooter);
        let mut directors = if ship.now.s == 0 || model.amc { 0 } else { ship.now.fc };
        let mut total = 0;
        for battery in &model.batteries {
            let mounts = self.bearing_mounts(shooter, battery, self.sound_mounts(ship, battery), bearing.arc);
            let guns = self.guns_in(shooter, battery, mounts);
            let control = if directors > 0 { Control::Directed } else { Control::Local };
            let value = self.battery_value(sea, &bearing, battery, guns, control);
            if value > 0 {
                directors -= 1;
                total += value;
            }
        }
        total
    }

    /// Whether no gun reaches from one place to the other; cheap.
    fn far(&self, from: Position, at: Position) -> bool {
        let scale = &self.battle.rules.scale;
        let reach = i64::from(scale.mm_per_range_band * scale.max_range_band);
        from.at.point().dist2(at.at.point()) > reach * reach
    }

    /// What one battery can be expected to do along a bearing: the chance of a hit times what it is worth, and the
    /// Crew Test before it where one is due.
    pub(in crate::game) fn battery_value(
        &self,
        sea: &Sea,
        bearing: &Bearing,
        battery: &Battery,
        guns: i32,
        control: Control,
    ) -> i64 {
        let boats = self.battle.model(bearing.target).hull == Hull::Boats;
        if guns < 1
            || out_of_reach(battery.gun.max_band, bearing.band)
            || (boats && !MEDIUM_MM.contains(&battery.calibre_mm))
            || (sea.vessel(bearing.shooter).mood == Mood::Broken && bearing.band > 1)
        {
            return 0;
        }
        let test = match bearing.permission.guns {
            Leave::Forbidden => return 0,
            Leave::Allowed => 10,
            Leave::CrewTest => match sea.vessel(bearing.shooter).ledger.identified {
                Some((target, true)) if target == bearing.target => 10,
                _ => self.crew_test_tenths(sea, bearing.shooter),
            },
        };
        let aim = self.gun_aim(sea, bearing, battery, guns, control);
        let hit = if boats {
            let fails = i64::from(
                (self.battle.rules.needs.test_pass_d10 - 1 - self.battle.model(bearing.target).save_modifier
                    + battery.gun.ip)
                    .clamp(0, 10),
            );
            BOAT * fails / 10
        } else {
            self.hit_value(sea, bearing.target, &self.shell(bearing, battery, guns))
        };
        chance_parts(&aim) * hit * test / (10 * PARTS)
    }

    /// The chance of a Crew Test in tenths.
    pub(in crate::game) fn crew_test_tenths(&self, sea: &Sea, id: VesselId) -> i64 {
        i64::from((11 - self.battle.rules.needs.test_pass_d10 + self.crew_quality(sea, id)).clamp(0, 10))
    }

    /// What one hit on a ship is worth. [17.4]
    pub(in crate::game) fn hit_value(&self, sea: &Sea, on: VesselId, weapon: &Weapon) -> i64 {
        let (model, now) = (self.battle.model(on), &sea.vessel(on).now);
        let sheet = &model.sheet;
        let worth = i64::from(model.vp.max(1)) * 1000;
        let Weapon { ip, cv, pen, multiple, direction, .. } = *weapon;
        let deck = if sheet.armour.flight_deck > sheet.armour.deck { Area::FlightDeck } else { Area::Belt };
        let area = if direction == Direction::Horizontal { deck } else { Area::Belt };
        let through = pen >= protection(area, direction, &sheet.armour, 0);
        let full = ip * multiple;
        let damage = if through { full } else { (full + 1) / 2 };
        let structure = if direction == Direction::Underwater { 0 } else { damage.min(now.s) };
        let flotation = (damage - structure).min(now.f);
        let share = |weight: i64, lost: i32, most: i32| weight * i64::from(lost) / i64::from(most.max(1));
        let gone = damage - structure > 0 && flotation == now.f;
        let chances = i64::from(multiple) * i64::from(cv.clamp(0, 20));
        let each = if through { 50 } else { 20 };
        let per_mille = share(350, structure, sheet.s_max)
            + share(800, flotation, sheet.f_max)
            + if gone { 400 } else { 0 }
            + chances * each * i64::from(cv) / 160;
        let cargo = match sheet.cargo {
            // Seven faces of twenty strike the cargo, which is worth 3 for each point. [C-24]
            Some(cargo) if !now.cargo_destroyed => chances * 3000 * i64::from(cargo.points) * 7 / 400,
            _ => 0,
        };
        worth * per_mille / 1000 + cargo
    }
}
