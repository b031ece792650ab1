//! Nobody learns what is not his to know, followed over time: beside the true game runs, for each seat and for a
//! spectator, a world that looks the same to him. Both are given the same answers and the same dice. As long as nothing
//! is uncovered in everybody's sight the two must go on looking the same: view, scene, questions, offers, notes,
//! refusals.

use flagplot_carrier_strike::game::{Action, Phase, SquadronId, State};
use flagplot_carrier_strike::{CarrierGame, System, files};
use flagplot_kernel::{Ask, Asked, Chance, Choice, Die, Game, Note, Seat, Unanswered, Viewer};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

const SCENARIOS: [&str; 7] =
    ["first-strike", "pull-back-the-horns", "kamikaze", "coral-sea", "hiryu-alone", "santa-cruz", "philippine-sea"];
const VIEWERS: [Viewer; 3] = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];
const STATES: u32 = 10_000;

/// Events in which hidden facts come to light; after any other both worlds must look the same.
const UNCOVERS: [&str; 16] = [
    "search-begins",
    "group-detected",
    "dummy-exposed",
    "dummies-meet",
    "decoy-exposed",
    "carrier-detected",
    "exposed-by-guns",
    "surface-action",
    "fight",
    "step",
    "flak",
    "strike",
    "over-the-target",
    "fuel-spent",
    "disengaged",
    "victory",
];

/// Something that was asked, and what was answered.
#[derive(Clone)]
struct Asking {
    seat: Option<Seat>,
    code: &'static str,
    answer: Value,
    /// Everything a seat is shown when asked.
    shown: Option<String>,
    /// What was said to answers that are not allowed.
    refusals: String,
}

/// The first place at which two texts differ, with what is round it.
fn difference(one: &str, other: &str) -> String {
    let at = one.bytes().zip(other.bytes()).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()));
    let cut = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(400)..(at + 100).min(text.len())]).into_owned()
    };
    format!("truth: …{}…\nworld: …{}…", cut(one), cut(other))
}

fn shown<C: Choice>(choice: &C) -> String {
    let options: Vec<Value> =
        choice.candidates().iter().map(|option| json!([option.value, option.label, option.pieces])).collect();
    json!([choice.prompt(), options, choice.form()]).to_string()
}

/// Answers of all kinds, put to every question: most of them are refused.
fn trials() -> Vec<Value> {
    let mut all: Vec<Value> = [
        r#"{"action":"pass"}"#,
        r#"{"action":"disengage"}"#,
        r#"{"action":"move-cv","to":{"red-cv":[6000,12000]}}"#,
        r#"{"action":"move-cv","to":{"blue-a":[6000,500]}}"#,
        r#"{"action":"launch","squadron":"b2","at":[6000,1000],"dummy":true}"#,
        r#"{"action":"launch","squadron":"r2","at":[6000,15000],"dummy":true}"#,
        r#"{"action":"strike","squadrons":["b1","b2"],"path":[[6000,15000]]}"#,
        r#"{"action":"strike","squadrons":["r1"],"path":[[6000,500]]}"#,
        r#"{"path":[[6000,8000]]}"#,
        r#"{"contact":"intercept","squadrons":["b1"]}"#,
        r#"{"contact":"intercept","squadrons":["r1","r2"]}"#,
        r#"{"contact":"give-way","line":[0,3000]}"#,
        r#"{"strike":"b1"}"#,
        r#"{"stance":"gung-ho","markers":{"red":1,"blue":1}}"#,
        "5",
        "[0,3000]",
        r#""stay""#,
        r#"{"b1":1}"#,
        r#"{"r1":[0,-2999]}"#,
    ]
    .into_iter()
    .map(|text| serde_json::from_str(text).expect("a trial is JSON"))
    .collect();
    // Every piece of the other side as a target, whether it is there, hidden, lost or no part of the scenario.
    for (own, card, enemies) in [("b", "blue", "r"), ("r", "red", "b")] {
        let enemy_card = if own == "b" { "red" } else { "blue" };
        let targets = (1..=4).map(|n| format!("{enemies}{n}")).chain((1..=2).map(|n| format!("{enemies}r{n}")));
        for target in targets.chain(["a", "b", "cv"].map(|label| format!("{enemy_card}-{label}"))) {
            for by in [format!("{own}1"), format!("{own}r1"), format!("{card}-cv")] {
                all.push(json!({"action": "detect", "by": by, "target": target}));
            }
            all.push(json!({"action": "dogfight", "squadrons": [format!("{own}1")], "target": target}));
            all.push(json!({"action": "dogfight", "squadrons": [format!("{own}2")], "target": target,
                "detect": {"by": format!("{own}2")}}));
            all.push(json!({"action": "move", "squadrons": [format!("{own}r1")], "path": [[6000, 8000]],
                "detect": {"when": "after", "by": format!("{own}r1")}}));
        }
    }
    all
}

fn refusals<C: Choice>(choice: &C, trials: &[Value]) -> String {
    let said = trials.iter().map(|trial| match serde_json::from_value::<C::Value>(trial.clone()) {
        Ok(value) => choice.check(&value).err().map(|refusal| json!(refusal)),
        Err(_) => None,
    });
    json!(said.collect::<Vec<_>>()).to_string()
}

/// Plays the truth and writes down what happens.
struct Recorder<'a> {
    chance: &'a mut Chance,
    keen: u32,
    closely: bool,
    trials: &'a [Value],
    asked: Vec<Asking>,
    notes: Vec<Note>,
}

impl Ask for Recorder<'_> {
    fn roll(&mut self, die: Die, _: impl Display) -> Asked<u8> {
        let face = self.chance.face(die);
        self.asked.push(Asking { seat: None, code: "die", answer: json!(face), shown: None, refusals: String::new() });
        Ok(face)
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        let value =
            if self.chance.below(10) < self.keen { choice.instinct(self.chance) } else { choice.sample(self.chance) };
        self.asked.push(Asking {
            seat: Some(choice.seat()),
            code: choice.prompt().code,
            answer: json!(value),
            shown: self.closely.then(|| shown(choice)),
            refusals: if self.closely { refusals(choice, self.trials) } else { String::new() },
        });
        Ok(value)
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        self.notes.push(note);
    }
}

/// Gives the same answers in another world, as long as they can be given there.
struct Follower<'a> {
    viewer: Viewer,
    asked: std::slice::Iter<'a, Asking>,
    trials: &'a [Value],
    /// The truth and this world before the step.
    before: [&'a State; 2],
    /// Whether the other side does something else that looks the same, where it can.
    otherwise: bool,
    notes: Vec<Note>,
    /// The other side could not have answered so there: the worlds part without a leak.
    parted: bool,
    differs: Option<String>,
}

impl Follower<'_> {
    /// Answers that look the same from outside where the other side's own cannot be given: a dummy in place of a
    /// squadron or the other way round, deck work on somebody else.
    fn alike(&self, answer: &Value) -> Vec<Value> {
        let [truth, _] = self.before;
        let side = truth.phasing;
        match answer["action"].as_str() {
            Some("launch") => {
                let mut other = answer.clone();
                other["dummy"] = json!(answer["dummy"] != json!(true));
                vec![other]
            }
            Some("fly-home") => vec![
                json!({"action": "fly-home", "squadron": answer["squadron"], "card": self.flown_to(answer)[0]}),
                json!({"action": "fly-home", "squadron": answer["squadron"]}),
            ],
            Some("refuel" | "re-arm") => {
                let own = SquadronId::of(side).filter(|id| !id.is_recce());
                own.flat_map(|id| {
                    [
                        json!({"action": "refuel", "squadron": id}),
                        json!({"action": "re-arm", "squadron": id, "role": "strike"}),
                        json!({"action": "re-arm", "squadron": id, "role": "fighter"}),
                    ]
                })
                .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The card a flight home leads to, in truth and here: everybody sees where it goes.
    fn flown_to(&self, answer: &Value) -> [Option<String>; 2] {
        self.before.map(|state| {
            let side = state.phasing;
            let own = &state.carriers[side];
            answer["card"]
                .as_str()
                .map(str::to_owned)
                .or_else(|| own.real.map(|at| own.card_id(side, usize::from(at)).to_string()))
        })
    }

    /// Whether an answer is seen to do in this world what the true one did.
    fn looks_same(&self, truth: &Value, here: &Value) -> bool {
        truth["action"] != "fly-home" || self.flown_to(truth)[0] == self.flown_to(here)[1]
    }

    fn wrong(&mut self, what: String) -> Unanswered {
        self.differs.get_or_insert(what);
        Unanswered
    }
}

impl Ask for Follower<'_> {
    fn roll(&mut self, _: Die, what: impl Display) -> Asked<u8> {
        match self.asked.next() {
            Some(Asking { seat: None, answer, .. }) => Ok(answer.as_u64().unwrap_or(1) as u8),
            other => {
                let other = other.map_or("nothing", |asking| asking.code);
                Err(self.wrong(format!("a die for {what} where the truth has {other}")))
            }
        }
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        let code = choice.prompt().code;
        let truth = match self.asked.next() {
            Some(truth) if truth.seat == Some(choice.seat()) && truth.code == code => truth,
            other => {
                let other = other.map_or("nothing", |asking| asking.code);
                return Err(self.wrong(format!("'{code}' is asked where the truth has {other}")));
            }
        };
        let own = self.viewer == Viewer::Seat(choice.seat());
        if own && let Some(there) = &truth.shown {
            if *there != shown(choice) {
                return Err(self.wrong(format!("'{code}' is asked differently:\n{there}\n{}", shown(choice))));
            }
            let here = refusals(choice, self.trials);
            if truth.refusals != here {
                return Err(self.wrong(format!("'{code}' refuses differently:\n{}\n{here}", truth.refusals)));
            }
        }
        let value: C::Value = serde_json::from_value(truth.answer.clone()).expect("an answer can be read back");
        let alike = if own { Vec::new() } else { self.alike(&truth.answer) };
        if !own && !self.looks_same(&truth.answer, &truth.answer) {
            self.parted = true;
            return Err(Unanswered);
        }
        let alike: Vec<Value> = alike.into_iter().filter(|here| self.looks_same(&truth.answer, here)).collect();
        let fits = alike
            .into_iter()
            .filter_map(|answer| serde_json::from_value::<C::Value>(answer).ok())
            .find(|value| choice.check(value).is_ok());
        match (choice.check(&value), fits) {
            (_, Some(other)) if self.otherwise => Ok(other),
            (Ok(()), _) => Ok(value),
            (Err(refusal), _) if own => Err(self.wrong(format!("'{code}' refuses {}: {refusal}", truth.answer))),
            (Err(_), Some(other)) => Ok(other),
            (Err(_), None) => {
                self.parted = true;
                Err(Unanswered)
            }
        }
    }

    fn listening(&self) -> bool {
        true
    }

    fn record(&mut self, note: Note) {
        self.notes.push(note);
    }
}

/// What the test has come across.
#[derive(Default)]
struct Seen {
    states: u32,
    compared: u32,
    long: u32,
    unlike: u32,
    codes: BTreeMap<String, u32>,
}

/// Whether squadrons are on a path that only their owner knows.
fn on_a_path(state: &State) -> bool {
    let Phase::Action(underway) = &state.phase else { return false };
    underway.flight().is_some_and(|flight| flight.walk.is_some())
}

fn follow(game: &CarrierGame, scenario: &str, seed: u64, trials: &[Value], seen: &mut Seen) {
    let mut chance = Chance::stream(4711, seed);
    let keen = [0, 4, 8][(seed % 3) as usize];
    let mut truth = game.setup();
    let mut worlds: [Option<(State, u32)>; 3] = [None, None, None];
    while game.outcome(&truth).is_none() && seen.states < STATES {
        seen.states += 1;
        let closely = seen.states.is_multiple_of(16);
        let at =
            |viewer: Viewer| format!("{scenario}, game {seed}, {viewer:?}, state {} at {:?}", seen.states, truth.phase);
        for (world, viewer) in worlds.iter_mut().zip(VIEWERS) {
            let view = game.view(&truth, viewer);
            let (world, _) = world.get_or_insert_with(|| (game.imagine(&view, &mut chance), 0));
            let there = game.view(world, viewer);
            assert!(there == view, "{}: the worlds look different\n{}\n{}", at(viewer), json!(view), json!(there));
            if closely {
                assert!(game.scene(&there) == game.scene(&view), "{}: the scenes differ", at(viewer));
            }
        }
        let before = truth.clone();
        let mut recorder =
            Recorder { chance: &mut chance, keen, closely, trials, asked: Vec::new(), notes: Vec::new() };
        game.step(&mut truth, &mut recorder).expect("the truth goes on");
        let Recorder { asked, notes, .. } = recorder;
        for code in asked.iter().map(|asking| asking.code).chain(notes.iter().map(|note| note.what)) {
            *seen.codes.entry(code.to_owned()).or_default() += 1;
        }
        if asked.iter().any(|asking| asking.answer["dummy"] == json!(true)) {
            *seen.codes.entry("dummy launched".into()).or_default() += 1;
        }
        for (place, viewer) in worlds.iter_mut().zip(VIEWERS) {
            let Some((mut world, age)) = place.take() else { continue };
            let there = world.clone();
            let mut follower = Follower {
                viewer,
                asked: asked.iter(),
                trials,
                before: [&before, &there],
                otherwise: chance.below(2) == 0,
                notes: Vec::new(),
                parted: false,
                differs: None,
            };
            let done = game.step(&mut world, &mut follower);
            let heard = |notes: &[Note]| {
                notes.iter().filter(|note| note.seen_by(viewer)).map(|note| json!(note).to_string()).collect::<Vec<_>>()
            };
            // When both have laid their cards, the cards are in sight; and who goes on along a secret path is seen to
            // do so.
            let laid = matches!(before.phase, Phase::Cards(_)) || on_a_path(&before);
            let uncovered = laid
                || notes
                    .iter()
                    .chain(&follower.notes)
                    .any(|note| note.seen_by(viewer) && UNCOVERS.contains(&note.what));
            let here = format!("{scenario}, game {seed}, {viewer:?}, age {age}, after {:?}", before.phase);
            if follower.parted {
                continue;
            }
            seen.compared += 1;
            seen.long += u32::from(age >= 5);
            // What is asked at the start of a step depends on nothing that the step uncovers.
            if let Some(what) = &follower.differs {
                assert!(uncovered, "{here}: {what}");
                continue;
            }
            assert!(done.is_ok(), "{here}: the other world stops");
            let same =
                game.view(&world, viewer) == game.view(&truth, viewer) && heard(&notes) == heard(&follower.notes);
            if same {
                // Now and then another world is followed, lest they all grow alike.
                seen.unlike +=
                    u32::from(SquadronId::all().any(|id| world[id].up() && world[id].dummy != truth[id].dummy));
                *place = (chance.below(20) > 0).then_some((world, age + 1));
            } else {
                assert!(
                    uncovered,
                    "{here}: the worlds part and nothing was uncovered\n{:?}\n{:?}\n{}",
                    heard(&notes),
                    heard(&follower.notes),
                    difference(
                        &json!(game.view(&truth, viewer)).to_string(),
                        &json!(game.view(&world, viewer)).to_string()
                    )
                );
            }
        }
    }
}

#[test]
fn worlds_that_look_the_same_go_on_looking_the_same() {
    let system = System::new(&files()).unwrap();
    let games: Vec<CarrierGame> =
        SCENARIOS.iter().map(|scenario| system.game(scenario, &Value::Null).unwrap()).collect();
    let trials = trials();
    let mut seen = Seen::default();
    let mut seed = 0;
    while seen.states < STATES {
        let which = (seed % games.len() as u64) as usize;
        follow(&games[which], SCENARIOS[which], seed, &trials, &mut seen);
        seed += 1;
    }
    let wanted = [
        "setup-cards",
        "setup-roles",
        "setup-deployed",
        "choose-action",
        "detection-number",
        "stance",
        "contact",
        "path",
        "resume",
        "slide",
        "shed",
        "strike-next",
        "after-strike",
        "break-off",
        "allocate",
        "step-3-move",
        "deck-work",
        "ditching",
        "fuel-spent",
        "dummy launched",
        "dummy-exposed",
        "decoy-exposed",
        "slips-away",
    ];
    let missing: Vec<&str> = wanted.into_iter().filter(|code| !seen.codes.contains_key(*code)).collect();
    assert!(missing.is_empty(), "the games never came to {missing:?}; they came to {:?}", seen.codes);
    assert!(seen.unlike > STATES / 2, "a dummy flew beside a squadron in {} steps only", seen.unlike);
    assert!(
        seen.compared > 2 * STATES && seen.long > STATES,
        "too little was followed: {} steps, {} of them in worlds already followed for five",
        seen.compared,
        seen.long
    );
}

#[test]
fn a_hidden_target_is_refused_in_the_words_for_one_that_is_not_there() {
    let system = System::new(&files()).unwrap();
    // Blue has two combat squadrons and one scout there, so b3, b4 and br2 do not exist.
    let game = system.game("pull-back-the-horns", &Value::Null).unwrap();
    let mut chance = Chance::seeded(5);
    let mut state = game.setup();
    let mut checked = 0;
    while game.outcome(&state).is_none() {
        if state.phase == flagplot_carrier_strike::game::Phase::Choose && state.phasing == flagplot_kernel::Side::Second
        {
            let mut words = BTreeSet::new();
            for target in ["b1", "b2", "b3", "b4", "br1", "br2"] {
                let id = flagplot_carrier_strike::game::SquadronId::named(target).unwrap();
                if state[id].up() {
                    continue;
                }
                for action in [
                    json!({"action": "detect", "by": "rr1", "target": target}),
                    json!({"action": "dogfight", "squadrons": ["r1"], "target": target}),
                ] {
                    let action: Action = serde_json::from_value(action).unwrap();
                    let barred = game.legal(&state, state.phasing, &action).expect_err("there is nothing to aim at");
                    let refusal = flagplot_kernel::Refusal::from(barred);
                    words.insert(format!(
                        "{:?} {}",
                        std::mem::discriminant(&action),
                        json!(refusal).to_string().replace(&id.to_string(), "X")
                    ));
                }
            }
            assert!(words.len() <= 2, "hidden targets can be told apart: {words:?}");
            checked += 1;
        }
        let mut sampler = flagplot_kernel::Sampler::new(&mut chance, flagplot_kernel::AtRandom);
        game.step(&mut state, &mut sampler).unwrap();
    }
    assert!(checked > 20);
}
