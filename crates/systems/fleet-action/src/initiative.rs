//! Initiative. [6.1]

use crate::rule;
use crate::rules::Rules;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D10, Note};
use flagplot_referee::Shaped;
use serde::Serialize;

/// What a command total adds: its band, with its sign.
pub fn modifier(rules: &Rules, total: i32, ask: &mut impl Ask) -> i32 {
    let modifier = rules.band(total);
    ask.note(|| {
        Note::new("initiative-modifier", format!("Command total {total}: modifier {modifier}"))
            .by(&[rule::S6_1, rule::R_1, rule::BANDS])
            .outcome(modifier)
            .detail()
    });
    modifier
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Initiative {
    /// What side a adds.
    pub a_modifier: i32,
    /// What side b adds.
    pub b_modifier: i32,
    /// Score of side a.
    pub a_score: i32,
    /// Score of side b.
    pub b_score: i32,
    /// The scores are equal.
    pub tie: bool,
    /// Side with the initiative.
    pub winner: SideName,
}

/// A d10 for each side; the holder wins ties, and side a if neither side holds it.
///
/// `names` are what the log calls the sides.
pub fn roll(
    rules: &Rules,
    totals: [i32; 2],
    holder: Holder,
    names: [&str; 2],
    ask: &mut impl Ask,
) -> Asked<Initiative> {
    let [a_modifier, b_modifier] = [modifier(rules, totals[0], ask), modifier(rules, totals[1], ask)];
    let mut roll = |name: &str| ask.roll(D10, format_args!("initiative of {name}"));
    let faces = [roll(names[0])?, roll(names[1])?];
    let (a_score, b_score) = (i32::from(faces[0]) + a_modifier, i32::from(faces[1]) + b_modifier);
    let tie = a_score == b_score;
    let winner = match a_score.cmp(&b_score) {
        std::cmp::Ordering::Greater => SideName::A,
        std::cmp::Ordering::Less => SideName::B,
        std::cmp::Ordering::Equal if holder == Holder::B => SideName::B,
        std::cmp::Ordering::Equal => SideName::A,
    };
    ask.note(|| {
        let equal = if tie { ", a tie" } else { "" };
        let [a, b] = names;
        let won = if winner == SideName::A { a } else { b };
        let text = format!("Initiative: {a} {a_score}, {b} {b_score}{equal}; it goes to {won}");
        let note = Note::new("initiative", text).by(&[rule::S6_1]).dice(&faces).outcome(winner.word());
        if tie { note.by(&[rule::R_36]) } else { note }
    });
    Ok(Initiative { a_modifier, b_modifier, a_score, b_score, tie, winner })
}
