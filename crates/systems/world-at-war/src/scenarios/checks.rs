//! What must hold in every scenario.

use super::{
    AirScenario, Contact, GroundScenario, GroundType, HexId, Mission, NavalScenario, NavalType, Seat, TurnOption,
};
use crate::air::AirType;
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

pub(super) fn check_ground(scenario: &GroundScenario, terrain: &TerrainData, units: &UnitData) -> Result<(), String> {
    let columns = scenario.map.first().map_or(0, |row| row.chars().count());
    if columns == 0 || columns > 99 || scenario.map.len() > 99 {
        return Err("the map must have 1 to 99 columns and rows".into());
    }
    if columns * scenario.map.len() > CAPACITY {
        return Err(format!("the map has {} hexes; {CAPACITY} are the most", columns * scenario.map.len()));
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
    if scenario.victory.attacker_wins_at_least <= 0 {
        let least = scenario.victory.attacker_wins_at_least;
        return Err(format!(
            "the attacker wins at {least}, so a battle in which neither side acts would be won by sitting still"
        ));
    }
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
        return Err(format!("there are {count} units; {CAPACITY} are the most"));
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
    limits(scenario.victory.attacker_wins_at_least, scenario.victory.defender_wins_at_most)
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
