//! What ends a ground battle and what counts in it; winter, the Pacific board, and why the defender strikes back.

use crate::ground_map::{Field, field_where};
use flagplot_kernel::{Chance, Game, Policy, Sampler, Side};
use flagplot_world_at_war::game::State;
use flagplot_world_at_war::game::ground::Phase;
use serde_json::json;

fn score(field: &Field) -> i64 {
    field.game.outcome(&field.state).expect("an end").details["score"].as_i64().expect("a score")
}

/// The score of a battle that ends as it stands, with air factors lost and hexes taken.
fn ended(air: [u8; 2], taken: &[(&str, Side)], gone: &[&str]) -> i64 {
    let drawn = "
        a1 .  b1
        a2 .  b2
    ";
    let units = [("a1", "infantry"), ("a2", "infantry"), ("b1", "infantry"), ("b2", "infantry")];
    let objectives = ("objectives = []", "objectives = [[\"0301\", 4], [\"0101\", 2]]");
    let mut field = field_where(drawn, &units, &[objectives]);
    let hexes: Vec<(u8, Side)> = taken.iter().map(|(hex, side)| (field.hex(hex), *side)).collect();
    let units: Vec<usize> = gone.iter().map(|id| field.at(id)).collect();
    field.set(|state| {
        (state.air.first.eliminated, state.air.second.eliminated) = (air[0], air[1]);
        for (hex, side) in hexes {
            match side {
                Side::First => state.axis.insert(hex),
                Side::Second => state.axis.remove(hex),
            }
        }
        for unit in units {
            state.units[unit].hex = None;
        }
        state.phase = Phase::Over;
    });
    score(&field)
}

#[test]
fn three_air_factors_count_as_a_counter_for_both_sides() {
    for (lost, points) in [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2)] {
        assert_eq!(ended([0, lost], &[], &[]), points, "{lost} Allied air factors");
        assert_eq!(ended([lost, 0], &[], &[]), -points, "{lost} Axis air factors");
    }
    assert_eq!(ended([3, 7], &[], &["a1", "b1"]), 1);
}

#[test]
fn objectives_count_for_the_side_that_took_them() {
    assert_eq!(ended([0, 0], &[("0301", Side::First)], &[]), 4);
    assert_eq!(ended([0, 0], &[("0101", Side::Second)], &[]), -2);
    assert_eq!(ended([0, 0], &[("0301", Side::First), ("0101", Side::Second)], &["b2"]), 3);
    // What a side held from the beginning brings nothing.
    assert_eq!(ended([0, 0], &[("0101", Side::First), ("0301", Side::Second)], &[]), 0);
}

#[test]
fn if_both_sides_are_gone_the_score_decides() {
    for (objective, winner) in [("", None), ("[\"0201\", 9]", Some(Side::First))] {
        let changes = [("objectives = []", format!("objectives = [{objective}]"))];
        let changes: Vec<(&str, &str)> = changes.iter().map(|(from, to)| (*from, to.as_str())).collect();
        let mut field = field_where("_ . b1\n_ a1 .", &[("a1", "armor"), ("b1", "infantry")], &changes);
        field.answer(json!("offensive"));
        field.answer(json!({"move": {"unit": "a1", "to": "0201"}}));
        field.answer(json!("done"));
        field.answer(json!({"attack": {"target": "0301", "units": ["a1"]}}));
        field.answer(json!("done"));
        // 4 against 4, and a 3 is an exchange of equals.
        field.dice(&[3]);
        assert_eq!([field.place("a1"), field.place("b1")], ["gone", "gone"]);
        let outcome = field.game.outcome(&field.state).expect("an end");
        assert_eq!(outcome.winner, winner);
        assert!(field.notes.iter().any(|note| note.contains("the score decides")), "{:?}", field.notes);
    }
}

const PRESS: &str = "
    a1+a2 b1+b4 b2+b3
    a3+a4 .     .
    _     .     .
";

const PRESSED: [(&str, &str); 8] = [
    ("a1", "infantry"),
    ("a2", "infantry"),
    ("a3", "armor"),
    ("a4", "armor"),
    ("b1", "infantry"),
    ("b2", "armor"),
    ("b3", "infantry"),
    ("b4", "armor"),
];

/// Attrition by 14 factors with this die; the counters that the Allies lose, and whether a hex may be taken.
fn pressed(changes: &[(&str, &str)], face: u8) -> (usize, bool) {
    let mut field = field_where(PRESS, &PRESSED, changes);
    field.answer(json!("attrition"));
    field.answer(json!("done"));
    field.dice(&[face]);
    let all = ["b1", "b4"];
    let mut lost = all.iter().filter(|id| field.place(id) == "gone").count();
    if field.code() == "counters" {
        field.answer(json!(["b4"]));
        lost = 1;
    }
    (lost, field.code() == "take-hex")
}

#[test]
fn winter_moves_the_die_of_attrition_in_its_turns() {
    // 11 to 20 factors: 4 is 2C, 5 is 1C/1H, and 3 is 2C.
    let better = ("germany = 0, russia = 0, rumania = 0", "germany = 1, russia = 0, rumania = 0");
    let worse = ("germany = 0, russia = 0, rumania = 0", "germany = 0, russia = 1, rumania = 0");
    let now = ("winter_turns = []", "winter_turns = [1]");
    let later = ("winter_turns = []", "winter_turns = [2]");
    assert_eq!(pressed(&[], 4), (2, false));
    assert_eq!(pressed(&[now, better], 4), (1, true));
    assert_eq!(pressed(&[later, better], 4), (2, false), "not in winter yet");
    assert_eq!(pressed(&[], 5), (1, true));
    assert_eq!(pressed(&[now, worse], 5), (2, false));
}

#[test]
fn the_pacific_board_halves_the_hexes_of_attrition() {
    // One hex becomes none; the counter stays.
    assert_eq!(pressed(&[], 5), (1, true));
    assert_eq!(pressed(&[("board = \"europe\"", "board = \"pacific\"")], 5), (1, false));
}

struct Instinct;

impl Policy for Instinct {
    fn decide<C: flagplot_kernel::Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        choice.instinct(chance)
    }
}

/// Whether the Allies, who defend, attack by instinct in their first turn.
fn strikes_back(drawn: &str, units: &[(&str, &str)], objectives: &str) -> bool {
    let changes = [("objectives = []", format!("objectives = [{objectives}]"))];
    let changes: Vec<(&str, &str)> = changes.iter().map(|(from, to)| (*from, to.as_str())).collect();
    let mut field = field_where(drawn, units, &changes);
    field.answer(json!("pass"));
    if field.code() == "movement" {
        field.answer(json!("done"));
    }
    assert_eq!((field.code(), field.ground().active), ("option", Side::Second));
    let (mut state, mut chance) = (field.state.clone(), Chance::seeded(1));
    loop {
        field.game.step(&mut state, &mut Sampler::new(&mut chance, Instinct)).expect("instinct answers everything");
        let State::Ground(ground) = &state else { panic!("a ground battle") };
        if !ground.attacks.is_empty() {
            return true;
        }
        if ground.active == Side::First || ground.phase == Phase::Over {
            return false;
        }
    }
}

#[test]
fn the_defender_strikes_back_to_retake_an_objective_or_to_free_isolated_units() {
    let units =
        [("a1", "weak"), ("a2", "infantry"), ("b1", "armor"), ("b2", "armor"), ("b3", "armor"), ("b4", "infantry")];
    // Nine factors next to one: far better than 3:1.
    let drawn = "
        a2 _  a1 b1+b2 .
        _  _  .  b3    b4
    ";
    assert!(!strikes_back(drawn, &units, ""), "nothing is won by it");
    assert!(strikes_back(drawn, &units, "[\"0301\", 6]"), "an objective in enemy hands");
    // The infantry in the west is isolated: its only supply lies beyond the weak unit.
    let cut_off = "
        ~  ~  ~  ~     ~
        b4 .  a1 b1+b2 .*
        ~  ~  ~  b3    ~
        a2* ~ ~  ~     ~
    ";
    assert!(strikes_back(cut_off, &units, ""), "isolated units are freed");
}
