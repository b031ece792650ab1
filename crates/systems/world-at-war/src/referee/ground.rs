//! Ground combat, one round or to the end.

use super::inputs::distinct;
use super::land::columns;
use super::shapes::{ID, LONGEST, MOST_FACTORS, count, number};
use super::{nobody, projected, to_json};
use crate::Rulebook;
use crate::assault::{Assault, AssaultOutcome, AssaultState, Fought, FoughtRound, Keep, Left};
use crate::charts::{GroundResult, OddsColumn};
use crate::ground::{self, AttackArm, Attacker, Defender, DefenseArm, Removal};
use crate::rule;
use flagplot_kernel::{Ask, Flow, Process, Refusal};
use flagplot_odds::{Budget, Dist, distribution};
use flagplot_referee::{
    About, Field, FieldOdds, Halt, OldProcedure, Shape, bool, int, list, opt, or, record, req, text, word,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

#[derive(Clone, Debug, Deserialize)]
struct AttackerInput {
    id: String,
    factors: u32,
    kind: AttackArm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DefenseKind {
    Ground,
    Air,
}

#[derive(Clone, Debug, Deserialize)]
struct DefenderInput {
    id: String,
    factors: u32,
    kind: DefenseKind,
    dm: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
struct Forces {
    attackers: Vec<AttackerInput>,
    defenders: Vec<DefenderInput>,
    attacker_loss_order: Vec<String>,
    defender_loss_order: Vec<String>,
}

/// The forces of a ground combat as the rules want them.
struct ReadForces {
    attackers: Vec<Attacker>,
    defenders: Vec<Defender>,
    attacker_order: Vec<usize>,
    defender_order: Vec<usize>,
}

fn force_fields() -> Vec<Field> {
    let factors = || req("factors", int(1, MOST_FACTORS), "printed factors");
    let order = |help| or("", list(text(ID), 0, LONGEST), json!([]), help);
    vec![
        req(
            "attackers",
            list(
                record(vec![
                    req("id", text(ID), "a name"),
                    factors(),
                    or(
                        "kind",
                        word(&["ground", "air", "shore"]),
                        "ground",
                        "ground unit, ground support, shore bombardment",
                    ),
                ]),
                0,
                LONGEST,
            ),
            "the attacking units",
        ),
        req(
            "defenders",
            list(
                record(vec![
                    req("id", text(ID), "a name"),
                    factors(),
                    or("kind", word(&["ground", "air"]), "ground", "ground unit, defensive air support"),
                    opt("dm", int(1, 9), "defense multiplier, of ground units only"),
                ]),
                0,
                LONGEST,
            ),
            "the defending units",
        ),
        Field { name: "attacker_loss_order", ..order("which attackers go first; the others follow in their order") },
        Field { name: "defender_loss_order", ..order("which defenders go first; the others follow in their order") },
    ]
}

/// A whole loss order from the ids that are named.
fn loss_order(named: &[String], units: &[(&str, bool)], path: &str) -> Result<Vec<usize>, Refusal> {
    distinct(named.iter().map(String::as_str), path)?;
    let mut order = Vec::new();
    for id in named {
        match units.iter().position(|(unit, losable)| unit == id && *losable) {
            Some(at) => order.push(at),
            None => {
                return Err(
                    Refusal::new("unknown-unit", format!("{path}: '{id}' is no unit that can be lost.")).by(rule::R_13)
                );
            }
        }
    }
    order.extend((0..units.len()).filter(|at| units[*at].1 && !named.iter().any(|id| id == units[*at].0)));
    Ok(order)
}

impl Forces {
    fn read(&self) -> Result<ReadForces, Refusal> {
        let mut defenders = Vec::new();
        for (at, unit) in self.defenders.iter().enumerate() {
            let path = format!("input.defenders[{at}]");
            let arm = match (unit.kind, unit.dm) {
                (DefenseKind::Ground, Some(dm)) => DefenseArm::Ground { dm },
                (DefenseKind::Air, None) => DefenseArm::Air,
                (DefenseKind::Ground, None) => {
                    return Err(Refusal::new(
                        "missing-field",
                        format!("{path} needs the field 'dm' (defense multiplier)."),
                    )
                    .by(rule::COMBAT_TABLE));
                }
                (DefenseKind::Air, Some(_)) => {
                    return Err(Refusal::new(
                        "unknown-field",
                        format!("{path} has no field 'dm': air support is never multiplied."),
                    )
                    .by(rule::COMBAT_TABLE));
                }
            };
            defenders.push(Defender { arm, factors: unit.factors });
        }
        let attackers: Vec<Attacker> =
            self.attackers.iter().map(|unit| Attacker { arm: unit.kind, factors: unit.factors }).collect();
        if attackers.iter().all(|unit| unit.arm != AttackArm::Ground) {
            return Err(nobody("attackers", "input.attackers (ground units)", rule::COMBAT_TABLE));
        }
        if defenders.iter().all(|unit| unit.arm == DefenseArm::Air) {
            return Err(nobody("defenders", "input.defenders (ground units)", rule::COMBAT_TABLE));
        }
        distinct(self.attackers.iter().map(|unit| unit.id.as_str()), "input.attackers")?;
        distinct(self.defenders.iter().map(|unit| unit.id.as_str()), "input.defenders")?;
        let units: Vec<_> =
            self.attackers.iter().map(|unit| (unit.id.as_str(), unit.kind != AttackArm::Shore)).collect();
        let attacker_order = loss_order(&self.attacker_loss_order, &units, "input.attacker_loss_order")?;
        let units: Vec<_> = self.defenders.iter().map(|unit| (unit.id.as_str(), true)).collect();
        let defender_order = loss_order(&self.defender_loss_order, &units, "input.defender_loss_order")?;
        ground::column(ground::strengths(&attackers, &defenders))?;
        Ok(ReadForces { attackers, defenders, attacker_order, defender_order })
    }

    fn output(&self, fought: &FoughtRound) -> GroundOutput {
        let round = &fought.round;
        let removed = |removals: &[Removal], id: &dyn Fn(usize) -> String| -> Vec<RemovedUnit> {
            removals.iter().map(|removal| RemovedUnit { id: id(removal.at), factors: removal.factors }).collect()
        };
        let lost = |removals: &[Removal]| removals.iter().map(|removal| removal.factors).sum();
        let (attacker_eliminated, defender_eliminated) =
            (fought.left.attacker_ground_remaining == 0, fought.left.defender_ground_remaining == 0);
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
            attacker_removed: removed(&fought.attacker_removed, &|at| self.attackers[at].id.clone()),
            defender_removed: removed(&fought.defender_removed, &|at| self.defenders[at].id.clone()),
            attacker_lost: lost(&fought.attacker_removed),
            defender_lost: lost(&fought.defender_removed),
            left: fought.left,
            attacker_eliminated,
            defender_eliminated,
            resolved: attacker_eliminated || defender_eliminated,
        }
    }
}

#[derive(Serialize, PartialEq, Eq, Hash)]
struct RemovedUnit {
    id: String,
    factors: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct GroundOutput {
    attack_strength: u32,
    defense_strength: u32,
    ratio: String,
    column: OddsColumn,
    roll: u8,
    modified_roll: i32,
    row: u8,
    result: GroundResult,
    attacker_loss_required: u32,
    defender_loss_required: u32,
    attacker_removed: Vec<RemovedUnit>,
    defender_removed: Vec<RemovedUnit>,
    attacker_lost: u32,
    defender_lost: u32,
    #[serde(flatten)]
    left: Left,
    attacker_eliminated: bool,
    defender_eliminated: bool,
    resolved: bool,
}

fn left_fields() -> Vec<Field> {
    vec![
        req("attacker_ground_remaining", count(), "ground factors left"),
        req("attacker_air_remaining", count(), "air factors left"),
        req("defender_ground_remaining", count(), "ground factors left"),
        req("defender_air_remaining", count(), "air factors left"),
    ]
}

fn result_word() -> Shape {
    word(&["A", "a", "Ex", "Ex-1", "Ex-2", "d", "D"])
}

fn ground_fields() -> Vec<Field> {
    let removed =
        || list(record(vec![req("id", text(ID), "the unit"), req("factors", count(), "printed factors")]), 0, LONGEST);
    let mut fields = vec![
        req("attack_strength", count(), "attack strength"),
        req("defense_strength", count(), "defense strength"),
        req("ratio", text(16), "the odds"),
        req("column", columns(), "the column read"),
        req("roll", int(1, 6), "the die"),
        req("modified_roll", number(), "with earlier rounds"),
        req("row", int(1, 6), "the row read"),
        req("result", result_word(), "what the table says"),
        req("attacker_loss_required", count(), "what the attacker must lose"),
        req("defender_loss_required", count(), "what the defender must lose"),
        req("attacker_removed", removed(), "what he loses"),
        req("defender_removed", removed(), "what he loses"),
        req("attacker_lost", count(), "factors"),
        req("defender_lost", count(), "factors"),
    ];
    fields.extend(left_fields());
    fields.extend([
        req("attacker_eliminated", bool(), "no ground unit is left"),
        req("defender_eliminated", bool(), "no ground unit is left"),
        req("resolved", bool(), "one side has no ground unit left"),
    ]);
    fields
}

const GROUND_RULES: &[flagplot_kernel::Rule] = &[
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

/// `ground-combat`
pub(super) struct GroundCombat(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct GroundCombatInput {
    #[serde(flatten)]
    forces: Forces,
    previous_rounds: u32,
}

impl OldProcedure for GroundCombat {
    type Input = GroundCombatInput;
    type Output = GroundOutput;

    fn about(&self) -> About {
        let mut input = force_fields();
        input.insert(2, or("previous_rounds", int(0, 20), 0, "rounds of this combat already fought"));
        About {
            name: "ground-combat",
            help: "One round of ground combat with the losses of both sides.",
            dice: "one die",
            input: record(input),
            result: record(ground_fields()),
            rules: GROUND_RULES,
        }
    }

    fn check(&self, input: &GroundCombatInput) -> Result<(), Refusal> {
        input.forces.read().map(|_| ())
    }

    fn run(&self, input: &GroundCombatInput, ask: &mut impl Ask) -> Result<GroundOutput, Halt> {
        let mut forces = input.forces.read()?;
        let column = ground::column(ground::strengths(&forces.attackers, &forces.defenders))?;
        let assault = Assault {
            charts: &self.0.charts,
            attacker_order: forces.attacker_order,
            defender_order: forces.defender_order,
            break_off_below: None,
            max_rounds: 1,
            keep: Keep::Nothing,
        };
        let fought = assault.round(&mut forces.attackers, &mut forces.defenders, column, input.previous_rounds, ask)?;
        Ok(input.forces.output(&fought))
    }
}

/// `ground-assault`
pub(super) struct GroundAssault(pub(super) Arc<Rulebook>);

#[derive(Deserialize)]
pub(super) struct GroundAssaultInput {
    #[serde(flatten)]
    forces: Forces,
    max_rounds: u32,
    break_off_below: Option<OddsColumn>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
struct AttackerLeft {
    id: String,
    factors: u32,
    kind: AttackArm,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
struct DefenderLeft {
    id: String,
    factors: u32,
    kind: DefenseKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    dm: Option<u32>,
}

#[derive(Serialize, PartialEq, Eq, Hash)]
pub(super) struct AssaultOutput {
    outcome: AssaultOutcome,
    rounds_fought: u32,
    rounds: Vec<GroundOutput>,
    results: Vec<GroundResult>,
    attacker_lost: u32,
    defender_lost: u32,
    #[serde(flatten)]
    left: Left,
    attackers_left: Vec<AttackerLeft>,
    defenders_left: Vec<DefenderLeft>,
}

impl GroundAssaultInput {
    fn output(&self, state: &AssaultState) -> AssaultOutput {
        let forces = &self.forces;
        let (mut rounds, mut results) = (Vec::new(), Vec::new());
        for fought in &state.history {
            match fought {
                Fought::Result(result) => results.push(*result),
                Fought::Whole(fought) => {
                    results.push(fought.round.result);
                    rounds.push(forces.output(fought));
                }
            }
        }
        let attackers = forces.attackers.iter().zip(&state.attackers);
        let defenders = forces.defenders.iter().zip(&state.defenders);
        AssaultOutput {
            outcome: state.outcome.unwrap_or(AssaultOutcome::OddsTooLow),
            rounds_fought: state.rounds,
            rounds,
            results,
            attacker_lost: attackers.clone().map(|(unit, left)| unit.factors - left.factors).sum(),
            defender_lost: defenders.clone().map(|(unit, left)| unit.factors - left.factors).sum(),
            left: Left::count(&state.attackers, &state.defenders),
            attackers_left: attackers
                .filter(|(_, left)| left.factors > 0)
                .map(|(unit, left)| AttackerLeft { id: unit.id.clone(), factors: left.factors, kind: unit.kind })
                .collect(),
            defenders_left: defenders
                .filter(|(_, left)| left.factors > 0)
                .map(|(unit, left)| DefenderLeft {
                    id: unit.id.clone(),
                    factors: left.factors,
                    kind: unit.kind,
                    dm: unit.dm,
                })
                .collect(),
        }
    }
}

impl GroundAssault {
    fn start(&self, input: &GroundAssaultInput, keep: Keep) -> Result<(Assault<'_>, AssaultState), Refusal> {
        let forces = input.forces.read()?;
        let assault = Assault {
            charts: &self.0.charts,
            attacker_order: forces.attacker_order,
            defender_order: forces.defender_order,
            break_off_below: input.break_off_below,
            max_rounds: input.max_rounds,
            keep,
        };
        Ok((
            assault,
            AssaultState {
                attackers: forces.attackers,
                defenders: forces.defenders,
                rounds: 0,
                outcome: None,
                history: Vec::new(),
            },
        ))
    }
}

impl OldProcedure for GroundAssault {
    type Input = GroundAssaultInput;
    type Output = AssaultOutput;

    fn about(&self) -> About {
        let mut input = force_fields();
        input.extend([
            or("max_rounds", int(1, 99), 99, "at most so many rounds"),
            opt("break_off_below", columns(), "the attacker stops when the odds fall below this column"),
        ]);
        let mut result = vec![
            req(
                "outcome",
                word(&[
                    "defender-eliminated",
                    "attacker-eliminated",
                    "both-eliminated",
                    "broken-off",
                    "odds-too-low",
                    "round-limit",
                ]),
                "how it ended",
            ),
            req("rounds_fought", count(), "rounds"),
            req("rounds", list(record(ground_fields()), 0, 99), "each round"),
            req("results", list(result_word(), 0, 99), "each round's result"),
            req("attacker_lost", count(), "factors"),
            req("defender_lost", count(), "factors"),
        ];
        result.extend(left_fields());
        let unit = |words: &[&'static str]| {
            vec![
                req("id", text(ID), "the unit"),
                req("factors", count(), "factors left"),
                req("kind", word(words), "what it is"),
            ]
        };
        let mut defender = unit(&["ground", "air"]);
        defender.push(opt("dm", int(1, 9), "defense multiplier"));
        result.extend([
            req(
                "attackers_left",
                list(record(unit(&["ground", "air", "shore"])), 0, LONGEST),
                "attackers with factors left",
            ),
            req("defenders_left", list(record(defender), 0, LONGEST), "defenders with factors left"),
        ]);
        About {
            name: "ground-assault",
            help: "Ground combat pressed on round by round until it ends.",
            dice: "one die for each round",
            input: record(input),
            result: record(result),
            rules: GROUND_RULES,
        }
    }

    fn check(&self, input: &GroundAssaultInput) -> Result<(), Refusal> {
        input.forces.read().map(|_| ())
    }

    fn run(&self, input: &GroundAssaultInput, ask: &mut impl Ask) -> Result<AssaultOutput, Halt> {
        let (assault, mut state) = self.start(input, Keep::Rounds)?;
        while assault.step(&mut state, ask)? == Flow::Continue {}
        Ok(input.output(&state))
    }

    /// Equal forces after equal rounds are one state, unless the rounds themselves are asked for.
    fn odds(&self, input: &GroundAssaultInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let keep = match wanted.and_then(|field| field.split('.').next()) {
            Some("rounds") => Keep::Rounds,
            Some("results") => Keep::Results,
            _ => Keep::Nothing,
        };
        let (assault, state) = self.start(input, keep)?;
        let dist = distribution(&assault, Dist::certain(state), budget)?;
        Ok(projected(&dist, wanted, |state| to_json(&input.output(state))))
    }
}
