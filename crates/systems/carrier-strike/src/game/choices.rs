//! What players are asked, apart from the set-up, flights and fights.

use super::CarrierGame;
use super::action::Action;
use super::piece::{PieceId, SquadronId, Squads};
use super::refusals::{Barred, Count};
use super::search::searched_by;
use super::state::Table;
use crate::detection::Column;
use crate::rule;
use flagplot_kernel::{Chance, Decision, Menu, Prompt, Refusal, Seat, Side};
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
        Ok(self.game.legal(self.table, self.side, value)?)
    }
}

pub(super) struct DetectionNumber<'a> {
    pub game: &'a CarrierGame,
    pub seat: Side,
    pub column: Column,
    pub searcher: bool,
    pub by: PieceId,
    pub target: PieceId,
}

impl DetectionNumber<'_> {
    fn weights(&self) -> &[u64; 4] {
        self.game.mixes.numbers(self.column, self.searcher)
    }
}

impl Menu for DetectionNumber<'_> {
    type Option = u8;

    fn seat(&self) -> Seat {
        self.seat.into()
    }

    fn prompt(&self) -> Prompt {
        let text = format!("{} searches for {}. Which secret number do you play?", searched_by(self.by), self.target);
        Prompt::new("detection-number", text, rule::DETECT).beside("detection")
    }

    fn options(&self) -> Vec<u8> {
        (1..=4).collect()
    }

    fn label(&self, number: &u8) -> String {
        number.to_string()
    }

    fn sample(&self, chance: &mut Chance) -> u8 {
        1 + chance.below(4) as u8
    }

    fn mix(&self) -> Option<Vec<(u8, u64)>> {
        Some((1..=4).zip(*self.weights()).collect())
    }

    fn instinct(&self, chance: &mut Chance) -> u8 {
        1 + chance.weighted(self.weights()).unwrap_or(0) as u8
    }
}

/// What is searched for when a move is over.
pub(super) struct SearchTarget<'a> {
    pub game: &'a CarrierGame,
    pub table: &'a Table,
    pub by: PieceId,
}

impl Menu for SearchTarget<'_> {
    type Option = PieceId;

    fn seat(&self) -> Seat {
        self.by.side().into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("search-target", format!("What does {} search for?", searched_by(self.by)), rule::DETECT)
    }

    fn options(&self) -> Vec<PieceId> {
        self.game.searchable(self.table, self.by.side(), self.by)
    }

    fn label(&self, target: &PieceId) -> String {
        format!("Search for {target}")
    }

    fn pieces(&self, target: &PieceId) -> Vec<String> {
        vec![target.id().to_owned()]
    }

    fn instinct(&self, _: &mut Chance) -> PieceId {
        self.options()[0]
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

impl Menu for StrikeNextChoice<'_> {
    type Option = StrikeNextAnswer;

    fn seat(&self) -> Seat {
        self.table.phasing.into()
    }

    fn prompt(&self) -> Prompt {
        if self.able.is_empty() {
            let text = "No squadron can attack now. You are asked anyway, so that your opponent cannot tell which \
                        squadrons carry ordnance.";
            return Prompt::new("strike-next", text, rule::R_68);
        }
        let enemy = self.table.other();
        let guns = self.game.guns(self.table, enemy);
        let text = format!(
            "Which squadron attacks next? The carrier group has {} and {}.",
            Count(guns.hits, "hit"),
            Count(guns.points(), "anti-aircraft point")
        );
        Prompt::new("strike-next", text, rule::R_60)
    }

    fn options(&self) -> Vec<StrikeNextAnswer> {
        let able = SquadronId::of(self.table.phasing).filter(|id| self.able.has(*id));
        let taking_part = self.table.action.squadrons.iter().copied().filter(|id| self.table[*id].up());
        let rest = taking_part.filter(|id| !self.able.has(*id));
        able.map(Some).chain([None]).chain(rest.map(Some)).map(|strike| StrikeNextAnswer { strike }).collect()
    }

    fn label(&self, option: &StrikeNextAnswer) -> String {
        option.strike.map_or_else(|| "Stop attacking".to_owned(), |id| format!("Attack with {id}"))
    }

    fn allow(&self, option: &StrikeNextAnswer) -> Result<(), Refusal> {
        match option.strike {
            Some(id) if self.struck.has(id) => Err(Barred::HasAttacked { id }.into()),
            Some(id) if !self.able.has(id) => Err(Barred::CannotAttack { id }.into()),
            _ => Ok(()),
        }
    }

    fn pieces(&self, option: &StrikeNextAnswer) -> Vec<String> {
        option.strike.iter().map(|id| id.id().to_owned()).collect()
    }

    fn instinct(&self, _: &mut Chance) -> StrikeNextAnswer {
        // Full squadrons first: they thin the guns for the rest.
        let strongest = self.able.iter().min_by_key(|id| std::cmp::Reverse(self.table[*id].strength));
        StrikeNextAnswer { strike: strongest }
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
        let combat: Squads = self.aboard().filter(|id| !id.is_recce()).collect();
        let scouts = self.aboard().filter(|id| id.is_recce()).take(usize::from(scouts)).map(|id| (id, 1));
        self.table.shared_out(combat, aircraft, policy).chain(scouts).filter(|(_, lost)| *lost > 0).collect()
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
                return Err(Barred::NotThatManyAboard { id: *id }.into());
            }
            if id.is_recce() { given.1 += u32::from(*lost) } else { given.0 += u32::from(*lost) }
        }
        if given != (u32::from(excess.0), u32::from(excess.1)) {
            return Err(Barred::ShedExactly { aircraft: excess.0, scouts: Count(excess.1, "scout") }.into());
        }
        Ok(())
    }
}
