//! What must hold in every scenario.

use super::{
    AirScenario, CombatGroup, Contact, GroundScenario, GroundType, HexId, Mission, NavalScenario, NavalType, Seat,
    TurnOption,
};
use crate::air::AirType;
use crate::game::air::{HOME, KINDS, MOST_FACTORS, RESERVE};
use crate::game::ground::CAPACITY;
use crate::land_data::{TerrainData, UnitData};
use crate::nation::Nation;
use crate::naval_data::NamedShip;
use std::collections::BTreeMap;

pub(super) fn distinct<'a>(what: &str, ids: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for id in ids {
        if id.is_empty() || seen.contains(&id) {
            return Err(format!("the {what} '{id}' appears twice or has no name"));
        }
        seen.push(id);
    }
    Ok(())
}

fn limits(attacker: i64, defender: i64) -> Result<(), String> {
    if defender < attacker {
        Ok(())
    } else {
        Err(format!("the attacker wins at {attacker}, so the defender cannot win at {defender}"))
    }
}

/// A battle on land or in the air in which neither side acts ends with a score of 0. [C-34]
fn idle(attacker_wins_at_least: i64) -> Result<(), String> {
    if attacker_wins_at_least > 0 {
        return Ok(());
    }
    Err(format!(
        "the attacker wins at {attacker_wins_at_least}, so a battle in which neither side acts would be won by sitting \
         still [C-34]"
    ))
}

pub(super) fn check_ground(scenario: &GroundScenario, terrain: &TerrainData, units: &UnitData) -> Result<(), String> {
    let columns = scenario.map.first().map_or(0, |row| row.chars().count());
    if columns == 0 || columns > 99 || scenario.map.len() > 99 {
        return Err("the map must have 1 to 99 columns and rows".into());
    }
    if columns * scenario.map.len() > CAPACITY {
        return Err(format!("the map has {} hexes; the maximum is {CAPACITY}", columns * scenario.map.len()));
    }
    for (at, row) in scenario.map.iter().enumerate() {
        if row.chars().count() != columns {
            return Err(format!("map row {} has {} hexes, the first has {columns}", at + 1, row.chars().count()));
        }
        if let Some(code) = row.chars().find(|code| terrain.at(*code).is_none()) {
            return Err(format!("map row {}: '{code}' is not a terrain", at + 1));
        }
    }
    let at = |hex: HexId| {
        scenario
            .map
            .get(hex.row as usize - 1)
            .and_then(|row| row.chars().nth(hex.column as usize - 1))
            .and_then(|code| terrain.at(code))
    };
    let land = |what: &str, hex: HexId| match at(hex) {
        None => Err(format!("{what} {hex} is off the map")),
        Some(line) if !line.passable => Err(format!("{what} {hex} is at sea")),
        Some(_) => Ok(()),
    };
    let named: Vec<HexId> = scenario.names.keys().map(|hex| HexId::try_from(hex.clone())).collect::<Result<_, _>>()?;
    let lists = [
        ("name", &named),
        ("Axis hex", &scenario.axis_hexes),
        ("Axis supply", &scenario.axis_supply),
        ("Allied supply", &scenario.allied_supply),
    ];
    for (what, hexes) in lists {
        hexes.iter().try_for_each(|hex| land(what, *hex))?;
    }
    for [one, other] in scenario.rivers.iter().chain(&scenario.impassable) {
        if at(*one).is_none() || at(*other).is_none() || !one.neighbours().contains(other) {
            return Err(format!("the hexside {one}/{other} does not lie between neighbours on the map"));
        }
    }
    for (hex, level) in &scenario.fortifications {
        land("fortification", *hex)?;
        if !(1..=2).contains(level) {
            return Err(format!("the fortification in {hex} has level {level}; 1 is a fortification, 2 a fortress"));
        }
    }
    scenario.victory.objectives.iter().try_for_each(|(hex, _)| land("objective", *hex))?;
    if scenario.turns == 0 || scenario.winter_turns.iter().any(|turn| !(1..=scenario.turns).contains(turn)) {
        return Err("there is at least one turn, and winter turns are among the turns".into());
    }
    if scenario.options.is_empty()
        || (scenario.kind == GroundType::AttritionFront && scenario.options.contains(&TurnOption::Offensive))
    {
        return Err("there must be an option, and an attrition front has no offensive option".into());
    }
    for (air, nation, seat) in [
        (scenario.air.axis, scenario.air.axis_nation, "Axis"),
        (scenario.air.allies, scenario.air.allies_nation, "Allied"),
    ] {
        if air > 0 && nation.is_none() {
            return Err(format!("{seat} air has no nation"));
        }
    }
    if scenario.victory.air_factors_per_counter == 0 {
        return Err("at least one air factor counts as a counter".into());
    }
    check_units(scenario, terrain, units, &land)?;
    idle(scenario.victory.attacker_wins_at_least)?;
    limits(scenario.victory.attacker_wins_at_least, scenario.victory.defender_wins_at_most)
}

fn check_units(
    scenario: &GroundScenario,
    terrain: &TerrainData,
    units: &UnitData,
    land: &dyn Fn(&str, HexId) -> Result<(), String>,
) -> Result<(), String> {
    distinct("unit", scenario.forces.iter().flat_map(|force| force.units.iter().map(|unit| unit.0.as_str())))?;
    let count = scenario.forces.iter().map(|force| force.units.len()).sum::<usize>();
    if count > CAPACITY {
        return Err(format!("there are {count} units; the maximum is {CAPACITY}"));
    }
    let known = |id: &String| scenario.forces.iter().any(|force| force.units.iter().any(|unit| unit.0 == *id));
    if let Some(id) = scenario.unit_names.keys().find(|id| !known(id)) {
        return Err(format!("unit_names has '{id}', and there is no such unit"));
    }
    distinct("unit name", scenario.unit_names.values().map(String::as_str))?;
    let mut stacks: BTreeMap<HexId, u32> = BTreeMap::new();
    for seat in [Seat::Axis, Seat::Allies] {
        if scenario.forces.iter().filter(|force| force.seat == seat).all(|force| force.units.is_empty()) {
            return Err(format!("{seat} has no units"));
        }
    }
    for force in &scenario.forces {
        for (id, nation, kind, hex) in &force.units {
            land(&format!("unit {id} in"), *hex)?;
            if units.of(*nation, *kind).is_none() {
                return Err(format!("unit {id}: units.toml has no {kind} of {}", nation.name()));
            }
            if !scenario.levels.ctl.contains_key(nation) || !scenario.levels.winter_preparation.contains_key(nation) {
                return Err(format!("unit {id}: {} has no training or winter level", nation.name()));
            }
            if scenario.axis_hexes.contains(hex) != (force.seat == Seat::Axis) {
                return Err(format!("unit {id} stands in {hex}, which belongs to the enemy"));
            }
            let stack = stacks.entry(*hex).or_default();
            *stack += 1;
            if *stack > terrain.stacking.ground_units_per_hex {
                return Err(format!("{hex} holds more than {} units", terrain.stacking.ground_units_per_hex));
            }
        }
    }
    Ok(())
}

pub(super) fn check_air(scenario: &AirScenario) -> Result<(), String> {
    distinct("group", scenario.attacker_groups.iter().chain(&scenario.defender_groups).map(|group| group.id.as_str()))?;
    distinct("target", scenario.targets.iter().map(|target| target.id.as_str()))?;
    if scenario.attacker_groups.is_empty() || scenario.defender_groups.is_empty() || scenario.targets.is_empty() {
        return Err("both sides need a group, and there must be a target".into());
    }
    if scenario.days == 0 || scenario.rounds == 0 {
        return Err("there is at least one day and one round".into());
    }
    let mut groups = scenario.attacker_groups.iter().chain(&scenario.defender_groups);
    if let Some(group) = groups.find(|group| group.kind == AirType::NavalAir) {
        return Err(format!(
            "group {}: naval air fights in squadrons and an air battle counts factors; make it an air strike [{}]",
            group.id,
            crate::rule::R_29
        ));
    }
    check_air_sizes(scenario)?;
    for (side, replacements) in
        [("attacker", &scenario.attacker_replacements), ("defender", &scenario.defender_replacements)]
    {
        if replacements.len() != scenario.days as usize {
            return Err(format!("the {side} has replacements for {} days of {}", replacements.len(), scenario.days));
        }
    }
    match scenario.mission {
        Mission::StrategicBombing if scenario.rounds != 1 => {
            return Err("strategic bombing is fought in one round".into());
        }
        Mission::Counterair if scenario.radar_results > 0 => {
            return Err("radar counts against strategic bombing only".into());
        }
        _ => {}
    }
    if let Some(target) = scenario.targets.iter().find(|target| target.capacity > target.most_attackers) {
        return Err(format!("target {}: more factors count than may attack", target.id));
    }
    idle(scenario.victory.attacker_wins_at_least)?;
    limits(scenario.victory.attacker_wins_at_least, scenario.victory.defender_wins_at_most)
}

/// The most days, rounds and targets of an air battle, so that its odds can be worked out.
const MOST_DAYS: u32 = 30;
const MOST_ROUNDS: u32 = 6;
const MOST_TARGETS: usize = 6;

fn check_air_sizes(scenario: &AirScenario) -> Result<(), String> {
    if scenario.days > MOST_DAYS || scenario.rounds > MOST_ROUNDS || scenario.targets.len() > MOST_TARGETS {
        return Err(format!(
            "an air battle has at most {MOST_DAYS} days, {MOST_ROUNDS} rounds over a target and {MOST_TARGETS} targets"
        ));
    }
    for (side, groups, replacements) in [
        ("attacker", &scenario.attacker_groups, &scenario.attacker_replacements),
        ("defender", &scenario.defender_groups, &scenario.defender_replacements),
    ] {
        let mut kinds: Vec<(Nation, AirType)> = groups.iter().map(|group| (group.nation, group.kind)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() > KINDS {
            return Err(format!("the {side} has {} kinds of aircraft; the maximum is {KINDS}", kinds.len()));
        }
        let counts = groups.iter().map(|group| group.count).chain(replacements.iter().copied());
        let factors = counts.fold(0, u32::saturating_add);
        if factors == 0 || factors > MOST_FACTORS {
            return Err(format!("the {side} has {factors} air factors in all; it needs 1 to {MOST_FACTORS}"));
        }
        if let Some(group) = groups.iter().find(|group| group.id.contains(':')) {
            return Err(format!("group {}: an id has no colon", group.id));
        }
    }
    match scenario.targets.iter().find(|target| target.id.contains(':') || [RESERVE, HOME].contains(&&*target.id)) {
        Some(target) => Err(format!("target {}: the name has another meaning in plans", target.id)),
        None => Ok(()),
    }
}

pub(super) fn check_naval(scenario: &NavalScenario, ships: &[NamedShip]) -> Result<(), String> {
    distinct(
        "group or base",
        scenario.group.iter().map(|group| group.id.as_str()).chain(scenario.base.iter().map(|base| base.id.as_str())),
    )?;
    distinct("ship", scenario.group.iter().flat_map(|group| group.ships.iter().map(String::as_str)))?;
    let within = |round: u32| (1..=scenario.rounds).contains(&round);
    for group in &scenario.group {
        let error = |why: String| Err(format!("group {}: {why}", group.id));
        let mut capacity = 0;
        for id in &group.ships {
            match ships.iter().find(|ship| ship.id == *id) {
                None => return error(format!("there is no ship '{id}' in ships.toml")),
                Some(ship) if ship.nation != group.nation => {
                    return error(format!("{id} belongs to {}", ship.nation.name()));
                }
                Some(ship) => capacity += ship.capacity,
            }
        }
        if group.air > capacity {
            return error(format!("{} squadrons on carriers for {capacity}", group.air));
        }
        if group.ships.is_empty() && group.cruisers + group.destroyers + group.cves + group.transports == 0 {
            return error("it has no ships".into());
        }
        if group.elite && (group.nation != Nation::Japan || group.air == 0) {
            return error("only Japanese naval air can be elite".into());
        }
        if !within(group.from_round) || group.committed.iter().any(|away| !within(away.round) || away.count > group.air)
        {
            return error(
                "it arrives and sends squadrons away in rounds of the battle, and no more squadrons than it has".into(),
            );
        }
    }
    let land_based =
        scenario.group.iter().flat_map(|group| &group.cover).chain(scenario.base.iter().flat_map(|base| &base.air));
    for air in land_based {
        if air.elite && (air.nation, air.kind) != (Nation::Japan, AirType::NavalAir) {
            return Err("only Japanese naval air can be elite".into());
        }
        if !within(air.from_round) {
            return Err("land-based air arrives in a round of the battle".into());
        }
    }
    for seat in [Seat::Axis, Seat::Allies] {
        if scenario.group.iter().all(|group| group.seat != seat) {
            return Err(format!("{seat} has no group"));
        }
    }
    match scenario.contact {
        Contact::Search if scenario.search.is_none() => return Err("a search needs its modifiers".into()),
        Contact::AirOnly => {
            let rounds: Vec<u32> = scenario.fixed_surprise.iter().map(|fixed| fixed.round).collect();
            if rounds != (1..=scenario.rounds).collect::<Vec<_>>() {
                return Err("a battle of air strikes alone needs a surprise level for every round".into());
            }
        }
        _ => {}
    }
    check_naval_size(scenario)?;
    check_idle(scenario, ships)?;
    if scenario.kind == NavalType::AirStrike && scenario.at_sea.is_none() {
        return Err("an air strike must say which side is at sea".into());
    }
    if let Some(id) = &scenario.victory.invasion_group
        && !scenario.group.iter().any(|group| group.id == *id && group.transports > 0)
    {
        return Err(format!("the invasion group '{id}' has no transports"));
    }
    limits(scenario.victory.attacker_wins_at_least, scenario.victory.defender_wins_at_most)
}

/// The most that a naval battle can be counted with.
const MOST_GROUPS: usize = 16;
const MOST_SHIPS: usize = 200;
const MOST_LIGHT: u32 = 100;
const MOST_SQUADRONS: u32 = 100;
const MOST_NAVAL_ROUNDS: u32 = 50;

fn check_naval_size(scenario: &NavalScenario) -> Result<(), String> {
    if !(1..=MOST_NAVAL_ROUNDS).contains(&scenario.rounds) {
        return Err(format!("a battle has 1 to {MOST_NAVAL_ROUNDS} rounds, not {}", scenario.rounds));
    }
    if scenario.id == crate::game::naval::free::ID {
        return Err("this id belongs to the free battle".into());
    }
    if scenario.group.len() > MOST_GROUPS || scenario.base.len() > MOST_GROUPS {
        return Err(format!("there are more than {MOST_GROUPS} groups or bases"));
    }
    let ships: usize = scenario.group.iter().map(|group| group.ships.len()).sum();
    if ships > MOST_SHIPS {
        return Err(format!("there are {ships} named ships; the maximum is {MOST_SHIPS}"));
    }
    for group in &scenario.group {
        let light = [group.cruisers, group.destroyers, group.cves, group.transports];
        if light.into_iter().any(|count| count > MOST_LIGHT) {
            return Err(format!("group {}: at most {MOST_LIGHT} light ships of a class", group.id));
        }
    }
    let on_land = scenario.base.iter().flat_map(|base| &base.air).chain(scenario.group.iter().flat_map(|g| &g.cover));
    let squadrons: u32 =
        scenario.group.iter().map(|group| group.air).chain(on_land.map(|air| air.count)).fold(0, u32::saturating_add);
    if squadrons > MOST_SQUADRONS {
        return Err(format!("there are {squadrons} squadrons; the maximum is {MOST_SQUADRONS}"));
    }
    if let Some(fixed) = scenario.fixed_surprise.iter().find(|fixed| fixed.level > 9) {
        return Err(format!("surprise level {} in round {}; 9 is the highest", fixed.level, fixed.round));
    }
    Ok(())
}

/// A battle in which nothing happens must not be lost by a seat that can do nothing about it. [C-34]
fn check_idle(scenario: &NavalScenario, ships: &[NamedShip]) -> Result<(), String> {
    let victory = &scenario.victory;
    let invasion = victory.invasion_group.as_ref().and_then(|id| scenario.group.iter().find(|group| group.id == *id));
    let score = invasion.map_or(0, |group| {
        if group.seat == scenario.attacker { victory.invasion_survives } else { -victory.invasion_survives }
    });
    let loser = if score >= victory.attacker_wins_at_least {
        Seat::of(scenario.attacker.side().other())
    } else if score <= victory.defender_wins_at_most {
        scenario.attacker
    } else {
        return Ok(());
    };
    let guns = |group: &CombatGroup| {
        let capital = |id: &String| ships.iter().any(|ship| ship.id == *id && !ship.kind.is_carrier());
        group.cruisers + group.destroyers > 0 || group.ships.iter().any(capital)
    };
    let strikes = scenario.group.iter().any(|group| group.seat == loser && group.air > 0)
        || scenario.base.iter().any(|base| base.seat == loser && !base.air.is_empty());
    let fires =
        scenario.contact != Contact::AirOnly && scenario.group.iter().any(|group| group.seat == loser && guns(group));
    if scenario.passive == Some(loser) || !(strikes || fires) {
        return Err(format!("{loser} loses a battle in which nothing happens, and can do nothing about it [C-34]"));
    }
    Ok(())
}
