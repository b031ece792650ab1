//! A referee's table: forces, acts, what sheets tell of them, verdicts, and what rulings leave of the forces.

use crate::air::AirType;
use crate::nation::Nation;
use crate::{Rules, due, table};
use flagplot_kernel::Refusal;
use flagplot_referee::table::{
    Act, Cast, Count, Known, Object, Phase, Reading, Role, SheetFigure, State, gone_by_counts,
};
use flagplot_referee::{LibraryItem, bool, int};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a line may say.
pub(crate) const LINES: &str = "9 × 3 factors";
/// The air units of a group, unless it is told otherwise.
const USUAL_GROUP: u32 = 3;
/// The light ships of a group, unless it is told otherwise.
const USUAL_CRUISERS: u32 = 2;
const USUAL_DESTROYERS: u32 = 4;
/// The most units of one line.
const MOST_UNITS: usize = 60;

pub(crate) fn phases() -> Vec<Phase> {
    vec![
        Phase::new("air", "Air combat", "Fighters meet bombers; both sides may break off."),
        Phase::new("search", "Naval search", "Fleets look for each other."),
        Phase::new("strikes", "Air strikes", "Strikes pass patrols and guns and attack ships."),
        Phase::new("fleets", "Fleet combat", "Fleets fire round by round."),
        Phase::new("land", "Ground combat", "Attrition, attacks and retreats."),
        Phase::new("end", "End of turn", "Everything is done."),
    ]
}

const AIR: &[&str] = &["air"];
const UNITS: &[&str] = &["unit", "air"];
pub(crate) const HULLS: &[&str] = &["ship", "light"];

fn many(id: &'static str, title: &'static str, path: &'static str, kinds: &[&'static str]) -> Role {
    Role::new(id, title, path, kinds).count(Count::Many)
}

fn fought(id: &'static str, procedure: &'static str, title: &'static str) -> Act {
    Act::new(id, procedure, title, "Attack")
        .listed("land", "On land", "infantry")
        .role(many("attackers", "Attackers", "attackers", UNITS).acts())
        .role(many("defenders", "Defenders", "defenders", UNITS))
        .extra("dm", "Defense multiplier", int(1, 9), 2)
        .hide(&["losses"])
        .headline("attackers lost", "attacker_lost", Reading::Mean)
        .headline("defenders lost", "defender_lost", Reading::Mean)
}

/// The ships that aircraft go on to strike, if they do.
fn struck() -> Role {
    Role::new(due::SHIPS, "Ships they go on to strike", "strikes.*", HULLS).count(Count::Any)
}

pub(crate) fn acts() -> Vec<Act> {
    let in_air = |id, procedure, title| {
        Act::new(id, procedure, title, "Fight")
            .listed("air", "In the air", "aircraft")
            .role(many("attackers", "Attackers", "attackers", AIR).acts())
            .role(many("defenders", "Defenders", "defenders", AIR))
            .role(struck())
            .fact("role", "Defenders fly")
    };
    let on_ship = |id, title| {
        Act::new(id, "naval-attack", title, "Attack")
            .listed("strikes", "At sea", "bomb")
            .headline("hits", "hits", Reading::Mean)
            .headline("sunk", "effect.state", Reading::Is("sunk"))
    };
    vec![
        in_air("air-combat", "air-combat", "A round of air combat")
            .headline("attackers lost", "attacker_losses.eliminated", Reading::Mean)
            .headline("defenders lost", "defender_losses.eliminated", Reading::Mean),
        in_air("air-battle", "air-battle", "Air combat to the end")
            .headline("attackers lost", "attacker.eliminated", Reading::Mean)
            .headline("defenders lost", "defender.eliminated", Reading::Mean),
        Act::new("air-defense", "air-defense", "Air defense", "Fire")
            .listed("strikes", "In the air", "flak")
            .role(many("attackers", "Aircraft", "attackers", AIR).acts())
            .role(struck())
            .fact("defenses.naval_factors", "Naval factors that shoot")
            .fact("surprise_level", "Surprise level")
            .headline("lost", "eliminated", Reading::Mean),
        Act::new("search", "naval-search", "Search for the enemy", "Search")
            .listed("search", "At sea", "sight")
            .fact("sides.0.groups", "Groups of the first side")
            .fact("sides.0.modifier", "Modifier of the first side")
            .fact("sides.1.groups", "Groups of the second side")
            .fact("sides.1.modifier", "Modifier of the second side"),
        Act::new("strike", "air-strike", "Air strike on ships", "Strike")
            .listed("strikes", "At sea", "bomb")
            .role(many("attackers", "Squadrons", "attackers", AIR).acts())
            .role(Role::new("cap", "Patrols over the ships", "cap", AIR).count(Count::Any))
            .role(many("targets", "Targets, the most important first", "targets.*.ship", HULLS))
            .fact("defenses.naval_factors", "Naval factors that shoot")
            .fact("surprise_level", "Surprise level")
            .fact("at_sea", "At sea")
            .headline("hits", "total_hits", Reading::Mean)
            .headline("any hit", "total_hits", Reading::AtLeast(1)),
        on_ship("air-attack", "Squadrons attack one ship")
            .role(many("attackers", "Squadrons", "attackers", AIR).acts())
            .role(Role::new("target", "Target", "target", HULLS)),
        on_ship("gun-attack", "Ships attack one ship")
            .role(many("attackers", "Ships that fire", "attackers", &["ship"]).acts())
            .role(Role::new("target", "Target", "target", HULLS)),
        Act::new("allocate", "allocate-naval-losses", "Hits on a ship", "Apply")
            .listed("strikes", "At sea", "damage")
            .role(Role::new("target", "Target", "target", HULLS))
            .fact("hits", "Hits"),
        Act::new("fleets", "fleet-combat-round", "A round of fleet combat", "Fire")
            .listed("fleets", "At sea", "guns")
            .role(many("first", "Ships of the first fleet", "sides.0.ships.*", &["ship"]).acts())
            .role(
                Role::new("first-light", "Light ships of the first fleet", "sides.0.light", &["light"])
                    .count(Count::Optional),
            )
            .role(many("second", "Ships of the second fleet", "sides.1.ships.*", &["ship"]))
            .role(
                Role::new("second-light", "Light ships of the second fleet", "sides.1.light", &["light"])
                    .count(Count::Optional),
            )
            .fact("orders", "Fire orders")
            .headline("first loses", "sides.0.factors_sunk", Reading::Mean)
            .headline("second loses", "sides.1.factors_sunk", Reading::Mean),
        fought("ground", "ground-combat", "A round of ground combat").fact("previous_rounds", "Rounds fought before"),
        fought("assault", "ground-assault", "Ground assault to the end").fact("max_rounds", "Round limit"),
        Act::new("attrition", "attrition", "Attrition", "Attack")
            .listed("land", "On land", "infantry")
            .role(many("attackers", "Attackers along the front", "attackers", &["unit"]).acts())
            .role(many("defenders", "Defenders along the front", "defenders", &["unit"]))
            .headline("counters", "counters", Reading::Mean),
        Act::new("odds", "odds-ratio", "Odds and column", "Look")
            .listed("land", "On land", "infantry")
            .role(many("attackers", "Attackers", "attackers", UNITS))
            .role(many("defenders", "Defenders", "defenders", UNITS))
            .extra("dm", "Defense multiplier", int(1, 9), 2),
        Act::new("retreat", "retreat-hex", "Where a unit may retreat", "Look").listed("land", "On land", "movement"),
    ]
}

fn item(id: String, name: String, kind: &str, value: Value) -> LibraryItem {
    LibraryItem { id, name, kind: kind.to_owned(), value }
}

/// Ships, ground units, and air and light ships of every nation.
pub(crate) fn recruits(rules: &Rules) -> Vec<LibraryItem> {
    let own = table::library(rules).into_iter().filter(|item| item.kind != "target");
    let flying = |nation: &Nation| {
        [AirType::ArmyAir, AirType::NavalAir, AirType::Interceptor].map(|kind| air(*nation, kind, USUAL_GROUP, false))
    };
    let sailing = |nation: &Nation| light(*nation, USUAL_CRUISERS, USUAL_DESTROYERS);
    own.chain(Nation::ALL.iter().flat_map(flying)).chain(Nation::ALL.iter().map(sailing)).collect()
}

/// What air units of a kind are counted as.
pub(crate) fn counted_as(kind: AirType) -> &'static str {
    match kind {
        AirType::ArmyAir => "air factors",
        AirType::NavalAir => "squadrons",
        AirType::Kamikaze => "kamikazes",
        AirType::Jet => "jets",
        AirType::Interceptor => "interceptors",
        AirType::StrategicBomber => "bombers",
        AirType::AirTransport => "air transports",
    }
}

/// A group of air units.
pub(crate) fn air(nation: Nation, kind: AirType, count: u32, elite: bool) -> LibraryItem {
    let value = json!({"nation": nation, "count": count, "type": kind, "elite": elite});
    item(format!("{nation}-{kind}"), format!("{} {}", nation.name(), counted_as(kind)), "air", value)
}

/// A group of light ships.
pub(crate) fn light(nation: Nation, cruisers: u32, destroyers: u32) -> LibraryItem {
    let value = json!({"nation": nation, "cruisers": cruisers, "destroyers": destroyers});
    item(format!("{nation}-light"), format!("{} light ships", nation.name()), "light", value)
}

/// Reads `9 × 3 factors`, `5 squadrons Japan`, `4 air factors Germany`, `2 cruisers 6 destroyers Britain`.
pub(crate) fn read_line(line: &str) -> Result<Vec<LibraryItem>, Refusal> {
    let wrong = || {
        Refusal::new("bad-line", "This line names no forces.").remedy(
            "Write for example: 9 × 3 factors, 5 squadrons Japan, 4 air factors Germany, 2 cruisers 6 destroyers \
             Britain.",
        )
    };
    let text: String = line.to_lowercase().chars().take(200).collect();
    let text = text.replace(['×', '*'], " x ");
    let words: Vec<String> = text.split_whitespace().flat_map(apart).collect();
    let number = |word: &str| word.parse::<u32>().ok().filter(|n| (1..=1000).contains(n));
    let nation = Nation::ALL.iter().copied().find(|nation| {
        let name = nation.name().to_lowercase();
        text.contains(&name) || text.contains(&nation.to_string().replace('-', " "))
    });
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [times, "x", factors, "factor" | "factors" | "factored", ..] => {
            let (times, factors) = (number(times).ok_or_else(wrong)?, number(factors).ok_or_else(wrong)?);
            if times as usize > MOST_UNITS {
                return Err(Refusal::new("too-many", format!("A line may name {MOST_UNITS} units.")));
            }
            let one =
                item(format!("unit-{factors}"), format!("{factors}-factor unit"), "unit", json!({"factors": factors}));
            Ok(vec![one; times as usize])
        }
        [count, rest @ ..]
            if rest.iter().any(|word| word.starts_with("squadron"))
                || rest.contains(&"air")
                || rest.iter().any(|word| word.starts_with("interceptor")) =>
        {
            let (count, nation) = (number(count).ok_or_else(wrong)?, nation.ok_or_else(wrong)?);
            let kind = if rest.iter().any(|word| word.starts_with("squadron")) {
                AirType::NavalAir
            } else if rest.contains(&"air") {
                AirType::ArmyAir
            } else {
                AirType::Interceptor
            };
            Ok(vec![air(nation, kind, count, rest.contains(&"elite"))])
        }
        words if words.iter().any(|word| word.starts_with("cruiser") || word.starts_with("destroyer")) => {
            let nation = nation.ok_or_else(wrong)?;
            let before = |what: &str| {
                let at = words.iter().position(|word| word.starts_with(what))?;
                number(words.get(at.checked_sub(1)?)?)
            };
            Ok(vec![light(nation, before("cruiser").unwrap_or(0), before("destroyer").unwrap_or(0))])
        }
        _ => Err(wrong()),
    }
}

/// `9x3` as three words.
fn apart(word: &str) -> Vec<String> {
    match word.split_once('x') {
        Some((times, factors)) if !times.is_empty() && times.chars().all(|c| c.is_ascii_digit()) => {
            [times, "x", factors].iter().filter(|part| !part.is_empty()).map(ToString::to_string).collect()
        }
        _ => vec![word.trim_matches(',').to_owned()],
    }
}

/// The most of anything on a sheet.
const MOST: i64 = 1000;
/// What has become of a group without units, and of light ships of which none is left.
const ELIMINATED: &str = "eliminated";
const SUNK: &str = "sunk";
/// The classes of a group of light ships.
pub(crate) const LIGHT: [(&str, &str); 5] = [
    ("Cruisers", "cruisers"),
    ("Damaged cruisers", "damaged_cruisers"),
    ("Destroyers", "destroyers"),
    ("Escort carriers", "cves"),
    ("Transports", "transports"),
];

/// The figures of a sheet that the referee may correct.
pub(crate) fn figures(object: &Object) -> Vec<SheetFigure> {
    let names = [("Factors", "factors"), ("Units", "count"), ("Elite", "elite"), ("Damaged", "damaged")];
    // A sound ship's sheet says nothing of damage.
    let unsaid = (object.kind == "ship" && object.value.get("damaged").is_none()).then(|| SheetFigure {
        field: "damaged".to_owned(),
        label: "Damaged".to_owned(),
        shape: bool(),
    });
    let figure = |(label, field): (&str, &str)| Some(SheetFigure::of(&object.value, field, label)?.within(0, MOST));
    names.into_iter().chain(LIGHT).filter_map(figure).chain(unsaid).collect()
}

/// What became of an object whose sheet was corrected.
pub(crate) fn still_gone(object: &Object) -> String {
    match object.kind.as_str() {
        "light" => gone_by_counts(object, &LIGHT.map(|(_, field)| field), SUNK),
        "ship" => object.gone.clone(),
        _ => gone_by_counts(object, &["factors", "count"], ELIMINATED),
    }
}

fn known(path: &str, value: impl Into<Value>) -> Known {
    Known::sheet(path, value)
}

fn fields(value: &Value, names: &[&str]) -> Value {
    let pairs = names.iter().filter_map(|name| Some(((*name).to_owned(), value.get(name)?.clone())));
    Value::Object(pairs.collect())
}

pub(crate) fn group(object: &Object) -> Value {
    fields(&object.value, &["nation", "count", "type", "elite", "winter_effect"])
}

/// A ship or a group of light ships as a target.
fn target(object: &Object) -> Value {
    if object.kind == "light" {
        let mut value =
            fields(&object.value, &["nation", "cruisers", "damaged_cruisers", "destroyers", "cves", "transports"]);
        value["kind"] = "light-group".into();
        return value;
    }
    fields(&object.value, &["kind", "nation", "size", "damaged"])
}

fn fleet_ship(object: &Object) -> Value {
    let mut value = fields(&object.value, &["kind", "nation", "size", "damaged"]);
    value["id"] = object.id.clone().into();
    value
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn total(objects: &[&Object], field: &str) -> u64 {
    objects.iter().map(|object| count(&object.value[field])).sum()
}

/// The naval factors of everything afloat on a side.
pub(crate) fn naval_factors(state: &State, side: u8) -> u64 {
    let afloat = state.objects.iter().filter(|object| object.side == side && object.in_play());
    afloat
        .map(|object| match object.kind.as_str() {
            "ship" => count(&object.value["size"]),
            "light" => {
                ["cruisers", "damaged_cruisers"].iter().map(|class| count(&object.value[*class])).sum::<u64>() * 2
                    + count(&object.value["destroyers"])
            }
            _ => 0,
        })
        .sum()
}

fn attacking(object: &Object) -> Value {
    let kind = if object.kind == "air" { "air" } else { "ground" };
    let factors = if object.kind == "air" { &object.value["count"] } else { &object.value["factors"] };
    json!({"id": object.id, "factors": factors, "kind": kind})
}

pub(crate) fn fit(act: &str, cast: &Cast<'_>) -> Vec<Known> {
    let (attackers, defenders) = (cast.many("attackers"), cast.many("defenders"));
    let list =
        |objects: &[&Object], of: fn(&Object) -> Value| Value::Array(objects.iter().map(|one| of(one)).collect());
    match act {
        "air-combat" | "air-battle" => {
            vec![known("attackers", list(&attackers, group)), known("defenders", list(&defenders, group))]
        }
        "search" => vec![known("sides", json!([{}, {}]))],
        "air-defense" => {
            let guns = cast
                .many(due::SHIPS)
                .first()
                .map(|ship| known("defenses.naval_factors", naval_factors(cast.state, ship.side)));
            [known("attackers", total(&attackers, "count"))].into_iter().chain(guns).collect()
        }
        "strike" => {
            let targets = cast.many("targets");
            let squadrons = total(&attackers, "count");
            let mut facts = vec![
                known("attackers", list(&attackers, group)),
                known("cap", list(&cast.many("cap"), group)),
                known(
                    "targets",
                    Value::Array(targets.iter().map(|one| json!({"id": one.name, "ship": target(one)})).collect()),
                ),
            ];
            if let [only] = targets.as_slice() {
                facts.push(known("targets.0.squadrons", squadrons));
                facts.push(known("defenses.naval_factors", naval_factors(cast.state, only.side)));
            } else if let Some(first) = targets.first() {
                facts.push(known("defenses.naval_factors", naval_factors(cast.state, first.side)));
            }
            facts
        }
        "air-attack" | "gun-attack" => {
            let mut facts = Vec::new();
            if act == "air-attack" {
                facts.extend([known("mode", "air"), known("attackers", list(&attackers, group))]);
            } else {
                let firers = |ship: &Object| {
                    let size = count(&ship.value["size"]);
                    json!({"nation": ship.value["nation"], "factors": size, "five_factor": size >= 5})
                };
                facts.extend([known("mode", "fleet"), known("attackers", list(&attackers, firers))]);
            }
            facts.extend(cast.one("target").map(|one| known("target", target(one))));
            facts
        }
        "allocate" => cast.one("target").map(|one| known("target", target(one))).into_iter().collect(),
        "fleets" => fleets(cast),
        "ground" | "assault" | "odds" => {
            let dm = cast.told.get("dm").cloned().unwrap_or_else(|| 2.into());
            if act == "odds" {
                let strength = |objects: &[&Object]| total(objects, "factors") + total(objects, "count");
                let multiplied = total(&defenders, "factors") * count(&dm).max(1) + total(&defenders, "count");
                return vec![known("attacker", strength(&attackers)), known("defender", multiplied)];
            }
            let defending = |one: &&Object| {
                let mut value = attacking(one);
                if one.kind == "unit" {
                    value["dm"] = one.value.get("dm").unwrap_or(&dm).clone();
                }
                value
            };
            let mut facts = vec![
                known("attackers", list(&attackers, attacking)),
                known("defenders", Value::Array(defenders.iter().map(defending).collect())),
            ];
            if cast.state.proposes() {
                facts.push(known("losses", "cheapest"));
            }
            if act == "ground" {
                facts.push(known("previous_rounds", rounds(cast.state, cast.roles)));
            }
            facts
        }
        "attrition" => {
            let front = |objects: &[&Object]| json!([{"factors": total(objects, "factors"), "ctl": 0}]);
            vec![known("attackers", front(&attackers)), known("defenders", front(&defenders))]
        }
        _ => Vec::new(),
    }
}

/// Both fleets, and fire orders that are proposed: everything at the first enemy ship.
fn fleets(cast: &Cast<'_>) -> Vec<Known> {
    let mut facts = Vec::new();
    let mut orders = Vec::new();
    for (at, (ships, light, enemy)) in
        [("first", "first-light", "second"), ("second", "second-light", "first")].into_iter().enumerate()
    {
        let own = cast.many(ships);
        facts.push(known(&format!("sides.{at}.ships"), Value::Array(own.iter().map(|one| fleet_ship(one)).collect())));
        let mut firers: Vec<String> = own.iter().map(|one| one.id.clone()).collect();
        if let Some(light) = cast.one(light) {
            let value =
                fields(&light.value, &["nation", "cruisers", "damaged_cruisers", "destroyers", "cves", "transports"]);
            facts.push(known(&format!("sides.{at}.light"), value));
            let there = |class: &str| count(&light.value[class]) > 0;
            firers.extend(["cruisers", "destroyers"].iter().filter(|class| there(class)).map(ToString::to_string));
        }
        let order = cast.one(enemy).map(|target| json!({"target": target.id, "firers": firers}));
        orders.push(Value::Array(order.into_iter().collect()));
    }
    // Put the two sides in place as a list before their parts.
    facts.insert(0, known("sides", json!([{}, {}])));
    facts.push(known("orders", Value::Array(orders)));
    facts
}

/// The rounds of this combat fought before: those against the same defenders this turn.
fn rounds(state: &State, roles: &BTreeMap<String, Vec<String>>) -> u64 {
    let before = state.marks.get("combat");
    let same = before
        .is_some_and(|before| before["turn"] == state.turn && before["defenders"] == json!(roles.get("defenders")));
    if same { before.map_or(0, |before| count(&before["rounds"])) } else { 0 }
}

fn change(state: &mut State, id: &str, change: impl FnOnce(&mut Object)) {
    if let Some(object) = state.objects.iter_mut().find(|object| object.id == id) {
        change(object);
    }
}

/// Takes losses off groups in their order.
fn lose(state: &mut State, ids: &[String], mut lost: u64) {
    for id in ids {
        change(state, id, |object| {
            let field = if object.kind == "air" { "count" } else { "factors" };
            let there = count(&object.value[field]);
            let gone = lost.min(there);
            lost -= gone;
            object.value[field] = (there - gone).into();
            if there == gone {
                ELIMINATED.clone_into(&mut object.gone);
            }
        });
    }
}

/// What a ruling leaves of the forces, beside the ships of [`table::aftermath`].
pub(crate) fn after(act: &str, cast: &BTreeMap<String, Vec<String>>, result: &Value, state: &mut State) {
    let ids = |role: &str| cast.get(role).cloned().unwrap_or_default();
    match act {
        "air-combat" => {
            lose(state, &ids("attackers"), count(&result["attacker_losses"]["eliminated"]));
            lose(state, &ids("defenders"), count(&result["defender_losses"]["eliminated"]));
        }
        "air-battle" => {
            lose(state, &ids("attackers"), count(&result["attacker"]["eliminated"]));
            lose(state, &ids("defenders"), count(&result["defender"]["eliminated"]));
        }
        "air-defense" => lose(state, &ids("attackers"), count(&result["eliminated"])),
        "strike" => {
            lose(state, &ids("attackers"), count(&result["attackers"]["eliminated"]));
            let cap: u64 = count(&result["cap_combat"]["defender_losses"]["eliminated"]);
            lose(state, &ids("cap"), cap);
            let attacks = result["attacks"].as_array().cloned().unwrap_or_default();
            for (id, attack) in ids("targets").iter().zip(&attacks) {
                light_left(state, id, &attack["effect"]);
            }
        }
        "air-attack" | "gun-attack" => ids("target").iter().for_each(|id| light_left(state, id, &result["effect"])),
        "allocate" => ids("target").iter().for_each(|id| light_left(state, id, result)),
        "fleets" => {
            for (side, role) in ["first-light", "second-light"].iter().enumerate() {
                let left = result["sides"][side]["light"].clone();
                ids(role).iter().for_each(|id| set_light(state, id, &left));
            }
        }
        "ground" => {
            let fought = rounds(state, cast) + 1;
            for (role, field) in [("attackers", "attacker_removed"), ("defenders", "defender_removed")] {
                removed(state, &ids(role), &result[field]);
            }
            let mark = json!({"turn": state.turn, "defenders": cast.get("defenders"), "rounds": fought});
            state.marks.insert("combat".into(), mark);
        }
        "assault" => {
            for round in result["rounds"].as_array().into_iter().flatten() {
                for (role, field) in [("attackers", "attacker_removed"), ("defenders", "defender_removed")] {
                    removed(state, &ids(role), &round[field]);
                }
            }
        }
        _ => {}
    }
}

fn removed(state: &mut State, ids: &[String], list: &Value) {
    for unit in list.as_array().into_iter().flatten() {
        if let Some(id) = unit["id"].as_str().filter(|id| ids.iter().any(|own| own == id)) {
            lose(state, &[id.to_owned()], count(&unit["factors"]));
        }
    }
}

/// Light ships after hits, where the effect says what is left of them.
fn light_left(state: &mut State, id: &str, effect: &Value) {
    set_light(state, id, &effect["remaining"]);
}

fn set_light(state: &mut State, id: &str, left: &Value) {
    let Some(left) = left.as_object().cloned() else { return };
    change(state, id, |object| {
        if object.kind == "light" {
            let mut ships = 0;
            for (class, number) in left {
                ships += count(&number);
                object.value[class] = number;
            }
            if ships == 0 {
                SUNK.clone_into(&mut object.gone);
            }
        }
    });
}

pub(crate) fn counted(n: u64, one: &str, more: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {more}") }
}

fn state_of(name: &str, effect: &Value, hits: u64) -> String {
    let fate = match effect["state"].as_str() {
        Some("sunk") => "sunk",
        Some("damaged") => "damaged",
        _ if hits == 0 => "unharmed",
        _ => "hit",
    };
    format!("{name} {fate}")
}

/// The units that a round takes away: ` (3-factor unit 1 and 3-factor unit 2)`, ` (3-factor unit 1 and 7 more units)`.
fn units_lost(cast: &Cast<'_>, removed: &Value) -> String {
    let ids = removed.as_array().into_iter().flatten().filter_map(|unit| unit["id"].as_str());
    let names: Vec<&str> = ids.map(|id| cast.state.name(id)).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => format!(" ({only})"),
        [one, two] => format!(" ({one} and {two})"),
        [first, rest @ ..] => format!(" ({first} and {} more units)", rest.len()),
    }
}

pub(crate) fn verdict(act: &str, cast: &Cast<'_>, result: &Value) -> String {
    let names = |role: &str| cast.names(role);
    let lost = |value: &Value| {
        let (gone, home) = (count(&value["eliminated"]), count(&value["aborted"]));
        if home == 0 { format!("{gone} eliminated") } else { format!("{gone} eliminated, {home} turned back") }
    };
    match act {
        "air-combat" => {
            format!("Attackers: {}; defenders: {}", lost(&result["attacker_losses"]), lost(&result["defender_losses"]))
        }
        "air-battle" => format!(
            "{} after {}: attackers {}; defenders {}",
            result["outcome"].as_str().unwrap_or_default().replace('-', " "),
            counted(count(&result["rounds_fought"]), "round", "rounds"),
            lost(&result["attacker"]),
            lost(&result["defender"])
        ),
        "air-defense" => format!("The guns shoot: {}", lost(result)),
        "search" => {
            let found = |at: usize| count(&result["sides"][at]["groups_found"]);
            let sides = &cast.state.sides;
            format!(
                "{} finds {}, {} finds {}",
                sides[0],
                counted(found(0), "group", "groups"),
                sides[1],
                counted(found(1), "group", "groups")
            )
        }
        "strike" => {
            let attacks = result["attacks"].as_array().cloned().unwrap_or_default();
            let targets: Vec<String> = attacks
                .iter()
                .map(|attack| {
                    state_of(attack["id"].as_str().unwrap_or_default(), &attack["effect"], count(&attack["hits"]))
                })
                .collect();
            let through = count(&result["attackers"]["attacked"]);
            format!(
                "{} attack: {}; {}",
                counted(through, "squadron gets through to", "squadrons get through to"),
                counted(count(&result["total_hits"]), "hit", "hits"),
                targets.join(", ")
            )
        }
        "air-attack" | "gun-attack" => {
            let hits = count(&result["hits"]);
            format!("{}: {}", counted(hits, "hit", "hits"), state_of(&names("target"), &result["effect"], hits))
        }
        "allocate" => state_of(&names("target"), result, 1),
        "fleets" => {
            let sunk = |at: usize| count(&result["sides"][at]["factors_sunk"]);
            let fates = |at: usize, role: &str| {
                cast.many(role)
                    .iter()
                    .filter_map(|ship| match result["sides"][at]["ships"][&ship.id].as_str()? {
                        "unharmed" => None,
                        state => Some(format!("{} {state}", ship.name)),
                    })
                    .collect::<Vec<_>>()
            };
            let mut told = fates(0, "first");
            told.extend(fates(1, "second"));
            let told = if told.is_empty() { "no ship is hurt".to_owned() } else { told.join(", ") };
            format!("{} and {} naval factors sunk: {told}", sunk(0), sunk(1))
        }
        "ground" => {
            let end = if result["defender_eliminated"] == true {
                "; the defender is gone"
            } else if result["attacker_eliminated"] == true {
                "; the attacker is gone"
            } else {
                "; the attack may go on"
            };
            format!(
                "At {} ({}): attackers lose {}{}, defenders lose {}{}{end}",
                result["ratio"].as_str().unwrap_or_default(),
                result["result"].as_str().unwrap_or_default(),
                counted(count(&result["attacker_lost"]), "factor", "factors"),
                units_lost(cast, &result["attacker_removed"]),
                counted(count(&result["defender_lost"]), "factor", "factors"),
                units_lost(cast, &result["defender_removed"]),
            )
        }
        "assault" => format!(
            "{} after {}: attackers lose {}, defenders lose {}",
            result["outcome"].as_str().unwrap_or_default().replace('-', " "),
            counted(count(&result["rounds_fought"]), "round", "rounds"),
            counted(count(&result["attacker_lost"]), "factor", "factors"),
            counted(count(&result["defender_lost"]), "factor", "factors")
        ),
        "attrition" => format!(
            "The defender loses {} and {}",
            counted(count(&result["counters"]), "counter", "counters"),
            counted(count(&result["hexes"]), "hex", "hexes")
        ),
        "odds" => format!(
            "Odds of {}{}",
            result["ratio"].as_str().unwrap_or_default(),
            if result["legal"] == true { "" } else { ": the attack may not be made" }
        ),
        "retreat" => match result["options"].as_array().map(Vec::as_slice) {
            Some([]) | None => "No hex is open: the unit is eliminated".to_owned(),
            Some(options) => {
                let options: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
                format!("The unit may retreat to {}", options.join(", "))
            }
        },
        _ => String::new(),
    }
}
