//! Courses as they are typed and told: `26 s40 p30 s190 smoke` is 26 knots, 40 mm straight, 30 degrees to port, 190 mm
//! straight, and smoke.

use crate::course::{Course, Leg};
use crate::{FormItem, OptionView};
use serde::Deserialize;
use serde_json::{Value, json};

/// How a course is typed, for the help of a screen.
pub const COURSE_HELP: &str = "A course is a speed, legs and turns: 26 s40 p30 s190. s40 runs 40 mm straight, p30 \
    turns 30° to port, sb30 turns 30° to starboard. A turn without a leg before it comes as soon as it may, and what \
    is left of the run is straight ahead. Add other orders as words, such as smoke.";

impl Course {
    /// The turns of some legs, each with how far it runs straight before it.
    #[must_use]
    pub fn turns(legs: &[Leg]) -> Vec<(i64, i32)> {
        let (mut turns, mut straight) = (Vec::new(), 0_i64);
        for leg in legs {
            match *leg {
                Leg::Ahead(length) => straight = straight.saturating_add(length),
                Leg::Turn(degrees) => turns.push((std::mem::take(&mut straight), degrees)),
            }
        }
        turns
    }

    /// The legs of a course at a speed with some turns, each with how far it runs straight before it; the rest is
    /// straight ahead. None if the turns need more room than there is.
    #[must_use]
    pub fn legs(&self, speed: i64, turns: &[(i64, i32)]) -> Option<Vec<Leg>> {
        let mut left = speed.checked_mul(self.scale)?;
        let mut legs = Vec::new();
        for &(length, degrees) in turns {
            left = left.checked_sub(length).filter(|left| *left >= 0)?;
            legs.extend((length > 0).then_some(Leg::Ahead(length)));
            legs.push(Leg::Turn(degrees));
        }
        legs.extend((left > 0).then_some(Leg::Ahead(left)));
        Some(legs)
    }

    /// A course from what was typed; what is not typed stays as it is in `now`, or as in [`Course::straight`].
    pub fn parse(&self, text: &str, now: Option<&Value>) -> Result<Value, String> {
        let mut answer = now.cloned().unwrap_or_else(|| self.straight());
        let words: Vec<&str> = text.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
        let (mut turns, mut straight, mut end, mut steered) = (Vec::new(), None::<i64>, None::<i64>, false);
        for word in &words {
            let word = word.to_ascii_lowercase();
            let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
            let letters = &word[..word.len() - digits.len()];
            let number = digits.parse::<i64>().ok().filter(|number| (0..=100_000).contains(number));
            match (letters, number) {
                ("", Some(speed)) => answer["speed"] = speed.into(),
                ("s" | "a", Some(length)) => {
                    steered = true;
                    straight = Some(straight.unwrap_or(0).saturating_add(length));
                }
                ("p" | "l" | "sb" | "r", Some(degrees)) => {
                    steered = true;
                    let sign = if matches!(letters, "p" | "l") { -1 } else { 1 };
                    let mut left = i32::try_from(degrees).unwrap_or(i32::MAX);
                    // A wide turn is made of several; the first comes where it was typed.
                    while left > 0 {
                        let by = if self.turn > 0 { left.min(self.turn) } else { left };
                        turns.push((straight.take().unwrap_or(self.run), sign * by));
                        left -= by;
                    }
                    if degrees == 0 {
                        turns.push((straight.take().unwrap_or(self.run), 0));
                    }
                }
                _ => self.choose(&word, &mut answer)?,
            }
            end = straight;
        }
        let speed = answer["speed"].as_i64().unwrap_or(self.speeds[0]);
        if steered {
            let run: i64 = turns.iter().map(|(length, _)| *length).sum::<i64>().saturating_add(end.unwrap_or(0));
            let whole = speed.saturating_mul(self.scale);
            let too_long = || format!("The legs are {run} mm long; at {speed} knots the ship runs {whole} mm.");
            let legs = self.legs(speed, &turns).filter(|_| run <= whole).ok_or_else(too_long)?;
            answer["orders"] = json!(legs);
        } else {
            // Another speed alone keeps the turns and changes the last leg.
            let kept = Vec::<Leg>::deserialize(&answer["orders"]).unwrap_or_default();
            let turns = Self::turns(&kept);
            let short = || format!("At {speed} knots there is no room for the turns. Type the course again.");
            answer["orders"] = json!(self.legs(speed, &turns).ok_or_else(short)?);
        }
        self.wrong(&answer).map_or(Ok(answer), Err)
    }

    /// Chooses an option of an item by a word: `smoke`, `no-smoke`, `lights=off`.
    fn choose(&self, word: &str, answer: &mut Value) -> Result<(), String> {
        let named = |name: &str| self.items.iter().find(|item| slug(&item.id) == name || slug(&item.label) == name);
        let with = |item: &FormItem, option: &OptionView, answer: &mut Value| {
            if let Some(entries) = answer.as_object_mut() {
                entries.remove(&item.id);
                if !option.value.is_null() {
                    entries.insert(item.id.clone(), option.value.clone());
                }
            }
        };
        let chosen = match word.split_once('=') {
            Some((name, value)) => named(name).and_then(|item| {
                let option = item.options.iter().find(|option| {
                    slug(&option.label) == value || option.value.as_str().is_some_and(|given| slug(given) == value)
                })?;
                Some((item, option))
            }),
            None => named(word).and_then(|item| Some((item, the_one(item)?))).or_else(|| {
                let item = named(word.strip_prefix("no-")?)?;
                Some((item, item.options.iter().find(|option| option.value.is_null())?))
            }),
        };
        let Some((item, option)) = chosen else {
            let known: Vec<String> = self.items.iter().flat_map(typed_options).collect();
            let more = if known.is_empty() { String::new() } else { format!(" Here also: {}.", known.join(", ")) };
            return Err(format!(
                "'{word}' is not part of a course. Type legs such as s40, turns such as p30 or sb30.{more}"
            ));
        };
        with(item, option, answer);
        Ok(())
    }

    /// A course as it is typed.
    #[must_use]
    pub fn text(&self, answer: &Value) -> Option<String> {
        let legs = Vec::<Leg>::deserialize(&answer["orders"]).ok()?;
        let mut words = vec![answer["speed"].as_i64()?.to_string()];
        words.extend(legs.iter().map(|leg| match *leg {
            Leg::Ahead(length) => format!("s{length}"),
            Leg::Turn(degrees) if degrees < 0 => format!("p{}", degrees.unsigned_abs()),
            Leg::Turn(degrees) => format!("sb{degrees}"),
        }));
        for item in &self.items {
            let option = item.options.iter().find(|option| option.value == answer[&item.id])?;
            match the_one(item) {
                _ if option.value.is_null() => {}
                Some(one) if one == option => words.push(slug(&item.id)),
                _ => words.push(format!("{}={}", slug(&item.id), slug(&option.label))),
            }
        }
        Some(words.join(" "))
    }

    /// A course in words: `26 knots, 45° to port after 40 mm, make smoke`.
    #[must_use]
    pub fn words(&self, answer: &Value) -> Option<String> {
        let speed = answer["speed"].as_i64()?;
        let legs = Vec::<Leg>::deserialize(&answer["orders"]).ok()?;
        let mut words = vec![if speed == 0 { "stopped".to_owned() } else { format!("{speed} {}", knots(speed)) }];
        let turns = Self::turns(&legs);
        for (at, (length, degrees)) in turns.iter().enumerate() {
            let (to, more) = (if *degrees < 0 { "port" } else { "starboard" }, if at > 0 { " more" } else { "" });
            words.push(format!("{}° to {to} after {length}{more} mm", degrees.unsigned_abs()));
        }
        if turns.is_empty() && speed > 0 {
            words.push("straight ahead".to_owned());
        }
        for item in &self.items {
            let option = item.options.iter().find(|option| option.value == answer[&item.id])?;
            words.extend((!option.value.is_null()).then(|| option.label.clone()));
        }
        Some(words.join(", "))
    }
}

fn knots(speed: i64) -> &'static str {
    if speed == 1 { "knot" } else { "knots" }
}

/// A name as a player types it: small letters and digits, with hyphens between them.
fn slug(text: &str) -> String {
    let plain = text.to_ascii_lowercase();
    let words = plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The only option of an item that is not nothing.
fn the_one(item: &FormItem) -> Option<&OptionView> {
    let mut options = item.options.iter().filter(|option| !option.value.is_null());
    options.next().filter(|_| options.next().is_none())
}

/// How the options of an item are typed.
fn typed_options(item: &FormItem) -> Vec<String> {
    match the_one(item) {
        Some(_) => vec![slug(&item.id)],
        None => item.options.iter().map(|option| format!("{}={}", slug(&item.id), slug(&option.label))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::run;
    use crate::plane::Point;

    fn course() -> Course {
        let item = |id: &str, options: &[(Value, &str)]| FormItem {
            id: id.into(),
            label: id.to_uppercase(),
            options: options.iter().map(|(value, label)| OptionView::new(value.clone(), *label)).collect(),
        };
        Course {
            piece: "ajax".into(),
            from: [0, 0],
            heading: 60,
            speeds: [14, 30],
            scale: 10,
            run: 40,
            turn: 45,
            items: vec![
                item("smoke", &[(Value::Null, "no smoke"), (json!(true), "make smoke")]),
                item("lights", &[(Value::Null, "dark"), (json!("one"), "One beam"), (json!("all"), "All beams")]),
            ],
        }
    }

    fn check(typed: &str, text: &str, words: &str) {
        let answer = course().parse(typed, None).unwrap();
        assert_eq!(course().wrong(&answer), None, "{typed}: {answer}");
        assert_eq!(course().text(&answer).as_deref(), Some(text), "{typed}");
        assert_eq!(course().words(&answer).as_deref(), Some(words), "{typed}");
        assert_eq!(course().parse(text, None), Ok(answer), "{typed}");
    }

    #[test]
    fn a_course_is_typed_and_told() {
        check("26 s40 p30 s190 smoke", "26 s40 p30 s220 smoke", "26 knots, 30° to port after 40 mm, make smoke");
        check("20 sb15", "20 s40 sb15 s160", "20 knots, 15° to starboard after 40 mm");
        check("", "14 s140", "14 knots, straight ahead");
        check(
            "28 P90, LIGHTS=all-beams",
            "28 s40 p45 s40 p45 s200 lights=all-beams",
            "28 knots, 45° to port after 40 mm, 45° to port after 40 more mm, All beams",
        );
    }

    #[test]
    fn what_is_not_typed_stays() {
        let now = course().parse("26 s60 p30 smoke", None).unwrap();
        let then = |typed: &str| course().parse(typed, Some(&now)).map(|answer| course().text(&answer).unwrap());
        assert_eq!(then("20"), Ok("20 s60 p30 s140 smoke".to_owned()));
        assert_eq!(then("no-smoke"), Ok("26 s60 p30 s200".to_owned()));
        assert_eq!(then("s260"), Ok("26 s260 smoke".to_owned()));
    }

    #[test]
    fn what_is_mistyped_is_told() {
        for (typed, words) in [
            ("40", "The speed is 40; it must be from 14 to 30."),
            ("20 s30 p15", "The ship must run 40 straight before a turn; it has run 30."),
            ("20 s300", "The legs are 300 mm long; at 20 knots the ship runs 200 mm."),
            ("20 p20", "A turn is 15 to 45 degrees, in steps of 15."),
            (
                "20 x9",
                "'x9' is not part of a course. Type legs such as s40, turns such as p30 or sb30. Here also: smoke, \
                 lights=dark, lights=one-beam, lights=all-beams.",
            ),
            ("20 p180 p180", "The legs are 320 mm long; at 20 knots the ship runs 200 mm."),
        ] {
            assert_eq!(course().parse(typed, None), Err(words.to_owned()), "{typed}");
        }
        for typed in ["99999999999999999999", "s-4", "p", "=", "no-", "é4", "lights=", "p99999 s99999"] {
            assert!(course().parse(typed, None).is_err(), "{typed}");
        }
    }

    /// The browser computes courses too; its tests read the same file.
    #[test]
    fn courses_are_the_same_everywhere() {
        let cases: Vec<Value> = serde_json::from_str(include_str!("../tests/courses.json")).unwrap();
        assert!(cases.len() >= 48);
        for case in cases {
            let from = <[i64; 2]>::deserialize(&case["from"]).unwrap();
            let course = Course {
                from,
                heading: case["heading"].as_i64().unwrap() as i32,
                speeds: [0, 40],
                run: case["run"].as_i64().unwrap(),
                items: Vec::new(),
                ..course()
            };
            let answer = course.parse(case["text"].as_str().unwrap(), None).unwrap();
            assert_eq!(answer["orders"], case["orders"], "{case}");
            assert_eq!(course.text(&answer).as_deref(), case["text"].as_str());
            let legs = Vec::<Leg>::deserialize(&answer["orders"]).unwrap();
            let (points, heading) = run(Point::new(from[0], from[1]), course.heading, &legs);
            let points: Vec<[i64; 2]> = points.into_iter().map(|point| [point.x, point.y]).collect();
            assert_eq!((json!(points), json!(heading)), (case["points"].clone(), case["end"].clone()), "{case}");
        }
    }
}
