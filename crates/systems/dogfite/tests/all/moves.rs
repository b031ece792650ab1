//! Moves played by hand.

use crate::common::system;
use flagplot_dogfite::damage::Boxes;
use flagplot_dogfite::game::{
    CraftId, Dogfight, EngineOption, Formation, Mover, Phase, RecoverOption, Stage, State, TailOption, VerticalOption,
};
use flagplot_dogfite::initiative::{Entrant, Next, Order, RollOff, Why};
use flagplot_dogfite::words::{Flight, Pitch, Status};
use flagplot_kernel::hex::{Direction, Hex};
use flagplot_kernel::{Answer, DiceFrom, Faces, Game, Progress, Seat, Side, Tape, advance};
use serde_json::{Value, json};
use std::ops::{Deref, DerefMut};

/// A game with its state and what the last step noted.
#[derive(Clone)]
struct Table {
    game: Dogfight,
    state: State,
    noted: Vec<&'static str>,
    cited: Vec<&'static str>,
}

impl Deref for Table {
    type Target = State;
    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Table {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

fn table(scenario: &str, options: Value) -> Table {
    let game = system().game(scenario, &options).unwrap();
    Table { state: game.setup(), game, noted: Vec::new(), cited: Vec::new() }
}

fn duel() -> Table {
    table("guynemer-udet-1917", Value::Null)
}

impl Table {
    fn find(&self, id: &str) -> CraftId {
        self.game.find(id).unwrap()
    }

    /// Puts an aircraft at a place: hex, facing (none: middle), level, speed.
    fn put(&mut self, id: &str, hex: [i32; 2], facing: Option<i32>, level: i32, speed: i32) -> CraftId {
        let at = self.find(id);
        let craft = self.get_mut(at);
        craft.position.hex = hex.into();
        craft.position.facing = facing.map(Direction::new);
        craft.position.level = level;
        craft.speed = speed;
        at
    }

    fn targets(&mut self, hunter: CraftId, prey: CraftId, edge: i32) {
        let craft = self.get_mut(hunter);
        (craft.target, craft.edge) = (Some(prey), Some(edge));
    }

    /// An aircraft that has rolled this die and is about to make its steps.
    fn moving(&mut self, who: CraftId, die: u8) -> &mut Mover {
        let mut mover = Mover::new(who, self.get(who), Formation::No);
        mover.die = die;
        mover.stage = Stage::Steps;
        mover.vertical = Some(VerticalOption::Stay);
        self.phase = Phase::Movement;
        self.mover.insert(mover)
    }

    fn mover(&self) -> &Mover {
        self.mover.as_ref().unwrap()
    }

    /// Begins the move of an aircraft.
    fn begin(&mut self, who: CraftId) {
        self.mover = Some(Mover::new(who, self.get(who), Formation::No));
    }

    /// Runs one step with these answers, which must be just enough.
    fn step(&mut self, answers: &[Answer]) {
        let mut tape = Tape::new(answers.to_vec());
        match advance(&self.game, &self.state, &mut tape) {
            Ok(Progress::Stepped(after)) => self.state = after,
            Ok(Progress::Asks(question)) => panic!("the rules ask {question:?}"),
            Err(refusal) => panic!("refused: {refusal}"),
        }
        self.noted = tape.notes().iter().map(|note| note.what).collect();
        self.cited = tape.notes().iter().flat_map(|note| &note.rules).map(|rule| rule.id).collect();
    }

    /// The same after one step.
    fn after(&self, answers: &[Answer]) -> Table {
        let mut after = self.clone();
        after.step(answers);
        after
    }

    fn refused(&self, answers: &[Answer]) -> &'static str {
        match advance(&self.game, &self.state, &mut Tape::new(answers.to_vec())) {
            Err(refusal) => {
                assert!(refusal.rule.is_some(), "{refusal} names no rule");
                refusal.code
            }
            Ok(_) => "accepted",
        }
    }
}

fn dice(faces: &[u8]) -> Answer {
    Answer::Dice(Faces(faces.to_vec()))
}

fn choose(value: impl serde::Serialize) -> Answer {
    Answer::Choice(serde_json::to_value(value).unwrap())
}

fn straight() -> Answer {
    choose(json!({"kind": "straight"}))
}

#[test]
fn a_won_bet_is_recorded_with_everybody() {
    let mut t = table("verdun-1916", Value::Null);
    let a1 = t.put("A1", [0, 0], Some(0), 5, 5);
    let (a2, c1, c2) = (t.find("A2"), t.find("C1"), t.find("C2"));
    for (hunter, prey, edge) in [(a1, c1, 1), (c1, a1, 4), (c2, a1, 4), (a2, c1, 2)] {
        t.targets(hunter, prey, edge);
    }
    t.moving(a1, 3);
    // Expert (flying +1) in a Nieuport 11 (aerobatic +1): level 1 and three points gain 1 + 3 + 1.
    t.step(&[choose(json!({"kind": "facing", "turn": 2, "points": 3})), dice(&[3, 4])]);
    let edges: Vec<_> = [a1, c1, c2, a2].iter().map(|&id| t.get(id).edge).collect();
    assert_eq!(edges, [Some(6), Some(-1), Some(2), Some(2)]);
    assert_eq!((t.get(a1).position.hex, t.get(a1).position.facing), (Hex::new(0, -1), Some(Direction::new(2))));
    // Aerobatics lowered the die to 2: one movement point in all, and it is used, so that the engine is next.
    t.step(&[]);
    assert_eq!(t.mover().stage, Stage::Engine);
}

#[test]
fn a_lost_bet_cuts_what_the_player_gives_up() {
    let mut t = duel();
    t.put("A1", [0, 0], Some(0), 4, 6);
    t.targets(0, 1, 3);
    t.moving(0, 3);
    // Level 1 with a point: 5 is needed, 2 + 1 is missed by 2; 6 − 2 = 4: one task.
    let given = |given: Value| {
        [choose(json!({"kind": "facing", "turn": -2, "points": 1})), dice(&[1, 1]), dice(&[3, 3]), choose(given)]
    };
    let after = t.after(&given(json!({"facing": 1})));
    assert_eq!((after.get(0).position.facing, after.get(0).edge), (Some(Direction::new(-1)), Some(4)));
    let after = t.after(&given(json!({"aerobatics": 1})));
    assert_eq!((after.get(0).position.facing, after.get(0).edge), (Some(Direction::new(-2)), Some(3)));
    assert_eq!(t.refused(&given(json!({"stay-in-hex": 1}))), "bad-cancel");
}

#[test]
fn thrown_out_of_the_middle_by_an_edge_of_choice() {
    let mut t = duel();
    t.put("A1", [1, 1], None, 4, 6);
    t.moving(0, 2);
    // Level 1: 4 is needed, 2 + 1 misses by 1; 7 − 1 = 6: one task, the only one.
    t.step(&[choose(json!({"kind": "stay"})), dice(&[1, 1]), dice(&[3, 4]), choose(4)]);
    assert_eq!((t.get(0).position.facing, t.get(0).position.hex), (Some(Direction::new(4)), Hex::new(1, 1)));
    assert!(t.cited.contains(&"R-33"));
}

#[test]
fn a_level_off_that_fails_low_down_ends_in_the_ground() {
    let mut t = duel();
    t.put("A1", [0, 0], Some(0), 1, 6);
    t.get_mut(0).position.pitch = Pitch::Diving;
    t.moving(0, 3).leveling = Some(1);
    let after = t.after(&[straight(), dice(&[3, 3])]);
    assert_eq!(after.get(0).position.pitch, Pitch::Level);
    let after = t.after(&[straight(), dice(&[1, 1]), dice(&[6, 6])]);
    assert_eq!(after.get(0).status, Status::Destroyed);
    assert!(after.mover.is_none());
    assert!(after.cited.contains(&"R-67"));
    // Two levels up it finishes the dive, and the same failure may force it into the next one.
    t.get_mut(0).position.level = 3;
    let after = t.after(&[straight(), dice(&[1, 1]), dice(&[1, 1])]);
    assert_eq!((after.get(0).position.level, after.get(0).position.pitch), (2, Pitch::Diving));
    assert_eq!(after.mover().tally.dive_points(), 1);
}

#[test]
fn a_climber_that_cannot_pay_and_fails_to_level_off_dives() {
    let mut t = duel();
    t.put("A1", [0, 0], Some(0), 4, 1);
    t.get_mut(0).position.pitch = Pitch::Climbing;
    t.moving(0, 3).leveling = Some(2);
    t.step(&[straight(), dice(&[1, 1]), dice(&[6, 6])]);
    assert_eq!((t.get(0).position.level, t.get(0).position.pitch), (4, Pitch::Diving));
}

#[test]
fn a_plain_bet_that_is_lost_forces_a_half_dive() {
    let mut t = duel();
    t.put("C1", [0, 0], Some(0), 4, 6);
    t.moving(1, 3);
    t.step(&[choose(json!({"kind": "straight", "level": 2})), dice(&[1, 2]), dice(&[6, 6])]);
    assert_eq!((t.get(1).position.pitch, t.get(1).position.hex), (Pitch::Diving, Hex::new(0, -1)));
}

#[test]
fn a_spin_and_the_way_out_of_it() {
    let mut t = duel();
    t.put("C1", [0, 0], Some(0), 4, 6);
    t.targets(1, 0, 5);
    t.moving(1, 3);
    // Expert: level 0, which cannot be lost.
    t.step(&[choose(json!({"kind": "spin"})), dice(&[1, 1])]);
    let craft = t.get(1);
    assert_eq!(
        (craft.flight, craft.speed, craft.position.facing, craft.target, craft.edge),
        (Flight::Spinning, 0, None, None, None)
    );
    assert!(t.mover.is_none());
    t.begin(1);
    let kept = t.after(&[choose(RecoverOption::KeepSpinning)]);
    assert_eq!((kept.get(1).position.level, kept.get(1).flight), (3, Flight::Spinning));
    let out = t.after(&[choose(RecoverOption::Try), dice(&[3, 3])]);
    assert_eq!((out.get(1).position.level, out.get(1).flight, out.get(1).speed), (3, Flight::Flying, 2));
    let powered = out.after(&[choose(EngineOption::Power), dice(&[3])]);
    assert_eq!((powered.get(1).speed, powered.get(1).flight), (3, Flight::Flying));
    t.get_mut(1).position.level = 1;
    let crashed = t.after(&[choose(RecoverOption::KeepSpinning)]);
    assert_eq!(crashed.get(1).status, Status::Destroyed);
    let saved = t.after(&[choose(RecoverOption::Try), dice(&[3, 3])]);
    assert_eq!(saved.get(1).position.level, 1);
}

#[test]
fn a_stall_binds_the_next_move() {
    let mut t = duel();
    t.put("C1", [0, 0], Some(0), 4, 3);
    t.targets(1, 0, 5);
    t.moving(1, 3).stage = Stage::Engine;
    // Speed 3 is the minimum; die 1 and flying +1 make 2: a stall.
    t.step(&[choose(EngineOption::None), dice(&[1])]);
    let craft = t.get(1);
    assert_eq!(
        (craft.flight, craft.speed, craft.position.pitch, craft.target),
        (Flight::Stalled, 4, Pitch::Diving, None)
    );
    t.begin(1);
    t.step(&[dice(&[3])]);
    t.step(&[choose(VerticalOption::Finish)]);
    assert_eq!((t.get(1).position.level, t.mover().tally.speed_for_bets()), (3, 5));
    t.step(&[]);
    t.step(&[]);
    t.step(&[choose(EngineOption::Power), dice(&[6])]);
    assert_eq!((t.get(1).flight, t.get(1).speed), (Flight::Flying, 6));
}

#[test]
fn leaving_ends_the_move_and_frees_the_hunters() {
    let mut t = duel();
    t.put("A1", [-5, 2], Some(5), 4, 6);
    t.targets(1, 0, 5);
    t.moving(0, 6);
    assert_eq!(t.refused(&[choose(json!({"kind": "straight", "level": 1}))]), "pointless-bet");
    t.step(&[straight()]);
    assert_eq!((t.get(0).status, t.get(1).target, t.get(1).edge), (Status::LeftHome, None, None));
    assert!(t.mover.is_none());
}

/// Two Nieuports on one spot; the second follows the first.
fn formation(leader_die: u8) -> Table {
    let mut t = table("bloody-april-1917", Value::Null);
    t.phase = Phase::Targets;
    t.step(&[Answer::Sealed([(Seat(0), json!({"A1": "C1", "A2": "A1"})), (Seat(1), json!({}))].into())]);
    // Seven dice, no ties among those that matter: A1 posts low and moves first of the hunters.
    let rolls: Vec<Answer> = [1, 9, 10, 10, 5, 6, 7].iter().map(|&face| dice(&[face])).collect();
    let mut tape = Tape::with_dice(rolls, DiceFrom::Script(vec![1, 2, 3, 4, 5, 6]));
    let Ok(Progress::Stepped(state)) = advance(&t.game, &t.state, &mut tape) else { panic!("initiative") };
    t.state = state;
    assert_eq!(t.order.follows(1), Some((0, Why::Formation)));
    assert_eq!(t.order.up_next(), Next::Place(0));
    t.step(&[]);
    t.step(&[dice(&[leader_die])]);
    t
}

#[test]
fn a_follower_repeats_what_its_leader_did() {
    let mut t = formation(2);
    t.step(&[choose(VerticalOption::Stay)]);
    // Speed 6: a turn of two is level 1. The leader spends a point, so the follower bets with −2.
    t.step(&[choose(json!({"kind": "facing", "turn": 2, "points": 1})), dice(&[4, 4])]);
    t.step(&[]);
    t.step(&[choose(EngineOption::None)]);
    assert!(t.mover.is_none() && t.trails.len() == 1);
    t.step(&[]);
    assert_eq!(t.mover().who, 1);
    t.step(&[]); // The leader's die.
    assert!(t.noted.contains(&"formation-die"));
    t.step(&[]); // The leader's level flight.
    // Expert: 2d6 + 1 − 2 against 4.
    let mut won = t.after(&[dice(&[2, 3])]);
    assert_eq!(won.get(1).position, won.get(0).position);
    won.step(&[]);
    assert_eq!(won.mover().stage, Stage::Engine);
    let lost = t.after(&[dice(&[2, 2]), dice(&[6, 6])]);
    assert_eq!(lost.mover().formation, Formation::Out);
    assert!(lost.noted.contains(&"out-of-formation"));
    assert_ne!(lost.get(1).position, lost.get(0).position);
}

#[test]
fn a_leaders_spin_is_not_copied() {
    let mut t = formation(2);
    t.step(&[choose(VerticalOption::Stay)]);
    t.step(&[choose(json!({"kind": "spin"})), dice(&[4, 4])]);
    assert_eq!(t.get(0).flight, Flight::Spinning);
    t.step(&[]);
    t.step(&[]);
    t.step(&[choose(VerticalOption::HalfDive)]);
    assert_eq!(t.mover().formation, Formation::Out);
    t.step(&[straight()]);
    assert_eq!(t.get(1).position.facing, Some(Direction::new(2)));
}

#[test]
fn a_leader_who_leaves_is_followed_up_or_down_but_not_off_the_map() {
    let mut t = formation(2);
    for id in ["A1", "A2"] {
        t.put(id, [-6, 2], Some(5), 5, 6);
    }
    t.step(&[choose(VerticalOption::FullDive)]);
    t.step(&[straight()]);
    assert_eq!(t.get(0).status, Status::LeftHome);
    t.step(&[]);
    t.step(&[]); // The leader's die.
    t.step(&[]); // The leader's dive.
    assert_eq!(t.get(1).position.level, 4);
    t.step(&[]);
    assert_eq!(t.mover().formation, Formation::Out);
    t.step(&[straight()]);
    assert_eq!(t.get(1).status, Status::LeftHome);
}

#[test]
fn a_leader_who_breaks_up_at_the_end_of_his_move_is_copied_all_the_same() {
    let mut t = formation(6); // Two movement points.
    t.get_mut(0).harm.boxes = Boxes::parse(&["//////"; 4]).unwrap();
    t.step(&[choose(VerticalOption::Stay)]);
    t.step(&[choose(json!({"kind": "straight", "level": 3})), dice(&[6, 6])]);
    t.step(&[straight()]);
    t.step(&[]);
    t.step(&[choose(EngineOption::None), dice(&[1, 1])]); // 2 less 4.
    assert_eq!(t.get(0).status, Status::Destroyed);
    for _ in 0..6 {
        t.step(&[]);
    }
    assert_eq!((t.mover().stage, t.mover().formation), (Stage::Engine, Formation::Copying(2)));
}

#[test]
fn two_players_who_name_each_other_unseen_follow_nobody() {
    let mut t = table("bloody-april-1917", json!({"seats": {"allied": 2}}));
    t.phase = Phase::Targets;
    assert_eq!((t.game.seat(0), t.game.seat(1)), (Seat(0), Seat(1)));
    let targets = |first: Value, second: Value| {
        [Answer::Sealed([(Seat(0), first), (Seat(1), second), (Seat(2), json!({}))].into())]
    };
    let after = t.after(&targets(json!({"A1": "A2"}), json!({"A2": "A1"})));
    assert_eq!((after.get(0).target, after.get(1).target), (None, None));
    assert!(after.noted.contains(&"formation-lapses"));
    let after = t.after(&targets(json!({"A1": "C1"}), json!({"A2": "A1"})));
    assert_eq!((after.get(0).target, after.get(1).target), (Some(t.find("C1")), Some(0)));
}

#[test]
fn a_slower_follower_rolls_its_own_die_and_may_be_left_behind() {
    let mut t = formation(6); // Die 6 and speed 6: two movement points.
    t.get_mut(1).speed = 3;
    t.step(&[choose(VerticalOption::Stay)]);
    t.step(&[straight()]);
    t.step(&[straight()]);
    t.step(&[]);
    t.step(&[choose(EngineOption::None)]);
    t.step(&[]);
    t.step(&[dice(&[6])]); // 9: one point.
    t.step(&[]);
    t.step(&[]);
    assert_eq!(t.get(1).position.hex, Hex::new(-2, 1));
    t.step(&[]);
    assert_eq!(t.mover().formation, Formation::Out);
    assert!(t.noted.contains(&"out-of-formation"));
    assert_eq!(t.get(0).position.hex, Hex::new(-1, 1));
}

#[test]
fn a_climb_the_follower_cannot_make_ends_the_formation() {
    let mut t = formation(2);
    t.get_mut(1).speed = 2;
    t.step(&[choose(VerticalOption::FullClimb)]);
    t.step(&[straight()]);
    t.step(&[]);
    t.step(&[choose(EngineOption::None)]);
    t.step(&[]);
    t.step(&[dice(&[6])]);
    t.step(&[choose(VerticalOption::Stay)]);
    assert_eq!(t.mover().formation, Formation::Out);
    assert_eq!((t.get(0).position.level, t.get(1).position.level), (6, 5));
}

#[test]
fn without_movement_points_a_pilot_may_still_bet_or_must_to_level_off() {
    let mut t = duel();
    t.put("C1", [0, 0], None, 4, 2);
    t.targets(1, 0, 0);
    t.moving(1, 1);
    let bet = |level: i32, points: i32| choose(json!({"kind": "bet-only", "level": level, "points": points}));
    let (bet_only, stop) = (choose(json!({"kind": "bet-only"})), choose(json!({"kind": "stop"})));
    assert_eq!(t.refused(std::slice::from_ref(&bet_only)), "pointless-bet");
    t.after(std::slice::from_ref(&stop));
    let after = t.after(&[bet(1, 2), dice(&[3, 3])]);
    assert_eq!((after.get(1).edge, after.get(1).position.facing), (Some(4), None));
    t.mover.as_mut().unwrap().leveling = Some(2);
    assert_eq!(t.refused(&[stop]), "already-pitched");
    t.after(&[bet_only, dice(&[3, 3])]);
    // Die 2 and speed 2 just pay for a step; aerobatics take it away, so that only the bet is left.
    t.put("C1", [0, 0], Some(0), 4, 2);
    t.moving(1, 2);
    assert_eq!(t.refused(&[choose(json!({"kind": "straight", "level": 1, "points": 1}))]), "mp-lost");
    let mut after = t.after(&[bet(1, 1), dice(&[3, 3])]);
    assert_eq!(after.get(1).position.hex, Hex::new(0, 0));
    after.step(&[]);
    assert_eq!(after.mover().stage, Stage::Engine);
}

#[test]
fn a_destroyed_engine_leaves_only_drag_and_the_spin() {
    let mut t = duel();
    t.put("A1", [0, 0], Some(0), 4, 7);
    t.get_mut(0).harm.engine_destroyed = true;
    t.moving(0, 3).stage = Stage::Engine;
    let after = t.after(&[choose(EngineOption::Drag), dice(&[6])]);
    assert_eq!(after.get(0).speed, 6);
    // Once a spin has been tried there is nothing left to choose.
    t.mover.as_mut().unwrap().spin_tried = true;
    t.step(&[dice(&[6])]);
    assert_eq!(t.get(0).speed, 6);
}

#[test]
fn smoke_may_become_fire_and_fire_burns_from_the_turn_after() {
    let mut t = duel();
    t.get_mut(0).harm.smoking = true;
    t.step(&[dice(&[1])]);
    assert!(t.get(0).harm.burning);
    assert_eq!(t.get(0).harm.boxes.marks_made(), 0);
    assert_eq!(t.game.flying(&t.state, 0), 1 - 3);
    t.phase = Phase::Smoke;
    t.step(&[dice(&[4])]);
    assert_eq!(t.get(0).harm.boxes.texts()[0], "####..");
}

#[test]
fn a_circle_is_rolled_for_when_its_last_member_waits() {
    let mut t = duel();
    t.targets(0, 1, 4);
    t.targets(1, 0, 0);
    (t.get_mut(0).posted, t.get_mut(1).posted) = (4, 6);
    (t.get_mut(0).rank, t.get_mut(1).rank) = (0, 1);
    let entrant = |rank, target| Some(Entrant { spinning: false, rank, target: Some(target), formation: false });
    let entrants = [entrant(0, 1), entrant(1, 0)];
    let names = ["A1".into(), "C1".into()];
    t.order = Order::begin(&entrants, &names, RollOff::Dice, &mut Tape::new(Vec::new())).unwrap();
    t.phase = Phase::Movement;
    // Udet outranks Guynemer and would move after him; Guynemer waits for Udet.
    let mut after = t.after(&[choose(TailOption::Wait), dice(&[5]), dice(&[2])]);
    after.step(&[]);
    assert_eq!(after.mover().who, 1);
    let mut after = t.after(&[choose(TailOption::Wait), dice(&[2]), dice(&[2]), dice(&[1]), dice(&[3])]);
    after.step(&[]);
    assert_eq!(after.mover().who, 0);
    t.step(&[choose(TailOption::MoveNow)]);
    assert_eq!(t.mover().who, 0);
}

#[test]
fn a_head_start_counts_from_the_beginning_and_is_told() {
    for (scenario, points) in [("bloody-april-1917", 4), ("black-flight-1917", 2)] {
        let mut t = table(scenario, Value::Null);
        let aims = t.game.aims();
        assert!(
            aims.first.ends_with(&format!("You begin with {points} points, which evens the sides.")),
            "{}",
            aims.first
        );
        assert!(aims.second.ends_with(&format!("The enemy begins with {points} points, which evens the sides.")));
        t.phase = Phase::Over;
        let outcome = t.game.outcome(&t.state).unwrap();
        assert_eq!(outcome.points, [points, 0]);
        assert_eq!(outcome.winner, (points >= 3).then_some(Side::First), "a lead of 3 wins");
    }
}

#[test]
fn specials_count_from_their_turn_on() {
    let mut t = table("hawker-1916", Value::Null);
    let points = |t: &Table| t.game.outcome(&t.state).unwrap().points;
    let winner = |t: &Table| t.game.outcome(&t.state).unwrap().winner;
    let special = t.game.scenario().special[0].clone();
    t.turn = special.from_turn - 1;
    t.remove(0, Status::LeftHome);
    t.phase = Phase::Over;
    assert_eq!((points(&t), winner(&t)), ([0, 4], Some(Side::Second)), "Richthofen holds the field");
    t.get_mut(0).left_in_turn = special.from_turn;
    assert_eq!(points(&t), [special.points, 4]);
    t.get_mut(0).harm.smoking = true;
    assert_eq!(points(&t), [special.points, 2], "Hawker had cause to leave");
    let mut voss = table("voss-1917", Value::Null);
    voss.phase = Phase::Over;
    assert_eq!(points(&voss), [0, 8]);
    let (a1, a2, c1) = (voss.find("A1"), voss.find("A2"), voss.find("C1"));
    voss.remove(c1, Status::LeftNeutral);
    assert_eq!(points(&voss), [1 + 5 + 4, 0]);
    for craft in [a1, a2] {
        voss.get_mut(craft).harm.wounds = 1;
        voss.get_mut(craft).harm.engine_destroyed = true;
    }
    assert_eq!(points(&voss), [10, 14]);
    voss.get_mut(a2).harm.wounds = 0;
    assert_eq!(winner(&voss), Some(Side::Second), "a draw goes to Central");
}

#[test]
fn an_edge_at_the_end_of_movement_is_at_most_ten_and_fire_is_simultaneous() {
    let mut t = duel();
    t.put("A1", [0, 0], None, 4, 6);
    t.put("C1", [0, 0], None, 4, 6);
    t.targets(0, 1, 14);
    t.targets(1, 0, 14);
    t.phase = Phase::Movement;
    t.step(&[]);
    assert_eq!((t.phase, t.get(0).edge), (Phase::Combat, Some(10)));
    for id in [0, 1] {
        t.order.has_just_moved(id, &[0, 1]);
    }
    // The SPAD has one gun, +1 for firing and an ace: 10 − 10 + 1 + 2.
    t.step(&[dice(&[6]), dice(&[6])]);
    t.step(&[dice(&[1]), dice(&[3]), dice(&[1]), dice(&[3])]);
    assert_eq!(t.shots.len(), 2);
    t.step(&[]);
    assert_eq!(t.phase, Phase::Hits);
    // Fifteen hits and seven criticals; a twelve ends it, and the Albatros has fired all the same.
    t.step(&[dice(&[3, 4]), dice(&[6, 6])]);
    assert_eq!(t.get(1).status, Status::Destroyed);
    assert_eq!(t.get(0).harm.boxes.marks_made(), 2 * (4 + 1));
}
