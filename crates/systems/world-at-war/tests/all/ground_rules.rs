//! Drawn battles: ways, zones of control, attacks, exploitation, attrition, retreats, overstacking, supply.

use crate::ground_map::{Field, field, field_with};
use flagplot_kernel::Game;
use serde_json::{Value, json};

fn go(unit: &str, to: &str) -> Value {
    json!({"move": {"unit": unit, "to": to}})
}

fn begin(field: &mut Field, option: &str, moves: &[(&str, &str)]) {
    field.answer(json!(option));
    for (unit, to) in moves {
        field.answer(go(unit, to));
    }
    field.answer(json!("done"));
}

fn spent(field: &Field, id: &str) -> u8 {
    field.ground().units[field.at(id)].spent
}

fn axis(field: &Field, hex: &str) -> bool {
    field.ground().axis.contains(field.hex(hex))
}

#[test]
fn a_leg_takes_the_cheapest_way_through_most_enemy_hexes() {
    // Both ways to 0301 cost two; the one by 0201 lies in enemy hands, and forest costs more.
    let mut field = field(
        "
        a1 .  .  .
        _  _  .  b1
        ",
        &[("a1", "armor"), ("b1", "infantry")],
    );
    field.answer(json!("offensive"));
    field.answer(go("a1", "0301"));
    assert_eq!((field.place("a1").as_str(), spent(&field, "a1")), ("0301", 2));
    assert!(axis(&field, "0201") && axis(&field, "0301"));
    assert!(field.notes.iter().any(|note| note.contains("by 0201")), "{:?}", field.notes);
    // It goes on with the points it has left: next to the infantry there is no zone of control.
    field.answer(go("a1", "0302"));
    assert_eq!(spent(&field, "a1"), 3);
}

#[test]
fn zones_of_control_cost_two_more_and_one_hex_is_always_allowed() {
    let mut field = field(
        "
        a1 f  b1 .
        .  .  .  .
        ",
        &[("a1", "infantry"), ("b1", "armor")],
    );
    field.answer(json!("offensive"));
    // Forest in a zone of control costs four of three points, but it is the first hex.
    field.answer(go("a1", "0201"));
    assert_eq!((field.place("a1").as_str(), spent(&field, "a1")), ("0201", 3));
}

#[test]
fn an_impassable_side_stops_movement_zones_and_attacks() {
    let mut field = field_with(
        "
        a1 b1 .
        a2 .  .
        ",
        &[("a1", "infantry"), ("a2", "infantry"), ("b1", "armor")],
        "impassable = [[\"0101\", \"0201\"]]",
    );
    begin(&mut field, "offensive", &[]);
    // a2 at 0102 is adjacent to 0201; a1 is cut off.
    let Some(asked) = field.asked() else { panic!("no question") };
    assert_eq!(asked.prompt.code, "declare");
    assert!(asked.options.iter().all(|option| !option.value.to_string().contains("a1")), "{:?}", field.options());
}

#[test]
fn an_attack_advances_breaks_through_and_exploits() {
    let mut field = field(
        "
        _  a1+a3 .  .  .
        _  a2    b1 .  b2
        _  _     .  .  .
        ",
        &[("a1", "armor"), ("a2", "infantry"), ("a3", "armor"), ("b1", "infantry"), ("b2", "infantry")],
    );
    begin(&mut field, "offensive", &[("a1", "0301")]);
    field.answer(json!({"attack": {"target": "0302", "units": ["a1", "a2"], "support": 0}}));
    field.answer(json!({"take-back": {"target": "0302"}}));
    assert_eq!(field.code(), "declare");
    field.answer(json!({"attack": {"target": "0302", "units": ["a1", "a2"], "support": 0}}));
    field.answer(json!("done"));
    // 7 against 4 is 1:1, and a 6 is d: the only defender goes.
    field.dice(&[6]);
    assert_eq!(field.place("b1"), "gone");
    assert_eq!(field.code(), "advance");
    field.answer(json!(["a1"]));
    assert_eq!((field.place("a1").as_str(), field.code()), ("0302", "exploit"));
    // a3 at 0201 stands next to 0302 and has not attacked: it goes through and on.
    field.answer(json!({"exploit": {"unit": "a3", "through": "0302", "to": "0402"}}));
    assert_eq!((field.place("a3").as_str(), spent(&field, "a3")), ("0402", 1));
    field.answer(go("a3", "0503"));
    field.answer(json!("done"));
    // Only the exploiting unit may attack now.
    assert_eq!(field.code(), "declare");
    assert!(field.options().iter().all(|option| !option.to_string().contains("a2")));
    field.answer(json!({"attack": {"target": "0502", "units": ["a3"], "support": 0}}));
    field.answer(json!("done"));
    field.dice(&[6]);
    assert_eq!(field.place("b2"), "gone");
    assert!(field.game.outcome(&field.state).is_some(), "a side without units loses at once");
}

#[test]
fn air_is_declared_supported_intercepted_and_flies_once() {
    let mut field = field(
        "
        _  a1 b1 .
        _  a2 .  b2
        ",
        &[("a1", "infantry"), ("a2", "infantry"), ("b1", "infantry"), ("b2", "infantry")],
    );
    field.air(6, 4);
    begin(&mut field, "offensive", &[]);
    field.answer(json!({"attack": {"target": "0301", "units": ["a1"], "support": 3}}));
    assert_eq!(field.ground().air.first.ready, 3);
    field.answer(json!("done"));
    assert_eq!(field.code(), "das");
    field.answer(json!({"0301": 4}));
    assert_eq!(field.code(), "intercept");
    field.answer(json!({"0301": 3}));
    // 3 Germans at +1 roll 7 (8: 1/3), 4 Russians at -1 roll 7 (6: 1/3).
    field.dice(&[3, 4]);
    field.dice(&[3, 4]);
    let (axis, allies) = (field.ground().air.first, field.ground().air.second);
    assert_eq!((axis.eliminated, axis.spent, allies.eliminated, allies.spent), (1, 2, 1, 3));
    // Both forces are gone: the attack is fought with its support, 6 against 4.
    assert_eq!(field.code(), "dice");
    field.dice(&[6]);
    field.answer(json!([]));
    let axis = field.ground().air.first;
    assert_eq!((axis.ready, axis.spent, axis.eliminated), (5, 0, 1), "air is ready again after the player turn");
}

#[test]
fn withdrawing_interceptors_leave_the_air_support() {
    let mut field = field("_ a1 b1 .\n_ _ . b2", &[("a1", "armor"), ("b1", "infantry"), ("b2", "infantry")]);
    field.air(9, 6);
    begin(&mut field, "offensive", &[]);
    field.answer(json!({"attack": {"target": "0301", "units": ["a1"], "support": 0}}));
    field.answer(json!("done"));
    field.answer(json!({"0301": 6}));
    field.answer(json!({"0301": 9}));
    // Low rolls: 9 at 3 inflict 2/3, 6 at 1 (the edge) inflict 1/2.
    field.dice(&[1, 1]);
    field.dice(&[1, 1]);
    assert_eq!(field.code(), "air-continue");
    field.answer(json!("withdraw"));
    assert_eq!(field.ground().air.first.spent, 8, "two aborted, six went home");
    // 4 against 2 × 2 and one factor of support is 1:2.
    assert_eq!(field.code(), "dice");
}

/// Four Axis units next to b1 and b4; a roll of 5 with 11 to 20 factors costs one counter and one hex.
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

fn press(drawn: &str) -> Field {
    let mut field = field(drawn, &PRESSED);
    begin(&mut field, "attrition", &[]);
    field.dice(&[5]);
    assert_eq!(field.code(), "counters");
    field.answer(json!(["b4"]));
    assert_eq!(field.code(), "take-hex");
    field.answer(json!({"hex": "0201"}));
    field
}

#[test]
fn a_retreat_avoids_zones_of_control_and_full_hexes() {
    let field = press(
        "
        a1+a2 b1+b4 b2+b3
        a3+a4 .     .
        _     .     .
        ",
    );
    // 0202 lies in the zone of the armor at 0102, 0301 is full, 0302 is free of evil.
    assert_eq!(field.place("b1"), "0302");
    assert_eq!(field.code(), "advance");
}

#[test]
fn a_retreat_overstacks_before_it_enters_enemy_hexes_and_the_owner_pays_for_it() {
    let mut field = press(
        "
        a1+a2 b1+b4 b2+b3
        a3+a4 _     _
        _     _     .
        ",
    );
    assert_eq!(field.place("b1"), "0301");
    field.answer(json!(["a1"]));
    assert_eq!((field.place("a1").as_str(), axis(&field, "0201")), ("0201", true));
    begin(&mut field, "pass", &[]);
    assert_eq!(field.code(), "overstacked");
    field.answer(json!(["b1"]));
    assert_eq!([field.place("b1"), field.place("b2")], ["gone", "0301"]);
}

#[test]
fn a_unit_with_nowhere_to_go_is_eliminated() {
    let field = press(
        "
        a1+a2 b1+b4 ~     b2+b3
        a3+a4 ~     ~     .
        _     .     .     .
        ",
    );
    assert_eq!(field.place("b1"), "gone");
    assert!(field.notes.iter().any(|note| note.contains("nowhere to go")), "{:?}", field.notes);
}

#[test]
fn attrition_without_a_neighbour_ends_without_a_roll() {
    let mut field = field("a1 . . b1\n. . . .", &[("a1", "infantry"), ("b1", "infantry")]);
    begin(&mut field, "attrition", &[]);
    assert_eq!((field.code(), field.asked().map(|asked| asked.seat.0)), ("option", Some(1)));
}

#[test]
fn overstacked_hexes_lose_the_surplus_at_the_end_of_movement() {
    let mut field = field(
        "
        a1+a2 . b1
        a3    . .
        ",
        &[("a1", "infantry"), ("a2", "armor"), ("a3", "infantry"), ("b1", "infantry")],
    );
    let third = field.at("a3");
    field.set(|state| state.units[third].hex = Some(0));
    begin(&mut field, "pass", &[]);
    assert_eq!(field.code(), "overstacked");
    assert_eq!(field.options().len(), 2, "two kinds of units: {:?}", field.options());
    field.answer(json!(["a1"]));
    assert_eq!([field.place("a1"), field.place("a2"), field.place("a3")], ["gone", "0101", "0101"]);
}

#[test]
fn isolated_units_are_eliminated_in_the_second_supply_phase() {
    // The Allied infantry in the west is cut off from its supply in the east.
    let mut field = field(
        "
        b1 a1 .
        _* a2 b2*
        ",
        &[("a1", "armor"), ("a2", "infantry"), ("b1", "infantry"), ("b2", "infantry")],
    );
    let isolation = |field: &Field| field.ground().units[field.at("b1")].isolation;
    begin(&mut field, "pass", &[]);
    assert_eq!((isolation(&field), field.place("b1").as_str()), (1, "0101"));
    begin(&mut field, "pass", &[]);
    begin(&mut field, "pass", &[]);
    assert_eq!(field.place("b1"), "gone");
}

#[test]
fn a_friendly_unit_in_a_zone_of_control_keeps_the_chain_open() {
    // a1's zone covers 0201 and 0202; b2 stands in it and passes supply on to b1.
    let drawn = "
        b1 b2 .*
        _* a1 .
        ";
    let units = [("a1", "armor"), ("b1", "infantry"), ("b2", "infantry")];
    let mut with = field(drawn, &units);
    begin(&mut with, "pass", &[]);
    assert_eq!(with.ground().units[with.at("b1")].isolation, 0);
    let mut without = field(drawn, &units);
    let second = without.at("b2");
    let away = without.hex("0301");
    without.set(|state| state.units[second].hex = Some(away));
    begin(&mut without, "pass", &[]);
    assert_eq!(without.ground().units[without.at("b1")].isolation, 1);
}
