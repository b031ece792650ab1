//! How often one address or one account may ask.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Buckets kept at most; when there are more, those that are full again are forgotten.
const MOST: usize = 20_000;

/// A limit: a handful at once, and so many a minute in the long run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// At once.
    pub burst: u32,
    /// In a minute.
    pub per_minute: u32,
}

/// The limits of a server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Any request, per address and per account.
    pub request: Limit,
    /// Odds, hints, explanations, imports, verifications and analyses, per address and per account.
    pub heavy: Limit,
    /// New games, per address and per account.
    pub create: Limit,
    /// New accounts and attempts to come in, per address and per account.
    pub login: Limit,
    /// Notifications to one address of mail or one webhook.
    pub notify: Limit,
    /// Streams of events open at the same time, per address.
    pub streams: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request: Limit { burst: 600, per_minute: 3_000 },
            heavy: Limit { burst: 60, per_minute: 300 },
            create: Limit { burst: 60, per_minute: 60 },
            login: Limit { burst: 10, per_minute: 10 },
            notify: Limit { burst: 30, per_minute: 6 },
            streams: 200,
        }
    }
}

impl Limits {
    /// No limits, for tests and measurements.
    #[must_use]
    pub fn none() -> Self {
        let none = Limit { burst: u32::MAX, per_minute: u32::MAX };
        Self { request: none, heavy: none, create: none, login: none, notify: none, streams: usize::MAX }
    }
}

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doing {
    /// Any request.
    Request,
    /// A long computation.
    Heavy,
    /// A new game.
    Create,
    /// Coming in.
    Login,
    /// Being told.
    Notify,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Who {
    Address(IpAddr),
    Account(String),
}

struct Bucket {
    tokens: f64,
    filled: Instant,
}

/// Who has asked how often.
pub struct Limiter {
    limits: Limits,
    buckets: Mutex<HashMap<(Doing, Who), Bucket>>,
    streams: Mutex<HashMap<IpAddr, usize>>,
}

/// One household has a whole /64 of version 6 addresses.
fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from(u128::from(v6) >> 64 << 64)),
        },
        v4 => v4,
    }
}

impl Limiter {
    /// Nobody has asked yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, buckets: Mutex::default(), streams: Mutex::default() }
    }

    /// Whether an address may do it now; if not, in how many seconds.
    pub fn address(&self, doing: Doing, address: IpAddr) -> Result<(), u64> {
        self.take(doing, Who::Address(household(address)))
    }

    /// Whether an account may do it now; if not, in how many seconds.
    pub fn account(&self, doing: Doing, account: &str) -> Result<(), u64> {
        self.take(doing, Who::Account(account.to_owned()))
    }

    /// Counts one more stream of an address; false if it has too many.
    pub fn open_stream(&self, address: IpAddr) -> bool {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let count = streams.entry(household(address)).or_default();
        if *count >= self.limits.streams {
            return false;
        }
        *count += 1;
        true
    }

    /// Counts one less.
    pub fn close_stream(&self, address: IpAddr) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let address = household(address);
        match streams.get_mut(&address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(streams.remove(&address)),
        }
    }

    fn take(&self, doing: Doing, who: Who) -> Result<(), u64> {
        let limit = match doing {
            Doing::Request => self.limits.request,
            Doing::Heavy => self.limits.heavy,
            Doing::Create => self.limits.create,
            Doing::Login => self.limits.login,
            Doing::Notify => self.limits.notify,
        };
        if limit.burst == u32::MAX {
            return Ok(());
        }
        let (burst, rate) = (f64::from(limit.burst), f64::from(limit.per_minute.max(1)) / 60.0);
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST {
            buckets.retain(|_, bucket| bucket.tokens + now.duration_since(bucket.filled).as_secs_f64() * rate < burst);
        }
        let bucket = buckets.entry((doing, who)).or_insert(Bucket { tokens: burst, filled: now });
        bucket.tokens = (bucket.tokens + now.duration_since(bucket.filled).as_secs_f64() * rate).min(burst);
        bucket.filled = now;
        if bucket.tokens < 1.0 {
            return Err(((1.0 - bucket.tokens) / rate).ceil() as u64);
        }
        bucket.tokens -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_no_more() {
        let limiter = Limiter::new(Limits { login: Limit { burst: 3, per_minute: 1 }, ..Limits::default() });
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        for _ in 0..3 {
            assert_eq!(limiter.address(Doing::Login, address), Ok(()));
        }
        assert!(limiter.address(Doing::Login, address).is_err());
        assert_eq!(limiter.address(Doing::Login, "192.0.2.2".parse().unwrap()), Ok(()));
        assert_eq!(limiter.account(Doing::Login, "ann"), Ok(()));
    }

    #[test]
    fn streams_are_counted_while_they_are_open() {
        let limiter = Limiter::new(Limits { streams: 2, ..Limits::default() });
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        assert!(limiter.open_stream(address) && limiter.open_stream(address) && !limiter.open_stream(address));
        assert!(limiter.open_stream("192.0.2.2".parse().unwrap()));
        limiter.close_stream(address);
        assert!(limiter.open_stream(address) && !limiter.open_stream(address));
    }

    #[test]
    fn neighbours_in_one_network_of_version_6_share_a_bucket() {
        let limiter = Limiter::new(Limits { login: Limit { burst: 1, per_minute: 1 }, ..Limits::default() });
        assert!(limiter.address(Doing::Login, "2001:db8::1".parse().unwrap()).is_ok());
        assert!(limiter.address(Doing::Login, "2001:db8::2".parse().unwrap()).is_err());
        assert!(limiter.address(Doing::Login, "2001:db8:1::1".parse().unwrap()).is_ok());
    }
}
