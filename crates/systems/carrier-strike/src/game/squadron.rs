//! A squadron: where it is, what it is, what is known of it.

use super::piece::Squads;
use crate::words::Role;
use flagplot_kernel::plane::Point;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Where {
    Absent,
    Aboard,
    /// In the air: its die, or a dummy, is on the table.
    Deployed,
    /// Gone, and everybody knows.
    Lost,
    /// Gone, and only its owner knows.
    LostUnseen,
    /// In a view: aboard, or lost unseen.
    OffTable,
}

/// What state a squadron aboard is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deck {
    /// In a view: not known.
    Unknown,
    Landed,
    Refuelled,
    Fighter,
    Strike,
}

impl Deck {
    pub fn ready(self) -> bool {
        matches!(self, Deck::Refuelled | Deck::Fighter | Deck::Strike)
    }
}

/// What was reported of a group when it was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Report {
    /// What it was said to be.
    pub class: Class,
    pub given_for: Squads,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    Fighters,
    Strike,
    Mixture,
    Recce,
}

/// Aircraft a squadron may have lost since it was last seen, as far as public facts tell: at least and at most.
/// What its die lost on this flight counts only if it is no dummy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Unseen {
    /// Before this flight.
    pub before: (u8, u8),
    /// On this flight.
    pub flight: (u8, u8),
}

impl Unseen {
    /// Everything, if it comes to the worst.
    pub const ALL: u8 = 99;

    /// The die has lost some, at least and at most.
    pub fn loses(&mut self, least: u8, most: u8) {
        self.flight = (self.flight.0.saturating_add(least), self.flight.1.saturating_add(most));
    }

    /// The die leaves the table. What it lost is certain if it was known to be real, and nothing if it was known to be
    /// a dummy.
    pub fn ends(&mut self, real: bool, dummy: bool) {
        let (least, most) = self.flight;
        if !dummy {
            self.before =
                (self.before.0.saturating_add(if real { least } else { 0 }), self.before.1.saturating_add(most));
        }
        self.flight = (0, 0);
    }

    /// What was lost by a squadron in the air, or by one aboard.
    pub fn losses(self, flies: bool) -> (u8, u8) {
        let flight = if flies { self.flight } else { (0, 0) };
        (self.before.0.saturating_add(flight.0), self.before.1.saturating_add(flight.1))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Squadron {
    pub place: Where,
    pub strength: u8,
    /// Aircraft as the other side last knew.
    pub last_seen: u8,
    /// Its state aboard, also while a dummy flies for it.
    pub deck: Deck,
    /// The turn its die last left the table; 0 if never.
    pub left_turn: u8,
    /// Its die left as a dummy in everybody's sight: it is refuelled or armed.
    pub known_ready: bool,
    /// It may have been lost with nobody looking.
    pub may_be_lost: bool,
    /// What it may have lost with nobody looking.
    pub unseen: Unseen,
    pub pos: Point,
    pub rl: u8,
    pub role: Option<Role>,
    pub ordnance: Option<bool>,
    /// What it has been seen to be.
    pub shown_role: Option<Role>,
    /// Whether it has spent its ordnance in a strike.
    pub struck: bool,
    pub dummy: Option<bool>,
    /// Everybody knows it is real.
    pub proved_real: bool,
    /// Everybody knows it is a dummy.
    pub proved_dummy: bool,
    /// The cards of the present pair that can be its carrier if it is real: 1 for a, 2 for b.
    pub tied_to: u8,
    pub detected: bool,
    pub report: Option<Report>,
    pub acted: bool,
    pub detect_used: bool,
    pub launched: bool,
    /// Its last action was a flight home from beyond three lengths.
    pub ditched: bool,
}

impl Squadron {
    /// Whether its die, or a dummy, is on the table.
    pub fn up(&self) -> bool {
        self.place == Where::Deployed
    }

    /// Whether it flies, and is no dummy.
    pub fn real(&self) -> bool {
        self.up() && self.dummy == Some(false)
    }

    pub fn is_dummy(&self) -> bool {
        self.up() && self.dummy == Some(true)
    }

    /// Its range die drops by one, but not below 1.
    pub fn burn_fuel(&mut self) {
        self.rl = self.rl.saturating_sub(1).max(1);
    }

    /// Its strength is plain to everybody now.
    pub fn show_strength(&mut self) {
        self.last_seen = self.strength;
        self.unseen = Unseen::default();
    }

    /// Whether its aircraft are on the carrier.
    pub fn aboard(&self) -> bool {
        self.place == Where::Aboard || self.is_dummy()
    }
}
