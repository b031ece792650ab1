use crate::Side;
use schemars::JsonSchema;
use serde::Serialize;

/// Something worth knowing before a decision: a distribution, a comparison, a number, with how it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Insight {
    /// What it tells.
    pub title: String,
    /// How sure it is: "exact", or how it was estimated.
    pub basis: String,
    /// Chances, if it has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chances: Vec<Chancy>,
    /// Lines of text, if it has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// A table with its header as the first row, if it has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<Vec<String>>,
    /// Values along a scale, to be drawn, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curves: Option<Curves>,
}

/// Values along a scale: what each of some things is worth at each step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Curves {
    /// What the steps are: `Range band`.
    pub along: String,
    /// The steps.
    pub steps: Vec<String>,
    /// What the values are: `Points`.
    pub unit: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// One curve: a value for each step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Curve {
    /// What it is of.
    pub label: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The values, in thousandths of the unit.
    pub values: Vec<i64>,
}

impl Insight {
    /// An exact one, still empty.
    pub fn exact(title: impl Into<String>) -> Self {
        Self::with_basis(title, "exact")
    }

    /// One that says how sure it is, still empty.
    pub fn with_basis(title: impl Into<String>, basis: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            basis: basis.into(),
            chances: Vec::new(),
            lines: Vec::new(),
            table: Vec::new(),
            curves: None,
        }
    }

    /// Adds a chance, as a fraction in lowest terms.
    #[must_use]
    pub fn chance(mut self, label: impl Into<String>, fraction: impl Into<String>) -> Self {
        self.chances.push(Chancy { label: label.into(), chance: fraction.into() });
        self
    }

    /// Adds a row of a table, the header first.
    #[must_use]
    pub fn row(mut self, cells: Vec<String>) -> Self {
        self.table.push(cells);
        self
    }

    /// Adds a line of text.
    #[must_use]
    pub fn line(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }
}

/// An outcome with its chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Chancy {
    /// The outcome.
    pub label: String,
    /// Its chance as a fraction, `a/b`.
    pub chance: String,
}
