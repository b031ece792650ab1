//! Set-up, carriers, decks, fuel, dummies, searches.

use super::table::*;
use flagplot_carrier_strike::CarrierGame;
use flagplot_carrier_strike::game::{Deck, Form, Phase, State, Where};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Game, Seat, Side, Tape, Viewer, advance};
use serde_json::{Value, json};

/// Setting up in secret, with what is refused there.
pub fn setting_up(met: &mut Met) {
    let game = game("santa-cruz");
    let mut state = game.setup();
    let refuse = |game: &CarrierGame, state: &State, value: Value| answer_refused(game, state, vec![choice(value)]);
    assert_eq!(refuse(&game, &state, json!({"real": [6000, 1]})), "out-of-sea-room");
    assert_eq!(refuse(&game, &state, json!({"real": [6000, 0], "decoy": [8000, 0]})), "wrong-state");
    play(&game, &mut state, vec![choice(json!({"real": [6000, 0]}))], met);
    assert_eq!(
        game.view(&state, Viewer::Seat(Seat(1))).seen.carriers[Side::First].form,
        Form::Unplaced,
        "the other side sees nothing yet"
    );
    let arms = |letter: &str| {
        choice(json!({format!("{letter}1"): "fighter", format!("{letter}2"): "strike", format!("{letter}3"): "strike",
                format!("{letter}4"): "refuelled"}))
    };
    play(&game, &mut state, vec![choice(json!({"real": [6000, 12_000]})), arms("b"), arms("r")], met);
    assert_eq!(refuse(&game, &state, json!([6000, 4400])), "out-of-range");
    assert_eq!(refuse(&game, &state, json!([9_000_000_000_000_000_000i64, 4400])), "out-of-sea-room");
    play(&game, &mut state, vec![choice(json!([6000, 4495])), choice(json!([6000, 7505]))], met);
    assert_eq!((&state.phase, state.phasing), (&Phase::Choose, Side::Second));
    let hidden = self::game("first-strike");
    let state = hidden.setup();
    assert_eq!(refuse(&hidden, &state, json!({"real": [6000, 0], "decoy": [6715, 0]})), "cards-overlap");
    for (value, rule) in
        [(json!({"real": [12_001, 0], "decoy": [1, 0]}), "C-5"), (json!({"real": [6000, 0]}), "set-up")]
    {
        let refusal = advance(&hidden, &state, &mut Tape::new(vec![choice(value)])).unwrap_err();
        assert_eq!(refusal.rule.unwrap().id, rule);
        met.0.insert(rule.to_owned());
    }
    let kamikaze = self::game("kamikaze");
    let mut state = kamikaze.setup();
    let cards = |y: i64| choice(json!({"real": [4000, y], "decoy": [8000, y]}));
    let question = play(&kamikaze, &mut state, vec![cards(0), cards(12_000), arms("b")], met);
    let told = missing(&question);
    assert!(
        told.contains("as fighters")
            && told.contains("Kamikaze pilots fly strikes only")
            && !told.contains("refuelled"),
        "{told}"
    );
    assert_eq!(
        refuse(&kamikaze, &state, json!({"r1": "fighter", "r2": "fighter", "r3": "fighter", "r4": "strike"})),
        "cannot-re-arm"
    );
    assert_eq!(refuse(&kamikaze, &state, json!({"r1": "fighter"})), "wrong-state");
    let horns = self::game("pull-back-the-horns");
    let mut state = horns.setup();
    let question = play(&horns, &mut state, vec![choice(json!({"real": [4000, 0]})), cards(16_000)], met);
    assert!(
        missing(&question).contains(
            "Blue Squadron 1 refuelled only; Blue Squadron 2 refuelled only: Every squadron must start armed"
        ),
        "{}",
        missing(&question)
    );
    assert_eq!(refuse(&horns, &state, json!({"b1": "fighter", "b2": "refuelled"})), "wrong-state");
}

/// A carrier steams under an enemy die.
pub fn sliding_and_staying(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "r1", "fighter", (4000, 1400)).proved_real = true;
    fly(&mut state, "r2", "dummy", (8100, 700));
    reveal(&mut state, Side::First, (4000, 0), false);
    fly(&mut state, "r3", "fighter", (4100, 1300));
    let question =
        play(&game, &mut state, vec![choice(json!({"action": "move-cv", "to": {"blue-cv": [4000, 1000]}}))], met);
    assert_eq!(code_of(&question), "slide");
    let question = play(&game, &mut state, vec![choice(json!("slide"))], met);
    assert_eq!(state[id("r1")].pos, Point::new(4000, 1501), "the shortest way is north");
    assert_eq!(code_of(&question), "slide");
    let mut stay = vec![choice(json!("stay")), stances("instinctive", "patient")];
    stay.extend(dice(&[6]));
    play(&game, &mut state, stay, met);
    assert!(state[id("r3")].detected && state[id("r3")].strength < 12);
}

fn slip(real: Value, decoy: Value, riders: Value) -> Value {
    json!({"action": "move-cv", "evade": {"real": real, "decoy": decoy, "riders": riders}})
}

/// Slipping away, disengaging a turn later, and winning by it.
pub fn slipping_away_and_leaving(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    reveal(&mut state, Side::First, (4000, 0), true);
    reveal(&mut state, Side::Second, (4000, 16_000), true);
    state.carriers[Side::Second].hits = 1;
    fly(&mut state, "b1", "fighter", (4000, 100));
    fly(&mut state, "b2", "strike", (4000, 12_000));
    let pass = || choice(json!({"action": "pass"}));
    let away = || slip(json!([4000, -1000]), json!([4000, 1000]), json!({"b1": "decoy"}));
    assert_eq!(refusal(&game, &state, away(), met), "wrong-state", "it is still detected");
    let patrol = json!({"action": "move", "squadrons": ["b2"], "path": [[4000, 11_000]]});
    play(&game, &mut state, vec![choice(patrol), pass()], met);
    assert!(state.carriers[Side::First].contact_lost, "no enemy is near");
    play(&game, &mut state, vec![choice(away())], met);
    assert_eq!(state[id("b1")].pos, Point::new(4000, 1100));
    assert_eq!((state.carriers[Side::First].slipped_turn, state.turn), (1, 1));
    assert_eq!(game.view(&state, Viewer::Seat(Seat(1))).seen.carriers[Side::First].real, None);
    assert_eq!(refusal(&game, &state, json!({"action": "disengage"}), met), "cannot-disengage", "not in the same turn");
    let question = play(&game, &mut state, vec![pass(), pass()], met);
    assert_eq!((code_of(&question), state.turn, state.phasing), ("choose-action", 2, Side::First));
    play(&game, &mut state, vec![choice(json!({"action": "disengage"}))], met);
    let outcome = game.outcome(&state).expect("a side that has left holds a level");
    assert_eq!((outcome.winner, outcome.level.as_str()), (Some(Side::First), "minor"));
    assert_eq!(outcome.details["reason"], "victory-and-disengaged");
}

/// Only a group that was itself detected slips away, before it moves and while no enemy is near. (R-23)
pub fn who_may_slip_away(met: &mut Met) {
    let game = game("first-strike");
    let away = || slip(json!([4000, -1000]), json!([4000, 1000]), json!({}));
    let mut found = table(&game);
    reveal(&mut found, Side::First, (4000, 0), false);
    found.carriers[Side::First].contact_lost = true;
    assert_eq!(refusal(&game, &found, away(), met), "ok");
    let mut never_found = table(&game);
    never_found.carriers[Side::First].cards[1] = None;
    never_found.carriers[Side::First].may_be_real = 1;
    assert_eq!(refusal(&game, &never_found, away(), met), "wrong-state", "only its decoy was exposed");
    let mut near = found.clone();
    fly(&mut near, "r1", "dummy", (4000, 6500));
    assert_eq!(refusal(&game, &near, away(), met), "wrong-state", "a die that may be real is within 6 lengths");
    fly(&mut near, "r1", "dummy", (4000, 6501));
    assert_eq!(refusal(&game, &near, away(), met), "ok");
    let steam = json!({"action": "move-cv", "to": {"blue-cv": [4000, 500]}});
    let pass = || choice(json!({"action": "pass"}));
    play(&game, &mut found, vec![choice(steam), pass(), pass()], met);
    assert_eq!((found.turn, found.carriers[Side::First].contact_lost), (2, false), "it has moved since");
}

/// Carriers that sight each other end the game.
pub fn surface_action(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    state.carriers[Side::Second].cards = [Some(Point::new(4000, 2500)), Some(Point::new(8000, 16_000))];
    let mut answers =
        vec![choice(json!({"action": "detect", "by": "blue-cv", "target": "red-a"})), sealed(json!(1), json!(1))];
    answers.extend([choice(json!({"action": "pass"})), choice(json!({"action": "pass"}))]);
    play(&game, &mut state, answers, met);
    let outcome = game.outcome(&state).expect("both are sunk");
    assert_eq!((outcome.winner, outcome.level.as_str()), (None, "both-lose"));
}

/// The last fuel: losses on the way, and none told of an undetected squadron.
pub fn last_fuel(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "strike", (4000, 8000)).rl = 1; // 7.5 lengths from the card
    let question = play(&game, &mut state, Vec::new(), met);
    let ditching = explained(&game, &state, &question, Some(json!({"action": "fly-home", "squadron": "b1"})));
    assert!(ditching.contains("5 of 12 aircraft ditch now") && ditching.contains("2 more ditch"), "{ditching}");
    play(&game, &mut state, vec![choice(json!({"action": "fly-home", "squadron": "b1"}))], met);
    let squadron = &state[id("b1")];
    assert_eq!(
        (squadron.strength, squadron.last_seen, squadron.pos, squadron.ditched),
        (7, 12, Point::new(4000, 2000), true)
    );
    let passes = vec![choice(json!({"action": "pass"})); 2];
    play(&game, &mut state, passes, met);
    assert_eq!(state.turn, 2);
    let question = play(
        &game,
        &mut state,
        vec![choice(json!({"action": "pass"})), choice(json!({"action": "fly-home", "squadron": "b1"}))],
        met,
    );
    assert_eq!(code_of(&question), "choose-action");
    assert_eq!((state[id("b1")].strength, state[id("b1")].place), (5, Where::Aboard));
    // A dummy must do the same and may choose its card; nobody can tell it from the real thing.
    let mut state = table(&game);
    fly(&mut state, "b1", "dummy", (8000, 8000)).rl = 1;
    assert_eq!(refusal(&game, &state, json!({"action": "fly-home", "squadron": "b1"}), met), "is-dummy");
    let question = play(&game, &mut state, Vec::new(), met);
    let ditching =
        explained(&game, &state, &question, Some(json!({"action": "fly-home", "squadron": "b1", "card": "blue-b"})));
    assert!(ditching.contains("no aircraft ditch"), "{ditching}");
    play(&game, &mut state, vec![choice(json!({"action": "fly-home", "squadron": "b1", "card": "blue-b"}))], met);
    assert_eq!((state[id("b1")].strength, state[id("b1")].tied_to), (12, 2));
    // Without a carrier it is lost.
    let mut state = table(&game);
    state.carriers[Side::First].form = Form::Destroyed;
    state.carriers[Side::First].hits = 8;
    state.carriers[Side::First].cards = [None; 2];
    fly(&mut state, "b1", "strike", (8000, 8000)).rl = 2;
    play(&game, &mut state, vec![choice(json!({"action": "pass"})); 2], met);
    assert_eq!(state[id("b1")].place, Where::Lost);
}

/// Dummies: exposed by a length, by each other, by guns.
pub fn dummies(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "r1", "dummy", (6000, 8000));
    fly(&mut state, "b1", "dummy", (6000, 6000));
    play(&game, &mut state, vec![choice(json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 7500]]}))], met);
    assert_eq!(
        (state[id("b1")].place, state[id("r1")].place),
        (Where::Aboard, Where::Aboard),
        "two dummies expose each other"
    );
    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 8000), true);
    fly(&mut state, "b1", "dummy", (6000, 6000));
    play(&game, &mut state, vec![choice(json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 8000]]}))], met);
    assert_eq!(state[id("b1")].place, Where::Aboard, "open guns expose it");
    let mut state = table(&game);
    fly(&mut state, "b1", "dummy", (4000, 12_000));
    play(
        &game,
        &mut state,
        vec![choice(json!({"action": "move", "squadrons": ["b1"], "path": [[4000, 16_000]]}))],
        met,
    );
    assert!(
        state[id("b1")].up() && state[id("b1")].proved_dummy,
        "hidden guns ignore it, but a squadron would have detected the card"
    );
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (4000, 12_000));
    let mut answers = vec![
        choice(json!({"action": "move", "squadrons": ["b1"], "path": [[4000, 16_000]]})),
        stances("patient", "instinctive"),
    ];
    answers.extend(dice(&[3]));
    play(&game, &mut state, answers, met);
    assert_eq!(state.carriers[Side::Second].form, Form::Revealed);
    assert_eq!(state[id("b1")].strength, 11, "8 guns at one per eight or six");
    // Each flies with a squadron that is too far away to see anything. (R-72)
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (4000, 2850));
    fly(&mut state, "r1", "fighter", (4000, 4200));
    fly(&mut state, "r2", "dummy", (4000, 4050));
    play(
        &game,
        &mut state,
        vec![choice(json!({"action": "launch", "squadron": "b2", "at": [4000, 3000], "dummy": true}))],
        met,
    );
    assert_eq!(
        (state[id("b2")].place, state[id("r2")].place),
        (Where::Aboard, Where::Aboard),
        "two dummies expose each other"
    );
    assert!(!state[id("b1")].detected && !state[id("r1")].detected);
}

/// What a launch tells about the two cards. (R-74)
pub fn conclusions(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    state.carriers[Side::First].cards = [Some(Point::new(2000, 0)), Some(Point::new(11_000, 0))];
    let launch = |at: Value, dummy: bool, who: &str| {
        choice(json!({"action": "launch", "squadron": who, "at": at, "dummy": dummy}))
    };
    let pass = || choice(json!({"action": "pass"}));
    play(
        &game,
        &mut state,
        vec![launch(json!([2000, 3000]), false, "b1"), pass(), launch(json!([11_000, 3000]), true, "b2")],
        met,
    );
    let seen = |state: &State| game.view(state, Viewer::Seat(Seat(1))).seen.carriers[Side::First].may_be_real;
    assert_eq!((state[id("b1")].tied_to, state[id("b2")].tied_to, seen(&state)), (1, 2, 3));
    // Once b1 searches it is proved real: the western card is the carrier group, and b2 a dummy.
    fly(&mut state, "r1", "strike", (2000, 5500));
    play(
        &game,
        &mut state,
        vec![choice(json!({"action": "detect", "by": "b1", "target": "r1"})), sealed(json!(1), json!(2))],
        met,
    );
    assert_eq!(seen(&state), 1);
    assert!(state[id("b2")].proved_dummy);
    // A squadron launched without arming flies as strike aircraft without ordnance.
    state[id("b3")].deck = Deck::Refuelled;
    play(&game, &mut state, vec![launch(json!([2000, 2000]), false, "b3")], met);
    assert_eq!((json!(state[id("b3")].role), state[id("b3")].ordnance), (json!("strike"), Some(false)));
}

/// A scout that lands is ready after one full turn aboard; deck work is not told in detail.
pub fn deck_work(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (4000, 2000));
    state[id("b1")].deck = Deck::Landed;
    let pass = || choice(json!({"action": "pass"}));
    play(
        &game,
        &mut state,
        vec![
            choice(json!({"action": "land", "squadron": "br1"})),
            pass(),
            choice(json!({"action": "refuel", "squadron": "b1"})),
            pass(),
        ],
        met,
    );
    assert_eq!((state.turn, state[id("br1")].deck, state[id("b1")].deck), (2, Deck::Landed, Deck::Refuelled));
    assert_eq!(state.deck_operations[Side::First][0], 1);
    play(
        &game,
        &mut state,
        vec![pass(), choice(json!({"action": "re-arm", "squadron": "b1", "role": "fighter"})), pass()],
        met,
    );
    assert_eq!((state.turn, state[id("br1")].deck, state[id("b1")].deck), (3, Deck::Refuelled, Deck::Fighter));
    let seen = game.view(&state, Viewer::Seat(Seat(1))).seen;
    assert_eq!((seen[id("b1")].deck, seen[id("b1")].place), (Deck::Unknown, Where::OffTable));
}

/// A kamikaze squadron strikes once and is gone.
pub fn kamikazes(met: &mut Met) {
    let game = game("kamikaze");
    let mut state = table(&game);
    state.phasing = Side::Second;
    reveal(&mut state, Side::First, (6000, 5000), true);
    fly(&mut state, "r3", "strike", (6000, 7000));
    let mut answers = vec![
        choice(json!({"action": "strike", "squadrons": ["r3"], "path": [[6000, 5500]]})),
        choice(json!({"strike": "r3"})),
        stances("patient", "gung-ho"),
    ];
    answers.extend(dice(&[6, 1]));
    play(&game, &mut state, answers, met);
    assert_eq!(state[id("r3")].place, Where::Lost);
    assert!(state.carriers[Side::First].hits > 0);
}

/// The searches with a move: before it, the path comes after the result; after it, it is dropped if it cannot be made.
pub fn searching_and_moving(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (4000, 13_000));
    let question = play(
        &game,
        &mut state,
        vec![
            choice(json!({"action": "move", "squadrons": ["br1"], "detect": {"when": "before", "by": "br1",
                    "target": "red-a"}})),
            sealed(json!(1), json!(1)),
        ],
        met,
    );
    assert_eq!(code_of(&question), "path");
    assert_eq!(state.carriers[Side::Second].form, Form::Revealed);
    play(&game, &mut state, vec![choice(json!({}))], met);
    assert!(!state[id("br1")].acted && state[id("br1")].detect_used, "staying marks nobody");
    // After it, the target is named when the move is over.
    let go = |to: Value, target: Value| {
        let mut plan = json!({"when": "after", "by": "br1"});
        if !target.is_null() {
            plan["target"] = target;
        }
        json!({"action": "move", "squadrons": ["br1"], "path": [to], "detect": plan})
    };
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (8000, 10_000));
    assert_eq!(refusal(&game, &state, go(json!([8000, 13_000]), json!("red-b")), met), "wrong-state");
    let first = json!({"action": "move", "squadrons": ["br1"], "detect": {"when": "before", "by": "br1"}});
    assert_eq!(refusal(&game, &state, first, met), "wrong-state");
    let mut two = state.clone();
    fly(&mut two, "r1", "strike", (7000, 13_600));
    let question = play(&game, &mut two, vec![choice(go(json!([8000, 13_000]), Value::Null))], met);
    assert_eq!(code_of(&question), "search-target");
    assert!(two[id("br1")].proved_real, "only a squadron searches");
    assert_eq!(answer_refused(&game, &two, vec![choice(json!("red-a"))]), "not-offered", "out of reach");
    let chance = explained(&game, &two, &question, Some(json!("red-b")));
    assert!(chance.contains("searches for Red Card B"), "{chance}");
    let question = play(&game, &mut two, vec![choice(json!("r1"))], met);
    assert_eq!(code_of(&question), "detection-number");
    play(&game, &mut two, vec![sealed(json!(2), json!(2))], met);
    assert!(two[id("r1")].detected && two.carriers[Side::Second].cards[1].is_some());
    let question = play(&game, &mut state, vec![choice(go(json!([8000, 13_000]), Value::Null))], met);
    assert_eq!(code_of(&question), "detection-number", "one target only");
    play(&game, &mut state, vec![sealed(json!(2), json!(2))], met);
    assert_eq!(
        (state.carriers[Side::Second].cards[1], state.carriers[Side::Second].form),
        (None, Form::Hidden),
        "the decoy goes, the other card stays undetected"
    );
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (8000, 10_000));
    play(&game, &mut state, vec![choice(go(json!([8000, 4500]), Value::Null))], met);
    assert!(!state[id("br1")].detect_used, "out of reach by then: dropped, not used up");
    // The carriers name theirs after their move, too.
    let mut state = table(&game);
    state.carriers[Side::Second].cards = [Some(Point::new(4000, 4500)), Some(Point::new(8000, 16_000))];
    let steam = json!({"action": "move-cv", "to": {"blue-a": [4000, 1000]}, "detect": {"when": "after"}});
    let question = play(&game, &mut state, vec![choice(steam)], met);
    assert_eq!(code_of(&question), "detection-number");
    assert_eq!(state.carriers[Side::First].may_be_real, 1, "the searching card is the real one");
}

/// A squadron that finds no room is not said to land, and the other side is told the same as if it did.
pub fn no_room_to_land() {
    let game = game("first-strike");
    let told = |hits: u8, viewer: Viewer| {
        let mut state = table(&game);
        reveal(&mut state, Side::First, (4000, 0), true);
        state.carriers[Side::First].hits = hits;
        fly(&mut state, "b1", "strike", (4000, 2000)).rl = 1;
        for name in ["b4", "br1", "br2"] {
            state[id(name)].place = Where::Absent;
        }
        let mut tape = Tape::new(vec![choice(json!({"action": "fly-home", "squadron": "b1"}))]);
        advance(&game, &state, &mut tape).unwrap();
        let seen = tape.notes().iter().filter(|note| note.seen_by(viewer));
        seen.map(|note| note.text.clone()).collect::<Vec<_>>().join("\n")
    };
    let (owner, enemy) = (Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)));
    assert!(told(0, owner).contains("Blue Squadron 1 lands."), "{}", told(0, owner));
    let lost = told(4, owner);
    assert!(lost.contains("finds no room and ditches") && !lost.contains("lands"), "{lost}");
    assert_eq!(told(4, enemy), told(0, enemy));
    assert!(!told(4, enemy).contains("lands"));
}

/// What has no choice is not asked where nothing hangs on it; where something does, the question says what.
pub fn questions_without_a_choice(met: &mut Met) {
    let game = game("first-strike");
    let text = |question: &Option<flagplot_kernel::Question>| question.as_ref().unwrap().open()[0].prompt.text.clone();
    // All six lengths are flown when the move meets a group.
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (6000, 2000));
    fly(&mut state, "r1", "fighter", (6000, 9090));
    let go = choice(json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 8000]]}));
    let question = play(&game, &mut state, vec![go, choice(json!({"contact": "give-way", "line": [0, 3000]}))], met);
    assert_eq!((code_of(&question), state.phasing), ("choose-action", Side::Second), "there is nothing left to fly");
    // A side with nothing left is asked, and told why.
    let mut state = table(&game);
    for squadron in &mut state.squadrons {
        squadron.acted = true;
    }
    state.carriers[Side::First].acted = true;
    let question = play(&game, &mut state, Vec::new(), met);
    assert!(text(&question).contains("you can only pass"), "{}", text(&question));
    // A crippled group with room for everything aboard is asked what it sheds, and told why.
    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 12_000), true);
    state.carriers[Side::Second].hits = 3;
    for name in ["r1", "r2", "rr1"] {
        state[id(name)].place = Where::Absent;
    }
    fly(&mut state, "b1", "strike", (6000, 9500));
    fly(&mut state, "b2", "fighter", (6150, 9500));
    let strike = json!({"action": "strike", "squadrons": ["b1", "b2"], "path": [[6000, 11_500]]});
    let mut run = vec![choice(strike), choice(json!({"strike": "b1"})), stances("instinctive", "instinctive")];
    run.extend(dice(&[3, 1]));
    let question = play(&game, &mut state, run, met);
    assert_eq!(code_of(&question), "strike-next");
    assert!(text(&question).contains("your opponent cannot tell"), "{}", text(&question));
    let question = play(&game, &mut state, vec![choice(json!({"strike": null})), choice(json!({}))], met);
    assert_eq!(code_of(&question), "shed");
    assert!(text(&question).contains("how much was aboard"), "{}", text(&question));
}
