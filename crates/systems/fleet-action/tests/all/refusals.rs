//! Refusals of actions that need a particular state of things. [section 3]

use super::fire::{SPEE, Table, abeam, acts, game, place, refused, ship, shoot, squadron};
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::actions::{Action, Stage};
use flagplot_fleet_action::game::state::*;
use flagplot_fleet_action::geometry::Place;
use flagplot_fleet_action::words::Status;
use flagplot_kernel::Game;
use serde_json::{Value, json};

/// What the log says when an action of a list is met that can no longer be done.
fn dropped(game: &FleetGame, mut state: State, of: SquadronId, action: Value) -> String {
    let action: Action = serde_json::from_value(action).expect("an action");
    state.phase = Phase::Actions(Stage::Carry { squadron: of, left: vec![action] });
    let mut table = Table::new(1);
    game.step(&mut state, &mut table).expect("the rest of the list is dropped");
    table.notes.iter().filter(|note| note.what == "dropped").map(|note| note.text.clone()).collect()
}

#[test]
fn lost_ships_take_no_orders() {
    let (game, mut state) = abeam();
    place(&game, &mut state, "ajax", 300, 0, 0);
    place(&game, &mut state, "achilles", 300, 200, 0);
    acts(&game, &mut state, "ajax");
    state.sea.vessel_mut(ship(&game, "achilles")).now.status = Status::Wreck;
    assert_eq!(refused(&game, &state, json!([shoot("achilles", "main", "directed", SPEE)])), "ship-lost");
}

#[test]
fn ships_without_power_and_ships_that_hold_do_nothing() {
    let (game, mut state) = abeam();
    place(&game, &mut state, "ajax", 300, 0, 0);
    place(&game, &mut state, "achilles", 300, 200, 0);
    acts(&game, &mut state, "ajax");
    state.sea.vessel_mut(ship(&game, "achilles")).now.gear.power_failed = true;
    assert_eq!(refused(&game, &state, json!([shoot("achilles", "main", "directed", SPEE)])), "no-power");
    let sydney = game_at("kormoran", "sydney", 1);
    let text = dropped(&sydney.0, sydney.1, sydney.2, shoot("sydney", "main", "directed", "kormoran"));
    assert!(text.contains("takes no action this turn"), "{text}");
}

/// A battle on a turn, with the squadron of a ship.
fn game_at(scenario: &str, id: &str, turn: i32) -> (FleetGame, State, SquadronId) {
    let game = game(scenario);
    let mut state = game.setup();
    state.sea.turn = turn;
    let of = squadron(&game, id);
    (game, state, of)
}

#[test]
fn a_submarine_below_fires_no_guns_and_a_surprised_ship_none_either() {
    let (game, mut state, of) = game_at("i-168", "i-168", 2);
    let submarine = ship(&game, "i-168");
    state.sea.vessel_mut(submarine).placed = true;
    let text = dropped(&game, state, of, shoot("i-168", "main", "local", "yorktown"));
    assert!(text.contains("is under water"), "{text}");
    let (game, mut state, of) = game_at("savo-island", "canberra", 2);
    place(&game, &mut state, "canberra", 0, -300, 0);
    place(&game, &mut state, "chokai", 200, -300, 0);
    let text = dropped(&game, state, of, shoot("canberra", "main", "local", "chokai"));
    assert!(text.contains("is surprised"), "{text}");
}

#[test]
fn guns_at_small_craft_are_laid_locally() {
    let (game, mut state, _) = game_at("blackett-strait", "yunagi", 2);
    for squadron in &mut state.sea.squadrons {
        squadron.deployed = true;
    }
    place(&game, &mut state, "yunagi", 0, 0, 0);
    place(&game, &mut state, "section-one-1", 200, 0, 0);
    acts(&game, &mut state, "yunagi");
    assert_eq!(refused(&game, &state, json!([shoot("yunagi", "main", "directed", "section-one-1")])), "must-use-local");
}

/// Chokai and Canberra at night, 20 cm apart, with the rest of the Japanese squadron near.
fn night() -> (FleetGame, State) {
    let (game, mut state, _) = game_at("savo-island", "chokai", 6);
    place(&game, &mut state, "chokai", 0, -300, 0);
    place(&game, &mut state, "aoba", 0, -400, 0);
    place(&game, &mut state, "canberra", 200, -300, 0);
    place(&game, &mut state, "chicago", 200, -400, 0);
    acts(&game, &mut state, "chokai");
    (game, state)
}

#[test]
fn one_look_one_star_shell_one_identified_target() {
    let (game, mut state) = night();
    let chokai = ship(&game, "chokai");
    state.sea.vessel_mut(chokai).ledger.spotted = true;
    let contact = (0..state.sea.markers.len()).find(|at| {
        let marker = &state.sea.markers[*at];
        marker.side != game.battle.member(chokai).side && !marker.gone
    });
    let contact = format!("contact-{}", contact.expect("an enemy contact") + 1);
    assert_eq!(refused(&game, &state, json!([{"spot": {"by": "chokai", "contact": contact}}])), "already-spotted");
    state.sea.vessel_mut(ship(&game, "canberra")).star_lit = true;
    let star = json!([{"star-shell": {"ship": "chokai", "battery": "other-1", "target": "canberra"}}]);
    assert_eq!(refused(&game, &state, star), "already-lit");
    // Canberra is made out; Chicago would need a second attempt.
    let (game, mut state) = night();
    state.sea.vessel_mut(chokai).ledger.identified = Some((ship(&game, "canberra"), true));
    assert_eq!(refused(&game, &state, json!([shoot("chokai", "main", "directed", "chicago")])), "not-visible");
}

#[test]
fn the_chart_ends_somewhere() {
    let game = game("river-plate");
    let mut state = game.setup();
    let spee = ship(&game, SPEE);
    let speed = state.sea.vessel(spee).last_speed;
    let mut order = |x: i64| {
        state.sea.vessel_mut(spee).at.at = Place { x, y: 0 };
        state.sea.vessel_mut(spee).at.heading = Default::default();
        let at = &mut state.sea.vessel_mut(spee).at;
        at.heading = at.heading.turned(90);
        state.phase = Phase::Ships(flagplot_fleet_action::game::moving::Stage::Orders(squadron(&game, SPEE)));
        let orders = json!([{"ship": SPEE, "speed": speed, "orders": [{"ahead": 10 * speed}]}]);
        let mut table = Table::new(1).answer(orders);
        let taken = game.step(&mut state.clone(), &mut table);
        (taken.is_ok(), table.refused.map(|refusal| (refusal.code, refusal.message)))
    };
    assert!(order(0).0);
    let (_, refusal) = order(99_990);
    let (code, message) = refusal.expect("a refusal");
    assert_eq!(code, "out-of-range");
    assert!(message.contains("leave the chart"), "{message}");
}

#[test]
fn sonar_and_depth_charges_have_their_limits() {
    let (game, mut state, _) = game_at("i-168", "balch", 2);
    let submarine = ship(&game, "i-168");
    state.sea.vessel_mut(submarine).placed = true;
    acts(&game, &mut state, "balch");
    let search = |ship: &str| json!([{"deep": {"search": ship}}]);
    let charge = |ship: &str| json!([{"deep": {"depth-charge": {"ship": ship, "target": "i-168"}}}]);
    assert_eq!(refused(&game, &state, charge("balch")), "not-detected");
    let mut searched = state.clone();
    searched.sea.vessel_mut(ship(&game, "balch")).ledger.searched = true;
    assert_eq!(refused(&game, &searched, search("balch")), "already-searched");
    let mut bare = state.clone();
    bare.sea.vessel_mut(ship(&game, "balch")).now.asw = 0;
    assert_eq!(refused(&game, &bare, search("balch")), "no-asw");
    let mut seen = state.clone();
    seen.sea.vessel_mut(submarine).seen = true;
    assert_eq!(refused(&game, &seen, charge("balch")), "not-detected", "her torpedoes have only shown her");
    seen.sea.vessel_mut(submarine).detected = true;
    seen.sea.vessel_mut(submarine).at.at = Place { x: 90_000, y: 90_000 };
    assert_eq!(refused(&game, &seen, charge("balch")), "out-of-range");
    seen.sea.vessel_mut(ship(&game, "balch")).ledger.depth_charged = true;
    assert_eq!(refused(&game, &seen, charge("balch")), "already-fired");
    let mut sunk = state;
    sunk.sea.vessel_mut(submarine).now.status = Status::Sunk;
    let of = squadron(&game, "balch");
    let text = dropped(&game, sunk, of, json!({"deep": {"search": "balch"}}));
    assert!(text.contains("no enemy submarine"), "{text}");
}

#[test]
fn decks_refuse_what_they_cannot_handle() {
    let (game, mut state, of) = game_at("two-decks", "akagi", 2);
    let akagi = ship(&game, "akagi");
    let stand = |number: u8| StandId(number);
    let act = |what: &str, number: usize| json!({"air": {what: format!("akagi-air-group-{number}")}});
    let refusal = |change: &dyn Fn(&mut State), action: Value| {
        let mut state = state.clone();
        change(&mut state);
        dropped(&game, state, of, action)
    };
    // The second stand is aboard; the first patrols.
    let ready = |state: &mut State| {
        let all = state.sea.stand(stand(1)).aircraft;
        state.sea.stand_mut(stand(1)).aloft = Aloft::Aboard { ready: all };
        state.sea.vessel_mut(akagi).speed = 25;
    };
    let with = |more: &dyn Fn(&mut State)| {
        refusal(
            &|state| {
                ready(state);
                more(state);
            },
            act("launch", 2),
        )
    };
    assert!(with(&|state| state.sea.vessel_mut(akagi).now.h = 0).contains("no handling left"));
    assert!(with(&|state| state.sea.vessel_mut(akagi).now.s = 0).contains("no Structure left"));
    assert!(with(&|state| state.sea.vessel_mut(akagi).speed = 10).contains("needs 15 knots"));
    assert!(with(&|state| state.sea.stand_mut(stand(1)).aloft = Aloft::Aboard { ready: 0 }).contains("being armed"));
    assert!(with(&|state| state.sea.stand_mut(stand(1)).aloft = Aloft::Airborne).contains("not aboard"));
    state.sea.stand_mut(stand(0)).aloft = Aloft::Airborne;
    state.sea.stand_mut(stand(0)).at = state.sea.vessel(akagi).at.at;
    state.sea.vessel_mut(akagi).speed = 25;
    let land = |change: &dyn Fn(&mut State)| {
        let mut state = state.clone();
        change(&mut state);
        dropped(&game, state, of, act("land", 1))
    };
    assert!(land(&|state| state.sea.stand_mut(stand(0)).acted = true).contains("has acted this turn"));
    assert!(land(&|state| state.sea.stand_mut(stand(0)).aloft = Aloft::Gone).contains("not in the air"));
    assert!(land(&|state| state.sea.vessel_mut(akagi).ledger.handled = 99).contains("no more aircraft"));
    assert!(land(&|state| state.sea.stand_mut(stand(0)).at = Place { x: 90_000, y: 0 }).contains("within contact"));
    let group = game.battle.flight(stand(0)).squadron;
    let attack = |change: &dyn Fn(&mut State)| {
        let mut state = state.clone();
        change(&mut state);
        dropped(&game, state, group, act("attack", 1))
    };
    assert!(attack(&|_| {}).contains("declared no attack"));
    assert!(attack(&|state| state.sea.stand_mut(stand(0)).acted = true).contains("has acted this turn"));
    assert!(attack(&|state| state.sea.stand_mut(stand(0)).aloft = Aloft::Gone).contains("not in the air"));
    let yorktown = ship(&game, "yorktown");
    let raid = |state: &mut State| state.sea.stand_mut(stand(0)).mission = Mission::Attack(yorktown);
    assert!(!attack(&raid).is_empty(), "a stand without a load or far away attacks nobody");
}
