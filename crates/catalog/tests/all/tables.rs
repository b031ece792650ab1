//! A proof is whole: every die that was rolled is in it, every table it names is one of the system's charts, and its
//! row and column are there.

use flagplot_catalog::Catalog;
use flagplot_odds::Budget;
use flagplot_referee::{Response, dice_without_proof, parse};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn every_die_is_in_the_proof_and_every_table_in_it_can_be_drawn() {
    let catalog = Catalog::built_in();
    for (system, vectors) in crate::vectors::ALL {
        let charts = catalog.system(system).unwrap().charts();
        let mut read = BTreeSet::new();
        for vector in serde_json::from_str::<Vec<Value>>(vectors).expect("vectors are a JSON list") {
            let request = json!({"system": system, "procedure": vector["procedure"], "input": vector["input"],
                "dice": vector.get("dice").unwrap_or(&json!([]))});
            let Ok(Response::Ruling(ruling)) = parse(request.to_string().as_bytes())
                .and_then(|request| catalog.adjudicate(request, || 0, Budget::default()))
            else {
                continue;
            };
            let lacking = dice_without_proof(&serde_json::to_value(&ruling).expect("a ruling has a JSON form"));
            assert_eq!(lacking, None, "{system}: {} rolls dice that its proof does not show", vector["id"]);
            for note in &ruling.trace {
                let Some(reading) = &note.table else { continue };
                let chart = charts
                    .iter()
                    .find(|chart| chart.id == reading.table)
                    .unwrap_or_else(|| panic!("{system}: no chart '{}': {}", reading.table, note.text));
                let (rows, columns) = chart.lit(reading, &note.dice);
                let named = [&reading.row, &reading.column].into_iter().filter(|word| !word.is_empty()).count();
                assert!(rows.len() + columns.len() >= named, "{system}: {reading:?} is not in the chart {chart:?}");
                read.insert(chart.id.clone());
            }
        }
        assert!(!read.is_empty(), "{system}: no table was read");
    }
}
