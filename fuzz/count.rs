//! How many bytes a fuzz target has been fed, for runs that are to go on for so many.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The file with the count is written whenever so many more have been fed.
const STEP: u64 = 1 << 16;

static FED: AtomicU64 = AtomicU64::new(0);

/// Counts bytes. `fuzz/run` names the file in `FLAGPLOT_FUZZ_COUNT`.
pub fn add(bytes: usize) {
    let before = FED.fetch_add(bytes as u64, Relaxed);
    let after = before + bytes as u64;
    if before / STEP != after / STEP
        && let Some(file) = std::env::var_os("FLAGPLOT_FUZZ_COUNT")
    {
        // A count that could not be written is written the next time.
        let _ = std::fs::write(file, after.to_string());
    }
}
