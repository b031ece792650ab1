//! The questions about squadrons, and which answers are legal. [6.2, 6.3]

use super::NavalGame;
use super::choices::{Numbers, shown, whole};
use super::facts::Home;
use super::said::{Said, Spoken};
use super::state::{Flight, Mark, Open, Task};
use crate::messages::{counted, ensure};
use crate::rule;
use flagplot_kernel::{Decision, Refusal, Seat, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What do the squadrons do this round? Secret, both seats at once. [6.2, C-26]
pub(crate) struct Tasking<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub side: Side,
}

/// Wings with their tasks; wings left out stay in reserve. All wings of a base strike, or all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tasks(pub Vec<(u8, Task)>);

impl Spoken for Tasks {
    type Named = Numbers;

    fn named(&self, game: &NavalGame, open: &Open) -> Numbers {
        let mut named = Numbers::new();
        for &(wing, task) in &self.0 {
            let home = open.wings[usize::from(wing)].home;
            match home {
                Home::Group(_) => {
                    let id = game.wing_id(open, wing);
                    named.insert(format!("{id}.cap"), task.cap.into());
                    named.insert(format!("{id}.strike"), task.strike.into());
                }
                Home::Base(_) => {
                    *named.entry(strike_id(game, home)).or_default() |= i64::from(task.strike > 0);
                }
            }
        }
        named
    }
}

/// The key that says whether a base strikes.
pub(crate) fn strike_id(game: &NavalGame, home: Home) -> String {
    format!("{}.strike", game.facts.home_id(home))
}

impl<'a> Tasking<'a> {
    /// The wings that can be given a task.
    pub fn wings(&self) -> impl Iterator<Item = u8> + use<'a> {
        let wings = self.game.wings_of(self.open, self.side);
        wings.filter(|(_, wing)| wing.free() > 0).map(|(at, _)| at)
    }

    /// The carrier groups that can be given a task.
    pub fn groups(&self) -> Vec<u8> {
        let mut groups: Vec<u8> = Vec::new();
        for wing in self.wings() {
            if let Home::Group(group) = self.open.wings[usize::from(wing)].home
                && !groups.contains(&group)
            {
                groups.push(group);
            }
        }
        groups
    }

    /// How many squadrons of a group may fly CAP. [C-26]
    pub fn cap_limit(&self, group: u8) -> u32 {
        let wings = self.game.wings_at(self.open, Home::Group(group));
        let aboard = wings.map(|(_, wing)| u32::from(wing.count.saturating_sub(wing.away))).sum();
        self.game.rules.naval.cap.limit(aboard)
    }

    pub fn is_asked(&self) -> bool {
        self.wings().next().is_some()
    }

    pub fn placed(&self, tasks: Tasks) -> Said<'a, Tasks> {
        Said::Placed { game: self.game, open: self.open, plan: tasks }
    }

    fn parse(&self, named: &Numbers) -> Result<Tasks, Refusal> {
        let mut tasks: Vec<(u8, Task)> = self.wings().map(|wing| (wing, Task::default())).collect();
        for (key, &number) in named {
            let number = whole(number)?;
            let mut known = false;
            for (at, task) in &mut tasks {
                let wing = &self.open.wings[usize::from(*at)];
                let field = match wing.home {
                    Home::Group(_) => match key.strip_prefix(&self.game.wing_id(self.open, *at)) {
                        Some(".cap") => &mut task.cap,
                        Some(".strike") => &mut task.strike,
                        _ => continue,
                    },
                    Home::Base(_) if number <= 1 && *key == strike_id(self.game, wing.home) => {
                        (known, task.strike) = (true, number * wing.free());
                        continue;
                    }
                    Home::Base(_) => continue,
                };
                (known, *field) = (true, number);
            }
            if !known {
                let message = format!("'{}' is not a task of your squadrons.", shown(key));
                return Err(Refusal::new("unknown-unit", message)
                    .by(rule::NAVAL_ROUND)
                    .remedy("Give CAP and strike for each carrier group, and 1 or 0 for each base."));
            }
        }
        Ok(Tasks(tasks))
    }

    pub fn read(&self, said: &Said<'_, Tasks>) -> Result<Tasks, Refusal> {
        let tasks = match said {
            Said::Placed { plan, .. } => plan.clone(),
            Said::Named(named) => self.parse(named)?,
        };
        for &(at, task) in &tasks.0 {
            let wing = &self.open.wings[usize::from(at)];
            ensure(task.cap.saturating_add(task.strike) <= wing.free(), || {
                let name = self.game.wing_name(self.open, at);
                let message = format!("{name} has {} for CAP and strike.", counted(wing.free().into(), "squadron"));
                let refusal = Refusal::new("too-many-squadrons", message).by(rule::NAVAL_ROUND);
                refusal.remedy("Give fewer tasks; squadrons without one are in reserve.")
            })?;
        }
        for group in self.groups() {
            let flies = |&&(at, _): &&(u8, Task)| self.open.wings[usize::from(at)].home == Home::Group(group);
            let cap: u32 = tasks.0.iter().filter(flies).map(|(_, task)| u32::from(task.cap)).sum();
            let limit = self.cap_limit(group);
            ensure(cap <= limit, || {
                let name = self.game.group_name(group);
                let message = format!("At most {} of {name} may fly CAP.", counted(limit, "squadron"));
                Refusal::new("too-much-cap", message)
                    .by(rule::C_26)
                    .remedy("Keep the rest for the strike or in reserve.")
            })?;
        }
        Ok(tasks)
    }
}

impl<'a> Decision for Tasking<'a> {
    type Value = Said<'a, Tasks>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

/// Which squadrons strike which group that was found? [6.2]
pub(crate) struct Launch<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub tasks: &'a [Task],
    pub side: Side,
}

/// A wing, the group it strikes, and how many squadrons go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Launches(pub Vec<(u8, u8, u8)>);

impl Spoken for Launches {
    type Named = Numbers;

    fn named(&self, game: &NavalGame, open: &Open) -> Numbers {
        let sent = self.0.iter().filter(|launch| launch.2 > 0);
        sent.map(|&(wing, target, count)| (launch_id(game, open, wing, target), count.into())).collect()
    }
}

/// A wing and the group it may strike, as a form names them.
pub(crate) fn launch_id(game: &NavalGame, open: &Open, wing: u8, target: u8) -> String {
    format!("{}>{}", game.wing_id(open, wing), game.facts.groups[usize::from(target)].id)
}

impl<'a> Launch<'a> {
    /// The enemy groups that were found and are still there.
    pub fn found(&self) -> Vec<u8> {
        self.game.found(self.open, self.side)
    }

    /// The squadrons of a wing that are ready to strike.
    pub fn ready(&self, wing: u8) -> u8 {
        self.tasks[usize::from(wing)].strike
    }

    pub fn wings(&self) -> impl Iterator<Item = u8> + '_ {
        self.game.wings_of(self.open, self.side).map(|(at, _)| at).filter(|at| self.ready(*at) > 0)
    }

    pub fn placed(&self, launches: Launches) -> Said<'a, Launches> {
        Said::Placed { game: self.game, open: self.open, plan: launches }
    }

    fn parse(&self, named: &Numbers) -> Result<Launches, Refusal> {
        let found = self.found();
        let mut launches = Vec::new();
        for (key, &number) in named {
            let number = whole(number)?;
            let known = key.split_once('>').and_then(|(wing, target)| {
                let mut own = self.game.wings_of(self.open, self.side).map(|(at, _)| at);
                let wing = own.find(|at| self.game.wing_id(self.open, *at) == wing)?;
                let target = self.game.facts.groups.iter().position(|group| group.id == target)? as u8;
                (self.game.side_of_group(target) != self.side).then_some((wing, target))
            });
            let Some((wing, target)) = known else {
                let message = format!("'{}' is not a strike of your squadrons.", shown(key));
                return Err(Refusal::new("unknown-unit", message).by(rule::NAVAL_ROUND));
            };
            ensure(found.contains(&target), || {
                let message = format!("{} has not been found.", self.game.group_name(target));
                Refusal::new("not-found", message).by(rule::C_12).remedy("Strike a group that was found, or hold.")
            })?;
            if number > 0 {
                launches.push((wing, target, number));
            }
        }
        launches.sort_unstable();
        Ok(Launches(launches))
    }

    pub fn read(&self, said: &Said<'_, Launches>) -> Result<Launches, Refusal> {
        let launches = match said {
            Said::Placed { plan, .. } => plan.clone(),
            Said::Named(named) => self.parse(named)?,
        };
        let homes = BTreeMap::from_iter(
            launches.0.iter().rev().map(|&(wing, target, _)| (self.open.wings[usize::from(wing)].home, target)),
        );
        for &(wing, target, count) in &launches.0 {
            let home = self.open.wings[usize::from(wing)].home;
            ensure(homes.get(&home) == Some(&target), || {
                let message = format!("{} strikes one enemy group in a round.", self.game.facts.home_name(home));
                Refusal::new("two-targets", message)
                    .by(rule::NAVAL_ROUND)
                    .remedy("Send all its squadrons to one group.")
            })?;
            let ready = self.ready(wing);
            ensure(count <= ready, || {
                let name = self.game.wing_name(self.open, wing);
                let message = format!("{name} has {} ready to strike.", counted(ready.into(), "squadron"));
                Refusal::new("not-enough-squadrons", message).by(rule::NAVAL_ROUND)
            })?;
        }
        Ok(launches)
    }
}

impl<'a> Decision for Launch<'a> {
    type Value = Said<'a, Launches>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

/// Which ships do the squadrons that got through attack? [C-16]
pub(crate) struct Targets<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub flight: &'a Flight,
}

/// Targets with their squadrons, in the order in which they are filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Aims(pub Vec<(Mark, u8)>);

/// One target of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Aim {
    target: String,
    squadrons: i64,
}

/// Numbers as a form gives them, with ranks where the order counts; or a list in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum NamedAims {
    Numbers(Numbers),
    Listed(Vec<Aim>),
}

/// The key of a target's rank among the targets.
pub(crate) fn rank_id(id: &str) -> String {
    format!("{id}.rank")
}

impl Spoken for Aims {
    type Named = NamedAims;

    fn named(&self, game: &NavalGame, open: &Open) -> NamedAims {
        let flight = open.flights.first();
        let ranked = flight.is_some_and(|flight| Targets { game, open, flight }.is_mixed());
        let mut named = Numbers::new();
        for (rank, &(mark, count)) in self.0.iter().enumerate() {
            let id = game.mark_id(mark);
            named.insert(id.to_owned(), count.into());
            if ranked {
                named.insert(rank_id(id), rank as i64 + 1);
            }
        }
        NamedAims::Numbers(named)
    }
}

impl<'a> Targets<'a> {
    pub fn marks(&self) -> Vec<Mark> {
        self.game.marks(self.open, self.flight.target)
    }

    /// Whether squadrons of different kinds attack, so that the order of the targets matters.
    pub fn is_mixed(&self) -> bool {
        let mut units = self.flight.force.iter().filter(|(_, count)| *count > 0);
        let unit = |&(wing, _): &(u8, u8)| self.open.wings[usize::from(wing)].unit;
        let first = units.next().map(unit);
        units.any(|wing| Some(unit(wing)) != first)
    }

    pub fn placed(&self, aims: Aims) -> Said<'a, Aims> {
        Said::Placed { game: self.game, open: self.open, plan: aims }
    }

    fn parse(&self, named: &NamedAims) -> Result<Vec<(Mark, u8)>, Refusal> {
        let marks = self.marks();
        let mark = |id: &str| {
            marks.iter().copied().find(|mark| self.game.mark_id(*mark) == id).ok_or_else(|| {
                let group = self.game.group_name(self.flight.target);
                let names: Vec<&str> = marks.iter().map(|mark| self.game.mark_name(*mark)).collect();
                Refusal::new("unknown-target", format!("There is no target '{}' in {group}.", shown(id)))
                    .by(rule::C_16)
                    .remedy(format!("Attack {}.", names.join(", ")))
            })
        };
        match named {
            NamedAims::Listed(list) => list.iter().map(|aim| Ok((mark(&aim.target)?, whole(aim.squadrons)?))).collect(),
            NamedAims::Numbers(numbers) => {
                let mut ranks: Vec<(u8, usize, Mark, u8)> = Vec::new();
                for (id, &number) in numbers {
                    if let Some(ship) = id.strip_suffix(".rank") {
                        mark(ship)?;
                        whole(number)?;
                        continue;
                    }
                    let (mark, count) = (mark(id)?, whole(number)?);
                    let listed = marks.iter().position(|other| *other == mark).unwrap_or(0);
                    let rank =
                        numbers.get(&rank_id(id)).copied().filter(|rank| *rank > 0).map_or(Ok(u8::MAX), whole)?;
                    if count > 0 {
                        ranks.push((rank, listed, mark, count));
                    }
                }
                ranks.sort_unstable();
                Ok(ranks.into_iter().map(|(_, _, mark, count)| (mark, count)).collect())
            }
        }
    }

    pub fn read(&self, said: &Said<'_, Aims>) -> Result<Aims, Refusal> {
        let aims = match said {
            Said::Placed { plan, .. } => plan.0.clone(),
            Said::Named(named) => self.parse(named)?,
        };
        for (at, &(mark, count)) in aims.iter().enumerate() {
            let name = self.game.mark_name(mark);
            ensure(aims[..at].iter().all(|other| other.0 != mark), || {
                let refusal = Refusal::new("duplicate-target", format!("{name} is named twice as a target."));
                refusal.by(rule::C_16).remedy("Give all its squadrons at once.")
            })?;
            ensure(count > 0, || {
                Refusal::new("bad-allocation", format!("No squadron is given to {name}.")).by(rule::C_16)
            })?;
        }
        let (attack, given) = (self.flight.squadrons(), aims.iter().map(|(_, count)| u32::from(*count)).sum::<u32>());
        ensure(attack == given, || {
            let verb = if attack == 1 { "attacks" } else { "attack" };
            let are = if given == 1 { "is" } else { "are" };
            let message = format!("{} {verb}, but {given} {are} given targets.", counted(attack, "squadron"));
            Refusal::new("bad-allocation", message).by(rule::C_16).remedy("Give each squadron one target.")
        })?;
        Ok(Aims(aims))
    }
}

impl<'a> Decision for Targets<'a> {
    type Value = Said<'a, Aims>;

    fn seat(&self) -> Seat {
        self.flight.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}
