//! Drawn positions of naval battles: what a phase makes of them, die by die.

use crate::common::{ask, system};
use crate::naval_play::game;
use flagplot_kernel::{Answer, Faces, Game, Insight, Progress, Question, Seat, Side, Tape, Viewer, advance};
use flagplot_world_at_war::game::naval::state::{Condition, Fire, Flight, Gun, Mark, Phase, Stage, Status, Task};
use flagplot_world_at_war::game::naval::{Home, NavalState};
use flagplot_world_at_war::game::{State, WorldAtWar};
use flagplot_world_at_war::{System, files};
use serde_json::{Value, json};

/// A battle with a position drawn by hand.
pub struct Drawn {
    pub game: WorldAtWar,
    pub state: State,
}

impl Drawn {
    /// The battle after its arrivals.
    pub fn new(id: &str) -> Self {
        Self::of(game(id))
    }

    pub fn of(game: WorldAtWar) -> Self {
        let mut drawn = Self { state: game.setup(), game };
        drawn.run(&[]);
        drawn
    }

    pub fn naval(&mut self) -> &mut NavalState {
        let State::Naval(state) = &mut self.state else { panic!("a naval battle") };
        state
    }

    pub fn ship(&mut self, id: &str) -> u8 {
        let scene = self.game.scene(&self.game.view(&self.state, Viewer::Everything));
        let ships = scene.pieces.iter().filter(|piece| ["battleship", "carrier"].contains(&piece.kind.as_str()));
        ships.into_iter().position(|piece| piece.id == id).unwrap_or_else(|| panic!("no ship {id}")) as u8
    }

    pub fn set(&mut self, id: &str, condition: Condition) {
        let at = self.ship(id);
        self.naval().open.ships[usize::from(at)] = condition;
    }

    /// One step with these answers.
    pub fn run(&mut self, answers: &[Answer]) {
        match advance(&self.game, &self.state, &mut Tape::new(answers.to_vec())).unwrap_or_else(|e| panic!("{e}")) {
            Progress::Stepped(next) => self.state = next,
            Progress::Asks(question) => panic!("it asks {question:?}"),
        }
    }

    /// What the next step asks first.
    pub fn asks(&self, answers: &[Answer]) -> Question {
        match advance(&self.game, &self.state, &mut Tape::new(answers.to_vec())).unwrap_or_else(|e| panic!("{e}")) {
            Progress::Asks(question) => question,
            Progress::Stepped(_) => panic!("it asks nothing"),
        }
    }

    /// What a seat is told at the question that is open.
    pub fn told(&self, seat: Seat, value: Option<&Value>) -> Vec<Insight> {
        let (view, question) = (self.game.view(&self.state, Viewer::Seat(seat)), self.asks(&[]));
        self.game.explain(&view, &[], question.to(seat).expect("a question"), value)
    }

    fn score(&self) -> i64 {
        let mut over = self.state.clone();
        let State::Naval(state) = &mut over else { panic!("a naval battle") };
        state.open.phase = Phase::Over;
        self.game.outcome(&over).unwrap().details["score"].as_i64().unwrap()
    }
}

pub fn dice(faces: &[u8]) -> Answer {
    Answer::Dice(Faces(faces.to_vec()))
}

pub fn choice(value: Value) -> Answer {
    Answer::Choice(value)
}

#[test]
fn a_carrier_is_screened_while_the_guns_of_her_group_outweigh_her() {
    let mut drawn = Drawn::new("matapan-1941");
    let missing = |drawn: &Drawn| -> bool {
        let question = drawn.asks(&[]);
        question.to(Seat(0)).unwrap().prompt.missing.iter().any(|why| why.contains("Formidable is screened"))
    };
    assert!(missing(&drawn));
    for id in ["warspite", "valiant", "barham"] {
        drawn.set(id, Condition::Damaged);
    }
    assert!(missing(&drawn), "cruisers and destroyers are enough");
    let lights = &mut drawn.naval().open.groups[1].lights;
    (lights.cruisers, lights.destroyers) = (0, 2);
    assert!(!missing(&drawn), "two factors cannot screen three");
}

#[test]
fn fast_groups_get_away_on_three_and_slow_ones_from_fast_ones_on_five() {
    for (damaged, face, away) in [(false, 2, false), (false, 3, true), (true, 4, false), (true, 5, true)] {
        let mut drawn = Drawn::new("bismarck-1941");
        if damaged {
            drawn.set("bismarck", Condition::Damaged);
        }
        let open = &mut drawn.naval().open;
        open.engaged = vec![(0, 1)];
        open.phase = Phase::Withdraw(Side::First);
        drawn.run(&[choice(json!(["bismarck-group"])), dice(&[face])]);
        let gone = drawn.naval().open.groups[0].status == Status::Withdrawn;
        assert_eq!(gone, away, "damaged {damaged}, {face}");
        if gone {
            let hurt = if damaged { -5 } else { 0 };
            assert_eq!(drawn.score(), hurt - 3, "the Axis concede 3");
        }
    }
}

#[test]
fn a_group_that_arrives_later_joins_or_fights_alone() {
    for (left, joined) in [(false, true), (true, false)] {
        let mut drawn = Drawn::new("surigao-1944");
        let open = &mut drawn.naval().open;
        (open.round, open.phase) = (3, Phase::Arrivals);
        if left {
            open.groups[0].status = Status::Withdrawn;
        }
        drawn.run(&[]);
        let open = &drawn.naval().open;
        let status = if joined { Status::Merged(0) } else { Status::Here };
        assert_eq!(open.groups[1].status, status);
        assert_eq!(open.groups[0].lights.cruisers, if joined { 3 } else { 1 });
    }
}

#[test]
fn play_and_referee_agree_on_fire() {
    for faces in [[1, 1], [3, 4], [6, 5], [6, 6]] {
        let mut drawn = Drawn::new("bismarck-1941");
        let (bismarck, hood) = (drawn.ship("bismarck"), drawn.ship("hood"));
        let open = &mut drawn.naval().open;
        let guns = vec![Gun::Ship(bismarck), Gun::Cruisers];
        open.fire = vec![Fire { side: Side::First, target: Mark::Ship(hood), guns, hits: 0 }];
        open.phase = Phase::Shot { pair: 0, at: 0 };
        drawn.run(&[dice(&faces)]);
        let hits = drawn.naval().open.fire[0].hits;
        let input = json!({"mode": "fleet",
            "attackers": [
                {"nation": "germany", "factors": 5, "five_factor": true}, {"nation": "germany", "factors": 2}
            ],
            "target": {"kind": "capital-ship", "nation": "britain", "size": 4}});
        let answer = ask(&system(), "naval-attack", input, json!({"dice": faces}));
        assert_eq!(answer["result"]["hits"], json!(hits), "{answer}");
    }
}

/// The Axis carriers strike Task Force 17, which has this much CAP, with all ten squadrons' tasks as given.
fn strike(cap: u8, ready: u8, stage: Stage) -> Drawn {
    let mut drawn = Drawn::new("coral-sea-1942");
    let lexington = drawn.ship("lexington");
    let state = drawn.naval();
    state.tasks[2] = Task { cap, strike: ready };
    state.tasks[0] = Task { cap: 0, strike: 0 };
    state.open.wings[0].flying = 9;
    let aims = vec![(Mark::Ship(lexington), 9)];
    state.open.flights = vec![Flight { side: Side::First, target: 3, force: vec![(0, 9)], aims }];
    state.open.launches = 1;
    state.open.phase = Phase::Strike(stage);
    drawn
}

#[test]
fn squadrons_go_down_with_their_carrier_but_not_those_in_the_air() {
    // Both carriers hold five each: one gone leaves room for five of the six that are aboard.
    for (cap, lost) in [(0, 5), (4, 1), (5, 0)] {
        let mut drawn = strike(cap, 3, Stage::Attack(0));
        drawn.run(&[dice(&[6, 6])]);
        let open = &drawn.naval().open;
        assert_eq!(open.squadrons_lost.second, lost, "{cap} on CAP");
        assert_eq!(u16::from(open.wings[2].count), 10 - lost);
        // Recovery counts those that flew as well.
        drawn.naval().open.phase = Phase::Recovery;
        drawn.run(&[]);
        assert_eq!(drawn.naval().open.wings[2].count, 5);
    }
}

#[test]
fn cap_shows_itself_when_the_strike_arrives_and_fights_before_the_guns() {
    let mut drawn = strike(2, 3, Stage::Arrive);
    assert!(!drawn.naval().open.wings[2].cap_shown);
    drawn.run(&[]);
    assert!(drawn.naval().open.wings[2].cap_shown);
    assert_eq!(drawn.naval().open.phase, Phase::Strike(Stage::Cap));
    let mut without = strike(0, 3, Stage::Arrive);
    without.run(&[]);
    assert_eq!(without.naval().open.phase, Phase::Strike(Stage::Guns));
}

#[test]
fn squadrons_without_a_deck_land_where_there_is_room() {
    let mut drawn = Drawn::new("midway-1942");
    drawn.set("enterprise", Condition::Sunk);
    drawn.set("hornet", Condition::Damaged);
    // Task Force 17 has lost three of its five.
    drawn.naval().open.wings[2].count = 2;
    drawn.naval().open.phase = Phase::Recovery;
    drawn.run(&[]);
    let open = &drawn.naval().open;
    assert_eq!((open.wings[1].count, open.wings[2].count, open.squadrons_lost.second), (0, 5, 7));
}

#[test]
fn equal_surprise_launches_are_sealed_and_unequal_ones_are_not() {
    let launching = |surprise: [u8; 2]| {
        let mut drawn = Drawn::new("coral-sea-1942");
        let open = &mut drawn.naval().open;
        (open.sight.first.found, open.sight.second.found) = (1 << 3, 1);
        (open.sight.first.surprise, open.sight.second.surprise) = (surprise[0], surprise[1]);
        open.phase = Phase::Launch;
        drawn.asks(&[])
    };
    assert!(matches!(launching([1, 1]), Question::Secret { open, .. } if open.len() == 2));
    assert!(matches!(launching([2, 0]), Question::Choice(asked) if asked.seat == Seat(0)));
    assert!(matches!(launching([0, 3]), Question::Choice(asked) if asked.seat == Seat(1)));
}

#[test]
fn a_squadron_in_reserve_helps_the_search_and_is_announced() {
    for (strike, search_air) in [(10, false), (9, true)] {
        let mut drawn = Drawn::new("coral-sea-1942");
        drawn.naval().open.phase = Phase::Tasking;
        let axis = json!({"striking-force.strike": 9, "covering-force.strike": 1});
        let allies = json!({"task-force-17.strike": strike});
        drawn.run(&[Answer::Sealed([(Seat(0), axis), (Seat(1), allies)].into())]);
        let sight = drawn.naval().open.sight;
        assert_eq!((sight.first.search_air, sight.second.search_air), (Some(false), Some(search_air)));
        drawn.run(&[dice(&[3, 3]), dice(&[3, 3])]);
        let sight = drawn.naval().open.sight;
        assert_eq!((sight.first.total, sight.second.total), (6, 6 + i8::from(search_air)));
        assert_eq!(sight.second.found, 1, "the largest group");
    }
}

#[test]
fn aborted_squadrons_are_in_reserve_in_the_next_round() {
    let mut drawn = Drawn::new("coral-sea-1942");
    drawn.naval().open.wings[0].aborted = 4;
    drawn.naval().open.phase = Phase::RoundEnd;
    drawn.run(&[]);
    let wing = drawn.naval().open.wings[0];
    assert_eq!((wing.tired, wing.free()), (4, 5));
    drawn.naval().open.phase = Phase::Tasking;
    let told = drawn.asks(&[]);
    let missing = &told.to(Seat(0)).unwrap().prompt.missing;
    assert!(missing.iter().any(|why| why.contains("4 squadrons aborted in the last round")), "{missing:?}");
}

#[test]
fn merged_groups_keep_their_air_groups_apart_and_the_invasion_its_transports() {
    let mut drawn = Drawn::new("coral-sea-1942");
    assert_eq!(drawn.score(), 6, "the invasion as it stands");
    drawn.run(&[choice(json!({"merge": [0, 1]}))]);
    drawn.run(&[choice(json!({"merge": [0, 2]}))]);
    let open = &drawn.naval().open;
    assert_eq!(open.groups[1].status, Status::Merged(0));
    assert_eq!(open.groups[0].lights.transports, 3);
    assert!(open.groups[0].encumbered, "as one of its parts was");
    assert_eq!(open.wings.iter().filter(|wing| wing.count > 0).count(), 3, "elite and other squadrons");
    assert_eq!(drawn.score(), 6);
    drawn.naval().open.groups[0].lights.transports = 0;
    assert_eq!(drawn.score(), 0);
}

#[test]
fn damaged_and_sunk_ships_score_by_their_size() {
    let mut drawn = Drawn::new("bismarck-1941");
    drawn.set("hood", Condition::Damaged);
    assert_eq!(drawn.score(), 4);
    drawn.set("hood", Condition::Sunk);
    assert_eq!(drawn.score(), 8);
    drawn.set("bismarck", Condition::Damaged);
    drawn.naval().open.groups[1].lights.damaged_cruisers = 1;
    assert_eq!(drawn.score(), 8 - 5 + 2);
}

#[test]
fn the_owner_says_which_light_ships_sink() {
    let mut drawn = Drawn::new("force-z-1941");
    let open = &mut drawn.naval().open;
    open.groups[0].lights.cruisers = 0;
    open.engaged = vec![(0, 1)];
    open.ships[0] = Condition::Sunk;
    open.ships[1] = Condition::Sunk;
    open.fire = vec![Fire { side: Side::Second, target: Mark::Light, guns: vec![Gun::Destroyers], hits: 2 }];
    open.phase = Phase::Effects(0);
    let question = drawn.asks(&[]);
    assert_eq!(question.open()[0].prompt.code, "sunk-classes");
    drawn.run(&[choice(json!({"destroyers": 1, "transports": 1}))]);
    let lights = drawn.naval().open.groups[0].lights;
    assert_eq!((lights.destroyers, lights.transports), (2, 3));
}

#[test]
fn a_fast_group_evades_a_slow_one_without_a_roll_and_is_told_so() {
    // The striking force is fast; Task Force 17 is slow once a carrier is damaged.
    for (slow, label) in [(true, "Evade: it succeeds without a roll"), (false, "Evade: it succeeds on 3 or more")] {
        let mut drawn = Drawn::new("coral-sea-1942");
        if slow {
            drawn.set("lexington", Condition::Damaged);
        }
        drawn.naval().open.phase = Phase::Evade { by: Side::First, own: 0, enemy: 3 };
        let question = drawn.asks(&[]);
        let options = &question.to(Seat(0)).unwrap().options;
        let evade = options.iter().find(|option| option.value == json!("evade")).unwrap();
        assert_eq!(evade.label, label);
        let dice: &[Answer] = if slow { &[] } else { &[dice(&[3])] };
        drawn.run(&[&[choice(json!("evade"))], dice].concat());
        assert!(drawn.naval().open.engaged.is_empty());
    }
    // A slow group gets away from a fast one on 5 or more, and fights if it does not.
    for (face, engaged) in [(4, vec![(0, 3)]), (5, vec![])] {
        let mut drawn = Drawn::new("coral-sea-1942");
        drawn.set("shokaku", Condition::Damaged);
        drawn.naval().open.phase = Phase::Evade { by: Side::First, own: 0, enemy: 3 };
        drawn.run(&[choice(json!("evade")), dice(&[face])]);
        assert_eq!(drawn.naval().open.engaged, engaged);
    }
}

#[test]
fn squadrons_ready_to_strike_go_down_before_the_reserve_of_any_wing() {
    let mut drawn = Drawn::new("coral-sea-1942");
    drawn.run(&[choice(json!({"merge": [0, 1]}))]);
    let shokaku = drawn.ship("shokaku");
    let left: u32 = ["zuikaku", "shoho"].iter().map(|id| system().data().ship(id).unwrap().capacity).sum();
    let state = drawn.naval();
    // Three too many without Shokaku: of the first wing two are ready to strike, of the second its only squadron.
    (state.open.wings[0].count, state.open.wings[1].count) = (left as u8 + 2, 1);
    (state.tasks[0], state.tasks[1]) = (Task { cap: 0, strike: 2 }, Task { cap: 0, strike: 1 });
    state.open.wings[2].flying = 10;
    let aims = vec![(Mark::Ship(shokaku), 10)];
    state.open.flights = vec![Flight { side: Side::Second, target: 0, force: vec![(2, 10)], aims }];
    (state.open.launches, state.open.phase) = (1, Phase::Strike(Stage::Attack(0)));
    drawn.run(&[dice(&[6, 6])]);
    let state = drawn.naval();
    assert_eq!(state.open.squadrons_lost.first, 3);
    assert_eq!([state.open.wings[0].count, state.open.wings[1].count], [left as u8, 0]);
    assert_eq!([state.tasks[0].strike, state.tasks[1].strike], [0, 0]);
}

#[test]
fn a_base_strikes_or_holds_with_all_its_squadrons() {
    let mut files = files();
    let one = "air = [{ nation = \"united-states\", type = \"army-air\", count = 3 }]";
    let two = "air = [{ nation = \"united-states\", type = \"army-air\", count = 3 }, \
               { nation = \"united-states\", type = \"naval-air\", count = 2 }]";
    let scenarios = include_str!("../../data/scenarios-naval.toml");
    assert!(scenarios.contains(one));
    files.lay("scenarios-naval.toml", scenarios.replace(one, two));
    let game = || System::new(&files).unwrap().game("midway-1942", &Value::Null).unwrap();
    for (says, ready) in [(1, 5), (0, 0)] {
        let mut drawn = Drawn::of(game());
        drawn.naval().open.phase = Phase::Tasking;
        let question = drawn.asks(&[]);
        let form = serde_json::to_string(&question.to(Seat(1)).unwrap().form).unwrap();
        assert_eq!(form.matches("Midway, 5: 1 strikes, 0 holds").count(), 1, "{form}");
        let first = |seat| question.to(seat).unwrap().options[0].value.clone();
        let mut allies = first(Seat(1));
        assert_eq!(allies["midway.strike"], json!(1), "{allies}");
        allies["midway.strike"] = json!(says);
        let sealed = |allies: Value| Answer::Sealed([(Seat(0), first(Seat(0))), (Seat(1), allies)].into());
        let mut apart = allies.clone();
        apart["midway.0.strike"] = json!(1);
        let refusal = advance(&drawn.game, &drawn.state, &mut Tape::new(vec![sealed(apart)])).expect_err("a refusal");
        assert_eq!(refusal.code, "unknown-unit");
        drawn.run(&[sealed(allies)]);
        let state = drawn.naval();
        let at_base = state.open.wings.iter().zip(&state.tasks).filter(|(wing, _)| wing.home == Home::Base(0));
        assert_eq!(at_base.map(|(_, task)| task.strike).sum::<u8>(), ready);
        assert_eq!(state.open.sight.second.search_air, Some(says == 0), "a base that holds searches");
    }
}

#[test]
fn transports_behind_a_screen_take_no_hits() {
    for (screened, left) in [(true, [0, 1, 2]), (false, [0, 0, 2])] {
        let mut drawn = Drawn::new("matapan-1941");
        let open = &mut drawn.naval().open;
        let lights = &mut open.groups[1].lights;
        (lights.cruisers, lights.destroyers, lights.transports) = (1, 2, 2);
        let (pair, guns) = ((0, 1), vec![Gun::Cruisers]);
        open.engaged = vec![pair];
        open.fire = vec![Fire { side: Side::First, target: Mark::Light, guns, hits: if screened { 3 } else { 4 } }];
        open.phase = Phase::Effects(0);
        if !screened {
            for id in ["warspite", "valiant", "barham"] {
                drawn.set(id, Condition::Damaged);
            }
            // The owner chooses, and gives up what a screen would have left as targets.
            drawn.run(&[choice(json!({"destroyers": 2}))]);
        } else {
            drawn.run(&[]);
        }
        let lights = drawn.naval().open.groups[1].lights;
        assert_eq!([lights.cruisers, lights.destroyers, lights.transports], left, "screened {screened}");
    }
}

/// The chances that a question tells, by label.
pub fn chance(insight: &Insight, label: &str) -> Option<String> {
    insight.chances.iter().find(|chance| chance.label == label).map(|chance| chance.chance.to_string())
}

#[test]
fn the_odds_of_targets_and_of_fire_are_those_of_the_referee() {
    let referee = |input: Value| -> Vec<(String, String)> {
        let answer = ask(&system(), "naval-attack", input, json!({"odds": true, "field": "effect.state"}));
        let odds = answer["odds"]["effect.state"].as_object().unwrap_or_else(|| panic!("{answer}")).clone();
        odds.into_iter().map(|(state, chance)| (state, chance.as_str().unwrap().to_owned())).collect()
    };
    let mut drawn = strike(0, 3, Stage::Targets);
    drawn.naval().open.flights[0].aims.clear();
    let told = drawn.told(Seat(0), Some(&json!({"lexington": 4, "yorktown": 5})));
    for (at, (squadrons, ship)) in [(4, "lexington"), (5, "yorktown")].into_iter().enumerate() {
        let size = system().data().ship(ship).unwrap().size;
        let air = json!([{"nation": "japan", "type": "naval-air", "elite": true, "count": squadrons}]);
        let target = json!({"kind": "cv", "nation": "united-states", "size": size});
        let odds = referee(json!({"mode": "air", "attackers": air, "target": target}));
        for (state, said) in odds.iter().filter(|(state, _)| state != "unharmed") {
            assert_eq!(chance(&told[at + 1], state).as_ref(), Some(said), "{ship} {state}: {:?}", told[at + 1]);
        }
    }
    let drawn = Drawn::new("bismarck-1941");
    let salvo = |firer: &str| json!({"firer": firer, "target": "hood"});
    let told = drawn.told(Seat(0), Some(&json!([salvo("bismarck"), salvo("cruisers")])));
    let odds = referee(json!({"mode": "fleet",
        "attackers": [
            {"nation": "germany", "factors": 5, "five_factor": true}, {"nation": "germany", "factors": 2}
        ],
        "target": {"kind": "capital-ship", "nation": "britain", "size": 4}}));
    for (state, said) in odds.iter().filter(|(state, _)| state != "unharmed") {
        assert_eq!(chance(&told[1], state).as_ref(), Some(said), "{state}: {:?}", told[1]);
    }
}

#[test]
fn leaving_and_staying_are_told_with_the_score_they_bring() {
    let mut drawn = Drawn::new("bismarck-1941");
    drawn.set("hood", Condition::Sunk);
    let open = &mut drawn.naval().open;
    open.engaged = vec![(0, 1)];
    open.phase = Phase::Withdraw(Side::First);
    let told = drawn.told(Seat(0), None);
    let titles: Vec<&str> = told.iter().map(|insight| insight.title.as_str()).collect();
    assert_eq!(titles, ["If all your groups leave now", "Bismarck Group gets away", "If you stay"]);
    assert_eq!(chance(&told[1], "yes").as_deref(), Some("2/3"), "3 or more");
    let stays = told[2].lines.clone();
    assert!(stays[0].starts_with("The score is 8 now: "), "{stays:?}");
    assert!(stays[1].starts_with("The next round of fire can bring you "), "{stays:?}");
    assert!(stays[2].starts_with("At the end it may stand near "), "{stays:?}");
    drawn.run(&[choice(json!(["bismarck-group"])), dice(&[6])]);
    let score = drawn.score();
    assert!(told[0].lines[0].starts_with(&format!("The battle would stand at {score}: ")), "{:?}", told[0].lines);
    let mut question = Drawn::new("bismarck-1941");
    question.naval().open.engaged = vec![(0, 1)];
    question.naval().open.phase = Phase::Withdraw(Side::First);
    let asked = question.asks(&[]);
    let asked = asked.to(Seat(0)).unwrap();
    assert!(asked.prompt.text.starts_with("Stay for another round, or withdraw? A side that leaves"));
    let labels: Vec<&str> = asked.options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["Stay", "Bismarck Group withdraws on 3 or more"]);
}

/// The luck that every throw of so many dice brings the side that the step's luck is about, beside its mean.
fn luck_averages_out(drawn: &Drawn, count: u32, seat: usize) {
    let (mut sum, mut expected) = (0, None);
    for throw in 0..6u32.pow(count) {
        let faces: Vec<u8> = (0..count).map(|at| (throw / 6u32.pow(at) % 6 + 1) as u8).collect();
        let answers: Vec<Answer> = faces.chunks(2).map(dice).collect();
        let next = match advance(&drawn.game, &drawn.state, &mut Tape::new(answers)) {
            Ok(Progress::Stepped(next)) => next,
            other => panic!("{other:?}"),
        };
        let luck = drawn.game.luck(&drawn.state, &next)[seat];
        sum += luck.real;
        assert!(expected.is_none_or(|known| known == luck.expected), "the mean does not depend on the dice");
        expected = Some(luck.expected);
    }
    let mean = sum / 6i64.pow(count);
    let expected = expected.unwrap();
    assert!(expected > 0 && (mean - expected).abs() <= 1, "{mean} on average, {expected} expected");
}

#[test]
fn luck_at_sea_is_what_the_dice_gave_beside_their_mean() {
    let mut drawn = Drawn::new("bismarck-1941");
    let (bismarck, hood) = (drawn.ship("bismarck"), drawn.ship("hood"));
    let open = &mut drawn.naval().open;
    open.fire = vec![Fire { side: Side::First, target: Mark::Ship(hood), guns: vec![Gun::Ship(bismarck)], hits: 0 }];
    open.phase = Phase::Shot { pair: 0, at: 0 };
    luck_averages_out(&drawn, 2, 0);
    luck_averages_out(&strike(0, 3, Stage::Attack(0)), 2, 0);
    luck_averages_out(&strike(0, 3, Stage::Guns), 2, 1);
    for seat in [0, 1] {
        luck_averages_out(&strike(4, 3, Stage::Cap), 4, seat);
    }
}
