//! Rules in play: what is refused and why, the moments that need a table laid out by hand, and that every rule is met.

use flagplot_carrier_strike::game::{Action, Carrier, Deck, Form, Phase, Squadron, SquadronId, State, Where};
use flagplot_carrier_strike::{CarrierGame, System, files, rule};
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Answer, Chance, Faces, Game, Note, Progress, Question, Seat, Side, Tape, Viewer, advance};
use flagplot_referee::run_vectors;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn game(scenario: &str) -> CarrierGame {
    System::new(&files()).unwrap().game(scenario, &Value::Null).unwrap()
}

/// A table after set-up, Blue to act: cards at x 4000 and 8000 on both edges, the western one real.
fn table(game: &CarrierGame) -> State {
    let mut state = game.setup();
    for (side, y) in [(Side::First, 0), (Side::Second, 16_000)] {
        let hidden = Carrier { form: Form::Hidden, cards: [Some(Point::new(4000, y)), Some(Point::new(8000, y))], real: Some(0), ..state.carriers[side] };
        state.carriers[side] = hidden;
    }
    for squadron in &mut state.squadrons {
        squadron.deck = Deck::Strike;
    }
    state.phase = Phase::Choose;
    state.phasing = Side::First;
    state
}

fn id(name: &str) -> SquadronId {
    SquadronId::named(name).unwrap()
}

/// Puts a squadron into the air. The role is a word of the game, or "dummy".
fn fly<'a>(state: &'a mut State, name: &str, role: &str, at: (i64, i64)) -> &'a mut Squadron {
    let dummy = role == "dummy";
    let squadron = &mut state[id(name)];
    squadron.place = Where::Deployed;
    squadron.pos = Point::new(at.0, at.1);
    squadron.rl = 5;
    squadron.tied_to = 3;
    squadron.dummy = Some(dummy);
    squadron.role = if dummy { None } else { serde_json::from_value(json!(role)).unwrap() };
    squadron.ordnance = Some(role == "strike");
    squadron
}

/// The real card of a side lies open.
fn reveal(state: &mut State, side: Side, at: (i64, i64), detected: bool) {
    let carrier = &mut state.carriers[side];
    carrier.form = Form::Revealed;
    carrier.cards = [Some(Point::new(at.0, at.1)), None];
    carrier.real = Some(0);
    carrier.may_be_real = 1;
    carrier.detected = detected;
}

/// Every rule seen so far in notes, questions and refusals.
#[derive(Default)]
struct Met(BTreeSet<String>);

impl Met {
    fn notes(&mut self, notes: &[Note]) {
        for note in notes {
            self.0.extend(note.rules.iter().map(|rule| rule.id.to_owned()));
            self.0.extend(note.modifiers.iter().filter_map(|modifier| modifier.rule).map(|rule| rule.id.to_owned()));
        }
    }

    fn question(&mut self, question: &Question) {
        self.0.extend(question.open().iter().filter_map(|asked| asked.prompt.rule).map(|rule| rule.id.to_owned()));
    }
}

/// Gives answers one after the other, dice too, and returns the question that is open then.
fn play(game: &CarrierGame, state: &mut State, answers: Vec<Answer>, met: &mut Met) -> Option<Question> {
    let mut queue = answers.into_iter();
    let mut given: Vec<Answer> = Vec::new();
    loop {
        if game.outcome(state).is_some() {
            return None;
        }
        let mut tape = Tape::new(given.clone());
        let progress = advance(game, state, &mut tape).unwrap_or_else(|refusal| panic!("refused: {refusal:?}"));
        met.notes(tape.notes());
        match progress {
            Progress::Stepped(next) => {
                *state = next;
                given.clear();
            }
            Progress::Asks(question) => {
                met.question(&question);
                match queue.next() {
                    Some(answer) => given.push(answer),
                    None => return Some(question),
                }
            }
        }
    }
}

/// The insights into an open question, all of whose chances must be fractions.
fn explained(game: &CarrierGame, state: &State, question: &Option<Question>, value: Option<Value>) -> String {
    let asked = &question.as_ref().expect("something is asked").open()[0];
    let view = game.view(state, Viewer::Seat(asked.seat));
    let insights = game.explain(&view, &[], asked, value.as_ref());
    for chance in insights.iter().flat_map(|insight| &insight.chances) {
        assert!(chance.chance.contains('/'), "{chance:?}");
    }
    json!(insights).to_string()
}

fn choice(value: Value) -> Answer {
    Answer::Choice(value)
}

fn sealed(blue: Value, red: Value) -> Answer {
    Answer::Sealed([(Seat(0), blue), (Seat(1), red)].into())
}

fn dice(faces: &[u8]) -> Vec<Answer> {
    faces.iter().map(|face| Answer::Dice(Faces(vec![*face]))).collect()
}

fn stances(blue: &str, red: &str) -> Answer {
    sealed(json!({"stance": blue}), json!({"stance": red}))
}

fn code_of(question: &Option<Question>) -> &'static str {
    question.as_ref().and_then(|question| question.open().first()).map_or("", |asked| asked.prompt.code)
}

/// The code with which Blue's action is refused, or `ok`.
fn refusal(game: &CarrierGame, state: &State, action: Value, met: &mut Met) -> &'static str {
    let action: Action = serde_json::from_value(action).expect("an action");
    match game.legal(state, Side::First, &action) {
        Ok(()) => "ok",
        Err(refusal) => {
            met.0.extend(refusal.rule.map(|rule| rule.id.to_owned()));
            refusal.code
        }
    }
}

fn refusals(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (6000, 8000));
    fly(&mut state, "b2", "strike", (6150, 8000));
    fly(&mut state, "b3", "dummy", (1000, 1000));
    fly(&mut state, "br1", "recce", (6000, 13_500));
    fly(&mut state, "r1", "fighter", (6000, 10_500));
    fly(&mut state, "r2", "strike", (6000, 20_000));
    let mut expect = |state: &State, action: Value, code: &str| assert_eq!(refusal(&game, state, action.clone(), met), code, "{action}");
    let pass = json!({"action": "pass"});
    expect(&state, pass.clone(), "ok");
    let mut other = state.clone();
    other.phasing = Side::Second;
    expect(&other, pass.clone(), "not-your-turn");
    other = state.clone();
    other.passed[Side::First] = true;
    expect(&other, pass.clone(), "already-passed");
    let mv = |who: &[&str], path: Value| json!({"action": "move", "squadrons": who, "path": path});
    expect(&state, mv(&["b1"], json!([[6000, 9000]])), "ok");
    expect(&state, mv(&["b1", "b2"], json!([[6000, 2001]])), "ok");
    expect(&state, mv(&["b1"], json!([[6000, 1999]])), "path-too-long");
    expect(&state, mv(&["b3"], json!([[-8001, 1000]])), "out-of-sea-room");
    expect(
        &state,
        mv(&["b1"], json!([[6000, 8001], [6000, 8000], [6000, 8001], [6000, 8000], [6000, 8001], [6000, 8000], [6000, 8001], [6000, 8000], [6000, 8001]])),
        "too-many-waypoints",
    );
    expect(&state, mv(&["b1", "b3"], json!([[6000, 9000]])), "not-touching");
    expect(&state, mv(&["b4"], json!([[6000, 9000]])), "not-deployed");
    expect(&state, mv(&["r1"], json!([[6000, 9000]])), "not-yours");
    expect(&state, mv(&["b1", "b1"], json!([[6000, 9000]])), "duplicate-id");
    other = state.clone();
    other[id("b1")].acted = true;
    expect(&other, mv(&["b1"], json!([[6000, 9000]])), "already-acted");
    other = state.clone();
    other[id("b1")].rl = 1;
    expect(&other, mv(&["b1"], json!([[6000, 9000]])), "fuel-low");
    expect(&other, pass, "must-bring-home");
    expect(&other, json!({"action": "land", "squadron": "b1"}), "out-of-range");
    expect(&state, json!({"action": "fly-home", "squadron": "b1"}), "wrong-state");
    let search = |by: &str, target: &str| json!({"action": "detect", "by": by, "target": target});
    expect(&state, search("br1", "red-a"), "ok");
    expect(&state, search("br1", "r2"), "out-of-range");
    expect(&state, search("b3", "red-a"), "is-dummy");
    expect(&state, search("blue-cv", "red-a"), "out-of-range");
    expect(&state, search("blue-a", "red-a"), "not-deployed");
    other = state.clone();
    other[id("br1")].detect_used = true;
    expect(&other, search("br1", "red-a"), "detect-used");
    other = state.clone();
    other[id("r1")].detected = true;
    expect(&other, search("b1", "r1"), "already-detected");
    expect(&state, json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 9000]], "detect": {"when": "before", "by": "b1", "target": "r1"}}), "path-too-long");
    let fight = |who: &str, target: &str| json!({"action": "dogfight", "squadrons": [who], "target": target});
    expect(&other, fight("b1", "r1"), "ok");
    expect(&state, fight("b1", "r1"), "not-detected");
    expect(&other, fight("b2", "r1"), "not-fighters");
    expect(&other, fight("b3", "r1"), "is-dummy");
    expect(&other, fight("b1", "r2"), "out-of-range");
    let strike = |who: &[&str], path: Value| json!({"action": "strike", "squadrons": who, "path": path});
    expect(&state, strike(&["b2"], json!([[6150, 9000]])), "not-detected");
    reveal(&mut other, Side::Second, (6000, 11_000), true);
    expect(&other, strike(&["b1", "b2"], json!([[6000, 10_500]])), "ok");
    expect(&other, strike(&["b2"], json!([[6150, 10_000]])), "not-at-the-card");
    expect(&other, strike(&["b1"], json!([[6000, 10_500]])), "no-ordnance");
    expect(&other, strike(&["b3"], json!([[1000, 1100]])), "is-dummy");
    other[id("b2")].rl = 1;
    expect(&other, strike(&["b2"], json!([[6150, 10_500]])), "fuel-low");
    other[id("b2")].rl = 4;
    other[id("b2")].struck = true;
    other[id("b2")].ordnance = Some(false);
    expect(&other, strike(&["b2"], json!([[6150, 10_500]])), "no-ordnance");
    reveal(&mut other, Side::Second, (6000, 13_000), true);
    other[id("b2")].ordnance = Some(true);
    expect(&other, strike(&["b2"], json!([[6150, 10_500]])), "out-of-range");
    let launch = |who: &str, at: Value, dummy: bool| json!({"action": "launch", "squadron": who, "at": at, "dummy": dummy});
    expect(&state, launch("b4", json!([4000, 3500]), false), "ok");
    expect(&state, launch("b4", json!([4000, 3501]), false), "out-of-range");
    expect(&state, launch("b4", json!([8000, 3500]), false), "out-of-range");
    expect(&state, launch("b4", json!([8000, 3500]), true), "ok");
    expect(&state, launch("b4", json!([8000, -9000]), true), "out-of-sea-room");
    expect(&state, launch("br2", json!([4000, 3500]), true), "dummy-not-allowed");
    expect(&state, launch("b1", json!([4000, 3500]), false), "not-aboard");
    other = state.clone();
    other[id("b4")].deck = Deck::Landed;
    expect(&other, launch("b4", json!([4000, 3500]), false), "wrong-state");
    expect(&other, json!({"action": "re-arm", "squadron": "b4", "role": "strike"}), "wrong-state");
    expect(&other, json!({"action": "refuel", "squadron": "b4"}), "ok");
    expect(&state, json!({"action": "refuel", "squadron": "b4"}), "wrong-state");
    expect(&state, json!({"action": "refuel", "squadron": "br2"}), "wrong-state");
    expect(&state, json!({"action": "re-arm", "squadron": "br2", "role": "strike"}), "cannot-re-arm");
    other[id("br2")].deck = Deck::Landed;
    expect(&other, launch("br2", json!([4000, 3500]), false), "wrong-state");
    reveal(&mut other, Side::First, (4000, 0), true);
    other[id("b4")].deck = Deck::Strike;
    expect(&other, launch("b4", json!([4000, 3500]), true), "dummy-not-allowed");
    other.carriers[Side::First].hits = 4;
    other[id("b1")].pos = Point::new(4000, 1000);
    for name in ["b2", "b3"] {
        other[id(name)].place = Where::Aboard;
        other[id(name)].dummy = Some(false);
    }
    expect(&other, json!({"action": "land", "squadron": "b1"}), "no-room");
    let steam = |to: Value| json!({"action": "move-cv", "to": to});
    expect(&state, steam(json!({"blue-a": [4000, 1000]})), "ok");
    expect(&state, steam(json!({"blue-a": [4000, 1001]})), "too-fast");
    expect(&other, steam(json!({"blue-cv": [4000, 717]})), "too-fast");
    expect(&state, steam(json!({"blue-cv": [4000, 717]})), "not-deployed");
    let mut near = state.clone();
    near.carriers[Side::First].cards[1] = Some(Point::new(5000, 0));
    expect(&near, steam(json!({"blue-a": [4500, 0]})), "cards-overlap");
    let evade = |real: Value, decoy: Value| json!({"action": "move-cv", "evade": {"real": real, "decoy": decoy}});
    expect(&state, evade(json!([4000, 1000]), json!([4000, -1000])), "wrong-state");
    reveal(&mut near, Side::First, (4000, 0), false);
    expect(&near, evade(json!([4000, 1000]), json!([4000, -1000])), "ok");
    expect(&near, evade(json!([4000, 1000]), json!([4000, -999])), "not-full-speed");
    let mut ridden = near.clone();
    ridden[id("b1")].pos = Point::new(4000, 100);
    expect(&ridden, evade(json!([4000, 1000]), json!([4000, -1000])), "wrong-state");
    expect(&state, json!({"action": "disengage"}), "cannot-disengage");
    near = state.clone();
    near.carriers[Side::First].slipped = true;
    expect(&near, json!({"action": "disengage"}), "ok");
    near[id("r1")].pos = Point::new(4000, 5000);
    expect(&near, json!({"action": "disengage"}), "cannot-disengage");
    near[id("r1")].proved_dummy = true;
    expect(&near, json!({"action": "disengage"}), "ok");
    expect(&near, json!({"action": "disengage", "aboard": ["b1"]}), "out-of-range");
    let mut over = state.clone();
    over.carriers[Side::First].hits = 8;
    over.verdict = serde_json::from_value(json!({"reason": "turn-limit", "winner": null, "levels": {"first": "none", "second": "none"}, "by_surface": false})).unwrap();
    expect(&over, json!({"action": "pass"}), "game-over");
    let bound = self::game("philippine-sea");
    let mut state = table(&bound);
    state.carriers[Side::First].cards = [Some(Point::new(4000, 3500)), Some(Point::new(8000, 0))];
    assert_eq!(refusal(&bound, &state, json!({"action": "move-cv", "to": {"blue-a": [4000, 4001]}}), met), "leaves-its-station");
    assert_eq!(refusal(&bound, &state, json!({"action": "disengage"}), met), "cannot-disengage");
    let kamikaze = self::game("kamikaze");
    let mut state = table(&kamikaze);
    state.phasing = Side::Second;
    let action: Action = serde_json::from_value(json!({"action": "re-arm", "squadron": "r3", "role": "fighter"})).unwrap();
    assert_eq!(kamikaze.legal(&state, Side::Second, &action).unwrap_err().code, "cannot-re-arm");
}

#[test]
fn every_refusal_has_its_code() {
    refusals(&mut Met::default());
}

/// The code of the refusal of an answer to the open question.
fn answer_refused(game: &CarrierGame, state: &State, answers: Vec<Answer>) -> &'static str {
    match advance(game, state, &mut Tape::new(answers)) {
        Ok(_) => "ok",
        Err(refusal) => refusal.code,
    }
}

/// A move meets a group; it gives way and may not be approached again.
fn contact_and_giving_way(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (6000, 5000));
    fly(&mut state, "r1", "fighter", (6000, 9000));
    fly(&mut state, "r2", "strike", (6150, 9000));
    let go = json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 11_000]]});
    let question = play(&game, &mut state, Vec::new(), met);
    let preview = explained(&game, &state, &question, Some(go.clone()));
    assert!(preview.contains("meets r1, r2 after 2910") && preview.contains("of fuel"), "{preview}");
    let standing = explained(&game, &state, &question, None);
    assert!(standing.contains("Blue holds: none") && standing.contains("1 hit on Red would change that"), "{standing}");
    assert!(explained(&game, &state, &question, Some(json!({"action": "pass"}))).contains("r1, r2 have not acted"));
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
fn a_whole_dogfight(met: &mut Met) {
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
    assert_eq!(answer_refused(&game, &state, vec![sealed(json!({"stance": "patient", "markers": {"red": 1}}), json!({"stance": "patient"}))]), "bad-markers");
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
fn joining_allocating_breaking_off(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    for (name, at) in [("b1", 5000), ("b2", 5150)] {
        fly(&mut state, name, "fighter", (at, 8000));
    }
    for (name, at) in [("r1", 5000), ("r2", 5150), ("r3", 5300)] {
        fly(&mut state, name, "fighter", (at, 9000)).detected = true;
    }
    let mut opening = vec![choice(json!({"action": "dogfight", "squadrons": ["b1", "b2"], "target": "r1"})), choice(json!({"b1": "r1", "b2": "r2"}))];
    let question = play(&game, &mut state, opening.clone(), met);
    assert_eq!(code_of(&question), "join");
    assert_eq!(answer_refused(&game, &state, vec![choice(json!({"r3": "r1"}))]), "bad-match");
    opening.clear();
    opening.push(choice(json!({"r3": "b2"})));
    opening.push(choice(json!("b2")));
    let question = play(&game, &mut state, opening, met);
    assert_eq!(code_of(&question), "stance");
    assert!(explained(&game, &state, &question, None).contains("play gung-ho"));
    // Two hits to be shared by two squadrons, which then must break off.
    let mut combat = vec![stances("gung-ho", "patient")];
    combat.extend(dice(&[6, 1]));
    let refused = |more: &[Value]| answer_refused(&game, &state, combat.iter().cloned().chain(more.iter().cloned().map(choice)).collect());
    let shared = json!({"r2": 1, "r3": 1});
    assert_eq!(refused(&[json!({"r2": 1})]), "bad-allocation");
    assert_eq!(refused(&[json!({"b2": 2})]), "bad-allocation");
    assert_eq!(refused(&[shared.clone(), json!([0, 2999])]), "not-exactly-3");
    combat.extend([choice(shared), choice(json!([0, 3000]))]);
    play(&game, &mut state, combat, met);
    assert_eq!((state[id("r2")].strength, state[id("r3")].strength), (11, 11));
    assert!(state[id("r2")].pos.y >= 12_000 - 1);
}

/// A strike with an escort: guns, hits, the flight home; the group is crippled and sheds.
fn a_strike_that_cripples(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 12_000), true);
    state.carriers[Side::Second].hits = 3;
    fly(&mut state, "b1", "strike", (6000, 9500));
    fly(&mut state, "b2", "fighter", (6150, 9500));
    let question = play(&game, &mut state, vec![choice(json!({"action": "strike", "squadrons": ["b1", "b2"], "path": [[6000, 11_500]]}))], met);
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
    let mut run =
        vec![choice(json!({"action": "strike", "squadrons": ["b1"], "path": [[6000, 11_500]]})), choice(json!({"strike": "b1"})), stances("instinctive", "instinctive")];
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

/// Setting up in secret, with what is refused there.
fn setting_up(met: &mut Met) {
    let game = game("santa-cruz");
    let mut state = game.setup();
    let refuse = |game: &CarrierGame, state: &State, value: Value| answer_refused(game, state, vec![choice(value)]);
    assert_eq!(refuse(&game, &state, json!({"real": [6000, 1]})), "out-of-sea-room");
    assert_eq!(refuse(&game, &state, json!({"real": [6000, 0], "decoy": [8000, 0]})), "wrong-state");
    play(&game, &mut state, vec![choice(json!({"real": [6000, 0]}))], met);
    assert_eq!(game.view(&state, Viewer::Seat(Seat(1))).seen.carriers[Side::First].form, Form::Unplaced, "the other side sees nothing yet");
    let arms = |letter: &str| {
        choice(json!({format!("{letter}1"): "fighter", format!("{letter}2"): "strike", format!("{letter}3"): "strike", format!("{letter}4"): "refuelled"}))
    };
    play(&game, &mut state, vec![choice(json!({"real": [6000, 12_000]})), arms("b"), arms("r")], met);
    assert_eq!(refuse(&game, &state, json!([6000, 4400])), "out-of-range");
    assert_eq!(refuse(&game, &state, json!([9_000_000_000_000_000_000i64, 4400])), "out-of-sea-room");
    play(&game, &mut state, vec![choice(json!([6000, 4495])), choice(json!([6000, 7505]))], met);
    assert_eq!((state.phase, state.phasing), (Phase::Choose, Side::Second));
    let hidden = self::game("first-strike");
    let state = hidden.setup();
    assert_eq!(refuse(&hidden, &state, json!({"real": [6000, 0], "decoy": [6715, 0]})), "cards-overlap");
    for (value, rule) in [(json!({"real": [12_001, 0], "decoy": [1, 0]}), "C-5"), (json!({"real": [6000, 0]}), "set-up")] {
        let refusal = advance(&hidden, &state, &mut Tape::new(vec![choice(value)])).unwrap_err();
        assert_eq!(refusal.rule.unwrap().id, rule);
        met.0.insert(rule.to_owned());
    }
    let kamikaze = self::game("kamikaze");
    let mut state = kamikaze.setup();
    let cards = |y: i64| choice(json!({"real": [4000, y], "decoy": [8000, y]}));
    play(&kamikaze, &mut state, vec![cards(0), cards(12_000), arms("b")], met);
    assert_eq!(refuse(&kamikaze, &state, json!({"r1": "fighter", "r2": "fighter", "r3": "fighter", "r4": "strike"})), "cannot-re-arm");
    assert_eq!(refuse(&kamikaze, &state, json!({"r1": "fighter"})), "wrong-state");
    let horns = self::game("pull-back-the-horns");
    let mut state = horns.setup();
    play(&horns, &mut state, vec![choice(json!({"real": [4000, 0]})), cards(16_000)], met);
    assert_eq!(refuse(&horns, &state, json!({"b1": "fighter", "b2": "refuelled"})), "wrong-state");
}

/// A carrier steams under an enemy die.
fn sliding_and_staying(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "r1", "fighter", (4000, 1400)).proved_real = true;
    fly(&mut state, "r2", "dummy", (8100, 700));
    reveal(&mut state, Side::First, (4000, 0), false);
    fly(&mut state, "r3", "fighter", (4100, 1300));
    let question = play(&game, &mut state, vec![choice(json!({"action": "move-cv", "to": {"blue-cv": [4000, 1000]}}))], met);
    assert_eq!(code_of(&question), "slide");
    let question = play(&game, &mut state, vec![choice(json!("slide"))], met);
    assert_eq!(state[id("r1")].pos, Point::new(4000, 1501), "the shortest way is north");
    assert_eq!(code_of(&question), "slide");
    let mut stay = vec![choice(json!("stay")), stances("instinctive", "patient")];
    stay.extend(dice(&[6]));
    play(&game, &mut state, stay, met);
    assert!(state[id("r3")].detected && state[id("r3")].strength < 12);
}

/// Slipping away, disengaging, and winning by it.
fn slipping_away_and_leaving(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    reveal(&mut state, Side::First, (4000, 0), false);
    reveal(&mut state, Side::Second, (4000, 16_000), true);
    state.carriers[Side::Second].hits = 1;
    fly(&mut state, "b1", "fighter", (4000, 100));
    fly(&mut state, "b2", "strike", (4000, 12_000));
    let question = play(
        &game,
        &mut state,
        vec![choice(json!({"action": "move-cv", "evade": {"real": [4000, -1000], "decoy": [4000, 1000], "riders": {"b1": "decoy"}}})), choice(json!({"action": "pass"}))],
        met,
    );
    assert_eq!(code_of(&question), "choose-action");
    assert_eq!(state[id("b1")].pos, Point::new(4000, 1100));
    assert!(state.carriers[Side::First].slipped);
    assert_eq!(game.view(&state, Viewer::Seat(Seat(1))).seen.carriers[Side::First].real, None);
    play(&game, &mut state, vec![choice(json!({"action": "disengage"}))], met);
    let outcome = game.outcome(&state).expect("a side that has left holds a level");
    assert_eq!((outcome.winner, outcome.level.as_str()), (Some(Side::First), "minor"));
    assert_eq!(outcome.details["reason"], "victory-and-disengaged");
}

/// Carriers that sight each other end the game.
fn surface_action(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    state.carriers[Side::Second].cards = [Some(Point::new(4000, 2500)), Some(Point::new(8000, 16_000))];
    let mut answers = vec![choice(json!({"action": "detect", "by": "blue-cv", "target": "red-a"})), sealed(json!(1), json!(1))];
    answers.extend([choice(json!({"action": "pass"})), choice(json!({"action": "pass"}))]);
    play(&game, &mut state, answers, met);
    let outcome = game.outcome(&state).expect("both are sunk");
    assert_eq!((outcome.winner, outcome.level.as_str()), (None, "both-lose"));
}

/// The last fuel: losses on the way, and none told of an undetected squadron.
fn last_fuel(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "strike", (4000, 8000)).rl = 1; // 7.5 lengths from the card
    let question = play(&game, &mut state, Vec::new(), met);
    let ditching = explained(&game, &state, &question, Some(json!({"action": "fly-home", "squadron": "b1"})));
    assert!(ditching.contains("5 of 12 aircraft ditch now") && ditching.contains("2 more ditch"), "{ditching}");
    play(&game, &mut state, vec![choice(json!({"action": "fly-home", "squadron": "b1"}))], met);
    let squadron = &state[id("b1")];
    assert_eq!((squadron.strength, squadron.last_seen, squadron.pos, squadron.ditched), (7, 12, Point::new(4000, 2000), true));
    let passes = vec![choice(json!({"action": "pass"})); 2];
    play(&game, &mut state, passes, met);
    assert_eq!(state.turn, 2);
    let question = play(&game, &mut state, vec![choice(json!({"action": "pass"})), choice(json!({"action": "fly-home", "squadron": "b1"}))], met);
    assert_eq!(code_of(&question), "choose-action");
    assert_eq!((state[id("b1")].strength, state[id("b1")].place), (5, Where::Aboard));
    // A dummy must do the same and may choose its card; nobody can tell it from the real thing.
    let mut state = table(&game);
    fly(&mut state, "b1", "dummy", (8000, 8000)).rl = 1;
    assert_eq!(refusal(&game, &state, json!({"action": "fly-home", "squadron": "b1"}), met), "is-dummy");
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
fn dummies(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "r1", "dummy", (6000, 8000));
    fly(&mut state, "b1", "dummy", (6000, 6000));
    play(&game, &mut state, vec![choice(json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 7500]]}))], met);
    assert_eq!((state[id("b1")].place, state[id("r1")].place), (Where::Aboard, Where::Aboard), "two dummies expose each other");
    let mut state = table(&game);
    reveal(&mut state, Side::Second, (6000, 8000), true);
    fly(&mut state, "b1", "dummy", (6000, 6000));
    play(&game, &mut state, vec![choice(json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 8000]]}))], met);
    assert_eq!(state[id("b1")].place, Where::Aboard, "open guns expose it");
    let mut state = table(&game);
    fly(&mut state, "b1", "dummy", (4000, 12_000));
    play(&game, &mut state, vec![choice(json!({"action": "move", "squadrons": ["b1"], "path": [[4000, 16_000]]}))], met);
    assert!(state[id("b1")].up() && state[id("b1")].proved_dummy, "hidden guns ignore it, but a squadron would have detected the card");
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (4000, 12_000));
    let mut answers = vec![choice(json!({"action": "move", "squadrons": ["b1"], "path": [[4000, 16_000]]})), stances("patient", "instinctive")];
    answers.extend(dice(&[3]));
    play(&game, &mut state, answers, met);
    assert_eq!(state.carriers[Side::Second].form, Form::Revealed);
    assert_eq!(state[id("b1")].strength, 11, "8 guns at one per eight or six");
}

/// What a launch tells about the two cards. (R-74)
fn conclusions(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    state.carriers[Side::First].cards = [Some(Point::new(2000, 0)), Some(Point::new(11_000, 0))];
    let launch = |at: Value, dummy: bool, who: &str| choice(json!({"action": "launch", "squadron": who, "at": at, "dummy": dummy}));
    let pass = || choice(json!({"action": "pass"}));
    play(&game, &mut state, vec![launch(json!([2000, 3000]), false, "b1"), pass(), launch(json!([11_000, 3000]), true, "b2")], met);
    let seen = |state: &State| game.view(state, Viewer::Seat(Seat(1))).seen.carriers[Side::First].may_be_real;
    assert_eq!((state[id("b1")].tied_to, state[id("b2")].tied_to, seen(&state)), (1, 2, 3));
    // Once b1 searches it is proved real: the western card is the carrier group, and b2 a dummy.
    fly(&mut state, "r1", "strike", (2000, 5500));
    play(&game, &mut state, vec![choice(json!({"action": "detect", "by": "b1", "target": "r1"})), sealed(json!(1), json!(2))], met);
    assert_eq!(seen(&state), 1);
    assert!(state[id("b2")].proved_dummy);
    // A squadron launched without arming flies as strike aircraft without ordnance.
    state[id("b3")].deck = Deck::Refuelled;
    play(&game, &mut state, vec![launch(json!([2000, 2000]), false, "b3")], met);
    assert_eq!((json!(state[id("b3")].role), state[id("b3")].ordnance), (json!("strike"), Some(false)));
}

/// A scout that lands is ready after one full turn aboard; deck work is not told in detail.
fn deck_work(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (4000, 2000));
    state[id("b1")].deck = Deck::Landed;
    let pass = || choice(json!({"action": "pass"}));
    play(&game, &mut state, vec![choice(json!({"action": "land", "squadron": "br1"})), pass(), choice(json!({"action": "refuel", "squadron": "b1"})), pass()], met);
    assert_eq!((state.turn, state[id("br1")].deck, state[id("b1")].deck), (2, Deck::Landed, Deck::Refuelled));
    assert_eq!(state.deck_operations[Side::First][0], 1);
    play(&game, &mut state, vec![pass(), choice(json!({"action": "re-arm", "squadron": "b1", "role": "fighter"})), pass()], met);
    assert_eq!((state.turn, state[id("br1")].deck, state[id("b1")].deck), (3, Deck::Refuelled, Deck::Fighter));
    let seen = game.view(&state, Viewer::Seat(Seat(1))).seen;
    assert_eq!((seen[id("b1")].deck, seen[id("b1")].place), (Deck::Unknown, Where::OffTable));
}

/// A kamikaze squadron strikes once and is gone.
fn kamikazes(met: &mut Met) {
    let game = game("kamikaze");
    let mut state = table(&game);
    state.phasing = Side::Second;
    reveal(&mut state, Side::First, (6000, 5000), true);
    fly(&mut state, "r3", "strike", (6000, 7000));
    let mut answers =
        vec![choice(json!({"action": "strike", "squadrons": ["r3"], "path": [[6000, 5500]]})), choice(json!({"strike": "r3"})), stances("patient", "gung-ho")];
    answers.extend(dice(&[6, 1]));
    play(&game, &mut state, answers, met);
    assert_eq!(state[id("r3")].place, Where::Lost);
    assert!(state.carriers[Side::First].hits > 0);
}

/// The searches with a move: before it, the path comes after the result; after it, it is dropped if it cannot be made.
fn searching_and_moving(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (4000, 13_000));
    let question = play(
        &game,
        &mut state,
        vec![choice(json!({"action": "move", "squadrons": ["br1"], "detect": {"when": "before", "by": "br1", "target": "red-a"}})), sealed(json!(1), json!(1))],
        met,
    );
    assert_eq!(code_of(&question), "path");
    assert_eq!(state.carriers[Side::Second].form, Form::Revealed);
    play(&game, &mut state, vec![choice(json!({}))], met);
    assert!(!state[id("br1")].acted && state[id("br1")].detect_used, "staying marks nobody");
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (8000, 10_000));
    let question = play(
        &game,
        &mut state,
        vec![choice(json!({"action": "move", "squadrons": ["br1"], "path": [[8000, 13_000]], "detect": {"when": "after", "by": "br1", "target": "red-b"}}))],
        met,
    );
    assert_eq!(code_of(&question), "detection-number");
    play(&game, &mut state, vec![sealed(json!(2), json!(2))], met);
    assert_eq!((state.carriers[Side::Second].cards[1], state.carriers[Side::Second].form), (None, Form::Hidden), "the decoy goes, the other card stays undetected");
    let mut state = table(&game);
    fly(&mut state, "br1", "recce", (8000, 10_000));
    play(
        &game,
        &mut state,
        vec![choice(json!({"action": "move", "squadrons": ["br1"], "path": [[8000, 4500]], "detect": {"when": "after", "by": "br1", "target": "red-b"}}))],
        met,
    );
    assert!(!state[id("br1")].detect_used, "out of reach by then: dropped, not used up");
}

#[test]
fn set_up_is_secret_and_checked() {
    setting_up(&mut Met::default());
}

#[test]
fn contact_makes_both_sides_known_and_giving_way_ends_it() {
    contact_and_giving_way(&mut Met::default());
}

#[test]
fn a_dogfight_has_five_steps() {
    a_whole_dogfight(&mut Met::default());
}

#[test]
fn surplus_squadrons_join_and_losers_break_off() {
    joining_allocating_breaking_off(&mut Met::default());
}

#[test]
fn a_crippled_group_sheds_what_it_has_no_room_for() {
    a_strike_that_cripples(&mut Met::default());
}

#[test]
fn dice_under_a_carrier_slide_or_stay() {
    sliding_and_staying(&mut Met::default());
}

#[test]
fn a_group_slips_away_and_leaves() {
    slipping_away_and_leaving(&mut Met::default());
}

#[test]
fn carriers_that_meet_sink_each_other() {
    surface_action(&mut Met::default());
}

#[test]
fn squadrons_on_their_last_fuel_ditch() {
    last_fuel(&mut Met::default());
}

#[test]
fn dummies_are_exposed() {
    dummies(&mut Met::default());
}

#[test]
fn launches_and_searches_tell_which_card_is_real() {
    conclusions(&mut Met::default());
}

#[test]
fn decks_work_in_secret() {
    deck_work(&mut Met::default());
}

#[test]
fn kamikazes_do_not_return() {
    kamikazes(&mut Met::default());
}

#[test]
fn searches_go_with_moves() {
    searching_and_moving(&mut Met::default());
}

/// Every rule is cited by something that happens: a note, a question, a refusal, a ruling.
#[test]
fn every_rule_is_met() {
    let mut met = Met::default();
    for scene in [
        refusals,
        setting_up,
        contact_and_giving_way,
        a_whole_dogfight,
        joining_allocating_breaking_off,
        a_strike_that_cripples,
        sliding_and_staying,
        slipping_away_and_leaving,
        surface_action,
        last_fuel,
        dummies,
        conclusions,
        deck_work,
        kamikazes,
        searching_and_moving,
    ] {
        scene(&mut met);
    }
    let system = System::new(&files()).unwrap();
    run_vectors(&system, include_str!("vectors.json"), |answer| {
        for note in answer["trace"].as_array().into_iter().flatten() {
            met.0.extend(note["rules"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
            met.0.extend(note["modifiers"].as_array().into_iter().flatten().filter_map(|modifier| modifier["rule"].as_str()).map(str::to_owned));
        }
        met.0.extend(answer["error"]["rule"].as_str().map(str::to_owned));
    });
    for scenario in ["santa-cruz", "coral-sea", "hiryu-alone", "pull-back-the-horns"] {
        let game = game(scenario);
        let mut chance = Chance::seeded(5);
        let mut state = game.setup();
        for _ in 0..60 {
            let Some(question) = play(&game, &mut state, Vec::new(), &mut met) else { break };
            let pick = |asked: &flagplot_kernel::SeatQuestion, chance: &mut Chance| chance.pick(&asked.options).unwrap().value.clone();
            let answer = match &question {
                Question::Dice { count, die, .. } => Answer::Dice(chance.faces(*count, *die)),
                Question::Choice(asked) => Answer::Choice(pick(asked, &mut chance)),
                Question::Secret { open, .. } => Answer::Sealed(open.iter().map(|asked| (asked.seat, pick(asked, &mut chance))).collect()),
            };
            // Steps of several questions are not followed here.
            let Ok(Progress::Stepped(next)) = advance(&game, &state, &mut Tape::new(vec![answer])) else { break };
            state = next;
        }
    }
    let unmet: Vec<&str> = rule::ALL.iter().map(|rule| rule.id).filter(|id| !met.0.contains(*id)).collect();
    assert!(unmet.is_empty(), "rules that nothing has met: {}", unmet.join(", "));
}

/// The rules page has a place for every rule.
#[test]
fn the_rules_page_names_every_rule() {
    let page = System::new(&files()).unwrap().rules_page();
    let missing: Vec<&str> = rule::ALL.iter().map(|rule| rule.id).filter(|id| !page.contains(&format!("<a id=\"{id}\"></a>"))).collect();
    assert!(missing.is_empty(), "not on the page: {}", missing.join(", "));
}
