//! Attacks on ships, losses of ships, search.

use super::to_json;
use crate::air::{self, AirGroup};
use crate::hits::Effect;
use crate::messages::{all, armed, counted};
use crate::naval::{self, Activity, Attack, Conditions, Firers, Target};
use crate::search::{self, Searcher, Sighting};
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, Note, Refusal, Rule};
use flagplot_odds::{Budget, enumerate};
use flagplot_referee::{FieldOdds, Procedure, Shaped, projected};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

pub(super) struct NavalAttack(pub(super) Arc<Rules>);

/// who attacks
#[derive(Deserialize, Shaped)]
#[serde(tag = "mode", rename_all = "kebab-case")]
pub(super) enum NavalAttackInput {
    Air {
        /// squadrons
        #[shape(items = 0..=200)]
        attackers: Vec<AirGroup>,
        /// what is attacked
        target: Target,
        #[serde(flatten)]
        conditions: Conditions,
    },
    Fleet {
        /// fleet factors
        #[shape(items = 0..=200)]
        attackers: Vec<Firers>,
        /// what is attacked
        target: Target,
        #[serde(flatten)]
        activity: Activity,
    },
}

impl Procedure for NavalAttack {
    const NAME: &'static str = "naval-attack";
    const HELP: &'static str = "One attack on one ship or one group of light ships, by aircraft or by ships.";
    const DICE: &'static str = "two dice";
    const RULES: &'static [Rule] = &[
        rule::NAVAL_TABLE,
        rule::NAVAL_CHART,
        rule::HITS,
        rule::R_4,
        rule::R_12,
        rule::R_16,
        rule::R_18,
        rule::R_19,
        rule::R_20,
        rule::R_21,
        rule::R_25,
        rule::R_26,
        rule::R_32,
        rule::R_33,
        rule::R_36,
        rule::R_37,
        rule::R_38,
        rule::R_39,
        rule::R_40,
        rule::R_43,
        rule::R_46,
        rule::R_49,
        rule::C_3,
        rule::C_11,
    ];
    type Input = NavalAttackInput;
    type Facts = NavalAttackInput;
    type Output = Attack;

    fn read(&self, input: NavalAttackInput) -> Result<NavalAttackInput, Refusal> {
        let (attackers, target) = match &input {
            NavalAttackInput::Air { attackers, target, .. } => {
                (air::check_force(attackers, "attackers", rule::NAVAL_TABLE), target)
            }
            NavalAttackInput::Fleet { attackers, target, .. } => {
                let factors = attackers.iter().map(|firers| firers.factors).sum();
                (armed(factors, "attackers", "input.attackers", rule::NAVAL_TABLE), target)
            }
        };
        all([attackers, target.check("input.target")])?;
        Ok(input)
    }

    fn run(&self, input: &NavalAttackInput, ask: &mut impl Ask) -> Asked<Attack> {
        match input {
            NavalAttackInput::Air { attackers, target, conditions } => {
                naval::air_attack(&self.0, attackers, target, *conditions, ask)
            }
            NavalAttackInput::Fleet { attackers, target, activity } => {
                naval::fleet_attack(&self.0, attackers, target, *activity, ask)
            }
        }
    }
}

pub(super) struct AllocateLosses(pub(super) Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub(super) struct AllocateInput {
    /// hits of one attack
    #[shape(0..=10_000)]
    hits: u32,
    /// what is hit
    target: Target,
}

impl Procedure for AllocateLosses {
    const NAME: &'static str = "allocate-naval-losses";
    const HELP: &'static str = "What some hits do to a ship or to a group of light ships.";
    const DICE: &'static str = "none";
    const RULES: &'static [Rule] = &[rule::HITS, rule::R_21, rule::R_26, rule::R_32, rule::R_39, rule::C_11];
    type Input = AllocateInput;
    type Facts = AllocateInput;
    type Output = Effect;

    fn read(&self, input: AllocateInput) -> Result<AllocateInput, Refusal> {
        input.target.check("input.target")?;
        Ok(input)
    }

    fn run(&self, input: &AllocateInput, ask: &mut impl Ask) -> Asked<Effect> {
        Ok(input.target.hit(&self.0, input.hits, ask))
    }
}

pub(super) struct NavalSearch(pub(super) Arc<Rules>);

#[derive(Deserialize, Shaped)]
pub(super) struct SearchInput {
    /// the two sides
    sides: [Searcher; 2],
}

#[derive(Serialize, PartialEq, Eq, Hash, Shaped)]
#[shape(result)]
pub(super) struct SearchOutput {
    /// what each side found
    sides: [Sighting; 2],
}

impl Procedure for NavalSearch {
    const NAME: &'static str = "naval-search";
    const HELP: &'static str = "Two fleets look for each other.";
    const DICE: &'static str = "two dice for each side";
    const RULES: &'static [Rule] = &[rule::C_12];
    type Input = SearchInput;
    type Facts = [Searcher; 2];
    type Output = SearchOutput;

    fn read(&self, input: SearchInput) -> Result<[Searcher; 2], Refusal> {
        Ok(input.sides)
    }

    fn run(&self, sides: &[Searcher; 2], ask: &mut impl Ask) -> Asked<SearchOutput> {
        let sightings = search::search(&self.0.naval.search, sides, ["Side 1", "Side 2"], ask)?;
        for (at, Sighting { groups_found, surprise_level, .. }) in sightings.iter().enumerate() {
            ask.note(|| {
                let found = counted(*groups_found, "group");
                Note::new("search", format!("Side {} finds {found}, surprise level {surprise_level}.", at + 1))
                    .by(&[rule::C_12])
                    .outcome(*groups_found)
            });
        }
        Ok(SearchOutput { sides: sightings })
    }

    fn odds(&self, sides: &[Searcher; 2], wanted: Option<&str>, budget: Budget<'_>) -> Result<FieldOdds, Refusal> {
        let dist = enumerate(budget, |ask| self.run(sides, ask))?;
        let output = |output: &SearchOutput| {
            let [first, second] = &output.sides;
            // As an object, so that its fields have odds without being asked for by name.
            if wanted.is_some() { to_json(output) } else { json!({"sides": {"0": first, "1": second}}) }
        };
        Ok(projected(&dist, output, wanted))
    }
}
