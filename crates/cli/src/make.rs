//! Builds an answer in the terminal by the form of the question.

use crate::fields::Person;
use crate::sheet;
use crate::unit::Unit;
use flagplot_kernel::scene::Place;
use flagplot_kernel::{COURSE_HELP, Form, FormItem, FormPlace, FormSum, OptionView, Region, filled};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Builds an answer by its form; points are typed in a unit.
pub fn make(person: &mut Person<'_>, form: &Form, unit: Unit) -> Option<Value> {
    match form {
        Form::Pick => {
            println!("Choose one of the options above by its number.");
            None
        }
        Form::Assign { items, none } => {
            let mut chosen = Vec::new();
            for item in items {
                println!("{}:", item.label);
                println!("  0. {none}");
                show(&item.options);
                if let Some(option) = pick_or_none(person, &item.options)? {
                    chosen.push(option);
                }
            }
            Some(Value::Array(chosen))
        }
        Form::Subset { items, min, max } => {
            for (at, item) in items.iter().enumerate() {
                println!("  {}. {}", at + 1, item.label);
            }
            let typed = person.line(&format!("Numbers of {min} to {max} of these, with spaces: "))?;
            let chosen: Option<Vec<Value>> = typed
                .split([' ', ','])
                .filter(|part| !part.is_empty())
                .map(|part| items.get(part.parse::<usize>().ok()?.checked_sub(1)?).map(item_value))
                .collect();
            if chosen.is_none() {
                println!("Numbers from 1 to {}, with spaces between them.", items.len());
            }
            chosen.map(Value::Array)
        }
        Form::Numbers { .. } => type_numbers(person, form),
        Form::Points { piece, max, reach, items, template } => {
            let who = piece.as_ref().map_or(String::new(), |piece| format!(" for {piece}"));
            let far = reach.map_or(String::new(), |reach| format!(", at most {} in all", unit.distance(reach)));
            let typed = person.line(&format!("Up to {max} points{who}{far}, as x,y x,y …: "))?;
            let points: Option<Vec<Value>> = typed
                .split(' ')
                .filter(|part| !part.is_empty())
                .map(|part| unit.read(part).map(|point| json!(point)))
                .collect();
            match points {
                Some(points) if !points.is_empty() => {
                    let mut parts = choose_items(person, items)?;
                    parts.extend([
                        ("point".to_owned(), points.last().cloned().unwrap_or_default()),
                        ("points".to_owned(), Value::Array(points)),
                    ]);
                    Some(put_together(template, &parts))
                }
                _ => {
                    println!("{}", unit.help());
                    None
                }
            }
        }
        Form::Parts { places, items, template } => {
            let mut parts = BTreeMap::new();
            for place in places {
                parts.insert(place.id.clone(), choose_place(person, place, unit)?);
            }
            parts.append(&mut choose_items(person, items)?);
            Some(put_together(template, &parts))
        }
        Form::Course(course) => loop {
            let typed = person.line("Course (? for help): ")?;
            match typed.as_str() {
                "back" => return None,
                "?" => println!("{COURSE_HELP}"),
                typed => match course.parse(typed, None) {
                    Ok(value) => return Some(value),
                    Err(wrong) => println!("{wrong}"),
                },
            }
        },
        Form::Sheet { .. } => sheet::fill(person, form, None, unit),
        Form::Choices { ways } => {
            for (at, (name, _)) in ways.iter().enumerate() {
                println!("  {}. {name}", at + 1);
            }
            let way = number(person, "Which way? ", 1..=ways.len())?;
            make(person, &ways[way - 1].1, unit)
        }
    }
}

/// A number for each item; Enter takes the least. Numbers that do not fit together are asked for again.
fn type_numbers(person: &mut Person<'_>, form: &Form) -> Option<Value> {
    let Form::Numbers { items, limits, total, sums, cells } = form else { return None };
    loop {
        if let Some(total) = total {
            println!("The numbers must add up to {total}.");
        }
        for FormSum { label, min, max, .. } in sums {
            println!("{label}: {min} to {max} in all.");
        }
        let mut map = Map::new();
        let mut row = None;
        for (at, (item, (low, high))) in items.iter().zip(limits).enumerate() {
            if let Some((heading, _)) = cells.get(at).filter(|(heading, _)| row != Some(heading)) {
                println!("{heading}");
                row = Some(heading);
            }
            let label = cells.get(at).map_or(&item.label, |(_, column)| column);
            loop {
                let typed = person.line(&format!("  {label} ({low} to {high}): "))?;
                let number = if typed.is_empty() { Some(*low) } else { typed.parse().ok() };
                match number.filter(|number| (*low..=*high).contains(number)) {
                    Some(number) => {
                        map.insert(item.id.clone(), number.into());
                        break;
                    }
                    None if typed == "back" => return None,
                    None => println!("  A whole number from {low} to {high}, or back."),
                }
            }
        }
        match form.wrong_numbers(&map) {
            Some(wrong) => println!("{wrong} Type the numbers again, or back."),
            None => return Some(Value::Object(map)),
        }
    }
}

/// One option for each item.
fn choose_items(person: &mut Person<'_>, items: &[FormItem]) -> Option<BTreeMap<String, Value>> {
    let mut chosen = BTreeMap::new();
    for item in items {
        println!("{}:", item.label);
        show(&item.options);
        let option = pick(person, &item.options)?;
        chosen.insert(item.id.clone(), option);
    }
    Some(chosen)
}

/// A point as it stands in the answer; null if it is left out.
fn choose_place(person: &mut Person<'_>, place: &FormPlace, unit: Unit) -> Option<Value> {
    let regions: Vec<String> = place.regions.iter().map(|region| told(region, unit)).collect();
    let where_to = if regions.is_empty() { String::new() } else { format!(", {}", regions.join(" or ")) };
    let start = match &place.piece.place {
        Place::Point(point) => unit.point(*point),
        Place::Box(name) => name.clone(),
        Place::Hex(hex) => hex.key(),
    };
    let (or_else, unchanged) =
        if place.optional { ("Enter leaves it", None) } else { ("Enter takes", Some(start.as_str())) };
    loop {
        let typed = person.line(&format!("{}{where_to}, as x,y ({or_else} at {start}): ", place.label))?;
        if typed == "back" {
            return None;
        }
        let typed = if typed.is_empty() { unchanged } else { Some(typed.as_str()) };
        let Some(typed) = typed else { return Some(Value::Null) };
        match unit.read(typed) {
            Some([x, y]) => {
                let [from_x, from_y] = place.origin.unwrap_or_default();
                return Some(json!([x.saturating_sub(from_x), y.saturating_sub(from_y)]));
            }
            None => println!("{} Or type back.", unit.help()),
        }
    }
}

/// An option by its number, 0 for none; asks again for anything else.
fn pick_or_none(person: &mut Person<'_>, options: &[OptionView]) -> Option<Option<Value>> {
    let number = number(person, "  number: ", 0..=options.len())?;
    Some(number.checked_sub(1).map(|at| options[at].value.clone()))
}

/// An option by its number; asks again for anything else.
fn pick(person: &mut Person<'_>, options: &[OptionView]) -> Option<Value> {
    number(person, "  number: ", 1..=options.len()).map(|number| options[number - 1].value.clone())
}

/// A number within limits; none to go back.
fn number(person: &mut Person<'_>, prompt: &str, limits: std::ops::RangeInclusive<usize>) -> Option<usize> {
    loop {
        let typed = person.line(prompt)?;
        match typed.parse::<usize>() {
            Ok(number) if limits.contains(&number) => return Some(number),
            _ if typed == "back" => return None,
            _ => println!("  A number from {} to {}, or back.", limits.start(), limits.end()),
        }
    }
}

fn item_value(item: &FormItem) -> Value {
    item.options.first().map_or_else(|| Value::String(item.id.clone()), |option| option.value.clone())
}

/// The template with its parts in their place.
fn put_together(template: &Value, parts: &BTreeMap<String, Value>) -> Value {
    filled(template, &|id| parts.get(id).cloned().unwrap_or_default())
}

/// Where a point may lie, in words.
fn told(region: &Region, unit: Unit) -> String {
    match region {
        Region::Line { from, to } => format!("on the line from {} to {}", unit.point(*from), unit.point(*to)),
        Region::Around { middle, size, least, most } => {
            let far = match (least, most) {
                (0, most) => format!("within {}", unit.distance(*most)),
                (least, most) if least == most => format!("exactly {}", unit.distance(*most)),
                (least, most) => format!("{} to {}", unit.shown(*least), unit.distance(*most)),
            };
            let from = if *least == 0 { "of" } else { "from" };
            let piece = if *size == [0, 0] { "" } else { "the edge of the piece at " };
            format!("{far} {from} {piece}{}", unit.point(*middle))
        }
    }
}

fn show(options: &[OptionView]) {
    for (at, option) in options.iter().enumerate() {
        println!("  {}. {}", at + 1, option.label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::scene::Piece;

    fn place(id: &str, optional: bool) -> FormPlace {
        let piece = Piece {
            id: id.into(),
            name: id.into(),
            side: None,
            kind: "card".into(),
            place: Place::Point([10, 20]),
            facing: None,
            size: None,
            badges: Vec::new(),
            states: Vec::new(),
            text: id.into(),
        };
        FormPlace {
            id: id.into(),
            label: id.into(),
            piece,
            regions: vec![Region::Line { from: [0, 0], to: [9, 0] }],
            origin: optional.then_some([10, 20]),
            optional,
        }
    }

    fn item(id: &str, values: &[Value]) -> FormItem {
        let options = values.iter().map(|value| OptionView::new(value.clone(), value.to_string())).collect();
        FormItem { id: id.into(), label: id.into(), options }
    }

    fn typed(form: &Form, lines: &str) -> Option<Value> {
        make(&mut Person::new(lines.as_bytes()), form, Unit::Millimetre)
    }

    #[test]
    fn numbers_are_asked_for_again_until_they_fit_together() {
        let mut form = Form::numbers(["a", "b"].map(|id| (item(id, &[]), (1, 4))), None);
        let Form::Numbers { sums, cells, .. } = &mut form else { unreachable!() };
        *sums = vec![FormSum { label: "London".into(), items: vec!["a".into(), "b".into()], min: 0, max: 5 }];
        *cells = vec![("London".into(), "Bombers".into()), ("London".into(), "Fighters".into())];
        assert_eq!(typed(&form, "4\n4\n9\nx\n3\n\n"), Some(json!({"a": 3, "b": 1})));
        assert_eq!(typed(&form, "4\nback\n"), None);
    }

    #[test]
    fn parts_are_typed_one_after_the_other() {
        let form = Form::Parts {
            places: vec![place("a", false), place("b", true)],
            items: vec![item("look", &[Value::Null, json!("r1")])],
            template: json!({"a": "$a", "to": {"b": "$b"}, "look": "$look"}),
        };
        assert_eq!(typed(&form, "3,4\n12,30\n2\n"), Some(json!({"a": [3, 4], "to": {"b": [2, 10]}, "look": "r1"})));
        assert_eq!(
            typed(&form, "\n\n1\n"),
            Some(json!({"a": [10, 20], "to": {}})),
            "an empty line takes the place as it is, or leaves it out"
        );
        assert_eq!(
            typed(&form, "here\n3,4\n\n0\n9\n2\n"),
            Some(json!({"a": [3, 4], "to": {}, "look": "r1"})),
            "what is none of the answers is asked again"
        );
        assert_eq!(typed(&form, "back\n"), None);
    }

    #[test]
    fn a_path_may_come_with_items() {
        let form = Form::Points {
            piece: None,
            max: 2,
            reach: None,
            items: vec![item("b2", &[Value::Null, json!("b2")])],
            template: json!({"who": ["b1", "$b2"], "path": "$points"}),
        };
        assert_eq!(typed(&form, "1,2 3,4\n2\n"), Some(json!({"who": ["b1", "b2"], "path": [[1, 2], [3, 4]]})));
        assert_eq!(typed(&form, "1,2\n1\n"), Some(json!({"who": ["b1"], "path": [[1, 2]]})));
        assert_eq!(typed(&form, "1;2\n"), None);
    }

    #[test]
    fn what_is_mistyped_is_not_taken_for_something_else() {
        let some = Form::Subset { items: vec![item("a", &[json!(1)]), item("b", &[json!(2)])], min: 0, max: 2 };
        assert_eq!(typed(&some, "2, 1\n"), Some(json!([2, 1])));
        assert_eq!(typed(&some, "\n"), Some(json!([])));
        for wrong in ["3\n", "1 x\n", "0\n"] {
            assert_eq!(typed(&some, wrong), None, "{wrong}");
        }
        let ways = Form::Choices { ways: vec![("pick".into(), Form::Pick), ("some".into(), some)] };
        assert_eq!(typed(&ways, "x\n3\n2\n1\n"), Some(json!([1])), "asked again");
        assert_eq!(typed(&ways, "back\n"), None);
    }
}
