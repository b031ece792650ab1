//! The vectors, all of them.

use flagplot_fleet_action::{System, files};
use flagplot_referee::run_vectors;

#[test]
fn every_vector_agrees() {
    let system = System::new(&files()).expect("the data is sound");
    let wrong = run_vectors(&system, include_str!("vectors.json"), |_| ());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
