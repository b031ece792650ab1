//! placeholder
use super::{Dogfight, State};
use flagplot_kernel::{Answer, Insight, SeatQuestion};
use serde_json::Value;
pub(super) fn explain(_: &Dogfight, _: &State, _: &[Answer], _: &SeatQuestion, _: Option<&Value>) -> Vec<Insight> {
    Vec::new()
}
