//! Signals, guides, held and surprised ships, the initiative, launches and what they tell.

use super::sea::{Dice, battle, ship};
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::moving::Stage;
use flagplot_fleet_action::game::state::{AimPoint, Holds, Phase, SquadronId, State, VesselId};
use flagplot_kernel::{Ask, Asked, Chance, Choice, Die, Game, Note, Policy, Sampler, Seat, Viewer};
use serde_json::{Value, json};

/// Answers the question with a code, dice from a list; everything else is a failure.
struct Answers {
    code: &'static str,
    value: Value,
    faces: Vec<u8>,
    notes: Vec<Note>,
}

impl Ask for Answers {
    fn roll(&mut self, _: Die, what: impl std::fmt::Display) -> Asked<u8> {
        assert!(!self.faces.is_empty(), "no die for {what}");
        Ok(self.faces.remove(0))
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        assert_eq!(choice.prompt().code, self.code);
        let value: C::Value = serde_json::from_value(self.value.clone()).expect("the answer can be read");
        choice.check(&value).expect("the answer is legal");
        Ok(value)
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        self.notes.push(note);
    }
}

fn step(game: &FleetGame, state: &mut State, code: &'static str, value: Value, faces: &[u8]) -> Vec<Note> {
    let mut ask = Answers { code, value, faces: faces.to_vec(), notes: Vec::new() };
    game.step(state, &mut ask).expect("everything is answered");
    assert!(ask.faces.is_empty(), "dice are left");
    ask.notes
}

/// Runs steps in which nothing is asked until the stage is another one than the running of orders.
fn run_out(game: &FleetGame, state: &mut State) {
    while matches!(state.phase, Phase::Ships(Stage::Run { .. })) {
        let mut ask = Dice { faces: Vec::new(), chance: Chance::seeded(1), texts: Vec::new() };
        game.step(state, &mut ask).expect("everything is answered");
    }
}

/// The answers that are offered for the orders of a squadron, by their words.
fn offered(game: &FleetGame, state: &State) -> Vec<(String, Value)> {
    struct Look(Vec<(String, Value)>);
    impl Policy for Look {
        fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
            let shown = |value: &C::Value| serde_json::to_value(value).expect("an answer is JSON");
            self.0 = choice.candidates().iter().map(|one| (one.label.clone(), shown(&one.value))).collect();
            choice.sample(chance)
        }
    }
    let mut chance = Chance::seeded(1);
    let mut sampler = Sampler::new(&mut chance, Look(Vec::new()));
    game.step(&mut state.clone(), &mut sampler).expect("everything is answered");
    sampler.policy.0
}

#[test]
fn signals_are_worked_out_into_plain_orders() {
    let game = battle("river-plate");
    let mut state = game.setup();
    state.phase = Phase::Ships(Stage::Orders(SquadronId(1)));
    let offered = offered(&game, &state);
    let orders = |words: &str| {
        let found = offered.iter().find(|(label, _)| label == words);
        found.map(|(_, value)| value.clone()).unwrap_or_else(|| panic!("no '{words}' among {offered:?}"))
    };
    assert_eq!(offered[0].0, "Suggested orders");
    let legs = |legs: Value| legs;
    assert!((10..=15).contains(&offered.len()), "about a dozen, not {}", offered.len());
    assert_eq!(
        orders("Turn together at 22 knots: 45° to starboard"),
        json!([
            {"ship": "ajax", "speed": 22, "orders": legs(json!([{"ahead": 40}, {"turn": 45}, {"ahead": 180}]))},
            {"ship": "achilles", "speed": 22, "orders": legs(json!([{"ahead": 40}, {"turn": 45}, {"ahead": 180}]))},
        ])
    );
    // Achilles is 60 mm astern of Ajax and turns where she turned.
    assert_eq!(
        orders("Turn in succession at 22 knots: 45° to port"),
        json!([
            {"ship": "ajax", "speed": 22, "orders": [{"ahead": 40}, {"turn": -45}, {"ahead": 180}]},
            {"ship": "achilles", "speed": 22, "orders": [{"ahead": 100}, {"turn": -45}, {"ahead": 120}]},
        ])
    );
    assert_eq!(
        orders("Turn together at 22 knots: 90° to port")[0]["orders"],
        json!([{"ahead": 40}, {"turn": -45}, {"ahead": 40}, {"turn": -45}, {"ahead": 140}])
    );
    let keep = orders("Keep course and speed");
    assert_eq!(keep[1], json!({"ship": "achilles", "speed": 14, "orders": [{"ahead": 140}]}));
    assert!(offered.iter().any(|(label, _)| label.starts_with("Follow the ship ahead")));
    assert!(offered.iter().any(|(label, _)| label.starts_with("Scatter")));
}

#[test]
fn the_convoy_does_as_its_guide_does() {
    let game = battle("hx-84");
    let mut state = game.setup();
    state.phase = Phase::Ships(Stage::Orders(SquadronId(2)));
    let offered = offered(&game, &state);
    assert!(offered.iter().all(|(_, value)| value.as_array().is_some_and(|list| list.len() <= 1)), "one ship is asked");
    let turn = json!([{"ship": "rangitiki", "speed": 10, "orders": [{"ahead": 60}, {"turn": 30}, {"ahead": 40}]}]);
    step(&game, &mut state, "orders", turn, &[]);
    run_out(&game, &mut state);
    for id in ["maidan", "trewellard", "kenbane-head", "beaverford", "fresno-city", "san-demetrio", "stureholm"] {
        let vessel = &state.sea.vessels[ship(&game, id)];
        assert_eq!((vessel.at.heading.degrees(), vessel.speed), (105, 10), "{id}");
    }
}

#[test]
fn a_ship_that_holds_is_not_asked() {
    let game = battle("kormoran");
    let mut state = game.setup();
    let sydney = ship(&game, "sydney");
    let start = state.sea.vessels[sydney].at;
    state.phase = Phase::Ships(Stage::Orders(SquadronId(1)));
    step(&game, &mut state, "nothing", Value::Null, &[]);
    run_out(&game, &mut state);
    assert_eq!(state.sea.vessels[sydney].at, start.ahead(140));
    // On the next turn she is.
    let mut state = game.setup();
    state.sea.turn = 2;
    state.phase = Phase::Ships(Stage::Orders(SquadronId(1)));
    assert!(!offered(&game, &state).is_empty());
}

#[test]
fn surprised_markers_keep_course_and_speed() {
    let game = battle("savo-island");
    let mut state = game.setup();
    let squadrons = [0, 1, 2, 3].map(|id| Some(Holds::Squadron(SquadronId(id))));
    let holds = [squadrons[0], squadrons[1], Some(Holds::Dummy), squadrons[2], squadrons[3], Some(Holds::Dummy)];
    for (marker, holds) in state.sea.markers.iter_mut().zip(holds) {
        marker.holds = holds;
    }
    let before = state.sea.markers.clone();
    for at in [3, 4, 5] {
        state.phase = Phase::Ships(Stage::Contact(flagplot_fleet_action::game::state::MarkerId(at)));
        step(&game, &mut state, "nothing", Value::Null, &[]);
        let at = usize::from(at);
        assert_eq!(state.sea.markers[at].at, before[at].at.ahead(120));
    }
}

#[test]
fn the_initiative_goes_by_command_and_ties_to_its_holder() {
    let game = battle("river-plate");
    let fresh = || {
        let mut state = game.setup();
        state.phase = Phase::Initiative;
        state
    };
    // Germany commands 1, the Commonwealth 2 and 1: +1 against +2.
    let holder = |faces: &[u8], held: Option<flagplot_kernel::Side>| {
        let mut state = fresh();
        state.sea.holder = held;
        step(&game, &mut state, "first-mover", json!("a"), faces);
        assert_eq!(state.sea.first, flagplot_kernel::Side::First);
        state.sea.holder
    };
    use flagplot_kernel::Side::{First, Second};
    assert_eq!(holder(&[5, 5], None), Some(Second));
    assert_eq!(holder(&[7, 5], None), Some(First));
    assert_eq!(holder(&[6, 5], None), Some(First), "a tie goes to the side the scenario names");
    assert_eq!(holder(&[6, 5], Some(Second)), Some(Second), "a tie goes to the holder");
}

/// Ajax with Graf Spee on her port beam, about to fill in her torpedo sheet.
fn beam(scenario: &str) -> (FleetGame, State, usize, usize) {
    let game = battle(scenario);
    let mut state = game.setup();
    let (ajax, spee) = (ship(&game, "ajax"), ship(&game, "admiral-graf-spee"));
    let mut beam = state.sea.vessels[ajax].at;
    beam.heading = beam.heading.turned(-90);
    state.sea.vessels[spee].at = beam.ahead(300);
    state.phase = Phase::Ships(Stage::Torpedoes(SquadronId(1)));
    (game, state, ajax, spee)
}

#[test]
fn a_launch_tells_everybody_the_mode_and_nobody_the_target() {
    let (game, mut state, ajax, spee) = beam("river-plate");
    let loaded = state.sea.vessels[ajax].loaded;
    let mount = (1..=4).find(|mount| {
        let bit = 1 << (mount - 1);
        loaded & bit != 0
            && game.battle.vessels[ajax].model.sheet.torpedoes[mount - 1].arc
                != flagplot_fleet_action::words::Station::Starboard
    });
    let launch =
        json!([{"ship": "ajax", "mounts": [mount], "mode": "aimed", "target": "admiral-graf-spee", "setting": 1}]);
    let notes = step(&game, &mut state, "torpedoes", launch, &[]);
    let theirs = Viewer::Seat(Seat(0));
    let open: Vec<&Note> = notes.iter().filter(|note| note.seen_by(theirs)).collect();
    assert!(open.iter().any(|note| note.text.contains("Ajax declares")), "{open:?}");
    assert!(open.iter().all(|note| !note.text.contains("Graf Spee")), "{open:?}");
    assert!(notes.iter().any(|note| note.seen_by(Viewer::Seat(Seat(1))) && note.text.contains("Graf Spee")));
    assert_eq!(state.sea.vessels[ajax].loaded, loaded, "the launch is a step of its own");
    let notes = step(&game, &mut state, "nothing", Value::Null, &[]);
    assert!(notes.iter().all(|note| !note.text.contains("Graf Spee")));
    let running = &state.sea.running[0];
    assert_eq!(running.aim.map(|aim| aim.at), Some(AimPoint::Vessel(VesselId(spee as u8))));
    assert_eq!(running.could, vec![VesselId(spee as u8)]);
    assert_ne!(state.sea.vessels[ajax].loaded, loaded);
}

#[test]
fn in_smoke_a_spread_needs_a_crew_test_and_failing_it_keeps_the_tubes_loaded() {
    for (face, launched) in [(5, false), (6, true)] {
        let (game, mut state, ajax, spee) = beam("river-plate");
        let (a, b) = (state.sea.vessels[ajax].at.at, state.sea.vessels[spee].at.at);
        let middle = flagplot_kernel::plane::Point::new((a.x + b.x) / 2, (a.y + b.y) / 2);
        let by = VesselId(spee as u8);
        state.sea.screens.push(flagplot_fleet_action::game::state::Screen { by, at: [middle; 3] });
        let loaded = state.sea.vessels[ajax].loaded;
        let mount = (0..4).find(|at| {
            game.battle.vessels[ajax].model.sheet.torpedoes[*at].arc != flagplot_fleet_action::words::Station::Starboard
        });
        let mount = mount.expect("a mount bears to port") + 1;
        let spread =
            json!([{"ship": "ajax", "mounts": [mount], "mode": "wide-spread", "point": [b.x, b.y], "setting": 1}]);
        let notes = step(&game, &mut state, "torpedoes", spread, &[]);
        assert!(notes.iter().any(|note| note.text.contains("after a Crew Test")), "{notes:?}");
        step(&game, &mut state, "nothing", Value::Null, &[face]);
        assert_eq!(state.sea.running.len(), usize::from(launched));
        assert_eq!(state.sea.vessels[ajax].loaded != loaded, launched);
    }
}

#[test]
fn shy_squadrons_roll_before_they_move() {
    let game = battle("samar");
    for (face, shy) in [(5, true), (6, false)] {
        let mut state = game.setup();
        state.sea.turn = 3;
        state.sea.squadrons[0].torpedoed_on = Some(2);
        state.phase = Phase::Ships(Stage::Nerve(SquadronId(0)));
        step(&game, &mut state, "nothing", Value::Null, &[face]);
        assert_eq!(state.sea.squadrons[0].shy, shy);
        assert!(matches!(state.phase, Phase::Ships(Stage::Orders(_))));
    }
}
