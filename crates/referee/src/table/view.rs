//! What everybody sees of a table.

use super::game::Table;
use super::{Owed, Phase, Place, Role, State};
use crate::System;
use flagplot_kernel::card::Card;
use flagplot_kernel::scene::{Piece, Place as ScenePlace, Surface};
use flagplot_kernel::{Scene, Side};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// An object as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ObjectView {
    /// Its id, for deeds.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// 0 for the first side, 1 for the second.
    pub side: u8,
    /// Its squadron or group.
    pub group: String,
    /// The seat that may act for it beside the referee.
    pub player: Option<u8>,
    /// Why it is no longer in play; empty as long as it is.
    pub gone: String,
    /// Where it stands on the map.
    pub place: Option<Place>,
    /// Its sheet, with what is struck out.
    pub card: Card,
}

/// Something owed, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OwedView {
    /// Its number, for deeds.
    pub number: u32,
    /// The act.
    pub act: String,
    /// Why.
    pub why: String,
    /// Who plays which role.
    pub cast: BTreeMap<String, Vec<String>>,
    /// Whether it comes before anything else.
    pub now: bool,
}

/// A table as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableView {
    /// The table itself.
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) state: State,
    /// The turn.
    pub turn: u32,
    /// The phase, by its number.
    pub phase: usize,
    /// The names of the sides.
    pub sides: [String; 2],
    /// The objects.
    pub objects: Vec<ObjectView>,
    /// What is owed.
    pub owed: Vec<OwedView>,
    /// The last verdict.
    pub verdict: String,
    /// How many rulings have been made.
    pub rulings: u32,
    /// What the table remembers, in words.
    pub remarks: Vec<String>,
}

impl TableView {
    /// The optional map.
    pub(super) fn scene(&self) -> Scene {
        let placed: Vec<(&ObjectView, Place)> =
            self.objects.iter().filter_map(|object| Some((object, object.place?))).collect();
        let reach = |of: fn(&Place) -> i64| {
            let all = || placed.iter().map(|(_, place)| of(place));
            (all().min().unwrap_or(0) - 200, all().max().unwrap_or(0) + 200)
        };
        let ((west, east), (south, north)) = (reach(|place| place.x), reach(|place| place.y));
        let piece = |(object, place): &(&ObjectView, Place)| Piece {
            id: object.id.clone(),
            name: object.name.clone(),
            side: Some(if object.side == 0 { Side::First } else { Side::Second }),
            kind: object.kind.clone(),
            place: ScenePlace::Point([place.x, place.y]),
            facing: Some(place.heading),
            size: None,
            badges: Vec::new(),
            states: if object.gone.is_empty() { Vec::new() } else { vec!["lost".to_owned()] },
            text: object.name.clone(),
        };
        Scene {
            title: "The referee's table".to_owned(),
            status: self.remarks.clone(),
            surface: Surface::Plane { min: [west, south], max: [east, north], marks: Vec::new() },
            pieces: placed.iter().map(piece).collect(),
            ..Scene::default()
        }
    }
}

/// An act as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ActInfo {
    /// Its id.
    pub id: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// The word on its button.
    pub verb: &'static str,
    /// A picture by name.
    pub icon: &'static str,
    /// Its group.
    pub group: &'static str,
    /// Its phase.
    pub phase: &'static str,
    /// What it settles, in a sentence.
    pub help: &'static str,
    /// The dice it calls for.
    pub dice: &'static str,
    /// The objects that take part.
    pub roles: Vec<Role>,
    /// Whether it is only done when the rules owe it.
    pub only_owed: bool,
}

/// Something that can be put on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Force {
    /// Its id, for deeds.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// What more there is to say of it.
    pub detail: String,
}

/// What a table of a system offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableInfo {
    /// The phases of a turn, in order.
    pub phases: Vec<Phase>,
    /// What can be done.
    pub acts: Vec<ActInfo>,
    /// What can be put on the table.
    pub forces: Vec<Force>,
    /// Scenarios whose forces can be put on the table, each with its title.
    pub scenarios: Vec<(String, String)>,
    /// What a line may say, for example; empty if the table reads no lines.
    pub lines: &'static str,
    /// The procedure that derives an object from facts, if there is one.
    pub derives: Option<&'static str>,
    /// The act that measures on the map; none if a map is of no use.
    pub measures: Option<&'static str>,
    /// Whether the ten of a ten-sided die is typed as 0.
    pub ten_shows_zero: bool,
}

impl<S: System + Send + Sync + ?Sized + 'static> Table<S> {
    /// What a table of this system offers.
    #[must_use]
    pub fn info(&self) -> TableInfo {
        let act = |act: &super::Act| {
            let about = self.index.abouts().iter().find(|about| about.name == act.procedure);
            ActInfo {
                id: act.id,
                title: act.title,
                verb: act.verb,
                icon: act.icon,
                group: act.group,
                phase: act.phase,
                help: about.map_or("", |about| about.help),
                dice: about.map_or("", |about| about.dice),
                roles: act.roles.clone(),
                only_owed: act.only_owed,
            }
        };
        let force = |item: &crate::LibraryItem| Force {
            id: item.id.clone(),
            name: item.name.clone(),
            kind: item.kind.clone(),
            detail: self.system.card(item, None).subtitle,
        };
        TableInfo {
            phases: self.phases.clone(),
            acts: self.acts.iter().map(act).collect(),
            forces: self.forces.iter().map(force).collect(),
            scenarios: self.system.musters(),
            lines: self.system.line_example(),
            derives: self.system.derives(),
            measures: self.system.measures(),
            ten_shows_zero: self.system.ten_shows_zero(),
        }
    }

    pub(super) fn shown(&self, state: &State) -> TableView {
        let objects = state.objects.iter().map(|object| {
            let card = card_of(self.system.as_ref(), object);
            ObjectView {
                id: object.id.clone(),
                name: object.name.clone(),
                kind: object.kind.clone(),
                side: object.side,
                group: object.group.clone(),
                player: object.player,
                gone: object.gone.clone(),
                place: object.place,
                card,
            }
        });
        let owed = |now: bool| {
            move |owed: &Owed| OwedView {
                number: owed.number,
                act: owed.act.clone(),
                why: owed.why.clone(),
                cast: owed.cast.clone(),
                now,
            }
        };
        TableView {
            turn: state.turn,
            phase: state.phase,
            sides: state.sides.clone(),
            objects: objects.collect(),
            owed: state.chain.iter().map(owed(true)).chain(state.owed.iter().map(owed(false))).collect(),
            verdict: state.verdict.clone(),
            rulings: state.rulings,
            remarks: self.system.remarks(state),
            state: state.clone(),
        }
    }
}

/// An object's sheet with what is struck out and what the table remembers of it.
pub fn card_of<S: System + ?Sized>(system: &S, object: &super::Object) -> Card {
    let first = crate::LibraryItem { value: object.first.clone(), ..object.item() };
    let mut item = object.item();
    if !object.in_play() && system.lost_by_kind() {
        "lost".clone_into(&mut item.kind);
    }
    let mut card = system.card(&item, Some(&first));
    card.title.clone_from(&object.name);
    system.marked(&mut card, object);
    if !object.in_play() {
        card.stamp = Some(object.gone.clone());
    }
    card
}
