use dashu_int::UBig;
use dashu_int::ops::Gcd;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// A chance: an exact fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: UBig,
    denominator: UBig,
}

impl Fraction {
    /// A fraction, brought to lowest terms. The denominator must not be 0.
    #[must_use]
    pub fn new(numerator: impl Into<UBig>, denominator: impl Into<UBig>) -> Self {
        let (numerator, denominator): (UBig, UBig) = (numerator.into(), denominator.into());
        assert!(!denominator.is_zero(), "a fraction has no denominator 0");
        let shared = (&numerator).gcd(&denominator);
        Self { numerator: numerator / &shared, denominator: denominator / shared }
    }

    /// Nothing.
    #[must_use]
    pub fn zero() -> Self {
        Self::new(0u8, 1u8)
    }

    /// Certainty.
    #[must_use]
    pub fn one() -> Self {
        Self::new(1u8, 1u8)
    }

    /// The number above the line.
    #[must_use]
    pub fn numerator(&self) -> &UBig {
        &self.numerator
    }

    /// The number below the line.
    #[must_use]
    pub fn denominator(&self) -> &UBig {
        &self.denominator
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::new(
            &self.numerator * &other.denominator + &other.numerator * &self.denominator,
            &self.denominator * &other.denominator,
        )
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self::new(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }

    /// As a floating-point number.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        crate::Weight::share(&self.numerator, &self.denominator)
    }

    /// A fraction from its text `a/b` or `a`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let number = |part: &str| part.trim().parse::<UBig>().ok();
        let denominator = number(denominator).filter(|n| !n.is_zero())?;
        Some(Self::new(number(numerator)?, denominator))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
