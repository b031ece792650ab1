use super::{NAME, check_markers, repeated};
use crate::combat::{Line, LineResult, in_order, spread};
use crate::data::Rules;
use crate::rule;
use crate::words::{Markers, Role, Skill, Stance};
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_odds::Budget;
use flagplot_referee::{FieldOdds, Procedure, Shaped, by_enumeration, word, words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A squadron in a combat.
#[derive(Deserialize, Shaped)]
pub struct Fighting {
    /// Name.
    #[shape(chars = NAME)]
    pub id: String,
    /// Aircraft.
    #[shape(1..=12)]
    pub strength: u8,
    /// Range die.
    #[shape(1..=6)]
    pub rl: u8,
}

/// How hits are shared out.
#[derive(Deserialize, Shaped)]
#[serde(untagged)]
pub enum Allocation {
    Policy(Policy),
    #[shape(0..=12, items = 0..=12)]
    ByHand(BTreeMap<String, u8>),
}

/// How hits are shared out without asking.
#[words]
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

/// One side of a combat, apart from its stance.
#[derive(Deserialize, Shaped)]
pub struct Force {
    /// Fighters or strike aircraft.
    #[shape(with = word(&Role::WORDS[..2]))]
    kind: Role,
    /// The squadrons in this combat.
    #[shape(items = 1..=6)]
    squadrons: Vec<Fighting>,
    /// The lowest skill among them.
    #[shape(or = Skill::None)]
    skill: Skill,
    /// Markers played.
    #[shape(or = Markers::default())]
    markers: Markers,
    /// How hits are shared out.
    #[shape(or = Policy::Spread)]
    allocation: Allocation,
}

impl Force {
    /// Strength and range die of each squadron.
    pub fn squadrons(&self) -> Vec<(u8, u8)> {
        self.squadrons.iter().map(|squadron| (squadron.strength, squadron.rl)).collect()
    }

    pub fn line<'a>(&self, squadrons: &'a [(u8, u8)], stance: Stance) -> Line<'a> {
        Line { role: self.kind, squadrons, stance, markers: self.markers }
    }

    /// The aircraft each squadron loses.
    fn losses(&self, hits: u8) -> Result<Vec<u8>, Refusal> {
        let strengths = self.squadrons.iter().map(|squadron| squadron.strength);
        match &self.allocation {
            Allocation::Policy(policy) => {
                let mut left: Vec<u8> = strengths.clone().collect();
                policy.apply(&mut left, hits);
                Ok(strengths.zip(left).map(|(strength, left)| strength - left).collect())
            }
            Allocation::ByHand(losses) => {
                let losses: Vec<u8> =
                    self.squadrons.iter().map(|squadron| losses.get(&squadron.id).copied().unwrap_or(0)).collect();
                let within = losses.iter().zip(strengths).all(|(loss, strength)| *loss <= strength);
                if within && losses.iter().map(|loss| u16::from(*loss)).sum::<u16>() == u16::from(hits) {
                    return Ok(losses);
                }
                let message = format!("The allocation must hand out exactly {hits} hits within squadron strengths.");
                Err(Refusal::new("bad-allocation", message).by(rule::AIR_COMBAT))
            }
        }
    }
}

/// The checks that both the combat and its value need.
pub fn check_sides(first: &Force, second: &Force) -> Vec<Refusal> {
    let mut reasons = repeated(first.squadrons.iter().chain(&second.squadrons).map(|squadron| squadron.id.as_str()));
    if first.kind != Role::Fighter {
        reasons.push(Refusal::new("illegal-attacker", "Only fighters attack in air combat.").by(rule::AIR_COMBAT));
    }
    for (name, side) in [("first", first), ("second", second)] {
        reasons.extend(check_markers(side.skill, side.markers, name).err());
        if let Allocation::ByHand(losses) = &side.allocation {
            let unknown = losses.keys().filter(|id| side.squadrons.iter().all(|squadron| squadron.id != **id));
            reasons.extend(unknown.map(|id| {
                let id: String = id.chars().take(NAME).collect();
                Refusal::new("unknown-id", format!("'{id}' is not a squadron of the {name} side."))
            }));
        }
    }
    reasons
}

/// Refuses allocations by hand where all dice are walked.
pub fn check_policy(sides: [&Force; 2]) -> Result<(), Refusal> {
    if sides.iter().any(|side| matches!(side.allocation, Allocation::ByHand(_))) {
        return Err(Refusal::new("odds-need-a-policy", "Exact odds need an allocation policy: spread or in-order."));
    }
    Ok(())
}

#[derive(Deserialize, Shaped)]
pub struct SideInput {
    #[serde(flatten)]
    force: Force,
    /// How it fights.
    stance: Stance,
}

#[derive(Deserialize, Shaped)]
pub struct AirCombatInput {
    /// The attacking side.
    first: SideInput,
    /// The other side.
    second: SideInput,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct SideOutput {
    #[serde(flatten)]
    result: LineResult,
    /// Aircraft lost by squadron.
    #[shape(0..=12, items = 0..=6)]
    losses: BTreeMap<String, u8>,
    /// Aircraft left by squadron.
    #[shape(0..=12, items = 0..=6)]
    remaining: BTreeMap<String, u8>,
    /// Aircraft left.
    #[shape(0..=72)]
    remaining_total: u8,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AirCombatOutput {
    /// The attacking side.
    first: SideOutput,
    /// The other side.
    second: SideOutput,
}

fn output(side: &Force, result: LineResult, ask: &mut impl Ask) -> Asked<SideOutput> {
    let losses = side.losses(result.lost).map_err(|refusal| ask.refuse(refusal))?;
    let each = || side.squadrons.iter().zip(&losses);
    ask.note(|| {
        let shares: Vec<String> = each().map(|(squadron, loss)| format!("{} loses {loss}", squadron.id)).collect();
        Note::new("losses", format!("{}.", shares.join(", "))).detail().by(&[rule::AIR_COMBAT]).outcome(result.lost)
    });
    Ok(SideOutput {
        result,
        losses: each().map(|(squadron, loss)| (squadron.id.clone(), *loss)).collect(),
        remaining: each().map(|(squadron, loss)| (squadron.id.clone(), squadron.strength - loss)).collect(),
        remaining_total: result.strength - result.lost,
    })
}

/// A combat between squadrons.
pub struct AirCombat(pub Arc<Rules>);

impl Procedure for AirCombat {
    const NAME: &'static str = "air-combat";
    const HELP: &'static str = "Fights one combat between squadrons.";
    const DICE: &'static str = "first side, second side";
    const RULES: &'static [Rule] = &[
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
    ];
    type Input = AirCombatInput;
    type Facts = AirCombatInput;
    type Output = AirCombatOutput;

    fn read(&self, input: AirCombatInput) -> Result<AirCombatInput, Refusal> {
        Refusal::all(check_sides(&input.first.force, &input.second.force)).map(|()| input)
    }

    fn run(&self, input: &AirCombatInput, ask: &mut impl Ask) -> Asked<AirCombatOutput> {
        let AirCombatInput { first, second } = input;
        let (a, b) = (&first.force, &second.force);
        if a.skill.max(b.skill) > Skill::None {
            ask.note(|| {
                let text = format!(
                    "Markers: first {} red, {} blue; second {} red, {} blue.",
                    a.markers.red, a.markers.blue, b.markers.red, b.markers.blue
                );
                Note::new("skill", text).detail().by(&[rule::PILOT_SKILL, rule::R_53])
            });
        }
        let names: [&dyn std::fmt::Display; 2] = [&"first", &"second"];
        let lines = [a.squadrons(), b.squadrons()];
        let clash = self.0.air_combat(
            ask,
            &a.line(&lines[0], first.stance),
            &b.line(&lines[1], second.stance),
            names,
            names,
        )?;
        Ok(AirCombatOutput { first: output(a, clash.first, ask)?, second: output(b, clash.second, ask)? })
    }

    fn odds(&self, input: &AirCombatInput, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        check_policy([&input.first.force, &input.second.force])?;
        by_enumeration(|ask| self.run(input, ask), wanted, budget)
    }
}
