//! The combat charts of A World at War: attrition, ground combat, air combat, air defense, naval attacks.
//!
//! The rules are plain functions over plain types, one file for each chart, so that a battle and the referee use the
//! same ones: [`attrition`], [`retreat`], [`ground`] and [`assault`]; [`air`], [`air_battle`] and [`air_defense`];
//! [`naval`], [`hits`], [`strike`], [`fleet`] and [`search`]. Every table and every figure comes from a data file.
#![deny(clippy::float_arithmetic)]

pub mod air;
pub mod air_battle;
pub mod air_defense;
pub mod assault;
pub mod attrition;
pub mod charts;
mod demands;
mod due;
pub mod fleet;
pub mod game;
pub mod ground;
pub mod hits;
pub mod land_data;
mod messages;
mod muster;
pub mod nation;
pub mod naval;
pub mod naval_data;
mod procedures;
pub mod retreat;
pub mod rule;
pub mod scenarios;
pub mod search;
pub mod strike;
mod table;
mod tabletop;

use charts::Charts;
use flagplot_kernel::{DataError, Files, Refusal, Rule, ScenarioInfo};
use flagplot_referee::table::{
    Act, Cast, Demand, Known, Object, Owed, Phase, SheetFigure, State as TableState, no_such_scenario,
};
use flagplot_referee::{AnyProcedure, Card, Chart, Codes, FollowUp, LibraryItem, Pick, Shape};
use game::WorldAtWar;
use game::air::AirGame;
use game::ground::GroundGame;
use game::naval::{NavalGame, free};
use land_data::{TerrainData, UnitData};
use nation::NationalityCharts;
use naval_data::{NamedShip, NavalData};
use scenarios::Scenarios;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The data built into the program.
#[must_use]
pub fn files() -> Files {
    Files::built_in(&[
        ("tables.toml", include_str!("../data/tables.toml")),
        ("nationality.toml", include_str!("../data/nationality.toml")),
        ("naval.toml", include_str!("../data/naval.toml")),
        ("ships.toml", include_str!("../data/ships.toml")),
        ("terrain.toml", include_str!("../data/terrain.toml")),
        ("units.toml", include_str!("../data/units.toml")),
        ("scenarios-ground.toml", include_str!("../data/scenarios-ground.toml")),
        ("scenarios-air.toml", include_str!("../data/scenarios-air.toml")),
        ("scenarios-naval.toml", include_str!("../data/scenarios-naval.toml")),
    ])
}

/// Everything the rules read, all checked.
#[derive(Clone, Debug)]
pub struct Rules {
    pub charts: Charts,
    pub nations: NationalityCharts,
    pub naval: NavalData,
    pub ships: Vec<NamedShip>,
    pub terrain: TerrainData,
    pub units: UnitData,
    pub scenarios: Scenarios,
}

impl Rules {
    /// Reads and checks all files.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let charts = Charts::new(files)?;
        let nations = NationalityCharts::new(files)?;
        let naval = NavalData::new(files)?;
        let ships = naval_data::ships(files, &naval)?;
        let terrain = TerrainData::new(files)?;
        let units = UnitData::new(files)?;
        let scenarios = Scenarios::new(files, &ships, &terrain, &units)?;
        Ok(Self { charts, nations, naval, ships, terrain, units, scenarios })
    }

    #[must_use]
    pub fn ship(&self, id: &str) -> Option<&NamedShip> {
        self.ships.iter().find(|ship| ship.id == id)
    }
}

/// The system: its rules and its procedures.
pub struct System {
    rules: Arc<Rules>,
    procedures: Vec<Box<dyn AnyProcedure>>,
}

impl System {
    /// The system over some data files; says what is wrong with them.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let rules = Arc::new(Rules::new(files)?);
        let procedures = procedures::all(&rules);
        Ok(Self { rules, procedures })
    }

    /// Everything the rules read.
    #[must_use]
    pub fn data(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The battles that can be played.
    #[must_use]
    pub fn scenarios(&self) -> Vec<ScenarioInfo> {
        let Scenarios { ground, air, naval } = &self.rules.scenarios;
        let info = |id: &str, name: &str, brief: &str, group: &str| ScenarioInfo {
            id: id.to_owned(),
            title: name.to_owned(),
            brief: brief.to_owned(),
            group: group.to_owned(),
            seats: game::seats(),
            passive: Vec::new(),
            demonstration: None,
        };
        let ground = ground.iter().map(|battle| info(&battle.id, &battle.name, &battle.brief, "ground"));
        let air = air.iter().map(|battle| ScenarioInfo {
            demonstration: battle.demonstration.clone(),
            ..info(&battle.id, &battle.name, &battle.brief, "air")
        });
        let naval = naval.iter().map(|battle| {
            let passive = battle.passive.map(|seat| seat.side().into()).into_iter().collect();
            let demonstration = battle.demonstration.clone();
            ScenarioInfo { passive, demonstration, ..info(&battle.id, &battle.name, &battle.brief, "naval") }
        });
        let free = info(free::ID, free::TITLE, free::BRIEF, "free play");
        ground.chain(air).chain(naval).chain([free]).collect()
    }

    /// What can be wished for in a game of a scenario, if anything.
    #[must_use]
    pub fn options(&self, scenario: &str) -> Option<(Shape, Value)> {
        (scenario == free::ID).then(|| free::Settings::options(&self.rules))
    }

    pub fn game(&self, scenario: &str, options: &Value) -> Result<WorldAtWar, Refusal> {
        if scenario == free::ID {
            return Ok(WorldAtWar::Naval(Box::new(NavalGame::free(Arc::clone(&self.rules), options)?)));
        }
        if !options.is_null() && options.as_object().is_none_or(|options| !options.is_empty()) {
            return Err(Refusal::new("unknown-field", "This battle has no options."));
        }
        let Scenarios { ground, air, naval } = &self.rules.scenarios;
        let rules = || Arc::clone(&self.rules);
        if let Some(battle) = ground.iter().find(|battle| battle.id == scenario) {
            return Ok(WorldAtWar::Ground(Box::new(GroundGame::new(rules(), battle.clone()))));
        }
        if let Some(battle) = air.iter().find(|battle| battle.id == scenario) {
            return Ok(WorldAtWar::Air(AirGame::new(rules(), battle.clone())));
        }
        if let Some(battle) = naval.iter().find(|battle| battle.id == scenario) {
            return Ok(WorldAtWar::Naval(Box::new(NavalGame::new(rules(), battle.clone()))));
        }
        let known = self.scenarios();
        let known = known.iter().map(|info| info.id.as_str());
        Err(Refusal::unknown("unknown-scenario", "A World at War has", "scenario", scenario, known))
    }

    #[must_use]
    pub fn rules(&self) -> &'static [Rule] {
        rule::ALL
    }

    /// The rules in words.
    #[must_use]
    pub fn rules_page(&self) -> &'static str {
        include_str!("../rules.md")
    }
}

impl flagplot_referee::System for System {
    fn id(&self) -> &'static str {
        "world-at-war"
    }

    fn procedures(&self) -> &[Box<dyn AnyProcedure>] {
        &self.procedures
    }

    fn examples(&self) -> Vec<flagplot_referee::Example> {
        flagplot_referee::examples(include_str!("../examples.json"))
    }

    fn codes(&self) -> Codes {
        Codes::default()
    }

    fn library(&self) -> Vec<LibraryItem> {
        table::library(&self.rules)
    }

    fn aspects(&self, item: &LibraryItem) -> Vec<LibraryItem> {
        table::aspects(item)
    }

    fn aftermath(&self, procedure: &str, picks: &[Pick], result: &Value) -> Vec<LibraryItem> {
        table::aftermath(procedure, picks, result)
    }

    fn follow_ups(&self, procedure: &str, input: &Value, _: &[Pick], result: &Value) -> Vec<FollowUp> {
        table::follow_ups(procedure, input, result)
    }

    fn card(&self, item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
        table::card(&self.rules, item, fresh)
    }

    fn charts(&self) -> Vec<Chart> {
        table::charts(&self.rules)
    }

    fn figures(&self, object: &Object) -> Vec<SheetFigure> {
        tabletop::figures(object)
    }

    fn still_gone(&self, object: &Object) -> String {
        tabletop::still_gone(object)
    }

    fn phases(&self) -> Vec<Phase> {
        tabletop::phases()
    }

    fn acts(&self) -> Vec<Act> {
        tabletop::acts()
    }

    fn recruits(&self) -> Vec<LibraryItem> {
        tabletop::recruits(&self.rules)
    }

    fn line_example(&self) -> &'static str {
        tabletop::LINES
    }

    fn read_line(&self, line: &str) -> Result<Vec<LibraryItem>, Refusal> {
        tabletop::read_line(line)
    }

    fn musters(&self) -> Vec<(String, String)> {
        muster::titles(&self.rules)
    }

    fn muster(&self, scenario: &str) -> Result<(Vec<Object>, [String; 2]), Refusal> {
        muster::muster(&self.rules, scenario).ok_or_else(no_such_scenario)
    }

    fn fit(&self, act: &str, cast: &Cast<'_>) -> Vec<Known> {
        tabletop::fit(act, cast)
    }

    fn verdict(&self, act: &str, cast: &Cast<'_>, _: &Value, result: &Value) -> String {
        tabletop::verdict(act, cast, result)
    }

    fn demands(&self, act: &str, cast: &Cast<'_>, input: &Value, result: &Value) -> Vec<Demand> {
        if act == "ground" && cast.state.proposes() { demands::demands(input, result) } else { Vec::new() }
    }

    fn give_up(&self, _: &str, input: &mut Value, role: &str, lost: &[String]) {
        demands::give_up(input, role, lost);
    }

    fn after(
        &self,
        act: &str,
        cast: &BTreeMap<String, Vec<String>>,
        _: &Value,
        result: &Value,
        state: &mut TableState,
    ) {
        tabletop::after(act, cast, result, state);
    }

    fn calls(
        &self,
        act: &str,
        cast: &BTreeMap<String, Vec<String>>,
        _: &Value,
        result: &Value,
        state: &TableState,
    ) -> Vec<Owed> {
        due::calls(act, cast, result, state)
    }

    fn begin(&self, phase: &str, state: &mut TableState) -> Vec<Owed> {
        due::begin(phase, state)
    }

    fn lost_by_kind(&self) -> bool {
        true
    }
}
