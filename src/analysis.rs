//! Rows in, numbers with their uncertainty out. Random numbers resample rows (bootstrap); nothing
//! here runs a trial or makes a figure.

// Points in numbers.
pub mod estimate;
pub mod formula;
pub(crate) mod guesses;
pub(crate) mod jackknife;
pub(crate) mod lower_bound;
pub mod measured;
pub(crate) mod precision;
pub(crate) mod quantile;
pub mod quantity;
pub(crate) mod share;

// How times are spread.
pub(crate) mod restart;
pub(crate) mod survival;

// Laws, and what is best.
pub(crate) mod distribution;
pub(crate) mod least_squares;
pub(crate) mod optimum;
pub(crate) mod regression;
pub(crate) mod resample;
pub(crate) mod valley;

// Of one kind of trials, of two runs, of runs to come.
pub(crate) mod classes;
pub mod comparison;
pub(crate) mod course;
pub(crate) mod search;

#[cfg(test)]
pub(crate) mod synthetic;
