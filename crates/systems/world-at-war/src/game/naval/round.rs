//! A round from its arrivals to the search, and its end. [6.2]

use super::NavalGame;
use super::air_choices::Tasking;
use super::choices::{Merge, MergeOption};
use super::facts::Home;
use super::state::{Condition, Group, NavalState, Open, Phase, ShownTask, Status, Task, Wing};
use crate::messages::counted;
use crate::nation::modified;
use crate::rule;
use crate::scenarios::Contact;
use crate::search::{self, Searcher, Sighting};
use flagplot_kernel::{Ask, Asked, BySide, Note, Side};
use std::cmp::Reverse;

impl NavalGame {
    /// The battle before its first round.
    pub(crate) fn start(&self) -> NavalState {
        let groups = self.facts.groups.iter().map(|group| Group {
            status: Status::Coming,
            lights: group.lights,
            nation: group.nation,
            encumbered: group.encumbered,
        });
        let wings = self.facts.wings.iter().map(|wing| Wing {
            home: wing.home,
            unit: wing.unit,
            count: if wing.from_round <= 1 { wing.count } else { 0 },
            away: 0,
            tired: 0,
            flying: 0,
            aborted: 0,
            cap_shown: false,
        });
        let wings: Vec<Wing> = wings.collect();
        let tasks = vec![Task::default(); wings.len()];
        let open = Open {
            round: 1,
            phase: Phase::Arrivals,
            ships: vec![Condition::Sound; self.facts.ships.len()],
            groups: groups.collect(),
            wings,
            covers: self.facts.covers.iter().map(|cover| cover.air.count as u8).collect(),
            sight: BySide::default(),
            launches: 0,
            flights: Vec::new(),
            engaged: Vec::new(),
            fire: Vec::new(),
            light_sunk: BySide::default(),
            squadrons_lost: BySide::default(),
            picked: BySide::default(),
            shown: Vec::new(),
        };
        NavalState { open, tasks }
    }

    pub(crate) fn attacker(&self) -> Side {
        self.facts.limits.attacker
    }

    /// New groups and squadrons appear; groups in sight of the enemy join at once. [6.2, C-28]
    pub(crate) fn arrivals(&self, state: &mut NavalState, ask: &mut impl Ask) {
        let open = &mut state.open;
        let round = open.round;
        ask.note(|| Note::new("round", format!("Round {round}")).by(&[rule::NAVAL_ROUND, rule::NAVAL_BATTLE]));
        if let Some(seat) = self.scenario.passive.filter(|_| round == 1) {
            ask.note(|| {
                let text = format!("The {} have only losses to choose in this battle.", super::SIDES[seat.side()]);
                Note::new("passive", text).by(&[rule::C_35])
            });
        }
        for at in 0..open.groups.len() {
            let facts = &self.facts.groups[at];
            if open.groups[at].status != Status::Coming || facts.from_round > round {
                continue;
            }
            open.groups[at].status = Status::Here;
            if round > 1 {
                ask.note(|| {
                    let text = format!("{} arrives.", facts.name);
                    Note::new("arrival", text).by(&[rule::NAVAL_ROUND]).pieces([&facts.id])
                });
            }
            if self.scenario.contact == Contact::Engaged {
                let own = self.present_of(open, facts.side).find(|group| usize::from(*group) != at);
                if let Some(group) = own {
                    self.join(open, group, at as u8);
                    ask.note(|| {
                        let text = format!("{} fights as one with {}.", facts.name, self.group_name(group));
                        Note::new("join", text).by(&[rule::C_28]).pieces([&facts.id])
                    });
                }
            }
        }
        for (wing, facts) in open.wings.iter_mut().zip(&self.facts.wings) {
            if round > 1 && facts.from_round == round {
                wing.count += facts.count;
            }
        }
        for (at, facts) in self.facts.groups.iter().enumerate() {
            let away: u8 = facts.away.iter().filter(|(when, _)| *when == round).map(|(_, count)| count).sum();
            let home = Home::Group(open.joined(at as u8));
            if away > 0
                && let Some(wing) = open.wings.iter_mut().find(|wing| wing.home == home)
            {
                wing.away = away.min(wing.count);
            }
        }
        open.phase = match self.scenario.contact {
            Contact::Search => Phase::Merge(self.attacker()),
            // Without squadrons there is nothing to do before the guns speak.
            Contact::Engaged if open.wings.is_empty() => Phase::Orders(0),
            Contact::Engaged | Contact::AirOnly => Phase::Tasking,
        };
    }

    /// A group becomes part of another for good. [C-32]
    pub(crate) fn join(&self, open: &mut Open, into: u8, group: u8) {
        let joining = open.groups[usize::from(group)];
        let whole = &mut open.groups[usize::from(into)];
        if joining.nation != whole.nation {
            let chart = &self.rules.nations;
            let worth = |group: &Group| (group.lights.factors(), Reverse(chart.naval(group.nation)));
            if worth(&joining) > worth(whole) {
                whole.nation = joining.nation;
            }
        }
        whole.encumbered |= joining.encumbered;
        let (sum, more) = (&mut whole.lights, joining.lights);
        sum.cruisers += more.cruisers;
        sum.damaged_cruisers += more.damaged_cruisers;
        sum.destroyers += more.destroyers;
        sum.cves += more.cves;
        sum.transports += more.transports;
        open.groups[usize::from(group)] = Group { status: Status::Merged(into), lights: Default::default(), ..joining };
        for at in 0..open.wings.len() {
            if open.wings[at].home != Home::Group(group) {
                continue;
            }
            let moved = open.wings[at];
            let same = |wing: &&mut Wing| wing.home == Home::Group(into) && wing.unit == moved.unit;
            match open.wings.iter_mut().find(same) {
                Some(wing) => {
                    wing.count += moved.count;
                    wing.away += moved.away;
                    wing.tired += moved.tired;
                    open.wings[at] = Wing { count: 0, away: 0, tired: 0, ..moved };
                }
                None => open.wings[at].home = Home::Group(into),
            }
        }
    }

    /// One merger, or none. [C-32]
    pub(crate) fn merge(&self, state: &mut NavalState, side: Side, ask: &mut impl Ask) -> Asked<()> {
        let open = &mut state.open;
        let mut option = MergeOption::Done;
        if self.present_of(open, side).nth(1).is_some() {
            option = ask.decide(&Merge { game: self, open, side })?;
        }
        match option {
            MergeOption::Merge(into, group) => {
                self.join(open, into, group);
                ask.note(|| {
                    let text = format!("{} joins {}.", self.group_name(group), self.group_name(into));
                    let pieces = [group, into].map(|at| self.facts.groups[usize::from(at)].id.clone());
                    Note::new("merge", text).by(&[rule::C_32]).pieces(pieces)
                });
            }
            MergeOption::Done if side == self.attacker() => open.phase = Phase::Merge(side.other()),
            MergeOption::Done => open.phase = Phase::Tasking,
        }
        Ok(())
    }

    /// Both seats give their squadrons tasks, in secret. [6.2, C-24, C-26, C-27]
    pub(crate) fn tasking(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        if self.scenario.contact == Contact::AirOnly {
            for (task, wing) in state.tasks.iter_mut().zip(&open.wings) {
                *task = Task { cap: 0, strike: wing.free() };
            }
            self.fixed_surprise(&mut state.open, ask);
            state.open.phase = Phase::Launch;
            return Ok(());
        }
        let seats = [self.attacker(), self.attacker().other()];
        let choices = seats.map(|side| Tasking { game: self, open, side });
        let asked: Vec<Tasking<'_>> = choices.into_iter().filter(Tasking::is_asked).collect();
        let mut given = Vec::new();
        if !asked.is_empty() {
            let said = ask.in_secret(&asked)?;
            for (choice, said) in asked.iter().zip(&said) {
                if let Ok(tasks) = choice.read(said) {
                    given.extend(tasks.0);
                }
            }
        }
        for (wing, task) in given {
            state.tasks[usize::from(wing)] = task;
        }
        if self.keeps_secrets() {
            ask.note(|| {
                let text = "The squadrons have their tasks, which only their owners know.";
                Note::new("tasking", text).by(&[rule::NAVAL_ROUND, rule::C_24, rule::C_26])
            });
        }
        match self.scenario.contact {
            Contact::Search => {
                for side in seats {
                    let out = self
                        .wings_of(&state.open, side)
                        .any(|(at, wing)| wing.reserve(state.tasks[usize::from(at)]) > 0);
                    state.open.sight[side].search_air = Some(out);
                }
                state.open.phase = Phase::Search;
            }
            _ => {
                for side in seats {
                    let enemy = self.present_of(&state.open, side.other()).fold(0, |bits, group| bits | 1 << group);
                    state.open.sight[side].found = enemy;
                }
                state.open.phase = Phase::Launch;
            }
        }
        Ok(())
    }

    /// In a battle of strikes alone the scenario says who strikes, and with which surprise. [6.2]
    fn fixed_surprise(&self, open: &mut Open, ask: &mut impl Ask) {
        let round = u32::from(open.round);
        let Some(fixed) = self.scenario.fixed_surprise.iter().find(|fixed| fixed.round == round) else { return };
        let side = fixed.seat.side();
        open.sight[side].surprise = fixed.level as u8;
        open.sight[side].found = self.present_of(open, side.other()).fold(0, |bits, group| bits | 1 << group);
        ask.note(|| {
            let text = format!("The {} strike with surprise level {}.", super::SIDES[side], fixed.level);
            Note::new("surprise", text).by(&[rule::C_12, rule::C_27]).outcome(fixed.level)
        });
    }

    /// What is added to a side's search. [C-12]
    pub(crate) fn search_modifiers(&self, open: &Open, side: Side) -> [(&'static str, i32); 4] {
        let data = &self.rules.naval.search;
        let air = open.sight[side].search_air == Some(true);
        [
            ("scenario", self.facts.search[side]),
            ("rounds before", data.modifier_per_previous_round * (i32::from(open.round) - 1)),
            ("search aircraft", if air { data.modifier_search_air } else { 0 }),
            ("night", if self.scenario.night { data.modifier_night } else { 0 }),
        ]
    }

    /// Both sides look for each other. [C-12]
    pub(crate) fn search(&self, state: &mut NavalState, ask: &mut impl Ask) -> Asked<()> {
        let open = &state.open;
        let seats = [self.attacker(), self.attacker().other()];
        let searchers = seats.map(|side| Searcher {
            groups: self.present_of(open, side).count() as u32,
            modifier: self.search_modifiers(open, side).iter().map(|(_, value)| value).sum(),
        });
        for side in seats {
            ask.note(|| {
                let parts = self.search_modifiers(open, side).map(|(name, value)| (name, value, rule::C_12));
                let total: i32 = parts.iter().map(|part| part.1).sum();
                let text = format!("The {} add {total} to their search.", super::SIDES[side]);
                modified(Note::new("search-modifiers", text).detail().by(&[rule::C_12]), &parts)
            });
        }
        let names = seats.map(|side| super::SIDES[side]);
        let sightings = search::search(&self.rules.naval.search, &searchers, names, ask)?;
        for (side, sighting) in seats.into_iter().zip(sightings) {
            let Sighting { total, groups_found, surprise_level } = sighting;
            let mut enemies = self.by_size(&state.open, side.other());
            enemies.truncate(groups_found as usize);
            ask.note(|| {
                let names: Vec<&str> = enemies.iter().map(|group| self.group_name(*group)).collect();
                let found = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
                let text = format!("The {} find {found}; surprise level {surprise_level}.", super::SIDES[side]);
                let ids = enemies.iter().map(|group| self.facts.groups[usize::from(*group)].id.clone());
                Note::new("found", text).by(&[rule::C_12]).pieces(ids)
            });
            let sight = &mut state.open.sight[side];
            sight.total = total as i8;
            sight.found = enemies.iter().fold(0, |bits, group| bits | 1 << group);
            sight.surprise = surprise_level as u8;
        }
        state.open.phase = Phase::Launch;
        Ok(())
    }

    /// The groups of a side in the order in which a search finds them, the largest first. [C-12]
    pub(crate) fn by_size(&self, open: &Open, side: Side) -> Vec<u8> {
        let mut groups: Vec<u8> = self.present_of(open, side).collect();
        groups.sort_by_key(|group| Reverse(self.naval_factors(open, *group)));
        groups
    }

    /// The enemy groups a side has found that are still there.
    pub(crate) fn found(&self, open: &Open, side: Side) -> Vec<u8> {
        let bits = open.sight[side].found;
        self.present_of(open, side.other()).filter(|group| bits & (1 << group) != 0).collect()
    }

    /// All tasks are shown, and the next round begins or the battle ends. [6.2, C-24]
    pub(crate) fn round_end(&self, state: &mut NavalState, ask: &mut impl Ask) {
        let NavalState { open, tasks } = state;
        let hidden = self.keeps_secrets();
        open.shown.clear();
        for (at, wing) in open.wings.iter_mut().enumerate() {
            let task = tasks[at];
            let home_here = wing.count > 0;
            if hidden && home_here {
                // What flew is home again, so the rest of the squadrons stood by.
                let reserve = wing.count.saturating_sub(task.cap.saturating_add(task.strike));
                open.shown.push(ShownTask {
                    home: wing.home,
                    unit: wing.unit,
                    cap: task.cap,
                    strike: task.strike,
                    reserve,
                });
            }
            wing.tired = wing.aborted.min(wing.count);
            (wing.away, wing.aborted, wing.flying, wing.cap_shown) = (0, 0, 0, false);
            tasks[at] = Task::default();
        }
        for shown in &open.shown {
            ask.note(|| {
                let text = format!(
                    "{} had {} on CAP and {} ready to strike at the end of the round.",
                    self.facts.home_name(shown.home),
                    counted(shown.cap.into(), "squadron"),
                    shown.strike
                );
                Note::new("tasks-shown", text).detail().by(&[rule::C_24])
            });
        }
        open.sight = BySide::default();
        open.launches = 0;
        open.engaged.clear();
        let last = u32::from(open.round) >= self.scenario.rounds;
        if last || Side::BOTH.into_iter().any(|side| !self.fights(open, side)) {
            open.phase = Phase::Over;
            for side in Side::BOTH.into_iter().filter(|side| self.concedes(open, *side)) {
                ask.note(|| {
                    let (name, points) = (super::SIDES[side], self.concession(side));
                    Note::new("concede", format!("The {name} have left with most of their ships and concede {points}."))
                        .by(&[rule::C_23])
                        .outcome(points)
                });
            }
            ask.note(|| {
                let score = self.facts.limits.score(self.points(open));
                Note::new("end", format!("The battle ends with a score of {score}."))
                    .by(&[rule::NAVAL_VICTORY])
                    .outcome(score)
            });
        } else {
            open.round += 1;
            open.phase = Phase::Arrivals;
        }
    }
}
