//! Where units go after a fight: advances, hexes taken by attrition, retreats. [4.2, C-19]

use super::GroundGame;
use super::map::{HexAt, UnitAt};
use super::state::{GroundState, Struggle};
use super::thinking;
use crate::messages::{counted, ensure};
use crate::retreat::Evil;
use crate::rule;
use crate::scenarios::HexId;
use flagplot_kernel::{
    Candidate, Chance, Decision, Form, FormItem, Menu, OptionView, Prompt, Refusal, Screen, Seat, Side,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

impl GroundGame {
    /// A form that takes some of these units.
    pub(crate) fn subset(
        &self,
        state: &GroundState,
        units: impl IntoIterator<Item = UnitAt>,
        min: u32,
        max: u32,
    ) -> Form {
        let item = |unit: UnitAt| {
            let info = self.info(unit);
            let at = state.unit(unit).hex.map_or_else(String::new, |hex| format!(", {}", self.map.name(hex)));
            let label = format!("{} {}", info.title(), counted(u32::from(info.factors), "factor"));
            FormItem {
                id: info.id.clone(),
                label: format!("{}{at}", info.name),
                options: vec![OptionView::new(json!(info.id), label).at([&info.id])],
            }
        };
        Form::Subset { items: units.into_iter().map(item).collect(), min, max }
    }
}

/// Which units advance into a hex that has fallen.
pub struct Advance<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
    pub hex: HexAt,
    /// Those that may.
    pub units: &'a [UnitAt],
    /// How many must: none after an attack, one after attrition.
    pub least: u32,
}

impl Advance<'_> {
    pub(super) fn most(&self) -> u32 {
        self.game.stacking().min(self.units.len() as u32)
    }

    pub(super) fn ids(&self, units: &[UnitAt]) -> Vec<String> {
        units.iter().map(|unit| self.game.info(*unit).id.clone()).collect()
    }
}

impl Decision for Advance<'_> {
    type Value = Vec<String>;

    fn seat(&self) -> Seat {
        self.state.active.into()
    }

    fn check(&self, value: &Vec<String>) -> Result<(), Refusal> {
        for (at, id) in value.iter().enumerate() {
            let unit = self.game.find(id).filter(|unit| self.units.contains(unit) && !value[..at].contains(id));
            ensure(unit.is_some(), || {
                let shown: String = id.chars().take(30).collect();
                let hex = self.game.map.name(self.hex);
                Refusal::new("unknown-unit", format!("'{shown}' cannot advance into {hex}."))
                    .by(rule::GROUND_TURN)
                    .remedy("Choose from the units listed, each once.")
            })?;
        }
        let given = value.len() as u32;
        ensure(given <= self.game.stacking(), || self.game.full(self.hex))?;
        ensure(given >= self.least, || {
            Refusal::new("insufficient-advance", "At least one unit must advance into the hex.")
                .by(rule::C_19)
                .remedy("Choose a unit.")
        })
    }
}

impl Screen for Advance<'_> {
    fn prompt(&self) -> Prompt {
        let (hex, limit) = (self.game.map.name(self.hex), self.game.stacking());
        let text = match self.least {
            0 => format!("{hex} is free. Which units advance, if any? It holds {limit}."),
            _ => format!("{hex} is free. Which units advance? One must, and it holds {limit}."),
        };
        Prompt::new("advance", text, rule::C_8).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Vec<String>>> {
        let mut out: Vec<Candidate<Vec<String>>> = Vec::new();
        let mut add = |units: &[UnitAt]| {
            let ids = self.ids(units);
            if out.iter().all(|other| other.value != ids) {
                let label = if units.is_empty() { "Stay".into() } else { self.game.names(units.iter().copied()) };
                out.push(Candidate::new(ids.clone(), label).at(ids));
            }
        };
        add(&thinking::advance(self.game, self.state, self.hex, self.units, self.least));
        for (at, &one) in self.units.iter().enumerate() {
            add(&[one]);
            for &other in self.units[at + 1..].iter().filter(|_| self.most() > 1) {
                add(&[one, other]);
            }
        }
        if self.least == 0 {
            add(&[]);
        }
        out
    }

    fn form(&self) -> Form {
        self.game.subset(self.state, self.units.iter().copied(), self.least, self.most())
    }
}

/// A hex to take by attrition, or enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Take {
    Hex(HexId),
    Stop,
}

pub struct NextHex<'a> {
    pub game: &'a GroundGame,
    pub state: &'a GroundState,
    pub struggle: &'a Struggle,
}

impl Menu for NextHex<'_> {
    type Option = Take;

    fn seat(&self) -> Seat {
        self.state.active.into()
    }

    fn prompt(&self) -> Prompt {
        let left = counted(u32::from(self.struggle.hexes), "hex");
        Prompt::new("take-hex", format!("You may take {left}. Which is next?"), rule::C_19)
    }

    fn options(&self) -> Vec<Take> {
        let hexes = self.game.within_grasp(self.state, self.struggle);
        hexes.iter().map(|hex| Take::Hex(self.game.map.id(hex))).chain([Take::Stop]).collect()
    }

    fn label(&self, option: &Take) -> String {
        let Take::Hex(id) = option else { return "Take no more hexes".into() };
        let hex = self.game.map.place(*id).unwrap_or(0);
        let units = self.game.stack(self.state, hex);
        let held = match units.clone().count() {
            0 => "empty".to_owned(),
            _ => format!("{} must retreat", self.game.names(units)),
        };
        format!("{}: {held}", self.game.map.name(hex))
    }

    fn allow(&self, option: &Take) -> Result<(), Refusal> {
        match option {
            Take::Hex(id) if self.game.map.place(*id).is_some_and(|hex| self.game.is_fortress(hex)) => {
                Err(Refusal::new("fortress", "A fortress cannot be taken by attrition.").by(rule::C_19))
            }
            _ => Ok(()),
        }
    }

    fn pieces(&self, option: &Take) -> Vec<String> {
        match option {
            Take::Hex(id) => vec![id.key()],
            Take::Stop => Vec::new(),
        }
    }

    fn instinct(&self, _: &mut Chance) -> Take {
        thinking::take(self.game, self.state, self.struggle).map_or(Take::Stop, |hex| Take::Hex(self.game.map.id(hex)))
    }
}

/// A unit that retreats, and where to; without a hex it is eliminated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetreatTo {
    pub unit: String,
    #[serde(default)]
    pub to: Option<HexId>,
}

/// Which unit retreats next, and where to. [14.73]
pub struct Retreats<'a> {
    game: &'a GroundGame,
    state: &'a GroundState,
    side: Side,
    /// Each unit with the hexes of least evil; equal units once.
    ways: Vec<(UnitAt, Vec<HexAt>, Evil)>,
}

impl<'a> Retreats<'a> {
    pub fn new(game: &'a GroundGame, state: &'a GroundState, units: &[UnitAt]) -> Self {
        let mut ways: Vec<(UnitAt, Vec<HexAt>, Evil)> = Vec::new();
        for &unit in units {
            let class = |unit: UnitAt| (game.info(unit).class, state.unit(unit).isolation);
            if ways.iter().any(|(other, ..)| class(*other) == class(unit)) {
                continue;
            }
            let (retreat, near) = game.retreat(state, unit);
            ways.push((unit, retreat.options.iter().map(|&at| near[at]).collect(), retreat.evil));
        }
        Self { game, state, side: state.active.other(), ways }
    }

    /// The retreat, if there is only one.
    pub fn only(&self) -> Option<(UnitAt, Option<HexAt>)> {
        match self.ways.as_slice() {
            [(unit, hexes, _)] if hexes.len() < 2 => Some((*unit, hexes.first().copied())),
            _ => None,
        }
    }

    pub fn ways(&self) -> impl Iterator<Item = (UnitAt, Option<HexAt>)> + '_ {
        self.ways.iter().flat_map(|(unit, hexes, _)| {
            let none = hexes.is_empty().then_some((*unit, None));
            hexes.iter().map(|hex| (*unit, Some(*hex))).chain(none)
        })
    }

    pub fn game(&self) -> (&GroundGame, &GroundState) {
        (self.game, self.state)
    }

    pub(super) fn named(&self, (unit, to): (UnitAt, Option<HexAt>)) -> RetreatTo {
        RetreatTo { unit: self.game.info(unit).id.clone(), to: to.map(|hex| self.game.map.id(hex)) }
    }

    fn label(&self, (unit, to): (UnitAt, Option<HexAt>)) -> String {
        let name = &self.game.info(unit).name;
        let evil = self.ways.iter().find(|(other, ..)| *other == unit).map(|(.., evil)| *evil);
        let evil = match evil {
            Some(Evil::Overstack) => " (overstacked)",
            Some(Evil::EnemyZoc) => " (in an enemy zone of control)",
            Some(Evil::EnemyControlled) => " (enemy-controlled)",
            _ => "",
        };
        match to {
            Some(to) => format!("{name} to {}{evil}", self.game.map.name(to)),
            None => format!("{name}: nowhere to go, eliminated"),
        }
    }
}

impl Decision for Retreats<'_> {
    type Value = RetreatTo;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &RetreatTo) -> Result<(), Refusal> {
        let class =
            |unit: UnitAt| (self.game.info(unit).class, self.state.unit(unit).hex, self.state.unit(unit).isolation);
        let unit = self.game.find(&value.unit);
        let way = unit.and_then(|unit| self.ways.iter().find(|(other, ..)| class(*other) == class(unit)));
        let Some((_, hexes, _)) = way else {
            let shown: String = value.unit.chars().take(30).collect();
            return Err(Refusal::new("unknown-unit", format!("'{shown}' does not have to retreat."))
                .by(rule::GROUND_TURN)
                .remedy("Choose a unit in the hex that was taken."));
        };
        let to = value.to.and_then(|to| self.game.map.place(to));
        let legal = match (value.to, to) {
            (None, _) => hexes.is_empty(),
            (Some(_), to) => to.is_some_and(|to| hexes.contains(&to)),
        };
        ensure(legal, || {
            let text = if hexes.is_empty() { "No hex is open to this unit." } else { "A better hex is open." };
            let refusal = Refusal::new("not-least-evil", text);
            let names: Vec<String> = hexes.iter().map(|hex| self.game.map.name(*hex)).collect();
            let names = super::attacks::listed(names.iter().map(String::as_str));
            refusal.by(rule::RETREAT_PRIORITY).remedy(match hexes.as_slice() {
                [] => "Leave out the hex: the unit is lost.".into(),
                _ => format!("Choose one of: {names}."),
            })
        })
    }
}

impl Screen for Retreats<'_> {
    fn prompt(&self) -> Prompt {
        let text = "Which unit retreats, and where to? Only the least bad hexes are open.";
        Prompt::new("retreat", text, rule::RETREAT_PRIORITY).confirm().missing(format!(
            "Other hexes: an enemy-controlled hex is worse than an enemy zone of control, which is worse than \
             overstacking. [{}]",
            rule::R_8
        ))
    }

    fn candidates(&self) -> Vec<Candidate<RetreatTo>> {
        let each = self.ways().map(|way| {
            let value = self.named(way);
            let pieces = std::iter::once(value.unit.clone()).chain(value.to.map(HexId::key));
            Candidate::new(value.clone(), self.label(way)).at(pieces.collect::<Vec<_>>())
        });
        each.collect()
    }
}
