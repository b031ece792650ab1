//! What players are asked, apart from their actions and the set-up.

use super::CarrierGame;
use super::action::Action;
use super::piece::{PieceId, SquadronId, Squads, how_many};
use super::state::Table;
use crate::detection::Column;
use crate::rule;
use flagplot_kernel::{Decision, Refusal, Seat, Side};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) struct ChooseAction<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub side: Side,
}

impl Decision for ChooseAction<'_> {
    type Value = Action;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Action) -> Result<(), Refusal> {
        self.game.legal(self.table, self.side, value)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Number(pub u8);

pub(super) struct DetectionNumber<'a> {
    pub game: &'a CarrierGame,
    pub seat: Side,
    pub column: Column,
    pub searcher: bool,
    pub by: PieceId,
    pub target: PieceId,
}

impl Decision for DetectionNumber<'_> {
    type Value = Number;

    fn seat(&self) -> Seat {
        self.seat.into()
    }

    fn check(&self, value: &Number) -> Result<(), Refusal> {
        if (1..=4).contains(&value.0) {
            return Ok(());
        }
        Err(Refusal::new("out-of-range", "Play a number from 1 to 4.").by(rule::C_3))
    }
}

impl DetectionNumber<'_> {
    pub(super) fn weights(&self) -> &[u64; 4] {
        self.game.mixes.numbers(self.column, self.searcher)
    }
}

/// Which squadron strikes next; none to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrikeNextAnswer {
    pub strike: Option<SquadronId>,
}

pub(super) struct StrikeNextChoice<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    /// Those that can attack.
    pub able: Squads,
    /// Those that have attacked.
    pub struck: Squads,
}

impl Decision for StrikeNextChoice<'_> {
    type Value = StrikeNextAnswer;

    fn seat(&self) -> Seat {
        self.table.phasing.into()
    }

    fn check(&self, value: &StrikeNextAnswer) -> Result<(), Refusal> {
        match value.strike {
            Some(id) if !self.able.has(id) => {
                let (code, text) = if self.struck.has(id) {
                    ("already-acted", format!("{id} has already attacked."))
                } else {
                    ("no-ordnance", format!("{id} carries no ordnance, or is not part of this strike."))
                };
                Err(Refusal::new(code, text).by(rule::R_14))
            }
            _ => Ok(()),
        }
    }
}

/// What a crippled group loses.
pub(super) struct ShedChoice<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub side: Side,
}

impl ShedChoice<'_> {
    pub(super) fn aboard(&self) -> impl Iterator<Item = SquadronId> + '_ {
        SquadronId::of(self.side).filter(|id| self.table[*id].aboard())
    }

    pub(super) fn by(&self, policy: fn(&mut [u8], u8)) -> BTreeMap<SquadronId, u8> {
        let (aircraft, scouts) = self.game.excess(self.table, self.side);
        let combat: Vec<SquadronId> = self.aboard().filter(|id| !id.is_recce()).collect();
        let before: Vec<u8> = combat.iter().map(|id| self.table[*id].strength).collect();
        let mut after = before.clone();
        policy(&mut after, aircraft);
        let lost = combat.iter().zip(before.iter().zip(&after)).map(|(id, (before, after))| (*id, before - after));
        let scouts = self.aboard().filter(|id| id.is_recce()).take(usize::from(scouts)).map(|id| (id, 1));
        lost.chain(scouts).filter(|(_, lost)| *lost > 0).collect()
    }
}

impl Decision for ShedChoice<'_> {
    type Value = BTreeMap<SquadronId, u8>;

    fn seat(&self) -> Seat {
        self.side.into()
    }

    fn check(&self, value: &Self::Value) -> Result<(), Refusal> {
        let excess = self.game.excess(self.table, self.side);
        let mut given = (0u32, 0u32);
        for (id, lost) in value {
            if !self.aboard().any(|aboard| aboard == *id) || *lost > self.table[*id].strength {
                return Err(Refusal::new("bad-allocation", format!("{id} does not have that many aircraft aboard."))
                    .by(rule::R_15));
            }
            if id.is_recce() { given.1 += u32::from(*lost) } else { given.0 += u32::from(*lost) }
        }
        if given != (u32::from(excess.0), u32::from(excess.1)) {
            return Err(Refusal::new(
                "bad-allocation",
                format!("Name exactly {} aircraft and {}.", excess.0, how_many(excess.1, "scout", "scouts")),
            )
            .by(rule::R_15));
        }
        Ok(())
    }
}
