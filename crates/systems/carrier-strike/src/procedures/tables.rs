use crate::combat::Hits;
use crate::data::Rules;
use crate::detection::Column;
use crate::geometry::LENGTH;
use crate::rule;
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_odds::{Budget, Dist};
use flagplot_referee::{FieldOdds, Procedure, Shaped, words};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, Shaped)]
pub struct HitsInput {
    /// Aircraft or anti-aircraft points.
    #[shape(0..=48)]
    strength: u8,
    /// Sum of all shifts.
    #[shape(-20..=20)]
    shift: i8,
}

pub struct HitsInflicted(pub Arc<Rules>);

impl Procedure for HitsInflicted {
    const NAME: &'static str = "hits-inflicted";
    const HELP: &'static str = "Reads the table of hits for a strength and a shift.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::HITS_INFLICTED, rule::R_28];
    type Input = HitsInput;
    type Facts = HitsInput;
    type Output = Hits;

    fn read(&self, input: HitsInput) -> Result<HitsInput, Refusal> {
        Ok(input)
    }

    fn run(&self, input: &HitsInput, ask: &mut impl Ask) -> Asked<Hits> {
        Ok(self.0.hits_shifted(ask, input.strength, input.shift))
    }
}

#[words]
enum Searcher {
    CombatSquadron,
    Cv,
    Recce,
    DummySquadron,
}

#[words]
enum Sought {
    Squadrons,
    DummySquadron,
    Cv,
    DummyCv,
}

/// What happens to the target.
#[words]
enum Effect {
    Marked,
    Removed,
    RealCardPlaced,
    None,
}

/// A secret number, or for odds how often each is played.
#[derive(Deserialize, Shaped)]
#[serde(untagged)]
enum Number {
    #[shape(1..=4)]
    Chosen(u8),
    #[shape(0..=1_000_000_000_000)]
    Mix([u64; 4]),
}

#[derive(Deserialize, Shaped)]
pub struct DetectionInput {
    /// Who searches.
    searcher: Searcher,
    /// Distance to the nearest part of the target, in thousandths of a card length.
    #[shape(0..=1_000_000)]
    distance: i64,
    /// What is searched for.
    #[shape(or = Sought::Squadrons)]
    target: Sought,
    /// The searcher's number, 1 to 4; for odds four weights.
    searcher_number: Option<Number>,
    /// The hider's number, 1 to 4; for odds four weights.
    hider_number: Option<Number>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct DetectionOutput {
    /// Whether no numbers were needed.
    automatic: bool,
    /// Sum of the numbers.
    #[shape(0..=8)]
    total: u8,
    /// Column read.
    column: Column,
    /// Whether it was found.
    detected: bool,
    /// What happens to it.
    effect: Effect,
}

impl DetectionInput {
    /// A real squadron within a length needs no numbers; a carrier always does.
    fn automatic(&self, rules: &Rules) -> bool {
        self.searcher != Searcher::Cv && self.distance <= rules.ranges.automatic_detection * LENGTH
    }

    fn column(&self) -> Column {
        if self.searcher == Searcher::Recce { Column::Recce } else { Column::CombatOrCv }
    }

    fn numbers(&self) -> [(&'static str, &Option<Number>); 2] {
        [("searcher_number", &self.searcher_number), ("hider_number", &self.hider_number)]
    }

    fn effect(&self, detected: bool) -> Effect {
        match self.target {
            _ if !detected => Effect::None,
            Sought::Squadrons => Effect::Marked,
            Sought::DummySquadron | Sought::DummyCv => Effect::Removed,
            Sought::Cv => Effect::RealCardPlaced,
        }
    }
}

pub struct Detection(pub Arc<Rules>);

impl Procedure for Detection {
    const NAME: &'static str = "detection";
    const HELP: &'static str = "Settles an attempt to detect a group of squadrons or a carrier card.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::DETECT, rule::R_19, rule::R_20, rule::R_21, rule::C_3];
    type Input = DetectionInput;
    type Facts = DetectionInput;
    type Output = DetectionOutput;

    fn read(&self, input: DetectionInput) -> Result<DetectionInput, Refusal> {
        let mut reasons = Vec::new();
        if input.searcher == Searcher::DummySquadron {
            reasons.push(Refusal::new("is-dummy", "A dummy squadron cannot detect anything.").by(rule::DUMMIES));
        }
        let (distance, most) = (input.distance, self.0.ranges.detect);
        if distance > most * LENGTH {
            let tenths = (distance * 10 + LENGTH - 1) / LENGTH;
            let message = format!("The target is {}.{} card lengths away, more than {most}.", tenths / 10, tenths % 10);
            reasons.push(Refusal::new("out-of-reach", message).by(rule::DETECT));
        }
        reasons.extend(input.numbers().into_iter().filter_map(|(name, number)| match number {
            None if !input.automatic(&self.0) => {
                Some(Refusal::new("missing-field", format!("input lacks '{name}': the search is not automatic.")))
            }
            Some(Number::Mix([0, 0, 0, 0])) => {
                Some(Refusal::new("out-of-range", format!("input.{name}: not all weights may be 0.")))
            }
            _ => None,
        }));
        Refusal::all(reasons).map(|()| input)
    }

    fn run(&self, input: &DetectionInput, ask: &mut impl Ask) -> Asked<DetectionOutput> {
        let (automatic, column) = (input.automatic(&self.0), input.column());
        let mut numbers = [0; 2];
        if automatic {
            ask.note(|| {
                Note::new("automatic", "A squadron within one length detects without numbers.")
                    .by(&[rule::DETECT, rule::R_20])
                    .outcome(true)
            });
        } else {
            for ((name, given), number) in input.numbers().into_iter().zip(&mut numbers) {
                let Some(Number::Chosen(chosen)) = given else {
                    let message = format!(
                        "input.{name} must be a whole number from 1 to 4; weights belong to a request for odds."
                    );
                    return Err(ask.refuse(Refusal::new("wrong-type", message)));
                };
                *number = *chosen;
            }
        }
        let detected = automatic || self.0.search(ask, column, numbers[0], numbers[1]);
        if detected && !automatic && input.target == Sought::DummyCv {
            ask.note(|| {
                Note::new("decoy", "The decoy card is taken off; the other card stays undetected.").by(&[rule::R_21])
            });
        }
        let total = numbers[0] + numbers[1];
        Ok(DetectionOutput { automatic, total, column, detected, effect: input.effect(detected) })
    }

    fn odds(&self, input: &DetectionInput, wanted: Option<&str>, _: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let automatic = input.automatic(&self.0);
        let [searcher, hider] = input.numbers().map(|(_, number)| match number {
            Some(Number::Mix(weights)) if !automatic => Dist::weighted((1..=4u8).zip(*weights)),
            Some(Number::Chosen(number)) if !automatic => Dist::certain(*number),
            _ => Dist::certain(0),
        });
        let total = searcher.with(&hider, |a, b| a + b);
        let column = input.column();
        let found = |total: &u8| automatic || self.0.finds(column, *total);
        let mut odds = FieldOdds::default();
        odds.put_certain("automatic", wanted, automatic);
        odds.put("total", wanted, &total, |total| (*total).into());
        odds.put_certain("column", wanted, column.word());
        odds.put("detected", wanted, &total, |total| found(total).into());
        odds.put("effect", wanted, &total, |total| input.effect(found(total)).word().into());
        Ok(odds)
    }
}
