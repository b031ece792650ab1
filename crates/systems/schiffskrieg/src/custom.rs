//! A custom battle: both sides pick their forces in secret, then fight. [custom, C-21]

use crate::battle::{Place, UnitState};
use crate::data::{Bands, Faction, OrderOfBattle, Scenario, ScenarioUnit, Stage, StageKind, When};
use crate::day_night::Action;
use crate::resolution::strength;
use crate::rule;
use crate::rules::Rules;
use crate::scenario::{ScenarioGame, ScenarioState, judge};
use crate::unit::{Counter, Factors, Id, Kind, Sheet};
use flagplot_kernel::{Ask, Asked, BySide, Decision, Insight, Note, Outcome, Refusal, Seat, Side};
use flagplot_referee::{Shape, Shaped, list, word, word_of, words};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

pub const ID: &str = "custom";

/// The settings of a custom battle, all of which may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// one side
    pub first: SideSettings,
    /// the other side
    pub second: SideSettings,
    /// points each side may spend
    #[shape(20..=150)]
    pub budget: u32,
    /// which side's move it is
    #[shape(with = word(&["first", "second"]))]
    pub phasing: Side,
    /// there is no land in the hex
    pub all_sea: bool,
    /// day or night in the first and second round
    #[shape(with = <(Fixed, Fixed)>::shape())]
    pub fixed_actions: [Fixed; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize, Shaped)]
#[serde(default, deny_unknown_fields)]
pub struct SideSettings {
    /// whose ships and aircraft it may pick
    pub nations: Vec<String>,
    /// hexes to its nearest Air Base
    #[shape(null, 0..=99)]
    pub nearest_air_base: Option<u8>,
}

#[words]
pub enum Fixed {
    Choice,
    Day,
    Night,
}

impl Fixed {
    pub fn action(self) -> Option<Action> {
        match self {
            Fixed::Day => Some(Action::Day),
            Fixed::Night => Some(Action::Night),
            Fixed::Choice => None,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let side = |nation: &str| SideSettings { nations: vec![nation.to_owned()], nearest_air_base: None };
        Self {
            first: side("united-states"),
            second: side("japan"),
            phasing: Side::First,
            all_sea: true,
            budget: 60,
            fixed_actions: [Fixed::Choice; 2],
        }
    }
}

impl Settings {
    /// Their shape, and the settings of a player who asks for nothing.
    pub(crate) fn options(order: &OrderOfBattle) -> (Shape, Value) {
        let nations = || list(word_of(order.nations()), 1, 7);
        let shape = Self::shape().with("first.nations", nations()).with("second.nations", nations());
        (shape, json!(Self::default()))
    }

    pub fn read(options: &Value) -> Result<Self, Refusal> {
        if options.is_null() {
            return Ok(Self::default());
        }
        serde_json::from_value(options.clone()).map_err(|error| {
            Refusal::new("bad-options", format!("The settings of the custom battle are not valid: {error}."))
                .by(rule::CUSTOM)
                .remedy(format!("They look like {}.", json!(Self::default())))
        })
    }

    /// What a side may spend on LBAs. [C-21]
    pub fn air_budget(&self) -> u32 {
        self.budget / 3
    }

    pub(crate) fn side(&self, side: Side) -> &SideSettings {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }

    fn check(&self, order: &OrderOfBattle) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        let mut bad = |message: String| reasons.push(Refusal::new("bad-options", message).by(rule::CUSTOM));
        if !(20..=150).contains(&self.budget) {
            bad(format!("The budget is {}; it may be 20 to 150.", self.budget));
        }
        let known = order.nations();
        for (side, name) in [(Side::First, "first"), (Side::Second, "second")] {
            let settings = self.side(side);
            if settings.nations.is_empty() {
                bad(format!("The {name} side has no nations."));
            }
            if settings.nearest_air_base.is_some_and(|hexes| hexes > 99) {
                bad(format!("The {name} side's Air Base is 0 to 99 hexes away."));
            }
            for (at, nation) in settings.nations.iter().enumerate() {
                let shown: String = nation.chars().take(60).collect();
                if settings.nations[..at].contains(nation) {
                    bad(format!("The {name} side names '{shown}' twice."));
                }
                if !known.contains(&nation.as_str()) {
                    bad(format!("There is no nation '{shown}'; there are {}.", known.join(", ")));
                }
            }
        }
        for nation in self.first.nations.iter().filter(|nation| self.second.nations.contains(nation)) {
            bad(format!("The nation '{nation}' is on both sides."));
        }
        Refusal::all(reasons)
    }
}

pub fn cost(front: &Factors) -> u32 {
    u32::from(front.defense) + u32::from(front.gunnery) + u32::from(front.torpedo) + 2 * u32::from(front.airstrike)
}

pub(crate) const MOST_PICKED: usize = crate::data::MOST_UNITS;
const MOST_OFFERED: usize = 250;

pub struct CustomGame {
    pub(crate) settings: Settings,
    pub(crate) order: Arc<OrderOfBattle>,
    pub(crate) battle: ScenarioGame,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CustomState {
    pub picked: bool,
    /// The battle; units that were not picked are absent from it.
    pub battle: ScenarioState,
}

impl CustomGame {
    pub fn new(rules: Arc<Rules>, order: Arc<OrderOfBattle>, settings: Settings) -> Result<Self, Refusal> {
        settings.check(&order)?;
        let faction = |side: Side| {
            let nations = &settings.side(side).nations;
            let entries = order.0.values().filter(|entry| nations.contains(&entry.nation));
            Faction {
                id: nations.join("-"),
                units: entries.map(|entry| ScenarioUnit { sheet: entry.sheet, damaged: false }).collect(),
            }
        };
        let factions = BySide::new_with(faction);
        for (_, faction) in factions.iter() {
            let sheets = faction.units.iter().map(|unit| &unit.sheet);
            let warship = |sheet: &Sheet| sheet.kind.is_warship() && cost(&sheet.front) <= settings.budget;
            if !sheets.clone().any(warship) || sheets.len() > MOST_OFFERED {
                let why = format!(
                    "'{}' has no warship for {} points, or more than {MOST_OFFERED} units.",
                    faction.id, settings.budget
                );
                return Err(Refusal::new("bad-options", why).by(rule::CUSTOM));
            }
        }
        let budget = i64::from(settings.budget);
        let stage = Stage {
            id: "battle".into(),
            when: When::Always,
            phasing: settings.phasing,
            participants: BySide::new_with(|side| (0..factions[side].units.len()).collect()),
            kind: StageKind::Battle {
                all_sea: settings.all_sea,
                nearest_air_base: BySide::new_with(|side| settings.side(side).nearest_air_base),
                fixed_actions: settings.fixed_actions.map(Fixed::action),
                hold_vp: budget / 10,
                decline_vp: 0,
            },
        };
        let scenario = Scenario {
            id: ID.into(),
            title: "Custom battle".into(),
            date: format!("{budget} points a side"),
            place: if settings.all_sea { "open sea".into() } else { "coast".into() },
            what_if: true,
            brief: String::new(),
            demonstration: None,
            bands: Bands { par: 0, draw_band: budget / 50, decisive_band: budget / 10 },
            factions,
            stages: vec![stage],
        };
        Ok(Self { battle: ScenarioGame::new(rules, scenario), order, settings })
    }

    /// What even play gives between the forces that were picked. [custom, C-15]
    ///
    /// Fitted by least squares to 40,000 games of instinct against itself with random settings (example `custom_par`);
    /// a single margin deviates from it by 12.3 points, from 0 by 13.2. The phasing side's handicap came to less than
    /// half a point for 100 points of budget, too little for a term of its own.
    pub fn par(&self, state: &CustomState) -> i64 {
        let rounds = |action: Action| {
            let fixed = self.settings.fixed_actions.iter();
            fixed.filter(|fixed| fixed.action().is_none_or(|fixed| fixed == action)).count() as i64
        };
        let worth = BySide::new_with(|side| {
            let units = self.battle.sheets[side].iter().zip(&state.battle.units[side]);
            let here = units.filter(|(_, unit)| unit.place != Place::Absent).map(|(sheet, _)| sheet);
            here.map(|sheet| {
                let dice = |action: Action| i64::from(sheet.front.best(action)) * rounds(action);
                9 * i64::from(sheet.front.defense) - 4 * i64::from(sheet.vp)
                    + 5 * dice(Action::Day)
                    + 3 * dice(Action::Night)
            })
            .sum::<i64>()
        });
        (worth.first - worth.second + 6).div_euclid(12)
    }

    pub(crate) fn bands(&self, state: &CustomState) -> Bands {
        Bands { par: self.par(state), ..self.battle.scenario.bands }
    }

    /// How it ended, once it has. [winning]
    pub fn outcome(&self, state: &CustomState) -> Option<Outcome> {
        let points = BySide::new_with(|side| self.battle.points(&state.battle, side));
        state.battle.over.then(|| judge(&self.battle.names, points, self.bands(state)))
    }

    /// How each side wins; par is not known before the forces are. [winning, C-15]
    pub(crate) fn aims(&self) -> BySide<String> {
        let Bands { draw_band, .. } = self.battle.scenario.bands;
        BySide::new_with(|side| {
            let par = match side {
                Side::First => "above par",
                Side::Second => "below par",
            };
            format!(
                "You win if the first side's lead in points at the end of the battle is at least {} {par}. The forces \
                 that both sides pick set par. Sunk and damaged ships, and the sea you hold, give points.",
                draw_band + 1
            )
        })
    }

    pub fn setup(&self) -> CustomState {
        let mut battle = self.battle.setup();
        for side in Side::BOTH {
            battle.units[side].fill(UnitState { damaged: false, place: Place::Absent });
        }
        CustomState { picked: false, battle }
    }

    pub fn step(&self, state: &mut CustomState, ask: &mut impl Ask) -> Asked<()> {
        if state.picked {
            return self.battle.step(&mut state.battle, ask);
        }
        let choices = Side::BOTH.map(|side| Pick { game: self, side });
        let picked = ask.in_secret(&choices)?;
        for (choice, ids) in choices.iter().zip(&picked) {
            let side = choice.side;
            for at in choice.positions(ids) {
                state.battle.units[side][at].place = Place::Ready;
            }
            ask.note(|| {
                let names: Vec<&str> = choice.picked(ids).map(|sheet| sheet.name.as_str()).collect();
                let (name, price) = (&self.battle.names[side], choice.price(ids));
                let text = format!("{name} brings {price} points: {}.", names.join(", "));
                Note::new("pick", text).by(&[rule::CUSTOM, rule::C_21]).pieces(ids)
            });
        }
        state.picked = true;
        ask.note(|| {
            let text = format!("Between these forces even play gives a margin of {:+}: that is par.", self.par(state));
            Note::new("par", text).by(&[rule::CUSTOM, rule::C_15])
        });
        Ok(())
    }

    pub(crate) fn explain(&self, side: Side, value: Option<&Value>) -> Vec<Insight> {
        let pick = Pick { game: self, side };
        let ids: Vec<Id> = value.and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default();
        let price = pick.price(&ids);
        let budget = self.settings.budget;
        let (mut day, mut night, mut defense) = (0, 0, 0);
        for sheet in pick.picked(&ids) {
            day += u32::from(sheet.front.best(Action::Day));
            night += u32::from(sheet.front.best(Action::Night));
            defense += strength(Counter { sheet, damaged: false });
        }
        let mut insight = Insight::exact("This force")
            .line(format!("It costs {price} of {budget}; {} are left.", budget.saturating_sub(price)))
            .line(format!("LBAs cost {} of at most {}.", pick.air_price(&ids), self.settings.air_budget()))
            .line(format!("It attacks with {day} dice by day and {night} by night, and its strength is {defense}."));
        if let Err(refusal) = pick.check(&ids) {
            insight = insight.line(refusal.to_string());
        }
        vec![insight]
    }

    /// The forces that were picked, as a scenario file that can be laid over the data and played again.
    pub fn scenario_file(&self, state: &CustomState, id: &str, title: &str) -> Result<String, Refusal> {
        if !state.picked {
            return Err(Refusal::new("wrong-time", "The forces have not been picked yet.").by(rule::CUSTOM));
        }
        let plain = |text: &str| {
            !text.is_empty()
                && text.len() <= 60
                && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        if !plain(id) || id == ID {
            return Err(Refusal::new(
                "bad-value",
                "An id is made of up to 60 lower case letters, digits and hyphens, and is not 'custom'.",
            ));
        }
        let Scenario { bands, factions, place, .. } = &self.battle.scenario;
        let Settings { all_sea, budget, fixed_actions, phasing, .. } = &self.settings;
        let title: String = title.chars().filter(|c| !c.is_control()).take(80).collect();
        let here = |side: Side| -> Vec<Id> {
            let units = self.battle.sheets[side].iter().zip(&state.battle.units[side]);
            units.filter(|(_, unit)| unit.place != Place::Absent).map(|(sheet, _)| sheet.id).collect()
        };
        let faction = |side: Side| {
            let units: Vec<Value> = here(side).into_iter().map(|id| json!({"id": id})).collect();
            json!({"id": factions[side].id, "nations": self.settings.side(side).nations, "unit": units})
        };
        let by_id = |of: &dyn Fn(Side) -> Value| -> Map<String, Value> {
            let sides = Side::BOTH.into_iter().map(|side| (factions[side].id.clone(), of(side)));
            sides.filter(|(_, value)| !value.is_null()).collect()
        };
        let stage = json!({
            "id": "battle", "kind": "battle", "when": "always", "phasing": factions[*phasing].id, "all_sea": all_sea,
            "hold_vp": budget / 10, "fixed_actions": fixed_actions,
            "nearest_air_base": by_id(&|side| json!(self.settings.side(side).nearest_air_base)),
            "participants": by_id(&|side| json!(here(side))),
        });
        let scenario = json!({
            "id": id, "title": title, "date": "custom battle", "where": place, "what_if": true,
            "brief": format!("{budget} points a side."), "par": self.par(state), "draw_band": bands.draw_band,
            "decisive_band": bands.decisive_band, "faction": Side::BOTH.map(faction), "stage": [stage],
        });
        let text = toml::to_string(&json!({"scenario": [scenario]}))
            .map_err(|error| Refusal::new("internal", format!("The battle cannot be written: {error}.")))?;
        Ok(format!("# A custom battle of {budget} points a side, saved to be played again.\n\n{text}"))
    }
}

/// Which units? Secret, both sides at once. [custom]
pub struct Pick<'a> {
    pub(crate) game: &'a CustomGame,
    pub(crate) side: Side,
}

impl<'a> Pick<'a> {
    pub(crate) fn sheets(&self) -> &'a [Sheet] {
        &self.game.battle.sheets[self.side]
    }

    fn positions(&self, ids: &[Id]) -> impl Iterator<Item = usize> {
        ids.iter().filter_map(|&id| self.sheets().iter().position(|sheet| sheet.id == id))
    }

    pub(crate) fn picked(&self, ids: &[Id]) -> impl Iterator<Item = &'a Sheet> {
        let sheets = self.sheets();
        self.positions(ids).map(move |at| &sheets[at])
    }

    pub(crate) fn price(&self, ids: &[Id]) -> u32 {
        self.picked(ids).map(|sheet| cost(&sheet.front)).sum()
    }

    fn air_price(&self, ids: &[Id]) -> u32 {
        self.picked(ids).filter(|sheet| sheet.kind == Kind::Lba).map(|sheet| cost(&sheet.front)).sum()
    }
}

impl Decision for Pick<'_> {
    type Value = Vec<Id>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<Id>) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        let mut refuse = |code, message: String, rule| reasons.push(Refusal::new(code, message).by(rule));
        for (at, &id) in value.iter().enumerate() {
            if self.sheets().iter().all(|sheet| sheet.id != id) {
                match self.game.order.0.get(&id) {
                    Some(entry) => {
                        let own = self.game.settings.side(self.side).nations.join(", ");
                        let message = format!("'{id}' belongs to {}; you pick from {own}.", entry.nation);
                        refuse("wrong-nation", message, rule::CUSTOM);
                    }
                    None => {
                        let message = format!("There is no unit '{id}' in the order of battle.");
                        refuse("unknown-unit", message, rule::CUSTOM);
                    }
                }
            } else if value[..at].contains(&id) {
                refuse("duplicate-unit", format!("'{id}' is picked twice."), rule::CUSTOM);
            }
        }
        if reasons.is_empty() {
            let mut refuse = |code, message: String, rule| reasons.push(Refusal::new(code, message).by(rule));
            let (budget, most) = (self.game.settings.budget, self.game.settings.air_budget());
            let (price, air) = (self.price(value), self.air_price(value));
            if price > budget {
                refuse("over-budget", format!("That force costs {price}; the budget is {budget}."), rule::CUSTOM);
            }
            if value.len() > MOST_PICKED {
                let message = format!("That force has {} units; the maximum is {MOST_PICKED}.", value.len());
                refuse("over-budget", message, rule::CUSTOM);
            }
            if air > most {
                let message = format!("The LBAs of that force cost {air}; at most {most} of {budget} may go to LBAs.");
                refuse("too-much-air", message, rule::C_21);
            }
            if !self.picked(value).any(|sheet| sheet.kind.is_warship()) {
                let message = "A force needs a unit that is neither submarine, convoy nor LBA.".to_owned();
                refuse("empty-force", message, rule::CUSTOM);
            }
        }
        Refusal::all(reasons)
    }
}
