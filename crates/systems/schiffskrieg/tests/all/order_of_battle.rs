//! The counters and what an owner lays over them.

use flagplot_schiffskrieg::formula::{Facts, derive};
use flagplot_schiffskrieg::unit::{Id, Kind};
use flagplot_schiffskrieg::{System, files};
use serde_json::{Value, json};

#[test]
fn all_counters_agree_with_the_formula() {
    let system = crate::common::system();
    let counters = &system.order_of_battle().0;
    assert_eq!(counters.len(), 233);
    let wrong: Vec<String> = counters
        .values()
        .filter(|entry| {
            let derived = derive(entry.sheet.kind, &entry.facts);
            (derived.front, derived.damage, derived.back, derived.vp)
                != (entry.sheet.front, entry.sheet.damage, entry.sheet.back, entry.sheet.vp)
        })
        .map(|entry| entry.sheet.id.to_string())
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let of = |nation: &str| counters.values().filter(|entry| entry.nation == nation).count();
    let nations = ["germany", "italy", "united-kingdom", "france", "united-states", "japan", "soviet-union"];
    assert_eq!(nations.map(of), [21, 20, 50, 11, 57, 61, 13]);
}

const MONTANA: &str = r#"
[[unit]]
id = "montana"
name = "Montana"
nation = "united-states"
kind = "battleship"
facts = { ships = 1, tons = 60500, belt_mm = 409, guns = 12, gun_mm = 406 }
"#;

#[test]
fn a_ship_of_ones_own_can_be_picked() {
    let mut files = files();
    files.lay("units_mine.toml", MONTANA);
    let system = System::new(&files).unwrap();
    let sheet = system.order_of_battle().0[&Id::new("montana").unwrap()].sheet;
    // √(12 × 4.06³) ÷ 4.5 = 6.3; √60.5 + 409/150 = 10.5: rounded half up.
    assert_eq!((sheet.front.gunnery, sheet.front.defense, sheet.damage, sheet.vp), (6, 11, 6, 11));
    let game = system.game("custom", &Value::Null).unwrap();
    let picks = flagplot_kernel::Answer::Sealed(
        [(flagplot_kernel::Seat(0), json!(["montana"])), (flagplot_kernel::Seat(1), json!(["yamato"]))].into(),
    );
    let state = flagplot_kernel::Game::setup(&game);
    assert!(flagplot_kernel::advance(&game, &state, &mut flagplot_kernel::Tape::new(vec![picks])).is_ok());
}

/// What the program says to a file of one's own.
fn error(text: &str) -> String {
    let mut files = files();
    files.lay("units_mine.toml", text);
    System::new(&files).err().unwrap_or_else(|| panic!("it is accepted: {text}")).to_string()
}

#[test]
fn a_wrong_file_is_told_what_is_wrong() {
    let cases = [
        (
            MONTANA.replace("id = \"montana\"", "id = \"iowa\""),
            "the unit 'iowa' is listed twice, here and in units_mine.toml",
        ),
        (MONTANA.replace("60500", "900000"), "its fact 'tons' is 900000; it may be 1 to 400000"),
        (MONTANA.replace("ships = 1", "ships = 0"), "its fact 'ships' is 0; it may be 1 to 30"),
        (MONTANA.replace("tons = 60500", "tonnes = 60500"), "tonnes"),
        (MONTANA.replace("battleship", "dreadnought"), "dreadnought"),
        (MONTANA.replace("guns = 12", "aircraft = 40"), "only carriers and LBAs have an Airstrike Factor"),
        (MONTANA.replace("name = \"Montana\"", "name = \"\""), "a name has 1 to 96 bytes"),
        (format!("{MONTANA}damage = 12\n"), "the Damage Factor may not exceed the Defense Factor"),
        (
            format!("{MONTANA}front = {{ gunnery = 41, torpedo = 0, airstrike = 0, defense = 6 }}\ndamage = 6\n"),
            "a factor is above 40",
        ),
        ("[[unit]]\nid = \"x\"".into(), "missing field"),
        ("unit = 3".into(), "invalid type"),
    ];
    for (text, says) in cases {
        let message = error(&text);
        assert!(message.contains("units_mine.toml") && message.contains(says), "{message}\n{text}");
    }
}

#[test]
fn wrong_scenarios_and_campaigns_are_told_what_is_wrong() {
    let lay = |file: &str, from: &str, to: &str| {
        let mut files = files();
        let text = files.text(file).unwrap();
        assert!(text.contains(from), "{from}");
        let text = text.replacen(from, to, 1);
        files.lay(file, text);
        System::new(&files).err().map(|error| error.to_string()).unwrap_or_default()
    };
    for (file, from, to, says) in [
        (
            "campaigns.toml",
            "id = \"shokaku\"",
            "id = \"shoukaku\"",
            "there is no unit 'shoukaku' in the order of battle",
        ),
        (
            "campaigns.toml",
            "port_approach = \"bismarck-sea\"",
            "port_approach = \"sargasso\"",
            "there is no zone 'sargasso'",
        ),
        ("campaigns.toml", "initiative = [\"united-states\", ", "initiative = [", "as many entries of initiative"),
        ("campaigns.toml", "delay_drm = -1", "delay_drm = -9", "a delay_drm of −5 to 5"),
        ("campaigns.toml", "reach = [\"slot\", \"bismarck-sea\"]", "", "an LBA, and only an LBA, has a reach"),
        ("campaigns.toml", "id = \"slot\"", "id = \"port\"", "'port' and 'raid' are orders"),
        ("campaigns.toml", "id = \"zuikaku\"\nturn = 1", "id = \"zuikaku\"\nturn = 7", "it arrives in turn 1 to 6"),
        ("scenarios.toml", "id = \"hood\"", "id = \"hod\"", "there is no unit 'hod' in the order of battle"),
        ("scenarios.toml", "phasing = \"allies\"", "phasing = \"axis\"", "there is no faction 'axis'"),
        ("scenarios.toml", "id = \"midway-1942\"", "id = \"ironbottom-1942\"", "belongs to something else"),
    ] {
        let message = lay(file, from, to);
        assert!(message.starts_with(file) && message.contains(says), "{message}");
    }
}

#[test]
fn hood_by_hand() {
    // √(8 × 3.81³) ÷ 4.5 = 4.67 → 5; √42.67 + 305/150 = 8.57 → 9.
    let hood =
        Facts { ships: 1, tons: 42_670, belt_mm: 305, guns: 8, gun_mm: 381, tubes: 4, tube_mm: 533, aircraft: 0 };
    let derived = derive(Kind::Battleship, &hood);
    assert_eq!((derived.front.gunnery, derived.front.torpedo, derived.front.defense, derived.damage), (5, 0, 9, 5));
    assert_eq!(derived.vp, 9);
}

#[test]
fn the_smallest_unit_has_a_defense_of_one_and_no_damaged_side() {
    let boat = Facts { ships: 1, tons: 1, ..Facts::default() };
    let derived = derive(Kind::Destroyers, &boat);
    assert_eq!((derived.front.defense, derived.back), (1, None));
}
