//! The board. [section 18]

use super::{FleetGame, View};
use flagplot_kernel::Scene;

impl FleetGame {
    pub(super) fn draw(&self, _view: &View) -> Scene {
        Scene::default()
    }
}
