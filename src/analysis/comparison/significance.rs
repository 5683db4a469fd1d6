//! From which p-value on two runs differ by more than chance: the level of all tests together, and
//! Holm's correction over points.

use super::end_point::EndPointTest;
use super::{Comparison, Difference, Finding};

/// The probability of calling any of the points different when none is.
pub const ALPHA: f64 = 0.05;

impl Comparison {
    pub(super) fn tests_mut(&mut self) -> impl Iterator<Item = &mut EndPointTest> {
        let points = self.points.iter_mut();
        points.flat_map(|point| match &mut point.finding {
            Finding::Different(difference) => &mut difference.tests[..],
            _ => &mut [],
        })
    }

    /// Says of each point whether its rows differ by more than chance.
    fn judge(&mut self) {
        for point in &mut self.points {
            let is_proven = |found: &Difference| found.tests.iter().any(|test| test.holm <= ALPHA);
            point.is_different = point.is_certain() || point.difference().is_some_and(is_proven);
        }
    }
}

/// Fills in Holm's adjusted p-values, over all tests of all the comparisons as one family, and
/// which points are different: rejecting those at most α errs with probability at most α, whatever
/// depends on what.
///
/// The k-th smallest p of m is multiplied by m + 1 − k; none is below one before it. Source: Holm,
/// Scand. J. Stat. 6 (1979) 65.
pub fn adjust<'c>(comparisons: impl IntoIterator<Item = &'c mut Comparison>) {
    let mut comparisons: Vec<&mut Comparison> = comparisons.into_iter().collect();
    let tests = comparisons
        .iter_mut()
        .flat_map(|comparison| comparison.tests_mut());
    let mut tests: Vec<&mut EndPointTest> = tests.collect();
    tests.sort_by(|a, b| a.test.p.total_cmp(&b.test.p));
    let count = tests.len();
    let mut least: f64 = 0.0;
    for (before, test) in tests.into_iter().enumerate() {
        least = least.max((test.test.p * (count - before) as f64).min(1.0));
        test.holm = least;
    }
    for comparison in comparisons {
        comparison.judge();
    }
}
