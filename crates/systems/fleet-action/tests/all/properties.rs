//! Two ways must agree, and nothing panics.

use super::{ask, system};
use flagplot_fleet_action::critical::{Critical, CriticalTable, Harm};
use flagplot_fleet_action::gunnery::Range;
use flagplot_fleet_action::hit::{Hit, Weapon};
use flagplot_fleet_action::torpedo;
use flagplot_fleet_action::volley::{Motion, Salvo, SalvoState};
use flagplot_fleet_action::words::*;
use flagplot_kernel::{Ask, AtRandom, Chance, Process, Sampler};
use flagplot_odds::{Budget, Dist, Exact, distribution, enumerate};
use serde_json::{Value, json};

fn cruiser() -> Value {
    json!({"size": 1, "f": 25, "s": 67, "sv": 2, "fc": 1, "sd": 1, "dc": 1, "armour": {"belt": 5, "deck": 2, "ct": 3},
        "main_mounts": [{"type": "turret", "ac": 3, "arc": "fwd"}, {"type": "turret", "ac": 9, "arc": "aft"}],
        "other_mounts": [{"type": "open", "aa": true}, {"type": "casemate", "ac": 6}], "torpedo_mounts": [{}],
        "mrf": 1, "searchlights": true, "search_radar": true, "smoke": true, "cargo": {"kind": "fuel", "points": 2}})
}

/// Merging equal states between steps must not change a single chance.
#[test]
fn merged_odds_of_a_critical_are_those_of_walking_every_branch() {
    let system = system();
    let entry = system.fleet().ships.iter().find(|ship| ship.id == "johnston").expect("a destroyer");
    let (sheet, now) = entry.launch(0);
    for (table, cv, pen) in [
        (CriticalTable::Structural, 3, 20),
        (CriticalTable::Structural, 2, 0),
        (CriticalTable::Underwater(Column::Bow), 2, 0),
        (CriticalTable::Flashover(Column::Stern), 2, 0),
    ] {
        let critical = Critical {
            rules: system.loaded(),
            sheet: &sheet,
            cv,
            pen,
            direction: Direction::Vertical,
            fires_when_hit: 0,
        };
        let merged: Dist<_, Exact> =
            distribution(&critical, Dist::certain(critical.begin(now, Harm::default(), table)), Budget::default())
                .expect("within the budget");
        let walked: Dist<_, Exact> =
            enumerate(Budget::default(), |ask| critical.resolve(now, Harm::default(), table, ask))
                .expect("within the budget");
        assert_eq!(merged.len(), walked.len());
        for (end, _) in merged.iter() {
            assert_eq!(merged.chance(end), walked.chance(&(end.ship, end.harm)), "{table:?}");
        }
    }
}

/// The odds of all fields at once are those of each field asked for by name, which go through the JSON of each outcome.
#[test]
fn scalar_odds_agree_with_whole_outcomes() {
    let system = system();
    let input = json!({"cv": 4, "pen": 5, "ship": cruiser()});
    let all = ask(&system, "structural-critical", &input, json!({"odds": true}));
    let all = all["odds"].as_object().expect("odds");
    assert!(
        all.contains_key("ship.cargo.destroyed")
            && all.contains_key("flashovers")
            && !all.contains_key("ship.main_mounts")
    );
    // The object above the scalars has no shortcut: its distribution is made from whole outcomes.
    let whole = ask(&system, "structural-critical", &input, json!({"odds": true, "field": "ship"}));
    let whole = whole["odds"]["ship"].as_object().expect("odds of the ship");
    for (field, odds) in all.iter().filter(|(field, _)| field.starts_with("ship.")) {
        let mut sums: std::collections::BTreeMap<String, (u128, u128)> = std::collections::BTreeMap::new();
        for (ship, chance) in whole {
            let ship: Value = serde_json::from_str(ship).expect("JSON");
            let value = field.split('.').skip(1).fold(&ship, |value, part| &value[part]);
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let (n, d) = fraction(chance);
            let sum = sums.entry(text).or_insert((0, 1));
            *sum = reduce(sum.0 * d + n * sum.1, sum.1 * d);
        }
        let odds: std::collections::BTreeMap<String, (u128, u128)> =
            odds.as_object().expect("odds").iter().map(|(value, chance)| (value.clone(), fraction(chance))).collect();
        assert_eq!(odds, sums, "{field}");
    }
}

/// One field asked for by name forgets everything else on the way, which must not change a single chance.
#[test]
fn one_field_has_the_odds_it_has_among_all() {
    let system = system();
    let mut ship = cruiser();
    let turret = |arc: &str| json!({"type": "turret", "ac": 3, "arc": arc, "aa": true});
    ship["main_mounts"] =
        json!([turret("fwd"), turret("aft"), turret("fwd"), {"type": "turret", "ac": 3, "arc": "fwd", "lost": true}]);
    for field in ["flag_officer", "unsafe_magazines", "ship_planes"] {
        ship[field] = true.into();
    }
    let mut carrier = ship.clone();
    for (field, value) in [
        ("kind", json!("carrier")),
        ("h", json!(2)),
        ("rrr", json!(1)),
        ("catapults", json!(1)),
        ("rearming", json!(1)),
    ] {
        carrier[field] = value;
    }
    for (procedure, input) in [
        ("structural-critical", json!({"cv": 4, "pen": 4, "ship": ship})),
        ("carrier-critical", json!({"cv": 3, "pen": 1, "direction": "horizontal", "ship": carrier})),
        ("underwater-critical", json!({"cv": 4, "column": "stern", "ship": ship})),
    ] {
        let all = ask(&system, procedure, &input, json!({"odds": true}));
        let all = all["odds"].as_object().expect("odds");
        let uncertain: Vec<_> =
            all.iter().filter(|(_, odds)| odds.as_object().is_some_and(|odds| odds.len() > 1)).collect();
        assert!(uncertain.len() > 8, "{procedure}: only {} fields change", uncertain.len());
        for (field, odds) in uncertain {
            assert_eq!(
                ask(&system, procedure, &input, json!({"odds": true, "field": field}))["odds"][field],
                *odds,
                "{procedure} {field}"
            );
        }
    }
}

/// A battleship with everything aboard, and a heavy shell: the odds fit into the budget.
#[test]
fn a_heavy_hit_on_a_large_ship_has_exact_odds() {
    let system = system();
    let turret = |arc: &str| json!({"type": "turret", "ac": 14, "guns": 2, "arc": arc});
    let ship = json!({"size": 3, "f": 52, "s": 137, "speed": 28, "sv": 4, "fc": 3, "sd": 5, "dc": 6, "crew_quality": 1,
        "gm": 1, "flag_officer": true, "command": 1, "armour": {"belt": 11, "deck": 3, "ct": 10},
        "unsafe_magazines": true, "searchlights": true, "ship_planes": true, "gunnery_radar": true,
        "search_radar": true, "smoke": true, "mrf": 4, "crf": 3,
        "main_mounts": [turret("fwd"), turret("fwd"), turret("aft"), turret("aft")],
        "other_mounts": vec![json!({"type": "open", "aa": true}); 8]});
    let input = json!({"cv": 13, "pen": 15, "ship": ship});
    let odds = ask(&system, "structural-critical", &input, json!({"odds": true, "field": "ship.status"}));
    let odds = odds["odds"]["ship.status"].as_object().unwrap_or_else(|| panic!("no odds: {odds}"));
    let (n, d) = odds
        .values()
        .map(fraction)
        .fold((0, 1), |sum, chance| reduce(sum.0 * chance.1 + chance.0 * sum.1, sum.1 * chance.1));
    assert_eq!((n, d), (1, 1));
    assert!(odds.contains_key("exploded") && odds.contains_key("afloat"));
}

fn fraction(text: &Value) -> (u128, u128) {
    let (n, d) = text.as_str().and_then(|text| text.split_once('/')).expect("a fraction");
    (n.parse().expect("a number"), d.parse().expect("a number"))
}

fn reduce(n: u128, d: u128) -> (u128, u128) {
    let (mut a, mut b) = (n, d);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (n / a.max(1), d / a.max(1))
}

/// A volley with re-rolls and saves, step by step and all at once.
#[test]
fn merged_odds_of_a_volley_are_those_of_walking_every_branch() {
    let system = system();
    let target = json!({"aircraft": 2, "hit_points": 3});
    let input = json!({"weapon": "mrf", "factors": 3, "range_mm": 10, "shore": true, "target": target});
    let odds = ask(&system, "aa-fire", &input, json!({"odds": true, "field": "aircraft"}));
    // By hand: a die hits with 9/20 + 11/20 · 9/20 = 279/400; a hit kills with 4/10.
    let p = (279 * 4, 4000u128);
    let q = p.1 - p.0;
    let (none, one) = (reduce(q.pow(3), p.1.pow(3)), reduce(3 * p.0 * q.pow(2), p.1.pow(3)));
    assert_eq!(fraction(&odds["odds"]["aircraft"]["2"]), none);
    assert_eq!(fraction(&odds["odds"]["aircraft"]["1"]), one);
}

/// Forty factors at twenty-seven aircraft, and 180 attacks, within the budget.
#[test]
fn large_volleys_have_exact_odds() {
    let system = system();
    let target = json!({"aircraft": 13, "hit_points": 9});
    let many = json!({"weapon": "lrf", "factors": 40, "range_mm": 10, "shore": true, "target": target});
    assert!(ask(&system, "aa-fire", &many, json!({"odds": true}))["odds"]["aircraft_lost"].is_object());
    let target = json!({"class": "type-x", "vessels": 12, "speed": 0});
    let boats = json!({"weapon": "mrf", "factors": 60, "firing_vessels": 12, "range_mm": 10, "target": target});
    assert!(ask(&system, "crf-mrf-fire", &boats, json!({"odds": true}))["odds"]["vessels"].is_object());
}

/// A ship that comes out of a ruling goes into the next, until she is lost.
#[test]
fn a_result_is_the_next_input() {
    let system = system();
    let mut lost = 0;
    for seed in 0..60u64 {
        let mut ship = cruiser();
        for hit in 0..12 {
            let (weapon, direction) = if hit % 3 == 0 {
                (json!({"ip": 8, "cv": 13}), "underwater")
            } else {
                (json!({"ip": 4, "cv": 11, "pen": 7, "multiple": 3}), "horizontal")
            };
            let answer = ask(
                &system,
                "resolve-hit",
                &json!({"weapon": weapon, "direction": direction, "ship": ship}),
                json!({"seed": seed * 100 + hit}),
            );
            assert!(answer["error"].is_null(), "{answer}");
            ship = answer["result"]["ship"].clone();
            if ship["status"] != "afloat" {
                lost += 1;
                assert_eq!(
                    ask(&system, "fire-burn", &json!({"ship": ship}), json!({"dice": []}))["error"]["code"],
                    "ship-lost"
                );
                break;
            }
        }
    }
    assert!(lost > 30, "twelve heavy hits sink most cruisers: {lost}");
}

/// Every vector again with rolled dice and with odds: nothing panics, and what is refused is refused every time.
#[test]
fn every_vector_rolls_and_counts_without_a_panic() {
    let system = system();
    for vectors in [include_str!("../vectors.json"), include_str!("../own_vectors.json")] {
        for vector in serde_json::from_str::<Vec<Value>>(vectors).expect("JSON") {
            let procedure = vector["procedure"].as_str().expect("a name");
            let fine: Vec<bool> = (0..5)
                .map(|seed| ask(&system, procedure, &vector["input"], json!({"seed": seed}))["error"].is_null())
                .collect();
            assert!(fine.iter().all(|one| *one == fine[0]), "{}", vector["id"]);
            let heavy = procedure.ends_with("critical") && vector["input"]["cv"].as_i64() > Some(5);
            if !heavy && fine[0] {
                let odds = ask(&system, procedure, &vector["input"], json!({"odds": true}));
                assert!(odds["odds"].is_object(), "{}: {odds}", vector["id"]);
            }
        }
    }
}

/// Playouts of whole hits on every ship of the data keep every value within what can be lost.
#[test]
fn damage_never_leaves_its_limits() {
    let system = system();
    let mut chance = Chance::seeded(7);
    for entry in &system.fleet().ships {
        let (sheet, start) = entry.launch(0);
        for direction in [Direction::Vertical, Direction::Horizontal, Direction::Underwater] {
            let mut now = start;
            for _ in 0..20 {
                let weapon = Weapon { ip: 3, cv: 15, pen: 9, multiple: 3, direction, column: Column::Bow };
                let mut sampler = Sampler::new(&mut chance, AtRandom);
                now = Hit { rules: system.loaded(), sheet: &sheet, weapon }
                    .resolve(now, &mut sampler)
                    .expect("a sampler answers")
                    .ship;
                let values = [
                    now.f,
                    now.s,
                    now.speed,
                    now.sv,
                    now.fc,
                    now.sd,
                    now.dc,
                    now.fires,
                    now.h,
                    now.rrr,
                    now.catapults,
                    now.asw,
                    now.mrf,
                    now.crf,
                ];
                assert!(values.iter().all(|value| *value >= 0), "{}: {now:?}", entry.id);
                assert!(
                    now.f <= sheet.f_max
                        && now.s <= sheet.s_max
                        && now.main_lost.count_ones() as usize <= sheet.main.len(),
                    "{}",
                    entry.id
                );
                if !now.afloat() {
                    break;
                }
            }
        }
    }
}

/// A volley without dice is over at once.
#[test]
fn a_volley_of_nothing_hits_nothing() {
    let system = system();
    let launch = torpedo::Launch {
        torpedoes: 0,
        range: Range { range_mm: None, range_band: Some(1) },
        max_band: 5,
        mode: Mode::Aimed,
        setting_modifier: 0,
        shooter: torpedo::Launcher { crew_quality: 0, splash: 0 },
        target: torpedo::TorpedoTarget { size: 0, arc: Aspect::Beam, motion: Motion { speed: 20, land: false }, sv: 1 },
    };
    let spread = launch.read(system.loaded()).expect("torpedoes may be launched");
    let salvo: Salvo<'_> = spread.salvo(system.loaded());
    let mut chance = Chance::seeded(1);
    let mut sampler = Sampler::new(&mut chance, AtRandom);
    let mut state = SalvoState::default();
    salvo.step(&mut state, &mut sampler).expect("a sampler answers");
    assert_eq!(state, SalvoState::default());
    assert!(!sampler.listening());
}

/// The trace is the proof: it holds the row, the die and each modifier by name.
#[test]
fn the_trace_proves_a_shot() {
    let system = system();
    let shooter = json!({"crew_quality": 1, "gunnery_modifier": 1});
    let input = json!({"range_band": 4, "control": "directed", "guns": 8, "shooter": shooter, "target": {"size": 3}});
    let answer = ask(&system, "gunnery-to-hit", &input, json!({"dice": [10]}));
    assert_eq!(
        answer["trace"][0]["text"],
        "9.5 Directed, RB 4: 15+; d20 10 + crew quality 1 + guns 1 + target size 3 + gunnery modifier 1 = 16: hit"
    );
    assert_eq!(answer["trace"][0]["table"], json!({"table": "gunnery", "row": "4", "column": "directed"}));
    assert_eq!(answer["rolls"], json!([{"die": "d20", "face": 10, "for": "9.5 Directed: to hit"}]));
}
