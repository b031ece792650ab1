//! The figures of the cards and scenario sheets, read once and checked.

use crate::scenario::{Scenario, SideSheet};
use crate::words::{Stance, Status};
use flagplot_kernel::{DataError, Files};
use serde::Deserialize;
use std::collections::BTreeMap;

pub const FILE: &str = "carrier-strike.toml";

/// Everything in the data file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub hits_inflicted: HitsInflicted,
    pub combat_card: CombatCard,
    /// Shifts that do not come from the card.
    pub modifiers: Modifiers,
    pub detection: Detection,
    pub carrier: Carrier,
    pub geometry: Geometry,
    pub ranges: Ranges,
    pub speeds: Speeds,
    pub squadron: SquadronFigures,
    pub scenario: Vec<Scenario>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HitsInflicted {
    /// Aircraft needed for a hit, column by column.
    pub one_hit_per: [u8; 9],
    /// The column without any shift.
    pub start_column: u8,
    pub die_shift: [i8; 6],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CombatCard {
    stances: [Stance; 3],
    aggression: [i8; 3],
    /// The number on each edge.
    pub detection_numbers: [u8; 4],
    /// The pressure that drives the enemy off.
    pub break_off_at: i8,
    pub aa_break_off_bonus: AaBonus,
    shift: BTreeMap<Stance, BTreeMap<Stance, i8>>,
    #[serde(skip)]
    cells: [[i8; 3]; 3],
    #[serde(skip)]
    aggressions: [i8; 3],
}

/// What guns add to their pressure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AaBonus {
    /// The aircraft shot down.
    Hits,
    /// Always 2.
    #[serde(rename = "flat-2")]
    Flat2,
}

impl CombatCard {
    /// The shift of the hits that `own` inflicts on `enemy`.
    pub fn shift(&self, own: Stance, enemy: Stance) -> i8 {
        self.cells[own as usize][enemy as usize]
    }
    pub fn aggression(&self, stance: Stance) -> i8 {
        self.aggressions[stance as usize]
    }
}

/// Shifts that do not come from the card.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifiers {
    pub fighters_v_strike: i8,
    pub fighters_v_rl_1: i8,
    pub strike_or_rl_1_v_fighters: i8,
    pub kamikaze_strike: i8,
    pub aa_v_kamikaze: i8,
    /// Each red marker of one's own.
    pub marker_red: i8,
    /// Each blue marker of the enemy.
    pub marker_blue: i8,
}

/// The detection table, for the totals 2 to 8.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detection {
    pub combat_or_cv: [bool; 7],
    pub recce: [bool; 7],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carrier {
    /// Hits that destroy it.
    pub steps: u8,
    /// Hits that cripple it.
    pub crippled_at: u8,
    /// Guns by hits.
    pub aa_by_hits: AaTable,
    pub capacity: Capacity,
}

/// Guns of a carrier group by hits taken.
pub type AaTable = [u8; 9];

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    /// With both carriers.
    pub operational: Room,
    /// With one.
    pub crippled: Room,
}

/// How much fits aboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    pub combat_aircraft: u8,
    pub recce_squadrons: u8,
}

impl Carrier {
    /// How a group with so many hits fares.
    pub fn status(&self, hits: u8) -> Status {
        if hits >= self.steps {
            Status::Destroyed
        } else if hits >= self.crippled_at {
            Status::Crippled
        } else {
            Status::Operational
        }
    }

    /// How much fits aboard.
    pub fn room(&self, hits: u8) -> Room {
        match self.status(hits) {
            Status::Operational => self.capacity.operational,
            Status::Crippled => self.capacity.crippled,
            Status::Destroyed => Room { combat_aircraft: 0, recce_squadrons: 0 },
        }
    }
}

/// Sizes in thousandths of a card length.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// North to south.
    pub card_length: i64,
    /// West to east.
    pub card_width: i64,
    /// Of the die that stands for a squadron.
    pub die_radius: i64,
    /// How near centres must be to touch.
    pub touch: i64,
    pub area_width: i64,
    pub sea_room: i64,
}

/// Ranges in card lengths.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    pub automatic_detection: i64,
    pub contact: i64,
    pub dogfight_reach: i64,
    pub detect: i64,
    pub dogfight: i64,
    pub strike: i64,
    pub land: i64,
    pub launch: i64,
    pub stay_detected_squadron: i64,
    pub stay_detected_cv: i64,
}

/// How far things move, in thousandths.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speeds {
    pub squadron_move: i64,
    pub strike_approach: i64,
    pub after_strike: i64,
    pub break_off: i64,
    pub contact_evasion: i64,
    pub step_3_move: i64,
    pub cv: i64,
    pub cv_crippled: i64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquadronFigures {
    pub full_strength: u8,
    pub combat_range: u8,
    pub recce_range: u8,
    pub recce_strength: u8,
}

impl Rules {
    pub fn read(files: &Files) -> Result<Rules, DataError> {
        let mut rules: Rules = files.parse(FILE)?;
        let wrong = |message: String| Err(DataError::new(FILE, message));
        if rules.hits_inflicted.one_hit_per.windows(2).any(|pair| pair[0] < pair[1])
            || rules.hits_inflicted.one_hit_per.contains(&0)
        {
            return wrong("hits_inflicted.one_hit_per must fall from left to right and stay above 0".into());
        }
        if rules.hits_inflicted.start_column > 8 {
            return wrong("hits_inflicted.start_column must be one of the columns 0 to 8".into());
        }
        let card = &mut rules.combat_card;
        for (stance, aggression) in card.stances.iter().zip(card.aggression) {
            card.aggressions[*stance as usize] = aggression;
        }
        for &own in Stance::ALL {
            if card.stances.iter().filter(|stance| **stance == own).count() != 1 {
                return wrong(format!("combat_card.stances must name {own} exactly once"));
            }
            for &enemy in Stance::ALL {
                match card.shift.get(&own).and_then(|row| row.get(&enemy)) {
                    Some(cell) if (-8..=8).contains(cell) => card.cells[own as usize][enemy as usize] = *cell,
                    _ => {
                        return wrong(format!(
                            "combat_card.shift needs a cell for {own} against {enemy}, from -8 to 8"
                        ));
                    }
                }
            }
        }
        let mut numbers = card.detection_numbers;
        numbers.sort_unstable();
        if numbers != [1, 2, 3, 4] {
            return wrong("combat_card.detection_numbers must hold 1, 2, 3 and 4 once each".into());
        }
        if rules.carrier.steps != 8 || !(1..8).contains(&rules.carrier.crippled_at) {
            return wrong("carrier.steps must be 8, and carrier.crippled_at below it".into());
        }
        let geometry = &rules.geometry;
        let sizes = [
            geometry.card_length,
            geometry.card_width,
            geometry.die_radius,
            geometry.touch,
            geometry.area_width,
            geometry.sea_room,
        ];
        let speeds = &rules.speeds;
        let speeds = [
            speeds.squadron_move,
            speeds.strike_approach,
            speeds.after_strike,
            speeds.break_off,
            speeds.contact_evasion,
            speeds.step_3_move,
            speeds.cv,
            speeds.cv_crippled,
        ];
        if sizes.iter().chain(&speeds).any(|size| !(1..=100_000).contains(size)) {
            return wrong("every size and speed must lie between 1 and 100000".into());
        }
        if rules.geometry.sea_room < rules.speeds.break_off
            || rules.speeds.break_off != 3000
            || rules.speeds.contact_evasion != 3000
        {
            return wrong(
                "the compass lines are made for breaking off and giving way by 3000 inside the sea room".into(),
            );
        }
        for scenario in &rules.scenario {
            scenario.check().map_err(|why| DataError::new(FILE, format!("scenario {}: {why}", scenario.id)))?;
        }
        if rules.scenario.is_empty() {
            return wrong("there is no scenario".into());
        }
        Ok(rules)
    }
    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.scenario.iter().find(|scenario| scenario.id == id)
    }

    /// The guns of a side in a scenario.
    pub fn aa_table(&self, sheet: &SideSheet) -> AaTable {
        sheet.aa_by_hits.unwrap_or(self.carrier.aa_by_hits)
    }
}
