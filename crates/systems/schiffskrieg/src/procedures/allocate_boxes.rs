use super::units::{GivenUnit, Unit, read_units};
use crate::results::{Fate, Taken, apply};
use crate::rule;
use crate::unit::Id;
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped, words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub struct AllocateBoxes;

#[words]
pub enum Context {
    CombatRound,
    BaseAttackRound,
    BaseAttackConclusion,
}

#[derive(Deserialize, Shaped)]
pub struct Input {
    /// what has just ended
    context: Context,
    /// the units
    #[shape(items = 0..=60)]
    units: Vec<Hurt>,
}

#[derive(Deserialize, Shaped)]
struct Hurt {
    #[serde(flatten)]
    unit: GivenUnit,
    #[serde(flatten)]
    by: Results,
}

#[derive(Clone, Copy, Deserialize, Shaped)]
pub struct Results {
    /// Damage Points of the round
    #[shape(0..=999)]
    damage_points: u32,
    /// Disabled results of the round, or those noted so far at a conclusion
    #[shape(0..=999)]
    disabled_results: u32,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
struct UnitResult {
    #[serde(flatten)]
    fate: Fate,
    /// whether a Disabled result waits for the end of the Base Attack
    disabled_pending: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Output {
    /// what becomes of each
    #[shape(items = 0..=60)]
    units: BTreeMap<Id, UnitResult>,
}

impl Procedure for AllocateBoxes {
    const NAME: &'static str = "allocate-boxes";
    const HELP: &'static str = "Puts units into their boxes from Damage Points and Disabled results.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::DAMAGE_POINTS, rule::BOXES, rule::R_17];

    type Input = Input;
    type Facts = (Context, Vec<(Unit, Results)>);
    type Output = Output;

    fn read(&self, Input { context, units }: Input) -> Result<Self::Facts, Refusal> {
        let (given, results): (Vec<_>, Vec<_>) = units.into_iter().map(|hurt| (hurt.unit, hurt.by)).unzip();
        let units: Vec<_> = read_units(given)?.into_iter().zip(results).collect();
        let applied = |by: &Results| context == Context::BaseAttackConclusion && by.damage_points > 0;
        let reasons = units.iter().filter(|(_, by)| applied(by)).map(|(unit, _)| {
            let message = format!(
                "unit '{}': at the conclusion all damage has been applied; damage_points must be 0.",
                unit.sheet.id
            );
            Refusal::new("bad-value", message).by(rule::R_17)
        });
        Refusal::all(reasons.collect())?;
        Ok((context, units))
    }

    fn run(&self, (context, hurt): &Self::Facts, ask: &mut impl Ask) -> Asked<Output> {
        let waits = *context == Context::BaseAttackRound;
        let mut units = BTreeMap::new();
        for (unit, by) in hurt {
            let disabled = by.disabled_results > 0;
            let taken = Taken { damage_points: by.damage_points, disabled: disabled && !waits };
            let fate = apply(unit.counter(), taken, ask);
            let disabled_pending = waits && disabled && unit.sheet.kind.is_ship() && !fate.sunk();
            units.insert(unit.sheet.id, UnitResult { fate, disabled_pending });
        }
        Ok(Output { units })
    }
}
