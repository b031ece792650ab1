//! What a sensible pilot does without thinking ahead, what a random one may do, and how good a position is. Everything
//! is counted in thousandths of a hit (fire) or of a victory point (standing).

use super::choices::{Cancel, EngineChoice, EngineOption, VerticalChoice};
use super::choose_move::{MoveChoice, Points};
use super::choose_targets::Targets;
use super::state::{Act, Craft, CraftId, GivenUp, Phase, State, VerticalOption};
use super::{Declarations, Dogfight, home};
use crate::bet::{Bet, Tasks};
use crate::edge::{self, Hold};
use crate::fire;
use crate::movement;
use crate::position::{Bearing, Position, on_map};
use crate::tables::bet_row;
use crate::words::{Alliance, Flight, Pitch, Status};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Chance, Choice, Standing};
use std::cmp::Reverse;

impl Choice for Cancel<'_> {
    fn instinct(&self, _: &mut Chance) -> GivenUp {
        cancel(self).into()
    }
}

impl Choice for MoveChoice<'_> {
    /// Guessing is much quicker than listing everything, and flying comes more often than betting.
    fn sample(&self, chance: &mut Chance) -> Act {
        for _ in 0..6 {
            let guess = guess(self, chance);
            if self.check_act(&guess).is_ok() {
                return guess;
            }
        }
        let acts = self.acts(Points::NoneAndMost);
        chance.pick(&acts).copied().unwrap_or(Act::Stop)
    }

    fn instinct(&self, chance: &mut Chance) -> Act {
        let acts = self.acts(Points::NoneAndMost);
        acts.into_iter().max_by_key(|act| act_worth(self, act) + i64::from(chance.below(40))).unwrap_or(Act::Stop)
    }
}

impl Choice for Targets<'_> {
    fn listed(&self) -> bool {
        true
    }

    fn sample(&self, chance: &mut Chance) -> Declarations {
        let aims = self.crews().map(|own| {
            let aims = self.aims(own);
            (own, aims[chance.below(aims.len() as u32) as usize])
        });
        mended(self, aims.collect())
    }

    fn instinct(&self, _: &mut Chance) -> Declarations {
        targets(self)
    }
}

/// An act that may well be legal.
fn guess(choice: &MoveChoice<'_>, chance: &mut Chance) -> Act {
    let bets = chance.below(2) == 0;
    let level = bets.then(|| chance.below(4) as i32);
    let points = if bets && chance.below(2) == 0 { choice.most_points(level.unwrap_or(0)) } else { 0 };
    if choice.game.points_left(choice.mover) == 0 {
        return match chance.below(8) {
            0 => Act::Spin,
            1..=4 => Act::BetOnly { level, points },
            _ => Act::Stop,
        };
    }
    match (chance.below(40), choice.is_in_middle()) {
        (0, _) => Act::Spin,
        (1..=3, true) if choice.mover.just_stayed => Act::Stop,
        (1..=12, _) => Act::Stay { level, points },
        (_, true) => Act::Exit { edge: Direction::new(chance.below(6) as i32), level, points },
        (13..=25, false) => Act::Straight { level, points },
        (_, false) => Act::Facing { turn: [-2, -1, 1, 2, 3][chance.below(5) as usize], points },
    }
}

/// Declarations without the formations that cannot be.
fn mended(choice: &Targets<'_>, mut aims: Vec<(CraftId, Option<CraftId>)>) -> Declarations {
    let friend = |own: CraftId, target: Option<CraftId>| target.is_some_and(|target| choice.game.friends(own, target));
    for at in 0..aims.len() {
        let (own, target) = aims[at];
        let leads = aims.iter().any(|&(other, aim)| aim == Some(own) && friend(other, aim));
        let led_by_follower = aims.iter().any(|&(other, aim)| Some(other) == target && friend(other, aim));
        if friend(own, target) && (leads || led_by_follower) {
            aims[at].1 = None;
        }
    }
    choice.answer(aims)
}

/// The number of ways to throw a total with two dice.
const WAYS: [i64; 13] = [0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];

/// The hits expected of a gun with this modifier, in thousandths.
fn expected_hits(modifier: i32) -> i64 {
    (2..=12).map(|total: i32| WAYS[total as usize] * i64::from((total + modifier).max(0))).sum::<i64>() * 1000 / 36
}

/// Of 36 throws, how many reach a number.
pub(super) fn ways_to_reach(number: i32) -> i64 {
    (2..=12).filter(|total: &i32| *total >= number).map(|total| WAYS[total as usize]).sum()
}

/// What an aircraft's guns may be expected to do at an edge and a range; the criticals of a good shot are worth as
/// much again.
fn firepower(game: &Dogfight, state: &State, id: CraftId, edge: i32, half_hexes: i32) -> i64 {
    if edge < 1 {
        return 0;
    }
    let gun = game.gun(state, id, edge.min(edge::MOST), half_hexes);
    let skill = match gun.shooting {
        2.. => 17,
        1 => 14,
        0 => 12,
        _ => 11,
    };
    expected_hits(gun.modifier(&game.rules.tables)) * i64::from(game.info(id).ratings.guns) * skill / 10
}

/// How much of its firepower an aircraft keeps when it is not known yet where its target will be.
fn reach(from: &Position, to: &Position) -> i64 {
    let levels = i64::from(from.levels_to(to));
    let across = match from.hexes_to(to) {
        0 | 1 => 45,
        2 => 25,
        3 => 10,
        _ => 4,
    };
    if levels > 1 { across / (2 * levels) } else { across }
}

/// Whether it is known where a hunter and its prey will be when the guns speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settled {
    Here,
    /// The prey has moved, the hunter has a step left.
    WithAStepLeft,
    No,
}

impl Settled {
    fn when(settled: bool) -> Settled {
        if settled { Settled::Here } else { Settled::No }
    }
}

/// What the guns may be expected to do from a place.
fn shot(game: &Dogfight, state: &State, hunter: CraftId, at: &Position, prey: &Position, edge: i32) -> i64 {
    let range = fire::range(&game.rules.tables, at, prey).in_reach();
    range.map_or(0, |half_hexes| firepower(game, state, hunter, edge, half_hexes))
}

/// Where another step may lead.
fn follow_ups(at: &Position) -> impl Iterator<Item = Position> + use<'_> {
    let (hex, from, turns) = match at.facing {
        Some(facing) => (at.hex.step(facing), facing, 5),
        None => (at.hex, Direction::new(0), 6),
    };
    let edges = (0..turns).map(move |turn| Some(from.turn([0, 1, -1, 2, -2, 3][turn])));
    edges.chain([None]).map(move |facing| Position { hex, facing, ..*at })
}

/// What an aircraft may expect of its edge over another, this turn and the next.
fn prospects(
    game: &Dogfight,
    state: &State,
    hunter: CraftId,
    at: &Position,
    prey: &Position,
    edge: i32,
    settled: Settled,
) -> i64 {
    let now = match settled {
        Settled::Here => shot(game, state, hunter, at, prey, edge),
        Settled::WithAStepLeft => {
            let next = follow_ups(at).map(|next| shot(game, state, hunter, &next, prey, edge)).max().unwrap_or(0);
            next * 4 / 5
        }
        Settled::No => firepower(game, state, hunter, edge, 1) * reach(at, prey) / 100,
    };
    let carried = edge::carried(at, prey, Hold::Kept(edge)).edge + game.rules.diagram.bonus(at, prey).bonus;
    now + firepower(game, state, hunter, carried, 0) * reach(at, prey) / 100 * 4 / 5 + i64::from(carried) * 60
}

/// Targets: keep one it has an edge over, else take the nearest; close up on a friend while the enemy is far.
pub(super) fn targets(choice: &Targets<'_>) -> Declarations {
    let (game, state) = (choice.game, choice.state);
    let mut followed: Vec<CraftId> = Vec::new();
    let mut aims: Vec<(CraftId, Option<CraftId>)> = Vec::new();
    for own in choice.crews() {
        let craft = state.get(own);
        let enemies: Vec<CraftId> = state.in_play().filter(|&other| !game.friends(own, other)).collect();
        let nearest =
            enemies.iter().map(|&other| craft.position.hexes_to(&state.get(other).position)).min().unwrap_or(0);
        let leads = |aim: Option<CraftId>| aim.is_none_or(|target| !game.friends(own, target));
        let leader = aims.iter().find(|&&(friend, aim)| choice.check_one(own, friend).is_ok() && leads(aim));
        let leader = leader.map(|&(friend, _)| friend);
        let target = if home::wants_home(game, state, own) {
            None
        } else if let Some(leader) = leader.filter(|_| nearest > 4 && !followed.contains(&own)) {
            followed.push(leader);
            Some(leader)
        } else {
            enemies.into_iter().max_by_key(|&other| (worth_chasing(game, state, own, other), Reverse(other)))
        };
        aims.push((own, target));
    }
    choice.answer(aims)
}

/// What targets are worth as far as instinct goes, to put the better ones first.
pub(super) fn worth_of_targets(choice: &Targets<'_>, answer: &Declarations) -> i64 {
    let (game, state) = (choice.game, choice.state);
    let pairs = answer.0.iter().filter_map(|(own, target)| Some((game.find(own)?, game.find(target.as_deref()?)?)));
    let chased: Vec<i64> = pairs
        .filter(|&(own, target)| !game.friends(own, target))
        .map(|(own, target)| worth_chasing(game, state, own, target))
        .collect();
    chased.iter().sum::<i64>() - NO_TARGET * (answer.0.len() - chased.len()) as i64
}

/// What it costs to have no target.
const NO_TARGET: i64 = 5000;

/// What a new target carries over against an aircraft if it keeps it as its target.
pub(super) fn carried_against(state: &State, own: CraftId, target: CraftId) -> Option<i32> {
    let (craft, prey) = (state.get(own), state.get(target));
    let edge = prey.edge.filter(|_| prey.target == Some(own))?;
    Some(edge::carried(&prey.position, &craft.position, Hold::Kept(edge)).edge)
}

fn worth_chasing(game: &Dogfight, state: &State, own: CraftId, other: CraftId) -> i64 {
    let (craft, prey) = (state.get(own), state.get(other));
    let hold = if craft.target == Some(other) {
        Hold::Kept(craft.edge.unwrap_or(0))
    } else {
        Hold::New(carried_against(state, own, other))
    };
    let edge = edge::carried(&craft.position, &prey.position, hold).edge
        + game.rules.diagram.bonus(&craft.position, &prey.position).bonus;
    let hunted = state.hunters(game, other).iter().any(|&hunter| hunter != own);
    i64::from(edge) * 900
        - i64::from(craft.position.hexes_to(&prey.position)) * 800
        - i64::from(craft.position.levels_to(&prey.position)) * 500
        + i64::from(hunted) * 200
        + i64::from(prey.harm.boxes.marks_made()) * 25
        - i64::from(prey.flight == Flight::Spinning) * 600
}

/// The price of a speed that is near the minimum.
fn slowness(margin: i32) -> i64 {
    match margin {
        ..=-2 => -8000,
        -1 => -5000,
        0 => -2200,
        1 => -500,
        2 => -120,
        _ => 0,
    }
}

/// Climb or dive: toward the target's level, with speed in hand.
pub(super) fn vertical(choice: &VerticalChoice<'_>) -> VerticalOption {
    choice.open().into_iter().max_by_key(|&option| vertical_worth(choice, option)).unwrap_or(VerticalOption::Stay)
}

fn vertical_worth(choice: &VerticalChoice<'_>, option: VerticalOption) -> i64 {
    let (game, state, mover) = (choice.game, choice.state, choice.mover);
    let craft = state.get(mover.who);
    let ratings = &game.info(mover.who).ratings;
    let (speed, level, pitch, points) = match game.vertical(state, mover, option) {
        Some(made) => (made.speed, craft.position.level + made.levels, made.pitch, made.points),
        None => (mover.tally.speed, craft.position.level, Pitch::Level, 0),
    };
    if level < 1 {
        return -100_000;
    }
    let mut worth = want_of_speed(speed - ratings.min_speed) - i64::from((points - 1).max(0)) * 150;
    worth += i64::from(speed.min(7)) * SPEED_POINT + half_levels(level, pitch) * HALF_LEVEL;
    if option != VerticalOption::Stay {
        worth -= 20;
    }
    if speed > ratings.max_dive - craft.harm.boxes.wear().max_dive_reduction {
        worth -= 6000;
    }
    if level == 1 && pitch == Pitch::Diving {
        worth -= 5000;
    }
    if option == VerticalOption::LevelOff {
        worth -= if movement::finish_points(&game.rules.tables, mover.tally.speed) > 1 { 2500 } else { 500 };
    }
    if let Some(prey) = state.prey(game, mover.who) {
        let there = &state.get(prey).position;
        let levels = i64::from((level - there.level).abs());
        worth -= if levels > 1 { levels * 500 } else { 0 };
        // The shot from right beside the target, where the levels alone make the range.
        let beside = Position { hex: there.hex, facing: None, level, pitch };
        if let Some(half_hexes) = fire::range(&game.rules.tables, &beside, there).in_reach() {
            let edge = craft.edge.unwrap_or(0).max(0) + 1;
            worth += 100 + firepower(game, state, mover.who, edge, half_hexes) * reach(&craft.position, there) / 100;
        }
    } else if level < 3 {
        worth -= i64::from(3 - level) * 200;
    }
    worth
}

/// The price of being near the minimum before the steps of a move, which cost speed too: height is spent on speed only
/// when a stall is near.
fn want_of_speed(above_minimum: i32) -> i64 {
    match above_minimum {
        ..=-1 => -5000,
        0 => -2500,
        1 => -900,
        2 => -30,
        _ => 0,
    }
}

/// What a point of speed is worth, up to 7.
const SPEED_POINT: i64 = 90;
/// What half a level is worth: a little more than the speed that a dive makes of it.
const HALF_LEVEL: i64 = 105;

/// Height in half levels, with what an aircraft is about to gain or lose.
fn half_levels(level: i32, pitch: Pitch) -> i64 {
    let leaving = match pitch {
        Pitch::Climbing => 1,
        Pitch::Level => 0,
        Pitch::Diving => -1,
    };
    i64::from(2 * level + leaving)
}

/// Every act is weighed by what it gains, what it risks and where it leads.
fn act_worth(choice: &MoveChoice<'_>, act: &Act) -> i64 {
    let (game, state, mover) = (choice.game, choice.state, choice.mover);
    let craft = state.get(mover.who);
    if let Act::Spin = act {
        // Falling away is for those who are about to be shot to pieces, high up.
        return if craft.position.level > 4 { -9000 } else { -30_000 };
    }
    let Ok(Some(plan)) = game.plan(state, mover, act) else {
        return place_worth(choice, craft, &craft.position, 0, 0);
    };
    if let Some(status) = game.leaves(state, mover, plan.maneuver) {
        let home = status == Status::LeftHome
            && home::wants_home(game, state, mover.who)
            && !home::too_early(game, state, mover.who);
        return if home { 30_000 } else { -40_000 };
    }
    let to = plan.goal(&craft.position).map_or(craft.position, |(to, _)| to);
    let Some(bet) = &plan.bet else { return place_worth(choice, craft, &to, 0, 0) };
    let win = ways_to_reach(bet.needs(&game.rules.tables));
    let cost = bet.speed_cost(&game.rules.tables);
    let won = place_worth(choice, craft, &to, bet.gain(), cost);
    let lost = {
        let kept = (bet.points - 2).max(0);
        // Nothing of the manoeuvre is left.
        let mut after = plan.lead(&craft.position, 0, false).map_or(craft.position, |(to, _)| to);
        if bet.tasks().total() < 2 {
            after.pitch = Pitch::Diving;
        }
        let ground = if after.pitch == Pitch::Diving && craft.position.level == 1 { -6000 } else { 0 };
        place_worth(choice, craft, &after, kept - 1, cost + 1) + ground - 300
    };
    let mut worth = (won * win + lost * (36 - win)) / 36;
    worth += risk(choice, bet);
    worth
}

/// Stress and the raised minimum speed.
fn risk(choice: &MoveChoice<'_>, bet: &Bet) -> i64 {
    let (game, mover) = (choice.game, choice.mover);
    let wear = choice.state.get(mover.who).harm.boxes.wear();
    let ratings = &game.info(mover.who).ratings;
    let mut risk = 0;
    if bet.is_stressful() {
        risk -= 900 + 900 * i64::from(-wear.stress_modifier);
    }
    let minimum = ratings.min_speed
        + mover.tally.min_speed_increase
        + game.rules.tables.bet.cell(bet_row::MINIMUM_SPEED, bet.level);
    let speed = mover.tally.speed_before_engine() - bet.speed_cost(&game.rules.tables);
    risk + slowness(speed - minimum) - slowness(speed - ratings.min_speed)
}

/// What a place is worth with an edge gained (or lost) and speed spent.
fn place_worth(choice: &MoveChoice<'_>, craft: &Craft, to: &Position, gain: i32, cost: i32) -> i64 {
    let (game, state, mover) = (choice.game, choice.state, choice.mover);
    let id = mover.who;
    let ratings = &game.info(id).ratings;
    let steps_left = game.points_left(mover) - 1;
    let mut worth = slowness(mover.tally.speed_before_engine() - cost - ratings.min_speed);
    if let Some(prey) = state.prey(game, id) {
        let settled = match (state.order.has_moved(prey), steps_left > 0) {
            (false, _) => Settled::No,
            (true, false) => Settled::Here,
            (true, true) => Settled::WithAStepLeft,
        };
        let edge = craft.edge.unwrap_or(0) + gain;
        let there = &state.get(prey).position;
        worth += prospects(game, state, id, to, there, edge, settled);
        worth -= i64::from((to.hexes_to(there) - 1).max(0)) * 350;
        if to.bearing(there.hex) == Bearing::Behind {
            worth -= 300;
        }
    }
    let aim = state.aim(game, id);
    for hunter in state.hunters(game, id) {
        let taken = if gain > 0 { edge::loss_to(gain, aim, usize::from(hunter)) } else { 0 };
        let edge = state.get(hunter).edge.unwrap_or(0) - taken;
        let settled = Settled::when(state.order.has_moved(hunter));
        worth -= prospects(game, state, hunter, &state.get(hunter).position, to, edge, settled) * 4 / 5;
    }
    let goes_home = home::wants_home(game, state, id);
    if goes_home {
        worth -= home::steps_home(game, id, to) * 900;
    }
    let radius = game.scenario.radius;
    match to.facing.map(|facing| to.hex.step(facing)) {
        Some(ahead) if !on_map(ahead, radius) && !goes_home => worth -= 2500,
        Some(ahead) if !Direction::ALL.iter().all(|&way| on_map(ahead.step(way), radius)) => worth -= 150,
        _ => {}
    }
    worth
}

/// What to give up: what is worth least.
pub(super) fn cancel(choice: &Cancel<'_>) -> Tasks {
    let position = &choice.state.get(choice.mover.who).position;
    let diving_low = position.pitch == Pitch::Diving && position.level == 1;
    let price = |given: &Tasks| {
        given.aerobatics * 1000
            + given.stay_in_hex * 1500
            + given.facing * 700
            + given.leveling * if diving_low { 50_000 } else { 600 }
    };
    choice.tasks.ways(choice.count).into_iter().min_by_key(price).unwrap_or(choice.tasks)
}

/// Out of the middle toward the target, and not off the map.
pub(super) fn exit_edge(game: &Dogfight, state: &State, id: CraftId) -> Direction {
    let here = state.get(id).position.hex;
    let toward = state.prey(game, id).map(|prey| state.get(prey).position.hex);
    let worth = |edge: Direction| {
        let next = here.step(edge);
        let off = i64::from(!on_map(next, game.scenario.radius)) * 100;
        off + toward.map_or(0, |hex| i64::from(next.distance(hex)))
    };
    Direction::ALL.into_iter().min_by_key(|&edge| worth(edge)).unwrap_or(Direction::new(0))
}

/// Power below cruising speed, drag when the wings are in danger.
pub(super) fn engine(choice: &EngineChoice<'_>) -> EngineOption {
    let options = choice.open();
    let mover = choice.mover;
    let craft = choice.state.get(mover.who);
    let ratings = &choice.game.info(mover.who).ratings;
    let speed = mover.tally.speed_before_engine();
    let pick = |option| options.contains(&option).then_some(option);
    let too_fast = speed > ratings.max_dive - craft.harm.boxes.wear().max_dive_reduction;
    let wanted = if too_fast {
        pick(EngineOption::Drag)
    } else if speed < 8.max(ratings.min_speed + 3) {
        pick(EngineOption::Power)
    } else {
        None
    };
    wanted.or(pick(EngineOption::None)).or(pick(EngineOption::Drag)).unwrap_or(EngineOption::Power)
}

/// How good the position is for a side, in thousandths of a victory point. (Playing well)
pub(super) fn evaluate(game: &Dogfight, state: &State, side: Alliance) -> Standing {
    let score = game.current_score(state);
    let mut standing = 1000 * (score.allied - score.central);
    for id in 0..state.craft.len() as u8 {
        let worth = craft_worth(game, state, id);
        standing += if game.side(id) == Alliance::Allied { worth } else { -worth };
    }
    if side == Alliance::Allied { standing } else { -standing }
}

/// What an aircraft in play promises beyond the points. The weights were fitted by least squares to some thousands of
/// games of instinct against itself, between two turns: what height, speed and harm are worth grows with the turns
/// left, what a held edge may do soon does not.
fn craft_worth(game: &Dogfight, state: &State, id: CraftId) -> i64 {
    let craft = state.get(id);
    if !craft.in_play() {
        return 0;
    }
    let ratings = &game.info(id).ratings;
    let position = &craft.position;
    let left = i64::from(game.scenario.turns - state.turn + 1).clamp(0, 10);
    let mut worth = -(10 + 4 * left) * i64::from(craft.harm.boxes.marks_made())
        - 15 * left * i64::from(craft.harm.wounds + craft.harm.control_penalty + craft.harm.power_penalty)
        - if craft.harm.burning { 2700 } else { 100 * left * i64::from(craft.harm.smoking) };
    match craft.flight {
        Flight::Spinning => worth -= if position.level <= 2 { 3500 } else { 1000 },
        Flight::Stalled => worth -= 300,
        Flight::Flying => worth += slowness(craft.speed - ratings.min_speed) / 10,
    }
    worth += left * (15 * i64::from(craft.speed.min(8)) + 20 * i64::from(position.level));
    if position.pitch == Pitch::Diving && position.level == 1 {
        worth -= 800;
    }
    if let (Some(prey), Some(edge)) = (state.prey(game, id), craft.edge) {
        let there = &state.get(prey).position;
        if state.phase == Phase::Smoke {
            let carried =
                edge::carried(position, there, Hold::Kept(edge)).edge + game.rules.diagram.bonus(position, there).bonus;
            worth += firepower(game, state, id, carried, 0) * reach(position, there) / 500;
        } else {
            let settled = state.phase > Phase::Movement || (state.order.has_moved(id) && state.order.has_moved(prey));
            worth += prospects(game, state, id, position, there, edge, Settled::when(settled)) / 5;
        }
    }
    worth
}
