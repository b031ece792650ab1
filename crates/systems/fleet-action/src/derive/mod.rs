//! Ratings from facts: what an encyclopaedia says of a ship, a gun, a torpedo, a bomb or an aircraft.

mod air;
mod ship;

pub use air::{AircraftFacts, AircraftRatings};
pub use ship::{BatteryFacts, BatteryRatings, MountFacts, ShipFacts, ShipRatings, TubeFacts};

use crate::book::RANGE_BANDS;
use crate::words::BombCase;
use serde::{Deserialize, Serialize};

/// The nearest whole number to √x / k, halves up. [C-26]
#[must_use]
pub fn rooted(x: i64, k: i64) -> i32 {
    (((4 * x.max(0) / (k * k)).isqrt() + 1) / 2) as i32
}

/// The last range band a weapon reaches.
fn max_band(range_yd: i32) -> i32 {
    ((range_yd + 2500) / 5000).clamp(1, RANGE_BANDS as i32)
}

fn default_gun_year() -> i32 {
    1930
}

fn default_gun_range() -> i32 {
    30_000
}

/// What is known of a gun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GunFacts {
    /// The calibre.
    pub calibre_mm: i32,
    /// When it was designed.
    #[serde(default = "default_gun_year")]
    pub gun_year: i32,
    /// How far it shoots.
    #[serde(default = "default_gun_range")]
    pub range_yd: i32,
    /// Whether its shell is uncommonly heavy.
    #[serde(default)]
    pub heavy_shell: bool,
}

/// How a gun is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gun {
    /// Damage points.
    pub ip: i32,
    /// Critical value.
    pub cv: i32,
    /// The last band it reaches.
    pub max_band: i32,
    /// Penetration in each band.
    pub pen: [i32; RANGE_BANDS],
}

impl Gun {
    /// The damage of a calibre.
    #[must_use]
    pub fn ip_of(calibre_mm: i32) -> i32 {
        let calibre = i64::from(calibre_mm);
        rooted(calibre * calibre * calibre, 1000).max(1)
    }

    /// Penetration in a band; none beyond the last.
    #[must_use]
    pub fn pen_at(&self, band: i32) -> i32 {
        usize::try_from(band - 1).ok().and_then(|at| self.pen.get(at)).copied().unwrap_or(0)
    }
}

impl GunFacts {
    /// The ratings. [C-26]
    #[must_use]
    pub fn derive(&self) -> Gun {
        let per_mille: [i64; RANGE_BANDS] = match self.calibre_mm {
            254.. => [1500, 1300, 1100, 950, 800],
            180..=253 => [1200, 950, 720, 520, 380],
            139..=179 => [1050, 780, 400, 280, 180],
            _ => [850, 450, 250, 150, 0],
        };
        let grade = match self.gun_year {
            ..=1915 => 850,
            1916..=1925 => 900,
            _ => 1000,
        };
        let grade = if self.heavy_shell { grade * 115 / 100 } else { grade };
        let max_band = max_band(self.range_yd);
        let mut pen = [0; RANGE_BANDS];
        for (at, per_mille) in per_mille.into_iter().enumerate().take(max_band as usize) {
            pen[at] = ((i64::from(self.calibre_mm) * per_mille * grade + 12_700_000) / 25_400_000) as i32;
        }
        Gun { ip: Gun::ip_of(self.calibre_mm), cv: ((self.calibre_mm + 15) / 30).max(1), max_band, pen }
    }
}

/// A speed setting of a torpedo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingFacts {
    /// The speed.
    pub speed_kn: i32,
    /// How far it runs.
    pub range_yd: i32,
}

/// What is known of a torpedo.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorpedoFacts {
    /// The charge.
    pub warhead_kg: i32,
    /// Its settings.
    pub settings: Vec<SettingFacts>,
}

/// How a setting is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The speed.
    pub speed_kn: i32,
    /// What it adds to the attack.
    pub modifier: i32,
    /// The last band it reaches.
    pub max_band: i32,
}

/// How a torpedo is rated.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Torpedo {
    /// Damage points.
    pub ip: i32,
    /// Critical value.
    pub cv: i32,
    /// Its settings.
    pub settings: Vec<Setting>,
}

impl TorpedoFacts {
    /// The ratings. [C-28]
    #[must_use]
    pub fn derive(&self) -> Torpedo {
        let charge = i64::from(self.warhead_kg);
        let settings = self.settings.iter().map(|setting| Setting {
            speed_kn: setting.speed_kn,
            modifier: match setting.speed_kn {
                48.. => 2,
                44..=47 => 1,
                38..=43 => 0,
                30..=37 => -1,
                _ => -2,
            },
            max_band: max_band(setting.range_yd),
        });
        Torpedo { ip: rooted(charge, 2), cv: rooted(9 * charge, 4), settings: settings.collect() }
    }
}

/// What is known of a bomb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BombFacts {
    /// Its weight.
    pub weight_kg: i32,
    /// Its make.
    pub case: BombCase,
}

/// How a bomb is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bomb {
    /// Damage points.
    pub ip: i32,
    /// Critical value.
    pub cv: i32,
    /// Penetration.
    pub pen: i32,
}

impl BombFacts {
    /// The ratings. [C-28]
    #[must_use]
    pub fn derive(&self) -> Bomb {
        let weight = i64::from(self.weight_kg);
        let points = rooted(weight, 2).max(1);
        let grade = match self.case {
            BombCase::Gp => 1000,
            BombCase::Sap => 1500,
            BombCase::Ap => 2200,
        };
        let pen = ((1_000_000 * weight).isqrt() * grade + 5_000_000) / 10_000_000;
        Bomb { ip: points, cv: points, pen: pen as i32 }
    }
}
