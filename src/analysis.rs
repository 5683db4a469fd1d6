//! Rows in, numbers with their uncertainty out. Never simulates, never draws.

pub mod summary;

pub mod mean;

pub mod bootstrap;

pub mod sequential;

pub mod quantile;

pub mod survival;

pub mod exponentiality;

pub mod restart;

pub mod run_length;

pub mod least_squares;

pub mod regression;

pub mod density_law;

pub mod optimum;

pub mod classes;

pub mod valley;

pub mod run_time;

pub mod comparison;

pub mod distribution;

pub mod search;

#[cfg(test)]
pub mod synthetic;
