//! Two fleets look for each other. [C-12]

use crate::nation::modified;
use crate::naval_data::SearchData;
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// One side's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Searcher {
    /// own combat groups
    #[shape(1..=9)]
    pub groups: u32,
    /// added to the roll
    #[shape(-12..=12, or = 0)]
    pub modifier: i32,
}

/// What one side found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Sighting {
    /// dice and modifier
    pub total: i32,
    /// enemy groups found
    ///
    /// The largest ones are found first.
    pub groups_found: u32,
    /// surprise level
    #[shape(0..=9)]
    pub surprise_level: u32,
}

/// How many of the enemy's groups a total finds. [C-12]
#[must_use]
pub fn found(data: &SearchData, total: i32, enemy_groups: u32) -> u32 {
    if total <= data.none_up_to {
        0
    } else if total <= data.one_group_up_to {
        enemy_groups.min(1)
    } else if total <= data.two_groups_up_to {
        enemy_groups.min(2)
    } else {
        enemy_groups
    }
}

/// The surprise of a side that found something. [C-12]
#[must_use]
pub fn surprise(data: &SearchData, own: i32, enemy: i32, groups_found: u32) -> u32 {
    if groups_found == 0 {
        return 0;
    }
    (own - enemy).div_euclid(data.surprise_divisor).clamp(0, data.surprise_maximum) as u32
}

/// Both sides search at once, each under its name. [C-12]
pub fn search(data: &SearchData, sides: &[Searcher; 2], names: [&str; 2], ask: &mut impl Ask) -> Asked<[Sighting; 2]> {
    let mut totals = [0; 2];
    for (at, side) in sides.iter().enumerate() {
        // Fair dice are drawn from these words, so that they stay as they are.
        let roll = ask.sum(2, D6, format_args!("search, side {}", at + 1))?;
        totals[at] = roll.total as i32 + side.modifier;
        let total = totals[at];
        ask.note(|| {
            let note = Note::new("search-roll", format!("{}: {total} in the search.", names[at]))
                .by(&[rule::C_12])
                .dice(&roll.faces.0)
                .outcome(total);
            modified(note, &[("search", side.modifier, rule::C_12)])
        });
    }
    Ok([0, 1].map(|at| {
        let (own, enemy) = (totals[at], totals[1 - at]);
        let groups_found = found(data, own, sides[1 - at].groups);
        Sighting { total: own, groups_found, surprise_level: surprise(data, own, enemy, groups_found) }
    }))
}
