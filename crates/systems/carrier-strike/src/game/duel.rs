//! What secret stances, with the markers played beside them, are worth by the rules: every pair of plays with all dice
//! counted.

use super::CarrierGame;
use super::piece::Squads;
use super::stances::Encounter;
use super::state::Table;
use crate::combat::{Line, Striker};
use crate::duels::{Played, ValueMatrix, flak_duel, playable, stance_duel, strike_duel};
use crate::words::{Markers, Skill, Stance};
use dashu_ratio::RBig;
use flagplot_kernel::Side;

/// Two sides that choose stances and markers at the same moment. Both know everything that is in it.
pub(super) struct Duel {
    /// Whose plays the rows are; the columns are the other side's.
    pub rows: Side,
    /// What aircraft are measured against, in words.
    pub title: String,
    /// Who fights: the rows, the columns.
    pub names: [String; 2],
    /// What each of them can play.
    pub plays: [Vec<Played>; 2],
    /// What every pair is worth to the rows, and how both mix.
    pub matrix: ValueMatrix,
}

impl Duel {
    /// A side's plays with their shares in its best mix.
    pub fn mix(&self, side: Side) -> impl Iterator<Item = (Played, &RBig)> {
        let (plays, shares) = if side == self.rows {
            (&self.plays[0], &self.matrix.play.rows)
        } else {
            (&self.plays[1], &self.matrix.play.columns)
        };
        plays.iter().copied().zip(shares)
    }
}

impl CarrierGame {
    /// What a forced break-off is worth: nothing at the end, more where a strike hangs on it.
    fn break_off_worth(&self, table: &Table, against_strike: bool) -> u8 {
        if table.turn >= self.scenario.turns { 0 } else { 1 + u8::from(against_strike) }
    }

    pub(super) fn duel(&self, table: &Table, encounter: Encounter) -> Duel {
        match encounter {
            Encounter::Combat { combat: (first, second), against_strike } => {
                let facts = [first, second]
                    .map(|set| set.iter().map(|id| (table[id].last_seen, table[id].rl)).collect::<Vec<_>>());
                let line = |n: usize, set: Squads| Line {
                    role: self.fights_as(table, set),
                    squadrons: &facts[n],
                    stance: Stance::Instinctive,
                    markers: Markers::default(),
                };
                let plays = [first, second].map(|set| playable(self.lowest_skill(table, set)));
                let worth = self.break_off_worth(table, against_strike);
                let (lines, weight) = ((line(0, first), line(1, second)), RBig::from(worth));
                let matrix = stance_duel(&self.rules, &lines.0, &lines.1, [&plays[0], &plays[1]], &weight);
                let title = format!("Stances, a forced break-off worth {worth} aircraft");
                Duel { rows: first.side(), title, names: [first.to_string(), second.to_string()], plays, matrix }
            }
            Encounter::Strike(id) | Encounter::Flak(id) => {
                let striker = Striker::plain(table[id].last_seen, self.kamikaze.has(id));
                let guns = self.guns(table, id.side().other());
                let plays = [playable(self.pilot_skill(table, id)), playable(Skill::None)];
                let (title, matrix) = if encounter == Encounter::Strike(id) {
                    let title = "Stances, a step of the carrier group worth three aircraft";
                    (title, strike_duel(&self.rules, &striker, &plays[0], &guns, &RBig::from(3)))
                } else {
                    ("Stances under fire", flak_duel(&self.rules, &striker, &plays[0], &guns))
                };
                Duel { rows: id.side(), title: title.into(), names: [id.to_string(), "the guns".into()], plays, matrix }
            }
        }
    }
}
