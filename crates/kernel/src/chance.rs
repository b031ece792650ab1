use crate::{Die, Faces};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A seeded generator: the same numbers on every machine for the same seed.
///
/// Rules never hold one. It is handed to those who sample: playouts, policies, imagined worlds.
#[derive(Clone, Debug)]
pub struct Chance {
    rng: ChaCha8Rng,
    spare: u32,
}

impl Chance {
    /// The generator of a whole number.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed), spare: 0 }
    }

    /// The `stream`-th of many independent generators of one seed, one for each game of a study.
    #[must_use]
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self { rng, spare: 0 }
    }

    /// A new generator whose numbers follow from this one's.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self::seeded(self.rng.next_u64())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// A whole number below `n`, each equally likely (Lemire's method). 0 when `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.rng.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let floor = n.wrapping_neg() % n.max(1);
            while (product as u32) < floor {
                product = u64::from(self.rng.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// A face of a fair die.
    #[inline]
    pub fn face(&mut self, die: Die) -> u8 {
        if die.sides == 6 {
            return self.d6();
        }
        self.below(u32::from(die.sides)) as u8 + 1
    }

    #[inline]
    fn d6(&mut self) -> u8 {
        if self.spare < 6 {
            self.draw();
        }
        let digit = self.spare % 6;
        self.spare /= 6;
        digit as u8 + 1
    }

    /// Ten base-6 digits are taken out of each 32-bit draw: 6^10 of 2^32 values by Lemire's method,
    /// which stays unbiased because a draw outside the whole multiples is thrown away.
    #[inline]
    fn draw(&mut self) {
        const TEN: u32 = 6u32.pow(10);
        // A leading 1 marks how many digits are left.
        self.spare = self.below(TEN) + TEN;
    }

    /// Hands over the faces of `n` dice, one after the other.
    #[inline]
    pub fn each_face(&mut self, n: u32, die: Die, mut each: impl FnMut(u8)) {
        for _ in 0..n {
            each(self.face(die));
        }
    }

    /// Faces of `n` dice.
    pub fn faces(&mut self, n: u32, die: Die) -> Faces {
        Faces((0..n).map(|_| self.face(die)).collect())
    }

    /// One of the items, each equally likely; none of an empty list.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// The index of one of the weights, in proportion to them; none if all are 0.
    pub fn weighted(&mut self, weights: &[u64]) -> Option<usize> {
        let total: u64 = weights.iter().sum();
        if total == 0 {
            return None;
        }
        // Rejection keeps it exact: a draw at or above the largest multiple of `total` is thrown away.
        let ceiling = u64::MAX - u64::MAX % total;
        let mut left = loop {
            let draw = self.bits();
            if draw < ceiling {
                break draw % total;
            }
        };
        weights.iter().position(|&weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{D6, D20};

    #[test]
    fn faces_are_fair_by_chi_squared() {
        for die in [D6, D20] {
            let mut chance = Chance::seeded(7);
            let mut counts = vec![0u64; die.sides as usize];
            let rolls = 240_000u64;
            for _ in 0..rolls {
                counts[chance.face(die) as usize - 1] += 1;
            }
            let expected = rolls / u64::from(die.sides);
            // 1000 times chi squared, in whole numbers.
            let chi: u64 = counts.iter().map(|&c| c.abs_diff(expected).pow(2) * 1000 / expected).sum();
            assert!(chi < 45_000, "{die}: {chi} thousandths, {counts:?}");
        }
    }

    #[test]
    fn weighted_picks_in_proportion_and_never_what_weighs_nothing() {
        let mut chance = Chance::seeded(3);
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            counts[chance.weighted(&[1, 0, 2]).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!(counts[0].abs_diff(10_000) < 500, "{counts:?}");
        assert_eq!(chance.weighted(&[0, 0]), None);
    }

    #[test]
    fn streams_of_one_seed_differ_and_repeat() {
        let draw = |stream| Chance::stream(1, stream).bits();
        assert_ne!(draw(0), draw(1));
        assert_eq!(draw(1), draw(1));
    }
}
