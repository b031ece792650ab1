//! Air combat, air battles, air defence.

use super::inputs::{AirGroupInput, air_force};
use super::shapes::{self, count};
use super::{nobody, projected, rolled, to_json};
use crate::Rulebook;
use crate::air::{self, AirGroup, AirLosses, AirRole, AirRound, AirSetting, AirType, AirUnit};
use crate::air_battle::{AirBattle, AirEnds, AirOutcome, Follow};
use crate::air_defense::{self, AirDefense, Defenses};
use crate::nation::{Nation, Supply};
use crate::rule;
use flagplot_kernel::{Ask, Refusal};
use flagplot_odds::{Budget, Exact, Weight};
use flagplot_referee::{
    About, Field, FieldOdds, Halt, OldProcedure, Projection, bool, int, list, or, record, req, word,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

const AIR_RULES: &[flagplot_kernel::Rule] = &[
    rule::AIR_TABLE,
    rule::AIR_CHART,
    rule::R_1,
    rule::R_2,
    rule::R_3,
    rule::R_4,
    rule::R_12,
    rule::R_15,
    rule::R_16,
    rule::R_18,
    rule::R_27,
    rule::R_29,
    rule::R_30,
    rule::R_31,
    rule::R_43,
    rule::R_44,
    rule::C_2,
    rule::C_3,
];

#[derive(Deserialize)]
pub(super) struct AirCombatInput {
    attackers: Vec<AirGroupInput>,
    defenders: Vec<AirGroupInput>,
    unit: AirUnit,
    role: AirRole,
    radar_results: u32,
}

fn combat_fields() -> Vec<Field> {
    vec![
        req("attackers", shapes::air_groups(), "the attacker's groups, those that are lost first in front"),
        req("defenders", shapes::air_groups(), "the defender's groups, those that are lost first in front"),
        or("unit", word(&["factors", "squadrons"]), "factors", "what the counts are"),
        shapes::air_role(),
        or("radar_results", int(0, 99), 0, "the defender's radar research results, against strategic bombing only"),
    ]
}

impl AirCombatInput {
    fn read(&self) -> Result<(Vec<AirGroup>, Vec<AirGroup>, AirSetting), Refusal> {
        let attackers = air_force(&self.attackers, "attackers", rule::AIR_TABLE)?;
        let defenders = air_force(&self.defenders, "defenders", rule::AIR_TABLE)?;
        if self.radar_results > 0 && self.role != AirRole::StrategicBombingDefense {
            return Err(Refusal::new(
                "radar-not-applicable",
                "input.radar_results: radar counts against strategic bombing only.",
            )
            .by(rule::R_30));
        }
        Ok((attackers, defenders, AirSetting { unit: self.unit, role: self.role, radar_results: self.radar_results }))
    }
}

/// `air-combat`
pub(super) struct AirCombat(pub(super) Arc<Rulebook>);

impl OldProcedure for AirCombat {
    type Input = AirCombatInput;
    type Output = AirRound;

    fn about(&self) -> About {
        About {
            name: "air-combat",
            help: "One round of air combat.",
            dice: "two dice for the attacker, two for the defender",
            input: record(combat_fields()),
            result: record(shapes::air_round()),
            rules: AIR_RULES,
        }
    }

    fn check(&self, input: &AirCombatInput) -> Result<(), Refusal> {
        input.read().map(|_| ())
    }

    fn run(&self, input: &AirCombatInput, ask: &mut impl Ask) -> Result<AirRound, Halt> {
        let (mut attackers, mut defenders, setting) = input.read()?;
        Ok(air::round(&self.0, &mut attackers, &mut defenders, setting, ask)?)
    }
}

/// `air-battle`
pub(super) struct AirBattles(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct AirBattleInput {
    #[serde(flatten)]
    combat: AirCombatInput,
    attacker_withdraws_at: u32,
    defender_withdraws_at: u32,
    max_rounds: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct AirBattleOutput {
    outcome: Option<AirOutcome>,
    rounds_fought: u32,
    rounds: Vec<AirRound>,
    attacker: AirLosses,
    defender: AirLosses,
}

impl AirBattles {
    fn with<T>(&self, input: &AirBattleInput, f: impl FnOnce(&AirBattle<'_>) -> Result<T, Halt>) -> Result<T, Halt> {
        let (attackers, defenders, setting) = input.combat.read()?;
        f(&AirBattle {
            book: &self.0,
            attackers: &attackers,
            defenders: &defenders,
            setting,
            attacker_withdraws_at: input.attacker_withdraws_at,
            defender_withdraws_at: input.defender_withdraws_at,
            max_rounds: (input.max_rounds > 0).then_some(input.max_rounds),
        })
    }
}

/// The fields that an end of the battle decides, for what was followed.
fn fields(battle: &AirBattle<'_>, follow: Follow, end: &crate::air_battle::AirEnd) -> Value {
    let losses = |force: &[AirGroup], remaining: u32| {
        let lost = air::strength(force) - remaining;
        to_json(&AirLosses { eliminated: end.followed, aborted: lost - end.followed, remaining })
    };
    match (follow, battle.max_rounds) {
        (Follow::Nothing, None) => json!({"outcome": end.outcome}),
        (Follow::Nothing, Some(_)) => json!({"outcome": end.outcome, "rounds_fought": end.rounds}),
        (Follow::AttackerEliminated, _) => json!({"attacker": losses(battle.attackers, end.attackers)}),
        (Follow::DefenderEliminated, _) => json!({"defender": losses(battle.defenders, end.defenders)}),
    }
}

impl OldProcedure for AirBattles {
    type Input = AirBattleInput;
    type Output = AirBattleOutput;

    fn about(&self) -> About {
        let mut input = combat_fields();
        input.extend([
            or("attacker_withdraws_at", int(0, 1_000_000), 0, "withdraws when so many or fewer are left; 0: never"),
            or("defender_withdraws_at", int(0, 1_000_000), 0, "withdraws when so many or fewer are left; 0: never"),
            or("max_rounds", int(0, 1000), 0, "at most so many rounds; 0: no limit"),
        ]);
        About {
            name: "air-battle",
            help: "Air combat fought on until a side is gone or has had enough.",
            dice: "for each round two dice for the attacker, two for the defender",
            input: record(input),
            result: record(vec![
                req(
                    "outcome",
                    word(&[
                        "defender-gone",
                        "attacker-gone",
                        "both-gone",
                        "attacker-withdrew",
                        "defender-withdrew",
                        "round-limit",
                    ]),
                    "how it ended",
                ),
                req("rounds_fought", count(), "rounds"),
                req("rounds", list(record(shapes::air_round()), 1, 1_000_000), "each round"),
                req("attacker", shapes::air_losses(), "the attacker in all"),
                req("defender", shapes::air_losses(), "the defender in all"),
            ]),
            rules: AIR_RULES,
        }
    }

    fn check(&self, input: &AirBattleInput) -> Result<(), Refusal> {
        input.combat.read().map(|_| ())
    }

    fn run(&self, input: &AirBattleInput, ask: &mut impl Ask) -> Result<AirBattleOutput, Halt> {
        self.with(input, |battle| {
            let mut state = battle.start();
            let mut rounds = Vec::new();
            while state.outcome.is_none() {
                rounds.push(battle.round(&mut state, ask)?);
            }
            let losses = |toll: crate::charts::Toll, force: &[AirGroup]| AirLosses {
                eliminated: toll.eliminated,
                aborted: toll.aborted,
                remaining: air::strength(force),
            };
            Ok(AirBattleOutput {
                outcome: state.outcome,
                rounds_fought: state.rounds,
                rounds,
                attacker: losses(state.attacker, &state.attackers),
                defender: losses(state.defender, &state.defenders),
            })
        })
    }

    /// Outcome and losses are counted one number at a time; single rounds only exist where their number is limited.
    fn odds(&self, input: &AirBattleInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let top = wanted.and_then(|field| field.split('.').next());
        let follows: &[Follow] = match top {
            None => &[Follow::Nothing, Follow::AttackerEliminated, Follow::DefenderEliminated],
            Some("attacker") => &[Follow::AttackerEliminated],
            Some("defender") => &[Follow::DefenderEliminated],
            Some("rounds" | "rounds_fought") if input.max_rounds == 0 => {
                return Err(Refusal::new("bad-field", "Without max_rounds a battle can take any number of rounds, so that they have no finite distribution.")
                    .by(rule::C_2)
                    .into());
            }
            Some("rounds") => return Ok(projected(&rolled(budget, |ask| self.run(input, ask))?, wanted, to_json)),
            Some(_) => &[Follow::Nothing],
        };
        self.with(input, |battle| {
            let ends: Vec<AirEnds> =
                follows.iter().map(|&follow| battle.ends(follow, budget)).collect::<Result<_, _>>()?;
            let totals: Vec<Exact> = ends.iter().map(|ends| ends.total.clone()).collect();
            let (total, factors) = Exact::common(&totals);
            let mut projection = Projection::new(wanted);
            for ((&follow, ends), factor) in follows.iter().zip(&ends).zip(&factors) {
                for (end, weight) in &ends.ends {
                    projection.add(&fields(battle, follow, end), &(weight * factor));
                }
            }
            Ok(projection.finish(&total))
        })
    }
}

/// `air-defense`
pub(super) struct AirDefenses(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct AirDefenseInput {
    attackers: u32,
    kamikazes: u32,
    defenses: Defenses,
    surprise_level: u32,
    kamikazes_lost_first: bool,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct AirDefenseOutput {
    #[serde(flatten)]
    defense: AirDefense,
    remaining_kamikazes: u32,
}

impl OldProcedure for AirDefenses {
    type Input = AirDefenseInput;
    type Output = AirDefenseOutput;

    fn about(&self) -> About {
        let mut result = shapes::air_defense();
        result.push(req("remaining_kamikazes", count(), "kamikazes left"));
        About {
            name: "air-defense",
            help: "What the guns do to an air attack.",
            dice: "two dice, none if the level is 0 or less",
            input: record(vec![
                req("attackers", int(0, 100_000), "attacking factors or squadrons, without kamikazes"),
                or("kamikazes", int(0, 100_000), 0, "attacking kamikazes"),
                req("defenses", shapes::defenses(), "everything that shoots"),
                shapes::surprise(),
                or("kamikazes_lost_first", bool(), false, "eliminations fall on kamikazes first"),
            ]),
            result: record(result),
            rules: &[
                rule::AIR_DEFENSE_TABLE,
                rule::R_17,
                rule::R_18,
                rule::R_27,
                rule::R_28,
                rule::R_32,
                rule::R_35,
                rule::R_37,
                rule::R_45,
                rule::R_50,
            ],
        }
    }

    fn check(&self, input: &AirDefenseInput) -> Result<(), Refusal> {
        if input.attackers + input.kamikazes == 0 {
            return Err(nobody("attackers", "input.attackers", rule::AIR_DEFENSE_TABLE));
        }
        Ok(())
    }

    fn run(&self, input: &AirDefenseInput, ask: &mut impl Ask) -> Result<AirDefenseOutput, Halt> {
        let group = |kind, count| AirGroup {
            nation: Nation::Japan,
            kind,
            count,
            elite: false,
            winter_effect: 0,
            supply: Supply::default(),
        };
        let (ordinary, kamikazes) =
            (group(AirType::ArmyAir, input.attackers), group(AirType::Kamikaze, input.kamikazes));
        let mut force = if input.kamikazes_lost_first { [kamikazes, ordinary] } else { [ordinary, kamikazes] };
        let defense = air_defense::air_defense(&self.0, &mut force, &input.defenses, input.surprise_level, ask)?;
        let remaining_kamikazes =
            force.iter().filter(|group| group.kind == AirType::Kamikaze).map(|group| group.count).sum();
        Ok(AirDefenseOutput { defense, remaining_kamikazes })
    }
}
