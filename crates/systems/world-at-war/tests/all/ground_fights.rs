//! Drawn fights: multipliers, losses, called off and ended attacks, air combat to its last round, exploitation.

use crate::ground_map::{Field, field, field_where};
use flagplot_kernel::Side;
use flagplot_world_at_war::game::ground::Phase;
use serde_json::{Value, json};

fn attack(target: &str, units: &[&str], support: u32) -> Value {
    json!({"attack": {"target": target, "units": units, "support": support}})
}

/// The same battle with the turn's movement over.
fn declaring(mut field: Field) -> Field {
    field.answer(json!("offensive"));
    if field.code() == "movement" {
        field.answer(json!("done"));
    }
    assert_eq!(field.code(), "declare");
    field
}

fn noted(field: &Field, words: &str) -> bool {
    field.notes.iter().any(|note| note.contains(words))
}

/// A fight of armor (4) and a minor ally (1) against infantry (2) and shock infantry (3) with two air factors.
const EXCHANGE: &str = "
    _ a1+a2 b1+b2 .
    _ a3    .     b3
";
const FIGHTERS: [(&str, &str); 6] = [
    ("a1", "armor"),
    ("a2", "weak"),
    ("a3", "infantry"),
    ("b1", "infantry"),
    ("b2", "shock-infantry"),
    ("b3", "infantry"),
];

fn exchanged(changes: &[(&str, &str)], face: u8) -> Field {
    let mut field = field_where(EXCHANGE, &FIGHTERS, changes);
    field.air(0, 2);
    let mut field = declaring(field);
    field.answer(attack("0301", &["a1", "a2"], 0));
    field.answer(json!("done"));
    field.answer(json!({"0301": 2}));
    field.dice(&[face]);
    assert_eq!([field.place("a1"), field.place("a2")], ["gone", "gone"], "the smaller side loses everything");
    assert_eq!(field.code(), "losses");
    field
}

#[test]
fn an_exchange_counts_the_defender_as_he_was_when_the_die_was_rolled() {
    // 5 against 2 × 2 + 3 × 2 + 2 is 1:3, and a 5 is an exchange: the attackers are gone before the defender pays.
    let field = exchanged(&[], 5);
    let options = field.options();
    let all = [json!({"units": ["b1"], "air": 1}), json!({"units": ["b2"], "air": 0})];
    assert!(options.len() == 2 && all.iter().all(|loss| options.contains(loss)), "{options:?}");
    // Across a river the infantry is worth 6, though nothing attacks across it any more.
    let field = exchanged(&[("rivers = []", "rivers = [[\"0201\", \"0301\"]]")], 6);
    let options = field.options();
    let all = [json!({"units": ["b1"], "air": 0}), json!({"units": ["b2"], "air": 0})];
    assert!(options.len() == 2 && all.iter().all(|loss| options.contains(loss)), "{options:?}");
}

/// One infantry unit against a unit in a hex of its own, and the strengths of the attack.
fn strengths(defender: &str, changes: &[(&str, &str)], isolated: bool) -> String {
    let drawn = "
        _ a1+a2 b1 .
        _ a3    .  b2
    ";
    let units = [("a1", "armor"), ("a2", "armor"), ("a3", "armor"), ("b1", defender), ("b2", "infantry")];
    let mut field = field_where(drawn, &units, changes);
    if isolated {
        field.isolate("b1");
    }
    field.air(9, 0);
    let mut field = declaring(field);
    field.answer(attack("0301", &["a1", "a2"], 8));
    let note = field.notes.iter().find(|note| note.contains("will be attacked")).expect("a declared attack");
    note.split(": ").nth(1).unwrap_or_default().to_owned()
}

#[test]
fn multipliers_add_up_and_stay_between_one_and_five() {
    let forest = ("[\"....\", \"....\"]", "[\"..f.\", \"....\"]");
    let river = ("rivers = []", "rivers = [[\"0201\", \"0301\"]]");
    let level = |level: &'static str| ("fortifications = []", level);
    let (fort, fortress) = (level("fortifications = [[\"0301\", 1]]"), level("fortifications = [[\"0301\", 2]]"));
    for (changes, isolated, defense) in [
        (&[][..], false, 4),
        (&[forest], false, 6),
        (&[river], false, 6),
        (&[fort], false, 6),
        (&[fortress], false, 8),
        (&[], true, 2),
        (&[forest, river], false, 8),
        (&[river, fortress], false, 10),
        (&[river, fortress], true, 8),
        // Six in all, but five is the most.
        (&[forest, river, fortress], false, 10),
        (&[forest, river, fortress], true, 10),
    ] {
        let told = strengths("infantry", changes, isolated);
        assert!(told.starts_with(&format!("16 against {defense},")), "{changes:?}, isolated {isolated}: {told}");
    }
    // A garrison begins at one and cannot fall below it.
    for (isolated, changes, defense) in [(false, &[][..], 1), (true, &[], 1), (true, &[forest], 1), (false, &[fort], 2)]
    {
        let told = strengths("garrison", changes, isolated);
        assert!(told.starts_with(&format!("16 against {defense},")), "{changes:?}, isolated {isolated}: {told}");
    }
}

#[test]
fn a_river_counts_only_if_every_attacker_is_across_it() {
    let drawn = "
        _ a1 .  .
        _ a2 b1 b2
    ";
    let units = [("a1", "armor"), ("a2", "armor"), ("b1", "infantry"), ("b2", "infantry")];
    for (sent, told) in [(&["a1"][..], "4 against 6,"), (&["a2"], "4 against 4,"), (&["a1", "a2"], "8 against 4,")] {
        let field = field_where(drawn, &units, &[("rivers = []", "rivers = [[\"0201\", \"0302\"]]")]);
        let mut field = declaring(field);
        field.answer(attack("0302", sent, 0));
        assert!(noted(&field, told), "{:?}", field.notes.last());
    }
}

#[test]
fn an_attack_whose_odds_fall_below_one_to_four_is_called_off() {
    let drawn = "
        _ a1 b1 .
        _ .  .  .
        _ a2 b2 .
        _ .  .  b3
    ";
    let units = [("a1", "weak"), ("a2", "armor"), ("b1", "infantry"), ("b2", "infantry"), ("b3", "infantry")];
    let mut field = field(drawn, &units);
    field.air(0, 1);
    let mut field = declaring(field);
    field.answer(attack("0301", &["a1"], 0));
    field.answer(attack("0303", &["a2"], 0));
    field.answer(json!("done"));
    assert_eq!(field.code(), "das");
    field.answer(json!({"0301": 1}));
    assert_eq!(field.code(), "resolve");
    field.answer(json!("0301"));
    assert!(noted(&field, "The attack on 0301 is called off: the odds have fallen to 1:5"), "{:?}", field.notes);
    assert_eq!(field.code(), "dice", "the other attack is fought");
    let state = field.ground();
    assert!(state.units[field.at("a1")].attacked, "its unit has attacked");
    assert_eq!((state.air.second.ready, state.air.second.spent, state.air.second.eliminated), (0, 1, 0));
    assert_eq!([field.place("a1"), field.place("b1")], ["0201", "0301"], "without loss");
}

#[test]
fn an_attack_ends_when_the_odds_fall_below_one_to_four() {
    let drawn = "
        _ a1+a2 b1 .
        _ a3    .  b2
    ";
    let units = [("a1", "armor"), ("a2", "weak"), ("a3", "infantry"), ("b1", "infantry"), ("b2", "infantry")];
    let mut field = field(drawn, &units);
    field.air(0, 1);
    let mut field = declaring(field);
    field.answer(attack("0301", &["a1", "a2"], 0));
    field.answer(json!("done"));
    field.answer(json!({"0301": 1}));
    // 5 against 5 is 1:1, and a 2 costs the attacker half of 5: only the armor can pay it. 1 against 5 is 1:5.
    field.dice(&[2]);
    assert_eq!(field.place("a1"), "gone");
    assert!(noted(&field, "The odds have fallen below 1:4, and the attack ends."), "{:?}", field.notes);
    assert_eq!([field.place("a2"), field.place("b1")], ["0201", "0301"]);
    assert_eq!((field.code(), field.ground().active), ("option", Side::Second));
}

#[test]
fn air_combat_over_a_hex_ends_after_six_rounds() {
    let drawn = "
        _ a1 b1 .
        _ _  .  b2
    ";
    let mut field = field(drawn, &[("a1", "armor"), ("b1", "infantry"), ("b2", "infantry")]);
    field.air(1, 1);
    let mut field = declaring(field);
    field.answer(attack("0301", &["a1"], 0));
    field.answer(json!("done"));
    field.answer(json!({"0301": 1}));
    field.answer(json!({"0301": 1}));
    for round in 1..=6 {
        // One factor at 3 or less does nothing.
        field.dice(&[1, 1]);
        field.dice(&[1, 1]);
        if round < 6 {
            assert_eq!(field.code(), "air-continue", "round {round}");
            field.answer(json!("continue"));
            field.answer(json!("continue"));
        }
    }
    // The interceptors have gone home, and the air support stays: 4 against 5.
    assert_eq!(field.code(), "dice");
    let Phase::Fight(fight) = field.ground().phase else { panic!("{:?}", field.ground().phase) };
    assert_eq!((fight.attack.das, fight.attack.interceptors), (1, 0));
    assert_eq!((field.ground().air.first.spent, field.ground().air.second.eliminated), (1, 0));
}

/// Armor breaks through at 0302, and other armor, isolated, stands next to it.
fn broken_through(moves: &[(&str, &str)]) -> Field {
    let mut field = field(
        "
        _  a1+a3 .  .  .
        _  a2    b1 .  b2
        _  _     .  .  .
        ",
        &[("a1", "armor"), ("a2", "infantry"), ("a3", "armor"), ("b1", "infantry"), ("b2", "infantry")],
    );
    field.isolate("a3");
    field.answer(json!("offensive"));
    for (unit, to) in [&[("a1", "0301")], moves].concat() {
        field.answer(json!({"move": {"unit": unit, "to": to}}));
    }
    field.answer(json!("done"));
    field.answer(attack("0302", &["a1", "a2"], 0));
    field.answer(json!("done"));
    // 7 against 4 is 1:1, and a 6 is d: the only defender goes.
    field.dice(&[6]);
    field.answer(json!(["a1"]));
    field
}

fn exploit(to: &str) -> Value {
    json!({"exploit": {"unit": "a3", "through": "0302", "to": to}})
}

#[test]
fn isolated_armor_goes_one_hex_in_its_turn_through_a_breakthrough_too() {
    let mut field = broken_through(&[]);
    assert_eq!(field.code(), "exploit");
    crate::ground_refusals::check(&field, exploit("0402"), "already-moved", "has no movement points left");
    field.answer(exploit("0302"));
    assert_eq!(field.place("a3"), "0302");
    // It has moved its hex, and isolated units do not attack.
    assert!(!["exploit", "declare"].contains(&field.code()), "{}", field.code());
    // Armor that has moved a hex cannot exploit at all, so nothing is left to ask.
    let field = broken_through(&[("a3", "0202")]);
    assert_ne!(field.code(), "exploit", "{:?}", field.options());
}
