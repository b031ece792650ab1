//! What the fuzz targets start from, as it is and spoiled. The targets' own code runs it, so that it cannot rot.

#[path = "../../../../fuzz/odds.rs"]
mod odds;
#[path = "../../../../fuzz/record.rs"]
mod record;
#[path = "../../../../fuzz/referee.rs"]
mod referee;
#[path = "../../../../fuzz/scenario.rs"]
mod scenario;
#[path = "../../../../fuzz/wire.rs"]
mod wire;

use flagplot_catalog::Catalog;
use flagplot_kernel::Chance;
use std::path::Path;
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::built_in);

fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let files = std::fs::read_dir(folder).expect("the seeds").map(|file| file.expect("a seed").path());
    let mut seeds: Vec<_> =
        files.map(|path| (path.display().to_string(), std::fs::read(&path).expect("a seed's bytes"))).collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{target} has no seeds");
    seeds
}

/// Some bytes changed, doubled, dropped or cut off.
fn spoiled(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len().max(1) as u32) as usize;
        match chance.below(4) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = chance.below(256) as u8,
            2 if at < bytes.len() => drop(bytes.remove(at)),
            _ => bytes.splice(at..at, b"-9".iter().copied()).for_each(drop),
        }
    }
    bytes
}

/// Every seed is taken, and a few spoiled ones of each do no harm.
fn replay(target: &str, times: usize, run: impl Fn(&[u8]) -> bool) {
    let mut chance = Chance::seeded(1);
    for (name, bytes) in seeds(target) {
        assert!(run(&bytes), "{name} was refused");
        for _ in 0..times {
            run(&spoiled(&bytes, &mut chance));
        }
    }
}

#[test]
fn requests() {
    replay("referee", 20, |bytes| referee::rule(&CATALOG, bytes));
}

#[test]
fn requests_for_odds() {
    replay("odds", 20, |bytes| odds::count(&CATALOG, bytes));
}

#[test]
fn records() {
    replay("record", 5, |bytes| record::read(&CATALOG, bytes));
}

#[test]
fn scenario_files() {
    replay("scenario", 5, scenario::lay);
}

#[test]
fn answers_on_the_wire() {
    for (name, bytes) in seeds("wire") {
        let taken = wire::answer(&CATALOG, &bytes);
        assert!(taken < wire::POSITIONS.len(), "{name} is an answer to everything");
    }
    let taken: usize = seeds("wire").iter().map(|(_, bytes)| wire::answer(&CATALOG, bytes)).sum();
    assert!(taken > 0, "no seed is an answer to anything");
    let mut chance = Chance::seeded(1);
    for (_, bytes) in seeds("wire") {
        for _ in 0..10 {
            wire::answer(&CATALOG, &spoiled(&bytes, &mut chance));
        }
    }
}
