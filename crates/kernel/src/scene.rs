//! What a board looks like, for a drawing that knows no rule.
//!
//! Lengths are whole numbers in the scene's own unit; x grows to the right, y grows upward.

use crate::Side;
use crate::card::Card;
use crate::hex::Hex;
use schemars::JsonSchema;
use serde::Serialize;

/// Everything to be drawn for one viewer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Scene {
    /// A headline: the scenario, the turn, the phase.
    pub title: String,
    /// Lines that say where the game stands.
    pub status: Vec<String>,
    /// What the pieces stand on.
    pub surface: Surface,
    /// The light in which they stand, where the game knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light: Option<Light>,
    /// The pieces, those further back first.
    pub pieces: Vec<Piece>,
    /// Land, weather and whatever else covers ground, those below first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<Area>,
    /// Circles round a point.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rings: Vec<Ring>,
    /// Parts of a circle: where guns bear.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sectors: Vec<Sector>,
    /// Lines that have been or will be travelled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tracks: Vec<Track>,
    /// Arrows from piece to piece.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<Arrow>,
    /// Sheets beside the board: log sheets, tallies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub panels: Vec<Panel>,
    /// The data cards of pieces, with what is lost struck out; a screen shows that of the piece looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<PieceCard>,
    /// What is aboard pieces that carry others; a screen opens the deck of the piece that is clicked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decks: Vec<Deck>,
}

/// What is aboard a piece.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Deck {
    /// The piece that carries the others.
    pub piece: String,
    /// What it is called: `Deck of Enterprise`.
    pub title: String,
    /// Those aboard.
    pub aboard: Vec<Aboard>,
}

/// A piece aboard another one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Aboard {
    /// Its id, named by options.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Which picture it wants, as for a piece on the board.
    pub kind: String,
    /// How many aircraft it has.
    pub strength: u32,
    /// How it stands: `armed for strikes`.
    pub state: String,
}

/// The time of day on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Light {
    /// By day.
    Day,
    /// By night.
    Night,
}

/// The data card of a piece.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PieceCard {
    /// The piece.
    pub piece: String,
    /// Its card.
    pub card: Card,
}

/// What the pieces stand on.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Surface {
    /// Labelled boxes, drawn in order, in rows of one side each.
    Boxes {
        /// The boxes.
        boxes: Vec<BoxArea>,
    },
    /// An open plane.
    Plane {
        /// The lower left corner.
        min: [i64; 2],
        /// The upper right corner.
        max: [i64; 2],
        /// Rectangles and lines that matter: an area of operations, a home edge.
        marks: Vec<PlaneMark>,
    },
    /// Hexes with flat tops: the centre of hex (q, r) is at `x = q·width·3/4`, `y = −(r + q/2)·height`.
    Hexes {
        /// Corner to corner, left to right.
        width: i64,
        /// Side to side, top to bottom.
        height: i64,
        /// The hexes there are, in columns: q, the first r and the last.
        columns: Vec<[i32; 3]>,
        /// Labels of the hexes that are not called by their coordinates.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<(i32, i32, String)>,
        /// The land they show; without it the hexes are open sky or sea.
        #[serde(skip_serializing_if = "Option::is_none")]
        land: Option<Box<Land>>,
    },
}

impl Default for Surface {
    /// No boxes.
    fn default() -> Self {
        Self::Boxes { boxes: Vec::new() }
    }
}

/// What hexes show of the land: terrain, sides that matter, who holds them, what is on them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Land {
    /// The terrains, each with its hexes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terrain: Vec<Terrain>,
    /// Sides between two hexes that are not like others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<HexEdge>,
    /// The hexes that each side holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub control: Vec<Control>,
    /// What places are called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(Hex, String)>,
    /// What else stands on the land.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<HexMark>,
}

/// A kind of terrain and where it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Terrain {
    /// Which picture it wants: `clear`, `forest`, `mountain`, `swamp`, `jungle`, `city`, `objective-city`, `desert`,
    /// `sea`.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// One letter for a board of text.
    pub letter: char,
    /// Where it lies.
    pub hexes: Vec<Hex>,
}

/// A side between two hexes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HexEdge {
    /// The two hexes.
    pub between: [Hex; 2],
    /// Which picture it wants: `river`, `impassable`.
    pub kind: String,
}

/// The hexes that a side holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Control {
    /// Who holds them.
    pub side: Side,
    /// What the side is called: `Axis`.
    pub name: String,
    /// The hexes.
    pub hexes: Vec<Hex>,
}

/// Something that stands on a hex and does not move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HexMark {
    /// Where.
    pub hex: Hex,
    /// Which picture it wants: `fortification`, `objective`, `supply`, `battle`.
    pub kind: String,
    /// How much of it: the level of a fortification, what an objective is worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The same in words: `fortress`, `objective worth 4 points`, `Axis supply`.
    pub text: String,
}

/// A labelled box.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BoxArea {
    /// Its id, named by pieces and options.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Small print: where it leads.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// How much room it wants beside the others of its row.
    pub weight: u32,
}

/// A rectangle or a line on a plane.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlaneMark {
    /// What it is, in words.
    pub label: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// One corner or end.
    pub from: [i64; 2],
    /// The other.
    pub to: [i64; 2],
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Piece {
    /// Its id, named by options and notes.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Which picture it wants: `battleship`, `carrier`, `card`, `squadron`, `aircraft`; for a counter of ground forces
    /// `infantry`, `shock-infantry`, `crack-infantry`, `armor`, `airborne`, `garrison`, `partisan`, `air-group`. On
    /// such a counter the values of the first two badges stand below the symbol, as `3-5`.
    pub kind: String,
    /// Where it is.
    pub place: Place,
    /// Which way it points, in degrees clockwise from the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<i32>,
    /// How large it is: for a card its width and height in the scene's unit, else a size class in the first number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[i64; 2]>,
    /// Numbers and signs on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub badges: Vec<Badge>,
    /// States that change how it is drawn: `damaged`, `detected`, `acted`, `hidden`, `isolated`, `spent`, `exploiting`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// All of it in words, for the text board and the screen reader.
    pub text: String,
}

/// Where a piece is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In a box.
    Box(String),
    /// At a point.
    Point([i64; 2]),
    /// In a hex; several in one stand side by side.
    Hex(Hex),
}

/// A number or a sign on a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Badge {
    /// What it is, in a letter or a word: `G`.
    pub label: String,
    /// What it shows: `5`.
    pub value: String,
    /// What it means, in words.
    pub title: String,
}

impl Badge {
    /// A badge.
    pub fn new(label: impl Into<String>, value: impl ToString, title: impl Into<String>) -> Self {
        Self { label: label.into(), value: value.to_string(), title: title.into() }
    }
}

/// Ground that something covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Area {
    /// Which picture it wants: `land`, `squall`, `smoke`, `mine-field`, `set-up`.
    pub kind: String,
    /// What it is called, or what it means.
    pub label: String,
    /// What it covers.
    pub outline: Outline,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
}

/// The outline of an area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Outline {
    /// A circle.
    Circle {
        /// Its centre.
        at: [i64; 2],
        /// Its radius.
        radius: i64,
    },
    /// A polygon.
    Polygon {
        /// Its corners in order.
        points: Vec<[i64; 2]>,
    },
}

/// A part of a circle round a point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Sector {
    /// The centre of the circle.
    pub at: [i64; 2],
    /// The radius of the circle.
    pub radius: i64,
    /// Where it begins, in degrees clockwise from the top.
    pub from: i32,
    /// Where it ends, clockwise from where it begins.
    pub to: i32,
    /// What it means: `8 guns`.
    pub label: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The piece it belongs to, so that it can be shown only while that piece is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
}

/// A circle round a point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ring {
    /// Its centre.
    pub at: [i64; 2],
    /// Its radius.
    pub radius: i64,
    /// What it means.
    pub label: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The piece it belongs to, so that it can be shown only while that piece is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
}

/// A line that has been or will be travelled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Track {
    /// How it is drawn: `wake`, `torpedo`, `torpedo-hit`, `torpedo-spent`, `planned`; a plain line without a kind.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its points in order.
    pub points: Vec<[i64; 2]>,
    /// What it means.
    pub label: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The piece that goes along it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
}

/// An arrow from piece to piece.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Arrow {
    /// The piece it starts from.
    pub from: String,
    /// The piece it points at.
    pub to: String,
    /// What stands on it.
    pub label: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
}

/// A sheet beside the board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Panel {
    /// Its heading.
    pub title: String,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Rows of cells; the first row is the header if `header` is set.
    pub rows: Vec<Vec<String>>,
    /// Whether the first row names the columns.
    pub header: bool,
}
