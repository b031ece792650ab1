//! Movement, contacts, torpedo sheets and the set-up in whole battles.

use super::system;
use flagplot_fleet_action::game::FleetGame;
use flagplot_fleet_action::game::moving::orders::Plan;
use flagplot_fleet_action::game::moving::{Stage, Task};
use flagplot_fleet_action::game::state::{Holds, MarkerId, Mood, Phase, SquadronId, State, VesselId};
use flagplot_fleet_action::words::Station;
use flagplot_kernel::course::Leg;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{
    Ask, Asked, AtRandom, ByInstinct, Chance, Choice, Die, Game, Note, Outcome, Policy, Prompt, Sampler, Seat,
    SeatQuestion, Viewer,
};
use serde_json::{Value, json};

pub(crate) const SCENARIOS: [&str; 10] = [
    "river-plate",
    "denmark-strait",
    "savo-island",
    "samar",
    "hx-84",
    "illustrious",
    "kormoran",
    "two-decks",
    "blackett-strait",
    "i-168",
];

/// Makes sure that every answer is legal, survives its JSON form, and can be put on a screen.
pub(crate) struct Strict<P> {
    pub policy: P,
    /// How many questions pass between two for which the screen is drawn too.
    pub screens: u32,
    pub asked: u32,
}

impl<P: Policy> Policy for Strict<P> {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        self.asked += 1;
        if self.screens > 0 && self.asked.is_multiple_of(self.screens) {
            let prompt = choice.prompt();
            assert!(prompt.text.ends_with('?') || prompt.text.ends_with('.'), "{}", prompt.text);
            let candidates = choice.candidates();
            assert!(!candidates.is_empty(), "{}", prompt.code);
            for candidate in candidates {
                if let Err(refusal) = choice.check(&candidate.value) {
                    panic!("{}: the candidate '{}' is refused: {refusal}", prompt.code, candidate.label);
                }
            }
            let _ = choice.form();
        }
        let value = self.policy.decide(choice, chance);
        let json = serde_json::to_value(&value).expect("an answer is JSON");
        if let Err(refusal) = choice.check(&value) {
            panic!("{}: {json}: {refusal}", choice.prompt().code);
        }
        let read: C::Value = serde_json::from_value(json.clone()).expect("an answer reads its own JSON");
        assert_eq!(serde_json::to_value(&read).expect("an answer is JSON"), json);
        value
    }
}

/// Plays a whole battle; the state survives its JSON form all the way, and every viewer's board can be drawn.
pub(crate) fn play(game: &FleetGame, policy: impl Policy, seed: u64, screens: u32) -> Outcome {
    let mut chance = Chance::seeded(seed);
    let mut sampler = Sampler::new(&mut chance, Strict { policy, screens, asked: 0 });
    let mut state = game.setup();
    for step in 0..game.step_limit() {
        if let Some(outcome) = game.outcome(&state) {
            return outcome;
        }
        if step % 97 == 0 {
            let json = serde_json::to_value(&state).expect("a state is JSON");
            let read: State = serde_json::from_value(json).expect("a state reads its own JSON");
            assert!(read == state, "a state changes on its way through JSON");
            for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator, Viewer::Everything] {
                let view = game.view(&state, viewer);
                let scene = game.scene(&view);
                assert!(!scene.title.is_empty() && !scene.status.is_empty());
                let mut ids: Vec<&str> = scene.pieces.iter().map(|piece| piece.id.as_str()).collect();
                let count = ids.len();
                ids.sort_unstable();
                ids.dedup();
                assert_eq!(ids.len(), count, "two pieces have one id");
            }
        }
        ask_for_insights(game, &state);
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
        invariants(game, &state);
    }
    panic!("the battle does not end");
}

/// What must hold whatever happens.
fn invariants(game: &FleetGame, state: &State) {
    let sea = &state.sea;
    for (id, vessel) in sea.all().filter(|(_, vessel)| vessel.in_play()) {
        let member = game.battle.member(id);
        assert!(vessel.speed <= 60 && vessel.speed >= 0, "{}: {} knots", member.name, vessel.speed);
        assert!(vessel.at.heading.degrees() % 15 == 0, "{}", member.name);
        assert!(vessel.now.f <= member.model.sheet.f_max && vessel.now.f >= 0, "{}: F {}", member.name, vessel.now.f);
        for land in &game.battle.scenario.land {
            let (middle, at) = (Point::new(land.x.into(), land.y.into()), vessel.at.at.point());
            let ashore = middle.dist2(at) < i64::from(land.radius) * i64::from(land.radius);
            assert!(!ashore, "{} stands on {}", member.name, land.name);
        }
    }
}

fn ask_for_insights(game: &FleetGame, state: &State) {
    let code = match &state.phase {
        Phase::Ships(Stage::Orders(_)) => "orders",
        Phase::Ships(Stage::Torpedoes(_)) => "torpedoes",
        _ => return,
    };
    let question =
        SeatQuestion { seat: Seat(0), prompt: prompt(code), options: Vec::new(), form: flagplot_kernel::Form::Pick };
    for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))] {
        let view = game.view(state, viewer);
        for insight in game.explain(&view, &[], &question, None) {
            assert_eq!(insight.basis, "exact");
            let told = !insight.chances.is_empty() || !insight.lines.is_empty() || insight.curves.is_some();
            assert!(told, "{}", insight.title);
            assert!(insight.table.iter().all(|row| row.len() == insight.table[0].len()), "{}", insight.title);
        }
    }
}

fn prompt(code: &'static str) -> Prompt {
    Prompt::new(code, "?", flagplot_fleet_action::rule::C_36)
}

pub(crate) fn battle(id: &str) -> FleetGame {
    system().battle(id).expect("the scenario is there")
}

#[test]
fn every_battle_is_fought_to_its_end_at_random() {
    for id in SCENARIOS {
        let game = battle(id);
        for seed in 0..3 {
            play(&game, AtRandom, seed, 11);
        }
    }
}

#[test]
fn every_battle_is_fought_to_its_end_by_instinct() {
    for id in SCENARIOS {
        play(&battle(id), ByInstinct, 7, 13);
    }
}

/// Puts one answer to the first question with a code and says how it was received; everything else is answered at
/// random.
struct Probe {
    code: &'static str,
    value: Value,
    told: Option<Result<(), String>>,
    /// The rule of the refusal.
    rule: Option<&'static str>,
}

impl Policy for Probe {
    fn decide<C: Choice>(&mut self, choice: &C, chance: &mut Chance) -> C::Value {
        if self.told.is_none() && choice.prompt().code == self.code {
            let value = serde_json::from_value::<C::Value>(self.value.clone());
            self.told = Some(match value {
                Err(error) => Err(format!("json: {error}")),
                Ok(value) => choice.check(&value).map_err(|refusal| {
                    assert!(refusal.rule.is_some(), "{refusal:?} names no rule");
                    self.rule = refusal.rule.map(|rule| rule.id);
                    let codes = std::iter::once(&refusal).chain(&refusal.also).map(|refusal| refusal.code);
                    codes.collect::<Vec<&str>>().join(" ")
                }),
            });
        }
        choice.sample(chance)
    }
}

/// How an answer is received in a state.
fn received(game: &FleetGame, state: &State, code: &'static str, value: Value) -> Result<(), String> {
    let mut chance = Chance::seeded(1);
    let mut sampler = Sampler::new(&mut chance, Probe { code, value, told: None, rule: None });
    let mut state = state.clone();
    for _ in 0..40 {
        if let Some(told) = sampler.policy.told.take() {
            return told;
        }
        game.step(&mut state, &mut sampler).expect("a sampler answers everything");
    }
    panic!("'{code}' was not asked");
}

fn refused(game: &FleetGame, state: &State, code: &'static str, value: Value, with: &str) {
    assert_eq!(received(game, state, code, value.clone()), Err(with.to_owned()), "{value}");
}

/// River Plate at the moment at which a squadron gets its orders.
fn river_plate(squadron: u8) -> (FleetGame, State) {
    let game = battle("river-plate");
    let mut state = game.setup();
    state.phase = Phase::Ships(Stage::Orders(SquadronId(squadron)));
    (game, state)
}

/// The place of a ship in the list of vessels.
pub(crate) fn ship(game: &FleetGame, id: &str) -> usize {
    game.battle.find(id).expect("the ship is there").0.into()
}

#[test]
fn orders_are_refused_by_ship_and_rule() {
    let (game, state) = river_plate(1);
    let orders = |ship: &str, speed: i32, legs: Value| json!([{"ship": ship, "speed": speed, "orders": legs}]);
    let refused = |value: Value, with: &str| refused(&game, &state, "orders", value, with);
    assert_eq!(
        received(&game, &state, "orders", orders("ajax", 22, json!([{"ahead": 40}, {"turn": 45}, {"ahead": 180}]))),
        Ok(())
    );
    assert_eq!(received(&game, &state, "orders", json!([])), Ok(()));
    refused(orders("ajax", 30, json!([{"ahead": 300}])), "too-fast");
    refused(orders("ajax", -1, json!([])), "too-slow distance-mismatch");
    refused(orders("ajax", 20, json!([{"ahead": 30}, {"turn": 15}, {"ahead": 170}])), "illegal-turn");
    refused(orders("ajax", 20, json!([{"ahead": 190}])), "distance-mismatch");
    refused(orders("ajax", 20, json!([{"ahead": 40}, {"turn": 60}, {"ahead": 160}])), "out-of-range");
    refused(orders("ajax", 20, json!([{"ahead": 40}, {"turn": 0}, {"ahead": 160}])), "out-of-range");
    refused(orders("ajax", 20, json!([{"ahead": -200}])), "out-of-range");
    refused(orders("ajax", 20, json!([{"ahead": 9_000_000_000_000_000_000_i64}])), "out-of-range");
    refused(orders("exeter", 20, json!([{"ahead": 200}])), "not-on-sheet");
    refused(orders("bismarck", 20, json!([{"ahead": 200}])), "not-on-sheet");
    let straight = json!({"ship": "ajax", "speed": 20, "orders": [{"ahead": 200}]});
    refused(json!([straight, straight]), "ordered-twice");
    for wrong in
        [json!("keep"), json!([{"ship": "ajax"}]), json!([{"ship": "ajax", "speed": 20, "orders": [], "x": 1}])]
    {
        assert!(received(&game, &state, "orders", wrong).is_err_and(|told| told.starts_with("json")));
    }
}

#[test]
fn a_ship_does_not_end_on_another_or_on_land() {
    let (game, mut state) = river_plate(1);
    // Achilles right ahead of Ajax.
    let (ajax, achilles) = (ship(&game, "ajax"), ship(&game, "achilles"));
    let ahead = state.sea.vessels[ajax].at.ahead(200);
    state.sea.vessels[achilles].at = ahead;
    let onto = json!([{"ship": "ajax", "speed": 20, "orders": [{"ahead": 200}]}]);
    refused(&game, &state, "orders", onto.clone(), "blocked");
    // Once Achilles has moved on paper, the place is free.
    let after = json!([{"ship": "achilles", "speed": 14, "orders": [{"ahead": 140}]}, onto[0]]);
    assert_eq!(received(&game, &state, "orders", after), Ok(()));
    let savo = battle("savo-island");
    let mut state = savo.setup();
    let chokai = ship(&savo, "chokai");
    state.sea.squadrons[0].deployed = true;
    state.sea.vessels[chokai].placed = true;
    state.sea.vessels[chokai].at = savo.battle.vessels[chokai].start;
    state.sea.vessels[chokai].at.at.x = -300;
    state.sea.vessels[chokai].at.at.y = 0;
    state.phase = Phase::Ships(Stage::Orders(SquadronId(0)));
    refused(&savo, &state, "orders", json!([{"ship": "chokai", "speed": 26, "orders": [{"ahead": 260}]}]), "blocked");
}

#[test]
fn smoke_morale_and_shyness_limit_moves() {
    let (game, mut state) = river_plate(1);
    let ajax = ship(&game, "ajax");
    let smoke = json!([{"ship": "ajax", "speed": 20, "orders": [{"ahead": 200}], "smoke": true}]);
    assert_eq!(received(&game, &state, "orders", smoke.clone()), Ok(()));
    state.sea.vessels[ajax].now.gear.smoke = false;
    refused(&game, &state, "orders", smoke, "cannot-make-smoke");
    // Graf Spee lies to the north-west: to turn there is to approach her.
    let nearer = json!([{"ship": "ajax", "speed": 20, "orders": [{"ahead": 40}, {"turn": -45}, {"ahead": 40},
        {"turn": -45}, {"ahead": 120}]}]);
    let away = json!([{"ship": "ajax", "speed": 22, "orders": [{"ahead": 40}, {"turn": 45}, {"ahead": 40},
        {"turn": 45}, {"ahead": 140}]}]);
    let least = json!([{"ship": "ajax", "speed": 0, "orders": []}]);
    assert_eq!(received(&game, &state, "orders", nearer.clone()), Ok(()));
    state.sea.vessels[ajax].mood = Mood::Shaken;
    refused(&game, &state, "orders", nearer.clone(), "morale-forbids");
    assert_eq!(received(&game, &state, "orders", away.clone()), Ok(()));
    state.sea.vessels[ajax].mood = Mood::Broken;
    assert_eq!(received(&game, &state, "orders", away.clone()), Ok(()), "22 knots are her highest speed this turn");
    let slower = json!([{"ship": "ajax", "speed": 20, "orders": [{"ahead": 40}, {"turn": 45}, {"ahead": 40},
        {"turn": 45}, {"ahead": 120}]}]);
    refused(&game, &state, "orders", slower, "morale-forbids");
    assert_eq!(
        received(&game, &state, "orders", least.clone()),
        Ok(()),
        "straight ahead at the lowest speed is always legal"
    );
    state.sea.vessels[ajax].mood = Mood::Steady;
    state.sea.squadrons[1].shy = true;
    state.sea.squadrons[1].torpedoed_by = vec![VesselId(ship(&game, "admiral-graf-spee") as u8)];
    refused(&game, &state, "orders", nearer, "torpedo-shy");
    assert_eq!(received(&game, &state, "orders", least), Ok(()));
}

#[test]
fn torpedoes_are_refused_by_ship_and_rule() {
    let (game, mut state) = river_plate(1);
    let (ajax, spee) = (ship(&game, "ajax"), ship(&game, "admiral-graf-spee"));
    // Graf Spee 400 mm on the port beam of Ajax, who heads 060.
    let mut beam = state.sea.vessels[ajax].at;
    beam.heading = beam.heading.turned(-90);
    state.sea.vessels[spee].at = beam.ahead(400);
    state.phase = Phase::Ships(Stage::Torpedoes(SquadronId(1)));
    let launch = |mounts: Value, target: &str, setting: i32| {
        json!([{"ship": "ajax", "mounts": mounts, "mode": "aimed",
            "target": target, "setting": setting}])
    };
    let port: Vec<usize> = (0..game.battle.vessels[ajax].model.sheet.torpedoes.len())
        .filter(|at| game.battle.vessels[ajax].model.sheet.torpedoes[*at].arc != Station::Starboard)
        .map(|at| at + 1)
        .collect();
    let starboard = (0..game.battle.vessels[ajax].model.sheet.torpedoes.len())
        .find(|at| game.battle.vessels[ajax].model.sheet.torpedoes[*at].arc == Station::Starboard)
        .map(|at| at + 1);
    let good = launch(json!(port), "admiral-graf-spee", 1);
    assert_eq!(received(&game, &state, "torpedoes", good.clone()), Ok(()));
    assert_eq!(received(&game, &state, "torpedoes", json!([])), Ok(()));
    let refused_now = |value: Value, with: &str| refused(&game, &state, "torpedoes", value, with);
    refused_now(launch(json!([]), "admiral-graf-spee", 1), "no-tubes-bear");
    refused_now(launch(json!([9]), "admiral-graf-spee", 1), "no-tubes-bear");
    refused_now(launch(json!([0]), "admiral-graf-spee", 1), "no-tubes-bear");
    if let Some(starboard) = starboard {
        refused_now(launch(json!([starboard]), "admiral-graf-spee", 1), "no-tubes-bear");
    }
    refused_now(launch(json!(port), "achilles", 1), "not-a-torpedo-target");
    refused_now(launch(json!(port), "admiral-graf-spee", 9), "out-of-range");
    refused_now(json!([good[0], good[0]]), "no-tubes-bear");
    let spread =
        |point: Value| json!([{"ship": "ajax", "mounts": port, "mode": "wide-spread", "point": point, "setting": 1}]);
    let at = state.sea.vessels[spee].at.at;
    assert_eq!(received(&game, &state, "torpedoes", spread(json!([at.x, at.y]))), Ok(()));
    refused_now(spread(json!([9_000_000_000_000_i64, 0])), "out-of-torpedo-range");
    refused_now(
        json!([{"ship": "ajax", "mounts": port, "mode": "wide-spread", "target": "admiral-graf-spee", "setting": 1}]),
        "missing-field",
    );
    refused_now(
        json!([{"ship": "exeter", "mounts": [1], "mode": "aimed", "target": "admiral-graf-spee", "setting": 1}]),
        "not-on-sheet",
    );
    let mut far = state.clone();
    far.sea.vessels[spee].at = beam.ahead(1200);
    refused(&game, &far, "torpedoes", good.clone(), "out-of-torpedo-range");
    let mut hidden = state.clone();
    let smoke = beam.ahead(200).at.point();
    hidden.sea.screens.push(flagplot_fleet_action::game::state::Screen { by: VesselId(ajax as u8), at: [smoke; 3] });
    refused(&game, &hidden, "torpedoes", good.clone(), "not-visible");
    let mut shaken = state.clone();
    shaken.sea.vessels[ajax].mood = Mood::Shaken;
    refused(&game, &shaken, "torpedoes", good, "morale-forbids");
}

#[test]
fn contacts_and_the_set_up_are_refused_by_rule() {
    let game = battle("savo-island");
    let state = game.setup();
    let place = |first: &str, second: &str| json!({"contacts": {"striking-force": first, "light-division": second}});
    assert_eq!(received(&game, &state, "set-up", place("contact-1", "contact-3")), Ok(()));
    refused(&game, &state, "set-up", place("contact-1", "contact-1"), "contact-taken contact-taken");
    refused(&game, &state, "set-up", place("contact-1", "contact-4"), "not-a-contact");
    refused(&game, &state, "set-up", json!({"contacts": {"striking-force": "contact-1"}}), "missing-field");
    refused(
        &game,
        &state,
        "set-up",
        json!({"contacts": {"striking-force": "contact-1", "light-division": "contact-2",
            "southern-group": "contact-3"}}),
        "not-a-contact",
    );
    let mut state = game.setup();
    state.sea.markers[0].holds = Some(Holds::Squadron(SquadronId(0)));
    state.sea.markers[1].holds = Some(Holds::Squadron(SquadronId(1)));
    state.sea.markers[2].holds = Some(Holds::Dummy);
    state.phase = Phase::Ships(Stage::Contact(MarkerId(2)));
    let told = |value: Value| received(&game, &state, "contact", value);
    assert_eq!(told(json!({"deploy": true})), Err("dummy-contact".to_owned()));
    assert_eq!(told(json!({"speed": 26, "orders": [{"ahead": 100}, {"turn": 45}, {"ahead": 160}]})), Ok(()));
    assert_eq!(told(json!({"speed": 0, "orders": []})), Ok(()));
    assert_eq!(told(json!({"speed": 50, "orders": [{"ahead": 500}]})), Err("too-fast".to_owned()));
    assert_eq!(told(json!({"speed": 20, "orders": [{"ahead": 100}]})), Err("distance-mismatch".to_owned()));
    assert_eq!(
        told(json!({"speed": 20, "orders": [{"turn": 15}, {"ahead": 100}, {"turn": 15}, {"ahead": 100}]})),
        Err("illegal-turn".to_owned())
    );
    assert_eq!(told(json!({"speed": 20, "orders": [{"turn": 90}, {"ahead": 200}]})), Err("out-of-range".to_owned()));
    let blackett = battle("blackett-strait");
    let fields = |x: i32, heading: i32| {
        json!({"fields": [{"at": [x, 50], "heading": heading},
            {"at": [200, 50], "heading": 0}]})
    };
    let state = blackett.setup();
    assert_eq!(received(&blackett, &state, "set-up", fields(100, 45)), Ok(()));
    refused(&blackett, &state, "set-up", fields(-90, 90), "out-of-range");
    refused(&blackett, &state, "set-up", fields(100, 20), "out-of-range");
    refused(&blackett, &state, "set-up", json!({"fields": []}), "missing-field");
    let i168 = battle("i-168");
    let state = i168.setup();
    let dive = |x: i32, level: &str| json!({"submarines": {"i-168": {"at": [x, 0], "heading": 270, "level": level}}});
    assert_eq!(received(&i168, &state, "set-up", dive(900, "deep")), Ok(()));
    refused(&i168, &state, "set-up", dive(300, "deep"), "out-of-range");
    refused(&i168, &state, "set-up", dive(900, "surfaced"), "out-of-range");
}

/// Answers dice from a list and everything else at random.
pub(crate) struct Dice {
    pub faces: Vec<u8>,
    pub chance: Chance,
    pub texts: Vec<String>,
}

impl Ask for Dice {
    fn roll(&mut self, _: Die, what: impl std::fmt::Display) -> Asked<u8> {
        assert!(!self.faces.is_empty(), "no die for {what}");
        Ok(self.faces.remove(0))
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        Ok(choice.sample(&mut self.chance))
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        self.texts.push(note.text);
    }
}

/// Runs one task of the first division with these dice.
fn run(game: &FleetGame, state: &mut State, plan: Plan, dice: &[u8]) -> Vec<String> {
    let mut ask = Dice { faces: dice.to_vec(), chance: Chance::seeded(1), texts: Vec::new() };
    let squadron = game.battle.member(plan.vessel).squadron;
    state.phase = Phase::Ships(Stage::Run { squadron, left: vec![Task::Ordered(plan)], guide: None });
    game.step(state, &mut ask).expect("everything is answered");
    assert!(ask.faces.is_empty(), "dice are left: {:?}", ask.texts);
    ask.texts
}

#[test]
fn a_ship_without_steering_runs_on_and_may_collide() {
    let (game, fresh) = river_plate(1);
    let (ajax, achilles) = (ship(&game, "ajax"), ship(&game, "achilles"));
    let mut state = fresh;
    state.sea.vessels[ajax].now.sv = 0;
    // Due east, where nothing is rounded.
    let heading = state.sea.vessels[ajax].at.heading.turned(30);
    state.sea.vessels[ajax].at.heading = heading;
    let start = state.sea.vessels[ajax].at;
    state.sea.vessels[achilles].at = start.ahead(200);
    let turning = || Plan {
        vessel: VesselId(ajax as u8),
        speed: 20,
        legs: vec![Leg::Ahead(40), Leg::Turn(45), Leg::Ahead(160)],
        smoke: false,
    };
    // The steering test is passed.
    let mut passed = state.clone();
    run(&game, &mut passed, turning(), &[6]);
    assert_eq!(passed.sea.vessels[ajax].at.heading, start.heading.turned(45));
    // It is failed, and Achilles gets clear: Ajax stops where the bases touch.
    let mut clear = state.clone();
    run(&game, &mut clear, turning(), &[5, 1, 9]);
    let (at, other) = (clear.sea.vessels[ajax].at, clear.sea.vessels[achilles].at);
    assert_eq!(at, start.ahead(164), "18 mm and 18 mm");
    assert_eq!(at.at.point().ceil_dist(other.at.point()), 36);
    assert_eq!(clear.sea.vessels[ajax].speed, 20);
    // Both fail: 3 + 2 and 4 + 2 flotation, and both stop.
    let mut hit = state.clone();
    run(&game, &mut hit, turning(), &[5, 1, 1, 3, 4]);
    let lost = |at: usize| state.sea.vessels[at].now.f - hit.sea.vessels[at].now.f;
    assert_eq!((lost(ajax), lost(achilles)), (5, 6));
    assert_eq!((hit.sea.vessels[ajax].speed, hit.sea.vessels[achilles].speed), (0, 0));
    // From a leg that began too near she cannot be put clear: the two ignore each other until they are.
    let mut near = state.clone();
    near.sea.vessels[achilles].at = start.ahead(20);
    near.sea.vessels[ajax].last_speed = 0;
    near.sea.vessels[ajax].now.speed = 1;
    let crawl = Plan { vessel: VesselId(ajax as u8), speed: 0, legs: Vec::new(), smoke: false };
    run(&game, &mut near, crawl, &[9, 1]);
    assert_eq!(near.sea.vessels[ajax].entangled, 1 << achilles);
    assert_eq!(near.sea.vessels[achilles].entangled, 1 << ajax);
    let apart = Plan { vessel: VesselId(achilles as u8), speed: 14, legs: vec![Leg::Ahead(140)], smoke: false };
    run(&game, &mut near, apart, &[]);
    assert_eq!((near.sea.vessels[ajax].entangled, near.sea.vessels[achilles].entangled), (0, 0));
}

#[test]
fn a_ship_that_runs_ashore_stays_there() {
    let game = battle("savo-island");
    let mut state = game.setup();
    let chokai = ship(&game, "chokai");
    state.sea.squadrons[0].deployed = true;
    let vessel = &mut state.sea.vessels[chokai];
    vessel.placed = true;
    vessel.at = game.battle.vessels[chokai].start;
    (vessel.at.at.x, vessel.at.at.y) = (-300, 0);
    (vessel.speed, vessel.last_speed, vessel.now.speed) = (20, 20, 20);
    vessel.now.sv = 0;
    let floats = vessel.now.f;
    let plan = Plan {
        vessel: VesselId(chokai as u8),
        speed: 20,
        legs: vec![Leg::Ahead(40), Leg::Turn(-45), Leg::Ahead(40), Leg::Turn(-45), Leg::Ahead(120)],
        smoke: false,
    };
    let texts = run(&game, &mut state, plan, &[1, 4]);
    let vessel = &state.sea.vessels[chokai];
    assert_eq!((vessel.at.at.x, vessel.at.at.y), (-190, 0), "{texts:?}");
    assert_eq!((vessel.speed, vessel.aground, vessel.now.f), (0, true, floats - 4));
}

#[test]
fn smoke_lies_along_two_thirds_of_the_run_until_the_next_move() {
    let (game, mut state) = river_plate(1);
    let ajax = ship(&game, "ajax");
    let start = state.sea.vessels[ajax].at;
    let plan = |smoke: bool| Plan { vessel: VesselId(ajax as u8), speed: 20, legs: vec![Leg::Ahead(200)], smoke };
    run(&game, &mut state, plan(true), &[]);
    let circles = state.sea.screens[0].at;
    assert_eq!(circles, [0, 66, 133].map(|mm| start.ahead(mm).at.point()));
    run(&game, &mut state, plan(false), &[]);
    assert!(state.sea.screens.is_empty());
}

/// A ship that lays smoke and cannot turn, because her steering is out and her crew fails.
fn smoke_and_no_helm(game: &FleetGame, state: &mut State, ship: usize, faces: &[u8]) -> [Point; 3] {
    let vessel = &mut state.sea.vessels[ship];
    (vessel.speed, vessel.last_speed, vessel.now.speed, vessel.now.sv) = (20, 20, 20, 0);
    vessel.now.gear.smoke = true;
    let legs = vec![Leg::Ahead(60), Leg::Turn(-45), Leg::Ahead(140)];
    run(game, state, Plan { vessel: VesselId(ship as u8), speed: 20, legs, smoke: true }, faces);
    state.sea.screens[0].at
}

#[test]
fn smoke_follows_the_distance_that_was_really_run() {
    let game = battle("savo-island");
    let mut state = game.setup();
    let chokai = ship(&game, "chokai");
    state.sea.squadrons[0].deployed = true;
    let vessel = &mut state.sea.vessels[chokai];
    (vessel.placed, vessel.at) = (true, game.battle.vessels[chokai].start);
    (vessel.at.at.x, vessel.at.at.y) = (-300, 0);
    let start = vessel.at;
    // Land stops her after 110 mm.
    let circles = smoke_and_no_helm(&game, &mut state, chokai, &[1, 4]);
    assert_eq!(circles, [0, 36, 73].map(|mm| start.ahead(mm).at.point()));
    // Achilles lies in the way, and both crews see her in time.
    let (game, mut state) = river_plate(1);
    let (ajax, achilles) = (ship(&game, "ajax"), ship(&game, "achilles"));
    let start = state.sea.vessels[ajax].at;
    state.sea.vessels[achilles].at = start.ahead(190);
    let circles = smoke_and_no_helm(&game, &mut state, ajax, &[1, 10, 10]);
    let ran = start.at.point().ceil_dist(state.sea.vessels[ajax].at.at.point());
    assert!((140..165).contains(&ran), "{ran}");
    let reach = |at: Point| start.at.point().ceil_dist(at);
    assert!((reach(circles[1]) - ran / 3).abs() <= 2 && (reach(circles[2]) - 2 * ran / 3).abs() <= 2, "{circles:?}");
}

#[test]
fn a_deployed_column_passes_over_blocked_places() {
    let game = battle("savo-island");
    let mut state = game.setup();
    state.sea.markers[0].holds = Some(Holds::Squadron(SquadronId(0)));
    state.sea.markers[1].holds = Some(Holds::Squadron(SquadronId(1)));
    state.sea.markers[2].holds = Some(Holds::Dummy);
    state.phase = Phase::Ships(Stage::Contact(MarkerId(0)));
    // Something lies where the second ship would be put.
    let (tenryu, marker) = (ship(&game, "tenryu"), state.sea.markers[0].at);
    state.sea.vessels[tenryu].placed = true;
    state.sea.vessels[tenryu].at = marker.ahead(-60);
    struct Deploys;
    impl Policy for Deploys {
        fn decide<C: Choice>(&mut self, choice: &C, _: &mut Chance) -> C::Value {
            serde_json::from_value(json!({"deploy": true})).unwrap_or_else(|_| choice.candidates().remove(0).value)
        }
    }
    let mut chance = Chance::seeded(1);
    game.step(&mut state, &mut Sampler::new(&mut chance, Deploys)).expect("everything is answered");
    let places = ["chokai", "aoba", "kako", "kinugasa", "furutaka"].map(|id| state.sea.vessels[ship(&game, id)].at);
    assert_eq!(places, [0, -120, -180, -240, -300].map(|mm| marker.ahead(mm)));
    assert!(state.sea.squadrons[0].deployed && state.sea.markers[0].gone);
}

#[test]
fn play_and_referee_move_ships_alike() {
    let system = system();
    let (game, fresh) = river_plate(1);
    let ajax = ship(&game, "ajax");
    let mut chance = Chance::seeded(5);
    for _ in 0..40 {
        let mut state = fresh.clone();
        let start = state.sea.vessels[ajax].at;
        let turn = |chance: &mut Chance| 15 * (1 + chance.below(3) as i32) * if chance.below(2) == 0 { 1 } else { -1 };
        let legs = vec![
            Leg::Ahead(60),
            Leg::Turn(turn(&mut chance)),
            Leg::Ahead(50),
            Leg::Turn(turn(&mut chance)),
            Leg::Ahead(110),
        ];
        let input = json!({
            "ship": {"x": start.at.x, "y": start.at.y, "heading": start.heading.degrees(), "size": 0, "max_speed": 32,
                     "last_speed": 14},
            "speed": 22, "orders": legs,
        });
        let answer = super::ask(&system, "movement", &input, json!({"dice": []}));
        let plan = Plan { vessel: VesselId(ajax as u8), speed: 22, legs, smoke: false };
        run(&game, &mut state, plan, &[]);
        let end = state.sea.vessels[ajax].at;
        let result = &answer["result"];
        assert_eq!((&result["x"], &result["y"]), (&json!(end.at.x), &json!(end.at.y)), "{answer}");
        assert_eq!(result["heading"], json!(end.heading.degrees()));
    }
}

/// The rules that refusals of orders name here.
pub(crate) fn met_here() -> Vec<String> {
    let (game, mut state) = river_plate(1);
    let ajax = ship(&game, "ajax");
    state.sea.vessels[ajax].now.gear.smoke = false;
    state.sea.vessels[ajax].mood = Mood::Broken;
    let legs = json!([{"ahead": 40}, {"turn": -45}, {"ahead": 40}, {"turn": -45}, {"ahead": 120}]);
    let smoke = json!([{"ship": "ajax", "speed": 20, "orders": legs, "smoke": true}]);
    let nearer = json!([{"ship": "ajax", "speed": 20, "orders": legs}]);
    let rule = |value: Value| {
        let mut chance = Chance::seeded(1);
        let mut sampler = Sampler::new(&mut chance, Probe { code: "orders", value, told: None, rule: None });
        game.step(&mut state.clone(), &mut sampler).expect("a sampler answers everything");
        sampler.policy.rule.map(str::to_owned)
    };
    [smoke, nearer].into_iter().filter_map(rule).collect()
}
