//! Ships firing at aircraft. [9.9]

use crate::rule;
use crate::rules::Rules;
use crate::volley::{Again, Aim, Modifiers, Salvo, Saves};
use crate::words::*;
use flagplot_kernel::Refusal;
use flagplot_referee::Shaped;
use serde::Deserialize;

/// Aircraft under fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Stand {
    /// Aircraft in the stand.
    #[shape(1..=27)]
    pub aircraft: i32,
    /// Hit points of each aircraft.
    #[shape(1..=99)]
    pub hit_points: i32,
    /// Flak markers on the stand.
    #[shape(0..=99, or = 0)]
    pub flak: i32,
}

/// One volley of one kind of fire at one stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct FlakVolley {
    /// Kind of fire.
    pub weapon: Flak,
    /// Factors used.
    #[shape(1..=40)]
    pub factors: i32,
    /// Distance to the stand.
    #[shape(0..=100_000, unit = "mm")]
    pub range_mm: i32,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Dual-purpose gunnery radar sees the target.
    #[shape(or = false)]
    pub dpaa_radar: bool,
    /// The guns are marked AA+; LRF only.
    #[shape(or = false)]
    pub aa_plus: bool,
    /// Splash markers on the ship.
    #[shape(0..=99, or = 0)]
    pub splash: i32,
    /// The guns stand on land.
    #[shape(or = false)]
    pub shore: bool,
    /// The stand under fire.
    pub target: Stand,
}

impl FlakVolley {
    pub fn check(&self, rules: &Rules) -> Result<(), Refusal> {
        if self.aa_plus && self.weapon != Flak::Lrf {
            return Err(Refusal::new("not-allowed", "AA+ belongs to heavy guns: only LRF can have it.").by(rule::S9_9));
        }
        let reach = match self.weapon {
            Flak::Lrf => rules.reach.lrf_air,
            Flak::Mrf => rules.reach.mrf_air,
            Flak::Crf => rules.reach.crf_air,
        };
        if self.range_mm > reach {
            let (range, weapon) = (self.range_mm, self.weapon.word().to_uppercase());
            let text = format!("{range} mm is beyond the reach of {weapon} at aircraft, which is {reach} mm.");
            return Err(Refusal::new("out-of-aa-range", text).by(rule::C_10));
        }
        Ok(())
    }

    fn aim(&self, rules: &Rules) -> Aim {
        let long = self.weapon == Flak::Lrf;
        let modifiers = Modifiers::new()
            .with("crew quality", self.crew_quality, rule::R_46)
            .when(long && self.dpaa_radar, "gunnery radar", 1, rule::R_31)
            .when(long && rules.range_band(self.range_mm) >= 2, "LRF at range band 2", -3, rule::S9_9)
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
            base: rules.needs.aa_fire,
            modifiers,
            again: if self.shore { Again::Once(rule::S9_9) } else { Again::No },
        }
    }

    fn saves(&self, rules: &Rules) -> Saves {
        let points = rules.hit_points(self.target.hit_points);
        let modifiers =
            Modifiers::new().when(self.aa_plus, "AA+", -2, rule::S9_9).with("hit points", points, rule::R_9);
        let lives = Some(self.target.aircraft);
        Saves { modifiers, rules: &[rule::S9_9, rule::R_30], cost: "an aircraft is lost", lives }
    }

    #[must_use]
    pub fn salvo<'a>(&self, rules: &'a Rules) -> Salvo<'a> {
        Salvo { rules, dice: self.factors, aim: self.aim(rules), saves: Some(self.saves(rules)) }
    }
}
