//! A whole air strike.

use super::inputs::{AirGroupInput, TargetInput, air_force, air_groups};
use super::shapes::{self, ID, LONGEST, count};
use super::{projected, rolled, to_json};
use crate::Rulebook;
use crate::air::{self, AirGroup, AirRole, AirRound};
use crate::air_defense::{AirDefense, Defenses};
use crate::naval::{AirAttack, Effect, Target, Waters};
use crate::rule;
use crate::strike::{Approach, Strike};
use flagplot_kernel::{Ask, Note, Refusal};
use flagplot_odds::{Budget, Dist};
use flagplot_referee::{
    About, FieldOdds, Halt, OldProcedure, bool, int, list, nullable, opt, or, record, req, text, word,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// `air-strike`
pub(super) struct AirStrike(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct AirStrikeInput {
    attackers: Vec<AirGroupInput>,
    cap: Vec<AirGroupInput>,
    cap_role: AirRole,
    defenses: Defenses,
    surprise_level: u32,
    at_sea: bool,
    targets: Vec<StrikeTargetInput>,
}

#[derive(Deserialize)]
struct StrikeTargetInput {
    id: String,
    squadrons: u32,
    ship: TargetInput,
}

#[derive(Clone, Serialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
enum AttackOutput {
    Made {
        id: String,
        #[serde(flatten)]
        attack: Box<AirAttack>,
    },
    NobodyLeft {
        id: String,
        squadrons: u32,
        hits: u32,
        effect: Effect,
    },
}

impl AttackOutput {
    fn hits(&self) -> u32 {
        match self {
            AttackOutput::Made { attack, .. } => attack.shot.hits,
            AttackOutput::NobodyLeft { .. } => 0,
        }
    }
}

#[derive(Serialize, PartialEq, Eq, Hash)]
struct AttackersOutput {
    started: u32,
    eliminated: u32,
    aborted: u32,
    attacked: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
struct ApproachOutput {
    cap_combat: Option<AirRound>,
    air_defense: Option<AirDefense>,
    attackers: AttackersOutput,
    cap_remaining: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct AirStrikeOutput {
    #[serde(flatten)]
    approach: ApproachOutput,
    attacks: Vec<AttackOutput>,
    total_hits: u32,
}

impl AirStrikeInput {
    fn with<T>(&self, book: &Rulebook, f: impl FnOnce(&Strike<'_>) -> Result<T, Halt>) -> Result<T, Halt> {
        let attackers = air_force(&self.attackers, "attackers", rule::R_47)?;
        let cap = air_groups(&self.cap, "input.cap")?;
        let mut targets: Vec<(u32, Target)> = Vec::new();
        for (at, target) in self.targets.iter().enumerate() {
            if self.targets[..at].iter().any(|other| other.id == target.id) {
                return Err(Refusal::new(
                    "duplicate-target",
                    format!("input.targets: '{}' is there twice.", target.id),
                )
                .by(rule::C_16)
                .into());
            }
            targets.push((target.squadrons, target.ship.read(&format!("input.targets[{at}].ship"))?));
        }
        let (started, meant) = (air::strength(&attackers), targets.iter().map(|(squadrons, _)| squadrons).sum::<u32>());
        if started != meant {
            return Err(Refusal::new(
                "bad-allocation",
                format!("{started} squadrons attack, but {meant} are given targets."),
            )
            .by(rule::C_16)
            .into());
        }
        let waters = if self.at_sea { Waters::AtSea } else { Waters::InPort };
        f(&Strike {
            book,
            attackers: &attackers,
            cap: &cap,
            cap_role: self.cap_role,
            defenses: self.defenses,
            surprise: self.surprise_level,
            waters,
            targets: &targets,
        })
    }

    fn attack(
        &self,
        strike: &Strike<'_>,
        at: usize,
        squadrons: &[AirGroup],
        ask: &mut impl Ask,
    ) -> Result<AttackOutput, Halt> {
        let (target, id) = (&strike.targets[at].1, self.targets[at].id.clone());
        ask.note(|| Note::new("strike-target", format!("Target {}: {id}", at + 1)).by(&[rule::C_16]));
        Ok(match strike.attack(target, squadrons, ask)? {
            Some(attack) => AttackOutput::Made { id, attack: Box::new(attack) },
            None => AttackOutput::NobodyLeft { id, squadrons: 0, hits: 0, effect: target.hit(strike.book, 0, ask) },
        })
    }
}

fn approach_output(strike: &Strike<'_>, approach: &Approach) -> ApproachOutput {
    ApproachOutput {
        attackers: AttackersOutput {
            started: air::strength(strike.attackers),
            eliminated: approach.eliminated(),
            aborted: approach.aborted(),
            attacked: air::strength(&approach.force),
        },
        cap_combat: approach.cap_combat.clone(),
        air_defense: approach.air_defense.clone(),
        cap_remaining: approach.cap_remaining,
    }
}

impl OldProcedure for AirStrike {
    type Input = AirStrikeInput;
    type Output = AirStrikeOutput;

    fn about(&self) -> About {
        let mut attack = shapes::shot();
        attack.insert(0, req("id", text(ID), "the target"));
        About {
            name: "air-strike",
            help: "An air strike on ships: past patrols and air defense to its targets.",
            dice: "with patrols two dice for the strike and two for them; two for air defense if it has a level and somebody to shoot at; two for each target that still gets squadrons",
            input: record(vec![
                req("attackers", shapes::air_groups(), "the squadrons, those that are lost first in front"),
                or("cap", shapes::air_groups(), json!([]), "squadrons over the ships"),
                or("cap_role", word(&["cap", "air-cover"]), "cap", "carrier patrol or land-based cover"),
                req("defenses", shapes::defenses(), "everything that shoots"),
                shapes::surprise(),
                or("at_sea", bool(), true, "the ships are at sea"),
                req(
                    "targets",
                    list(
                        record(vec![
                            req("id", text(ID), "a name"),
                            req("squadrons", int(1, 1_000_000), "squadrons meant for it"),
                            req("ship", shapes::target(), "what it is"),
                        ]),
                        0,
                        LONGEST,
                    ),
                    "in order of priority; their squadrons are those of the attackers",
                ),
            ]),
            result: record(vec![
                req("cap_combat", nullable(record(shapes::air_round())), "the fight with the patrols"),
                req(
                    "air_defense",
                    nullable(record(shapes::air_defense())),
                    "what the guns did; null if nobody was left",
                ),
                req(
                    "attackers",
                    record(vec![
                        req("started", count(), "squadrons at the start"),
                        req("eliminated", count(), "on the way"),
                        req("aborted", count(), "on the way"),
                        req("attacked", count(), "squadrons that attacked"),
                    ]),
                    "the squadrons",
                ),
                req("cap_remaining", count(), "patrols left"),
                req("attacks", list(record(attack), 0, LONGEST), "each target"),
                opt("total_hits", count(), "all hits"),
            ]),
            rules: &[
                rule::R_47,
                rule::C_16,
                rule::AIR_TABLE,
                rule::AIR_DEFENSE_TABLE,
                rule::NAVAL_TABLE,
                rule::HITS,
                rule::R_15,
                rule::R_28,
                rule::R_38,
            ],
        }
    }

    fn check(&self, input: &AirStrikeInput) -> Result<(), Refusal> {
        input.with(&self.0, |_| Ok(())).map_err(|halt| match halt {
            Halt::Refused(refusal) => *refusal,
            Halt::Unanswered => Refusal::new("internal", "A check asked for dice."),
        })
    }

    fn run(&self, input: &AirStrikeInput, ask: &mut impl Ask) -> Result<AirStrikeOutput, Halt> {
        input.with(&self.0, |strike| {
            let approach = strike.approach(ask)?;
            let mut attacks = Vec::new();
            for (at, squadrons) in strike.fill(&approach.force).iter().enumerate() {
                attacks.push(input.attack(strike, at, squadrons, ask)?);
            }
            Ok(AirStrikeOutput {
                approach: approach_output(strike, &approach),
                total_hits: attacks.iter().map(AttackOutput::hits).sum(),
                attacks,
            })
        })
    }

    /// Once it is known who got through, each target has dice of its own.
    fn odds(&self, input: &AirStrikeInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        if wanted == Some("attacks") {
            return Ok(projected(&rolled(budget, |ask| self.run(input, ask))?, wanted, to_json));
        }
        input.with(&self.0, |strike| {
            let approach = rolled(budget, |ask| Ok(strike.approach(ask)?))?;
            let forces = approach.map(|approach| approach.force.clone());
            let attack_on = |force: &Vec<AirGroup>, at: usize| {
                let squadrons = strike.fill(force);
                rolled(budget, |ask| input.attack(strike, at, &squadrons[at], ask))
            };
            if let Some(rest) = wanted.and_then(|field| field.strip_prefix("attacks.")) {
                let Some(at) = rest
                    .split('.')
                    .next()
                    .and_then(|at| at.parse::<usize>().ok())
                    .filter(|at| *at < strike.targets.len())
                else {
                    return Ok(FieldOdds::default());
                };
                let attacks: Dist<AttackOutput> = forces.then(|force| attack_on(force, at))?;
                return Ok(projected(&attacks, wanted, |attack| json!({"attacks": {at.to_string(): to_json(attack)}})));
            }
            let mut odds = projected(&approach, wanted, |approach| to_json(&approach_output(strike, approach)));
            if wanted.is_none_or(|field| field == "total_hits") {
                let hits: Dist<u32> = forces.then(|force| {
                    (0..strike.targets.len()).try_fold(Dist::certain(0), |sum, at| {
                        Ok::<_, Halt>(sum.with(&attack_on(force, at)?, |sum, attack| sum + attack.hits()))
                    })
                })?;
                odds.put("total_hits", wanted, &hits, |hits| (*hits).into());
            }
            Ok(odds)
        })
    }
}
