//! One game being played: answers are checked, applied and recorded; dice are fair and can be proved so.

mod bot;
mod derived;
mod desk;
mod dice;
mod glossary;
mod lesson;
mod luck;
mod mean;
pub mod puzzle;
mod record;
pub mod script;
mod snapshot;
mod words;

pub use bot::{BotError, play_bot};
pub use desk::{Desk, Lines, LogEntry, Moment, Picture, Shown, Situation, Waiting};
pub use dice::{Commitment, DiceSource, Joining, Pledge, Secret, Shares, os_random};
pub use glossary::{Term, glossary, marks};
pub use lesson::{Example, Lesson, Shot, Step};
pub use luck::{Analysis, ChoiceLoss, LuckSettings, Point, RollLuck, SeatAnalysis, analyse};
pub use record::{DiceLine, Entry, FORMAT, Header, HintUse, Imported, Record, Verdict};
pub use words::{entry_in_words, in_words, thought_in_words};
