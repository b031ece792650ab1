//! The procedures of the referee, in the order of a turn.

mod bets;
mod combat;
mod edges;
mod ending;
mod moving;
mod order;

use crate::Rules;
use crate::damage::Boxes;
use crate::words::{Alliance, Pitch};
use flagplot_kernel::Refusal;
use flagplot_referee::{AnyProcedure, Field, Shape, int, list, nullable, or, record, req, text, tuple, word};
use serde_json::Value;
use std::sync::Arc;

/// Declares a procedure: its types, what it says of itself, what it refuses and how it rules.
macro_rules! procedure {
    ($(#[$doc:meta])* $name:ident($input:ty) -> $output:ty { about: $about:expr, check($rules:ident, $facts:ident) $check:block run($run_rules:ident, $run_facts:ident, $ask:ident) $run:block $(odds $odds:path)? }) => {
        $(#[$doc])*
        pub(super) struct $name(pub(super) std::sync::Arc<crate::Rules>);
        impl flagplot_referee::OldProcedure for $name {
            type Input = $input;
            type Output = $output;
            fn about(&self) -> flagplot_referee::About {
                $about
            }
            fn check(&self, $facts: &$input) -> Result<(), flagplot_kernel::Refusal> {
                let $rules: &crate::Rules = &self.0;
                let _ = &$rules;
                $check
            }
            fn run(&self, $run_facts: &$input, $ask: &mut impl flagplot_kernel::Ask) -> Result<$output, flagplot_referee::Halt> {
                let $run_rules: &crate::Rules = &self.0;
                let _ = &$run_rules;
                $run
            }
            $(fn odds(&self, input: &$input, wanted: Option<&str>, budget: flagplot_odds::Budget<'_>) -> Result<flagplot_referee::FieldOdds, flagplot_referee::Halt> {
                $odds(&self.0, input, wanted, budget)
            })?
        }
    };
}
pub(crate) use procedure;

/// Every procedure.
pub(crate) fn all(rules: &Arc<Rules>) -> Vec<Box<dyn AnyProcedure>> {
    let r = || Arc::clone(rules);
    vec![
        Box::new(edges::PositionBonus(r())),
        Box::new(edges::Carryover(r())),
        Box::new(edges::EdgeAdjustment(r())),
        Box::new(edges::EdgeRecording(r())),
        Box::new(order::InitiativeOrder(r())),
        Box::new(moving::MovementPoints(r())),
        Box::new(moving::ClimbDive(r())),
        Box::new(moving::BetLevel(r())),
        Box::new(bets::Bet(r())),
        Box::new(bets::BetFailure(r())),
        Box::new(bets::Spin(r())),
        Box::new(ending::Power(r())),
        Box::new(ending::Drag(r())),
        Box::new(ending::Stress(r())),
        Box::new(ending::StallSpin(r())),
        Box::new(ending::EndOfMove(r())),
        Box::new(combat::FireRange(r())),
        Box::new(combat::Fire(r())),
        Box::new(combat::Attack(r())),
        Box::new(combat::Damage(r())),
        Box::new(combat::CriticalHit(r())),
        Box::new(combat::EngineSmoke(r())),
        Box::new(combat::FireDamage(r())),
        Box::new(combat::VictoryPoints(r())),
    ]
}

/// Limits of what anybody will ever write on a log sheet.
const SPEED: (i64, i64) = (0, 99);
const SKILL: (i64, i64) = (-99, 99);
const EDGE: (i64, i64) = (-999, 999);
const LEVEL: (i64, i64) = (1, 99);

fn speed() -> Shape {
    int(SPEED.0, SPEED.1)
}

fn skill(name: &'static str, help: &'static str) -> Field {
    or(name, int(SKILL.0, SKILL.1), 0, help)
}

fn count(name: &'static str, help: &'static str) -> Field {
    or(name, int(0, 99), 0, help)
}

fn flag(name: &'static str, help: &'static str) -> Field {
    or(name, flagplot_referee::bool(), false, help)
}

fn maybe(name: &'static str, shape: Shape, help: &'static str) -> Field {
    or(name, nullable(shape), Value::Null, help)
}

fn id() -> Shape {
    text(40)
}

fn side(name: &'static str) -> Field {
    req(name, word(Alliance::WORDS), "whose it is")
}

fn position() -> Shape {
    record(vec![
        req("hex", tuple(vec![int(-999, 999), int(-999, 999)]), "the hex, as [q, r]"),
        req("facing", nullable(int(0, 5)), "the edge it is on, 0 north and clockwise; null in the middle"),
        req("level", int(LEVEL.0, LEVEL.1), "the level"),
        or("pitch", word(Pitch::WORDS), "level", "whether it is leaving the level"),
    ])
}

fn boxes() -> Field {
    req("boxes", list(text(64), 0, 64), "the damage boxes, one text of . / X # for each set")
}

fn boxes_shape() -> Shape {
    list(text(64), 1, 8)
}

/// Boxes whose signs have been checked.
fn parsed(boxes: &[String]) -> Result<Boxes, Refusal> {
    Boxes::parse(boxes)
}
