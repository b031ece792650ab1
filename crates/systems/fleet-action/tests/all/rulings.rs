//! Single rules in play, each on a drawn sea.

use super::fire::{SPEE, Table, abeam, acts, game, place, refused, ship, shoot, squadron};
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::actions::Stage as Acting;
use flagplot_fleet_action::game::air::Attack;
use flagplot_fleet_action::game::moving::orders::Plan;
use flagplot_fleet_action::game::moving::{Stage, Task};
use flagplot_fleet_action::game::play::Play;
use flagplot_fleet_action::game::state::*;
use flagplot_fleet_action::geometry::{Heading, Place, Position};
use flagplot_fleet_action::words::{Density, Mode};
use flagplot_kernel::course::Leg;
use flagplot_kernel::{Game, Seat, Side, Viewer};
use serde_json::{Value, json};

#[test]
fn a_move_is_tested_against_a_field_once_even_if_it_comes_back() {
    let game = game("river-plate");
    let mut state = game.setup();
    place(&game, &mut state, "ajax", 0, 0, 0);
    place(&game, &mut state, "achilles", 9000, 9000, 0);
    let ajax = ship(&game, "ajax");
    state.sea.vessel_mut(ajax).last_speed = 30;
    let heading = Heading::new(&game.battle.rules, 90).expect("a heading");
    let at = Position { at: Place { x: 0, y: 60 }, heading };
    state.sea.fields.push(Field { side: Side::First, at, density: Some(Density::Medium), known: false });
    // Across the field, round in a half circle, and back through it.
    let turn = [Leg::Turn(45), Leg::Ahead(40)];
    let mut legs = vec![Leg::Ahead(100)];
    legs.extend(turn.into_iter().cycle().take(6));
    legs.extend([Leg::Turn(45), Leg::Ahead(80)]);
    let plan = Plan { vessel: ajax, speed: 30, legs, smoke: false };
    let squadron = squadron(&game, "ajax");
    state.phase = Phase::Ships(Stage::Run { squadron, left: vec![Task::Ordered(plan)], guide: None });
    let mut table = Table::new(1).dice(&[1, 1]);
    game.step(&mut state, &mut table).expect("she runs");
    let entered = table.notes.iter().filter(|note| note.text.contains("enters a medium minefield")).count();
    assert_eq!((entered, table.dice.len()), (1, 1), "one test, one die");
    assert_eq!((state.sea.vessel(ajax).at.at.y, state.sea.vessel(ajax).at.heading.degrees()), (20, 180));
}

#[test]
fn the_boat_in_the_proof_of_a_search_is_told_when_the_battle_is_over() {
    let game = game("i-168");
    let mut state = game.setup();
    state.sea.turn = 2;
    let boat = ship(&game, "i-168");
    state.sea.squadron_mut(squadron(&game, "i-168")).deployed = true;
    for (level, distance, told) in
        [(Level::Deep, 100, "deep"), (Level::Periscope, 100, "hunter's speed"), (Level::Deep, 900, "")]
    {
        let mut state = state.clone();
        let at = state.sea.vessel(ship(&game, "balch")).at.at;
        place(&game, &mut state, "i-168", at.x + distance, at.y, 0);
        state.sea.vessel_mut(boat).level = level;
        acts(&game, &mut state, "balch");
        let mut table = Table::new(1).answer(json!([{"deep": {"search": "balch"}}])).dice(&[2]);
        game.step(&mut state, &mut table).expect("the list is read");
        game.step(&mut state, &mut table).expect("she searches");
        let proof = table.notes.iter().find(|note| note.what == "sonar-proof").expect("the proof is kept");
        assert!([Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator].iter().all(|v| !proof.seen_by(*v)));
        assert!(proof.seen_by(Viewer::Everything), "a viewer of a finished battle sees everything");
        assert_eq!(proof.dice, [2]);
        let named = proof.modifiers.iter().any(|modifier| modifier.name == told);
        assert_eq!(named, !told.is_empty(), "{proof:?}");
        let open = table.notes.iter().find(|note| note.what == "sonar").expect("the search is told");
        assert!(open.only.is_none() && open.modifiers.iter().all(|modifier| modifier.name != "deep"));
    }
}

/// Torpedoes of Graf Spee arrive.
fn arriving(game: &FleetGame, state: &mut State, mode: Mode, at: AimPoint) {
    let spee = ship(game, SPEE);
    let from = state.sea.vessel(spee).at;
    let aim = Some(Aim { at, setting: 0 });
    let (could, frozen) = (vec![ship(game, "exeter")], None);
    state.sea.running.push(Running {
        by: spee,
        from,
        mode,
        mounts: 1,
        torpedoes: 4,
        aim,
        could,
        frozen,
        hidden: false,
    });
    state.phase = Phase::Actions(Acting::Torpedoes(squadron(game, SPEE)));
}

#[test]
fn a_wide_spread_may_strike_the_ship_that_launched_it() {
    let (game, mut state) = abeam();
    place(&game, &mut state, "exeter", 60, 0, 0);
    arriving(&game, &mut state, Mode::WideSpread, AimPoint::Point(Place { x: 30, y: 0 }));
    // The nearest to the launch comes first, and that is she.
    let mut table = Table::new(1).dice(&[20, 20]);
    game.step(&mut state, &mut table).expect("the torpedoes arrive");
    let struck: Vec<VesselId> = state
        .sea
        .pending
        .iter()
        .filter_map(|pending| if let Pending::Hits(hits) = pending { Some(hits.on) } else { None })
        .collect();
    assert_eq!(struck, [ship(&game, SPEE), ship(&game, "exeter")]);
    assert_eq!(state.sea.squadron(squadron(&game, SPEE)).torpedoed_on, None, "it is no attack on her");
}

#[test]
fn an_activation_goes_on_or_ends_after_the_hits_of_its_torpedoes() {
    let (game, mut state) = abeam();
    place(&game, &mut state, "exeter", 60, 0, 0);
    arriving(&game, &mut state, Mode::WideSpread, AimPoint::Point(Place { x: 30, y: 0 }));
    let spee = ship(&game, SPEE);
    let mut table = Table::new(1).dice(&[20, 20]);
    game.step(&mut state, &mut table).expect("the torpedoes arrive");
    assert!(!state.sea.pending.is_empty());
    // Her own torpedo puts out her power, which is tested before anything else.
    state.sea.pending.clear();
    state.sea.vessel_mut(spee).now.gear.power_failed = true;
    let mut table = Table::new(1).dice(&[1]);
    while state.sea.vessel(spee).ledger.power.is_none() && matches!(state.phase, Phase::Actions(_)) {
        game.step(&mut state, &mut table).expect("the activation goes on");
    }
    assert_eq!(state.sea.vessel(spee).ledger.power, Some(false));
    // A squadron with nothing to fire at is asked when an explosion or a sheer has given it something.
    let (game, mut state) = abeam();
    place(&game, &mut state, "exeter", 5000, 0, 0);
    arriving(&game, &mut state, Mode::Aimed, AimPoint::Vessel(ship(&game, "exeter")));
    place(&game, &mut state, "exeter", 200, 0, 0);
    state.sea.screens.push(Screen { by: spee, at: [30, 60, 90].map(|x| Place { x, y: 0 }.point()) });
    let mut table = Table::new(1).dice(&[20, 20]);
    game.step(&mut state, &mut table).expect("the torpedoes arrive");
    assert!(!state.sea.pending.is_empty());
    state.sea.pending.clear();
    state.sea.screens.clear();
    let mut table = Table::new(1);
    table.instinct = true;
    game.step(&mut state, &mut table).expect("the activation goes on");
    game.step(&mut state, &mut table).expect("she is asked");
    assert_eq!(table.codes, ["actions"]);
}

#[test]
fn flares_light_contacts_real_or_not() {
    let game = game("savo-island");
    for (turn, holds, lit) in [
        (1, Holds::Dummy, true),
        (1, Holds::Squadron(squadron(&game, "canberra")), true),
        (5, Holds::Squadron(squadron(&game, "canberra")), false),
    ] {
        let mut state = game.setup();
        state.sea.turn = turn;
        state.sea.marker_mut(MarkerId(3)).holds = Some(holds);
        let at = state.sea.marker(MarkerId(3)).at.at;
        place(&game, &mut state, "chokai", at.x - 400, at.y, 90);
        acts(&game, &mut state, "chokai");
        let mut table = Table::new(1).answer(json!([{"spot": {"by": "chokai", "contact": "contact-4"}}])).dice(&[1]);
        game.step(&mut state, &mut table).expect("the list is read");
        game.step(&mut state, &mut table).expect("the look is made");
        assert_eq!(state.sea.marker(MarkerId(3)).gone, lit, "turn {turn}, {holds:?}");
        assert_eq!(table.dice.len(), usize::from(lit), "under flares she is spotted without a die");
    }
}

#[test]
fn shaken_ships_keep_away_from_what_they_see_and_from_nothing_else() {
    let game = game("river-plate");
    let mut state = game.setup();
    place(&game, &mut state, "ajax", 0, 0, 0);
    place(&game, &mut state, "achilles", 9000, 9000, 0);
    let ajax = ship(&game, "ajax");
    (state.sea.vessel_mut(ajax).last_speed, state.sea.vessel_mut(ajax).mood) = (20, Mood::Shaken);
    state.phase = Phase::Ships(Stage::Orders(squadron(&game, "ajax")));
    let orders = json!([{"ship": "ajax", "speed": 20, "orders": [{"ahead": 200}]}]);
    place(&game, &mut state, SPEE, 0, 1250, 0);
    assert_eq!(refused(&game, &state, orders.clone()), "morale-forbids", "in the last band of visibility");
    place(&game, &mut state, SPEE, 0, 1251, 0);
    let mut table = Table::new(1).answer(orders.clone());
    assert!(game.step(&mut state.clone(), &mut table).is_ok(), "beyond it: {:?}", table.refused);
    place(&game, &mut state, SPEE, 0, 800, 0);
    state.sea.screens.push(Screen { by: ajax, at: [400, 400, 400].map(|y| Place { x: 0, y }.point()) });
    let mut table = Table::new(1).answer(orders);
    assert!(game.step(&mut state, &mut table).is_ok(), "behind smoke: {:?}", table.refused);
}

#[test]
fn a_squadron_may_be_deployed_abreast() {
    let game = game("savo-island");
    let mut state = game.setup();
    state.sea.markers[0].holds = Some(Holds::Squadron(SquadronId(0)));
    state.sea.markers[1].holds = Some(Holds::Squadron(SquadronId(1)));
    state.sea.markers[2].holds = Some(Holds::Dummy);
    state.phase = Phase::Ships(Stage::Contact(MarkerId(0)));
    let marker = state.sea.markers[0].at;
    let mut table = Table::new(1).answer(json!({"deploy": true, "line": "abreast"}));
    game.step(&mut state, &mut table).expect("the squadron deploys");
    let beside = Position { heading: marker.heading.turned(90), ..marker };
    for (steps, id) in ["chokai", "aoba", "kako", "kinugasa", "furutaka"].into_iter().enumerate() {
        let at = state.sea.vessel(ship(&game, id)).at;
        assert_eq!((at.at, at.heading), (beside.ahead(60 * steps as i64).at, marker.heading), "{id}");
    }
    assert_eq!(
        refused(
            &game,
            &{
                let mut other = game.setup();
                other.sea.markers[0].holds = Some(Holds::Dummy);
                other.phase = Phase::Ships(Stage::Contact(MarkerId(0)));
                other
            },
            json!({"deploy": true, "line": "abreast"})
        ),
        "dummy-contact"
    );
}

#[test]
fn a_carrier_without_power_neither_launches_nor_lands() {
    let game = game("two-decks");
    let mut state = game.setup();
    state.sea.turn = 2;
    let akagi = ship(&game, "akagi");
    let at = state.sea.vessel(akagi).at.at;
    let first = state.sea.stand_mut(StandId(0));
    (first.aloft, first.at, first.acted) = (Aloft::Airborne, at, false);
    let second = state.sea.stand_mut(StandId(1));
    second.aloft = Aloft::Aboard { ready: second.aircraft };
    state.sea.vessel_mut(akagi).speed = 25;
    acts(&game, &mut state, "akagi");
    let act = |what: &str, number: u8| json!([{"air": {what: format!("akagi-air-group-{number}")}}]);
    for action in [act("launch", 2), act("land", 1)] {
        let mut table = Table::new(1).answer(action);
        assert!(game.step(&mut state.clone(), &mut table).is_ok(), "{:?}", table.refused);
    }
    state.sea.vessel_mut(akagi).now.gear.power_failed = true;
    // Haruna has something to do, so that the squadron is asked.
    place(&game, &mut state, "yorktown", at.x + 900, at.y, 0);
    assert_eq!(refused(&game, &state, act("launch", 2)), "no-power");
    assert_eq!(refused(&game, &state, act("land", 1)), "no-power");
    state.sea.vessel_mut(akagi).ledger.power = Some(true);
    let mut table = Table::new(1).answer(act("land", 1));
    assert!(game.step(&mut state, &mut table).is_ok(), "her crew has passed its test: {:?}", table.refused);
}

#[test]
fn a_factor_of_small_craft_fires_once_at_vessels_or_at_aircraft() {
    let play = super::system().game("custom", &json!({"points": 100, "turns": 2})).expect("a custom battle");
    let first = json!({"ship:ajax": 1, "air:sbd-3:dive-bomber": 27});
    let forces = [first, json!({"boats:pt-boat": 12})].map(|force| serde_json::from_value(force).expect("a force"));
    let Play::Custom(custom) = &play else { panic!("it is a custom battle") };
    let game = custom.battle(&forces).expect("a battle");
    let mut state = game.setup();
    let (boats, stand) = (ship(&game, "b-pt-boat-1"), game.battle.find_stand("a-air-1").expect("the stand"));
    let at = state.sea.vessel(boats).at.at;
    let bombers = state.sea.stand_mut(stand);
    (bombers.aloft, bombers.at, bombers.mission) = (Aloft::Airborne, at, Mission::Attack(boats));
    let squadron = game.battle.flight(stand).squadron;
    state.phase = Phase::Actions(Acting::Air { squadron, left: Vec::new(), attack: Attack::new(stand) });
    let asked = |mut state: State| {
        let mut table = Table::new(1);
        table.instinct = true;
        while matches!(state.phase, Phase::Actions(Acting::Air { .. })) {
            game.step(&mut state, &mut table).expect("the attack goes on");
        }
        (table.codes.contains(&"flak"), state.sea.vessel(boats).ledger)
    };
    let (crf, mrf) = (state.sea.vessel(boats).now.crf, state.sea.vessel(boats).now.mrf);
    let (fired, ledger) = asked(state.clone());
    assert!(fired && crf + mrf > 0);
    assert!(ledger.crf_used <= crf && ledger.mrf_used <= mrf, "factors are counted, not their dice: {ledger:?}");
    let spent = &mut state.sea.vessel_mut(boats).ledger;
    (spent.crf_used, spent.mrf_used) = (crf, mrf);
    assert!(!asked(state).0, "what has fired at vessels has nothing left for aircraft");
}

fn anti_air(weapon: &str, target: &str) -> Value {
    json!({"anti-air": {"ship": "warspite", "weapon": weapon, "target": target}})
}

#[test]
fn ships_fire_at_aircraft_that_attack_nothing() {
    let game = game("illustrious");
    let mut state = game.setup();
    let stand = game.battle.find_stand("stuka-gruppen-1").expect("the stand");
    let at = state.sea.vessel(ship(&game, "warspite")).at.at;
    // They have attacked and turn for home.
    let stukas = state.sea.stand_mut(stand);
    (stukas.aloft, stukas.at, stukas.acted) = (Aloft::Leaving, at, true);
    stukas.mission = Mission::Attack(ship(&game, "illustrious"));
    acts(&game, &mut state, "warspite");
    let fire = anti_air("lrf", "stuka-gruppen-1");
    let code = |state: &State, list: Value| refused(&game, state, list);
    assert_eq!(code(&state, json!([fire, fire])), "already-fired");
    assert_eq!(code(&state, json!([anti_air("crf", "stuka-gruppen-1")])), "out-of-aa-range");
    assert_eq!(code(&state, json!([anti_air("lrf", "806-squadron-1")])), "unknown-target");
    assert_eq!(code(&state, json!([anti_air("lrf", "stuka-gruppen-2")])), "unknown-target");
    let mut far = state.clone();
    far.sea.stand_mut(stand).at.x += 501;
    // Jaguar is nearer and keeps the question open.
    place(&game, &mut far, "jaguar", at.x + 400, at.y, 0);
    assert_eq!(code(&far, json!([fire])), "out-of-aa-range");
    let mut waiting = state.clone();
    waiting.sea.stand_mut(stand).acted = false;
    assert!(!asked(&game, &waiting), "those about to attack are met when they do");
    let mut broken = state.clone();
    broken.sea.vessel_mut(ship(&game, "warspite")).mood = Mood::Broken;
    broken.sea.stand_mut(stand).at.x += 300;
    assert_eq!(code(&broken, json!([fire])), "morale-forbids");
    let before = state.sea.stand(stand).aircraft;
    let mut table = Table::new(1).answer(json!([fire]));
    game.step(&mut state, &mut table).expect("the answer is taken");
    let mut table = Table::new(1).dice(&[20, 20, 20, 20, 20, 1, 1, 1, 1, 1]);
    game.step(&mut state, &mut table).expect("Warspite fires");
    assert!(state.sea.stand(stand).aircraft < before && state.sea.stand(stand).flak == 1);
    assert!(state.sea.vessel(ship(&game, "warspite")).ledger.lrf_used > 0);
}

/// Whether the squadron whose turn it is has anything to do.
fn asked(game: &flagplot_fleet_action::game::FleetGame, state: &State) -> bool {
    let mut table = Table::new(1);
    game.step(&mut state.clone(), &mut table).expect("the step is taken");
    table.codes.contains(&"actions")
}

#[test]
fn guns_that_fire_at_aircraft_are_silent_at_the_surface() {
    let (game, mut state) = abeam();
    let spee = ship(&game, SPEE);
    state.sea.vessel_mut(spee).ledger.lrf_used = 1;
    let aa: Vec<&str> = game
        .battle
        .model(spee)
        .batteries
        .iter()
        .filter(|battery| {
            battery.mounts.iter().any(|at| game.battle.model(spee).sheet.other.get(*at).is_some_and(|m| m.aa))
        })
        .map(|battery| battery.id.as_str())
        .collect();
    for battery in aa.into_iter().filter(|id| *id != "main") {
        place(&game, &mut state, "exeter", 300, 0, 0);
        assert_eq!(refused(&game, &state, json!([shoot(SPEE, battery, "local", "exeter")])), "already-fired");
    }
}

#[test]
fn a_ship_cannot_stop_at_once_and_a_deck_without_handling_launches_nothing() {
    let game = game("river-plate");
    let mut state = game.setup();
    state.sea.vessel_mut(ship(&game, SPEE)).last_speed = 24;
    state.phase = Phase::Ships(Stage::Orders(squadron(&game, SPEE)));
    let crawl = json!([{"ship": SPEE, "speed": 5, "orders": [{"ahead": 50}]}]);
    assert_eq!(refused(&game, &state, crawl), "too-slow");
    let game = super::sea_game("two-decks");
    let mut state = game.setup();
    state.sea.turn = 2;
    let akagi = ship(&game, "akagi");
    (state.sea.vessel_mut(akagi).speed, state.sea.vessel_mut(akagi).now.h) = (25, 0);
    let second = state.sea.stand_mut(StandId(1));
    second.aloft = Aloft::Aboard { ready: second.aircraft };
    // Haruna has something to do, so that the squadron is asked.
    let at = state.sea.vessel(akagi).at.at;
    place(&game, &mut state, "yorktown", at.x + 900, at.y, 0);
    acts(&game, &mut state, "akagi");
    assert_eq!(refused(&game, &state, json!([{"air": {"launch": "akagi-air-group-2"}}])), "no-handling-left");
}

#[test]
fn whole_battles_use_mines_boats_submarines_and_decks() {
    for (battle, wanted) in [
        ("blackett-strait", &["minefield", "vessel-lost", "light-fire"][..]),
        ("i-168", &["sonar", "depth-charges", "torpedoes"]),
        ("two-decks", &["deck-work", "flak", "air-combat", "air-attack"]),
    ] {
        let game = game(battle);
        let mut counts: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
        for seed in 0..8 {
            let mut table = Table::new(seed);
            table.instinct = true;
            let mut state = game.setup();
            while game.outcome(&state).is_none() {
                game.step(&mut state, &mut table).expect("instinct answers everything");
                for note in table.notes.drain(..) {
                    *counts.entry(note.what).or_default() += 1;
                }
            }
        }
        for what in wanted {
            assert!(counts.get(what).is_some_and(|count| *count > 0), "{battle} never saw '{what}': {counts:?}");
        }
    }
}
