//! Points and who has won. (C-10)

use crate::critical::Harm;
use crate::rule;
use crate::scenario::Points;
use crate::words::{Alliance, Status, counted};
use flagplot_kernel::{Ask, Note};
use flagplot_referee::{Shaped, words};
use serde::Serialize;

/// How good a pilot is.
#[words]
pub enum Grade {
    Novice,
    Green,
    Regular,
    Veteran,
    Expert,
    Ace,
    GreatAce,
}

/// Who wins a draw.
#[words]
pub enum DrawGoesTo {
    Nobody,
    Allied,
    Central,
}

/// Who has won.
#[words]
pub enum Winner {
    Allied,
    Central,
    Draw,
}

/// What points are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tallied {
    pub side: Alliance,
    pub grade: Grade,
    pub status: Status,
    pub harm: Harm,
}

/// The points of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Score {
    /// Points of the Allies.
    #[shape(-99_999..=99_999)]
    pub allied: i64,
    /// Points of the Central Powers.
    #[shape(-99_999..=99_999)]
    pub central: i64,
    /// Who has won.
    pub winner: Winner,
}

/// The points that the other side gets for one aircraft.
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
            let (worth_told, grade, status) = (counted(worth, "point"), craft.grade, craft.status);
            let text = format!("{worth_told} for the {} side: grade {grade}, {status}.", side.name());
            Note::new("points", text).detail().by(&[rule::C_10]).outcome(worth)
        });
        sums[side as usize] += worth;
    }
    for &(side, worth) in special {
        ask.note(|| {
            let text = format!("{} for the {} side by the scenario.", counted(worth, "point"), side.name());
            Note::new("points", text).detail().by(&[rule::C_10, rule::C_9]).outcome(worth)
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
            Winner::Draw => "the game is a draw",
        };
        Note::new("victory", format!("Allied {allied}, Central {central}: {end}."))
            .by(&[rule::VICTORY, rule::C_10])
            .outcome(serde_json::json!({"allied": allied, "central": central, "winner": winner}))
    });
    Score { allied, central, winner }
}
