//! The tables of the rules, typed.

use crate::chart::{Chart, Charts, Entry};
use crate::rule;
use crate::words::{Extent, Maneuver};
use flagplot_kernel::{DataError, Files};
use flagplot_referee::words;
use std::fmt;
use std::str::FromStr;

/// A cell of the table of bet levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Required {
    /// Done without a bet.
    Auto,
    Level(i32),
    /// Not possible at this speed.
    Impossible,
}

impl fmt::Display for Required {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Required::Auto => f.write_str("auto"),
            Required::Level(level) => write!(f, "{level}"),
            Required::Impossible => f.write_str("X"),
        }
    }
}

/// A number that may be absent, with the word that stands for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perhaps(pub Option<i32>, &'static str);

impl fmt::Display for Perhaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(n) => write!(f, "{n}"),
            None => f.write_str(self.1),
        }
    }
}

/// What a stress test does.
#[words]
pub enum StressEffect {
    Destroyed,
    FillCurrentAndNext,
    FillCurrent,
    None,
}

/// What comes of flying too slowly.
#[words]
pub enum StallEffect {
    None,
    Stall,
    Spin,
}

/// What a critical hit does.
#[words]
pub enum Critical {
    EngineDestroyed,
    #[word("control-2")]
    Control2,
    #[word("engine-hit-2")]
    EngineHit2,
    #[word("engine-hit-1")]
    EngineHit1,
    #[word("control-1")]
    Control1,
    FillCurrent,
    FillCurrentAndNext,
    #[word("wounded-1")]
    Wounded1,
    #[word("wounded-3")]
    Wounded3,
    PilotKilled,
}

/// Whether a hit engine begins to smoke.
#[words]
pub enum EngineRoll {
    Smokes,
    None,
}

/// Whether smoke turns into fire.
#[words]
pub enum SmokeRoll {
    Burns,
    None,
}

pub(crate) mod bet_row {
    pub const TARGET_NUMBER: usize = 0;
    pub const WITH_AEROBATICS: usize = 1;
    pub const POWER_ROLL: usize = 2;
    pub const SPEED: usize = 3;
    pub const MINIMUM_SPEED: usize = 4;
}

pub(crate) mod failure_row {
    pub const EDGE: usize = 0;
    pub const MOVE: usize = 1;
    pub const SPEED: usize = 2;
    pub const STRESS: usize = 3;
}

/// Every table of the rules.
#[derive(Clone, Debug)]
pub struct Tables {
    pub(crate) initiative: Chart<i32>,
    pub(crate) movement_points: Chart<i32>,
    pub(crate) bet_level: Chart<Required>,
    pub(crate) climb_dive: Chart<Perhaps>,
    pub(crate) bet: Chart<i32>,
    pub(crate) bet_failure: Chart<Perhaps>,
    pub(crate) engine: Chart<i32>,
    pub(crate) stress: Chart<StressEffect>,
    pub(crate) stall_spin: Chart<StallEffect>,
    pub(crate) range: Chart<i32>,
    pub(crate) critical: Chart<Critical>,
    pub(crate) engine_roll: Chart<EngineRoll>,
    pub(crate) smoke_roll: Chart<SmokeRoll>,
}

fn number(entry: &Entry) -> Option<i32> {
    match entry {
        Entry::Number(n) => Some(*n),
        Entry::Word(_) => None,
    }
}

fn perhaps(absent: &'static str) -> impl Fn(&Entry) -> Option<Perhaps> {
    move |entry| match entry {
        Entry::Number(n) => Some(Perhaps(Some(*n), absent)),
        Entry::Word(word) => (word == absent).then_some(Perhaps(None, absent)),
    }
}

fn required(entry: &Entry) -> Option<Required> {
    match entry {
        Entry::Number(n) => (0..=3).contains(n).then_some(Required::Level(*n)),
        Entry::Word(word) if word == "auto" => Some(Required::Auto),
        Entry::Word(word) if word == "X" => Some(Required::Impossible),
        Entry::Word(_) => None,
    }
}

fn word<T: FromStr>(entry: &Entry) -> Option<T> {
    match entry {
        Entry::Word(text) => text.parse().ok(),
        Entry::Number(_) => None,
    }
}

impl Tables {
    /// Reads and checks `tables.toml`.
    pub(crate) fn parse(files: &Files) -> Result<Self, DataError> {
        let mut charts = Charts::parse(files, "tables.toml")?;
        let tables = Tables {
            initiative: charts.take("initiative", "speed", &["modifier"], number)?,
            movement_points: charts.take("movement-points", "sum", &["points"], number)?,
            bet_level: charts.take(
                "bet-level",
                "speed",
                &["facing-1", "facing-2", "facing-3", "stay-in-hex"],
                required,
            )?,
            climb_dive: charts.take("climb-dive", "speed", &["full", "half", "finish"], perhaps("X"))?,
            bet: charts.take(
                "bet",
                "level",
                &["target-number", "with-aerobatics", "power-roll", "speed", "minimum-speed"],
                number,
            )?,
            bet_failure: charts.take("bet-failure", "roll", &["edge", "move", "speed", "stress"], perhaps("none"))?,
            engine: charts.take("engine", "roll", &["speed"], number)?,
            stress: charts.take("stress", "roll", &["effect"], word)?,
            stall_spin: charts.take("stall-spin", "roll", &["at-minimum", "below-minimum"], word)?,
            range: charts.take("range", "half hexes", &["modifier"], number)?,
            critical: charts.take("critical", "roll", &["effect"], word)?,
            engine_roll: charts.take("engine-roll", "die", &["smoke"], word)?,
            smoke_roll: charts.take("smoke-roll", "die", &["fire"], word)?,
        };
        charts.finish()?;
        Ok(tables)
    }

    /// All of them as chart cards.
    pub(crate) fn cards(&self) -> Vec<flagplot_referee::Chart> {
        vec![
            self.initiative.card("Initiative", rule::INITIATIVE),
            self.movement_points.card("Movement points", rule::MOVEMENT_POINTS),
            self.bet_level.card("Bet levels", rule::BET_LEVEL),
            self.climb_dive.card("Climbs and dives", rule::CLIMB_DIVE),
            self.bet.card("Bets", rule::BET),
            self.bet_failure.card("Lost bets", rule::BET_FAILURE),
            self.engine.card("Power", rule::POWER),
            self.stress.card("Stress", rule::STRESS),
            self.stall_spin.card("Stall and spin", rule::STALL),
            self.range.card("Range", rule::RANGE),
            self.critical.card("Critical hits", rule::CRITICAL_TABLE),
            self.engine_roll.card("Engine", rule::SMOKE_FIRE),
            self.smoke_roll.card("Smoke", rule::SMOKE_FIRE),
        ]
    }

    /// The row of the bet-level table for a manoeuvre; none if it needs no bet.
    pub(crate) fn bet_level_row(maneuver: Maneuver) -> Option<usize> {
        match maneuver {
            Maneuver::Facing1 => Some(0),
            Maneuver::Facing2 => Some(1),
            Maneuver::Facing3 => Some(2),
            Maneuver::StayInHex => Some(3),
            Maneuver::Straight | Maneuver::ExitMiddle | Maneuver::BetOnly => None,
        }
    }

    /// The row of the climb-dive table.
    pub(crate) fn climb_dive_row(extent: Extent) -> usize {
        match extent {
            Extent::Full => 0,
            Extent::Half => 1,
            Extent::Finish => 2,
        }
    }
}
