//! Torpedoes. [9.7]

use crate::gunnery::Range;
use crate::rule;
use crate::rules::Rules;
use crate::volley::{Aim, Modifiers, Motion, Salvo, Target, Way};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, D10, Note, Refusal};
use flagplot_referee::Shaped;
use serde::Deserialize;

/// The smallest size that torpedoes can be aimed at.
pub const SMALLEST_TARGET: i32 = -3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Launcher {
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Splash markers on the launcher.
    #[shape(0..=99, or = 0)]
    pub splash: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct TorpedoTarget {
    /// Size of the target.
    #[shape(-4..=3, or = 0)]
    pub size: i32,
    /// Part of the target that the torpedoes run into.
    #[shape(or = Aspect::Beam)]
    pub arc: Aspect,
    #[serde(flatten)]
    pub motion: Motion,
    /// Steering value of the target.
    #[shape(0..=9, or = 1)]
    pub sv: i32,
}

/// Torpedoes launched at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Launch {
    /// Torpedoes launched.
    #[shape(1..=40)]
    pub torpedoes: i32,
    #[serde(flatten)]
    pub range: Range,
    /// Last range band of the speed setting.
    #[shape(1..=5, or = 5)]
    pub max_band: i32,
    /// Aimed at a ship or into an area.
    #[shape(or = Mode::Aimed)]
    pub mode: Mode,
    /// What the speed setting adds.
    #[shape(-2..=2, or = 0)]
    pub setting_modifier: i32,
    /// The ship that launches.
    pub shooter: Launcher,
    /// The target.
    pub target: TorpedoTarget,
}

/// Torpedoes running, with the range band from the launch to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    pub launch: Launch,
    pub band: i32,
}

/// Whether torpedoes can be used against a size.
pub fn check_size(size: i32) -> Result<(), Refusal> {
    if size >= SMALLEST_TARGET {
        return Ok(());
    }
    let text = format!("A target of size {size} is too small for torpedoes; {SMALLEST_TARGET} is the smallest.");
    Err(Refusal::new("not-a-torpedo-target", text).by(rule::R_4))
}

impl Launch {
    pub fn read(self, rules: &Rules) -> Result<Spread, Refusal> {
        check_size(self.target.size)?;
        Ok(Spread { launch: self, band: self.range.band(rules)? })
    }
}

impl Spread {
    /// Whether they have run out before the target.
    #[must_use]
    pub fn out_of_range(&self) -> bool {
        self.band > self.launch.max_band
    }

    fn aim(&self, rules: &Rules) -> Aim {
        let Launch { setting_modifier, shooter, target, mode, .. } = self.launch;
        let TorpedoTarget { size, arc, motion, sv } = target;
        let dodges = motion.way(rules) == Way::UnderWay && !motion.land;
        let target = Target { size, splash: 0, motion, sv };
        let modifiers = Modifiers::new()
            .with("speed setting", setting_modifier, rule::S9_7)
            .with("splash on launcher", -shooter.splash, rule::S9_7)
            .with("crew quality", shooter.crew_quality, rule::R_46)
            .with("target size", size, rule::R_4)
            .when(dodges && arc == Aspect::Bow, "into the bow arc", rules.bow_arc, rule::S9_7)
            .when(dodges && arc == Aspect::Stern, "into the stern arc", rules.stern_arc, rule::S9_7)
            .when(mode == Mode::WideSpread, "wide spread", rules.spreads.wide_spread_modifier, rule::C_9);
        Aim {
            heading: "9.7 Torpedoes",
            table: ("torpedo", self.band.to_string(), "needs"),
            rules: &[rule::S9_7, rule::C_9, rule::R_3],
            base: rules.torpedoes_need(self.band),
            modifiers: target.ease(rules, modifiers, rule::S9_7),
            again: target.again(rules),
        }
    }

    /// The dice, one for each band of torpedoes.
    #[must_use]
    pub fn salvo<'a>(&self, rules: &'a Rules) -> Salvo<'a> {
        Salvo { rules, dice: rules.band(self.launch.torpedoes), aim: self.aim(rules), saves: None }
    }
}

/// Where a torpedo or mine strikes. [C-9]
pub fn location(rules: &Rules, from: Approach, ask: &mut impl Ask) -> Asked<Column> {
    let column = ask.roll_as(D10, "where it strikes", |face| rules.location(from, face))?;
    ask.note(|| {
        let face = column.face.unwrap_or(0);
        Note::new("location", format!("From {from}: d10 {face}: {}", column.read))
            .by(&[rule::C_9])
            .table("location", face, from)
            .dice(&[face])
            .outcome(column.read.word())
    });
    Ok(column.read)
}
