//! Data cards: what a ship, an aircraft or a unit is, with what it has lost.

use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Display;

/// An object as a data card, for a drawing or for the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Card {
    /// What it is called.
    pub title: String,
    /// What it is.
    pub subtitle: String,
    /// A word across the card, for an object that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
    /// Its parts, from top to bottom.
    pub sections: Vec<Section>,
}

/// A part of a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Section {
    /// Boxes to strike out one by one.
    Track {
        /// What they count.
        label: String,
        /// How many are left.
        now: u32,
        /// How many there were.
        most: u32,
    },
    /// Figures side by side.
    Figures {
        /// The heading.
        label: String,
        /// The figures.
        figures: Vec<Figure>,
    },
    /// Things that are there or lost.
    Pieces {
        /// The heading.
        label: String,
        /// The things.
        pieces: Vec<Fitting>,
    },
    /// A small table.
    Grid {
        /// The heading.
        label: String,
        /// The headings of the columns, the first of them for the names of the rows.
        columns: Vec<String>,
        /// The rows, each as long as the headings.
        rows: Vec<Vec<String>>,
    },
}

/// A figure with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// What it is now.
    pub now: String,
    /// What it was, if it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

impl Figure {
    /// A figure beside what it was.
    #[must_use]
    pub fn new(name: &str, now: impl Display, was: impl Display) -> Self {
        let (now, was) = (now.to_string(), was.to_string());
        Self { name: name.to_owned(), was: (was != now).then_some(was), now }
    }
}

/// A thing that can be lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fitting {
    /// What it is.
    pub name: String,
    /// What more there is to say of it, in a few letters.
    pub detail: String,
    /// Whether it is lost.
    pub lost: bool,
}
