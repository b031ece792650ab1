//! Every procedure has an example that can be ruled on and counted at once, and every scenario with options can be
//! played with those it shows.

use flagplot_catalog::Catalog;
use flagplot_odds::Budget;
use flagplot_referee::parse;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A stranger does not wait: examples are small.
const BUDGET: Budget<'static> = Budget { branches: 200_000, states: 100_000, ..Budget::USUAL };

fn ask(catalog: &Catalog, request: &Value) -> Result<Value, String> {
    let request = parse(request.to_string().as_bytes()).map_err(|refusal| refusal.message.to_string())?;
    let response = catalog.adjudicate(request, || 1, BUDGET).map_err(|refusal| refusal.message.to_string())?;
    Ok(serde_json::to_value(response).expect("a response is JSON"))
}

#[test]
fn every_procedure_has_an_example() {
    let catalog = Catalog::built_in();
    for id in catalog.ids() {
        let examples = catalog.system(id).unwrap().examples();
        let named: BTreeSet<&str> = examples.iter().map(|example| example.procedure.as_str()).collect();
        let known: BTreeSet<&str> = catalog.procedures(id).unwrap().iter().map(|about| about.name).collect();
        assert_eq!(named, known, "{id}");
        assert_eq!(examples.len(), known.len(), "{id}: one for each");
        for (at, example) in examples.iter().enumerate() {
            let what = format!("{id} {}", example.procedure);
            let request = json!({"system": id, "procedure": example.procedure, "input": example.input});
            let with = |field: &str, value: Value| {
                let mut request = request.clone();
                request[field] = value;
                ask(&catalog, &request).unwrap_or_else(|why| panic!("{what}: {why}"))
            };
            assert!(
                with("seed", json!(1))["trace"].as_array().is_some_and(|trace| !trace.is_empty()),
                "{what}: there is a proof"
            );
            let odds = with("odds", json!(true));
            let chancy = odds["odds"]
                .as_object()
                .unwrap()
                .values()
                .any(|field| field.as_object().is_some_and(|field| field.len() > 1));
            assert!(at > 0 || chancy, "{what}: the first example leaves something to chance");
            assert!(!example.title.is_empty() && !example.title.ends_with('.'), "{what}: a title is a few words");
        }
    }
}

#[test]
fn the_options_that_are_shown_can_be_played() {
    let catalog = Catalog::built_in();
    let mut found = 0;
    for id in catalog.ids() {
        let system = catalog.system(id).unwrap();
        for scenario in system.scenarios() {
            let Some((shape, value)) = system.options(&scenario.id) else { continue };
            found += 1;
            let whole = shape
                .check(value, "options", &system.codes())
                .unwrap_or_else(|refusal| panic!("{id}: {}", refusal.message));
            assert!(system.game(&scenario.id, &whole).is_ok(), "{id} {}", scenario.id);
        }
    }
    assert!(found >= 2);
}
