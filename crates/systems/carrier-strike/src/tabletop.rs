//! A referee's table: squadrons and carrier groups, acts, verdicts, and what rulings leave of them.

use crate::data::SquadronFigures;
use crate::scenario::Scenario;
use crate::words;
use flagplot_kernel::Side;
use flagplot_referee::table::{
    Act, Cast, Count, Known, Object, Phase, Reading, Role, SheetFigure, State, Unit, gone_by_counts,
};
use flagplot_referee::{Card, Figure, LibraryItem, Section, plain_card};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SQUADRONS: &[&str] = &["squadron"];
const CARRIERS: &[&str] = &["carrier group"];
/// Procedures measure in thousandths of a card length, people in card lengths.
const CARDS: &[Unit] = &[Unit { name: "card lengths", these: 1, those: 1000 }];

pub(crate) fn phases() -> Vec<Phase> {
    vec![
        Phase::new("search", "Search", "Scouts and carriers look for the enemy."),
        Phase::new("combat", "Air combat", "Squadrons meet."),
        Phase::new("strike", "Strike", "Squadrons attack a carrier group."),
        Phase::new("home", "Return", "Squadrons fly home; those without fuel ditch."),
        Phase::new("end", "End of turn", "Surface action and victory."),
    ]
}

const EAST: &str = "How far east of the middle";
const NORTH: &str = "How far north of the middle";
const MEASURED: &[(&str, &str)] = &[
    ("from.0", "Acting piece: how far east of the middle"),
    ("from.1", "Acting piece: how far north of the middle"),
    ("to.0", "Target: how far east of the middle"),
    ("to.1", "Target: how far north of the middle"),
];

/// Words for places in card lengths.
fn placed(act: Act, places: &[(&'static str, &'static str)]) -> Act {
    places.iter().fold(act, |act, (path, label)| act.fact(path, label).units(CARDS))
}

pub(crate) fn acts(scenarios: &[Scenario]) -> Vec<Act> {
    let plain = |id, title, verb, phase, group, icon| Act::new(id, id, title, verb).listed(phase, group, icon);
    let squadron = || Role::new("squadron", "Squadron", "squadron", SQUADRONS).acts();
    let cv = || Role::new("cv", "Carrier group", "cv", CARRIERS);
    vec![
        plain("detection", "Look for the enemy", "Search", "search", "Search", "sight")
            .fact("searcher", "Who searches")
            .choices(vec![
                (json!("combat-squadron"), "a squadron"),
                (json!("cv"), "a carrier group"),
                (json!("recce"), "scouts"),
                (json!("dummy-squadron"), "a dummy squadron"),
            ])
            .fact("distance", "Distance to the nearest part of the enemy")
            .units(CARDS)
            .fact("searcher_number", "The searcher's number, 1 to 4")
            .fact("hider_number", "The hider's number, 1 to 4")
            .headline("found", "detected", Reading::Is("true")),
        placed(plain("measure", "Measure a distance", "Measure", "search", "Search", "map"), MEASURED)
            .fact("target", "Measured to"),
        placed(
            plain("groups", "Which squadrons form groups", "Look", "search", "Search", "map")
                .role(Role::new("blue", "Blue squadrons", "blue", SQUADRONS).count(Count::Any))
                .role(Role::new("red", "Red squadrons", "red", SQUADRONS).count(Count::Any)),
            &[("blue.*.at.0", EAST), ("blue.*.at.1", NORTH), ("red.*.at.0", EAST), ("red.*.at.1", NORTH)],
        ),
        placed(
            plain("path", "Follow a path", "Fly", "search", "Search", "movement")
                .role(
                    Role::new("movers", "Squadrons, the lead first", "movers", SQUADRONS)
                        .count(Count::Many)
                        .since(5)
                        .acts(),
                )
                .role(Role::new("enemies", "Enemy squadrons in the way", "enemies", SQUADRONS).count(Count::Any))
                .fact("allowance", "How far it may fly")
                .units(CARDS),
            &[
                ("path.0.0", "The lead flies to a point so far east"),
                ("path.0.1", "The lead flies to a point so far north"),
                ("movers.*.at.0", EAST),
                ("movers.*.at.1", NORTH),
                ("enemies.*.at.0", EAST),
                ("enemies.*.at.1", NORTH),
            ],
        ),
        plain("air-combat", "A combat of squadrons", "Fight", "combat", "Air combat", "aircraft")
            .fact("first.kind", "First squadrons fly as")
            .fact("second.kind", "Second squadrons fly as")
            .role(Role::new("first", "First squadrons", "first.squadrons", SQUADRONS).count(Count::Many).acts())
            .role(Role::new("second", "Second squadrons", "second.squadrons", SQUADRONS).count(Count::Many)),
        plain("dogfight", "A whole dogfight", "Fight", "combat", "Air combat", "aircraft")
            .role(Role::new("attackers", "Attackers", "attackers", SQUADRONS).count(Count::Many).acts())
            .role(Role::new("defenders", "Defenders", "defenders", SQUADRONS).count(Count::Many)),
        plain("stance-value", "The worth of stances", "Look", "combat", "Air combat", "dice")
            .role(Role::new("first", "First squadrons", "first.squadrons", SQUADRONS).count(Count::Many).acts())
            .role(Role::new("second", "Second squadrons", "second.squadrons", SQUADRONS).count(Count::Many)),
        plain("strike", "One squadron strikes", "Strike", "strike", "Strike", "bomb")
            .role(squadron())
            .role(cv())
            .fact("squadron.stance", "Stance of the squadron")
            .fact("squadron.aa_stance", "Stance of the guns")
            .headline("hits", "hits_on_cv", Reading::Mean),
        plain("strike-group", "Several squadrons strike", "Strike", "strike", "Strike", "bomb")
            .role(Role::new("squadrons", "Squadrons, in order", "squadrons", SQUADRONS).count(Count::Many).acts())
            .role(cv())
            .headline("hits", "cv_hits_added", Reading::Mean),
        plain("aa-fire", "Anti-aircraft fire", "Fire", "strike", "Strike", "flak").role(squadron()).role(cv()),
        plain("hits-inflicted", "Read the hit table", "Roll", "strike", "Strike", "dice"),
        plain("strike-value", "The worth of a strike", "Look", "strike", "Strike", "dice").role(cv()),
        plain("ditching", "Fly home or ditch", "Roll", "home", "Return", "movement")
            .role(Role::new("squadron", "Squadron", "", SQUADRONS).acts())
            .fact("distance", "Distance to the deck")
            .units(CARDS)
            .headline("lost", "lost", Reading::Mean),
        plain("surface-action", "Surface action", "Fight", "end", "End", "guns")
            .role(Role::new("blue", "Blue carrier group", "blue", CARRIERS).acts())
            .role(Role::new("red", "Red carrier group", "red", CARRIERS)),
        plain("victory", "Who has won", "Look", "end", "End", "morale")
            .fact("scenario", "Scenario")
            .choices(scenarios.iter().map(|one| (json!(one.id), one.title.clone())).collect())
            .fact("turn", "Turn")
            .fact("turn_finished", "The turn is over")
            .fact("blue.cv_hits", "Hits on Blue's carriers")
            .fact("blue.combat_aircraft", "Blue's aircraft left, scouts not counted")
            .fact("blue.disengaged", "Blue's carriers have left")
            .fact("red.cv_hits", "Hits on Red's carriers")
            .fact("red.combat_aircraft", "Red's aircraft left, scouts not counted")
            .fact("red.disengaged", "Red's carriers have left")
            .fact("kamikaze_aircraft", "Aircraft of kamikaze squadrons"),
    ]
}

/// What has become of a squadron without aircraft.
const DESTROYED: &str = "destroyed";
/// The hits that sink a carrier group.
const SUNK_AT: u32 = 8;
/// The last turn that a scenario may have, and the most aircraft of one side's combat squadrons.
const LAST_TURN: u32 = 12;
const MOST_AIRCRAFT: i64 = 48;
/// The aircraft of a squadron, and its range, unless it is told otherwise.
const USUAL: (u8, u8) = (12, 4);

fn squadron(id: &str, name: &str, kind: &str, (strength, range): (u8, u8)) -> LibraryItem {
    let value = json!({"kind": kind, "strength": strength, "rl": range});
    LibraryItem { id: id.to_owned(), name: name.to_owned(), kind: "squadron".to_owned(), value }
}

fn carriers(id: &str, name: &str, hits: u8) -> LibraryItem {
    let value = json!({"hits": hits});
    LibraryItem { id: id.to_owned(), name: name.to_owned(), kind: "carrier group".to_owned(), value }
}

pub(crate) fn recruits() -> Vec<LibraryItem> {
    vec![
        squadron("fighters", "Fighters", "fighter", USUAL),
        squadron("strike", "Strike squadron", "strike", USUAL),
        squadron("scouts", "Scouts", "recce", USUAL),
        carriers("carriers", "Carrier group", 0),
    ]
}

/// A squadron with a box for each aircraft, or a carrier group with a box for each hit.
pub(crate) fn card(item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
    let value = &item.value;
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
    let was = |field: &str| fresh.map_or_else(|| value[field].clone(), |fresh| fresh.value[field].clone());
    let sections = if value.get("strength").is_some() {
        let flies = match value["kind"].as_str() {
            Some("recce") => "scouts",
            Some("fighter") => "fighters",
            _ => "strike",
        };
        let now = number(&value["strength"]);
        let figures = vec![Figure::new("Flies as", flies, flies), Figure::new("Range", &value["rl"], was("rl"))];
        vec![
            Section::Track { label: "Aircraft".to_owned(), now, most: number(&was("strength")).max(now) },
            Section::Figures { label: "Squadron".to_owned(), figures },
        ]
    } else if value.get("hits").is_some() {
        let hits = number(&value["hits"]);
        vec![Section::Track { label: "Hits it can take".to_owned(), now: SUNK_AT.saturating_sub(hits), most: SUNK_AT }]
    } else {
        return plain_card(item, fresh);
    };
    Card { title: item.name.clone(), subtitle: item.kind.clone(), stamp: None, sections }
}

/// The figures of a sheet that the referee may correct.
pub(crate) fn figures(object: &Object) -> Vec<SheetFigure> {
    let figure =
        |(field, label, most): (&str, &str, i64)| Some(SheetFigure::of(&object.value, field, label)?.within(0, most));
    [("strength", "Aircraft", 12), ("rl", "Range", 6), ("hits", "Hits taken", i64::from(SUNK_AT))]
        .into_iter()
        .filter_map(figure)
        .collect()
}

/// What became of an object whose sheet was corrected.
pub(crate) fn still_gone(object: &Object) -> String {
    gone_by_counts(object, &["strength"], DESTROYED)
}

/// Both carrier groups of a scenario with their squadrons, and its sides. What a squadron flies as is told when it
/// acts.
pub(crate) fn muster(figures: &SquadronFigures, scenario: &Scenario) -> (Vec<Object>, [String; 2]) {
    let mut objects = Vec::new();
    for side in Side::BOTH {
        let (sheet, name, color) = (scenario.sheet(side), words::name(side), words::color(side));
        let mut add = |item: LibraryItem| objects.push(Object::new(item, side.index() as u8));
        add(carriers(&format!("{color}-cv"), &format!("{name} carrier group"), sheet.cv_hits));
        for (at, strength) in (1..).zip(&sheet.combat) {
            let fresh = (*strength, figures.combat_range);
            add(squadron(&format!("{color}-{at}"), &format!("{name} Squadron {at}"), "strike", fresh));
        }
        let scouts = (figures.recce_strength, figures.recce_range);
        for at in 1..=sheet.recce {
            add(squadron(&format!("{color}-scout-{at}"), &format!("{name} Scout {at}"), "recce", scouts));
        }
    }
    let names = scenario.names();
    (objects, Side::BOTH.map(|side| names[side].clone()))
}

fn some(object: &Object, fields: &[&str]) -> Value {
    let pairs = fields.iter().filter_map(|name| Some(((*name).to_owned(), object.value.get(name)?.clone())));
    let mut value = Value::Object(pairs.collect());
    value["id"] = object.name.clone().into();
    value
}

pub(crate) fn fit(act: &str, cast: &Cast<'_>) -> Vec<Known> {
    let list =
        |role: &str, fields: &[&str]| Value::Array(cast.many(role).iter().map(|one| some(one, fields)).collect());
    let hits = |role: &str| cast.one(role).map(|cv| cv.value["hits"].clone());
    let mut known = Vec::new();
    match act {
        "air-combat" | "stance-value" => {
            for side in ["first", "second"] {
                known.push(Known::sheet(format!("{side}.squadrons"), list(side, &["strength", "rl"])));
                known.extend(cast.one(side).map(|one| Known::sheet(format!("{side}.kind"), one.value["kind"].clone())));
            }
        }
        "dogfight" => {
            known.push(Known::sheet("attackers", list("attackers", &["strength", "rl", "kind"])));
            known.push(Known::sheet("defenders", list("defenders", &["strength", "rl", "kind"])));
        }
        "strike" | "aa-fire" => {
            if let Some(one) = cast.one("squadron") {
                for (field, value) in some(one, &["strength", "kind"]).as_object().cloned().unwrap_or_default() {
                    known.push(Known::sheet(format!("squadron.{field}"), value));
                }
            }
            known.extend(hits("cv").map(|hits| Known::sheet("cv.hits", hits)));
        }
        "strike-group" => {
            known.push(Known::sheet("squadrons", list("squadrons", &["strength"])));
            known.extend(hits("cv").map(|hits| Known::sheet("cv.hits", hits)));
        }
        "strike-value" => known.extend(hits("cv").map(|hits| Known::sheet("cv.hits", hits))),
        "ditching" => known.extend(
            cast.one("squadron")
                .map(|one| Known::sheet("", json!({"strength": one.value["strength"], "rl": one.value["rl"]}))),
        ),
        // A point is told by its two distances from the middle.
        "measure" => known.extend(["from", "to"].map(|point| Known::sheet(point, json!([null, null])))),
        "groups" | "path" => {
            for role in ["blue", "red", "movers", "enemies"] {
                let one = |one: &&Object| json!({"id": one.name, "at": [null, null]});
                let all: Vec<Value> = cast.many(role).iter().map(one).collect();
                known.extend((!all.is_empty()).then(|| Known::sheet(role, all)));
            }
            known.extend((act == "path").then(|| Known::sheet("path", json!([[null, null]]))));
        }
        // What lies on the table is counted for the scenario that it was set up from.
        "victory" if cast.state.scenario().is_some() => {
            known.extend(cast.state.scenario().map(|id| Known::sheet("scenario", id)));
            known.push(Known::sheet("turn", cast.state.turn.min(LAST_TURN)));
            for (name, side) in [("blue", 0), ("red", 1)] {
                let sum = |kind: &str, field: &str, but: &str| -> i64 {
                    let of =
                        |object: &&Object| object.side == side && object.kind == kind && object.value["kind"] != but;
                    cast.state.objects.iter().filter(of).map(|object| object.number(field)).sum()
                };
                known.push(Known::sheet(
                    format!("{name}.cv_hits"),
                    sum("carrier group", "hits", "").min(i64::from(SUNK_AT)),
                ));
                known.push(Known::sheet(
                    format!("{name}.combat_aircraft"),
                    sum("squadron", "strength", "recce").min(MOST_AIRCRAFT),
                ));
            }
        }
        "surface-action" => {
            known.extend(hits("blue").map(|hits| Known::sheet("blue_hits", hits)));
            known.extend(hits("red").map(|hits| Known::sheet("red_hits", hits)));
        }
        _ => {}
    }
    known
}

fn set(state: &mut State, find: impl Fn(&Object) -> bool, field: &str, value: &Value) {
    let Some(object) = state.objects.iter_mut().find(|object| find(object)) else { return };
    if value.is_number() {
        object.value[field] = value.clone();
        if field == "strength" && *value == 0 {
            DESTROYED.clone_into(&mut object.gone);
        }
    }
}

pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, result: &Value, state: &mut State) {
    let first = |role: &str| cast.get(role).and_then(|ids| ids.first()).cloned().unwrap_or_default();
    let named = |name: &str| {
        let name = name.to_owned();
        move |object: &Object| object.name == name
    };
    let is = |id: String| move |object: &Object| object.id == id;
    match act {
        "strike" => {
            set(state, is(first("cv")), "hits", &result["cv_hits"]);
            set(state, is(first("squadron")), "strength", &result["squadron_strength"]);
        }
        "strike-group" => {
            set(state, is(first("cv")), "hits", &result["cv_hits"]);
            let ids = cast.get("squadrons").cloned().unwrap_or_default();
            for (id, strike) in ids.into_iter().zip(result["strikes"].as_array().into_iter().flatten()) {
                set(state, is(id), "strength", &strike["squadron_strength"]);
            }
        }
        "aa-fire" | "ditching" => set(state, is(first("squadron")), "strength", &result["remaining"]),
        "air-combat" => {
            for side in ["first", "second"] {
                for (name, left) in result[side]["remaining"].as_object().into_iter().flatten() {
                    set(state, named(name), "strength", left);
                }
            }
        }
        "dogfight" => {
            for side in ["attackers", "defenders"] {
                for (name, end) in result[side].as_object().into_iter().flatten() {
                    set(state, named(name), "strength", &end["strength"]);
                    set(state, named(name), "strength", &end["remaining"]);
                }
            }
        }
        "surface-action" => {
            set(state, is(first("blue")), "hits", &result["blue_hits"]);
            set(state, is(first("red")), "hits", &result["red_hits"]);
        }
        _ => {}
    }
}

pub(crate) fn verdict(act: &str, cast: &Cast<'_>, result: &Value) -> String {
    let n = |field: &str| result[field].as_u64().unwrap_or(0);
    let word = |value: &Value| value.as_str().unwrap_or_default().replace('-', " ");
    let hits = |n: u64| if n == 1 { "1 hit".to_owned() } else { format!("{n} hits") };
    match act {
        "strike" => format!(
            "{} strikes {}: {}; {} aircraft left",
            cast.names("squadron"),
            cast.names("cv"),
            hits(n("hits_on_cv")),
            n("squadron_strength")
        ),
        "strike-group" => format!("{} on {}", hits(n("cv_hits_added")), cast.names("cv")),
        "aa-fire" => format!("{} has {} aircraft left", cast.names("squadron"), n("remaining")),
        "ditching" => format!("{}: {}, {} aircraft lost", cast.names("squadron"), word(&result["action"]), n("lost")),
        "air-combat" => {
            let left = |side: &str| result[side]["remaining_total"].as_u64().unwrap_or(0);
            format!(
                "{}: {} left; {}: {} left",
                cast.names("first"),
                left("first"),
                cast.names("second"),
                left("second")
            )
        }
        "dogfight" => "The dogfight is fought".to_owned(),
        "surface-action" => format!("Blue takes {}, Red takes {}", hits(n("damage_to_blue")), hits(n("damage_to_red"))),
        "detection" if result["detected"] == true => "The enemy is found".to_owned(),
        "detection" => "Nothing is found".to_owned(),
        _ if cast.state.remembers() && ["victory", "measure", "path", "groups"].contains(&act) => {
            spoken(act, cast, result)
        }
        "victory" if result["over"] == true => format!("{} wins", word(&result["winner"])),
        "victory" => "The game goes on".to_owned(),
        _ => String::new(),
    }
}

/// Thousandths of a card length as people say them: `2.5 card lengths`.
fn lengths(thousandths: &Value) -> String {
    // To the next tenth, as distances are rounded up.
    let tenths = (thousandths.as_i64().unwrap_or(0) + 99) / 100;
    let unit = if tenths == 10 { "card length" } else { "card lengths" };
    if tenths % 10 == 0 { format!("{} {unit}", tenths / 10) } else { format!("{}.{} {unit}", tenths / 10, tenths % 10) }
}

/// The verdicts that newer tables have words for.
fn spoken(act: &str, cast: &Cast<'_>, result: &Value) -> String {
    let names = |value: &Value| {
        let all: Vec<&str> = value.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        all.join(", ")
    };
    match act {
        "victory" => {
            let leader = match result["winner"].as_str() {
                Some("blue") => Some(&cast.state.sides[0]),
                Some("red") => Some(&cast.state.sides[1]),
                _ => None,
            };
            match (leader, result["over"] == true) {
                (Some(side), true) => format!("{side} wins"),
                (None, true) if result["level"] == "both-lose" => "Both sides lose".to_owned(),
                (None, true) => "The game is drawn".to_owned(),
                (Some(side), false) => format!("The game goes on; {side} leads"),
                (None, false) => "The game goes on; neither side leads".to_owned(),
            }
        }
        "measure" if result["on_card"] == true => "It is over the card".to_owned(),
        "measure" if result["touching"] == true => "The squadrons touch".to_owned(),
        "measure" => format!("The distance is {}", lengths(&result["distance"])),
        "path" => {
            let met: Vec<String> = result["contact"].as_array().into_iter().flatten().map(names).collect();
            let flown = lengths(&result["flown"]);
            if met.is_empty() {
                format!("They fly {flown}")
            } else {
                format!("They fly {flown} and meet {}", met.join(", "))
            }
        }
        "groups" => {
            let of = |side: &str| -> Vec<String> { result[side].as_array().into_iter().flatten().map(names).collect() };
            let all = [of("blue"), of("red")].concat();
            if all.is_empty() { "There is no group".to_owned() } else { format!("The groups: {}", all.join("; ")) }
        }
        _ => String::new(),
    }
}
