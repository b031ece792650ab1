//! The Delay Boxes. [C-13, C-14]

use crate::rule;
use crate::rules::Rules;
use crate::unit::Id;
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note};
use flagplot_referee::{Shaped, words};
use serde::Serialize;
use std::fmt::Display;

#[words]
pub enum Choice {
    /// Wait longer, and come back undamaged.
    Repair,
    ReturnDamaged,
}

impl Choice {
    pub fn title(self) -> &'static str {
        ["repair", "return damaged"][self as usize]
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    pub id: Id,
    /// What its owner wants, if it is a damaged ship.
    pub choice: Option<Choice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Return {
    /// the die
    #[shape(1..=6)]
    pub die: u8,
    /// what was added
    #[shape(-9..=9)]
    pub drm: i64,
    /// turns to wait
    #[shape(1..=99)]
    pub delay: i64,
    /// the turn it comes back
    #[shape(1..=999)]
    #[serde(rename = "return_turn")]
    pub turn: i64,
    /// whether it comes back damaged
    #[serde(rename = "returns_damaged")]
    pub damaged: bool,
}

/// One die for a counter, called `name` in the log: never less than a turn, no upper limit.
pub fn roll(
    rules: &Rules,
    waiting: Waiting,
    name: impl Display,
    turn: i64,
    faction_drm: i64,
    ask: &mut impl Ask,
) -> Asked<Return> {
    let id = waiting.id;
    let die = ask.roll(D6, format_args!("delay of {id}"))?;
    let repair = if waiting.choice == Some(Choice::Repair) { rules.delay.repair_drm } else { 0 };
    let drm = faction_drm + repair;
    let delay = (i64::from(die) + drm).max(rules.delay.minimum);
    let back = Return { die, drm, delay, turn: turn + delay, damaged: waiting.choice == Some(Choice::ReturnDamaged) };
    ask.note(|| {
        let how = if back.damaged { ", still damaged" } else { "" };
        let turns = if delay == 1 { "turn" } else { "turns" };
        let mut note =
            Note::new("delay", format!("{name} waits {delay} {turns} and comes back in turn {}{how}.", back.turn))
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
