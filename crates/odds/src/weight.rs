use dashu_int::UBig;
use dashu_int::ops::Gcd;
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
        let mut out: Vec<UBig> = Vec::with_capacity(degree * n as usize + 1);
        out.push(<UBig as Weight>::whole_power(constant, n));
        for k in 1..=degree * n as usize {
            let (mut plus, mut minus) = (UBig::ZERO, UBig::ZERO);
            for i in 1..=degree.min(k) {
                if polynomial[i] == 0 {
                    continue;
                }
                let factor = i as i64 * (i64::from(n) + 1) - k as i64;
                let term = &out[k - i] * (factor.unsigned_abs() * polynomial[i]);
                if factor >= 0 { plus += term } else { minus += term }
            }
            out.push((plus - minus) / (k as u64 * constant));
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
    fn shares_of_huge_numbers_do_not_overflow() {
        let total = <UBig as Weight>::whole_power(36, 900);
        let third = &total / 3u8;
        assert!((third.share(&total) - 1.0 / 3.0).abs() < 1e-12);
    }
}
