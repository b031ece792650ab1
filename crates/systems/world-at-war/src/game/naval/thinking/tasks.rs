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

/// So many carrier groups have shares of their own; those after them do as the last of these.
const APART: u32 = 2;

/// What a strike brings, in hundredths of a point, and how much of the decks it puts out of action, in hundredths.
type Blow = (i64, i64);

impl<'a> Tasking<'a> {
    /// The plan with a quarter on CAP everywhere.
    pub(crate) fn quarter(&self, keep: bool) -> Tasks {
        self.plan(&|_| 1, keep)
    }

    /// Every plan that puts one of the shares of each carrier group on CAP. [15.7]
    pub(crate) fn plans(&self, keep: bool) -> Vec<Tasks> {
        let apart = APART.min(self.groups().len() as u32);
        let mut plans: Vec<Tasks> = Vec::new();
        for number in 0..SHARES.pow(apart) {
            // The first group's share changes slowest.
            let share = |at: usize| number / SHARES.pow((apart - 1).saturating_sub(at as u32)) % SHARES;
            let plan = self.plan(&share, keep);
            if !plans.contains(&plan) {
                plans.push(plan);
            }
        }
        plans
    }

    /// The plan with a share on CAP for each carrier group, by its place among them, and a squadron kept back for the
    /// search if that helps. [15.7]
    pub(crate) fn plan(&self, share: &dyn Fn(usize) -> usize, keep: bool) -> Tasks {
        let mut tasks: Vec<(u8, Task)> = Vec::new();
        let mut caps: Vec<(u8, u32)> = self.groups().into_iter().map(|group| (group, self.cap_limit(group))).collect();
        for at in self.wings() {
            let wing = &self.open.wings[usize::from(at)];
            let free = wing.free();
            let mut task = Task { cap: 0, strike: free };
            if let Home::Group(group) = wing.home
                && let Some(place) = caps.iter().position(|limit| limit.0 == group)
            {
                let wanted = match share(place) {
                    0 => 0,
                    1 => free.div_ceil(4),
                    _ => free,
                };
                let limit = &mut caps[place].1;
                task.cap = u32::from(wanted.min(free)).min(*limit) as u8;
                *limit -= u32::from(task.cap);
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

    /// What each plan's strike does to the enemy under each of its plans, by the number of enemy groups that are found:
    /// it goes to the best of them, as far as anybody can say who does not know the enemy's CAP.
    fn strikes(&self, plans: &[Tasks], enemies: &[Tasks]) -> Vec<Vec<Vec<Blow>>> {
        let Tasking { game, open, side } = *self;
        let targets = game.by_size(open, side.other());
        let strike = |strikers: &Tasks| {
            let groups = strikers.0.iter().map(|(wing, task)| game.squadrons(open, *wing, task.strike));
            let force = Force::new(game, groups);
            let mut best = 0;
            let mut blows = vec![vec![(0, 0); enemies.len()]];
            for &target in &targets {
                let supposed = prospect(game, open, side, target, force, &|wing| supposed_cap(open, wing));
                let sights = supposed.sights();
                let gain = supposed.gain_by(&sights);
                if gain <= best {
                    blows.extend(blows.last().cloned());
                    continue;
                }
                best = gain;
                let against = |enemy: &Tasks| {
                    let cap = |wing: u8| enemy.0.iter().find(|task| task.0 == wing).map_or(0, |task| task.1.cap);
                    let prospect = prospect(game, open, side, target, force, &cap);
                    (prospect.gain_by(&sights), prospect.decks_hit(&sights))
                };
                blows.push(enemies.iter().map(against).collect());
            }
            blows
        };
        plans.iter().map(strike).collect()
    }

    /// The exact expected exchange of one round of strikes for every pair of plans, in hundredths of a point, from this
    /// side's view; the rows are its own plans. The search says who strikes first and what it finds.
    fn table(&self, own: &[Tasks]) -> Vec<Vec<i64>> {
        let (game, open, side) = (self.game, self.open, self.side);
        let enemy = Tasking { game, open, side: side.other() };
        let keeps = [self.keeps_one(), enemy.keeps_one()];
        let theirs = enemy.plans(keeps[1]);
        let sightings = sightings(game, open, side, keeps);
        let (mine, other) = (self.strikes(own, &theirs), enemy.strikes(&theirs, own));
        let exchange = |one: usize, two: usize| -> i64 {
            let each = sightings.iter().map(|Sightings { found, first, second, together }| {
                let (gain, hit) = mine[one][found[0]][two];
                let (loss, struck) = other[two][found[1]][one];
                // Squadrons whose decks are hit first do not strike back.
                let before = gain - loss * (100 - hit) / 100;
                let after = gain * (100 - struck) / 100 - loss;
                first * before + second * after + together * (gain - loss)
            });
            each.sum()
        };
        (0..own.len()).map(|one| (0..theirs.len()).map(|two| exchange(one, two)).collect()).collect()
    }

    /// How often each of the plans is to be flown.
    fn shares(&self, plans: &[Tasks]) -> Vec<u64> {
        let rows: Vec<Vec<RBig>> =
            self.table(plans).into_iter().map(|row| row.into_iter().map(RBig::from).collect()).collect();
        weights(&equilibrium(&rows).rows).unwrap_or_else(|| vec![1; plans.len()])
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

/// How often out of 36² both sides find so many groups of each other, by who strikes first.
struct Sightings {
    found: [usize; 2],
    first: i64,
    second: i64,
    together: i64,
}

/// What a search brings a side and its enemy; a side that finds nothing does not strike.
fn sightings(game: &NavalGame, open: &Open, side: Side, keeps: [bool; 2]) -> Vec<Sightings> {
    let groups = [side.other(), side].map(|side| game.present_of(open, side).count());
    if game.scenario.contact != crate::scenarios::Contact::Search {
        return vec![Sightings { found: groups, first: 0, second: 0, together: ALL * ALL }];
    }
    let data = &game.rules.naval.search;
    let modifier = |side: Side, keeps: bool| {
        let tired = game.wings_of(open, side).any(|(_, wing)| wing.tired > 0);
        let parts = game.search_modifiers(open, side).iter().map(|part| part.1).sum::<i32>();
        parts + if keeps || tired { data.modifier_search_air } else { 0 }
    };
    let modifiers = [modifier(side, keeps[0]), modifier(side.other(), keeps[1])];
    let mut all: Vec<Sightings> = Vec::new();
    for (mine, weight) in WEIGHTS.iter().enumerate() {
        for (theirs, other) in WEIGHTS.iter().enumerate() {
            let totals = [mine as i32 + 2 + modifiers[0], theirs as i32 + 2 + modifiers[1]];
            let found = [0, 1].map(|at: usize| search::found(data, totals[at], groups[at] as u32));
            let level = |at: usize| search::surprise(data, totals[at], totals[1 - at], found[at]);
            let found = found.map(|found| found as usize);
            let at = all.iter().position(|known| known.found == found).unwrap_or_else(|| {
                all.push(Sightings { found, first: 0, second: 0, together: 0 });
                all.len() - 1
            });
            let share = weight * other;
            match level(0).cmp(&level(1)) {
                std::cmp::Ordering::Greater => all[at].first += share,
                std::cmp::Ordering::Less => all[at].second += share,
                std::cmp::Ordering::Equal => all[at].together += share,
            }
        }
    }
    all
}

/// What a round of strikes may bring each side, in hundredths of a point: with a quarter on CAP on both sides, at the
/// search's odds of finding the largest group.
pub(crate) fn outlook(game: &NavalGame, open: &Open) -> BySide<i64> {
    BySide::new_with(|side| {
        let Some(&target) = game.by_size(open, side.other()).first() else { return 0 };
        let tasking = Tasking { game, open, side };
        let groups: Vec<AirGroup> =
            tasking.quarter(false).0.iter().map(|(wing, task)| game.squadrons(open, *wing, task.strike)).collect();
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
        let mut plans = self.plans(self.keeps_one());
        // Where there is one plan, as for squadrons of bases alone, nothing has to be weighed.
        let at = if plans.len() > 1 { chance.weighted(&self.shares(&plans)).unwrap_or(0) } else { 0 };
        self.placed(plans.swap_remove(at))
    }
}
