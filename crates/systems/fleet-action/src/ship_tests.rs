//! Crew, Fire, Wreck, Magazine and Fuel Explosion Tests.

use crate::rule;
use crate::rules::Rules;
use crate::ship::{Condition, Sheet};
use crate::volley::{Modifiers, Test};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D6, D20, Note};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// A Crew Test. [C-21]
#[must_use]
pub fn crew_test<'a>(rules: &Rules, name: &'a str, crew_quality: i32) -> Test<'a> {
    Test {
        what: "crew-test",
        name,
        rules: &[rule::C_21, rule::R_14],
        modifiers: Modifiers::new().with("crew quality", crew_quality, rule::C_21),
        needed: rules.needs.test_pass_d10,
        words: ("passed", "failed"),
    }
}

/// Whether a failed Fire Test is rolled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondChance {
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct FireTest {
    /// A fire breaks out.
    pub success: bool,
    /// A failure was rolled again.
    pub rerolled: bool,
}

/// A Fire Test: the CV of the hit or less on a d20 is a fire. [C-21]
pub fn fire_test(cv: i32, second: SecondChance, ask: &mut impl Ask) -> Asked<FireTest> {
    let once = |what: &'static str, ask: &mut _| one_fire_test(cv, what, ask);
    if once("Fire Test", ask)? {
        return Ok(FireTest { success: true, rerolled: false });
    }
    if second == SecondChance::No {
        return Ok(FireTest { success: false, rerolled: false });
    }
    Ok(FireTest { success: once("Fire Test, rolled again", ask)?, rerolled: true })
}

fn one_fire_test(cv: i32, what: &'static str, ask: &mut impl Ask) -> Asked<bool> {
    let roll = ask.roll_as(D20, what, |face| i32::from(face) <= cv)?;
    ask.note(|| {
        let face = roll.face.unwrap_or(0);
        let word = if roll.read { "fire" } else { "no fire" };
        Note::new("fire-test", format!("{what}: {cv} or less; d20 {face}: {word}"))
            .by(&[rule::C_21])
            .dice(&[face])
            .outcome(word)
    });
    Ok(roll.read)
}

/// Where a Wreck Test comes from, which decides what remains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WreckCause {
    /// Damage: a wreck remains.
    Damage,
    /// A critical: nothing remains.
    Critical,
}

/// A ship that is about to be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Sinking {
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Damage control teams.
    #[shape(0..=99, or = 0)]
    pub dc: i32,
    /// Fires aboard.
    #[shape(0..=99, or = 0)]
    pub fires: i32,
    /// Poor carrier safety.
    #[shape(or = false)]
    pub poor_carrier_safety: bool,
    /// Poor underwater protection.
    #[shape(or = false)]
    pub poor_underwater: bool,
    /// The ship lies in bad weather.
    #[shape(or = false)]
    pub bad_weather: bool,
}

impl Sinking {
    /// A ship as she is now.
    #[must_use]
    pub fn of(sheet: &Sheet, now: &Condition) -> Self {
        Self {
            crew_quality: now.crew_quality,
            dc: now.dc,
            fires: now.fires,
            poor_carrier_safety: sheet.weakness.poor_carrier_safety,
            poor_underwater: sheet.weakness.poor_underwater,
            bad_weather: sheet.weakness.bad_weather,
        }
    }

    #[must_use]
    pub fn modifiers(&self, rules: &Rules) -> Modifiers {
        Modifiers::new()
            .with("crew quality", self.crew_quality, rule::S10_2)
            .with("damage control teams", rules.band(self.dc), rule::BANDS)
            .when(self.poor_carrier_safety, "poor carrier safety", -1, rule::S10_2)
            .when(self.poor_underwater, "poor underwater protection", -1, rule::S10_2)
            .with("fires", -rules.band(self.fires), rule::BANDS)
    }

    /// The test; what becomes of her. [10.2]
    pub fn wreck_test(&self, rules: &Rules, cause: WreckCause, ask: &mut impl Ask) -> Asked<Status> {
        let mut test = Test {
            what: "wreck-test",
            name: "Wreck Test",
            rules: &[rule::S10_2, rule::R_14, rule::R_27],
            modifiers: self.modifiers(rules),
            needed: rules.needs.test_pass_d10,
            words: ("she stays afloat", "she is lost"),
        };
        let mut survives = test.roll(ask)?;
        if survives && self.bad_weather {
            test.name = "Wreck Test, rolled again in bad weather";
            survives = test.roll(ask)?;
        }
        Ok(match (survives, cause) {
            (true, _) => Status::Afloat,
            (false, WreckCause::Damage) => Status::Wreck,
            (false, WreckCause::Critical) => Status::Sunk,
        })
    }
}

/// A Magazine Test: up to which face a ship explodes, and up to which it is a flashover. [C-17]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct MagazineTest {
    /// Last face of an explosion.
    pub explosion_on: i32,
    /// Last face of a flashover.
    pub flashover_on: i32,
}

impl MagazineTest {
    /// For a hit of this CV.
    #[must_use]
    pub fn new(rules: &Rules, cv: i32, unsafe_magazines: bool) -> Self {
        let numbers = &rules.explosions;
        let explosion_on = cv / numbers.magazine_divisor + if unsafe_magazines { numbers.unsafe_magazine } else { 0 };
        Self { explosion_on, flashover_on: explosion_on + cv / numbers.flashover_divisor }
    }

    pub fn roll(&self, ask: &mut impl Ask) -> Asked<MagazineOutcome> {
        let roll = ask.roll_as(D20, "Magazine Test", |face| match i32::from(face) {
            face if face <= self.explosion_on => MagazineOutcome::Explosion,
            face if face <= self.flashover_on => MagazineOutcome::Flashover,
            _ => MagazineOutcome::Safe,
        })?;
        ask.note(|| {
            let face = roll.face.unwrap_or(0);
            let text = format!(
                "Magazine Test: explosion to {}, flashover to {}; d20 {face}: {}",
                self.explosion_on, self.flashover_on, roll.read
            );
            Note::new("magazine-test", text).by(&[rule::C_17]).dice(&[face]).outcome(roll.read.word())
        });
        Ok(roll.read)
    }
}

/// A Carrier Fuel Explosion Test. [C-19]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct FuelTest {
    /// Last face of an explosion.
    pub explosion_on: i32,
    /// Last face of a hangar fire.
    pub hangar_fire_on: i32,
}

impl FuelTest {
    /// For a hit of this CV.
    #[must_use]
    pub fn new(rules: &Rules, cv: i32, rearming: i32, poor_carrier_safety: bool) -> Self {
        let numbers = &rules.explosions;
        let explosion_on = cv / numbers.fuel_divisor
            + rearming.min(numbers.fuel_rearming_cap)
            + if poor_carrier_safety { numbers.fuel_poor_safety } else { 0 };
        Self { explosion_on, hangar_fire_on: explosion_on + numbers.fuel_hangar_span }
    }

    /// Rolls it; with the number of further fires.
    pub fn roll(&self, ask: &mut impl Ask) -> Asked<(FuelOutcome, i32)> {
        let roll = ask.roll_as(D20, "Carrier Fuel Explosion Test", |face| match i32::from(face) {
            face if face <= self.explosion_on => FuelOutcome::Explosion,
            face if face <= self.hangar_fire_on => FuelOutcome::HangarFire,
            _ => FuelOutcome::Safe,
        })?;
        ask.note(|| {
            let face = roll.face.unwrap_or(0);
            let text = format!(
                "Carrier Fuel Explosion Test: explosion to {}, hangar fire to {}; d20 {face}: {}",
                self.explosion_on, self.hangar_fire_on, roll.read
            );
            Note::new("fuel-test", text).by(&[rule::C_19]).dice(&[face]).outcome(roll.read.word())
        });
        if roll.read != FuelOutcome::HangarFire {
            return Ok((roll.read, 0));
        }
        let fires = ask.roll(D6, "fires in the hangar")?;
        ask.note(|| {
            Note::new(
                "hangar-fire",
                format!("The hangar burns: d6 {fires} more {}", if fires == 1 { "fire" } else { "fires" }),
            )
            .by(&[rule::C_19])
            .dice(&[fires])
            .outcome(fires)
        });
        Ok((roll.read, i32::from(fires)))
    }
}
