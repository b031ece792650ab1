//! The Delay Boxes. [C-13, C-14]

use crate::figures::Figures;
use crate::rule;
use crate::unit::Id;
use flagplot_kernel::{Ask, Asked, Modifier, Note};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the owner of a damaged ship wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Wait longer, and come back undamaged.
    Repair,
    /// Come back as it is.
    ReturnDamaged,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Choice::Repair => "repair",
            Choice::ReturnDamaged => "return damaged",
        })
    }
}

/// A counter in a Delay Box; a choice for a damaged ship.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// Its id.
    pub id: Id,
    /// What its owner wants, if it is a damaged ship.
    pub choice: Option<Choice>,
}

/// When a counter comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Return {
    /// The die.
    pub die: u8,
    /// What was added.
    pub drm: i64,
    /// Turns to wait.
    pub delay: i64,
    /// The turn it comes back.
    pub turn: i64,
    /// Whether it comes back damaged.
    pub damaged: bool,
}

/// One die for a counter: never less than a turn, no upper limit.
pub fn roll(figures: &Figures, waiting: Waiting, turn: i64, faction_drm: i64, ask: &mut impl Ask) -> Asked<Return> {
    let id = waiting.id;
    let die = ask.roll(figures.die, format_args!("delay of {id}"))?;
    let repair = if waiting.choice == Some(Choice::Repair) { figures.repair_drm } else { 0 };
    let drm = faction_drm + repair;
    let delay = (i64::from(die) + drm).max(figures.delay_minimum);
    let back = Return { die, drm, delay, turn: turn + delay, damaged: waiting.choice == Some(Choice::ReturnDamaged) };
    ask.note(|| {
        let how = if back.damaged { ", still damaged" } else { "" };
        let mut note =
            Note::new("delay", format!("{id} waits {delay} turns and comes back in turn {}{how}.", back.turn))
                .by(&[rule::C_13])
                .dice(&[die])
                .outcome(delay)
                .pieces([id]);
        note = note.modifier(Modifier::new("faction", faction_drm, rule::C_13));
        if repair != 0 {
            note = note.by(&[rule::C_14]).modifier(Modifier::new("repair", repair, rule::C_14));
        }
        note
    });
    Ok(back)
}
