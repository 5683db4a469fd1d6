//! Rows in, numbers with their uncertainty out. Never simulates, never draws.

pub mod summary;

pub mod mean;

pub mod quantile;

pub mod regression;

pub mod optimum;

pub mod classes;

pub mod valley;

pub mod run_time;

pub mod distribution;

#[cfg(test)]
pub mod synthetic;
