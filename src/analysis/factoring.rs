//! Factoring by signals beside guessing.

use super::estimate::Estimate;
use super::guesses::expected_guesses;
use super::measured::Measured;
use crate::experiment::store::{Point, Row};
use crate::results::PointTrials;

/// One product and ε: what its trials took, and what guesses would.
#[derive(Debug, Clone, PartialEq)]
pub struct Factored {
    pub point: Point,
    /// N.
    pub product: u64,
    /// Until absorption.
    pub updates: Measured,
    /// Until absorption.
    pub moves: Measured,
    /// Expected number of guesses: [`expected_guesses`]; `None` for a prime.
    pub guesses: Option<f64>,
    /// Absorbed trials.
    pub absorbed: u64,
    /// Absorbed trials whose factors, both above 1, are those of N: multiplied here once more.
    pub right: u64,
}

impl Factored {
    /// `None` for what is no such trial, or has no rows.
    pub fn of(trials: &PointTrials) -> Option<Self> {
        let product = trials.point.integer("product")?;
        let is_absorbed = |row: &Row| row.outcome.absorption_time.is_some();
        let absorbed = || trials.rows.iter().filter(is_absorbed);
        Some(Self {
            product,
            updates: Measured::mean(trials, "absorption_time")?,
            moves: Measured::mean(trials, "moves")?,
            guesses: expected_guesses(product),
            absorbed: absorbed().count() as u64,
            right: absorbed().filter(|row| is_right(product, row)).count() as u64,
            point: trials.point.clone(),
        })
    }

    /// A mean in units of the expected number of guesses: above 1, guessing takes less.
    pub fn in_guesses(&self, mean: &Measured) -> Option<Estimate> {
        Some(mean.estimate.in_units(self.guesses?))
    }
}

/// Absorbed trials, and those of them that ended in two factors of N.
pub fn checked(points: &[Factored]) -> [u64; 2] {
    let absorbed = points.iter().map(|it| it.absorbed).sum();
    [absorbed, points.iter().map(|it| it.right).sum()]
}

/// The factors of an absorbed trial, rows first.
pub fn factors(row: &Row) -> Option<[u32; 2]> {
    row.outcome.solution.as_deref()?.try_into().ok()
}

fn is_right(product: u64, row: &Row) -> bool {
    factors(row).is_some_and(|[a, b]| a > 1 && b > 1 && u64::from(a) * u64::from(b) == product)
}
