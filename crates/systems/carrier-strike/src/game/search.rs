//! Searching: two secret numbers. [Detect]

use super::CarrierGame;
use super::action::Target;
use super::choices::{DetectionNumber, SearchTarget};
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

/// A search that goes with a move. The target is named when the search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Planned {
    /// None for the carrier group.
    pub by: Option<SquadronId>,
    pub target: Option<PieceId>,
}

impl Planned {
    /// The search, once its target is named.
    pub(super) fn search(self) -> Option<Search> {
        Some(Search { by: self.by, target: self.target? })
    }

    /// The move is over, and the search begins if anything is in reach; with one target only, that one is searched for.
    /// Otherwise the plan is dropped and not used up.
    pub(super) fn begin(mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Option<Planned> {
        let side = table.phasing;
        let targets = game.searchable(table, side, searcher(self.by, side));
        if let [target] = targets[..] {
            self.target = Some(target);
            Search { by: self.by, target }.announce(game, table, ask);
        } else if !targets.is_empty() {
            prove_searcher(self.by, game, table);
            ask.note(|| {
                Note::new("search-begins", format!("{} searches.", searched_by(searcher(self.by, side))))
                    .by(&[rule::DETECT, rule::R_62])
            });
        }
        (!targets.is_empty()).then_some(self)
    }

    /// The target is named.
    pub(super) fn name(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        let by = searcher(self.by, table.phasing);
        let target = ask.decide(&SearchTarget { game, table, by })?;
        self.target = Some(target);
        Search { by: self.by, target }.announce(game, table, ask);
        Ok(())
    }
}

fn searcher(by: Option<SquadronId>, side: Side) -> PieceId {
    by.map_or(PieceId::Card(CardId { side, label: CardLabel::Cv }), PieceId::Squadron)
}

/// A search proves to both sides that the searcher is real.
fn prove_searcher(by: Option<SquadronId>, game: &CarrierGame, table: &mut Table) {
    let side = table.phasing;
    if let Some(id) = by {
        return game.prove_real(table, id);
    }
    let carrier = &mut table.carriers[side];
    if carrier.form == Form::Hidden {
        carrier.may_be_real = carrier.real.map_or(carrier.may_be_real, |at| 1 << at);
    }
    game.conclude(table, side);
}

impl Search {
    pub(super) fn column(by: Option<SquadronId>) -> Column {
        if by.is_some_and(SquadronId::is_recce) { Column::Recce } else { Column::CombatOrCv }
    }

    /// The search is announced.
    pub(super) fn announce(self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) {
        match self.by {
            Some(id) => table[id].detect_used = true,
            None => table.carriers[table.phasing].detect_used = true,
        }
        prove_searcher(self.by, game, table);
        let by = searcher(self.by, table.phasing);
        ask.note(|| {
            Note::new("search-begins", format!("{} searches for {}.", searched_by(by), self.target))
                .by(&[rule::DETECT, rule::R_17, rule::R_18, rule::R_62])
                .pieces([self.target.id()])
        });
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
            by: searcher(self.by, side),
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

impl CarrierGame {
    /// What a piece can search for now: cards, then groups by their first squadron.
    pub(super) fn searchable(&self, table: &Table, side: Side, by: PieceId) -> Vec<PieceId> {
        let enemy = side.other();
        let carrier = &table.carriers[enemy];
        let cards = carrier.on_table().map(|(at, _)| PieceId::Card(carrier.card_id(enemy, at)));
        let groups = table.groups(&self.rules.geometry, enemy);
        let groups = groups.iter().filter_map(|group| group.first().map(PieceId::Squadron));
        cards.chain(groups).filter(|target| self.may_detect(table, side, by, *target).is_ok()).collect()
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
