//! How the computer thinks about a battle: whole-number estimates, never shown as odds.

use crate::attack::{Engagement, Order};
use crate::battle::{Battle, Fighter, Ground, counter};
use crate::choices::{Attacks, Declare, OnOrOff, PlayOrDecline, StayOrGo};
use crate::custom::{Fixed, MOST_PICKED, Pick, cost};
use crate::day_night::{Action, drm};
use crate::faction::{ByRole, Role};
use crate::points;
use crate::raid::Raid;
use crate::resolution::{outcome, strength as holds};
use crate::results::Taken;
use crate::unit::{Counter, Factor, Id, Kind};
use flagplot_kernel::{BySide, Chance, Choice, Side};
use std::sync::LazyLock;

/// Chances are in parts of this.
const ONE: i64 = 1 << 20;
/// More dice than this at one target count as this many.
const MOST_DICE: usize = 160;
/// More points than this count as this many.
const MOST_POINTS: usize = 63;

/// For each number of dice: the chance of fewer than x points, in any case and without a five.
struct Below {
    any: [i64; MOST_POINTS + 1],
    no_five: [i64; MOST_POINTS + 1],
}

static BELOW: LazyLock<Vec<Below>> = LazyLock::new(|| {
    // Fixed point: exact enough to compare attacks, the same on every machine.
    const WHOLE: u64 = 1 << 40;
    let mut points = [[0u64; 2]; MOST_POINTS + 1];
    points[0][0] = WHOLE;
    let mut table = Vec::with_capacity(MOST_DICE + 1);
    for _ in 0..=MOST_DICE {
        let (mut any, mut no_five) = ([0; MOST_POINTS + 1], [0; MOST_POINTS + 1]);
        let (mut all, mut clean) = (0u64, 0u64);
        for x in 0..=MOST_POINTS {
            any[x] = (all >> 20) as i64;
            no_five[x] = (clean >> 20) as i64;
            all += points[x][0] + points[x][1];
            clean += points[x][0];
        }
        table.push(Below { any, no_five });
        let mut next = [[0u64; 2]; MOST_POINTS + 1];
        for x in 0..=MOST_POINTS {
            for five in 0..2 {
                let weight = points[x][five];
                next[x][five] += weight * 24 / 36;
                next[x][1] += weight * 6 / 36;
                for hit in 1..=6 {
                    next[(x + hit).min(MOST_POINTS)][five] += weight / 36;
                }
            }
        }
        points = next;
    }
    table
});

/// What so many dice at a unit are worth to the attacker, in parts of a point.
fn value(unit: Counter<'_>, taken: Taken, dice: u32, tempo: i64) -> i64 {
    let below = &BELOW[(dice as usize).min(MOST_DICE)];
    let left = |factor: u8| (usize::from(factor)).saturating_sub(taken.damage_points as usize).min(MOST_POINTS);
    let defense = left(unit.up().defense);
    let vp = i64::from(unit.sheet.vp);
    let afloat = below.any[defense];
    let sunk = ONE - afloat;
    let damaged = unit.damage_factor().map_or(0, |factor| afloat - below.any[left(factor)]);
    let in_line = match (unit.sheet.kind.is_ship(), taken.disabled) {
        (true, true) => 0,
        (true, false) => below.no_five[defense],
        (false, _) => afloat,
    };
    sunk * vp + damaged * (vp / 2) + (ONE - in_line) * tempo / 100
}

/// What a unit in the next round is worth, in hundredths of a point: its best dice, and its part in holding the hex.
fn tempo(unit: Counter<'_>, last: bool, hold_vp: i64, strength: u32) -> i64 {
    let best = Factor::ALL.iter().map(|&factor| i64::from(unit.up().of(factor))).max().unwrap_or(0);
    let hold = 100 * hold_vp * i64::from(holds(unit)) / i64::from(strength.max(1)) / 2;
    let convoy = if unit.sheet.kind == Kind::Convoy { 100 * i64::from(unit.sheet.vp) } else { 0 };
    convoy + hold + if last { 0 } else { 45 * best }
}

pub struct Allocation {
    pub orders: Vec<Order>,
    pub worth: i64,
}

/// A good allocation: shooters by falling dice, each where it gains most; then they are moved while that helps.
pub fn allocate(declare: &Declare<'_>) -> Allocation {
    let targets = declare.targets();
    let enemy = declare.side.other();
    let last = declare.round >= declare.ground.rules.battle.max_rounds;
    let strength: u32 = (0..targets).map(|at| u32::from(declare.enemy(at).up().defense)).sum();
    let tempos: Vec<i64> =
        (0..targets).map(|at| tempo(declare.enemy(at), last, declare.ground.hold_vp, strength)).collect();
    let worth = |at: usize, dice: u32| value(declare.enemy(at), declare.line[enemy][at].taken, dice, tempos[at]);
    // For each shooter and target its best dice.
    let mut shooters: Vec<(usize, Vec<(u32, Factor)>)> = (0..declare.shooters())
        .map(|attacker| {
            let best = |target: usize| {
                let options =
                    Factor::ALL.iter().filter_map(|&factor| Some((declare.attack(attacker, factor, target)?, factor)));
                options.max_by_key(|option| option.0).unwrap_or((0, Factor::Gunnery))
            };
            (attacker, (0..targets).map(best).collect::<Vec<_>>())
        })
        .filter(|(_, options)| options.iter().any(|option| option.0 > 0))
        .collect();
    shooters
        .sort_by_key(|(attacker, options)| (std::cmp::Reverse(options.iter().map(|option| option.0).max()), *attacker));
    let mut dice = vec![0u32; targets];
    let mut now: Vec<i64> = (0..targets).map(|at| worth(at, 0)).collect();
    let base: i64 = now.iter().sum();
    let mut aim: Vec<usize> = Vec::with_capacity(shooters.len());
    let best_for = |options: &[(u32, Factor)], dice: &[u32], now: &[i64]| {
        (0..targets)
            .filter(|&at| options[at].0 > 0)
            .max_by_key(|&at| (worth(at, dice[at] + options[at].0) - now[at], std::cmp::Reverse(at)))
            .unwrap_or(0)
    };
    for (_, options) in &shooters {
        let target = best_for(options, &dice, &now);
        dice[target] += options[target].0;
        now[target] = worth(target, dice[target]);
        aim.push(target);
    }
    for _ in 0..4 {
        let mut moved = false;
        for (shooter, (_, options)) in shooters.iter().enumerate() {
            let from = aim[shooter];
            dice[from] -= options[from].0;
            now[from] = worth(from, dice[from]);
            let to = best_for(options, &dice, &now);
            dice[to] += options[to].0;
            now[to] = worth(to, dice[to]);
            aim[shooter] = to;
            moved |= to != from;
        }
        // Two shooters together may do what neither does alone: against a heavy ship.
        for one in 0..shooters.len() {
            for two in one + 1..shooters.len() {
                for to in 0..targets {
                    let (a, b) = (aim[one], aim[two]);
                    if (a == to && b == to)
                        || shooters[one].1[to].0 == 0
                        || shooters[two].1[to].0 == 0
                        || declare.enemy(to).up().defense < 7
                    {
                        continue;
                    }
                    // What each target would have: at most three change.
                    let (one_off, two_off) = (shooters[one].1[a].0, shooters[two].1[b].0);
                    let more = shooters[one].1[to].0 + shooters[two].1[to].0;
                    let would = |at: usize| {
                        let off = if at == a { one_off } else { 0 } + if at == b { two_off } else { 0 };
                        dice[at] + if at == to { more } else { 0 } - off
                    };
                    let touched = [Some(a), Some(b).filter(|&b| b != a), Some(to).filter(|&to| to != a && to != b)];
                    let new = touched.map(|at| at.map(|at| (at, would(at))));
                    let change: i64 = new.iter().flatten().map(|&(at, new)| worth(at, new) - now[at]).sum();
                    if change > 0 {
                        for (at, new) in new.into_iter().flatten() {
                            dice[at] = new;
                            now[at] = worth(at, new);
                        }
                        aim[one] = to;
                        aim[two] = to;
                        moved = true;
                    }
                }
            }
        }
        if !moved {
            break;
        }
    }
    let aimed = shooters.iter().zip(&aim).map(|((attacker, options), &target)| Order {
        attacker: *attacker as u8,
        factor: options[target].1,
        target: target as u8,
    });
    let mut orders: Vec<Order> = aimed.collect();
    orders.sort_by_key(|order| order.attacker);
    Allocation { orders, worth: now.iter().sum::<i64>() - base }
}

/// What a round of this kind is worth to a side: its attacks less the enemy's.
fn balance(ground: &Ground<'_>, line: &BySide<Vec<Fighter>>, side: Side, action: Action, round: u8) -> i64 {
    let worth = |side: Side| allocate(&Declare::new(ground, line, side, Engagement::from(action), round)).worth;
    worth(side) - worth(side.other())
}

pub fn wish(ground: &Ground<'_>, battle: &Battle, side: Side) -> Action {
    let of = |action| balance(ground, &battle.line, side, action, battle.round);
    if of(Action::Day) >= of(Action::Night) { Action::Day } else { Action::Night }
}

/// Chances out of 36 that the phasing faction gets its wish.
pub fn phasing_wins(drm: ByRole<i64>) -> i64 {
    let mut wins = 0;
    for phasing in 1..=6 {
        for non_phasing in 1..=6 {
            wins += i64::from(phasing + drm.phasing > non_phasing + drm.non_phasing);
        }
    }
    wins
}

/// What a round is worth to a faction when both wish for what suits them, in parts of a point.
fn expected(ground: &Ground<'_>, battle: &Battle, role: Role, round: u8) -> i64 {
    let side = role.side(battle.phasing);
    let of = |action| balance(ground, &battle.line, side, action, round);
    let (day, night) = (of(Action::Day), of(Action::Night));
    match ground.fixed_actions.get(usize::from(round - 1)).copied().flatten() {
        Some(Action::Day) => day,
        Some(Action::Night) => night,
        None => {
            let (own, theirs) = if day >= night { (Action::Day, Action::Night) } else { (Action::Night, Action::Day) };
            let wishes = ByRole::new_with(|which| if which == role { own } else { theirs });
            let wins = phasing_wins(ByRole::new_with(|role| drm(ground.rules, &ground.waters, role, wishes[role])));
            let own_wins = if role == Role::Phasing { wins } else { 36 - wins };
            (own_wins * day.max(night) + (36 - own_wins) * day.min(night)) / 36
        }
    }
}

/// What holding the hex at the present strengths is worth to a faction, in points.
fn holding(ground: &Ground<'_>, battle: &Battle, role: Role) -> i64 {
    let strength = ByRole::new_with(|role| battle.strength(ground, role));
    outcome(ground.rules, strength)
        .holder()
        .map_or(0, |holder| if holder == role { ground.hold_vp } else { -ground.hold_vp })
}

/// Sail if a round and a half promise more than declining costs.
pub fn sail(ground: &Ground<'_>, battle: &Battle, side: Side, decline_vp: i64) -> PlayOrDecline {
    let role = Role::of(side, battle.phasing);
    let promise = expected(ground, battle, role, 1) * 3 / 2 + holding(ground, battle, role) * ONE;
    if promise >= -decline_vp * ONE { PlayOrDecline::Play } else { PlayOrDecline::Decline }
}

pub fn convoys(ground: &Ground<'_>, battle: &Battle, side: Side) -> i64 {
    battle.line[side].iter().map(|fighter| points::convoy(counter(ground.sheets, side, fighter))).sum()
}

/// Stay while the second round promises more than leaving costs.
pub fn retreat(ground: &Ground<'_>, battle: &Battle, role: Role) -> StayOrGo {
    let side = role.side(battle.phasing);
    let expected = expected(ground, battle, role, battle.round + 1);
    // Leaving gives up what the present strengths would give, and the own convoys' points.
    let now = holding(ground, battle, role);
    let gone = if battle.strength(ground, role.other()) > 0 { -ground.hold_vp } else { 0 };
    if expected + (now - gone + convoys(ground, battle, side)) * ONE >= 0 { StayOrGo::Stay } else { StayOrGo::Retreat }
}

/// Another round while the raiders gain more than they stand to lose.
pub fn another_round(ground: &Ground<'_>, raid: &Raid) -> OnOrOff {
    let next = Raid { round: raid.round + 1, ..raid.clone() };
    let gain = allocate(&next.declare(ground, raid.raiders)).worth;
    let loss = if next.surprised() { 0 } else { allocate(&next.declare(ground, raid.raiders.other())).worth };
    let bonus = raid.early_withdrawal.filter(|(rounds, _)| *rounds == raid.round).map_or(0, |(_, points)| points * ONE);
    if gain > loss + bonus { OnOrOff::AnotherRound } else { OnOrOff::BreakOff }
}

impl<'a> Choice for Declare<'a> {
    fn sample(&self, chance: &mut Chance) -> Attacks<'a> {
        let targets = self.targets() as u32;
        let mut orders = Vec::with_capacity(self.shooters());
        for attacker in 0..self.shooters() {
            let unit = self.own(attacker);
            let up = unit.up();
            let mut usable = [Factor::Gunnery; 3];
            let mut many = 0;
            for &factor in Factor::ALL {
                if self.engagement.allows(factor) && up.of(factor) > 0 {
                    usable[many] = factor;
                    many += 1;
                }
            }
            if many == 0 {
                continue;
            }
            // A few draws find a legal target if there are many; a unit that finds none passes.
            for _ in 0..4 {
                let factor = if many == 1 { usable[0] } else { usable[chance.below(many as u32) as usize] };
                let target = chance.below(targets) as usize;
                if self.legal(attacker, factor, target) {
                    orders.push(Order { attacker: attacker as u8, factor, target: target as u8 });
                    break;
                }
            }
        }
        self.placed(orders)
    }

    fn instinct(&self, _: &mut Chance) -> Attacks<'a> {
        self.placed(allocate(self).orders)
    }
}

impl Pick<'_> {
    /// A force in random order, filled up as far as the budget goes.
    fn filled(&self, chance: &mut Chance) -> Vec<Id> {
        let sheets = self.sheets();
        let mut order: Vec<usize> = (0..sheets.len()).collect();
        chance.shuffle(&mut order);
        let budget = self.game.settings.budget;
        let affordable = |at: usize| sheets[at].kind.is_warship() && cost(&sheets[at].front) <= budget;
        if let Some(warship) = order.iter().position(|&at| affordable(at)) {
            order.swap(0, warship);
        }
        let (mut left, mut air) = (budget, self.game.settings.air_budget());
        let mut out = Vec::new();
        for sheet in order.into_iter().map(|at| &sheets[at]) {
            let cost = cost(&sheet.front);
            if cost > left || out.len() >= MOST_PICKED || (sheet.kind == Kind::Lba && cost > air) {
                continue;
            }
            left -= cost;
            if sheet.kind == Kind::Lba {
                air -= cost;
            }
            out.push(sheet.id);
        }
        out
    }

    /// How much a force can do: its dice in both actions, and what it takes to sink it.
    fn power(&self, ids: &[Id]) -> u32 {
        let fixed = self.game.settings.fixed_actions;
        let weight =
            |action: Fixed| fixed.iter().filter(|&&round| round == action || round == Fixed::Choice).count() as u32;
        let power = self.picked(ids).map(|sheet| {
            let dice = |action: Action| u32::from(sheet.front.best(action));
            dice(Action::Day) * weight(Fixed::Day)
                + dice(Action::Night) * weight(Fixed::Night)
                + u32::from(sheet.front.defense)
        });
        power.sum()
    }

    pub fn suggested(&self, chance: &mut Chance) -> Vec<Id> {
        let forces: Vec<Vec<Id>> = (0..24).map(|_| self.filled(chance)).collect();
        forces.into_iter().max_by_key(|force| self.power(force)).unwrap_or_default()
    }
}

impl Choice for Pick<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Id> {
        self.filled(chance)
    }

    fn instinct(&self, chance: &mut Chance) -> Vec<Id> {
        self.suggested(chance)
    }
}
