//! Aircraft, submarines and mines in whole battles, and the refusals of their sheets.

use super::system;
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::actions::Stage;
use flagplot_fleet_action::game::air::Attack;
use flagplot_fleet_action::game::play::{Play, PlayState};
use flagplot_fleet_action::game::state::{Aloft, Group, Level, Mission, Phase, Sea, State};
use flagplot_fleet_action::{System, files};
use flagplot_kernel::{
    Ask, Asked, AtRandom, ByInstinct, Chance, Choice, Die, Game, Note, Policy, Sampler, Side, Viewer,
};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

const BATTLES: [&str; 5] = ["illustrious", "samar", "two-decks", "blackett-strait", "i-168"];

fn game(id: &str) -> FleetGame {
    system().battle(id).expect("the scenario is there")
}

/// Makes sure that every answer and every candidate is legal, and counts the questions by their codes.
struct Strict<'a, P> {
    policy: P,
    asked: &'a RefCell<BTreeMap<&'static str, u32>>,
}

impl<P: Policy> Policy for Strict<'_, P> {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let prompt = choice.prompt();
        let asked = {
            let mut asked = self.asked.borrow_mut();
            let count = asked.entry(prompt.code).or_default();
            *count += 1;
            *count
        };
        if asked % 5 == 1 {
            for candidate in choice.candidates() {
                if let Err(refusal) = choice.check(&candidate.value) {
                    panic!("{}: the candidate '{}' is refused: {refusal}", prompt.code, candidate.label);
                }
            }
            let _ = choice.form();
        }
        let value = self.policy.decide(choice, chance);
        let json = serde_json::to_value(&value).expect("an answer is JSON");
        if let Err(refusal) = choice.check(&value) {
            panic!("{}: {json}: {refusal}", prompt.code);
        }
        let read: C::Value = serde_json::from_value(json.clone()).expect("an answer reads its own JSON");
        assert_eq!(serde_json::to_value(&read).expect("an answer is JSON"), json);
        value
    }
}

/// What must hold between any two steps.
fn sound(game: &FleetGame, sea: &Sea) {
    for (flight, stand) in game.battle.stands.iter().zip(&sea.stands) {
        let name = &flight.name;
        assert!((0..=flight.placed.count).contains(&stand.aircraft), "{name}: {} aircraft", stand.aircraft);
        assert!(stand.aircraft > 0 || stand.aloft == Aloft::Gone, "{name}: {:?} without aircraft", stand.aloft);
        assert!(stand.flak >= 0, "{name}");
        if let Aloft::Aboard { ready } | Aloft::Launching { off: ready } | Aloft::Landing { down: ready } = stand.aloft
        {
            assert!((0..=stand.aircraft).contains(&ready), "{name}: {:?}", stand.aloft);
            assert!(stand.home.is_some(), "{name} is aboard no ship");
        }
    }
    for (member, vessel) in game.battle.vessels.iter().zip(&sea.vessels) {
        let name = &member.name;
        assert!(vessel.ledger.handled <= member.model.sheet.h_max, "{name}: {}", vessel.ledger.handled);
        let dives = member.model.submerged_speed > 0;
        assert!(dives || vessel.level == Level::Surfaced, "{name} is under water");
        assert!((0..=member.vessels).contains(&vessel.vessels), "{name}: {} vessels", vessel.vessels);
    }
}

/// Plays a battle to its end, with the questions asked.
fn play_game(game: &FleetGame, policy: impl Policy, seed: u64) -> (State, BTreeMap<&'static str, u32>) {
    let mut chance = Chance::seeded(seed);
    let asked = RefCell::default();
    let mut sampler = Sampler::new(&mut chance, Strict { policy, asked: &asked });
    let mut state = game.setup();
    for step in 0..game.step_limit() {
        if game.outcome(&state).is_some() {
            return (state, asked.take());
        }
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        sound(game, &state.sea);
        if step % 16 == 0 {
            let json = serde_json::to_string(&state).expect("a state is JSON");
            let read: State = serde_json::from_str(&json).expect("a state reads its own JSON");
            assert!(read == state, "a state is not what its JSON says");
        }
    }
    panic!("{} has no end", game.battle.scenario.id);
}

#[test]
fn battles_in_the_air_and_under_water_are_fought_to_the_end() {
    let mut codes = BTreeSet::new();
    for id in BATTLES {
        let game = game(id);
        for seed in 0..3 {
            codes.extend(play_game(&game, AtRandom, seed).1.into_keys());
            codes.extend(play_game(&game, ByInstinct, seed).1.into_keys());
        }
    }
    for code in ["flight", "escorts", "interceptors", "flak", "dive", "flight-squadron"] {
        assert!(codes.contains(code), "'{code}' was never asked");
    }
}

/// Puts wrong answers to questions, each with the code of the refusal it must get, and plays on by instinct.
struct Probe<'a> {
    /// The question, the refusal it must get, the answer made from the suggested one.
    wrong: &'a [Wrong],
    met: &'a RefCell<BTreeSet<(&'static str, &'static str)>>,
}

struct Wrong {
    question: &'static str,
    code: &'static str,
    answer: fn(&Value) -> Value,
}

impl Policy for Probe<'_> {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        let code = choice.prompt().code;
        let good = choice.instinct(chance);
        let json = serde_json::to_value(&good).expect("an answer is JSON");
        for wrong in self.wrong.iter().filter(|wrong| wrong.question == code) {
            let answer = (wrong.answer)(&json);
            let Ok(value) = serde_json::from_value::<C::Value>(answer.clone()) else {
                panic!("{code}: {answer} cannot be read");
            };
            let Err(refusal) = choice.check(&value) else { continue };
            let all = std::iter::once(&refusal).chain(&refusal.also);
            for refusal in all.filter(|refusal| refusal.code == wrong.code) {
                assert!(refusal.rule.is_some(), "{code}: '{refusal}' names no rule");
                assert!(refusal.message.ends_with('.'), "{code}: '{}'", refusal.message);
                self.met.borrow_mut().insert((wrong.question, wrong.code));
            }
        }
        good
    }
}

/// Plays battles with wrong answers until every refusal of the list was met.
fn check_refusals(battles: &[&FleetGame], wrong: &[Wrong]) {
    let met = RefCell::new(BTreeSet::new());
    for game in battles {
        for seed in 0..3 {
            let mut chance = Chance::seeded(seed);
            let mut sampler = Sampler::new(&mut chance, Probe { wrong, met: &met });
            let mut state = game.setup();
            while game.outcome(&state).is_none() {
                game.step(&mut state, &mut sampler).expect("a sampler answers everything");
            }
        }
    }
    let met = met.into_inner();
    let missed: Vec<_> =
        wrong.iter().map(|wrong| (wrong.question, wrong.code)).filter(|pair| !met.contains(pair)).collect();
    assert!(missed.is_empty(), "never refused: {missed:?}");
}

/// The suggested sheet with something changed in its first entry.
fn changed(sheet: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut sheet = sheet.clone();
    if let Some(first) = sheet.get_mut(0) {
        change(first);
    }
    sheet
}

#[test]
fn wrong_flight_sheets_are_refused() {
    let wrong = [
        Wrong { question: "flight", code: "not-on-sheet", answer: |_| json!([{"stand": "nobody"}]) },
        Wrong { question: "flight", code: "missing-arrival", answer: |_| json!([]) },
        Wrong { question: "flight", code: "named-twice", answer: |sheet| json!([sheet[0].clone(), sheet[0].clone()]) },
        Wrong {
            question: "flight",
            code: "not-visible",
            answer: |sheet| changed(sheet, |entry| entry["arrival"] = json!({"ship": "hood", "bearing": 0})),
        },
        Wrong {
            question: "flight",
            code: "out-of-range",
            answer: |sheet| changed(sheet, |entry| entry["to"] = json!([900_000, 0])),
        },
        Wrong {
            question: "flight",
            code: "too-far",
            answer: |sheet| changed(sheet, |entry| entry["to"] = json!([90_000, 0])),
        },
        Wrong {
            question: "flight",
            code: "not-arriving",
            answer: |sheet| changed(sheet, |entry| entry["arrival"] = json!({"ship": "illustrious", "bearing": 0})),
        },
        Wrong {
            question: "flight",
            code: "not-in-contact",
            answer: |sheet| {
                changed(sheet, |entry| {
                    entry["do"] = json!({"attack": "illustrious"});
                    entry.as_object_mut().expect("an entry").remove("to");
                })
            },
        },
        Wrong {
            question: "flight",
            code: "wrong-load",
            answer: |sheet| changed(sheet, |entry| entry["jettison"] = json!(true)),
        },
        Wrong {
            question: "flight",
            code: "not-a-target",
            answer: |sheet| {
                changed(sheet, |entry| {
                    let ship = entry["do"]["attack"].clone();
                    entry["do"] = json!({"strafe": ship.as_str().unwrap_or("nobody")});
                })
            },
        },
        Wrong {
            question: "flight",
            code: "no-air-combat-factor",
            answer: |sheet| changed(sheet, |entry| entry["do"] = json!("patrol")),
        },
        Wrong {
            question: "flight",
            code: "unknown-stand",
            answer: |sheet| changed(sheet, |entry| entry["do"] = json!({"intercept": "nobody"})),
        },
        Wrong { question: "flak", code: "out-of-aa-range", answer: |_| json!({"hood.lrf": 1}) },
        Wrong {
            question: "flak",
            code: "already-fired",
            answer: |sheet| {
                let keys = sheet.as_object().expect("a map").keys();
                Value::Object(keys.map(|key| (key.clone(), json!(99))).collect())
            },
        },
        Wrong {
            question: "flak",
            code: "out-of-range",
            answer: |sheet| {
                let keys = sheet.as_object().expect("a map").keys();
                Value::Object(keys.map(|key| (key.clone(), json!(-1))).collect())
            },
        },
        Wrong { question: "interceptors", code: "unknown-stand", answer: |_| json!(["nobody"]) },
        Wrong {
            question: "interceptors",
            code: "named-twice",
            answer: |chosen| {
                json!([chosen[0].as_str().unwrap_or("806-squadron-1"), chosen[0].as_str().unwrap_or("806-squadron-1")])
            },
        },
        Wrong {
            question: "escorts",
            code: "unknown-stand",
            answer: |_| json!([{"escort": "nobody", "fights": "nobody"}]),
        },
        Wrong { question: "escorts", code: "named-twice", answer: |pairs| json!([pairs[0].clone(), pairs[0].clone()]) },
    ];
    check_refusals(&[&game("illustrious"), &game("two-decks"), &game("samar")], &wrong);
}

#[test]
fn wrong_sheets_of_submarines_are_refused() {
    let wrong = [
        Wrong { question: "dive", code: "not-on-sheet", answer: |_| json!([{"ship": "yorktown"}]) },
        Wrong { question: "dive", code: "named-twice", answer: |_| json!([{"ship": "i-168"}, {"ship": "i-168"}]) },
        Wrong {
            question: "dive",
            code: "too-fast",
            answer: |_| json!([{"ship": "i-168", "orders": [{"ahead": 900}]}]),
        },
        Wrong {
            question: "dive",
            code: "illegal-turn",
            answer: |_| json!([{"ship": "i-168", "orders": [{"turn": 15}, {"ahead": 20}]}]),
        },
        Wrong {
            question: "dive",
            code: "distance-mismatch",
            answer: |_| json!([{"ship": "i-168", "orders": [{"ahead": -20}]}]),
        },
        Wrong {
            question: "dive",
            code: "wrong-depth",
            answer: |sheet| {
                let deep = sheet[0]["depth"] == "deep";
                json!([{"ship": "i-168", "depth": if deep { "surfaced" } else { "deep" }}])
            },
        },
        Wrong {
            question: "dive",
            code: "too-deep",
            answer: |_| {
                let torpedoes =
                    json!([{"ship": "i-168", "mounts": [1], "mode": "aimed", "target": "yorktown", "setting": 1}]);
                json!([{"ship": "i-168", "depth": "deep", "torpedoes": torpedoes}])
            },
        },
        Wrong {
            question: "dive",
            code: "no-tubes-bear",
            answer: |_| {
                let torpedoes =
                    json!([{"ship": "i-168", "mounts": [9], "mode": "aimed", "target": "yorktown", "setting": 1}]);
                json!([{"ship": "i-168", "depth": "periscope", "torpedoes": torpedoes}])
            },
        },
    ];
    check_refusals(&[&game("i-168")], &wrong);
}

/// Blackett Strait with a Japanese destroyer that lays mines.
fn minelayer() -> FleetGame {
    let mut files = files();
    let text = files.text("scenarios.toml").expect("the file is there").to_owned();
    let from = "x = -560, y = 60, heading = 90, speed = 20, crew_quality = 1, flagship = true";
    assert!(text.contains(from));
    let to = "x = -560, y = 60, heading = 90, speed = 12, crew_quality = 1, flagship = true, mines = 2";
    files.lay("scenarios.toml", text.replacen(from, to, 1));
    System::new(&files).expect("the data is sound").battle("blackett-strait").expect("the scenario is there")
}

#[test]
fn a_minelayer_is_asked_while_she_is_slow_and_her_fields_are_secret() {
    let game = minelayer();
    let wrong = [
        Wrong { question: "lay-mines", code: "unknown-ship", answer: |_| json!(["mochizuki"]) },
        Wrong { question: "lay-mines", code: "named-twice", answer: |_| json!(["yunagi", "yunagi"]) },
    ];
    check_refusals(&[&game], &wrong);
    let mut laid = 0;
    for seed in 0..12 {
        let mut chance = Chance::seeded(seed);
        let mut sampler = Sampler::new(&mut chance, AtRandom);
        let mut state = game.setup();
        while game.outcome(&state).is_none() && state.sea.turn < 4 {
            game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        }
        let own = state.sea.fields.iter().filter(|field| field.side == Side::First && !field.known).count();
        laid += own;
        let seen = game.view(&state, Viewer::Seat(Side::Second.into()));
        let secret = seen.seen.sea.fields.iter().any(|field| field.side == Side::First && !field.known);
        assert!(!secret, "the enemy sees a field that no ship has met");
    }
    assert!(laid > 0, "no field was laid in twelve games");
}

fn play_whole(play: &Play, policy: impl Policy, seed: u64) -> PlayState {
    let mut chance = Chance::seeded(seed);
    let asked = RefCell::default();
    let mut sampler = Sampler::new(&mut chance, Strict { policy, asked: &asked });
    let mut state = play.setup();
    for _ in 0..play.step_limit() {
        if play.outcome(&state).is_some() {
            return state;
        }
        play.step(&mut state, &mut sampler).expect("a sampler answers everything");
    }
    panic!("a custom battle has no end");
}

#[test]
fn custom_battles_are_picked_fought_and_saved() {
    let system = system();
    let play = system.game("custom", &json!({"points": 90, "turns": 4, "distance": 700})).expect("a custom battle");
    assert_eq!(play.scene(&play.view(&play.setup(), Viewer::Spectator)).title, "Custom battle: picking forces");
    for seed in 0..4 {
        let state = if seed % 2 == 0 { play_whole(&play, AtRandom, seed) } else { play_whole(&play, ByInstinct, seed) };
        let json = serde_json::to_string(&state).expect("a state is JSON");
        assert!(serde_json::from_str::<PlayState>(&json).expect("a state reads its own JSON") == state);
        let view = play.view(&state, Viewer::Seat(Side::First.into()));
        assert!(play.scene(&view).pieces.iter().any(|piece| !piece.name.is_empty()));
        let file = play.scenario_file(&state, "ours", "Our battle").expect("it can be saved");
        let mut data = files();
        data.lay("scenarios-ours.toml", file);
        let again = System::new(&data).expect("a saved battle is sound");
        let saved = again.battle("ours").expect("a saved battle can be played");
        play_game(&saved, AtRandom, seed);
    }
    assert!(play.scenario_file(&play.setup(), "ours", "").is_err_and(|refusal| refusal.code == "wrong-time"));
}

#[test]
fn forces_beyond_the_limits_are_refused() {
    let system = system();
    for (options, code) in [(json!({"points": 5}), "bad-options"), (json!({"colour": 1}), "bad-options")] {
        assert!(system.game("custom", &options).is_err_and(|refusal| refusal.code == code), "{options}");
    }
    assert!(system.game("samar", &json!({"points": 50})).is_err_and(|refusal| refusal.code == "unknown-field"));
    let met = RefCell::new(BTreeSet::new());
    let wrong = [
        Wrong { question: "pick", code: "unknown-unit", answer: |_| json!({"ship:enterprise-d": 1}) },
        Wrong { question: "pick", code: "over-budget", answer: |_| json!({"ship:yamato": 1, "ship:bismarck": 1}) },
        Wrong { question: "pick", code: "out-of-range", answer: |_| json!({"ship:yamato": 9}) },
        Wrong { question: "pick", code: "empty-force", answer: |_| json!({"base:air": 1}) },
        Wrong {
            question: "pick",
            code: "too-many-bases",
            answer: |_| json!({"ship:ajax": 1, "base:air": 1, "base:ajax.main": 1}),
        },
    ];
    let play = system.game("custom", &json!({"turns": 1})).expect("a custom battle");
    let mut chance = Chance::seeded(1);
    let mut sampler = Sampler::new(&mut chance, Probe { wrong: &wrong, met: &met });
    let mut state = play.setup();
    play.step(&mut state, &mut sampler).expect("a sampler answers everything");
    assert_eq!(met.into_inner().len(), wrong.len(), "every limit is kept");
}

/// What a custom battle of two forces becomes.
fn picked(options: &Value, forces: [Value; 2]) -> Arc<FleetGame> {
    let play = system().game("custom", options).expect("a custom battle");
    let forces = forces.map(|force| serde_json::from_value(force).expect("a force"));
    let Play::Custom(custom) = &play else { panic!("it is a custom battle") };
    custom.battle(&forces).expect("a battle")
}

#[test]
fn mines_and_submarines_join_a_custom_battle_when_its_settings_say_so() {
    let options = json!({"turns": 5, "mines": true, "submarines": true});
    let first = json!({"ship:ajax": 1, "submarines:t-class": 2, "mines:light": 1});
    let second = json!({"boats:s-boat": 8, "submarines:type-viic": 1, "mines:heavy": 2});
    let game = picked(&options, [first, second]);
    let around = |id: &str| game.battle.member(game.battle.find(id).expect("she is there")).around;
    assert_eq!(around("a-t-class-2").map(|(ship, ..)| ship), game.battle.find("b-s-boat-1"));
    assert_eq!(around("b-type-viic-1").map(|(ship, ..)| ship), game.battle.find("a-ajax"));
    let mut chance = Chance::seeded(3);
    let mut sampler = Sampler::new(&mut chance, AtRandom);
    let mut state = game.setup();
    game.step(&mut state, &mut sampler).expect("a sampler answers everything");
    let laid = |side: Side| state.sea.fields.iter().filter(|field| field.side == side).count();
    assert_eq!((laid(Side::First), laid(Side::Second)), (1, 2));
    for seed in 0..3 {
        let (_, asked) = play_game(&game, AtRandom, seed);
        assert!(asked.contains_key("set-up") && asked.contains_key("dive"), "{asked:?}");
        play_game(&game, ByInstinct, seed);
    }
    // Without the settings nobody can pick them.
    let play = system().game("custom", &json!({"turns": 1})).expect("a custom battle");
    let met = RefCell::new(BTreeSet::new());
    let wrong = [
        Wrong { question: "pick", code: "unknown-unit", answer: |_| json!({"ship:ajax": 1, "submarines:gato": 1}) },
        Wrong { question: "pick", code: "no-sister", answer: |_| json!({"ship:exeter": 1, "sisters:ajax": 1}) },
        Wrong {
            question: "pick",
            code: "squadron-too-large",
            answer: |_| json!({"ship:hoel": 1, "sisters:hoel": 7, "ship:johnston": 1}),
        },
    ];
    let mut sampler = Sampler::new(&mut chance, Probe { wrong: &wrong, met: &met });
    play.step(&mut play.setup(), &mut sampler).expect("a sampler answers everything");
    assert_eq!(met.into_inner().len(), wrong.len());
    for options in [json!({"turns": 4, "mines": true, "submarines": true, "distance": 200}), options] {
        let play = system().game("custom", &options).expect("a custom battle");
        let policies = 0..4;
        for seed in policies {
            let state = if seed < 2 { play_whole(&play, AtRandom, seed) } else { play_whole(&play, ByInstinct, seed) };
            let file = play.scenario_file(&state, "ours", "Our battle").expect("it can be saved");
            let mut data = files();
            data.lay("scenarios-ours.toml", file);
            System::new(&data).expect("a saved battle is sound");
        }
    }
}

#[test]
fn a_ship_of_a_custom_battle_brings_her_sisters() {
    let first = json!({"ship:johnston": 2, "sisters:johnston": 2, "ship:ajax": 1});
    let game = picked(&json!({"turns": 2}), [first, json!({"ship:exeter": 1})]);
    let squadron = |id: &str| game.battle.find(id).map(|ship| game.battle.member(ship).squadron);
    assert!(squadron("a-johnston").is_some() && squadron("a-johnston") != squadron("a-ajax"));
    assert_eq!(squadron("a-johnston-2"), squadron("a-johnston"));
    assert_eq!(squadron("a-johnston-3"), squadron("a-johnston"));
    assert_eq!(game.battle.vessels.iter().filter(|member| member.flagship).count(), 3);
    let third = game.battle.member(game.battle.find("a-johnston-3").expect("the third ship"));
    assert!(third.name.ends_with(" 3") && third.start != game.battle.member(game.battle.find("a-ajax").unwrap()).start);
    play_game(&game, AtRandom, 1);
}

#[test]
fn an_air_base_and_a_shore_battery_stand_on_land_and_fight() {
    let system = system();
    let play = system.game("custom", &json!({"points": 200, "turns": 3, "distance": 600})).expect("a custom battle");
    let first = json!({"ship:ajax": 1, "ship:exeter": 1, "air:sbd-3:dive-bomber": 9, "base:air": 1});
    let second = json!({"ship:admiral-graf-spee": 1, "base:hood.main": 1, "boats:pt-boat": 14});
    let forces = [first, second].map(|force| serde_json::from_value(force).expect("a force"));
    let Play::Custom(custom) = &play else { panic!("it is a custom battle") };
    let game = custom.battle(&forces).expect("a battle");
    let base = |id: &str| game.battle.vessels.iter().find(|member| *member.id.as_str() == *id).expect("it is there");
    assert_eq!((base("a-base").model.sheet.s_max, base("a-base").model.sheet.h_max), (60, 8));
    assert_eq!((base("b-base").model.sheet.s_max, base("b-base").model.batteries.len()), (30, 1));
    assert_eq!(game.battle.stands[0].from.map(|home| game.battle.member(home).id.as_str()), Some("a-base"));
    for seed in 0..3 {
        play_game(&game, AtRandom, seed);
        play_game(&game, ByInstinct, seed);
    }
}

#[test]
fn insights_are_there_for_every_question_in_the_air_and_below() {
    let mut told = BTreeSet::new();
    for id in ["illustrious", "two-decks", "i-168"] {
        let game = game(id);
        let mut state = game.setup();
        let mut chance = Chance::seeded(7);
        while game.outcome(&state).is_none() {
            let mut tape = flagplot_kernel::Tape::new(Vec::new());
            if let Ok(flagplot_kernel::Progress::Asks(question)) = flagplot_kernel::advance(&game, &state, &mut tape) {
                let ours = ["flight", "escorts", "interceptors", "flak", "dive"];
                for question in question.open().iter().filter(|question| ours.contains(&question.prompt.code)) {
                    let view = game.view(&state, Viewer::Seat(question.seat));
                    let first = question.options.first().map(|option| option.value.clone());
                    for value in [None, first.as_ref()] {
                        for insight in game.explain(&view, &[], question, value) {
                            assert_eq!(insight.basis, "exact");
                            assert!(!insight.title.is_empty());
                            if !insight.chances.is_empty() {
                                told.insert(question.prompt.code);
                            }
                        }
                    }
                }
            }
            let mut sampler = Sampler::new(&mut chance, ByInstinct);
            game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        }
    }
    for code in ["flight", "interceptors", "flak", "dive"] {
        assert!(told.contains(code), "nothing is told at '{code}'");
    }
}

/// Rolls dice, keeps faces and notes, and answers by instinct.
pub(super) struct Recorder {
    pub(super) chance: Chance,
    /// Faces that come before those by chance.
    pub(super) given: VecDeque<u8>,
    pub(super) faces: Vec<u8>,
    pub(super) notes: Vec<Note>,
    pub(super) rules: BTreeSet<String>,
    /// Questions since it was cleared.
    pub(super) asked: u32,
}

impl Recorder {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            chance: Chance::seeded(seed),
            given: VecDeque::new(),
            faces: Vec::new(),
            notes: Vec::new(),
            rules: BTreeSet::new(),
            asked: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.faces.clear();
        self.notes.clear();
        self.asked = 0;
    }
}

impl Ask for Recorder {
    fn roll(&mut self, die: Die, _: impl std::fmt::Display) -> Asked<u8> {
        let face = self.given.pop_front().unwrap_or_else(|| self.chance.face(die));
        self.faces.push(face);
        Ok(face)
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        self.rules.extend(choice.prompt().rule.map(|rule| rule.id.to_owned()));
        self.asked += 1;
        Ok(choice.instinct(&mut self.chance))
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        self.rules.extend(note.rules.iter().map(|rule| rule.id.to_owned()));
        self.notes.push(note);
    }
}

/// Rules of aircraft, mines and custom battles that the battles of the data do not meet.
pub(crate) fn met_here() -> BTreeSet<String> {
    let mut met = BTreeSet::new();
    let mut recorder = Recorder::new(3);
    let game = minelayer();
    let mut state = game.setup();
    while game.outcome(&state).is_none() && state.sea.turn < 3 {
        game.step(&mut state, &mut recorder).expect("a recorder answers everything");
    }
    let play = system().game("custom", &json!({"turns": 1})).expect("a custom battle");
    let mut state = play.setup();
    play.step(&mut state, &mut recorder).expect("a recorder answers everything");
    met.append(&mut recorder.rules);
    met.extend(bombs_on_boats());
    for (from, to, rule) in [
        ("side_b = \"Commonwealth\"", "side_b = \"\"", "C-35"),
        ("margin = 10", "margin = 0", "C-49"),
        ("clear_mm = 1500 ", "", "C-50"),
        ("rearming = 1", "rearming = 2", "C-44"),
    ] {
        let message = super::broken("scenarios.toml", from, to);
        assert!(message.contains(rule), "{message}");
        met.extend(message.contains(&format!("[{rule}]")).then(|| rule.to_owned()));
    }
    let shore = "bases = [ { kind = \"air-base\", id = \"base\", name = \"Base\", x = 0, y = 0, crew_quality = 0 } ]";
    let message = super::broken("scenarios.toml", "id = \"spee\"", &format!("id = \"spee\"\n{shore}"));
    met.extend(message.contains("does not stand on land [C-33]").then(|| "C-33".to_owned()));
    met
}

/// Dive bombers over motor torpedo boats: every hit is a splash and a saving throw. The rules that were met.
fn bombs_on_boats() -> BTreeSet<String> {
    let system = system();
    let play = system.game("custom", &json!({"points": 100, "turns": 2})).expect("a custom battle");
    let first = json!({"ship:ajax": 1, "air:sbd-3:dive-bomber": 27});
    let forces = [first, json!({"boats:pt-boat": 12})].map(|force| serde_json::from_value(force).expect("a force"));
    let Play::Custom(custom) = &play else { panic!("it is a custom battle") };
    let game = custom.battle(&forces).expect("a battle");
    let mut rules = BTreeSet::new();
    let mut lost = 0;
    for seed in 0..6 {
        let mut state = game.setup();
        let (boats, stand) = (game.battle.find("b-pt-boat-1"), game.battle.find_stand("a-air-1"));
        let (boats, stand) = (boats.expect("the boats"), stand.expect("the stand"));
        let at = state.sea.vessel(boats).at.at;
        let bombers = state.sea.stand_mut(stand);
        (bombers.aloft, bombers.at, bombers.mission) = (Aloft::Airborne, at, Mission::Attack(boats));
        let squadron = game.battle.flight(stand).squadron;
        state.phase = Phase::Actions(Stage::Air { squadron, left: Vec::new(), attack: Attack::new(stand) });
        let mut recorder = Recorder::new(seed);
        let mut hits = 0;
        while matches!(state.phase, Phase::Actions(Stage::Air { .. })) || !state.sea.pending.is_empty() {
            recorder.clear();
            game.step(&mut state, &mut recorder).expect("a recorder answers everything");
            let landed = recorder.notes.iter().filter(|note| note.what == "air-attack");
            hits += landed.filter_map(|note| note.outcome.as_i64()).sum::<i64>();
        }
        let after = state.sea.vessel(boats);
        let gone = i64::from(12 - after.vessels);
        assert!(gone <= hits, "{hits} hits cost {gone} boats");
        assert_eq!(i64::from(after.now.splash), hits, "each hit leaves a splash marker");
        lost += gone;
        rules.append(&mut recorder.rules);
    }
    assert!(lost > 0, "no boat was lost in six attacks");
    rules
}

#[test]
fn bombs_cost_small_craft_that_fail_their_saving_throws() {
    assert!(bombs_on_boats().contains("C-34"));
}

/// Illustrious with a stand of dive bombers over her, about to attack.
fn raid() -> (FleetGame, State) {
    let game = game("illustrious");
    let mut state = game.setup();
    let (ship, stand) = (game.battle.find("illustrious"), game.battle.find_stand("stuka-gruppen-1"));
    let (ship, stand) = (ship.expect("the ship"), stand.expect("the stand"));
    let at = state.sea.vessel(ship).at.at;
    let bombers = state.sea.stand_mut(stand);
    (bombers.aloft, bombers.at, bombers.mission) = (Aloft::Airborne, at, Mission::Attack(ship));
    let squadron = game.battle.flight(stand).squadron;
    state.phase = Phase::Actions(Stage::Air { squadron, left: Vec::new(), attack: Attack::new(stand) });
    (game, state)
}

#[test]
fn play_and_referee_agree_on_flak_and_bombs() {
    let system = system();
    let (mut volleys, mut attacks) = (0, 0);
    for seed in 0..6 {
        let (game, mut state) = raid();
        let mut recorder = Recorder::new(seed);
        let stand = game.battle.find_stand("stuka-gruppen-1").expect("the stand");
        while matches!(state.phase, Phase::Actions(Stage::Air { .. })) && state.sea.pending.is_empty() {
            recorder.clear();
            let before = state.sea.clone();
            game.step(&mut state, &mut recorder).expect("a recorder answers everything");
            let (was, now) = (before.stand(stand), state.sea.stand(stand));
            let target = json!({
                "aircraft": was.aircraft, "flak": was.flak,
                "hit_points": game.battle.flight(stand).aircraft.ratings.hit_points,
            });
            let dice = json!({"dice": recorder.faces});
            if let Some(note) = recorder.notes.iter().find(|note| note.what == "flak") {
                let ship = game.battle.find(&note.pieces[0]).expect("the ship that fires");
                let (then, ledger) = (&before.vessel(ship).ledger, &state.sea.vessel(ship).ledger);
                let used = [
                    ("lrf", ledger.lrf_used - then.lrf_used),
                    ("mrf", ledger.mrf_used - then.mrf_used),
                    ("crf", ledger.crf_used - then.crf_used),
                ];
                let (weapon, factors) = used.into_iter().find(|(_, used)| *used > 0).expect("something fired");
                let vessel = before.vessel(ship);
                let range = vessel.at.at.point().ceil_dist(was.at.point());
                let input = json!({
                    "weapon": weapon, "factors": factors, "range_mm": range, "target": target,
                    "crew_quality": vessel.now.crew_quality, "splash": vessel.now.splash,
                    "dpaa_radar": weapon == "lrf" && vessel.now.gear.gunnery_radar,
                    "aa_plus": weapon == "lrf" && game.battle.model(ship).aa_plus,
                });
                let answer = super::ask(&system, "aa-fire", &input, dice);
                let result = (&answer["result"]["aircraft"], &answer["result"]["flak"]);
                assert_eq!(result, (&json!(now.aircraft), &json!(now.flak)), "{answer}");
                volleys += 1;
            } else if let Some(note) = recorder.notes.iter().find(|note| note.what == "air-attack") {
                let ship = before.vessel(game.battle.find("illustrious").expect("the ship"));
                let size = game.battle.model(game.battle.find("illustrious").expect("the ship")).size();
                let input = json!({
                    "aircraft": was.aircraft, "attack": "dive-bomber", "crew_quality": was.crew_quality,
                    "flak": was.flak,
                    "target": {"size": size, "speed": ship.speed, "splash": ship.now.splash, "sv": ship.now.sv},
                });
                let answer = super::ask(&system, "air-attack-on-ship", &input, dice);
                assert_eq!(answer["result"]["hits"], note.outcome, "{answer}");
                attacks += 1;
            }
        }
    }
    assert!(volleys > 12 && attacks > 2, "{volleys} volleys and {attacks} attacks");
}

#[test]
fn guns_do_not_reach_a_submarine_that_was_detected_below() {
    let game = game("i-168");
    let mut state = game.setup();
    let find = |id: &str| game.battle.find(id).expect("she is there");
    let (submarine, hunter) = (find("i-168"), find("balch"));
    let at = state.sea.vessel(hunter).at;
    let below = state.sea.vessel_mut(submarine);
    (below.placed, below.seen, below.level, below.at) = (true, true, Level::Periscope, at);
    below.detected = true;
    let squadron = game.battle.member(hunter).squadron;
    state.phase = Phase::Actions(Stage::Ask(Group::Squadron(squadron)));
    let mut tape = flagplot_kernel::Tape::new(Vec::new());
    let Ok(flagplot_kernel::Progress::Asks(question)) = flagplot_kernel::advance(&game, &state, &mut tape) else {
        panic!("the screen is asked");
    };
    let shown = serde_json::to_string(&question).expect("a question is JSON");
    assert!(shown.contains("depth-charge") && shown.contains("search"), "{shown}");
    assert!(!shown.contains("shoot"), "{shown}");
}
