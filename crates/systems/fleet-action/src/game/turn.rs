//! The order of the turn and the initiative. [6]

use super::FleetGame;
use super::state::{Phase, Sea, State};
use flagplot_kernel::{Ask, Asked};

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
    /// Goes on to the next phase in which there is something to do. The end of a turn decides by itself whether there is
    /// another one.
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
    pub(super) fn step_initiative(&self, state: &mut State, _ask: &mut impl Ask) -> Asked<()> {
        self.after(Stop::Initiative, state);
        Ok(())
    }
}
