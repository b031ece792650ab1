//! Bets, their failure, and spins.

use super::{LEVEL, SKILL, count, flag, maybe, procedure, skill};
use crate::bet::{self, Failure};
use crate::flight::{self, SpinBet};
use crate::rule;
use crate::tables::bet_row;
use crate::words::{Maneuver, Task, words};
use flagplot_kernel::Refusal;
use flagplot_referee::{About, Shape, bool, int, list, nullable, opt, or, record, req, text, word};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub(super) struct BetInput {
    maneuver: Maneuver,
    level: i32,
    required_level: Option<i32>,
    leveling: bool,
    aerobatic_points: i32,
    flying_skill: i32,
    aerobatic_rating: i32,
    control_penalty: i32,
    formation_points: i32,
    stress_bet_level: i32,
    cancel: Vec<Task>,
}

impl BetInput {
    fn bet(&self) -> bet::Bet {
        bet::Bet {
            maneuver: self.maneuver,
            level: self.level,
            required: self.required_level.unwrap_or(self.level),
            leveling: self.leveling,
            points: self.aerobatic_points,
            flying: self.flying_skill,
            control_penalty: self.control_penalty,
            formation_points: self.formation_points,
            stress_bet_level: self.stress_bet_level,
        }
    }
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct Cancelled {
    aerobatics: i32,
    facing: i32,
    stay_in_hex: i32,
    leveling: i32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct BetOutput {
    target_number: i32,
    roll: i32,
    modified: i32,
    success: bool,
    margin: i32,
    max_aerobatic_points: i32,
    edge_gain: i32,
    edge_loss: i32,
    speed_loss: i32,
    min_speed_increase: i32,
    power_modifier: i32,
    power_bonus: i32,
    mp_die_modifier: i32,
    lesser_level: Option<i32>,
    failure: Option<Failure>,
    tasks: i32,
    cancelled: Cancelled,
    facing_done: Option<i32>,
    stayed: Option<bool>,
    leveled: Option<bool>,
    half_dive: bool,
    stress_test: bool,
    stress_modifier: i32,
}

fn failure_shape() -> Shape {
    record(vec![
        req("roll", int(2, 12), "the dice"),
        req("value", int(-999, 12), "the dice less the number missed by"),
        req("column", text(4), "the column read"),
        req("edge", int(0, 6), "edge lost"),
        req("move", int(0, 3), "tasks cut"),
        req("speed", int(0, 2), "speed lost"),
        req("stress", nullable(int(-2, 0)), "modifier of the stress test; null: no test"),
    ])
}

procedure! {
    /// A bet.
    Bet(BetInput) -> BetOutput {
        about: About {
            name: "bet",
            help: "A manoeuvre bet, won or lost, with everything that comes of it.",
            dice: "2d6; if it is lost 2d6 for the failure",
            input: record(vec![
                req("maneuver", word(Maneuver::WORDS), "what is done"),
                req("level", int(0, 3), "the level bet"),
                maybe("required_level", int(0, 3), "the level asked for, if a stay in hex was raised; the same if left out"),
                flag("leveling", "whether the aircraft levels off with it"),
                count("aerobatic_points", "aerobatic points staked"),
                skill("flying_skill", "effective flying skill"),
                skill("aerobatic_rating", "the aircraft's rating"),
                count("control_penalty", "damage to the controls"),
                count("formation_points", "aerobatic points of the formation leader"),
                or("stress_bet_level", int(0, 3), 3, "the level from which on a bet calls for a stress test"),
                or(
                    "cancel",
                    list(word(&Task::WORDS[..4]), 0, 8),
                    serde_json::json!(["aerobatics", "facing", "stay-in-hex", "leveling"]),
                    "the order in which tasks are given up",
                ),
            ]),
            result: record(vec![
                req("target_number", int(2, 10), "the number to reach"),
                req("roll", int(2, 12), "the dice"),
                req("modified", int(-999, 999), "with everything added"),
                req("success", bool(), "whether it was won"),
                req("margin", int(-999, 999), "above the target number"),
                req("max_aerobatic_points", int(0, 999), "the most points that could be staked"),
                req("edge_gain", int(0, 999), "edge gained"),
                req("edge_loss", int(0, 6), "edge lost"),
                req("speed_loss", int(0, 9), "speed lost, for every cause"),
                req("min_speed_increase", int(0, 4), "what the minimum speed of this move goes up by"),
                req("power_modifier", int(-1, 0), "what the level does to the power roll"),
                req("power_bonus", int(0, 1), "what passing by three does to it"),
                req("mp_die_modifier", int(-1, 0), "what aerobatics do to the movement die"),
                req("lesser_level", nullable(int(0, 2)), "the lower level that a lost raised stay reaches"),
                req("failure", nullable(failure_shape()), "the failure table; null if the bet was won"),
                req("tasks", int(0, 999), "how many tasks there were"),
                req("cancelled", record(vec![req("aerobatics", int(0, 99), "points"), req("facing", int(0, 3), "hexsides"), req("stay_in_hex", int(0, 1), "the stay"), req("leveling", int(0, 1), "levelling off")]), "the tasks given up"),
                req("facing_done", nullable(int(0, 3)), "hexsides turned"),
                req("stayed", nullable(bool()), "whether it stayed in the hex"),
                req("leveled", nullable(bool()), "whether it levelled off"),
                req("half_dive", bool(), "whether it is forced into a half dive"),
                req("stress_test", bool(), "whether a stress test is due"),
                req("stress_modifier", int(-2, 0), "its modifier from the failure"),
            ]),
            rules: &[rule::BET, rule::AEROBATICS, rule::BET_FAILURE, rule::R_23, rule::R_29, rule::R_31, rule::R_32],
        },
        check(_rules, input) {
            let refuse = |code, text: &str| Err(Refusal::new(code, text).by(rule::BET));
            let required = input.required_level.unwrap_or(input.level);
            if input.level < required {
                return refuse("level-too-low", "The level must be at least the one asked for.");
            }
            if input.level > required && (input.leveling || input.maneuver.hexsides().is_some()) {
                return refuse("level-not-yours", "Only a stay in hex without levelling can be raised.");
            }
            if input.maneuver.is_plain() && input.level == 0 && input.aerobatic_points == 0 && input.formation_points == 0 && !input.leveling {
                return refuse("pointless-bet", "A bet of level 0 is only worth making with aerobatic points.");
            }
            if input.aerobatic_points > 0 && input.formation_points > 0 {
                return Err(Refusal::new("follower-aerobatics", "A formation follower spends no aerobatic points of its own.").by(rule::FORMATION));
            }
            bet::check_points(input.aerobatic_points, bet::most_points(input.level, input.flying_skill, input.aerobatic_rating))
        }
        run(rules, input, ask) {
            let bet = input.bet();
            let roll = bet::roll(&rules.tables, &bet, "the aircraft", ask)?;
            let failure = if roll.won() { None } else { Some(bet::failure(&rules.tables, -roll.margin, "the aircraft", ask)?) };
            let tasks = bet.tasks();
            let cancelled = failure.as_ref().map(|failure| tasks.give_up(failure.cut, &input.cancel)).unwrap_or_default();
            let settled = bet::settle(&rules.tables, &bet, roll, failure.as_ref(), cancelled, ask);
            Ok(BetOutput {
                target_number: bet.target_number(&rules.tables),
                roll: roll.roll,
                modified: roll.modified,
                success: settled.won,
                margin: roll.margin,
                max_aerobatic_points: bet::most_points(input.level, input.flying_skill, input.aerobatic_rating),
                edge_gain: settled.edge_gain,
                edge_loss: settled.edge_loss,
                speed_loss: settled.speed_loss,
                min_speed_increase: settled.min_speed_increase,
                power_modifier: settled.power_modifier,
                power_bonus: settled.power_bonus,
                mp_die_modifier: -i32::from(bet.points > 0),
                lesser_level: settled.lesser_level,
                failure,
                tasks: tasks.total(),
                cancelled: Cancelled { aerobatics: cancelled.aerobatics, facing: cancelled.facing, stay_in_hex: cancelled.stay_in_hex, leveling: cancelled.leveling },
                facing_done: settled.facing_done,
                stayed: settled.stayed,
                leveled: settled.leveled,
                half_dive: settled.half_dive,
                stress_test: settled.level_stress || settled.failure_stress.is_some(),
                stress_modifier: settled.failure_stress.unwrap_or(0),
            })
        }
    }
}

#[derive(Deserialize)]
pub(super) struct FailureInput {
    missed_by: i32,
}

procedure! {
    /// The failure table.
    BetFailure(FailureInput) -> Failure {
        about: About {
            name: "bet-failure",
            help: "What a lost bet costs.",
            dice: "2d6",
            input: record(vec![req("missed_by", int(1, 999), "how much the bet was missed by")]),
            result: failure_shape(),
            rules: &[rule::BET_FAILURE, rule::R_30],
        },
        check(_rules, _input) { Ok(()) }
        run(rules, input, ask) { Ok(bet::failure(&rules.tables, input.missed_by, "the aircraft", ask)?) }
    }
}

words! {
    /// Into a spin or out of it.
    SpinAction {
        /// Into it.
        Enter = "enter",
        /// Out of it.
        Recover = "recover",
    }
}

#[derive(Deserialize)]
pub(super) struct SpinInput {
    action: SpinAction,
    flying_skill: i32,
    control_penalty: i32,
    level: Option<i32>,
    stress_bet_level: i32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct SpinOutput {
    bet_level: i32,
    target_number: i32,
    roll: i32,
    modified: i32,
    success: bool,
    spinning: bool,
    stress_test: bool,
    #[serde(flatten)]
    end: SpinEnd,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
enum SpinEnd {
    Enter { failure: Option<Failure>, half_dive: bool, speed_loss: i32, edge_loss: i32, stress_modifier: i32 },
    Recover { speed: i32, level: Option<i32>, crashed: bool },
}

procedure! {
    /// Into a spin or out of it.
    Spin(SpinInput) -> SpinOutput {
        about: About {
            name: "spin",
            help: "The bet to go into a spin or to recover from one.",
            dice: "2d6; if going into it is lost 2d6 for the failure",
            input: record(vec![
                req("action", word(SpinAction::WORDS), "into it or out of it"),
                skill("flying_skill", "effective flying skill"),
                count("control_penalty", "damage to the controls"),
                maybe("level", int(LEVEL.0, LEVEL.1), "its level"),
                or("stress_bet_level", int(0, 3), 3, "the level from which on a bet calls for a stress test"),
            ]),
            result: record(vec![
                req("bet_level", int(0, 3), "the level of the bet"),
                req("target_number", int(2, 10), "the number to reach"),
                req("roll", int(2, 12), "the dice"),
                req("modified", int(SKILL.0 * 3, SKILL.1 * 3), "with everything added"),
                req("success", bool(), "whether it was won"),
                req("spinning", bool(), "whether it spins now"),
                req("stress_test", bool(), "whether a stress test is due"),
                opt("failure", nullable(failure_shape()), "going in: the failure table; null if the bet was won"),
                opt("half_dive", bool(), "going in: whether it is forced into a half dive"),
                opt("speed_loss", int(0, 9), "going in: speed lost"),
                opt("edge_loss", int(0, 6), "going in: edge lost"),
                opt("stress_modifier", int(-2, 0), "going in: the stress test's modifier"),
                opt("speed", int(0, 2), "recovery: the speed after it"),
                opt("level", nullable(int(0, 99)), "recovery: the level after it"),
                opt("crashed", bool(), "recovery: whether that is the ground"),
            ]),
            rules: &[rule::SPIN, rule::R_38, rule::R_39, rule::R_40],
        },
        check(_rules, _input) { Ok(()) }
        run(rules, input, ask) {
            let action = match input.action {
                SpinAction::Enter => SpinBet::Enter,
                SpinAction::Recover => SpinBet::Recover,
            };
            let rolled = flight::spin(&rules.tables, action, input.flying_skill, input.control_penalty, "the aircraft", ask)?;
            let level_stress = rolled.level >= input.stress_bet_level;
            let (spinning, failure_stress, end) = match action {
                SpinBet::Enter => {
                    let failure = if rolled.won() { None } else { Some(bet::failure(&rules.tables, rolled.target_number - rolled.modified, "the aircraft", ask)?) };
                    let lost = failure.as_ref();
                    let end = SpinEnd::Enter {
                        half_dive: lost.is_some_and(|failure| failure.cut > 1),
                        speed_loss: -rules.tables.bet.cell(bet_row::SPEED, rolled.level) + lost.map_or(0, |failure| failure.speed),
                        edge_loss: lost.map_or(0, |failure| failure.edge),
                        stress_modifier: lost.and_then(|failure| failure.stress).unwrap_or(0),
                        failure: failure.clone(),
                    };
                    (rolled.won(), failure.is_some_and(|failure| failure.stress.is_some()), end)
                }
                SpinBet::Recover => {
                    let (speed, level) = flight::after_spinning(rolled.won(), input.level, ask);
                    (!rolled.won(), false, SpinEnd::Recover { speed, level, crashed: level == Some(0) })
                }
            };
            Ok(SpinOutput {
                bet_level: rolled.level,
                target_number: rolled.target_number,
                roll: rolled.roll,
                modified: rolled.modified,
                success: rolled.won(),
                spinning,
                stress_test: level_stress || failure_stress,
                end,
            })
        }
    }
}
