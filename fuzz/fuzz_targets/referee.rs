//! Any bytes as a referee's request: an answer or a refusal, never a panic.
#![no_main]

use flagplot_catalog::Catalog;
use flagplot_odds::Budget;
use flagplot_referee::parse;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::built_in);

fuzz_target!(|bytes: &[u8]| {
    let budget = Budget { branches: 20_000, states: 20_000, give_up: None };
    let _answer = parse(bytes).and_then(|request| CATALOG.adjudicate(request, || 1, budget));
});
