//! The battles as data: read and checked, so that a wrong hex, ship or unit is found before anybody plays.

use crate::air::AirType;
use crate::air_defense::Defenses;
use crate::attrition::Board;
use crate::land_data::{TerrainData, UnitData, UnitKind};
use crate::nation::Nation;
use crate::naval_data::NamedShip;
use flagplot_kernel::{DataError, Files};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The two seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seat {
    /// The Axis.
    Axis,
    /// The Allies.
    Allies,
}

/// Something for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySeat<T> {
    /// For the Axis.
    pub axis: T,
    /// For the Allies.
    pub allies: T,
}

/// A hex of a ground battle: column and row, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct HexId {
    /// The column, from west to east.
    pub column: i32,
    /// The row, from north to south; even columns sit half a hex lower.
    pub row: i32,
}

impl TryFrom<String> for HexId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: Option<&str>| part.and_then(|part| part.parse::<i32>().ok()).filter(|n| digits && *n > 0);
        match (number(text.get(..2)), number(text.get(2..))) {
            (Some(column), Some(row)) => Ok(Self { column, row }),
            _ => Err(format!("'{text}' is no hex: two digits for the column, two for the row")),
        }
    }
}

impl fmt::Display for HexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.column, self.row)
    }
}

impl HexId {
    /// The six hexes around it, on the map or not.
    #[must_use]
    pub fn neighbours(self) -> [HexId; 6] {
        let (c, r) = (self.column, self.row);
        let up = if c % 2 == 0 { r } else { r - 1 };
        [(c, r - 1), (c, r + 1), (c - 1, up), (c - 1, up + 1), (c + 1, up), (c + 1, up + 1)].map(|(column, row)| HexId { column, row })
    }
}

/// What a player turn may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnOption {
    /// Movement and attacks.
    Offensive,
    /// Movement and attrition.
    Attrition,
    /// Movement only.
    Pass,
}

/// The two types of ground battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroundType {
    /// A sector grinds.
    AttritionFront,
    /// Attacks on a small map.
    GroundOffensive,
}

/// A ground battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct GroundScenario {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: GroundType,
    pub name: String,
    pub board: Board,
    pub turns: u32,
    pub attacker: Seat,
    pub first: Seat,
    pub options: Vec<TurnOption>,
    pub winter_turns: Vec<u32>,
    pub map: Vec<String>,
    pub names: BTreeMap<String, String>,
    pub axis_hexes: Vec<HexId>,
    pub axis_supply: Vec<HexId>,
    pub allied_supply: Vec<HexId>,
    pub rivers: Vec<[HexId; 2]>,
    #[serde(default)]
    pub impassable: Vec<[HexId; 2]>,
    pub fortifications: Vec<(HexId, u32)>,
    pub levels: Levels,
    pub air: GroundAir,
    pub forces: Vec<GroundForce>,
    pub victory: GroundVictory,
}

/// Training and winter preparation by nation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct Levels {
    pub ctl: BTreeMap<Nation, i32>,
    pub winter_preparation: BTreeMap<Nation, i32>,
}

/// The air factors of a ground battle.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct GroundAir {
    pub axis: u32,
    pub axis_nation: Option<Nation>,
    pub allies: u32,
    pub allies_nation: Option<Nation>,
}

/// The units of a seat: id, nation, kind, hex.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct GroundForce {
    pub seat: Seat,
    pub units: Vec<(String, Nation, UnitKind, HexId)>,
}

/// What decides a ground battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct GroundVictory {
    pub per_enemy_counter_eliminated: i64,
    pub objectives: Vec<(HexId, i64)>,
    pub attacker_wins_at_least: i64,
    pub defender_wins_at_most: i64,
}

/// What the attacker in the air is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mission {
    /// Against the enemy's aircraft.
    Counterair,
    /// Against industry.
    StrategicBombing,
}

/// An air battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct AirScenario {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: AirBattleType,
    pub name: String,
    pub attacker: Seat,
    pub days: u32,
    pub mission: Mission,
    pub rounds: u32,
    pub radar_results: u32,
    pub attacker_groups: Vec<AirScenarioGroup>,
    pub defender_groups: Vec<AirScenarioGroup>,
    pub attacker_replacements: Vec<u32>,
    pub defender_replacements: Vec<u32>,
    pub targets: Vec<BombingTarget>,
    pub victory: AirVictory,
}

/// The one type of air battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AirBattleType {
    /// Days over targets.
    AirBattle,
}

/// A group of an air battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct AirScenarioGroup {
    pub id: String,
    pub nation: Nation,
    #[serde(rename = "type")]
    pub kind: AirType,
    pub count: u32,
}

/// A target of an air battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct BombingTarget {
    pub id: String,
    pub name: String,
    pub value: i64,
    pub capacity: u32,
    pub most_attackers: u32,
    pub defenses: Defenses,
}

/// What decides an air battle.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct AirVictory {
    pub attacker_per_enemy_factor_eliminated: i64,
    pub defender_per_enemy_factor_eliminated: i64,
    pub attacker_wins_at_least: i64,
    pub defender_wins_at_most: i64,
}

/// The two types of naval battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NavalType {
    /// Aircraft against ships.
    AirStrike,
    /// Ships against ships.
    FleetBattle,
}

/// How the fleets meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contact {
    /// They look for each other.
    Search,
    /// They are in sight.
    Engaged,
    /// Only one side strikes, by air.
    AirOnly,
}

/// A naval battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct NavalScenario {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: NavalType,
    pub name: String,
    pub attacker: Seat,
    pub rounds: u32,
    pub at_sea: Option<BySeat<bool>>,
    pub night: bool,
    pub contact: Contact,
    pub search: Option<BySeat<i32>>,
    #[serde(default)]
    pub fixed_surprise: Vec<FixedSurprise>,
    pub group: Vec<CombatGroup>,
    #[serde(default)]
    pub base: Vec<Base>,
    pub victory: NavalVictory,
}

/// A surprise level that is not searched for.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct FixedSurprise {
    pub round: u32,
    pub seat: Seat,
    pub level: u32,
}

/// Ships that sail together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct CombatGroup {
    pub seat: Seat,
    pub id: String,
    pub nation: Nation,
    pub ships: Vec<String>,
    #[serde(default)]
    pub cruisers: u32,
    #[serde(default)]
    pub destroyers: u32,
    #[serde(default)]
    pub cves: u32,
    #[serde(default)]
    pub transports: u32,
    #[serde(default)]
    pub air: u32,
    #[serde(default)]
    pub elite: bool,
    #[serde(default)]
    pub activity: bool,
    #[serde(default = "first_round")]
    pub from_round: u32,
    pub base: Option<Defenses>,
    #[serde(default)]
    pub cover: Vec<Squadrons>,
    #[serde(default)]
    pub committed: Vec<Committed>,
}

fn first_round() -> u32 {
    1
}

/// Squadrons that are away in a round.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct Committed {
    pub round: u32,
    pub count: u32,
}

/// Land-based squadrons.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct Squadrons {
    pub nation: Nation,
    #[serde(rename = "type")]
    pub kind: AirType,
    #[serde(default)]
    pub elite: bool,
    pub count: u32,
    #[serde(default = "first_round")]
    pub from_round: u32,
}

/// An airbase.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct Base {
    pub seat: Seat,
    pub id: String,
    pub air: Vec<Squadrons>,
}

/// What decides a naval battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the file and say everything")]
pub struct NavalVictory {
    pub sunk_per_factor: i64,
    pub damaged_per_factor: i64,
    #[serde(default)]
    pub squadron_eliminated: i64,
    pub invasion_group: Option<String>,
    #[serde(default)]
    pub invasion_survives: i64,
    pub concede: Option<BySeat<i64>>,
    pub attacker_wins_at_least: i64,
    pub defender_wins_at_most: i64,
}

/// All battles.
#[derive(Clone, Debug)]
pub struct Scenarios {
    /// On land.
    pub ground: Vec<GroundScenario>,
    /// In the air.
    pub air: Vec<AirScenario>,
    /// At sea.
    pub naval: Vec<NavalScenario>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile<T> {
    scenario: Vec<T>,
}

const GROUND: &str = "scenarios-ground.toml";
const AIR: &str = "scenarios-air.toml";
const NAVAL: &str = "scenarios-naval.toml";

impl Scenarios {
    /// Reads and checks the three files.
    pub fn new(files: &Files, ships: &[NamedShip], terrain: &TerrainData, units: &UnitData) -> Result<Self, DataError> {
        let ScenarioFile { scenario: ground } = files.parse::<ScenarioFile<GroundScenario>>(GROUND)?;
        let ScenarioFile { scenario: air } = files.parse::<ScenarioFile<AirScenario>>(AIR)?;
        let ScenarioFile { scenario: naval } = files.parse::<ScenarioFile<NavalScenario>>(NAVAL)?;
        for scenario in &ground {
            check_ground(scenario, terrain, units).map_err(|why| DataError::new(GROUND, format!("{}: {why}", scenario.id)))?;
        }
        for scenario in &air {
            check_air(scenario).map_err(|why| DataError::new(AIR, format!("{}: {why}", scenario.id)))?;
        }
        for scenario in &naval {
            check_naval(scenario, ships).map_err(|why| DataError::new(NAVAL, format!("{}: {why}", scenario.id)))?;
        }
        let scenarios = Self { ground, air, naval };
        distinct("scenario", scenarios.ids()).map_err(|why| DataError::new(NAVAL, why))?;
        Ok(scenarios)
    }

    /// The ids of all battles.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let ground = self.ground.iter().map(|scenario| scenario.id.as_str());
        let air = self.air.iter().map(|scenario| scenario.id.as_str());
        ground.chain(air).chain(self.naval.iter().map(|scenario| scenario.id.as_str()))
    }
}

fn distinct<'a>(what: &str, ids: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for id in ids {
        if id.is_empty() || seen.contains(&id) {
            return Err(format!("the {what} '{id}' is there twice, or has no name"));
        }
        seen.push(id);
    }
    Ok(())
}

fn limits(attacker: i64, defender: i64) -> Result<(), String> {
    if defender < attacker { Ok(()) } else { Err(format!("the attacker wins at {attacker}, so the defender cannot win at {defender}")) }
}

fn check_ground(scenario: &GroundScenario, terrain: &TerrainData, units: &UnitData) -> Result<(), String> {
    let columns = scenario.map.first().map_or(0, |row| row.chars().count());
    if columns == 0 || columns > 99 || scenario.map.len() > 99 {
        return Err("the map must have 1 to 99 columns and rows".into());
    }
    for (at, row) in scenario.map.iter().enumerate() {
        if row.chars().count() != columns {
            return Err(format!("map row {} has {} hexes, the first has {columns}", at + 1, row.chars().count()));
        }
        if let Some(code) = row.chars().find(|code| terrain.at(*code).is_none()) {
            return Err(format!("map row {}: '{code}' is no terrain", at + 1));
        }
    }
    let at = |hex: HexId| scenario.map.get(hex.row as usize - 1).and_then(|row| row.chars().nth(hex.column as usize - 1)).and_then(|code| terrain.at(code));
    let land = |what: &str, hex: HexId| match at(hex) {
        None => Err(format!("{what} {hex} is off the map")),
        Some(line) if !line.passable => Err(format!("{what} {hex} is at sea")),
        Some(_) => Ok(()),
    };
    let named: Vec<HexId> = scenario.names.keys().map(|hex| HexId::try_from(hex.clone())).collect::<Result<_, _>>()?;
    let lists = [("name", &named), ("Axis hex", &scenario.axis_hexes), ("Axis supply", &scenario.axis_supply), ("Allied supply", &scenario.allied_supply)];
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
        return Err("winter turns lie within the turns, of which there is at least one".into());
    }
    if scenario.options.is_empty() || (scenario.kind == GroundType::AttritionFront && scenario.options.contains(&TurnOption::Offensive)) {
        return Err("a front of attrition knows attrition and pass, and some option there must be".into());
    }
    for (air, nation, seat) in [(scenario.air.axis, scenario.air.axis_nation, "Axis"), (scenario.air.allies, scenario.air.allies_nation, "Allied")] {
        if air > 0 && nation.is_none() {
            return Err(format!("{seat} air has no nation"));
        }
    }
    check_units(scenario, terrain, units, &land)?;
    limits(scenario.victory.attacker_wins_at_least, scenario.victory.defender_wins_at_most)
}

fn check_units(scenario: &GroundScenario, terrain: &TerrainData, units: &UnitData, land: &dyn Fn(&str, HexId) -> Result<(), String>) -> Result<(), String> {
    distinct("unit", scenario.forces.iter().flat_map(|force| force.units.iter().map(|unit| unit.0.as_str())))?;
    let mut stacks: BTreeMap<HexId, u32> = BTreeMap::new();
    for seat in [Seat::Axis, Seat::Allies] {
        if scenario.forces.iter().filter(|force| force.seat == seat).all(|force| force.units.is_empty()) {
            return Err(format!("{seat:?} has no units"));
        }
    }
    for force in &scenario.forces {
        for (id, nation, kind, hex) in &force.units {
            land(&format!("unit {id} in"), *hex)?;
            if units.of(*nation, *kind).is_none() {
                return Err(format!("unit {id}: units.toml has no {kind:?} of {nation}"));
            }
            if !scenario.levels.ctl.contains_key(nation) || !scenario.levels.winter_preparation.contains_key(nation) {
                return Err(format!("unit {id}: {nation} has no training or winter level"));
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

fn check_air(scenario: &AirScenario) -> Result<(), String> {
    distinct("group", scenario.attacker_groups.iter().chain(&scenario.defender_groups).map(|group| group.id.as_str()))?;
    distinct("target", scenario.targets.iter().map(|target| target.id.as_str()))?;
    if scenario.attacker_groups.is_empty() || scenario.defender_groups.is_empty() || scenario.targets.is_empty() {
        return Err("both sides need a group, and there must be a target".into());
    }
    if scenario.days == 0 || scenario.rounds == 0 {
        return Err("there is at least one day and one round".into());
    }
    for (side, replacements) in [("attacker", &scenario.attacker_replacements), ("defender", &scenario.defender_replacements)] {
        if replacements.len() != scenario.days as usize {
            return Err(format!("the {side} has replacements for {} days of {}", replacements.len(), scenario.days));
        }
    }
    match scenario.mission {
        Mission::StrategicBombing if scenario.rounds != 1 => return Err("strategic bombing is fought in one round".into()),
        Mission::Counterair if scenario.radar_results > 0 => return Err("radar counts against strategic bombing only".into()),
        _ => {}
    }
    if let Some(target) = scenario.targets.iter().find(|target| target.capacity > target.most_attackers) {
        return Err(format!("target {}: more factors count than may attack", target.id));
    }
    limits(scenario.victory.attacker_wins_at_least, scenario.victory.defender_wins_at_most)
}

fn check_naval(scenario: &NavalScenario, ships: &[NamedShip]) -> Result<(), String> {
    distinct("group or base", scenario.group.iter().map(|group| group.id.as_str()).chain(scenario.base.iter().map(|base| base.id.as_str())))?;
    distinct("ship", scenario.group.iter().flat_map(|group| group.ships.iter().map(String::as_str)))?;
    let within = |round: u32| (1..=scenario.rounds).contains(&round);
    for group in &scenario.group {
        let error = |why: String| Err(format!("group {}: {why}", group.id));
        let mut capacity = 0;
        for id in &group.ships {
            match ships.iter().find(|ship| ship.id == *id) {
                None => return error(format!("there is no ship '{id}' in ships.toml")),
                Some(ship) if ship.nation != group.nation => return error(format!("{id} belongs to {}", ship.nation)),
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
        if !within(group.from_round) || group.committed.iter().any(|away| !within(away.round) || away.count > group.air) {
            return error("it arrives, and its squadrons are away, in rounds of the battle, and no more than it has".into());
        }
    }
    let land_based = scenario.group.iter().flat_map(|group| &group.cover).chain(scenario.base.iter().flat_map(|base| &base.air));
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
            return Err(format!("{seat:?} has no group"));
        }
    }
    match scenario.contact {
        Contact::Search if scenario.search.is_none() => return Err("a search needs its modifiers".into()),
        Contact::AirOnly => {
            let rounds: Vec<u32> = scenario.fixed_surprise.iter().map(|fixed| fixed.round).collect();
            if rounds != (1..=scenario.rounds).collect::<Vec<_>>() {
                return Err("a battle of air strikes only needs a surprise level for every round".into());
            }
        }
        _ => {}
    }
    if scenario.kind == NavalType::AirStrike && scenario.at_sea.is_none() {
        return Err("an air strike must say who is at sea".into());
    }
    if let Some(id) = &scenario.victory.invasion_group
        && !scenario.group.iter().any(|group| group.id == *id && group.transports > 0)
    {
        return Err(format!("the invasion group '{id}' has no transports"));
    }
    limits(scenario.victory.attacker_wins_at_least, scenario.victory.defender_wins_at_most)
}
