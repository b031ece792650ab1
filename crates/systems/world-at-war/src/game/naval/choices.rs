//! The questions of a naval battle that have closed answers, and losses shared out. [6.2, 6.3]

use super::NavalGame;
use super::state::Open;
use super::thinking;
use crate::messages::ensure;
use crate::rule;
use flagplot_kernel::{Chance, Decision, Menu, Prompt, Refusal, Seat, Side};
use flagplot_referee::words;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(crate) type Numbers = BTreeMap<String, i64>;

/// A number of squadrons out of an answer.
pub(super) fn whole(number: i64) -> Result<u8, Refusal> {
    u8::try_from(number).map_err(|_| {
        let message = format!("{number} is not a number of squadrons.");
        Refusal::new("bad-value", message).by(rule::NAVAL_ROUND).remedy("Give a whole number from 0 on.")
    })
}

/// Words of an answer as a refusal may repeat them.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Which groups merge? Pair by pair, until done. [C-32]
pub(crate) struct Merge<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MergeOption {
    Done,
    Merge(u8, u8),
}

impl Menu for Merge<'_> {
    type Option = MergeOption;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("merge", "Do you merge two of your groups for the rest of the battle?", rule::C_32)
            .confirm()
            .missing(format!("Split a group: groups merge completely and cannot split again. [{}]", rule::C_32))
    }

    fn options(&self) -> Vec<MergeOption> {
        let groups: Vec<u8> = self.game.present_of(self.open, self.side).collect();
        let mut options = vec![MergeOption::Done];
        for (at, &first) in groups.iter().enumerate() {
            options.extend(groups[at + 1..].iter().map(|&second| MergeOption::Merge(first, second)));
        }
        options
    }

    fn label(&self, option: &MergeOption) -> String {
        match *option {
            MergeOption::Done => "Keep the groups as they are".into(),
            MergeOption::Merge(first, second) => {
                format!("Merge {} into {}", self.game.group_name(second), self.game.group_name(first))
            }
        }
    }

    fn pieces(&self, option: &MergeOption) -> Vec<String> {
        match *option {
            MergeOption::Done => Vec::new(),
            MergeOption::Merge(first, second) => {
                [first, second].map(|group| self.game.facts.groups[usize::from(group)].id.clone()).into()
            }
        }
    }

    // One merger in eight keeps random battles as varied as the scenario.
    fn sample(&self, chance: &mut Chance) -> MergeOption {
        if chance.below(8) > 0 {
            return MergeOption::Done;
        }
        let options = self.options();
        options[chance.below(options.len() as u32) as usize]
    }

    fn instinct(&self, _: &mut Chance) -> MergeOption {
        MergeOption::Done
    }
}

/// A number to be shared out: losses among squadrons or classes of ships, squadrons among carriers. [C-29]
pub(crate) struct Share {
    pub side: Side,
    pub code: &'static str,
    pub text: String,
    pub rule: flagplot_kernel::Rule,
    /// Each with its id, its name and the most it can take.
    pub items: Vec<(String, String, u8)>,
    pub total: u8,
    /// What a sensible player answers.
    pub usual: Vec<u8>,
}

impl Share {
    /// Takes from the items in this order.
    pub fn in_order(items: &[(String, String, u8)], total: u8, order: impl IntoIterator<Item = usize>) -> Vec<u8> {
        let mut left = total;
        let mut shares = vec![0; items.len()];
        for at in order {
            shares[at] = items[at].2.min(left);
            left -= shares[at];
        }
        shares
    }

    pub fn named(&self, shares: &[u8]) -> Numbers {
        let some = self.items.iter().zip(shares).filter(|(_, share)| **share > 0);
        some.map(|((id, ..), share)| (id.clone(), i64::from(*share))).collect()
    }

    pub fn read(&self, named: &Numbers) -> Result<Vec<u8>, Refusal> {
        let mut shares = vec![0; self.items.len()];
        for (id, &number) in named {
            let item = self.items.iter().position(|item| item.0 == *id);
            let Some(at) = item else {
                return Err(Refusal::new("unknown-unit", format!("There is nothing called '{}' here.", shown(id)))
                    .by(self.rule));
            };
            shares[at] = whole(number)?;
            let (_, name, most) = &self.items[at];
            ensure(shares[at] <= *most, || {
                Refusal::new("not-enough-squadrons", format!("{name}: at most {most}.")).by(self.rule)
            })?;
        }
        let given: u32 = shares.iter().map(|share| u32::from(*share)).sum();
        ensure(given == u32::from(self.total), || {
            Refusal::new("bad-allocation", format!("{given} in all, but it must be {}.", self.total)).by(self.rule)
        })?;
        Ok(shares)
    }
}

impl Decision for Share {
    type Value = Numbers;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Numbers) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

/// Does one of your groups engage an enemy group? [6.2]
pub(crate) struct Engage<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub side: Side,
}

impl Engage<'_> {
    /// No engagement, and every pair of groups that are free for one.
    pub fn open(&self) -> Vec<EngageOption> {
        let mut options = Menu::options(self);
        options.retain(|option| self.allow(option).is_ok());
        options
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EngageOption {
    None,
    Engage(u8, u8),
}

impl Menu for Engage<'_> {
    type Option = EngageOption;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        let prompt =
            Prompt::new("engage", "Does one of your groups engage an enemy group with its guns?", rule::NAVAL_ROUND);
        let enemies = self.game.present_of(self.open, self.side.other());
        let found = self.game.found(self.open, self.side);
        enemies.filter(|group| !found.contains(group)).fold(prompt.confirm(), |prompt, group| {
            prompt.missing(format!("{}: you have not found it. [{}]", self.game.group_name(group), rule::C_12))
        })
    }

    fn options(&self) -> Vec<EngageOption> {
        let found = self.game.found(self.open, self.side);
        let pairs =
            self.game.present_of(self.open, self.side).flat_map(|own| found.iter().map(move |enemy| (own, *enemy)));
        std::iter::once(EngageOption::None).chain(pairs.map(|(own, enemy)| EngageOption::Engage(own, enemy))).collect()
    }

    fn allow(&self, option: &EngageOption) -> Result<(), Refusal> {
        let EngageOption::Engage(own, enemy) = *option else { return Ok(()) };
        match [own, enemy].into_iter().find(|group| self.open.is_engaged(*group)) {
            None => Ok(()),
            Some(group) => {
                let message = format!("{} is engaged already in this round.", self.game.group_name(group));
                Err(Refusal::new("not-now", message).by(rule::NAVAL_ROUND).remedy("Choose groups that are free."))
            }
        }
    }

    fn label(&self, option: &EngageOption) -> String {
        match *option {
            EngageOption::None => "No surface action".into(),
            EngageOption::Engage(own, enemy) => {
                format!("{} engages {}", self.game.group_name(own), self.game.group_name(enemy))
            }
        }
    }

    fn pieces(&self, option: &EngageOption) -> Vec<String> {
        match *option {
            EngageOption::None => Vec::new(),
            EngageOption::Engage(own, enemy) => {
                [own, enemy].map(|group| self.game.facts.groups[usize::from(group)].id.clone()).into()
            }
        }
    }

    fn instinct(&self, _: &mut Chance) -> EngageOption {
        thinking::surface::engage(self)
    }
}

#[words]
pub enum StandOrEvade {
    Stand,
    Evade,
}

/// Stand and fight, or try to get away? [C-13]
pub(crate) struct Evade<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub own: u8,
    pub enemy: u8,
}

impl Menu for Evade<'_> {
    type Option = StandOrEvade;

    fn seat(&self) -> Seat {
        self.game.side_of_group(self.own).into()
    }

    fn prompt(&self) -> Prompt {
        let (own, enemy) = (self.game.group_name(self.own), self.game.group_name(self.enemy));
        let text = format!("{enemy} engages {own}. Stand and fight, or evade?");
        Prompt::new("evade", text, rule::C_13).confirm()
    }

    fn options(&self) -> Vec<StandOrEvade> {
        StandOrEvade::ALL.to_vec()
    }

    fn label(&self, option: &StandOrEvade) -> String {
        match option {
            StandOrEvade::Stand => "Stand and fight".into(),
            StandOrEvade::Evade if self.game.evades_freely(self.open, self.own, self.enemy) => {
                "Evade: it succeeds without a roll".into()
            }
            StandOrEvade::Evade => match self.game.escape(self.open, self.own, self.enemy) {
                needed if needed <= 1 => "Evade: it succeeds without a roll".into(),
                needed if needed > 6 => "Evade: it cannot succeed".into(),
                needed => format!("Evade: it succeeds on {needed} or more"),
            },
        }
    }

    fn sample(&self, chance: &mut Chance) -> StandOrEvade {
        StandOrEvade::ALL[chance.below(2) as usize]
    }

    fn instinct(&self, _: &mut Chance) -> StandOrEvade {
        thinking::surface::evade(self)
    }
}
