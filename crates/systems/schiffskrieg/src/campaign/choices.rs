//! The questions of a campaign, and which answers are legal.

use super::data::{Reach, Zone};
use super::{Command, Goal, Station};
use crate::delay;
use crate::rule;
use crate::unit::{Id, Kind};
use flagplot_kernel::{Decision, Refusal, Rule, Seat};
use serde::{Deserialize, Serialize};

pub const PORT: &str = "port";
pub const RAID: &str = "raid";

fn refuse(rule: Rule) -> impl Fn(&'static str, String) -> Refusal {
    move |code, message| Refusal::new(code, message).by(rule)
}

/// Which damaged ships in Port go to be repaired? [turn-2]
pub struct Refit<'a>(pub Command<'a>);

impl Refit<'_> {
    pub fn ships(&self) -> impl Iterator<Item = usize> {
        self.0.at(Station::Port).filter(|&at| self.0.unit(at).damaged && self.0.sheet(at).kind.is_ship())
    }

    pub fn positions(&self, named: &[Id]) -> Vec<usize> {
        self.ships().filter(|&at| named.contains(&self.0.id(at))).collect()
    }
}

impl Decision for Refit<'_> {
    type Value = Vec<Id>;

    fn seat(&self) -> Seat {
        self.0.side.into()
    }

    fn check(&self, value: &Vec<Id>) -> Result<(), Refusal> {
        let refuse = refuse(rule::TURN_2);
        let check = |(at, id): (usize, &Id)| {
            if !self.0.at(Station::Port).any(|at| self.0.id(at) == *id) {
                Some(refuse("unknown-unit", format!("You have no unit '{id}' in port.")))
            } else if !self.ships().any(|ship| self.0.id(ship) == *id) {
                let message = format!("'{id}' is not a damaged ship; only damaged ships are repaired.");
                Some(refuse("not-damaged", message))
            } else if value[..at].contains(id) {
                Some(refuse("duplicate-unit", format!("'{id}' is named twice.")))
            } else {
                None
            }
        };
        Refusal::all(value.iter().enumerate().filter_map(check).collect())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sail {
    pub unit: Id,
    /// `port`, `raid`, or the id of a zone.
    pub order: Id,
}

/// Where does every unit in Port go? Secret, both sides at once. [turn-3]
pub struct Orders<'a>(pub Command<'a>);

impl<'a> Orders<'a> {
    pub fn units(&self) -> impl Iterator<Item = usize> {
        self.0.at(Station::Port)
    }

    pub(super) fn zones(&self) -> &'a [Zone] {
        &self.0.campaign.campaign.zones
    }

    pub fn goals(&self, given: &[Sail]) -> Vec<(usize, Goal)> {
        let unit = |id: Id| self.units().find(|&at| self.0.id(at) == id);
        given.iter().filter_map(|sail| Some((unit(sail.unit)?, self.goal(sail.order)?))).collect()
    }

    /// The orders as they are written; a unit without an order stays in port.
    pub fn written(&self, goals: &[(usize, Goal)]) -> Vec<Sail> {
        let sent = goals.iter().filter(|(_, goal)| *goal != Goal::Port);
        sent.map(|&(at, goal)| Sail { unit: self.0.id(at), order: self.word(goal) }).collect()
    }

    pub fn legal(&self, at: usize, goal: Goal) -> bool {
        match goal {
            Goal::Port => true,
            Goal::Zone(zone) => self.0.faction().units[at].reach.holds(usize::from(zone)),
            Goal::Raid => {
                let unit = self.0.unit(at);
                unit.sheet.kind == Kind::Carrier && unit.up().airstrike > 0
            }
        }
    }

    pub fn options(&self, at: usize) -> impl Iterator<Item = Goal> {
        let zones = (0..self.zones().len() as u8).map(Goal::Zone);
        [Goal::Port].into_iter().chain(zones).chain([Goal::Raid]).filter(move |&goal| self.legal(at, goal))
    }

    fn goal(&self, word: Id) -> Option<Goal> {
        match word.as_str() {
            PORT => Some(Goal::Port),
            RAID => Some(Goal::Raid),
            _ => self.zones().iter().position(|zone| zone.id == word).map(|at| Goal::Zone(at as u8)),
        }
    }

    pub(super) fn word(&self, goal: Goal) -> Id {
        match goal {
            Goal::Port => Id::new(PORT).unwrap_or_default(),
            Goal::Raid => Id::new(RAID).unwrap_or_default(),
            Goal::Zone(zone) => self.zones()[usize::from(zone)].id,
        }
    }

    pub(super) fn check_one(&self, &Sail { unit, order }: &Sail, before: &[Sail]) -> Result<(), Refusal> {
        let refuse = refuse(rule::TURN_3);
        let Some(at) = self.units().find(|&at| self.0.id(at) == unit) else {
            return Err(refuse("unknown-unit", format!("You have no unit '{unit}' in port.")));
        };
        if before.iter().any(|other| other.unit == unit) {
            return Err(refuse("duplicate-unit", format!("'{unit}' has two orders.")));
        }
        let Some(goal) = self.goal(order) else {
            let zones: Vec<&str> = self.zones().iter().map(|zone| zone.id.as_str()).collect();
            return Err(refuse("unknown-zone", format!("There is no zone '{order}'."))
                .remedy(format!("Orders are port, raid, {}.", zones.join(", "))));
        };
        if self.legal(at, goal) {
            return Ok(());
        }
        let known = &self.0.faction().units[at];
        let name = known.sheet.name;
        let zone = |at: usize| self.zones()[at].name.as_str();
        let there = |goal| match goal {
            Goal::Zone(at) => zone(usize::from(at)).to_owned(),
            Goal::Port | Goal::Raid => order.to_string(),
        };
        let out_of_reach = || refuse("out-of-reach", format!("{} is out of reach for {name}.", there(goal)));
        Err(match (&known.reach, goal) {
            (_, Goal::Raid) => refuse("cannot-raid", format!("{name} cannot raid."))
                .remedy("Only a carrier with an Airstrike Factor on the side that is up can."),
            (Reach::Bound(destination), _) => {
                refuse("wrong-destination", format!("The convoy {name} is bound for {}.", zone(*destination)))
                    .remedy("It may also stay in port.")
            }
            (Reach::Within(zones), _) => {
                let zones: Vec<&str> = zones.iter().map(|&at| zone(at)).collect();
                out_of_reach().remedy(format!("It reaches {}.", zones.join(", ")))
            }
            (Reach::Anywhere, _) => out_of_reach(),
        })
    }
}

impl Decision for Orders<'_> {
    type Value = Vec<Sail>;

    fn seat(&self) -> Seat {
        self.0.side.into()
    }

    fn check(&self, value: &Vec<Sail>) -> Result<(), Refusal> {
        let each = value.iter().enumerate().map(|(at, sail)| self.check_one(sail, &value[..at]));
        Refusal::all(each.filter_map(Result::err).collect())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairOf {
    pub unit: Id,
    pub choice: delay::Choice,
}

/// Repair, or come back damaged? One answer for all damaged ships in the box. [turn-8, C-14]
pub struct Repairs<'a>(pub Command<'a>);

impl Repairs<'_> {
    pub fn ships(&self) -> impl Iterator<Item = usize> {
        self.0.at(Station::NavalWarfareDelayBox(None)).filter(|&at| self.0.unit(at).damaged)
    }

    pub fn positions(&self, chosen: &[RepairOf]) -> Vec<(usize, delay::Choice)> {
        let ship = |id: Id| self.ships().find(|&at| self.0.id(at) == id);
        chosen.iter().filter_map(|repair| Some((ship(repair.unit)?, repair.choice))).collect()
    }

    pub(super) fn all(&self, choice: impl Fn(usize) -> delay::Choice) -> Vec<RepairOf> {
        self.ships().map(|at| RepairOf { unit: self.0.id(at), choice: choice(at) }).collect()
    }
}

impl Decision for Repairs<'_> {
    type Value = Vec<RepairOf>;

    fn seat(&self) -> Seat {
        self.0.side.into()
    }

    fn check(&self, value: &Vec<RepairOf>) -> Result<(), Refusal> {
        let (mut reasons, refuse) = (Vec::new(), refuse(rule::C_14));
        for (at, &RepairOf { unit, .. }) in value.iter().enumerate() {
            if !self.ships().any(|ship| self.0.id(ship) == unit) {
                let message = format!("You have no damaged ship '{unit}' to decide on in the Naval Warfare Delay Box.");
                reasons.push(refuse("unknown-unit", message));
            } else if value[..at].iter().any(|other| other.unit == unit) {
                reasons.push(refuse("duplicate-unit", format!("'{unit}' is named twice.")));
            }
        }
        for id in self.ships().map(|at| self.0.id(at)).filter(|&id| value.iter().all(|repair| repair.unit != id)) {
            reasons.push(
                refuse("missing-field", format!("'{id}' is damaged and needs a choice."))
                    .remedy("Choose repair or return-damaged for each of them."),
            );
        }
        Refusal::all(reasons)
    }
}
