//! Tests of two independent samples. Every z is positive when B's values are the larger ones.

use std::cmp::Ordering;

use crate::analysis::distribution::{kolmogorov_tail, normal_two_sided};
use crate::analysis::survival::Observed;

/// A test's statistic and its two-sided p-value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// Standard normal where nothing differs; for Kolmogorov and Smirnov's test the largest
    /// distance, for a paired one Student's t.
    pub statistic: f64,
    /// Two-sided.
    pub p: f64,
}

impl Test {
    /// Of a statistic that is standard normal where nothing differs.
    pub fn normal(z: f64) -> Self {
        Self {
            statistic: z,
            p: normal_two_sided(z),
        }
    }
}

/// What a test's z is made of; over many points both add up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Observed minus expected where nothing differs.
    pub excess: f64,
    /// Of the excess, given the pooled values.
    pub variance: f64,
}

impl Score {
    /// z = excess / √variance, the excess brought nearer to 0 by `continuity`; z is 0 where the
    /// variance is.
    pub fn test(self, continuity: f64) -> Test {
        let excess = (self.excess.abs() - continuity)
            .max(0.0)
            .copysign(self.excess);
        Test::normal(if self.variance > 0.0 {
            excess / self.variance.sqrt()
        } else {
            0.0
        })
    }
}

/// Log-rank test of times, some of which may be cut off: z = (O − E) / √V over A's events, with the
/// hypergeometric variance.
///
/// At each event time, of r trials at risk, r_A of them A's, with d events, A expects d r_A / r and
/// varies by d (r_A / r) (1 − r_A / r) (r − d) / (r − 1). z is 0 where V is. Source: Mantel, Cancer
/// Chemother. Rep. 50 (1966) 163.
pub fn log_rank(mut a: Vec<Observed>, mut b: Vec<Observed>) -> Score {
    for side in [&mut a, &mut b] {
        side.sort_unstable_by_key(|trial| trial.value);
    }
    let (mut at_risk, mut at_risk_in_a) = ((a.len() + b.len()) as f64, a.len() as f64);
    let (mut excess, mut variance) = (0.0, 0.0);
    let events = |same: &[Observed]| same.iter().filter(|trial| !trial.cut_off).count() as f64;
    for [of_a, of_b] in groups(&a, &b, |x, y| {
        let [x, y] = [x.value, y.value];
        x.cmp(&y)
    }) {
        let events_in_a = events(of_a);
        let events = events_in_a + events(of_b);
        let share = at_risk_in_a / at_risk;
        excess += events_in_a - events * share;
        if at_risk > 1.0 {
            variance += events * share * (1.0 - share) * (at_risk - events) / (at_risk - 1.0);
        }
        at_risk -= (of_a.len() + of_b.len()) as f64;
        at_risk_in_a -= of_a.len() as f64;
    }
    Score { excess, variance }
}

/// Those of two sorted samples that are equal, in increasing order: at least one of either sample.
fn groups<'s, T>(
    mut a: &'s [T],
    mut b: &'s [T],
    order: impl Fn(&T, &T) -> Ordering,
) -> impl Iterator<Item = [&'s [T]; 2]> {
    std::iter::from_fn(move || {
        let least = match (a.first(), b.first()) {
            (Some(x), Some(y)) if order(x, y).is_gt() => y,
            (Some(x), _) => x,
            (None, y) => y?,
        };
        let [of_a, of_b] = [a, b].map(|side| {
            let same = side.iter().take_while(|it| order(it, least).is_eq());
            side.split_at(same.count())
        });
        (a, b) = (of_a.1, of_b.1);
        Some([of_a.0, of_b.0])
    })
}

/// Kolmogorov and Smirnov's test: the largest distance D of the empirical distribution functions,
/// with p of the limit law of √(m₁ m₂ / (m₁ + m₂)) D.
///
/// Give it min(T, c): a common cutoff makes ties at c, and ties make the test conservative, never
/// too eager.
///
/// Both samples are in increasing order.
///
/// # Panics
/// When a sample is empty.
pub fn kolmogorov_smirnov(a: &[f64], b: &[f64]) -> Test {
    assert!(!a.is_empty() && !b.is_empty(), "a sample has values");
    let (sizes, mut counts) = ([a.len() as f64, b.len() as f64], [0.0, 0.0]);
    let mut distance: f64 = 0.0;
    for [of_a, of_b] in groups(a, b, f64::total_cmp) {
        counts[0] += of_a.len() as f64;
        counts[1] += of_b.len() as f64;
        distance = distance.max((counts[0] / sizes[0] - counts[1] / sizes[1]).abs());
    }
    let scale = (sizes[0] * sizes[1] / (sizes[0] + sizes[1])).sqrt();
    Test {
        statistic: distance,
        p: kolmogorov_tail(scale * distance),
    }
}

/// Mann and Whitney's test in the normal approximation, with ties and half a rank of continuity. z
/// is 0 where all values are one.
///
/// With U the number of pairs in which B's value is larger (ties half), z = (|U − m₁m₂/2| − ½)⁺ /
/// √V with U's sign, V = m₁ m₂ / 12 · (m + 1 − Σ (t³ − t) / (m (m − 1))), t the sizes of the groups
/// of ties. Both samples are in increasing order.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Score {
    let (size_a, size_b) = (a.len() as f64, b.len() as f64);
    let size = (a.len() + b.len()) as f64;
    let (mut before, mut rank_sum, mut ties) = (0.0, 0.0, 0.0);
    for [of_a, of_b] in groups(a, b, f64::total_cmp) {
        let (count, in_b) = ((of_a.len() + of_b.len()) as f64, of_b.len() as f64);
        rank_sum += in_b * (before + (count + 1.0) / 2.0);
        ties += count * count * count - count;
        before += count;
    }
    let excess = rank_sum - size_b * (size_b + 1.0) / 2.0 - size_a * size_b / 2.0;
    let variance = size_a * size_b / 12.0 * (size + 1.0 - ties / (size * (size - 1.0)));
    Score {
        excess,
        variance: if size > 1.0 { variance } else { 0.0 },
    }
}

/// Half a rank: the continuity of [`mann_whitney`]'s test.
pub const HALF_A_RANK: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::distribution::student_two_sided;
    use crate::analysis::survival::tests::remission;

    fn sorted(mut values: Vec<f64>) -> Vec<f64> {
        values.sort_by(f64::total_cmp);
        values
    }

    fn assert_close(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-9 * expected.abs(),
            "{found} instead of {expected}"
        );
    }

    /// SciPy's `logrank` and lifelines (16.79, as in R's `survdiff` on these classic times), by
    /// tests/reference/statistics.py.
    #[test]
    fn log_rank_is_scipys() {
        let [treated, placebo] = remission();
        let test = log_rank(treated.clone(), placebo.clone()).test(0.0);
        assert_close(test.statistic, -4.097919104767264);
        assert_close(test.p, 4.168809109334529e-05);
        assert_close(
            log_rank(placebo, treated).test(0.0).statistic,
            4.097919104767264,
        );
    }

    /// SciPy's `ks_2samp` and `kstwobign`, by tests/reference/statistics.py.
    #[test]
    fn distance_and_its_law_are_scipys() {
        let capped = remission().map(|trials| {
            trials
                .iter()
                .map(|trial| (trial.value as f64).min(6.5))
                .collect::<Vec<_>>()
        });
        let capped = capped.map(sorted);
        let test = kolmogorov_smirnov(&capped[0], &capped[1]);
        assert_close(test.statistic, 0.42857142857142855);
        assert_close(test.p, 0.04225616120892953);
        for (x, expected) in [
            (0.3, 0.9999906941986655),
            (0.8276, 0.49995841656354456),
            (1.6276, 0.010001537333060776),
            (3.0, 3.045995948942526e-08),
        ] {
            assert_close(kolmogorov_tail(x), expected);
        }
    }

    /// SciPy's `mannwhitneyu(method="asymptotic")`, by tests/reference/statistics.py: one pair of
    /// samples with ties, one with hardly any.
    #[test]
    fn ranks_are_scipys() {
        let [treated, placebo] = remission().map(|trials| {
            let values = trials.iter().map(|trial| trial.value as f64);
            sorted(values.collect())
        });
        let test = mann_whitney(&treated, &placebo).test(HALF_A_RANK);
        assert_close(test.p, 0.004248210965853929);
        assert!(test.statistic < 0.0, "the treated stay longer");
        let sample = [
            3.0, 141.0, 59.0, 26.0, 535.0, 897.0, 93.0, 238.0, 46.0, 264.0, 33.0, 83.0, 279.0,
            502.0, 88.0, 41.0, 971.0, 69.0, 399.0, 37.0,
        ];
        let shifted: Vec<f64> = sample[..12].iter().map(|value| value + 30.0).collect();
        assert_close(
            mann_whitney(&sorted(sample.to_vec()), &sorted(shifted))
                .test(HALF_A_RANK)
                .p,
            0.6128070232519585,
        );
    }

    /// SciPy's `t.sf`, by tests/reference/statistics.py.
    #[test]
    fn students_tail_is_scipys() {
        let expected = [
            0.24223788318168682,
            0.04099221858575289,
            1.3942768767204764e-06,
            0.0027667764601477917,
        ];
        for ((t, freedom), expected) in [(2.5, 1), (2.5, 7), (6.0, 30), (3.0, 999)]
            .into_iter()
            .zip(expected)
        {
            assert!((student_two_sided(t, freedom) - expected).abs() < 1e-12 + 1e-8 * expected);
        }
    }

    #[test]
    fn nothing_to_tell_apart_is_no_difference() {
        let same = [Observed {
            value: 9,
            cut_off: true,
        }; 5];
        assert_eq!(
            log_rank(same.to_vec(), same.to_vec()).test(0.0),
            Test {
                statistic: 0.0,
                p: 1.0
            }
        );
        assert_eq!(mann_whitney(&[4.0; 3], &[4.0; 5]).test(HALF_A_RANK).p, 1.0);
        assert_eq!(
            kolmogorov_smirnov(&[4.0; 3], &[4.0; 5]),
            Test {
                statistic: 0.0,
                p: 1.0
            }
        );
    }
}
