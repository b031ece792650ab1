//! What players are asked in a campaign.

use super::data::Reach;
use super::{CampaignGame, CampaignState, Goal, Station, plans};
use crate::delay;
use crate::rule;
use crate::unit::{Id, Kind};
use flagplot_kernel::{
    Candidate, Chance, Choice, Decision, Form, FormItem, OptionView, Prompt, Refusal, Rule, Screen, Seat, Side,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The word for staying in Port.
pub const PORT: &str = "port";
/// The word for raiding the enemy's Port.
pub const RAID: &str = "raid";

/// The names of some units of a side, in one line.
fn names(campaign: &CampaignGame, side: Side, units: impl Iterator<Item = usize>) -> String {
    units.map(|at| campaign.sheets[side][at].name.to_string()).collect::<Vec<_>>().join(", ")
}

trait MissingUnits {
    /// Says of some units, if there are any, why they are not there.
    fn missing_units(self, why: &str, names: String, rule: Rule) -> Self;
}

impl MissingUnits for Prompt {
    fn missing_units(self, why: &str, names: String, rule: Rule) -> Self {
        if names.is_empty() { self } else { self.missing(format!("{names}: {why}. [{rule}]")) }
    }
}

/// Which damaged ships in Port go to be repaired? [turn-2]
pub struct Refit<'a> {
    /// The campaign.
    pub campaign: &'a CampaignGame,
    /// The position.
    pub state: &'a CampaignState,
    /// Who is asked.
    pub side: Side,
}

impl Refit<'_> {
    /// The damaged ships in Port, by position.
    pub fn ships(&self) -> impl Iterator<Item = usize> + '_ {
        let damaged = |at: &usize| {
            self.state.units[self.side][*at].damaged && self.campaign.sheets[self.side][*at].kind.is_ship()
        };
        self.campaign.at(self.state, self.side, Station::Port).filter(damaged)
    }

    /// The ships named; they have been checked.
    #[must_use]
    pub fn positions(&self, named: &[Id]) -> Vec<usize> {
        self.ships().filter(|&at| named.contains(&self.id(at))).collect()
    }

    fn id(&self, at: usize) -> Id {
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
            let port = self.campaign.at(self.state, self.side, Station::Port).find(|&at| self.id(at) == *id);
            if port.is_none() {
                reasons
                    .push(Refusal::new("unknown-unit", format!("You have no unit '{id}' in port.")).by(rule::TURN_2));
            } else if !self.ships().any(|ship| self.id(ship) == *id) {
                reasons.push(
                    Refusal::new("not-damaged", format!("'{id}' is no damaged ship; only those are repaired."))
                        .by(rule::TURN_2),
                );
            } else if value[..at].contains(id) {
                reasons.push(Refusal::new("duplicate-unit", format!("'{id}' is named twice.")).by(rule::TURN_2));
            }
        }
        Refusal::all(reasons)
    }
}

impl Screen for Refit<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new("refit", "Which of your damaged ships in port go into the Naval Warfare Delay Box to be repaired? None is an answer.", rule::TURN_2)
            .confirm()
            .missing_units(
                "not damaged ships, and only those are repaired",
                names(self.campaign, self.side, self.campaign.at(self.state, self.side, Station::Port).filter(|at| !self.ships().any(|ship| ship == *at))),
                rule::TURN_2,
            )
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Id>>> {
        let all: Vec<Id> = self.ships().map(|at| self.id(at)).collect();
        let mut out = vec![Candidate::new(Vec::new(), "None")];
        if all.len() > 1 {
            out.push(Candidate::new(all, "All of them"));
        }
        out.extend(self.ships().map(|at| {
            Candidate::new(vec![self.id(at)], format!("Only {}", self.campaign.sheets[self.side][at].name))
                .at([self.id(at)])
        }));
        out
    }

    fn form(&self) -> Form {
        let items: Vec<FormItem> = self
            .ships()
            .map(|at| {
                let sheet = &self.campaign.sheets[self.side][at];
                let option =
                    OptionView { value: json!(sheet.id), label: "repair".into(), pieces: vec![sheet.id.to_string()] };
                FormItem { id: sheet.id.to_string(), label: sheet.name.to_string(), options: vec![option] }
            })
            .collect();
        let max = items.len() as u32;
        Form::Subset { items, min: 0, max }
    }
}

impl Choice for Refit<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Id> {
        self.ships().filter(|_| chance.below(2) == 0).map(|at| self.id(at)).collect()
    }

    fn instinct(&self, _: &mut Chance) -> Vec<Id> {
        self.ships()
            .filter(|&at| plans::refits(self.campaign, self.state, self.side, at))
            .map(|at| self.id(at))
            .collect()
    }
}

/// An order as a player writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sail {
    /// Who.
    pub unit: Id,
    /// Where: `port`, `raid`, or the id of a zone.
    pub order: Id,
}

/// Where does every unit in Port go? Secret, both sides at once. [turn-3]
pub struct Orders<'a> {
    /// The campaign.
    pub campaign: &'a CampaignGame,
    /// The position.
    pub state: &'a CampaignState,
    /// Who is asked.
    pub side: Side,
}

impl Orders<'_> {
    /// The units in Port, by position.
    pub fn units(&self) -> impl Iterator<Item = usize> + '_ {
        self.campaign.at(self.state, self.side, Station::Port)
    }

    /// The goals written; they have been checked.
    #[must_use]
    pub fn goals(&self, given: &[Sail]) -> Vec<(usize, Goal)> {
        given
            .iter()
            .filter_map(|sail| Some((self.units().find(|&at| self.id(at) == sail.unit)?, self.goal(sail.order)?)))
            .collect()
    }

    /// The orders as they are written; `port` is what a unit does that is not named.
    #[must_use]
    pub fn written(&self, goals: &[(usize, Goal)]) -> Vec<Sail> {
        goals
            .iter()
            .filter(|(_, goal)| *goal != Goal::Port)
            .map(|&(at, goal)| Sail { unit: self.id(at), order: self.word(goal) })
            .collect()
    }

    /// Whether a unit may have this goal.
    #[must_use]
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

    /// Everything a unit may do.
    pub fn options(&self, at: usize) -> impl Iterator<Item = Goal> + '_ {
        let zones = (0..self.campaign.campaign.zones.len() as u8).map(Goal::Zone);
        [Goal::Port].into_iter().chain(zones).chain([Goal::Raid]).filter(move |&goal| self.legal(at, goal))
    }

    fn id(&self, at: usize) -> Id {
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

    fn word(&self, goal: Goal) -> Id {
        match goal {
            Goal::Port => Id::new(PORT).unwrap_or_default(),
            Goal::Raid => Id::new(RAID).unwrap_or_default(),
            Goal::Zone(zone) => self.campaign.campaign.zones[usize::from(zone)].id,
        }
    }

    /// Orders one might expect that cannot be given: where a unit does not reach, who cannot raid, who is not in port.
    fn not_there(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        for at in self.units() {
            let zones: Vec<Goal> = (0..self.campaign.campaign.zones.len() as u8)
                .map(Goal::Zone)
                .filter(|&goal| !self.legal(at, goal))
                .collect();
            let Some(&first) = zones.first() else { continue };
            if let Err(refusal) = self.judge(&Sail { unit: self.id(at), order: self.word(first) }, &[]) {
                let names: Vec<String> = zones.iter().map(|&goal| self.campaign.goal_words(self.side, goal)).collect();
                reasons.push(format!(
                    "{} to {}: {refusal}",
                    self.campaign.sheets[self.side][at].name,
                    names.join(", ")
                ));
            }
        }
        let cannot = names(
            self.campaign,
            self.side,
            self.units()
                .filter(|&at| self.campaign.sheets[self.side][at].kind == Kind::Carrier && !self.legal(at, Goal::Raid)),
        );
        if !cannot.is_empty() {
            reasons.push(format!(
                "A raid by {cannot}: only carriers with an Airstrike Factor on the side that is up can raid. [{}]",
                rule::TURN_3
            ));
        }
        let away = (0..self.campaign.sheets[self.side].len()).filter(|&at| {
            !matches!(self.state.stations[self.side][at], Station::Port | Station::Removed | Station::Delivered)
        });
        let away = names(self.campaign, self.side, away);
        if !away.is_empty() {
            reasons.push(format!("Orders for {away}: only units in port get any. [{}]", rule::TURN_3));
        }
        reasons
    }

    fn judge(&self, sail: &Sail, before: &[Sail]) -> Result<(), Refusal> {
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
        Err(match (&self.campaign.campaign.factions[self.side].units[at].reach, goal) {
            (_, Goal::Raid) => Refusal::new(
                "cannot-raid",
                format!("'{unit}' cannot raid: only carriers with an Airstrike Factor on the side that is up can."),
            )
            .by(rule::TURN_3),
            (Reach::Bound(destination), _) => {
                Refusal::new("wrong-destination", format!("The convoy '{unit}' is bound for '{}'.", zone(*destination)))
                    .by(rule::TURN_3)
                    .remedy("It may also stay in port.")
            }
            (Reach::Within(zones), _) => {
                let zones: Vec<String> = zones.iter().map(|&at| zone(at).to_string()).collect();
                Refusal::new("out-of-reach", format!("'{order}' is out of reach for '{unit}'."))
                    .by(rule::TURN_3)
                    .remedy(format!("It reaches {}.", zones.join(", ")))
            }
            (Reach::Anywhere, _) => {
                Refusal::new("out-of-reach", format!("'{order}' is out of reach for '{unit}'.")).by(rule::TURN_3)
            }
        })
    }
}

impl Decision for Orders<'_> {
    type Value = Vec<Sail>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<Sail>) -> Result<(), Refusal> {
        Refusal::all(value.iter().enumerate().filter_map(|(at, sail)| self.judge(sail, &value[..at]).err()).collect())
    }
}

impl Screen for Orders<'_> {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new(
            "orders",
            format!(
                "Turn {}: where does each of your units in port go? What is not named stays in port.",
                self.state.turn
            ),
            rule::TURN_3,
        )
        .confirm();
        self.not_there().into_iter().fold(prompt, Prompt::missing)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Sail>>> {
        let mut out: Vec<Candidate<Vec<Sail>>> = plans::best(self.campaign, self.state, self.side, 3)
            .into_iter()
            .map(|(label, goals)| Candidate::new(self.written(&goals), label))
            .collect();
        for (zone, called) in self.campaign.campaign.zones.iter().enumerate() {
            let goal = Goal::Zone(zone as u8);
            let goals: Vec<(usize, Goal)> =
                self.units().filter(|&at| self.legal(at, goal)).map(|at| (at, goal)).collect();
            if !goals.is_empty() {
                out.push(
                    Candidate::new(self.written(&goals), format!("Everything that can to {}", called.name))
                        .at([called.id]),
                );
            }
        }
        out.push(Candidate::new(Vec::new(), "Everything stays in port"));
        out
    }

    fn form(&self) -> Form {
        let items = self
            .units()
            .map(|at| {
                let sheet = &self.campaign.sheets[self.side][at];
                let options = self
                    .options(at)
                    .filter(|&goal| goal != Goal::Port)
                    .map(|goal| {
                        let order = self.word(goal);
                        OptionView {
                            value: json!(Sail { unit: sheet.id, order }),
                            label: self.campaign.goal_words(self.side, goal),
                            pieces: vec![order.to_string()],
                        }
                    })
                    .collect();
                FormItem { id: sheet.id.to_string(), label: sheet.name.to_string(), options }
            })
            .collect();
        Form::Assign { items, none: "stays in port".into() }
    }
}

impl Choice for Orders<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Sail> {
        let mut out = Vec::new();
        for at in self.units() {
            let options: Vec<Goal> = self.options(at).collect();
            let goal = options[chance.below(options.len() as u32) as usize];
            if goal != Goal::Port {
                out.push(Sail { unit: self.id(at), order: self.word(goal) });
            }
        }
        out
    }

    fn instinct(&self, chance: &mut Chance) -> Vec<Sail> {
        self.written(&plans::choose(self.campaign, self.state, self.side, chance))
    }
}

/// A ship in the box with what its owner wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairOf {
    /// Which ship.
    pub unit: Id,
    /// What becomes of it.
    pub choice: delay::Choice,
}

/// Repair, or come back damaged? One answer for all damaged ships in the box. [turn-8, C-14]
pub struct Repairs<'a> {
    /// The campaign.
    pub campaign: &'a CampaignGame,
    /// The position.
    pub state: &'a CampaignState,
    /// Who is asked.
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
    #[must_use]
    pub fn positions(&self, chosen: &[RepairOf]) -> Vec<(usize, delay::Choice)> {
        chosen
            .iter()
            .filter_map(|repair| Some((self.ships().find(|&at| self.id(at) == repair.unit)?, repair.choice)))
            .collect()
    }

    fn id(&self, at: usize) -> Id {
        self.campaign.sheets[self.side][at].id
    }

    fn all(&self, choice: impl Fn(usize) -> delay::Choice) -> Vec<RepairOf> {
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
        for (at, repair) in value.iter().enumerate() {
            let unit = repair.unit;
            if !self.ships().any(|ship| self.id(ship) == unit) {
                reasons.push(
                    Refusal::new(
                        "unknown-unit",
                        format!("You have no damaged ship '{unit}' to decide about in the Naval Warfare Delay Box."),
                    )
                    .by(rule::C_14),
                );
            } else if value[..at].iter().any(|other| other.unit == unit) {
                reasons.push(Refusal::new("duplicate-unit", format!("'{unit}' is named twice.")).by(rule::C_14));
            }
        }
        for at in self.ships().filter(|&at| value.iter().all(|repair| repair.unit != self.id(at))) {
            reasons.push(
                Refusal::new("missing-field", format!("'{}' is damaged and needs a choice.", self.id(at)))
                    .by(rule::C_14)
                    .remedy("Say repair or return-damaged for each of them."),
            );
        }
        Refusal::all(reasons)
    }
}

impl Screen for Repairs<'_> {
    fn prompt(&self) -> Prompt {
        let more = self.campaign.figures.repair_drm;
        Prompt::new(
            "repairs",
            format!(
                "Your damaged ships in the Naval Warfare Delay Box: repair ({more} turns more), or come back damaged?"
            ),
            rule::TURN_8,
        )
        .confirm()
        .missing_units(
            "sound: there is nothing to repair, and they come back by the die alone",
            names(
                self.campaign,
                self.side,
                self.campaign
                    .at(self.state, self.side, Station::NavalWarfareDelayBox(None))
                    .filter(|&at| !self.state.units[self.side][at].damaged),
            ),
            rule::TURN_8,
        )
    }

    fn candidates(&self) -> Vec<Candidate<Vec<RepairOf>>> {
        let sensible = self.all(|at| plans::repairs(self.campaign, self.state, self.side, at));
        let mut out = vec![Candidate::new(sensible.clone(), "What a sensible player does")];
        for (choice, label) in
            [(delay::Choice::Repair, "Repair all of them"), (delay::Choice::ReturnDamaged, "All come back damaged")]
        {
            let value = self.all(|_| choice);
            if value != sensible {
                out.push(Candidate::new(value, label));
            }
        }
        out
    }

    fn form(&self) -> Form {
        let items = self
            .ships()
            .map(|at| {
                let sheet = &self.campaign.sheets[self.side][at];
                let options = [delay::Choice::Repair, delay::Choice::ReturnDamaged].map(|choice| OptionView {
                    value: json!(RepairOf { unit: sheet.id, choice }),
                    label: choice.to_string(),
                    pieces: vec![sheet.id.to_string()],
                });
                FormItem { id: sheet.id.to_string(), label: sheet.name.to_string(), options: options.to_vec() }
            })
            .collect();
        Form::Assign { items, none: "not decided; every ship needs a choice".into() }
    }
}

impl Choice for Repairs<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<RepairOf> {
        let mut out = self.all(|_| delay::Choice::Repair);
        for repair in &mut out {
            if chance.below(2) == 0 {
                repair.choice = delay::Choice::ReturnDamaged;
            }
        }
        out
    }

    fn instinct(&self, _: &mut Chance) -> Vec<RepairOf> {
        self.all(|at| plans::repairs(self.campaign, self.state, self.side, at))
    }
}
