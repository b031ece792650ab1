//! What a viewer knows, put together fact by fact.

use super::FleetGame;
use super::state::State;
use flagplot_kernel::{Seat, Viewer};
use serde::Serialize;

/// Everything one viewer knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose eyes it is for.
    pub viewer: Viewer,
    /// What can be seen.
    pub seen: State,
}

impl FleetGame {
    pub(super) fn view_of(&self, state: &State, viewer: Viewer) -> View {
        View { viewer, seen: state.clone() }
    }

    pub(super) fn learned_by(&self, before: &View, after: &View, _by: Seat) -> bool {
        before != after
    }
}
