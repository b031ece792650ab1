//! The luck meter: what the dice of a step gave, beside what they give on average.
//!
//! A round of combat and a barrage are judged by the points of the factors they eliminate, bombing by the points of the
//! bombs that the guns let through.

use super::AirGame;
use super::forecast::{ALL_WAYS, strength};
use super::state::{AirState, Phase, Role};
use flagplot_kernel::Luck;

impl AirGame {
    pub(super) fn luck_of(&self, before: &AirState, after: &AirState) -> [Luck; 2] {
        let mut luck = [Luck::default(); 2];
        let victory = &self.scenario.victory;
        let worth = |role: Role| match role {
            Role::Attacker => victory.defender_per_enemy_factor_eliminated,
            Role::Defender => victory.attacker_per_enemy_factor_eliminated,
        };
        // What a step eliminated: taken already, or still to be shared out.
        let gone = |role: Role| {
            let lost = after.wings[role].lost() - before.wings[role].lost();
            lost + i64::from(after.due[role].eliminated)
        };
        let mean = |sum: i64| 1000 * sum / ALL_WAYS;
        match before.phase {
            Phase::Fight { target, .. } => {
                let left = self.kinds.round(&self.rules, self.forces(before, target));
                for role in Role::BOTH {
                    let sum = left[role].iter().map(|&(_, lost, ways)| i64::from(lost) * ways).sum::<i64>();
                    luck[self.side(role.other()).index()] =
                        Luck { expected: mean(sum * worth(role)), real: 1000 * gone(role) * worth(role) };
                }
            }
            Phase::Guns { target } => {
                let force = self.forces(before, target).attacker;
                let place = self.target(target);
                let (mut lost, mut bombs) = (0, 0);
                for (left, gone, ways) in self.kinds.barrage(target, force) {
                    lost += i64::from(gone) * ways;
                    bombs += place.bombs(strength(left)) * ways;
                }
                let toll = after.raids[usize::from(target)].lost.attacker;
                let earlier = before.raids[usize::from(target)].lost.attacker;
                let turned = (toll.eliminated - earlier.eliminated) + (toll.aborted - earlier.aborted);
                let through = strength(force) - u32::from(turned);
                let price = worth(Role::Attacker);
                luck[self.side(Role::Defender).index()] =
                    Luck { expected: mean(lost * price), real: 1000 * gone(Role::Attacker) * price };
                luck[self.side(Role::Attacker).index()] =
                    Luck { expected: mean(bombs), real: 1000 * place.bombs(through) };
            }
            _ => {}
        }
        luck
    }
}
