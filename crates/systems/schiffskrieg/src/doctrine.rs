//! Standing orders for a whole battle, for analysis.

use crate::attack::{self, Engagement, Order};
use crate::day_night::Action;
use crate::rules::Rules;
use crate::unit::{Counter, Factor, Id};
use flagplot_referee::{Shaped, words};
use serde::Deserialize;

#[words]
pub enum Targeting {
    Focus,
    /// The one with the fewest attacks so far.
    Spread,
}

#[words]
pub enum RetreatPolicy {
    Never,
    /// After the first round in any case.
    Always,
    IfFewer,
}

#[derive(Clone, Debug, Deserialize, Shaped)]
pub struct Doctrine {
    /// the wish in round 1 and in round 2
    pub wish: [Action; 2],
    /// all attacks at the first target, or spread evenly
    pub targeting: Targeting,
    /// enemy units to attack first
    #[shape(items = 0..=60, or = [])]
    pub priority: Vec<Id>,
    /// when the faction retreats after round 1
    pub retreat: RetreatPolicy,
}

impl Doctrine {
    pub fn retreats(&self, own: usize, enemy: usize) -> bool {
        match self.retreat {
            RetreatPolicy::Never => false,
            RetreatPolicy::Always => true,
            RetreatPolicy::IfFewer => own < enemy,
        }
    }

    pub fn attacks(
        &self,
        rules: &Rules,
        engagement: Engagement,
        own: &[Counter<'_>],
        enemy: &[Counter<'_>],
    ) -> Vec<Order> {
        // Targets in the order of the priority list, then of the enemy's line.
        let rank = |at: usize| self.priority.iter().position(|id| *id == enemy[at].sheet.id).unwrap_or(usize::MAX);
        let mut targets: Vec<usize> = (0..enemy.len()).collect();
        targets.sort_by_key(|&at| rank(at));
        let mut attacked = vec![0u32; enemy.len()];
        let mut attacks = Vec::new();
        for (at, &attacker) in own.iter().enumerate() {
            // The highest factor first; on ties aircraft and guns before torpedoes.
            let mut factors = Factor::ALL.to_vec();
            factors.sort_by_key(|&factor| (std::cmp::Reverse(attacker.up().of(factor)), factor == Factor::Torpedo));
            let pick = factors.into_iter().find_map(|factor| {
                let mut legal = targets
                    .iter()
                    .copied()
                    .filter(|&target| attack::check(rules, engagement, attacker, factor, enemy[target]).is_ok());
                let target = match self.targeting {
                    Targeting::Focus => legal.next(),
                    Targeting::Spread => legal.min_by_key(|&target| attacked[target]),
                };
                target.map(|target| (factor, target))
            });
            if let Some((factor, target)) = pick {
                attacked[target] += 1;
                attacks.push(Order { attacker: at as u8, factor, target: target as u8 });
            }
        }
        attacks
    }
}
