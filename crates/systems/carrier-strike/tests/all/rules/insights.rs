//! What players are shown beside the rules: odds, offers, tracks; and what they may imagine.

use super::table::*;
use flagplot_carrier_strike::game::{Action, Flight, Phase, State, Underway, Unseen};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Chance, Game, Question, Seat, Side, Viewer};
use serde_json::json;
use std::collections::BTreeSet;

fn options(question: &Option<Question>) -> Vec<(Action, String)> {
    let asked = &question.as_ref().expect("something is asked").open()[0];
    asked
        .options
        .iter()
        .map(|option| (serde_json::from_value(option.value.clone()).expect("an action"), option.label.clone()))
        .collect()
}

/// Strikes are shown for every order and number of squadrons, the best order first.
#[test]
fn strikes_are_shown_in_every_order() {
    let game = game("first-strike");
    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 12_000), true);
    for (name, strength, x) in [("b1", 12, 6000), ("b2", 12, 6150), ("b3", 6, 6300)] {
        fly(&mut state, name, "strike", (x, 9500)).strength = strength;
    }
    let question = play(&game, &mut state, Vec::new(), &mut Met::default());
    let strike = json!({"action": "strike", "squadrons": ["b1", "b2", "b3"], "path": [[6000, 11_500]]});
    let odds = explained(&game, &state, &question, Some(strike.clone()));
    // The averages are those of the designer's table: full squadrons first.
    for line in [
        "Blue Squadron 1, Blue Squadron 2 and Blue Squadron 3: 2.01 hits on average",
        "Blue Squadron 3, Blue Squadron 1 and Blue Squadron 2: 1.94 hits on average",
        "Blue Squadron 1: 0.78 hits on average",
        "Hits after 3 attacks, Blue Squadron 1, Blue Squadron 2 and Blue Squadron 3",
    ] {
        assert!(odds.contains(line), "{line} is missing in {odds}");
    }
    assert_eq!(odds.matches(" hits on average").count(), 2 + 3 + 3, "each order of squadrons that differ once: {odds}");
    let question = play(&game, &mut state, vec![choice(strike)], &mut Met::default());
    let led = explained(&game, &state, &question, Some(json!({"strike": "b3"})));
    assert!(led.contains("Blue Squadron 3 and Blue Squadron 1: ") && !led.contains("\"Blue Squadron 1: "), "{led}");
}

/// The stances of skilled pilots are shown with their markers; flak has its own cells; the mixes are those known.
#[test]
fn stances_are_shown_with_markers() {
    let game = game("hiryu-alone");
    let mut state = game.setup();
    let base = table(&game);
    state.carriers = base.carriers;
    state.phase = base.phase;
    state.phasing = Side::Second;
    reveal(&mut state, Side::First, (6000, 4000), true);
    reveal(&mut state, Side::Second, (6000, 12_000), false);
    fly(&mut state, "r1", "strike", (6000, 6500));
    let strike = json!({"action": "strike", "squadrons": ["r1"], "path": [[6000, 4500]]});
    let question = play(&game, &mut state, vec![choice(strike), choice(json!({"strike": "r1"}))], &mut Met::default());
    let odds = explained(&game, &state, &question, None);
    for line in
        ["play gung-ho with 2 red and 0 blue", "play patient with 0 red and 2 blue", "against the guns instinctive"]
    {
        assert!(odds.contains(line), "{line} is missing in {odds}");
    }
    assert_eq!(odds.matches("cv hits").count(), 27, "nine plays against three: {odds}");
    // A squadron that only flies over the guns.
    let plain = super::table::game("first-strike");
    let mut state = table(&plain);
    reveal(&mut state, Side::Second, (6000, 12_000), true);
    fly(&mut state, "b1", "fighter", (6000, 9000));
    let over = json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 14_000]]});
    let question = play(&plain, &mut state, Vec::new(), &mut Met::default());
    assert!(explained(&plain, &state, &question, Some(over.clone())).contains("over the guns of Red Carriers"));
    let question = play(&plain, &mut state, vec![choice(over)], &mut Met::default());
    let flak = explained(&plain, &state, &question, None);
    assert!(flak.contains("Stances under fire") && flak.contains("aircraft lost"), "{flak}");
}

/// A search is shown with its mix and with what it may find, for both sides of it.
#[test]
fn searches_are_shown_with_their_mix() {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (6000, 13_500));
    let question = play(&game, &mut state, Vec::new(), &mut Met::default());
    let search = json!({"action": "detect", "by": "br1", "target": "red-a"});
    let odds = explained(&game, &state, &question, Some(search.clone()));
    for (label, chance) in
        [("found", "3/4"), ("the carrier group is detected", "3/8"), ("a decoy is exposed", "3/8"), ("play 2", "1/4")]
    {
        assert!(
            odds.contains(&format!("\"label\":\"{label}\",\"chance\":\"{chance}\"")),
            "{label} is missing in {odds}"
        );
    }
    // The truth makes no difference: the decoy is shown with the same odds.
    let other = explained(&game, &state, &question, Some(json!({"action": "detect", "by": "br1", "target": "red-b"})));
    assert_eq!(odds.replace("Card A", "X"), other.replace("Card B", "X"));
    let question = play(&game, &mut state, vec![choice(search)], &mut Met::default());
    assert!(explained(&game, &state, &question, None).contains("play 4"));
}

/// An interception is shown over every way in which a reported mixture can be made up, never over the truth.
#[test]
fn interceptions_are_shown_over_what_is_known() {
    let game = game("first-strike");
    let shown = |roles: [&str; 2]| {
        let mut state = table(&game);
        fly(&mut state, "r1", roles[0], (6000, 5000));
        fly(&mut state, "r2", roles[1], (6150, 5000));
        fly(&mut state, "b1", "fighter", (6000, 2000));
        state.phasing = Side::Second;
        let go = json!({"action": "move", "squadrons": ["r1", "r2"], "path": [[6000, 2500]]});
        let question = play(&game, &mut state, vec![choice(go)], &mut Met::default());
        assert_eq!(code_of(&question), "contact");
        explained(&game, &state, &question, None)
    };
    let odds = shown(["fighter", "strike"]);
    assert!(odds.contains("each of 2 possible roles") && odds.contains("enemy bombers still in the fight"), "{odds}");
    assert_eq!(odds, shown(["strike", "fighter"]));
}

/// Every set of squadrons has its own moves, up to 64, with two legs round whoever stands in the way.
#[test]
fn moves_are_offered_for_every_set_and_round_the_enemy() {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "strike", (6000, 6000));
    fly(&mut state, "b2", "fighter", (6150, 6000));
    fly(&mut state, "br1", "recce", (2000, 3000));
    fly(&mut state, "r1", "fighter", (6000, 8500));
    let offered = options(&play(&game, &mut state, Vec::new(), &mut Met::default()));
    let moves = |names: &[&str]| {
        offered
            .iter()
            .filter(|(action, _)| {
                matches!(action, Action::Move { squadrons, path: Some(_), .. }
                    if squadrons.iter().map(|id| id.id()).eq(names.iter().copied()))
            })
            .count()
    };
    for set in [&["b1", "b2"][..], &["b1"], &["b2"], &["br1"]] {
        assert!((40..=64).contains(&moves(set)), "{set:?} is offered {} moves", moves(set));
    }
    let legs = |path: &flagplot_carrier_strike::game::Waypoints| path.points().len();
    let round: Vec<&(Action, String)> = offered
        .iter()
        .filter(|(action, _)| matches!(action, Action::Move { path: Some(path), .. } if legs(path) == 2))
        .collect();
    assert!(
        round.iter().any(|(_, label)| label.contains("left round Red Squadron 1"))
            && round.iter().any(|(_, label)| label.contains("right round Red Squadron 1")),
        "{round:?}"
    );
    // A way round meets nobody.
    let (go, label) = round[0].clone();
    let met = play(&game, &mut state, vec![choice(json!(go))], &mut Met::default());
    assert_ne!(code_of(&met), "contact", "{label}");
    assert!(state.trail.met_at.is_empty());
}

/// What was flown stays in sight with its point of contact until the next action, for both sides.
#[test]
fn the_last_flight_stays_in_sight() {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (6000, 5000));
    fly(&mut state, "r1", "strike", (6000, 9000));
    let go = json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 11_000]]});
    let way = choice(json!({"contact": "give-way", "line": [0, 3000]}));
    play(&game, &mut state, vec![choice(go), way, choice(json!({}))], &mut Met::default());
    assert_eq!(state.phasing, Side::Second, "the action is over");
    for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator] {
        let scene = game.scene(&game.view(&state, viewer));
        assert_eq!(
            scene.tracks.iter().map(|track| track.points.clone()).collect::<Vec<_>>(),
            [vec![[6000, 5000], [6000, 7910]]]
        );
        assert!(scene.rings.iter().any(|ring| ring.label == "point of contact" && ring.at == [6000, 7910]));
    }
    play(
        &game,
        &mut state,
        vec![choice(json!({"action": "re-arm", "squadron": "r2", "role": "fighter"}))],
        &mut Met::default(),
    );
    assert!(game.scene(&game.view(&state, Viewer::Spectator)).tracks.is_empty());
}

/// Losses that nobody saw are imagined within what everybody can work out.
#[test]
fn unseen_losses_are_imagined() {
    let game = game("first-strike");
    let mut state = table(&game);
    // 4.5 lengths from the western card: a squadron loses two on the way.
    fly(&mut state, "b1", "strike", (4000, 5000)).rl = 1;
    play(&game, &mut state, vec![choice(json!({"action": "fly-home", "squadron": "b1"}))], &mut Met::default());
    assert_eq!((state[id("b1")].strength, state[id("b1")].last_seen), (10, 12));
    assert_eq!(state[id("b1")].unseen, Unseen { before: (0, 0), flight: (2, 2) });
    let view = game.view(&state, Viewer::Seat(Seat(1)));
    assert_eq!(view.seen[id("b1")].strength, 12, "the other side has seen nothing of it");
    let mut chance = Chance::seeded(3);
    let (mut real, mut aboard) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..200 {
        let world = game.imagine(&view, &mut chance);
        let squadron = &world[id("b1")];
        if squadron.is_dummy() { &mut aboard } else { &mut real }.insert(squadron.strength);
    }
    assert_eq!((real, aboard), ([10].into(), [12].into()), "a real die has lost two, a dummy's squadron none");
    // Once it has landed nobody knows which it was.
    state[id("b1")].acted = false;
    state[id("b1")].rl = 1;
    state.phasing = Side::First;
    play(&game, &mut state, vec![choice(json!({"action": "fly-home", "squadron": "b1"}))], &mut Met::default());
    let view = game.view(&state, Viewer::Seat(Seat(1)));
    let landed: BTreeSet<u8> = (0..200).map(|_| game.imagine(&view, &mut chance)[id("b1")].strength).collect();
    assert!(
        landed.contains(&12) && landed.contains(&10) && landed.iter().all(|strength| (10..=12).contains(strength)),
        "{landed:?}"
    );
}

/// A scout is never a dummy: worlds have the real card where its launch puts it.
#[test]
fn scouts_are_imagined_with_their_carriers() {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "rr1", "recce", (4000, 13_500)).tied_to = 1;
    let view = game.view(&state, Viewer::Seat(Seat(0)));
    assert_eq!(view.seen.carriers[Side::Second].real, None, "nothing has proved it yet");
    let mut chance = Chance::seeded(3);
    assert!((0..40).all(|_| game.imagine(&view, &mut chance).carriers[Side::Second].real == Some(0)));
}

/// The flight of a move under way, and whether a search is planned for its end.
fn moving(state: State) -> (Flight, bool) {
    match state.phase {
        Phase::Action(Underway::Move(moving)) => (moving.flight, moving.search.is_some()),
        other => panic!("no move is under way: {other:?}"),
    }
}

/// In the middle of a flight the rest of its path is imagined in many shapes, all of them legal.
#[test]
fn the_rest_of_a_path_is_imagined_in_many_shapes() {
    let game = game("first-strike");
    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 12_000), true);
    fly(&mut state, "b1", "fighter", (6000, 9000));
    fly(&mut state, "b2", "strike", (6150, 9000));
    let over = json!({"action": "move", "squadrons": ["b1", "b2"], "path": [[6000, 12_500], [5000, 12_500]]});
    let question = play(&game, &mut state, vec![choice(over)], &mut Met::default());
    assert_eq!(code_of(&question), "stance", "the guns fire");
    let view = game.view(&state, Viewer::Seat(Seat(1)));
    let mut chance = Chance::seeded(8);
    let mut shapes = BTreeSet::new();
    let mut searches = 0;
    for _ in 0..300 {
        let world = game.imagine(&view, &mut chance);
        let (moving, search) = moving(world);
        let walk = moving.walk.expect("it is under way");
        let left = moving.allowance - moving.flown;
        assert!(walk.course.path.length(walk.course.lead) <= left);
        assert!(
            walk.course
                .path
                .points()
                .iter()
                .all(|point| (-8000..=20_000).contains(&point.x) && (-8000..=24_000).contains(&point.y))
        );
        shapes.insert(walk.course.path.points().len());
        searches += u32::from(search);
    }
    assert!(shapes.contains(&0) && shapes.contains(&1) && shapes.contains(&2) && shapes.contains(&3), "{shapes:?}");
    assert!((1..300).contains(&searches), "a search may be planned for the end");
    assert_ne!(state[id("b1")].pos, Point::default());
}
