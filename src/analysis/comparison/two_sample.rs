//! Tests of two samples. Every statistic is positive when B's values are the larger ones. Paired t,
//! the log-rank test and that of Mann and Whitney are here, each with its treatment of ties; which
//! one is used is in `end_point.rs`.

use std::cmp::Ordering;
use std::ops::Range;

use crate::analysis::distribution::{normal_two_sided, student_two_sided};
use crate::analysis::quantile::Bounded;

/// A test's statistic and its two-sided p-value.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Test {
    /// Standard normal where nothing differs; for a paired test Student's t.
    pub statistic: f64,
    pub p: f64,
}

impl Test {
    /// The test by a statistic that is standard normal if nothing differs: excess / √variance, 0 if
    /// the variance is 0.
    fn normal(excess: f64, variance: f64) -> Self {
        let statistic = if variance > 0.0 {
            excess / variance.sqrt()
        } else {
            0.0
        };
        let p = normal_two_sided(statistic);
        Self { statistic, p }
    }
}

/// Student's test that the mean of `differences` is 0: t = d̄ / (s / √m), by (differing pairs − 1)
/// degrees of freedom, since equal pairs say nothing of the scatter of the others. Differences that
/// are all one have no scatter: then the sign test, p = 2^(1 − m).
pub fn paired(differences: &[f64]) -> Test {
    let m = differences.len() as f64;
    let differing = differences
        .iter()
        .filter(|difference| **difference != 0.0)
        .count() as u64;
    let mean = differences.iter().sum::<f64>() / m;
    let squares = differences
        .iter()
        .map(|difference| (difference - mean) * (difference - mean));
    let error = (squares.sum::<f64>() / (m - 1.0) / m).sqrt();
    let t = mean / error;
    let (statistic, p) = match (differing, error > 0.0) {
        (0, _) => (0.0, 1.0),
        (_, true) => (t, student_two_sided(t, differing - 1)),
        (_, false) => (f64::INFINITY.copysign(mean), libm::exp2(1.0 - m)),
    };
    Test { statistic, p }
}

/// Log-rank test of times of A and B, some of which may be cut off: z = (O − E) / √V over A's
/// events, with the hypergeometric variance.
///
/// At each event time, of r trials at risk, r_A of them A's, with d events, A expects d r_A / r and
/// varies by d (r_A / r) (1 − r_A / r) (r − d) / (r − 1). z is 0 where V is. Source: Mantel, Cancer
/// Chemother. Rep. 50 (1966) 163.
pub fn log_rank(mut times: [Vec<Bounded>; 2]) -> Test {
    for side in &mut times {
        side.sort_unstable_by_key(|trial| trial.value);
    }
    let [a, b] = times;
    let mut at_risk = (a.len() + b.len()) as f64;
    let mut at_risk_in_a = a.len() as f64;
    let mut excess = 0.0;
    let mut variance = 0.0;
    let events = |same: &[Bounded]| same.iter().filter(|trial| !trial.at_least).count() as f64;
    for [of_a, of_b] in groups(&a, &b, |x, y| { x.value }.cmp(&{ y.value })) {
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
    Test::normal(excess, variance)
}

/// The groups of equal values of two sorted samples, in increasing order: at least one value of
/// either sample.
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
            let same = side.iter().take_while(|value| order(value, least).is_eq());
            side.split_at(same.count())
        });
        (a, b) = (of_a.1, of_b.1);
        Some([of_a.0, of_b.0])
    })
}

/// Mann and Whitney's test of the values of A and B in the normal approximation, with ties and half
/// a rank of continuity. z is 0 where all values are one.
///
/// With U the number of pairs in which B's value is larger (ties half), z = (|U − m₁m₂/2| − ½)⁺ /
/// √V with U's sign, V = m₁ m₂ / 12 · (m + 1 − Σ (t³ − t) / (m (m − 1))), t the sizes of the groups
/// of ties.
pub fn mann_whitney(mut values: [Vec<f64>; 2]) -> Test {
    for side in &mut values {
        side.sort_unstable_by(f64::total_cmp);
    }
    let [a, b] = values;
    let size_a = a.len() as f64;
    let size_b = b.len() as f64;
    let size = size_a + size_b;
    let mut before = 0.0;
    let mut rank_sum = 0.0;
    let mut ties = 0.0;
    for [of_a, of_b] in groups(&a, &b, f64::total_cmp) {
        let count = (of_a.len() + of_b.len()) as f64;
        let in_b = of_b.len() as f64;
        rank_sum += in_b * (before + (count + 1.0) / 2.0);
        ties += count * count * count - count;
        before += count;
    }
    let excess: f64 = rank_sum - size_b * (size_b + 1.0) / 2.0 - size_a * size_b / 2.0;
    let variance = size_a * size_b / 12.0 * (size + 1.0 - ties / (size * (size - 1.0)));
    Test::normal((excess.abs() - 0.5).max(0.0).copysign(excess), variance)
}

/// The least p-value of [`mann_whitney`] and [`log_rank`] for samples of these sizes, or of a
/// hundred where they are larger: that of values which do not overlap and have no ties.
pub fn separated(sizes: [usize; 2]) -> f64 {
    let [a, b] = sizes.map(|size| size.min(100) as u64);
    let p = |samples: [Range<u64>; 2]| {
        let values = samples
            .clone()
            .map(|sample| sample.map(|value| value as f64).collect());
        let times = samples.map(|sample| sample.map(Bounded::exactly).collect());
        mann_whitney(values).p.min(log_rank(times).p)
    };
    p([0..a, a..a + b]).min(p([b..a + b, 0..b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{TIMES, assert_close, remission};

    /// SciPy's `logrank` and lifelines (16.79, as in R's `survdiff` on these classic times), by
    /// tests/reference/statistics.py.
    #[test]
    fn log_rank_is_scipys() {
        let [treated, placebo] = remission();
        let test = log_rank([treated.clone(), placebo.clone()]);
        let scipy = [-4.097919104767264, 4.168809109334529e-05];
        assert_close(&[test.statistic, test.p], &scipy, 1e-9);
        let swapped = log_rank([placebo, treated]);
        assert_close(&[-swapped.statistic], &scipy[..1], 1e-9);
    }

    /// SciPy's `mannwhitneyu(method="asymptotic")`, by tests/reference/statistics.py: one pair of
    /// samples with ties, one with hardly any.
    #[test]
    fn ranks_are_scipys() {
        let values = |trials: Vec<Bounded>| trials.iter().map(|it| it.value as f64).collect();
        let test = mann_whitney(remission().map(values));
        assert!(test.statistic < 0.0, "the treated stay longer");
        let sample = TIMES.map(|it| it as f64);
        let shifted = sample[..12].iter().map(|value| value + 30.0).collect();
        let other = mann_whitney([sample.to_vec(), shifted]);
        let scipy = [0.004248210965853929, 0.6128070232519585];
        assert_close(&[test.p, other.p], &scipy, 1e-9);
    }

    /// The least of all orders of the values, as a program of its own in Python counted them.
    #[test]
    fn samples_that_do_not_overlap_have_the_least_p() {
        for (sizes, least) in [
            ([1, 1], 0.31731050786291415),
            ([4, 4], 0.006727172585530288),
            ([5, 5], 0.0018419354016197998),
            ([3, 8], 0.00035201288852442257),
            ([8, 3], 0.00035201288852442257),
        ] {
            assert_close(&[separated(sizes)], &[least], 1e-9);
        }
        assert!(separated([100_000, 20_000]) < 1e-12);
    }

    #[test]
    fn nothing_to_tell_apart_is_no_difference() {
        let cut_off = Bounded {
            value: 9,
            at_least: true,
        };
        for Test { statistic, p } in [
            log_rank([vec![cut_off; 5], vec![cut_off; 5]]),
            mann_whitney([vec![4.0; 3], vec![4.0; 5]]),
            mann_whitney([vec![4.0], vec![4.0]]),
        ] {
            assert_eq!((statistic, p), (0.0, 1.0));
        }
    }

    /// SciPy's `ttest_1samp` where all pairs differ, by tests/reference/statistics.py; and with
    /// pairs that are equal.
    #[test]
    fn few_differing_pairs_prove_little_and_many_equal_ones_much() {
        let test = paired(&[3.0, -1.0, 4.0, 1.5, -2.0, 6.0, 0.5]);
        let scipy = [1.6047619152911752, 0.1596683458779478];
        assert_close(&[test.statistic, test.p], &scipy, 1e-9);
        let with = |differing: usize, value: f64| {
            let mut differences = [0.0; 50];
            differences[..differing].fill(value);
            paired(&differences)
        };
        assert_eq!((with(1, 1e9).p, with(0, 0.0).p), (1.0, 1.0));
        assert_eq!(with(50, 1.0).p, libm::exp2(-49.0));
        assert!(with(30, -5.0).p < 1e-6 && with(30, -5.0).statistic < 0.0);
    }
}
