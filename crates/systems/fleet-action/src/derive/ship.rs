//! Ratings of ships. [C-26]

use super::{Gun, GunFacts, default_gun_range, default_gun_year, rooted};
use crate::book::{Book, RANGE_BANDS};
use crate::movement::{Handling, acceleration, straight_run_mm};
use crate::sea::base_radius;
use crate::ship::{Armour, GunMount, MOST_MAIN, MOST_OTHER, MOST_TORPEDO, TorpedoMount, WeaponsD10};
use crate::words::*;
use flagplot_kernel::Refusal;
use serde::{Deserialize, Serialize};

fn one() -> i32 {
    1
}

fn no_flak() -> AntiAir {
    AntiAir::None
}

/// Mounts of one make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MountFacts {
    /// How the guns are mounted.
    #[serde(rename = "type")]
    pub mounting: Mounting,
    /// Where they stand.
    pub arc: Station,
    /// Guns in each.
    #[serde(default = "one")]
    pub guns: i32,
    /// How many.
    #[serde(default = "one")]
    pub count: i32,
}

/// A battery: guns of one calibre.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatteryFacts {
    /// Main or other; guns cannot be torpedoes.
    pub group: Group,
    /// The calibre.
    pub calibre_mm: i32,
    /// When the gun was designed.
    #[serde(default = "default_gun_year")]
    pub gun_year: i32,
    /// How far it shoots.
    #[serde(default = "default_gun_range")]
    pub range_yd: i32,
    /// Whether its shell is uncommonly heavy.
    #[serde(default)]
    pub heavy_shell: bool,
    /// Armour of turrets and casemates.
    #[serde(default)]
    pub armour_mm: i32,
    /// Its quality against aircraft.
    #[serde(default = "no_flak")]
    pub aa: AntiAir,
    /// Its mounts.
    pub mounts: Vec<MountFacts>,
}

/// Torpedo mounts of one make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TubeFacts {
    /// Where they stand.
    pub arc: Station,
    /// Tubes in each.
    pub tubes: i32,
    /// How many.
    #[serde(default = "one")]
    pub count: i32,
}

/// What an encyclopaedia says of a ship.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShipFacts {
    /// The type code.
    #[serde(rename = "type")]
    pub code: ShipType,
    /// The year of launch.
    pub year: i32,
    /// Standard displacement in tons; gross tons for merchants.
    pub displacement_t: i32,
    /// The highest speed.
    pub speed_kn: i32,
    /// Officers and men.
    pub complement: i32,
    /// The belt.
    #[serde(default)]
    pub belt_mm: i32,
    /// The deck.
    #[serde(default)]
    pub deck_mm: i32,
    /// The conning tower.
    #[serde(default)]
    pub ct_mm: i32,
    /// The flight deck.
    #[serde(default)]
    pub flight_deck_mm: i32,
    /// The year of the fire control; that of the ship where nothing is said.
    #[serde(default)]
    pub fire_control_year: Option<i32>,
    /// Guns.
    pub batteries: Vec<BatteryFacts>,
    /// Torpedo mounts.
    #[serde(default)]
    pub torpedo_mounts: Vec<TubeFacts>,
    /// Barrels of 28 to 57 mm.
    #[serde(default)]
    pub medium_aa: i32,
    /// Barrels below 28 mm.
    #[serde(default)]
    pub light_aa: i32,
    /// Depth charge gear.
    #[serde(default)]
    pub depth_charges: Option<DepthCharges>,
    /// Aircraft carried.
    #[serde(default)]
    pub aircraft: i32,
}

/// A battery as rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatteryRatings {
    /// Main or other.
    pub group: Group,
    /// How many guns.
    pub guns: i32,
    /// Damage points.
    pub ip: i32,
    /// Critical value.
    pub cv: i32,
    /// The last band it reaches.
    pub max_band: i32,
    /// Penetration in each band.
    pub pen: [i32; RANGE_BANDS],
    /// Its quality against aircraft.
    pub aa: AntiAir,
}

/// A ship as rated.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShipRatings {
    /// How large a target she is.
    pub size: i32,
    /// Flotation.
    pub f: i32,
    /// Structure.
    pub s: i32,
    /// Victory points.
    pub vp: i32,
    /// The highest speed.
    pub speed: i32,
    /// The straight run before a turn.
    pub mvr_mm: i32,
    /// Knots gained in a turn.
    pub accel_kn: i32,
    /// The radius of the base.
    pub base_mm: i32,
    /// Spotting distance.
    pub sd: i32,
    /// Directors.
    pub fc: i32,
    /// Steering.
    pub sv: i32,
    /// Gunnery modifier.
    pub gm: i32,
    /// Damage control teams.
    pub dc: i32,
    /// Armour classes.
    pub armour: Armour,
    /// How light guns see her.
    pub light_class: LightClass,
    /// Guns by battery.
    pub batteries: Vec<BatteryRatings>,
    /// Main mounts.
    pub main_mounts: Vec<GunMount>,
    /// Other mounts.
    pub other_mounts: Vec<GunMount>,
    /// Torpedo mounts.
    pub torpedo_mounts: Vec<TorpedoMount>,
    /// Long range fire.
    pub lrf: i32,
    /// Whether her heavy guns are very good against aircraft.
    pub aa_plus: bool,
    /// Medium range fire.
    pub mrf: i32,
    /// Close range fire.
    pub crf: i32,
    /// Depth charge factors.
    pub asw: i32,
    /// Aircraft handling.
    pub h: i32,
    /// Aircraft served in a turn.
    pub rrr: i32,
    /// Which face strikes which group of weapons.
    pub weapons_d10: WeaponsD10,
}

impl ShipType {
    /// What such a ship is.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            ShipType::Cv | ShipType::Cvl | ShipType::Cve | ShipType::Cvs => Kind::Carrier,
            ShipType::Mv => Kind::Merchant,
            _ => Kind::Warship,
        }
    }

    /// Whether she was built to trade.
    #[must_use]
    pub fn handling(self) -> Handling {
        if matches!(self, ShipType::Mv | ShipType::Amc) { Handling::Mercantile } else { Handling::Naval }
    }

    fn directors(self) -> i32 {
        use ShipType::*;
        match self {
            Bb | Bc | B | Sd | Bbh => 3,
            Bbl | Bcd | Ac | Ca | C | Cl | Cp | Cs | Ct | Cm | Claa | Cv | Cvl | Cve | Cvs => 2,
            Mv | Amc => 0,
            Dd | Dde | Tb | Ddt | Pf | Pg | Ms => 1,
        }
    }

    fn light_class(self) -> LightClass {
        match self {
            ShipType::Mv | ShipType::Amc => LightClass::A,
            ShipType::Pf | ShipType::Pg | ShipType::Ms => LightClass::C,
            _ => LightClass::None,
        }
    }
}

/// The size of a displacement.
#[must_use]
pub fn size_of(displacement_t: i32) -> i32 {
    match displacement_t {
        35_000.. => 3,
        18_000.. => 2,
        9_000.. => 1,
        5_000.. => 0,
        2_500.. => -1,
        1_000.. => -2,
        300.. => -3,
        _ => -4,
    }
}

impl ShipFacts {
    /// Whether the ship fits on a sheet.
    pub fn check(&self) -> Result<(), Refusal> {
        let mounts = |group: Group| -> i64 {
            self.batteries
                .iter()
                .filter(|battery| battery.group == group)
                .flat_map(|battery| &battery.mounts)
                .map(|mount| i64::from(mount.count))
                .sum()
        };
        let tubes: i64 = self.torpedo_mounts.iter().map(|tubes| i64::from(tubes.count)).sum();
        let limits = [
            ("main", mounts(Group::Main), MOST_MAIN),
            ("other", mounts(Group::Other), MOST_OTHER),
            ("torpedo", tubes, MOST_TORPEDO),
        ];
        for (what, count, most) in limits {
            if count > most as i64 {
                return Err(Refusal::new(
                    "out-of-range",
                    format!("A ship has {count} {what} mounts; a sheet holds {most}."),
                )
                .by(crate::rule::C_26));
            }
        }
        Ok(())
    }

    fn armour_class(&self, mm: i32) -> i32 {
        let quality = match self.year {
            1926.. => 1000,
            1906.. => 900,
            _ => 750,
        };
        (mm * quality + 12_700) / 25_400
    }

    fn mounts(&self, group: Group) -> Vec<GunMount> {
        let mut list = Vec::new();
        for (at, battery) in self.batteries.iter().enumerate().filter(|(_, battery)| battery.group == group) {
            for facts in &battery.mounts {
                let armoured = matches!(facts.mounting, Mounting::Turret | Mounting::Casemate);
                let mount = GunMount {
                    mounting: facts.mounting,
                    ac: if armoured { self.armour_class(battery.armour_mm) } else { 0 },
                    guns: facts.guns,
                    arc: facts.arc,
                    aa: battery.aa != AntiAir::None,
                    battery: at as i32,
                    lost: false,
                };
                list.extend((0..facts.count).map(|_| mount));
            }
        }
        list
    }

    /// The ratings. [C-26]
    #[must_use]
    pub fn derive(&self, book: &Book) -> ShipRatings {
        let tons = i64::from(self.displacement_t);
        let handling = self.code.handling();
        let trader = handling == Handling::Mercantile;
        let share = |points: i32| if trader { points * 3 / 5 } else { points };
        let size = size_of(self.displacement_t);
        let f = share(rooted(tons, 4));
        let batteries: Vec<BatteryRatings> = self.batteries.iter().map(BatteryFacts::derive).collect();
        let heavy_flak: i32 = self
            .batteries
            .iter()
            .zip(&batteries)
            .filter(|(facts, _)| facts.aa != AntiAir::None && (65..=140).contains(&facts.calibre_mm))
            .map(|(_, battery)| battery.guns)
            .sum();
        let (main_mounts, other_mounts) = (self.mounts(Group::Main), self.mounts(Group::Other));
        let torpedo_mounts: Vec<TorpedoMount> = self
            .torpedo_mounts
            .iter()
            .flat_map(|tubes| {
                (0..tubes.count).map(|_| TorpedoMount {
                    mounting: Tubes::Torpedo,
                    tubes: tubes.tubes,
                    arc: tubes.arc,
                    lost: false,
                })
            })
            .collect();
        let (mrf, crf) = (book.band(self.medium_aa), book.band(self.light_aa));
        let asw = match self.depth_charges {
            None => 0,
            Some(DepthCharges::Rails) => 1,
            Some(DepthCharges::Throwers) => 2,
            Some(DepthCharges::Ahead) => 3,
        };
        let h = if self.code.kind() == Kind::Carrier { ((self.aircraft + 3) / 6).min(20) } else { 0 };
        ShipRatings {
            size,
            f,
            s: share(rooted(4 * tons, 3)),
            vp: f,
            speed: self.speed_kn,
            mvr_mm: straight_run_mm(size, handling),
            accel_kn: acceleration(size, handling),
            base_mm: base_radius(size),
            sd: self.spotting(size, trader),
            fc: self.code.directors(),
            sv: match size {
                2.. => 4,
                0..=1 => 3,
                -2..=-1 => 2,
                _ => 1,
            },
            gm: self.gunnery_modifier(trader),
            dc: ((self.complement + 125) / 250).max(1),
            armour: Armour {
                belt: self.armour_class(self.belt_mm),
                deck: self.armour_class(self.deck_mm),
                ct: self.armour_class(self.ct_mm),
                flight_deck: self.armour_class(self.flight_deck_mm),
            },
            light_class: self.code.light_class(),
            lrf: book.band(heavy_flak),
            aa_plus: self.batteries.iter().any(|battery| battery.aa == AntiAir::AaPlus),
            mrf,
            crf,
            asw,
            h,
            rrr: (h + 2) / 3,
            weapons_d10: WeaponsD10::of(
                !main_mounts.is_empty(),
                !other_mounts.is_empty() || asw + mrf + crf > 0,
                !torpedo_mounts.is_empty(),
            ),
            batteries,
            main_mounts,
            other_mounts,
            torpedo_mounts,
        }
    }

    fn spotting(&self, size: i32, trader: bool) -> i32 {
        let bands = match size {
            2.. => 5,
            0..=1 => 4,
            -2..=-1 => 3,
            -3 => 2,
            _ => 1,
        };
        if trader { (bands - 1).max(1) } else { bands }
    }

    fn gunnery_modifier(&self, trader: bool) -> i32 {
        match self.fire_control_year.unwrap_or(self.year) {
            _ if trader => -1,
            ..=1915 => -1,
            1916..=1930 => 0,
            1931..=1942 => 1,
            _ => 2,
        }
    }
}

impl BatteryFacts {
    fn derive(&self) -> BatteryRatings {
        let facts = GunFacts {
            calibre_mm: self.calibre_mm,
            gun_year: self.gun_year,
            range_yd: self.range_yd,
            heavy_shell: self.heavy_shell,
        };
        let Gun { ip, cv, max_band, pen } = facts.derive();
        let guns = self.mounts.iter().map(|mount| mount.guns * mount.count).sum();
        BatteryRatings { group: self.group, guns, ip, cv, max_band, pen, aa: self.aa }
    }
}
