//! All tests of Fleet Action, in one program.

mod agreement;
mod air;
mod bad_input;
mod data;
mod fire;
mod log_lines;
mod luck;
mod manoeuvres;
mod parts;
mod properties;
mod questions;
mod refusals;
mod rules;
mod rulings;
mod sea;
mod secrets;
mod table;
mod trace;
mod tubes;
mod vectors;

use flagplot_fleet_action::{System, files};
use flagplot_referee::answer;
use serde_json::{Value, json};

fn system() -> System {
    System::new(&files()).expect("the data is sound")
}

/// The answer to a request, with more of its fields besides procedure and input.
fn ask(system: &System, procedure: &str, input: &Value, more: Value) -> Value {
    let mut request = json!({"system": "fleet-action", "procedure": procedure, "input": input});
    for (name, value) in more.as_object().expect("an object") {
        request[name] = value.clone();
    }
    answer(system, &request.to_string())
}

/// The data with one passage replaced, which must be refused; the message.
fn broken(file: &str, from: &str, to: &str) -> String {
    let mut files = files();
    let text = files.text(file).expect("the file is there").to_owned();
    assert!(text.contains(from), "{file} has no '{from}'");
    files.lay(file, text.replacen(from, to, 1));
    System::new(&files).err().map(|error| error.to_string()).unwrap_or_default()
}

/// A battle of the data.
fn sea_game(id: &str) -> flagplot_fleet_action::game::FleetGame {
    system().battle(id).expect("the scenario is there")
}
