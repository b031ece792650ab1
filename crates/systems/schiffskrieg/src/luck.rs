//! The luck meter: what the dice of each attack gave, beside what they give on average.
//!
//! Each attack is judged by what it added to the points its target was bound to give, in the position it was rolled in. These add up
//! to the points for losses of the whole game, so that the difference is the dice's doing and nothing else.

use crate::attack::FOR_THE_BOX;
use crate::battle::{self, Fighter, Order, counter};
use crate::game::{Schiffskrieg, State};
use crate::odds::taken;
use crate::points::{loss, step_loss};
use crate::raid;
use crate::results::{BoxName, Taken, fate};
use crate::scenario::{Fight, ScenarioGame, ScenarioState};
use crate::unit::{Counter, Sheet};
use flagplot_kernel::{BySide, Luck, Side};
use flagplot_odds::Budget;

/// What the dice of one step gave each side; nothing if it was no attack.
pub(crate) fn of_a_step(game: &Schiffskrieg, before: &State, after: &State) -> [Luck; 2] {
    match (game, before, after) {
        (Schiffskrieg::Scenario(game), State::Scenario(before), State::Scenario(after)) => {
            in_scenario(game, before, after)
        }
        (Schiffskrieg::Custom(game), State::Custom(before), State::Custom(after)) => {
            in_scenario(&game.battle, &before.battle, &after.battle)
        }
        (Schiffskrieg::Campaign(game), State::Campaign(before), State::Campaign(after)) => {
            let worth = |_: Side, _: u8, unit: Counter<'_>, sunk: bool, damaged: bool| {
                step_loss(unit.sheet, unit.damaged, sunk, damaged)
            };
            of_an_attack(&game.figures, &game.sheets, before.fight.as_ref(), after.fight.as_ref(), worth)
        }
        _ => Default::default(),
    }
}

fn in_scenario(game: &ScenarioGame, before: &ScenarioState, after: &ScenarioState) -> [Luck; 2] {
    let worth = |side: Side, unit: u8, counter: Counter<'_>, sunk: bool, damaged: bool| {
        let started = game.scenario.factions[side].units[usize::from(unit)].damaged;
        i64::from(loss(counter.sheet, started, sunk, damaged))
            - i64::from(loss(counter.sheet, started, false, counter.damaged))
    };
    of_an_attack(&game.figures, &game.sheets, before.fight.as_ref(), after.fight.as_ref(), worth)
}

/// The side that attacks, the attack that is rolled next, and what its dice are multiplied by.
fn next_attack(figures: &crate::figures::Figures, fight: &Fight) -> Option<(Side, Order, u32)> {
    match fight {
        Fight::Battle(battle) => match battle.phase {
            battle::Phase::Attacks(role) => Some((role.side(battle.phasing), *battle.orders.first()?, 1)),
            _ => None,
        },
        Fight::Raid(raid) => match raid.phase {
            raid::Phase::Attacks(side) => {
                let surprise =
                    if side == raid.raiders && raid.surprised() { u32::from(figures.surprise_multiplier) } else { 1 };
                Some((side, *raid.orders.first()?, surprise))
            }
            _ => None,
        },
    }
}

fn line(fight: &Fight) -> &BySide<Vec<Fighter>> {
    match fight {
        Fight::Battle(battle) => &battle.line,
        Fight::Raid(raid) => &raid.line,
    }
}

fn of_an_attack(
    figures: &crate::figures::Figures,
    sheets: &BySide<Vec<Sheet>>,
    before: Option<&Fight>,
    after: Option<&Fight>,
    worth: impl Fn(Side, u8, Counter<'_>, bool, bool) -> i64,
) -> [Luck; 2] {
    let mut luck = [Luck::default(); 2];
    let (Some(before), Some(after)) = (before, after) else { return luck };
    let Some((side, order, multiplier)) = next_attack(figures, before) else { return luck };
    let enemy = side.other();
    let at = usize::from(order.target);
    let (Some(attacker), Some(was), Some(now)) =
        (line(before)[side].get(usize::from(order.attacker)), line(before)[enemy].get(at), line(after)[enemy].get(at))
    else {
        return luck;
    };
    let target = counter(sheets, enemy, was);
    let value = |taken: Taken| {
        let fate = fate(target, taken);
        worth(enemy, was.unit, target, fate.box_name == BoxName::SunkDestroyed, fate.damaged)
    };
    let dice = crate::attack::dice(figures, counter(sheets, side, attacker), order.factor, target) * multiplier;
    let start = value(was.taken);
    let Ok(more) = taken(figures, dice, FOR_THE_BOX, Budget::default()) else { return luck };
    // Points only grow with what is taken, so that the gain is never below 0.
    let gain = |more: &Taken| {
        let all = Taken {
            damage_points: was.taken.damage_points + more.damage_points,
            disabled: was.taken.disabled || more.disabled,
        };
        u64::try_from(value(all) - start).unwrap_or(0)
    };
    let mean = more.expect(gain);
    let expected = (mean.numerator() * 1000u16 / mean.denominator()).try_into().unwrap_or(0);
    luck[side.index()] = Luck { expected, real: 1000 * (value(now.taken) - start) };
    luck
}

/// The luck of a whole game from its checkpoints in order.
pub fn luck<'a>(game: &Schiffskrieg, checkpoints: impl IntoIterator<Item = &'a State>) -> [Luck; 2] {
    let mut sum = [Luck::default(); 2];
    let mut before: Option<&State> = None;
    for after in checkpoints {
        if let Some(before) = before {
            for (sum, more) in sum.iter_mut().zip(of_a_step(game, before, after)) {
                *sum += more;
            }
        }
        before = Some(after);
    }
    sum
}
