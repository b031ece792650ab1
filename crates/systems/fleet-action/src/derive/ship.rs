//! Ratings of ships. [C-26]

use super::{Gun, GunFacts, rooted};
use crate::geometry::base_radius;
use crate::movement::{acceleration, straight_run_mm};
use crate::rule;
use crate::rules::Rules;
use crate::ship::{Armour, GunMount, MOST_MAIN, MOST_OTHER, MOST_TORPEDO, TorpedoMount, WeaponsD10};
use crate::words::*;
use flagplot_kernel::Refusal;
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// Mounts of one make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct MountFacts {
    /// How the guns are mounted.
    #[serde(rename = "type")]
    pub mounting: Mounting,
    /// Where the mounts stand.
    pub arc: Station,
    /// Guns in each mount.
    #[shape(1..=9, or = 1)]
    pub guns: i32,
    /// Number of mounts.
    #[shape(1..=64, or = 1)]
    pub count: i32,
}

/// A battery: guns of one calibre.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct BatteryFacts {
    /// Main battery or other guns.
    pub group: GunGroup,
    #[serde(flatten)]
    pub gun: GunFacts,
    /// Armour of turrets and casemates.
    #[shape(0..=1000, or = 0, unit = "mm")]
    pub armour_mm: i32,
    /// Quality against aircraft.
    #[shape(or = AntiAir::None)]
    pub aa: AntiAir,
    /// Mounts of the battery.
    #[shape(items = 1..=20)]
    pub mounts: Vec<MountFacts>,
}

/// Torpedo mounts of one make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct TubeFacts {
    /// Where the mounts stand.
    pub arc: Station,
    /// Tubes in each mount.
    #[shape(1..=9)]
    pub tubes: i32,
    /// Number of mounts.
    #[shape(1..=64, or = 1)]
    pub count: i32,
}

/// Facts about a ship.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct ShipFacts {
    /// Type code.
    #[serde(rename = "type")]
    pub code: ShipType,
    /// Year of launch.
    #[shape(1800..=2000)]
    pub year: i32,
    /// Standard displacement; gross tons for merchants.
    #[shape(1..=200_000, unit = "tons")]
    pub displacement_t: i32,
    /// Highest speed.
    #[shape(0..=60, unit = "knots")]
    pub speed_kn: i32,
    /// Officers and men.
    #[shape(0..=10_000)]
    pub complement: i32,
    /// Thickness of the belt.
    #[shape(0..=1000, or = 0, unit = "mm")]
    pub belt_mm: i32,
    /// Thickness of the deck.
    #[shape(0..=1000, or = 0, unit = "mm")]
    pub deck_mm: i32,
    /// Thickness of the conning tower.
    #[shape(0..=1000, or = 0, unit = "mm")]
    pub ct_mm: i32,
    /// Thickness of the flight deck.
    #[shape(0..=1000, or = 0, unit = "mm")]
    pub flight_deck_mm: i32,
    /// Year of the fire control; the year of launch if left out.
    #[shape(1800..=2000)]
    pub fire_control_year: Option<i32>,
    /// Guns by calibre.
    #[shape(items = 0..=10, or = [])]
    pub batteries: Vec<BatteryFacts>,
    /// Torpedo mounts.
    #[shape(items = 0..=20, or = [])]
    pub torpedo_mounts: Vec<TubeFacts>,
    /// Barrels of 28 to 57 mm.
    #[shape(0..=500, or = 0)]
    pub medium_aa: i32,
    /// Barrels below 28 mm.
    #[shape(0..=500, or = 0)]
    pub light_aa: i32,
    /// Depth charge gear.
    pub depth_charges: Option<DepthCharges>,
    /// Aircraft carried.
    #[shape(0..=300, or = 0)]
    pub aircraft: i32,
}

/// Ratings of a battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(result)]
pub struct BatteryRatings {
    /// Main battery or other guns.
    pub group: GunGroup,
    /// Guns.
    pub guns: i32,
    #[serde(flatten)]
    pub gun: Gun,
    /// Quality against aircraft.
    pub aa: AntiAir,
}

/// Ratings of a ship.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(result)]
pub struct ShipRatings {
    /// Size.
    pub size: i32,
    /// Flotation.
    pub f: i32,
    /// Structure.
    pub s: i32,
    /// Victory points.
    pub vp: i32,
    /// Highest speed.
    pub speed: i32,
    /// Straight run before a turn.
    pub mvr_mm: i32,
    /// Knots gained in a turn.
    pub accel_kn: i32,
    /// Radius of the base.
    pub base_mm: i32,
    /// Spotting distance in range bands.
    pub sd: i32,
    /// Directors.
    pub fc: i32,
    /// Steering value.
    pub sv: i32,
    /// Gunnery modifier.
    pub gm: i32,
    /// Damage control teams.
    pub dc: i32,
    /// Armour classes.
    pub armour: Armour,
    /// Class for light guns.
    pub light_class: LightClass,
    /// Guns by calibre.
    #[shape(items = 0..=10)]
    pub batteries: Vec<BatteryRatings>,
    /// Mounts of the main battery.
    #[shape(items = 0..=64)]
    pub main_mounts: Vec<GunMount>,
    /// Mounts of all other guns.
    #[shape(items = 0..=64)]
    pub other_mounts: Vec<GunMount>,
    /// Torpedo mounts.
    #[shape(items = 0..=64)]
    pub torpedo_mounts: Vec<TorpedoMount>,
    /// Long range fire.
    pub lrf: i32,
    /// The heavy guns are marked AA+.
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
    /// Faces of the d10 that strike each group of weapons.
    pub weapons_d10: WeaponsD10,
}

impl ShipType {
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            ShipType::Cv | ShipType::Cvl | ShipType::Cve | ShipType::Cvs => Kind::Carrier,
            ShipType::Mv => Kind::Merchant,
            _ => Kind::Warship,
        }
    }

    /// Whether such a ship was built to trade.
    fn is_trader(self) -> bool {
        matches!(self, ShipType::Mv | ShipType::Amc)
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

fn size_of(displacement_t: i32) -> i32 {
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
        let mounts = |group: GunGroup| -> i64 {
            let batteries = self.batteries.iter().filter(|battery| battery.group == group);
            batteries.flat_map(|battery| &battery.mounts).map(|mount| i64::from(mount.count)).sum()
        };
        let tubes: i64 = self.torpedo_mounts.iter().map(|tubes| i64::from(tubes.count)).sum();
        let limits = [
            ("main", mounts(GunGroup::Main), MOST_MAIN),
            ("other", mounts(GunGroup::Other), MOST_OTHER),
            ("torpedo", tubes, MOST_TORPEDO),
        ];
        for (what, count, most) in limits {
            if count > most as i64 {
                let text = format!("The ship has {count} {what} mounts; a sheet holds {most}.");
                return Err(Refusal::new("out-of-range", text).by(rule::C_26));
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

    fn mounts(&self, group: GunGroup) -> Vec<GunMount> {
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

    /// [C-26]
    #[must_use]
    pub fn derive(&self, rules: &Rules) -> ShipRatings {
        let tons = i64::from(self.displacement_t);
        let trader = self.code.is_trader();
        let share = |points: i32| if trader { points * 3 / 5 } else { points };
        let size = size_of(self.displacement_t);
        let f = share(rooted(tons, 4));
        let batteries: Vec<BatteryRatings> = self.batteries.iter().map(BatteryFacts::derive).collect();
        let heavy_flak: i32 = self
            .batteries
            .iter()
            .zip(&batteries)
            .filter(|(facts, _)| facts.aa != AntiAir::None && (65..=140).contains(&facts.gun.calibre_mm))
            .map(|(_, battery)| battery.guns)
            .sum();
        let (main_mounts, other_mounts) = (self.mounts(GunGroup::Main), self.mounts(GunGroup::Other));
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
        let (mrf, crf) = (rules.band(self.medium_aa), rules.band(self.light_aa));
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
            mvr_mm: straight_run_mm(size, trader),
            accel_kn: acceleration(size, trader),
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
            lrf: rules.band(heavy_flak),
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
        let guns = self.mounts.iter().map(|mount| mount.guns * mount.count).sum();
        BatteryRatings { group: self.group, guns, gun: self.gun.derive(), aa: self.aa }
    }
}
