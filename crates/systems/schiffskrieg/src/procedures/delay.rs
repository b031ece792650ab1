use super::units::once;
use crate::delay::{Choice, Return, Waiting, roll};
use crate::rule;
use crate::rules::Rules;
use crate::unit::{Id, Kind};
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_odds::{Budget, enumerate};
use flagplot_referee::{FieldOdds, Procedure, Shaped, words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct Delay(pub Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub struct Input {
    /// the present turn
    #[shape(1..=99)]
    turn: i64,
    /// the faction's modifier
    #[shape(-5..=5)]
    faction_drm: i64,
    /// the counters in the boxes
    #[shape(items = 0..=60)]
    counters: Vec<Counter>,
}

#[derive(Clone, Copy, Deserialize, Shaped)]
struct Counter {
    /// name of the counter
    id: Id,
    /// what it is
    kind: Kind,
    /// whether it came damaged side up
    damaged: bool,
    /// what its owner wants, for a damaged ship
    #[shape(or = "none")]
    choice: GivenChoice,
}

#[words]
enum GivenChoice {
    None,
    Repair,
    ReturnDamaged,
}

impl Counter {
    fn read(self, seen: &mut Vec<Id>) -> Result<Waiting, Refusal> {
        let id = self.id;
        once(seen, id)?;
        let bad = |why: &str| Err(Refusal::new("bad-value", format!("counter '{id}': {why}")));
        let choice = match (self.kind, self.damaged, self.choice) {
            (Kind::Lba, true, _) => {
                return bad("an LBA in the Delay Box is destroyed, not reduced, and comes back at full strength.");
            }
            (_, false, GivenChoice::None) => None,
            (_, false, _) => return bad("it is not damaged: there is nothing to repair and nothing to choose."),
            (_, true, GivenChoice::None) => {
                let message = format!("The damaged ship '{id}' needs the field 'choice': repair or return-damaged.");
                return Err(Refusal::new("missing-field", message).by(rule::C_14));
            }
            (_, true, GivenChoice::Repair) => Some(Choice::Repair),
            (_, true, GivenChoice::ReturnDamaged) => Some(Choice::ReturnDamaged),
        };
        Ok(Waiting { id, choice })
    }
}

pub struct Facts {
    turn: i64,
    faction_drm: i64,
    counters: Vec<Waiting>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Output {
    /// when each comes back
    #[shape(items = 0..=60)]
    counters: BTreeMap<Id, Return>,
}

impl Procedure for Delay {
    const NAME: &'static str = "delay";
    const HELP: &'static str = "How long counters wait in the Delay Boxes.";
    const DICE: &'static str = "one for each counter in order";
    const RULES: &'static [Rule] = &[rule::C_13, rule::C_14, rule::R_15];

    type Input = Input;
    type Facts = Facts;
    type Output = Output;

    fn read(&self, Input { turn, faction_drm, counters }: Input) -> Result<Facts, Refusal> {
        let (mut seen, mut reasons, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for counter in counters {
            match counter.read(&mut seen) {
                Ok(read) => waiting.push(read),
                Err(refusal) => reasons.push(refusal),
            }
        }
        Refusal::all(reasons).map(|()| Facts { turn, faction_drm, counters: waiting })
    }

    fn run(&self, facts: &Facts, ask: &mut impl Ask) -> Asked<Output> {
        let mut counters = BTreeMap::new();
        for counter in &facts.counters {
            counters.insert(counter.id, roll(&self.0, *counter, counter.id, facts.turn, facts.faction_drm, ask)?);
        }
        Ok(Output { counters })
    }

    fn odds(&self, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let mut odds = FieldOdds::default();
        for counter in &facts.counters {
            let dist =
                enumerate(budget, |ask| roll(&self.0, *counter, counter.id, facts.turn, facts.faction_drm, ask))?;
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
