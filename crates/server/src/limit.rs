//! How often an address or an account may do something.

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};

/// When a limiter tracks more callers than this, it forgets those who have not asked for a while.
const MOST_TRACKED: usize = 20_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// How many at once.
    pub burst: u32,
    /// How many a minute in the long run.
    pub per_minute: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Any request, per address and per account.
    pub request: Limit,
    /// Odds, hints, explanations, imports, verifications, replays and analyses, per address and per account.
    pub heavy: Limit,
    /// New games, per address and per account.
    pub create: Limit,
    /// New accounts and log-ins, per address, and per account and address.
    pub login: Limit,
    /// Notifications to one e-mail address or one webhook.
    pub notify: Limit,
    /// Open event streams per address.
    pub streams: usize,
    /// Bytes of large bodies that are held at once, per address; eight times as many in all.
    pub bodies: usize,
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
            bodies: 16 << 20,
        }
    }
}

impl Limits {
    /// No limits, for tests and measurements.
    #[must_use]
    pub fn none() -> Self {
        let none = Limit { burst: u32::MAX, per_minute: u32::MAX };
        let (streams, bodies) = (usize::MAX, usize::MAX);
        Self { request: none, heavy: none, create: none, login: none, notify: none, streams, bodies }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Request,
    /// A long computation.
    Heavy,
    /// Creating a game.
    Create,
    /// Logging in or creating an account.
    Login,
    /// Notifying an e-mail address or a webhook.
    Notify,
}

const ACTIONS: [Action; 5] = [Action::Request, Action::Heavy, Action::Create, Action::Login, Action::Notify];

/// The callers that a limit counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An address, as [`household`] writes it.
    Address(IpAddr),
    /// An account, an e-mail address or a webhook.
    Account(String),
    /// An account as tried from one address.
    AccountFrom(String, IpAddr),
}

/// Counts actions against their limits.
pub struct Limiter {
    clock: DefaultClock,
    /// By action; none where there is no limit.
    actions: [Option<DefaultKeyedRateLimiter<Subject>>; 5],
    streams_per_address: usize,
    streams: Mutex<HashMap<IpAddr, usize>>,
}

/// The address that limits count: a household has a whole /64 of IPv6 addresses.
pub fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from(u128::from(v6) >> 64 << 64)),
        },
        v4 => v4,
    }
}

fn limiter(limit: Limit) -> Option<DefaultKeyedRateLimiter<Subject>> {
    let positive = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
    (limit.burst != u32::MAX)
        .then(|| RateLimiter::keyed(Quota::per_minute(positive(limit.per_minute)).allow_burst(positive(limit.burst))))
}

impl Limiter {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let actions = ACTIONS.map(|action| {
            limiter(match action {
                Action::Request => limits.request,
                Action::Heavy => limits.heavy,
                Action::Create => limits.create,
                Action::Login => limits.login,
                Action::Notify => limits.notify,
            })
        });
        Self { clock: DefaultClock::default(), actions, streams_per_address: limits.streams, streams: Mutex::default() }
    }

    /// Counts an action of an address; if it is beyond the limit, in how many seconds to try again.
    pub fn address(&self, action: Action, address: IpAddr) -> Result<(), u64> {
        self.take(action, Subject::Address(household(address)))
    }

    /// The same for an account, an e-mail address or a webhook.
    pub fn account(&self, action: Action, account: &str) -> Result<(), u64> {
        self.take(action, Subject::Account(account.to_owned()))
    }

    /// The same for an account as tried from one address, so that an attacker elsewhere does not lock its owner out.
    pub fn account_from(&self, action: Action, account: &str, address: IpAddr) -> Result<(), u64> {
        self.take(action, Subject::AccountFrom(account.to_owned(), household(address)))
    }

    /// Counts a new stream of an address; false if the address has too many.
    pub fn open_stream(&self, address: IpAddr) -> bool {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let count = streams.entry(household(address)).or_default();
        if *count >= self.streams_per_address {
            return false;
        }
        *count += 1;
        true
    }

    /// Counts a stream that has ended.
    pub fn close_stream(&self, address: IpAddr) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let address = household(address);
        match streams.get_mut(&address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(streams.remove(&address)),
        }
    }

    fn take(&self, action: Action, subject: Subject) -> Result<(), u64> {
        let Some(limiter) = &self.actions[action as usize] else { return Ok(()) };
        if limiter.len() >= MOST_TRACKED {
            limiter.retain_recent();
        }
        limiter.check_key(&subject).map_err(|until| until.wait_time_from(self.clock.now()).as_secs() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_nothing_beyond_it() {
        let limiter = Limiter::new(Limits { login: Limit { burst: 3, per_minute: 1 }, ..Limits::default() });
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        for _ in 0..3 {
            assert_eq!(limiter.address(Action::Login, address), Ok(()));
        }
        assert!(limiter.address(Action::Login, address).is_err());
        assert_eq!(limiter.address(Action::Login, "192.0.2.2".parse().unwrap()), Ok(()));
        assert_eq!(limiter.account(Action::Login, "ann"), Ok(()));
        assert_eq!(limiter.account_from(Action::Login, "ann", address), Ok(()));
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
    fn ipv6_addresses_of_one_household_share_a_limit() {
        let limiter = Limiter::new(Limits { login: Limit { burst: 1, per_minute: 1 }, ..Limits::default() });
        assert!(limiter.address(Action::Login, "2001:db8::1".parse().unwrap()).is_ok());
        assert!(limiter.address(Action::Login, "2001:db8::2".parse().unwrap()).is_err());
        assert!(limiter.address(Action::Login, "2001:db8:1::1".parse().unwrap()).is_ok());
    }
}
