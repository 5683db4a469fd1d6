//! Rows in, numbers with their uncertainty out. Random numbers resample rows (bootstrap); nothing
//! here runs a trial or makes a figure.

pub mod summary;

pub mod mean;

pub(crate) mod average;

pub(crate) mod jackknife;

pub(crate) mod each_point;

pub(crate) mod bootstrap;

pub mod sequential;

pub mod quantile;

pub(crate) mod share;

pub(crate) mod survival;

pub(crate) mod exponentiality;

pub(crate) mod residual_life;

pub(crate) mod run_length;

pub(crate) mod least_squares;

pub(crate) mod regression;

pub(crate) mod density_law;

pub(crate) mod optimum;

pub(crate) mod classes;

pub(crate) mod valley;

pub(crate) mod run_time;

pub mod comparison;

pub(crate) mod distribution;

pub(crate) mod search;

pub(crate) mod course;
pub(crate) mod factoring;

#[cfg(test)]
pub(crate) mod synthetic;
