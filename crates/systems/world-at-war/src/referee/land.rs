//! Odds, attrition and retreats.

use super::inputs::distinct;
use super::nobody;
use super::shapes::{ID, LONGEST, MOST_FACTORS, count, number};
use crate::Rulebook;
use crate::attrition::{self, Attrition, Board, Trained};
use crate::charts::OddsColumn;
use crate::ground::Strengths;
use crate::retreat::{self, Evil, RetreatHex, Stacking};
use crate::rule;
use flagplot_kernel::{Ask, Note, Refusal};
use flagplot_referee::{About, Halt, OldProcedure, Shape, bool, int, list, nullable, opt, or, record, req, text, word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The columns of the ground combat table.
pub(super) fn columns() -> Shape {
    let labels: Vec<&'static str> = OddsColumn::ALL.iter().map(|(_, label)| *label).collect();
    word(&labels)
}

/// `odds-ratio`
pub(super) struct OddsRatio;

#[derive(Deserialize)]
pub(super) struct OddsRatioInput {
    attacker: u32,
    defender: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct OddsRatioOutput {
    ratio: String,
    column: Option<OddsColumn>,
    legal: bool,
}

impl OldProcedure for OddsRatio {
    type Input = OddsRatioInput;
    type Output = OddsRatioOutput;

    fn about(&self) -> About {
        About {
            name: "odds-ratio",
            help: "The odds of two strengths and their column on the ground combat table.",
            dice: "none",
            input: record(vec![
                req("attacker", int(0, MOST_FACTORS), "attack strength"),
                req("defender", int(0, MOST_FACTORS), "defense strength"),
            ]),
            result: record(vec![
                req("ratio", text(16), "rounded for the defender"),
                req("column", nullable(columns()), "the column, or null below 1:4"),
                req("legal", bool(), "whether the attack may be made"),
            ]),
            rules: &[rule::R_10],
        }
    }

    fn check(&self, input: &OddsRatioInput) -> Result<(), Refusal> {
        match (input.attacker, input.defender) {
            (0, _) => Err(nobody("attackers", "input.attacker", rule::R_10)),
            (_, 0) => Err(nobody("defenders", "input.defender", rule::R_10)),
            _ => Ok(()),
        }
    }

    fn run(&self, input: &OddsRatioInput, ask: &mut impl Ask) -> Result<OddsRatioOutput, Halt> {
        let ratio = Strengths { attack: input.attacker, defense: input.defender }.ratio();
        let column = ratio.column();
        ask.note(|| {
            Note::new("odds", format!("{} against {} is {ratio}.", input.attacker, input.defender))
                .by(&[rule::R_10])
                .outcome(ratio.to_string())
        });
        Ok(OddsRatioOutput { ratio: ratio.to_string(), column, legal: column.is_some() })
    }
}

/// `attrition`
pub(super) struct AttritionTable(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct AttritionInput {
    attackers: Vec<TrainedInput>,
    defenders: Vec<TrainedInput>,
    winter: bool,
    attacker_winter_preparation: i32,
    defender_winter_preparation: i32,
    board: Board,
}

#[derive(Deserialize)]
struct TrainedInput {
    factors: u32,
    ctl: i32,
}

fn trained(side: &[TrainedInput]) -> Vec<Trained> {
    side.iter().map(|part| Trained { factors: part.factors, ctl: part.ctl }).collect()
}

impl OldProcedure for AttritionTable {
    type Input = AttritionInput;
    type Output = Attrition;

    fn about(&self) -> About {
        let side = || {
            list(
                record(vec![
                    req("factors", int(0, MOST_FACTORS), "ground factors"),
                    req("ctl", int(-20, 20), "combat training level"),
                ]),
                0,
                LONGEST,
            )
        };
        About {
            name: "attrition",
            help: "What an attrition attack costs the defender in counters and hexes.",
            dice: "one die",
            input: record(vec![
                req("attackers", side(), "attritioning factors by training level"),
                req("defenders", side(), "defending factors by training level"),
                or("winter", bool(), false, "a turn with winter effects"),
                or("attacker_winter_preparation", int(0, 20), 0, "the attacker's level"),
                or("defender_winter_preparation", int(0, 20), 0, "the defender's level"),
                or("board", word(&["europe", "pacific"]), "europe", "hexes are halved on the Pacific board"),
            ]),
            result: record(vec![
                req("attritioning_factors", count(), "the attacker's factors"),
                req("column", text(8), "the column read"),
                req("size_modifier", number(), "for more than seventy factors"),
                req("attacker_ctl", number(), "the level that counts"),
                req("defender_ctl", number(), "the level that counts"),
                req("ctl_modifier", number(), "difference in training"),
                req("winter_modifier", number(), "difference in winter preparation"),
                req("roll", int(1, 6), "the die"),
                req("modified_roll", number(), "with modifiers"),
                req("row", text(8), "the row read"),
                req("cell", text(8), "what the table says"),
                req("counters", count(), "counters lost"),
                req("table_hexes", count(), "hexes as the table says"),
                req("hexes", count(), "hexes lost on this board"),
            ]),
            rules: &[rule::ATTRITION_TABLE, rule::R_4, rule::R_5, rule::R_6, rule::R_7, rule::R_42, rule::R_48],
        }
    }

    fn check(&self, input: &AttritionInput) -> Result<(), Refusal> {
        for (side, parts) in [("attackers", &input.attackers), ("defenders", &input.defenders)] {
            if parts.iter().all(|part| part.factors == 0) {
                return Err(nobody(side, &format!("input.{side}"), rule::ATTRITION_TABLE));
            }
        }
        Ok(())
    }

    fn run(&self, input: &AttritionInput, ask: &mut impl Ask) -> Result<Attrition, Halt> {
        let winter = input.winter.then_some((input.attacker_winter_preparation, input.defender_winter_preparation));
        Ok(attrition::attrition(
            &self.0.charts,
            &trained(&input.attackers),
            &trained(&input.defenders),
            winter,
            input.board,
            ask,
        )?)
    }
}

/// `retreat-hex`
pub(super) struct RetreatHexes;

#[derive(Deserialize)]
pub(super) struct RetreatInput {
    hexes: Vec<HexInput>,
    stacking_limit: u32,
    retreating: u32,
    choice: Option<String>,
}

#[derive(Deserialize)]
struct HexInput {
    id: String,
    friendly_units: u32,
    enemy_units: u32,
    enemy_zoc: bool,
    enemy_controlled: bool,
    passable: bool,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
struct HexOutput {
    id: String,
    severity: Option<u32>,
    evils: Vec<Evil>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct RetreatOutput {
    hexes: Vec<HexOutput>,
    options: Vec<String>,
    severity: Option<u32>,
    evil: Evil,
    eliminated: bool,
    chosen: Option<String>,
}

impl RetreatInput {
    fn hexes(&self) -> Vec<RetreatHex> {
        let read = |hex: &HexInput| RetreatHex {
            friendly_units: hex.friendly_units,
            enemy_units: hex.enemy_units,
            enemy_zoc: hex.enemy_zoc,
            enemy_controlled: hex.enemy_controlled,
            passable: hex.passable,
        };
        self.hexes.iter().map(read).collect()
    }
}

impl OldProcedure for RetreatHexes {
    type Input = RetreatInput;
    type Output = RetreatOutput;

    fn about(&self) -> About {
        let evil = || word(&["none", "overstack", "enemy-zoc", "enemy-controlled", "eliminated"]);
        About {
            name: "retreat-hex",
            help: "Which of the neighbouring hexes a retreating unit may enter.",
            dice: "none",
            input: record(vec![
                req(
                    "hexes",
                    list(
                        record(vec![
                            req("id", text(ID), "a name"),
                            or("friendly_units", int(0, 1000), 0, "own ground units in it"),
                            or("enemy_units", int(0, 1000), 0, "enemy ground units in it"),
                            or("enemy_zoc", bool(), false, "in an enemy zone of control"),
                            or("enemy_controlled", bool(), false, "under enemy control"),
                            or("passable", bool(), true, "land that can be entered from here"),
                        ]),
                        0,
                        LONGEST,
                    ),
                    "the neighbouring hexes",
                ),
                or("stacking_limit", int(0, 1000), 2, "units a hex holds"),
                or("retreating", int(1, 1000), 1, "units that retreat together"),
                opt("choice", text(ID), "the owner's choice"),
            ]),
            result: record(vec![
                req(
                    "hexes",
                    list(
                        record(vec![
                            req("id", text(ID), "the hex"),
                            req("severity", nullable(int(0, 7)), "null if closed"),
                            req("evils", list(evil(), 0, 3), "what is bad about it"),
                        ]),
                        0,
                        LONGEST,
                    ),
                    "each hex",
                ),
                req("options", list(text(ID), 0, LONGEST), "where it may go"),
                req("severity", nullable(int(0, 7)), "of the options"),
                req("evil", evil(), "the worst evil of the options"),
                req("eliminated", bool(), "there is no open hex"),
                req("chosen", nullable(text(ID)), "the choice, or the only option"),
            ]),
            rules: &[rule::RETREAT_PRIORITY, rule::R_8],
        }
    }

    fn check(&self, input: &RetreatInput) -> Result<(), Refusal> {
        distinct(input.hexes.iter().map(|hex| hex.id.as_str()), "input.hexes")
    }

    fn run(&self, input: &RetreatInput, ask: &mut impl Ask) -> Result<RetreatOutput, Halt> {
        let stacking = Stacking { limit: input.stacking_limit, retreating: input.retreating };
        let hexes = input.hexes();
        let retreat = retreat::retreat(&hexes, stacking, ask);
        let options: Vec<String> = retreat.options.iter().map(|&at| input.hexes[at].id.clone()).collect();
        let chosen = match &input.choice {
            Some(choice) if input.hexes.iter().all(|hex| hex.id != *choice) => {
                return Err(Refusal::new("unknown-hex", format!("input.choice: '{choice}' is none of the hexes."))
                    .by(rule::RETREAT_PRIORITY)
                    .into());
            }
            Some(choice) if !options.contains(choice) => {
                let allowed = if options.is_empty() {
                    "No hex is open.".to_owned()
                } else {
                    format!("The least evils are: {}.", options.join(", "))
                };
                return Err(Refusal::new("not-least-evil", format!("input.choice: '{choice}' is not a least evil."))
                    .by(rule::RETREAT_PRIORITY)
                    .remedy(allowed)
                    .into());
            }
            Some(choice) => Some(choice.clone()),
            None if options.len() == 1 => Some(options[0].clone()),
            None => None,
        };
        let output = |(hex, read): (&HexInput, &RetreatHex)| HexOutput {
            id: hex.id.clone(),
            severity: read.severity(stacking),
            evils: read.evils(stacking).unwrap_or_default(),
        };
        Ok(RetreatOutput {
            hexes: input.hexes.iter().zip(&hexes).map(output).collect(),
            severity: retreat.severity,
            evil: retreat.evil,
            eliminated: options.is_empty(),
            options,
            chosen,
        })
    }
}
