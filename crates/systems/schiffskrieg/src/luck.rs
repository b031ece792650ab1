//! The luck meter: what the dice of each attack gave, beside what they give on average.
//!
//! Each attack is judged by what it added to the points its target was bound to give, in the position it was rolled in.
//! These add up to the points for losses of the whole game, so the difference is the doing of the dice alone.

use crate::attack::{self, FOR_THE_BOX};
use crate::battle::counter;
use crate::game::{Schiffskrieg, State};
use crate::odds::taken;
use crate::points::step_loss;
use crate::results::{Fate, Taken, fate};
use crate::rules::Rules;
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
            let worth = |_: Side, _: u8, unit: Counter<'_>, fate: Fate| {
                step_loss(unit.sheet, unit.damaged, fate.sunk(), fate.damaged)
            };
            of_an_attack(&game.rules, &game.sheets, before.fight.as_ref(), after.fight.as_ref(), worth)
        }
        _ => Default::default(),
    }
}

fn in_scenario(game: &ScenarioGame, before: &ScenarioState, after: &ScenarioState) -> [Luck; 2] {
    let worth =
        |side: Side, at: u8, unit: Counter<'_>, fate: Fate| game.gain(side, at, unit, fate.sunk(), fate.damaged);
    of_an_attack(&game.rules, &game.sheets, before.fight.as_ref(), after.fight.as_ref(), worth)
}

fn of_an_attack(
    rules: &Rules,
    sheets: &BySide<Vec<Sheet>>,
    before: Option<&Fight>,
    after: Option<&Fight>,
    worth: impl Fn(Side, u8, Counter<'_>, Fate) -> i64,
) -> [Luck; 2] {
    let mut luck = [Luck::default(); 2];
    let (Some(before), Some(after)) = (before, after) else { return luck };
    let Some((side, [order, ..], multiplier)) = before.attacks(rules) else { return luck };
    let (enemy, at) = (side.other(), usize::from(order.target));
    let (Some(attacker), Some(was), Some(now)) = (
        before.line()[side].get(usize::from(order.attacker)),
        before.line()[enemy].get(at),
        after.line()[enemy].get(at),
    ) else {
        return luck;
    };
    let target = counter(sheets, enemy, was);
    let value = |taken: Taken| worth(enemy, was.unit, target, fate(target, taken));
    let dice = attack::dice(rules, counter(sheets, side, attacker), order.factor, target) * multiplier;
    let start = value(was.taken);
    let Ok(more) = taken(rules, dice, FOR_THE_BOX, Budget::default()) else { return luck };
    // Points only grow with what is taken: the gain is never below 0.
    let gain = |more: &Taken| u64::try_from(value(was.taken.and(*more)) - start).unwrap_or(0);
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
