//! Plane geometry in whole numbers: every comparison is exact.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Neg, Sub};

/// A point or a vector with whole coordinates; x grows east, y grows north. As JSON it is `[x, y]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "[i64; 2]", into = "[i64; 2]")]
pub struct Point {
    /// East.
    pub x: i64,
    /// North.
    pub y: i64,
}

impl Point {
    /// A point.
    #[must_use]
    pub const fn new(x: i64, y: i64) -> Self {
        Self { x, y }
    }

    /// The square of its length.
    #[must_use]
    pub fn norm2(self) -> i64 {
        self.x * self.x + self.y * self.y
    }

    /// The scalar product.
    #[must_use]
    pub fn dot(self, other: Point) -> i64 {
        self.x * other.x + self.y * other.y
    }

    /// The z part of the cross product: positive if `other` lies to the left.
    #[must_use]
    pub fn cross(self, other: Point) -> i64 {
        self.x * other.y - self.y * other.x
    }

    /// The square of the distance to another point.
    #[must_use]
    pub fn dist2(self, other: Point) -> i64 {
        (self - other).norm2()
    }

    /// The smallest whole number not below the distance to another point.
    #[must_use]
    pub fn ceil_dist(self, other: Point) -> i64 {
        ceil_sqrt(self.dist2(other))
    }

    /// Itself times `n / d`, each coordinate truncated toward zero.
    #[must_use]
    pub fn scale(self, n: i64, d: i64) -> Point {
        Point::new(self.x * n / d, self.y * n / d)
    }
}

impl From<[i64; 2]> for Point {
    fn from([x, y]: [i64; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Point> for [i64; 2] {
    fn from(point: Point) -> Self {
        [point.x, point.y]
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point::new(-self.x, -self.y)
    }
}

/// Whether the segment from `a` to `b` comes nearer to `centre` than `radius`, or just as near if `edge` counts.
fn comes_near(a: Point, b: Point, centre: Point, radius: i64, edge: bool) -> bool {
    let wide = |p: Point| (i128::from(p.x), i128::from(p.y));
    let (line, off) = (wide(b - a), wide(centre - a));
    let dot = |p: (i128, i128), q: (i128, i128)| p.0 * q.0 + p.1 * q.1;
    let (along, length2) = (dot(off, line), dot(line, line));
    let radius2 = i128::from(radius) * i128::from(radius);
    let near = |distance2: i128, radius2: i128| distance2 < radius2 || edge && distance2 == radius2;
    if along <= 0 || length2 == 0 {
        near(dot(off, off), radius2)
    } else if along >= length2 {
        let end = wide(centre - b);
        near(dot(end, end), radius2)
    } else {
        let cross = line.0 * off.1 - line.1 * off.0;
        near(cross * cross, radius2 * length2)
    }
}

/// Whether a segment enters the inside of a circle; to touch it is not enough.
#[must_use]
pub fn enters_circle(a: Point, b: Point, centre: Point, radius: i64) -> bool {
    comes_near(a, b, centre, radius, false)
}

/// Whether a segment has a point in common with a circle or its inside.
#[must_use]
pub fn meets_circle(a: Point, b: Point, centre: Point, radius: i64) -> bool {
    comes_near(a, b, centre, radius, true)
}

/// Whether a segment has a point in common with a convex polygon, whose corners are given in order, or its inside.
#[must_use]
pub fn meets_polygon(a: Point, b: Point, corners: &[Point]) -> bool {
    let side = |p: Point, q: Point, r: Point| {
        let (u, v) = (q - p, r - p);
        (i128::from(u.x) * i128::from(v.y) - i128::from(u.y) * i128::from(v.x)).signum()
    };
    let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
    let inside = |p: Point| {
        let sides = || edges().map(|(from, to)| side(*from, *to, p));
        !corners.is_empty() && (sides().all(|side| side >= 0) || sides().all(|side| side <= 0))
    };
    let between = |p: Point, q: Point, r: Point| {
        side(p, q, r) == 0
            && (p.x.min(q.x)..=p.x.max(q.x)).contains(&r.x)
            && (p.y.min(q.y)..=p.y.max(q.y)).contains(&r.y)
    };
    let crosses = |from: Point, to: Point| {
        side(a, b, from) * side(a, b, to) < 0 && side(from, to, a) * side(from, to, b) < 0
            || between(a, b, from)
            || between(a, b, to)
            || between(from, to, a)
            || between(from, to, b)
    };
    inside(a) || inside(b) || edges().any(|(from, to)| crosses(*from, *to))
}

/// Where a segment enters a convex polygon from outside, as a share of its length; nothing if it does not. The corners
/// are given clockwise.
#[must_use]
pub fn entry(a: Point, b: Point, corners: &[Point]) -> Option<(i128, i128)> {
    let side = |from: Point, to: Point, at: Point| {
        let (edge, off) = (to - from, at - from);
        i128::from(edge.x) * i128::from(off.y) - i128::from(edge.y) * i128::from(off.x)
    };
    // Inside is to the right of every edge.
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let sides = edges.map(|(from, to)| (-side(*from, *to, a), -side(*from, *to, b)));
    let (mut enters, mut leaves) = ((0, 1), (1, 1));
    let mut outside = false;
    let less = |p: (i128, i128), q: (i128, i128)| p.0 * q.1 < q.0 * p.1;
    for (begins, ends) in sides {
        match (begins < 0, ends < 0) {
            (true, true) => return None,
            (true, false) => {
                outside = true;
                let at = (-begins, ends - begins);
                enters = if less(enters, at) { at } else { enters };
            }
            (false, true) => {
                let at = (begins, begins - ends);
                leaves = if less(at, leaves) { at } else { leaves };
            }
            (false, false) => {}
        }
    }
    (outside && !less(leaves, enters)).then_some(enters)
}

/// The largest whole number not above the square root of `n`; 0 for what is negative.
#[must_use]
pub fn floor_sqrt(n: i64) -> i64 {
    n.max(0).isqrt()
}

/// The smallest whole number not below the square root of `n`; 0 for what is negative.
#[must_use]
pub fn ceil_sqrt(n: i64) -> i64 {
    let root = floor_sqrt(n);
    if root * root < n { root + 1 } else { root }
}

/// `n / d` rounded to the nearest whole number, halves upward: the floor of `(2n + d) / 2d`. `d` must be positive.
#[must_use]
pub fn round_div(n: i64, d: i64) -> i64 {
    (2 * n + d).div_euclid(2 * d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_exact_on_both_sides_of_a_square() {
        for root in [0, 1, 2, 1000, 1090, 46_340, 3_000_000_000] {
            let square = root * root;
            assert_eq!((floor_sqrt(square), ceil_sqrt(square)), (root, root));
            assert_eq!(ceil_sqrt(square + 1), root + 1);
            if square > 1 {
                assert_eq!(floor_sqrt(square - 1), root - 1);
            }
        }
        assert_eq!((floor_sqrt(-4), ceil_sqrt(-4)), (0, 0));
    }

    #[test]
    fn a_segment_meets_a_circle_from_its_edge_on() {
        let at = Point::new;
        let both = |a, b, radius| {
            let centre = at(0, 0);
            (enters_circle(a, b, centre, radius), meets_circle(a, b, centre, radius))
        };
        assert_eq!(both(at(-10, 5), at(10, 5), 5), (false, true), "it touches");
        assert_eq!(both(at(-10, 5), at(10, 5), 6), (true, true), "it cuts");
        assert_eq!(both(at(3, 4), at(10, 10), 5), (false, true), "it begins on the edge");
        assert_eq!(both(at(6, 0), at(10, 0), 5), (false, false), "the line would, the segment does not");
        assert_eq!(both(at(1, 1), at(2, 2), 5), (true, true), "it lies inside");
        assert_eq!(both(at(5, 0), at(5, 0), 5), (false, true), "a point on the edge");
        let far = 1_000_000;
        assert_eq!(both(at(-far, far), at(far, far), far), (false, true));
        assert_eq!(both(at(-far, far - 1), at(far, far), far), (true, true));
    }

    #[test]
    fn a_segment_meets_a_polygon_from_its_edge_on() {
        let at = Point::new;
        let square = [at(0, 0), at(0, 10), at(10, 10), at(10, 0)];
        for (a, b, meets) in [
            (at(-5, 5), at(15, 5), true),
            (at(4, 4), at(5, 5), true),
            (at(-5, 10), at(15, 10), true),
            (at(-5, 0), at(0, -5), false),
            (at(-5, 5), at(5, 15), true),
            (at(-5, 6), at(5, 16), false),
            (at(11, 0), at(11, 10), false),
            (at(10, 12), at(10, 10), true),
        ] {
            assert_eq!(meets_polygon(a, b, &square), meets, "{a:?} {b:?}");
            assert_eq!(meets_polygon(b, a, &square), meets, "{b:?} {a:?}");
        }
        assert!(!meets_polygon(at(0, 0), at(1, 1), &[]));
    }

    #[test]
    fn a_segment_enters_a_polygon_only_from_outside() {
        let corners = [Point::new(-10, 10), Point::new(10, 10), Point::new(10, -10), Point::new(-10, -10)];
        let share = |a: [i64; 2], b: [i64; 2]| entry(a.into(), b.into(), &corners);
        assert_eq!(share([-30, 0], [10, 0]).map(|(n, d)| 2 * n == d), Some(true), "half way");
        assert_eq!(share([0, 0], [30, 0]), None, "it begins inside");
        assert_eq!(share([-30, 0], [-20, 0]), None, "it ends before the edge");
        assert_eq!(share([-30, 20], [30, 20]), None, "it passes by");
        assert!(share([-30, 10], [30, 10]).is_some(), "it runs along the edge");
        assert!(share([-30, -20], [-5, 30]).is_none(), "it cuts the corner outside");
        assert!(share([-15, 0], [0, 15]).is_some(), "it cuts the corner inside");
    }

    #[test]
    fn halves_are_rounded_upward_also_below_zero() {
        assert_eq!([round_div(3, 2), round_div(-3, 2), round_div(-1, 3), round_div(5, 3)], [2, -1, 0, 2]);
    }
}
