//! Games played by any answers: what the fuzz target `answers` starts from, as it is and spoiled.

#[path = "../../../../fuzz/answers.rs"]
mod target;

use flagplot_catalog::Catalog;
use flagplot_kernel::Chance;
use std::path::Path;
use target::play;

fn seeds() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/answers");
    let files = std::fs::read_dir(folder).expect("the seeds").map(|file| file.expect("a seed").path());
    let mut seeds: Vec<(String, String)> =
        files.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("a text"))).collect();
    seeds.sort();
    seeds
}

#[test]
fn every_seed_is_played() {
    let catalog = Catalog::built_in();
    for (name, text) in seeds() {
        let taken = play(&catalog, text.as_bytes()).unwrap_or_else(|| panic!("{name} names no game"));
        assert!(taken > 2, "{name}: only {taken} answers were taken");
        assert!(taken < text.lines().count() - 1, "{name}: some answers are to be refused");
    }
}

#[test]
fn spoiled_answers_are_refused_and_change_nothing() {
    let catalog = Catalog::built_in();
    let mut chance = Chance::seeded(1);
    for (_, text) in seeds() {
        for _ in 0..6 {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            for _ in 0..4 {
                let at = 1 + chance.below(lines.len() as u32 - 1) as usize;
                let other = 1 + chance.below(lines.len() as u32 - 1) as usize;
                lines[at] = match chance.below(5) {
                    0 => lines[other].clone(),
                    1 => lines[at].replace(['0', '1'], "-7"),
                    2 => lines[at].chars().rev().collect(),
                    3 => format!("[{}]", lines[at]),
                    _ => chance.below(1000).to_string(),
                };
            }
            assert!(play(&catalog, lines.join("\n").as_bytes()).is_some());
        }
    }
}
