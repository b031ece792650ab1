//! The test vectors of all systems.

/// Each system with its test vectors.
pub const ALL: [(&str, &str); 5] = [
    ("carrier-strike", include_str!("../../../systems/carrier-strike/tests/vectors.json")),
    ("dogfite", include_str!("../../../systems/dogfite/tests/vectors.json")),
    ("fleet-action", include_str!("../../../systems/fleet-action/tests/vectors.json")),
    ("schiffskrieg", include_str!("../../../systems/schiffskrieg/tests/vectors.json")),
    ("world-at-war", include_str!("../../../systems/world-at-war/tests/vectors.json")),
];
