//! A ship: a sheet that never changes and a condition that damage changes.

use crate::book::Book;
use crate::words::*;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap, ser::SerializeSeq};
use std::sync::Arc;

/// Most main gun mounts of a ship.
pub const MOST_MAIN: usize = 40;
/// Most other gun mounts of a ship.
pub const MOST_OTHER: usize = 64;
/// Most torpedo mounts of a ship.
pub const MOST_TORPEDO: usize = 20;

/// Armour classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Armour {
    /// The side.
    pub belt: i32,
    /// The deck.
    pub deck: i32,
    /// The conning tower.
    pub ct: i32,
    /// The flight deck.
    pub flight_deck: i32,
}

/// A gun mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GunMount {
    /// How the guns are mounted.
    #[serde(rename = "type")]
    pub mounting: Mounting,
    /// Its armour.
    pub ac: i32,
    /// How many guns.
    pub guns: i32,
    /// Where it stands.
    pub arc: Station,
    /// Whether it shoots at aircraft.
    pub aa: bool,
    /// The battery it belongs to.
    pub battery: i32,
    /// Whether it is lost.
    pub lost: bool,
}

/// A torpedo mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorpedoMount {
    /// Always a torpedo mount.
    #[serde(rename = "type")]
    pub mounting: Tubes,
    /// How many tubes.
    pub tubes: i32,
    /// Where it stands.
    pub arc: Station,
    /// Whether it is lost.
    pub lost: bool,
}

/// Which faces of the d10 strike which group of weapons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeaponsD10 {
    /// Faces for the main battery.
    pub main: i32,
    /// Faces for other guns.
    pub other: i32,
    /// Faces for torpedoes.
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

    /// The group a face strikes.
    #[must_use]
    pub fn group(self, face: u8) -> Group {
        match i32::from(face) {
            face if face <= self.main => Group::Main,
            face if face <= self.main + self.other => Group::Other,
            _ => Group::Torpedoes,
        }
    }
}

/// What a ship carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cargo {
    /// What it is.
    pub kind: CargoKind,
    /// How much.
    pub points: i32,
}

/// Weaknesses of a ship and of the sea she is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Weakness {
    /// Bulkheads that do not hold.
    pub poor_underwater: bool,
    /// Fuel and aircraft badly kept.
    pub poor_carrier_safety: bool,
    /// Magazines that flash.
    pub unsafe_magazines: bool,
    /// She lies in bad weather.
    pub bad_weather: bool,
}

/// What of a ship never changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sheet {
    /// Her name.
    pub name: String,
    /// What she is.
    pub kind: Kind,
    /// How large a target she is.
    pub size: i32,
    /// Flotation at the start.
    pub f_max: i32,
    /// Structure at the start.
    pub s_max: i32,
    /// Handling at the start.
    pub h_max: i32,
    /// Her armour.
    pub armour: Armour,
    /// The main battery.
    pub main: Vec<GunMount>,
    /// All other guns.
    pub other: Vec<GunMount>,
    /// Torpedo mounts.
    pub torpedoes: Vec<TorpedoMount>,
    /// Which face strikes which group.
    pub weapons_d10: WeaponsD10,
    /// What she carries.
    pub cargo: Option<Cargo>,
    /// Her weaknesses.
    pub weakness: Weakness,
}

/// What of a ship damage changes. A small plain value: the state of the odds and of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// What has become of her.
    pub status: Status,
    /// Flotation.
    pub f: i32,
    /// Structure.
    pub s: i32,
    /// The highest speed left, in knots.
    pub speed: i32,
    /// Steering.
    pub sv: i32,
    /// Directors.
    pub fc: i32,
    /// Spotting distance in bands.
    pub sd: i32,
    /// Gunnery modifier.
    pub gm: i32,
    /// Damage control teams.
    pub dc: i32,
    /// Crew quality.
    pub crew_quality: i32,
    /// Command value.
    pub command: i32,
    /// Fires aboard.
    pub fires: i32,
    /// Splash markers.
    pub splash: i32,
    /// Aircraft handling.
    pub h: i32,
    /// Aircraft served in a turn.
    pub rrr: i32,
    /// Catapults.
    pub catapults: i32,
    /// Stands being armed.
    pub rearming: i32,
    /// Depth charge factors.
    pub asw: i32,
    /// Medium range fire.
    pub mrf: i32,
    /// Close range fire.
    pub crf: i32,
    /// Equipment still there.
    pub gear: Gear,
    /// Lost main mounts, a bit each.
    pub main_lost: u64,
    /// Lost other mounts, a bit each.
    pub other_lost: u64,
    /// Lost torpedo mounts, a bit each.
    pub torpedoes_lost: u32,
    /// Whether her cargo is destroyed.
    pub cargo_destroyed: bool,
}

/// Equipment and states that are there or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gear {
    /// A flag officer is aboard.
    pub flag_officer: bool,
    /// Searchlights.
    pub searchlights: bool,
    /// Planes and the gear to launch them.
    pub ship_planes: bool,
    /// Gunnery radar.
    pub gunnery_radar: bool,
    /// Search radar.
    pub search_radar: bool,
    /// She can make smoke.
    pub smoke: bool,
    /// Her power has failed.
    pub power_failed: bool,
}

impl Sheet {
    /// Whether she is an air base.
    #[must_use]
    pub fn is_air_base(&self) -> bool {
        self.kind == Kind::AirBase
    }

    /// Whether she is struck on the carrier table.
    #[must_use]
    pub fn uses_carrier_table(&self) -> bool {
        matches!(self.kind, Kind::Carrier | Kind::AirBase)
    }

    /// The dice of collateral damage when magazines or fuel explode.
    #[must_use]
    pub fn explosion_dice(&self) -> i32 {
        let measure = if self.is_air_base() { self.s_max } else { self.f_max };
        (measure / 10).max(1)
    }

    /// Her long range fire: the band of the guns left that shoot at aircraft.
    #[must_use]
    pub fn lrf(&self, book: &Book, now: &Condition) -> i32 {
        let guns = |mounts: &[GunMount], lost: u64| -> i32 {
            mounts
                .iter()
                .enumerate()
                .filter(|(at, mount)| mount.aa && !is_lost(lost, *at))
                .map(|(_, mount)| mount.guns)
                .sum()
        };
        book.band(guns(&self.main, now.main_lost) + guns(&self.other, now.other_lost))
    }
}

/// Whether the mount at a place is lost.
#[must_use]
pub fn is_lost(lost: u64, at: usize) -> bool {
    lost >> at & 1 == 1
}

impl Condition {
    /// Whether she is still in the game.
    #[must_use]
    pub fn afloat(&self) -> bool {
        self.status == Status::Afloat
    }
}

/// A ship with her sheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ship {
    /// What never changes.
    pub sheet: Arc<Sheet>,
    /// What damage changes.
    pub now: Condition,
    /// Her long range fire, which follows from the rest.
    pub lrf: i32,
}

impl Ship {
    /// A ship in a condition.
    #[must_use]
    pub fn new(book: &Book, sheet: &Arc<Sheet>, now: Condition) -> Ship {
        let lrf = sheet.lrf(book, &now);
        Ship { sheet: Arc::clone(sheet), now, lrf }
    }
}

struct Guns<'a>(&'a [GunMount], u64);
struct Torpedoes<'a>(&'a [TorpedoMount], u64);

impl Serialize for Guns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for (at, mount) in self.0.iter().enumerate() {
            list.serialize_element(&GunMount { lost: is_lost(self.1, at), ..*mount })?;
        }
        list.end()
    }
}

impl Serialize for Torpedoes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for (at, mount) in self.0.iter().enumerate() {
            list.serialize_element(&TorpedoMount { lost: is_lost(self.1, at), ..*mount })?;
        }
        list.end()
    }
}

#[derive(Serialize)]
struct CargoNow {
    kind: CargoKind,
    points: i32,
    destroyed: bool,
}

impl Serialize for Ship {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (sheet, now) = (&*self.sheet, &self.now);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &sheet.name)?;
        map.serialize_entry("kind", &sheet.kind)?;
        map.serialize_entry("status", &now.status)?;
        let numbers = [
            ("size", sheet.size),
            ("f", now.f),
            ("f_max", sheet.f_max),
            ("s", now.s),
            ("s_max", sheet.s_max),
            ("crew_quality", now.crew_quality),
            ("command", now.command),
            ("speed", now.speed),
            ("sv", now.sv),
            ("fc", now.fc),
            ("sd", now.sd),
            ("gm", now.gm),
            ("dc", now.dc),
            ("fires", now.fires),
            ("splash", now.splash),
            ("h", now.h),
            ("h_max", sheet.h_max),
            ("rrr", now.rrr),
            ("catapults", now.catapults),
            ("rearming", now.rearming),
            ("asw", now.asw),
            ("mrf", now.mrf),
            ("crf", now.crf),
            ("lrf", self.lrf),
        ];
        for (name, value) in numbers {
            map.serialize_entry(name, &value)?;
        }
        let flags = [
            ("flag_officer", now.gear.flag_officer),
            ("searchlights", now.gear.searchlights),
            ("ship_planes", now.gear.ship_planes),
            ("gunnery_radar", now.gear.gunnery_radar),
            ("search_radar", now.gear.search_radar),
            ("smoke", now.gear.smoke),
            ("power_failed", now.gear.power_failed),
            ("poor_underwater", sheet.weakness.poor_underwater),
            ("poor_carrier_safety", sheet.weakness.poor_carrier_safety),
            ("unsafe_magazines", sheet.weakness.unsafe_magazines),
            ("bad_weather", sheet.weakness.bad_weather),
        ];
        for (name, value) in flags {
            map.serialize_entry(name, &value)?;
        }
        map.serialize_entry("armour", &sheet.armour)?;
        map.serialize_entry("main_mounts", &Guns(&sheet.main, now.main_lost))?;
        map.serialize_entry("other_mounts", &Guns(&sheet.other, now.other_lost))?;
        map.serialize_entry("torpedo_mounts", &Torpedoes(&sheet.torpedoes, u64::from(now.torpedoes_lost)))?;
        map.serialize_entry("main_lost", &now.main_lost.count_ones())?;
        map.serialize_entry("other_lost", &now.other_lost.count_ones())?;
        map.serialize_entry("torpedo_mounts_lost", &now.torpedoes_lost.count_ones())?;
        map.serialize_entry("weapons_d10", &sheet.weapons_d10)?;
        let cargo = sheet.cargo.map(|cargo| CargoNow {
            kind: cargo.kind,
            points: cargo.points,
            destroyed: now.cargo_destroyed,
        });
        map.serialize_entry("cargo", &cargo)?;
        map.end()
    }
}
