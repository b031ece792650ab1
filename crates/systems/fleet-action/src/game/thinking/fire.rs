//! What fire is worth, in thousandths of a victory point. [17.4, 17.6]

use crate::game::FleetGame;
use crate::game::actions::guns::{Bearing, MEDIUM_MM, out_of_reach};
use crate::game::actions::offers::{Offer, Used, What};
use crate::game::battle::{Battery, Hull, Model};
use crate::game::state::{Group, Mood, Sea, SquadronId, Vessel, VesselId};
use crate::geometry::Position;
use crate::hit::{Hit, Weapon};
use crate::volley::CHANCE_PARTS;
use crate::words::*;
use flagplot_kernel::Side;

/// What a look at a contact counts for.
const LOOK: i64 = 300;
/// What it is worth to let running torpedoes arrive before the launcher is shot at.
const TORPEDOES_WAIT: i64 = 300;
/// What a small craft counts for.
pub(in crate::game) const BOAT: i64 = 1000;

/// What one critical of a CV costs a ship on average, in eighths of thousandths of her points, by whether the hit went
/// through her armour. [17.4]
pub(in crate::game) fn critical_weight(cv: i32, through: bool) -> i64 {
    let each = if through { 50 } else { 20 };
    each * i64::from(cv)
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
        self.broadside_value(sea, &bearing, model, sea.vessel(shooter))
    }

    /// What everything that bears along a bearing is worth.
    pub(in crate::game) fn broadside_value(&self, sea: &Sea, bearing: &Bearing, model: &Model, ship: &Vessel) -> i64 {
        let shooter = bearing.shooter;
        let mut directors = if ship.now.s == 0 || model.amc { 0 } else { ship.now.fc };
        let mut total = 0;
        for battery in &model.batteries {
            let mounts = self.bearing_mounts(shooter, battery, self.sound_mounts(ship, battery), bearing.arc);
            let guns = self.guns_in(shooter, battery, mounts);
            let control = if directors > 0 { Control::Directed } else { Control::Local };
            let value = self.battery_value(sea, bearing, battery, guns, control);
            if value > 0 {
                directors -= 1;
                total += value;
            }
        }
        total
    }

    /// Whether no gun reaches from one place to the other; cheap.
    pub(in crate::game) fn far(&self, from: Position, at: Position) -> bool {
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
        let chance = self.gun_chance(sea, bearing, battery, guns, control);
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
        chance * hit * test / (10 * CHANCE_PARTS)
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
        let Weapon { cv, multiple, direction, .. } = *weapon;
        let (damage, through) = Hit { rules: &self.battle.rules, sheet, weapon: *weapon }.cost();
        let structure = if direction == Direction::Underwater { 0 } else { damage.min(now.s) };
        let flotation = (damage - structure).min(now.f);
        let share = |weight: i64, lost: i32, most: i32| weight * i64::from(lost) / i64::from(most.max(1));
        let gone = damage - structure > 0 && flotation == now.f;
        let chances = i64::from(multiple) * i64::from(cv.clamp(0, 20));
        let per_mille = share(350, structure, sheet.s_max)
            + share(800, flotation, sheet.f_max)
            + if gone { 400 } else { 0 }
            + chances * critical_weight(cv, through) / 160;
        let cargo = match sheet.cargo {
            // Seven faces of twenty strike the cargo, which is worth 3 for each point. [C-24]
            Some(cargo) if !now.cargo_destroyed => chances * 3000 * i64::from(cargo.points) * 7 / 400,
            _ => 0,
        };
        worth * per_mille / 1000 + cargo
    }

    /// The chance that a shot hits, in parts of [`CHANCE_PARTS`], its Crew Test not counted.
    pub(in crate::game) fn shot_chance(
        &self,
        sea: &Sea,
        bearing: &Bearing,
        battery: usize,
        guns: i32,
        control: Control,
    ) -> i64 {
        let battery = self.battle.model(bearing.shooter).batteries.get(battery);
        battery.map_or(0, |battery| self.gun_chance(sea, bearing, battery, guns, control))
    }

    /// What an action can be expected to bring, as far as it can be told of the action alone.
    pub(in crate::game) fn offer_value(&self, sea: &Sea, squadron: SquadronId, offer: &Offer) -> i64 {
        match offer.what {
            What::Guns { bearing, battery, guns, control } => {
                let battery = self.battle.model(bearing.shooter).batteries.get(battery);
                battery.map_or(0, |battery| self.battery_value(sea, &bearing, battery, guns, control))
            }
            What::Light { ship, weapon, target } => self.light_value(sea, ship, weapon, target),
            What::Spot { .. } | What::AirSpot { .. } => LOOK,
            What::Searchlight { .. } | What::StarShell { .. } => 0,
            What::AntiAir { ship, flak, stand } => self.anti_air_value(sea, ship, flak, stand),
            What::Air(ref act) => self.show_air(sea, squadron, act).worth,
            What::Deep(ref act) => self.show_deep(sea, squadron, act).worth,
        }
    }

    pub(in crate::game) fn light_value(&self, sea: &Sea, ship: VesselId, weapon: LightGuns, target: VesselId) -> i64 {
        let Ok(fire) = self.light_fire(sea, ship, target, weapon, None) else { return 0 };
        let salvo = fire.salvo(&self.battle.rules);
        let fails = (self.battle.rules.needs.test_pass_d10 - 1 - salvo.save_modifier()).clamp(0, 10);
        let each = if fire.target.is_stand() {
            BOAT
        } else {
            let model = self.battle.model(target);
            i64::from(model.vp.max(1)) * 350 / i64::from(model.sheet.s_max.max(1))
        };
        i64::from(salvo.dice) * salvo.aim.chance() * i64::from(fails) * each / (10 * CHANCE_PARTS)
    }

    /// The plan of a sensible player: lights first, then what is worth most; each further shot at a target counts
    /// for less, because the splashes of the others lie round it. [17.6]
    pub(in crate::game) fn fire_plan(&self, sea: &Sea, squadron: SquadronId, offers: &[Offer]) -> Vec<usize> {
        let values: Vec<i64> = offers.iter().map(|offer| self.offer_value(sea, squadron, offer)).collect();
        let mut used = Used::default();
        let mut items = Vec::new();
        let mut aimed: Vec<(VesselId, i64)> = Vec::new();
        let mut plan = Vec::new();
        self.plan_lights(sea, offers, &values, &mut used, &mut items, &mut plan);
        loop {
            let worth = |at: usize| {
                let planned = offers[at].target().map_or(0, |target| {
                    aimed.iter().filter(|(other, _)| *other == target).map(|(_, hits)| hits).sum::<i64>()
                });
                // A splash marker costs one face of twenty.
                values[at] * (20 * CHANCE_PARTS - planned.min(10 * CHANCE_PARTS)) / (20 * CHANCE_PARTS)
            };
            let open = (0..offers.len()).filter(|at| values[*at] > 0 && !items.contains(&offers[*at].item));
            let Some(best) = open.max_by_key(|at| (worth(*at), std::cmp::Reverse(*at))) else { break };
            if !used.take(self, sea, &offers[best]) {
                // The same item may still do something else.
                plan.extend(self.second_best(sea, offers, &values, best, &mut used));
                items.push(offers[best].item);
                continue;
            }
            items.push(offers[best].item);
            if let What::Guns { bearing, battery, guns, control } = offers[best].what {
                aimed.push((bearing.target, self.shot_chance(sea, &bearing, battery, guns, control)));
            }
            plan.push(best);
        }
        plan
    }

    /// Another use of an item whose best use is not possible any more.
    fn second_best(&self, sea: &Sea, offers: &[Offer], values: &[i64], best: usize, used: &mut Used) -> Option<usize> {
        let same =
            (0..offers.len()).filter(|at| *at != best && offers[*at].item == offers[best].item && values[*at] > 0);
        let mut same: Vec<usize> = same.collect();
        same.sort_by_key(|at| -values[*at]);
        same.into_iter().find(|at| used.take(self, sea, &offers[*at]))
    }

    /// Star shell and searchlights, where what they add to the guns is worth more than what they cost.
    fn plan_lights(
        &self,
        sea: &Sea,
        offers: &[Offer],
        values: &[i64],
        used: &mut Used,
        items: &mut Vec<u16>,
        plan: &mut Vec<usize>,
    ) {
        let mut lit: Vec<VesselId> = Vec::new();
        for (at, offer) in offers.iter().enumerate() {
            let (own, chance, target) = match offer.what {
                What::StarShell { ship, battery, target } => {
                    (Some((ship, battery)), self.crew_test_tenths(sea, ship), target)
                }
                // A searchlight shows its user too.
                What::Searchlight { target, .. } => (None, 5, target),
                _ => continue,
            };
            if lit.contains(&target) || items.contains(&offer.item) || self.lit(sea, target) {
                continue;
            }
            let mut gain = 0;
            let mut cost = 0;
            for (other, value) in offers.iter().zip(values) {
                let What::Guns { bearing, battery, control, .. } = other.what else { continue };
                if own == Some((bearing.shooter, battery)) {
                    cost = cost.max(*value);
                } else if bearing.target == target && control == Control::Directed {
                    let test = self.crew_test_tenths(sea, bearing.shooter).max(1);
                    gain += value * (10 - test) / test * chance / 10;
                }
            }
            if gain > cost && used.take(self, sea, offer) {
                lit.push(target);
                items.push(offer.item);
                plan.push(at);
            }
        }
    }

    /// Who should act first: the squadron whose fire is worth most, more so where the enemy has still to act. [17.6]
    pub(in crate::game) fn actor_instinct(&self, sea: &Sea, side: Side) -> Option<Group> {
        let value = |group: &Group| match group {
            Group::Marker(_) => 0,
            Group::Squadron(id) => {
                let offers = self.offers(sea, *id);
                let plan = self.fire_plan(sea, *id, &offers);
                let shots = plan.iter().map(|at| {
                    let value = self.offer_value(sea, *id, &offers[*at]);
                    let target = offers[*at].target();
                    let waits = target.is_some_and(|target| !sea.squadron(self.battle.member(target).squadron).acted);
                    if waits { value * 3 / 2 } else { value }
                });
                let torpedoes = sea.running.iter().filter(|running| self.battle.member(running.by).squadron == *id);
                shots.sum::<i64>() + torpedoes.count() as i64 * TORPEDOES_WAIT
            }
        };
        self.actors(sea, side).into_iter().max_by_key(value)
    }
}

impl Offer {
    fn target(&self) -> Option<VesselId> {
        match self.what {
            What::Guns { bearing, .. } => Some(bearing.target),
            What::Light { target, .. } | What::Searchlight { target, .. } | What::StarShell { target, .. } => {
                Some(target)
            }
            _ => None,
        }
    }
}
