//! What the referee is asked: the next deed, and the dice it needs.

use super::game::Table;
use super::{Place, State};
use crate::System;
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Die, Form, FormItem, Prompt, Refusal, Screen, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// An object to be put on the table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Recruit {
    /// An object of the data, by its id.
    pub of: Option<String>,
    /// What it is called, if not as in the data.
    pub name: Option<String>,
    /// What it is, for an object of one's own.
    pub kind: Option<String>,
    /// Its sheet, for an object of one's own.
    pub value: Option<Value>,
    /// Facts of an encyclopaedia from which its sheet follows.
    pub derive: Option<Value>,
    /// Its side, 0 or 1.
    pub side: u8,
    /// Its squadron or group.
    pub group: Option<String>,
    /// Fields of the sheet that differ from the data.
    pub changes: Map<String, Value>,
}

/// One thing that the referee does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Deed {
    /// Puts objects on the table.
    Forces { forces: Vec<Recruit> },
    /// Puts the forces of a scenario on the table.
    Scenario { scenario: String },
    /// Puts what a line says on the table: `9 × 3 factors`.
    Line { line: String, side: u8 },
    /// Rules on an act.
    Act {
        act: String,
        #[serde(default)]
        cast: BTreeMap<String, Vec<String>>,
        #[serde(default)]
        part: Option<String>,
        #[serde(default)]
        facts: Map<String, Value>,
        #[serde(default)]
        owed: Option<u32>,
    },
    /// Goes on to the next phase.
    Next {},
    /// Lets go of something owed.
    Waive { owed: u32 },
    /// Sets an object on the map, or takes it off.
    Place { object: String, place: Option<Place> },
    /// Lets a player act for an object.
    Give { object: String, player: Option<u8> },
    /// Takes an object off the table.
    Remove { object: String },
    /// Corrects a figure of a sheet.
    Correct { object: String, field: String, value: Value },
    /// Names the sides.
    Sides { names: [String; 2] },
    /// Ends the battle.
    Close {},
}

/// The seat that answers, and the answer without it.
pub(super) fn signed(value: &Value) -> (Seat, Value) {
    let mut value = value.clone();
    let by = value.as_object_mut().and_then(|fields| fields.remove("by")).and_then(|by| by.as_u64());
    (Seat(by.and_then(|by| u8::try_from(by).ok()).unwrap_or(0)), value)
}

pub(super) fn read(value: Value) -> Result<Deed, Refusal> {
    serde_json::from_value(value).map_err(|_| {
        Refusal::new("bad-answer", "The referee cannot do that.")
            .remedy("Add forces, rule on an act, go on to the next phase, or close the table.")
    })
}

/// The referee's next deed.
pub(super) struct NextDeed<'a, S: ?Sized> {
    pub table: &'a Table<S>,
    pub state: &'a State,
}

impl<S: System + Send + Sync + ?Sized + 'static> Decision for NextDeed<'_, S> {
    type Value = Value;

    fn seat(&self) -> Seat {
        Seat(0)
    }

    fn check(&self, value: &Value) -> Result<(), Refusal> {
        self.table.planned(self.state, value).map(drop)
    }
}

impl<S: System + Send + Sync + ?Sized + 'static> Screen for NextDeed<'_, S> {
    fn prompt(&self) -> Prompt {
        let phase = self.table.phases().get(self.state.phase).map_or("", |phase| phase.title);
        let text = match self.state.chain.first() {
            Some(owed) => format!("{}. Add what is missing, or waive it.", owed.why),
            None if self.state.objects.is_empty() => "Put forces on the table.".to_owned(),
            None => format!("Turn {}, {phase}. What happens?", self.state.turn),
        };
        Prompt { code: "deed", text, rule: None, confirm: false, missing: Vec::new(), tables: Vec::new() }
    }

    fn candidates(&self) -> Vec<Candidate<Value>> {
        let state = self.state;
        let owed = state.chain.first().into_iter().chain(&state.owed);
        let mut list: Vec<_> = owed
            .map(|owed| Candidate::new(json!({"do": "waive", "owed": owed.number}), format!("Waive: {}", owed.why)))
            .collect();
        if list.is_empty() {
            list.push(Candidate::new(json!({"do": "next"}), "Next phase"));
        }
        list
    }
}

impl<S: System + Send + Sync + ?Sized + 'static> Choice for NextDeed<'_, S> {
    fn sample(&self, _: &mut Chance) -> Value {
        self.candidates().into_iter().next().map_or(Value::Null, |one| one.value)
    }
}

/// Dice that are called for: typed as they lie on the table, or rolled.
pub(super) struct DiceDue {
    /// The seat that acts, beside the referee.
    pub by: Seat,
    pub count: u32,
    pub die: Die,
    pub what: String,
    /// Whether a ten is typed as 0.
    pub zero: bool,
}

impl DiceDue {
    /// The faces typed; none if the dice are to be rolled.
    pub fn faces(&self, value: &Value) -> Result<Option<Vec<u8>>, Refusal> {
        let (by, value) = signed(value);
        if by != Seat(0) && by != self.by {
            return Err(Refusal::new("not-your-ship", "Another player's dice are due.")
                .remedy("Wait until this ruling is made."));
        }
        if value == json!({"roll": true}) {
            return Ok(None);
        }
        let (least, most) = if self.zero { (0, 9) } else { (1, self.die.sides) };
        let wanted = || {
            let dice = match self.count {
                1 => format!("1 die that shows {least} to {most}"),
                count => format!("{count} dice that show {least} to {most} each"),
            };
            Refusal::new("bad-dice", format!("{}: {dice}.", self.what))
                .remedy("Type what the dice on the table show, or let them be rolled.")
        };
        let faces = value["dice"].as_array().ok_or_else(wanted)?;
        if faces.len() != self.count as usize {
            return Err(wanted());
        }
        let face = |face: &Value| {
            let face = face.as_u64().and_then(|face| u8::try_from(face).ok())?;
            (least..=most).contains(&face).then_some(if face == 0 { 10 } else { face })
        };
        faces.iter().map(face).collect::<Option<Vec<u8>>>().map(Some).ok_or_else(wanted)
    }
}

impl Decision for DiceDue {
    type Value = Value;

    fn seat(&self) -> Seat {
        Seat(0)
    }

    fn check(&self, value: &Value) -> Result<(), Refusal> {
        self.faces(value).map(drop)
    }
}

impl Screen for DiceDue {
    fn prompt(&self) -> Prompt {
        let Self { count, die, what, .. } = self;
        let dice = if *count == 1 { format!("1{die}") } else { format!("{count}{die}") };
        Prompt {
            code: "dice",
            text: format!("{dice}: {what}"),
            rule: None,
            confirm: false,
            missing: Vec::new(),
            tables: Vec::new(),
        }
    }

    fn candidates(&self) -> Vec<Candidate<Value>> {
        vec![Candidate::new(json!({"roll": true}), "Roll for me")]
    }

    fn form(&self) -> Form {
        let limits = if self.zero { (0, 9) } else { (1, i64::from(self.die.sides)) };
        let item = |at: u32| FormItem { id: at.to_string(), label: self.die.to_string(), options: Vec::new() };
        Form::numbers((1..=self.count).map(|at| (item(at), limits)), None)
    }
}

impl Choice for DiceDue {
    fn sample(&self, _: &mut Chance) -> Value {
        json!({"roll": true})
    }
}
