//! Mines and submarines. [C-30, C-31]

use crate::rule;
use crate::rules::Rules;
use crate::torpedo::location;
use crate::volley::{Again, Aim, Modifiers, Salvo, Saves, Test};
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Refusal};
use flagplot_referee::Shaped;
use serde::Deserialize;

/// A ship that enters a minefield.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Transit {
    /// Density of the minefield.
    pub density: Density,
    /// Size of the ship.
    #[shape(-4..=3)]
    pub size: i32,
    /// The ship has paravanes out.
    #[shape(or = false)]
    pub paravanes: bool,
    /// The ship moves at 10 knots or less.
    #[shape(or = false)]
    pub slow: bool,
}

impl Transit {
    /// What a strike needs.
    #[must_use]
    pub fn aim(&self, rules: &Rules) -> Aim {
        let mine = &rules.mine;
        Aim {
            heading: "Minefield",
            table: ("mines", String::new(), self.density.word()),
            rules: &[rule::C_31],
            base: mine.needs(self.density),
            modifiers: Modifiers::new()
                .with("size", self.size, rule::C_31)
                .when(self.paravanes, "paravanes", mine.paravanes, rule::C_31)
                .when(self.slow, "slow", mine.slow, rule::C_31),
            again: Again::No,
        }
    }

    /// Whether and where a mine strikes.
    pub fn cross(&self, rules: &Rules, ask: &mut impl Ask) -> Asked<Option<Column>> {
        if self.aim(rules).shoot(ask)?.hit { location(rules, Approach::Mine, ask).map(Some) } else { Ok(None) }
    }
}

/// A search with sonar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Search {
    /// Distance to the submarine, within the reach of sonar.
    #[shape(unit = "mm")]
    pub range_mm: i32,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Rating of the sonar set.
    #[shape(0..=2)]
    pub sonar: i32,
    /// Speed of the hunter: slow to 10 knots, normal to 20, fast above.
    pub hunter_speed: HunterSpeed,
    /// Depth of the submarine.
    pub depth: Depth,
    /// The submarine fired this turn.
    #[shape(or = false)]
    pub fired_this_turn: bool,
}

impl Search {
    /// What is added to the die.
    #[must_use]
    pub fn modifiers(&self) -> Modifiers {
        let noise = match self.hunter_speed {
            HunterSpeed::Slow => 0,
            HunterSpeed::Normal => -1,
            HunterSpeed::Fast => -3,
        };
        Modifiers::new()
            .with("crew quality", self.crew_quality, rule::C_30)
            .with("sonar", self.sonar, rule::C_30)
            .with("hunter's speed", noise, rule::C_30)
            .when(self.depth == Depth::Deep, "deep", -1, rule::C_30)
            .when(self.fired_this_turn, "fired this turn", 2, rule::C_30)
    }

    pub fn listen(&self, rules: &Rules, ask: &mut impl Ask) -> Asked<bool> {
        Test {
            what: "sonar",
            name: "Sonar search",
            rules: &[rule::C_30],
            modifiers: self.modifiers(),
            needed: rules.needs.test_pass_d10,
            words: ("detected", "nothing"),
        }
        .roll(ask)
    }
}

/// Flotation a submarine loses for each failed save.
pub const DEPTH_CHARGE_LOSS: i32 = 3;

/// Depth charges on a submarine that has been detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct DepthCharging {
    /// Factors used.
    #[shape(1..=20)]
    pub asw: i32,
    /// Depth of the submarine.
    pub depth: Depth,
    /// Crew quality of the hunter.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
    /// Splash markers on the hunter.
    #[shape(0..=99, or = 0)]
    pub splash: i32,
    /// The submarine under attack.
    pub submarine: Submarine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Shaped)]
pub struct Submarine {
    /// Flotation.
    #[shape(1..=200)]
    pub f: i32,
    /// Original flotation; f if left out.
    #[shape(1..=200)]
    pub f_max: Option<i32>,
    /// Crew quality.
    #[shape(-9..=2, or = 0)]
    pub crew_quality: i32,
}

impl Submarine {
    #[must_use]
    pub fn f_max(&self) -> i32 {
        self.f_max.unwrap_or(self.f)
    }

    pub fn check(&self) -> Result<(), Refusal> {
        let (f, f_max) = (self.f, self.f_max());
        if f <= f_max {
            return Ok(());
        }
        let text = format!("input.submarine.f is {f}; it cannot be above f_max, which is {f_max}.");
        Err(Refusal::new("out-of-range", text).by(rule::C_30))
    }
}

/// What a pattern of depth charges needs to hit at a depth. [C-30]
#[must_use]
pub fn depth_charges_need(depth: Depth) -> i32 {
    match depth {
        Depth::Periscope => 13,
        Depth::Deep => 15,
    }
}

impl DepthCharging {
    /// The whole pattern: dice, then saves while it is there.
    #[must_use]
    pub fn salvo<'a>(&self, rules: &'a Rules) -> Salvo<'a> {
        let aim = Aim {
            heading: "Depth charges",
            table: ("depth-charges", String::new(), self.depth.word()),
            rules: &[rule::C_30],
            base: depth_charges_need(self.depth),
            modifiers: Modifiers::new().with("crew quality", self.crew_quality, rule::C_30).with(
                "splash on hunter",
                -self.splash,
                rule::C_30,
            ),
            again: Again::No,
        };
        let lives = (self.submarine.f + DEPTH_CHARGE_LOSS - 1) / DEPTH_CHARGE_LOSS;
        let modifiers = Modifiers::new().with("crew quality", self.submarine.crew_quality, rule::C_30);
        let saves =
            Saves { modifiers, rules: &[rule::C_30], cost: "three points of flotation are lost", lives: Some(lives) };
        Salvo { rules, dice: self.asw, aim, saves: Some(saves) }
    }
}
