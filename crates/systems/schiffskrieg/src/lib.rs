//! Schiffskrieg: the battle board of Axis Empires, as battles, Base Attacks and campaigns.
//!
//! Files follow the sequence of a battle: [`day_night`], [`attack`], [`results`], [`resolution`]; then [`delay`] and [`points`].
#![deny(clippy::float_arithmetic)]

pub mod attack;
pub mod day_night;
pub mod delay;
pub mod doctrine;
pub mod faction;
pub mod figures;
pub mod formula;
pub mod odds;
pub mod points;
mod procedures;
pub mod resolution;
pub mod results;
pub mod rule;
pub mod unit;

use figures::Figures;
use flagplot_kernel::{DataError, Files, Rule};
use flagplot_referee::{AnyProcedure, Codes};
use std::sync::Arc;

/// The built-in data files.
#[must_use]
pub fn files() -> Files {
    Files::built_in(&[
        ("rules.toml", include_str!("../data/rules.toml")),
        ("scenarios.toml", include_str!("../data/scenarios.toml")),
        ("campaigns.toml", include_str!("../data/campaigns.toml")),
        ("units_france.toml", include_str!("../data/units_france.toml")),
        ("units_germany.toml", include_str!("../data/units_germany.toml")),
        ("units_italy.toml", include_str!("../data/units_italy.toml")),
        ("units_japan.toml", include_str!("../data/units_japan.toml")),
        ("units_soviet_union.toml", include_str!("../data/units_soviet_union.toml")),
        ("units_united_kingdom.toml", include_str!("../data/units_united_kingdom.toml")),
        ("units_united_states.toml", include_str!("../data/units_united_states.toml")),
    ])
}

/// The system with its data.
pub struct System {
    procedures: Vec<Box<dyn AnyProcedure>>,
}

impl System {
    /// Reads and checks the data.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let figures = Arc::new(Figures::read(files)?);
        Ok(Self { procedures: procedures::all(&figures) })
    }

    /// The rule references.
    #[must_use]
    pub fn rules(&self) -> &'static [Rule] {
        rule::ALL
    }
}

impl flagplot_referee::System for System {
    fn id(&self) -> &'static str {
        "schiffskrieg"
    }

    fn procedures(&self) -> &[Box<dyn AnyProcedure>] {
        &self.procedures
    }

    fn codes(&self) -> Codes {
        Codes::default()
    }
}
