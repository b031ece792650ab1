//! One game being played: answers are checked, applied and recorded; dice are fair and can be proved so.

mod desk;
mod dice;
mod record;

pub use desk::{Desk, LogEntry, Situation, Waiting};
pub use dice::{Commitment, DiceSource, Secret, os_random};
pub use record::{DiceLine, Entry, Header, Record, Verdict};
