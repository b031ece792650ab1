//! Cargo that is struck.

use super::{After, Critical, CriticalState};
use crate::rule;
use crate::ship_tests::{SecondChance, fire_test};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D20, Note};

impl Critical<'_> {
    /// The cargo is destroyed; fuel burns, ammunition may explode.
    pub(super) fn cargo(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        let Some(cargo) = self.sheet.cargo.filter(|_| !spending.ship.cargo_destroyed) else {
            return Ok(After::CannotBeApplied);
        };
        spending.ship.cargo_destroyed = true;
        ask.note(|| {
            Note::new("cargo", format!("The cargo ({}, {} points) is destroyed", cargo.kind, cargo.points))
                .by(&[rule::CARGO])
                .outcome(cargo.kind.word())
        });
        match cargo.kind {
            CargoKind::General | CargoKind::Troops => {}
            CargoKind::Fuel => self.burning_fuel(cargo.points, spending, ask)?,
            CargoKind::Ammunition => self.ammunition(cargo.points, spending, ask)?,
        }
        Ok(After::UsesAll)
    }

    fn burning_fuel(&self, points: i32, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<()> {
        let tests = ask
            .pool::<2>(points as u32, D20, "Fire Tests of the fuel", |face| usize::from(i32::from(face) <= self.cv))?;
        spending.ship.fires += 1 + tests.counts[1] as i32;
        ask.note(|| {
            Note::new(
                "cargo",
                format!("Fuel burns: 1 fire and {} more from {points} Fire Tests at {}", tests.counts[1], self.cv),
            )
            .by(&[rule::CARGO, rule::R_42])
            .dice(&tests.faces.0)
            .outcome(spending.ship.fires)
        });
        Ok(())
    }

    fn ammunition(&self, points: i32, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<()> {
        let second = if self.fires_when_hit > 0 { SecondChance::Yes } else { SecondChance::No };
        if fire_test(self.cv, second, ask)?.success {
            spending.ship.status = Status::Wreck;
            spending.harm.explosion_dice = points;
            ask.note(|| {
                Note::new(
                    "explosion",
                    format!("The ammunition explodes: she is a wreck; collateral damage with {points} d6"),
                )
                .by(&[rule::CARGO, rule::R_42, rule::C_18])
                .outcome(points)
            });
        }
        Ok(())
    }
}
