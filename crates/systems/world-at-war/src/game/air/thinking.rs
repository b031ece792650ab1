//! How a computer plans an air battle: plans from the equilibrium of the exact table of one day, withdrawal by exact
//! expectation. [5.2]

use super::AirGame;
use super::choices::{LossChoice, Numbers, PlanChoice, ReserveChoice, StayOrLeave, Staying};
use super::forecast::{Force, ONE, plus, strength};
use super::plans::{Plans, Slots};
use super::state::{AirState, ByRole, Phase, Role};
use flagplot_kernel::{Chance, Choice, Side, Standing};
use std::sync::Arc;

impl AirGame {
    /// A plan by kind as numbers by group and slot.
    pub(super) fn by_group(&self, state: &AirState, role: Role, plan: &Slots) -> Vec<u16> {
        let mut plan = plan.clone();
        let mut numbers = Vec::with_capacity(self.keys[role].len());
        for (group, &ready) in state.wings[role].ready.iter().enumerate() {
            let (kind, mut left) = (self.kinds.kind(role, group), ready);
            for slot in &mut plan {
                let sent = u16::from(slot[kind]).min(left);
                slot[kind] -= sent as u8;
                left -= sent;
                numbers.push(sent);
            }
        }
        numbers
    }

    /// The forces over a target now.
    pub(super) fn forces(&self, state: &AirState, target: u8) -> ByRole<Force> {
        ByRole::new_with(|role| {
            let groups = 0..self.groups[role].len();
            self.kinds.force(role, groups.map(|group| self.over(state, role, group, target)))
        })
    }

    pub(super) fn reserve_force(&self, state: &AirState) -> Force {
        let (slots, targets) = (self.slots(Role::Defender), self.targets().len());
        self.kinds.force(Role::Defender, state.wings.defender.plan.iter().skip(targets).step_by(slots).copied())
    }

    /// What each place for the reserve makes of the day, the target with its value; none for staying at home.
    pub(super) fn reserve_values(&self, state: &AirState) -> Vec<(Option<u8>, i64)> {
        let mut forecast = self.forecast(self.days_left(state));
        let reserve = self.reserve_force(state);
        let count = self.targets().len() as u8;
        let forces: Vec<ByRole<Force>> = (0..count).map(|target| self.forces(state, target)).collect();
        let raids: Vec<i64> = (0..count)
            .zip(&forces)
            .map(|(target, forces)| forecast.raid(target, forces.attacker, forces.defender))
            .collect();
        let day: i64 = raids.iter().sum();
        let sent =
            (0..count).zip(&forces).filter(|(_, forces)| strength(forces.attacker) > 0).map(|(target, forces)| {
                let met = forecast.raid(target, forces.attacker, plus(forces.defender, reserve));
                (Some(target), day - raids[usize::from(target)] + met)
            });
        let mut values: Vec<(Option<u8>, i64)> = sent.collect();
        values.push((None, day));
        values
    }

    /// What the rest of today is worth, in millionths.
    fn rest_of_today(&self, state: &AirState) -> i64 {
        let mut forecast = self.forecast(self.days_left(state));
        let rounds = self.scenario.rounds;
        let (from, now) = match state.phase {
            Phase::Dawn | Phase::Plans | Phase::Over => return 0,
            Phase::Reserve => {
                return self.reserve_values(state).into_iter().map(|(_, value)| value).min().unwrap_or(0);
            }
            Phase::Fight { target, round } => {
                let left = rounds + 1 - u32::from(round);
                (target + 1, forecast.fight(target, left, self.forces(state, target)))
            }
            Phase::Stay { target, round, role } => {
                let (left, forces) = (rounds + 1 - u32::from(round), self.forces(state, target));
                let stays = forecast.attacker_stays(target, left, forces);
                (target + 1, if role == Role::Attacker { stays.max(0) } else { stays })
            }
            Phase::Losses { target, round, guns } => {
                let mut forces = self.forces(state, target);
                let mut gone = 0;
                for role in Role::BOTH {
                    let (left, lost) = self.kinds.after_losses(role, forces[role], state.due[role], guns);
                    forces[role] = left;
                    let price = forecast.price[role] * i64::from(lost);
                    gone += if role == Role::Attacker { -price } else { price };
                }
                let next = if guns {
                    forecast.bombs(target, strength(forces.attacker)) * ONE
                } else {
                    forecast.after(target, rounds - u32::from(round), forces)
                };
                (target + 1, gone + next)
            }
            Phase::Guns { target } => (target + 1, forecast.guns(target, self.forces(state, target).attacker)),
        };
        let later = (from..self.targets().len() as u8).map(|target| {
            let ByRole { attacker, defender } = self.forces(state, target);
            forecast.raid(target, attacker, defender)
        });
        now + later.sum::<i64>()
    }

    /// The score so far, what today still brings, and what the days to come are worth with what both have left.
    pub(super) fn standing(&self, state: &AirState, side: Side) -> Standing {
        let planned = matches!(state.phase, Phase::Dawn | Phase::Plans);
        let days = if planned { self.days_left(state) + 1 } else { self.days_left(state) };
        let later = if days > 0 && state.phase != Phase::Over {
            self.worked_out(self.ready(state), 0, None).value.max(0) * i64::from(days)
        } else {
            0
        };
        let standing = self.score(state) * 1000 + (self.rest_of_today(state) + later) / 1000;
        if side == self.side(Role::Attacker) { standing } else { -standing }
    }

    /// The attacker who has won already need not fly again: without an attack nothing changes.
    fn has_won(&self, state: &AirState) -> bool {
        self.score(state) >= self.scenario.victory.attacker_wins_at_least
    }
}

impl<'a> PlanChoice<'a> {
    pub(super) fn plans(&self) -> Arc<Plans> {
        let (game, state) = (self.game, self.state);
        game.worked_out(game.ready(state), game.days_left(state), Some(game.score(state)))
    }

    fn at_home(&self) -> Numbers<'a> {
        self.placed(vec![0; self.keys().len()])
    }

    /// The plans worth thinking about with their weights, none left out.
    pub(super) fn weighed(&self) -> Vec<(Numbers<'a>, u64)> {
        if self.role == Role::Attacker && self.game.has_won(self.state) {
            return vec![(self.at_home(), 1)];
        }
        let plans = self.plans();
        let each = plans.plans[self.role].iter().zip(&plans.shares[self.role]);
        each.map(|(plan, &share)| (self.placed(self.game.by_group(self.state, self.role, plan)), share)).collect()
    }
}

impl<'a> Choice for PlanChoice<'a> {
    fn sample(&self, chance: &mut Chance) -> Numbers<'a> {
        let slots = self.game.slots(self.role);
        let mut room: Vec<u32> = (0..slots).map(|slot| self.most(slot)).collect();
        let mut numbers = vec![0u16; self.keys().len()];
        for group in 0..self.game.groups[self.role].len() {
            for _ in 0..chance.below(self.ready(group) + 1) {
                let slot = chance.below(slots as u32) as usize;
                if room[slot] > 0 {
                    room[slot] -= 1;
                    numbers[group * slots + slot] += 1;
                }
            }
        }
        self.placed(numbers)
    }

    fn mix(&self) -> Option<Vec<(Numbers<'a>, u64)>> {
        Some(self.weighed().into_iter().filter(|(_, share)| *share > 0).collect())
    }

    fn instinct(&self, chance: &mut Chance) -> Numbers<'a> {
        if self.role == Role::Attacker && self.game.has_won(self.state) {
            return self.at_home();
        }
        let plans = self.plans();
        let drawn = chance.weighted(&plans.shares[self.role]).unwrap_or(0);
        self.placed(self.game.by_group(self.state, self.role, &plans.plans[self.role][drawn]))
    }
}

impl Choice for ReserveChoice<'_> {
    fn sample(&self, chance: &mut Chance) -> String {
        let open = self.open();
        self.answer(open.get(chance.below(open.len() as u32 + 1) as usize).copied())
    }

    fn instinct(&self, _: &mut Chance) -> String {
        let values = self.game.reserve_values(self.state);
        self.answer(values.into_iter().min_by_key(|(_, value)| *value).and_then(|(target, _)| target))
    }
}

impl<'a> LossChoice<'a> {
    /// Losses in some order of the groups.
    pub(super) fn in_order(&self, order: impl IntoIterator<Item = usize>) -> Numbers<'a> {
        let mut numbers = vec![0; self.keys().len()];
        let mut left = self.due();
        for group in order {
            let taken = self.most(group).min(left);
            numbers[group] = taken;
            left -= taken;
        }
        self.placed(numbers)
    }

    /// The worst kind is lost first.
    pub(super) fn sensible(&self) -> Numbers<'a> {
        let mut order: Vec<usize> = (0..self.keys().len()).collect();
        order.sort_by_key(|&group| std::cmp::Reverse(self.game.kinds.kind(self.role, group)));
        self.in_order(order)
    }
}

impl<'a> Choice for LossChoice<'a> {
    fn sample(&self, chance: &mut Chance) -> Numbers<'a> {
        let mut pool: Vec<usize> = (0..self.keys().len())
            .flat_map(|group| std::iter::repeat_n(group, usize::from(self.most(group))))
            .collect();
        chance.shuffle(&mut pool);
        let mut numbers = vec![0; self.keys().len()];
        for &group in &pool[..usize::from(self.due())] {
            numbers[group] += 1;
        }
        self.placed(numbers)
    }

    fn instinct(&self, _: &mut Chance) -> Numbers<'a> {
        self.sensible()
    }
}

impl Staying<'_> {
    /// What the rest of the raid is worth to the attacker if this side fights on, and if it leaves, in millionths.
    pub(super) fn values(&self) -> [i64; 2] {
        let game = self.game;
        let mut forecast = game.forecast(game.days_left(self.state));
        let left = game.scenario.rounds + 1 - u32::from(self.round);
        let forces = game.forces(self.state, self.target);
        match self.role {
            Role::Attacker => [forecast.attacker_stays(self.target, left, forces), 0],
            Role::Defender => [forecast.fight(self.target, left, forces), forecast.guns(self.target, forces.attacker)],
        }
    }

    /// Leaves if that is better than what another round brings, with what the survivors will do on later days.
    pub(super) fn best(&self) -> StayOrLeave {
        let [stays, leaves] = self.values();
        let better = if self.role == Role::Attacker { leaves > stays } else { leaves < stays };
        if better { StayOrLeave::Withdraw } else { StayOrLeave::Continue }
    }
}
