//! Victory points. [points, C-15]

use crate::unit::{Counter, Kind, Sheet};

/// What the enemy gets for a unit: all for sinking it, half for damaging one that was not damaged at the start.
pub fn loss(sheet: &Sheet, damaged_at_start: bool, sunk: bool, damaged_now: bool) -> u32 {
    if sunk {
        u32::from(sheet.vp)
    } else if damaged_now && !damaged_at_start {
        u32::from(sheet.vp / 2)
    } else {
        0
    }
}

/// What an own convoy is worth that comes through: half if it is damaged. [C-9]
pub fn convoy(unit: Counter<'_>) -> i64 {
    let vp = i64::from(unit.sheet.vp);
    match (unit.sheet.kind, unit.damaged) {
        (Kind::Convoy, false) => vp,
        (Kind::Convoy, true) => vp / 2,
        _ => 0,
    }
}

/// The points of one round of a campaign: half for damaging, all for sinking from the front, the other half for sinking
/// from the back. [turn-7]
pub fn step_loss(sheet: &Sheet, damaged_before: bool, sunk: bool, damaged_now: bool) -> i64 {
    let half = i64::from(sheet.vp / 2);
    match (damaged_before, sunk, damaged_now) {
        (false, true, _) => i64::from(sheet.vp),
        (true, true, _) => i64::from(sheet.vp) - half,
        (false, false, true) => half,
        _ => 0,
    }
}
