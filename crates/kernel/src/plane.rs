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
    fn halves_are_rounded_upward_also_below_zero() {
        assert_eq!([round_div(3, 2), round_div(-3, 2), round_div(-1, 3), round_div(5, 3)], [2, -1, 0, 2]);
    }
}
