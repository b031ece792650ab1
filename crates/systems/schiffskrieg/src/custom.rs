//! A custom battle: both sides pick their forces in secret, then fight. [custom, C-21]

use crate::battle::{Place, UnitState};
use crate::data::{Faction, OrderOfBattle, Scenario, ScenarioUnit, Stage, StageKind, When};
use crate::day_night::Action;
use crate::figures::Figures;
use crate::rule;
use crate::scenario::{ScenarioGame, ScenarioState};
use crate::unit::{Factors, Id, Kind};
use flagplot_kernel::{
    Ask, Asked, BySide, Candidate, Chance, Choice, Decision, Form, FormItem, Insight, Note, OptionView, Prompt,
    Refusal, Screen, Seat, Side,
};
use flagplot_referee::{Shape, bool, int, list, nullable, record, req, tuple, word, word_of};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;

/// The id under which a custom battle is played.
pub const ID: &str = "custom";

/// The settings of a custom battle, all of which may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The first side.
    pub first: SideSettings,
    /// The second side.
    pub second: SideSettings,
    /// Who phases.
    pub phasing: Side,
    /// Whether the hex holds only water.
    pub all_sea: bool,
    /// What each side may spend.
    pub budget: u32,
    /// The action of each round: `day`, `night` or `choice`.
    pub fixed_actions: [Fixed; 2],
}

/// The settings of one side.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SideSettings {
    /// Whose units it may pick.
    pub nations: Vec<String>,
    /// How far its nearest Air Base is.
    pub nearest_air_base: Option<u8>,
}

/// The action of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fixed {
    /// A Day Action.
    Day,
    /// A Night Action.
    Night,
    /// As the players wish.
    Choice,
}

impl Fixed {
    fn action(self) -> Option<Action> {
        match self {
            Fixed::Day => Some(Action::Day),
            Fixed::Night => Some(Action::Night),
            Fixed::Choice => None,
        }
    }

    fn word(self) -> &'static str {
        self.action().map_or("choice", |action| Action::WORDS[action as usize])
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
    /// What they look like, and what they are without a wish.
    pub(crate) fn wishes(order: &OrderOfBattle) -> (Shape, Value) {
        let side = |help| {
            let nations = list(word_of(order.nations()), 1, 7);
            let fields = vec![
                req("nations", nations, "whose ships and aircraft it may pick"),
                req("nearest_air_base", nullable(int(0, 99)), "hexes to its nearest Air Base"),
            ];
            (record(fields), help)
        };
        let action = || word(&["choice", "day", "night"]);
        let [(first, help), (second, other)] = [side("one side"), side("the other side")];
        let shape = record(vec![
            req("first", first, help),
            req("second", second, other),
            req("budget", int(20, 150), "points each side may spend"),
            req("phasing", word(&["first", "second"]), "which side's move it is"),
            req("all_sea", bool(), "there is no land in the hex"),
            req("fixed_actions", tuple(vec![action(), action()]), "day or night in the first and second round"),
        ]);
        (shape, json!(Self::default()))
    }

    /// Reads the options of a game.
    pub fn read(options: &Value) -> Result<Self, Refusal> {
        if options.is_null() {
            return Ok(Self::default());
        }
        serde_json::from_value(options.clone()).map_err(|error| {
            Refusal::new("bad-options", format!("Those are no settings of a custom battle: {error}."))
                .by(rule::CUSTOM)
                .remedy(format!("They look like {}.", json!(Self::default())))
        })
    }

    /// What a side may spend on LBAs. [C-21]
    #[must_use]
    pub fn air_budget(&self) -> u32 {
        self.budget / 3
    }

    fn side(&self, side: Side) -> &SideSettings {
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
                if settings.nations[..at].contains(nation) {
                    bad(format!("The {name} side names '{}' twice.", nation.chars().take(60).collect::<String>()));
                }
                if !known.contains(&nation.as_str()) {
                    bad(format!(
                        "There is no nation '{}'; there are {}.",
                        nation.chars().take(60).collect::<String>(),
                        known.join(", ")
                    ));
                }
            }
        }
        for nation in self.first.nations.iter().filter(|nation| self.second.nations.contains(nation)) {
            bad(format!("The nation '{nation}' is on both sides."));
        }
        Refusal::all(reasons)
    }
}

/// What a unit costs: its Defense, Gunnery and Torpedo Factors, and twice its Airstrike Factor, of the front.
#[must_use]
pub fn cost(front: &Factors) -> u32 {
    u32::from(front.defense) + u32::from(front.gunnery) + u32::from(front.torpedo) + 2 * u32::from(front.airstrike)
}

/// Whether a force may consist of it alone.
fn is_core(kind: Kind) -> bool {
    !matches!(kind, Kind::Submarine | Kind::Convoy | Kind::Lba)
}

/// The most units a side may pick.
const MOST_PICKED: usize = crate::data::MOST_UNITS;
/// The most units there may be to pick from.
const MOST_OFFERED: usize = 250;

/// A custom battle: what stays the same.
pub struct CustomGame {
    pub(crate) settings: Settings,
    pub(crate) order: Arc<OrderOfBattle>,
    /// The battle with everything that could be picked.
    pub(crate) battle: ScenarioGame,
}

/// Everything that changes in a custom battle.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CustomState {
    /// Whether the forces are known.
    pub picked: bool,
    /// The battle; units that were not picked are absent from it.
    pub battle: ScenarioState,
}

impl CustomGame {
    /// A custom battle with these settings.
    pub fn new(figures: Arc<Figures>, order: Arc<OrderOfBattle>, settings: Settings) -> Result<Self, Refusal> {
        settings.check(&order)?;
        let faction = |side: Side| {
            let nations = &settings.side(side).nations;
            let entries = order.0.values().filter(|entry| nations.contains(&entry.nation));
            Faction {
                id: nations.join("-"),
                units: entries.map(|entry| ScenarioUnit { entry: entry.clone(), damaged: false }).collect(),
            }
        };
        let factions = BySide::new_with(faction);
        for (_, faction) in factions.iter() {
            let core = faction
                .units
                .iter()
                .filter(|unit| is_core(unit.entry.sheet.kind))
                .map(|unit| cost(&unit.entry.sheet.front))
                .min();
            if core.is_none_or(|cost| cost > settings.budget) || faction.units.len() > MOST_OFFERED {
                let why = format!(
                    "'{}' has nothing to fight with for {} points, or more than {MOST_OFFERED} units.",
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
            par: 0,
            draw_band: budget / 50,
            decisive_band: budget / 10,
            factions,
            stages: vec![stage],
        };
        Ok(Self { battle: ScenarioGame::new(figures, scenario), order, settings })
    }

    /// The position before the first step.
    #[must_use]
    pub fn setup(&self) -> CustomState {
        let mut battle = self.battle.setup();
        for side in Side::BOTH {
            battle.units[side].fill(UnitState { damaged: false, place: Place::Absent });
        }
        CustomState { picked: false, battle }
    }

    /// The picks, then the battle.
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
                let names: Vec<&str> =
                    choice.positions(ids).into_iter().map(|at| self.battle.sheets[side][at].name.as_str()).collect();
                Note::new(
                    "pick",
                    format!("{} brings {} points: {}.", self.battle.names[side], choice.price(ids), names.join(", ")),
                )
                .by(&[rule::CUSTOM, rule::C_21])
                .pieces(ids)
            });
        }
        state.picked = true;
        Ok(())
    }

    /// What a force costs and can do.
    pub(crate) fn explain(&self, side: Side, value: Option<&Value>) -> Vec<Insight> {
        let pick = Pick { game: self, side };
        let ids: Vec<Id> = value.and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default();
        let price = pick.price(&ids);
        let budget = self.settings.budget;
        let (mut day, mut night, mut defense) = (0, 0, 0);
        for at in pick.positions(&ids) {
            let front = self.battle.sheets[side][at].front;
            day += u32::from(front.airstrike.max(front.torpedo));
            night += u32::from(front.gunnery.max(front.torpedo));
            defense += crate::resolution::strength(self.battle.sheets[side][at].kind, front.defense);
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
        let text = |value: &str| toml::Value::String(value.to_owned()).to_string();
        let Scenario { draw_band, decisive_band, factions, .. } = &self.battle.scenario;
        let Settings { all_sea, budget, fixed_actions, phasing, .. } = &self.settings;
        let mut out = String::new();
        let title: String = title.chars().filter(|c| !c.is_control()).take(80).collect();
        let _ = writeln!(out, "# A custom battle of {budget} points a side, saved to be played again.\n\n[[scenario]]");
        let _ = writeln!(
            out,
            "id = {}\ntitle = {}\ndate = \"custom battle\"\nwhere = {}",
            text(id),
            text(&title),
            text(&self.battle.scenario.place)
        );
        let _ = writeln!(
            out,
            "what_if = true\nbrief = \"{budget} points a side.\"\npar = 0\ndraw_band = {draw_band}\ndecisive_band = {decisive_band}"
        );
        let here = |side: Side| -> Vec<Id> {
            (0..factions[side].units.len())
                .filter(|&at| state.battle.units[side][at].place != Place::Absent)
                .map(|at| self.battle.sheets[side][at].id)
                .collect()
        };
        for side in Side::BOTH {
            let nations: Vec<String> = self.settings.side(side).nations.iter().map(|nation| text(nation)).collect();
            let _ = writeln!(
                out,
                "\n[[scenario.faction]]\nid = {}\nnations = [{}]",
                text(&factions[side].id),
                nations.join(", ")
            );
            for id in here(side) {
                let _ = writeln!(out, "[[scenario.faction.unit]]\nid = {}", text(id.as_str()));
            }
        }
        let _ = writeln!(
            out,
            "\n[[scenario.stage]]\nid = \"battle\"\nkind = \"battle\"\nwhen = \"always\"\nphasing = {}\nall_sea = {all_sea}",
            text(&factions[*phasing].id)
        );
        let _ = writeln!(
            out,
            "hold_vp = {}\nfixed_actions = [{}, {}]",
            budget / 10,
            text(fixed_actions[0].word()),
            text(fixed_actions[1].word())
        );
        for side in Side::BOTH {
            let faction = text(&factions[side].id);
            if let Some(hexes) = self.settings.side(side).nearest_air_base {
                let _ = writeln!(out, "nearest_air_base.{faction} = {hexes}");
            }
            let ids: Vec<String> = here(side).iter().map(|id| text(id.as_str())).collect();
            let _ = writeln!(out, "participants.{faction} = [{}]", ids.join(", "));
        }
        Ok(out)
    }
}

/// Which units? Secret, both sides at once. [custom]
pub struct Pick<'a> {
    game: &'a CustomGame,
    side: Side,
}

impl Pick<'_> {
    fn find(&self, id: Id) -> Option<usize> {
        self.game.battle.sheets[self.side].iter().position(|sheet| sheet.id == id)
    }

    fn positions(&self, ids: &[Id]) -> Vec<usize> {
        ids.iter().filter_map(|&id| self.find(id)).collect()
    }

    fn sum(&self, ids: &[Id], counts: impl Fn(Kind) -> bool) -> u32 {
        let sheets = &self.game.battle.sheets[self.side];
        self.positions(ids)
            .into_iter()
            .map(|at| &sheets[at])
            .filter(|sheet| counts(sheet.kind))
            .map(|sheet| cost(&sheet.front))
            .sum()
    }

    fn price(&self, ids: &[Id]) -> u32 {
        self.sum(ids, |_| true)
    }

    fn air_price(&self, ids: &[Id]) -> u32 {
        self.sum(ids, |kind| kind == Kind::Lba)
    }

    /// A force in the order the dice give, filled up as far as the budget goes.
    fn filled(&self, chance: &mut Chance) -> Vec<Id> {
        let sheets = &self.game.battle.sheets[self.side];
        let mut order: Vec<usize> = (0..sheets.len()).collect();
        chance.shuffle(&mut order);
        let budget = self.game.settings.budget;
        // Somebody who can fight comes first.
        if let Some(core) = order.iter().position(|&at| is_core(sheets[at].kind) && cost(&sheets[at].front) <= budget) {
            order.swap(0, core);
        }
        let (mut left, mut air) = (budget, self.game.settings.air_budget());
        let mut out = Vec::new();
        for sheet in order.into_iter().map(|at| &sheets[at]) {
            let cost = cost(&sheet.front);
            if cost > left || out.len() >= MOST_PICKED || (sheet.kind == Kind::Lba && cost > air) {
                continue;
            }
            left -= cost;
            if sheet.kind == Kind::Lba {
                air -= cost;
            }
            out.push(sheet.id);
        }
        out
    }

    /// How much a force can do: its dice in both actions, and what it takes to sink it.
    fn power(&self, ids: &[Id]) -> u32 {
        let sheets = &self.game.battle.sheets[self.side];
        let fixed = self.game.settings.fixed_actions;
        let weight = |action: Fixed| {
            fixed.iter().map(|&round| u32::from(round == action || round == Fixed::Choice)).sum::<u32>()
        };
        self.positions(ids)
            .into_iter()
            .map(|at| &sheets[at])
            .map(|sheet| {
                let front = sheet.front;
                let day = u32::from(front.airstrike.max(front.torpedo)) * weight(Fixed::Day);
                let night = u32::from(front.gunnery.max(front.torpedo)) * weight(Fixed::Night);
                day + night + u32::from(front.defense)
            })
            .sum()
    }

    fn sensible(&self, chance: &mut Chance) -> Vec<Id> {
        let forces: Vec<Vec<Id>> = (0..24).map(|_| self.filled(chance)).collect();
        forces.into_iter().max_by_key(|force| self.power(force)).unwrap_or_default()
    }
}

impl Decision for Pick<'_> {
    type Value = Vec<Id>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<Id>) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        for (at, &id) in value.iter().enumerate() {
            if self.find(id).is_none() {
                reasons.push(match self.game.order.0.get(&id) {
                    Some(entry) => {
                        let own = self.game.settings.side(self.side).nations.join(", ");
                        Refusal::new(
                            "wrong-nation",
                            format!("'{id}' belongs to {}; you pick from {own}.", entry.nation),
                        )
                        .by(rule::CUSTOM)
                    }
                    None => Refusal::new("unknown-unit", format!("There is no unit '{id}' in the order of battle."))
                        .by(rule::CUSTOM),
                });
            } else if value[..at].contains(&id) {
                reasons.push(Refusal::new("duplicate-unit", format!("'{id}' is picked twice.")).by(rule::CUSTOM));
            }
        }
        if reasons.is_empty() {
            let Settings { budget, .. } = self.game.settings;
            let (price, air, most) = (self.price(value), self.air_price(value), self.game.settings.air_budget());
            if price > budget {
                reasons.push(
                    Refusal::new("over-budget", format!("That force costs {price}; the budget is {budget}."))
                        .by(rule::CUSTOM),
                );
            }
            if value.len() > MOST_PICKED {
                reasons.push(
                    Refusal::new(
                        "over-budget",
                        format!("That force has {} units; {MOST_PICKED} are the most.", value.len()),
                    )
                    .by(rule::CUSTOM),
                );
            }
            if air > most {
                reasons.push(
                    Refusal::new(
                        "too-much-air",
                        format!("The LBAs of that force cost {air}; at most {most} of {budget} may go to LBAs."),
                    )
                    .by(rule::C_21),
                );
            }
            let sheets = &self.game.battle.sheets[self.side];
            if !self.positions(value).into_iter().any(|at| is_core(sheets[at].kind)) {
                reasons.push(
                    Refusal::new("empty-force", "A force needs a unit that is neither submarine, convoy nor LBA.")
                        .by(rule::CUSTOM),
                );
            }
        }
        Refusal::all(reasons)
    }
}

impl Screen for Pick<'_> {
    fn prompt(&self) -> Prompt {
        let Settings { budget, .. } = self.game.settings;
        let air = self.game.settings.air_budget();
        Prompt::new(
            "pick",
            format!("Pick your force: up to {budget} points, at most {air} of them for LBAs, and one unit at least that can fight on the sea."),
            rule::CUSTOM,
        )
        .confirm()
        .missing(format!("Units of other nations: you pick from {}. [{}]", self.game.settings.side(self.side).nations.join(", "), rule::CUSTOM))
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Id>>> {
        // The same offers whenever the question is put.
        let mut chance = Chance::seeded(u64::from(self.game.settings.budget));
        let mut out: Vec<Candidate<Vec<Id>>> = Vec::new();
        for _ in 0..4 {
            let force = self.sensible(&mut chance);
            if out.iter().all(|other| other.value != force) {
                let sheets = &self.game.battle.sheets[self.side];
                let names: Vec<&str> = self.positions(&force).into_iter().map(|at| sheets[at].name.as_str()).collect();
                out.push(
                    Candidate::new(force.clone(), format!("{} points: {}", self.price(&force), names.join(", ")))
                        .at(force),
                );
            }
        }
        out
    }

    fn form(&self) -> Form {
        let items: Vec<FormItem> = self.game.battle.sheets[self.side]
            .iter()
            .map(|sheet| {
                let option = OptionView {
                    value: json!(sheet.id),
                    label: format!("costs {}", cost(&sheet.front)),
                    pieces: vec![sheet.id.to_string()],
                };
                FormItem { id: sheet.id.to_string(), label: sheet.name.to_string(), options: vec![option] }
            })
            .collect();
        Form::Subset { items, min: 1, max: MOST_PICKED as u32 }
    }
}

impl Choice for Pick<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Id> {
        self.filled(chance)
    }

    fn instinct(&self, chance: &mut Chance) -> Vec<Id> {
        self.sensible(chance)
    }
}
