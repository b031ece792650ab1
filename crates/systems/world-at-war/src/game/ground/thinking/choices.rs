//! How a computer answers the open questions of a ground battle: at random, and by instinct.

use super::super::attacks::MOST_TAKEN_BACK;
use super::super::choices::{
    Advance, AirWish, Counters, LossChoice, Losses, Order, Orders, RetreatTo, Retreats, Spread,
};
use super::super::map::UnitAt;
use super::super::set::Set;
use super::super::state::{Attack, Combat, Phase};
use flagplot_kernel::{Chance, Choice};

impl Choice for AirWish<'_> {
    fn sample(&self, chance: &mut Chance) -> Spread {
        let mut left = self.ready();
        let mut spread = Spread::new();
        for (hex, limit) in self.game.spread_limits(self.state, self.what) {
            let factors = chance.below(limit.min(left) + 1);
            left -= factors;
            if factors > 0 {
                spread.insert(self.game.map.id(hex), factors as u8);
            }
        }
        spread
    }

    fn instinct(&self, _: &mut Chance) -> Spread {
        super::spread(self.game, self.state, self.what)
    }
}

impl Choice for LossChoice<'_> {
    fn sample(&self, chance: &mut Chance) -> Losses {
        let purse = self.purse();
        let sets = self.smallest(&purse);
        self.losses(&purse, &sets[chance.below(sets.len() as u32) as usize])
    }

    fn instinct(&self, _: &mut Chance) -> Losses {
        let purse = self.purse();
        let sets = self.smallest(&purse);
        self.losses(&purse, &sets[super::losses(self.game, &purse, &sets)])
    }
}

impl Choice for Counters<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<String> {
        let mut units: Vec<UnitAt> = self.among.iter().collect();
        chance.shuffle(&mut units);
        units.truncate(usize::from(self.count));
        self.ids(units)
    }

    fn instinct(&self, _: &mut Chance) -> Vec<String> {
        self.ids(self.cheapest(None))
    }
}

/// How often a random player looks for a move before it is done.
const TRIES: u32 = 6;

impl Orders<'_> {
    fn random_move(&self, chance: &mut Chance) -> Order {
        let (game, state) = (self.game, self.state);
        if chance.below(8) == 0 {
            return Order::Done;
        }
        let terrain = game.terrain(state, state.active);
        let exploiting = state.phase == Phase::Exploit;
        for _ in 0..TRIES {
            let unit = chance.below(game.units.len() as u32) as UnitAt;
            let now = state.unit(unit);
            let Some(from) = now.hex.filter(|_| game.info(unit).side == state.active) else { continue };
            if exploiting && !now.exploiting {
                let Some(through) = game.may_exploit(state, unit).nth(0) else { continue };
                let fresh = game.fresh(state, unit, through);
                let links = game.map.links(through);
                let to = links.nth(chance.below(links.len() + 1)).unwrap_or(through);
                if to == through && game.has_room(state, to, unit)
                    || to != through && game.can_go(&fresh, &terrain, unit, through, to)
                {
                    let (through, to) = (game.map.id(through), game.map.id(to));
                    return Order::Exploit { unit: game.info(unit).id.clone(), through, to };
                }
                continue;
            }
            let links = game.map.links(from);
            let Some(to) = links.nth(chance.below(links.len())) else { continue };
            if game.can_go(state, &terrain, unit, from, to) {
                return Order::Move { unit: game.info(unit).id.clone(), to: game.map.id(to) };
            }
        }
        Order::Done
    }

    fn random_attack(&self, chance: &mut Chance) -> Order {
        let (game, state) = (self.game, self.state);
        if !state.attacks.is_empty() && state.taken_back < MOST_TAKEN_BACK && chance.below(32) == 0 {
            let at = chance.below(state.attacks.len() as u32) as usize;
            return Order::TakeBack { target: game.map.id(state.attacks[at].target) };
        }
        let targets = game.attackable(state);
        if targets.is_empty() || chance.below(4) == 0 {
            return Order::Done;
        }
        let target = targets.nth(chance.below(targets.len())).unwrap_or(0);
        let ready = game.ready_against(state, target);
        let some: Set = ready.iter().filter(|_| chance.below(4) > 0).collect();
        for units in [some, ready] {
            let most = game.support_limit(game.factors(units.iter())).min(u32::from(state.air[state.active].ready));
            let support = if units == ready { most } else { chance.below(most + 1) } as u8;
            let attack = Attack { target, units, support, das: 0, interceptors: 0 };
            if !units.is_empty() && game.strengths(state, &attack).ratio().column().is_some() {
                return self.named(&attack);
            }
        }
        Order::Done
    }
}

impl Choice for Orders<'_> {
    fn sample(&self, chance: &mut Chance) -> Order {
        match self.state.phase {
            Phase::Declare => self.random_attack(chance),
            _ => self.random_move(chance),
        }
    }

    fn instinct(&self, _: &mut Chance) -> Order {
        match (self.state.phase, self.state.combat) {
            (Phase::Declare, _) => {
                super::attack(self.game, self.state).map_or(Order::Done, |attack| self.named(&attack))
            }
            (Phase::Exploit, Combat::Main) => super::exploit(self.game, self.state),
            _ => super::movement(self.game, self.state),
        }
    }
}

impl Choice for Advance<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<String> {
        let count = self.least + chance.below(self.most() + 1 - self.least);
        let mut units = self.units.to_vec();
        chance.shuffle(&mut units);
        units.truncate(count as usize);
        self.ids(&units)
    }

    fn instinct(&self, _: &mut Chance) -> Vec<String> {
        self.ids(&super::advance(self.game, self.state, self.hex, self.units, self.least))
    }
}

impl Choice for Retreats<'_> {
    fn instinct(&self, _: &mut Chance) -> RetreatTo {
        self.named(super::retreat(self))
    }
}
