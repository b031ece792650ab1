//! Day or night. [day-night]

use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::rule;
use flagplot_kernel::{Ask, Asked, Modifier, Note};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of a Combat Round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// At the range of aircraft.
    Day,
    /// At the range of guns.
    Night,
}

impl Action {
    /// Both.
    pub const BOTH: [Action; 2] = [Action::Day, Action::Night];
    /// Their words.
    pub const WORDS: [&'static str; 2] = ["day", "night"];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Action {
        match self {
            Action::Day => Action::Night,
            Action::Night => Action::Day,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Action::Day => "Day",
            Action::Night => "Night",
        })
    }
}

/// Where a battle is fought, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Waters {
    /// Whether the hex holds only water.
    pub all_sea: bool,
    /// How far each faction's nearest Air Base is, if it has one.
    pub nearest_air_base: ByRole<Option<u8>>,
}

/// How the action was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selection {
    /// What will be fought.
    pub action: Action,
    /// Who got his wish against the other's.
    pub winner: Option<Role>,
    /// What was added to each die.
    pub drm: ByRole<i64>,
    /// The totals, if dice were rolled.
    pub totals: Option<ByRole<i64>>,
}

/// The Air Base modifier of a faction: an All-Sea hex and a base within three hexes, once.
#[must_use]
pub fn air_base_drm(figures: &Figures, waters: &Waters, role: Role) -> i64 {
    let near = waters.nearest_air_base[role].is_some_and(|hexes| hexes <= figures.air_base_range);
    if waters.all_sea && near { figures.air_base_drm } else { 0 }
}

/// All that a faction adds to its die when it has this wish.
#[must_use]
pub fn drm(figures: &Figures, waters: &Waters, role: Role, wish: Action) -> i64 {
    let day = if wish == Action::Day { figures.day_drm } else { 0 };
    day + air_base_drm(figures, waters, role)
}

/// Both wishes are known: who gets his?
pub fn select(figures: &Figures, waters: &Waters, wishes: ByRole<Action>, ask: &mut impl Ask) -> Asked<Selection> {
    let drm = ByRole::new_with(|role| drm(figures, waters, role, wishes[role]));
    if wishes.phasing == wishes.non_phasing {
        // Nothing is left to roll for.
        ask.note(|| {
            Note::new("day-night", format!("Both want {0}: a {0} Action, without a roll.", wishes.phasing))
                .by(&[rule::DAY_NIGHT, rule::R_4])
                .outcome(Action::WORDS[wishes.phasing as usize])
        });
        return Ok(Selection { action: wishes.phasing, winner: None, drm, totals: None });
    }
    let phasing = ask.roll(figures.die, "day or night: phasing")?;
    let non_phasing = ask.roll(figures.die, "day or night: non-phasing")?;
    // Totals are compared as they are.
    let totals =
        ByRole { phasing: i64::from(phasing) + drm.phasing, non_phasing: i64::from(non_phasing) + drm.non_phasing };
    let winner = if totals.phasing > totals.non_phasing { Role::Phasing } else { Role::NonPhasing };
    let action = wishes[winner];
    ask.note(|| {
        let mut note = Note::new(
            "day-night",
            format!(
                "The phasing faction wants {} with {}, the other {} with {}{}: a {action} Action.",
                wishes.phasing,
                totals.phasing,
                wishes.non_phasing,
                totals.non_phasing,
                if totals.phasing == totals.non_phasing { ", which wins the tie" } else { "" }
            ),
        )
        .by(&[rule::DAY_NIGHT, rule::R_5])
        .dice(&[phasing, non_phasing])
        .outcome(Action::WORDS[action as usize]);
        for role in Role::BOTH {
            if wishes[role] == Action::Day {
                note = note.modifier(Modifier::new(format!("{role}: wish for Day"), figures.day_drm, rule::DAY_NIGHT));
            }
            if air_base_drm(figures, waters, role) != 0 {
                note = note.modifier(Modifier::new(
                    format!("{role}: Air Base near, All-Sea hex"),
                    figures.air_base_drm,
                    rule::R_7,
                ));
            }
        }
        if Role::BOTH.into_iter().any(|role| air_base_drm(figures, waters, role) != 0) {
            note = note.by(&[rule::R_7, rule::C_4]);
        }
        note
    });
    Ok(Selection { action, winner: Some(winner), drm, totals: Some(totals) })
}
