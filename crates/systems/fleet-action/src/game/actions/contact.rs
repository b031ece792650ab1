//! The activation of a contact: a real one may spot, a dummy may only pass, and nobody sees which was asked. [C-2,
//! C-40]

use crate::game::FleetGame;
use crate::game::id::Id;
use crate::game::state::{Holds, MarkerId, Sea};
use crate::rule;
use flagplot_kernel::{Ask, Asked, Chance, Choice, Die, Menu, Note, Prompt, Refusal, Roll, Seat, Viewer};
use serde::{Deserialize, Serialize};
use std::fmt::Display;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContactAct {
    Pass,
    /// Looks at an enemy contact.
    Spot(Id),
}

/// What does this contact do?
pub(in crate::game) struct ContactActs<'a> {
    pub game: &'a FleetGame,
    pub sea: &'a Sea,
    pub marker: MarkerId,
}

/// The crew quality in the proof of a look would tell which flagship has looked, so only her side reads it. [C-40]
struct Unsigned<'a, A> {
    ask: &'a mut A,
    owner: Viewer,
}

impl<A: Ask> Ask for Unsigned<'_, A> {
    fn roll(&mut self, die: Die, what: impl Display) -> Asked<u8> {
        A::roll(self.ask, die, what)
    }

    fn roll_as<R: Eq>(&mut self, die: Die, what: impl Display, read: impl Fn(u8) -> R) -> Asked<Roll<R>> {
        A::roll_as(self.ask, die, what, read)
    }

    fn decide<C: Choice>(&mut self, choice: &C) -> Asked<C::Value> {
        self.ask.decide(choice)
    }

    fn listening(&self) -> bool {
        self.ask.listening()
    }

    fn record(&mut self, note: Note) {
        let [face] = note.dice[..] else { return self.ask.record(note) };
        let text = format!("d10 {face}: {}", note.outcome.as_str().unwrap_or_default());
        let open = Note::new(note.what, text).by(&note.rules).by(&[rule::C_40]).dice(&[face]);
        self.ask.record(open.outcome(note.outcome.clone()));
        self.ask.record(note.detail().only(self.owner));
    }
}

impl FleetGame {
    pub(super) fn contact_acts(&self, sea: &mut Sea, marker: MarkerId, ask: &mut impl Ask) -> Asked<()> {
        if sea.marker(marker).gone {
            return Ok(());
        }
        let ContactAct::Spot(at) = ask.decide(&ContactActs { game: self, sea, marker })? else { return Ok(()) };
        let Some(contact) = self.find_marker(sea, at.as_str()) else { return Ok(()) };
        let Ok(look) = self.contact_look(sea, marker, contact) else { return Ok(()) };
        let side = sea.marker(marker).side;
        let mut ask = Unsigned { ask, owner: Viewer::Seat(side.into()) };
        let seen = self.look_at(sea, &self.marker_name(marker), self.marker_id(marker).as_str(), &look, &mut ask)?;
        sea.marker_mut(marker).real = true;
        if let (true, Some(Holds::Squadron(held))) = (seen, sea.marker(marker).holds)
            && let Some(&ship) = self.battle.squad(held).vessels.first()
        {
            sea.vessel_mut(ship).ledger.saw = true;
        }
        Ok(())
    }
}

impl Menu for ContactActs<'_> {
    type Option = ContactAct;

    fn seat(&self) -> Seat {
        self.sea.marker(self.marker).side.into()
    }

    fn prompt(&self) -> Prompt {
        let text = format!("Does {} look for an enemy contact?", self.game.marker_name(self.marker));
        Prompt::new("contact-acts", text, rule::C_2)
    }

    fn options(&self) -> Vec<ContactAct> {
        let side = self.sea.marker(self.marker).side;
        let contacts = self.game.contacts(self.sea, side.other());
        let spots = contacts.map(|contact| ContactAct::Spot(self.game.marker_id(contact)));
        std::iter::once(ContactAct::Pass).chain(spots).collect()
    }

    fn label(&self, option: &ContactAct) -> String {
        match option {
            ContactAct::Pass => "Pass".to_owned(),
            ContactAct::Spot(at) => match self.game.find_marker(self.sea, at.as_str()) {
                Some(contact) => {
                    format!("Look at {} (shows that this contact is real)", self.game.marker_name(contact))
                }
                None => "Look".to_owned(),
            },
        }
    }

    fn allow(&self, option: &ContactAct) -> Result<(), Refusal> {
        let ContactAct::Spot(at) = option else { return Ok(()) };
        let side = self.sea.marker(self.marker).side;
        let contact = self.game.enemy_contact(self.sea, side, at)?;
        self.game.contact_look(self.sea, self.marker, contact).map(|_| ())
    }

    fn pieces(&self, option: &ContactAct) -> Vec<String> {
        match option {
            ContactAct::Pass => Vec::new(),
            ContactAct::Spot(at) => vec![at.to_string()],
        }
    }

    fn instinct(&self, _: &mut Chance) -> ContactAct {
        // A surprised squadron gains from being alerted; another one stays hidden.
        let side = self.sea.marker(self.marker).side;
        let surprised = match self.sea.marker(self.marker).holds {
            Some(Holds::Squadron(held)) => self.sea.squadron(held).surprised,
            _ => false,
        };
        let contacts = self.game.contacts(self.sea, side.other());
        let mut spots = contacts.map(|contact| ContactAct::Spot(self.game.marker_id(contact)));
        spots.find(|spot| surprised && self.allow(spot).is_ok()).unwrap_or(ContactAct::Pass)
    }
}
