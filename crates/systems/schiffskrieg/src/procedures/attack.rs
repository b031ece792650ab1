use super::made::Rolled;
use super::or_by_name;
use super::units::{GivenUnit, Unit, read_units};
use crate::attack::{Engagement, FOR_THE_BOX, check, dice};
use crate::day_night::Action;
use crate::odds::{count, taken};
use crate::results::{Fate, Taken, apply, fate};
use crate::rule;
use crate::rules::{Face, Rules};
use crate::unit::Factor;
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_odds::Budget;
use flagplot_referee::{FieldOdds, Procedure, Shaped};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub struct Attack(pub Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub struct Input {
    /// the kind of the round
    action: Action,
    /// the unit that attacks
    attacker: GivenUnit,
    /// the factor it uses
    factor: Factor,
    /// the unit attacked
    target: GivenUnit,
    /// multiplies the dice, after division
    #[shape(1..=3, or = 1)]
    dice_multiplier: u32,
}

pub struct Facts {
    attacker: Unit,
    factor: Factor,
    target: Unit,
    multiplier: u32,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Output {
    #[serde(flatten)]
    rolled: Rolled,
    #[serde(flatten)]
    fate: Fate,
}

impl Procedure for Attack {
    const NAME: &'static str = "attack";
    const HELP: &'static str = "One attack by one unit at another, as if it were the only one of the round.";
    const DICE: &'static str = "the attack dice, then one die of damage for each hit";
    const RULES: &'static [Rule] = &[rule::TARGETING, rule::RESULTS, rule::DAMAGE_POINTS, rule::BOXES];

    type Input = Input;
    type Facts = Facts;
    type Output = Output;

    fn read(&self, input: Input) -> Result<Facts, Refusal> {
        let units = read_units([input.attacker, input.target])?;
        let (attacker, factor, target) = (units[0], input.factor, units[1]);
        check(&self.0, Engagement::from(input.action), attacker.counter(), factor, target.counter())
            .map_err(|barred| barred.refusal(attacker.counter(), factor, target.counter()))?;
        Ok(Facts { attacker, factor, target, multiplier: input.dice_multiplier })
    }

    fn run(&self, facts: &Facts, ask: &mut impl Ask) -> Asked<Output> {
        let units = [facts.attacker.counter(), facts.target.counter()];
        let rolled = Rolled::roll(&self.0, units, facts.factor, facts.multiplier, ask)?;
        let taken = Taken { damage_points: rolled.damage_points, disabled: rolled.disabled_results > 0 };
        let fate = apply(units[1], taken, ask);
        Ok(Output { rolled, fate })
    }

    fn odds(&self, facts: &Facts, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let target = facts.target.counter();
        let dice = dice(&self.0, facts.attacker.counter(), facts.factor, target) * facts.multiplier;
        let mut odds = FieldOdds::default();
        odds.put_certain("dice_count", wanted, dice);
        odds.put("hits", wanted, &count(&self.0, dice, Face::Hit, budget)?, |n| (*n).into());
        odds.put("disabled_results", wanted, &count(&self.0, dice, Face::Disabled, budget)?, |n| (*n).into());
        let taken = taken(&self.0, dice, FOR_THE_BOX, budget)?;
        odds.put("damage_points", wanted, &taken, |taken| taken.damage_points.into());
        let fates = taken.map(|taken| fate(target, *taken));
        odds.put("box", wanted, &fates, |fate| fate.box_name.word().into());
        odds.put("destination", wanted, &fates, |fate| fate.destination.word().into());
        odds.put("damaged", wanted, &fates, |fate| fate.damaged.into());
        or_by_name(odds, self, facts, wanted, budget)
    }
}
