//! How the questions of an air battle are put to a person. [5.2]

use super::choices::{LossChoice, LossKind, Numbers, PlanChoice, ReserveChoice, slot_name};
use super::day::factors;
use super::key;
use super::state::Role;
use crate::rule;
use crate::scenarios::Mission;
use flagplot_kernel::{Candidate, Form, FormItem, FormSum, Prompt, Screen};

impl PlanChoice<'_> {
    /// A plan in words: what goes where.
    pub(super) fn words(&self, numbers: &[u16]) -> String {
        let slots = self.game.slots(self.role);
        let parts: Vec<String> = (0..slots)
            .map(|slot| (slot, numbers.iter().skip(slot).step_by(slots).map(|&n| u32::from(n)).sum::<u32>()))
            .filter(|(_, sent)| *sent > 0)
            .map(|(slot, sent)| format!("{sent} {}", self.direction(slot)))
            .collect();
        if parts.is_empty() { "Stay at home".to_owned() } else { parts.join(", ") }
    }

    fn direction(&self, slot: usize) -> String {
        match self.game.targets().get(slot) {
            Some(target) => format!("to {}", target.name),
            None => "in reserve".to_owned(),
        }
    }

    fn item(&self, group: usize, slot: usize) -> FormItem {
        let game = self.game;
        let label = format!("{} {}", game.groups[self.role][group].name, self.direction(slot));
        FormItem { id: self.keys()[group * game.slots(self.role) + slot].clone(), label, options: Vec::new() }
    }
}

impl<'a> Screen for PlanChoice<'a> {
    fn prompt(&self) -> Prompt {
        let game = self.game;
        let (day, days) = (self.state.day, game.scenario.days);
        let ready = factors(self.state.wings[self.role].strength());
        let limits: Vec<String> = match self.role {
            Role::Attacker => {
                let each = game.targets().iter();
                each.map(|target| format!("{} at most {}", target.name, target.most_attackers)).collect()
            }
            Role::Defender => vec![format!("the reserve at most {}", self.most(game.targets().len()))],
        };
        let (code, question) = match self.role {
            Role::Attacker => ("attack-plan", "Which groups attack which targets?"),
            Role::Defender => ("defense-plan", "Which groups defend which targets, and which wait in reserve?"),
        };
        let limits = limits.join(", ");
        let text = format!("Day {day} of {days}, {ready} ready. {question} ({limits}; the rest stays at home.)");
        let prompt = Prompt::new(code, text, rule::AIR_DAY).confirm();
        match self.role {
            Role::Attacker => prompt.missing(format!(
                "Hold attackers back for a second wave: what is not sent stays at home today. [{}]",
                rule::AIR_DAY
            )),
            Role::Defender => prompt.missing(format!(
                "A larger reserve: it holds at most a third of your ready factors, rounded down. [{}]",
                rule::C_22
            )),
        }
    }

    /// The plans that a sensible player draws from.
    fn candidates(&self) -> Vec<Candidate<Numbers<'a>>> {
        let mut weighed = self.weighed();
        weighed.sort_by_key(|(_, share)| std::cmp::Reverse(*share));
        let words = |plan: &Numbers<'a>| match plan {
            Numbers::Placed { numbers, .. } => self.words(numbers),
            _ => String::new(),
        };
        weighed
            .into_iter()
            .map(|(plan, _)| (words(&plan), plan))
            .map(|(words, plan)| Candidate::new(plan, words))
            .collect()
    }

    /// A row for each group and a column for each target, with what a group has and what a place takes.
    fn form(&self) -> Form {
        let (game, slots) = (self.game, self.game.slots(self.role));
        let groups = &game.groups[self.role];
        let grid = (0..groups.len()).flat_map(|group| (0..slots).map(move |slot| (group, slot)));
        let (mut items, mut limits, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        for (group, slot) in grid {
            items.push(self.item(group, slot));
            limits.push((0, i64::from(self.ready(group).min(self.most(slot)))));
            cells.push((groups[group].name.clone(), slot_name(game, slot).to_owned()));
        }
        let sum = |label: String, items: &mut dyn Iterator<Item = &String>, max: u32| FormSum {
            label,
            items: items.cloned().collect(),
            min: 0,
            max: max.into(),
        };
        let keys = self.keys();
        let own = groups.iter().zip(keys.chunks(slots)).enumerate();
        let mut sums: Vec<FormSum> =
            own.map(|(at, (group, keys))| sum(group.name.clone(), &mut keys.iter(), self.ready(at))).collect();
        let limited = (0..slots).filter(|&slot| self.role == Role::Attacker || slot == game.targets().len());
        sums.extend(limited.map(|slot| {
            let label = format!("Factors {}", self.direction(slot));
            sum(label, &mut keys.iter().skip(slot).step_by(slots), self.most(slot))
        }));
        Form::Numbers { items, limits, total: None, sums, cells }
    }
}

impl Screen for ReserveChoice<'_> {
    fn prompt(&self) -> Prompt {
        let reserve = factors(self.game.in_reserve(self.state));
        let text = format!("The plans are open. Where do you send your reserve of {reserve}?");
        let prompt = Prompt::new("reserve", text, rule::C_22)
            .missing(format!("Split the reserve: it goes as a whole. [{}]", rule::C_22));
        let open = self.open();
        let idle = (0..self.game.targets().len() as u8).filter(|target| !open.contains(target));
        idle.fold(prompt, |prompt, target| {
            let place = &self.game.target(target).name;
            prompt.missing(format!("{place}: it is not attacked today. [{}]", rule::AIR_DAY))
        })
    }

    fn candidates(&self) -> Vec<Candidate<String>> {
        let game = self.game;
        let sent = self.open().into_iter().map(|target| {
            let [attackers, defenders] = Role::BOTH.map(|role| game.present(self.state, role, target));
            let place = game.target(target);
            let label = format!("{}: {attackers} attack, {defenders} defend", place.name);
            Candidate::new(self.answer(Some(target)), label).at([&place.id])
        });
        sent.chain([Candidate::new(self.answer(None), "Keep the reserve at home")]).collect()
    }
}

impl<'a> Screen for LossChoice<'a> {
    fn prompt(&self) -> Prompt {
        let place = &self.game.target(self.target).name;
        let due = factors(self.due().into());
        let by = if self.guns { "the guns" } else { "the air combat" };
        let text = match self.kind {
            LossKind::Eliminated => format!("{place}: {by} cost you {due}. Which groups lose them?"),
            LossKind::Aborted => format!("{place}: {by} turn back {due} until tomorrow. Which groups turn back?"),
        };
        let prompt = Prompt::new("losses", text, rule::AIR_DAY);
        if self.game.scenario.mission == Mission::StrategicBombing && self.role == Role::Defender {
            return prompt;
        }
        match self.kind {
            LossKind::Eliminated if self.state.due[self.role].aborted > 0 => {
                prompt.missing(format!("Aborts first: eliminations come before aborts. [{}]", rule::R_27))
            }
            _ => prompt,
        }
    }

    fn candidates(&self) -> Vec<Candidate<Numbers<'a>>> {
        let groups = &self.game.groups[self.role];
        let orders = (0..groups.len()).filter(|&group| self.most(group) > 0).map(|first| {
            let others = (0..groups.len()).filter(move |&group| group != first);
            self.in_order(std::iter::once(first).chain(others))
        });
        let mut all: Vec<Vec<u16>> = Vec::new();
        for answer in std::iter::once(self.sensible()).chain(orders) {
            if let Numbers::Placed { numbers, .. } = answer
                && !all.contains(&numbers)
            {
                all.push(numbers);
            }
        }
        let words = |numbers: &[u16]| {
            let parts = numbers.iter().zip(groups).filter(|(number, _)| **number > 0);
            parts.map(|(number, group)| format!("{number} from {}", group.name)).collect::<Vec<_>>().join(", ")
        };
        let place = &self.game.target(self.target).id;
        all.into_iter()
            .map(|numbers| {
                let lost = numbers.iter().zip(groups).filter(|(number, _)| **number > 0);
                let pieces: Vec<String> = lost.map(|(_, group)| key(&group.id, place)).collect();
                Candidate::new(self.placed(numbers.clone()), words(&numbers)).at(pieces)
            })
            .collect()
    }

    fn form(&self) -> Form {
        let groups = self.game.groups[self.role].iter().enumerate();
        let items = groups.map(|(at, group)| {
            let item = FormItem { id: group.id.clone(), label: group.name.clone(), options: Vec::new() };
            (item, (0, i64::from(self.most(at))))
        });
        Form::numbers(items, Some(self.due().into()))
    }
}
