//! Measures a server under load, or how much room idle games take.
//!
//! ```text
//! cargo run --release -p flagplot-server --example load
//!     many games at once, as fast as it goes; then at half that rate
//! cargo run --release -p flagplot-server --example load -- --idle 1000
//!     memory for an idle game, and how fast it is opened again
//! ```
//!
//! | option | meaning |
//! |---|---|
//! | `--games 200` | games at once, each with two seats that listen to the stream and answer |
//! | `--seconds 10` | how long each part takes |
//! | `--rate 2500` | only one part: so many answers a second; 0: as fast as it goes |
//! | `--system dogfite`, `--scenario guynemer-udet-1917` | what is played |
//! | `--database FILE` or `postgres://…` | otherwise a new SQLite file in the temporary folder, durable as always |
//! | `--address HOST:PORT` | a server that is running already; its limits must allow the load |
//! | `--idle N` | N games with some answers each, then nobody looks |
//! | `--streams N` | N streams of other games are open meanwhile; the memory they take |
//!
//! The load sends and reads what the browser does: minimal replies, and a stream of changes for each seat, which it
//! applies and checks by their digests. The server is a process of its own, so that its processor time and memory are
//! measured apart from the load's; both share the machine. An answer counts as delivered when its sender has the reply
//! and the streams of both seats have brought a state at least as late.

use flagplot_desk::Secret;
use flagplot_server::delta::Followed;
use flagplot_server::gzip::Unpacker;
use flagplot_server::{Limits, Options, Quota};
use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::io::BufRead;
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Io<T> = std::io::Result<T>;

fn wrong<T>(why: impl Into<String>) -> Io<T> {
    Err(std::io::Error::other(why.into()))
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

/// The number after a key, without reading the rest of the JSON.
fn number_after(data: &[u8], key: &str) -> Option<u64> {
    let at = memmem::find(data, key.as_bytes())? + key.len();
    let end = data[at..].iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&data[at..at + end]).ok()?.parse().ok()
}

/// The first seat that has to answer, from a state.
fn waiting(data: &[u8]) -> Option<usize> {
    number_after(data, "\"waiting\":{\"seats\":[").map(|seat| seat as usize)
}

/// The body of an answer to the question in a state: any option will do, a different one each time.
fn answer(data: &[u8], id: &str, pick: usize) -> Option<String> {
    let at = number_after(data, "\"situation\":{\"at\":")?;
    let key = b"\"question\":{\"seat\":";
    let start = memmem::find(data, key)? + b"\"question\":".len();
    let question = Question::deserialize(&mut serde_json::Deserializer::from_slice(&data[start..])).ok()?;
    let choice = question.options.get(pick % question.options.len().max(1))?;
    Some(format!(r#"{{"id":"{id}","at":{at},"value":{}}}"#, choice.value.get()))
}

/// A connection that stays open.
struct Http {
    stream: BufReader<TcpStream>,
    body: Vec<u8>,
    line: Vec<u8>,
    request: Vec<u8>,
}

impl Http {
    async fn open(address: SocketAddr) -> Io<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::with_capacity(16 << 10, stream),
            body: Vec::new(),
            line: Vec::new(),
            request: Vec::new(),
        })
    }

    async fn send(&mut self, method: &str, path: &str, token: &str, extra: &str, body: &str) -> Io<()> {
        self.request.clear();
        let bearer = if token.is_empty() { "" } else { "Authorization: Bearer " };
        let end = if token.is_empty() { "" } else { "\r\n" };
        for part in [
            method,
            " ",
            path,
            " HTTP/1.1\r\nHost: load\r\n",
            bearer,
            token,
            end,
            extra,
            "Content-Length: ",
            &body.len().to_string(),
            "\r\n\r\n",
            body,
        ] {
            self.request.extend_from_slice(part.as_bytes());
        }
        self.stream.get_mut().write_all(&self.request).await
    }

    async fn line(&mut self) -> Io<&[u8]> {
        self.line.clear();
        self.stream.read_until(b'\n', &mut self.line).await?;
        Ok(self.line.trim_ascii_end())
    }

    /// Reads the head of a response: its status, and the length of its body if it is known.
    async fn head(&mut self) -> Io<(u16, usize)> {
        let status = number_after(self.line().await?, "HTTP/1.1 ").unwrap_or(0) as u16;
        let mut length = 0;
        loop {
            let line = self.line().await?;
            if line.is_empty() {
                return Ok((status, length));
            }
            if line.len() > 16 && line[..15].eq_ignore_ascii_case(b"content-length:") {
                length = std::str::from_utf8(&line[15..]).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
            }
        }
    }

    async fn ask(&mut self, method: &str, path: &str, token: &str, extra: &str, body: &str) -> Io<u16> {
        self.send(method, path, token, extra, body).await?;
        let (status, length) = self.head().await?;
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).await?;
        Ok(status)
    }
}

/// The headers with which the browser sends an answer.
const BROWSER: &str = "X-Flagplot: 1\r\nContent-Type: application/json\r\nPrefer: return=minimal\r\n";

struct Events {
    http: Http,
    data: Vec<u8>,
    unpacker: Unpacker,
    state: Followed,
    bytes: u64,
}

impl Events {
    /// Opens a stream and reads the whole state that it begins with.
    async fn open(address: SocketAddr, game: &str, token: &str) -> Io<Self> {
        let mut http = Http::open(address).await?;
        let path = format!("/api/games/{game}/events?changes=true&token={token}");
        http.send("GET", &path, "", "Accept-Encoding: gzip\r\n", "").await?;
        match http.head().await? {
            (200, _) => {}
            (status, _) => return wrong(format!("the stream was refused with {status}")),
        }
        let state = Followed { version: 0, frame: String::new() };
        let mut events = Self { http, data: Vec::new(), unpacker: Unpacker::default(), state, bytes: 0 };
        while events.state.version == 0 {
            events.next().await?;
        }
        Ok(events)
    }

    /// Takes the next event. Each event comes in a chunk of its own.
    async fn next(&mut self) -> Io<()> {
        let size =
            std::str::from_utf8(self.http.line().await?).ok().and_then(|text| usize::from_str_radix(text, 16).ok());
        let Some(size) = size.filter(|size| *size > 0) else { return wrong("the stream ended") };
        self.data.resize(size + 2, 0);
        self.http.stream.read_exact(&mut self.data).await?;
        self.bytes += self.data.len() as u64;
        let event = self.unpacker.unpack(&self.data[..size])?;
        let text = std::str::from_utf8(&event).or_else(|_| wrong("an event is not text"))?;
        let Some((head, data)) = text.split_once("\ndata: ") else { return Ok(()) };
        if head.ends_with("event: state") {
            self.state = Followed::begin(data).map_err(std::io::Error::other)?;
        } else if head.ends_with("event: change") {
            self.state.change(data).map_err(std::io::Error::other)?;
        }
        Ok(())
    }

    fn frame(&self) -> &[u8] {
        self.state.frame.as_bytes()
    }

    /// Reads on until the state is as late as `version`.
    async fn until(&mut self, version: u64) -> Io<()> {
        while self.state.version < version {
            self.next().await?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct Load {
    /// Set when everybody plays and the figures count.
    counts: AtomicBool,
    stop: AtomicBool,
    answers: AtomicU64,
    refused: AtomicU64,
    finished: AtomicU64,
    bytes: AtomicU64,
    /// Microseconds from sending an answer to both seats having it.
    delays: std::sync::Mutex<Vec<u32>>,
}

/// A game, and the tokens of its seats.
struct Made {
    game: String,
    tokens: Vec<String>,
}

/// Makes a game for both seats, each of which adds to the dice.
async fn create(http: &mut Http) -> Io<Made> {
    let wish = format!(
        r#"{{"system":"{}","scenario":"{}","seats":[{human},{human}],"own":[0,1],"dice":"fair"}}"#,
        setting("--system", "dogfite"),
        setting("--scenario", "guynemer-udet-1917"),
        human = r#"{"kind":"human"}"#
    );
    let mut status = http.ask("POST", "/api/games", "", "", &wish).await?;
    // All games begin at once and from one address, for which only so much work waits.
    while status == 503 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        status = http.ask("POST", "/api/games", "", "", &wish).await?;
    }
    let created: flagplot_server::wire::Created =
        serde_json::from_slice(&http.body).or_else(|_| wrong(format!("no game was made: {status}")))?;
    let tokens: Vec<String> = created.seats.into_iter().filter_map(|seat| seat.token).collect();
    let path = format!("/api/games/{}/entropy", created.game);
    let secrets: Vec<Secret> = tokens.iter().map(|_| Secret::new()).collect();
    let commits = secrets.iter().map(|secret| format!(r#"{{"commit":"{}"}}"#, secret.commitment().0));
    let reveals = secrets.iter().map(|secret| format!(r#"{{"reveal":"{}"}}"#, secret.reveal()));
    for (body, token) in commits.chain(reveals).zip(tokens.iter().cycle()) {
        let status = http.ask("POST", &path, token, "", &body).await?;
        if status != 200 {
            return wrong(format!("the dice were not joined: {status}"));
        }
    }
    Ok(Made { game: created.game, tokens })
}

/// Plays one game after another.
async fn play(load: Arc<Load>, address: SocketAddr, number: u64, pause: Option<Duration>) -> Io<()> {
    let mut http = Http::open(address).await?;
    let mut count = 0u64;
    let mut delays = Vec::new();
    let mut due = None;
    while !load.stop.load(Relaxed) {
        let created = create(&mut http).await?;
        let path = format!("/api/games/{}/answer", created.game);
        let mut streams = Vec::new();
        for token in &created.tokens {
            streams.push(Events::open(address, &created.game, token).await?);
        }
        // Opening the first game is no part of the rate; from then on nobody waits for anybody, and what is late is
        // made up for.
        due = due.or_else(|| pause.map(|pause| Instant::now() + pause.mul_f64((number % 97) as f64 / 97.0)));
        while !load.stop.load(Relaxed) {
            let Some(seat) = waiting(streams[0].frame()) else {
                load.finished.fetch_add(1, Relaxed);
                break;
            };
            let Some(body) =
                answer(streams[seat].frame(), &format!("{number}-{count}"), count as usize * 7 + number as usize)
            else {
                return wrong("a seat that is waited for has no question");
            };
            if let (Some(at), Some(pause)) = (due, pause) {
                tokio::time::sleep_until(at.into()).await;
                due = Some(at + pause);
            }
            let (sent, counts) = (Instant::now(), load.counts.load(Relaxed));
            count += 1;
            streams.iter_mut().for_each(|events| events.bytes = 0);
            let status = http.ask("POST", &path, &created.tokens[seat], BROWSER, &body).await?;
            let Some(version) = number_after(&http.body, "\"version\":").filter(|_| status == 200) else {
                load.refused.fetch_add(1, Relaxed);
                eprintln!("{status}: {}", String::from_utf8_lossy(&http.body));
                break;
            };
            for events in &mut streams {
                events.until(version).await?;
                load.bytes.fetch_add(events.bytes, Relaxed);
            }
            load.answers.fetch_add(1, Relaxed);
            if counts {
                delays.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
            }
        }
    }
    if let Ok(mut all) = load.delays.lock() {
        all.append(&mut delays);
    }
    Ok(())
}

/// One part: so many games, as fast as it goes or at a rate. Gives the answers a second.
async fn part(server: &Server, games: u64, seconds: u64, rate: u64) -> f64 {
    let load = Arc::new(Load::default());
    let pause = (rate > 0).then(|| Duration::from_secs_f64(games as f64 / rate as f64));
    let tasks: Vec<_> =
        (0..games).map(|number| tokio::spawn(play(load.clone(), server.address, number, pause))).collect();
    tokio::time::sleep(Duration::from_secs(2)).await;
    load.counts.store(true, Relaxed);
    let (first, begun, work) = (load.answers.load(Relaxed), Instant::now(), server.processor().zip(processor("self")));
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let (answers, took, worked) =
        (load.answers.load(Relaxed) - first, begun.elapsed(), server.processor().zip(processor("self")));
    load.stop.store(true, Relaxed);
    for task in tasks {
        if let Err(error) = task.await.expect("a player does not panic") {
            eprintln!("{error}");
        }
    }
    let mut delays = std::mem::take(&mut *load.delays.lock().expect("nobody panicked"));
    delays.sort_unstable();
    let at = |share: f64| {
        delays.get(((delays.len() as f64 - 1.0) * share) as usize).map_or(0.0, |micros| f64::from(*micros) / 1000.0)
    };
    let speed = answers as f64 / took.as_secs_f64();
    let wanted = if rate > 0 { format!("{rate} answers a second wanted") } else { "as fast as it goes".into() };
    println!("{games} games, {wanted}: {speed:.0} answers a second accepted and delivered to both seats");
    println!(
        "  delivered after (ms): median {:.1}, 90 % {:.1}, 99 % {:.1}, 99.9 % {:.1}, longest {:.1}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    println!(
        "  {} games finished, {} answers refused, {} bytes of events for an answer and seat",
        load.finished.load(Relaxed),
        load.refused.load(Relaxed),
        load.bytes.load(Relaxed) / load.answers.load(Relaxed).max(1) / 2
    );
    if let (Some((server, own)), Some((server_then, own_then))) = (work, worked) {
        let each = |seconds: f64| seconds * 1e6 / answers.max(1) as f64;
        println!(
            "  processor time for an answer (microseconds): server {:.0}, load {:.0}",
            each(server_then - server),
            each(own_then - own)
        );
    }
    println!(
        "  the server has {} kB in memory; the machine's load is {}",
        server.memory().unwrap_or(0),
        std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim()
    );
    speed
}

/// Opens so many streams of games that nobody plays, two for a game, and says what memory they take.
async fn listen(server: &Server, streams: u64) -> Io<Vec<Http>> {
    // Long enough for a quiet stream to put away what it keeps.
    const QUIET: Duration = Duration::from_secs(40);
    let mut http = Http::open(server.address).await?;
    create(&mut http).await?;
    let before = server.memory().unwrap_or(0);
    let mut all = Vec::new();
    while (all.len() as u64) < streams {
        let created = create(&mut http).await?;
        for token in &created.tokens {
            all.push(Events::open(server.address, &created.game, token).await?.http);
        }
    }
    let each = || server.memory().unwrap_or(0).saturating_sub(before) as f64 / streams as f64;
    println!("{streams} streams of games that nobody plays: {:.1} kB for a stream", each());
    tokio::time::sleep(QUIET).await;
    println!("  after {} seconds: {:.1} kB for a stream", QUIET.as_secs(), each());
    Ok(all)
}

/// Games with some answers each that nobody looks at any more.
async fn idle(server: &Server, games: usize, database: &str) -> Io<()> {
    const ANSWERS: usize = 40;
    let mut http = Http::open(server.address).await?;
    let mut ids = Vec::new();
    // The first game brings tables and code into memory that all games share.
    let mut before = 0;
    let mut entries = 0;
    for number in 0..=games {
        let created = create(&mut http).await?;
        let mut tokens = created.tokens.iter().cycle();
        let mut given = 0;
        let mut quiet = 0;
        while given < ANSWERS && quiet < 2 {
            let Some(token) = tokens.next() else { break };
            http.ask("GET", &format!("/api/games/{}", created.game), token, "", "").await?;
            quiet += 1;
            if let Some(body) = answer(&http.body, &given.to_string(), given * 7 + number) {
                if http.ask("POST", &format!("/api/games/{}/answer", created.game), token, BROWSER, &body).await? == 200
                {
                    entries += number_after(&http.body, "\"at\":").filter(|_| given + 1 == ANSWERS).unwrap_or(0);
                    given += 1;
                }
                quiet = 0;
            }
        }
        if number == 0 {
            before = server.memory().unwrap_or(0);
            entries = 0;
        } else {
            ids.push((created.game, created.tokens[0].clone()));
        }
    }
    let each = |now: u64| now.saturating_sub(before) as f64 / games as f64;
    println!("{games} games with {ANSWERS} answers ({} entries) each", entries / games.max(1) as u64);
    http.ask("GET", "/metrics", "", "", "").await?;
    let live = number_after(&http.body, "\nflagplot_live_games ").unwrap_or(0).max(1);
    println!(
        "  in memory ({live} of them): {:.1} kB for a game",
        server.memory().unwrap_or(0).saturating_sub(before) as f64 / live as f64
    );
    let forgotten = async |http: &mut Http| -> Io<()> {
        for _ in 0..600 {
            tokio::time::sleep(Duration::from_millis(500)).await;
            http.ask("GET", "/metrics", "", "", "").await?;
            if number_after(&http.body, "\nflagplot_live_games ") == Some(0) {
                return Ok(());
            }
        }
        wrong("the games were not dropped from memory")
    };
    forgotten(&mut http).await?;
    println!(
        "  idle, dropped from memory: {:.1} kB for a game (the server had {before} kB before them, {} kB at most, {} \
         kB now)",
        each(server.memory().unwrap_or(0)),
        server.kilobytes("VmHWM:").unwrap_or(0),
        server.memory().unwrap_or(0)
    );
    for how in ["from its snapshot", "played from the beginning"] {
        let begun = Instant::now();
        for (game, token) in &ids {
            if http.ask("GET", &format!("/api/games/{game}"), token, "", "").await? != 200 {
                return wrong("a game was not opened again");
            }
        }
        println!(
            "  opened again {how}: {:.2} ms for a game",
            begun.elapsed().as_secs_f64() * 1000.0 / games.max(1) as f64
        );
        forgotten(&mut http).await?;
        if let Ok(file) = rusqlite::Connection::open(database) {
            let _ = file.execute("DELETE FROM snapshots", []);
        }
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

fn number(name: &str) -> Option<u64> {
    settings().get(name).and_then(|text| text.parse().ok())
}

/// Seconds of processor time a process has used, where the system says so.
fn processor(process: &str) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// The server, in a process of its own unless its address was given.
struct Server {
    child: Option<Child>,
    address: SocketAddr,
}

impl Server {
    fn start(database: &str, forget: u64) -> Self {
        let program = std::env::current_exe().expect("this program has a path");
        let mut command = Command::new(program);
        let mut child = command
            .args(["--serve", database, "--forget", &forget.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program can be started again");
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.take().expect("it is piped"))
            .read_line(&mut line)
            .expect("the server says where it listens");
        Self { child: Some(child), address: line.trim().parse().expect("the server says where it listens") }
    }

    fn id(&self) -> Option<String> {
        self.child.as_ref().map(|child| child.id().to_string())
    }

    fn processor(&self) -> Option<f64> {
        processor(&self.id()?)
    }

    /// Kilobytes the server has in memory, where the system says so.
    fn memory(&self) -> Option<u64> {
        self.kilobytes("VmRSS:")
    }

    /// A line of what the system says of the server's memory.
    fn kilobytes(&self, line: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()?)).ok()?;
        status.lines().find_map(|text| text.strip_prefix(line))?.trim().trim_end_matches(" kB").trim().parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn main() {
    // The load needs a third of a core; on one thread it does not take turns with itself, nor with the server more
    // often than it must.
    let mut runtime = if settings().contains_key("--serve") {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    runtime.enable_all().build().expect("there is a runtime").block_on(run());
}

async fn run() {
    if let Some(database) = settings().get("--serve") {
        let forget_after = number("--forget").filter(|seconds| *seconds > 0).map(Duration::from_secs);
        let options = Options {
            limits: Limits::none(),
            quota: Quota { games: i64::MAX, bytes: i64::MAX },
            network: flagplot_server::Network::unlimited(),
            listen: ([127, 0, 0, 1], 0).into(),
            forget_after,
            ..Options::new(database)
        };
        flagplot_server::serve(options, |address| println!("{address}")).await.expect("the server runs");
        return;
    }
    let folder = std::env::temp_dir().join(format!("flagplot-load-{}", std::process::id()));
    let database = setting("--database", &folder.join("load.sqlite").display().to_string());
    let server = match settings().get("--address") {
        Some(address) => Server { child: None, address: address.parse().expect("an address such as 127.0.0.1:7070") },
        None => Server::start(&database, if number("--idle").is_some() { 20 } else { 0 }),
    };
    let (games, seconds) = (number("--games").unwrap_or(200), number("--seconds").unwrap_or(10));
    // They stay open until the end.
    let _streams = match number("--streams") {
        Some(streams) => listen(&server, streams).await.expect("the streams are opened"),
        None => Vec::new(),
    };
    match (number("--idle"), number("--rate")) {
        (Some(games), _) => {
            if let Err(error) = idle(&server, games as usize, &database).await {
                eprintln!("{error}");
            }
        }
        (None, Some(rate)) => drop(part(&server, games, seconds, rate).await),
        (None, None) => {
            let speed = part(&server, games, seconds, 0).await;
            part(&server, games, seconds, ((speed / 2.0) as u64).clamp(1, 2500)).await;
        }
    }
    drop(server);
    let _ = std::fs::remove_dir_all(&folder);
}
