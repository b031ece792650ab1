//! Ships, aircraft, ordnance, small craft and scenarios as data, checked against the rules that make them.

use crate::book::Book;
use crate::derive::*;
use crate::rule;
use crate::ship::{Cargo, Condition, Gear, Sheet, Weakness};
use crate::words::*;
use flagplot_kernel::{DataError, Files};
use serde::{Deserialize, Serialize};

mod check;
mod scenario;

pub use scenario::*;

const SHIPS: &str = "ships.toml";
const AIRCRAFT: &str = "aircraft.toml";
const ORDNANCE: &str = "ordnance.toml";
const SMALL_CRAFT: &str = "small-craft.toml";
const SCENARIOS: &str = "scenarios.toml";

/// The fewest cargo points of a merchant.
const LEAST_CARGO: i32 = 3;

/// Radar aboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Radar {
    /// For the guns.
    Gunnery,
    /// For the lookouts.
    Search,
}

/// Weaknesses named on the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flaw {
    /// Magazines that flash.
    UnsafeMagazines,
    /// Fuel and aircraft badly kept.
    PoorCarrierSafety,
    /// Bulkheads that do not hold.
    PoorUnderwater,
}

/// A ship of the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShipEntry {
    /// Her id.
    pub id: String,
    /// Her name.
    pub name: String,
    /// Her class.
    pub class: String,
    /// Her navy.
    pub navy: String,
    /// Her weaknesses.
    pub flags: Vec<Flaw>,
    /// Her radar.
    pub radar: Vec<Radar>,
    /// Searchlights.
    pub searchlights: bool,
    /// Planes aboard a ship that is no carrier.
    pub ship_planes: bool,
    /// Whether she can make smoke.
    pub smoke: bool,
    /// Catapults.
    pub catapults: i32,
    /// Her torpedo.
    #[serde(default)]
    pub torpedo: Option<String>,
    /// Her cargo.
    #[serde(default)]
    pub cargo: Option<Cargo>,
    /// What is known of her.
    pub facts: ShipFacts,
    /// How she is rated.
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
    /// The attack it is for.
    pub attack: AttackType,
    /// What is dropped.
    pub ordnance: String,
}

/// An aircraft of the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AircraftEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its navy.
    pub navy: String,
    /// What it can carry.
    pub loads: Vec<Load>,
    /// What is known of it.
    pub facts: AircraftFacts,
    /// How it is rated.
    pub ratings: AircraftRatings,
}

/// A torpedo of the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorpedoEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What is known of it.
    pub facts: TorpedoFacts,
    /// How it is rated.
    pub ratings: Torpedo,
}

/// A bomb or stand-off weapon of the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BombEntry {
    /// Its id.
    pub id: String,
    /// How it strikes.
    pub direction: Direction,
    /// What is known of it.
    pub facts: BombFacts,
    /// How it is rated.
    pub ratings: Bomb,
}

/// How a special weapon strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpecialDirection {
    /// Against the side.
    Vertical,
    /// Against the deck.
    Horizontal,
    /// A roll decides.
    Either,
}

/// A weapon rated by hand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecialEntry {
    /// Its id.
    pub id: String,
    /// How it strikes.
    pub direction: SpecialDirection,
    /// Damage points.
    pub ip: i32,
    /// Critical value.
    pub cv: i32,
    /// Penetration.
    pub pen: i32,
    /// What it stands for.
    pub note: String,
}

/// A type of small craft.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeXEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its navy.
    pub navy: String,
    /// Its speed.
    pub speed: i32,
    /// Its saving throw modifier.
    pub save_modifier: i32,
    /// Close range fire of a stand.
    pub crf: i32,
    /// Medium range fire of a stand.
    pub mrf: i32,
    /// Torpedoes of each vessel.
    pub torpedoes_per_vessel: i32,
    /// Their make.
    #[serde(default)]
    pub torpedo: Option<String>,
}

/// A class of submarines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmarineEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its navy.
    pub navy: String,
    /// Its size.
    pub size: i32,
    /// Flotation.
    pub f: i32,
    /// Speed on the surface.
    pub surface_speed: i32,
    /// Speed submerged.
    pub submerged_speed: i32,
    /// Bow tubes.
    pub tubes_bow: i32,
    /// Stern tubes.
    pub tubes_stern: i32,
    /// Its torpedo.
    pub torpedo: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShipFile {
    ship: Vec<ShipEntry>,
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
struct SmallCraftFile {
    type_x: Vec<TypeXEntry>,
    submarine: Vec<SubmarineEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    scenario: Vec<Scenario>,
}

/// Everything that sails, flies, runs or falls.
#[derive(Clone, Debug)]
pub struct Fleet {
    /// Ships.
    pub ships: Vec<ShipEntry>,
    /// Aircraft.
    pub aircraft: Vec<AircraftEntry>,
    /// Torpedoes.
    pub torpedoes: Vec<TorpedoEntry>,
    /// Bombs and stand-off weapons.
    pub bombs: Vec<BombEntry>,
    /// Weapons rated by hand.
    pub specials: Vec<SpecialEntry>,
    /// Small craft.
    pub type_x: Vec<TypeXEntry>,
    /// Submarines.
    pub submarines: Vec<SubmarineEntry>,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
}
