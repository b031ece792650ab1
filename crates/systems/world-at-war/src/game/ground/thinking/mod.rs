//! What a sensible player does at once. [15.1 to 15.5, 15.10]

mod choices;

use super::GroundGame;
use super::choices::{BreakOff, OnOrAway, Order, Retreats, Spread, SpreadFor};
use super::losses::{Paid, Purse};
use super::map::{HexAt, UnitAt};
use super::outlook::{Face, GO_ON_FROM};
use super::plan;
use super::posture::Field;
use super::set::Set;
use super::state::{Attack, Fight, GroundState, Phase, Struggle};
use crate::ground::{AIR_PRICE, COUNTER_PRICE};
use crate::scenarios::{HexId, TurnOption};
use flagplot_kernel::{Side, Standing};

/// The option: the best attacks after movement against an attrition roll now. [15.1]
pub(super) fn option(game: &GroundGame, state: &GroundState) -> TurnOption {
    let open = &game.scenario.options;
    let allowed = |option| open.contains(&option);
    if allowed(TurnOption::Offensive) {
        let attacks: i64 = planned(game, state, 3).iter().map(|planned| planned.value).sum();
        if attacks > attrition_value(game, state) || !allowed(TurnOption::Attrition) {
            return TurnOption::Offensive;
        }
    }
    if allowed(TurnOption::Attrition) { TurnOption::Attrition } else { open[0] }
}

/// What an attrition roll now brings on average, in thousandths of a point.
pub(super) fn attrition_value(game: &GroundGame, state: &GroundState) -> i64 {
    let (attackers, defenders) = game.involved(state);
    if attackers.is_empty() {
        return 0;
    }
    let front = game.front(state, &attackers, &defenders);
    let each = (1..=6u8).filter_map(|face| front.attrition(&game.rules.charts, &mut Face(face)).ok());
    let sum: i64 =
        each.map(|result| 1000 * i64::from(result.counters.min(defenders.len())) + 250 * i64::from(result.hexes)).sum();
    sum / 6
}

/// Up to so many attacks that movement could bring about, each with units of its own.
fn planned(game: &GroundGame, state: &GroundState, most: usize) -> Vec<plan::Planned> {
    let reaches = plan::all_reaches(game, state);
    let (mut sim, mut bound, mut targets) = (state.clone(), Set::default(), Set::default());
    let mut plans = Vec::new();
    while plans.len() < most {
        let Some(next) = plan::best_after_moving(game, &sim, &reaches, &bound, &targets) else { break };
        bind(game, &mut sim, &next, &mut bound, &mut targets);
        plans.push(next);
    }
    plans
}

fn bind(game: &GroundGame, sim: &mut GroundState, next: &plan::Planned, bound: &mut Set, targets: &mut Set) {
    for (unit, hex) in &next.places {
        sim.unit_mut(*unit).hex = Some(*hex);
        sim.take(game.info(*unit).side, *hex);
        bound.insert(*unit);
    }
    sim.air[sim.active].ready -= next.attack.support;
    targets.insert(next.attack.target);
}

/// Attacks that a plan for one turn looks for.
const MOST_ATTACKS: usize = 5;

/// The next leg: units of the planned attacks first, then the others to better places. [15.2, 15.3]
pub(super) fn movement(game: &GroundGame, state: &GroundState) -> Order {
    let reaches = plan::all_reaches(game, state);
    let (mut sim, mut bound, mut targets) = (state.clone(), Set::default(), Set::default());
    let go = |unit: UnitAt, hex: HexAt| Order::Move { unit: game.info(unit).id.clone(), to: game.map.id(hex) };
    if state.option == TurnOption::Offensive {
        for _ in 0..MOST_ATTACKS {
            let Some(next) = plan::best_after_moving(game, &sim, &reaches, &bound, &targets) else { break };
            for (unit, hex) in &next.places {
                if state.unit(*unit).hex != Some(*hex) && game.has_room(state, *hex, *unit) {
                    return go(*unit, *hex);
                }
            }
            bind(game, &mut sim, &next, &mut bound, &mut targets);
        }
    }
    let field = Field::new(game, state, targets);
    for (unit, reach) in reaches.iter().filter(|(unit, _)| !bound.contains(*unit) && !state.unit(*unit).moved) {
        if let Some(hex) = field.better(*unit, reach) {
            return go(*unit, hex);
        }
    }
    Order::Done
}

pub(super) fn attack(game: &GroundGame, state: &GroundState) -> Option<Attack> {
    plan::best_attack(game, state)
}

/// What armor brings in a hex behind the enemy's line, in thousandths of a point.
fn behind(game: &GroundGame, state: &GroundState, unit: UnitAt, hex: HexAt) -> i64 {
    let side = state.active;
    let mut there = state.clone();
    there.unit_mut(unit).hex = Some(hex);
    there.take(side, hex);
    let cut = |state: &GroundState| {
        let supplied = game.supplied(state, side.other());
        game.army(state, side.other()).filter(|(_, _, at)| !supplied.contains(*at)).count() as i64
    };
    let own = game.supplied(&there, side).contains(hex);
    let taken = if state.controls(side.other(), hex) { 900 * game.map.worth(hex) } else { 0 };
    let aims = plan::aims(game, state, side).map(|aim| game.map.id(aim).hex().distance(game.map.id(hex).hex())).min();
    taken + 600 * (cut(&there) - cut(state)) - 30 * i64::from(aims.unwrap_or(0)) - if own { 0 } else { 500 }
}

/// The next unit through a breakthrough: to an objective, else to a hex that cuts supply. [15.5]
pub(super) fn exploit(game: &GroundGame, state: &GroundState) -> Order {
    let terrain = game.terrain(state, state.active);
    let mut best: Option<(i64, Order)> = None;
    for (unit, now, from) in game.army(state, state.active) {
        let stays = behind(game, state, unit, from);
        let id = || game.info(unit).id.clone();
        let mut weigh = |hex: HexAt, order: Order| {
            let gain = behind(game, state, unit, hex) - stays;
            if gain > 60 && best.as_ref().is_none_or(|(known, _)| gain > *known) {
                best = Some((gain, order));
            }
        };
        if now.exploiting {
            continue;
        }
        for through in game.may_exploit(state, unit).iter() {
            let fresh = game.fresh(state, unit, through);
            let reach = game.reach(&fresh, &terrain, unit, through, game.points_left(&fresh, unit));
            let mut hexes = reach.hexes;
            hexes.insert(through);
            for hex in hexes.iter().filter(|hex| game.has_room(state, *hex, unit)) {
                let order = Order::Exploit { unit: id(), through: game.map.id(through), to: game.map.id(hex) };
                weigh(hex, order);
            }
        }
    }
    best.map_or(Order::Done, |(_, order)| order)
}

/// Defensive air support where the fewest factors cost the enemy a column; interceptors where it did. [15.4]
pub(super) fn spread(game: &GroundGame, state: &GroundState, what: SpreadFor) -> Spread {
    let mut left = u32::from(state.air[what.side(state)].ready);
    let mut wishes: Vec<(i64, u32, HexAt)> = Vec::new();
    for (hex, limit) in game.spread_limits(state, what) {
        let Some(attack) = state.attack_on(hex) else { continue };
        let strengths = game.strengths(state, attack);
        match what {
            SpreadFor::Das => {
                let value = |das: u32| plan::value(game, state, &Attack { das: das as u8, ..*attack }, 3);
                let now = value(0);
                for columns in 1..=2 {
                    let Some(das) = das_for(strengths.attack, strengths.defense, columns) else { continue };
                    if das > 0 && das <= limit {
                        wishes.push(((now - value(das)) / i64::from(das), das, hex));
                    }
                }
            }
            SpreadFor::Intercept => {
                let without =
                    crate::ground::Strengths { defense: strengths.defense - u32::from(attack.das), ..strengths };
                if without.ratio().column() > strengths.ratio().column() {
                    wishes.push((1000, (u32::from(attack.das) * 2).min(limit), hex));
                }
            }
        }
    }
    wishes.sort_by_key(|(value, factors, hex)| (std::cmp::Reverse(*value), *factors, *hex));
    let mut spread = Spread::new();
    for (value, factors, hex) in wishes {
        let id = game.map.id(hex);
        let factors = if what == SpreadFor::Intercept { factors.min(left) } else { factors };
        if value > DAS_WORTH && factors > 0 && factors <= left && !spread.contains_key(&id) {
            left -= factors;
            spread.insert(id, factors as u8);
        }
    }
    spread
}

/// What a factor of defensive air support must save, in thousandths of a point.
const DAS_WORTH: i64 = 60;

/// The defensive air support that costs an attack so many columns.
fn das_for(attack: u32, defense: u32, columns: u32) -> Option<u32> {
    let now = (attack / defense.max(1)).min(5);
    let then = now.checked_sub(columns).filter(|then| *then > 0)?;
    // Just more than the strength that would still give the better column.
    Some((attack / (then + 1) + 1).saturating_sub(defense))
}

/// In the air the larger force fights on.
pub(super) fn air_on(_: &GroundGame, state: &GroundState, side: Side) -> OnOrAway {
    let Phase::AirCombat(combat) = state.phase else { return OnOrAway::Continue };
    let Some(attack) = state.attack_on(combat.target) else { return OnOrAway::Continue };
    let (own, enemy) = match side == state.active {
        true => (u32::from(attack.interceptors), u32::from(attack.das)),
        false => (u32::from(attack.das), u32::from(attack.interceptors)),
    };
    if 2 * own >= enemy { OnOrAway::Continue } else { OnOrAway::Withdraw }
}

/// The most certain attack first, so that what it opens can be used.
pub(super) fn next_attack(game: &GroundGame, state: &GroundState) -> HexId {
    let best = state.attacks.iter().max_by_key(|attack| {
        let strengths = game.strengths(state, attack);
        (strengths.attack * 100 / strengths.defense.max(1), std::cmp::Reverse(attack.target))
    });
    best.map_or(game.map.id(0), |attack| game.map.id(attack.target))
}

/// On at 1:1 or better. [15.5]
pub(super) fn go_on(game: &GroundGame, state: &GroundState, fight: &Fight) -> BreakOff {
    let column = game.strengths(state, &fight.attack).ratio().column();
    if column.is_some_and(|column| column >= GO_ON_FROM) { BreakOff::Continue } else { BreakOff::BreakOff }
}

/// The set that costs least: air before counters, counters before factors. [15.4]
pub(super) fn losses(game: &GroundGame, purse: &Purse, sets: &[Paid]) -> usize {
    let price = |(units, air): &Paid| {
        let infos = units.iter().map(|&at| game.info(purse.units[at].0));
        let (counters, armor) = infos.fold((0, 0), |(sum, armor), info| {
            (sum + COUNTER_PRICE + u32::from(info.factors), armor + u32::from(info.armor))
        });
        (counters + AIR_PRICE * air, armor)
    };
    (0..sets.len()).min_by_key(|&at| price(&sets[at])).unwrap_or(0)
}

/// What a counter is worth to its owner beside others: factors, armor, what it guards.
pub(super) fn price(game: &GroundGame, state: &GroundState, unit: UnitAt) -> i64 {
    let (info, now) = (game.info(unit), state.unit(unit));
    let Some(hex) = now.hex else { return 0 };
    let guards = if game.stack(state, hex).count() == 1 { 40 * game.map.worth(hex) + 30 } else { 0 };
    let lost = if now.isolated() { 150 } else { 0 };
    100 * i64::from(info.factors) + if info.armor { 80 } else { 0 } + guards - lost
}

/// Two into an objective or rough ground, armor first where armor can follow. [15.5]
pub(super) fn advance(game: &GroundGame, state: &GroundState, hex: HexAt, units: &[UnitAt], least: u32) -> Vec<UnitAt> {
    let most = game.stacking() as usize;
    let guarding = |unit: UnitAt| {
        let from = state.unit(unit).hex.unwrap_or(hex);
        game.map.worth(from) > 0 && game.stack(state, from).count() == 1
    };
    let mut order: Vec<UnitAt> = units.to_vec();
    order.sort_by_key(|unit| {
        (guarding(*unit), !game.info(*unit).armor, std::cmp::Reverse(game.info(*unit).factors), *unit)
    });
    let free = order.iter().filter(|unit| !guarding(**unit)).count();
    let attrition = least > 0;
    let wanted = match game.map.worth(hex) > 0 {
        _ if attrition && game.map.worth(hex) == 0 => 1,
        true => most,
        false => free.min(most),
    };
    order.truncate(wanted.max(least as usize));
    order
}

/// The hex whose loss hurts most: an objective, or one whose units have nowhere good to go. [12]
pub(super) fn take(game: &GroundGame, state: &GroundState, struggle: &Struggle) -> Option<HexAt> {
    let open = game.within_grasp(state, struggle);
    let open = open.iter().filter(|hex| !game.is_fortress(*hex));
    let harm = |hex: &HexAt| {
        let units = game.stack(state, *hex).map(|unit| match game.retreat(state, unit).0.severity {
            None => 1000,
            Some(severity) => 80 * i64::from(severity),
        });
        let guarded = units.sum::<i64>();
        plan::worth_taking(game, state, *hex, state.active) + guarded
    };
    open.max_by_key(|hex| (harm(hex), std::cmp::Reverse(*hex)))
}

/// A retreat to supply, good ground and what is to be held.
pub(super) fn retreat(retreats: &Retreats<'_>) -> (UnitAt, Option<HexAt>) {
    let (game, state) = retreats.game();
    let side = state.active.other();
    let supplied = game.supplied(state, side);
    let good = |(unit, to): &(UnitAt, Option<HexAt>)| {
        let Some(hex) = *to else { return (-1, 0) };
        let near = game.map.links(hex).meets(&supplied) || supplied.contains(hex);
        let holds = game.map.worth(hex) * 50 + if game.map.rough.contains(hex) { 20 } else { 0 };
        (i64::from(near), holds + i64::from(game.info(*unit).factors))
    };
    retreats.ways().max_by_key(good).unwrap_or((0, None))
}

/// The score as it stands, with what is within reach and what is cut off. [15.10]
pub(super) fn evaluate(game: &GroundGame, state: &GroundState, side: Side) -> Standing {
    let points = game.points(state);
    let mut standing = 1000 * (points[side] - points[side.other()]);
    if state.phase == Phase::Over {
        return standing;
    }
    let isolated = |side: Side| game.army(state, side).filter(|(_, unit, _)| unit.isolated()).count() as i64;
    let factors = |side: Side| i64::from(game.factors(game.army(state, side).map(|(unit, ..)| unit)));
    standing += game.threat(state, side.other()) - game.threat(state, side);
    standing += 700 * (isolated(side.other()) - isolated(side));
    standing + 30 * (factors(side) - factors(side.other()))
}
