//! The vectors, all of them.

use super::system;
use flagplot_referee::run_vectors;

#[test]
fn every_vector_agrees() {
    let wrong = run_vectors(&system(), include_str!("../vectors.json"), |_| ());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
