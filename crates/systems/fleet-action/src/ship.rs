//! A ship: a sheet that never changes and a condition that damage changes.
//!
//! The fields of the ship object of requests and results are declared here and nowhere else: on [`Sheet`], on
//! [`Condition`], and on [`Implied`] where a request may leave a field out because the others give it.

use crate::rule;
use crate::rules::Rules;
use crate::words::*;
use flagplot_kernel::Refusal;
use flagplot_referee::{Shape, Shaped};
use serde::{Deserialize, Serialize, Serializer};
use std::sync::Arc;

pub const MOST_MAIN: usize = 40;
pub const MOST_OTHER: usize = 64;
pub const MOST_TORPEDO: usize = 20;

/// Armour classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Armour {
    /// Armour of the side.
    #[shape(0..=40, or = 0)]
    pub belt: i32,
    /// Armour of the deck.
    #[shape(0..=40, or = 0)]
    pub deck: i32,
    /// Armour of the conning tower.
    #[shape(0..=40, or = 0)]
    pub ct: i32,
    /// Armour of the flight deck.
    #[shape(0..=40, or = 0)]
    pub flight_deck: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct GunMount {
    /// How the guns are mounted.
    #[serde(rename = "type")]
    pub mounting: Mounting,
    /// Armour of the mount.
    #[shape(0..=40, or = 0)]
    pub ac: i32,
    /// Guns in the mount.
    #[shape(1..=9, or = 1)]
    pub guns: i32,
    /// Where the mount stands.
    #[shape(or = Station::Mid)]
    pub arc: Station,
    /// The guns can fire at aircraft.
    #[shape(or = false)]
    pub aa: bool,
    /// Battery of the mount.
    #[shape(0..=9, or = 0)]
    pub battery: i32,
    /// The mount is lost.
    #[shape(or = false)]
    pub lost: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct TorpedoMount {
    /// Always torpedo.
    #[serde(rename = "type")]
    #[shape(or = Tubes::Torpedo)]
    pub mounting: Tubes,
    /// Tubes in the mount.
    #[shape(1..=9, or = 3)]
    pub tubes: i32,
    /// Where the mount stands.
    #[shape(or = Station::Mid)]
    pub arc: Station,
    /// The mount is lost.
    #[shape(or = false)]
    pub lost: bool,
}

/// Which faces of the d10 strike which group of weapons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct WeaponsD10 {
    /// Faces for the main battery.
    #[shape(0..=10, or = 0)]
    pub main: i32,
    /// Faces for the other guns.
    #[shape(0..=10, or = 0)]
    pub other: i32,
    /// Faces for the torpedo mounts.
    #[shape(0..=10, or = 0)]
    pub torpedoes: i32,
}

impl WeaponsD10 {
    /// The faces that go with the groups a ship has.
    #[must_use]
    pub fn of(main: bool, other: bool, torpedoes: bool) -> Self {
        let (main, other, torpedoes) = match (main, other, torpedoes) {
            (true, true, true) => (5, 3, 2),
            (true, true, false) => (6, 4, 0),
            (true, false, true) => (6, 0, 4),
            (false, true, true) => (0, 6, 4),
            (true, false, false) => (10, 0, 0),
            (false, true, false) => (0, 10, 0),
            (false, false, true) => (0, 0, 10),
            (false, false, false) => (0, 0, 0),
        };
        Self { main, other, torpedoes }
    }

    /// All faces together: 10, or 0 for a ship without weapons.
    #[must_use]
    pub fn sum(self) -> i32 {
        self.main + self.other + self.torpedoes
    }

    /// The group that a face strikes.
    #[must_use]
    pub fn group(self, face: u8) -> Group {
        match i32::from(face) {
            face if face <= self.main => Group::Main,
            face if face <= self.main + self.other => Group::Other,
            _ => Group::Torpedoes,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Cargo {
    /// Kind of cargo.
    pub kind: CargoKind,
    /// Cargo points.
    #[shape(1..=12, or = 1)]
    pub points: i32,
    /// The cargo is destroyed.
    #[shape(or = false)]
    pub destroyed: bool,
}

/// Weaknesses of a ship and of the sea she is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Weakness {
    /// Poor underwater protection.
    #[shape(or = false)]
    pub poor_underwater: bool,
    /// Poor carrier safety.
    #[shape(or = false)]
    pub poor_carrier_safety: bool,
    /// Unsafe magazines.
    #[shape(or = false)]
    pub unsafe_magazines: bool,
    /// The ship lies in bad weather.
    #[shape(or = false)]
    pub bad_weather: bool,
}

/// The part of a ship that never changes. What is skipped stands in [`Implied`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Sheet {
    /// Name.
    #[shape(or = "")]
    pub name: String,
    /// Kind of ship.
    #[shape(or = Kind::Warship)]
    pub kind: Kind,
    /// Size.
    #[shape(-4..=3, or = 0)]
    pub size: i32,
    #[serde(skip)]
    pub f_max: i32,
    #[serde(skip)]
    pub s_max: i32,
    #[serde(skip)]
    pub h_max: i32,
    /// Armour classes.
    #[shape(or = {})]
    pub armour: Armour,
    /// Mounts of the main battery.
    #[serde(rename = "main_mounts")]
    #[shape(items = 0..=MOST_MAIN, or = [])]
    pub main: Vec<GunMount>,
    /// Mounts of all other guns.
    #[serde(rename = "other_mounts")]
    #[shape(items = 0..=MOST_OTHER, or = [])]
    pub other: Vec<GunMount>,
    /// Torpedo mounts.
    #[serde(rename = "torpedo_mounts")]
    #[shape(items = 0..=MOST_TORPEDO, or = [])]
    pub torpedoes: Vec<TorpedoMount>,
    #[serde(skip)]
    pub weapons_d10: WeaponsD10,
    /// Cargo aboard.
    #[shape(null, or = null)]
    pub cargo: Option<Cargo>,
    #[serde(flatten)]
    pub weakness: Weakness,
}

/// The part of a ship that damage changes: a small plain value, the state of the odds and of a game. What is skipped
/// stands in [`Implied`], in the mounts and in the cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Condition {
    /// Must be afloat.
    #[shape(or = Status::Afloat)]
    pub status: Status,
    #[serde(skip)]
    pub f: i32,
    /// Structure.
    #[shape(0..=200)]
    pub s: i32,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Command value.
    #[shape(-9..=2, or = 0)]
    pub command: i32,
    /// Highest speed left.
    #[shape(0..=60, or = 30, unit = "knots")]
    pub speed: i32,
    /// Steering value.
    #[shape(0..=9, or = 2)]
    pub sv: i32,
    /// Directors.
    #[shape(0..=9, or = 2)]
    pub fc: i32,
    /// Spotting distance in range bands.
    #[shape(0..=9, or = 4)]
    pub sd: i32,
    /// Gunnery modifier.
    #[shape(-20..=9, or = 0)]
    pub gm: i32,
    /// Damage control teams.
    #[shape(0..=99, or = 3)]
    pub dc: i32,
    /// Fires aboard.
    #[shape(0..=99, or = 0)]
    pub fires: i32,
    /// Splash markers.
    #[shape(0..=99, or = 0)]
    pub splash: i32,
    /// Aircraft handling.
    #[shape(0..=20, or = 0)]
    pub h: i32,
    /// Aircraft served in a turn.
    #[shape(0..=20, or = 0)]
    pub rrr: i32,
    /// Catapults.
    #[shape(0..=9, or = 0)]
    pub catapults: i32,
    /// Stands being armed.
    #[shape(0..=20, or = 0)]
    pub rearming: i32,
    /// Depth charge factors.
    #[shape(0..=20, or = 0)]
    pub asw: i32,
    /// Medium range fire.
    #[shape(0..=20, or = 0)]
    pub mrf: i32,
    /// Close range fire.
    #[shape(0..=20, or = 0)]
    pub crf: i32,
    #[serde(flatten)]
    pub gear: Gear,
    /// Lost main mounts, a bit each.
    #[serde(skip)]
    pub main_lost: u64,
    /// Lost other mounts, a bit each.
    #[serde(skip)]
    pub other_lost: u64,
    /// Lost torpedo mounts, a bit each.
    #[serde(skip)]
    pub torpedoes_lost: u32,
    #[serde(skip)]
    pub cargo_destroyed: bool,
}

/// Equipment and states that a ship has or has not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Gear {
    /// A flag officer is aboard.
    #[shape(or = false)]
    pub flag_officer: bool,
    /// The ship has searchlights.
    #[shape(or = false)]
    pub searchlights: bool,
    /// The ship carries planes.
    #[shape(or = false)]
    pub ship_planes: bool,
    /// The ship has gunnery radar.
    #[shape(or = false)]
    pub gunnery_radar: bool,
    /// The ship has search radar.
    #[shape(or = false)]
    pub search_radar: bool,
    /// The ship can make smoke.
    #[shape(or = false)]
    pub smoke: bool,
    /// The power has failed.
    #[shape(or = false)]
    pub power_failed: bool,
}

/// Values that a request may leave out because the other fields give them. A result says them all.
#[derive(Clone, Copy, Serialize, Deserialize, Shaped)]
struct Implied {
    /// Flotation; every ship needs it, an air base has none.
    #[shape(0..=200)]
    f: Option<i32>,
    /// Original flotation; f if left out, at least 1.
    #[shape(0..=200)]
    f_max: Option<i32>,
    /// Original structure; s if left out, at least 1.
    #[shape(1..=200)]
    s_max: Option<i32>,
    /// Original aircraft handling; h if left out.
    #[shape(0..=20)]
    h_max: Option<i32>,
    /// Faces of the d10 that strike each group of weapons; from the mounts if left out.
    weapons_d10: Option<WeaponsD10>,
}

/// Counts that a result says. In a request they may be left out, or must agree with the mounts.
#[derive(Clone, Copy, Serialize, Deserialize, Shaped)]
struct Counts {
    /// Long range fire; must agree with the mounts.
    #[shape(0..=5)]
    lrf: Option<i32>,
    /// Main mounts lost; must agree with the mounts.
    #[shape(0..=64)]
    main_lost: Option<i32>,
    /// Other mounts lost; must agree with the mounts.
    #[shape(0..=64)]
    other_lost: Option<i32>,
    /// Torpedo mounts lost; must agree with the mounts.
    #[shape(0..=64)]
    torpedo_mounts_lost: Option<i32>,
}

impl Sheet {
    #[must_use]
    pub fn is_air_base(&self) -> bool {
        self.kind == Kind::AirBase
    }

    /// Whether criticals above water are rolled on the carrier table.
    #[must_use]
    pub fn uses_carrier_table(&self) -> bool {
        self.kind.flies()
    }

    /// The dice of collateral damage when magazines or fuel explode.
    #[must_use]
    pub fn explosion_dice(&self) -> i32 {
        let measure = if self.is_air_base() { self.s_max } else { self.f_max };
        (measure / 10).max(1)
    }

    /// Long range fire: the band of the guns left that can fire at aircraft.
    #[must_use]
    pub fn lrf(&self, rules: &Rules, now: &Condition) -> i32 {
        let guns = |mounts: &[GunMount], lost: u64| -> i32 {
            let left = mounts.iter().enumerate().filter(|(at, mount)| mount.aa && !is_lost(lost, *at));
            left.map(|(_, mount)| mount.guns).sum()
        };
        rules.band(guns(&self.main, now.main_lost) + guns(&self.other, now.other_lost))
    }
}

impl Kind {
    /// Whether aircraft fly from it.
    #[must_use]
    pub fn flies(self) -> bool {
        matches!(self, Kind::Carrier | Kind::AirBase)
    }
}

/// Whether the mount at a place is lost.
#[must_use]
pub fn is_lost(lost: u64, at: usize) -> bool {
    lost >> at & 1 == 1
}

/// A bit for each mount that is lost.
pub(crate) fn bits(lost: impl Iterator<Item = bool>) -> u64 {
    lost.enumerate().fold(0, |bits, (at, lost)| bits | u64::from(lost) << at)
}

impl Condition {
    /// Whether the ship is still in the game.
    #[must_use]
    pub fn afloat(&self) -> bool {
        self.status == Status::Afloat
    }
}

/// A complete condition, for the state of a game. A request gives flotation, lost mounts and cargo in other fields of
/// the ship object. Use it with `#[serde(with = "whole")]`.
pub mod whole {
    use super::Condition;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Whole {
        #[serde(flatten)]
        now: Condition,
        f: i32,
        main_lost: u64,
        other_lost: u64,
        torpedoes_lost: u32,
        cargo_destroyed: bool,
    }

    pub fn serialize<S: Serializer>(now: &Condition, serializer: S) -> Result<S::Ok, S::Error> {
        let Condition { f, main_lost, other_lost, torpedoes_lost, cargo_destroyed, .. } = *now;
        Whole { now: *now, f, main_lost, other_lost, torpedoes_lost, cargo_destroyed }.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Condition, D::Error> {
        let Whole { now, f, main_lost, other_lost, torpedoes_lost, cargo_destroyed } =
            Whole::deserialize(deserializer)?;
        Ok(Condition { f, main_lost, other_lost, torpedoes_lost, cargo_destroyed, ..now })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ship {
    pub sheet: Arc<Sheet>,
    pub now: Condition,
    /// Long range fire, which follows from the rest.
    pub lrf: i32,
}

impl Ship {
    #[must_use]
    pub fn new(rules: &Rules, sheet: &Arc<Sheet>, now: Condition) -> Ship {
        let lrf = sheet.lrf(rules, &now);
        Ship { sheet: Arc::clone(sheet), now, lrf }
    }
}

/// The ship object of requests and results.
#[derive(Serialize, Deserialize, Shaped)]
pub struct ShipObject {
    #[serde(flatten)]
    sheet: Sheet,
    #[serde(flatten)]
    implied: Implied,
    #[serde(flatten)]
    now: Condition,
    #[serde(flatten)]
    counts: Counts,
}

impl Shaped for Ship {
    fn shape() -> Shape {
        ShipObject::shape()
    }
}

impl Serialize for Ship {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut sheet, now) = ((*self.sheet).clone(), self.now);
        sheet.main.iter_mut().enumerate().for_each(|(at, mount)| mount.lost = is_lost(now.main_lost, at));
        sheet.other.iter_mut().enumerate().for_each(|(at, mount)| mount.lost = is_lost(now.other_lost, at));
        let torpedoes_lost = u64::from(now.torpedoes_lost);
        sheet.torpedoes.iter_mut().enumerate().for_each(|(at, mount)| mount.lost = is_lost(torpedoes_lost, at));
        if let Some(cargo) = &mut sheet.cargo {
            cargo.destroyed = now.cargo_destroyed;
        }
        let implied = Implied {
            f: Some(now.f),
            f_max: Some(sheet.f_max),
            s_max: Some(sheet.s_max),
            h_max: Some(sheet.h_max),
            weapons_d10: Some(sheet.weapons_d10),
        };
        let counts = Counts {
            lrf: Some(self.lrf),
            main_lost: Some(now.main_lost.count_ones() as i32),
            other_lost: Some(now.other_lost.count_ones() as i32),
            torpedo_mounts_lost: Some(now.torpedoes_lost.count_ones() as i32),
        };
        ShipObject { sheet, implied, now, counts }.serialize(serializer)
    }
}

fn wrong(path: &str, text: &str) -> Refusal {
    Refusal::new("out-of-range", format!("{path}{text}"))
}

/// A value cannot be above its original.
fn at_most(path: &str, name: &str, value: i32, original: i32) -> Result<(), Refusal> {
    if value <= original {
        return Ok(());
    }
    Err(wrong(path, &format!(".{name} is {value}; it cannot be above {name}_max, which is {original}.")))
}

impl ShipObject {
    /// The ship, if she is afloat and her values agree with each other. `path` names her in refusals.
    pub fn read(self, rules: &Rules, path: &str) -> Result<Ship, Refusal> {
        let Self { mut sheet, implied, mut now, counts } = self;
        if now.status != Status::Afloat {
            let text = format!("{path}.status is {}: give a ship that is afloat.", now.status);
            return Err(Refusal::new("ship-lost", text).by(rule::R_27));
        }
        (now.f, sheet.f_max) = implied.flotation(sheet.kind, path)?;
        sheet.s_max = implied.s_max.unwrap_or(now.s.max(1));
        at_most(path, "s", now.s, sheet.s_max)?;
        sheet.h_max = implied.h_max.unwrap_or(now.h);
        at_most(path, "h", now.h, sheet.h_max)?;
        check_mounts(&sheet.main, &format!("{path}.main_mounts"))?;
        check_mounts(&sheet.other, &format!("{path}.other_mounts"))?;
        let other = !sheet.other.is_empty() || now.asw + now.mrf + now.crf > 0;
        sheet.weapons_d10 = implied
            .weapons_d10
            .unwrap_or_else(|| WeaponsD10::of(!sheet.main.is_empty(), other, !sheet.torpedoes.is_empty()));
        let faces = sheet.weapons_d10.sum();
        if !matches!(faces, 0 | 10) {
            let text = format!(".weapons_d10 has {faces} faces; the three groups must share 10, or have none.");
            return Err(wrong(path, &text).by(rule::C_26));
        }
        now.main_lost = bits(sheet.main.iter().map(|mount| mount.lost));
        now.other_lost = bits(sheet.other.iter().map(|mount| mount.lost));
        now.torpedoes_lost = bits(sheet.torpedoes.iter().map(|mount| mount.lost)) as u32;
        now.cargo_destroyed = sheet.cargo.is_some_and(|cargo| cargo.destroyed);
        let ship = Ship::new(rules, &Arc::new(sheet), now);
        counts.check(&ship, path)?;
        Ok(ship)
    }
}

impl Implied {
    /// Flotation and its original value; an air base has none.
    fn flotation(&self, kind: Kind, path: &str) -> Result<(i32, i32), Refusal> {
        if kind == Kind::AirBase {
            let mut given = [("f", self.f), ("f_max", self.f_max)].into_iter();
            return match given.find(|(_, value)| value.is_some_and(|value| value != 0)) {
                Some((field, _)) => Err(unwanted(path, field, "an air base has structure only").by(rule::R_52)),
                None => Ok((0, 0)),
            };
        }
        let f = self.f.ok_or_else(|| missing(path, "f"))?;
        let f_max = self.f_max.unwrap_or(f.max(1));
        if f_max < 1 {
            return Err(wrong(path, ".f_max is 0; it must be 1 or more."));
        }
        at_most(path, "f", f, f_max)?;
        Ok((f, f_max))
    }
}

impl Counts {
    fn check(&self, ship: &Ship, path: &str) -> Result<(), Refusal> {
        let now = &ship.now;
        let counts = [
            ("lrf", self.lrf, ship.lrf),
            ("main_lost", self.main_lost, now.main_lost.count_ones() as i32),
            ("other_lost", self.other_lost, now.other_lost.count_ones() as i32),
            ("torpedo_mounts_lost", self.torpedo_mounts_lost, now.torpedoes_lost.count_ones() as i32),
        ];
        for (field, given, counted) in counts {
            if let Some(given) = given.filter(|given| *given != counted) {
                return Err(wrong(path, &format!(".{field} is {given}; the mounts give {counted}.")));
            }
        }
        Ok(())
    }
}

pub(crate) fn missing(path: &str, field: &str) -> Refusal {
    Refusal::new("missing-field", format!("{path} needs the field '{field}'."))
}

pub(crate) fn unwanted(path: &str, field: &str, why: &str) -> Refusal {
    Refusal::new("unknown-field", format!("{path}.{field} does not belong here: {why}."))
}

/// An open gun has no armour.
pub fn check_mounts(mounts: &[GunMount], path: &str) -> Result<(), Refusal> {
    match mounts.iter().position(|mount| mount.mounting == Mounting::Open && mount.ac > 0) {
        None => Ok(()),
        Some(at) => {
            let text = format!("[{at}].ac is {}; an open gun has no armour: give 0.", mounts[at].ac);
            Err(wrong(path, &text).by(rule::S10_4))
        }
    }
}
