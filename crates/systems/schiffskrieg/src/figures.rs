//! Figures kept as data (`rules.toml`), for those who own the published module and know better.

use crate::rule;
use flagplot_kernel::{D6, DataError, Die, Files};
use flagplot_referee::Chart;
use serde::Deserialize;

/// Figures of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The die of the system.
    pub die: Die,
    /// What each face of an attack die does.
    pub faces: [Face; 7],
    /// Against an LBA a carrier rolls a die for so many factors.
    pub carrier_vs_lba_divisor: u8,
    /// What the wish for Day adds.
    pub day_drm: i64,
    /// What a near Air Base adds.
    pub air_base_drm: i64,
    /// How near it must be.
    pub air_base_range: u8,
    /// Combat Rounds at most.
    pub max_rounds: u8,
    /// So many times the other's strength holds the hex.
    pub hold_ratio: u32,
    /// Base Attack rounds at most, unless a scenario says otherwise.
    pub base_attack_rounds: u8,
    /// What surprise multiplies the raiders' dice by.
    pub surprise_multiplier: u8,
    /// The shortest delay.
    pub delay_minimum: i64,
    /// What repair adds to the delay.
    pub repair_drm: i64,
}

/// What a face of an attack die does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// Nothing.
    Miss = 0,
    /// The target ship is disabled.
    Disabled = 1,
    /// A die of damage.
    Hit = 2,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    dice: RawDice,
    dice_count: RawCount,
    day_night: RawDayNight,
    battle: RawBattle,
    base_attack: RawBase,
    delay: RawDelay,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDice {
    hit_faces: Vec<u8>,
    disabled_faces: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCount {
    carrier_vs_lba_divisor: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDayNight {
    day_drm: i64,
    air_base_drm: i64,
    air_base_range: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBattle {
    max_rounds: u8,
    hold_ratio: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBase {
    max_rounds: u8,
    surprise_multiplier: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDelay {
    minimum: i64,
    repair_drm: i64,
}

impl Figures {
    /// The figures a player looks up, as chart cards.
    pub(crate) fn cards(&self) -> Vec<Chart> {
        let mut attack = Chart::new("attack-die", "Attack dice", rule::C_1, "die", "").columns(["result"]);
        for face in 1..=self.die.sides {
            attack = attack.row(
                face,
                [match self.faces[usize::from(face)] {
                    Face::Miss => "miss",
                    Face::Disabled => "Disabled (no effect on an LBA)",
                    Face::Hit => "Hit: roll a die for damage",
                }],
            );
        }
        let day = Chart::new("day-night", "Day or night", rule::DAY_NIGHT, "for either side", "")
            .columns(["added to the die"])
            .row("wish for Day", [format!("{:+}", self.day_drm)])
            .row(format!("an Air Base within {} hexes, All-Sea hex", self.air_base_range), [format!("{:+}", self.air_base_drm)])
            .note("If both want the same there is no roll; otherwise the higher total has its wish, and the non-phasing faction wins ties.");
        vec![attack, day]
    }

    /// Reads and checks the figures.
    pub fn read(files: &Files) -> Result<Self, DataError> {
        let raw: Raw = files.parse("rules.toml")?;
        let wrong = |message: &str| Err(DataError::new("rules.toml", message));
        let mut faces = [Face::Miss; 7];
        for (list, what) in [(&raw.dice.disabled_faces, Face::Disabled), (&raw.dice.hit_faces, Face::Hit)] {
            for &face in list {
                match faces.get_mut(face as usize) {
                    Some(place @ Face::Miss) if face > 0 => *place = what,
                    _ => return wrong("hit_faces and disabled_faces are different faces from 1 to 6"),
                }
            }
        }
        if raw.dice_count.carrier_vs_lba_divisor == 0
            || raw.battle.hold_ratio == 0
            || raw.base_attack.surprise_multiplier == 0
        {
            return wrong("carrier_vs_lba_divisor, hold_ratio and surprise_multiplier are at least 1");
        }
        if !(1..=2).contains(&raw.battle.max_rounds) || !(1..=3).contains(&raw.base_attack.max_rounds) {
            return wrong("max_rounds is 1 or 2 for a battle and 1 to 3 for a Base Attack");
        }
        Ok(Self {
            die: D6,
            faces,
            carrier_vs_lba_divisor: raw.dice_count.carrier_vs_lba_divisor,
            day_drm: raw.day_night.day_drm,
            air_base_drm: raw.day_night.air_base_drm,
            air_base_range: raw.day_night.air_base_range,
            max_rounds: raw.battle.max_rounds,
            hold_ratio: raw.battle.hold_ratio,
            base_attack_rounds: raw.base_attack.max_rounds,
            surprise_multiplier: raw.base_attack.surprise_multiplier,
            delay_minimum: raw.delay.minimum,
            repair_drm: raw.delay.repair_drm,
        })
    }
}
