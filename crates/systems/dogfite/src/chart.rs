//! Tables with named rows, read by a number along the top.

use flagplot_kernel::{Ask, Axis, DataError, Files, Note, Rule};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Display;

/// A total table: every row has a cell for every column, and every number finds its column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart<T> {
    id: &'static str,
    columns: Axis,
    rows: Vec<(&'static str, Vec<T>)>,
}

impl<T: Display + Copy> Chart<T> {
    /// A cell without a trace: for those who only look ahead.
    pub fn cell(&self, row: usize, n: i32) -> T {
        self.rows[row].1[self.columns.find(i64::from(n))]
    }

    /// The heading of the column that holds `n`.
    pub fn column(&self, n: i32) -> &str {
        &self.columns.bands[self.columns.find(i64::from(n))].label
    }

    /// Reads a cell and notes where.
    pub fn read(&self, ask: &mut impl Ask, rule: Rule, row: usize, n: i32) -> T {
        let cell = self.cell(row, n);
        ask.note(|| {
            let (name, column) = (self.rows[row].0, self.column(n));
            Note::new("table", format!("{}: {name} at {column}: {cell}", self.id))
                .detail()
                .by(&[rule])
                .table(self.id, name, column)
                .outcome(cell.to_string())
        });
        cell
    }
}

impl<T: Display> Chart<T> {
    /// As a chart card: what is looked up goes down the side.
    pub(crate) fn card(&self, title: &str, rule: Rule) -> flagplot_referee::Chart {
        let mut card = flagplot_referee::Chart::new(self.id, title, rule, &self.columns.name, "")
            .columns(self.rows.iter().map(|(name, _)| *name));
        for (at, band) in self.columns.bands.iter().enumerate() {
            card = card.row(&band.label, self.rows.iter().map(|(_, cells)| cells[at].to_string()));
        }
        card
    }
}

/// A cell of the file: a number or a word.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Entry {
    Number(i32),
    Word(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChartFile {
    columns: Vec<String>,
    rows: BTreeMap<String, Vec<Entry>>,
}

/// All charts of a file, taken out one by one.
pub(crate) struct Charts {
    file: &'static str,
    charts: BTreeMap<String, ChartFile>,
}

impl Charts {
    pub(crate) fn parse(files: &Files, file: &'static str) -> Result<Self, DataError> {
        Ok(Self { file, charts: files.parse(file)? })
    }

    /// The chart of an id with exactly these rows, its cells read by `cell`.
    pub(crate) fn take<T>(
        &mut self,
        id: &'static str,
        by: &'static str,
        rows: &[&'static str],
        cell: impl Fn(&Entry) -> Option<T>,
    ) -> Result<Chart<T>, DataError> {
        let wrong = |message: String| DataError::new(self.file, message);
        let mut chart = self.charts.remove(id).ok_or_else(|| wrong(format!("the table '{id}' is missing")))?;
        let columns = Axis::new(by, &chart.columns).map_err(|message| wrong(format!("table '{id}': {message}")))?;
        let mut read = Vec::new();
        for &row in rows {
            let entries = chart.rows.remove(row).ok_or_else(|| wrong(format!("table '{id}' has no row '{row}'")))?;
            if entries.len() != columns.bands.len() {
                return Err(wrong(format!(
                    "table '{id}', row '{row}' has {} cells for {} columns",
                    entries.len(),
                    columns.bands.len()
                )));
            }
            let cells = entries
                .iter()
                .map(|entry| {
                    cell(entry).ok_or_else(|| wrong(format!("table '{id}', row '{row}': {entry:?} cannot stand there")))
                })
                .collect::<Result<Vec<T>, _>>()?;
            read.push((row, cells));
        }
        if let Some(row) = chart.rows.keys().next() {
            return Err(wrong(format!("table '{id}' has a row '{row}' that no rule reads")));
        }
        Ok(Chart { id, columns, rows: read })
    }

    /// Says whether a table is left that no rule reads.
    pub(crate) fn finish(self) -> Result<(), DataError> {
        match self.charts.keys().next() {
            None => Ok(()),
            Some(id) => Err(DataError::new(self.file, format!("no rule reads a table '{id}'"))),
        }
    }
}
