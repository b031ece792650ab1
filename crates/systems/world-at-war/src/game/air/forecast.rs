//! What a day is worth, by walking every roll of both sides: the same charts and modifiers, without notes.
//!
//! Values are the attacker's, in millionths of a point, rounded once for each round of combat.

use super::state::{ByRole, Loss, Role};
use super::{AirGame, Group, setting};
use crate::Rules;
use crate::air::{self, AirGroup, AirSetting, AirType};
use crate::air_defense;
use crate::charts::Toll;
use crate::scenarios::{AirScenario, Mission};
use flagplot_kernel::Tape;
use rustc_hash::FxHashMap;

/// The most kinds of aircraft (nation and type) that a side may have.
pub(crate) const KINDS: usize = 4;
/// The most factors that a side may ever have.
pub(crate) const MOST_FACTORS: u32 = 200;

/// Factors by kind, the best kind first.
pub(super) type Force = [u8; KINDS];

/// A point.
pub(super) const ONE: i64 = 1_000_000;

/// The ways to roll 2 to 12 with two dice, out of 36.
pub(super) const WAYS: [i64; 11] = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
pub(super) const ALL_WAYS: i64 = 36;

/// The charts as a forecast reads them.
pub(super) struct Kinds {
    /// The kinds of each side, the best first.
    units: ByRole<Vec<AirGroup>>,
    of_group: ByRole<Vec<usize>>,
    /// The air combat table by factors engaged and column.
    air: Vec<[Toll; 11]>,
    /// What the guns of each target do by their roll; nothing if they have no level.
    guns: Vec<[Toll; 11]>,
    setting: AirSetting,
}

pub(super) fn strength(force: Force) -> u32 {
    force.iter().map(|&factors| u32::from(factors)).sum()
}

pub(super) fn plus(mut force: Force, more: Force) -> Force {
    for (factors, more) in force.iter_mut().zip(more) {
        *factors += more;
    }
    force
}

impl Kinds {
    pub(super) fn new(rules: &Rules, scenario: &AirScenario, groups: &ByRole<Vec<Group>>) -> Self {
        // A jet adds one by itself.
        let worth = |unit: &AirGroup| unit.drm::<i32>(&rules.nations) + if unit.kind == AirType::Jet { 1 } else { 0 };
        let units = ByRole::new_with(|role| {
            let mut units: Vec<AirGroup> = Vec::new();
            for group in &groups[role] {
                if !units.contains(&group.unit) {
                    units.push(group.unit);
                }
            }
            units.sort_by_key(|unit| std::cmp::Reverse(worth(unit)));
            units
        });
        let of_group = ByRole::new_with(|role| {
            let kind = |group: &Group| units[role].iter().position(|unit| *unit == group.unit).unwrap_or(0);
            groups[role].iter().map(kind).collect()
        });
        let mut deaf = Tape::new(Vec::new()).deaf();
        let mut columns =
            |read: &mut dyn FnMut(&mut Tape, i32) -> Toll| std::array::from_fn(|at| read(&mut deaf, at as i32 + 2));
        let air = (0..=MOST_FACTORS)
            .map(|engaged| columns(&mut |deaf, roll| rules.charts.air_combat(deaf, engaged, roll).sum))
            .collect();
        let guns = scenario
            .targets
            .iter()
            .map(|target| match air_defense::level(&target.defenses, 0, &rules.naval).level() {
                level @ 1.. => columns(&mut |deaf, roll| rules.charts.air_defense(deaf, level as u32, roll).sum),
                _ => [Toll::default(); 11],
            })
            .collect();
        Self { units, of_group, air, guns, setting: setting(scenario) }
    }

    pub(super) fn kind(&self, role: Role, group: usize) -> usize {
        self.of_group[role][group]
    }

    pub(super) fn count(&self, role: Role) -> usize {
        self.units[role].len()
    }

    /// Factors by group as factors by kind.
    pub(super) fn force(&self, role: Role, by_group: impl IntoIterator<Item = u16>) -> Force {
        let mut force = Force::default();
        for (group, factors) in by_group.into_iter().enumerate() {
            force[self.kind(role, group)] += factors as u8;
        }
        force
    }

    /// What is left of a force: the worst kind is lost first. Guns do not abort kamikazes.
    fn lose(&self, role: Role, mut force: Force, toll: Toll, guns: bool) -> (Force, u32) {
        let mut take = |number: u32, may: &dyn Fn(usize) -> bool| {
            let mut left = number;
            for kind in (0..self.count(role)).rev().filter(|&kind| may(kind)) {
                let taken = u32::from(force[kind]).min(left);
                force[kind] -= taken as u8;
                left -= taken;
            }
            number - left
        };
        let eliminated = take(toll.eliminated, &|_| true);
        take(toll.aborted, &|kind| !guns || self.units[role][kind].kind != AirType::Kamikaze);
        (force, eliminated)
    }

    /// What losses that are due leave of a force, and how many are eliminated.
    pub(super) fn after_losses(&self, role: Role, force: Force, due: Loss, guns: bool) -> (Force, u32) {
        self.lose(role, force, Toll { eliminated: due.eliminated.into(), aborted: due.aborted.into() }, guns)
    }

    fn groups(&self, role: Role, force: Force) -> [AirGroup; KINDS] {
        let units = &self.units[role];
        std::array::from_fn(|kind| AirGroup { count: force[kind].into(), ..*units.get(kind).unwrap_or(&units[0]) })
    }

    /// What a round leaves of each side, by the roll that hits it: the force, how many were eliminated, the ways.
    pub(super) fn round(&self, rules: &Rules, forces: ByRole<Force>) -> ByRole<Vec<(Force, u32, i64)>> {
        let [attackers, defenders] = Role::BOTH.map(|role| self.groups(role, forces[role]));
        let modifier = air::modifier(&rules.nations, &attackers, &defenders, self.setting);
        let aborts = self.setting.role.aborts();
        ByRole::new_with(|role| {
            let (modifier, aborts) = match role {
                Role::Attacker => (-modifier, true),
                Role::Defender => (modifier, aborts),
            };
            let row = &self.air[strength(forces[role.other()]).min(MOST_FACTORS) as usize];
            let mut left: Vec<(Force, u32, i64)> = Vec::with_capacity(11);
            for (at, ways) in WAYS.into_iter().enumerate() {
                let column = (at as i32 + modifier).clamp(0, 10) as usize;
                let Toll { eliminated, aborted } = row[column];
                let toll = Toll { eliminated, aborted: if aborts { aborted } else { 0 } };
                let (force, eliminated) = self.lose(role, forces[role], toll, false);
                match left.last_mut() {
                    Some(last) if (last.0, last.1) == (force, eliminated) => last.2 += ways,
                    _ => left.push((force, eliminated, ways)),
                }
            }
            left
        })
    }

    /// What the guns of a target leave of the attackers: the force, how many were eliminated, the ways.
    pub(super) fn barrage(&self, target: u8, force: Force) -> impl Iterator<Item = (Force, u32, i64)> {
        WAYS.into_iter().zip(self.guns[usize::from(target)]).map(move |(ways, toll)| {
            let (left, eliminated) = self.lose(Role::Attacker, force, toll, true);
            (left, eliminated, ways)
        })
    }
}

/// The value of what is ahead of a force over a target, for a price of each factor that is lost.
pub(super) struct Forecast<'a> {
    pub game: &'a AirGame,
    /// What an eliminated factor of each side costs it, in millionths of a point.
    pub price: ByRole<i64>,
    memo: FxHashMap<(u8, u32, Force, Force), i64>,
}

/// A sum over ways, divided and rounded.
fn mean(sum: i64, ways: i64) -> i64 {
    (sum + sum.signum() * ways / 2) / ways
}

impl<'a> Forecast<'a> {
    pub fn new(game: &'a AirGame, price: ByRole<i64>) -> Self {
        Self { game, price, memo: FxHashMap::default() }
    }

    /// Attackers and defenders that meet over a target with all rounds ahead.
    pub fn raid(&mut self, target: u8, attackers: Force, defenders: Force) -> i64 {
        if strength(attackers) == 0 {
            0
        } else if strength(defenders) == 0 {
            self.guns(target, attackers)
        } else {
            self.fight(target, self.game.scenario.rounds, ByRole { attacker: attackers, defender: defenders })
        }
    }

    /// With so many rounds left, before the dice of the next.
    pub fn fight(&mut self, target: u8, rounds: u32, forces: ByRole<Force>) -> i64 {
        let key = (target, rounds, forces.attacker, forces.defender);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let left = self.game.kinds.round(&self.game.rules, forces);
        let mut sum = 0;
        for &(attacker, lost, ways) in &left.attacker {
            sum -= self.price.attacker * i64::from(lost) * ways * ALL_WAYS;
            for &(defender, _, others) in &left.defender {
                sum += self.after(target, rounds - 1, ByRole { attacker, defender }) * ways * others;
            }
        }
        for &(_, lost, ways) in &left.defender {
            sum += self.price.defender * i64::from(lost) * ways * ALL_WAYS;
        }
        let value = mean(sum, ALL_WAYS * ALL_WAYS);
        self.memo.insert(key, value);
        value
    }

    /// After a round: a side that gains by withdrawing does so, the attacker first.
    pub fn after(&mut self, target: u8, rounds: u32, forces: ByRole<Force>) -> i64 {
        if strength(forces.attacker) == 0 {
            return 0;
        }
        let strategic = self.game.scenario.mission == Mission::StrategicBombing;
        if strength(forces.defender) == 0 || rounds == 0 || strategic {
            return self.guns(target, forces.attacker);
        }
        self.attacker_stays(target, rounds, forces).max(0)
    }

    /// What it is worth to the attacker to go on, with the defender's best answer.
    pub fn attacker_stays(&mut self, target: u8, rounds: u32, forces: ByRole<Force>) -> i64 {
        self.fight(target, rounds, forces).min(self.guns(target, forces.attacker))
    }

    /// The guns of a target, then the bombs.
    pub fn guns(&mut self, target: u8, attackers: Force) -> i64 {
        let key = (target, 0, attackers, Force::default());
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let sum = self.game.kinds.barrage(target, attackers).map(|(left, lost, ways)| {
            (self.bombs(target, strength(left)) * ONE - self.price.attacker * i64::from(lost)) * ways
        });
        let value = mean(sum.sum(), ALL_WAYS);
        self.memo.insert(key, value);
        value
    }

    /// The points of bombs on a target. [C-17]
    pub fn bombs(&self, target: u8, factors: u32) -> i64 {
        self.game.target(target).bombs(factors)
    }
}
