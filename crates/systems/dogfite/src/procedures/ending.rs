//! Power, drag, stress, stall, and the end of a move as a whole.

use super::{boxes, boxes_shape, count, flag, parsed, procedure, skill, speed};
use crate::ending::{self, Ender, StressReason, Tally};
use crate::flight;
use crate::hangar::Ratings;
use crate::rule;
use crate::tables::{StallEffect, StressEffect, bet_row};
use crate::words::{Engine, Vertical, words};
use flagplot_kernel::Refusal;
use flagplot_referee::{About, Shape, bool, int, list, nullable, or, record, req, word};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub(super) struct PowerInput {
    speed: i32,
    max_speed: i32,
    power_rating: i32,
    power_penalty: i32,
    level_one_bets: i32,
    passed_by_three: bool,
    climbed: bool,
    climb_rating: i32,
    engine_destroyed: bool,
}

impl PowerInput {
    fn power(&self) -> flight::Power {
        flight::Power {
            speed: self.speed,
            max_speed: self.max_speed,
            rating: self.power_rating,
            penalty: self.power_penalty,
            bets: -self.level_one_bets,
            passed_by_three: self.passed_by_three,
            climb: self.climbed.then_some(self.climb_rating),
            engine_destroyed: self.engine_destroyed,
        }
    }
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct PowerOutput {
    die: u8,
    modified: i32,
    gain: i32,
    speed: i32,
}

fn power_shape() -> Shape {
    record(vec![
        req("die", int(1, 6), "the die"),
        req("modified", int(-999, 999), "with everything added"),
        req("gain", int(0, 2), "speed gained"),
        req("speed", int(0, 999), "the new speed"),
    ])
}

fn drag_shape() -> Shape {
    record(vec![
        req("die", int(1, 6), "the die"),
        req("modified", int(-999, 999), "with everything added"),
        req("loss", int(0, 2), "speed lost"),
        req("speed", int(0, 999), "the new speed"),
    ])
}

procedure! {
    /// The power roll.
    Power(PowerInput) -> PowerOutput {
        about: About {
            name: "power",
            help: "The power roll at the end of a move.",
            dice: "d6",
            input: record(vec![
                req("speed", speed(), "the speed before it"),
                req("max_speed", speed(), "the most it can reach"),
                skill("power_rating", "the aircraft's rating"),
                count("power_penalty", "damage to the engine"),
                or("level_one_bets", int(0, 3), 0, "bets of level 1 made in this move"),
                flag("passed_by_three", "whether a bet of level 1 to 3 was passed by three or more"),
                flag("climbed", "whether it climbed this turn"),
                skill("climb_rating", "the aircraft's climb rating"),
                flag("engine_destroyed", "whether the engine has gone"),
            ]),
            result: power_shape(),
            rules: &[rule::POWER, rule::R_25, rule::R_41, rule::C_5],
        },
        check(_rules, input) { input.power().check() }
        run(rules, input, ask) {
            let rolled = flight::power(&rules.tables, &input.power(), "the aircraft", ask)?;
            Ok(PowerOutput { die: rolled.die, modified: rolled.modified, gain: rolled.change, speed: rolled.speed })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct DragInput {
    speed: i32,
    drag_rating: i32,
    dive_points: i32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct DragOutput {
    die: u8,
    modified: i32,
    loss: i32,
    speed: i32,
}

procedure! {
    /// The drag roll.
    Drag(DragInput) -> DragOutput {
        about: About {
            name: "drag",
            help: "The drag roll at the end of a move.",
            dice: "d6",
            input: record(vec![req("speed", speed(), "the speed before it"), skill("drag_rating", "the aircraft's rating"), or("dive_points", int(0, 3), 0, "speed points of its dive")]),
            result: drag_shape(),
            rules: &[rule::DRAG],
        },
        check(_rules, _input) { Ok(()) }
        run(rules, input, ask) {
            let rolled = flight::drag(&rules.tables, input.speed, input.drag_rating, input.dive_points, "the aircraft", ask)?;
            Ok(DragOutput { die: rolled.die, modified: rolled.modified, loss: rolled.change, speed: rolled.speed })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct StressInput {
    boxes: Vec<String>,
    speed: i32,
    max_dive: i32,
    failure_modifier: i32,
}

fn stress_shape() -> Shape {
    record(vec![
        req("roll", int(2, 12), "the dice"),
        req("damage_modifier", int(-99, 0), "what filled sets take off"),
        req("speed_modifier", int(-999, 0), "what overspeed takes off"),
        req("modified", int(-999, 12), "with everything added"),
        req("outcome", word(StressEffect::WORDS), "what it does"),
        req("boxes", boxes_shape(), "the boxes after it"),
        req("destroyed", bool(), "whether the aircraft is lost"),
    ])
}

procedure! {
    /// The stress test.
    Stress(StressInput) -> flight::Stress {
        about: About {
            name: "stress",
            help: "A stress test.",
            dice: "2d6",
            input: record(vec![
                boxes(),
                req("speed", speed(), "the speed at the end of the move"),
                req("max_dive", speed(), "the printed maximum dive speed"),
                or("failure_modifier", int(-99, 0), 0, "stress modifiers of lost bets"),
            ]),
            result: stress_shape(),
            rules: &[rule::STRESS, rule::R_34, rule::R_35],
        },
        check(_rules, input) { parsed(&input.boxes).map(|_| ()) }
        run(rules, input, ask) { Ok(flight::stress(&rules.tables, parsed(&input.boxes)?, input.speed, input.max_dive, input.failure_modifier, "the aircraft", ask)?) }
    }
}

#[derive(Deserialize)]
pub(super) struct StallInput {
    speed: i32,
    min_speed: i32,
    min_speed_increase: i32,
    spin_rating: i32,
    flying_skill: i32,
}

fn stall_shape() -> Shape {
    record(vec![
        req("minimum", int(0, 999), "the speed at or below which it is checked"),
        req("checked", bool(), "whether it was"),
        req("die", nullable(int(1, 6)), "the die"),
        req("modified", nullable(int(-999, 999)), "with everything added"),
        req("outcome", word(StallEffect::WORDS), "what it does"),
        req("speed", int(0, 999), "the speed after it"),
    ])
}

procedure! {
    /// The check for stall or spin.
    StallSpin(StallInput) -> flight::Stall {
        about: About {
            name: "stall-spin",
            help: "The check for stall or spin at the end of a move.",
            dice: "d6 if the speed is at or below the minimum",
            input: record(vec![
                req("speed", speed(), "the speed at the end of the move"),
                req("min_speed", speed(), "the aircraft's minimum speed"),
                count("min_speed_increase", "what bets of this move add to it"),
                skill("spin_rating", "the aircraft's rating"),
                skill("flying_skill", "effective flying skill"),
            ]),
            result: stall_shape(),
            rules: &[rule::STALL, rule::R_36, rule::R_37, rule::R_60],
        },
        check(_rules, _input) { Ok(()) }
        run(rules, input, ask) { Ok(flight::stall(&rules.tables, &flight::Slow { speed: input.speed, min_speed: input.min_speed, increase: input.min_speed_increase, spin_rating: input.spin_rating, flying: input.flying_skill }, "the aircraft", ask)?) }
    }
}

words! {
    /// Up, down or neither.
    Pitched {
        /// Neither.
        None = "none",
        /// Up.
        Climb = "climb",
        /// Down.
        Dive = "dive",
    }
}

#[derive(Deserialize)]
struct VerticalInput {
    direction: Pitched,
    points: i32,
}

#[derive(Deserialize)]
struct BetMade {
    level: i32,
    aerobatics: bool,
    passed_by_three: bool,
    failure_speed: i32,
    failure_stress: Option<i32>,
}

#[derive(Deserialize)]
struct EndRatings {
    min_speed: i32,
    max_speed: i32,
    max_dive: i32,
    power: i32,
    drag: i32,
    climb: i32,
    spin: i32,
}

#[derive(Deserialize)]
pub(super) struct EndInput {
    speed: i32,
    vertical: VerticalInput,
    bets: Vec<BetMade>,
    engine: Engine,
    ratings: EndRatings,
    flying_skill: i32,
    power_penalty: i32,
    engine_destroyed: bool,
    boxes: Vec<String>,
}

impl EndInput {
    fn ratings(&self) -> Ratings {
        let EndRatings { min_speed, max_speed, max_dive, power, drag, climb, spin } = self.ratings;
        Ratings {
            min_speed,
            max_speed,
            max_dive,
            power,
            drag,
            climb,
            spin,
            aerobatic: 0,
            firing: 0,
            guns: 1,
            sets: 4,
            boxes_per_set: 6,
        }
    }

    fn tally(&self, rules: &crate::Rules) -> Tally {
        let mut tally = Tally::new(self.speed);
        tally.vertical = match self.vertical.direction {
            Pitched::None => None,
            Pitched::Climb => Some((Vertical::Climb, self.vertical.points)),
            Pitched::Dive => Some((Vertical::Dive, self.vertical.points)),
        };
        for bet in &self.bets {
            let loss =
                -rules.tables.bet.cell(bet_row::SPEED, bet.level) + i32::from(bet.aerobatics) + bet.failure_speed;
            tally.add_bet(&rules.tables, bet.level, loss, bet.passed_by_three, bet.failure_stress);
        }
        tally
    }
}

words! {
    /// How a move ended.
    EndOutcome {
        /// Well.
        None = "none",
        /// In a stall.
        Stall = "stall",
        /// In a spin.
        Spin = "spin",
        /// In pieces.
        Destroyed = "destroyed",
    }
}

#[derive(Serialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
enum EngineOutput {
    Power(PowerOutput),
    Drag(DragOutput),
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct EndOutput {
    speed_before_engine: i32,
    engine: Option<EngineOutput>,
    speed_after_engine: i32,
    max_dive: i32,
    stress_reasons: Vec<StressReason>,
    stress: Option<flight::Stress>,
    minimum: i32,
    stall: Option<flight::Stall>,
    outcome: EndOutcome,
    speed: Option<i32>,
    boxes: crate::damage::Boxes,
    destroyed: bool,
}

procedure! {
    /// The end of a move.
    EndOfMove(EndInput) -> EndOutput {
        about: About {
            name: "end-of-move",
            help: "Everything at the end of a move: speed, power or drag, stress, stall or spin.",
            dice: "d6 for power or drag; 2d6 if a stress test is due; d6 if a stall check is due",
            input: record(vec![
                req("speed", speed(), "its starting speed"),
                req("vertical", record(vec![req("direction", word(Pitched::WORDS), "up, down or neither"), or("points", int(0, 3), 0, "speed points of it")]), "its climb or dive"),
                or(
                    "bets",
                    list(
                        record(vec![
                            req("level", int(0, 3), "its level"),
                            flag("aerobatics", "whether aerobatic points were spent"),
                            flag("passed_by_three", "whether it was passed by three or more"),
                            or("failure_speed", int(0, 2), 0, "speed lost by its failure"),
                            super::maybe("failure_stress", int(-2, 0), "the stress modifier of its failure; null: no test"),
                        ]),
                        0,
                        16,
                    ),
                    serde_json::json!([]),
                    "the bets made in the move",
                ),
                req("engine", word(Engine::WORDS), "what the engine is asked for"),
                req(
                    "ratings",
                    record(vec![
                        req("min_speed", speed(), "minimum speed"),
                        req("max_speed", speed(), "maximum speed"),
                        req("max_dive", speed(), "maximum dive speed"),
                        req("power", int(-99, 99), "power rating"),
                        req("drag", int(-99, 99), "drag rating"),
                        req("climb", int(-99, 99), "climb rating"),
                        req("spin", int(-99, 99), "spin rating"),
                    ]),
                    "the aircraft's ratings",
                ),
                skill("flying_skill", "effective flying skill"),
                count("power_penalty", "damage to the engine"),
                flag("engine_destroyed", "whether the engine has gone"),
                boxes(),
            ]),
            result: record(vec![
                req("speed_before_engine", int(0, 999), "the speed before power or drag"),
                req("engine", nullable(record(vec![])), "the power or drag roll"),
                req("speed_after_engine", int(0, 999), "the speed after it"),
                req("max_dive", int(-99, 99), "the maximum dive speed that damage leaves"),
                req("stress_reasons", list(word(StressReason::WORDS), 0, 3), "why a stress test was due"),
                req("stress", nullable(stress_shape()), "the stress test"),
                req("minimum", int(0, 999), "the speed at or below which a stall threatens"),
                req("stall", nullable(stall_shape()), "the stall check"),
                req("outcome", word(EndOutcome::WORDS), "how the move ended"),
                req("speed", nullable(int(0, 999)), "the final speed; null if the aircraft is lost"),
                req("boxes", boxes_shape(), "the boxes after it"),
                req("destroyed", bool(), "whether the aircraft is lost"),
            ]),
            rules: &[rule::R_2, rule::POWER, rule::DRAG, rule::STRESS, rule::STALL],
        },
        check(rules, input) {
            if input.vertical.direction == Pitched::None && input.vertical.points > 0 {
                return Err(Refusal::new("illegal-combination", "Points without a climb or dive.").by(rule::CLIMB_DIVE));
            }
            if input.vertical.direction == Pitched::Climb && input.vertical.points > input.speed {
                return Err(Refusal::new("not-enough-speed", format!("The climb costs {} points of speed; there are {}.", input.vertical.points, input.speed)).by(rule::CLIMB_DIVE));
            }
            input.tally(rules).check_engine(input.engine, &input.ratings(), input.engine_destroyed)?;
            parsed(&input.boxes).map(|_| ())
        }
        run(rules, input, ask) {
            let ratings = input.ratings();
            let boxes = parsed(&input.boxes)?;
            let ender = Ender { who: "the aircraft", ratings: &ratings, flying: input.flying_skill, power_penalty: input.power_penalty, boxes };
            let ended = ending::settle(&rules.tables, &input.tally(rules), input.engine, &ender, ask)?;
            let destroyed = ended.destroyed();
            let outcome = match ended.stall_effect() {
                _ if destroyed => EndOutcome::Destroyed,
                StallEffect::None => EndOutcome::None,
                StallEffect::Stall => EndOutcome::Stall,
                StallEffect::Spin => EndOutcome::Spin,
            };
            Ok(EndOutput {
                speed_before_engine: ended.speed_before_engine,
                engine: ended.engine.map(|roll| {
                    if input.engine == Engine::Power {
                        EngineOutput::Power(PowerOutput { die: roll.die, modified: roll.modified, gain: roll.change, speed: roll.speed })
                    } else {
                        EngineOutput::Drag(DragOutput { die: roll.die, modified: roll.modified, loss: roll.change, speed: roll.speed })
                    }
                }),
                speed_after_engine: ended.speed_after_engine,
                max_dive: ended.max_dive,
                minimum: ended.minimum,
                outcome,
                speed: (!destroyed).then(|| ended.speed()),
                boxes: ended.boxes(boxes),
                destroyed,
                stress_reasons: ended.stress_reasons,
                stress: ended.stress,
                stall: ended.stall,
            })
        }
    }
}
