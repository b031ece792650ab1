//! What can be done at a table, as a system declares it.

use flagplot_kernel::Refusal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// A phase of the turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Phase {
    /// Its id.
    pub id: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What is done in it, in a sentence.
    pub help: &'static str,
}

impl Phase {
    /// A phase with its words.
    #[must_use]
    pub const fn new(id: &'static str, title: &'static str, help: &'static str) -> Self {
        Self { id, title, help }
    }
}

/// How many objects a role takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// Exactly one.
    One,
    /// One or none.
    Optional,
    /// Any number, at least one.
    Many,
    /// Any number, or none.
    Any,
}

/// A part that objects on the table play in an act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Role {
    /// Its id.
    pub id: &'static str,
    /// What it is called: `Shooter`.
    pub title: &'static str,
    /// The kinds of object that can play it.
    pub kinds: Vec<&'static str>,
    /// How many.
    pub count: Count,
    /// Its place in the procedure's input, dotted. A place the input does not have is only carried along.
    #[serde(skip)]
    pub path: &'static str,
    /// What a part of the object is called, where one is chosen: `Battery`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<&'static str>,
    /// Whether the object acts, so that a player who is to act for it may.
    pub acts: bool,
    /// The version of the table since which it must be played; before, the act was ruled without objects.
    #[serde(skip)]
    pub since: u32,
}

impl Role {
    /// One object that is acted on.
    #[must_use]
    pub fn new(id: &'static str, title: &'static str, path: &'static str, kinds: &[&'static str]) -> Self {
        Self { id, title, kinds: kinds.to_vec(), count: Count::One, path, part: None, acts: false, since: 1 }
    }

    /// The same, of which parts are chosen.
    #[must_use]
    pub fn part(mut self, part: &'static str) -> Self {
        self.part = Some(part);
        self
    }

    /// The same as the one that acts.
    #[must_use]
    pub fn acts(mut self) -> Self {
        self.acts = true;
        self
    }

    /// The same for another number of objects.
    #[must_use]
    pub fn count(mut self, count: Count) -> Self {
        self.count = count;
        self
    }

    /// The same, which tables before this version may leave empty.
    #[must_use]
    pub fn since(mut self, version: u32) -> Self {
        self.since = version;
        self
    }
}

/// A unit in which a player may type a number that the procedure takes in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unit {
    /// Its name.
    pub name: &'static str,
    /// A number of this unit.
    pub these: u32,
    /// The same amount in the procedure's own unit.
    pub those: u32,
}

/// Values with their words.
pub type Choices = Vec<(Value, Cow<'static, str>)>;

/// The words for a field of the procedure's input.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its place in the input, dotted; `*` stands for every item of a list.
    pub path: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// Whether it must be told although the shape does not say so.
    pub need: bool,
    /// Units that a person may use instead.
    pub units: Vec<Unit>,
    /// The usual values, each with a word.
    pub choices: Choices,
    /// Whether it is said what one more would change: markers, ships in between.
    pub counted: bool,
    /// Whether it stands aside as long as it is known.
    pub aside: bool,
}

impl Fact {
    /// Whether these are the words for a place.
    pub(super) fn covers(&self, path: &str) -> bool {
        let (mut own, mut given) = (self.path.split('.'), path.split('.'));
        loop {
            match (own.next(), given.next()) {
                (None, None) => return true,
                (Some("*"), Some(_)) => {}
                (Some(own), Some(given)) if own == given => {}
                _ => return false,
            }
        }
    }
}

/// How long a fact beside the procedure's own is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Not at all: it is given for every act.
    Never,
    /// For every act at the table until it is changed: night.
    Table,
    /// For acts of the same objects until it is changed: smoke between two ships.
    Cast,
}

/// A fact beside the procedure's own, which the system reads in [`crate::System::before`].
#[derive(Clone, Debug, PartialEq)]
pub struct Extra {
    /// Its name.
    pub id: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What it must look like.
    pub shape: crate::Shape,
    /// What it is unless it is given.
    pub default: Value,
    /// How long it is remembered once it is given.
    pub keep: Keep,
}

/// How a headline reads the odds of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The chance of this value, as the odds write it.
    Is(&'static str),
    /// The chance of at least this number.
    AtLeast(i64),
    /// The mean.
    Mean,
}

/// A figure that stands on the button before it is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Headline {
    /// What it is called.
    pub label: &'static str,
    /// The field of the result.
    pub field: &'static str,
    /// How it is read.
    pub reading: Reading,
}

/// What stands before an act may be ruled on.
#[derive(Clone, Debug)]
pub enum Before {
    /// Nothing more; these fields of the input follow from what went before.
    Go(Vec<(String, Value)>),
    /// Another procedure is ruled on first.
    Rule {
        /// Its name.
        procedure: &'static str,
        /// Its input.
        input: Value,
    },
    /// The act is over before it has begun: the verdict.
    Stop(String),
    /// The act is not possible.
    Refuse(Refusal),
}

/// Something that can be done at a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    /// Its id.
    pub id: &'static str,
    /// The procedure that rules on it.
    pub procedure: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// The word on its button.
    pub verb: &'static str,
    /// A picture by name.
    pub icon: &'static str,
    /// The group it is listed in.
    pub group: &'static str,
    /// The phase it belongs to.
    pub phase: &'static str,
    /// The objects that take part.
    pub roles: Vec<Role>,
    /// Words for fields of the input, the most important first.
    pub facts: Vec<Fact>,
    /// Facts beside those of the procedure.
    pub extras: Vec<Extra>,
    /// Fields that are never told.
    pub hidden: Vec<&'static str>,
    /// What stands on the button.
    pub headlines: Vec<Headline>,
    /// Whether it is only done when the rules owe it.
    pub only_owed: bool,
}

impl Act {
    /// An act without objects.
    #[must_use]
    pub fn new(id: &'static str, procedure: &'static str, title: &'static str, verb: &'static str) -> Self {
        Self {
            id,
            procedure,
            title,
            verb,
            icon: "dice",
            group: "Rulings",
            phase: "",
            roles: Vec::new(),
            facts: Vec::new(),
            extras: Vec::new(),
            hidden: Vec::new(),
            headlines: Vec::new(),
            only_owed: false,
        }
    }

    /// The same in a phase and a group, with a picture.
    #[must_use]
    pub fn listed(mut self, phase: &'static str, group: &'static str, icon: &'static str) -> Self {
        (self.phase, self.group, self.icon) = (phase, group, icon);
        self
    }

    /// The same with a role more.
    #[must_use]
    pub fn role(mut self, role: Role) -> Self {
        self.roles.push(role);
        self
    }

    /// The same with words for a field.
    #[must_use]
    pub fn fact(mut self, path: &'static str, label: &'static str) -> Self {
        self.facts.push(Fact {
            path,
            label,
            need: false,
            units: Vec::new(),
            choices: Vec::new(),
            counted: false,
            aside: false,
        });
        self
    }

    fn change_fact(mut self, change: impl FnOnce(&mut Fact)) -> Self {
        if let Some(fact) = self.facts.last_mut() {
            change(fact);
        }
        self
    }

    /// The last field must be told.
    #[must_use]
    pub fn needed(self) -> Self {
        self.change_fact(|fact| fact.need = true)
    }

    /// The last field may be told in other units.
    #[must_use]
    pub fn units(self, units: &[Unit]) -> Self {
        self.change_fact(|fact| fact.units = units.to_vec())
    }

    /// The usual values of the last field.
    #[must_use]
    pub fn choices<W: Into<Cow<'static, str>>>(self, choices: Vec<(Value, W)>) -> Self {
        let choices = choices.into_iter().map(|(value, word)| (value, word.into())).collect();
        self.change_fact(|fact| fact.choices = choices)
    }

    /// The last field stands aside as long as it is known.
    #[must_use]
    pub fn aside(self) -> Self {
        self.change_fact(|fact| fact.aside = true)
    }

    /// The last field is a count, of which one more is weighed.
    #[must_use]
    pub fn counted(self) -> Self {
        self.change_fact(|fact| fact.counted = true)
    }

    /// The same with a fact beside those of the procedure.
    #[must_use]
    pub fn extra(
        mut self,
        id: &'static str,
        label: &'static str,
        shape: crate::Shape,
        default: impl Into<Value>,
    ) -> Self {
        self.extras.push(Extra { id, label, shape, default: default.into(), keep: Keep::Never });
        self
    }

    /// The last fact beside those of the procedure is remembered.
    #[must_use]
    pub fn kept(mut self, keep: Keep) -> Self {
        if let Some(extra) = self.extras.last_mut() {
            extra.keep = keep;
        }
        self
    }

    /// The words for a place in the input.
    #[must_use]
    pub fn words(&self, path: &str) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.covers(path))
    }

    /// The same without some fields.
    #[must_use]
    pub fn hide(mut self, paths: &[&'static str]) -> Self {
        self.hidden.extend_from_slice(paths);
        self
    }

    /// The same with a figure on the button.
    #[must_use]
    pub fn headline(mut self, label: &'static str, field: &'static str, reading: Reading) -> Self {
        self.headlines.push(Headline { label, field, reading });
        self
    }

    /// The same, only when it is owed.
    #[must_use]
    pub fn owed(mut self) -> Self {
        self.only_owed = true;
        self
    }

    /// A role by its id.
    #[must_use]
    pub fn find(&self, role: &str) -> Option<&Role> {
        self.roles.iter().find(|known| known.id == role)
    }
}
