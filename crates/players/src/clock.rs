//! Time spent on a thought.

use std::fs::File;
use std::time::{Duration, Instant};

/// What a time budget counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The time on the wall, as a waiting player counts it.
    #[default]
    Wall,
    /// The time the processor has worked for the thinking thread, for measurements on a machine that does other work
    /// besides. Where the system does not tell, it is the time on the wall.
    Processor,
}

/// A running clock of one thread.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    begun: Instant,
    /// Where the system tells how long this thread has run, and how long it had when the clock was started.
    worked: Option<(File, Duration)>,
}

impl Stopwatch {
    pub fn start(clock: Clock) -> Self {
        let worked = match clock {
            Clock::Wall => None,
            Clock::Processor => File::open("/proc/thread-self/schedstat")
                .ok()
                .and_then(|file| Some((read(&file)?, file)))
                .map(|(begun, file)| (file, begun)),
        };
        Self { begun: Instant::now(), worked }
    }

    pub fn elapsed(&self) -> Duration {
        self.worked
            .as_ref()
            .and_then(|(file, begun)| Some(read(file)?.saturating_sub(*begun)))
            .unwrap_or_else(|| self.begun.elapsed())
    }
}

/// The first number of the file: nanoseconds of work.
#[cfg(unix)]
fn read(file: &File) -> Option<Duration> {
    use std::os::unix::fs::FileExt;
    let mut bytes = [0; 64];
    let length = file.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes[..length]).ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

#[cfg(not(unix))]
fn read(_: &File) -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_is_no_work() {
        let (wall, worked) = (Stopwatch::start(Clock::Wall), Stopwatch::start(Clock::Processor));
        std::thread::sleep(Duration::from_millis(20));
        assert!(wall.elapsed() >= Duration::from_millis(20));
        if worked.worked.is_some() {
            assert!(worked.elapsed() < wall.elapsed());
        }
    }
}
