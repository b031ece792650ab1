//! A referee's table: aircraft, acts, verdicts, and what rulings leave of the aircraft.

use crate::critical::Harm;
use crate::damage::Boxes;
use crate::due::EDGE;
use crate::hangar::{AircraftType, Hangar};
use crate::scenario::Scenario;
use crate::tables::Critical;
use crate::words::{Alliance, Pitch, Status};
use flagplot_kernel::Refusal;
use flagplot_referee::table::{
    Act, Cast, Count, Known, Object, Phase, Reading, Role, SheetFigure, State, sheet_figures,
};
use flagplot_referee::{Card, Figure, Fitting, LibraryItem, Section, plain_card};
use serde::Deserialize;
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

/// The version of the table since which these acts are done by aircraft on it.
const WITH_AIRCRAFT: u32 = 5;

/// The edges of a hex, clockwise from north, and its middle.
fn headings() -> Vec<(Value, &'static str)> {
    let edges = ["north", "north-east", "south-east", "south", "south-west", "north-west"];
    let edges = (0..).zip(edges).map(|(edge, word): (i32, _)| (json!(edge), word));
    edges.chain([(Value::Null, "in the middle of the hex")]).collect()
}

/// The words for a pitch.
fn pitches() -> Vec<(Value, String)> {
    Pitch::WORDS.iter().map(|word| (json!(word), word.replace('-', " "))).collect()
}

/// All aircraft that take part.
fn all() -> Role {
    Role::new("aircraft", "Aircraft", "aircraft", AIRCRAFT).count(Count::Many).since(WITH_AIRCRAFT)
}

/// One aircraft and its target, each somewhere.
fn pair(act: Act, role: &'static str) -> Act {
    let title = if role == "firer" { "Firer" } else { "Attacker" };
    let act = act
        .role(Role::new(role, title, role, AIRCRAFT).since(WITH_AIRCRAFT).acts())
        .role(Role::new("target", "Target", "target", AIRCRAFT).since(WITH_AIRCRAFT));
    let places: [[(&'static str, &'static str); 5]; 2] = if role == "firer" {
        [
            [
                ("firer.hex.0", "Firer's column"),
                ("firer.hex.1", "Firer's row"),
                ("firer.facing", "Firer's heading"),
                ("firer.level", "Firer's level"),
                ("firer.pitch", "Firer leaves its level"),
            ],
            TARGETS_PLACE,
        ]
    } else {
        [
            [
                ("attacker.hex.0", "Attacker's column"),
                ("attacker.hex.1", "Attacker's row"),
                ("attacker.facing", "Attacker's heading"),
                ("attacker.level", "Attacker's level"),
                ("attacker.pitch", "Attacker leaves its level"),
            ],
            TARGETS_PLACE,
        ]
    };
    places.iter().flatten().fold(act, |act, (path, label)| {
        let act = act.fact(path, label);
        match path.rsplit('.').next() {
            Some("facing") => act.choices(headings()),
            Some("pitch") => act.choices(pitches()).aside(),
            _ => act,
        }
    })
}

const TARGETS_PLACE: [(&str, &str); 5] = [
    ("target.hex.0", "Target's column"),
    ("target.hex.1", "Target's row"),
    ("target.facing", "Target's heading"),
    ("target.level", "Target's level"),
    ("target.pitch", "Target leaves its level"),
];

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
        pair(plain("position-bonus", "Bonus of a position", "Look", "order", "Edges and order", "map"), "attacker"),
        pair(plain("carryover", "Edge carried over", "Look", "order", "Edges and order", "initiative"), "attacker")
            .fact("same_target", "Same target as last turn")
            .fact("previous_edge", "Edge at the end of last turn")
            .fact("targets_carryover_on_you", "What the new target carries over against it"),
        plain("edge-adjustment", "Adjust the edges", "Adjust", "order", "Edges and order", "initiative")
            .role(all())
            .fact("aircraft.*.target", "Target")
            .fact("aircraft.*.position.hex.0", "Column")
            .aside()
            .fact("aircraft.*.position.hex.1", "Row")
            .aside()
            .fact("aircraft.*.position.facing", "Heading")
            .choices(headings())
            .aside()
            .fact("aircraft.*.position.level", "Level")
            .aside()
            .fact("aircraft.*.position.pitch", "Leaves its level")
            .choices(pitches())
            .aside()
            .fact("aircraft.*.previous_target", "Target last turn")
            .aside()
            .fact("aircraft.*.previous_edge", "Edge last turn")
            .aside(),
        plain("edge-recording", "Record the edges", "Record", "order", "Edges and order", "initiative")
            .role(Role::new("mover", "Aircraft that gains", "mover", AIRCRAFT).since(WITH_AIRCRAFT))
            .role(Role { title: "All other aircraft", count: Count::Any, ..all() })
            .fact("bonus", "Edge gained")
            .fact("end_of_phase", "Movement is over: no edge stays above 10")
            .fact("aircraft.*.target", "Target")
            .fact("aircraft.*.edge", "Edge")
            .fact("aircraft.*.formation", "Target is the leader of its formation")
            .aside(),
        plain("initiative-order", "Order of moves", "Roll", "order", "Edges and order", "initiative")
            .role(all())
            .fact("aircraft.*.target", "Target")
            .fact("aircraft.*.tail", "Tails its target if it may")
            .fact("aircraft.*.edge", "Edge")
            .aside()
            .fact("aircraft.*.speed", "Speed")
            .aside()
            .fact("aircraft.*.level", "Level")
            .aside()
            .fact("aircraft.*.experience", "Experience")
            .aside()
            .fact("aircraft.*.spinning", "Spins")
            .aside()
            .fact("aircraft.*.formation", "Target is the leader of its formation")
            .aside(),
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
        pair(plain("fire-range", "Range and field of fire", "Look", "fire", "Fire", "sight"), "firer"),
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
    let worn = [("Engine", "power_penalty"), ("Controls", "control_penalty")];
    let worn = worn.into_iter().filter(|(_, field)| value[*field].as_i64().is_some_and(|penalty| penalty > 0));
    let worn: Vec<Figure> = worn.map(|(name, field)| Figure::new(name, format!("−{}", value[field]), "0")).collect();
    if !worn.is_empty() {
        sections.push(Section::Figures { label: "Worn".to_owned(), figures: worn });
    }
    let harm = [("smoking", "smoking"), ("burning", "burning"), ("engine destroyed", "engine_destroyed")];
    let harm = harm.into_iter().filter(|(_, field)| value[*field] == true);
    let pieces: Vec<Fitting> =
        harm.map(|(name, _)| Fitting { name: name.to_owned(), detail: String::new(), lost: false }).collect();
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
        let mut object = Object::new(item, start.side.side().index() as u8);
        object.marks.insert(POSITION.to_owned(), json!({"hex": start.hex, "facing": start.facing}));
        objects.push(object);
    }
    (objects, [Alliance::Allied, Alliance::Central].map(|side| side.name().to_owned()))
}

/// The marks of an aircraft: where it is, its target by name.
const POSITION: &str = "position";
const TARGET: &str = "target";
/// The longest name that procedures take.
const LONGEST_NAME: usize = 40;

/// What an aircraft is called in inputs: its name, or its id if that is too long.
fn call(object: &Object) -> &str {
    if object.name.chars().count() <= LONGEST_NAME { &object.name } else { &object.id }
}

/// Forgets at older tables what only newer ones remember.
pub(crate) fn joined(objects: &mut [Object], version: u32) {
    for object in objects.iter_mut().filter(|_| version < WITH_AIRCRAFT) {
        object.marks.remove(POSITION);
    }
}

/// Where an aircraft is, as far as that is known.
fn position(object: &Object) -> Value {
    let mut place = object.marks.get(POSITION).cloned().unwrap_or_else(|| json!({"hex": [null, null]}));
    if object.value["level"].is_number() {
        place["level"] = object.value["level"].clone();
    }
    place
}

/// An aircraft in a list: its name, and its target if that is in the list, too.
fn listed(object: &Object, list: &[&Object]) -> Value {
    let target = object.marks.get(TARGET).and_then(Value::as_str);
    let target = target.filter(|target| list.iter().any(|other| call(other) == *target));
    json!({"id": call(object), "target": target})
}

/// Adds the aircraft that gains to the others, unless it is one of them.
fn with_mover<'a>(list: &mut Vec<&'a Object>, mover: &'a Object) {
    if list.iter().all(|other| other.id != mover.id) {
        list.push(mover);
    }
}

/// The experience of a pilot, less what wounds, fire and smoke take away.
fn experience(hangar: &Hangar, object: &Object) -> Option<i32> {
    let grade = serde_json::from_value(object.value["grade"].clone()).ok()?;
    let sets: Vec<&str> = object.value["boxes"].as_array()?.iter().filter_map(Value::as_str).collect();
    let is = |field: &str| object.value[field] == true;
    let wounds = i32::try_from(object.number("wounds")).ok()?;
    let harm = Harm { smoking: is("smoking"), burning: is("burning"), wounds, ..Harm::none(Boxes::parse(&sets).ok()?) };
    Some(hangar.pilot(grade).experience - harm.skill_penalty())
}

fn edge(object: &Object) -> Value {
    object.marks.get(EDGE).cloned().unwrap_or_default()
}

fn alliance(object: &Object) -> Value {
    json!(if object.side == 0 { Alliance::Allied } else { Alliance::Central })
}

/// What is known of the aircraft in the acts of edges and of order, and of two that meet.
fn fit_order(hangar: &Hangar, act: &str, cast: &Cast<'_>) -> Vec<Known> {
    let mut list = cast.many("aircraft");
    match act {
        "position-bonus" | "carryover" | "fire-range" => {
            let hunter = if act == "fire-range" { "firer" } else { "attacker" };
            let (from, to) = (cast.one(hunter), cast.one("target"));
            let mut known: Vec<Known> = [(hunter, from), ("target", to)]
                .into_iter()
                .filter_map(|(role, object)| Some(Known::sheet(role, position(object?))))
                .collect();
            if let (Some(from), Some(to), "carryover") = (from, to, act) {
                let same = from.marks.get(TARGET).and_then(Value::as_str) == Some(call(to));
                known.push(Known::sheet("same_target", same));
                known.extend(
                    Some(edge(from))
                        .filter(|edge| same && edge.is_number())
                        .map(|edge| Known::sheet("previous_edge", edge)),
                );
            }
            known
        }
        "edge-adjustment" if !list.is_empty() => {
            let one = |object: &&Object| {
                let mut one = listed(object, &list);
                one["side"] = alliance(object);
                one["position"] = position(object);
                one["previous_target"] = one["target"].clone();
                if edge(object).is_number() {
                    one["previous_edge"] = edge(object);
                }
                one
            };
            vec![Known::sheet("aircraft", Value::Array(list.iter().map(one).collect()))]
        }
        "edge-recording" => {
            let Some(mover) = cast.one("mover") else { return Vec::new() };
            with_mover(&mut list, mover);
            let one = |object: &&Object| {
                let mut one = listed(object, &list);
                one["edge"] = edge(object);
                one
            };
            let all = Value::Array(list.iter().map(one).collect());
            vec![Known::sheet("mover", call(mover)), Known::sheet("aircraft", all)]
        }
        "initiative-order" if !list.is_empty() => {
            let one = |object: &&Object| {
                let mut one = listed(object, &list);
                one["side"] = alliance(object);
                for field in ["speed", "level"] {
                    if object.value[field].is_number() {
                        one[field] = object.value[field].clone();
                    }
                }
                if edge(object).is_number() {
                    one["edge"] = edge(object);
                }
                if let Some(experience) = experience(hangar, object) {
                    one["experience"] = experience.into();
                }
                one
            };
            vec![Known::sheet("aircraft", Value::Array(list.iter().map(one).collect()))]
        }
        "victory-points" => {
            let counted = |object: &&Object| object.kind == "aircraft" && object.value["grade"].is_string();
            let one = |object: &Object| {
                let status = if object.in_play() { Status::InPlay } else { Status::Destroyed };
                json!({
                    "side": alliance(object), "grade": object.value["grade"], "status": status,
                    "boxes": object.value["boxes"], "smoking": object.value["smoking"],
                    "burning": object.value["burning"], "wounds": object.value["wounds"],
                })
            };
            let all: Vec<Value> = cast.state.objects.iter().filter(counted).map(one).collect();
            if all.is_empty() { Vec::new() } else { vec![Known::sheet("aircraft", Value::Array(all))] }
        }
        "attack" | "fire" => {
            let (from, to) = (cast.one("firer"), cast.one("target"));
            let same =
                from.zip(to).is_some_and(|(from, to)| from.marks.get(TARGET).and_then(Value::as_str) == Some(call(to)));
            from.map(edge)
                .filter(|edge| same && edge.is_number())
                .map(|edge| Known::sheet("edge", edge))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Whom an aircraft can hunt, by name.
pub(crate) fn choices(path: &str, cast: &Cast<'_>) -> Vec<(Value, String)> {
    let Some((at, field)) = path.strip_prefix("aircraft.").and_then(|rest| rest.split_once('.')) else {
        return Vec::new();
    };
    if !["target", "previous_target"].contains(&field) {
        return Vec::new();
    }
    let mut list = cast.many("aircraft");
    if let Some(mover) = cast.one("mover") {
        with_mover(&mut list, mover);
    }
    let own = at.parse().ok().and_then(|at: usize| list.get(at)).copied();
    let Some(own) = own else { return Vec::new() };
    // Enemies first.
    let mut others: Vec<&Object> = list.into_iter().filter(|other| other.id != own.id).collect();
    others.sort_by_key(|other| other.side == own.side);
    let others = others.into_iter().map(|other| (json!(call(other)), other.name.clone()));
    others.chain([(Value::Null, "no target".to_owned())]).collect()
}

/// Remembers where aircraft are, whom they hunt and what edge they have.
fn remember(act: &str, cast: &BTreeMap<String, Vec<String>>, input: &Value, result: &Value, state: &mut State) {
    let mut told: Vec<(String, &Value)> = Vec::new();
    for role in ["attacker", "firer", "target"] {
        let id = cast.get(role).and_then(|ids| ids.first());
        told.extend(
            id.filter(|_| ["position-bonus", "carryover", "fire-range"].contains(&act))
                .map(|id| (id.clone(), &input[role])),
        );
    }
    for (id, place) in told {
        settle(state, &id, place);
    }
    if !["edge-adjustment", "edge-recording", "initiative-order"].contains(&act) {
        return;
    }
    for one in input["aircraft"].as_array().into_iter().flatten() {
        let name = one["id"].as_str().unwrap_or_default();
        let Some(id) = state.objects.iter().find(|object| call(object) == name).map(|object| object.id.clone()) else {
            continue;
        };
        settle(state, &id, if act == "edge-adjustment" { &one["position"] } else { one });
        let Some(object) = state.objects.iter_mut().find(|object| object.id == id) else { continue };
        let edge = match &result["edges"] {
            Value::Object(edges) => edges.get(name).cloned().unwrap_or_default(),
            _ => one["edge"].clone(),
        };
        for (mark, value) in [(TARGET, one["target"].clone()), (EDGE, edge)] {
            if value.is_null() {
                object.marks.remove(mark);
            } else {
                object.marks.insert(mark.to_owned(), value);
            }
        }
    }
}

/// Notes where an aircraft was told to be, and how fast and high.
fn settle(state: &mut State, id: &str, told: &Value) {
    let Some(object) = state.objects.iter_mut().find(|object| object.id == id) else { return };
    if told["hex"].is_array() {
        object.marks.insert(POSITION.to_owned(), json!({"hex": told["hex"], "facing": told["facing"]}));
    }
    for field in ["level", "speed"] {
        if told[field].is_number() {
            object.value[field] = told[field].clone();
        }
    }
}

/// Shows the target and the edge of an aircraft on its sheet.
pub(crate) fn marked(card: &mut Card, object: &Object) {
    let mut figures = Vec::new();
    if let Some(target) = object.marks.get(TARGET).and_then(Value::as_str) {
        figures.push(Figure::new("Target", target, target));
    }
    if edge(object).is_number() {
        figures.push(Figure::new("Edge", edge(object), edge(object)));
    }
    if !figures.is_empty() {
        card.sections.push(Section::Figures { label: "Fight".to_owned(), figures });
    }
}

/// The figures of the acting aircraft; the engine drops those a procedure does not ask for.
pub(crate) fn fit(hangar: &Hangar, act: &str, cast: &Cast<'_>) -> Vec<Known> {
    let mut known = fit_order(hangar, act, cast);
    let object = cast.one("aircraft").or_else(|| cast.one("firer"));
    if let Some(object) = object {
        let wanted: &[&str] = match act {
            "attack" => &["firing_rating", "guns"],
            "fire" => &["firing_rating"],
            "damage" | "fire-damage" => &["boxes"],
            "critical-hit" => {
                &["boxes", "smoking", "burning", "wounds", "engine_destroyed", "power_penalty", "control_penalty"]
            }
            "engine-smoke" => &["smoking", "burning"],
            "stress" => &["speed", "boxes", "max_dive"],
            "power" => &["speed", "max_speed", "power_rating", "power_penalty", "engine_destroyed"],
            "drag" => &["speed", "drag_rating"],
            "stall-spin" => &["speed", "min_speed"],
            "end-of-move" => &["speed", "boxes", "power_penalty", "engine_destroyed"],
            "bet" => &["control_penalty"],
            "movement-points" | "bet-level" => &["speed"],
            "climb-dive" => &["speed", "level"],
            "spin" => &["level", "control_penalty"],
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

/// What critical hits leave of engine and controls; a sheet has it from the first of them on.
const ENGINE_AND_CONTROLS: [&str; 3] = ["engine_destroyed", "power_penalty", "control_penalty"];

pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, input: &Value, result: &Value, state: &mut State) {
    if state.remembers() {
        remember(act, cast, input, result, state);
    }
    if !["damage", "critical-hit", "engine-smoke", "fire-damage", "stress", "end-of-move"].contains(&act) {
        return;
    }
    let id = cast.get("aircraft").and_then(|ids| ids.first()).cloned().unwrap_or_default();
    let owes = state.owes();
    let Some(object) = state.objects.iter_mut().find(|object| object.id == id) else { return };
    if owes {
        for field in ENGINE_AND_CONTROLS.into_iter().filter(|field| result.get(field).is_some()) {
            object.value[field] = result[field].clone();
        }
        if act == "end-of-move" && result["speed"].is_number() {
            object.value["speed"] = result["speed"].clone();
        }
    }
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
        "critical-hit" => {
            let effect = Critical::deserialize(&result["effect"]).map_or("", Critical::told);
            format!("{} takes a critical hit: {effect}", name())
        }
        "engine-smoke" if result["burning"] == true => format!("{} burns", name()),
        "engine-smoke" => format!("{} does not catch fire", name()),
        "bet" if result["success"] == true || result["won"] == true => format!("{} wins the bet", name()),
        "bet" if result["success"] == false || result["won"] == false => format!("{} loses the bet", name()),
        _ if cast.state.remembers() => spoken(act, cast, result),
        _ => String::new(),
    }
}

/// The verdicts that newer tables have words for.
fn spoken(act: &str, cast: &Cast<'_>, result: &Value) -> String {
    let n = |field: &str| result[field].as_i64().unwrap_or(0);
    let (hunter, target) = (cast.names("attacker"), cast.names("target"));
    let edges = |field: &str| {
        let all = result[field].as_object().into_iter().flatten();
        let all = all.filter_map(|(name, edge)| Some(format!("{name} {}", edge.as_i64()?)));
        all.collect::<Vec<_>>().join(", ")
    };
    match act {
        "position-bonus" => format!("{hunter} gains an edge of {} on {target} by its position", n("bonus")),
        "carryover" => format!("{hunter} carries an edge of {} on {target} over", n("edge")),
        "edge-adjustment" | "edge-recording" => match edges("edges").as_str() {
            "" => "No aircraft has an edge".to_owned(),
            edges => format!("The edges: {edges}"),
        },
        "initiative-order" => {
            let order: Vec<&str> = result["order"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            format!("They move in this order: {}", order.join(", "))
        }
        "fire-range" if result["can_fire"] == true => match n("half_hexes") {
            0 => format!("{} can fire at {target} in its own hex", cast.names("firer")),
            1 => format!("{} can fire at {target} at half a hex", cast.names("firer")),
            half => format!(
                "{} can fire at {target} at {}{} {}",
                cast.names("firer"),
                half / 2,
                if half % 2 == 0 { "" } else { "½" },
                if half == 2 { "hex" } else { "hexes" }
            ),
        },
        "fire-range" => format!("{} cannot fire at {target}", cast.names("firer")),
        "victory-points" => {
            format!("{}: {} points, {}: {} points", cast.state.sides[0], n("allied"), cast.state.sides[1], n("central"))
        }
        _ => String::new(),
    }
}
