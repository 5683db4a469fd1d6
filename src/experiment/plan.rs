//! [`Spec`](super::spec::Spec) → [`Plan`]: the ordered points and their trials.

use crate::solver::{Dynamics, Point};

/// What a run simulates: each point with trials `0..trials` under each seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// In the order of the key columns of `trials.parquet`, each point once.
    pub points: Vec<PlannedPoint>,
    /// Sorted.
    pub seeds: Vec<u64>,
}

/// A point of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedPoint {
    pub point: Point,
    /// Trials under each seed.
    pub trials: u32,
    /// Updates per trial.
    pub cutoff: u64,
    pub dynamics: Dynamics,
}
