//! Many games side by side.

use std::sync::atomic::{AtomicU64, Ordering};

/// Plays games number 0, 1, … on so many cores; the results in the order of the numbers.
pub fn side_by_side<T: Send>(games: u64, cores: usize, play: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return mine;
            }
            mine.push((number, play(number)));
        }
    };
    let mut all: Vec<(u64, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores.max(1)).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_games() {
        assert_eq!(side_by_side(100, 4, |number| number * number), (0..100).map(|n| n * n).collect::<Vec<_>>());
        assert!(side_by_side(0, 2, |number| number).is_empty());
    }
}
