//! Ratings of ships, guns, torpedoes, bombs and aircraft, derived from facts that an encyclopaedia gives.

mod air;
mod ship;

pub use air::{AircraftFacts, AircraftRatings};
pub use ship::{BatteryFacts, BatteryRatings, MountFacts, ShipFacts, ShipRatings, TubeFacts};

use crate::rules::RANGE_BANDS;
use crate::words::BombCase;
use flagplot_referee::Shaped;
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

/// Facts about a gun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct GunFacts {
    /// Calibre.
    #[shape(1..=600, unit = "mm")]
    pub calibre_mm: i32,
    /// Year of the gun's design.
    #[shape(1800..=2000, or = GUN_YEAR)]
    pub gun_year: i32,
    /// Range of the gun.
    #[shape(0..=100_000, or = GUN_RANGE_YD, unit = "yards")]
    pub range_yd: i32,
    /// The gun fires an unusually heavy shell.
    #[shape(or = false)]
    pub heavy_shell: bool,
}

const GUN_YEAR: i32 = 1930;
const GUN_RANGE_YD: i32 = 30_000;

/// Ratings of a gun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(result)]
pub struct Gun {
    /// Damage points.
    pub ip: i32,
    /// Critical value.
    pub cv: i32,
    /// Last range band it reaches.
    pub max_band: i32,
    /// Penetration in each range band.
    pub pen: [i32; RANGE_BANDS],
}

impl Gun {
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
    #[must_use]
    pub fn new(calibre_mm: i32, year: Option<i32>, range_yd: Option<i32>, heavy_shell: Option<bool>) -> Self {
        Self {
            calibre_mm,
            gun_year: year.unwrap_or(GUN_YEAR),
            range_yd: range_yd.unwrap_or(GUN_RANGE_YD),
            heavy_shell: heavy_shell.unwrap_or(false),
        }
    }

    /// [C-26]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct SettingFacts {
    /// Speed.
    #[shape(1..=200, unit = "knots")]
    pub speed_kn: i32,
    /// Range at this speed.
    #[shape(0..=100_000, unit = "yards")]
    pub range_yd: i32,
}

/// Facts about a torpedo.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct TorpedoFacts {
    /// Weight of the warhead.
    #[shape(1..=2000, unit = "kg")]
    pub warhead_kg: i32,
    /// Speed settings.
    #[shape(items = 1..=10)]
    pub settings: Vec<SettingFacts>,
}

/// Ratings of a speed setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(result)]
pub struct Setting {
    /// Speed.
    pub speed_kn: i32,
    /// What the setting adds to the attack.
    pub modifier: i32,
    /// Last range band it reaches.
    pub max_band: i32,
}

/// Ratings of a torpedo.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(result)]
pub struct Torpedo {
    /// Damage points.
    pub ip: i32,
    /// Critical value.
    pub cv: i32,
    /// Speed settings.
    #[shape(items = 1..=10)]
    pub settings: Vec<Setting>,
}

impl TorpedoFacts {
    /// [C-28]
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

/// Facts about a bomb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct BombFacts {
    /// Weight.
    #[shape(1..=20_000, unit = "kg")]
    pub weight_kg: i32,
    /// Kind of bomb.
    pub case: BombCase,
}

/// Ratings of a bomb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(result)]
pub struct Bomb {
    /// Damage points.
    pub ip: i32,
    /// Critical value.
    pub cv: i32,
    /// Penetration.
    pub pen: i32,
}

impl BombFacts {
    /// [C-28]
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
