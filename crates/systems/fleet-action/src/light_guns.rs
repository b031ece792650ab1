//! Close and medium range fire at vessels. [9.8]

use crate::rule;
use crate::rules::Rules;
use crate::ship::{missing, unwanted};
use crate::volley::{Aim, Modifiers, Motion, Salvo, SalvoState, Saves, Target};
use crate::words::*;
use flagplot_kernel::Refusal;
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// A target of light guns: a Type X stand has vessels, a ship has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct SmallTarget {
    /// Class of the target.
    pub class: TargetClass,
    /// Size; -4 for type-x, else 0.
    #[shape(-4..=3)]
    pub size: Option<i32>,
    /// Splash markers on the target.
    #[shape(0..=99, or = 0)]
    pub splash: i32,
    #[serde(flatten)]
    pub motion: Motion,
    /// Steering value of the target.
    #[shape(0..=9, or = 1)]
    pub sv: i32,
    /// Vessels of a Type X stand.
    #[shape(1..=12)]
    pub vessels: Option<i32>,
    /// Saving throw modifier of a Type X stand; 0 if left out.
    #[shape(-2..=1)]
    pub save_modifier: Option<i32>,
}

impl SmallTarget {
    /// Whether it has the vessels of a stand if and only if it is one.
    pub fn check(&self) -> Result<(), Refusal> {
        let path = "input.target";
        if self.is_stand() {
            return self.vessels.map(|_| ()).ok_or_else(|| missing(path, "vessels"));
        }
        let mut given = [("vessels", self.vessels), ("save_modifier", self.save_modifier)].into_iter();
        match given.find(|(_, value)| value.is_some()) {
            Some((field, _)) => Err(unwanted(path, field, "only a Type X stand has it")),
            None => Ok(()),
        }
    }

    #[must_use]
    pub fn is_stand(&self) -> bool {
        self.class == TargetClass::TypeX
    }

    #[must_use]
    pub fn target(&self) -> Target {
        let size = self.size.unwrap_or(if self.is_stand() { -4 } else { 0 });
        Target { size, splash: self.splash, motion: self.motion, sv: self.sv }
    }

    /// The modifiers of its saving throw before those of the weapon.
    pub(crate) fn save(&self, rule: flagplot_kernel::Rule) -> Modifiers {
        Modifiers::new().with("saving throw modifier", self.save_modifier.unwrap_or(0), rule)
    }

    /// What a failed saving throw costs.
    pub(crate) fn cost(&self) -> &'static str {
        if self.is_stand() { "a vessel is lost" } else { "one point of structure is lost" }
    }
}

/// What light guns or aircraft guns did.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct LightHits {
    /// What is added to each saving throw.
    pub save_modifier: i32,
    /// Hits.
    pub hits: i32,
    /// Saving throws failed.
    pub failed_saves: i32,
    /// Vessels left in the stand; 0 for a ship.
    pub vessels: i32,
    /// Structure lost by a ship.
    pub structure_lost: i32,
    /// Splash markers on the target afterwards.
    pub splash: i32,
}

impl LightHits {
    #[must_use]
    pub fn new(salvo: &Salvo<'_>, state: &SalvoState, target: &SmallTarget) -> Self {
        Self {
            save_modifier: salvo.save_modifier(),
            hits: state.hits,
            failed_saves: state.failed,
            vessels: (target.vessels.unwrap_or(0) - state.failed).max(0),
            structure_lost: if target.is_stand() { 0 } else { state.failed },
            splash: target.splash + i32::from(state.hits > 0),
        }
    }
}

/// Light guns of one ship or stand at one vessel or stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct LightFire {
    /// Kind of guns.
    pub weapon: LightGuns,
    /// Factors used.
    #[shape(1..=60)]
    pub factors: i32,
    /// Vessels of a Type X stand that fires.
    #[shape(1..=12)]
    pub firing_vessels: Option<i32>,
    /// Distance to the target.
    #[shape(0..=100_000, unit = "mm")]
    pub range_mm: i32,
    /// Splash markers on the shooter.
    #[shape(0..=99, or = 0)]
    pub shooter_splash: i32,
    /// The target.
    pub target: SmallTarget,
}

impl LightFire {
    pub fn check(&self, rules: &Rules) -> Result<(), Refusal> {
        self.target.check()?;
        let class = self.target.class;
        let hurts = match class {
            TargetClass::TypeX => true,
            TargetClass::A | TargetClass::C => self.weapon == LightGuns::Mrf,
            TargetClass::Other => false,
        };
        let weapon = self.weapon.word().to_uppercase();
        if !hurts {
            return Err(Refusal::new("not-a-target", format!("{weapon} cannot hurt a target of class {class}."))
                .by(rule::R_5)
                .remedy("CRF and MRF hurt Type X stands, MRF also ships of class A and C."));
        }
        let reach = match self.weapon {
            LightGuns::Crf => rules.reach.crf_surface,
            LightGuns::Mrf => rules.reach.mrf_surface,
        };
        if self.range_mm > reach {
            let text = format!("{} mm is beyond the reach of {weapon}, which is {reach} mm.", self.range_mm);
            return Err(Refusal::new("out-of-gun-range", text).by(rule::C_10));
        }
        Ok(())
    }

    /// How many attacks: a stand multiplies by the band of its vessels.
    fn attacks(&self, rules: &Rules) -> i32 {
        self.factors * self.firing_vessels.map_or(1, |vessels| rules.band(vessels))
    }

    /// What each attack needs; crew quality does not count.
    fn aim(&self, rules: &Rules) -> Aim {
        let target = self.target.target();
        let modifiers = Modifiers::new()
            .with("splash on shooter", -self.shooter_splash, rule::S9_8)
            .with("splash on target", -target.splash, rule::S9_8)
            .with("target size", target.size, rule::S9_8);
        Aim {
            heading: match self.weapon {
                LightGuns::Crf => "9.8 CRF",
                LightGuns::Mrf => "9.8 MRF",
            },
            table: ("to-hit", String::new(), "light guns"),
            rules: match self.firing_vessels {
                Some(_) => &[rule::S9_8, rule::R_5, rule::R_37],
                None => &[rule::S9_8, rule::R_5],
            },
            base: rules.needs.crf_mrf,
            modifiers: target.ease(rules, modifiers, rule::S9_8),
            again: target.again(rules),
        }
    }

    fn saves(&self) -> Saves {
        let stand = self.target.is_stand();
        let modifiers = self
            .target
            .save(rule::S9_8)
            .when(stand && self.weapon == LightGuns::Crf, "Type X hit by CRF", 1, rule::S9_8)
            .when(!stand, "ship hit by MRF", 1, rule::R_5);
        Saves { modifiers, rules: &[rule::S9_8, rule::R_30], cost: self.target.cost(), lives: None }
    }

    #[must_use]
    pub fn salvo<'a>(&self, rules: &'a Rules) -> Salvo<'a> {
        Salvo { rules, dice: self.attacks(rules), aim: self.aim(rules), saves: Some(self.saves()) }
    }
}
