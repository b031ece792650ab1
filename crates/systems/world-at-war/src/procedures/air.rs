//! Air combat, air battles, air defense.

use super::to_json;
use crate::air::{self, AirCombat, AirGroup, AirLosses, AirRound, AirType};
use crate::air_battle::{AirBattle, AirBattlePlan, AirOutcome, Follow};
use crate::air_defense::{self, AirDefense, Defenses};
use crate::messages::armed;
use crate::nation::Nation;
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_odds::Budget;
use flagplot_referee::{FieldOdds, Procedure, Shaped, by_enumeration};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const AIR_RULES: &[Rule] = &[
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

pub(super) struct AirCombatRound(pub(super) Arc<Rules>);

impl Procedure for AirCombatRound {
    const NAME: &'static str = "air-combat";
    const HELP: &'static str = "One round of air combat.";
    const DICE: &'static str = "two dice for the attacker, two for the defender";
    const RULES: &'static [Rule] = AIR_RULES;
    type Input = AirCombat;
    type Facts = AirCombat;
    type Output = AirRound;

    fn read(&self, combat: AirCombat) -> Result<AirCombat, Refusal> {
        combat.check()?;
        Ok(combat)
    }

    fn run(&self, combat: &AirCombat, ask: &mut impl Ask) -> Asked<AirRound> {
        let AirCombat { mut attackers, mut defenders, setting } = combat.clone();
        air::round(&self.0, &mut attackers, &mut defenders, setting, ask)
    }
}

pub(super) struct AirBattles(pub(super) Arc<Rules>);

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct AirBattleOutput {
    /// how it ended
    outcome: AirOutcome,
    /// rounds
    rounds_fought: u32,
    /// each round
    #[shape(items = 1..=1_000_000)]
    rounds: Vec<AirRound>,
    /// the attacker in all
    attacker: AirLosses,
    /// the defender in all
    defender: AirLosses,
}

impl Procedure for AirBattles {
    const NAME: &'static str = "air-battle";
    const HELP: &'static str = "Air combat fought until a side is gone or withdraws.";
    const DICE: &'static str = "for each round two dice for the attacker, two for the defender";
    const RULES: &'static [Rule] = AIR_RULES;
    type Input = AirBattlePlan;
    type Facts = AirBattlePlan;
    type Output = AirBattleOutput;

    fn read(&self, plan: AirBattlePlan) -> Result<AirBattlePlan, Refusal> {
        plan.combat.check()?;
        Ok(plan)
    }

    fn run(&self, plan: &AirBattlePlan, ask: &mut impl Ask) -> Asked<AirBattleOutput> {
        let battle = AirBattle { rules: &self.0, plan };
        let mut state = battle.start();
        let mut rounds = Vec::new();
        let outcome = loop {
            rounds.push(battle.round(&mut state, ask)?);
            if let Some(outcome) = state.outcome {
                break outcome;
            }
        };
        Ok(AirBattleOutput {
            outcome,
            rounds_fought: state.rounds,
            rounds,
            attacker: AirLosses::new(state.attacker, &state.attackers),
            defender: AirLosses::new(state.defender, &state.defenders),
        })
    }

    /// Outcome and losses are counted one number at a time; single rounds only exist where their number is limited.
    fn odds(&self, plan: &AirBattlePlan, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let top = wanted.and_then(|field| field.split('.').next());
        let limited = plan.max_rounds > 0;
        match top {
            Some("rounds" | "rounds_fought") if !limited => {
                let message = "Without max_rounds a battle can take any number of rounds: they have no finite odds.";
                return Err(Refusal::new("bad-field", message).by(rule::C_2));
            }
            Some("rounds") => return by_enumeration(|ask| self.run(plan, ask), wanted, budget),
            _ => {}
        }
        let battle = AirBattle { rules: &self.0, plan };
        let mut odds = FieldOdds::default();
        if !matches!(top, Some("attacker" | "defender")) {
            let ends = battle.ends(Follow::Nothing, budget)?;
            odds.put("outcome", wanted, &ends, |(outcome, _)| to_json(outcome));
            if limited {
                odds.put("rounds_fought", wanted, &ends, |(_, end)| end.rounds.into());
            }
        }
        for (side, follow) in [("attacker", Follow::AttackerEliminated), ("defender", Follow::DefenderEliminated)] {
            if top.is_some_and(|top| top != side) {
                continue;
            }
            let ends = battle.ends(follow, budget)?;
            let losses = |(_, end): &(_, _)| to_json(&battle.losses(follow, end));
            if wanted == Some(side) {
                odds.put(side, wanted, &ends, losses);
            } else {
                for field in ["eliminated", "aborted", "remaining"] {
                    odds.put(format!("{side}.{field}"), wanted, &ends, |end| losses(end)[field].clone());
                }
            }
        }
        Ok(odds)
    }
}

pub(super) struct AirDefenses(pub(super) Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub(super) struct AirDefenseInput {
    /// attacking factors or squadrons, without kamikazes
    #[shape(0..=100_000)]
    attackers: u32,
    /// attacking kamikazes
    #[shape(0..=100_000, or = 0)]
    kamikazes: u32,
    /// everything that shoots
    defenses: Defenses,
    /// the attacker's surprise level
    #[shape(0..=9, or = 0)]
    surprise_level: u32,
    /// eliminations fall on kamikazes first
    #[shape(or = false)]
    kamikazes_lost_first: bool,
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct AirDefenseOutput {
    #[serde(flatten)]
    defense: AirDefense,
    /// kamikazes left
    remaining_kamikazes: u32,
}

impl Procedure for AirDefenses {
    const NAME: &'static str = "air-defense";
    const HELP: &'static str = "What the guns do to an air attack.";
    const DICE: &'static str = "two dice, none if the level is 0 or less";
    const RULES: &'static [Rule] = &[
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
    ];
    type Input = AirDefenseInput;
    type Facts = AirDefenseInput;
    type Output = AirDefenseOutput;

    fn read(&self, input: AirDefenseInput) -> Result<AirDefenseInput, Refusal> {
        armed(input.attackers + input.kamikazes, "attackers", "input.attackers", rule::AIR_DEFENSE_TABLE)?;
        Ok(input)
    }

    fn run(&self, input: &AirDefenseInput, ask: &mut impl Ask) -> Asked<AirDefenseOutput> {
        let ordinary = AirGroup::new(Nation::Japan, input.attackers);
        let kamikazes = AirGroup { kind: AirType::Kamikaze, ..AirGroup::new(Nation::Japan, input.kamikazes) };
        let mut force = if input.kamikazes_lost_first { [kamikazes, ordinary] } else { [ordinary, kamikazes] };
        let defense = air_defense::air_defense(&self.0, &mut force, &input.defenses, input.surprise_level, ask)?;
        let kamikazes = force.iter().filter(|group| group.kind == AirType::Kamikaze);
        Ok(AirDefenseOutput { defense, remaining_kamikazes: kamikazes.map(|group| group.count).sum() })
    }
}
