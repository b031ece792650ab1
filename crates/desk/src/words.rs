//! Answers in words.

use flagplot_catalog::Thought;
use flagplot_kernel::{Form, FormItem, FormPlace, SeatQuestion, parts_of};
use serde_json::Value;

/// An answer in words: that of the option it is, or what its parts are called in the form; else as it is written.
#[must_use]
pub fn in_words(question: &SeatQuestion, value: &Value) -> String {
    let option = question.options.iter().find(|option| option.value == *value).map(|option| option.label.clone());
    option.or_else(|| by_form(&question.form, value)).unwrap_or_else(|| value.to_string())
}

/// The words for an answer that was weighed: those of [`in_words`], unless they would be its JSON; then what the player that weighed it calls it.
#[must_use]
pub fn worded(question: &SeatQuestion, value: &Value, called: String) -> String {
    let words = in_words(question, value);
    if words.starts_with(['{', '[']) { called } else { words }
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
            let parts: Vec<String> =
                items.iter().filter_map(|item| Some(format!("{} {}", item.label, numbers.get(&item.id)?))).collect();
            Some(if parts.is_empty() { "none".to_owned() } else { parts.join(", ") })
        }
        Form::Choices { ways } => ways.iter().find_map(|(_, way)| by_form(way, value)),
        Form::Parts { places, items, template } => by_parts(places, items, template, value),
        Form::Points { .. } | Form::Pick => None,
    }
}

/// Each part with what was chosen for it; a part left out is not told.
fn by_parts(places: &[FormPlace], items: &[FormItem], template: &Value, value: &Value) -> Option<String> {
    let option = |id: &str, value: &Value| {
        items.iter().find(|item| item.id == id)?.options.iter().find(|option| option.value == *value)
    };
    let parts = parts_of(template, value, &|id, value| match places.iter().any(|place| place.id == id) {
        true => point(value).is_some(),
        false => option(id, value).is_some(),
    })?;
    let points = places.iter().filter_map(|place| {
        let [x, y] = point(parts.get(&place.id)?)?;
        let [from_x, from_y] = place.origin.unwrap_or_default();
        Some(format!("{} at {}, {}", place.label, x.saturating_add(from_x), y.saturating_add(from_y)))
    });
    let chosen = items
        .iter()
        .filter_map(|item| Some(format!("{}: {}", item.label, option(&item.id, parts.get(&item.id)?)?.label)));
    let told: Vec<String> = points.chain(chosen).collect();
    Some(if told.is_empty() { "none".to_owned() } else { told.join("; ") })
}

fn point(value: &Value) -> Option<[i64; 2]> {
    let list = value.as_array()?;
    <[i64; 2]>::try_from(list.iter().map(Value::as_i64).collect::<Option<Vec<_>>>()?).ok()
}
