//! Air defence of ships, ports and targets on land. [23.42]

use crate::Rulebook;
use crate::air::{self, AirGroup, AirType};
use crate::charts::{Charts, DiceColumn, Reading, Toll};
use crate::nation::modified;
use crate::naval_data::NavalData;
use crate::rule;
use flagplot_kernel::{Ask, Asked, D6, Note};
use serde::{Deserialize, Serialize};

/// Everything that shoots at an air attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Defenses {
    /// Naval factors of the whole attacked force, damaged ones included, without escort carriers and transports.
    pub naval_factors: u32,
    /// Escort carriers.
    pub cves: u32,
    /// Air defence research results.
    pub research_results: u32,
    /// Flak factors.
    pub flak: u32,
    /// Airbase counters.
    pub airbases: u32,
    /// Objective symbols.
    pub objectives: u32,
    /// Anchor symbols.
    pub anchors: u32,
    /// Cities.
    pub cities: u32,
    /// Ports.
    pub ports: u32,
    /// Fortifications.
    pub fortifications: u32,
    /// Fortresses.
    pub fortresses: u32,
    /// Beach defences, which shoot at nothing in the air.
    pub beach_defenses: u32,
    /// Battleships of five factors.
    pub five_factor_battleships: u32,
    /// Large carriers.
    pub cvbs: u32,
}

/// The parts of an air defence level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct LevelParts {
    /// One for every ten naval factors or part of ten.
    pub naval_factors: i32,
    /// One for each research result.
    pub research: i32,
    /// One for each flak factor, airbase, objective and anchor.
    pub ground: i32,
    /// Two for each city and port.
    pub cities_and_ports: i32,
    /// One for each fortification, two for each fortress.
    pub fortifications: i32,
    /// One for each.
    pub five_factor_battleships: i32,
    /// One for each.
    pub cvbs: i32,
    /// One less against surprise.
    pub surprise: i32,
}

impl LevelParts {
    /// The level.
    #[must_use]
    pub fn level(&self) -> i32 {
        self.naval_factors
            + self.research
            + self.ground
            + self.cities_and_ports
            + self.fortifications
            + self.five_factor_battleships
            + self.cvbs
            + self.surprise
    }
}

/// The surprise that weakens air defence.
const SURPRISE_FROM: u32 = 2;

/// The level of an air defence against an attacker's surprise. [23.42]
#[must_use]
pub fn level(defenses: &Defenses, surprise: u32, naval: &NavalData) -> LevelParts {
    let naval_factors = defenses.naval_factors + naval.air_defense_value.cve * defenses.cves;
    LevelParts {
        naval_factors: naval_factors.div_ceil(10) as i32,
        research: defenses.research_results as i32,
        ground: (defenses.flak + defenses.airbases + defenses.objectives + defenses.anchors) as i32,
        cities_and_ports: 2 * (defenses.cities + defenses.ports) as i32,
        fortifications: (defenses.fortifications + 2 * defenses.fortresses) as i32,
        five_factor_battleships: defenses.five_factor_battleships as i32,
        cvbs: defenses.cvbs as i32,
        surprise: if surprise >= SURPRISE_FROM { -1 } else { 0 },
    }
}

/// What the guns rolled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Barrage {
    /// The two dice.
    pub roll: u32,
    /// What the table says.
    pub reading: Reading<u32, Toll>,
}

/// Notes how a level comes about.
fn note_level(defenses: &Defenses, parts: &LevelParts, ask: &mut impl Ask) {
    ask.note(|| {
        let (level, ships) = (parts.level(), if defenses.cves > 0 { rule::R_50 } else { rule::AIR_DEFENSE_TABLE });
        let mut note = Note::new("air-defense-level", format!("Air defense level {level}"))
            .by(&[rule::AIR_DEFENSE_TABLE, rule::R_45])
            .outcome(level);
        if defenses.naval_factors > 0 {
            note.rules.push(rule::R_35);
        }
        if defenses.cves > 0 {
            note.rules.push(rule::R_32);
        }
        modified(
            note,
            &[
                ("naval factors", parts.naval_factors, ships),
                ("research", parts.research, rule::AIR_DEFENSE_TABLE),
                ("flak, airbases, objectives, anchors", parts.ground, rule::AIR_DEFENSE_TABLE),
                ("cities and ports", parts.cities_and_ports, rule::AIR_DEFENSE_TABLE),
                ("fortifications", parts.fortifications, rule::AIR_DEFENSE_TABLE),
                ("five-factor battleships", parts.five_factor_battleships, rule::AIR_DEFENSE_TABLE),
                ("large carriers", parts.cvbs, rule::AIR_DEFENSE_TABLE),
                ("surprise", parts.surprise, rule::R_37),
            ],
        )
    });
}

/// The guns roll, unless their level is 0 or less. [23.42, R-17]
pub fn barrage(charts: &Charts, level: i32, ask: &mut impl Ask) -> Asked<Option<Barrage>> {
    if level <= 0 {
        ask.note(|| Note::new("no-air-defense", "Without a level nobody shoots.").by(&[rule::R_17]));
        return Ok(None);
    }
    let roll = ask.sum(2, D6, "air defense")?;
    let reading = charts.air_defense(ask, level as u32, roll.total as i32);
    ask.note(|| {
        let mut rules = vec![rule::AIR_DEFENSE_TABLE];
        if reading.rows.len() > 1 {
            rules.push(rule::R_18);
        }
        let text = format!(
            "Air defense rolls {}: {} eliminated, {} aborted.",
            roll.total, reading.sum.eliminated, reading.sum.aborted
        );
        Note::new("air-defense", text).by(&rules).dice(&roll.faces.0).outcome(reading.sum.to_string())
    });
    Ok(Some(Barrage { roll: roll.total, reading }))
}

/// What air defence did.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AirDefense {
    /// Its level.
    pub level: i32,
    /// The parts of the level.
    pub level_parts: LevelParts,
    /// Attackers it shot at.
    pub attackers: u32,
    /// Its two dice, if it rolled.
    pub roll: Option<u32>,
    /// The column read, if it rolled.
    pub column: Option<DiceColumn>,
    /// The rows read.
    pub rows: Vec<u32>,
    /// Attackers the table eliminates.
    pub table_eliminated: u32,
    /// Attackers the table aborts.
    pub table_aborted: u32,
    /// Attackers eliminated.
    pub eliminated: u32,
    /// Attackers aborted.
    pub aborted: u32,
    /// Attackers left.
    pub remaining: u32,
}

/// Air defence against a force, which is left with what gets through. Kamikazes do not abort. [23.42, R-27, R-28]
pub fn air_defense(
    book: &Rulebook,
    force: &mut [AirGroup],
    defenses: &Defenses,
    surprise: u32,
    ask: &mut impl Ask,
) -> Asked<AirDefense> {
    let level_parts = level(defenses, surprise, &book.naval);
    let attackers = air::strength(force);
    note_level(defenses, &level_parts, ask);
    let barrage = barrage(&book.charts, level_parts.level(), ask)?;
    let table = barrage.as_ref().map_or(Toll::default(), |barrage| barrage.reading.sum);
    let suicidal = force.iter().any(|group| group.kind == AirType::Kamikaze && group.count > 0);
    let toll = air::lose(force, table, |group| group.kind != AirType::Kamikaze);
    let remaining = air::strength(force);
    ask.note(|| {
        let rules: &[_] = if suicidal { &[rule::R_27, rule::R_28] } else { &[rule::R_27] };
        Note::new(
            "air-defense-losses",
            format!("{} eliminated, {} aborted, {remaining} get through.", toll.eliminated, toll.aborted),
        )
        .by(rules)
        .outcome(toll.to_string())
    });
    let (roll, column, rows) = match barrage {
        None => (None, None, Vec::new()),
        Some(barrage) => (Some(barrage.roll), Some(barrage.reading.column), barrage.reading.rows),
    };
    Ok(AirDefense {
        level: level_parts.level(),
        level_parts,
        attackers,
        roll,
        column,
        rows,
        table_eliminated: table.eliminated,
        table_aborted: table.aborted,
        eliminated: toll.eliminated,
        aborted: toll.aborted,
        remaining,
    })
}
