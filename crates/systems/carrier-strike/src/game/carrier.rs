//! The carriers move, slip away, and steam over enemy dice. [Move a CV card]

use super::CarrierGame;
use super::action::{Evasion, Rides};
use super::flight_choices::{CvMoveChoice, SlideAnswer, SlideChoice};
use super::piece::{CardId, CardLabel, SquadronId, Squads};
use super::process::Process;
use super::search::{Planned, Search};
use super::state::{Form, Table};
use crate::geometry::bearing;
use crate::rule;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Flow, Note};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where a move of the carriers stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CarrierStage {
    SearchFirst,
    /// The move is chosen when the result of the search is known.
    ChooseMove,
    /// The cards have moved, and enemy dice may lie under them.
    Moved,
    /// A die under a card slides off or stays.
    Slide(SquadronId),
    /// Guns fire at one that stays.
    Flak(SquadronId),
    /// The target of the search is named when the move is over.
    NameTarget,
    SearchAfter,
    Over,
}

/// The carrier group moves one or both of its cards, or slips away. It may search before or after its move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CarrierMove {
    pub(super) search: Option<Planned>,
    /// Enemy dice under a moved card that have not slid off or stayed yet.
    pub(super) under: Squads,
    pub(super) stage: CarrierStage,
}

impl CarrierMove {
    /// The group searches, and its move is chosen then.
    pub(super) fn search_first(game: &CarrierGame, table: &mut Table, search: Planned, ask: &mut impl Ask) -> Self {
        if let Some(search) = search.search() {
            search.announce(game, table, ask);
        }
        Self { search: Some(search), under: Squads::NONE, stage: CarrierStage::SearchFirst }
    }

    /// The cards move, and the group searches afterwards.
    pub(super) fn cards(
        game: &CarrierGame,
        table: &mut Table,
        to: &BTreeMap<CardId, Point>,
        search: Option<Planned>,
        ask: &mut impl Ask,
    ) -> Self {
        let mut moving = Self { search, under: Squads::NONE, stage: CarrierStage::Moved };
        moving.move_cards(game, table, to, ask);
        moving
    }

    /// The group slips away at full speed under two new cards.
    pub(super) fn evade(game: &CarrierGame, table: &mut Table, evasion: &Evasion, ask: &mut impl Ask) -> Self {
        let side = table.phasing;
        let old = table.carriers[side].real_card().unwrap_or_default();
        for (id, rides) in &evasion.riders {
            let to = if *rides == Rides::Real { evasion.real } else { evasion.decoy };
            table[*id].pos = table[*id].pos + (to - old);
            table.action.moved.put(*id);
        }
        let carrier = &mut table.carriers[side];
        carrier.lay_pair(evasion.real, evasion.decoy);
        carrier.slipped_turn = table.turn;
        carrier.contact_lost = false;
        carrier.detected = false;
        carrier.acted = true;
        for id in table.up(side).iter() {
            table[id].tied_to = 3;
        }
        ask.note(|| {
            Note::new("slips-away", format!("{}'s carrier group slips away under two cards.", game.side_name(side)))
                .by(&[rule::MOVE_CV, rule::R_23, rule::R_65, rule::R_74])
        });
        let mut moving = Self { search: None, under: Squads::NONE, stage: CarrierStage::Moved };
        moving.cover(game, table, 3);
        moving
    }

    /// One or both cards move, and the dice on them ride along.
    fn move_cards(&mut self, game: &CarrierGame, table: &mut Table, to: &BTreeMap<CardId, Point>, ask: &mut impl Ask) {
        let side = table.phasing;
        let before = table.carriers[side].cards;
        let riders = before.map(|card| card.map_or(Squads::NONE, |card| game.riders(table, side, card)));
        let mut moved = 0;
        for (card, point) in to {
            let Some(at) = table.carriers[side].card_at(card.label) else { continue };
            let Some(from) = before[at] else { continue };
            moved |= 1 << at;
            table.carriers[side].cards[at] = Some(*point);
            for id in riders[at].iter() {
                table[id].pos = table[id].pos + (*point - from);
                table.action.moved.put(id);
            }
            ask.note(|| {
                let (course, steam) =
                    (bearing(*point - from), if card.label == CardLabel::Cv { "steam" } else { "steams" });
                Note::new("carrier-moves", format!("{card} {steam} {course}."))
                    .by(&[rule::MOVE_CV, rule::R_9, rule::R_61])
                    .pieces([card.id()])
            });
        }
        table.carriers[side].acted = true;
        table.carriers[side].contact_lost = false;
        self.cover(game, table, moved);
    }

    fn cover(&mut self, game: &CarrierGame, table: &mut Table, moved: u8) {
        table.action.moved_cards = moved;
        let lies_under = |id: &SquadronId| game.moved_card_over(table, *id).is_some();
        self.under = table.up(table.other()).iter().filter(lies_under).collect();
        self.stage = CarrierStage::Moved;
    }

    /// A die under a card slides off or stays and draws fire.
    fn slide(&mut self, game: &CarrierGame, table: &mut Table, id: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let answer = ask.decide(&SlideChoice { id })?;
        self.stage = CarrierStage::Moved;
        self.under.take(id);
        let owner = id.side().other();
        let Some((at, card)) = game.moved_card_over(table, id) else { return Ok(()) };
        if answer == SlideAnswer::Slide {
            table[id].pos = game.rules.geometry.off_card(table[id].pos, card);
            table.action.moved.put(id);
            ask.note(|| {
                Note::new("slides", format!("{id} slides off the card."))
                    .by(&[rule::R_36, rule::R_76])
                    .pieces([id.id()])
            });
            return Ok(());
        }
        ask.note(|| Note::new("stays", format!("{id} stays over the card.")).by(&[rule::R_36]).pieces([id.id()]));
        let real_card = table.carriers[owner].real == Some(at as u8);
        if table[id].is_dummy() {
            if table.carriers[owner].form == Form::Revealed {
                game.expose_by_guns(table, id, ask);
            } else {
                table[id].proved_dummy = true; // A squadron would have detected the card.
            }
            return Ok(());
        }
        if table.carriers[owner].undetected() {
            game.detect_card(table, owner, at, ask);
        }
        if real_card {
            game.bring_under_fire(table, id);
            self.stage = CarrierStage::Flak(id);
        }
        Ok(())
    }

    pub(super) fn search(&self) -> Option<Search> {
        let now = matches!(self.stage, CarrierStage::SearchFirst | CarrierStage::SearchAfter);
        self.search.filter(|_| now).and_then(Planned::search)
    }

    pub(super) fn under_fire(&self) -> Option<SquadronId> {
        if let CarrierStage::Flak(id) = self.stage { Some(id) } else { None }
    }
}

impl Process for CarrierMove {
    fn question(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Asked<()> {
        match self.stage {
            CarrierStage::SearchFirst => {
                self.search
                    .take()
                    .and_then(Planned::search)
                    .map_or(Ok(None), |search| search.numbers(game, table, ask))?;
                self.stage = CarrierStage::ChooseMove;
            }
            CarrierStage::ChooseMove => {
                let chosen = ask.decide(&CvMoveChoice { game, table })?;
                if chosen.to.is_empty() {
                    self.stage = CarrierStage::Over;
                } else {
                    self.move_cards(game, table, &chosen.to, ask);
                }
            }
            CarrierStage::Slide(id) => self.slide(game, table, id, ask)?,
            CarrierStage::Flak(id) => {
                game.flak(table, id, ask)?;
                self.stage = CarrierStage::Moved;
            }
            CarrierStage::NameTarget => {
                self.search.as_mut().map_or(Ok(()), |plan| plan.name(game, table, ask))?;
                self.stage = CarrierStage::SearchAfter;
            }
            CarrierStage::SearchAfter => {
                self.search
                    .take()
                    .and_then(Planned::search)
                    .map_or(Ok(None), |search| search.numbers(game, table, ask))?;
                self.stage = CarrierStage::Over;
            }
            CarrierStage::Moved | CarrierStage::Over => {}
        }
        Ok(())
    }

    /// Asks for the next die under a card, in the order of their names; then comes the search.
    fn run(&mut self, game: &CarrierGame, table: &mut Table, ask: &mut impl Ask) -> Flow {
        match self.stage {
            CarrierStage::Over => return Flow::Done,
            CarrierStage::Moved => {}
            _ => return Flow::Continue,
        }
        let under = table.in_the_air(self.under).iter().find(|id| game.moved_card_over(table, *id).is_some());
        if let Some(id) = under {
            self.stage = CarrierStage::Slide(id);
            return Flow::Continue;
        }
        self.search = self.search.and_then(|plan| plan.begin(game, table, ask));
        self.stage = match self.search {
            Some(Planned { target: Some(_), .. }) => CarrierStage::SearchAfter,
            Some(_) => CarrierStage::NameTarget,
            None => return Flow::Done,
        };
        Flow::Continue
    }
}

impl CarrierGame {
    /// The enemy card that was moved over a die.
    fn moved_card_over(&self, table: &Table, id: SquadronId) -> Option<(usize, Point)> {
        let mut cards = table.carriers[id.side().other()].on_table();
        cards.find(|(at, card)| {
            table.action.moved_cards & (1 << at) != 0 && self.rules.geometry.on_card(table[id].pos, *card)
        })
    }
}
