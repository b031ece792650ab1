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
}

impl Insight {
    /// An exact one, still empty.
    pub fn exact(title: impl Into<String>) -> Self {
        Self { title: title.into(), basis: "exact".into(), chances: Vec::new(), lines: Vec::new() }
    }

    /// Adds a chance, as a fraction in lowest terms.
    #[must_use]
    pub fn chance(mut self, label: impl Into<String>, fraction: impl Into<String>) -> Self {
        self.chances.push(Chancy { label: label.into(), chance: fraction.into() });
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
