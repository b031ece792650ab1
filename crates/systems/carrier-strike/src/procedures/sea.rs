use super::*;
use crate::fuel::{Homing, ditch};
use crate::rule;
use crate::victory::{Position, Reason, Tally, judge, surface_action};
use crate::words::{Status, color};
use flagplot_kernel::{Ask, BySide, Note, Side};
use flagplot_referee::{About, Halt, OldProcedure, bool};
use serde::{Deserialize, Serialize};

/// A squadron on its last fuel.
pub struct Ditching(pub Arc<Book>);

#[derive(Deserialize)]
pub struct DitchingInput {
    strength: u8,
    rl: u8,
    distance: i64,
    already_ditched: bool,
    cv_in_play: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct DitchingOutput {
    lost: u8,
    remaining: u8,
    destroyed: bool,
    action: Homing,
    end_distance: i64,
    ditched: bool,
}

impl OldProcedure for Ditching {
    type Input = DitchingInput;
    type Output = DitchingOutput;

    fn about(&self) -> About {
        About {
            name: "ditching",
            help: "What a squadron on RL 1 loses, and what it does.",
            dice: "none",
            input: record(vec![
                req("strength", int(1, 12), "aircraft"),
                req("rl", int(1, 8), "range die, which must be 1"),
                req("distance", int(0, 1_000_000), "thousandths to its carrier card"),
                or("already_ditched", bool(), false, "whether it flew home from beyond reach in its last action"),
                or("cv_in_play", bool(), true, "whether it has a carrier"),
            ]),
            result: record(vec![
                req("lost", int(0, 12), "aircraft lost"),
                req("remaining", int(0, 12), "aircraft left"),
                req("destroyed", bool(), "whether nothing is left"),
                req("action", word(&["land", "move", "none"]), "what it does"),
                req("end_distance", int(0, 1_000_000), "distance afterwards"),
                req("ditched", bool(), "whether it has now flown home from beyond reach"),
            ]),
            rules: &[rule::FUEL, rule::R_5, rule::R_47, rule::R_48],
        }
    }

    fn check(&self, input: &DitchingInput) -> Result<(), Refusal> {
        if input.rl != 1 {
            return Err(Refusal::new(
                "inconsistent",
                format!("A squadron on RL {} has fuel and loses nothing.", input.rl),
            )
            .by(rule::FUEL));
        }
        Ok(())
    }

    fn run(&self, input: &DitchingInput, ask: &mut impl Ask) -> Result<DitchingOutput, Halt> {
        ask.note(|| {
            Note::new("distance", format!("It is {} thousandths from its carrier.", input.distance))
                .detail()
                .by(&[rule::MEASURING, rule::R_5])
        });
        let ditching =
            ditch(&self.0, input.strength, input.cv_in_play.then_some(input.distance), input.already_ditched, ask);
        let end_distance = match ditching.then {
            Homing::Land => 0,
            Homing::Move => (input.distance - self.0.speeds.squadron_move).max(0),
            Homing::None => input.distance,
        };
        let remaining = input.strength - ditching.lost;
        Ok(DitchingOutput {
            lost: ditching.lost,
            remaining,
            destroyed: remaining == 0,
            action: ditching.then,
            end_distance,
            ditched: ditching.ditched,
        })
    }
}

/// Carriers that meet.
pub struct SurfaceAction(pub Arc<Book>);

#[derive(Deserialize)]
pub struct SurfaceInput {
    blue_hits: u8,
    red_hits: u8,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct SurfaceOutput {
    damage_to_blue: u8,
    damage_to_red: u8,
    blue_hits: u8,
    red_hits: u8,
    blue_status: Status,
    red_status: Status,
    blue_loses: bool,
    red_loses: bool,
}

impl OldProcedure for SurfaceAction {
    type Input = SurfaceInput;
    type Output = SurfaceOutput;

    fn about(&self) -> About {
        let status = || word(&["operational", "crippled", "destroyed"]);
        About {
            name: "surface-action",
            help: "Two carrier groups shoot it out.",
            dice: "none",
            input: record(vec![req("blue_hits", int(0, 7), "hits before"), req("red_hits", int(0, 7), "hits before")]),
            result: record(vec![
                req("damage_to_blue", int(1, 8), "damage"),
                req("damage_to_red", int(1, 8), "damage"),
                req("blue_hits", int(0, 8), "hits after"),
                req("red_hits", int(0, 8), "hits after"),
                req("blue_status", status(), "how Blue fares"),
                req("red_status", status(), "how Red fares"),
                req("blue_loses", bool(), "whether Blue lost a carrier this way"),
                req("red_loses", bool(), "whether Red lost a carrier this way"),
            ]),
            rules: &[rule::SURFACE_ACTION, rule::R_41],
        }
    }

    fn check(&self, _: &SurfaceInput) -> Result<(), Refusal> {
        Ok(())
    }

    fn run(&self, input: &SurfaceInput, ask: &mut impl Ask) -> Result<SurfaceOutput, Halt> {
        let after = surface_action(&self.0, BySide { first: input.blue_hits, second: input.red_hits }, ask);
        Ok(SurfaceOutput {
            damage_to_blue: after.first.damage,
            damage_to_red: after.second.damage,
            blue_hits: after.first.hits,
            red_hits: after.second.hits,
            blue_status: self.0.carrier.status(after.first.hits),
            red_status: self.0.carrier.status(after.second.hits),
            blue_loses: after.first.loses,
            red_loses: after.second.loses,
        })
    }
}

/// Who has won.
pub struct Victory(pub Arc<Book>);

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Color {
    Blue,
    Red,
}

#[derive(Deserialize)]
pub struct VictoryInput {
    scenario: String,
    turn: u8,
    turn_finished: bool,
    blue: Tally,
    red: Tally,
    surface_losers: Vec<Color>,
    kamikaze_aircraft: Option<u8>,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct VictoryOutput {
    over: bool,
    reason: Reason,
    winner: &'static str,
    level: &'static str,
    blue_level: &'static str,
    red_level: &'static str,
}

impl OldProcedure for Victory {
    type Input = VictoryInput;
    type Output = VictoryOutput;

    fn about(&self) -> About {
        let side = || {
            record(vec![
                req("cv_hits", int(0, 8), "hits taken"),
                or("disengaged", bool(), false, "whether its carriers have left"),
                or("combat_aircraft", int(0, 48), 48, "aircraft of all combat squadrons"),
            ])
        };
        // The words live as long as the program: a book is read once for each system.
        let ids: Vec<&'static str> = self.0.scenario.iter().map(|scenario| known(&scenario.id)).collect();
        About {
            name: "victory",
            help: "Who leads a scenario, how well, and whether it is over.",
            dice: "none",
            input: record(vec![
                req("scenario", word(&ids), "scenario id"),
                req("turn", int(1, 12), "turn"),
                or("turn_finished", bool(), true, "whether the turn is finished"),
                req("blue", side(), "Blue"),
                req("red", side(), "Red"),
                or("surface_losers", list(word(&["blue", "red"]), 0, 2), json!([]), "who lost a carrier to ships"),
                opt("kamikaze_aircraft", int(0, 24), "aircraft of kamikaze squadrons; kamikaze only"),
            ]),
            result: record(vec![
                req("over", bool(), "whether it is over"),
                req(
                    "reason",
                    word(&[
                        "none",
                        "turn-limit",
                        "victory-and-disengaged",
                        "cv-sunk",
                        "cv-disengaged",
                        "kamikazes-spent",
                        "air-group-spent",
                        "no-carriers-left",
                        "surface-action",
                    ]),
                    "why",
                ),
                req("winner", word(&["blue", "red", "none"]), "who leads"),
                req("level", word(&["decisive", "major", "minor", "draw", "surface", "both-lose"]), "how well"),
                req("blue_level", word(&["decisive", "major", "minor", "none"]), "what Blue holds"),
                req("red_level", word(&["decisive", "major", "minor", "none"]), "what Red holds"),
            ]),
            rules: &[rule::VICTORY, rule::R_16, rule::R_55, rule::R_56, rule::C_10, rule::C_11],
        }
    }

    fn check(&self, input: &VictoryInput) -> Result<(), Refusal> {
        let Some(scenario) = self.0.scenario(&input.scenario) else {
            return Err(Refusal::new("bad-enum", format!("There is no scenario '{}'.", input.scenario)));
        };
        if input.turn > scenario.turns {
            return Err(Refusal::new("out-of-range", format!("input.turn must lie between 1 and {}.", scenario.turns)));
        }
        let kamikaze = scenario.victory == crate::scenario::VictoryLines::Kamikaze;
        match input.kamikaze_aircraft {
            None if kamikaze => {
                return Err(Refusal::new(
                    "missing-field",
                    "input lacks 'kamikaze_aircraft', which this scenario turns on.",
                ));
            }
            Some(_) if !kamikaze => {
                return Err(Refusal::new("inconsistent", "Only the kamikaze scenario counts kamikaze aircraft."));
            }
            _ => {}
        }
        for (name, side) in [("Blue", &input.blue), ("Red", &input.red)] {
            if side.disengaged && side.cv_hits >= 8 {
                return Err(Refusal::new("inconsistent", format!("{name} cannot be both sunk and disengaged.")));
            }
        }
        if input.surface_losers.len() == 2 && input.surface_losers[0] == input.surface_losers[1] {
            return Err(Refusal::new("duplicate-id", "A side is listed twice among surface_losers."));
        }
        Ok(())
    }

    fn run(&self, input: &VictoryInput, ask: &mut impl Ask) -> Result<VictoryOutput, Halt> {
        let scenario =
            self.0.scenario(&input.scenario).ok_or_else(|| Refusal::new("bad-enum", "There is no such scenario."))?;
        let position = Position {
            sides: BySide { first: input.blue, second: input.red },
            surface_losers: BySide {
                first: input.surface_losers.contains(&Color::Blue),
                second: input.surface_losers.contains(&Color::Red),
            },
            kamikaze_aircraft: input.kamikaze_aircraft.unwrap_or(0),
            time_is_up: input.turn == scenario.turns && input.turn_finished,
        };
        let verdict = judge(scenario, &position, ask);
        Ok(VictoryOutput {
            over: verdict.reason != Reason::None,
            reason: verdict.reason,
            winner: verdict.winner.map_or("none", color),
            level: verdict.level(),
            blue_level: verdict.levels[Side::First].word(),
            red_level: verdict.levels[Side::Second].word(),
        })
    }
}

/// An id as a word that lives as long as the program. Ids of laid-over files are few and kept once.
fn known(id: &str) -> &'static str {
    static WORDS: std::sync::Mutex<Vec<&'static str>> = std::sync::Mutex::new(Vec::new());
    let mut words = WORDS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(word) = words.iter().find(|word| **word == id) {
        return word;
    }
    let word: &'static str = Box::leak(id.to_owned().into_boxed_str());
    words.push(word);
    word
}
