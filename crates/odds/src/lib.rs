//! Exact distributions of anything that asks.
//!
//! Branches are what the rules read, not faces; pools, sums and volleys are counted, not walked; equal states are
//! merged after every step. Weights are whole numbers over a common denominator ([`Exact`]); the same engine runs
//! in `f64` ([`Fast`]) for searches and pictures.

#![warn(missing_docs)]
mod count;
mod dist;
mod enumerate;
mod fraction;
mod matrix;
mod quad;
mod weight;

pub use dist::{Dist, Mixture};
pub use enumerate::{Budget, Enumerator, OddsError, distribution, enumerate};
pub use fraction::Fraction;
pub use matrix::{Equilibrium, equilibrium, weights};
pub use weight::Weight;

/// Weights as whole numbers of any size: the odds are exact.
pub type Exact = dashu_int::UBig;

/// Weights as floating-point numbers, for searches and pictures.
pub type Fast = f64;
