//! What a server takes from the machine it runs on, besides its database and the network.
//!
//! All of it comes in from outside, so that a simulation can run whole servers from one seed.

use crate::notify::Courier;
use crate::pool::Pool;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The machine that a server runs on.
pub struct Machine {
    pub random: Random,
    /// The time of day.
    pub wall: Wall,
    /// The threads for rule work.
    pub pool: Pool,
    /// Delivers notices in place of webhooks and mail servers.
    pub courier: Option<Arc<dyn Courier>>,
}

impl Machine {
    pub fn real() -> std::io::Result<Self> {
        Ok(Self { random: Random::system(), wall: Wall::system(), pool: Pool::new()?, courier: None })
    }
}

type Fill = dyn Fn(&mut [u8]) + Send + Sync;

/// A source of random bytes.
#[derive(Clone)]
pub struct Random(Arc<Fill>);

impl Random {
    /// The operating system's.
    #[must_use]
    pub fn system() -> Self {
        Self::new(|bytes| {
            for chunk in bytes.chunks_mut(32) {
                chunk.copy_from_slice(&flagplot_desk::os_random::<32>()[..chunk.len()]);
            }
        })
    }

    /// A function that fills a slice.
    pub fn new(fill: impl Fn(&mut [u8]) + Send + Sync + 'static) -> Self {
        Self(Arc::new(fill))
    }

    #[must_use]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        (self.0)(&mut bytes);
        bytes
    }

    /// A random number, for a generator that starts from it.
    #[must_use]
    pub fn number(&self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// A new token: 256 bits.
    #[must_use]
    pub fn token(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<32>())
    }

    /// A new game's id: 96 bits, so that only those who were given its address find it.
    #[must_use]
    pub fn game_id(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<12>())
    }
}

/// A wall clock, which may jump.
#[derive(Clone)]
pub struct Wall(Arc<dyn Fn() -> i64 + Send + Sync>);

impl Wall {
    /// The operating system's.
    #[must_use]
    pub fn system() -> Self {
        Self::new(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            since.map_or(0, |time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
        })
    }

    /// A function that tells the time.
    pub fn new(millis: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(millis))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn millis(&self) -> i64 {
        (self.0)()
    }
}
