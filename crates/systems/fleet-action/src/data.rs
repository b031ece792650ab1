//! Ships, aircraft, ordnance, small craft and scenarios as data, checked against the rules that make them.

use crate::book::Book;
use crate::derive::*;
use crate::rule;
use crate::sea::Heading;
use crate::ship::{Cargo, Condition, Gear, Sheet, Weakness};
use crate::words::*;
use flagplot_kernel::{DataError, Files};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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

/// A ship in a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// Her id.
    pub ship: String,
    /// East.
    pub x: i32,
    /// North.
    pub y: i32,
    /// Heading.
    pub heading: i32,
    /// Speed.
    pub speed: i32,
    /// Crew quality.
    pub crew_quality: i32,
    /// Whether she leads the squadron.
    pub flagship: bool,
    /// Stands being armed aboard.
    #[serde(default)]
    pub rearming: i32,
}

/// A stand of aircraft in a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedStand {
    /// Its type.
    pub aircraft: String,
    /// How many.
    pub count: i32,
    /// `fighter`, `loaded` or `empty`.
    pub role: StandRole,
    /// How it attacks; `none` for fighters.
    pub attack: String,
    /// What it carries; by default the load of that attack.
    #[serde(default)]
    pub ordnance: Option<String>,
    /// Crew quality.
    pub crew_quality: i32,
    /// The turn of its arrival.
    pub arrives: i32,
    /// East, where it starts at a place.
    #[serde(default)]
    pub x: Option<i32>,
    /// North, where it starts at a place.
    #[serde(default)]
    pub y: Option<i32>,
}

/// What a stand starts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandRole {
    /// Fighters.
    Fighter,
    /// With its load.
    Loaded,
    /// Without.
    Empty,
}

/// A squadron in a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Squadron {
    /// Its side.
    pub side: SideName,
    /// Its id.
    pub id: String,
    /// Its command value.
    pub command: i32,
    /// Whether it starts as a contact.
    pub contact: bool,
    /// Whether it is surprised.
    #[serde(default)]
    pub surprised: bool,
    /// Its ships.
    #[serde(default)]
    pub ships: Vec<Placed>,
    /// Its stands.
    #[serde(default)]
    pub stands: Vec<PlacedStand>,
}

/// A round piece of land or of weather.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// What it is called.
    #[serde(default)]
    pub name: String,
    /// East.
    pub x: i32,
    /// North.
    pub y: i32,
    /// Its radius.
    pub radius: i32,
}

/// Points beyond those for ships.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bonus {
    /// Who gets them.
    pub side: SideName,
    /// How many.
    pub points: i32,
    /// When, in words.
    pub when: String,
}

/// A scenario of the data file. None is played yet; the data is read and checked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// When it happened.
    pub date: String,
    /// The light at the start.
    pub light: Light,
    /// Visibility turn by turn; the last value lasts.
    pub tvr: Vec<i32>,
    /// The weather.
    pub weather: String,
    /// How many turns.
    pub turns: i32,
    /// Night falls at the start of this turn.
    #[serde(default)]
    pub night_from_turn: Option<i32>,
    /// Who wins the first tie for the initiative.
    pub first: SideName,
    /// Who side a is.
    pub side_a: String,
    /// Who side b is.
    pub side_b: String,
    /// What it is about.
    pub summary: String,
    /// Its special rules.
    pub special: Vec<String>,
    /// Land.
    #[serde(default)]
    pub land: Vec<Round>,
    /// Squalls.
    #[serde(default)]
    pub squalls: Vec<Round>,
    /// The squadrons.
    pub squadron: Vec<Squadron>,
    /// Further points.
    #[serde(default)]
    pub bonus: Vec<Bonus>,
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

/// The first field in which two ratings differ, in words.
fn difference<T: Serialize>(found: &T, derived: &T) -> Option<String> {
    let json = |value: &T| serde_json::to_value(value).unwrap_or_default();
    let (found, derived) = (json(found), json(derived));
    let derived = derived.as_object()?;
    derived.iter().find_map(|(field, value)| {
        let written = found.get(field)?;
        (written != value).then(|| format!("{field} is {written}, but the facts give {value}"))
    })
}

fn same<T: Serialize + PartialEq>(file: &str, id: &str, found: &T, derived: &T) -> Result<(), DataError> {
    if found == derived {
        return Ok(());
    }
    let what = difference(found, derived).unwrap_or_else(|| "the ratings do not follow from the facts".to_owned());
    Err(DataError::new(file, format!("{id}: {what}")))
}

fn distinct<'a>(file: &str, ids: impl Iterator<Item = &'a str>) -> Result<BTreeSet<&'a str>, DataError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(DataError::new(file, format!("'{id}' is there twice")));
        }
    }
    Ok(seen)
}

impl Fleet {
    /// Reads and checks all data.
    pub fn new(files: &Files, book: &Book) -> Result<Fleet, DataError> {
        let ships: ShipFile = files.parse(SHIPS)?;
        let aircraft: AircraftFile = files.parse(AIRCRAFT)?;
        let ordnance: OrdnanceFile = files.parse(ORDNANCE)?;
        let small: SmallCraftFile = files.parse(SMALL_CRAFT)?;
        let scenarios: ScenarioFile = files.parse(SCENARIOS)?;
        let fleet = Fleet {
            ships: ships.ship,
            aircraft: aircraft.aircraft,
            torpedoes: ordnance.torpedo,
            bombs: ordnance.bomb,
            specials: ordnance.special,
            type_x: small.type_x,
            submarines: small.submarine,
            scenarios: scenarios.scenario,
        };
        fleet.check_ordnance()?;
        fleet.check_aircraft()?;
        fleet.check_ships(book)?;
        fleet.check_small_craft()?;
        distinct(SCENARIOS, fleet.scenarios.iter().map(|scenario| scenario.id.as_str()))?;
        fleet.scenarios.iter().try_for_each(|scenario| fleet.check_scenario(book, scenario))?;
        Ok(fleet)
    }

    fn is_torpedo(&self, id: &str) -> bool {
        self.torpedoes.iter().any(|torpedo| torpedo.id == id)
    }

    fn is_ordnance(&self, id: &str) -> bool {
        self.is_torpedo(id) || self.bombs.iter().any(|bomb| bomb.id == id) || self.specials.iter().any(|special| special.id == id)
    }

    fn check_ordnance(&self) -> Result<(), DataError> {
        let ids = self.torpedoes.iter().map(|torpedo| torpedo.id.as_str());
        let ids = ids.chain(self.bombs.iter().map(|bomb| bomb.id.as_str())).chain(self.specials.iter().map(|special| special.id.as_str()));
        distinct(ORDNANCE, ids)?;
        for torpedo in &self.torpedoes {
            same(ORDNANCE, &torpedo.id, &torpedo.ratings, &torpedo.facts.derive())?;
        }
        for bomb in &self.bombs {
            same(ORDNANCE, &bomb.id, &bomb.ratings, &bomb.facts.derive())?;
        }
        Ok(())
    }

    fn check_aircraft(&self) -> Result<(), DataError> {
        distinct(AIRCRAFT, self.aircraft.iter().map(|aircraft| aircraft.id.as_str()))?;
        for aircraft in &self.aircraft {
            same(AIRCRAFT, &aircraft.id, &aircraft.ratings, &aircraft.facts.derive())?;
            for load in &aircraft.loads {
                let torpedo = load.attack == AttackType::TorpedoBomber;
                if !self.is_ordnance(&load.ordnance) || torpedo != self.is_torpedo(&load.ordnance) {
                    return Err(DataError::new(AIRCRAFT, format!("{}: '{}' is no ordnance for a {}", aircraft.id, load.ordnance, load.attack)));
                }
            }
        }
        Ok(())
    }

    fn check_ships(&self, book: &Book) -> Result<(), DataError> {
        distinct(SHIPS, self.ships.iter().map(|ship| ship.id.as_str()))?;
        for ship in &self.ships {
            let fail = |message: String| DataError::new(SHIPS, format!("{}: {message}", ship.id));
            ship.facts.check().map_err(|refusal| fail(refusal.message))?;
            same(SHIPS, &ship.id, &ship.ratings, &ship.facts.derive(book))?;
            if ship.torpedo.is_some() == ship.ratings.torpedo_mounts.is_empty() {
                return Err(fail("a torpedo must be named if and only if there are torpedo mounts".to_owned()));
            }
            if let Some(torpedo) = ship.torpedo.as_deref().filter(|id| !self.is_torpedo(id)) {
                return Err(fail(format!("'{torpedo}' is no torpedo")));
            }
            if let Some(cargo) = ship.cargo {
                // The holds need not be full: what tonnage gives is the most.
                let full = ((ship.facts.displacement_t + 1999) / 2000).max(LEAST_CARGO);
                if ship.facts.code == ShipType::Mv && !(LEAST_CARGO..=full).contains(&cargo.points) {
                    let tons = ship.facts.displacement_t;
                    return Err(fail(format!("{tons} gross tons carry {LEAST_CARGO} to {full} cargo points, not {} [{}]", cargo.points, rule::C_32)));
                }
            }
        }
        Ok(())
    }

    fn check_small_craft(&self) -> Result<(), DataError> {
        distinct(SMALL_CRAFT, self.type_x.iter().map(|entry| entry.id.as_str()).chain(self.submarines.iter().map(|entry| entry.id.as_str())))?;
        for entry in &self.type_x {
            let fail = |message: &str| Err(DataError::new(SMALL_CRAFT, format!("{}: {message} [{}]", entry.id, rule::C_29)));
            if !(-2..=1).contains(&entry.save_modifier) {
                return fail("a save modifier lies between -2 and 1");
            }
            if (entry.torpedoes_per_vessel > 0) != entry.torpedo.as_deref().is_some_and(|id| self.is_torpedo(id)) {
                return fail("a known torpedo must be named if and only if the vessels carry some");
            }
        }
        for entry in &self.submarines {
            if !self.is_torpedo(&entry.torpedo) {
                return Err(DataError::new(SMALL_CRAFT, format!("{}: '{}' is no torpedo [{}]", entry.id, entry.torpedo, rule::C_29)));
            }
        }
        Ok(())
    }

    fn check_scenario(&self, book: &Book, scenario: &Scenario) -> Result<(), DataError> {
        let fail = |message: String| DataError::new(SCENARIOS, format!("{}: {message} [{}]", scenario.id, rule::C_35));
        if scenario.turns < 1 || scenario.tvr.is_empty() || scenario.tvr.iter().any(|tvr| !(0..=9).contains(tvr)) {
            return Err(fail("turns must be 1 or more and tvr a list of bands from 0 to 9".to_owned()));
        }
        distinct(SCENARIOS, scenario.squadron.iter().map(|squadron| squadron.id.as_str()))?;
        for side in SideName::ALL {
            if !scenario.squadron.iter().any(|squadron| squadron.side == *side) {
                return Err(fail(format!("side {side} has no squadron")));
            }
        }
        for squadron in &scenario.squadron {
            if squadron.ships.is_empty() == squadron.stands.is_empty() {
                return Err(fail(format!("{} must have either ships or stands", squadron.id)));
            }
            if !squadron.ships.is_empty() && squadron.ships.iter().filter(|ship| ship.flagship).count() != 1 {
                return Err(fail(format!("{} must have one flagship", squadron.id)));
            }
            for placed in &squadron.ships {
                let Some(entry) = self.ships.iter().find(|ship| ship.id == placed.ship) else {
                    return Err(fail(format!("'{}' is no ship", placed.ship)));
                };
                if placed.speed < 0 || placed.speed > entry.ratings.speed || Heading::new(book, placed.heading).is_none() {
                    return Err(fail(format!("{} cannot start at {} knots on heading {}", placed.ship, placed.speed, placed.heading)));
                }
            }
            for stand in &squadron.stands {
                self.check_stand(stand, scenario).map_err(fail)?;
            }
        }
        Ok(())
    }

    fn check_stand(&self, stand: &PlacedStand, scenario: &Scenario) -> Result<(), String> {
        let Some(entry) = self.aircraft.iter().find(|aircraft| aircraft.id == stand.aircraft) else {
            return Err(format!("'{}' is no aircraft", stand.aircraft));
        };
        if !(1..=27).contains(&stand.count) || !(1..=scenario.turns).contains(&stand.arrives) {
            return Err(format!("a stand of {} needs 1 to 27 aircraft and a turn of arrival", stand.aircraft));
        }
        let loaded = stand.role == StandRole::Loaded;
        let fits = |load: &Load| load.attack.word() == stand.attack && stand.ordnance.as_ref().is_none_or(|ordnance| *ordnance == load.ordnance);
        if loaded && !entry.loads.iter().any(fits) {
            return Err(format!("{} cannot carry that load as a {}", stand.aircraft, stand.attack));
        }
        Ok(())
    }
}
