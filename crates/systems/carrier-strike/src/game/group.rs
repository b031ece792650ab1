//! A carrier group and its cards.

use super::piece::{CardId, CardLabel};
use flagplot_kernel::Side;
use flagplot_kernel::plane::Point;
use serde::{Deserialize, Serialize};

/// How a carrier group lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Not yet on the table.
    Unplaced,
    /// Face down: two cards, or the one left when the decoy is gone.
    Hidden,
    /// The real card lies open.
    Revealed,
    /// It has left the battle.
    Disengaged,
    /// Sunk.
    Destroyed,
}

/// A carrier group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Carrier {
    /// Hits taken.
    pub hits: u8,
    /// How it lies.
    pub form: Form,
    /// Whether the hidden pair was laid by slipping away.
    pub slipped: bool,
    /// Cards a and b; an open card is the first.
    pub cards: [Option<Point>; 2],
    /// Which of them is real.
    pub real: Option<u8>,
    /// Which may be, as far as everybody knows: 1 for a, 2 for b.
    pub may_be_real: u8,
    /// Detected.
    pub detected: bool,
    /// It has acted this turn.
    pub acted: bool,
    /// It has searched this turn.
    pub detect_used: bool,
    /// It has just been crippled and must still shed what it has no room for.
    pub must_shed: bool,
}

impl Carrier {
    /// Whether it is on the map.
    #[must_use]
    pub fn in_play(&self) -> bool {
        matches!(self.form, Form::Hidden | Form::Revealed)
    }

    /// Where the real card is.
    #[must_use]
    pub fn real_card(&self) -> Option<Point> {
        if !self.in_play() {
            return None;
        }
        self.cards.get(usize::from(self.real?)).copied().flatten()
    }

    /// Hidden, or open without a marker.
    #[must_use]
    pub fn undetected(&self) -> bool {
        self.form == Form::Hidden || (self.form == Form::Revealed && !self.detected)
    }

    /// Its cards on the table.
    pub fn on_table(&self) -> impl Iterator<Item = (usize, Point)> + '_ {
        let shown = self.in_play();
        self.cards.iter().enumerate().filter(move |_| shown).filter_map(|(at, card)| card.map(|card| (at, card)))
    }

    /// The name of one of its cards.
    #[must_use]
    pub fn card_id(&self, side: Side, at: usize) -> CardId {
        let label = match (self.form, at) {
            (Form::Revealed, _) => CardLabel::Cv,
            (_, 0) => CardLabel::A,
            _ => CardLabel::B,
        };
        CardId { side, label }
    }

    /// The number of a card by its label, if it lies on the table.
    #[must_use]
    pub fn card_at(&self, label: CardLabel) -> Option<usize> {
        let at = match (self.form, label) {
            (Form::Hidden, CardLabel::A) | (Form::Revealed, CardLabel::Cv) => 0,
            (Form::Hidden, CardLabel::B) => 1,
            _ => return None,
        };
        self.cards[at].map(|_| at)
    }
}
