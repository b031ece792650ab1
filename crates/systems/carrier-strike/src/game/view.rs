//! What a viewer knows: the state with everything taken out that is not his to see.

use super::CarrierGame;
use super::piece::SquadronId;
use super::state::{Deck, Form, Phase, State, Where};
use crate::walk::{Course, Waypoints};
use crate::words::Role;
use flagplot_kernel::{Seat, Side, Viewer};
use serde::Serialize;

/// Everything one viewer knows and remembers. Unknown facts are null, `unknown` or `off-table`;
/// an enemy strength is the one last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose eyes it is for.
    pub viewer: Viewer,
    /// What can be seen.
    pub seen: State,
}

impl CarrierGame {
    pub(super) fn view_of(&self, state: &State, viewer: Viewer) -> View {
        let mut seen = state.clone();
        for side in Side::BOTH {
            if !viewer.sees(Seat::from(side)) {
                self.hide(&mut seen, side);
            }
        }
        View { viewer, seen }
    }

    /// Takes out what only a side itself knows.
    fn hide(&self, state: &mut State, side: Side) {
        let laying = matches!(state.phase, Phase::Cards(_));
        let carrier = &mut state.carriers[side];
        if laying {
            carrier.form = Form::Unplaced;
            carrier.cards = [None; 2];
            carrier.may_be_real = 3;
            carrier.detected = false;
        }
        carrier.real = match (carrier.form, carrier.may_be_real) {
            (Form::Hidden, 1) | (Form::Revealed, _) => Some(0),
            (Form::Hidden, 2) => Some(1),
            _ => None,
        };
        for id in SquadronId::of(side) {
            let squadron = &mut state[id];
            squadron.strength = squadron.last_seen;
            match squadron.place {
                Where::Absent | Where::Lost => continue,
                Where::Deployed => {
                    let known_real = squadron.detected || squadron.proved_real || id.is_recce();
                    squadron.deck = Deck::Unknown;
                    squadron.role = if id.is_recce() { Some(Role::Recce) } else { squadron.shown_role };
                    squadron.ordnance =
                        if id.is_recce() || squadron.struck || squadron.shown_role == Some(Role::Fighter) {
                            Some(false)
                        } else {
                            None
                        };
                    squadron.dummy = if known_real {
                        Some(false)
                    } else if squadron.proved_dummy {
                        Some(true)
                    } else {
                        None
                    };
                }
                Where::Aboard | Where::LostUnseen | Where::OffTable => {
                    squadron.place = Where::OffTable;
                    squadron.deck = Deck::Unknown;
                    squadron.role = None;
                    squadron.ordnance = None;
                    squadron.dummy = None;
                    squadron.acted = false;
                    squadron.detect_used = false;
                    squadron.launched = false;
                }
            }
        }
        if state.phasing == side {
            state.act.planned = None;
            if let Some(walk) = &mut state.walk
                && walk.main
            {
                let mut course = Course::new(walk.course.lead, Waypoints::default());
                course.flown = walk.course.flown;
                walk.course = course;
            }
        }
    }
}
