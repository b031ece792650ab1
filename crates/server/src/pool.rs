//! One pool of threads for all rule work: replay, verify, import, odds, advice, computer players, analysis.
//!
//! Requests wait in a queue that serves those first who have used least, by address, account and game. Each piece of
//! work has a limit on processor time and memory, and stops when the client that asked for it has gone. Short work
//! never waits for long work: one thread is kept free of it.

use crate::failure::{Failure, Reply};
use crate::open_game::lock;
use axum::http::StatusCode;
use flagplot_kernel::work;
use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How much waits at most, in all and for one address, account or game.
const MOST_WAITING: usize = 2_000;
const MOST_WAITING_EACH: usize = 100;
/// What was used counts half after this time.
const HALF_LIFE: Duration = Duration::from_secs(10);
/// By how much the process may grow while a piece of work runs.
const MOST_BYTES: u64 = 200 << 20;
/// How many times the processor time a caller waits on a machine that is busy with other things.
const PATIENCE: u32 = 5;
/// Processor time between two looks at the memory.
const LOOK: Duration = Duration::from_millis(10);

/// How urgent a piece of work is, and what it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// Milliseconds as a rule: a position loaded, an answer at once, an explanation.
    Quick,
    /// Up to some seconds: a search, a verification, odds.
    Long,
    /// Minutes: an analysis, on a thread of its own.
    Background,
}

/// Who asks for a piece of work, and what it may take.
#[derive(Clone, Debug)]
pub struct Share {
    pub lane: Lane,
    /// The processor time it may take.
    pub time: Duration,
    /// The address, account and game it is for.
    pub callers: Vec<String>,
}

struct Waiting {
    ticket: u64,
    share: Share,
    cancelled: Arc<AtomicBool>,
    /// Runs it; the processor time it took.
    run: Box<dyn FnOnce() -> Duration + Send>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    tickets: u64,
    running_long: usize,
    /// Processor seconds used by each caller, as of a moment.
    used: HashMap<String, (f64, Instant)>,
    ended: bool,
}

impl Queue {
    fn used(&self, caller: &str, now: Instant) -> f64 {
        self.used.get(caller).map_or(0.0, |(seconds, then)| {
            seconds * 0.5f64.powf(now.duration_since(*then).as_secs_f64() / HALF_LIFE.as_secs_f64())
        })
    }

    fn charge(&mut self, callers: &[String], time: Duration) {
        let now = Instant::now();
        for caller in callers {
            let used = self.used(caller, now) + time.as_secs_f64();
            self.used.insert(caller.clone(), (used, now));
        }
        if self.used.len() > 4 * MOST_WAITING {
            let mut used = std::mem::take(&mut self.used);
            used.retain(|_, (_, then)| now.duration_since(*then) < 10 * HALF_LIFE);
            self.used = used;
        }
    }

    /// How much waits for that caller of a share for whom most waits.
    fn most_waiting(&self, share: &Share) -> usize {
        let count = |caller| self.waiting.iter().filter(|waiting| waiting.share.callers.contains(caller)).count();
        share.callers.iter().map(count).max().unwrap_or(0)
    }

    /// Puts out the newest piece of work of the caller for whom most waits, if that is more than waits for the
    /// newcomer: many greedy callers together must not keep others out.
    fn make_room(&mut self, own: usize) -> bool {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for caller in self.waiting.iter().flat_map(|waiting| &waiting.share.callers) {
            *counts.entry(caller).or_default() += 1;
        }
        let most = |waiting: &Waiting| waiting.share.callers.iter().map(|caller| counts[caller.as_str()]).max();
        let greediest = self.waiting.iter().enumerate().max_by_key(|(_, waiting)| (most(waiting), waiting.ticket));
        let at = greediest.filter(|(_, waiting)| most(waiting) > Some(own + 1)).map(|(at, _)| at);
        at.map(|at| drop(self.waiting.swap_remove(at))).is_some()
    }

    /// Takes out what is to run next: of the most urgent lane, what is asked for by those who have used least.
    fn next(&mut self, lanes: &[Lane], long: usize) -> Option<Waiting> {
        self.waiting.retain(|waiting| !waiting.cancelled.load(Relaxed));
        let now = Instant::now();
        let open = |lane: Lane| lanes.contains(&lane) && (lane != Lane::Long || self.running_long < long);
        let cost =
            |waiting: &Waiting| waiting.share.callers.iter().map(|caller| self.used(caller, now)).fold(0.0, f64::max);
        let order = |a: &Waiting, b: &Waiting| {
            (a.share.lane.cmp(&b.share.lane)).then(cost(a).total_cmp(&cost(b))).then(a.ticket.cmp(&b.ticket))
        };
        let candidates = self.waiting.iter().enumerate().filter(|(_, waiting)| open(waiting.share.lane));
        let at = candidates.min_by(|(_, a), (_, b)| order(a, b)).map(|(at, _)| at)?;
        Some(self.waiting.swap_remove(at))
    }
}

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    memory: Arc<Memory>,
    /// How much long work runs at once.
    long: usize,
}

/// Where rule work is done.
pub struct Pool(Place);

enum Place {
    /// On the threads of the pool.
    Threads(Arc<Shared>),
    /// Where it is asked for.
    Here,
}

/// Cancels the work of a request that is dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl Pool {
    /// As many threads as there are cores, but two at least, and one for work in the background.
    pub fn new() -> std::io::Result<Self> {
        Self::with_memory(MOST_BYTES)
    }

    /// The same, with another limit on the growth of the process.
    fn with_memory(most: u64) -> std::io::Result<Self> {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).max(2);
        let memory = Arc::new(Memory { most, running: Mutex::default() });
        let shared = Arc::new(Shared { queue: Mutex::default(), changed: Condvar::new(), memory, long: threads - 1 });
        for number in 0..=threads {
            let shared = shared.clone();
            let lanes: &[Lane] = if number == threads { &[Lane::Background] } else { &[Lane::Quick, Lane::Long] };
            let name = format!("flagplot-rules-{number}");
            std::thread::Builder::new().name(name).spawn(move || {
                step_back(if number == threads { 10 } else { 2 });
                shared.work(lanes);
            })?;
        }
        Ok(Self(Place::Threads(shared)))
    }

    /// No threads: work is done at once where it is asked for, without limits on time and memory. For one client at a
    /// time, and for simulations, in which the same work has to be done at the same moment each time.
    #[must_use]
    pub fn here() -> Self {
        Self(Place::Here)
    }

    /// Runs rule work once it is its turn. Dropping the future cancels it.
    pub async fn run<T: Send + 'static>(
        &self,
        share: Share,
        work: impl FnOnce() -> Reply<T> + Send + 'static,
    ) -> Reply<T> {
        let Place::Threads(shared) = &self.0 else { return work() };
        let (reply, result) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let _cancel = CancelOnDrop(cancelled.clone());
        let (time, gone, memory) = (share.time, cancelled.clone(), shared.memory.clone());
        let run = move || {
            let (result, took) = limited(&memory, time, gone, work);
            let _ = reply.send(result);
            took
        };
        shared.push(share, cancelled, Box::new(run))?;
        // The work was put out of a full queue, or the pool has ended.
        result.await.map_err(|_| busy())?
    }
}

/// The refusal of work for which the queue has no room.
pub fn busy() -> Failure {
    Failure {
        retry: Some(5),
        ..Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "busy",
            "Too much work of this kind is waiting. Try again in a few seconds.",
        )
    }
}

impl Shared {
    fn push(&self, share: Share, cancelled: Arc<AtomicBool>, run: Box<dyn FnOnce() -> Duration + Send>) -> Reply<()> {
        let mut queue = lock(&self.queue);
        queue.waiting.retain(|waiting| !waiting.cancelled.load(Relaxed));
        let own = queue.most_waiting(&share);
        if own >= MOST_WAITING_EACH || (queue.waiting.len() >= MOST_WAITING && !queue.make_room(own)) {
            return Err(busy());
        }
        queue.tickets += 1;
        let ticket = queue.tickets;
        queue.waiting.push(Waiting { ticket, share, cancelled, run });
        drop(queue);
        self.changed.notify_all();
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Place::Threads(shared) = &self.0 {
            lock(&shared.queue).ended = true;
            shared.changed.notify_all();
        }
    }
}

impl Shared {
    fn work(&self, lanes: &[Lane]) {
        loop {
            let mut queue = lock(&self.queue);
            let waiting = loop {
                if queue.ended {
                    return;
                }
                match queue.next(lanes, self.long) {
                    Some(waiting) => break waiting,
                    None => queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            };
            let Waiting { share: Share { lane, callers, .. }, run, .. } = waiting;
            queue.running_long += usize::from(lane == Lane::Long);
            // A little at once, so that several threads do not all turn to one caller.
            queue.charge(&callers, Duration::from_millis(1));
            drop(queue);
            let took = run();
            let mut queue = lock(&self.queue);
            queue.running_long -= usize::from(lane == Lane::Long);
            queue.charge(&callers, took);
            drop(queue);
            self.changed.notify_all();
        }
    }
}

/// The limit on the growth of the process. Only the process as a whole can be measured, so when it has grown too much,
/// the piece of work that has touched most new memory is the one to stop, and the others go on.
struct Memory {
    most: u64,
    running: Mutex<Vec<Arc<Running>>>,
}

/// A piece of work that runs.
struct Running {
    thread: u32,
    /// What the process held when it began, or when another piece was stopped since.
    before: AtomicU64,
    /// How many new pages its thread had touched when the process had last not grown much since.
    pages: AtomicU64,
}

impl Running {
    fn new_pages(&self) -> u64 {
        touched_pages(self.thread).saturating_sub(self.pages.load(Relaxed))
    }
}

impl Memory {
    fn begin(&self) -> Arc<Running> {
        let thread = thread_number();
        let (before, pages) = (AtomicU64::new(resident_bytes()), AtomicU64::new(touched_pages(thread)));
        let running = Arc::new(Running { thread, before, pages });
        lock(&self.running).push(running.clone());
        running
    }

    fn end(&self, ended: &Arc<Running>) {
        lock(&self.running).retain(|running| !Arc::ptr_eq(running, ended));
    }

    /// Whether a piece of work has to stop because the process has grown too much.
    fn stops(&self, this: &Arc<Running>) -> bool {
        let (held, before) = (resident_bytes(), this.before.load(Relaxed));
        if held <= before + self.most / 2 {
            this.pages.store(touched_pages(this.thread), Relaxed);
        }
        if held <= before + self.most {
            return false;
        }
        let running = lock(&self.running);
        let own = this.new_pages();
        let others = || running.iter().filter(|other| !Arc::ptr_eq(other, this));
        if others().any(|other| other.new_pages() > own) {
            return false;
        }
        for other in others() {
            other.before.fetch_max(held, Relaxed);
        }
        true
    }
}

/// Runs work on this thread within its limits; what came of it, and the processor time it took.
fn limited<T>(
    memory: &Arc<Memory>,
    time: Duration,
    cancelled: Arc<AtomicBool>,
    work: impl FnOnce() -> Reply<T>,
) -> (Reply<T>, Duration) {
    let (begun, since) = (processor_time(), Instant::now());
    let longest = time.saturating_mul(PATIENCE);
    let (running, looked) = (memory.begin(), Cell::new(begun));
    let (limit, this) = (memory.clone(), running.clone());
    let stop = move || {
        let now = processor_time();
        let grown = now.saturating_sub(looked.get()) >= LOOK && {
            looked.set(now);
            limit.stops(&this)
        };
        grown || now.saturating_sub(begun) > time || since.elapsed() > longest || cancelled.load(Relaxed)
    };
    let result = match catch_unwind(AssertUnwindSafe(|| work::limited(stop, work))) {
        Ok(Ok(result)) => result,
        Ok(Err(work::Stopped)) => Err(too_much_work(time)),
        Err(_) => Err(Failure::internal("rule work failed with a panic")),
    };
    memory.end(&running);
    (result, processor_time().saturating_sub(begun))
}

/// The refusal of work that goes beyond its limits.
pub fn too_much_work(time: Duration) -> Failure {
    let limit = MOST_BYTES >> 20;
    let mut failure = Failure::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "too-much-work",
        format!("This would take more than {} s of computing or {limit} MB of memory.", time.as_secs_f32()),
    );
    failure.refusal.remedy = Some("Ask for less, or compute it on your own machine with the flagplot program.".into());
    failure
}

/// The processor time this thread has used.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// The memory the process holds; 0 where the system does not tell.
pub fn resident_bytes() -> u64 {
    let pages = || std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse::<u64>().ok();
    #[cfg(unix)]
    let page = rustix::param::page_size() as u64;
    #[cfg(not(unix))]
    let page = 4096;
    pages().unwrap_or(0) * page
}

/// How many pages of memory a thread has touched first; 0 where the system does not tell.
fn touched_pages(thread: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).unwrap_or_default();
    // The name before the bracket may hold spaces.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_whitespace().nth(7).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

#[cfg(unix)]
fn thread_number() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
}

#[cfg(not(unix))]
fn thread_number() -> u32 {
    0
}

/// Lets requests go before this thread.
#[cfg(unix)]
fn step_back(by: i32) {
    // Without it the server only answers later under load.
    let _ = rustix::process::nice(by);
}

#[cfg(not(unix))]
fn step_back(_: i32) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn share(lane: Lane, caller: &str) -> Share {
        Share { lane, time: Duration::from_millis(50), callers: vec![caller.to_owned()] }
    }

    fn endless() -> Reply<()> {
        loop {
            work::tick();
        }
    }

    #[tokio::test]
    async fn work_without_end_is_refused() {
        let pool = Pool::new().unwrap();
        let failure = pool.run(share(Lane::Long, "ann"), endless).await.unwrap_err();
        assert_eq!(failure.refusal.code, "too-much-work");
        let failure = pool.run(share(Lane::Quick, "ann"), || -> Reply<()> { panic!("a fault") }).await.unwrap_err();
        assert_eq!(failure.refusal.code, "internal");
        assert_eq!(pool.run(share(Lane::Quick, "ann"), || Ok(1)).await.unwrap(), 1);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn work_that_takes_too_much_memory_is_refused_and_other_work_goes_on() {
        let pool = Pool::with_memory(40 << 20).unwrap();
        let patient = |lane| Share { time: Duration::from_secs(30), ..share(lane, "ann") };
        let [grown, looked, refused] = std::array::from_fn(|_| Arc::new(AtomicBool::new(false)));
        let hog = pool.run(patient(Lane::Long), {
            let (grown, looked) = (grown.clone(), looked.clone());
            move || {
                let mut held = Vec::new();
                loop {
                    held.push(vec![1u8; 1 << 20]);
                    if held.len() == 80 {
                        // Now the other piece is the first to see how large the process is.
                        grown.store(true, Relaxed);
                        while !looked.load(Relaxed) {
                            std::thread::yield_now();
                        }
                    }
                    if held.len() >= 80 {
                        work::check();
                    }
                    assert!(held.len() < 10_000, "it was not stopped");
                }
                #[allow(unreachable_code)]
                Ok(())
            }
        });
        let honest = pool.run(patient(Lane::Quick), {
            let (grown, looked, refused) = (grown.clone(), looked.clone(), refused.clone());
            move || {
                let mut since = None;
                while !refused.load(Relaxed) {
                    work::check();
                    if grown.load(Relaxed) {
                        let since = *since.get_or_insert_with(processor_time);
                        if processor_time().saturating_sub(since) > 5 * LOOK {
                            looked.store(true, Relaxed);
                        }
                    }
                }
                Ok(())
            }
        });
        let hog = async {
            let failure = hog.await.unwrap_err();
            refused.store(true, Relaxed);
            failure.refusal.code
        };
        let (code, honest) = tokio::join!(hog, honest);
        assert_eq!(code, "too-much-work");
        honest.expect("the process grew by another piece of work");
    }

    #[tokio::test]
    async fn work_stops_when_its_request_has_gone() {
        let pool = Pool::new().unwrap();
        let (ended, end) = mpsc::channel();
        struct Tell(mpsc::Sender<()>);
        impl Drop for Tell {
            fn drop(&mut self) {
                let _ = self.0.send(());
            }
        }
        let forever = Share { time: Duration::MAX, ..share(Lane::Long, "ann") };
        let (began, begin) = oneshot::channel();
        let work = move || {
            let _tell = Tell(ended);
            let _ = began.send(());
            endless()
        };
        {
            let run = pool.run(forever, work);
            tokio::pin!(run);
            tokio::select! { _ = &mut run => panic!("it ended"), _ = begin => () }
        }
        end.recv().unwrap();
    }

    #[test]
    fn those_who_used_least_go_first_and_quick_work_before_long() {
        let mut queue = Queue::default();
        let put = |queue: &mut Queue, ticket, lane, callers: &[&str]| {
            let callers = callers.iter().map(|caller| (*caller).to_owned()).collect();
            queue.waiting.push(Waiting {
                ticket,
                share: Share { lane, time: Duration::ZERO, callers },
                cancelled: Arc::default(),
                run: Box::new(|| Duration::ZERO),
            });
        };
        queue.charge(&["greedy neighbour".into()], Duration::from_secs(5));
        put(&mut queue, 1, Lane::Long, &["greedy neighbour", "game 1"]);
        put(&mut queue, 2, Lane::Long, &["greedy neighbour", "game 2"]);
        put(&mut queue, 3, Lane::Long, &["ann", "game 3"]);
        put(&mut queue, 4, Lane::Quick, &["greedy neighbour"]);
        let lanes = [Lane::Quick, Lane::Long];
        let order: Vec<u64> = std::iter::from_fn(|| queue.next(&lanes, 1).map(|waiting| waiting.ticket)).collect();
        assert_eq!(order, [4, 3, 1, 2]);
        put(&mut queue, 5, Lane::Long, &["ann"]);
        queue.running_long = 1;
        assert!(queue.next(&lanes, 1).is_none(), "one thread stays free for quick work");
    }

    #[tokio::test]
    async fn one_caller_cannot_fill_the_queue_for_others() {
        let memory = Arc::new(Memory { most: MOST_BYTES, running: Mutex::default() });
        let pool = Shared { queue: Mutex::default(), changed: Condvar::new(), memory, long: 1 };
        let put = |caller: &str| pool.push(share(Lane::Long, caller), Arc::default(), Box::new(|| Duration::ZERO));
        for _ in 0..MOST_WAITING_EACH {
            put("mallory").unwrap();
        }
        assert_eq!(put("mallory").unwrap_err().refusal.code, "busy");
        put("ann").unwrap();
    }

    #[tokio::test]
    async fn many_greedy_callers_do_not_keep_a_newcomer_out() {
        let memory = Arc::new(Memory { most: MOST_BYTES, running: Mutex::default() });
        let pool = Shared { queue: Mutex::default(), changed: Condvar::new(), memory, long: 1 };
        let (told, telling) = mpsc::channel();
        let put = |caller: &str| {
            let (caller, told) = (caller.to_owned(), told.clone());
            /// Says whose work was dropped.
            struct Dropped(String, mpsc::Sender<String>);
            impl Drop for Dropped {
                fn drop(&mut self) {
                    let _ = self.1.send(self.0.clone());
                }
            }
            let dropped = Dropped(caller.clone(), told);
            let run = move || {
                drop(dropped);
                Duration::ZERO
            };
            pool.push(share(Lane::Long, &caller), Arc::default(), Box::new(run))
        };
        for n in 0..MOST_WAITING {
            put(&format!("mallory {}", n % (MOST_WAITING / MOST_WAITING_EACH))).unwrap();
        }
        put("ann").unwrap();
        assert!(telling.try_recv().unwrap().starts_with("mallory"), "a greedy caller's work made room");
        assert!(telling.try_recv().is_err(), "one piece of it");
        assert_eq!(lock(&pool.queue).waiting.len(), MOST_WAITING);
        // Where all wait alike, the newcomer's second piece does not put out another's first.
        *lock(&pool.queue) = Queue::default();
        for n in 0..MOST_WAITING {
            put(&format!("caller {n}")).unwrap();
        }
        assert_eq!(put("caller 0").unwrap_err().refusal.code, "busy");
    }
}
