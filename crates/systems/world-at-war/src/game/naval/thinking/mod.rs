//! What a sensible player does, and what a position is worth. [15]

pub(crate) mod air;
mod fleets;
pub(crate) mod surface;
pub(crate) mod tasks;

use super::NavalGame;
use super::choices::{Numbers, Share};
use super::facts::Home;
use super::state::{Open, Status};
use flagplot_kernel::{Chance, Choice, Side, Standing};

/// Parts of a point that worths are counted in.
pub(crate) const POINT: i64 = 100;

impl NavalGame {
    pub(crate) fn rounds_left(&self, open: &Open) -> i64 {
        i64::from(self.scenario.rounds.saturating_sub(u32::from(open.round)))
    }
}

/// The score so far, and what ships and squadrons can still do in the rounds left.
pub(crate) fn evaluate(game: &NavalGame, open: &Open, side: Side) -> Standing {
    if open.groups.is_empty() {
        return 0;
    }
    let points = game.points(open);
    let rounds = game.rounds_left(open) + i64::from(!matches!(open.phase, super::state::Phase::Over));
    let worth = |side: Side| {
        let mut worth = 1000 * points[side];
        for group in (0..open.groups.len() as u8).filter(|group| game.side_of_group(*group) == side) {
            let status = open.groups[usize::from(group)].status;
            if matches!(status, Status::Withdrawn | Status::Merged(_)) {
                continue;
            }
            worth += 60 * rounds * i64::from(game.fleet_factors(open, group));
            let wings = open.wings.iter().filter(|wing| wing.home == Home::Group(group));
            let squadrons: u32 = wings.map(|wing| u32::from(wing.count)).sum();
            worth += 350 * rounds * i64::from(squadrons.min(game.capacity(open, group)));
        }
        let bases = game.wings_of(open, side).filter(|(_, wing)| matches!(wing.home, Home::Base(_)));
        worth + bases.map(|(_, wing)| 350 * rounds * i64::from(wing.count)).sum::<i64>()
    };
    worth(side) - worth(side.other())
}

impl Choice for Share {
    fn sample(&self, chance: &mut Chance) -> Numbers {
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        chance.shuffle(&mut order);
        self.named(&Share::in_order(&self.items, self.total, order))
    }

    fn instinct(&self, _: &mut Chance) -> Numbers {
        self.named(&self.usual)
    }
}
