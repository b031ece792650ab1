//! Going home: who wants to, and how far it is.

use super::Dogfight;
use super::state::{CraftId, State};
use crate::position::{Position, departure};
use crate::scenario::{Special, SpecialKind};
use crate::words::{Alliance, Status};
use flagplot_kernel::hex::{Direction, Hex};

/// The conditions of a kind that name an aircraft.
fn conditions(game: &Dogfight, kind: SpecialKind, id: CraftId) -> impl Iterator<Item = &Special> {
    let name = game.who(id).id;
    game.scenario
        .special
        .iter()
        .filter(move |special| special.kind == kind && special.aircraft.as_deref() == Some(name))
}

/// Whether a pilot had better go home: his aircraft is crippled, or the scenario pays him more than the field costs.
pub(super) fn wants_home(game: &Dogfight, state: &State, id: CraftId) -> bool {
    let (craft, side) = (state.get(id), game.side(id));
    let alone = || state.in_play().all(|other| other == id || game.side(other) != side);
    let pays = |special: &Special| {
        let field = if alone() { game.rules.points.holds_field } else { 0 };
        special.side == side && state.turn + 3 >= special.from_turn && special.points > field
    };
    let in_time = state.turn + 1 >= game.scenario.turns / 2 || craft.harm.boxes.marks_made() > 6;
    let ordered = in_time && conditions(game, SpecialKind::LeaveHome, id).any(pays);
    let forbidden = || conditions(game, SpecialKind::Leave, id).any(|special| special.side != side);
    let crippled = craft.harm.burning
        || craft.harm.boxes.marks_made() >= 32
        || craft.harm.wounds >= 3
        || craft.harm.engine_destroyed;
    ordered || (crippled && !forbidden())
}

/// Whether leaving by the home side would be a mistake now.
pub(super) fn too_early(game: &Dogfight, state: &State, id: CraftId) -> bool {
    conditions(game, SpecialKind::LeaveHome, id).any(|special| state.turn < special.from_turn)
}

/// Steps to the home side, the step off the map included. An aircraft that faces elsewhere flies one hex that way
/// first, and pays for its turn.
pub(super) fn steps_home(game: &Dogfight, id: CraftId, position: &Position) -> i64 {
    let (side, radius) = (game.side(id), game.scenario.radius);
    let west = |hex: Hex| match side {
        Alliance::Allied => hex.q,
        Alliance::Central => -hex.q,
    };
    let columns = |hex: Hex| i64::from(west(hex) + radius + 1);
    let homeward = |facing: Direction| west(Hex::new(0, 0).step(facing)) < 0;
    let Some(facing) = position.facing else { return 1 + columns(position.hex) };
    let next = position.hex.step(facing);
    match departure(next, radius, side) {
        Some(Status::LeftHome) => 1,
        Some(_) => i64::from(3 * radius),
        None => 1 + columns(next) + i64::from(!homeward(facing)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Pitch;
    use crate::{System, files};
    use serde_json::Value;

    #[test]
    fn home_is_where_the_nose_points_too() {
        let game = System::new(&files()).unwrap().game("hawker-1916", &Value::Null).unwrap();
        let hawker = game.find("A1").unwrap();
        let steps = |hex: [i32; 2], facing: Option<i32>| {
            let facing = facing.map(Direction::new);
            steps_home(&game, hawker, &Position { hex: hex.into(), facing, level: 5, pitch: Pitch::Level })
        };
        assert_eq!(game.scenario.radius, 6);
        assert_eq!((steps([-6, 3], Some(4)), steps([-6, 3], Some(5)), steps([-6, 3], None)), (1, 1, 2));
        assert_eq!((steps([0, 0], Some(5)), steps([0, 0], Some(0)), steps([0, 0], Some(1))), (7, 9, 10));
        // The nose points over a neutral side: the next step is a mistake.
        assert!(steps([-6, 6], Some(3)) > steps([6, 0], Some(5)));
    }
}
