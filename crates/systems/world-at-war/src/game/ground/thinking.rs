//! What a sensible player does at once. [15.1 to 15.5, 15.10]

use super::GroundGame;
use super::choices::{BreakOff, OnOrAway, Order, Retreats, Spread, SpreadFor};
use super::losses::{Paid, Purse};
use super::map::{HexAt, UnitAt};
use super::state::{Attack, Fight, GroundState, Struggle};
use crate::scenarios::{HexId, TurnOption};
use flagplot_kernel::{Side, Standing};

pub(super) fn option(game: &GroundGame, _: &GroundState) -> TurnOption {
    game.scenario.options[0]
}
pub(super) fn spread(_: &GroundGame, _: &GroundState, _: SpreadFor) -> Spread {
    Spread::new()
}
pub(super) fn air_on(_: &GroundGame, _: &GroundState, _: Side) -> OnOrAway {
    OnOrAway::Continue
}
pub(super) fn next_attack(game: &GroundGame, state: &GroundState) -> HexId {
    game.map.id(state.attacks[0].target)
}
pub(super) fn go_on(_: &GroundGame, _: &GroundState, _: &Fight) -> BreakOff {
    BreakOff::Continue
}
pub(super) fn losses(_: &GroundGame, _: &GroundState, _: &Purse, _: &[Paid]) -> usize {
    0
}
pub(super) fn price(game: &GroundGame, _: &GroundState, unit: UnitAt) -> i64 {
    i64::from(game.info(unit).factors)
}
pub(super) fn attack(_: &GroundGame, _: &GroundState) -> Option<Attack> {
    None
}
pub(super) fn exploit(_: &GroundGame, _: &GroundState) -> Order {
    Order::Done
}
pub(super) fn movement(_: &GroundGame, _: &GroundState) -> Order {
    Order::Done
}
pub(super) fn advance(_: &GroundGame, _: &GroundState, _: HexAt, units: &[UnitAt], _: u32) -> Vec<UnitAt> {
    units[..1].to_vec()
}
pub(super) fn take(_: &GroundGame, _: &GroundState, _: &Struggle) -> Option<HexAt> {
    None
}
pub(super) fn retreat(retreats: &Retreats<'_>) -> (UnitAt, Option<HexAt>) {
    retreats.ways().next().unwrap_or((0, None))
}
pub(super) fn evaluate(game: &GroundGame, state: &GroundState, side: Side) -> Standing {
    let points = game.points(state);
    1000 * (points[side] - points[side.other()])
}
