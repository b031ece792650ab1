use crate::{Rule, Viewer};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// One entry of the proof: a table reading, a comparison, a decision applied, an event.
///
/// The log's text is made from notes and from nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Note {
    /// A short kebab-case word for programs: `attack`, `box`, `day-night`.
    pub what: &'static str,
    /// A sentence for people.
    pub text: String,
    /// The rules that apply, the main one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// The table that was read, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableReading>,
    /// The faces that count here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<u8>,
    /// What was added to the dice or shifted the column, each by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<Modifier>,
    /// What came out.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub outcome: Value,
    /// The pieces it is about, by their ids in the scene.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<String>,
    /// Those of the pieces that are acted on, by the others or by chance: a screen draws an arrow to them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// What it does to the targets, or to the pieces where it names no targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// How important it is: headlines are shown unfolded, details belong to the proof of the headline before them.
    pub detail: bool,
    /// The only viewer that may read it, beside the all-seeing one. `None`: every viewer may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<Viewer>,
}

/// What befell a piece, for a screen that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Nothing.
    Miss,
    /// A hit, damage or losses.
    Hit,
    /// The piece is lost.
    Lost,
}

impl Effect {
    /// A miss without hits.
    #[must_use]
    pub fn of(hits: impl Into<i64>) -> Self {
        if hits.into() > 0 { Effect::Hit } else { Effect::Miss }
    }
}

/// A modifier by name, with its value and its rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Modifier {
    /// What it is for.
    pub name: String,
    /// What it adds.
    pub value: i64,
    /// The rule that gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
}

impl Modifier {
    /// A modifier given by a rule.
    pub fn new(name: impl Into<String>, value: i64, rule: Rule) -> Self {
        Self { name: name.into(), value, rule: Some(rule) }
    }
}

/// Which table was read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableReading {
    /// The table's id.
    pub table: String,
    /// The label of the row read.
    pub row: String,
    /// The label of the column read.
    pub column: String,
}

impl Note {
    /// A headline.
    pub fn new(what: &'static str, text: impl Into<String>) -> Self {
        Self {
            what,
            text: text.into(),
            rules: Vec::new(),
            table: None,
            dice: Vec::new(),
            modifiers: Vec::new(),
            outcome: Value::Null,
            pieces: Vec::new(),
            targets: Vec::new(),
            effect: None,
            detail: false,
            only: None,
        }
    }

    /// A line of the proof of the headline before it.
    #[must_use]
    pub fn detail(mut self) -> Self {
        self.detail = true;
        self
    }

    /// Cites rules.
    #[must_use]
    pub fn by(mut self, rules: &[Rule]) -> Self {
        self.rules.extend_from_slice(rules);
        self
    }

    /// Names the table, row and column read.
    #[must_use]
    pub fn table(mut self, table: impl Into<String>, row: impl ToString, column: impl ToString) -> Self {
        self.table = Some(TableReading { table: table.into(), row: row.to_string(), column: column.to_string() });
        self
    }

    /// Shows the faces that count.
    #[must_use]
    pub fn dice(mut self, faces: &[u8]) -> Self {
        self.dice.extend_from_slice(faces);
        self
    }

    /// Adds a modifier by name.
    #[must_use]
    pub fn modifier(mut self, modifier: Modifier) -> Self {
        self.modifiers.push(modifier);
        self
    }

    /// Says what came out.
    #[must_use]
    pub fn outcome(mut self, outcome: impl Into<Value>) -> Self {
        self.outcome = outcome.into();
        self
    }

    /// Names the pieces it is about.
    #[must_use]
    pub fn pieces<S: ToString>(mut self, pieces: impl IntoIterator<Item = S>) -> Self {
        self.pieces.extend(pieces.into_iter().map(|piece| piece.to_string()));
        self
    }

    /// Names the pieces that are acted on; they are among those it is about.
    #[must_use]
    pub fn on<S: ToString>(mut self, targets: impl IntoIterator<Item = S>) -> Self {
        for target in targets {
            let target = target.to_string();
            if !self.pieces.contains(&target) {
                self.pieces.push(target.clone());
            }
            self.targets.push(target);
        }
        self
    }

    /// Says what it does to the targets, or to the pieces.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self
    }

    /// Shows it to this viewer alone (and to the all-seeing one).
    #[must_use]
    pub fn only(mut self, viewer: Viewer) -> Self {
        self.only = Some(viewer);
        self
    }

    /// Whether `viewer` may read it.
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> bool {
        viewer == Viewer::Everything || self.only.is_none_or(|only| only == viewer)
    }
}
