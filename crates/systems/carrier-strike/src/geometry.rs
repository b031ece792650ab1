//! Measuring on the open sea, in thousandths of a card length. Whole numbers only.

use crate::data::Geometry;
use flagplot_kernel::plane::{Point, ceil_sqrt};
use std::fmt;

/// Thousandths in a card length.
pub const LENGTH: i64 = 1000;

/// The sixteen lines of three lengths along which a group can always leave.
pub const COMPASS: [Point; 16] = [
    Point::new(0, 3000),
    Point::new(1148, 2771),
    Point::new(2121, 2121),
    Point::new(2771, 1148),
    Point::new(3000, 0),
    Point::new(2771, -1148),
    Point::new(2121, -2121),
    Point::new(1148, -2771),
    Point::new(0, -3000),
    Point::new(-1148, -2771),
    Point::new(-2121, -2121),
    Point::new(-2771, -1148),
    Point::new(-3000, 0),
    Point::new(-2771, 1148),
    Point::new(-2121, 2121),
    Point::new(-1148, 2771),
];

pub const COMPASS_NAMES: [&str; 16] =
    ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

const BEARINGS: [&str; 16] = [
    "north",
    "north-north-east",
    "north-east",
    "east-north-east",
    "east",
    "east-south-east",
    "south-east",
    "south-south-east",
    "south",
    "south-south-west",
    "south-west",
    "west-south-west",
    "west",
    "west-north-west",
    "north-west",
    "north-north-west",
];

/// The compass direction nearest to that of a line, for a sentence.
pub fn bearing(line: Point) -> &'static str {
    let short = compass(line);
    COMPASS_NAMES.iter().zip(BEARINGS).find(|(name, _)| **name == short).map_or("", |(_, bearing)| bearing)
}

/// The compass direction nearest to that of a line, for a label.
pub fn compass(line: Point) -> &'static str {
    let nearest = COMPASS.iter().zip(COMPASS_NAMES).max_by_key(|(point, _)| point.dot(line));
    nearest.map_or("", |(_, name)| name)
}

/// The end of a flight toward a point, clipped to a length.
pub fn clip(from: Point, to: Point, most: i64) -> Point {
    let length = from.ceil_dist(to);
    if length <= most { to } else { from + (to - from).scale(most, length) }
}

/// A point on the way from one point to another, at a distance from the end.
pub fn short_of(from: Point, to: Point, distance: i64) -> Point {
    clip(from, to, (from.ceil_dist(to) - distance).max(0))
}

impl Geometry {
    /// From a point to the nearest part of a squadron. [Measuring]
    pub fn to_squadron(&self, from: Point, squadron: Point) -> i64 {
        (from.ceil_dist(squadron) - self.die_radius).max(0)
    }

    /// From a point to the nearest part of a card, which never turns.
    pub fn to_card(&self, from: Point, card: Point) -> i64 {
        ceil_sqrt(self.to_card_2(from, card))
    }

    /// The square of the exact distance from a point to the nearest part of a card.
    pub fn to_card_2(&self, from: Point, card: Point) -> i64 {
        let dx = ((from.x - card.x).abs() - self.card_width / 2).max(0);
        let dy = ((from.y - card.y).abs() - self.card_length / 2).max(0);
        dx * dx + dy * dy
    }

    /// Whether a point is within so many thousandths of a card. The limit is whole, so squares tell exactly.
    #[inline]
    pub fn near_card(&self, from: Point, card: Point, thousandths: i64) -> bool {
        // Most points are far outside the box, which is cheaper to see.
        (from.x - card.x).abs() <= self.card_width / 2 + thousandths
            && (from.y - card.y).abs() <= self.card_length / 2 + thousandths
            && self.to_card_2(from, card) <= thousandths * thousandths
    }

    /// Whether a point is on a card, edges included.
    #[inline]
    pub fn on_card(&self, point: Point, card: Point) -> bool {
        (point.x - card.x).abs() <= self.card_width / 2 && (point.y - card.y).abs() <= self.card_length / 2
    }

    /// The point of a card that is nearest to another.
    pub fn nearest_of_card(&self, from: Point, card: Point) -> Point {
        let (half_width, half_length) = (self.card_width / 2, self.card_length / 2);
        Point::new(
            from.x.clamp(card.x - half_width, card.x + half_width),
            from.y.clamp(card.y - half_length, card.y + half_length),
        )
    }
    pub fn overlap(&self, one: Point, other: Point) -> bool {
        (one.x - other.x).abs() < self.card_width && (one.y - other.y).abs() < self.card_length
    }

    /// Whether two squadrons of one side touch.
    pub fn touch(&self, one: Point, other: Point) -> bool {
        one.dist2(other) <= self.touch * self.touch
    }

    /// How far apart centres of squadrons may be to be within some lengths of each other.
    pub fn centres(&self, lengths: i64) -> i64 {
        lengths * LENGTH + self.die_radius
    }

    /// The shortest way off a card, to one thousandth outside it; west before east before south before north.
    pub fn off_card(&self, die: Point, card: Point) -> Point {
        let (half_width, half_length) = (self.card_width / 2 + 1, self.card_length / 2 + 1);
        let ways = [
            Point::new(card.x - half_width, die.y),
            Point::new(card.x + half_width, die.y),
            Point::new(die.x, card.y - half_length),
            Point::new(die.x, card.y + half_length),
        ];
        let mut best = ways[0];
        for way in ways {
            if way.dist2(die) < best.dist2(die) {
                best = way;
            }
        }
        best
    }

    /// Splits squadrons into groups: for each, the least index of a squadron it is connected with. [Squadrons and
    /// groups]
    pub fn components(&self, at: &[Point]) -> Vec<usize> {
        let mut label: Vec<usize> = (0..at.len()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for a in 0..at.len() {
                for b in 0..a {
                    if label[a] != label[b] && self.touch(at[a], at[b]) {
                        let least = label[a].min(label[b]);
                        (label[a], label[b]) = (least, least);
                        changed = true;
                    }
                }
            }
        }
        label
    }
}

/// How far a group must come to touch another: the nearest pair ends 180 apart, nobody moves who is near already.
///
pub fn closing(attackers: &[Point], defenders: &[Point]) -> Point {
    const NEAR: i64 = 180;
    const TOUCHING: i64 = 200;
    let mut nearest: Option<(i64, Point, Point)> = None;
    for &attacker in attackers {
        for &defender in defenders {
            let distance = attacker.dist2(defender);
            if nearest.is_none_or(|(least, ..)| distance < least) {
                nearest = Some((distance, attacker, defender));
            }
        }
    }
    let Some((_, attacker, defender)) = nearest else { return Point::default() };
    let length = attacker.ceil_dist(defender);
    if length <= TOUCHING { Point::default() } else { (defender - attacker).scale(length - NEAR, length) }
}

/// How strictly a line that gives way is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GivingWay {
    /// No nearer at any point of the line.
    AllAlong,
    /// No nearer at its end.
    AtTheEnd,
    Anywhere,
}

/// Whether members of a group that move along `line` come no nearer to the others than the nearest pair was.
pub fn comes_no_nearer(members: &[Point], others: &[Point], line: Point, how: GivingWay) -> bool {
    if how == GivingWay::Anywhere {
        return true;
    }
    let pairs = || members.iter().flat_map(|&member| others.iter().map(move |&other| member - other));
    let Some(least) = pairs().map(Point::norm2).min() else { return true };
    let length = line.norm2();
    pairs().all(|apart| {
        let end = (apart + line).norm2() >= least;
        if how == GivingWay::AtTheEnd {
            return end;
        }
        let along = apart.dot(line);
        let across = i128::from(length) * i128::from(apart.norm2()) - i128::from(along) * i128::from(along);
        along >= 0 || (along <= -length && end) || across >= i128::from(length) * i128::from(least)
    })
}

/// A distance for sentences, in card lengths rounded up to a tenth: what is too far never looks near enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths(i64);

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10 + LENGTH - 1).div_euclid(LENGTH);
        write!(f, "{}.{}", tenths / 10, tenths % 10)
    }
}

pub(crate) fn lengths(thousandths: i64) -> Lengths {
    Lengths(thousandths)
}

/// What is left to fly, rounded down to a tenth.
pub(crate) fn lengths_left(thousandths: i64) -> Lengths {
    Lengths(thousandths - (LENGTH / 10 - 1))
}
