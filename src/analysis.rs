//! Rows in, numbers with their uncertainty out: nothing here runs a trial, reads a file or makes a
//! figure.
//!
//! Read `estimate` first (a number, its interval, whether it is a lower bound), then `formula` and
//! `measured` (a statistic of columns at a point, and which interval it gets, with censored trials,
//! too). The other files each have one method; docs/statistics.md says which is used where.
//!
//! A file may be changed alone: its tests hold it against theory, with trials of known laws
//! (`synthetic`). A trial that was cut off is never averaged as if it had ended. Random numbers
//! only resample rows, with fixed seeds, and logarithms are libm's: the same rows give the same
//! bytes everywhere.

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
