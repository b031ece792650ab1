//! Initiative. [6.1]

use crate::book::Book;
use crate::rule;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D10, Note};

/// What a command total adds: its band, with its sign.
pub fn modifier(book: &Book, total: i32, ask: &mut impl Ask) -> i32 {
    let modifier = book.band(total);
    ask.note(|| {
        Note::new("initiative-modifier", format!("Command total {total}: modifier {modifier}"))
            .by(&[rule::S6_1, rule::R_1, rule::BANDS])
            .outcome(modifier)
            .detail()
    });
    modifier
}

/// Both scores and who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Initiative {
    /// What each side adds.
    pub modifiers: [i32; 2],
    /// The scores.
    pub scores: [i32; 2],
    /// Who has the initiative now.
    pub winner: SideName,
}

/// A d10 for each side; the holder wins ties, and side a where nobody holds it.
pub fn roll(book: &Book, totals: [i32; 2], holder: Holder, ask: &mut impl Ask) -> Asked<Initiative> {
    let modifiers = [modifier(book, totals[0], ask), modifier(book, totals[1], ask)];
    let faces = [ask.roll(D10, "initiative of side a")?, ask.roll(D10, "initiative of side b")?];
    let scores = [i32::from(faces[0]) + modifiers[0], i32::from(faces[1]) + modifiers[1]];
    let winner = match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Greater => SideName::A,
        std::cmp::Ordering::Less => SideName::B,
        std::cmp::Ordering::Equal if holder == Holder::B => SideName::B,
        std::cmp::Ordering::Equal => SideName::A,
    };
    ask.note(|| {
        let tie = scores[0] == scores[1];
        let note = Note::new(
            "initiative",
            format!(
                "Initiative: a {} against b {}{}: side {winner}",
                scores[0],
                scores[1],
                if tie { ", a tie" } else { "" }
            ),
        )
        .by(&[rule::S6_1])
        .dice(&faces)
        .outcome(winner.word());
        if tie { note.by(&[rule::R_36]) } else { note }
    });
    Ok(Initiative { modifiers, scores, winner })
}
