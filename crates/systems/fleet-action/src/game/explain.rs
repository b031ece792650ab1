//! What a player may want to know before a decision.

use super::{FleetGame, View};
use flagplot_kernel::{Answer, Insight, SeatQuestion};
use serde_json::Value;

impl FleetGame {
    pub(super) fn insights(
        &self,
        _view: &View,
        _answers: &[Answer],
        question: &SeatQuestion,
        _value: Option<&Value>,
    ) -> Vec<Insight> {
        match question.prompt.code {
            _ => Vec::new(),
        }
    }
}
