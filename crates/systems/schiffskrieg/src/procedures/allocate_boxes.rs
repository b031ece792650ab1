use super::units::{GivenUnit, MOST_UNITS, check_units, unit_shape_with};
use crate::results::{BoxName, Destination, Taken, apply};
use crate::rule;
use crate::unit::{Counter, Id};
use flagplot_kernel::{Ask, Refusal};
use flagplot_referee::{About, Halt, OldProcedure, bool, int, list, map, record, req, word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The boxes of units whose Damage Points and Disabled results are known.
pub(super) struct AllocateBoxes;

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Context {
    CombatRound,
    BaseAttackRound,
    BaseAttackConclusion,
}

#[derive(Deserialize)]
pub(super) struct Input {
    context: Context,
    units: Vec<Hurt>,
}

#[derive(Deserialize)]
struct Hurt {
    #[serde(flatten)]
    unit: GivenUnit,
    damage_points: u32,
    disabled_results: u32,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
struct UnitResult {
    #[serde(rename = "box")]
    box_name: BoxName,
    destination: Destination,
    damaged: bool,
    disabled_pending: bool,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    units: BTreeMap<Id, UnitResult>,
}

impl OldProcedure for AllocateBoxes {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        let unit = unit_shape_with(vec![
            req("damage_points", int(0, 999), "Damage Points of the round"),
            req(
                "disabled_results",
                int(0, 999),
                "Disabled results of the round, or those noted so far at a conclusion",
            ),
        ]);
        let result = record(vec![
            req("box", word(&BoxName::WORDS), "its box"),
            req("destination", word(&Destination::WORDS), "where that leads"),
            req("damaged", bool(), "whether its damaged side is up afterwards"),
            req("disabled_pending", bool(), "whether a Disabled result waits for the end of the Base Attack"),
        ]);
        About {
            name: "allocate-boxes",
            help: "Puts units into their boxes from Damage Points and Disabled results.",
            dice: "none",
            input: record(vec![
                req(
                    "context",
                    word(&["combat-round", "base-attack-round", "base-attack-conclusion"]),
                    "what has just ended",
                ),
                req("units", list(unit, 0, MOST_UNITS), "the units"),
            ]),
            result: record(vec![req("units", map(result, MOST_UNITS), "what becomes of each")]),
            rules: &[rule::DAMAGE_POINTS, rule::BOXES, rule::R_17],
        }
    }

    fn check(&self, input: &Input) -> Result<(), Refusal> {
        check_units(input.units.iter().map(|hurt| &hurt.unit))?;
        match input.units.iter().find(|hurt| input.context == Context::BaseAttackConclusion && hurt.damage_points > 0) {
            Some(hurt) => Err(Refusal::new(
                "bad-value",
                format!(
                    "unit '{}': at the conclusion all damage has been applied; damage_points must be 0.",
                    hurt.unit.id
                ),
            )
            .by(rule::R_17)),
            None => Ok(()),
        }
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        let mut units = BTreeMap::new();
        for hurt in &input.units {
            let sheet = hurt.unit.sheet();
            let waits = input.context == Context::BaseAttackRound;
            let taken = Taken { damage_points: hurt.damage_points, disabled: hurt.disabled_results > 0 && !waits };
            let fate = apply(Counter { sheet: &sheet, damaged: hurt.unit.damaged }, taken, ask);
            let disabled_pending =
                waits && hurt.disabled_results > 0 && sheet.kind.is_ship() && fate.box_name != BoxName::SunkDestroyed;
            units.insert(
                sheet.id,
                UnitResult {
                    box_name: fate.box_name,
                    destination: fate.destination,
                    damaged: fate.damaged,
                    disabled_pending,
                },
            );
        }
        Ok(Output { units })
    }
}
