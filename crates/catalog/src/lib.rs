//! The systems behind one erased interface: the rest of the program never names a system's types.

mod erased;
mod systems;

pub use erased::{AnyGame, AnyState, Position};
pub use flagplot_players::{
    Alternative, Budget, Clock, Comparison, Match, PlayerKind, Playout, Rating, Settings, Thought, Tournament,
    tournament,
};
pub use flagplot_referee::LibraryItem;
pub use flagplot_referee::table::{TABLE, TableInfo, table_options};
pub use systems::{Catalog, GameSystem, RulesVersion};
