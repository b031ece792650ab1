//! A server that is killed at any moment has lost nothing it had acknowledged.
//!
//! The test starts itself again as a server, plays against it, kills it without warning, and looks at what the next one knows.
//! `FLAGPLOT_KILLS` says how often.

use crate::common::Database;
use crate::common::process::{Server, ask, is_server, seated};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

#[derive(Clone)]
struct Acknowledged {
    token: String,
    body: Value,
    at: u64,
}

fn new_game(address: SocketAddr) -> (String, Vec<String>) {
    let wish = json!({ "system": crate::common::SYSTEM, "scenario": crate::common::SCENARIO, "seats": [{ "kind": "human" }, { "kind": "human" }], "own": [0, 1] });
    seated(address, &wish)
}

/// Answers until the server is gone; what it has acknowledged.
fn answer(address: SocketAddr, game: &str, tokens: &[String], round: usize, seen: &Mutex<Vec<Acknowledged>>) {
    for n in 0.. {
        let mut over = true;
        for token in tokens {
            let Some((200, state)) = ask(address, "GET", &format!("/api/games/{game}"), token, &Value::Null) else {
                return;
            };
            over &= !state["situation"]["outcome"].is_null();
            let Some(option) = state["situation"]["question"]["options"].get(0) else { continue };
            let body =
                json!({ "id": format!("{round}-{n}"), "at": state["situation"]["at"], "value": option["value"] });
            let Some((status, reply)) = ask(address, "POST", &format!("/api/games/{game}/answer"), token, &body) else {
                return;
            };
            assert_eq!(status, 200, "{reply}");
            seen.lock().unwrap().push(Acknowledged {
                token: token.clone(),
                body,
                at: reply["situation"]["at"].as_u64().unwrap(),
            });
        }
        if over {
            return;
        }
    }
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    if is_server() {
        return;
    }
    let kills: usize = std::env::var("FLAGPLOT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let database = Database::sqlite();
    let mut checked = 0;
    for round in 0..kills {
        let mut server = Server::start(&database.address);
        let games: Vec<_> = (0..4).map(|_| new_game(server.address)).collect();
        let seen: Vec<Arc<Mutex<Vec<Acknowledged>>>> = games.iter().map(|_| Arc::default()).collect();
        let threads: Vec<_> = games
            .iter()
            .zip(&seen)
            .map(|((game, tokens), seen)| {
                let (address, game, tokens, seen) = (server.address, game.clone(), tokens.clone(), seen.clone());
                std::thread::spawn(move || answer(address, &game, &tokens, round, &seen))
            })
            .collect();
        // Not after a time but after so much has happened, a different amount each round.
        let enough = 5 + round * 3 % 40;
        while seen.iter().map(|seen| seen.lock().unwrap().len()).sum::<usize>() < enough
            && threads.iter().any(|thread| !thread.is_finished())
        {
            std::thread::yield_now();
        }
        server.kill();
        for thread in threads {
            thread.join().unwrap();
        }
        let server = Server::start(&database.address);
        for ((game, _), seen) in games.iter().zip(&seen) {
            let seen = seen.lock().unwrap();
            let Some(last) = seen.last() else { continue };
            let (status, state) =
                ask(server.address, "GET", &format!("/api/games/{game}"), &last.token, &Value::Null).unwrap();
            assert_eq!(status, 200, "{state}");
            let at = state["situation"]["at"].as_u64().unwrap();
            assert!(at >= last.at, "entry {} was acknowledged and {at} entries are there", last.at);
            for one in seen.iter() {
                // Sent again, each counts as what it was.
                let (status, again) =
                    ask(server.address, "POST", &format!("/api/games/{game}/answer"), &one.token, &one.body).unwrap();
                assert_eq!((status, again["situation"]["at"].as_u64()), (200, Some(at)), "{again}");
                checked += 1;
            }
        }
    }
    assert!(checked >= kills * 5, "only {checked} answers were acknowledged");
}

/// A referee's table killed in the middle of a ruling: the dice typed so far stand, the question is open again, and the
/// sheets are the same bytes.
#[test]
fn a_referees_table_survives_kill_9_in_the_middle_of_a_ruling() {
    if is_server() {
        return;
    }
    let database = Database::sqlite();
    let mut server = Server::start(&database.address);
    let wish = json!({ "system": "fleet-action", "scenario": "table", "seats": [{ "kind": "human" }], "own": [0] });
    let (game, tokens) = seated(server.address, &wish);
    let token = &tokens[0];
    let get = |server: &Server, rest: &str| {
        let (status, reply) =
            ask(server.address, "GET", &format!("/api/games/{game}{rest}"), token, &Value::Null).unwrap();
        assert_eq!(status, 200, "{reply}");
        reply
    };
    let deeds = [
        json!({ "do": "scenario", "scenario": "denmark-strait" }),
        json!({ "do": "act", "act": "salvo", "cast": { "shooter": ["bismarck"], "target": ["hood"] }, "part": "0",
            "facts": { "range_mm": 400 } }),
        json!({ "dice": [20] }),
    ];
    for (n, value) in deeds.iter().enumerate() {
        let body = json!({ "id": format!("deed-{n}"), "at": get(&server, "")["situation"]["at"], "value": value });
        let (status, reply) = ask(server.address, "POST", &format!("/api/games/{game}/answer"), token, &body).unwrap();
        assert_eq!(status, 200, "{reply}");
    }
    let (before, sheets) = (get(&server, ""), get(&server, "/sheets"));
    assert_eq!(before["situation"]["question"]["prompt"]["code"], "dice");
    server.kill();
    let server = Server::start(&database.address);
    assert_eq!(get(&server, "")["situation"], before["situation"]);
    assert_eq!(get(&server, "/sheets"), sheets);
}
