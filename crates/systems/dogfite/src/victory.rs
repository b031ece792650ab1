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

/// A side, or neither: the holder of the field, the winner of a draw.
#[words]
pub enum SideOrNobody {
    Nobody,
    Allied,
    Central,
}

impl From<Option<Alliance>> for SideOrNobody {
    fn from(side: Option<Alliance>) -> Self {
        match side {
            None => SideOrNobody::Nobody,
            Some(Alliance::Allied) => SideOrNobody::Allied,
            Some(Alliance::Central) => SideOrNobody::Central,
        }
    }
}

/// Who has won.
#[words]
pub enum Winner {
    Allied,
    Central,
    Draw,
}

impl From<Alliance> for Winner {
    fn from(side: Alliance) -> Self {
        match side {
            Alliance::Allied => Winner::Allied,
            Alliance::Central => Winner::Central,
        }
    }
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
    /// The side that holds the field.
    pub field: SideOrNobody,
    /// Who has won.
    pub winner: Winner,
}

impl Tallied {
    fn left(&self) -> bool {
        matches!(self.status, Status::LeftHome | Status::LeftNeutral | Status::LeftEnemy)
    }

    /// Whether its harm excuses leaving. (C-8)
    fn had_cause(&self) -> bool {
        let Harm { boxes, smoking, burning, engine_destroyed, wounds, .. } = self.harm;
        engine_destroyed || smoking || burning || wounds > 0 || boxes.wear().double_filled > 0
    }
}

/// The side that still flies when the other has left, and the points for it. (C-8)
fn field(points: &Points, craft: &[Tallied]) -> Option<(Alliance, i64)> {
    let flies = |side| craft.iter().any(|craft| craft.side == side && craft.status == Status::InPlay);
    let side = Alliance::ALL.iter().copied().find(|&side| flies(side) && !flies(side.other()))?;
    let left = || craft.iter().filter(|craft| craft.side != side && craft.left());
    let (gone, with_cause) = (left().count(), left().filter(|craft| craft.had_cause()).count());
    match gone {
        0 => None, // All of them were destroyed.
        _ if 2 * with_cause >= gone => Some((side, points.holds_field_against_cause)),
        _ => Some((side, points.holds_field)),
    }
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
    draw: SideOrNobody,
    ask: &mut impl Ask,
) -> Score {
    let mut sums = [0, 0];
    for craft in craft {
        sums[craft.side.other() as usize] += points_for(points, craft);
    }
    let field = field(points, craft);
    for (side, worth) in special.iter().copied().chain(field) {
        sums[side as usize] += worth;
    }
    let [allied, central] = sums;
    let winner = if allied - central >= points.win_margin {
        Winner::Allied
    } else if central - allied >= points.win_margin {
        Winner::Central
    } else {
        match draw {
            SideOrNobody::Nobody => Winner::Draw,
            SideOrNobody::Allied => Winner::Allied,
            SideOrNobody::Central => Winner::Central,
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
    for craft in craft {
        let (side, worth) = (craft.side.other(), points_for(points, craft));
        ask.note(|| {
            let (worth_told, grade, status) = (counted(worth, "point"), craft.grade, craft.status);
            let text = format!("{worth_told} for the {} side: grade {grade}, {status}.", side.name());
            Note::new("points", text).detail().by(&[rule::C_10]).outcome(worth)
        });
    }
    let by_scenario = special.iter().map(|&(side, worth)| (side, worth, "by the scenario", rule::C_9));
    let for_field = field.map(|(side, worth)| (side, worth, "for holding the field", rule::C_8));
    for (side, worth, why, cited) in by_scenario.chain(for_field) {
        ask.note(|| {
            let text = format!("{} for the {} side {why}.", counted(worth, "point"), side.name());
            Note::new("points", text).detail().by(&[rule::C_10, cited]).outcome(worth)
        });
    }
    Score { allied, central, field: field.map(|(side, _)| side).into(), winner }
}
