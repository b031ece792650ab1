//! Initiative.

use super::*;
use crate::initiative::{self, Initiative};

procedures![InitiativeModifier, InitiativeRoll];

#[derive(Deserialize, Shaped)]
struct Total {
    /// Command values of a side together.
    #[shape(-200..=200)]
    total: i32,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct TotalResult {
    /// Command total.
    total: i32,
    /// What the total adds.
    modifier: i32,
}

impl Procedure for InitiativeModifier {
    const NAME: &'static str = "initiative-modifier";
    const HELP: &'static str = "What a side's command total adds to its initiative.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::S6_1, rule::R_1, rule::BANDS];
    type Input = Total;
    type Facts = i32;
    type Output = TotalResult;

    fn read(&self, input: Total) -> Result<i32, Refusal> {
        Ok(input.total)
    }

    fn run(&self, &total: &i32, ask: &mut impl Ask) -> Asked<TotalResult> {
        Ok(TotalResult { total, modifier: initiative::modifier(&self.0, total, ask) })
    }
}

#[derive(Deserialize, Shaped)]
struct Totals {
    /// Command total of side a.
    #[shape(-200..=200)]
    a_total: i32,
    /// Command total of side b.
    #[shape(-200..=200)]
    b_total: i32,
    /// Side that had the initiative before.
    #[shape(or = Holder::None)]
    holder: Holder,
}

impl Procedure for InitiativeRoll {
    const NAME: &'static str = "initiative";
    const HELP: &'static str = "Which side has the initiative this turn.";
    const DICE: &'static str = "a d10 for side a, a d10 for side b";
    const RULES: &'static [Rule] = &[rule::S6_1, rule::R_1, rule::R_36];
    type Input = Totals;
    type Facts = Totals;
    type Output = Initiative;

    fn read(&self, input: Totals) -> Result<Totals, Refusal> {
        Ok(input)
    }

    fn run(&self, facts: &Totals, ask: &mut impl Ask) -> Asked<Initiative> {
        initiative::roll(&self.0, [facts.a_total, facts.b_total], facts.holder, ["side a", "side b"], ask)
    }
}
