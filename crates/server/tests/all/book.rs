//! The book names a test for each thing that it promises.

use std::collections::BTreeMap;

const PAGE: &str = include_str!("../../../../docs/src/host/who.md");

/// Whether a source has a test of this name: one with an attribute, or one on the list of those that run on both
/// databases.
fn is_test(source: &str, name: &str) -> bool {
    let Some(at) = source.find(&format!("fn {name}(")) else { return false };
    let attributes = source[..at].rsplit("\n\n").next().unwrap_or_default();
    attributes.contains("#[test]")
        || attributes.contains("#[tokio::test")
        || source.lines().any(|line| line.trim() == name)
}

/// The cell of a line of a table that names its tests.
fn tests_of(line: &str) -> Option<&str> {
    let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
    let tests = cells.rsplit(" | ").next()?;
    (!["test", "| test"].contains(&tests)).then_some(tests)
}

#[test]
fn every_line_of_the_page_names_tests_that_exist() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    for folder in ["src", "tests/all", "../desk/tests/all"] {
        for file in std::fs::read_dir(here.join(folder)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "rs") {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                *sources.entry(name).or_default() += &std::fs::read_to_string(&path).unwrap();
            }
        }
    }
    let mut lines = 0;
    for line in PAGE.lines() {
        let Some(tests) = tests_of(line) else { continue };
        let (mut file, mut named) = ("", 0);
        for word in tests.split('`').skip(1).step_by(2) {
            if word.ends_with(".rs") {
                assert!(sources.contains_key(word), "there is no {word}");
                file = word;
            } else if !word.contains(' ') {
                assert!(sources.get(file).is_some_and(|source| is_test(source, word)), "{file} has no test {word}");
                named += 1;
            }
        }
        assert!(named > 0, "no test holds this line: {line}");
        lines += 1;
    }
    assert!(lines > 30, "{lines}");
}
