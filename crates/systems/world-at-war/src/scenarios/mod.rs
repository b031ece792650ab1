//! The battles as data: read and checked, so that a wrong hex, ship or unit is found before a game begins.

mod checks;

use crate::air::AirType;
use crate::air_defense::Defenses;
use crate::attrition::Board;
use crate::land_data::{TerrainData, UnitData, UnitKind};
use crate::nation::Nation;
use crate::naval_data::NamedShip;
use checks::{check_air, check_ground, check_naval, distinct};
use flagplot_kernel::hex::Hex;
use flagplot_kernel::{BySide, DataError, Files, Side};
use flagplot_referee::words;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

#[words]
pub enum Seat {
    Axis,
    Allies,
}

impl Seat {
    /// The seat of a side: the Axis sits first.
    #[must_use]
    pub fn of(side: Side) -> Self {
        match side {
            Side::First => Seat::Axis,
            Side::Second => Seat::Allies,
        }
    }

    #[must_use]
    pub fn side(self) -> Side {
        match self {
            Seat::Axis => Side::First,
            Seat::Allies => Side::Second,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySeat<T> {
    pub axis: T,
    pub allies: T,
}

impl<T> BySeat<T> {
    /// The same by side.
    #[must_use]
    pub fn sides(self) -> BySide<T> {
        BySide { first: self.axis, second: self.allies }
    }
}

/// A hex of a ground battle: column and row, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HexId {
    /// The column, from west to east.
    pub column: i32,
    /// The row, from north to south; in even columns half a hex further south.
    pub row: i32,
}

impl TryFrom<String> for HexId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: Option<&str>| part.and_then(|part| part.parse::<i32>().ok()).filter(|n| digits && *n > 0);
        match (number(text.get(..2)), number(text.get(2..))) {
            (Some(column), Some(row)) => Ok(Self { column, row }),
            _ => Err(format!("'{text}' is not a hex: give two digits for the column and two for the row")),
        }
    }
}

impl From<HexId> for String {
    fn from(hex: HexId) -> String {
        hex.to_string()
    }
}

impl fmt::Display for HexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.column, self.row)
    }
}

impl HexId {
    /// The same hex on a board.
    #[must_use]
    pub fn hex(self) -> Hex {
        let q = self.column - 1;
        Hex::new(q, self.row - 1 - q.div_euclid(2))
    }

    /// What clicks on the board call it.
    #[must_use]
    pub fn key(self) -> String {
        self.hex().key()
    }

    /// The six hexes around it, on the map or not.
    #[must_use]
    pub fn neighbours(self) -> [HexId; 6] {
        let (c, r) = (self.column, self.row);
        let up = if c % 2 == 0 { r } else { r - 1 };
        [(c, r - 1), (c, r + 1), (c - 1, up), (c - 1, up + 1), (c + 1, up), (c + 1, up + 1)]
            .map(|(column, row)| HexId { column, row })
    }
}

/// What a player turn may be.
#[words]
pub enum TurnOption {
    /// Movement and attacks.
    Offensive,
    /// Movement and attrition.
    Attrition,
    /// Movement only.
    Pass,
}

#[words]
pub enum GroundType {
    /// Attrition along a sector.
    AttritionFront,
    /// Attacks on a small map.
    GroundOffensive,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundScenario {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: GroundType,
    pub name: String,
    #[serde(default)]
    pub brief: String,
    pub board: Board,
    pub turns: u32,
    pub attacker: Seat,
    pub first: Seat,
    pub options: Vec<TurnOption>,
    pub winter_turns: Vec<u32>,
    pub map: Vec<String>,
    pub names: BTreeMap<String, String>,
    /// What units are called, by their ids; the others are called by nation, kind and id.
    #[serde(default)]
    pub unit_names: BTreeMap<String, String>,
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
pub struct Levels {
    pub ctl: BTreeMap<Nation, i32>,
    pub winter_preparation: BTreeMap<Nation, i32>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundAir {
    pub axis: u32,
    pub axis_nation: Option<Nation>,
    pub allies: u32,
    pub allies_nation: Option<Nation>,
}

/// The units of a seat: id, nation, kind, hex.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundForce {
    pub seat: Seat,
    pub units: Vec<(String, Nation, UnitKind, HexId)>,
}

/// What decides a ground battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundVictory {
    pub per_enemy_counter_eliminated: i64,
    /// So many air factors eliminated count as a counter. [C-30]
    pub air_factors_per_counter: u32,
    pub objectives: Vec<(HexId, i64)>,
    pub attacker_wins_at_least: i64,
    pub defender_wins_at_most: i64,
}

/// What the attacker in the air is after.
#[words]
pub enum Mission {
    /// Against the enemy's aircraft.
    Counterair,
    /// Against industry.
    StrategicBombing,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirScenario {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: AirBattleType,
    pub name: String,
    #[serde(default)]
    pub brief: String,
    /// Why it is a demonstration, if it is one.
    pub demonstration: Option<String>,
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

#[words]
pub enum AirBattleType {
    AirBattle,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirScenarioGroup {
    pub id: String,
    /// What it is called; without it, by its id.
    #[serde(default)]
    pub name: String,
    pub nation: Nation,
    #[serde(rename = "type")]
    pub kind: AirType,
    pub count: u32,
}

impl AirScenarioGroup {
    #[must_use]
    pub fn title(&self) -> String {
        if !self.name.is_empty() {
            return self.name.clone();
        }
        let capital = |word: &str| -> String {
            let first = word.chars().take(1).flat_map(char::to_uppercase);
            first.chain(word.chars().skip(1)).collect()
        };
        self.id.split('-').map(capital).collect::<Vec<String>>().join(" ")
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BombingTarget {
    pub id: String,
    pub name: String,
    pub value: i64,
    pub capacity: u32,
    pub most_attackers: u32,
    pub defenses: Defenses,
}

impl BombingTarget {
    /// The points of so many factors that bomb; those beyond the capacity count nothing. [C-17]
    #[must_use]
    pub fn bombs(&self, factors: u32) -> i64 {
        self.value * i64::from(factors.min(self.capacity))
    }
}

/// What decides an air battle.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirVictory {
    pub attacker_per_enemy_factor_eliminated: i64,
    pub defender_per_enemy_factor_eliminated: i64,
    pub attacker_wins_at_least: i64,
    pub defender_wins_at_most: i64,
}

#[words]
pub enum NavalType {
    /// Aircraft against ships.
    AirStrike,
    /// Ships against ships.
    FleetBattle,
}

/// How the fleets meet.
#[words]
pub enum Contact {
    /// They look for each other.
    Search,
    /// They are in sight.
    Engaged,
    /// Only one side strikes, by air.
    AirOnly,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavalScenario {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: NavalType,
    pub name: String,
    #[serde(default)]
    pub brief: String,
    pub attacker: Seat,
    /// The seat that has only losses to choose, if there is one. [C-35]
    pub passive: Option<Seat>,
    /// Why it is a demonstration, if it is one.
    pub demonstration: Option<String>,
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
pub struct FixedSurprise {
    pub round: u32,
    pub seat: Seat,
    pub level: u32,
}

/// Ships that sail together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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
pub struct Committed {
    pub round: u32,
    pub count: u32,
}

/// Land-based squadrons.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    pub seat: Seat,
    pub id: String,
    pub air: Vec<Squadrons>,
}

/// What decides a naval battle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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

#[derive(Clone, Debug)]
pub struct Scenarios {
    pub ground: Vec<GroundScenario>,
    pub air: Vec<AirScenario>,
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
const NAVAL_FILES: &str = "scenarios-naval";

impl Scenarios {
    /// Reads and checks the three files.
    pub fn new(files: &Files, ships: &[NamedShip], terrain: &TerrainData, units: &UnitData) -> Result<Self, DataError> {
        let ScenarioFile { scenario: ground } = files.parse::<ScenarioFile<GroundScenario>>(GROUND)?;
        let ScenarioFile { scenario: air } = files.parse::<ScenarioFile<AirScenario>>(AIR)?;
        // Saved battles lie beside the built-in ones, in files of their own.
        let mut naval: Vec<NavalScenario> = Vec::new();
        for (file, _) in files.iter().filter(|(name, _)| name.starts_with(NAVAL_FILES)) {
            let ScenarioFile { scenario: battles } = files.parse::<ScenarioFile<NavalScenario>>(file)?;
            for scenario in battles {
                check_naval(&scenario, ships).map_err(|why| DataError::new(file, format!("{}: {why}", scenario.id)))?;
                naval.push(scenario);
            }
        }
        for scenario in &ground {
            check_ground(scenario, terrain, units)
                .map_err(|why| DataError::new(GROUND, format!("{}: {why}", scenario.id)))?;
        }
        for scenario in &air {
            check_air(scenario).map_err(|why| DataError::new(AIR, format!("{}: {why}", scenario.id)))?;
        }
        let scenarios = Self { ground, air, naval };
        distinct("scenario", scenarios.ids()).map_err(|why| DataError::new(NAVAL, why))?;
        Ok(scenarios)
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let ground = self.ground.iter().map(|scenario| scenario.id.as_str());
        let air = self.air.iter().map(|scenario| scenario.id.as_str());
        ground.chain(air).chain(self.naval.iter().map(|scenario| scenario.id.as_str()))
    }
}
