//! Contact, dogfights, strikes.

use super::table::*;
use flagplot_carrier_strike::CarrierGame;
use flagplot_carrier_strike::game::{State, Where};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Game, Seat, Side, Viewer};
use serde_json::{Value, json};

/// A move meets a group; it gives way and may not be approached again.
pub fn contact_and_giving_way(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (6000, 5000));
    fly(&mut state, "r1", "fighter", (6000, 9000));
    fly(&mut state, "r2", "strike", (6150, 9000));
    let go = json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 11_000]]});
    let question = play(&game, &mut state, Vec::new(), met);
    let preview = explained(&game, &state, &question, Some(go.clone()));
    assert!(
        preview.contains("meets Red Squadrons 1 and 2 after 3.0 lengths") && preview.contains("to spare"),
        "{preview}"
    );
    let standing = explained(&game, &state, &question, None);
    assert!(standing.contains("Blue has: none") && standing.contains("1 hit on Red would change that"), "{standing}");
    assert!(
        explained(&game, &state, &question, Some(json!({"action": "pass"})))
            .contains("Red Squadrons 1 and 2 have not acted")
    );
    let question = play(&game, &mut state, vec![choice(go)], met);
    assert_eq!(code_of(&question), "contact");
    let odds = explained(&game, &state, &question, None);
    assert!(odds.contains("enemy aircraft lost") && odds.contains("Giving way"), "{odds}");
    assert_eq!(state[id("b1")].pos, Point::new(6000, 7910));
    assert!(state[id("r1")].detected && state[id("b1")].detected);
    assert_eq!(json!(state[id("r2")].report.unwrap().class), json!("mixture"));
    let refuse = |value: Value| answer_refused(&game, &state, vec![choice(value)]);
    assert_eq!(refuse(json!({"contact": "give-way", "line": [0, 2900]})), "not-exactly-3");
    assert_eq!(refuse(json!({"contact": "give-way", "line": [0, -3000]})), "evasion-too-close");
    assert_eq!(refuse(json!({"contact": "intercept", "squadrons": ["r2"]})), "not-fighters");
    assert_eq!(refuse(json!({"contact": "intercept", "squadrons": ["b1"]})), "not-deployed");
    let question = play(&game, &mut state, vec![choice(json!({"contact": "give-way", "line": [0, 3000]}))], met);
    assert_eq!(code_of(&question), "resume");
    assert_eq!(state[id("r1")].pos, Point::new(6000, 12_000));
    let refuse = |value: Value| answer_refused(&game, &state, vec![choice(value)]);
    assert_eq!(refuse(json!({"path": [[6000, 10_950]]})), "contact-forbidden");
    assert_eq!(refuse(json!({"path": [[6000, 11_001]]})), "path-too-long");
    play(&game, &mut state, vec![choice(json!({"path": [[6000, 10_000]]}))], met);
    assert_eq!((state[id("b1")].pos, state[id("b1")].acted), (Point::new(6000, 10_000), true));
    assert_eq!(state.phasing, Side::Second);
}

/// Two fighters with a bomber and a scout are intercepted by two: all five steps.
pub fn a_whole_dogfight(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (6000, 5000));
    fly(&mut state, "b2", "fighter", (6150, 5000));
    fly(&mut state, "b3", "strike", (6000, 4850));
    fly(&mut state, "br1", "recce", (6150, 4850));
    fly(&mut state, "r1", "fighter", (6000, 9000));
    fly(&mut state, "r2", "fighter", (6150, 9000));
    let question = play(
        &game,
        &mut state,
        vec![
            choice(json!({"action": "move", "squadrons": ["b1", "b2", "b3", "br1"], "path": [[6000, 11_000]]})),
            choice(json!({"contact": "intercept", "squadrons": ["r1", "r2"]})),
        ],
        met,
    );
    assert_eq!(code_of(&question), "match");
    assert_eq!(answer_refused(&game, &state, vec![choice(json!({"r1": "b1", "r2": "b1"}))]), "bad-match");
    let question = play(&game, &mut state, vec![choice(json!({"r1": "b1", "r2": "b2"})), choice(json!("r2"))], met);
    assert_eq!(code_of(&question), "stance");
    assert_eq!(
        answer_refused(
            &game,
            &state,
            vec![sealed(json!({"stance": "patient", "markers": {"red": 1}}), json!({"stance": "patient"}))]
        ),
        "bad-markers"
    );
    // Two quiet combats of step 1, then step 2 the other way round.
    let quiet = || std::iter::once(stances("instinctive", "instinctive")).chain(dice(&[3, 3])).collect::<Vec<_>>();
    play(&game, &mut state, quiet(), met);
    let question = play(&game, &mut state, quiet(), met);
    assert_eq!(code_of(&question), "match", "step 2 is matched by the escorts");
    let mut step_2 = vec![choice(json!({"b1": "r1", "b2": "r2"})), choice(json!("b1"))];
    step_2.extend(quiet());
    step_2.extend(quiet());
    let question = play(&game, &mut state, step_2, met);
    assert_eq!(code_of(&question), "step-3-move");
    assert_eq!(answer_refused(&game, &state, vec![choice(json!({"b3": [0, -3001]}))]), "path-too-long");
    // The scout stays and is shot down, the bomber is attacked by both in step 5.
    let question = play(&game, &mut state, vec![choice(json!({"b3": [0, -500]}))], met);
    assert_eq!(code_of(&question), "stance");
    assert_eq!(state[id("br1")].place, Where::Lost);
    let mut step_5 = vec![stances("gung-ho", "gung-ho")];
    step_5.extend(dice(&[1, 1]));
    step_5.push(choice(json!({"r1": 1})));
    let question = play(&game, &mut state, step_5, met);
    assert_eq!(code_of(&question), "resume");
    assert_eq!(state[id("b1")].rl, 4, "everybody burns fuel");
    let question = play(&game, &mut state, vec![choice(json!({}))], met);
    assert_eq!(code_of(&question), "choose-action");
    assert!(state[id("b3")].acted && !state[id("r1")].acted);
}

/// Two against three: surplus joins, hits are allocated, a side breaks off.
pub fn joining_allocating_breaking_off(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    for (name, at) in [("b1", 5000), ("b2", 5150)] {
        fly(&mut state, name, "fighter", (at, 8000));
    }
    for (name, at) in [("r1", 5000), ("r2", 5150), ("r3", 5300)] {
        fly(&mut state, name, "fighter", (at, 9000)).detected = true;
    }
    let mut opening = vec![
        choice(json!({"action": "dogfight", "squadrons": ["b1", "b2"], "target": "r1"})),
        choice(json!({"b1": "r1", "b2": "r2"})),
    ];
    let question = play(&game, &mut state, opening.clone(), met);
    assert_eq!(code_of(&question), "join");
    assert_eq!(answer_refused(&game, &state, vec![choice(json!({"r3": "r1"}))]), "bad-match");
    opening.clear();
    opening.push(choice(json!({"r3": "b2"})));
    opening.push(choice(json!("b2")));
    let question = play(&game, &mut state, opening, met);
    assert_eq!(code_of(&question), "stance");
    assert!(explained(&game, &state, &question, None).contains("play gung-ho"));
    // Two hits to be shared by two squadrons, which then must break off: a step each.
    let mut combat = vec![stances("gung-ho", "patient")];
    combat.extend(dice(&[6, 1]));
    let question = play(&game, &mut state, combat, met);
    assert_eq!(code_of(&question), "allocate");
    let refused = |state: &State, value: Value| answer_refused(&game, state, vec![choice(value)]);
    assert_eq!(refused(&state, json!({"r2": 1})), "bad-allocation");
    assert_eq!(refused(&state, json!({"b2": 2})), "bad-allocation");
    let question = play(&game, &mut state, vec![choice(json!({"r2": 1, "r3": 1}))], met);
    assert_eq!((state[id("r2")].strength, state[id("r3")].strength), (11, 11));
    assert_eq!(code_of(&question), "break-off");
    let seen = game.view(&state, Viewer::Seat(Seat(0))).seen;
    assert_eq!(seen[id("r2")].strength, 11, "the losses are in both views by then");
    assert_eq!(refused(&state, json!([0, 2999])), "not-exactly-3");
    play(&game, &mut state, vec![choice(json!([0, 3000]))], met);
    assert!(state[id("r2")].pos.y >= 12_000 - 1);
}

/// Both sides of a combat break off: the defender's line is flown and seen before the attacker is asked.
pub fn both_break_off(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (5000, 8000));
    fly(&mut state, "r1", "fighter", (5000, 9000)).detected = true;
    let mut answers =
        vec![choice(json!({"action": "dogfight", "squadrons": ["b1"], "target": "r1"})), stances("gung-ho", "gung-ho")];
    answers.extend(dice(&[4, 4]));
    let asked = |question: &Option<flagplot_kernel::Question>| question.as_ref().unwrap().open()[0].seat;
    let question = play(&game, &mut state, answers, met);
    assert_eq!((code_of(&question), asked(&question)), ("break-off", Seat(1)));
    for seat in [Seat(0), Seat(1)] {
        let seen = game.view(&state, Viewer::Seat(seat)).seen;
        assert_eq!((seen[id("b1")].strength, seen[id("r1")].strength), (8, 8), "both have lost four");
    }
    let question = play(&game, &mut state, vec![choice(json!([0, 3000]))], met);
    assert_eq!((code_of(&question), asked(&question)), ("break-off", Seat(0)));
    let seen = game.view(&state, Viewer::Seat(Seat(0))).seen;
    assert_eq!(seen[id("r1")].pos, Point::new(5000, 12_000), "it has gone before the attacker is asked");
    let question = play(&game, &mut state, vec![choice(json!([0, -3000]))], met);
    assert_eq!((code_of(&question), state[id("b1")].acted), ("choose-action", true));
}

/// A strike with an escort: guns, hits, the flight home; the group is crippled and sheds.
pub fn a_strike_that_cripples(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 12_000), true);
    state.carriers[Side::Second].hits = 3;
    fly(&mut state, "b1", "strike", (6000, 9500));
    fly(&mut state, "b2", "fighter", (6150, 9500));
    let question = play(
        &game,
        &mut state,
        vec![choice(json!({"action": "strike", "squadrons": ["b1", "b2"], "path": [[6000, 11_500]]}))],
        met,
    );
    assert_eq!(code_of(&question), "strike-next");
    let hits = explained(&game, &state, &question, None);
    assert!(hits.contains("crippled or worse") && hits.contains("sunk"), "{hits}");
    assert_eq!(answer_refused(&game, &state, vec![choice(json!({"strike": "b2"}))]), "no-ordnance");
    let mut run = vec![choice(json!({"strike": "b1"})), stances("gung-ho", "gung-ho")];
    run.extend(dice(&[6, 1]));
    let question = play(&game, &mut state, run, met);
    assert_eq!(state.carriers[Side::Second].hits, 8, "twelve at one per two are more than enough");
    assert_eq!(code_of(&question), "after-strike", "the carrier group is gone");

    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 12_000), true);
    state.carriers[Side::Second].hits = 3;
    fly(&mut state, "b1", "strike", (6000, 9500));
    let mut run = vec![
        choice(json!({"action": "strike", "squadrons": ["b1"], "path": [[6000, 11_500]]})),
        choice(json!({"strike": "b1"})),
        stances("instinctive", "instinctive"),
    ];
    run.extend(dice(&[3, 1]));
    let question = play(&game, &mut state, run, met);
    assert_eq!((code_of(&question), state.carriers[Side::Second].hits), ("after-strike", 5));
    let question = play(&game, &mut state, vec![choice(json!({}))], met);
    assert_eq!(code_of(&question), "shed", "48 aircraft and 2 scouts stand on one carrier");
    assert_eq!(answer_refused(&game, &state, vec![choice(json!({"r1": 12}))]), "bad-allocation");
    for name in ["r1", "r3"] {
        state[id(name)].known_ready = true;
    }
    play(&game, &mut state, vec![choice(json!({"r1": 12, "r2": 12, "rr1": 1}))], met);
    assert_eq!(state[id("r1")].place, Where::LostUnseen);
    let seen = game.view(&state, Viewer::Seat(Seat(0))).seen;
    assert_eq!(json!(seen[id("r1")]), json!(seen[id("r3")]), "what was lost aboard looks like what was not");
    assert_eq!(json!(game.view(&state, Viewer::Seat(Seat(0))).seen[id("r1")].place), json!("off-table"));
}

/// Fighters alone get no move in step 3, also when one of them has been shot down before it.
pub fn fighters_alone_do_not_move_away(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    for (name, at) in [("b1", 5000), ("b2", 5150)] {
        fly(&mut state, name, "fighter", (at, 8000));
    }
    for (name, at) in [("r1", 5000), ("r2", 5150)] {
        fly(&mut state, name, "fighter", (at, 9000)).detected = true;
    }
    state[id("r2")].strength = 1;
    let quiet = || std::iter::once(stances("instinctive", "instinctive")).chain(dice(&[3, 3])).collect::<Vec<_>>();
    let mut answers = vec![
        choice(json!({"action": "dogfight", "squadrons": ["b1", "b2"], "target": "r1"})),
        choice(json!({"b1": "r1", "b2": "r2"})),
        choice(json!("b2")),
    ];
    answers.extend(quiet());
    answers.extend(quiet());
    let question = play(&game, &mut state, answers, met);
    assert_eq!((code_of(&question), state[id("r2")].place), ("stance", Where::Lost), "step 2: r1 alone fights back");
    let mut step_2 = quiet();
    step_2.push(choice(json!({"b1": 1})));
    let question = play(&game, &mut state, step_2, met);
    assert_eq!(code_of(&question), "choose-action", "there was nobody to escort");
}

/// A bomber south of the open Red card at y 10000, or over it, and a Red fighter north of that.
fn before_the_guns(bomber: i64, fighter: i64) -> (CarrierGame, State) {
    let game = game("first-strike");
    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 10_000), true);
    fly(&mut state, "b1", "strike", (6000, bomber));
    fly(&mut state, "r1", "fighter", (6000, fighter));
    (game, state)
}

/// A squadron that moves about over the guns is fired at where it ends, also when a contact ends its move.
pub fn stopping_over_the_guns(met: &mut Met) {
    let (game, mut state) = before_the_guns(9600, 10_890);
    let go = choice(json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 10_200]]}));
    let question = play(
        &game,
        &mut state,
        vec![go, choice(json!({"contact": "give-way", "line": [0, 3000]})), choice(json!({}))],
        met,
    );
    assert_eq!((code_of(&question), state[id("b1")].pos), ("stance", Point::new(6000, 9800)));
    let mut flak = vec![stances("instinctive", "instinctive")];
    flak.extend(dice(&[3]));
    let question = play(&game, &mut state, flak, met);
    assert_eq!((code_of(&question), state[id("b1")].strength, state[id("b1")].acted), ("choose-action", 11, true));
}

/// A squadron that comes over the guns at the step of a contact and then breaks off is gone before they fire.
pub fn breaking_off_from_over_the_guns(met: &mut Met) {
    let (game, mut state) = before_the_guns(8000, 10_590);
    let mut answers = vec![
        choice(json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 9800]]})),
        choice(json!({"contact": "intercept", "squadrons": ["r1"]})),
        stances("instinctive", "gung-ho"),
    ];
    answers.extend(dice(&[6, 3]));
    answers.push(choice(json!([0, -3000])));
    let question = play(&game, &mut state, answers, met);
    assert_eq!((state[id("b1")].strength, state[id("b1")].pos), (6, Point::new(6000, 6500)));
    assert_eq!(code_of(&question), "choose-action");
}
