//! Order of battle and scenarios, read from TOML and checked.

use crate::day_night::Action;
use crate::formula::{Facts, derive};
use crate::unit::{Factors, Id, Kind, Name, Sheet};
use flagplot_kernel::{BySide, DataError, Files, Side};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A counter of the order of battle.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What is printed on it.
    pub sheet: Sheet,
    /// Whose it is.
    pub nation: String,
    /// Its public facts.
    pub facts: Facts,
}

/// All counters by id.
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
        self.facts.check(self.kind).map_err(|why| format!("unit '{}': {why}", self.id))?;
        if self.id.as_str().is_empty() || self.nation.is_empty() {
            return Err("a unit has an id and a nation".into());
        }
        let derived = derive(self.kind, &self.facts);
        let front = self.front.unwrap_or(derived.front);
        let damage = self.damage.unwrap_or(derived.damage);
        let back = self.back.or(if self.front.is_none() { derived.back } else { None });
        let vp = self.vp.unwrap_or(derived.vp);
        let name = Name::new(&self.name)
            .filter(|_| !self.name.is_empty())
            .ok_or_else(|| format!("unit '{}': a name has 1 to {} bytes", self.id, Name::LONGEST))?;
        let sheet = Sheet { id: self.id, name, kind: self.kind, front, damage, back, vp };
        if front.defense == 0 || damage == 0 || damage > front.defense || (damage == front.defense) != back.is_none() {
            return Err(format!(
                "unit '{}': the Damage Factor is 1 to the Defense Factor, and equal to it only without a damaged side",
                self.id
            ));
        }
        if front.gunnery.max(front.torpedo).max(front.airstrike).max(front.defense) > 40 || vp > 99 {
            return Err(format!("unit '{}': a factor is above 40, or vp above 99", self.id));
        }
        for side in [Some(front), back].into_iter().flatten() {
            let guns_or_torpedoes = side.gunnery > 0 || side.torpedo > 0;
            let wrong = match self.kind {
                Kind::Lba => guns_or_torpedoes.then_some("an LBA has only an Airstrike Factor"),
                Kind::Carrier => None,
                Kind::Submarine => {
                    (side.gunnery > 0 || side.airstrike > 0).then_some("a submarine has only a Torpedo Factor")
                }
                Kind::Convoy => {
                    (guns_or_torpedoes || side.airstrike > 0).then_some("a convoy has no factor to attack with")
                }
                _ => (side.airstrike > 0).then_some("only carriers and LBAs have an Airstrike Factor"),
            };
            if let Some(why) = wrong {
                return Err(format!("unit '{}': {why}", self.id));
            }
        }
        if back.is_some_and(|back| back.defense == 0 || back.defense > front.defense) {
            return Err(format!(
                "unit '{}': the Defense Factor of the damaged side is 1 to that of the front",
                self.id
            ));
        }
        Ok(Entry { sheet, nation: self.nation, facts: self.facts })
    }
}

impl OrderOfBattle {
    /// Reads every file whose name begins with `units`.
    pub fn read(files: &Files) -> Result<Self, DataError> {
        let mut entries = BTreeMap::new();
        let mut found_in: BTreeMap<Id, &str> = BTreeMap::new();
        for (name, _) in files.iter().filter(|(name, _)| name.starts_with("units")) {
            let raw: RawUnits = files.parse(name)?;
            for unit in raw.unit {
                let entry = unit.entry().map_err(|message| DataError::new(name, message))?;
                let id = entry.sheet.id;
                if let Some(other) = found_in.insert(id, name) {
                    let where_else = if other == name { String::new() } else { format!(", here and in {other}") };
                    return Err(DataError::new(
                        name,
                        format!("the unit '{id}' is there twice{where_else}; give yours another id"),
                    ));
                }
                entries.insert(id, entry);
            }
        }
        Ok(Self(entries))
    }

    /// The nations there are, in the order of their names.
    #[must_use]
    pub fn nations(&self) -> Vec<&str> {
        let mut nations: Vec<&str> = self.0.values().map(|entry| entry.nation.as_str()).collect();
        nations.sort_unstable();
        nations.dedup();
        nations
    }

    /// A counter with some facts changed, and its factors with them.
    pub fn with_facts(&self, id: Id, change: &BTreeMap<String, u32>) -> Result<Entry, String> {
        let mut entry =
            self.0.get(&id).ok_or_else(|| format!("there is no unit '{id}' in the order of battle"))?.clone();
        if change.is_empty() {
            return Ok(entry);
        }
        for (fact, &value) in change {
            let place = match fact.as_str() {
                "ships" => &mut entry.facts.ships,
                "tons" => &mut entry.facts.tons,
                "belt_mm" => &mut entry.facts.belt_mm,
                "guns" => &mut entry.facts.guns,
                "gun_mm" => &mut entry.facts.gun_mm,
                "tubes" => &mut entry.facts.tubes,
                "tube_mm" => &mut entry.facts.tube_mm,
                "aircraft" => &mut entry.facts.aircraft,
                other => return Err(format!("unit '{id}': there is no fact '{other}'")),
            };
            *place = value;
        }
        entry.facts.check(entry.sheet.kind).map_err(|why| format!("unit '{id}': {why}"))?;
        let derived = derive(entry.sheet.kind, &entry.facts);
        entry.sheet =
            Sheet { front: derived.front, damage: derived.damage, back: derived.back, vp: derived.vp, ..entry.sheet };
        Ok(entry)
    }
}

/// A scenario, ready to be played.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// When.
    pub date: String,
    /// Where.
    pub place: String,
    /// Whether it never happened.
    pub what_if: bool,
    /// What it is about.
    pub brief: String,
    /// The margin that even play gives.
    pub par: i64,
    /// So far from par is a draw.
    pub draw_band: i64,
    /// Further from par than this is decisive.
    pub decisive_band: i64,
    /// The two factions.
    pub factions: BySide<Faction>,
    /// What happens, in order.
    pub stages: Vec<Stage>,
}

/// A faction of a scenario.
#[derive(Clone, Debug)]
pub struct Faction {
    /// Its id.
    pub id: String,
    /// Its units.
    pub units: Vec<ScenarioUnit>,
}

/// A unit of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioUnit {
    /// The counter.
    pub entry: Entry,
    /// Whether it starts damaged.
    pub damaged: bool,
}

/// A stage of a scenario.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its id.
    pub id: String,
    /// When it is played.
    pub when: When,
    /// Who phases; in a Base Attack the raiders.
    pub phasing: Side,
    /// Which units may be there, by position.
    pub participants: BySide<Vec<usize>>,
    /// What it is.
    pub kind: StageKind,
}

/// When a stage is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In any case.
    Always,
    /// If this side wants it.
    ChosenBy(Side),
    /// If the last Base Attack had at least so many rounds.
    IfRoundsFlown(u8),
}

/// What a stage is.
#[derive(Clone, Debug)]
pub enum StageKind {
    /// A battle.
    Battle {
        /// Whether the hex holds only water.
        all_sea: bool,
        /// How far each side's nearest Air Base is.
        nearest_air_base: BySide<Option<u8>>,
        /// The action of each round; none is wished for.
        fixed_actions: [Option<Action>; 2],
        /// Points for holding the hex.
        hold_vp: i64,
        /// Points to the other faction if it is declined.
        decline_vp: i64,
    },
    /// A Base Attack.
    BaseAttack {
        /// Rounds at most.
        max_rounds: u8,
        /// The first so many are surprised.
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
    par: i64,
    draw_band: i64,
    decisive_band: i64,
    faction: Vec<RawFaction>,
    stage: Vec<RawStage>,
    /// How the par was found, for the reader.
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
    fixed_actions: Option<Vec<String>>,
    hold_vp: Option<i64>,
    decline_vp: Option<i64>,
    max_rounds: Option<u8>,
    surprise_rounds: Option<u8>,
    early_withdrawal_rounds: Option<u8>,
    early_withdrawal_vp: Option<i64>,
}

/// The most units a faction may have.
pub const MOST_UNITS: usize = 60;

/// Reads the scenarios of every file whose name begins with `scenarios`.
pub fn scenarios(files: &Files, order: &OrderOfBattle) -> Result<Vec<Scenario>, DataError> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (file, _) in files.iter().filter(|(name, _)| name.starts_with("scenarios")) {
        let raw: RawScenarios = files.parse(file)?;
        for scenario in raw.scenario {
            let id = scenario.id.clone();
            let scenario =
                read(scenario, order).map_err(|message| DataError::new(file, format!("scenario '{id}': {message}")))?;
            if scenarios.iter().any(|other| other.id == id) {
                return Err(DataError::new(file, format!("the scenario '{id}' is there twice")));
            }
            scenarios.push(scenario);
        }
    }
    Ok(scenarios)
}

fn read(raw: RawScenario, order: &OrderOfBattle) -> Result<Scenario, String> {
    let [first, second]: [RawFaction; 2] = raw.faction.try_into().map_err(|_| "a scenario has two factions")?;
    let factions = BySide { first: faction(first, order)?, second: faction(second, order)? };
    if let Some(unit) = factions
        .first
        .units
        .iter()
        .find(|unit| factions.second.units.iter().any(|other| other.entry.sheet.id == unit.entry.sheet.id))
    {
        return Err(format!("the unit '{}' is on both sides", unit.entry.sheet.id));
    }
    let stages: Vec<Stage> =
        raw.stage.into_iter().map(|stage| read_stage(stage, &factions)).collect::<Result<_, _>>()?;
    if stages.is_empty() || raw.draw_band < 0 || raw.decisive_band < raw.draw_band {
        return Err("a scenario has a stage, and 0 ≤ draw_band ≤ decisive_band".into());
    }
    Ok(Scenario {
        id: raw.id,
        title: raw.title,
        date: raw.date,
        place: raw.r#where,
        what_if: raw.what_if,
        brief: raw.brief,
        par: raw.par,
        draw_band: raw.draw_band,
        decisive_band: raw.decisive_band,
        factions,
        stages,
    })
}

fn faction(raw: RawFaction, order: &OrderOfBattle) -> Result<Faction, String> {
    let mut units: Vec<ScenarioUnit> = Vec::new();
    for unit in raw.unit {
        let entry = order.with_facts(unit.id, &unit.facts)?;
        if units.iter().any(|other| other.entry.sheet.id == unit.id) {
            return Err(format!("the unit '{}' is there twice", unit.id));
        }
        if unit.damaged && entry.sheet.back.is_none() {
            return Err(format!("the unit '{}' has no damaged side to start on", unit.id));
        }
        units.push(ScenarioUnit { entry, damaged: unit.damaged });
    }
    if units.is_empty() || units.len() > MOST_UNITS {
        return Err(format!("the faction '{}' has {} units; it may have 1 to {MOST_UNITS}", raw.id, units.len()));
    }
    Ok(Faction { id: raw.id, units })
}

fn read_stage(raw: RawStage, factions: &BySide<Faction>) -> Result<Stage, String> {
    let side = |name: &str| {
        factions
            .iter()
            .find(|(_, faction)| faction.id == name)
            .map(|(side, _)| side)
            .ok_or_else(|| format!("stage '{}': there is no faction '{name}'", raw.id))
    };
    let phasing = side(&raw.phasing)?;
    let when = match raw.when.split_once(':') {
        None if raw.when == "always" => When::Always,
        Some(("chosen-by", name)) => When::ChosenBy(side(name)?),
        Some(("if-rounds-flown", n)) => {
            When::IfRoundsFlown(n.parse().map_err(|_| format!("stage '{}': '{n}' is no number of rounds", raw.id))?)
        }
        _ => return Err(format!("stage '{}': '{}' is no time for a stage", raw.id, raw.when)),
    };
    let mut participants: BySide<Vec<usize>> = BySide::default();
    for (name, ids) in &raw.participants {
        let side = side(name)?;
        for id in ids {
            let at = factions[side]
                .units
                .iter()
                .position(|unit| unit.entry.sheet.id == *id)
                .ok_or_else(|| format!("stage '{}': '{name}' has no unit '{id}'", raw.id))?;
            participants[side].push(at);
        }
    }
    let mut nearest_air_base = BySide::default();
    for (name, hexes) in &raw.nearest_air_base {
        nearest_air_base[side(name)?] = Some(*hexes);
    }
    let missing = |field: &str| format!("stage '{}' lacks '{field}'", raw.id);
    let kind = match raw.kind.as_str() {
        "battle" => {
            let actions = raw.fixed_actions.as_ref().ok_or_else(|| missing("fixed_actions"))?;
            let actions: Vec<Option<Action>> = actions
                .iter()
                .map(|word| match word.as_str() {
                    "day" => Ok(Some(Action::Day)),
                    "night" => Ok(Some(Action::Night)),
                    "choice" => Ok(None),
                    other => Err(format!("stage '{}': '{other}' is no action", raw.id)),
                })
                .collect::<Result<_, _>>()?;
            StageKind::Battle {
                all_sea: raw.all_sea.ok_or_else(|| missing("all_sea"))?,
                nearest_air_base,
                fixed_actions: actions
                    .try_into()
                    .map_err(|_| format!("stage '{}': fixed_actions has two entries", raw.id))?,
                hold_vp: raw.hold_vp.ok_or_else(|| missing("hold_vp"))?,
                decline_vp: raw.decline_vp.unwrap_or(0),
            }
        }
        "base-attack" => {
            let max_rounds = raw.max_rounds.ok_or_else(|| missing("max_rounds"))?;
            if !(1..=3).contains(&max_rounds) {
                return Err(format!("stage '{}': a Base Attack has one to three rounds", raw.id));
            }
            StageKind::BaseAttack {
                max_rounds,
                surprise_rounds: raw.surprise_rounds.unwrap_or(0),
                early_withdrawal: raw.early_withdrawal_rounds.zip(raw.early_withdrawal_vp),
            }
        }
        other => return Err(format!("stage '{}': '{other}' is no kind of stage", raw.id)),
    };
    Ok(Stage { id: raw.id, when, phasing, participants, kind })
}
