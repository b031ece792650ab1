//! Any bytes as a record: what is read must be written the same, and what verifies must replay.

use flagplot_catalog::Catalog;
use flagplot_desk::Record;

/// Reads a record; whether it verifies.
///
/// # Panics
/// If it is written otherwise than it was read, or verifies and does not replay.
pub fn read(catalog: &Catalog, bytes: &[u8]) -> bool {
    let Ok(record) = Record::parse(bytes) else { return false };
    assert_eq!(Record::parse(record.to_text().as_bytes()).as_ref(), Ok(&record));
    let verified = record.verify(catalog).is_ok();
    if verified {
        assert!(record.replay(catalog, None).is_ok(), "what verifies can be replayed");
    }
    verified
}
