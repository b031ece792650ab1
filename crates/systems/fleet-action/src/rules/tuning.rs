//! Numbers that complete the printed tables.

use crate::words::Density;
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    pub mm_per_range_band: i32,
    pub yards_per_mm: i32,
    pub minutes_per_turn: i32,
    /// Millimetres a knot makes in a turn.
    pub mm_per_knot: i32,
    /// The last range band that can be shot at.
    pub max_range_band: i32,
}

/// Numbers that a throw must reach.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseNumbers {
    pub aa_fire: i32,
    pub air_attack: i32,
    pub air_combat: i32,
    /// Light guns at vessels.
    pub crf_mrf: i32,
    /// Every test and save on a d10.
    pub test_pass_d10: i32,
    pub repair_pass_d10: i32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovementLimits {
    /// The fastest that is still Slow.
    pub slow_limit_kn: i32,
    /// The sharpest single turn.
    pub turn_limit_deg: i32,
    /// Headings are multiples of this.
    pub heading_step_deg: i32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spreads {
    pub wide_spread_modifier: i32,
    /// How far from the aim point it reaches.
    pub wide_spread_radius_mm: i32,
}

/// How far things reach, in millimetres.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    pub crf_surface: i32,
    pub mrf_surface: i32,
    pub crf_air: i32,
    pub mrf_air: i32,
    pub lrf_air: i32,
    pub aircraft_contact: i32,
    pub collateral: i32,
    pub searchlight: i32,
    pub star_shell: i32,
    pub sonar: i32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explosions {
    /// The CV is divided by this for a magazine.
    pub magazine_divisor: i32,
    /// Unsafe magazines add this.
    pub unsafe_magazine: i32,
    /// The CV is divided by this for the faces of a flashover.
    pub flashover_divisor: i32,
    /// The CV is divided by this for aviation fuel.
    pub fuel_divisor: i32,
    /// At most so many stands being armed count.
    pub fuel_rearming_cap: i32,
    /// Poor carrier safety adds this.
    pub fuel_poor_safety: i32,
    /// So many faces are a hangar fire.
    pub fuel_hangar_span: i32,
}

/// Spotting without a roll.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spotting {
    pub automatic_day_mm: i32,
    pub automatic_night_mm: i32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tuning {
    pub(super) scale: Scale,
    pub(super) base_numbers: BaseNumbers,
    pub(super) movement: MovementLimits,
    pub(super) torpedoes: Spreads,
    pub(super) reach_mm: Reach,
    pub(super) explosions: Explosions,
    pub(super) spotting: Spotting,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mine {
    pub ip: i32,
    pub cv: i32,
    /// A light field strikes on this total.
    pub light: i32,
    pub medium: i32,
    pub heavy: i32,
    pub paravanes: i32,
    pub slow: i32,
    pub field_length_mm: i32,
    pub field_width_mm: i32,
}

impl Mine {
    /// The total on which a field of this density strikes.
    #[must_use]
    pub fn needs(&self, density: Density) -> i32 {
        match density {
            Density::Light => self.light,
            Density::Medium => self.medium,
            Density::Heavy => self.heavy,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct MineFile {
    pub(super) mine: Mine,
}
