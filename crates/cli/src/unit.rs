//! How the points and distances of a plane are typed and shown: in card lengths, or in millimetres on a sea of models.

use crate::chart;
use flagplot_kernel::Scene;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Length,
    Millimetre,
}

/// What a scene counts in a card length.
const LENGTH: i64 = 1000;

impl Unit {
    pub fn of(scene: &Scene) -> Self {
        if chart::fits(scene) { Self::Millimetre } else { Self::Length }
    }

    /// A number of the scene as people read it: `6`, `2.5`.
    pub fn shown(self, units: i64) -> String {
        match self {
            Self::Millimetre => units.to_string(),
            Self::Length => {
                let (sign, units) = (if units < 0 { "-" } else { "" }, units.abs());
                let decimals = format!("{:03}", units % LENGTH);
                let decimals = decimals.trim_end_matches('0');
                let point = if decimals.is_empty() { "" } else { "." };
                format!("{sign}{}{point}{decimals}", units / LENGTH)
            }
        }
    }

    pub fn distance(self, units: i64) -> String {
        match (self, units) {
            (Self::Millimetre, _) => format!("{units} mm"),
            (Self::Length, LENGTH) => "1 length".to_owned(),
            (Self::Length, _) => format!("{} lengths", self.shown(units)),
        }
    }

    pub fn point(self, [x, y]: [i64; 2]) -> String {
        format!("{},{}", self.shown(x), self.shown(y))
    }

    /// A point as it was typed: `6.5,12`.
    pub fn read(self, typed: &str) -> Option<[i64; 2]> {
        let (x, y) = typed.split_once(',')?;
        Some([self.number(x.trim())?, self.number(y.trim())?])
    }

    fn number(self, typed: &str) -> Option<i64> {
        let (whole, decimals) = match self {
            Self::Millimetre => return typed.parse().ok(),
            Self::Length => typed.split_once('.').unwrap_or((typed, "")),
        };
        let digits = |text: &str| text.chars().all(|sign| sign.is_ascii_digit());
        let (negative, whole) = whole.strip_prefix('-').map_or((false, whole), |whole| (true, whole));
        if !digits(whole) || !digits(decimals) || decimals.len() > 3 || whole.is_empty() {
            return None;
        }
        let units = whole.parse::<i64>().ok()?.checked_mul(LENGTH)? + format!("{decimals:0<3}").parse::<i64>().ok()?;
        Some(if negative { -units } else { units })
    }

    /// What a point must look like.
    pub fn help(self) -> &'static str {
        match self {
            Self::Length => "A point is two numbers of card lengths with a comma between them, east and north: 6.5,12",
            Self::Millimetre => "A point is two whole numbers of millimetres with a comma between them.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_shown_and_read_in_lengths_or_millimetres() {
        for (text, point) in [("6,0", [6000, 0]), ("2.5,16.125", [2500, 16_125]), ("-0.5,3", [-500, 3000])] {
            assert_eq!(Unit::Length.read(text), Some(point));
            assert_eq!(Unit::Length.point(point), text);
        }
        assert_eq!(Unit::Millimetre.read("-20, 7"), Some([-20, 7]));
        for wrong in ["6", "6;1", "x,1", "1.2345,0", "1.x,0", ",", "--1,0", "99999999999999999999,1"] {
            assert_eq!(Unit::Length.read(wrong), None, "{wrong}");
        }
        assert_eq!(Unit::Length.distance(1000), "1 length");
        assert_eq!(Unit::Length.distance(5800), "5.8 lengths");
    }
}
