//! Two server processes on one PostgreSQL, one seat at each.

use crate::common::Database;
use crate::common::process::{Server, ask, ask_text, is_server, seated, states};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// A seat that knows its own server only: it learns by its stream and answers there. Gives the last state.
fn play(address: SocketAddr, game: &str, seat: usize, token: &str, most: usize) -> (Value, usize) {
    let mut given = 0;
    for state in states(address, game, token) {
        if !state["situation"]["outcome"].is_null() {
            return (state, given);
        }
        let Some(options) = state["situation"]["question"]["options"].as_array() else { continue };
        if given >= most && seat == 0 {
            ask(address, "POST", &format!("/api/games/{game}/resign"), token, &Value::Null).expect("the server is up");
            continue;
        }
        let body = json!({ "id": format!("{seat}-{given}"), "at": state["situation"]["at"],
            "value": options[given * 5 % options.len()]["value"] });
        let (status, reply) =
            ask(address, "POST", &format!("/api/games/{game}/answer"), token, &body).expect("the server is up");
        // The other seat may have been faster; the stream brings the new position.
        assert!(status == 200 || reply["error"]["code"] == "moved-on", "{status}: {reply}");
        given += usize::from(status == 200);
    }
    panic!("the stream of seat {seat} ended before the game did");
}

#[test]
fn a_game_with_one_seat_at_each_of_two_processes() {
    if is_server() {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let Some(database) = runtime.block_on(Database::postgres()) else {
        eprintln!("not run: FLAGPLOT_TEST_POSTGRES names no server");
        return;
    };
    let mut servers = [Server::start(&database.address), Server::start(&database.address)];
    assert_ne!(servers[0].id(), servers[1].id());
    let wish = json!({ "system": "dogfite", "scenario": "guynemer-udet-1917",
        "seats": [{ "kind": "human" }, { "kind": "human" }], "own": [0, 1] });
    let (game, tokens) = seated(servers[0].address, &wish);
    let seats: Vec<_> = (0..2)
        .map(|seat| {
            let (address, game, token) = (servers[seat].address, game.clone(), tokens[seat].clone());
            std::thread::spawn(move || play(address, &game, seat, &token, 30))
        })
        .collect();
    let ends: Vec<_> = seats.into_iter().map(|seat| seat.join().unwrap()).collect();
    assert!(
        ends.iter().all(|(_, given)| *given >= 10),
        "each seat has answered at its own process: {:?}",
        [ends[0].1, ends[1].1]
    );
    assert_eq!(ends[0].0["situation"], ends[1].0["situation"]);
    assert_eq!(ends[0].0["log"], ends[1].0["log"]);
    // Neither holds anything the other needs.
    servers[0].kill();
    let (status, record) = ask_text(servers[1].address, "GET", &format!("/api/games/{game}/export"), "", "").unwrap();
    assert_eq!(status, 200, "{record}");
    let (status, verdict) = ask_text(servers[1].address, "POST", "/api/verify", "", &record).unwrap();
    assert_eq!(status, 200, "{verdict}");
    assert_eq!(serde_json::from_str::<Value>(&verdict).unwrap()["dice"], "committed");
}
