//! Any bytes as the answers of a game: taken or refused, never a panic, and nothing changes by a refusal.
#![no_main]

#[path = "../answers.rs"]
mod answers;

use flagplot_catalog::Catalog;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::built_in);

fuzz_target!(|bytes: &[u8]| {
    let _taken = answers::play(&CATALOG, bytes);
});
