use super::GroundGame;
use super::state::GroundState;
use flagplot_kernel::{Insight, SeatQuestion};
use serde_json::Value;
pub(super) fn explain(_: &GroundGame, _: &GroundState, _: &SeatQuestion, _: Option<&Value>) -> Vec<Insight> {
    Vec::new()
}
