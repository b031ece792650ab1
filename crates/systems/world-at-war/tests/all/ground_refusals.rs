//! What an illegal attempt in a ground battle is told. [4.3]

use crate::ground_map::{Field, field, two_lines};
use flagplot_kernel::{Answer, Ask, Asked, Chance, Choice, Die, Game, Note, Progress, Refusal, Tape, advance};
use flagplot_world_at_war::game::ground::{Phase, Struggle, StruggleStage};
use flagplot_world_at_war::game::{State, WorldAtWar};
use serde_json::{Value, json};

/// The refusal of an answer; the state must be the same after it.
fn refused(game: &WorldAtWar, state: &State, value: Value) -> Refusal {
    let before = state.clone();
    let mut tape = Tape::new(vec![Answer::Choice(value.clone())]);
    let refusal = match advance(game, state, &mut tape) {
        Err(refusal) => refusal,
        Ok(_) => panic!("{value} was accepted"),
    };
    assert_eq!(*state, before);
    refusal
}

pub fn check(field: &Field, value: Value, code: &str, words: &str) {
    let refusal = refused(&field.game, &field.state, value.clone());
    assert_eq!(refusal.code, code, "{value}: {refusal}");
    assert!(refusal.message.contains(words), "{value}: {refusal}");
    assert!(refusal.rule.is_some(), "{value}: {refusal} cites no rule");
}

fn go(unit: &str, to: &str) -> Value {
    json!({"move": {"unit": unit, "to": to}})
}

fn attack(target: &str, units: &[&str], support: u32) -> Value {
    json!({"attack": {"target": target, "units": units, "support": support}})
}

/// Axis armor and infantry against Allied infantry and armor; the sea lies in the east.
const LINE: &str = "
    a1 .  .  ~
    .  .  b1 .
    a2 .  .  b2
    a3 .  .  .
";

#[test]
fn moves() {
    let mut field =
        field(LINE, &[("a1", "armor"), ("a2", "infantry"), ("a3", "infantry"), ("b1", "infantry"), ("b2", "armor")]);
    field.answer(json!("offensive"));
    check(&field, go("a2", "0909"), "unknown-hex", "no such hex");
    check(&field, go("a2", "0103"), "unknown-hex", "no such hex");
    check(&field, go("a2", "0403"), "hex-closed", "enemy units stand there");
    check(&field, go("a1", "0401"), "hex-closed", "there is no route into it");
    check(&field, go("a2", "0402"), "not-enough-movement", "movement points");
    check(&field, go("b1", "0102"), "unknown-unit", "You have no unit");
    check(&field, go("nobody", "0102"), "unknown-unit", "You have no unit 'nobody'");
    check(&field, attack("0302", &["a1"], 0), "not-now", "It is the Axis turn to move units");
    field.answer(go("a3", "0103"));
    check(&field, go("a1", "0103"), "overstacked", "There are already 2 ground units in 0103");
    for hex in ["0203", "0204", "0104"] {
        field.answer(go("a2", hex));
    }
    check(&field, go("a2", "0103"), "already-moved", "has no movement points left");
}

#[test]
fn attacks() {
    let mut field = field(
        "
        .  a1 b1 .
        a2 .  .  .
        .  .  b2 .
        .  .  .  a3
        ",
        &[("a1", "infantry"), ("a2", "infantry"), ("a3", "armor"), ("b1", "infantry"), ("b2", "armor")],
    );
    field.air(9, 3);
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    check(&field, attack("0301", &["a2"], 0), "cannot-attack", "is not adjacent");
    check(&field, attack("0301", &[], 0), "cannot-attack", "at least one ground unit");
    check(&field, attack("0101", &["a2"], 0), "cannot-attack", "No enemy unit");
    check(&field, attack("0301", &["a1", "a1"], 0), "cannot-attack", "named twice");
    check(&field, attack("0301", &["a1"], 10), "too-much-support", "At most 3 times the ground factors");
    field.air(2, 3);
    check(&field, attack("0301", &["a1"], 3), "not-enough-air", "You have 2 air factors ready");
    check(&field, json!({"take-back": {"target": "0301"}}), "not-now", "no attack on 0301");
    check(&field, go("a1", "0101"), "not-now", "It is the Axis turn to declare attacks");
    field.answer(attack("0301", &["a1"], 1));
    check(&field, attack("0301", &["a1"], 0), "already-attacked", "is attacked already");
    check(&field, attack("0303", &["a1"], 0), "cannot-attack", "attacks already");
}

#[test]
fn an_attack_below_one_to_four_is_refused() {
    let mut field = field(
        "
        a1 b1+b2
        .  .
        a2 b3
        ",
        &[("a1", "weak"), ("a2", "armor"), ("b1", "armor"), ("b2", "armor"), ("b3", "infantry")],
    );
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    check(&field, attack("0201", &["a1"], 0), "odds-below-minimum", "1 against 12 is 1:12: attacks below 1:4");
}

#[test]
fn isolated_units_do_not_attack() {
    let mut field = field(". a1 b1\n. . .", &[("a1", "infantry"), ("b1", "infantry")]);
    field.isolate("a1");
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    assert!(field.asked().is_none_or(|asked| asked.prompt.code != "declare"), "nothing can attack");
}

#[test]
fn isolated_units_and_impassable_sides() {
    let mut field = crate::ground_map::field_where(
        "
        _ a1 .  .
        _ a2 b1 .
        _ .  .  b2
        ",
        &[("a1", "infantry"), ("a2", "infantry"), ("b1", "infantry"), ("b2", "infantry")],
        &[("rivers = []", "rivers = []\nimpassable = [[\"0201\", \"0301\"], [\"0201\", \"0202\"]]")],
    );
    field.isolate("a1");
    field.answer(json!("offensive"));
    check(&field, go("a1", "0301"), "hex-closed", "cannot enter 0301: there is no route into it");
    check(&field, go("a1", "0202"), "hex-closed", "cannot enter 0202: there is no route into it");
    check(&field, go("a1", "0103"), "not-enough-movement", "an isolated unit moves one hex");
    field.answer(json!("done"));
    check(&field, attack("0302", &["a1"], 0), "cannot-attack", "is isolated");
    check(&field, attack("0302", &["a1", "a2"], 0), "cannot-attack", "is isolated");
}

/// An attack that has won its hex, with armor that can go through it.
fn won() -> Field {
    let mut field = field(
        "
        _ a1+a4 .  .  .
        _ a2+a3 b1 .  b2
        _ _     .  .  .
        ",
        &[
            ("a1", "armor"),
            ("a2", "infantry"),
            ("a3", "infantry"),
            ("a4", "armor"),
            ("b1", "infantry"),
            ("b2", "infantry"),
        ],
    );
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    field.answer(attack("0302", &["a1", "a2", "a3"], 0));
    field.answer(json!("done"));
    field.dice(&[6]);
    assert_eq!(field.code(), "advance");
    field
}

#[test]
fn advances_and_exploitation() {
    let mut field = won();
    check(&field, json!(["a1", "a2", "a3"]), "overstacked", "There are already 2 ground units in 0302");
    check(&field, json!(["a4"]), "unknown-unit", "'a4' cannot advance");
    check(&field, json!(["a1", "a1"]), "unknown-unit", "'a1' cannot advance");
    field.answer(json!(["a1", "a2"]));
    assert_eq!(field.code(), "exploit");
    let exploit =
        |unit: &str, through: &str, to: &str| json!({"exploit": {"unit": unit, "through": through, "to": to}});
    check(&field, exploit("a4", "0302", "0302"), "overstacked", "There are already 2 ground units in 0302");
    check(&field, exploit("a3", "0302", "0402"), "cannot-attack", "cannot exploit through 0302");
    check(&field, exploit("a1", "0302", "0402"), "cannot-attack", "cannot exploit through 0302");
    check(&field, exploit("a4", "0401", "0402"), "cannot-attack", "cannot exploit through 0401");
    check(&field, exploit("a4", "0302", "0502"), "hex-closed", "enemy units stand there");
    check(&field, exploit("a4", "0302", "0909"), "unknown-hex", "no such hex");
    check(&field, exploit("b2", "0302", "0402"), "unknown-unit", "You have no unit");
    check(&field, go("a4", "0301"), "not-now", "has not gone through a breakthrough");
    check(&field, attack("0502", &["a4"], 0), "not-now", "It is the Axis turn to exploit the breakthrough");
    // Next to the second defender the unit that won the hex, and others, are named.
    field.answer(exploit("a4", "0302", "0402"));
    check(&field, exploit("a4", "0302", "0402"), "cannot-attack", "cannot exploit through 0302");
    field.answer(json!("done"));
    assert_eq!(field.code(), "declare");
    check(&field, attack("0502", &["a4", "a1"], 0), "cannot-attack", "has attacked");
}

#[test]
fn air_support_and_interceptors() {
    let mut field = field(
        "
        _ a1 b1 .
        _ .  .  b2
        ",
        &[("a1", "infantry"), ("b1", "infantry"), ("b2", "infantry")],
    );
    field.air(4, 9);
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    field.answer(attack("0301", &["a1"], 2));
    field.answer(json!("done"));
    assert_eq!(field.code(), "das");
    check(&field, json!({"0301": 7}), "too-much-support", "At most 3 times the ground factors: 6 air factors");
    check(&field, json!({"0402": 1}), "unknown-hex", "0402 is not attacked");
    check(&field, json!({"0909": 1}), "unknown-hex", "0909 is not attacked");
    field.air(2, 3);
    check(&field, json!({"0301": 4}), "not-enough-air", "You have 3 air factors ready");
    field.answer(json!({"0301": 3}));
    assert_eq!(field.code(), "intercept");
    check(&field, json!({"0301": 3}), "not-enough-air", "You have 2 air factors ready");
    check(&field, json!({"0402": 1}), "unknown-hex", "There is no defensive air support over 0402");
}

#[test]
fn losses_are_neither_too_small_nor_needless() {
    let mut field = field(
        "
        .  a2 .
        a1 b1 .
        .  a3 b2
        ",
        &[("a1", "infantry"), ("a2", "infantry"), ("a3", "infantry"), ("b1", "infantry"), ("b2", "infantry")],
    );
    field.answer(json!("offensive"));
    field.answer(json!("done"));
    field.answer(attack("0202", &["a1", "a2", "a3"], 0));
    field.answer(json!("done"));
    // 9 against 4 is 2:1; a 2 is an exchange, which costs the attacker at least 4.
    field.dice(&[2]);
    check(&field, json!({"units": ["a1"]}), "insufficient-losses", "Give up at least 4 factors; you chose 3.");
    check(&field, json!({"units": ["a1", "a2", "a3"]}), "needless-losses", "can be kept");
    check(&field, json!({"units": ["b1"]}), "unknown-unit", "'b1'");
    check(&field, json!({"units": ["a1", "a2"], "air": 1}), "not-enough-air", "You have 0 air factors");
    field.answer(json!({"units": ["a1", "a2"]}));
    check(&field, json!(["a2"]), "unknown-unit", "cannot advance");
}

#[test]
fn a_fortress_does_not_fall_to_attrition_and_counters_are_counted() {
    let mut field = two_lines("B3", ".");
    // No unit can move, so the roll follows at once.
    field.answer(json!("attrition"));
    // 24 factors and a 4: 2C/1H.
    field.dice(&[4]);
    assert_eq!(field.asked().unwrap().prompt.code, "counters");
    check(&field, json!(["b1"]), "insufficient-losses", "must be removed");
    check(&field, json!(["b1", "b2", "b3"]), "needless-losses", "can be kept");
    check(&field, json!(["a1", "b2"]), "unknown-unit", "'a1'");
    field.answer(json!(["b1", "b2"]));
    assert_eq!(field.asked().unwrap().prompt.code, "take-hex");
    check(&field, json!({"hex": "0302"}), "fortress", "A fortress cannot be taken by attrition");
}

#[test]
fn a_retreat_to_a_worse_hex_is_refused_with_the_hexes_that_are_open() {
    let mut field = field(
        "
        a1+a4 a2+a5 a3+a6
        .     b1    .
        .     .     .
        .     b2    .
        ",
        &[
            ("a1", "armor"),
            ("a2", "armor"),
            ("a3", "armor"),
            ("a4", "armor"),
            ("a5", "armor"),
            ("a6", "armor"),
            ("b1", "infantry"),
            ("b2", "infantry"),
        ],
    );
    field.answer(json!("attrition"));
    field.answer(json!("done"));
    // Past the counters the hex of b1 is taken: its retreat is asked, with two hexes of the same evil.
    let hex = field.hex("0202");
    field.set(|state| {
        let Phase::Attrition(now) = state.phase else { panic!("attrition: {:?}", state.phase) };
        state.phase = Phase::Attrition(Struggle { hexes: 0, next: StruggleStage::Retreat(hex), ..now });
    });
    assert_eq!(field.code(), "retreat");
    let retreat = |to: Option<&str>| json!({"unit": "b1", "to": to});
    for to in [Some("0102"), Some("0909"), None] {
        check(&field, retreat(to), "not-least-evil", "A better hex is open");
        let remedy = refused(&field.game, &field.state, retreat(to)).remedy.unwrap();
        assert_eq!(remedy, "Choose one of: 0103, 0203 and 0303.");
    }
    check(&field, json!({"unit": "b2", "to": "0203"}), "unknown-unit", "'b2' does not have to retreat");
}

/// Answers by instinct, but refuses to advance where one unit must.
struct StaysPut {
    chance: Chance,
    refused: Option<Refusal>,
}

impl Ask for StaysPut {
    fn roll(&mut self, die: Die, _: impl std::fmt::Display) -> Asked<u8> {
        Ok(self.chance.face(die))
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        if choice.prompt().text.contains("One must") {
            let nobody = serde_json::from_value::<C::Value>(json!([])).expect("a list of units");
            self.refused = choice.check(&nobody).err();
        }
        Ok(choice.sample(&mut self.chance))
    }

    fn listening(&self) -> bool {
        false
    }

    fn record(&mut self, _: Note) {}
}

#[test]
fn a_hex_won_by_attrition_must_be_entered() {
    let mut met = None;
    'games: for seed in 0..60 {
        for scenario in super::ground_play::SCENARIOS {
            let game = super::ground_play::game(scenario);
            let mut state = game.setup();
            let mut table = StaysPut { chance: Chance::seeded(seed), refused: None };
            while game.outcome(&state).is_none() {
                game.step(&mut state, &mut table).expect("everything is answered");
                if let Some(refusal) = table.refused.take() {
                    met = Some(refusal);
                    break 'games;
                }
            }
        }
    }
    let refusal = met.expect("no hex was won by attrition");
    assert_eq!(refusal.code, "insufficient-advance");
    assert!(refusal.message.contains("At least one unit must advance"), "{refusal}");
}

#[test]
fn nonsense_and_stale_answers_change_nothing() {
    let field =
        field(LINE, &[("a1", "armor"), ("a2", "infantry"), ("a3", "infantry"), ("b1", "infantry"), ("b2", "armor")]);
    for value in [json!(null), json!("march"), json!(-1), json!({"move": {}}), json!([])] {
        let refusal = refused(&field.game, &field.state, value);
        assert!(refusal.message.len() > 8, "{refusal}");
    }
    let mut tape = Tape::new(vec![Answer::Choice(json!("offensive")), Answer::Choice(json!("offensive"))]);
    assert!(advance(&field.game, &field.state, &mut tape).is_err(), "an answer that was not asked for");
    assert!(matches!(advance(&field.game, &field.state, &mut Tape::new(vec![])), Ok(Progress::Asks(_))));
    assert!(field.game.outcome(&field.state).is_none());
}
