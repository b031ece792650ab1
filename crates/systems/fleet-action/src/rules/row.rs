//! The rows of the critical tables.

use crate::words::Area;
use flagplot_referee::words;

/// A row of a critical table, by its word in the data.
#[words]
pub enum Row {
    Hull,
    /// Optics and radar, or the masts: a d10 decides.
    OpticsOrMasts,
    /// Damage control parties.
    Crew,
    /// Directors.
    FireControl,
    Command,
    EngineRoom,
    #[word("engine-room-0")]
    EngineRoom0,
    #[word("engine-room-1")]
    EngineRoom1,
    #[word("engine-room-2")]
    EngineRoom2,
    Steering,
    Helm,
    /// Searchlights, planes, radar.
    Sensors,
    Fire,
    /// Weapons, or cargo if the ship carries cargo.
    WeaponsOrCargo,
    /// Weapons of a carrier.
    Weapons,
    AircraftOperations,
    /// Arming and fuelling.
    AircraftInHangar,
    FuelAndAmmunition,
    /// Flooding.
    Bulkheads,
    /// Electric power.
    PowerFailure,
    /// The last row under water.
    LastRow,
}

impl Row {
    /// The engine dice that come free under water.
    #[must_use]
    pub fn free_dice(self) -> i32 {
        match self {
            Row::EngineRoom1 => 1,
            Row::EngineRoom2 => 2,
            _ => 0,
        }
    }

    /// The row as sentences name it.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Row::EngineRoom0 => "engine room".to_owned(),
            Row::EngineRoom1 => "engine room, one die free".to_owned(),
            Row::EngineRoom2 => "engine room, two dice free".to_owned(),
            Row::AircraftInHangar => "aircraft in the hangar".to_owned(),
            row => row.word().replace('-', " "),
        }
    }
}

/// The armour that protects a row, by its word in the data.
#[words]
pub(super) enum Cover {
    Belt,
    ConningTower,
    FlightDeck,
    None,
    /// The mount that is struck decides.
    Mount,
}

impl Cover {
    pub(super) fn area(self) -> Option<Area> {
        match self {
            Cover::Belt => Some(Area::Belt),
            Cover::ConningTower => Some(Area::ConningTower),
            Cover::FlightDeck => Some(Area::FlightDeck),
            Cover::None => Some(Area::None),
            Cover::Mount => None,
        }
    }
}
