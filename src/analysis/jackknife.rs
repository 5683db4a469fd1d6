//! The error of whatever is a function of sums over trials: ratios, rates, coefficients of
//! variation.

use super::mean::Mean;

/// `statistic`, a function of the column sums over the trials and of their number, with the
/// jackknife's standard error √((m − 1)/m · Σ (θ₍ᵢ₎ − mean of all θ₍ⱼ₎)²), θ₍ᵢ₎ the statistic
/// without trial i.
///
/// Trials are independent; what is counted within one need not be. The error is infinite for one
/// trial, and where one trial decides whether the statistic is finite. `rows` is gone through
/// twice. `None` without rows. Source: Efron and Stein, Ann. Stat. 9 (1981) 586.
pub fn jackknife<const K: usize, R: Iterator<Item = [f64; K]>>(
    rows: impl Fn() -> R,
    statistic: impl Fn(&[f64; K], f64) -> f64,
) -> Option<Mean> {
    let mut sums = [0.0; K];
    let mut trials = 0_u64;
    for row in rows() {
        trials += 1;
        sums.iter_mut().zip(row).for_each(|(sum, it)| *sum += it);
    }
    let number = trials as f64;
    let value = statistic(&sums, number);
    let (mut first, mut second) = (0.0, 0.0);
    for row in rows().filter(|_| trials > 1) {
        let others = std::array::from_fn(|column| sums[column] - row[column]);
        // From the statistic of all, so that the squares lose no digits.
        let distance = statistic(&others, number - 1.0) - value;
        first += distance;
        second += distance * distance;
    }
    let squares = second - first * first / number;
    let standard_error = ((number - 1.0) / number * squares.max(0.0)).sqrt();
    let is_known = trials > 1 && squares.is_finite();
    (trials > 0).then_some(Mean {
        value,
        standard_error: if is_known {
            standard_error
        } else {
            f64::INFINITY
        },
        trials,
    })
}

/// Σ a / Σ b over trials, each with its pair (a, b) of numbers ≥ 0; `None` where Σ b = 0. A ratio
/// of 0 has no scatter to judge by: its interval is 0.
pub fn ratio(pairs: &[[f64; 2]]) -> Option<Mean> {
    let ratio = jackknife(|| pairs.iter().copied(), |[a, b], _| a / b)?;
    ratio.value.is_finite().then_some(ratio)
}

/// Standard deviation / mean from Σ x and Σ x².
pub fn variation(&[sum, squares]: &[f64; 2], trials: f64) -> f64 {
    let mean = sum / trials;
    ((squares - sum * mean).max(0.0) / (trials - 1.0)).sqrt() / mean
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With b = 1 throughout it is the mean, whose error is s / √m exactly.
    #[test]
    fn of_ones_it_is_the_mean() {
        let values = [3, 141, 59, 26, 535, 897];
        let pairs = values.map(|value| [value as f64, 1.0]);
        let (mean, found) = (Mean::of(&values), ratio(&pairs).expect("a ratio"));
        assert!((found.value / mean.value - 1.0).abs() < 1e-12);
        assert!((found.standard_error / mean.standard_error - 1.0).abs() < 1e-12);
        assert_eq!(ratio(&[[0.0, 0.0]]), None);
        assert_eq!(ratio(&[]), None);
        let none = ratio(&[[0.0, 2.0], [0.0, 1.0]]).expect("a ratio of 0");
        assert_eq!((none.value, none.standard_error), (0.0, 0.0));
    }

    /// NumPy, by leaving each of the 20 out: tests/reference/statistics.py.
    #[test]
    fn errors_are_numpys() {
        let times = [
            3.0, 141.0, 59.0, 26.0, 535.0, 897.0, 93.0, 238.0, 46.0, 264.0, 33.0, 83.0, 279.0,
            502.0, 88.0, 41.0, 971.0, 69.0, 399.0, 37.0_f64,
        ];
        let squares = || times.into_iter().map(|it| [it, it * it]);
        let scatter = jackknife(squares, variation).expect("20 trials");
        let ended = |it: f64| [it.min(500.0), f64::from(u8::from(it <= 500.0))];
        let length = ratio(&times.map(ended)).expect("17 ended");
        for (found, (value, error)) in [scatter, length].into_iter().zip(NUMPY) {
            assert!((found.value / value - 1.0).abs() < 1e-12, "{found:?}");
            let error = found.standard_error / error - 1.0;
            assert!(error.abs() < 1e-10, "{found:?}");
        }
    }

    /// One success in 30: without that trial the ratio is infinite.
    #[test]
    fn what_one_trial_decides_has_no_known_error() {
        let pairs: Vec<[f64; 2]> = (0..30)
            .map(|trial| [10.0, f64::from(u8::from(trial == 0))])
            .collect();
        let interval = ratio(&pairs).expect("one success").interval();
        assert_eq!((interval.low, interval.high), (0.0, f64::INFINITY));
        let single = ratio(&[[0.0, 1.0]]).expect("one trial").interval();
        assert_eq!((single.low, single.high), (0.0, f64::INFINITY));
    }

    const NUMPY: [(f64, f64); 2] = [
        (1.1904297081380129, 0.1761737201076714),
        (243.6875, 74.7809011750698),
    ];
}
