//! One game being played: answers are checked, applied and recorded; dice are fair and can be proved so.

mod bot;
mod derived;
mod desk;
mod dice;
mod luck;
mod record;
mod snapshot;
mod words;

pub use bot::{BotError, play_bot};
pub use desk::{Desk, Lines, LogEntry, Picture, Shown, Situation, Waiting};
pub use dice::{Commitment, DiceSource, Joining, Pledge, Secret, Shares, os_random};
pub use luck::{Analysis, ChoiceLoss, LuckSettings, Point, RollLuck, SeatAnalysis, analyse};
pub use record::{DiceLine, Entry, FORMAT, Header, Imported, Record, Verdict};
pub use words::{entry_in_words, in_words, thought_in_words};
