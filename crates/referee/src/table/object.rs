//! What lies on a table.

use crate::LibraryItem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The mark of a table that tells the version of its rules.
pub(super) const VERSION: &str = "version";
/// The mark of the scenario whose forces are on the table.
pub(super) const SCENARIO: &str = "scenario";
/// Since this version a correction keeps the kind of a figure, and losses are proposed after the die.
const PROPOSES_FROM: u32 = 3;
/// Since this version a correction keeps a figure within its limits, and brings back what it no longer destroys.
const LIMITS_FROM: u32 = 4;
/// Since this version the table remembers its scenario and what stays so, and verdicts say places in words.
const REMEMBERS_FROM: u32 = 5;
/// Since this version every system says what its phases and its rulings owe.
const OWES_FROM: u32 = 6;

/// Where an object stands on the optional map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// To the east, in millimetres.
    pub x: i64,
    /// To the north, in millimetres.
    pub y: i64,
    /// Degrees clockwise from north.
    #[serde(default)]
    pub heading: i32,
}

/// An object on the table with its sheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Object {
    /// Its id: that of the data, with a number after `#` for the second of its kind.
    pub id: String,
    /// What it is called; no other object is called the same.
    pub name: String,
    /// What it is: `ship`.
    pub kind: String,
    /// 0 for the first side, 1 for the second.
    pub side: u8,
    /// The squadron or group it belongs to, by name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The seat that may act for it beside the referee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<u8>,
    /// The sheet.
    pub value: Value,
    /// The sheet as it was at first.
    pub first: Value,
    /// Where it stands on the map, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Why it is no longer in play; empty as long as it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub gone: String,
    /// What has to be remembered of it from one phase to another, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub marks: Map<String, Value>,
}

impl Object {
    /// A new object.
    #[must_use]
    pub fn new(item: LibraryItem, side: u8) -> Self {
        Self {
            id: item.id,
            name: item.name,
            kind: item.kind,
            side,
            group: String::new(),
            player: None,
            first: item.value.clone(),
            value: item.value,
            place: None,
            gone: String::new(),
            marks: Map::new(),
        }
    }

    /// The object as procedures and cards take it.
    #[must_use]
    pub fn item(&self) -> LibraryItem {
        LibraryItem { id: self.id.clone(), name: self.name.clone(), kind: self.kind.clone(), value: self.value.clone() }
    }

    /// Whether it still counts.
    #[must_use]
    pub fn in_play(&self) -> bool {
        self.gone.is_empty()
    }

    /// A whole number of the sheet; 0 where the sheet has no such number.
    #[must_use]
    pub fn number(&self, field: &str) -> i64 {
        self.value[field].as_i64().unwrap_or(0)
    }
}

/// A part of an object that acts for it: a battery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Part {
    /// Its id among the parts of its object.
    pub id: String,
    /// What it is called.
    pub name: String,
}

/// Something the rules owe: an act that has yet to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Owed {
    /// Its number; given by the table.
    #[serde(default)]
    pub number: u32,
    /// The act.
    pub act: String,
    /// Why, in a sentence without a full stop.
    pub why: String,
    /// Who plays which role.
    pub cast: BTreeMap<String, Vec<String>>,
    /// What is known of the facts, by place.
    #[serde(default)]
    pub facts: Map<String, Value>,
    /// The seat whose act led to it.
    #[serde(default)]
    pub by: u8,
    /// Objects of the data that go with it, by place: the torpedo that has hit.
    #[serde(default)]
    pub carried: Vec<(String, String)>,
}

impl Owed {
    /// An act that is owed.
    #[must_use]
    pub fn new(act: &str, why: impl Into<String>) -> Self {
        Self { act: act.to_owned(), why: why.into(), ..Self::default() }
    }

    /// The same with an object.
    #[must_use]
    pub fn cast(mut self, role: &str, object: &str) -> Self {
        self.cast.entry(role.to_owned()).or_default().push(object.to_owned());
        self
    }

    /// The same with a fact.
    #[must_use]
    pub fn fact(mut self, path: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(path.to_owned(), value.into());
        self
    }
}

/// Everything on a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct State {
    /// The turn, from 1.
    pub turn: u32,
    /// The phase, by its number.
    pub phase: usize,
    /// The objects.
    pub objects: Vec<Object>,
    /// What is done next by itself, the first first.
    pub chain: Vec<Owed>,
    /// What is owed before the phase ends.
    pub owed: Vec<Owed>,
    /// How many things have been owed so far.
    pub numbered: u32,
    /// How many rulings have been made.
    pub rulings: u32,
    /// The last verdict.
    #[serde(default)]
    pub verdict: String,
    /// The names of the sides.
    pub sides: [String; 2],
    /// What the whole table remembers: who has the initiative, whether it is night.
    #[serde(default)]
    pub marks: Map<String, Value>,
    /// Whether the table has been closed.
    #[serde(default)]
    pub closed: bool,
}

impl State {
    /// The version of the table's own rules: what a record was made under, it is replayed under.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.marks.get(VERSION).and_then(Value::as_u64).and_then(|version| u32::try_from(version).ok()).unwrap_or(1)
    }

    /// Whether losses are proposed after the dice, and corrections keep a figure's kind.
    #[must_use]
    pub fn proposes(&self) -> bool {
        self.version() >= PROPOSES_FROM
    }

    /// Whether a correction keeps a figure within its limits and settles anew whether the object is lost.
    #[must_use]
    pub fn limits_figures(&self) -> bool {
        self.version() >= LIMITS_FROM
    }

    /// Whether circumstances, the scenario, targets and edges are remembered, and verdicts say places in words.
    #[must_use]
    pub fn remembers(&self) -> bool {
        self.version() >= REMEMBERS_FROM
    }

    /// Whether every system says what its phases and its rulings owe.
    #[must_use]
    pub fn owes(&self) -> bool {
        self.version() >= OWES_FROM
    }

    /// Takes down what is owed before the phase ends.
    pub fn owe(&mut self, owed: Owed) {
        self.numbered += 1;
        self.owed.push(Owed { number: self.numbered, ..owed });
    }

    /// The scenario whose forces were put on the table last.
    #[must_use]
    pub fn scenario(&self) -> Option<&str> {
        self.marks.get(SCENARIO)?.as_str()
    }

    /// An object by its id.
    #[must_use]
    pub fn object(&self, id: &str) -> Option<&Object> {
        self.objects.iter().find(|object| object.id == id)
    }

    /// The name of an object, or a word for one that is not there.
    #[must_use]
    pub fn name(&self, id: &str) -> &str {
        self.object(id).map_or("an object that is not on the table", |object| &object.name)
    }

    /// Puts an object on the table. A name or id that is taken is counted on; where the first has no number yet, it
    /// gets one.
    pub fn add(&mut self, mut object: Object) {
        let origin = object.id.clone();
        let mut number = 1;
        while self.object(&object.id).is_some() {
            number += 1;
            object.id = format!("{origin}#{number}");
        }
        let name = object.name.clone();
        let called = |state: &Self, name: &str| state.objects.iter().any(|known| known.name == name);
        let counted = format!("{name} 1");
        if called(self, &name) || called(self, &counted) {
            if let Some(first) = self.objects.iter_mut().find(|known| known.name == name) {
                first.name = counted;
            }
            let next = (2..).find(|number| !called(self, &format!("{name} {number}"))).unwrap_or(2);
            object.name = format!("{name} {next}");
        }
        self.objects.push(object);
    }
}
