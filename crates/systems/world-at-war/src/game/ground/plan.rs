//! Attack plans: the cheapest force for each odds column, now and after movement. [15.2, C-33]

use super::GroundGame;
use super::map::{HexAt, UnitAt};
use super::movement::Reach;
use super::set::Set;
use super::state::{Attack, GroundState};
use crate::charts::OddsColumn;
use flagplot_kernel::Side;

/// What a hex is worth to the side that takes it, beside the counters in it, in thousandths of a point.
pub(super) fn worth_taking(game: &GroundGame, state: &GroundState, hex: HexAt, side: Side) -> i64 {
    let objective = if state.controls(side.other(), hex) { 1000 * game.map.worth(hex) } else { 0 };
    let supply = if game.map.supply[side.other()].contains(hex) { 150 } else { 0 };
    let towards = aims(game, state, side).map(|aim| game.map.id(aim).hex().distance(game.map.id(hex).hex())).min();
    let near = towards.map_or(0, |distance| 120 - 30 * i64::from(distance.min(4)));
    objective + supply + near + 100
}

/// The objectives in enemy hands.
pub(super) fn aims<'a>(game: &'a GroundGame, state: &'a GroundState, side: Side) -> impl Iterator<Item = HexAt> + 'a {
    game.map.objectives.iter().map(|(hex, _)| *hex).filter(move |hex| state.controls(side.other(), *hex))
}

/// The worst odds a side attacks at: the attacker of the scenario takes risks, the defender strikes back when it is
/// cheap. [15.1]
pub(super) fn least_column(game: &GroundGame, side: Side) -> u32 {
    if side == game.limits.attacker { 2 } else { 3 }
}

/// Whether a side attacks a hex at all: the defender of the scenario does so only to retake an objective or to free
/// isolated units. [15.1]
fn has_purpose(game: &GroundGame, state: &GroundState, target: HexAt) -> bool {
    let side = state.active;
    side == game.limits.attacker
        || game.map.worth(target) > 0 && state.controls(side.other(), target)
        || game.frees(state, side, target)
}

/// The order in which units are put into an attack.
#[derive(Clone, Copy)]
enum First {
    Infantry,
    Armor,
}

fn ordered(game: &GroundGame, mut units: Vec<UnitAt>, first: First) -> Vec<UnitAt> {
    units.sort_by_key(|unit| {
        let info = game.info(*unit);
        let late = match first {
            First::Infantry => info.armor,
            First::Armor => !info.armor,
        };
        (late, std::cmp::Reverse(info.factors), *unit)
    });
    units
}

/// For each odds column the smallest part of these units, in their order, that reaches it, with the air it needs.
fn for_each_column(game: &GroundGame, state: &GroundState, target: HexAt, order: &[UnitAt], out: &mut Vec<Attack>) {
    let ready = u32::from(state.air[state.active].ready);
    let (mut units, mut ground) = (Set::default(), 0);
    let mut open = [true; 5];
    for unit in order {
        units.insert(*unit);
        ground += u32::from(game.info(*unit).factors);
        let attack = Attack { target, units, support: 0, das: 0, interceptors: 0 };
        let defense = game.strengths(state, &attack).defense;
        let most = game.support_limit(ground).min(ready);
        for (at, open) in open.iter_mut().enumerate().filter(|(_, open)| **open) {
            let air = (defense * (at as u32 + 1)).saturating_sub(ground);
            if air <= most {
                *open = false;
                out.push(Attack { support: air as u8, ..attack });
            }
        }
    }
}

/// The cheapest attacks on every hex within reach now, for each odds column. [C-33]
pub(super) fn cheapest_attacks(game: &GroundGame, state: &GroundState) -> Vec<Attack> {
    let mut out = Vec::new();
    for target in game.attackable(state).iter() {
        let ready: Vec<UnitAt> = game.ready_against(state, target).iter().collect();
        for first in [First::Infantry, First::Armor] {
            for_each_column(game, state, target, &ordered(game, ready.clone(), first), &mut out);
        }
    }
    let mut kept: Vec<Attack> = Vec::new();
    for attack in out {
        if !kept.contains(&attack) && game.strengths(state, &attack).ratio().column().is_some() {
            kept.push(attack);
        }
    }
    kept
}

/// Rounds an attack is followed for when it is weighed at its declaration.
const ROUNDS: u32 = 4;

/// What an attack is worth to the attacker, in thousandths of a point.
pub(super) fn value(game: &GroundGame, state: &GroundState, attack: &Attack, rounds: u32) -> i64 {
    let side = game.units[usize::from(attack.units.nth(0).unwrap_or(0))].side;
    let hex = worth_taking(game, state, attack.target, side);
    let outlook = game.outlook(state, attack, rounds);
    let armor = attack.units.iter().any(|unit| game.info(unit).armor);
    let through = if armor { outlook.chance() / 5 } else { 0 };
    // Isolated enemies fall without a fight.
    let starving = game.stack(state, attack.target).all(|unit| state.unit(unit).isolated());
    outlook.worth(hex) + through - if starving { 500 } else { 0 } - 20 * i64::from(attack.support)
}

fn strong_enough(game: &GroundGame, state: &GroundState, attack: &Attack) -> bool {
    let least = least_column(game, state.active);
    let column = game.strengths(state, attack).ratio().column();
    column.is_some_and(|column| column as u32 >= OddsColumn::Even as u32 + least - 1)
}

/// What an attack must be worth to be made.
const WORTH_IT: i64 = 150;

/// The next attack to declare: the best for each factor it ties down; none if no attack is worth it.
pub(super) fn best_attack(game: &GroundGame, state: &GroundState) -> Option<Attack> {
    let open = |attack: &Attack| strong_enough(game, state, attack) && has_purpose(game, state, attack.target);
    let all = cheapest_attacks(game, state).into_iter().filter(open);
    let each = all.map(|attack| (value(game, state, &attack, ROUNDS), attack));
    let good = each.filter(|(value, _)| *value > WORTH_IT);
    good.max_by_key(|(value, attack)| {
        let factors = game.factors(attack.units.iter()) + u32::from(attack.support);
        (value * 100 / i64::from(6 + factors), std::cmp::Reverse(attack.target))
    })
    .map(|(_, attack)| attack)
}

/// An attack that is to be made after movement, with where its units go.
pub(super) struct Planned {
    pub attack: Attack,
    pub places: Vec<(UnitAt, HexAt)>,
    pub value: i64,
}

/// Where every unit of the active side can get to.
pub(super) fn all_reaches(game: &GroundGame, state: &GroundState) -> Vec<(UnitAt, Reach)> {
    let terrain = game.terrain(state, state.active);
    let army = game.army(state, state.active);
    army.map(|(unit, _, hex)| (unit, game.reach(state, &terrain, unit, hex, game.points_left(state, unit)))).collect()
}

/// Units weighed for one attack.
const MOST_UNITS: usize = 7;

/// The best attack that units not yet bound can make after moving. `sim` is the battle with the bound units in place.
pub(super) fn best_after_moving(
    game: &GroundGame,
    sim: &GroundState,
    reaches: &[(UnitAt, Reach)],
    bound: &Set,
    planned: &Set,
) -> Option<Planned> {
    let enemies = game.occupied(sim, sim.active.other());
    let mut best: Option<(i64, Planned)> = None;
    for target in enemies.without(planned).iter().filter(|target| has_purpose(game, sim, *target)) {
        let around = *game.map.links(target);
        let mut near: Vec<(bool, u8, UnitAt)> = Vec::new();
        for (unit, reach) in reaches {
            let now = sim.unit(*unit);
            if bound.contains(*unit) || now.isolated() || now.attacked {
                continue;
            }
            let here = around.contains(reach.from);
            let cheapest = around.and(&reach.hexes).iter().filter_map(|hex| reach.cost(hex)).min();
            if let Some(cost) = if here { Some(0) } else { cheapest } {
                near.push((game.info(*unit).armor, cost, *unit));
            }
        }
        near.sort_unstable();
        near.truncate(MOST_UNITS);
        let mut trial = sim.clone();
        let (mut units, mut places, mut ground) = (Set::default(), Vec::new(), 0);
        let mut last = 0;
        for (_, _, unit) in near {
            let Some((_, reach)) = reaches.iter().find(|(other, _)| *other == unit) else { continue };
            let Some(place) = slot(game, &trial, unit, reach, target, &around) else { continue };
            trial.unit_mut(unit).hex = Some(place);
            units.insert(unit);
            places.push((unit, place));
            ground += u32::from(game.info(unit).factors);
            let ready = u32::from(sim.air[sim.active].ready);
            let attack = Attack { target, units, support: 0, das: 0, interceptors: 0 };
            let defense = game.strengths(&trial, &attack).defense.max(1);
            let most = ground + game.support_limit(ground).min(ready);
            let (low, high) = ((ground / defense).max(1), (most / defense).min(5));
            for column in low.max(least_column(game, sim.active))..=high {
                if column < last {
                    continue;
                }
                last = column;
                let support = (defense * column).saturating_sub(ground) as u8;
                let attack = Attack { support, ..attack };
                let value = value(game, &trial, &attack, 1);
                let score = value * 100 / i64::from(6 + ground + u32::from(support));
                if value > WORTH_IT && best.as_ref().is_none_or(|(known, _)| score > *known) {
                    best = Some((score, Planned { attack, places: places.clone(), value }));
                }
            }
        }
    }
    best.map(|(_, planned)| planned)
}

/// Where a unit best stands to attack a hex: on its own side of no river, in good ground, or where it is.
fn slot(
    game: &GroundGame,
    trial: &GroundState,
    unit: UnitAt,
    reach: &Reach,
    target: HexAt,
    around: &Set,
) -> Option<HexAt> {
    let mut places = around.and(&reach.hexes);
    if around.contains(reach.from) {
        places.insert(reach.from);
    }
    let open = places.iter().filter(|hex| game.has_room(trial, *hex, unit));
    open.min_by_key(|hex| {
        let river = game.map.across_river(*hex, target);
        let moves = *hex != reach.from;
        (river, moves, reach.cost(*hex), !game.map.rough.contains(*hex))
    })
}
