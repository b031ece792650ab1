//! Any bytes as a referee's request: an answer or a refusal, never a panic.

use flagplot_catalog::Catalog;
use flagplot_odds::Budget;
use flagplot_referee::parse;

/// Rules on a request; whether there was a ruling.
pub fn rule(catalog: &Catalog, bytes: &[u8]) -> bool {
    let budget = Budget { branches: 20_000, states: 20_000, ..Budget::USUAL };
    parse(bytes).and_then(|request| catalog.adjudicate(request, || 1, budget)).is_ok()
}
