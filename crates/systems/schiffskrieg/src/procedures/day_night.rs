use super::units::by_role;
use crate::day_night::{Action, Waters, select};
use crate::faction::{ByRole, Role};
use crate::figures::Figures;
use crate::rule;
use flagplot_kernel::{Ask, Refusal};
use flagplot_referee::{About, Halt, OldProcedure, bool, int, nullable, record, req, word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Day or night.
pub(super) struct DayNight(pub Arc<Figures>);

#[derive(Deserialize)]
pub(super) struct Input {
    all_sea: bool,
    phasing: Side,
    non_phasing: Side,
}

#[derive(Deserialize)]
struct Side {
    wish: Action,
    nearest_air_base: Option<u8>,
}

#[derive(PartialEq, Eq, Hash, Serialize)]
pub(super) struct Output {
    action: Action,
    rolled: bool,
    winner: Option<Role>,
    phasing_drm: i64,
    non_phasing_drm: i64,
    phasing_total: Option<i64>,
    non_phasing_total: Option<i64>,
}

impl OldProcedure for DayNight {
    type Input = Input;
    type Output = Output;

    fn about(&self) -> About {
        let side = record(vec![
            req("wish", word(&Action::WORDS), "the action the faction wants"),
            req("nearest_air_base", nullable(int(0, 99)), "hexes to its nearest Air Base, or null"),
        ]);
        let mut input = vec![req("all_sea", bool(), "whether the hex holds only water")];
        input.extend(by_role(&side, "what the faction brings"));
        let total = || nullable(int(-20, 20));
        About {
            name: "day-night",
            help: "Selects the kind of a Combat Round from both factions' wishes.",
            dice: "none if the wishes agree; else phasing, non-phasing",
            input: record(input),
            result: record(vec![
                req("action", word(&Action::WORDS), "the kind of the round"),
                req("rolled", bool(), "whether dice decided"),
                req("winner", nullable(word(&["phasing", "non-phasing"])), "who got its wish against the other's"),
                req("phasing_drm", int(-20, 20), "what the phasing faction adds"),
                req("non_phasing_drm", int(-20, 20), "what the other adds"),
                req("phasing_total", total(), "die and modifier"),
                req("non_phasing_total", total(), "die and modifier"),
            ]),
            rules: &[rule::DAY_NIGHT, rule::R_4, rule::R_5, rule::R_7],
        }
    }

    fn check(&self, _: &Input) -> Result<(), Refusal> {
        Ok(())
    }

    fn run(&self, input: &Input, ask: &mut impl Ask) -> Result<Output, Halt> {
        let waters = Waters {
            all_sea: input.all_sea,
            nearest_air_base: ByRole {
                phasing: input.phasing.nearest_air_base,
                non_phasing: input.non_phasing.nearest_air_base,
            },
        };
        let selection =
            select(&self.0, &waters, ByRole { phasing: input.phasing.wish, non_phasing: input.non_phasing.wish }, ask)?;
        Ok(Output {
            action: selection.action,
            rolled: selection.totals.is_some(),
            winner: selection.winner,
            phasing_drm: selection.drm.phasing,
            non_phasing_drm: selection.drm.non_phasing,
            phasing_total: selection.totals.map(|totals| totals.phasing),
            non_phasing_total: selection.totals.map(|totals| totals.non_phasing),
        })
    }
}
