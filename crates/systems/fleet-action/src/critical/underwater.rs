//! Rows that only the underwater table has.

use super::{After, Critical, CriticalState, CriticalTable};
use crate::rule;
use crate::ship_tests::crew_test;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D20, Note};

impl Critical<'_> {
    /// Flooding: the whole budget, over again for each Crew Test that fails.
    pub(super) fn bulkheads(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        let flashover = matches!(spending.table, CriticalTable::Flashover(_));
        loop {
            if spending.ship.f > 0 {
                spending.ship.f = (spending.ship.f - spending.budget).max(0);
                ask.note(|| {
                    Note::new("flooding", format!("Flotation loses {}: {} left", spending.budget, spending.ship.f))
                        .by(&[rule::R_23])
                        .outcome(spending.ship.f)
                });
            }
            if spending.ship.f == 0 {
                self.wreck_test(spending, ask)?;
                return Ok(After::UsesAll);
            }
            if flashover {
                return Ok(After::UsesAll);
            }
            let mut test = crew_test(self.rules, "bulkheads: Crew Test", spending.ship.crew_quality);
            test.modifiers = test.modifiers.when(
                self.sheet.weakness.poor_underwater,
                "poor underwater protection",
                -1,
                rule::UNDERWATER,
            );
            if test.roll(ask)? {
                return Ok(After::UsesAll);
            }
        }
    }

    pub(super) fn power_failure(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> After {
        if spending.ship.gear.power_failed {
            return After::CannotBeApplied;
        }
        spending.ship.gear.power_failed = true;
        ask.note(|| Note::new("power", "The power fails").by(&[rule::UNDERWATER]));
        After::UsesAll
    }

    /// Weapons, cargo, or a carrier's fuel.
    pub(super) fn last_row(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<After> {
        if self.sheet.kind != Kind::Carrier {
            return self.weapons_or_cargo(spending, ask);
        }
        let original = self.sheet.h_max;
        let weapons = ask
            .roll_as(D20, "above the original handling: weapons, otherwise fuel", |face| i32::from(face) > original)?;
        ask.note(|| {
            let face = weapons.face.unwrap_or(0);
            let word = if weapons.read { "weapons" } else { "fuel and ammunition" };
            Note::new("last-row", format!("Carrier with original handling {original}: d20 {face}: {word}"))
                .by(&[rule::UNDERWATER])
                .dice(&[face])
                .outcome(word)
        });
        if weapons.read { self.weapons(spending, ask) } else { self.fuel_explosion(spending, ask) }
    }
}
