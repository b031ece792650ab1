//! Dogfite!: air combat of the First World War as a game of nerve on big hexes.
//!
//! The files follow the turn: targets and edges (`edge`), initiative (`initiative`), movement (`movement`, `bet`,
//! `flight`, `ending`), combat (`fire`, `critical`, `damage`), victory (`victory`). Each rule is one function that
//! serves the game, the referee, the odds and the computer player; what the rules refuse is in `refusals`.
#![deny(clippy::float_arithmetic)]

mod bet;
mod chart;
mod critical;
pub mod damage;
mod due;
mod edge;
mod ending;
mod fire;
mod flight;
pub mod game;
mod hangar;
pub mod initiative;
mod movement;
mod position;
mod procedures;
mod refusals;
mod rule;
pub mod scenario;
mod tables;
mod tabletop;
mod victory;
mod who;
pub mod words;

use flagplot_kernel::{DataError, Files, Refusal, Rule, ScenarioInfo, SeatInfo};
use flagplot_referee::table::{
    Act, Cast, Known, Object, Owed, Phase, SheetFigure, State as TableState, no_such_scenario,
};
use flagplot_referee::{AnyProcedure, Card, Codes, LibraryItem};
use hangar::Hangar;
use position::Diagram;
use scenario::{Points, Scenario};
use std::collections::BTreeMap;
use std::sync::Arc;
use tables::Tables;
use words::Alliance;

/// The data files built into the program.
pub fn files() -> Files {
    Files::built_in(&[
        ("aircraft.toml", include_str!("../data/aircraft.toml")),
        ("pilots.toml", include_str!("../data/pilots.toml")),
        ("position.toml", include_str!("../data/position.toml")),
        ("scenarios.toml", include_str!("../data/scenarios.toml")),
        ("tables.toml", include_str!("../data/tables.toml")),
    ])
}

/// Everything that was read from the data files.
#[derive(Clone, Debug)]
pub struct Rules {
    tables: Tables,
    diagram: Diagram,
    hangar: Hangar,
    points: Points,
    scenarios: Vec<Scenario>,
}

/// The system: its rules, its procedures, its games.
pub struct System {
    rules: Arc<Rules>,
    procedures: Vec<Box<dyn AnyProcedure>>,
}

impl System {
    /// Reads and checks the data files.
    pub fn new(files: &Files) -> Result<System, DataError> {
        let tables = Tables::parse(files)?;
        let diagram = Diagram::parse(files)?;
        let hangar = Hangar::parse(files)?;
        let (points, scenarios) = scenario::parse(files, &hangar)?;
        let rules = Arc::new(Rules { tables, diagram, hangar, points, scenarios });
        let procedures = procedures::all(&rules);
        Ok(System { rules, procedures })
    }

    pub fn rules(&self) -> &'static [Rule] {
        rule::ALL
    }

    pub fn rules_page(&self) -> &'static str {
        include_str!("../rules.md")
    }

    pub fn scenarios(&self) -> Vec<ScenarioInfo> {
        let seat = |side: &Alliance| SeatInfo { id: side.word().into(), name: side.name().into(), side: side.side() };
        let info = |id: &str, title: &str, brief: String, group: &str| ScenarioInfo {
            id: id.into(),
            title: title.into(),
            brief,
            group: group.into(),
            seats: Alliance::ALL.iter().map(seat).collect(),
            passive: Vec::new(),
            demonstration: None,
        };
        let battles = self.rules.scenarios.iter();
        let battles = battles.map(|Scenario { id, title, date, note, demonstration, .. }| {
            let brief = format!("{date}: {note}");
            ScenarioInfo { demonstration: demonstration.clone(), ..info(id, title, brief, "battle") }
        });
        let brief = "Any aircraft and pilots, one to eight a side.".to_owned();
        battles.chain([info(game::FREE_PLAY, "Pick-up game", brief, "free play")]).collect()
    }

    /// What a player may choose for a pick-up game: aircraft, pilots and the size of the sky. Types of his own and
    /// several players on a side are options too, but for programs.
    pub fn options(&self, scenario: &str) -> Option<(flagplot_referee::Shape, serde_json::Value)> {
        (scenario == game::FREE_PLAY).then(|| game::wishes(&self.rules.hangar))
    }

    /// A game of a scenario. Options: `{"seats": {"allied": n, "central": n}}` for any; the pick-up game also takes
    /// `allied` and `central` (lists of `{"type", "grade", "pilot"}`), `turns`, `radius`, `top_level`, `uneven` and
    /// `aircraft` (types of the player's own, `{"id", "name", "side", "guns", "source"}` with the published figures).
    pub fn game(&self, scenario: &str, options: &serde_json::Value) -> Result<game::Dogfight, Refusal> {
        game::game(&self.rules, scenario, options)
    }
}

impl flagplot_referee::System for System {
    fn id(&self) -> &'static str {
        "dogfite"
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

    fn ten_shows_zero(&self) -> bool {
        true
    }

    fn charts(&self) -> Vec<flagplot_referee::Chart> {
        let mut cards = self.rules.tables.cards();
        cards.insert(0, self.rules.diagram.card());
        cards
    }

    fn card(&self, item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
        tabletop::card(item, fresh)
    }

    fn figures(&self, object: &Object) -> Vec<SheetFigure> {
        tabletop::figures(object)
    }

    fn corrected(&self, item: LibraryItem, _: &str) -> Result<LibraryItem, Refusal> {
        tabletop::corrected(item)
    }

    fn phases(&self) -> Vec<Phase> {
        tabletop::phases()
    }

    fn acts(&self) -> Vec<Act> {
        tabletop::acts()
    }

    fn recruits(&self) -> Vec<LibraryItem> {
        tabletop::recruits(self.rules.hangar.aircraft())
    }

    fn musters(&self) -> Vec<(String, String)> {
        self.rules.scenarios.iter().map(|scenario| (scenario.id.clone(), scenario.title.clone())).collect()
    }

    fn muster(&self, scenario: &str) -> Result<(Vec<Object>, [String; 2]), Refusal> {
        let found = self.rules.scenarios.iter().find(|known| known.id == scenario);
        found.map(|found| tabletop::muster(&self.rules.hangar, found)).ok_or_else(no_such_scenario)
    }

    fn fit(&self, act: &str, cast: &Cast<'_>) -> Vec<Known> {
        tabletop::fit(&self.rules.hangar, act, cast)
    }

    fn choices(&self, _: &str, path: &str, cast: &Cast<'_>) -> Vec<(serde_json::Value, String)> {
        tabletop::choices(path, cast)
    }

    fn joined(&self, objects: &mut [Object], version: u32) {
        tabletop::joined(objects, version);
    }

    fn marked(&self, card: &mut Card, object: &Object) {
        tabletop::marked(card, object);
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
        tabletop::after(act, cast, input, result, state);
        due::after(act, cast, result, state);
    }

    fn begin(&self, phase: &str, state: &mut TableState) -> Vec<Owed> {
        due::begin(phase, state)
    }
}
