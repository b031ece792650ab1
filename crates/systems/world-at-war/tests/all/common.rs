//! What several tests share.

use flagplot_referee::answer;
use flagplot_world_at_war::{System, files};
use serde_json::{Value, json};

pub const VECTORS: &str = include_str!("../vectors.json");
/// Our own.
pub const CASES: &str = include_str!("../cases.json");

/// The system over its built-in data.
pub fn system() -> System {
    System::new(&files()).unwrap_or_else(|error| panic!("{error}"))
}

/// The answer to a request of this system.
pub fn ask(system: &System, procedure: &str, input: Value, rest: Value) -> Value {
    let mut request = json!({"system": "world-at-war", "procedure": procedure, "input": input});
    for (key, value) in rest.as_object().expect("an object") {
        request[key] = value.clone();
    }
    answer(system, &request.to_string())
}

/// Requests that must be refused: procedure, input, dice, code, and what the message must name.
pub fn bad_requests() -> Vec<(&'static str, Value, Value, &'static str, &'static str)> {
    let bb = || json!({"kind": "capital-ship", "nation": "britain", "size": 4});
    let us = || json!([{"nation": "united-states", "count": 4, "type": "naval-air"}]);
    let units = || json!([{"id": "a1", "factors": 3}, {"id": "a2", "factors": 3}]);
    let foes = || json!([{"id": "d1", "factors": 3, "dm": 2}]);
    let side = |ships: Value| json!({"ships": ships});
    let ship = |id: &str| json!({"id": id, "kind": "capital-ship", "nation": "italy", "size": 4});
    let duel = |orders: Value| {
        json!({"sides": [side(json!([ship("a"), ship("b")])),
        {"ships": [ship("x")], "light": {"nation": "britain", "damaged_cruisers": 1, "destroyers": 1}}],
        "orders": orders})
    };
    let none = || json!([]);
    let d = |n: usize| json!(vec![3; n]);
    vec![
        // Fields and types.
        ("attrition", json!({"attackers": [{"factors": 5, "ctl": 0}]}), d(1), "missing-field", "defenders"),
        (
            "attrition",
            json!({"attackers": [{"factors": 5}], "defenders": [{"factors": 5, "ctl": 0}]}),
            d(1),
            "missing-field",
            "ctl",
        ),
        ("odds-ratio", json!({"attacker": 3}), none(), "missing-field", "defender"),
        (
            "ground-combat",
            json!({"attackers": units(), "defenders": [{"id": "d1", "factors": 3}]}),
            d(1),
            "missing-field",
            "dm",
        ),
        ("naval-attack", json!({"attackers": us(), "target": bb()}), d(2), "missing-field", "mode"),
        (
            "naval-attack",
            json!({"mode": "air", "attackers": us(), "target": {"kind": "cv", "nation": "japan"}}),
            d(2),
            "missing-field",
            "size",
        ),
        ("naval-search", json!({"sides": [{"groups": 1}, {}]}), d(4), "missing-field", "groups"),
        (
            "ground-combat",
            json!({"attackers": units(), "defenders": [{"id": "d1", "factors": 3, "dm": 2},
                {"id": "das", "kind": "air", "factors": 1, "dm": 2}]}),
            d(1),
            "unknown-field",
            "dm",
        ),
        (
            "ground-combat",
            json!({"attackers": [{"id": "a1", "factors": 3, "dm": 2}], "defenders": foes()}),
            d(1),
            "unknown-field",
            "dm",
        ),
        (
            "ground-assault",
            json!({"attackers": units(), "defenders": foes(), "previous_rounds": 1}),
            d(1),
            "unknown-field",
            "previous_rounds",
        ),
        (
            "naval-attack",
            json!({"mode": "air", "attackers": us(), "target": bb(), "attacker_encumbered": true}),
            d(2),
            "unknown-field",
            "attacker_encumbered",
        ),
        (
            "naval-attack",
            json!({"mode": "fleet", "attackers": [{"nation": "britain", "factors": 3}], "target": bb(),
                "at_sea": true}),
            d(2),
            "unknown-field",
            "at_sea",
        ),
        (
            "allocate-naval-losses",
            json!({"hits": 1, "target": {"kind": "capital-ship", "nation": "britain", "size": 4, "cruisers": 1}}),
            none(),
            "unknown-field",
            "cruisers",
        ),
        (
            "attrition",
            json!({"attackers": [{"factors": true, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}]}),
            d(1),
            "bad-type",
            "factors",
        ),
        (
            "attrition",
            json!({"attackers": [{"factors": 2.0, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}]}),
            d(1),
            "bad-type",
            "factors",
        ),
        (
            "attrition",
            json!({"attackers": {"factors": 2, "ctl": 0}, "defenders": [{"factors": 5, "ctl": 0}]}),
            d(1),
            "bad-type",
            "attackers",
        ),
        ("attrition", json!([]), d(1), "bad-type", "input"),
        ("air-combat", json!({"attackers": us(), "defenders": us(), "unit": 3}), d(4), "bad-type", "unit"),
        ("retreat-hex", json!({"hexes": [{"id": 101}]}), none(), "bad-type", "id"),
        (
            "attrition",
            json!({"attackers": [{"factors": 5, "ctl": 21}], "defenders": [{"factors": 5, "ctl": 0}]}),
            d(1),
            "bad-value",
            "ctl",
        ),
        (
            "attrition",
            json!({"attackers": [{"factors": -1, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}]}),
            d(1),
            "bad-value",
            "factors",
        ),
        (
            "attrition",
            json!({"attackers": [{"factors": 5, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}], "board": "moon"}),
            d(1),
            "bad-value",
            "board",
        ),
        (
            "ground-combat",
            json!({"attackers": units(), "defenders": [{"id": "d1", "factors": 3, "dm": 10}]}),
            d(1),
            "bad-value",
            "dm",
        ),
        (
            "ground-combat",
            json!({"attackers": units(), "defenders": foes(), "previous_rounds": 21}),
            d(1),
            "bad-value",
            "previous_rounds",
        ),
        (
            "ground-assault",
            json!({"attackers": units(), "defenders": foes(), "max_rounds": 0}),
            d(1),
            "bad-value",
            "max_rounds",
        ),
        (
            "ground-assault",
            json!({"attackers": units(), "defenders": foes(), "break_off_below": "6:1"}),
            d(1),
            "bad-value",
            "break_off_below",
        ),
        (
            "air-combat",
            json!({"attackers": [{"nation": "japan", "count": 1001}], "defenders": us()}),
            d(4),
            "bad-value",
            "count",
        ),
        ("air-combat", json!({"attackers": us(), "defenders": us(), "role": "escort"}), d(4), "bad-value", "role"),
        (
            "air-defense",
            json!({"attackers": 3, "defenses": {"flak": 1}, "surprise_level": 10}),
            d(2),
            "bad-value",
            "surprise_level",
        ),
        ("naval-attack", json!({"mode": "space", "attackers": us(), "target": bb()}), d(2), "bad-value", "mode"),
        (
            "naval-attack",
            json!({"mode": "air", "attackers": us(), "target": {"kind": "raft", "nation": "japan", "size": 1}}),
            d(2),
            "bad-value",
            "kind",
        ),
        (
            "naval-attack",
            json!({"mode": "air", "attackers": us(), "target": {"kind": "cruiser", "nation": "japan", "size": 3}}),
            d(2),
            "bad-value",
            "size",
        ),
        (
            "naval-attack",
            json!({"mode": "air", "attackers": us(), "target": {"kind": "cv", "nation": "japan", "size": 0}}),
            d(2),
            "bad-value",
            "size",
        ),
        ("naval-search", json!({"sides": [{"groups": 10}, {"groups": 1}]}), d(4), "bad-value", "groups"),
        ("naval-search", json!({"sides": [{"groups": 1}]}), d(4), "bad-value", "sides"),
        (
            "fleet-combat-round",
            json!({"sides": [side(json!([ship("light")])), side(json!([ship("x")]))], "orders": [[], []]}),
            none(),
            "bad-value",
            "light",
        ),
        (
            "allocate-naval-losses",
            json!({"hits": 1, "target": {"kind": "cvl", "nation": "japan", "size": 1, "damaged": true}}),
            none(),
            "bad-value",
            "target.damaged",
        ),
        (
            "fleet-combat-round",
            json!({"sides": [
                side(json!([{"id": "a", "kind": "cvl", "nation": "italy", "size": 1, "damaged": true}])),
                side(json!([ship("x")])),
            ], "orders": [[], []]}),
            none(),
            "bad-value",
            "sides[0].ships[0].damaged",
        ),
        // Dice.
        (
            "attrition",
            json!({"attackers": [{"factors": 5, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}]}),
            json!([7]),
            "bad-die",
            "1",
        ),
        (
            "attrition",
            json!({"attackers": [{"factors": 5, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}]}),
            json!([0]),
            "bad-die",
            "1",
        ),
        (
            "attrition",
            json!({"attackers": [{"factors": 5, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}]}),
            json!([2.5]),
            "bad-die",
            "1",
        ),
        // The faces are looked at before anything else.
        ("attrition", json!({"nonsense": 1}), json!([3, 9]), "bad-die", "2"),
        (
            "attrition",
            json!({"attackers": [{"factors": 5, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}]}),
            json!(3),
            "bad-type",
            "dice",
        ),
        ("air-combat", json!({"attackers": us(), "defenders": us()}), d(3), "not-enough-dice", "dice"),
        ("air-combat", json!({"attackers": us(), "defenders": us()}), d(5), "too-many-dice", "dice"),
        ("air-defense", json!({"attackers": 3, "defenses": {}}), d(2), "too-many-dice", "dice"),
        ("odds-ratio", json!({"attacker": 3, "defender": 1}), d(1), "too-many-dice", "dice"),
        ("ground-assault", json!({"attackers": units(), "defenders": foes()}), none(), "not-enough-dice", "dice"),
        // The rules.
        (
            "air-combat",
            json!({"attackers": [{"nation": "prussia", "count": 1}], "defenders": us()}),
            d(4),
            "unknown-nation",
            "attackers[0].nation",
        ),
        (
            "allocate-naval-losses",
            json!({"hits": 1, "target": {"kind": "cv", "nation": "Japan", "size": 3}}),
            none(),
            "unknown-nation",
            "target.nation",
        ),
        (
            "fleet-combat-round",
            json!({"sides": [side(json!([ship("a")])), {"light": {"nation": "nowhere", "destroyers": 1}}],
                "orders": [[], []]}),
            none(),
            "unknown-nation",
            "sides[1].light.nation",
        ),
        ("odds-ratio", json!({"attacker": 0, "defender": 3}), none(), "no-attackers", "attacker"),
        ("odds-ratio", json!({"attacker": 3, "defender": 0}), none(), "no-defenders", "defender"),
        (
            "attrition",
            json!({"attackers": [{"factors": 0, "ctl": 0}], "defenders": [{"factors": 5, "ctl": 0}]}),
            d(1),
            "no-attackers",
            "attackers",
        ),
        (
            "attrition",
            json!({"attackers": [{"factors": 5, "ctl": 0}], "defenders": []}),
            d(1),
            "no-defenders",
            "defenders",
        ),
        (
            "ground-combat",
            json!({"attackers": [{"id": "lw", "kind": "air", "factors": 3}], "defenders": foes()}),
            d(1),
            "no-attackers",
            "attackers",
        ),
        (
            "ground-combat",
            json!({"attackers": units(), "defenders": [{"id": "das", "kind": "air", "factors": 3}]}),
            d(1),
            "no-defenders",
            "defenders",
        ),
        (
            "air-combat",
            json!({"attackers": [{"nation": "japan", "count": 0}], "defenders": us()}),
            d(4),
            "no-attackers",
            "attackers",
        ),
        ("air-battle", json!({"attackers": us(), "defenders": []}), d(4), "no-defenders", "defenders"),
        ("air-defense", json!({"attackers": 0, "defenses": {"flak": 1}}), d(2), "no-attackers", "attackers"),
        (
            "naval-attack",
            json!({"mode": "fleet", "attackers": [{"nation": "britain", "factors": 0}], "target": bb()}),
            d(2),
            "no-attackers",
            "attackers",
        ),
        ("air-strike", json!({"attackers": [], "defenses": {}, "targets": []}), none(), "no-attackers", "attackers"),
        ("fleet-combat-round", duel(json!([[{"target": "x", "firers": []}], []])), d(2), "no-attackers", "x"),
        (
            "ground-combat",
            json!({"attackers": [{"id": "a1", "factors": 1}], "defenders": [{"id": "d1", "factors": 5, "dm": 1}]}),
            d(1),
            "odds-below-minimum",
            "1:5",
        ),
        (
            "ground-assault",
            json!({"attackers": [{"id": "a1", "factors": 1}], "defenders": [{"id": "d1", "factors": 5, "dm": 1}]}),
            d(1),
            "odds-below-minimum",
            "1:5",
        ),
        (
            "ground-combat",
            json!({"attackers": [{"id": "a", "factors": 3}, {"id": "a", "factors": 3}], "defenders": foes()}),
            d(1),
            "duplicate-id",
            "attackers",
        ),
        (
            "ground-combat",
            json!({"attackers": units(), "defenders": foes(), "attacker_loss_order": ["a1", "a1"]}),
            d(1),
            "duplicate-id",
            "attacker_loss_order",
        ),
        ("retreat-hex", json!({"hexes": [{"id": "0101"}, {"id": "0101"}]}), none(), "duplicate-id", "hexes"),
        (
            "fleet-combat-round",
            json!({"sides": [side(json!([ship("a"), ship("a")])), side(json!([ship("x")]))], "orders": [[], []]}),
            none(),
            "duplicate-id",
            "sides[0].ships",
        ),
        (
            "allocate-naval-losses",
            json!({"hits": 1, "target": {"kind": "light-group", "nation": "japan", "destroyers": 1,
                "one_factor_order": ["cves", "cves"]}}),
            none(),
            "duplicate-id",
            "one_factor_order",
        ),
        (
            "ground-combat",
            json!({"attackers": units(), "defenders": foes(), "defender_loss_order": ["a1"]}),
            d(1),
            "unknown-unit",
            "defender_loss_order",
        ),
        (
            "ground-combat",
            json!({"attackers": [{"id": "a1", "factors": 3}, {"id": "fleet", "kind": "shore", "factors": 2}],
                "defenders": foes(), "attacker_loss_order": ["fleet"]}),
            d(1),
            "unknown-unit",
            "attacker_loss_order",
        ),
        ("retreat-hex", json!({"hexes": [{"id": "0101"}], "choice": "0102"}), none(), "unknown-hex", "choice"),
        (
            "retreat-hex",
            json!({"hexes": [{"id": "0101"}, {"id": "0102", "friendly_units": 2}], "choice": "0102"}),
            none(),
            "not-least-evil",
            "choice",
        ),
        (
            "retreat-hex",
            json!({"hexes": [{"id": "0101", "passable": false}], "choice": "0101"}),
            none(),
            "not-least-evil",
            "choice",
        ),
        (
            "air-combat",
            json!({"attackers": [{"nation": "japan", "count": 2, "elite": true}], "defenders": us()}),
            d(4),
            "not-elite",
            "elite",
        ),
        (
            "air-combat",
            json!({"attackers": us(), "defenders": [{"nation": "britain", "count": 2, "type": "naval-air",
                "elite": true}]}),
            d(4),
            "not-elite",
            "defenders[0].elite",
        ),
        (
            "air-combat",
            json!({"attackers": us(), "defenders": us(), "role": "cap", "radar_results": 1}),
            d(4),
            "radar-not-applicable",
            "radar_results",
        ),
        (
            "air-battle",
            json!({"attackers": us(), "defenders": us(), "radar_results": 1}),
            d(4),
            "radar-not-applicable",
            "radar_results",
        ),
        (
            "naval-attack",
            json!({"mode": "air", "attackers": us(), "target": {"kind": "light-group", "nation": "japan"}}),
            d(2),
            "no-target",
            "target",
        ),
        (
            "fleet-combat-round",
            json!({"sides": [side(json!([ship("a")])), {"light": {"nation": "italy"}}], "orders": [[], []]}),
            none(),
            "no-target",
            "light",
        ),
        (
            "fleet-combat-round",
            json!({"sides": [{}, side(json!([ship("x")]))], "orders": [[], []]}),
            none(),
            "no-ships",
            "sides[0]",
        ),
        (
            "air-strike",
            json!({"attackers": us(), "defenses": {}, "targets": [{"id": "x", "squadrons": 3, "ship": bb()}]}),
            none(),
            "bad-allocation",
            "4",
        ),
        ("air-strike", json!({"attackers": us(), "defenses": {}, "targets": []}), none(), "bad-allocation", "4"),
        (
            "air-strike",
            json!({"attackers": us(), "defenses": {}, "targets": [{"id": "x", "squadrons": 2, "ship": bb()},
                {"id": "x", "squadrons": 2, "ship": bb()}]}),
            none(),
            "duplicate-target",
            "x",
        ),
        (
            "fleet-combat-round",
            duel(json!([[{"target": "x", "firers": ["a"]}, {"target": "x", "firers": ["b"]}], []])),
            d(4),
            "duplicate-target",
            "x",
        ),
        ("fleet-combat-round", duel(json!([[{"target": "b", "firers": ["a"]}], []])), d(2), "unknown-target", "target"),
        (
            "fleet-combat-round",
            duel(json!([[], [{"target": "light", "firers": ["x"]}]])),
            d(2),
            "unknown-target",
            "target",
        ),
        (
            "fleet-combat-round",
            json!({"sides": [side(json!([ship("a")])), {"light": {"nation": "britain", "transports": 3,
                "soft_screened": true}}], "orders": [[{"target": "light", "firers": ["a"]}], []]}),
            d(2),
            "target-screened",
            "screened",
        ),
        ("fleet-combat-round", duel(json!([[{"target": "x", "firers": ["z"]}], []])), d(2), "unknown-firer", "firers"),
        (
            "fleet-combat-round",
            duel(json!([[{"target": "x", "firers": ["a"]}, {"target": "light", "firers": ["a"]}], []])),
            d(4),
            "firer-used-twice",
            "a",
        ),
        (
            "fleet-combat-round",
            duel(json!([[{"target": "x", "firers": ["a", "a"]}], []])),
            d(2),
            "firer-used-twice",
            "a",
        ),
        (
            "fleet-combat-round",
            duel(json!([[{"target": "x", "firers": ["cruisers"]}], []])),
            d(2),
            "firer-cannot-fire",
            "cruisers",
        ),
        (
            "fleet-combat-round",
            duel(json!([[], [{"target": "a", "firers": ["cruisers"]}]])),
            d(2),
            "firer-cannot-fire",
            "cruisers",
        ),
        (
            "fleet-combat-round",
            duel(json!([[{"target": "x", "firers": ["destroyers"]}], []])),
            d(2),
            "firer-cannot-fire",
            "destroyers",
        ),
        (
            "fleet-combat-round",
            json!({"sides": [side(json!([{"id": "a", "kind": "capital-ship", "nation": "italy", "size": 4,
                "damaged": true}])), side(json!([ship("x")]))], "orders": [[{"target": "x", "firers": ["a"]}], []]}),
            d(2),
            "firer-cannot-fire",
            "damaged",
        ),
        (
            "fleet-combat-round",
            json!({"sides": [side(json!([{"id": "a", "kind": "cvl", "nation": "italy", "size": 2}])),
                side(json!([ship("x")]))], "orders": [[{"target": "x", "firers": ["a"]}], []]}),
            d(2),
            "firer-cannot-fire",
            "carrier",
        ),
    ]
}
