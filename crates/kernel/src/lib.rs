//! The kernel: rules ask, others answer.
//!
//! A rule is a plain function over a plain state. Whenever it needs dice or a decision it calls
//! [`Ask`], and the answerer decides what the program is: a live game ([`Tape`]), a playout
//! ([`Sampler`]), exact odds (the `odds` crate) or a search.
//!
//! Deliberately absent: I/O, clocks, generators inside states, floating point.
#![warn(missing_docs)]
#![deny(clippy::float_arithmetic)]

mod ask;
pub mod card;
mod chance;
pub mod course;
mod course_text;
mod dice;
mod files;
mod game;
pub mod hex;
mod insight;
mod menu;
pub mod plane;
mod question;
mod refusal;
mod rule;
mod sampler;
pub mod scene;
mod seat;
mod silent;
mod table;
mod tape;
mod trace;
pub mod work;

pub use ask::{Ask, Asked, Candidate, Choice, Decision, Pool, Roll, Screen, Sum, Tally, Unanswered, Volley, Volleyed};
pub use chance::Chance;
pub use course_text::COURSE_HELP;
pub use dice::{D6, D10, D20, Die, Faces};
pub use files::{DataError, Files};
pub use game::{Flow, Game, Luck, Outcome, Process, Progress, ScenarioInfo, SeatInfo, Standing, advance, lead};
pub use insight::{Chancy, Curve, Curves, Insight};
pub use menu::Menu;
pub use question::{
    Answer, Form, FormItem, FormPart, FormPlace, FormSum, OptionView, Prompt, Question, Region, SeatQuestion, filled,
    parts_of,
};
pub use refusal::Refusal;
pub use rule::Rule;
pub use sampler::{AtRandom, ByInstinct, Policy, Sampler};
pub use scene::Scene;
pub use seat::{BySide, Seat, Side, Viewer};
pub use silent::Silent;
pub use table::{Axis, Band, Table};
pub use tape::{Dice, DiceFrom, Rolled, Tape};
pub use trace::{Effect, Modifier, Note, TableReading};
