//! What lies on a table beside the dice: cards of ships and other objects, charts, and what one ruling leads to.

use crate::LibraryItem;
use flagplot_kernel::card::{Card, Figure, Fitting, Section};
use flagplot_kernel::{Band, Table, TableReading};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;

/// Something out of the data or off the sheet that became part of an input.
#[derive(Clone, Debug)]
pub struct Pick {
    /// Where in the input, dotted; empty for the whole of it. A place the input does not have is only carried along for
    /// the rulings that follow.
    pub path: String,
    /// The object as it was.
    pub item: LibraryItem,
}

/// A procedure that a ruling calls for.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowUp {
    /// Why, in a sentence without a full stop.
    pub why: String,
    /// Its name.
    pub procedure: &'static str,
    /// How many times.
    pub times: u32,
    /// What of its input is known.
    pub known: Value,
    /// Objects that go with it: the place in its input, dotted, and the object's id. A place the input does not have is
    /// carried along.
    pub objects: Vec<(String, String)>,
}

impl FollowUp {
    /// A procedure called for once, with nothing known.
    #[must_use]
    pub fn new(why: impl Into<String>, procedure: &'static str) -> Self {
        Self { why: why.into(), procedure, times: 1, known: Value::Object(serde_json::Map::new()), objects: Vec::new() }
    }

    /// The same, repeated.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// The same, with a field of its input known.
    #[must_use]
    pub fn known(mut self, field: &str, value: impl Into<Value>) -> Self {
        if let Value::Object(known) = &mut self.known {
            known.insert(field.to_owned(), value.into());
        }
        self
    }

    /// The same with an object, if there is one.
    #[must_use]
    pub fn with(mut self, path: &str, object: Option<&LibraryItem>) -> Self {
        self.objects.extend(object.map(|item| (path.to_owned(), item.id.clone())));
        self
    }
}

/// A table of the rules, for a chart card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Chart {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The rule it belongs to.
    pub rule: String,
    /// What is looked up down the side.
    pub down: String,
    /// What is looked up along the top.
    pub across: String,
    /// The headings along the top.
    pub columns: Vec<String>,
    /// Each row with its heading.
    pub rows: Vec<(String, Vec<String>)>,
    /// How it is used, a sentence each.
    pub notes: Vec<String>,
}

impl Chart {
    /// A chart without rows.
    #[must_use]
    pub fn new(id: &str, title: &str, rule: impl Display, down: &str, across: &str) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            rule: rule.to_string(),
            down: down.to_owned(),
            across: across.to_owned(),
            columns: Vec::new(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A chart out of a table.
    #[must_use]
    pub fn of<T: Display>(table: &Table<T>, title: &str, rule: impl Display) -> Self {
        let labels = |bands: &[flagplot_kernel::Band]| bands.iter().map(|band| band.label.clone()).collect::<Vec<_>>();
        let rows = labels(&table.rows.bands)
            .into_iter()
            .zip(table.cells().iter().map(|row| row.iter().map(ToString::to_string).collect()))
            .collect();
        Self {
            columns: labels(&table.columns.bands),
            rows,
            ..Self::new(&table.id, title, rule, &table.rows.name, &table.columns.name)
        }
    }

    /// Which rows and columns a reading lights: a heading that says the same, or the range that holds the number; a
    /// reading without a row lights the row of every die. Some charts are printed on their side, so that the words of a
    /// reading are looked for in both directions.
    #[must_use]
    pub fn lit(&self, reading: &TableReading, dice: &[u8]) -> (Vec<usize>, Vec<usize>) {
        let same = |label: &str, word: &str| {
            let number = || word.parse::<i64>().ok().zip(Band::parse(label).ok());
            label == word
                || number().is_some_and(|(n, band)| {
                    band.low.is_none_or(|low| low <= n) && band.high.is_none_or(|high| n <= high)
                })
        };
        let row = |word: &str| self.rows.iter().position(|(label, _)| same(label, word));
        let column = |word: &str| self.columns.iter().position(|label| same(label, word));
        let words = [reading.row.as_str(), reading.column.as_str()];
        let mut rows = Vec::new();
        let mut columns = Vec::new();
        for (at, word) in words.into_iter().enumerate().filter(|(_, word)| !word.is_empty()) {
            let found = if at == 0 {
                row(word).map(Ok).or(column(word).map(Err))
            } else {
                column(word).map(Err).or(row(word).map(Ok))
            };
            match found {
                Some(Ok(row)) => rows.push(row),
                Some(Err(column)) => columns.push(column),
                None => {}
            }
        }
        if reading.row.is_empty() && rows.is_empty() {
            rows.extend(dice.iter().filter_map(|die| row(&die.to_string())));
            rows.sort_unstable();
            rows.dedup();
        }
        (rows, columns)
    }

    /// The same with headings along the top.
    #[must_use]
    pub fn columns<S: ToString>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.columns = columns.into_iter().map(|column| column.to_string()).collect();
        self
    }

    /// The same with a row more.
    #[must_use]
    pub fn row<S: ToString>(mut self, label: impl Display, cells: impl IntoIterator<Item = S>) -> Self {
        self.rows.push((label.to_string(), cells.into_iter().map(|cell| cell.to_string()).collect()));
        self
    }

    /// The same with a sentence on its use.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// The objects of a ruling as they are afterwards: where the result holds an object at the place an object was picked
/// for, that one.
#[must_use]
pub fn same_places(picks: &[Pick], result: &Value) -> Vec<LibraryItem> {
    let at = |pick: &Pick| {
        result
            .pointer(&format!("/{}", pick.path.replace('.', "/")))
            .filter(|after| after.is_object() && pick.item.value.is_object())
    };
    picks
        .iter()
        .filter(|pick| !pick.path.is_empty())
        .filter_map(|pick| Some(LibraryItem { value: at(pick)?.clone(), ..pick.item.clone() }))
        .collect()
}

/// A card for an object of which nothing is known but its JSON form: numbers and words side by side, lists one below
/// the other.
#[must_use]
pub fn plain_card(item: &LibraryItem, fresh: Option<&LibraryItem>) -> Card {
    let mut card = Card { title: item.name.clone(), subtitle: item.kind.clone(), ..Card::default() };
    let mut figures = Vec::new();
    fill(&item.value, fresh.map(|fresh| &fresh.value), "", &mut figures, &mut card.sections);
    if !figures.is_empty() {
        card.sections.insert(0, Section::Figures { label: "Figures".to_owned(), figures });
    }
    card
}

fn words(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| format!("{} {}", name.replace('_', " "), words(value)))
            .collect::<Vec<_>>()
            .join(", "),
        number @ Value::Number(_) => number.to_string(),
    }
}

fn fill(value: &Value, fresh: Option<&Value>, prefix: &str, figures: &mut Vec<Figure>, sections: &mut Vec<Section>) {
    let Value::Object(fields) = value else {
        figures.push(Figure::new(prefix, words(value), fresh.map_or_else(|| words(value), words)));
        return;
    };
    for (name, value) in fields {
        let before = fresh.and_then(|fresh| fresh.get(name));
        let label =
            if prefix.is_empty() { name.replace('_', " ") } else { format!("{prefix} {}", name.replace('_', " ")) };
        match value {
            Value::Object(_) => fill(value, before, &label, figures, sections),
            Value::Array(items) if !items.is_empty() => {
                let pieces = items.iter().map(|item| Fitting {
                    name: words(item),
                    detail: String::new(),
                    lost: item["lost"] == Value::Bool(true),
                });
                sections.push(Section::Pieces { label, pieces: pieces.collect() });
            }
            Value::Array(_) => {}
            _ => figures.push(Figure::new(&label, words(value), before.map_or_else(|| words(value), words))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn item(value: Value) -> LibraryItem {
        LibraryItem { id: "hood".into(), name: "Hood".into(), kind: "ship".into(), value }
    }

    #[test]
    fn an_object_at_the_place_it_was_picked_for_is_the_same_object() {
        let pick = |path: &str| Pick { path: path.to_owned(), item: item(json!({"f": 9})) };
        let after = same_places(
            &[pick("side.ship"), pick("shooter"), pick("")],
            &json!({"side": {"ship": {"f": 7}}, "shooter": 3}),
        );
        assert_eq!(
            after.iter().map(|item| (item.id.as_str(), item.value.clone())).collect::<Vec<_>>(),
            [("hood", json!({"f": 7}))]
        );
    }

    #[test]
    fn a_plain_card_shows_what_a_figure_was() {
        let card = plain_card(
            &item(json!({"f": 7, "s": 3, "guns": [{"ac": 1, "lost": true}]})),
            Some(&item(json!({"f": 9, "s": 3}))),
        );
        let figure = |name: &str, now: &str, was: Option<&str>| Figure {
            name: name.into(),
            now: now.into(),
            was: was.map(str::to_owned),
        };
        assert_eq!(
            card.sections[0],
            Section::Figures {
                label: "Figures".into(),
                figures: vec![figure("f", "7", Some("9")), figure("s", "3", None)]
            }
        );
        assert!(matches!(&card.sections[1], Section::Pieces { pieces, .. } if pieces[0].lost));
    }

    #[test]
    fn a_chart_has_the_cells_of_its_table() {
        let axis = |labels: &[&str]| flagplot_kernel::Axis::new("die", labels).unwrap();
        let table = Table::new("t", axis(&["1-3", "4-6"]), axis(&["1", "2+"]), vec![vec![1, 2], vec![3, 4]]).unwrap();
        let chart = Chart::of(&table, "A table", "R-1");
        assert_eq!(chart.columns, ["1", "2+"]);
        assert_eq!(chart.rows[1], ("4-6".to_owned(), vec!["3".to_owned(), "4".to_owned()]));
    }
}
