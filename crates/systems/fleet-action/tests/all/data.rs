//! The data: every rating is what the referee derives from the facts, and what is broken is named.

use super::{ask, broken, system};
use flagplot_fleet_action::words::Density;
use flagplot_fleet_action::{System, files};
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
    assert_eq!(
        (fleet.specials.len(), fleet.type_x.len(), fleet.submarines.len(), fleet.scenarios.len()),
        (3, 6, 4, 10)
    );
    assert_eq!(system.scenarios().len(), 11, "ten battles and the custom battle");
    assert_eq!(system.rules(), flagplot_fleet_action::rule::ALL);
}

/// A newcomer's ship: what an encyclopaedia gives is enough.
#[test]
fn a_ship_of_ones_own_needs_no_ratings() {
    let laid = |from: &str, to: &str| {
        let mut own = files();
        let text = own.text("ships.toml").expect("the file is there").to_owned();
        let entry = text.split("[[ship]]").nth(1).expect("the first ship");
        let facts = entry.split("[ship.ratings]").next().expect("her facts");
        let facts = facts.replace(r#"id = "admiral-graf-spee""#, r#"id = "my-raider""#);
        assert!(facts.contains(from), "{facts}");
        own.lay("ships.toml", format!("{text}\n[[ship]]{}", facts.replacen(from, to, 1)));
        System::new(&own)
    };
    let system = laid("belt_mm = 80", "belt_mm = 80").expect("her ratings follow from her facts");
    let ratings = |id: &str| {
        let ship = system.fleet().ships.iter().find(|ship| ship.id == id).expect("the ship is there");
        ship.ratings.clone()
    };
    assert_eq!(ratings("my-raider"), ratings("admiral-graf-spee"));
    let said = |from: &str, to: &str| laid(from, to).err().map(|error| error.to_string()).unwrap_or_default();
    let missing = said("complement = 951\n", "");
    assert!(missing.contains("my-raider") && missing.contains("complement"), "{missing}");
    let wrong = said("speed_kn = 28", "speed_kn = 280");
    assert!(wrong.contains("my-raider") && wrong.contains("speed_kn"), "{wrong}");
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
    check("scenarios.toml", "at_least = 3", "at_most = 3", "unknown field `at_most`");
    check("scenarios.toml", "towed = true", "towing = true", "unknown field `towing`");
    check("small-craft.toml", "[mine]", "[minefield]\n[mine]", "minefield");
    check("small-craft.toml", r#"torpedo = "g7a""#, r#"torpedo = "g8a""#, "known torpedo");
}

/// A broken scenario must be refused with a message that names the file, the scenario and the fault.
fn check_scenario(scenario: &str, from: &str, to: &str, says: &str) {
    let mut files = files();
    let text = files.text("scenarios.toml").expect("the file is there").to_owned();
    let begins = text.find(&format!("id = \"{scenario}\"")).expect("the scenario is there");
    let (before, rest) = text.split_at(begins);
    assert!(rest.contains(from), "{scenario} has no '{from}'");
    files.lay("scenarios.toml", format!("{before}{}", rest.replacen(from, to, 1)));
    let error = flagplot_fleet_action::System::new(&files).err().map(|error| error.to_string()).unwrap_or_default();
    for part in ["scenarios.toml", scenario, says] {
        assert!(error.contains(part), "{scenario}, '{from}' to '{to}': '{part}' is not in '{error}'");
    }
}

#[test]
fn broken_scenarios_are_refused_and_say_where() {
    for (scenario, from, to, says) in [
        ("river-plate", "turns = 14", "turns = 0", "the number of turns is 0"),
        ("river-plate", "tvr = [5]", "tvr = []", "tvr must be a list"),
        ("river-plate", r#"side_a = "Germany""#, r#"side_a = " ""#, "side_a must not be empty"),
        ("river-plate", "margin = 10", "margin = 0", "margin is 0"),
        ("river-plate", "decisive = 25", "decisive = 7", "decisive is 7"),
        ("river-plate", "heading = 150", "heading = 151", "heading 151"),
        ("river-plate", "speed = 24", "speed = 40", "cannot start at 40 knots"),
        ("river-plate", "x = -627", "x = -627000", "x of admiral-graf-spee"),
        ("river-plate", "crew_quality = 2", "crew_quality = 3", "crew quality of admiral-graf-spee is 3"),
        ("river-plate", "flagship = true", "flagship = false", "one flagship"),
        ("river-plate", r#"ship = "ajax""#, r#"ship = "jaguarundi""#, "'jaguarundi' is not a ship"),
        ("river-plate", r#"ship = "ajax""#, r#"ship = "achilles""#, "'achilles' appears twice"),
        ("river-plate", "x = -52, y = -30", "x = -12, y = -10", "too close"),
        ("river-plate", "clear_mm = 1500 ", "", "leave needs clear_mm or x_above"),
        ("river-plate", "any = [ { speed_below = 20 }", "any = [ {}", "is empty"),
        ("river-plate", "structure_at_most = [1, 3]", "structure_at_most = [4, 3]", "not a share"),
        ("river-plate", "points = 15", "points = 0", "the points of the bonus"),
        ("denmark-strait", "faulty_main = 2", "faulty_main = 11", "faulty_main of prince-of-wales is 11"),
        (
            "denmark-strait",
            r#"ship = "bismarck"
afloat"#,
            r#"ship = "tirpitz"
afloat"#,
            "'tirpitz', which is not a vessel",
        ),
        ("savo-island", "spreads_d10 = 8", "spreads_d10 = 11", "spreads_d10 of alert is 11"),
        ("savo-island", ", spreads_d10 = 8", "", "both of spreads_from_turn"),
        ("savo-island", "turns = [1, 4]", "turns = [4, 1]", "the last turn of flares"),
        ("savo-island", r#"alert = {"#, r#"#alert = {"#, "does not say how it is alerted"),
        ("samar", r#"heading = 270, mm"#, r#"heading = 271, mm"#, "drift cannot have heading 271"),
        ("samar", r#"aircraft = "fm-2""#, r#"aircraft = "fm-3""#, "'fm-3' is not an aircraft"),
        ("samar", "count = 8", "count = 28", "the count of a stand of fm-2 is 28"),
        ("samar", r#"attack = "salvo-rockets""#, r#"attack = "skip-bomber""#, "cannot carry that load"),
        ("samar", r#"attack = "salvo-rockets""#, r#"attack = "rammer""#, "'rammer' is not a type of attack"),
        ("samar", "arrives = 2", "arrives = 20", "arrives of a stand of fm-2 is 20"),
        ("hx-84", r#"ship = "rangitiki", turns"#, r#"ship = "jervis-bay", turns"#, "which is not a ship of convoy"),
        ("hx-84", r#"smoke_floats = { squadron = "convoy""#, r#"smoke_floats = { squadron = "konvoi""#, "'konvoi'"),
        ("hx-84", "night_from_turn = 8", "night_from_turn = 80", "night_from_turn is 80"),
        ("illustrious", "rearming = 1", "rearming = 2", "1 stands are being armed"),
        ("illustrious", r#"from = "illustrious""#, r#"from = "warspite""#, "not a carrier of its side"),
        ("illustrious", "x = 700, y = 700", "x = 700", "only one of x and y"),
        ("illustrious", r#"aircraft = "fulmar-i""#, r#"aircraft = "ju-87r""#, "ju-87r is no fighter"),
        ("kormoran", "holds = [1]", "holds = [11]", "a turn of holds of sydney is 11"),
        (
            "kormoran",
            "initiative = [ { turn = 1",
            "initiative = [ { turn = 1, side = \"b\" }, { turn = 1",
            "turn 1 twice",
        ),
        ("two-decks", "ready = true", "ready = true, x = 0, y = 0", "both aboard and in the air"),
        ("blackett-strait", r#"modules = [ "mines" ]"#, "modules = []", "does not use the module mines"),
        ("blackett-strait", "max = [500, 250]", "max = [500, -120]", "too small for a field"),
        ("blackett-strait", "vessels = 6", "vessels = 13", "vessels of a stand of daihatsu is 13"),
        ("blackett-strait", r#"type_x = "pt-boat""#, r#"type_x = "s-boot""#, "'s-boot' is not a type of small craft"),
        ("blackett-strait", "x = -560, y = 60", "x = 0, y = 600", "starts on land"),
        ("blackett-strait", r#"each_vessel_left_of = "daihatsu""#, r#"each_vessel_left_of = "siebel""#, "'siebel'"),
        ("i-168", r#"modules = [ "submarines" ]"#, "modules = []", "does not use the module submarines"),
        ("i-168", r#"around = "yorktown""#, r#"around = "hornet""#, "'hornet', which is not a ship on the table"),
        ("i-168", "least_mm = 700", "least_mm = 7000", "most_mm of i-168 is 1200"),
        ("i-168", "f = 18", "f = 180", "start.f of yorktown is 180"),
    ] {
        check_scenario(scenario, from, to, says);
    }
}

#[test]
fn a_minefield_loses_one_step_of_density_at_a_time() {
    let steps = std::iter::successors(Some(Density::Heavy), |density| density.thinned());
    assert_eq!(steps.collect::<Vec<_>>(), [Density::Heavy, Density::Medium, Density::Light]);
}
