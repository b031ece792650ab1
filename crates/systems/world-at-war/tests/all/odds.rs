//! Odds that are found in two ways must agree.

use crate::common::{ask, system};
use flagplot_kernel::Process as _;
use flagplot_odds::{Budget, Dist, Exact, Fraction, OddsError, distribution};
use flagplot_world_at_war::System;
use flagplot_world_at_war::air::{AirCombat, AirGroup, AirRole, AirSetting, AirUnit};
use flagplot_world_at_war::air_battle::{AirBattle, AirBattlePlan, Follow};
use flagplot_world_at_war::assault::{Assault, AssaultOutcome, AssaultState, Keep, LossOrders};
use flagplot_world_at_war::ground::{AttackArm, Attacker, Defender, DefenseArm, Forces};
use flagplot_world_at_war::hits::{LightShips, share};
use flagplot_world_at_war::nation::Nation;
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Odds = BTreeMap<String, Fraction>;

fn read(value: &Value) -> Odds {
    value
        .as_object()
        .unwrap_or_else(|| panic!("no odds: {value}"))
        .iter()
        .map(|(key, text)| (key.clone(), Fraction::parse(text.as_str().expect("text")).expect("a fraction")))
        .collect()
}

fn odds(system: &System, procedure: &str, input: &Value, field: &str) -> Odds {
    let answer = ask(system, procedure, input.clone(), json!({"odds": true, "field": field}));
    read(&answer["odds"].get(field).cloned().unwrap_or_else(|| panic!("{answer}")))
}

/// What follows from the values of a list's odds.
fn derived(odds: &Odds, value: impl Fn(&Value) -> String) -> Odds {
    let mut out = Odds::new();
    for (text, chance) in odds {
        let list: Value = serde_json::from_str(text).expect("a JSON list");
        let entry = out.entry(value(&list)).or_insert_with(Fraction::zero);
        *entry = entry.plus(chance);
    }
    out
}

fn all_sum_to_one(answer: &Value) {
    let odds = answer["odds"].as_object().unwrap_or_else(|| panic!("{answer}"));
    assert!(!odds.is_empty());
    for (field, values) in odds {
        let sum = read(values).values().fold(Fraction::zero(), |sum, chance| sum.plus(chance));
        assert_eq!(sum, Fraction::one(), "{field}");
    }
}

#[test]
fn odds_of_every_procedure_sum_to_one() {
    let system = system();
    let bb = json!({"kind": "capital-ship", "nation": "japan", "size": 4});
    let air = json!([{"nation": "germany", "count": 5}]);
    let requests = [
        ("odds-ratio", json!({"attacker": 5, "defender": 3})),
        ("attrition", json!({"attackers": [{"factors": 45, "ctl": 1}], "defenders": [{"factors": 5, "ctl": 0}]})),
        (
            "ground-combat",
            json!({"attackers": [{"id": "a", "factors": 5}], "defenders": [{"id": "d", "factors": 2, "dm": 2}]}),
        ),
        (
            "ground-assault",
            json!({"attackers": [{"id": "a", "factors": 5}, {"id": "b", "factors": 4}],
                "defenders": [{"id": "d", "factors": 2, "dm": 2}, {"id": "e", "factors": 1, "dm": 3}]}),
        ),
        ("retreat-hex", json!({"hexes": [{"id": "x"}]})),
        ("air-combat", json!({"attackers": air, "defenders": air})),
        ("air-battle", json!({"attackers": air, "defenders": air})),
        ("air-battle", json!({"attackers": air, "defenders": air, "max_rounds": 3, "role": "cap"})),
        ("air-defense", json!({"attackers": 5, "defenses": {"flak": 12}})),
        ("naval-attack", json!({"mode": "air", "attackers": air, "target": bb})),
        ("allocate-naval-losses", json!({"hits": 3, "target": bb})),
        (
            "air-strike",
            json!({"attackers": air, "cap": air, "defenses": {"flak": 3},
                "targets": [{"id": "x", "squadrons": 3, "ship": bb}, {"id": "y", "squadrons": 2, "ship": bb}]}),
        ),
        ("naval-search", json!({"sides": [{"groups": 2}, {"groups": 3, "modifier": 1}]})),
    ];
    for (procedure, input) in requests {
        let answer = ask(&system, procedure, input, json!({"odds": true}));
        // Where a strike may be gone before air defence, the fields below it exist only in part.
        if procedure == "air-strike" {
            let attacked = read(&answer["odds"]["attackers.attacked"])
                .values()
                .fold(Fraction::zero(), |sum, chance| sum.plus(chance));
            assert_eq!(attacked, Fraction::one());
        } else {
            all_sum_to_one(&answer);
        }
    }
}

/// A battle of army air that takes the attacker's losses until so many are left.
fn plan(attackers: &[(Nation, u32)], defenders: &[(Nation, u32)], role: AirRole, limits: [u32; 2]) -> AirBattlePlan {
    let force = |groups: &[(Nation, u32)]| groups.iter().map(|&(nation, count)| AirGroup::new(nation, count)).collect();
    let setting = AirSetting { unit: AirUnit::Factors, role, radar_results: 0 };
    let combat = AirCombat { attackers: force(attackers), defenders: force(defenders), setting };
    let [attacker_withdraws_at, max_rounds] = limits;
    AirBattlePlan { combat, attacker_withdraws_at, defender_withdraws_at: 0, max_rounds }
}

#[test]
fn battles_of_limited_rounds_agree_with_the_process_stepped_round_by_round() {
    let system = system();
    for (role, limit) in [(AirRole::Interception, 4), (AirRole::Cap, 3), (AirRole::StrategicBombingDefense, 1)] {
        let plan = plan(&[(Nation::Italy, 3), (Nation::Germany, 2)], &[(Nation::Britain, 4)], role, [1, limit]);
        let battle = AirBattle { rules: system.data(), plan: &plan };
        let stepped: Dist<_, Exact> =
            distribution(&battle, Dist::certain(battle.start()), Budget::default()).expect("within the budget");
        let ends = battle.ends(Follow::AttackerEliminated, Budget::default()).expect("within the budget");
        assert!(ends.len() > 3);
        for ((outcome, end), weight) in ends.iter() {
            let chance = stepped.chance_of(|state| {
                let left = |force: &[AirGroup]| force.iter().map(|group| group.count).sum::<u32>();
                state.outcome == Some(*outcome)
                    && left(&state.attackers) == end.attackers
                    && left(&state.defenders) == end.defenders
                    && state.attacker.eliminated == end.followed
                    && state.rounds == end.rounds
            });
            assert_eq!(Fraction::new(weight.clone(), ends.total().clone()), chance, "{end:?}");
        }
    }
}

#[test]
fn battles_without_a_limit_are_what_long_ones_come_to() {
    let system = system();
    let mut input =
        json!({"attackers": [{"nation": "germany", "count": 3}], "defenders": [{"nation": "france", "count": 3}]});
    let endless = odds(&system, "air-battle", &input, "outcome");
    input["max_rounds"] = 60.into();
    let long = odds(&system, "air-battle", &input, "outcome");
    let unfinished = long.get("round-limit").cloned().unwrap_or_else(Fraction::zero);
    for (outcome, chance) in &endless {
        // The unfinished rest is all that can be missing.
        assert!(long[outcome] <= *chance && *chance <= long[outcome].plus(&unfinished), "{outcome}");
    }
    assert!(unfinished < Fraction::new(1u8, 1_000_000_000_000u64));
}

#[test]
fn equal_sides_have_equal_odds() {
    let system = system();
    let side = json!([{"nation": "japan", "count": 7}, {"nation": "china", "count": 7}]);
    let input = json!({"attackers": side, "defenders": side});
    for field in ["eliminated", "aborted", "remaining"] {
        assert_eq!(
            odds(&system, "air-battle", &input, &format!("attacker.{field}")),
            odds(&system, "air-battle", &input, &format!("defender.{field}"))
        );
    }
    let outcome = odds(&system, "air-battle", &input, "outcome");
    assert_eq!(outcome["attacker-gone"], outcome["defender-gone"]);
}

#[test]
fn twenty_against_twenty_to_the_end() {
    let outcome = odds(
        &system(),
        "air-battle",
        &json!({"attackers": [{"nation": "germany", "count": 20}], "defenders": [{"nation": "britain", "count": 20}]}),
        "outcome",
    );
    assert_eq!(outcome["attacker-gone"], outcome["defender-gone"]);
    assert_eq!(outcome.values().fold(Fraction::zero(), |sum, chance| sum.plus(chance)), Fraction::one());
}

#[test]
fn more_than_the_budget_is_said() {
    let system = system();
    let japan = [(Nation::Japan, 12)];
    let plan = plan(&japan, &japan, AirRole::Interception, [0, 0]);
    let battle = AirBattle { rules: system.data(), plan: &plan };
    for budget in [
        Budget { branches: 3000, ..Budget::default() },
        Budget { states: 10, ..Budget::default() },
        Budget { give_up: Some(&|| true), ..Budget::default() },
    ] {
        assert_eq!(battle.ends(Follow::Nothing, budget).err(), Some(OddsError::BudgetExceeded));
    }
    assert!(battle.ends(Follow::Nothing, Budget::default()).is_ok());
}

#[test]
fn strikes_counted_by_targets_agree_with_whole_strikes() {
    let system = system();
    let ship = json!({"kind": "cv", "nation": "japan", "size": 3});
    // With guns and with patrols, one at a time: whole strikes with both have too many outcomes for a quick test.
    for (cap, flak) in [(0, 2), (1, 0)] {
        let input = json!({
            "attackers": [{"nation": "japan", "count": 1, "type": "kamikaze"},
                {"nation": "united-states", "count": 3, "type": "naval-air"}],
            "cap": [{"nation": "japan", "count": cap}], "defenses": {"flak": flak},
            "targets": [{"id": "a", "squadrons": 2, "ship": ship}, {"id": "b", "squadrons": 2,
                "ship": {"kind": "light-group", "nation": "japan", "cruisers": 1, "destroyers": 2}}],
        });
        let whole = odds(&system, "air-strike", &input, "attacks");
        let hits = |list: &Value| {
            list.as_array()
                .expect("a list")
                .iter()
                .map(|attack| attack["hits"].as_u64().expect("hits"))
                .sum::<u64>()
                .to_string()
        };
        assert_eq!(derived(&whole, hits), odds(&system, "air-strike", &input, "total_hits"));
        for (at, field) in [(0, "squadrons"), (1, "squadrons"), (1, "hits")] {
            assert_eq!(
                derived(&whole, |list| list[at][field].to_string()),
                odds(&system, "air-strike", &input, &format!("attacks.{at}.{field}"))
            );
        }
        let state = |list: &Value| list[0]["effect"]["state"].as_str().expect("a state").to_owned();
        assert_eq!(derived(&whole, state), odds(&system, "air-strike", &input, "attacks.0.effect.state"));
    }
}

#[test]
fn fleets_counted_by_attacks_agree_with_whole_rounds() {
    let system = system();
    let ship = |id: &str, size: u32| json!({"id": id, "kind": "capital-ship", "nation": "italy", "size": size});
    let input = json!({
        "sides": [{"ships": [ship("a", 4), ship("b", 3)]}, {"ships": [ship("x", 2)],
            "light": {"nation": "britain", "cruisers": 2, "destroyers": 1, "transports": 1, "soft_screened": true}}],
        "orders": [[{"target": "x", "firers": ["a"]}, {"target": "light", "firers": ["b"]}],
            [{"target": "b", "firers": ["cruisers", "x"]}]],
    });
    let whole = odds(&system, "fleet-combat-round", &input, "sides");
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (path, field) in [
        ("/0/ships/b", "sides.0.ships.b"),
        ("/1/ships/x", "sides.1.ships.x"),
        ("/1/factors_sunk", "sides.1.factors_sunk"),
        ("/1/light/cruisers", "sides.1.light.cruisers"),
        ("/1/light/transports", "sides.1.light.transports"),
        ("/0/light", "sides.0.light"),
    ] {
        assert_eq!(
            derived(&whole, |sides| text(sides.pointer(path).expect("a field"))),
            odds(&system, "fleet-combat-round", &input, field),
            "{field}"
        );
    }
    let attacks = odds(&system, "fleet-combat-round", &input, "attacks");
    assert_eq!(
        derived(&attacks, |list| text(&list[1]["hits"])),
        odds(&system, "fleet-combat-round", &input, "attacks.1.hits")
    );
    all_sum_to_one(&ask(&system, "fleet-combat-round", input, json!({"odds": true})));
}

#[test]
fn assaults_with_equal_states_merged_agree_with_their_rounds() {
    let system = system();
    let input = json!({
        "attackers": [{"id": "a", "factors": 4}, {"id": "b", "factors": 4}, {"id": "lw", "kind": "air", "factors": 5}],
        "defenders": [{"id": "d", "factors": 2, "dm": 2}, {"id": "e", "factors": 2, "dm": 2},
            {"id": "f", "factors": 1, "dm": 2}], "attacker_loss_order": ["lw"],
    });
    let rounds = odds(&system, "ground-assault", &input, "rounds");
    let lost = |rounds: &Value| {
        rounds
            .as_array()
            .expect("rounds")
            .iter()
            .map(|round| round["attacker_lost"].as_u64().expect("a loss"))
            .sum::<u64>()
            .to_string()
    };
    assert_eq!(derived(&rounds, lost), odds(&system, "ground-assault", &input, "attacker_lost"));
    let results = |rounds: &Value| {
        json!(rounds.as_array().expect("rounds").iter().map(|round| round["result"].clone()).collect::<Vec<_>>())
            .to_string()
    };
    assert_eq!(derived(&rounds, results), odds(&system, "ground-assault", &input, "results"));
}

#[test]
fn light_ships_share_hits_as_the_rule_is_written() {
    for (cruisers, damaged, small, hits) in
        (0..4).flat_map(|c| (0..3).flat_map(move |d| (0..6).flat_map(move |s| (0..20).map(move |h| (c, d, s, h)))))
    {
        let ships = LightShips { cruisers, damaged_cruisers: damaged, destroyers: small, ..LightShips::default() };
        // The cruisers sunk by hits on cruisers alone, one hit at a time.
        let sunk = |hits: u32| {
            let (mut sound, mut half, mut hurt, mut sunk) = (cruisers, 0, damaged, 0);
            for _ in 0..hits {
                if half > 0 {
                    (half, sunk) = (0, sunk + 1);
                } else if sound > 0 {
                    (sound, half) = (sound - 1, 1);
                } else if hurt > 0 {
                    (hurt, sunk) = (hurt - 1, sunk + 1);
                }
            }
            sunk
        };
        let capacity = 2 * cruisers + damaged;
        let mut small_hits = if capacity == 0 { hits } else { 0 };
        if capacity > 0 && small > 0 {
            for x in 0..=hits / 2 {
                if x <= small && x <= 2 * sunk(hits - x) {
                    small_hits = x;
                }
            }
        }
        let cruiser_hits = (hits - small_hits).min(capacity);
        assert_eq!(share(&ships, hits), (cruiser_hits, (hits - cruiser_hits).min(small)), "{ships:?}, {hits} hits");
    }
}

#[test]
fn an_assault_steps_until_it_is_done() {
    let system = system();
    let orders = LossOrders::Listed { attacker: vec![0], defender: vec![0] };
    let charts = &system.data().charts;
    let assault = Assault { charts, orders: &orders, break_off_below: None, max_rounds: 99, keep: Keep::Nothing };
    let attackers = vec![Attacker { factors: 1, arm: AttackArm::Ground }];
    let defenders = vec![Defender { factors: 1, arm: DefenseArm::Ground, dm: Some(5) }];
    let mut state = AssaultState::new(Forces { attackers, defenders });
    let mut tape = flagplot_kernel::Tape::new(Vec::new());
    assert_eq!(assault.step(&mut state, &mut tape), Ok(flagplot_kernel::Flow::Done));
    assert_eq!(state.outcome, Some(AssaultOutcome::OddsTooLow));
}
