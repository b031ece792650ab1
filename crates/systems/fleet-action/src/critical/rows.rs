//! The rows of the critical tables, in their order.

use super::{After, Critical, CriticalState, CriticalTable};
use crate::rule;
use crate::rules::Row;
use crate::ship::Condition;
use crate::ship_tests::{FuelTest, MagazineTest, SecondChance, crew_test, fire_test};
use crate::weapons::{Factors, MainLoss, MountHit, first_class, lose_main, lose_other, lose_torpedoes};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D6, D10, D20, Note};

/// How often a price is bought: full prices only, never past what can still be lost.
fn bought(budget: i32, price: i32, left: i32) -> i32 {
    (budget / price).min(left)
}

/// The sensors, in the order of their loss.
#[derive(Clone, Copy)]
enum Sensor {
    Searchlights,
    Planes,
    Radar,
}

/// What the d10 of the third row strikes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aloft {
    Optics,
    Masts,
    Nothing,
}

impl Sensor {
    fn price(self) -> i32 {
        match self {
            Sensor::Searchlights => 3,
            Sensor::Planes => 4,
            Sensor::Radar => 5,
        }
    }
}

impl Critical<'_> {
    /// Whether a row has anything to take: decided before the armour, and before any further die.
    pub(super) fn applies(&self, row: Row, spending: &CriticalState) -> bool {
        let (ship, budget) = (&spending.ship, spending.budget);
        let floats = !self.sheet.is_air_base();
        match row {
            // These always strike, or need a further die to tell.
            Row::Hull | Row::OpticsOrMasts | Row::FuelAndAmmunition | Row::Bulkheads => true,
            Row::Crew => bought(budget, 5, ship.dc) > 0,
            Row::FireControl => bought(budget, 1, ship.fc) > 0,
            Row::Command => budget >= 5,
            Row::EngineRoom | Row::EngineRoom0 | Row::EngineRoom1 | Row::EngineRoom2 => {
                floats && ship.speed > 0 && self.engine_dice(row.free_dice(), spending) > 0
            }
            Row::Steering => floats && ship.sv > 0,
            Row::Helm => floats && (ship.sv > 0 || !spending.helm_tested),
            Row::Sensors => self.next_sensor(spending).is_some_and(|sensor| budget >= sensor.price()),
            Row::Fire => budget >= self.size_price(),
            Row::WeaponsOrCargo => self.weapons_or_cargo_apply(spending),
            Row::Weapons => self.sheet.weapons_d10.sum() > 0,
            Row::LastRow => self.sheet.kind == Kind::Carrier || self.weapons_or_cargo_apply(spending),
            Row::AircraftOperations => ship.h > 0 || ship.catapults > 0,
            Row::AircraftInHangar => bought(budget, 2, ship.rrr) > 0,
            Row::PowerFailure => !ship.gear.power_failed,
        }
    }

    fn weapons_or_cargo_apply(&self, spending: &CriticalState) -> bool {
        let cargo = self.sheet.cargo.is_some() && !spending.ship.cargo_destroyed;
        if self.sheet.kind == Kind::Merchant { cargo } else { cargo || self.sheet.weapons_d10.sum() > 0 }
    }

    /// The effect of a row that applies and whose armour does not hold.
    pub(super) fn apply(&self, row: Row, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        match row {
            Row::Hull => self.hull(spending, ask),
            Row::OpticsOrMasts => self.optics_or_masts(spending, ask),
            Row::Crew => Ok(self.buy(spending, "damage control team", 5, |ship| &mut ship.dc, ask)),
            Row::FireControl => Ok(self.buy(spending, "fire control", 1, |ship| &mut ship.fc, ask)),
            Row::Command => self.command(spending, ask),
            Row::EngineRoom | Row::EngineRoom0 | Row::EngineRoom1 | Row::EngineRoom2 => {
                self.engine_room(row.free_dice(), spending, ask)
            }
            Row::Steering => Ok(self.buy(spending, "steering", 1, |ship| &mut ship.sv, ask)),
            Row::Helm => self.helm(spending, ask),
            Row::Sensors => self.sensors(spending, ask),
            Row::Fire => Ok(self.fire(spending, ask)),
            Row::WeaponsOrCargo => self.weapons_or_cargo(spending, ask),
            Row::Weapons => self.weapons(spending, ask),
            Row::AircraftOperations => Ok(self.aircraft_operations(spending, ask)),
            Row::AircraftInHangar => Ok(self.aircraft_in_hangar(spending, ask)),
            Row::FuelAndAmmunition => self.fuel_explosion(spending, ask),
            Row::Bulkheads => self.bulkheads(spending, ask),
            Row::PowerFailure => Ok(self.power_failure(spending, ask)),
            Row::LastRow => self.last_row(spending, ask),
        }
    }

    /// Buys points of a value at a price, and rolls on.
    fn buy(
        &self,
        spending: &mut CriticalState,
        what: &str,
        price: i32,
        value: impl Fn(&mut Condition) -> &mut i32,
        ask: &mut impl Ask,
    ) -> After {
        let value = value(&mut spending.ship);
        let points = bought(spending.budget, price, *value);
        if points < 1 {
            return After::CannotBeApplied;
        }
        *value -= points;
        spending.budget -= points * price;
        let left = spending.budget;
        ask.note(|| {
            Note::new("loss", format!("{what}: {points} lost at {price} each, {left} left to spend"))
                .by(&[rule::R_18])
                .outcome(points)
                .detail()
        });
        After::RollOn
    }

    /// Flotation goes down by the whole budget; at nothing a Wreck Test. An air base loses structure.
    fn hull(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        let base = self.sheet.is_air_base();
        let value = if base { &mut spending.ship.s } else { &mut spending.ship.f };
        *value = (*value - spending.budget).max(0);
        let left = *value;
        ask.note(|| {
            let what = if base { "Structure" } else { "Flotation" };
            let note = Note::new("hull", format!("{what} loses {}: {left} left", spending.budget))
                .by(&[rule::R_41])
                .outcome(left);
            if base { note.by(&[rule::R_52]) } else { note }
        });
        if left == 0 {
            self.wreck_test(spending, ask)?;
        }
        Ok(After::UsesAll)
    }

    /// A d10 decides: optics and radar, or masts and spotting top.
    fn optics_or_masts(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        let points = spending.budget / 5;
        let radar = spending.ship.gear.search_radar;
        let optics_apply = points > 0 || radar;
        let masts_apply = bought(spending.budget, 4, spending.ship.sd) > 0;
        let place = ask.roll_as(D10, "1-5 optics and radar, 6-10 masts", |face| match face <= 5 {
            true if optics_apply => Aloft::Optics,
            false if masts_apply => Aloft::Masts,
            _ => Aloft::Nothing,
        })?;
        ask.note(|| {
            let face = place.face.unwrap_or(0);
            let word = if face <= 5 { "optics and radar" } else { "spotting top and masts" };
            Note::new("aloft", format!("Optics or masts: d10 {face}: {word}"))
                .by(&[spending.table.rule()])
                .dice(&[face])
                .outcome(word)
                .detail()
        });
        match place.read {
            Aloft::Nothing => return Ok(After::CannotBeApplied),
            Aloft::Masts => return Ok(self.buy(spending, "spotting distance", 4, |ship| &mut ship.sd, ask)),
            Aloft::Optics => {}
        }
        spending.ship.gm -= points;
        spending.ship.gear.search_radar = false;
        ask.note(|| {
            let lost = if radar { ", and the search radar is gone" } else { "" };
            Note::new("optics", format!("Gunnery modifier down by {points}{lost}"))
                .by(&[rule::R_20, rule::R_46])
                .outcome(points)
        });
        Ok(After::UsesAll)
    }

    /// Crew quality once, and the fate of a flag officer.
    fn command(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        spending.budget -= 5;
        spending.ship.crew_quality -= 1;
        ask.note(|| {
            Note::new("command", format!("Crew quality falls to {}", spending.ship.crew_quality))
                .by(&[rule::R_46])
                .outcome(spending.ship.crew_quality)
        });
        if spending.ship.gear.flag_officer {
            let killed = ask.roll_as(D20, "flag officer", |face| i32::from(face) <= self.cv)?;
            if killed.read {
                spending.ship.command -= 1;
                spending.harm.officers_killed += 1;
            }
            ask.note(|| {
                let face = killed.face.unwrap_or(0);
                let word = if killed.read { "killed" } else { "slightly hurt" };
                Note::new("officer", format!("Flag officer: killed on {} or less; d20 {face}: {word}", self.cv))
                    .by(&[rule::R_19])
                    .dice(&[face])
                    .outcome(word)
            });
        }
        Ok(After::RollOn)
    }

    /// Dice of knots that a result brings, bought and free.
    fn engine_dice(&self, free: i32, spending: &CriticalState) -> i32 {
        spending.budget / self.size_price() + if spending.free_dice_taken { 0 } else { free }
    }

    /// Knots by the die; under water some dice are free once.
    fn engine_room(&self, free: i32, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        let price = self.size_price();
        let dice = spending.budget / price;
        let free = self.engine_dice(free, spending) - dice;
        spending.budget -= dice * price;
        spending.free_dice_taken |= free > 0;
        let knots = ask.sum((dice + free) as u32, D6, "knots lost")?;
        spending.ship.speed = (spending.ship.speed - knots.total as i32).max(0);
        let above = matches!(spending.table, CriticalTable::Structural | CriticalTable::Carrier);
        if above {
            spending.ship.gear.smoke = false;
        }
        ask.note(|| {
            let note = Note::new(
                "engine-room",
                format!(
                    "{dice} {} of knots at {price} each and {free} free: {} knots lost, {} left",
                    if dice == 1 { "die" } else { "dice" },
                    knots.total,
                    spending.ship.speed
                ),
            )
            .by(&[rule::R_17])
            .dice(&knots.faces.0)
            .outcome(spending.ship.speed);
            if above { note } else { note.by(&[rule::R_22, rule::R_26]) }
        });
        Ok(After::RollOn)
    }

    /// Steering, and a Crew Test against loss of control, once in a critical.
    fn helm(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        if spending.ship.sv > 0 {
            self.buy(spending, "steering", 1, |ship| &mut ship.sv, ask);
        }
        if !spending.helm_tested {
            spending.helm_tested = true;
            if !crew_test(self.rules, "helm: Crew Test", spending.ship.crew_quality).roll(ask)? {
                self.lose_control(spending, ask)?;
            }
        }
        Ok(After::RollOn)
    }

    fn lose_control(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<()> {
        spending.ship.splash += 1;
        let side = ask.roll_as(D20, "loss of control: 1-10 port, 11-20 starboard", |face| {
            if face <= 10 { Sheer::Port } else { Sheer::Starboard }
        })?;
        spending.harm.helm = side.read;
        ask.note(|| {
            let face = side.face.unwrap_or(0);
            Note::new(
                "helm",
                format!("Out of control: d20 {face}: she sheers to {} and takes a splash marker", side.read),
            )
            .by(&[rule::R_21])
            .dice(&[face])
            .outcome(side.read.word())
        });
        Ok(())
    }

    /// The next sensor to be lost; on a carrier planes do not count.
    fn next_sensor(&self, spending: &CriticalState) -> Option<Sensor> {
        let gear = &spending.ship.gear;
        let planes = gear.ship_planes && spending.table == CriticalTable::Structural;
        let sensors =
            [(gear.searchlights, Sensor::Searchlights), (planes, Sensor::Planes), (gear.gunnery_radar, Sensor::Radar)];
        sensors.into_iter().find(|(there, _)| *there).map(|(_, sensor)| sensor)
    }

    fn sensors(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        let Some(sensor) = self.next_sensor(spending) else {
            return Ok(After::CannotBeApplied);
        };
        let price = sensor.price();
        spending.budget -= price;
        let gear = &mut spending.ship.gear;
        let word = match sensor {
            Sensor::Searchlights => {
                gear.searchlights = false;
                "The searchlights are"
            }
            Sensor::Planes => {
                gear.ship_planes = false;
                "The shipboard planes are"
            }
            Sensor::Radar => {
                gear.gunnery_radar = false;
                "The gunnery radar is"
            }
        };
        ask.note(|| Note::new("sensors", format!("{word} lost for {price}")).by(&[rule::R_15]));
        if let Sensor::Planes = sensor {
            spending.ship.fires += i32::from(fire_test(self.cv, SecondChance::No, ask)?.success);
        }
        Ok(After::RollOn)
    }

    fn fire(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> After {
        let price = self.size_price();
        let fires = spending.budget / price;
        spending.ship.fires += fires;
        ask.note(|| {
            Note::new("fire", format!("{fires} more {} at {price} each", if fires == 1 { "fire" } else { "fires" }))
                .by(&[rule::R_17])
                .outcome(spending.ship.fires)
        });
        After::UsesAll
    }

    /// Merchants lose cargo; a warship that carries cargo rolls for it.
    pub(super) fn weapons_or_cargo(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        if self.sheet.kind == Kind::Merchant {
            return self.cargo(spending, ask);
        }
        let carries = self.sheet.kind == Kind::Warship && self.sheet.cargo.is_some() && !spending.ship.cargo_destroyed;
        if carries {
            let cargo = ask.roll_as(D10, "1-5 weapons, 6-10 cargo", |face| face >= 6)?;
            ask.note(|| {
                let face = cargo.face.unwrap_or(0);
                let word = if cargo.read { "cargo" } else { "weapons" };
                Note::new("weapons-or-cargo", format!("She carries cargo: d10 {face}: {word}"))
                    .by(&[rule::R_16, rule::R_39])
                    .dice(&[face])
                    .outcome(word)
            });
            if cargo.read {
                return self.cargo(spending, ask);
            }
        }
        self.weapons(spending, ask)
    }

    /// A d10 picks the group. [10.8]
    pub(super) fn weapons(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        let groups = self.sheet.weapons_d10;
        if groups.sum() == 0 {
            return Ok(After::CannotBeApplied);
        }
        let before = *spending;
        let struck = ask.roll_as(D10, "group of weapons", |face| {
            Some(groups.group(face)).filter(|group| self.group_applies(*group, &before))
        })?;
        ask.note(|| {
            let face = struck.face.unwrap_or(0);
            let group = groups.group(face);
            Note::new("group", format!("Weapons: d10 {face}: {group}"))
                .by(&[rule::S10_8])
                .dice(&[face])
                .outcome(group.word())
                .detail()
        });
        let Some(group) = struck.read else {
            return Ok(After::CannotBeApplied);
        };
        let blow = MountHit { pen: self.pen, direction: self.direction_now(spending), deck: self.sheet.armour.deck };
        let ship = &mut spending.ship;
        let outcome = match group {
            Group::Main => return self.main_battery(blow, spending, ask),
            Group::Other => {
                let mut factors = Factors { asw: ship.asw, mrf: ship.mrf, crf: ship.crf };
                let outcome = lose_other(
                    self.rules,
                    (self.sheet.kind, &self.sheet.other),
                    &mut ship.other_lost,
                    &mut spending.budget,
                    blow,
                    &mut factors,
                    ask,
                );
                (ship.asw, ship.mrf, ship.crf) = (factors.asw, factors.mrf, factors.crf);
                outcome
            }
            Group::Torpedoes => {
                let mut lost = u64::from(ship.torpedoes_lost);
                let outcome =
                    lose_torpedoes(self.rules, self.sheet.torpedoes.len(), &mut lost, &mut spending.budget, ask);
                ship.torpedoes_lost = lost as u32;
                outcome
            }
        };
        Ok(match outcome {
            LossOutcome::Applied => After::RollOn,
            LossOutcome::StoppedByArmour => After::StoppedByArmour,
            LossOutcome::CannotBeApplied => After::CannotBeApplied,
        })
    }

    /// Whether the budget reaches something in a group; for other guns the list of their losses decides.
    fn group_applies(&self, group: Group, spending: &CriticalState) -> bool {
        let ship = &spending.ship;
        match group {
            Group::Main => first_class(&self.sheet.main, ship.main_lost)
                .is_some_and(|place| spending.budget >= self.rules.weapon_cost(place)),
            Group::Other => true,
            Group::Torpedoes => {
                (ship.torpedoes_lost.count_ones() as usize) < self.sheet.torpedoes.len()
                    && spending.budget >= self.rules.torpedo_mount_cost
            }
        }
    }

    /// Under water, and so in a flashover, no armour counts.
    fn direction_now(&self, spending: &CriticalState) -> Direction {
        match spending.table {
            CriticalTable::Underwater(_) | CriticalTable::Flashover(_) => Direction::Underwater,
            CriticalTable::Structural | CriticalTable::Carrier => self.direction,
        }
    }

    /// One main mount; a turret's magazine may follow. [C-17]
    fn main_battery(&self, blow: MountHit, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        let mounts = &self.sheet.main;
        let at = match lose_main(self.rules, mounts, &mut spending.ship.main_lost, spending.budget, blow, ask)? {
            MainLoss::Lost(at) => at,
            MainLoss::StoppedByArmour => return Ok(After::StoppedByArmour),
            MainLoss::CannotBeApplied => return Ok(After::CannotBeApplied),
        };
        let flashing = matches!(spending.table, CriticalTable::Flashover(_));
        if mounts[at].mounting != Mounting::Turret || flashing {
            return Ok(After::UsesAll);
        }
        match MagazineTest::new(self.rules, self.cv, self.sheet.weakness.unsafe_magazines).roll(ask)? {
            MagazineOutcome::Safe => Ok(After::UsesAll),
            MagazineOutcome::Explosion => {
                self.explode(spending, ask);
                Ok(After::UsesAll)
            }
            MagazineOutcome::Flashover => Ok(After::Flashover(match mounts[at].arc {
                Station::Fwd => Column::Bow,
                Station::Aft => Column::Stern,
                _ => Column::Midships,
            })),
        }
    }

    /// Handling, with a catapult; a catapult alone where no handling is left.
    fn aircraft_operations(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> After {
        if spending.ship.h > 0 {
            self.buy(spending, "aircraft handling", 1, |ship| &mut ship.h, ask);
            spending.ship.catapults = (spending.ship.catapults - 1).max(0);
        } else {
            spending.ship.catapults -= 1;
            spending.budget -= 1;
            ask.note(|| Note::new("catapult", "No handling is left: a catapult is lost for 1").by(&[rule::R_25]));
        }
        After::RollOn
    }

    fn aircraft_in_hangar(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> After {
        ask.note(|| Note::new("hangar", "Aircraft in the hangar are struck").by(&[rule::R_24]).detail());
        self.buy(spending, "service rate", 2, |ship| &mut ship.rrr, ask)
    }

    /// One more fire and a Carrier Fuel Explosion Test. [C-19]
    pub(super) fn fuel_explosion(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        spending.ship.fires += 1;
        let test = FuelTest::new(self.rules, self.cv, spending.ship.rearming, self.sheet.weakness.poor_carrier_safety);
        let (outcome, fires) = test.roll(ask)?;
        spending.ship.fires += fires;
        if outcome == FuelOutcome::Explosion {
            self.explode(spending, ask);
        }
        Ok(After::UsesAll)
    }
}
