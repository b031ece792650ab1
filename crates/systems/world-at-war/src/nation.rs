//! Nations and the two nationality charts.

use crate::rule;
use flagplot_kernel::{DataError, Files, Modifier, Note, Rule};
use flagplot_referee::{Shape, Shaped, words};
use serde::Deserialize;

/// A country with forces of its own.
#[words]
pub enum Nation {
    Germany,
    Japan,
    UnitedStates,
    Britain,
    Italy,
    Russia,
    France,
    Finland,
    Sweden,
    Australia,
    Greece,
    Rumania,
    Spain,
    Turkey,
    DutchEastIndies,
    Netherlands,
    Norway,
    Denmark,
    Belgium,
    Poland,
    Hungary,
    Bulgaria,
    Yugoslavia,
    China,
    Thailand,
    Portugal,
}

const NAMES: [&str; Nation::ALL.len()] = [
    "Germany",
    "Japan",
    "United States",
    "Britain",
    "Italy",
    "Russia",
    "France",
    "Finland",
    "Sweden",
    "Australia",
    "Greece",
    "Rumania",
    "Spain",
    "Turkey",
    "Dutch East Indies",
    "Netherlands",
    "Norway",
    "Denmark",
    "Belgium",
    "Poland",
    "Hungary",
    "Bulgaria",
    "Yugoslavia",
    "China",
    "Thailand",
    "Portugal",
];

impl Nation {
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// What its forces are called: `American`.
    pub(crate) fn adjective(self) -> &'static str {
        match self {
            Nation::Germany => "German",
            Nation::Japan => "Japanese",
            Nation::UnitedStates => "American",
            Nation::Britain => "British",
            Nation::Italy => "Italian",
            Nation::Russia => "Russian",
            Nation::France => "French",
            Nation::Rumania => "Rumanian",
            Nation::China => "Chinese",
            Nation::Australia => "Australian",
            Nation::DutchEastIndies | Nation::Netherlands => "Dutch",
            other => other.name(),
        }
    }
}

/// A nation of a request: another word has a code of its own.
pub(crate) fn nation() -> Shape {
    Nation::shape().or_refuse("unknown-nation", rule::C_3)
}

/// Shortages of a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Shaped)]
pub struct Supply {
    /// only partly supplied
    #[shape(or = false)]
    pub partial_supply: bool,
    /// short of oil
    #[shape(or = false)]
    pub oil_effects: bool,
}

impl Supply {
    /// Whether it costs anything. Both shortages together cost no more than one.
    #[must_use]
    pub fn is_short(self) -> bool {
        self.partial_supply || self.oil_effects
    }
}

/// What a chart's modifier is gathered into: a number alone, or a number with the reasons for it.
pub trait Reasons: Default {
    /// Adds something for a reason.
    fn add(&mut self, name: &'static str, value: i32, rule: Rule);
}

impl Reasons for i32 {
    #[inline]
    fn add(&mut self, _: &'static str, value: i32, _: Rule) {
        *self += value;
    }
}

/// A chart's modifier with the reasons for it.
///
/// The reasons sit in a fixed place, so that finding a modifier costs no memory where the proof is not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drm {
    pub total: i32,
    parts: [Option<(&'static str, i32, Rule)>; MOST_PARTS],
}

/// A nation's figure and five additions are all that any group can have.
const MOST_PARTS: usize = 6;

impl Reasons for Drm {
    fn add(&mut self, name: &'static str, value: i32, rule: Rule) {
        self.total += value;
        if let Some(place) = self.parts.iter_mut().find(|part| part.is_none()) {
            *place = Some((name, value, rule));
        }
    }
}

impl Drm {
    /// A note of it with its reasons.
    pub(crate) fn note(&self, what: &'static str, text: String) -> Note {
        let reasons = self.parts.iter().flatten();
        let mut note = Note::new(what, text).detail().outcome(self.total);
        note.modifiers.extend(reasons.map(|&(name, value, rule)| Modifier::new(name, i64::from(value), rule)));
        note
    }
}

/// A note with the modifiers that are there, by name: those of 0 are left out of the proof.
pub(crate) fn modified(mut note: Note, modifiers: &[(&str, i32, Rule)]) -> Note {
    note.modifiers.extend(
        modifiers
            .iter()
            .filter(|(_, value, _)| *value != 0)
            .map(|&(name, value, rule)| Modifier::new(name, i64::from(value), rule)),
    );
    note
}

/// A note that cites the rule of the edge, if a number lies beyond the table's.
pub(crate) fn at_edge(mut note: Note, number: i32, table: std::ops::RangeInclusive<i32>) -> Note {
    if !table.contains(&number) {
        note.rules.push(rule::R_4);
    }
    note
}

/// The level that most of a force has, the lower one when tied. A part is a level with its strength.
///
#[must_use]
pub fn majority<P: Iterator<Item = (i32, u32)> + Clone>(parts: P) -> i32 {
    let mut levels = parts.clone().map(|(level, _)| level);
    // Mostly all of a force is alike, and nothing needs to be added up.
    if let Some(first) = levels.next()
        && levels.all(|level| level == first)
    {
        return first;
    }
    let holds = |level: i32| parts.clone().filter(|part| part.0 == level).map(|part| u64::from(part.1)).sum::<u64>();
    parts.clone().map(|(level, _)| level).max_by_key(|&level| (holds(level), std::cmp::Reverse(level))).unwrap_or(0)
}

/// The modifier of a force: that of most of its units, the lower one when tied.
pub(crate) fn force_drm<P: Iterator<Item = (i32, u32)> + Clone>(parts: P) -> i32 {
    majority(parts.filter(|(_, count)| *count > 0))
}

/// The reasons for a force's modifier: those of the first of its units that has it.
pub(crate) fn force_reasons(mut drms: impl Iterator<Item = (Drm, u32)>, total: i32) -> Drm {
    drms.find(|(drm, count)| *count > 0 && drm.total == total).map_or_else(Drm::default, |(drm, _)| drm)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NationalityFile {
    nation: Vec<NationLine>,
    air_modifiers: AirModifiers,
    naval_modifiers: NavalModifiers,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NationLine {
    id: Nation,
    air: i32,
    naval: i32,
    source: Source,
}

/// Where a nation's figures come from.
#[words]
pub enum Source {
    /// The charts name it.
    Chart,
    /// A completion. [C-3]
    Completion,
}

/// What is added to a nation's air modifier.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirModifiers {
    pub elite_japanese_naval_air: i32,
    pub interceptors: i32,
    pub british_naval_air: i32,
    pub winter_effect_8_or_more: i32,
    pub partial_supply_or_oil_effects: i32,
}

/// What is added to a nation's naval modifier.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavalModifiers {
    pub five_factor_battleship: i32,
    pub german_submarine: i32,
    pub cvl_japan: i32,
    pub cvl_united_states: i32,
    pub cvl_germany: i32,
    pub cvl_italy: i32,
    pub cvl_britain: i32,
    pub cvl_other: i32,
    pub cv: i32,
    pub cve: i32,
    pub cvb: i32,
    pub partial_supply_or_oil_effects: i32,
}

impl NavalModifiers {
    /// What a light carrier of a nation adds.
    #[must_use]
    pub fn cvl(&self, nation: Nation) -> i32 {
        match nation {
            Nation::Japan => self.cvl_japan,
            Nation::UnitedStates => self.cvl_united_states,
            Nation::Germany => self.cvl_germany,
            Nation::Italy => self.cvl_italy,
            Nation::Britain => self.cvl_britain,
            _ => self.cvl_other,
        }
    }
}

#[derive(Clone, Debug)]
pub struct NationalityCharts {
    nations: Vec<(i32, i32, Source)>,
    pub air_modifiers: AirModifiers,
    pub naval_modifiers: NavalModifiers,
}

/// The largest modifier a chart may name.
const LARGEST: i32 = 9;

impl NationalityCharts {
    /// Reads `nationality.toml`; every nation must be there once.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        const FILE: &str = "nationality.toml";
        let file: NationalityFile = files.parse(FILE)?;
        let mut nations = Vec::new();
        for &nation in Nation::ALL {
            let error = |why: String| Err(DataError::new(FILE, format!("{nation}{why}")));
            let lines: Vec<&NationLine> = file.nation.iter().filter(|line| line.id == nation).collect();
            let &[line] = lines.as_slice() else {
                return error(format!(" has {} entries; every nation has exactly one", lines.len()));
            };
            if line.air.abs() > LARGEST || line.naval.abs() > LARGEST {
                return error(format!(": a modifier beyond {LARGEST} would leave every table"));
            }
            nations.push((line.air, line.naval, line.source));
        }
        Ok(Self { nations, air_modifiers: file.air_modifiers, naval_modifiers: file.naval_modifiers })
    }

    /// A nation's figure in the air, before anything is added.
    #[must_use]
    pub fn air(&self, nation: Nation) -> i32 {
        self.nations[nation as usize].0
    }

    /// A nation's figure at sea, before anything is added.
    #[must_use]
    pub fn naval(&self, nation: Nation) -> i32 {
        self.nations[nation as usize].1
    }

    /// The rule that gives a nation's figures.
    #[must_use]
    pub fn rule(&self, nation: Nation, chart: Rule) -> Rule {
        match self.nations[nation as usize].2 {
            Source::Chart => chart,
            Source::Completion => rule::C_3,
        }
    }
}
