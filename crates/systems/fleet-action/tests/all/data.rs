//! The data: every rating is what the referee derives from the facts, and what is broken is named.

use super::{ask, broken, system};
use flagplot_fleet_action::files;
use serde_json::{Value, json};

/// Asks the referee for the ratings of every entry of a list, and counts the entries.
fn derived(file: &str, list: &str, procedure: &str) -> usize {
    let system = system();
    let data: Value = toml::from_str(files().text(file).expect("the file is there")).expect("TOML");
    let entries = data[list].as_array().expect("a list");
    for entry in entries {
        let answer = ask(&system, procedure, &entry["facts"], json!({"dice": []}));
        assert_eq!(answer["result"], entry["ratings"], "{}: {}", entry["id"], answer["error"]);
    }
    entries.len()
}

#[test]
fn every_rating_follows_from_the_facts() {
    assert_eq!(derived("ships.toml", "ship", "derive-ship"), 57);
    assert_eq!(derived("aircraft.toml", "aircraft", "derive-aircraft"), 17);
    assert_eq!(derived("ordnance.toml", "torpedo", "derive-torpedo"), 14);
    assert_eq!(derived("ordnance.toml", "bomb", "derive-bomb"), 14);
}

#[test]
fn all_of_it_is_read() {
    let system = system();
    let fleet = system.fleet();
    assert_eq!((fleet.specials.len(), fleet.type_x.len(), fleet.submarines.len(), fleet.scenarios.len()), (3, 6, 4, 7));
    assert!(system.scenarios().is_empty(), "no scenario is played yet, so none is offered");
    assert_eq!(system.rules(), flagplot_fleet_action::rule::ALL);
}

#[test]
fn there_are_forty_two_procedures_and_each_describes_itself() {
    use flagplot_referee::System as _;
    let system = system();
    let mut names: Vec<_> = system.procedures().iter().map(|procedure| procedure.about().name).collect();
    assert_eq!(names.len(), 42);
    for procedure in system.procedures() {
        let about = procedure.about();
        assert!(about.help.ends_with('.') && !about.dice.is_empty() && !about.rules.is_empty(), "{}", about.name);
        assert_eq!(about.input.json_schema()["type"], "object", "{}", about.name);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 42);
}

/// Broken data must be refused with a message that contains `says`.
fn check(file: &str, from: &str, to: &str, says: &str) {
    let error = broken(file, from, to);
    assert!(error.contains(says), "'{says}' is not in '{error}'");
}

#[test]
fn broken_data_is_refused_and_says_where() {
    check("ships.toml", "f = 28", "f = 29", "admiral-graf-spee: f is 29, but the facts give 28");
    check("ships.toml", "displacement_t = 12340", "displacement_t = 12340\ncolour = 1", "colour");
    check("ships.toml", r#"torpedo = "g7a""#, r#"torpedo = "g7x""#, "'g7x' is not a torpedo");
    check("aircraft.toml", "intercept = 7", "intercept = 8", "a6m2: intercept is 8");
    check(
        "aircraft.toml",
        r#"ordnance = "type-91""#,
        r#"ordnance = "bomb-800kg-ap""#,
        "not ordnance for a torpedo-bomber",
    );
    check("ordnance.toml", "cv = 17", "cv = 18", "type-93");
    check("tables.toml", "hull = { faces = [1, 2]", "hull = { faces = [1, 3]", "share a face");
    check("tables.toml", "hull = { faces = [1, 2]", "hull = { faces = [1, 1]", "face 2 has no result");
    check("tables.toml", "hull = {", "keel = {", "unknown variant `keel`");
    check("tables.toml", "dive-bomber = 4", "", "dive-bomber");
    check("tables.toml", "beam = [2, 8, 10]", "beam = [2, 8, 9]", "end with 10");
    check("tables.toml", "upper = [2, 6, 12, 20]", "upper = [2, 6, 6, 20]", "must rise");
    check("tuning.toml", "magazine_divisor = 8", "magazine_divisor = 0", "divisors");
    check("scenarios.toml", "heading = 150", "heading = 151", "heading 151");
    check("scenarios.toml", "flagship = true", "flagship = false", "one flagship");
    check("scenarios.toml", r#"aircraft = "fm-2""#, r#"aircraft = "fm-3""#, "'fm-3' is not an aircraft");
    check("small-craft.toml", r#"torpedo = "g7a""#, r#"torpedo = "g8a""#, "known torpedo");
}
