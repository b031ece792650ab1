//! Close and medium range fire at vessels. [9.8]

use crate::book::Book;
use crate::gunnery::Boats;
use crate::rule;
use crate::throw::{Aim, Mark, Modifiers, Salvo, Saves};
use crate::words::*;
use flagplot_kernel::Refusal;

/// Light guns of one ship or stand at one vessel or stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightFire {
    /// Which guns.
    pub weapon: LightGuns,
    /// How many factors.
    pub factors: i32,
    /// Vessels of a Type X stand that shoots.
    pub firing_vessels: Option<i32>,
    /// The distance.
    pub range_mm: i32,
    /// Splash markers on the shooter.
    pub shooter_splash: i32,
    /// What kind of target.
    pub class: TargetClass,
    /// The target.
    pub target: Mark,
    /// The stand, if the target is one.
    pub boats: Option<Boats>,
}

impl LightFire {
    /// Whether it may be done at all.
    pub fn check(&self, book: &Book) -> Result<(), Refusal> {
        let hurts = match self.class {
            TargetClass::TypeX => true,
            TargetClass::A | TargetClass::C => self.weapon == LightGuns::Mrf,
            TargetClass::Other => false,
        };
        if !hurts {
            let text = format!("{} cannot hurt a target of class {}.", self.weapon.word().to_uppercase(), self.class);
            return Err(Refusal::new("not-a-target", text)
                .by(rule::R_5)
                .remedy("CRF and MRF hurt Type X stands, MRF also ships of class A and C."));
        }
        let reach = match self.weapon {
            LightGuns::Crf => book.reach.crf_surface,
            LightGuns::Mrf => book.reach.mrf_surface,
        };
        if self.range_mm > reach {
            let text = format!(
                "{} mm is beyond the reach of {}, which is {reach} mm.",
                self.range_mm,
                self.weapon.word().to_uppercase()
            );
            return Err(Refusal::new("out-of-gun-range", text).by(rule::C_10));
        }
        Ok(())
    }

    /// How many attacks: a stand multiplies by the band of its vessels.
    #[must_use]
    pub fn attacks(&self, book: &Book) -> i32 {
        self.factors * self.firing_vessels.map_or(1, |vessels| book.band(vessels))
    }

    /// What each needs; crew quality does not count.
    #[must_use]
    pub fn aim(&self, book: &Book) -> Aim {
        let modifiers = Modifiers::new()
            .with("splash on shooter", -self.shooter_splash, rule::S9_8)
            .with("splash on target", -self.target.splash, rule::S9_8)
            .with("target size", self.target.size, rule::S9_8);
        Aim {
            heading: match self.weapon {
                LightGuns::Crf => "9.8 CRF",
                LightGuns::Mrf => "9.8 MRF",
            },
            table: ("to-hit", String::new(), "light guns"),
            rules: if self.firing_vessels.is_some() {
                &[rule::S9_8, rule::R_5, rule::R_37]
            } else {
                &[rule::S9_8, rule::R_5]
            },
            base: book.needs.crf_mrf,
            modifiers: self.target.ease(book, modifiers, rule::S9_8),
            again: self.target.again(book),
        }
    }

    /// What the target saves with.
    #[must_use]
    pub fn saves(&self) -> Saves {
        let boats = self.class == TargetClass::TypeX;
        let modifiers = Modifiers::new()
            .with("saving throw modifier", self.boats.map_or(0, |boats| boats.save_modifier), rule::S9_8)
            .when(boats && self.weapon == LightGuns::Crf, "Type X hit by CRF", 1, rule::S9_8)
            .when(!boats, "ship hit by MRF", 1, rule::R_5);
        Saves { modifiers, rules: &[rule::S9_8, rule::R_30], cost: cost(self.class), lives: None }
    }

    /// The whole volley.
    #[must_use]
    pub fn salvo<'a>(&self, book: &'a Book) -> Salvo<'a> {
        Salvo { book, dice: self.attacks(book), aim: self.aim(book), saves: Some(self.saves()) }
    }
}

/// What a failed saving throw costs.
#[must_use]
pub fn cost(class: TargetClass) -> &'static str {
    if class == TargetClass::TypeX { "a vessel is lost" } else { "one point of structure is lost" }
}
