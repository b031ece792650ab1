//! The referee's table: a game without a fixed order.
//!
//! People push their own pieces and the referee rules on what they do. A [`Table`] is a [`flagplot_kernel::Game`] over
//! the procedures of a system: its state is a list of objects with their sheets, the phase of the turn and what the
//! rules still owe. A step asks the referee for the next deed, then for the dice it needs, and so a table is recorded,
//! replayed, watched and verified like every other game. No rule is written here: a system declares its [`Act`]s, each
//! of which is ruled by one of its procedures.

mod act;
mod consider;
mod deed;
mod facts;
mod figures;
mod game;
mod kept;
mod losses;
mod object;
mod plan;
mod ruling;
mod view;
mod words;

pub use act::{Act, Before, Choices, Count, Extra, Fact, Headline, Keep, Phase, Reading, Role, Unit};
pub use consider::{Chance as ActChance, Considered, FactView, SwitchWorth};
pub use facts::{Cast, Known, Source};
pub use figures::{SheetFigure, field_of, gone_by_counts, sheet_figures};
pub use game::{Table, table_options};
pub use kept::Kept;
pub use losses::{Demand, Stake};
pub use object::{Object, Owed, Part, Place, State};
pub use view::{ActInfo, Force, ObjectView, OwedView, TableInfo, TableView, card_of};

pub use ruling::whereabouts;

/// The refusal of a scenario without known forces.
#[must_use]
pub fn no_such_scenario() -> flagplot_kernel::Refusal {
    flagplot_kernel::Refusal::new("unknown-scenario", "There is no such scenario.").remedy("Choose one from the list.")
}

/// The id of the scenario that is a table.
pub const TABLE: &str = "table";
/// The chairs beside the referee's.
pub const PLAYERS: u8 = 4;
