//! Schiffskrieg: the battle board of Axis Empires, as battles, Base Attacks and campaigns.
//!
//! Files follow the sequence of a battle: [`day_night`], [`attack`], [`results`], [`resolution`]; then [`raid`],
//! [`points`] and [`delay`]. A [`game`] is a [`scenario`], a [`campaign`] or a [`custom`] battle.
#![deny(clippy::float_arithmetic)]

pub mod attack;
pub mod battle;
pub mod campaign;
pub mod choices;
pub mod custom;
pub mod data;
pub mod day_night;
pub mod delay;
pub mod doctrine;
mod due;
mod explain;
pub mod faction;
pub mod formula;
pub mod game;
pub mod luck;
pub mod odds;
pub mod points;
mod procedures;
pub mod raid;
pub mod resolution;
pub mod results;
pub mod rule;
pub mod rules;
pub mod scenario;
mod scene;
mod screens;
mod tabletop;
mod thinking;
pub mod unit;
pub mod wishes;

use campaign::CampaignGame;
use campaign::data::Campaign;
use custom::{CustomGame, Settings};
use data::{OrderOfBattle, Scenario};
use flagplot_kernel::{DataError, Files, Refusal, Rule, ScenarioInfo, SeatInfo, Side};
use flagplot_referee::table::{
    Act, Cast, Known, Object, Owed, Phase, SheetFigure, State as TableState, no_such_scenario,
};
use flagplot_referee::{AnyProcedure, Card, Chart, Codes, LibraryItem};
use game::Schiffskrieg;
use rules::Rules;
use scenario::ScenarioGame;
use std::collections::BTreeMap;
use std::sync::Arc;

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

pub struct System {
    rules: Arc<Rules>,
    order: Arc<OrderOfBattle>,
    scenarios: Vec<Scenario>,
    campaigns: Vec<Campaign>,
    procedures: Vec<Box<dyn AnyProcedure>>,
}

impl System {
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let rules = Arc::new(Rules::read(files)?);
        let order = Arc::new(OrderOfBattle::read(files)?);
        let scenarios = data::scenarios(files, &order)?;
        let campaigns = campaign::data::campaigns(files, &order)?;
        let taken = |id: &str| id == custom::ID || campaigns.iter().any(|campaign| campaign.id == id);
        if let Some(Scenario { id, .. }) = scenarios.iter().find(|scenario| taken(&scenario.id)) {
            let message = format!("the id '{id}' belongs to something else that can be played");
            return Err(DataError::new("scenarios.toml", message));
        }
        Ok(Self { procedures: procedures::all(&rules), rules, order, scenarios, campaigns })
    }

    pub fn rules(&self) -> &'static [Rule] {
        rule::ALL
    }

    pub fn rules_page(&self) -> &'static str {
        include_str!("../rules.md")
    }

    pub fn order_of_battle(&self) -> &OrderOfBattle {
        &self.order
    }

    pub fn scenarios(&self) -> Vec<ScenarioInfo> {
        let named = |seats: [(&str, String); 2]| {
            let seats = Side::BOTH.into_iter().zip(seats);
            seats.map(|(side, (id, name))| SeatInfo { id: id.to_owned(), name, side }).collect()
        };
        let seats = |ids: [&str; 2]| named(ids.map(|id| (id, game::title(id))));
        let battle = |scenario: &Scenario| {
            let what_if = if scenario.what_if { " What might have been." } else { "" };
            ScenarioInfo {
                id: scenario.id.clone(),
                title: format!("{}, {}", scenario.title, scenario.date),
                brief: format!("{} ({}){what_if}", scenario.brief, scenario.place),
                group: "battle".into(),
                seats: seats([&scenario.factions.first.id, &scenario.factions.second.id]),
                passive: Vec::new(),
                demonstration: scenario.demonstration.clone(),
            }
        };
        let campaign = |campaign: &Campaign| ScenarioInfo {
            id: campaign.id.clone(),
            title: format!("{}, {}", campaign.title, campaign.span),
            brief: campaign.brief.clone(),
            group: "campaign".into(),
            seats: seats([&campaign.factions.first.id, &campaign.factions.second.id]),
            passive: Vec::new(),
            demonstration: None,
        };
        // The players' settings decide the nations.
        let Settings { first, second, .. } = Settings::default();
        let custom = ScenarioInfo {
            id: custom::ID.into(),
            title: "Custom battle".into(),
            brief: "Both sides pick a force in secret from the order of battle, up to a limit of points, \
                    and fight one battle."
                .into(),
            group: "free play".into(),
            seats: named([(&first.nations[0], "First side".into()), (&second.nations[0], "Second side".into())]),
            passive: Vec::new(),
            demonstration: None,
        };
        self.scenarios.iter().map(battle).chain(self.campaigns.iter().map(campaign)).chain([custom]).collect()
    }

    pub fn options(&self, scenario: &str) -> Option<(flagplot_referee::Shape, serde_json::Value)> {
        (scenario == custom::ID).then(|| Settings::options(&self.order))
    }

    /// A game of a scenario, of a campaign, or a custom battle; only the last has options ([`Settings`]).
    pub fn game(&self, scenario: &str, options: &serde_json::Value) -> Result<Schiffskrieg, Refusal> {
        let rules = Arc::clone(&self.rules);
        if scenario == custom::ID {
            let settings = Settings::read(options)?;
            return Ok(Schiffskrieg::Custom(CustomGame::new(rules, Arc::clone(&self.order), settings)?));
        }
        if !options.is_null() && options.as_object().is_none_or(|options| !options.is_empty()) {
            return Err(Refusal::new("unknown-field", "Only the custom battle of Schiffskrieg has options."));
        }
        if let Some(found) = self.campaigns.iter().find(|other| other.id == scenario) {
            return Ok(Schiffskrieg::Campaign(CampaignGame::new(rules, found.clone())));
        }
        if let Some(found) = self.scenarios.iter().find(|other| other.id == scenario) {
            return Ok(Schiffskrieg::Scenario(ScenarioGame::new(rules, found.clone())));
        }
        let known = self.scenarios();
        let known = known.iter().map(|info| info.id.as_str());
        Err(Refusal::unknown("unknown-scenario", "Schiffskrieg has", "scenario", scenario, known))
    }
}

impl flagplot_referee::System for System {
    fn id(&self) -> &'static str {
        "schiffskrieg"
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
        self.order.0.values().map(|entry| tabletop::item(&entry.sheet, false)).collect()
    }

    fn charts(&self) -> Vec<Chart> {
        self.rules.charts()
    }

    fn card(&self, item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
        tabletop::card(item, fresh)
    }

    fn figures(&self, object: &Object) -> Vec<SheetFigure> {
        tabletop::figures(object)
    }

    fn phases(&self) -> Vec<Phase> {
        tabletop::phases()
    }

    fn acts(&self) -> Vec<Act> {
        tabletop::acts()
    }

    fn recruits(&self) -> Vec<LibraryItem> {
        tabletop::recruits(self.library())
    }

    fn musters(&self) -> Vec<(String, String)> {
        self.scenarios.iter().map(|scenario| (scenario.id.clone(), scenario.title.clone())).collect()
    }

    fn muster(&self, scenario: &str) -> Result<(Vec<Object>, [String; 2]), Refusal> {
        let found = self.scenarios.iter().find(|known| known.id == scenario);
        found.map(tabletop::muster).ok_or_else(no_such_scenario)
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
        _: &serde_json::Value,
        result: &serde_json::Value,
        state: &mut TableState,
    ) {
        tabletop::after(act, cast, result, state);
    }

    fn begin(&self, phase: &str, state: &mut TableState) -> Vec<Owed> {
        due::begin(&self.scenarios, phase, state)
    }

    fn remarks(&self, state: &TableState) -> Vec<String> {
        due::remarks(state)
    }
}
