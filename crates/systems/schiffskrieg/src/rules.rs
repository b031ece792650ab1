//! The figures of the rules, read from `rules.toml`: an owner of the published module can change them.

use crate::rule;
use flagplot_kernel::{D6, DataError, Files};
use flagplot_referee::Chart;
use serde::Deserialize;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// What each face of an attack die does; there is no face 0.
    #[serde(rename = "dice", deserialize_with = "faces")]
    pub faces: [Face; 7],
    pub dice_count: DiceCount,
    pub day_night: DayNight,
    pub battle: BattleRules,
    pub base_attack: BaseAttackRules,
    pub delay: DelayRules,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    Miss = 0,
    Disabled = 1,
    Hit = 2,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceCount {
    /// Airstrike Factors of a carrier for each die against an LBA.
    pub carrier_vs_lba_divisor: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayNight {
    pub day_drm: i64,
    pub air_base_drm: i64,
    /// In hexes.
    pub air_base_range: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BattleRules {
    pub max_rounds: u8,
    /// How many times the enemy's strength holds the hex.
    pub hold_ratio: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseAttackRules {
    /// Unless a scenario says otherwise.
    pub max_rounds: u8,
    /// Multiplies the raiders' dice in a surprise round.
    pub surprise_multiplier: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DelayRules {
    /// In turns.
    pub minimum: i64,
    pub repair_drm: i64,
}

fn faces<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<[Face; 7], D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Dice {
        hit_faces: Vec<u8>,
        disabled_faces: Vec<u8>,
    }
    let dice = Dice::deserialize(deserializer)?;
    let mut faces = [Face::Miss; 7];
    for (list, what) in [(dice.disabled_faces, Face::Disabled), (dice.hit_faces, Face::Hit)] {
        for face in list {
            match faces.get_mut(usize::from(face)) {
                Some(place @ Face::Miss) if face > 0 => *place = what,
                _ => {
                    let message = "hit_faces and disabled_faces are different faces from 1 to 6";
                    return Err(serde::de::Error::custom(message));
                }
            }
        }
    }
    Ok(faces)
}

impl Rules {
    pub fn read(files: &Files) -> Result<Self, DataError> {
        const FILE: &str = "rules.toml";
        let rules: Self = files.parse(FILE)?;
        let multipliers = [rules.dice_count.carrier_vs_lba_divisor, rules.base_attack.surprise_multiplier];
        if multipliers.contains(&0) || rules.battle.hold_ratio == 0 {
            let message = "carrier_vs_lba_divisor, hold_ratio and surprise_multiplier are at least 1";
            return Err(DataError::new(FILE, message));
        }
        if !(1..=2).contains(&rules.battle.max_rounds) || !(1..=3).contains(&rules.base_attack.max_rounds) {
            return Err(DataError::new(FILE, "max_rounds is 1 or 2 for a battle and 1 to 3 for a Base Attack"));
        }
        Ok(rules)
    }

    pub(crate) fn charts(&self) -> Vec<Chart> {
        let mut attack = Chart::new("attack-die", "Attack dice", rule::C_1, "die", "").columns(["result"]);
        for face in 1..=D6.sides {
            let result = match self.faces[usize::from(face)] {
                Face::Miss => "miss",
                Face::Disabled => "Disabled (no effect on an LBA)",
                Face::Hit => "Hit: roll a die for damage",
            };
            attack = attack.row(face, [result]);
        }
        let DayNight { day_drm, air_base_drm, air_base_range } = &self.day_night;
        let day = Chart::new("day-night", "Day or night", rule::DAY_NIGHT, "for either side", "")
            .columns(["added to the die"])
            .row("wish for Day", [format!("{day_drm:+}")])
            .row(format!("an Air Base within {air_base_range} hexes, All-Sea hex"), [format!("{air_base_drm:+}")])
            .note(
                "If both want the same action, no die is rolled. Otherwise the higher total gets its wish; \
                 the non-phasing faction wins ties.",
            );
        vec![attack, day]
    }
}
