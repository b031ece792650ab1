//! `terrain.toml` and `units.toml`: the ground under the charts. [C-5 to C-9]

use crate::nation::Nation;
use flagplot_kernel::{DataError, Files};
use flagplot_referee::words;
use serde::Deserialize;

const TERRAIN: &str = "terrain.toml";
const UNITS: &str = "units.toml";

/// What a defending unit's factors are multiplied by. [C-5]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefenseMultiple {
    pub basic: i32,
    /// Garrisons and partisans.
    #[serde(rename = "static")]
    pub garrison: i32,
    /// Rough terrain, once.
    pub terrain_bonus: i32,
    /// If all attackers come across a river.
    pub river_bonus: i32,
    /// For each level of fortification.
    pub fortification_level: i32,
    /// For an isolated unit.
    pub isolated: i32,
    pub minimum: i32,
    pub maximum: i32,
}

/// How many units a hex holds. [C-8]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackingData {
    pub ground_units_per_hex: u32,
}

/// Zones of control. [C-7]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneOfControl {
    /// The kinds of units that exert one.
    pub exerted_by: Vec<UnitKind>,
    pub extra_cost_to_enter: u32,
    pub blocked_by: Vec<Barrier>,
}

/// What a zone of control does not cross.
#[words]
pub enum Barrier {
    Sea,
    ImpassableHexside,
}

/// What it costs to enter a hex. [C-9]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovementCost {
    pub clear: u32,
    pub city: u32,
    pub forest: u32,
    pub mountain: u32,
    pub swamp: u32,
    pub jungle: u32,
    pub river_hexside: u32,
    pub always_one_hex: bool,
}

#[words]
pub enum Terrain {
    Clear,
    Forest,
    Mountain,
    Swamp,
    Jungle,
    City,
    ObjectiveCity,
    Sea,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainLine {
    /// Its letter on maps.
    pub code: char,
    pub id: Terrain,
    /// Whether it raises the defense multiplier.
    pub rough: bool,
    /// Whether ground units can enter it.
    pub passable: bool,
}

/// All of `terrain.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainData {
    pub defense_multiple: DefenseMultiple,
    pub stacking: StackingData,
    pub zone_of_control: ZoneOfControl,
    pub movement_cost: MovementCost,
    pub terrain: Vec<TerrainLine>,
}

#[words]
pub enum UnitKind {
    Infantry,
    ShockInfantry,
    CrackInfantry,
    Armor,
    Garrison,
    Partisan,
}

/// The values of a nation's units of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitValues {
    pub nation: Nation,
    pub kind: UnitKind,
    pub factors: u32,
    pub movement: u32,
}

/// What an air factor is worth. [C-6]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirWorth {
    pub squadrons_per_factor: u32,
    /// Combat factors of support.
    pub support_per_air_factor: u32,
    /// Support for each ground factor supported.
    pub support_limit_multiple: u32,
    pub search_squadrons_per_factor: u32,
    pub cover_squadrons_per_factor: u32,
    pub attack_squadrons_per_factor: u32,
}

/// All of `units.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitData {
    pub ground: Vec<UnitValues>,
    pub air: AirWorth,
}

impl TerrainData {
    /// Reads and checks `terrain.toml`.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let data: TerrainData = files.parse(TERRAIN)?;
        let error = |why: String| Err(DataError::new(TERRAIN, why));
        let DefenseMultiple { basic, garrison, minimum, maximum, .. } = data.defense_multiple;
        if !(1 <= minimum && minimum <= garrison && garrison <= basic && basic <= maximum && maximum <= 9) {
            return error("defense_multiple: minimum, static, basic and maximum must rise from 1 to 9 at most".into());
        }
        if data.stacking.ground_units_per_hex == 0 {
            return error("stacking: a hex must hold at least one unit".into());
        }
        let MovementCost { clear, city, forest, mountain, swamp, jungle, .. } = data.movement_cost;
        if [clear, city, forest, mountain, swamp, jungle].contains(&0) {
            return error("movement_cost: entering a hex must cost at least one movement point".into());
        }
        for kind in Terrain::ALL {
            let lines = data.terrain.iter().filter(|line| line.id == *kind).count();
            if lines != 1 {
                return error(format!("{kind} has {lines} entries; every terrain has exactly one"));
            }
        }
        for (at, line) in data.terrain.iter().enumerate() {
            if data.terrain[..at].iter().any(|other| other.code == line.code) {
                return error(format!("the letter '{}' stands for two kinds of terrain", line.code));
            }
        }
        Ok(data)
    }

    /// The terrain of a map letter.
    #[must_use]
    pub fn at(&self, code: char) -> Option<&TerrainLine> {
        self.terrain.iter().find(|line| line.code == code)
    }
}

impl UnitData {
    /// Reads and checks `units.toml`.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let data: UnitData = files.parse(UNITS)?;
        for (at, unit) in data.ground.iter().enumerate() {
            let error = |why: &str| Err(DataError::new(UNITS, format!("{} {}: {why}", unit.nation, unit.kind)));
            if data.ground[..at].iter().any(|other| (other.nation, other.kind) == (unit.nation, unit.kind)) {
                return error("there are two entries");
            }
            if !(1..=20).contains(&unit.factors) || !(1..=20).contains(&unit.movement) {
                return error("factors and movement lie between 1 and 20");
            }
        }
        let AirWorth {
            squadrons_per_factor,
            search_squadrons_per_factor,
            cover_squadrons_per_factor,
            attack_squadrons_per_factor,
            ..
        } = data.air;
        if squadrons_per_factor != 3
            || search_squadrons_per_factor + cover_squadrons_per_factor + attack_squadrons_per_factor
                != squadrons_per_factor
        {
            let why = "air: a factor is three squadrons, and its search, cover and attack squadrons add up to three";
            return Err(DataError::new(UNITS, why));
        }
        Ok(data)
    }

    #[must_use]
    pub fn of(&self, nation: Nation, kind: UnitKind) -> Option<UnitValues> {
        self.ground.iter().find(|unit| (unit.nation, unit.kind) == (nation, kind)).copied()
    }
}
