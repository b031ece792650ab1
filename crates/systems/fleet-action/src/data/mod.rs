//! Ships, aircraft, ordnance, small craft and scenarios as data, checked against the rules that make them.

use crate::derive::*;
use crate::rule;
use crate::rules::Rules;
use crate::ship::{Cargo, Condition, Gear, Sheet, Weakness};
use crate::words::*;
use flagplot_kernel::{DataError, Files};
use flagplot_referee::{Codes, Shaped, words};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};

mod check;
mod check_scenario;
mod scenario;

pub use scenario::*;

const SHIPS: &str = "ships.toml";
const AIRCRAFT: &str = "aircraft.toml";
const ORDNANCE: &str = "ordnance.toml";
const SMALL_CRAFT: &str = "small-craft.toml";
const SCENARIOS: &str = "scenarios.toml";
/// Files of scenarios begin with this word.
const FAMILY: &str = "scenarios";
/// Files whose names begin with these words are read beside the built-in ones.
pub const FAMILIES: &[&str] = &[FAMILY];

/// The fewest cargo points of a merchant.
const LEAST_CARGO: i32 = 3;

/// Reads a value by its shape, so that a data file has the same defaults and limits as a request.
fn shaped<'de, T: Shaped + DeserializeOwned, D: Deserializer<'de>>(file: D) -> Result<T, D::Error> {
    let value = serde_json::Value::deserialize(file)?;
    let value = T::shape().check(value, "the entry", &Codes::default()).map_err(Error::custom)?;
    serde_json::from_value(value).map_err(Error::custom)
}

/// Radar aboard.
#[words]
pub enum Radar {
    Gunnery,
    Search,
}

/// Weaknesses named on the sheet.
#[words]
pub enum Flaw {
    #[word("unsafe_magazines")]
    UnsafeMagazines,
    #[word("poor_carrier_safety")]
    PoorCarrierSafety,
    #[word("poor_underwater")]
    PoorUnderwater,
}

/// A ship of the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShipEntry {
    pub id: String,
    pub name: String,
    pub class: String,
    pub navy: String,
    pub flags: Vec<Flaw>,
    pub radar: Vec<Radar>,
    pub searchlights: bool,
    /// Planes aboard a ship that is no carrier.
    pub ship_planes: bool,
    pub smoke: bool,
    pub catapults: i32,
    #[serde(default)]
    pub torpedo: Option<String>,
    #[serde(default, deserialize_with = "shaped")]
    pub cargo: Option<Cargo>,
    #[serde(deserialize_with = "shaped")]
    pub facts: ShipFacts,
    #[serde(deserialize_with = "shaped")]
    pub ratings: ShipRatings,
}

impl ShipEntry {
    /// Her sheet and her condition at the start of a game.
    #[must_use]
    pub fn launch(&self, crew_quality: i32) -> (Sheet, Condition) {
        let ratings = &self.ratings;
        let has = |flaw: Flaw| self.flags.contains(&flaw);
        let sheet = Sheet {
            name: self.name.clone(),
            kind: self.facts.code.kind(),
            size: ratings.size,
            f_max: ratings.f,
            s_max: ratings.s,
            h_max: ratings.h,
            armour: ratings.armour,
            main: ratings.main_mounts.clone(),
            other: ratings.other_mounts.clone(),
            torpedoes: ratings.torpedo_mounts.clone(),
            weapons_d10: ratings.weapons_d10,
            cargo: self.cargo,
            weakness: Weakness {
                poor_underwater: has(Flaw::PoorUnderwater),
                poor_carrier_safety: has(Flaw::PoorCarrierSafety),
                unsafe_magazines: has(Flaw::UnsafeMagazines),
                bad_weather: false,
            },
        };
        let condition = Condition {
            status: Status::Afloat,
            f: ratings.f,
            s: ratings.s,
            speed: ratings.speed,
            sv: ratings.sv,
            fc: ratings.fc,
            sd: ratings.sd,
            gm: ratings.gm,
            dc: ratings.dc,
            crew_quality,
            command: 0,
            fires: 0,
            splash: 0,
            h: ratings.h,
            rrr: ratings.rrr,
            catapults: self.catapults,
            rearming: 0,
            asw: ratings.asw,
            mrf: ratings.mrf,
            crf: ratings.crf,
            gear: Gear {
                flag_officer: false,
                searchlights: self.searchlights,
                ship_planes: self.ship_planes,
                gunnery_radar: self.radar.contains(&Radar::Gunnery),
                search_radar: self.radar.contains(&Radar::Search),
                smoke: self.smoke,
                power_failed: false,
            },
            main_lost: 0,
            other_lost: 0,
            torpedoes_lost: 0,
            cargo_destroyed: false,
        };
        (sheet, condition)
    }
}

/// A load an aircraft can carry.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    pub attack: AttackType,
    pub ordnance: String,
}

/// An aircraft of the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AircraftEntry {
    pub id: String,
    pub name: String,
    pub navy: String,
    pub loads: Vec<Load>,
    #[serde(deserialize_with = "shaped")]
    pub facts: AircraftFacts,
    #[serde(deserialize_with = "shaped")]
    pub ratings: AircraftRatings,
}

/// A torpedo of the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorpedoEntry {
    pub id: String,
    pub name: String,
    #[serde(deserialize_with = "shaped")]
    pub facts: TorpedoFacts,
    #[serde(deserialize_with = "shaped")]
    pub ratings: Torpedo,
}

/// A bomb or stand-off weapon of the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BombEntry {
    pub id: String,
    pub direction: Direction,
    #[serde(deserialize_with = "shaped")]
    pub facts: BombFacts,
    #[serde(deserialize_with = "shaped")]
    pub ratings: Bomb,
}

/// How a special weapon strikes.
#[words]
pub enum SpecialDirection {
    Vertical,
    Horizontal,
    /// A roll decides.
    Either,
}

/// A weapon rated by hand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecialEntry {
    pub id: String,
    pub direction: SpecialDirection,
    pub ip: i32,
    pub cv: i32,
    pub pen: i32,
    pub note: String,
}

/// A type of small craft.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeXEntry {
    pub id: String,
    pub name: String,
    pub navy: String,
    pub speed: i32,
    pub save_modifier: i32,
    /// Close range fire of a stand.
    pub crf: i32,
    /// Medium range fire of a stand.
    pub mrf: i32,
    pub torpedoes_per_vessel: i32,
    #[serde(default)]
    pub torpedo: Option<String>,
}

/// A class of submarines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmarineEntry {
    pub id: String,
    pub name: String,
    pub navy: String,
    pub size: i32,
    pub f: i32,
    pub surface_speed: i32,
    pub submerged_speed: i32,
    pub tubes_bow: i32,
    pub tubes_stern: i32,
    pub torpedo: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShipFile {
    /// Read one by one: ratings that are left out follow from the facts.
    ship: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AircraftFile {
    aircraft: Vec<AircraftEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrdnanceFile {
    torpedo: Vec<TorpedoEntry>,
    bomb: Vec<BombEntry>,
    special: Vec<SpecialEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SmallCraftFile {
    type_x: Vec<TypeXEntry>,
    submarine: Vec<SubmarineEntry>,
    /// Belongs to the numbers of the rules, which read it.
    #[serde(rename = "mine")]
    _mine: serde::de::IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    scenario: Vec<Scenario>,
}

/// Everything in the data files but the tables.
#[derive(Clone, Debug)]
pub struct Fleet {
    pub ships: Vec<ShipEntry>,
    pub aircraft: Vec<AircraftEntry>,
    pub torpedoes: Vec<TorpedoEntry>,
    pub bombs: Vec<BombEntry>,
    pub specials: Vec<SpecialEntry>,
    pub type_x: Vec<TypeXEntry>,
    pub submarines: Vec<SubmarineEntry>,
    pub scenarios: Vec<Scenario>,
}
