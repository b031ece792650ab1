//! A server in a process of its own: the test program starts itself again.
//!
//! The test `serve` of the program calls [`serve_if_asked`]; it does nothing unless the program was started as a
//! server.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const DATABASE: &str = "FLAGPLOT_TEST_SERVE";

/// The server's half.
pub fn serve_if_asked() {
    let Ok(database) = std::env::var(DATABASE) else { return };
    let options = flagplot_server::Options {
        listen: ([127, 0, 0, 1], 0).into(),
        limits: flagplot_server::Limits::none(),
        network: flagplot_server::Network::unlimited(),
        ..flagplot_server::Options::new(database)
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(flagplot_server::serve(options, |address| println!("\nlistening {address}"))).unwrap();
}

/// Whether this process is such a server, and no test.
pub fn is_server() -> bool {
    std::env::var(DATABASE).is_ok()
}

pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(database: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "serve", "--nocapture"])
            .env(DATABASE, database)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the server starts").unwrap();
            if let Some(address) = line.strip_prefix("listening ") {
                break address.parse().unwrap();
            }
        };
        Self { child, address }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// `SIGKILL`: no time to write anything.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn send(address: SocketAddr, method: &str, path: &str, token: &str, body: &str) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let bearer = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{bearer}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    Some(stream)
}

/// Asks once, for text; `None` if the server is gone.
pub fn ask_text(address: SocketAddr, method: &str, path: &str, token: &str, body: &str) -> Option<(u16, String)> {
    let mut reply = String::new();
    send(address, method, path, token, body)?.read_to_string(&mut reply).ok()?;
    let (head, body) = reply.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

/// Asks once; `None` if the server is gone. A reply that was cut off is no acknowledgement.
pub fn ask(address: SocketAddr, method: &str, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let (status, text) = ask_text(address, method, path, token, &body)?;
    Some((status, serde_json::from_str(&text).ok()?))
}

/// The states that a stream brings, one after the other, until the server is gone.
pub fn states(address: SocketAddr, game: &str, token: &str) -> impl Iterator<Item = Value> + use<> {
    let stream =
        send(address, "GET", &format!("/api/games/{game}/events?token={token}"), "", "").expect("the server is up");
    // Each event is one chunk, so that its data is one line.
    BufReader::new(stream)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok())
        .filter(|data| data["situation"].is_object())
}

/// Makes a game for somebody who sits at all seats and adds nothing to its dice; its id and the tokens.
pub fn seated(address: SocketAddr, wish: &Value) -> (String, Vec<String>) {
    let (_, created) = ask(address, "POST", "/api/games", "", wish).expect("the server is up");
    let game = created["game"].as_str().expect("a game was made").to_owned();
    let seats = created["seats"].as_array().expect("it has seats").iter();
    // At a referee's table the chairs of the players stay free.
    let tokens: Vec<String> = seats.filter_map(|seat| Some(seat["token"].as_str()?.to_owned())).collect();
    for token in &tokens {
        let waive = serde_json::json!({ "waive": true });
        let (status, reply) =
            ask(address, "POST", &format!("/api/games/{game}/entropy"), token, &waive).expect("the server is up");
        assert_eq!(status, 200, "{reply}");
    }
    (game, tokens)
}
