//! Power, drag, stress, stall, and the end of a move as a whole.

use super::Sheet;
use crate::Rules;
use crate::bet;
use crate::damage::Boxes;
use crate::ending::{self, Ender, StressReason, Tally};
use crate::flight::{self, EngineRoll, Slow, Stall, Strain};
use crate::hangar::Ratings;
use crate::refusals::Barred;
use crate::rule;
use crate::tables::StallEffect;
use crate::who::Who;
use crate::words::{Engine, Vertical};
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped, words};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub(super) struct PowerInput {
    /// The speed before it.
    #[shape(0..=99)]
    speed: i32,
    /// The most it can reach.
    #[shape(0..=99)]
    max_speed: i32,
    /// The aircraft's rating.
    #[shape(-99..=99, or = 0)]
    power_rating: i32,
    /// Damage to the engine.
    #[shape(0..=99, or = 0)]
    power_penalty: i32,
    /// Bets of level 1 made in this move.
    #[shape(0..=3, or = 0)]
    level_one_bets: i32,
    /// Whether a bet of level 1 to 3 was passed by three or more.
    #[shape(or = false)]
    passed_by_three: bool,
    /// Whether it climbed this turn.
    #[shape(or = false)]
    climbed: bool,
    /// The aircraft's climb rating.
    #[shape(-99..=99, or = 0)]
    climb_rating: i32,
    /// Whether the engine is destroyed.
    #[shape(or = false)]
    engine_destroyed: bool,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct PowerOutput {
    /// The die.
    #[shape(1..=6)]
    die: u8,
    /// The die with all modifiers.
    #[shape(-999..=999)]
    modified: i32,
    /// Speed gained.
    #[shape(0..=2)]
    gain: i32,
    /// The new speed.
    #[shape(0..=999)]
    speed: i32,
}

impl From<EngineRoll> for PowerOutput {
    fn from(EngineRoll { die, modified, change: gain, speed }: EngineRoll) -> Self {
        PowerOutput { die, modified, gain, speed }
    }
}

pub(super) struct Power(pub Arc<Rules>);

impl Procedure for Power {
    const NAME: &'static str = "power";
    const HELP: &'static str = "The power roll at the end of a move.";
    const DICE: &'static str = "d6";
    const RULES: &'static [Rule] = &[rule::POWER, rule::R_25, rule::R_41, rule::C_5];
    type Input = PowerInput;
    type Facts = flight::Power;
    type Output = PowerOutput;

    fn read(&self, input: PowerInput) -> Result<flight::Power, Refusal> {
        let power = flight::Power {
            speed: input.speed,
            max_speed: input.max_speed,
            rating: input.power_rating,
            penalty: input.power_penalty,
            bets: -input.level_one_bets,
            passed_by_three: input.passed_by_three,
            climb: input.climbed.then_some(input.climb_rating),
            engine_destroyed: input.engine_destroyed,
        };
        power.check()?;
        Ok(power)
    }

    fn run(&self, power: &flight::Power, ask: &mut impl Ask) -> Asked<PowerOutput> {
        Ok(flight::power(&self.0.tables, power, Who::AIRCRAFT, ask)?.into())
    }
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct DragOutput {
    /// The die.
    #[shape(1..=6)]
    die: u8,
    /// The die with all modifiers.
    #[shape(-999..=999)]
    modified: i32,
    /// Speed lost.
    #[shape(0..=2)]
    loss: i32,
    /// The new speed.
    #[shape(0..=999)]
    speed: i32,
}

impl From<EngineRoll> for DragOutput {
    fn from(EngineRoll { die, modified, change: loss, speed }: EngineRoll) -> Self {
        DragOutput { die, modified, loss, speed }
    }
}

pub(super) struct Drag(pub Arc<Rules>);

impl Procedure for Drag {
    const NAME: &'static str = "drag";
    const HELP: &'static str = "The drag roll at the end of a move.";
    const DICE: &'static str = "d6";
    const RULES: &'static [Rule] = &[rule::DRAG];
    type Input = flight::Drag;
    type Facts = flight::Drag;
    type Output = DragOutput;

    fn read(&self, drag: flight::Drag) -> Result<flight::Drag, Refusal> {
        Ok(drag)
    }

    fn run(&self, drag: &flight::Drag, ask: &mut impl Ask) -> Asked<DragOutput> {
        Ok(flight::drag(&self.0.tables, drag, Who::AIRCRAFT, ask)?.into())
    }
}

#[derive(Deserialize, Shaped)]
pub(super) struct StressInput {
    /// The damage boxes, one text of . / X # for each set.
    boxes: Sheet,
    /// The speed at the end of the move.
    #[shape(0..=99)]
    speed: i32,
    /// The printed maximum dive speed.
    #[shape(0..=99)]
    max_dive: i32,
    /// Stress modifiers of lost bets.
    #[shape(-99..=0, or = 0)]
    failure_modifier: i32,
}

pub(super) struct Stress(pub Arc<Rules>);

impl Procedure for Stress {
    const NAME: &'static str = "stress";
    const HELP: &'static str = "A stress test.";
    const DICE: &'static str = "2d6";
    const RULES: &'static [Rule] = &[rule::STRESS, rule::R_34, rule::R_35];
    type Input = StressInput;
    type Facts = Strain;
    type Output = flight::Stress;

    fn read(&self, StressInput { boxes, speed, max_dive, failure_modifier }: StressInput) -> Result<Strain, Refusal> {
        Ok(Strain { boxes: boxes.read()?, speed, max_dive, failures: failure_modifier })
    }

    fn run(&self, strain: &Strain, ask: &mut impl Ask) -> Asked<flight::Stress> {
        flight::stress(&self.0.tables, strain, Who::AIRCRAFT, ask)
    }
}

pub(super) struct StallSpin(pub Arc<Rules>);

impl Procedure for StallSpin {
    const NAME: &'static str = "stall-spin";
    const HELP: &'static str = "The check for stall or spin at the end of a move.";
    const DICE: &'static str = "d6 if the speed is at or below the minimum";
    const RULES: &'static [Rule] = &[rule::STALL, rule::R_36, rule::R_37, rule::R_60];
    type Input = Slow;
    type Facts = Slow;
    type Output = Stall;

    fn read(&self, slow: Slow) -> Result<Slow, Refusal> {
        Ok(slow)
    }

    fn run(&self, slow: &Slow, ask: &mut impl Ask) -> Asked<Stall> {
        flight::stall(&self.0.tables, slow, Who::AIRCRAFT, ask)
    }
}

#[words]
enum Direction {
    None,
    Climb,
    Dive,
}

#[derive(Deserialize, Shaped)]
struct VerticalInput {
    /// Up, down or neither.
    direction: Direction,
    /// Its speed points.
    #[shape(0..=3, or = 0)]
    points: i32,
}

#[derive(Deserialize, Shaped)]
struct BetMade {
    /// Its level.
    #[shape(0..=3)]
    level: i32,
    /// Whether aerobatic points were spent.
    #[shape(or = false)]
    aerobatics: bool,
    /// Whether it was passed by three or more.
    #[shape(or = false)]
    passed_by_three: bool,
    /// Speed lost by its failure.
    #[shape(0..=2, or = 0)]
    failure_speed: i32,
    /// The stress modifier of its failure; null: no test.
    #[shape(-2..=0, null, or = null)]
    failure_stress: Option<i32>,
}

#[derive(Deserialize, Shaped)]
struct EndRatings {
    /// Minimum speed.
    #[shape(0..=99)]
    min_speed: i32,
    /// Maximum speed.
    #[shape(0..=99)]
    max_speed: i32,
    /// Maximum dive speed.
    #[shape(0..=99)]
    max_dive: i32,
    /// Power rating.
    #[shape(-99..=99)]
    power: i32,
    /// Drag rating.
    #[shape(-99..=99)]
    drag: i32,
    /// Climb rating.
    #[shape(-99..=99)]
    climb: i32,
    /// Spin rating.
    #[shape(-99..=99)]
    spin: i32,
}

#[derive(Deserialize, Shaped)]
pub(super) struct EndInput {
    /// Its starting speed.
    #[shape(0..=99)]
    speed: i32,
    /// Its climb or dive.
    vertical: VerticalInput,
    /// The bets made in the move.
    #[shape(items = 0..=16, or = [])]
    bets: Vec<BetMade>,
    /// What the engine does.
    engine: Engine,
    /// The aircraft's ratings.
    ratings: EndRatings,
    /// Effective flying skill.
    #[shape(-99..=99, or = 0)]
    flying_skill: i32,
    /// Damage to the engine.
    #[shape(0..=99, or = 0)]
    power_penalty: i32,
    /// Whether the engine is destroyed.
    #[shape(or = false)]
    engine_destroyed: bool,
    /// The damage boxes, one text of . / X # for each set.
    boxes: Sheet,
}

pub(super) struct EndFacts {
    tally: Tally,
    engine: Engine,
    ratings: Ratings,
    flying: i32,
    power_penalty: i32,
    boxes: Boxes,
}

/// How a move ended.
#[words]
enum EndOutcome {
    None,
    Stall,
    Spin,
    Destroyed,
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[serde(untagged)]
enum EngineOutput {
    Power(PowerOutput),
    Drag(DragOutput),
}

#[derive(Serialize, Shaped, PartialEq, Eq, Hash)]
#[shape(result)]
pub(super) struct EndOutput {
    /// The speed before power or drag.
    #[shape(0..=999)]
    speed_before_engine: i32,
    /// The power or drag roll.
    engine: Option<EngineOutput>,
    /// The speed after it.
    #[shape(0..=999)]
    speed_after_engine: i32,
    /// The maximum dive speed that damage leaves.
    #[shape(-99..=99)]
    max_dive: i32,
    /// Why a stress test was due.
    #[shape(items = 0..=3)]
    stress_reasons: Vec<StressReason>,
    /// The stress test.
    stress: Option<flight::Stress>,
    /// The speed at or below which a stall threatens.
    #[shape(0..=999)]
    minimum: i32,
    /// The stall check.
    stall: Option<Stall>,
    /// How the move ended.
    outcome: EndOutcome,
    /// The final speed; null if the aircraft is lost.
    #[shape(0..=999)]
    speed: Option<i32>,
    /// The boxes after it.
    boxes: Boxes,
    /// Whether the aircraft is lost.
    destroyed: bool,
}

pub(super) struct EndOfMove(pub Arc<Rules>);

impl Procedure for EndOfMove {
    const NAME: &'static str = "end-of-move";
    const HELP: &'static str = "Everything at the end of a move: speed, power or drag, stress, stall or spin.";
    const DICE: &'static str = "d6 for power or drag; 2d6 if a stress test is due; d6 if a stall check is due";
    const RULES: &'static [Rule] = &[rule::R_2, rule::POWER, rule::DRAG, rule::STRESS, rule::STALL];
    type Input = EndInput;
    type Facts = EndFacts;
    type Output = EndOutput;

    fn read(&self, input: EndInput) -> Result<EndFacts, Refusal> {
        let EndRatings { min_speed, max_speed, max_dive, power, drag, climb, spin } = input.ratings;
        let ratings = Ratings { min_speed, max_speed, max_dive, power, drag, climb, spin, ..Ratings::AVERAGE };
        let (speed, points) = (input.speed, input.vertical.points);
        let mut tally = Tally::new(speed);
        tally.vertical = match input.vertical.direction {
            Direction::None => None,
            Direction::Climb => Some((Vertical::Climb, points)),
            Direction::Dive => Some((Vertical::Dive, points)),
        };
        for made in &input.bets {
            let loss = bet::level_cost(&self.0.tables, made.level) + i32::from(made.aerobatics) + made.failure_speed;
            tally.add_bet(&self.0.tables, made.level, loss, made.passed_by_three, made.failure_stress);
        }
        let mut reasons: Vec<Refusal> = Vec::new();
        match input.vertical.direction {
            Direction::None if points > 0 => reasons.push(Barred::PointsWithoutClimb.into()),
            Direction::Climb if points > speed => reasons.push(Barred::ClimbTooDear { points, speed }.into()),
            _ => {}
        }
        let engine = tally.check_engine(input.engine, &ratings, input.engine_destroyed);
        reasons.extend(engine.err().map(Refusal::from));
        let boxes = input.boxes.read();
        reasons.extend(boxes.as_ref().err().cloned());
        Refusal::all(reasons)?;
        Ok(EndFacts {
            tally,
            engine: input.engine,
            ratings,
            flying: input.flying_skill,
            power_penalty: input.power_penalty,
            boxes: boxes?,
        })
    }

    fn run(&self, facts: &EndFacts, ask: &mut impl Ask) -> Asked<EndOutput> {
        let EndFacts { tally, engine, ratings, flying, power_penalty, boxes } = facts;
        let ender =
            Ender { who: Who::AIRCRAFT, ratings, flying: *flying, power_penalty: *power_penalty, boxes: *boxes };
        let ended = ending::settle(&self.0.tables, tally, *engine, &ender, ask)?;
        let destroyed = ended.destroyed();
        Ok(EndOutput {
            speed_before_engine: ended.speed_before_engine,
            engine: ended.engine.map(|roll| match engine {
                Engine::Power => EngineOutput::Power(roll.into()),
                _ => EngineOutput::Drag(roll.into()),
            }),
            speed_after_engine: ended.speed_after_engine,
            max_dive: ended.max_dive,
            minimum: ended.minimum,
            outcome: match ended.stall_effect() {
                _ if destroyed => EndOutcome::Destroyed,
                StallEffect::None => EndOutcome::None,
                StallEffect::Stall => EndOutcome::Stall,
                StallEffect::Spin => EndOutcome::Spin,
            },
            speed: (!destroyed).then(|| ended.speed()),
            boxes: ended.boxes(*boxes),
            destroyed,
            stress_reasons: ended.stress_reasons,
            stress: ended.stress,
            stall: ended.stall,
        })
    }
}
