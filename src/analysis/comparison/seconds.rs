//! Wall-clock times of both sides: how a change of code changes them is shown and never tested,
//! since no row says what else the machine did. Which trials have times on both sides, and the
//! ratio of B to A, is decided here.

use std::collections::BTreeMap;

use serde::Serialize;

use super::pairs::Pairs;
use crate::experiment::manifest::PointTotals;
use crate::experiment::store::rows::PointTimings;
use crate::results::in_common;

/// The wall-clock times of trials of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Seconds {
    /// Seconds of A.
    pub a: f64,
    /// Seconds of B.
    pub b: f64,
}

impl Seconds {
    /// Seconds of B / seconds of A; `None` without any.
    pub fn ratio(self) -> Option<f64> {
        Some(self.b / self.a).filter(|ratio| ratio.is_finite())
    }

    /// The seconds of these trials and of others.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        Self {
            a: self.a + others.a,
            b: self.b + others.b,
        }
    }

    /// The seconds of searches: of the trials of one point, seed and index on both sides. A trial
    /// with exactly the same time on both sides was not timed twice: one run took it over from the
    /// other, so it is left out.
    pub fn of_searches(a: &[PointTimings], b: &[PointTimings]) -> Self {
        let mut seconds = Self::default();
        for (x, y) in in_common(a, b, |x, y| x.point.order(&y.point)) {
            let pairs = Pairs {
                a: &x.rows,
                b: &y.rows,
                in_order: false,
            };
            for (i, j) in pairs.index_pairs() {
                let firsts = [x.seconds[i].first(), y.seconds[j].first()];
                let [Some(of_a), Some(of_b)] = firsts else {
                    // The time of one side is lost.
                    continue;
                };
                if of_a.to_bits() != of_b.to_bits() {
                    seconds.a += of_a;
                    seconds.b += of_b;
                }
            }
        }
        seconds
    }

    /// The seconds of the points of both sides that are no searches, by what the manifests say of
    /// each: its mean time, for as many trials as both sides timed. Equal sums are those of trials
    /// that one run took over from the other.
    pub fn of_totals(
        a: &[PointTotals],
        b: &[PointTotals],
        is_search: impl Fn(&str) -> bool,
    ) -> Self {
        let of_a: BTreeMap<&str, &PointTotals> =
            a.iter().map(|totals| (&*totals.point, totals)).collect();
        let mut seconds = Self::default();
        for y in b.iter().filter(|totals| !is_search(&totals.point)) {
            let Some(x) = of_a.get(&*y.point) else {
                continue;
            };
            let [Some(mean_a), Some(mean_b)] = [x.mean_seconds(), y.mean_seconds()] else {
                continue;
            };
            if x.seconds_sum.to_bits() != y.seconds_sum.to_bits() {
                let trials = x.timed.min(y.timed) as f64;
                seconds.a += mean_a * trials;
                seconds.b += mean_b * trials;
            }
        }
        seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::pair_key;
    use crate::experiment::store::Row;
    use crate::solver::{Ending, Outcome};

    #[test]
    fn only_trials_of_both_sides_count() {
        let timings = |n: u32, seconds: &[f64]| {
            let row = |trial| Row {
                seed: 1,
                trial,
                cutoff: 9,
                outcome: Outcome::ended(Ending::Exhausted),
            };
            PointTimings {
                point: pair_key(n, 0.01),
                rows: (0..seconds.len() as u32).map(row).collect(),
                seconds: seconds.iter().map(|&it| vec![it, 100.0]).collect(),
            }
        };
        let ratio = |a: &[PointTimings], b: &[PointTimings]| Seconds::of_searches(a, b).ratio();
        let a = [timings(8, &[1.0, 3.0]), timings(9, &[50.0])];
        let b = [timings(8, &[2.0, 6.0, 70.0])];
        assert_eq!((ratio(&a, &b), ratio(&b, &a)), (Some(2.0), Some(0.5)));
        assert_eq!(ratio(&a, &[]), None);
        // Trial 0 was taken over: its time was measured once.
        let taken_over = [timings(8, &[1.0, 9.0]), timings(9, &[150.0])];
        assert_eq!(ratio(&a, &taken_over), Some(3.0));
        assert_eq!(ratio(&a, &a), None);
    }

    /// By hand: 2 s in 4 trials against 6 s in 2 are 1 s and 6 s for two trials; the point that was
    /// taken over, the one that only one side timed, and the search do not count.
    #[test]
    fn points_that_both_sides_timed_count() {
        let total = |point: &str, timed, seconds_sum| PointTotals {
            point: point.to_owned(),
            timed,
            seconds_sum,
            ..PointTotals::default()
        };
        let a = [
            total("x", 4, 2.0),
            total("same", 9, 5.0),
            total("search", 1, 3.0),
            total("y", 2, 1.0),
        ];
        let b = [
            total("x", 2, 6.0),
            total("same", 9, 5.0),
            total("search", 1, 4.0),
            total("y", 0, 0.0),
        ];
        let found = Seconds::of_totals(&a, &b, |point| point == "search");
        assert_eq!(found, Seconds { a: 1.0, b: 6.0 });
        assert_eq!(found.ratio(), Some(6.0));
    }
}
