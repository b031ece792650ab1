//! The questions of a campaign, and which answers are legal.

use super::data::Reach;
use super::{CampaignGame, CampaignState, Goal, Station};
use crate::delay;
use crate::rule;
use crate::unit::{Id, Kind};
use flagplot_kernel::{Decision, Refusal, Seat, Side};
use serde::{Deserialize, Serialize};

pub const PORT: &str = "port";
pub const RAID: &str = "raid";

/// Which damaged ships in Port go to be repaired? [turn-2]
pub struct Refit<'a> {
    pub campaign: &'a CampaignGame,
    pub state: &'a CampaignState,
    pub side: Side,
}

impl Refit<'_> {
    pub fn ships(&self) -> impl Iterator<Item = usize> + '_ {
        let damaged = |at: &usize| {
            self.state.units[self.side][*at].damaged && self.campaign.sheets[self.side][*at].kind.is_ship()
        };
        self.campaign.at(self.state, self.side, Station::Port).filter(damaged)
    }

    /// The ships named; they have been checked.
    pub fn positions(&self, named: &[Id]) -> Vec<usize> {
        self.ships().filter(|&at| named.contains(&self.id(at))).collect()
    }

    pub(super) fn id(&self, at: usize) -> Id {
        self.campaign.sheets[self.side][at].id
    }
}

impl Decision for Refit<'_> {
    type Value = Vec<Id>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<Id>) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        for (at, id) in value.iter().enumerate() {
            let mut refuse = |code, message: String| reasons.push(Refusal::new(code, message).by(rule::TURN_2));
            if !self.campaign.at(self.state, self.side, Station::Port).any(|at| self.id(at) == *id) {
                refuse("unknown-unit", format!("You have no unit '{id}' in port."));
            } else if !self.ships().any(|ship| self.id(ship) == *id) {
                refuse("not-damaged", format!("'{id}' is not a damaged ship; only damaged ships are repaired."));
            } else if value[..at].contains(id) {
                refuse("duplicate-unit", format!("'{id}' is named twice."));
            }
        }
        Refusal::all(reasons)
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
pub struct Orders<'a> {
    pub campaign: &'a CampaignGame,
    pub state: &'a CampaignState,
    pub side: Side,
}

impl Orders<'_> {
    pub fn units(&self) -> impl Iterator<Item = usize> + '_ {
        self.campaign.at(self.state, self.side, Station::Port)
    }

    /// The goals written; they have been checked.
    pub fn goals(&self, given: &[Sail]) -> Vec<(usize, Goal)> {
        given
            .iter()
            .filter_map(|sail| Some((self.units().find(|&at| self.id(at) == sail.unit)?, self.goal(sail.order)?)))
            .collect()
    }

    /// The orders as they are written; `port` is what a unit does that is not named.
    pub fn written(&self, goals: &[(usize, Goal)]) -> Vec<Sail> {
        goals
            .iter()
            .filter(|(_, goal)| *goal != Goal::Port)
            .map(|&(at, goal)| Sail { unit: self.id(at), order: self.word(goal) })
            .collect()
    }

    pub fn legal(&self, at: usize, goal: Goal) -> bool {
        match goal {
            Goal::Port => true,
            Goal::Zone(zone) => self.campaign.campaign.factions[self.side].units[at].reach.holds(usize::from(zone)),
            Goal::Raid => {
                let counter = self.campaign.counter(self.state, self.side, at);
                counter.sheet.kind == Kind::Carrier && counter.up().airstrike > 0
            }
        }
    }

    pub fn options(&self, at: usize) -> impl Iterator<Item = Goal> + '_ {
        let zones = (0..self.campaign.campaign.zones.len() as u8).map(Goal::Zone);
        [Goal::Port].into_iter().chain(zones).chain([Goal::Raid]).filter(move |&goal| self.legal(at, goal))
    }

    pub(super) fn id(&self, at: usize) -> Id {
        self.campaign.sheets[self.side][at].id
    }

    fn goal(&self, word: Id) -> Option<Goal> {
        match word.as_str() {
            PORT => Some(Goal::Port),
            RAID => Some(Goal::Raid),
            zone => self
                .campaign
                .campaign
                .zones
                .iter()
                .position(|other| other.id.as_str() == zone)
                .map(|at| Goal::Zone(at as u8)),
        }
    }

    pub(super) fn word(&self, goal: Goal) -> Id {
        match goal {
            Goal::Port => Id::new(PORT).unwrap_or_default(),
            Goal::Raid => Id::new(RAID).unwrap_or_default(),
            Goal::Zone(zone) => self.campaign.campaign.zones[usize::from(zone)].id,
        }
    }

    /// Whether an order after those before it is legal.
    pub(super) fn check_one(&self, sail: &Sail, before: &[Sail]) -> Result<(), Refusal> {
        let Sail { unit, order } = *sail;
        let Some(at) = self.units().find(|&at| self.id(at) == unit) else {
            return Err(Refusal::new("unknown-unit", format!("You have no unit '{unit}' in port.")).by(rule::TURN_3));
        };
        if before.iter().any(|other| other.unit == unit) {
            return Err(Refusal::new("duplicate-unit", format!("'{unit}' has two orders.")).by(rule::TURN_3));
        }
        let Some(goal) = self.goal(order) else {
            let zones: Vec<&str> = self.campaign.campaign.zones.iter().map(|zone| zone.id.as_str()).collect();
            return Err(Refusal::new("unknown-zone", format!("There is no zone '{order}'."))
                .by(rule::TURN_3)
                .remedy(format!("Orders are port, raid, {}.", zones.join(", "))));
        };
        if self.legal(at, goal) {
            return Ok(());
        }
        let zone = |at: usize| self.campaign.campaign.zones[at].id;
        let refuse = |code, message: String| Refusal::new(code, message).by(rule::TURN_3);
        let out_of_reach = || refuse("out-of-reach", format!("'{order}' is out of reach for '{unit}'."));
        Err(match (&self.campaign.campaign.factions[self.side].units[at].reach, goal) {
            (_, Goal::Raid) => refuse(
                "cannot-raid",
                format!("'{unit}' cannot raid: only carriers with an Airstrike Factor on the side that is up can."),
            ),
            (Reach::Bound(destination), _) => {
                refuse("wrong-destination", format!("The convoy '{unit}' is bound for '{}'.", zone(*destination)))
                    .remedy("It may also stay in port.")
            }
            (Reach::Within(zones), _) => {
                let zones: Vec<String> = zones.iter().map(|&at| zone(at).to_string()).collect();
                out_of_reach().remedy(format!("It reaches {}.", zones.join(", ")))
            }
            (Reach::Anywhere, _) => out_of_reach(),
        })
    }
}

impl Decision for Orders<'_> {
    type Value = Vec<Sail>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<Sail>) -> Result<(), Refusal> {
        Refusal::all(
            value.iter().enumerate().filter_map(|(at, sail)| self.check_one(sail, &value[..at]).err()).collect(),
        )
    }
}

/// A ship in the box with what its owner wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairOf {
    pub unit: Id,
    pub choice: delay::Choice,
}

/// Repair, or come back damaged? One answer for all damaged ships in the box. [turn-8, C-14]
pub struct Repairs<'a> {
    pub campaign: &'a CampaignGame,
    pub state: &'a CampaignState,
    pub side: Side,
}

impl Repairs<'_> {
    /// The damaged ships in the box that nobody has decided about, by position.
    pub fn ships(&self) -> impl Iterator<Item = usize> + '_ {
        self.campaign
            .at(self.state, self.side, Station::NavalWarfareDelayBox(None))
            .filter(|&at| self.state.units[self.side][at].damaged)
    }

    /// What was chosen; it has been checked.
    pub fn positions(&self, chosen: &[RepairOf]) -> Vec<(usize, delay::Choice)> {
        chosen
            .iter()
            .filter_map(|repair| Some((self.ships().find(|&at| self.id(at) == repair.unit)?, repair.choice)))
            .collect()
    }

    pub(super) fn id(&self, at: usize) -> Id {
        self.campaign.sheets[self.side][at].id
    }

    pub(super) fn all(&self, choice: impl Fn(usize) -> delay::Choice) -> Vec<RepairOf> {
        self.ships().map(|at| RepairOf { unit: self.id(at), choice: choice(at) }).collect()
    }
}

impl Decision for Repairs<'_> {
    type Value = Vec<RepairOf>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<RepairOf>) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        let refuse = |code, message: String| Refusal::new(code, message).by(rule::C_14);
        for (at, &RepairOf { unit, .. }) in value.iter().enumerate() {
            if !self.ships().any(|ship| self.id(ship) == unit) {
                let message = format!("You have no damaged ship '{unit}' to decide on in the Naval Warfare Delay Box.");
                reasons.push(refuse("unknown-unit", message));
            } else if value[..at].iter().any(|other| other.unit == unit) {
                reasons.push(refuse("duplicate-unit", format!("'{unit}' is named twice.")));
            }
        }
        for at in self.ships().filter(|&at| value.iter().all(|repair| repair.unit != self.id(at))) {
            reasons.push(
                refuse("missing-field", format!("'{}' is damaged and needs a choice.", self.id(at)))
                    .remedy("Choose repair or return-damaged for each of them."),
            );
        }
        Refusal::all(reasons)
    }
}
