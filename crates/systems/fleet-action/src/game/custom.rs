//! Battles of one's own: both sides pick their forces in secret from all data, then fight. [C-55]

use super::FleetGame;
use super::battle::{Battle, Yard, battery_ids, title};
use super::state::State;
use crate::data::*;
use crate::rule;
use crate::rules::Rules;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, BySide, Decision, Note, Refusal, Seat, Side};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The id under which it is played.
pub const ID: &str = "custom";
/// The lead that wins.
const MARGIN: i32 = 10;
/// The largest squadron. [C-2]
const LARGEST_SQUADRON: usize = 8;
/// The most squadrons of ships a side may have.
const MOST_SQUADRONS: i64 = 4;
/// The most vessels of a stand of small craft, and of all stands of one type.
const MOST_IN_STAND: i64 = 12;
const MOST_BOATS: i64 = 36;
/// The most aircraft of a stand.
const MOST_AIRCRAFT: i64 = 27;
/// The most sisters that sail with a ship, in her squadron.
const MOST_SISTERS: i64 = LARGEST_SQUADRON as i64 - 1;
/// The most submarines of a class, and the most mine fields of a density.
const MOST_SUBMARINES: i64 = 4;
const MOST_FIELDS: i64 = 6;
/// The most vessels of a side, half of what a scenario can hold.
const MOST_VESSELS: i64 = 32;
/// How near and how far from the enemy's leading vessel a submarine may start.
const SUBMARINE_RING_MM: [i32; 2] = [700, 1200];
/// Mine fields lie between the lines, at most this far ahead of or behind their middle.
const FIELDS_REACH_MM: i32 = 1500;
/// The prices of bases. [C-55]
const AIR_BASE_PRICE: i64 = 20;
const SHORE_BATTERY_PRICE: i64 = 10;
/// Ships of a squadron follow each other at this distance, squadrons at twice that.
const INTERVAL_MM: i32 = 70;
/// How far behind its line a side's land lies, and how large it is.
const LAND_BEHIND_MM: i32 = 400;
const LAND_RADIUS_MM: i32 = 60;
/// The turn on which aircraft without a deck arrive.
const LAND_AIRCRAFT_ARRIVE: i32 = 2;

/// The settings of a custom battle, all of which may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// day or night
    pub light: Light,
    /// visibility in range bands
    #[shape(1..=9, unit = "bands")]
    pub tvr: i32,
    /// number of turns
    #[shape(1..=30)]
    pub turns: i32,
    /// points each side may spend
    #[shape(20..=400)]
    pub points: i32,
    /// how far apart the lines begin
    #[shape(200..=4000, unit = "mm")]
    pub distance: i32,
    /// whether the optional rules for mines are used
    pub mines: bool,
    /// whether the optional rules for submarines are used
    pub submarines: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { light: Light::Day, tvr: 5, turns: 12, points: 100, distance: 1000, mines: false, submarines: false }
    }
}

impl Settings {
    /// The settings that a table asks for.
    pub fn read(options: &Value) -> Result<Self, Refusal> {
        if options.is_null() {
            return Ok(Self::default());
        }
        let settings: Self = serde_json::from_value(options.clone()).map_err(|error| {
            Refusal::new("bad-options", format!("The settings of the custom battle are not valid: {error}."))
                .by(rule::C_55)
                .remedy(format!("They look like {}.", json!(Self::default())))
        })?;
        let limits = [
            ("tvr", settings.tvr, 1..=9),
            ("turns", settings.turns, 1..=30),
            ("points", settings.points, 20..=400),
            ("distance", settings.distance, 200..=4000),
        ];
        let wrong = limits.into_iter().filter(|(_, value, limits)| !limits.contains(value));
        let reasons = wrong.map(|(field, value, limits)| {
            let text = format!("{field} is {value}; it must be from {} to {}.", limits.start(), limits.end());
            Refusal::new("bad-options", text).by(rule::C_55)
        });
        Refusal::all(reasons.collect()).map(|()| settings)
    }
}

/// What a side picks: for each ship the number of her squadron, for her sisters, small craft, aircraft, submarines and
/// mine fields how many, for a base 1.
pub type Force = BTreeMap<String, i64>;

/// Something that can be picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A ship; the number is her squadron.
    Ship(usize),
    /// Sisters of a ship in her squadron; the number is how many.
    Sisters(usize),
    /// Small craft of a type; the number is how many.
    Boats(usize),
    /// Aircraft with one of their loads, or as fighters; the number is how many.
    Aircraft {
        entry: usize,
        load: Option<usize>,
    },
    AirBase,
    /// A battery of a ship, set up on land.
    ShoreBattery {
        ship: usize,
        battery: String,
    },
    /// Submarines of a class; the number is how many. [9.2]
    Submarines(usize),
    /// Mine fields of a density, laid before the battle; the number is how many. [9.1]
    Fields(Density),
}

/// A custom battle: the data to pick from and the settings.
pub struct CustomGame {
    pub settings: Settings,
    rules: Arc<Rules>,
    fleet: Arc<Fleet>,
    yard: Arc<Yard>,
    /// Everything that can be picked, with its key and its name.
    pub(crate) items: Vec<(String, String, Item)>,
    /// The battles of forces met so far: a memory of what follows from them, not of the game.
    made: Mutex<Vec<(BySide<Force>, Arc<FleetGame>)>>,
}

/// How far a custom battle has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CustomState {
    /// The forces of both sides, once they are picked.
    pub forces: Option<[Force; 2]>,
    pub battle: Option<State>,
}

impl CustomGame {
    #[must_use]
    pub fn new(rules: &Arc<Rules>, fleet: &Arc<Fleet>, yard: &Arc<Yard>, settings: Settings) -> Self {
        let mut items = Vec::new();
        for (at, ship) in fleet.ships.iter().enumerate() {
            items.push((format!("ship:{}", ship.id), ship.name.clone(), Item::Ship(at)));
            items.push((format!("sisters:{}", ship.id), format!("Sisters of {}", ship.name), Item::Sisters(at)));
        }
        for (at, boats) in fleet.type_x.iter().enumerate() {
            items.push((format!("boats:{}", boats.id), boats.name.clone(), Item::Boats(at)));
        }
        for (at, aircraft) in fleet.aircraft.iter().enumerate() {
            if aircraft.ratings.intercept > 0 {
                let item = Item::Aircraft { entry: at, load: None };
                items.push((format!("air:{}", aircraft.id), format!("{}, fighters", aircraft.name), item));
            }
            for (load, carried) in aircraft.loads.iter().enumerate() {
                let key = format!("air:{}:{}", aircraft.id, carried.attack);
                let torpedo = fleet.torpedoes.iter().find(|one| one.id == carried.ordnance);
                let ordnance = torpedo.map_or_else(|| carried.ordnance.replace('-', " "), |one| one.name.clone());
                let name = format!("{}, {} with {ordnance}", aircraft.name, carried.attack);
                if items.iter().all(|(known, ..)| *known != key) {
                    items.push((key, name, Item::Aircraft { entry: at, load: Some(load) }));
                }
            }
        }
        items.push(("base:air".into(), "Air base on land".into(), Item::AirBase));
        for (at, ship) in fleet.ships.iter().enumerate() {
            for battery in battery_ids(ship) {
                let name = format!("Shore battery: {} guns of {}", guns(&battery), ship.name);
                items.push((format!("base:{}.{battery}", ship.id), name, Item::ShoreBattery { ship: at, battery }));
            }
        }
        if settings.submarines {
            for (at, submarine) in fleet.submarines.iter().enumerate() {
                let key = format!("submarines:{}", submarine.id);
                items.push((key, format!("{} submarine", submarine.name), Item::Submarines(at)));
            }
        }
        if settings.mines {
            for density in [Density::Light, Density::Medium, Density::Heavy] {
                items.push((
                    format!("mines:{density}"),
                    format!("{} minefield", title(density.word())),
                    Item::Fields(density),
                ));
            }
        }
        let (rules, fleet, yard) = (Arc::clone(rules), Arc::clone(fleet), Arc::clone(yard));
        Self { settings, rules, fleet, yard, items, made: Mutex::default() }
    }

    #[must_use]
    pub fn setup(&self) -> CustomState {
        CustomState { forces: None, battle: None }
    }

    /// The battle of two forces. The same forces always make the same battle.
    pub fn battle(&self, forces: &[Force; 2]) -> Result<Arc<FleetGame>, Refusal> {
        let [first, second] = forces;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = made.iter().find(|(of, _)| of.first == *first && of.second == *second) {
            return Ok(Arc::clone(known));
        }
        let scenario = Arc::new(self.scenario(forces, ID, "Custom battle"));
        let fault = |error: flagplot_kernel::DataError| Refusal::new("bad-data", error.to_string()).by(rule::C_55);
        self.fleet.check_scenario(&self.rules, &scenario).map_err(fault)?;
        let battle = Battle::new(&self.rules, &self.fleet, &self.yard, &scenario).map_err(fault)?;
        let game = Arc::new(FleetGame::new(battle));
        // A few are enough: one game has one pair of forces, a search imagines none.
        if made.len() >= 8 {
            made.remove(0);
        }
        made.push((BySide { first: first.clone(), second: second.clone() }, Arc::clone(&game)));
        Ok(game)
    }

    /// Both sides pick, then the battle is fought.
    pub fn step(&self, state: &mut CustomState, ask: &mut impl Ask) -> Asked<()> {
        use flagplot_kernel::Game as _;
        if let (Some(forces), Some(battle)) = (&state.forces, &mut state.battle) {
            let game = self.battle(forces).map_err(|refusal| ask.refuse(refusal))?;
            return game.step(battle, ask);
        }
        let choices = Side::BOTH.map(|side| Pick { game: self, side });
        let picked = ask.in_secret(&choices)?;
        let forces: [Force; 2] =
            [Side::First, Side::Second].map(|side| picked.get(side.index()).cloned().unwrap_or_default());
        let game = self.battle(&forces).map_err(|refusal| ask.refuse(refusal))?;
        for (choice, force) in choices.iter().zip(&forces) {
            ask.note(|| {
                let names = self.names(force).join(", ");
                let text = format!("{} brings {} points: {names}", side_name(choice.side), self.price(force));
                Note::new("pick", text).by(&[rule::C_55])
            });
        }
        state.battle = Some(game.setup());
        state.forces = Some(forces);
        Ok(())
    }

    fn find(&self, key: &str) -> Option<&Item> {
        self.items.iter().find(|(known, ..)| known == key).map(|(_, _, item)| item)
    }

    /// The greatest number an item may have.
    pub(crate) fn most(&self, item: &Item) -> i64 {
        match item {
            Item::Ship(_) => MOST_SQUADRONS,
            Item::Sisters(_) => MOST_SISTERS,
            Item::Submarines(_) => MOST_SUBMARINES,
            Item::Fields(_) => MOST_FIELDS,
            Item::Boats(_) => MOST_BOATS,
            Item::Aircraft { .. } => MOST_AIRCRAFT,
            Item::AirBase | Item::ShoreBattery { .. } => 1,
        }
    }

    pub(crate) fn cost(&self, item: &Item, number: i64) -> i64 {
        if number < 1 {
            return 0;
        }
        match item {
            Item::Ship(at) => self.fleet.ships.get(*at).map_or(0, |ship| ship.ratings.vp.into()),
            Item::Sisters(at) => number * self.fleet.ships.get(*at).map_or(0, |ship| i64::from(ship.ratings.vp)),
            Item::Submarines(at) => number * self.fleet.submarines.get(*at).map_or(0, |boat| i64::from(boat.f)),
            // A point for each face of the die that is a strike: 2, 4 or 6.
            Item::Fields(density) => number * i64::from((21 - self.rules.mine.needs(*density)).max(1)),
            Item::Boats(_) => number,
            // Aircraft score 1 for every 4 that are lost, so they cost as much. [C-24]
            Item::Aircraft { .. } => (number + 3) / 4,
            Item::AirBase => AIR_BASE_PRICE,
            Item::ShoreBattery { .. } => SHORE_BATTERY_PRICE,
        }
    }

    #[must_use]
    pub fn price(&self, force: &Force) -> i64 {
        force.iter().filter_map(|(key, number)| Some(self.cost(self.find(key)?, *number))).sum()
    }

    /// What a force is made of, in words.
    pub(crate) fn names(&self, force: &Force) -> Vec<String> {
        let picked = |(key, name, item): &(String, String, Item)| {
            let number = force.get(key).copied().filter(|number| *number > 0)?;
            Some(match item {
                Item::Ship(at) => match force.get(&format!("sisters:{}", self.fleet.ships.get(*at)?.id)) {
                    Some(1) => format!("{name} and a sister"),
                    Some(sisters @ 2..) => format!("{name} and {sisters} sisters"),
                    _ => name.clone(),
                },
                Item::Sisters(_) => return None,
                Item::Submarines(_) | Item::Fields(_) if number > 1 => format!("{number} {name}s"),
                Item::Boats(_) | Item::Aircraft { .. } => format!("{number} {name}"),
                _ => name.clone(),
            })
        };
        self.items.iter().filter_map(picked).collect()
    }

    pub(super) fn aims(&self) -> BySide<String> {
        let margin = i64::from(MARGIN);
        super::aims(BySide { first: margin, second: margin }, self.settings.turns)
    }

    /// The battle of two forces as a scenario.
    fn scenario(&self, forces: &[Force; 2], id: &str, title: &str) -> Scenario {
        let settings = &self.settings;
        let mut scenario = Scenario {
            id: id.to_owned(),
            title: title.to_owned(),
            date: "custom battle".into(),
            light: settings.light,
            tvr: vec![settings.tvr],
            weather: "fair".into(),
            turns: settings.turns,
            night_from_turn: None,
            first: SideName::A,
            side_a: side_name(Side::First).into(),
            side_b: side_name(Side::Second).into(),
            summary: format!("Forces of up to {} points a side, picked at the table.", settings.points),
            demonstration: None,
            par: 0,
            margin: MARGIN,
            decisive: 25,
            special: Vec::new(),
            land: Vec::new(),
            squalls: Vec::new(),
            marker: Vec::new(),
            leave: Vec::new(),
            alert: None,
            flares: None,
            drift: None,
            torpedo_shy: None,
            guide: None,
            smoke_floats: None,
            only_lost_scores: Vec::new(),
            initiative: Vec::new(),
            modules: [(settings.mines, Module::Mines), (settings.submarines, Module::Submarines)]
                .into_iter()
                .filter_map(|(used, module)| used.then_some(module))
                .collect(),
            fields: Vec::new(),
            squadron: Vec::new(),
            bonus: Vec::new(),
        };
        for (side, force) in Side::BOTH.into_iter().zip(forces) {
            self.muster(&mut scenario, side, force);
        }
        for (side, force) in Side::BOTH.into_iter().zip(forces) {
            self.under_water(&mut scenario, side, force);
        }
        scenario
    }

    /// The submarines and the mine fields of a side, which it puts down in secret: submarines round the vessel that
    /// leads the enemy, fields between its own line and the middle.
    fn under_water(&self, scenario: &mut Scenario, side: Side, force: &Force) {
        let (name, letter, sign) = who(side);
        let chosen = self.items.iter().filter_map(|(key, _, item)| Some((item, *force.get(key)?)));
        let mut enemies = scenario.squadron.iter().filter(|squadron| squadron.side != name);
        let leader = enemies.find_map(|squadron| match squadron.ships.first() {
            Some(ship) => Some(ship.id.as_ref().unwrap_or(&ship.ship).clone()),
            None => squadron.boats.first().map(|_| format!("{}-1", squadron.id)),
        });
        let mut pack = empty(name, format!("{letter}-submarines"));
        for (item, number) in chosen {
            match item {
                Item::Submarines(at) => {
                    let (Some(entry), Some(around)) = (self.fleet.submarines.get(*at), &leader) else { continue };
                    pack.submarines.extend((1..=number).map(|number| PlacedSubmarine {
                        submarine: entry.id.clone(),
                        id: format!("{letter}-{}-{number}", entry.id),
                        name: format!("{} {number}", entry.name),
                        crew_quality: 0,
                        around: around.clone(),
                        least_mm: SUBMARINE_RING_MM[0],
                        most_mm: SUBMARINE_RING_MM[1],
                    }));
                }
                Item::Fields(density) if number > 0 => {
                    let line = sign * self.settings.distance / 2;
                    scenario.fields.push(GrantedFields {
                        side: name,
                        count: number as i32,
                        density: *density,
                        min: [line.min(0), -FIELDS_REACH_MM],
                        max: [line.max(0), FIELDS_REACH_MM],
                    });
                }
                _ => {}
            }
        }
        scenario.squadron.extend((!pack.submarines.is_empty()).then_some(pack));
    }

    /// Puts a force on the table: its squadrons in line ahead, one behind the other, the whole line abreast of the
    /// middle.
    fn muster(&self, scenario: &mut Scenario, side: Side, force: &Force) {
        let (name, letter, sign) = who(side);
        let x = sign * self.settings.distance / 2;
        let empty = |id: String| empty(name, id);
        let chosen =
            || self.items.iter().filter_map(|(key, _, item)| Some((item, *force.get(key)?))).filter(|(_, n)| *n > 0);
        let mut squadrons: Vec<Squadron> = Vec::new();
        for number in 1..=MOST_SQUADRONS {
            let mut squadron = empty(format!("{letter}-squadron-{number}"));
            for (item, _) in chosen().filter(|(_, given)| *given == number) {
                let Item::Ship(at) = item else { continue };
                let Some(ship) = self.fleet.ships.get(*at) else { continue };
                let sisters = force.get(&format!("sisters:{}", ship.id)).copied().unwrap_or(0);
                for number in 1..=1 + sisters {
                    squadron.ships.push(Placed {
                        ship: ship.id.clone(),
                        id: Some(if number > 1 {
                            format!("{letter}-{}-{number}", ship.id)
                        } else {
                            format!("{letter}-{}", ship.id)
                        }),
                        name: (number > 1).then(|| format!("{} {number}", ship.name)),
                        x,
                        y: 0,
                        heading: 0,
                        speed: 0,
                        crew_quality: 0,
                        flagship: squadron.ships.is_empty(),
                        rearming: 0,
                        holds: Vec::new(),
                        to_hit_on: Vec::new(),
                        crew_quality_on: Vec::new(),
                        faulty_main: None,
                        towed: false,
                        mines: 0,
                        start: None,
                    });
                }
            }
            let speeds = squadron.ships.iter().filter_map(|placed| {
                let ship = self.fleet.ships.iter().find(|ship| ship.id == placed.ship)?;
                Some(ship.ratings.speed)
            });
            let speed = speeds.min().unwrap_or(0) * 2 / 3;
            squadron.ships.iter_mut().for_each(|placed| placed.speed = speed);
            squadrons.extend((!squadron.ships.is_empty()).then_some(squadron));
        }
        for (item, number) in chosen() {
            let Item::Boats(at) = item else { continue };
            let Some(boats) = self.fleet.type_x.get(*at) else { continue };
            let mut squadron = empty(format!("{letter}-{}", boats.id));
            let mut left = number;
            while left > 0 {
                let vessels = left.min(MOST_IN_STAND);
                squadron.boats.push(PlacedBoats {
                    type_x: boats.id.clone(),
                    vessels: vessels as i32,
                    x,
                    y: 0,
                    heading: 0,
                    speed: boats.speed / 2,
                });
                left -= vessels;
            }
            let scored = |bonus: &Bonus| bonus.each_vessel_lost_of.as_ref() == Some(&boats.id);
            if !scenario.bonus.iter().any(scored) {
                scenario.bonus.extend(
                    [(SideName::A, SideName::B), (SideName::B, SideName::A)].map(|(to, _)| lost_boats(to, boats)),
                );
            }
            squadrons.push(squadron);
        }
        line_up(&mut squadrons);
        self.bases(
            scenario,
            &mut squadrons,
            (side, letter, x + sign * LAND_BEHIND_MM),
            &chosen().collect::<Vec<_>>(),
            &empty,
        );
        self.aircraft(&mut squadrons, letter, &chosen().collect::<Vec<_>>(), &empty);
        scenario.squadron.extend(squadrons);
    }

    /// The round of land of a side with what stands on it.
    fn bases(
        &self,
        scenario: &mut Scenario,
        squadrons: &mut Vec<Squadron>,
        (side, letter, x): (Side, &str, i32),
        chosen: &[(&Item, i64)],
        empty: &impl Fn(String) -> Squadron,
    ) {
        for (item, _) in chosen {
            let (kind, name, guns) = match item {
                Item::AirBase => (BaseKind::AirBase, format!("{} air base", side_name(side)), None),
                Item::ShoreBattery { ship, battery } => {
                    let ship = self.fleet.ships.get(*ship).map(|ship| ship.id.clone()).unwrap_or_default();
                    let guns = BaseGuns { ship, battery: battery.clone() };
                    (BaseKind::ShoreBattery, format!("{} shore battery", side_name(side)), Some(guns))
                }
                _ => continue,
            };
            let land = Round { name: format!("{} shore", side_name(side)), x, y: 0, radius: LAND_RADIUS_MM };
            scenario.land.push(land);
            let mut squadron = empty(format!("{letter}-shore"));
            squadron.bases.push(PlacedBase {
                kind,
                id: format!("{letter}-base"),
                name,
                x,
                y: 0,
                crew_quality: 0,
                guns,
            });
            squadrons.push(squadron);
        }
    }

    /// The aircraft of a side: aboard its first deck if it has one, else they come from afar.
    fn aircraft(
        &self,
        squadrons: &mut Vec<Squadron>,
        letter: &str,
        chosen: &[(&Item, i64)],
        empty: &impl Fn(String) -> Squadron,
    ) {
        let carrier = squadrons.iter().flat_map(|squadron| &squadron.ships).find_map(|placed| {
            let ship = self.fleet.ships.iter().find(|ship| ship.id == placed.ship)?;
            (ship.ratings.h > 0).then(|| placed.id.clone()).flatten()
        });
        let airfield = squadrons.iter().flat_map(|squadron| &squadron.bases);
        let airfield = airfield.filter(|base| base.kind == BaseKind::AirBase).map(|base| base.id.clone()).next();
        let from = carrier.or(airfield);
        let mut squadron = empty(format!("{letter}-air"));
        for (item, number) in chosen {
            let Item::Aircraft { entry, load } = item else { continue };
            let Some(aircraft) = self.fleet.aircraft.get(*entry) else { continue };
            let load = load.and_then(|load| aircraft.loads.get(load));
            squadron.stands.push(PlacedStand {
                aircraft: aircraft.id.clone(),
                count: *number as i32,
                role: if load.is_some() { StandRole::Loaded } else { StandRole::Fighter },
                attack: load.map_or("none", |load| load.attack.word()).to_owned(),
                ordnance: load.map(|load| load.ordnance.clone()),
                crew_quality: 0,
                arrives: if from.is_some() { 1 } else { LAND_AIRCRAFT_ARRIVE.min(self.settings.turns) },
                x: None,
                y: None,
                from: from.clone(),
                ready: from.as_ref().map(|_| true),
                acts_from: None,
                once: false,
            });
        }
        squadrons.extend((!squadron.stands.is_empty()).then_some(squadron));
    }

    /// The forces that were picked, as a scenario file from which they can be played again.
    pub fn scenario_file(&self, state: &CustomState, id: &str, title: &str) -> Result<String, Refusal> {
        let Some(forces) = &state.forces else {
            return Err(Refusal::new("wrong-time", "The forces have not been picked yet.").by(rule::C_55));
        };
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if id.is_empty() || id.len() > 60 || id == ID || !id.chars().all(plain) {
            let text = "An id is made of up to 60 lower case letters, digits and hyphens, and is not 'custom'.";
            return Err(Refusal::new("bad-value", text));
        }
        let title: String = title.chars().filter(|c| !c.is_control()).take(80).collect();
        let title = if title.trim().is_empty() { "Custom battle".to_owned() } else { title };
        let file = BTreeMap::from([("scenario", vec![self.scenario(forces, id, &title)])]);
        let text = toml::to_string(&file)
            .map_err(|error| Refusal::new("internal", format!("The battle cannot be written: {error}.")))?;
        Ok(format!("# A custom battle of {} points a side, saved to be played again.\n\n{text}", self.settings.points))
    }
}

/// What the sides of a custom battle are called.
#[must_use]
pub fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "First side",
        Side::Second => "Second side",
    }
}

/// What the guns of a battery are called on their ship.
fn guns(battery: &str) -> &'static str {
    match battery {
        "main" => "main",
        "other-1" => "secondary",
        "other-2" => "tertiary",
        _ => "light",
    }
}

/// The name, the letter and the direction from the middle of a side.
fn who(side: Side) -> (SideName, &'static str, i32) {
    match side {
        Side::First => (SideName::A, "a", -1),
        Side::Second => (SideName::B, "b", 1),
    }
}

/// A squadron without a member.
fn empty(side: SideName, id: String) -> Squadron {
    Squadron {
        side,
        id,
        command: 1,
        contact: false,
        surprised: false,
        ships: Vec::new(),
        boats: Vec::new(),
        submarines: Vec::new(),
        bases: Vec::new(),
        stands: Vec::new(),
    }
}

/// A point for each of the other side's small craft that is lost. Its own losses of the type count for the enemy, so
/// the bonus stands once for each side.
fn lost_boats(to: SideName, boats: &TypeXEntry) -> Bonus {
    Bonus {
        side: to,
        points: 1,
        when: format!("for each {} lost", boats.name),
        ship: None,
        count_of: None,
        each_of: None,
        each_aircraft_lost_of: None,
        each_vessel_left_of: None,
        each_vessel_lost_of: Some(boats.id.clone()),
        afloat: None,
        any: Vec::new(),
    }
}

/// Places the vessels of a side one behind the other, with the middle of the line at y = 0.
fn line_up(squadrons: &mut [Squadron]) {
    let count: i32 = squadrons.iter().map(|one| (one.ships.len() + one.boats.len()) as i32 + 1).sum::<i32>() - 1;
    let mut y = (count - 1).max(0) * INTERVAL_MM / 2;
    for squadron in squadrons {
        for placed in &mut squadron.ships {
            placed.y = y;
            y -= INTERVAL_MM;
        }
        for placed in &mut squadron.boats {
            placed.y = y;
            y -= INTERVAL_MM;
        }
        y -= INTERVAL_MM;
    }
}

/// Which forces does a side bring? Secret, both sides at once.
pub(crate) struct Pick<'a> {
    pub game: &'a CustomGame,
    pub side: Side,
}

impl Decision for Pick<'_> {
    type Value = Force;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, force: &Force) -> Result<(), Refusal> {
        let game = self.game;
        let mut reasons = Vec::new();
        let mut refuse = |code: &'static str, text: String| reasons.push(Refusal::new(code, text).by(rule::C_55));
        let (mut bases, mut vessels, mut fights) = (0, 0, false);
        let mut squadrons = [0_usize; MOST_SQUADRONS as usize];
        for (key, &number) in force {
            let Some((_, name, item)) = game.items.iter().find(|(known, ..)| known == key) else {
                let shown: String = key.chars().take(60).collect();
                refuse("unknown-unit", format!("'{shown}' is not in the data."));
                continue;
            };
            let most = game.most(item);
            if !(0..=most).contains(&number) {
                refuse("out-of-range", format!("{name}: a whole number from 0 to {most}."));
                continue;
            }
            match item {
                Item::Ship(at) => {
                    let sisters = game.fleet.ships.get(*at).and_then(|ship| force.get(&format!("sisters:{}", ship.id)));
                    let ships = 1 + sisters.copied().unwrap_or(0).clamp(0, MOST_SISTERS);
                    if let Some(count) = usize::try_from(number - 1).ok().and_then(|at| squadrons.get_mut(at)) {
                        *count += ships as usize;
                        vessels += ships;
                    }
                    fights |= number > 0;
                }
                Item::Sisters(at) => {
                    let ship = game.fleet.ships.get(*at);
                    let sails = ship.and_then(|ship| force.get(&format!("ship:{}", ship.id))).is_some_and(|at| *at > 0);
                    if number > 0 && !sails {
                        refuse("no-sister", format!("{name} sail in her squadron; give her one first."));
                    }
                }
                Item::Boats(_) => {
                    vessels += (number + MOST_IN_STAND - 1) / MOST_IN_STAND;
                    fights |= number > 0;
                }
                Item::AirBase | Item::ShoreBattery { .. } => bases += number,
                Item::Submarines(_) => vessels += number,
                Item::Aircraft { .. } | Item::Fields(_) => {}
            }
        }
        for (at, count) in squadrons.iter().enumerate().filter(|(_, count)| **count > LARGEST_SQUADRON) {
            let text = format!("Squadron {} has {count} ships; the maximum is {LARGEST_SQUADRON}.", at + 1);
            refuse("squadron-too-large", text);
        }
        if vessels + bases > MOST_VESSELS {
            let text =
                format!("That force has {} ships, stands and bases; {MOST_VESSELS} are the most.", vessels + bases);
            refuse("too-many-vessels", text);
        }
        if bases > 1 {
            refuse("too-many-bases", "A side may have one air base or one shore battery.".to_owned());
        }
        let (price, points) = (game.price(force), game.settings.points);
        if price > points.into() {
            refuse("over-budget", format!("That force costs {price}; {points} points may be spent."));
        }
        if !fights {
            refuse("empty-force", "A force needs at least one ship or small craft.".to_owned());
        }
        Refusal::all(reasons)
    }
}
