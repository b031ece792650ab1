//! "It is your turn", for people who are not looking.

use crate::live::{App, Live};
use crate::table::Table;
use std::sync::Arc;

/// Tells people who are not looking.
#[derive(Default)]
pub struct Notifier {}

impl Notifier {
    /// A game has changed: whoever has to answer now and does not look is told.
    pub fn turn(&self, _app: &Arc<App>, _live: &Arc<Live>, _table: &Table) {}
}
