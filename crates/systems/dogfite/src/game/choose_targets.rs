//! Targets, declared in secret. (Targeting; R-4)

use super::state::{CraftId, State};
use super::{Dogfight, think};
use crate::rule;
use crate::words::Flight;
use flagplot_kernel::{Candidate, Chance, Choice, Decision, Form, FormItem, OptionView, Prompt, Refusal, Screen, Seat};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;

/// Up to so many declarations are all looked at.
const FEW: usize = 24;

/// Targets by aircraft id; an aircraft that is not named has none. As JSON a list of `{"aircraft", "target"}`, or an object.
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
    pub fn check_one(&self, own: CraftId, target: CraftId) -> Result<(), Refusal> {
        let refuse = |code, text: String, rule| Err(Refusal::new(code, text).by(rule));
        if own == target {
            return refuse("self-target", format!("{} cannot target itself.", self.game.name(own)), rule::TARGETING);
        }
        if !self.state.get(target).in_play() {
            return refuse("unknown-aircraft", format!("{} is not in play.", self.game.name(target)), rule::TARGETING);
        }
        if self.state.get(own).flight == Flight::Spinning {
            return refuse(
                "spinning-has-target",
                format!("{} spins and cannot have a target.", self.game.name(own)),
                rule::R_58,
            );
        }
        if self.game.side(own) != self.game.side(target) {
            return Ok(());
        }
        let (follower, leader) = (self.state.get(own), self.state.get(target));
        if !follower.position.same_spot(&leader.position)
            || follower.flight != Flight::Flying
            || leader.flight != Flight::Flying
        {
            return refuse(
                "bad-formation",
                "Only a friend on the same spot, flying steadily and following nobody, can be followed.".into(),
                rule::R_12,
            );
        }
        Ok(())
    }

    fn aims(&self, own: CraftId) -> Vec<Option<CraftId>> {
        let all = (0..self.state.craft.len() as u8).filter(|&target| self.check_one(own, target).is_ok());
        std::iter::once(None).chain(all.map(Some)).collect()
    }

    fn answer(&self, aims: impl IntoIterator<Item = (CraftId, Option<CraftId>)>) -> Declarations {
        Declarations(
            aims.into_iter()
                .map(|(own, target)| {
                    (self.game.name(own).to_owned(), target.map(|target| self.game.name(target).to_owned()))
                })
                .collect(),
        )
    }

    /// Declarations with those formations taken out that cannot be.
    fn mended(&self, mut aims: Vec<(CraftId, Option<CraftId>)>) -> Declarations {
        let friend = |own: CraftId, target: Option<CraftId>| {
            target.is_some_and(|target| self.game.side(target) == self.game.side(own))
        };
        for at in 0..aims.len() {
            let (own, target) = aims[at];
            let leads = aims.iter().any(|&(other, aim)| aim == Some(own) && friend(other, aim));
            let led_by_follower = aims.iter().any(|&(other, aim)| Some(other) == target && friend(other, aim));
            if friend(own, target) && (leads || led_by_follower) {
                aims[at].1 = None;
            }
        }
        self.answer(aims)
    }

    /// All legal declarations.
    fn all(&self, aims: &[(CraftId, Vec<Option<CraftId>>)]) -> Vec<Declarations> {
        let mut answers = vec![Vec::new()];
        for (own, aims) in aims {
            answers = answers
                .into_iter()
                .flat_map(|answer: Vec<_>| {
                    aims.iter().map(move |aim| answer.iter().copied().chain([(*own, *aim)]).collect())
                })
                .collect();
        }
        answers.into_iter().map(|answer| self.answer(answer)).filter(|answer| self.check(answer).is_ok()).collect()
    }

    /// Legal declarations that differ from one in one aircraft, and no targets at all.
    fn near(&self, first: &Declarations, aims: &[(CraftId, Vec<Option<CraftId>>)]) -> Vec<Declarations> {
        let mut answers = vec![first.clone(), self.answer(aims.iter().map(|(own, _)| (*own, None)))];
        answers.dedup();
        for (own, aims) in aims {
            for target in aims {
                let mut changed = first.clone();
                changed
                    .0
                    .insert(self.game.name(*own).to_owned(), target.map(|target| self.game.name(target).to_owned()));
                if !answers.contains(&changed) && self.check(&changed).is_ok() {
                    answers.push(changed);
                }
            }
        }
        answers
    }

    fn words(&self, answer: &Declarations) -> String {
        let parts: Vec<String> =
            answer.0.iter().map(|(own, target)| format!("{own} → {}", target.as_deref().unwrap_or("none"))).collect();
        parts.join(", ")
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
            Refusal::new(
                "unknown-aircraft",
                format!("'{}' is not in play, or not yours.", id.chars().take(40).collect::<String>()),
            )
            .by(rule::TARGETING)
        };
        let mut followers = Vec::new();
        for (own, target) in &value.0 {
            let Some(own) =
                self.game.find(own).filter(|&own| self.game.seat(own) == self.seat && self.state.get(own).in_play())
            else {
                reasons.push(unknown(own));
                continue;
            };
            let Some(target) = target else { continue };
            let Some(target) = self.game.find(target) else {
                reasons.push(unknown(target));
                continue;
            };
            match self.check_one(own, target) {
                Err(refusal) => reasons.push(refusal),
                Ok(()) if self.game.side(own) == self.game.side(target) => followers.push((own, target)),
                Ok(()) => {}
            }
        }
        for &(own, leader) in &followers {
            if followers.iter().any(|&(other, _)| other == leader) {
                reasons.push(
                    Refusal::new(
                        "bad-formation",
                        format!(
                            "{} follows somebody itself; {} cannot follow it.",
                            self.game.name(leader),
                            self.game.name(own)
                        ),
                    )
                    .by(rule::R_12),
                );
            }
        }
        Refusal::all(reasons)
    }
}

impl Screen for Targets<'_> {
    fn prompt(&self) -> Prompt {
        let prompt = Prompt::new("targets", "Name a target for each of your aircraft.", rule::TARGETING).confirm();
        let mut told: Vec<(String, String)> = Vec::new();
        for own in self.crews() {
            for target in self.state.in_play().filter(|&target| target != own) {
                let Err(refusal) = self.check_one(own, target) else { continue };
                let what = format!("{} after {}", self.game.name(own), self.game.name(target));
                match told.iter_mut().find(|(_, why)| *why == refusal.to_string()) {
                    Some((names, _)) => *names = format!("{names}, {what}"),
                    None => told.push((what, refusal.to_string())),
                }
            }
        }
        told.into_iter().fold(prompt, |prompt, (what, why)| prompt.missing(format!("{what}: {why}")))
    }

    /// Where there are few, all legal declarations; else instinct's and those that differ from it in one aircraft. Instinct's comes first, then what is worth chasing most.
    fn candidates(&self) -> Vec<Candidate<Declarations>> {
        let aims: Vec<(CraftId, Vec<Option<CraftId>>)> = self.crews().map(|own| (own, self.aims(own))).collect();
        let first = think::targets(self);
        let mut answers = match aims.iter().map(|(_, aims)| aims.len()).try_fold(1usize, usize::checked_mul) {
            Some(count) if count <= FEW => self.all(&aims),
            _ => self.near(&first, &aims),
        };
        answers
            .sort_by_cached_key(|answer| (*answer != first, std::cmp::Reverse(think::worth_of_targets(self, answer))));
        answers
            .into_iter()
            .map(|answer| {
                let words = self.words(&answer);
                Candidate::new(answer, words)
            })
            .collect()
    }

    fn form(&self) -> Form {
        let items = self.crews().map(|own| FormItem {
            id: self.game.name(own).to_owned(),
            label: self.game.title(own).to_owned(),
            options: self
                .aims(own)
                .into_iter()
                .flatten()
                .map(|target| OptionView {
                    value: json!({"aircraft": self.game.name(own), "target": self.game.name(target)}),
                    label: self.game.title(target).to_owned(),
                    pieces: vec![self.game.name(target).to_owned()],
                })
                .collect(),
        });
        Form::Assign { items: items.collect(), none: "no target".into() }
    }
}

impl Choice for Targets<'_> {
    fn listed(&self) -> bool {
        true
    }

    fn sample(&self, chance: &mut Chance) -> Declarations {
        let aims = self.crews().map(|own| {
            let aims = self.aims(own);
            (own, aims[chance.below(aims.len() as u32) as usize])
        });
        self.mended(aims.collect())
    }

    fn instinct(&self, _: &mut Chance) -> Declarations {
        think::targets(self)
    }
}
