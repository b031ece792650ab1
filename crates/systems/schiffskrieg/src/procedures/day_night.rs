use crate::day_night::{Action, Waters, select};
use crate::faction::{ByRole, Role};
use crate::rule;
use crate::rules::Rules;
use flagplot_kernel::{Ask, Asked, Refusal, Rule};
use flagplot_referee::{Procedure, Shaped};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub struct DayNight(pub Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub struct Input {
    /// whether the hex holds only water
    all_sea: bool,
    #[serde(flatten)]
    sides: ByRole<Side>,
}

#[derive(Clone, Copy, Deserialize, Shaped)]
struct Side {
    /// the action the faction wants
    wish: Action,
    /// hexes to its nearest Air Base; none if it has none
    #[shape(null, 0..=99)]
    nearest_air_base: Option<u8>,
}

#[derive(PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct Output {
    /// the kind of the round
    action: Action,
    /// whether dice decided
    rolled: bool,
    /// the faction that got its wish against the other's
    winner: Option<Role>,
    /// what the phasing faction adds
    #[shape(-20..=20)]
    phasing_drm: i64,
    /// what the other faction adds
    #[shape(-20..=20)]
    non_phasing_drm: i64,
    /// die and modifier
    #[shape(-20..=20)]
    phasing_total: Option<i64>,
    /// die and modifier
    #[shape(-20..=20)]
    non_phasing_total: Option<i64>,
}

impl Procedure for DayNight {
    const NAME: &'static str = "day-night";
    const HELP: &'static str = "Selects the kind of a Combat Round from both factions' wishes.";
    const DICE: &'static str = "none if the wishes agree; else phasing, non-phasing";
    const RULES: &'static [Rule] = &[rule::DAY_NIGHT, rule::R_4, rule::R_5, rule::R_7];

    type Input = Input;
    type Facts = (Waters, ByRole<Action>);
    type Output = Output;

    fn read(&self, Input { all_sea, sides }: Input) -> Result<Self::Facts, Refusal> {
        Ok((Waters { all_sea, nearest_air_base: sides.map(|side| side.nearest_air_base) }, sides.map(|side| side.wish)))
    }

    fn run(&self, (waters, wishes): &Self::Facts, ask: &mut impl Ask) -> Asked<Output> {
        let selection = select(&self.0, waters, *wishes, ask)?;
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
