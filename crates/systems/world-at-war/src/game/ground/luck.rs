//! The luck meter: what the dice of a step gave the side that rolled, beside what they give on average.

use super::GroundGame;
use super::choices::LossChoice;
use super::state::{AirStage, FightStage, GroundState, Phase, StruggleStage};
use super::thinking;
use flagplot_kernel::{Ask, Asked, Choice, Die, Luck, Note, Side, Unanswered};
use std::fmt::Display;

/// Answers dice with these faces in turn, and no question.
struct Faces<'a>(std::slice::Iter<'a, u8>);

impl Ask for Faces<'_> {
    fn roll(&mut self, _: Die, _: impl Display) -> Asked<u8> {
        self.0.next().copied().ok_or(Unanswered)
    }

    fn decide<C: Choice>(&mut self, _: &C) -> Asked<C::Value> {
        Err(Unanswered)
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}

/// How many dice a step rolls.
fn dice(state: &GroundState) -> u32 {
    match state.phase {
        Phase::Fight(fight) if fight.next == FightStage::Round => 1,
        Phase::Attrition(struggle) if struggle.next == StruggleStage::Roll => 1,
        Phase::AirCombat(combat) if combat.next == AirStage::Round => 4,
        _ => 0,
    }
}

/// What a side has lost, and what the dice have made it lose, in thousandths of a counter.
fn lost(game: &GroundGame, state: &GroundState, side: Side) -> i64 {
    let units = state.units.iter().zip(&game.units);
    let counters = units.filter(|(unit, info)| info.side == side && unit.hex.is_none()).count() as i64;
    let air = |factors: i64| 1000 * factors / i64::from(game.scenario.victory.air_factors_per_counter.max(1));
    let mut sum = 1000 * counters + air(i64::from(state.air[side].eliminated));
    if let Phase::Fight(fight) = state.phase
        && let FightStage::Losses(owed) = fight.next
        && owed[side].factors > 0
    {
        let choice = LossChoice { game, state, fight: &fight, side, owed: owed[side] };
        let purse = choice.purse();
        let sets = choice.smallest(&purse);
        let (units, factors) = &sets[thinking::losses(game, &purse, &sets)];
        sum += 1000 * units.len() as i64 + air(i64::from(*factors));
    }
    if let Phase::Attrition(struggle) = state.phase
        && side != state.active
    {
        sum += 250 * i64::from(struggle.hexes);
        if let StruggleStage::Counters(count) = struggle.next {
            sum += 1000 * i64::from(count);
        }
    }
    sum
}

pub(super) fn of_a_step(game: &GroundGame, before: &GroundState, after: &GroundState) -> [Luck; 2] {
    let mut luck = [Luck::default(); 2];
    let dice = dice(before);
    if dice == 0 {
        return luck;
    }
    let side = before.active;
    let balance = |state: &GroundState| {
        let change = |side| lost(game, state, side) - lost(game, before, side);
        change(side.other()) - change(side)
    };
    let (mut sum, mut ways) = (0, 0);
    for throw in 0..6u32.pow(dice) {
        let faces: Vec<u8> = (0..dice).map(|at| (throw / 6u32.pow(at) % 6 + 1) as u8).collect();
        let mut state = before.clone();
        if game.take_step(&mut state, &mut Faces(faces.iter())).is_ok() {
            sum += balance(&state);
            ways += 1;
        }
    }
    if ways > 0 {
        luck[side.index()] = Luck { expected: sum / ways, real: balance(after) };
    }
    luck
}
