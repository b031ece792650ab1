//! Mines and submarines. [C-30, C-31]

use crate::book::Book;
use crate::rule;
use crate::throw::{Again, Aim, Modifiers, Salvo, Saves, Test};
use crate::torpedo::location;
use crate::words::*;
use flagplot_kernel::{Ask, Asked};

/// A ship that enters a minefield.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transit {
    /// How thick it is.
    pub density: Density,
    /// The ship's size.
    pub size: i32,
    /// Whether she has paravanes out.
    pub paravanes: bool,
    /// Whether she is slow.
    pub slow: bool,
}

impl Transit {
    /// What a strike needs.
    #[must_use]
    pub fn aim(&self, book: &Book) -> Aim {
        let mine = &book.mine;
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
    pub fn cross(&self, book: &Book, ask: &mut impl Ask) -> Asked<Option<Column>> {
        if self.aim(book).shoot(ask)?.hit { location(book, Approach::Mine, ask).map(Some) } else { Ok(None) }
    }
}

/// A search with sonar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Crew quality.
    pub crew_quality: i32,
    /// The set.
    pub sonar: i32,
    /// The hunter's speed.
    pub speed: HunterSpeed,
    /// The submarine's depth.
    pub depth: Depth,
    /// Whether it fired this turn.
    pub fired: bool,
}

impl Search {
    /// What is added to the die.
    #[must_use]
    pub fn modifiers(&self) -> Modifiers {
        let noise = match self.speed {
            HunterSpeed::Slow => 0,
            HunterSpeed::Normal => -1,
            HunterSpeed::Fast => -3,
        };
        Modifiers::new()
            .with("crew quality", self.crew_quality, rule::C_30)
            .with("sonar", self.sonar, rule::C_30)
            .with("hunter's speed", noise, rule::C_30)
            .when(self.depth == Depth::Deep, "deep", -1, rule::C_30)
            .when(self.fired, "fired this turn", 2, rule::C_30)
    }

    /// Listens.
    pub fn listen(&self, book: &Book, ask: &mut impl Ask) -> Asked<bool> {
        Test {
            what: "sonar",
            name: "Sonar search",
            rules: &[rule::C_30],
            modifiers: self.modifiers(),
            needed: book.needs.test_pass_d10,
            words: ("detected", "nothing"),
        }
        .roll(ask)
    }
}

/// Flotation a submarine loses for each failed save.
pub const DEPTH_CHARGE_LOSS: i32 = 3;

/// Depth charges on a submarine that has been detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthCharging {
    /// Factors.
    pub asw: i32,
    /// How deep it is.
    pub depth: Depth,
    /// Crew quality of the hunter.
    pub crew_quality: i32,
    /// Splash markers on the hunter.
    pub splash: i32,
    /// Flotation of the submarine.
    pub f: i32,
    /// Its crew quality.
    pub submarine_quality: i32,
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
    pub fn salvo<'a>(&self, book: &'a Book) -> Salvo<'a> {
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
        let lives = (self.f + DEPTH_CHARGE_LOSS - 1) / DEPTH_CHARGE_LOSS;
        let modifiers = Modifiers::new().with("crew quality", self.submarine_quality, rule::C_30);
        let saves =
            Saves { modifiers, rules: &[rule::C_30], cost: "three points of flotation are lost", lives: Some(lives) };
        Salvo { book, dice: self.asw, aim, saves: Some(saves) }
    }
}
