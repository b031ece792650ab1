//! Ships firing their guns. [9.5, 9.6]

use crate::derive::Gun;
use crate::rule;
use crate::rules::{RANGE_BANDS, Rules};
use crate::volley::{Again, Aim, Modifiers, Motion, Saves, Target, chance};
use crate::words::*;
use flagplot_kernel::{Refusal, Rule};
use flagplot_referee::Shaped;
use serde::Deserialize;

/// A distance in one of two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Range {
    /// Distance to the target, or tell its range band.
    #[shape(0..=100_000, unit = "mm")]
    pub range_mm: Option<i32>,
    /// Range band, or tell the distance.
    #[shape(1..=99)]
    pub range_band: Option<i32>,
}

impl Range {
    pub fn band(self, rules: &Rules) -> Result<i32, Refusal> {
        let (code, text) = match (self.range_mm, self.range_band) {
            (Some(mm), None) => return Ok(rules.range_band(mm)),
            (None, Some(band)) => return Ok(band),
            (Some(_), Some(_)) => ("unknown-field", "Give range_mm or range_band, not both."),
            (None, None) => ("missing-field", "input needs range_mm or range_band."),
        };
        Err(Refusal::new(code, text).by(rule::R_3))
    }
}

/// The people at the guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct GunCrew {
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Gunnery modifier.
    #[shape(-20..=9, or = 0)]
    pub gunnery_modifier: i32,
    /// Splash markers on the shooter.
    #[shape(0..=99, or = 0)]
    pub splash: i32,
    /// The guns stand on land.
    #[shape(or = false)]
    pub shore_battery: bool,
}

/// The ship or shore battery that fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Shooter {
    #[serde(flatten)]
    pub crew: GunCrew,
    /// Directors left.
    #[shape(0..=9, or = 1)]
    pub fc: i32,
    /// The shooter is an armed merchant cruiser.
    #[shape(or = false)]
    pub amc: bool,
}

/// What helps and hinders every gun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct LineOfFire {
    /// Ships in the line of fire.
    #[shape(0..=99, or = 0)]
    pub intervening_bases: i32,
    /// Gunnery radar adds 1.
    #[shape(or = false)]
    pub radar_bonus: bool,
}

/// One battery firing at a target that a request describes by `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Firing<T: Shaped> {
    #[serde(flatten)]
    pub range: Range,
    /// Last range band the battery reaches; 5, or that of the gun given.
    #[shape(1..=5)]
    pub max_band: Option<i32>,
    /// How the guns are laid.
    pub control: Control,
    /// Guns that fire.
    #[shape(1..=99)]
    pub guns: i32,
    /// The ship or battery that fires.
    pub shooter: Shooter,
    /// The target.
    pub target: T,
    #[serde(flatten)]
    pub line: LineOfFire,
}

impl<T: Shaped> Firing<T> {
    /// The shoot, if the guns may fire. `max_band` is the reach of the guns if the request does not say it.
    pub fn shoot(&self, rules: &Rules, target: Target, max_band: i32) -> Result<Shoot, Refusal> {
        let band = self.range.band(rules)?;
        if self.control == Control::Directed && self.shooter.amc {
            let text = "An armed merchant cruiser has no director: her guns must use Local control.";
            return Err(Refusal::new("amc-must-use-local", text).by(rule::S9_5));
        }
        if self.control == Control::Directed && self.shooter.fc < 1 {
            let text = "No fire control is left (fc 0): the guns must use Local control.";
            return Err(Refusal::new("no-fire-control", text).by(rule::C_8));
        }
        in_reach(band, self.max_band.unwrap_or(max_band))?;
        let Self { control, guns, shooter: Shooter { crew, .. }, line, .. } = *self;
        Ok(Shoot { band, control, guns, crew, target, line })
    }
}

/// One battery firing at one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shoot {
    pub band: i32,
    pub control: Control,
    pub guns: i32,
    pub crew: GunCrew,
    pub target: Target,
    pub line: LineOfFire,
}

const GUNS_AT_SHIPS: &[Rule] = &[rule::S9_5, rule::R_3];
const GUNS_AT_BOATS: &[Rule] = &[rule::S9_6, rule::R_6, rule::R_3];

impl Shoot {
    #[must_use]
    pub fn aim(&self, rules: &Rules) -> Aim {
        let heading = match self.control {
            Control::Directed => "9.5 Directed",
            Control::Local => "9.5 Local",
        };
        self.aimed(rules, heading, GUNS_AT_SHIPS)
    }

    /// Everything that is added to the die, with what is 0 here.
    fn parts(&self, rules: &Rules) -> [(&'static str, i32, Rule); 10] {
        let LineOfFire { intervening_bases, radar_bonus } = self.line;
        let [steering, slow] = self.target.eased(rules, rule::S9_5);
        [
            ("crew quality", self.crew.crew_quality, rule::R_46),
            ("guns", rules.guns_modifier(self.guns), rule::S9_5),
            ("target size", self.target.size, rule::R_2),
            ("intervening bases", -intervening_bases, rule::S9_5),
            ("splash on shooter", -self.crew.splash, rule::S9_5),
            ("splash on target", -self.target.splash, rule::S9_5),
            ("gunnery modifier", self.crew.gunnery_modifier, rule::R_46),
            ("gunnery radar", i32::from(radar_bonus), rule::S9_1),
            steering,
            slow,
        ]
    }

    fn again(&self, rules: &Rules) -> Again {
        match self.target.again(rules) {
            Again::No if self.crew.shore_battery => Again::Once(rule::S9_5),
            again => again,
        }
    }

    /// The chance to hit, in parts of [`CHANCE_PARTS`](crate::volley::CHANCE_PARTS); that of [`aim`](Shoot::aim), found
    /// faster.
    #[must_use]
    pub fn chance(&self, rules: &Rules) -> i64 {
        let added: i32 = self.parts(rules).iter().map(|(_, value, _)| value).sum();
        chance(rules.guns_need(self.control, self.band) - added, self.again(rules) != Again::No)
    }

    fn aimed(&self, rules: &Rules, heading: &'static str, cited: &'static [Rule]) -> Aim {
        let parts = self.parts(rules).into_iter();
        Aim {
            heading,
            table: ("gunnery", self.band.to_string(), self.control.word()),
            rules: cited,
            base: rules.guns_need(self.control, self.band),
            modifiers: parts.fold(Modifiers::new(), |all, (name, value, rule)| all.with(name, value, rule)),
            again: self.again(rules),
        }
    }
}

fn in_reach(band: i32, max_band: i32) -> Result<(), Refusal> {
    let last = max_band.min(RANGE_BANDS as i32);
    if band <= last {
        return Ok(());
    }
    let text = format!("Range band {band} is beyond the reach of this battery, which is range band {last}.");
    Err(Refusal::new("out-of-gun-range", text).by(rule::R_3))
}

/// A stand of small craft under fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Boats {
    /// Vessels left.
    #[shape(1..=12)]
    pub vessels: i32,
    /// Saving throw modifier.
    #[shape(-2..=1, or = 0)]
    pub save_modifier: i32,
    /// Size of the target.
    #[shape(-4..=3, or = -4)]
    pub size: i32,
    /// Splash markers on the stand.
    #[shape(0..=99, or = 0)]
    pub splash: i32,
    #[serde(flatten)]
    pub motion: Motion,
}

/// Guns at a Type X stand. [9.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct BoatShoot {
    /// Calibre of the guns.
    #[shape(1..=600, unit = "mm")]
    pub calibre_mm: i32,
    #[serde(flatten)]
    pub range: Range,
    /// Guns that fire.
    #[shape(1..=99)]
    pub guns: i32,
    /// The ship or battery that fires.
    pub shooter: GunCrew,
    /// The stand under fire.
    pub target: Boats,
    #[serde(flatten)]
    pub line: LineOfFire,
}

/// The calibres that can fire at small craft.
const AT_BOATS_MM: std::ops::RangeInclusive<i32> = 99..=155;

impl BoatShoot {
    /// The range band, if the guns may fire.
    pub fn check(&self, rules: &Rules) -> Result<i32, Refusal> {
        let (calibre, first, last) = (self.calibre_mm, AT_BOATS_MM.start(), AT_BOATS_MM.end());
        let band = self.range.band(rules)?;
        if !AT_BOATS_MM.contains(&calibre) {
            let text = format!("Only guns of {first} to {last} mm can fire at Type X stands, not {calibre} mm.");
            return Err(Refusal::new("wrong-calibre", text).by(rule::S9_6));
        }
        in_reach(band, RANGE_BANDS as i32)?;
        Ok(band)
    }

    /// The shoot in a range band, in Local control.
    #[must_use]
    pub fn shoot(&self, band: i32) -> Shoot {
        let Boats { size, splash, motion, .. } = self.target;
        // A stand has no steering value that could be lost.
        let target = Target { size, splash, motion, sv: 1 };
        let Self { guns, shooter: crew, line, .. } = *self;
        Shoot { band, control: Control::Local, guns, crew, target, line }
    }

    #[must_use]
    pub fn aim(&self, rules: &Rules, band: i32) -> Aim {
        self.shoot(band).aimed(rules, "9.6 Local at Type X", GUNS_AT_BOATS)
    }

    #[must_use]
    pub fn saves(&self) -> Saves {
        let modifiers = Modifiers::new().with("saving throw modifier", self.target.save_modifier, rule::S9_6).with(
            "IP of the gun",
            -Gun::ip_of(self.calibre_mm),
            rule::R_6,
        );
        Saves { modifiers, rules: &[rule::S9_6, rule::R_6], cost: "a vessel is lost", lives: None }
    }
}
