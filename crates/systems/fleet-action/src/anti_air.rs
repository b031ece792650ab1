//! Ships shooting at aircraft. [9.9]

use crate::book::Book;
use crate::rule;
use crate::throw::{Again, Aim, Ground, Modifiers, Salvo, Saves};
use crate::words::*;
use flagplot_kernel::Refusal;

/// Aircraft under fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// Aircraft left.
    pub aircraft: i32,
    /// Hit points of each.
    pub hit_points: i32,
    /// Flak markers on the stand.
    pub flak: i32,
}

/// One volley of one kind of fire at one stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlakVolley {
    /// Which fire.
    pub weapon: Flak,
    /// How many factors.
    pub factors: i32,
    /// The distance.
    pub range_mm: i32,
    /// Crew quality.
    pub crew_quality: i32,
    /// Whether dual-purpose gunnery radar sees the target.
    pub dpaa_radar: bool,
    /// Whether the guns are marked AA+.
    pub aa_plus: bool,
    /// Splash markers on the ship.
    pub splash: i32,
    /// Where the guns stand.
    pub ground: Ground,
    /// The target.
    pub target: Stand,
}

impl FlakVolley {
    /// Whether it may be done at all.
    pub fn check(&self, book: &Book) -> Result<(), Refusal> {
        if self.aa_plus && self.weapon != Flak::Lrf {
            return Err(Refusal::new("not-allowed", "AA+ belongs to heavy guns: only LRF can have it.").by(rule::S9_9));
        }
        let reach = match self.weapon {
            Flak::Lrf => book.reach.lrf_air,
            Flak::Mrf => book.reach.mrf_air,
            Flak::Crf => book.reach.crf_air,
        };
        if self.range_mm > reach {
            let text = format!(
                "{} mm is beyond the reach of {} at aircraft, which is {reach} mm.",
                self.range_mm,
                self.weapon.word().to_uppercase()
            );
            return Err(Refusal::new("out-of-aa-range", text).by(rule::C_10));
        }
        Ok(())
    }

    /// What each die needs.
    #[must_use]
    pub fn aim(&self, book: &Book) -> Aim {
        let long = self.weapon == Flak::Lrf;
        let modifiers = Modifiers::new()
            .with("crew quality", self.crew_quality, rule::R_46)
            .when(long && self.dpaa_radar, "gunnery radar", 1, rule::R_31)
            .when(long && book.range_band(self.range_mm) >= 2, "LRF at range band 2", -3, rule::S9_9)
            .with("splash on ship", -self.splash, rule::R_48)
            .with("flak on target", -self.target.flak, rule::S9_9);
        Aim {
            heading: match self.weapon {
                Flak::Lrf => "9.9 LRF",
                Flak::Mrf => "9.9 MRF",
                Flak::Crf => "9.9 CRF",
            },
            table: ("to-hit", String::new(), "anti-aircraft fire"),
            rules: &[rule::S9_9, rule::C_11],
            base: book.needs.aa_fire,
            modifiers,
            again: if self.ground == Ground::Land { Again::Once(rule::S9_9) } else { Again::No },
        }
    }

    /// What the aircraft save with.
    #[must_use]
    pub fn saves(&self, book: &Book) -> Saves {
        let modifiers = Modifiers::new().when(self.aa_plus, "AA+", -2, rule::S9_9).with(
            "hit points",
            book.hit_points(self.target.hit_points),
            rule::R_9,
        );
        Saves {
            modifiers,
            rules: &[rule::S9_9, rule::R_30],
            cost: "an aircraft is lost",
            lives: Some(self.target.aircraft),
        }
    }

    /// The whole volley.
    #[must_use]
    pub fn salvo<'a>(&self, book: &'a Book) -> Salvo<'a> {
        Salvo { book, dice: self.factors, aim: self.aim(book), saves: Some(self.saves(book)) }
    }
}
