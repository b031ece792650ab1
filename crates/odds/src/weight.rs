use dashu_int::ops::Gcd;
use dashu_int::{DoubleWord, UBig, Word};
use std::fmt::Debug;

/// A number that chances are counted in.
pub trait Weight: Clone + Debug + PartialEq + 'static {
    /// A small whole number.
    fn whole(n: u64) -> Self;
    /// The sum.
    fn add(&mut self, other: &Self);
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// The difference, which is never negative where it is asked for.
    fn less(&self, other: &Self) -> Self;
    /// Whether it is nothing.
    fn is_zero(&self) -> bool;
    /// A common denominator of several, and what each must be multiplied by to reach it.
    fn common(denominators: &[Self]) -> (Self, Vec<Self>);
    /// The coefficients of a polynomial with whole coefficients, the first not 0, raised to a power.
    fn power(polynomial: &[u64], n: u32) -> Vec<Self>;
    /// As a floating-point number, relative to a total.
    fn share(&self, total: &Self) -> f64;
    /// The bytes it holds outside itself.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// A power of a small whole number.
    fn whole_power(base: u64, n: u32) -> Self {
        let mut power = Self::whole(1);
        let mut square = Self::whole(base);
        let mut left = n;
        while left > 0 {
            if left & 1 == 1 {
                power = power.times(&square);
            }
            left >>= 1;
            if left > 0 {
                square = square.times(&square);
            }
        }
        power
    }
}

impl Weight for UBig {
    fn whole(n: u64) -> Self {
        UBig::from(n)
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn less(&self, other: &Self) -> Self {
        self - other
    }

    fn is_zero(&self) -> bool {
        UBig::is_zero(self)
    }

    fn common(denominators: &[Self]) -> (Self, Vec<Self>) {
        let mut common = UBig::ONE;
        for denominator in denominators {
            let shared = (&common).gcd(denominator);
            common *= denominator / shared;
        }
        let factors = denominators.iter().map(|denominator| &common / denominator).collect();
        (common, factors)
    }

    /// J. C. P. Miller's recurrence: each coefficient follows from the few before it, so that the cost grows with the
    /// number of coefficients and not with its square.
    fn power(polynomial: &[u64], n: u32) -> Vec<Self> {
        let (Some(&constant), degree) = (polynomial.first(), polynomial.len().saturating_sub(1)) else {
            return Vec::new();
        };
        if let Some(out) = power_in_words(polynomial, n) {
            return out;
        }
        let mut out: Vec<UBig> = Vec::with_capacity(degree * n as usize + 1);
        out.push(<UBig as Weight>::whole_power(constant, n));
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

/// The same recurrence with all coefficients side by side in words of the machine: a big integer of its own for every
/// term takes several times as long. None where a factor does not fit into a word.
fn power_in_words(polynomial: &[u64], n: u32) -> Option<Vec<UBig>> {
    let (constant, degree) = (*polynomial.first()?, polynomial.len() - 1);
    let last = degree.checked_mul(n as usize)?;
    let step = u64::from(n) + 1;
    let largest = *polynomial.iter().max()?;
    // No factor below is larger than this product.
    let fits = (degree as u64 + 1).checked_mul(step)?.checked_mul(largest)?;
    if u128::from(fits) > u128::from(Word::MAX) {
        return None;
    }
    // No coefficient is larger than the power of the sum of all, and none has more words.
    let sum = polynomial.iter().try_fold(0u64, |sum, c| sum.checked_add(*c))?;
    let width = <UBig as Weight>::whole_power(sum, n).as_words().len().max(1);
    let mut words: Vec<Word> = vec![0; width * (last + 1)];
    let first = <UBig as Weight>::whole_power(constant, n);
    words[..first.as_words().len()].copy_from_slice(first.as_words());
    // One word more than a coefficient holds the multiple of it that is gathered; what leaves that word on the way comes
    // back, because the multiple itself fits.
    let mut gathered: Vec<Word> = vec![0; width + 1];
    for k in 1..=last {
        gathered.fill(0);
        for (i, &c) in polynomial.iter().enumerate().take(k + 1).skip(1) {
            if c == 0 {
                continue;
            }
            let term = &words[(k - i) * width..(k - i + 1) * width];
            let (more, less) = (i as u64 * step, k as u64);
            if more >= less {
                add_multiple(&mut gathered, term, ((more - less) * c) as Word);
            } else {
                take_multiple(&mut gathered, term, ((less - more) * c) as Word);
            }
        }
        divide_exactly(&mut gathered, (k as u64 * constant) as Word);
        words[k * width..(k + 1) * width].copy_from_slice(&gathered[..width]);
    }
    Some(words.chunks_exact(width).map(whole_of).collect())
}

fn whole_of(words: &[Word]) -> UBig {
    match *words {
        [low] => UBig::from_word(low),
        [low, high] => UBig::from_dword(DoubleWord::from(high) << Word::BITS | DoubleWord::from(low)),
        _ => UBig::from_words(words),
    }
}

fn add_multiple(sum: &mut [Word], term: &[Word], factor: Word) {
    let mut carry: Word = 0;
    for (word, &more) in sum.iter_mut().zip(term) {
        let product =
            DoubleWord::from(more) * DoubleWord::from(factor) + DoubleWord::from(*word) + DoubleWord::from(carry);
        (*word, carry) = (product as Word, (product >> Word::BITS) as Word);
    }
    sum[term.len()] = sum[term.len()].wrapping_add(carry);
}

fn take_multiple(sum: &mut [Word], term: &[Word], factor: Word) {
    let mut carry: Word = 0;
    for (word, &less) in sum.iter_mut().zip(term) {
        let product = DoubleWord::from(less) * DoubleWord::from(factor) + DoubleWord::from(carry);
        let (left, under) = word.overflowing_sub(product as Word);
        // A product whose upper word is full has an empty lower one, which takes nothing.
        (*word, carry) = (left, (product >> Word::BITS) as Word + Word::from(under));
    }
    sum[term.len()] = sum[term.len()].wrapping_sub(carry);
}

/// Division that is known to leave no rest, word by word from below: Jebelean's method, without dividing.
fn divide_exactly(number: &mut [Word], divisor: Word) {
    let twos = divisor.trailing_zeros();
    let odd = divisor >> twos;
    if twos > 0 {
        for at in 0..number.len() {
            let above = number.get(at + 1).map_or(0, |word| word << (Word::BITS - twos));
            number[at] = number[at] >> twos | above;
        }
    }
    // Newton's method: an odd number is its own inverse in its three lowest bits, and each step doubles them.
    let mut inverse = odd;
    for _ in 0..5 {
        let rest: Word = 2;
        inverse = inverse.wrapping_mul(rest.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    let mut carry: Word = 0;
    for word in number {
        let (left, under) = word.overflowing_sub(carry);
        *word = left.wrapping_mul(inverse);
        carry = ((DoubleWord::from(*word) * DoubleWord::from(odd)) >> Word::BITS) as Word + Word::from(under);
    }
}

impl Weight for f64 {
    fn whole(n: u64) -> Self {
        n as f64
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn less(&self, other: &Self) -> Self {
        (self - other).max(0.0)
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn common(denominators: &[Self]) -> (Self, Vec<Self>) {
        (1.0, denominators.iter().map(|denominator| 1.0 / denominator).collect())
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
                    assert_eq!(power_in_words(polynomial, n).as_ref(), Some(&plain), "{polynomial:?} {n}");
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
        assert_eq!(power_in_words(&[u64::MAX, 1], 2), None, "a factor that fits into no word");
        assert_eq!(UBig::power(&[u64::MAX, 1], 2)[1], UBig::from(u64::MAX) * 2u8);
    }

    #[test]
    fn shares_of_huge_numbers_do_not_overflow() {
        let total = <UBig as Weight>::whole_power(36, 900);
        let third = &total / 3u8;
        assert!((third.share(&total) - 1.0 / 3.0).abs() < 1e-12);
    }
}
