//! Schiffskrieg.
