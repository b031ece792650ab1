//! Squadrons at their tasks and launches: what the player is told, compared with the referee; squadrons that are away;
//! battles in which nobody is asked for tasks.

use crate::common::{ask, system};
use crate::naval_fixtures::{Drawn, chance, choice, dice};
use crate::naval_play::{game, walk};
use flagplot_kernel::{
    Answer, ByInstinct, Chance, Game, Insight, Question, Sampler, Seat, Side, Tape, Viewer, advance,
};
use flagplot_odds::Fraction;
use flagplot_world_at_war::game::naval::state::{Condition, Fire, Flight, Gun, Mark, Phase, Stage, Task};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What the referee says of a field: each value with its chance.
fn odds(procedure: &str, input: &Value, field: &str) -> Vec<(String, Fraction)> {
    let answer = ask(&system(), procedure, input.clone(), json!({"odds": true, "field": field}));
    let table = answer["odds"][field].as_object().unwrap_or_else(|| panic!("{procedure} {field}: {answer}")).clone();
    let parsed = |chance: &Value| Fraction::parse(chance.as_str().expect("a text")).expect("a fraction");
    table.into_iter().map(|(value, chance)| (value, parsed(&chance))).collect()
}

/// The chance of one value; nothing if it never happens.
fn of(odds: &[(String, Fraction)], value: &str) -> Fraction {
    odds.iter().find(|(known, _)| known == value).map_or_else(Fraction::zero, |(_, chance)| chance.clone())
}

fn said(insight: &Insight, label: &str) -> Fraction {
    chance(insight, label).map_or_else(Fraction::zero, |text| Fraction::parse(&text).expect("a fraction"))
}

fn otherwise(chance: &Fraction) -> Fraction {
    Fraction::new(chance.denominator() - chance.numerator(), chance.denominator().clone())
}

/// The insight with this title.
fn titled<'a>(told: &'a [Insight], title: &str) -> &'a Insight {
    let titles: Vec<&str> = told.iter().map(|insight| insight.title.as_str()).collect();
    told.iter().find(|insight| insight.title == title).unwrap_or_else(|| panic!("no '{title}' among {titles:?}"))
}

/// The mean of whole numbers as people read it, with one decimal.
fn mean(odds: &[(String, Fraction)]) -> String {
    let weighed = odds.iter().map(|(value, chance)| Fraction::new(value.parse::<u32>().unwrap(), 1u32).times(chance));
    let mean = weighed.fold(Fraction::zero(), |sum, part| sum.plus(&part));
    let whole = |part: &dyn ToString| part.to_string().parse::<u128>().unwrap();
    let tenths = (whole(mean.numerator()) * 100 / whole(mean.denominator()) + 5) / 10;
    format!("Squadrons that get through, on average: {}.{}.", tenths / 10, tenths % 10)
}

/// How many get through is what the referee says.
fn gets_through_as_ruled(insight: &Insight, input: &Value) -> Vec<(String, Fraction)> {
    let attacked = odds("air-strike", input, "attackers.attacked");
    assert_eq!(said(insight, "no squadron gets through"), of(&attacked, "0"), "{insight:?}");
    assert_eq!(insight.lines[0], mean(&attacked));
    attacked
}

/// Japanese squadrons over a group; none is an empty list.
fn patrol(count: u32, elite: bool) -> Value {
    let air = json!({"nation": "japan", "type": "naval-air", "elite": elite, "count": count});
    if count == 0 { json!([]) } else { json!([air]) }
}

fn americans(count: u32) -> Value {
    json!([{"nation": "united-states", "type": "naval-air", "count": count}])
}

/// The covering force without its cruisers and destroyers: Shoho alone.
fn shoho_alone() -> Drawn {
    let mut drawn = Drawn::new("coral-sea-1942");
    let lights = &mut drawn.naval().open.groups[1].lights;
    (lights.cruisers, lights.destroyers) = (0, 0);
    drawn
}

/// A strike of American squadrons on Shoho alone.
fn on_shoho(squadrons: u32, cap: u32, surprise: u32) -> Value {
    let shoho = json!({"kind": "cvl", "nation": "japan", "size": 2});
    let targets = json!([{"id": "shoho", "squadrons": squadrons, "ship": shoho}]);
    json!({"attackers": americans(squadrons), "cap": patrol(cap, false), "defenses": {"naval_factors": 2},
        "surprise_level": surprise, "targets": targets})
}

/// Getting through, sinking and damaging are what the referee says of a strike with one target.
fn strikes_as_ruled(insight: &Insight, input: &Value) {
    gets_through_as_ruled(insight, input);
    let effect = odds("air-strike", input, "attacks.0.effect.state");
    assert_eq!(said(insight, "sinks a named ship"), of(&effect, "sunk"), "{insight:?}");
    let harmed = of(&effect, "sunk").plus(&of(&effect, "damaged"));
    assert_eq!(said(insight, "damages or sinks a named ship"), harmed, "{insight:?}");
    assert!(of(&effect, "sunk") != Fraction::zero() && of(&effect, "damaged") != Fraction::zero());
}

#[test]
fn tasking_tells_what_the_search_finds_as_the_referee_does() {
    let mut drawn = Drawn::new("coral-sea-1942");
    drawn.naval().open.phase = Phase::Tasking;
    let told = drawn.told(Seat(1), None);
    for (title, modifier) in [("Groups found with a squadron in reserve", 1), ("Groups found without a reserve", 0)] {
        let input = json!({"sides": [{"groups": 1, "modifier": modifier}, {"groups": 3}]});
        let ruled = odds("naval-search", &input, "sides.0.groups_found");
        let insight = titled(&told, title);
        for found in ["0", "1", "2", "3"] {
            assert_eq!(said(insight, found), of(&ruled, found), "{title}: {found}");
        }
    }
}

#[test]
fn tasking_tells_a_strike_as_the_referee_rules_on_it() {
    let mut drawn = shoho_alone();
    drawn.naval().open.phase = Phase::Tasking;
    let told = drawn.told(Seat(1), Some(&json!({"task-force-17.cap": 2, "task-force-17.strike": 7})));
    for (what, cap) in [("no CAP", 0), ("a quarter on CAP", 1), ("as much CAP as may fly", 1)] {
        let title = format!("7 squadrons against Covering Force, if it has {what}");
        strikes_as_ruled(titled(&told, &title), &on_shoho(7, cap, 0));
    }
    // The striking force has guns as well, and five of its nine squadrons may fly CAP.
    let named: u32 = ["shokaku", "zuikaku"].iter().map(|id| system().data().ship(id).unwrap().size).sum();
    for (what, cap) in [("no CAP", 0), ("a quarter on CAP", 3), ("as much CAP as may fly", 5)] {
        let ship = json!({"kind": "cv", "nation": "japan", "size": 3});
        let input = json!({"attackers": americans(7), "cap": patrol(cap, true),
            "defenses": {"naval_factors": named + 6},
            "targets": [{"id": "any", "squadrons": 7, "ship": ship}]});
        let insight = titled(&told, &format!("7 squadrons against Striking Force, if it has {what}")).clone();
        let attacked = gets_through_as_ruled(&insight, &input);
        // Each number that gets through does what it is told at its targets.
        let (mut sinks, mut harms) = (Fraction::zero(), Fraction::zero());
        for (left, share) in attacked.iter().filter(|(left, _)| left != "0") {
            let mut over = shoho_alone();
            let force = vec![(2, left.parse().unwrap())];
            over.naval().open.flights = vec![Flight { side: Side::Second, target: 0, force, aims: Vec::new() }];
            over.naval().open.phase = Phase::Strike(Stage::Targets);
            let told = over.told(Seat(1), None);
            let ships = told.iter().filter(|insight| insight.chances.iter().any(|known| known.label == "sunk"));
            let (mut afloat, mut unharmed) = (Fraction::one(), Fraction::one());
            for insight in ships {
                let sunk = said(insight, "sunk");
                afloat = afloat.times(&otherwise(&sunk));
                unharmed = unharmed.times(&otherwise(&sunk.plus(&said(insight, "damaged"))));
            }
            sinks = sinks.plus(&share.times(&otherwise(&afloat)));
            harms = harms.plus(&share.times(&otherwise(&unharmed)));
        }
        assert_eq!(said(&insight, "sinks a named ship"), sinks, "{what}");
        assert_eq!(said(&insight, "damages or sinks a named ship"), harms, "{what}");
    }
}

#[test]
fn launching_tells_a_strike_as_the_referee_rules_on_it() {
    for surprise in [0, 3] {
        let mut drawn = shoho_alone();
        let state = drawn.naval();
        state.tasks[2] = Task { cap: 0, strike: 10 };
        state.tasks[1] = Task { cap: 1, strike: 0 };
        state.open.sight.second.found = 0b10;
        state.open.sight.second.surprise = surprise;
        state.open.phase = Phase::Launch;
        let sent = json!({"task-force-17>covering-force": 6});
        let told = drawn.told(Seat(1), Some(&sent));
        assert_eq!(told.len(), 3, "one for each patrol that may be there: {told:?}");
        for (insight, cap) in told.iter().zip([0, 1, 1]) {
            strikes_as_ruled(insight, &on_shoho(6, cap, surprise.into()));
        }
        // CAP that has shown itself is reckoned with as it is.
        drawn.naval().open.wings[1].cap_shown = true;
        let told = drawn.told(Seat(1), Some(&sent));
        assert_eq!(told.len(), 1, "{told:?}");
        strikes_as_ruled(titled(&told, "6 squadrons against Covering Force"), &on_shoho(6, 1, surprise.into()));
    }
}

#[test]
fn committed_squadrons_are_away_for_the_first_round() {
    let mut drawn = Drawn::new("midway-1942");
    assert_eq!((drawn.naval().open.wings[0].away, drawn.naval().open.wings[0].free()), (6, 12));
    drawn.naval().open.phase = Phase::Tasking;
    let asked = drawn.asks(&[]);
    let missing = &asked.to(Seat(0)).unwrap().prompt.missing;
    assert!(missing.iter().any(|why| why.contains("6 squadrons away until the end of the round.")), "{missing:?}");
    let sealed = |cap: u8, strike: u8| {
        let axis = json!({"striking-force.cap": cap, "striking-force.strike": strike});
        Answer::Sealed([(Seat(0), axis)].into())
    };
    // Twelve have tasks, and half of the twelve may fly CAP, not half of the eighteen.
    for (answer, code) in [(sealed(0, 13), "too-many-squadrons"), (sealed(7, 5), "too-much-cap")] {
        let refusal = advance(&drawn.game, &drawn.state, &mut Tape::new(vec![answer])).expect_err("a refusal");
        assert_eq!(refusal.code, code, "{refusal}");
    }
    assert!(advance(&drawn.game, &drawn.state, &mut Tape::new(vec![sealed(6, 6)])).is_ok());
    // A carrier that goes down takes none of those away with her; they need a deck when they come back.
    let akagi = drawn.ship("akagi");
    let aims = vec![(Mark::Ship(akagi), 10)];
    let state = drawn.naval();
    state.tasks[0] = Task { cap: 0, strike: 12 };
    state.open.wings[1].flying = 10;
    state.open.flights = vec![Flight { side: Side::Second, target: 0, force: vec![(1, 10)], aims }];
    (state.open.launches, state.open.phase) = (1, Phase::Strike(Stage::Attack(0)));
    drawn.run(&[dice(&[6, 6])]);
    let capacity = |id: &str| system().data().ship(id).unwrap().capacity as u16;
    let room: u16 = ["kaga", "soryu", "hiryu"].into_iter().map(capacity).sum();
    assert!(room >= 12, "the other carriers have room for those aboard");
    assert_eq!(drawn.naval().open.squadrons_lost.first, 0);
    drawn.naval().open.phase = Phase::Recovery;
    drawn.run(&[]);
    let open = &drawn.naval().open;
    assert_eq!((open.squadrons_lost.first, u16::from(open.wings[0].count)), (18 - room, room));
    // In the second round nobody is away.
    drawn.naval().open.phase = Phase::RoundEnd;
    drawn.run(&[]);
    drawn.run(&[]);
    let wing = drawn.naval().open.wings[0];
    assert_eq!((wing.away, u16::from(wing.free())), (0, room));
}

/// What each seat is asked in games of the battle, by the code of the question.
fn asked_in(id: &str) -> [BTreeSet<&'static str>; 2] {
    let game = game(id);
    let mut codes: [BTreeSet<&str>; 2] = Default::default();
    for seed in 0..20 {
        walk(&game, seed, |_, _, question| {
            for asked in question.open() {
                codes[usize::from(asked.seat.0)].insert(asked.prompt.code);
            }
        });
    }
    codes
}

#[test]
fn nobody_is_asked_for_tasks_where_one_side_strikes_alone() {
    let [axis, allies] = asked_in("pearl-harbor-1941");
    assert!(axis.contains("launch") && axis.contains("targets"), "{axis:?}");
    for code in ["tasking", "merge", "engage", "fire", "withdraw"] {
        assert!(!axis.contains(code) && !allies.contains(code), "{code}");
    }
    // All squadrons are ready, round by round, and the cover of the second round flies without a task.
    let mut drawn = Drawn::new("pearl-harbor-1941");
    drawn.run(&[]);
    assert_eq!(drawn.naval().tasks[0], Task { cap: 0, strike: 28 });
    let question = drawn.asks(&[]);
    assert!(matches!(&question, Question::Choice(asked) if asked.seat == Seat(0) && asked.prompt.code == "launch"));
    drawn.run(&[choice(json!({"kido-butai>battleship-row": 20}))]);
    drawn.run(&[]);
    assert_eq!(drawn.naval().open.phase, Phase::Strike(Stage::Guns), "no cover flies in the first round");
    let mut later = Drawn::new("pearl-harbor-1941");
    let open = &mut later.naval().open;
    (open.round, open.phase) = (2, Phase::Arrivals);
    later.run(&[]);
    later.run(&[]);
    assert_eq!(later.naval().open.sight.first.surprise, 1);
    later.run(&[choice(json!({"kido-butai>battleship-row": 20}))]);
    later.run(&[]);
    assert_eq!(later.naval().open.phase, Phase::Strike(Stage::Cap), "the cover meets the second strike");
}

#[test]
fn a_passive_seat_only_chooses_its_losses() {
    let [axis, allies] = asked_in("pearl-harbor-1941");
    let losses: BTreeSet<&str> = ["sunk-classes", "losses"].into();
    assert!(!allies.is_empty() && allies.is_subset(&losses), "{allies:?}");
    assert!(!axis.is_subset(&losses));
    let scenarios = system().scenarios();
    for scenario in &scenarios {
        let passive: &[Seat] = if scenario.id == "pearl-harbor-1941" { &[Seat(1)] } else { &[] };
        assert_eq!(scenario.passive, passive, "{}", scenario.id);
    }
    let battle = game("pearl-harbor-1941");
    let mut tape = Tape::new(Vec::new());
    advance(&battle, &battle.setup(), &mut tape).unwrap();
    let told = tape.notes().iter().find(|note| note.what == "passive").expect("the log says so");
    assert_eq!(told.text, "The Allies have only losses to choose in this battle.");
    assert!(told.seen_by(Viewer::Spectator) && told.rules.iter().any(|rule| rule.id == "C-35"));
}

/// The hits of one salvo in play, and as the referee rules on it.
fn fired(side: Side, burdened: bool, faces: [u8; 2]) -> (u64, u64) {
    let mut drawn = Drawn::new("guadalcanal-1942");
    let (kirishima, washington) = (drawn.ship("kirishima"), drawn.ship("washington"));
    let open = &mut drawn.naval().open;
    assert!(open.groups[0].encumbered && !open.groups[1].encumbered);
    open.groups[0].encumbered = burdened;
    let axis = side == Side::First;
    let (gun, target) = if axis { (kirishima, washington) } else { (washington, kirishima) };
    open.fire = vec![Fire { side, target: Mark::Ship(target), guns: vec![Gun::Ship(gun)], hits: 0 }];
    open.phase = Phase::Shot { pair: 0, at: 0 };
    drawn.run(&[dice(&faces)]);
    let ship = |nation: &str, size: u32| json!({"kind": "capital-ship", "nation": nation, "size": size});
    let input = if axis {
        json!({"mode": "fleet", "attackers": [{"nation": "japan", "factors": 3}],
            "target": ship("united-states", 4), "attacker_encumbered": burdened})
    } else {
        json!({"mode": "fleet", "attackers": [{"nation": "united-states", "factors": 4}],
            "target": ship("japan", 3), "target_encumbered": burdened})
    };
    let ruled = ask(&system(), "naval-attack", input, json!({"dice": faces}));
    (drawn.naval().open.fire[0].hits.into(), ruled["result"]["hits"].as_u64().unwrap_or_else(|| panic!("{ruled}")))
}

#[test]
fn an_encumbered_fleet_fires_worse_and_is_hit_more_easily() {
    for side in Side::BOTH {
        let mut sums = [0, 0];
        for burdened in [false, true] {
            for faces in (1..=6).flat_map(|one| (1..=6).map(move |two| [one, two])) {
                let (played, ruled) = fired(side, burdened, faces);
                assert_eq!(played, ruled, "{side:?}, encumbered {burdened}, {faces:?}");
                sums[usize::from(burdened)] += played;
            }
        }
        assert_eq!(sums[1] < sums[0], side == Side::First, "{side:?}: {sums:?}");
        assert_ne!(sums[0], sums[1]);
    }
}

#[test]
fn fire_orders_stay_sealed_until_both_are_in() {
    let drawn = Drawn::new("guadalcanal-1942");
    let salvo = |firer: &str, target: &str| json!({"firer": firer, "target": target});
    let axis = [
        json!([]),
        json!([salvo("kirishima", "washington")]),
        json!([salvo("kirishima", "south-dakota"), salvo("cruisers", "light")]),
    ];
    let open = drawn.asks(&[]);
    assert!(matches!(&open, Question::Secret { open, .. } if open.len() == 2), "{open:?}");
    let tell = |orders: &Value| {
        let answers = [Answer::Sealed([(Seat(0), orders.clone())].into())];
        let question = drawn.asks(&answers);
        assert!(question.to(Seat(0)).is_none(), "the orders are in");
        let mut tape = Tape::new(answers.to_vec());
        advance(&drawn.game, &drawn.state, &mut tape).unwrap();
        let notes: Vec<_> = tape.notes().iter().filter(|note| note.seen_by(Viewer::Seat(Seat(1)))).collect();
        let view = drawn.game.view(&drawn.state, Viewer::Seat(Seat(1)));
        let own = question.to(Seat(1)).expect("a question");
        let explained = drawn.game.explain(&view, &[], own, None);
        json!({"own": own, "notes": notes, "explained": explained}).to_string()
    };
    let first = tell(&axis[0]);
    assert!(axis.iter().all(|orders| tell(orders) == first), "orders that are sealed change nothing");
    let allies = json!([salvo("washington", "kirishima"), salvo("south-dakota", "kirishima")]);
    let mut fired = Drawn::new("guadalcanal-1942");
    fired.run(&[Answer::Sealed([(Seat(0), axis[2].clone()), (Seat(1), allies)].into())]);
    let orders: Vec<(Side, usize)> =
        fired.naval().open.fire.iter().map(|order| (order.side, order.guns.len())).collect();
    assert_eq!(orders, [(Side::First, 1), (Side::First, 1), (Side::Second, 2)], "the attacker's first, as ordered");
}

/// Each carrier group has a share of its own on CAP: none, a quarter or half. [15.7]
#[test]
fn each_carrier_group_has_cap_of_its_own() {
    let game = game("midway-1942");
    let mut apart = 0;
    for seed in 0..40 {
        // Task Force 16 has both its carriers, or only one.
        let first: u8 = if seed % 2 == 0 { 10 } else { 5 };
        let mut drawn = Drawn::new("midway-1942");
        drawn.set("hornet", if first == 10 { Condition::Sound } else { Condition::Sunk });
        drawn.naval().open.wings[1].count = first;
        drawn.naval().open.phase = Phase::Tasking;
        game.step(&mut drawn.state, &mut Sampler::new(&mut Chance::seeded(seed), ByInstinct)).unwrap();
        let share = |cap: u8, of: u8| [0, of.div_ceil(4), of.div_ceil(2)].iter().position(|known| *known == cap);
        let tasks = &drawn.naval().tasks;
        let shares = [share(tasks[1].cap, first), share(tasks[2].cap, 5)];
        assert!(shares.iter().all(Option::is_some), "{tasks:?}");
        apart += u32::from(shares[0] != shares[1]);
    }
    assert!(apart > 0, "both groups always do the same");
}
