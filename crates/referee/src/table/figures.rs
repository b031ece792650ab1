//! The figures of a sheet that the referee may correct.

use super::Object;
use super::facts::capital;
use crate::{Shape, int, text};
use serde_json::Value;

/// The least and the most of a figure as far as the table knows; the system checks the sheet as a whole.
const LIMITS: (i64, i64) = (-999, 1_000_000);
/// The longest text on a sheet.
const LONGEST: usize = 60;

/// A figure of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetFigure {
    /// Its place on the sheet, dotted.
    pub field: String,
    /// What it is called.
    pub label: String,
    /// What it must look like.
    pub shape: Shape,
}

impl SheetFigure {
    /// A figure that looks as it does now; none for what is not there or is no single figure.
    #[must_use]
    pub fn of(sheet: &Value, field: impl Into<String>, label: impl Into<String>) -> Option<Self> {
        let field = field.into();
        let shape = match super::facts::at(sheet, &field) {
            Value::Bool(_) => Shape::Bool,
            Value::Number(_) => int(LIMITS.0, LIMITS.1),
            Value::String(_) => text(LONGEST),
            _ => return None,
        };
        Some(Self { field, label: label.into(), shape })
    }

    /// The same with the least and the most that it may be, if it is a number.
    #[must_use]
    pub fn within(mut self, least: i64, most: i64) -> Self {
        if let Shape::Int { min, max } = &mut self.shape {
            (*min, *max) = (least, most.max(least));
        }
        self
    }

    /// The same as the field of a shape that its sheet has; as it is where the shape has no such field.
    #[must_use]
    pub fn shaped(mut self, sheet: &Shape) -> Self {
        if let Some((shape, _)) = field_of(sheet, &self.field) {
            self.shape = shape;
        }
        self
    }
}

/// The shape and the unit of the field at a dotted place; numbers are places in lists.
#[must_use]
pub fn field_of(shape: &Shape, path: &str) -> Option<(Shape, Option<&'static str>)> {
    let (mut shape, mut unit) = (shape, None);
    for part in path.split('.') {
        shape = match shape {
            Shape::Record { fields } => {
                let field = fields.iter().find(|field| field.name == part)?;
                unit = field.unit;
                &field.shape
            }
            Shape::List { of, .. } => of,
            Shape::Tuple { of } => of.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
        if let Shape::Nullable { of } = shape {
            shape = of;
        }
    }
    Some((shape.clone(), unit))
}

/// What became of an object by these counts, of which its sheet has some: gone when none is left, in play again when a
/// correction brings some back, and otherwise as it was.
#[must_use]
pub fn gone_by_counts(object: &Object, counts: &[&str], gone: &str) -> String {
    let mut there = counts.iter().filter_map(|field| object.value.get(field)?.as_i64()).peekable();
    if there.peek().is_none() {
        return object.gone.clone();
    }
    match (there.any(|count| count > 0), object.gone.as_str()) {
        (false, "") => gone.to_owned(),
        (true, was) if was == gone => String::new(),
        (_, was) => was.to_owned(),
    }
}

/// Every number and every yes or no of a sheet, called by its field.
#[must_use]
pub fn sheet_figures(sheet: &Value) -> Vec<SheetFigure> {
    let mut found = Vec::new();
    walk(sheet, sheet, "", &mut found);
    found
}

fn walk(sheet: &Value, value: &Value, path: &str, found: &mut Vec<SheetFigure>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| walk(sheet, value, &below(name), found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| walk(sheet, value, &below(&at.to_string()), found));
        }
        Value::Bool(_) | Value::Number(_) => {
            found.extend(SheetFigure::of(sheet, path, capital(&path.replace(['_', '.'], " "))));
        }
        Value::String(_) | Value::Null => {}
    }
}

/// A figure as a person says it.
pub(super) fn spoken(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
