//! Whether two code versions give the same distributions.

pub mod two_sample;

pub mod paired;

pub mod multiplicity;
