//! Order of battle and scenarios, read from TOML and checked.

use crate::custom::Fixed;
use crate::day_night::Action;
use crate::formula::{Derived, Facts, derive};
use crate::unit::{Factors, Id, Kind, Name, Sheet};
use flagplot_kernel::{BySide, DataError, Files, Side, lead};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Entry {
    pub sheet: Sheet,
    pub nation: String,
    pub facts: Facts,
}

#[derive(Clone, Debug, Default)]
pub struct OrderOfBattle(pub BTreeMap<Id, Entry>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUnits {
    unit: Vec<RawUnit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUnit {
    id: Id,
    name: String,
    nation: String,
    kind: Kind,
    #[serde(default)]
    #[allow(dead_code, reason = "for the reader of the file")]
    fit: Option<u32>,
    #[serde(default)]
    #[allow(dead_code, reason = "for the reader of the file")]
    note: Option<String>,
    facts: Facts,
    /// Factors printed on a published counter; by the formula when absent.
    front: Option<Factors>,
    damage: Option<u8>,
    back: Option<Factors>,
    vp: Option<u8>,
}

impl RawUnit {
    fn entry(self) -> Result<Entry, String> {
        let wrong = |why: &str| format!("unit '{}': {why}", self.id);
        self.facts.check(self.kind).map_err(|why| wrong(&why))?;
        let derived = derive(self.kind, &self.facts);
        let front = self.front.unwrap_or(derived.front);
        let damage = self.damage.unwrap_or(derived.damage);
        let back = self.back.or(if self.front.is_none() { derived.back } else { None });
        let vp = self.vp.unwrap_or(derived.vp);
        let name = Name::new(&self.name).filter(|_| !self.name.is_empty());
        let name = name.ok_or_else(|| wrong("a name has 1 to 96 bytes"))?;
        let sheet = Sheet { id: self.id, name, kind: self.kind, front, damage, back, vp };
        sheet.check().map_err(wrong)?;
        if self.nation.is_empty() || front.defense == 0 || damage == 0 {
            return Err(wrong("it needs a nation, a Defense Factor and a Damage Factor"));
        }
        if front.gunnery.max(front.torpedo).max(front.airstrike).max(front.defense) > 40 || vp > 99 {
            return Err(wrong("a factor is above 40, or vp above 99"));
        }
        if back.is_some_and(|back| back.defense == 0 || back.defense > front.defense) {
            return Err(wrong("the Defense Factor of the damaged side is 1 to that of the front"));
        }
        Ok(Entry { sheet, nation: self.nation, facts: self.facts })
    }
}

/// What the names of files with units and with scenarios begin with.
const UNITS: &str = "units";
const SCENARIOS: &str = "scenarios";
/// Files whose names begin with these words are read beside the built-in ones.
pub const FAMILIES: &[&str] = &[UNITS, SCENARIOS];

impl OrderOfBattle {
    pub fn read(files: &Files) -> Result<Self, DataError> {
        let mut entries = BTreeMap::new();
        let mut found_in: BTreeMap<Id, &str> = BTreeMap::new();
        for (name, _) in files.iter().filter(|(name, _)| name.starts_with(UNITS)) {
            let raw: RawUnits = files.parse(name)?;
            for unit in raw.unit {
                let entry = unit.entry().map_err(|message| DataError::new(name, message))?;
                let id = entry.sheet.id;
                if let Some(other) = found_in.insert(id, name) {
                    let where_else = if other == name { String::new() } else { format!(", here and in {other}") };
                    let message = format!("the unit '{id}' is listed twice{where_else}; give yours another id");
                    return Err(DataError::new(name, message));
                }
                entries.insert(id, entry);
            }
        }
        Ok(Self(entries))
    }

    pub fn nations(&self) -> Vec<&str> {
        let mut nations: Vec<&str> = self.0.values().map(|entry| entry.nation.as_str()).collect();
        nations.sort_unstable();
        nations.dedup();
        nations
    }

    pub fn with_facts(&self, id: Id, change: &BTreeMap<String, u32>) -> Result<Entry, String> {
        let entry = self.0.get(&id).ok_or_else(|| format!("there is no unit '{id}' in the order of battle"))?;
        if change.is_empty() {
            return Ok(entry.clone());
        }
        let mut facts = json!(entry.facts);
        for (fact, value) in change {
            let place = facts.get_mut(fact).ok_or_else(|| format!("unit '{id}': there is no fact '{fact}'"))?;
            *place = json!(value);
        }
        let wrong = |why: String| format!("unit '{id}': {why}");
        let facts: Facts = serde_json::from_value(facts).map_err(|error| wrong(error.to_string()))?;
        facts.check(entry.sheet.kind).map_err(wrong)?;
        let Derived { front, damage, back, vp } = derive(entry.sheet.kind, &facts);
        Ok(Entry { sheet: Sheet { front, damage, back, vp, ..entry.sheet }, facts, nation: entry.nation.clone() })
    }
}

/// What a margin is measured against. [winning]
#[derive(Clone, Copy, Debug)]
pub struct Bands {
    /// The margin that even play gives.
    pub par: i64,
    /// Up to here from par is a draw.
    pub draw_band: i64,
    /// Further from par than this is decisive.
    pub decisive_band: i64,
}

impl Bands {
    /// How each side wins. [winning, C-15]
    pub(crate) fn aims(self, when: &str) -> BySide<String> {
        let need = BySide { first: self.par, second: -self.par }.map(|par| par + self.draw_band + 1);
        need.map(|need| {
            let lead = lead(need);
            format!("You win if you {lead} {when}. Sunk and damaged ships, and the sea you hold, give points.")
        })
    }

    pub(crate) fn check(self) -> Result<Self, String> {
        match 0 <= self.draw_band && self.draw_band <= self.decisive_band {
            true => Ok(self),
            false => Err("0 ≤ draw_band ≤ decisive_band".into()),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Scenario {
    pub id: String,
    pub title: String,
    pub date: String,
    pub place: String,
    pub what_if: bool,
    pub brief: String,
    /// Why it is a demonstration, if it is one.
    pub demonstration: Option<String>,
    pub bands: Bands,
    pub factions: BySide<Faction>,
    pub stages: Vec<Stage>,
}

#[derive(Clone, Debug)]
pub struct Faction {
    pub id: String,
    pub units: Vec<ScenarioUnit>,
}

#[derive(Clone, Debug)]
pub struct ScenarioUnit {
    pub sheet: Sheet,
    pub damaged: bool,
}

#[derive(Clone, Debug)]
pub struct Stage {
    pub id: String,
    pub when: When,
    /// Who phases; in a Base Attack the raiders.
    pub phasing: Side,
    pub participants: BySide<Vec<usize>>,
    pub kind: StageKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    ChosenBy(Side),
    IfRoundsFlown(u8),
}

#[derive(Clone, Debug)]
pub enum StageKind {
    Battle {
        all_sea: bool,
        nearest_air_base: BySide<Option<u8>>,
        /// The action of each round; none is wished for.
        fixed_actions: [Option<Action>; 2],
        hold_vp: i64,
        decline_vp: i64,
    },
    BaseAttack {
        max_rounds: u8,
        surprise_rounds: u8,
        /// Points to the raiders for flying no more than so many rounds.
        early_withdrawal: Option<(u8, i64)>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScenarios {
    scenario: Vec<RawScenario>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScenario {
    id: String,
    title: String,
    date: String,
    r#where: String,
    #[serde(default)]
    what_if: bool,
    brief: String,
    demonstration: Option<String>,
    par: i64,
    draw_band: i64,
    decisive_band: i64,
    faction: Vec<RawFaction>,
    stage: Vec<RawStage>,
    #[serde(default)]
    #[allow(dead_code, reason = "for the reader of the file")]
    par_note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFaction {
    id: String,
    #[allow(dead_code, reason = "for the reader of the file")]
    nations: Vec<String>,
    unit: Vec<RawScenarioUnit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScenarioUnit {
    id: Id,
    #[serde(default)]
    facts: BTreeMap<String, u32>,
    #[serde(default)]
    damaged: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStage {
    id: String,
    kind: String,
    when: String,
    phasing: String,
    participants: BTreeMap<String, Vec<Id>>,
    all_sea: Option<bool>,
    #[serde(default)]
    nearest_air_base: BTreeMap<String, u8>,
    fixed_actions: Option<[Fixed; 2]>,
    hold_vp: Option<i64>,
    decline_vp: Option<i64>,
    max_rounds: Option<u8>,
    surprise_rounds: Option<u8>,
    early_withdrawal_rounds: Option<u8>,
    early_withdrawal_vp: Option<i64>,
}

pub const MOST_UNITS: usize = 60;

pub fn scenarios(files: &Files, order: &OrderOfBattle) -> Result<Vec<Scenario>, DataError> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (file, _) in files.iter().filter(|(name, _)| name.starts_with(SCENARIOS)) {
        let raw: RawScenarios = files.parse(file)?;
        for scenario in raw.scenario {
            let id = scenario.id.clone();
            let scenario =
                read(scenario, order).map_err(|message| DataError::new(file, format!("scenario '{id}': {message}")))?;
            if scenarios.iter().any(|other| other.id == id) {
                return Err(DataError::new(file, format!("the scenario '{id}' is listed twice")));
            }
            scenarios.push(scenario);
        }
    }
    Ok(scenarios)
}

fn read(raw: RawScenario, order: &OrderOfBattle) -> Result<Scenario, String> {
    let [first, second]: [RawFaction; 2] = raw.faction.try_into().map_err(|_| "a scenario has two factions")?;
    let factions = BySide { first: faction(first, order)?, second: faction(second, order)? };
    let ids = BySide::new_with(|side| factions[side].units.iter().map(|unit| unit.sheet.id).collect::<Vec<_>>());
    if let Some(id) = ids.first.iter().find(|id| ids.second.contains(id)) {
        return Err(format!("the unit '{id}' is on both sides"));
    }
    let stages: Vec<Stage> =
        raw.stage.into_iter().map(|stage| read_stage(stage, &factions)).collect::<Result<_, _>>()?;
    if stages.is_empty() {
        return Err("a scenario has a stage".into());
    }
    let bands = Bands { par: raw.par, draw_band: raw.draw_band, decisive_band: raw.decisive_band }.check()?;
    Ok(Scenario {
        id: raw.id,
        title: raw.title,
        date: raw.date,
        place: raw.r#where,
        what_if: raw.what_if,
        brief: raw.brief,
        demonstration: raw.demonstration,
        bands,
        factions,
        stages,
    })
}

fn faction(raw: RawFaction, order: &OrderOfBattle) -> Result<Faction, String> {
    let mut units: Vec<ScenarioUnit> = Vec::new();
    for RawScenarioUnit { id, facts, damaged } in raw.unit {
        let sheet = order.with_facts(id, &facts)?.sheet;
        if units.iter().any(|other| other.sheet.id == id) {
            return Err(format!("the unit '{id}' is listed twice"));
        }
        if damaged && sheet.back.is_none() {
            return Err(format!("the unit '{id}' has no damaged side to start on"));
        }
        units.push(ScenarioUnit { sheet, damaged });
    }
    if units.is_empty() || units.len() > MOST_UNITS {
        return Err(format!("the faction '{}' has {} units; it may have 1 to {MOST_UNITS}", raw.id, units.len()));
    }
    Ok(Faction { id: raw.id, units })
}

fn read_stage(raw: RawStage, factions: &BySide<Faction>) -> Result<Stage, String> {
    let wrong = |why: String| format!("stage '{}': {why}", raw.id);
    let side = |name: &str| {
        let found = Side::BOTH.into_iter().find(|&side| factions[side].id == name);
        found.ok_or_else(|| wrong(format!("there is no faction '{name}'")))
    };
    let phasing = side(&raw.phasing)?;
    let when = match raw.when.split_once(':') {
        None if raw.when == "always" => When::Always,
        Some(("chosen-by", name)) => When::ChosenBy(side(name)?),
        Some(("if-rounds-flown", n)) => {
            When::IfRoundsFlown(n.parse().map_err(|_| wrong(format!("'{n}' is not a number of rounds")))?)
        }
        _ => return Err(wrong(format!("'{}' is not a time for a stage", raw.when))),
    };
    let mut participants: BySide<Vec<usize>> = BySide::default();
    for (name, ids) in &raw.participants {
        let side = side(name)?;
        for id in ids {
            let at = factions[side].units.iter().position(|unit| unit.sheet.id == *id);
            participants[side].push(at.ok_or_else(|| wrong(format!("'{name}' has no unit '{id}'")))?);
        }
    }
    let mut nearest_air_base = BySide::default();
    for (name, hexes) in &raw.nearest_air_base {
        nearest_air_base[side(name)?] = Some(*hexes);
    }
    let missing = |field: &str| wrong(format!("it lacks '{field}'"));
    let kind = match raw.kind.as_str() {
        "battle" => {
            let actions = raw.fixed_actions.ok_or_else(|| missing("fixed_actions"))?;
            StageKind::Battle {
                all_sea: raw.all_sea.ok_or_else(|| missing("all_sea"))?,
                nearest_air_base,
                fixed_actions: actions.map(Fixed::action),
                hold_vp: raw.hold_vp.ok_or_else(|| missing("hold_vp"))?,
                decline_vp: raw.decline_vp.unwrap_or(0),
            }
        }
        "base-attack" => {
            let max_rounds = raw.max_rounds.ok_or_else(|| missing("max_rounds"))?;
            if !(1..=3).contains(&max_rounds) {
                return Err(wrong("a Base Attack has one to three rounds".into()));
            }
            StageKind::BaseAttack {
                max_rounds,
                surprise_rounds: raw.surprise_rounds.unwrap_or(0),
                early_withdrawal: raw.early_withdrawal_rounds.zip(raw.early_withdrawal_vp),
            }
        }
        other => return Err(wrong(format!("'{other}' is not a kind of stage"))),
    };
    Ok(Stage { id: raw.id, when, phasing, participants, kind })
}
