//! Ships shooting with guns. [9.5, 9.6]

use crate::book::{Book, RANGE_BANDS};
use crate::derive::Gun;
use crate::rule;
use crate::throw::{Again, Aim, Ground, Mark, Modifiers, Saves};
use crate::words::*;
use flagplot_kernel::{Refusal, Rule};

/// Who shoots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shooter {
    /// Crew quality.
    pub crew_quality: i32,
    /// Gunnery modifier.
    pub gunnery_modifier: i32,
    /// Splash markers on the shooter.
    pub splash: i32,
    /// Directors left.
    pub fc: i32,
    /// Whether she is an armed merchant cruiser.
    pub amc: bool,
    /// Where the guns stand.
    pub ground: Ground,
}

/// One battery shooting at one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shoot {
    /// The range band.
    pub band: i32,
    /// The last band the battery reaches.
    pub max_band: i32,
    /// How the guns are laid.
    pub control: Control,
    /// How many guns.
    pub guns: i32,
    /// Who shoots.
    pub shooter: Shooter,
    /// At what.
    pub target: Mark,
    /// Ships between.
    pub intervening_bases: i32,
    /// Whether gunnery radar helps.
    pub radar: bool,
}

const GUNS_AT_SHIPS: &[Rule] = &[rule::S9_5, rule::R_3];
const GUNS_AT_BOATS: &[Rule] = &[rule::S9_6, rule::R_6, rule::R_3];

impl Shoot {
    /// Whether it may be done at all.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.control == Control::Directed && self.shooter.amc {
            return Err(Refusal::new(
                "amc-must-use-local",
                "An armed merchant cruiser has no director: her guns must use Local control.",
            )
            .by(rule::S9_5));
        }
        if self.control == Control::Directed && self.shooter.fc < 1 {
            return Err(Refusal::new(
                "no-fire-control",
                "No fire control is left (fc 0): the guns must use Local control.",
            )
            .by(rule::C_8));
        }
        reach("this battery", self.band, self.max_band)
    }

    /// What the shot needs.
    #[must_use]
    pub fn aim(&self, book: &Book) -> Aim {
        let heading = match self.control {
            Control::Directed => "9.5 Directed",
            Control::Local => "9.5 Local",
        };
        self.aimed(book, heading, GUNS_AT_SHIPS)
    }

    fn aimed(&self, book: &Book, heading: &'static str, rules: &'static [Rule]) -> Aim {
        let modifiers = Modifiers::new()
            .with("crew quality", self.shooter.crew_quality, rule::R_46)
            .with("guns", book.guns_modifier(self.guns), rule::S9_5)
            .with("target size", self.target.size, rule::R_2)
            .with("intervening bases", -self.intervening_bases, rule::S9_5)
            .with("splash on shooter", -self.shooter.splash, rule::S9_5)
            .with("splash on target", -self.target.splash, rule::S9_5)
            .with("gunnery modifier", self.shooter.gunnery_modifier, rule::R_46)
            .when(self.radar, "gunnery radar", 1, rule::S9_1);
        let again = match (self.target.again(book), self.shooter.ground) {
            (Again::No, Ground::Land) => Again::Once(rule::S9_5),
            (again, _) => again,
        };
        Aim {
            heading,
            table: ("gunnery", self.band.to_string(), self.control.word()),
            rules,
            base: book.guns_need(self.control, self.band),
            modifiers: self.target.ease(book, modifiers, rule::S9_5),
            again,
        }
    }
}

/// Whether a band is within reach.
pub fn reach(what: &str, band: i32, max_band: i32) -> Result<(), Refusal> {
    let last = max_band.min(RANGE_BANDS as i32);
    if band <= last {
        return Ok(());
    }
    Err(Refusal::new(
        "out-of-gun-range",
        format!("Range band {band} is beyond the reach of {what}, which is range band {last}."),
    )
    .by(rule::R_3))
}

/// A stand of small craft under fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boats {
    /// Vessels left.
    pub vessels: i32,
    /// Their saving throw modifier.
    pub save_modifier: i32,
}

/// Guns at a Type X stand. [9.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoatShoot {
    /// The shoot; always under Local control.
    pub shoot: Shoot,
    /// The calibre.
    pub calibre_mm: i32,
    /// The stand.
    pub boats: Boats,
}

/// The smallest gun that can be turned on small craft.
pub const SMALLEST_AT_BOATS_MM: i32 = 99;
/// The largest.
pub const LARGEST_AT_BOATS_MM: i32 = 155;

impl BoatShoot {
    /// Whether it may be done at all.
    pub fn check(&self) -> Result<(), Refusal> {
        if !(SMALLEST_AT_BOATS_MM..=LARGEST_AT_BOATS_MM).contains(&self.calibre_mm) {
            let text = format!(
                "Only guns of {SMALLEST_AT_BOATS_MM} to {LARGEST_AT_BOATS_MM} mm can shoot at Type X stands, not {} mm.",
                self.calibre_mm
            );
            return Err(Refusal::new("wrong-calibre", text).by(rule::S9_6));
        }
        self.shoot.check()
    }

    /// What the shot needs.
    #[must_use]
    pub fn aim(&self, book: &Book) -> Aim {
        self.shoot.aimed(book, "9.6 Local at Type X", GUNS_AT_BOATS)
    }

    /// What the stand saves with.
    #[must_use]
    pub fn saves(&self) -> Saves {
        let modifiers = Modifiers::new().with("saving throw modifier", self.boats.save_modifier, rule::S9_6).with(
            "IP of the gun",
            -Gun::ip_of(self.calibre_mm),
            rule::R_6,
        );
        Saves { modifiers, rules: &[rule::S9_6, rule::R_6], cost: "a vessel is lost", lives: None }
    }
}
