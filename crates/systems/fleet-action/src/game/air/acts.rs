//! What stands and decks do in an activation. [6.6, C-39]

use super::attack::Attack;
use crate::game::FleetGame;
use crate::game::actions::Shown;
use crate::game::id::Id;
use crate::game::state::{Mission, Sea, SquadronId, StandId};
use crate::rule;
use crate::words::*;
use flagplot_kernel::{Ask, Asked, Refusal, Silent};
use serde::{Deserialize, Serialize};

/// An action of a stand or a flight deck.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// The attack on a ship, or the interception, that the stand has declared.
    Attack(Id),
    Launch(Id),
    Land(Id),
}

impl Act {
    fn named(&self) -> &Id {
        let (Act::Attack(stand) | Act::Launch(stand) | Act::Land(stand)) = self;
        stand
    }
}

impl FleetGame {
    /// The stands that act with a squadron: its own, and those on the decks of its ships or landing there.
    fn acting_stands(&self, sea: &Sea, squadron: SquadronId) -> impl Iterator<Item = StandId> {
        let squad = self.battle.squad(squadron);
        let stands = sea.all_stands().map(|(id, stand)| (id, stand.home)).collect::<Vec<_>>();
        stands.into_iter().filter_map(move |(id, home)| {
            let own = squad.stands.contains(&id);
            let aboard = home.is_some_and(|home| squad.vessels.contains(&home));
            (own || aboard).then_some(id)
        })
    }

    /// Everything that stands of a squadron, and the decks of its ships, can do now.
    pub(in crate::game) fn air_actions(&self, sea: &Sea, squadron: SquadronId) -> Vec<Act> {
        if sea.stands.is_empty() {
            return Vec::new();
        }
        let mut acts = Vec::new();
        for id in self.acting_stands(sea, squadron) {
            let stand = &self.battle.flight(id).id;
            let all = [Act::Attack(stand.clone()), Act::Launch(stand.clone()), Act::Land(stand.clone())];
            acts.extend(all.into_iter().filter(|act| self.check_air(sea, squadron, act).is_ok()));
        }
        acts
    }

    /// Whether an action of a stand or a deck is legal now.
    pub(in crate::game) fn check_air(&self, sea: &Sea, squadron: SquadronId, act: &Act) -> Result<(), Refusal> {
        let named = act.named();
        let shown = || named.as_str().chars().take(60).collect::<String>();
        let Some(id) = self.battle.find_stand(named.as_str()) else {
            return Err(Refusal::new("unknown-stand", format!("There is no stand '{}'.", shown())).by(rule::S6_6));
        };
        let squad = self.battle.squad(squadron);
        let (flight, stand) = (self.battle.flight(id), sea.stand(id));
        let own = squad.stands.contains(&id);
        let aboard = stand.home.is_some_and(|home| squad.vessels.contains(&home));
        let wrong = |code: &'static str, text: String| Err(Refusal::new(code, text).by(rule::S6_6));
        match act {
            Act::Attack(_) => {
                if !own {
                    return wrong("not-on-sheet", format!("{} does not belong to {}.", flight.name, squad.name));
                }
                self.can_attack(sea, id).map(drop)
            }
            Act::Launch(_) if aboard => self.can_launch(sea, id).map(drop),
            Act::Launch(_) => wrong("not-on-sheet", format!("{} is not aboard a ship of {}.", flight.name, squad.name)),
            // A stand lands in the activation of the ship that takes it.
            Act::Land(_) => {
                let (deck, _) = self.can_land(sea, id)?;
                if squad.vessels.contains(&deck) {
                    return Ok(());
                }
                wrong(
                    "not-on-sheet",
                    format!(
                        "{} lands with {}.",
                        flight.name,
                        self.battle.squad(self.battle.member(deck).squadron).name
                    ),
                )
            }
        }
    }

    /// The attack that a stand has declared, if it can still be carried out.
    pub(super) fn can_attack(&self, sea: &Sea, id: StandId) -> Result<Attack, Refusal> {
        let (stand, flight) = (sea.stand(id), self.battle.flight(id));
        let refuse = |code: &'static str, text: String| Err(Refusal::new(code, text).by(rule::S6_5));
        if !stand.flies() {
            return refuse("not-airborne", format!("{} is not in the air.", flight.name));
        }
        if stand.acted {
            return refuse("already-acted", format!("{} has acted this turn.", flight.name));
        }
        match stand.mission {
            Mission::Attack(target) | Mission::Strafe(target) => {
                if !sea.vessel(target).in_play() || !self.sees(sea, flight.side, target) {
                    return refuse("not-visible", format!("{} is gone.", self.battle.member(target).name));
                }
                if matches!(stand.mission, Mission::Attack(_)) && !stand.loaded {
                    return refuse("wrong-load", format!("{} has no load left.", flight.name));
                }
                if !self.contact(stand.at.point(), self.point(sea, target)) {
                    let text =
                        format!("{} is no longer in contact with {}.", flight.name, self.battle.member(target).name);
                    return refuse("not-in-contact", text);
                }
                Ok(Attack::new(id))
            }
            Mission::Intercept(other) => {
                if !self.may_pounce(sea, id, other) {
                    return refuse(
                        "not-in-contact",
                        format!("{} cannot reach {}.", flight.name, self.battle.flight(other).name),
                    );
                }
                Ok(Attack::new(id))
            }
            _ => refuse("not-declared", format!("{} has declared no attack.", flight.name)),
        }
    }

    /// Uses up on paper what an action needs, so that a list can be checked as a whole.
    pub(in crate::game) fn plan_air(&self, sea: &mut Sea, _: SquadronId, act: &Act) {
        let Some(id) = self.battle.find_stand(act.named().as_str()) else { return };
        match act {
            Act::Attack(_) => sea.stand_mut(id).acted = true,
            Act::Launch(_) => self.launch(sea, id, &mut Silent),
            Act::Land(_) => self.land(sea, id, &mut Silent),
        }
    }

    /// Begins an action: deck work is done at once, an attack goes on with [`FleetGame::step_air`].
    pub(in crate::game) fn begin_air(
        &self,
        sea: &mut Sea,
        squadron: SquadronId,
        act: &Act,
        ask: &mut impl Ask,
    ) -> Asked<Option<Attack>> {
        let named = self.battle.find_stand(act.named().as_str());
        let Some(id) = named.filter(|_| self.check_air(sea, squadron, act).is_ok()) else { return Ok(None) };
        match act {
            Act::Attack(_) => return Ok(self.can_attack(sea, id).ok()),
            Act::Launch(_) => self.launch(sea, id, ask),
            Act::Land(_) => self.land(sea, id, ask),
        }
        Ok(None)
    }

    /// An action as a fire plan shows it.
    pub(in crate::game) fn show_air(&self, sea: &Sea, _: SquadronId, act: &Act) -> Shown {
        let id = self.battle.find_stand(act.named().as_str());
        let name = id.map_or_else(|| act.named().to_string(), |id| self.battle.flight(id).name.clone());
        let worth = id.map_or(0, |id| self.air_worth(sea, id, act));
        Shown { item: act.named().to_string(), name, label: self.air_label(sea, act), worth }
    }

    /// The pieces that an action is about: a deck and what it launches, or a stand and where it goes.
    pub(in crate::game) fn air_pieces(&self, sea: &Sea, act: &Act) -> Vec<String> {
        let named = act.named().to_string();
        let Some(id) = self.battle.find_stand(&named) else { return vec![named] };
        let stand = sea.stand(id);
        let ship = |vessel| self.battle.member(vessel).id.to_string();
        match act {
            Act::Attack(_) => {
                let target = match stand.mission {
                    Mission::Attack(target) | Mission::Strafe(target) => Some(ship(target)),
                    Mission::Intercept(other) => Some(self.battle.flight(other).id.to_string()),
                    _ => None,
                };
                std::iter::once(named).chain(target).collect()
            }
            Act::Launch(_) => stand.home.map(ship).into_iter().chain([named]).collect(),
            Act::Land(_) => {
                std::iter::once(named).chain(self.can_land(sea, id).ok().map(|(deck, _)| ship(deck))).collect()
            }
        }
    }

    /// An action in words.
    fn air_label(&self, sea: &Sea, act: &Act) -> String {
        let Some(id) = self.battle.find_stand(act.named().as_str()) else { return act.named().to_string() };
        let (stand, flight) = (sea.stand(id), self.battle.flight(id));
        match act {
            Act::Attack(_) => match stand.mission {
                Mission::Attack(target) => format!("{} attacks {}", flight.name, self.battle.member(target).name),
                Mission::Strafe(target) => format!("{} strafes {}", flight.name, self.battle.member(target).name),
                Mission::Intercept(other) => format!("{} intercepts {}", flight.name, self.battle.flight(other).name),
                _ => flight.name.clone(),
            },
            Act::Launch(_) => {
                let number = self.can_launch(sea, id).unwrap_or(0);
                format!("Launch {number} aircraft of {}", flight.name)
            }
            Act::Land(_) => {
                let number = self.can_land(sea, id).map_or(0, |(_, number)| number);
                format!("Land {number} aircraft of {}", flight.name)
            }
        }
    }

    /// Whether a stand can attack another in the air now: not acted, in contact, able to.
    pub(super) fn may_pounce(&self, sea: &Sea, id: StandId, other: StandId) -> bool {
        let stand = sea.stand(id);
        stand.flies()
            && !stand.acted
            && sea.stand(other).flies()
            && self.fighters(sea, id).factor(Encounter::Intercept) > 0
            && self.contact(stand.at.point(), self.stand_point(sea, other))
    }
}
