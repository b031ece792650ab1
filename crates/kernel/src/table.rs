use crate::{Ask, Note, Rule};
use serde::Serialize;
use std::fmt::{self, Display};

/// A row or column heading: a range of whole numbers with a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Band {
    /// What is printed.
    pub label: String,
    /// The least number it holds; `None`: no lower end.
    pub low: Option<i64>,
    /// The greatest number it holds; `None`: no upper end.
    pub high: Option<i64>,
}

impl Band {
    /// A band from its printed form: `3`, `4-6`, `9+`, `<=2`, `2-`, `any`, with an en dash or a hyphen.
    pub fn parse(label: &str) -> Result<Band, String> {
        let text = label.trim().replace(['–', '−'], "-").replace('≤', "<=").replace('≥', ">=");
        let number =
            |part: &str| part.trim().parse::<i64>().map_err(|_| format!("'{label}' is not a range of whole numbers"));
        let (low, high) = if text == "any" {
            (None, None)
        } else if let Some(rest) = text.strip_prefix("<=") {
            (None, Some(number(rest)?))
        } else if let Some(rest) = text.strip_prefix(">=") {
            (Some(number(rest)?), None)
        } else if let Some(rest) = text.strip_suffix('+') {
            (Some(number(rest)?), None)
        } else if let Some(split) = text.char_indices().skip(1).find(|(_, c)| *c == '-').map(|(at, _)| at) {
            let rest = &text[split + 1..];
            if rest.is_empty() {
                (None, Some(number(&text[..split])?))
            } else {
                (Some(number(&text[..split])?), Some(number(rest)?))
            }
        } else {
            let only = number(&text)?;
            (Some(only), Some(only))
        };
        if low.zip(high).is_some_and(|(low, high)| low > high) {
            return Err(format!("'{label}' runs backwards"));
        }
        Ok(Band { label: label.trim().to_owned(), low, high })
    }
}

/// The headings along one side of a table: contiguous and in rising order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// What is looked up along it.
    pub name: String,
    /// The headings.
    pub bands: Vec<Band>,
}

impl Axis {
    /// Checks that the bands follow each other without gap or overlap.
    pub fn new(name: impl Into<String>, labels: &[impl AsRef<str>]) -> Result<Axis, String> {
        let name = name.into();
        let bands: Vec<Band> = labels.iter().map(|label| Band::parse(label.as_ref())).collect::<Result<_, _>>()?;
        if bands.is_empty() {
            return Err(format!("the axis '{name}' has no headings"));
        }
        for pair in bands.windows(2) {
            let meets = pair[0].high.zip(pair[1].low).is_some_and(|(high, low)| high + 1 == low);
            if !meets {
                return Err(format!(
                    "the axis '{name}' has a gap or an overlap between '{}' and '{}'",
                    pair[0].label, pair[1].label
                ));
            }
        }
        Ok(Axis { name, bands })
    }

    /// The index of the band that holds `n`; below the first or above the last, that one.
    #[must_use]
    pub fn find(&self, n: i64) -> usize {
        // The bands rise without gaps, so the first that does not end below it holds it.
        self.bands.partition_point(|band| band.high.is_some_and(|high| high < n)).min(self.bands.len() - 1)
    }
}

/// A total table: every row has a cell for every column, and every number finds its row and column (beyond an end, that
/// end).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table<T> {
    /// The table's id.
    pub id: String,
    /// What is looked up down the side.
    pub rows: Axis,
    /// What is looked up along the top.
    pub columns: Axis,
    cells: Vec<Vec<T>>,
}

impl<T: Display> Table<T> {
    /// A table with all of its cells; says which row is too short or too long.
    pub fn new(id: impl Into<String>, rows: Axis, columns: Axis, cells: Vec<Vec<T>>) -> Result<Self, String> {
        let id = id.into();
        if cells.len() != rows.bands.len() {
            return Err(format!(
                "table '{id}' has {} rows of cells and {} row headings",
                cells.len(),
                rows.bands.len()
            ));
        }
        for (row, band) in cells.iter().zip(&rows.bands) {
            if row.len() != columns.bands.len() {
                return Err(format!(
                    "table '{id}', row '{}' has {} cells for {} columns",
                    band.label,
                    row.len(),
                    columns.bands.len()
                ));
            }
        }
        Ok(Self { id, rows, columns, cells })
    }

    /// A cell, without a trace.
    #[must_use]
    pub fn cell(&self, row: i64, column: i64) -> &T {
        &self.cells[self.rows.find(row)][self.columns.find(column)]
    }

    /// The cells row by row.
    #[must_use]
    pub fn cells(&self) -> &[Vec<T>] {
        &self.cells
    }

    /// Reads a cell and notes where: the only way the rules read a table.
    pub fn read(&self, ask: &mut impl Ask, rule: Rule, row: i64, column: i64) -> &T {
        let (r, c) = (self.rows.find(row), self.columns.find(column));
        let cell = &self.cells[r][c];
        ask.note(|| {
            Note::new(
                "table",
                format!(
                    "{}: row {}, column {}: {cell}",
                    heading(&self.id),
                    self.rows.bands[r].label,
                    self.columns.bands[c].label
                ),
            )
            .detail()
            .by(&[rule])
            .table(&self.id, &self.rows.bands[r].label, &self.columns.bands[c].label)
            .outcome(cell.to_string())
        });
        cell
    }
}

/// `naval_attack` in words.
fn heading(id: &str) -> String {
    let words = id.replace(['_', '-'], " ");
    let first = words.chars().take(1).flat_map(char::to_uppercase);
    first.chain(words.chars().skip(1)).collect()
}

impl<T: Display> fmt::Display for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: Vec<Vec<String>> =
            self.cells.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
        let first = self
            .rows
            .bands
            .iter()
            .map(|band| band.label.chars().count())
            .chain([self.rows.name.chars().count()])
            .max()
            .unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.bands.len())
            .map(|c| {
                text.iter()
                    .map(|row| row[c].chars().count())
                    .chain([self.columns.bands[c].label.chars().count()])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        writeln!(f, "{}: {} down, {} across", self.id, self.rows.name, self.columns.name)?;
        write!(f, "{:first$}", "")?;
        for (band, width) in self.columns.bands.iter().zip(&widths) {
            write!(f, "  {:>width$}", band.label)?;
        }
        writeln!(f)?;
        for (band, row) in self.rows.bands.iter().zip(&text) {
            write!(f, "{:first$}", band.label)?;
            for (cell, width) in row.iter().zip(&widths) {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_read_as_printed() {
        let ends = |label: &str| Band::parse(label).map(|band| (band.low, band.high));
        assert_eq!(ends("3"), Ok((Some(3), Some(3))));
        assert_eq!(ends("-4--2"), Ok((Some(-4), Some(-2))));
        assert_eq!(ends("4–6"), Ok((Some(4), Some(6))));
        assert_eq!(ends("9+"), Ok((Some(9), None)));
        assert_eq!(ends("<=2"), Ok((None, Some(2))));
        assert_eq!(ends("2-"), Ok((None, Some(2))));
        assert!(ends("6-4").is_err());
        assert!(ends("six").is_err());
    }

    #[test]
    fn an_axis_with_a_gap_is_refused_and_says_where() {
        let error = Axis::new("die", &["1-2", "4"]).unwrap_err();
        assert!(error.contains("'1-2' and '4'"), "{error}");
    }

    #[test]
    fn reading_beyond_an_end_stays_at_that_end() {
        let table = Table::new(
            "t",
            Axis::new("die", &["1-3", "4-6"]).unwrap(),
            Axis::new("odds", &["1", "2"]).unwrap(),
            vec![vec!["a", "b"], vec!["c", "d"]],
        )
        .unwrap();
        assert_eq!(*table.cell(9, -3), "c");
        assert_eq!(*table.cell(0, 9), "b");
        assert!(table.to_string().contains("4-6"));
    }

    #[test]
    fn a_short_row_is_refused_by_name() {
        let axis = || Axis::new("die", &["1", "2"]).unwrap();
        let error = Table::new("t", axis(), axis(), vec![vec![1, 2], vec![3]]).unwrap_err();
        assert_eq!(error, "table 't', row '2' has 1 cells for 2 columns");
    }
}
