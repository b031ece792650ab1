//! What aircraft, decks, sonar and depth charges bring to an activation; their own modules say what it means.

use crate::game::FleetGame;
use crate::game::state::{Sea, SquadronId};
use crate::game::{air, deeps};
use flagplot_kernel::{Ask, Asked, Refusal};

/// An action as a fire plan shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct Shown {
    /// What acts: a stand, a deck, a sonar. Each acts once in a list.
    pub item: String,
    pub name: String,
    /// What it does.
    pub label: String,
    /// What that can be expected to bring, in thousandths of a victory point.
    pub worth: i64,
}

impl FleetGame {
    /// What stands of a squadron, and decks of its ships, can do now.
    pub(in crate::game) fn air_actions(&self, _sea: &Sea, _squadron: SquadronId) -> Vec<air::Act> {
        Vec::new()
    }

    pub(in crate::game) fn check_air(&self, _: &Sea, _: SquadronId, act: &air::Act) -> Result<(), Refusal> {
        match *act {}
    }

    /// Uses up on paper what the action needs, so that a list can be checked as a whole.
    pub(in crate::game) fn plan_air(&self, _: &mut Sea, _: SquadronId, act: &air::Act) {
        match *act {}
    }

    pub(in crate::game) fn show_air(&self, _: &Sea, _: SquadronId, act: &air::Act) -> Shown {
        match *act {}
    }

    /// Begins an action; an attack goes on with [`Self::step_air`].
    pub(in crate::game) fn begin_air(
        &self,
        _: &mut Sea,
        _: SquadronId,
        act: &air::Act,
        _: &mut impl Ask,
    ) -> Asked<Option<air::Attack>> {
        match *act {}
    }

    /// One step of an attack; true when it is over.
    pub(in crate::game) fn step_air(&self, _: &mut Sea, attack: &mut air::Attack, _: &mut impl Ask) -> Asked<bool> {
        match *attack {}
    }

    /// Searches and depth charges that ships of a squadron can make now.
    pub(in crate::game) fn deep_actions(&self, _sea: &Sea, _squadron: SquadronId) -> Vec<deeps::Act> {
        Vec::new()
    }

    pub(in crate::game) fn check_deep(&self, _: &Sea, _: SquadronId, act: &deeps::Act) -> Result<(), Refusal> {
        match *act {}
    }

    pub(in crate::game) fn plan_deep(&self, _: &mut Sea, _: SquadronId, act: &deeps::Act) {
        match *act {}
    }

    pub(in crate::game) fn show_deep(&self, _: &Sea, _: SquadronId, act: &deeps::Act) -> Shown {
        match *act {}
    }

    pub(in crate::game) fn do_deep(&self, _: &mut Sea, _: SquadronId, act: &deeps::Act, _: &mut impl Ask) -> Asked<()> {
        match *act {}
    }

    /// Stands are made ready aboard their carriers. [7.9]
    pub(in crate::game) fn ready_stands(&self, _sea: &mut Sea) {}
}
