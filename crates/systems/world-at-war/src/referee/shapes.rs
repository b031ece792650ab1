//! The shapes that several procedures share.

use crate::air::{AirRole, AirType};
use crate::hits::OneFactorClass;
use flagplot_referee::{Field, Shape, bool, int, list, nullable, opt, or, record, req, tagged, text, word};
use serde_json::json;

/// The largest number of units of a group.
const MOST: i64 = 1000;
/// The largest number of factors of a unit or a side.
pub(super) const MOST_FACTORS: i64 = 1_000_000;
/// The longest list of units, groups, ships or hexes.
pub(super) const LONGEST: usize = 200;
/// The longest id.
pub(super) const ID: usize = 80;

pub(super) fn nation() -> Field {
    req("nation", text(40), "whose it is")
}

fn supply() -> [Field; 2] {
    [or("partial_supply", bool(), false, "only partly supplied"), or("oil_effects", bool(), false, "short of oil")]
}

/// A list of air groups.
pub(super) fn air_groups() -> Shape {
    let mut fields = vec![
        nation(),
        req("count", int(0, MOST), "factors or squadrons"),
        or("type", word(&AirType::WORDS), "army-air", "what it flies"),
        or("elite", bool(), false, "elite Japanese naval air"),
        or("winter_effect", int(0, 99), 0, "the winter effect; 8 or more hampers it"),
    ];
    fields.extend(supply());
    list(record(fields), 0, LONGEST)
}

/// The role of the defender in air combat.
pub(super) fn air_role() -> Field {
    or("role", word(&AirRole::WORDS), "interception", "what the defender flies for")
}

fn light_ships() -> Vec<Field> {
    vec![
        or("cruisers", int(0, MOST), 0, "sound cruisers"),
        or("damaged_cruisers", int(0, MOST), 0, "damaged cruisers"),
        or("destroyers", int(0, MOST), 0, "destroyer factors"),
        or("cves", int(0, MOST), 0, "escort carriers"),
        or("transports", int(0, MOST), 0, "transports"),
        or(
            "one_factor_order",
            list(word(&OneFactorClass::WORDS), 0, 10),
            json!([]),
            "which ships of one factor are sunk first",
        ),
    ]
}

/// A ship or a group of light ships.
pub(super) fn target() -> Shape {
    let ship = |size: Field| {
        let mut fields = vec![nation(), size, or("damaged", bool(), false, "already damaged")];
        fields.extend(supply());
        fields
    };
    let mut light = vec![nation()];
    light.extend(light_ships());
    light.extend(supply());
    tagged(
        "kind",
        "what is attacked",
        vec![
            (vec!["capital-ship", "cvl", "cv", "cvb"], ship(req("size", int(1, 9), "naval factors"))),
            (vec!["cruiser"], ship(or("size", int(2, 2), 2, "naval factors: always two"))),
            (vec!["light-group"], light),
        ],
    )
}

/// The light ships of a fleet.
pub(super) fn fleet_light() -> Shape {
    let mut fields = vec![nation()];
    fields.extend(light_ships());
    fields.push(or("soft_screened", bool(), false, "escort carriers and transports cannot be hit"));
    record(fields)
}

/// The ships of a fleet.
pub(super) fn fleet_ship() -> Shape {
    record(vec![
        req("id", text(ID), "a name for orders"),
        req("kind", word(&["capital-ship", "cvl", "cv", "cvb"]), "its kind"),
        nation(),
        req("size", int(1, 9), "naval factors"),
        or("damaged", bool(), false, "already damaged"),
        or("screened", bool(), false, "cannot be fired on"),
    ])
}

/// Ships that fire, given by their factors.
pub(super) fn firing_ships() -> Shape {
    let mut fields = vec![
        nation(),
        req("factors", int(0, MOST), "fleet factors"),
        or("five_factor", bool(), false, "battleships of five factors"),
        or("submarine", bool(), false, "submarines"),
    ];
    fields.extend(supply());
    list(record(fields), 0, LONGEST)
}

pub(super) fn supplies() -> [Field; 2] {
    supply()
}

/// Everything that shoots at aircraft.
pub(super) fn defenses() -> Shape {
    let number = |name, most, help| or(name, int(0, most), 0, help);
    record(vec![
        number("naval_factors", 100_000, "of the whole attacked force, without escort carriers and transports"),
        number("cves", MOST, "escort carriers"),
        number("research_results", MOST, "air defense research results"),
        number("flak", MOST, "flak factors"),
        number("airbases", MOST, "airbase counters"),
        number("objectives", MOST, "objective symbols"),
        number("anchors", MOST, "anchor symbols"),
        number("cities", MOST, "cities"),
        number("ports", MOST, "ports"),
        number("fortifications", MOST, "fortifications"),
        number("fortresses", MOST, "fortresses"),
        number("beach_defenses", MOST, "beach defenses, which count nothing"),
        number("five_factor_battleships", MOST, "battleships of five factors"),
        number("cvbs", MOST, "large carriers"),
    ])
}

pub(super) fn surprise() -> Field {
    or("surprise_level", int(0, 9), 0, "the attacker's surprise level")
}

// What comes out.

/// Any whole number.
pub(super) fn number() -> Shape {
    int(i64::from(i32::MIN), i64::from(i32::MAX))
}

/// A whole number that is not negative.
pub(super) fn count() -> Shape {
    int(0, i64::from(u32::MAX))
}

fn numbers(fields: &[(&'static str, &'static str)]) -> Vec<Field> {
    fields.iter().map(|&(name, help)| req(name, number(), help)).collect()
}

/// What a side lost in the air.
pub(super) fn air_losses() -> Shape {
    record(numbers(&[("eliminated", "gone for good"), ("aborted", "driven off"), ("remaining", "still there")]))
}

fn air_fire() -> Shape {
    record(vec![
        req("engaged", count(), "units engaged"),
        req("drm", number(), "the force's modifier on the chart"),
        req("modifier", number(), "added to its roll"),
        req("roll", int(2, 12), "two dice"),
        req("modified_roll", number(), "with the modifier"),
        req("column", text(3), "the column read"),
        req("rows", list(int(1, 20), 1, 100_000), "the rows read"),
        req("table_eliminated", count(), "enemies the table eliminates"),
        req("table_aborted", count(), "enemies the table aborts"),
    ])
}

/// A round of air combat.
pub(super) fn air_round() -> Vec<Field> {
    vec![
        req("attacker", air_fire(), "what the attacker rolled and inflicts"),
        req("defender", air_fire(), "what the defender rolled and inflicts"),
        req(
            "modifier_parts",
            record(numbers(&[
                ("nationality", "difference on the chart"),
                ("jets", "difference in jets"),
                ("cap", "combat air patrol"),
                ("radar", "radar"),
            ])),
            "the attacker's modifier by parts",
        ),
        req("attacker_losses", air_losses(), "what the attacker lost"),
        req("defender_losses", air_losses(), "what the defender lost"),
    ]
}

/// What air defence did.
pub(super) fn air_defense() -> Vec<Field> {
    let parts = numbers(&[
        ("naval_factors", "one for ten or part of ten"),
        ("research", "research results"),
        ("ground", "flak, airbases, objectives, anchors"),
        ("cities_and_ports", "two for each"),
        ("fortifications", "one, fortresses two"),
        ("five_factor_battleships", "one for each"),
        ("cvbs", "one for each"),
        ("surprise", "-1 from level 2 on"),
    ]);
    let mut fields = vec![
        req("level", number(), "the air defense level"),
        req("level_parts", record(parts), "the level by parts"),
        req("attackers", count(), "attackers in all"),
        req("roll", nullable(int(2, 12)), "two dice, if rolled"),
        req("column", nullable(text(3)), "the column read"),
        req("rows", list(int(1, 10), 0, 100_000), "the rows read"),
    ];
    fields.extend(numbers(&[
        ("table_eliminated", "attackers the table eliminates"),
        ("table_aborted", "attackers the table aborts"),
        ("eliminated", "attackers eliminated"),
        ("aborted", "attackers aborted"),
        ("remaining", "attackers left"),
    ]));
    fields
}

/// Light ships left.
pub(super) fn light_left() -> Shape {
    record(numbers(&[
        ("cruisers", "sound cruisers"),
        ("damaged_cruisers", "damaged cruisers"),
        ("destroyers", "destroyers"),
        ("cves", "escort carriers"),
        ("transports", "transports"),
    ]))
}

/// The state of a ship.
pub(super) fn ship_state() -> Shape {
    word(&["unharmed", "damaged", "sunk"])
}

/// What hits did to a ship or to light ships.
pub(super) fn effect() -> Vec<Field> {
    let number = |name, help| opt(name, count(), help);
    vec![
        opt("state", ship_state(), "of a ship, after the attack"),
        req("hits", count(), "hits of the attack"),
        number("cruiser_hits", "hits cruisers took"),
        number("one_factor_hits", "hits ships of one factor took"),
        number("cruisers_sunk", "cruisers sunk"),
        number("cruisers_damaged", "cruisers newly damaged and afloat"),
        number("one_factor_sunk", "ships of one factor sunk"),
        number("destroyers_sunk", "destroyers sunk"),
        number("cves_sunk", "escort carriers sunk"),
        number("transports_sunk", "transports sunk"),
        number("excess_hits", "hits that found nothing more"),
        opt("remaining", light_left(), "light ships left"),
    ]
}

/// An attack on a target: the fields beside its strength.
pub(super) fn shot() -> Vec<Field> {
    let part = |name, help| opt(name, number(), help);
    vec![
        opt("squadrons", count(), "squadrons attacking"),
        opt("factors", count(), "fleet factors firing"),
        opt(
            "modifier_parts",
            record(vec![
                part("air_nationality", "of the squadrons"),
                part("naval_nationality", "of the target, as it is added"),
                part("naval_air", "naval air at sea"),
                part("surprise", "surprise"),
                part("nationality", "difference on the naval chart"),
                part("activity", "burdened groups"),
            ]),
            "the modifiers by name",
        ),
        opt("modifier", number(), "all modifiers"),
        opt("roll", int(2, 12), "two dice"),
        opt("modified_roll", number(), "with the modifiers"),
        opt("column", text(3), "the column read"),
        opt("rows", list(text(8), 0, 100_000), "the rows read, by fleet factors"),
        req("hits", count(), "hits"),
        req("effect", record(effect()), "what they did"),
    ]
}
