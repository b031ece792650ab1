//! Processes, network, weather: what the seed decides.

use super::check::{self, Ledger};
use super::database::{Connection, Fate, Planted, Tables};
use super::{Outcome, players};
use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use flagplot_kernel::Chance;
use flagplot_server::store::{News, Notice};
use flagplot_server::{Courier, Limits, Machine, Options, Pool, Random, Undelivered, Wall};
use http_body_util::BodyExt;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, sleep};
use tower::ServiceExt;

/// The wall clock at the beginning.
const MORNING: i64 = 1_800_000_000_000;
/// A player gives a request up after this time.
const PATIENCE: Duration = Duration::from_secs(30);
/// When all is mended, every game has to end within this time, in milliseconds.
const LONGEST_END: i64 = 900_000;
/// What was begun in bad weather may take so long to pass, in milliseconds.
const AFTERMATH: i64 = 240_000;

pub fn millis(n: u32) -> Duration {
    Duration::from_millis(u64::from(n))
}

/// One run of a process, from its start until it is killed.
pub struct Life {
    pub name: String,
    ended: AtomicBool,
    end: Semaphore,
    begun: Instant,
    /// By how much the wall clock of its machine is off.
    off: Arc<AtomicI64>,
}

impl Life {
    pub fn ended(&self) -> bool {
        self.ended.load(SeqCst)
    }

    /// Waits for ever in a process that was killed: nothing leaves it any more.
    pub async fn stop_if_ended(&self) {
        if self.ended() {
            std::future::pending::<()>().await;
        }
    }

    fn kill(&self) {
        self.ended.store(true, SeqCst);
        self.end.close();
    }

    /// Waits until it is killed.
    async fn killed(&self) {
        let _ = self.end.acquire().await;
    }

    pub fn wall(&self) -> i64 {
        MORNING + i64::try_from(self.begun.elapsed().as_millis()).unwrap() + self.off.load(SeqCst)
    }
}

/// A machine with a server process on it, or none at the moment.
struct Host {
    off: Arc<AtomicI64>,
    running: Option<Running>,
    /// Whether it does not hear of other processes' changes: its connection was cut, or is not made yet.
    deaf: bool,
    starts: u32,
}

#[derive(Clone)]
struct Running {
    life: Arc<Life>,
    connection: Arc<Connection>,
    router: Router,
}

/// How likely each trouble is, in thousandths of all calls or requests; drawn for each seed.
struct Weather {
    slow: u32,
    hanging: u32,
    failing: u32,
    cut: u32,
    network: u32,
    late_news: u32,
    undelivered: u32,
    /// Kinds of larger troubles that this seed has.
    kinds: Vec<Trouble>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    Kill,
    KillAll,
    FullDisk,
    DatabaseDown,
    Deaf,
    WallJump,
}

const TROUBLES: [Trouble; 6] =
    [Trouble::Kill, Trouble::KillAll, Trouble::FullDisk, Trouble::DatabaseDown, Trouble::Deaf, Trouble::WallJump];

/// A request that got no reply.
#[derive(Debug)]
pub struct Cut;

/// When a reply was made, its status and its text.
type Cached = (i64, (u16, String));

pub struct World {
    pub planted: Option<Planted>,
    /// Whether several processes share the database.
    pub shared: bool,
    pub ledger: Mutex<Ledger>,
    begun: Instant,
    chance: Mutex<Chance>,
    tables: Mutex<Tables>,
    hosts: Mutex<Vec<Host>>,
    weather: Weather,
    /// Until when the disk is full and the database is down, in milliseconds.
    full: AtomicI64,
    down: AtomicI64,
    /// When everything was mended.
    healed: AtomicI64,
    /// Since when a server is up, and for how long one was before.
    up: Mutex<(Option<i64>, i64)>,
    trace: Mutex<Vec<String>>,
    cache: Mutex<BTreeMap<String, Cached>>,
    phones: Mutex<BTreeMap<(String, u8), Arc<Notify>>>,
}

/// Carries notices to the phones of simulated players.
struct Phones {
    world: Arc<World>,
    life: Arc<Life>,
}

#[async_trait]
impl Courier for Phones {
    async fn deliver(&self, notice: &Notice) -> Result<(), Undelivered> {
        self.life.stop_if_ended().await;
        let (delay, arrives, told) = {
            let trouble = !self.world.is_healed() && self.world.one_in_1000(self.world.weather.undelivered);
            let delay = self.world.below(if trouble { 10_000 } else { 200 });
            (delay, !trouble || self.world.below(2) == 0, !trouble)
        };
        sleep(millis(delay)).await;
        self.life.stop_if_ended().await;
        if arrives {
            let (game, seat, at) = notice.turn.clone().unwrap_or_default();
            self.world.note(format!("a notice reaches seat {seat} for entry {at}"));
            let mut ledger = self.world.ledger();
            ledger.notices += 1;
            ledger.saw_text(None, &notice.body);
            drop(ledger);
            self.world.phone(&game, seat).notify_one();
        }
        if told { Ok(()) } else { Err(Undelivered::ForNow("no route".into())) }
    }
}

impl World {
    pub async fn run(seed: u64, planted: Option<Planted>) -> Outcome {
        let mut chance = Chance::seeded(seed);
        let mut often = |one_in: u32, most: u32| if chance.below(one_in) == 0 { 1 + chance.below(most) } else { 0 };
        let (slow, hanging, failing, cut) = (often(2, 100), often(2, 30), often(2, 60), often(2, 60));
        let (network, late_news, undelivered) = (often(2, 100), often(2, 300), often(2, 700));
        let kinds = TROUBLES.into_iter().filter(|_| chance.below(2) == 0).collect();
        let hosts = 1 + chance.below(3);
        let shared = hosts > 1;
        let world = Arc::new(Self {
            planted,
            shared,
            ledger: Mutex::default(),
            begun: Instant::now(),
            chance: Mutex::new(chance),
            tables: Mutex::default(),
            hosts: Mutex::default(),
            weather: Weather { slow, hanging, failing, cut, network, late_news, undelivered, kinds },
            full: AtomicI64::new(0),
            down: AtomicI64::new(0),
            healed: AtomicI64::new(i64::MAX),
            up: Mutex::new((None, 0)),
            trace: Mutex::default(),
            cache: Mutex::default(),
            phones: Mutex::default(),
        });
        for _ in 0..hosts {
            world.hosts.lock().unwrap().push(Host { off: Arc::default(), running: None, deaf: true, starts: 0 });
        }
        for host in 0..hosts as usize {
            tokio::spawn(world.clone().start(host));
        }
        let bad = 5_000 + i64::from(world.below(60_000));
        let trouble = tokio::spawn(world.clone().make_trouble(bad));
        let games: Vec<_> = (0..1 + world.below(2)).map(|n| tokio::spawn(players::game(world.clone(), n))).collect();
        let deadline = Duration::from_millis(u64::try_from(bad + LONGEST_END).unwrap());
        let end = world.begun + deadline;
        let mut ended = Vec::new();
        for game in games {
            match tokio::time::timeout_at(end, game).await {
                Ok(Ok(game)) => ended.push(game),
                Ok(Err(error)) => world.broken(format!("a player failed: {error}")),
                Err(_) => world.broken("nobody may wait for ever: a game has not ended".into()),
            }
        }
        trouble.await.unwrap();
        for game in ended {
            check::game(&world, game).await;
        }
        let ledger = std::mem::take(&mut *world.ledger());
        let trace = std::mem::take(&mut *world.trace.lock().unwrap());
        Outcome {
            broken: ledger.broken,
            trace,
            answers: ledger.acknowledged,
            kills: ledger.kills,
            notices: ledger.notices,
        }
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap()
    }

    pub fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap()
    }

    pub fn below(&self, n: u32) -> u32 {
        self.chance.lock().unwrap().below(n.max(1))
    }

    fn one_in_1000(&self, often: u32) -> bool {
        often > 0 && self.below(1_000) < often
    }

    /// Milliseconds since the beginning.
    pub fn millis(&self) -> i64 {
        i64::try_from(self.begun.elapsed().as_millis()).unwrap()
    }

    pub fn note(&self, what: String) {
        let line = format!("{:>8} {what}", self.millis());
        self.trace.lock().unwrap().push(line);
    }

    pub fn broken(&self, what: String) {
        self.note(format!("BROKEN: {what}"));
        self.ledger().broken.push(what);
    }

    pub fn is_healed(&self) -> bool {
        self.healed.load(SeqCst) <= self.millis()
    }

    /// Whether what was begun before all was mended has passed too.
    pub fn is_calm(&self) -> bool {
        self.healed.load(SeqCst).saturating_add(AFTERMATH) <= self.millis()
    }

    pub fn phone(&self, game: &str, seat: u8) -> Arc<Notify> {
        self.phones.lock().unwrap().entry((game.to_owned(), seat)).or_default().clone()
    }

    /// For how long a server has been up.
    pub fn up(&self) -> i64 {
        let (since, before) = *self.up.lock().unwrap();
        before + since.map_or(0, |since| self.millis() - since)
    }

    fn count_up(&self) {
        let any = self.hosts.lock().unwrap().iter().any(|host| host.running.is_some());
        let (now, mut up) = (self.millis(), self.up.lock().unwrap());
        match (any, up.0) {
            (true, None) => up.0 = Some(now),
            (false, Some(since)) => *up = (None, up.1 + now - since),
            _ => {}
        }
    }

    pub fn disk_full(&self) -> bool {
        self.full.load(SeqCst) > self.millis()
    }

    pub fn power_fails(&self) -> bool {
        !self.is_healed() && self.below(40) == 0
    }

    /// What becomes of a call to the database.
    pub fn fate(&self, writes: bool) -> Fate {
        let mut fate = Fate {
            there: millis(self.below(4)),
            back: millis(self.below(4)),
            done: true,
            replied: true,
            outlives: self.below(2) == 0,
            why: "",
        };
        if self.is_healed() {
            return fate;
        }
        let weather = &self.weather;
        if self.down.load(SeqCst) > self.millis() {
            (fate.done, fate.why) = (false, "the database is down");
            // Some calls are refused, and some hang.
            if self.below(3) == 0 {
                fate.back = Duration::from_secs(60);
            }
        } else if writes && self.disk_full() {
            (fate.done, fate.why) = (false, "the disk is full");
        } else if self.one_in_1000(weather.slow) {
            fate.there = millis(self.below(4_500));
        } else if writes && self.one_in_1000(weather.hanging) {
            fate.there = millis(5_000 + self.below(30_000));
        } else if self.one_in_1000(weather.failing) {
            (fate.done, fate.why) = (false, "it failed");
        } else if self.one_in_1000(weather.cut) {
            fate.replied = false;
        }
        fate
    }

    /// Tells the other processes that a game has changed.
    pub fn announce(self: &Arc<Self>, from: &Arc<Life>, game: &str) {
        if !self.shared || self.planted == Some(Planted::NewsLost) {
            return;
        }
        let others: Vec<usize> = {
            let hosts = self.hosts.lock().unwrap();
            let other = |host: &Host| {
                !host.deaf && host.running.as_ref().is_some_and(|running| !Arc::ptr_eq(&running.life, from))
            };
            (0..hosts.len()).filter(|host| other(&hosts[*host])).collect()
        };
        for host in others {
            let late = !self.is_healed() && self.one_in_1000(self.weather.late_news);
            let times = if late { 1 + self.below(2) } else { 1 };
            for _ in 0..times {
                let delay = millis(self.below(if late { 5_000 } else { 10 }));
                let (world, game) = (self.clone(), game.to_owned());
                tokio::spawn(async move {
                    sleep(delay).await;
                    let hosts = world.hosts.lock().unwrap();
                    if let Some(running) = hosts[host].running.as_ref().filter(|_| !hosts[host].deaf) {
                        running.connection.hear(News::Game(game));
                    }
                });
            }
        }
    }

    /// Its connection for news is made (again): any game may have changed since.
    fn listen(&self, host: usize) {
        let mut hosts = self.hosts.lock().unwrap();
        hosts[host].deaf = false;
        if self.shared
            && self.planted != Some(Planted::NewsLost)
            && let Some(running) = &hosts[host].running
        {
            running.connection.hear(News::Any);
        }
    }

    /// Starts a process, and tries again until it is up.
    async fn start(self: Arc<Self>, host: usize) {
        loop {
            let (off, name) = {
                let mut hosts = self.hosts.lock().unwrap();
                if hosts[host].running.is_some() {
                    return;
                }
                hosts[host].starts += 1;
                (hosts[host].off.clone(), format!("p{host}.{}", hosts[host].starts))
            };
            let life = Arc::new(Life {
                name: name.clone(),
                ended: AtomicBool::new(false),
                end: Semaphore::new(0),
                begun: self.begun,
                off,
            });
            let connection = Arc::new(Connection::new(self.clone(), life.clone()));
            let random = Mutex::new(Chance::seeded(self.chance.lock().unwrap().bits()));
            let machine = Machine {
                random: Random::new(move |bytes| {
                    let mut chance = random.lock().unwrap();
                    bytes.iter_mut().for_each(|byte| *byte = chance.below(256) as u8);
                }),
                wall: Wall::new({
                    let life = life.clone();
                    move || life.wall()
                }),
                pool: Pool::here(),
                courier: Some(Arc::new(Phones { world: self.clone(), life: life.clone() })),
            };
            let options = Options { limits: Limits::none(), private_webhooks: true, ..Options::new("") };
            match flagplot_server::state_on(connection.clone(), machine, options).await {
                Ok(app) => {
                    let router = flagplot_server::app(app);
                    {
                        let mut hosts = self.hosts.lock().unwrap();
                        hosts[host].running = Some(Running { life, connection, router });
                        hosts[host].deaf = true;
                    }
                    self.note(format!("{name} is up"));
                    self.count_up();
                    if self.shared {
                        sleep(millis(self.below(1_500))).await;
                        self.listen(host);
                    }
                    return;
                }
                Err(_) => sleep(millis(200 + self.below(800))).await,
            }
        }
    }

    fn kill(&self, host: usize) {
        let running = self.hosts.lock().unwrap()[host].running.take();
        if let Some(running) = running {
            running.life.kill();
            self.note(format!("{} is killed", running.life.name));
            self.ledger().kills += 1;
            self.count_up();
        }
    }

    fn kill_and_restart(self: &Arc<Self>, host: usize, after: u32) {
        self.kill(host);
        let world = self.clone();
        tokio::spawn(async move {
            sleep(millis(after)).await;
            world.start(host).await;
        });
    }

    /// Larger troubles, until all is mended.
    async fn make_trouble(self: Arc<Self>, until: i64) {
        let count = self.hosts.lock().unwrap().len();
        while self.millis() < until {
            sleep(millis(200 + self.below(4_000))).await;
            let kinds = &self.weather.kinds;
            if kinds.is_empty() {
                continue;
            }
            let kind = kinds[self.below(kinds.len() as u32) as usize];
            let host = self.below(count as u32) as usize;
            let lasts = self.below(8_000);
            self.note(format!("trouble: {kind:?} at host {host} for {lasts} ms"));
            let until = self.millis() + i64::from(lasts);
            match kind {
                Trouble::Kill => self.kill_and_restart(host, lasts),
                Trouble::KillAll => {
                    let long = if self.below(3) == 0 { 150_000 } else { lasts };
                    (0..count).for_each(|host| self.kill_and_restart(host, long + self.below(2_000)));
                }
                Trouble::FullDisk => drop(self.full.fetch_max(until, SeqCst)),
                Trouble::DatabaseDown => drop(self.down.fetch_max(until, SeqCst)),
                Trouble::Deaf => {
                    self.hosts.lock().unwrap()[host].deaf = true;
                    let world = self.clone();
                    tokio::spawn(async move {
                        sleep(millis(lasts)).await;
                        world.listen(host);
                    });
                }
                Trouble::WallJump => {
                    let hours = i64::from(self.below(200)) - 100;
                    self.hosts.lock().unwrap()[host].off.fetch_add(hours * 3_600_000, SeqCst);
                }
            }
        }
        self.note("all is mended".into());
        self.healed.store(self.millis(), SeqCst);
    }

    /// Some process, up or not.
    fn some_host(&self) -> Option<Running> {
        let count = self.hosts.lock().unwrap().len();
        let host = self.below(count as u32) as usize;
        self.hosts.lock().unwrap()[host].running.clone()
    }

    /// All processes that are up.
    pub fn routers(&self) -> Vec<(String, Router)> {
        let hosts = self.hosts.lock().unwrap();
        hosts.iter().flat_map(|host| &host.running).map(|one| (one.life.name.clone(), one.router.clone())).collect()
    }

    /// A request to some process: status and body, unless the connection was cut.
    pub async fn ask(&self, method: &str, path: &str, token: &str, body: &str) -> Result<(u16, String), Cut> {
        let Some(running) = self.some_host() else { return Err(Cut) };
        let cached = self.planted == Some(Planted::SharedCache) && method == "GET";
        if cached
            && let Some((then, reply)) = self.cache.lock().unwrap().get(path)
            && self.millis() - then < 2_000
        {
            return Ok(reply.clone());
        }
        let trouble = !self.is_healed() && self.one_in_1000(self.weather.network);
        sleep(millis(self.below(if trouble { 2_000 } else { 5 }))).await;
        if trouble && self.below(3) == 0 {
            return Err(Cut);
        }
        // Some connections are cut in the middle, and some when the reply is on its way.
        let patience = if trouble && self.below(2) == 0 { millis(self.below(50)) } else { PATIENCE };
        let reply = tokio::select! {
            biased;
            () = running.life.killed() => return Err(Cut),
            reply = send(&running.router, method, path, token, body) => Some(reply),
            () = sleep(patience) => None,
        };
        if reply.is_none() && patience == PATIENCE && self.is_calm() {
            self.broken(format!("nobody may wait for ever: {method} {path} got no reply"));
        }
        if trouble && self.below(2) == 0 {
            return Err(Cut);
        }
        sleep(millis(self.below(5))).await;
        if running.life.ended() {
            return Err(Cut);
        }
        let mut reply = reply.ok_or(Cut)?;
        if self.planted == Some(Planted::LogLineLost) {
            reply.1 = without_a_line(reply.1);
        }
        if reply.0 == 500 {
            self.broken(format!("{method} {path} failed: {}", reply.1));
        }
        if cached {
            self.cache.lock().unwrap().insert(path.to_owned(), (self.millis(), reply.clone()));
        }
        Ok(reply)
    }

    /// Reads the event stream of a game at some process until it is cut; calls `heard` with each event.
    pub async fn follow(&self, path: &str, mut heard: impl FnMut(&str)) -> Result<(), Cut> {
        let Some(running) = self.some_host() else { return Err(Cut) };
        let request = Request::get(path).body(Body::empty()).unwrap();
        let read = async {
            let response = running.router.clone().oneshot(request).await.unwrap();
            self.note(format!("a stream at {}: {}", running.life.name, response.status()));
            if response.status() != 200 {
                return;
            }
            let mut body = response.into_body();
            while let Some(Ok(frame)) = body.frame().await {
                let text = String::from_utf8_lossy(frame.data_ref().map_or(&[][..], |data| data)).into_owned();
                if !text.starts_with(':') {
                    heard(&text);
                }
            }
        };
        let lasts = if !self.is_healed() && self.one_in_1000(5 * self.weather.network) {
            millis(self.below(10_000))
        } else {
            Duration::from_secs(86_400)
        };
        tokio::select! {
            biased;
            () = running.life.killed() => {}
            () = read => {}
            () = sleep(lasts) => {}
        }
        self.note(format!("a stream at {} ends", running.life.name));
        Err(Cut)
    }
}

/// A state without one line of its log; any other text as it is.
fn without_a_line(text: String) -> String {
    let Ok(mut state) = serde_json::from_str::<serde_json::Value>(&text) else { return text };
    match state["log"].as_array_mut() {
        Some(lines) if lines.len() > 4 => drop(lines.remove(2)),
        _ => return text,
    }
    state.to_string()
}

/// Asks one process.
pub async fn send(router: &Router, method: &str, path: &str, token: &str, body: &str) -> (u16, String) {
    let mut request = Request::builder().method(method).uri(path);
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.body(Body::from(body.to_owned())).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.map_or_else(|_| Vec::new(), |body| body.to_bytes().to_vec());
    (status, String::from_utf8_lossy(&bytes).into_owned())
}
