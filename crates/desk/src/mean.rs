//! Means of games, with their errors.

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub value: f64,
    pub error: f64,
}

impl Mean {
    /// Of scores from 0 to 1, or of differences that are as narrow. As if one more had been a half away from the rest:
    /// values that all agree are not certain.
    pub fn of(values: &[f64]) -> Self {
        Self::about(0.5, 0.5, values)
    }

    /// Of differences from -1 to 1; again as if one more were that far away.
    pub fn of_differences(values: &[f64]) -> Self {
        Self::about(0.0, 1.0, values)
    }

    fn about(middle: f64, half: f64, values: &[f64]) -> Self {
        let n = values.len() as f64;
        if values.is_empty() {
            return Self { value: middle, error: half };
        }
        let value = values.iter().sum::<f64>() / n;
        Self { value, error: (scatter(values, value) + half * half).sqrt() / n }
    }

    pub fn less(self, other: Self) -> Self {
        Self { value: self.value - other.value, error: self.error.hypot(other.error) }
    }
}

/// The sum of squares about a mean.
pub(crate) fn scatter(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|value| (value - mean).powi(2)).sum()
}
