//! What an act still has to be told: the fields of its procedure's input that no sheet and no map supplies.

use super::{Act, Count, Object, State};
use crate::{Field, Need, Shape};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Where a known fact comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// From a sheet.
    Sheet,
    /// Measured on the map.
    Map,
}

/// A fact that need not be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Its place in the input, dotted; the whole input if it is empty.
    pub path: String,
    /// What it is.
    pub value: Value,
    /// Where it comes from.
    pub source: Source,
}

impl Known {
    /// A fact from a sheet.
    pub fn sheet(path: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { path: path.into(), value: value.into(), source: Source::Sheet }
    }

    /// A fact measured on the map.
    pub fn map(path: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { path: path.into(), value: value.into(), source: Source::Map }
    }
}

impl Known {
    /// What it tells of a place: itself, or a part of the sheet that it is.
    pub(super) fn tells(&self, path: &str) -> Option<(&Value, Source)> {
        if self.path == path {
            return Some((&self.value, self.source));
        }
        let within = if self.path.is_empty() { Some(path) } else { path.strip_prefix(&self.path)?.strip_prefix('.') };
        Some((at(&self.value, within?), self.source)).filter(|(value, _)| !value.is_null())
    }
}

/// The objects of an act in their roles.
#[derive(Clone, Copy, Debug)]
pub struct Cast<'a> {
    /// The table.
    pub state: &'a State,
    /// Who plays which role.
    pub roles: &'a BTreeMap<String, Vec<String>>,
    /// The part of the acting object.
    pub part: Option<&'a str>,
    /// What has been told, by place.
    pub told: &'a Map<String, Value>,
}

impl<'a> Cast<'a> {
    /// The object in a role, or the first of several.
    #[must_use]
    pub fn one(&self, role: &str) -> Option<&'a Object> {
        self.many(role).into_iter().next()
    }

    /// All objects in a role.
    #[must_use]
    pub fn many(&self, role: &str) -> Vec<&'a Object> {
        let ids = self.roles.get(role).map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|id| self.state.object(id)).collect()
    }

    /// The names of the objects in a role: `Ajax, Achilles and Exeter`.
    #[must_use]
    pub fn names(&self, role: &str) -> String {
        listed(&self.many(role).iter().map(|object| object.name.as_str()).collect::<Vec<_>>())
    }

    /// The same for a headline, where many are counted: `3-factor unit 1 and 8 more`.
    #[must_use]
    pub fn few_names(&self, role: &str) -> String {
        match self.many(role).as_slice() {
            [first, rest @ ..] if rest.len() > MOST_NAMED => format!("{} and {} more", first.name, rest.len()),
            _ => self.names(role),
        }
    }
}

/// More names than these, beside the first, are counted in a headline.
const MOST_NAMED: usize = 2;

/// Words in a row: `a, b and c`.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// A field that an act may be told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Open {
    pub path: String,
    pub label: String,
    pub shape: Shape,
    pub unit: Option<&'static str>,
    pub default: Option<Value>,
    pub need: bool,
}

/// Puts a value at a dotted place; numbers are places in lists that are there.
pub(super) fn put(input: &mut Value, path: &str, value: Value) {
    if path.is_empty() {
        match (input, value) {
            (Value::Object(into), Value::Object(fields)) => into.extend(fields),
            (into, value) => *into = value,
        }
        return;
    }
    let (head, rest) = path.split_once('.').map_or((path, None), |(head, rest)| (head, Some(rest)));
    if let Some(slot) = input.as_array_mut().and_then(|list| list.get_mut(head.parse::<usize>().ok()?)) {
        return match rest {
            Some(rest) => put(slot, rest, value),
            None => *slot = value,
        };
    }
    if !input.is_object() {
        *input = Value::Object(Map::new());
    }
    let Value::Object(fields) = input else { return };
    match rest {
        None => drop(fields.insert(head.to_owned(), value)),
        Some(rest) => put(fields.entry(head.to_owned()).or_insert(Value::Null), rest, value),
    }
}

/// The value at a dotted place; null where nothing is there.
pub(super) fn at<'a>(input: &'a Value, path: &str) -> &'a Value {
    input.pointer(&format!("/{}", path.replace('.', "/"))).unwrap_or(&Value::Null)
}

/// Puts in every required record that is absent and could be empty: its fields all have defaults or may be left out.
pub(super) fn fill_in(shape: &Shape, value: &mut Value) {
    let (Shape::Record { fields }, Value::Object(given)) = (shape, value) else { return };
    for field in fields {
        let Shape::Record { fields: inner } = &field.shape else { continue };
        let may_be_empty = inner.iter().all(|inner| inner.need != Need::Required);
        if field.need == Need::Required && may_be_empty && !given.contains_key(field.name) {
            given.insert(field.name.to_owned(), Value::Object(Map::new()));
        }
    }
}

/// Takes away what the shape does not have: what an object only carries along.
pub(super) fn trim(shape: &Shape, value: &mut Value) {
    match (shape, value) {
        (Shape::Record { fields }, Value::Object(given)) => {
            given.retain(|name, _| fields.iter().any(|field| field.name == name));
            for field in fields {
                if let Some(value) = given.get_mut(field.name) {
                    trim(&field.shape, value);
                }
            }
        }
        (Shape::Tagged { tag, kinds, .. }, Value::Object(given)) => {
            let Some(kind) =
                kinds.iter().find(|kind| kind.words.iter().any(|word| given.get(*tag) == Some(&(*word).into())))
            else {
                return;
            };
            given.retain(|name, _| name == tag || kind.fields.iter().any(|field| field.name == name));
            for field in &kind.fields {
                if let Some(value) = given.get_mut(field.name) {
                    trim(&field.shape, value);
                }
            }
        }
        (Shape::List { of, .. }, Value::Array(items)) => items.iter_mut().for_each(|item| trim(of, item)),
        (Shape::Tuple { of }, Value::Array(items)) => {
            items.iter_mut().zip(of).for_each(|(item, shape)| trim(shape, item));
        }
        (Shape::Nullable { of }, value) if !value.is_null() => trim(of, value),
        _ => {}
    }
}

/// The fields of an input that are not known, in the order of the shape.
pub(super) fn open(act: &Act, shape: &Shape, known: &Value) -> Vec<Open> {
    let mut found = Vec::new();
    let worded = |path: &str| act.words(path).is_some();
    walk(shape, known, "", None, &worded, &mut found);
    let hidden = |path: &str| {
        act.hidden.iter().any(|one| path == *one || path.strip_prefix(one).is_some_and(|rest| rest.starts_with('.')))
    };
    found.retain(|open: &Open| !hidden(&open.path));
    for open in &mut found {
        if let Some(fact) = act.words(&open.path) {
            open.label = fact.label.to_owned();
            open.need |= fact.need;
        }
    }
    // What the act has words for comes first, in its order.
    let rank = |open: &Open| act.facts.iter().position(|fact| fact.covers(&open.path)).unwrap_or(act.facts.len());
    found.sort_by_key(rank);
    found
}

fn fields_of<'a>(shape: &'a Shape, known: &Value) -> Option<&'a [Field]> {
    match shape {
        Shape::Record { fields } => Some(fields),
        Shape::Tagged { tag, kinds, .. } => kinds
            .iter()
            .find(|kind| kind.words.iter().any(|word| known.get(tag) == Some(&Value::from(*word))))
            .map(|kind| kind.fields.as_slice()),
        _ => None,
    }
}

fn walk(
    shape: &Shape,
    known: &Value,
    path: &str,
    field: Option<&Field>,
    worded: &dyn Fn(&str) -> bool,
    found: &mut Vec<Open>,
) {
    if let Some(fields) = fields_of(shape, known) {
        // A group of fields that may be left out altogether is not asked for piece by piece.
        if known.is_null() && field.is_some_and(|field| field.need == Need::Optional) {
            return;
        }
        for field in fields {
            let below = if path.is_empty() { field.name.to_owned() } else { format!("{path}.{}", field.name) };
            match known.get(field.name) {
                // What may be nothing and is known to be is told already, and may be told otherwise.
                Some(Value::Null) if matches!(field.shape, Shape::Nullable { .. }) => {
                    let told = Field { need: Need::Default(Value::Null), ..field.clone() };
                    walk(&told.shape, &Value::Null, &below, Some(&told), worded, found);
                }
                value => walk(&field.shape, value.unwrap_or(&Value::Null), &below, Some(field), worded, found),
            }
        }
        return;
    }
    match (shape, known) {
        (Shape::List { of, .. }, Value::Array(items)) => {
            for (at, item) in items.iter().enumerate() {
                walk(of, item, &format!("{path}.{at}"), None, worded, found);
            }
        }
        (Shape::Tuple { of }, Value::Array(items)) if items.len() == of.len() => {
            for (at, (item, of)) in items.iter().zip(of).enumerate() {
                walk(of, item, &format!("{path}.{at}"), None, worded, found);
            }
        }
        (_, Value::Null) => {
            let label = field.map_or_else(|| path.to_owned(), |field| field.help.trim_end_matches('.').to_owned());
            let default = field.and_then(|field| match &field.need {
                Need::Default(value) => Some(value.clone()),
                _ => None,
            });
            let need = field.is_none_or(|field| field.need == Need::Required);
            let is_plain =
                |one: &&Shape| matches!(one, Shape::Bool | Shape::Int { .. } | Shape::Word { .. } | Shape::Text { .. });
            // Where one form of a fact is a plain figure, that is the one a person tells.
            let shape = match shape {
                Shape::Either { of } => of.iter().find(is_plain).unwrap_or(shape),
                // What may be nothing is asked for where the act has words for it.
                Shape::Nullable { of } if worded(path) => of.as_ref(),
                _ => shape,
            };
            let plain = is_plain(&shape);
            // Lists and other structures are asked for only where the rules cannot do without them.
            if plain || need {
                found.push(Open {
                    path: path.to_owned(),
                    label: capital(&label),
                    shape: shape.clone(),
                    unit: field.and_then(|field| field.unit),
                    default,
                    need,
                });
            }
        }
        _ => {}
    }
}

/// The places that the words of a fact stand for: one for each item of a list that is there.
pub(super) fn places(path: &str, input: &Value) -> Vec<String> {
    match path.split_once(".*") {
        None => vec![path.to_owned()],
        Some((list, rest)) => {
            let items = at(input, list).as_array().map_or(0, Vec::len);
            (0..items).map(|item| format!("{list}.{item}{rest}")).collect()
        }
    }
}

/// The text with a capital first letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// Whether a role needs no object.
pub(super) fn may_be_empty(count: Count) -> bool {
    matches!(count, Count::Optional | Count::Any)
}
