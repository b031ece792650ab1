//! Ratings from facts.

use super::ship::{armour_fields, gun_mount, torpedo_mount};
use super::*;
use crate::derive::*;
use crate::rule;
use flagplot_kernel::{Ask, Note, Rule};
use flagplot_referee::About;
use serde_json::json;

pub(super) fn all(book: &Arc<Book>) -> Vec<Box<dyn AnyProcedure>> {
    vec![
        Box::new(DeriveGun(Arc::clone(book))),
        Box::new(DeriveTorpedo(Arc::clone(book))),
        Box::new(DeriveBomb(Arc::clone(book))),
        Box::new(DeriveShip(Arc::clone(book))),
        Box::new(DeriveAircraft(Arc::clone(book))),
    ]
}

fn derived<T: Serialize>(what: &str, ratings: T, rule: Rule, ask: &mut impl Ask) -> T {
    ask.note(|| {
        Note::new("derive", format!("The ratings of the {what} follow from its facts"))
            .by(&[rule])
            .outcome(serde_json::to_value(&ratings).unwrap_or_default())
    });
    ratings
}

fn year(name: &'static str, help: &'static str) -> Field {
    req(name, int(1800, 2000), help)
}

fn gun_fields() -> Vec<Field> {
    vec![
        req("calibre_mm", int(1, 600), "the calibre"),
        or("gun_year", int(1800, 2000), 1930, "when the gun was designed"),
        or("range_yd", int(0, 100_000), 30_000, "how far it shoots"),
        flag("heavy_shell", "its shell is uncommonly heavy"),
    ]
}

fn points(name: &'static str, help: &'static str) -> (&'static str, Shape, &'static str) {
    (name, number(), help)
}

fn pen_shape() -> Shape {
    list(number(), 5, 5)
}

fn run_gun(_: &Book, input: &GunFacts, ask: &mut impl Ask) -> Result<Gun, Halt> {
    Ok(derived("gun", input.derive(), rule::C_26, ask))
}

procedure!(DeriveGun: GunFacts => Gun, About {
    name: "derive-gun",
    help: "The ratings of a gun.",
    dice: "none",
    input: record(gun_fields()),
    result: answers(&[points("ip", "damage points"), points("cv", "critical value"), points("max_band", "the last band it reaches"), ("pen", pen_shape(), "penetration in each band")]),
    rules: &[rule::C_26],
}, no_check, run_gun);

fn run_torpedo(_: &Book, input: &TorpedoFacts, ask: &mut impl Ask) -> Result<Torpedo, Halt> {
    Ok(derived("torpedo", input.derive(), rule::C_28, ask))
}

procedure!(DeriveTorpedo: TorpedoFacts => Torpedo, About {
    name: "derive-torpedo",
    help: "The ratings of a torpedo.",
    dice: "none",
    input: record(vec![
        req("warhead_kg", int(1, 2000), "the charge"),
        req("settings", list(record(vec![req("speed_kn", int(1, 200), "speed"), req("range_yd", int(0, 100_000), "how far it runs")]), 1, 10), "its speed settings"),
    ]),
    result: answers(&[
        points("ip", "damage points"),
        points("cv", "critical value"),
        ("settings", list(answers(&[points("speed_kn", "speed"), points("modifier", "what it adds"), points("max_band", "the last band it reaches")]), 1, 10), "its speed settings"),
    ]),
    rules: &[rule::C_28],
}, no_check, run_torpedo);

fn run_bomb(_: &Book, input: &BombFacts, ask: &mut impl Ask) -> Result<Bomb, Halt> {
    Ok(derived("bomb", input.derive(), rule::C_28, ask))
}

procedure!(DeriveBomb: BombFacts => Bomb, About {
    name: "derive-bomb",
    help: "The ratings of a bomb.",
    dice: "none",
    input: record(vec![req("weight_kg", int(1, 20_000), "its weight"), req("case", words(BombCase::WORDS), "its make")]),
    result: answers(&[points("ip", "damage points"), points("cv", "critical value"), points("pen", "penetration")]),
    rules: &[rule::C_28],
}, no_check, run_bomb);

fn check_ship(_: &Book, input: &ShipFacts) -> Result<(), Refusal> {
    input.check()
}

fn run_ship(book: &Book, input: &ShipFacts, ask: &mut impl Ask) -> Result<ShipRatings, Halt> {
    Ok(derived("ship", input.derive(book), rule::C_26, ask))
}

fn ship_facts() -> Shape {
    let armour = |name, help| or(name, int(0, 1000), 0, help);
    let count = || or("count", int(1, 64), 1, "how many");
    let mount = record(vec![
        req("type", words(Mounting::WORDS), "how the guns are mounted"),
        req("arc", words(Station::WORDS), "where it stands"),
        or("guns", int(1, 9), 1, "guns in each"),
        count(),
    ]);
    let mut battery = vec![req("group", word(&["main", "other"]), "main or other")];
    battery.extend(gun_fields());
    battery.extend([
        armour("armour_mm", "armour of turrets and casemates"),
        or("aa", words(AntiAir::WORDS), "none", "its quality against aircraft"),
        req("mounts", list(mount, 1, 20), "its mounts"),
    ]);
    let tubes = record(vec![
        req("arc", words(Station::WORDS), "where it stands"),
        req("tubes", int(1, 9), "tubes in each"),
        count(),
    ]);
    record(vec![
        req("type", words(ShipType::WORDS), "type code"),
        year("year", "year of launch"),
        req("displacement_t", int(1, 200_000), "standard displacement in tons; gross tons for merchants"),
        req("speed_kn", int(0, 60), "the highest speed"),
        req("complement", int(0, 10_000), "officers and men"),
        armour("belt_mm", "belt"),
        armour("deck_mm", "deck"),
        armour("ct_mm", "conning tower"),
        armour("flight_deck_mm", "flight deck"),
        opt("fire_control_year", int(1800, 2000), "year of the fire control; that of the ship if left out"),
        or("batteries", list(record(battery), 0, 10), json!([]), "guns by calibre"),
        or("torpedo_mounts", list(tubes, 0, 20), json!([]), "torpedo mounts"),
        or("medium_aa", int(0, 500), 0, "barrels of 28 to 57 mm"),
        or("light_aa", int(0, 500), 0, "barrels below 28 mm"),
        opt("depth_charges", words(DepthCharges::WORDS), "depth charge gear"),
        or("aircraft", int(0, 300), 0, "aircraft carried"),
    ])
}

fn ship_ratings() -> Shape {
    let battery = answers(&[
        ("group", word(&["main", "other"]), "main or other"),
        points("guns", "guns"),
        points("ip", "damage points"),
        points("cv", "critical value"),
        points("max_band", "the last band it reaches"),
        ("pen", pen_shape(), "penetration in each band"),
        ("aa", words(AntiAir::WORDS), "its quality against aircraft"),
    ]);
    answers(&[
        points("size", "size"),
        points("f", "flotation"),
        points("s", "structure"),
        points("vp", "victory points"),
        points("speed", "the highest speed"),
        points("mvr_mm", "straight run before a turn"),
        points("accel_kn", "knots gained in a turn"),
        points("base_mm", "radius of the base"),
        points("sd", "spotting distance"),
        points("fc", "directors"),
        points("sv", "steering"),
        points("gm", "gunnery modifier"),
        points("dc", "damage control teams"),
        ("armour", record(armour_fields()), "armour classes"),
        ("light_class", words(LightClass::WORDS), "how light guns see her"),
        ("batteries", list(battery, 0, 10), "guns by calibre"),
        ("main_mounts", list(gun_mount(), 0, 64), "main mounts"),
        ("other_mounts", list(gun_mount(), 0, 64), "other mounts"),
        ("torpedo_mounts", list(torpedo_mount(), 0, 64), "torpedo mounts"),
        points("lrf", "long range fire"),
        ("aa_plus", bool(), "heavy guns marked AA+"),
        points("mrf", "medium range fire"),
        points("crf", "close range fire"),
        points("asw", "depth charge factors"),
        points("h", "aircraft handling"),
        points("rrr", "aircraft served in a turn"),
        (
            "weapons_d10",
            answers(&[points("main", "faces"), points("other", "faces"), points("torpedoes", "faces")]),
            "which face strikes which group",
        ),
    ])
}

procedure!(DeriveShip: ShipFacts => ShipRatings, About {
    name: "derive-ship",
    help: "The ratings of a ship.",
    dice: "none",
    input: ship_facts(),
    result: ship_ratings(),
    rules: &[rule::C_26],
}, check_ship, run_ship);

fn run_aircraft(_: &Book, input: &AircraftFacts, ask: &mut impl Ask) -> Result<AircraftRatings, Halt> {
    Ok(derived("aircraft", input.derive(), rule::C_27, ask))
}

procedure!(DeriveAircraft: AircraftFacts => AircraftRatings, About {
    name: "derive-aircraft",
    help: "The ratings of an aircraft.",
    dice: "none",
    input: {
        let guns = |name, help| or(name, int(0, 40), 0, help);
        record(vec![
            req("role", words(AircraftRole::WORDS), "what it is built as"),
            req("max_kmh", int(50, 1200), "the highest speed"),
            req("cruise_kmh", int(50, 1200), "cruising speed"),
            req("empty_kg", int(100, 100_000), "empty weight"),
            req("protection", words(Protection::WORDS), "its protection"),
            or("agility", int(-20, 20), 0, "how nimble it is"),
            guns("forward_mg", "forward guns of rifle calibre"),
            guns("forward_hmg", "forward guns of 12.7 mm"),
            guns("forward_cannon", "forward guns of 20 mm"),
            guns("forward_heavy", "larger forward guns"),
            guns("rear_mg", "rear guns of rifle calibre"),
            guns("rear_hmg", "rear guns of 12.7 mm"),
            guns("rear_cannon", "rear guns of 20 mm"),
            guns("rear_heavy", "larger rear guns"),
        ])
    },
    result: answers(&[
        points("hit_points", "hit points"),
        points("move_cm", "move in a turn"),
        points("intercept", "factor when intercepting"),
        points("dogfight_1", "factor of fighters in a dogfight"),
        points("dogfight_2", "factor of everybody else in a dogfight"),
        points("acf_s", "factor of strafing"),
        points("acf_as", "factor of anti-shipping guns"),
    ]),
    rules: &[rule::C_27],
}, no_check, run_aircraft);
