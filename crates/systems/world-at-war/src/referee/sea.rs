//! Attacks on ships, losses of ships, search.

use super::inputs::{AirGroupInput, FirersInput, TargetInput, air_force};
use super::shapes::{self, count, number};
use super::{nobody, pair, projected, rolled, to_json};
use crate::Rulebook;
use crate::naval::{self, Activity, AirAttack, Effect, Firers, FleetAttack, Waters};
use crate::rule;
use crate::search::{self, Searcher, Sighting};
use flagplot_kernel::{Ask, Refusal};
use flagplot_odds::Budget;
use flagplot_referee::{About, FieldOdds, Halt, OldProcedure, bool, int, list, or, record, req, tagged};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

const NAVAL_RULES: &[flagplot_kernel::Rule] = &[
    rule::NAVAL_TABLE,
    rule::NAVAL_CHART,
    rule::HITS,
    rule::R_4,
    rule::R_12,
    rule::R_16,
    rule::R_18,
    rule::R_19,
    rule::R_20,
    rule::R_21,
    rule::R_25,
    rule::R_26,
    rule::R_32,
    rule::R_33,
    rule::R_36,
    rule::R_37,
    rule::R_38,
    rule::R_39,
    rule::R_40,
    rule::R_43,
    rule::R_46,
    rule::R_49,
    rule::C_3,
    rule::C_11,
];

/// `naval-attack`
pub(super) struct NavalAttack(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
#[serde(tag = "mode", rename_all = "kebab-case")]
pub(super) enum NavalAttackInput {
    Air { attackers: Vec<AirGroupInput>, target: TargetInput, at_sea: bool, surprise_level: u32 },
    Fleet { attackers: Vec<FirersInput>, target: TargetInput, attacker_encumbered: bool, target_encumbered: bool },
}

#[derive(Serialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
pub(super) enum NavalAttackOutput {
    Air(AirAttack),
    Fleet(FleetAttack),
}

fn firers(attackers: &[FirersInput]) -> Result<Vec<Firers>, Refusal> {
    let firers: Vec<Firers> = attackers
        .iter()
        .enumerate()
        .map(|(at, firers)| firers.read(&format!("input.attackers[{at}]")))
        .collect::<Result<_, _>>()?;
    if firers.iter().all(|firers| firers.factors == 0) {
        return Err(nobody("attackers", "input.attackers", rule::NAVAL_TABLE));
    }
    Ok(firers)
}

impl OldProcedure for NavalAttack {
    type Input = NavalAttackInput;
    type Output = NavalAttackOutput;

    fn about(&self) -> About {
        let target = || req("target", shapes::target(), "what is attacked");
        About {
            name: "naval-attack",
            help: "One attack on one ship or one group of light ships, by aircraft or by ships.",
            dice: "two dice",
            input: tagged(
                "mode",
                "who attacks",
                vec![
                    (
                        vec!["air"],
                        vec![
                            req("attackers", shapes::air_groups(), "squadrons"),
                            target(),
                            or("at_sea", bool(), true, "the target is at sea"),
                            shapes::surprise(),
                        ],
                    ),
                    (
                        vec!["fleet"],
                        vec![
                            req("attackers", shapes::firing_ships(), "fleet factors"),
                            target(),
                            or("attacker_encumbered", bool(), false, "a task burdens the attackers' group"),
                            or("target_encumbered", bool(), false, "a task burdens the target's group"),
                        ],
                    ),
                ],
            ),
            result: record(shapes::shot()),
            rules: NAVAL_RULES,
        }
    }

    fn check(&self, input: &NavalAttackInput) -> Result<(), Refusal> {
        let target = match input {
            NavalAttackInput::Air { attackers, target, .. } => {
                air_force(attackers, "attackers", rule::NAVAL_TABLE)?;
                target
            }
            NavalAttackInput::Fleet { attackers, target, .. } => {
                firers(attackers)?;
                target
            }
        };
        target.read("input.target").map(|_| ())
    }

    fn run(&self, input: &NavalAttackInput, ask: &mut impl Ask) -> Result<NavalAttackOutput, Halt> {
        match input {
            NavalAttackInput::Air { attackers, target, at_sea, surprise_level } => {
                let force = air_force(attackers, "attackers", rule::NAVAL_TABLE)?;
                let waters = if *at_sea { Waters::AtSea } else { Waters::InPort };
                Ok(NavalAttackOutput::Air(naval::air_attack(
                    &self.0,
                    &force,
                    &target.read("input.target")?,
                    waters,
                    *surprise_level,
                    ask,
                )?))
            }
            NavalAttackInput::Fleet { attackers, target, attacker_encumbered, target_encumbered } => {
                let activity =
                    Activity { attacker_encumbered: *attacker_encumbered, target_encumbered: *target_encumbered };
                Ok(NavalAttackOutput::Fleet(naval::fleet_attack(
                    &self.0,
                    &firers(attackers)?,
                    &target.read("input.target")?,
                    activity,
                    ask,
                )?))
            }
        }
    }
}

/// `allocate-naval-losses`
pub(super) struct AllocateLosses(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct AllocateInput {
    hits: u32,
    target: TargetInput,
}

impl OldProcedure for AllocateLosses {
    type Input = AllocateInput;
    type Output = Effect;

    fn about(&self) -> About {
        About {
            name: "allocate-naval-losses",
            help: "What some hits do to a ship or to a group of light ships.",
            dice: "none",
            input: record(vec![
                req("hits", int(0, 10_000), "hits of one attack"),
                req("target", shapes::target(), "what is hit"),
            ]),
            result: record(shapes::effect()),
            rules: &[rule::HITS, rule::R_21, rule::R_26, rule::R_32, rule::R_39, rule::C_11],
        }
    }

    fn check(&self, input: &AllocateInput) -> Result<(), Refusal> {
        input.target.read("input.target").map(|_| ())
    }

    fn run(&self, input: &AllocateInput, ask: &mut impl Ask) -> Result<Effect, Halt> {
        Ok(input.target.read("input.target")?.hit(&self.0, input.hits, ask))
    }
}

/// `naval-search`
pub(super) struct NavalSearch(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct SearchInput {
    sides: Vec<SearcherInput>,
}

#[derive(Deserialize)]
struct SearcherInput {
    groups: u32,
    modifier: i32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct SearchOutput {
    sides: [Sighting; 2],
}

impl OldProcedure for NavalSearch {
    type Input = SearchInput;
    type Output = SearchOutput;

    fn about(&self) -> About {
        let side = record(vec![
            req("groups", int(1, 9), "own combat groups"),
            or("modifier", int(-12, 12), 0, "added to the roll"),
        ]);
        let sighting = record(vec![
            req("total", number(), "dice and modifier"),
            req("groups_found", count(), "enemy groups found"),
            req("surprise_level", int(0, 9), "surprise level"),
        ]);
        About {
            name: "naval-search",
            help: "Two fleets look for each other.",
            dice: "two dice for each side",
            input: record(vec![req("sides", list(side, 2, 2), "the two sides")]),
            result: record(vec![req("sides", list(sighting, 2, 2), "what each side found")]),
            rules: &[rule::C_12],
        }
    }

    fn check(&self, _: &SearchInput) -> Result<(), Refusal> {
        Ok(())
    }

    fn run(&self, input: &SearchInput, ask: &mut impl Ask) -> Result<SearchOutput, Halt> {
        let searcher = |at: usize| Searcher { groups: input.sides[at].groups, modifier: input.sides[at].modifier };
        Ok(SearchOutput { sides: search::search(&self.0.naval.search, [searcher(0), searcher(1)], ask)? })
    }

    fn odds(&self, input: &SearchInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let dist = rolled(budget, |ask| self.run(input, ask))?;
        Ok(projected(&dist, wanted, |output| {
            let value = to_json(output);
            if wanted.is_some() { value } else { json!({"sides": pair(&value["sides"])}) }
        }))
    }
}
