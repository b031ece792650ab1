//! Ratings of aircraft. [C-27]

use crate::words::{AircraftRole, Protection};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// Facts about an aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct AircraftFacts {
    /// Role the aircraft was built for.
    pub role: AircraftRole,
    /// Highest speed.
    #[shape(50..=1200, unit = "km/h")]
    pub max_kmh: i32,
    /// Cruising speed.
    #[shape(50..=1200, unit = "km/h")]
    pub cruise_kmh: i32,
    /// Empty weight.
    #[shape(100..=100_000, unit = "kg")]
    pub empty_kg: i32,
    /// Protection.
    pub protection: Protection,
    /// Agility.
    #[shape(-20..=20, or = 0)]
    pub agility: i32,
    /// Forward guns of rifle calibre.
    #[shape(0..=40, or = 0)]
    pub forward_mg: i32,
    /// Forward guns of 12.7 mm.
    #[shape(0..=40, or = 0)]
    pub forward_hmg: i32,
    /// Forward guns of 20 mm.
    #[shape(0..=40, or = 0)]
    pub forward_cannon: i32,
    /// Forward guns above 20 mm.
    #[shape(0..=40, or = 0)]
    pub forward_heavy: i32,
    /// Rear guns of rifle calibre.
    #[shape(0..=40, or = 0)]
    pub rear_mg: i32,
    /// Rear guns of 12.7 mm.
    #[shape(0..=40, or = 0)]
    pub rear_hmg: i32,
    /// Rear guns of 20 mm.
    #[shape(0..=40, or = 0)]
    pub rear_cannon: i32,
    /// Rear guns above 20 mm.
    #[shape(0..=40, or = 0)]
    pub rear_heavy: i32,
}

/// Ratings of an aircraft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(result)]
pub struct AircraftRatings {
    /// Hit points.
    pub hit_points: i32,
    /// Move in a turn.
    pub move_cm: i32,
    /// Factor when intercepting.
    pub intercept: i32,
    /// Factor of fighters in a dogfight.
    pub dogfight_1: i32,
    /// Factor of all other aircraft in a dogfight.
    pub dogfight_2: i32,
    /// Factor of strafing.
    pub acf_s: i32,
    /// Factor of anti-shipping guns.
    pub acf_as: i32,
}

/// Firepower in tenths.
fn firepower(mg: i32, hmg: i32, cannon: i32, heavy: i32) -> i32 {
    5 * mg + 10 * hmg + 20 * cannon + 40 * heavy
}

fn tenths(n: i32) -> i32 {
    (n + 5) / 10
}

impl AircraftFacts {
    /// [C-27]
    #[must_use]
    pub fn derive(&self) -> AircraftRatings {
        let weight = match self.protection {
            Protection::None => 1000,
            Protection::Partial => 1250,
            Protection::Full => 1500,
        };
        let speed = ((self.max_kmh - 300) / 10).max(0);
        let forward = firepower(self.forward_mg, self.forward_hmg, self.forward_cannon, self.forward_heavy);
        let rear = firepower(self.rear_mg, self.rear_hmg, self.rear_cannon, self.rear_heavy);
        let intercept = tenths(forward + speed).max(1);
        let dogfight = (intercept + self.agility).max(1);
        let (intercept, dogfight_1, dogfight_2) = match self.role {
            AircraftRole::Fighter => (intercept, dogfight, 0),
            AircraftRole::FighterBomber => (intercept, dogfight, dogfight / 2),
            AircraftRole::Bomber => (0, 0, tenths(rear + speed)),
        };
        AircraftRatings {
            hit_points: (((i64::from(self.empty_kg) * weight + 500_000) / 1_000_000) as i32).max(1),
            move_cm: ((i64::from(self.cruise_kmh) * 1000 + 926) / 1852) as i32,
            intercept,
            dogfight_1,
            dogfight_2,
            acf_s: tenths(firepower(self.forward_mg, self.forward_hmg, self.forward_cannon, 0)),
            acf_as: tenths(firepower(0, 0, self.forward_cannon, self.forward_heavy)),
        }
    }
}
