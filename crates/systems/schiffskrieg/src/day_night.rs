//! Day or night. [day-night]

use crate::faction::{ByRole, Role};
use crate::rule;
use crate::rules::Rules;
use flagplot_kernel::{Ask, Asked, D6, Modifier, Note};
use flagplot_referee::words;

#[words]
pub enum Action {
    Day,
    Night,
}

impl Action {
    pub const BOTH: [Action; 2] = [Action::Day, Action::Night];

    pub fn title(self) -> &'static str {
        ["Day", "Night"][self as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Waters {
    pub all_sea: bool,
    /// In hexes.
    pub nearest_air_base: ByRole<Option<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selection {
    pub action: Action,
    /// The faction that got its wish against the other's.
    pub winner: Option<Role>,
    pub drm: ByRole<i64>,
    pub totals: Option<ByRole<i64>>,
}

/// The Air Base modifier of a faction: an All-Sea hex and a base within three hexes, once.
pub fn air_base_drm(rules: &Rules, waters: &Waters, role: Role) -> i64 {
    let near = waters.nearest_air_base[role].is_some_and(|hexes| hexes <= rules.day_night.air_base_range);
    if waters.all_sea && near { rules.day_night.air_base_drm } else { 0 }
}

pub fn drm(rules: &Rules, waters: &Waters, role: Role, wish: Action) -> i64 {
    let day = if wish == Action::Day { rules.day_night.day_drm } else { 0 };
    day + air_base_drm(rules, waters, role)
}

pub fn select(rules: &Rules, waters: &Waters, wishes: ByRole<Action>, ask: &mut impl Ask) -> Asked<Selection> {
    let drm = ByRole::new_with(|role| drm(rules, waters, role, wishes[role]));
    if wishes.phasing == wishes.non_phasing {
        // Nothing is left to roll for.
        ask.note(|| {
            Note::new("day-night", format!("Both want {0}: a {0} Action, without a roll.", wishes.phasing.title()))
                .by(&[rule::DAY_NIGHT, rule::R_4])
                .outcome(wishes.phasing.word())
        });
        return Ok(Selection { action: wishes.phasing, winner: None, drm, totals: None });
    }
    let phasing = ask.roll(D6, "day or night: phasing")?;
    let non_phasing = ask.roll(D6, "day or night: non-phasing")?;
    // Totals are compared as they are.
    let totals =
        ByRole { phasing: i64::from(phasing) + drm.phasing, non_phasing: i64::from(non_phasing) + drm.non_phasing };
    let winner = if totals.phasing > totals.non_phasing { Role::Phasing } else { Role::NonPhasing };
    let action = wishes[winner];
    ask.note(|| {
        let mut note = Note::new(
            "day-night",
            format!(
                "The phasing faction wants {} with {}, the other {} with {}{}: a {} Action.",
                wishes.phasing.title(),
                totals.phasing,
                wishes.non_phasing.title(),
                totals.non_phasing,
                if totals.phasing == totals.non_phasing { ", which wins the tie" } else { "" },
                action.title()
            ),
        )
        .by(&[rule::DAY_NIGHT, rule::R_5])
        .dice(&[phasing, non_phasing])
        .outcome(action.word());
        for role in Role::BOTH {
            if wishes[role] == Action::Day {
                note = note.modifier(Modifier::new(
                    format!("{role}: wish for Day"),
                    rules.day_night.day_drm,
                    rule::DAY_NIGHT,
                ));
            }
            if air_base_drm(rules, waters, role) != 0 {
                note = note.modifier(Modifier::new(
                    format!("{role}: Air Base near, All-Sea hex"),
                    rules.day_night.air_base_drm,
                    rule::R_7,
                ));
            }
        }
        if Role::BOTH.into_iter().any(|role| air_base_drm(rules, waters, role) != 0) {
            note = note.by(&[rule::R_7, rule::C_4]);
        }
        note
    });
    Ok(Selection { action, winner: Some(winner), drm, totals: Some(totals) })
}
