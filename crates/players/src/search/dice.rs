//! Dice in the tree. Where a roll has few readings, each comes up as often as its exact odds say; where it has many, it
//! is rolled.

use super::tree::Tree;
use flagplot_kernel::{Chance, Die};

/// A roll with more readings than this is sampled.
const FEW: usize = 12;

/// What may come of a roll, with the exact odds of each.
pub(super) type Readings<T> = Vec<(T, f64)>;

/// The readings of one die, named by their first faces. None if there are many.
pub(super) fn of_die<R: Eq>(die: Die, read: impl Fn(u8) -> R) -> Option<Readings<(u8, R)>> {
    let mut all: Readings<(u8, R)> = Vec::with_capacity(FEW);
    for face in die.faces() {
        let seen = read(face);
        match all.iter().position(|((_, known), _)| *known == seen) {
            Some(at) => all[at].1 += 1.0,
            None if all.len() == FEW => return None,
            None => all.push(((face, seen), 1.0)),
        }
    }
    let faces: f64 = all.iter().map(|(_, odds)| odds).sum();
    all.iter_mut().for_each(|(_, odds)| *odds /= faces);
    Some(all)
}

/// How `n` dice may fall into classes. None if there are many ways.
pub(super) fn of_pool<const K: usize>(n: u32, die: Die, class: impl Fn(u8) -> usize) -> Option<Readings<[u32; K]>> {
    let mut all: Readings<[u32; K]> = vec![([0; K], 1.0)];
    let one = of_die(die, class)?;
    for _ in 0..n {
        let mut more: Readings<[u32; K]> = Vec::with_capacity(FEW);
        for (counts, odds) in &all {
            for ((_, class), share) in &one {
                let mut counts = *counts;
                *counts.get_mut(*class)? += 1;
                add(&mut more, counts, odds * share)?;
            }
        }
        all = more;
    }
    Some(all)
}

/// The totals of `n` dice. None if there are many.
pub(super) fn of_sum(n: u32, die: Die) -> Option<Readings<u32>> {
    let mut all: Readings<u32> = vec![(0, 1.0)];
    let one = of_die(die, |face| face)?;
    for _ in 0..n {
        let mut more: Readings<u32> = Vec::with_capacity(FEW);
        for (total, odds) in &all {
            for ((face, _), share) in &one {
                add(&mut more, total + u32::from(*face), odds * share)?;
            }
        }
        all = more;
    }
    Some(all)
}

fn add<T: PartialEq>(all: &mut Readings<T>, reading: T, odds: f64) -> Option<()> {
    match all.iter().position(|(known, _)| *known == reading) {
        Some(at) => all[at].1 += odds,
        None if all.len() == FEW => return None,
        None => all.push((reading, odds)),
    }
    Some(())
}

/// How far each reading of a roll has fallen behind its odds, in games.
#[derive(Clone, Debug, Default)]
pub(super) struct Lag(Vec<f64>);

impl Lag {
    /// The reading of the next game: drawn from those that have come up less often than they should have, in proportion
    /// to how much they lack. The first game meets the plain odds; after many, every reading has come up in proportion
    /// to them, within a game or so.
    pub fn next<T>(&mut self, readings: &Readings<T>, chance: &mut Chance) -> usize {
        if self.0.len() != readings.len() {
            // Another world with the same answers may roll otherwise.
            self.0 = vec![0.0; readings.len()];
        }
        for (lag, (_, odds)) in self.0.iter_mut().zip(readings) {
            *lag += odds;
        }
        let behind = |lag: &f64| lag.max(0.0);
        let mut left = f64::from(chance.below(1 << 24)) / f64::from(1 << 24) * self.0.iter().map(behind).sum::<f64>();
        let mut chosen = 0;
        for (at, lag) in self.0.iter().enumerate().filter(|(_, lag)| **lag > 0.0) {
            chosen = at;
            left -= lag;
            if left < 0.0 {
                break;
            }
        }
        self.0[chosen] -= 1.0;
        chosen
    }
}

impl Tree {
    /// Which of few readings a roll at this point of the tree shows now.
    pub(super) fn roll<T>(&mut self, key: u64, readings: &Readings<T>, chance: &mut Chance) -> usize {
        match self.lag(key) {
            Some(lag) => lag.next(readings, chance),
            None => Lag::default().next(readings, chance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagplot_kernel::D6;

    #[test]
    fn few_readings_have_their_exact_odds() {
        let hit = of_die(D6, |face| face >= 5).unwrap();
        assert_eq!(
            hit.iter().map(|((face, seen), odds)| (*face, *seen, (odds * 6.0).round() as i32)).collect::<Vec<_>>(),
            [(1, false, 4), (5, true, 2)]
        );
        let seven = of_sum(2, D6).unwrap().into_iter().find(|(total, _)| *total == 7).unwrap().1;
        assert!((seven - 6.0 / 36.0).abs() < 1e-12);
        let pool = of_pool::<2>(2, D6, |face| usize::from(face == 6)).unwrap();
        assert_eq!(
            pool.iter().map(|(counts, odds)| (*counts, (odds * 36.0).round() as i32)).collect::<Vec<_>>(),
            [([2, 0], 25), ([1, 1], 10), ([0, 2], 1)]
        );
        assert!(
            of_sum(3, D6).is_none()
                && of_pool::<3>(9, D6, |face| usize::from(face) % 3).is_none()
                && of_die(flagplot_kernel::D20, |face| face).is_none()
        );
        assert_eq!(of_sum(0, D6).unwrap(), [(0, 1.0)]);
    }

    #[test]
    fn readings_come_up_as_often_as_their_odds_say_and_never_far_behind() {
        let readings = vec![("rare", 1.0 / 36.0), ("some", 10.0 / 36.0), ("most", 25.0 / 36.0)];
        let mut firsts = [0; 3];
        for seed in 0..3600 {
            let (mut lag, mut chance, mut counts) = (Lag::default(), Chance::seeded(seed), [0.0f64; 3]);
            for game in 1..=36 {
                let at = lag.next(&readings, &mut chance);
                firsts[at] += u32::from(game == 1);
                counts[at] += 1.0;
                for (count, (what, odds)) in counts.iter().zip(&readings) {
                    assert!((count - odds * f64::from(game)).abs() < 2.0, "{what}: {count} of {game}");
                }
            }
        }
        // The first game of all is a plain roll: 100, 1000 and 2500 expected, five standard deviations allowed.
        for (count, (expected, deviation)) in firsts.into_iter().zip([(100.0, 9.9), (1000.0, 26.9), (2500.0, 27.6)]) {
            assert!((f64::from(count) - expected).abs() < 5.0 * deviation, "{firsts:?}");
        }
    }
}
