//! The carriers move, slip away, and steam over enemy dice.

use super::CarrierGame;
use super::action::{Evasion, Rides};
use super::flight_choices::{CvMoveChoice, SlideAnswer, SlideChoice};
use super::piece::{CardId, SquadronId, Squads};
use super::state::{Form, Phase, State};
use crate::rule;
use flagplot_kernel::plane::Point;
use flagplot_kernel::{Ask, Asked, Note};
use std::collections::BTreeMap;

impl CarrierGame {
    /// One or both cards move, and the dice on them ride along. [Move a CV card], R-9
    pub(super) fn move_cards(&self, state: &mut State, to: &BTreeMap<CardId, Point>, ask: &mut impl Ask) {
        let side = state.phasing;
        let before = state.carriers[side].cards;
        let riders = before.map(|card| card.map_or(Squads::NONE, |card| self.riders(state, side, card)));
        let mut moved = 0;
        for (card, point) in to {
            let Some(at) = state.carriers[side].card_at(card.label) else { continue };
            let Some(from) = before[at] else { continue };
            moved |= 1 << at;
            state.carriers[side].cards[at] = Some(*point);
            for id in riders[at].iter() {
                state[id].pos = state[id].pos + (*point - from);
                state.act.touched.put(id);
            }
            ask.note(|| {
                Note::new("carrier-moves", format!("{card} steams to {}, {}.", point.x, point.y))
                    .by(&[rule::MOVE_CV, rule::R_9, rule::R_61])
                    .pieces([card])
            });
        }
        state.carriers[side].acted = true;
        self.begin_slides(state, moved);
    }

    /// The move after a search before it.
    pub(super) fn cv_after_search(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let side = state.phasing;
        let chosen = ask.decide(&CvMoveChoice { game: self, state, side })?;
        if chosen.to.is_empty() {
            state.phase = Phase::Finish;
        } else {
            self.move_cards(state, &chosen.to, ask);
        }
        Ok(())
    }

    /// The group slips away at full speed under two new cards.
    pub(super) fn slip_away(&self, state: &mut State, evasion: &Evasion, ask: &mut impl Ask) {
        let side = state.phasing;
        let Some(old) = state.carriers[side].real_card() else {
            state.phase = Phase::Finish;
            return;
        };
        for (id, rides) in &evasion.riders {
            let to = if *rides == Rides::Real { evasion.real } else { evasion.decoy };
            state[*id].pos = state[*id].pos + (to - old);
            state.act.touched.put(*id);
        }
        let real_first = (evasion.real.x, evasion.real.y) <= (evasion.decoy.x, evasion.decoy.y);
        let carrier = &mut state.carriers[side];
        carrier.form = Form::Hidden;
        carrier.slipped = true;
        carrier.detected = false;
        carrier.cards = if real_first {
            [Some(evasion.real), Some(evasion.decoy)]
        } else {
            [Some(evasion.decoy), Some(evasion.real)]
        };
        carrier.real = Some(u8::from(!real_first));
        carrier.may_be_real = 3;
        carrier.acted = true;
        for id in state.up(side).iter() {
            state[id].tied_to = 3;
        }
        ask.note(|| {
            Note::new("slips-away", format!("{}'s carrier group slips away under two cards.", self.side_name(side)))
                .by(&[rule::MOVE_CV, rule::R_23, rule::R_65, rule::R_74])
        });
        self.begin_slides(state, 3);
    }

    /// Enemy dice now under a moved card.
    fn under(&self, state: &State, id: SquadronId) -> Option<usize> {
        let owner = id.side().other();
        let found = state.carriers[owner].on_table().find(|(at, card)| {
            state.act.moved_cards & (1 << at) != 0 && self.book.geometry.on_card(state[id].pos, *card)
        });
        found.map(|(at, _)| at)
    }

    fn begin_slides(&self, state: &mut State, moved: u8) {
        state.act.moved_cards = moved;
        let enemy = state.other();
        let under: Squads = state.up(enemy).iter().filter(|id| self.under(state, *id).is_some()).collect();
        state.act.slides = under;
        self.next_slide(state);
    }

    /// Asks for the next die under a card, in the order of their names.
    pub(super) fn next_slide(&self, state: &mut State) {
        while let Some(id) = state.act.slides.first() {
            if self.under(state, id).is_some() {
                state.phase = Phase::Slide(id);
                return;
            }
            state.act.slides.take(id);
        }
        state.phase = Phase::Finish;
    }

    /// A die under a card slides off or stays and draws fire.
    pub(super) fn slide(&self, state: &mut State, id: SquadronId, ask: &mut impl Ask) -> Asked<()> {
        let answer = ask.decide(&SlideChoice { id })?;
        state.act.slides.take(id);
        let owner = id.side().other();
        let Some((at, card)) =
            self.under(state, id).and_then(|at| state.carriers[owner].cards[at].map(|card| (at, card)))
        else {
            self.next_slide(state);
            return Ok(());
        };
        match answer {
            SlideAnswer::Slide => {
                state[id].pos = self.book.geometry.off_card(state[id].pos, card);
                state.act.touched.put(id);
                ask.note(|| {
                    Note::new("slides", format!("{id} slides off the card.")).by(&[rule::R_36, rule::R_76]).pieces([id])
                });
            }
            SlideAnswer::Stay => {
                ask.note(|| Note::new("stays", format!("{id} stays over the card.")).by(&[rule::R_36]).pieces([id]));
                let real_card = state.carriers[owner].real == Some(at as u8);
                if state[id].real() && state.carriers[owner].undetected() {
                    self.detect_card(state, owner, at, ask);
                }
                if state[id].real() && real_card {
                    self.bring_under_fire(state, id);
                    return Ok(());
                }
                if state[id].is_dummy() && state.carriers[owner].form == Form::Revealed {
                    ask.note(|| Note::new("exposed-by-guns", "The guns fire at nothing.").detail().by(&[rule::R_39]));
                    self.expose(state, id, ask);
                } else if state[id].is_dummy() {
                    // A squadron would have detected the card.
                    state[id].proved_dummy = true;
                }
            }
        }
        self.next_slide(state);
        Ok(())
    }
}
