//! Every refusal a player can meet at a question, with its code and its rule.

use crate::common::{answer_to, asks, attack, game, play, step, system};
use flagplot_kernel::{Answer, Chance, DiceFrom, Game, Progress, Question, Seat, Side, Tape, Viewer, advance};
use flagplot_schiffskrieg::battle::Place;
use flagplot_schiffskrieg::campaign::{Station, Step};
use flagplot_schiffskrieg::custom;
use flagplot_schiffskrieg::game::{Schiffskrieg, State};
use flagplot_schiffskrieg::{System, files};
use serde_json::{Value, json};

/// Tries a value at the question of a position, and says with which code it is refused.
fn refused(game: &Schiffskrieg, state: &State, seat: Seat, value: Value) -> (&'static str, String) {
    let question = asks(game, state).expect("a question");
    let asked = question.to(seat).expect("the seat is asked");
    let before = state.clone();
    let refusal =
        advance(game, state, &mut Tape::new(vec![answer_to(&question, asked, value)])).expect_err("a refusal");
    assert_eq!(*state, before, "a refusal changes nothing");
    assert!(refusal.rule.is_some(), "{refusal}");
    (refusal.code, refusal.message)
}

fn check(game: &Schiffskrieg, state: &State, seat: Seat, code: &str, value: Value) {
    assert_eq!(refused(game, state, seat, value.clone()).0, code, "{value}");
}

/// Answers everything by the first offer until a question with this code is put.
fn until(game: &Schiffskrieg, code: &str, seat: Seat) -> State {
    let mut chance = Chance::seeded(7);
    let mut state = game.setup();
    for _ in 0..game.step_limit() {
        let mut answers: Vec<Answer> = Vec::new();
        loop {
            let mut tape = Tape::with_dice(answers.clone(), DiceFrom::Chance(Box::new(chance.fork())));
            match advance(game, &state, &mut tape).unwrap() {
                Progress::Stepped(next) => {
                    state = next;
                    break;
                }
                Progress::Asks(question) => {
                    if answers.is_empty() && question.to(seat).is_some_and(|asked| asked.prompt.code == code) {
                        return state;
                    }
                    answers = tape.answers().to_vec();
                    answers.push(match &question {
                        Question::Secret { open, .. } => Answer::Sealed(
                            open.iter().map(|asked| (asked.seat, asked.options[0].value.clone())).collect(),
                        ),
                        other => Answer::Choice(other.open()[0].options[0].value.clone()),
                    });
                }
            }
        }
    }
    panic!("'{code}' was never asked");
}

#[test]
fn attacks_of_a_battle() {
    // Day in the first offer of both wishes: Japan has carriers, the United States an LBA.
    let midway = game("midway-1942");
    let state = until(&midway, "declare-attacks", Seat(0));
    let japan = |code: &str, value: Value| check(&midway, &state, Seat(0), code, value);
    japan("illegal-factor", json!([attack("haruna", "gunnery", "enterprise")]));
    japan("no-factor", json!([attack("akagi", "torpedo", "enterprise")]));
    japan("illegal-target", json!([attack("tone", "torpedo", "midway_air")]));
    japan("illegal-target", json!([attack("tone", "torpedo", "chikuma")]));
    japan("unknown-unit", json!([attack("tone", "torpedo", "yamato")]));
    japan("unknown-unit", json!([attack("yamato", "torpedo", "hornet")]));
    japan(
        "already-attacked",
        json!([attack("akagi", "airstrike", "hornet"), attack("akagi", "airstrike", "enterprise")]),
    );
    assert_eq!(
        refused(&midway, &state, Seat(0), json!([attack("haruna", "gunnery", "enterprise")])).1,
        "In a Day Action only Airstrike and Torpedo Factors attack; Haruna may not use its Gunnery Factor."
    );
    let bismarck = game("bismarck-last-battle-1941");
    let state = until(&bismarck, "declare-attacks", Seat(0));
    check(&bismarck, &state, Seat(0), "illegal-target", json!([attack("dorsetshire", "torpedo", "wolfpack")]));
    let taranto = game("taranto-1940");
    let state = until(&taranto, "declare-attacks", Seat(0));
    check(&taranto, &state, Seat(0), "illegal-factor", json!([attack("eagle", "gunnery", "littorio")]));
    // Eagle carries two Airstrike Factors: no die against an LBA.
    let Schiffskrieg::Scenario(_) = &taranto else { panic!() };
    let sortie = until(&taranto, "stage", Seat(1));
    let mut state = step(&taranto, &sortie, vec![Answer::Choice(json!("play"))], &[]).unwrap();
    let day = Answer::Sealed([(Seat(0), json!("day")), (Seat(1), json!("day"))].into());
    state = step(&taranto, &state, vec![day], &[]).unwrap();
    state = step(&taranto, &state, vec![Answer::Choice(json!([]))], &[]).unwrap();
    check(&taranto, &state, Seat(0), "no-dice", json!([attack("eagle", "airstrike", "squadra_sicily")]));
}

#[test]
fn attacks_from_a_base() {
    let pearl = game("pearl-harbor-1941");
    let State::Scenario(mut state) = until(&pearl, "another-round", Seat(0)) else { panic!() };
    state = match step(&pearl, &State::Scenario(state), vec![Answer::Choice(json!("another-round"))], &[]).unwrap() {
        State::Scenario(state) => state,
        _ => panic!(),
    };
    let mut state = step(&pearl, &State::Scenario(state), vec![Answer::Choice(json!([]))], &[]).unwrap();
    // Whatever the first wave sank, a ship in the base may not attack.
    let State::Scenario(inner) = &mut state else { panic!() };
    let Some(flagplot_schiffskrieg::scenario::Fight::Raid(raid)) = &inner.fight else { panic!() };
    let ship = raid.line.second.iter().find(|fighter| fighter.unit < 10).expect("a ship is left").unit;
    let ids = [
        "arizona",
        "oklahoma",
        "california",
        "west_virginia",
        "tennessee",
        "maryland",
        "nevada",
        "pennsylvania",
        "new_orleans",
        "helena",
    ];
    check(&pearl, &state, Seat(1), "cannot-attack", json!([attack(ids[usize::from(ship)], "gunnery", "akagi")]));
}

#[test]
fn words_that_are_no_answer() {
    let midway = game("midway-1942");
    let state = until(&midway, "wish", Seat(0));
    let answer = Answer::Sealed([(Seat(0), json!("dusk"))].into());
    assert_eq!(advance(&midway, &state, &mut Tape::new(vec![answer])).unwrap_err().code, "bad-answer");
}

fn iron() -> (Schiffskrieg, State) {
    let game = game("ironbottom-1942");
    let state = until(&game, "orders", Seat(0));
    (game, state)
}

#[test]
fn orders_of_a_campaign() {
    let (game, state) = iron();
    let order = |unit: &str, order: &str| json!([{"unit": unit, "order": order}]);
    let japan = |code: &str, value: Value| check(&game, &state, Seat(0), code, value);
    japan("unknown-unit", order("yamato", "slot"));
    japan("unknown-unit", order("zuiho", "slot")); // arrives in turn 2
    japan("unknown-unit", order("enterprise", "slot"));
    japan("unknown-zone", order("shokaku", "coral-sea"));
    japan("cannot-raid", order("hiei", "raid"));
    japan("cannot-raid", order("rabaul_25th", "raid"));
    japan("out-of-reach", order("rabaul_25th", "santa-cruz"));
    japan("duplicate-unit", json!([{"unit": "hiei", "order": "slot"}, {"unit": "hiei", "order": "port"}]));
    check(&game, &state, Seat(1), "wrong-destination", order("turner-1", "santa-cruz"));
    check(&game, &state, Seat(1), "cannot-raid", order("turner-1", "raid"));
    assert!(
        step(
            &game,
            &state,
            vec![Answer::Sealed([(Seat(0), json!([])), (Seat(1), order("turner-1", "slot"))].into())],
            &[]
        )
        .is_ok()
    );
}

#[test]
fn all_reasons_at_once() {
    let (game, state) = iron();
    let both = json!([{"unit": "hiei", "order": "raid"}, {"unit": "nobody", "order": "slot"}]);
    let refusal = advance(&game, &state, &mut Tape::new(vec![Answer::Sealed([(Seat(0), both)].into())])).unwrap_err();
    assert_eq!((refusal.code, refusal.also[0].code), ("cannot-raid", "unknown-unit"));
}

#[test]
fn a_carrier_without_aircraft_cannot_raid() {
    // A carrier of one's own whose damaged side has no aircraft left.
    let mut files = files();
    let own = "[[unit]]\nid = \"hosho_too\"\nname = \"Training carrier\"\nnation = \"japan\"\nkind = \"carrier\"\n\
        facts = { ships = 1, tons = 9000, aircraft = 12 }\n";
    files.lay("units_own.toml", own);
    let campaigns = files.text("campaigns.toml").unwrap().replace("id = \"ryujo\"", "id = \"hosho_too\"");
    files.lay("campaigns.toml", campaigns);
    let game = System::new(&files).unwrap().game("ironbottom-1942", &Value::Null).unwrap();
    let mut state = until(&game, "orders", Seat(0));
    let raid = json!([{"unit": "hosho_too", "order": "raid"}]);
    let question = asks(&game, &state).unwrap();
    let answer = answer_to(&question, question.to(Seat(0)).unwrap(), raid.clone());
    assert!(advance(&game, &state, &mut Tape::new(vec![answer])).is_ok(), "with its front up it can");
    let State::Campaign(inner) = &mut state else { panic!() };
    inner.units.first[2].damaged = true;
    check(&game, &state, Seat(0), "cannot-raid", raid);
}

#[test]
fn refit_and_repair() {
    let (game, mut state) = iron();
    let State::Campaign(inner) = &mut state else { panic!() };
    inner.units.second[0].damaged = true; // Enterprise
    inner.step = Step::Refit(Side::Second);
    let us = |state: &State, code: &str, value: Value| check(&game, state, Seat(1), code, value);
    us(&state, "not-damaged", json!(["saratoga"]));
    us(&state, "not-damaged", json!(["cactus"]));
    us(&state, "unknown-unit", json!(["hornet"]));
    us(&state, "unknown-unit", json!(["shokaku"]));
    us(&state, "duplicate-unit", json!(["enterprise", "enterprise"]));
    let State::Campaign(inner) = &mut state else { panic!() };
    inner.stations.second[0] = Station::NavalWarfareDelayBox(None);
    inner.step = Step::Repairs(Side::Second);
    us(&state, "missing-field", json!([]));
    us(&state, "unknown-unit", json!([{"unit": "saratoga", "choice": "repair"}]));
    us(
        &state,
        "duplicate-unit",
        json!([{"unit": "enterprise", "choice": "repair"}, {"unit": "enterprise", "choice": "repair"}]),
    );
}

#[test]
fn picks_of_a_custom_battle() {
    let game = system()
        .game(
            "custom",
            &json!({"first": {"nations": ["japan"]}, "second": {"nations": ["united-states"]}, "budget": 60}),
        )
        .unwrap();
    let state = game.setup();
    let japan = |code: &str, value: Value| check(&game, &state, Seat(0), code, value);
    // Yamato costs 11 + 7, Musashi the same; with Akagi, Kaga (7 + 2 + 12 each) that is 78.
    let (code, message) = refused(&game, &state, Seat(0), json!(["yamato", "musashi", "akagi", "kaga"]));
    assert_eq!((code, message.as_str()), ("over-budget", "That force costs 78; the budget is 60."));
    japan("wrong-nation", json!(["yamato", "iowa"]));
    japan("unknown-unit", json!(["yamato", "graf_zeppelin_two"]));
    japan("duplicate-unit", json!(["yamato", "yamato"]));
    japan("empty-force", json!([]));
    japan("empty-force", json!(["i_boats"]));
    japan("too-much-air", json!(["nagara", "rabaul_25th", "rabaul_26th"]));
}

#[test]
fn settings_of_a_custom_battle() {
    let system = system();
    for bad in [
        json!({"budget": 19}),
        json!({"budget": 151}),
        json!({"first": {"nations": []}}),
        json!({"first": {"nations": ["japan"]}, "second": {"nations": ["japan"]}}),
        json!({"first": {"nations": ["atlantis"]}}),
        json!({"first": {"nations": ["italy", "italy"]}}),
        json!({"fixed_actions": ["dusk", "choice"]}),
        json!({"second": {"nations": ["japan"], "nearest_air_base": 100}}),
        json!({"weather": "fog"}),
        json!(7),
    ] {
        let refusal = system.game("custom", &bad).err().unwrap_or_else(|| panic!("{bad} is accepted"));
        assert_eq!(refusal.code, "bad-options", "{bad}");
        assert!(refusal.rule.is_some());
    }
    assert_eq!(system.game("midway-1942", &json!({"budget": 20})).err().unwrap().code, "unknown-field");
    assert_eq!(system.game("jutland-1916", &Value::Null).err().unwrap().code, "unknown-scenario");
}

#[test]
fn the_par_of_a_custom_battle_comes_from_its_forces() {
    let settings = json!({"budget": 40, "second": {"nations": ["japan"]}, "fixed_actions": ["night", "choice"]});
    let game = system().game("custom", &settings).unwrap();
    let Schiffskrieg::Custom(inner) = &game else { panic!() };
    let State::Custom(mut state) = game.setup() else { panic!() };
    assert_eq!(inner.par(&state), 0, "nothing has been picked");
    let fleet = system();
    let place = |nation: &str, id: &str| {
        let entries = fleet.order_of_battle().0.values().filter(|entry| entry.nation == nation);
        entries.map(|entry| entry.sheet).position(|sheet| sheet.id.to_string() == id).unwrap()
    };
    let sheet =
        |id: &str| fleet.order_of_battle().0.values().find(|entry| entry.sheet.id.to_string() == id).unwrap().sheet;
    let worth = |id: &str| {
        let (front, vp) = (sheet(id).front, i64::from(sheet(id).vp));
        let (day, night) = (front.airstrike.max(front.torpedo), front.gunnery.max(front.torpedo));
        // One round may be day, both may be night.
        9 * i64::from(front.defense) - 4 * vp + 5 * i64::from(day) + 6 * i64::from(night)
    };
    state.battle.units.first[place("united-states", "west_virginia")].place = Place::Ready;
    assert_eq!(inner.par(&state), (worth("west_virginia") + 6).div_euclid(12));
    state.battle.units.second[place("japan", "yamashiro")].place = Place::Ready;
    assert_eq!(inner.par(&state), (worth("west_virginia") - worth("yamashiro") + 6).div_euclid(12));
    state.picked = true;
    let par = format!("par {:+}.", inner.par(&state));
    let view = game.view(&State::Custom(state), Viewer::Spectator);
    assert!(game.scene(&view).status.iter().any(|line| line.ends_with(&par)), "{par}");
    assert!(game.aims().first.contains("above par") && game.aims().second.contains("below par"));
}

#[test]
fn a_custom_battle_is_saved_and_played_again() {
    let game = system()
        .game(
            "custom",
            &json!({"budget": 40, "second": {"nations": ["japan"], "nearest_air_base": 2},
                "fixed_actions": ["night", "choice"]}),
        )
        .unwrap();
    let Schiffskrieg::Custom(inner) = &game else { panic!() };
    let State::Custom(early) = game.setup() else { panic!() };
    assert_eq!(inner.scenario_file(&early, "mine", "Mine").unwrap_err().code, "wrong-time");
    let mut chance = Chance::seeded(3);
    let State::Custom(picked) = play(&game, flagplot_kernel::ByInstinct, &mut chance, |_, _| ()) else { panic!() };
    for bad in ["", "custom", "Mine", "a\"b"] {
        assert_eq!(inner.scenario_file(&picked, bad, "Mine").unwrap_err().code, "bad-value");
    }
    let text = inner.scenario_file(&picked, "my-battle", "My \"own\" battle").unwrap();
    let mut files = files();
    files.lay("scenarios_mine.toml", text);
    let system = System::new(&files).unwrap();
    let info = system.scenarios().into_iter().find(|info| info.id == "my-battle").unwrap();
    assert!(info.title.starts_with("My \"own\" battle"));
    let again = system.game("my-battle", &Value::Null).unwrap();
    let last = play(&again, flagplot_kernel::ByInstinct, &mut chance, |_, _| ());
    let outcome = again.outcome(&last).unwrap();
    assert_eq!(outcome.details["par"], inner.par(&picked), "the par of the forces goes with them");
    assert_eq!(game.outcome(&State::Custom(picked.clone())).unwrap().details["par"], inner.par(&picked));
    let State::Scenario(state) = again.setup() else { panic!() };
    let forces = |units: &[flagplot_schiffskrieg::battle::UnitState]| {
        units.iter().filter(|unit| unit.place != flagplot_schiffskrieg::battle::Place::Absent).count()
    };
    assert_eq!(forces(&state.units.first), forces(&picked.battle.units.first));
    assert_eq!(custom::ID, "custom");
}
