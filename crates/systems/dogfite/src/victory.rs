//! Points and who has won. (C-10)

use crate::critical::Harm;
use crate::rule;
use crate::scenario::Points;
use crate::words::{Alliance, Status, words};
use flagplot_kernel::{Ask, Note};
use serde::Serialize;

words! {
    /// How good a pilot is.
    Grade {
        /// Fresh from school.
        Novice = "novice",
        /// A few weeks at the front.
        Green = "green",
        /// One of many.
        Regular = "regular",
        /// Has seen it all.
        Veteran = "veteran",
        /// A flyer by nature.
        Expert = "expert",
        /// Known by name.
        Ace = "ace",
        /// Known by everybody.
        GreatAce = "great-ace",
    }
}

words! {
    /// Who wins a draw.
    DrawGoesTo {
        /// It stays a draw.
        Nobody = "nobody",
        /// The Allies win it.
        Allied = "allied",
        /// The Central Powers win it.
        Central = "central",
    }
}

words! {
    /// Who has won.
    Winner {
        /// The Allies.
        Allied = "allied",
        /// The Central Powers.
        Central = "central",
        /// Nobody.
        Draw = "draw",
    }
}

/// What points are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tallied {
    /// Whose it is.
    pub side: Alliance,
    /// Its pilot.
    pub grade: Grade,
    /// Where it is.
    pub status: Status,
    /// What it has suffered.
    pub harm: Harm,
}

/// The points of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Score {
    /// Points of the Allies.
    pub allied: i64,
    /// Points of the Central Powers.
    pub central: i64,
    /// Who has won.
    pub winner: Winner,
}

/// The points that the other side gets for one aircraft.
#[must_use]
pub fn points_for(points: &Points, craft: &Tallied) -> i64 {
    if craft.status == Status::Destroyed {
        let ace = matches!(craft.grade, Grade::Ace | Grade::GreatAce);
        return points.destroyed + if ace { points.destroyed_ace_extra } else { 0 };
    }
    let wear = craft.harm.boxes.wear();
    let mut sum = i64::from(wear.double_filled) * points.set_double_filled
        + i64::from(wear.single_filled) * points.set_single_filled;
    if craft.harm.engine_destroyed {
        sum += points.engine_destroyed;
    }
    if craft.harm.wounds > 0 {
        sum += points.pilot_wounded;
    }
    sum + match craft.status {
        Status::LeftNeutral => points.left_by_neutral_side,
        Status::LeftEnemy => points.left_by_enemy_side,
        Status::InPlay | Status::Destroyed | Status::LeftHome => 0,
    }
}

/// Everybody's points, and who has won.
pub fn score(
    points: &Points,
    craft: &[Tallied],
    special: &[(Alliance, i64)],
    draw: DrawGoesTo,
    ask: &mut impl Ask,
) -> Score {
    let mut sums = [0, 0];
    for craft in craft {
        let (side, worth) = (craft.side.other(), points_for(points, craft));
        ask.note(|| {
            let text = format!(
                "{worth} points for the {side} side: an aircraft with a {} pilot, {}.",
                craft.grade, craft.status
            );
            Note::new("points", text).detail().by(&[rule::C_10]).outcome(worth)
        });
        sums[side as usize] += worth;
    }
    for &(side, worth) in special {
        ask.note(|| {
            Note::new("points", format!("{worth} points for the {side} side by the scenario."))
                .detail()
                .by(&[rule::C_10, rule::C_9])
                .outcome(worth)
        });
        sums[side as usize] += worth;
    }
    let [allied, central] = sums;
    let winner = if allied - central >= points.win_margin {
        Winner::Allied
    } else if central - allied >= points.win_margin {
        Winner::Central
    } else {
        match draw {
            DrawGoesTo::Nobody => Winner::Draw,
            DrawGoesTo::Allied => Winner::Allied,
            DrawGoesTo::Central => Winner::Central,
        }
    };
    ask.note(|| {
        let end = match winner {
            Winner::Allied => "the Allies win",
            Winner::Central => "the Central Powers win",
            Winner::Draw => "a draw",
        };
        Note::new("victory", format!("Allied {allied}, Central {central}: {end}."))
            .by(&[rule::VICTORY, rule::C_10])
            .outcome(serde_json::json!({"allied": allied, "central": central, "winner": winner}))
    });
    Score { allied, central, winner }
}
