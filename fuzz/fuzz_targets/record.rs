//! Any bytes as a record: what is read must be written the same, and what verifies must replay.
#![no_main]

use flagplot_catalog::Catalog;
use flagplot_desk::Record;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::built_in);

fuzz_target!(|bytes: &[u8]| {
    if let Ok(record) = Record::parse(bytes) {
        assert_eq!(Record::parse(record.to_text().as_bytes()).as_ref(), Ok(&record));
        if record.verify(&CATALOG).is_ok() {
            assert!(record.replay(&CATALOG, None).is_ok());
        }
    }
});
