//! Fleet Action: naval miniatures of the Second World War, refereed.
//!
//! The rules are plain functions over plain values: a [`ship::Sheet`] that never changes, a [`ship::Condition`] that
//! damage changes, and processes ([`critical::Critical`], [`hit::Hit`], [`volley::Salvo`]) that take one step at a
//! time. The procedures of the referee only read requests and call them.
#![deny(clippy::float_arithmetic)]

pub mod air_attack;
pub mod air_combat;
pub mod anti_air;
pub mod armour;
pub mod critical;
pub mod data;
pub mod derive;
pub mod end_phase;
pub mod game;
pub mod geometry;
pub mod gunnery;
pub mod hit;
pub mod initiative;
pub mod light_guns;
pub mod mines_and_submarines;
pub mod morale;
pub mod movement;
mod procedures;
pub mod rule;
pub mod rules;
pub mod ship;
pub mod ship_tests;
pub mod sight;
mod table;
pub mod torpedo;
pub mod volley;
pub mod weapons;
pub mod words;

pub use table::tubes;

use flagplot_kernel::{DataError, Files, Refusal, Rule, ScenarioInfo, SeatInfo, Side};
use flagplot_referee::table::{
    Act, Before, Cast, Known, Object, Owed, Part, Phase, SheetFigure, State as TableState, no_such_scenario,
};
use flagplot_referee::{AnyProcedure, Card, Chart, Codes, FollowUp, LibraryItem, Pick, Shape, Shaped as _};
use game::FleetGame;
use game::battle::{Battle, Yard};
use game::custom::{self, CustomGame};
use game::play::Play;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The data files built into the program.
#[must_use]
pub fn files() -> Files {
    Files::built_in(&[
        ("aircraft.toml", include_str!("../data/aircraft.toml")),
        ("ordnance.toml", include_str!("../data/ordnance.toml")),
        ("scenarios.toml", include_str!("../data/scenarios.toml")),
        ("ships.toml", include_str!("../data/ships.toml")),
        ("small-craft.toml", include_str!("../data/small-craft.toml")),
        ("tables.toml", include_str!("../data/tables.toml")),
        ("tuning.toml", include_str!("../data/tuning.toml")),
    ])
}

/// Fleet Action with its data.
pub struct System {
    rules: Arc<rules::Rules>,
    fleet: Arc<data::Fleet>,
    yard: Arc<Yard>,
    procedures: Vec<Box<dyn AnyProcedure>>,
}

impl System {
    /// Reads and checks all data.
    pub fn new(files: &Files) -> Result<System, DataError> {
        let rules = Arc::new(rules::Rules::new(files)?);
        let fleet = Arc::new(data::Fleet::new(files, &rules)?);
        let procedures = procedures::all(&rules);
        let yard = Arc::new(Yard::new(&fleet));
        for scenario in &fleet.scenarios {
            Battle::new(&rules, &fleet, &yard, &Arc::new(scenario.clone()))?;
        }
        Ok(System { rules, fleet, yard, procedures })
    }

    /// The tables and numbers, as loaded.
    #[must_use]
    pub fn loaded(&self) -> &rules::Rules {
        &self.rules
    }

    #[must_use]
    pub fn fleet(&self) -> &data::Fleet {
        &self.fleet
    }

    /// The battles that can be played.
    #[must_use]
    pub fn scenarios(&self) -> Vec<ScenarioInfo> {
        let seat = |id: &str, name: &str, side| SeatInfo { id: id.into(), name: name.into(), side };
        let info = |scenario: &data::Scenario| ScenarioInfo {
            id: scenario.id.clone(),
            title: scenario.title.clone(),
            brief: scenario.summary.clone(),
            group: "battle".into(),
            seats: vec![seat("a", &scenario.side_a, Side::First), seat("b", &scenario.side_b, Side::Second)],
            passive: Vec::new(),
            demonstration: scenario.demonstration.clone(),
        };
        let custom = ScenarioInfo {
            id: custom::ID.into(),
            title: "Custom battle".into(),
            brief: "Both sides pick ships, small craft and aircraft in secret from all the data.".into(),
            group: "free play".into(),
            seats: vec![
                seat("a", custom::side_name(Side::First), Side::First),
                seat("b", custom::side_name(Side::Second), Side::Second),
            ],
            passive: Vec::new(),
            demonstration: None,
        };
        self.fleet.scenarios.iter().map(info).chain([custom]).collect()
    }

    /// What can be wished for in a game of a scenario, if anything.
    #[must_use]
    pub fn options(&self, scenario: &str) -> Option<(Shape, Value)> {
        (scenario == custom::ID).then(|| (custom::Settings::shape(), json!(custom::Settings::default())))
    }

    /// A game of a scenario, or a custom battle; only the last has options ([`custom::Settings`]).
    pub fn game(&self, scenario: &str, options: &Value) -> Result<Play, Refusal> {
        if scenario == custom::ID {
            let settings = custom::Settings::read(options)?;
            return Ok(Play::Custom(CustomGame::new(&self.rules, &self.fleet, &self.yard, settings)));
        }
        if !options.is_null() && options.as_object().is_none_or(|options| !options.is_empty()) {
            return Err(Refusal::new("unknown-field", "Only the custom battle of Fleet Action has options."));
        }
        self.battle(scenario).map(|game| Play::Battle(Box::new(game)))
    }

    pub fn battle(&self, scenario: &str) -> Result<FleetGame, Refusal> {
        let Some(found) = self.fleet.scenarios.iter().find(|known| known.id == scenario) else {
            let known = self.fleet.scenarios.iter().map(|known| known.id.as_str());
            return Err(Refusal::unknown("unknown-scenario", "Fleet Action has", "scenario", scenario, known));
        };
        let battle = Battle::new(&self.rules, &self.fleet, &self.yard, &Arc::new(found.clone()));
        let battle = battle.map_err(|error| Refusal::new("bad-data", error.to_string()))?;
        Ok(FleetGame::new(battle))
    }

    #[must_use]
    pub fn rules(&self) -> &'static [Rule] {
        rule::ALL
    }

    #[must_use]
    pub fn rules_page(&self) -> &'static str {
        include_str!("../rules.md")
    }
}

impl flagplot_referee::System for System {
    fn id(&self) -> &'static str {
        "fleet-action"
    }

    fn procedures(&self) -> &[Box<dyn AnyProcedure>] {
        &self.procedures
    }

    fn examples(&self) -> Vec<flagplot_referee::Example> {
        flagplot_referee::examples(include_str!("../examples.json"))
    }

    fn codes(&self) -> Codes {
        Codes {
            wrong_type: "wrong-type",
            out_of_range: "out-of-range",
            wrong_length: "wrong-type",
            bad_word: "bad-enum",
            dice_missing: "not-enough-dice",
            dice_unused: "too-many-dice",
            one_die: None,
        }
    }

    fn library(&self) -> Vec<LibraryItem> {
        table::library(self)
    }

    fn aspects(&self, item: &LibraryItem) -> Vec<LibraryItem> {
        table::aspects(self, item)
    }

    fn aftermath(&self, procedure: &str, picks: &[Pick], result: &Value) -> Vec<LibraryItem> {
        table::aftermath(procedure, picks, result)
    }

    fn follow_ups(&self, procedure: &str, input: &Value, picks: &[Pick], result: &Value) -> Vec<FollowUp> {
        table::follow_ups(self, procedure, input, picks, result)
    }

    fn card(&self, item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
        table::card(self, item, fresh)
    }

    fn charts(&self) -> Vec<Chart> {
        table::charts(&self.rules)
    }

    fn phases(&self) -> Vec<Phase> {
        table::phases()
    }

    fn acts(&self) -> Vec<Act> {
        table::acts()
    }

    fn recruits(&self) -> Vec<LibraryItem> {
        table::recruits(self)
    }

    fn musters(&self) -> Vec<(String, String)> {
        self.fleet.scenarios.iter().map(|scenario| (scenario.id.clone(), scenario.title.clone())).collect()
    }

    fn muster(&self, scenario: &str) -> Result<(Vec<Object>, [String; 2]), Refusal> {
        let found = self.fleet.scenarios.iter().find(|known| known.id == scenario);
        found.map(|found| table::muster(self, found)).ok_or_else(no_such_scenario)
    }

    fn figures(&self, object: &Object) -> Vec<SheetFigure> {
        table::correctable(object)
    }

    fn accept(&self, item: LibraryItem) -> Result<LibraryItem, Refusal> {
        table::accept(self, item)
    }

    fn corrected(&self, item: LibraryItem, field: &str) -> Result<LibraryItem, Refusal> {
        table::corrected(self, item, field)
    }

    fn still_gone(&self, object: &Object) -> String {
        table::still_gone(object)
    }

    fn derives(&self) -> Option<&'static str> {
        Some("derive-ship")
    }

    fn derived(&self, name: &str, facts: Value) -> Result<LibraryItem, Refusal> {
        table::derived(self, name, facts)
    }

    fn measures(&self) -> Option<&'static str> {
        Some("geometry")
    }

    fn joined(&self, objects: &mut [Object], version: u32) {
        table::joined(self, objects, version);
    }

    fn parts(&self, act: &str, _: &str, object: &Object) -> Vec<Part> {
        table::parts(self, act, object)
    }

    fn fit(&self, act: &str, cast: &Cast<'_>) -> Vec<Known> {
        table::fit(self, act, cast)
    }

    fn before(&self, act: &str, cast: &Cast<'_>, ruled: &[(&'static str, Value)]) -> Before {
        table::before(self, act, cast, ruled)
    }

    fn announce(&self, act: &str, cast: &Cast<'_>) -> Option<String> {
        table::announce(act, cast, table::range(self, act, cast))
    }

    fn verdict(&self, act: &str, cast: &Cast<'_>, input: &Value, result: &Value) -> String {
        table::verdict(self, act, cast, input, result)
    }

    fn after(
        &self,
        act: &str,
        cast: &BTreeMap<String, Vec<String>>,
        input: &Value,
        result: &Value,
        state: &mut TableState,
    ) {
        table::after(act, cast, input, result, state);
    }

    fn calls(
        &self,
        act: &str,
        cast: &BTreeMap<String, Vec<String>>,
        _: &Value,
        result: &Value,
        state: &TableState,
    ) -> Vec<Owed> {
        table::calls(act, cast, result, state)
    }

    fn carries(&self, act: &str, cast: &Cast<'_>) -> Vec<(String, String)> {
        table::carries(self, act, cast)
    }

    fn complete(&self, owed: &mut Owed, state: &TableState) -> bool {
        table::complete(owed, state)
    }

    fn gone(&self, object: &Object) -> String {
        table::gone(object)
    }

    fn begin(&self, phase: &str, state: &mut TableState) -> Vec<Owed> {
        table::begin(phase, state)
    }

    fn marked(&self, card: &mut Card, object: &Object) {
        table::marked(card, object);
    }

    fn remarks(&self, state: &TableState) -> Vec<String> {
        table::remarks(self, state)
    }
}
