use super::*;
use crate::detection::Column;
use crate::geometry::LENGTH;
use crate::rule;
use flagplot_kernel::{Ask, Note};
use flagplot_odds::{Budget, Dist};
use flagplot_referee::{About, FieldOdds, Halt, OldProcedure, bool, either};
use serde::{Deserialize, Serialize};

/// A reading of the table of hits.
pub struct HitsInflicted(pub Arc<Book>);

#[derive(Deserialize)]
pub struct HitsInput {
    strength: u8,
    shift: i8,
}

impl OldProcedure for HitsInflicted {
    type Input = HitsInput;
    type Output = crate::combat::Hits;

    fn about(&self) -> About {
        About {
            name: "hits-inflicted",
            help: "Reads the table of hits for a strength and a shift.",
            dice: "none",
            input: record(vec![
                req("strength", int(0, 48), "aircraft or anti-aircraft points"),
                req("shift", int(-20, 20), "sum of all shifts"),
            ]),
            result: record(vec![
                req("column", int(1, 12), "one hit per so many"),
                req("column_index", int(0, 8), "the column, from 0"),
                req("hits", int(0, 48), "hits"),
            ]),
            rules: &[rule::HITS_INFLICTED, rule::R_28],
        }
    }

    fn check(&self, _: &HitsInput) -> Result<(), Refusal> {
        Ok(())
    }

    fn run(&self, input: &HitsInput, ask: &mut impl Ask) -> Result<Self::Output, Halt> {
        Ok(self.0.hits_shifted(ask, input.strength, input.shift))
    }
}

/// An attempt to find something.
pub struct Detection(pub Arc<Book>);

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Searcher {
    CombatSquadron,
    Cv,
    Recce,
    DummySquadron,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Sought {
    Squadrons,
    DummySquadron,
    Cv,
    DummyCv,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Chosen(u8),
    Mix([u64; 4]),
}

#[derive(Deserialize)]
pub struct DetectionInput {
    searcher: Searcher,
    distance: i64,
    target: Sought,
    searcher_number: Option<Number>,
    hider_number: Option<Number>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
pub struct DetectionOutput {
    automatic: bool,
    total: u8,
    column: Column,
    detected: bool,
    effect: &'static str,
}

impl DetectionInput {
    /// A real squadron within a length needs no numbers; a carrier always does.
    fn automatic(&self, book: &Book) -> bool {
        self.searcher != Searcher::Cv && self.distance <= book.ranges.automatic_detection * LENGTH
    }

    fn column(&self) -> Column {
        if self.searcher == Searcher::Recce { Column::Recce } else { Column::CombatOrCv }
    }

    fn effect(&self, detected: bool) -> &'static str {
        match self.target {
            _ if !detected => "none",
            Sought::Squadrons => "marked",
            Sought::DummySquadron | Sought::DummyCv => "removed",
            Sought::Cv => "real-card-placed",
        }
    }
}

impl OldProcedure for Detection {
    type Input = DetectionInput;
    type Output = DetectionOutput;

    fn about(&self) -> About {
        let number = || either(vec![int(1, 4), list(int(0, 1_000_000_000_000), 4, 4)]);
        About {
            name: "detection",
            help: "Settles an attempt to detect a group of squadrons or a carrier card.",
            dice: "none",
            input: record(vec![
                req("searcher", word(&["combat-squadron", "cv", "recce", "dummy-squadron"]), "who looks"),
                req("distance", int(0, 1_000_000), "thousandths of a length to the nearest part of the target"),
                or(
                    "target",
                    word(&["squadrons", "dummy-squadron", "cv", "dummy-cv"]),
                    "squadrons",
                    "what is looked for",
                ),
                opt("searcher_number", number(), "1 to 4; for odds four weights"),
                opt("hider_number", number(), "1 to 4; for odds four weights"),
            ]),
            result: record(vec![
                req("automatic", bool(), "whether no numbers were needed"),
                req("total", int(0, 8), "sum of the numbers"),
                req("column", word(&["combat-or-cv", "recce"]), "column read"),
                req("detected", bool(), "whether it was found"),
                req("effect", word(&["marked", "removed", "real-card-placed", "none"]), "what happens to it"),
            ]),
            rules: &[rule::DETECT, rule::R_19, rule::R_20, rule::R_21, rule::C_3],
        }
    }

    fn check(&self, input: &DetectionInput) -> Result<(), Refusal> {
        if input.searcher == Searcher::DummySquadron {
            return Err(Refusal::new("is-dummy", "A dummy squadron cannot detect anything.").by(rule::DUMMIES));
        }
        if input.distance > self.0.ranges.detect * LENGTH {
            return Err(Refusal::new(
                "out-of-reach",
                format!(
                    "The target is {} thousandths away, more than {} card lengths.",
                    input.distance, self.0.ranges.detect
                ),
            )
            .by(rule::DETECT));
        }
        for (name, number) in [("searcher_number", &input.searcher_number), ("hider_number", &input.hider_number)] {
            match number {
                None if !input.automatic(&self.0) => {
                    return Err(Refusal::new(
                        "missing-field",
                        format!("input lacks '{name}': the search is not automatic."),
                    ));
                }
                Some(Number::Mix(weights)) if weights.iter().sum::<u64>() == 0 => {
                    return Err(Refusal::new("out-of-range", format!("input.{name}: not all weights may be 0.")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn run(&self, input: &DetectionInput, ask: &mut impl Ask) -> Result<DetectionOutput, Halt> {
        let column = input.column();
        if input.automatic(&self.0) {
            ask.note(|| {
                Note::new("automatic", "A squadron within one length detects without numbers.")
                    .by(&[rule::DETECT, rule::R_20])
                    .outcome(true)
            });
            return Ok(DetectionOutput {
                automatic: true,
                total: 0,
                column,
                detected: true,
                effect: input.effect(true),
            });
        }
        let number = |name: &str, number: &Option<Number>| match number {
            Some(Number::Chosen(number)) => Ok(*number),
            _ => Err(Refusal::new(
                "wrong-type",
                format!("input.{name} must be a whole number from 1 to 4; weights belong to a request for odds."),
            )),
        };
        let (searcher, hider) =
            (number("searcher_number", &input.searcher_number)?, number("hider_number", &input.hider_number)?);
        let detected = self.0.search(ask, column, searcher, hider);
        if detected && input.target == Sought::DummyCv {
            ask.note(|| {
                Note::new("decoy", "The decoy card is taken off; the other card stays undetected.").by(&[rule::R_21])
            });
        }
        Ok(DetectionOutput {
            automatic: false,
            total: searcher + hider,
            column,
            detected,
            effect: input.effect(detected),
        })
    }

    fn odds(&self, input: &DetectionInput, wanted: Option<&str>, _: Budget<'_>) -> Result<FieldOdds, Halt> {
        let automatic = input.automatic(&self.0);
        let mix = |number: &Option<Number>| match number {
            _ if automatic => Dist::certain(0),
            Some(Number::Mix(weights)) => Dist::weighted((1..=4u8).zip(*weights)),
            Some(Number::Chosen(number)) => Dist::certain(*number),
            None => Dist::certain(0),
        };
        let total = mix(&input.searcher_number).with(&mix(&input.hider_number), |a, b| a + b);
        let column = input.column();
        let found = |total: &u8| automatic || self.0.finds(column, *total);
        let mut odds = FieldOdds::default();
        odds.put_certain("automatic", wanted, automatic);
        odds.put("total", wanted, &total, |total| (*total).into());
        odds.put_certain("column", wanted, column.word());
        odds.put("detected", wanted, &total, |total| found(total).into());
        odds.put("effect", wanted, &total, |total| input.effect(found(total)).into());
        Ok(odds)
    }
}
