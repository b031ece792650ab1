//! A referee's table: counters, acts, verdicts, and what rulings leave of the counters.

use crate::data::Scenario;
use crate::due;
use crate::game::title;
use crate::unit::{Factors, Sheet};
use flagplot_kernel::Side;
use flagplot_referee::table::{Act, Cast, Count, Known, Object, Phase, Reading, Role, SheetFigure, State};
use flagplot_referee::{Card, Figure, Fitting, LibraryItem, Section, Shaped, plain_card};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const COUNTERS: &[&str] = &["counter"];

pub(crate) fn phases() -> Vec<Phase> {
    vec![
        Phase::new("light", "Day or night", "The factions choose day or night."),
        Phase::new("combat", "Combat", "The lines attack each other."),
        Phase::new("retreat", "Retreat", "A faction may break off."),
        Phase::new("delay", "Delay", "Counters wait in the Delay Boxes."),
    ]
}

fn line(id: &'static str, title: &'static str, path: &'static str) -> Role {
    Role::new(id, title, path, COUNTERS).count(Count::Many)
}

fn lines(act: Act) -> Act {
    act.role(line("phasing", "Phasing line", "phasing.units.*").acts()).role(line(
        "non-phasing",
        "Other line",
        "non_phasing.units.*",
    ))
}

pub(crate) fn acts() -> Vec<Act> {
    vec![
        Act::new("day-night", "day-night", "Day or night", "Roll").listed("light", "Order of play", "initiative"),
        Act::new("attack", "attack", "One attack", "Attack")
            .listed("combat", "Combat", "guns")
            .role(Role::new("attacker", "Attacker", "attacker", COUNTERS).acts())
            .role(Role::new("target", "Target", "target", COUNTERS))
            .fact("action", "Round")
            .fact("factor", "Factor")
            .headline("damage points", "damage_points", Reading::Mean)
            .headline("damaged", "damaged", Reading::Is("true"))
            .headline("sunk", "box", Reading::Is("sunk-destroyed")),
        lines(Act::new("round", "combat-round", "A combat round", "Fight"))
            .listed("combat", "Combat", "guns")
            .fact("action", "Round")
            .fact("attacks", "Attacks"),
        lines(Act::new("raid", "base-attack", "A base attack", "Attack")).listed("combat", "Combat", "bomb"),
        lines(Act::new("battle", "battle", "A whole battle", "Fight")).listed("combat", "Combat", "guns"),
        Act::new("boxes", "allocate-boxes", "Put units into their boxes", "Allocate")
            .listed("combat", "Combat", "damage")
            .role(line("units", "Units", "units.*")),
        Act::new("retreat", "retreat", "Retreat", "Decide")
            .listed("retreat", "Order of play", "movement")
            .role(line("phasing", "Phasing line", "phasing.line.*").count(Count::Any).acts())
            .role(line("non-phasing", "Other line", "non_phasing.line.*").count(Count::Any)),
        Act::new("delay", "delay", "Delay", "Roll")
            .listed("delay", "Order of play", "dice")
            .role(line("counters", "Counters that wait", "counters.*").acts()),
        Act::new("factors", "factors", "Factors of a ship from her figures", "Derive")
            .listed("delay", "Workshop", "workshop"),
    ]
}

/// Every counter of the order of battle.
pub(crate) fn recruits(library: Vec<LibraryItem>) -> Vec<LibraryItem> {
    library.into_iter().map(|item| LibraryItem { kind: "counter".to_owned(), ..item }).collect()
}

/// A counter as inputs take it.
pub(crate) fn item(sheet: &Sheet, damaged: bool) -> LibraryItem {
    let Factors { gunnery, torpedo, airstrike, defense } = sheet.front;
    LibraryItem {
        id: sheet.id.to_string(),
        name: sheet.name.to_string(),
        kind: sheet.kind.to_string(),
        value: json!({
            "id": sheet.id, "kind": sheet.kind, "gunnery": gunnery, "torpedo": torpedo, "airstrike": airstrike,
            "defense": defense, "damage": sheet.damage, "damaged_side": sheet.back, "damaged": damaged,
            "vp": sheet.vp,
        }),
    }
}

/// The counters of a battle, and its sides.
pub(crate) fn muster(scenario: &Scenario) -> (Vec<Object>, [String; 2]) {
    let mut objects = Vec::new();
    for side in Side::BOTH {
        let units = scenario.factions[side].units.iter();
        let counters = recruits(units.map(|unit| item(&unit.sheet, unit.damaged)).collect());
        objects.extend(counters.into_iter().map(|counter| Object::new(counter, side.index() as u8)));
    }
    (objects, Side::BOTH.map(|side| title(&scenario.factions[side].id)))
}

const FACTORS: [(&str, &str); 4] =
    [("Gunnery", "gunnery"), ("Torpedo", "torpedo"), ("Airstrike", "airstrike"), ("Defense", "defense")];
const POINTS: [(&str, &str); 2] = [("Damage points", "damage"), ("Victory points", "vp")];
/// The most points that a counter may have.
const MOST_POINTS: i64 = 99;

/// A counter with the factors of both sides; the front is struck out once it is flipped.
pub(crate) fn card(item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
    let value = &item.value;
    let Some(kind) = value["kind"].as_str().filter(|_| value.get("defense").is_some()) else {
        return plain_card(item, fresh);
    };
    let factors = |label: &str, from: &Value| {
        let figure = |(name, field): (&str, &str)| Figure::new(name, &from[field], &from[field]);
        let figures = FACTORS.into_iter().filter(|(_, field)| from[*field].is_number()).map(figure).collect();
        Section::Figures { label: label.to_owned(), figures }
    };
    let mut sections = vec![factors("Front", value)];
    if value["damaged_side"].is_object() {
        sections.push(factors("Damaged side", &value["damaged_side"]));
    }
    let damaged = value["damaged"] == true;
    let side = |name: &str, lost: bool| Fitting { name: name.to_owned(), detail: String::new(), lost };
    let pieces = vec![side("sound", damaged), side("afloat", false)];
    sections.push(Section::Pieces { label: "Condition".to_owned(), pieces });
    let figures = POINTS.map(|(name, field)| Figure::new(name, &value[field], &value[field])).to_vec();
    sections.push(Section::Figures { label: "Counter".to_owned(), figures });
    Card { title: item.name.clone(), subtitle: kind.replace('-', " "), stamp: None, sections }
}

/// The figures of a sheet that the referee may correct.
pub(crate) fn figures(object: &Object) -> Vec<SheetFigure> {
    let mut list: Vec<SheetFigure> = SheetFigure::of(&object.value, "damaged", "Damaged").into_iter().collect();
    let shape = Factors::shape();
    for (side, place) in [("", ""), ("Damaged side: ", "damaged_side.")] {
        for (name, field) in FACTORS {
            let Some(figure) = SheetFigure::of(&object.value, format!("{place}{field}"), "") else { continue };
            let label = if side.is_empty() { name.to_owned() } else { format!("{side}{}", name.to_lowercase()) };
            let limits = SheetFigure { field: field.to_owned(), ..figure.clone() }.shaped(&shape).shape;
            list.push(SheetFigure { label, shape: limits, ..figure });
        }
    }
    let points = POINTS.into_iter().filter_map(|(name, field)| SheetFigure::of(&object.value, field, name));
    list.extend(points.map(|figure| {
        // As many points as sink a counter damage it at the latest.
        let most = if figure.field == "damage" { object.value["defense"].as_i64() } else { None };
        figure.within(0, most.unwrap_or(MOST_POINTS))
    }));
    list
}

fn unit(object: &Object) -> Value {
    let mut value = object.value.clone();
    value["id"] = object.id.replace('#', "_").into();
    value
}

fn some(object: &Object, fields: &[&str]) -> Value {
    let value = unit(object);
    let pairs = fields.iter().filter_map(|name| Some(((*name).to_owned(), value.get(name)?.clone())));
    Value::Object(pairs.collect())
}

pub(crate) fn fit(act: &str, cast: &Cast<'_>) -> Vec<Known> {
    let mut known = fit_counters(act, cast);
    if let Some(action) = cast.state.marks.get(due::ACTION).filter(|_| ["attack", "round"].contains(&act)) {
        known.push(Known::sheet("action", action.clone()));
    }
    known
}

/// A counter with what it took in this round.
fn hurt(object: &Object) -> Value {
    let mut value = unit(object);
    for field in [due::POINTS, due::DISABLED] {
        if let Some(taken) = object.marks.get(field) {
            value[field] = taken.clone();
        }
    }
    value
}

fn fit_counters(act: &str, cast: &Cast<'_>) -> Vec<Known> {
    let list = |role: &str| Value::Array(cast.many(role).iter().map(|one| unit(one)).collect());
    match act {
        "attack" => {
            ["attacker", "target"].iter().filter_map(|role| Some(Known::sheet(*role, unit(cast.one(role)?)))).collect()
        }
        "round" | "raid" | "battle" => {
            vec![Known::sheet("phasing.units", list("phasing")), Known::sheet("non_phasing.units", list("non-phasing"))]
        }
        "boxes" => {
            let units = Value::Array(cast.many("units").iter().map(|one| hurt(one)).collect());
            let round = cast.state.owes().then(|| Known::sheet("context", "combat-round"));
            [Known::sheet("units", units)].into_iter().chain(round).collect()
        }
        "retreat" => {
            let line = |role: &str| {
                Value::Array(cast.many(role).iter().map(|one| some(one, &["id", "kind", "defense"])).collect())
            };
            vec![Known::sheet("phasing.line", line("phasing")), Known::sheet("non_phasing.line", line("non-phasing"))]
        }
        "delay" => {
            let counters = cast.many("counters");
            let list = counters.iter().map(|one| some(one, &["id", "kind", "damaged"])).collect();
            vec![Known::sheet("counters", Value::Array(list))]
        }
        _ => Vec::new(),
    }
}

/// Flips a counter or takes it off, as its fate says.
fn suffer(state: &mut State, id: &str, fate: &Value) {
    let owes = state.owes();
    let Some(object) = state.objects.iter_mut().find(|object| object.id.replace('#', "_") == id) else { return };
    if let Some(damaged) = fate["damaged"].as_bool() {
        object.value["damaged"] = damaged.into();
    }
    let end = fate["box"].as_str().or_else(|| fate["fate"].as_str()).unwrap_or_default();
    if end == "sunk-destroyed" {
        "sunk".clone_into(&mut object.gone);
    }
    if owes {
        due::settle(object, fate);
    }
}

pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, result: &Value, state: &mut State) {
    if state.owes() {
        due::after(act, cast, result, state);
    }
    match act {
        "attack" if state.owes() => {}
        "attack" => {
            if let Some(id) = cast.get("target").and_then(|ids| ids.first()) {
                suffer(state, &id.replace('#', "_"), result);
            }
        }
        "round" | "raid" | "battle" | "boxes" => match &result["units"] {
            Value::Object(units) => units.iter().for_each(|(id, fate)| suffer(state, id, fate)),
            Value::Array(units) => {
                units.iter().for_each(|fate| suffer(state, fate["id"].as_str().unwrap_or_default(), fate));
            }
            _ => {}
        },
        _ => {}
    }
}

fn plural(n: u64, one: &str, more: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {more}") }
}

/// What a box means for the unit in it.
fn fate(box_name: &Value) -> &'static str {
    match box_name.as_str() {
        Some("sunk-destroyed") => "sunk",
        Some("damaged-and-disabled") => "damaged and disabled",
        Some("damaged-reduced") => "damaged",
        Some("disabled") => "disabled",
        _ => "unharmed",
    }
}

pub(crate) fn verdict(act: &str, cast: &Cast<'_>, result: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().replace('-', " ");
    let n = |field: &str| result[field].as_u64().unwrap_or(0);
    let told = |n: u64, one: &str, more: &str| if n == 0 { format!("no {one}") } else { plural(n, one, more) };
    match act {
        "attack" if cast.state.owes() => {
            // The sheets are as they were before this attack.
            let before = cast.one("target").and_then(|one| one.marks.get(due::POINTS)?.as_u64()).unwrap_or(0);
            let mut said = format!(
                "{} attacks {}: {}",
                cast.names("attacker"),
                cast.names("target"),
                told(n("hits"), "hit", "hits")
            );
            if n("damage_points") > 0 {
                said += &format!(" and {}", plural(n("damage_points"), "damage point", "damage points"));
            }
            if before > 0 && n("damage_points") > 0 {
                said += &format!(", {} in this round", before + n("damage_points"));
            }
            if n("disabled_results") > 0 && cast.one("target").is_some_and(|one| one.value["kind"] != "lba") {
                said += &format!("; {} is disabled", cast.names("target"));
            }
            said
        }
        "attack" => format!(
            "{} attacks {}: {} and {}; {} is {}",
            cast.names("attacker"),
            cast.names("target"),
            plural(n("hits"), "hit", "hits"),
            plural(n("damage_points"), "damage point", "damage points"),
            cast.names("target"),
            fate(&result["box"])
        ),
        "round" | "raid" | "battle" | "boxes" => {
            let fates = match &result["units"] {
                Value::Object(units) => units.values().cloned().collect(),
                Value::Array(units) => units.clone(),
                _ => Vec::new(),
            };
            let sunk =
                fates.iter().filter(|fate| fate["box"] == "sunk-destroyed" || fate["fate"] == "sunk-destroyed").count();
            let hurt = fates.iter().filter(|fate| fate["damaged"] == true).count();
            format!("{} sunk, {} damaged", plural(sunk as u64, "unit", "units"), hurt)
        }
        "retreat" if result["battle_over"] == true && cast.state.owes() => {
            let holder = match result["outcome"].as_str() {
                Some("success") => cast.many("phasing"),
                Some("repulsion") => cast.many("non-phasing"),
                _ => Vec::new(),
            };
            match holder.first() {
                Some(one) => format!("The battle is over; {} holds the hex", cast.state.sides[usize::from(one.side)]),
                None => "The battle is over; nobody holds the hex".to_owned(),
            }
        }
        "retreat" if result["battle_over"] == true => "The battle is over".to_owned(),
        "retreat" => format!("Next: {}", word(&result["next"])),
        "day-night" => {
            let light = ["action", "light", "result"].iter().find_map(|field| result[*field].as_str());
            light.map_or_else(|| "Day or night is decided".to_owned(), |light| format!("It is {light}"))
        }
        "delay" => plural(cast.many("counters").len() as u64, "counter waits", "counters wait"),
        "factors" => "The factors follow from the figures".to_owned(),
        _ => String::new(),
    }
}
