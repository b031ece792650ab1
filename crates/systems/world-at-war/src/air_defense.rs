//! Air defense of ships, ports and targets on land. [23.42]

use crate::air::{self, AirGroup, AirType};
use crate::charts::{Charts, DiceColumn, Reading, Toll};
use crate::nation::modified;
use crate::naval_data::NavalData;
use crate::{Rules, rule};
use flagplot_kernel::{Ask, Asked, D6, Note};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// Everything that shoots at an air attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Shaped)]
#[serde(default, deny_unknown_fields)]
pub struct Defenses {
    /// of the whole attacked force, without escort carriers and transports
    ///
    /// Damaged ships count in full.
    #[shape(0..=100_000, or = 0)]
    pub naval_factors: u32,
    /// escort carriers
    #[shape(0..=1000, or = 0)]
    pub cves: u32,
    /// air defense research results
    #[shape(0..=1000, or = 0)]
    pub research_results: u32,
    /// flak factors
    #[shape(0..=1000, or = 0)]
    pub flak: u32,
    /// airbase counters
    #[shape(0..=1000, or = 0)]
    pub airbases: u32,
    /// objective symbols
    #[shape(0..=1000, or = 0)]
    pub objectives: u32,
    /// anchor symbols
    #[shape(0..=1000, or = 0)]
    pub anchors: u32,
    /// cities
    #[shape(0..=1000, or = 0)]
    pub cities: u32,
    /// ports
    #[shape(0..=1000, or = 0)]
    pub ports: u32,
    /// fortifications
    #[shape(0..=1000, or = 0)]
    pub fortifications: u32,
    /// fortresses
    #[shape(0..=1000, or = 0)]
    pub fortresses: u32,
    /// beach defenses, which count nothing
    #[shape(0..=1000, or = 0)]
    pub beach_defenses: u32,
    /// battleships of five factors
    #[shape(0..=1000, or = 0)]
    pub five_factor_battleships: u32,
    /// large carriers
    #[shape(0..=1000, or = 0)]
    pub cvbs: u32,
}

/// The parts of an air defense level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct LevelParts {
    /// one for ten or part of ten
    pub naval_factors: i32,
    /// research results
    pub research: i32,
    /// flak, airbases, objectives, anchors
    pub ground: i32,
    /// two for each
    pub cities_and_ports: i32,
    /// one, fortresses two
    pub fortifications: i32,
    /// one for each
    pub five_factor_battleships: i32,
    /// one for each
    pub cvbs: i32,
    /// -1 from level 2 on
    pub surprise: i32,
}

impl LevelParts {
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

/// The surprise that weakens air defense.
const SURPRISE_FROM: u32 = 2;

/// The level of an air defense against an attacker's surprise. [23.42]
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
    pub roll: u32,
    pub reading: Reading<u32, Toll>,
}

/// Notes the parts of a level.
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
        ask.note(|| Note::new("no-air-defense", "The air defense level is 0 or less: no roll.").by(&[rule::R_17]));
        return Ok(None);
    }
    let roll = ask.sum(2, D6, "air defense")?;
    let reading = charts.air_defense(ask, level as u32, roll.total as i32);
    ask.note(|| {
        let overflow: &[_] = if reading.rows.len() > 1 { &[rule::R_18] } else { &[] };
        let text = format!(
            "Air defense rolls {}: {} eliminated, {} aborted.",
            roll.total, reading.sum.eliminated, reading.sum.aborted
        );
        let note = Note::new("air-defense", text).by(&[rule::AIR_DEFENSE_TABLE]).by(overflow);
        note.dice(&roll.faces.0).outcome(reading.sum.to_string())
    });
    Ok(Some(Barrage { roll: roll.total, reading }))
}

/// What the guns around a place do before anything is lost: their level by parts, and their roll if they have one.
/// [23.42, R-17]
pub fn guns(
    rules: &Rules,
    defenses: &Defenses,
    surprise: u32,
    ask: &mut impl Ask,
) -> Asked<(LevelParts, Option<Barrage>)> {
    let level_parts = level(defenses, surprise, &rules.naval);
    note_level(defenses, &level_parts, ask);
    Ok((level_parts, barrage(&rules.charts, level_parts.level(), ask)?))
}

/// Notes what the guns cost a force.
pub fn note_losses(toll: Toll, remaining: u32, suicidal: bool, ask: &mut impl Ask) {
    ask.note(|| {
        let kamikazes: &[_] = if suicidal { &[rule::R_28] } else { &[] };
        let Toll { eliminated, aborted } = toll;
        let text = format!("{eliminated} eliminated, {aborted} aborted, {remaining} left.");
        Note::new("air-defense-losses", text).by(&[rule::R_27]).by(kamikazes).outcome(toll.to_string())
    });
}

/// What air defense did.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct AirDefense {
    /// the air defense level
    pub level: i32,
    /// the level by parts
    pub level_parts: LevelParts,
    /// attackers in all
    pub attackers: u32,
    /// two dice, if rolled
    #[shape(2..=12)]
    pub roll: Option<u32>,
    /// the column read
    pub column: Option<DiceColumn>,
    /// the rows read
    #[shape(1..=10, items = 0..=100_000)]
    pub rows: Vec<u32>,
    /// attackers the table eliminates
    pub table_eliminated: u32,
    /// attackers the table aborts
    pub table_aborted: u32,
    /// attackers eliminated
    pub eliminated: u32,
    /// attackers aborted
    pub aborted: u32,
    /// attackers left
    pub remaining: u32,
}

/// Air defense against a force, which is left with what gets through. Kamikazes do not abort. [23.42, R-27, R-28]
pub fn air_defense(
    rules: &Rules,
    force: &mut [AirGroup],
    defenses: &Defenses,
    surprise: u32,
    ask: &mut impl Ask,
) -> Asked<AirDefense> {
    let attackers = air::strength(force);
    let (level_parts, barrage) = guns(rules, defenses, surprise, ask)?;
    let table = barrage.as_ref().map_or(Toll::default(), |barrage| barrage.reading.sum);
    let suicidal = force.iter().any(|group| group.kind == AirType::Kamikaze && group.count > 0);
    let toll = air::lose(force, table, |group| group.kind != AirType::Kamikaze);
    let remaining = air::strength(force);
    note_losses(toll, remaining, suicidal, ask);
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
