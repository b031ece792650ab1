//! What a strike is worth, exactly, on the scale on which positions are valued.

use super::CarrierGame;
use super::piece::SquadronId;
use crate::combat::{Guns, Striker};
use crate::duels::strike_matrix_by;
use crate::words::{Markers, Role};
use flagplot_kernel::{BySide, Side, Standing};
use std::sync::OnceLock;

/// An aircraft, in thousandths.
pub(super) const AIRCRAFT: i64 = 1000;

/// The values of strikes by strength and by the hits the carrier group has taken.
type Table = [[Standing; 8]; 13];

/// What strikes of each side are worth, worked out when first asked for.
#[derive(Default)]
pub(crate) struct StrikeWorth {
    tables: BySide<[OnceLock<Box<Table>>; 2]>,
}

impl CarrierGame {
    /// What hits on a carrier group cost its side: three aircraft each, more where one carrier or both are lost.
    pub(super) fn damage(&self, hits: u8) -> Standing {
        let crippled = if hits >= self.rules.carrier.crippled_at { 6 * AIRCRAFT } else { 0 };
        let sunk = if hits >= self.rules.carrier.steps { 10 * AIRCRAFT } else { 0 };
        3 * i64::from(hits) * AIRCRAFT + crippled + sunk
    }

    /// What a strike of so many aircraft of a squadron is worth to its side, both playing their best mixes: the damage
    /// it does less the aircraft it costs. A kamikaze's aircraft are spent either way.
    pub(super) fn strike_worth(&self, id: SquadronId, strength: u8, hits: u8) -> Standing {
        let kamikaze = self.kamikaze.has(id);
        if hits >= self.rules.carrier.steps {
            return 0;
        }
        let table = self.strike_worth.tables[id.side()][usize::from(kamikaze)]
            .get_or_init(|| Box::new(self.strike_table(id.side(), kamikaze)));
        table[usize::from(strength.min(12))][usize::from(hits.min(7))]
    }

    fn strike_table(&self, side: Side, kamikaze: bool) -> Table {
        let mut table = [[0; 8]; 13];
        let markers = Markers { red: self.skill(side, Role::Strike).markers(), blue: 0 };
        for (strength, row) in table.iter_mut().enumerate().skip(1) {
            let striker = Striker { markers, ..Striker::plain(strength as u8, kamikaze) };
            for (hits, worth) in row.iter_mut().enumerate() {
                let before = self.damage(hits as u8);
                let guns = Guns { hits: hits as u8, aa: self.aa[side.other()] };
                let matrix = strike_matrix_by(&self.rules, &striker, &guns, |after, lost| {
                    let gain = self.damage(after) - before;
                    (gain, if kamikaze { 0 } else { i64::from(lost) * AIRCRAFT })
                });
                *worth = i64::try_from(matrix.play.value.round()).unwrap_or(0);
            }
        }
        table
    }
}
