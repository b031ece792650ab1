//! Ground combat, one round or to the end.

use super::{Named, ids};
use crate::assault::{Assault, AssaultOutcome, AssaultState, Fought, FoughtRound, Keep, Left, LossOrders};
use crate::charts::{GroundResult, OddsColumn};
use crate::ground::{self, AttackArm, Attacker, Defender, Forces, Loss, Removal};
use crate::messages::{all, armed, distinct};
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Flow, Process, Refusal, Rule};
use flagplot_odds::{Budget, Dist, distribution};
use flagplot_referee::{Codes, FieldOdds, Procedure, Shaped, projected, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// How both sides choose what they lose.
#[words]
pub(super) enum Choosing {
    /// In the loss orders.
    Listed,
    /// The smallest set that costs its owner least. [C-31]
    Cheapest,
}

#[derive(Deserialize, Shaped)]
struct ForcesInput {
    /// the attacking units
    #[shape(items = 0..=200)]
    attackers: Vec<Named<Attacker>>,
    /// the defending units
    #[shape(items = 0..=200)]
    defenders: Vec<Named<Defender>>,
    /// which attackers go first; the others follow in their order
    #[shape(chars = 80, items = 0..=200, or = [])]
    attacker_loss_order: Vec<String>,
    /// which defenders go first; the others follow in their order
    #[shape(chars = 80, items = 0..=200, or = [])]
    defender_loss_order: Vec<String>,
    /// whether losses go in the loss orders, or are the smallest set that costs its owner least
    #[shape(or = Choosing::Listed)]
    losses: Choosing,
}

/// The forces of a ground combat as the rules want them, and as their owners call them.
pub(super) struct Armies {
    attackers: Vec<Named<Attacker>>,
    defenders: Vec<Named<Defender>>,
    forces: Forces,
    orders: LossOrders,
    column: OddsColumn,
}

/// A whole loss order from the ids that are named.
fn loss_order(named: &[String], units: &[(&str, bool)], path: &str) -> Result<Vec<usize>, Refusal> {
    distinct(named.iter().map(String::as_str), path)?;
    let mut order = Vec::new();
    for id in named {
        let at = units.iter().position(|(unit, losable)| unit == id && *losable).ok_or_else(|| {
            Refusal::new("unknown-unit", format!("{path}: '{id}' is not a unit that can be lost.")).by(rule::R_13)
        })?;
        order.push(at);
    }
    let rest = (0..units.len()).filter(|at| units[*at].1 && !order.contains(at)).collect::<Vec<_>>();
    order.extend(rest);
    Ok(order)
}

impl ForcesInput {
    fn read(self) -> Result<Armies, Refusal> {
        let ForcesInput { attackers, defenders, attacker_loss_order, defender_loss_order, losses } = self;
        if losses == Choosing::Cheapest && !(attacker_loss_order.is_empty() && defender_loss_order.is_empty()) {
            let message = "input.losses: the cheapest losses are found without a loss order.";
            return Err(Refusal::new("needless-order", message).by(rule::C_31).remedy("Leave the loss orders out."));
        }
        let forces = Forces {
            attackers: attackers.iter().map(|unit| unit.of).collect(),
            defenders: defenders.iter().map(|unit| unit.of).collect(),
        };
        let left = Left::count(&forces);
        let multipliers =
            defenders.iter().enumerate().map(|(at, unit)| unit.of.check(&format!("input.defenders[{at}]")));
        let ground =
            |factors, side: &str| armed(factors, side, &format!("input.{side} (ground units)"), rule::COMBAT_TABLE);
        all(multipliers.chain([
            ground(left.attacker_ground_remaining, "attackers"),
            ground(left.defender_ground_remaining, "defenders"),
            distinct(ids(&attackers), "input.attackers"),
            distinct(ids(&defenders), "input.defenders"),
        ]))?;
        let units: Vec<_> = attackers.iter().map(|unit| (unit.id.as_str(), unit.of.arm != AttackArm::Shore)).collect();
        let attacker = loss_order(&attacker_loss_order, &units, "input.attacker_loss_order")?;
        let units: Vec<_> = ids(&defenders).map(|id| (id, true)).collect();
        let defender = loss_order(&defender_loss_order, &units, "input.defender_loss_order")?;
        let column = ground::column(forces.strengths())?;
        let orders = match losses {
            Choosing::Listed => LossOrders::Listed { attacker, defender },
            Choosing::Cheapest => LossOrders::Cheapest,
        };
        Ok(Armies { attackers, defenders, forces, orders, column })
    }
}

fn removed<T: Shaped>(removals: &[Removal], units: &[Named<T>]) -> Vec<RemovedUnit> {
    let unit = |&Removal { at, factors }: &Removal| RemovedUnit { id: units[at].id.clone(), factors };
    removals.iter().map(unit).collect()
}

/// What a round demands of both sides, whose units are named.
pub(crate) struct Demanded {
    pub attackers: Vec<(String, Attacker)>,
    pub defenders: Vec<(String, Defender)>,
    pub losses: (Loss, Loss),
}

/// What a ruling demands; none of an input or a result that is not a ground combat's.
pub(crate) fn demanded(input: &Value, result: &Value) -> Option<Demanded> {
    let input = GroundCombatInput::shape().check(input.clone(), "input", &Codes::default()).ok()?;
    let input: GroundCombatInput = serde_json::from_value(input).ok()?;
    let Armies { attackers, defenders, forces, .. } = input.forces.read().ok()?;
    let losses = forces.losses(serde_json::from_value(result["result"].clone()).ok()?);
    let attackers = attackers.into_iter().map(|unit| (unit.id, unit.of)).collect();
    let defenders = defenders.into_iter().map(|unit| (unit.id, unit.of)).collect();
    Some(Demanded { attackers, defenders, losses })
}

impl Armies {
    fn output(&self, fought: &FoughtRound) -> GroundOutput {
        let FoughtRound { round, attacker_removed, defender_removed, left } = fought;
        let lost = |removals: &[Removal]| removals.iter().map(|removal| removal.factors).sum();
        let attacker_eliminated = left.attacker_ground_remaining == 0;
        let defender_eliminated = left.defender_ground_remaining == 0;
        GroundOutput {
            attack_strength: round.strengths.attack,
            defense_strength: round.strengths.defense,
            ratio: round.strengths.ratio().to_string(),
            column: round.column,
            roll: round.roll,
            modified_roll: round.modified_roll,
            row: round.row,
            result: round.result,
            attacker_loss_required: round.attacker.required(),
            defender_loss_required: round.defender.required(),
            attacker_removed: removed(attacker_removed, &self.attackers),
            defender_removed: removed(defender_removed, &self.defenders),
            attacker_lost: lost(attacker_removed),
            defender_lost: lost(defender_removed),
            left: *left,
            attacker_eliminated,
            defender_eliminated,
            resolved: attacker_eliminated || defender_eliminated,
        }
    }
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
struct RemovedUnit {
    /// the unit
    #[shape(chars = 80)]
    id: String,
    /// printed factors
    factors: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct GroundOutput {
    /// attack strength
    attack_strength: u32,
    /// defense strength
    defense_strength: u32,
    /// the odds
    ratio: String,
    /// the column read
    column: OddsColumn,
    /// the die
    #[shape(1..=6)]
    roll: u8,
    /// with earlier rounds
    modified_roll: i32,
    /// the row read
    #[shape(1..=6)]
    row: u8,
    /// what the table says
    result: GroundResult,
    /// what the attacker must lose
    attacker_loss_required: u32,
    /// what the defender must lose
    defender_loss_required: u32,
    /// what the attacker loses
    #[shape(items = 0..=200)]
    attacker_removed: Vec<RemovedUnit>,
    /// what the defender loses
    #[shape(items = 0..=200)]
    defender_removed: Vec<RemovedUnit>,
    /// factors
    attacker_lost: u32,
    /// factors
    defender_lost: u32,
    #[serde(flatten)]
    left: Left,
    /// no ground unit is left
    attacker_eliminated: bool,
    /// no ground unit is left
    defender_eliminated: bool,
    /// one side has no ground unit left
    resolved: bool,
}

const GROUND_RULES: &[Rule] = &[
    rule::COMBAT_TABLE,
    rule::COMBAT_RESULTS,
    rule::R_4,
    rule::R_9,
    rule::R_10,
    rule::R_11,
    rule::R_13,
    rule::R_14,
    rule::R_22,
    rule::R_23,
    rule::R_24,
    rule::R_34,
    rule::R_41,
];

pub(super) struct GroundCombat(pub(super) Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub(super) struct GroundCombatInput {
    #[serde(flatten)]
    forces: ForcesInput,
    /// rounds of this combat already fought
    #[shape(0..=20, or = 0)]
    previous_rounds: u32,
}

impl Procedure for GroundCombat {
    const NAME: &'static str = "ground-combat";
    const HELP: &'static str = "One round of ground combat with the losses of both sides.";
    const DICE: &'static str = "one die";
    const RULES: &'static [Rule] = GROUND_RULES;
    type Input = GroundCombatInput;
    type Facts = (Armies, u32);
    type Output = GroundOutput;

    fn read(&self, input: GroundCombatInput) -> Result<(Armies, u32), Refusal> {
        Ok((input.forces.read()?, input.previous_rounds))
    }

    fn run(&self, (armies, previous): &(Armies, u32), ask: &mut impl Ask) -> Asked<GroundOutput> {
        let mut forces = armies.forces.clone();
        let fought = armies.orders.round(&self.0.charts, &mut forces, armies.column, *previous, ask)?;
        Ok(armies.output(&fought))
    }
}

pub(super) struct GroundAssault(pub(super) Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub(super) struct GroundAssaultInput {
    #[serde(flatten)]
    forces: ForcesInput,
    #[serde(flatten)]
    limits: Limits,
}

#[derive(Clone, Copy, Deserialize, Shaped)]
pub(super) struct Limits {
    /// most rounds fought
    #[shape(1..=99, or = 99)]
    max_rounds: u32,
    /// the attacker stops when the odds fall below this column
    break_off_below: Option<OddsColumn>,
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct AssaultOutput {
    /// how it ended
    outcome: AssaultOutcome,
    /// rounds
    rounds_fought: u32,
    /// each round
    #[shape(items = 0..=99)]
    rounds: Vec<GroundOutput>,
    /// each round's result
    #[shape(items = 0..=99)]
    results: Vec<GroundResult>,
    /// factors
    attacker_lost: u32,
    /// factors
    defender_lost: u32,
    #[serde(flatten)]
    left: Left,
    /// attackers with factors left
    #[shape(items = 0..=200)]
    attackers_left: Vec<Named<Attacker>>,
    /// defenders with factors left
    #[shape(items = 0..=200)]
    defenders_left: Vec<Named<Defender>>,
}

/// The units with what is left of them, where something is.
fn still_there<T: Shaped + Copy>(units: &[Named<T>], left: &[T], factors: impl Fn(&T) -> u32) -> Vec<Named<T>> {
    let left = units.iter().zip(left).filter(|(_, left)| factors(left) > 0);
    left.map(|(unit, left)| Named { id: unit.id.clone(), of: *left }).collect()
}

impl Armies {
    fn assault_output(&self, state: &AssaultState) -> AssaultOutput {
        let (mut rounds, mut results) = (Vec::new(), Vec::new());
        for fought in &state.history {
            match fought {
                Fought::Result(result) => results.push(*result),
                Fought::Whole(fought) => {
                    results.push(fought.round.result);
                    rounds.push(self.output(fought));
                }
            }
        }
        let (before, after) = (&self.forces, &state.forces);
        let attacking = |forces: &Forces| forces.attackers.iter().map(|unit| unit.factors).sum::<u32>();
        let defending = |forces: &Forces| forces.defenders.iter().map(|unit| unit.factors).sum::<u32>();
        AssaultOutput {
            outcome: state.outcome.unwrap_or(AssaultOutcome::OddsTooLow),
            rounds_fought: state.rounds,
            rounds,
            results,
            attacker_lost: attacking(before) - attacking(after),
            defender_lost: defending(before) - defending(after),
            left: Left::count(after),
            attackers_left: still_there(&self.attackers, &after.attackers, |unit| unit.factors),
            defenders_left: still_there(&self.defenders, &after.defenders, |unit| unit.factors),
        }
    }
}

impl GroundAssault {
    fn assault<'a>(&'a self, (armies, limits): &'a (Armies, Limits), keep: Keep) -> Assault<'a> {
        let &Limits { max_rounds, break_off_below } = limits;
        Assault { charts: &self.0.charts, orders: &armies.orders, break_off_below, max_rounds, keep }
    }
}

impl Procedure for GroundAssault {
    const NAME: &'static str = "ground-assault";
    const HELP: &'static str = "Ground combat pressed on round by round until it ends.";
    const DICE: &'static str = "one die for each round";
    const RULES: &'static [Rule] = GROUND_RULES;
    type Input = GroundAssaultInput;
    type Facts = (Armies, Limits);
    type Output = AssaultOutput;

    fn read(&self, input: GroundAssaultInput) -> Result<Self::Facts, Refusal> {
        Ok((input.forces.read()?, input.limits))
    }

    fn run(&self, facts: &Self::Facts, ask: &mut impl Ask) -> Asked<AssaultOutput> {
        let assault = self.assault(facts, Keep::Rounds);
        let mut state = AssaultState::new(facts.0.forces.clone());
        while assault.step(&mut state, ask)? == Flow::Continue {}
        Ok(facts.0.assault_output(&state))
    }

    /// Equal forces after equal rounds are one state, unless the rounds themselves are asked for.
    fn odds(&self, facts: &Self::Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let keep = match wanted.and_then(|field| field.split('.').next()) {
            Some("rounds") => Keep::Rounds,
            Some("results") => Keep::Results,
            _ => Keep::Nothing,
        };
        let start = Dist::certain(AssaultState::new(facts.0.forces.clone()));
        let dist = distribution(&self.assault(facts, keep), start, budget)?;
        Ok(projected(&dist, |state| facts.0.assault_output(state), wanted))
    }
}
