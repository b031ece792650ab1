//! How the computer commits a fleet: a handful of plans, weighed against those of the enemy.
//!
//! Whole-number estimates, never shown as odds. Everything used here is known to both sides.

use super::choices::{Orders, Refit, RepairOf, Repairs, Sail};
use super::{CampaignGame, CampaignState, Command, Goal, Station, ZoneState};
use crate::battle::Units;
use crate::day_night::Action;
use crate::delay;
use crate::points;
use crate::resolution::strength;
use crate::unit::{Counter, Id, Kind};
use flagplot_kernel::{BySide, Chance, Choice, Side};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Estimates are in parts of this.
const ONE: i64 = 1 << 10;

/// Whether a damaged ship in Port is better repaired now: a strong one, with time to come back and be of use.
fn refits(command: Command<'_>, at: usize) -> bool {
    let front = command.sheet(at).front;
    let left = i64::from(command.campaign.last_turn()) - i64::from(command.state.turn);
    let mean = 4 + command.faction().delay_drm + command.campaign.rules.delay.repair_drm;
    front.airstrike.max(front.gunnery) >= 3 && left > mean
}

/// Repair before the last three turns for anything strong; late, come back as it is.
pub fn repairs(command: Command<'_>, at: usize) -> delay::Choice {
    let front = command.sheet(at).front;
    let early = i64::from(command.state.turn) <= i64::from(command.campaign.last_turn()) - 3;
    if early && front.airstrike.max(front.gunnery) >= 3 { delay::Choice::Repair } else { delay::Choice::ReturnDamaged }
}

#[derive(Clone, Copy, Default)]
struct Stack {
    units: i64,
    strength: i64,
    day: i64,
    night: i64,
    air: i64,
    convoys: i64,
    worth: i64,
    guards: i64,
    lbas: i64,
}

impl Stack {
    fn add(&mut self, command: Command<'_>, at: usize) {
        let counter = command.unit(at);
        let up = counter.up();
        let kind = counter.sheet.kind;
        self.units += 1;
        self.strength += i64::from(strength(counter));
        self.day += i64::from(up.best(Action::Day));
        self.night += i64::from(up.best(Action::Night));
        self.air += i64::from(up.airstrike);
        self.convoys += points::convoy(counter);
        self.worth += i64::from(counter.sheet.vp);
        self.guards += i64::from(kind.is_warship());
        self.lbas += i64::from(kind == Kind::Lba);
    }

    fn merge(&self, other: &Stack) -> Stack {
        Stack {
            units: self.units + other.units,
            strength: self.strength + other.strength,
            day: self.day + other.day,
            night: self.night + other.night,
            air: self.air + other.air,
            convoys: self.convoys + other.convoys,
            worth: self.worth + other.worth,
            guards: self.guards + other.guards,
            lbas: self.lbas + other.lbas,
        }
    }
}

#[derive(Clone)]
pub struct Plan {
    /// The zones it is about, a bit each, and whether the carriers raid.
    about: (u32, bool),
    goals: Vec<(usize, Goal)>,
    zones: Vec<Stack>,
    raid: Stack,
    port: Stack,
}

impl Plan {
    fn new(command: Command<'_>, about: (u32, bool), goals: Vec<(usize, Goal)>) -> Self {
        let mut plan = Self {
            about,
            zones: vec![Stack::default(); command.campaign.campaign.zones.len()],
            raid: Stack::default(),
            port: Stack::default(),
            goals,
        };
        for &(at, goal) in &plan.goals {
            let stack = match goal {
                Goal::Port => &mut plan.port,
                Goal::Raid => &mut plan.raid,
                Goal::Zone(zone) => &mut plan.zones[usize::from(zone)],
            };
            stack.add(command, at);
        }
        plan
    }

    fn label(&self, campaign: &CampaignGame) -> String {
        let (set, raid) = self.about;
        if set == 0 {
            return "All units stay in port".into();
        }
        let zones = campaign.campaign.zones.iter().enumerate().filter(|(at, _)| set & (1 << at) != 0);
        let names: Vec<&str> = zones.map(|(_, zone)| zone.name.as_str()).collect();
        format!("{}{}", names.join(" and "), if raid { ", and a raid by the carriers" } else { "" })
    }
}

/// Plans worth weighing: every small set of zones, with and without a raid by the carriers.
fn plans(command: Command<'_>) -> Vec<Plan> {
    let zones = command.campaign.campaign.zones.len();
    let enemy = Command { side: command.side.other(), ..command };
    let enemy_may_raid = enemy.at(Station::Port).any(|at| enemy.sheet(at).kind == Kind::Carrier);
    let may_raid = command.at(Station::Port).any(|at| may_raid(command.unit(at)));
    let mut out = Vec::new();
    for set in (1u32..1 << zones.min(8)).filter(|set| set.count_ones() <= 3) {
        let chosen: Vec<usize> = (0..zones).filter(|&zone| set & (1 << zone) != 0).collect();
        for raid in [false, true] {
            if !raid || (may_raid && set.count_ones() <= 2) {
                out.push(Plan::new(command, (set, raid), spread(command, &chosen, raid, enemy_may_raid)));
            }
        }
    }
    out.push(Plan::new(command, (0, false), command.at(Station::Port).map(|at| (at, Goal::Port)).collect()));
    out
}

fn may_raid(unit: Counter<'_>) -> bool {
    unit.sheet.kind == Kind::Carrier && unit.up().airstrike >= 3
}

/// Ships go one by one, the strongest first, where the least is for what the zone is worth.
fn spread(command: Command<'_>, chosen: &[usize], raid: bool, keep_air: bool) -> Vec<(usize, Goal)> {
    let orders = Orders(command);
    let power = |at: usize| {
        let unit = command.unit(at);
        let up = unit.up();
        i64::from(up.defense) + 2 * i64::from(up.gunnery.max(up.torpedo)) + 2 * i64::from(up.airstrike)
    };
    let mut units: Vec<usize> = orders.units().collect();
    units.sort_by_key(|&at| (std::cmp::Reverse(power(at)), at));
    let worth = |zone: usize| (orders.zones()[zone].vp.first + orders.zones()[zone].vp.second).max(1);
    let mut weight = vec![0i64; orders.zones().len()];
    let mut kept = !keep_air;
    let mut goals = Vec::with_capacity(units.len());
    let mut convoys = Vec::new();
    for at in units {
        let unit = command.unit(at);
        let lba = unit.sheet.kind == Kind::Lba;
        if unit.sheet.kind == Kind::Convoy {
            convoys.push(at);
            continue;
        }
        if raid && may_raid(unit) {
            goals.push((at, Goal::Raid));
            continue;
        }
        // A reduced LBA, or else the weakest, keeps watch over the port and is made good there.
        let open = chosen.iter().copied().filter(|&zone| orders.legal(at, Goal::Zone(zone as u8)));
        let zone = open.min_by_key(|&zone| (weight[zone] * ONE / worth(zone), zone));
        match zone.filter(|_| !(lba && unit.damaged)) {
            Some(zone) => {
                weight[zone] += power(at);
                goals.push((at, Goal::Zone(zone as u8)));
            }
            None => {
                kept |= lba;
                goals.push((at, Goal::Port));
            }
        }
    }
    if !kept && let Some(last) = goals.iter_mut().rev().find(|(at, _)| command.sheet(*at).kind == Kind::Lba) {
        last.1 = Goal::Port;
    }
    for at in convoys {
        let bound = chosen.iter().copied().find(|&zone| orders.legal(at, Goal::Zone(zone as u8)) && weight[zone] > 0);
        goals.push((at, bound.map_or(Goal::Port, |zone| Goal::Zone(zone as u8))));
    }
    goals
}

/// 0.86 to the power of a number of dice per unit: the part of a stack that is still in line.
fn stays(dice: i64, units: i64) -> i64 {
    let mut part = ONE;
    let quarters = (4 * dice / units.max(1)).min(40);
    for _ in 0..quarters {
        part = part * 963 / ONE;
    }
    part
}

/// What the first of two stacks may expect of a battle: the exchange of points, and the chance that either holds.
fn clash(own: &Stack, enemy: &Stack) -> (i64, i64, i64) {
    let (mut exchange, mut holds, mut lost) = (0, 0, 0);
    for (mine, theirs) in [(own.day, enemy.day), (own.night, enemy.night)] {
        // A die is worth four tenths of a point; a second round brings half as much again.
        let gain = (mine * 6 * ONE / 10).min(enemy.worth * ONE * 3 / 4);
        let loss = (theirs * 6 * ONE / 10).min(own.worth * ONE * 3 / 4);
        exchange += (gain - loss) / 2;
        let left = own.strength * stays(theirs, own.units);
        let other = enemy.strength * stays(mine, enemy.units);
        holds += part(left, other) / 2;
        lost += part(other, left) / 2;
    }
    (exchange, holds, lost)
}

/// The chance to hold with these strengths left, rising from nothing at 1.2 : 1 to certainty at 2.8 : 1.
fn part(own: i64, other: i64) -> i64 {
    if own == 0 {
        return 0;
    }
    let ratio = own * 10 / other.max(1);
    ((ratio.min(1000) - 12) * ONE / 16).clamp(0, ONE)
}

/// What one plan is expected to give against another, in parts of a point.
fn payoff(campaign: &CampaignGame, state: &CampaignState, side: Side, own: &Plan, enemy: &Plan) -> i64 {
    let other = side.other();
    let last = state.turn == campaign.last_turn();
    let mut total = 0;
    let approach = BySide::new_with(|side| campaign.campaign.factions[side].port_approach);
    let stopped = enemy.raid.units > 0 && own.zones[approach[side]].guards > 0;
    let stops = own.raid.units > 0 && enemy.zones[approach[other]].guards > 0;
    for (at, zone) in campaign.campaign.zones.iter().enumerate() {
        let mut mine = own.zones[at];
        let mut theirs = enemy.zones[at];
        if stops && at == approach[other] {
            mine = mine.merge(&own.raid);
        }
        if stopped && at == approach[side] {
            theirs = theirs.merge(&enemy.raid);
        }
        let value = |side: Side| if last { zone.vp[side] * ONE } else { zone.vp[side] * ONE * 3 / 2 };
        let now = |who: Option<Side>| who.map_or(0, |who| if who == side { value(who) } else { -value(who) });
        let present = now(state.zones[at].control);
        total += match (mine.units > 0, theirs.units > 0) {
            (false, false) => present,
            (true, false) => mine.convoys * ONE + if mine.strength > 0 { now(Some(side)) } else { present },
            (false, true) => -theirs.convoys * ONE + if theirs.strength > 0 { now(Some(other)) } else { present },
            (true, true) => {
                let (exchange, holds, lost) = clash(&mine, &theirs);
                let neither = ONE - holds - lost;
                let zone = (holds * now(Some(side)) + lost * now(Some(other)) + neither * present / 3) / ONE;
                let convoys = mine.convoys * (holds + neither / 2) - theirs.convoys * (lost + neither / 2);
                exchange + zone + convoys * 3 / 4
            }
        };
    }
    if !stops {
        total += raid(&own.raid, &enemy.port);
    }
    if !stopped {
        total -= raid(&enemy.raid, &own.port);
    }
    total
}

fn raid(raiders: &Stack, port: &Stack) -> i64 {
    if raiders.air == 0 || port.units == 0 {
        return 0;
    }
    let dice = if port.lbas == 0 { 3 * raiders.air } else { 2 * raiders.air };
    let gain = (dice * 4 * ONE / 10).min(port.worth * ONE * 2 / 3);
    let loss = (port.lbas * 4 * 2 * 4 * ONE / 10).min(raiders.worth * ONE / 2);
    gain - loss
}

/// The plans of both sides, and how often to play each to be unpredictable.
struct Mixtures {
    plans: BySide<Vec<Plan>>,
    played: BySide<Vec<u64>>,
}

impl Mixtures {
    /// Fictitious play over the estimates; each side first expects the other's best answer to its first plan.
    fn new(campaign: &CampaignGame, state: &CampaignState) -> Self {
        let plans = BySide::new_with(|side| plans(Command { campaign, state, side }));
        // What is good for one side is as bad for the other: one table serves both.
        let (first, second) = (&plans[Side::First], &plans[Side::Second]);
        let table: Vec<i64> = first
            .iter()
            .flat_map(|mine| second.iter().map(move |theirs| payoff(campaign, state, Side::First, mine, theirs)))
            .collect();
        let width = second.len();
        let best = |values: &[i64], sign: i64| {
            (0..values.len()).max_by_key(|&at| (sign * values[at], std::cmp::Reverse(at))).unwrap_or(0)
        };
        let mut sums = BySide::new_with(|side| vec![0i64; plans[side].len()]);
        // Both count the first side's gain, which the second wants to be small.
        let against_first = |sums: &mut [i64], row: usize| {
            sums.iter_mut().zip(&table[row * width..]).for_each(|(sum, value)| *sum += value)
        };
        let against_second = |sums: &mut [i64], column: usize| {
            sums.iter_mut().zip(table[column..].iter().step_by(width)).for_each(|(sum, value)| *sum += value)
        };
        let played = BySide::new_with(|side| {
            sums[Side::First].fill(0);
            sums[Side::Second].fill(0);
            let mut played = vec![0u64; plans[side].len()];
            let mut own = 0;
            for _ in 0..240 {
                if side == Side::First {
                    against_first(&mut sums[Side::Second], own);
                    let answer = best(&sums[Side::Second], -1);
                    against_second(&mut sums[Side::First], answer);
                    own = best(&sums[Side::First], 1);
                } else {
                    against_second(&mut sums[Side::First], own);
                    let answer = best(&sums[Side::First], 1);
                    against_first(&mut sums[Side::Second], answer);
                    own = best(&sums[Side::Second], -1);
                }
                played[own] += 1;
            }
            played
        });
        Self { plans, played }
    }
}

#[derive(Clone, PartialEq)]
struct Situation {
    turn: u8,
    units: Units,
    stations: BySide<Vec<Station>>,
    zones: Vec<ZoneState>,
}

/// The mixtures of the last few situations: imagined games ask for the same ones again and again.
#[derive(Default)]
pub struct Memory(Mutex<VecDeque<(Situation, Arc<Mixtures>)>>);

const REMEMBERED: usize = 12;

fn mixtures(campaign: &CampaignGame, state: &CampaignState) -> Arc<Mixtures> {
    let is_this = |known: &Situation| {
        known.turn == state.turn
            && known.stations == state.stations
            && known.units == state.units
            && known.zones == state.zones
    };
    let memory = || campaign.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, found)) = memory().iter().find(|(known, _)| is_this(known)) {
        return Arc::clone(found);
    }
    let found = Arc::new(Mixtures::new(campaign, state));
    let CampaignState { turn, units, stations, zones, .. } = state.clone();
    let mut memory = memory();
    memory.truncate(REMEMBERED - 1);
    memory.push_front((Situation { turn, units, stations, zones }, Arc::clone(&found)));
    found
}

fn choose(command: Command<'_>, chance: &mut Chance) -> Vec<(usize, Goal)> {
    let found = mixtures(command.campaign, command.state);
    let at = chance.weighted(&found.played[command.side]).unwrap_or(0);
    found.plans[command.side][at].goals.clone()
}

pub fn best(command: Command<'_>, most: usize) -> Vec<(String, Vec<(usize, Goal)>)> {
    let found = mixtures(command.campaign, command.state);
    let (plans, played) = (&found.plans[command.side], &found.played[command.side]);
    let mut order: Vec<usize> = (0..plans.len()).filter(|&at| played[at] > 0).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(played[at]), at));
    let best = order.into_iter().take(most).map(|at| &plans[at]);
    best.map(|plan| (plan.label(command.campaign), plan.goals.clone())).collect()
}

impl Choice for Refit<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Id> {
        self.ships().filter(|_| chance.below(2) == 0).map(|at| self.0.id(at)).collect()
    }

    fn instinct(&self, _: &mut Chance) -> Vec<Id> {
        self.ships().filter(|&at| refits(self.0, at)).map(|at| self.0.id(at)).collect()
    }
}

impl Choice for Orders<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Sail> {
        let goals = self.units().map(|at| {
            let options: Vec<Goal> = self.options(at).collect();
            (at, options[chance.below(options.len() as u32) as usize])
        });
        self.written(&goals.collect::<Vec<_>>())
    }

    fn instinct(&self, chance: &mut Chance) -> Vec<Sail> {
        self.written(&choose(self.0, chance))
    }
}

impl Choice for Repairs<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<RepairOf> {
        let mut out = self.all(|_| delay::Choice::Repair);
        for repair in &mut out {
            if chance.below(2) == 0 {
                repair.choice = delay::Choice::ReturnDamaged;
            }
        }
        out
    }

    fn instinct(&self, _: &mut Chance) -> Vec<RepairOf> {
        self.all(|at| repairs(self.0, at))
    }
}
