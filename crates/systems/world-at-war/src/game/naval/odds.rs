//! The charts at a glance: every result of two dice, read once through the charts themselves.

use super::NavalGame;
use super::state::{Condition, Mark, Open};
use crate::Rules;
use crate::charts::Toll;
use crate::hits::{self, LightShips};
use crate::naval::Target;
use flagplot_kernel::Silent;

/// How often two dice show 2, 3, … 12, out of 36.
pub(crate) const WEIGHTS: [i64; 11] = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
pub(crate) const ALL: i64 = 36;

/// Each chart by row and by two dice from 2 to 12.
#[derive(Clone, Debug)]
pub(crate) struct Glance {
    fleet: Vec<[u8; 11]>,
    air: Vec<[u8; 11]>,
    combat: Vec<[Toll; 11]>,
    defense: Vec<[Toll; 11]>,
}

/// The most fleet factors, squadrons and levels that are read ahead; more are read as these.
const MOST: [u32; 3] = [200, 100, 30];

impl Glance {
    pub fn new(rules: &Rules) -> Self {
        fn rows<T: Copy + Default>(most: u32, read: impl Fn(u32, i32) -> T) -> Vec<[T; 11]> {
            let row = |number: u32| {
                let mut row = [T::default(); 11];
                for (at, cell) in row.iter_mut().enumerate().filter(|_| number > 0) {
                    *cell = read(number, at as i32 + 2);
                }
                row
            };
            (0..=most).map(row).collect()
        }
        let charts = &rules.charts;
        let [factors, squadrons, levels] = MOST;
        Self {
            fleet: rows(factors, |factors, roll| charts.fleet_attack(&mut Silent, factors, roll).sum as u8),
            air: rows(squadrons, |squadrons, roll| charts.air_attack(&mut Silent, squadrons, roll).sum as u8),
            combat: rows(squadrons, |engaged, roll| charts.air_combat(&mut Silent, engaged, roll).sum),
            defense: rows(levels, |level, roll| charts.air_defense(&mut Silent, level, roll).sum),
        }
    }

    fn at<T: Copy>(rows: &[[T; 11]], number: u32, dice: usize, modifier: i32) -> T {
        let row = &rows[(number as usize).min(rows.len() - 1)];
        row[(dice as i32 + modifier).clamp(0, 10) as usize]
    }

    /// Hits of so many fleet factors, by the place of the dice among 2 to 12.
    pub fn fleet(&self, factors: u32, dice: usize, modifier: i32) -> u32 {
        Self::at(&self.fleet, factors, dice, modifier).into()
    }

    pub fn air(&self, squadrons: u32, dice: usize, modifier: i32) -> u32 {
        Self::at(&self.air, squadrons, dice, modifier).into()
    }

    pub fn combat(&self, engaged: u32, dice: usize, modifier: i32) -> Toll {
        Self::at(&self.combat, engaged, dice, modifier)
    }

    pub fn defense(&self, level: i32, dice: usize) -> Toll {
        if level <= 0 { Toll::default() } else { Self::at(&self.defense, level as u32, dice, 0) }
    }
}

/// What hits on a target come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Harm {
    /// Points for the enemy.
    pub points: i64,
    pub sunk: bool,
    /// Damaged now and sound before.
    pub damaged: bool,
    /// Fleet factors that no longer fire.
    pub silenced: u32,
    /// Squadrons that no longer have a deck.
    pub decks: u32,
}

impl NavalGame {
    /// What so many hits do to something of a group.
    pub(crate) fn harm(&self, open: &Open, mark: Mark, target: &Target, hits: u32) -> Harm {
        let victory = &self.scenario.victory;
        match (mark, target) {
            (Mark::Ship(at), Target::Ship(_)) => {
                let ship = self.ship(at);
                let before = open.ships[usize::from(at)];
                let after = hits::ship_after(ship.size, before.state(), hits, &self.rules.naval.damage).into();
                let worth = |condition: Condition| match condition {
                    Condition::Sunk => victory.sunk_per_factor,
                    Condition::Damaged => victory.damaged_per_factor,
                    _ => 0,
                };
                let out = before == Condition::Sound && after != Condition::Sound;
                Harm {
                    points: i64::from(ship.size) * (worth(after) - worth(before)),
                    sunk: after == Condition::Sunk,
                    damaged: out && after == Condition::Damaged,
                    silenced: if out && !ship.kind.is_carrier() { ship.size } else { 0 },
                    decks: if out { ship.capacity } else { 0 },
                }
            }
            (Mark::Light, Target::Light(light)) => {
                let before = &light.group.ships;
                let effect = hits::light_after(before, &[], hits);
                let guns = |ships: &LightShips| 2 * ships.cruisers + ships.destroyers;
                let damaged = i64::from(effect.remaining.damaged_cruisers) - i64::from(before.damaged_cruisers);
                let factors = 2 * effect.cruisers_sunk + effect.one_factor_sunk;
                Harm {
                    points: i64::from(factors) * victory.sunk_per_factor + 2 * damaged * victory.damaged_per_factor,
                    sunk: effect.remaining.is_empty() && !before.is_empty(),
                    damaged: effect.cruisers_damaged > 0,
                    silenced: guns(before).saturating_sub(guns(&effect.remaining)),
                    decks: 0,
                }
            }
            _ => Harm::default(),
        }
    }
}
