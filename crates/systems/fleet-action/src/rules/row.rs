//! The rows of the critical tables.

use std::fmt;

/// A row of a critical table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Row {
    /// The hull above or at the waterline.
    Hull,
    /// Optics and radar, or the masts: a d10 decides.
    OpticsOrMasts,
    /// Damage control parties.
    Crew,
    /// Directors.
    FireControl,
    /// The bridge.
    Command,
    /// Engines; the number is that of free dice under water.
    EngineRoom(u8),
    /// The steering gear.
    Steering,
    /// The helm.
    Helm,
    /// Searchlights, planes, radar.
    Sensors,
    /// Fire.
    Fire,
    /// Weapons, or the cargo of those that carry some.
    WeaponsOrCargo,
    /// Weapons of a carrier.
    Weapons,
    /// Launching and landing.
    AircraftOperations,
    /// Arming and fuelling.
    AircraftInHangar,
    /// Aviation fuel and bombs.
    FuelAndAmmunition,
    /// Flooding.
    Bulkheads,
    /// Electric power.
    PowerFailure,
    /// The last row under water.
    LastRow,
}

impl Row {
    const NAMES: [(&'static str, Row); 20] = [
        ("hull", Row::Hull),
        ("optics-or-masts", Row::OpticsOrMasts),
        ("crew", Row::Crew),
        ("fire-control", Row::FireControl),
        ("command", Row::Command),
        ("engine-room", Row::EngineRoom(0)),
        ("engine-room-0", Row::EngineRoom(0)),
        ("engine-room-1", Row::EngineRoom(1)),
        ("engine-room-2", Row::EngineRoom(2)),
        ("steering", Row::Steering),
        ("helm", Row::Helm),
        ("sensors", Row::Sensors),
        ("fire", Row::Fire),
        ("weapons-or-cargo", Row::WeaponsOrCargo),
        ("weapons", Row::Weapons),
        ("aircraft-operations", Row::AircraftOperations),
        ("aircraft-in-hangar", Row::AircraftInHangar),
        ("fuel-and-ammunition", Row::FuelAndAmmunition),
        ("bulkheads", Row::Bulkheads),
        ("power-failure", Row::PowerFailure),
    ];

    pub(super) fn named(name: &str) -> Option<Row> {
        if name == "last-row" {
            return Some(Row::LastRow);
        }
        Row::NAMES.iter().find(|(known, _)| *known == name).map(|(_, row)| *row)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Row::Hull => "hull",
            Row::OpticsOrMasts => "optics or masts",
            Row::Crew => "crew",
            Row::FireControl => "fire control",
            Row::Command => "command",
            Row::EngineRoom(0) => "engine room",
            Row::EngineRoom(1) => "engine room, one die free",
            Row::EngineRoom(_) => "engine room, two dice free",
            Row::Steering => "steering",
            Row::Helm => "helm",
            Row::Sensors => "sensors",
            Row::Fire => "fire",
            Row::WeaponsOrCargo => "weapons or cargo",
            Row::Weapons => "weapons",
            Row::AircraftOperations => "aircraft operations",
            Row::AircraftInHangar => "aircraft in the hangar",
            Row::FuelAndAmmunition => "fuel and ammunition",
            Row::Bulkheads => "bulkheads",
            Row::PowerFailure => "power failure",
            Row::LastRow => "last row",
        })
    }
}
