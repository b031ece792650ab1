//! Attrition. [14.41]

use crate::charts::{AttritionCell, Charts, heading};
use crate::nation::{at_edge, majority, modified};
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note};
use serde::{Deserialize, Serialize};

/// The map on which the attrition happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Board {
    /// Hexes count in full.
    Europe,
    /// Hexes are halved.
    Pacific,
}

/// Some factors of one training level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trained {
    /// Ground factors.
    pub factors: u32,
    /// Their combat training level.
    pub ctl: i32,
}

/// The winter preparation of the attacker and the defender; `None` in a turn without winter effects.
pub type Winter = Option<(i32, i32)>;

/// How an attrition came out.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Attrition {
    /// The attacker's factors.
    pub attritioning_factors: u32,
    /// The column read.
    pub column: String,
    /// The bonus for size.
    pub size_modifier: i32,
    /// The level that counts for the attacker.
    pub attacker_ctl: i32,
    /// The level that counts for the defender.
    pub defender_ctl: i32,
    /// The difference in training.
    pub ctl_modifier: i32,
    /// The difference in winter preparation.
    pub winter_modifier: i32,
    /// The die.
    pub roll: u8,
    /// The die with its modifiers.
    pub modified_roll: i32,
    /// The row read.
    pub row: String,
    /// What the table says.
    pub cell: String,
    /// Counters the defender loses.
    pub counters: u32,
    /// Hexes as the table says.
    pub table_hexes: u32,
    /// Hexes the defender loses on this board.
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

/// Attrition by one die. [14.41, R-5]
pub fn attrition(
    charts: &Charts,
    attackers: &[Trained],
    defenders: &[Trained],
    winter: Winter,
    board: Board,
    ask: &mut impl Ask,
) -> Asked<Attrition> {
    let factors = attackers.iter().map(|part| part.factors).sum::<u32>();
    let size = size_modifier(factors);
    let (attacker_ctl, defender_ctl) = (training(attackers), training(defenders));
    let ctl = attacker_ctl - defender_ctl;
    let cold = winter.map_or(0, |(attacker, defender)| attacker - defender);

    let roll = ask.roll(D6, "attrition")?;
    let modified_roll = i32::from(roll) + size + ctl + cold;
    ask.note(|| {
        let text = format!("{factors} attritioning factors: {roll} on the die, {modified_roll} with modifiers");
        let note =
            Note::new("attrition", text).by(&[rule::ATTRITION_TABLE, rule::R_5]).dice(&[roll]).outcome(modified_roll);
        modified(
            at_edge(note, modified_roll, 0..=11),
            &[
                ("size of the attack", size, rule::R_7),
                ("training", ctl, rule::R_42),
                ("winter preparation", cold, rule::R_48),
            ],
        )
    });
    let AttritionCell { counters, hexes: table_hexes } =
        *charts.attrition.read(ask, rule::ATTRITION_TABLE, i64::from(modified_roll), i64::from(factors));
    let hexes = match board {
        Board::Europe => table_hexes,
        Board::Pacific => table_hexes / 2,
    };
    ask.note(|| {
        let halved = if board == Board::Pacific { ", hexes being halved on the Pacific board" } else { "" };
        let text = format!("The defender loses {counters} counters and {hexes} hexes{halved}.");
        Note::new("attrition-losses", text)
            .by(&[rule::R_6, rule::ATTRITION_TABLE])
            .outcome(format!("{counters}C {hexes}H"))
    });
    Ok(Attrition {
        attritioning_factors: factors,
        column: heading(&charts.attrition.columns, factors.min(i32::MAX as u32) as i32),
        size_modifier: size,
        attacker_ctl,
        defender_ctl,
        ctl_modifier: ctl,
        winter_modifier: cold,
        roll,
        modified_roll,
        row: heading(&charts.attrition.rows, modified_roll),
        cell: AttritionCell { counters, hexes: table_hexes }.to_string(),
        counters,
        table_hexes,
        hexes,
    })
}
