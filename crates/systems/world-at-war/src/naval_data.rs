//! `naval.toml` and `ships.toml`: what the naval charts need to know of ships.

use crate::fleet::LIGHT_WORDS;
use crate::nation::Nation;
use flagplot_kernel::{DataError, Files};
use flagplot_referee::words;
use serde::Deserialize;

const NAVAL: &str = "naval.toml";
const SHIPS: &str = "ships.toml";

/// The kinds of ships that are attacked one by one.
#[words]
pub enum ShipKind {
    /// A battleship, battlecruiser or armoured ship.
    CapitalShip,
    Cvl,
    Cv,
    Cvb,
    Cruiser,
}

impl ShipKind {
    /// The words for ships that have names: all kinds but the last.
    pub(crate) const NAMED: &[&str] = ShipKind::WORDS.split_at(4).0;

    /// Whether it carries aircraft, and so does not fire.
    #[must_use]
    pub fn is_carrier(self) -> bool {
        matches!(self, ShipKind::Cvl | ShipKind::Cv | ShipKind::Cvb)
    }
}

#[words]
pub enum Speed {
    Fast,
    Slow,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedShip {
    pub id: String,
    pub name: String,
    pub nation: Nation,
    pub kind: ShipKind,
    pub size: u32,
    pub speed: Speed,
    /// The squadrons it carries.
    pub capacity: u32,
    pub class: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactorsByKind {
    pub cruiser: u32,
    pub destroyer: u32,
    pub transport: u32,
    pub cve: u32,
    pub cvl: u32,
    pub cv: u32,
    pub cvb: u32,
}

/// Values for air defense that differ from naval factors.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirDefenseValue {
    /// An escort carrier.
    pub cve: u32,
}

/// What damage does. [C-11]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Damage {
    pub damaged_ship_fires: bool,
    pub damaged_carrier_operates_air: bool,
    /// Whether a damaged ship is sunk by another damage result.
    pub second_damage_sinks: bool,
}

/// Search and surprise. [C-12]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchData {
    /// Totals up to this find nothing.
    pub none_up_to: i32,
    /// Totals up to this find one group.
    pub one_group_up_to: i32,
    /// Totals up to this find two groups; larger ones all.
    pub two_groups_up_to: i32,
    /// The margin is divided by this.
    pub surprise_divisor: i32,
    pub surprise_maximum: i32,
    pub modifier_search_air: i32,
    pub modifier_per_previous_round: i32,
    pub modifier_night: i32,
}

/// Withdrawal and evasion. [C-13]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithdrawalData {
    /// What one die must reach.
    pub needed: i32,
    /// For a fast group.
    pub all_fast_bonus: i32,
    /// For a slow group leaving a fast one.
    pub slow_from_fast_penalty: i32,
}

/// Screens. [C-14]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreenData {
    /// Fleet factors needed for each naval factor screened.
    pub ratio: u32,
}

/// Combat air patrol. [C-26]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapData {
    /// The share of the squadrons aboard that may fly it, as a fraction, rounded up.
    pub at_most: [u32; 2],
}

impl CapData {
    /// How many of the squadrons aboard may fly CAP.
    #[must_use]
    pub fn limit(self, aboard: u32) -> u32 {
        let [part, whole] = self.at_most;
        (aboard * part).div_ceil(whole)
    }
}

/// All of `naval.toml`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavalData {
    pub factors: FactorsByKind,
    pub air_defense_value: AirDefenseValue,
    pub damage: Damage,
    pub search: SearchData,
    pub withdrawal: WithdrawalData,
    pub screen: ScreenData,
    pub cap: CapData,
}

impl NavalData {
    /// Reads and checks `naval.toml`.
    pub fn new(files: &Files) -> Result<Self, DataError> {
        let data: NavalData = files.parse(NAVAL)?;
        let error = |why: &str| Err(DataError::new(NAVAL, why));
        let FactorsByKind { cruiser, destroyer, transport, cve, .. } = data.factors;
        if cruiser != 2 || [destroyer, transport, cve] != [1; 3] {
            return error(
                "factors: hits are shared between cruisers of two factors and other light ships of one; \
                 these numbers belong to the chart",
            );
        }
        if !(1..=9).contains(&data.air_defense_value.cve) {
            return error("air_defense_value.cve must lie between 1 and 9");
        }
        let SearchData { none_up_to, one_group_up_to, two_groups_up_to, surprise_divisor, surprise_maximum, .. } =
            data.search;
        if !(none_up_to < one_group_up_to && one_group_up_to < two_groups_up_to) {
            return error("search: the totals for no group, one group and two groups must be rising totals");
        }
        if surprise_divisor < 1 || !(0..=9).contains(&surprise_maximum) {
            return error("search: the margin is divided by at least 1, and surprise is at most 9");
        }
        if data.screen.ratio < 1 {
            return error("screen.ratio must be at least 1");
        }
        let [part, whole] = data.cap.at_most;
        if whole == 0 || part > whole || whole > 100 {
            return error("cap.at_most must be a fraction of at most 1, such as [1, 2]");
        }
        Ok(data)
    }
}

/// Reads and checks `ships.toml`.
pub fn ships(files: &Files, naval: &NavalData) -> Result<Vec<NamedShip>, DataError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct ShipsFile {
        ship: Vec<NamedShip>,
    }
    let ShipsFile { ship: ships } = files.parse(SHIPS)?;
    for (at, ship) in ships.iter().enumerate() {
        let error = |why: String| Err(DataError::new(SHIPS, format!("{}: {why}", ship.id)));
        if ships[..at].iter().any(|other| other.id == ship.id) {
            return error("two ships have this id".into());
        }
        if ship.id.is_empty()
            || !ship.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            || LIGHT_WORDS.contains(&ship.id.as_str())
        {
            let why = "an id has small letters, digits and hyphens, and is not a word for light ships";
            return error(why.into());
        }
        if !ship.name.is_ascii() {
            return error("the name has letters outside ASCII".into());
        }
        let size = match ship.kind {
            ShipKind::CapitalShip => None,
            ShipKind::Cvl => Some(naval.factors.cvl),
            ShipKind::Cv => Some(naval.factors.cv),
            ShipKind::Cvb => Some(naval.factors.cvb),
            ShipKind::Cruiser => return error("cruisers have no names; a scenario gives their number".into()),
        };
        match size {
            Some(size) if size != ship.size => {
                return error(format!("a carrier of its kind has {size} naval factors, not {}", ship.size));
            }
            None if !(2..=5).contains(&ship.size) => {
                return error(format!("a capital ship has two to five naval factors, not {}", ship.size));
            }
            _ => {}
        }
        if ship.kind.is_carrier() != (ship.capacity > 0) {
            return error("carriers, and no other ships, have a capacity".into());
        }
    }
    Ok(ships)
}
