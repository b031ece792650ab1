use crate::Weight;
use crate::weight::{less, power_in_words};
use dashu_int::{DoubleWord, UBig, Word};

/// How many words a short number has.
const WORDS: usize = 4;

/// A whole number of four words. What does not fit is cut off above, so that differences and exact quotients of such
/// numbers are right wherever they fit themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quad([Word; WORDS]);

impl Quad {
    pub(crate) fn new(words: &[Word]) -> Option<Self> {
        (words.len() <= WORDS).then(|| Self::cut(words))
    }

    fn cut(words: &[Word]) -> Self {
        let mut quad = [0; WORDS];
        for (to, from) in quad.iter_mut().zip(words) {
            *to = *from;
        }
        Self(quad)
    }

    /// All but the zeros above.
    pub(crate) fn words(&self) -> &[Word] {
        &self.0[..self.length().max(1)]
    }

    fn length(&self) -> usize {
        WORDS - self.0.iter().rev().take_while(|&&word| word == 0).count()
    }

    fn bits(&self) -> u32 {
        let length = self.length();
        if length == 0 { 0 } else { length as u32 * Word::BITS - self.0[length - 1].leading_zeros() }
    }
}

impl Weight for Quad {
    type Short = Quad;

    fn shortened(&self) -> Option<Quad> {
        Some(*self)
    }

    fn of_short(short: &Quad) -> Self {
        *short
    }

    fn whole(n: u64) -> Self {
        Self::cut(UBig::from(n).as_words())
    }

    #[inline]
    fn add(&mut self, other: &Self) {
        let mut carry = false;
        for (word, more) in self.0.iter_mut().zip(other.0) {
            let (sum, over) = word.overflowing_add(more);
            let (sum, over_again) = sum.overflowing_add(Word::from(carry));
            *word = sum;
            carry = over || over_again;
        }
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        let mut product = [0; WORDS];
        for (at, &factor) in other.0.iter().enumerate() {
            if factor == 0 {
                continue;
            }
            let mut carry: Word = 0;
            for (word, &of) in product[at..].iter_mut().zip(&self.0) {
                let sum =
                    DoubleWord::from(of) * DoubleWord::from(factor) + DoubleWord::from(*word) + DoubleWord::from(carry);
                (*word, carry) = (sum as Word, (sum >> Word::BITS) as Word);
            }
        }
        Self(product)
    }

    fn times_if_it_fits(&self, other: &Self) -> Option<Self> {
        (self.bits() + other.bits() <= WORDS as u32 * Word::BITS).then(|| self.times(other))
    }

    #[inline]
    fn take(&mut self, other: &Self) {
        let mut under = false;
        for (word, taken) in self.0.iter_mut().zip(other.0) {
            (*word, under) = less(*word, taken, under);
        }
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.0 == [0; WORDS]
    }

    fn common(denominators: &[Self]) -> Option<(Self, Vec<Self>)> {
        let long: Vec<UBig> = denominators.iter().map(UBig::of_short).collect();
        let (common, factors) = UBig::common(&long)?;
        Some((common.shortened()?, factors.iter().map(UBig::shortened).collect::<Option<_>>()?))
    }

    fn power(polynomial: &[u64], n: u32) -> Vec<Self> {
        power_in_words(polynomial, n, Self::cut)
            .unwrap_or_else(|| UBig::power(polynomial, n).iter().map(|whole| Self::cut(whole.as_words())).collect())
    }

    fn share(&self, total: &Self) -> f64 {
        UBig::of_short(self).share(&UBig::of_short(total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_count_as_long_ones_do() {
        let numbers: Vec<UBig> =
            (0..24).flat_map(|n| [UBig::from(36u8).pow(n), (UBig::ONE << (11 * n)) - UBig::ONE]).collect();
        for a in &numbers {
            for b in &numbers {
                let (Some(x), Some(y)) = (a.shortened(), b.shortened()) else { continue };
                if let Some(product) = x.times_if_it_fits(&y) {
                    assert_eq!(UBig::of_short(&product), a * b);
                }
                assert!((a * b).as_words().len() > 3 || x.times_if_it_fits(&y).is_some(), "{a} {b}");
                let mut sum = x;
                sum.add(&y);
                assert!(sum == (a + b).shortened().unwrap_or(sum));
                sum.take(&y);
                assert_eq!(UBig::of_short(&sum), *a);
            }
        }
        assert_eq!(Quad::whole_power(36, 49).map(|power| UBig::of_short(&power)), Some(UBig::from(36u8).pow(49)));
        assert_eq!(Quad::whole_power(36, 50), None);
    }

    #[test]
    fn powers_and_common_denominators_are_those_of_long_numbers() {
        let polynomial = [24, 1, 1, 1, 1, 1, 1];
        let long: Vec<UBig> = Quad::power(&polynomial, 40).iter().map(UBig::of_short).collect();
        assert_eq!(long, UBig::power(&polynomial, 40));
        let denominators: Vec<UBig> = [6u64, 400, 36].into_iter().map(|n| UBig::from(n).pow(9)).collect();
        let short: Vec<Quad> = denominators.iter().filter_map(UBig::shortened).collect();
        let (common, factors) = Quad::common(&short).unwrap();
        let long = (UBig::of_short(&common), factors.iter().map(UBig::of_short).collect());
        assert_eq!(Some(long), UBig::common(&denominators));
        let far_apart: Vec<Quad> = [7u64, 11, 13].into_iter().filter_map(|n| Quad::whole_power(n, 40)).collect();
        assert_eq!(Quad::common(&far_apart), None);
    }
}
