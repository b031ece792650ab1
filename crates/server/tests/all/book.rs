//! The book names a test for what it promises.

const PAGE: &str = include_str!("../../../../docs/src/host/who.md");

#[test]
fn the_tests_that_the_book_names_exist() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    let mut files = Vec::new();
    for folder in [here.join("tests/all"), here.join("../desk/tests/all")] {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "rs") {
                sources.push_str(&std::fs::read_to_string(&path).unwrap());
                files.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let mut named = 0;
    for name in PAGE.split('`').skip(1).step_by(2) {
        let test = name.contains('_') && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if name.ends_with(".rs") && !name.contains('/') {
            assert!(files.contains(&name.to_owned()), "there is no {name}");
            named += 1;
        } else if test && name != "game_id" {
            assert!(sources.contains(&format!("fn {name}(")), "there is no test {name}");
            named += 1;
        }
    }
    assert!(named > 20, "{named}");
}
