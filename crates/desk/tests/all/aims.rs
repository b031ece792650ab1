//! Every scenario says how each side wins.

use flagplot_catalog::Catalog;
use flagplot_kernel::Side;
use serde_json::Value;

#[test]
fn every_scenario_says_how_each_side_wins() {
    let catalog = Catalog::built_in();
    let mut scenarios = 0;
    for system in catalog.ids() {
        let system = catalog.system(system).unwrap();
        for scenario in system.scenarios() {
            let aims = system.game(&scenario.id, &Value::Null).unwrap().aims();
            for side in Side::BOTH {
                let aim = &aims[side];
                let words = aim.split_whitespace().count();
                assert!(aim.starts_with("You win if ") && aim.ends_with('.'), "{} {side:?}: {aim}", scenario.id);
                assert!((8..=40).contains(&words) && !aim.contains("  "), "{} {side:?}: {aim}", scenario.id);
            }
            scenarios += 1;
        }
    }
    assert!(scenarios > 40, "{scenarios}");
}
