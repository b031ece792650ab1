//! How the open questions of a naval battle are put to a player. [16.7]

use super::NavalGame;
use super::air_choices::{Aims, Launch, Launches, Targets, Tasking, Tasks, launch_id, rank_id, strike_id};
use super::choices::{Numbers, Share};
use super::facts::Home;
use super::gun_choices::{FireOrders, Leavers, Salvo, Salvos, Withdraw};
use super::said::Said;
use super::state::{Condition, Mark, Task};
use super::thinking;
use crate::messages::counted;
use crate::rule;
use flagplot_kernel::{Candidate, Form, FormItem, FormSum, OptionView, Prompt, Screen};
use serde_json::json;

fn item(id: impl Into<String>, label: impl Into<String>) -> FormItem {
    FormItem { id: id.into(), label: label.into(), options: Vec::new() }
}

impl<'a> Screen for Tasking<'a> {
    fn prompt(&self) -> Prompt {
        let text = "Which squadrons fly CAP, and which are ready to strike? The rest is in reserve and searches.";
        let mut prompt = Prompt::new("tasking", text, rule::NAVAL_ROUND).confirm();
        for (at, wing) in self.game.wings_of(self.open, self.side) {
            let name = self.game.wing_name(self.open, at);
            if wing.tired > 0 {
                let tired = counted(wing.tired.into(), "squadron");
                let why = format!("{name}: {tired} aborted in the last round and can only be in reserve.");
                prompt = prompt.missing(format!("{why} [{}]", rule::NAVAL_ROUND));
            }
            if wing.away > 0 {
                let away = counted(wing.away.into(), "squadron");
                let why = format!("{name}: {away} away until the end of the round.");
                prompt = prompt.missing(format!("{why} [{}]", rule::NAVAL_ROUND));
            }
        }
        for group in self.groups() {
            let (name, limit) = (self.game.group_name(group), counted(self.cap_limit(group), "squadron"));
            prompt = prompt.missing(format!("More CAP over {name}: at most {limit} may fly it. [{}]", rule::C_26));
        }
        prompt
    }

    fn candidates(&self) -> Vec<Candidate<Said<'a, Tasks>>> {
        let labels = ["No CAP, all ready to strike", "A quarter on CAP, the rest ready", "As much CAP as may fly"];
        let mut out: Vec<(Tasks, String)> = Vec::new();
        for keep in [false, true] {
            for (share, label) in labels.iter().enumerate() {
                let tasks = self.plan(&|_| share, keep);
                if out.iter().all(|other| other.0 != tasks) {
                    let more = if keep { "; one squadron searches" } else { "" };
                    out.push((tasks, format!("{label}{more}")));
                }
            }
        }
        let idle = Tasks(self.wings().map(|wing| (wing, Task::default())).collect());
        out.push((idle, "Everything in reserve".into()));
        out.into_iter().map(|(tasks, label)| Candidate::new(self.placed(tasks), label)).collect()
    }

    fn form(&self) -> Form {
        let (mut items, mut limits) = (Vec::new(), Vec::new());
        for at in self.wings() {
            let wing = &self.open.wings[usize::from(at)];
            let (id, name) = (self.game.wing_id(self.open, at), self.game.wing_name(self.open, at));
            let free = i64::from(wing.free());
            match wing.home {
                Home::Group(group) => {
                    let cap = i64::from(self.cap_limit(group)).min(free);
                    items.push(item(format!("{id}.cap"), format!("{name}: CAP (of {free})")));
                    limits.push((0, cap));
                    items.push(item(format!("{id}.strike"), format!("{name}: ready to strike (of {free})")));
                    limits.push((0, free));
                }
                Home::Base(_) => {
                    let id = strike_id(self.game, wing.home);
                    if items.iter().all(|item: &FormItem| item.id != id) {
                        let all = self.wings().map(|at| &self.open.wings[usize::from(at)]);
                        let here = all.filter(|other| other.home == wing.home).map(|other| u32::from(other.free()));
                        let (name, here) = (self.game.facts.home_name(wing.home), here.sum::<u32>());
                        items.push(item(id, format!("{name}, {here}: 1 strikes, 0 holds")));
                        limits.push((0, 1));
                    }
                }
            }
        }
        // Nothing beyond what a group has, and no more CAP than may fly.
        let mut sums = Vec::new();
        for at in self.wings() {
            let (id, name) = (self.game.wing_id(self.open, at), self.game.wing_name(self.open, at));
            let wing = &self.open.wings[usize::from(at)];
            if matches!(wing.home, Home::Group(_)) {
                let items = vec![format!("{id}.cap"), format!("{id}.strike")];
                sums.push(FormSum { label: format!("{name}: CAP and strike"), items, min: 0, max: wing.free().into() });
            }
        }
        for group in self.groups() {
            let home = |at: &u8| self.open.wings[usize::from(*at)].home == Home::Group(group);
            let items: Vec<String> =
                self.wings().filter(home).map(|at| format!("{}.cap", self.game.wing_id(self.open, at))).collect();
            if items.len() > 1 {
                let (label, max) = (format!("CAP over {}", self.game.group_name(group)), self.cap_limit(group).into());
                sums.push(FormSum { label, items, min: 0, max });
            }
        }
        Form::Numbers { items, limits, total: None, sums, cells: Vec::new() }
    }
}

impl<'a> Launch<'a> {
    /// Everything at one group.
    fn all_at(&self, target: u8) -> Launches {
        Launches(self.wings().map(|wing| (wing, target, self.ready(wing))).collect())
    }
}

impl<'a> Screen for Launch<'a> {
    fn prompt(&self) -> Prompt {
        let text = "Which squadrons strike which group? What you do not send stays aboard.";
        let prompt = Prompt::new("launch", text, rule::NAVAL_ROUND).confirm();
        let found = self.found();
        let mut enemies: Vec<u8> = self.game.present_of(self.open, self.side.other()).collect();
        enemies.retain(|group| !found.contains(group));
        let prompt = enemies.into_iter().fold(prompt, |prompt, group| {
            prompt.missing(format!("{}: you have not found it. [{}]", self.game.group_name(group), rule::C_12))
        });
        if self.wings().next().is_some() {
            return prompt;
        }
        prompt.missing(format!("A strike: none of your squadrons is ready for one. [{}]", rule::NAVAL_ROUND))
    }

    fn candidates(&self) -> Vec<Candidate<Said<'a, Launches>>> {
        let mut out: Vec<Candidate<Said<'a, Launches>>> = Vec::new();
        if self.wings().next().is_some() {
            for target in self.found() {
                let launches = self.all_at(target);
                let sent: u32 = launches.0.iter().map(|launch| u32::from(launch.2)).sum();
                let label = format!("All {sent} at {}", self.game.group_name(target));
                let id = self.game.facts.groups[usize::from(target)].id.clone();
                out.push(Candidate::new(self.placed(launches), label).at([id]));
            }
        }
        out.push(Candidate::new(self.placed(Launches(Vec::new())), "Hold all squadrons"));
        out
    }

    fn form(&self) -> Form {
        let (mut items, mut limits) = (Vec::new(), Vec::new());
        for wing in self.wings() {
            for target in self.found() {
                let (name, group) = (self.game.wing_name(self.open, wing), self.game.group_name(target));
                let ready = self.ready(wing);
                let label = format!("{name} at {group} (of {ready})");
                items.push(item(launch_id(self.game, self.open, wing, target), label));
                limits.push((0, i64::from(ready)));
            }
        }
        let sums = self.wings().map(|wing| FormSum {
            label: format!("{}: squadrons sent", self.game.wing_name(self.open, wing)),
            items: self.found().iter().map(|target| launch_id(self.game, self.open, wing, *target)).collect(),
            min: 0,
            max: self.ready(wing).into(),
        });
        Form::Numbers { items, limits, total: None, sums: sums.collect(), cells: Vec::new() }
    }
}

impl<'a> Screen for Targets<'a> {
    fn prompt(&self) -> Prompt {
        let (count, group) = (counted(self.flight.squadrons(), "squadron"), self.game.group_name(self.flight.target));
        let verb = if self.flight.squadrons() == 1 { "gets" } else { "get" };
        let text = format!("{count} {verb} through to {group}. What do they attack?");
        Prompt::new("targets", text, rule::C_16).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Said<'a, Aims>>> {
        let count = self.flight.squadrons() as u8;
        let mut out = vec![Candidate::new(self.placed(thinking::air::aimed(self)), "Suggested targets")];
        for mark in self.marks() {
            let label = format!("All {count} at {}", self.game.mark_name(mark));
            let aims = self.placed(Aims(vec![(mark, count)]));
            out.push(Candidate::new(aims, label).at([mark_piece(self.game, self.flight.target, mark)]));
        }
        out
    }

    fn form(&self) -> Form {
        let (marks, count) = (self.marks(), i64::from(self.flight.squadrons()));
        let mut items: Vec<FormItem> = Vec::new();
        let mut limits = Vec::new();
        for &mark in &marks {
            items.push(item(self.game.mark_id(mark), mark_label(self.game, self.open, mark)));
            limits.push((0, count));
        }
        if !self.is_mixed() {
            return Form::numbers(items.into_iter().zip(limits), Some(count));
        }
        let squadrons = items.iter().map(|item| item.id.clone()).collect();
        let sums = vec![FormSum { label: "Squadrons".into(), items: squadrons, min: count, max: count }];
        for &mark in &marks {
            let label = format!("{}: its rank (1 is filled first, 0 as listed)", self.game.mark_name(mark));
            items.push(item(rank_id(self.game.mark_id(mark)), label));
            limits.push((0, marks.len() as i64));
        }
        Form::Numbers { items, limits, total: None, sums, cells: Vec::new() }
    }
}

/// A target with what it takes to sink it.
fn mark_label(game: &NavalGame, open: &super::state::Open, mark: Mark) -> String {
    match mark {
        Mark::Ship(at) => {
            let ship = game.ship(at);
            let damaged = if open.ships[usize::from(at)] == Condition::Damaged { ", damaged" } else { "" };
            format!("{} (size {}{damaged})", ship.name, ship.size)
        }
        Mark::Light => "The light ships".into(),
    }
}

/// The piece that stands for a target on the board.
pub(crate) fn mark_piece(game: &NavalGame, group: u8, mark: Mark) -> String {
    match mark {
        Mark::Ship(at) => game.ship(at).id.clone(),
        Mark::Light => light_piece(game, group),
    }
}

/// The piece of a group's light ships.
pub(crate) fn light_piece(game: &NavalGame, group: u8) -> String {
    format!("{}.light", game.facts.groups[usize::from(group)].id)
}

impl Screen for Share {
    fn prompt(&self) -> Prompt {
        Prompt::new(self.code, self.text.clone(), self.rule).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Numbers>> {
        let mut out: Vec<Vec<u8>> = vec![self.usual.clone()];
        for first in 0..self.items.len() {
            let order = [first].into_iter().chain((0..self.items.len()).filter(|at| *at != first));
            let shares = Share::in_order(&self.items, self.total, order);
            if !out.contains(&shares) {
                out.push(shares);
            }
        }
        let label = |shares: &[u8]| {
            let named = self.items.iter().zip(shares).filter(|(_, share)| **share > 0);
            named.map(|((_, name, _), share)| format!("{name}: {share}")).collect::<Vec<String>>().join(", ")
        };
        out.iter().map(|shares| Candidate::new(self.named(shares), label(shares))).collect()
    }

    fn form(&self) -> Form {
        let items = self.items.iter().map(|(id, name, most)| (item(id, name), (0, i64::from(*most.min(&self.total)))));
        Form::numbers(items, Some(self.total.into()))
    }
}

impl<'a> Screen for FireOrders<'a> {
    fn prompt(&self) -> Prompt {
        let enemy = self.game.group_name(self.enemy);
        let text = format!("Which ships fire on which of {enemy}? All fire on a target is one attack.");
        let mut prompt = Prompt::new("fire", text, rule::C_20).confirm();
        for (at, ship) in self.game.afloat(self.open, self.own) {
            if !self.game.fires(self.open, at) {
                let why = if ship.kind.is_carrier() { "carriers do not fire" } else { "it is damaged" };
                prompt = prompt.missing(format!("{}: {why}. [{}]", ship.name, rule::C_11));
            }
        }
        let marks = self.game.marks(self.open, self.enemy);
        marks
            .into_iter()
            .filter_map(|mark| self.aim_at(mark).err())
            .fold(prompt, |prompt, refusal| prompt.missing(refusal.to_string()))
    }

    fn candidates(&self) -> Vec<Candidate<Said<'a, Salvos>>> {
        let suggested = thinking::surface::aimed(self);
        let mut out = vec![Candidate::new(self.placed(suggested), "Suggested fire")];
        for mark in self.marks() {
            let salvos = Salvos(self.guns().map(|gun| (gun, mark)).collect());
            let label = format!("All fire on {}", self.game.mark_name(mark));
            out.push(Candidate::new(self.placed(salvos), label).at([mark_piece(self.game, self.enemy, mark)]));
        }
        out.push(Candidate::new(self.placed(Salvos(Vec::new())), "Hold all fire"));
        out
    }

    fn form(&self) -> Form {
        let marks = self.marks();
        let items = self.guns().map(|gun| {
            let firer = self.game.gun_id(gun).to_owned();
            let factors = self.game.firers(self.open, self.own, gun).factors;
            let options = marks.iter().map(|&mark| {
                let target = self.game.mark_id(mark).to_owned();
                let value = json!(Salvo { firer: firer.clone(), target });
                OptionView::new(value, mark_label(self.game, self.open, mark))
                    .at([mark_piece(self.game, self.enemy, mark)])
            });
            let label = format!("{} ({})", sentence(self.game.gun_name(gun)), counted(factors, "factor"));
            FormItem { id: firer.clone(), label, options: options.collect() }
        });
        Form::Assign { items: items.collect(), none: "holds its fire".into() }
    }
}

/// With a capital letter.
pub(crate) fn sentence(text: &str) -> String {
    let first = text.chars().take(1).flat_map(char::to_uppercase);
    first.chain(text.chars().skip(1)).collect()
}

impl<'a> Withdraw<'a> {
    fn way_out(&self, group: u8) -> String {
        match self.open.opponent(group) {
            Some(enemy) if self.game.present(self.open, enemy) => {
                format!("on {} or more", self.game.escape(self.open, group, enemy))
            }
            _ => "without a roll".into(),
        }
    }
}

impl<'a> Screen for Withdraw<'a> {
    fn prompt(&self) -> Prompt {
        let concede = self.game.concession(self.side);
        let cost = if concede > 0 {
            format!(" A side that leaves with most of its ships concedes {concede} points.")
        } else {
            String::new()
        };
        let text = match self.groups().count() {
            1 => format!("Stay for another round, or withdraw?{cost}"),
            _ => format!("Which of your groups withdraw?{cost}"),
        };
        Prompt::new("withdraw", text, rule::C_13).confirm()
    }

    fn candidates(&self) -> Vec<Candidate<Said<'a, Leavers>>> {
        let groups: Vec<u8> = self.groups().collect();
        let mut out = vec![Candidate::new(self.placed(Leavers(Vec::new())), "Stay")];
        for &group in &groups {
            let facts = &self.game.facts.groups[usize::from(group)];
            let label = format!("{} withdraws {}", facts.name, self.way_out(group));
            out.push(Candidate::new(self.placed(Leavers(vec![group])), label).at([&facts.id]));
        }
        if groups.len() > 1 {
            out.push(Candidate::new(self.placed(Leavers(groups)), "All groups withdraw"));
        }
        out
    }

    fn form(&self) -> Form {
        let items: Vec<FormItem> = self
            .groups()
            .map(|group| {
                let facts = &self.game.facts.groups[usize::from(group)];
                let way = format!("withdraws {}", self.way_out(group));
                let option = OptionView::new(json!(facts.id), way).at([&facts.id]);
                FormItem { id: facts.id.clone(), label: facts.name.clone(), options: vec![option] }
            })
            .collect();
        Form::Subset { min: 0, max: items.len() as u32, items }
    }
}
