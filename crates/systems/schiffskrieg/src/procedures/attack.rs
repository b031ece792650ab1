use super::or_by_name;
use super::units::{GivenUnit, check_units, unit_shape};
use crate::attack::{self, DISABLED, Engagement, FOR_THE_BOX, HITS, judge};
use crate::day_night::Action;
use crate::figures::{Face, Figures};
use crate::odds::{count, taken};
use crate::results::{BoxName, Destination, Taken, apply, fate};
use crate::rule;
use crate::unit::{Counter, Factor, Sheet};
use flagplot_kernel::{Ask, Faces, Refusal};
use flagplot_odds::Budget;
use flagplot_referee::{About, FieldOdds, Halt, OldProcedure, bool, int, list, or, record, req, word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One attack by itself.
pub(super) struct Attack(pub Arc<Figures>);

#[derive(Deserialize)]
pub(super) struct Input {
    action: Action,
    attacker: GivenUnit,
    factor: Factor,
    target: GivenUnit,
    dice_multiplier: u32,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    dice_count: u32,
    attack_dice: Faces,
    hits: u32,
    disabled_results: u32,
    damage_dice: Faces,
    damage_points: u32,
    #[serde(rename = "box")]
    box_name: BoxName,
    destination: Destination,
    damaged: bool,
}

impl Input {
    fn sheets(&self) -> [Sheet; 2] {
        [self.attacker.sheet(), self.target.sheet()]
    }
}

fn counters<'a>(input: &Input, sheets: &'a [Sheet; 2]) -> [Counter<'a>; 2] {
    [
        Counter { sheet: &sheets[0], damaged: input.attacker.damaged },
        Counter { sheet: &sheets[1], damaged: input.target.damaged },
    ]
}

impl OldProcedure for Attack {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        let faces = || list(int(1, 6), 0, 200);
        About {
            name: "attack",
            help: "One attack by one unit at another, as if it were the only one of the round.",
            dice: "the attack dice, then one die of damage for each hit",
            input: record(vec![
                req("action", word(&Action::WORDS), "the kind of the round"),
                req("attacker", unit_shape(), "the unit that attacks"),
                req("factor", word(&Factor::WORDS), "the factor it uses"),
                req("target", unit_shape(), "the unit attacked"),
                or("dice_multiplier", int(1, 3), 1, "multiplies the dice, after division"),
            ]),
            result: record(vec![
                req("dice_count", int(0, 200), "attack dice"),
                req("attack_dice", faces(), "their faces"),
                req("hits", int(0, 200), "sixes"),
                req("disabled_results", int(0, 200), "fives, against an LBA too"),
                req("damage_dice", faces(), "faces of the damage dice"),
                req("damage_points", int(0, 1200), "their sum"),
                req("box", word(&BoxName::WORDS), "the target's box"),
                req("destination", word(&Destination::WORDS), "where that leads"),
                req("damaged", bool(), "whether its damaged side is up afterwards"),
            ]),
            rules: &[rule::TARGETING, rule::RESULTS, rule::DAMAGE_POINTS, rule::BOXES],
        }
    }

    fn check(&self, input: &Input) -> Result<(), Refusal> {
        check_units([&input.attacker, &input.target])?;
        let sheets = input.sheets();
        let [attacker, target] = counters(input, &sheets);
        judge(&self.0, Engagement::from(input.action), attacker, input.factor, target).map(|_| ())
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        let sheets = input.sheets();
        let [attacker, target] = counters(input, &sheets);
        let (dice_count, got) = attack::resolve(&self.0, attacker, input.factor, target, input.dice_multiplier, ask)?;
        let fate = apply(target, Taken { damage_points: got.points, disabled: got.counts[DISABLED] > 0 }, ask);
        Ok(Output {
            dice_count,
            attack_dice: got.faces,
            hits: got.counts[HITS],
            disabled_results: got.counts[DISABLED],
            damage_dice: got.point_faces,
            damage_points: got.points,
            box_name: fate.box_name,
            destination: fate.destination,
            damaged: fate.damaged,
        })
    }

    fn odds(&self, input: &Input, wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Halt> {
        let sheets = input.sheets();
        let [attacker, target] = counters(input, &sheets);
        let dice = attack::dice(&self.0, attacker, input.factor, target) * input.dice_multiplier;
        let mut odds = FieldOdds::default();
        odds.put_certain("dice_count", wanted, dice);
        odds.put("hits", wanted, &count(&self.0, dice, Face::Hit, budget)?, |n| (*n).into());
        odds.put("disabled_results", wanted, &count(&self.0, dice, Face::Disabled, budget)?, |n| (*n).into());
        let taken = taken(&self.0, dice, FOR_THE_BOX, budget)?;
        odds.put("damage_points", wanted, &taken, |taken| taken.damage_points.into());
        let fates = taken.map(|taken| fate(target, *taken));
        odds.put("box", wanted, &fates, |fate| BoxName::WORDS[fate.box_name as usize].into());
        odds.put("destination", wanted, &fates, |fate| Destination::WORDS[fate.destination as usize].into());
        odds.put("damaged", wanted, &fates, |fate| fate.damaged.into());
        or_by_name(odds, self, input, wanted, budget)
    }
}
