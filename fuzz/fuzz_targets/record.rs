#![no_main]

#[path = "../count.rs"]
mod counter;
#[path = "../record.rs"]
mod record;

use flagplot_catalog::Catalog;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::built_in);

fuzz_target!(|bytes: &[u8]| {
    counter::add(bytes.len());
    let _done = record::read(&CATALOG, bytes);
});
