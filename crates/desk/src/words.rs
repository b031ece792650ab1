//! Answers in words.

use flagplot_catalog::Thought;
use flagplot_kernel::{Form, FormItem, FormPart, FormPlace, OptionView, SeatQuestion, parts_of};
use serde_json::Value;
use std::collections::BTreeMap;

/// An answer in words: that of the option it is, or what its parts are called in the form; else its own plain words.
#[must_use]
pub fn in_words(question: &SeatQuestion, value: &Value) -> String {
    told(question, value).unwrap_or_else(|| plainly(value))
}

/// The words for an answer that was weighed: those of the question; where it has none, what the player that weighed it
/// calls it.
#[must_use]
pub fn worded(question: &SeatQuestion, value: &Value, called: String) -> String {
    told(question, value).unwrap_or_else(|| if called.starts_with(['{', '[']) { plainly(value) } else { called })
}

/// An entry of a sheet in words, without the field that names its part.
#[must_use]
pub fn entry_in_words(part: &FormPart, value: &Value) -> String {
    by_option(&part.options, &part.form, value).unwrap_or_else(|| plainly(value))
}

fn told(question: &SeatQuestion, value: &Value) -> Option<String> {
    by_option(&question.options, &question.form, value)
}

fn by_option(options: &[OptionView], form: &Form, value: &Value) -> Option<String> {
    let option = options.iter().find(|option| option.value == *value).map(|option| option.label.clone());
    option.or_else(|| by_form(form, value))
}

/// A value without the signs of its notation: `{"action": "break-off", "with": ["b1"]}` is `action break off, with b1`.
fn plainly(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.replace('-', " "),
        Value::Array(list) if list.is_empty() => "none".to_owned(),
        Value::Array(list) => list.iter().map(plainly).collect::<Vec<_>>().join(", "),
        Value::Object(map) => {
            let entry =
                |(key, value): (&String, &Value)| format!("{} {}", key.replace(['-', '_'], " "), plainly(value));
            map.iter().filter(|(_, value)| !value.is_null()).map(entry).collect::<Vec<_>>().join(", ")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// A thought with all that was weighed in words.
#[must_use]
pub fn thought_in_words(question: &SeatQuestion, mut thought: Thought) -> Thought {
    for one in &mut thought.alternatives {
        one.label = worded(question, &one.value, std::mem::take(&mut one.label));
    }
    thought
}

fn by_form(form: &Form, value: &Value) -> Option<String> {
    match form {
        Form::Assign { items, none } => {
            let parts = value.as_array()?.iter().map(|part| {
                let (item, option) = items.iter().find_map(|item| {
                    item.options.iter().find(|option| option.value == *part).map(|option| (item, option))
                })?;
                Some(if item.label == option.label {
                    item.label.clone()
                } else {
                    format!("{}: {}", item.label, option.label)
                })
            });
            let parts = parts.collect::<Option<Vec<_>>>()?;
            Some(if parts.is_empty() { none.clone() } else { parts.join("; ") })
        }
        Form::Subset { items, .. } => {
            let parts = value.as_array()?.iter().map(|part| {
                items.iter().find(|item| item.options.first().map_or(item.id == *part, |option| option.value == *part))
            });
            let parts = parts.map(|item| item.map(|item| item.label.clone())).collect::<Option<Vec<_>>>()?;
            Some(if parts.is_empty() { "none".to_owned() } else { parts.join(", ") })
        }
        Form::Numbers { items, .. } => {
            let numbers = value.as_object()?;
            let given = items.iter().filter_map(|item| Some((item, numbers.get(&item.id)?.as_i64()?)));
            let parts =
                given.filter(|(_, number)| *number != 0).map(|(item, number)| format!("{} {number}", item.label));
            let parts: Vec<String> = parts.collect();
            Some(if parts.is_empty() { "none".to_owned() } else { parts.join(", ") })
        }
        Form::Choices { ways } => ways.iter().find_map(|(_, way)| by_form(way, value)),
        Form::Parts { places, items, template } => by_parts(places, items, template, value),
        Form::Points { items, template, .. } => by_points(items, template, value),
        Form::Course(course) => course.words(value),
        Form::Sheet { parts, .. } => by_sheet(form, parts, value),
        Form::Pick => None,
    }
}

/// Each entry with its part, then the parts without one, those with the same words together.
fn by_sheet(form: &Form, parts: &[FormPart], value: &Value) -> Option<String> {
    let entries = form.entries(value).ok()?;
    let mut told: Vec<String> =
        entries.iter().map(|(part, entry)| format!("{}: {}", part.label, entry_in_words(part, entry))).collect();
    let mut silent: Vec<(&str, Vec<&str>)> = Vec::new();
    for part in parts.iter().filter(|part| entries.iter().all(|(of, _)| of.id != part.id)) {
        match silent.iter_mut().find(|(words, _)| *words == part.left_out) {
            Some((_, labels)) => labels.push(&part.label),
            None => silent.push((&part.left_out, vec![&part.label])),
        }
    }
    told.extend(silent.iter().map(|(words, labels)| format!("{}: {words}", labels.join(", "))));
    Some(if told.is_empty() { "none".to_owned() } else { told.join("; ") })
}

/// Where a path leads is seen on the board; what else was chosen is told.
fn by_points(items: &[FormItem], template: &Value, value: &Value) -> Option<String> {
    let all_points = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(|one| point(one).is_some()));
    let parts = parts_of(template, value, &|id, value| match id {
        "point" => point(value).is_some(),
        "points" => all_points(value),
        _ => option(items, id, value).is_some(),
    })?;
    let path = match parts.get("points").and_then(Value::as_array).map_or(1, Vec::len) {
        1 => "to the marked point".to_owned(),
        count => format!("along {count} marked points"),
    };
    Some(std::iter::once(path).chain(chosen(items, &parts)).collect::<Vec<_>>().join("; "))
}

fn option<'a>(items: &'a [FormItem], id: &str, value: &Value) -> Option<&'a OptionView> {
    items.iter().find(|item| item.id == id)?.options.iter().find(|option| option.value == *value)
}

/// Each item with what was chosen for it.
fn chosen<'a>(items: &'a [FormItem], parts: &'a BTreeMap<String, Value>) -> impl Iterator<Item = String> + 'a {
    items
        .iter()
        .filter_map(|item| Some(format!("{}: {}", item.label, option(items, &item.id, parts.get(&item.id)?)?.label)))
}

/// Each part with what was chosen for it; a part left out is not told.
fn by_parts(places: &[FormPlace], items: &[FormItem], template: &Value, value: &Value) -> Option<String> {
    let parts = parts_of(template, value, &|id, value| match places.iter().any(|place| place.id == id) {
        true => point(value).is_some(),
        false => option(items, id, value).is_some(),
    })?;
    // Where a piece is put is seen on the board.
    let placed: Vec<&str> = places
        .iter()
        .filter(|place| parts.get(&place.id).and_then(point).is_some())
        .map(|place| place.label.as_str())
        .collect();
    let placed = (!placed.is_empty()).then(|| format!("{} as marked on the board", placed.join(", ")));
    let told: Vec<String> = placed.into_iter().chain(chosen(items, &parts)).collect();
    Some(if told.is_empty() { "none".to_owned() } else { told.join("; ") })
}

fn point(value: &Value) -> Option<[i64; 2]> {
    let list = value.as_array()?;
    <[i64; 2]>::try_from(list.iter().map(Value::as_i64).collect::<Option<Vec<_>>>()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::course::Course;
    use flagplot_kernel::{Prompt, Rule, Seat};
    use serde_json::json;

    fn asked(form: Form) -> SeatQuestion {
        let prompt = Prompt::new("choose", "Choose.", Rule { id: "R-1", title: "choosing" });
        SeatQuestion { seat: Seat(0), prompt, options: Vec::new(), form }
    }

    fn item(id: &str, options: &[OptionView]) -> FormItem {
        FormItem { id: id.into(), label: format!("Group {id}"), options: options.to_vec() }
    }

    #[test]
    fn no_answer_is_told_in_json() {
        let says = |form: &Form, value: Value, words: &str| assert_eq!(in_words(&asked(form.clone()), &value), words);
        let path = Form::Points {
            piece: None,
            max: 3,
            reach: None,
            items: vec![item("search", &[OptionView::new(json!(true), "search there")])],
            template: json!({"move": {"path": "$points", "search": "$search"}}),
        };
        says(
            &path,
            json!({"move": {"path": [[1, 2]], "search": true}}),
            "to the marked point; Group search: search there",
        );
        says(
            &path,
            json!({"move": {"path": [[1, 2], [3, 4]], "search": true}}),
            "along 2 marked points; Group search: search there",
        );
        let numbers = Form::numbers(["a", "b"].map(|id| (item(id, &[]), (0, 4))), None);
        says(&numbers, json!({"a": 3, "b": 0}), "Group a 3");
        says(&numbers, json!({"a": 0, "b": 0}), "none");
        says(
            &Form::Pick,
            json!({"action": "break-off", "with": ["b1", "b2"], "by": null}),
            "action break off, with b1, b2",
        );
        assert_eq!(worded(&asked(Form::Pick), &json!({"to": 3}), "Fly on".into()), "Fly on");
        assert_eq!(worded(&asked(Form::Pick), &json!({"to": 3}), "{\"to\":3}".into()), "to 3");
    }

    #[test]
    fn a_sheet_is_told_part_by_part_in_its_order() {
        let smoke = FormItem {
            id: "smoke".into(),
            label: "Smoke".into(),
            options: vec![OptionView::new(Value::Null, "no smoke"), OptionView::new(true, "smoke")],
        };
        let ship = |id: &str, label: &str| {
            let course = Course {
                piece: id.into(),
                from: [0, 0],
                heading: 0,
                speeds: [0, 30],
                scale: 10,
                run: 40,
                turn: 45,
                items: vec![smoke.clone()],
            };
            FormPart { left_out: "keeps her course".into(), ..FormPart::new(id, label, Form::Course(course)) }
        };
        let mut parts = vec![ship("ajax", "Ajax"), ship("exeter", "Exeter"), ship("leander", "Leander")];
        parts[1].options.push(OptionView::new(json!({"speed": 0, "orders": []}), "stop"));
        let form = Form::Sheet { key: "ship".into(), parts };
        let says = |value: Value, words: &str| assert_eq!(in_words(&asked(form.clone()), &value), words);
        let ajax = json!({"ship": "ajax", "speed": 26, "smoke": true,
            "orders": [{"ahead": 40}, {"turn": -45}, {"ahead": 220}]});
        let exeter = json!({"ship": "exeter", "speed": 0, "orders": []});
        says(
            json!([exeter, ajax]),
            "Exeter: stop; Ajax: 26 knots, 45° to port after 40 mm, smoke; Leander: keeps her course",
        );
        says(json!([]), "Ajax, Exeter, Leander: keeps her course");
        says(json!([{"ship": "hood"}]), "ship hood");
    }
}
