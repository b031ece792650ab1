//! The ship object of requests.

use super::{flag, missing, number, unwanted};
use crate::book::Book;
use crate::rule;
use crate::ship::*;
use crate::words::*;
use flagplot_kernel::Refusal;
use flagplot_referee::{Field, Shape, bool, int, list, nullable, opt, or, record, req, text, word};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
struct CargoInput {
    kind: CargoKind,
    points: i32,
    destroyed: bool,
}

/// A ship as a request gives it.
#[derive(Deserialize)]
pub(super) struct ShipInput {
    name: String,
    kind: Kind,
    status: Status,
    f: Option<i32>,
    f_max: Option<i32>,
    s: i32,
    s_max: Option<i32>,
    size: i32,
    crew_quality: i32,
    command: i32,
    speed: i32,
    sv: i32,
    fc: i32,
    sd: i32,
    gm: i32,
    dc: i32,
    fires: i32,
    splash: i32,
    h: i32,
    h_max: Option<i32>,
    rrr: i32,
    catapults: i32,
    rearming: i32,
    asw: i32,
    mrf: i32,
    crf: i32,
    flag_officer: bool,
    searchlights: bool,
    ship_planes: bool,
    gunnery_radar: bool,
    search_radar: bool,
    smoke: bool,
    power_failed: bool,
    poor_underwater: bool,
    poor_carrier_safety: bool,
    unsafe_magazines: bool,
    bad_weather: bool,
    armour: Armour,
    main_mounts: Vec<GunMount>,
    other_mounts: Vec<GunMount>,
    torpedo_mounts: Vec<TorpedoMount>,
    weapons_d10: Option<WeaponsD10>,
    cargo: Option<CargoInput>,
    lrf: Option<i32>,
    main_lost: Option<i32>,
    other_lost: Option<i32>,
    torpedo_mounts_lost: Option<i32>,
    /// Only where several ships are given with their distance.
    pub(super) distance_mm: Option<i32>,
}

fn bits(lost: impl Iterator<Item = bool>) -> u64 {
    lost.enumerate().fold(0, |bits, (at, lost)| bits | u64::from(lost) << at)
}

fn wrong(path: &str, text: &str) -> Refusal {
    Refusal::new("out-of-range", format!("{path}{text}"))
}

impl ShipInput {
    /// The ship, if it holds together.
    pub(super) fn read(&self, book: &Book, path: &str) -> Result<Ship, Refusal> {
        if self.status != Status::Afloat {
            return Err(Refusal::new(
                "ship-lost",
                format!("{path}.status is {}: only a ship that is afloat can be ruled on.", self.status),
            )
            .by(rule::R_27));
        }
        let (f, f_max) = self.flotation(path)?;
        let s_max = self.s_max.unwrap_or(self.s.max(1));
        if self.s > s_max {
            return Err(wrong(path, &format!(".s is {}; it cannot be above s_max, which is {s_max}.", self.s)));
        }
        let h_max = self.h_max.unwrap_or(self.h);
        if self.h > h_max {
            return Err(wrong(path, &format!(".h is {}; it cannot be above h_max, which is {h_max}.", self.h)));
        }
        check_mounts(&self.main_mounts, &format!("{path}.main_mounts"))?;
        check_mounts(&self.other_mounts, &format!("{path}.other_mounts"))?;
        let other = !self.other_mounts.is_empty() || self.asw + self.mrf + self.crf > 0;
        let weapons_d10 = self
            .weapons_d10
            .unwrap_or_else(|| WeaponsD10::of(!self.main_mounts.is_empty(), other, !self.torpedo_mounts.is_empty()));
        if !matches!(weapons_d10.sum(), 0 | 10) {
            return Err(wrong(
                path,
                &format!(".weapons_d10 has {} faces; the three groups must share 10 (or none).", weapons_d10.sum()),
            )
            .by(rule::C_26));
        }
        let sheet = Sheet {
            name: self.name.clone(),
            kind: self.kind,
            size: self.size,
            f_max,
            s_max,
            h_max,
            armour: self.armour,
            main: self.main_mounts.clone(),
            other: self.other_mounts.clone(),
            torpedoes: self.torpedo_mounts.clone(),
            weapons_d10,
            cargo: self.cargo.as_ref().map(|cargo| Cargo { kind: cargo.kind, points: cargo.points }),
            weakness: Weakness {
                poor_underwater: self.poor_underwater,
                poor_carrier_safety: self.poor_carrier_safety,
                unsafe_magazines: self.unsafe_magazines,
                bad_weather: self.bad_weather,
            },
        };
        let ship = Ship::new(book, &Arc::new(sheet), self.condition(f));
        self.check_counts(&ship, path)?;
        Ok(ship)
    }

    /// Flotation and its original value; an air base has none.
    fn flotation(&self, path: &str) -> Result<(i32, i32), Refusal> {
        if self.kind == Kind::AirBase {
            let given = [("f", self.f), ("f_max", self.f_max)]
                .into_iter()
                .find(|(_, value)| value.is_some_and(|value| value != 0));
            return match given {
                Some((field, _)) => Err(unwanted(path, field, "an air base has structure only").by(rule::R_52)),
                None => Ok((0, 0)),
            };
        }
        let f = self.f.ok_or_else(|| missing(path, "f"))?;
        let f_max = self.f_max.unwrap_or(f.max(1));
        if f_max < 1 {
            return Err(wrong(path, ".f_max is 0; it must be 1 or more."));
        }
        if f > f_max {
            return Err(wrong(path, &format!(".f is {f}; it cannot be above f_max, which is {f_max}.")));
        }
        Ok((f, f_max))
    }

    fn condition(&self, f: i32) -> Condition {
        Condition {
            status: self.status,
            f,
            s: self.s,
            speed: self.speed,
            sv: self.sv,
            fc: self.fc,
            sd: self.sd,
            gm: self.gm,
            dc: self.dc,
            crew_quality: self.crew_quality,
            command: self.command,
            fires: self.fires,
            splash: self.splash,
            h: self.h,
            rrr: self.rrr,
            catapults: self.catapults,
            rearming: self.rearming,
            asw: self.asw,
            mrf: self.mrf,
            crf: self.crf,
            gear: Gear {
                flag_officer: self.flag_officer,
                searchlights: self.searchlights,
                ship_planes: self.ship_planes,
                gunnery_radar: self.gunnery_radar,
                search_radar: self.search_radar,
                smoke: self.smoke,
                power_failed: self.power_failed,
            },
            main_lost: bits(self.main_mounts.iter().map(|mount| mount.lost)),
            other_lost: bits(self.other_mounts.iter().map(|mount| mount.lost)),
            torpedoes_lost: bits(self.torpedo_mounts.iter().map(|mount| mount.lost)) as u32,
            cargo_destroyed: self.cargo.as_ref().is_some_and(|cargo| cargo.destroyed),
        }
    }

    /// Counts that a result carries must be what the mounts give.
    fn check_counts(&self, ship: &Ship, path: &str) -> Result<(), Refusal> {
        let counts = [
            ("lrf", self.lrf, ship.lrf),
            ("main_lost", self.main_lost, ship.now.main_lost.count_ones() as i32),
            ("other_lost", self.other_lost, ship.now.other_lost.count_ones() as i32),
            ("torpedo_mounts_lost", self.torpedo_mounts_lost, ship.now.torpedoes_lost.count_ones() as i32),
        ];
        for (field, given, counted) in counts {
            if given.is_some_and(|given| given != counted) {
                return Err(wrong(path, &format!(".{field} is {}; the mounts give {counted}.", given.unwrap_or(0))));
            }
        }
        Ok(())
    }
}

/// An open gun has no armour.
pub(super) fn check_mounts(mounts: &[GunMount], path: &str) -> Result<(), Refusal> {
    match mounts.iter().position(|mount| mount.mounting == Mounting::Open && mount.ac > 0) {
        None => Ok(()),
        Some(at) => Err(Refusal::new(
            "out-of-range",
            format!("{path}[{at}].ac is {}; an open gun has no armour, only 0 is possible.", mounts[at].ac),
        )
        .by(rule::S10_4)),
    }
}

fn ac(name: &'static str, help: &'static str) -> Field {
    or(name, int(0, 40), 0, help)
}

pub(super) fn armour_fields() -> Vec<Field> {
    vec![
        ac("belt", "armour of the side"),
        ac("deck", "armour of the deck"),
        ac("ct", "armour of the conning tower"),
        ac("flight_deck", "armour of the flight deck"),
    ]
}

pub(super) fn gun_mount() -> Shape {
    record(vec![
        req("type", word(Mounting::WORDS), "how the guns are mounted"),
        ac("ac", "armour of the mount"),
        or("guns", int(1, 9), 1, "guns in it"),
        or("arc", word(Station::WORDS), "mid", "where it stands"),
        or("aa", bool(), false, "whether it shoots at aircraft"),
        or("battery", int(0, 9), 0, "the battery it belongs to"),
        or("lost", bool(), false, "whether it is lost"),
    ])
}

pub(super) fn torpedo_mount() -> Shape {
    record(vec![
        or("type", word(Tubes::WORDS), "torpedo", "always torpedo"),
        or("tubes", int(1, 9), 3, "tubes in it"),
        or("arc", word(Station::WORDS), "mid", "where it stands"),
        or("lost", bool(), false, "whether it is lost"),
    ])
}

fn ship_fields() -> Vec<Field> {
    let face = |name| or(name, int(0, 10), 0, "faces of the d10");
    let cargo = record(vec![
        req("kind", word(CargoKind::WORDS), "what it is"),
        or("points", int(1, 12), 1, "how much"),
        or("destroyed", bool(), false, "whether it is destroyed"),
    ]);
    let empty = || Value::Array(Vec::new());
    let mut fields = vec![
        or("name", text(100), "", "her name"),
        or("kind", word(Kind::WORDS), "warship", "what she is"),
        or("status", word(Status::WORDS), "afloat", "must be afloat"),
        opt("f", int(0, 200), "flotation; required but for air bases, which have none"),
        opt("f_max", int(0, 200), "original flotation; by default f, at least 1"),
        req("s", int(0, 200), "structure"),
        opt("s_max", int(1, 200), "original structure; by default s, at least 1"),
    ];
    let numbers = [
        ("size", -4, 3, 0, "size"),
        ("crew_quality", -9, 2, 0, "crew quality"),
        ("command", -9, 2, 0, "command value"),
        ("speed", 0, 60, 30, "the highest speed left"),
        ("sv", 0, 9, 2, "steering value"),
        ("fc", 0, 9, 2, "directors"),
        ("sd", 0, 9, 4, "spotting distance in bands"),
        ("gm", -20, 9, 0, "gunnery modifier"),
        ("dc", 0, 99, 3, "damage control teams"),
        ("fires", 0, 99, 0, "fires aboard"),
        ("splash", 0, 99, 0, "splash markers"),
        ("h", 0, 20, 0, "aircraft handling"),
        ("rrr", 0, 20, 0, "aircraft served in a turn"),
        ("catapults", 0, 9, 0, "catapults"),
        ("rearming", 0, 20, 0, "stands being armed"),
        ("asw", 0, 20, 0, "depth charge factors"),
        ("mrf", 0, 20, 0, "medium range fire"),
        ("crf", 0, 20, 0, "close range fire"),
    ];
    fields.extend(numbers.into_iter().map(|(name, min, max, default, help)| or(name, int(min, max), default, help)));
    fields.push(opt("h_max", int(0, 20), "original handling; by default h"));
    let flags = [
        ("flag_officer", "a flag officer is aboard"),
        ("searchlights", "she has searchlights"),
        ("ship_planes", "she has planes"),
        ("gunnery_radar", "she has gunnery radar"),
        ("search_radar", "she has search radar"),
        ("smoke", "she can make smoke"),
        ("power_failed", "her power has failed"),
        ("poor_underwater", "poor underwater protection"),
        ("poor_carrier_safety", "poor carrier safety"),
        ("unsafe_magazines", "unsafe magazines"),
        ("bad_weather", "she lies in bad weather"),
    ];
    fields.extend(flags.into_iter().map(|(name, help)| flag(name, help)));
    fields.extend([
        or("armour", record(armour_fields()), json!({}), "armour classes"),
        or("main_mounts", list(gun_mount(), 0, MOST_MAIN), empty(), "the main battery"),
        or("other_mounts", list(gun_mount(), 0, MOST_OTHER), empty(), "all other guns"),
        or("torpedo_mounts", list(torpedo_mount(), 0, MOST_TORPEDO), empty(), "torpedo mounts"),
        opt(
            "weapons_d10",
            record(vec![face("main"), face("other"), face("torpedoes")]),
            "which faces strike which group; by default from the mounts given",
        ),
        or("cargo", nullable(cargo), Value::Null, "what she carries"),
        opt("lrf", int(0, 5), "as the mounts give it"),
        opt("main_lost", int(0, 64), "as the mounts give it"),
        opt("other_lost", int(0, 64), "as the mounts give it"),
        opt("torpedo_mounts_lost", int(0, 64), "as the mounts give it"),
    ]);
    fields
}

/// What a ship in a request looks like; in a result it has all of these fields.
pub(super) fn ship_shape() -> Shape {
    record(ship_fields())
}

/// The same with its distance from an explosion.
pub(super) fn ship_at_distance() -> Shape {
    let mut fields = ship_fields();
    fields.push(req("distance_mm", super::range_mm(), "distance from the explosion"));
    record(fields)
}

/// The fields of a damage result.
pub(super) fn damage_fields() -> Vec<Field> {
    vec![
        req("ship", ship_shape(), "the ship afterwards"),
        req("criticals", number(), "criticals scored"),
        opt("stopped_by_armour", number(), "criticals that armour ended"),
        opt("helm", word(Sheer::WORDS), "the last loss of control"),
        opt("officers_killed", number(), "flag officers killed"),
        opt("explosion_dice", number(), "d6 of collateral damage"),
        opt("flashovers", number(), "flashovers"),
    ]
}
