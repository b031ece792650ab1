use super::units::MOST_UNITS;
use crate::delay::{Choice, Waiting, roll};
use crate::figures::Figures;
use crate::rule;
use crate::unit::{Id, Kind};
use flagplot_kernel::{Ask, Refusal};
use flagplot_odds::{Budget, enumerate};
use flagplot_referee::{About, FieldOdds, Halt, OldProcedure, bool, int, list, map, or, record, req, text, word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The Delay Segment for some counters.
pub(super) struct Delay(pub Arc<Figures>);

#[derive(Deserialize)]
pub(super) struct Input {
    turn: i64,
    faction_drm: i64,
    counters: Vec<Counter>,
}

#[derive(Deserialize)]
struct Counter {
    id: Id,
    kind: Kind,
    damaged: bool,
    choice: GivenChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GivenChoice {
    None,
    Repair,
    ReturnDamaged,
}

impl Counter {
    fn waiting(&self) -> Waiting {
        let choice = match self.choice {
            GivenChoice::None => None,
            GivenChoice::Repair => Some(Choice::Repair),
            GivenChoice::ReturnDamaged => Some(Choice::ReturnDamaged),
        };
        Waiting { id: self.id, choice }
    }
}

#[derive(PartialEq, Eq, Hash, Serialize)]
struct Return {
    die: u8,
    drm: i64,
    delay: i64,
    return_turn: i64,
    returns_damaged: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    counters: BTreeMap<Id, Return>,
}

impl OldProcedure for Delay {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        let counter = record(vec![
            req("id", text(Id::LONGEST), "name of the counter"),
            req("kind", word(&Kind::WORDS), "what it is"),
            req("damaged", bool(), "whether it came damaged side up"),
            or(
                "choice",
                word(&["none", "repair", "return-damaged"]),
                "none",
                "what its owner wants, for a damaged ship",
            ),
        ]);
        let result = record(vec![
            req("die", int(1, 6), "the die"),
            req("drm", int(-9, 9), "what was added"),
            req("delay", int(1, 99), "turns to wait"),
            req("return_turn", int(1, 999), "the turn it comes back"),
            req("returns_damaged", bool(), "whether it comes back damaged"),
        ]);
        About {
            name: "delay",
            help: "How long counters wait in the Delay Boxes.",
            dice: "one for each counter in order",
            input: record(vec![
                req("turn", int(1, 99), "the present turn"),
                req("faction_drm", int(-5, 5), "the faction's modifier"),
                req("counters", list(counter, 0, MOST_UNITS), "the counters in the boxes"),
            ]),
            result: record(vec![req("counters", map(result, MOST_UNITS), "when each comes back")]),
            rules: &[rule::C_13, rule::C_14, rule::R_15],
        }
    }

    fn check(&self, input: &Input) -> Result<(), Refusal> {
        let mut seen: Vec<Id> = Vec::new();
        for counter in &input.counters {
            let id = counter.id;
            if seen.contains(&id) {
                return Err(Refusal::new("duplicate-unit", format!("The counter '{id}' is there twice.")));
            }
            seen.push(id);
            let bad = |why: &str| Err(Refusal::new("bad-value", format!("counter '{id}': {why}")));
            match (counter.kind, counter.damaged, counter.choice) {
                (Kind::Lba, true, _) => {
                    return bad("an LBA in the Delay Box is destroyed, not reduced, and comes back at full strength.");
                }
                (_, false, GivenChoice::Repair | GivenChoice::ReturnDamaged) => {
                    return bad("there is nothing to repair, so that there is no choice.");
                }
                (_, true, GivenChoice::None) => {
                    return Err(Refusal::new(
                        "missing-field",
                        format!("The damaged ship '{id}' needs the field 'choice': repair or return-damaged."),
                    )
                    .by(rule::C_14));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        let mut counters = BTreeMap::new();
        for counter in &input.counters {
            let back = roll(&self.0, counter.waiting(), input.turn, input.faction_drm, ask)?;
            counters.insert(
                counter.id,
                Return {
                    die: back.die,
                    drm: back.drm,
                    delay: back.delay,
                    return_turn: back.turn,
                    returns_damaged: back.damaged,
                },
            );
        }
        Ok(Output { counters })
    }

    fn odds(&self, input: &Input, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let mut odds = FieldOdds::default();
        for counter in &input.counters {
            let dist = enumerate(budget, |ask| roll(&self.0, counter.waiting(), input.turn, input.faction_drm, ask))?;
            let field = |name: &str| format!("counters.{}.{name}", counter.id);
            odds.put(field("die"), wanted, &dist, |back| back.die.into());
            odds.put(field("drm"), wanted, &dist, |back| back.drm.into());
            odds.put(field("delay"), wanted, &dist, |back| back.delay.into());
            odds.put(field("return_turn"), wanted, &dist, |back| back.turn.into());
            odds.put(field("returns_damaged"), wanted, &dist, |back| back.damaged.into());
        }
        Ok(odds)
    }
}
