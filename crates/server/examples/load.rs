//! Measures a server under load: many games at once, each with two seats that listen and answer.
//!
//! ```text
//! cargo run --release -p flagplot-server --example load -- [--games 200] [--seconds 10] [--rate 0] [--database FILE|postgres://…] [--address HOST:PORT]
//! ```
//!
//! Without `--address` it starts a server of its own on a free port, with a durable database in the system's temporary folder.
//! `--rate 0` answers as fast as it can and says how many answers a second were accepted and delivered to both seats;
//! with a rate it answers that often and says how long delivery took. An answer counts as delivered when both streams have brought
//! a state at least as late as the reply.

use flagplot_server::{Limits, Options};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// What the load needs to know of a state.
#[derive(Deserialize)]
struct State<'a> {
    version: u64,
    #[serde(borrow)]
    situation: Situation<'a>,
}

#[derive(Deserialize)]
struct Situation<'a> {
    at: usize,
    #[serde(borrow)]
    question: Option<Question<'a>>,
    #[serde(borrow)]
    outcome: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Question<'a> {
    #[serde(borrow)]
    options: Vec<Choice<'a>>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    value: &'a RawValue,
}

#[derive(Deserialize)]
struct Minimal {
    version: u64,
}

/// A connection that stays open.
struct Http {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    body: Vec<u8>,
    line: Vec<u8>,
}

impl Http {
    async fn open(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::with_capacity(32 << 10, stream), address, body: Vec::new(), line: Vec::new() })
    }

    async fn send(&mut self, method: &str, path: &str, token: &str, extra: &str, body: &str) -> std::io::Result<()> {
        let bearer = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{bearer}{extra}Content-Length: {}\r\n\r\n{body}", self.address, body.len());
        self.stream.get_mut().write_all(head.as_bytes()).await
    }

    async fn line(&mut self) -> std::io::Result<&str> {
        self.line.clear();
        self.stream.read_until(b'\n', &mut self.line).await?;
        Ok(std::str::from_utf8(&self.line).unwrap_or_default().trim_end())
    }

    /// Reads the head of a response: its status, and the length of its body if it is known.
    async fn head(&mut self) -> std::io::Result<(u16, Option<usize>)> {
        let status = self.line().await?.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let mut length = None;
        loop {
            let line = self.line().await?;
            if line.is_empty() {
                return Ok((status, length));
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().ok();
            }
        }
    }

    async fn ask(&mut self, method: &str, path: &str, token: &str, extra: &str, body: &str) -> std::io::Result<u16> {
        self.send(method, path, token, extra, body).await?;
        let (status, length) = self.head().await?;
        self.body.resize(length.unwrap_or(0), 0);
        self.stream.read_exact(&mut self.body).await?;
        Ok(status)
    }
}

/// A stream of events.
struct Events {
    http: Http,
    /// What is left of the present chunk.
    chunk: usize,
    data: Vec<u8>,
}

impl Events {
    async fn open(address: SocketAddr, game: &str, token: &str) -> std::io::Result<Self> {
        let mut http = Http::open(address).await?;
        http.send("GET", &format!("/api/games/{game}/events?token={token}"), "", "", "").await?;
        let (status, _) = http.head().await?;
        if status != 200 {
            return Err(std::io::Error::other(format!("the stream was refused with {status}")));
        }
        Ok(Self { http, chunk: 0, data: Vec::new() })
    }

    /// The data of the next event. Each event comes in a chunk of its own.
    async fn next(&mut self) -> std::io::Result<()> {
        loop {
            let size = self.http.line().await?.to_owned();
            self.chunk = usize::from_str_radix(&size, 16).map_err(|_| std::io::Error::other("the stream ended"))?;
            if self.chunk == 0 {
                return Err(std::io::Error::other("the stream ended"));
            }
            self.data.resize(self.chunk + 2, 0);
            self.http.stream.read_exact(&mut self.data).await?;
            if let Some(at) = self.data.windows(6).position(|window| window == b"data: ") {
                self.data.drain(..at + 6);
                if let Some(end) = self.data.iter().position(|byte| *byte == b'\n') {
                    self.data.truncate(end);
                }
                return Ok(());
            }
        }
    }

    /// Reads on until a state is as late as `version`.
    async fn until(&mut self, version: u64) -> std::io::Result<()> {
        loop {
            self.next().await?;
            if serde_json::from_slice::<State<'_>>(&self.data).is_ok_and(|state| state.version >= version) {
                return Ok(());
            }
        }
    }
}

struct Load {
    address: SocketAddr,
    stop: AtomicBool,
    answers: AtomicU64,
    refused: AtomicU64,
    finished: AtomicU64,
    bytes: AtomicU64,
    /// Microseconds from sending an answer to both seats having it.
    delays: std::sync::Mutex<Vec<u32>>,
}

/// Plays one game after another.
async fn play(load: Arc<Load>, number: u64, pause: Option<Duration>) -> std::io::Result<()> {
    let mut http = Http::open(load.address).await?;
    let mut count = 0u64;
    let mut delays = Vec::new();
    let begun = Instant::now();
    let mut due = pause.map(|pause| begun + pause.mul_f64((number % 97) as f64 / 97.0));
    while !load.stop.load(Relaxed) {
        let wish = r#"{"system":"SYSTEM","scenario":"SCENARIO","seats":[{"kind":"human"},{"kind":"human"}],"dice":"seeded"}"#;
        let wish = wish.replace("SYSTEM", &setting("--system", "dogfite")).replace("SCENARIO", &setting("--scenario", "guynemer-udet-1917"));
        let status = http.ask("POST", "/api/games", "", "", &wish).await?;
        let created: flagplot_server::wire::Created = serde_json::from_slice(&http.body).map_err(|_| std::io::Error::other(format!("no game was made: {status}")))?;
        let path = format!("/api/games/{}/answer", created.game);
        let mut streams = Vec::new();
        for seat in &created.seats {
            let mut events = Events::open(load.address, &created.game, &seat.token).await?;
            events.next().await?;
            streams.push(events);
        }
        'game: while !load.stop.load(Relaxed) {
            let mut answer = None;
            for (events, seat) in streams.iter().zip(&created.seats) {
                let state: State<'_> = serde_json::from_slice(&events.data).map_err(std::io::Error::other)?;
                if state.situation.outcome.is_some() {
                    load.finished.fetch_add(1, Relaxed);
                    break 'game;
                }
                if let Some(question) = &state.situation.question {
                    // Any option will do; a different one each time.
                    let choice = &question.options[(count as usize * 7 + number as usize) % question.options.len()];
                    answer = Some((seat.token.clone(), format!(r#"{{"id":"{number}-{count}","at":{},"value":{}}}"#, state.situation.at, choice.value.get())));
                    break;
                }
            }
            let Some((token, body)) = answer else { return Err(std::io::Error::other("a game waits for nobody")) };
            if let (Some(at), Some(pause)) = (due, pause) {
                tokio::time::sleep_until(at.into()).await;
                due = Some(at + pause);
            }
            let sent = Instant::now();
            count += 1;
            let status = http.ask("POST", &path, &token, "Prefer: return=minimal\r\n", &body).await?;
            if status != 200 {
                load.refused.fetch_add(1, Relaxed);
                eprintln!("{status}: {}", String::from_utf8_lossy(&http.body));
                break;
            }
            let reply: Minimal = serde_json::from_slice(&http.body).map_err(std::io::Error::other)?;
            for events in &mut streams {
                events.until(reply.version).await?;
                load.bytes.fetch_add(events.data.len() as u64, Relaxed);
            }
            load.answers.fetch_add(1, Relaxed);
            delays.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
        }
    }
    if let Ok(mut all) = load.delays.lock() {
        all.append(&mut delays);
    }
    Ok(())
}

fn settings() -> HashMap<String, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    words.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

fn setting(name: &str, otherwise: &str) -> String {
    settings().remove(name).unwrap_or_else(|| otherwise.to_owned())
}

fn number(name: &str, otherwise: u64) -> u64 {
    settings().get(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Seconds of processor time this process has used, where the system says so.
fn processor() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// Kilobytes this process has in memory, where the system says so.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().trim_end_matches(" kB").trim().parse().ok()
}

#[tokio::main]
async fn main() {
    let (games, seconds, rate) = (number("--games", 200), number("--seconds", 10), number("--rate", 0));
    let folder = std::env::temp_dir().join(format!("flagplot-load-{}", std::process::id()));
    let address = match settings().get("--address") {
        Some(address) => address.parse().expect("an address such as 127.0.0.1:7070"),
        None => {
            let database = setting("--database", &folder.join("load.sqlite").display().to_string());
            let options = Options { limits: Limits::none(), ..Options::new(database) };
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            let address = listener.local_addr().expect("a bound listener has an address");
            let state = flagplot_server::state(options).await.expect("the database opens");
            tokio::spawn(flagplot_server::serve_on(listener, state, std::future::pending()));
            address
        }
    };
    let load = Arc::new(Load {
        address,
        stop: AtomicBool::new(false),
        answers: AtomicU64::new(0),
        refused: AtomicU64::new(0),
        finished: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        delays: std::sync::Mutex::default(),
    });
    let pause = (rate > 0).then(|| Duration::from_secs_f64(games as f64 / rate as f64));
    let before = memory();
    let tasks: Vec<_> = (0..games).map(|number| tokio::spawn(play(load.clone(), number, pause))).collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (first, begun, work) = (load.answers.load(Relaxed), Instant::now(), processor());
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let (answers, took) = (load.answers.load(Relaxed) - first, begun.elapsed());
    let (during, worked) = (memory(), processor());
    load.stop.store(true, Relaxed);
    for task in tasks {
        if let Err(error) = task.await.expect("a player does not panic") {
            eprintln!("{error}");
        }
    }
    let mut delays = std::mem::take(&mut *load.delays.lock().expect("nobody panicked"));
    delays.sort_unstable();
    let at = |share: f64| delays.get(((delays.len() as f64 - 1.0) * share) as usize).map_or(0.0, |micros| f64::from(*micros) / 1000.0);
    println!(
        "{games} games, {}: {:.0} answers a second accepted and delivered to both seats",
        if rate > 0 { format!("{rate} answers a second wanted") } else { "as fast as it goes".into() },
        answers as f64 / took.as_secs_f64()
    );
    println!("delivered after (ms): median {:.1}, 90 % {:.1}, 99 % {:.1}, 99.9 % {:.1}, longest {:.1}", at(0.5), at(0.9), at(0.99), at(0.999), at(1.0));
    println!(
        "{} games finished, {} answers refused, {} bytes of state for an answer",
        load.finished.load(Relaxed),
        load.refused.load(Relaxed),
        load.bytes.load(Relaxed) / load.answers.load(Relaxed).max(1)
    );
    if let (Some(work), Some(worked)) = (work, worked) {
        println!("processor time of server and load together: {:.0} microseconds for an answer", (worked - work) * 1e6 / answers.max(1) as f64);
    }
    if let (Some(before), Some(during)) = (before, during) {
        println!("memory of server and load together: {} MB, {} MB under load", before / 1024, during / 1024);
    }
    let _ = std::fs::remove_dir_all(&folder);
}
