//! What never changes while a battle is fought: the scenario with its forces looked up in the data.

use super::id::Id;
use super::state::{Level, SquadronId, StandId, VesselId};
use crate::data::{
    AircraftEntry, BombEntry, Fleet, Placed, PlacedStand, Scenario, ShipEntry, SpecialEntry, TorpedoEntry,
};
use crate::data::{BaseKind, PlacedBase, SubmarineEntry, TypeXEntry};
use crate::derive::Gun;
use crate::geometry::{Heading, Place, Position};
use crate::rules::Rules;
use crate::ship::{Armour, Condition, Gear, Sheet, Weakness, WeaponsD10};
use crate::words::*;
use flagplot_kernel::{DataError, Side};
use std::sync::Arc;

/// Which kind of thing lies on the water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hull {
    /// A ship of the data, an air base or a shore battery.
    Ship,
    /// A stand of small craft: no flotation, no structure, no criticals. [1.5]
    Boats,
    /// Surfaced she counts as a class C ship whose structure is her flotation. [9.2]
    Submarine,
}

/// Guns of one calibre in one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Battery {
    /// Its name in answers: `main`, `other-1`.
    pub id: Id,
    /// What it is called: `283 mm main battery`.
    pub name: String,
    pub group: GunGroup,
    pub calibre_mm: i32,
    pub gun: Gun,
    pub aa: AntiAir,
    /// Its mounts, by their places in the list of the group.
    pub mounts: Vec<usize>,
}

/// A kind of vessel: everything that ships of one entry of the data share.
#[derive(Clone, Debug)]
pub struct Model {
    /// The id of the entry.
    pub id: String,
    pub name: String,
    pub hull: Hull,
    /// Type code of a ship; none for small craft and submarines.
    pub code: Option<ShipType>,
    pub sheet: Sheet,
    /// Her condition as she leaves port.
    pub fresh: Condition,
    pub batteries: Vec<Battery>,
    /// Whether the heavy guns are marked AA+.
    pub aa_plus: bool,
    pub torpedo: Option<TorpedoEntry>,
    /// Torpedoes carried by each of the small craft.
    pub torpedoes_per_vessel: i32,
    /// What small craft add to their saving throws.
    pub save_modifier: i32,
    /// Highest speed under water, of a submarine.
    pub submerged_speed: i32,
    pub light_class: LightClass,
    /// Armed merchant cruisers lay their guns locally.
    pub amc: bool,
    /// Victory points.
    pub vp: i32,
}

impl Model {
    /// A ship of the data.
    #[must_use]
    pub fn of_ship(entry: &ShipEntry, fleet: &Fleet) -> Self {
        let (sheet, fresh) = entry.launch(0);
        let facts = entry.facts.batteries.iter().map(|battery| battery.gun.calibre_mm);
        let mut others = 0;
        let batteries = entry.ratings.batteries.iter().zip(facts).enumerate().map(|(at, (rated, calibre_mm))| {
            let mounts = match rated.group {
                GunGroup::Main => &sheet.main,
                GunGroup::Other => &sheet.other,
            };
            let (id, words) = match rated.group {
                GunGroup::Main => ("main".to_owned(), "main battery"),
                GunGroup::Other => {
                    others += 1;
                    (format!("other-{others}"), "battery")
                }
            };
            let of_battery = |(_, mount): &(usize, &crate::ship::GunMount)| mount.battery == at as i32;
            Battery {
                id: id.into(),
                name: format!("{calibre_mm} mm {words}"),
                group: rated.group,
                calibre_mm,
                gun: rated.gun,
                aa: rated.aa,
                mounts: mounts.iter().enumerate().filter(of_battery).map(|(at, _)| at).collect(),
            }
        });
        Self {
            id: entry.id.clone(),
            name: entry.name.clone(),
            hull: Hull::Ship,
            code: Some(entry.facts.code),
            batteries: batteries.collect(),
            aa_plus: entry.ratings.aa_plus,
            torpedo: fleet.torpedoes.iter().find(|torpedo| Some(&torpedo.id) == entry.torpedo.as_ref()).cloned(),
            torpedoes_per_vessel: 0,
            save_modifier: 0,
            submerged_speed: 0,
            light_class: entry.ratings.light_class,
            amc: entry.facts.code == ShipType::Amc,
            vp: entry.ratings.vp,
            sheet,
            fresh,
        }
    }

    /// A stand of small craft. [C-29]
    #[must_use]
    pub fn of_boats(entry: &TypeXEntry, fleet: &Fleet) -> Self {
        let (sheet, mut fresh) = bare(&entry.name, -4, 0, entry.speed);
        (fresh.crf, fresh.mrf, fresh.sd) = (entry.crf, entry.mrf, 1);
        Self {
            id: entry.id.clone(),
            name: entry.name.clone(),
            hull: Hull::Boats,
            code: None,
            sheet,
            fresh,
            batteries: Vec::new(),
            aa_plus: false,
            torpedo: fleet.torpedoes.iter().find(|torpedo| Some(&torpedo.id) == entry.torpedo.as_ref()).cloned(),
            torpedoes_per_vessel: entry.torpedoes_per_vessel,
            save_modifier: entry.save_modifier,
            submerged_speed: 0,
            light_class: LightClass::None,
            amc: false,
            vp: 0,
        }
    }

    /// A submarine. [C-30]
    #[must_use]
    pub fn of_submarine(entry: &SubmarineEntry, fleet: &Fleet) -> Self {
        let (mut sheet, mut fresh) = bare(&entry.name, entry.size, entry.f, entry.surface_speed);
        let tubes = |tubes: i32, arc: Station| {
            (tubes > 0).then_some(crate::ship::TorpedoMount { mounting: Tubes::Torpedo, tubes, arc, lost: false })
        };
        sheet.torpedoes = [tubes(entry.tubes_bow, Station::Fwd), tubes(entry.tubes_stern, Station::Aft)]
            .into_iter()
            .flatten()
            .collect();
        (sheet.s_max, fresh.s, fresh.sd, fresh.sv) = (entry.f, entry.f, 3, 2);
        Self {
            id: entry.id.clone(),
            name: entry.name.clone(),
            hull: Hull::Submarine,
            code: None,
            sheet,
            fresh,
            batteries: Vec::new(),
            aa_plus: false,
            torpedo: fleet.torpedoes.iter().find(|torpedo| torpedo.id == entry.torpedo).cloned(),
            torpedoes_per_vessel: 0,
            save_modifier: 0,
            submerged_speed: entry.submerged_speed,
            light_class: LightClass::C,
            amc: false,
            vp: entry.f,
        }
    }

    /// An air base or a shore battery. [C-33]
    #[must_use]
    pub fn of_base(base: &PlacedBase, yard: &Yard) -> Self {
        let (mut sheet, mut fresh) = bare(&base.name, 0, 0, 0);
        let air = base.kind == BaseKind::AirBase;
        let (structure, points) = if air { AIR_BASE } else { SHORE_BATTERY };
        sheet.kind = Kind::AirBase;
        (sheet.s_max, fresh.s, fresh.dc, fresh.sd) = (structure, structure, 2, 5);
        let mut batteries = Vec::new();
        if air {
            (sheet.h_max, fresh.h, fresh.rrr) = (AIR_BASE_HANDLING, AIR_BASE_HANDLING, AIR_BASE_SERVICE);
        }
        let ship = base.guns.as_ref().and_then(|guns| yard.model(Hull::Ship, &guns.ship));
        if let (Some(ship), Some(guns)) = (ship, &base.guns) {
            let found = ship.batteries.iter().find(|battery| battery.id == *guns.battery.as_str());
            if let Some(battery) = found {
                let mounts = match battery.group {
                    GunGroup::Main => &ship.sheet.main,
                    GunGroup::Other => &ship.sheet.other,
                };
                // Guns on land bear all round.
                let mounts = battery.mounts.iter().filter_map(|at| mounts.get(*at));
                sheet.main =
                    mounts.map(|mount| crate::ship::GunMount { arc: Station::All, battery: 0, ..*mount }).collect();
                sheet.weapons_d10 = WeaponsD10::of(true, false, false);
                (fresh.fc, fresh.gm) = (1, ship.fresh.gm);
                batteries.push(Battery {
                    id: "main".into(),
                    name: format!("{} mm shore battery", battery.calibre_mm),
                    group: GunGroup::Main,
                    mounts: (0..sheet.main.len()).collect(),
                    ..battery.clone()
                });
            }
        }
        Self {
            id: base.id.clone(),
            name: base.name.clone(),
            hull: Hull::Ship,
            code: None,
            sheet,
            fresh,
            aa_plus: false,
            batteries,
            torpedo: None,
            torpedoes_per_vessel: 0,
            save_modifier: 0,
            submerged_speed: 0,
            light_class: LightClass::None,
            amc: false,
            vp: points,
        }
    }

    /// Whether she accelerates and turns like a merchant.
    #[must_use]
    pub fn merchant(&self) -> bool {
        self.sheet.kind == Kind::Merchant
    }

    #[must_use]
    pub fn size(&self) -> i32 {
        self.sheet.size
    }
}

/// Structure and points of an air base and of a shore battery. [C-55]
const AIR_BASE: (i32, i32) = (60, 20);
const SHORE_BATTERY: (i32, i32) = (30, 10);
/// Aircraft that an air base handles and arms in a turn.
const AIR_BASE_HANDLING: i32 = 8;
const AIR_BASE_SERVICE: i32 = 3;

/// The names of a ship's batteries in answers.
pub fn battery_ids(entry: &ShipEntry) -> impl Iterator<Item = String> + '_ {
    let mut others = 0;
    entry.ratings.batteries.iter().map(move |battery| match battery.group {
        GunGroup::Main => "main".to_owned(),
        GunGroup::Other => {
            others += 1;
            format!("other-{others}")
        }
    })
}

/// A sheet without guns and armour.
fn bare(name: &str, size: i32, f: i32, speed: i32) -> (Sheet, Condition) {
    let sheet = Sheet {
        name: name.to_owned(),
        kind: Kind::Warship,
        size,
        f_max: f,
        s_max: 0,
        h_max: 0,
        armour: Armour::default(),
        main: Vec::new(),
        other: Vec::new(),
        torpedoes: Vec::new(),
        weapons_d10: WeaponsD10::default(),
        cargo: None,
        weakness: Weakness::default(),
    };
    let now = Condition {
        status: Status::Afloat,
        f,
        s: 0,
        crew_quality: 0,
        command: 0,
        speed,
        sv: 1,
        fc: 0,
        sd: 1,
        gm: 0,
        dc: 0,
        fires: 0,
        splash: 0,
        h: 0,
        rrr: 0,
        catapults: 0,
        rearming: 0,
        asw: 0,
        mrf: 0,
        crf: 0,
        gear: Gear::default(),
        main_lost: 0,
        other_lost: 0,
        torpedoes_lost: 0,
        cargo_destroyed: false,
    };
    (sheet, now)
}

/// A vessel of the scenario.
#[derive(Clone, Debug)]
pub struct Member {
    pub id: Id,
    pub name: String,
    pub side: Side,
    pub squadron: SquadronId,
    pub model: Arc<Model>,
    /// Where she starts; a submarine where her owner puts her.
    pub start: Position,
    pub start_speed: i32,
    /// Her condition at the start.
    pub fresh: Condition,
    /// Vessels of a stand of small craft; 1 for a ship.
    pub vessels: i32,
    pub flagship: bool,
    /// The scenario's words on the ship; none for small craft and submarines.
    pub placed: Option<Placed>,
    /// For a submarine: the ship round which she lies, and how near and far.
    pub around: Option<(VesselId, i64, i64)>,
}

/// What a stand of aircraft carries.
#[derive(Clone, Debug)]
pub enum Ordnance {
    Torpedo(TorpedoEntry),
    Bomb(BombEntry),
    Special(SpecialEntry),
}

/// A stand of the scenario.
#[derive(Clone, Debug)]
pub struct Flight {
    pub id: Id,
    pub name: String,
    pub side: Side,
    pub squadron: SquadronId,
    pub aircraft: Arc<AircraftEntry>,
    pub placed: PlacedStand,
    /// How it attacks with its load; none for fighters.
    pub attack: Option<AttackType>,
    pub ordnance: Option<Ordnance>,
    /// The carrier or air base that it flies from.
    pub from: Option<VesselId>,
}

/// A squadron of the scenario.
#[derive(Clone, Debug)]
pub struct Squad {
    pub id: Id,
    pub name: String,
    pub side: Side,
    pub command: i32,
    pub contact: bool,
    pub surprised: bool,
    /// Its ships, small craft and submarines, in the order of the list.
    pub vessels: Vec<VesselId>,
    pub stands: Vec<StandId>,
    pub flagship: Option<VesselId>,
}

/// A battle: the rules, the scenario and its forces.
#[derive(Clone, Debug)]
pub struct Battle {
    pub rules: Arc<Rules>,
    pub scenario: Arc<Scenario>,
    pub squadrons: Vec<Squad>,
    pub vessels: Vec<Member>,
    pub stands: Vec<Flight>,
}

/// The side that a word of the data means.
#[must_use]
pub fn side(name: SideName) -> Side {
    match name {
        SideName::A => Side::First,
        SideName::B => Side::Second,
    }
}

/// An id as people read it: `first-division` is `First Division`.
#[must_use]
pub fn title(id: &str) -> String {
    let capital = |word: &str| -> String {
        let first = word.chars().take(1).flat_map(char::to_uppercase);
        first.chain(word.chars().skip(1)).collect()
    };
    id.split('-').map(capital).collect::<Vec<String>>().join(" ")
}

/// The models of all entries of the data, each made once.
#[derive(Clone, Debug)]
pub struct Yard {
    models: Vec<Arc<Model>>,
    aircraft: Vec<Arc<AircraftEntry>>,
}

impl Yard {
    #[must_use]
    pub fn new(fleet: &Fleet) -> Self {
        let ships = fleet.ships.iter().map(|entry| Model::of_ship(entry, fleet));
        let boats = fleet.type_x.iter().map(|entry| Model::of_boats(entry, fleet));
        let submarines = fleet.submarines.iter().map(|entry| Model::of_submarine(entry, fleet));
        Self {
            models: ships.chain(boats).chain(submarines).map(Arc::new).collect(),
            aircraft: fleet.aircraft.iter().cloned().map(Arc::new).collect(),
        }
    }

    fn model(&self, hull: Hull, id: &str) -> Option<Arc<Model>> {
        self.models.iter().find(|model| model.hull == hull && model.id == id).cloned()
    }
}

impl Battle {
    /// Looks up the forces of a scenario, which has been checked.
    pub fn new(rules: &Arc<Rules>, fleet: &Fleet, yard: &Yard, scenario: &Arc<Scenario>) -> Result<Battle, DataError> {
        let fail = |message: String| DataError::new("scenarios.toml", format!("{}: {message}", scenario.id));
        let mut battle = Battle {
            rules: Arc::clone(rules),
            scenario: Arc::clone(scenario),
            squadrons: Vec::new(),
            vessels: Vec::new(),
            stands: Vec::new(),
        };
        let position = |x: i32, y: i32, heading: i32| {
            let heading = Heading::new(rules, heading).ok_or_else(|| fail(format!("{heading} is no heading")))?;
            Ok(Position { at: Place { x: x.into(), y: y.into() }, heading })
        };
        for (number, squadron) in scenario.squadron.iter().enumerate() {
            let of = SquadronId(number as u8);
            let mut squad = Squad {
                id: squadron.id.as_str().into(),
                name: title(&squadron.id),
                side: side(squadron.side),
                command: squadron.command,
                contact: squadron.contact,
                surprised: squadron.surprised,
                vessels: Vec::new(),
                stands: Vec::new(),
                flagship: None,
            };
            // What a vessel has unless her entry says more.
            let of_side = squad.side;
            let member = |id: &str, name: String, start: Position, fresh: Condition, model: Arc<Model>| Member {
                id: id.into(),
                name,
                side: of_side,
                squadron: of,
                start,
                start_speed: 0,
                fresh,
                vessels: 1,
                flagship: false,
                placed: None,
                around: None,
                model,
            };
            for placed in &squadron.ships {
                let model = yard.model(Hull::Ship, &placed.ship);
                let model = model.ok_or_else(|| fail(format!("'{}' is not a ship", placed.ship)))?;
                let mut fresh = model.fresh;
                fresh.crew_quality = placed.crew_quality;
                fresh.rearming = placed.rearming;
                if placed.flagship {
                    (fresh.command, fresh.gear.flag_officer) = (squadron.command, true);
                }
                if let Some(start) = placed.start {
                    let set = |value: &mut i32, given: Option<i32>| *value = given.unwrap_or(*value);
                    set(&mut fresh.f, start.f);
                    set(&mut fresh.s, start.s);
                    set(&mut fresh.speed, start.speed);
                    set(&mut fresh.sv, start.sv);
                    set(&mut fresh.fc, start.fc);
                    set(&mut fresh.h, start.h);
                    set(&mut fresh.fires, start.fires);
                }
                if placed.towed {
                    fresh.speed = fresh.speed.min(placed.speed);
                }
                let id = placed.id.as_ref().unwrap_or(&placed.ship);
                let name = placed.name.clone().unwrap_or_else(|| model.name.clone());
                let start = position(placed.x, placed.y, placed.heading)?;
                let ship = Member {
                    start_speed: placed.speed,
                    flagship: placed.flagship,
                    placed: Some(placed.clone()),
                    ..member(id, name, start, fresh, model)
                };
                squad.add(&mut battle.vessels, ship);
            }
            for (at, boats) in squadron.boats.iter().enumerate() {
                let model = yard.model(Hull::Boats, &boats.type_x);
                let model = model.ok_or_else(|| fail(format!("'{}' is not a type of small craft", boats.type_x)))?;
                let mut fresh = model.fresh;
                if at == 0 && squadron.ships.is_empty() {
                    fresh.command = squadron.command;
                }
                let number = at + 1;
                let (id, name) =
                    (format!("{}-{number}", squadron.id), format!("{}, stand {number}", title(&squadron.id)));
                let start = position(boats.x, boats.y, boats.heading)?;
                let stand = Member {
                    start_speed: boats.speed,
                    vessels: boats.vessels,
                    ..member(&id, name, start, fresh, model)
                };
                squad.add(&mut battle.vessels, stand);
            }
            for submarine in &squadron.submarines {
                let model = yard.model(Hull::Submarine, &submarine.submarine);
                let model = model.ok_or_else(|| fail(format!("'{}' is not a submarine", submarine.submarine)))?;
                let mut fresh = model.fresh;
                (fresh.crew_quality, fresh.command) = (submarine.crew_quality, squadron.command);
                let start = position(0, 0, 0)?;
                let boat = member(&submarine.id, submarine.name.clone(), start, fresh, model);
                squad.add(&mut battle.vessels, boat);
            }
            for base in &squadron.bases {
                let model = Arc::new(Model::of_base(base, yard));
                let mut fresh = model.fresh;
                (fresh.crew_quality, fresh.command) = (base.crew_quality, squadron.command);
                let start = position(base.x, base.y, 0)?;
                let ashore = member(&base.id, base.name.clone(), start, fresh, model);
                squad.add(&mut battle.vessels, ashore);
            }
            battle.squadrons.push(squad);
        }
        battle.find_bearings(&fail)?;
        battle.muster(fleet, yard, &fail)?;
        Ok(battle)
    }

    /// Finds the ship round which each submarine lies.
    fn find_bearings(&mut self, fail: &impl Fn(String) -> DataError) -> Result<(), DataError> {
        let scenario = Arc::clone(&self.scenario);
        for placed in scenario.squadron.iter().flat_map(|squadron| &squadron.submarines) {
            let around = self.find(&placed.around);
            let around = around.ok_or_else(|| fail(format!("'{}' is not a ship of the scenario", placed.around)))?;
            for member in self.vessels.iter_mut().filter(|member| member.id == *placed.id.as_str()) {
                member.around = Some((around, placed.least_mm.into(), placed.most_mm.into()));
            }
        }
        Ok(())
    }

    /// Looks up the stands of aircraft.
    fn muster(&mut self, fleet: &Fleet, yard: &Yard, fail: &impl Fn(String) -> DataError) -> Result<(), DataError> {
        let scenario = Arc::clone(&self.scenario);
        for (number, squadron) in scenario.squadron.iter().enumerate() {
            for (at, placed) in squadron.stands.iter().enumerate() {
                let aircraft = yard.aircraft.iter().find(|entry| entry.id == placed.aircraft);
                let aircraft = aircraft.ok_or_else(|| fail(format!("'{}' is not an aircraft", placed.aircraft)))?;
                let from = match &placed.from {
                    Some(from) => {
                        let ship = self.find(from).ok_or_else(|| fail(format!("'{from}' is not in the scenario")))?;
                        Some(ship)
                    }
                    None => None,
                };
                let attack = AttackType::ALL.iter().copied().find(|attack| attack.word() == placed.attack);
                let usual = aircraft.loads.iter().find(|load| Some(load.attack) == attack);
                let carried = placed.ordnance.as_ref().or(usual.map(|load| &load.ordnance));
                let stand = Flight {
                    id: format!("{}-{}", squadron.id, at + 1).into(),
                    name: format!("{}, {}", title(&squadron.id), aircraft.name),
                    side: side(squadron.side),
                    squadron: SquadronId(number as u8),
                    aircraft: Arc::clone(aircraft),
                    attack,
                    ordnance: carried.and_then(|id| ordnance(fleet, id)),
                    from,
                    placed: placed.clone(),
                };
                self.squadrons[number].stands.push(StandId(self.stands.len() as u8));
                self.stands.push(stand);
            }
        }
        Ok(())
    }

    #[must_use]
    pub fn find(&self, id: &str) -> Option<VesselId> {
        self.vessels.iter().position(|member| member.id == *id).map(|at| VesselId(at as u8))
    }

    #[must_use]
    pub fn find_stand(&self, id: &str) -> Option<StandId> {
        self.stands.iter().position(|stand| stand.id == *id).map(|at| StandId(at as u8))
    }

    #[must_use]
    pub fn member(&self, id: VesselId) -> &Member {
        &self.vessels[id.0 as usize]
    }

    #[must_use]
    pub fn model(&self, id: VesselId) -> &Model {
        &self.vessels[id.0 as usize].model
    }

    #[must_use]
    pub fn flight(&self, id: StandId) -> &Flight {
        &self.stands[id.0 as usize]
    }

    #[must_use]
    pub fn squad(&self, id: SquadronId) -> &Squad {
        &self.squadrons[id.0 as usize]
    }

    #[must_use]
    pub fn side_name(&self, side: Side) -> &str {
        match side {
            Side::First => &self.scenario.side_a,
            Side::Second => &self.scenario.side_b,
        }
    }

    /// Whether the scenario uses an optional rule.
    #[must_use]
    pub fn uses(&self, module: crate::data::Module) -> bool {
        self.scenario.modules.contains(&module)
    }

    /// Visibility on a turn, in range bands. [C-35]
    #[must_use]
    pub fn tvr(&self, turn: i32) -> i32 {
        let at = usize::try_from(turn - 1).unwrap_or(0);
        self.scenario.tvr.get(at).or(self.scenario.tvr.last()).copied().unwrap_or(0)
    }

    /// Day or night on a turn. [C-35]
    #[must_use]
    pub fn light(&self, turn: i32) -> Light {
        match self.scenario.night_from_turn {
            Some(night) if turn >= night => Light::Night,
            _ => self.scenario.light,
        }
    }

    /// How deep a vessel can be at most.
    #[must_use]
    pub fn can_dive(&self, id: VesselId) -> Level {
        if self.model(id).hull == Hull::Submarine { Level::Deep } else { Level::Surfaced }
    }
}

impl Squad {
    fn add(&mut self, vessels: &mut Vec<Member>, member: Member) {
        let id = VesselId(vessels.len() as u8);
        if member.flagship {
            self.flagship = Some(id);
        }
        self.vessels.push(id);
        vessels.push(member);
    }
}

/// A weapon of the data.
fn ordnance(fleet: &Fleet, id: &str) -> Option<Ordnance> {
    let torpedo = fleet.torpedoes.iter().find(|entry| entry.id == id).cloned().map(Ordnance::Torpedo);
    let bomb = || fleet.bombs.iter().find(|entry| entry.id == id).cloned().map(Ordnance::Bomb);
    let special = || fleet.specials.iter().find(|entry| entry.id == id).cloned().map(Ordnance::Special);
    torpedo.or_else(bomb).or_else(special)
}
