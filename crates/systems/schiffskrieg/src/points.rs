//! Victory points. [points, C-15]

use crate::unit::Sheet;

/// What the loss or damage of a unit gives to the enemy: all for sinking it, half for damaging what was not damaged at the start.
#[must_use]
pub fn loss(sheet: &Sheet, damaged_at_start: bool, sunk: bool, damaged_now: bool) -> u32 {
    if sunk {
        u32::from(sheet.vp)
    } else if damaged_now && !damaged_at_start {
        u32::from(sheet.vp / 2)
    } else {
        0
    }
}
