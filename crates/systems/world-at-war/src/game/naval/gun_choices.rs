//! The questions about guns and about leaving, and which answers are legal. [6.2, 6.3]

use super::NavalGame;
use super::choices::shown;
use super::said::{Said, Spoken};
use super::state::{Gun, Mark, Open};
use crate::fleet;
use crate::messages::ensure;
use crate::rule;
use flagplot_kernel::{BySide, Decision, Refusal, Seat, Side};
use serde::{Deserialize, Serialize};

/// Which ships fire on what? Secret, both seats at once. [C-20]
pub(crate) struct FireOrders<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub side: Side,
    pub own: u8,
    pub enemy: u8,
    /// Whether the enemy's soft ships are behind a screen; told apart for speed. [C-14]
    pub screened: bool,
}

/// Firers with their targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Salvos(pub Vec<(Gun, Mark)>);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Salvo {
    pub firer: String,
    pub target: String,
}

impl Spoken for Salvos {
    type Named = Vec<Salvo>;

    fn named(&self, game: &NavalGame, _: &Open) -> Vec<Salvo> {
        let salvo = |&(gun, mark): &(Gun, Mark)| Salvo {
            firer: game.gun_id(gun).to_owned(),
            target: game.mark_id(mark).to_owned(),
        };
        self.0.iter().map(salvo).collect()
    }
}

impl<'a> FireOrders<'a> {
    pub fn new(game: &'a NavalGame, open: &'a Open, side: Side, pair: BySide<u8>) -> Self {
        let (own, enemy) = (pair[side], pair[side.other()]);
        Self { game, open, side, own, enemy, screened: game.screened(open, enemy) }
    }

    /// Everything that can fire.
    pub fn guns(&self) -> impl Iterator<Item = Gun> + use<'a> {
        let Self { game, open, own, .. } = *self;
        let ships = game.afloat(open, own).map(|(at, _)| at).filter(move |at| game.fires(open, *at));
        let lights = &open.groups[usize::from(own)].lights;
        let cruisers = (game.firing_cruisers(lights) > 0).then_some(Gun::Cruisers);
        let destroyers = (lights.destroyers > 0).then_some(Gun::Destroyers);
        ships.map(Gun::Ship).chain(cruisers).chain(destroyers)
    }

    /// Everything that can be fired on. [C-14]
    pub fn marks(&self) -> Vec<Mark> {
        let mut marks = self.game.marks(self.open, self.enemy);
        marks.retain(|mark| self.is_exposed(*mark));
        marks
    }

    /// Whether something of the enemy can be fired on. [C-14]
    fn is_exposed(&self, mark: Mark) -> bool {
        match mark {
            Mark::Ship(at) => !(self.screened && self.game.ship(at).kind.is_carrier()),
            Mark::Light => {
                let lights = &self.open.groups[usize::from(self.enemy)].lights;
                let behind = if self.screened { lights.cves + lights.transports } else { 0 };
                lights.factors() > behind
            }
        }
    }

    /// Why something of the enemy cannot be fired on. [C-14]
    pub fn aim_at(&self, mark: Mark) -> Result<(), Refusal> {
        match mark {
            _ if self.is_exposed(mark) => Ok(()),
            Mark::Ship(at) => fleet::unscreened(&self.game.ship(at).name, true),
            Mark::Light => fleet::exposed(&Default::default()),
        }
    }

    pub fn placed(&self, salvos: Salvos) -> Said<'a, Salvos> {
        Said::Placed { game: self.game, open: self.open, plan: salvos }
    }

    fn gun(&self, id: &str) -> Result<Gun, Refusal> {
        if let Some(gun) = self.guns().find(|gun| self.game.gun_id(*gun) == id) {
            return Ok(gun);
        }
        if matches!(id, "cruisers" | "destroyers") {
            let sound = if id == "cruisers" { "sound cruisers" } else { id };
            return Err(fleet::no_fire(format!("There are no {sound} to fire.")));
        }
        let mut own = self.game.afloat(self.open, self.own);
        match own.find(|(_, ship)| ship.id == id) {
            Some((_, ship)) => {
                let cannot = fleet::can_fire(&self.game.rules, &ship.name, ship.kind, true);
                Err(cannot.err().unwrap_or_else(|| fleet::no_fire(format!("{} cannot fire.", ship.name))))
            }
            None => {
                Err(Refusal::new("unknown-firer", format!("You have no ship '{}' here to fire.", shown(id)))
                    .by(rule::C_20))
            }
        }
    }

    fn mark(&self, id: &str) -> Result<Mark, Refusal> {
        let marks = self.game.marks(self.open, self.enemy);
        match marks.iter().find(|mark| self.game.mark_id(**mark) == id) {
            Some(mark) => self.aim_at(*mark).map(|()| *mark),
            None => {
                let names: Vec<&str> = self.marks().iter().map(|mark| self.game.mark_name(*mark)).collect();
                Err(Refusal::new("unknown-target", format!("There is no enemy '{}' to fire on.", shown(id)))
                    .by(rule::C_20)
                    .remedy(format!("Fire on {}.", names.join(", "))))
            }
        }
    }

    pub fn read(&self, said: &Said<'_, Salvos>) -> Result<Salvos, Refusal> {
        self.take(said.clone())
    }

    /// The same for an answer that is not needed any more.
    pub fn take(&self, said: Said<'_, Salvos>) -> Result<Salvos, Refusal> {
        let named = match said {
            Said::Placed { plan, .. } => return Ok(plan),
            Said::Named(named) => named,
        };
        let mut salvos: Vec<(Gun, Mark)> = Vec::new();
        for Salvo { firer, target } in named {
            let gun = self.gun(&firer)?;
            ensure(salvos.iter().all(|other| other.0 != gun), || fleet::used_twice(self.game.gun_name(gun)))?;
            salvos.push((gun, self.mark(&target)?));
        }
        Ok(Salvos(salvos))
    }
}

impl<'a> Decision for FireOrders<'a> {
    type Value = Said<'a, Salvos>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}

/// Which groups withdraw? [C-13, C-23]
pub(crate) struct Withdraw<'a> {
    pub game: &'a NavalGame,
    pub open: &'a Open,
    pub side: Side,
}

/// The groups that leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leavers(pub Vec<u8>);

impl Spoken for Leavers {
    type Named = Vec<String>;

    fn named(&self, game: &NavalGame, _: &Open) -> Vec<String> {
        self.0.iter().map(|group| game.facts.groups[usize::from(*group)].id.clone()).collect()
    }
}

impl<'a> Withdraw<'a> {
    pub fn groups(&self) -> impl Iterator<Item = u8> + use<'a> {
        self.game.present_of(self.open, self.side)
    }

    pub fn placed(&self, leavers: Leavers) -> Said<'a, Leavers> {
        Said::Placed { game: self.game, open: self.open, plan: leavers }
    }

    pub fn read(&self, said: &Said<'_, Leavers>) -> Result<Leavers, Refusal> {
        self.take(said.clone())
    }

    /// The same for an answer that is not needed any more.
    pub fn take(&self, said: Said<'_, Leavers>) -> Result<Leavers, Refusal> {
        let named = match said {
            Said::Placed { plan, .. } => return Ok(plan),
            Said::Named(named) => named,
        };
        let mut leavers: Vec<u8> = Vec::new();
        for id in named {
            let group = self.groups().find(|group| self.game.facts.groups[usize::from(*group)].id == id);
            let Some(group) = group.filter(|group| !leavers.contains(group)) else {
                let message = format!("'{}' is not another of your groups in the battle.", shown(&id));
                return Err(Refusal::new("unknown-unit", message).by(rule::C_13));
            };
            leavers.push(group);
        }
        leavers.sort_unstable();
        Ok(Leavers(leavers))
    }
}

impl<'a> Decision for Withdraw<'a> {
    type Value = Said<'a, Leavers>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        self.read(value).map(drop)
    }
}
