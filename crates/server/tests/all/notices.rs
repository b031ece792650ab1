//! Notices and log-ins: delivered in the end, to addresses whose owners agreed, and nobody is locked out by others.

use crate::common::{Database, Site, long_game};
use axum::body::Body;
use axum::http::Request;
use flagplot_server::{Limits, Options};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

async fn open(options: Options) -> Site {
    let state = flagplot_server::state(options).await.unwrap();
    Site(flagplot_server::app(state.clone()), state)
}

/// A webhook that is out of order for its first requests.
fn ailing_hook(failures: usize) -> (SocketAddr, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (took, taken) = channel();
    std::thread::spawn(move || {
        for (at, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let (mut request, mut buffer) = (String::new(), [0; 4096]);
            while !request.ends_with('}') {
                match stream.read(&mut buffer) {
                    Ok(read) if read > 0 => request.push_str(&String::from_utf8_lossy(&buffer[..read])),
                    _ => break,
                }
            }
            let status = if at < failures { "503 Service Unavailable" } else { "204 No Content" };
            let _ = write!(stream, "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
            if took.send(request).is_err() {
                return;
            }
        }
    });
    (address, taken)
}

fn with_hook(address: SocketAddr) -> Value {
    let mut wish = long_game();
    wish["webhook"] = json!({ "url": format!("http://{address}/hook") });
    wish
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_that_is_out_of_order_is_tried_again() {
    let database = Database::sqlite();
    let (address, taken) = ailing_hook(1);
    let site = open(Options { private_webhooks: true, notify_after: Some(Duration::ZERO), ..database.options() }).await;
    let mut wish = with_hook(address);
    wish["seats"] = json!([{ "kind": "human", "name": "Ann" }, { "kind": "computer", "player": "greedy" }]);
    site.game(wish).await;
    let wait = Duration::from_secs(60);
    let (first, again) =
        tokio::task::spawn_blocking(move || (taken.recv_timeout(wait), taken.recv_timeout(wait))).await.unwrap();
    let body = |request: String| request.split("\r\n\r\n").nth(1).unwrap().to_owned();
    assert_eq!(body(first.unwrap()), body(again.expect("it is tried again")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_takes_a_seat_is_told_of_the_open_question() {
    let database = Database::sqlite();
    let (address, taken) = ailing_hook(0);
    let site = open(Options { private_webhooks: true, notify_after: Some(Duration::ZERO), ..database.options() }).await;
    let created = site.post("/api/games", "", with_hook(address)).await.ok();
    // The question has been told to a seat without a player; the player who comes has not heard it.
    let wait = Duration::from_secs(60);
    let taken = tokio::task::spawn_blocking(move || {
        while !taken.recv_timeout(wait).expect("a turn is told").contains("\"seat\":1") {}
        taken
    })
    .await
    .unwrap();
    site.seated(&created).await;
    let told = tokio::task::spawn_blocking(move || {
        std::iter::from_fn(|| taken.recv_timeout(wait).ok()).any(|told| told.contains("\"seat\":1"))
    });
    assert!(told.await.unwrap());
}

#[tokio::test]
async fn wrong_passwords_from_one_place_do_not_lock_the_owner_out() {
    let database = Database::sqlite();
    let site = open(Options { limits: Limits::default(), behind_proxy: true, ..database.options() }).await;
    let account = json!({ "name": "Ann", "password": "correct horse battery" });
    let send = |path: &str, from: &str, body: &Value| {
        let request = Request::post(path).header("x-forwarded-for", from);
        site.send_owned(request.body(Body::from(body.to_string())).unwrap())
    };
    send("/api/account", "192.0.2.1", &account).await.ok();
    let wrong = json!({ "name": "Ann", "password": "a guess, and wrong" });
    let mut codes = Vec::new();
    for attempt in 0..40 {
        codes.push(send("/api/session", &format!("198.51.100.{}", attempt % 3), &wrong).await.code());
    }
    assert!(codes.contains(&"too-many-requests".to_owned()), "{codes:?}");
    send("/api/session", "192.0.2.1", &account).await.ok();
}

#[tokio::test]
async fn expired_sessions_go_by_themselves() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    site.1.store.put_session("expired", "ann", 5).await.unwrap();
    site.1.store.put_session("current", "ann", i64::MAX).await.unwrap();
    site.1.delete_expired().await;
    assert_eq!(site.1.store.session("expired", 0).await.unwrap(), None);
    assert_eq!(site.1.store.session("current", 0).await.unwrap(), Some("ann".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_both_seats_run_out_of_time_in_one_moment_neither_wins() {
    let database = Database::sqlite();
    let site = open(database.options()).await;
    let mut wish = long_game();
    wish["clock"] = json!({ "kind": "per-move", "seconds": 1, "on_timeout": "lose" });
    let game = site.game(wish).await;
    let waiting = game.state("").await["situation"]["waiting"].clone();
    assert_eq!(waiting["seats"], json!([0, 1]), "both are asked at once: {waiting}");
    for _ in 0..300 {
        let outcome = game.state("").await["situation"]["outcome"].clone();
        if !outcome.is_null() {
            assert_eq!((&outcome["winner"], &outcome["level"]), (&Value::Null, &json!("time")), "{outcome}");
            let record = site.get(&game.path("/export"), "").await.text;
            site.send(Request::post("/api/verify").body(Body::from(record)).unwrap()).await.ok();
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no clock ran out");
}
