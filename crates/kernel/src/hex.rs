//! Hexes with flat tops in axial coordinates: q grows to the right, r grows downward.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

/// A hex. As JSON it is `[q, r]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(from = "[i32; 2]", into = "[i32; 2]")]
pub struct Hex {
    /// The column.
    pub q: i32,
    /// The oblique row.
    pub r: i32,
}

/// One of the six directions, clockwise from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Direction(u8);

impl Direction {
    /// The six directions, clockwise from the top.
    pub const ALL: [Direction; 6] =
        [Direction(0), Direction(1), Direction(2), Direction(3), Direction(4), Direction(5)];

    /// The direction `n` sixths of a turn clockwise from the top, for any whole `n`.
    #[must_use]
    pub fn new(n: i32) -> Self {
        Self(n.rem_euclid(6) as u8)
    }

    /// 0 to 5.
    #[must_use]
    pub fn index(self) -> u8 {
        self.0
    }

    /// Turned clockwise by `n` sixths; counter-clockwise if negative.
    #[must_use]
    pub fn turn(self, n: i32) -> Self {
        Self::new(i32::from(self.0) + n)
    }

    /// The sixths of a turn between two directions, 0 to 3.
    #[must_use]
    pub fn between(self, other: Direction) -> u8 {
        let turn = (i32::from(self.0) - i32::from(other.0)).rem_euclid(6) as u8;
        turn.min(6 - turn)
    }
}

impl TryFrom<u8> for Direction {
    type Error = String;
    fn try_from(n: u8) -> Result<Self, String> {
        if n < 6 { Ok(Self(n)) } else { Err(format!("a direction is 0 to 5, not {n}")) }
    }
}

impl From<Direction> for u8 {
    fn from(direction: Direction) -> u8 {
        direction.0
    }
}

impl Hex {
    /// A hex.
    #[must_use]
    pub const fn new(q: i32, r: i32) -> Self {
        Self { q, r }
    }

    /// The neighbour in a direction.
    #[must_use]
    pub fn step(self, direction: Direction) -> Hex {
        const STEPS: [(i32, i32); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
        let (q, r) = STEPS[direction.0 as usize];
        Hex::new(self.q + q, self.r + r)
    }

    /// How many steps away another hex is.
    #[must_use]
    pub fn distance(self, other: Hex) -> u32 {
        let d = self - other;
        ((d.q.unsigned_abs()) + d.r.unsigned_abs() + (d.q + d.r).unsigned_abs()) / 2
    }

    /// The six neighbours, clockwise from the top.
    #[must_use]
    pub fn neighbours(self) -> [Hex; 6] {
        Direction::ALL.map(|direction| self.step(direction))
    }

    /// The centre on a scene whose hexes are so wide and high; the scene's y grows upward.
    #[must_use]
    pub fn centre(self, width: i64, height: i64) -> [i64; 2] {
        let (q, r) = (i64::from(self.q), i64::from(self.r));
        [q * width * 3 / 4, -(2 * r + q) * height / 2]
    }

    /// How options name this hex among the pieces and places a click on which means them: `3,-1`.
    #[must_use]
    pub fn key(self) -> String {
        format!("{},{}", self.q, self.r)
    }

    /// All hexes within `radius` steps, in rising order.
    #[must_use]
    pub fn within(self, radius: u32) -> Vec<Hex> {
        self.columns_within(radius).flat_map(|[q, first, last]| (first..=last).map(move |r| Hex::new(q, r))).collect()
    }

    /// The same in columns: q, the first r and the last.
    pub fn columns_within(self, radius: u32) -> impl Iterator<Item = [i32; 3]> {
        let radius = radius as i32;
        (-radius..=radius)
            .map(move |q| [self.q + q, self.r + (-radius).max(-q - radius), self.r + radius.min(-q + radius)])
    }
}

/// A hex by column and row, both counted from 1, as maps print it: `0402` is row 2 of column 4. Even columns sit half a
/// hex lower.
///
/// ```
/// use flagplot_kernel::hex::{ColumnRow, Hex};
/// let rzhev: ColumnRow = "0402".parse().unwrap();
/// assert_eq!(rzhev.hex(), Hex::new(3, 0));
/// assert_eq!(ColumnRow::of(rzhev.hex()).unwrap().to_string(), "0402");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ColumnRow {
    column: u8,
    row: u8,
}

impl ColumnRow {
    /// The last column and row that two digits can say.
    const LAST: u8 = 99;

    /// A hex, if both numbers are from 1 to 99.
    #[must_use]
    pub fn new(column: u8, row: u8) -> Option<Self> {
        let numbers = 1..=Self::LAST;
        (numbers.contains(&column) && numbers.contains(&row)).then_some(Self { column, row })
    }

    /// Counted from the west, from 1.
    #[must_use]
    pub fn column(self) -> u8 {
        self.column
    }

    /// Counted from the north, from 1.
    #[must_use]
    pub fn row(self) -> u8 {
        self.row
    }

    /// The same hex in axial coordinates; `0101` is (0, 0).
    #[must_use]
    pub fn hex(self) -> Hex {
        let q = i32::from(self.column) - 1;
        Hex::new(q, i32::from(self.row) - 1 - q.div_euclid(2))
    }

    /// The column and row of a hex, if it has two digits of each.
    #[must_use]
    pub fn of(hex: Hex) -> Option<Self> {
        let column = u8::try_from(hex.q.checked_add(1)?).ok()?;
        let row = u8::try_from(hex.r.checked_add(hex.q.div_euclid(2))?.checked_add(1)?).ok()?;
        Self::new(column, row)
    }
}

impl fmt::Display for ColumnRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.column, self.row)
    }
}

impl FromStr for ColumnRow {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: &str| part.parse::<u8>().ok();
        digits
            .then(|| Self::new(number(&text[..2])?, number(&text[2..])?))
            .flatten()
            .ok_or_else(|| format!("a hex is two digits of column and two of row, from 01, not '{text}'"))
    }
}

impl TryFrom<String> for ColumnRow {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ColumnRow> for String {
    fn from(hex: ColumnRow) -> String {
        hex.to_string()
    }
}

impl From<ColumnRow> for Hex {
    fn from(hex: ColumnRow) -> Hex {
        hex.hex()
    }
}

impl From<[i32; 2]> for Hex {
    fn from([q, r]: [i32; 2]) -> Self {
        Self { q, r }
    }
}

impl From<Hex> for [i32; 2] {
    fn from(hex: Hex) -> Self {
        [hex.q, hex.r]
    }
}

impl Add for Hex {
    type Output = Hex;
    fn add(self, other: Hex) -> Hex {
        Hex::new(self.q + other.q, self.r + other.r)
    }
}

impl Sub for Hex {
    type Output = Hex;
    fn sub(self, other: Hex) -> Hex {
        Hex::new(self.q - other.q, self.r - other.r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_steps_round_come_back_and_opposite_steps_cancel() {
        let start = Hex::new(3, -2);
        assert_eq!(Direction::ALL.iter().fold(start, |hex, &d| hex.step(d)), start);
        for d in Direction::ALL {
            assert_eq!(start.step(d).step(d.turn(3)), start);
            assert_eq!(start.distance(start.step(d)), 1);
            assert_eq!(d.between(d.turn(4)), 2);
        }
    }

    #[test]
    fn neighbours_by_column_and_row_are_those_of_a_printed_map() {
        const ODD: [(i32, i32); 6] = [(0, -1), (0, 1), (-1, -1), (-1, 0), (1, -1), (1, 0)];
        const EVEN: [(i32, i32); 6] = [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, 1)];
        for column in 2..=98u8 {
            for row in 2..=98u8 {
                let here = ColumnRow::new(column, row).unwrap();
                let mut found = here.hex().neighbours().map(|hex| ColumnRow::of(hex).unwrap());
                let mut printed = if column % 2 == 1 { ODD } else { EVEN }.map(|(c, r)| {
                    let (c, r) = (i32::from(column) + c, i32::from(row) + r);
                    ColumnRow::new(c as u8, r as u8).unwrap()
                });
                found.sort_unstable();
                printed.sort_unstable();
                assert_eq!(found, printed, "{here}");
            }
        }
    }

    #[test]
    fn column_and_row_are_read_written_and_turned_into_axial_hexes_and_back() {
        let hex = |text: &str| text.parse::<ColumnRow>();
        for column in 1..=99 {
            for row in 1..=99 {
                let here = ColumnRow::new(column, row).unwrap();
                assert_eq!(ColumnRow::of(here.hex()), Some(here));
                assert_eq!(hex(&here.to_string()), Ok(here));
            }
        }
        for wrong in ["", "101", "0001", "0100", "01011", "a101", "é10", "01-1", "+1+1"] {
            assert!(hex(wrong).is_err(), "{wrong}");
        }
        assert_eq!(ColumnRow::of(Hex::new(-1, 3)), None);
        assert_eq!(ColumnRow::of(Hex::new(i32::MAX, i32::MAX)), None);
        // An even column sits half a hex lower than its neighbours.
        let [odd, even] = ["0101", "0201"].map(|text| hex(text).unwrap().hex().centre(1200, 1040));
        assert_eq!([odd, even], [[0, 0], [900, -520]]);
    }

    #[test]
    fn a_disc_holds_what_is_near_and_nothing_else() {
        let disc = Hex::new(1, 1).within(3);
        assert_eq!(disc.len(), 37);
        assert!(disc.iter().all(|hex| hex.distance(Hex::new(1, 1)) <= 3));
    }
}
