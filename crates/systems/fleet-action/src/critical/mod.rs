//! Criticals: a budget that is spent row by row on a d20 table.

mod cargo;
mod rows;
mod underwater;

use crate::armour::{penetrates, protection};
use crate::rule;
use crate::rules::{Row, Rules};
use crate::ship::{Condition, Sheet};
use crate::ship_tests::{Sinking, WreckCause};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D20, Flow, Note, Process, Rule};
use flagplot_referee::Shaped;
use serde::Serialize;

/// What a hit did besides what can be read from the ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Harm {
    /// Criticals that armour stopped.
    pub stopped_by_armour: i32,
    /// Last loss of control.
    pub helm: Sheer,
    /// Flag officers killed.
    pub officers_killed: i32,
    /// Dice of collateral damage, if the ship exploded.
    pub explosion_dice: i32,
    /// Flashovers.
    pub flashovers: i32,
}

impl Default for Harm {
    fn default() -> Self {
        Self { stopped_by_armour: 0, helm: Sheer::None, officers_killed: 0, explosion_dice: 0, flashovers: 0 }
    }
}

/// The table a critical is rolled on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CriticalTable {
    /// Warships and merchants above water.
    Structural,
    /// Carriers and air bases above water.
    Carrier,
    /// Below water.
    Underwater(Column),
    /// Below water, because a magazine flashed over.
    Flashover(Column),
}

impl CriticalTable {
    /// The table on which a hit strikes a ship.
    #[must_use]
    pub fn of(sheet: &Sheet, direction: Direction, column: Column) -> Self {
        match direction {
            Direction::Underwater => CriticalTable::Underwater(column),
            _ if sheet.uses_carrier_table() => CriticalTable::Carrier,
            _ => CriticalTable::Structural,
        }
    }

    fn rule(self) -> Rule {
        match self {
            CriticalTable::Structural => rule::STRUCTURAL,
            CriticalTable::Carrier => rule::CARRIER,
            CriticalTable::Underwater(_) | CriticalTable::Flashover(_) => rule::UNDERWATER,
        }
    }

    fn name(self) -> &'static str {
        match self {
            CriticalTable::Structural => "Structural critical",
            CriticalTable::Carrier => "Carrier critical",
            CriticalTable::Underwater(_) => "Underwater critical",
            CriticalTable::Flashover(_) => "Flashover",
        }
    }
}

/// One critical: what stays the same while it is resolved.
#[derive(Clone, Copy, Debug)]
pub struct Critical<'a> {
    pub rules: &'a Rules,
    pub sheet: &'a Sheet,
    pub cv: i32,
    pub pen: i32,
    pub direction: Direction,
    /// Fires aboard when the ship was hit.
    pub fires_when_hit: i32,
}

/// How far a critical has got. Once it is over, only the ship and the harm differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CriticalState {
    pub ship: Condition,
    /// What else was done.
    pub harm: Harm,
    pub table: CriticalTable,
    pub budget: i32,
    /// One result could not be applied; the next such result ends the critical.
    pub wasted: bool,
    pub helm_tested: bool,
    pub free_dice_taken: bool,
}

/// How a result leaves the critical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// It used all of the budget.
    UsesAll,
    /// What is left is rolled on.
    RollOn,
    CannotBeApplied,
    StoppedByArmour,
    Flashover(Column),
}

impl<'a> Critical<'a> {
    #[must_use]
    pub fn begin(&self, ship: Condition, harm: Harm, table: CriticalTable) -> CriticalState {
        CriticalState { ship, harm, table, budget: self.cv, wasted: false, helm_tested: false, free_dice_taken: false }
    }

    pub fn resolve(
        &self,
        ship: Condition,
        harm: Harm,
        table: CriticalTable,
        ask: &mut impl Ask,
    ) -> Asked<(Condition, Harm)> {
        let mut spending = self.begin(ship, harm, table);
        while self.step(&mut spending, ask)? == Flow::Continue {}
        Ok((spending.ship, spending.harm))
    }

    /// The price `[4 ± size]`.
    pub(crate) fn size_price(&self) -> i32 {
        (4 + self.sheet.size).max(1)
    }

    /// A Wreck Test inside a critical: failed, nothing remains.
    pub(crate) fn wreck_test(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<()> {
        spending.ship.status =
            Sinking::of(self.sheet, &spending.ship).wreck_test(self.rules, WreckCause::Critical, ask)?;
        Ok(())
    }

    /// She blows up, and may take others with her.
    pub(crate) fn explode(&self, spending: &mut CriticalState, ask: &mut impl Ask) {
        spending.ship.status = Status::Exploded;
        spending.harm.explosion_dice = self.sheet.explosion_dice();
        ask.note(|| {
            Note::new("explosion", format!("She explodes; collateral damage with {} d6", spending.harm.explosion_dice))
                .by(&[rule::C_18])
                .outcome(spending.harm.explosion_dice)
        });
    }

    fn row(&self, table: CriticalTable, face: u8) -> (Row, Option<Area>) {
        match table {
            CriticalTable::Structural => (self.rules.structural(face).row, self.rules.structural(face).area),
            CriticalTable::Carrier => (self.rules.carrier(face).row, self.rules.carrier(face).area),
            CriticalTable::Underwater(column) | CriticalTable::Flashover(column) => {
                (self.rules.underwater(column, face), None)
            }
        }
    }

    fn settle(&self, spending: &mut CriticalState, after: After, ask: &mut impl Ask) -> Flow {
        let goes_on = match after {
            _ if !spending.ship.afloat() => false,
            After::UsesAll => false,
            After::RollOn => spending.budget > 0,
            After::StoppedByArmour => {
                spending.harm.stopped_by_armour += 1;
                false
            }
            After::CannotBeApplied => {
                let first = !spending.wasted;
                ask.note(|| {
                    let then = if first { "roll again" } else { "the critical ends" };
                    Note::new("cannot-be-applied", format!("The result cannot be applied: {then}"))
                        .by(&[rule::C_16, rule::R_49])
                        .detail()
                });
                spending.wasted = true;
                first
            }
            After::Flashover(column) => self.flash_over(spending, column, ask),
        };
        if goes_on {
            return Flow::Continue;
        }
        // What the critical kept for itself is forgotten, so that equal results are one.
        let table = CriticalTable::Structural;
        *spending =
            CriticalState { table, budget: 0, wasted: false, helm_tested: false, free_dice_taken: false, ..*spending };
        Flow::Done
    }

    /// A flashover floods the hull; an air base has none and burns instead. [C-17, R-40, R-52]
    fn flash_over(&self, spending: &mut CriticalState, column: Column, ask: &mut impl Ask) -> bool {
        spending.harm.flashovers += 1;
        if self.sheet.is_air_base() {
            spending.ship.fires += 1;
            ask.note(|| {
                Note::new("flashover", "Flashover: an air base has no hull to flood; one more fire")
                    .by(&[rule::C_17, rule::R_52])
            });
            return false;
        }
        spending.table = CriticalTable::Flashover(column);
        spending.budget = self.cv;
        spending.wasted = false;
        ask.note(|| {
            Note::new("flashover", format!("Flashover: an underwater critical with CV {}, {column} column", self.cv))
                .by(&[rule::C_17, rule::R_40])
        });
        true
    }
}

/// The result of a face before any further die: faces with the same result are one branch for the odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The row takes effect.
    Works(Row),
    Holds,
    /// There is nothing it could take.
    Useless,
}

impl Critical<'_> {
    fn verdict(&self, spending: &CriticalState, face: u8) -> Verdict {
        let (row, area) = self.row(spending.table, face);
        if !self.applies(row, spending) {
            return Verdict::Useless;
        }
        if self.pen < protection(area.unwrap_or(Area::None), self.direction, &self.sheet.armour, 0) {
            return Verdict::Holds;
        }
        Verdict::Works(row)
    }

    /// The proof of a roll on the table: the row, and the armour that protects it.
    fn note_row(&self, spending: &CriticalState, face: u8, verdict: Verdict, ask: &mut impl Ask) {
        let table = spending.table;
        let (row, area) = self.row(table, face);
        ask.note(|| {
            let name = row.name();
            let column = match table {
                CriticalTable::Underwater(column) | CriticalTable::Flashover(column) => column.word(),
                _ => "struck",
            };
            Note::new("critical", format!("{}: d20 {face}: {name}; {} to spend", table.name(), spending.budget))
                .by(&[table.rule()])
                .table(table.rule().id, face, column)
                .dice(&[face])
                .outcome(name)
        });
        if let (true, Some(area)) = (verdict != Verdict::Useless, area) {
            let ac = protection(area, self.direction, &self.sheet.armour, 0);
            penetrates(area, self.pen, ac, self.direction, ask);
        }
    }
}

impl Process for Critical<'_> {
    type State = CriticalState;

    /// One roll on the table, with everything it brings.
    fn step(&self, spending: &mut CriticalState, ask: &mut impl Ask) -> Asked<Flow> {
        let before = *spending;
        let roll = ask.roll_as(D20, before.table.name(), |face| self.verdict(&before, face))?;
        if let Some(face) = roll.face {
            self.note_row(spending, face, roll.read, ask);
        }
        let after = match roll.read {
            Verdict::Works(row) => self.apply(row, spending, ask)?,
            Verdict::Holds => After::StoppedByArmour,
            Verdict::Useless => After::CannotBeApplied,
        };
        Ok(self.settle(spending, after, ask))
    }
}
