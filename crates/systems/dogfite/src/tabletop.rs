//! A referee's table: aircraft, acts, verdicts, and what rulings leave of the aircraft.

use crate::damage::Boxes;
use crate::hangar::{AircraftType, Hangar};
use crate::scenario::Scenario;
use crate::words::Alliance;
use flagplot_kernel::Refusal;
use flagplot_referee::table::{Act, Cast, Known, Object, Phase, Reading, Role, SheetFigure, State, sheet_figures};
use flagplot_referee::{Card, Figure, Fitting, LibraryItem, Section, plain_card};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const AIRCRAFT: &[&str] = &["aircraft"];

pub(crate) fn phases() -> Vec<Phase> {
    vec![
        Phase::new("order", "Edges and order", "Edges are adjusted and the order of moves is found."),
        Phase::new("movement", "Movement", "Aircraft move; difficult manoeuvres are bets."),
        Phase::new("fire", "Fire", "Guns fire and hits are marked."),
        Phase::new("end", "End of turn", "Smoke and fire."),
    ]
}

pub(crate) fn acts() -> Vec<Act> {
    let plain = |id, title, verb, phase, group, icon| Act::new(id, id, title, verb).listed(phase, group, icon);
    let aircraft = || Role::new("aircraft", "Aircraft", "aircraft", AIRCRAFT).acts();
    let moves = |id, title, verb, icon| {
        plain(id, title, verb, "movement", "Movement", icon)
            .role(aircraft())
            .fact("speed", "Speed")
            .fact("level", "Level")
    };
    vec![
        plain("position-bonus", "Bonus of a position", "Look", "order", "Edges and order", "map"),
        plain("carryover", "Edge carried over", "Look", "order", "Edges and order", "initiative"),
        plain("edge-adjustment", "Adjust the edges", "Look", "order", "Edges and order", "initiative"),
        plain("edge-recording", "Record the edges", "Look", "order", "Edges and order", "initiative"),
        plain("initiative-order", "Order of moves", "Roll", "order", "Edges and order", "initiative"),
        moves("movement-points", "Movement points", "Look", "movement"),
        moves("climb-dive", "Climb or dive", "Look", "movement"),
        moves("bet-level", "Level of a bet", "Look", "dice"),
        plain("bet", "Bet on a manoeuvre", "Bet", "movement", "Movement", "dice").role(aircraft()),
        plain("bet-failure", "A bet is lost", "Roll", "movement", "Movement", "dice").role(aircraft()),
        moves("spin", "Spin", "Roll", "movement"),
        moves("power", "Power", "Look", "movement"),
        moves("drag", "Drag", "Look", "movement"),
        moves("stress", "Stress", "Look", "damage"),
        moves("stall-spin", "Stall", "Roll", "movement"),
        moves("end-of-move", "End of a move", "Look", "movement"),
        plain("fire-range", "Range and field of fire", "Look", "fire", "Fire", "sight"),
        plain("fire", "One gun fires", "Fire", "fire", "Fire", "guns")
            .role(Role::new("firer", "Firer", "firer", AIRCRAFT).acts())
            .role(Role::new("target", "Target", "target", AIRCRAFT))
            .fact("edge", "Edge"),
        plain("attack", "All guns fire", "Fire", "fire", "Fire", "guns")
            .role(Role::new("firer", "Firer", "firer", AIRCRAFT).acts())
            .role(Role::new("target", "Target", "target", AIRCRAFT))
            .fact("edge", "Edge")
            .headline("hits", "hits", Reading::Mean),
        plain("damage", "Mark hits", "Mark", "fire", "Fire", "damage").role(aircraft()).fact("hits", "Hits"),
        plain("critical-hit", "Critical hit", "Roll", "fire", "Fire", "explosion").role(aircraft()),
        plain("engine-smoke", "A smoking engine", "Roll", "end", "End of turn", "fire").role(aircraft()),
        plain("fire-damage", "Fire aboard", "Roll", "end", "End of turn", "fire").role(aircraft()),
        plain("victory-points", "Victory points", "Count", "end", "End of turn", "morale"),
    ]
}

fn recruit(aircraft: &AircraftType) -> LibraryItem {
    let row = "......";
    let rows = vec![row; usize::from(aircraft.ratings.sets.max(1)).min(8)];
    LibraryItem {
        id: aircraft.id.clone(),
        name: aircraft.name.clone(),
        kind: "aircraft".to_owned(),
        value: json!({
            "boxes": rows, "max_speed": aircraft.ratings.max_speed, "min_speed": aircraft.ratings.min_speed,
            "max_dive": aircraft.ratings.max_dive, "power_rating": aircraft.ratings.power,
            "drag_rating": aircraft.ratings.drag, "firing_rating": aircraft.ratings.firing,
            "guns": aircraft.ratings.guns, "smoking": false, "burning": false, "wounds": 0,
        }),
    }
}

pub(crate) fn recruits(types: &[AircraftType]) -> Vec<LibraryItem> {
    types.iter().map(recruit).collect()
}

/// An aircraft with its boxes, set by set.
pub(crate) fn card(item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
    let value = &item.value;
    let Some(rows) = value["boxes"].as_array() else { return plain_card(item, fresh) };
    let track = |(at, row): (usize, &Value)| {
        let row = row.as_str().unwrap_or_default();
        let open = row.chars().filter(|shown| *shown == '.').count() as u32;
        Section::Track { label: format!("Set {at}"), now: open, most: row.chars().count() as u32 }
    };
    let mut sections: Vec<Section> = (1..).zip(rows).map(track).collect();
    let names = [
        ("Speed", "speed"),
        ("Level", "level"),
        ("Least speed", "min_speed"),
        ("Top speed", "max_speed"),
        ("Dive", "max_dive"),
        ("Power", "power_rating"),
        ("Drag", "drag_rating"),
        ("Firing", "firing_rating"),
        ("Guns", "guns"),
    ];
    let figures = names.into_iter().filter(|(_, field)| value[*field].is_number());
    let figures = figures.map(|(name, field)| Figure::new(name, &value[field], &value[field])).collect();
    sections.push(Section::Figures { label: "Aircraft".to_owned(), figures });
    let was = |field: &str| fresh.map_or_else(|| value[field].clone(), |fresh| fresh.value[field].clone());
    let mut pilot = vec![Figure::new("Wounds", &value["wounds"], was("wounds"))];
    if let Some(grade) = value["grade"].as_str() {
        pilot.push(Figure::new("Grade", grade, grade));
    }
    sections.push(Section::Figures { label: "Pilot".to_owned(), figures: pilot });
    let harm = ["smoking", "burning"].into_iter().filter(|field| value[*field] == true);
    let pieces: Vec<Fitting> =
        harm.map(|name| Fitting { name: name.to_owned(), detail: String::new(), lost: false }).collect();
    if !pieces.is_empty() {
        sections.push(Section::Pieces { label: "Harm".to_owned(), pieces });
    }
    Card { title: item.name.clone(), subtitle: item.kind.clone(), stamp: None, sections }
}

/// What is farthest from zero among the figures of an aircraft.
const MOST: i64 = 99;

/// The figures that the referee may correct: the boxes of each set, then the rest.
pub(crate) fn figures(object: &Object) -> Vec<SheetFigure> {
    let sets = object.value["boxes"].as_array().map_or(0, Vec::len);
    let set = |at: usize| {
        let label = format!("Set {}, its boxes in order (. clean, / hit, X hit twice, # burnt)", at + 1);
        SheetFigure::of(&object.value, format!("boxes.{at}"), label)
    };
    let rest = sheet_figures(&object.value).into_iter().map(|figure| match figure.field.as_str() {
        "wounds" | "guns" | "speed" | "level" => figure.within(0, MOST),
        _ => figure.within(-MOST, MOST),
    });
    (0..sets).filter_map(set).chain(rest).collect()
}

/// A corrected sheet, whose boxes must be boxes.
pub(crate) fn corrected(item: LibraryItem) -> Result<LibraryItem, Refusal> {
    let sets: Vec<&str> = item.value["boxes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    Boxes::parse(&sets)?;
    Ok(item)
}

/// The flights of a scenario, each aircraft by its pilot, and its sides.
pub(crate) fn muster(hangar: &Hangar, scenario: &Scenario) -> (Vec<Object>, [String; 2]) {
    let mut objects = Vec::new();
    for start in &scenario.aircraft {
        let Some(aircraft) = hangar.find(&start.kind) else { continue };
        let mut item = recruit(aircraft);
        item.name = format!("{} ({})", start.pilot, aircraft.name);
        item.value["speed"] = start.speed.into();
        item.value["level"] = start.level.into();
        item.value["grade"] = json!(start.grade);
        objects.push(Object::new(item, start.side.side().index() as u8));
    }
    (objects, [Alliance::Allied, Alliance::Central].map(|side| side.name().to_owned()))
}

/// The figures of the acting aircraft; the engine drops those a procedure does not ask for.
pub(crate) fn fit(hangar: &Hangar, act: &str, cast: &Cast<'_>) -> Vec<Known> {
    let mut known = Vec::new();
    let object = cast.one("aircraft").or_else(|| cast.one("firer"));
    if let Some(object) = object {
        let wanted: &[&str] = match act {
            "attack" => &["firing_rating", "guns"],
            "fire" => &["firing_rating"],
            "damage" | "fire-damage" => &["boxes"],
            "critical-hit" => &["boxes", "smoking", "burning", "wounds"],
            "engine-smoke" => &["smoking", "burning"],
            "stress" => &["speed", "boxes", "max_dive"],
            "power" => &["speed", "max_speed", "power_rating"],
            "drag" => &["speed", "drag_rating"],
            "stall-spin" => &["speed", "min_speed"],
            "end-of-move" => &["speed", "boxes"],
            "movement-points" | "bet-level" => &["speed"],
            "climb-dive" => &["speed", "level"],
            "spin" => &["level"],
            _ => &[],
        };
        if let Some(kind) = hangar.find(object.item().origin()).filter(|_| act == "end-of-move") {
            let ratings = &kind.ratings;
            let rated = json!({
                "min_speed": ratings.min_speed, "max_speed": ratings.max_speed, "max_dive": ratings.max_dive,
                "power": ratings.power, "drag": ratings.drag, "climb": ratings.climb, "spin": ratings.spin,
            });
            known.push(Known::sheet("ratings", rated));
        }
        for field in wanted {
            known.extend(object.value.get(field).map(|value| Known::sheet(*field, value.clone())));
        }
    }
    known
}

pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, result: &Value, state: &mut State) {
    if !["damage", "critical-hit", "engine-smoke", "fire-damage", "stress", "end-of-move"].contains(&act) {
        return;
    }
    let id = cast.get("aircraft").and_then(|ids| ids.first()).cloned().unwrap_or_default();
    let Some(object) = state.objects.iter_mut().find(|object| object.id == id) else { return };
    for field in ["boxes", "smoking", "burning", "wounds"] {
        let found = result.get(field).or_else(|| result.get("harm").and_then(|harm| harm.get(field)));
        if let Some(value) = found {
            object.value[field] = value.clone();
        }
    }
    if result["destroyed"] == true {
        "destroyed".clone_into(&mut object.gone);
    }
}

pub(crate) fn verdict(act: &str, cast: &Cast<'_>, result: &Value) -> String {
    let n = |field: &str| result[field].as_i64().unwrap_or(0);
    let name = || cast.names("aircraft");
    let plural = |n: i64, one: &str, more: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {more}") };
    match act {
        "attack" | "fire" => {
            format!("{} fires at {}: {}", cast.names("firer"), cast.names("target"), plural(n("hits"), "hit", "hits"))
        }
        "damage" | "fire-damage" if result["destroyed"] == true => format!("{} is destroyed", name()),
        "damage" => format!("{} is marked with the hits", name()),
        "fire-damage" => format!("The fire aboard {} burns {}", name(), plural(n("burnt"), "box", "boxes")),
        "critical-hit" => format!("{} takes a critical hit", name()),
        "engine-smoke" if result["burning"] == true => format!("{} burns", name()),
        "engine-smoke" => format!("{} does not catch fire", name()),
        "bet" if result["success"] == true || result["won"] == true => format!("{} wins the bet", name()),
        "bet" if result["success"] == false || result["won"] == false => format!("{} loses the bet", name()),
        _ => String::new(),
    }
}
