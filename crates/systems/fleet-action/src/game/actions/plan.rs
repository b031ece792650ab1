//! The question of an activation: a list of actions, or its end. [C-39]

use super::act::Action;
use super::offers::{Offer, Used, What};
use crate::game::FleetGame;
use crate::game::state::{Sea, SquadronId};
use crate::rule;
use flagplot_kernel::{Chance, Choice, Decision, Refusal, Seat};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The longest list that is read.
const MOST_ACTIONS: usize = 200;
const END: &str = "end";

/// What a squadron does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) enum Reply {
    End,
    List(Vec<Action>),
}

impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Reply::End => serializer.serialize_str(END),
            Reply::List(list) => list.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Reply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if value == END {
            return Ok(Reply::End);
        }
        serde_json::from_value(value)
            .map(Reply::List)
            .map_err(|error| D::Error::custom(format!("neither \"{END}\" nor a list of actions: {error}")))
    }
}

/// What does this squadron do?
pub(in crate::game) struct FirePlan<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub squadron: SquadronId,
    /// What it can do now; never empty.
    pub offers: Vec<Offer>,
}

impl Decision for FirePlan<'_> {
    type Value = Reply;

    fn seat(&self) -> Seat {
        self.game.battle.squad(self.squadron).side.into()
    }

    fn check(&self, value: &Reply) -> Result<(), Refusal> {
        let Reply::List(list) = value else { return Ok(()) };
        if list.is_empty() || list.len() > MOST_ACTIONS {
            let text = format!("A list has 1 to {MOST_ACTIONS} actions.");
            return Err(Refusal::new("bad-list", text)
                .by(rule::C_39)
                .remedy("To do nothing more, end the activation."));
        }
        let mut paper = self.sea.clone();
        for action in list {
            self.game.check_action(&paper, self.squadron, action)?;
            self.game.plan_action(&mut paper, self.squadron, action);
        }
        Ok(())
    }
}

impl Choice for FirePlan<'_> {
    fn sample(&self, chance: &mut Chance) -> Reply {
        let mut list = Vec::new();
        let mut used = Used::default();
        let mut at = 0;
        while at < self.offers.len() {
            let item = self.offers[at].item;
            let same = self.offers[at..].iter().take_while(|offer| offer.item == item).count();
            if chance.below(8) > 0 {
                let offer = &self.offers[at + chance.below(same as u32) as usize];
                if used.take(self.game, self.sea, offer) {
                    list.push(self.game.action(&offer.what));
                }
            }
            at += same;
        }
        if list.is_empty() { Reply::End } else { Reply::List(list) }
    }

    fn instinct(&self, _: &mut Chance) -> Reply {
        let list = self.suggested();
        if list.is_empty() { Reply::End } else { Reply::List(list) }
    }
}

impl FirePlan<'_> {
    /// The plan of a sensible player, the most valuable action first. Aircraft and hunters beyond the first join it as
    /// far as they do not stand in each other's way.
    pub(super) fn suggested(&self) -> Vec<Action> {
        let plan = self.game.fire_plan(self.sea, self.squadron, &self.offers);
        let mut list: Vec<Action> = plan.iter().map(|at| self.game.action(&self.offers[*at].what)).collect();
        let special = |what: &What| matches!(what, What::Air(_) | What::Deep(_));
        let mut more: Vec<(i64, Action)> = Vec::new();
        for (at, offer) in self.offers.iter().enumerate().filter(|(_, offer)| special(&offer.what)) {
            let worth = self.game.offer_value(self.sea, self.squadron, offer);
            if worth > 0 && !plan.contains(&at) {
                more.push((worth, self.game.action(&offer.what)));
            }
        }
        if more.is_empty() {
            return list;
        }
        more.sort_by_key(|(worth, _)| -worth);
        let mut paper = self.sea.clone();
        for action in &list {
            self.game.plan_action(&mut paper, self.squadron, action);
        }
        for (_, action) in more {
            if self.game.check_action(&paper, self.squadron, &action).is_ok() {
                self.game.plan_action(&mut paper, self.squadron, &action);
                list.push(action);
            }
        }
        list
    }

    /// The whole plan in a candidate.
    pub(super) fn plan(&self) -> Option<flagplot_kernel::Candidate<Reply>> {
        let list = self.suggested();
        (!list.is_empty()).then(|| flagplot_kernel::Candidate::new(Reply::List(list), "Suggested fire plan"))
    }
}
