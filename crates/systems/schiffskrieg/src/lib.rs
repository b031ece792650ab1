//! Schiffskrieg: the battle board of Axis Empires, as battles, Base Attacks and campaigns.
//!
//! Files follow the sequence of a battle: [`day_night`], [`attack`], [`results`], [`resolution`]; then [`delay`] and [`points`].
#![deny(clippy::float_arithmetic)]

pub mod attack;
pub mod battle;
pub mod choices;
pub mod data;
pub mod day_night;
pub mod delay;
pub mod doctrine;
mod explain;
pub mod faction;
pub mod figures;
pub mod formula;
pub mod game;
mod judgement;
pub mod odds;
pub mod points;
mod procedures;
pub mod raid;
pub mod resolution;
pub mod results;
pub mod rule;
mod scene;
pub mod unit;

use data::{OrderOfBattle, Scenario};
use figures::Figures;
use flagplot_kernel::{DataError, Files, Refusal, Rule, ScenarioInfo, SeatInfo, Side};
use flagplot_referee::{AnyProcedure, Codes, LibraryItem};
use game::Schiffskrieg;
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
    figures: Arc<Figures>,
    order: OrderOfBattle,
    scenarios: Vec<Scenario>,
    procedures: Vec<Box<dyn AnyProcedure>>,
}

impl System {
    /// Reads and checks the data.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let figures = Arc::new(Figures::read(files)?);
        let order = OrderOfBattle::read(files)?;
        let scenarios = data::scenarios(files, &order)?;
        Ok(Self { procedures: procedures::all(&figures), figures, order, scenarios })
    }

    /// The rule references.
    #[must_use]
    pub fn rules(&self) -> &'static [Rule] {
        rule::ALL
    }

    /// The rules in our own words, as Markdown.
    #[must_use]
    pub fn rules_page(&self) -> &'static str {
        include_str!("../rules.md")
    }

    /// The order of battle.
    #[must_use]
    pub fn order_of_battle(&self) -> &OrderOfBattle {
        &self.order
    }

    /// What can be played.
    #[must_use]
    pub fn scenarios(&self) -> Vec<ScenarioInfo> {
        let info = |scenario: &Scenario| ScenarioInfo {
            id: scenario.id.clone(),
            title: format!("{}, {}", scenario.title, scenario.date),
            brief: format!("{} ({}){}", scenario.brief, scenario.place, if scenario.what_if { " What might have been." } else { "" }),
            group: "battle".into(),
            seats: Side::BOTH.into_iter().map(|side| SeatInfo { id: scenario.factions[side].id.clone(), name: game::title(&scenario.factions[side].id), side }).collect(),
        };
        self.scenarios.iter().map(info).collect()
    }

    /// A game of a scenario.
    pub fn game(&self, scenario: &str, options: &serde_json::Value) -> Result<Schiffskrieg, Refusal> {
        if !options.is_null() && options.as_object().is_none_or(|options| !options.is_empty()) {
            return Err(Refusal::new("unknown-field", "A scenario of Schiffskrieg has no options."));
        }
        let found = self.scenarios.iter().find(|other| other.id == scenario).ok_or_else(|| {
            let known: Vec<&str> = self.scenarios.iter().map(|scenario| scenario.id.as_str()).collect();
            Refusal::new("unknown-scenario", format!("Schiffskrieg has no scenario '{scenario}'.")).remedy(format!("Its scenarios are: {}.", known.join(", ")))
        })?;
        Ok(Schiffskrieg::new(Arc::clone(&self.figures), found.clone()))
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

    fn library(&self) -> Vec<LibraryItem> {
        let item = |entry: &data::Entry| {
            let sheet = &entry.sheet;
            LibraryItem {
                id: sheet.id.to_string(),
                name: sheet.name.to_string(),
                kind: sheet.kind.word().to_owned(),
                value: serde_json::json!({
                    "id": sheet.id, "kind": sheet.kind, "gunnery": sheet.front.gunnery, "torpedo": sheet.front.torpedo, "airstrike": sheet.front.airstrike,
                    "defense": sheet.front.defense, "damage": sheet.damage, "damaged_side": sheet.back, "damaged": false, "vp": sheet.vp,
                }),
            }
        };
        self.order.0.values().map(item).collect()
    }
}
