//! Standing orders for a whole battle, for analysis.

use crate::attack::{Engagement, can};
use crate::day_night::Action;
use crate::figures::Figures;
use crate::unit::{Counter, Factor, Id};
use serde::Deserialize;

/// How targets are picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Targeting {
    /// Always the first.
    Focus,
    /// Whoever has been attacked least.
    Spread,
}

/// When a faction retreats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetreatPolicy {
    /// Never.
    Never,
    /// After the first round in any case.
    Always,
    /// When the enemy has more units in line.
    IfFewer,
}

/// Standing orders of a faction.
#[derive(Clone, Debug, Deserialize)]
pub struct Doctrine {
    /// The wish of each round.
    pub wish: [Action; 2],
    /// How targets are picked.
    pub targeting: Targeting,
    /// Enemy ids that come first.
    #[serde(default)]
    pub priority: Vec<Id>,
    /// When it retreats.
    pub retreat: RetreatPolicy,
}

impl Doctrine {
    /// Whether the faction retreats with so many units in line against so many.
    #[must_use]
    pub fn retreats(&self, own: usize, enemy: usize) -> bool {
        match self.retreat {
            RetreatPolicy::Never => false,
            RetreatPolicy::Always => true,
            RetreatPolicy::IfFewer => own < enemy,
        }
    }

    /// The attacks of the faction's units in list order: attacker, factor, target by position. Units that are not in line are `None`.
    #[must_use]
    pub fn attacks(
        &self,
        figures: &Figures,
        engagement: Engagement,
        own: &[Option<Counter<'_>>],
        enemy: &[Option<Counter<'_>>],
    ) -> Vec<(usize, Factor, usize)> {
        // Targets in the order of the priority list, then of the enemy's list.
        let rank = |at: usize| {
            let id = enemy[at].map(|counter| counter.sheet.id);
            self.priority.iter().position(|wanted| Some(*wanted) == id).unwrap_or(usize::MAX)
        };
        let mut order: Vec<usize> = (0..enemy.len()).filter(|&at| enemy[at].is_some()).collect();
        order.sort_by_key(|&at| rank(at));
        let mut attacked = vec![0u32; enemy.len()];
        let mut attacks = Vec::new();
        for (at, counter) in own.iter().enumerate() {
            let Some(attacker) = *counter else { continue };
            // The highest factor first; on ties aircraft and guns before torpedoes.
            let mut factors: Vec<Factor> = Factor::ALL
                .into_iter()
                .filter(|&factor| engagement.allows(factor) && attacker.up().of(factor) > 0)
                .collect();
            factors.sort_by_key(|&factor| (std::cmp::Reverse(attacker.up().of(factor)), factor == Factor::Torpedo));
            let pick = factors.into_iter().find_map(|factor| {
                let mut legal = order.iter().copied().filter(|&target| {
                    enemy[target].is_some_and(|target| can(figures, engagement, attacker, factor, target))
                });
                let target = match self.targeting {
                    Targeting::Focus => legal.next(),
                    Targeting::Spread => legal.min_by_key(|&target| attacked[target]),
                };
                target.map(|target| (factor, target))
            });
            if let Some((factor, target)) = pick {
                attacked[target] += 1;
                attacks.push((at, factor, target));
            }
        }
        attacks
    }
}
