//! Factoring by signals beside guessing.

use super::estimate::Estimate;
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

/// The expected number of guesses until a · b = N, with a uniform in 1 … 2^(L − 1) − 1 and b
/// uniform in 1 … 2^⌈L/2⌉ − 1, both drawn anew each time, for N of L bits:
/// (2^(L − 1) − 1)(2^⌈L/2⌉ − 1) / s, with s the number of such pairs (a, b) whose product is N.
/// `None` where there is none.
pub fn expected_guesses(product: u64) -> Option<f64> {
    let bits = u64::BITS - product.leading_zeros();
    let [a_max, b_max] = [bits.checked_sub(1)?, bits.div_ceil(2)].map(|bits| (1_u64 << bits) - 1);
    let is_pair = |b: &u64| product.is_multiple_of(*b) && product / b <= a_max;
    let pairs = (1..=b_max).filter(is_pair).count();
    (pairs > 0).then(|| a_max as f64 * b_max as f64 / pairs as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 15 = 5 · 3 alone among 7 · 3 pairs; 35 = 5 · 7 = 7 · 5 among 31 · 7; a prime by none, since
    /// 1 and N are on no lattice together.
    #[test]
    fn guesses_by_hand() {
        let guesses = [15, 35, 143, 437].map(expected_guesses);
        let expected = [21.0, 31.0 * 3.5, 127.0 * 7.5, 255.0 * 15.5];
        assert_eq!(guesses, expected.map(Some));
        assert_eq!([5, 7, 13, 31, 257].map(expected_guesses), [None; 5]);
    }
}
