//! Which ships a computer picks for a free battle. [C-36]

use super::super::free::{Pick, Picked};
use super::super::said::Said;
use flagplot_kernel::{Chance, Choice};

impl Pick<'_> {
    /// A fleet in random order of ships, filled up with cruisers and destroyers.
    fn filled(&self, chance: &mut Chance) -> Picked {
        let mut ships: Vec<(u8, u32)> = self.ships().map(|(at, ship)| (at, ship.size)).collect();
        chance.shuffle(&mut ships);
        let mut left = self.factors();
        let mut picked = Picked::default();
        let lights = chance.below(left / 2 + 1);
        for (at, size) in ships {
            if size + lights <= left {
                left -= size;
                picked.ships.push(at);
            }
        }
        let cruisers = chance.below(left / 2 + 1);
        picked.cruisers = cruisers as u8;
        picked.destroyers = (left - 2 * cruisers) as u8;
        picked.ships.sort_unstable();
        picked
    }

    /// Sound guns first: the largest battleships, then cruisers and destroyers with what is left.
    pub(in super::super) fn battle_line(&self, lights: u32) -> Picked {
        let mut ships: Vec<(u8, u32)> =
            self.ships().filter(|(_, ship)| !ship.kind.is_carrier()).map(|(at, ship)| (at, ship.size)).collect();
        ships.sort_by_key(|(at, size)| (std::cmp::Reverse(*size), *at));
        let mut left = self.factors();
        let mut picked = Picked::default();
        for (at, size) in ships {
            if size + lights <= left {
                left -= size;
                picked.ships.push(at);
            }
        }
        picked.cruisers = (left / 2) as u8;
        picked.destroyers = (left % 2) as u8;
        picked.ships.sort_unstable();
        picked
    }
}

impl<'a> Choice for Pick<'a> {
    fn sample(&self, chance: &mut Chance) -> Said<'a, Picked> {
        self.placed(self.filled(chance))
    }

    fn instinct(&self, chance: &mut Chance) -> Said<'a, Picked> {
        let lights = chance.below(self.factors() / 3 + 1);
        self.placed(self.battle_line(lights))
    }
}
