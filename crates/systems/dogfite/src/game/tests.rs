//! Moves played by hand, and every refusal of the table of actions.

use super::choices::{Cancel, EngineChoice, FireChoice, PipChoice, Tail, VerticalChoice};
use super::choose_move::MoveChoice;
use super::choose_targets::Targets;
use super::moves::Plan;
use super::*;
use crate::bet::Tasks;
use crate::damage::Boxes;
use crate::fire::Gun;
use crate::initiative::{Next, Why};
use crate::words::{Flight, Maneuver, Pip, Pitch};
use crate::{System, files};
use flagplot_kernel::hex::{Direction, Hex};
use flagplot_kernel::{Decision, Faces, Note, Progress, Tape, advance};

fn duel() -> (Dogfight, State) {
    let game = System::new(&files()).unwrap().game("guynemer-udet-1917", &Value::Null).unwrap();
    let state = game.setup();
    (game, state)
}

fn verdun() -> (Dogfight, State) {
    let game = System::new(&files()).unwrap().game("verdun-1916", &Value::Null).unwrap();
    let state = game.setup();
    (game, state)
}

/// Puts an aircraft at a place: hex, facing (none: middle), level, speed.
fn put(
    game: &Dogfight,
    state: &mut State,
    id: &str,
    hex: [i32; 2],
    facing: Option<i32>,
    level: i32,
    speed: i32,
) -> CraftId {
    let at = game.find(id).unwrap();
    let craft = state.get_mut(at);
    craft.position.hex = hex.into();
    craft.position.facing = facing.map(Direction::new);
    craft.position.level = level;
    craft.speed = speed;
    at
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

fn dice(faces: &[u8]) -> Answer {
    Answer::Dice(Faces(faces.to_vec()))
}

fn choose(value: impl serde::Serialize) -> Answer {
    Answer::Choice(serde_json::to_value(value).unwrap())
}

/// Runs one step with these answers, which must be just enough.
fn step(game: &Dogfight, state: &State, answers: &[Answer]) -> (State, Vec<Note>) {
    let mut tape = Tape::new(answers.to_vec());
    match advance(game, state, &mut tape) {
        Ok(Progress::Stepped(after)) => (after, tape.notes().to_vec()),
        Ok(Progress::Asks(question)) => panic!("the rules ask {question:?}"),
        Err(refusal) => panic!("refused: {refusal}"),
    }
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

fn code<T>(result: Result<T, flagplot_kernel::Refusal>) -> &'static str {
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
    let (game, mut state) = verdun();
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
    let followed = Mover { formation: Formation::Out, ..mover.clone() };
    assert_eq!(
        code(
            MoveChoice { game: &game, state: &state, mover: &followed }
                .check(&Act::Straight { level: Some(1), points: 1 })
        ),
        "follower-aerobatics"
    );
    let used_up = Mover { used: 2, ..mover.clone() };
    assert_eq!(
        code(
            MoveChoice { game: &game, state: &state, mover: &used_up }.check(&Act::Straight { level: None, points: 0 })
        ),
        "no-movement-points"
    );
    let tried = Mover { spin_tried: true, ..mover.clone() };
    assert_eq!(code(MoveChoice { game: &game, state: &state, mover: &tried }.check(&Act::Spin)), "spin-tried");
    let leveling = Mover { leveling: Some(1), used: 0, ..mover.clone() };
    assert_eq!(code(MoveChoice { game: &game, state: &state, mover: &leveling }.check(&Act::Spin)), "already-pitched");
    assert_eq!(
        code(
            MoveChoice { game: &game, state: &state, mover: &leveling }.check(&Act::Stay { level: Some(3), points: 0 })
        ),
        "level-not-yours"
    );
    assert_eq!(
        code(
            MoveChoice { game: &game, state: &state, mover: &leveling }
                .check(&Act::Straight { level: Some(2), points: 0 })
        ),
        "level-not-yours"
    );
    let fast = Mover { leveling: Some(1), used: 0, tally: ending_tally(11), ..mover.clone() };
    assert_eq!(
        code(MoveChoice { game: &game, state: &state, mover: &fast }.check(&Act::Facing { turn: 3, points: 0 })),
        "level-too-high"
    );
    let faster = Mover { used: 0, tally: ending_tally(12), ..mover.clone() };
    assert_eq!(
        code(MoveChoice { game: &game, state: &state, mover: &faster }.check(&Act::Facing { turn: 3, points: 0 })),
        "impossible-maneuver"
    );
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

fn ending_tally(speed: i32) -> crate::ending::Tally {
    crate::ending::Tally::new(speed)
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
    let fire = |state: &State| code(FireChoice { game: &game, state, who: 0 }.check(&FireOption::Fire));
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

#[test]
fn a_won_bet_is_recorded_with_everybody() {
    let (game, mut state) = verdun();
    let a1 = put(&game, &mut state, "A1", [0, 0], Some(0), 5, 5);
    let (a2, c1, c2) = (game.find("A2").unwrap(), game.find("C1").unwrap(), game.find("C2").unwrap());
    for (hunter, prey, edge) in [(a1, c1, 1), (c1, a1, 4), (c2, a1, 4), (a2, c1, 2)] {
        (state.get_mut(hunter).target, state.get_mut(hunter).edge) = (Some(prey), Some(edge));
    }
    moving(&mut state, a1, 3);
    // Expert (flying +1) in a Nieuport 11 (aerobatic +1): level 1 and three points gain 1 + 3 + 1.
    let (after, _) = step(&game, &state, &[choose(json!({"kind": "facing", "turn": 2, "points": 3})), dice(&[3, 4])]);
    let edges: Vec<_> = [a1, c1, c2, a2].iter().map(|&id| after.get(id).edge).collect();
    assert_eq!(edges, [Some(6), Some(-1), Some(2), Some(2)]);
    assert_eq!((after.get(a1).position.hex, after.get(a1).position.facing), (Hex::new(0, -1), Some(Direction::new(2))));
    // Aerobatics lowered the die to 2: one movement point in all, and it is used.
    assert_eq!(game.points_left(after.mover.as_ref().unwrap()), 0);
}

#[test]
fn a_lost_bet_cuts_what_the_player_gives_up() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [0, 0], Some(0), 4, 6);
    (state.get_mut(0).target, state.get_mut(0).edge) = (Some(1), Some(3));
    moving(&mut state, 0, 3);
    // Level 1 with a point: 5 is needed, 2 + 1 is missed by 2; 6 − 2 = 4: one task.
    let given = |given: Value| {
        [choose(json!({"kind": "facing", "turn": -2, "points": 1})), dice(&[1, 1]), dice(&[3, 3]), choose(given)]
    };
    let (after, _) = step(&game, &state, &given(json!({"facing": 1})));
    assert_eq!(after.get(0).position.facing, Some(Direction::new(-1)));
    assert_eq!(after.get(0).edge, Some(4));
    let (after, _) = step(&game, &state, &given(json!({"aerobatics": 1})));
    assert_eq!(after.get(0).position.facing, Some(Direction::new(-2)));
    assert_eq!(after.get(0).edge, Some(3));
    assert_eq!(refused(&game, &state, &given(json!({"stay-in-hex": 1}))), "bad-cancel");
}

#[test]
fn thrown_out_of_the_middle_by_an_edge_of_choice() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [1, 1], None, 4, 6);
    moving(&mut state, 0, 2);
    // Level 1: 4 is needed, 2 + 1 misses by 1; 7 − 1 = 6: one task, the only one.
    let (after, notes) =
        step(&game, &state, &[choose(json!({"kind": "stay"})), dice(&[1, 1]), dice(&[3, 4]), choose(4)]);
    assert_eq!(after.get(0).position.facing, Some(Direction::new(4)));
    assert_eq!(after.get(0).position.hex, Hex::new(1, 1));
    assert!(notes.iter().any(|note| note.rules.contains(&rule::R_33)));
}

#[test]
fn a_level_off_that_fails_low_down_ends_in_the_ground() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [0, 0], Some(0), 1, 6);
    state.get_mut(0).position.pitch = Pitch::Diving;
    moving(&mut state, 0, 3);
    state.mover.as_mut().unwrap().leveling = Some(1);
    let (after, _) = step(&game, &state, &[choose(json!({"kind": "straight"})), dice(&[3, 3])]);
    assert_eq!(after.get(0).position.pitch, Pitch::Level);
    let (after, notes) = step(&game, &state, &[choose(json!({"kind": "straight"})), dice(&[1, 1]), dice(&[6, 6])]);
    assert_eq!(after.get(0).status, Status::Destroyed);
    assert!(after.mover.is_none());
    assert!(notes.iter().any(|note| note.rules.contains(&rule::R_67)));
    // Two levels up it finishes the dive, and the same failure may force it into the next one.
    state.get_mut(0).position.level = 3;
    let (after, _) = step(&game, &state, &[choose(json!({"kind": "straight"})), dice(&[1, 1]), dice(&[1, 1])]);
    assert_eq!((after.get(0).position.level, after.get(0).position.pitch), (2, Pitch::Diving));
    assert_eq!(after.mover.as_ref().unwrap().tally.dive_points(), 1);
}

#[test]
fn a_climber_that_cannot_pay_and_fails_to_level_off_dives() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [0, 0], Some(0), 4, 1);
    state.get_mut(0).position.pitch = Pitch::Climbing;
    moving(&mut state, 0, 3);
    state.mover.as_mut().unwrap().leveling = Some(2);
    let (after, _) = step(&game, &state, &[choose(json!({"kind": "straight"})), dice(&[1, 1]), dice(&[6, 6])]);
    assert_eq!((after.get(0).position.level, after.get(0).position.pitch), (4, Pitch::Diving));
}

#[test]
fn a_plain_bet_that_is_lost_forces_a_half_dive() {
    let (game, mut state) = duel();
    put(&game, &mut state, "C1", [0, 0], Some(0), 4, 6);
    moving(&mut state, 1, 3);
    let (after, _) =
        step(&game, &state, &[choose(json!({"kind": "straight", "level": 2})), dice(&[1, 2]), dice(&[6, 6])]);
    assert_eq!(after.get(1).position.pitch, Pitch::Diving);
    assert_eq!(after.get(1).position.hex, Hex::new(0, -1));
}

#[test]
fn a_spin_and_the_way_out_of_it() {
    let (game, mut state) = duel();
    put(&game, &mut state, "C1", [0, 0], Some(0), 4, 6);
    (state.get_mut(1).target, state.get_mut(1).edge) = (Some(0), Some(5));
    moving(&mut state, 1, 3);
    // Expert: level 0, which cannot be lost.
    let (spun, _) = step(&game, &state, &[choose(json!({"kind": "spin"})), dice(&[1, 1])]);
    let craft = spun.get(1);
    assert_eq!(
        (craft.flight, craft.speed, craft.position.facing, craft.target, craft.edge),
        (Flight::Spinning, 0, None, None, None)
    );
    assert!(spun.mover.is_none());
    let mut next = spun.clone();
    next.mover = Some(Mover::new(1, next.get(1), Formation::No));
    let (kept, _) = step(&game, &next, &[choose(RecoverOption::KeepSpinning)]);
    assert_eq!((kept.get(1).position.level, kept.get(1).flight), (3, Flight::Spinning));
    let (out, _) = step(&game, &next, &[choose(RecoverOption::Try), dice(&[3, 3])]);
    assert_eq!((out.get(1).position.level, out.get(1).flight, out.get(1).speed), (3, Flight::Flying, 2));
    let (powered, _) = step(&game, &out, &[choose(EngineOption::Power), dice(&[3])]);
    assert_eq!(powered.get(1).speed, 3);
    assert_eq!(powered.get(1).flight, Flight::Flying);
    next.get_mut(1).position.level = 1;
    let (crashed, _) = step(&game, &next, &[choose(RecoverOption::KeepSpinning)]);
    assert_eq!(crashed.get(1).status, Status::Destroyed);
    let (saved, _) = step(&game, &next, &[choose(RecoverOption::Try), dice(&[3, 3])]);
    assert_eq!(saved.get(1).position.level, 1);
}

#[test]
fn a_stall_binds_the_next_move() {
    let (game, mut state) = duel();
    put(&game, &mut state, "C1", [0, 0], Some(0), 4, 3);
    (state.get_mut(1).target, state.get_mut(1).edge) = (Some(0), Some(5));
    moving(&mut state, 1, 3);
    state.mover.as_mut().unwrap().stage = Stage::Engine;
    // Speed 3 is the minimum; die 1 and flying +1 make 2: a stall.
    let (stalled, _) = step(&game, &state, &[choose(EngineOption::None), dice(&[1])]);
    let craft = stalled.get(1);
    assert_eq!(
        (craft.flight, craft.speed, craft.position.pitch, craft.target),
        (Flight::Stalled, 4, Pitch::Diving, None)
    );
    let mut next = stalled.clone();
    next.mover = Some(Mover::new(1, next.get(1), Formation::No));
    let (next, _) = step(&game, &next, &[dice(&[3])]);
    let (next, _) = step(&game, &next, &[choose(VerticalOption::Finish)]);
    assert_eq!((next.get(1).position.level, next.mover.as_ref().unwrap().tally.speed_for_bets()), (3, 5));
    let (next, _) = step(&game, &next, &[choose(json!({"kind": "straight"}))]);
    let (next, _) = step(&game, &next, &[]);
    let (next, _) = step(&game, &next, &[choose(EngineOption::Power), dice(&[6])]);
    assert_eq!((next.get(1).flight, next.get(1).speed), (Flight::Flying, 6));
}

#[test]
fn leaving_ends_the_move_and_frees_the_hunters() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [-5, 2], Some(5), 4, 6);
    (state.get_mut(1).target, state.get_mut(1).edge) = (Some(0), Some(5));
    moving(&mut state, 0, 6);
    assert_eq!(refused(&game, &state, &[choose(json!({"kind": "straight", "level": 1}))]), "pointless-bet");
    let (after, _) = step(&game, &state, &[choose(json!({"kind": "straight"}))]);
    assert_eq!((after.get(0).status, after.get(1).target, after.get(1).edge), (Status::LeftHome, None, None));
    assert!(after.mover.is_none());
}

/// Two Nieuports on one spot; the second follows the first.
fn formation(leader_die: u8) -> (Dogfight, State) {
    let game = System::new(&files()).unwrap().game("bloody-april-1917", &Value::Null).unwrap();
    let mut state = game.setup();
    state.phase = Phase::Targets;
    let targets = Answer::Sealed([(Seat(0), json!({"A1": "C1", "A2": "A1"})), (Seat(1), json!({}))].into());
    let (state, _) = step(&game, &state, &[targets]);
    // Seven dice, no ties among those that matter: A1 posts low and moves first of the hunters.
    let rolls: Vec<Answer> = [1, 9, 10, 10, 5, 6, 7].iter().map(|&face| dice(&[face])).collect();
    let mut tape = Tape::with_dice(rolls, flagplot_kernel::DiceFrom::Script(vec![1, 2, 3, 4, 5, 6]));
    let Ok(Progress::Stepped(mut state)) = advance(&game, &state, &mut tape) else { panic!("initiative") };
    assert_eq!(state.order.follows(1), Some((0, Why::Formation)));
    assert_eq!(state.order.up_next(), Next::Place(0));
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[dice(&[leader_die])]);
    (game, state)
}

#[test]
fn a_follower_repeats_what_its_leader_did() {
    let (game, state) = formation(2);
    let (state, _) = step(&game, &state, &[choose(VerticalOption::Stay)]);
    // Speed 6: a turn of two is level 1. The leader spends a point, so the follower bets with −2.
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "facing", "turn": 2, "points": 1})), dice(&[4, 4])]);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[choose(EngineOption::None)]);
    assert!(state.mover.is_none() && state.trails.len() == 1);
    let (state, _) = step(&game, &state, &[]);
    assert_eq!(state.mover.as_ref().unwrap().who, 1);
    let (state, notes) = step(&game, &state, &[]); // The leader's die.
    assert!(notes.iter().any(|note| note.what == "formation-die"));
    let (state, _) = step(&game, &state, &[]); // The leader's level flight.
    // Expert: 2d6 + 1 − 2 against 4.
    let (won, _) = step(&game, &state, &[dice(&[2, 3])]);
    assert_eq!(won.get(1).position, won.get(0).position);
    let (won, _) = step(&game, &won, &[]);
    assert_eq!(won.mover.as_ref().unwrap().stage, Stage::Engine);
    let (lost, notes) = step(&game, &state, &[dice(&[2, 2]), dice(&[6, 6])]);
    assert_eq!(lost.mover.as_ref().unwrap().formation, Formation::Out);
    assert!(notes.iter().any(|note| note.what == "out-of-formation"));
    assert_ne!(lost.get(1).position, lost.get(0).position);
}

#[test]
fn a_leaders_spin_is_not_copied() {
    let (game, state) = formation(2);
    let (state, _) = step(&game, &state, &[choose(VerticalOption::Stay)]);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "spin"})), dice(&[4, 4])]);
    assert_eq!(state.get(0).flight, Flight::Spinning);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[choose(VerticalOption::HalfDive)]);
    assert_eq!(state.mover.as_ref().unwrap().formation, Formation::Out);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "straight"}))]);
    assert_eq!(state.get(1).position.facing, Some(Direction::new(2)));
}

#[test]
fn a_leader_who_leaves_is_followed_up_or_down_but_not_off_the_map() {
    let (game, mut state) = formation(2);
    for id in ["A1", "A2"] {
        put(&game, &mut state, id, [-game.scenario.radius, 2], Some(5), 5, 6);
    }
    let (state, _) = step(&game, &state, &[choose(VerticalOption::FullDive)]);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "straight"}))]);
    assert_eq!(state.get(0).status, Status::LeftHome);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[]); // The leader's die.
    let (state, _) = step(&game, &state, &[]); // The leader's dive.
    assert_eq!(state.get(1).position.level, 4);
    let (state, _) = step(&game, &state, &[]);
    assert_eq!(state.mover.as_ref().unwrap().formation, Formation::Out);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "straight"}))]);
    assert_eq!(state.get(1).status, Status::LeftHome);
}

#[test]
fn a_leader_who_breaks_up_at_the_end_of_his_move_is_copied_all_the_same() {
    let (game, mut state) = formation(6); // Two movement points.
    state.get_mut(0).harm.boxes = Boxes::parse(&["//////"; 4]).unwrap();
    let (state, _) = step(&game, &state, &[choose(VerticalOption::Stay)]);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "straight", "level": 3})), dice(&[6, 6])]);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "straight"}))]);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[choose(EngineOption::None), dice(&[1, 1])]); // 2 less 4.
    assert_eq!(state.get(0).status, Status::Destroyed);
    let mut state = state;
    for _ in 0..6 {
        state = step(&game, &state, &[]).0;
    }
    let mover = state.mover.as_ref().unwrap();
    assert_eq!((mover.stage, mover.formation), (Stage::Engine, Formation::Copying(2)));
}

#[test]
fn two_players_who_name_each_other_unseen_follow_nobody() {
    let game = System::new(&files()).unwrap().game("bloody-april-1917", &json!({"seats": {"allied": 2}})).unwrap();
    let mut state = game.setup();
    state.phase = Phase::Targets;
    assert_eq!((game.seat(0), game.seat(1)), (Seat(0), Seat(1)));
    let targets = |first: Value, second: Value| {
        Answer::Sealed([(Seat(0), first), (Seat(1), second), (Seat(2), json!({}))].into())
    };
    let (after, notes) = step(&game, &state, &[targets(json!({"A1": "A2"}), json!({"A2": "A1"}))]);
    assert_eq!((after.get(0).target, after.get(1).target), (None, None));
    assert!(notes.iter().any(|note| note.what == "formation-lapses"));
    let (after, _) = step(&game, &state, &[targets(json!({"A1": "C1"}), json!({"A2": "A1"}))]);
    assert_eq!((after.get(0).target, after.get(1).target), (game.find("C1"), Some(0)));
}

#[test]
fn a_slower_follower_rolls_its_own_die_and_may_be_left_behind() {
    let (game, mut state) = formation(6); // Die 6 and speed 6: two movement points.
    state.get_mut(1).speed = 3;
    let (state, _) = step(&game, &state, &[choose(VerticalOption::Stay)]);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "straight"}))]);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "straight"}))]);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[choose(EngineOption::None)]);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[dice(&[6])]); // 9: one point.
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[]);
    assert_eq!(state.get(1).position.hex, Hex::new(-2, 1));
    let (state, notes) = step(&game, &state, &[]);
    assert_eq!(state.mover.as_ref().unwrap().formation, Formation::Out);
    assert!(notes.iter().any(|note| note.what == "out-of-formation"));
    assert_eq!(state.get(0).position.hex, Hex::new(-1, 1));
}

#[test]
fn a_climb_the_follower_cannot_make_ends_the_formation() {
    let (game, mut state) = formation(2);
    state.get_mut(1).speed = 2;
    let (state, _) = step(&game, &state, &[choose(VerticalOption::FullClimb)]);
    let (state, _) = step(&game, &state, &[choose(json!({"kind": "straight"}))]);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[choose(EngineOption::None)]);
    let (state, _) = step(&game, &state, &[]);
    let (state, _) = step(&game, &state, &[dice(&[6])]);
    let (state, _) = step(&game, &state, &[choose(VerticalOption::Stay)]);
    assert_eq!(state.mover.as_ref().unwrap().formation, Formation::Out);
    assert_eq!((state.get(0).position.level, state.get(1).position.level), (6, 5));
}

#[test]
fn without_movement_points_a_pilot_may_still_bet_or_must_to_level_off() {
    let (game, mut state) = duel();
    put(&game, &mut state, "C1", [0, 0], None, 4, 2);
    (state.get_mut(1).target, state.get_mut(1).edge) = (Some(0), Some(0));
    moving(&mut state, 1, 1);
    assert_eq!(refused(&game, &state, &[choose(json!({"kind": "bet-only"}))]), "pointless-bet");
    assert_eq!(refused(&game, &state, &[choose(json!({"kind": "stop"}))]), "accepted");
    let (after, _) =
        step(&game, &state, &[choose(json!({"kind": "bet-only", "level": 1, "points": 2})), dice(&[3, 3])]);
    assert_eq!((after.get(1).edge, after.get(1).position.facing), (Some(4), None));
    state.mover.as_mut().unwrap().leveling = Some(2);
    assert_eq!(refused(&game, &state, &[choose(json!({"kind": "stop"}))]), "already-pitched");
    assert_eq!(refused(&game, &state, &[choose(json!({"kind": "bet-only"})), dice(&[3, 3])]), "accepted");
    // Die 2 and speed 2 just pay for a step; aerobatics take it away, so that only the bet is left.
    put(&game, &mut state, "C1", [0, 0], Some(0), 4, 2);
    moving(&mut state, 1, 2);
    assert_eq!(refused(&game, &state, &[choose(json!({"kind": "straight", "level": 1, "points": 1}))]), "mp-lost");
    let (after, _) =
        step(&game, &state, &[choose(json!({"kind": "bet-only", "level": 1, "points": 1})), dice(&[3, 3])]);
    assert_eq!(after.get(1).position.hex, Hex::new(0, 0));
    let (after, _) = step(&game, &after, &[]);
    assert_eq!(after.mover.as_ref().unwrap().stage, Stage::Engine);
}

#[test]
fn a_destroyed_engine_leaves_only_drag_and_the_spin() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [0, 0], Some(0), 4, 7);
    state.get_mut(0).harm.engine_destroyed = true;
    moving(&mut state, 0, 3);
    state.mover.as_mut().unwrap().stage = Stage::Engine;
    let (after, _) = step(&game, &state, &[choose(EngineOption::Drag), dice(&[6])]);
    assert_eq!(after.get(0).speed, 6);
    // Once a spin has been tried there is nothing left to choose.
    state.mover.as_mut().unwrap().spin_tried = true;
    let (after, _) = step(&game, &state, &[dice(&[6])]);
    assert_eq!(after.get(0).speed, 6);
}

#[test]
fn smoke_may_become_fire_and_fire_burns_from_the_turn_after() {
    let (game, mut state) = duel();
    state.get_mut(0).harm.smoking = true;
    let (burning, _) = step(&game, &state, &[dice(&[1])]);
    assert!(burning.get(0).harm.burning);
    assert_eq!(burning.get(0).harm.boxes.marks_made(), 0);
    assert_eq!(game.flying(&burning, 0), 1 - 3);
    let mut next = burning.clone();
    next.phase = Phase::Smoke;
    let (next, _) = step(&game, &next, &[dice(&[4])]);
    assert_eq!(next.get(0).harm.boxes.texts()[0], "####..");
}

#[test]
fn a_circle_is_rolled_for_when_its_last_member_waits() {
    let (game, mut state) = duel();
    (state.get_mut(0).target, state.get_mut(0).edge, state.get_mut(0).posted) = (Some(1), Some(4), 4);
    (state.get_mut(1).target, state.get_mut(1).edge, state.get_mut(1).posted) = (Some(0), Some(0), 6);
    (state.get_mut(0).rank, state.get_mut(1).rank) = (0, 1);
    let entrant = |rank, target| {
        Some(crate::initiative::Entrant {
            group: crate::initiative::Group::WithTarget,
            rank,
            target: Some(target),
            formation: false,
        })
    };
    state.order = crate::initiative::Order::begin(
        &[entrant(0, 1), entrant(1, 0)],
        &["A1", "C1"],
        crate::initiative::RollOff::Dice,
        &mut Tape::new(Vec::new()),
    )
    .unwrap();
    state.phase = Phase::Movement;
    // Udet outranks Guynemer and would move after him; Guynemer waits for Udet.
    let (after, _) = step(&game, &state, &[choose(TailOption::Wait), dice(&[5]), dice(&[2])]);
    let (after, _) = step(&game, &after, &[]);
    assert_eq!(after.mover.as_ref().unwrap().who, 1);
    let (after, _) = step(&game, &state, &[choose(TailOption::Wait), dice(&[2]), dice(&[2]), dice(&[1]), dice(&[3])]);
    let (after, _) = step(&game, &after, &[]);
    assert_eq!(after.mover.as_ref().unwrap().who, 0);
    let (after, _) = step(&game, &state, &[choose(TailOption::MoveNow)]);
    assert_eq!(after.mover.as_ref().unwrap().who, 0);
}

#[test]
fn specials_count_from_their_turn_on() {
    let game = System::new(&files()).unwrap().game("hawker-1916", &Value::Null).unwrap();
    let mut state = game.setup();
    state.turn = 5;
    state.remove(0, Status::LeftHome);
    state.phase = Phase::Over;
    assert_eq!(game.outcome(&state).unwrap().points, [0, 0]);
    state.get_mut(0).left_in_turn = 6;
    assert_eq!(game.outcome(&state).unwrap().points, [6, 0]);
    assert_eq!(game.outcome(&state).unwrap().winner, Some(Side::First));
    let voss = System::new(&files()).unwrap().game("voss-1917", &Value::Null).unwrap();
    let mut state = voss.setup();
    state.phase = Phase::Over;
    assert_eq!(voss.outcome(&state).unwrap().points, [0, 8]);
    state.remove(voss.find("C1").unwrap(), Status::LeftNeutral);
    assert_eq!(voss.outcome(&state).unwrap().points, [6, 0]);
    state.get_mut(voss.find("A1").unwrap()).harm.wounds = 1;
    state.get_mut(voss.find("A2").unwrap()).harm.wounds = 1;
    assert_eq!(voss.outcome(&state).unwrap().winner, Some(Side::Second), "a draw goes to Central");
}

#[test]
fn an_edge_at_the_end_of_movement_is_at_most_ten_and_fire_is_simultaneous() {
    let (game, mut state) = duel();
    put(&game, &mut state, "A1", [0, 0], None, 4, 6);
    put(&game, &mut state, "C1", [0, 0], None, 4, 6);
    (state.get_mut(0).target, state.get_mut(0).edge) = (Some(1), Some(14));
    (state.get_mut(1).target, state.get_mut(1).edge) = (Some(0), Some(14));
    state.phase = Phase::Movement;
    let (mut state, _) = step(&game, &state, &[]);
    assert_eq!((state.phase, state.get(0).edge), (Phase::Combat, Some(10)));
    for id in [0, 1] {
        state.order.has_just_moved(id, &[0, 1]);
    }
    // The SPAD has one gun, +1 for firing and an ace: 10 − 10 + 1 + 2.
    let (state, _) = step(&game, &state, &[choose(FireOption::Fire), dice(&[6]), dice(&[6])]);
    let (state, _) = step(&game, &state, &[choose(FireOption::Fire), dice(&[1]), dice(&[3]), dice(&[1]), dice(&[3])]);
    assert_eq!(state.shots.len(), 2);
    let (state, _) = step(&game, &state, &[]);
    assert_eq!(state.phase, Phase::Hits);
    // Fifteen hits and seven criticals; a twelve ends it, and the Albatros has fired all the same.
    let (state, _) = step(&game, &state, &[dice(&[3, 4]), dice(&[6, 6])]);
    assert_eq!(state.get(1).status, Status::Destroyed);
    assert_eq!(state.get(0).harm.boxes.marks_made(), 2 * (4 + 1));
}
