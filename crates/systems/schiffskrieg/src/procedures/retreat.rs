use super::units::once;
use crate::faction::{ByRole, Role};
use crate::resolution::{BattleOutcome, resolve, strength_of};
use crate::rule;
use crate::rules::Rules;
use crate::unit::{Id, Kind};
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_referee::{Procedure, Shape, Shaped, words};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub struct Retreat(pub Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub struct Input {
    /// Combat Rounds fought
    rounds_fought: u8,
    #[serde(flatten)]
    lines: ByRole<Line>,
}

#[derive(Deserialize, Shaped)]
struct Line {
    /// the units left in line
    #[shape(items = 0..=60)]
    line: Vec<InLine>,
    /// whether the faction retreats
    #[shape(or = false)]
    retreats: bool,
}

#[derive(Deserialize, Shaped)]
struct InLine {
    /// name of the unit
    id: Id,
    /// what it is
    kind: Kind,
    /// Defense Factor of the side that is up
    #[shape(1..=40)]
    defense: u8,
}

#[words]
enum Next {
    CombatRound,
    Resolution,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Output {
    /// whether the battle is over
    battle_over: bool,
    /// what follows
    next: Next,
    /// the faction that has retreated
    retreated: Option<Role>,
    /// who holds the hex
    outcome: Option<BattleOutcome>,
    /// strength of the phasing faction
    #[shape(0..=9999)]
    phasing_strength: Option<u32>,
    /// strength of the other faction
    #[shape(0..=9999)]
    non_phasing_strength: Option<u32>,
}

impl Procedure for Retreat {
    const NAME: &'static str = "retreat";
    const HELP: &'static str = "Whether the battle goes on after a Combat Round, and who holds the hex if it does not.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] =
        &[rule::SEQUENCE_5, rule::SEQUENCE_6, rule::R_18, rule::R_19, rule::R_20, rule::C_11];

    type Input = Input;
    type Facts = Input;
    type Output = Output;

    fn input(&self) -> Shape {
        Input::shape().with("rounds_fought", u8::shape().within(1..=i64::from(self.0.battle.max_rounds)))
    }

    fn read(&self, input: Input) -> Result<Input, Refusal> {
        let (mut seen, lines) = (Vec::new(), &input.lines);
        lines.phasing.line.iter().chain(&lines.non_phasing.line).try_for_each(|unit| once(&mut seen, unit.id))?;
        if !(lines.phasing.retreats || lines.non_phasing.retreats) {
            return Ok(input);
        }
        if input.rounds_fought >= self.0.battle.max_rounds {
            return Err(Refusal::new("wrong-time", "No faction retreats after the last Combat Round.").by(rule::R_20));
        }
        if lines.phasing.line.is_empty() || lines.non_phasing.line.is_empty() {
            let message = "With an empty line there is nothing to retreat from.";
            return Err(Refusal::new("wrong-time", message).by(rule::R_18));
        }
        Ok(input)
    }

    fn run(&self, Input { rounds_fought, lines }: &Input, ask: &mut impl Ask) -> Asked<Output> {
        // Once the phasing faction has gone the other is not asked.
        let retreated = Role::BOTH.into_iter().find(|&role| lines[role].retreats);
        let empty = lines.phasing.line.is_empty() || lines.non_phasing.line.is_empty();
        if let Some(role) = retreated {
            ask.note(|| {
                Note::new("retreat", format!("The {role} faction retreats with its whole line."))
                    .by(&[rule::SEQUENCE_5, rule::R_19])
            });
        }
        if retreated.is_none() && !empty && *rounds_fought < self.0.battle.max_rounds {
            ask.note(|| Note::new("retreat", "Both stay: another Combat Round.").by(&[rule::SEQUENCE_5, rule::R_6]));
            return Ok(Output {
                battle_over: false,
                next: Next::CombatRound,
                retreated: None,
                outcome: None,
                phasing_strength: None,
                non_phasing_strength: None,
            });
        }
        if empty {
            ask.note(|| Note::new("retreat", "A line is empty: there is no further round.").by(&[rule::R_18]));
        } else if retreated.is_none() {
            ask.note(|| Note::new("retreat", "The last Combat Round has been fought.").by(&[rule::R_20]));
        }
        let strength = ByRole::new_with(|role| match retreated == Some(role) {
            true => 0,
            false => lines[role].line.iter().map(|unit| strength_of(unit.kind, unit.defense)).sum(),
        });
        Ok(Output {
            battle_over: true,
            next: Next::Resolution,
            retreated,
            outcome: Some(resolve(&self.0, strength, ask)),
            phasing_strength: Some(strength.phasing),
            non_phasing_strength: Some(strength.non_phasing),
        })
    }
}
