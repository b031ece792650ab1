//! Courses: straight legs and turns, plotted for a piece whose speed decides how far it runs in a turn.

use crate::FormItem;
use crate::plane::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A course to be plotted. The answer is an object: `speed`, a whole number; `orders`, a list of [`Leg`]s that run
/// exactly `speed` times `scale`; and a field for each item, with the value of the option chosen. An item whose option
/// has the value null is left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Course {
    /// The piece that moves.
    pub piece: String,
    /// Where it is.
    pub from: [i64; 2],
    /// Where it heads, in degrees clockwise from the top.
    pub heading: i32,
    /// The lowest and the highest speed.
    pub speeds: [i64; 2],
    /// How far it goes for each unit of speed.
    pub scale: i64,
    /// How far it runs straight before each turn.
    pub run: i64,
    /// The largest turn at once, in degrees; turns are multiples of 15.
    pub turn: i32,
    /// What else is to be chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<FormItem>,
}

/// A part of a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Leg {
    /// A straight run of this length.
    Ahead(i64),
    /// A turn in degrees, to the right if positive.
    Turn(i32),
}

/// Sines of 0 to 90 degrees in steps of 15, per ten thousand.
const SINES: [i64; 7] = [0, 2588, 5000, 7071, 8660, 9659, 10_000];
/// The length of a direction.
pub const UNIT: i64 = 10_000;

/// The direction of a heading, a multiple of 15 degrees clockwise from north, with the length [`UNIT`].
#[must_use]
pub fn direction(heading: i32) -> Point {
    let sine = |degrees: i32| -> i64 {
        let degrees = degrees.rem_euclid(360);
        let at = |degrees: i32| SINES[(degrees / 15) as usize];
        match degrees {
            0..=90 => at(degrees),
            91..=180 => at(180 - degrees),
            181..=270 => -at(degrees - 180),
            _ => -at(360 - degrees),
        }
    };
    Point::new(sine(heading), sine(heading + 90))
}

/// Where a straight run ends: each coordinate rounded to the nearest whole number, halves away from zero.
#[must_use]
pub fn ahead(from: Point, heading: i32, length: i64) -> Point {
    let nearest = |n: i64| (2 * n.abs() + UNIT) / (2 * UNIT) * n.signum();
    let vector = direction(heading);
    from + Point::new(nearest(length * vector.x), nearest(length * vector.y))
}

/// The corners of a course and its end, beginning with where it starts, and the heading at its end.
#[must_use]
pub fn run(from: Point, heading: i32, legs: &[Leg]) -> (Vec<Point>, i32) {
    let (mut at, mut heading, mut points) = (from, heading, vec![from]);
    for leg in legs {
        match *leg {
            Leg::Ahead(length) => {
                at = ahead(at, heading, length);
                points.push(at);
            }
            Leg::Turn(degrees) => heading = (heading + degrees).rem_euclid(360),
        }
    }
    (points, heading)
}

impl Course {
    /// What is wrong with an answer, in words; nothing if it can be run.
    #[must_use]
    pub fn wrong(&self, answer: &Value) -> Option<String> {
        let Some(speed) = answer["speed"].as_i64() else { return Some("A course needs a speed.".to_owned()) };
        let [slowest, fastest] = self.speeds;
        if !(slowest..=fastest).contains(&speed) {
            return Some(format!("The speed is {speed}; it must be from {slowest} to {fastest}."));
        }
        let Ok(legs) = Vec::<Leg>::deserialize(&answer["orders"]) else {
            return Some("The orders are a list of legs such as {\"ahead\": 40} and {\"turn\": -30}.".to_owned());
        };
        let (mut straight, mut total) = (0_i64, 0_i64);
        for leg in legs {
            match leg {
                Leg::Ahead(length) if length < 0 => return Some("A ship cannot move astern.".to_owned()),
                Leg::Ahead(length) => {
                    straight = straight.saturating_add(length);
                    total = total.saturating_add(length);
                }
                Leg::Turn(degrees) if degrees == 0 || degrees % 15 != 0 || degrees.abs() > self.turn => {
                    return Some(format!("A turn is 15 to {} degrees, in steps of 15.", self.turn));
                }
                Leg::Turn(_) if straight < self.run => {
                    return Some(format!(
                        "The ship must run {} straight before a turn; it has run {straight}.",
                        self.run
                    ));
                }
                Leg::Turn(_) => straight = 0,
            }
        }
        let whole = speed * self.scale;
        if total != whole {
            return Some(format!("The legs are {total} mm long; at {speed} knots the ship runs {whole} mm."));
        }
        self.items.iter().find_map(|item| {
            let given = &answer[&item.id];
            let known = item.options.iter().any(|option| option.value == *given);
            (!known).then(|| format!("{}: choose one of the options.", item.label))
        })
    }

    /// Straight ahead at the lowest speed, with the first option of every item.
    #[must_use]
    pub fn straight(&self) -> Value {
        let speed = self.speeds[0];
        let orders = if speed > 0 { vec![Leg::Ahead(speed * self.scale)] } else { Vec::new() };
        let mut answer = serde_json::json!({ "speed": speed, "orders": orders });
        for item in &self.items {
            if let Some(option) = item.options.first().filter(|option| !option.value.is_null()) {
                answer[&item.id] = option.value.clone();
            }
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OptionView;
    use serde_json::json;

    fn course() -> Course {
        let smoke = FormItem {
            id: "smoke".into(),
            label: "Smoke".into(),
            options: vec![OptionView::new(Value::Null, "none"), OptionView::new(true, "make smoke")],
        };
        Course {
            piece: "ajax".into(),
            from: [0, 0],
            heading: 60,
            speeds: [2, 22],
            scale: 10,
            run: 40,
            turn: 45,
            items: vec![smoke],
        }
    }

    #[test]
    fn a_course_is_run_leg_by_leg() {
        let (points, heading) = run(Point::new(0, 0), 60, &[Leg::Ahead(40), Leg::Turn(-60), Leg::Ahead(100)]);
        assert_eq!((points, heading), (vec![Point::new(0, 0), Point::new(35, 20), Point::new(35, 120)], 0));
        assert_eq!(ahead(Point::new(0, 0), 225, 10), Point::new(-7, -7));
        assert_eq!(direction(345), direction(-15));
    }

    #[test]
    fn what_is_wrong_with_a_course_is_said() {
        let course = course();
        let wrong = |answer: Value| course.wrong(&answer);
        assert_eq!(wrong(json!({"speed": 10, "orders": [{"ahead": 40}, {"turn": 45}, {"ahead": 60}]})), None);
        assert_eq!(wrong(course.straight()), None);
        assert_eq!(wrong(json!({"speed": 4, "orders": [{"ahead": 40}], "smoke": true})), None);
        for (answer, words) in [
            (json!({"orders": []}), "A course needs a speed."),
            (json!({"speed": 30, "orders": [{"ahead": 300}]}), "The speed is 30; it must be from 2 to 22."),
            (
                json!({"speed": 4, "orders": [{"ahead": 30}]}),
                "The legs are 30 mm long; at 4 knots the ship runs 40 mm.",
            ),
            (json!({"speed": 4, "orders": [{"ahead": -40}]}), "A ship cannot move astern."),
            (
                json!({"speed": 4, "orders": [{"ahead": 30}, {"turn": 15}, {"ahead": 10}]}),
                "The ship must run 40 straight before a turn; it has run 30.",
            ),
            (
                json!({"speed": 4, "orders": [{"ahead": 40}, {"turn": 60}]}),
                "A turn is 15 to 45 degrees, in steps of 15.",
            ),
            (json!({"speed": 4, "orders": [{"ahead": 40}], "smoke": "blue"}), "Smoke: choose one of the options."),
        ] {
            assert_eq!(wrong(answer).as_deref(), Some(words));
        }
        assert!(wrong(json!({"speed": 4, "orders": ["ahead"]})).is_some_and(|words| words.starts_with("The orders")));
    }
}
