//! What the table offers must be what the procedures take.

use super::system;
use flagplot_fleet_action::System;
use flagplot_referee::{Index, LibraryItem, Pick, Shape, System as _};
use serde_json::{Value, json};

/// The shape of a field of a procedure's input; the whole input for an empty path.
fn shape(index: &Index, procedure: &str, path: &str) -> Shape {
    let about = index.abouts().iter().find(|about| about.name == procedure).expect("a procedure");
    path.split('.').filter(|part| !part.is_empty()).fold(about.input.clone(), |shape, part| match shape {
        Shape::Record { fields } => fields.into_iter().find(|field| field.name == part).expect("a field").shape,
        Shape::List { of, .. } => *of,
        other => other,
    })
}

/// Every field of a value must be one of the record's and have its shape; what is missing is asked for.
fn fits(system: &System, shape: &Shape, value: &Value) -> bool {
    let Shape::Record { fields } = shape else { return false };
    let known = |(name, value): (&String, &Value)| {
        fields.iter().any(|field| field.name == name && field.shape.check(value.clone(), "", &system.codes()).is_ok())
    };
    value.as_object().is_some_and(|value| !value.is_empty() && value.iter().all(known))
}

#[test]
fn every_object_fits_the_inputs_it_is_for() {
    let system = system();
    let index = Index::of(&system);
    let places = [
        ("ship", "resolve-hit", "ship"),
        ("gun", "gunnery-salvo", "gun"),
        ("torpedo", "resolve-hit", "weapon"),
        ("bomb", "resolve-hit", "weapon"),
        ("aircraft", "air-combat", "attacker"),
        ("small craft", "crf-mrf-fire", "target"),
        ("submarine", "asw-attack", "submarine"),
    ];
    let library = system.library();
    for (kind, procedure, path) in places {
        let shape = shape(&index, procedure, path);
        let items: Vec<&LibraryItem> = library.iter().filter(|item| item.kind == kind).collect();
        assert!(!items.is_empty(), "there is no {kind}");
        items.iter().for_each(|item| {
            assert!(fits(&system, &shape, &item.value), "{kind} {} does not fit {procedure}.{path}", item.id)
        });
    }
    assert_eq!(library.iter().filter(|item| item.kind == "ship").count(), system.fleet().ships.len());
}

#[test]
fn every_form_that_is_named_after_a_procedure_is_an_input_of_it() {
    let system = system();
    let index = Index::of(&system);
    let mut seen = 0;
    for item in system.library() {
        for form in system.aspects(&item) {
            if index.abouts().iter().any(|about| about.name == form.kind) {
                seen += 1;
                assert!(
                    fits(&system, &shape(&index, &form.kind, ""), &form.value),
                    "{} as {}: {}",
                    item.id,
                    form.kind,
                    form.value
                );
            }
        }
    }
    assert!(seen > 500, "only {seen} forms were seen");
}

#[test]
fn a_ship_is_a_shooter_a_target_and_a_mover() {
    let system = system();
    let index = Index::of(&system);
    let hood = system.library().into_iter().find(|item| item.id == "hood").expect("Hood");
    let forms = system.aspects(&hood);
    let places = [
        ("gunnery-salvo", "shooter"),
        ("gunnery-salvo", "target"),
        ("gunnery-to-hit", "target"),
        ("torpedo-attack", "shooter"),
        ("torpedo-attack", "target"),
        ("crf-mrf-fire", "target"),
        ("air-attack-on-ship", "target"),
        ("movement", "ship"),
        ("collision", "moving"),
    ];
    for (procedure, path) in places {
        let shape = shape(&index, procedure, path);
        assert!(forms.iter().any(|form| fits(&system, &shape, &form.value)), "{procedure}.{path}");
    }
}

#[test]
fn a_ruling_calls_for_procedures_that_there_are_with_fields_they_have() {
    let system = system();
    let index = Index::of(&system);
    let item = |id: &str| system.library().into_iter().find(|item| item.id == id).expect("an object");
    let pick = |path: &str, id: &str| Pick { path: path.to_owned(), item: item(id) };
    let cases = [
        ("gunnery-to-hit", json!({}), vec![pick("target", "hood")], json!({"hit": true})),
        (
            "torpedo-attack",
            json!({"target": {"arc": "bow"}}),
            vec![pick("shooter", "prinz-eugen"), pick("target", "hood")],
            json!({"hits": 2}),
        ),
        ("underwater-location", json!({}), vec![pick("ship", "hood"), pick("weapon", "g7a")], json!({"column": "bow"})),
        ("mine-transit", json!({}), vec![pick("", "hood")], json!({"strike": true, "column": "stern"})),
        ("air-attack-on-ship", json!({"attack": "dive-bomber"}), vec![pick("target", "hood")], json!({"hits": 1})),
        ("gunnery-salvo", json!({}), vec![pick("ship", "hood")], json!({"explosion_dice": 5})),
        ("collateral-damage", json!({}), vec![], json!({"ships": [{"explosion_dice": 0}, {"explosion_dice": 3}]})),
        ("weapon-loss", json!({}), vec![], json!({"magazine_test": true})),
        ("magazine-test", json!({}), vec![pick("", "hood")], json!({"outcome": "flashover"})),
        ("magazine-test", json!({}), vec![pick("", "hood")], json!({"outcome": "explosion"})),
        ("submarine-detection", json!({"depth": "deep", "crew_quality": 1}), vec![], json!({"detected": true})),
    ];
    // Fires burn in a phase of their own.
    assert!(system.follow_ups("damage-control", &json!({}), &[pick("", "hood")], &json!({"fires": 2})).is_empty());
    for (procedure, input, picks, result) in cases {
        let follow = system.follow_ups(procedure, &input, &picks, &result);
        assert_eq!(follow.len(), 1, "{procedure}");
        for next in follow {
            let shape = shape(&index, next.procedure, "");
            let known = next.known.as_object().expect("an object");
            assert!(
                known.is_empty() || fits(&system, &shape, &next.known),
                "{procedure} calls for {} with {}",
                next.procedure,
                next.known
            );
            assert!(
                next.objects.iter().all(|(_, id)| system.library().iter().any(|item| item.id == *id)),
                "{:?}",
                next.objects
            );
        }
        let nothing = system.follow_ups(
            procedure,
            &input,
            &picks,
            &json!({"hit": false, "hits": 0, "outcome": "safe", "fires": 0}),
        );
        assert!(
            nothing.is_empty() || procedure == "underwater-location",
            "{procedure} calls for {nothing:?} after nothing"
        );
    }
}

#[test]
fn damage_control_and_light_guns_change_the_ship_they_were_ruled_for() {
    let system = system();
    let mut hood = system.library().into_iter().find(|item| item.id == "hood").expect("Hood");
    hood.value["fires"] = 3.into();
    hood.value["fc"] = 1.into();
    let after = |procedure, path: &str, result| {
        system.aftermath(procedure, &[Pick { path: path.to_owned(), item: hood.clone() }], &result).remove(0).value
    };
    let mended = after("damage-control", "", json!({"fires": 1, "repaired": ["fc", "power"], "speed_restored": 0}));
    assert_eq!((&mended["fires"], &mended["fc"], &mended["power_failed"]), (&json!(1), &json!(2), &json!(false)));
    let light = after("crf-mrf-fire", "target", json!({"structure_lost": 4, "splash": 1}));
    assert_eq!((&light["s"], &light["splash"]), (&json!(hood.value["s"].as_i64().unwrap_or(0) - 4), &json!(1)));
}

#[test]
fn every_row_of_a_chart_is_as_long_as_its_head() {
    let charts = system().charts();
    assert!(charts.len() >= 10);
    for chart in charts {
        assert!(
            !chart.rows.is_empty() && chart.rows.iter().all(|(_, cells)| cells.len() == chart.columns.len()),
            "{}",
            chart.id
        );
    }
}
