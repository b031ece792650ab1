//! The data card of a ship.

use super::tubes::LABEL;
use super::{count, fresh, number};
use crate::System;
use crate::data::ShipEntry;
use crate::ship::ShipObject;
use crate::words::Status;
use flagplot_referee::table::{Object, SheetFigure};
use flagplot_referee::{Card, Figure, Fitting, LibraryItem, Section, Shaped, plain_card};
use serde_json::Value;

fn figures(label: &str, now: &Value, was: &Value, names: &[(&str, &str)]) -> Section {
    let shown = |name: &str, field: &str| Figure::new(name, number(&now[field]), number(&was[field]));
    Section::Figures {
        label: label.to_owned(),
        figures: names.iter().map(|(name, field)| shown(name, field)).collect(),
    }
}

fn mounts(label: &str, list: &Value, what: impl Fn(&Value) -> String) -> Option<Section> {
    let list = list.as_array().filter(|list| !list.is_empty())?;
    let piece = |mount: &Value| Fitting {
        name: what(mount),
        detail: mount["arc"].as_str().unwrap_or_default().to_owned(),
        lost: mount["lost"] == true,
    };
    Some(Section::Pieces { label: label.to_owned(), pieces: list.iter().map(piece).collect() })
}

fn gun_mount(mount: &Value) -> String {
    let armour = number(&mount["ac"]);
    let text = format!("{} {}", number(&mount["guns"]), mount["type"].as_str().unwrap_or_default());
    if armour > 0 { format!("{text} AC {armour}") } else { text }
}

fn batteries(entry: &ShipEntry) -> Option<Section> {
    if entry.ratings.batteries.is_empty() {
        return None;
    }
    let columns = ["Battery", "Guns", "IP", "CV", "RB 1", "RB 2", "RB 3", "RB 4", "RB 5"].map(str::to_owned).to_vec();
    let rows = entry.ratings.batteries.iter().zip(&entry.facts.batteries).map(|(rated, facts)| {
        let pen = rated
            .gun
            .pen
            .iter()
            .enumerate()
            .map(|(at, pen)| if (at as i32) < rated.gun.max_band { pen.to_string() } else { "–".to_owned() });
        [
            format!("{} mm", facts.gun.calibre_mm),
            rated.guns.to_string(),
            rated.gun.ip.to_string(),
            rated.gun.cv.to_string(),
        ]
        .into_iter()
        .chain(pen)
        .collect()
    });
    Some(Section::Grid { label: "Guns: penetration by range band".to_owned(), columns, rows: rows.collect() })
}

fn torpedoes(system: &System, entry: &ShipEntry) -> Option<Section> {
    let torpedo = system.fleet.torpedoes.iter().find(|torpedo| Some(&torpedo.id) == entry.torpedo.as_ref())?;
    let columns = ["Torpedo", "IP", "CV", "Knots", "Modifier", "Last RB"].map(str::to_owned).to_vec();
    let rows = torpedo.ratings.settings.iter().map(|setting| {
        let ratings = &torpedo.ratings;
        vec![
            torpedo.name.clone(),
            ratings.ip.to_string(),
            ratings.cv.to_string(),
            setting.speed_kn.to_string(),
            format!("{:+}", setting.modifier),
            setting.max_band.to_string(),
        ]
    });
    Some(Section::Grid { label: "Torpedoes".to_owned(), columns, rows: rows.collect() })
}

const TRACKS: [(&str, &str); 4] =
    [("Flotation", "f"), ("Structure", "s"), ("Flotation at first", "f_max"), ("Structure at first", "s_max")];
const MARKERS: [(&str, &str); 2] = [("Fires", "fires"), ("Splashes", "splash")];
const SHIP: [(&str, &str); 8] = [
    ("Speed", "speed"),
    ("Size", "size"),
    ("Steering", "sv"),
    ("Directors", "fc"),
    ("Gunnery", "gm"),
    ("Spotting", "sd"),
    ("Damage control", "dc"),
    ("Crew", "crew_quality"),
];
const LIGHT_GUNS: [(&str, &str); 4] = [("LRF", "lrf"), ("MRF", "mrf"), ("CRF", "crf"), ("ASW", "asw")];
const ARMOUR: [(&str, &str); 4] =
    [("Belt", "belt"), ("Deck", "deck"), ("Conning tower", "ct"), ("Flight deck", "flight_deck")];
const AIRCRAFT: [(&str, &str); 4] =
    [("Handling", "h"), ("Served", "rrr"), ("Catapults", "catapults"), ("Arming", "rearming")];
/// What the sheets of stands, small craft and submarines call their figures.
const OTHERS: [(&str, &str); 14] = [
    ("Aircraft", "aircraft"),
    ("Vessels", "vessels"),
    ("Flotation", "f"),
    ("Flotation at first", "f_max"),
    ("Crew", "crew_quality"),
    ("Flak markers", "flak"),
    ("Splashes", "splash"),
    ("Hit points", "hit_points"),
    ("Intercept", "intercept"),
    ("Dogfight 1", "dogfight_1"),
    ("Dogfight 2", "dogfight_2"),
    ("Speed", "speed"),
    ("Strafing guns", "acf_s"),
    ("Anti-shipping guns", "acf_as"),
];
const GEAR: [(&str, &str); 6] = [
    ("flag officer", "flag_officer"),
    ("searchlights", "searchlights"),
    ("ship planes", "ship_planes"),
    ("gunnery radar", "gunnery_radar"),
    ("search radar", "search_radar"),
    ("smoke", "smoke"),
];
const WEAK: [(&str, &str); 5] = [
    ("power has failed", "power_failed"),
    ("poor underwater protection", "poor_underwater"),
    ("poor carrier safety", "poor_carrier_safety"),
    ("unsafe magazines", "unsafe_magazines"),
    ("bad weather", "bad_weather"),
];

/// A ship with boxes for flotation and structure, her mounts, her figures; everything else as it comes.
pub(crate) fn card(system: &System, item: &LibraryItem, before: Option<&LibraryItem>) -> Card {
    if item.kind != "ship" {
        return plain_card(item, before);
    }
    let now = &item.value;
    let entry = system.fleet.ships.iter().find(|entry| entry.id == item.origin());
    let mut was = before
        .map(|item| item.value.clone())
        .or_else(|| entry.map(|entry| fresh(system, entry)))
        .unwrap_or_else(|| now.clone());
    // A crew better than ordinary is no change; one that has got worse is.
    was["crew_quality"] = number(&now["crew_quality"]).max(number(&was["crew_quality"])).into();
    let subtitle = match entry {
        Some(entry) => format!("{} class {}, {}", entry.class, entry.facts.code.word(), capital(&entry.navy)),
        None => now["kind"].as_str().unwrap_or("ship").to_owned(),
    };
    let stamp = now["status"].as_str().filter(|status| *status != "afloat").map(str::to_owned);
    let mut sections = Vec::new();
    if now["kind"] != "air-base" {
        sections.push(Section::Track { label: "Flotation".into(), now: count(&now["f"]), most: count(&now["f_max"]) });
    }
    sections.push(Section::Track { label: "Structure".into(), now: count(&now["s"]), most: count(&now["s_max"]) });
    sections.push(figures("Ship", now, &was, &SHIP));
    sections.push(figures("Light guns", now, &was, &LIGHT_GUNS));
    sections.push(figures("Armour", &now["armour"], &was["armour"], &ARMOUR));
    if count(&now["h_max"]) > 0 {
        sections.push(figures("Aircraft", now, &was, &AIRCRAFT));
    }
    sections.push(figures("Markers", now, &was, &MARKERS));
    sections.extend(mounts("Main battery", &now["main_mounts"], gun_mount));
    sections.extend(mounts("Other guns", &now["other_mounts"], gun_mount));
    sections.extend(mounts(LABEL, &now["torpedo_mounts"], |mount| format!("{} tubes", number(&mount["tubes"]))));
    sections.extend(entry.and_then(batteries));
    sections.extend(entry.and_then(|entry| torpedoes(system, entry)));
    let gear = |(name, field): &(&str, &str)| {
        let (there, carried) = (now[*field] == true, was[*field] == true || now[*field] == true);
        carried.then(|| Fitting { name: (*name).to_owned(), detail: String::new(), lost: !there })
    };
    let mut equipment: Vec<Fitting> = GEAR.iter().filter_map(gear).collect();
    if let Some(kind) = now["cargo"]["kind"].as_str() {
        equipment.push(Fitting {
            name: format!("cargo: {kind}"),
            detail: number(&now["cargo"]["points"]).to_string(),
            lost: now["cargo"]["destroyed"] == true,
        });
    }
    if !equipment.is_empty() {
        sections.push(Section::Pieces { label: "Equipment".into(), pieces: equipment });
    }
    let weak: Vec<Fitting> = WEAK
        .iter()
        .filter(|(_, field)| now[*field] == true)
        .map(|(name, _)| Fitting { name: (*name).to_owned(), detail: String::new(), lost: false })
        .collect();
    if !weak.is_empty() {
        sections.push(Section::Pieces { label: "Weaknesses".into(), pieces: weak });
    }
    Card { title: item.name.clone(), subtitle, stamp, sections }
}

/// The light guns that are counted by themselves; long range fire follows from the mounts.
const COUNTED_GUNS: std::ops::Range<usize> = 1..4;
/// The most boxes that a ship may have had at first.
const MOST_AT_FIRST: i64 = 200;
/// The most that a figure of a stand, small craft or a submarine may be.
const MOST_OF_OTHERS: i64 = 99;

/// The figures of a sheet that the referee may correct, called as on the card.
pub(crate) fn correctable(object: &Object) -> Vec<SheetFigure> {
    let sheet = &object.value;
    let named = |names: &[(&str, &str)], within: &str| -> Vec<SheetFigure> {
        names.iter().filter_map(|(name, field)| SheetFigure::of(sheet, format!("{within}{field}"), *name)).collect()
    };
    if object.kind != "ship" {
        let limited = |figure: SheetFigure| match figure.field.as_str() {
            "crew_quality" => figure.within(-9, 2),
            "f" => figure.within(0, number(&sheet["f_max"])),
            "f_max" => figure.within(number(&sheet["f"]).max(1), MOST_AT_FIRST),
            _ => figure.within(0, MOST_OF_OTHERS),
        };
        return named(&OTHERS, "").into_iter().map(limited).collect();
    }
    let mut list =
        [named(&TRACKS[..2], ""), named(&MARKERS, ""), named(&SHIP, ""), named(&LIGHT_GUNS[COUNTED_GUNS], "")].concat();
    list.extend(named(&ARMOUR, "armour."));
    if count(&sheet["h_max"]) > 0 {
        list.extend(named(&AIRCRAFT, ""));
    }
    for (group, field) in [("Main battery", "main_mounts"), ("Other guns", "other_mounts"), (LABEL, "torpedo_mounts")] {
        for (at, mount) in sheet[field].as_array().into_iter().flatten().enumerate() {
            let arc = mount["arc"].as_str().unwrap_or_default();
            let label = format!("{group}: mount {} ({arc}) is lost", at + 1);
            list.extend(SheetFigure::of(sheet, format!("{field}.{at}.lost"), label));
        }
    }
    list.extend(
        named(&GEAR, "")
            .into_iter()
            .chain(named(&WEAK, ""))
            .map(|figure| SheetFigure { label: capital(&figure.label), ..figure }),
    );
    list.extend(named(&TRACKS[2..], ""));
    list.extend(named(&[("What became of her", "status")], ""));
    let shape = ShipObject::shape();
    let limited = |figure: SheetFigure| match figure.field.as_str() {
        // What is left cannot be more than there was at first, and that cannot be less than is left.
        "f" => figure.within(0, number(&sheet["f_max"])),
        "s" => figure.within(0, number(&sheet["s_max"])),
        "h" => figure.within(0, number(&sheet["h_max"])),
        "f_max" => figure.within(number(&sheet["f"]).max(1), MOST_AT_FIRST),
        "s_max" => figure.within(number(&sheet["s"]).max(1), MOST_AT_FIRST),
        "status" => SheetFigure { shape: Status::shape(), ..figure },
        _ => figure.shaped(&shape),
    };
    list.into_iter().map(limited).collect()
}

/// A navy with a capital letter.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
