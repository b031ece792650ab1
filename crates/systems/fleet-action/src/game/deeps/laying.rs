//! Which ships lay a minefield? Asked in secret, every turn. [9.1, C-52]

use crate::game::FleetGame;
use crate::game::id::Id;
use crate::game::state::{Sea, VesselId};
use crate::rule;
use flagplot_kernel::{
    Candidate, Chance, Choice, Decision, Form, FormItem, OptionView, Prompt, Refusal, Screen, Seat, Side,
};
use serde_json::json;

/// The fastest at which mines are laid.
pub(in crate::game) const LAYING_KNOTS: i32 = 15;

/// Which ships of a side lay a field across their wakes?
pub(in crate::game) struct Laying<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub side: Side,
}

impl<'a> Laying<'a> {
    /// The ships that are asked: all that began with mines and were slow enough, whether or not they have any left.
    pub fn ships(&self) -> impl Iterator<Item = VesselId> + use<'a> {
        let (game, sea, side) = (self.game, self.sea, self.side);
        sea.all().map(|(id, _)| id).filter(move |id| {
            let member = game.battle.member(*id);
            let carried = member.placed.as_ref().is_some_and(|placed| placed.mines > 0);
            let vessel = sea.vessel(*id);
            carried && member.side == side && vessel.in_play() && vessel.speed <= LAYING_KNOTS
        })
    }

    pub fn read(&self, chosen: &[Id]) -> Result<Vec<VesselId>, Refusal> {
        let mut ships = Vec::with_capacity(chosen.len());
        for id in chosen {
            let Some(ship) = self.ships().find(|ship| self.game.battle.member(*ship).id == *id) else {
                let shown: String = id.as_str().chars().take(60).collect();
                return Err(Refusal::new("unknown-ship", format!("'{shown}' cannot lay mines now.")).by(rule::C_31));
            };
            let name = &self.game.battle.member(ship).name;
            if self.sea.vessel(ship).mines < 1 {
                return Err(Refusal::new("no-mines", format!("{name} has no mines left.")).by(rule::C_31));
            }
            if ships.contains(&ship) {
                return Err(Refusal::new("named-twice", format!("{name} lays one field a turn.")).by(rule::C_31));
            }
            ships.push(ship);
        }
        Ok(ships)
    }

    fn able(&self) -> Vec<VesselId> {
        self.ships().filter(|ship| self.sea.vessel(*ship).mines > 0).collect()
    }

    fn ids(&self, ships: &[VesselId]) -> Vec<Id> {
        ships.iter().map(|ship| self.game.battle.member(*ship).id.clone()).collect()
    }
}

impl Decision for Laying<'_> {
    type Value = Vec<Id>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Vec<Id>) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

impl Screen for Laying<'_> {
    fn prompt(&self) -> Prompt {
        Prompt::new("lay-mines", "Which ships lay a minefield across their wakes?", rule::S6_2)
    }

    fn candidates(&self) -> Vec<Candidate<Vec<Id>>> {
        let mut candidates = vec![Candidate::new(Vec::new(), "None")];
        for ship in self.able() {
            let member = self.game.battle.member(ship);
            candidates
                .push(Candidate::new(self.ids(&[ship]), format!("{} lays a field", member.name)).at([&member.id]));
        }
        if self.able().len() > 1 {
            candidates.push(Candidate::new(self.ids(&self.able()), "All lay a field"));
        }
        candidates
    }

    fn form(&self) -> Form {
        let able = self.able();
        let item = |ship: &VesselId| {
            let member = self.game.battle.member(*ship);
            let option = OptionView::new(json!(member.id), "lays a field").at([&member.id]);
            FormItem { id: member.id.to_string(), label: member.name.clone(), options: vec![option] }
        };
        Form::Subset { items: able.iter().map(item).collect(), min: 0, max: able.len() as u32 }
    }
}

impl Choice for Laying<'_> {
    fn sample(&self, chance: &mut Chance) -> Vec<Id> {
        let chosen: Vec<VesselId> = self.able().into_iter().filter(|_| chance.below(3) == 0).collect();
        self.ids(&chosen)
    }

    /// A field is laid where the enemy follows: astern, with an enemy behind. [17.10]
    fn instinct(&self, _: &mut Chance) -> Vec<Id> {
        let chosen: Vec<VesselId> =
            self.able().into_iter().filter(|ship| self.game.worth_mining(self.sea, *ship)).collect();
        self.ids(&chosen)
    }
}
