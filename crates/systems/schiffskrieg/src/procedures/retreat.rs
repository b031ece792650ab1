use super::units::{MOST_UNITS, by_role};
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::resolution::{BattleOutcome, resolve, strength};
use crate::rule;
use crate::unit::{Id, Kind};
use flagplot_kernel::{Ask, Note, Refusal};
use flagplot_referee::{About, Halt, OldProcedure, bool, int, list, nullable, or, record, req, text, word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Retreat and resolution after a Combat Round.
pub(super) struct Retreat(pub Arc<Figures>);

#[derive(Deserialize)]
pub(super) struct Input {
    rounds_fought: u8,
    phasing: Line,
    non_phasing: Line,
}

#[derive(Deserialize)]
struct Line {
    line: Vec<InLine>,
    retreats: bool,
}

#[derive(Deserialize)]
struct InLine {
    id: Id,
    kind: Kind,
    defense: u8,
}

impl Line {
    fn strength(&self) -> u32 {
        self.line.iter().map(|unit| strength(unit.kind, unit.defense)).sum()
    }
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    battle_over: bool,
    next: &'static str,
    retreated: Option<Role>,
    outcome: Option<BattleOutcome>,
    phasing_strength: Option<u32>,
    non_phasing_strength: Option<u32>,
}

impl OldProcedure for Retreat {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        let unit = record(vec![
            req("id", text(Id::LONGEST), "name of the unit"),
            req("kind", word(&Kind::WORDS), "what it is"),
            req("defense", int(1, 40), "Defense Factor of the side that is up"),
        ]);
        let line = record(vec![
            req("line", list(unit, 0, MOST_UNITS), "the units left in line"),
            or("retreats", bool(), false, "whether the faction retreats"),
        ]);
        let mut input = vec![req("rounds_fought", int(1, i64::from(self.0.max_rounds)), "Combat Rounds fought")];
        input.extend(by_role(&line, "the faction's line"));
        let strength = || nullable(int(0, 9999));
        About {
            name: "retreat",
            help: "Whether the battle goes on after a Combat Round, and who holds the hex if it does not.",
            dice: "none",
            input: record(input),
            result: record(vec![
                req("battle_over", bool(), "whether it is over"),
                req("next", word(&["combat-round", "resolution"]), "what follows"),
                req("retreated", nullable(word(&["phasing", "non-phasing"])), "who has retreated"),
                req("outcome", nullable(word(&BattleOutcome::WORDS)), "who holds the hex"),
                req("phasing_strength", strength(), "strength of the phasing faction"),
                req("non_phasing_strength", strength(), "strength of the other"),
            ]),
            rules: &[rule::SEQUENCE_5, rule::SEQUENCE_6, rule::R_18, rule::R_19, rule::R_20, rule::C_11],
        }
    }

    fn check(&self, input: &Input) -> Result<(), Refusal> {
        let mut seen: Vec<Id> = Vec::new();
        for unit in input.phasing.line.iter().chain(&input.non_phasing.line) {
            if seen.contains(&unit.id) {
                return Err(Refusal::new("duplicate-unit", format!("The unit '{}' is there twice.", unit.id)));
            }
            seen.push(unit.id);
        }
        if !(input.phasing.retreats || input.non_phasing.retreats) {
            return Ok(());
        }
        if input.rounds_fought >= self.0.max_rounds {
            return Err(Refusal::new("wrong-time", "After the last Combat Round nobody retreats.").by(rule::R_20));
        }
        if input.phasing.line.is_empty() || input.non_phasing.line.is_empty() {
            return Err(
                Refusal::new("wrong-time", "With an empty line there is nothing to retreat from.").by(rule::R_18)
            );
        }
        Ok(())
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        // Once the phasing faction has gone the other is not asked.
        let retreated = if input.phasing.retreats {
            Some(Role::Phasing)
        } else {
            input.non_phasing.retreats.then_some(Role::NonPhasing)
        };
        let empty = input.phasing.line.is_empty() || input.non_phasing.line.is_empty();
        if let Some(role) = retreated {
            ask.note(|| {
                Note::new("retreat", format!("The {role} faction retreats with its whole line."))
                    .by(&[rule::SEQUENCE_5, rule::R_19])
            });
        }
        if retreated.is_none() && !empty && input.rounds_fought < self.0.max_rounds {
            ask.note(|| Note::new("retreat", "Both stay: another Combat Round.").by(&[rule::SEQUENCE_5, rule::R_6]));
            return Ok(Output {
                battle_over: false,
                next: "combat-round",
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
        let left = |role: Role, line: &Line| if retreated == Some(role) { 0 } else { line.strength() };
        let strength = ByRole {
            phasing: left(Role::Phasing, &input.phasing),
            non_phasing: left(Role::NonPhasing, &input.non_phasing),
        };
        let outcome = resolve(&self.0, strength, ask);
        Ok(Output {
            battle_over: true,
            next: "resolution",
            retreated,
            outcome: Some(outcome),
            phasing_strength: Some(strength.phasing),
            non_phasing_strength: Some(strength.non_phasing),
        })
    }
}
