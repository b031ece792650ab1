//! The public vectors and the corpus of bad requests.

use flagplot_referee::{answer, run_vectors};
use flagplot_schiffskrieg::{System, files};
use serde::Deserialize;

fn system() -> System {
    System::new(&files()).expect("the built-in data is right")
}

#[test]
fn every_vector_agrees() {
    let wrong = run_vectors(&system(), include_str!("vectors.json"), |_| ());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    code: String,
    request: String,
}

#[test]
fn every_bad_request_gets_its_code_and_a_sentence() {
    let corpus: Corpus = toml::from_str(include_str!("bad_input.toml")).unwrap();
    let system = system();
    assert!(corpus.case.len() >= 55);
    for case in corpus.case {
        if case.code == "unknown-system" {
            continue; // The system is looked up before this one is asked.
        }
        let answer = answer(&system, &case.request);
        assert_eq!(answer["error"]["code"], case.code.as_str(), "{}: {answer}", case.id);
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.len() > 10), "{}", case.id);
    }
}
