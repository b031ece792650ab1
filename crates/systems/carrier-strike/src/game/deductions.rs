//! What everybody may conclude from what has just been seen, told in the log.

use super::CarrierGame;
use super::piece::{SquadronId, Squads};
use super::state::{Form, Table};
use crate::rule;
use crate::words::name;
use flagplot_kernel::{Ask, BySide, Note, Side};

/// What everybody knew before something happened.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The cards of each side that could be the real one.
    cards: BySide<u8>,
    /// The dice that were proved dummies.
    dummies: Squads,
}

impl CarrierGame {
    pub(super) fn known(&self, table: &Table) -> Known {
        let dummies = SquadronId::all().filter(|id| table[*id].up() && table[*id].proved_dummy).collect();
        Known { cards: BySide::new_with(|side| self.believable(table, side)), dummies }
    }

    /// Tells which card must now be the real one, and which dice must be dummies.
    pub(super) fn tell_deductions(&self, before: Known, table: &Table, ask: &mut impl Ask) {
        for side in Side::BOTH {
            let now = self.believable(table, side);
            let carrier = &table.carriers[side];
            let both = carrier.form == Form::Hidden && carrier.on_table().count() == 2;
            if both && before.cards[side] == 3 && matches!(now, 1 | 2) {
                let proof = table.up(side).iter().find(|id| {
                    let squadron = &table[*id];
                    (squadron.proved_real || id.is_recce()) && squadron.tied_to == now
                });
                let card = carrier.card_id(side, usize::from(now == 2));
                ask.note(|| {
                    let why = proof.map_or_else(String::new, |id| {
                        format!("{id} is real and was launched where only {card} could launch it, so ")
                    });
                    let pieces = proof.iter().map(|id| id.id()).chain([card.id()]);
                    Note::new("deduced", format!("{why}{card} must be {}'s carrier group.", name(side)))
                        .by(&[rule::R_74])
                        .pieces(pieces)
                });
            }
        }
        let dummies = SquadronId::all().filter(|id| table[*id].up() && table[*id].proved_dummy);
        for id in dummies.filter(|id| !before.dummies.has(*id)) {
            ask.note(|| {
                let away = table[id].tied_to & table.carriers[id.side()].may_be_real == 0;
                let why = if away {
                    "the carrier group cannot have launched it"
                } else {
                    "a real squadron would have found what lies beside it"
                };
                Note::new("deduced", format!("{id} must be a dummy: {why}.")).by(&[rule::R_74]).pieces([id.id()])
            });
        }
    }
}
