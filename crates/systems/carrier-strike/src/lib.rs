//! 16 card Carrier Strike: a double-blind carrier duel on an open sea.
//!
//! Rules, tables and scenarios; no I/O, no floating point, no generator.
#![deny(clippy::float_arithmetic)]

mod cards;
mod combat;
mod data;
mod detection;
mod due;
mod duels;
mod few;
mod fight;
mod fuel;
pub mod game;
mod geometry;
mod procedures;
pub mod rule;
mod scenario;
mod tabletop;
mod victory;
mod walk;
mod words;

pub use data::Rules;
pub use game::CarrierGame;

use flagplot_kernel::{DataError, Files, Refusal, Rule, ScenarioInfo, SeatInfo, Side};
use flagplot_referee::table::{
    Act, Cast, Known, Object, Owed, Phase, SheetFigure, State as TableState, no_such_scenario,
};
use flagplot_referee::{AnyProcedure, Card, Chart, Codes, LibraryItem};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The data files built into the program.
pub fn files() -> Files {
    Files::built_in(&[(data::FILE, include_str!("../data/carrier-strike.toml"))])
}

/// The system: its rules, its procedures, its games.
pub struct System {
    rules: Arc<Rules>,
    procedures: Vec<Box<dyn AnyProcedure>>,
}

impl System {
    /// Reads the data and checks it.
    pub fn new(files: &Files) -> Result<System, DataError> {
        let rules = Arc::new(Rules::read(files)?);
        Ok(System { procedures: procedures::all(&rules), rules })
    }
    pub fn scenarios(&self) -> Vec<ScenarioInfo> {
        let info = |scenario: &scenario::Scenario| ScenarioInfo {
            id: scenario.id.clone(),
            title: scenario.title.clone(),
            brief: scenario.brief.clone(),
            group: match scenario.source {
                scenario::Source::Printed => "published".into(),
                scenario::Source::Ours => "history".into(),
            },
            seats: seats(scenario),
            passive: Vec::new(),
            demonstration: scenario.demonstration.clone(),
        };
        self.rules.scenario.iter().map(info).collect()
    }

    /// What can be wished for in a game: nothing.
    pub fn options(&self, _scenario: &str) -> Option<(flagplot_referee::Shape, serde_json::Value)> {
        None
    }

    /// A game of a scenario. There are no options: `null` or `{}`.
    pub fn game(&self, scenario: &str, options: &serde_json::Value) -> Result<CarrierGame, Refusal> {
        CarrierGame::new(&self.rules, scenario, options)
    }
    pub fn rules(&self) -> &'static [Rule] {
        rule::ALL
    }

    /// The rules in our words.
    pub fn rules_page(&self) -> &'static str {
        include_str!("../rules.md")
    }
}

fn seats(scenario: &scenario::Scenario) -> Vec<SeatInfo> {
    let names = scenario.names();
    Side::BOTH
        .into_iter()
        .map(|side| SeatInfo { id: words::color(side).into(), name: names[side].clone(), side })
        .collect()
}

impl flagplot_referee::System for System {
    fn id(&self) -> &'static str {
        "carrier-strike"
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
            wrong_length: "out-of-range",
            bad_word: "bad-enum",
            dice_missing: "dice-missing",
            dice_unused: "dice-unused",
            one_die: Some(6),
        }
    }

    fn charts(&self) -> Vec<Chart> {
        self.rules.cards()
    }

    fn card(&self, item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
        tabletop::card(item, fresh)
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
        tabletop::acts(&self.rules.scenario)
    }

    fn recruits(&self) -> Vec<LibraryItem> {
        tabletop::recruits()
    }

    fn musters(&self) -> Vec<(String, String)> {
        self.rules.scenario.iter().map(|scenario| (scenario.id.clone(), scenario.title.clone())).collect()
    }

    fn muster(&self, scenario: &str) -> Result<(Vec<Object>, [String; 2]), Refusal> {
        let found = self.rules.scenario.iter().find(|known| known.id == scenario);
        found.map(|found| tabletop::muster(&self.rules.squadron, found)).ok_or_else(no_such_scenario)
    }

    fn fit(&self, act: &str, cast: &Cast<'_>) -> Vec<Known> {
        tabletop::fit(act, cast)
    }

    fn verdict(&self, act: &str, cast: &Cast<'_>, _: &serde_json::Value, result: &serde_json::Value) -> String {
        tabletop::verdict(act, cast, result)
    }

    fn after(
        &self,
        act: &str,
        cast: &BTreeMap<String, Vec<String>>,
        input: &serde_json::Value,
        result: &serde_json::Value,
        state: &mut TableState,
    ) {
        tabletop::after(act, cast, result, state);
        due::after(act, cast, input, result, state);
    }

    fn begin(&self, phase: &str, state: &mut TableState) -> Vec<Owed> {
        due::begin(phase, state)
    }

    fn remarks(&self, state: &TableState) -> Vec<String> {
        due::remarks(state)
    }
}
