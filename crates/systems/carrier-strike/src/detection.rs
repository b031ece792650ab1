//! Looking for what is hidden.

use crate::data::Rules;
use crate::rule;
use flagplot_kernel::{Ask, Note};
use flagplot_referee::words;

/// Who searches, as the detection table sees it.
#[words]
pub enum Column {
    /// A combat squadron or a carrier group.
    CombatOrCv,
    Recce,
}

impl Rules {
    /// Whether a total finds the target.
    pub fn finds(&self, column: Column, total: u8) -> bool {
        let row = match column {
            Column::CombatOrCv => &self.detection.combat_or_cv,
            Column::Recce => &self.detection.recce,
        };
        row[usize::from(total.clamp(2, 8)) - 2]
    }

    /// Two secret numbers are added and read in the searcher's column. [Detect], R-19
    pub fn search(&self, ask: &mut impl Ask, column: Column, searcher: u8, hider: u8) -> bool {
        let total = searcher + hider;
        let found = self.finds(column, total);
        ask.note(|| {
            Note::new(
                "search",
                format!("{searcher} + {hider} = {total}: {}.", if found { "found" } else { "nothing found" }),
            )
            .by(&[rule::DETECT, rule::R_19, rule::C_3])
            .table("detection", column, total)
            .outcome(found)
        });
        found
    }
}
