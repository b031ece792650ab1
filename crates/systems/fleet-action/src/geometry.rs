//! Positions, arcs and the line between ships, in whole numbers. [C-1]

use crate::rule;
use crate::rules::Rules;
use crate::ship::GunMount;
use crate::words::*;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Refusal, course};
use flagplot_referee::Shaped;
use serde::{Deserialize, Serialize};

/// A heading: a multiple of 15 degrees clockwise from north, below 360.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
#[shape(0..=345)]
pub struct Heading(i32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Place {
    /// Position to the east.
    #[shape(-1_000_000..=1_000_000, unit = "mm")]
    pub x: i64,
    /// Position to the north.
    #[shape(-1_000_000..=1_000_000, unit = "mm")]
    pub y: i64,
}

impl Place {
    #[must_use]
    pub fn point(self) -> Point {
        Point::new(self.x, self.y)
    }
}

/// Where a ship is and where she heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Shaped)]
pub struct Position {
    #[serde(flatten)]
    pub at: Place,
    /// Degrees clockwise from north, a multiple of 15.
    pub heading: Heading,
}

impl Position {
    pub fn check(&self, rules: &Rules, path: &str) -> Result<(), Refusal> {
        let degrees = self.heading.0;
        if Heading::new(rules, degrees).is_some() {
            return Ok(());
        }
        let text = format!("{path}.heading is {degrees}; it must be a multiple of 15 from 0 to 345.");
        Err(Refusal::new("out-of-range", text).by(rule::C_1))
    }

    /// After a straight run.
    #[must_use]
    pub fn ahead(self, mm: i64) -> Position {
        let Point { x, y } = course::ahead(self.at.point(), self.heading.0, mm);
        Position { at: Place { x, y }, ..self }
    }
}

impl Heading {
    /// From degrees, if they are a heading.
    #[must_use]
    pub fn new(rules: &Rules, degrees: i32) -> Option<Heading> {
        ((0..360).contains(&degrees) && degrees % rules.movement.heading_step_deg == 0 && degrees % 15 == 0)
            .then_some(Heading(degrees))
    }

    #[must_use]
    pub fn degrees(self) -> i32 {
        self.0
    }

    #[must_use]
    pub fn turned(self, degrees: i32) -> Heading {
        Heading((self.0 + degrees).rem_euclid(360))
    }
}

/// The arc in which a ship sees a point.
#[must_use]
pub fn arc(from: Position, to: Point) -> Arc {
    let (v, h) = (to - from.at.point(), course::direction(from.heading.0));
    let wide = |n: i64| i128::from(n);
    let dot = wide(v.x) * wide(h.x) + wide(v.y) * wide(h.y);
    let square = |p: Point| wide(p.x) * wide(p.x) + wide(p.y) * wide(p.y);
    let narrow = 4 * dot * dot >= 3 * square(v) * square(h);
    let right = wide(v.x) * wide(h.y) - wide(v.y) * wide(h.x);
    match dot.cmp(&0) {
        std::cmp::Ordering::Greater if narrow => Arc::Bow,
        std::cmp::Ordering::Less if narrow => Arc::Stern,
        _ if right > 0 => Arc::Starboard,
        _ => Arc::Port,
    }
}

/// The radius of a ship's base.
#[must_use]
pub fn base_radius(size: i32) -> i32 {
    match size {
        ..=-3 => 12,
        -2..=-1 => 15,
        0..=1 => 18,
        _ => 20,
    }
}

/// Whether a base stands in the line between two points.
#[must_use]
pub fn intervenes(from: Point, to: Point, at: Point, size: i32) -> bool {
    let (line, off) = (to - from, at - from);
    let wide = |n: i64| i128::from(n);
    let along = wide(off.x) * wide(line.x) + wide(off.y) * wide(line.y);
    let length2 = wide(line.x) * wide(line.x) + wide(line.y) * wide(line.y);
    let cross = wide(line.x) * wide(off.y) - wide(line.y) * wide(off.x);
    let radius = i128::from(base_radius(size));
    along > 0 && along < length2 && cross * cross <= radius * radius * length2
}

/// Whether a mount bears on an arc.
#[must_use]
pub fn bears(station: Station, arc: Arc) -> bool {
    match arc {
        Arc::Bow => matches!(station, Station::Fwd | Station::All),
        Arc::Stern => matches!(station, Station::Aft | Station::All),
        Arc::Port => station != Station::Starboard,
        Arc::Starboard => station != Station::Port,
    }
}

/// Guns that bear on an arc and are not lost.
#[must_use]
pub fn guns_bearing(mounts: &[GunMount], arc: Arc) -> i32 {
    mounts.iter().filter(|mount| !mount.lost && bears(mount.arc, arc)).map(|mount| mount.guns).sum()
}
