//! Every refusal of the table of actions.

use super::choices::{Cancel, EngineChoice, FireChoice, PipChoice, ReasonToHold, Tail, VerticalChoice};
use super::choose_move::MoveChoice;
use super::choose_targets::Targets;
use super::moves::Plan;
use super::*;
use crate::bet::Tasks;
use crate::ending::Tally;
use crate::fire::Gun;
use crate::words::{Flight, Maneuver, Pip, Pitch};
use crate::{System, files};
use flagplot_kernel::hex::Direction;
use flagplot_kernel::{Chance, Choice, Decision, Progress, Refusal, Tape, advance};

fn game(scenario: &str) -> (Dogfight, State) {
    let game = System::new(&files()).unwrap().game(scenario, &Value::Null).unwrap();
    let state = game.setup();
    (game, state)
}

fn duel() -> (Dogfight, State) {
    game("guynemer-udet-1917")
}

/// Puts an aircraft at a place: hex, facing (none: middle), level, speed.
fn put(game: &Dogfight, state: &mut State, id: &str, hex: [i32; 2], facing: Option<i32>, level: i32, speed: i32) {
    let at = game.find(id).unwrap();
    let craft = state.get_mut(at);
    craft.position.hex = hex.into();
    craft.position.facing = facing.map(Direction::new);
    craft.position.level = level;
    craft.speed = speed;
}

/// An aircraft that has rolled this die and is about to make its steps.
fn moving(state: &mut State, who: CraftId, die: u8) {
    let mut mover = Mover::new(who, state.get(who), Formation::No);
    mover.die = die;
    mover.stage = Stage::Steps;
    mover.vertical = Some(VerticalOption::Stay);
    state.mover = Some(mover);
    state.phase = Phase::Movement;
}

fn choose(value: impl serde::Serialize) -> Answer {
    Answer::Choice(serde_json::to_value(value).unwrap())
}

fn refused(game: &Dogfight, state: &State, answers: &[Answer]) -> &'static str {
    match advance(game, state, &mut Tape::new(answers.to_vec())) {
        Err(refusal) => {
            assert!(refusal.rule.is_some(), "{refusal} names no rule");
            refusal.code
        }
        Ok(Progress::Stepped(_)) => "accepted",
        Ok(Progress::Asks(_)) => "accepted, and there is more to ask",
    }
}

fn code<T>(result: Result<T, Refusal>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(refusal) => {
            assert!(refusal.rule.is_some(), "{refusal} names no rule");
            refusal.code
        }
    }
}

#[test]
fn refusals_of_targets() {
    let (game, mut state) = game("verdun-1916");
    state.phase = Phase::Targets;
    let a2 = game.find("A2").unwrap();
    let declare = |state: &State, text: &str| {
        let choice = Targets { game: &game, state, seat: Seat(0) };
        code(choice.check(&serde_json::from_str(text).unwrap()))
    };
    assert_eq!(declare(&state, r#"{"A1":"C1","A2":null}"#), "ok");
    assert_eq!(declare(&state, r#"[{"aircraft":"A1","target":"C2"}]"#), "ok");
    assert_eq!(declare(&state, r#"{"A1":"A1"}"#), "self-target");
    assert_eq!(declare(&state, r#"{"A1":"C9"}"#), "unknown-aircraft");
    assert_eq!(declare(&state, r#"{"C1":"A1"}"#), "unknown-aircraft");
    assert_eq!(declare(&state, r#"{"A1":"A2"}"#), "bad-formation");
    let mut gone = state.clone();
    gone.remove(game.find("C1").unwrap(), Status::Destroyed);
    assert_eq!(declare(&gone, r#"{"A1":"C1"}"#), "unknown-aircraft");
    let mut spun = state.clone();
    spun.get_mut(a2).flight = Flight::Spinning;
    assert_eq!(declare(&spun, r#"{"A2":"C1"}"#), "spinning-has-target");
    assert_eq!(declare(&spun, r#"{"A2":null}"#), "ok");
    let spot = state.get(game.find("A1").unwrap()).position;
    state.get_mut(a2).position = spot;
    assert_eq!(declare(&state, r#"{"A2":"A1"}"#), "ok");
    assert_eq!(declare(&state, r#"{"A2":"A1","A1":"A2"}"#), "bad-formation");
    state.get_mut(a2).flight = Flight::Stalled;
    assert_eq!(declare(&state, r#"{"A2":"A1"}"#), "bad-formation");
    state.get_mut(a2).flight = Flight::Flying;
    state.get_mut(a2).position.pitch = Pitch::Diving;
    assert_eq!(declare(&state, r#"{"A2":"A1"}"#), "bad-formation");
}

#[test]
fn refusals_of_tailing() {
    let (game, mut state) = duel();
    let (a, c) = (0, 1);
    let tail = |state: &State| code(Tail { game: &game, state, who: a }.check(&TailOption::Wait));
    assert_eq!(tail(&state), "cannot-tail");
    (state.get_mut(a).target, state.get_mut(a).edge) = (Some(c), Some(3));
    (state.get_mut(a).posted, state.get_mut(c).posted) = (4, 6);
    // The target has none of its own: half the edge, rounded up, is 2, and 6 is not above 6.
    assert_eq!(tail(&state), "cannot-tail");
    (state.get_mut(c).target, state.get_mut(c).edge) = (Some(a), Some(-9));
    assert_eq!(tail(&state), "ok");
    state.order.has_just_moved(c, &[0, 0]);
    assert_eq!(tail(&state), "cannot-tail");
}

#[test]
fn refusals_of_climbs_and_dives() {
    let (game, mut state) = duel();
    let check = |state: &State, option| {
        let mover = Mover::new(0, state.get(0), Formation::No);
        code(VerticalChoice { game: &game, state, mover: &mover }.check(&option))
    };
    put(&game, &mut state, "A1", [0, 0], Some(0), 4, 2);
    assert_eq!(check(&state, VerticalOption::FullDive), "impossible-climb-dive");
    state.get_mut(0).speed = 1;
    assert_eq!(check(&state, VerticalOption::HalfClimb), "not-enough-speed");
    state.get_mut(0).speed = 9;
    assert_eq!(check(&state, VerticalOption::HalfDive), "impossible-climb-dive");
    assert_eq!(check(&state, VerticalOption::FullClimb), "ok");
    state.get_mut(0).position.level = 8;
    assert_eq!(check(&state, VerticalOption::FullClimb), "above-ceiling");
    assert_eq!(check(&state, VerticalOption::Finish), "impossible-climb-dive");
    state.get_mut(0).position.pitch = Pitch::Diving;
    for option in [VerticalOption::Stay, VerticalOption::HalfDive, VerticalOption::FullClimb] {
        assert_eq!(check(&state, option), "already-pitched");
    }
    assert_eq!(check(&state, VerticalOption::Finish), "ok");
    assert_eq!(check(&state, VerticalOption::LevelOff), "ok");
    state.get_mut(0).position.pitch = Pitch::Climbing;
    state.get_mut(0).position.level = 4;
    state.get_mut(0).speed = 1;
    assert_eq!(check(&state, VerticalOption::Finish), "not-enough-speed");
}

#[test]
fn refusals_of_steps_and_bets() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [0, 0], Some(0), 4, 5);
    let act = |state: &State, value: Value| refused(&game, state, &[choose(value)]);
    moving(&mut state, 0, 3);
    assert_eq!(act(&state, json!({"kind": "exit", "edge": 1})), "wrong-spot");
    assert_eq!(act(&state, json!({"kind": "stop"})), "must-move");
    assert_eq!(act(&state, json!({"kind": "bet-only", "level": 1})), "must-move");
    assert_eq!(act(&state, json!({"kind": "straight", "level": 0})), "pointless-bet");
    assert_eq!(act(&state, json!({"kind": "straight", "level": 4})), "out-of-range");
    assert_eq!(act(&state, json!({"kind": "stay", "level": 0})), "level-too-low");
    // Ace (flying +1), rating −1: as many points as the level.
    assert_eq!(act(&state, json!({"kind": "facing", "turn": 2, "points": 2})), "too-many-points");
    assert_eq!(act(&state, json!({"kind": "facing", "turn": 4})), "impossible-maneuver");
    assert_eq!(act(&state, json!({"kind": "facing", "turn": 2, "points": 1})), "accepted, and there is more to ask");
    // Die 5 and speed 5 pay for two steps; with aerobatics only for one.
    moving(&mut state, 0, 5);
    state.mover.as_mut().unwrap().used = 1;
    assert_eq!(act(&state, json!({"kind": "straight", "level": 1, "points": 1})), "mp-lost");
    assert_eq!(act(&state, json!({"kind": "straight", "level": 1})), "accepted, and there is more to ask");
    let mover = state.mover.clone().unwrap();
    let check = |mover: Mover, act| code(MoveChoice { game: &game, state: &state, mover: &mover }.check(&act));
    let straight = |level, points| Act::Straight { level, points };
    let followed = Mover { formation: Formation::Out, ..mover.clone() };
    assert_eq!(check(followed, straight(Some(1), 1)), "follower-aerobatics");
    assert_eq!(check(Mover { used: 2, ..mover.clone() }, straight(None, 0)), "no-movement-points");
    assert_eq!(check(Mover { spin_tried: true, ..mover.clone() }, Act::Spin), "spin-tried");
    let leveling = Mover { leveling: Some(1), used: 0, ..mover.clone() };
    assert_eq!(check(leveling.clone(), Act::Spin), "already-pitched");
    assert_eq!(check(leveling.clone(), Act::Stay { level: Some(3), points: 0 }), "level-not-yours");
    assert_eq!(check(leveling.clone(), straight(Some(2), 0)), "level-not-yours");
    let about = Act::Facing { turn: 3, points: 0 };
    assert_eq!(check(Mover { tally: Tally::new(11), ..leveling }, about), "level-too-high");
    assert_eq!(check(Mover { used: 0, tally: Tally::new(12), ..mover.clone() }, about), "impossible-maneuver");
    // In the middle.
    put(&game, &mut state, "A1", [0, 0], None, 4, 5);
    moving(&mut state, 0, 3);
    assert_eq!(act(&state, json!({"kind": "straight"})), "wrong-spot");
    assert_eq!(act(&state, json!({"kind": "facing", "turn": 1})), "wrong-spot");
    state.mover.as_mut().unwrap().just_stayed = true;
    assert_eq!(act(&state, json!({"kind": "stop"})), "accepted");
    // Stalled and spinning.
    state.get_mut(0).flight = Flight::Stalled;
    moving(&mut state, 0, 3);
    assert_eq!(act(&state, json!({"kind": "stay"})), "stalled");
    assert_eq!(act(&state, json!({"kind": "exit", "edge": 1, "level": 1})), "stalled");
    assert_eq!(act(&state, json!({"kind": "spin"})), "stalled");
    assert_eq!(act(&state, json!({"kind": "exit", "edge": 1})), "accepted");
    state.get_mut(0).flight = Flight::Spinning;
    let mover = Mover { stage: Stage::Steps, die: 3, ..Mover::new(0, state.get(0), Formation::No) };
    assert_eq!(code(MoveChoice { game: &game, state: &state, mover: &mover }.check(&Act::Spin)), "already-spinning");
}

#[test]
fn refusals_at_the_end_of_a_move_and_in_combat() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [0, 0], Some(0), 4, 8);
    moving(&mut state, 0, 3);
    state.mover.as_mut().unwrap().stage = Stage::Engine;
    assert_eq!(refused(&game, &state, &[choose(EngineOption::Power)]), "at-max-speed");
    state.get_mut(0).harm.engine_destroyed = true;
    assert_eq!(refused(&game, &state, &[choose(EngineOption::Power)]), "engine-destroyed");
    assert_eq!(refused(&game, &state, &[choose(EngineOption::None)]), "engine-destroyed");
    let recovered = Mover { stage: Stage::Recovered, ..state.mover.clone().unwrap() };
    assert_eq!(
        code(EngineChoice { game: &game, state: &state, mover: &recovered }.check(&EngineOption::Drag)),
        "no-drag"
    );
    let fire = |state: &State| {
        let reason = ReasonToHold::EndsTheGame;
        code(FireChoice { game: &game, state, who: 0, reason }.check(&FireOption::Fire))
    };
    assert_eq!(fire(&state), "no-target");
    (state.get_mut(0).target, state.get_mut(0).edge) = (Some(1), Some(0));
    assert_eq!(fire(&state), "no-edge");
    state.get_mut(0).edge = Some(1);
    put(&game, &mut state, "C1", [0, -3], Some(0), 4, 6);
    assert_eq!(fire(&state), "out-of-gun-range");
    put(&game, &mut state, "C1", [1, 0], Some(0), 4, 6);
    assert_eq!(fire(&state), "not-facing");
    put(&game, &mut state, "C1", [0, -1], Some(0), 4, 6);
    assert_eq!(fire(&state), "ok");
    state.get_mut(0).flight = Flight::Spinning;
    assert_eq!(fire(&state), "no-target");
    let gun = Gun { edge: 5, firing_rating: 0, shooting: 1, half_hexes: 0 };
    let pip = |dice, pip| code(PipChoice { game: &game, who: 0, gun: &gun, dice }.check(&pip));
    assert_eq!(pip([3, 4], Pip::Subtract), "ok");
    assert_eq!(pip([3, 4], Pip::Add), "no-pip");
    assert_eq!(pip([3, 5], Pip::Subtract), "no-pip");
}

#[test]
fn refusals_of_giving_up() {
    let (game, mut state) = duel();
    moving(&mut state, 0, 3);
    let mover = state.mover.clone().unwrap();
    let plan = Plan { maneuver: Maneuver::Facing2, turn: 2, exit: None, bet: None };
    let choice = Cancel {
        game: &game,
        state: &state,
        mover: &mover,
        tasks: Tasks { aerobatics: 1, facing: 2, ..Tasks::default() },
        count: 2,
        plan: &plan,
    };
    assert_eq!(code(choice.check(&GivenUp { facing: 2, ..GivenUp::default() })), "ok");
    assert_eq!(code(choice.check(&GivenUp { facing: 1, ..GivenUp::default() })), "bad-cancel");
    assert_eq!(code(choice.check(&GivenUp { facing: 1, stay_in_hex: 1, ..GivenUp::default() })), "bad-cancel");
    assert_eq!(code(choice.check(&GivenUp { aerobatics: 3, facing: -1, ..GivenUp::default() })), "bad-cancel");
}

/// Where an edge leads: with two steps left, the first one goes where the second one ends behind the target, with the
/// guns on it.
#[test]
fn instinct_follows_an_edge_up_into_a_shot() {
    let (game, mut state) = duel();
    let (hunter, prey) = (0, 1);
    state.turn = 2;
    for way in [0, 1, 5] {
        // One hex ahead, and then one hex to that side.
        put(&game, &mut state, "A1", [0, 0], Some(0), 4, 5);
        put(&game, &mut state, "C1", [0, 0], Some(way), 4, 5);
        let ahead = state.get(hunter).position.hex.step(Direction::new(0));
        state.get_mut(prey).position.hex = ahead.step(Direction::new(way));
        (state.get_mut(hunter).target, state.get_mut(hunter).edge) = (Some(prey), Some(8));
        (state.get_mut(prey).target, state.get_mut(prey).edge) = (None, None);
        moving(&mut state, hunter, 5);
        state.order = serde_json::from_value(json!({"places": [1, 0], "at": 1, "follows": [null, null], "moved": [1],
            "due": [], "settled": [], "circles": []}))
        .unwrap();
        let mover = state.mover.clone().unwrap();
        let choice = MoveChoice { game: &game, state: &state, mover: &mover };
        assert_eq!(game.points_left(&mover), 2);
        for seed in 0..20 {
            let act = choice.instinct(&mut Chance::seeded(seed));
            let (to, _) = game.plan(&state, &mover, &act).unwrap().unwrap().goal(&state.get(hunter).position).unwrap();
            assert_eq!((to.hex, to.facing), (ahead, Some(Direction::new(way))), "{act:?}");
        }
    }
}
