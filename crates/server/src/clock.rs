//! How much time each seat has left, in server time: clocks stop while no server is up.

use crate::wire::{ClockPlan, ClockState, SeatClock};
use flagplot_kernel::Seat;
use serde::{Deserialize, Serialize};

const DAY: i64 = 86_400_000;

/// The clocks of a game. Times are in milliseconds of server time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The time each seat has used.
    used: Vec<i64>,
    /// Since when each seat's clock is running.
    since: Vec<Option<i64>>,
    /// When the first clock began to run; games of earlier programs go by when they were created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    begun: Option<i64>,
}

impl Clock {
    /// Whether no clock ever ran.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.used.is_empty()
    }

    /// Stops the clock of a seat that has answered.
    pub fn stop(&mut self, seat: Seat, now: i64) {
        let at = usize::from(seat.0);
        if let Some(since) = self.since.get_mut(at).and_then(Option::take) {
            self.used[at] += (now - since).max(0);
        }
    }

    /// Runs the clocks of `waiting` and stops all others.
    pub fn run(&mut self, plan: &ClockPlan, seats: usize, waiting: &[Seat], now: i64) {
        if self.used.is_empty() {
            self.begun = Some(now);
        }
        self.used.resize(seats, 0);
        self.since.resize(seats, None);
        for at in 0..seats {
            let seat = Seat(at as u8);
            match (waiting.contains(&seat), self.since[at]) {
                (true, None) => {
                    if matches!(plan, ClockPlan::PerMove { .. }) {
                        self.used[at] = 0;
                    }
                    self.since[at] = Some(now);
                }
                (false, Some(_)) => self.stop(seat, now),
                _ => {}
            }
        }
    }

    #[must_use]
    pub fn left(&self, plan: &ClockPlan, seat: Seat, created: i64, now: i64) -> i64 {
        let at = usize::from(seat.0);
        let running = self.since.get(at).copied().flatten();
        let used = self.used.get(at).copied().unwrap_or(0) + running.map_or(0, |since| (now - since).max(0));
        match plan {
            ClockPlan::PerMove { seconds, .. } => i64::from(*seconds) * 1000 - if running.is_some() { used } else { 0 },
            ClockPlan::Banked { seconds_per_day, bank_seconds, .. } => {
                let days = (now - self.begun.unwrap_or(created)).max(0) / DAY + 1;
                (i64::from(*bank_seconds) + i64::from(*seconds_per_day).saturating_mul(days)).saturating_mul(1000)
                    - used
            }
        }
    }

    #[must_use]
    pub fn state(&self, plan: &ClockPlan, seats: &[Seat], created: i64, now: i64) -> ClockState {
        let seats = seats
            .iter()
            .map(|&seat| SeatClock {
                seat,
                left: self.left(plan, seat, created, now).max(0),
                running: self.since.get(usize::from(seat.0)).copied().flatten().is_some(),
            })
            .collect();
        ClockState { plan: plan.clone(), seats }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::OnTimeout;

    const A: Seat = Seat(0);
    const B: Seat = Seat(1);

    #[test]
    fn time_per_move_starts_again_with_each_question() {
        let plan = ClockPlan::PerMove { seconds: 60, on_timeout: OnTimeout::Lose };
        let mut clock = Clock::default();
        clock.run(&plan, 2, &[A], 1_000);
        assert_eq!(clock.left(&plan, A, 0, 11_000), 50_000);
        assert_eq!(clock.left(&plan, B, 0, 11_000), 60_000);
        clock.stop(A, 11_000);
        clock.run(&plan, 2, &[A], 11_000);
        assert_eq!(clock.left(&plan, A, 0, 12_000), 59_000);
        assert!(clock.left(&plan, A, 0, 72_000) <= 0);
    }

    #[test]
    fn banked_time_is_used_up_and_grows_by_the_day() {
        let plan = ClockPlan::Banked { seconds_per_day: 10, bank_seconds: 100, on_timeout: OnTimeout::Lose };
        let mut clock = Clock::default();
        clock.run(&plan, 2, &[A], 0);
        clock.run(&plan, 2, &[B], 30_000);
        assert_eq!(clock.left(&plan, A, 0, 40_000), 80_000);
        assert_eq!(clock.left(&plan, B, 0, 40_000), 100_000);
        assert_eq!(clock.left(&plan, A, 0, DAY + 1), 90_000);
    }

    #[test]
    fn sealed_answers_stop_only_their_own_clock() {
        let plan = ClockPlan::PerMove { seconds: 60, on_timeout: OnTimeout::Lose };
        let mut clock = Clock::default();
        clock.run(&plan, 2, &[A, B], 0);
        clock.stop(A, 5_000);
        clock.run(&plan, 2, &[B], 5_000);
        assert_eq!(clock.left(&plan, B, 0, 20_000), 40_000);
    }
}
