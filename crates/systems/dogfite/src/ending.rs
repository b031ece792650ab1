//! The end of an aircraft's move: speed, engine, stress, stall, in this order. (7.5; R-2)

use crate::bet::{Bet, Settled};
use crate::damage::Boxes;
use crate::flight::{self, Drag, EngineRoll, Power, Slow, Stall, Strain, Stress};
use crate::hangar::Ratings;
use crate::refusals::Barred;
use crate::rule;
use crate::tables::{StallEffect, Tables, bet_row};
use crate::who::Who;
use crate::words::{Engine, Vertical};
use flagplot_kernel::{Ask, Asked, Modifier, Note};
use flagplot_referee::words;
use serde::{Deserialize, Serialize};

/// Why a stress test is due.
#[words]
pub enum StressReason {
    BetLevel,
    BetFailure,
    Overspeed,
}

/// What a move has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tally {
    /// Speed when the move began.
    pub speed: i32,
    /// The climb or dive, and its points.
    pub vertical: Option<(Vertical, i32)>,
    /// Speed lost by bets, aerobatics and failures.
    pub speed_loss: i32,
    /// What bets do to the power roll.
    pub power: i32,
    /// Whether a bet was passed by three.
    pub passed_by_three: bool,
    /// What the minimum speed goes up by.
    pub min_speed_increase: i32,
    pub highest_bet: Option<i32>,
    /// The sum of the stress modifiers of lost bets, if any causes a test.
    pub failure_stress: Option<i32>,
}

impl Tally {
    pub fn new(speed: i32) -> Tally {
        Tally { speed, ..Tally::default() }
    }

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

    pub fn add_settled(&mut self, tables: &Tables, bet: &Bet, settled: &Settled) {
        self.add_bet(tables, bet.level, settled.speed_loss, settled.power_bonus > 0, settled.failure_stress);
    }

    /// The speed after the climb or dive.
    pub fn speed_for_bets(&self) -> i32 {
        self.speed + self.vertical.map_or(0, |(way, points)| way.speed_change(points))
    }

    pub fn speed_before_engine(&self) -> i32 {
        (self.speed_for_bets() - self.speed_loss).max(0)
    }

    /// The points of a dive; 0 without one.
    pub fn dive_points(&self) -> i32 {
        match self.vertical {
            Some((Vertical::Dive, points)) => points,
            _ => 0,
        }
    }

    /// The power roll that could be made now.
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

    pub fn check_engine(&self, engine: Engine, ratings: &Ratings, engine_destroyed: bool) -> Result<(), Barred> {
        match engine {
            Engine::Power => self.power(ratings, 0, engine_destroyed).check(),
            Engine::None if engine_destroyed => Err(Barred::NoEngine),
            Engine::None | Engine::Drag => Ok(()),
        }
    }
}

/// The aircraft whose move ends.
#[derive(Clone, Copy, Debug)]
pub struct Ender<'a> {
    pub who: Who<'a>,
    pub ratings: &'a Ratings,
    pub flying: i32,
    pub power_penalty: i32,
    pub boxes: Boxes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub speed_before_engine: i32,
    pub engine: Option<EngineRoll>,
    pub speed_after_engine: i32,
    /// The maximum dive speed that damage leaves.
    pub max_dive: i32,
    pub stress_reasons: Vec<StressReason>,
    pub stress: Option<Stress>,
    /// The speed at or below which a stall threatens.
    pub minimum: i32,
    pub stall: Option<Stall>,
}

impl Ended {
    pub fn destroyed(&self) -> bool {
        self.stress.is_some_and(|stress| stress.destroyed)
    }

    pub fn boxes(&self, before: Boxes) -> Boxes {
        self.stress.map_or(before, |stress| stress.boxes)
    }

    pub fn stall_effect(&self) -> StallEffect {
        self.stall.map_or(StallEffect::None, |stall| stall.outcome)
    }

    pub fn speed(&self) -> i32 {
        self.stall.map_or(self.speed_after_engine, |stall| stall.speed)
    }
}

/// Why a stress test is due at a speed. (Stress)
fn stress_reasons(tally: &Tally, speed: i32, ratings: &Ratings, boxes: &Boxes) -> Vec<StressReason> {
    let wear = boxes.wear();
    let due = [
        (StressReason::BetLevel, tally.highest_bet.is_some_and(|level| level >= wear.stress_bet_level)),
        (StressReason::BetFailure, tally.failure_stress.is_some()),
        (StressReason::Overspeed, speed > ratings.max_dive - wear.max_dive_reduction),
    ];
    due.into_iter().filter(|(_, due)| *due).map(|(reason, _)| reason).collect()
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
        Note::new("stress-due", format!("{} must take a stress test: {}.", ender.who, words.join(", ")))
            .detail()
            .by(&[rule::STRESS, rule::R_34])
            .outcome(serde_json::json!(words))
    });
    let failures = tally.failure_stress.unwrap_or(0);
    let strain = Strain { boxes: ender.boxes, speed, max_dive: ender.ratings.max_dive, failures };
    Ok((reasons, Some(flight::stress(tables, &strain, ender.who, ask)?)))
}

/// Settles the end of a move.
pub fn settle(tables: &Tables, tally: &Tally, engine: Engine, ender: &Ender<'_>, ask: &mut impl Ask) -> Asked<Ended> {
    let before = tally.speed_before_engine();
    let rolled = match engine {
        Engine::Power => {
            Some(flight::power(tables, &tally.power(ender.ratings, ender.power_penalty, false), ender.who, ask)?)
        }
        Engine::Drag => {
            let drag = Drag { speed: before, rating: ender.ratings.drag, dive_points: tally.dive_points() };
            Some(flight::drag(tables, &drag, ender.who, ask)?)
        }
        Engine::None => None,
    };
    let after = rolled.map_or(before, |roll| roll.speed);
    ask.note(|| {
        let (who, start) = (ender.who, tally.speed);
        let text = format!("{who}: speed {start} at the start, {before} before the engine, {after} after it.");
        Note::new("speed", text)
            .detail()
            .by(&[rule::R_2, rule::R_42])
            .modifier(Modifier::new("climb or dive", (tally.speed_for_bets() - start).into(), rule::CLIMB_DIVE))
            .modifier(Modifier::new("lost by bets", (-tally.speed_loss).into(), rule::R_25))
            .modifier(Modifier::new("engine", (after - before).into(), rule::R_42))
            .outcome(after)
    });
    let (stress_reasons, stress) = stress_if_due(tables, tally, after, ender, ask)?;
    let slow = Slow {
        speed: after,
        min_speed: ender.ratings.min_speed,
        increase: tally.min_speed_increase,
        spin_rating: ender.ratings.spin,
        flying: ender.flying,
    };
    let stall = if after <= slow.minimum() && stress.is_some_and(|stress| stress.destroyed) {
        None
    } else {
        Some(flight::stall(tables, &slow, ender.who, ask)?).filter(|stall| stall.checked)
    };
    Ok(Ended {
        speed_before_engine: before,
        engine: rolled,
        speed_after_engine: after,
        max_dive: ender.ratings.max_dive - ender.boxes.wear().max_dive_reduction,
        stress_reasons,
        stress,
        minimum: slow.minimum(),
        stall,
    })
}
