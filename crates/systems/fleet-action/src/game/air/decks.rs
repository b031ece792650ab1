//! Deck work: launching, landing, arming. [C-14, C-44]

use crate::data::StandRole;
use crate::game::FleetGame;
use crate::game::state::{Aloft, Sea, StandId, VesselId};
use crate::rule;
use crate::words::*;
use flagplot_kernel::{Ask, Note, Refusal, Side};

/// The least speed at which a carrier launches and lands.
const FLYING_KNOTS: i32 = 15;

impl FleetGame {
    /// Whether a vessel has a flight deck or a runway.
    pub(in crate::game) fn flies_aircraft(&self, id: VesselId) -> bool {
        self.battle.model(id).sheet.kind.flies()
    }

    /// The carriers and air bases of a side that are in play.
    pub(in crate::game) fn decks<'a>(&'a self, sea: &'a Sea, side: Side) -> impl Iterator<Item = VesselId> + 'a {
        sea.all()
            .filter(move |(id, vessel)| {
                vessel.in_play() && self.battle.member(*id).side == side && self.flies_aircraft(*id)
            })
            .map(|(id, _)| id)
    }

    /// Whether a deck works at all.
    fn deck_open(&self, sea: &Sea, deck: VesselId) -> Result<(), Refusal> {
        let (vessel, member) = (sea.vessel(deck), self.battle.member(deck));
        let refuse = |text: String| Err(Refusal::new("no-handling-left", text).by(rule::C_44));
        if !vessel.in_play() || !self.flies_aircraft(deck) {
            return refuse(format!("{} cannot handle aircraft.", member.name));
        }
        self.fit(sea, deck)?;
        if sea.squadron(member.squadron).surprised {
            let text = format!("{} is surprised and can only spot until her squadron is alerted.", member.name);
            return Err(Refusal::new("surprised", text).by(rule::C_2));
        }
        if vessel.now.s == 0 {
            return Err(
                Refusal::new("no-handling-left", format!("{} has no Structure left.", member.name)).by(rule::C_23)
            );
        }
        if member.placed.as_ref().is_some_and(|placed| placed.towed) {
            return refuse(format!("{} is under tow.", member.name));
        }
        if vessel.now.h == 0 {
            return refuse(format!("{} has no handling left.", member.name));
        }
        Ok(())
    }

    /// Aircraft that the crew of a deck can still handle this turn: half as many while she burns. [C-44]
    fn handling_left(&self, sea: &Sea, deck: VesselId) -> i32 {
        let (vessel, sheet) = (sea.vessel(deck), &self.battle.model(deck).sheet);
        if sheet.kind == Kind::Carrier && vessel.speed < FLYING_KNOTS {
            return 0;
        }
        let most = if vessel.now.fires > 0 { vessel.now.h / 2 } else { vessel.now.h };
        (most - vessel.ledger.handled).max(0)
    }

    /// Aircraft of a stand that can be launched now.
    pub(in crate::game) fn can_launch(&self, sea: &Sea, id: StandId) -> Result<i32, Refusal> {
        let (stand, flight) = (sea.stand(id), self.battle.flight(id));
        let refuse = |code: &'static str, text: String| Err(Refusal::new(code, text).by(rule::C_44));
        let Some(deck) = stand.home else {
            return refuse("not-aboard", format!("{} is not aboard a ship.", flight.name));
        };
        let off = match stand.aloft {
            Aloft::Launching { off } => off,
            // What the scenario lets fly on this turn need not wait for the last of its armourers.
            Aloft::Aboard { ready } if ready >= stand.aircraft || self.promised(sea, id) => 0,
            Aloft::Aboard { .. } => return refuse("not-ready", format!("{} is still being armed.", flight.name)),
            _ => return refuse("not-aboard", format!("{} is not aboard.", flight.name)),
        };
        self.deck_open(sea, deck)?;
        let vessel = sea.vessel(deck);
        let catapults = (vessel.now.catapults - vessel.ledger.catapulted).max(0);
        let most = self.handling_left(sea, deck) + catapults;
        match (stand.aircraft - off).min(most) {
            ..1 => {
                let name = &self.battle.member(deck).name;
                let slow = vessel.speed < FLYING_KNOTS && self.battle.model(deck).sheet.kind == Kind::Carrier;
                let why = if slow {
                    format!("{name} needs {FLYING_KNOTS} knots to launch.")
                } else {
                    format!("{name} has handled all the aircraft she can this turn.")
                };
                refuse("no-handling-left", why)
            }
            number => Ok(number),
        }
    }

    /// Whether a stand aboard is ready on this turn because the scenario says so.
    fn promised(&self, sea: &Sea, id: StandId) -> bool {
        let placed = &self.battle.flight(id).placed;
        placed.arrives > 1 && sea.turn == placed.arrives
    }

    /// The deck on which a stand can land now, and how many of its aircraft.
    pub(in crate::game) fn can_land(&self, sea: &Sea, id: StandId) -> Result<(VesselId, i32), Refusal> {
        let (stand, flight) = (sea.stand(id), self.battle.flight(id));
        let refuse = |code: &'static str, text: String| Err(Refusal::new(code, text).by(rule::C_44));
        let (down, decks): (i32, Vec<VesselId>) = match (stand.aloft, stand.home) {
            (Aloft::Landing { down }, Some(home)) => (down, vec![home]),
            (Aloft::Airborne, home) if !stand.acted => {
                let near = |deck: &VesselId| self.contact(stand.at.point(), self.point(sea, *deck));
                let mut decks: Vec<VesselId> = self.decks(sea, flight.side).filter(near).collect();
                decks.sort_by_key(|deck| Some(*deck) != home);
                (0, decks)
            }
            (Aloft::Airborne, _) => return refuse("already-acted", format!("{} has acted this turn.", flight.name)),
            _ => return refuse("not-airborne", format!("{} is not in the air.", flight.name)),
        };
        let mut reason = None;
        for deck in decks {
            match self.deck_open(sea, deck) {
                Ok(()) if self.handling_left(sea, deck) > 0 => {
                    return Ok((deck, (stand.aircraft - down).min(self.handling_left(sea, deck))));
                }
                Ok(()) => {
                    let text = format!("{} can handle no more aircraft this turn.", self.battle.member(deck).name);
                    reason = Some(Refusal::new("no-handling-left", text).by(rule::C_44));
                }
                Err(refusal) => reason = Some(refusal),
            }
        }
        Err(reason.unwrap_or_else(|| {
            let text = format!("{} must be within contact of a carrier or base of its own to land.", flight.name);
            Refusal::new("not-in-contact", text).by(rule::C_14)
        }))
    }

    /// Launches as many of a stand as can be.
    pub(super) fn launch(&self, sea: &mut Sea, id: StandId, ask: &mut impl Ask) {
        let (Ok(number), Some(deck)) = (self.can_launch(sea, id), sea.stand(id).home) else { return };
        let handled = number.min(self.handling_left(sea, deck));
        let place = sea.vessel(deck).at.at;
        let ledger = &mut sea.vessel_mut(deck).ledger;
        ledger.handled += handled;
        ledger.catapulted += number - handled;
        let stand = sea.stand_mut(id);
        let off = number + if let Aloft::Launching { off } = stand.aloft { off } else { 0 };
        let all = off >= stand.aircraft;
        stand.aloft = if all { Aloft::Airborne } else { Aloft::Launching { off } };
        (stand.at, stand.acted) = (place, true);
        self.count_arming(sea);
        self.tell_deck_work(sea, deck, id, "launches", number, all, ask);
    }

    /// Lands as many of a stand as can be.
    pub(super) fn land(&self, sea: &mut Sea, id: StandId, ask: &mut impl Ask) {
        let Ok((deck, number)) = self.can_land(sea, id) else { return };
        let place = sea.vessel(deck).at.at;
        sea.vessel_mut(deck).ledger.handled += number;
        let stand = sea.stand_mut(id);
        let down = number + if let Aloft::Landing { down } = stand.aloft { down } else { 0 };
        let all = down >= stand.aircraft;
        stand.aloft = if all { Aloft::Aboard { ready: 0 } } else { Aloft::Landing { down } };
        (stand.at, stand.home, stand.acted, stand.flak) = (place, Some(deck), true, 0);
        self.count_arming(sea);
        self.tell_deck_work(sea, deck, id, "lands", number, all, ask);
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one sentence")]
    fn tell_deck_work(
        &self,
        sea: &Sea,
        deck: VesselId,
        id: StandId,
        verb: &str,
        number: i32,
        all: bool,
        ask: &mut impl Ask,
    ) {
        let (member, flight) = (self.battle.member(deck), self.battle.flight(id));
        let whole = sea.stand(id).aircraft;
        ask.note(|| {
            let so_far = if all { String::new() } else { format!(" of {whole}; the rest must wait") };
            let text = format!("{} {verb} {number} aircraft of {}{so_far}", member.name, flight.name);
            Note::new("deck-work", text).by(&[rule::C_44]).pieces([&member.id, &flight.id]).outcome(number)
        });
    }

    /// Counts the stands aboard each ship that are not ready, which is what burns. [C-44]
    pub(in crate::game) fn count_arming(&self, sea: &mut Sea) {
        for at in 0..sea.vessels.len() {
            let deck = VesselId(at as u8);
            if !self.flies_aircraft(deck) {
                continue;
            }
            let arming = |stand: &&crate::game::state::Stand| match stand.aloft {
                Aloft::Aboard { ready } => ready < stand.aircraft,
                Aloft::Launching { .. } | Aloft::Landing { .. } => true,
                _ => false,
            };
            let aboard = sea.stands.iter().filter(|stand| stand.home == Some(deck) && stand.aircraft > 0);
            sea.vessels[at].now.rearming = aboard.filter(arming).count() as i32;
        }
    }

    /// The end of a turn on deck: aircraft are armed and fuelled, stand by stand in the order of the list. [C-48, 7.9]
    pub(in crate::game) fn ready_stands(&self, sea: &mut Sea) {
        for at in 0..sea.vessels.len() {
            let deck = VesselId(at as u8);
            if !self.flies_aircraft(deck) || !sea.vessels[at].in_play() {
                continue;
            }
            let mut crews = sea.vessels[at].now.rrr;
            for number in 0..sea.stands.len() {
                let id = StandId(number as u8);
                let stand = &mut sea.stands[number];
                let Aloft::Aboard { ready } = stand.aloft else { continue };
                if stand.home != Some(deck) || ready >= stand.aircraft || crews < 1 {
                    continue;
                }
                let more = crews.min(stand.aircraft - ready);
                crews -= more;
                stand.aloft = Aloft::Aboard { ready: ready + more };
                let flight = self.battle.flight(id);
                if ready + more >= stand.aircraft {
                    stand.loaded = flight.placed.role == StandRole::Loaded;
                }
            }
        }
        self.count_arming(sea);
    }
}
