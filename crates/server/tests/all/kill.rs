//! A server that is killed at any moment has lost nothing it had acknowledged; nor has a database.
//!
//! The test starts itself again as a server, plays against it, kills it without warning, and looks at what the next one
//! knows. `FLAGPLOT_KILLS` says how often.

use crate::common::Database;
use crate::common::postgres::Cluster;
use crate::common::process::{Server, ask, is_server, seated};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone)]
struct Acknowledged {
    token: String,
    body: Value,
    at: u64,
}

fn new_game(address: SocketAddr) -> (String, Vec<String>) {
    let wish = json!({ "system": crate::common::SYSTEM, "scenario": crate::common::SCENARIO,
        "seats": [{ "kind": "human" }, { "kind": "human" }], "own": [0, 1] });
    seated(address, &wish)
}

/// Answers until the server is gone or its database is; what it has acknowledged.
fn answer(addresses: &[SocketAddr], game: &str, tokens: &[String], round: usize, seen: &Mutex<Vec<Acknowledged>>) {
    for n in 0.. {
        let mut over = true;
        for (token, address) in tokens.iter().zip(addresses.iter().cycle()) {
            let Some((200, state)) = ask(*address, "GET", &format!("/api/games/{game}"), token, &Value::Null) else {
                return;
            };
            over &= !state["situation"]["outcome"].is_null();
            let Some(option) = state["situation"]["question"]["options"].get(0) else { continue };
            let body =
                json!({ "id": format!("{round}-{n}"), "at": state["situation"]["at"], "value": option["value"] });
            let path = format!("/api/games/{game}/answer");
            let (at, reply) = match ask(*address, "POST", &path, token, &body) {
                Some((200, reply)) => (reply["situation"]["at"].as_u64().unwrap(), reply),
                // Another process has not heard yet what this seat has answered.
                Some((409, _)) => continue,
                Some((503, _)) | None => return,
                Some(other) => panic!("{other:?}"),
            };
            assert!(reply["error"].is_null(), "{reply}");
            seen.lock().unwrap().push(Acknowledged { token: token.clone(), body, at });
        }
        if over {
            return;
        }
    }
}

/// How often each test kills.
fn kills() -> usize {
    std::env::var("FLAGPLOT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

/// Asks until the server, and the database behind it, answer.
fn insist(address: SocketAddr, method: &str, path: &str, token: &str, body: &Value) -> (u16, Value) {
    for _ in 0..600 {
        match ask(address, method, path, token, body) {
            Some((503, _)) | None => std::thread::sleep(Duration::from_millis(100)),
            Some(reply) => return reply,
        }
    }
    panic!("{path}: no answer within a minute");
}

/// The entry at which all servers see a game: at once with one server; several may have to hear of each other's
/// answers.
fn agreed(servers: &[SocketAddr], path: &str, token: &str, acknowledged: u64) -> u64 {
    let mut seen = Vec::new();
    for _ in 0..600 {
        seen.clear();
        for server in servers {
            let (status, state) = insist(*server, "GET", path, token, &Value::Null);
            assert_eq!(status, 200, "{state}");
            seen.push(state["situation"]["at"].as_u64().unwrap());
        }
        if seen[0] >= acknowledged && seen.iter().all(|at| *at == seen[0]) {
            return seen[0];
        }
        if servers.len() == 1 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("entry {acknowledged} was acknowledged, and the servers are at {seen:?}");
}

/// One round: plays four games, each seat at the next server, until enough has happened, a different amount each round;
/// calls `kill`, which kills something and starts it again and gives the servers' addresses; then looks at what every
/// server knows. How many answers had been acknowledged.
fn round(number: usize, servers: &[SocketAddr], kill: impl FnOnce() -> Vec<SocketAddr>) -> usize {
    let games: Vec<_> = (0..4).map(|_| new_game(servers[0])).collect();
    let seen: Vec<Arc<Mutex<Vec<Acknowledged>>>> = games.iter().map(|_| Arc::default()).collect();
    let threads: Vec<_> = games
        .iter()
        .zip(&seen)
        .map(|((game, tokens), seen)| {
            let (servers, game, tokens, seen) = (servers.to_vec(), game.clone(), tokens.clone(), seen.clone());
            std::thread::spawn(move || answer(&servers, &game, &tokens, number, &seen))
        })
        .collect();
    // Not after a time but after so much has happened.
    let enough = 5 + number * 3 % 40;
    while seen.iter().map(|seen| seen.lock().unwrap().len()).sum::<usize>() < enough
        && threads.iter().any(|thread| !thread.is_finished())
    {
        std::thread::yield_now();
    }
    let servers = kill();
    for thread in threads {
        thread.join().unwrap();
    }
    let mut checked = 0;
    for ((game, _), seen) in games.iter().zip(&seen) {
        let seen = seen.lock().unwrap();
        let Some(last) = seen.last() else { continue };
        let path = format!("/api/games/{game}");
        let at = agreed(&servers, &path, &last.token, last.at);
        for server in &servers {
            for one in seen.iter() {
                // Sent again, each counts as what it was.
                let (status, again) = insist(*server, "POST", &format!("{path}/answer"), &one.token, &one.body);
                assert_eq!((status, again["situation"]["at"].as_u64()), (200, Some(at)), "{again}");
            }
        }
        checked += seen.len();
    }
    checked
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    if is_server() {
        return;
    }
    let database = Database::sqlite();
    let mut checked = 0;
    for number in 0..kills() {
        let mut server = Server::start(&database.address);
        let mut next = None;
        let addresses = [server.address];
        checked += round(number, &addresses, || {
            server.kill();
            vec![next.insert(Server::start(&database.address)).address]
        });
    }
    assert!(checked >= kills() * 5, "only {checked} answers were acknowledged");
}

/// Two processes on one PostgreSQL: one of them is killed, or both.
#[test]
fn what_was_acknowledged_survives_kill_9_of_processes_that_share_a_database() {
    if is_server() {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let Some(database) = runtime.block_on(Database::postgres()) else {
        eprintln!("not run: FLAGPLOT_TEST_POSTGRES names no server");
        return;
    };
    let mut servers = [Server::start(&database.address), Server::start(&database.address)];
    let mut checked = 0;
    for number in 0..kills() {
        let addresses = [servers[0].address, servers[1].address];
        checked += round(number, &addresses, || {
            for (at, server) in servers.iter_mut().enumerate() {
                if number % 3 == 2 || number % 3 == at {
                    server.kill();
                    *server = Server::start(&database.address);
                }
            }
            servers.iter().map(|server| server.address).collect()
        });
    }
    assert!(checked >= kills(), "only {checked} answers were acknowledged");
}

/// PostgreSQL itself is killed under two processes, which go on when it is back.
#[test]
fn what_was_acknowledged_survives_kill_9_of_postgresql() {
    if is_server() {
        return;
    }
    let Some(mut cluster) = Cluster::start() else {
        eprintln!("not run: FLAGPLOT_TEST_POSTGRES names no server, or PostgreSQL is not installed here");
        return;
    };
    let servers = [Server::start(&cluster.address), Server::start(&cluster.address)];
    let addresses = servers.each_ref().map(|server| server.address);
    let mut checked = 0;
    for number in 0..kills() {
        checked += round(number, &addresses, || {
            cluster.kill();
            cluster.launch();
            addresses.to_vec()
        });
    }
    assert!(checked >= kills(), "only {checked} answers were acknowledged");
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
