//! The words of each game: what every badge, marker and heading on its boards means.

use flagplot_kernel::Refusal;
use flagplot_kernel::card::Section;
use flagplot_kernel::scene::{Scene, Surface};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A word of a game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The word.
    pub term: String,
    /// What it means, in a sentence or two.
    pub text: String,
    /// The rule behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The marks on a board that stand for it, as [`marks`] names them; `*` stands for any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    term: Vec<Term>,
}

/// A system's id with its words, or what is wrong with them.
type Words = (&'static str, Result<Vec<Term>, Refusal>);

static GLOSSARIES: LazyLock<Vec<Words>> = LazyLock::new(|| {
    [
        ("carrier-strike", include_str!("../glossary/carrier-strike.toml")),
        ("dogfite", include_str!("../glossary/dogfite.toml")),
        ("fleet-action", include_str!("../glossary/fleet-action.toml")),
        ("world-at-war", include_str!("../glossary/world-at-war.toml")),
        ("schiffskrieg", include_str!("../glossary/schiffskrieg.toml")),
    ]
    .map(|(system, text)| {
        let read = toml::from_str::<Glossary>(text).map(|glossary| glossary.term);
        (system, read.map_err(|error| Refusal::new("bad-glossary", format!("The glossary cannot be read: {error}"))))
    })
    .into()
});

pub fn glossary(system: &str) -> Result<&'static [Term], Refusal> {
    let found = GLOSSARIES.iter().find(|(id, _)| *id == system);
    let shown: String = system.chars().take(60).collect();
    let unknown = || Refusal::new("unknown-system", format!("There is no glossary for '{shown}'."));
    found.ok_or_else(unknown)?.1.as_deref().map_err(Clone::clone)
}

impl Term {
    /// Whether it explains a mark.
    #[must_use]
    pub fn explains(&self, mark: &str) -> bool {
        self.marks.iter().any(|pattern| match pattern.split_once('*') {
            None => pattern == mark,
            Some((before, after)) => {
                mark.len() >= before.len() + after.len() && mark.starts_with(before) && mark.ends_with(after)
            }
        })
    }
}

/// Everything on a board that may need a word of explanation: badges, kinds and states of pieces, terrain, markers,
/// areas, headings of sheets and data cards. Each is named by what it is and what it says: `badge:AA`.
#[must_use]
pub fn marks(scene: &Scene) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut add = |what: &str, says: &str| {
        // Names of ships and numbers are not words of the game.
        if !says.is_empty() {
            found.insert(format!("{what}:{says}"));
        }
    };
    for piece in &scene.pieces {
        add("piece", &piece.kind);
        piece.states.iter().for_each(|state| add("state", state));
        piece
            .badges
            .iter()
            .for_each(|badge| add("badge", if badge.label.is_empty() { "number" } else { badge.label.as_str() }));
    }
    match &scene.surface {
        Surface::Boxes { boxes } => boxes.iter().for_each(|area| add("box", &area.title)),
        Surface::Plane { marks, .. } => marks.iter().for_each(|mark| add("line", &mark.label)),
        Surface::Hexes { land, .. } => {
            if let Some(land) = land {
                land.terrain.iter().for_each(|terrain| add("terrain", &terrain.id));
                land.edges.iter().for_each(|edge| add("edge", &edge.kind));
                land.marks.iter().for_each(|mark| add("mark", &mark.kind));
            }
        }
    }
    scene.areas.iter().for_each(|area| add("area", &area.kind));
    scene.tracks.iter().for_each(|track| add("track", &track.kind));
    for panel in &scene.panels {
        add("sheet", &panel.title);
        if panel.header {
            panel.rows.first().into_iter().flatten().for_each(|cell| add("column", cell));
        } else {
            panel.rows.iter().filter_map(|row| row.first()).for_each(|cell| add("row", cell));
        }
    }
    for card in &scene.cards {
        for section in &card.card.sections {
            match section {
                Section::Track { label, .. } => add("card", label),
                Section::Figures { label, figures } => {
                    add("card", label);
                    figures.iter().for_each(|figure| add("figure", &figure.name));
                }
                Section::Pieces { label, .. } => add("card", label),
                Section::Grid { label, columns, .. } => {
                    add("card", label);
                    columns.iter().for_each(|column| add("figure", column));
                }
            }
        }
    }
    found
}
