//! Attrition. [14.41]

use crate::charts::{AttritionCell, Charts, heading};
use crate::messages::counted;
use crate::nation::{at_edge, majority, modified};
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note};
use flagplot_referee::{Shaped, words};
use serde::{Deserialize, Serialize};

/// The map on which the attrition happens.
#[words]
pub enum Board {
    Europe,
    /// Hexes are halved.
    Pacific,
}

/// Factors of one training level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Trained {
    /// ground factors
    #[shape(0..=1_000_000)]
    pub factors: u32,
    /// combat training level
    #[shape(-20..=20)]
    pub ctl: i32,
}

/// An attrition attack.
#[derive(Clone, Debug, Deserialize, Shaped)]
pub struct Front {
    /// attritioning factors by training level
    #[shape(items = 0..=200)]
    pub attackers: Vec<Trained>,
    /// defending factors by training level
    #[shape(items = 0..=200)]
    pub defenders: Vec<Trained>,
    /// a turn with winter effects
    #[shape(or = false)]
    pub winter: bool,
    /// the attacker's level
    #[shape(0..=20, or = 0)]
    pub attacker_winter_preparation: i32,
    /// the defender's level
    #[shape(0..=20, or = 0)]
    pub defender_winter_preparation: i32,
    /// hexes are halved on the Pacific board
    #[shape(or = Board::Europe)]
    pub board: Board,
}

/// How an attrition came out.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Attrition {
    /// the attacker's factors
    pub attritioning_factors: u32,
    /// the column read
    pub column: String,
    /// for more than seventy factors
    pub size_modifier: i32,
    /// the level that counts
    pub attacker_ctl: i32,
    /// the level that counts
    pub defender_ctl: i32,
    /// difference in training
    pub ctl_modifier: i32,
    /// difference in winter preparation
    pub winter_modifier: i32,
    /// the die
    #[shape(1..=6)]
    pub roll: u8,
    /// with modifiers
    pub modified_roll: i32,
    /// the row read
    pub row: String,
    /// what the table says
    pub cell: String,
    /// counters lost
    pub counters: u32,
    /// hexes as the table says
    pub table_hexes: u32,
    /// hexes lost on this board
    pub hexes: u32,
}

/// Where the bonus for size begins: its first ten factors give nothing.
const SIZE_FROM: u32 = 61;

/// The bonus for more than seventy factors; there is no end to it.
#[must_use]
pub fn size_modifier(factors: u32) -> i32 {
    (factors.saturating_sub(SIZE_FROM) / 10) as i32
}

/// The training level of a side: that of most of its factors.
#[must_use]
pub fn training(side: &[Trained]) -> i32 {
    majority(side.iter().map(|part| (part.ctl, part.factors)))
}

impl Front {
    /// Attrition by one die. [14.41, R-5]
    pub fn attrition(&self, charts: &Charts, ask: &mut impl Ask) -> Asked<Attrition> {
        let factors = self.attackers.iter().map(|part| part.factors).sum::<u32>();
        let size_modifier = size_modifier(factors);
        let (attacker_ctl, defender_ctl) = (training(&self.attackers), training(&self.defenders));
        let ctl_modifier = attacker_ctl - defender_ctl;
        let preparation = self.attacker_winter_preparation - self.defender_winter_preparation;
        let winter_modifier = if self.winter { preparation } else { 0 };

        let roll = ask.roll(D6, "attrition")?;
        let modified_roll = i32::from(roll) + size_modifier + ctl_modifier + winter_modifier;
        ask.note(|| {
            let factors = counted(factors, "attritioning factor");
            let text = format!("{factors}: {roll} on the die, {modified_roll} with modifiers");
            let note = Note::new("attrition", text).by(&[rule::ATTRITION_TABLE, rule::R_5]).dice(&[roll]);
            modified(
                at_edge(note.outcome(modified_roll), modified_roll, 0..=11),
                &[
                    ("size of the attack", size_modifier, rule::R_7),
                    ("training", ctl_modifier, rule::R_42),
                    ("winter preparation", winter_modifier, rule::R_48),
                ],
            )
        });
        let (row, column) = (i64::from(modified_roll), i64::from(factors));
        let cell = *charts.attrition.read(ask, rule::ATTRITION_TABLE, row, column);
        let AttritionCell { counters, hexes: table_hexes } = cell;
        let hexes = match self.board {
            Board::Europe => table_hexes,
            Board::Pacific => table_hexes / 2,
        };
        ask.note(|| {
            let halved = if self.board == Board::Pacific { " (hexes are halved on the Pacific board)" } else { "" };
            let (lost, taken) = (counted(counters, "counter"), counted(hexes, "hex"));
            Note::new("attrition-losses", format!("The defender loses {lost} and {taken}{halved}."))
                .by(&[rule::R_6, rule::ATTRITION_TABLE])
                .outcome(format!("{counters}C {hexes}H"))
        });
        Ok(Attrition {
            attritioning_factors: factors,
            column: heading(&charts.attrition.columns, column),
            size_modifier,
            attacker_ctl,
            defender_ctl,
            ctl_modifier,
            winter_modifier,
            roll,
            modified_roll,
            row: heading(&charts.attrition.rows, row),
            cell: cell.to_string(),
            counters,
            table_hexes,
            hexes,
        })
    }
}
