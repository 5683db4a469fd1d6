//! Rows in, numbers with their uncertainty out. Never simulates, never draws.

pub mod summary;

pub mod mean;

pub mod quantile;

pub mod regression;

pub mod optimum;

pub mod distribution;

pub mod run_time;

#[cfg(test)]
pub mod synthetic;
