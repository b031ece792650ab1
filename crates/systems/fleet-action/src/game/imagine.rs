//! Worlds that a viewer cannot tell from the true one. [C-38, C-40, C-52]

use super::state::State;
use super::{FleetGame, View};
use flagplot_kernel::Chance;

impl FleetGame {
    pub(super) fn imagined(&self, view: &View, _chance: &mut Chance) -> State {
        view.seen.clone()
    }
}
