//! "It is your turn" by e-mail: to confirmed addresses only, with nothing in it that is not for a mailbox.

use crate::common::{Database, Game, Site};
use axum::body::Body;
use axum::http::Request;
use flagplot_server::{Mail, Options};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(2);

/// A mail server that takes everything: each message with its envelope.
fn mail_server() -> (SocketAddr, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (took, taken) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let mut message = String::new();
            stream.write_all(b"220 mail.example\r\n").unwrap();
            while let Some(line) = lines.next() {
                let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
                message.push_str(&line);
                message.push('\n');
                let reply: &[u8] = match verb.as_str() {
                    "DATA" => {
                        stream.write_all(b"354 go on\r\n").unwrap();
                        for line in lines.by_ref().take_while(|line| line != ".") {
                            message.push_str(&line);
                            message.push('\n');
                        }
                        took.send(std::mem::take(&mut message)).unwrap();
                        b"250 taken\r\n"
                    }
                    "QUIT" => b"221 bye\r\n",
                    _ => b"250 mail.example\r\n",
                };
                if stream.write_all(reply).is_err() || verb == "QUIT" {
                    break;
                }
            }
        }
    });
    (address, taken)
}

/// The letter without the line breaks that e-mail puts into it.
fn text(letter: &str) -> String {
    letter.replace("=\n", "").replace("=3D", "=")
}

/// A player with an account takes a seat.
async fn sit(site: &Site, cookie: &str, game: &Game, seat: usize) {
    let request = Request::get(game.path(""))
        .header("cookie", cookie)
        .header("authorization", format!("Bearer {}", game.tokens[seat]));
    site.send(request.body(Body::empty()).unwrap()).await.ok();
}

async fn me(site: &Site, cookie: &str) -> Value {
    site.send(Request::get("/api/me").header("cookie", cookie).body(Body::empty()).unwrap()).await.ok()
}

/// One seat answers until the other is asked.
async fn until_asked(game: &Game, seat: usize) {
    for round in 0.. {
        if !game.state(&game.tokens[seat]).await["situation"]["question"].is_null() && round > 0 {
            return;
        }
        let body = game.advised(&game.tokens[1 - seat], &format!("u{round}")).await.expect("one of the two is asked");
        game.site.post(&game.path("/answer"), &game.tokens[1 - seat], body).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_waits_is_told_by_mail_and_one_that_is_taken_at_once_is_not() {
    let database = Database::sqlite();
    let (address, taken) = mail_server();
    let options = Options {
        mail: Some(Mail { server: format!("smtp://{address}"), from: "Flagplot <flagplot@club.example>".into() }),
        notify_after: Some(PATIENCE),
        public_address: Some("https://flagplot.example/".into()),
        ..database.options()
    };
    let state = flagplot_server::state(options).await.unwrap();
    let site = Site(flagplot_server::app(state.clone()), state);
    let made = site
        .post(
            "/api/account",
            "",
            json!({ "name": "Ann", "password": "correct horse battery", "email": "ann@home.example" }),
        )
        .await;
    let cookie = made.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();

    // The first letter asks to confirm the address, and until then there is no other.
    let letter = text(&taken.recv_timeout(Duration::from_secs(60)).expect("a letter to confirm the address"));
    let link = letter.lines().find_map(|line| line.split_once("https://flagplot.example")).expect("a link").1;
    let early = site.duel().await;
    sit(&site, &cookie, &early, 1).await;
    until_asked(&early, 1).await;
    assert!(taken.recv_timeout(PATIENCE * 2).is_err(), "a letter to an address that is not confirmed");
    site.post(&early.path("/resign"), &early.tokens[0], Value::Null).await.ok();
    assert_eq!(me(&site, &cookie).await["email"], json!({ "address": "ann@home.example", "confirmed": false }));
    // Following the link is not enough: programs do that.
    assert!(site.get(link, "").await.text.contains("<button>Confirm</button>"));
    assert_eq!(me(&site, &cookie).await["email"]["confirmed"], false);
    let form =
        |link: &str| Request::post(link).header("origin", "https://flagplot.example").body(Body::empty()).unwrap();
    assert_eq!(site.send(form(link)).await.status, 200);
    assert_eq!(me(&site, &cookie).await["email"]["confirmed"], true);
    site.send(form(link)).await.refused(404, "bad-code");

    // Answered at once, by whatever answers for the player: no letter.
    let quick = site.duel().await;
    sit(&site, &cookie, &quick, 1).await;
    until_asked(&quick, 1).await;
    let body = quick.advised(&quick.tokens[1], "at once").await.unwrap();
    site.post(&quick.path("/answer"), &quick.tokens[1], body).await.ok();
    site.post(&quick.path("/resign"), &quick.tokens[0], Value::Null).await.ok();
    assert!(taken.recv_timeout(PATIENCE * 2).is_err(), "a letter for a question that was answered at once");

    // Nobody answers: one letter.
    let slow = site.duel().await;
    sit(&site, &cookie, &slow, 1).await;
    until_asked(&slow, 1).await;
    let letter = taken.recv_timeout(Duration::from_secs(60)).expect("a letter comes");
    for part in
        ["RCPT TO:<ann@home.example>", "MAIL FROM:<flagplot@club.example>", "Subject: Your turn:", "it is your turn in"]
    {
        assert!(letter.contains(part), "{part} is not in\n{letter}");
    }
    let text = text(&letter);
    assert!(text.contains(&format!("https://flagplot.example/#/game/{}", slow.id)), "{letter}");
    assert!(slow.tokens.iter().all(|token| !text.contains(token)), "{letter}");
    assert!(taken.recv_timeout(PATIENCE).is_err(), "a second letter for the same turn");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_is_asked_once_a_day_whoever_names_it() {
    let database = Database::sqlite();
    let (address, taken) = mail_server();
    let open = async || {
        let options = Options {
            mail: Some(Mail { server: format!("smtp://{address}"), from: "Flagplot <flagplot@club.example>".into() }),
            public_address: Some("https://flagplot.example/".into()),
            ..database.options()
        };
        let state = flagplot_server::state(options).await.unwrap();
        Site(flagplot_server::app(state.clone()), state)
    };
    let join = async |site: &Site, name: &str, email: &str| {
        let account = json!({ "name": name, "password": "correct horse battery", "email": email });
        let made = site.post("/api/account", "", account).await;
        assert_eq!(made.status, 201, "{}", made.text);
        made.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
    };
    let site = open().await;
    let cookie = join(&site, "Ann", "ann@home.example").await;
    let letter = text(&taken.recv_timeout(Duration::from_secs(60)).expect("a letter to confirm the address"));
    for _ in 0..3 {
        let again = Request::put("/api/account/email").header("cookie", &cookie).header("x-flagplot", "1");
        let again = again.body(Body::from(json!({ "email": "ann@home.example" }).to_string())).unwrap();
        assert_eq!(site.send(again).await.ok()["email"]["confirmed"], false);
    }
    join(&site, "Mallory", "ann@home.example").await;
    drop(site);
    // Another process on the same database knows it, too.
    let site = open().await;
    join(&site, "Mallory again", "Ann@Home.example").await;
    join(&site, "Bob", "bob@home.example").await;
    let next = taken.recv_timeout(Duration::from_secs(60)).expect("Bob's letter");
    assert!(next.contains("RCPT TO:<bob@home.example>"), "a second letter to the same address:\n{next}");
    assert!(taken.recv_timeout(PATIENCE).is_err(), "a letter that nobody consented to");
    // The link of the only letter is still good.
    let link = letter.lines().find_map(|line| line.split_once("https://flagplot.example")).expect("a link").1;
    let form = Request::post(link).header("origin", "https://flagplot.example").body(Body::empty()).unwrap();
    assert_eq!(site.send(form).await.status, 200);
    assert_eq!(me(&site, &cookie).await["email"]["confirmed"], true);
}

on_both_databases! {
    when_its_day_is_over_an_address_may_be_asked_again
}

async fn when_its_day_is_over_an_address_may_be_asked_again(database: &Database) {
    let store = Site::open(database).await.1.store.clone();
    let (hour, day) = (3_600_000, 86_400_000);
    // So far ahead that the server's own upkeep drops none of it.
    let start = 1 << 50;
    let ask = |address: &'static str, now: i64, again: i64| store.ask_address(address, start + now, start + again);
    assert!(ask("hash", 0, day).await.unwrap());
    assert!(!ask("hash", day - hour, 2 * day).await.unwrap());
    assert!(ask("another", day - hour, 2 * day).await.unwrap());
    assert!(ask("hash", day, 2 * day).await.unwrap());
    assert!(!ask("hash", day + hour, 3 * day).await.unwrap());
    // What is over is not kept.
    store.drop_expired(start + 2 * day).await.unwrap();
    assert!(ask("hash", hour, day).await.unwrap());
}
