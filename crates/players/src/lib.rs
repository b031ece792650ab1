//! Players made of code. They see a view and the worlds imagined from it, never a state of the real game.
//!
//! The way in is [`think`]: what a [`PlayerKind`] answers, from a view. Inside, every policy works on a [`Knowledge`],
//! whose only states are imagined [`World`]s; that a policy cannot reach another one is kept by the compiler.

mod balance;
mod clock;
mod exploit;
mod kind;
mod knowledge;
mod parallel;
mod policy;
mod probe;
mod search;
mod tournament;
mod weigh;

pub use balance::{Balance, Bounds, Exploited, Finding, Games, Study, balance};
pub use clock::Clock;
pub use exploit::{Exploit, exploit};
pub use kind::{Budget, PlayerKind};
pub use knowledge::{Knowledge, World};
pub use parallel::side_by_side;
pub use policy::{Alternative, Habit, Playout, Thought, contest, contest_by, playout, think};
pub use search::{Settings, search};
pub use tournament::{Match, Rating, Tournament, tournament, wilson};
pub use weigh::{Comparison, compare, weigh, worth};
