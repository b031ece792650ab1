//! The Action Phase. [6.6]
//!
//! Squadrons and contacts act in turn. An activation resolves the torpedoes of its ships, tests the crews of ships
//! without power, and then asks for actions until there is nothing more to do.

mod act;
mod carry;
mod contact;
pub(in crate::game) mod guns;
mod hooks;
mod insight;
pub(in crate::game) mod offers;
mod plan;
pub(in crate::game) mod screens;
mod torpedoes;

pub use act::{Action, AntiAir, Light, Searchlight, Shoot, Spot, StarShell};
pub(in crate::game) use act::{Shot, ShotTest, shown};
pub(in crate::game) use hooks::Shown;
pub(in crate::game) use insight::budget;
pub(in crate::game) use plan::FirePlan;

use crate::game::FleetGame;
use crate::game::air;
use crate::game::id::Id;
use crate::game::state::{Aloft, Group, Level, Phase, Sea, SquadronId, State, VesselId};
use crate::game::turn::Stop;
use crate::rule;
use crate::ship_tests::crew_test;
use flagplot_kernel::{Ask, Asked, Chance, Menu, Note, Prompt, Seat, Side};
use plan::Reply;
use serde::{Deserialize, Serialize};

/// How far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// A side chooses what acts next.
    Choose(Side),
    /// The torpedoes of a squadron arrive, one launch after the other.
    Torpedoes(SquadronId),
    /// Crew Tests of ships without power.
    Power { squadron: SquadronId, left: Vec<VesselId> },
    /// A squadron or a contact is asked what it does.
    Ask(Group),
    /// A list of actions is carried out, the first of these next.
    Carry { squadron: SquadronId, left: Vec<Action> },
    /// An air attack of the list goes on.
    Air { squadron: SquadronId, left: Vec<Action>, attack: air::Attack },
}

impl FleetGame {
    pub(in crate::game) fn begin_actions(&self, sea: &mut Sea) -> Option<Stage> {
        for squadron in &mut sea.squadrons {
            squadron.acted = false;
        }
        for marker in &mut sea.markers {
            marker.acted = false;
        }
        let first = sea.holder.unwrap_or(sea.first);
        self.next_actor(sea, first)
    }

    pub(in crate::game) fn step_actions(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let Phase::Actions(stage) = &mut state.phase else { return Ok(()) };
        let sea = &mut state.sea;
        let next = match stage {
            Stage::Choose(side) => {
                let (side, groups) = (*side, self.actors(sea, *side));
                if groups.len() < 2 {
                    self.next_actor(sea, side)
                } else {
                    let chosen = ask.decide(&ChooseActor { game: self, sea, side })?;
                    let group = groups.into_iter().find(|group| self.group_id(*group) == chosen);
                    group.and_then(|group| self.activate(sea, group))
                }
            }
            Stage::Torpedoes(squadron) => {
                let squadron = *squadron;
                self.torpedoes_arrive(sea, squadron, ask)?;
                self.after_torpedoes(sea, squadron)
            }
            Stage::Power { squadron, left } => {
                let squadron = *squadron;
                self.test_power(sea, left, ask)?;
                if left.is_empty() { self.ask_or_end(sea, squadron) } else { Some(stage.clone()) }
            }
            Stage::Ask(Group::Marker(marker)) => {
                let marker = *marker;
                self.contact_acts(sea, marker, ask)?;
                self.next_actor(sea, sea.marker(marker).side.other())
            }
            Stage::Ask(Group::Squadron(squadron)) => {
                let squadron = *squadron;
                let offers = self.offers(sea, squadron);
                if offers.is_empty() {
                    // What came between has left it nothing to do.
                    let next = self.next_actor(sea, self.battle.squad(squadron).side.other());
                    match next {
                        Some(next) => state.phase = Phase::Actions(next),
                        None => self.after(Stop::Actions, state),
                    }
                    return Ok(());
                }
                match ask.decide(&FirePlan { game: self, sea, squadron, offers })? {
                    Reply::End => self.next_actor(sea, self.battle.squad(squadron).side.other()),
                    Reply::List(left) => Some(Stage::Carry { squadron, left }),
                }
            }
            Stage::Carry { squadron, left } => {
                let squadron = *squadron;
                self.carry_next(sea, squadron, left, ask)?
            }
            Stage::Air { squadron, left, attack } => {
                let over = self.step_air(sea, attack, ask)?;
                if !over {
                    return Ok(());
                }
                let (squadron, left) = (*squadron, std::mem::take(left));
                self.carry_on(sea, squadron, left)
            }
        };
        match next {
            Some(next) => state.phase = Phase::Actions(next),
            None => self.after(Stop::Actions, state),
        }
        Ok(())
    }

    /// The squadrons and contacts of a side that can still act: those with something left to do it with, and those
    /// whose torpedoes still run.
    pub(in crate::game) fn actors(&self, sea: &Sea, side: Side) -> Vec<Group> {
        let squads = self.battle.squadrons.iter().enumerate().filter(|(_, squad)| squad.side == side);
        let squads = squads.map(|(at, _)| SquadronId(at as u8)).filter(|id| !sea.squadron(*id).acted);
        let squads = squads.filter(|id| self.can_act(sea, *id)).map(Group::Squadron);
        let contacts = self.contacts(sea, side).filter(|id| !sea.marker(*id).acted).map(Group::Marker);
        squads.chain(contacts).collect()
    }

    fn can_act(&self, sea: &Sea, id: SquadronId) -> bool {
        let squad = self.battle.squad(id);
        let lives = |ship: &VesselId| sea.vessel(*ship).in_play();
        let flies =
            |stand: &crate::game::state::StandId| !matches!(sea.stand(*stand).aloft, Aloft::Gone | Aloft::Awaited);
        squad.vessels.iter().any(lives) || squad.stands.iter().any(flies) || self.has_running(sea, id)
    }

    fn has_running(&self, sea: &Sea, id: SquadronId) -> bool {
        sea.running.iter().any(|running| self.battle.member(running.by).squadron == id)
    }

    /// What comes next when it is a side's turn to act, or the end of the phase.
    fn next_actor(&self, sea: &mut Sea, side: Side) -> Option<Stage> {
        for side in [side, side.other()] {
            match self.actors(sea, side).as_slice() {
                [] => {}
                [group] => return self.activate(sea, *group),
                _ => return Some(Stage::Choose(side)),
            }
        }
        None
    }

    /// An activation begins.
    fn activate(&self, sea: &mut Sea, group: Group) -> Option<Stage> {
        match group {
            Group::Marker(id) => {
                sea.marker_mut(id).acted = true;
                Some(Stage::Ask(group))
            }
            Group::Squadron(id) => {
                sea.squadron_mut(id).acted = true;
                if self.has_running(sea, id) {
                    return Some(Stage::Torpedoes(id));
                }
                self.after_torpedoes(sea, id)
            }
        }
    }

    /// What follows a launch, once its hits have been resolved: they may put out the power of a ship of her own.
    fn after_torpedoes(&self, sea: &mut Sea, id: SquadronId) -> Option<Stage> {
        if self.has_running(sea, id) || !sea.pending.is_empty() {
            return Some(Stage::Torpedoes(id));
        }
        let dark = |ship: &&VesselId| {
            let vessel = sea.vessel(**ship);
            let surfaced = vessel.in_play() && vessel.level == Level::Surfaced;
            surfaced && vessel.now.gear.power_failed && vessel.ledger.power.is_none()
        };
        let left: Vec<VesselId> = self.battle.squad(id).vessels.iter().filter(dark).copied().collect();
        if !left.is_empty() {
            return Some(Stage::Power { squadron: id, left });
        }
        self.ask_or_end(sea, id)
    }

    /// The next ship without power tests her crew. [7.2]
    fn test_power(&self, sea: &mut Sea, left: &mut Vec<VesselId>, ask: &mut impl Ask) -> Asked<()> {
        let Some(&ship) = left.first() else { return Ok(()) };
        if sea.vessel(ship).in_play() {
            let name = &self.battle.member(ship).name;
            ask.note(|| {
                let text = format!("{name} is without power");
                Note::new("power", text).by(&[rule::UNDERWATER]).pieces([&self.battle.member(ship).id])
            });
            let quality = self.crew_quality(sea, ship);
            let passed = crew_test(&self.battle.rules, "power: Crew Test", quality).roll(ask)?;
            sea.vessel_mut(ship).ledger.power = Some(passed);
        }
        left.remove(0);
        Ok(())
    }

    /// Asks the squadron, if there is something it can do; otherwise its activation is over. Hits, explosions and loss
    /// of control come first, because they may leave it more or less to do. [C-39]
    fn ask_or_end(&self, sea: &mut Sea, id: SquadronId) -> Option<Stage> {
        if sea.pending.is_empty() && self.offers(sea, id).is_empty() {
            return self.next_actor(sea, self.battle.squad(id).side.other());
        }
        Some(Stage::Ask(Group::Squadron(id)))
    }

    /// What comes after an action of the list.
    fn carry_on(&self, sea: &mut Sea, squadron: SquadronId, left: Vec<Action>) -> Option<Stage> {
        if left.is_empty() { self.ask_or_end(sea, squadron) } else { Some(Stage::Carry { squadron, left }) }
    }
}

/// What a side lets act next.
pub(in crate::game) struct ChooseActor<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub side: Side,
}

impl ChooseActor<'_> {
    fn group(&self, id: &Id) -> Option<Group> {
        self.game.actors(self.sea, self.side).into_iter().find(|group| self.game.group_id(*group) == *id)
    }
}

impl Menu for ChooseActor<'_> {
    type Option = Id;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("act-next", "Which squadron acts next?", rule::S6_6)
    }

    fn options(&self) -> Vec<Id> {
        self.game.actors(self.sea, self.side).into_iter().map(|group| self.game.group_id(group)).collect()
    }

    fn label(&self, option: &Id) -> String {
        self.group(option).map_or_else(String::new, |group| self.game.group_name(group))
    }

    fn pieces(&self, option: &Id) -> Vec<String> {
        self.group(option).map_or_else(Vec::new, |group| self.game.group_pieces(self.sea, group))
    }

    fn instinct(&self, chance: &mut Chance) -> Id {
        match self.game.actor_instinct(self.sea, self.side) {
            Some(group) => self.game.group_id(group),
            None => Menu::sample(self, chance),
        }
    }
}
