use crate::quad::Quad;
use dashu_int::ops::Gcd;
use dashu_int::{DoubleWord, UBig, Word};
use std::fmt::Debug;

/// A number that chances are counted in.
pub trait Weight: Clone + Debug + PartialEq + 'static {
    /// What is counted in while all numbers are short: the same numbers without heap.
    type Short: Weight;
    /// The same number, if it is short.
    fn shortened(&self) -> Option<Self::Short>;
    /// The same number.
    fn of_short(short: &Self::Short) -> Self;
    /// A small whole number.
    fn whole(n: u64) -> Self;
    /// The sum.
    fn add(&mut self, other: &Self);
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// The product, unless it is too long.
    fn times_if_it_fits(&self, other: &Self) -> Option<Self> {
        Some(self.times(other))
    }
    /// The difference, which is never negative where it is asked for.
    fn take(&mut self, other: &Self);
    /// Whether it is nothing.
    fn is_zero(&self) -> bool;
    /// A common denominator of several, and what each must be multiplied by to reach it; none if it is too long.
    fn common(denominators: &[Self]) -> Option<(Self, Vec<Self>)>;
    /// The coefficients of a polynomial with whole coefficients, the first not 0, raised to a power.
    fn power(polynomial: &[u64], n: u32) -> Vec<Self>;
    /// As a floating-point number, relative to a total.
    fn share(&self, total: &Self) -> f64;
    /// The bytes it holds outside itself.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// A power of a small whole number, unless it is too long.
    fn whole_power(base: u64, n: u32) -> Option<Self> {
        let mut power = Self::whole(1);
        let mut square = Self::whole(base);
        let mut left = n;
        while left > 0 {
            if left & 1 == 1 {
                power = power.times_if_it_fits(&square)?;
            }
            left >>= 1;
            if left > 0 {
                square = square.times_if_it_fits(&square)?;
            }
        }
        Some(power)
    }
}

impl Weight for UBig {
    type Short = Quad;

    fn shortened(&self) -> Option<Quad> {
        Quad::new(self.as_words())
    }

    fn of_short(short: &Quad) -> Self {
        whole_of(short.words())
    }

    fn whole(n: u64) -> Self {
        UBig::from(n)
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn take(&mut self, other: &Self) {
        *self -= other;
    }

    fn is_zero(&self) -> bool {
        UBig::is_zero(self)
    }

    fn common(denominators: &[Self]) -> Option<(Self, Vec<Self>)> {
        let mut common = UBig::ONE;
        for denominator in denominators {
            let shared = (&common).gcd(denominator);
            common *= denominator / shared;
        }
        let factors = denominators.iter().map(|denominator| &common / denominator).collect();
        Some((common, factors))
    }

    fn power(polynomial: &[u64], n: u32) -> Vec<Self> {
        power_in_words(polynomial, n, whole_of).unwrap_or_else(|| power_of_any_size(polynomial, n))
    }

    fn heap_bytes(&self) -> usize {
        let bits = dashu_int::ops::BitTest::bit_len(self);
        // Two words live inside.
        if bits > 128 { bits / 8 + 24 } else { 0 }
    }

    fn share(&self, total: &Self) -> f64 {
        // Both are cut to the same number of bits, few enough for a double, so that huge numbers do not overflow.
        let bits = |n: &UBig| dashu_int::ops::BitTest::bit_len(n);
        let cut = bits(total).saturating_sub(900);
        let double = |n: UBig| n.to_f64().value();
        double(self >> cut) / double(total >> cut)
    }
}

/// J. C. P. Miller's recurrence: each coefficient follows from the few before it, so that the cost grows with the
/// number of coefficients and not with its square.
fn power_of_any_size(polynomial: &[u64], n: u32) -> Vec<UBig> {
    let (Some(&constant), degree) = (polynomial.first(), polynomial.len().saturating_sub(1)) else {
        return Vec::new();
    };
    let mut out: Vec<UBig> = Vec::with_capacity(degree * n as usize + 1);
    out.push(UBig::from(constant).pow(n as usize));
    for k in 1..=degree * n as usize {
        let (mut plus, mut minus) = (UBig::ZERO, UBig::ZERO);
        for i in 1..=degree.min(k) {
            if polynomial[i] == 0 {
                continue;
            }
            let factor = i as i64 * (i64::from(n) + 1) - k as i64;
            let term = &out[k - i] * factor.unsigned_abs() * polynomial[i];
            if factor >= 0 { plus += term } else { minus += term }
        }
        out.push((plus - minus) / (UBig::from(constant) * k as u64));
    }
    out
}

/// The same recurrence with all coefficients side by side in words of the machine: a big integer of its own for every
/// term takes several times as long. None where the multiples of a word could leave two words.
pub(crate) fn power_in_words<W>(polynomial: &[u64], n: u32, whole: impl Fn(&[Word]) -> W) -> Option<Vec<W>> {
    let (constant, degree) = (*polynomial.first()?, polynomial.len() - 1);
    let last = degree.checked_mul(n as usize)?;
    let step = u64::from(n) + 1;
    let largest = *polynomial.iter().max()?;
    // No sum of factors below is larger than this product.
    let fits = (degree as u64 + 1).checked_mul(degree as u64 + 1)?.checked_mul(step)?.checked_mul(largest)?;
    if u128::from(fits) >= u128::from(Word::MAX) {
        return None;
    }
    // No coefficient is larger than the power of the sum of all, and none has more words.
    let sum = polynomial.iter().try_fold(0u64, |sum, c| sum.checked_add(*c))?;
    let width = UBig::from(sum).pow(n as usize).as_words().len().max(1);
    let mut words: Vec<Word> = vec![0; width * (last + 1)];
    let first = UBig::from(constant).pow(n as usize);
    words[..first.as_words().len()].copy_from_slice(first.as_words());
    let terms: Vec<(usize, u64)> = polynomial.iter().copied().enumerate().skip(1).filter(|&(_, c)| c > 0).collect();
    // Where each earlier coefficient begins, and its factor.
    let mut factors: Vec<(usize, Word)> = vec![(0, 0); terms.len()];
    // One word more than a coefficient holds the multiple of it that is gathered.
    let mut gathered: Vec<Word> = vec![0; width + 1];
    for k in 1..=last {
        let known = if k >= degree { terms.len() } else { terms.iter().take_while(|term| term.0 <= k).count() };
        let mut below = 0;
        for (factor, &(i, c)) in factors.iter_mut().zip(&terms[..known]) {
            let (more, less) = (i as u64 * step, k as u64);
            below += usize::from(more < less);
            *factor = ((k - i) * width, (more.abs_diff(less) * c) as Word);
        }
        // The factors grow with i, so that those below 0 come first.
        let (minus, plus) = factors[..known].split_at(below);
        let (mut added, mut taken, mut under): (DoubleWord, DoubleWord, bool) = (0, 0, false);
        for at in 0..width {
            for &(from, factor) in plus {
                added += DoubleWord::from(words[from + at]) * DoubleWord::from(factor);
            }
            for &(from, factor) in minus {
                taken += DoubleWord::from(words[from + at]) * DoubleWord::from(factor);
            }
            (gathered[at], under) = less(added as Word, taken as Word, under);
            added >>= Word::BITS;
            taken >>= Word::BITS;
        }
        gathered[width] = less(added as Word, taken as Word, under).0;
        divide_exactly(&gathered, (k as u64 * constant) as Word, &mut words[k * width..(k + 1) * width]);
    }
    Some(words.chunks_exact(width).map(whole).collect())
}

/// A difference of words that takes over what the words below borrowed.
#[inline]
pub(crate) fn less(word: Word, taken: Word, under: bool) -> (Word, bool) {
    let (left, first_under) = word.overflowing_sub(taken);
    let (left, second_under) = left.overflowing_sub(Word::from(under));
    (left, first_under || second_under)
}

fn whole_of(words: &[Word]) -> UBig {
    match *words {
        [low] => UBig::from_word(low),
        [low, high] => UBig::from_dword(DoubleWord::from(high) << Word::BITS | DoubleWord::from(low)),
        _ => UBig::from_words(words),
    }
}

/// Division that is known to leave no rest, word by word from below: Jebelean's method, without dividing.
fn divide_exactly(number: &[Word], divisor: Word, quotient: &mut [Word]) {
    let twos = divisor.trailing_zeros();
    let odd = divisor >> twos;
    // Newton's method: an odd number is its own inverse in its three lowest bits, and each step doubles them.
    let mut inverse = odd;
    for _ in 0..5 {
        let rest: Word = 2;
        inverse = inverse.wrapping_mul(rest.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    let mut carry: Word = 0;
    for (at, word) in quotient.iter_mut().enumerate() {
        // Two shifts, because a shift by a whole word is none.
        let halved = number[at] >> twos | number[at + 1] << 1 << (Word::BITS - 1 - twos);
        let (left, under) = halved.overflowing_sub(carry);
        *word = left.wrapping_mul(inverse);
        carry = ((DoubleWord::from(*word) * DoubleWord::from(odd)) >> Word::BITS) as Word + Word::from(under);
    }
}

impl Weight for f64 {
    type Short = f64;

    fn shortened(&self) -> Option<f64> {
        Some(*self)
    }

    fn of_short(short: &f64) -> Self {
        *short
    }

    fn whole(n: u64) -> Self {
        n as f64
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn take(&mut self, other: &Self) {
        *self = (*self - other).max(0.0);
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn common(denominators: &[Self]) -> Option<(Self, Vec<Self>)> {
        Some((1.0, denominators.iter().map(|denominator| 1.0 / denominator).collect()))
    }

    fn power(polynomial: &[u64], n: u32) -> Vec<Self> {
        let times = |a: &[f64], b: &[f64]| {
            let mut product = vec![0.0; a.len() + b.len() - 1];
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    product[i + j] += x * y;
                }
            }
            product
        };
        let mut power = vec![1.0];
        let mut square: Vec<f64> = polynomial.iter().map(|&c| c as f64).collect();
        let mut left = n;
        while left > 0 {
            if left & 1 == 1 {
                power = times(&power, &square);
            }
            left >>= 1;
            if left > 0 {
                square = times(&square, &square);
            }
        }
        power
    }

    fn share(&self, total: &Self) -> f64 {
        self / total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recurrence_agrees_with_plain_multiplication() {
        for n in [0, 1, 2, 7, 12] {
            let big = UBig::power(&[24, 1, 1, 1, 1, 1, 1], n);
            let float = f64::power(&[24, 1, 1, 1, 1, 1, 1], n);
            assert_eq!(big.len(), float.len());
            for (b, f) in big.iter().zip(&float) {
                let difference = (b.to_f64().value() - f).abs();
                assert!(difference <= f * 1e-12, "{b} {f}");
            }
        }
    }

    #[test]
    fn the_recurrence_in_words_is_exact() {
        // Word by word by plain multiplication, from numbers of one word to some of twenty.
        for (polynomial, most) in [(&[24, 1, 1, 1, 1, 1, 1][..], 220), (&[3, 0, 7, 1_000_003], 40), (&[8], 90)] {
            let mut plain = vec![UBig::ONE];
            for n in 0..=most {
                if n % 13 < 2 {
                    assert_eq!(power_in_words(polynomial, n, whole_of).as_ref(), Some(&plain), "{polynomial:?} {n}");
                }
                let mut next = vec![UBig::ZERO; plain.len() + polynomial.len() - 1];
                for (i, c) in plain.iter().enumerate() {
                    for (j, factor) in polynomial.iter().enumerate() {
                        next[i + j] += c * factor;
                    }
                }
                plain = next;
            }
        }
        assert_eq!(power_in_words(&[u64::MAX, 1], 2, whole_of), None, "a factor that fits into no word");
        assert_eq!(UBig::power(&[u64::MAX, 1], 2)[1], UBig::from(u64::MAX) * 2u8);
    }

    #[test]
    fn shares_of_huge_numbers_do_not_overflow() {
        let total = UBig::from(36u8).pow(900);
        let third = &total / 3u8;
        assert!((third.share(&total) - 1.0 / 3.0).abs() < 1e-12);
    }
}
