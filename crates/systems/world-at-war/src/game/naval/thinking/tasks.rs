//! What squadrons are told to do: CAP from the equilibrium of exact tables. [15.7]

use super::super::NavalGame;
use super::super::air_choices::{Tasking, Tasks};
use super::super::facts::Home;
use super::super::odds::{ALL, WEIGHTS};
use super::super::said::Said;
use super::super::state::{Open, Task};
use super::air::{Force, Prospect, Sights, prospect, supposed_cap};
use crate::air::AirGroup;
use crate::search;
use dashu_ratio::RBig;
use flagplot_kernel::{BySide, Chance, Choice, Side};
use flagplot_odds::{equilibrium, weights};

/// The shares of a group's squadrons that a plan puts on CAP: none, a quarter, as much as may fly.
const SHARES: usize = 3;

impl<'a> Tasking<'a> {
    /// The plan with this share on CAP, and a squadron kept back for the search if that helps. [15.7]
    pub(crate) fn plan(&self, share: usize, keep: bool) -> Tasks {
        let mut tasks: Vec<(u8, Task)> = Vec::new();
        let mut caps: Vec<(u8, u32)> = self.groups().into_iter().map(|group| (group, self.cap_limit(group))).collect();
        for at in self.wings() {
            let wing = &self.open.wings[usize::from(at)];
            let free = wing.free();
            let mut task = Task { cap: 0, strike: free };
            if let Home::Group(group) = wing.home
                && let Some(limit) = caps.iter_mut().find(|limit| limit.0 == group)
            {
                let wanted = match share {
                    0 => 0,
                    1 => free.div_ceil(4),
                    _ => free,
                };
                task.cap = u32::from(wanted.min(free)).min(limit.1) as u8;
                limit.1 -= u32::from(task.cap);
                task.strike = free - task.cap;
            }
            tasks.push((at, task));
        }
        if keep {
            let carrier = |task: &&mut (u8, Task)| {
                matches!(self.open.wings[usize::from(task.0)].home, Home::Group(_)) && task.1.strike > 1
            };
            if let Some(task) = tasks.iter_mut().rev().find(carrier) {
                task.1.strike -= 1;
            }
        }
        Tasks(tasks)
    }

    /// Whether a squadron in reserve raises the chance to find something. [15.7]
    pub(crate) fn keeps_one(&self) -> bool {
        let data = &self.game.rules.naval.search;
        let tired = self.game.wings_of(self.open, self.side).any(|(_, wing)| wing.tired > 0);
        let free: u32 = self.wings().map(|at| u32::from(self.open.wings[usize::from(at)].free())).sum();
        let modifier: i32 = self.game.search_modifiers(self.open, self.side).iter().map(|part| part.1).sum();
        let search = self.game.scenario.contact == crate::scenarios::Contact::Search;
        search && !tired && free >= 4 && 2 + modifier <= data.none_up_to
    }

    /// The exact expected exchange of one round of strikes for every pair of plans, in hundredths of a point, from this
    /// side's view; the rows are its own plans.
    fn table(&self) -> Vec<Vec<i64>> {
        let (game, open, side) = (self.game, self.open, self.side);
        let enemy = Tasking { game, open, side: side.other() };
        let keeps = [self.keeps_one(), enemy.keeps_one()];
        let own: Vec<Tasks> = (0..SHARES).map(|share| self.plan(share, keeps[0])).collect();
        let theirs: Vec<Tasks> = (0..SHARES).map(|share| enemy.plan(share, keeps[1])).collect();
        let (first, second, together) = order_chances(game, open, side, keeps);
        // What the squadrons of a plan can do to the ships does not depend on the patrols over them.
        let strikes = |by: Side, plans: &[Tasks]| -> Vec<Option<(u8, Force, Sights)>> {
            let armed = |strikers: &Tasks| {
                let target = largest(game, open, by.other())?;
                let groups = strikers.0.iter().map(|(wing, task)| game.squadrons(open, *wing, task.strike));
                let force = Force::new(game, groups);
                Some((target, force, prospect(game, open, by, target, force, &|_| 0).sights()))
            };
            plans.iter().map(armed).collect()
        };
        let (mine, other) = (strikes(side, &own), strikes(side.other(), &theirs));
        let strike = |by: Side, strikers: &Option<(u8, Force, Sights)>, defenders: &Tasks| {
            let Some((target, force, sights)) = strikers else { return (0, 0) };
            let cap = |wing: u8| defenders.0.iter().find(|task| task.0 == wing).map_or(0, |task| task.1.cap);
            let prospect = prospect(game, open, by, *target, *force, &cap);
            (prospect.gain_by(sights), prospect.decks_hit(sights))
        };
        own.iter()
            .zip(&mine)
            .map(|(own, mine)| {
                theirs
                    .iter()
                    .zip(&other)
                    .map(|(theirs, other)| {
                        let (gain, hit) = strike(side, mine, theirs);
                        let (loss, struck) = strike(side.other(), other, own);
                        // Squadrons whose decks are hit first do not strike back.
                        let before = gain - loss * (100 - hit) / 100;
                        let after = gain * (100 - struck) / 100 - loss;
                        first * before + second * after + together * (gain - loss)
                    })
                    .collect()
            })
            .collect()
    }

    fn shares(&self) -> Vec<u64> {
        let rows: Vec<Vec<RBig>> =
            self.table().into_iter().map(|row| row.into_iter().map(RBig::from).collect()).collect();
        weights(&equilibrium(&rows).rows).unwrap_or_else(|| vec![1; SHARES])
    }
}

impl Prospect<'_> {
    /// How much of the group's decks the strike can be expected to put out of action, in hundredths.
    fn decks_hit(&self, sights: &Sights) -> i64 {
        let Prospect { game, open, target, .. } = *self;
        let all = i64::from(game.capacity(open, target));
        if all == 0 || self.force.count == 0 {
            return 0;
        }
        let mean: i64 = self.arrivals().iter().map(|(left, _, weight)| weight * i64::from(*left)).sum();
        let through = (mean / (ALL * ALL)) as u32;
        let hit: i64 = sights
            .share(through.min(self.force.count))
            .0
            .iter()
            .map(|&(mark, count)| {
                let (aim, modifier) = (game.target(open, target, mark, false), self.modifier(mark));
                let dice = WEIGHTS.iter().enumerate();
                dice.map(|(at, weight)| {
                    weight * i64::from(game.harm(open, mark, &aim, game.glance.air(count.into(), at, modifier)).decks)
                })
                .sum::<i64>()
            })
            .sum();
        (hit * 100 / ALL / all).min(100)
    }
}

/// The group that a search finds first.
fn largest(game: &NavalGame, open: &Open, side: Side) -> Option<u8> {
    game.present_of(open, side).max_by_key(|group| (game.naval_factors(open, *group), std::cmp::Reverse(*group)))
}

/// How often out of 36² a side strikes first, second, or at the same time as the enemy; a side that finds nothing
/// counts as second to one that does.
fn order_chances(game: &NavalGame, open: &Open, side: Side, keeps: [bool; 2]) -> (i64, i64, i64) {
    if game.scenario.contact != crate::scenarios::Contact::Search {
        return (0, 0, ALL * ALL);
    }
    let data = &game.rules.naval.search;
    let modifier = |side: Side, keeps: bool| {
        let tired = game.wings_of(open, side).any(|(_, wing)| wing.tired > 0);
        let parts = game.search_modifiers(open, side).iter().map(|part| part.1).sum::<i32>();
        parts + if keeps || tired { data.modifier_search_air } else { 0 }
    };
    let (own, enemy) = (modifier(side, keeps[0]), modifier(side.other(), keeps[1]));
    let (mut first, mut second, mut together) = (0, 0, 0);
    for (mine, weight) in WEIGHTS.iter().enumerate() {
        for (theirs, other) in WEIGHTS.iter().enumerate() {
            let totals = [mine as i32 + 2 + own, theirs as i32 + 2 + enemy];
            let found = totals.map(|total| search::found(data, total, 1));
            let level = |at: usize| search::surprise(data, totals[at], totals[1 - at], found[at]);
            let share = weight * other;
            match (found[0] > 0, found[1] > 0) {
                (false, false) => {}
                (true, false) => first += share,
                (false, true) => second += share,
                (true, true) => match level(0).cmp(&level(1)) {
                    std::cmp::Ordering::Greater => first += share,
                    std::cmp::Ordering::Less => second += share,
                    std::cmp::Ordering::Equal => together += share,
                },
            }
        }
    }
    (first, second, together)
}

/// What a round of strikes may bring each side, in hundredths of a point: with a quarter on CAP on both sides, at the
/// search's odds of finding the largest group.
pub(crate) fn outlook(game: &NavalGame, open: &Open) -> BySide<i64> {
    BySide::new_with(|side| {
        let Some(target) = largest(game, open, side.other()) else { return 0 };
        let tasking = Tasking { game, open, side };
        let groups: Vec<AirGroup> =
            tasking.plan(1, false).0.iter().map(|(wing, task)| game.squadrons(open, *wing, task.strike)).collect();
        let force = Force::new(game, groups.iter().copied());
        prospect(game, open, side, target, force, &|wing| supposed_cap(open, wing)).gain().max(0) * 3 / 4
    })
}

impl<'a> Choice for Tasking<'a> {
    fn sample(&self, chance: &mut Chance) -> Said<'a, Tasks> {
        let mut tasks: Vec<(u8, Task)> = Vec::new();
        let mut caps: Vec<(u8, u32)> = self.groups().into_iter().map(|group| (group, self.cap_limit(group))).collect();
        let mut holding: Vec<(u8, bool)> = Vec::new();
        for at in self.wings() {
            let wing = &self.open.wings[usize::from(at)];
            let free = u32::from(wing.free());
            let task = match wing.home {
                Home::Base(base) => {
                    let known = holding.iter().find(|(other, _)| *other == base).map(|(_, holds)| *holds);
                    let holds = known.unwrap_or_else(|| chance.below(4) == 0);
                    holding.push((base, holds));
                    Task { cap: 0, strike: if holds { 0 } else { free as u8 } }
                }
                Home::Group(group) => {
                    let limit = caps.iter_mut().find(|limit| limit.0 == group);
                    let cap = chance.below(limit.as_ref().map_or(0, |limit| limit.1).min(free) + 1);
                    if let Some(limit) = limit {
                        limit.1 -= cap;
                    }
                    let strike = chance.below(free - cap + 1);
                    Task { cap: cap as u8, strike: strike as u8 }
                }
            };
            tasks.push((at, task));
        }
        self.placed(Tasks(tasks))
    }

    fn instinct(&self, chance: &mut Chance) -> Said<'a, Tasks> {
        let share = chance.weighted(&self.shares()).unwrap_or(1);
        self.placed(self.plan(share, self.keeps_one()))
    }
}
