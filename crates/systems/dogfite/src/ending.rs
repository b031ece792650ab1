//! The end of an aircraft's move: speed, engine, stress, stall, in this order. (7.5; R-2)

use crate::damage::Boxes;
use crate::flight::{self, EngineRoll, Power, Slow, Stall, Stress};
use crate::hangar::Ratings;
use crate::rule;
use crate::tables::{StallEffect, Tables, bet_row};
use crate::words::{Engine, Vertical, words};
use flagplot_kernel::{Ask, Asked, Modifier, Note, Refusal};
use serde::{Deserialize, Serialize};

words! {
    /// Why a stress test is due.
    StressReason {
        /// A bet of a high level.
        BetLevel = "bet-level",
        /// A lost bet.
        BetFailure = "bet-failure",
        /// More speed than the wings bear.
        Overspeed = "overspeed",
    }
}

/// What a move has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tally {
    /// Speed when the move began.
    pub speed: i32,
    /// Up or down, and for how many points.
    pub vertical: Option<(Vertical, i32)>,
    /// Speed lost by bets, aerobatics and failures.
    pub speed_loss: i32,
    /// What bets do to the power roll.
    pub power: i32,
    /// Whether a bet was passed by three.
    pub passed_by_three: bool,
    /// What the minimum speed goes up by.
    pub min_speed_increase: i32,
    /// The highest level bet; none without a bet.
    pub highest_bet: Option<i32>,
    /// The sum of the stress modifiers of lost bets, if any calls for a test.
    pub failure_stress: Option<i32>,
}

impl Tally {
    /// A move that begins at a speed.
    #[must_use]
    pub fn new(speed: i32) -> Tally {
        Tally { speed, ..Tally::default() }
    }

    /// Adds a bet that was made.
    pub fn add_bet(
        &mut self,
        tables: &Tables,
        level: i32,
        speed_loss: i32,
        passed_by_three: bool,
        failure_stress: Option<i32>,
    ) {
        self.speed_loss += speed_loss;
        self.power += tables.bet.cell(bet_row::POWER_ROLL, level);
        self.min_speed_increase += tables.bet.cell(bet_row::MINIMUM_SPEED, level);
        self.passed_by_three |= passed_by_three && level >= 1;
        self.highest_bet = self.highest_bet.max(Some(level));
        if let Some(modifier) = failure_stress {
            self.failure_stress = Some(self.failure_stress.unwrap_or(0) + modifier);
        }
    }

    /// The speed after the climb or dive, which bets reckon with.
    #[must_use]
    pub fn speed_for_bets(&self) -> i32 {
        self.speed + self.vertical.map_or(0, |(way, points)| way.speed_change(points))
    }

    /// The speed before the engine has its say.
    #[must_use]
    pub fn speed_before_engine(&self) -> i32 {
        (self.speed_for_bets() - self.speed_loss).max(0)
    }

    /// The points of a dive; 0 without one.
    #[must_use]
    pub fn dive_points(&self) -> i32 {
        match self.vertical {
            Some((Vertical::Dive, points)) => points,
            _ => 0,
        }
    }

    /// The power roll that could be made now.
    #[must_use]
    pub fn power(&self, ratings: &Ratings, power_penalty: i32, engine_destroyed: bool) -> Power {
        Power {
            speed: self.speed_before_engine(),
            max_speed: ratings.max_speed,
            rating: ratings.power,
            penalty: power_penalty,
            bets: self.power,
            passed_by_three: self.passed_by_three,
            climb: matches!(self.vertical, Some((Vertical::Climb, _))).then_some(ratings.climb),
            engine_destroyed,
        }
    }

    /// Whether the engine may be asked for this.
    pub fn check_engine(&self, engine: Engine, ratings: &Ratings, engine_destroyed: bool) -> Result<(), Refusal> {
        match engine {
            Engine::Power => self.power(ratings, 0, engine_destroyed).check(),
            Engine::None if engine_destroyed => Err(flight::engine_destroyed()),
            Engine::None | Engine::Drag => Ok(()),
        }
    }
}

/// Whose move ends.
#[derive(Clone, Copy, Debug)]
pub struct Ender<'a> {
    /// Its name.
    pub who: &'a str,
    /// Its ratings.
    pub ratings: &'a Ratings,
    /// Effective flying skill.
    pub flying: i32,
    /// Damage to the engine.
    pub power_penalty: i32,
    /// Its boxes.
    pub boxes: Boxes,
}

/// How a move ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Speed before the engine.
    pub speed_before_engine: i32,
    /// The engine's roll.
    pub engine: Option<EngineRoll>,
    /// Speed after it.
    pub speed_after_engine: i32,
    /// The most the wings bear now.
    pub max_dive: i32,
    /// Why a stress test was due.
    pub stress_reasons: Vec<StressReason>,
    /// The test.
    pub stress: Option<Stress>,
    /// The speed at or below which a stall threatens.
    pub minimum: i32,
    /// The check, if it came to one.
    pub stall: Option<Stall>,
}

impl Ended {
    /// Whether the aircraft broke up.
    #[must_use]
    pub fn destroyed(&self) -> bool {
        self.stress.is_some_and(|stress| stress.destroyed)
    }

    /// The boxes after it.
    #[must_use]
    pub fn boxes(&self, before: Boxes) -> Boxes {
        self.stress.map_or(before, |stress| stress.boxes)
    }

    /// Stall, spin or neither.
    #[must_use]
    pub fn stall_effect(&self) -> StallEffect {
        self.stall.map_or(StallEffect::None, |stall| stall.outcome)
    }

    /// The final speed.
    #[must_use]
    pub fn speed(&self) -> i32 {
        self.stall.map_or(self.speed_after_engine, |stall| stall.speed)
    }
}

/// Why a stress test is due at a speed. (Stress)
#[must_use]
pub fn stress_reasons(tally: &Tally, speed: i32, ratings: &Ratings, boxes: &Boxes) -> Vec<StressReason> {
    let wear = boxes.wear();
    let mut reasons = Vec::new();
    if tally.highest_bet.is_some_and(|level| level >= wear.stress_bet_level) {
        reasons.push(StressReason::BetLevel);
    }
    if tally.failure_stress.is_some() {
        reasons.push(StressReason::BetFailure);
    }
    if speed > ratings.max_dive - wear.max_dive_reduction {
        reasons.push(StressReason::Overspeed);
    }
    reasons
}

/// A stress test, if one is due.
pub fn stress_if_due(
    tables: &Tables,
    tally: &Tally,
    speed: i32,
    ender: &Ender<'_>,
    ask: &mut impl Ask,
) -> Asked<(Vec<StressReason>, Option<Stress>)> {
    let reasons = stress_reasons(tally, speed, ender.ratings, &ender.boxes);
    if reasons.is_empty() {
        return Ok((reasons, None));
    }
    ask.note(|| {
        let words: Vec<&str> = reasons.iter().map(|reason| reason.word()).collect();
        Note::new("stress-due", format!("{} must test its wings: {}.", ender.who, words.join(", ")))
            .detail()
            .by(&[rule::STRESS, rule::R_34])
            .outcome(serde_json::json!(words))
    });
    let test = flight::stress(
        tables,
        ender.boxes,
        speed,
        ender.ratings.max_dive,
        tally.failure_stress.unwrap_or(0),
        ender.who,
        ask,
    )?;
    Ok((reasons, Some(test)))
}

/// Settles the end of a move with what the engine is asked for.
pub fn settle(tables: &Tables, tally: &Tally, engine: Engine, ender: &Ender<'_>, ask: &mut impl Ask) -> Asked<Ended> {
    let before = tally.speed_before_engine();
    let rolled = match engine {
        Engine::Power => {
            Some(flight::power(tables, &tally.power(ender.ratings, ender.power_penalty, false), ender.who, ask)?)
        }
        Engine::Drag => Some(flight::drag(tables, before, ender.ratings.drag, tally.dive_points(), ender.who, ask)?),
        Engine::None => None,
    };
    let after = rolled.map_or(before, |roll| roll.speed);
    ask.note(|| {
        Note::new(
            "speed",
            format!("{}: speed {} at the start, {before} before the engine, {after} after it.", ender.who, tally.speed),
        )
        .detail()
        .by(&[rule::R_2, rule::R_42])
        .modifier(Modifier::new("climb or dive", (tally.speed_for_bets() - tally.speed).into(), rule::CLIMB_DIVE))
        .modifier(Modifier::new("lost by bets", (-tally.speed_loss).into(), rule::R_25))
        .modifier(Modifier::new("engine", (after - before).into(), rule::R_42))
        .outcome(after)
    });
    let (stress_reasons, stress) = stress_if_due(tables, tally, after, ender, ask)?;
    let minimum = ender.ratings.min_speed + tally.min_speed_increase;
    let stall = if after <= minimum && !stress.is_some_and(|stress| stress.destroyed) {
        let slow = Slow {
            speed: after,
            min_speed: ender.ratings.min_speed,
            increase: tally.min_speed_increase,
            spin_rating: ender.ratings.spin,
            flying: ender.flying,
        };
        Some(flight::stall(tables, &slow, ender.who, ask)?)
    } else {
        if after > minimum {
            flight::note_fast_enough(after, minimum, ender.who, ask);
        }
        None
    };
    let max_dive = ender.ratings.max_dive - ender.boxes.wear().max_dive_reduction;
    Ok(Ended {
        speed_before_engine: before,
        engine: rolled,
        speed_after_engine: after,
        max_dive,
        stress_reasons,
        stress,
        minimum,
        stall,
    })
}
