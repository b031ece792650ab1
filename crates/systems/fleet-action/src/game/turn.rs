//! The order of the turn and the initiative. [6]

use super::FleetGame;
use super::battle::{Hull, side};
use super::state::{Aloft, Mood, Phase, Sea, State};
use crate::words::{Holder, SideName};
use crate::{initiative, rule};
use flagplot_kernel::{Ask, Asked, Chance, Menu, Note, Prompt, Seat, Side};

/// The phases in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    SetUp,
    Initiative,
    Mines,
    Submarines,
    Ships,
    Aircraft,
    Actions,
    End,
}

impl Stop {
    /// What comes after it; the next turn begins with the initiative.
    fn next(self) -> Stop {
        match self {
            Stop::SetUp | Stop::End => Stop::Initiative,
            Stop::Initiative => Stop::Mines,
            Stop::Mines => Stop::Submarines,
            Stop::Submarines => Stop::Ships,
            Stop::Ships => Stop::Aircraft,
            Stop::Aircraft => Stop::Actions,
            Stop::Actions => Stop::End,
        }
    }
}

impl FleetGame {
    /// Goes on to the next phase in which there is something to do. The end of a turn decides by itself whether there
    /// is another one.
    pub(super) fn after(&self, done: Stop, state: &mut State) {
        let mut stop = done.next();
        loop {
            match self.enter(stop, &mut state.sea) {
                Some(phase) => {
                    state.phase = phase;
                    return;
                }
                None => stop = stop.next(),
            }
        }
    }

    /// The phase as it begins, if there is something to do in it.
    fn enter(&self, stop: Stop, sea: &mut Sea) -> Option<Phase> {
        match stop {
            Stop::SetUp => self.begin_setup(sea).map(Phase::SetUp),
            Stop::Initiative => Some(Phase::Initiative),
            Stop::Mines => self.begin_mines(sea).map(Phase::Mines),
            Stop::Submarines => self.begin_submarines(sea).map(Phase::Submarines),
            Stop::Ships => self.begin_ships(sea).map(Phase::Ships),
            Stop::Aircraft => self.begin_aircraft(sea).map(Phase::Aircraft),
            Stop::Actions => self.begin_actions(sea).map(Phase::Actions),
            Stop::End => Some(Phase::End(self.begin_end(sea))),
        }
    }

    /// The state before the first step.
    pub(super) fn first_state(&self) -> State {
        let mut sea = self.fresh_sea();
        let phase = self.enter(Stop::SetUp, &mut sea).unwrap_or(Phase::Initiative);
        State { sea, phase }
    }

    /// Both roll for the initiative; the winner says who moves first. [6.1]
    pub(super) fn step_initiative(&self, state: &mut State, ask: &mut impl Ask) -> Asked<()> {
        let sea = &mut state.sea;
        let winner = match self.given_initiative(sea) {
            Some(side) => {
                ask.note(|| {
                    let text = format!("{} has the initiative this turn", self.battle.side_name(side));
                    Note::new("initiative", text).by(&[rule::S6_1, rule::C_50])
                });
                side
            }
            None => self.roll_initiative(sea, ask)?,
        };
        let first = if Side::BOTH.iter().all(|side| self.has_moves(sea, *side)) {
            side(ask.decide(&FirstMover { game: self, winner })?)
        } else {
            winner
        };
        ask.note(|| {
            let (winner, first) = (self.battle.side_name(winner), self.battle.side_name(first));
            Note::new("first-mover", format!("{winner} has the initiative; {first} moves first")).by(&[rule::S6_1])
        });
        (sea.holder, sea.first) = (Some(winner), first);
        self.after(Stop::Initiative, state);
        Ok(())
    }

    /// The side that the scenario gives the initiative on this turn.
    fn given_initiative(&self, sea: &Sea) -> Option<Side> {
        let given = self.battle.scenario.initiative.iter().find(|given| given.turn == sea.turn)?;
        Some(side(given.side))
    }

    fn roll_initiative(&self, sea: &Sea, ask: &mut impl Ask) -> Asked<Side> {
        let holder = match sea.holder.unwrap_or_else(|| side(self.battle.scenario.first)) {
            Side::First => Holder::A,
            Side::Second => Holder::B,
        };
        let totals = Side::BOTH.map(|side| self.command_total(sea, side));
        let names = Side::BOTH.map(|side| self.battle.side_name(side));
        let result = initiative::roll(&self.battle.rules, totals, holder, names, ask)?;
        Ok(side(result.winner))
    }

    /// The command values of a side's squadrons that still have a member that is not broken. [6.1]
    pub(super) fn command_total(&self, sea: &Sea, side: Side) -> i32 {
        let squadrons = self.battle.squadrons.iter().zip(&sea.squadrons);
        let fit = squadrons.filter(|(squad, _)| {
            let ships = || squad.vessels.iter().map(|id| sea.vessel(*id));
            squad.side == side
                && (ships().any(|ship| ship.now.afloat() && !ship.left && ship.mood != Mood::Broken)
                    || squad.stands.iter().any(|id| sea.stand(*id).aloft != Aloft::Gone && sea.stand(*id).aircraft > 0))
        });
        fit.map(|(_, now)| now.command).sum()
    }

    /// Whether a side has anything that moves this turn.
    fn has_moves(&self, sea: &Sea, side: Side) -> bool {
        let stands = self.battle.stands.iter().zip(&sea.stands);
        let flies = |(flight, stand): (&super::battle::Flight, &super::state::Stand)| {
            flight.side == side && stand.aircraft > 0 && stand.aloft != Aloft::Gone
        };
        let ships = || {
            let mut ships = sea.all().filter(|(id, _)| self.battle.member(*id).side == side);
            ships.any(|(id, ship)| ship.in_play() && self.battle.model(id).hull != Hull::Submarine)
        };
        ships() || self.contacts(sea, side).next().is_some() || stands.into_iter().any(flies)
    }
}

/// Which side moves first this turn.
struct FirstMover<'a> {
    game: &'a FleetGame,
    winner: Side,
}

impl Menu for FirstMover<'_> {
    type Option = SideName;

    fn seat(&self) -> Seat {
        self.winner.into()
    }

    fn prompt(&self) -> Prompt {
        Prompt::new("first-mover", "You have the initiative. Which side moves first this turn?", rule::S6_1)
    }

    fn options(&self) -> Vec<SideName> {
        // To move last is to answer what the enemy did, so that comes first.
        match self.winner {
            Side::First => vec![SideName::B, SideName::A],
            Side::Second => vec![SideName::A, SideName::B],
        }
    }

    fn label(&self, option: &SideName) -> String {
        let name = self.game.battle.side_name(side(*option));
        if side(*option) == self.winner { format!("{name} (you)") } else { name.to_owned() }
    }

    fn instinct(&self, _: &mut Chance) -> SideName {
        match self.winner {
            Side::First => SideName::B,
            Side::Second => SideName::A,
        }
    }
}
