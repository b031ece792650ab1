//! A carrier group and its cards.

use super::piece::{CardId, CardLabel};
use flagplot_kernel::Side;
use flagplot_kernel::plane::Point;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Not yet on the table.
    Unplaced,
    /// Face down: two cards, or the one left when the decoy is gone.
    Hidden,
    /// The real card lies open.
    Revealed,
    Disengaged,
    Destroyed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Carrier {
    pub hits: u8,
    pub form: Form,
    /// The turn in which the hidden pair was laid by slipping away; 0 if it was not.
    pub slipped_turn: u8,
    /// Its marker has lapsed, and it has neither moved nor been detected since: it can slip away.
    pub contact_lost: bool,
    /// Cards a and b; an open card is the first.
    pub cards: [Option<Point>; 2],
    pub real: Option<u8>,
    /// Which may be, as far as everybody knows: 1 for a, 2 for b.
    pub may_be_real: u8,
    pub detected: bool,
    pub acted: bool,
    pub detect_used: bool,
    /// It has just been crippled and must still shed what it has no room for.
    pub must_shed: bool,
}

impl Carrier {
    /// Lays the real card and a decoy face down, labelled by where they lie: a is the western one.
    pub fn lay_pair(&mut self, real: Point, decoy: Point) {
        let real_first = (real.x, real.y) <= (decoy.x, decoy.y);
        self.form = Form::Hidden;
        self.cards = if real_first { [Some(real), Some(decoy)] } else { [Some(decoy), Some(real)] };
        self.real = Some(u8::from(!real_first));
        self.may_be_real = 3;
    }

    pub fn in_play(&self) -> bool {
        matches!(self.form, Form::Hidden | Form::Revealed)
    }

    pub fn real_card(&self) -> Option<Point> {
        if !self.in_play() {
            return None;
        }
        self.cards.get(usize::from(self.real?)).copied().flatten()
    }

    /// Hidden, or open without a marker.
    pub fn undetected(&self) -> bool {
        self.form == Form::Hidden || (self.form == Form::Revealed && !self.detected)
    }

    pub fn on_table(&self) -> impl Iterator<Item = (usize, Point)> + '_ {
        let shown = self.in_play();
        self.cards.iter().enumerate().filter(move |_| shown).filter_map(|(at, card)| card.map(|card| (at, card)))
    }

    pub fn card_id(&self, side: Side, at: usize) -> CardId {
        let label = match (self.form, at) {
            (Form::Revealed, _) => CardLabel::Cv,
            (_, 0) => CardLabel::A,
            _ => CardLabel::B,
        };
        CardId { side, label }
    }

    /// The number of a card by its label, if it lies on the table.
    pub fn card_at(&self, label: CardLabel) -> Option<usize> {
        let at = match (self.form, label) {
            (Form::Hidden, CardLabel::A) | (Form::Revealed, CardLabel::Cv) => 0,
            (Form::Hidden, CardLabel::B) => 1,
            _ => return None,
        };
        self.cards[at].map(|_| at)
    }
}
