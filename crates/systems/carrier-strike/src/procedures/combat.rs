use super::*;
use crate::combat::{Line, LineResult, ShiftParts, in_order, spread};
use crate::rule;
use crate::words::{Role, Stance};
use flagplot_kernel::{Ask, Note};
use flagplot_odds::{Budget, Dist, Exact};
use flagplot_referee::{About, FieldOdds, Halt, OldProcedure, Projection, bool, either, map};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A squadron in a fight.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct SquadronFacts {
    /// Its name.
    pub id: String,
    /// Aircraft.
    pub strength: u8,
    /// Its range die.
    pub rl: u8,
}

/// How hits are shared out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Allocation {
    /// By a policy.
    Policy(Policy),
    /// By hand.
    ByHand(BTreeMap<String, u8>),
}

/// How hits are shared out without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Off the strongest, one at a time.
    Spread,
    /// In the order given.
    InOrder,
}

impl Policy {
    /// Takes hits off strengths.
    pub fn apply(self, strengths: &mut [u8], hits: u8) {
        match self {
            Policy::Spread => spread(strengths, hits),
            Policy::InOrder => in_order(strengths, hits),
        }
    }
}

pub fn allocation() -> Shape {
    either(vec![word(&["spread", "in-order"]), map(int(0, 12), 12)])
}

/// The losses of each squadron of a side.
fn allocate(squadrons: &[SquadronFacts], allocation: &Allocation, hits: u8) -> Result<Vec<u8>, Refusal> {
    match allocation {
        Allocation::Policy(policy) => {
            let mut left: Vec<u8> = squadrons.iter().map(|squadron| squadron.strength).collect();
            policy.apply(&mut left, hits);
            Ok(squadrons.iter().zip(left).map(|(squadron, left)| squadron.strength - left).collect())
        }
        Allocation::ByHand(losses) => {
            let losses: Vec<u8> =
                squadrons.iter().map(|squadron| losses.get(&squadron.id).copied().unwrap_or(0)).collect();
            let within = losses.iter().zip(squadrons).all(|(loss, squadron)| *loss <= squadron.strength);
            if !within || losses.iter().map(|loss| u16::from(*loss)).sum::<u16>() != u16::from(hits) {
                return Err(Refusal::new(
                    "bad-allocation",
                    format!("The allocation must hand out exactly {hits} hits within squadron strengths."),
                )
                .by(rule::AIR_COMBAT));
            }
            Ok(losses)
        }
    }
}

/// A combat between squadrons.
pub struct AirCombat(pub Arc<Book>);

#[derive(Deserialize)]
pub struct SideInput {
    pub kind: Role,
    pub squadrons: Vec<SquadronFacts>,
    pub stance: Option<Stance>,
    pub skill: Skill,
    pub markers: Markers,
    pub allocation: Allocation,
}

#[derive(Deserialize)]
pub struct AirCombatInput {
    pub first: SideInput,
    pub second: SideInput,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct SideOutput {
    strength: u8,
    roll: u8,
    shift: i8,
    shift_parts: ShiftParts,
    column: u8,
    hits: u8,
    losses: BTreeMap<String, u8>,
    lost: u8,
    remaining: BTreeMap<String, u8>,
    remaining_total: u8,
    break_off_total: i8,
    breaks_off: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub struct AirCombatOutput {
    first: SideOutput,
    second: SideOutput,
}

pub fn side(with_stance: flagplot_referee::Field) -> Shape {
    let squadron = record(vec![
        req("id", text(ID), "name"),
        req("strength", int(1, 12), "aircraft"),
        req("rl", int(1, 6), "range die"),
    ]);
    record(vec![
        req("kind", word(&["fighter", "strike"]), "fighters or strike aircraft"),
        req("squadrons", list(squadron, 1, 6), "the squadrons in this combat"),
        with_stance,
        or("skill", skill(), "none", "the lowest skill among them"),
        or("markers", markers(), no_markers(), "markers played"),
        or("allocation", allocation(), "spread", "how hits are shared out"),
    ])
}

/// The checks that both the combat and its value need.
pub fn check_sides(first: &SideInput, second: &SideInput) -> Result<(), Refusal> {
    check_ids(first.squadrons.iter().chain(&second.squadrons).map(|squadron| squadron.id.as_str()))?;
    if first.kind != Role::Fighter {
        return Err(Refusal::new("illegal-attacker", "Only fighters attack in air combat.").by(rule::AIR_COMBAT));
    }
    for (name, side) in [("first", first), ("second", second)] {
        check_markers(side.skill, side.markers, name)?;
        if let Allocation::ByHand(losses) = &side.allocation
            && let Some(id) = losses.keys().find(|id| side.squadrons.iter().all(|squadron| squadron.id != **id))
        {
            let id: String = id.chars().take(ID).collect();
            return Err(Refusal::new("unknown-id", format!("'{id}' is not a squadron of the {name} side.")));
        }
    }
    Ok(())
}

/// Refuses allocations by hand where all dice are walked.
pub fn check_policy(sides: [&SideInput; 2]) -> Result<(), Refusal> {
    if sides.iter().any(|side| matches!(side.allocation, Allocation::ByHand(_))) {
        return Err(Refusal::new("odds-need-a-policy", "Exact odds need an allocation policy: spread or in-order."));
    }
    Ok(())
}

fn side_result() -> Shape {
    record(vec![
        req("strength", int(0, 72), "aircraft before the combat"),
        req("roll", int(1, 6), "die"),
        req("shift", int(-20, 20), "sum of the shifts"),
        req("shift_parts", map(int(-20, 20), 12), "the shifts by name"),
        req("column", int(1, 12), "one hit per so many"),
        req("hits", int(0, 72), "hits by the table"),
        req("losses", map(int(0, 12), 6), "aircraft lost by squadron"),
        req("lost", int(0, 72), "aircraft lost"),
        req("remaining", map(int(0, 12), 6), "aircraft left by squadron"),
        req("remaining_total", int(0, 72), "aircraft left"),
        req("break_off_total", int(-20, 20), "pressure on the enemy"),
        req("breaks_off", bool(), "whether it must break off"),
    ])
}

impl AirCombat {
    fn output(side: &SideInput, result: &LineResult, ask: &mut impl Ask) -> Result<SideOutput, Refusal> {
        let losses = allocate(&side.squadrons, &side.allocation, result.lost)?;
        ask.note(|| {
            let shares: Vec<String> = side
                .squadrons
                .iter()
                .zip(&losses)
                .map(|(squadron, loss)| format!("{} loses {loss}", squadron.id))
                .collect();
            Note::new("losses", format!("{}.", shares.join(", "))).detail().by(&[rule::AIR_COMBAT]).outcome(result.lost)
        });
        let ids = || side.squadrons.iter().map(|squadron| squadron.id.clone());
        Ok(SideOutput {
            strength: result.strength,
            roll: result.roll,
            shift: result.parts.total(),
            shift_parts: result.parts,
            column: result.fire.column,
            hits: result.fire.hits,
            remaining: ids()
                .zip(side.squadrons.iter().zip(&losses).map(|(squadron, loss)| squadron.strength - loss))
                .collect(),
            losses: ids().zip(losses).collect(),
            lost: result.lost,
            remaining_total: result.strength - result.lost,
            break_off_total: result.break_off_total,
            breaks_off: result.breaks_off,
        })
    }
}

impl OldProcedure for AirCombat {
    type Input = AirCombatInput;
    type Output = AirCombatOutput;

    fn about(&self) -> About {
        let side = || side(req("stance", stance(), "how it fights"));
        About {
            name: "air-combat",
            help: "Fights one combat between squadrons.",
            dice: "first side, second side",
            input: record(vec![req("first", side(), "the attacking side"), req("second", side(), "the other side")]),
            result: record(vec![
                req("first", side_result(), "the attacking side"),
                req("second", side_result(), "the other side"),
            ]),
            rules: &[
                rule::AIR_COMBAT,
                rule::HITS_INFLICTED,
                rule::BREAK_OFF,
                rule::PILOT_SKILL,
                rule::R_28,
                rule::R_29,
                rule::R_30,
                rule::R_37,
                rule::R_53,
                rule::R_59,
                rule::C_1,
            ],
        }
    }

    fn check(&self, input: &AirCombatInput) -> Result<(), Refusal> {
        check_sides(&input.first, &input.second)
    }

    fn run(&self, input: &AirCombatInput, ask: &mut impl Ask) -> Result<AirCombatOutput, Halt> {
        let facts = |side: &SideInput| {
            side.squadrons.iter().map(|squadron| (squadron.strength, squadron.rl)).collect::<Vec<_>>()
        };
        let (first, second) = (facts(&input.first), facts(&input.second));
        let line = |side: &SideInput, squadrons| Line {
            role: side.kind,
            squadrons,
            stance: side.stance.unwrap_or(Stance::Instinctive),
            markers: side.markers,
        };
        if input.first.skill.max(input.second.skill) > Skill::None {
            ask.note(|| {
                Note::new(
                    "skill",
                    format!(
                        "Markers: first {} red, {} blue; second {} red, {} blue.",
                        input.first.markers.red,
                        input.first.markers.blue,
                        input.second.markers.red,
                        input.second.markers.blue
                    ),
                )
                .detail()
                .by(&[rule::PILOT_SKILL, rule::R_53])
            });
        }
        let clash = self.0.air_combat(
            ask,
            &line(&input.first, &first),
            &line(&input.second, &second),
            [&"first", &"second"],
            [&"first", &"second"],
        )?;
        Ok(AirCombatOutput {
            first: Self::output(&input.first, &clash.first, ask)?,
            second: Self::output(&input.second, &clash.second, ask)?,
        })
    }

    fn odds(&self, input: &AirCombatInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        check_policy([&input.first, &input.second])?;
        counted(|ask| self.run(input, ask), wanted, budget)
    }
}

/// The odds of every field by walking all branches.
pub fn counted<O: Serialize + Eq + std::hash::Hash>(
    mut run: impl FnMut(&mut flagplot_odds::Enumerator<Exact>) -> Result<O, Halt>,
    wanted: Option<&str>,
    budget: Budget<'_>,
) -> Result<FieldOdds, Halt> {
    let dist = flagplot_odds::enumerate::<_, Exact>(budget, |ask| run(ask).map_err(|_| flagplot_kernel::Unanswered))?;
    Ok(project(&dist, wanted))
}

/// The distribution of the fields of weighted results.
pub fn project<O: Serialize + Eq + std::hash::Hash>(dist: &Dist<O>, wanted: Option<&str>) -> FieldOdds {
    let mut projection = Projection::new(wanted);
    for (outcome, weight) in dist.iter() {
        projection.add(&serde_json::to_value(outcome).expect("a ruling has a JSON form"), weight);
    }
    projection.finish(dist.total())
}
