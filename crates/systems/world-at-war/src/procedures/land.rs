//! Odds, attrition and retreats.

use super::{Named, ids};
use crate::attrition::{Attrition, Front, Trained};
use crate::charts::OddsColumn;
use crate::ground::Strengths;
use crate::messages::{all, armed, distinct};
use crate::retreat::{Evil, Retreat, RetreatHex, Stacking};
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) struct OddsRatio;

#[derive(Deserialize, Shaped)]
pub(super) struct OddsRatioInput {
    /// attack strength
    #[shape(0..=1_000_000)]
    attacker: u32,
    /// defense strength
    #[shape(0..=1_000_000)]
    defender: u32,
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct OddsRatioOutput {
    /// rounded for the defender
    ratio: String,
    /// the column, or null below 1:4
    column: Option<OddsColumn>,
    /// whether the attack may be made
    legal: bool,
}

impl Procedure for OddsRatio {
    const NAME: &'static str = "odds-ratio";
    const HELP: &'static str = "The odds of two strengths and their column on the ground combat table.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::R_10];
    type Input = OddsRatioInput;
    type Facts = Strengths;
    type Output = OddsRatioOutput;

    fn read(&self, input: OddsRatioInput) -> Result<Strengths, Refusal> {
        let OddsRatioInput { attacker: attack, defender: defense } = input;
        all([
            armed(attack, "attackers", "input.attacker", rule::R_10),
            armed(defense, "defenders", "input.defender", rule::R_10),
        ])?;
        Ok(Strengths { attack, defense })
    }

    fn run(&self, facts: &Strengths, ask: &mut impl Ask) -> Asked<OddsRatioOutput> {
        let ratio = facts.ratio();
        let column = ratio.column();
        ask.note(|| {
            Note::new("odds", format!("{} against {} is {ratio}.", facts.attack, facts.defense))
                .by(&[rule::R_10])
                .outcome(ratio.to_string())
        });
        Ok(OddsRatioOutput { ratio: ratio.to_string(), column, legal: column.is_some() })
    }
}

pub(super) struct AttritionTable(pub(super) Arc<Rules>);

impl Procedure for AttritionTable {
    const NAME: &'static str = "attrition";
    const HELP: &'static str = "What an attrition attack costs the defender in counters and hexes.";
    const DICE: &'static str = "one die";
    const RULES: &'static [Rule] =
        &[rule::ATTRITION_TABLE, rule::R_4, rule::R_5, rule::R_6, rule::R_7, rule::R_42, rule::R_48];
    type Input = Front;
    type Facts = Front;
    type Output = Attrition;

    fn read(&self, front: Front) -> Result<Front, Refusal> {
        let factors = |side: &[Trained]| side.iter().map(|part| part.factors).sum();
        all([
            armed(factors(&front.attackers), "attackers", "input.attackers", rule::ATTRITION_TABLE),
            armed(factors(&front.defenders), "defenders", "input.defenders", rule::ATTRITION_TABLE),
        ])?;
        Ok(front)
    }

    fn run(&self, front: &Front, ask: &mut impl Ask) -> Asked<Attrition> {
        front.attrition(&self.0.charts, ask)
    }
}

pub(super) struct RetreatHexes;

#[derive(Deserialize, Shaped)]
pub(super) struct RetreatInput {
    /// the neighbouring hexes
    #[shape(items = 0..=200)]
    hexes: Vec<Named<RetreatHex>>,
    #[serde(flatten)]
    stacking: Stacking,
    /// the owner's choice
    #[shape(chars = 80)]
    choice: Option<String>,
}

#[derive(Clone, Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
struct HexOutput {
    /// the hex
    #[shape(chars = 80)]
    id: String,
    /// null if closed
    #[shape(0..=7)]
    severity: Option<u32>,
    /// what is bad about it
    #[shape(items = 0..=3)]
    evils: Vec<Evil>,
}

#[derive(Clone, Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct RetreatOutput {
    /// each hex
    #[shape(items = 0..=200)]
    hexes: Vec<HexOutput>,
    /// where it may go
    #[shape(chars = 80, items = 0..=200)]
    options: Vec<String>,
    /// of the options
    #[shape(0..=7)]
    severity: Option<u32>,
    /// the worst evil of the options
    evil: Evil,
    /// there is no open hex
    eliminated: bool,
    /// the choice, or the only option
    #[shape(chars = 80)]
    chosen: Option<String>,
}

impl Procedure for RetreatHexes {
    const NAME: &'static str = "retreat-hex";
    const HELP: &'static str = "Which of the neighbouring hexes a retreating unit may enter.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::RETREAT_PRIORITY, rule::R_8];
    type Input = RetreatInput;
    type Facts = (Retreat, RetreatOutput);
    type Output = RetreatOutput;

    fn read(&self, input: RetreatInput) -> Result<Self::Facts, Refusal> {
        let RetreatInput { hexes, stacking, choice } = input;
        distinct(ids(&hexes), "input.hexes")?;
        let retreat = Retreat::new(&hexes.iter().map(|hex| hex.of).collect::<Vec<_>>(), stacking);
        let options: Vec<String> = retreat.options.iter().map(|&at| hexes[at].id.clone()).collect();
        let refused = |code, choice: &str, why: &str| {
            Refusal::new(code, format!("input.choice: '{choice}' {why}.")).by(rule::RETREAT_PRIORITY)
        };
        let chosen = match choice {
            Some(choice) if hexes.iter().all(|hex| hex.id != choice) => {
                return Err(refused("unknown-hex", &choice, "is not one of the hexes"));
            }
            Some(choice) if !options.contains(&choice) => {
                let allowed = match options.as_slice() {
                    [] => "No hex is open.".to_owned(),
                    options => format!("The least evils are: {}.", options.join(", ")),
                };
                return Err(refused("not-least-evil", &choice, "is not a least evil").remedy(allowed));
            }
            None if options.len() == 1 => options.first().cloned(),
            choice => choice,
        };
        let output = |Named { id, of: hex }: Named<RetreatHex>| HexOutput {
            id,
            severity: hex.severity(stacking),
            evils: hex.evils(stacking).unwrap_or_default(),
        };
        let output = RetreatOutput {
            hexes: hexes.into_iter().map(output).collect(),
            severity: retreat.severity,
            evil: retreat.evil,
            eliminated: options.is_empty(),
            options,
            chosen,
        };
        Ok((retreat, output))
    }

    fn run(&self, (retreat, output): &Self::Facts, ask: &mut impl Ask) -> Asked<RetreatOutput> {
        retreat.note(output.hexes.len(), ask);
        Ok(output.clone())
    }
}
