//! What a player may want to know before a decision.

use super::{FleetGame, View};
use flagplot_kernel::{Answer, Insight, SeatQuestion};
use serde_json::Value;

impl FleetGame {
    pub(super) fn insights(
        &self,
        view: &View,
        _answers: &[Answer],
        question: &SeatQuestion,
        value: Option<&Value>,
    ) -> Vec<Insight> {
        match question.prompt.code {
            "set-up" => self.setup_insights(view),
            "first-mover" => self.first_mover_insights(view),
            "lay-mines" => self.laying_insights(view, question.seat.side()),
            "contact" => self.contact_move_insights(view, value),
            "orders" => self.order_insights(view, value),
            "torpedoes" => self.torpedo_insights(view, value),
            "flight" => self.flight_insights(view, value),
            "escorts" => self.cover_insights(view, value),
            "interceptors" => self.pounce_insights(view, value),
            "flak" => self.flak_insights(view, value),
            "dive" => self.dive_insights(view, value),
            "actions" => self.action_insights(view, value),
            "contact-acts" => self.contact_insights(view),
            "teams" => self.team_insights(view, value),
            _ => Vec::new(),
        }
    }
}
