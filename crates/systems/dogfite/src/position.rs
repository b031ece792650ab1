//! Where aircraft are, and what lies ahead of and behind them.

use crate::rule;
use crate::words::{Alliance, Pitch, Status};
use flagplot_kernel::hex::{Direction, Hex};
use flagplot_kernel::{DataError, Files};
use flagplot_referee::{Shaped, words};
use serde::{Deserialize, Serialize};

/// A place in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Position {
    /// The hex: its column and its row.
    #[shape(-999..=999, with = <(i32, i32)>::shape())]
    pub hex: Hex,
    /// The edge it is on, 0 for north and so on clockwise; none in the middle.
    #[shape(0..=5, null, with = u8::shape())]
    pub facing: Option<Direction>,
    /// The level; 0 is the ground.
    #[shape(1..=99)]
    pub level: i32,
    /// Whether it is leaving the level.
    #[shape(or = Pitch::Level)]
    pub pitch: Pitch,
}

/// Where a hex lies from an aircraft's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    Ahead,
    Abeam,
    Behind,
    /// Its own hex, or it has no facing.
    Neither,
}

impl Position {
    /// Where another hex lies: the sign of its component along the nose.
    pub fn bearing(&self, hex: Hex) -> Bearing {
        let Some(facing) = self.facing else { return Bearing::Neither };
        let d = hex - self.hex;
        if d == Hex::new(0, 0) {
            return Bearing::Neither;
        }
        let u = Hex::new(0, 0).step(facing);
        let along = d.q * u.q + d.r * u.r + (d.q + d.r) * (u.q + u.r);
        match along {
            1.. => Bearing::Ahead,
            0 => Bearing::Abeam,
            _ => Bearing::Behind,
        }
    }

    /// Whole levels between two aircraft; pitch does not count.
    pub fn levels_to(&self, other: &Position) -> i32 {
        (self.level - other.level).abs()
    }

    /// Hexes between two aircraft.
    pub fn hexes_to(&self, other: &Position) -> i32 {
        i32::try_from(self.hex.distance(other.hex)).unwrap_or(i32::MAX)
    }
}

/// By which side a hex off the map is reached, and what that makes of an aircraft; none while it is on the map.
pub fn departure(hex: Hex, radius: i32, side: Alliance) -> Option<Status> {
    if on_map(hex, radius) {
        return None;
    }
    let home_of = if hex.q < -radius {
        Some(Alliance::Allied)
    } else if hex.q > radius {
        Some(Alliance::Central)
    } else {
        None
    };
    Some(match home_of {
        None => Status::LeftNeutral,
        Some(home) if home == side => Status::LeftHome,
        Some(_) => Status::LeftEnemy,
    })
}

/// Whether a hex is on a map of this radius.
pub fn on_map(hex: Hex, radius: i32) -> bool {
    hex.q.abs().max(hex.r.abs()).max((hex.q + hex.r).abs()) <= radius
}

/// The diagram of position bonuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// A point is lost for so many whole levels.
    pub levels_per_point: i32,
    cells: Vec<Cell>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    name: CellName,
    bearing: u8,
    steps: u8,
    bonus: i32,
    attacker_must_be_in_middle: bool,
}

/// The part of the diagram an attacker is in.
#[words]
pub enum CellName {
    SameHex,
    SameHexOnEdge,
    Astern,
    RearQuarter,
    FarAstern,
    None,
    TargetInMiddle,
}

/// What position gives an attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Shaped)]
#[shape(result)]
pub struct PositionBonus {
    /// The part of the diagram.
    pub cell: CellName,
    /// What the diagram gives.
    #[shape(0..=10)]
    pub base_bonus: i32,
    /// What the levels between them leave of it.
    #[shape(0..=10)]
    pub bonus: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiagramFile {
    altitude_levels_per_point: i32,
    cell: Vec<Cell>,
}

impl Diagram {
    /// Reads and checks `position.toml`.
    pub(crate) fn parse(files: &Files) -> Result<Self, DataError> {
        const FILE: &str = "position.toml";
        let file: DiagramFile = files.parse(FILE)?;
        if file.altitude_levels_per_point < 1 {
            return Err(DataError::new(FILE, "altitude_levels_per_point must be at least 1"));
        }
        for cell in &file.cell {
            if cell.bearing > 5 || cell.steps > 20 || !(0..=10).contains(&cell.bonus) {
                return Err(DataError::new(
                    FILE,
                    format!(
                        "the cell '{}' has a bearing above 5, more than 20 steps or a bonus outside 0 to 10",
                        cell.name
                    ),
                ));
            }
            if matches!(cell.name, CellName::None | CellName::TargetInMiddle | CellName::SameHexOnEdge) {
                return Err(DataError::new(FILE, format!("'{}' is not a cell of the diagram", cell.name)));
            }
        }
        Ok(Self { levels_per_point: file.altitude_levels_per_point, cells: file.cell })
    }

    pub(crate) fn card(&self) -> flagplot_referee::Chart {
        let mut card =
            flagplot_referee::Chart::new("position", "Position", rule::POSITION, "attacker", "").columns(["bonus"]);
        let mut named = Vec::new();
        for cell in &self.cells {
            if !named.contains(&cell.name) {
                named.push(cell.name);
                card = card.row(cell.name, [cell.bonus]);
            }
        }
        for cell in [CellName::SameHexOnEdge, CellName::TargetInMiddle, CellName::None] {
            card = card.row(cell, [0]);
        }
        card.note(format!("1 point less for every {} levels between the two, never below 0.", self.levels_per_point))
    }

    /// The bonus of an attacker over a target. (Position; R-9, C-1)
    pub fn bonus(&self, attacker: &Position, target: &Position) -> PositionBonus {
        let none = |cell| PositionBonus { cell, base_bonus: 0, bonus: 0 };
        let Some(facing) = target.facing else { return none(CellName::TargetInMiddle) };
        let found = self.cells.iter().find(|cell| {
            let way = facing.turn(i32::from(cell.bearing));
            (0..cell.steps).fold(target.hex, |hex, _| hex.step(way)) == attacker.hex
        });
        match found {
            None => none(CellName::None),
            Some(cell) if cell.attacker_must_be_in_middle && attacker.facing.is_some() => none(CellName::SameHexOnEdge),
            Some(cell) => {
                let less = attacker.levels_to(target) / self.levels_per_point;
                PositionBonus { cell: cell.name, base_bonus: cell.bonus, bonus: (cell.bonus - less).max(0) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_six_neighbours_three_are_ahead_and_three_behind() {
        for f in Direction::ALL {
            let here = Position { hex: Hex::new(1, -2), facing: Some(f), level: 3, pitch: Pitch::Level };
            for turn in -2..=3 {
                let expected = if (-1..=1).contains(&turn) { Bearing::Ahead } else { Bearing::Behind };
                assert_eq!(here.bearing(here.hex.step(f.turn(turn))), expected, "{f:?} {turn}");
            }
            assert_eq!(here.bearing(here.hex), Bearing::Neither);
            assert_eq!(here.bearing(here.hex.step(f.turn(1)).step(f.turn(2))), Bearing::Abeam);
        }
    }

    #[test]
    fn sides_of_the_map() {
        assert_eq!(departure(Hex::new(-6, 2), 5, Alliance::Allied), Some(Status::LeftHome));
        assert_eq!(departure(Hex::new(-6, 2), 5, Alliance::Central), Some(Status::LeftEnemy));
        assert_eq!(departure(Hex::new(6, 0), 5, Alliance::Central), Some(Status::LeftHome));
        assert_eq!(departure(Hex::new(0, -6), 5, Alliance::Central), Some(Status::LeftNeutral));
        assert_eq!(departure(Hex::new(5, -5), 5, Alliance::Central), None);
    }
}
