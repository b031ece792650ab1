//! Simulates whole servers, one seed after the other, until something that must hold does not.
//!
//! ```sh
//! cargo run --release -p flagplot-server --example faults -- --from 0 --seeds 100000
//! cargo run --release -p flagplot-server --example faults -- --from 4711 --seeds 1 --trace
//! ```
//!
//! `--planted NAME` plants one of the faults that the simulation has to find, such as `TornWrite`.
//!
//! A seed that fails is printed with everything that happened; the same seed fails in the same way again.

#[path = "../tests/sim/mod.rs"]
mod sim;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

const USAGE: &str = "usage: faults [--from SEED] [--seeds NUMBER] [--trace] [--planted FAULT]";

fn main() -> ExitCode {
    let (mut from, mut seeds, mut trace, mut planted) = (0u64, 1_000u64, false, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok());
        let understood = match word.as_str() {
            "--from" => number(words.next()).map(|seed| from = seed).is_some(),
            "--seeds" => number(words.next()).map(|count| seeds = count).is_some(),
            "--planted" => {
                let name = words.next().unwrap_or_default();
                planted = sim::Planted::ALL.into_iter().find(|fault| format!("{fault:?}") == name);
                planted.is_some()
            }
            "--trace" => {
                trace = true;
                true
            }
            _ => false,
        };
        if !understood {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    if trace {
        for seed in from..from.saturating_add(seeds) {
            let outcome = sim::run(seed, planted);
            println!("seed {seed}\n{}", outcome.trace.join("\n"));
        }
    }
    let count = AtomicU64::new(0);
    let found = sim::search(from..from.saturating_add(seeds), planted, |_| {
        let done = count.fetch_add(1, SeqCst) + 1;
        if done.is_multiple_of(1_000) {
            println!("{done} seeds");
        }
    });
    match found {
        None => {
            println!("{seeds} seeds from {from}: everything held");
            ExitCode::SUCCESS
        }
        Some((seed, outcome)) => {
            println!("{}", outcome.trace.join("\n"));
            println!("\nseed {seed}:");
            outcome.broken.iter().for_each(|what| println!("- {what}"));
            ExitCode::FAILURE
        }
    }
}
