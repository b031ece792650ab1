//! Targets, declared in secret: what may be declared. (Targeting; R-4)

use super::Dogfight;
use super::state::{CraftId, State};
use crate::refusals::Barred;
use crate::rule;
use crate::words::Flight;
use flagplot_kernel::{Decision, Refusal, Seat};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// Targets by aircraft id; an aircraft that is not named has none. As JSON a list of `{"aircraft", "target"}`, or an
/// object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations(pub BTreeMap<String, Option<String>>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declaration {
    aircraft: String,
    target: Option<String>,
}

impl Serialize for Declarations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.0.iter().map(|(aircraft, target)| Declaration { aircraft: aircraft.clone(), target: target.clone() }),
        )
    }
}

impl<'de> Deserialize<'de> for Declarations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            List(Vec<Declaration>),
            Map(BTreeMap<String, Option<String>>),
        }
        match Either::deserialize(deserializer)? {
            Either::Map(map) => Ok(Declarations(map)),
            Either::List(list) => {
                let count = list.len();
                let map: BTreeMap<_, _> = list.into_iter().map(|given| (given.aircraft, given.target)).collect();
                if map.len() == count {
                    Ok(Declarations(map))
                } else {
                    Err(serde::de::Error::custom("an aircraft is named twice"))
                }
            }
        }
    }
}

/// The targets of a seat's aircraft, declared in secret. (Targeting; R-4)
pub(super) struct Targets<'a> {
    pub game: &'a Dogfight,
    pub state: &'a State,
    pub seat: Seat,
}

impl Targets<'_> {
    /// The aircraft that may name a target.
    pub fn crews(&self) -> impl Iterator<Item = CraftId> + '_ {
        self.state
            .in_play()
            .filter(|&id| self.game.seat(id) == self.seat && self.state.get(id).flight != Flight::Spinning)
    }

    /// Whether one aircraft may name a target, as far as that aircraft goes.
    pub fn check_one(&self, own: CraftId, target: CraftId) -> Result<(), Barred> {
        let (follower, leader) = (self.state.get(own), self.state.get(target));
        let steady = [follower, leader].iter().all(|craft| craft.flight == Flight::Flying);
        if own == target {
            Err(Barred::OwnTarget)
        } else if !leader.in_play() {
            Err(Barred::TargetGone)
        } else if follower.flight == Flight::Spinning {
            Err(Barred::SpinningHasTarget)
        } else if !self.game.friends(own, target) || (steady && follower.position == leader.position) {
            Ok(())
        } else {
            Err(Barred::NoFormation)
        }
    }

    /// Every target an aircraft may name, and none.
    pub fn aims(&self, own: CraftId) -> Vec<Option<CraftId>> {
        let all = (0..self.state.craft.len() as u8).filter(|&target| self.check_one(own, target).is_ok());
        std::iter::once(None).chain(all.map(Some)).collect()
    }

    pub fn answer(&self, aims: impl IntoIterator<Item = (CraftId, Option<CraftId>)>) -> Declarations {
        let id = |craft| self.game.who(craft).id.to_owned();
        Declarations(aims.into_iter().map(|(own, target)| (id(own), target.map(id))).collect())
    }
}

impl Decision for Targets<'_> {
    type Value = Declarations;

    fn seat(&self) -> Seat {
        self.seat
    }

    fn check(&self, value: &Declarations) -> Result<(), Refusal> {
        let mut reasons = Vec::new();
        let unknown = |id: &str| {
            let id: String = id.chars().take(40).collect();
            Refusal::new("unknown-aircraft", format!("'{id}' is not in play, or not yours.")).by(rule::TARGETING)
        };
        let mut followers = Vec::new();
        for (own, target) in &value.0 {
            let mine = |&own: &CraftId| self.game.seat(own) == self.seat && self.state.get(own).in_play();
            let Some(own) = self.game.find(own).filter(mine) else {
                reasons.push(unknown(own));
                continue;
            };
            let Some(target) = target else { continue };
            let Some(target) = self.game.find(target) else {
                reasons.push(unknown(target));
                continue;
            };
            match self.check_one(own, target) {
                Err(barred) => reasons.push(barred.into()),
                Ok(()) if self.game.friends(own, target) => followers.push((own, target)),
                Ok(()) => {}
            }
        }
        let follows = |leader: CraftId| followers.iter().any(|&(other, _)| other == leader);
        reasons.extend(followers.iter().filter(|(_, leader)| follows(*leader)).map(|_| Barred::LeaderFollows.into()));
        Refusal::all(reasons)
    }
}
