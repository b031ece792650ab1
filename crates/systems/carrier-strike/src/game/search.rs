//! Searching: two secret numbers. [Detect]

use super::CarrierGame;
use super::action::Target;
use super::choices::DetectionNumber;
use super::piece::{CardId, CardLabel, PieceId, SquadronId};
use super::process::Process;
use super::state::{Form, Table};
use crate::detection::Column;
use crate::rule;
use crate::words::name;
use flagplot_kernel::{Ask, Asked, Flow, Note, Side};
use serde::{Deserialize, Serialize};

/// A search for a group or a card, by a squadron or by the carrier group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Search {
    /// None for the carrier group.
    pub by: Option<SquadronId>,
    pub target: PieceId,
}

impl Search {
    pub(super) fn column(by: Option<SquadronId>) -> Column {
        if by.is_some_and(SquadronId::is_recce) { Column::Recce } else { Column::CombatOrCv }
    }

    fn searcher(self, side: Side) -> PieceId {
        self.by.map_or(PieceId::Card(CardId { side, label: CardLabel::Cv }), PieceId::Squadron)
    }

    /// The search is announced: the searcher shows that it is real.
    pub(super) fn announce(self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) {
        let side = table.phasing;
        match self.by {
            Some(id) => {
                table[id].detect_used = true;
                game.prove_real(table, id);
            }
            None => {
                let carrier = &mut table.carriers[side];
                carrier.detect_used = true;
                if carrier.form == Form::Hidden {
                    carrier.may_be_real = carrier.real.map_or(carrier.may_be_real, |at| 1 << at);
                }
                game.conclude(table, side);
            }
        }
        ask.note(|| {
            Note::new("search-begins", format!("{} searches for {}.", searched_by(self.searcher(side)), self.target))
                .by(&[rule::DETECT, rule::R_17, rule::R_18, rule::R_62])
                .pieces([self.target.id()])
        });
    }

    /// Announces a search planned for the end of a move, if it can still be made.
    pub(super) fn announce_if_possible(self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> bool {
        let possible = game.may_detect(table, table.phasing, self.searcher(table.phasing), self.target).is_ok();
        if possible {
            self.announce(game, table, ask);
        }
        possible
    }

    /// Both sides choose a number in secret. Returns what was found. [Detect 2]
    pub(super) fn numbers(self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<Option<Target>> {
        let side = table.phasing;
        let column = Self::column(self.by);
        let question = |seat: Side| DetectionNumber {
            game,
            seat,
            column,
            searcher: seat == side,
            by: self.searcher(side),
            target: self.target,
        };
        let numbers = ask.in_secret(&[question(side), question(side.other())])?;
        if !game.rules.search(ask, column, numbers[0], numbers[1]) {
            return Ok(None);
        }
        let target = game.target_of(table, side, self.target).ok();
        match target {
            Some(Target::Group(group)) => game.detect_group(table, group, ask),
            Some(Target::Card(enemy, at)) => {
                game.detect_card(table, enemy, at, ask);
                if self.by.is_none() && table.carriers[enemy].form == Form::Revealed {
                    table.surface_contact = true;
                    ask.note(|| {
                        Note::new(
                            "surface-contact",
                            "The carrier groups sight each other: a surface action ends this turn.",
                        )
                        .by(&[rule::SURFACE_ACTION])
                    });
                }
            }
            None => {}
        }
        Ok(target)
    }
}

/// The searcher in a sentence: a hidden group searches without showing which card it is.
pub(super) fn searched_by(by: PieceId) -> String {
    match by {
        PieceId::Squadron(id) => id.to_string(),
        PieceId::Card(card) => format!("{}'s carrier group", name(card.side)),
    }
}

impl Process for Search {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        self.numbers(game, table, ask).map(|_| ())
    }

    fn run(&mut self, _: &CarrierGame, _: &mut Table, _: &mut impl Ask) -> Flow {
        Flow::Done
    }
}
