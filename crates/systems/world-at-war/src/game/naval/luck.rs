//! What the dice of a step gave a side, beside what they give on average. [luck]

use super::NavalGame;
use super::odds::{ALL, WEIGHTS};
use super::state::{NavalState, Open, Phase, Stage};
use super::thinking::air::Force;
use flagplot_kernel::{BySide, Luck, Side};

/// Points that the losses of a side are worth to its enemy, in thousandths.
fn lost(game: &NavalGame, open: &Open) -> BySide<i64> {
    game.losses(open).map(|points| 1000 * points)
}

/// The attacks of a strike and of a fleet by the points they brought, air defense and CAP by the squadrons shot down.
pub(super) fn of_a_step(game: &NavalGame, before: &NavalState, after: &NavalState) -> [Luck; 2] {
    let open = &before.open;
    let mut luck = BySide { first: Luck::default(), second: Luck::default() };
    match open.phase {
        Phase::Shot { pair, at } => {
            if let (Some(order), Some(pair), Some(fired)) =
                (open.fire.get(usize::from(at)), game.pair(open, pair), after.open.fire.get(usize::from(at)))
            {
                let enemy = pair[order.side.other()];
                let target = game.target(open, enemy, order.target, game.screened(open, enemy));
                let points = |hits: u32| 1000 * game.harm(open, order.target, &target, hits).points;
                let (factors, modifier) = game.fire_modifier(open, pair, order);
                let dice = WEIGHTS.iter().enumerate();
                let mean: i64 =
                    dice.map(|(roll, weight)| weight * points(game.glance.fleet(factors, roll, modifier))).sum();
                luck[order.side] = Luck { expected: mean / ALL, real: points(fired.hits.into()) };
            }
        }
        Phase::Strike(Stage::Attack(at)) => {
            let flight = &open.flights[0];
            if let Some(&(mark, _)) = flight.aims.get(usize::from(at)) {
                let squadrons = game.filled(open, flight).swap_remove(usize::from(at));
                let force = Force::new(game, squadrons.iter().copied());
                let (target, modifier) =
                    (game.target(open, flight.target, mark, false), game.strike_modifier(open, flight, mark, force));
                let dice = WEIGHTS.iter().enumerate();
                let mean: i64 = dice
                    .map(|(roll, weight)| {
                        let hits = game.glance.air(force.count, roll, modifier);
                        weight * 1000 * game.harm(open, mark, &target, hits).points
                    })
                    .sum();
                // Squadrons that go down with their carrier are no matter of these dice.
                let side = flight.side;
                let ships = |open: &Open| {
                    let each = game.scenario.victory.squadron_eliminated;
                    lost(game, open)[side.other()] - 1000 * each * i64::from(open.squadrons_lost[side.other()])
                };
                luck[side] = Luck { expected: mean / ALL, real: ships(&after.open) - ships(open) };
            }
        }
        Phase::Strike(Stage::Guns) => {
            let flight = &open.flights[0];
            let level = game.gun_level(open, flight);
            let count = flight.squadrons();
            if count > 0 && level > 0 {
                let each = 1000 * game.scenario.victory.squadron_eliminated;
                let dice = WEIGHTS.iter().enumerate();
                let mean: i64 = dice
                    .map(|(roll, weight)| {
                        weight * each * i64::from(game.glance.defense(level, roll).eliminated.min(count))
                    })
                    .sum();
                let real = lost(game, &after.open)[flight.side] - lost(game, open)[flight.side];
                luck[flight.side.other()] = Luck { expected: mean / ALL, real };
            }
        }
        Phase::Strike(Stage::Cap) => {
            let flight = &open.flights[0];
            let prospect = game.cap_prospect(before, flight);
            for side in Side::BOTH {
                let (own, enemy) = if side == flight.side {
                    (prospect.force, prospect.patrol)
                } else {
                    (prospect.patrol, prospect.force)
                };
                let sign = if side == flight.side { 1 } else { -1 };
                let modifier = sign * prospect.combat_modifier();
                let each = 1000 * game.scenario.victory.squadron_eliminated;
                let dice = WEIGHTS.iter().enumerate();
                let mean: i64 = dice
                    .map(|(roll, weight)| {
                        let toll = game.glance.combat(own.count, roll, modifier);
                        weight * each * i64::from(toll.eliminated.min(enemy.count))
                    })
                    .sum();
                let real = lost(game, &after.open)[side.other()] - lost(game, open)[side.other()];
                luck[side] = Luck { expected: mean / ALL, real };
            }
        }
        _ => {}
    }
    [luck.first, luck.second]
}
