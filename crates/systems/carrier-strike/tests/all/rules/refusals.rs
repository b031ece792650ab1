//! What is refused, and why.

use super::table::*;
use flagplot_carrier_strike::game::{Action, Deck, State, Where};
use flagplot_kernel::Side;
use flagplot_kernel::plane::Point;
use serde_json::{Value, json};

pub fn refusals(met: &mut Met) {
    let game = game("first-strike");
    let mut state = table(&game);
    fly(&mut state, "b1", "fighter", (6000, 8000));
    fly(&mut state, "b2", "strike", (6150, 8000));
    fly(&mut state, "b3", "dummy", (1000, 1000));
    fly(&mut state, "br1", "recce", (6000, 13_500));
    fly(&mut state, "r1", "fighter", (6000, 10_500));
    fly(&mut state, "r2", "strike", (6000, 20_000));
    let mut expect = |state: &State, action: Value, code: &str| {
        assert_eq!(refusal(&game, state, action.clone(), met), code, "{action}")
    };
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
        mv(
            &["b1"],
            json!([
                [6000, 8001],
                [6000, 8000],
                [6000, 8001],
                [6000, 8000],
                [6000, 8001],
                [6000, 8000],
                [6000, 8001],
                [6000, 8000],
                [6000, 8001]
            ]),
        ),
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
    expect(
        &state,
        json!({"action": "move", "squadrons": ["b1"], "path": [[6000, 9000]],
            "detect": {"when": "before", "by": "b1", "target": "r1"}}),
        "path-too-long",
    );
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
    let launch =
        |who: &str, at: Value, dummy: bool| json!({"action": "launch", "squadron": who, "at": at, "dummy": dummy});
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
    expect(&near, evade(json!([4000, 1000]), json!([4000, -1000])), "wrong-state");
    near.carriers[Side::First].contact_lost = true;
    expect(&near, evade(json!([4000, 1000]), json!([4000, -1000])), "ok");
    expect(&near, evade(json!([4000, 1000]), json!([4000, -999])), "not-full-speed");
    let mut ridden = near.clone();
    ridden[id("b1")].pos = Point::new(4000, 100);
    expect(&ridden, evade(json!([4000, 1000]), json!([4000, -1000])), "wrong-state");
    expect(&state, json!({"action": "disengage"}), "cannot-disengage");
    near = state.clone();
    near.carriers[Side::First].slipped_turn = near.turn;
    expect(&near, json!({"action": "disengage"}), "cannot-disengage");
    near.turn += 1;
    expect(&near, json!({"action": "disengage"}), "ok");
    near[id("r1")].pos = Point::new(4000, 5000);
    expect(&near, json!({"action": "disengage"}), "cannot-disengage");
    near[id("r1")].proved_dummy = true;
    expect(&near, json!({"action": "disengage"}), "ok");
    expect(&near, json!({"action": "disengage", "aboard": ["b1"]}), "out-of-range");
    let mut over = state.clone();
    over.carriers[Side::First].hits = 8;
    over.verdict = serde_json::from_value(json!({"reason": "turn-limit", "winner": null,
        "levels": {"first": "none", "second": "none"}, "by_surface": false}))
    .unwrap();
    expect(&over, json!({"action": "pass"}), "game-over");
    let bound = self::game("philippine-sea");
    let mut state = table(&bound);
    state.carriers[Side::First].cards = [Some(Point::new(4000, 3500)), Some(Point::new(8000, 0))];
    assert_eq!(
        refusal(&bound, &state, json!({"action": "move-cv", "to": {"blue-a": [4000, 4001]}}), met),
        "leaves-its-station"
    );
    assert_eq!(refusal(&bound, &state, json!({"action": "disengage"}), met), "cannot-disengage");
    let kamikaze = self::game("kamikaze");
    let mut state = table(&kamikaze);
    state.phasing = Side::Second;
    let action: Action =
        serde_json::from_value(json!({"action": "re-arm", "squadron": "r3", "role": "fighter"})).unwrap();
    assert_eq!(
        kamikaze.legal(&state, Side::Second, &action).map_err(flagplot_kernel::Refusal::from).unwrap_err().code,
        "cannot-re-arm"
    );
}
