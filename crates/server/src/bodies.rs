//! Room for the large bodies of requests: each takes its part of the memory until its request is answered.

use crate::limit::household;
use crate::open_game::lock;
use crate::pool::busy;
use crate::{LARGEST_BODY, LARGEST_RECORD, LARGEST_REQUEST, failure::Reply};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many addresses can fill the room for all.
const ADDRESSES: usize = 8;
/// How many times its bytes a body takes once it has been read as JSON.
const READ: usize = LARGEST_RECORD / LARGEST_REQUEST;

/// Counts the bytes of large bodies.
pub struct Bodies {
    /// For one address; none if there is no limit.
    each: Option<usize>,
    /// Kilobytes for all.
    all: Arc<Semaphore>,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// The room that a body has, until it is dropped.
pub struct Room {
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    address: IpAddr,
    bytes: usize,
    _all: Option<OwnedSemaphorePermit>,
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        match open.get_mut(&self.address) {
            Some(bytes) if *bytes > self.bytes => *bytes -= self.bytes,
            _ => drop(open.remove(&self.address)),
        }
    }
}

/// How much room the body of a request takes; 0 for small ones. Without a stated length it may be as large as any.
pub fn room_for(path: &str, length: Option<u64>) -> usize {
    let length = length.and_then(|length| usize::try_from(length).ok()).unwrap_or(usize::MAX);
    let record = path.ends_with("/verify") || path.ends_with("/import");
    match length {
        0..=LARGEST_BODY => 0,
        _ if record => length.min(LARGEST_RECORD),
        _ => length.min(LARGEST_REQUEST) * READ,
    }
}

impl Bodies {
    /// So many bytes for each address; `usize::MAX` for no limit.
    #[must_use]
    pub fn new(each: usize) -> Self {
        let limited = each != usize::MAX;
        let all = if limited { (each * ADDRESSES) >> 10 } else { 0 };
        Self { each: limited.then_some(each), all: Arc::new(Semaphore::new(all)), open: Arc::default() }
    }

    /// Takes room. Refuses if the address has used up its part, or if no room becomes free within this time.
    pub async fn room(&self, address: IpAddr, bytes: usize, patience: Duration) -> Reply<Option<Room>> {
        let Some(each) = self.each.filter(|_| bytes > 0) else { return Ok(None) };
        let address = household(address);
        let mut room = {
            let mut open = lock(&self.open);
            let taken = open.get(&address).copied().unwrap_or(0);
            if taken + bytes > each {
                return Err(busy());
            }
            open.insert(address, taken + bytes);
            Room { open: self.open.clone(), address, bytes, _all: None }
        };
        let kilobytes = u32::try_from(bytes >> 10).unwrap_or(u32::MAX);
        let waited = tokio::time::timeout(patience, self.all.clone().acquire_many_owned(kilobytes)).await;
        room._all = Some(waited.map_err(|_| busy())?.map_err(|_| busy())?);
        Ok(Some(room))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_bodies_take_no_room_and_those_without_a_length_take_the_most() {
        assert_eq!(room_for("/api/odds", Some(LARGEST_BODY as u64)), 0);
        assert_eq!(room_for("/api/verify", Some(1 << 20)), 1 << 20);
        assert_eq!(room_for("/api/odds", Some(1 << 20)), 8 << 20);
        for (path, length) in [("/api/verify", None), ("/api/odds", None), ("/api/verify", Some(u64::MAX))] {
            assert_eq!(room_for(path, length), LARGEST_RECORD, "{path}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_address_has_its_part_and_others_have_theirs() {
        let bodies = Bodies::new(16 << 20);
        let address = |n: u8| IpAddr::from([192, 0, 2, n]);
        let take = |n: u8| bodies.room(address(n), 8 << 20, Duration::from_secs(15));
        let first = take(1).await.unwrap();
        let second = take(1).await.unwrap();
        assert_eq!(take(1).await.err().unwrap().refusal.code, "busy");
        let mut others = Vec::new();
        for n in 2..=8 {
            others.push((take(n).await.unwrap(), take(n).await.unwrap()));
        }
        // Now the memory is full: a newcomer waits for what becomes free, or is refused in the end.
        assert_eq!(take(9).await.err().unwrap().refusal.code, "busy");
        let (newcomer, ()) = tokio::join!(take(9), async { drop(first) });
        let newcomer = newcomer.unwrap();
        drop((second, others, newcomer));
        assert!(take(1).await.is_ok() && lock(&bodies.open).is_empty());
        assert_eq!(bodies.all.available_permits(), 128 << 10);
    }
}
